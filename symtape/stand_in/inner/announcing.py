"""TensorFlow's decorators that announce: under which names something stands, and what goes.

What is deprecated warns once, in TensorFlow's log and words, and says so in its docstring.
"""

from __future__ import annotations

import inspect
import logging
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import wraps
from types import FrameType
from typing import Any, ClassVar, TypeVar

from symtape.stand_in.inner.decorating import make_decorator, unwrap
from symtape.stand_in.older.arguments.names import one

Thing = TypeVar("Thing")
LOG = logging.getLogger("tensorflow")
HOW = "Instructions for updating:"


class TfExport:
    """`tf_export` of `tensorflow.python.util.tf_export`: notes public names, and changes nothing.

    >>> @TfExport("my.plus")
    ... def plus(x, y): return x + y
    >>> plus(1, 2), plus._tf_api_names
    (3, ('my.plus',))
    """

    attribute: ClassVar[str] = "_tf_api_names"

    def __init__(
        self,
        *args: str,
        v1: Sequence[str] | None = None,
        allow_multiple_exports: bool = True,
    ) -> None:
        self._names, self._names_v1 = args, args if v1 is None else v1
        self._check({*self._names, *self._names_v1})

    def _check(self, names: set[str]) -> None:
        """Take any names."""

    def __call__(self, func: Thing) -> Thing:
        """Note the names of a function or a class, and give it back."""
        inner = unwrap(func)[1]
        setattr(inner, self.attribute, self._names)
        setattr(inner, f"{self.attribute}_v1", self._names_v1)
        return func


class KerasExport(TfExport):
    """`keras_export` of `tensorflow.python.util.tf_export`, for names that begin with `keras`."""

    attribute = "_keras_api_names"

    def _check(self, names: set[str]) -> None:
        if not all(name.startswith("keras") for name in names):
            raise InvalidSymbolNameError("Can only export symbols under package name of component.")


class InvalidSymbolNameError(Exception):
    """A name under which a component has nothing to export."""


def deprecated(
    date: str | None, instructions: str, warn_once: bool = True
) -> Callable[[Thing], Thing]:
    """Make a decorator that has a function, or a class, warn that it will go.

    Raises `ValueError` for a date of another form, without instructions, and for what is not
    called.

    >>> @deprecated("2030-01-01", "Use sum.")
    ... def plus(x, y): "Add."; return x + y
    >>> plus.__doc__.splitlines()[0]
    'Add. (deprecated)'
    """
    check(date, instructions)
    told = f"THIS FUNCTION IS DEPRECATED. It will be removed {when(date)}."

    def decorate(thing: Any) -> Any:
        name = _constructor(thing)
        function = getattr(thing, name) if name else thing
        if name and any(d.decorator_name == "deprecated" for d in unwrap(function)[0]):
            return thing
        check_callable(function, "deprecated")
        is_told: set[Any] = set()

        @wraps(function)
        def warned(*args: Any, **kwargs: Any) -> Any:
            if None not in is_told:
                is_told.update({None} if warn_once else ())
                warn(
                    "From %s: %s (from %s) is deprecated and will be removed %s.\n%s\n%s",
                    *(where(inspect.currentframe()), full_name(function), thing.__module__),
                    *(when(date), HOW, instructions),
                )
            return function(*args, **kwargs)

        doc = noted(function.__doc__, "FUNCTION", "", told, instructions)
        made = make_decorator(function, warned, "deprecated", doc)
        if not name:
            return made
        setattr(thing, name, made)
        thing.__doc__ = noted(thing.__doc__, "FUNCTION", "", told, instructions)
        return thing

    return decorate


def deprecated_endpoints(*args: str) -> Callable[[Thing], Thing]:
    """Make a decorator that notes which names of something will go.

    Raises `DeprecatedNamesAlreadySetError` where that is noted already.

    >>> deprecated_endpoints("a", "b")(lambda: 0)._tf_deprecated_api_names
    ('a', 'b')
    """

    def decorate(func: Any) -> Any:
        if "_tf_deprecated_api_names" in func.__dict__:
            raise DeprecatedNamesAlreadySetError(
                f"Cannot set deprecated names for {func.__name__} to {args}. Deprecated names are "
                f"already set to {func._tf_deprecated_api_names}."  # noqa: SLF001 - ours
            )
        func._tf_deprecated_api_names = args  # noqa: SLF001 - TensorFlow's name for it
        return func

    return decorate


_TELLS = {"now": True}


def warn(text: str, *parts: Any) -> None:
    """Write into the log what goes, unless that is silenced."""
    if _TELLS["now"]:
        LOG.warning(text, *parts)


@contextmanager
def silence() -> Iterator[None]:
    """Say nothing of what goes, within the block."""
    before, _TELLS["now"] = _TELLS["now"], False
    try:
        yield
    finally:
        _TELLS["now"] = before


def deprecated_alias(
    deprecated_name: str, name: str, func_or_class: Any, warn_once: bool = True
) -> Any:
    """Give a function, or a class, by a name that will go: it warns of that, and is the same.

    >>> old = deprecated_alias("old.plus", "new.plus", lambda x, y: x + y)
    >>> with silence():
    ...     old(1, 2)
    3
    """
    is_told: set[Any] = set()

    def tell() -> None:
        if None not in is_told:
            is_told.update({None} if warn_once else ())
            text = "From %s: The name %s is deprecated. Please use %s instead.\n"
            warn(text, where(inspect.currentframe()), deprecated_name, name)

    told = "It will be removed in a future version. "
    instead = f"Please use {name} instead."
    if isinstance(func_or_class, type):

        class Alias(func_or_class):
            def __init__(self, *args: Any, **kwargs: Any) -> None:
                tell()
                super().__init__(*args, **kwargs)

        Alias.__doc__ = noted(
            func_or_class.__doc__, "CLASS", "", f"THIS CLASS IS DEPRECATED. {told}", instead
        )
        Alias.__name__ = func_or_class.__name__
        return Alias

    @wraps(func_or_class)
    def alias(*args: Any, **kwargs: Any) -> Any:
        tell()
        return func_or_class(*args, **kwargs)

    doc = noted(
        func_or_class.__doc__, "FUNCTION", "", f"THIS FUNCTION IS DEPRECATED. {told}", instead
    )
    return make_decorator(func_or_class, alias, "deprecated", doc)


class DeprecatedNamesAlreadySetError(Exception):
    """The names of something that will go are noted already."""


def deprecated_argument_lookup(new_name: str, new_value: Any, old_name: str, old_value: Any) -> Any:
    """Give the value of an argument that has a new name; raise `ValueError` where both are given.

    >>> deprecated_argument_lookup("axis", None, "dim", 1)
    1
    """
    return one(new_name, new_value, old_name, old_value)


def _constructor(thing: Any) -> str:
    """Name the function by which a class is made; nothing for what is none."""
    if not isinstance(thing, type):
        return ""
    return (
        "__new__" if "__new__" in {n for k in thing.__mro__[:-1] for n in vars(k)} else "__init__"
    )


def check(date: str | None, instructions: str) -> None:
    """Refuse a date of another form, and nothing to do instead."""
    if date is not None and not re.match(r"20\d\d-[01]\d-[0123]\d", date):
        raise ValueError(f"Date must be in format YYYY-MM-DD. Received: {date}")
    if not instructions:
        raise ValueError(
            "Don't deprecate things without conversion instructions! Specify the `instructions` "
            "argument."
        )


def check_callable(function: Any, name: str) -> None:
    """Refuse to decorate what is not called."""
    if not callable(function):
        raise ValueError(
            f"{function} is not a function. If this is a property, make sure @property appears "
            f"before @{name} in your source code:\n\n@property\n@{name}\ndef method(...)"
        )


def when(date: str | None) -> str:
    """Say when something goes."""
    return "in a future version" if date is None else f"after {date}"


def where(frame: FrameType | None) -> str:
    """Say from which line a function is called, of which the frame is given."""
    caller = frame.f_back if frame is not None else None
    return f"{caller.f_code.co_filename}:{caller.f_lineno}" if caller is not None else ""


def full_name(function: Any) -> str:
    """Name a function with the class in which it stands."""
    name: str = getattr(function, "__qualname__", function.__name__)
    return name


def noted(doc: str | None, kind: str, suffix: str, told: str, instructions: str) -> str:
    """Write into a docstring, below its first line, that something will go."""
    note = ["", f"Deprecated: {told}", HOW, instructions]
    lines = inspect.cleandoc(doc).splitlines() if doc else []
    if not lines:
        return "\n".join([f"DEPRECATED {kind}", *note])
    close = [""] if lines[1:] and lines[1].strip() else []
    return "\n".join([f"{lines[0]} (deprecated{suffix})", *note, *close, *lines[1:]])
