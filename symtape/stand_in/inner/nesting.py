"""Functions of `tensorflow.python.util.nest`: structures with paths, and down to a shallower one.

A path is a tuple of what leads to a part: places in a list or tuple, keys of a dict, in the order
of the sorted keys, and names of fields.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from symtape.errors import UnsupportedError
from symtape.nest import is_nested, items, pack_sequence_as, rebuilt, spec_of, within
from symtape.ops.composite import Composite
from symtape.ops.spec import TypeSpec

Path = tuple[Any, ...]


def is_mapping(obj: Any) -> bool:
    """Say whether something is a dict, or like one.

    >>> is_mapping({}), is_mapping([])
    (True, False)
    """
    return isinstance(obj, Mapping)


def is_nested_or_composite(seq: Any) -> bool:
    """Say whether something holds other things, or is made of several tensors.

    >>> is_nested_or_composite([1]), is_nested_or_composite(1)
    (True, False)
    """
    return is_nested(seq) or isinstance(seq, (Composite, TypeSpec)) or spec_of(seq) is not None


def _opened(structure: Any, expand: bool) -> list[tuple[Any, Any]] | None:
    """List what a structure holds, each behind its key; None for a leaf.

    To `expand` what is made of several tensors is to open it: it holds these, behind its name.
    """
    if is_nested(structure):
        return items(structure)
    spec = spec_of(structure) if expand else None
    if spec is None:
        return None
    return [(spec.value_type.__name__, within(structure, spec))]


def _leaves(
    shallow: Any, whole: Any, expand: bool = False, path: Path = ()
) -> Iterator[tuple[Path, Any]]:
    """Go down as far as a shallow structure goes."""
    opened = _opened(shallow, expand)
    if opened is None:
        yield path, whole
        return
    parts = dict(_opened(whole, expand) or ())
    for key, part in opened:
        yield from _leaves(part, parts[key], expand, (*path, key))


def yield_flat_paths(nest: Any, expand_composites: bool = False) -> Iterator[Path]:
    """Go through the paths of the leaves; what is made of several tensors is opened if asked.

    >>> [*yield_flat_paths({"b": [5, 6], "a": 7})]
    [('a',), ('b', 0), ('b', 1)]
    """
    return (path for path, _ in _leaves(nest, nest, expand_composites))


def flatten_with_tuple_paths(
    structure: Any, expand_composites: bool = False
) -> list[tuple[Path, Any]]:
    """List the leaves, each behind its path.

    >>> flatten_with_tuple_paths({"b": [5], "a": 7})
    [(('a',), 7), (('b', 0), 5)]
    """
    return [*_leaves(structure, structure, expand_composites)]


def flatten_with_joined_string_paths(
    structure: Any, separator: str = "/", expand_composites: bool = False
) -> list[tuple[str, Any]]:
    """List the leaves, each behind its path as a text.

    >>> flatten_with_joined_string_paths({"b": [5], "a": 7})
    [('a', 7), ('b/0', 5)]
    """
    found = flatten_with_tuple_paths(structure, expand_composites)
    return [(separator.join(map(str, path)), leaf) for path, leaf in found]


def assert_shallow_structure(
    shallow_tree: Any, input_tree: Any, check_types: bool = True, expand_composites: bool = False
) -> None:
    """Raise unless a structure goes on where a shallower one ends.

    Raises `TypeError` for other types of lists, tuples and dicts where `check_types` asks for it,
    and for a leaf where there is more; `ValueError` for other lengths and keys.

    >>> assert_shallow_structure([0, 0], [1, [2, 3]])
    """
    _check_shallow(shallow_tree, input_tree, check_types, expand_composites)


def _check_shallow(shallow: Any, whole: Any, check_types: bool, expand: bool) -> None:
    if _opened(shallow, expand) is None:
        return
    if _opened(whole, expand) is None:
        raise TypeError(
            "If shallow structure is a sequence, input must also be a sequence. "
            f"Input has type: {type(whole)}."
        )
    if not is_nested(shallow) and not is_nested(whole):
        _check_specs(spec_of(shallow), spec_of(whole))
        return
    if check_types and not _is_same_type(shallow, whole):
        raise TypeError(
            "The two structures don't have the same sequence type. Input structure has type "
            f"{type(whole)}, while shallow structure has type {type(shallow)}."
        )
    if len(whole) != len(shallow):
        raise ValueError(
            "The two structures don't have the same sequence length. Input structure has length "
            f"{len(whole)}, while shallow structure has length {len(shallow)}."
        )
    if isinstance(shallow, Mapping) and (absent := set(shallow) - set(whole)):
        raise ValueError(
            "The shallow_tree's keys are not a subset of the input_tree's keys. The shallow_tree "
            f"has the following keys that are not in the input_tree: {sorted(absent)}."
        )
    for (_, part), (_, other) in zip(items(shallow), items(whole), strict=True):
        _check_shallow(part, other, check_types, expand)


def _check_specs(ours: Any, theirs: Any) -> None:
    """Refuse two that are made of several tensors, of which no spec has both."""
    try:
        fits = ours.most_specific_common_supertype([theirs]) is not None
    except (TypeError, ValueError, NotImplementedError):
        fits = False
    if not fits:
        raise ValueError(f"Incompatible CompositeTensor TypeSpecs: {ours} vs. {theirs}")


def _is_same_type(shallow: Any, whole: Any) -> bool:
    fields = getattr(shallow, "_fields", None)
    if fields is not None and hasattr(whole, "_fields"):
        same: bool = (type(shallow).__name__, fields) == (type(whole).__name__, whole._fields)
        return same
    both_map = isinstance(shallow, Mapping) and isinstance(whole, Mapping)
    both_list = isinstance(shallow, list) and isinstance(whole, list)
    return isinstance(whole, type(shallow)) or both_list or both_map


def flatten_with_tuple_paths_up_to(
    shallow_tree: Any, input_tree: Any, check_types: bool = True, expand_composites: bool = False
) -> list[tuple[Path, Any]]:
    """List the parts that stand where a shallower structure has leaves, each behind its path.

    >>> flatten_with_tuple_paths_up_to([0, 0], [1, [2, 3]])
    [((0,), 1), ((1,), [2, 3])]
    """
    assert_shallow_structure(shallow_tree, input_tree, check_types, expand_composites)
    return [*_leaves(shallow_tree, input_tree, expand_composites)]


def flatten_up_to(
    shallow_tree: Any, input_tree: Any, check_types: bool = True, expand_composites: bool = False
) -> list[Any]:
    """List the parts that stand where a shallower structure has leaves.

    >>> flatten_up_to([0, 0], [1, [2, 3]])
    [1, [2, 3]]
    """
    found = flatten_with_tuple_paths_up_to(shallow_tree, input_tree, check_types, expand_composites)
    return [part for _, part in found]


def map_structure_with_tuple_paths_up_to(
    shallow_tree: Any, func: Callable[..., Any], *inputs: Any, **kwargs: Any
) -> Any:
    """Apply a function to a path, and to the parts that stand there.

    `check_types` (true) says whether lists, tuples and dicts must be of the same types; other
    words are the function's own. Raises `ValueError` without structures, and as
    `assert_shallow_structure`.

    >>> map_structure_with_tuple_paths_up_to([0, 0], lambda path, x: (path, x), [1, [2]])
    [((0,), 1), ((1,), [2])]
    """
    if not inputs:
        raise ValueError("Cannot map over no sequences")
    types, parts = kwargs.pop("check_types", True), kwargs.pop("expand_composites", False)
    columns = [flatten_up_to(shallow_tree, each, types, parts) for each in inputs]
    paths = [path for path, _ in _leaves(shallow_tree, inputs[0], parts)]
    made = [func(*given, **kwargs) for given in zip(paths, *columns, strict=True)]
    return pack_sequence_as(shallow_tree, made, parts)


def map_structure_up_to(
    shallow_tree: Any, func: Callable[..., Any], *inputs: Any, **kwargs: Any
) -> Any:
    """Apply a function to the parts that stand where a shallower structure has leaves.

    >>> map_structure_up_to([0, 0], lambda x: 2 * x, [1, [2]])
    [2, [2, 2]]
    """
    return map_structure_with_tuple_paths_up_to(
        shallow_tree, lambda _, *values, **words: func(*values, **words), *inputs, **kwargs
    )


def map_structure_with_tuple_paths(func: Callable[..., Any], *structure: Any, **kwargs: Any) -> Any:
    """Apply a function to the path of each leaf, and to the leaves.

    >>> map_structure_with_tuple_paths(lambda path, x: (path, x), {"a": [5]})
    {'a': [(('a', 0), 5)]}
    """
    return map_structure_with_tuple_paths_up_to(structure[0], func, *structure, **kwargs)


def map_structure_with_paths(func: Callable[..., Any], *structure: Any, **kwargs: Any) -> Any:
    """Apply a function to the path of each leaf, as a text, and to the leaves.

    >>> map_structure_with_paths(lambda path, x: (path, x), {"a": [5]})
    {'a': [('a/0', 5)]}
    """
    return map_structure_with_tuple_paths(
        lambda path, *leaves, **words: func("/".join(map(str, path)), *leaves, **words),
        *structure,
        **kwargs,
    )


def get_traverse_shallow_structure(
    traverse_fn: Callable[[Any], Any], structure: Any, expand_composites: bool = False
) -> Any:
    """Ask a function how far down to go: a structure of truth values, False where it ends.

    The function is given each part that holds others, and says yes or no, or so of each of these.
    Raises `TypeError` where it says something else, and `UnsupportedError` where it is to open what
    is made of several tensors.

    >>> get_traverse_shallow_structure(lambda part: isinstance(part, list), [1, (2, 3)])
    [False, False]
    """
    told = traverse_fn(structure)
    if told is True and expand_composites and isinstance(structure, Composite):
        raise UnsupportedError(
            "get_traverse_shallow_structure into what is made of several tensors; have traverse_fn "
            "say False of it, or give its parts"
        )
    if not is_nested(structure):
        if not isinstance(told, bool):
            raise TypeError(
                f"traverse_fn returned structure: {told} for non-structure: {structure}"
            )
        return told
    if isinstance(told, bool):
        if not told:
            return False
        told = rebuilt(structure, [True for _ in items(structure)])
    elif not is_nested(told):
        raise TypeError(f"traverse_fn returned a non-bool scalar: {told} for input: {structure}")
    assert_shallow_structure(told, structure)
    made = []
    for answer, part in zip(yield_value(told), yield_value(structure), strict=True):
        if not isinstance(answer, bool):
            raise TypeError(
                f"traverse_fn didn't return a depth=1 structure of bools.  saw: {told}  for "
                f"structure: {structure}"
            )
        made.append(
            get_traverse_shallow_structure(traverse_fn, part, expand_composites)
            if answer
            else False
        )
    return rebuilt(structure, made)


def is_namedtuple(instance: Any, strict: bool = False) -> bool:
    """Say whether something is a named tuple; if `strict`, of a class that is made as one."""
    kind = type(instance)
    return (
        issubclass(kind, tuple)
        and hasattr(kind, "_fields")
        and (not strict or kind.__base__ is tuple)
    )


def yield_value(iterable: Any) -> Iterator[Any]:
    """Go through what a structure holds; a dict in the order of its sorted keys."""
    return (part for _, part in items(iterable))


def yield_sorted_items(iterable: Any) -> Iterator[tuple[Any, Any]]:
    """Go through what a structure holds, each behind its key, field or place."""
    yield from items(iterable)
