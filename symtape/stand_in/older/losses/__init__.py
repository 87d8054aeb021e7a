"""The losses of `tf.compat.v1.losses`: weighted, and reduced in one of five ways.

No graph collects them, so that `add_loss` keeps nothing when it runs eagerly, as in TensorFlow.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from symtape.namespace import show
from symtape.ops.arguments import tensor
from symtape.ops.elementwise import activation, arithmetic, conversion, functions
from symtape.ops.nn import loss as cross_entropies
from symtape.ops.reductions.reduction import reduce_sum
from symtape.ops.shapes import shaping
from symtape.stand_in.older.losses.weighted import (
    LOSSES,
    USUAL,
    Reduction,
    add_loss,
    compute_weighted_loss,
    get_losses,
    get_regularization_losses,
)
from symtape.tensor import dtypes
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import shape_of

__all__ = [
    "Reduction",
    "absolute_difference",
    "add_loss",
    "compute_weighted_loss",
    "cosine_distance",
    "get_losses",
    "get_regularization_losses",
    "hinge_loss",
    "huber_loss",
    "log_loss",
    "mean_squared_error",
    "sigmoid_cross_entropy",
    "softmax_cross_entropy",
    "sparse_softmax_cross_entropy",
]

# --- losses of elements ---------------------------------------------------------------------------


def _pair(labels: Any, others: Any, name: str = "predictions", own: str = "labels") -> Any:
    """Make floats of labels and of what is said of them, of one shape."""
    for word, value in ((own, labels), (name, others)):
        if value is None:
            raise ValueError(f"Argument `{word}` must not be None.")
    found = conversion.cast(others, dtypes.float32)
    truth = conversion.cast(labels, dtypes.float32)
    _check_shapes(found, truth)
    return truth, found


def _check_shapes(x: Tensor, y: Tensor) -> None:
    if shape_of(x) != shape_of(y):
        raise ValueError(f"Shapes {shape_of(x)} and {shape_of(y)} are incompatible")


def _of_pairs(name: str, run: Callable[..., Tensor], other: str, summary: str) -> Any:
    """Make a loss of labels and predictions or logits, by what one pair of them costs."""

    def compute(labels: Any, others: Any, weights: Any, collection: Any, reduction: Any) -> Tensor:
        each = run(*_pair(labels, others, other))
        return compute_weighted_loss(each, weights, None, collection, reduction)

    def of_predictions(
        labels: Any,
        predictions: Any,
        weights: Any = 1.0,
        scope: Any = None,
        loss_collection: Any = LOSSES,
        reduction: Any = USUAL,
    ) -> Tensor:
        return compute(labels, predictions, weights, loss_collection, reduction)

    def of_logits(
        labels: Any,
        logits: Any,
        weights: Any = 1.0,
        scope: Any = None,
        loss_collection: Any = LOSSES,
        reduction: Any = USUAL,
    ) -> Tensor:
        return compute(labels, logits, weights, loss_collection, reduction)

    function = of_logits if other == "logits" else of_predictions
    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"{summary}, weighted and reduced as `compute_weighted_loss` says."
    return function


def _hinge(labels: Tensor, logits: Tensor) -> Tensor:
    return activation.relu(1.0 - (2.0 * labels - 1.0) * logits)


absolute_difference = _of_pairs(
    "absolute_difference", lambda y, x: functions.abs(x - y), "predictions", "The distance"
)
mean_squared_error = _of_pairs(
    "mean_squared_error", arithmetic.squared_difference, "predictions", "The squared distance"
)
hinge_loss = _of_pairs("hinge_loss", _hinge, "logits", "How far a logit is short of its side")


def huber_loss(
    labels: Any,
    predictions: Any,
    weights: Any = 1.0,
    delta: float = 1.0,
    scope: Any = None,
    loss_collection: Any = LOSSES,
    reduction: Any = USUAL,
) -> Tensor:
    """Half of the squared distance up to `delta`, and then in proportion to the distance.

    Raises `ValueError` for shapes that differ, and for None.

    >>> huber_loss([0.0], [3.0]).numpy()
    np.float32(2.5)
    """
    truth, found = _pair(labels, predictions)
    distance = functions.abs(found - truth)
    near = arithmetic.minimum(distance, delta)
    each = 0.5 * functions.square(near) + delta * (distance - near)
    return compute_weighted_loss(each, weights, scope, loss_collection, reduction)


def log_loss(
    labels: Any,
    predictions: Any,
    weights: Any = 1.0,
    epsilon: float = 1e-07,
    scope: Any = None,
    loss_collection: Any = LOSSES,
    reduction: Any = USUAL,
) -> Tensor:
    """The cross entropy of probabilities, to which `epsilon` is added.

    Raises `ValueError` for shapes that differ, and for None.

    >>> log_loss([0.0], [0.5]).numpy().round(4)
    np.float32(0.6931)
    """
    truth, found = _pair(labels, predictions)
    right = -truth * functions.log(found + epsilon)
    each = right - (1.0 - truth) * functions.log(1.0 - found + epsilon)
    return compute_weighted_loss(each, weights, scope, loss_collection, reduction)


def cosine_distance(
    labels: Any,
    predictions: Any,
    axis: Any = None,
    weights: Any = 1.0,
    scope: Any = None,
    loss_collection: Any = LOSSES,
    reduction: Any = USUAL,
    dim: Any = None,
) -> Tensor:
    """One less the products along an axis, of vectors that are of length one already.

    Raises `ValueError` without an axis, for shapes that differ, and for None.

    >>> cosine_distance([[1.0, 0.0]], [[0.0, 1.0]], axis=1).numpy()
    np.float32(1.0)
    """
    if dim is not None and axis is not None:
        raise ValueError("Cannot specify both 'axis' and 'dim'.")
    along = axis if dim is None else dim
    if along is None:
        raise ValueError("You must specify argument `axis`.")
    truth, found = _pair(labels, predictions)
    each = 1.0 - reduce_sum(found * truth, axis=(along,), keepdims=True)
    return compute_weighted_loss(each, weights, scope, loss_collection, reduction)


# --- cross entropies ------------------------------------------------------------------------------


def _logits(labels: Any, logits: Any, name: str) -> tuple[Tensor, Tensor]:
    for word, value in ((name, labels), ("logits", logits)):
        if value is None:
            raise ValueError(f"Argument `{word}` must not be None.")
    made = tensor(logits)
    truth = conversion.cast(labels, made.dtype)
    _check_shapes(made, truth)
    return truth, made


def sigmoid_cross_entropy(
    multi_class_labels: Any,
    logits: Any,
    weights: Any = 1.0,
    label_smoothing: float = 0,
    scope: Any = None,
    loss_collection: Any = LOSSES,
    reduction: Any = USUAL,
) -> Tensor:
    """The cross entropy of labels, each of which may hold; smoothed ones are nearer to a half.

    Raises `ValueError` for shapes that differ, and for None.

    >>> sigmoid_cross_entropy([1.0], [0.0]).numpy()
    np.float32(0.6931472)
    """
    truth, made = _logits(multi_class_labels, logits, "multi_class_labels")
    if label_smoothing > 0:
        truth = truth * (1 - label_smoothing) + 0.5 * label_smoothing
    each = cross_entropies.sigmoid_cross_entropy_with_logits(truth, made)
    return compute_weighted_loss(each, weights, scope, loss_collection, reduction)


def softmax_cross_entropy(
    onehot_labels: Any,
    logits: Any,
    weights: Any = 1.0,
    label_smoothing: float = 0,
    scope: Any = None,
    loss_collection: Any = LOSSES,
    reduction: Any = USUAL,
) -> Tensor:
    """The cross entropy of labels of which one holds; smoothed ones are nearer to each other.

    Labels have no derivative. Raises `ValueError` for shapes that differ, and for None.

    >>> softmax_cross_entropy([[1.0, 0.0]], [[0.0, 0.0]]).numpy()
    np.float32(0.6931472)
    """
    truth, made = _logits(onehot_labels, logits, "onehot_labels")
    if label_smoothing > 0:
        truth = truth * (1.0 - label_smoothing) + label_smoothing / shape_of(truth)[1]
    each = cross_entropies.softmax_cross_entropy_with_logits(conversion.stop_gradient(truth), made)
    return compute_weighted_loss(each, weights, scope, loss_collection, reduction)


def sparse_softmax_cross_entropy(
    labels: Any,
    logits: Any,
    weights: Any = 1.0,
    scope: Any = None,
    loss_collection: Any = LOSSES,
    reduction: Any = USUAL,
) -> Tensor:
    """The cross entropy of labels that are numbers; a last axis of size one counts for none.

    Raises `ValueError` for None.

    >>> sparse_softmax_cross_entropy([0], [[0.0, 0.0]]).numpy()
    np.float32(0.6931472)
    """
    for word, value in (("labels", labels), ("logits", logits)):
        if value is None:
            raise ValueError(f"Argument `{word}` must not be None.")
    truth, made, weight = tensor(labels), tensor(logits), tensor(weights)
    if truth.ndim == made.ndim and shape_of(truth)[-1:] == (1,):
        truth = shaping.squeeze(truth, [-1])
    if weight.ndim == truth.ndim + 1:
        weight = shaping.squeeze(weight, [-1])
    each = cross_entropies.sparse_softmax_cross_entropy_with_logits(truth, made)
    return compute_weighted_loss(each, weight, scope, loss_collection, reduction)


show(__name__, __all__, path="tf.compat.v1.losses")
