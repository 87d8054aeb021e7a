"""Structures of arguments and results, taken apart into leaves and put together again."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

_PLAIN = (None, list, tuple, dict, type(None))


class Tree(NamedTuple):
    """A structure without its leaves, hashable: the type of each node, its keys, its branches.

    A leaf has the type None; so has nothing else.
    """

    type: Any
    keys: tuple[Any, ...] = ()
    branches: tuple[Tree, ...] = ()

    def build(self, leaves: Sequence[Any]) -> Any:
        """Put leaves into the structure.

        >>> flatten({"b": 1, "a": [2, (3,)]})[1].build("xyz")
        {'a': ['x', ('y',)], 'b': 'z'}
        """
        return self.filled(iter(leaves))

    @property
    def is_plain(self) -> bool:
        """Whether all nodes are of Python's own types."""
        return self.type in _PLAIN and all([branch.is_plain for branch in self.branches])

    @property
    def builder(self) -> Callable[[Sequence[Any]], Any]:
        """A function that does what `build` does, at once for lists, tuples and dicts."""
        constants: dict[str, Any] = {}
        text = self._text(itertools.count(), constants)
        if text is None:
            return self.build
        return eval(f"lambda leaves: {text}", constants)  # type: ignore[no-any-return]  # noqa: S307 - names we made

    def _text(self, places: Iterator[int], constants: dict[str, Any]) -> str | None:
        """Write the structure as Python; None for types that are not Python's own."""
        kind = self.type
        if kind is None:
            return f"leaves[{next(places)}]"
        parts = [branch._text(places, constants) for branch in self.branches]  # noqa: SLF001 - ours
        if None in parts:
            return None
        if kind is type(None):
            return "None"
        if kind is list:
            return f"[{', '.join(map(str, parts))}]"
        if kind is tuple:
            return f"({''.join([f'{part}, ' for part in parts])})"
        if kind is not dict:
            return None
        names = [f"k{len(constants) + n}" for n in range(len(parts))]
        constants.update(zip(names, self.keys, strict=True))
        pairs = zip(names, parts, strict=True)
        return "{" + ", ".join([f"{name}: {part}" for name, part in pairs]) + "}"

    def filled(self, supply: Iterator[Any]) -> Any:
        """Put leaves into the structure, as many as it has."""
        kind = self.type
        if kind is None:
            return next(supply)
        parts = [
            next(supply) if branch is LEAF else branch.filled(supply) for branch in self.branches
        ]
        if kind is list or kind is tuple:
            return kind(parts)
        if kind is type(None):
            return None
        if issubclass(self.type, Mapping):
            return _mapping(self.type, dict(zip(self.keys, parts, strict=True)))
        if issubclass(self.type, tuple) and hasattr(self.type, "_fields"):
            return self.type(*parts)
        if issubclass(self.type, (list, tuple)):
            return self.type(parts)
        made = object.__new__(self.type)  # a dataclass; its own checks were made of the original
        for name, part in zip(self.keys, parts, strict=True):
            object.__setattr__(made, name, part)
        return made

    def paths(self, name: str = "") -> list[str]:
        """Say of each leaf where it is, as Python would write it.

        >>> flatten({"w": [1, 2]})[1].paths("params")
        ["params['w'][0]", "params['w'][1]"]
        """
        if self.type is None:
            return [name]
        keys = self.keys or range(len(self.branches))
        dotted = dataclasses.is_dataclass(self.type) or hasattr(self.type, "_fields")
        found = []
        for key, branch in zip(keys, self.branches, strict=True):
            found += branch.paths(f"{name}.{key}" if dotted else f"{name}[{key!r}]")
        return found

    @property
    def size(self) -> int:
        """The number of leaves."""
        return 1 if self.type is None else sum(branch.size for branch in self.branches)


LEAF = Tree(None)
_NOTHING = Tree(type(None))


def flatten(structure: Any) -> tuple[list[Any], Tree]:
    """List the leaves, and give the structure without them.

    Lists, tuples, named tuples, mappings and dataclasses are nodes, dicts in the order of their
    sorted keys; None has no leaves; anything else is one.
    """
    leaves: list[Any] = []
    return leaves, _flatten(structure, leaves)


def _flatten(structure: Any, leaves: list[Any]) -> Tree:
    if structure is None:
        return _NOTHING
    keys: tuple[Any, ...] = ()
    kind = type(structure)
    children: Sequence[Any]
    if kind is np.ndarray:
        leaves.append(structure)
        return LEAF
    if kind is list or kind is tuple:
        children = structure
    elif isinstance(structure, (list, tuple)):
        children = structure
        keys = getattr(kind, "_fields", ())
    elif isinstance(structure, Mapping):
        keys = tuple(_sorted(structure))
        children = [structure[key] for key in keys]
    elif dataclasses.is_dataclass(kind):
        keys = tuple([field.name for field in dataclasses.fields(kind)])
        children = [getattr(structure, key) for key in keys]
    else:
        leaves.append(structure)
        return LEAF
    return Tree(kind, keys, tuple([_flatten(child, leaves) for child in children]))


def _sorted(mapping: Mapping[Any, Any]) -> list[Any]:
    try:
        return sorted(mapping)
    except TypeError:
        return list(mapping)


def _mapping(kind: Any, made: dict[Any, Any]) -> Any:
    if kind is dict:
        return made
    try:
        return kind(made)
    except TypeError:  # a defaultdict wants its factory, which has no part in a result
        return made
