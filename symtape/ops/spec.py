"""`tf.TensorSpec`: the shape and dtype that a tensor may have."""

from __future__ import annotations

from typing import Any

from symtape.ops.arguments import tensor
from symtape.tensor import dtypes
from symtape.tensor.shape import TensorShape


class TensorSpec:
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
        other = spec_or_tensor if hasattr(spec_or_tensor, "shape") else tensor(spec_or_tensor)
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
