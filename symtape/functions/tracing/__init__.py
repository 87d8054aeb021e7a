"""A function run once on tensors, to get its program."""
