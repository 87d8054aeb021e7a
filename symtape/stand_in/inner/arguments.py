"""`tensorflow.python.util.deprecation`: arguments, and values of arguments, that will go."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from functools import wraps
from typing import Any

from symtape.stand_in.devices.runtime import inside_function
from symtape.stand_in.inner.announcing import (
    HOW,
    check,
    check_callable,
    full_name,
    noted,
    warn,
    when,
    where,
)
from symtape.stand_in.inner.decorating import make_decorator
from symtape.stand_in.inner.inspecting import getcallargs, getfullargspec

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]
Found = Callable[[tuple[Any, ...], dict[str, Any]], Iterator[str]]


def deprecated_args(
    date: str | None,
    instructions: str,
    *deprecated_arg_names_or_tuples: str | tuple[str, Any],
    **kwargs: Any,
) -> Decorator:
    """Make a decorator that has a function warn of arguments that will go, within `tf.function`.

    A tuple is an argument and a value of which is not warned. `warn_once` (true) warns a single
    time. Raises `ValueError` for a date of another form, without instructions or arguments, and for
    arguments that the function has not.

    >>> @deprecated_args(None, "Use y.", "x")
    ... def same(x=1, y=2): "Be the same."; return y
    >>> same(y=4), same.__doc__.splitlines()[0]
    (4, 'Be the same. (deprecated arguments)')
    """
    check(date, instructions)
    if not deprecated_arg_names_or_tuples:
        raise ValueError("Specify which argument is deprecated.")
    once = kwargs.pop("warn_once", True)
    if kwargs:
        raise ValueError(f"Illegal argument passed to deprecated_args: {kwargs}")
    pairs = [a if isinstance(a, tuple) else (a,) for a in deprecated_arg_names_or_tuples]
    silent = {name: value for name, *value in pairs}
    listed = ", ".join(sorted(silent))
    told = f"SOME ARGUMENTS ARE DEPRECATED: `({listed})`. They will be removed {when(date)}."

    def decorate(function: Any) -> Any:
        check_callable(function, "deprecated_args")
        found = _given(function, silent)
        doc = noted(function.__doc__, "FUNCTION ARGUMENTS", " arguments", told, instructions)
        return _warning(function, found, doc, once, f"{when(date)}.\n{HOW}\n{instructions}")

    return decorate


def _given(function: Any, silent: dict[str, list[Any]]) -> Found:
    """Make what says which of some arguments a call gives, but for values that are as before."""
    spec = getfullargspec(function)
    names = [*spec.args, *spec.kwonlyargs]
    known = [*names, spec.varargs, spec.varkw]
    if missing := [name for name in silent if name not in known]:
        raise ValueError(
            "The following deprecated arguments are not present in the function signature: "
            f"{missing}. Expected arguments from the following list: {known}."
        )

    def found(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Iterator[str]:
        if not inside_function():
            return
        values = getcallargs(function, *args, **kwargs)
        for name, usual in silent.items():
            if name in names[: len(args)] or name in kwargs:
                if not (usual and _is_same(values[name], usual[0])):
                    yield name
            elif (name == spec.varargs and len(args) > len(spec.args)) or (
                name == spec.varkw and kwargs
            ):
                yield name

    return found


def deprecated_arg_values(
    date: str | None, instructions: str, warn_once: bool = True, **deprecated_kwargs: Any
) -> Decorator:
    """Make a decorator that has a function warn of values of its arguments that will go.

    Raises `ValueError` for a date of another form, without instructions, and without values.

    >>> @deprecated_arg_values(None, "Use y.", x=3)
    ... def same(x): "Be the same."; return x
    >>> same(4), same.__doc__.splitlines()[0]
    (4, 'Be the same. (deprecated argument values)')
    """
    check(date, instructions)
    if not deprecated_kwargs:
        raise ValueError("Specify which argument values are deprecated.")
    listed = ", ".join(f"{name}={value!r}" for name, value in sorted(deprecated_kwargs.items()))
    told = f"SOME ARGUMENT VALUES ARE DEPRECATED: `({listed})`. They will be removed {when(date)}."

    def decorate(function: Any) -> Any:
        check_callable(function, "deprecated_arg_values")

        def found(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Iterator[str]:
            given = getcallargs(function, *args, **kwargs)
            for name, value in deprecated_kwargs.items():
                if name in given and _is_same(given[name], value):
                    yield f"{name}={value}"

        kind = "FUNCTION ARGUMENT VALUES"
        doc = noted(function.__doc__, kind, " argument values", told, instructions)
        return _warning(function, found, doc, warn_once, f"{when(date)}.\n{HOW}\n{instructions}")

    return decorate


def _warning(function: Any, found: Found, doc: str, once: bool, rest: str) -> Any:
    """Make the function that warns of what is found in a call, and then does it."""
    is_told: set[str] = set()

    @wraps(function)
    def warned(*args: Any, **kwargs: Any) -> Any:
        for name in found(args, kwargs):
            if name not in is_told:
                is_told.update({name} if once else ())
                warn(
                    "From %s: calling %s (from %s) with %s is deprecated and will be removed %s",
                    *(where(inspect.currentframe()), full_name(function), function.__module__),
                    *(name, rest),
                )
        return function(*args, **kwargs)

    return make_decorator(function, warned, "deprecated", doc)


def _is_same(a: Any, b: Any) -> bool:
    """Compare what may be None, or arrays, which are never the same."""
    if a is b:
        return True
    equal = a == b
    return equal if isinstance(equal, bool) else False
