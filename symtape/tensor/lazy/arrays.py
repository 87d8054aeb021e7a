"""Arrays from outside of a function, and what NumPy computes of them: read anew on every call.

While a function is traced, such an array is stood in for by a `Deferred`. Where it becomes an
operand of a recorded operation it is a leaf; what NumPy computes of it alone is computed again for
each call; a number that leaves it is compared with what it was. Nothing else can be done with it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, NoReturn, Protocol

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin

from symtape.tensor.tensor import Tensor

_OPEN = frozenset("shape ndim size dtype nbytes itemsize".split())
_PARTS = frozenset("T mT real imag".split())
_METHODS = frozenset(
    "all any argmax argmin argsort astype clip conj conjugate copy cumprod cumsum diagonal dot "
    "flatten item max mean min nonzero prod ravel repeat reshape round searchsorted squeeze std "
    "sum swapaxes take tolist trace transpose var".split()
)
_WAYS = {"__call__", "reduce", "accumulate", "outer", "reduceat"}


class Watcher(Protocol):
    """Who compares on each call what was read of an array while a function was traced."""

    def compare(self, read: Callable[[], Any], value: Any) -> None:
        """Compare a value, bit by bit, on each call."""

    def refuse(self, what: str) -> NoReturn:
        """Give up: the function cannot be followed."""


class Deferred(NDArrayOperatorsMixin):
    """Stands for an array; `read` gives the present one, and `array` is that of the trace."""

    __slots__ = ("array", "is_compared", "label", "read", "taken", "watcher")
    __hash__ = None  # type: ignore[assignment]  # as arrays have none
    __class__ = property(lambda _: np.ndarray)  # isinstance is asked

    def __init__(
        self, read: Callable[[], Any], array: Any, watcher: Watcher, label: str | None = None
    ) -> None:
        self.read, self.array, self.watcher, self.label = read, array, watcher, label
        self.taken, self.is_compared = 0, False

    def __getattr__(self, name: str) -> Any:
        if name in _OPEN:
            return getattr(self.array, name)
        if name in _PARTS:
            return _applied(getattr, self.watcher, self, name)
        if name in _METHODS:
            return lambda *args, **kwargs: _applied(
                lambda array, *xs, **ks: getattr(array, name)(*xs, **ks), self.watcher,
                self, *args, **kwargs,
            )  # fmt: skip
        if hasattr(self.array, name) and not name.startswith("__"):  # `__array__` has the elements
            self.watcher.refuse(f"{name} of an array")
        raise AttributeError(f"'numpy.ndarray' object has no attribute {name!r}")

    def __getitem__(self, index: Any) -> Any:
        if _is_place(index, self.array.ndim) and self._compares_all():
            return self.array[index]
        return _applied(lambda array, at: array[at], self.watcher, self, index)

    def _compares_all(self) -> bool:
        """Compare all elements at once where many are taken one by one, which takes longer."""
        self.taken += 1
        if not self.is_compared and self.taken > _FEW and self.array.nbytes < _EACH * self.taken:
            self.is_compared = True
            self.watcher.compare(self.read, self.array)
        return self.is_compared

    def __len__(self) -> int:
        return len(self.array)

    def __iter__(self) -> Iterator[Any]:
        return (self[k] for k in range(len(self.array)))

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        """Give a copy of the elements, which are compared; writing to it is writing outside."""
        self.watcher.compare(self.read, self.array)
        made = np.array(self.array, dtype)
        made.flags.writeable = bool(copy)
        return made

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        if any(map(_records, inputs)):
            return NotImplemented  # tensors record what is computed with them
        if method not in _WAYS or "out" in kwargs:
            self.watcher.refuse(f"writing into an array by np.{ufunc.__name__}")
        return _applied(getattr(ufunc, method), self.watcher, *inputs, **kwargs)

    def __array_function__(self, function: Any, types: Any, args: Any, kwargs: Any) -> Any:
        if any(kind is not Deferred for kind in types):
            return NotImplemented
        return _applied(function, self.watcher, *args, **kwargs)

    def _refused(self, *_: Any, **__: Any) -> NoReturn:
        self.watcher.refuse("an array from outside in the place of a number, a text or a target")

    __bool__ = __int__ = __float__ = __complex__ = __index__ = _refused
    __setitem__ = __delitem__ = __str__ = __repr__ = __format__ = __reduce_ex__ = _refused
    __contains__ = __copy__ = __deepcopy__ = _refused


_FEW = 8
_EACH = 1 << 14
"""So many bytes are compared in the time that one element takes to be read and compared."""


def _is_place(index: Any, rank: int) -> bool:
    """Say whether an index is that of one element."""
    items = index if type(index) is tuple else (index,)
    return len(items) == rank and all([type(item) is int for item in items])


def _records(value: Any) -> bool:
    return isinstance(value, Tensor) or hasattr(value, "read_value")


def _applied(function: Callable[..., Any], watcher: Watcher, *args: Any, **kwargs: Any) -> Any:
    """Compute with the arrays that are stood in for, now and on each call."""

    def read() -> Any:
        return function(*_resolved(args, _present), **_resolved(kwargs, _present))

    found = function(*_resolved(args, _traced), **_resolved(kwargs, _traced))
    return _stood_in(read, found, watcher)


def _stood_in(read: Callable[[], Any], found: Any, watcher: Watcher) -> Any:
    if isinstance(found, np.ndarray) and found.ndim:
        if type(found) is not np.ndarray or found.dtype.kind not in "fciub":
            watcher.refuse(f"an array of type {type(found).__name__} and dtype {found.dtype}")
        return Deferred(read, found, watcher)
    if isinstance(found, (tuple, list)) and not _is_plain(found):
        parts = [_stood_in(partial(_part, read, k), part, watcher) for k, part in enumerate(found)]
        return type(found)(*parts) if hasattr(found, "_fields") else type(found)(parts)
    if not _is_plain(found):
        watcher.refuse(f"a result of type {type(found).__name__}")
    watcher.compare(read, found)
    return found[()] if isinstance(found, np.ndarray) else found


def _part(read: Callable[[], Any], key: int) -> Any:
    return read()[key]


def _is_plain(found: Any) -> bool:
    """Say whether a result holds nothing but numbers."""
    if isinstance(found, (tuple, list)):
        return all(map(_is_plain, found))
    if isinstance(found, np.ndarray):
        return not found.ndim and found.dtype.kind in "fciub"
    return isinstance(found, (int, float, complex, np.number, np.bool_, np.dtype))


def _resolved(value: Any, way: Callable[[Deferred], Any]) -> Any:
    """Put arrays in the place of what stands for them."""
    kind = type(value)
    if kind is Deferred:
        return way(value)
    if kind is tuple:
        return tuple([_resolved(v, way) for v in value])
    if isinstance(value, list):  # or what stands for one
        return [_resolved(v, way) for v in value]
    if kind is dict:
        return {k: _resolved(v, way) for k, v in value.items()}
    return value


def _traced(deferred: Deferred) -> Any:
    return _read_only(deferred.array)


def _present(deferred: Deferred) -> Any:
    return _read_only(deferred.read())


def _read_only(array: Any) -> Any:
    """Let nothing be written where only reading is repeated."""
    view = array.view()
    view.flags.writeable = False
    return view
