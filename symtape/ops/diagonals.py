"""Diagonals: taken out of matrices and tensors, put into them, added up."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from symtape.errors import UnsupportedError
from symtape.ops.arguments import (
    integers,
    is_tensor,
    listed,
    pair,
    scalar,
    tensor,
)
from symtape.ops.arithmetic import where
from symtape.ops.reduction import total
from symtape.program.operations import Einsum
from symtape.program.structural import Embed, Slice
from symtape.tensor.door import apply1, invalid
from symtape.tensor.tensor import Tensor


def _offset(k: Any, what: str) -> int:
    bounds = integers(k)
    if len(set(bounds)) > 1:
        raise UnsupportedError(f"{what} with several diagonals, k={k}: take them one by one")
    return bounds[0]


def diag_part(
    input: Any,
    name: str = "diag_part",
    k: Any = 0,
    padding_value: Any = 0,
    align: str = "RIGHT_LEFT",
) -> Tensor:
    """The k-th diagonal of each matrix in the last two axes; k > 0 is above the main one.

    Raises `InvalidArgumentError` for a diagonal that is not there.

    >>> diag_part([[1, 2], [3, 4]]).numpy()
    array([1, 4], dtype=int32)
    """
    x = tensor(input)
    shape = x.value.shape
    if len(shape) < 2:
        raise invalid(
            "MatrixDiagPartV3", f"input must be at least 2-dim, received shape: {listed(shape)}"
        )
    offset = _offset(k, "diag_part")
    rows, columns = shape[-2:]
    if not -rows < offset < columns and offset != 0:
        raise invalid(
            "MatrixDiagPartV3",
            f"lower_diag_index is out of bound: {offset}. It must be between {-rows} and {columns}",
        )
    first = (max(-offset, 0), max(offset, 0))
    n = min(rows - first[0], columns - first[1])
    ranges = [(0, 1, size) for size in shape[:-2]] + [(start if n else 0, 1, n) for start in first]
    square = apply1(Slice.of(ranges, shape), x) if (rows, columns, offset) != (n, n, 0) else x
    return apply1(_diagonal(len(shape)), square)


@lru_cache(maxsize=64)
def _diagonal(rank: int) -> Einsum:
    lead = range(rank - 2)
    return Einsum.of([[*lead, rank, rank]], [*lead, rank])


@lru_cache(maxsize=64)
def _on_diagonal(rank: int) -> Einsum:
    lead = range(rank - 1)
    return Einsum.of([[*lead, rank]], [*lead, rank, rank])


def diag(
    diagonal: Any,
    name: str = "diag",
    k: Any = 0,
    num_rows: Any = -1,
    num_cols: Any = -1,
    padding_value: Any = 0,
    align: str = "RIGHT_LEFT",
) -> Tensor:
    """Matrices that have the last axis on their k-th diagonal, and `padding_value` elsewhere.

    >>> diag([1, 2]).numpy()
    array([[1, 0],
           [0, 2]], dtype=int32)
    """
    x = tensor(diagonal)
    if x.value.ndim < 1:
        raise invalid("MatrixDiagV3", "diagonal must be at least 1-dim, received shape: []")
    offset = _offset(k, "diag")
    n = x.value.shape[-1]
    first = (max(-offset, 0), max(offset, 0))
    sizes = _diag_sizes((scalar(num_rows), scalar(num_cols)), first, n)
    made = apply1(_on_diagonal(x.value.ndim), x)
    if sizes != (n, n):
        ranges = tuple([(start, 1, n) for start in first])
        made = apply1(Embed(ranges, sizes), made)
    if is_tensor(padding_value) or padding_value != 0:
        return where(np.eye(*sizes, k=offset, dtype=bool), made, padding_value)
    return made


def _diag_sizes(given: tuple[int, int], first: tuple[int, int], n: int) -> tuple[int, int]:
    """Check the sizes of a matrix against those that its diagonal needs, or take these."""
    least = (n + first[0], n + first[1])
    if given == (-1, -1):
        return (n + max(first),) * 2
    for size, needed, what in zip(given, least, ("rows", "columns"), strict=True):
        if size != -1 and size < needed:
            raise invalid("MatrixDiagV3", f"The number of {what} is too small.")
    rows, columns = (
        needed if size == -1 else size for size, needed in zip(given, least, strict=True)
    )
    if min(rows - first[0], columns - first[1]) != n:
        raise invalid(
            "MatrixDiagV3",
            "The number of rows or columns is not consistent with the specified d_lower, d_upper, "
            "and diagonal.",
        )
    return rows, columns


def tensor_diag(diagonal: Any, name: str | None = None) -> Tensor:
    """A tensor of twice the rank that has a tensor on its diagonal.

    >>> tensor_diag([1, 2]).numpy()
    array([[1, 0],
           [0, 2]], dtype=int32)
    """
    x = tensor(diagonal)
    own = list(range(x.value.ndim))
    return apply1(Einsum.of([own], own + own), x)


def tensor_diag_part(input: Any, name: str | None = None) -> Tensor:
    """The diagonal of a tensor of even rank, whose second half of axes is like its first.

    >>> tensor_diag_part([[1, 2], [3, 4]]).numpy()
    array([1, 4], dtype=int32)
    """
    x = tensor(input)
    shape = x.value.shape
    half = len(shape) // 2
    if not shape or len(shape) % 2 or shape[:half] != shape[half:]:
        raise invalid(
            "DiagPart",
            f"input must be of even rank with equal halves of axes, got shape {listed(shape)}",
        )
    own = list(range(half))
    return apply1(Einsum.of([own + own], own), x)


def trace(x: Any, name: str | None = None) -> Tensor:
    """The sum of the main diagonal of each matrix in the last two axes.

    >>> trace([[1, 2], [3, 4]]).numpy()
    np.int32(5)
    """
    return total(diag_part(x), (-1,))


def set_diag(
    input: Any, diagonal: Any, name: str = "set_diag", k: Any = 0, align: str = "RIGHT_LEFT"
) -> Tensor:
    """Matrices with another k-th diagonal.

    >>> set_diag([[1, 2], [3, 4]], [8, 9]).numpy()
    array([[8, 2],
           [3, 9]], dtype=int32)
    """
    x, line = pair(input, diagonal)
    shape = x.value.shape
    if len(shape) < 2:
        raise invalid(
            "MatrixSetDiagV3", f"input must be at least 2-dim, received shape: {listed(shape)}"
        )
    offset = _offset(k, "set_diag")
    rows, columns = shape[-2:]
    length = min(rows - max(-offset, 0), columns - max(offset, 0))
    if line.value.shape != (*shape[:-2], length):
        raise invalid(
            "MatrixSetDiagV3",
            "Either first dimensions of diagonal don't match input.shape[:-2], or "
            "diagonal.shape[:-1] is not equal to the longests diagonal in range "
            f"[lower_diag_index:upper_diag_index].\nInput shape: {listed(shape)}\n"
            f"Diagonal shape: {listed(line.value.shape)}\n"
            f"Expected diagonal shape: {listed((*shape[:-2], length))}",
        )
    wide = diag(line, k=offset, num_rows=rows, num_cols=columns)
    return where(np.eye(rows, columns, k=offset, dtype=bool), wide, x)


def band_part(input: Any, num_lower: Any, num_upper: Any, name: str | None = None) -> Tensor:
    """Matrices with zeros outside of a band around the main diagonal; -1 keeps a whole triangle.

    >>> band_part([[1, 2], [3, 4]], 0, -1).numpy()
    array([[1, 2],
           [0, 4]], dtype=int32)
    """
    x = tensor(input)
    shape = x.value.shape
    if len(shape) < 2:
        raise invalid(
            "MatrixBandPart", f"input must be at least 2-dim, received shape: {listed(shape)}"
        )
    rows, columns = shape[-2:]
    lower, upper = scalar(num_lower), scalar(num_upper)
    for name_, n, size, what in (
        ("lower", lower, rows, "rows"),
        ("upper", upper, columns, "columns"),
    ):
        if n > size:
            raise invalid(
                "MatrixBandPart",
                f"num_{name_} must be negative or less or equal to number of {what} ({size}) "
                f"got: {n}",
            )
    i, j = np.indices((rows, columns), sparse=True)
    kept = ((lower < 0) | (i - j <= lower)) & ((upper < 0) | (j - i <= upper))
    return where(kept, x, 0)
