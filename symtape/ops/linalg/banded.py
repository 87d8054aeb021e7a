"""Matrices that are given by their diagonals: products and equations with them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, overload

import numpy as np

from symtape.ops.arguments import allowed, check, listed, pair, same_dtype, tensor
from symtape.ops.attributes import attributes, boolean
from symtape.ops.elementwise.conversion import cast
from symtape.ops.elementwise.functions import conj, real
from symtape.ops.linalg.diagonals import diag, diag_part
from symtape.ops.linalg.products import matrix_transpose
from symtape.ops.linalg.solving import alike, triangular_solve
from symtape.ops.linalg.spectra import eigh, eigvalsh
from symtape.ops.shapes.joining import pad, stack
from symtape.ops.shapes.shaping import expand_dims, squeeze
from symtape.program.kinds.matrices import Solve
from symtape.tensor.decided import decided
from symtape.tensor.dispatch import apply2, invalid
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import dtype_of, look_at, shape_of, size_of

_SOLVED = allowed("double, float, complex64, complex128")
_FORMATS = ("compact", "sequence", "matrix")


def three_diagonals(diagonals: Any, form: str) -> list[Tensor]:
    """Read the diagonal above, the main one and the one below, all as long as the matrix.

    The last element above and the first below are not looked at.
    """
    if form not in _FORMATS:
        raise ValueError(f"Unrecognized diagonals_format: {form}")
    if form == "matrix":
        matrix = tensor(diagonals)
        rows, columns = shape_of(matrix)[-2:]
        if rows != columns:
            raise ValueError(
                f"Expected last two dimensions of diagonals to be same, got {columns} and {rows}"
            )
        return [_widened(diag_part(matrix, k=k), rows, k) for k in (1, 0, -1)]
    if form == "compact":
        compact = tensor(diagonals)
        rank = compact.ndim
        if rank < 2:
            raise ValueError(f"Expected diagonals to have rank at least 2, got {rank}")
        if shape_of(compact)[-2] != 3:
            raise ValueError(f"Expected 3 diagonals got {shape_of(compact)[-2]}")
        return [compact[..., k, :] for k in range(3)]
    if not isinstance(diagonals, (tuple, list)) or len(diagonals) != 3:
        raise ValueError("Expected diagonals to be a sequence of length 3.")
    middle = tensor(diagonals[1])
    n = shape_of(middle)[-1]
    above, below = (pair(d, middle)[0] for d in (diagonals[0], diagonals[2]))
    for name, line in (("subdiagonal", below), ("superdiagonal", above)):
        if shape_of(line)[-1] not in (n, n - 1):
            raise ValueError(
                f"Expected {name} to be have length {n} or {n - 1}, got {shape_of(line)[-1]}."
            )
    return [_widened(above, n, 1), middle, _widened(below, n, -1)]


def _widened(line: Tensor, n: int, k: int) -> Tensor:
    """Add the element that is not looked at."""
    if shape_of(line)[-1] == n:
        return line
    ends = [[0, 0]] * (line.ndim - 1)
    return pad(line, [*ends, [0, 1] if k > 0 else [1, 0]])


def tridiagonal_solve(
    diagonals: Any,
    rhs: Any,
    diagonals_format: str = "compact",
    transpose_rhs: bool = False,
    conjugate_rhs: bool = False,
    name: str | None = None,
    partial_pivoting: bool = True,
    perturb_singular: bool = False,
) -> Tensor:
    """The solution X of A X = B, where A has three diagonals.

    `diagonals` are [..., 3, n] in the format "compact": those above, on and below the main one,
    the last element of the first and the first of the last being ignored; or three tensors in the
    format "sequence"; or [..., n, n] in the format "matrix". `rhs` is [..., n, k], or [..., n].
    Raises `InvalidArgumentError` for one that has no inverse. Rows are interchanged also
    where `partial_pivoting` is false. It costs n k steps, and so do its derivatives.

    >>> tridiagonal_solve([[1.0, 0.0], [2.0, 2.0], [0.0, 1.0]], [[3.0], [3.0]]).numpy()
    array([[1.],
           [1.]], dtype=float32)
    """
    if perturb_singular and not partial_pivoting:
        raise ValueError("partial_pivoting must be True if perturb_singular is.")
    lines = stack(three_diagonals(diagonals, diagonals_format), axis=-2)
    b = pair(rhs, lines)[0]
    op, signature = "TridiagonalSolve", "diagonals:T, rhs:T -> output:T"
    check(op, lines, _SOLVED, signature)
    same_dtype(op, lines, b)
    rank = lines.ndim
    if b.ndim not in (rank - 1, rank):
        raise ValueError(f"Expected the rank of rhs to be {rank - 1} or {rank}, got {b.ndim}")
    batch, other = shape_of(lines)[:-2], shape_of(b)[: rank - 2]
    if batch != other:
        raise ValueError(f"Batch shapes {batch} and {other} are incompatible")
    is_vector = b.ndim == rank - 1
    if is_vector:
        b = expand_dims(b, -1)
    elif transpose_rhs:
        b = matrix_transpose(b)
    if conjugate_rhs:
        b = conj(b)
    n, rows = shape_of(lines)[-1], shape_of(b)[-2]
    if n != rows:
        raise ValueError(
            "Expected number of left-hand sided and right-hand sides to be equal, "
            f"got {n} and {rows}"
        )
    found = apply2(Solve("tridiagonal", False), lines, b)
    return squeeze(found, -1) if is_vector else found


def tridiagonal_matmul(
    diagonals: Any, rhs: Any, diagonals_format: str = "compact", name: str | None = None
) -> Tensor:
    """The product of a matrix that has three diagonals with matrices [..., n, k].

    The formats of `diagonals` are those of `tridiagonal_solve`. It costs n k steps.

    >>> tridiagonal_matmul([[1.0, 0.0], [2.0, 2.0], [0.0, 1.0]], [[1.0], [1.0]]).numpy()
    array([[3.],
           [3.]], dtype=float32)
    """
    op = "TridiagonalMatMul"
    if diagonals_format == "sequence":
        above, middle, below = (tensor(d) for d in diagonals)
    else:
        above, middle, below = three_diagonals(diagonals, diagonals_format)
    b = pair(rhs, middle)[0]
    check(op, middle, _SOLVED, "superdiag:T, maindiag:T, subdiag:T, rhs:T -> output:T")
    same_dtype(op, middle, b, 3)
    above, middle, below = (expand_dims(line, -1) for line in (above, middle, below))
    if middle.ndim != b.ndim:
        raise invalid(op, "All input tensors must have the same rank.")
    alike(op, (middle, b))
    n = shape_of(b)[-2]
    for line, which in ((above, "superdiagonal"), (middle, "maindiagonal"), (below, "subdiagonal")):
        if shape_of(line)[-2] != n:
            raise invalid(op, f"Invalid {which} shape.")
    ends = [[0, 0]] * (b.ndim - 2)
    after = pad(b[..., 1:, :], [*ends, [0, min(n, 1)], [0, 0]])
    before = pad(b[..., : max(n - 1, 0), :], [*ends, [min(n, 1), 0], [0, 0]])
    first = np.arange(n)[:, None] > 0
    last = np.arange(n)[:, None] < n - 1
    return middle * b + _only(above, last) * after + _only(below, first) * before


def _only(line: Tensor, where: Any) -> Tensor:
    """Put zeros where a diagonal is not looked at."""
    return line * tensor(where.astype(dtype_of(line)))


@attributes(lower=boolean(True), adjoint=boolean(False))
def banded_triangular_solve(
    bands: Any, rhs: Any, lower: bool = True, adjoint: bool = False, name: str | None = None
) -> Tensor:
    """The solution X of A X = B, or of Aᴴ X = B, for a triangle A that has few diagonals.

    `bands` are [..., b, n], one diagonal a row, from the highest to the lowest: of a lower triangle
    the first row is the main diagonal, and rows below start with ignored elements; of an upper one
    the last row is the main diagonal, and rows above end with them. `rhs` is [..., n, k]; its batch
    broadcasts. Raises `InvalidArgumentError` for a zero on the main diagonal, and for no elements.

    >>> banded_triangular_solve([[2.0, 2.0], [0.0, 1.0]], [[2.0], [3.0]]).numpy()
    array([[1.],
           [1.]], dtype=float32)
    """
    op = "BandedTriangularSolve"
    lines, b = pair(bands, rhs)
    check(op, lines, _SOLVED, "matrix:T, rhs:T -> output:T")
    same_dtype(op, lines, b)
    for k, x in enumerate((lines, b)):
        if x.ndim < 2:
            raise invalid(op, f"In[{k}] ndims must be >= 2: {x.ndim}")
        if not size_of(x):
            kind = f"type: {x.dtype.enum_name} shape: {listed(shape_of(x))}"
            raise invalid(op, f"In[{k}] must not be an empty tensor: Tensor<{kind} values: >")
    shapes = shape_of(lines), shape_of(b)
    n, rows = shapes[0][-1], shapes[1][-2]
    try:
        np.broadcast_shapes(shapes[0][:-2], shapes[1][:-2])
    except ValueError:
        both = " vs. ".join(map(listed, shapes))
        raise invalid(
            op, f"In[0] and In[1] must have compatible batch dimensions: {both}"
        ) from None
    if n != rows:
        shown = " ".join(map(listed, shapes))
        raise invalid(
            op,
            f"In[0] mismatch In[1] shape: {n} vs. {rows}: {shown} {int(lower)} {int(adjoint)}",
        )
    count = min(shapes[0][-2], n)
    lines = lines[..., :count, :] if lower else lines[..., shapes[0][-2] - count :, :]
    if not np.all(look_at(lines)[..., 0 if lower else -1, :]):
        raise invalid(op, "Input matrix is not invertible.")
    return triangular_solve(_triangle(lines, count, lower), b, lower, adjoint)


def _triangle(lines: Tensor, count: int, lower: bool) -> Tensor:
    if count < 2:
        return diag(lines[..., 0, :])
    span = (1 - count, 0) if lower else (0, count - 1)
    return diag(lines, k=span, align="LEFT_RIGHT")


@overload
def eigh_tridiagonal(
    alpha: Any,
    beta: Any,
    eigvals_only: Literal[True] = True,
    select: str = "a",
    select_range: Sequence[Any] | None = None,
    tol: Any = None,
    name: str | None = None,
) -> Tensor: ...


@overload
def eigh_tridiagonal(
    alpha: Any,
    beta: Any,
    eigvals_only: bool,
    select: str = "a",
    select_range: Sequence[Any] | None = None,
    tol: Any = None,
    name: str | None = None,
) -> Tensor | tuple[Tensor, Tensor]: ...


def eigh_tridiagonal(
    alpha: Any,
    beta: Any,
    eigvals_only: bool = True,
    select: str = "a",
    select_range: Sequence[Any] | None = None,
    tol: Any = None,
    name: str | None = None,
) -> Tensor | tuple[Tensor, Tensor]:
    """The eigenvalues, and vectors on request, of a self-adjoint matrix with three diagonals.

    `alpha`, [n], is the main diagonal, of which the real part counts, and `beta`, [n - 1], the one
    above it. `select` is "a" for all, "i" for those numbered from `select_range[0]` to
    `select_range[1]`, or "v" for those in (select_range[0], select_range[1]]. They are computed to
    full precision, whatever `tol` is.

    >>> eigh_tridiagonal([2.0, 2.0], [1.0]).numpy()
    array([1., 3.], dtype=float32)
    """
    middle = tensor(alpha)
    above = pair(beta, middle)[0]
    if select not in ("a", "i", "v"):
        raise ValueError("'select must have a value in {'a', 'i', 'v'}.")
    if dtype_of(middle).kind not in "fc":
        raise ValueError(f"data type {dtype_of(middle).type} not inexact")
    n = shape_of(middle)[-1]
    if shape_of(above)[-1] != max(n - 1, 0):
        both = f"[{n}] vs. [{shape_of(above)[-1] + 1}]"
        raise invalid("AddV2", f"Incompatible shapes: {both}")
    if dtype_of(middle).kind == "c":
        middle = cast(real(middle), middle.dtype)
    matrix = diag(middle)
    if n > 1:
        matrix = matrix + diag(above, k=1) + diag(conj(above), k=-1)
    values = eigvalsh(matrix) if eigvals_only else None
    vectors = None
    if not eigvals_only:
        values, vectors = eigh(matrix)
    first, last = _selected(values, n, select, select_range)
    chosen = real(values)[..., first:last]
    return chosen if vectors is None else (chosen, vectors[..., first:last])


def _selected(values: Any, n: int, select: str, bounds: Sequence[Any] | None) -> tuple[int, int]:
    """Say which eigenvalues are asked for."""
    if select == "a":
        return 0, n
    low, high = bounds if bounds is not None else (0, n - 1)
    if select == "i":
        if low > high:
            raise invalid("Assert", "Got empty index range in select_range.")
        return int(low), int(high) + 1
    first, last = (np.count_nonzero(decided(real(values) <= end)) for end in (low, high))
    return int(first), int(last)
