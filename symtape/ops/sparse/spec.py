"""`tf.SparseTensorSpec`: the shape and the dtype that a sparse tensor may have."""

from __future__ import annotations

from typing import Any

from symtape.ops.composite import CompositeSpec, CompositeTensor
from symtape.ops.spec import TensorSpec
from symtape.tensor import dtypes
from symtape.tensor.shape import TensorShape


class SparseTensorSpec(CompositeSpec):
    """The spec of a sparse tensor (`tf.SparseTensorSpec`): the shape of the whole, and a dtype.

    >>> SparseTensorSpec([None, 3])
    SparseTensorSpec(TensorShape([None, 3]), tf.float32)
    """

    __slots__ = ("dtype", "shape")

    def __init__(self, shape: Any = None, dtype: Any = dtypes.float32) -> None:
        self.shape = TensorShape(shape)
        self.dtype = dtypes.as_dtype(dtype)

    @classmethod
    def from_value(cls, value: Any) -> SparseTensorSpec:
        """Give the spec of a sparse tensor; raises `TypeError` for anything else."""
        if isinstance(value, CompositeTensor) and isinstance(value.type_spec, SparseTensorSpec):
            return value.type_spec
        raise TypeError(
            f"Expected SparseTensor or SparseTensorValue. Received: {value} of type "
            f"{type(value).__name__}."
        )

    @property
    def parts(self) -> tuple[Any, ...]:
        """The shape and the dtype."""
        return self.shape, self.dtype

    @property
    def _component_specs(self) -> list[TensorSpec]:
        rank = self.shape.rank
        places, shape = TensorSpec([None, rank], dtypes.int64), TensorSpec([rank], dtypes.int64)
        return [places, TensorSpec([None], self.dtype), shape]

    def _from_components(self, components: Any) -> Any:
        made = self.kind(*components)
        if not self.shape.is_compatible_with(made.shape):
            raise ValueError(f"Shapes {made.shape} and {self.shape} are not compatible")
        return made
