"""What numbers say of a candidate: how far it is from the truth, and whether that is wrong."""
