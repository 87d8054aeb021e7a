"""Elements that are chosen by places or by truth values, in `tf.experimental.numpy`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from symtape.ops.arguments import is_tensor
from symtape.ops.elementwise import arithmetic, comparison
from symtape.ops.elementwise.conversion import cast
from symtape.ops.indexing import gathering, picking
from symtape.ops.shapes import joining, repetition, shaping
from symtape.stand_in.numpy.dtypes import array, asarray, promoted
from symtape.stand_in.numpy.pairs import maximum, minimum
from symtape.stand_in.numpy.parts import atleast_1d, spread
from symtape.stand_in.numpy.shapes import ravel, swapaxes
from symtape.tensor import dtypes
from symtape.tensor.decided import decided_truth
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import shape_of


def where(condition: Any, x: Any = None, y: Any = None) -> Any:
    """`x` where a condition holds, else `y`; without both the places where it holds.

    Raises `ValueError` if one of both alone is given.

    >>> where([True, False], 1, 2.5).numpy()
    array([1. , 2.5])
    """
    chosen = asarray(condition, bool)
    if x is None and y is None:
        return nonzero(chosen)
    if x is None or y is None:
        raise ValueError("Both x and y must be ndarrays, or both must be None.")
    first, second = promoted(x, y)
    return arithmetic.where(chosen, first, second)


def select(condlist: Sequence[Any], choicelist: Sequence[Any], default: Any = 0) -> Any:
    """For each element, the choice of the first condition that holds, or `default`.

    Raises `ValueError` for no conditions, and if there are not as many choices.

    >>> select([[True, False], [True, True]], [[1, 2], [3, 4]]).numpy()
    array([1, 4])
    """
    if len(condlist) != len(choicelist):
        raise ValueError(
            f"condlist must have length equal to choicelist ({len(condlist)} vs {len(choicelist)})"
        )
    if not condlist:
        raise ValueError("condlist must be non-empty")
    found, *choices = promoted(default, *choicelist)
    for condition, choice in zip(reversed(condlist), reversed(choices), strict=True):
        found = where(condition, choice, found)
    return found


def nonzero(a: Any) -> list[Tensor]:
    """The places of what is not zero, an array for each axis.

    >>> [x.numpy() for x in nonzero([0, 2])]
    [array([1])]
    """
    x = atleast_1d(a)
    places = arithmetic.where(cast(x, dtypes.bool_))
    return joining.unstack(places, x.ndim, axis=1)


def take(a: Any, indices: Any, axis: Any = None, out: Any = None, mode: str = "clip") -> Tensor:
    """Elements by their places along an axis, or of all; places outside are moved in.

    With `mode="wrap"` places begin anew at the end. Raises `ValueError` for `mode="raise"`, for a
    mode that is not known, and for `out`.

    >>> take([5, 6, 7], [0, 9]).numpy()
    array([5, 7])
    """
    if out is not None:
        raise ValueError("out argument is not supported in take.")
    if mode not in {"raise", "clip", "wrap"}:
        raise ValueError(f"Invalid mode '{mode}' for take")
    if mode == "raise":
        raise ValueError("The 'raise' mode to take is not supported.")
    x, places = asarray(a), asarray(indices)
    if axis is None:
        x, axis = shaping.reshape(x, [-1]), 0
    size = shape_of(x)[axis]
    if mode == "clip":
        places = arithmetic.clip_by_value(places, 0, size - 1)
    else:
        places = arithmetic.floormod(places, array(size, places.dtype))
    return gathering.gather(x, places, axis=axis)


def take_along_axis(arr: Any, indices: Any, axis: Any) -> Tensor:
    """For each line along an axis, elements by their places.

    >>> take_along_axis([[5, 6], [7, 8]], [[1], [0]], 1).numpy()
    array([[6],
           [7]])
    """
    x, places = asarray(arr), asarray(indices)
    if axis is None:
        return take_along_axis(ravel(x), places, 0)
    along = axis + x.ndim if axis < 0 else axis
    rest = np.broadcast_shapes(
        *[(*s[:along], 1, *s[along + 1 :]) for s in (shape_of(x), shape_of(places))]
    )
    x, places = (
        repetition.broadcast_to(part, [*rest[:along], shape_of(part)[along], *rest[along + 1 :]])
        for part in (x, places)
    )
    size = array(shape_of(x)[along], places.dtype)
    places = arithmetic.where(comparison.less(places, 0), places + size, places)
    x, places = swapaxes(x, along, -1), swapaxes(places, along, -1)
    found = gathering.gather(x, places, batch_dims=x.ndim - 1)
    return swapaxes(found, along, -1)


def compress(condition: Any, a: Any, axis: Any = None) -> Tensor:
    """The slices along an axis for which a condition holds; one that is short ends with False.

    Raises `ValueError` if the condition has more axes than one.

    >>> compress([True, False, True], [5, 6, 7]).numpy()
    array([5, 7])
    """
    chosen, x = asarray(condition, bool), asarray(a)
    if chosen.ndim != 1:
        raise ValueError("condition must be a 1-d array.")
    if axis is None or not x.ndim:
        x, axis = ravel(x), 0 if axis is None else axis
    along = axis + x.ndim if axis < 0 else axis
    if not 0 <= along < x.ndim:
        raise AssertionError  # as TensorFlow does, without a word
    missing = shape_of(x)[along] - shape_of(chosen)[0]
    if missing > 0:
        chosen = joining.concat([chosen, np.zeros(missing, bool)], 0)
    return picking.boolean_mask(x, chosen, axis=along)


def repeat(a: Any, repeats: Any, axis: Any = None) -> Tensor:
    """Elements several times each.

    >>> repeat([1, 2], 2).numpy()
    array([1, 1, 2, 2])
    """
    return picking.repeat(asarray(a), asarray(repeats) if not is_tensor(repeats) else repeats, axis)


def diff(a: Any, n: int = 1, axis: int = -1) -> Tensor:
    """Differences of neighbours along an axis, `n` times.

    Raises `ValueError` for an axis that is not there, and a negative `n`, `IndexError` for a
    number.

    >>> diff([1, 4, 9]).numpy()
    array([3, 5])
    """
    x = asarray(a)
    if (axis + x.ndim if axis < 0 else axis) >= x.ndim:
        raise ValueError(
            f"Argument `axis` (received axis={axis}) is out of bounds for input {x} of rank "
            f"{x.ndim}."
        )
    if n < 0:
        raise ValueError(f"Argument `order` must be a non-negative integer. Received: axis={n}")
    if not x.ndim:
        raise IndexError("list assignment index out of range")
    run = comparison.not_equal if x.dtype is dtypes.bool_ else arithmetic.subtract
    before = [slice(None)] * (axis % x.ndim)
    for _ in range(n):
        x = run(x[(*before, slice(1, None))], x[(*before, slice(None, -1))])
    return x


def clip(a: Any, a_min: Any, a_max: Any) -> Any:
    """With numbers below and above two bounds moved to these, of which one may be None.

    Raises `ValueError` if both are.

    >>> clip([1, 5, 9], 2, 8).numpy()
    array([2, 5, 8])
    """
    if a_min is None and a_max is None:
        raise ValueError("Not more than one of `a_min` and `a_max` may be `None`.")
    if a_min is None:
        return minimum(a, a_max)
    if a_max is None:
        return maximum(a, a_min)
    return arithmetic.clip_by_value(*spread(*promoted(a, a_min, a_max)))


def ix_(*args: Any) -> list[Tensor]:
    """Vectors of places, each along an axis of its own.

    Raises `ValueError` for more axes than one, and for what is neither integers nor truth values.

    >>> [x.numpy().tolist() for x in ix_([0, 1], [2])]
    [[[0], [1]], [[2]]]
    """
    return [_along(asarray(a), k, len(args)) for k, a in enumerate(args)]


def _along(places: Tensor, k: int, rank: int) -> Tensor:
    if places.ndim != 1:
        raise ValueError(f"Arguments must be 1-d, got arg {k} of rank {places.ndim}")
    if places.dtype is dtypes.bool_:
        places = Tensor(np.flatnonzero(decided_truth(places)))
    elif not places.dtype.is_integer:
        raise ValueError(f"Only integer and bool dtypes are supported, got {places.dtype}")
    return shaping.reshape(places, [-1 if n == k else 1 for n in range(rank)])
