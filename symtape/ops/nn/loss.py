"""Losses of classification: cross entropies of logits, and half the sum of squares."""

from __future__ import annotations

import math
from math import prod
from typing import Any

import numpy as np

from symtape.ops.arguments import (
    FEATURES,
    PLACES,
    check,
    integers,
    like,
    listed,
    same_dtype,
    tensor,
)
from symtape.ops.elementwise.arithmetic import add, divide, multiply, subtract, where
from symtape.ops.elementwise.comparison import greater_equal, less_equal, logical_and
from symtape.ops.elementwise.conversion import cast
from symtape.ops.elementwise.functions import exp, log, negative, softplus, square
from symtape.ops.indexing.gathering import (
    gather,
)
from symtape.ops.reductions.reduction import log_softmax_along, reduce_sum, total
from symtape.ops.shapes.repetition import broadcast_to
from symtape.ops.shapes.shaping import expand_dims, permuted, squeeze, with_shape
from symtape.program.functions import scalar
from symtape.program.operations import elementwise
from symtape.tensor import dtypes
from symtape.tensor.convert import convert
from symtape.tensor.dispatch import apply2, follow, invalid, misfit
from symtape.tensor.requirements import Inside, meets
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import dtype_of, look_at, shape_of

_logistic = elementwise("sigmoid_cross_entropy", scalar.logistic_loss, 2)
_KERNEL = "SoftmaxCrossEntropyWithLogits"


def sigmoid_cross_entropy_with_logits(
    labels: Any = None, logits: Any = None, name: str | None = None
) -> Tensor:
    """log(1 + exp(x)) - x z for logits x and labels z of one shape, element by element.

    Raises `ValueError` where shapes differ.

    >>> sigmoid_cross_entropy_with_logits([1.0], [0.0]).numpy()
    array([0.6931472], dtype=float32)
    """
    if labels is None or logits is None:
        raise ValueError(
            "Both `labels` and `logits` must be provided for sigmoid_cross_entropy_with_logits"
            f"Received: labels={labels} and logits={logits}"
        )
    x, z = tensor(logits), tensor(labels)
    _check_shapes(x, z)
    same_dtype("Mul", x, z)
    check("Log1p", x, FEATURES)
    return apply2(_logistic, x, z)


def softmax_cross_entropy_with_logits(
    labels: Any, logits: Any, axis: int = -1, name: str | None = None
) -> Tensor:
    """-sum(labels * log_softmax(logits)) along an axis, the last by default.

    The gradient is that of this formula, for labels that do not add up to 1 as well. Logits and
    labels broadcast as matrices, of which the columns are classes. Raises `InvalidArgumentError`
    for shapes that do not, and an axis that is not there.

    >>> softmax_cross_entropy_with_logits([1.0, 0.0], [0.0, 0.0]).numpy()
    np.float32(0.6931472)
    """
    x = convert(logits)
    wide = dtype_of(x).itemsize < 4
    z = cast(labels, x.dtype)
    check(_KERNEL, x, FEATURES, "features:T, labels:T -> loss:T, backprop:T")
    place = _class_axis(x, axis)
    lead = shape_of(x)[:place] + shape_of(x)[place:][1:]
    if shape_of(x) != shape_of(z):
        x, z, place = *_as_matrices(x, z, place, prod(lead)), -1
    if wide:
        x, z = cast(x, dtypes.float32), cast(z, dtypes.float32)
    loss = negative(total(multiply(z, log_softmax_along(x, place)), (place,)))
    return cast(with_shape(loss, lead), convert(logits).dtype) if wide else with_shape(loss, lead)


def _class_axis(x: Tensor, axis: Any) -> int:
    """Read the axis of the classes as a negative number."""
    place = -1 if axis is None else integers(axis)[0]
    if not -x.ndim <= place < x.ndim:
        raise invalid(_KERNEL, f"axis {place} is none of the {x.ndim} of the logits")
    return place if place < 0 else place - x.ndim


def _as_matrices(x: Tensor, z: Tensor, place: int, count: int) -> list[Tensor]:
    """Broadcast logits and labels as matrices, of which columns are classes and rows all else."""
    x, z = (_matrix(t) for t in _classes_last(x, z, place))
    a, b = shape_of(x), shape_of(z)
    if any([n != m and 1 not in (n, m) for n, m in zip(a, b, strict=True)]):
        raise misfit(
            _KERNEL,
            f"logits and labels must be broadcastable: logits_size={listed(a)} "
            f"labels_size={listed(b)}",
        )
    wide = np.broadcast_shapes(a, b)
    if wide[0] != count:
        text = f"Input to reshape is a tensor with {wide[0]} values, but the requested shape has"
        raise misfit("Reshape", f"{text} {count}")
    return [broadcast_to(t, wide) for t in (x, z)]


def _classes_last(x: Tensor, z: Tensor, place: int) -> list[Tensor]:
    """Put the axis of the classes behind all others."""
    if place == -1:
        return [x, z]
    if x.ndim != z.ndim:
        text = f"transpose expects a vector of size {z.ndim}. But input(1) is a vector of size"
        raise misfit("Transpose", f"{text} {x.ndim}")
    order = [k for k in range(x.ndim) if k != place + x.ndim]
    return [permuted(t, [*order, place + x.ndim]) for t in (x, z)]


def _matrix(x: Tensor) -> Tensor:
    if not x.ndim:
        raise misfit(_KERNEL, "logits and labels must have an axis of classes: labels_size=[]")
    *rows, columns = shape_of(x)
    return with_shape(x, (prod(rows), columns))


def sparse_softmax_cross_entropy_with_logits(
    labels: Any, logits: Any, name: str | None = None
) -> Tensor:
    """-log_softmax(logits) at the place that each label names on the last axis.

    Raises `InvalidArgumentError` for labels out of range and `ValueError` where shapes do not fit.

    >>> sparse_softmax_cross_entropy_with_logits([1], [[0.0, 0.0]]).numpy()
    array([0.6931472], dtype=float32)
    """
    kernel = "SparseSoftmaxCrossEntropyWithLogits"
    z, x = tensor(labels), tensor(logits)
    if x.ndim == 0:
        raise ValueError(f"Logits cannot be scalars - received shape {x.shape}.")
    signature = "features:T, labels:Tlabels -> loss:T, backprop:T"
    if shape_of(z) != shape_of(x)[:-1]:
        raise ValueError(
            "`labels.shape` must equal `logits.shape` except for the last dimension. Received: "
            f"labels.shape={z.shape} and logits.shape={x.shape}"
        )
    check(kernel, x, FEATURES, signature)
    check(kernel, z, PLACES, signature, "Tlabels")
    n = shape_of(x)[-1]
    if not meets(z, Inside(n)):
        value = look_at(z)
        bad = value[(value < 0) | (value >= n)]
        shown = " ".join(map(str, value.ravel()))
        raise invalid(
            kernel,
            f"Received a label value of {bad.ravel()[0]} which is outside the valid range of "
            f"[0, {n}).  Label values: {shown}",
        )
    chosen = gather(log_softmax_along(x, -1), expand_dims(z, -1), batch_dims=z.ndim)
    return follow(kernel, (x, z), negative(squeeze(chosen, -1)))


def l2_loss(t: Any, name: str | None = None) -> Tensor:
    """sum(x²) / 2.

    >>> l2_loss([1.0, 2.0]).numpy()
    np.float32(2.5)
    """
    x = tensor(t)
    check("L2Loss", x, FEATURES, "t:T -> output:T")
    return divide(reduce_sum(square(x)), 2.0)


def _check_shapes(x: Tensor, z: Tensor) -> None:
    if shape_of(x) != shape_of(z):
        raise ValueError(
            f"`logits` and `labels` must have the same shape, received ({x.shape} vs {z.shape})."
        )


def weighted_cross_entropy_with_logits(
    labels: Any, logits: Any, pos_weight: Any, name: str | None = None
) -> Tensor:
    """Like `sigmoid_cross_entropy_with_logits`, with positive labels weighted by `pos_weight`.

    >>> weighted_cross_entropy_with_logits([1.0], [0.0], 2.0).numpy()
    array([1.3862944], dtype=float32)
    """
    x, z = tensor(logits), tensor(labels)
    _check_shapes(x, z)
    weight = add(multiply(subtract(like(pos_weight, z), 1.0), z), 1.0)
    return add(multiply(subtract(1.0, z), x), multiply(weight, softplus(negative(x))))


def log_poisson_loss(
    targets: Any, log_input: Any, compute_full_loss: bool = False, name: str | None = None
) -> Tensor:
    """exp(c) - c z for a logarithm c of the rate and targets z.

    With `compute_full_loss`, Stirling's approximation of log(z!) is added where z is not in [0, 1].

    >>> log_poisson_loss([1.0], [0.0]).numpy()
    array([1.], dtype=float32)
    """
    c = tensor(log_input)
    z = like(targets, c)
    if shape_of(c) != shape_of(z):
        raise ValueError(
            "`log_input` and `targets` must have the same shape, received "
            f"({c.shape} vs {z.shape})."
        )
    loss = subtract(exp(c), multiply(c, z))
    if not compute_full_loss:
        return loss
    within = logical_and(greater_equal(z, 0.0), less_equal(z, 1.0))
    above = where(within, 1.0, z)
    stirling = subtract(multiply(above, log(above)), above)
    stirling = add(stirling, multiply(0.5, log(multiply(2 * math.pi, above))))
    return add(loss, where(within, 0.0, stirling))
