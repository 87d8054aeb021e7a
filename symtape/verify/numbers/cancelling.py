"""Truths of which floats have roundings alone, as a sum that cancels to zero has."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from symtape.calculus.pullback import ADJOINTS
from symtape.program import kinds
from symtape.program.operations import AddN, Einsum, Map, Operation
from symtape.verify.causes.mistakes import computed
from symtape.verify.numbers.accuracy import precision, roundings_of
from symtape.verify.numbers.decisions import floats_of
from symtape.verify.numbers.seen import Seen
from symtape.verify.subject import OUTSIDE, Pair

_FAINT = 1000
"""A truth of so many roundings may be nothing else."""


def are_roundings(point: Sequence[Any], truths: Sequence[Any], dtype: Any) -> list[bool]:
    """Say of each truth whether it is no larger than roundings of the inputs, and of one, are."""
    least = _FAINT * precision(dtype) * max([1.0, *map(_largest, point)])
    return [_is_within(t, least) for t in truths]


class Allowed(NamedTuple):
    """What errors count beside: how much each truth moves, and the least size of its entries.

    Of what is `faint`, roundings are all that floats have; no size is typical of it.
    """

    faint: list[bool]
    moved: list[Any]
    least: list[float]


def allowed(
    pair: Pair, seen: Seen, typical: Sequence[float], dtype: Any, exact: Sequence[bool]
) -> Allowed:
    """Say what errors count beside where truths cancel: roundings of what they add up.

    Whole numbers of inputs that are `exact` have none.
    """
    sums = _summed(pair, seen.point, exact)
    limit, share = _FAINT * precision(dtype), roundings_of(dtype)
    pairs = zip(seen.truths, sums, strict=True)
    faint = [_is_within(t, limit * _largest(n)) for t, n in pairs]
    slack = [n if f else share * n for n, f in zip(sums, faint, strict=True)]
    moved = [np.maximum(m, n) for m, n in zip(seen.moved, slack, strict=True)]
    least = [0.0 if f else n for f, n in zip(faint, typical, strict=True)]
    return Allowed(faint, moved, least)


def _summed(pair: Pair, point: Sequence[Any], exact: Sequence[bool]) -> list[Any]:
    """Compute the truths with the sizes of all that is added up on the way, where no sign cancels.

    Roundings of numbers of these sizes are what a formula in floats is off by: a running error
    analysis, see Higham, Accuracy and Stability of Numerical Algorithms, 3.3.
    """
    found = floats_of(pair, point)
    if found is None:
        return [np.zeros(()) for _ in pair.truths]
    rounded = {p for p, is_exact in zip(pair.leaves, exact, strict=True) if not is_exact}
    whole = _whole(pair, found, rounded)
    return [np.zeros(()) if p is None else _sizes(pair, p, found, whole) for p in pair.truths]


def _whole(pair: Pair, found: Sequence[Any], rounded: set[int]) -> set[int]:
    """List the steps that compute whole numbers of such: 1 - m of a mask has no rounding."""
    whole: set[int] = set()
    for p, (_, *operands) in enumerate(pair.program.steps):
        own = np.asarray(found[p])
        is_computed = p not in rounded and whole.issuperset(operands)
        if is_computed and own.dtype.kind in "fiub" and np.array_equal(own, np.round(own)):
            whole.add(p)
    return whole


def _sizes(pair: Pair, end: int, found: Sequence[Any], whole: set[int]) -> Any:
    steps = pair.program.steps
    sizes: dict[int, Any] = {}
    for p in pair.program.schedule([end], ())[0]:
        operation, *operands = steps[p]
        own = np.asarray(found[p])
        is_float = own.dtype.kind in "fc"
        if not is_float or p in whole:
            sizes[p] = np.abs(own) if is_float else own  # places are where they are
            continue
        bound = _bound(operation, [sizes[i] for i in operands], [found[i] for i in operands])
        sizes[p] = np.abs(own) if bound is None else np.fmax(np.abs(own), bound)
    return sizes[end]


def _bound(operation: Operation, sizes: Sequence[Any], values: Sequence[Any]) -> Any:
    """Say how far a step moves when operands do by their sizes, to the first order."""
    try:
        with np.errstate(all="ignore"):
            if type(operation) is kinds.Fourier:  # all factors are as large as one
                total = np.sum(sizes[0], axis=operation.axis, keepdims=True)
                return np.broadcast_to(total, np.shape(sizes[0]))
            if type(operation) in _LINEAR:
                return computed(operation, sizes)
            if type(operation) is not Map:  # a factorization is as large as it is
                return None
            given = [_wide(x) for x in values]
            own = computed(operation, given)
            return sum(
                _sensitivity(operation, given, own, k, n)
                for k, n in enumerate(sizes)
                if given[k].dtype.kind in "fc"
            )
    except (*OUTSIDE, TypeError):
        return None


def _sensitivity(operation: Operation, given: Sequence[Any], own: Any, k: int, size: Any) -> Any:
    """Say how far a function moves per step of an operand, beside its size; zero at a jump."""
    far, near = (
        np.abs(computed(operation, [*given[:k], given[k] + step * size, *given[k + 1 :]]) - own)
        for step in (_STEP, _STEP / 8)
    )
    return np.where(4 * near <= far, far / _STEP, 0.0)


def _wide(x: Any) -> Any:
    x = np.asarray(x)
    return x.astype(np.result_type(x, np.float64)) if x.dtype.kind in "fc" else x


_STEP = 2.0**-40
"""Of a difference, beside sizes: as far as roundings move, since -1e9 stands for infinity."""

_LINEAR = {Einsum, AddN, kinds.Concat, kinds.Assemble, *ADJOINTS}
"""Kinds that add numbers up, or move them."""


def _is_within(truth: Any, least: float) -> bool:
    return float(np.max(np.abs(truth), initial=0.0)) <= least  # what is not finite is not


def _largest(x: Any) -> float:
    """Give the largest finite size of floats."""
    sizes = np.abs(x) if x.dtype.kind in "fc" else np.zeros(())
    return float(np.max(sizes, initial=0.0, where=np.isfinite(sizes)))
