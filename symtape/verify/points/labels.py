"""Whole numbers that an example lacks: other classes, tokens or lengths than those in it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from symtape.verify.causes.code.sources import numbers_in
from symtape.verify.setting import Setting

_MOST, _POINTS = 10, 3
"""So many other numbers are tried at most, of each input, and each at so many points."""


def other_labels(setting: Setting) -> Iterator[tuple[str, list[Any]]]:
    """List points at which an entry of an input of whole numbers is another one.

    Numbers are tried that a place along an axis of the other inputs can be. What is no place, as
    counts are, is tried at whole numbers that the candidate has, and beside them. Where the
    function has no derivative for one, the point does not count, as everywhere.
    """
    near = _near_whole(numbers_in(setting.subject.candidate))
    for k, x in enumerate(setting.example[: setting.subject.count]):
        name = setting.subject.names[k]
        if x.dtype.kind not in "iu" or not x.ndim or name in setting.stated:
            continue
        shapes = [o.shape for o in setting.example if o.dtype.kind in "fcV"]
        numbers = setting.rng.permutation(unseen(x, shapes))[:_MOST].tolist()
        numbers += near if are_counts(x, shapes) else []
        for value in np.tile(np.asarray(numbers, int), _POINTS):
            point = setting.random()
            point[k] = point[k].copy()
            point[k].flat[setting.rng.integers(x.size)] = value
            yield f"where {name} has {value}", point


def unseen(x: Any, shapes: Sequence[tuple[int, ...]]) -> list[int]:
    """List the numbers from 0 that an array lacks, below the least size that allows all it has.

    Zeros and ones may be truth, and ±1 the two sides; they are given no others. A negative number
    beside larger ones stands for what is left out. The axes before the last ones are those of the
    array itself, if they have its sizes.

    >>> unseen(np.array([0, 2, 0]), [(3, 4)])
    [1, 3]
    >>> unseen(np.array([1, 1]), [(2, 4)])
    [0]
    >>> unseen(np.array([-1, 1]), [(2, 4)])
    []
    """
    top = int(x.max(initial=0))
    if top < 2:
        return [] if x.min(initial=0) < 0 else sorted({0, 1} - {*x.ravel().tolist()})
    limit = min((n for n in _places(x, shapes) if n > top), default=top)
    return sorted({*range(limit)} - {*x.ravel().tolist()})


def are_counts(x: Any, shapes: Sequence[tuple[int, ...]]) -> bool:
    """Say whether an array has a number that is no place along an axis, and no truth.

    >>> are_counts(np.array([0, 7]), [(2, 4)]), are_counts(np.array([0, 3]), [(2, 4)])
    (True, False)
    """
    top = int(x.max(initial=0))
    return top >= 2 and x.min(initial=0) >= 0 and all(n <= top for n in _places(x, shapes))


def _places(x: Any, shapes: Sequence[tuple[int, ...]]) -> list[int]:
    """List the sizes of axes of which an array may tell places."""
    own = (s[x.ndim :] if s[: x.ndim] == x.shape else s for s in shapes)
    return [n for sizes in own for n in sizes]


def _near_whole(numbers: Sequence[float]) -> list[int]:
    """List whole numbers and those beside them, which are no less than 0."""
    whole = {int(n) + step for n in numbers if n == int(n) for step in (-1, 0, 1)}
    return sorted(n for n in whole if n >= 0)[:_MOST]
