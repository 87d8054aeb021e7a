"""What is made of several tensors, as TensorFlow's `CompositeTensor` is, and the spec of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar, TypeVar

from symtape.ops.spec import SpecOfParts, TypeSpec, as_one
from symtape.tensor.dtypes import DType
from symtape.tensor.shape import TensorShape
from symtape.tensor.tensor import Tensor

Spec = TypeVar("Spec", bound="CompositeSpec")


class Composite:
    """The base of what is made of several tensors, as TensorFlow's packages extend it.

    `_type_spec` is a spec that takes it apart and makes it again.
    """

    @property
    def _type_spec(self) -> Any:
        raise NotImplementedError(f"{type(self).__name__}._type_spec")

    def _convert_variables_to_tensors(self) -> Any:
        return self


class Record(Composite):
    """What is made of several tensors that are told apart: elements of datasets have each of them.

    Its spec is a `RecordSpec`.
    """


class RecordSpec(TypeSpec):
    """The spec of a record, which has the specs of its tensors, and makes it of these.

    One whose records can be stacked has `_batch` and `_unbatch`, as TensorFlow's have.
    """

    _component_specs: Any
    _batch: Callable[[int | None], Any]
    _unbatch: Callable[[], Any]

    def made_of(self, parts: Sequence[Any]) -> Any:
        """Make a record of tensors, or a spec as this one of other parts than tensors."""
        raise NotImplementedError


class CompositeTensor(Composite):
    """What is made of several tensors, and counts as one where it is asked for: ragged, sparse."""

    @property
    def type_spec(self) -> CompositeSpec:
        """What says of which type this is."""
        raise NotImplementedError

    @property
    def _type_spec(self) -> CompositeSpec:
        return self.type_spec

    def components(self) -> Sequence[Tensor]:
        """List the tensors that this is made of."""
        raise NotImplementedError

    def consumers(self) -> list[Any]:
        """Give an empty list: what is computed of it is not kept beside it."""
        return []

    def as_array(self) -> Any:
        """Give what an iterator over arrays gives."""
        raise NotImplementedError


class CompositeSpec(SpecOfParts):
    """The spec of what is made of several tensors: a shape, a dtype, and what its type has more."""

    __slots__ = ()

    kind: ClassVar[type]
    """The class of the values."""

    shape: TensorShape
    dtype: DType

    @property
    def value_type(self) -> type:
        """The class of what it describes."""
        return self.kind

    def _to_components(self, value: Any) -> Any:
        return value.components()

    def is_compatible_with(self, spec_or_value: Any) -> bool:
        """Say whether a value, or a spec, may stand where this spec does."""
        other = spec_or_value
        if isinstance(other, CompositeTensor):
            other = other.type_spec
        if type(other) is not type(self) or self.parts[1:] != other.parts[1:]:
            return False
        return self.shape.is_compatible_with(other.shape)


def reshaped(spec: Spec, shape: Any) -> Spec:
    """Give the same spec with another shape of as many axes."""
    kind: Any = type(spec)
    made: Spec = kind(shape, *spec.parts[1:])
    return made


def common(a: CompositeSpec, b: Any) -> CompositeSpec | None:
    """Give the narrowest spec that both fit; None where there is none."""
    if type(a) is not type(b) or a.parts[1:] != b.parts[1:]:
        return None
    return reshaped(a, as_one(a.shape, b.shape))
