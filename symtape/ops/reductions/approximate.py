"""`tf.math.approx_max_k`: the largest elements, of which some may be missed, and none is here."""

from __future__ import annotations

from typing import Any, NamedTuple

from symtape.ops.arguments import allowed, check, tensor
from symtape.ops.attributes import attributes, boolean, floating, integer
from symtape.ops.reductions.ordering import top_k
from symtape.tensor.dispatch import invalid, no_kernel
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import shape_of

_KINDS = allowed("half, bfloat16, float")


class ApproxTopK(NamedTuple):
    """The largest elements, from the largest on, and their places."""

    values: Tensor
    indices: Tensor


@attributes(
    k=integer(),
    reduction_dimension=integer(-1),
    recall_target=floating(0.95),
    reduction_input_size_override=integer(-1),
    aggregate_to_topk=boolean(True),
)
def approx_max_k(
    operand: Any,
    k: int,
    reduction_dimension: int = -1,
    recall_target: float = 0.95,
    reduction_input_size_override: int = -1,
    aggregate_to_topk: bool = True,
    name: str | None = None,
) -> ApproxTopK:
    """The largest k elements along the last axis, all of them, as TensorFlow gives on a CPU.

    What says how many may be missed changes nothing: none is. Raises `NotFoundError` for another
    axis than -1, as TensorFlow has no kernel for it on a CPU, and `InvalidArgumentError` for other
    dtypes than half, bfloat16 and float, and for more elements than there are.

    >>> approx_max_k([1.0, 5.0, 3.0], 2).indices.numpy()
    array([1, 2], dtype=int32)
    """
    op, x = "ApproxTopK", tensor(operand)
    check(op, x, _KINDS, "input:T -> values:T, indices:int32")
    if k < 0:
        raise invalid(op, f"Value for attr 'k' of {k} must be at least minimum 0")
    if reduction_dimension != -1:
        raise no_kernel(op, x)
    if not x.ndim:
        raise invalid(op, "input must be >= 1-D, got shape []")
    if k > shape_of(x)[-1]:
        raise invalid(op, f"input must have at least k columns. Had {shape_of(x)[-1]}, needed {k}")
    return ApproxTopK(*top_k(x, k))
