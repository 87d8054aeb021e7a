"""Discrete Fourier transforms of one axis, as products with the matrix of roots of unity."""

from __future__ import annotations

from functools import lru_cache
from math import isqrt
from typing import Any

import numpy as np

from symtape.ops.elementwise.arithmetic import multiply
from symtape.ops.elementwise.functions import real
from symtape.ops.shapes.repetition import part_of
from symtape.ops.shapes.shaping import with_shape
from symtape.program.kinds.structural import Embed
from symtape.program.operations import Einsum, dtype_name
from symtape.tensor.dispatch import apply, apply1
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import dtype_of, shape_of

WHOLE = 256
"""So many elements are transformed by one matrix; more of them in parts."""

_ZERO = 1e-12
"""The parts of a root of unity that are smaller are zero: others are larger than 2π/n."""


def roots_of_unity(n: int, sign: int, dtype: Any) -> Any:
    """exp(±2πi·jk/n); the exponent is reduced first, so that it keeps its digits.

    >>> roots_of_unity(4, -1, np.complex64)[1]
    array([ 1.+0.j,  0.-1.j, -1.+0.j,  0.+1.j], dtype=complex64)
    """
    places = np.outer(np.arange(n), np.arange(n))
    return unit_powers(places, n, sign).astype(dtype)


def unit_powers(places: Any, n: int, sign: int) -> Any:
    """exp(±2πi·p/n) of whole numbers p, with zeros that are zero."""
    angles = 2 * np.pi * (places % n) / max(n, 1)
    parts = [np.where(np.abs(part) < _ZERO, 0, part) for part in (np.cos(angles), np.sin(angles))]
    return parts[0] + sign * 1j * parts[1]


def along(x: Tensor, matrix: Any, axis: int) -> Tensor:
    """Multiply one axis by a matrix."""
    own = list(range(x.ndim))
    result = [100 if k == axis else k for k in own]
    return apply(Einsum.of([[100, axis], own], result), Tensor(matrix), x)


def transformed(z: Tensor, axis: int, sign: int) -> Tensor:
    """Σⱼ exp(±2πi·jk/n) zⱼ along an axis of a complex tensor, for any n.

    >>> z = Tensor(np.array([1, 2, 3, 4], np.complex64))
    >>> transformed(z, 0, -1).numpy()
    array([10.+0.j, -2.+2.j, -2.+0.j, -2.-2.j], dtype=complex64)
    """
    n = shape_of(z)[axis]
    if n <= WHOLE:
        return along(z, _matrix(n, sign, dtype_name(dtype_of(z))), axis)
    width = _divisor(n)
    return _in_parts(z, axis, sign, width) if width > 1 else _as_convolution(z, axis, sign)


@lru_cache(maxsize=64)
def _matrix(n: int, sign: int, dtype: str) -> Any:
    return roots_of_unity(n, sign, dtype)


def _divisor(n: int) -> int:
    """Give the largest divisor that is not above the square root."""
    return next(k for k in range(isqrt(n), 0, -1) if n % k == 0)


def _in_parts(z: Tensor, axis: int, sign: int, width: int) -> Tensor:
    """Cooley and Tukey's: with j = b j₁ + j₂, k = k₁ + a k₂, jk/n = j₁k₁/a + j₂k₁/n + j₂k₂/b."""
    shape = shape_of(z)
    n = shape[axis]
    height = n // width
    table = with_shape(z, (*shape[:axis], height, width, *shape[axis + 1 :]))
    first = transformed(table, axis, sign)
    places = np.outer(np.arange(height), np.arange(width))
    turned = multiply(first, _column(unit_powers(places, n, sign), first, axis))
    second = transformed(turned, axis + 1, sign)
    names = list(range(second.ndim))
    names[axis], names[axis + 1] = axis + 1, axis
    return with_shape(apply1(Einsum.of([range(second.ndim)], names), second), shape)


def _as_convolution(z: Tensor, axis: int, sign: int) -> Tensor:
    """Bluestein's: jk = (j² + k² - (k - j)²)/2, so that it is a convolution of any larger size."""
    n = shape_of(z)[axis]
    size = 1 << (2 * n - 2).bit_length()
    chirp = unit_powers(np.arange(n) ** 2, 2 * n, sign)
    around = np.zeros(size, complex)
    around[:n] = chirp.conj()
    around[size - n + 1 :] = chirp[:0:-1].conj()
    wide = _widened(multiply(z, _column(chirp, z, axis)), axis, size)
    spectrum = multiply(transformed(wide, axis, -1), _column(np.fft.fft(around) / size, wide, axis))
    back = part_of(transformed(spectrum, axis, 1), axis, 0, n)
    return multiply(back, _column(chirp, z, axis))


def _column(values: Any, z: Tensor, axis: int) -> Tensor:
    """Put numbers along some axes of a tensor, beginning with `axis`."""
    after = z.ndim - axis - values.ndim
    return Tensor(values.astype(dtype_of(z)).reshape(*values.shape, *[1] * after))


def _widened(z: Tensor, axis: int, size: int) -> Tensor:
    """Put zeros after the elements of an axis."""
    shape = shape_of(z)
    ranges = tuple([(0, 1, n) for n in shape])
    return apply1(Embed(ranges, (*shape[:axis], size, *shape[axis + 1 :])), z)


def resized(x: Tensor, axis: int, size: int) -> Tensor:
    """Cut an axis to a size, or put zeros after its elements.

    >>> resized(Tensor(np.array([1.0, 2.0])), 0, 3).numpy()
    array([1., 2., 0.])
    """
    n = shape_of(x)[axis]
    return part_of(x, axis, 0, size) if size <= n else _widened(x, axis, size)


# --- real transforms of the last axis -------------------------------------------------------------


def half(z: Tensor, n: int) -> Tensor:
    """Transform the last axis, of numbers that are real: the first n/2 + 1 elements say all."""
    count = n // 2 + 1 if n else 0
    if n <= WHOLE:
        return along(z, _half_matrix(n, count, dtype_name(dtype_of(z))), z.ndim - 1)
    return part_of(transformed(z, z.ndim - 1, -1), z.ndim - 1, 0, count)


@lru_cache(maxsize=64)
def _half_matrix(n: int, count: int, dtype: str) -> Any:
    return roots_of_unity(n, -1, dtype)[:count]


def mirrored(z: Tensor, n: int) -> Tensor:
    """Re Σₖ wₖ exp(2πi·jk/n) zₖ/n; w is 2 where element -k is another one that mirrors k."""
    last, count = z.ndim - 1, shape_of(z)[-1]
    own = np.arange(count)
    weights = (np.where(2 * own % max(n, 1) == 0, 1, 2) / max(n, 1)).astype(dtype_of(z))
    if n <= WHOLE:
        return real(along(z, roots_of_unity(n, 1, dtype_of(z))[:, :count] * weights, last))
    wide = resized(multiply(z, Tensor(weights)), last, n)
    return real(transformed(wide, last, 1))
