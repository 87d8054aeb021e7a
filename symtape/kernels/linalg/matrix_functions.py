"""How NumPy computes functions of square matrices: exponential, square root, logarithm."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from symtape.kernels.linalg import linear_algebra
from symtape.kernels.linalg.linear_algebra import Array, wide

PADE = (
    64764752532480000.0, 32382376266240000.0, 7771770303897600.0, 1187353796428800.0,
    129060195264000.0, 10559470521600.0, 670442572800.0, 33522128640.0, 1323241920.0, 40840800.0,
    960960.0, 16380.0, 182.0, 1.0,
)  # fmt: skip
LARGEST = 4.25
"""Up to this size the approximation of degree 13 has all digits of doubles."""


@wide
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
    squarings = np.ceil(np.log2(np.maximum(size, 1e-30) / LARGEST)).clip(min=0).astype(int)
    scale = (0.5**squarings).astype(size.dtype)[..., None, None]
    even = (1.0 * scale**0, scale**2, scale**4, scale**6)
    one = np.eye(a.shape[-1], dtype=a.dtype)
    powers = [one * even[0], a2 * even[1], a4 * even[2], a6 * even[3]]
    c = [np.asarray(x, size.dtype) for x in PADE]

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


@wide
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
    values, vectors = linear_algebra.eig(a)
    tiny = np.abs(values).max(initial=0) * a.shape[-1] * np.finfo(a.dtype).eps
    values = np.where(np.abs(values) <= tiny, 0, values)
    try:
        found = (vectors * np.sqrt(values)) @ np.linalg.inv(vectors)
    except np.linalg.LinAlgError:
        return np.full_like(a, np.nan)
    return found if a.dtype.kind == "c" else found.real.astype(a.dtype)


@wide
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


FUNCTIONS: dict[str, Callable[..., Any]] = {f.__name__: f for f in (expm, sqrtm, logm)}
"""The names that generated code may use."""
