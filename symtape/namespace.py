"""What a namespace shows: its public names alone, and the nearest of them for one that it lacks."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Mapping
from difflib import get_close_matches
from types import MappingProxyType
from typing import Any


def show(
    module: str,
    names: Collection[str],
    late: Mapping[str, Callable[[], Any]] = MappingProxyType({}),
    hidden: Collection[str] = (),
) -> None:
    """Have `dir` of a module list `names` and `late`, and nothing that the module only uses.

    A name of `late` is made when it is first asked for, and kept; one of `hidden` can be asked for
    and is not listed. Of any other name the module says which are nearest. The two functions that
    do this are put into the module here, so that no type checker takes a `__getattr__` in its text
    for a promise that every name exists.

    >>> import symtape
    >>> show("symtape.errors", symtape.errors.__all__)
    >>> "annotations" in dir(symtape.errors), "annotations" in vars(symtape.errors)
    (False, True)
    >>> symtape.errors.Released
    Traceback (most recent call last):
    AttributeError: symtape has no tf.errors.Released; the nearest name is tf.errors.ReleasedError
    """
    inside = vars(sys.modules[module])
    shown = sorted({*names, *late}.difference(hidden))

    def get(name: str) -> Any:
        if name in late:
            return inside.setdefault(name, late[name]())
        if name.startswith("__"):
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        path = "tf" + module.removeprefix("symtape")
        near = _nearest(path, name, {*names, *late})
        raise AttributeError(f"symtape has no {path}.{name}{near}")

    inside["__dir__"] = shown.copy
    inside["__getattr__"] = get


def _nearest(prefix: str, name: str, names: Collection[str]) -> str:
    by_small = {n.lower(): n for n in sorted(names)}
    close = [by_small[n] for n in get_close_matches(name.lower(), by_small, n=3, cutoff=0.6)]
    if not close:
        return ""
    shown = " and ".join(
        [", ".join(f"{prefix}.{n}" for n in close[:-1]), f"{prefix}.{close[-1]}"]
        if len(close) > 1
        else [f"{prefix}.{close[0]}"]
    )
    return f"; the nearest {'names are' if len(close) > 1 else 'name is'} {shown}"
