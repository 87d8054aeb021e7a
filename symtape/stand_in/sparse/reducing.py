"""Sums, maxima, softmax, counts and products of sparse tensors."""

from __future__ import annotations

from typing import Any

import numpy as np

from symtape.ops.arguments import PLACES, allowed, check, of_dtype, plain, tensor
from symtape.ops.attributes import attributes, boolean, integer
from symtape.ops.elementwise.arithmetic import divide, subtract
from symtape.ops.elementwise.functions import conj, exp
from symtape.ops.indexing.gathering import gather
from symtape.ops.indexing.scattering import scatter_nd
from symtape.ops.linalg.products import adjoint, matmul
from symtape.ops.reductions.segments import unsorted_segment_max, unsorted_segment_sum
from symtape.ops.shapes.creation import fill
from symtape.ops.shapes.shaping import reshape as reshape_dense
from symtape.ops.sparse.order import lines_of, places_at
from symtape.ops.sparse.tensor import SparseTensor, of_any_shape
from symtape.stand_in.sparse import checks
from symtape.tensor.decided import decided_by_look
from symtape.tensor.dispatch import misfit
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import look_at


@attributes(keepdims=boolean(False, "keep_dims"))
def reduce_sum(
    sp_input: SparseTensor,
    axis: Any = None,
    keepdims: Any = None,
    output_is_sparse: bool = False,
    name: str | None = None,
) -> Any:
    """The sum along axes, or of all; dense, or sparse with `output_is_sparse`."""
    return _reduced("Sum", sp_input, axis, bool(keepdims), output_is_sparse)


@attributes(keepdims=boolean(False, "keep_dims"))
def reduce_max(
    sp_input: SparseTensor,
    axis: Any = None,
    keepdims: Any = None,
    output_is_sparse: bool = False,
    name: str | None = None,
) -> Any:
    """The largest of the elements that there are along axes, and 0 where there is none."""
    return _reduced("Max", sp_input, axis, bool(keepdims), output_is_sparse)


_COUNTS = allowed("int32, int64, float, double")
_JOINED = {"Sum": unsorted_segment_sum, "Max": unsorted_segment_max}


def _reduced(how: str, x: SparseTensor, axis: Any, keepdims: bool, sparsely: bool) -> Any:
    sizes = list(x.sizes)
    gone = checks.axes_of(f"SparseReduce{how}", axis, len(sizes))
    left = [k for k in range(len(sizes)) if k not in gone]
    inner = [sizes[k] for k in left]
    lines = lines_of(x.places[:, left], inner) if left else np.zeros(len(x.places), np.int64)
    known, which = np.unique(lines, return_inverse=True)
    values = _JOINED[how](x.values, which, len(known))
    places = places_at(known, inner) if left else np.zeros((len(known), 0), np.int64)
    if keepdims:
        for k in sorted(gone):
            places = np.insert(places, k, 0, axis=1)
        inner = [1 if k in gone else n for k, n in enumerate(sizes)]
    if sparsely:
        return SparseTensor(places, values, inner)
    if not inner and how == "Max" and not len(known):
        return fill([], values.dtype.as_numpy_dtype(0))
    if not inner:  # the sum of no elements is one of them, too, so that its gradient is empty
        return reshape_dense(_JOINED[how](x.values, which, 1), [])
    return scatter_nd(places, values, inner)


def softmax(sp_input: SparseTensor, name: str | None = None) -> SparseTensor:
    """The softmax along the last axis over the elements that there are.

    Raises `InvalidArgumentError` for a vector.

    >>> softmax(SparseTensor([[0, 1], [0, 2]], [3.0, 3.0], (1, 4))).values.numpy()
    array([0.5, 0.5], dtype=float32)
    """
    if len(sp_input.sizes) < 2:
        shape = ",".join(map(str, sp_input.sizes))
        text = f"Input should have rank >= 2, but received shape: {shape}"
        raise misfit("SparseSoftmax", text)
    lines = lines_of(sp_input.places[:, :-1], sp_input.sizes[:-1])
    known, which = np.unique(lines, return_inverse=True)
    highest = unsorted_segment_max(sp_input.values, which, len(known))
    powers = exp(subtract(sp_input.values, gather(highest, which)))
    totals = unsorted_segment_sum(powers, which, len(known))
    return sp_input.with_values(divide(powers, gather(totals, which)))


@attributes(adjoint_a=boolean(False), adjoint_b=boolean(False))
def sparse_dense_matmul(
    sp_a: Any, b: Any, adjoint_a: bool = False, adjoint_b: bool = False, name: str | None = None
) -> Tensor:
    """The product of two matrices, of which one is sparse; what is not there times inf is 0."""
    checks.multiplied(sp_a, b, adjoint_a, adjoint_b)
    is_first = isinstance(sp_a, SparseTensor)
    held, whole = (sp_a, b) if is_first else (b, sp_a)
    whole = of_dtype("SparseTensorDenseMatMul", tensor(whole), held.dtype, 3)
    if np.all(np.isfinite(look_at(whole))):
        left, right = (held.to_dense(), whole) if is_first else (whole, held.to_dense())
        return matmul(left, right, adjoint_a=adjoint_a, adjoint_b=adjoint_b)
    if is_first:
        return _by_elements(held, _turned(whole, not adjoint_b), adjoint_a)
    return adjoint(_by_elements(held, _turned(whole, adjoint_a), not adjoint_b))


def _turned(x: Tensor, stays: bool) -> Tensor:
    return x if stays else adjoint(x)


def _by_elements(a: SparseTensor, b: Tensor, adjoint_a: bool) -> Tensor:
    """Multiply by the elements that are there alone: a whole matrix has zeros beside them."""
    rows, columns = a.places.T[::-1] if adjoint_a else a.places.T
    values = conj(a.values) if adjoint_a else a.values
    terms = values[:, None] * gather(b, columns)
    return unsorted_segment_sum(terms, rows, a.sizes[1 if adjoint_a else 0])


@attributes(
    binary_output=boolean(),
    minlength=integer(-1, least=-1),
    maxlength=integer(-1, least=-1),
)
def bincount(
    values: Any,
    weights: Any = None,
    axis: Any = 0,
    minlength: Any = None,
    maxlength: Any = None,
    binary_output: bool = False,
    name: str | None = None,
) -> SparseTensor:
    """How often each whole number is there, in each row with axis -1: as a sparse tensor."""
    if isinstance(values, SparseTensor):
        op, given, places = "SparseCountSparseOutput", values.values, values.places
        numbers = decided_by_look(given)
        sizes = list(values.sizes)
    else:
        op, given = "DenseCountSparseOutput", tensor(values)
        array = np.asarray(decided_by_look(given))
        numbers, sizes = array.ravel(), list(array.shape)
        places = np.indices(array.shape).reshape(array.ndim, -1).T
    check(op, given, PLACES)
    axis = plain(axis)
    checks.counted(numbers, axis, sizes, weights, binary_output)
    length = _length(numbers, minlength, maxlength)
    kept = numbers < length
    rowwise = axis == -1 and len(sizes) == 2
    rows = places[:, 0][kept] if rowwise else np.zeros(kept.sum(), np.int64)
    known, which = np.unique(rows * length + numbers[kept], return_inverse=True)
    if weights is None:
        often = np.ones(len(known)) if binary_output else np.bincount(which, minlength=len(known))
        counts = Tensor(often.astype(numbers.dtype))
    else:
        counts = _weighed(weights, kept, which, len(known))
    check(op, counts, _COUNTS, attr="output_type")
    if rowwise:
        places, shape = places_at(known, (sizes[0], length)), (sizes[0], length)
        return of_any_shape(SparseTensor(places, counts, shape))
    return of_any_shape(SparseTensor(known[:, None], counts, (length,)))


def _length(numbers: Any, least: int | None, most: int | None) -> int:
    if most is not None and most > -1:
        return most
    return max(int(numbers.max(initial=0)) + 1, least or 0)


def _weighed(weights: Any, kept: Any, which: Any, count: int) -> Tensor:
    flat = weights.values if isinstance(weights, SparseTensor) else reshape_dense(weights, [-1])
    return unsorted_segment_sum(gather(flat, np.flatnonzero(kept)), which, count)
