"""NumPy's functions of data: covariances and correlations."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from symtape.ops.elementwise.arithmetic import divide, multiply, subtract
from symtape.ops.elementwise.conversion import cast
from symtape.ops.elementwise.functions import conj, sqrt
from symtape.ops.linalg.diagonals import diag_part
from symtape.ops.linalg.products import matmul
from symtape.ops.numpy.dtypes import promoted, taken
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
    fweights: Any = None,
    aweights: Any = None,
) -> Tensor:
    """Average the products of what variables are off their means; each is a row, or a column."""
    parts = promoted([m] if y is None else [m, y])
    rows = [_rows(x, rowvar) for x in parts]
    x = rows[0] if y is None else concat(rows, 0)
    x = cast(x, np.result_type(dtype_of(x), np.float64))
    less = int(not bias) if ddof is None else ddof
    given = [cast(taken(w), np.float64) for w in (fweights, aweights) if w is not None]
    if not given:
        off = subtract(x, reduce_mean(x, 1, keepdims=True))
        return squeeze(divide(matmul(off, conj(transpose(off))), float(shape_of(x)[1] - less)))
    w = given[0] if len(given) == 1 else multiply(*given)
    total = reduce_sum(w)
    off = subtract(x, divide(reduce_sum(multiply(x, w), 1, True), total))
    lost: Any = float(less)
    if aweights is not None:
        lost = multiply(divide(reduce_sum(multiply(w, given[-1])), total), lost)
    scale = subtract(total, lost)
    return squeeze(divide(matmul(multiply(off, w), conj(transpose(off))), scale))


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


FUNCTIONS: dict[Any, Callable[..., Any]] = {
    np.cov: _cov,
    np.corrcoef: _corrcoef,
}
