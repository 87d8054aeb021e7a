"""`tf.test`: test cases that compare tensors, and gradients by differences."""

from symtape.differentiation.differences import compute_gradient
from symtape.differentiation.testing import TestCase, main
from symtape.namespace import show

__all__ = ["TestCase", "compute_gradient", "main"]

show(__name__, __all__)
