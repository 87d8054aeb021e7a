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
    "random",
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
        found += [(space, n) for n in own if inspect.isfunction(value_of(module, n))]
    return found


def arguments(function: Any) -> list[tuple[str, str]]:
    """List the arguments of a function and their defaults as text."""
    parameters = inspect.signature(function).parameters.values()
    return [(p.name, str(p.default)) for p in parameters]


for _space, _name in names():
    TABLE.add(
        f"{_space}.{_name}".lstrip("."),
        lambda tf, space=_space, name=_name: arguments(getattr(space_of(tf, space), name)),
    )
