"""What an expression is a function of: powers with letters in the exponent, and sums.

Where r and s stand in r - s alone, an expression is one of u = r - s, in which squares of u stay
whole: g² + 4 (r - s)². And b^(u - 1) and b^(u - 2) are b^u / b and b^u / b², where b is zero
nowhere, so that they have common factors.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
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


def with_roots_as_symbols(e: Any) -> Opened:
    """Put symbols in the place of roots of what has sums within sums, divided by something.

    They would be multiplied out where all is written as one quotient.

    >>> a, b, c = sp.symbols("a b c", real=True)
    >>> root = sp.sqrt(1 - (a**2 + b**2 - c**2) ** 2 / (a * b) ** 2)
    >>> [*with_roots_as_symbols(c / root).meant.values()] == [root]
    True
    """
    powers = [p for p in e.atoms(sp.Pow) if p.exp.is_Rational and p.exp.q == _LEAST_TIMES]
    bases = sorted({p.base for p in powers if _is_nested(p.base)}, key=sp.default_sort_key)
    symbols = {base: _symbol_for(sp.sqrt(base)) for base in bases}
    swap = {p: symbols[p.base] ** (2 * p.exp) for p in powers if p.base in symbols}
    return Opened(e.xreplace(swap), {symbol: sp.sqrt(a) for a, symbol in symbols.items()})


def _is_nested(base: Any) -> bool:
    """Say whether something has sums within sums or products, and is divided by something."""
    is_divided = any(p.exp.is_negative for p in base.atoms(sp.Pow))
    return is_divided and bool(base.atoms(sp.Add) - {base})


def _is_linear(a: Any) -> bool:
    """Say whether a sum is one of multiples of at least two symbols, and a number."""
    rests = [t.as_coeff_Mul()[1] for t in a.args]
    symbols = [x for x in rests if x.is_Symbol]
    return len(symbols) > 1 and all(x.is_Symbol or x is sp.S.One for x in rests)


def with_powers_as_symbols(e: Any, *, of_zero: bool = True) -> Opened:
    """Put symbols in the place of powers whose exponents differ by whole numbers.

    Also of a single one of a quotient, whose parts may stand beside it: b (a/b)^(s + 1) / a; and
    `of_zero`, of what may be zero, if nothing else is divided by then.

    >>> a, b = sp.symbols("a b", real=True, nonzero=True)
    >>> s = sp.Symbol("s", real=True)
    >>> sorted(map(str, with_powers_as_symbols(b ** (s - 1) + b ** (s - 2)).meant.values()))
    ['b**s']
    >>> opened = with_powers_as_symbols(b * (a / b) ** (s + 1) / a)
    >>> opened.entry.xreplace(opened.meant)
    (a/b)**s
    >>> x = sp.Symbol("x", real=True)
    >>> opened = with_powers_as_symbols(x ** (s - 1) * (x**s + a) - x ** (2 * s - 1))
    >>> sp.expand(opened.entry).xreplace(opened.meant)
    a*x**(s - 1)
    """
    swap: dict[Any, Any] = {}
    meant: dict[Any, Any] = {}
    for (base, rest), own in _powers_with_letters(e).items():
        is_nonzero = expanded(base).is_nonzero
        for first in [0] if is_nonzero else _firsts(base, own, of_zero=of_zero):
            power = base ** (first + rest)
            symbol = _symbol_for(power)
            made = {p: base ** (n - k * first) * symbol**k for p, (n, k) in own.items()}
            if is_nonzero or _divides_by_the_same(e, made, base):
                swap |= made
                meant[symbol] = power
                break
    return Opened(e.xreplace(swap), meant)


def _powers_with_letters(e: Any) -> dict[tuple[Any, Any], dict[Any, tuple[Any, Any]]]:
    """List powers whose exponents are a whole number and whole multiples of one letter, or a sum.

    Several of one base, one that is there twice, or one of a quotient, are listed by base and
    letter: for bᵏ⁻¹ and b²ᵏ numbers and multiples are -1 and 1, 0 and 2.

    >>> b, k = sp.symbols("b k", real=True)
    >>> _powers_with_letters(b ** (k - 1) + b ** (2 * k))[b, k][b ** (2 * k)]
    (0, 2)
    """
    found: dict[Any, dict[Any, tuple[Any, Any]]] = {}
    times = Counter(p for p in sp.preorder_traversal(e) if isinstance(p, sp.Pow))
    for p in times:
        number, rest = p.exp.as_coeff_Add()
        if rest.free_symbols and number.is_Integer and p.base is not sp.E:
            multiple, letter = rest.primitive()
            found.setdefault((p.base, letter), {})[p] = (number, multiple)
    made: dict[tuple[Any, Any], dict[Any, tuple[Any, Any]]] = {}
    for (base, letter), own in found.items():
        least = min(multiple for _, multiple in own.values())
        for p, (number, multiple) in own.items():
            unit = least if (multiple / least).is_Integer else multiple
            made.setdefault((base, unit * letter), {})[p] = (number, multiple / unit)
    return {
        key: own for key, own in made.items()
        if sum(times[p] for p in own) >= _LEAST_TIMES or _is_apart(own)
    }  # fmt: skip


def _is_apart(own: Mapping[Any, tuple[Any, Any]]) -> bool:
    """Say whether powers are some of a quotient, with numbers in their exponents."""
    return any(p.base.is_Mul and number != 0 for p, (number, _) in own.items())


def _firsts(base: Any, own: Mapping[Any, tuple[Any, Any]], *, of_zero: bool) -> list[Any]:
    """List the numbers with a letter of which powers are multiples, of what may be zero.

    The least power that is there, by which nothing is divided; of a quotient, the letter alone,
    where what it is a quotient of stands beside it: a (a/b)ᵏ⁻¹ is b (a/b)ᵏ. If not `of_zero`, one
    that stands alone, as it is.
    """
    least = [min((n for n, k in own.values() if k == 1), default=0)]
    if not of_zero:
        return least if len(own) == 1 else []
    return [0, *least] if base.is_Mul else least


def _divides_by_the_same(e: Any, made: Mapping[Any, Any], base: Any) -> bool:
    """Say whether an expression with other powers of a base divides by what it divided by.

    What the base divides by, its powers with letters divide by.
    """
    before = {b.xreplace(made) for b in _divided_by(e)}
    after = _divided_by(e.xreplace(made))
    return before - _divided_by(base) <= after <= before


def _divided_by(e: Any) -> set[Any]:
    return {p.base for p in e.atoms(sp.Pow) if p.exp.is_negative}


def _symbol_for(e: Any) -> Any:
    """Give a symbol with what is known of the sign of an expression."""
    plain = expanded(e)
    facts = [f for f in ("positive", "negative", "real") if getattr(plain, f"is_{f}")][:1]
    return sp.Dummy(**dict.fromkeys(facts, True))
