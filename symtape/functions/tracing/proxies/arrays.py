"""Tensors that stand for arrays in a traced function: indexed and written into as those."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from symtape.errors import UnsupportedError
from symtape.functions.tracing.escape import line_of_user
from symtape.functions.tracing.proxies.memory import Memory
from symtape.functions.tracing.proxies.tensors import Standin
from symtape.program.kinds.structural import Gather, Reshape
from symtape.program.operations import identity
from symtape.tensor.convert import convert
from symtape.tensor.decided import decided_by_look
from symtape.tensor.dispatch import apply, apply1
from symtape.tensor.operators import OPERATORS
from symtape.tensor.recording.active import THREAD
from symtape.tensor.tensor import Literal, Tensor

_MEANINGS = (
    "__add__", "__mul__", "__matmul__", "__truediv__", "__pow__", "__eq__", "__array_ufunc__",
    "__array_function__",
)  # fmt: skip


class ArrayStandin(Standin):
    """A stand-in of an array: NumPy's rules for indices, views and writes hold."""

    __slots__ = ()

    def __getitem__(self, key: Any) -> Any:
        """Take elements by NumPy's rules; a basic key gives a view."""
        key = _read(key)
        if not _is_basic(key):
            return _picked(self, key)
        np.broadcast_to(np.int8(0), self.raw.shape)[key]  # NumPy's own error, if there is one
        made = as_array(Tensor.__getitem__(self, key))
        if made.raw.ndim:
            _memory().view(self, made, lambda a: a[key])
        return made

    def __iter__(self) -> Iterator[Any]:
        """Give the elements of the first axis, which are views."""
        if not self.raw.ndim:
            raise TypeError("iteration over a 0-d array")
        return iter([self[k] for k in range(len(self.raw))])

    def __setitem__(self, key: Any, value: Any) -> None:  # type: ignore[override]  # tensors refuse
        """Write elements: this object stands for the new array from now on."""
        if not self.raw.ndim:
            raise UnsupportedError(
                f"{line_of_user()}a number cannot be written into: compute a new one"
            )
        _memory().write(self, _read(key), value)

    def astype(self, dtype: Any) -> Any:
        """Change the dtype, in an array of its own."""
        return as_array(super().astype(dtype))

    def fill(self, value: Any) -> None:
        """Write one value everywhere."""
        self[...] = value

    def sort(self, axis: int = -1) -> None:
        """Sort the elements in place."""
        self[...] = np.sort(self, axis)

    def copy(self) -> Any:
        """Give the same elements as an array of its own, laid out row by row."""
        made = np.copy(self)
        if made.ndim:
            _memory().in_rows(made)
        return made

    def flatten(self, *order: Any) -> Any:
        """Give the elements in one line, as an array of its own."""
        return np.copy(np.ravel(self, *order))

    def __pos__(self) -> Any:
        return np.positive(self)


def _read(key: Any) -> Any:
    """Replace the tensors of a key: whole numbers are guarded, and so are arrays of them."""
    if isinstance(key, tuple):
        return tuple([_read(item) for item in key])
    if isinstance(key, slice):
        return slice(*[_read(item) for item in (key.start, key.stop, key.step)])
    if isinstance(key, list):
        return np.array([_read(item) for item in key], None if key else np.intp)
    if not isinstance(key, Tensor):
        return key
    if not key.raw.ndim and key.raw.dtype.kind in "iu":
        return key.__index__()
    return decided_by_look(key)


def _is_basic(key: Any) -> bool:
    items = key if isinstance(key, tuple) else (key,)
    return all(
        item is None
        or item is Ellipsis
        or isinstance(item, slice)
        or (isinstance(item, (int, np.integer)) and not isinstance(item, bool))
        for item in items
    )


def _picked(x: Any, key: Any) -> Any:
    """Take elements by arrays of places and masks, which NumPy reads."""
    axis = _only_places(key)
    if axis is not None:
        return np.take(x, key[axis] if isinstance(key, tuple) else key, axis=axis)
    places = np.arange(x.raw.size).reshape(x.raw.shape)[key]
    line = apply1(Reshape(x.raw.shape, (x.raw.size,)), x)
    return as_array(apply(Gather(0, 0, 0), line, Tensor(np.ascontiguousarray(places))))


def _only_places(key: Any) -> int | None:
    """Give the axis of the one array of whole numbers that stands in a key; None for others."""
    items = key if isinstance(key, tuple) else (key,)
    *before, last = items
    whole = all(type(item) is slice and item == slice(None) for item in before)
    is_one = isinstance(last, np.ndarray) and last.dtype.kind in "iu" and last.ndim > 0
    return len(before) if whole and is_one else None


def as_array(tensor: Any) -> Any:
    """Let a result stand for an array."""
    if tensor.__class__ is Standin:
        tensor.__class__ = ArrayStandin
    return tensor


def require_plain(array: Any) -> None:
    """Refuse an array with operators of its own, as `np.matrix` and masked arrays have them."""
    kind = type(array)
    if issubclass(kind, np.ndarray) and not _computes_as_arrays_do(kind):  # reads no attribute
        raise UnsupportedError(
            f"an array of type {kind.__name__} has operators that mean something else than "
            "NumPy's: give np.asarray(x), and write what is meant, as x @ y or np.where(mask, 0, x)"
        )


def _computes_as_arrays_do(kind: type[Any]) -> bool:
    return all(getattr(kind, name) is getattr(np.ndarray, name) for name in _MEANINGS)


def _memory() -> Memory:
    for recording in THREAD.state.recordings:
        memory = getattr(recording, "memory", None)
        if memory is not None:
            found: Memory = memory
            return found
    raise AssertionError("arrays stand in for arguments while a function is traced")


def _operator(name: str) -> Callable[..., Any]:
    """Make an operator: with arrays and numbers it gives an array, of NumPy's dtype."""
    run, ufunc = getattr(Standin, name), _UFUNCS.get(name.replace("__r", "__"))

    def method(self: Any, *others: Any) -> Any:
        for other in others:
            require_plain(other)
        if any([isinstance(x, Tensor) and not isinstance(x, ArrayStandin) for x in others]):
            return run(self, *others)
        if ufunc is not None and _is_promoted(self.raw.dtype, others[0]):
            other = _tensor(others[0], self.raw.dtype)
            return ufunc(other, self) if name.startswith("__r") else ufunc(self, other)
        made = run(self, *others)
        return as_array(apply1(identity, self) if made is self else made)

    return method


def _is_promoted(dtype: Any, other: Any) -> bool:
    """Say whether NumPy computes in another dtype than this one, or than TensorFlow would."""
    if isinstance(other, (np.ndarray, np.generic, Tensor)):
        return bool(getattr(other, "raw", other).dtype != dtype)
    is_number = isinstance(other, (bool, int, float, complex))
    return is_number and bool(np.result_type(dtype, other) != dtype)


def _tensor(x: Any, dtype: Any) -> Any:
    """Make an operand a tensor of its own dtype; a number of Python's has that of both."""
    is_number = isinstance(x, (bool, int, float, complex)) and not isinstance(x, np.generic)
    return Literal.of(x, np.result_type(dtype, x)) if is_number else convert(x)


_UFUNCS = {
    "__add__": np.add, "__sub__": np.subtract, "__mul__": np.multiply, "__truediv__": np.divide,
    "__floordiv__": np.floor_divide, "__mod__": np.remainder, "__pow__": np.power,
    "__matmul__": np.matmul, "__lt__": np.less, "__le__": np.less_equal, "__gt__": np.greater,
    "__ge__": np.greater_equal, "__eq__": np.equal, "__ne__": np.not_equal,
}  # fmt: skip
"""What operators are where operands have different dtypes."""


def _in_place(name: str) -> Callable[..., Any]:
    run = getattr(ArrayStandin, name)  # which promotes, as NumPy does before it casts back

    def method(self: ArrayStandin, other: Any) -> Any:
        made = run(self, other)
        if made is NotImplemented or not self.raw.ndim:
            return made if made is NotImplemented else as_array(made)
        if not np.can_cast(made.raw.dtype, self.raw.dtype, "same_kind"):
            raise UnsupportedError(
                f"{line_of_user()}an array of {self.raw.dtype} cannot take {made.raw.dtype} in "
                "place: compute a new one, as in x = x + y"
            )
        if made.raw.shape != self.raw.shape:
            raise ValueError(
                f"non-broadcastable output operand with shape {self.raw.shape} doesn't match the "
                f"broadcast shape {made.raw.shape}"
            )
        self[...] = made
        return self

    return method


for _name in OPERATORS:
    setattr(ArrayStandin, _name, _operator(_name))
for _name in "add sub mul truediv floordiv mod pow matmul and or xor".split():
    setattr(ArrayStandin, f"__i{_name}__", _in_place(f"__{_name}__"))
