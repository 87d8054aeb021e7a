"""What the functions of `tf.sparse` refuse, in TensorFlow's words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from symtape.errors import InvalidArgumentError
from symtape.ops.arguments import of_dtype, plain
from symtape.ops.arguments import whole as whole_numbers
from symtape.ops.sparse.tensor import SparseTensor
from symtape.tensor import dtypes
from symtape.tensor.convert import convert
from symtape.tensor.decided import decided_by_look
from symtape.tensor.dispatch import listed
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import shape_of


def refused(text: str) -> InvalidArgumentError:
    """Make the error with what a kernel says."""
    return InvalidArgumentError(message=text)


def given(value: Any) -> SparseTensor:
    """Be a sparse tensor, or become one; raises `TypeError` for what is none."""
    try:
        return SparseTensor.from_value(value)
    except TypeError:
        raise TypeError("Input must be a SparseTensor.") from None


class _Sparse:
    """Reads an argument that has to be a sparse tensor."""

    def of(self, _: str, value: Any) -> SparseTensor:
        """Read a value."""
        return given(value)


SPARSE = _Sparse()


def of_one_shape(a: Sequence[int], b: Sequence[int], ranks: str) -> None:
    """Refuse two tensors of different shapes; with `ranks`, where these differ already."""
    if len(a) != len(b):
        raise refused(ranks)
    for k, (n, m) in enumerate(zip(a, b, strict=True)):
        if n != m:
            raise refused(f"Operands' shapes do not match: got {n} and {m} for dimension {k}")


def beside_dense(x: SparseTensor, dense: Sequence[int]) -> None:
    """Refuse a whole tensor of another shape."""
    if len(x.sizes) != len(dense):
        raise refused(
            f"Two operands have different ranks; received: {len(x.sizes)} and {len(dense)}"
        )
    for k, (n, m) in enumerate(zip(x.sizes, dense, strict=True)):
        if n != m:
            raise refused(
                f"Dimension {k} does not equal (no broadcasting is supported): sparse side {n} vs "
                f"dense side {m}"
            )


def multiplied(a: Any, b: Any, adjoint_a: bool, adjoint_b: bool) -> None:
    """Refuse a product of matrices of which the lengths between them differ, the sparse one first.

    A whole matrix stands first only as the adjoint of a product in which it stands second.
    """
    if not isinstance(a, SparseTensor):
        a, b, adjoint_a, adjoint_b = b, a, not adjoint_b, not adjoint_a
    shape = np.shape(b)
    if len(shape) != 2:
        raise refused("Tensor 'b' is not a matrix")
    if len(a.sizes) != 2:
        raise refused("Tensor 'a_shape' must have 2 elements")
    inner, beside = a.sizes[0 if adjoint_a else 1], shape[1 if adjoint_b else 0]
    if inner != beside:
        raise refused(
            f"Cannot multiply A and B because inner dimension does not match: {inner} vs. {beside}."
            f"  Did you forget a transpose?  Dimensions of A: [{a.sizes[0]}, {a.sizes[1]}).  "
            f"Dimensions of B: [{shape[0]},{shape[1]}]"
        )


def elements(places: Any, values: Any, sizes: Any) -> None:
    """Refuse places, values and sizes that are none of one sparse tensor."""
    given = {"indices": (places, 2), "values": (values, 1), "shape": (sizes, 1)}
    for name, (array, rank) in given.items():
        if np.ndim(array) != rank:
            raise refused(f"Sparse {name} must be rank {rank} but is rank {np.ndim(array)}")
    (count, rank), (held,) = np.shape(places), np.shape(values)
    if count != held:
        raise refused(f"Number of elements in indices ({count}) and values ({held}) do not match")
    if rank != np.size(sizes):
        raise refused(f"Index rank ({rank}) and shape rank ({np.size(sizes)}) do not match")


def joined(parts: Sequence[SparseTensor], axis: int) -> None:
    """Refuse to join tensors along an axis that is not there, or whose other sizes differ."""
    first = parts[0].sizes
    if not -len(first) <= axis < len(first):
        raise refused(
            f"Concat dimension must be in range [{-len(first)}, {len(first)}), got {axis}"
        )
    for j, part in enumerate(parts):
        if len(part.sizes) != len(first):
            raise refused(
                f"Ranks of all input tensors must match: expected {len(first)} but got "
                f"{len(part.sizes)} at position {j}"
            )
        for k, (n, m) in enumerate(zip(first, part.sizes, strict=True)):
            if n != m and k != axis % len(first):
                raise refused(
                    f"Input shapes must match: expected {n} for dimension {k} but got {m} at "
                    f"position {j}"
                )


def reshaped(old: Sequence[int], new: Sequence[int]) -> list[int]:
    """Give a shape with what is left in the place of -1; refuse one of another number."""
    total, free = int(np.prod(old)), [k for k, n in enumerate(new) if n == -1]
    if len(free) > 1:
        raise refused(f"only one output dimension may be -1, not both {free[0]} and {free[1]}")
    known = int(np.prod([n for n in new if n != -1]))
    found = [total // max(known, 1) if n == -1 else n for n in new]
    shapes = [f"[{','.join(map(str, n))}]" for n in (old, found)]
    if free and total % max(known, 1):
        raise refused(
            f"Input to reshape is a SparseTensor with {total} dense values, but the requested "
            f"shape requires a multiple of {known}. input_shape={shapes[0]} "
            f"output_shape={shapes[1]}"
        )
    if int(np.prod(found)) != total:
        raise refused(
            f"Input to reshape is a tensor with {total} dense values, but the requested shape has "
            f"{int(np.prod(found))}. input_shape={shapes[0]} output_shape={shapes[1]}"
        )
    return found


def axes_of(op: str, axis: Any, rank: int) -> set[int]:
    """Read the axes that are reduced; refuse those that are not there."""
    found = range(rank) if axis is None else decided_by_look(of_dtype(op, axis, dtypes.int32, 3))
    if np.ndim(found) > 1:
        shape = listed(np.shape(found))
        raise refused(f"Expected reduction_axes to be a scalar or a vector; got shape: {shape}")
    given = [int(k) for k in np.ravel(found)]
    for k in given:
        if not -rank <= k < rank:
            raise refused(f"Invalid reduction dimension {k}, for input with {rank} dimensions.")
    return {k % rank for k in given}


def counted(numbers: Any, axis: Any, sizes: Sequence[int], weights: Any, binary: bool) -> None:
    """Refuse what cannot be counted."""
    if axis not in (0, -1):
        raise ValueError(
            f"Unsupported value for argument axis={axis}. Only 0 and -1 are currently supported."
        )
    if weights is not None and binary:
        raise ValueError(
            "Arguments `binary_output` and `weights` are mutually exclusive. Please specify only "
            "one."
        )
    if axis == -1 and len(sizes) > 2:
        raise refused(
            f"Input must be a 1 or 2-dimensional tensor. Got: [{','.join(map(str, sizes))}]"
        )
    if numbers.size and numbers.min() < 0:
        raise refused("Input values must all be non-negative")


def vector(name: str, value: Any) -> Any:
    """Read whole numbers; raises `InvalidArgumentError` unless they are in one axis."""
    found = np.asarray(decided_by_look(convert(value, dtypes.int64)))
    if found.ndim != 1:
        raise refused(f"{name} should be a vector but received shape {listed(found.shape)}")
    return found


def whole(value: Any, said: str) -> int:
    """Read one whole number; raises `TypeError` in these words for a float or a text."""
    found = plain(value)
    if np.asarray(found).dtype.kind not in "iu":
        raise TypeError(said)
    return int(found)


def as_many(count: int, other: int, words: str = "Dimensions {} and {} are not compatible") -> None:
    """Refuse two lists of different lengths that belong together."""
    if count != other:
        raise ValueError(words.format(count, other))


def block(rank: int, first: Any, sizes: Any) -> None:
    """Refuse a block that has not a place and a size, which is not below zero, for each axis."""
    for name, given in (("start", first), ("size", sizes)):
        if len(given) != rank:
            raise InvalidArgumentError.of(
                "SparseSlice",
                f"Expected {name} to be a vector of length {rank} but got length {len(given)}",
            )
    for n in sizes:
        if n < 0:
            raise InvalidArgumentError.of("SparseSlice", f"Expected a non-negative size, got {n}")


def parts(sizes: Sequence[int], number: int, axis: int) -> None:
    """Refuse more parts than there are places along an axis, and an axis that is not there."""
    op, rank = "SparseSplit", len(sizes)
    if number < 1:
        raise refused(
            f"Value for attr 'num_split' of {number} must be at least minimum 1\n\t; NodeDef: "
            "{{node SparseSplit}}; Op<name=SparseSplit; signature=split_dim:int64, "
            "indices:int64, values:T, shape:int64 -> output_indices:num_split*int64, "
            "output_values:num_split*T, output_shape:num_split*int64; attr=num_split:int,min=1; "
            "attr=T:type> [Op:SparseSplit] name: "
        )
    text = None
    if not -rank <= axis < rank:
        text = f"Input axis should be in range [{-rank}, {rank}), got {axis}"
    elif number > sizes[axis]:
        text = (
            "Input num_split should be between 1 and the splitting dimension size "
            f"({sizes[axis]}), got {number}"
        )
    if text is not None:
        found = InvalidArgumentError.of(op, text).message
        raise refused(found.replace(f"{op}_device", f"{op}_num_split_{number}_device", 1))


def axes(order: Any, rank: int) -> list[int]:
    """Read axes; raises `InvalidArgumentError` for fractions, and for one that is not there."""
    given = [int(k) for k in np.ravel(whole_numbers("GatherV2", order, "Tindices"))]
    for at, k in enumerate(given):
        if not 0 <= k < rank:
            raise InvalidArgumentError.of("GatherV2", f"indices[{at}] = {k} is not in [0, {rank})")
    if len(given) != rank:
        raise ValueError(f"Dimensions {len(given)} and {rank} are not compatible")
    return given


def default(value: Any, dtype: Any) -> Tensor:
    """Read what is put into empty rows; raises `InvalidArgumentError` unless it is one number."""
    found = convert(value, dtype)
    if found.ndim:
        raise InvalidArgumentError.of(
            "SparseFillEmptyRows",
            f"default_value must be a scalar, saw: {listed(shape_of(found))}",
        )
    return found
