"""Rules for what networks are made of."""
