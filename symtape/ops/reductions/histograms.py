"""How often numbers fall into bins, and pairs of classes into the cells of a matrix."""

from __future__ import annotations

from typing import Any

import numpy as np

from symtape.errors import InvalidArgumentError
from symtape.ops.arguments import allowed, check, like, of_places, plain, scalar, tensor
from symtape.ops.checks.values import Assert, assert_less, assert_non_negative
from symtape.ops.elementwise.arithmetic import clip_by_value, multiply, subtract, truediv
from symtape.ops.elementwise.conversion import cast
from symtape.ops.elementwise.functions import floor
from symtape.ops.indexing.scattering import scatter_nd
from symtape.ops.shapes.creation import ones
from symtape.ops.shapes.joining import stack
from symtape.ops.shapes.shaping import squeeze
from symtape.tensor import dtypes
from symtape.tensor.convert import convert
from symtape.tensor.decided import decided_by_look
from symtape.tensor.dispatch import invalid
from symtape.tensor.recording.looking import is_unknown
from symtape.tensor.tensor import Tensor
from symtape.tensor.unknown_sizes import unsized
from symtape.tensor.values import shape_of

_HISTOGRAM = "HistogramFixedWidth"
_BINNED = allowed("int32, int64, float, double")


def histogram_fixed_width(
    values: Any,
    value_range: Any,
    nbins: Any = 100,
    dtype: Any = dtypes.int32,
    name: str | None = None,
) -> Tensor:
    """Count the numbers in each of `nbins` bins of one width, from `value_range[0]` to the other.

    What lies outside counts in the first or the last bin. Of counts there is no derivative. Raises
    `InvalidArgumentError` for a range that is empty.

    >>> histogram_fixed_width([-1.0, 0.0, 1.5, 2.0, 5.0, 15.0], [0.0, 5.0], nbins=5).numpy()
    array([2, 1, 1, 0, 2], dtype=int32)
    """
    x = tensor(values)
    bounds = like(value_range, x)
    check(_HISTOGRAM, x, _BINNED)
    counted = of_places(_HISTOGRAM, dtype, dtypes.int32, "dtype")
    count = scalar(convert(nbins, dtypes.int32))
    if count <= 0:
        raise invalid(_HISTOGRAM, f"nbins should be a positive number, but got '{count}'")
    low, high = decided_by_look(bounds)
    if low >= high:
        text = "value_range should satisfy value_range[0] < value_range[1], but got"
        raise invalid(_HISTOGRAM, f"{text} '[{low:g}, {high:g}]'")
    numbers = decided_by_look(x).ravel()
    if np.isnan(numbers).any():
        raise invalid(_HISTOGRAM, "Histogram values must not contain NaN")
    steps = (np.maximum(numbers, low) - low).astype(np.float64) / (float(high - low) / count)
    places = np.minimum(steps, count - 1).astype(np.int64)
    return cast(Tensor(np.bincount(places, minlength=count)), counted)


def histogram_fixed_width_bins(
    values: Any,
    value_range: Any,
    nbins: Any = 100,
    dtype: Any = dtypes.int32,
    name: str | None = None,
) -> Tensor:
    """The bin of each number, as `histogram_fixed_width` counts them; `dtype` changes nothing.

    >>> histogram_fixed_width_bins([-1.0, 0.0, 1.5, 5.0, 15.0], [0.0, 5.0], nbins=5).numpy()
    array([0, 0, 1, 4, 4], dtype=int32)
    """
    x, count = tensor(values), scalar(convert(nbins, dtypes.int32))
    Assert(convert(count > 0), [f"nbins {convert(np.int32(count))!s} must > 0"])
    bounds, many = convert(value_range), convert(count, x.dtype)
    scaled = truediv(subtract(x, bounds[0]), subtract(bounds[1], bounds[0]))
    return cast(clip_by_value(floor(multiply(many, scaled)), 0, subtract(many, 1)), dtypes.int32)


def confusion_matrix(
    labels: Any,
    predictions: Any,
    num_classes: Any = None,
    weights: Any = None,
    dtype: Any = dtypes.int32,
    name: str | None = None,
) -> Tensor:
    """Count pairs of classes: the row is the label, the column what was predicted instead.

    There are as many classes as the largest one needs, unless `num_classes` says so. A pair counts
    `weights`, which a tape differentiates, instead of 1. Raises `InvalidArgumentError` for classes
    that are negative or too large.

    >>> confusion_matrix([1, 2, 4], [2, 2, 4]).numpy()
    array([[0, 0, 0, 0, 0],
           [0, 0, 1, 0, 0],
           [0, 0, 1, 0, 0],
           [0, 0, 0, 0, 0],
           [0, 0, 0, 0, 1]], dtype=int32)
    """
    pair = _same_rank(tensor(labels), tensor(predictions))
    own, other = (cast(t, dtypes.int64) for t in pair)
    for what, classes in (("labels", own), ("predictions", other)):
        assert_non_negative(classes, message=f"`{what}` contains negative values")
    if num_classes is None:
        count = 1 + max(int(decided_by_look(t).max(initial=-1)) for t in (own, other))
    else:
        count = scalar(plain(num_classes))
        for what, classes in (("labels", own), ("predictions", other)):
            assert_less(classes, np.int64(count), message=f"`{what}` out of bound")
    if weights is None:  # as many ones as there are classes, and of their dtype
        counted = ones(shape_of(other), dtypes.of_kernel(dtype, other.dtype))
    else:
        counted = cast(_weights(weights, other), dtypes.as_dtype(dtype))
    made = scatter_nd(stack([own, other], axis=1), counted, np.array([count, count], np.int64))
    return unsized(made, 0, 1) if num_classes is None and is_unknown(own) else made


def _weights(weights: Any, predictions: Tensor) -> Tensor:
    found = tensor(weights)
    if shape_of(found) != shape_of(predictions):
        raise ValueError(f"Shapes {predictions.shape} and {found.shape} are incompatible")
    return found


def _same_rank(labels: Tensor, predictions: Tensor) -> tuple[Tensor, Tensor]:
    """Take away the last axis of what has one more than the other, if its size is 1."""
    more = predictions.ndim - labels.ndim
    try:
        if more == 1 and shape_of(predictions)[-1] == 1:
            return labels, squeeze(predictions, [-1])
        if more == -1 and shape_of(labels)[-1] == 1:
            return squeeze(labels, [-1]), predictions
    except InvalidArgumentError:
        return labels, predictions
    return labels, predictions
