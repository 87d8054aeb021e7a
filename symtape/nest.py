"""Structures of tensors: lists, tuples, named tuples and dicts, flattened as `tf.nest` does."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any


def is_nested(structure: Any) -> bool:
    """Say whether something holds other things.

    >>> is_nested([1]), is_nested("a")
    (True, False)
    """
    kind = type(structure)
    known = _NESTED.get(kind)
    if known is None:
        known = _NESTED[kind] = issubclass(kind, (list, tuple, Mapping)) or hasattr(
            kind, "__attrs_attrs__"
        )
    return known


_NESTED: dict[type, bool] = {}
"""What is known of types, since asking them costs more than the rest of a small gradient."""


def flatten(structure: Any) -> list[Any]:
    """List the leaves in order; dicts are taken in the order of their sorted keys.

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


def pack_sequence_as(structure: Any, flat_sequence: Sequence[Any]) -> Any:
    """Build a structure like another one from a flat list of leaves.

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
    return ordered if type(structure) is dict else type(structure)(ordered)  # type: ignore[call-arg]


def map_structure(function: Any, *structures: Any) -> Any:
    """Apply a function to the corresponding leaves of structures.

    >>> map_structure(lambda a, b: a + b, [1, 2], [3, 4])
    [4, 6]
    """
    columns = zip(*[flatten(s) for s in structures], strict=True)
    return pack_sequence_as(structures[0], [function(*leaves) for leaves in columns])


def assert_same_structure(first: Any, second: Any) -> None:
    """Raise `ValueError` unless both nest in the same way."""
    if is_nested(first) != is_nested(second) or len(flatten(first)) != len(flatten(second)):
        raise ValueError(
            f"The two structures don't have the same nested structure: {first!r} and {second!r}"
        )
    if is_nested(first):
        for a, b in zip(_children(first), _children(second), strict=True):
            assert_same_structure(a, b)
