"""Specs that few ask for: of rows of a tensor, of `tf.TensorArray`, and of any value."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from symtape.data.elements.optional import Optional, OptionalSpec
from symtape.data.elements.specs import NoneTensorSpec, batched, common, spec_of
from symtape.data.elements.structures import Holder
from symtape.data.iterators import Iterator
from symtape.errors import UnsupportedError
from symtape.ops.composite import Composite, CompositeSpec, CompositeTensor
from symtape.ops.control.function_types import VariableSpec
from symtape.ops.control.tensor_array import TensorArray
from symtape.ops.spec import SpecOfParts, TensorSpec, TypeSpec
from symtape.stand_in.ragged.row_partition import RowPartition
from symtape.tensor import dtypes
from symtape.tensor.convert import convert
from symtape.tensor.indexing.slices import IndexedSlices
from symtape.tensor.shape import TensorShape
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import shape_of
from symtape.tensor.variables.variable import Variable


class _Told(SpecOfParts):
    """A spec that keeps the arguments that make it."""

    __slots__ = ("parts",)
    parts: tuple[Any, ...]


class IndexedSlicesSpec(_Told):
    """The spec of rows of a tensor (`tf.IndexedSlicesSpec`).

    `shape` and `dtype` are those of the whole, `indices_shape` has one axis. Raises `ValueError`
    for an `indices_shape` of more.

    >>> IndexedSlicesSpec([2, 3]).is_compatible_with(IndexedSlicesSpec([None, 3]))
    True
    """

    __slots__ = ()
    value_type = IndexedSlices

    def __init__(
        self,
        shape: Any = None,
        dtype: Any = dtypes.float32,
        indices_dtype: Any = dtypes.int64,
        dense_shape_dtype: Any = None,
        indices_shape: Any = None,
    ) -> None:
        of_shape = None if dense_shape_dtype is None else dtypes.as_dtype(dense_shape_dtype)
        kinds = dtypes.as_dtype(dtype), dtypes.as_dtype(indices_dtype), of_shape
        self.parts = (TensorShape(shape), *kinds, TensorShape(indices_shape).with_rank(1))

    @property
    def _component_specs(self) -> list[TensorSpec]:
        shape, dtype, of_indices, of_shape, indices_shape = self.parts
        rows = TensorShape([*indices_shape, *shape[1:]]) if shape.rank else TensorShape(None)
        made = [TensorSpec(rows, dtype), TensorSpec(indices_shape, of_indices)]
        return made if of_shape is None else [*made, TensorSpec([shape.rank], of_shape)]

    def _to_components(self, value: IndexedSlices) -> tuple[Tensor, ...]:
        whole = value.dense_shape
        return (value.values, value.indices, *([] if whole is None else [whole]))

    def _from_components(self, components: Any) -> Any:
        given = [*components]
        is_made = all(isinstance(x, (Tensor, Variable)) for x in given)
        return IndexedSlices(*given) if is_made else tuple(given)

    def is_compatible_with(self, spec_or_value: Any) -> bool:
        """Say whether rows, or the spec of some, may stand where this spec does."""
        other = spec_or_value
        if not isinstance(other, TypeSpec):
            other = type_spec_from_value(other)
        if not isinstance(other, IndexedSlicesSpec) or self.parts[1:4] != other.parts[1:4]:
            return False
        pairs = [(self.parts[k], other.parts[k]) for k in (0, 4)]
        return all(a.is_compatible_with(b) for a, b in pairs)


class TensorArraySpec(_Told):
    """The spec of a list of tensors (`tf.TensorArraySpec`).

    >>> TensorArraySpec([2]).is_compatible_with(TensorArray("float32", 3, element_shape=[2]))
    True
    """

    __slots__ = ()
    value_type = TensorArray

    def __init__(
        self,
        element_shape: Any = None,
        dtype: Any = dtypes.float32,
        dynamic_size: bool = False,
        infer_shape: bool = True,
    ) -> None:
        kind = dtypes.as_dtype(dtype)
        self.parts = (TensorShape(element_shape), kind, dynamic_size, infer_shape)

    @staticmethod
    def from_value(value: Any) -> TensorArraySpec:
        """Give the spec of a list of tensors; raises `TypeError` for anything else."""
        if not isinstance(value, TensorArray):
            raise TypeError(f"Expected value to be a TensorArray, but got: `{type(value)}`")
        return TensorArraySpec(
            value.element_shape, value.dtype, value.dynamic_size, value.infers_shape
        )

    def is_compatible_with(self, other: Any) -> bool:
        """Say whether a list of tensors, or the spec of one, may stand where this spec does."""
        if not isinstance(other, TypeSpec):
            other = type_spec_from_value(other)
        if not isinstance(other, TensorArraySpec) or self.parts[1:3] != other.parts[1:3]:
            return False
        fits: bool = self.parts[0].is_compatible_with(other.parts[0])
        return fits


CONVERTERS: list[tuple[type, Callable[[Any], Any], bool]] = []
"""Types of others, and what makes specs of their values."""


def register_type_spec_from_value_converter(
    type_object: type, converter_fn: Callable[[Any], Any], allow_subclass: bool = False
) -> None:
    """Have `type_spec_from_value` ask a function about values of a type."""
    CONVERTERS.append((type_object, converter_fn, allow_subclass))


NAME_TO_TYPE_SPEC: dict[str, type[TypeSpec]] = {}
TYPE_SPEC_TO_NAME: dict[type[TypeSpec], str] = {}


def register_type_spec(name: str) -> Callable[[type[TypeSpec]], type[TypeSpec]]:
    """Make a decorator that gives a spec's class a name (`type_spec_registry.register`).

    Raises `TypeError` for what is no text or no class of specs, and `ValueError` for a name without
    a point, for one that is taken, and for a class that has one.

    >>> @register_type_spec("our.Spec")
    ... class OurSpec(TypeSpec): pass
    >>> NAME_TO_TYPE_SPEC.pop("our.Spec") is OurSpec, TYPE_SPEC_TO_NAME.pop(OurSpec)
    (True, 'our.Spec')
    """
    if not isinstance(name, str):
        raise TypeError("Expected `name` to be a string; got " + repr(name))
    if not re.match(r"^(\w+\.)+\w+$", name):
        raise ValueError(
            "Registered name must have the form '{project_name}.{type_name}' "
            f"(e.g. 'my_project.MyTypeSpec'); got {name!r}."
        )

    def decorate(cls: type[TypeSpec]) -> type[TypeSpec]:
        if not (isinstance(cls, type) and issubclass(cls, TypeSpec)):
            raise TypeError("Expected `cls` to be a TypeSpec; got " + repr(cls))
        if cls in TYPE_SPEC_TO_NAME:
            held = TYPE_SPEC_TO_NAME[cls]
            raise ValueError(
                f"Class {cls.__module__}.{cls.__name__} has already been registered with name "
                f"{held}."
            )
        if name in NAME_TO_TYPE_SPEC:
            other = NAME_TO_TYPE_SPEC[name]
            raise ValueError(
                f"Name {name} has already been registered for class {other.__module__}."
                f"{other.__name__}."
            )
        TYPE_SPEC_TO_NAME[cls], NAME_TO_TYPE_SPEC[name] = name, cls
        return cls

    return decorate


def type_spec_from_value(value: Any) -> Any:
    """Give the spec of a value: of tensors, of what is made of them, and of what becomes one.

    Raises `TypeError` for what has none, and `UnsupportedError` for iterators over datasets and
    partitions of rows, whose specs are not there.

    >>> type_spec_from_value([1, 2])
    TensorSpec(shape=(2,), dtype=tf.int32, name=None)
    """
    found = _known(value)
    if found is not None:
        return found
    for kind, make, by_base in CONVERTERS:
        if type(value) is kind or (by_base and isinstance(value, kind)):
            made = make(value)
            if made is not None:
                return made
    try:
        made = convert(value)
    except (TypeError, ValueError):
        raise TypeError(
            f"Could not build a TypeSpec for {value} of unsupported type {type(value)}."
        ) from None
    return TensorSpec(made.shape, made.dtype)


def _known(value: Any) -> Any:
    """Give the spec of what is no number, text, array or list of these."""
    if isinstance(value, Variable):
        return VariableSpec.from_value(value)
    if isinstance(value, IndexedSlices):
        return _of_slices(value)
    if isinstance(value, TensorArray):
        return TensorArraySpec.from_value(value)
    if isinstance(value, Optional):
        return OptionalSpec.from_value(value)
    if isinstance(value, (Iterator, RowPartition)):
        raise UnsupportedError(
            f"tf.type_spec_from_value of a {type(value).__name__}: there is no spec of it; use the "
            "spec of its elements, `element_spec`, or of its tensors"
        )
    if isinstance(value, Composite):
        return value._type_spec  # noqa: SLF001 - TensorFlow's name
    if value is None or isinstance(value, (Tensor, Holder)):
        return spec_of(value)
    if isinstance(value, list) and value and isinstance(value[0], CompositeTensor):
        return _of_list(value)
    return None


def _of_slices(value: IndexedSlices) -> IndexedSlicesSpec:
    whole = value.dense_shape
    return IndexedSlicesSpec(
        TensorShape([None, *shape_of(value.values)[1:]]) if whole is None else value.shape,
        value.dtype,
        value.indices.dtype,
        None if whole is None else whole.dtype,
        value.indices.shape,
    )


def _of_list(values: list[Any]) -> Any:
    """Give the spec of a batch of what is made of tensors."""
    spec: CompositeSpec = values[0].type_spec
    for value in values[1:]:
        spec = common(spec, _known(value))
    return batched(spec, len(values))


__all__ = ["IndexedSlicesSpec", "NoneTensorSpec", "TensorArraySpec", "type_spec_from_value"]
