"""Normal numbers between bounds, with derivatives by all that they were drawn with."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from symtape.errors import InvalidArgumentError, UnsupportedError
from symtape.ops.arguments import allowed, check, same_dtype
from symtape.ops.elementwise.arithmetic import multiply_no_nan, where
from symtape.ops.elementwise.conversion import cast
from symtape.ops.elementwise.functions import erfc, exp
from symtape.ops.random.drawing.bounded import Bounds, bounded
from symtape.ops.random.draws import sizes
from symtape.ops.random.reparameterized import ruled, summed
from symtape.ops.random.stateless import stream_of
from symtape.tensor import dtypes
from symtape.tensor.convert import convert
from symtape.tensor.decided import decided
from symtape.tensor.dispatch import invalid
from symtape.tensor.recording.active import THREAD
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import dtype_of

_OP = "StatelessParameterizedTruncatedNormal"
_TAKEN = allowed("half, float, double")
_SIGNATURE = (
    "shape:S, seed:Tseed, means:dtype, stddevs:dtype, minvals:dtype, maxvals:dtype -> output:dtype"
)


def stateless_parameterized_truncated_normal(
    shape: Any,
    seed: Any,
    means: Any = 0.0,
    stddevs: Any = 1.0,
    minvals: Any = -2.0,
    maxvals: Any = 2.0,
    name: str | None = None,
) -> Tensor:
    """Draw normal numbers between bounds: the same for the same seed, two integers.

    `shape` ends with the shape that the four parameters broadcast to; of two bounds one may be
    infinite. The numbers are those that TensorFlow draws on one thread, as it does for some
    hundreds of them. Gradients flow to all parameters: a number keeps its place in its
    distribution (Figurnov, Mohamed and Mnih, "Implicit reparameterization gradients", 2018).
    Raises `InvalidArgumentError` for parameters of several dtypes, deviations that are not
    positive, and bounds between which nothing lies, and `UnsupportedError` for float16.

    >>> stateless_parameterized_truncated_normal([2], [1, 2], minvals=0.0, maxvals=1.0).shape
    TensorShape([2])
    """
    given = [convert(x) for x in (means, stddevs, minvals, maxvals)]
    try:
        return _with_slopes(_drawn(shape, seed, given), given)
    except InvalidArgumentError as error:  # TensorFlow tells no name of this one
        raise InvalidArgumentError(message=error.message.removesuffix(" name: ")) from None


def _drawn(shape: Any, seed: Any, given: Sequence[Tensor]) -> Tensor:
    check(_OP, given[0], _TAKEN, _SIGNATURE, "dtype")
    for number, x in enumerate(given[1:], 3):
        same_dtype(_OP, given[0], x, number)
    if given[0].dtype is dtypes.float16:
        raise UnsupportedError(
            "tf.random.stateless_parameterized_truncated_normal of float16: draw in float32, and "
            "cast"
        )
    stream, (wanted, _) = stream_of(_OP, seed, None), sizes(_OP, shape)
    values = np.broadcast_arrays(*[np.asarray(decided(x)) for x in given])
    inner = values[0].shape
    if wanted[len(wanted) - len(inner) :] != inner:
        raise invalid(_OP, "Shape passed in must end with broadcasted shape.")
    each = Bounds(*[np.ravel(v) for v in values])
    _check(each)
    count = math.prod(wanted[: len(wanted) - len(inner)])
    return Tensor(bounded(stream, each, count).reshape(wanted)[()])


def _check(each: Bounds) -> None:
    finite = np.isfinite(each.low) | np.isfinite(each.high)
    with np.errstate(invalid="ignore"):
        if not np.all((each.deviation > 0) & (each.low < each.high) & finite):
            raise invalid(_OP, "Invalid parameters")


def _with_slopes(drawn: Tensor, given: Sequence[Tensor]) -> Tensor:
    """Let numbers have their derivatives by the mean, the deviation and the bounds."""
    if not any([recording.knows(given) for recording in THREAD.state.recordings]):
        return drawn

    def pull(cotangents: Sequence[Tensor]) -> Sequence[Tensor]:
        wide = [cast(x, dtypes.float64) for x in (made, *given)]
        slopes = [cast(s, drawn.dtype) for s in _slopes(*wide)]
        return [summed(cotangents[0] * s, x) for s, x in zip(slopes, given, strict=True)]

    made = ruled("truncated normal", drawn, given, pull)
    return made


def _slopes(x: Tensor, mean: Tensor, deviation: Tensor, low: Tensor, high: Tensor) -> list[Tensor]:
    """Give the derivatives of numbers, of which the place in the distribution stays.

    If all is moved or scaled, the numbers are, too: so the first two follow from the others.
    """
    z, a, b = ((t - mean) / deviation for t in (x, low, high))
    below, above = _shares(z, a, b)
    by_low = multiply_no_nan(exp((z**2 - a**2) / 2), above)
    by_high = multiply_no_nan(exp((z**2 - b**2) / 2), below)
    scaled = multiply_no_nan(a, by_low) + multiply_no_nan(b, by_high)
    return [1.0 - by_low - by_high, z - scaled, by_low, by_high]


def _shares(z: Tensor, a: Tensor, b: Tensor) -> tuple[Tensor, Tensor]:
    """Give which part of the distribution lies below z and which above, both with all digits."""
    right = a + b > 0.0  # where the parts are counted from the right end
    start, end = where(right, -b, a), where(right, -a, b)
    first = _until(start)
    whole = _until(end) - first
    near = (_until(where(right, -z, z)) - first) / whole
    return where(right, 1.0 - near, near), where(right, near, 1.0 - near)


def _until(x: Tensor) -> Tensor:
    """Give the distribution function of the standard normal."""
    return 0.5 * erfc(-x / Tensor(np.sqrt(dtype_of(x).type(2))))
