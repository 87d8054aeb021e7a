"""The fields of a type of one's own: what an annotation takes, and how a value becomes it."""

from __future__ import annotations

import typing
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, ForwardRef, NamedTuple, Union

from symtape.ops.composite import Composite
from symtape.ops.spec import TypeSpec
from symtape.signatures import own_annotations
from symtape.tensor import dtypes
from symtape.tensor.convert import convert
from symtape.tensor.dtypes import DType
from symtape.tensor.indexing.slices import IndexedSlices
from symtape.tensor.shape import TensorShape
from symtape.tensor.tensor import Tensor

_RESERVED = frozenset(
    """
    self Spec _type_spec _shape_invariant_to_type_spec _consumers value_type is_compatible_with
    most_specific_compatible_type _with_tensor_ranks_only _to_components _from_components
    _component_specs _to_tensor_list _from_tensor_list _from_compatible_tensor_list
    _flat_tensor_specs _serialize _deserialize _to_legacy_output_types _to_legacy_output_shapes
    _to_legacy_output_classes _keras_mask
    """.split()
)
"""What specs and what is made of tensors have by these names, no field may hide."""
_PLAIN = (int, float, str, bytes, bool, type(None))
"""The types of Python's that are taken as they are."""


class _Missing:
    """Stands for a default that is not there."""

    def __repr__(self) -> str:
        return "ExtensionTypeField.NO_DEFAULT"


NO_DEFAULT = _Missing()


def is_reserved(name: str) -> bool:
    """Say whether no field may have a name.

    >>> is_reserved("value_type"), is_reserved("value")
    (True, False)
    """
    return name in _RESERVED or name.lower().startswith("_tf_extension_type")


class ImmutableDict(Mapping[Any, Any]):
    """What a field that is annotated with `typing.Mapping` holds.

    >>> ImmutableDict({"a": 1})
    ImmutableDict({'a': 1})
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self._dict = dict(*args, **kwargs)

    def __getitem__(self, key: Any) -> Any:
        return self._dict[key]

    def __iter__(self) -> Iterator[Any]:
        return iter(self._dict)

    def __len__(self) -> int:
        return len(self._dict)

    def __repr__(self) -> str:
        return f"ImmutableDict({self._dict})"


class Field(NamedTuple):
    """The name of a field, what its annotation says, and its default."""

    name: str
    annotation: Any
    default: Any

    @classmethod
    def of(cls, name: str, annotation: Any, default: Any = NO_DEFAULT) -> Field:
        """Make a field; raises `TypeError` for an annotation, or a default, that it cannot have."""
        try:
            _check(annotation)
        except TypeError as error:
            raise TypeError(f"In field {name!r}: {error}") from error
        if default is not NO_DEFAULT:
            default = Defaults().read(default, annotation, f"default value for {name}")
        return cls(name, annotation, default)


def _origin(annotation: Any) -> Any:
    """Give what `Tuple[…]`, `Mapping[…]` and `Union[…]` are made of; None for all else."""
    found = getattr(annotation, "__origin__", None)
    return found if found in (tuple, Mapping, Union) else None


def _is_composite(annotation: Any) -> bool:
    # a generic alias such as `tuple[int]` is no class, and says that it is one
    is_class = isinstance(annotation, type) and not hasattr(annotation, "__origin__")
    return is_class and issubclass(annotation, (Composite, IndexedSlices))


def _check(annotation: Any, is_key: bool = False) -> None:
    """Raise `TypeError` for an annotation that no field can have."""
    if isinstance(annotation, (str, ForwardRef)) or annotation in (*_PLAIN, None, DType):
        return
    origin = _origin(annotation)
    parts = typing.get_args(annotation)
    if origin is Mapping:
        _check(parts[0], True)
        _check(parts[1], is_key)
    elif origin is not None:
        for part in parts:
            if part is not Ellipsis:
                _check(part, is_key)
    elif annotation not in (Tensor, TensorShape) and not _is_composite(annotation):
        shown = annotation.__name__ if isinstance(annotation, type) else annotation
        raise TypeError(f"Unsupported type annotation {shown!r}")
    elif is_key:
        kind = type(annotation).__name__
        raise TypeError(f"Mapping had a key {annotation.__name__!r} with type {kind!r}")


class Values:
    """How the fields of a value become what their annotations say.

    >>> Values().read([1, 2], typing.Tuple[int, ...], "sizes")
    (1, 2)
    """

    def read(self, value: Any, annotation: Any, path: str) -> Any:
        """Convert a value; raises `TypeError`, which names the path to it, for all others."""
        if annotation is Tensor:
            return self._tensor(value, path)
        if _is_composite(annotation):
            return self._composite(value, annotation, path)
        if annotation in (TensorShape, DType):
            return _converted(value, annotation, path)
        if annotation in (*_PLAIN, None):
            kind = type(None) if annotation is None else annotation
            if not isinstance(value, kind):
                raise _wrong(path, repr(kind.__name__), value)
            return value
        generic = _GENERIC.get(_origin(annotation))
        if generic is None:
            raise TypeError(f"{path}: Unsupported type annotation {annotation!r}")
        return generic(self, value, annotation, path)

    def _tensor(self, value: Any, path: str) -> Any:
        try:
            return value if isinstance(value, Tensor) else convert(value)
        except (ValueError, TypeError) as error:
            raise _wrong(path, "a Tensor", value) from error

    def _composite(self, value: Any, annotation: Any, path: str) -> Any:
        if not isinstance(value, annotation):
            raise _wrong(path, repr(annotation.__name__), value)
        return value

    def _tuple(self, value: Any, annotation: Any, path: str) -> tuple[Any, ...]:
        if not isinstance(value, Sequence):
            raise _wrong(path, "tuple", value)
        kinds = typing.get_args(annotation)
        if len(kinds) == 2 and kinds[1] is Ellipsis:
            kinds = (kinds[0],) * len(value)
        if len(value) != len(kinds):
            told = f"tuple with length {len(kinds)}, got {type(value).__name__!r})"
            raise TypeError(f"{path}: expected {told}")
        pairs = enumerate(zip(value, kinds, strict=True))
        return tuple([self.read(v, kind, f"{path}[{i}]") for i, (v, kind) in pairs])

    def _mapping(self, value: Any, annotation: Any, path: str) -> ImmutableDict:
        if not isinstance(value, Mapping):
            raise _wrong(path, "mapping", value)
        key, kind = typing.get_args(annotation)
        return ImmutableDict(
            [
                (self.read(k, key, f"{path}[<key>]"), self.read(v, kind, f"{path}[{k!r}]"))
                for k, v in value.items()
            ]
        )

    def _union(self, value: Any, annotation: Any, path: str) -> Any:
        for kind in typing.get_args(annotation):
            try:
                return self.read(value, kind, path)
            except TypeError:
                continue
        raise _wrong(path, repr(annotation), value)


_GENERIC: dict[Any, Callable[[Values, Any, Any, str], Any]] = {
    tuple: Values._tuple,  # noqa: SLF001 - its own
    Mapping: Values._mapping,  # noqa: SLF001 - likewise
    Union: Values._union,  # noqa: SLF001 - likewise
}
"""How annotations with types within are read."""


class Specs(Values):
    """How the fields of a spec are read: there, specs stand for what is made of tensors."""

    def _tensor(self, value: Any, path: str) -> Any:
        if not (isinstance(value, TypeSpec) and value.value_type is Tensor):
            raise _wrong(path, "a TensorSpec", value)
        return value

    def _composite(self, value: Any, annotation: Any, path: str) -> Any:
        if not (isinstance(value, TypeSpec) and issubclass(value.value_type, annotation)):
            raise _wrong(path, f"a TypeSpec for {annotation.__name__!r}", value)
        return value


class Defaults(Values):
    """How defaults are read: what becomes a tensor does so when a value is made."""

    def _tensor(self, value: Any, path: str) -> Any:
        return value


def _converted(value: Any, annotation: Any, path: str) -> Any:
    """Make a shape or a dtype."""
    try:
        return TensorShape(value) if annotation is TensorShape else dtypes.as_dtype(value)
    except TypeError as error:
        raise _wrong(path, f"'tf.{annotation.__name__}'", value) from error


def _wrong(path: str, expected: str, value: Any) -> TypeError:
    return TypeError(f"{path}: expected {expected}, got {type(value).__name__!r}")


def fields_of(kind: type) -> tuple[tuple[Field, ...], bool]:
    """Read the fields of a class and its parents, and say whether all names in them are known."""
    try:
        hints, is_known = typing.get_type_hints(kind), True
    except (NameError, AttributeError):  # of a class that is not yet there
        hints, is_known = {}, False
        for base in reversed(kind.__mro__):
            hints.update(own_annotations(base))
    made = [Field.of(n, hint, getattr(kind, n, NO_DEFAULT)) for n, hint in hints.items()]
    return tuple(made), is_known


def read_fields(fields: Sequence[Field], values: dict[str, Any], reader: Values) -> None:
    """Convert what fields have, in place; raises `ValueError` for fields too many or too few."""
    expected = {field.name for field in fields}
    if extra := set(values) - expected:
        raise ValueError(f"Got unexpected fields: {extra}")
    if missing := expected - set(values):
        raise ValueError(f"Missing required fields: {missing}")
    values.update({f.name: reader.read(values[f.name], f.annotation, f.name) for f in fields})
