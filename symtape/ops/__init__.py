"""TensorFlow's operations: thin compositions of the closed family, one file an idea.

Here is what has to be there before it is asked for: the elementwise operations that have names, by
which formulas that travel or were saved mean them, methods of variables, and what answers NumPy.
"""

from symtape.calculus import factorizations  # noqa: F401 - elementwise
from symtape.ops.elementwise import activation, special, truncation  # noqa: F401 - elementwise
from symtape.ops.indexing import variable_places  # noqa: F401 - methods of every variable
from symtape.ops.nn import loss  # noqa: F401 - elementwise
from symtape.ops.numpy import asked, scipy_ufuncs, ufuncs  # noqa: F401 - elementwise, and who answers NumPy
from symtape.ops.reductions import scan  # noqa: F401 - elementwise
