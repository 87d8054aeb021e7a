"""Differences as their author wrote them: (1 - p)² where the rules of quotients make it (p - 1)².

A polynomial is factored with a leading coefficient that is positive, by which (1 - p)/(1 - q) is
(p - 1)/(q - 1).
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import sympy as sp


def as_written(e: Any, before: Any) -> Any:
    """Turn the sums with a number that had all other signs before: p - 1 where it was 1 - p.

    Where one would stand in both ways then, it does not; nor is one turned that meets its negative
    in a product, for SymPy writes 1 for (1 - p)/(1 - p).

    >>> p, q = sp.symbols("p q")
    >>> as_written((p - 1) / (q - 1) + 2 / (p - 1) ** 2, p / (1 - p) + sp.log(1 - q))
    (1 - p)/(1 - q) + 2/(1 - p)**2
    """
    own = before.atoms(sp.Add)
    turned = {a for a in e.atoms(sp.Add) - own if -a in own and _is_difference(a)}
    turned -= _beside_their_negatives(e) if turned else set()
    made = _turned(e, turned, always=False) if turned else e
    left = made.atoms(sp.Add)
    both = {a for a in turned & left if -a in left}
    return _turned(made, both, always=True) if both else made


def _is_difference(a: Any) -> bool:
    """Say whether a number is added to what is taken away, or taken away."""
    signs = {bool(t.could_extract_minus_sign()) for t in a.args}
    return bool(a.as_coeff_Add()[0]) and len(signs) > 1


def _beside_their_negatives(e: Any) -> set[Any]:
    """List the bases of factors whose negatives are bases in the same product.

    >>> p, q = sp.symbols("p q")
    >>> sorted(_beside_their_negatives((p - 1) * q / (1 - p)), key=str)
    [1 - p, p - 1]
    """
    products = [{f.as_base_exp()[0] for f in m.args} for m in e.atoms(sp.Mul)]
    return {b for bases in products for b in bases if b.is_Add and -b in bases}


def _turned(e: Any, turned: Collection[Any], *, always: bool) -> Any:
    return e.replace(
        lambda x: isinstance(x, (sp.Mul, sp.Pow)),
        lambda x: _with_sums_turned(x, turned, always=always),
    )


def _with_sums_turned(e: Any, turned: Collection[Any], *, always: bool) -> Any:
    """Turn sums in a product, or `always`, but for one where there would be a minus sign then."""
    number, rest = e.as_coeff_Mul()
    pairs = [f.as_base_exp() for f in sp.Mul.make_args(rest)]
    found = [(b, k) for b, k in pairs if b in turned and k.is_Integer]
    odd = [pair for pair in found if pair[1].is_odd]
    if len(odd) % 2 and not (number.is_negative or always):
        found.remove(odd.pop())
    made = [(-b if (b, k) in found else b) ** k for b, k in pairs]
    return (-1) ** len(odd) * number * sp.Mul(*made) if found else e
