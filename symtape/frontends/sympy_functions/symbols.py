"""What the symbols of an expression are: variables, indices, sizes, integer arguments."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import sympy as sp

from symtape.frontends.sympy_functions.reader import unreadable
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import shape_of

Variable = Any
"""A symbol, an indexed base or a matrix symbol."""


class Symbols:
    """The symbols of an expression, sorted by what they are.

    Attributes:
        variables: The arguments: those that were given, or all that are left, by their names.
        integers: The arguments that are read as integers, since they stand in bounds or subscripts.
        free: The indices that become axes of the result.
    """

    def __init__(self, expr: Any, variables: Sequence[Variable] | None) -> None:
        self._expr = expr
        self._arrays = _atoms(expr, sp.IndexedBase) | _atoms(expr, sp.MatrixSymbol)
        given = None if variables is None else [self._variable(v) for v in variables]
        limits = [limit for s in _atoms(expr, sp.Sum, sp.Product) for limit in s.limits]
        bound = {index for index, *_ in limits}
        sizes = _symbols(n for array in self._arrays for n in array.shape or ())
        places = [place for e in _atoms(expr, sp.Indexed) for place in e.indices]
        places += [place for e in _atoms(expr, _ELEMENT) for place in e.args[1:]]
        counted = _symbols(x for _, *bounds in limits for x in bounds) - bound - sizes
        self.free = _symbols(places) - bound - sizes - counted - set(given or ())
        self.integers = (counted | _symbols(places)) - bound - sizes - self.free
        own = (_symbols([expr]) & expr.free_symbols) - bound - sizes - self.free
        labels = _symbols(array.label for array in _atoms(expr, sp.IndexedBase))
        needed = {s for s in own - labels if s.is_Symbol} | self._arrays
        self.variables = sorted(needed, key=str) if given is None else given
        lacking = sorted(map(str, needed - set(self.variables)))
        if lacking:
            raise ValueError(f"from_sympy: variables lacks {', '.join(lacking)} of {expr!s:.80}")

    def _variable(self, given: Any) -> Variable:
        """Read a variable: a symbol, an indexed base, a matrix symbol, or the name of one."""
        if isinstance(given, str):
            named = [v for v in self._arrays if str(v) == given]
            symbols = [s for s in _symbols([self._expr]) if s.is_Symbol and s.name == given]
            return next(iter(named + symbols), sp.Symbol(given))
        if not isinstance(given, (sp.Symbol, sp.IndexedBase, sp.MatrixSymbol)):
            raise ValueError(
                f"from_sympy: {given!r} is no variable; give symbols, indexed bases, matrix symbols"
            )
        return given

    def ranges(self, values: Mapping[Any, Tensor]) -> dict[sp.Symbol, Any]:
        """Find the integers that each free index takes: an axis of the array that it stands in."""
        found: dict[sp.Symbol, Any] = {}
        elements = [(e, e.base, e.indices) for e in _atoms(self._expr, sp.Indexed)]
        elements += [(e, e.args[0], e.args[1:]) for e in _atoms(self._expr, _ELEMENT)]
        for e, array, places in sorted(elements, key=str):
            for place, count in zip(places, shape_of(values[array]), strict=False):
                if place in self.free:
                    other = found.setdefault(place, np.arange(count))
                    if len(other) != count:
                        raise ValueError(
                            f"from_sympy: {place} is an axis of {count} elements in {e}, and of "
                            f"{len(other)} elsewhere"
                        )
        lacking = sorted(map(str, self.free - found.keys()))
        if lacking:
            raise unreadable(self._expr, f"{', '.join(lacking)} is no subscript by itself")
        return found


_ELEMENT = sp.matrices.expressions.matexpr.MatrixElement


def _atoms(expr: Any, *kinds: Any) -> set[Any]:
    """Collect the nodes of some kinds; an array is looked into."""
    if isinstance(expr, (sp.MatrixBase, sp.NDimArray)):
        return set().union(*[_atoms(e, *kinds) for e in sp.flatten(expr.tolist())])
    return set(expr.atoms(*kinds))


def _symbols(parts: Iterable[Any]) -> set[Any]:
    """Collect symbols and indices; the names of arrays and of indices are not among them."""
    found: set[Any] = set()
    for part in parts:
        indices = _atoms(sp.sympify(part), sp.Idx)
        inner = {s for index in indices for s in index.atoms(sp.Symbol)}
        found |= (_atoms(sp.sympify(part), sp.Symbol) - inner) | indices
    return found
