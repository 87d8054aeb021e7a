"""Mistakes that move entries: a shift, a flip, a turn, axes or places in another order."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, permutations, product

import numpy as np

from symtape.verify.causes.evidence import Evidence, Pairs, close

_MOST_AXES = 4
"""Of more axes not every combination is tried."""

LONGEST_AXIS = 16
"""So many places are listed."""


def transposed(_: Evidence, __: int, pairs: Pairs) -> str:
    """See whether the last two axes are exchanged."""
    square = all(g.ndim >= 2 and g.shape[-1] == g.shape[-2] for g, _ in pairs)
    if square and close([(np.swapaxes(g, -1, -2), a) for g, a in pairs]):
        return "it is transposed"
    return ""


def shifted(_: Evidence, __: int, pairs: Pairs) -> str:
    """See whether all is some places off, as by a crop or a padding at the wrong side."""
    for steps in _steps(pairs[0][0].shape):
        there = tuple([slice(max(n, 0), min(n, 0) or None) for n in steps])
        here = tuple([slice(max(-n, 0), min(-n, 0) or None) for n in steps])
        moved = close([(g[here], a[there]) for g, a in pairs])
        if moved and not close([(g[there], a[there]) for g, a in pairs]):
            size = max(map(abs, steps))
            axes = [k for k, n in enumerate(steps) if n]
            return f"it is off by {'one' if size == 1 else size} along {_axes(axes)}"
    return ""


def _steps(shape: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """List shifts of axes that are long enough for them, along few axes first."""
    if len(shape) > _MOST_AXES:
        return
    ones = product(*[(0, 1, -1) if n > 2 else (0,) for n in shape])
    yield from sorted(filter(any, ones), key=np.count_nonzero)
    for k, n in enumerate(shape):
        for step in (2, -2) if n > 3 else ():
            yield tuple([step if j == k else 0 for j in range(len(shape))])


def flipped(_: Evidence, __: int, pairs: Pairs) -> str:
    """See whether axes run the other way, or two of them are turned by a right angle."""
    rank = pairs[0][0].ndim
    for count in range(1, min(rank, _MOST_AXES) + 1):
        for axes in combinations(range(rank), count):
            if close([(np.flip(g, axes), a) for g, a in pairs]):
                return f"it is reversed along {_axes(axes)}"
    for axes in combinations(range(rank), 2):
        for turns in (1, 3):
            turned = [(np.rot90(g, turns, axes), a) for g, a in pairs]
            if close(turned):
                return f"it is turned by a right angle in {_axes(axes)}"
    return ""


def permuted(_: Evidence, __: int, pairs: Pairs) -> str:
    """See whether places along an axis stand in another order."""
    for axis in range(max(np.ndim(g) for g, _ in pairs)):
        moved = [(np.moveaxis(g, axis, 0), np.moveaxis(a, axis, 0)) for g, a in pairs]
        count = len(moved[0][0])
        if not 1 < count <= LONGEST_AXIS:
            continue
        order = [
            next((i for i in range(count) if close([(g[i], a[n]) for g, a in moved])), None)
            for n in range(count)
        ]
        if None not in order and len(set(order)) == count and order != list(range(count)):
            places = ", ".join(map(str, order))
            return f"places along axis {axis} are in another order: it has those of {places}"
    return ""


def laid_out(_: Evidence, __: int, pairs: Pairs) -> str:
    """See whether axes are in another order, be it that the shape is the same by a reshape."""
    shape = pairs[0][0].shape
    if not 1 < len(shape) <= _MOST_AXES:
        return ""
    for order in permutations(range(len(shape))):
        if order == (*range(len(shape)),):
            continue
        if close([(np.transpose(g, order).reshape(shape), a) for g, a in pairs]):
            own = ", ".join(map(str, order))
            is_same = tuple([shape[k] for k in order]) == shape
            rest = "" if is_same else ", and it is reshaped to the shape that belongs there"
            return f"its axes are in another order, as by transpose({own}){rest}"
    return ""


def scattered(_: Evidence, __: int, pairs: Pairs) -> str:
    """See whether all entries are there, at places that are others in the same way everywhere."""
    truths, answers = ([np.ravel(x) for x in own] for own in zip(*pairs, strict=True))
    if len(pairs) < _ENOUGH or any(x.dtype.kind == "c" for x in (*truths, *answers)):
        return ""
    order = np.empty(truths[0].size, int)
    both = [*zip(truths, answers, strict=True)]
    truth, answer = max(both, key=lambda pair: len(np.unique(pair[0])))  # few are equal there
    order[np.argsort(answer)] = np.argsort(truth)
    if close(both) or not close([(g[order], a) for g, a in both]):
        return ""
    return (
        "its entries are right, and stand at other places: axes are in another order, as where "
        "it is reshaped instead of transposed"
    )


def reordered(_: Evidence, __: int, pairs: Pairs) -> str:
    """See whether the entries along an axis are right, and stand at places that values decide."""
    is_complex = any(np.iscomplexobj(x) for pair in pairs for x in pair)
    if len(pairs) < _ENOUGH or is_complex or close(pairs):
        return ""
    for axis in reversed(range(pairs[0][0].ndim)):
        if close([(np.sort(g, axis), np.sort(a, axis)) for g, a in pairs]):
            return (
                f"along axis {axis} its entries are right, and stand at other places: the order of "
                "the values is not minded, or another one is, as where a sort is undone"
            )
    return ""


_ENOUGH = 3
"""At fewer points the same entries say nothing."""


def _axes(axes: Sequence[int]) -> str:
    """Write axes.

    >>> _axes([1]), _axes([0, 2])
    ('axis 1', 'axes 0 and 2')
    """
    return f"axis {axes[0]}" if len(axes) == 1 else f"axes {' and '.join(map(str, axes))}"


Moved = Callable[[Evidence, int, Pairs], str]
"""Says how entries have moved, or nothing."""

SIMPLE: tuple[Moved, ...] = (transposed, shifted, flipped)
"""What is likely."""

OTHERS: tuple[Moved, ...] = (permuted, laid_out, scattered, reordered)
"""What is not, or is told less well."""
