"""Diagonals: taken out of matrices and tensors, put into them, added up."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from symtape.calls import Call
from symtape.ops.arguments import (
    allowed,
    check,
    is_tensor,
    like,
    listed,
    pair,
    scalar,
    tensor,
)
from symtape.ops.elementwise.arithmetic import where
from symtape.ops.linalg.diagonal_lines import Lines
from symtape.ops.reductions.reduction import reduce_sum
from symtape.ops.shapes.creation import spread, told_as_mask
from symtape.ops.shapes.repetition import joined, part_of
from symtape.ops.shapes.shaping import expand_dims, squeeze
from symtape.program.kinds.matrices import Band
from symtape.program.kinds.structural import Embed, Slice
from symtape.program.operations import Einsum, add_n
from symtape.tensor.dispatch import apply, apply1, invalid, misfit, told
from symtape.tensor.recording.active import THREAD
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import dtype_of, shape_of


def diag_part(
    input: Any,
    name: str = "diag_part",
    k: Any = 0,
    padding_value: Any = 0,
    align: str = "RIGHT_LEFT",
) -> Tensor:
    """The k-th diagonal of each matrix in the last two axes; k > 0 is above the main one.

    For `k` = (low, high), each of these diagonals in a row of its own, the highest first, shorter
    ones filled up with `padding_value`: `align` says on which side those above and below the main
    diagonal stand. Raises `InvalidArgumentError` for a diagonal that is not there.

    >>> diag_part([[1, 2], [3, 4]]).numpy()
    array([1, 4], dtype=int32)
    >>> diag_part([[1, 2], [3, 4]], k=(-1, 0)).numpy()
    array([[1, 4],
           [3, 0]], dtype=int32)
    """
    op = Call("MatrixDiagPartV3", name=name)
    x = _beside(tensor(input), padding_value)
    shape = shape_of(x)
    if len(shape) < 2:
        raise misfit(op, f"input must be at least 2-dim, received shape: {listed(shape)}")
    lines = Lines.read(op, k, align)
    rows, columns = shape[-2:]
    lines.check(op, rows, columns, ".")
    if lines.number == 1:
        return _line(x, lines.low)
    whole = lines.longest(rows, columns)
    parts, filled = [], np.zeros((lines.number, whole), bool)
    for row, (at, first, n) in enumerate(lines.places(rows, columns)):
        part = _line(x, at)
        parts.append(apply1(Embed(((0, 1, 1), (first, 1, n)), (1, whole)), expand_dims(part, -2)))
        filled[row, first : first + n] = True
    made = joined(parts, len(shape) - 2)
    if is_tensor(padding_value) or padding_value != 0:
        return where(filled, made, padding_value)
    return made


def _beside(x: Tensor, padding: Any) -> Tensor:
    """Raise `TypeError` where texts are to be padded with numbers."""
    if dtype_of(x).kind == "O":
        like(padding, x)
    return x


def _line(x: Tensor, k: int) -> Tensor:
    """Take one diagonal."""
    shape = shape_of(x)
    rows, columns = shape[-2:]
    first = (max(-k, 0), max(k, 0))
    n = max(min(rows - first[0], columns - first[1]), 0)
    ranges = [(0, 1, size) for size in shape[:-2]] + [(start if n else 0, 1, n) for start in first]
    square = apply1(Slice.of(ranges, shape), x) if (rows, columns, k) != (n, n, 0) else x
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

    For `k` = (low, high), the last two axes are diagonals, one a row, as `diag_part` gives them.

    >>> diag([1, 2]).numpy()
    array([[1, 0],
           [0, 2]], dtype=int32)
    >>> diag([[1, 2], [3, 0]], k=(-1, 0)).numpy()
    array([[1, 0],
           [3, 2]], dtype=int32)
    """
    op = Call("MatrixDiagV3", name=name)
    x = _beside(tensor(diagonal), padding_value)
    if x.ndim < 1:
        raise invalid(op, "diagonal must be at least 1-dim, received shape: []")
    lines = Lines.read(op, k, align)
    if lines.number > 1 and (x.ndim < 2 or shape_of(x)[-2] != lines.number):
        raise invalid(
            op,
            "The number of diagonals provided in the input does not match the lower_diag_index and "
            "upper_diag_index range.",
        )
    n = shape_of(x)[-1]
    least = (n - min(lines.high, 0), n + max(lines.low, 0))
    sizes = _diag_sizes(op, (scalar(num_rows), scalar(num_cols)), least)
    made = _put(x, lines, sizes)
    if is_tensor(padding_value) or padding_value != 0:
        return where(_mask(lines, *sizes), made, padding_value)
    return made


def _put(x: Tensor, lines: Lines, sizes: tuple[int, int]) -> Tensor:
    """Put diagonals into zeros."""
    if lines.number == 1:
        return _put_line(x, lines.low, sizes)
    axis = x.ndim - 2
    made = []
    for row, (at, first, n) in enumerate(lines.places(*sizes)):
        line = squeeze(part_of(x, axis, row, 1), axis)
        made.append(_put_line(part_of(line, axis, first, n), at, sizes))
    return apply(add_n, *made)


def _put_line(x: Tensor, k: int, sizes: tuple[int, int]) -> Tensor:
    n = shape_of(x)[-1]
    made = apply1(_on_diagonal(x.ndim), x)
    if sizes == (n, n):
        return made
    ranges = ((max(-k, 0) if n else 0, 1, n), (max(k, 0) if n else 0, 1, n))
    return apply1(Embed(ranges, sizes), made)


def _diag_sizes(op: str, given: tuple[int, int], least: tuple[int, int]) -> tuple[int, int]:
    """Check the sizes of a matrix against those that its diagonals need, or take these."""
    if given == (-1, -1):
        return (max(least),) * 2
    for size, needed, what in zip(given, least, ("rows", "columns"), strict=True):
        if size != -1 and size < needed:
            raise invalid(op, f"The number of {what} is too small.")
    rows, columns = (
        needed if size == -1 else size for size, needed in zip(given, least, strict=True)
    )
    if rows != least[0] and columns != least[1]:
        raise invalid(
            op,
            "The number of rows or columns is not consistent with the specified d_lower, d_upper, "
            "and diagonal.",
        )
    return rows, columns


_OF_ALL_AXES = allowed("bfloat16, half, float, double, int32, int64, complex64, complex128")


def tensor_diag(diagonal: Any, name: str | None = None) -> Tensor:
    """A tensor of twice the rank that has a tensor on its diagonal.

    >>> tensor_diag([1, 2]).numpy()
    array([[1, 0],
           [0, 2]], dtype=int32)
    """
    x = tensor(diagonal)
    check("Diag", x, _OF_ALL_AXES, "diagonal:T -> output:T")
    if x.ndim == 0:
        raise invalid("Diag", "Input must be at least rank 1, got 0")
    own = list(range(x.ndim))
    return apply1(Einsum.of([own], own + own), x)


def tensor_diag_part(input: Any, name: str | None = None) -> Tensor:
    """The diagonal of a tensor of even rank, whose second half of axes is like its first.

    >>> tensor_diag_part([[1, 2], [3, 4]]).numpy()
    array([1, 4], dtype=int32)
    """
    x = tensor(input)
    check("DiagPart", x, _OF_ALL_AXES, "input:T -> diagonal:T")
    shape = shape_of(x)
    half = len(shape) // 2
    if not shape or len(shape) % 2:
        gap = " " * 41  # as TensorFlow writes it
        raise invalid(
            "DiagPart",
            f"The rank of the tensor should be {gap}even and positive, got shape {listed(shape)}",
        )
    for axis in range(half):
        if shape[axis] != shape[axis + half]:
            raise invalid(
                "DiagPart",
                f"Invalid shape {listed(shape)}: dimensions {axis} and {axis + half} do not match.",
            )
    own = list(range(half))
    return apply1(Einsum.of([own + own], own), x)


def trace(x: Any, name: str | None = None) -> Tensor:
    """The sum of the main diagonal of each matrix in the last two axes.

    >>> trace([[1, 2], [3, 4]]).numpy()
    np.int32(5)
    """
    return reduce_sum(diag_part(x), -1)


def set_diag(
    input: Any, diagonal: Any, name: str = "set_diag", k: Any = 0, align: str = "RIGHT_LEFT"
) -> Tensor:
    """Matrices with another k-th diagonal, or with others from low to high, `k` = (low, high).

    >>> set_diag([[1, 2], [3, 4]], [8, 9]).numpy()
    array([[8, 2],
           [3, 9]], dtype=int32)
    """
    op = Call("MatrixSetDiagV3", name=name)
    x, line = pair(input, diagonal)
    shape, own = shape_of(x), shape_of(line)
    if len(shape) < 2:
        raise invalid(op, f"input must be at least 2-dim, received shape: {listed(shape)}")
    lines = Lines.read(op, k, align)
    rows, columns = shape[-2:]
    lines.check(op, rows, columns, "")
    if lines.number > 1 and (len(own) < 2 or own[-2] != lines.number):
        raise invalid(
            op,
            "The number of diagonals provided in `diag` is not consistent with `lower_diag_index` "
            "and `upper_diag_index`",
        )
    counts = (lines.number,) if lines.number > 1 else ()
    expected = (*shape[:-2], *counts, lines.longest(rows, columns))
    if own != expected:
        raise invalid(
            op,
            "Either first dimensions of diagonal don't match input.shape[:-2], or "
            "diagonal.shape[:-1] is not equal to the longests diagonal in range "
            f"[lower_diag_index:upper_diag_index].\nInput shape: {listed(shape)}\n"
            f"Diagonal shape: {listed(own)}\n"
            f"Expected diagonal shape: {listed(expected)}",
        )
    return where(_mask(lines, rows, columns), _put(line, lines, (rows, columns)), x)


def _mask(lines: Lines, rows: int, columns: int) -> Tensor:
    """Say which elements of a matrix lie on some diagonals, which formulas show as a band."""
    mask = lines.mask(rows, columns)
    if not THREAD.state.recordings:
        return Tensor(mask)
    ones = spread(np.ones((rows, columns), np.float32), 1.0)
    band = told(Tensor(mask.astype(np.float32)), Band(lines.low, lines.high), ones)
    return told_as_mask(Tensor(mask), band)


def band_part(input: Any, num_lower: Any, num_upper: Any, name: str | None = None) -> Tensor:
    """Matrices with zeros outside of a band around the main diagonal; -1 keeps a whole triangle.

    >>> band_part([[1, 2], [3, 4]], 0, -1).numpy()
    array([[1, 2],
           [0, 4]], dtype=int32)
    """
    x = tensor(input)
    shape = shape_of(x)
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
    low = -lower if 0 <= lower < rows - 1 else None
    high = upper if 0 <= upper < columns - 1 else None
    return apply1(Band(low, high), x)
