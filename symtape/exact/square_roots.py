"""Roots modulo a prime of what is no square: numbers a + bi, since -1 is no square there."""

from __future__ import annotations

from dataclasses import dataclass

from symtape.exact.prime_fields import Fields


@dataclass(frozen=True, slots=True)
class Pair:
    """A number a + bi of the field of p²; what is left modulo p with b = 0 is a plain number.

    >>> Pair(1, 2) * Pair(3, 4) % 23
    Pair(a=18, b=10)
    >>> Pair(0, 1) * Pair(0, 1) % 23
    22
    """

    a: int
    b: int

    def __add__(self, other: Pair | int) -> Pair:
        a, b = (other.a, other.b) if isinstance(other, Pair) else (other, 0)
        return Pair(self.a + a, self.b + b)

    def __mul__(self, other: Pair | int) -> Pair:
        a, b = (other.a, other.b) if isinstance(other, Pair) else (other, 0)
        return Pair(self.a * a - self.b * b, self.a * b + self.b * a)

    __radd__ = __add__
    __rmul__ = __mul__

    def __mod__(self, p: int) -> Pair | int:
        a, b = self.a % p, self.b % p
        return Pair(a, b) if b else a

    def __pow__(self, n: int, p: int) -> Pair | int:
        if n < 0:
            below = pow(self.norm, -1, p)
            return pow(Pair(self.a * below, -self.b * below), -n, p)
        found: Pair | int = 1
        base: Pair | int = self % p
        while n:
            if n & 1:
                found = found * base % p
            base, n = base * base % p, n >> 1
        return found

    @property
    def norm(self) -> int:
        """The product with a - bi, which is that of the numbers whose product it belongs to."""
        return self.a * self.a + self.b * self.b


def square_root(fields: Fields, x: Pair | int) -> Pair | int | None:
    """Give the root modulo p of what is not 0, the one that squares decide; None if it has none.

    >>> square_root(Fields(11), 4), square_root(Fields(11), 5)
    (2, Pair(a=0, b=8))
    """
    p = fields.p
    if not isinstance(x, Pair):
        root = pow(x, (p + 1) // 4, p)
        return root if root * root % p == x else Pair(0, pow(p - x, (p + 1) // 4, p))
    norm = x.norm % p
    if not fields.is_square(norm):
        return None
    size = pow(norm, (p + 1) // 4, p)
    halves = [(x.a + s) * (p + 1) // 2 % p for s in (size, -size)]
    half = next(h for h in halves if fields.is_square(h))
    a = pow(half, (p + 1) // 4, p)
    return Pair(a, x.b * pow(2 * a, -1, p) % p)
