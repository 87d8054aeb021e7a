"""Kernels that take less than the public functions that are made of them."""

from __future__ import annotations

from typing import Any

from symtape.ops.arguments import (
    FLOATS,
    SIGNED_REAL,
    allowed,
    check,
    is_tensor,
    listed,
    of_kernel,
    pair,
    scalar,
    tensor,
)
from symtape.ops.elementwise import arithmetic, conversion, functions
from symtape.ops.nn.windows.sliding import refuse_attribute
from symtape.ops.shapes import grids, joining
from symtape.tensor import dtypes
from symtape.tensor.convert import convert
from symtape.tensor.dispatch import invalid
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import shape_of

_COMPLEX = allowed("complex64, complex128")._replace(text="complex64, complex128, variant")


def absolute(x: Any) -> Tensor:
    """The absolute value of real numbers; complex ones have a kernel of their own."""
    x = tensor(x)
    check("Abs", x, SIGNED_REAL)
    return functions.abs(x)


def conjugate(x: Any) -> Tensor:
    """The conjugate of complex numbers, which other numbers become unless they are tensors."""
    x = of_kernel(x, dtypes.complex64, _COMPLEX)
    check("Conj", x, _COMPLEX, "input:T -> output:T")
    return functions.conj(x)


def clipped(x: Any, low: Any, high: Any) -> Tensor:
    """Clip by numbers, or by arrays of the same shape."""
    x = tensor(x)
    low, high = (t if is_tensor(t) else convert(t, x.dtype) for t in (low, high))
    a, b = (shape_of(tensor(t)) for t in (low, high))
    if a not in {(), shape_of(x)} or b not in {(), shape_of(x)}:
        raise invalid(
            "ClipByValue",
            "clip_value_min and clip_value_max must be either of the same shape as input, or a "
            f"scalar. input shape: {listed(shape_of(x))}clip_value_min shape: {listed(a)}"
            f"clip_value_max shape: {listed(b)}",
        )
    return arithmetic.clip_by_value(x, low, high)


def numbers(start: Any, limit: Any, delta: Any) -> Tensor:
    """Evenly spaced numbers of the dtype of the first tensor; without one, whole numbers."""
    given = (start, limit, delta)
    own = next((tensor(v).dtype for v in given if is_tensor(v)), dtypes.int32)
    first, last, step = (v if is_tensor(v) else convert(v, own) for v in given)
    return grids.range(first, last, step)


def spaced(start: Any, stop: Any, num: Any) -> Tensor:
    """Evenly spaced numbers from one to another."""
    first, last = pair(start, stop)
    check("LinSpace", first, FLOATS, "start:T, stop:T, num:Tidx -> output:T")
    for name, end in (("start", first), ("stop", last)):
        if end.ndim:
            raise invalid("LinSpace", f"{name} must be a scalar, not shape {listed(shape_of(end))}")
    if scalar(num) <= 0:
        raise invalid("LinSpace", f"Requires num > 0: {scalar(num)}")
    return conversion.stop_gradient(grids.linspace(first, last, num))


def mirrored(x: Any, paddings: Any, mode: str) -> Tensor:
    """Pad with the elements on the other side of an end."""
    modes = ("REFLECT", "SYMMETRIC")
    if mode not in modes:
        raise refuse_attribute("MirrorPad", "mode", mode, modes)
    return joining.pad(x, paddings, mode)
