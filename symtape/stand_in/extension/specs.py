"""The specs of types of one's own: a record's fields, with specs in the place of tensors."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from symtape import nest
from symtape.data.elements import specs
from symtape.errors import UnsupportedError
from symtape.ops.composite import Composite, RecordSpec
from symtape.ops.spec import BatchableTypeSpec, TensorSpec, TypeSpec
from symtape.stand_in.extension.fields import Field, ImmutableDict, Specs, read_fields
from symtape.tensor.shape import TensorShape
from symtape.tensor.tensor import Tensor


class Frozen:
    """What has fields that its constructor alone may set: a record, and the spec of one."""

    @classmethod
    def _tf_extension_type_fields(cls) -> tuple[Field, ...]:
        raise NotImplementedError

    def __validate__(self) -> None:
        """Say by an error what is wrong with fields that fit their annotations."""

    def _is_open(self, name: str) -> bool:
        """Say whether something may be set: a field in a constructor, or what Keras keeps."""
        names = [field.name for field in self._tf_extension_type_fields()]
        return name in BESIDE or (_OPEN in self.__dict__ and name in names)

    def __setattr__(self, name: str, value: Any) -> None:
        if not self._is_open(name):
            raise self._is_frozen(name)
        self.__dict__[name] = value

    def __delattr__(self, name: str) -> None:
        if not self._is_open(name):
            raise self._is_frozen(name)
        del self.__dict__[name]

    def _is_frozen(self, name: str) -> AttributeError:
        kind = "ExtensionTypeSpec" if isinstance(self, TypeSpec) else "ExtensionType"
        return AttributeError(
            f"Cannot mutate attribute `{name}` outside the custom constructor of {kind}."
        )

    @contextmanager
    def _opened(self) -> Iterator[None]:
        """Let a constructor that somebody wrote set fields."""
        self.__dict__[_OPEN] = True
        yield
        del self.__dict__[_OPEN]


_OPEN = "_tf_extension_type_in_constructor"
BESIDE = frozenset(["_keras_mask"])
"""What Keras keeps beside the fields."""


def made_of(kind: Any, fields: Any) -> Any:
    """Make a record, or the spec of one, of fields that are known to fit."""
    made = object.__new__(kind)
    made.__dict__.update(fields)
    return made


class ExtensionTypeSpec(Frozen, RecordSpec):
    """The base of the specs of types of one's own (`tf.experimental.ExtensionTypeSpec`)."""

    @classmethod
    def _tf_extension_type_fields(cls) -> tuple[Field, ...]:
        kind: Any = cls.value_type
        found: tuple[Field, ...] = kind._tf_extension_type_fields()  # noqa: SLF001 - ours
        return found

    def _tf_extension_type_convert_fields(self) -> None:
        read_fields(self._tf_extension_type_fields(), self.__dict__, Specs())

    def _serialize(self) -> tuple[tuple[str, Any], ...]:
        names = [field.name for field in self._tf_extension_type_fields()]
        return tuple([(name, _with_mappings(self.__dict__[name], dict)) for name in names])

    @classmethod
    def _deserialize(cls, serialization: Any) -> Any:
        return made_of(cls, _with_mappings(serialization, ImmutableDict))

    def __reduce__(self) -> Any:
        return _made_again, (self.value_type, self._serialize())

    def _to_components(self, value: Any) -> Any:
        held = tuple([value.__dict__[name] for name in self.__dict__])
        return tuple([x for x in nest.flatten(held) if isinstance(x, (Tensor, Composite))])

    def _from_components(self, components: Any) -> Any:
        return made_of(self.value_type, self._with(components))

    def made_of(self, parts: Any) -> Any:
        """Make a record of tensors, or a spec as this one of other parts than tensors."""
        is_record = all([isinstance(x, (Tensor, Composite)) for x in parts])
        return made_of(self.value_type if is_record else type(self), self._with(parts))

    def _with(self, components: Any) -> dict[str, Any]:
        """Put components into the fields in which there are specs."""
        given = iter(components)
        held = tuple(self.__dict__.values())
        parts = [next(given) if isinstance(x, TypeSpec) else x for x in nest.flatten(held)]
        if list(given):
            raise ValueError(
                "Cannot build an ExtensionType instance from components because more components "
                "are provided than the number expected by the type spec."
            )
        return dict(zip(self.__dict__, nest.pack_sequence_as(held, parts), strict=True))

    @property
    def _component_specs(self) -> Any:
        held = nest.flatten(tuple(self.__dict__.values()))
        return tuple([x for x in held if isinstance(x, TypeSpec)])

    @classmethod
    def from_value(cls, value: Any) -> Any:
        """Give the spec of a record."""
        fields = {name: x for name, x in vars(value).items() if name not in BESIDE}
        return made_of(cls, nest.map_structure(_spec_of, fields))

    def _to_legacy_output_shapes(self) -> Any:
        try:
            return self.shape  # type: ignore[attr-defined]  # where somebody gave it one
        except AttributeError as error:
            raise NotImplementedError(
                "It appears that the Spec of the ExtensionType is missing a shape property. In "
                "order to support tf.Data, it is recommended that you implement a shape property "
                "on the Spec."
            ) from error

    def __repr__(self) -> str:
        fields = ", ".join([f"{name}={value!r}" for name, value in self._serialize()])
        return f"{type(self).__qualname__}({fields})"


def _made_again(kind: Any, serialization: Any) -> Any:
    return kind.Spec._deserialize(serialization)  # noqa: SLF001 - of a spec


def _spec_of(value: Any) -> Any:
    if isinstance(value, Tensor):
        return TensorSpec(value.shape, value.dtype)
    return value._type_spec if isinstance(value, Composite) else value  # noqa: SLF001 - TensorFlow's name


def _with_mappings(value: Any, kind: Any) -> Any:
    """Make mappings of another type of those in a field, and of those within."""
    if isinstance(value, (dict, ImmutableDict)):
        return kind([(k, _with_mappings(v, kind)) for k, v in value.items()])
    if isinstance(value, tuple):
        return tuple([_with_mappings(v, kind) for v in value])
    return value


class ExtensionTypeBatchEncoder:
    """How values of a type are stacked and taken apart.

    That of `BatchableExtensionType` stacks every tensor, and everything that is made of tensors, in
    the fields of a value, and puts an axis in front of every shape. Types for which that is not
    right have one that extends it (`tf.experimental.ExtensionTypeBatchEncoder`).
    """

    def batch(self, spec: Any, batch_size: int | None) -> Any:
        """Give the spec of a batch of so many values."""

        def batched(field: Any) -> Any:
            if isinstance(field, TensorShape):
                return TensorShape([batch_size]).concatenate(field)
            return specs.batched(field, batch_size) if isinstance(field, TypeSpec) else field

        return made_of(type(spec), nest.map_structure(batched, vars(spec)))

    def unbatch(self, spec: Any) -> Any:
        """Give the spec of a value of a batch."""

        def unbatched(field: Any) -> Any:
            if isinstance(field, TensorShape):
                return field[1:]
            return specs.unbatched(field) if isinstance(field, TypeSpec) else field

        return made_of(type(spec), nest.map_structure(unbatched, vars(spec)))

    def encode(self, spec: Any, value: Any, minimum_rank: int = 0) -> Any:
        """Give the tensors, and what is made of them, that are stacked in the place of a value."""
        return spec._to_components(value)  # noqa: SLF001 - TensorFlow's name

    def decode(self, spec: Any, encoded_value: Any) -> Any:
        """Make a value of a spec of what `encode` gave, stacked or taken apart."""
        return spec._from_components(encoded_value)  # noqa: SLF001 - likewise

    def encoding_specs(self, spec: Any) -> Any:
        """Give the specs of what `encode` gives."""
        return spec._component_specs  # noqa: SLF001 - likewise


class BatchableExtensionTypeSpec(ExtensionTypeSpec, BatchableTypeSpec):
    """The base of the specs of types whose values can be stacked and taken apart."""

    __batch_encoder__ = ExtensionTypeBatchEncoder()

    def _batch(self, batch_size: int | None) -> Any:
        return self._encoder().batch(self, batch_size)

    def _unbatch(self) -> Any:
        return self._encoder().unbatch(self)

    def _encoder(self) -> ExtensionTypeBatchEncoder:
        """Say how specs are stacked; raises `UnsupportedError` where values are encoded."""
        found, plain = type(self.__batch_encoder__), ExtensionTypeBatchEncoder
        if (found.encode, found.decode) != (plain.encode, plain.decode):
            raise UnsupportedError(
                f"{self.value_type.__qualname__}.__batch_encoder__ encodes values; a batch is made "
                "of their tensors: let the encoder have `batch` and `unbatch` alone"
            )
        return self.__batch_encoder__
