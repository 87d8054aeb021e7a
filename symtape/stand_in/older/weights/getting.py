"""`tf.compat.v1.get_variable`, which makes a new variable on every call, as it does eagerly."""

from __future__ import annotations

import importlib
import inspect
from typing import Any

from symtape.errors import UnsupportedError
from symtape.ops.control.flow import name_scope_v2
from symtape.stand_in.older.arguments.initializers import INITIALIZERS
from symtape.stand_in.older.weights.variable_scopes import VariableScope, get_variable_scope
from symtape.tensor import dtypes
from symtape.tensor.shape import TensorShape

tf: Any = importlib.import_module(__name__.partition(".")[0])
"""The public face."""


def get_variable(
    name: str | None,
    shape: Any = None,
    dtype: Any = None,
    initializer: Any = None,
    regularizer: Any = None,
    trainable: bool | None = None,
    collections: Any = None,
    caching_device: Any = None,
    partitioner: Any = None,
    validate_shape: bool = True,
    use_resource: bool | None = None,
    custom_getter: Any = None,
    constraint: Any = None,
    synchronization: Any = None,
    aggregation: Any = None,
) -> Any:
    """Make a variable that is named after the scopes of variables that are open.

    Without an `initializer` the scope's is taken, or else floats are drawn as
    `glorot_uniform_initializer` draws them, and anything else is zero. Nothing is kept by its name,
    so that `reuse` of a scope changes nothing; no collection has it, and no regularizer is asked.
    Raises `ValueError` for a shape beside a value, a dtype that the value has not, and a shape that
    is not known. A partitioner or a custom getter raises `UnsupportedError`.

    >>> get_variable("w", [2, 3]).name, get_variable("b", initializer=[1.0, 2.0]).shape
    ('w:0', TensorShape([2]))
    """
    scope = get_variable_scope()
    for word, given in (("partitioner", partitioner), ("custom_getter", custom_getter)):
        if given is not None or getattr(scope, word) is not None:
            raise UnsupportedError(f"tf.compat.v1.get_variable: {word}: make it by tf.Variable")
    value, kind = _first_value(name, shape, dtype, initializer, scope)
    full = f"{scope.name}/{name}" if scope.name and name else name
    with name_scope_v2(""):  # the scopes of other names do not count
        return tf.Variable(
            value,
            trainable,
            name=full,
            dtype=kind,
            constraint=scope.constraint if constraint is None else constraint,
            synchronization=synchronization,
            aggregation=aggregation,
        )


def _first_value(
    name: Any, shape: Any, dtype: Any, initializer: Any, scope: VariableScope
) -> tuple[Any, Any]:
    """Give what a variable holds first, and its dtype, which is None where the value has one."""
    maker = scope.initializer if initializer is None else initializer
    if maker is not None and not callable(maker):
        return _constant(maker, shape, dtype), None
    kind = scope.dtype if dtype is None else dtypes.as_dtype(dtype)
    if maker is None and shape is None:
        raise ValueError(
            f"Variable {name} did not get an initializer, so its `shape` argument must be "
            "specified."
        )
    if maker is None:
        maker = INITIALIZERS[("glorot_uniform" if kind.is_floating else "zeros") + "_initializer"]
    if inspect.isclass(maker) or inspect.unwrap(maker) in INITIALIZERS.values():
        maker = maker()
    if shape is None:
        return maker(), kind
    if not TensorShape(shape).is_fully_defined():
        raise ValueError(
            "The initializer passed is not valid. It should be a callable with no arguments and "
            "the shape should not be provided or an instance of `tf.keras.initializers.*' and "
            "`shape` should be fully defined."
        )
    return maker(TensorShape(shape).as_list(), dtype=kind), kind


def _constant(value: Any, shape: Any, dtype: Any) -> Any:
    """Give a first value that is no function."""
    if shape is not None:
        raise ValueError("If initializer is a constant, do not specify shape.")
    made = tf.convert_to_tensor(value)
    if dtype is not None and made.dtype != dtypes.as_dtype(dtype):
        wanted = dtypes.as_dtype(dtype)
        raise ValueError(
            f"Initializer type '{made.dtype}' and explicit dtype '{wanted}' don't match."
        )
    return made
