"""SymPy expressions, as functions on tensors."""

from symtape.frontends.sympy_functions.function import SympyFunction, from_sympy

__all__ = ["SympyFunction", "from_sympy"]
