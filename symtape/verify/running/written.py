"""The function that an author wrote for a candidate, whose source is read, followed and changed."""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any, NamedTuple


class Written(NamedTuple):
    """A plain function, and the candidate with another one in its place."""

    function: Any
    rebuilt: Callable[[Any], Callable[..., Any]]


def written_of(candidate: Any) -> Written | None:
    """Give what was written for a candidate: itself, or the backward of a framework's function.

    >>> written_of(lambda x: x).rebuilt(abs)(-1.0)
    1.0
    >>> written_of(abs) is None
    True
    """
    if isinstance(candidate, types.FunctionType):
        return Written(candidate, lambda function: function)
    found = getattr(candidate, "written", None)
    return found if isinstance(found, Written) else None


__all__ = ["Written", "written_of"]
