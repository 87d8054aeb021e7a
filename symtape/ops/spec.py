"""`tf.TypeSpec`, and `tf.TensorSpec`: the shape and dtype that a tensor may have."""

from __future__ import annotations

from typing import Any

from symtape.ops.arguments import tensor
from symtape.tensor import dtypes
from symtape.tensor.shape import TensorShape


class TypeSpec:
    """What says of which type a value is (`tf.TypeSpec`): the base of all specs.

    >>> isinstance(TensorSpec([]), TypeSpec)
    True
    """

    __slots__ = ()


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

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self.parts == other.parts

    def __hash__(self) -> int:
        return hash((type(self), self.parts))

    def __reduce__(self) -> Any:
        return type(self), self.parts

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(map(repr, self.parts))})"


class TensorSpec(TypeSpec):
    """A shape, in which None stands for any size, a dtype and a name (`tf.TensorSpec`).

    >>> TensorSpec([2, None])
    TensorSpec(shape=(2, None), dtype=tf.float32, name=None)
    """

    __slots__ = ("dtype", "name", "shape")

    def __init__(self, shape: Any, dtype: Any = dtypes.float32, name: str | None = None) -> None:
        self.shape = TensorShape(shape)
        self.dtype = dtypes.as_dtype(dtype)
        self.name = name

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
        fits: bool = self.shape.is_compatible_with(other.shape)
        return fits and self.dtype == other.dtype

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TensorSpec) and self._parts() == other._parts()

    def __hash__(self) -> int:
        return hash((self.shape, self.dtype))

    def _parts(self) -> tuple[Any, ...]:
        return self.shape, self.dtype, self.name

    def __reduce__(self) -> Any:
        return TensorSpec, self._parts()

    def __repr__(self) -> str:
        return f"TensorSpec(shape={self.shape}, dtype={self.dtype!r}, name={self.name!r})"
