"""`tf.compat.v1.variable_scope`: names and defaults for what `get_variable` makes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from contextvars import ContextVar
from enum import Enum
from typing import Any

from symtape.ops.control.flow import name_scope_v2
from symtape.tensor import dtypes


class VariableScope:
    """What `variable_scope` gives: a name, and what `get_variable` takes from it."""

    def __init__(self, name: str, **given: Any) -> None:
        self.name = name
        self.original_name_scope = f"{name}/" if name else ""
        self.reuse = given.get("reuse")
        self.dtype = dtypes.as_dtype(given.get("dtype") or dtypes.float32)
        self.use_resource = True
        self.initializer, self.constraint = given.get("initializer"), given.get("constraint")
        for word in _GIVEN:
            setattr(self, word, given.get(word))

    def set_caching_device(self, caching_device: Any) -> None:
        """Say where values would be kept: there is one processor."""
        self.caching_device = caching_device

    def reuse_variables(self) -> None:
        """Say that those that are there are meant; `get_variable` makes new ones all the same."""
        self.reuse = True


class _ReuseMode(Enum):
    AUTO_REUSE = 1


AUTO_REUSE = _ReuseMode.AUTO_REUSE
"""What `reuse` may be; `get_variable` makes a new variable all the same."""
_GIVEN = (*("caching_device", "custom_getter", "partitioner", "regularizer"),)
_PRESENT: ContextVar[VariableScope | None] = ContextVar("scope", default=None)


def get_variable_scope() -> VariableScope:
    """Give the scope that is open, or that of no name.

    >>> with variable_scope("net") as scope:
    ...     get_variable_scope() is scope, scope.name
    (True, 'net')
    """
    return _PRESENT.get() or VariableScope("")


@contextmanager
def variable_scope(
    name_or_scope: Any,
    default_name: str | None = None,
    values: Any = None,
    initializer: Any = None,
    regularizer: Any = None,
    caching_device: Any = None,
    partitioner: Any = None,
    custom_getter: Any = None,
    reuse: Any = None,
    dtype: Any = None,
    use_resource: bool | None = None,
    constraint: Any = None,
    auxiliary_name_scope: bool = True,
) -> Iterator[VariableScope]:
    """Name the variables that are made in the block after a scope.

    Initializer, dtype and constraint are those of `get_variable` where it is given none. Raises
    `TypeError` without any name, and for a name that is no text.

    >>> from symtape.tensor.variables.variable import Variable
    >>> with variable_scope("net"), variable_scope("dense"):
    ...     Variable(1.0, name="w").name
    'net/dense/w:0'
    """
    chosen = default_name if name_or_scope is None else name_or_scope
    if chosen is None:
        raise TypeError("If default_name is None then name_or_scope is required")
    above = get_variable_scope().name
    if isinstance(chosen, VariableScope):
        name, within = chosen.name, name_scope_v2(chosen.original_name_scope)
    elif isinstance(chosen, str):
        name, within = f"{above}/{chosen}" if above else chosen, name_scope_v2(chosen)
    else:
        raise TypeError("VariableScope: name_or_scope must be a string or VariableScope.")
    inherited = vars(chosen) if isinstance(chosen, VariableScope) else {}
    told = {
        "initializer": initializer,
        "regularizer": regularizer,
        "caching_device": caching_device,
        "partitioner": partitioner,
        "custom_getter": custom_getter,
        "reuse": reuse,
        "dtype": dtype,
        "constraint": constraint,
    }
    kept = {word: inherited.get(word) if told[word] is None else told[word] for word in told}
    made = VariableScope(name, **kept)
    token = _PRESENT.set(made)
    try:
        with within if auxiliary_name_scope and (name or above) else nullcontext():
            yield made
    finally:
        _PRESENT.reset(token)
