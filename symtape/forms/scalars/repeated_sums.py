"""Sums that stand in a longer one, beside products with them: y t (1 - x²) + 1 - x².

SymPy has one sum in the place of a sum within a sum, so that a common factor is seen no more.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import sympy as sp

from symtape.forms.scalars.sums_rewritten import with_sums_rewritten


def with_repeated_sums(e: Any) -> Iterator[Any]:
    """Take a sum out of a longer one that has it as a factor, and a number times its terms.

    >>> x, y, t = sp.symbols("x y t")
    >>> list(with_repeated_sums(y * t * (1 - x**2) + x**2 - 1))
    [(1 - x**2)*(t*y - 1)]
    """
    return with_sums_rewritten(e, _ways)


def _ways(s: Any) -> Iterator[Any]:
    powers = [f.as_base_exp() for t in s.args for f in sp.Mul.make_args(t)]
    inner = {b for b, k in powers if b.is_Add and k.is_Integer and k > 0}
    for base in sorted(inner, key=sp.default_sort_key):
        has = [t for t in s.args if _has_factor(t, base)]
        others = [t for t in s.args if t not in has]
        for term in others:
            scale = term / base.args[0]
            own = [scale * x for x in base.args]
            if scale.is_number and {*own} <= {*others}:
                rest = [t for t in others if t not in own]
                yield sp.Add(base * sp.Add(scale, *[t / base for t in has]), *rest)


def _has_factor(term: Any, base: Any) -> bool:
    """Say whether a term is a multiple of a sum."""
    powers = [f.as_base_exp() for f in sp.Mul.make_args(term)]
    return any(b == base and k.is_Integer and k > 0 for b, k in powers)
