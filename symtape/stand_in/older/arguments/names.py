"""Arguments that have two names in TensorFlow 1, of which one may be given."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any


def one(name: str, value: Any, old: str, given: Any) -> Any:
    """Give what was given by a name or by an older one; raises `ValueError` if by both.

    >>> one("axis", None, "dim", 1)
    1
    >>> one("axis", 0, "dim", 1)
    Traceback (most recent call last):
    ValueError: Cannot specify both 'dim' and 'axis'.
    """
    if given is None:
        return value
    if value is not None:
        raise ValueError(f"Cannot specify both '{old}' and '{name}'.")
    return given


def axis_of(axis: Any, old: str, given: Any) -> Any:
    """Give an axis, which had another name."""
    return one("axis", axis, old, given)


def keeps(new: Any, old: Any) -> bool:
    """Say whether axes of one element stay."""
    return bool(one("keepdims", new, "keep_dims", old))


def filters_of(new: Any, old: Any) -> Any:
    """Give filters, which were called `filter`."""
    return one("filters", new, "filter", old)


def now(function: Callable[..., Any], given: Mapping[str, Any], **older: str) -> Any:
    """Call a function of TensorFlow 2 with arguments of TensorFlow 1, by the names that they have.

    `older` are further names by which arguments were given: `axis="dim"`.

    >>> now(lambda x, axis: (x, axis), {"dim": 1, "axis": None, "x": 2}, axis="dim")
    (2, 1)
    """
    named = dict(given)
    for name, old in older.items():
        named[name] = one(name, named.get(name), old, named.pop(old))
    return function(**named)
