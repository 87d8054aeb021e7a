"""Numbers modulo a prime, by which expressions are told apart before they are multiplied out."""

from __future__ import annotations

from math import prod
from typing import Any

from symtape.forms.limits import parts_in_order

_PRIME = 2**61 - 1


class Fingerprints:
    """Gives numbers that are equal where expressions are, multiplied out; rarely elsewhere.

    Symbols have any numbers, and functions any of the numbers of their arguments. Roots and
    exponentials have no laws here: √x √y is not √(x y).

    >>> import sympy as sp
    >>> x, y = sp.symbols("x y")
    >>> number = Fingerprints().of
    >>> number(sp.sin((x + y) ** 2) / 3) == number(sp.sin(x**2 + 2 * x * y + y**2) / 3)
    True
    >>> number(x - y) == number(y - x), number(x - y) == -number(y - x) % (2**61 - 1)
    (False, True)
    """

    def __init__(self) -> None:
        self._known: dict[Any, int] = {}

    def of(self, e: Any) -> int:
        """Give the number of an expression."""
        known = self._known
        if e not in known:
            for part in parts_in_order(e):
                if part not in known:
                    known[part] = _number(part, [known[a] for a in part.args])
        return known[e]

    def sign(self, e: Any, other: Any) -> int:
        """Say whether an expression may be another one, 1, or its negative, -1, or neither, 0."""
        own, number = self.of(e), self.of(other)
        return 1 if own == number else -1 if (own + number) % _PRIME == 0 else 0


def _number(e: Any, inner: list[int]) -> int:
    if e.is_Rational:
        return int(e.p) * pow(int(e.q), -1, _PRIME) % _PRIME
    if e.is_Add:
        return sum(inner) % _PRIME
    if e.is_Mul:
        return prod(inner) % _PRIME
    if e.is_Pow and e.exp.is_Integer and (inner[0] or e.exp.is_positive):
        return pow(inner[0], int(e.exp), _PRIME)
    return hash((e.func, *inner) if inner else e) % _PRIME
