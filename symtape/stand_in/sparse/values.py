"""Values of sparse tensors, as sessions give them, where functions take sparse tensors."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from symtape.ops.composite_values import SparseTensorValue
from symtape.ops.sparse.tensor import SparseTensor

_ROOM = __name__.rpartition(".")[0]
_AS_THEY_ARE = {f"{_ROOM}.rows.lookups", f"{_ROOM}.measuring"}
"""Where TensorFlow refuses values, and where they are known."""


def taking_values(function: Callable[..., Any]) -> Callable[..., Any]:
    """Have a function of sparse tensors take values of them, too; leave all other functions.

    >>> import json
    >>> taking_values(json.dumps) is json.dumps
    True
    """
    module = str(function.__module__)  # what runs as a text may be of none
    if not module.startswith(_ROOM) or module in _AS_THEY_ARE:
        return function

    @wraps(function)
    def run(*args: Any, **kwargs: Any) -> Any:
        return function(*map(made_of, args), **{k: made_of(v) for k, v in kwargs.items()})

    return run


def made_of(value: Any) -> Any:
    """Make a sparse tensor of a value of one, and of those in a list; all else is given back.

    >>> made_of([SparseTensorValue([[1]], [2.0], [3])])[0].shape, made_of(3)
    (TensorShape([3]), 3)
    """
    if isinstance(value, SparseTensorValue):
        return SparseTensor.from_value(value)
    return [*map(made_of, value)] if type(value) is list else value
