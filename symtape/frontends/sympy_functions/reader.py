"""Reads a scalar SymPy expression: every node once, as an operation on tensors."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import sympy as sp

from symtape.errors import UnsupportedError
from symtape.frontends.sympy_functions.axes import Grid, Named, applied, on_grid
from symtape.frontends.sympy_functions.scalars import SCALARS, constant
from symtape.ops.shapes.grids import range as consecutive
from symtape.tensor.tensor import Literal, Tensor

Rule = Callable[["Reader", Any], Named]


class Reader:
    """Reads expressions of variables that have values, sizes that are known, and indices.

    Attributes:
        values: The tensor of each symbol, indexed base and matrix symbol.
        sizes: The integer of each symbol that is a size, or an integer argument.
        ranges: The integers that each index takes.
        inside: Where indices count, if not everywhere: sums of triangles, cases.
    """

    def __init__(
        self,
        values: Mapping[Any, Tensor],
        sizes: Mapping[sp.Symbol, int],
        dtype: Any,
        ranges: Mapping[sp.Symbol, Any],
        rules: Mapping[Any, Rule],
        inside: Grid | None = None,
    ) -> None:
        self.values, self.sizes, self.dtype = values, sizes, dtype
        self.ranges, self.inside, self._rules = dict(ranges), inside, rules
        self._known: dict[Any, Named] = {}

    def within(self, ranges: Mapping[sp.Symbol, Any], inside: Grid | None) -> Reader:
        """Give a reader with more indices, and a condition on them."""
        if inside is None or self.inside is None:
            both = inside or self.inside
        else:
            both = on_grid(np.logical_and, self.inside, inside)
        wider = {**self.ranges, **ranges}
        return Reader(self.values, self.sizes, self.dtype, wider, self._rules, both)

    def read(self, e: Any) -> Named:
        """Read a scalar; the same expression is computed once."""
        found = self._known.get(e)
        if found is None:
            found = self._known[e] = self._read(e)
        return found

    def _read(self, e: Any) -> Named:
        if e in self.ranges:
            return Named(self._numbers(self.ranges[e]), (e,))
        if e in self.sizes:
            return self.number(sp.Integer(self.sizes[e]))
        if e in self.values:
            return Named(self.values[e])
        if e.is_number and not e.has(sp.I) and e.doit().is_comparable:
            return self.number(e.doit())
        for kind in type(e).__mro__:
            if kind in self._rules:
                return self._rules[kind](self, e)
            if kind in SCALARS:
                return applied(SCALARS[kind], *map(self.read, e.args))
        raise unreadable(e, "there is no operation for it")

    def _numbers(self, line: Any) -> Tensor:
        """Make the integers that an index takes a tensor, which formulas show as the index."""
        if self.dtype not in {np.dtype(np.float32), np.dtype(np.float64)} or not len(line):
            return Tensor(line.astype(self.dtype))
        return consecutive(int(line[0]), int(line[-1]) + 1, dtype=self.dtype)

    def number(self, e: Any) -> Named:
        """Make a number a literal, which is exact where it is rational."""
        if e.is_Rational:
            return Named(Literal.of(int(e) if e.is_Integer else e, self.dtype))
        if e.is_Float or e in {sp.oo, -sp.oo, sp.nan}:
            return Named(Literal.of(float(e), self.dtype))
        if not e.is_real:
            raise unreadable(e, "it is no real number that SymPy can tell")
        return Named(constant(e, self.dtype))


def unreadable(e: Any, why: str) -> UnsupportedError:
    """Say which node cannot be read, and why."""
    return UnsupportedError(f"from_sympy: {type(e).__name__} {e!s:.200}: {why}")
