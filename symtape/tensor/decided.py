"""Values that decide what is computed: a formula holds where they are as they were.

What a function takes for numbers of its own, as the places where a mask is true, would be the same
for all values in a formula. Where a tape knows what these numbers came from, by steps that it
recorded or that nobody watched, they are a branch that was taken: `conditions` has it, and compiled
formulas raise `PathConditionError` off it. A tensor from outside that decides as it is, is a
constant as long as it does nothing else; where it is a leaf, too, its numbers are a condition. What
a function only checks needs none of this, and is read by `look_at`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from symtape.program import operations as ops
from symtape.program.kinds.structural import Extremum, Gather, Reshape
from symtape.tensor.dispatch import apply, apply1, apply2
from symtape.tensor.indexing.slices import Places
from symtape.tensor.recording.active import THREAD
from symtape.tensor.recording.provenance import is_from_outside
from symtape.tensor.tensor import Literal, Tensor
from symtape.tensor.values import look_at, state, value_of

_WRITTEN = 8
"""Up to so many different numbers stand in the conditions; more are compared as an array."""
_LOOKED_AT = 64
"""So many show mostly that there are more different ones."""


def is_followed(x: Tensor) -> bool:
    """Say whether a tape knows how a tensor came about from values."""
    recordings = THREAD.state.recordings
    return bool(recordings) and (
        any([r.follows_values(x) for r in recordings])
        or (x.origin is not None and is_from_outside(x.origin[1]))
    )


def decided(x: Tensor, way: str = "") -> Any:
    """Take the value of a tensor that decides what is computed: truth, integers or numbers.

    `way` says in an error how it was taken, where a derivative would be lost.
    """
    value = state(x, way) if _is_stated(x) else value_of(x, way)
    _state(x, _has_its_values)
    return value


def decided_by_look(x: Tensor) -> Any:
    """Read a value that decides what is computed, and from which no derivative is lost."""
    value = look_at(x)
    _state(x, _has_its_values)
    return value


def nowhere(truth: Tensor) -> bool:
    """Say whether something holds nowhere; if so, a formula holds as long as it does not."""
    if np.any(truth.raw):
        return False
    decided_by_look(truth)
    return True


def decided_as_it_is(x: Tensor) -> None:
    """Let a tensor have its values where something was computed of them that is not recorded.

    They are compared as an array, so that equal steps are equal whatever the values are.
    """
    _state(x, _is_as_it_was)


def decided_truth(x: Tensor) -> Any:
    """Take the value of a tensor of which only matters where it is zero."""
    value = state(x) if _is_stated(x) else value_of(x)
    _state(x, _has_its_zeros)
    return value


def stated(x: Tensor, condition: Callable[[], Tensor]) -> None:
    """Let what was chosen by a tensor hold: at once, or as soon as a tape knows where it came from.

    The condition is true at the recorded point.
    """

    def hold(_: Tensor) -> None:
        decided(condition())

    _state(x, hold)


def decided_order(x: Tensor, first: Any, inverse: Any) -> None:
    """Let a vector have its first and its equal elements where it has them."""
    if x.raw.size:
        _state(x, partial(_has_its_order, first=first, inverse=inverse))


def _state(x: Tensor, hold: Callable[[Tensor], None]) -> None:
    """Take a branch by what a tensor is, at once or as soon as a tape knows where it came from."""
    recordings = THREAD.state.recordings
    if not recordings or not _is_stated(x):
        return
    if is_followed(x):
        hold(x)
    elif not isinstance(x, Literal) and not recordings[-1].made(x):
        recordings[-1].settle(x, hold)


def _is_stated(x: Tensor) -> bool:
    """Say whether there are guards for numbers of this kind."""
    return x.raw.dtype.kind in "biufc"


def _has_its_order(x: Tensor, first: Any, inverse: Any) -> None:
    different = _at(x, first)
    again = _at(different, inverse)
    _all_or_any("min", apply2(ops.equal, x, again), x.raw == again.raw)
    pairs = [_at(different, k) for k in np.triu_indices(len(first), 1)]
    _all_or_any("max", apply2(ops.equal, *pairs), np.ones(pairs[0].raw.shape, bool))


def _has_its_zeros(x: Tensor) -> None:
    is_truth = x.raw.dtype.kind == "b"
    _has_its_values(x if is_truth else apply2(ops.not_equal, x, Literal.of(0, x.raw.dtype)))


def _in_a_line(x: Tensor) -> tuple[Tensor, Any]:
    value = x.raw
    return apply1(Reshape(value.shape, (value.size,)), x), np.ravel(value)


def _is_as_it_was(x: Tensor) -> None:
    if x.raw.dtype.kind == "b":
        _has_its_values(x)
        return
    line, flat = _in_a_line(x)
    _all_or_any("min", apply2(ops.equal, line, _named(Places(flat), "was")), flat == flat)  # noqa: PLR0124 - all but nan


def _has_its_values(x: Tensor) -> None:
    line, flat = _in_a_line(x)
    if flat.dtype.kind == "b":
        _all_or_any("min", line, flat)
        _all_or_any("max", line, ~flat)
        return
    numbers = np.unique(flat[:_LOOKED_AT])
    if numbers.size <= _WRITTEN:
        numbers = np.unique(flat)
    if numbers.size > _WRITTEN:
        _is_as_it_was(x)
        return
    for number in numbers:
        same = apply2(ops.equal, line, Literal.of(number.item(), flat.dtype))
        _all_or_any("min", same, flat == number)


def _all_or_any(which: str, line: Tensor, chosen: Any) -> None:
    """Take the branch of which all, or any, of the chosen truth values are true."""
    places = np.flatnonzero(chosen)
    if places.size:
        some = line if places.size == line.raw.size else _at(line, places)
        bool(apply1(Extremum(which, (-1,)), some))


def _at(line: Tensor, places: Any) -> Tensor:
    return apply(Gather(0, 0, 0), line, _named(Places(places), "at"))


def _named(made: Tensor, label: str) -> Tensor:
    """Name a leaf of conditions alone, so that those of the formula are numbered without it."""
    made.label = label
    return made
