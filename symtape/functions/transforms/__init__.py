"""Functions on functions: derivatives, products with vectors, rows."""
