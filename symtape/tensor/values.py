"""How code reads a tensor: its shape and dtype freely, its value so that recordings hear of it.

A value that leaves what is recorded carries no derivative any more. A tape lets it go, as
TensorFlow does; a traced function (`functions/tracing/tracing.py`) refuses, or is recorded on every
call.
The array itself, `raw`, is for those who compute and record.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import Any

from symtape.tensor.recording.active import THREAD

shape_of: Callable[[Any], tuple[int, ...]] = attrgetter("raw.shape")
"""Gives the shape of a tensor as a tuple."""

dtype_of: Callable[[Any], Any] = attrgetter("raw.dtype")
"""Gives the dtype of a tensor as NumPy's."""

size_of: Callable[[Any], int] = attrgetter("raw.size")
"""Gives the number of elements of a tensor."""


def leave(tensor: Any, way: str) -> None:
    """Tell recordings that a value is taken out of them; `way` says how, in an error."""
    for recording in THREAD.state.recordings:
        recording.left(tensor, way)


def value_of(tensor: Any, way: str = "") -> Any:
    """Take the value of a tensor out of what is recorded."""
    for recording in THREAD.state.recordings:
        recording.left(tensor, way)
    return tensor.raw


def state(tensor: Any, way: str = "") -> Any:
    """Take a value by which something is chosen; who takes it records a guard."""
    for recording in THREAD.state.recordings:
        recording.stated(tensor, way)
    return tensor.raw


def passes(tensor: Any, test: Callable[[Any], Any]) -> bool:
    """Say whether a value passes a test that only chooses how the same is computed.

    Recordings do not hear of it, for both ways are one function of the numbers that are finite.
    """
    return bool(test(tensor.raw))


def look_at(tensor: Any) -> Any:
    """Read a value for what has no derivative: a check, a choice, a count, a text."""
    for recording in THREAD.state.recordings:
        recording.looked_at(tensor)
    return tensor.raw
