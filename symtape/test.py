"""`tf.test`: test cases that compare tensors, and gradients by differences."""

from symtape.differentiation.differences import compute_gradient
from symtape.differentiation.testing import TestCase, main
from symtape.namespace import refuser

__all__ = ["TestCase", "compute_gradient", "main"]

__getattr__ = refuser(__name__, lambda: __all__)
