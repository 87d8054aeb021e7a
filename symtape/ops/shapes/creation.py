"""Tensors made of sizes, and the sizes of tensors: zeros, ones, fill, eye, shape, size, rank."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any, SupportsIndex

import numpy as np

from symtape.ops.arguments import (
    PLACES,
    allowed,
    check,
    counted,
    is_tensor,
    listed,
    plain,
    refusal,
    sample,
    tensor,
)
from symtape.ops.shapes.repetition import broadcast_to
from symtape.program.kinds.structural import Concat, Slice
from symtape.program.operations import Count, Einsum, identity, not_equal
from symtape.tensor import dtypes
from symtape.tensor.convert import convert
from symtape.tensor.decided import decided
from symtape.tensor.dispatch import follow, invalid, room, told
from symtape.tensor.indexing.unknown_places import loosened
from symtape.tensor.recording.active import THREAD
from symtape.tensor.shape import TensorShape, fixed
from symtape.tensor.tensor import Literal, Tensor
from symtape.tensor.values import shape_of, size_of


def sizes_of(shape: Any) -> tuple[int, ...]:
    """Read a shape.

    Raises `TypeError` for what is no integer, `InvalidArgumentError` below 0, and `ValueError` for
    what no tensor is made of, as a size that is None.
    """
    if is_tensor(shape):
        check("Fill", convert(shape), PLACES, "dims:index_type, value:T -> output:T", "index_type")
    found = fixed(shape) if isinstance(shape, TensorShape) else plain(counted(shape))
    array = np.asarray(found)
    if array.size and array.dtype.kind not in "iu":
        convert(shape)
        raise TypeError(f"Cannot convert {shape!r} to EagerTensor of dtype int32")
    if array.ndim > 1:
        raise invalid("Fill", f"dims must represent a vector, got shape {listed(array.shape)}")
    wanted = tuple([int(n) for n in array.ravel()])
    for n in wanted:
        if n < 0:
            raise invalid("Fill", f"Dimension {n} must be >= 0")
    if prod(wanted) >= 2**63:
        raise invalid("Fill", f"Shape {listed(wanted)} would have more than 2**63 - 1 elements")
    return wanted


def _dims_of(dims: Any) -> tuple[int, ...]:
    """Read a shape as a kernel does, which tells what dtype numbers have that are no integers."""
    try:
        return sizes_of(dims)
    except TypeError:
        if not isinstance(dims, (bool, int, float, complex)):  # of these it makes integers, or not
            sizes_of(convert(dims))
        raise


def _full(sizes: tuple[int, ...], number: Any, dtype: Any = None) -> Any:
    """Make an array of one number; raises `ResourceExhaustedError` where there is no room."""
    with room("Fill"):
        return np.full(sizes, number, dtype)[()]


def _filled(shape: Any, number: int, dtype: Any, *like: Tensor) -> Tensor:
    """Fill a shape, whose sizes are read one by one: here they may be of two dtypes."""
    given = like[0] if like else shape
    if isinstance(shape, (list, tuple)):
        shape = [plain(n) for n in counted(shape, packed=False)]
    wanted = dtypes.as_dtype(dtype)
    if not number and wanted is dtypes.string:
        return Tensor(np.full(sizes_of(shape), b"", object))
    numeric(wanted)
    sizes = sizes_of(shape)
    made = follow("Fill", like, spread(_full(sizes, number, wanted.numpy), number))
    return loosened(made, given, is_like=bool(like))


def numeric(dtype: Any) -> dtypes.DType:
    """Read a dtype that has a one."""
    wanted = dtypes.as_dtype(dtype)
    if wanted is dtypes.string:
        raise TypeError("Cannot convert 1 to EagerTensor of dtype string")
    return wanted


def spread(value: Any, number: Any, places: Sequence[int] | None = None) -> Tensor:
    """Make a tensor that has one number at all of its places, which formulas show as that.

    `places` are the indices of its axes, where two are one: a unit matrix has zeros elsewhere.
    """
    made = Tensor(value)
    if not THREAD.state.recordings:
        return made
    if places is not None and value.dtype.kind == "b":  # of which there are no contractions
        return told_as_mask(made, spread(value.astype(np.float32), float(number), places))
    literal = Literal.of(value.dtype.type(number).item(), value.dtype)
    output = range(value.ndim) if places is None else places
    sizes = dict(zip(output, value.shape, strict=True))
    operation = Einsum.of([()], output, sizes) if sizes else identity
    return told(made, operation, literal)


def told_as_mask(mask: Tensor, numbers: Tensor) -> Tensor:
    """Tell of truth values that hold where numbers are not zero."""
    return told(mask, not_equal, numbers, Literal.of(0, numbers.dtype.numpy))


def row(numbers: Sequence[int], dtype: np.dtype[Any]) -> Tensor:
    """Make a vector of integers, which formulas show as those."""
    made = Tensor(np.array(numbers, dtype))
    if not THREAD.state.recordings or not numbers:
        return made
    parts = [spread(np.full((1,), n, dtype), n) for n in numbers]
    return told(made, Concat(-1), *parts)


def zeros(
    shape: Any, dtype: Any = dtypes.float32, name: str | None = None, layout: Any = None
) -> Tensor:
    """A tensor of zeros.

    >>> zeros([2]).numpy()
    array([0., 0.], dtype=float32)
    """
    return _filled(shape, 0, dtype)


def ones(
    shape: Any, dtype: Any = dtypes.float32, name: str | None = None, layout: Any = None
) -> Tensor:
    """A tensor of ones.

    >>> ones([2]).numpy()
    array([1., 1.], dtype=float32)
    """
    return _filled(shape, 1, dtype)


def zeros_like(
    input: Any, dtype: Any = None, name: str | None = None, layout: Any = None
) -> Tensor:
    """Zeros of the shape and, unless another is given, the dtype of a tensor.

    >>> zeros_like([1, 2]).numpy()
    array([0, 0], dtype=int32)
    """
    x = tensor(input)
    return _filled(shape_of(x), 0, x.dtype if dtype is None else dtype, x)


_ONES = allowed(
    "bfloat16, half, float, double, int8, uint8, int16, uint16, int32, uint32, int64, uint64, "
    "complex64, complex128, bool"
)


def ones_like(input: Any, dtype: Any = None, name: str | None = None, layout: Any = None) -> Tensor:
    """Ones of the shape and, unless another is given, the dtype of a tensor.

    >>> ones_like([1.5, 2.5]).numpy()
    array([1., 1.], dtype=float32)
    """
    x = tensor(input)
    if dtype is None and x.dtype is dtypes.string:
        raise refusal("OnesLike", x, _ONES)
    return _filled(shape_of(x), 1, x.dtype if dtype is None else dtype, x)


def fill(dims: Any, value: Any, name: str | None = None, layout: Any = None) -> Tensor:
    """One value at every place of a shape.

    >>> fill([2], 3).numpy()
    array([3, 3], dtype=int32)
    """
    wanted = _dims_of(dims)
    x = tensor(value)
    if type(value) in (bool, int, float, complex):
        return loosened(follow("Fill", (), spread(_full(wanted, decided(x)), value)), dims)
    if shape_of(x) not in ((), (1,)):
        raise invalid("Fill", f"value must represent a scalar, got shape {listed(shape_of(x))}")
    return loosened(broadcast_to(x, wanted), dims)


def eye(
    num_rows: Any,
    num_columns: Any = None,
    batch_shape: Any = None,
    dtype: Any = dtypes.float32,
    name: str | None = None,
) -> Tensor:
    """A unit matrix, or a batch of them.

    Raises `TypeError` for numbers of rows and columns that are no whole numbers.

    >>> eye(2, 3).numpy()
    array([[1., 0., 0.],
           [0., 1., 0.]], dtype=float32)
    """
    columns = num_rows if num_columns is None else num_columns
    if not all(is_tensor(n) or isinstance(n, SupportsIndex) for n in (num_rows, columns)):
        raise TypeError(
            "Arguments `num_rows` and `num_columns` must be positive integer values. Received: "
            f"num_rows={num_rows}, num_columns={columns}"
        )
    before = np.atleast_1d(plain([] if batch_shape is None else batch_shape)).astype(int)
    counts = [np.asarray(plain(n)) for n in counted([num_rows, columns], packed=False)]
    if axes := next((n.shape for n in counts if n.ndim), ()):
        raise invalid(
            "ConcatV2",
            "ConcatOp : Ranks of all input tensors should match: "
            f"shape[0] = {listed(before.shape)} vs. shape[1] = {listed((1, *axes))}",
        )
    *batch, rows, columns = sizes_of([*before, *counts])
    wanted = numeric(dtype).numpy
    with room("MatrixDiagV3"):
        matrix = np.eye(rows, columns, dtype=wanted)
        value = np.broadcast_to(matrix, (*batch, rows, columns)).copy() if batch else matrix
    places = [*range(len(batch)), len(batch), len(batch)]
    if rows == columns or not THREAD.state.recordings:
        return spread(value, 1, places) if rows == columns else Tensor(value)
    n = max(rows, columns)
    square = spread(np.broadcast_to(np.eye(n, dtype=wanted), (*batch, n, n)), 1, places)
    return told(Tensor(value), Slice(((0, 1, rows), (0, 1, columns))), square)


def shape(input: Any, out_type: Any = None, name: str | None = None) -> Tensor:
    """The shape as a tensor of int32, or of `out_type`.

    >>> shape([[1, 2, 3]]).numpy()
    array([1, 3], dtype=int32)
    """
    x, dtype = tensor(input), _place_dtype(out_type)
    made = Tensor(np.array(shape_of(x), dtype))
    if not THREAD.state.recordings or not x.ndim:
        return follow("Shape", (x,), made)
    counts = [element_count(x, (k,), dtype) for k in range(-x.ndim, 0)]
    rows = [Tensor(np.full((1,), n, dtype)) for n in shape_of(x)]
    parts = [told(one, _IN_A_ROW, count) for one, count in zip(rows, counts, strict=True)]
    return follow("Shape", (x,), told(made, Concat(-1), *parts))


_IN_A_ROW = Einsum.of([()], [0], {0: 1})


def element_count(x: Tensor, axes: Sequence[int], dtype: np.dtype[Any]) -> Tensor:
    """Count the elements along some axes, which are counted from the last one, -1.

    >>> element_count(tensor([[1, 2, 3]]), (-1,), np.dtype("int64")).numpy()
    np.int64(3)
    """
    operation = Count(tuple(axes), dtype.name)
    return told(Tensor(dtype.type(operation.count(shape_of(x)))), operation, x)


def size(input: Any, out_type: Any = None, name: str | None = None) -> Tensor:
    """The number of elements as a tensor of int32, or of `out_type`, which may be any dtype.

    >>> size([[1, 2, 3]]).numpy()
    np.int32(3)
    """
    x = tensor(input)
    wanted = dtypes.int32 if out_type is None else dtypes.as_dtype(out_type)
    if wanted in (dtypes.int32, dtypes.int64):
        return element_count(x, range(-x.ndim, 0), wanted.numpy)
    return convert(np.int32(size_of(x)), wanted)


def rank(input: Any, name: str | None = None) -> Tensor:
    """The number of axes as a tensor of int32.

    >>> rank([[1, 2, 3]]).numpy()
    np.int32(2)
    """
    count = tensor(input).ndim
    return spread(np.int32(count), count)


def _place_dtype(out_type: Any) -> np.dtype[Any]:
    wanted = dtypes.int32 if out_type is None else dtypes.as_dtype(out_type)
    if wanted not in (dtypes.int32, dtypes.int64):
        raise refusal("Shape", sample(wanted), PLACES, "input:T -> output:out_type", "out_type")
    return wanted.numpy


def shape_n(input: Any, out_type: Any = dtypes.int32, name: str | None = None) -> list[Tensor]:
    """The shapes of several tensors.

    >>> [s.numpy().tolist() for s in shape_n([[1, 2], [[3]]])]
    [[2], [1, 1]]
    """
    return [shape(x, out_type) for x in input]
