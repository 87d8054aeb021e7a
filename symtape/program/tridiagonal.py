"""A matrix that is given by three diagonals, written out: for who reads or runs it as any other."""

from __future__ import annotations

from typing import Any

from symtape.program.kinds.matrices import Solve
from symtape.program.kinds.structural import Embed, Slice
from symtape.program.operations import Einsum, add_n


def written_out(b: Any, lines: int) -> int:
    """Append the matrix of diagonals [..., 3, n]: see `Solve`; `b` is a `Builder` or like one."""
    *batch, _, n = b.shapes[lines]
    i, *lead = range(len(batch) + 1)
    made: list[int] = []
    for row, k in enumerate((1, 0, -1)):
        rows, columns, size = max(-k, 0), max(k, 0), n - abs(k)
        if size < 0 or (k and not size):
            continue
        line = b.append(Slice(((row, 1, 1), (rows, 1, size))), lines)
        matrix = b.append(Einsum.of([[*lead, -1, i]], [*lead, i, i]), line)
        place = Embed(((rows, 1, size), (columns, 1, size)), (n, n))
        made.append(b.append(place, matrix) if k else matrix)
    if len(made) > 1:
        made.append(b.append(add_n, *made))
    return made[-1]


def as_full(b: Any, operation: Solve, lines: int) -> tuple[Solve, int]:
    """Give the operation that solves the same with the matrix written out, and that matrix."""
    return Solve("full", operation.adjoint), written_out(b, lines)


def is_tridiagonal(operation: Any) -> bool:
    """Say whether an operation solves with three diagonals."""
    return type(operation) is Solve and operation.form == "tridiagonal"
