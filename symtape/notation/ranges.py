r"""From where to where indices go, and which parts of arrays that makes: `\sum_{t=2}^T x_{t-1}`.

Places are counted from 1, or from 0 where a sum reaches there, and the last one of an array is the
last that any sum reaches.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import NamedTuple

from symtape.notation.tree import refused

_SHIFTED = re.compile(r"([a-z])([+-][0-9])?")
_LIMIT = re.compile(r"([^\W\d_]?)([+-]?\d*)")


class Range(NamedTuple):
    """From where to where an index goes: to a `letter` and so many more, or the number `upper`.

    One without a letter and a number goes as far as there are rows.
    """

    lower: int = 1
    letter: str = ""
    upper: int | None = None

    @property
    def is_whole(self) -> bool:
        """Whether it goes over all that the letter, or the rows, count."""
        return self.lower == 1 and (not self.letter or self.upper == 0)

    @classmethod
    def of(cls, lower: str, limit: str) -> Range:
        """Read where a sum begins and ends.

        >>> Range.of("2", "n-1"), Range.of("", "")
        (Range(lower=2, letter='n', upper=-1), Range(lower=1, letter='', upper=None))
        """
        found = _LIMIT.fullmatch("".join(limit.split()))
        letter, more = found.groups() if found else ("", "")
        first = int(lower) if lower else 1
        return cls(first, letter, int(more) if more else 0 if letter else None)


class Index(NamedTuple):
    """A letter below a name, and how much is added to it."""

    letter: str
    shift: int


def indices(below: str) -> tuple[Index, ...]:
    """Take apart what stands below a name; nothing if it is something else.

    >>> indices("it-1"), indices("max+")
    ((Index(letter='i', shift=0), Index(letter='t', shift=-1)), ())
    """
    if not re.fullmatch(f"(?:{_SHIFTED.pattern})*", below):
        return ()
    return tuple([Index(c, int(n or 0)) for c, n in _SHIFTED.findall(below)])


def letters(below: str) -> str:
    """Give the letters of indices without what is added to them.

    >>> letters("it-1"), letters("max")
    ('it', 'max')
    """
    return "".join([index.letter for index in indices(below)]) or below


def is_shifted(below: str) -> bool:
    """Say whether something is added to an index."""
    return any(index.shift for index in indices(below))


def of_no_sum(name: str) -> str:
    """Say that something is added to an index that no sum has.

    >>> of_no_sum("x_t-1")
    'x_{t-1} is a row in a sum that has its index; another variable is called else'
    """
    base, _, below = name.rpartition("_")
    return (
        f"{base}_{{{below}}} is a row in a sum that has its index; another variable is called else"
    )


Used = tuple[Range, int]
"""A range of an index, and what is added to it below a name."""


def parts(used: Collection[Used]) -> dict[Used, slice] | None:
    """Find the part of an axis that each of its indices takes.

    The last place is the last that any of them reaches, and the first one is 1, or 0 where one
    begins there. None where they have no common end, or one before a letter, or begin before 0.

    >>> n = Range(1, "n", -1)
    >>> [*parts([(n, 0), (n, 1)]).values()]
    [slice(None, -1, None), slice(1, None, None)]
    """
    if all(own.is_whole and not shift for own, shift in used):
        return dict.fromkeys(used, slice(None))
    found = {one: slice(None) for one in used if one == (Range(), 0)}
    used = [one for one in used if one not in found]
    origin = min(1, *[own.lower + shift for own, shift in used])
    lasts = [own.upper + shift for own, shift in used if own.upper is not None]
    letters_of_ends, end = {own.letter for own, _ in used}, max(lasts, default=0)
    is_beside = letters_of_ends != {""} and end + 1 < origin  # are there as many as the letter?
    if origin < 0 or len(letters_of_ends) > 1 or len(lasts) < len(used) or is_beside:
        return None
    for own, shift in used:
        left = end - (own.upper or 0) - shift
        found[own, shift] = slice(own.lower + shift - origin or None, -left or None)
    return found


def parts_of(text: str, at: int, name: str, used: Collection[Used]) -> dict[Used, slice]:
    """Find the part of an axis that each index of a name takes; raises `NotationError` for none."""
    found = parts(used)
    if found is None:
        why = "its places begin at 0 or 1, and end at one letter, or behind it, or at numbers"
        raise refused(text, at, f"how long is an axis of {name}? {why}")
    return found
