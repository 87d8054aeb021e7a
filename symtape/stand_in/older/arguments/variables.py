"""Variables of TensorFlow 1, and what changes them, written as what they are in TensorFlow 2."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

tf: Any = importlib.import_module(__name__.partition(".")[0])
"""The public face."""


def _by_slices(method: str) -> Callable[..., Any]:
    """Change rows of a variable by a method that takes slices."""
    return lambda ref, indices, updates, use_locking=True, name=None: getattr(ref, method)(
        tf.IndexedSlices(tf.convert_to_tensor(updates, ref.dtype), indices), use_locking, name
    )


def _by_places(method: str) -> Callable[..., Any]:
    return lambda ref, indices, updates, use_locking=True, name=None: getattr(ref, method)(
        indices, updates, name
    )


def _nothing() -> list[Any]:
    """Give no variables: when everything is eager no graph collects them."""
    return []


class VariableV1:
    """Makes a `tf.Variable` of the arguments of TensorFlow 1; none is an instance of this."""

    def __new__(
        cls,
        initial_value: Any = None,
        trainable: bool | None = None,
        collections: Any = None,
        validate_shape: bool = True,
        caching_device: Any = None,
        name: str | None = None,
        variable_def: Any = None,
        dtype: Any = None,
        expected_shape: Any = None,
        import_scope: Any = None,
        constraint: Any = None,
        use_resource: bool | None = None,
        **more: Any,
    ) -> Any:
        """Make it; no graph collects it, and where it lies changes nothing."""
        how = (validate_shape, caching_device, name, variable_def, dtype, import_scope, constraint)
        return tf.Variable(initial_value, trainable, *how, **more)


VARIABLES: dict[str, Callable[..., Any]] = {
    "Variable": VariableV1,
    "assign": lambda ref, value, validate_shape=None, use_locking=None, name=None: ref.assign(
        value, use_locking, name
    ),
    "assign_add": lambda ref, value, use_locking=None, name=None: ref.assign_add(
        value, use_locking, name
    ),
    "assign_sub": lambda ref, value, use_locking=None, name=None: ref.assign_sub(
        value, use_locking, name
    ),
    **{
        f"scatter_{word}": _by_slices(f"scatter_{word}")
        for word in ("add", "div", "max", "min", "mul", "sub", "update")
    },
    **{f"scatter_nd_{w}": _by_places(f"scatter_nd_{w}") for w in ("add", "sub", "update")},
    **{
        f"{which}_variables": lambda scope=None: _nothing()
        for which in ("global", "local", "model", "trainable")
    },
    **{f"{which}_variables_initializer": lambda: None for which in ("global", "local")},
    "tables_initializer": lambda name="init_all_tables": None,
    "variables_initializer": lambda var_list, name="init": None,
    "enable_resource_variables": lambda: None,
    "executing_eagerly_outside_functions": lambda: True,
    "resource_variables_enabled": lambda: True,
}  # fmt: skip
