"""Tensors that notice when somebody looks at their values, past what is recorded.

While a function is traced, shapes and dtypes of its tensors are open, for they are part of what it
is traced for. A value that leaves the recording is not: what is computed of it would be the same in
every later call. Operations may look as well, such as `one_hot`, whose result has no derivative.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from symtape.program.operations import Cast
from symtape.tensor.convert import as_operand
from symtape.tensor.door import apply1
from symtape.tensor.operators import product
from symtape.tensor.recorder import THREAD
from symtape.tensor.tensor import Tensor

value_of = Tensor.__dict__["value"].__get__
"""Reads the value of a tensor past what watches it."""

_INSIDERS = {
    "symtape.functions.arguments",
    "symtape.functions.function",
    "symtape.functions.observed",
    "symtape.functions.paths",
    "symtape.functions.tracing",
    "symtape.tensor.differentiate",
    "symtape.tensor.door",
    "symtape.tensor.recorder",
    "symtape.tensor.tensor",
}
"""The modules that compute and record: what they read of a value is recorded."""


def _peeked() -> None:
    for recording in THREAD.state.recordings:
        notice = getattr(recording, "peek", None)
        if notice is not None:
            notice()


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
        return int(value_of(self).size)

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
        return apply1(Cast(np.dtype(dtype).name), self)

    def __matmul__(self, other: Any) -> Any:
        operand = as_operand(other, self)
        return operand if operand is NotImplemented else product(self, operand)

    def __rmatmul__(self, other: Any) -> Any:
        operand = as_operand(other, self)
        return operand if operand is NotImplemented else product(operand, self)

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
    "all any argmax argmin clip conj copy cumprod cumsum diagonal dot max mean min prod ravel "
    "repeat round squeeze std sum swapaxes take trace var"
).split():
    setattr(Standin, _name, _numpy_method(getattr(np, _name)))
Standin.flatten = Standin.ravel  # type: ignore[attr-defined]  # each result is an array of its own


class Observed(Standin):
    """A tensor in a trace: its shape and dtype are open, and a look at its value is noticed."""

    __slots__ = ()

    @property
    def value(self) -> Any:
        """Give the value to those who record; to others, an array that notices being used."""
        found = value_of(self)
        if sys._getframe(1).f_globals["__name__"] in _INSIDERS:  # noqa: SLF001 - who asks decides
            return found
        return np.asarray(found).view(_Noticing)

    def numpy(self) -> Any:
        """Give a copy of the value, which leaves the recording."""
        _peeked()
        return super().numpy()

    def _scalar(self) -> Any:
        if sys._getframe(1).f_code.co_name in {"__float__", "__complex__"}:  # noqa: SLF001 - others are guarded
            _peeked()
        return super()._scalar()

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        _peeked()
        return super().__array__(dtype, copy)

    def __str__(self) -> str:
        _peeked()
        return super().__str__()

    def __repr__(self) -> str:
        _peeked()
        return super().__repr__()

    def __format__(self, spec: str) -> str:
        _peeked()
        return super().__format__(spec)

    def __deepcopy__(self, memo: Any) -> Tensor:
        _peeked()
        return super().__deepcopy__(memo)

    def __reduce__(self) -> Any:
        _peeked()
        return super().__reduce__()


def _noticed(name: str) -> Callable[..., Any]:
    def method(self: Any, *args: Any, **kwargs: Any) -> Any:
        _peeked()
        return getattr(np.asarray(self), name)(*args, **kwargs)

    return method


class _Noticing(np.ndarray[Any, Any]):
    """An array that notices when its elements are used."""

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        _peeked()
        return getattr(ufunc, method)(*map(_plain, inputs), **kwargs)

    def __array_function__(self, function: Any, types: Any, args: Any, kwargs: Any) -> Any:
        if function not in {np.shape, np.ndim, np.size}:
            _peeked()
        return function(*map(_plain, args), **{k: _plain(v) for k, v in kwargs.items()})


for _name in (
    "__getitem__ __iter__ __bool__ __int__ __index__ __float__ __complex__ item tolist tobytes "
    "astype reshape ravel flatten copy view min max sum any all argsort argmin argmax nonzero "
    "__array__ transpose squeeze swapaxes take dot mean prod"
).split():
    setattr(_Noticing, _name, _noticed(_name))


def _plain(value: Any) -> Any:
    if isinstance(value, _Noticing):
        return np.ndarray.view(value, np.ndarray)
    if isinstance(value, (list, tuple)):
        return type(value)(map(_plain, value)) if type(value) in (list, tuple) else value
    return value
