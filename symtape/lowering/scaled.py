"""A result as a number times a step, and which numbers may be carried on so."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import NamedTuple

from symtape.program.operations import DType


class Scaled(NamedTuple):
    """A number times a step, its core; without a step, the number itself."""

    number: float
    core: int | None


_FURTHEST = 2.0**24
"""Numbers beyond this, or below its inverse, stay where they are written."""


@lru_cache(maxsize=4096)
def carries_numbers(dtype: DType) -> bool:
    """Say whether real numbers can be carried through results of a dtype."""
    return (dtype.kind == "f" and dtype.itemsize >= 4) or dtype.kind == "c"


def is_carried(number: float, *, exactly: bool) -> bool:
    """Say whether a number can be multiplied later; a power of two at no cost of digits."""
    is_near = 1 / _FURTHEST <= abs(number) <= _FURTHEST
    return is_near and (not exactly or abs(math.frexp(number)[0]) == 0.5)


def short(number: float) -> int | float:
    """Write a whole number without a point."""
    return int(number) if number == int(number) else number


def divisor(number: float) -> int | None:
    """Find the whole number that a number is one over, unless a product is as exact."""
    whole = round(1 / number)
    if abs(whole) in {2, 4, 8} or not 2 < abs(whole) < 1_000_000 or number != 1 / whole:
        return None
    return whole
