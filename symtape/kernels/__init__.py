"""Each operation as NumPy computes it: the expression, the function, and running step by step."""
