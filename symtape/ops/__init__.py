"""TensorFlow's operations: thin compositions of the closed family, one file an idea."""

from symtape.ops import numpy_protocol as _numpy_protocol  # NumPy's functions, wherever tensors are
