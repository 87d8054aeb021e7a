"""A structure without its leaves: how types of nodes are taken apart, and made again.

For a `Tree` dataclasses are nodes, too, and None has no leaves; for `tf.nest` both are leaves.
"""

from __future__ import annotations

import dataclasses
import itertools
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from typing import Any, NamedTuple


@lru_cache(1024)  # asking a type costs more than the rest of a small gradient
def opener(kind: type) -> Callable[[Any], tuple[Sequence[Any], Sequence[Any]]] | None:
    """Say how TensorFlow takes a type apart into keys and children; None of a leaf."""
    if issubclass(kind, (list, tuple)):
        names = getattr(kind, "_fields", ())
        return lambda structure: (names, structure)
    if issubclass(kind, Mapping):
        return _sorted_entries
    if hasattr(kind, "__attrs_attrs__"):
        return partial(_fields, [a.name for a in kind.__attrs_attrs__])
    return _flattened if is_flattened(kind) else None


def is_flattened(kind: Any) -> bool:
    """Say whether the values of a dataclass say themselves which parts they hold."""
    named = hasattr(kind, "__tf_flatten__") and hasattr(kind, "__tf_unflatten__")
    return named and dataclasses.is_dataclass(kind)


def _flattened(structure: Any) -> tuple[Sequence[Any], Sequence[Any]]:
    return (), structure.__tf_flatten__()[1]


@lru_cache(1024)
def _opener_of_tree(kind: type) -> Callable[[Any], tuple[Sequence[Any], Sequence[Any]]] | None:
    """Say how a `Tree` takes a type apart; keys of a dict need no order."""
    if kind is type(None):
        return lambda _: ((), ())
    if dataclasses.is_dataclass(kind):
        return partial(_fields, [field.name for field in dataclasses.fields(kind)])
    opened = opener(kind)
    return _entries if opened is _sorted_entries else opened


def _fields(names: Sequence[str], structure: Any) -> tuple[Sequence[str], Sequence[Any]]:
    return names, [getattr(structure, name) for name in names]


def _sorted_entries(structure: Mapping[Any, Any]) -> tuple[Sequence[Any], Sequence[Any]]:
    keys = sorted(structure)
    return keys, [structure[key] for key in keys]


def _entries(structure: Mapping[Any, Any]) -> tuple[Sequence[Any], Sequence[Any]]:
    try:
        return _sorted_entries(structure)
    except TypeError:
        return list(structure), list(structure.values())


def built(kind: Any, keys: Sequence[Any], parts: Sequence[Any]) -> Any:
    """Make a node of a type again."""
    if kind is list or kind is tuple:
        return kind(parts)
    if kind is type(None):
        return None
    if issubclass(kind, Mapping):
        return _mapping(kind, dict(zip(keys, parts, strict=True)))
    if hasattr(kind, "_fields") or hasattr(kind, "__attrs_attrs__"):
        return kind(*parts)
    if issubclass(kind, (list, tuple)):
        return kind(parts)
    made = object.__new__(kind)  # a dataclass; its own checks were made of the original
    for name, part in zip(keys, parts, strict=True):
        object.__setattr__(made, name, part)
    return made


def _mapping(kind: Any, made: dict[Any, Any]) -> Any:
    if kind is dict:
        return made
    try:
        return kind(made)
    except TypeError:  # a defaultdict wants its factory, which has no part in a result
        return made


class Tree(NamedTuple):
    """A structure without its leaves, hashable: the type of each node, its keys, its branches.

    A leaf has the type None; so has nothing else.
    """

    type: Any
    keys: tuple[Any, ...] = ()
    branches: tuple[Tree, ...] = ()

    def build(self, leaves: Sequence[Any]) -> Any:
        """Put leaves into the structure.

        >>> take_apart({"b": 1, "a": [2, (3,)]})[1].build("xyz")
        {'a': ['x', ('y',)], 'b': 'z'}
        """
        return self.filled(iter(leaves))

    @property
    def is_plain(self) -> bool:
        """Whether all nodes are of Python's own types."""
        return self.type in _PLAIN and all([branch.is_plain for branch in self.branches])

    @property
    def has_texts_for_keys(self) -> bool:
        """Whether all nodes are of Python's own types, and all keys of dicts are texts."""
        own = self.type is not dict or all([type(key) is str for key in self.keys])
        return self.type in _PLAIN and own and all([b.has_texts_for_keys for b in self.branches])

    @property
    def builder(self) -> Callable[[Sequence[Any]], Any]:
        """A function that does what `build` does, at once for lists, tuples and dicts."""
        constants: dict[str, Any] = {}

        def key(value: Any) -> str:
            name = f"k{len(constants)}"
            constants[name] = value
            return name

        text = self.text((f"leaves[{k}]" for k in itertools.count()), key)
        if text is None:
            return self.build
        return eval(f"lambda leaves: {text}", constants)  # type: ignore[no-any-return]  # noqa: S307 - names we made

    def text(self, leaves: Iterator[str], key: Callable[[Any], str] = repr) -> str | None:
        """Write the structure as Python; None for types that are not Python's own.

        >>> take_apart({"b": 1, "a": [2, (3,)]})[1].text(iter("xyz"))
        "{'a': [x, (y,)], 'b': z}"
        """
        kind = self.type
        if kind is None:
            return next(leaves)
        names = [key(k) for k in self.keys] if kind is dict else []
        parts = [branch.text(leaves, key) for branch in self.branches]
        if None in parts:
            return None
        inner = ", ".join(map(str, parts))
        if kind is dict:
            return "{" + ", ".join([f"{k}: {v}" for k, v in zip(names, parts, strict=True)]) + "}"
        if kind is tuple:
            return f"({inner},)" if len(parts) == 1 else f"({inner})"
        return {list: f"[{inner}]", type(None): "None"}.get(kind)

    def filled(self, supply: Iterator[Any]) -> Any:
        """Put leaves into the structure, as many as it has."""
        kind = self.type
        if kind is None:
            return next(supply)
        parts = [
            next(supply) if branch is LEAF else branch.filled(supply) for branch in self.branches
        ]
        return built(kind, self.keys, parts)

    def paths(self, name: str = "") -> list[str]:
        """Say of each leaf where it is, as Python would write it.

        >>> take_apart({"w": [1, 2]})[1].paths("params")
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

    def labels(self, name: str) -> list[str]:
        """Name each leaf as a formula can have it.

        >>> take_apart({"w": [1, 2]})[1].labels("params")
        ['params_w_0', 'params_w_1']
        """
        return [name + re.sub(r"\W+", "_", path).rstrip("_") for path in self.paths()]

    @property
    def size(self) -> int:
        """The number of leaves."""
        return 1 if self.type is None else sum(branch.size for branch in self.branches)


LEAF = Tree(None)


_PLAIN = (None, list, tuple, dict, type(None))


def take_apart(structure: Any) -> tuple[list[Any], Tree]:
    """List the leaves, and give the structure without them."""
    leaves: list[Any] = []
    return leaves, _taken(structure, leaves)


def _taken(structure: Any, leaves: list[Any]) -> Tree:
    kind: Any = type(structure)
    opened = _opener_of_tree(kind)
    if opened is None:
        leaves.append(structure)
        return LEAF
    keys, children = opened(structure)
    return Tree(kind, tuple(keys), tuple([_taken(child, leaves) for child in children]))
