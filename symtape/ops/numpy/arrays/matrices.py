"""NumPy's linear algebra on tensors, with NumPy's arguments and the fields of its results."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from symtape.errors import UnsupportedError
from symtape.ops.elementwise.arithmetic import divide, multiply, where
from symtape.ops.elementwise.arithmetic import pow as power
from symtape.ops.elementwise.conversion import cast
from symtape.ops.elementwise.functions import real, sqrt, square
from symtape.ops.linalg import contraction, least_squares, solving, spectra
from symtape.ops.linalg.products import adjoint, matmul
from symtape.ops.numpy.arrays.axes import axes_among
from symtape.ops.numpy.dtypes import pair, promoted, taken
from symtape.ops.reductions.reduction import reduce_sum
from symtape.ops.shapes import shaping
from symtape.ops.shapes.joining import concat, stack
from symtape.tensor.convert import convert
from symtape.tensor.decided import decided_by_look
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import dtype_of, shape_of, size_of


class SlogdetResult(NamedTuple):
    """What `np.linalg.slogdet` gives."""

    sign: Tensor
    logabsdet: Tensor


class EighResult(NamedTuple):
    """What `np.linalg.eigh` gives."""

    eigenvalues: Tensor
    eigenvectors: Tensor


class EigResult(NamedTuple):
    """What `np.linalg.eig` gives."""

    eigenvalues: Tensor
    eigenvectors: Tensor


class QRResult(NamedTuple):
    """What `np.linalg.qr` gives."""

    Q: Tensor
    R: Tensor


class SVDResult(NamedTuple):
    """What `np.linalg.svd` gives."""

    U: Tensor
    S: Tensor
    Vh: Tensor


def _solve(a: Any, b: Any) -> Tensor:
    x, y = pair(a, b)
    if y.ndim == 1:
        return shaping.squeeze(solving.solve(x, shaping.expand_dims(y, -1)), axis=-1)
    return solving.solve(x, y)


def _slogdet(a: Any) -> SlogdetResult:
    sign, size = solving.slogdet(a)
    return SlogdetResult(sign, real(size))


def _cholesky(a: Any, /, *, upper: bool = False) -> Tensor:
    """Give L, or Lᴴ of the upper triangle."""
    return adjoint(solving.cholesky(adjoint(convert(a)))) if upper else solving.cholesky(a)


def _lower(a: Any, side: str) -> Tensor:
    """Bring the triangle that is looked at below the diagonal."""
    if side.upper() not in {"L", "U"}:
        raise ValueError("UPLO argument must be 'L' or 'U'")
    return convert(a) if side.upper() == "L" else adjoint(convert(a))


def _eigh(a: Any, UPLO: str = "L") -> EighResult:  # noqa: N803 - NumPy's name
    values, vectors = spectra.eigh(_lower(a, UPLO))
    return EighResult(real(values), vectors)


def _eigvalsh(a: Any, UPLO: str = "L") -> Tensor:  # noqa: N803 - NumPy's name
    return real(spectra.eigvalsh(_lower(a, UPLO)))


@cache
def _are_complex() -> bool:
    """Say whether this NumPy's eigenvalues are complex numbers always, as from 2.5 on."""
    return np.linalg.eigvals(np.eye(1)).dtype.kind == "c"


def _eig(a: Any) -> EigResult:
    """Give eigenvalues and eigenvectors; an older NumPy has real ones where all are real."""
    values, vectors = spectra.eig(a)
    if not _are_complex() and _are_real(a, values):
        return EigResult(real(values), real(vectors))
    return EigResult(values, vectors)


def _eigvals(a: Any) -> Tensor:
    """Give the eigenvalues; an older NumPy has real ones where those of real matrices all are."""
    return spectra.eigvals(a) if _are_complex() else _real_eigvals(a)


def _real_eigvals(a: Any) -> Tensor:
    """Give the eigenvalues, real ones where those of real matrices all are."""
    values = spectra.eigvals(a)
    return real(values) if _are_real(a, values) else values


def _are_real(a: Any, values: Tensor) -> bool:
    is_real = dtype_of(convert(a)).kind != "c"
    return is_real and not np.any(np.imag(decided_by_look(values)))


def _qr(a: Any, mode: str = "reduced") -> Any:
    if mode == "r":
        return spectra.qr(a).r
    if mode not in {"reduced", "complete"}:
        raise UnsupportedError(
            f"np.linalg.qr with mode={mode!r}: take 'reduced', 'complete' or 'r'"
        )
    return QRResult(*spectra.qr(a, full_matrices=mode == "complete"))


def _svd(
    a: Any, full_matrices: bool = True, compute_uv: bool = True, hermitian: bool = False
) -> Any:
    a = _hermitian(a) if hermitian else a
    if not compute_uv:
        return spectra.svd(a, compute_uv=False)
    s, u, v = spectra.svd(a, full_matrices)
    return SVDResult(u, s, adjoint(v))


def _pinv(a: Any, rcond: Any = None, hermitian: bool = False, *, rtol: Any = None) -> Tensor:
    bound = next((b for b in (rcond, rtol) if b is not None), 1e-15)
    return least_squares.pinv(_hermitian(a) if hermitian else a, bound)


def _hermitian(a: Any) -> Tensor:
    """Read the lower triangle alone, as the functions of Hermitian matrices do."""
    x = convert(a)
    rows, columns = np.indices(shape_of(x)[-2:], sparse=True)
    return where(convert(columns <= rows), x, adjoint(x))


def _tensorsolve(a: Any, b: Any, axes: Any = None) -> Tensor:
    """Solve for an array whose axes are the last ones of `a`, once those of `axes` are there."""
    x, y = pair(a, b)
    moved = () if axes is None else axes_among(x.ndim, axes)
    x = shaping.transpose(x, [*[n for n in range(x.ndim) if n not in moved], *moved])
    rest, count = shape_of(x)[y.ndim :], size_of(y)
    if math.prod(rest) != count:
        raise np.linalg.LinAlgError(
            "Input arrays must satisfy the requirement "
            "prod(a.shape[b.ndim:]) == prod(a.shape[:b.ndim])"
        )
    found = _solve(shaping.reshape(x, [count, count]), shaping.reshape(y, [-1]))
    return shaping.reshape(found, rest)


def _tensorinv(a: Any, ind: int = 2) -> Tensor:
    """Invert the matrix of which the first `ind` axes are the rows."""
    x = convert(a)
    if ind <= 0:
        raise ValueError("Invalid ind argument.")
    first, rest = shape_of(x)[:ind], shape_of(x)[ind:]
    matrix = shaping.reshape(x, [math.prod(first), math.prod(rest)])
    return shaping.reshape(solving.inv(matrix), [*rest, *first])


def polyfit(
    x: Any, y: Any, deg: int, rcond: Any = None, full: bool = False, w: Any = None
) -> Tensor:
    """Fit a polynomial by least squares; columns of powers are brought to one length before."""
    if full:
        raise UnsupportedError("np.polyfit with full=True is not recorded: leave it out")
    points, values = [cast(taken(v), np.float64) for v in (x, y)]
    powers = stack([power(points, float(k)) for k in range(deg, -1, -1)], -1)
    if w is not None:
        weights = shaping.expand_dims(cast(taken(w), np.float64), -1)
        powers = multiply(powers, weights)
        values = multiply(values, weights if values.ndim == 2 else shaping.squeeze(weights, -1))
    size = sqrt(reduce_sum(square(powers), 0))
    bound = shape_of(points)[0] * np.finfo(float).eps if rcond is None else rcond
    found = _lstsq(divide(powers, size), values, bound)[0]
    return divide(found, shaping.expand_dims(size, -1) if values.ndim == 2 else size)


def _roots(p: Any) -> Tensor:
    """Give the eigenvalues of the companion matrix, and 0 for each coefficient 0 at the end."""
    line = convert(p)
    if line.ndim != 1:
        raise ValueError("Input must be a rank-1 array.")
    there = np.flatnonzero(decided_by_look(line))
    if not len(there):
        return line[:0]
    line, zeros = line[there[0] : there[-1] + 1], size_of(line) - there[-1] - 1
    count = size_of(line) - 1
    if not count:
        return multiply(line[:0], 1.0) if not zeros else convert(np.zeros(zeros))
    top = shaping.expand_dims(-divide(line[1:], line[0]), 0)
    below = convert(np.eye(count - 1, count).astype(dtype_of(top)))
    found = _real_eigvals(concat([top, below], 0))
    return concat([found, convert(np.zeros(zeros, dtype_of(found)))], 0) if zeros else found


def _lstsq(a: Any, b: Any, rcond: Any = None) -> tuple[Any, Any, int, Any]:
    """Give the solution, the sums of squares that are left, the rank, and the singular values.

    These sums are none where the rank is not full, or there are no more equations than unknowns.
    """
    x, y = pair(a, b)
    m, n = shape_of(x)
    bound = np.finfo(dtype_of(x)).eps * max(m, n) if rcond is None else rcond
    inverse = least_squares.pinv(x, bound)
    columns = y if y.ndim == 2 else shaping.expand_dims(y, -1)
    found = matmul(inverse, columns)
    rest = reduce_sum(square(columns - matmul(x, found)), 0)
    found = found if y.ndim == 2 else shaping.squeeze(found, axis=-1)
    rank = _rank(contraction.einsum("ij,ji->", inverse, x), min(m, n))
    sizes = spectra.svd(x, compute_uv=False)
    return found, rest if rank == n < m else rest[:0], rank, sizes


def _rank(trace: Tensor, most: int) -> int:
    """Give the rank of A by the trace of A⁺A, which is mostly as large as it can be."""
    is_full = bool(decided_by_look(trace > most - 0.5))
    return most if is_full else round(float(decided_by_look(trace)))


def _matrix_power(a: Any, n: int) -> Tensor:
    """Multiply by repeated squaring; a negative power is one of the inverse."""
    x = convert(a)
    power = operator.index(n)
    if x.ndim < 2 or shape_of(x)[-1] != shape_of(x)[-2]:
        raise np.linalg.LinAlgError("Last 2 dimensions of the array must be square")
    if power < 0:
        x, power = solving.inv(x), -power
    found = None
    while power:
        if power & 1:
            found = x if found is None else matmul(found, x)
        power >>= 1
        x = matmul(x, x) if power else x
    if found is not None:
        return found
    return convert(np.broadcast_to(np.eye(shape_of(x)[-1], dtype=dtype_of(x)), shape_of(x)))


def _multi_dot(arrays: Any) -> Tensor:
    """Multiply a chain of matrices, whose ends may be vectors, from the left."""
    operands = promoted(list(arrays))
    if len(operands) < 2:
        raise ValueError("Expecting at least two arrays.")
    ends = (0, len(operands) - 1)
    for k, x in enumerate(operands):
        if x.ndim != 2 and not (x.ndim == 1 and k in ends):
            raise np.linalg.LinAlgError(
                f"{x.ndim}-dimensional array given. Array must be two-dimensional"
            )
    found = operands[0]
    for x in operands[1:]:
        found = contraction.einsum(_CHAIN[found.ndim, x.ndim], found, x)
    return found


_CHAIN = {(2, 2): "ij,jk->ik", (1, 2): "j,jk->k", (2, 1): "ij,j->i", (1, 1): "j,j->"}


FUNCTIONS: dict[Any, Callable[..., Any]] = {
    np.linalg.inv: lambda a: solving.inv(a),  # noqa: PLW0108 - NumPy's keyword
    np.linalg.det: lambda a: solving.det(a),  # noqa: PLW0108 - NumPy's keyword
    np.linalg.slogdet: _slogdet,
    np.linalg.solve: _solve,
    np.linalg.cholesky: _cholesky,
    np.linalg.eigh: _eigh,
    np.linalg.eigvalsh: _eigvalsh,
    np.linalg.eig: _eig,
    np.linalg.eigvals: lambda a: _eigvals(a),  # noqa: PLW0108 - NumPy's keyword
    np.linalg.svdvals: lambda x, /: spectra.svd(x, compute_uv=False),
    np.linalg.tensorinv: _tensorinv,
    np.linalg.tensorsolve: _tensorsolve,
    np.polyfit: polyfit,
    np.roots: _roots,
    np.linalg.qr: _qr,
    np.linalg.svd: _svd,
    np.linalg.lstsq: _lstsq,
    np.linalg.pinv: _pinv,
    np.linalg.matrix_power: _matrix_power,
    np.linalg.multi_dot: _multi_dot,
}
