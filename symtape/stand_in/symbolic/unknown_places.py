"""Places that are not known while a graph is built: what is gathered there still has a shape.

The examples of a tensor of a graph have sizes that nobody chose, so that places which are counted
from them may lie outside of a table that is long enough for the sizes of the program.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import numpy as np

from symtape.signatures import read_signature
from symtape.tensor.convert import convert
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import shape_of, value_of

TAKES_PLACES = {"gather", "gather_v2", "gather_nd", "embedding_lookup"}
"""Functions of a table and of places in it."""


def inside(function: Callable[..., Any]) -> Callable[..., Any]:
    """Have a function take the nearest places that there are, instead of raising for others."""
    taken = read_signature(function)
    name = list(taken.parameters)[1]

    @wraps(function)
    def run(*args: Any, **kwargs: Any) -> Any:
        given = taken.bind(*args, **kwargs)
        if isinstance(given.arguments["params"], (list, tuple)):
            return function(*args, **kwargs)  # parts, whose rows are counted together
        places = value_of(convert(given.arguments[name]))
        last = _sizes(function.__name__, given.arguments, np.shape(places)) - 1
        given.arguments[name] = Tensor(np.clip(places, 0, np.maximum(last, 0)).astype(places.dtype))
        return function(*given.args, **given.kwargs)

    return run


def _sizes(name: str, given: dict[str, Any], places: tuple[int, ...]) -> Any:
    """Give the size of the axis along which is gathered, or the sizes of several."""
    sizes = shape_of(convert(given["params"]))
    batches = int(given.get("batch_dims") or 0)
    if name == "gather_nd":
        return np.array(sizes[batches : batches + places[-1]])
    axis = given.get("axis")
    return np.array(sizes[batches if axis is None else int(axis)])


def items_of(key: Any) -> tuple[Any, ...]:
    """Give what stands in brackets, between commas."""
    return key if isinstance(key, tuple) else (key,)


def ends_of(item: Any) -> tuple[Any, ...]:
    """Give the ends of a slice, and of anything else itself."""
    return (item.start, item.stop, item.step) if type(item) is slice else (item,)


def reaching(table: Any, key: Any, unknown: list[bool]) -> Any:
    """Give a table that is long enough for ends and places in brackets that are not known.

    Else it would be cut where the table ends, for each example alike, and the size would be known.
    """
    items = items_of(key)
    if any(map(_is_mask, items)):
        return table
    taken = [item for item in items if item is not None and item is not Ellipsis]
    shape = shape_of(convert(table))
    axis, found = 0, table
    for item, is_unknown in zip(items, unknown, strict=True):
        if item is Ellipsis:
            axis = len(shape) - len(taken)
        elif item is not None:
            if is_unknown and 0 < shape[axis] < (size := _reach(item)):
                rows = np.minimum(np.arange(size), shape[axis] - 1)
                found = Tensor(np.take(value_of(convert(found)), rows, axis))
            axis += 1
            taken.pop(0)
    return found


def _is_mask(item: Any) -> bool:
    return hasattr(item, "dtype") and np.dtype(item.dtype.name).kind == "b"


def _reach(item: Any) -> int:
    """Say how many places there must be for an item."""
    ends = [abs(int(end)) for end in ends_of(item)[:2] if end is not None]
    return max(ends) + (type(item) is not slice)
