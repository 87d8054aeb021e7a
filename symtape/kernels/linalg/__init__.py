"""Linear algebra of arrays of floats."""
