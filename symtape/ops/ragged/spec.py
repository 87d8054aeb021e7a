"""`tf.RaggedTensorSpec`: the shape, the dtype and the levels of rows that a ragged tensor has."""

from __future__ import annotations

from typing import Any

from symtape.errors import UnsupportedError
from symtape.ops.arguments import is_tensor
from symtape.ops.composite import CompositeSpec
from symtape.ops.spec import TensorSpec
from symtape.tensor import dtypes
from symtape.tensor.shape import TensorShape
from symtape.tensor.tensor import Tensor


class RaggedTensorSpec(CompositeSpec):
    """The spec of rows of unlike lengths (`tf.RaggedTensorSpec`).

    `shape` has None where lengths differ, and `ragged_rank` is how many levels of rows there are,
    by default as many as axes after the first. A row of rows of one level is a tensor, which has a
    spec of no level in a dataset. Raises `ValueError` for as many levels as axes, or where neither
    is known, and `UnsupportedError` for `flat_values_spec`: innermost values are a tensor.

    >>> RaggedTensorSpec([None, None], "int32")
    RaggedTensorSpec(TensorShape([None, None]), tf.int32, 1, tf.int64)
    """

    __slots__ = ("dtype", "ragged_rank", "row_splits_dtype", "shape")

    def __init__(
        self,
        shape: Any = None,
        dtype: Any = dtypes.float32,
        ragged_rank: int | None = None,
        row_splits_dtype: Any = dtypes.int64,
        flat_values_spec: Any = None,
    ) -> None:
        self.shape = TensorShape(shape)
        self.row_splits_dtype = dtypes.as_dtype(row_splits_dtype)
        self.dtype = dtypes.as_dtype(_dtype_of(dtype, flat_values_spec))
        rank = self.shape.rank
        if ragged_rank is None:
            if rank is None:
                raise ValueError("Must specify ragged_rank or a shape with a known rank.")
            ragged_rank = rank - 1
        if not isinstance(ragged_rank, int):
            raise TypeError(f"Argument `ragged_rank` must be an int. Received {ragged_rank}.")
        if rank is not None and ragged_rank >= rank:
            raise ValueError(
                f"Argument `ragged_rank` ({ragged_rank}) must be less than rank ({rank})."
            )
        self.ragged_rank = ragged_rank

    @classmethod
    def from_value(cls, value: Any) -> RaggedTensorSpec:
        """Give the spec of a ragged tensor.

        >>> from symtape.ops.ragged.constants import constant
        >>> RaggedTensorSpec.from_value(constant([[1, 2], [3]])).shape
        TensorShape([2, None])
        """
        return cls(value.shape, value.dtype, value.ragged_rank, value.row_splits.dtype)

    @property
    def parts(self) -> tuple[Any, ...]:
        """The shape, the dtype, how many levels of rows there are, and the dtype of their ends."""
        return self.shape, self.dtype, self.ragged_rank, self.row_splits_dtype

    @property
    def flat_values_spec(self) -> None:
        """None: the innermost values are a tensor."""
        return

    @property
    def value_type(self) -> type:
        """The class of what it describes: without levels of rows that is a tensor."""
        return self.kind if self.ragged_rank > 0 else Tensor

    @property
    def _component_specs(self) -> list[TensorSpec]:
        """Specs of the innermost values and of where rows end, the outermost first."""
        sizes = self.shape if self.shape.rank is not None else TensorShape([None])
        inner = TensorShape(None)
        if self.shape.rank is not None:
            inner = TensorShape([None]).concatenate(self.shape[self.ragged_rank + 1 :])
        counts = [None if sizes[0] is None else sizes[0] + 1, *[None] * (self.ragged_rank - 1)]
        ends = [TensorSpec([n], self.row_splits_dtype) for n in counts[: self.ragged_rank]]
        return [TensorSpec(inner, self.dtype), *ends]

    def _from_components(self, components: Any) -> Any:
        for part, spec in zip(components, self._component_specs, strict=True):
            if is_tensor(part) and not spec.shape.is_compatible_with(part.shape):
                raise ValueError(
                    f"Tensor's shape {part.shape} is not compatible with supplied shape "
                    f"{spec.shape}."
                )
        values, *ends = components
        kind: Any = self.kind
        return kind.from_nested_row_splits(values, ends) if ends else values

    def is_compatible_with(self, spec_or_value: Any) -> bool:
        """Say whether a value, or a spec, may stand where this spec does.

        A spec without levels of rows is that of a tensor, too.
        """
        is_dense = isinstance(spec_or_value, TensorSpec) or is_tensor(spec_or_value)
        if is_dense and not self.ragged_rank:
            return TensorSpec(self.shape, self.dtype).is_compatible_with(spec_or_value)
        return super().is_compatible_with(spec_or_value)


def _dtype_of(dtype: Any, flat_values_spec: Any) -> Any:
    if flat_values_spec is not None:
        if dtype is not None and dtypes.as_dtype(dtype) != flat_values_spec.dtype:
            raise ValueError("dtype must be the same as flat_values_spec.dtype")
        raise UnsupportedError(
            "tf.RaggedTensorSpec: innermost values are a tensor; leave out flat_values_spec="
        )
    if dtype is None:
        raise ValueError("At least one of dtype or flat_values_spec must be provided")
    return dtype
