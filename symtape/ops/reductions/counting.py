"""How often each whole number is there: bincount."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from symtape.ops.arguments import PLACES, allowed, check, listed, plain, sample, scalar, tensor
from symtape.ops.attributes import attributes, boolean
from symtape.ops.elementwise.conversion import cast
from symtape.ops.indexing.picking import boolean_mask
from symtape.ops.reductions.segments import unsorted_segment_sum
from symtape.ops.shapes.shaping import reshape
from symtape.tensor import dtypes
from symtape.tensor.convert import convert
from symtape.tensor.decided import decided_by_look
from symtape.tensor.dispatch import invalid
from symtape.tensor.recording.looking import is_unknown
from symtape.tensor.tensor import Tensor
from symtape.tensor.unknown_sizes import unsized
from symtape.tensor.values import shape_of

_OP = "DenseBincount"
_SIGNATURE = "input:Tidx, size:Tidx, weights:T -> output:T"
_SUMS = allowed("int32, int64, float, double")


@attributes(binary_output=boolean(False))
def bincount(
    arr: Any,
    weights: Any = None,
    minlength: Any = None,
    maxlength: Any = None,
    dtype: Any = dtypes.int32,
    name: str | None = None,
    axis: Any = None,
    binary_output: bool = False,
) -> Tensor:
    """How often 0, 1, … are among whole numbers, or the sums of the `weights` of each of them.

    There are as many counts as the largest number needs, at least `minlength`, at most `maxlength`.
    With axis -1, of an array of two axes, each row is counted by itself. With `binary_output` a
    count is 1 for what is there. Of other numbers the whole part counts. Raises
    `InvalidArgumentError` for negative numbers, and for dtypes that are not counted or added up.

    >>> bincount([1, 1, 3]).numpy()
    array([0, 2, 0, 1], dtype=int32)
    >>> bincount([1, 1], weights=[0.5, 2.0], minlength=3).numpy()
    array([0. , 2.5, 0. ], dtype=float32)
    """
    weights = None if weights is None else tensor(weights)
    if weights is not None and binary_output:
        raise ValueError(
            "Arguments `binary_output` and `weights` are mutually exclusive. Please specify only "
            "one."
        )
    given = tensor(arr)
    given = given if given.dtype.is_integer else cast(given, dtypes.int32)
    check(_OP, given, PLACES, _SIGNATURE, "Tidx")
    numbers = np.asarray(decided_by_look(given))
    if axis not in (None, 0, -1):
        raise ValueError(
            f"Unsupported value for argument axis={axis}. Only 0 and -1 are currently supported."
        )
    if (numbers < 0).any():
        raise invalid(_OP, "Input arr must be non-negative!")
    kind = dtypes.of_kernel(dtype, dtypes.int32) if weights is None else weights.dtype
    check(_OP, sample(kind), _SUMS, _SIGNATURE)
    if weights is not None and not prod(shape_of(weights)):
        weights = None
    if weights is not None and prod(shape_of(weights)) != numbers.size:
        raise invalid(
            _OP,
            "`weights` must be the same shape as `arr` or a length-0 `Tensor`, in which case it "
            f"acts as all weights equal to 1. Received {listed(shape_of(weights))}",
        )
    rows = _rows(numbers, axis)
    length = _length(given.dtype, numbers, minlength, maxlength)
    counted = _counted(rows, weights, length, kind, binary=binary_output)
    made = counted if rows is numbers else counted[0]
    return unsized(made, -1) if is_unknown(given) else made


def _rows(numbers: Any, axis: Any) -> Any:
    """Take each row by itself, or all numbers as one."""
    if axis != -1:
        return numbers.reshape(1, -1)
    if numbers.ndim > 2:
        raise invalid(_OP, f"Shape must be at most rank 2 but is rank {numbers.ndim}")
    return numbers if numbers.ndim == 2 else numbers.reshape(1, -1)


def _length(dtype: dtypes.DType, numbers: Any, least: Any, most: Any) -> int:
    """Say how many counts there are; bounds are of the dtype of the numbers."""
    length = int(numbers.max(initial=-1)) + 1
    length = length if least is None else max(length, _bound(dtype, least))
    length = length if most is None else min(length, _bound(dtype, most))
    if length < 0:
        raise invalid(_OP, f"size ({length}) must be non-negative")
    return length


def _bound(dtype: dtypes.DType, value: Any) -> int:
    bound = convert(value, dtype)
    if bound.ndim:
        raise invalid(_OP, f"Shape must be rank 0 but is rank {bound.ndim}")
    return scalar(plain(bound))


def _counted(rows: Any, weights: Any, length: int, dtype: dtypes.DType, *, binary: bool) -> Tensor:
    """Add up weights at the place of each number, each row behind the one before."""
    within = (rows < length).ravel()
    places = (rows + length * np.arange(len(rows))[:, None]).ravel()[within]
    count = length * len(rows)
    if binary or weights is None:
        found = np.bincount(places, minlength=count).reshape(len(rows), length)
        return cast(Tensor(found > 0 if binary else found), dtype)
    given = boolean_mask(reshape(weights, [-1]), within)
    return reshape(unsorted_segment_sum(given, places, count), [len(rows), length])
