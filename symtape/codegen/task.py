"""What a backend is: it writes code for a task, takes arguments, and lets a path be checked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from numbers import Number
from typing import Any, NamedTuple

import numpy as np

from symtape.program.operations import DType, Shape
from symtape.program.program import Program


class Task(NamedTuple):
    """What is to be compiled: outputs of a program, of inputs that have labels or none.

    `title` is what the function is called.
    """

    program: Program
    inputs: Sequence[int]
    outputs: Sequence[int]
    names: Sequence[str | None]
    title: str = "f"


class Code(NamedTuple):
    """What a backend made of a task: code to read, and a function that gives all outputs.

    A language that declares its functions elsewhere has a `header`.
    """

    text: str
    run: Callable[..., Sequence[Any]]
    header: str = ""


class Recorded(NamedTuple):
    """The value of a leaf as it was recorded, which nobody changes: it may be copied once."""

    value: Any


_ORDER = {"b": 0, "u": 1, "i": 1, "f": 2, "V": 2, "c": 3}
"""Kinds of numbers, each a part of the next; V is bfloat16."""


def host_array(value: Any, dtype: DType) -> Any:
    """Make a NumPy array of a value; plain numbers take on the dtype, unless a part would be lost.

    An array keeps its dtype, and what is no number has one that is none: both are judged later.
    """
    array = np.asarray(value)
    if hasattr(value, "__array__"):
        return array
    if array.dtype.kind == "O" and all(isinstance(x, Number) for x in array.flat):
        return np.asarray(value, dtype)  # fractions, and integers of any length
    fits = _ORDER.get(array.dtype.kind, 4) <= _ORDER.get(dtype.kind, -1)
    return np.asarray(value, dtype) if fits else array


def host_dtype(array: Any) -> DType:
    """Give the dtype of a NumPy array."""
    dtype: DType = array.dtype
    return dtype


def host_cast(array: Any, dtype: DType) -> Any:
    """Give a NumPy array another dtype; one without axes becomes a NumPy scalar."""
    return array.astype(dtype, copy=False)[()]


def checked_now(result: Any, decided: Sequence[Any], check: Callable[[Sequence[Any]], None]) -> Any:
    """Look at what decided the path, which NumPy has computed."""
    check(decided)
    return result


def never_fits(value: Any, shape: Shape, dtype: DType) -> bool:
    """Say of no value that it can be taken as it is."""
    return False


class Backend(NamedTuple):
    """One place to run.

    `write` writes code. `accept` takes a value and the dtype that the formula wants, which a plain
    number takes on; an array of another dtype keeps it, and is judged by the caller, who asks
    `dtype_of` and changes it with `cast`. `fits` says that a value can be passed on as it is.
    `guarded` gives the result, once `check` was called with the values that decided the path.
    `on_host` says that all arrays are NumPy's, and that a result of another dtype may be cast.
    """

    write: Callable[[Task], Code]
    accept: Callable[[Any, DType], Any] = host_array
    dtype_of: Callable[[Any], DType] = host_dtype
    cast: Callable[[Any, DType], Any] = host_cast
    guarded: Callable[[Any, Sequence[Any], Callable[[Sequence[Any]], None]], Any] = checked_now
    fits: Callable[[Any, Shape, DType], bool] = never_fits
    on_host: bool = True
