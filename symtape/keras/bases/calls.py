"""How a layer is called: its inputs, and whether it is training."""

from __future__ import annotations

import inspect
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Any

import numpy as np

from symtape import nest
from symtape.ops.elementwise.conversion import cast
from symtape.signatures import read_signature
from symtape.tensor.convert import convert
from symtape.tensor.dtypes import DType
from symtape.tensor.tensor import Tensor
from symtape.tensor.variables.variable import Variable


@lru_cache(maxsize=1024)
def signature_of(function: Callable[..., Any]) -> inspect.Signature:
    """Give the signature of a `call` or `build` method, without `self`."""
    found = read_signature(function)
    return found.replace(parameters=list(found.parameters.values())[1:])


def default_of(signature: inspect.Signature) -> Any:
    """Give the default of the argument `training`, None if it has none."""
    default = signature.parameters["training"].default
    return None if default is inspect.Parameter.empty else default


def convert_input(x: Any, dtype: DType, autocast: bool) -> Any:
    """Make an array a tensor, and a float one of the layer's dtype; leave other things alone."""
    if isinstance(x, np.ndarray) or (hasattr(x, "__array__") and not hasattr(x, "read")):
        x = convert(x)
    if isinstance(x, (Tensor, Variable)):
        return cast(x, dtype) if autocast and x.dtype.is_floating and x.dtype is not dtype else x
    return x


def check_positional(args: Any) -> None:
    """Raise `ValueError` for what stands as a positional argument and is no tensor."""
    for arg in nest.flatten(args):
        if arg is not None and not isinstance(arg, (Tensor, Variable)):
            raise ValueError(
                "Only input tensors may be passed as positional arguments. The following argument "
                f"value should be passed as a keyword argument: {arg} (of type {type(arg)})"
            )


def shapes_for(build: inspect.Signature, arguments: dict[str, Any]) -> dict[str, Any]:
    """Give the arguments of `build`: the shape of the first input, or one shape for each input."""
    shapes = {
        f"{name}_shape": nest.map_structure(lambda x: tuple(x.shape), value)
        for name, value in arguments.items()
        if _is_tensors(value)
    }
    names = list(build.parameters)
    if len(names) == 1:
        return {names[0]: next(iter(shapes.values()), None)}
    lacking = [name for name in names if name not in shapes]
    if lacking:
        raise ValueError(
            "For a `build()` method with more than one argument, all arguments should have a "
            "`_shape` suffix and match an argument from `call()`. E.g. `build(self, foo_shape, "
            f"bar_shape)`. Received {names}, and the inputs are {list(shapes)}"
        )
    return {name: shapes[name] for name in names}


def _is_tensors(value: Any) -> bool:
    leaves = nest.flatten(value)
    return bool(leaves) and all(isinstance(x, (Tensor, Variable)) for x in leaves)


class _Context(threading.local):
    """The outermost layer that is being called, and what `training` is within it."""

    def __init__(self) -> None:
        self.entry: Any = None
        self.training: Any = None


_CONTEXT = _Context()


@contextmanager
def calling(layer: Any, given: Any, default: Any) -> Iterator[Any]:
    """Be within the call of a layer; `training` is as given, as outside, or as by default."""
    outermost = _CONTEXT.entry is None
    if outermost:
        _CONTEXT.entry = layer
        _CONTEXT.training = None
    if given is None:
        given = default if _CONTEXT.training is None else _CONTEXT.training
    _CONTEXT.training = given
    try:
        yield given
    finally:
        if outermost:
            _CONTEXT.entry = None


def is_outermost() -> bool:
    """Say whether no layer is being called."""
    return _CONTEXT.entry is None
