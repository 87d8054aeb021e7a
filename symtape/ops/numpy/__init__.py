"""NumPy's functions on tensors."""
