"""Truths of which floats have roundings alone, as a sum that cancels to zero has."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from symtape.program import operations as ops
from symtape.program.operations import Constant, Input, Map
from symtape.verify.numbers.accuracy import ROUNDINGS, precision, tolerance
from symtape.verify.numbers.decisions import floats_of
from symtape.verify.subject import Pair

_FAINT = 1000
"""A truth of so many roundings may be nothing else."""

_PASSING = {ops.add, ops.subtract, ops.negative, ops.multiply, ops.divide}
"""Functions that pass roundings on; what is computed by others is as large as it is."""


def are_faint(point: Sequence[Any], truths: Sequence[Any], dtype: Any) -> list[bool]:
    """Say of each truth whether it is no larger than roundings of the inputs, and of one, are."""
    sizes = [_size(x) for x in point if x.dtype.kind in "fc"]
    least = _FAINT * precision(dtype) * max([1.0, *sizes])
    return [float(np.max(np.abs(t), initial=0.0)) <= least for t in truths]


def lost(exact: Any, truth: Any, largest: float, dtype: Any) -> float:
    """Say how much a truth moves of which floats have roundings alone, per rounding of the inputs.

    `largest` is what was added up.
    """
    off = float(np.max(np.abs(exact - truth), initial=0.0))
    rounding = max(off, precision(dtype) * largest)
    return ROUNDINGS * rounding / tolerance(dtype) if np.isfinite(rounding) else 0.0


def largest_summand(pair: Pair, point: Sequence[Any]) -> float:
    """Give the largest number, and one at least, that sums on the way to the truths add up."""
    found = floats_of(pair, point)
    if found is None:
        return 1.0
    steps = pair.program.steps
    stack = [p for p in pair.truths if p is not None]
    met: set[int] = set()
    while stack:
        p = stack.pop()
        operation = steps[p][0]
        if p in met or isinstance(operation, (Input, Constant)):
            continue
        met.add(p)
        if type(operation) is not Map or operation in _PASSING:
            stack += steps[p][1:]
    return max([1.0, *[_size(np.asarray(found[p])) for p in met]])


def _size(x: Any) -> float:
    """Give the largest finite size."""
    if x.dtype.kind not in "fc":
        return 0.0
    sizes = np.abs(x)
    return float(np.max(sizes, initial=0.0, where=np.isfinite(sizes)))
