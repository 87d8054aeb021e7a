"""How a machine runs a program: NumPy and generated code, exact numbers, many digits."""
