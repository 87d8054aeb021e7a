"""`tf.compat.v1.variable_scope`: names for variables, which nobody can ask for by their names."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from contextvars import ContextVar
from typing import Any, NoReturn

from symtape.errors import UnsupportedError
from symtape.ops.control.flow import name_scope_v2
from symtape.tensor import dtypes


class VariableScope:
    """What `variable_scope` gives: a name, and what `get_variable` would take from it.

    `get_variable` raises `UnsupportedError`: variables are made by `tf.Variable`.
    """

    def __init__(self, name: str, **given: Any) -> None:
        self.name = name
        self.original_name_scope = f"{name}/" if name else ""
        self.reuse = given.get("reuse")
        self.dtype = dtypes.as_dtype(given.get("dtype") or dtypes.float32)
        self.use_resource = True
        for word in _GIVEN:
            setattr(self, word, given.get(word))

    def set_caching_device(self, caching_device: Any) -> None:
        """Say where values would be kept: there is one processor."""
        self.caching_device = caching_device

    def reuse_variables(self) -> None:
        """Say that `get_variable` would give those that are there."""
        self.reuse = True

    def get_variable(self, *args: Any, **kwargs: Any) -> NoReturn:
        """Refuse with an `UnsupportedError`."""
        raise UnsupportedError(
            "tf.compat.v1.get_variable: make variables by tf.Variable, in tf.name_scope"
        )


_GIVEN = (
    *("caching_device", "constraint", "custom_getter", "initializer", "partitioner"),
    "regularizer",
)
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

    What is said of initializers and the like would be for `get_variable`, which is refused. Raises
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
