"""The order of elements in `tf.experimental.numpy`: running sums, sorts, places of extrema."""

from __future__ import annotations

from typing import Any

import numpy as np

from symtape.ops.elementwise.conversion import cast
from symtape.ops.reductions import ordering, scan
from symtape.ops.shapes.shaping import reshape
from symtape.stand_in.numpy.dtypes import Run, array, asarray, named, result_type, whole_dtype
from symtape.tensor.dtypes import DType
from symtape.tensor.tensor import Tensor


def _running(name: str, run: Run, summary: str) -> Run:
    def function(a: Any, axis: Any = None, dtype: Any = None) -> Tensor:
        x = asarray(a, dtype)
        x = x if dtype is not None or not x.dtype.is_integer else cast(x, _whole(x.dtype))
        found: Tensor = run(reshape(x, [-1]), 0) if axis is None else run(x, axis)
        return found

    return named(function, name, summary)


def _whole(kind: DType) -> DType:
    wide = np.promote_types(kind.numpy, int)
    return kind if wide == kind.numpy else result_type(wide)


cumsum = _running("cumsum", scan.cumsum, "Running sums")
cumprod = _running("cumprod", scan.cumprod, "Running products")


def _place(name: str, run: Run, summary: str) -> Run:
    def function(a: Any, axis: Any = None) -> Tensor:
        x = array(a)
        if axis is None or not x.ndim:
            x = reshape(x, [-1])
        found: Tensor = run(x, axis)
        return found

    return named(function, name, summary)


argmax = _place("argmax", ordering.argmax, "The place of the largest element")
argmin = _place("argmin", ordering.argmin, "The place of the smallest element")


def sort(a: Any, axis: Any = -1, kind: str = "quicksort", order: Any = None) -> Tensor:
    """The elements in ascending order along an axis.

    Raises `ValueError` for a `kind` or an `order` that is not supported.

    >>> sort([3, 1, 2]).numpy()
    array([1, 2, 3])
    """
    _check_order(kind, order, ("quicksort",))
    x = array(a)
    return ordering.sort(reshape(x, [-1]), 0) if axis is None else ordering.sort(x, axis)


def argsort(a: Any, axis: Any = -1, kind: str = "quicksort", order: Any = None) -> Tensor:
    """The places of the elements in ascending order.

    Raises `ValueError` for a `kind` or an `order` that is not supported, and `TypeError` for
    complex numbers.

    >>> argsort([3, 1, 2]).numpy()
    array([1, 2, 0])
    """
    _check_order(kind, order, ("quicksort", "stable"))
    x = array(a)
    if x.dtype.is_complex:
        raise TypeError(
            f"argsort does not support complex64/complex128 dtypes. Received dtype: {x.dtype}"
        )
    if not x.ndim:
        return array([0], whole_dtype())
    line, along = (reshape(x, [-1]), 0) if axis is None else (x, axis)
    return array(ordering.argsort(line, along, stable=kind == "stable"), whole_dtype())


def _check_order(kind: str, order: Any, kinds: tuple[str, ...]) -> None:
    if kind not in kinds:
        names = " and ".join(f'kind="{name}"' for name in kinds)
        verb = "is" if len(kinds) == 1 else "are"
        raise ValueError(
            f"Invalid value for argument `kind`. Only {names} {verb} supported. "
            f"Received: kind={kind}"
        )
    if order is not None:
        raise ValueError("The `order` argument is not supported. Pass order=None")
