"""What an expression is a function of: powers with letters in the exponent, and sums.

Where r and s stand in r - s alone, an expression is one of u = r - s, in which squares of u stay
whole: g² + 4 (r - s)². And b^(u - 1) and b^(u - 2) are b^u / b and b^u / b², where b is zero
nowhere, so that they have common factors.
"""

from __future__ import annotations

from collections import Counter
from typing import Any, NamedTuple

import sympy as sp

from symtape.forms.named import expanded

_LEAST_TIMES = 2


class Opened(NamedTuple):
    """An expression with symbols in it, and what these stand for."""

    entry: Any
    meant: dict[Any, Any]


def with_sums_as_symbols(e: Any) -> Opened:
    """Put symbols in the place of sums of symbols that stand nowhere else, and in no root.

    A root of a sum is what has a common power, which `radicals.py` takes out.

    >>> r, s, g = sp.symbols("r s g", real=True)
    >>> with_sums_as_symbols(g / (r - s) + (r - s) ** 2).meant.values()
    dict_values([r - s])
    """
    found: dict[Any, dict[Any, Any]] = {}  # what is a multiple of another, by how much it is
    under = {p.base for p in e.atoms(sp.Pow) if not p.exp.is_Integer}
    sums = [a for a in e.atoms(sp.Add) - under if _is_linear(a)]
    for a in sorted(sums, key=sp.default_sort_key):
        number, rest = a.primitive()
        if -rest in found:
            number, rest = -number, -rest
        found.setdefault(rest, {})[a] = number
    meant: dict[Any, Any] = {}
    swap: dict[Any, Any] = {}
    for multiples in found.values():
        whole, scale = next(iter(multiples.items()))
        symbol = _symbol_for(whole)
        own = {a: number / scale * symbol for a, number in multiples.items()}
        if e.xreplace(own).free_symbols.isdisjoint(whole.free_symbols):
            swap |= own
            meant[symbol] = whole
    made = e.xreplace(swap)
    return Opened(made, meant) if made.has(sp.Add) else Opened(e, {})


def with_divisors_as_symbols(e: Any) -> Opened:
    """Put symbols in the place of sums that are divided by more than once, wherever they stand.

    >>> s, t = sp.symbols("s t", real=True)
    >>> with_divisors_as_symbols(s / (1 + sp.exp(t)) + t / (1 + sp.exp(t)) ** 2).meant.values()
    dict_values([exp(t) + 1])
    """
    powers = [p for p in sp.preorder_traversal(e) if isinstance(p, sp.Pow) and p.exp.is_negative]
    times = Counter(p.base for p in powers if p.base.is_Add)
    found = sorted((a for a, n in times.items() if n >= _LEAST_TIMES), key=sp.default_sort_key)
    swap = {a: _symbol_for(a) for a in found if not any(a.has(b) for b in found if b != a)}
    return Opened(e.xreplace(swap), {symbol: a for a, symbol in swap.items()})


def _is_linear(a: Any) -> bool:
    """Say whether a sum is one of multiples of at least two symbols, and a number."""
    rests = [t.as_coeff_Mul()[1] for t in a.args]
    symbols = [x for x in rests if x.is_Symbol]
    return len(symbols) > 1 and all(x.is_Symbol or x is sp.S.One for x in rests)


def with_powers_as_symbols(e: Any) -> Opened:
    """Put symbols in the place of powers whose exponents differ by whole numbers.

    Also of a single one of a quotient, whose parts may stand beside it: b (a/b)^(s + 1) / a.

    >>> a, b = sp.symbols("a b", real=True, nonzero=True)
    >>> s = sp.Symbol("s", real=True)
    >>> sorted(map(str, with_powers_as_symbols(b ** (s - 1) + b ** (s - 2)).meant.values()))
    ['b**s']
    >>> opened = with_powers_as_symbols(b * (a / b) ** (s + 1) / a)
    >>> opened.entry.xreplace(opened.meant)
    (a/b)**s
    """
    found: dict[tuple[Any, Any], dict[Any, Any]] = {}
    for p in e.atoms(sp.Pow):
        number, rest = p.exp.as_coeff_Add()
        if rest.free_symbols and number.is_Integer and p.base is not sp.E:
            found.setdefault((p.base, rest), {})[p] = p.base**number
    several = {
        (base, rest): own
        for (base, rest), own in found.items()
        if len(own) >= _LEAST_TIMES or (base.is_Mul and {*own.values()} != {1})
    }
    whole = {key: key[0] ** key[1] for key in several if expanded(key[0]).is_nonzero}
    symbols = {key: _symbol_for(power) for key, power in whole.items()}
    swap = {p: k * s for key, s in symbols.items() for p, k in several[key].items()}
    return Opened(e.xreplace(swap), {s: whole[key] for key, s in symbols.items()})


def _symbol_for(e: Any) -> Any:
    """Give a symbol with what is known of the sign of an expression."""
    plain = expanded(e)
    facts = [f for f in ("positive", "negative", "real") if getattr(plain, f"is_{f}")][:1]
    return sp.Dummy(**dict.fromkeys(facts, True))


__all__ = ["Opened", "with_divisors_as_symbols", "with_powers_as_symbols", "with_sums_as_symbols"]
