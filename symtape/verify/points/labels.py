"""Whole numbers that an example lacks: other classes, tokens or lengths than those in it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from symtape.verify.setting import Setting

_MOST, _POINTS = 10, 3
"""So many other numbers are tried at most, of each input, and each at so many points."""


def other_labels(setting: Setting) -> Iterator[tuple[str, list[Any]]]:
    """List points at which an entry of an input of whole numbers is another one.

    Numbers are tried that a place along an axis of the other inputs can be. Where the function has
    no derivative for one, the point does not count, as everywhere.
    """
    for k, x in enumerate(setting.example[: setting.subject.count]):
        name = setting.subject.names[k]
        if x.dtype.kind not in "iu" or not x.ndim or name in setting.stated:
            continue
        numbers = unseen(x, [o.shape for o in setting.example if o.dtype.kind in "fcV"])
        for value in np.tile(setting.rng.permutation(numbers)[:_MOST], _POINTS):
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
    own = (s[x.ndim :] if s[: x.ndim] == x.shape else s for s in shapes)
    limit = min((n for sizes in own for n in sizes if n > top), default=top)
    return sorted({*range(limit)} - {*x.ravel().tolist()})
