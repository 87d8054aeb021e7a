"""Index notation with σ, Φ and φ by their letters: σ(x[i]) (1 - σ(x[i]))."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import sympy as sp
from sympy.matrices.expressions.matexpr import MatrixElement

from symtape.forms.index.brackets import Iverson
from symtape.forms.matrix.writing.size import Length
from symtape.forms.scalars.elements import Shortener

_BOUND = (sp.Sum, sp.Product)
_OPAQUE = (
    *_BOUND, sp.Indexed, sp.Piecewise, sp.KroneckerDelta, Iverson, MatrixElement, sp.Max, sp.Min,
)  # fmt: skip


def with_names(e: Any) -> Any:
    """Write an entry in its shortest form, in sums and outside of them, if that has names.

    >>> i = sp.Symbol("i", integer=True)
    >>> x = sp.IndexedBase("x")[i]
    >>> with_names(sp.exp(x) / (sp.exp(x) + 1) ** 2)
    (1 - sigmoid(x[i]))*sigmoid(x[i])
    """
    return _named(e, Shortener(Length({}).of, joins=True).of)


def _named(e: Any, shorten: Callable[[Any], Any]) -> Any:
    if not isinstance(e, sp.Basic) or not e.has(sp.exp, sp.erf, sp.erfc):
        return e
    if isinstance(e, sp.Sum):
        number, rest = _apart(_named(e.function, shorten))
        return number * e.func(rest, *e.limits)
    if isinstance(e, _BOUND):
        return e.func(_named(e.function, shorten), *e.limits)
    if isinstance(e, sp.Piecewise):
        return e.func(*[(_named(value, shorten), c) for value, c in e.args])
    if isinstance(e, _OPAQUE) or not isinstance(e, sp.Expr):
        return e
    stands = {x: sp.Dummy() for x in dict.fromkeys(_opaque(e))}
    found = shorten(e.xreplace(stands))
    return found.xreplace({dummy: _named(x, shorten) for x, dummy in stands.items()})


def _apart(e: Any) -> tuple[Any, Any]:
    """Take the number off a term, as √(2/π) that names leave, and its sign: 1 - Φ for -(Φ - 1)."""
    number, rest = e.as_independent(*e.free_symbols, as_Add=False)
    if not number.is_negative:
        return number, rest
    for factor in sp.Mul.make_args(rest):
        base, power = factor.as_base_exp()
        if base.is_Add and power.is_odd and base.as_coeff_Add()[0].is_negative:
            return -number, rest / factor * sp.Add(*[-t for t in base.args]) ** power
    return number, rest


def _opaque(e: Any) -> Iterator[Any]:
    """List what is looked at on its own, without what is in it."""
    walk = sp.preorder_traversal(e)
    for x in walk:
        if isinstance(x, _OPAQUE):
            yield x
            walk.skip()
