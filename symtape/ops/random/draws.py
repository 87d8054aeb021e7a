"""From random bits to a tensor: the shapes, dtypes and errors that random operations share."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

import numpy as np

from symtape.ops.arguments import PLACES, Allowed, check, listed
from symtape.ops.random.drawing import philox
from symtape.ops.random.drawing.philox import Stream
from symtape.program import operations as ops
from symtape.tensor import dtypes
from symtape.tensor.convert import convert
from symtape.tensor.decided import decided
from symtape.tensor.dispatch import apply2, in_one, invalid, room
from symtape.tensor.dtypes import DType
from symtape.tensor.recording.looking import forgotten, sized
from symtape.tensor.tensor import Literal, Tensor
from symtape.tensor.values import dtype_of, shape_of

FULL_INTEGERS = Allowed("int32, int64, uint32, uint64", frozenset("ilqILQ"))

Sampler = Callable[[Stream, int, np.dtype[Any]], Any]


def sizes(op: str, shape: Any, empty: DType = dtypes.int32) -> tuple[tuple[int, ...], DType]:
    """Read a `shape=` argument, and the dtype that it has for TensorFlow.

    Raises `InvalidArgumentError` for anything but a vector of integers that are not negative.
    """
    given = list(shape) if type(shape).__name__ == "TensorShape" else shape
    tensor = convert(given, empty if isinstance(given, (list, tuple)) and not given else None)
    allowed(op, tensor.dtype, PLACES, "T")
    if tensor.ndim != 1:
        found = listed(shape_of(tensor))
        raise invalid(op, f"shape must be a vector of {{int32,int64}}, got shape {found}")
    result = tuple(sized(tensor, decided(tensor)).tolist())
    for n in result:
        if n < 0:
            raise invalid(op, f"Dimension {n} must be >= 0")
    return result, tensor.dtype


def allowed(op: str, dtype: DType, takes: Allowed, attr: str = "dtype") -> None:
    """Raise TensorFlow's `InvalidArgumentError` unless an operation takes a dtype."""
    check(op, Tensor(np.empty((), dtype.numpy)), takes, "shape:T -> output:dtype", attr)


def accepted(dtype: Any, names: tuple[str, ...]) -> DType:
    """Read a `dtype=` argument; raises `ValueError` with TensorFlow's text for one not listed."""
    found = dtypes.as_dtype(dtype)
    if found.name not in names:
        shown = ", ".join(f"tf.{n}" for n in names)
        raise ValueError(
            f"Argument `dtype` got invalid value {found}. Accepted dtypes are ({shown})."
        )
    return found


def sample(
    op: str, sampler: Sampler, stream: Stream, shape: tuple[int, ...], dtype: DType
) -> Tensor:
    """Draw a tensor; raises `ResourceExhaustedError` where there is no room."""
    with room(op):
        made = Tensor(sampler(stream, prod(shape), dtype.numpy).reshape(shape)[()])
    forgotten(made)
    return made


def parameter(name: str, value: Any, dtype: DType) -> Tensor:
    """Convert a parameter of a distribution; a number that the author wrote stays that number."""
    try:
        tensor = convert(value, dtype)
    except ValueError as error:
        named = "conversion requested" in str(error)
        raise ValueError(f"{name}: {error}" if named else str(error)) from None
    return Literal.of(value, dtype.numpy) if type(value) in (int, float) else tensor


def scaled(drawn: Tensor, scale: Tensor, shift: Tensor) -> Tensor:
    """Give `drawn * scale + shift`, which a tape differentiates in `scale` and `shift`."""
    are_alike = dtype_of(drawn) == dtype_of(scale) == dtype_of(shift)
    if are_alike and dtype_of(drawn).char in "fd" and drawn.ndim > scale.ndim == shift.ndim == 0:
        found = in_one(_moved, drawn, scale, shift)
        if found is not None:
            return found
    return apply2(ops.add, apply2(ops.multiply, drawn, scale), shift)


def _moved(x: Any, scale: Any, shift: Any) -> Any:
    """Give `x * scale + shift`, with room for one array."""
    found = np.multiply(x, scale)
    return np.add(found, shift, out=found)


def with_moments(draw: Callable[[DType], Tensor], mean: Any, stddev: Any, dtype: Any) -> Tensor:
    """Draw around 0 with deviation 1 in a dtype, and give another mean and deviation."""
    found = dtypes.as_dtype(dtype)
    shift, scale = parameter("mean", mean, found), parameter("stddev", stddev, found)
    return scaled(draw(found), scale, shift)


def between(drawn: Tensor, low: Tensor, high: Tensor) -> Tensor:
    """Give `drawn * (high - low) + low`."""
    return scaled(drawn, apply2(ops.subtract, high, low), low)


def integer_sampler(op: str, low: Any, high: Any, dtype: DType, count: int) -> Sampler:
    """Make the sampler of integers from [low, high), both scalars."""
    ends: list[int] = []
    for name, value in (("minval", low), ("maxval", high)):
        tensor = convert(value, dtype)
        if tensor.ndim:
            raise invalid(op, f"{name} must be 0-D, got shape {listed(shape_of(tensor))}")
        ends.append(int(decided(tensor)))
    if count and ends[0] >= ends[1]:
        raise invalid(op, f"Need minval < maxval, got {ends[0]} >= {ends[1]}")
    return lambda stream, size, kind: philox.integers(stream, size, ends[0], ends[1], kind)


def permuted(tensor: Tensor, stream: Stream, count: int) -> Tensor:
    """Exchange each row with one that comes after it, as random bits say, or with itself."""
    order = list(range(count))
    choices = philox.bits(stream, count - 1)[: count - 1] % np.arange(count, 1, -1, dtype=np.uint32)
    for i, step in enumerate(choices.tolist()):
        order[i], order[i + step] = order[i + step], order[i]
    return Tensor(decided(tensor)[order])


def check_end(op: str, wanted: tuple[int, ...], inner: tuple[int, ...]) -> None:
    """Raise `InvalidArgumentError` unless a shape ends with that of the parameters."""
    if tuple(wanted[len(wanted) - len(inner) :]) != inner:
        raise invalid(
            op,
            f"Shape passed in must end with broadcasted shape: {listed(inner)} is no end of "
            f"{listed(wanted)}",
        )


def in_shape(found: Any, shape: tuple[int, ...], kind: DType) -> Tensor:
    """Give numbers of double precision in a shape and a dtype."""
    with np.errstate(invalid="ignore"):
        return Tensor(found.reshape(shape).astype(kind.numpy)[()])
