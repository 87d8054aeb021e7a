"""Weights of values, as `tensorflow.python.ops.weights_broadcast_ops` has them."""

from __future__ import annotations

from typing import Any

import numpy as np

from symtape.ops.arguments import tensor
from symtape.ops.elementwise.arithmetic import multiply
from symtape.ops.elementwise.conversion import convert_to_tensor
from symtape.ops.shapes.creation import ones_like
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import shape_of


def assert_broadcastable(weights: Any, values: Any) -> None:
    """Raise `ValueError` unless weights are a number, or one or each along every axis of values.

    >>> assert_broadcastable(2.0, [[1.0, 2.0]])
    >>> assert_broadcastable([[2.0], [1.0]], [[1.0, 2.0], [3.0, 4.0]])
    """
    weighed, given = tensor(weights), tensor(values)
    own, other = shape_of(weighed), shape_of(given)
    if not own:
        return
    start = "weights can not be broadcast to values."
    received = f"Received weights={weighed}, values={given}"
    if len(own) != len(other):
        ranks = f"values.rank={len(other)}. weights.rank={len(own)}."
        shapes = f"values.shape={other}. weights.shape={own}."
        raise ValueError(f"{start} {ranks} {shapes} {received}")
    for k, (n, m) in enumerate(zip(own, other, strict=True)):
        if n not in (1, m):
            shapes = f"values.shape={np.array(other)}, weights.shape={np.array(own)}."
            raise ValueError(f"{start} Mismatch at dim {k}. {shapes} {received}")


def broadcast_weights(weights: Any, values: Any) -> Tensor:
    """Weights of the shape of the values and of their dtype.

    Raises `ValueError` as `assert_broadcastable`.

    >>> broadcast_weights([[2.0], [1.0]], [[1.0, 2.0], [3.0, 4.0]]).numpy()
    array([[2., 2.],
           [1., 1.]], dtype=float32)
    """
    given = tensor(values)
    weighed = convert_to_tensor(weights, given.dtype)
    if shape_of(weighed) == shape_of(given):
        return weighed
    assert_broadcastable(weighed, given)
    return multiply(weighed, ones_like(given))
