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


def scalar_of(value: list[Any] | tuple[Any, ...] | int, wanted: str | None) -> Any:
    """Choose NumPy's type for a nested sequence; None where NumPy chooses, as for texts.

    The name of a dtype that is `wanted` says it where all elements fit; behind a truth value they
    have room in it too. Else the first does: real numbers behind a whole one are float32, and after
    float64 or float16 all are of that. Raises `ValueError` where an element is of another kind.

    >>> scalar_of([np.int64(2), 1.5], None).__name__, scalar_of([np.float64(2), 1], None).__name__
    ('float32', 'float64')
    """
    types: dict[type, None] = {}
    _collect(value, types)
    first = next(iter(types), None)
    asked = _WANTED.get(wanted or "")
    if first is None or (len(types) == 1 and first in (float, str)):
        return None
    if wanted and asked and _all_fit(types, asked):
        if asked in {"whole", "real"} and first is bool and not have_room(value, wanted):
            raise mixed()
        exact = {"real": np.float64, "whole": np.uint64 if wanted == "uint64" else np.int64}
        return exact.get(asked, _SCALARS[asked])
    kind = _kind(first)
    if kind == "whole" and not _all_fit(types, kind):
        kind = "real"
    if kind is not None and not _all_fit(types, kind):
        raise mixed()
    is_kept = kind == "real" and first in (np.float64, np.float16)
    return first if is_kept else _SCALARS[kind]


def have_room(value: Any, wanted: str) -> bool:
    """Say whether numbers have room in an integer dtype, or fractions in another one.

    In TensorFlow a whole number that has no room among fractions is infinite.

    >>> have_room([1, 1e39], "float32"), have_room([1.0, 10**39], "float32")
    (False, True)
    """
    numbers = [x for x in np.array(value, object).flat if not isinstance(x, (list, tuple))]
    if not wanted.startswith("float"):
        room = np.iinfo(wanted)
        return all(room.min <= x <= room.max for x in numbers)
    fractions = np.array([x for x in numbers if not isinstance(x, _WHOLE)])
    with np.errstate(over="ignore"):
        return bool((np.isinf(fractions.astype(wanted)) <= np.isinf(fractions)).all())


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
