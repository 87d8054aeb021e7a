"""Powers of one base whose exponents are sums: b**(-s - 1) * b**(s + 1) is 1, as b**s / b**s is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import sympy as sp

from symtape.forms.limits import Size

_MOST_NODES = 400
"""How long what is multiplied out may be."""


def with_powers_joined(e: Any) -> Iterator[Any]:
    """Join the powers of a base in each product, as it stands and multiplied out.

    SymPy does so unless an exponent is a sum. What is undefined where the base is zero stays so, or
    is not joined.

    >>> b, s, t = sp.symbols("b s t")
    >>> list(with_powers_joined(b ** (s + 1) * (t * b ** (-s - 1) + b ** (-s - 2))))[-1]
    t + 1/b
    >>> list(with_powers_joined(t * b ** (s + 1) * b ** (-s - 1)))
    []
    """
    powers = [p for p in e.atoms(sp.Pow) if p.exp.free_symbols and p.base is not sp.E]
    count = Counter([p.base for p in powers])
    bases = {p.base for p in powers if count[p.base] > 1 and p.exp.is_Add}
    if not bases:
        return
    ways = [e]
    if Size().of(e)[0] <= _MOST_NODES:
        ways.append(sp.expand_mul(e, deep=False))
    divided = {p.base for p in e.atoms(sp.Pow) if p.exp.is_negative}
    for made in (way.replace(sp.Mul, _joined) for way in ways):
        under = {p.base for p in made.atoms(sp.Pow) if p.exp.could_extract_minus_sign()}
        logs = {f.args[0] for f in made.atoms(sp.log)}
        still = {p.base for p in made.atoms(sp.Pow) if p.exp.is_negative}
        kept = all(b.is_nonzero or b in still | logs for b in bases & divided)
        if kept and all(b.is_nonzero or b in under | logs for b in bases - divided):
            yield made


def _joined(*factors: Any) -> Any:
    found: dict[Any, list[Any]] = {}
    for f in factors:
        base, exponent = f.as_base_exp()
        found.setdefault(base, []).append(exponent)
    if len(found) == len(factors):
        return sp.Mul(*factors)
    return sp.Mul(*[b ** sp.expand(sp.Add(*ks)) for b, ks in found.items()])
