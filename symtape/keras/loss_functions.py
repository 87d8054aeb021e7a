"""The functions behind `tf.keras.losses`: labels and predictions to one loss a row."""

from __future__ import annotations

import warnings
from typing import Any

from symtape.errors import UnsupportedError
from symtape.keras.backend import dtype_of, epsilon
from symtape.keras.bases.loss import same_rank
from symtape.ops.elementwise import functions as bent
from symtape.ops.elementwise.arithmetic import clip_by_value, where
from symtape.ops.elementwise.conversion import cast
from symtape.ops.elementwise.logits import recall
from symtape.ops.nn.loss import (
    sigmoid_cross_entropy_with_logits,
    softmax_cross_entropy_with_logits,
    sparse_softmax_cross_entropy_with_logits,
)
from symtape.ops.reductions.reduction import reduce_mean, reduce_sum
from symtape.ops.shapes.shaping import squeeze
from symtape.tensor import dtypes
from symtape.tensor.convert import convert
from symtape.tensor.tensor import Tensor


def _both(y_true: Any, y_pred: Any) -> tuple[Tensor, Tensor]:
    """Convert to the dtype of the prediction, and to one rank."""
    predicted = convert(y_pred)
    return same_rank(cast(convert(y_true), predicted.dtype), predicted)


def _mean(x: Tensor, axis: int = -1) -> Tensor:
    return reduce_mean(x if x.dtype.is_floating else cast(x, dtype_of(None)), axis)


# --- regression -----------------------------------------------------------------------------------


def mean_squared_error(y_true: Any, y_pred: Any) -> Tensor:
    """The mean of (y_true - y_pred)² along the last axis.

    >>> mean_squared_error([[1.0, 2.0]], [[3.0, 2.0]]).numpy()
    array([2.], dtype=float32)
    """
    true, predicted = _both(y_true, y_pred)
    return _mean(bent.square(true - predicted))


def mean_absolute_error(y_true: Any, y_pred: Any) -> Tensor:
    """The mean of |y_true - y_pred| along the last axis.

    >>> mean_absolute_error([[1.0, 0.5]], [[0.5, 2.0]]).numpy().round(3)
    array([1.], dtype=float32)
    """
    true, predicted = _both(y_true, y_pred)
    return _mean(bent.abs(true - predicted))


def huber(y_true: Any, y_pred: Any, delta: float = 1.0) -> Tensor:
    """The mean along the last axis of e²/2 where |e| ≤ delta, else delta |e| - delta²/2.

    >>> huber([[1.0, 0.5]], [[0.5, 2.0]]).numpy().round(3)
    array([0.562], dtype=float32)
    """
    true, predicted = _both(y_true, y_pred)
    error = predicted - true
    size = bent.abs(error)
    straight = delta * size - 0.5 * delta * delta
    return _mean(where(size <= delta, 0.5 * bent.square(error), straight))


def kl_divergence(y_true: Any, y_pred: Any) -> Tensor:
    """The sum of y_true log(y_true / y_pred) along the last axis.

    >>> kl_divergence([[1.0, 0.5]], [[0.5, 2.0]]).numpy().round(3)
    array([0.347], dtype=float32)
    """
    predicted = convert(y_pred)
    true = cast(convert(y_true), predicted.dtype)
    true, predicted = (clip_by_value(y, epsilon(), 1.0) for y in (true, predicted))
    return reduce_sum(true * bent.log(true / predicted), -1)


# --- classification -------------------------------------------------------------------------------


def binary_crossentropy(
    y_true: Any,
    y_pred: Any,
    from_logits: bool = False,
    label_smoothing: float = 0.0,
    axis: int = -1,
) -> Tensor:
    """The mean along an axis of -y log p - (1 - y) log(1 - p), for labels y.

    p is `y_pred`, or its sigmoid if `from_logits`. Raises `ValueError` unless shapes are equal.

    >>> binary_crossentropy([[1.0]], [[0.0]], from_logits=True).numpy()
    array([0.6931472], dtype=float32)
    """
    predicted = convert(y_pred)
    true = cast(convert(y_true), predicted.dtype)
    if label_smoothing:
        true = true * (1.0 - label_smoothing) + 0.5 * label_smoothing
    _check_shapes(true, predicted)
    logits = _logits(predicted, from_logits, "binary_crossentropy", "Sigmoid")
    if logits is not None:
        return _mean(sigmoid_cross_entropy_with_logits(true, logits), axis)
    p = _clipped(predicted)
    return _mean(-(true * bent.log(p) + (1.0 - true) * bent.log(1.0 - p)), axis)


def categorical_crossentropy(
    y_true: Any,
    y_pred: Any,
    from_logits: bool = False,
    label_smoothing: float = 0.0,
    axis: int = -1,
) -> Tensor:
    """Give -sum(y log p) along an axis, for labels y of the shape of `y_pred`.

    p is `y_pred` divided by its sum, or its softmax if `from_logits`. Raises `ValueError` unless
    shapes are equal.

    >>> categorical_crossentropy([[0.0, 1.0]], [[0.0, 0.0]], from_logits=True).numpy()
    array([0.6931472], dtype=float32)
    """
    predicted = convert(y_pred)
    true = cast(convert(y_true), predicted.dtype)
    if predicted.ndim and predicted.shape[-1] == 1:
        warnings.warn(
            "In loss categorical_crossentropy, expected y_pred.shape to be (batch_size, "
            f"num_classes) with num_classes > 1. Received: y_pred.shape={predicted.shape}. "
            "Consider using 'binary_crossentropy' if you only have 2 classes.",
            SyntaxWarning,
            stacklevel=2,
        )
    if label_smoothing:
        true = true * (1.0 - label_smoothing) + label_smoothing / int(true.shape[-1])
    _check_shapes(true, predicted)
    logits = _logits(predicted, from_logits, "categorical_crossentropy", "Softmax")
    if logits is not None:
        return softmax_cross_entropy_with_logits(true, logits, axis)
    p = _clipped(predicted / reduce_sum(predicted, axis, keepdims=True))
    return -reduce_sum(true * bent.log(p), axis)


def sparse_categorical_crossentropy(
    y_true: Any,
    y_pred: Any,
    from_logits: bool = False,
    ignore_class: int | None = None,
    axis: int = -1,
) -> Tensor:
    """Give -log p at the place on the last axis that each label names.

    p is `y_pred`, or its softmax if `from_logits`. Raises `ValueError` where shapes do not fit,
    `InvalidArgumentError` for labels out of range, and `UnsupportedError` for `ignore_class`.

    >>> sparse_categorical_crossentropy([1], [[0.0, 0.0]], from_logits=True).numpy()
    array([0.6931472], dtype=float32)
    """
    if ignore_class is not None:
        raise UnsupportedError(
            f"sparse_categorical_crossentropy({ignore_class=}) is not there; leave the rows of "
            "that class out of both arguments"
        )
    predicted = convert(y_pred)
    if axis not in {-1, predicted.ndim - 1}:
        raise ValueError(f"Only axis=-1 is currently supported. Received: axis={axis}")
    logits = _logits(predicted, from_logits, "sparse_categorical_crossentropy", "Softmax")
    labels = cast(convert(y_true), dtypes.int64)
    if labels.ndim == predicted.ndim and labels.shape[-1] == 1:
        labels = squeeze(labels, -1)
    if labels.ndim != predicted.ndim - 1:
        raise ValueError(
            "Argument `output` must have rank (ndim) `target.ndim - 1`. Received: "
            f"target.shape={labels.shape}, output.shape={predicted.shape}"
        )
    if labels.shape != tuple(predicted.shape)[:-1]:
        raise ValueError(
            "Arguments `target` and `output` must have the same shape up until the last dimension: "
            f"target.shape={labels.shape}, output.shape={predicted.shape}"
        )
    if logits is None:
        logits = bent.log(_clipped(predicted))
    return sparse_softmax_cross_entropy_with_logits(labels, logits)


def _logits(predicted: Tensor, from_logits: bool, function: str, bend: str) -> Tensor | None:
    """Give the logits of a prediction, if it is logits or was made of them."""
    known = recall(predicted)
    if known is not None and from_logits:
        warnings.warn(
            f'"`{function}` received `from_logits=True`, but the `output` argument was produced by '
            f"a {bend} activation and thus does not represent logits. Was this intended?",
            stacklevel=3,
        )
    if known is not None:
        return known
    return predicted if from_logits else None


def _clipped(p: Tensor) -> Tensor:
    return clip_by_value(p, epsilon(), 1.0 - epsilon())


def _check_shapes(true: Tensor, predicted: Tensor) -> None:
    shapes = f"Received: target.shape={true.shape}, output.shape={predicted.shape}"
    if true.ndim != predicted.ndim:
        raise ValueError(
            f"Arguments `target` and `output` must have the same rank (ndim). {shapes}"
        )
    if true.shape != predicted.shape:
        raise ValueError(f"Arguments `target` and `output` must have the same shape. {shapes}")
