"""Tensors of which some elements are there, and the others are zero."""
