"""Large results are computed when somebody asks for their numbers.

The Hessian of a thousand variables has a million entries, but its formula, its structure and its
products with vectors need none of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from symtape.tensor import dtypes
from symtape.tensor.dtypes import DType
from symtape.tensor.shape import TensorShape
from symtape.tensor.tensor import Tensor

_STORED: Any = vars(Tensor)["raw"]  # the slot, which the property below stands in front of


class Pending:
    """Results that are computed together, once, when the first of them is needed."""

    __slots__ = ("_compute", "_values")

    def __init__(self, compute: Callable[[], Sequence[Any]]) -> None:
        self._compute: Callable[[], Sequence[Any]] | None = compute
        self._values: Sequence[Any] = ()

    def get(self, k: int) -> Any:
        """Give one result; what they are computed from is let go."""
        compute = self._compute
        if compute is not None:
            self._values = compute()
            self._compute = None
        return self._values[k]


class LateTensor(Tensor):
    """A tensor whose value is computed when it is first read."""

    __slots__ = ("_dtype", "_k", "_pending", "_shape")

    def __init__(self, pending: Pending, k: int, shape: tuple[int, ...], dtype: Any) -> None:
        # the array is left out: the slot stays empty until it is asked for
        self._pending: Pending | None = pending
        self._k, self._shape, self._dtype = k, shape, dtype
        self.origin = None
        self.label = None

    @property
    def raw(self) -> Any:
        """The array."""
        pending = self._pending
        if pending is not None:
            _STORED.__set__(self, pending.get(self._k))
            self._pending = None
        return _STORED.__get__(self)

    @property
    def is_late(self) -> bool:
        """Whether the value is still to be computed."""
        return self._pending is not None

    @property
    def dtype(self) -> DType:
        """The dtype, such as `tf.float32`."""
        return dtypes.as_dtype(self._dtype)

    @property
    def shape(self) -> TensorShape:
        """The shape; equal to a tuple or list of its sizes."""
        return TensorShape(self._shape)

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return len(self._shape)


LateTensor.__name__ = Tensor.__name__
