"""What C computes line by line or matrix by matrix: sorting, and linear algebra by elimination."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

from symtape.codegen.expressions import call, whole
from symtape.codegen.loops.c.helpers import named
from symtape.kernels.nodes import Node, Variable
from symtape.program.kinds.matrices import Cholesky, Determinant, Inverse, Solve
from symtape.program.kinds.structural import Position
from symtape.program.operations import DType, Operation, Shape

Whole = Callable[[Any, Sequence[Shape]], tuple[str, list[int], list[int]]]
"""Gives the name of a helper, numbers to pass first, and how far each array goes on a line."""


def _matrix(helper: str) -> Whole:
    def write(_: Any, shapes: Sequence[Shape]) -> tuple[str, list[int], list[int]]:
        n = shapes[0][-1]
        return helper, [n], [n * n, n * n]

    return write


def _solve(_: Solve, shapes: Sequence[Shape]) -> tuple[str, list[int], list[int]]:
    n, m = shapes[1][-2:]
    return "st_solve", [n, m], [n * n, n * m, n * m]


def _determinant(_: Any, shapes: Sequence[Shape]) -> tuple[str, list[int], list[int]]:
    n = shapes[0][-1]
    return "st_determinant", [n], [n * n, 1]


def _argsort(_: Position, shapes: Sequence[Shape]) -> tuple[str, list[int], list[int]]:
    n = shapes[0][-1]
    return "st_argsort", [n], [n, n]


CALLS: dict[type[Operation], Whole] = {
    Inverse: _matrix("st_inverse"),
    Solve: _solve,
    Cholesky: _matrix("st_cholesky"),
    Determinant: _determinant,
    Position: _argsort,
}
"""The helper of each kind that is computed as a whole."""

_FORMS = {"full": 0, "lower": 1, "upper": 2}


def call_of(
    operation: Any,
    shapes: Sequence[Shape],
    dtype: DType,
    result: Shape,
    names: Sequence[str],
    line: str,
) -> tuple[Node, int]:
    """Write the call for one line of operands and result, and count the lines."""
    base, numbers, widths = CALLS[type(operation)](operation, shapes)
    lines = prod(result) // (1 if type(operation) is Determinant else max(widths[-1], 1))
    arrays: list[Node] = [Variable(name) for name in names]
    if lines > 1:
        arrays = [a + Variable(line) * whole(n) for a, n in zip(arrays, widths, strict=True)]
    if type(operation) is Determinant:
        parts = ["value", "sign", "log"]
        arrays[1:] = [arrays[1] if part == operation.part else whole(0) for part in parts]
    if type(operation) is Solve:
        arrays += [whole(_FORMS[operation.form]), whole(operation.adjoint)]
    return call(named(base, dtype), *map(whole, numbers), *arrays), lines
