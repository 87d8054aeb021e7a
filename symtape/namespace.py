"""What a namespace shows: its public names alone, and for one that it lacks what to use."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Collection, Iterator, Mapping
from difflib import SequenceMatcher, get_close_matches
from importlib import import_module
from pkgutil import get_data
from types import MappingProxyType, ModuleType
from typing import Any, TypeVar

from symtape.absent import ABSENT

T = TypeVar("T")


def show(
    module: str,
    names: Collection[str] | None = None,
    late: Mapping[str, Callable[[], Any]] = MappingProxyType({}),
    hidden: Collection[str] = (),
    path: str = "",
    otherwise: str = "",
    parts: str = "",
) -> None:
    """Have `dir` of a module list `names` and `late`, and nothing that the module only uses.

    A module that is there for its names alone says none: it shows what it has, and of its modules
    those of `parts`, with blanks between. It imports a name as itself, `x as x`, which tells type
    checkers that it is there for others.

    A name of `late` is made when it is first asked for, and kept; one of `hidden` can be asked for
    and is not listed. Of any other name the module says which are nearest, or to do `otherwise`;
    `path` is what the module is called where that is not its place. The two functions that
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
    if names is None:
        names = inside["__all__"] = sorted([*_public(inside), *parts.split()])
    shown = sorted({*names, *late}.difference(hidden))

    def get(name: str) -> Any:
        if name in late:
            return inside.setdefault(name, late[name]())
        if name.startswith("__"):
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        called = path or "tf" + module.removeprefix("symtape")
        hint = f": {otherwise}" if otherwise else _hint(called, name, {*names, *late})
        hint += _MORE_OF_KERAS if called.startswith("tf.keras.") else ""
        # With a name of its own, Python does not guess once more which one was meant.
        raise AttributeError(f"symtape has no {called}.{name}{hint}", name=name)

    inside["__dir__"] = shown.copy
    inside["__getattr__"] = get


def _public(inside: Mapping[str, Any]) -> Iterator[str]:
    """List what a module has for others: no modules, nothing of `typing`, and not `show`."""
    for name, value in inside.items():
        own = value is not show and getattr(value, "__module__", "") not in _NEVER_SHOWN
        if own and not name.startswith("_") and not isinstance(value, ModuleType):
            yield name


_NEVER_SHOWN = {"typing", "__future__"}
"""Modules whose names a module uses in its own text."""


def hiding(names: str) -> Callable[[type[T]], type[T]]:
    """Have `dir` of the objects of a class, and what completes a line, leave out some names.

    They stand with blanks between, and are what other parts of the library ask of the objects.

    >>> @hiding("inner")
    ... class Thing:
    ...     inner = outer = 3
    >>> [name for name in dir(Thing()) if not name.startswith("_")]
    ['outer']
    """
    inner = frozenset(names.split())

    def hide(cls: type[T]) -> type[T]:
        listed = cls.__dir__
        cls.__dir__ = lambda own: sorted({*listed(own)} - inner)  # type: ignore[assignment,method-assign]  # of any class
        return cls

    return hide


def homes(package: str, stub: str) -> dict[str, str]:
    """Say where each name is that a stub of a package shows, as `pkgutil.resolve_name` reads it.

    It shows what it imports under the same name, `x as x`, or gives another one, `y = x`.

    >>> homes("symtape", "__init__.pyi")["nn"], homes("symtape", "__init__.pyi")["einsum"]
    ('symtape.nn', 'symtape.ops.linalg.contraction:einsum')
    """
    found: dict[str, str] = {}
    shown: dict[str, str] = {}
    for n in ast.parse(get_data(package, stub) or b"").body:
        if isinstance(n, ast.ImportFrom):
            of = f"{n.module}{'.' if n.module == package else ':'}"
            found |= {each.name: of + each.name for each in n.names}
            shown |= {each.name: of + each.name for each in n.names if each.asname}
        elif isinstance(n, ast.Assign):
            shown[ast.unparse(n.targets[0])] = found[ast.unparse(n.value)]
    return shown


def _hint(path: str, name: str, names: Collection[str]) -> str:
    """Say why a name is absent, in which namespace it is, or which of its family are near."""
    if reason := ABSENT.get(f"{path}.{name}"):
        return f": {reason}"
    near = [f"{path}.{n}" for n in _nearest(name, names)]
    elsewhere = [f"tf.{n}.{name}" for n in _FAMILIES if name in _shown(n)]
    if elsewhere and (path == "tf" or not near):
        return f"; there is {elsewhere[0]}"
    if not near:
        return ""
    listed = " and ".join([", ".join(near[:-1]), near[-1]] if len(near) > 1 else near)
    return f"; the nearest {'names are' if len(near) > 1 else 'name is'} {listed}"


_MORE_OF_KERAS = "; Keras has more than is built in: pip install symtape[keras], symtape run"
_FAMILIES = ("math", "nn", "linalg", "random", "image", "signal", "debugging")
"""Namespaces whose names people look for in others."""


def _shown(namespace: str) -> Collection[str]:
    names: Collection[str] = import_module(f"symtape.{namespace}").__all__
    return names


def _nearest(name: str, names: Collection[str]) -> list[str]:
    """Give names that are written nearly alike, or begin alike, or share a word."""
    by_small = {n.lower(): n for n in sorted(names)}
    small = name.lower()
    close = get_close_matches(small, by_small, n=3, cutoff=0.6)
    longer = [n for n in by_small if len(small) > 2 and n.startswith(small)]
    return [by_small[n] for n in dict.fromkeys([*close, *longer]) if _are_kin(small, n)][:3]


def _are_kin(one: str, other: str) -> bool:
    if one.startswith(other) or other.startswith(one):
        return min(len(one), len(other)) > 2
    words = {w for w in one.split("_") if len(w) > 2} & set(other.split("_"))
    return bool(words) or SequenceMatcher(None, one, other).ratio() >= _ALIKE


_ALIKE = 0.79
"""Of their letters, as `difflib` counts those that two names share; atan and data share 0.75."""
