"""NumPy's functions that make arrays of shapes, where a tensor says that they are tensors.

`np.zeros_like(x)`, and `np.zeros(3, like=x)` for any shape. They are numbers in the formula, and a
function that is recorded may write into them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from symtape.errors import UnsupportedError
from symtape.ops.arguments import integers
from symtape.ops.elementwise.arithmetic import add, divide, multiply, pow, subtract
from symtape.ops.elementwise.conversion import cast
from symtape.ops.numpy.arrays.axes import moveaxis
from symtape.ops.numpy.dtypes import pair, stacked
from symtape.ops.shapes.repetition import broadcast_to
from symtape.ops.shapes.shaping import reshape
from symtape.tensor.convert import convert
from symtape.tensor.recording.active import THREAD
from symtape.tensor.tensor import Literal, Tensor
from symtape.tensor.values import dtype_of, shape_of


def _filled(shape: Any, number: Any, dtype: Any) -> Tensor:
    """Repeat a number, which is one in the formula as well."""
    wanted = np.dtype(dtype)
    if isinstance(number, (bool, int, float, complex)) and not isinstance(number, np.generic):
        value: Tensor = Literal.of(wanted.type(number).item(), wanted)
    else:
        value = cast(convert(number), wanted)
    for recording in THREAD.state.recordings:
        recording.follow(value)
    return broadcast_to(value, integers(shape))


def _like(number: Any) -> Callable[..., Tensor]:
    def apply(a: Any, dtype: Any = None, *, shape: Any = None) -> Tensor:
        return _full_like(a, number, dtype, shape=shape)

    return apply


def _full_like(a: Any, fill_value: Any, dtype: Any = None, *, shape: Any = None) -> Tensor:
    x = convert(a)
    wanted = shape_of(x) if shape is None else shape
    return _filled(wanted, fill_value, dtype_of(x) if dtype is None else dtype)


def _of_shape(number: Any) -> Callable[..., Tensor]:
    def apply(shape: Any, dtype: Any = float) -> Tensor:
        return _filled(shape, number, dtype)

    return apply


def _full(shape: Any, fill_value: Any, dtype: Any = None) -> Tensor:
    own = dtype_of(fill_value) if isinstance(fill_value, Tensor) else np.asarray(fill_value).dtype
    return _filled(shape, fill_value, own if dtype is None else dtype)


def _array(object: Any, dtype: Any = None, *, copy: Any = True, ndmin: int = 0) -> Tensor:
    """Stack what a nested list holds: `np.array([x[0], 2.0], like=x)`."""
    x = convert(stacked(object))
    x = x if dtype is None else cast(x, np.dtype(dtype))
    lead = [1] * (ndmin - x.ndim)
    return reshape(x, [*lead, *shape_of(x)]) if lead or copy else x


def _eye(N: int, M: int | None = None, k: int = 0, dtype: Any = float) -> Tensor:  # noqa: N803 - NumPy's names
    return convert(np.eye(N, M, k, dtype))


def _shares(num: int, endpoint: bool, first: Tensor, last: Tensor) -> Any:
    """Give how far each of some places is, in front of the axes of both ends."""
    shares = np.linspace(0, 1, num, endpoint).astype(dtype_of(first))
    return shares.reshape([-1] + [1] * max(first.ndim, last.ndim))


def _ends(start: Any, stop: Any) -> list[Tensor]:
    return [x if dtype_of(x).kind in "fc" else cast(x, np.float64) for x in pair(start, stop)]


def _linspace(
    start: Any,
    stop: Any,
    num: int = 50,
    endpoint: bool = True,
    retstep: bool = False,
    dtype: Any = None,
    *,
    axis: int = 0,
) -> Any:
    """Go from one number to another one in equal steps, which have an axis of their own."""
    first, last = _ends(start, stop)
    shares = _shares(num, endpoint, first, last)
    made = moveaxis(add(multiply(first, 1 - shares), multiply(last, shares)), 0, axis)
    made = made if dtype is None else cast(made, np.dtype(dtype))
    if not retstep:
        return made
    steps = num - 1 if endpoint else num
    return made, divide(subtract(last, first), float(steps) if steps else np.nan)


def _logspace(
    start: Any, stop: Any, num: int = 50, endpoint: bool = True, base: Any = 10.0, *, axis: int = 0
) -> Tensor:
    """Raise a base to powers in equal steps."""
    if np.ndim(base):
        raise UnsupportedError("np.logspace is recorded for one base: raise each to np.linspace")
    return moveaxis(pow(*pair(base, _linspace(start, stop, num, endpoint))), 0, axis)


def _geomspace(
    start: Any, stop: Any, num: int = 50, endpoint: bool = True, *, axis: int = 0
) -> Tensor:
    """Multiply by equal factors, from one number to another one of its sign."""
    first, last = [cast(x, np.result_type(dtype_of(x), np.float64)) for x in pair(start, stop)]
    shares = _shares(num, endpoint, first, last)
    return moveaxis(multiply(first, pow(divide(last, first), shares)), 0, axis)


FUNCTIONS: dict[Any, Callable[..., Any]] = {
    np.zeros_like: _like(0),
    np.empty_like: _like(0),
    np.ones_like: _like(1),
    np.full_like: _full_like,
    np.linspace: _linspace,
    np.logspace: _logspace,
    np.geomspace: _geomspace,
}
"""What is made like a tensor, or from one tensor to another."""

CREATED: dict[Any, Callable[..., Any]] = {
    np.zeros: _of_shape(0),
    np.empty: _of_shape(0),
    np.ones: _of_shape(1),
    np.full: _full,
    np.eye: _eye,
    np.identity: lambda n, dtype=float: _eye(n, dtype=dtype),
    np.arange: lambda *args, dtype=None: convert(np.arange(*args, dtype=dtype)),
    np.array: _array,
    np.asarray: lambda a, dtype=None, copy=None: _array(a, dtype, copy=bool(copy)),
    np.asanyarray: lambda a, dtype=None, copy=None: _array(a, dtype, copy=bool(copy)),
}
"""What `like=` makes tensors of."""
