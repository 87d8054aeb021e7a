"""Where a compiled formula can run: one row a backend."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from symtape.errors import UnsupportedError
from symtape.numeric.compile import Source
from symtape.numeric.interpret import QUIET
from symtape.program.operations import DType
from symtape.program.program import Program


class Task(NamedTuple):
    """What is to be compiled: outputs of a program, of inputs that have names."""

    program: Program
    inputs: Sequence[int]
    outputs: Sequence[int]
    names: Sequence[str]


class Code(NamedTuple):
    """What a backend made of a task: code to read, and a function that gives all outputs."""

    text: str
    run: Callable[..., Sequence[Any]]


class Backend(NamedTuple):
    """One place to run: how code is written for it, and how an argument becomes its array.

    `accept` takes a value and the dtype that the formula wants, which a plain number takes on; an
    array of another dtype keeps it, and is judged by the caller.
    """

    write: Callable[[Task], Code]
    accept: Callable[[Any, DType], Any]


def _numpy(task: Task) -> Code:
    source = Source(task.program, task.inputs, task.outputs, task.names)
    function = source.compile()
    return Code(source.text, lambda *values: QUIET.run(function, *values))


def _array(value: Any, dtype: DType) -> Any:
    value = getattr(value, "value", value)
    return np.asarray(value, dtype=None if isinstance(value, (np.ndarray, np.generic)) else dtype)


BACKENDS: dict[str, Backend] = {
    "numpy": Backend(_numpy, _array),
}


def backend_named(name: str) -> Backend:
    """Find a backend; raises `UnsupportedError` that lists those there are."""
    found = BACKENDS.get(name)
    if found is None:
        raise UnsupportedError(f"there is no backend {name!r}; there are {', '.join(BACKENDS)}")
    return found
