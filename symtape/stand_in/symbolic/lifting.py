"""Functions of TensorFlow's as they take tensors of a graph, while one is built."""

from __future__ import annotations

from collections.abc import Callable
from functools import update_wrapper, wraps
from typing import Any

from symtape import nest
from symtape.ops.composite import CompositeTensor, Record
from symtape.ops.control.flow import executing_eagerly
from symtape.ops.linalg.operators.base import LinearOperator
from symtape.signatures import read_signature
from symtape.stand_in.extension.dispatch import NOTHING, TARGETS, dispatched
from symtape.stand_in.inner import nesting
from symtape.stand_in.operators import OF_OPERATORS, is_among
from symtape.stand_in.promotion.functions import PROMOTED
from symtape.stand_in.ragged.functions import applied as of_rows
from symtape.stand_in.ragged.functions import takes, takes_named
from symtape.stand_in.sparse.applying import applied as of_composite
from symtape.stand_in.sparse.values import taking_values
from symtape.stand_in.symbolic.tensors import STATE, applied
from symtape.stand_in.symbolic.unknown_places import (
    TAKES_PLACES,
    inside,
)
from symtape.tensor.tensor import Tensor

_PLAIN = {
    *("is_tensor", "is_symbolic_tensor", "executing_eagerly", "init_scope"),
    *("control_dependencies", "device", "function"),
}
"""Functions that look at no value."""


_OF_STRUCTURES = {nest.__name__, nesting.__name__}
"""Where functions take structures apart, whatever these hold."""


_WHOLE = (CompositeTensor, LinearOperator, Record)


_OF_RECORDS = {"identity", "stop_gradient"}
"""Functions that take whatever is made of tensors, and give what is made alike."""


_DECORATORS = {"custom_gradient", "recompute_grad", "grad_pass_through"}


def lifted(function: Callable[..., Any]) -> Callable[..., Any]:
    """Have a function take tensors of a graph, while one is built."""
    name = getattr(function, "__name__", "")
    if name in _PLAIN or function.__module__ in _OF_STRUCTURES:
        return function

    takes_records = name in _OF_RECORDS
    in_graph = inside(function) if name in TAKES_PLACES else function
    of_operators = OF_OPERATORS.get(function)
    plain = taking_values(function)

    @wraps(function)
    def run(*args: Any, **kwargs: Any) -> Any:
        if not args and kwargs:
            args = _first_of(function, kwargs)
        if TARGETS and function in TARGETS:
            found = dispatched(run, function, args, kwargs)
            if found is not NOTHING:
                return found
        if of_operators is not None and is_among(args):
            return of_operators(*args, **kwargs)
        if takes(args) or (kwargs and takes_named(name, kwargs)):
            return of_rows(name, function, args, kwargs)
        if args and isinstance(args[0], CompositeTensor):
            return of_composite(function, args[0], args[1:], kwargs)
        if takes_records and args and isinstance(args[0], Record):
            return _of_parts(run, args[0], args[1:], kwargs)
        chosen = PROMOTED[function] if PROMOTED and function in PROMOTED else plain
        if not STATE.graphs:
            return chosen(*args, **kwargs)
        found = applied(in_graph if chosen is plain else chosen, args, kwargs)
        if not executing_eagerly():
            STATE.given += [x for x in nest.flatten(found) if isinstance(x, Tensor)]
        return found

    if name in _DECORATORS:
        return wraps(function)(lambda *args, **kwargs: _Decorated(function(*args, **kwargs)))
    return run


class _Decorated:
    """What a decorator made, called as other functions are; as a method, it is bound first."""

    def __init__(self, function: Callable[..., Any]) -> None:
        update_wrapper(self, function)
        self._function = function
        self._run = lifted(function)

    def __get__(self, instance: Any, owner: Any = None) -> Callable[..., Any]:
        """Bind a method."""
        if instance is None:
            return self
        bind = type(self._function).__get__  # type: ignore[attr-defined]  # as a function's
        return _Decorated(bind(self._function, instance, owner))

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._run(*args, **kwargs)


def _of_parts(run: Callable[..., Any], record: Any, args: Any, kwargs: Any) -> Any:
    """Apply a function to each tensor of which a record is made."""
    return nest.map_structure(
        lambda part: run(part, *args, **kwargs), record, expand_composites=True
    )


def _first_of(function: Callable[..., Any], kwargs: dict[str, Any]) -> tuple[Any, ...]:
    """Take the first argument out of those given by name, where one of them is no whole tensor."""
    given = tuple(kwargs.values())
    if not takes(given) and not any([isinstance(v, _WHOLE) for v in given]):
        return ()
    name = next(iter(read_signature(function).parameters))
    return (kwargs.pop(name),) if name in kwargs else ()
