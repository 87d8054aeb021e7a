"""What `repr` and `help` say of a derivative: its question, and the function that it is about."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any


def called(function: Callable[..., Any], names: Sequence[str]) -> str:
    """Write a function as one calls it.

    >>> called(lambda x, y: x * y, ["x", "y"])
    'lambda x, y'
    >>> called(max, ["a", "b"])
    'max(a, b)'
    """
    if isinstance(function, functools.partial):
        return f"partial({called(function.func, names)})"
    phrase = getattr(function, "phrase", None)
    if isinstance(phrase, str):  # a derivative of a derivative
        return phrase
    own = getattr(function, "__qualname__", None) or type(function).__qualname__
    name = own.rpartition("<locals>.")[2]
    parameters = ", ".join(names)
    return f"lambda {parameters}" if name == "<lambda>" else f"{name}({parameters})"


def by_arguments(numbers: Sequence[int], names: Sequence[str]) -> str:
    """Say by which arguments a derivative is.

    >>> by_arguments((0, -1), ["w", "b", "x"])
    'by w, x'
    >>> by_arguments((3,), ["w"])
    'by argument 3'
    """
    found = [names[n] if -len(names) <= n < len(names) else f"argument {n}" for n in numbers]
    return f"by {', '.join(found) or 'nothing'}"
