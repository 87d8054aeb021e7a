"""Maxima and minima that are made often and compare only what is short.

SymPy compares what stands in a maximum pair by pair, whenever it is made anew: as an index is
replaced in it, or a bracket in it is decided. Of what is long the comparisons find nothing, and
take most of the time of an entry; of elements of sums of matrices they raise `TypeError`. So while
an entry is written a maximum is one that knows this; `plain` gives SymPy's own, of the same
arguments.
"""

from __future__ import annotations

from typing import Any, ClassVar

import sympy as sp
from sympy.matrices.expressions.matexpr import MatrixElement

from symtape.forms.limits import Size

_SHORT = 30
"""How many nodes may stand in a maximum that is compared pair by pair."""


class _Quick:
    """Makes an extremum without comparisons where its arguments are long."""

    __slots__ = ()
    plain: ClassVar[Any]

    def __new__(cls, *args: Any, **hints: Any) -> Any:
        """Compare what is short, and drop what stands there twice."""
        parent: Any = super()
        is_long = sum(Size().of(a)[0] for a in args) > _SHORT
        if is_long or any(isinstance(a, sp.Basic) and a.has(MatrixElement) for a in args):
            return parent.__new__(cls, *args, **hints | {"evaluate": False})
        made = cls.plain(*args, **hints)
        own = type(made) is cls.plain
        return parent.__new__(cls, *made.args, evaluate=False) if own else made


class Largest(_Quick, sp.Max):
    """A maximum."""

    __slots__ = ()
    plain = sp.Max


class Smallest(_Quick, sp.Min):
    """A minimum."""

    __slots__ = ()
    plain = sp.Min


_QUICK = {sp.Max: Largest, sp.Min: Smallest}


def quick(e: Any) -> Any:
    """Write an expression with extrema that compare only what is short.

    >>> x, y = sp.symbols("x y")
    >>> quick(1 + sp.Max(x, y)).args[1].func.__name__
    'Largest'
    """
    return _rewritten(e, (sp.Max, sp.Min), lambda m: _QUICK.get(type(m), type(m))(*m.args))


def plain(e: Any) -> Any:
    """Write an expression with SymPy's own extrema.

    >>> x, y = sp.symbols("x y")
    >>> plain(quick(1 + sp.Max(x, y))) == 1 + sp.Max(x, y)
    True
    """
    return _rewritten(e, (Largest, Smallest), lambda m: m.plain(*m.args, evaluate=False))


def _rewritten(e: Any, kinds: tuple[type, ...], make: Any) -> Any:
    """Make the extrema of some kinds anew, the inner ones first."""
    if not isinstance(e, sp.Basic) or not e.has(*kinds):
        return e
    swap: dict[Any, Any] = {}
    for m in sorted(e.atoms(*kinds), key=lambda m: Size().of(m)[0]):
        swap[m] = make(m.func(*[a.xreplace(swap) for a in m.args]))
    return e.xreplace(swap)
