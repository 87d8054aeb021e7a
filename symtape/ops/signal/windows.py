"""Windows: numbers that fade a frame of a signal in and out."""

from __future__ import annotations

from typing import Any

import numpy as np

from symtape.ops.elementwise.activation import relu
from symtape.ops.elementwise.arithmetic import divide, multiply, subtract
from symtape.ops.elementwise.conversion import cast
from symtape.ops.elementwise.functions import exp, sqrt
from symtape.ops.elementwise.special import bessel_i0e
from symtape.ops.reductions.scan import cumsum
from symtape.ops.shapes.joining import concat
from symtape.ops.shapes.repetition import flipped, part_of
from symtape.ops.signal.arguments import count, floating, number
from symtape.tensor import dtypes
from symtape.tensor.convert import convert
from symtape.tensor.dispatch import invalid
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import shape_of


def hann_window(
    window_length: Any, periodic: Any = True, dtype: Any = dtypes.float32, name: str | None = None
) -> Tensor:
    """½ - ½cos(2πi/n) for i = 0, 1, …; n is the length, or the length - 1 if not `periodic`.

    A window of odd length is symmetric, whatever `periodic` says. Raises `ValueError` for a dtype
    that is not floating, and for a length that is no single number.

    >>> hann_window(4).numpy()
    array([0. , 0.5, 1. , 0.5], dtype=float32)
    """
    return _raised_cosine(window_length, periodic, dtype, 0.5, 0.5)


def hamming_window(
    window_length: Any, periodic: Any = True, dtype: Any = dtypes.float32, name: str | None = None
) -> Tensor:
    """0.54 - 0.46cos(2πi/n) for i = 0, 1, …, with the arguments and errors of `hann_window`.

    >>> hamming_window(4, dtype=dtypes.float64).numpy()
    array([0.08, 0.54, 1.  , 0.54])
    """
    return _raised_cosine(window_length, periodic, dtype, 0.54, 0.46)


def _raised_cosine(length: Any, periodic: Any, dtype: Any, a: float, b: float) -> Tensor:
    kind = floating(dtype).type
    size = _length(length)
    turned = bool(number(periodic, dtypes.bool_))
    if size == 1:
        return Tensor(np.ones(1, kind))
    last = kind(size + (1 if turned and size % 2 == 0 else 0) - 1)
    angles = kind(2 * np.pi) * _places(size, kind) / last
    return Tensor((kind(a) - kind(b) * np.cos(angles)).astype(kind))


def vorbis_window(
    window_length: Any, dtype: Any = dtypes.float32, name: str | None = None
) -> Tensor:
    """sin(π/2 sin²(π(i + ½)/n)) for i = 0, 1, …, n - 1.

    Raises `ValueError` for a dtype that is not floating, and for a length that is no single number.

    >>> vorbis_window(2, dtype=dtypes.float64).numpy().round(6)
    array([0.707107, 0.707107])
    """
    kind = floating(dtype).type
    size = _length(window_length)
    angles = kind(np.pi) / kind(max(size, 1)) * (_places(size, kind) + kind(0.5))
    return Tensor(np.sin(kind(np.pi / 2) * np.sin(angles) ** kind(2)).astype(kind))


def kaiser_window(
    window_length: Any,
    beta: Any = 12.0,
    dtype: Any = dtypes.float32,
    name: str | None = None,
) -> Tensor:
    """I₀(β√(1 - (2i/(n - 1) - 1)²)) / I₀(β) for i < n; a tape differentiates in `beta`.

    Raises `ValueError` for a dtype that is not floating, and for a length that is no single number.

    >>> kaiser_window(3, 2.0, dtype=dtypes.float64).numpy().round(6)
    array([0.438676, 1.      , 0.438676])
    """
    kind = floating(dtype).type
    size = count(convert(window_length, dtypes.int32))
    half = np.float32((size - 1) / 2)
    if size < 1:
        raise _backwards(f"{-half:g}/{half + np.float32(0.1):g}")
    if size == 1:
        return Tensor(np.ones(1, kind))
    places = _places(size, kind) - kind(half)
    factor = cast(convert(beta), dtypes.as_dtype(dtype))
    inner = convert(kind(1) - (places / kind(half)) ** 2)
    inside = multiply(factor, sqrt(relu(inner)))
    grown = divide(bessel_i0e(inside), bessel_i0e(factor))
    return multiply(exp(subtract(inside, factor)), grown)


def kaiser_bessel_derived_window(
    window_length: Any,
    beta: Any = 12.0,
    dtype: Any = dtypes.float32,
    name: str | None = None,
) -> Tensor:
    """The roots of running sums of a Kaiser window of n/2 + 1 numbers, and the same backwards.

    An odd length is rounded down. The arguments and errors are those of `kaiser_window`.

    >>> kaiser_bessel_derived_window(4, 2.0, dtype=dtypes.float64).numpy().round(6)
    array([0.483392, 0.875404, 0.875404, 0.483392])
    """
    floating(dtype)
    half = _length(window_length) // 2
    sums = cumsum(kaiser_window(half + 1, beta, dtype))
    rising = sqrt(divide(part_of(sums, 0, 0, shape_of(sums)[0] - 1), sums[-1]))
    return concat([rising, flipped(rising, [0])], 0)


def _places(size: int, kind: Any) -> Any:
    return np.arange(size).astype(kind)


def _length(value: Any) -> int:
    """Read a length; TensorFlow counts up to it, and says so where it is negative."""
    size = count(convert(value, dtypes.int32))
    if size < 0:
        raise _backwards(f"0/{size}")
    return size


def _backwards(ends: str) -> Exception:
    return invalid("Range", f"Requires start <= limit when delta > 0: {ends}")
