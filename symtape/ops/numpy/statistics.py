"""NumPy's functions of data: covariances, and sums and means in which nan does not count."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from symtape.ops.elementwise.arithmetic import divide, subtract, where
from symtape.ops.elementwise.comparison import equal
from symtape.ops.elementwise.conversion import cast
from symtape.ops.elementwise.functions import conj, is_nan, sqrt
from symtape.ops.linalg.diagonals import diag_part
from symtape.ops.linalg.products import matmul
from symtape.ops.numpy.dtypes import promoted, taken
from symtape.ops.numpy.writing import no_writing
from symtape.ops.reductions.reduction import reduce_mean, reduce_sum
from symtape.ops.shapes.joining import concat
from symtape.ops.shapes.shaping import reshape, squeeze, transpose
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import dtype_of, shape_of


def _cov(
    m: Any,
    y: Any = None,
    rowvar: bool = True,
    bias: bool = False,
    ddof: int | None = None,
) -> Tensor:
    """Average the products of what variables are off their means; each is a row, or a column."""
    parts = promoted([m] if y is None else [m, y])
    rows = [_rows(x, rowvar) for x in parts]
    x = rows[0] if y is None else concat(rows, 0)
    x = cast(x, np.float64) if dtype_of(x).kind in "iub" else x
    count = shape_of(x)[1] - (int(not bias) if ddof is None else ddof)
    off = subtract(x, reduce_mean(x, 1, keepdims=True))
    return squeeze(divide(matmul(off, conj(transpose(off))), float(count)))


def _rows(x: Tensor, rowvar: bool) -> Tensor:
    if x.ndim < 2:
        return reshape(x, [1, -1])
    return x if rowvar or shape_of(x)[0] == 1 else transpose(x)


def _corrcoef(x: Any, y: Any = None, rowvar: bool = True) -> Tensor:
    """Divide covariances by the standard deviations of both; one variable has 1 with itself."""
    found = _cov(x, y, rowvar)
    if not found.ndim:
        return divide(found, found)
    size = sqrt(diag_part(found))
    return divide(divide(found, reshape(size, [-1, 1])), size)


def _nansum(a: Any, axis: Any = None, *, keepdims: bool = False) -> Tensor:
    return reduce_sum(_without_nan(taken(a)), axis, keepdims)


def _nanmean(a: Any, axis: Any = None, *, keepdims: bool = False) -> Tensor:
    x = taken(a)
    counts = where(is_nan(x), 0.0, 1.0)
    count = reduce_sum(cast(counts, dtype_of(x)), axis, keepdims)
    return divide(reduce_sum(_without_nan(x), axis, keepdims), count)


def _without_nan(x: Tensor) -> Tensor:
    return where(is_nan(x), Tensor(np.zeros((), dtype_of(x))), x)


def _nan_to_num(
    x: Any, copy: bool = True, nan: float = 0.0, posinf: Any = None, neginf: Any = None
) -> Tensor:
    """Put numbers for nan and for what is infinite: the largest, if none is given."""
    if not copy:
        raise no_writing("np.nan_to_num with copy=False")
    value = taken(x)
    kind = dtype_of(value)
    high, low = np.finfo(kind).max, np.finfo(kind).min
    for is_there, other in (
        (is_nan(value), nan),
        (equal(value, np.inf), high if posinf is None else posinf),
        (equal(value, -np.inf), low if neginf is None else neginf),
    ):
        value = where(is_there, Tensor(np.asarray(other, kind)), value)
    return value


FUNCTIONS: dict[Any, Callable[..., Any]] = {
    np.cov: _cov,
    np.corrcoef: _corrcoef,
    np.nansum: _nansum,
    np.nanmean: _nanmean,
    np.nan_to_num: _nan_to_num,
}
