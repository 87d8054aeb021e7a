"""NumPy's functions of whole arrays."""
