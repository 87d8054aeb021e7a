"""Ragged tensors as elements of datasets: stacked, taken apart by rows, and made of their parts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from symtape.errors import InvalidArgumentError
from symtape.ops.arguments import listed, valued
from symtape.ops.indexing.gathering import gather
from symtape.ops.ragged.joining import concatenated
from symtape.ops.ragged.picking import rows_of
from symtape.ops.ragged.rows import Rows, len_of
from symtape.ops.ragged.spec import RaggedTensorSpec
from symtape.ops.ragged.splits import from_lengths
from symtape.ops.ragged.tensor import RaggedTensor
from symtape.ops.shapes.creation import zeros as dense_zeros
from symtape.ops.shapes.joining import stack as dense_stack
from symtape.tensor.shape import TensorShape
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import shape_of


def batched(spec: RaggedTensorSpec, size: int | None) -> RaggedTensorSpec:
    """Give the spec of a batch: one level more."""
    shape = TensorShape([size]).concatenate(spec.shape)
    return RaggedTensorSpec(shape, spec.dtype, spec.ragged_rank + 1, spec.row_splits_dtype)


def unbatched(spec: RaggedTensorSpec) -> RaggedTensorSpec:
    """Give the spec of a row: one level less, of which there may be less than none."""
    shape = spec.shape if spec.shape.rank is None else spec.shape[1:]
    return RaggedTensorSpec(shape, spec.dtype, spec.ragged_rank - 1, spec.row_splits_dtype)


def check_rows(value: Any) -> None:
    """Do nothing: every ragged tensor has rows."""


def count(value: RaggedTensor) -> int:
    """Count the rows."""
    return len_of(value)


def row(value: RaggedTensor, place: int) -> Any:
    """Take one row: of one level of rows, a tensor."""
    return value[place]


def stacked(spec: RaggedTensorSpec, values: Sequence[Any]) -> Any:
    """Make one of elements of a spec, which are its rows; less than no level makes a tensor.

    >>> from symtape.ops.arguments import tensor
    >>> stacked(RaggedTensorSpec([None], "int32", 0), [tensor([1, 2]), tensor([3])])
    <tf.RaggedTensor [[1, 2], [3]]>
    """
    if spec.ragged_rank < 0:
        return dense_stack(values)
    _check_inner(values)
    lengths = np.array([len_of(value) for value in values], spec.row_splits_dtype.numpy)
    made = RaggedTensor(concatenated(RaggedTensor, values, 0), from_lengths(lengths))
    return sized(made, (None, *spec.shape) if spec.shape.rank is not None else ())


def _check_inner(values: Sequence[Any]) -> None:
    """Refuse scalars, and innermost values of unlike shapes."""
    flat = [value.flat_values if isinstance(value, Rows) else value for value in values]
    first = shape_of(flat[0])[1:]
    for k, tensor in enumerate(flat):
        shape = shape_of(tensor)
        if not shape:
            raise InvalidArgumentError.of(
                _JOINED,
                f"Ragged values must have rank >= 1; encoded scalar element at index {k} has "
                f"values Tensor: Tensor<type: {tensor.dtype.enum_name} shape: [] values: "
                f"{valued(tensor)}>",
            )
        if shape[1:] != first:
            raise InvalidArgumentError.of(
                _JOINED,
                f"All flat_values must have compatible shapes.  Shape at index 0: {listed(first)}. "
                f" Shape at index {k}: {listed(shape[1:])}.  If you are using tf.map_fn, then you "
                "may need to specify an explicit fn_output_signature with appropriate ragged_rank, "
                "and/or convert output tensors to RaggedTensors.",
            )


_JOINED = "RaggedTensorFromVariant"
"""TensorFlow's operation that makes one ragged tensor of several."""


def built(spec: RaggedTensorSpec, components: Sequence[Tensor]) -> Any:
    """Make one of innermost values, and of where the rows of each level end, the outermost first.

    Raises `InvalidArgumentError` where rows do not end with the values.
    """
    flat, *splits = components
    made = RaggedTensor.from_nested_row_splits(flat, splits)
    return sized(made, spec.shape if spec.shape.rank is not None else ())


def sized(value: Any, shape: Any) -> Any:
    """Have rows of one length know it, where a shape says so and it is true."""
    if not isinstance(value, Rows) or len(shape) < 2:
        return value
    own = value.uniform_row_length
    uniform = shape[1] if own is None else int(own)
    if uniform is not None and np.any(np.diff(value.splits) != uniform):
        uniform = None
    return type(value)(sized(value.values, shape[1:]), value.splits, uniform=uniform)


def zeros(spec: RaggedTensorSpec, number: int) -> Any:
    """Make an element of zeros, the sizes that vary being a number, or one."""
    whole = dense_zeros([number or 1 if n is None else n for n in spec.shape], spec.dtype)
    if spec.ragged_rank < 1:
        return whole
    made = RaggedTensor.from_tensor(
        whole, ragged_rank=spec.ragged_rank, row_splits_dtype=spec.row_splits_dtype
    )
    return sized(made, spec.shape)


def probed(spec: RaggedTensorSpec, value: Any, number: int) -> Any:
    """Repeat or cut an element where its size varies, so that this is a number; as it is for 0."""
    if not number or spec.shape.rank is None:
        return value
    if isinstance(value, Rows):
        return _resized_rows(value, number) if spec.shape[0] is None else value
    for axis, size in enumerate(spec.shape):
        if size is None:
            value = _resized(value, number, axis)
    return value


def _resized_rows(value: Any, number: int) -> Any:
    rows = len_of(value)
    return rows_of(value, np.arange(number) % rows) if rows else value


def _resized(value: Tensor, number: int, axis: int) -> Tensor:
    size = value.shape[axis]
    if size:
        return gather(value, np.arange(number) % size, axis=axis)
    shape = [number if k == axis else n for k, n in enumerate(value.shape)]
    return dense_zeros(shape, value.dtype)
