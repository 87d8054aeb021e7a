"""Structures of tensors: lists, tuples, named tuples and dicts, flattened as `tf.nest` does."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from symtape.namespace import show


def is_nested(seq: Any) -> bool:
    """Say whether something holds other things.

    >>> is_nested([1]), is_nested("a")
    (True, False)
    """
    kind = type(seq)
    known = _NESTED.get(kind)
    if known is None:
        known = _NESTED[kind] = issubclass(kind, (list, tuple, Mapping)) or hasattr(
            kind, "__attrs_attrs__"
        )
    return known


_NESTED: dict[type, bool] = {}
"""What is known of types, since asking them costs more than the rest of a small gradient."""


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
    found: list[Any] = []
    stack: list[Iterator[Any]] = [_children(structure)]
    while stack:
        for child in stack[-1]:
            if is_nested(child):
                stack.append(_children(child))
                break
            found.append(child)
        else:
            stack.pop()
    return found


def _children(structure: Any) -> Iterator[Any]:
    if isinstance(structure, Mapping):
        return iter([structure[k] for k in _keys(structure)])
    if hasattr(type(structure), "__attrs_attrs__"):
        return iter([getattr(structure, a.name) for a in structure.__attrs_attrs__])
    return iter(structure)


def _keys(structure: Mapping[Any, Any]) -> list[Any]:
    try:
        return sorted(structure)
    except TypeError:
        return list(structure)


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
    return _pack(structure, iter(flat_sequence))


def _pack(structure: Any, supply: Iterator[Any]) -> Any:
    if not is_nested(structure):
        return next(supply)
    if isinstance(structure, Mapping):
        made = {k: _pack(structure[k], supply) for k in _keys(structure)}
        return _like_mapping(structure, made)
    parts = [_pack(child, supply) for child in _children(structure)]
    if hasattr(structure, "_fields") or hasattr(type(structure), "__attrs_attrs__"):
        return type(structure)(*parts)
    return (
        type(structure)(parts)
        if isinstance(structure, (list, tuple)) and type(structure) in (list, tuple)
        else list(parts)
    )


def _like_mapping(structure: Mapping[Any, Any], made: dict[Any, Any]) -> Any:
    ordered = {k: made[k] for k in structure}
    return ordered if type(structure) is dict else type(structure)(ordered)  # type: ignore[call-arg]  # as dict


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
    if is_nested(nest1) != is_nested(nest2) or len(flatten(nest1)) != len(flatten(nest2)):
        raise ValueError(
            f"The two structures don't have the same nested structure: {nest1!r} and {nest2!r}"
        )
    if is_nested(nest1):
        if check_types and type(nest1) is not type(nest2):
            raise TypeError(
                "The two structures don't have the same sequence type: "
                f"{type(nest1)} and {type(nest2)}"
            )
        for a, b in zip(_children(nest1), _children(nest2), strict=True):
            assert_same_structure(a, b, check_types)


__all__ = [
    "assert_same_structure",
    "flatten",
    "is_nested",
    "map_structure",
    "pack_sequence_as",
]

show(__name__, __all__)
