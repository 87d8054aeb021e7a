"""Ranges, grids and powers in `tf.experimental.numpy`."""

from __future__ import annotations

from typing import Any

import numpy as np

from symtape.ops.elementwise import arithmetic
from symtape.ops.elementwise.conversion import cast
from symtape.ops.shapes import grids
from symtape.ops.shapes.shaping import expand_dims
from symtape.stand_in.numpy.creation import zeros
from symtape.stand_in.numpy.dtypes import array, asarray, operand, result_type, wanted
from symtape.stand_in.numpy.elementwise import log10, real, sign
from symtape.stand_in.numpy.shapes import moveaxis
from symtape.tensor import dtypes
from symtape.tensor.dtypes import DType
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import shape_of


def arange(start: Any, stop: Any = None, step: Any = 1, dtype: Any = None) -> Tensor:
    """Numbers from `start`, or 0, to `stop`, which is left out.

    Raises `ValueError` if `step` is zero.

    >>> arange(3).numpy()
    array([0, 1, 2])
    """
    if not step:
        raise ValueError("step must be non-zero.")
    ends = (start, step) if stop is None else (start, step, stop)
    kind = wanted(dtype) or result_type(*ends)
    first, last = (0, start) if stop is None else (start, stop)
    if (step > 0 and first > last) or (step < 0 and first < last):
        return array([], dtype=kind)
    return cast(grids.range(start, stop, step), kind)


def _ends_dtype(start: Any, stop: Any) -> DType:
    return result_type([start * 1.0, stop * 1.0])


def linspace(
    start: Any,
    stop: Any,
    num: int = 50,
    endpoint: bool = True,
    retstep: bool = False,
    dtype: Any = float,
    axis: int = 0,
) -> Any:
    """Numbers at equal distances; `retstep` gives the distance, too.

    The dtype is that of the ends, as in NumPy 2. Raises `ValueError` if `num` is negative.

    >>> linspace(0.0, 1.0, 3).numpy()
    array([0. , 0.5, 1. ])
    """
    kind = _ends_dtype(start, stop) if dtype else None
    first, last = array(start, kind), array(stop, kind)
    if num < 0:
        raise ValueError(
            "Argument `num` (number of samples) must be a non-negative integer. "
            f"Received: num={num}"
        )
    found = grids.linspace(first, last, num, axis=axis) if endpoint else None
    parts = num - 1 if endpoint else num
    step = (last - first) / parts if parts > 0 else array(np.float32(np.nan))
    if found is None:
        last = cast(last, step.dtype) - step if num > 1 else last
        found = grids.linspace(cast(first, last.dtype), last, num, axis=axis)
    found = found if kind is None else cast(found, kind)
    return (found, step) if retstep else found


def logspace(
    start: Any,
    stop: Any,
    num: int = 50,
    endpoint: bool = True,
    base: Any = 10.0,
    dtype: Any = None,
    axis: int = 0,
) -> Tensor:
    """Powers of `base` whose exponents lie at equal distances.

    >>> logspace(0.0, 2.0, 3).numpy()
    array([  1.,  10., 100.])
    """
    kind = _ends_dtype(start, stop)
    exponents = linspace(start, stop, num, endpoint, dtype=kind, axis=axis)
    return cast(arithmetic.pow(operand(base, exponents.dtype), exponents), kind)


def geomspace(
    start: Any,
    stop: Any,
    num: int = 50,
    endpoint: bool = True,
    dtype: Any = None,
    axis: int = 0,
) -> Tensor:
    """Numbers of which each is the same multiple of the one before.

    >>> geomspace(1.0, 100.0, 3).numpy()
    array([  1.,  10., 100.])
    """
    further = zeros((), dtype)
    kind = result_type(start, stop, float(num), further)
    wide = dtypes.as_dtype(np.promote_types(kind.numpy, np.float32))
    first, last = asarray(start, wide), asarray(stop, wide)
    signs = 1 - sign(real(first)), 1 - sign(real(last))
    flip = 1 - signs[0] * signs[1] // 2
    powers = logspace(log10(flip * first), log10(flip * last), num, endpoint, dtype=wide)
    found = flip * powers
    placed = found if axis == 0 else moveaxis(found, 0, axis)
    return cast(placed, dtype or kind)


def meshgrid(*xi: Any, **kwargs: Any) -> list[Tensor]:
    """The coordinates of the points of a grid, an array for each axis.

    Raises `ValueError` for `sparse=True` and `copy=False`.

    >>> [x.numpy().tolist() for x in meshgrid([1, 2], [3])]
    [[[1, 2]], [[3, 3]]]
    """
    if sparse := kwargs.get("sparse", False):
        raise ValueError(
            "Function `meshgrid` does not support returning sparse arrays yet. "
            f"Received: sparse={sparse}"
        )
    if not (copy := kwargs.get("copy", True)):
        raise ValueError(f"Function `meshgrid` only supports copy=True. Received: copy={copy}")
    made: list[Tensor] = grids.grids(map(asarray, xi), kwargs.get("indexing", "xy"))
    return [cast(x, result_type(x.dtype, made[0].dtype)) for x in made]


def vander(x: Any, N: Any = None, increasing: bool = False) -> Tensor:  # noqa: N803 - NumPy's name
    """Powers of numbers, a row for each.

    Raises `ValueError` if there are more axes than one, or if `N` is negative.

    >>> vander([1, 2], 3).numpy()
    array([[1, 1, 1],
           [4, 2, 1]])
    """
    points = asarray(x)
    count = shape_of(points)[0] if N is None else int(N)
    if count < 0:
        raise ValueError("N must be nonnegative")
    if points.ndim != 1:
        raise ValueError("x must be a one-dimensional array")
    exponents = np.arange(count) if increasing else np.arange(count)[::-1]
    return arithmetic.pow(expand_dims(points, -1), array(exponents, points.dtype))
