"""`tf.math.bincount` of sparse tensors: what is not given is not counted."""

from __future__ import annotations

from typing import Any

import numpy as np

from symtape.ops.arguments import plain
from symtape.ops.elementwise.conversion import cast
from symtape.ops.reductions import counting
from symtape.ops.sparse.tensor import SparseTensor
from symtape.stand_in.sparse.reducing import bincount as by_rows
from symtape.tensor import dtypes
from symtape.tensor.decided import decided_by_look
from symtape.tensor.tensor import Tensor


def bincount(
    arr: SparseTensor,
    weights: Any = None,
    minlength: Any = None,
    maxlength: Any = None,
    dtype: Any = dtypes.int32,
    name: str | None = None,
    axis: Any = None,
    binary_output: bool = False,
) -> Tensor:
    """How often whole numbers are there: in each row with axis -1, else in all.

    >>> bincount(SparseTensor([[0, 0], [1, 2]], [1, 3], (2, 3))).numpy()
    array([0, 1, 0, 1], dtype=int32)
    """
    if axis != -1:
        factors = weights.values if isinstance(weights, SparseTensor) else weights
        return counting.bincount(
            arr.values, factors, minlength, maxlength, dtype, binary_output=binary_output
        )
    found = by_rows(arr, weights, -1, minlength, maxlength, binary_output).to_dense()
    needed = int(np.max(decided_by_look(arr.values), initial=-1)) + 1
    columns = found[:, : max(needed, int(plain(minlength) or 0))]
    return cast(columns, dtype if weights is None else weights.dtype)
