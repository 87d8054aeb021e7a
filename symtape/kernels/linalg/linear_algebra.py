"""How NumPy computes linear algebra: one function an operation, with TensorFlow's errors.

All of them work on the matrices in the last two axes, and keep the dtype.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import numpy as np

from symtape.errors import InvalidArgumentError
from symtape.kernels.linalg.bands import adjoint, band
from symtape.kernels.linalg.triangles import solve_triangle
from symtape.kernels.linalg.tridiagonal import framed, tridiagonal_solution, turned
from symtape.program.evaluation.column_pivots import column_pivots

Array = Any
"""A NumPy array or scalar."""


def wide(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compute half precision, which LAPACK does not have, in single."""

    def narrow(x: Any, dtype: Any) -> Any:
        return x.astype(dtype) if x.dtype == np.float32 else x

    @wraps(function)
    def run(a: Array, *rest: Any) -> Any:
        if a.dtype.itemsize > 2:
            return function(a, *rest)
        others = [x.astype(np.float32) if isinstance(x, np.ndarray) else x for x in rest]
        found = function(a.astype(np.float32), *others)
        if isinstance(found, tuple):
            return tuple([narrow(x, a.dtype) for x in found])
        return narrow(found, a.dtype)

    return run


def has_nan(x: Array) -> bool:
    """Say whether an element is nan; for few elements `any` takes longer than what it looks at."""
    return bool(np.count_nonzero(np.isnan(x)))


# --- inverses and determinants --------------------------------------------------------------------


@wide
def inverse(a: Array) -> Array:
    """Invert; a singular matrix, or one with a nan, raises."""
    try:
        found = np.linalg.inv(a)
    except np.linalg.LinAlgError:
        raise _not_invertible("MatrixInverse", "Input") from None
    if has_nan(found) and has_nan(a):
        raise _not_invertible("MatrixInverse", "Input")
    return found


@wide
def solve(a: Array, b: Array, form: str, adjointly: bool) -> Array:
    """Solve A X = B or Aᴴ X = B; see `Solve`. What is singular and no triangle raises."""
    if form in {"lower", "upper"}:
        return solve_triangle(a, b, form == "lower", adjointly)
    op = "TridiagonalSolve" if form == "tridiagonal" else "MatrixSolve"
    if form == "tridiagonal":
        a = framed(a)
        a = np.conjugate(turned(a)) if adjointly else a
    elif adjointly:
        a = adjoint(a)
    try:
        found = (tridiagonal_solution if form == "tridiagonal" else np.linalg.solve)(a, b)
    except np.linalg.LinAlgError:
        raise _not_invertible(op, "Input matrix") from None
    if has_nan(found) and has_nan(a):
        raise _not_invertible(op, "Input matrix")
    return found


def _not_invertible(op: str, what: str) -> InvalidArgumentError:
    return InvalidArgumentError.of(op, f"{what} is not invertible.")


@wide
def determinant(a: Array) -> Array:
    """Give the determinant."""
    if a.shape[-1] in {2, 3} and a.size >= _MANY and a.dtype.char in "fd":
        return _expanded(a.astype(np.float64, copy=False)).astype(a.dtype, copy=False)
    return np.linalg.det(a)


_MANY = 2048
"""Elements of matrices that are worth more than one line."""
_LARGE, _SMALL = 1e100, 1e-200
"""Products of three numbers below cannot overflow; above, underflow has taken no digit of a sum."""


def _expanded(a: Array) -> Array:
    """Expand determinants by their first row, in less than a quarter of LAPACK's time."""
    if not np.abs(a).max() < _LARGE:
        return np.linalg.det(a)
    x, y, *rest = np.moveaxis(a, (-2, -1), (0, 1))
    found = x[0] * y[1] - x[1] * y[0]
    for z in rest:
        found = found * z[2]
        found -= (x[0] * y[2] - x[2] * y[0]) * z[1]
        found += (x[1] * y[2] - x[2] * y[1]) * z[0]
    doubtful = ~(np.abs(found) > _SMALL)
    if doubtful.any():
        found[doubtful] = np.linalg.det(a[doubtful])
    return found


@wide
def signed_log(a: Array) -> tuple[Array, Array]:
    """Give the sign of the determinant, and the logarithm of its size."""
    sign, size = np.linalg.slogdet(a)
    return sign, size


# --- factorizations -------------------------------------------------------------------------------


@wide
def cholesky(a: Array) -> Array:
    """Give the lower triangle L of A = L Lᴴ; it is nan where A is not positive definite."""
    try:
        return np.linalg.cholesky(a)
    except np.linalg.LinAlgError:
        if a.ndim == 2:
            return np.tril(np.full_like(a, np.nan))
        return np.stack([cholesky(one) for one in a])


@wide
def log_determinant(a: Array) -> Array:
    """Give log det A of a positive definite matrix, nan of any other."""
    roots = np.einsum("...ii->...i", cholesky(a)).real
    return 2 * np.add.reduce(np.log(roots), -1, dtype=roots.dtype)


@wide
def eliminated(a: Array) -> Array:
    """Give L and U of A = L U, packed; rows are not interchanged."""
    out = np.array(a)
    for k in range(a.shape[-1] - 1):
        out[..., k + 1 :, k] /= out[..., k, k, None]
        out[..., k + 1 :, k + 1 :] -= out[..., k + 1 :, k, None] * out[..., k, None, k + 1 :]
    return out


@wide
def pivots(a: Array) -> Array:
    """Give the order of rows in which elimination meets the largest pivot of each column."""
    out = np.array(a)
    n = out.shape[-1]
    order = np.broadcast_to(np.arange(n), a.shape[:-1]).copy()
    for k in range(n):
        chosen = k + np.argmax(np.abs(out[..., k:, k]), axis=-1)[..., None]
        for array, index in ((order, chosen), (out, chosen[..., None])):
            axis = -1 if array is order else -2
            own = np.take_along_axis(array, index, axis)
            here = np.take(array, [k], axis)
            np.put_along_axis(array, index, here, axis)
            np.put_along_axis(array, np.full_like(index, k), own, axis)
        pivot = out[..., k, k]
        if np.any(pivot == 0) or np.any(np.isnan(pivot)):
            raise _not_invertible("Lu", "Input")
        out[..., k + 1 :, k] /= pivot[..., None]
        out[..., k + 1 :, k + 1 :] -= out[..., k + 1 :, k, None] * out[..., k, None, k + 1 :]
    return order


@wide
def qr(a: Array, full: bool) -> tuple[Array, Array]:
    """Give Q and R."""
    q, r = np.linalg.qr(a, "complete" if full else "reduced")
    return q, r


@wide
def eigh(a: Array) -> tuple[Array, Array]:
    """Give the eigenvalues and eigenvectors of a self-adjoint matrix."""
    try:
        _check_numbers(a)
        values, vectors = np.linalg.eigh(a)
    except np.linalg.LinAlgError:
        raise _unsuccessful("SelfAdjointEigV2", "Self-adjoint eigen") from None
    return values, vectors


@wide
def eigvalsh(a: Array) -> Array:
    """Give the eigenvalues of a self-adjoint matrix."""
    try:
        _check_numbers(a)
        return np.linalg.eigvalsh(a)
    except np.linalg.LinAlgError:
        raise _unsuccessful("SelfAdjointEigV2", "Self-adjoint eigen") from None


def eig(a: Array) -> tuple[Array, Array]:
    """Give the eigenvalues and eigenvectors of a square matrix, as complex numbers."""
    dtype = np.result_type(a.dtype, np.complex64)
    try:
        values, vectors = np.linalg.eig(a)
    except np.linalg.LinAlgError:
        raise _unsuccessful("Eig", "Eigen") from None
    return values.astype(dtype), vectors.astype(dtype)


def _check_numbers(a: Array) -> None:
    if has_nan(a):
        raise np.linalg.LinAlgError


def _unsuccessful(op: str, what: str) -> InvalidArgumentError:
    return InvalidArgumentError.of(
        op, f"{what} decomposition was not successful. The input might not be valid."
    )


@wide
def svd(a: Array, full: bool) -> tuple[Array, Array, Array]:
    """Give s, U and V of A = U diag(s) Vᴴ; they are nan where A is not finite."""
    try:
        u, s, vh = np.linalg.svd(a, full_matrices=full)
    except np.linalg.LinAlgError:
        if a.ndim == 2:
            u, s, vh = np.linalg.svd(np.zeros_like(a), full_matrices=full)
            return s * np.nan, u * np.nan, adjoint(vh) * np.nan
        s, u, v = map(np.stack, zip(*[svd(one, full) for one in a], strict=True))
        return s, u, v
    return s, u, adjoint(vh)


@wide
def singular_values(a: Array) -> Array:
    """Give the singular values; they are nan where the matrix is not finite."""
    try:
        return np.linalg.svd(a, compute_uv=False)
    except np.linalg.LinAlgError:
        return svd(a, False)[0]


@wide
def pseudo_inverse(a: Array, bound: Array, compares: str = "values") -> Array:
    """Invert what is not zero: singular values up to a bound times the largest one are.

    Where pivots are compared, as Eigen does, what is not finite has none, and its inverse is zero.
    """
    if compares == "pivots":
        a = np.where(np.isfinite(a).all((-2, -1), keepdims=True), a, 0)
    s, u, v = svd(a, False)
    bound = np.asarray(bound)[..., None]
    if compares == "pivots" and s.size:
        sizes = column_pivots(a, np.arange(a.shape[-1]))
        rank = np.sum(sizes > bound * sizes[..., :1], axis=-1)
        kept = np.arange(s.shape[-1]) < rank[..., None]
    else:
        kept = s > bound * np.max(s, axis=-1, keepdims=True, initial=0)
        kept |= np.isnan(s)
    inverted = np.where(kept, 1 / np.where(kept, s, 1), 0).astype(s.dtype)
    return (v * inverted[..., None, :]) @ adjoint(u)


FUNCTIONS: dict[str, Callable[..., Any]] = {
    function.__name__: function
    for function in (
        inverse,
        solve,
        determinant,
        signed_log,
        cholesky,
        eliminated,
        log_determinant,
        qr,
        eigh,
        eigvalsh,
        eig,
        svd,
        singular_values,
        pseudo_inverse,
        band,
    )
}
"""The names that generated code may use."""
