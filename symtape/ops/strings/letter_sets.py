"""Sets of letters, as ranges of their numbers: by name, by their category, and by case."""

from __future__ import annotations

import sys
import unicodedata
from collections import defaultdict
from collections.abc import Iterable
from functools import cache

from symtape.errors import UnsupportedError

Ranges = tuple[tuple[int, int], ...]

_SURROGATES = (0xD800, 0xDFFF)
"""Numbers of no letters, which stand for bytes that are none."""


def _ascii(*ranges: str) -> Ranges:
    return tuple((ord(r[0]), ord(r[-1])) for r in ranges)


CLASSES: dict[str, Ranges] = {
    "alnum": _ascii("09", "AZ", "az"),
    "alpha": _ascii("AZ", "az"),
    "ascii": ((0, 127),),
    "blank": _ascii("\t", " "),
    "cntrl": ((0, 31), (127, 127)),
    "digit": _ascii("09"),
    "graph": _ascii("!~"),
    "lower": _ascii("az"),
    "print": _ascii(" ~"),
    "punct": _ascii("!/", ":@", "[`", "{~"),
    "space": _ascii("\t\r", " "),
    "upper": _ascii("AZ"),
    "word": _ascii("09", "AZ", "az", "_"),
    "xdigit": _ascii("09", "AF", "af"),
}
"""Sets that have names between colons."""


def outside(ranges: Ranges) -> Ranges:
    """Give all letters that are not in a set.

    >>> outside(((0, 10), (12, 0x10FFFF)))
    ((11, 11),)
    """
    found, begin = [], 0
    for low, high in [*sorted([*ranges, _SURROGATES]), (sys.maxunicode + 1, sys.maxunicode + 1)]:
        if begin < low:
            found.append((begin, low - 1))
        begin = max(begin, high + 1)
    return tuple(found)


ANY = outside(())


def named(name: str) -> Ranges | None:
    """Find a set by its name between colons; `^` before it takes all others."""
    known = CLASSES.get(name.removeprefix("^"))
    return outside(known) if known is not None and name.startswith("^") else known


@cache
def property_of(name: str) -> Ranges | None:
    """Find the letters of a category of Unicode, as `Lu`, or of all that begin with one letter.

    Raises `UnsupportedError` for scripts.

    >>> property_of("Zl")
    ((8232, 8232),)
    """
    if name == "Any":
        return ANY
    if name.isalpha() and name.istitle() and len(name) > 2:
        raise UnsupportedError(rf"letters of a script, as \p{{{name}}}, are not here")
    every = (n for n in range(sys.maxunicode + 1))
    found = _together(n for n in every if name and unicodedata.category(chr(n)).startswith(name))
    is_category = name[:2] not in {"C", "Cn", "Cs"}  # the last two are of no letters
    return found if found and is_category else None


def folded(ranges: Ranges) -> Ranges:
    """Add what differs by case alone.

    >>> folded(((ord("k"), ord("k")),))
    ((75, 75), (107, 107), (8490, 8490))
    """
    alike = _alike()
    more = {m for n in alike if any(a <= n <= b for a, b in ranges) for m in alike[n]}
    whole = {n for a, b in ranges if b - a < 0x100 for n in range(a, b + 1)}
    wide = [r for r in ranges if r[1] - r[0] >= 0x100]
    return tuple(sorted([*wide, *_together(sorted(more | whole))]))


@cache
def _alike() -> dict[int, frozenset[int]]:
    """Group the letters that one letter stands for where case is ignored."""
    groups = defaultdict[str, set[int]](set)
    for n in range(sys.maxunicode + 1):
        letter = chr(n)
        if (simple := _folded(letter)) != letter:
            groups[simple] |= {n, ord(simple)}
    return {n: frozenset(group) for group in groups.values() for n in group}


def _folded(letter: str) -> str:
    """Fold a letter to one letter, as Unicode's simple case folding."""
    whole = letter.casefold()
    found = whole if len(whole) == 1 else letter.lower()
    return found if len(found) == 1 else letter


def _together(numbers: Iterable[int]) -> Ranges:
    found: list[list[int]] = []
    for n in numbers:
        if found and n == found[-1][1] + 1:
            found[-1][1] = n
        else:
            found.append([n, n])
    return tuple((a, b) for a, b in found)
