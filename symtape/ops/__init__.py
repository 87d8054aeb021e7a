"""TensorFlow's operations: thin compositions of the closed family, one file an idea.

Here is what has to be there before it is asked for: the elementwise operations that have names, by
which formulas that travel or were saved mean them, the methods of variables, and NumPy's functions.
"""

from symtape.calculus import factorizations  # noqa: F401 - elementwise
from symtape.ops.elementwise import activation, special, truncation  # noqa: F401 - elementwise
from symtape.ops.indexing import variable_places  # noqa: F401 - methods of every variable
from symtape.ops.nn import loss  # noqa: F401 - elementwise
from symtape.ops.numpy import protocol as numpy_protocol  # noqa: F401 - NumPy's functions, wherever tensors are
from symtape.ops.reductions import scan  # noqa: F401 - elementwise
