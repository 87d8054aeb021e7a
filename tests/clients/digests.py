"""What a value is, as JSON that two processes can compare."""

from __future__ import annotations

import math
import traceback
from collections.abc import Iterable
from typing import Any

import numpy as np

_MANY = 64
"""Numbers of an array, and items of a list, that are told."""


def of_names(stored: Iterable[str], names: dict[str, Any]) -> dict[str, Any]:
    """Tell what names hold, without what is no value."""
    told = {name: of_value(names[name]) for name in stored if name in names}
    return {name: value for name, value in told.items() if value is not None}


def of_value(value: Any, depth: int = 0) -> Any:
    """Tell a value: numbers, text, arrays, tensors, and lists of them; None for anything else."""
    if isinstance(value, (bool, int, str)):
        return value if not isinstance(value, str) else value[:2000]
    if isinstance(value, (float, np.floating, complex, np.complexfloating, np.integer, np.bool_)):
        return of_array(np.asarray(value))
    if value is None:
        return "None"
    if isinstance(value, np.ndarray):
        return of_array(value)
    if isinstance(value, (list, tuple)) and depth < 3:
        return [type(value).__name__, *(of_value(v, depth + 1) for v in value[:_MANY])]
    if isinstance(value, dict) and depth < 3:
        items = list(value.items())[:_MANY]
        return {str(k): of_value(v, depth + 1) for k, v in items}
    if hasattr(value, "numpy") and hasattr(value, "shape") and hasattr(value, "dtype"):
        try:
            return of_array(np.asarray(value.numpy()))
        except Exception:
            return None
    return None


def of_array(array: Any) -> Any:
    """Tell an array by its dtype, its shape, its first numbers and two sums of all."""
    flat = array.ravel()
    found = {"dtype": str(array.dtype), "shape": list(array.shape)}
    if array.dtype.kind not in "biufc":
        return found | {"values": [str(v) for v in flat[:_MANY].tolist()]}
    wide = flat.astype(complex if array.dtype.kind == "c" else float)
    sums = [number(wide.sum()), number(np.abs(wide).sum())]
    return found | {"values": [number(v) for v in wide[:_MANY].tolist()], "sums": sums}


def number(value: Any) -> Any:
    """Write a number so that JSON keeps it."""
    if isinstance(value, complex):
        return [number(value.real), number(value.imag)]
    return float(value) if math.isfinite(value) else str(float(value))


def failure(error: BaseException) -> dict[str, Any]:
    """Say what a part raised, and where in the client."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [f for f in frames if "child.py" not in f.filename]
    line = (own[0].line or "") if own else ""
    text = "".join(traceback.format_exception(error))[-3000:]
    return {"raises": type(error).__name__, "says": str(error)[:2000], "at": line, "trace": text}
