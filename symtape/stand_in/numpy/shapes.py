"""Shapes and orders of axes in `tf.experimental.numpy`: reshaping, turning, joining, splitting."""

from __future__ import annotations

from typing import Any

import numpy as np

from symtape.errors import InvalidArgumentError
from symtape.ops.shapes import joining, repetition, shaping
from symtape.stand_in.numpy.dtypes import (
    asarray,
)
from symtape.tensor import dtypes
from symtape.tensor.convert import convert
from symtape.tensor.shape import TensorShape
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import shape_of, size_of


def size(x: Any, axis: Any = None) -> Any:
    """How many elements there are; raises `NotImplementedError` for an `axis`.

    >>> size([1, 2])
    np.int64(2)
    """
    if axis is not None:
        raise NotImplementedError(
            "axis argument is not supported in the current `np.size` implementation"
        )
    if isinstance(x, (int, float, np.int32, np.int64, np.float32, np.float64)):
        return 1
    return np.int64(size_of(asarray(x)))


def shape(a: Any) -> TensorShape:
    """The sizes of the axes.

    >>> shape([[1, 2]])
    TensorShape([1, 2])
    """
    return asarray(a).shape


def ndim(a: Any) -> int:
    """The number of axes.

    >>> ndim([[1, 2]])
    2
    """
    return asarray(a).ndim


def isscalar(num: Any) -> bool:
    """Say whether there are no axes.

    >>> isscalar(2.0)
    True
    """
    return ndim(num) == 0


def ravel(a: Any) -> Tensor:
    """The elements along one axis.

    >>> ravel([[1, 2]]).numpy()
    array([1, 2])
    """
    return shaping.reshape(asarray(a), [-1])


def flatten(a: Any, order: str = "C") -> Tensor:
    """The elements along one axis, row by row, or for "F" column by column.

    Raises `ValueError` for another order.

    >>> flatten([[1, 2], [3, 4]], "F").numpy()
    array([1, 3, 2, 4])
    """
    if order not in {"C", "A", "K", "F"}:
        raise ValueError("order can only be C, A, K (all row major) or F (column major).")
    x = asarray(a)
    return shaping.reshape(shaping.transpose(x) if order == "F" else x, [-1])


def reshape(a: Any, newshape: Any, order: str = "C") -> Tensor:
    """The elements with other sizes of axes, row by row, or for "F" column by column.

    Raises `ValueError` for another order.

    >>> reshape([1, 2, 3, 4], (2, 2), "F").numpy()
    array([[1, 3],
           [2, 4]])
    """
    if order not in {"C", "F"}:
        raise ValueError(f"Unsupported order argument {order}")
    x = asarray(a)
    sizes = [newshape] if isinstance(newshape, int) else newshape
    if order == "C":
        return shaping.reshape(x, sizes)
    return shaping.transpose(shaping.reshape(shaping.transpose(x), sizes[::-1]))


def expand_dims(a: Any, axis: Any) -> Tensor:
    """A new axis of size one.

    >>> expand_dims([1, 2], 0).numpy()
    array([[1, 2]])
    """
    return shaping.expand_dims(asarray(a), axis)


def squeeze(a: Any, axis: Any = None) -> Tensor:
    """Without axes of size one.

    >>> squeeze([[1, 2]]).numpy()
    array([1, 2])
    """
    return shaping.squeeze(asarray(a), axis)


def transpose(a: Any, axes: Any = None) -> Tensor:
    """With the axes in another order, or the other way round.

    >>> transpose([[1, 2]]).numpy()
    array([[1],
           [2]])
    """
    return shaping.transpose(asarray(a), axes if axes is None else asarray(axes))


def swapaxes(a: Any, axis1: Any, axis2: Any) -> Tensor:
    """With two axes exchanged.

    >>> swapaxes([[1, 2]], 0, 1).numpy()
    array([[1],
           [2]])
    """
    x = asarray(a)
    order = list(range(x.ndim))
    one, other = (n + x.ndim if n < 0 else n for n in map(int, (axis1, axis2)))
    order[one], order[other] = other, one
    return shaping.transpose(x, order)


def moveaxis(a: Any, source: Any, destination: Any) -> Any:
    """With axes at other places; raises `ValueError` if there are not as many places.

    >>> moveaxis([[1, 2]], 0, 1).numpy()
    array([[1],
           [2]])
    """
    if not source and not destination:
        return a
    x = asarray(a)
    old, new = ((n,) if isinstance(n, int) else tuple(n) for n in (source, destination))
    if len(old) != len(new):
        raise ValueError("The lengths of source and destination must equal")
    old, new = (tuple(n + x.ndim if n < 0 else n for n in axes) for axes in (old, new))
    order = [n for n in range(x.ndim) if n not in old]
    for place, axis in sorted(zip(new, old, strict=True)):
        order.insert(place, axis)
    return shaping.transpose(x, order)


def pad(array: Any, pad_width: Any, mode: str, **kwargs: Any) -> Tensor:
    """Wider along its axes, by a constant or by what is there.

    Raises `ValueError` for a mode that is not "constant", "reflect" or "symmetric".

    >>> pad([1, 2], [[1, 0]], "constant").numpy()
    array([0, 1, 2])
    """
    if mode not in {"constant", "reflect", "symmetric"}:
        raise ValueError("Unsupported padding mode: " + mode)
    widths = asarray(pad_width, dtypes.int32)
    return joining.pad(asarray(array), widths, mode.upper(), kwargs.get("constant_values", 0))


def flip(m: Any, axis: Any = None) -> Tensor:
    """The other way round along an axis, or along all.

    >>> flip([1, 2]).numpy()
    array([2, 1])
    """
    x = asarray(m)
    if axis is None or not x.ndim:
        return repetition.reverse(x, list(range(x.ndim)))
    return repetition.reverse(x, [axis + x.ndim if axis < 0 else axis])


def flipud(m: Any) -> Tensor:
    """The other way round along the first axis.

    >>> flipud([1, 2]).numpy()
    array([2, 1])
    """
    return flip(m, 0)


def fliplr(m: Any) -> Tensor:
    """The other way round along the second axis.

    >>> fliplr([[1, 2]]).numpy()
    array([[2, 1]])
    """
    return flip(m, 1)


def roll(a: Any, shift: Any, axis: Any = None) -> Tensor:
    """Moved along an axis, or along all elements; what leaves comes in at the other end.

    >>> roll([1, 2, 3], 1).numpy()
    array([3, 1, 2])
    """
    x = asarray(a)
    if axis is not None:
        return repetition.roll(x, shift, axis)
    line = repetition.roll(shaping.reshape(x, [-1]), shift, 0)
    return shaping.reshape(line, shape_of(x))


def rot90(m: Any, k: int = 1, axes: Any = (0, 1)) -> Any:
    """Turned by a right angle `k` times, in the plane of two axes.

    >>> rot90([[1, 2]]).numpy()
    array([[2],
           [1]])
    """
    rank = convert(m).ndim
    one, other = (n + rank if n < 0 else n for n in axes)
    turns = k % 4
    if turns == 0:
        return m
    if turns == 2:
        return flip(flip(m, one), other)
    for place, axis in enumerate((one, other)):
        if axis >= rank:
            raise _no_axis(place, axis, rank)
    if turns == 1:
        return swapaxes(flip(m, other), one, other)
    return flip(swapaxes(m, one, other), other)


def _no_axis(place: int, axis: int, rank: int) -> InvalidArgumentError:
    """Say that an axis is not there, as TensorFlow's scattering of axes does."""
    text = f"indices[{place}] = [{axis}] does not index into shape [{rank}]"
    return InvalidArgumentError(
        message=text if rank else "Indices and updates specified for empty output shape"
    )
