"""How NumPy computes linear algebra: one function an operation, with TensorFlow's errors.

All of them work on the matrices in the last two axes, and keep the dtype.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import numpy as np

from symtape.errors import InvalidArgumentError

Array = Any
"""A NumPy array or scalar."""


def _wide(function: Callable[..., Any]) -> Callable[..., Any]:
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


def adjoint(a: Array) -> Array:
    """Turn a matrix round and conjugate it."""
    return np.conjugate(np.swapaxes(a, -1, -2))


# --- inverses and determinants --------------------------------------------------------------------


@_wide
def inverse(a: Array) -> Array:
    """Invert; a singular matrix, or one with a nan, raises."""
    try:
        found = np.linalg.inv(a)
    except np.linalg.LinAlgError:
        raise _not_invertible("MatrixInverse", "Input") from None
    if np.isnan(found).any() and np.isnan(a).any():
        raise _not_invertible("MatrixInverse", "Input")
    return found


@_wide
def solve(a: Array, b: Array, form: str, adjointly: bool) -> Array:
    """Solve A X = B or Aᴴ X = B; see `Solve`. A full matrix that is singular raises."""
    if adjointly:
        a, form = adjoint(a), {"lower": "upper", "upper": "lower"}.get(form, form)
    if form != "full":
        return _substitute(a, b, form)
    try:
        found = np.linalg.solve(a, b)
    except np.linalg.LinAlgError:
        raise _not_invertible("MatrixSolve", "Input matrix") from None
    if np.isnan(found).any() and np.isnan(a).any():
        raise _not_invertible("MatrixSolve", "Input matrix")
    return found


def _not_invertible(op: str, what: str) -> InvalidArgumentError:
    return InvalidArgumentError.of(op, f"{what} is not invertible.")


_SMALL = 64


def _substitute(a: Array, b: Array, form: str) -> Array:
    """Solve a triangle block by block; a zero on its diagonal gives infinities, not an error."""
    n = a.shape[-1]
    if n <= 1:
        return b / a if n else b.copy()
    if n <= _SMALL and np.all(np.einsum("...ii->...i", a)):
        return np.linalg.solve(np.tril(a) if form == "lower" else np.triu(a), b)
    half = n // 2
    first, last = a[..., :half, :half], a[..., half:, half:]
    top, bottom = b[..., :half, :], b[..., half:, :]
    if form == "lower":
        top = _substitute(first, top, form)
        bottom = _substitute(last, bottom - a[..., half:, :half] @ top, form)
    else:
        bottom = _substitute(last, bottom, form)
        top = _substitute(first, top - a[..., :half, half:] @ bottom, form)
    return np.concatenate([top, bottom], axis=-2)


@_wide
def determinant(a: Array) -> Array:
    """Give the determinant."""
    return np.linalg.det(a)


@_wide
def signed_log(a: Array) -> tuple[Array, Array]:
    """Give the sign of the determinant, and the logarithm of its size."""
    sign, size = np.linalg.slogdet(a)
    return sign, size


# --- factorizations -------------------------------------------------------------------------------


@_wide
def cholesky(a: Array) -> Array:
    """Give the lower triangle L of A = L Lᴴ; it is nan where A is not positive definite."""
    try:
        return np.linalg.cholesky(a)
    except np.linalg.LinAlgError:
        if a.ndim == 2:
            return np.tril(np.full_like(a, np.nan))
        return np.stack([cholesky(one) for one in a])


@_wide
def qr(a: Array, full: bool) -> tuple[Array, Array]:
    """Give Q and R."""
    q, r = np.linalg.qr(a, "complete" if full else "reduced")
    return q, r


@_wide
def eigh(a: Array) -> tuple[Array, Array]:
    """Give the eigenvalues and eigenvectors of a self-adjoint matrix."""
    try:
        _check_numbers(a)
        values, vectors = np.linalg.eigh(a)
    except np.linalg.LinAlgError:
        raise _unsuccessful("SelfAdjointEigV2", "Self-adjoint eigen") from None
    return values, vectors


@_wide
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
    if np.isnan(a).any():
        raise np.linalg.LinAlgError


def _unsuccessful(op: str, what: str) -> InvalidArgumentError:
    return InvalidArgumentError.of(
        op, f"{what} decomposition was not successful. The input might not be valid."
    )


@_wide
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


@_wide
def singular_values(a: Array) -> Array:
    """Give the singular values; they are nan where the matrix is not finite."""
    try:
        return np.linalg.svd(a, compute_uv=False)
    except np.linalg.LinAlgError:
        return svd(a, False)[0]


@_wide
def pseudo_inverse(a: Array, bound: Array) -> Array:
    """Invert what is not zero: singular values up to a bound times the largest one are."""
    s, u, v = svd(a, False)
    largest = np.max(s, axis=-1, keepdims=True, initial=0)
    kept = s > np.asarray(bound)[..., None] * largest
    kept |= np.isnan(s)
    inverted = np.where(kept, 1 / np.where(kept, s, 1), 0).astype(s.dtype)
    return (v * inverted[..., None, :]) @ adjoint(u)


# --- functions of matrices ------------------------------------------------------------------------

_PADE = (
    64764752532480000.0,
    32382376266240000.0,
    7771770303897600.0,
    1187353796428800.0,
    129060195264000.0,
    10559470521600.0,
    670442572800.0,
    33522128640.0,
    1323241920.0,
    40840800.0,
    960960.0,
    16380.0,
    182.0,
    1.0,
)
_LARGEST = 4.25
"""Up to this size the approximation of degree 13 has all digits of doubles."""


@_wide
def expm(a: Array) -> Array:
    """Give eᴬ by scaling and squaring.

    After Al-Mohy and Higham, A new scaling and squaring algorithm for the matrix exponential, SIAM
    J. Matrix Anal. Appl. 31 (2009): the scaling follows the sizes of powers of A, so that a large
    block beside the diagonal, such as that of a derivative, costs no digits.
    """
    if not a.size:
        return a.copy()
    if not np.all(np.isfinite(a)):
        return np.full_like(a, np.nan)
    a2 = a @ a
    a4 = a2 @ a2
    a6 = a4 @ a2
    size = np.maximum(_size(a4) ** 0.25, _size(a6) ** (1 / 6))
    squarings = np.ceil(np.log2(np.maximum(size, 1e-30) / _LARGEST)).clip(min=0).astype(int)
    scale = (0.5**squarings).astype(size.dtype)[..., None, None]
    even = (1.0 * scale**0, scale**2, scale**4, scale**6)
    one = np.eye(a.shape[-1], dtype=a.dtype)
    powers = [one * even[0], a2 * even[1], a4 * even[2], a6 * even[3]]
    c = [np.asarray(x, size.dtype) for x in _PADE]

    def odd_or_even(k: int) -> Array:
        high = powers[3] @ sum(c[k + 6 + 2 * i] * powers[i] for i in (3, 2, 1))
        return high + sum(c[k + 2 * i] * powers[i] for i in (3, 2, 1, 0))

    u = (a * scale) @ odd_or_even(1)
    v = odd_or_even(0)
    found = np.linalg.solve(v - u, v + u)
    for i in range(int(squarings.max())):
        squared = found @ found
        found = np.where((squarings > i)[..., None, None], squared, found)
    return found


def _size(a: Array) -> Array:
    return np.abs(a).sum(axis=-2).max(axis=-1)


_STEPS = 60


@_wide
def sqrtm(a: Array) -> Array:
    """Give the square root of which no eigenvalue has a negative real part.

    It is nan where there is none, or none of the dtype. Higham, Functions of Matrices (2008),
    equation 6.29: the product form of the iteration of Denman and Beavers, with scaling.
    """
    if a.ndim > 2:
        return np.stack([sqrtm(one) for one in a]) if a.size else a.copy()
    try:
        found = _iterated_root(a)
    except np.linalg.LinAlgError:
        found = None
    if found is None:
        found = _spectral_root(a)
    error = np.abs(found @ found - a).max(initial=0)
    bound = 1e4 * np.finfo(a.dtype).eps * max(np.abs(found).max(initial=0) ** 2, 1e-30)
    return found if error <= bound * a.shape[-1] else np.full_like(a, np.nan)


def _iterated_root(a: Array) -> Array | None:
    one = np.eye(a.shape[-1], dtype=a.dtype)
    product, root = a, a
    eps = np.finfo(a.dtype).eps
    for _ in range(_STEPS):
        reciprocal = np.linalg.inv(product)
        scale = _scale(product)
        root = 0.5 * scale * root @ (one + reciprocal / scale**2)
        product = 0.5 * (one + 0.5 * (scale**2 * product + reciprocal / scale**2))
        distance = np.abs(product - one).max(initial=0)
        if distance <= 4 * a.shape[-1] * eps:
            return root
        if not np.isfinite(distance):
            return None
    return None


def _scale(product: Array) -> Array:
    """Bring the determinant to one while the iteration is far from its end."""
    n = product.shape[-1]
    far = np.abs(product - np.eye(n)).max(initial=0) > 1e-2
    size = np.linalg.slogdet(product)[1] / (2 * n) if far and n else 0.0
    return np.exp(-size).astype(product.real.dtype)[()]


def _spectral_root(a: Array) -> Array:
    """Take the roots of the eigenvalues, for matrices that have no inverse."""
    if not np.all(np.isfinite(a)):
        return np.full_like(a, np.nan)
    values, vectors = eig(a)
    tiny = np.abs(values).max(initial=0) * a.shape[-1] * np.finfo(a.dtype).eps
    values = np.where(np.abs(values) <= tiny, 0, values)
    try:
        found = (vectors * np.sqrt(values)) @ np.linalg.inv(vectors)
    except np.linalg.LinAlgError:
        return np.full_like(a, np.nan)
    return found if a.dtype.kind == "c" else found.real.astype(a.dtype)


@_wide
def logm(a: Array) -> Array:
    """Give the logarithm of which no eigenvalue has an imaginary part beyond π.

    It is nan where there is none. Higham, Functions of Matrices (2008), algorithm 11.9 without its
    shortcuts: square roots until A is near the identity, and then a sum of partial fractions.
    """
    if a.ndim > 2:
        return np.stack([logm(one) for one in a]) if a.size else a.copy()
    one = np.eye(a.shape[-1], dtype=a.dtype)
    roots, count = a, 0
    while np.abs(roots - one).sum(axis=-2).max(initial=0) > 0.25 and count < _STEPS:
        roots, count = sqrtm(roots), count + 1
    if not np.all(np.isfinite(roots)):
        return np.full_like(a, np.nan)
    x = roots - one
    total = np.zeros_like(a)
    for node, weight in np.transpose(np.polynomial.legendre.leggauss(8)).tolist():
        total = total + weight / 2 * np.linalg.solve(one + (node + 1) / 2 * x, x)
    return total * 2.0**count


def band(a: Array, low: int | None, high: int | None) -> Array:
    """Keep some diagonals; see `Band`."""
    if low is not None:
        a = np.triu(a, low)
    return a if high is None else np.tril(a, high)


FUNCTIONS: dict[str, Callable[..., Any]] = {
    function.__name__: function
    for function in (
        inverse,
        solve,
        determinant,
        signed_log,
        cholesky,
        qr,
        eigh,
        eigvalsh,
        eig,
        svd,
        singular_values,
        pseudo_inverse,
        expm,
        sqrtm,
        logm,
        band,
    )
}
"""The names that generated code may use."""
