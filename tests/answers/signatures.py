"""Signatures: the names, order and defaults of arguments."""

from __future__ import annotations

import inspect
from operator import attrgetter
from types import ModuleType
from typing import Any

import symtape
from tests.answers.answer import Table
from tests.names import listed, value_of

TABLE = Table("signatures")
NAMESPACES = [
    "",
    "math",
    "math.special",
    "image",
    "linalg",
    "nn",
    "dtypes",
    "debugging",
    "autodiff",
    "config",
    "config.experimental",
    "config.threading",
    "distribute",
    "random",
    "signal",
    "strings",
    "bitwise",
    "summary",
    "summary.experimental",
    "nest",
    "test",
]
BEYOND = listed("## Beyond TensorFlow")
"""Functions that TensorFlow does not have."""


def space_of(module: ModuleType, path: str) -> Any:
    """Look a namespace up."""
    return attrgetter(path)(module) if path else module


def names() -> list[tuple[str, str]]:
    """List every function of every namespace."""
    found = []
    for space in NAMESPACES:
        module = space_of(symtape, space)
        own = [n for n in module.__all__ if f"{space}.{n}".lstrip(".") not in BEYOND]
        found += [(space, n) for n in own if _computes(value_of(module, n))]
    return found


def _computes(value: Any) -> bool:
    """Say whether a name is a function that does not always refuse."""
    refuses = (value.__doc__ or "").startswith("Raise `UnsupportedError`: ")
    return inspect.isfunction(value) and not refuses


def arguments(function: Any) -> list[tuple[str, str]]:
    """List the arguments of a function and their defaults as text, functions by their names."""
    defaults = [(p.name, p.default) for p in inspect.signature(function).parameters.values()]
    return [(name, d.__name__ if inspect.isfunction(d) else str(d)) for name, d in defaults]


for _space, _name in names():
    TABLE.add(
        f"{_space}.{_name}".lstrip("."),
        lambda tf, space=_space, name=_name: arguments(getattr(space_of(tf, space), name)),
    )
