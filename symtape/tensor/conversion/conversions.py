"""How objects of classes that people register become tensors: register_tensor_conversion_function.

The functions are asked for objects that are no tensors and no values that convert themselves, by
priority, and those of one priority as they came.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from symtape.tensor import dtypes
from symtape.tensor.tensor import Tensor

Conversion = Callable[..., Any]
_FUNCTIONS: dict[int, list[tuple[Any, Conversion]]] = {}
_FOUND: dict[type, list[tuple[Any, Conversion]]] = {}
"""The functions of each class that was asked for; empty where nothing was registered."""
_OWN = (bool, int, float, complex, str, bytes, list, tuple, np.ndarray, np.generic)
_OWN_PRIORITY = 100
"""What becomes a tensor in any case, and the priority that a function must come before to do it."""
_NUMBERS = (int, float, np.generic, np.ndarray)


def register_tensor_conversion_function(
    base_type: Any, conversion_func: Conversion, priority: int = 100
) -> None:
    """Say how objects of a class, or of several, become tensors wherever one is asked for.

    The function takes the object and, as `dtype`, `name` and `as_ref`, the dtype that is needed or
    None, None and False; it gives a tensor, or `NotImplemented` to leave it to others. Smaller
    priorities come first. Raises `TypeError` for what is no class, for numbers and arrays, and for
    what is no function.

    >>> class Metres:
    ...     def __init__(self, count):
    ...         self.count = count
    >>> def convert_metres(value, dtype=None, name=None, as_ref=False):
    ...     return Tensor(np.float32(value.count))
    >>> register_tensor_conversion_function(Metres, convert_metres)
    >>> 2.0 * Tensor(np.float32(1)) + Metres(3)
    <tf.Tensor: shape=(), dtype=float32, numpy=5.0>
    """
    kinds = base_type if isinstance(base_type, tuple) else (base_type,)
    if not all(isinstance(kind, type) for kind in kinds):
        raise TypeError(
            f"Argument `base_type` must be a type or a tuple of types. Obtained: {base_type}"
        )
    if any(issubclass(kind, _NUMBERS) for kind in kinds):
        raise TypeError(
            "Cannot register conversions for Python numeric types and NumPy scalars and arrays."
        )
    if not callable(conversion_func):
        raise TypeError(f"Argument `conversion_func` must be callable. Received {conversion_func}.")
    _FUNCTIONS.setdefault(priority, []).append((base_type, conversion_func))
    _FOUND.clear()


def is_registered(value: Any) -> bool:
    """Say whether somebody has said how such an object becomes a tensor.

    >>> is_registered(3.0)
    False
    """
    return bool(_FUNCTIONS and _functions_of(type(value)))


def registered(value: Any, dtype: Any = None) -> Tensor | None:
    """Convert an object by the functions of its class; None where there are none.

    Raises `RuntimeError` where a function gives no tensor, or one of another dtype.

    >>> registered(3.0) is None
    True
    """
    if not _FUNCTIONS:
        return None
    wanted = None if dtype is None else dtypes.as_dtype(dtype)
    for kind, function in _functions_of(type(value)):
        made: Any = function(value, dtype=wanted, name=None, as_ref=False)
        if made is NotImplemented:
            continue
        said = f"Conversion function {function!r} for type {kind} returned"
        if not isinstance(made, Tensor) and not hasattr(made, "read_value"):
            raise RuntimeError(f"{said} non-Tensor: {made!r}")
        found: Tensor = made.read()
        if wanted is not None and wanted is not found.dtype:
            raise RuntimeError(
                f"{said} incompatible dtype: requested = {wanted.name}, actual = {found.dtype.name}"
            )
        return found
    return None


def preferred(value: Any, dtype: Any, hint: Any) -> Tensor | None:
    """Convert an object as `registered`: to a dtype, or to that of a hint where that can be.

    >>> preferred(3.0, None, "float32") is None
    True
    """
    if not is_registered(value):
        return None
    if dtype is None and hint is not None:
        try:
            return registered(value, hint)
        except (TypeError, ValueError):
            pass
    return registered(value, dtype)


def _functions_of(kind: type) -> list[tuple[Any, Conversion]]:
    found = _FOUND.get(kind)
    if found is None:
        is_own = issubclass(kind, _OWN)
        found = _FOUND[kind] = [
            pair
            for priority in sorted(_FUNCTIONS)
            for pair in _FUNCTIONS[priority]
            if issubclass(kind, pair[0]) and not (is_own and priority >= _OWN_PRIORITY)
        ]
    return found
