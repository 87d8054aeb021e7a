"""Normal numbers between bounds, as TensorFlow draws them: candidates until one is accepted.

Robert, "Simulation of truncated normal variables" (1995): far from the mean candidates are
exponential, in a short interval they are uniform, and else they are normal.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from symtape.ops.random.drawing.gaussian import box_muller, logarithm
from symtape.ops.random.drawing.philox import Stream, blocks, unit_floats

_WIDE = 1.3
"""An interval that has the mean and reaches so many deviations to one side is a wide one."""
_Rule = Callable[[Any], tuple[Any, Any]]


class Bounds(NamedTuple):
    """A mean, a deviation, and the least and the greatest number, all of one dtype."""

    mean: Any
    deviation: Any
    low: Any
    high: Any


def bounded(stream: Stream, each: Bounds, repeats: int) -> Any:
    """Draw `repeats` numbers between each of some bounds: shape (repeats, number of bounds).

    Those of one go on in the stream where those of the one before ended.
    """
    dtype, used = each.mean.dtype, 0
    out = np.empty((repeats, each.mean.size), dtype)
    for k, own in enumerate(map(Bounds._make, zip(*each, strict=True))):
        if repeats:
            out[:, k], count = _drawn(stream.skip(used), own, repeats)
            used += count
    return out


def _drawn(stream: Stream, own: Bounds, count: int) -> tuple[Any, int]:
    """Draw numbers between two bounds; give them, and how many counters that took."""
    mean, deviation, low, high = own
    if low == -np.inf or high < mean:  # then the other end is the lower one
        low, high, deviation = high, low, -deviation
    start, end = (low - mean) / deviation, (high - mean) / deviation
    width, rule = _method(start, end)
    found, taken = np.empty(0, mean.dtype), 0
    while found.size < count:
        groups = int(1.4 * (count - found.size)) + 8
        places = np.arange(taken, taken + groups * width, dtype=np.uint64)
        words = blocks(stream, places).reshape(groups, -1)
        candidates, accepted = rule(words)
        sums = np.cumsum(accepted.sum(axis=1))
        enough = int(np.searchsorted(sums, count - found.size)) + 1
        found = np.append(found, candidates[:enough][accepted[:enough]])
        taken += width * min(enough, groups)
    return found[:count] * deviation + mean, taken


def _method(start: Any, end: Any) -> tuple[int, _Rule]:
    """Choose how candidates are drawn, and say how many counters a group of them takes."""
    if (start < -_WIDE and end >= 0) or (end > _WIDE and start <= 0):
        return 1, partial(_normal, start, end)
    number = type(start)
    root = np.sqrt(start * start + number(4))
    cutoff = number(2) * np.exp(number(0.5) + start * (start - root) / number(4)) / (start + root)
    if end - start < cutoff:
        return 2, partial(_uniform, start, end)
    return 1, partial(_exponential, start, end)


def _floats(words: Any, dtype: Any) -> Any:
    return unit_floats(words.reshape(-1), dtype).reshape(len(words), -1)


def _normal(start: Any, end: Any, words: Any) -> tuple[Any, Any]:
    drawn = box_muller(unit_floats(words.reshape(-1), start.dtype)).reshape(len(words), -1)
    return drawn, (drawn >= start) & (drawn <= end)


def _uniform(start: Any, end: Any, words: Any) -> tuple[Any, Any]:
    """Draw candidates from the interval, and as many numbers that accept them."""
    candidates, chances = np.split(_floats(words, start.dtype), 2, axis=1)
    drawn = candidates * (end - start) + start
    least = start.dtype.type(0) if start < 0 else start * start
    return drawn, chances <= np.exp((least - drawn * drawn) / start.dtype.type(2))


def _exponential(start: Any, end: Any, words: Any) -> tuple[Any, Any]:
    """Draw candidates that fall off from the start, each beside the number that accepts it."""
    number, pairs = start.dtype.type, _floats(words, start.dtype).reshape(len(words), -1, 2)
    rate = (start + np.sqrt(start * start + number(4))) / number(2)
    uniform = pairs[..., 0]
    small = -logarithm(np.where(uniform == 0, number(1), uniform))
    drawn = np.where(uniform == 0, number(np.inf), small / rate + start)
    far = rate - drawn if start < rate else np.full_like(drawn, start - rate)
    return drawn, (pairs[..., 1] <= np.exp(-far * far / number(2))) & (drawn < end)
