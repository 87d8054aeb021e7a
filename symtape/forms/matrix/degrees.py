"""How a formula grows with a number in it: what has one degree in it is a power of it and the rest.

A sum that exponentials are divided by cancels so in what is too long to be shortened as a whole.
"""

from __future__ import annotations

from functools import reduce
from typing import Any

import sympy as sp

from symtape.forms.matrix.algebra import Algebra
from symtape.forms.matrix.nodes import (
    Diagonal,
    Inverse,
    Kronecker,
    Matrix,
    Node,
    OfDiagonal,
    Part,
    Product,
    Trace,
    Turned,
    inner,
)
from symtape.forms.matrix.rebuilt import Rebuilt

Degree = Any
"""A number, or None for what has no degree."""


def without_scale(algebra: Algebra, x: Matrix, number: sp.Symbol) -> Matrix:
    """Write cᵈ f(1) for f(c), if f has the degree d in the number c: c² a + c (c b) is c² (a + b).

    A formula without a degree is given as it is.
    """
    degree = _Degrees(algebra, number).of(x.entry)
    if degree is None:
        return x
    rest = Rebuilt(algebra, set(), swap={number: sp.S.One}).of(x)
    return algebra.times(Matrix(number**degree, (1, 1)), rest)


class _Degrees:
    """Finds the degrees of expressions and of what their symbols stand for, each once."""

    def __init__(self, algebra: Algebra, number: sp.Symbol) -> None:
        self.algebra, self.number = algebra, number
        self.known: dict[Any, Degree] = {number: sp.S.One}

    def of(self, e: Any) -> Degree:
        """Give the degree of an expression."""
        if e not in self.known:
            self.known[e] = self._of(e)
        return self.known[e]

    def _of(self, e: Any) -> Degree:
        if isinstance(e, sp.Symbol):
            return self._of_node(self.algebra.nodes[e]) if e in self.algebra.nodes else sp.S.Zero
        if isinstance(e, sp.Mul):
            return _added(map(self.of, e.args))
        if isinstance(e, sp.Add):
            return _shared(map(self.of, e.args))
        if isinstance(e, sp.Pow) and e.exp.is_number:
            base = self.of(e.base)
            return None if base is None else base * e.exp
        return self._of_all(e.args)

    def _of_all(self, parts: Any) -> Degree:
        """Say that a function does not change where none of its arguments does."""
        return sp.S.Zero if all(self.of(a) == 0 for a in parts) else None

    def _of_node(self, node: Node) -> Degree:
        match node:
            case Turned(of):
                return self._of_node(of)
            case Product(parts) | Kronecker(parts):
                return _added(self.of(x.entry) for x in parts)
            case Inverse(of):
                degree = self.of(of.entry)
                return None if degree is None else -degree
            case Diagonal(of) | OfDiagonal(of) | Trace(of) | Part(of):
                return self.of(of.entry)
        return self._of_all([x.entry for x in inner(node)])


def _added(degrees: Any) -> Degree:
    return reduce(lambda a, b: None if a is None or b is None else a + b, degrees, sp.S.Zero)


def _shared(degrees: Any) -> Degree:
    found = {*degrees}
    return found.pop() if len(found) == 1 else None
