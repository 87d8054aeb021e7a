"""Structures of tensors: lists, tuples, named tuples and dicts, flattened as `tf.nest` does.

Dicts are taken in the order of their sorted keys. A `Tree` is a structure without its leaves; for
it dataclasses are nodes, too, and None has no leaves.
"""

from __future__ import annotations

import dataclasses
import itertools
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
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
    opened = _opener(kind)
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

    With `expand_composites`, what is made of several tensors, as ragged and sparse ones are, is
    taken apart into these, and a spec of it into theirs. Raises `TypeError` for keys of a dict that
    cannot be sorted.

    >>> flatten({"b": 1, "a": [2, (3,)]})
    [2, 3, 1]
    """
    if not is_nested(structure):
        return _components(structure) if expand_composites else [structure]
    if type(structure) is list and not any(map(is_nested, structure)) and not expand_composites:
        return structure.copy()
    return [leaf for child in _children(structure) for leaf in flatten(child, expand_composites)]


def spec_of(leaf: Any) -> Any:
    """Give the spec of what is made of several tensors, or the spec itself; None for all others."""
    if hasattr(leaf, "_component_specs") and not isinstance(leaf, type):
        return None if leaf._component_specs is leaf else leaf  # noqa: SLF001 - TensorFlow's names
    return None if isinstance(leaf, type) else getattr(leaf, "_type_spec", None)


def within(leaf: Any, spec: Any) -> Any:
    """Give the structure of the tensors in a composite, or of the specs in a spec."""
    return spec._component_specs if leaf is spec else spec._to_components(leaf)  # noqa: SLF001 - as above


def _components(leaf: Any) -> list[Any]:
    spec = spec_of(leaf)
    return [leaf] if spec is None else flatten(within(leaf, spec), True)


def pack_sequence_as(
    structure: Any, flat_sequence: Sequence[Any], expand_composites: bool = False
) -> Any:
    """Build a structure like another one from a flat list of leaves.

    With `expand_composites`, what is made of several tensors is made again of so many. Raises
    `TypeError` for what is no list, and `ValueError` for too few leaves and too many.

    >>> pack_sequence_as({"b": 0, "a": (0,)}, [1, 2])
    {'b': 2, 'a': (1,)}
    """
    if not is_nested(flat_sequence) or isinstance(flat_sequence, Mapping):
        raise TypeError(
            f"Attempted to pack value:\n  {flat_sequence!s}\ninto a structure, but found "
            f"incompatible type `{type(flat_sequence)}` instead."
        )
    if not is_nested(structure) and not (expand_composites and spec_of(structure) is not None):
        if len(flat_sequence) != 1:
            raise ValueError(
                f"The target structure is of type `{type(structure)}`\n  {structure}\nHowever the "
                f"input is a sequence ({type(flat_sequence)}) of length {len(flat_sequence)}.\n  "
                f"{flat_sequence}\nnest cannot guarantee that it is safe to map one to the other."
            )
        return flat_sequence[0]
    supply = iter(flat_sequence)
    with suppress(StopIteration):
        made = _packed(structure, supply, expand_composites)
        if next(supply, _NOTHING) is _NOTHING:
            return made
    count = len(flatten(structure, expand_composites))
    raise ValueError(
        f"Could not pack sequence. Structure had {count} atoms, but flat_sequence had "
        f"{len(flat_sequence)} items.  Structure: {structure}, flat_sequence: {flat_sequence}."
    )


_NOTHING = object()


def _packed(structure: Any, supply: Iterator[Any], expand: bool) -> Any:
    kind: Any = type(structure)
    opened = _opener(kind)
    if opened is None:
        spec = spec_of(structure) if expand else None
        if spec is None:
            return next(supply)
        return spec._from_components(_packed(within(structure, spec), supply, True))  # noqa: SLF001 - as above
    keys, children = opened(structure)
    return _like(structure, keys, [_packed(child, supply, expand) for child in children])


def rebuilt(structure: Any, parts: Sequence[Any]) -> Any:
    """Make a structure of the type of another one of what it is to hold, in the order of `items`.

    >>> rebuilt({"b": 0, "a": [0]}, [1, 2])
    {'b': 2, 'a': 1}
    """
    return _like(structure, [key for key, _ in items(structure)], parts)


def _like(structure: Any, keys: Sequence[Any], parts: Sequence[Any]) -> Any:
    if is_flattened(type(structure)):
        about, _ = structure.__tf_flatten__()
        return type(structure).__tf_unflatten__(about, tuple(parts))
    if isinstance(structure, Mapping):
        made = dict(zip(keys, parts, strict=True))
        keys, parts = list(structure), [made[key] for key in structure]
    return _built(type(structure), keys, parts)


def map_structure(func: Any, *structure: Any, **kwargs: Any) -> Any:
    """Apply a function to the corresponding leaves of structures.

    `check_types` (true) says whether lists, tuples and dicts must be of the same types, and
    `expand_composites` (false) whether leaves are the tensors within ragged and sparse ones. Raises
    `TypeError` for no function, and what `assert_same_structure` raises.

    >>> map_structure(lambda a, b: a + b, [1, 2], [3, 4])
    [4, 6]
    """
    if not callable(func):
        raise TypeError(f"func must be callable, got: {func}")
    if not structure:
        raise ValueError("Must provide at least one structure")
    check_types = expand = False
    if kwargs or len(structure) > 1:
        check_types = kwargs.pop("check_types", True)
        expand = kwargs.pop("expand_composites", False)
    if kwargs:
        raise ValueError(
            "Only valid keyword arguments are `check_types` and `expand_composites`, not: "
            f"`{'`, `'.join(kwargs)}`"
        )
    for other in structure[1:]:
        assert_same_structure(structure[0], other, check_types, expand)
    columns = zip(*[flatten(s, expand) for s in structure], strict=True)
    return _packed(structure[0], iter([func(*leaves) for leaves in columns]), expand)


# --- comparing ------------------------------------------------------------------------------------


def assert_same_structure(
    nest1: Any, nest2: Any, check_types: bool = True, expand_composites: bool = False
) -> None:
    """Raise `ValueError` unless both nest in the same way.

    With `check_types`, raise `TypeError` unless tuples are of the same types and lists and dicts
    stand where lists and dicts do, and `ValueError` unless these have the same keys. With
    `expand_composites`, what is made of several tensors has to be of one spec.

    >>> assert_same_structure([1, (2,)], ["a", ("b",)])
    """
    try:
        _compare(nest1, nest2, check_types, expand_composites)
    except _Unlike as unlike:
        first, second = (map_structure(lambda _: _DOT, each) for each in (nest1, nest2))
        raise unlike.kind(
            f"The two structures don't have the same nested structure.\n\nFirst structure: "
            f"{_told(nest1)}\n\nSecond structure: {_told(nest2)}\n\nMore specifically: {unlike}\n"
            f"Entire first structure:\n{first}\nEntire second structure:\n{second}"
        ) from None


class _Unlike(Exception):  # noqa: N818 - it is caught above
    """Where two structures differ; `kind` is what is raised for it."""

    def __init__(self, kind: type[Exception], text: str) -> None:
        super().__init__(text)
        self.kind = kind


class _Dot:
    def __repr__(self) -> str:
        return "."


_DOT = _Dot()


def _told(x: Any) -> str:
    return f"type={type(x).__name__} str={x!s}"


def _compare(a: Any, b: Any, check_types: bool, expand: bool) -> None:
    specs = [spec_of(x) if expand else None for x in (a, b)]
    nested = [is_nested(x) or spec is not None for x, spec in zip((a, b), specs, strict=True)]
    if nested == [False, False]:
        return
    if nested != [True, True]:
        whole, leaf = (a, b) if nested[0] else (b, a)
        raise _Unlike(
            ValueError,
            f'Substructure "{_told(whole)}" is a sequence, while substructure "{_told(leaf)}" is '
            "not",
        )
    if None not in specs:
        _compare_specs(*specs)
        return
    if check_types:
        _compare_types(a, b)
    ours, theirs = _children(a), _children(b)
    if len(ours) != len(theirs):
        raise _Unlike(
            ValueError,
            "The two structures don't have the same number of elements. First structure: "
            f"{_told(a)}. Second structure: {_told(b)}",
        )
    for x, y in zip(ours, theirs, strict=True):
        _compare(x, y, check_types, expand)


def _compare_specs(ours: Any, theirs: Any) -> None:
    if ours.most_specific_common_supertype([theirs]) is None:
        told = f"{_told(ours)} vs. {_told(theirs)}"
        raise _Unlike(ValueError, f"Incompatible CompositeTensor TypeSpecs: {told}")


def _compare_types(a: Any, b: Any) -> None:
    """Refuse other types of tuples, lists for dicts, and dicts with other keys."""
    is_alike = any(isinstance(a, kind) and isinstance(b, kind) for kind in (list, Mapping))
    names = [(type(x).__name__, getattr(x, "_fields", None)) for x in (a, b)]
    is_same = names[0] == names[1] if None not in (names[0][1], names[1][1]) else type(a) is type(b)
    if not (is_alike or is_same):
        raise _Unlike(
            TypeError,
            "The two namedtuples don't have the same sequence type. First structure "
            f"{_told(a)} has type {names[0][0]}, while second structure {_told(b)} has type "
            f"{names[1][0]}",
        )
    if isinstance(a, Mapping) and a.keys() != b.keys():
        raise _Unlike(
            ValueError,
            "The two dictionaries don't have the same set of keys. First structure has keys "
            f"{_told([*a])}, while second structure has keys {_told([*b])}",
        )


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
