"""What is known of values and shapes before anything runs: here, everything."""

from __future__ import annotations

from typing import Any

import numpy as np

from symtape.ops.arguments import PLACES, check, is_tensor, listed, pair, plain, same_dtype
from symtape.tensor import dtypes
from symtape.tensor.decided import decided_by_look
from symtape.tensor.dispatch import invalid
from symtape.tensor.shape import TensorShape
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import dtype_of, look_at, shape_of


def get_static_value(tensor: Any, partial: bool = False) -> Any:
    """Give the value of a tensor as NumPy's, None for a variable, and all else as it is.

    >>> get_static_value(Tensor(np.int32(3)))
    np.int32(3)
    """
    if isinstance(tensor, Tensor):
        return look_at(tensor)
    return None if is_tensor(tensor) else tensor


def broadcast_static_shape(shape_x: Any, shape_y: Any) -> TensorShape:
    """The shape that two shapes broadcast to; a size may be None. Raises `ValueError` for none.

    >>> broadcast_static_shape(TensorShape([3, 1]), TensorShape([None, 4]))
    TensorShape([3, 4])
    """
    first, second = TensorShape(shape_x), TensorShape(shape_y)
    if first.rank is None or second.rank is None:
        return TensorShape(None)
    rank = max(len(first), len(second))
    rows: list[list[int | None]] = [[*[1] * (rank - len(s)), *s] for s in (first, second)]
    return TensorShape([_size(n, m, first, second) for n, m in zip(*rows, strict=True)])


def _size(n: int | None, m: int | None, first: TensorShape, second: TensorShape) -> int | None:
    if m in (n, 1):
        return n
    if n == 1:
        return m
    if n is None or m is None:
        return n if m is None else m
    raise ValueError(f"Incompatible shapes for broadcasting: {first} and {second}")


_ARGS = "BroadcastArgs"


def broadcast_dynamic_shape(shape_x: Any, shape_y: Any) -> Tensor:
    """The shape that two shapes, tensors of integers, broadcast to.

    >>> broadcast_dynamic_shape([3, 1], [1, 4]).numpy()
    array([3, 4], dtype=int32)
    """
    shapes = pair(*[s if is_tensor(s) else plain(s) for s in (shape_x, shape_y)])
    check(_ARGS, shapes[0], PLACES, "s0:T, s1:T -> r0:T")
    same_dtype(_ARGS, *shapes)
    for k, s in enumerate(shapes):
        if s.ndim != 1:
            raise invalid(_ARGS, f"In[{k}] must be a vector.{listed(shape_of(s))}")
    sizes = [tuple(np.asarray(decided_by_look(s), np.int64)) for s in shapes]
    try:
        found = np.broadcast_shapes(*sizes)
    except ValueError:
        texts = " vs. ".join("[" + ",".join(map(str, s)) + "]" for s in sizes)
        raise invalid(_ARGS, f"Incompatible shapes: {texts}") from None
    return Tensor(np.array(found, dtype_of(shapes[0]) if sizes[0] else dtypes.int32.numpy))
