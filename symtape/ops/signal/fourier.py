"""Discrete Fourier transforms of one axis, of complex numbers and of real ones."""

from __future__ import annotations

from typing import Any

import numpy as np

from symtape.ops.elementwise.arithmetic import divide, multiply
from symtape.ops.elementwise.conversion import cast
from symtape.ops.elementwise.functions import real, sqrt
from symtape.ops.shapes.repetition import part_of
from symtape.program.kinds.structural import Embed, Fourier
from symtape.program.operations import Count, Einsum, dtype_name, identity, partner
from symtape.tensor.dispatch import apply, apply1
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import dtype_of, shape_of

_ZERO = 1e-12
"""The parts of a root of unity that are smaller are zero: others are larger than 2π/n."""


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


def transformed(z: Tensor, axis: int, sign: int, power: float = 0) -> Tensor:
    """Σⱼ exp(±2πi·jk/n) zⱼ along an axis of a complex tensor, times a power of n: 0, -1/2 or -1.

    >>> z = Tensor(np.array([1, 2, 3, 4], np.complex64))
    >>> transformed(z, 0, -1).numpy()
    array([10.+0.j, -2.+2.j, -2.+0.j, -2.-2.j], dtype=complex64)
    """
    n = shape_of(z)[axis]
    found = apply1(Fourier(axis - z.ndim, sign) if n else identity, z)
    if power == 0 or n <= 1:
        return found
    dtype = partner(dtype_of(z), "real")
    count = apply1(Count((axis - z.ndim,), dtype_name(dtype)), z)
    return divide(found, cast(count if power == -1 else sqrt(count), dtype_of(z)))


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


# --- transforms of real numbers -------------------------------------------------------------------


def half(z: Tensor, n: int, power: float = 0, axis: int = -1) -> Tensor:
    """Transform an axis of numbers that are real: the first n/2 + 1 elements say all."""
    axis %= z.ndim
    return part_of(transformed(z, axis, -1, power), axis, 0, n // 2 + 1 if n else 0)


def mirrored(z: Tensor, n: int, power: float = -1, axis: int = -1) -> Tensor:
    """Re Σₖ wₖ exp(2πi·jk/n) zₖ nᵖ of n/2 + 1 elements; w is 2 where -k is one that mirrors k."""
    axis %= z.ndim
    places = np.arange(shape_of(z)[axis])
    weights = np.where(2 * places % max(n, 1) == 0, 1, 2).astype(dtype_of(z))
    column = Tensor(weights.reshape(-1, *[1] * (z.ndim - axis - 1)))
    return real(transformed(resized(multiply(z, column), axis, n), axis, 1, power))
