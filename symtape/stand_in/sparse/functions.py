"""The functions of `tf.sparse`: on elements by their places, which are known numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from symtape.namespace import show
from symtape.ops.arguments import like, of_dtype, plain, scalar, tensor, valued
from symtape.ops.attributes import attributes, boolean
from symtape.ops.checks.values import assert_equal
from symtape.ops.elementwise.arithmetic import maximum as larger
from symtape.ops.elementwise.arithmetic import minimum as smaller
from symtape.ops.elementwise.comparison import greater_equal, not_equal
from symtape.ops.elementwise.conversion import cast
from symtape.ops.elementwise.functions import abs as size_of
from symtape.ops.indexing.gathering import gather, gather_nd
from symtape.ops.indexing.scattering import (
    tensor_scatter_nd_add,
    tensor_scatter_nd_update,
)
from symtape.ops.reductions.segments import unsorted_segment_sum
from symtape.ops.shapes.creation import fill
from symtape.ops.shapes.joining import concat as join
from symtape.ops.sparse.order import in_order, lines_of, places_at
from symtape.ops.sparse.tensor import SparseTensor, of_any_shape, rows_of
from symtape.stand_in.sparse import checks
from symtape.stand_in.sparse.crossing import cross, cross_hashed
from symtape.stand_in.sparse.reducing import (
    bincount,
    reduce_max,
    reduce_sum,
    softmax,
    sparse_dense_matmul,
)
from symtape.stand_in.sparse.rows.masking import mask
from symtape.stand_in.sparse.rows.segments import (
    reset_shape,
    segment_mean,
    segment_sqrt_n,
    segment_sum,
)
from symtape.tensor import dtypes
from symtape.tensor.convert import convert
from symtape.tensor.decided import decided_by_look
from symtape.tensor.dispatch import misfit
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import shape_of

__all__ = [
    "SparseTensor",
    "add",
    "bincount",
    "concat",
    "cross",
    "cross_hashed",
    "expand_dims",
    "eye",
    "fill_empty_rows",
    "from_dense",
    "map_values",
    "mask",
    "maximum",
    "minimum",
    "reduce_max",
    "reduce_sum",
    "reorder",
    "reset_shape",
    "reshape",
    "retain",
    "segment_mean",
    "segment_sqrt_n",
    "segment_sum",
    "slice",
    "softmax",
    "sparse_dense_matmul",
    "split",
    "to_dense",
    "to_indicator",
    "transpose",
]


def from_dense(tensor: Any, name: str | None = None) -> SparseTensor:
    """The elements of a tensor that are not zero; `InvalidArgumentError` for one without axes."""
    x = _tensor(tensor)
    if not x.ndim:
        raise misfit("Where", "WhereOp : Unhandled input dimensions: 0")
    zero = {"string": "", "bool": False}.get(x.dtype.name, 0)
    places = np.argwhere(decided_by_look(not_equal(x, like(zero, x))))
    return SparseTensor(places, gather_nd(x, places), shape_of(x))


@attributes(sp_input=checks.SPARSE, validate_indices=boolean(True))
def to_dense(
    sp_input: SparseTensor,
    default_value: Any = None,
    validate_indices: bool = True,
    name: str | None = None,
) -> Tensor:
    """The whole tensor, with `default_value` where there is no element, else zeros."""
    if validate_indices:
        in_order("SparseToDense", sp_input.places, sp_input.sizes)
    values = sp_input.values
    nothing = "" if values.dtype is dtypes.string else values.dtype.numpy.type(0)
    around = fill(sp_input.shape, like(nothing if default_value is None else default_value, values))
    return tensor_scatter_nd_update(around, sp_input.places, sp_input.values)


def _tensor(value: Any) -> Tensor:
    return tensor(value)


def _both(a: SparseTensor, b: SparseTensor) -> tuple[Any, Any, Any]:
    """Give the places of either, and which of them each element of the two is."""
    sizes = a.shape
    lines, which = np.unique(
        np.concatenate([lines_of(a.places, sizes), lines_of(b.places, sizes)]), return_inverse=True
    )
    count = len(a.places)
    return places_at(lines, sizes), which[:count], which[count:]


def add(a: Any, b: Any, threshold: Any = 0) -> Any:
    """The sum: sparse if both are; places are those of either, but sums below a threshold go.

    >>> a = SparseTensor([[0]], [1.0], (2,))
    >>> add(a, SparseTensor([[1]], [2.0], (2,))).values.numpy(), add(a, [5.0, 5.0]).numpy()
    (array([1., 2.], dtype=float32), array([6., 5.], dtype=float32))
    """
    if not isinstance(a, SparseTensor):
        a, b = b, a
    if not isinstance(a, SparseTensor):
        raise TypeError("At least one input should be SparseTensor; do you mean to use tf.add()?")
    if not isinstance(b, SparseTensor):
        whole = tensor(b)
        checks.beside_dense(a, shape_of(whole))
        return tensor_scatter_nd_add(whole, a.places, a.values)
    ranks = f"Input indices must have the same dimension, got {len(a.sizes)} and {len(b.sizes)}"
    checks.of_one_shape(a.sizes, b.sizes, ranks)
    places, first, second = _both(a, b)
    values = join([a.values, b.values], 0)
    which = np.concatenate([first, second])
    found = SparseTensor(places, unsorted_segment_sum(values, which, len(places)), a.shape)
    common = np.intersect1d(first, second)
    large = decided_by_look(greater_equal(size_of(gather(found.values, common)), threshold))
    return rows_of(found, np.setdiff1d(np.arange(len(places)), common[~large]))


def maximum(sp_a: SparseTensor, sp_b: SparseTensor, name: str | None = None) -> SparseTensor:
    """The larger elements, at the places of either; what is missing counts as zero."""
    return _paired(larger, sp_a, sp_b)


def minimum(sp_a: SparseTensor, sp_b: SparseTensor, name: str | None = None) -> SparseTensor:
    """The smaller elements, at the places of either; what is missing counts as zero."""
    return _paired(smaller, sp_a, sp_b)


def _paired(function: Callable[[Any, Any], Any], a: SparseTensor, b: SparseTensor) -> SparseTensor:
    shapes = " and ".join([" ".join(map(str, x.sizes)) for x in (a, b)])
    ranks = f"Operands do not have the same ranks; got shapes: {shapes}"
    checks.of_one_shape(a.sizes, b.sizes, ranks)
    places, first, second = _both(a, b)
    count = len(places)
    wide = (
        unsorted_segment_sum(a.values, first, count),
        unsorted_segment_sum(b.values, second, count),
    )
    return SparseTensor(places, function(*wide), a.shape)


def map_values(op: Callable[..., Any], *args: Any, **kwargs: Any) -> SparseTensor:
    """Apply a function to the elements of sparse tensors that have the same places.

    Raises `InvalidArgumentError` for tensors of unlike shapes or places, `ValueError` for none.
    """
    given = [x for x in (*args, *kwargs.values()) if isinstance(x, SparseTensor)]
    if not given:
        raise ValueError("No SparseTensor in argument list of map_values")
    for x in given[1:]:
        assert_equal(given[0].dense_shape, x.dense_shape, message="Mismatched shapes!")
        assert_equal(given[0].indices, x.indices, message="Mismatched indices!")
    named = {name: _values(x) for name, x in kwargs.items()}
    return given[0].with_values(op(*map(_values, args), **named))


def _values(x: Any) -> Any:
    return x.values if isinstance(x, SparseTensor) else x


@attributes(sp_input=checks.SPARSE)
def reorder(sp_input: SparseTensor, name: str | None = None) -> SparseTensor:
    """The same elements in the order of rows."""
    return rows_of(sp_input, np.argsort(lines_of(sp_input.places, sp_input.shape), kind="stable"))


@attributes(sp_input=checks.SPARSE)
def reshape(sp_input: SparseTensor, shape: Any, name: str | None = None) -> SparseTensor:
    """The same elements in another shape, in which -1 is what is left."""
    asked = checks.vector("Target shape", valued(convert(plain(shape))).astype(np.int64))
    wanted = checks.reshaped(sp_input.sizes, asked.tolist())
    lines = lines_of(sp_input.places, sp_input.shape)
    return SparseTensor(places_at(lines, wanted), sp_input.values, wanted)


def transpose(sp_input: SparseTensor, perm: Any = None, name: str | None = None) -> SparseTensor:
    """The same elements with the axes in another order.

    Raises `InvalidArgumentError` for an axis that is not there, `ValueError` for a lack of axes.
    """
    rank = len(sp_input.shape)
    order = list(range(rank))[::-1] if perm is None else checks.axes(perm, rank)
    sizes = [sp_input.shape[k] for k in order]
    return reorder(SparseTensor(sp_input.places[:, order], sp_input.values, sizes))


def expand_dims(sp_input: SparseTensor, axis: Any = None, name: str | None = None) -> SparseTensor:
    """The same elements with an axis of one place more.

    Raises `InvalidArgumentError` for an axis that is not there.
    """
    rank = len(sp_input.shape)
    said = "axis must be an integer value in range [-rank(sp_input) - 1, rank(sp_input)]"
    axis = -1 if axis is None else checks.whole(axis, said)
    place = axis if axis >= 0 else axis + rank + 1
    if not 0 <= place <= rank:
        what = "size" if place > rank else "begin"
        raise misfit("Slice", f"Expected {what}[1] in [0, {rank}], but got {place}")
    sizes = list(sp_input.sizes)
    places = np.insert(sp_input.places, place, 0, axis=1)
    return SparseTensor(places, sp_input.values, [*sizes[:place], 1, *sizes[place:]])


def concat(
    axis: Any, sp_inputs: Any, expand_nonconcat_dims: bool = False, name: str | None = None
) -> SparseTensor:
    """Sparse tensors one after another along an axis; their other sizes may be made the largest."""
    parts, axis = list(sp_inputs), scalar(axis)
    if expand_nonconcat_dims:
        most = np.max([part.sizes for part in parts], axis=0)
        along = axis % len(most)
        parts = [SparseTensor(p.places, p.values, _but(most, along, p.sizes)) for p in parts]
    checks.joined(parts, axis)
    sizes = list(parts[0].sizes)
    along = axis % len(sizes)
    places, start = [], 0
    for part in parts:
        moved = part.places.copy()
        moved[:, along] += start
        places.append(moved)
        start += part.shape[along]
    sizes[along] = start
    values = join([p.values for p in parts], 0)
    return reorder(SparseTensor(np.concatenate(places), values, sizes))


def _but(sizes: Any, axis: int, own: Any) -> Any:
    """Give sizes with its own one at an axis."""
    return [m if k == axis else n for k, (n, m) in enumerate(zip(sizes, own, strict=True))]


def eye(
    num_rows: Any, num_columns: Any = None, dtype: Any = dtypes.float32, name: str | None = None
) -> SparseTensor:
    """Ones on the diagonal of a matrix.

    >>> eye(2, 3).indices.numpy().tolist()
    [[0, 0], [1, 1]]
    """
    rows = columns = checks.whole(num_rows, "num_rows must be an integer value")
    if num_columns is not None:
        columns = checks.whole(num_columns, "num_columns must be an integer value")
    least = min(rows, columns)
    places = np.repeat(np.arange(least)[:, None], 2, axis=1)
    return SparseTensor(places, fill([least], cast(1, dtype)), (rows, columns))


@attributes(sp_input=checks.SPARSE)
def slice(sp_input: SparseTensor, start: Any, size: Any, name: str | None = None) -> SparseTensor:
    """The elements in a block that begins at `start`; what reaches beyond the end is cut off.

    Raises `InvalidArgumentError` unless there is a place and a size for each axis.

    >>> slice(eye(3), [1, 0], [2, 9]).indices.numpy().tolist()
    [[0, 1], [1, 2]]
    """
    first, wanted = checks.vector("Input start", start), checks.vector("Input size", size)
    checks.block(len(sp_input.sizes), first, wanted)
    sizes = np.clip(np.asarray(sp_input.sizes) - first, 0, wanted)
    moved = sp_input.places - first
    inside = np.flatnonzero(((moved >= 0) & (moved < sizes)).all(axis=1))
    return of_any_shape(SparseTensor(moved[inside], gather(sp_input.values, inside), sizes))


@attributes(sp_input=checks.SPARSE)
def split(
    sp_input: SparseTensor | None = None,
    num_split: Any = None,
    axis: Any = None,
    name: str | None = None,
) -> list[SparseTensor]:
    """Cut into parts along an axis; the first parts are longer by one where it does not divide.

    >>> [part.sizes for part in split(eye(3), 2, axis=1)]
    [(3, 2), (3, 1)]
    """
    for given, said in ((num_split, "num_split"), (axis, "axis"), (sp_input, "sp_input")):
        if given is None:
            raise ValueError(f"{said} is required")
    return _split(sp_input, scalar(num_split), scalar(of_dtype("SparseSplit", axis, dtypes.int64)))


def _split(whole: Any, parts: int, axis: int) -> list[SparseTensor]:
    checks.parts(whole.sizes, parts, axis)
    along = axis % len(whole.sizes)
    length, longer = divmod(whole.sizes[along], parts)
    start, sizes, found = [0] * len(whole.sizes), list(whole.sizes), []
    for k in range(parts):
        sizes[along] = length + (k < longer)
        found.append(slice(whole, start, sizes))
        start[along] += sizes[along]
    return found


@attributes(sp_input=checks.SPARSE)
def to_indicator(sp_input: SparseTensor, vocab_size: Any, name: str | None = None) -> Tensor:
    """For each row, which of `vocab_size` whole numbers are among its values.

    Raises `InvalidArgumentError` for a value that is none of them.

    >>> to_indicator(SparseTensor([[0, 0]], [2], (1, 1)), 3).numpy().tolist()
    [[False, False, True]]
    """
    numbers = np.asarray(decided_by_look(sp_input.values))
    sizes = (*sp_input.sizes[:-1], int(plain(vocab_size)))
    if ((numbers < 0) | (numbers >= sizes[-1])).any():
        shape = ",".join(map(str, sizes))
        text = f"Indices are not valid (out of bounds).  Shape: [{shape}]"
        raise misfit("SparseToDense", text)
    found = np.zeros(sizes, bool)
    found[(*sp_input.places[:, :-1].T, numbers)] = True
    return Tensor(found)


@attributes(sp_input=checks.SPARSE)
def retain(sp_input: SparseTensor, to_retain: Any) -> SparseTensor:
    """The elements for which a truth value is true."""
    kept = decided_by_look(tensor(to_retain))
    checks.as_many(len(sp_input.places), len(kept))
    return rows_of(sp_input, np.flatnonzero(kept))


@attributes(sp_input=checks.SPARSE)
def fill_empty_rows(
    sp_input: SparseTensor, default_value: Any, name: str | None = None
) -> tuple[SparseTensor, Tensor]:
    """The same with an element in the first place of each empty row, and which rows were empty.

    Raises `InvalidArgumentError` for a default that is no scalar, `TypeError` for another dtype.
    """
    rows = sp_input.sizes[0]
    empty = np.setdiff1d(np.arange(rows), sp_input.places[:, 0])
    new = np.zeros((len(empty), len(sp_input.shape)), np.int64)
    new[:, 0] = empty
    kind = sp_input.dtype
    filled = fill([len(empty)], checks.default(default_value, kind))
    whole = SparseTensor(
        np.concatenate([sp_input.places, new]), join([sp_input.values, filled], 0), sp_input.shape
    )
    by_row = np.argsort(whole.places[:, 0], kind="stable")
    return rows_of(whole, by_row), Tensor(np.isin(np.arange(rows), empty))


show(__name__, __all__)
