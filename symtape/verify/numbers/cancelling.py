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
    sizes = [_size(x) for x in point if x.dtype.kind in "fc"]
    least = share * max([1.0, *sizes])
    return [float(np.max(np.abs(t), initial=0.0)) <= least for t in truths]


def faint_scales(
    pair: Pair, point: Sequence[Any], truths: Sequence[Any], dtype: Any
) -> list[float | None]:
    """Give for each truth that is no larger than roundings how large the numbers are it adds up.

    None stands for a truth that is larger than that.
    """
    found = floats_of(pair, point)
    scales: list[float | None] = []
    for truth, end in zip(truths, pair.truths, strict=True):
        size = float(np.max(np.abs(truth), initial=0.0))
        scale = 0.0 if found is None or end is None else _summed(pair, end, found)
        scales.append(scale if size <= FAINT * precision(dtype) * scale else None)
    return scales


def _summed(pair: Pair, end: int, found: Sequence[Any]) -> float:
    """Compute a position with the sizes of all that is added up on the way, where no sign cancels.

    The size of what is no sum or product is that of its value.
    """
    steps = pair.program.steps
    sizes: dict[int, Any] = {}
    for p in pair.program.schedule([end], ())[0]:
        operation, *operands = steps[p]
        sizes[p] = np.abs(np.asarray(found[p]))
        bound = _bound(operation, [sizes[i] for i in operands])
        if bound is not None:
            sizes[p] = np.maximum(sizes[p], bound)
    return _size(sizes[end])


def _bound(operation: Operation, sizes: Sequence[Any]) -> Any:
    with np.errstate(all="ignore"):
        if operation in _BOUNDS:
            return _BOUNDS[operation](*sizes)
        if type(operation) in _LINEAR:
            return computed(operation, sizes)
    return None


_BOUNDS: dict[Operation, Callable[..., Any]] = {
    ops.add: np.add,
    ops.subtract: np.add,
    ops.negative: np.asarray,
    ops.multiply: np.multiply,
}
"""What sums and products are of sizes; a quotient is as large as it is, by what it divides."""

_LINEAR = {Einsum, AddN, kinds.Concat, kinds.Assemble, *TRANSPOSES}
"""Kinds that add numbers up, or move them."""


def _size(x: Any) -> float:
    """Give the largest finite size."""
    if x.dtype.kind not in "fc":
        return 0.0
    sizes = np.abs(x)
    return float(np.max(sizes, initial=0.0, where=np.isfinite(sizes)))
