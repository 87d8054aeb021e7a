"""`tf.test.compute_gradient`: Jacobians by the tape, and by central differences."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from symtape.errors import UnsupportedError
from symtape.tape import GradientTape
from symtape.tensor.convert import convert
from symtape.tensor.dtypes import DType
from symtape.tensor.tensor import Tensor

_DELTA = 1.0 / 1024
Jacobians = tuple[Any, ...]


def compute_gradient(
    f: Callable[..., Any], x: Sequence[Any], delta: float | None = None
) -> tuple[Jacobians, Jacobians]:
    """Give the Jacobians of `f` by each of its arguments `x`, from the tape and by differences.

    Both are tuples of a matrix for each argument, with a row for each element of `f(*x)` and a
    column for each element of the argument; a complex element is two, its real and its imaginary
    part. The differences are central, (f(x + delta) - f(x - delta)) / (2 delta) in the dtypes of
    the function, so they are approximate; `delta` is 1/1024 if it is not given.

    Raises `ValueError` if `x` is no list or tuple, and for a gradient of another shape of an empty
    result, `AssertionError` for arguments and results that
    are neither floating nor complex, and `UnsupportedError` for a step that a dtype cannot take.

    >>> compute_gradient(lambda x: x * x, [1.0])
    ((array([[2.]], dtype=float32),), (array([[2.]], dtype=float32),))
    """
    if not isinstance(x, (list, tuple)):
        raise ValueError(
            "`x` must be a list or tuple of values convertible to a Tensor (arguments to `f`), "
            f"not a {type(x)}"
        )
    xs = [convert(value) for value in x]
    y = f(*xs)
    shape, dtype = y.shape, y.dtype  # as in TensorFlow, an AttributeError for a list
    for k, value in enumerate(xs):
        _check(value.dtype, f"argument {k}")
        _check(dtype, "y")
    step = _DELTA if delta is None else delta
    count = int(np.prod(tuple(shape)))
    return (
        tuple([_by_tape(f, tuple(shape), dtype, xs, k) for k in range(len(xs))]),
        tuple([_by_differences(f, count, dtype, xs, k, step) for k in range(len(xs))]),
    )


def _check(dtype: DType, what: str) -> None:
    if not (dtype.is_floating or dtype.is_complex):
        raise AssertionError(f"Cannot compute gradient for unsupported type {dtype.name} of {what}")


def _by_tape(
    f: Callable[..., Any], shape: tuple[int, ...], dtype: DType, xs: Sequence[Tensor], k: int
) -> Any:
    with GradientTape(persistent=True, watch_accessed_variables=False) as tape:
        tape.watch(xs[k])
        y = f(*xs)
    weights = np.zeros(shape, dtype.numpy)
    parts = _parts(weights)
    found = np.zeros((parts.size, _parts(xs[k].numpy()).size), _real(xs[k].dtype))
    for row in range(parts.size):
        parts[row] = 1
        gradient = tape.gradient(y, xs[k], output_gradients=convert(weights.copy()))
        if gradient is not None:
            found[row] = _parts(gradient.numpy())
        parts[row] = 0
    if not parts.size:
        _check_empty(tape.gradient(y, xs[k], output_gradients=convert(weights)), xs[k])
    return found


def _check_empty(gradient: Tensor | None, x: Tensor) -> None:
    """See that the gradient of an empty result has the shape of its argument, and is zero."""
    if gradient is None:
        return
    if gradient.shape != x.shape:
        raise ValueError(
            f"Empty gradient has wrong shape: expected {x.shape}, got {gradient.shape}"
        )
    if np.any(gradient.numpy()):
        raise ValueError("Empty tensor with nonzero gradients")


def _by_differences(
    f: Callable[..., Any], count: int, dtype: DType, xs: Sequence[Tensor], k: int, delta: float
) -> Any:
    arrays = [np.array(value.numpy()) for value in xs]
    parts = _parts(arrays[k])
    rows = count * (2 if dtype.is_complex else 1)
    scale = np.asarray(2 * delta, _real(dtype))[()]
    found = np.zeros((rows, parts.size), parts.dtype)
    for column in range(parts.size):
        original = parts[column]
        values = []
        around = [original + parts.dtype.type(sign * delta) for sign in (1, -1)]
        if around[0] == around[1]:
            raise _lost(xs[k].dtype, original, delta)
        for moved in around:
            parts[column] = moved
            values.append(f(*[convert(a.copy()) for a in arrays]).numpy())
            parts[column] = original
        found[:, column] = _parts((values[0] - values[1]) / scale)
    return found


def _lost(dtype: DType, x: Any, delta: float) -> UnsupportedError:
    return UnsupportedError(
        f"compute_gradient of {dtype.name}: a step of {delta:g} from {float(x):g} is lost in its "
        "digits; give a larger delta, or cast arguments to tf.float64"
    )


def _parts(array: Any) -> Any:
    """See an array as a vector of real numbers; what is written there is written to the array."""
    flat = np.asarray(array).reshape(-1)
    return flat.view(flat.real.dtype)


def _real(dtype: DType) -> Any:
    return np.zeros((), dtype.numpy).real.dtype
