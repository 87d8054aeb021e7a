"""Places that are not known while a graph is built: what is gathered there still has a shape.

The examples of a tensor of a graph have sizes that nobody chose, so that places which are counted
from them may lie outside of a table that is long enough for the sizes of the program.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from inspect import signature
from typing import Any

import numpy as np

from symtape.tensor.convert import convert
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import shape_of, value_of

TAKES_PLACES = {"gather", "gather_v2", "gather_nd", "embedding_lookup"}
"""Functions of a table and of places in it."""


def inside(function: Callable[..., Any]) -> Callable[..., Any]:
    """Have a function take the nearest places that there are, instead of raising for others."""
    taken = signature(function)
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
