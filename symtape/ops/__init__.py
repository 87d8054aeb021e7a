"""TensorFlow's operations: thin compositions of the closed family, one file an idea."""

from symtape.ops.indexing import variable_places  # noqa: F401 - methods of every variable
from symtape.ops.numpy import protocol as numpy_protocol  # noqa: F401 - NumPy's functions, wherever tensors are
