"""NumPy's functions that write into an array: they are asked which element comes to stand where.

Such a function is called with places in place of elements, as those that only move them
(`moves.py`), and what came of it is written into the tensor, as a function may do.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.lib.array_utils import normalize_axis_index

from symtape.errors import UnsupportedError
from symtape.ops.arguments import is_tensor
from symtape.ops.elementwise.conversion import cast
from symtape.ops.numpy.arrays.moves import at_places, known
from symtape.ops.numpy.dtypes import taken
from symtape.ops.shapes.joining import stack
from symtape.ops.shapes.shaping import expand_dims, reshape
from symtape.program.kinds.structural import Scatter
from symtape.signatures import read_signature
from symtape.tensor.dispatch import apply
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import dtype_of, shape_of, size_of


def _written(function: Any, values: str) -> Callable[..., None]:
    """Record a function whose first argument it writes into, and one that gives what it writes."""
    signature = read_signature(function)
    into = next(iter(signature.parameters))

    def run(*args: Any, **kwargs: Any) -> None:
        bound = signature.bind(*args, **kwargs)
        bound.apply_defaults()
        target, more = bound.arguments[into], taken(bound.arguments[values])
        parts = [target, cast(more, dtype_of(target))]
        places = np.arange(size_of(target)).reshape(shape_of(target))
        others = bound.arguments.keys() - {into, values}
        bound.arguments.update({name: known(bound.arguments[name]) for name in others})
        bound.arguments[into] = places
        bound.arguments[values] = (places.size + np.arange(size_of(more))).reshape(shape_of(more))
        function(*bound.args, **bound.kwargs)
        target[...] = at_places(parts, places)

    run.__signature__ = signature  # type: ignore[attr-defined]  # it says what is honoured
    return run


def no_writing(name: str) -> UnsupportedError:
    """Say that a tensor is not written into."""
    return UnsupportedError(
        f"{name} would write into a tensor, or into an array that stands for one: in a function "
        "write A[i] = … or A += …, or use tf.tensor_scatter_nd_add and the like"
    )


def _bincount(x: Any, weights: Any = None, minlength: int = 0) -> Any:
    """Add up the weights of each whole number."""
    places = np.asarray(known(x))
    count = np.bincount(places, minlength=minlength)
    if weights is None:
        return Tensor(count)
    terms = taken(weights)
    if shape_of(terms) != places.shape:
        raise ValueError("The weights and list don't have the same length.")
    return apply(Scatter(0, 0, 0, len(count)), cast(terms, np.float64), Tensor(places))


def outer(call: Callable[..., Any], a: Any, b: Any) -> Any:
    """Apply a function of two numbers to each pair of elements."""
    x, y = taken(a), taken(b)
    return call(reshape(x, [*shape_of(x), *[1] * y.ndim]), y)


def _lines(array: Any, axis: int) -> list[Tensor]:
    """Part an array along an axis."""
    x = taken(array)
    before = (slice(None),) * normalize_axis_index(axis, x.ndim)
    return [x[(*before, k)] for k in range(shape_of(x)[axis])]


def folded(ufunc: Any, array: Any, axis: int = 0, keepdims: bool = False) -> Tensor:
    """Apply a function to what it made of the elements before and to the next, along an axis."""
    if not isinstance(axis, (int, np.integer)):
        raise UnsupportedError(
            f"np.{ufunc.__name__}.reduce along {axis} is not recorded: name one axis"
        )
    parts = _lines(array, axis)
    if not parts:
        raise ValueError(
            f"zero-size array to reduction operation {ufunc.__name__} which has no identity"
        )
    made: Tensor = functools.reduce(ufunc, parts)
    return expand_dims(made, axis) if keepdims else made


def accumulated(ufunc: Any, array: Any, axis: int = 0) -> Tensor:
    """Keep what a function made of the elements up to each."""
    return stack(list(itertools.accumulate(_lines(array, axis), ufunc)), axis)


def at_ends(reduce: Callable[..., Tensor], array: Any, indices: Any, axis: int = 0) -> Tensor:
    """Reduce what lies between neighbours of some places, as `ufunc.reduceat` does."""
    x, starts = taken(array), [int(k) for k in known(indices)]
    stops = [*starts[1:], shape_of(x)[axis]]
    before = (slice(None),) * normalize_axis_index(axis, x.ndim)
    pieces = [slice(a, max(b, a + 1)) for a, b in zip(starts, stops, strict=True)]
    return stack([reduce(x[(*before, piece)], axis) for piece in pieces], axis)


def _copyto(dst: Any, src: Any, casting: Any = "same_kind", where: Any = True) -> None:
    """Say what NumPy's function takes, which says nothing of it before NumPy 2.4."""
    np.copyto(dst, src, casting, where)


def _putmask(a: Any, mask: Any, values: Any) -> None:
    """Say what NumPy's function takes."""
    np.putmask(a, mask, values)


_WRITING: dict[Any, Callable[..., Any]] = {
    np.copyto: _written(_copyto, "src"),
    np.fill_diagonal: _written(np.fill_diagonal, "val"),
    np.put: _written(np.put, "v"),
    np.put_along_axis: _written(np.put_along_axis, "values"),
    np.putmask: _written(_putmask, "values"),
}
FUNCTIONS: dict[Any, Callable[..., Any]] = {np.bincount: _bincount, **_WRITING}


def writes_elsewhere(function: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> bool:
    """Say whether a function writes into an array that takes numbers, and no tensors."""
    if function not in _WRITING:
        return False
    into = next(iter(read_signature(_WRITING[function]).parameters))
    target = args[0] if args else kwargs.get(into)
    return not (is_tensor(target) and hasattr(target, "fill"))
