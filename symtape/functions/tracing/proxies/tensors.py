"""Tensors of a traced function: they have the methods that NumPy's arrays have."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from symtape.functions.tracing.proxies.sparse import (
    is_asked_by_sparse,
    is_sparse,
    times,
    times_transposed,
)
from symtape.program.evaluation.arrays import alone
from symtape.program.operations import Cast, dtype_name
from symtape.tensor.convert import as_operand
from symtape.tensor.dispatch import apply1
from symtape.tensor.products import product
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import value_of


class Standin(Tensor):
    """A tensor in the place of an argument, which may have been an array: it has NumPy's methods.

    TensorFlow's tensors have none of them; code for arrays is full of them. Each is the function of
    NumPy's of that name, which is recorded.
    """

    __slots__ = ()

    @property
    def T(self) -> Any:  # noqa: N802 - NumPy's name
        """The transpose."""
        return np.transpose(self)

    @property
    def size(self) -> int:
        """The number of elements."""
        return int(self.raw.size)

    @property
    def real(self) -> Any:
        """The real part."""
        return np.real(self)

    @property
    def imag(self) -> Any:
        """The imaginary part."""
        return np.imag(self)

    def __getitem__(self, index: Any) -> Any:
        """Take elements; a list or an array of whole numbers takes rows, as of an array."""
        rows = np.asarray(index) if isinstance(index, (list, np.ndarray)) else None
        if rows is None or rows.dtype.kind not in "iu":
            return super().__getitem__(index)
        return np.take(self, rows, axis=0)

    def astype(self, dtype: Any) -> Any:
        """Change the dtype: Python's `float` is float64, as for arrays."""
        return apply1(Cast(dtype_name(dtype)), self)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        if is_asked_by_sparse(sys._getframe(1)):  # noqa: SLF001 - it has no other way to be told
            return alone(self)
        return super().__array__(dtype, copy)

    def __matmul__(self, other: Any) -> Any:
        if is_sparse(other):
            return times_transposed(self, other)
        operand = as_operand(other, self)
        return operand if operand is NotImplemented else product(self, operand)

    def __rmatmul__(self, other: Any) -> Any:
        if is_sparse(other):
            return times(other, self)
        operand = as_operand(other, self)
        return operand if operand is NotImplemented else product(operand, self)

    def __floor__(self) -> int:
        return int(np.floor(self))

    def __ceil__(self) -> int:
        return int(np.ceil(self))

    def __trunc__(self) -> int:
        return int(np.trunc(self))

    def __round__(self, digits: int | None = None) -> Any:
        return int(np.rint(self)) if digits is None else np.round(self, digits)

    def item(self, *place: Any) -> Any:
        """Give one element as a number of Python's, which leaves the recording."""
        return value_of(self, "item()").item(*place)

    def tolist(self) -> Any:
        """Give the elements as numbers of Python's, which leave the recording."""
        return value_of(self, "tolist()").tolist()

    def reshape(self, *shape: Any, **options: Any) -> Any:
        """Give the elements another shape."""
        return np.reshape(self, shape[0] if len(shape) == 1 else shape, **options)

    def transpose(self, *axes: Any) -> Any:
        """Permute the axes."""
        return np.transpose(self, axes[0] if len(axes) == 1 else axes or None)


def _numpy_method(function: Callable[..., Any]) -> Callable[..., Any]:
    def method(self: Any, *args: Any, **kwargs: Any) -> Any:
        return function(self, *args, **kwargs)

    return method


for _name in (
    "all any argmax argmin argsort choose clip conj copy cumprod cumsum diagonal dot max mean min "
    "nonzero prod ptp ravel repeat round searchsorted squeeze std sum swapaxes take trace var"
).split():
    setattr(Standin, _name, _numpy_method(getattr(np, _name)))
Standin.flatten = Standin.ravel  # type: ignore[attr-defined]  # each result is an array of its own
