"""`tf.TypeSpec`, and `tf.TensorSpec`: the shape and dtype that a tensor may have."""

from __future__ import annotations

from typing import Any

import numpy as np

from symtape.ops.arguments import tensor
from symtape.program.operations import dtype_name
from symtape.tensor import dtypes
from symtape.tensor.shape import TensorShape
from symtape.tensor.tensor import Tensor


class TypeSpec:
    """What says of which type a value is (`tf.TypeSpec`): the base of all specs.

    Who extends it says in `_serialize` which arguments make it, in `_component_specs` of which
    specs the tensors in a value are, in `_to_components` which tensors these are, and in
    `_from_components` how a value is made of some. Two specs of one type are compared by the
    arguments that make them: shapes, dtypes and specs are, and the rest has to be equal.

    >>> isinstance(TensorSpec([]), TypeSpec)
    True
    """

    __slots__ = ()

    @property
    def value_type(self) -> Any:
        """The class of what it describes."""
        raise NotImplementedError(f"{type(self).__name__}.value_type")

    def _serialize(self) -> Any:
        raise NotImplementedError(f"{type(self).__name__}._serialize")

    @classmethod
    def _deserialize(cls, serialization: Any) -> Any:
        return cls(*serialization)

    def is_compatible_with(self, spec_or_value: Any) -> bool:
        """Say whether a value, or a spec, may stand where this spec does."""
        other = spec_or_value
        other = other if isinstance(other, TypeSpec) else getattr(other, "_type_spec", other)
        if type(other) is not type(self):
            return False
        return self.__is_compatible(self.__get_cmp_key(), other.__get_cmp_key())  # noqa: SLF001 - ours

    # by these names, as Python spells them for other classes, packages call and change them

    @staticmethod
    def __is_compatible(a: Any, b: Any) -> bool:
        return fits(a, b)

    def __make_cmp_key(self, value: Any) -> Any:
        return hashable(value)

    def __get_cmp_key(self) -> Any:
        return type(self), self.__make_cmp_key(self._serialize())

    def is_subtype_of(self, other: Any) -> bool:
        """Say whether every value of this spec is one of another."""
        is_one = type(other) is type(self)
        return is_one and is_narrower(self._serialize(), other._serialize())  # noqa: SLF001 - a spec

    def most_specific_common_supertype(self, others: Any) -> Any:
        """Give the narrowest spec that has all values of this and of others; None for none."""
        found = self._serialize()
        for other in others:
            if type(other) is not type(self):
                return None
            found = in_common(found, other._serialize())  # noqa: SLF001 - a spec
            if found is _NOTHING:
                return None
        return self._deserialize(found)

    def most_specific_compatible_type(self, other: Any) -> Any:
        """Give the narrowest spec that has all values of two; raises `ValueError` for none."""
        found = self.most_specific_common_supertype([other])
        if found is None:
            raise ValueError(f"No TypeSpec is compatible with both {self} and {other}")
        return found

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self.__get_cmp_key() == other.__get_cmp_key()

    def __hash__(self) -> int:
        return hash(self.__get_cmp_key())

    def __reduce__(self) -> Any:
        return _made_again, (type(self), self._serialize())

    def __repr__(self) -> str:
        return f"{type(self).__name__}{self._serialize()!r}"


def _made_again(kind: Any, serialization: Any) -> Any:
    return kind._deserialize(serialization)  # noqa: SLF001 - of a spec


_NOTHING = object()


def _paired(a: Any, b: Any) -> list[tuple[Any, Any]] | None:
    """Pair what is in lists, tuples and dicts of one kind; None for all else."""
    if isinstance(a, dict) and isinstance(b, dict):
        return [(a[k], b[k]) for k in a] if a.keys() == b.keys() else None
    both = isinstance(a, (list, tuple)) and isinstance(b, (list, tuple))
    return [*zip(a, b, strict=True)] if both and len(a) == len(b) else None


def fits(a: Any, b: Any) -> bool:
    """Say whether what makes two specs lets the value of one stand for the other."""
    pairs = _paired(a, b)
    if pairs is not None:
        return all(fits(x, y) for x, y in pairs)
    if isinstance(a, (TensorShape, TypeSpec, dtypes.DType)) and type(a) is type(b):
        return bool(a.is_compatible_with(b))
    return type(a) is type(b) and _same(a, b)


def is_narrower(a: Any, b: Any) -> bool:
    """Say whether what makes two specs has the first say no less than the second."""
    pairs = _paired(a, b)
    if pairs is not None:
        return all(is_narrower(x, y) for x, y in pairs)
    if isinstance(a, (TensorShape, TypeSpec)):
        return bool(a.is_subtype_of(b))
    return _same(a, b)


def in_common(a: Any, b: Any) -> Any:
    """Keep what two specs are made of, as far as they agree; `_NOTHING` where they cannot."""
    pairs = _paired(a, b)
    if pairs is not None:
        parts = [in_common(x, y) for x, y in pairs]
        if any(part is _NOTHING for part in parts):
            return _NOTHING
        if isinstance(a, dict):
            return type(a)(zip(a, parts, strict=True))
        return type(a)(*parts) if hasattr(a, "_fields") else type(a)(parts)
    if isinstance(a, (TensorShape, TypeSpec)):
        found = a.most_specific_common_supertype([b])
        return _NOTHING if found is None else found
    return a if _same(a, b) else _NOTHING


def _same(a: Any, b: Any) -> bool:
    return bool(np.array_equal(a, b)) if isinstance(a, np.ndarray) else bool(a == b)


def hashable(x: Any) -> Any:
    """Make tuples of the lists, dicts and arrays in what makes a spec."""
    if isinstance(x, dict):
        return tuple([(k, hashable(x[k])) for k in sorted(x)])
    if isinstance(x, np.ndarray):
        return x.shape, dtype_name(x.dtype), hashable(x.tolist())
    return tuple(map(hashable, x)) if isinstance(x, (list, tuple)) else x


def as_one(a: TensorShape, b: TensorShape) -> TensorShape:
    """Keep the sizes on which two shapes agree; None stands for the others.

    >>> as_one(TensorShape([2, 3]), TensorShape([2, 4]))
    TensorShape([2, None])
    """
    if a.rank is None or b.rank is None or a.rank != b.rank:
        return TensorShape(None)
    return TensorShape([m if m == n else None for m, n in zip(a, b, strict=True)])


class SpecOfParts(TypeSpec):
    """A spec that is told by its parts, and equal to another of its type with the same parts."""

    __slots__ = ()

    @property
    def parts(self) -> tuple[Any, ...]:
        """What is told of this spec: the arguments that make it."""
        raise NotImplementedError

    def _serialize(self) -> tuple[Any, ...]:
        return self.parts

    def __reduce__(self) -> Any:
        return type(self), self.parts

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(map(repr, self.parts))})"


class DenseSpec(TypeSpec):
    """The spec of what has a shape and a dtype: the base of those of tensors and variables."""

    __slots__ = ("dtype", "name", "shape")

    def __init__(self, shape: Any, dtype: Any = dtypes.float32, name: str | None = None) -> None:
        self.shape = TensorShape(shape)
        self.dtype = dtypes.as_dtype(dtype)
        self.name = name

    def _serialize(self) -> tuple[Any, ...]:
        return self.shape, self.dtype, self.name


class BatchableTypeSpec(TypeSpec):
    """The spec of what can be stacked and taken apart into rows, as somebody's own type says."""

    __slots__ = ()


class TensorSpec(DenseSpec):
    """A shape, in which None stands for any size, a dtype and a name (`tf.TensorSpec`).

    >>> TensorSpec([2, None])
    TensorSpec(shape=(2, None), dtype=tf.float32, name=None)
    """

    __slots__ = ()

    @classmethod
    def from_tensor(cls, tensor: Any, name: str | None = None) -> TensorSpec:
        """Make the spec that a tensor has."""
        return cls(tensor.shape, tensor.dtype, name)

    @classmethod
    def from_spec(cls, spec: Any, name: str | None = None) -> TensorSpec:
        """Make the same spec, with another name if one is given."""
        return cls(spec.shape, spec.dtype, name or spec.name)

    def is_compatible_with(self, spec_or_tensor: Any) -> bool:
        """Say whether a tensor, or a spec, may stand where this spec does."""
        other = getattr(spec_or_tensor, "type_spec", spec_or_tensor)  # of what is ragged or sparse
        if isinstance(other, TypeSpec) and not isinstance(other, TensorSpec):
            return False
        other = other if hasattr(other, "shape") else tensor(other)
        return bool(self.shape.is_compatible_with(other.shape)) and self.dtype == other.dtype

    @property
    def value_type(self) -> type:
        """The class of what it describes."""
        return Tensor

    @property
    def _component_specs(self) -> TensorSpec:
        return self

    def _to_components(self, value: Any) -> Any:
        return tensor(value)

    def _from_components(self, components: Any) -> Any:
        return components

    def is_subtype_of(self, other: Any) -> bool:
        """Say whether every value of this spec is one of another, of the same name if any."""
        return (
            isinstance(other, TensorSpec)
            and self.shape.is_subtype_of(other.shape)
            and self.dtype == other.dtype
            and self.name in {None, other.name}
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TensorSpec) and self._serialize() == other._serialize()

    def __hash__(self) -> int:
        return hash((self.shape, self.dtype))

    def __reduce__(self) -> Any:
        return TensorSpec, self._serialize()

    def __repr__(self) -> str:
        return f"TensorSpec(shape={self.shape}, dtype={self.dtype!r}, name={self.name!r})"
