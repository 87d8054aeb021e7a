"""Structures of tensors: lists, tuples, named tuples and dicts, flattened as `tf.nest` does.

Dicts are taken in the order of their sorted keys. A `Tree` is a structure without its leaves; for
it dataclasses are nodes, too, and None has no leaves.
"""

from __future__ import annotations

import dataclasses
import itertools
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from typing import Any, NamedTuple

from symtape.namespace import show


@lru_cache(1024)  # asking a type costs more than the rest of a small gradient
def _opener(kind: type) -> Callable[[Any], tuple[Sequence[Any], Sequence[Any]]] | None:
    """Say how TensorFlow takes a type apart into keys and children; None of a leaf."""
    if issubclass(kind, (list, tuple)):
        names = getattr(kind, "_fields", ())
        return lambda structure: (names, structure)
    if issubclass(kind, Mapping):
        return _entries
    if hasattr(kind, "__attrs_attrs__"):
        return partial(_fields, [a.name for a in kind.__attrs_attrs__])
    return None


@lru_cache(1024)
def _opener_of_tree(kind: type) -> Callable[[Any], tuple[Sequence[Any], Sequence[Any]]] | None:
    """Say how a `Tree` takes a type apart."""
    if kind is type(None):
        return lambda _: ((), ())
    if dataclasses.is_dataclass(kind):
        return partial(_fields, [field.name for field in dataclasses.fields(kind)])
    return _opener(kind)


def _fields(names: Sequence[str], structure: Any) -> tuple[Sequence[str], Sequence[Any]]:
    return names, [getattr(structure, name) for name in names]


def _entries(structure: Mapping[Any, Any]) -> tuple[Sequence[Any], Sequence[Any]]:
    try:
        keys = sorted(structure)
    except TypeError:
        keys = list(structure)
    return keys, [structure[key] for key in keys]


def _built(kind: Any, keys: Sequence[Any], parts: Sequence[Any]) -> Any:
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


# --- TensorFlow's functions -----------------------------------------------------------------------


def is_nested(seq: Any) -> bool:
    """Say whether something holds other things.

    >>> is_nested([1]), is_nested("a")
    (True, False)
    """
    kind: Any = type(seq)
    return _opener(kind) is not None


def _children(structure: Any) -> Sequence[Any]:
    kind: Any = type(structure)
    opened = _opener(kind)
    return () if opened is None else opened(structure)[1]


def items(structure: Any) -> list[tuple[Any, Any]]:
    """List the parts, each behind its key, its name as a field, or else its place.

    >>> items({"b": 1, "a": [2]}), items("x")
    ([('a', [2]), ('b', 1)], [])
    """
    kind: Any = type(structure)
    opened = _opener(kind)
    keys, parts = ((), ()) if opened is None else opened(structure)
    return [*zip(keys or range(len(parts)), parts, strict=True)]


def flatten(structure: Any, expand_composites: bool = False) -> list[Any]:
    """List the leaves in order; dicts are taken in the order of their sorted keys.

    `expand_composites` changes nothing: there are no composite tensors.

    >>> flatten({"b": 1, "a": [2, (3,)]})
    [2, 3, 1]
    """
    if not is_nested(structure):
        return [structure]
    if type(structure) is list and not any(map(is_nested, structure)):
        return structure.copy()
    return [leaf for child in _children(structure) for leaf in flatten(child)]


def pack_sequence_as(
    structure: Any, flat_sequence: Sequence[Any], expand_composites: bool = False
) -> Any:
    """Build a structure like another one from a flat list of leaves.

    `expand_composites` changes nothing: there are no composite tensors.

    >>> pack_sequence_as({"b": 0, "a": (0,)}, [1, 2])
    {'b': 2, 'a': (1,)}
    """
    if not is_nested(structure):
        return flat_sequence[0]
    return _packed(structure, iter(flat_sequence))


def _packed(structure: Any, supply: Iterator[Any]) -> Any:
    kind: Any = type(structure)
    opened = _opener(kind)
    if opened is None:
        return next(supply)
    keys, children = opened(structure)
    parts = [_packed(child, supply) for child in children]
    if isinstance(structure, Mapping):
        made = dict(zip(keys, parts, strict=True))
        keys, parts = list(structure), [made[key] for key in structure]
    return _built(kind, keys, parts)


def map_structure(func: Any, *structure: Any, **kwargs: Any) -> Any:
    """Apply a function to the corresponding leaves of structures.

    `check_types` (true) says whether lists, tuples and dicts must be of the same types.

    >>> map_structure(lambda a, b: a + b, [1, 2], [3, 4])
    [4, 6]
    """
    check_types = kwargs.pop("check_types", True)
    kwargs.pop("expand_composites", None)
    if kwargs:
        raise ValueError(
            f"Only valid keyword arguments are `check_types` and `expand_composites`, not: {kwargs}"
        )
    for other in structure[1:]:
        assert_same_structure(structure[0], other, check_types)
    columns = zip(*[flatten(s) for s in structure], strict=True)
    return pack_sequence_as(structure[0], [func(*leaves) for leaves in columns])


def assert_same_structure(
    nest1: Any, nest2: Any, check_types: bool = True, expand_composites: bool = False
) -> None:
    """Raise `ValueError` unless both nest in the same way.

    With `check_types`, raise `TypeError` unless lists, tuples and dicts are of the same types.

    >>> assert_same_structure([1, (2,)], ["a", ("b",)])
    """
    ours, theirs = _children(nest1), _children(nest2)
    is_same = is_nested(nest1) == is_nested(nest2) and len(ours) == len(theirs)
    if is_same and isinstance(nest1, Mapping) and isinstance(nest2, Mapping):
        is_same = nest1.keys() == nest2.keys()
    if not is_same:
        raise ValueError(
            f"The two structures don't have the same nested structure: {nest1!r} and {nest2!r}"
        )
    if check_types and is_nested(nest1) and type(nest1) is not type(nest2):
        raise TypeError(
            f"The two structures don't have the same sequence type: {type(nest1)} and {type(nest2)}"
        )
    for a, b in zip(ours, theirs, strict=True):
        assert_same_structure(a, b, check_types)


# --- structures without leaves --------------------------------------------------------------------


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
        return _built(kind, self.keys, parts)

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


__all__ = [
    "assert_same_structure",
    "flatten",
    "is_nested",
    "map_structure",
    "pack_sequence_as",
]

show(__name__, __all__)
