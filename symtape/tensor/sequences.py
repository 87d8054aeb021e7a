"""Python sequences of numbers: the first one says of what kind they are, as TensorFlow has it."""

from __future__ import annotations

from typing import Any

import numpy as np

from symtape.tensor.dimension import Dimension

_WHOLE = (int, np.integer, Dimension)
_REAL = (*_WHOLE, float, np.floating)
_FITS: dict[str, tuple[type, ...]] = {
    "string": (str, bytes),
    "bool": (bool, np.bool_),
    "whole": _WHOLE,
    "real": _REAL,
    "complex": (*_REAL, complex, np.complexfloating),
}
"""What may stand in a sequence of a kind: Python's truth values are whole numbers."""
_WANTED = {
    **dict.fromkeys(("float16", "float32", "float64"), "real"),
    **dict.fromkeys(("int32", "int64", "uint64"), "whole"),
    "bool": "bool",
    "complex128": "complex",
    "string": "string",
}
"""The dtypes that are asked for in place of what the first number says, by what they take."""
_SCALARS: dict[str | None, Any] = {
    "bool": np.bool_,
    "complex": np.complex128,
    "whole": np.int64,
    "real": np.float32,
    "string": None,
    None: None,
}


def scalar_of(value: list[Any] | tuple[Any, ...], wanted: str | None) -> Any:
    """Choose NumPy's type for a nested sequence; None where NumPy chooses, as for texts.

    The name of a dtype that is `wanted` says it where all elements fit. Else the first does: real
    numbers behind a whole one are float32, and after float64 or float16 all are of that. Raises
    `ValueError` where an element is of another kind.

    >>> scalar_of([np.int64(2), 1.5], None).__name__, scalar_of([np.float64(2), 1], None).__name__
    ('float32', 'float64')
    """
    types: dict[type, None] = {}
    _collect(value, types)
    first = next(iter(types), None)
    asked = _WANTED.get(wanted or "")
    if first is None or (len(types) == 1 and _is_plain(first, asked)):
        return None
    if asked is not None and _all_fit(types, asked):
        return np.float64 if asked == "real" else _SCALARS[asked]
    kind = _kind(first)
    if kind == "whole" and not _all_fit(types, kind):
        kind = "real"
    if kind is not None and not _all_fit(types, kind):
        raise mixed()
    is_kept = kind == "real" and first in (np.float64, np.float16)
    return first if is_kept else _SCALARS[kind]


def _is_plain(only: type, asked: str | None) -> bool:
    """Say whether NumPy reads numbers of one type of Python's as TensorFlow does."""
    return only in (float, str) or (only is int and asked != "real")


def mixed() -> ValueError:
    """Make the error of a sequence whose elements are not of one kind."""
    return ValueError("Can't convert Python sequence with mixed types to Tensor.")


def _collect(value: Any, types: dict[type, None]) -> None:
    """Collect the types of what stands in a sequence, that of the first element first."""
    if isinstance(value, np.ndarray):
        if value.dtype.kind == "O":
            types.update(dict.fromkeys(map(type, value.flat)))
        elif value.size:
            types[value.dtype.type] = None
    elif isinstance(value, (list, tuple)):
        kinds = dict.fromkeys([x.__class__ for x in value])  # what stands for an array says so
        if any(issubclass(k, (list, tuple, np.ndarray)) for k in kinds):
            for part in value:
                _collect(part, types)
        else:
            types.update(kinds)
    else:
        types[value.__class__] = None


def _kind(first: type) -> str | None:
    return next((kind for kind, fits in _FITS.items() if issubclass(first, fits)), None)


def _all_fit(types: dict[type, None], kind: str) -> bool:
    return all(issubclass(t, _FITS[kind]) for t in types)
