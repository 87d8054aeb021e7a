"""How far a candidate is from the truth: by many digits, and beside what a dtype allows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from symtape.exact.digits import HighPrecision, context_of
from symtape.program.evaluation.evaluation import as_objects, evaluate
from symtape.program.operations import Map
from symtape.program.program import Program
from symtape.verify.numbers.decisions import decided
from symtape.verify.subject import OUTSIDE, Pair, Subject

DIGITS = 50
_MOST = 100_000
"""How many numbers are computed with many digits, at most."""

_ROUNDED = 1e-8
"""Constants of eight digits are as far off as this."""


def tolerance(dtype: Any) -> float:
    """Give the relative error that sums and cancellation in a dtype explain.

    >>> tolerance(np.float64), tolerance(np.float32)
    (1e-08, 6.103515625e-05)
    """
    eps = precision(dtype)
    if eps < 1e-10:
        return _ROUNDED
    return eps * 512 if eps < 1e-5 else eps * 8


def precision(dtype: Any) -> float:
    """Give the distance from 1 to the next number of a dtype."""
    own = np.dtype(dtype)
    if own.kind == "V" or own.name == "bfloat16":
        return 2.0**-7
    return float(np.finfo(own).eps) if own.kind in "fc" else 0.0


def smallest(dtype: Any) -> float:
    """Give the smallest positive number of a dtype, below which results are zero.

    >>> smallest(np.float64), smallest(np.float32)
    (5e-324, 1.401298464324817e-45)
    """
    own = np.dtype(dtype)
    if own.kind == "V" or own.name == "bfloat16":
        return 2.0**-133
    return float(np.finfo(own).smallest_subnormal) if own.kind in "fc" else 0.0


_UNDERFLOW = 64
"""So many of the smallest numbers are lost where something is too small on the way."""

ROUNDINGS = 8
"""So many roundings of numbers of typical size are no error, where a result happens to be small."""


def roundings_of(dtype: Any) -> float:
    """Give a few roundings in multiples of what is allowed."""
    return ROUNDINGS * precision(dtype) / tolerance(dtype)


def digits_of(
    pair: Pair, point: Sequence[Any], digits: int = DIGITS
) -> list[tuple[Any, Any]] | None:
    """Compute truths and answers to many digits; None where that is not possible.

    Conditions on the way to the answers are decided as floats decide them.
    """
    if not is_small(pair):
        return None
    numbers = HighPrecision(context_of(digits + 15))
    given = {p: _objects(numbers, x) for p, x in zip(pair.leaves, point, strict=True)}
    given |= {p: _objects(numbers, x) for p, x in pair.others.items()}
    steps = {p: _objects(numbers, x) for p, x in decided(pair, point).items()}
    try:
        truths = _evaluated(pair, pair.truths, given, numbers)
        answers = _evaluated(pair, pair.answers, given | steps, numbers)
    except (*OUTSIDE, TypeError):
        return None
    return list(zip(truths, answers, strict=True))


def _evaluated(
    pair: Pair, ends: Sequence[int | None], given: dict[int, Any], numbers: HighPrecision
) -> list[Any]:
    """Compute some positions, zero for no derivative."""
    found = iter(evaluate(pair.program, [p for p in ends if p is not None], given, numbers))
    return [as_objects(numbers.context.mpf(0)) if p is None else next(found) for p in ends]


def is_small(pair: Pair) -> bool:
    """Say whether many digits are computed in seconds."""
    return work(pair.program) <= _MOST


def _objects(numbers: HighPrecision, x: Any) -> Any:
    with np.errstate(invalid="ignore"):
        return as_objects(np.frompyfunc(numbers.number, 1, 1)(x))


def distance(truth: Any, answer: Any) -> float:
    """Give the largest difference beside the largest size, of numbers of any kind."""
    truth, answer = np.broadcast_arrays(truth, answer)
    pairs = list(zip(np.ravel(truth), np.ravel(answer), strict=True))
    size = max([abs(a) for a, _ in pairs], default=0)
    if any(not np.isfinite(complex(b)) or not np.isfinite(complex(a)) for a, b in pairs):
        return np.inf
    largest = max([abs(a - b) for a, b in pairs], default=0)
    return float(largest / size) if size else float(largest)


def spread(
    subject: Subject,
    point: Sequence[Any],
    truth: Sequence[Any],
    parts: Sequence[Any],
    rng: Any,
    exact: Sequence[bool],
) -> list[Any] | None:
    """Say how much each entry moves when inputs move by their relative rounding, per unit of it.

    Of each result the part counts that one of `parts` says, as in the truth. Whole numbers of
    inputs that are `exact`, as those of a mask, have no rounding: beside -1e9, which stands for
    infinity, one would move all. None where the truth is not finite nearby.
    """
    step = 1e-7
    moved = [np.zeros(np.shape(t)) for t in truth]
    for _ in range(2):
        near = [_rounded(x, step, rng, e) for x, e in zip(point, exact, strict=True)]
        try:
            found = subject.numbers(near)
        except OUTSIDE:
            return None
        for k, (a, b, part) in enumerate(zip(truth, found, parts, strict=True)):
            if b is not None and not np.all(np.isfinite(b)):
                return None
            own = b if part is None or b is None else part.part(b)
            with np.errstate(over="ignore"):
                moved[k] = np.maximum(moved[k], 0.0 if own is None else np.abs(a - own) / step)
    return moved


def _rounded(x: Any, step: float, rng: Any, is_exact: bool) -> Any:
    """Move the entries of an array by a relative step; whole numbers stay where they are exact."""
    if x.dtype.kind not in "fc" or x.dtype.itemsize < 8:
        return x
    moves = step * rng.choice([-1.0, 1.0], size=x.shape)
    return (x * (1 + np.where(is_exact & (x == np.round(x)), 0.0, moves))).astype(x.dtype)


def excess(truth: Any, answer: Any, moved: Any, least: float, dtype: Any) -> Any:
    """Give the error of each entry in multiples of what is allowed.

    An error counts beside the entry, how much that moves with roundings of the inputs, a hundredth
    of the largest entry, and the `least` size that matters. What is too small for a dtype is zero.
    """
    size = np.max(np.abs(truth), initial=0.0)
    scale = np.maximum(np.maximum(np.abs(truth), moved), max(size * 1e-2, least))
    scale = np.where(scale == 0, 1.0, scale)
    with np.errstate(all="ignore"):
        off = np.abs(answer - truth)
        error = np.where(off <= _UNDERFLOW * smallest(dtype), 0.0, off / scale)
    return np.where(np.isfinite(error), error, np.inf) / tolerance(dtype)


def units(truth: Any, answer: Any, dtype: Any) -> Any:
    """Give the error of each entry in units of the last place of the truth."""
    unit = np.abs(truth) * precision(dtype)
    unit = np.where(unit == 0, np.finfo(np.float64).tiny, unit)
    with np.errstate(all="ignore"):
        return np.abs(answer - truth) / unit


def work(program: Program) -> int:
    """Count the numbers that a program computes, and those that it adds up."""
    total = 0
    for p, (operation, *operands) in enumerate(program.steps):
        total += int(np.prod(program.shapes[p]))
        if type(operation) is not Map:
            total += sum(int(np.prod(program.shapes[i])) for i in operands)
    return total
