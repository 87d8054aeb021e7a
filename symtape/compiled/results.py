"""Results of compiled code as arrays of their own, which nobody else reads or writes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np


def finished(values: Sequence[Any], inputs: Sequence[Any], dtypes: Sequence[Any]) -> list[Any]:
    """Make results arrays of their own: of their dtype, and shared with no input or other result.

    Compiled code may give back an argument, or a view of one.
    """
    is_own = _is_its_own if len(values) == 1 else _are_their_own
    if is_own(values, inputs, dtypes):
        return list(values)
    results = [
        value if value.dtype is dtype or value.dtype == dtype else value.astype(dtype)
        for value, dtype in zip(values, dtypes, strict=True)
    ]
    return _owned(results, inputs)


def _is_its_own(values: Sequence[Any], inputs: Sequence[Any], dtypes: Sequence[Any]) -> bool:
    """Say the same of one result, in less time."""
    (value,) = values
    if value.__class__ is not np.ndarray:
        return bool(value.dtype is dtypes[0])
    if value.base is not None:
        return _are_their_own(values, inputs, dtypes)
    if value.dtype is not dtypes[0] or not value.ndim:
        return False
    return not any([x is value for x in inputs])


def _are_their_own(values: Sequence[Any], inputs: Sequence[Any], dtypes: Sequence[Any]) -> bool:
    """Say whether nothing is to be done for results, which is what most calls find."""
    if [value.dtype for value in values] != dtypes:
        return False
    ndarray = np.ndarray
    owners = list(values)
    for k, value in enumerate(values):
        if value.__class__ is ndarray:
            if not value.ndim:
                return False
            base = value.base
            if base is not None:
                owners[k] = base
                if getattr(base, "base", None) is not None or not value.flags.writeable:
                    return False
    given = [v for v in inputs if v is not None]  # None: nothing depends on it
    places = {id(v) if v.base is None else id(_owner(v)) for v in given}
    count = len(places) + len(owners)
    places.update(map(id, owners))
    return len(places) == count


def _owned(values: Sequence[Any], inputs: Sequence[Any]) -> list[Any]:
    owned = {id(_owner(v)) for v in inputs if type(v) is np.ndarray}
    results = []
    for value in values:
        made = value
        if type(made) is np.ndarray:
            if not made.ndim:
                made = made[()]
            elif id(_owner(made)) in owned or not made.flags.writeable:
                made = made.copy()
            owned.add(id(_owner(made)))
        results.append(made)
    return results


def _owner(array: Any) -> Any:
    while type(array.base) is np.ndarray:
        array = array.base
    return array
