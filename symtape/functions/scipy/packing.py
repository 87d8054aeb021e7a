"""Parameters as one vector and back, and results as one vector, as SciPy wants them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial, update_wrapper
from itertools import pairwise
from math import prod
from typing import Any

import numpy as np

from symtape.functions.tracing.arguments import array_of
from symtape.nest.trees import Tree, take_apart
from symtape.program.kinds.structural import Concat, Reshape, Slice
from symtape.program.operations import Cast, dtype_name
from symtape.tensor.convert import convert
from symtape.tensor.dispatch import apply, apply1
from symtape.tensor.dtypes import as_dtype
from symtape.tensor.recording.active import THREAD
from symtape.tensor.tensor import Tensor


class Packing:
    """A structure of floating arrays as one float64 vector, and back.

    The leaves stand one after another, in the order of `jax.flatten_util.ravel_pytree`: dicts by
    their sorted keys, arrays row by row.
    """

    def __init__(self, title: str, params: Any) -> None:
        self.title = title
        leaves, self.tree = take_apart(params)
        self.values = [self._checked(*pair) for pair in zip(leaves, self.tree.paths(), strict=True)]
        self.likes = [(value.shape, value.dtype) for value in self.values]
        stops = np.cumsum([0, *[prod(shape) for shape, _ in self.likes]]).tolist()
        self.spans = list(pairwise(stops))
        self.size: int = stops[-1]

    def _checked(self, leaf: Any, path: str) -> Any:
        value = array_of(leaf)
        if value is None or as_dtype(value.dtype).name not in _REAL:
            shown = f"{leaf!r:.60} of type {type(leaf).__name__}"
            found = shown if value is None else as_dtype(value.dtype).name
            raise TypeError(
                f"{self.title}: parameters are real floating numbers and arrays, but the one at "
                f"params{path} is {found}; what is not differentiated goes into the extra arguments"
            )
        return value

    def pack(self, params: Any) -> Any:
        """Give the vector of a structure; raises `TypeError` or `ValueError` for another one."""
        leaves, tree = take_apart(params)
        if tree != self.tree:
            raise TypeError(
                f"{self.title}: parameters have the structure {_shown(self.tree)}, not "
                f"{_shown(tree)}"
            )
        parts = []
        for leaf, (shape, _), path in zip(leaves, self.likes, tree.paths(), strict=True):
            value = self._checked(leaf, path)
            if value.shape != shape:
                raise ValueError(f"{self.title}: params{path} has shape {shape}, not {value.shape}")
            parts.append(np.ravel(value))
        return joined_arrays(parts)

    def unpack(self, x: Any) -> Any:
        """Give the structure whose vector is `x`: arrays of their own shapes and dtypes."""
        vector = self.vector(x)
        return self.tree.build(
            [
                vector[start:stop].reshape(shape).astype(dtype)[()]
                for (start, stop), (shape, dtype) in zip(self.spans, self.likes, strict=True)
            ]
        )

    def vector(self, x: Any) -> Any:
        """Read a vector of the size of all parameters; raises `ValueError` for another size."""
        vector = real_array(self.title, x)
        if vector.shape != (self.size,):
            raise ValueError(
                f"{self.title}: the vector of parameters has {self.size} elements, "
                f"{_shown(self.tree, self.likes)}, but x has shape {vector.shape}"
            )
        return vector

    def views(self, vector: Any) -> Any:
        """Give the structure without copying where dtypes allow; for those who only read."""
        return self.tree.build(
            [
                vector[start:stop].reshape(shape).astype(dtype, copy=False)[()]
                for (start, stop), (shape, dtype) in zip(self.spans, self.likes, strict=True)
            ]
        )

    def unpacked(self, x: Tensor) -> Any:
        """Take a vector of a recording apart, by steps of the program."""
        leaves = []
        for (start, stop), (shape, dtype) in zip(self.spans, self.likes, strict=True):
            is_part = stop - start < self.size
            part = apply1(Slice(((start, 1, stop - start),)), x) if is_part else x
            if shape != (stop - start,):
                part = apply1(Reshape.between((stop - start,), shape), part)
            leaves.append(part if dtype == np.float64 else apply1(Cast(dtype_name(dtype)), part))
        for recording in THREAD.state.recordings:
            for leaf in leaves:
                recording.from_numpy(leaf, np.asarray, None)
        return self.tree.build(leaves)


_REAL = {"float16", "bfloat16", "float32", "float64"}
_WHOLE = {"int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"}


def real_array(title: str, x: Any) -> Any:
    """Read what SciPy, or a user, gives as a float64 array; raises `TypeError` for complex ones."""
    if type(x) is np.ndarray and x.dtype == np.float64 and x.ndim:
        return x
    value = np.asarray(x)
    if value.dtype.kind not in "fiub":
        raise TypeError(f"{title}: x must be real numbers, not {value.dtype}")
    return value.astype(np.float64)[()]


def joined_arrays(parts: Sequence[Any]) -> Any:
    """Join arrays to one float64 vector of its own."""
    if not parts:
        return np.zeros(0)
    return np.concatenate([np.ravel(part) for part in parts], dtype=np.float64, casting="same_kind")


def joined(title: str, result: Any) -> Tensor:
    """Join all that a function gave to one float64 vector of a recording, row by row."""
    leaves, tree = take_apart(result)
    if not leaves:
        raise TypeError(f"{title}: the function must give numbers, not {result!r:.60}")
    parts = []
    for leaf, path in zip(leaves, tree.paths(), strict=True):
        tensor = convert(leaf, None if hasattr(leaf, "dtype") else _default(leaf))
        if tensor.dtype.name not in _REAL | _WHOLE:
            raise TypeError(
                f"{title}: the function must give real numbers, but result{path} is "
                f"{tensor.dtype.name}"
            )
        parts.append(_as_vector(tensor))
    return parts[0] if len(parts) == 1 else apply(Concat(-1), *parts)


def _default(leaf: Any) -> Any:
    return np.float64 if isinstance(leaf, (int, float)) else None


def _as_vector(tensor: Tensor) -> Tensor:
    if tensor.dtype.name != "float64":
        tensor = apply1(Cast("float64"), tensor)
    shape = tensor.raw.shape
    return tensor if len(shape) == 1 else apply1(Reshape(shape, (prod(shape),)), tensor)


class Adapted:
    """A function that is run in another way while it is traced; what it reads is still its own."""

    def __init__(self, function: Any, run: Callable[..., Any]) -> None:
        own = ("__name__", "__qualname__", "__module__")
        update_wrapper(self, function, assigned=own, updated=())
        self.run, self.__doc__ = run, None

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        """Run the function."""
        return self.run(self.__wrapped__, *args, **kwargs)  # type: ignore[attr-defined]  # of update_wrapper

    def rebound(self, standin: Callable[[Any], Any]) -> Adapted:
        """Run what stands for the function."""
        return Adapted(standin(self.__wrapped__), self.run)  # type: ignore[attr-defined]  # likewise


def adapted(function: Any, run: Callable[..., Any]) -> Any:
    """Wrap a function for tracing: `run` is called with the function and its arguments.

    What is no function stays as it is, for the one who takes it to say so.
    """
    return Adapted(function, run) if callable(function) else function


def one_number(function: Any) -> Any:
    """Let a function that gives an array of one element give a number, as SciPy does."""
    return adapted(function, _one_number)


def _one_number(function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
    result = function(*args, **kwargs)
    if not isinstance(result, Tensor):
        return result
    shape = result.raw.shape
    return apply1(Reshape(shape, ()), result) if shape and prod(shape) == 1 else result


def of_vector(function: Callable[..., Any], packing: Packing | None) -> Any:
    """Give the function of the vector that stands for the parameters, and of what follows."""
    if packing is None:
        return function
    return adapted(function, partial(_of_vector, packing))


def _of_vector(packing: Packing, function: Callable[..., Any], x: Any, /, *args: Any) -> Any:
    return function(packing.unpacked(x), *args)


def _shown(tree: Tree, likes: Sequence[tuple[Any, Any]] | None = None) -> str:
    leaves: Sequence[Any] = ["*"] * tree.size if likes is None else [shape for shape, _ in likes]
    return repr(tree.build(leaves))
