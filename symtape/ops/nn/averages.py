"""`tf.nn.compute_average_loss` and its kin: losses of examples, for one replica."""

from __future__ import annotations

from typing import Any

from symtape.errors import InvalidArgumentError
from symtape.ops.elementwise.arithmetic import divide, divide_no_nan, multiply
from symtape.ops.elementwise.conversion import cast
from symtape.ops.reductions.reduction import reduce_sum
from symtape.ops.runtime.replicas import refuse_across_replicas
from symtape.ops.shapes.shaping import expand_dims, squeeze
from symtape.tensor import dtypes
from symtape.tensor.convert import convert
from symtape.tensor.requirements import meets, not_negative
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import dtype_of, look_at, shape_of


def compute_average_loss(
    per_example_loss: Any, sample_weight: Any = None, global_batch_size: Any = None
) -> Tensor:
    """Add losses of examples up, weighted, and divide by the size of the batch; 0 if that is 0.

    As in TensorFlow, weighted losses are computed as float32. Raises `ValueError` for a scalar
    loss or a size with axes, `TypeError` for a size that is no integer, `InvalidArgumentError` for
    a negative one, and `RuntimeError` in the scope of a strategy, outside of its replicas.

    >>> compute_average_loss([1.0, 2.0, 3.0], global_batch_size=6).numpy()
    np.float32(1.0)
    """
    loss = convert(per_example_loss)
    if not shape_of(loss):
        raise ValueError(
            "Invalid value passed for `per_example_loss`. Expected a tensor with at least rank 1. "
            f"Received per_example_loss={loss} with rank 0"
        )
    dtype = loss.dtype
    if sample_weight is not None:
        loss = cast(_weighted(loss, convert(sample_weight)), dtype)
    if global_batch_size is None:
        refuse_across_replicas("compute_average_loss")
        global_batch_size = shape_of(loss)[0]
    size = convert(global_batch_size)
    _check_size(size)
    return divide_no_nan(reduce_sum(loss), cast(size, dtype))


def _weighted(loss: Tensor, weights: Tensor) -> Tensor:
    """Multiply losses by weights, which may have an axis of size one more or less."""
    loss, weights = cast(loss, dtypes.float32), cast(weights, dtypes.float32)
    difference = weights.ndim - loss.ndim
    if difference == 1 and weights.ndim:
        weights = squeeze(weights, [-1])
    elif difference == -1 and weights.ndim:
        weights = expand_dims(weights, -1)
    return multiply(loss, weights)


def _check_size(size: Tensor) -> None:
    if size.ndim:
        raise ValueError(
            f"global_batch_size must be scalar..  Expected scalar shape, saw shape: {size.shape}."
        )
    if dtype_of(size).kind not in "iu":
        raise TypeError(
            'global_batch_size must be an integer..  Expected "x" to be integer type.  Found: '
            f"tensor of dtype {size.dtype}"
        )
    if not meets(size, not_negative):
        raise InvalidArgumentError(
            message="global_batch_size must be non-negative..  \nCondition x >= 0 did not hold "
            f"element-wise:\nx (shape=() dtype={size.dtype.name}) = \n{look_at(size)}"
        )


def scale_regularization_loss(regularization_loss: Any) -> Tensor:
    """Add losses of regularization up, and divide by the number of replicas, which is one.

    Raises `RuntimeError` in the scope of a strategy, outside of its replicas.

    >>> scale_regularization_loss([1.0, 2.0]).numpy()
    np.float32(3.0)
    """
    refuse_across_replicas("scale_regularization_loss")
    return divide(reduce_sum(convert(regularization_loss)), 1)
