"""What a kernel takes beside tensors: TensorFlow reads it by its kind, and nothing stands for it.

A truth value is no number, and a text no bytes of a tensor; None is what the kernel has by itself.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, NamedTuple, ParamSpec, Protocol, TypeVar

from symtape.errors import InvalidArgumentError
from symtape.ops.arguments import is_tensor
from symtape.signatures import read_signature

P = ParamSpec("P")
R = TypeVar("R")


class Attribute(NamedTuple):
    """How an argument is read: by its kind, or for None as `default`, if it has one."""

    kind: str
    read: Callable[[Any], Any]
    default: Any = None
    name: str = ""
    least: int | None = None

    def of(self, word: str, value: Any) -> Any:
        """Read a value; raises `TypeError` for another kind, `InvalidArgumentError` for too few."""
        if value is None and self.default is not None:
            return self.default
        shown = self.name or word
        try:
            found = self.read(value)
        except (TypeError, ValueError):
            raise TypeError(f"Expected {self.kind} for argument {shown!r} not {value!r}.") from None
        if self.least is not None and found < self.least:
            told = f"Value for attr {shown!r} of {found} must be at least minimum {self.least}"
            raise InvalidArgumentError(message=told)
        return found


class Reader(Protocol):
    """Whatever reads an argument, which an attribute does."""

    def of(self, word: str, value: Any, /) -> Any:
        """Read the value of a word."""


def boolean(default: bool | None = None, name: str = "") -> Attribute:
    """Read True or False."""
    return Attribute("bool", _truth, default, name)


def integer(default: int | None = None, name: str = "", least: int | None = None) -> Attribute:
    """Read a whole number, which is `least` or more; a fraction loses its part."""
    return Attribute("int", _whole, default, name, least)


def floating(default: float | None = None, name: str = "") -> Attribute:
    """Read a number, which is no tensor."""
    return Attribute("float", _fraction, default, name)


def string(default: str | None = None, name: str = "") -> Attribute:
    """Read a text."""
    return Attribute("string", _text, default, name)


def attributes(**kinds: Reader) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Have arguments of a function read before it is called.

    >>> @attributes(reverse=boolean(False))
    ... def ordered(values, reverse=None):
    ...     return sorted(values, reverse=reverse)
    >>> ordered([2, 1], None)
    [1, 2]
    >>> ordered([2, 1], reverse=1)
    Traceback (most recent call last):
    TypeError: Expected bool for argument 'reverse' not 1.
    """

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        names = list(read_signature(function).parameters)
        places = [(names.index(word), word, kind) for word, kind in kinds.items()]

        @wraps(function)
        def call(*args: Any, **kwargs: Any) -> R:
            given = list(args)
            for place, word, kind in places:
                if place < len(given):
                    given[place] = kind.of(word, given[place])
                elif word in kwargs:
                    kwargs[word] = kind.of(word, kwargs[word])
            return function(*given, **kwargs)

        return call

    return decorate


def _truth(value: Any) -> bool:
    if not isinstance(value, bool):
        raise TypeError
    return value


def _whole(value: Any) -> int:
    if isinstance(value, (str, bytes)):
        raise TypeError
    return int(value)


def _fraction(value: Any) -> float:
    if isinstance(value, (str, bytes)) or is_tensor(value):
        raise TypeError
    return float(value)


def _text(value: Any) -> str:
    if not isinstance(value, (str, bytes)):
        raise TypeError
    return value.decode() if isinstance(value, bytes) else value
