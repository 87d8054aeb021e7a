"""Several arrays made one, and one made several, in `tf.experimental.numpy`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

from symtape.ops.arguments import integers, is_tensor
from symtape.ops.shapes import joining, repetition, shaping
from symtape.ops.shapes.known import broadcast_dynamic_shape
from symtape.stand_in.numpy.dtypes import Run, array, asarray, named, promoted, result_type
from symtape.stand_in.numpy.shapes import ravel, swapaxes
from symtape.stand_in.promotion.functions import by_name
from symtape.stand_in.promotion.lattice import Promotion
from symtape.tensor import dtypes
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import shape_of

_array, _reshape = by_name(asarray), by_name(shaping.reshape)


def _at_least(name: str, rank: int, widened: Callable[[Sequence[int]], list[int]]) -> Run:
    def one(value: Any) -> Tensor:
        x = _array(value)
        made: Tensor = x if x.ndim >= rank else _reshape(x, widened(shape_of(x)))
        return made

    def function(*arys: Any) -> Any:
        made = [*map(one, arys)]
        return made[0] if len(made) == 1 else made

    return named(function, name, f"The array with {rank} axes at least")


def _led(rank: int) -> Callable[[Sequence[int]], list[int]]:
    return lambda sizes: [1] * (rank - len(sizes)) + list(sizes)


atleast_1d = _at_least("atleast_1d", 1, _led(1))
atleast_2d = _at_least("atleast_2d", 2, _led(2))
atleast_3d = _at_least("atleast_3d", 3, lambda sizes: [*_led(2)(sizes), 1])


def concatenate(arys: Any, axis: int = 0) -> Tensor:
    """Arrays one after another along an axis; raises `ValueError` for none.

    >>> concatenate([[1], [2.5]]).numpy()
    array([1. , 2.5])
    """
    parts = arys if isinstance(arys, (list, tuple)) else [arys]
    if not parts:
        raise ValueError(
            f"Need at least one array to concatenate. Received empty input: arys={arys}"
        )
    kind = result_type(*parts)
    return joining.concat([array(part, kind) for part in parts], axis)


def append(arr: Any, values: Any, axis: int | None = None) -> Tensor:
    """An array with others behind it; without an axis along one.

    >>> append([1], [[2, 3]]).numpy()
    array([1, 2, 3])
    """
    if axis is None:
        parts = promoted(arr, values) if Promotion.mode else [arr, values]
        return concatenate([*map(ravel, parts)], 0)
    return concatenate([arr, values], axis=axis)


def stack(arrays: Any, axis: int = 0) -> Tensor:
    """Arrays of one shape along a new axis.

    >>> stack([[1, 2], [3, 4]], 1).numpy()
    array([[1, 3],
           [2, 4]])
    """
    if is_tensor(arrays):
        return asarray(arrays) if axis == 0 else swapaxes(arrays, 0, axis)
    return joining.stack(promoted(*arrays), axis)


def hstack(tup: Any) -> Tensor:
    """Arrays along the second axis, or vectors along their only one.

    >>> hstack([[1], [2, 3]]).numpy()
    array([1, 2, 3])
    """
    parts = promoted(*[atleast_1d(a) for a in tup])
    return joining.concat(parts, 0 if parts[0].ndim == 1 else 1)


def vstack(tup: Any) -> Tensor:
    """Arrays along the first axis; vectors are rows.

    >>> vstack([[1, 2], [3, 4]]).numpy()
    array([[1, 2],
           [3, 4]])
    """
    return joining.concat(promoted(*[atleast_2d(a) for a in tup]), 0)


def dstack(tup: Any) -> Tensor:
    """Arrays along the third axis.

    >>> dstack([[1, 2], [3, 4]]).numpy()
    array([[[1, 3],
            [2, 4]]])
    """
    return joining.concat(promoted(*[atleast_3d(a) for a in tup]), 2)


def broadcast_arrays(*args: Any, **kwargs: Any) -> Any:
    """Arrays repeated to one shape; raises `ValueError` for words that are not supported.

    >>> [x.numpy().tolist() for x in broadcast_arrays([1, 2], 3)]
    [[1, 2], [3, 3]]
    """
    if kwargs.pop("subok", False):
        raise ValueError("subok=True is not supported.")
    if kwargs:
        raise ValueError(f"Received unsupported arguments {kwargs.keys()}")
    return spread(*map(asarray, args))


def spread(*parts: Tensor) -> Any:
    """Repeat tensors to their common shape; one of them is left as it is."""
    if len(parts) <= 1:
        return parts
    shape: Any = shape_of(parts[0])
    for part in parts[1:]:
        shape = broadcast_dynamic_shape(shape, shape_of(part))
    return [repetition.broadcast_to(x, shape) for x in parts]


def split(ary: Any, indices_or_sections: Any, axis: int = 0) -> list[Tensor]:
    """Parts along an axis: so many of one size, or between places.

    Raises `ValueError` for an axis that is not there, and for places that are not in order.

    >>> [x.numpy().tolist() for x in split([1, 2, 3], [1])]
    [[1], [2, 3]]
    """
    x = asarray(ary)
    parts = indices_or_sections
    if not isinstance(parts, int):
        parts = _between(x, parts, axis)
    made: list[Tensor] = joining.split(x, parts, axis)
    return made


def _between(x: Tensor, places: Any, axis: int) -> list[int]:
    """Give the sizes of the parts between places; those beyond the end are empty."""
    if axis >= x.ndim:
        raise ValueError(f"axis {axis} is out of bound for shape {x.shape}")
    total = shape_of(x)[axis]
    bounds = [0, *places]
    sizes: list[int] = []
    for k, (last, place) in enumerate(pairwise(bounds)):
        if place < last:
            raise ValueError(
                f"The {k}-th boundary {place!s} is smaller than the previous boundary {last!s}"
            )
        sizes.append(int(min(place - last, max(0, total - sum(sizes)))))
    return [*sizes, max(0, total - sum(sizes))]


def _split_along(name: str, axis: int) -> Run:
    def function(ary: Any, indices_or_sections: Any) -> list[Tensor]:
        along = 0 if axis == 1 and asarray(ary).ndim == 1 else axis
        is_count = isinstance(indices_or_sections, int)
        if is_count and ary.shape[along] % indices_or_sections:
            raise ValueError("array split does not result in an equal division")
        return split(ary, indices_or_sections, along)

    return named(function, name, f"Parts along axis {axis}")


vsplit, hsplit, dsplit = (_split_along(f"{c}split", k) for k, c in enumerate("vhd"))


def tile(a: Any, reps: Any) -> Tensor:
    """An array many times along its axes.

    >>> tile([1, 2], 2).numpy()
    array([1, 2, 1, 2])
    """
    x = array(a)
    times = integers(array(reps, dtypes.int32))
    lead = [1] * (len(times) - x.ndim)
    times = [1] * (x.ndim - len(times)) + times
    return repetition.tile(shaping.reshape(x, [*lead, *shape_of(x)]), times)
