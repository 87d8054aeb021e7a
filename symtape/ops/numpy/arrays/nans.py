"""NumPy's functions in which nan does not count."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from symtape.ops.elementwise.arithmetic import divide, subtract, where
from symtape.ops.elementwise.comparison import equal
from symtape.ops.elementwise.conversion import cast
from symtape.ops.elementwise.functions import is_nan, sqrt, square
from symtape.ops.indexing.gathering import gather
from symtape.ops.numpy.arrays.axes import along
from symtape.ops.numpy.arrays.between import lines_of, percentile, quantile
from symtape.ops.numpy.arrays.moves import known
from symtape.ops.numpy.arrays.sums import median
from symtape.ops.numpy.dtypes import taken
from symtape.ops.numpy.writing import no_writing
from symtape.ops.reductions.reduction import (
    reduce_all,
    reduce_max,
    reduce_min,
    reduce_prod,
    reduce_sum,
)
from symtape.ops.reductions.scan import cumprod, cumsum
from symtape.ops.shapes import joining, shaping
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import dtype_of, shape_of


def _filled(x: Tensor, number: float) -> Tensor:
    """Put a number for nan."""
    return where(is_nan(x), Tensor(np.asarray(number, dtype_of(x))), x)


def _reduced(run: Callable[..., Tensor], number: float) -> Callable[..., Tensor]:
    """Reduce with a number for nan that changes nothing."""

    def apply(a: Any, axis: Any = None, *, keepdims: bool = False) -> Tensor:
        return run(_filled(taken(a), number), axis, keepdims)

    return apply


_nansum = _reduced(reduce_sum, 0)


def _extreme(run: Callable[..., Tensor], end: float) -> Callable[..., Tensor]:
    """Take the largest or smallest one; it is nan where all are."""

    def apply(a: Any, axis: Any = None, *, keepdims: bool = False) -> Tensor:
        x = taken(a)
        is_nowhere = reduce_all(is_nan(x), axis, keepdims)
        found = run(_filled(x, end), axis, keepdims)
        return where(is_nowhere, Tensor(np.asarray(np.nan, dtype_of(x))), found)

    return apply


def _count(x: Tensor, axis: Any, keepdims: bool) -> Tensor:
    return reduce_sum(cast(where(is_nan(x), 0.0, 1.0), dtype_of(x)), axis, keepdims)


def _nanmean(a: Any, axis: Any = None, *, keepdims: bool = False) -> Tensor:
    x = taken(a)
    return divide(_nansum(x, axis, keepdims=keepdims), _count(x, axis, keepdims))


def _nanvar(a: Any, axis: Any = None, *, ddof: float = 0, keepdims: bool = False) -> Tensor:
    x = taken(a)
    off = subtract(_filled(x, 0), _nanmean(x, axis, keepdims=True))
    there = where(is_nan(x), Tensor(np.zeros((), dtype_of(x))), square(off))
    return divide(reduce_sum(there, axis, keepdims), subtract(_count(x, axis, keepdims), ddof))


def _nanstd(a: Any, axis: Any = None, *, ddof: float = 0, keepdims: bool = False) -> Tensor:
    return sqrt(_nanvar(a, axis, ddof=ddof, keepdims=keepdims))


def _running(run: Callable[..., Tensor], number: float) -> Callable[..., Tensor]:
    def apply(a: Any, axis: int | None = None) -> Tensor:
        return along(run)(_filled(taken(a), number), axis)

    return apply


def _by_lines(run: Callable[..., Tensor]) -> Callable[..., Tensor]:
    """Apply a function of lines to what is no nan of each; where that is nothing, it is nan."""

    def apply(
        a: Any, *args: Any, axis: Any = None, keepdims: bool = False, **kwargs: Any
    ) -> Tensor:
        x = taken(a)
        lines, sizes = lines_of(x, axis)
        rows = shaping.reshape(lines, [-1, shape_of(lines)[-1]])
        there = ~np.asarray(known(is_nan(rows)))
        made = [
            run(gather(row, np.flatnonzero(own)) if own.any() else row[:1], *args, **kwargs)
            for row, own in zip(rows, there, strict=True)
        ]
        found = joining.stack(made, -1)
        rest = sizes if keepdims else list(shape_of(lines)[:-1])
        return shaping.reshape(found, [*shape_of(found)[:-1], *rest])

    return apply


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
        value = where(is_there, cast(taken(other), kind), value)
    return value


_nanmedian, _nanquantile, _nanpercentile = [
    _by_lines(run) for run in (median, quantile, percentile)
]

FUNCTIONS: dict[Any, Callable[..., Any]] = {
    np.nansum: _nansum,
    np.nanprod: _reduced(reduce_prod, 1),
    np.nanmax: _extreme(reduce_max, -np.inf),
    np.nanmin: _extreme(reduce_min, np.inf),
    np.nanmean: _nanmean,
    np.nanvar: _nanvar,
    np.nanstd: _nanstd,
    np.nancumsum: _running(cumsum, 0),
    np.nancumprod: _running(cumprod, 1),
    np.nanmedian: lambda a, axis=None, *, keepdims=False: _nanmedian(
        a, axis=axis, keepdims=keepdims
    ),
    np.nanquantile: lambda a, q, axis=None, *, method="linear", keepdims=False: _nanquantile(
        a, q, axis=axis, keepdims=keepdims, method=method
    ),
    np.nanpercentile: lambda a, q, axis=None, *, method="linear", keepdims=False: _nanpercentile(
        a, q, axis=axis, keepdims=keepdims, method=method
    ),
    np.nan_to_num: _nan_to_num,
}
