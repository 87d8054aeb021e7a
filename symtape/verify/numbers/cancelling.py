"""Truths of which floats have roundings alone, as a sum that cancels to zero has."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from symtape.calculus.pullback import TRANSPOSES
from symtape.program import kinds
from symtape.program import operations as ops
from symtape.program.operations import AddN, Einsum, Operation
from symtape.verify.causes.mistakes import computed
from symtape.verify.numbers.accuracy import precision
from symtape.verify.numbers.decisions import floats_of
from symtape.verify.subject import Pair

FAINT = 1000
"""A truth of so many roundings may be nothing else."""


def are_below(share: float, point: Sequence[Any], truths: Sequence[Any]) -> list[bool]:
    """Say of each truth whether it is no larger than a share of the inputs, and of one."""
    least = share * max([1.0, *map(_largest, point)])
    return [float(np.max(np.abs(t), initial=0.0)) <= least for t in truths]


def summed(pair: Pair, point: Sequence[Any]) -> list[Any]:
    """Compute the truths with the sizes of all that is added up on the way, where no sign cancels.

    The size of what is no sum or product is that of its value.
    """
    found = floats_of(pair, point)
    return [
        np.zeros(()) if found is None or end is None else _sizes(pair, end, found)
        for end in pair.truths
    ]


def are_faint(truths: Sequence[Any], sums: Sequence[Any], dtype: Any) -> list[bool]:
    """Say of each truth whether it is no larger than roundings of what it adds up."""
    least = FAINT * precision(dtype)
    return [_largest(np.abs(t)) <= least * _largest(n) for t, n in zip(truths, sums, strict=True)]


def _sizes(pair: Pair, end: int, found: Sequence[Any]) -> Any:
    steps = pair.program.steps
    sizes: dict[int, Any] = {}
    for p in pair.program.schedule([end], ())[0]:
        operation, *operands = steps[p]
        own = np.asarray(found[p])
        if own.dtype.kind not in "fc":  # places are where they are
            sizes[p] = own
            continue
        own = np.abs(own)
        bound = _bound(operation, [sizes[i] for i in operands], [found[i] for i in operands])
        sizes[p] = own if bound is None else np.fmax(own, bound)
    return sizes[end]


def _bound(operation: Operation, sizes: Sequence[Any], values: Sequence[Any]) -> Any:
    with np.errstate(all="ignore"):
        if operation in _BOUNDS:
            return _BOUNDS[operation](*sizes)
        if operation is ops.divide:
            return sizes[0] / np.abs(values[1])
        if type(operation) in _LINEAR:
            return computed(operation, sizes)
    return None


_BOUNDS: dict[Operation, Callable[..., Any]] = {
    ops.add: np.add,
    ops.subtract: np.add,
    ops.negative: np.asarray,
    ops.multiply: np.multiply,
}
"""What sums and products are of sizes."""

_LINEAR = {Einsum, AddN, kinds.Concat, kinds.Assemble, *TRANSPOSES}
"""Kinds that add numbers up, or move them."""


def _largest(x: Any) -> float:
    """Give the largest finite size of floats."""
    sizes = np.abs(x) if x.dtype.kind in "fc" else np.zeros(())
    return float(np.max(sizes, initial=0.0, where=np.isfinite(sizes)))
