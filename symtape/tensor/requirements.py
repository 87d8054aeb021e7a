"""What an operation requires of values: a traced function makes these tests on each call.

An operation that checks a value and computes the same for all that pass, as `gather` does with its
indices, asks by `meets`. Its program then serves later calls, too; one whose values do not pass is
recorded anew, and the operation says what is wrong. A requirement is a function of an array with
any first axes, and equal ones are equal, so that programs can be found by them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

import numpy as np

from symtape.program.evaluation.arrays import are_inside
from symtape.tensor.recording.active import THREAD


class Requirement(Protocol):
    """Says whether an array passes."""

    def __call__(self, value: Any, /) -> bool: ...  # noqa: D102 - the class says it


def meets(tensor: Any, requirement: Requirement) -> bool:
    """Say whether a value passes; recordings hear of it, and of one that does not as of a look."""
    passed = requirement(tensor.raw)
    for recording in THREAD.state.recordings:
        if passed:
            recording.required(tensor, requirement)
        else:
            recording.looked_at(tensor)
    return passed


def serves(tensor: Any, requirement: Requirement) -> bool:
    """Say whether what is recorded is to serve all values of a tensor that pass, as this one does.

    Where it is, a tensor that chooses, as indices do, has to be an operand. Else it may be taken
    for the numbers that it has, which are a condition of the formula (`decided.py`).
    """
    recordings = THREAD.state.recordings
    return any([r.varies(tensor) for r in recordings]) and meets(tensor, requirement)


def served(tensor: Any, requirement_of: Callable[[Any], Any]) -> Any:
    """Give a requirement that is made of the value, or None; see `serves`."""
    requirement = requirement_of(tensor.raw)
    return requirement if serves(tensor, requirement) else None


class Inside(NamedTuple):
    """Integers of at least 0 and less than a size; along the last axis there may be a size each."""

    size: int | tuple[int, ...]

    def __call__(self, value: Any, /) -> bool:
        """Say whether all are."""
        places = np.asarray(value)
        sizes = self.size if isinstance(self.size, int) else np.array(self.size, np.uint64)
        return are_inside(places, sizes)


def all_true(value: Any, /) -> bool:
    """Ask that no element is false, or zero."""
    return bool(np.all(value))


class Segments(NamedTuple):
    """Numbers of segments along the last axis: they ascend, to the last of a number of segments."""

    total: int

    @classmethod
    def of(cls, value: Any) -> Segments:
        """Make the requirement that there are as many segments."""
        return cls(int(value[-1]) + 1 if value.ndim == 1 and value.size else 0)

    def __call__(self, value: Any, /) -> bool:
        """Say whether they do."""
        if not value.ndim or not value.shape[-1]:
            return value.ndim > 0 and self.total == 0
        ends = np.all(value[..., 0] >= 0) and np.all(value[..., -1] == self.total - 1)
        return bool(ends) and ascending(value)


def distinct(value: Any, /) -> bool:
    """Ask that no two elements along the last axis are equal."""
    ordered = np.sort(value, axis=-1)
    return bool(np.all(ordered[..., 1:] != ordered[..., :-1]))


def permutation(value: Any, /) -> bool:
    """Ask for each of the numbers from 0 on, in any order, along the last axis."""
    return bool(np.all(np.sort(value, axis=-1) == np.arange(value.shape[-1])))


def not_negative(value: Any, /) -> bool:
    """Ask that no element is less than 0."""
    return bool(np.all(value >= 0))


def no_nan(value: Any, /) -> bool:
    """Ask that no element is nan."""
    return not np.count_nonzero(np.isnan(value))


def finite(value: Any, /) -> bool:
    """Ask that no element is nan or infinite."""
    return bool(np.isfinite(value).all())


def ascending(value: Any, /) -> bool:
    """Ask that no element is less than the one before it on the last axis."""
    return bool(np.all(value[..., 1:] >= value[..., :-1]))


def self_adjoint(value: Any, /) -> bool:
    """Ask that matrices are their own adjoints, but for the last digits of sums."""
    if value.dtype.kind not in "fc" or not value.size:
        return True
    turned = np.swapaxes(value, -1, -2)
    if np.logical_and.reduce(
        value == (np.conj(turned) if value.dtype.kind == "c" else turned), None
    ):
        return True
    distance = np.abs(value - np.conj(turned)).max()
    return bool(distance <= 64 * np.finfo(value.dtype).eps * np.abs(value).max())
