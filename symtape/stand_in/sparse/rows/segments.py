"""Sums and means of chosen rows, `tf.sparse.segment_sum` and its like, and shapes put on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from symtape.ops.arguments import FLOATS, PLACES, REALS, Allowed, check, is_tensor, plain, tensor
from symtape.ops.attributes import attributes, boolean
from symtape.ops.elementwise.arithmetic import divide
from symtape.ops.elementwise.conversion import cast
from symtape.ops.indexing.gathering import gather
from symtape.ops.reductions.segments import unsorted_segment_sum
from symtape.ops.sparse.tensor import SparseTensor
from symtape.stand_in.sparse import checks
from symtape.tensor import dtypes
from symtape.tensor.convert import convert
from symtape.tensor.decided import decided
from symtape.tensor.dispatch import invalid
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import shape_of, size_of

_SIGNATURE = "data:T, indices:Tidx, segment_ids:Tsegmentids -> output:T"


@attributes(sparse_gradient=boolean(False))
def segment_sum(
    data: Any,
    indices: Any,
    segment_ids: Any,
    num_segments: Any = None,
    name: str | None = None,
    sparse_gradient: bool = False,
) -> Tensor:
    """The sums of the rows of `data` at `indices`, one for each segment, 0 of none.

    Numbers of segments do not decrease. The gradient is dense, whatever `sparse_gradient` says.
    Raises `InvalidArgumentError` for what does not fit.

    >>> segment_sum([1.0, 2.0, 4.0], [0, 2, 1], [0, 0, 2]).numpy()
    array([5., 0., 2.], dtype=float32)
    """
    return _by_segments("SparseSegmentSum", data, indices, segment_ids, num_segments, None)


@attributes(sparse_gradient=boolean(False))
def segment_mean(
    data: Any,
    indices: Any,
    segment_ids: Any,
    num_segments: Any = None,
    name: str | None = None,
    sparse_gradient: bool = False,
) -> Tensor:
    """The means of the rows of `data` at `indices`, 0 of none; see `segment_sum`.

    >>> segment_mean([1.0, 2.0, 4.0], [0, 2, 1], [0, 0, 2]).numpy()
    array([2.5, 0. , 2. ], dtype=float32)
    """
    return _by_segments("SparseSegmentMean", data, indices, segment_ids, num_segments, lambda n: n)


@attributes(sparse_gradient=boolean(False))
def segment_sqrt_n(
    data: Any,
    indices: Any,
    segment_ids: Any,
    num_segments: Any = None,
    name: str | None = None,
    sparse_gradient: bool = False,
) -> Tensor:
    """The sums of rows, each over the root of how many there are; see `segment_sum`.

    >>> segment_sqrt_n([1.0, 2.0, 4.0, 8.0], [0, 1, 2, 3], [0, 0, 0, 0]).numpy()
    array([7.5], dtype=float32)
    """
    return _by_segments("SparseSegmentSqrtN", data, indices, segment_ids, num_segments, np.sqrt)


def _by_segments(
    op: str,
    data: Any,
    indices: Any,
    segment_ids: Any,
    count: Any,
    shares: Callable[[Any], Any] | None,
) -> Tensor:
    op = op if count is None else f"{op}WithNumSegments"
    x = tensor(data)
    kinds: Allowed = REALS if shares is None else FLOATS
    check(op, x, kinds, _SIGNATURE)
    given = {"Tidx": _places(indices), "Tsegmentids": _places(segment_ids)}
    for attr, numbers in given.items():
        check(op, numbers, PLACES, _SIGNATURE, attr)
    places, ids = (np.asarray(decided(v)) for v in given.values())
    total = _checked(op, x, places, ids, None if count is None else int(plain(count)))
    sums = unsorted_segment_sum(gather(x, places), ids, total)
    if shares is None:
        return sums
    parts = np.maximum(shares(np.bincount(ids, minlength=total)), 1).reshape(
        -1, *[1] * (x.ndim - 1)
    )
    return divide(sums, cast(Tensor(parts), x.dtype))


def _places(value: Any) -> Tensor:
    return tensor(value) if is_tensor(value) else convert(value, hint=dtypes.int32)


def _checked(op: str, x: Tensor, places: Any, ids: Any, count: int | None) -> int:
    """Refuse places and segments that do not fit, and count the segments."""
    if not x.ndim:
        raise invalid(op, "Shape must be at least rank 1")
    if places.shape != ids.shape:
        raise invalid(op, "segment_ids and indices should have same size.")
    if ids.size and (np.any(np.diff(ids) < 0) or ids[0] < 0):
        raise invalid(op, "segment ids are not increasing")
    last = int(ids[-1]) + 1 if ids.size else 0
    if count is not None and last > count:
        raise invalid(op, "segment ids must be < num_segments")
    outside = np.flatnonzero((places < 0) | (places >= shape_of(x)[0]))
    if outside.size:
        at = outside[0]
        raise invalid(op, f"Bad: indices[{at}] == {places[at]} out of range [0, {shape_of(x)[0]})")
    return last if count is None else count


@attributes(sp_input=checks.SPARSE)
def reset_shape(sp_input: SparseTensor, new_shape: Any = None) -> SparseTensor:
    """The same elements in a larger shape, or in the smallest that holds all of them.

    Raises `ValueError` for a shape of another rank, and for one that is smaller.

    >>> reset_shape(SparseTensor([[0, 1]], [5.0], (2, 3))).dense_shape.numpy()
    array([1, 2])
    """
    if new_shape is None:
        sizes = np.max(sp_input.places, axis=0, initial=-1) + 1
        return SparseTensor(sp_input.places, sp_input.values, tuple(sizes.tolist()))
    wanted = convert(new_shape, dtypes.int64)
    if shape_of(wanted) != (len(sp_input.sizes),):
        both = f"{size_of(wanted)} and {len(sp_input.sizes)}"
        raise ValueError(f"Dimensions {both} are not compatible")
    sizes = decided(wanted)
    if np.any(sizes < sp_input.sizes):
        raise ValueError(
            "Requested new_shape should have dimension sizes >= sp_input.shape.  Found new_shape "
            f"({np.array(sp_input.sizes)}), sp_input.shape ({sizes})."  # in TensorFlow's order
        )
    return SparseTensor(sp_input.places, sp_input.values, tuple(sizes.tolist()))
