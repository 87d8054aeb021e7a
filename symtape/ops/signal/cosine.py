"""Cosine transforms of the last axis, of the types 1 to 4."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from symtape.ops.arguments import scalar, tensor
from symtape.ops.elementwise.arithmetic import multiply
from symtape.ops.elementwise.conversion import cast
from symtape.ops.elementwise.functions import real
from symtape.ops.shapes.repetition import part_of
from symtape.ops.signal.fourier import along, resized, transformed, unit_powers
from symtape.program.operations import dtype_name
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import dtype_of, shape_of

_WHOLE = 256
"""So many elements are transformed by one matrix; more of them by a Fourier transform."""

_INVERSE = {1: 1, 2: 3, 3: 2, 4: 4}


def dct(
    input: Any,
    type: int = 2,
    n: Any = None,
    axis: int = -1,
    norm: str | None = None,
    name: str | None = None,
) -> Tensor:
    """The cosine transform of the last axis, which is cut or filled up with zeros to `n` elements.

    `type` is 1, 2, 3 or 4, and `norm` is None or "ortho", which type 1 does not have; yₖ is a sum
    over j of 2xⱼ, with j, k = 0, 1, …, n - 1, times

    1. cos(πjk/(n - 1)), where x₀ and xₙ₋₁ count half,
    2. cos(πk(2j + 1)/2n),
    3. cos(πj(2k + 1)/2n), where x₀ counts half,
    4. cos(π(2j + 1)(2k + 1)/4n).

    Raises `NotImplementedError` for another axis than -1, `ValueError` for other types and norms
    and for `n` below 1, `TypeError` for what is not float32 or float64.

    >>> dct([1.0, 1.0]).numpy()
    array([4., 0.], dtype=float32)
    """
    return _transformed(input, type, n, axis, norm, type)


def idct(
    input: Any,
    type: int = 2,
    n: Any = None,
    axis: int = -1,
    norm: str | None = None,
    name: str | None = None,
) -> Tensor:
    """The inverse of `dct` of that type, times 2n (2n - 2 for type 1) unless `norm` is "ortho".

    The arguments and errors are those of `dct`.

    >>> idct([4.0, 0.0]).numpy()
    array([4., 4.], dtype=float32)
    """
    return _transformed(input, type, n, axis, norm, _INVERSE.get(type, 0))


def _transformed(value: Any, type: int, n: Any, axis: int, norm: Any, own: int) -> Tensor:
    _check(type, n, axis, norm)
    x = tensor(value)
    if type == 1 and shape_of(x)[-1] < 2:
        raise ValueError("Type-I DCT requires the dimension to be greater than one.")
    _check_dtype(x)
    if n is not None:
        x = resized(x, x.ndim - 1, scalar(n))
    count = shape_of(x)[-1]
    if count == 0 or (own == 1 and count == 1):
        return x
    if count <= _WHOLE:
        return along(x, _matrix(own, count, norm, dtype_name(dtype_of(x))), x.ndim - 1)
    return _by_fourier(x, _parts(own, count, norm))


def _check(type: int, n: Any, axis: int, norm: Any) -> None:
    if axis != -1:
        raise NotImplementedError(f"axis must be -1. Got: {axis}")
    if n is not None and n < 1:
        raise ValueError("n should be a positive integer or None")
    if type not in {1, 2, 3, 4}:
        raise ValueError("Types I, II, III and IV (I)DCT are supported.")
    if type == 1 and norm == "ortho":
        raise ValueError("Normalization is not supported for the Type-I DCT.")
    if norm not in {None, "ortho"}:
        raise ValueError(f"Unknown normalization. Expected None or 'ortho', got: {norm}")


def _check_dtype(x: Tensor) -> None:
    if x.dtype.is_integer or x.dtype.is_bool:
        raise TypeError(f"Cannot convert 0.0 to EagerTensor of dtype {x.dtype.name}")
    if x.dtype.is_complex:
        raise AssertionError("a cosine transform takes float32 or float64: transform each part")
    if x.dtype.name not in {"float32", "float64"}:
        raise TypeError(
            f"The `real` and `imag` components have incorrect types: {x.dtype.name} "
            f"{x.dtype.name}. They must be consistent, and one of [tf.float32, tf.float64]"
        )


class _Parts(NamedTuple):
    """yₖ = rₖ Σⱼ wⱼxⱼ cos(2π(c·jk + d·j + e·k + f)/m)."""

    rows: Any
    weights: Any
    phase: tuple[int, int, int, int]
    whole: int


def _parts(type: int, n: int, norm: str | None) -> _Parts:
    weights, rows = np.full(n, 2.0), np.ones(n)
    if type in {1, 3}:
        weights[0] = 1
    if type == 1:
        weights[-1] = 1
        return _Parts(rows, weights, (1, 0, 0, 0), 2 * n - 2)
    if norm == "ortho":
        scaled = weights if type == 3 else rows
        scaled *= np.sqrt(0.5 / n)
        if type != 4:
            scaled[0] *= np.sqrt(2) if type == 3 else np.sqrt(0.5)
    phase = {2: (2, 0, 1, 0), 3: (2, 1, 0, 0), 4: (4, 2, 2, 1)}[type]
    return _Parts(rows, weights, phase, 8 * n if type == 4 else 4 * n)


@lru_cache(maxsize=64)
def _matrix(type: int, n: int, norm: str | None, dtype: str) -> Any:
    rows, weights, (c, d, e, f), whole = _parts(type, n, norm)
    k, j = np.ogrid[:n, :n]
    cosines = unit_powers(c * j * k + d * j + e * k + f, whole, 1).real
    return (rows[:, None] * cosines * weights).astype(dtype)


def _by_fourier(x: Tensor, parts: _Parts) -> Tensor:
    """The real part of what is turned, transformed, and turned again."""
    rows, weights, (c, d, e, f), whole = parts
    n, last = shape_of(x)[-1], x.ndim - 1
    own = np.arange(n)
    dtype = np.result_type(dtype_of(x), np.complex64)
    before = Tensor((weights * unit_powers(d * own, whole, 1)).astype(dtype))
    after = Tensor((rows * unit_powers(e * own + f, whole, 1)).astype(dtype))
    wide = resized(multiply(cast(x, dtype), before), last, whole // c)
    return real(multiply(part_of(transformed(wide, last, 1), last, 0, n), after))
