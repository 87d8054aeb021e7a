"""The user's own word that a function depends on its arguments alone."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any


class Pure:
    """A function that its author declares pure: what it reads otherwise is taken to be constant.

    Variables are read anew all the same.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        functools.update_wrapper(self, function, updated=())

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        """Call the function."""
        return self.__wrapped__(*args, **kwargs)  # type: ignore[attr-defined]  # of update_wrapper

    def rebound(self, _: Callable[[Any], Any]) -> Any:
        """Give the function as it is: what it reads is not watched."""
        return self.__wrapped__  # type: ignore[attr-defined]  # likewise


def declared(function: Any) -> Any:
    """Give a function as one that its author declares pure; others refuse what is no function."""
    return Pure(function) if callable(function) else function
