"""Entries that count too much or too little: the derivative through some has a factor."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from symtape.ops.elementwise.conversion import stop_gradient
from symtape.program.operations import Einsum, Map
from symtape.tensor.dispatch import apply
from symtape.verify.causes.derived import Derived, Turn
from symtape.verify.causes.neighbours import Change, derived_by, explains, turns_of
from symtape.verify.running.clock import Clock
from symtape.verify.running.watching import Author

_SECONDS = 0.5
"""So long at most, in time of the processor."""

_LEAST, _MOST = 3, 16
"""An axis of two entries has a factor for each by chance; of more than some it takes long."""

_SIZES = 12
"""A factor that somebody forgets is such a part of a small whole number, or its multiple."""

_SAME = 1e-6


def weighted(subject: Any, k: int, points: Sequence[Any], clock: Clock) -> str:
    """Find a value of which some entries have a factor in the candidate, and others have none."""
    author, own = Author(), clock.part(_SECONDS)
    found = turns_of(subject, points, author)
    if found is None:
        return ""
    view, turns = found
    view = view._replace(clock=clock)
    for p, axis in _axes(view, subject.question.kind):
        if own.is_over:
            return ""
        factors = _factors(subject, k, turns, p, axis)
        if factors is not None and explains(subject, _scaled(p, axis, factors), k, turns):
            return _told(view, p, axis, factors)
    return ""


def _axes(view: Derived, kind: str) -> Iterator[tuple[int, int]]:
    """List the axes of what is no function of entries alone, which has those of its operand."""
    steps, shapes = view.program.steps, view.program.shapes
    for p in reversed(range(len(steps))):
        operation, *operands = steps[p]
        is_own = type(operation) in (Einsum, Map) and any(shapes[i] == shapes[p] for i in operands)
        is_result = p == view.end and kind in {"vjp", "jvp"}
        if not operands or view.program.dtypes[p].kind not in "fc":
            continue
        for axis, size in enumerate(shapes[p]):
            if _LEAST <= size <= _MOST and (is_result or not is_own):
                yield p, axis


def _factors(subject: Any, k: int, turns: Sequence[Turn], p: int, axis: int) -> Any:
    """Solve for a factor of each entry along an axis; None where no simple ones fit."""
    parts, gaps = [], []
    size = turns[0].traced.program.shapes[p][axis]
    for turn in turns[:2]:
        truth = turn.seen.truths[k]
        ones = 1 - np.eye(size)
        without = [derived_by(subject, k, turn, _scaled(p, axis, held)) for held in ones.tolist()]
        if any(own is None for own in without):
            return None
        parts.append(np.stack([np.ravel(truth - own) for own in without], axis=1))
        gaps.append(np.ravel(turn.seen.answers[k] - truth))
    whole, gap = np.concatenate(parts), np.concatenate(gaps)
    if whole.dtype.kind == "c" or gap.dtype.kind == "c" or len(whole) <= size:
        return None
    found = 1 + np.linalg.lstsq(whole, gap, rcond=1e-9)[0]
    simple = [Fraction(w).limit_denominator(_SIZES) for w in found.tolist() if np.isfinite(w)]
    are_near = len(simple) == size and np.allclose(found, [*map(float, simple)], atol=_SAME)
    return simple if are_near and len({1, *simple}) > 1 and 1 in simple else None


def _scaled(place: int, axis: int, factors: Sequence[Any]) -> Change:
    """Multiply the derivative through entries along an axis by factors; values stay."""
    own = np.array([float(w) for w in factors])

    def change(p: int, operation: Any, given: Sequence[Any]) -> Any:
        if p != place:
            return None
        whole = apply(operation, *given)
        shape = [1] * len(whole.shape)
        shape[axis] = -1
        weights = own.reshape(shape).astype(whole.dtype.as_numpy_dtype)
        return stop_gradient(whole * (1 - weights)) + whole * weights

    return change


def _told(view: Derived, p: int, axis: int, factors: Sequence[Fraction]) -> str:
    """Say which entries have which factor."""
    rank, parts = len(view.program.shapes[p]), []
    for factor in sorted({*factors} - {Fraction(1)}):
        places = [n for n, w in enumerate(factors) if w == factor]
        parts.append(f"the factor {factor} at {_listed(places, axis, rank, len(factors))}")
    return f"a weight is wrong: {' and '.join(parts)} of {view.text(p)}"


def _listed(places: Sequence[int], axis: int, rank: int, size: int) -> str:
    """Write places along an axis.

    >>> _listed([4], 0, 1, 5), _listed([0, 4], 1, 2, 5), _listed([1, 2], 0, 2, 5)
    ('[4] (its last entry)', '[:, 0], [:, 4] (its ends)', '[1, :], [2, :]')
    """
    ends = {
        (0,): " (its first entry)",
        (size - 1,): " (its last entry)",
        (0, size - 1): " (its ends)",
    }
    texts = [
        "[" + ", ".join(str(n) if k == axis else ":" for k in range(rank)) + "]" for n in places
    ]
    return ", ".join(texts) + ends.get(tuple(places), "")
