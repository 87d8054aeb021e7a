"""Tensors and variables: values that active tapes record, and the readings of their formulas."""
