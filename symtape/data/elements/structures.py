"""Structures of dataset elements: tuples, named tuples, dicts and attrs; a list is a tensor.

A dataclass that says which parts it has is a node of these. A record is a node, too, of its
tensors; and so is its spec, of theirs.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from symtape import nest
from symtape.errors import UnsupportedError
from symtape.nest.trees import is_flattened
from symtape.ops.arguments import is_tensor
from symtape.ops.composite import CompositeTensor, Record, RecordSpec
from symtape.ops.composite_elements import home_of
from symtape.ops.composite_values import RaggedTensorValue, SparseTensorValue
from symtape.ops.ragged.tensor import RaggedTensor
from symtape.ops.sparse.tensor import SparseTensor
from symtape.tensor.convert import convert
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import value_of


class Holder:
    """What holds a dataset: an element may be one."""

    __slots__ = ()

    def as_element(self) -> Any:
        """Be what an element holds."""
        return self


def is_node(value: Any) -> bool:
    """Say whether a value has children; a list has none, it becomes a tensor.

    >>> is_node((1, 2)), is_node([1, 2])
    (True, False)
    """
    kind: Any = type(value)
    return _is_node(kind)


@lru_cache(1024)  # asked of each leaf of each element
def _is_node(kind: Any) -> bool:
    if kind is SparseTensorValue:
        return False
    if issubclass(kind, (tuple, Mapping, *_RECORDS)) or hasattr(kind, "__attrs_attrs__"):
        return True
    return is_flattened(kind)


_RECORDS = (Record, RecordSpec)


def holds_records(structure: Any) -> bool:
    """Say whether there is a record, or the spec of one, in a structure."""
    if isinstance(structure, _RECORDS):
        return True
    return is_node(structure) and any([holds_records(child) for child in children(structure)])


def children(structure: Any) -> list[Any]:
    """List the children of a node; those of a dict in the order of its sorted keys."""
    if isinstance(structure, tuple):
        return list(structure)
    if isinstance(structure, Mapping):
        try:
            return [structure[key] for key in sorted(structure)]
        except TypeError:
            return list(structure.values())
    if isinstance(structure, RecordSpec):
        return list(structure._component_specs)  # noqa: SLF001 - TensorFlow's name
    if isinstance(structure, Record):
        return list(structure._type_spec._to_components(structure))  # noqa: SLF001 - likewise
    if is_flattened(type(structure)):
        return list(structure.__tf_flatten__()[1])
    return [getattr(structure, a.name) for a in type(structure).__attrs_attrs__]


def flatten(structure: Any) -> list[Any]:
    """List the leaves.

    >>> flatten({"b": [1, 2], "a": (3,)})
    [3, [1, 2]]
    """
    if not is_node(structure):
        return [structure]
    return [leaf for child in children(structure) for leaf in flatten(child)]


def _spec_of(record: Any) -> Any:
    return record if isinstance(record, RecordSpec) else record._type_spec  # noqa: SLF001 - TensorFlow's name


def mapped(function: Callable[[Any], Any], structure: Any, *, opens: bool = True) -> Any:
    """Apply a function to the leaves; if it `opens` none, records are leaves.

    >>> mapped(len, {"b": [1, 2], "a": ([3],)})
    {'b': 2, 'a': (1,)}
    """
    is_record = isinstance(structure, _RECORDS)
    if not is_node(structure) or (is_record and not opens):
        return function(structure)
    if is_record:
        return _spec_of(structure).made_of([mapped(function, x) for x in children(structure)])
    kind: Any = type(structure)
    if isinstance(structure, Mapping):
        parts = {key: mapped(function, value, opens=opens) for key, value in structure.items()}
        if isinstance(structure, defaultdict):
            return kind(structure.default_factory, parts)
        return parts if kind is dict else kind(parts)
    made = [mapped(function, child, opens=opens) for child in children(structure)]
    if is_flattened(kind):
        return nest.rebuilt(structure, made)
    return tuple(made) if kind is tuple else kind(*made)


def builder(template: Any) -> Callable[[Sequence[Any]], Any]:
    """Give the function that puts leaves into a structure like this one.

    >>> builder({"b": 0, "a": 0})([1, 2])
    {'b': 2, 'a': 1}
    """
    if not is_node(template):
        return lambda leaves: leaves[0]
    if type(template) is tuple and not any(map(is_node, template)):
        return tuple
    if holds_records(template):
        return lambda leaves: _packed(template, iter(leaves))
    return lambda leaves: nest.pack_sequence_as(template, leaves)


def _packed(template: Any, supply: Iterator[Any]) -> Any:
    """Put leaves into a structure in which there are records, too."""
    if not is_node(template):
        return next(supply)
    parts = [_packed(child, supply) for child in children(template)]
    if isinstance(template, _RECORDS):
        return _spec_of(template).made_of(parts)
    return nest.rebuilt(template, parts)


def refuse_records(structure: Any, name: str, kind: type[Exception] = UnsupportedError) -> None:
    """Raise an error where a function of datasets takes no types of one's own."""
    if holds_records(structure):
        raise kind(
            f"tf.data.Dataset.{name}: elements are of types of one's own; map them to the tensors "
            "of which they are made before, and make them anew afterwards"
        )


def up_to(template: Any, structure: Any) -> Iterator[Any]:
    """List what stands at the leaves of a template in a structure that goes at least as deep.

    Raises `TypeError` or `ValueError` where the structure has other nodes.
    """
    if not is_node(template):
        yield structure
        return
    if not is_node(structure):
        raise TypeError(
            "If shallow structure is a sequence, input must also be a sequence. Input has type: "
            f"{str(type(structure))!r}."
        )
    ours, theirs = children(template), children(structure)
    if isinstance(template, Mapping) and (
        not isinstance(structure, Mapping) or template.keys() != structure.keys()
    ):
        raise ValueError(f"The keys {list(template)} are not those of {structure!r}")
    if len(ours) != len(theirs):
        raise ValueError(
            "The two structures don't have the same sequence length. Input structure has length "
            f"{len(theirs)}, while shallow structure has length {len(ours)}."
        )
    for ours_child, child in zip(ours, theirs, strict=True):
        yield from up_to(ours_child, child)


def constant(value: Any) -> Any:
    """Make a leaf of an element: a tensor that no tape follows, a dataset, or None.

    A tensor may be ragged or sparse, or what sessions of TensorFlow 1 gave for one.

    Raises what `tf.convert_to_tensor` raises.
    """
    if value.__class__ is Tensor:
        return Tensor(value_of(value, "tf.data"))
    if value is None:
        return None
    if isinstance(value, Holder):
        return value.as_element()
    if isinstance(value, SparseTensorValue):
        value = SparseTensor.from_value(value)
    elif isinstance(value, RaggedTensorValue):
        value = RaggedTensor.from_nested_row_splits(value.flat_values, value.nested_row_splits)
    if isinstance(value, CompositeTensor):
        return untaped(value)
    return Tensor(value_of(convert(value), "tf.data"))


def untaped(value: CompositeTensor) -> CompositeTensor:
    """Make a ragged or sparse tensor again, of tensors that no tape follows."""
    components = [Tensor(value_of(part, "tf.data")) for part in value.components()]
    made: CompositeTensor = home_of(value.type_spec).built(value.type_spec, components)
    return made


def normalized(element: Any) -> Any:
    """Make an element of what somebody gave: its leaves become tensors that no tape follows."""
    return mapped(constant, element)


def again(leaf: Any) -> Any:
    """Make a leaf anew, so that a tape that watches one does not watch others."""
    if isinstance(leaf, Tensor):
        return Tensor(array_of(leaf))
    return untaped(leaf) if isinstance(leaf, CompositeTensor) else leaf


def array_of(leaf: Any) -> Any:
    """Read the array of a leaf of an element; what is no tensor is given as it is."""
    return value_of(leaf, "tf.data") if is_tensor(leaf) else leaf
