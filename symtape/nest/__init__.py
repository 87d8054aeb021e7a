"""Structures of tensors: lists, tuples, named tuples and dicts, flattened as `tf.nest` does.

Dicts are taken in the order of their sorted keys.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

from symtape.namespace import show
from symtape.nest.trees import built, is_flattened, opener


def is_nested(seq: Any) -> bool:
    """Say whether something holds other things.

    >>> is_nested([1]), is_nested("a")
    (True, False)
    """
    kind: Any = type(seq)
    return opener(kind) is not None


def _children(structure: Any) -> Sequence[Any]:
    kind: Any = type(structure)
    opened = opener(kind)
    return () if opened is None else opened(structure)[1]


def items(structure: Any) -> list[tuple[Any, Any]]:
    """List the parts, each behind its key, its name as a field, or else its place.

    >>> items({"b": 1, "a": [2]}), items("x")
    ([('a', [2]), ('b', 1)], [])
    """
    kind: Any = type(structure)
    opened = opener(kind)
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
    opened = opener(kind)
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
    return built(type(structure), keys, parts)


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


__all__ = [
    "assert_same_structure",
    "flatten",
    "is_nested",
    "map_structure",
    "pack_sequence_as",
]

show(__name__, __all__)
