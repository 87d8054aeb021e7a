"""Derived programs on Python's floats: those of scalars, and long ones of small arrays."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any, cast

import numpy as np

from symtape.codegen import python_code
from symtape.codegen.task import Code, Task
from symtape.errors import UnsupportedError
from symtape.lowering.unrolling import unrolled

MOST = 100_000
"""How many steps a program may have for which code of floats is written."""
_FLOATS = {np.dtype(np.float64), np.dtype(np.bool_)}


class Floats:
    """Runs code of Python's floats on NumPy's numbers, and gives NumPy's numbers.

    It gives None where Python raises instead of giving an infinity or nan, as NumPy does.
    """

    def __init__(self, code: Code, task: Task) -> None:
        self.text = code.text
        self._attempt = cast("Any", code.run).attempt
        self._kinds = [task.program.dtypes[p].type for p in task.outputs]

    def __call__(self, *values: Any) -> Sequence[Any] | None:
        """Compute."""
        found = self._attempt(map(float, values))
        if found is None:
            return None
        return [kind(value) for kind, value in zip(self._kinds, found, strict=True)]


class Elements(Floats):
    """Runs code of the elements of arrays."""

    def __init__(self, code: Code, task: Task) -> None:
        super().__init__(code, task)
        self._shapes = [task.program.shapes[p] for p in task.outputs]

    def __call__(self, *values: Any) -> Sequence[Any] | None:
        """Compute."""
        given: list[float] = []
        for value in values:
            given += value.ravel().tolist()
        found = self._attempt(given)
        return None if found is None else self._packed(found)

    def _packed(self, found: Sequence[Any]) -> list[Any]:
        """Put elements into arrays."""
        arrays, end = [], 0
        for kind, shape in zip(self._kinds, self._shapes, strict=True):
            start, end = end, end + prod(shape)
            part = found[start:end]
            arrays.append(np.array(part, kind).reshape(shape) if shape else kind(part[0]))
        return arrays


def on_floats(task: Task) -> Floats | None:
    """Write code of floats where all are scalars of float64, or many steps are of a few numbers."""
    program = task.program
    if len(program) > MOST or not all([d in _FLOATS for d in program.dtypes]):
        return None
    try:
        if not any(program.shapes):
            return Floats(python_code.BACKEND.write(task), task)
        elements = _of_elements(task)
        return None if elements is None else Elements(python_code.BACKEND.write(elements), task)
    except UnsupportedError:  # `math` has fewer functions than NumPy and SciPy
        return None


def _of_elements(task: Task) -> Task | None:
    """Write a task of small arrays as one of their elements."""
    found = unrolled(task.program, task.inputs, task.outputs)
    if found is None:
        return None
    names: list[str | None] = []
    for p, name in zip(task.inputs, task.names, strict=True):
        shape = task.program.shapes[p]
        places = ["".join(f"_{k}" for k in place) for place in np.ndindex(*shape)]
        names += [name and f"{name}{place}" for place in places]
    return Task(*found, names, task.title)
