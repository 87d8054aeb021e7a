"""Arguments as a function takes them, so that calls that mean the same are told alike."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from symtape import nest
from symtape.signatures import read_signature
from symtape.tensor.convert import convert


def in_places(
    function: Callable[..., Any], args: Sequence[Any], kwargs: Mapping[str, Any]
) -> tuple[Any, Any]:
    """Give arguments by place where they have one, with the defaults of what was left out.

    TensorFlow traces a function once for all ways to write a call. Arrays are tensors, here as in
    calls. What does not fit is given back as it is, for the call says what is wrong.

    >>> in_places(lambda x, training=False, *, scale=2: x, (), {"x": 1})
    ((1, False), {'scale': 2})
    """
    try:
        bound = read_signature(function).bind(*args, **kwargs)
    except (TypeError, ValueError):
        return args, kwargs
    if len(bound.arguments) < len(bound.signature.parameters):
        bound.apply_defaults()
    given: tuple[Any, Any] = nest.map_structure(as_argument, (bound.args, bound.kwargs))
    return given


def as_argument(value: Any) -> Any:
    """Make a tensor of a NumPy array; a number of Python's stays what it is."""
    return convert(value) if type(value) is np.ndarray or isinstance(value, np.generic) else value
