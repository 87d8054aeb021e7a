"""What was computed at one point, for as long as the computation would give the same."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from symtape.errors import InvalidArgumentError
from symtape.functions.tracing.arguments import Arguments
from symtape.functions.tracing.function import Function
from symtape.functions.tracing.paths import Run
from symtape.nest.trees import take_apart
from symtape.tensor.tensor import Tensor

_LARGEST = 1 << 16
"""How many bytes of data are compared; of larger arrays it is asked whether they are the same."""


def run(function: Function, /, *args: Any, **kwargs: Any) -> Run:
    """Call a function and give the run; its values are arrays whatever the arguments are."""
    try:
        return function.run(Arguments(function.names, args, kwargs))
    except InvalidArgumentError as error:
        if "double tensor" in str(error):
            error.add_note(
                f"{function.title}: SciPy's numbers are float64. Make the constants of the "
                "function float64 as well, tf.constant(..., tf.float64), or give parameters whose "
                "leaves are float32"
            )
        raise


class Point:
    """A point, known by its elements, and the data that a function read there.

    An optimizer changes `x` in place, so that the array itself says nothing. Extra arguments and
    what else the function reads are compared as well: variables by version, arrays by their
    elements if they are small; large arrays are taken to be unchanged while they are the same.
    """

    __slots__ = ("_args", "_data", "_key", "_path")

    def __init__(self, x: Any, args: tuple[Any, ...], found: Run) -> None:
        self._key, self._args, self._path = _elements(x), args, found.path
        leaves = [leaf for arg in args for leaf in take_apart(arg)[0]]
        self._data = [*map(_seen, leaves), *[_seen(t) for t in found.outsiders]]

    def holds(self, x: Any, args: tuple[Any, ...]) -> bool:
        """Say whether the function would be computed for the same values again."""
        if len(args) != len(self._args) or not _is_at(x, self._key):
            return False
        for one, other in zip(args, self._args, strict=True):
            if one is not other:
                return False
        captured = self._path.traced.captured
        outsiders = self._path.present()
        if captured is None or outsiders is None or not captured.unchanged():
            return False
        leaves = [leaf for arg in args for leaf in take_apart(arg)[0]] if args else []
        present: Sequence[Any] = [*leaves, *outsiders]
        if len(present) != len(self._data):
            return False
        return all(map(_same, present, self._data))


def _elements(x: Any) -> Any:
    """Copy a point; bytes are compared fastest, but a large array of them is slow to make."""
    return x.tobytes() if x.nbytes <= _LARGEST else x.copy()


def _is_at(x: Any, key: Any) -> bool:
    """Compare a point with a copy, bit by bit."""
    if type(key) is bytes:
        return bool(x.nbytes == len(key) and x.tobytes() == key)
    if x.shape != key.shape:
        return False
    mine, theirs = np.ascontiguousarray(x).view(np.uint64), key.view(np.uint64)
    size = _LARGEST // 4
    return all(
        np.array_equal(mine[k : k + size], theirs[k : k + size]) for k in range(0, len(mine), size)
    )


def _array(thing: Any) -> Any:
    if type(thing) is Tensor:  # which is asked for no other name: that takes long
        return thing.raw
    read = thing.read() if hasattr(thing, "read_value") else thing
    return read if type(read) is np.ndarray else getattr(read, "raw", read)


def _seen(thing: Any) -> Any:
    """Note what a piece of data is: its elements, or which array it is."""
    array = _array(thing)
    changes = type(array) is np.ndarray and array.flags.writeable and not array.dtype.hasobject
    return (array.shape, array.dtype, array.tobytes()) if changes and _is_small(array) else array


def _is_small(array: Any) -> bool:
    return bool(array.nbytes <= _LARGEST)


def _same(thing: Any, seen: Any) -> bool:
    array = _array(thing)
    if type(seen) is tuple and type(array) is np.ndarray:
        shape, dtype, content = seen
        return bool(array.shape == shape and array.dtype == dtype) and array.tobytes() == content
    return array is seen or (type(array) is not np.ndarray and bool(array == seen))
