"""`tf.experimental.dlpack`: arrays of other libraries, by the protocol that they share."""

from __future__ import annotations

from typing import Any

import numpy as np

from symtape.ops.arguments import tensor
from symtape.tensor.convert import convert
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import look_at

_PROCESSOR = (1, 0)


def to_dlpack(tf_tensor: Any) -> Any:
    """Give a capsule with a copy of the values; raises `BufferError` for texts.

    >>> from_dlpack(to_dlpack([1.0, 2.0])).numpy()
    array([1., 2.], dtype=float32)
    """
    return np.array(look_at(tensor(tf_tensor))).__dlpack__()


def from_dlpack(dlcapsule: Any) -> Tensor:
    """Make a tensor of what a capsule holds, which is used up; the values are copied."""
    return convert(np.array(np.from_dlpack(_Capsule(dlcapsule))))


class _Capsule:
    """What gives its capsule to who asks for it by the protocol."""

    def __init__(self, capsule: Any) -> None:
        self._capsule = capsule

    def __dlpack__(self, **how: Any) -> Any:
        return self._capsule

    def __dlpack_device__(self) -> tuple[int, int]:
        return _PROCESSOR
