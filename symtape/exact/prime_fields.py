"""Two prime fields in which an exponential is a homomorphism: p = 2q + 1, and g has the order q.

What is added modulo q is multiplied modulo p: exp(v) is g to the power of v, and the logarithm its
inverse. Squares modulo p are the group that g makes; -1 is no square, so that of x and -x one is.
"""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import Any

import numpy as np

ORDERS = (1073740571, 1073740463, 1073740163, 1073739911)
"""Primes q for which 2q + 1 is prime, too, and -1 no square for either."""

_BABY = 1 << 20
_MASK = (1 << 24) - 1
"""The bits of a number that a table of two megabytes tells, which a processor keeps at hand."""


class Fields:
    """The fields of q and of p = 2q + 1.

    >>> fields = Fields.of(ORDERS[0])
    >>> fields.log(fields.exp(12345))
    12345
    """

    generator = 4

    def __init__(self, q: int) -> None:
        self.q, self.p = q, 2 * q + 1

    @classmethod
    def of(cls, q: int) -> Fields:
        """Give the fields of an order, whose table is made once."""
        return _fields(q)

    def exp(self, v: int) -> int:
        """Raise the generator to a power modulo q."""
        return pow(self.generator, v, self.p)

    def is_square(self, x: int) -> bool:
        """Say whether a number modulo p that is not 0 is in the group."""
        return pow(x, self.q, self.p) == 1

    def log(self, x: int) -> int:
        """Give the power of the generator that a square is, by baby steps and giant steps."""
        powers, order = self._table
        ys = (self._giants * np.uint64(x)) % np.uint64(self.p)
        places = np.flatnonzero(self._may_be(ys))
        ys = ys[places]
        at = np.searchsorted(powers, ys)
        hit = np.nonzero(powers[np.minimum(at, len(powers) - 1)] == ys)[0][0]
        return int((int(order[at[hit]]) + int(places[hit]) * _BABY) % self.q)

    def _may_be(self, ys: Any) -> Any:
        """Say which numbers can be in the table, by their last bits: few others are looked up."""
        own = ys & np.uint64(_MASK)
        return (self._marks[own >> np.uint64(3)] >> (own & np.uint64(7)).astype(np.uint8)) & 1

    @cached_property
    def _marks(self) -> Any:
        marks = np.zeros(_MASK + 1, bool)
        marks[self._table[0] & np.uint64(_MASK)] = True
        return np.packbits(marks, bitorder="little")

    @cached_property
    def _table(self) -> tuple[Any, Any]:
        powers = np.ones(1, np.uint64)
        while len(powers) < _BABY:
            step = np.uint64(pow(self.generator, len(powers), self.p))
            powers = np.concatenate([powers, powers * step % np.uint64(self.p)])
        order = np.argsort(powers)
        return powers[order], order

    @cached_property
    def _giants(self) -> Any:
        step = pow(self.generator, -_BABY, self.p)
        found = [1]
        for _ in range(self.q // _BABY):
            found.append(found[-1] * step % self.p)
        return np.array(found, np.uint64)


@lru_cache(maxsize=4)
def _fields(q: int) -> Fields:
    return Fields(q)
