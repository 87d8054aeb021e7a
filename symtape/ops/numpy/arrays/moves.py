"""NumPy's functions that only move elements: they are asked where each element comes from.

Such a function is called with the places of the elements in place of the elements, so its axes,
defaults and errors are NumPy's own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from symtape.ops.arguments import plain
from symtape.ops.elementwise.conversion import cast
from symtape.ops.numpy.dtypes import promoted, taken
from symtape.ops.shapes.joining import stack
from symtape.ops.shapes.repetition import joined
from symtape.ops.shapes.shaping import reshape, transpose, with_shape
from symtape.program.kinds.structural import Gather
from symtape.signatures import read_signature
from symtape.tensor.convert import convert
from symtape.tensor.decided import decided_by_look
from symtape.tensor.dispatch import apply
from symtape.tensor.indexing.slices import Places
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import dtype_of, shape_of, size_of


def _moved(function: Any, *names: str) -> Callable[..., Any]:
    """Record a function whose arguments of some names hold elements, or lists of them."""
    signature = read_signature(function)

    def run(*args: Any, **kwargs: Any) -> Any:
        bound = signature.bind(*args, **kwargs)
        bound.apply_defaults()
        given = [bound.arguments[name] for name in names]
        parts = promoted(list(_leaves(given)))
        places = _places(parts)
        for name in bound.arguments:
            if name not in names:
                bound.arguments[name] = known(bound.arguments[name])
        bound.arguments.update(zip(names, _filled(given, places), strict=True))
        return at_places(parts, function(*bound.args, **bound.kwargs))

    run.__signature__ = signature  # type: ignore[attr-defined]  # it says what is honoured
    return run


def _leaves(values: Any) -> Iterator[Any]:
    for value in values:
        if isinstance(value, (list, tuple)):
            yield from _leaves(value)
        else:
            yield value


def _places(parts: list[Tensor]) -> Iterator[Any]:
    """Number the elements of all parts one after another."""
    start = 0
    for part in parts:
        yield np.arange(start, start + size_of(part)).reshape(shape_of(part))
        start += size_of(part)


def _filled(values: Any, places: Iterator[Any]) -> list[Any]:
    return [
        type(v)(_filled(v, places)) if isinstance(v, (list, tuple)) else next(places)
        for v in values
    ]


def known(value: Any) -> Any:
    """Take the value of a condition or of indices, which have no derivative."""
    if isinstance(value, Tensor):
        return decided_by_look(value)
    if isinstance(value, (list, tuple)):
        return type(value)([known(v) for v in value])
    return plain(value)


def at_places(parts: list[Tensor], places: Any) -> Any:
    """Gather the elements of all parts at the places that a function gave."""
    if isinstance(places, (list, tuple)):
        return type(places)([at_places(parts, p) for p in places])
    line = joined([with_shape(part, (size_of(part),)) for part in parts], 0)
    return apply(Gather(0, 0, 0), line, Places(np.array(places)))


def _inserted(arr: Any, obj: Any, values: Any, axis: Any = None) -> Any:
    return cast(_insert(arr, obj, values, axis), dtype_of(convert(arr)))


def _piecewise(x: Any, condlist: Any, funclist: Any, *args: Any, **kw: Any) -> Any:
    """Compute each function where its condition holds, the last one where none does."""
    points = convert(x)
    masks = known(condlist)
    if np.ndim(masks) == points.ndim:
        masks = [masks]
    masks = np.broadcast_to(np.asarray(masks, bool), (len(masks), *shape_of(points)))
    if len(funclist) == len(masks) + 1:
        masks = np.concatenate([masks, ~np.any(masks, axis=0, keepdims=True)])
    elif len(funclist) != len(masks):
        raise ValueError(
            f"with {len(masks)} condition(s), either {len(masks)} or {len(masks) + 1} functions "
            "are expected"
        )
    parts = [Tensor(np.zeros(shape_of(points), dtype_of(points)))]
    order = np.arange(size_of(points)).reshape(shape_of(points))
    for mask, function in zip(masks, funclist, strict=True):
        if mask.any():
            made = _at(points, mask, function, args, kw)
            start = sum(size_of(part) for part in parts)
            order[mask] = np.broadcast_to(np.arange(start, start + size_of(made)), mask.sum())
            parts.append(made)
    return at_places([cast(part, dtype_of(points)) for part in parts], order)


def _at(points: Tensor, mask: Any, function: Any, args: Any, kw: Any) -> Tensor:
    if not callable(function):
        return taken(function)
    places = np.flatnonzero(mask)
    return convert(function(at_places([points], places), *args, **kw))


def _along_axis(func1d: Any, axis: int, arr: Any, *args: Any, **kwargs: Any) -> Any:
    """Call a function with each row along an axis; what it gives has the place of the row."""
    x = convert(arr)
    rows = np.moveaxis(np.arange(size_of(x)).reshape(shape_of(x)), axis, -1)
    lines = rows.reshape(-1, rows.shape[-1])
    made = [taken(func1d(at_places([x], line), *args, **kwargs)) for line in lines]
    own = shape_of(made[0])
    whole = with_shape(stack(promoted(made), 0), (*rows.shape[:-1], *own))
    before = axis % x.ndim
    order = [*range(before), *range(x.ndim - 1, x.ndim - 1 + len(own)), *range(before, x.ndim - 1)]
    return transpose(whole, order)


def _trimmed(filt: Any, trim: Any = "fb") -> Any:
    """Leave out zeros in front and behind."""
    x = convert(filt)
    line = np.trim_zeros(np.where(np.asarray(known(x)) == 0, 0, np.arange(1, size_of(x) + 1)), trim)
    return at_places([x], line - 1)


def _partition(a: Any, kth: Any, axis: int | None = -1) -> Any:
    """Put smaller elements before the one of some place, in the order that NumPy has for these."""
    x = reshape(convert(a), [-1]) if axis is None else convert(a)
    place = 0 if axis is None else axis
    numbers = np.arange(size_of(x)).reshape(shape_of(x))
    order = np.argpartition(known(x), known(kth), place)
    return at_places([x], np.take_along_axis(numbers, order, place))


_insert = _moved(np.insert, "arr", "values")
_select = _moved(np.select, "choicelist", "default")

FUNCTIONS: dict[Any, Callable[..., Any]] = {
    np.apply_along_axis: _along_axis,
    np.atleast_3d: _moved(np.atleast_3d, "arys"),
    np.block: _moved(np.block, "arrays"),
    np.broadcast_arrays: _moved(np.broadcast_arrays, "args"),
    np.choose: _moved(np.choose, "choices"),
    np.compress: _moved(np.compress, "a"),
    np.delete: _moved(np.delete, "arr"),
    np.dsplit: _moved(np.dsplit, "ary"),
    np.dstack: _moved(np.dstack, "tup"),
    np.extract: _moved(np.extract, "arr"),
    np.hsplit: _moved(np.hsplit, "ary"),
    np.insert: _inserted,
    np.partition: _partition,
    np.piecewise: _piecewise,
    np.resize: _moved(np.resize, "a"),
    np.rollaxis: _moved(np.rollaxis, "a"),
    np.rot90: _moved(np.rot90, "m"),
    np.select: lambda condlist, choicelist, default=0: _select(condlist, choicelist, default),
    np.take_along_axis: _moved(np.take_along_axis, "arr"),
    np.unstack: _moved(np.unstack, "x"),
    sliding_window_view: _moved(sliding_window_view, "x"),
    np.trim_zeros: _trimmed,
    np.vsplit: _moved(np.vsplit, "ary"),
}
