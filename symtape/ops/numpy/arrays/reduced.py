"""NumPy's reductions: from which number they begin, over which elements, and in which dtype."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from symtape.ops.elementwise import functions as elementwise
from symtape.ops.elementwise.arithmetic import (
    add,
    divide,
    maximum,
    minimum,
    multiply,
    subtract,
)
from symtape.ops.elementwise.arithmetic import (
    where as _where,
)
from symtape.ops.elementwise.conversion import cast
from symtape.ops.numpy.arrays.axes import axes_among
from symtape.ops.numpy.dtypes import pair, taken
from symtape.ops.reductions import reduction
from symtape.ops.shapes import repetition, shaping
from symtape.tensor.convert import convert
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import dtype_of, shape_of, size_of

Reduction = Callable[..., Tensor]


def _total(run: Reduction, join: Callable[[Tensor, Tensor], Tensor], neutral: int) -> Reduction:
    """Add up or multiply; truth values are 0 and 1, and what is left out changes nothing."""

    def apply(
        a: Any,
        axis: Any = None,
        dtype: Any = None,
        *,
        keepdims: bool = False,
        initial: Any = None,
        where: Any = None,
    ) -> Tensor:
        x = convert(a)
        wanted = np.int64 if dtype is None and dtype_of(x).kind == "b" else dtype
        x = x if wanted is None else cast(x, np.dtype(wanted))
        if where is not None:
            x = _where(taken(where), x, cast(taken(neutral), dtype_of(x)))
        found = run(x, axis, keepdims)
        return found if initial is None else join(found, cast(taken(initial), dtype_of(x)))

    return apply


def _extreme(run: Reduction, join: Callable[[Tensor, Tensor], Tensor], name: str) -> Reduction:
    """Take the largest or smallest; of no elements, or of some, a first one has to be named."""

    def apply(
        a: Any, axis: Any = None, *, keepdims: bool = False, initial: Any = None, where: Any = None
    ) -> Tensor:
        x = convert(a)
        if initial is None and where is not None:
            raise ValueError(
                f"reduction operation '{name}' does not have an identity, so to use a where mask "
                "one has to specify 'initial'"
            )
        if initial is None and not size_of(x) and _is_over_nothing(x, axis):
            raise ValueError(f"zero-size array to reduction operation {name} which has no identity")
        first = None if initial is None else cast(taken(initial), dtype_of(x))
        x = x if where is None else _where(taken(where), x, first)
        found = run(x, axis, keepdims)
        return found if first is None else join(found, first)

    return apply


def _is_over_nothing(x: Tensor, axis: Any) -> bool:
    axes = range(x.ndim) if axis is None else axes_among(x.ndim, axis)
    return 0 in [shape_of(x)[n] for n in axes]


_sum = _total(reduction.reduce_sum, add, 0)


def _mean(
    a: Any, axis: Any = None, dtype: Any = None, *, keepdims: bool = False, where: Any = None
) -> Tensor:
    x = convert(a)
    wanted = np.float64 if dtype is None and dtype_of(x).kind == "b" else dtype
    x = x if wanted is None else cast(x, np.dtype(wanted))
    if where is None:
        return reduction.reduce_mean(x, axis, keepdims)
    x = cast(x, np.float64) if dtype_of(x).kind in "iu" else x
    count = reduction.reduce_sum(_wide(cast(taken(where), dtype_of(x)), x), axis, keepdims)
    return divide(_sum(x, axis, keepdims=keepdims, where=where), count)


def _wide(weights: Tensor, x: Tensor) -> Tensor:
    return repetition.broadcast_to(weights, shape_of(x))


def _average(
    a: Any, axis: Any = None, weights: Any = None, returned: bool = False, *, keepdims: bool = False
) -> Any:
    x, w = pair(a, 1.0 if weights is None else weights)
    if w.ndim == 1 and x.ndim > 1:
        (place,) = axes_among(x.ndim, axis)
        w = shaping.reshape(w, [-1 if n == place else 1 for n in range(x.ndim)])
    if weights is None:
        found = reduction.reduce_mean(x, axis, keepdims)
    else:
        weighted = reduction.reduce_sum(multiply(x, w), axis, keepdims)
        found = divide(weighted, reduction.reduce_sum(_wide(w, x), axis, keepdims))
    if not returned:
        return found
    return found, reduction.reduce_sum(_wide(w, x), axis, keepdims)


def _var(
    a: Any,
    axis: Any = None,
    *,
    ddof: float = 0,
    keepdims: bool = False,
    mean: Any = None,
    correction: float | None = None,
) -> Tensor:
    """Average squares of what is off the mean, which may be given; then fewer are counted."""
    x = convert(a)
    if mean is None:
        made = reduction.reduce_variance(x, axis, keepdims)
    else:
        off = subtract(*pair(x, mean))
        square = elementwise.square(elementwise.abs(off))
        made = reduction.reduce_mean(square, axis, keepdims)
    less = ddof if correction is None else correction
    if less == 0:
        return made
    n = size_of(x) / max(size_of(made), 1)
    return multiply(made, n / (n - less))


def _std(
    a: Any,
    axis: Any = None,
    *,
    ddof: float = 0,
    keepdims: bool = False,
    mean: Any = None,
    correction: float | None = None,
) -> Tensor:
    return elementwise.sqrt(
        _var(a, axis, ddof=ddof, keepdims=keepdims, mean=mean, correction=correction)
    )


_max = _extreme(reduction.reduce_max, maximum, "maximum")
_min = _extreme(reduction.reduce_min, minimum, "minimum")

FUNCTIONS: dict[Any, Reduction] = {
    np.sum: _sum,
    np.mean: _mean,
    np.prod: _total(reduction.reduce_prod, multiply, 1),
    np.max: _max,
    np.min: _min,
    np.amax: _max,
    np.amin: _min,
    np.average: _average,
    np.var: _var,
    np.std: _std,
}

OF_UFUNCS: dict[Any, Any] = {
    np.add: np.sum,
    np.multiply: np.prod,
    np.maximum: np.max,
    np.minimum: np.min,
}
"""What `ufunc.reduce` is by another name."""
