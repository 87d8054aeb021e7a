"""Numbers evenly spaced, and grids of them: range, linspace, meshgrid."""

from __future__ import annotations

import builtins
from collections.abc import Iterable
from typing import Any

import numpy as np

from symtape.ops.arguments import (
    is_tensor,
    listed,
    same_dtype,
    scalar,
    tensor,
)
from symtape.ops.elementwise.arithmetic import add, divide, multiply, subtract
from symtape.ops.elementwise.conversion import cast, stop_gradient
from symtape.ops.shapes.creation import element_count, numeric, spread
from symtape.ops.shapes.joining import concat
from symtape.ops.shapes.repetition import broadcast_to
from symtape.ops.shapes.shaping import expand_dims, reshape, with_shape
from symtape.program import operations as ops
from symtape.program.kinds.structural import Cumsum
from symtape.tensor import dtypes
from symtape.tensor.convert import convert
from symtape.tensor.decided import decided
from symtape.tensor.dispatch import apply2, follow, invalid, room, told
from symtape.tensor.recording.active import THREAD, recorded_by
from symtape.tensor.recording.looking import is_unknown
from symtape.tensor.tensor import Literal, Tensor
from symtape.tensor.unknown_sizes import unsized
from symtape.tensor.values import dtype_of, look_at, shape_of, size_of

_RANKED = ("int32", "int64", "float16", "bfloat16", "float32", "float64")


def range(
    start: Any, limit: Any = None, delta: Any = 1, dtype: Any = None, name: str = "range"
) -> Tensor:
    """Numbers from `start` on, `delta` apart, that do not reach `limit`; of one argument, from 0.

    The dtype is the widest of the arguments: int32, int64, float32 or float64. There is no
    gradient. Raises `InvalidArgumentError` for a `delta` of 0 or of the wrong sign, and
    `AssertionError` where there is no `dtype` and these are of others.

    >>> range(3).numpy()
    array([0, 1, 2], dtype=int32)
    >>> range(0.0, 1.0, 0.25).numpy()
    array([0.  , 0.25, 0.5 , 0.75], dtype=float32)
    """
    if limit is None:
        start, limit = 0, start
    parts = [convert(v, dtype) if not is_tensor(v) else convert(v) for v in (start, limit, delta)]
    parts = [with_shape(p, ()) if shape_of(p) == (1,) else p for p in parts]
    if dtype is None and any([p.dtype.name not in _RANKED for p in parts]):
        raise AssertionError(f"tf.range of {', '.join(p.dtype.name for p in parts)}")
    wanted = _widest(parts) if dtype is None else dtypes.as_dtype(dtype)
    first, last, step = (decided(p).astype(wanted.numpy)[()] for p in parts)
    for what, value in (("start", first), ("limit", last), ("delta", step)):
        if np.ndim(value):
            raise invalid("Range", f"{what} must be a scalar, not shape {listed(value.shape)}")
    check_direction(first, last, step)
    count = _count(first, last, step)
    with room("Range"):
        value = (first + step * np.arange(count, dtype=wanted.numpy)).astype(wanted.numpy)
    ends = _number(start, parts[0], wanted), _number(delta, parts[2], wanted)
    made = follow("Range", (), _evenly(value, *ends))
    return unsized(made, 0) if any(map(is_unknown, parts)) else made


def _number(given: Any, part: Tensor, wanted: dtypes.DType) -> Tensor:
    """Give a number that the author wrote as that, and a tensor as itself."""
    if is_tensor(given):
        return stop_gradient(cast(part, wanted))
    literal = _written(given, wanted.numpy)
    if literal is None:
        literal = Literal.of(decided(part).astype(wanted.numpy).item(), wanted.numpy)
    return literal


def _written(given: Any, dtype: Any) -> Literal | None:
    """Give a number that the author wrote as that, and nothing for what is none."""
    plain = given.item() if isinstance(given, np.number) else given
    return Literal.of(plain, dtype) if plain.__class__ in (int, float) else None


def as_written(given: Any, part: Tensor) -> Tensor:
    """Give a number that the author wrote as that, in the dtype of what it became.

    >>> type(as_written(2, tensor(2))).__name__, as_written([2], tensor([2])).shape
    ('EagerTensor', TensorShape([1]))
    """
    literal = _written(given, dtype_of(part))
    return part if literal is None else literal


def _evenly(value: Any, first: Tensor, step: Tensor) -> Tensor:
    """Tell tapes of numbers that are evenly spaced: first + step·i."""
    if not THREAD.state.recordings:
        return Tensor(value)
    scaled = told(Tensor(value), ops.multiply, counting(value.size, value.dtype), step)
    return told(Tensor(value), ops.add, scaled, first)


def counting(count: int, dtype: Any) -> Tensor:
    """Count from 0, and tell tapes so: each place is the number of ones before it.

    >>> counting(3, np.dtype("float32")).numpy()
    array([0., 1., 2.], dtype=float32)
    """
    places = np.arange(count, dtype=dtype)
    return told(Tensor(places), Cumsum(-1, True, False), spread(np.ones_like(places), 1))


def _widest(parts: list[Tensor]) -> dtypes.DType:
    return max([p.dtype for p in parts], key=lambda d: _RANKED.index(d.name))


def check_direction(first: Any, last: Any, step: Any) -> None:
    """Raise `InvalidArgumentError` for a step of 0, or one that leads away from the last number.

    >>> check_direction(0, 3, 1)
    """
    if step == 0:
        raise invalid("Range", "Requires delta != 0: 0")
    ends = "/".join(
        [f"{x:g}" if isinstance(x, (float, np.floating)) else f"{x}" for x in (first, last)]
    )
    if step > 0 and not first <= last:  # and nan is neither
        raise invalid("Range", f"Requires start <= limit when delta > 0: {ends}")
    if not step > 0 and not first >= last:
        raise invalid("Range", f"Requires start >= limit when delta < 0: {ends}")


def _count(first: Any, last: Any, step: Any) -> int:
    """Count the numbers of a range; raise `InvalidArgumentError` where there are too many."""
    if not isinstance(first, np.integer):
        with np.errstate(over="ignore"):
            count = np.ceil((last - first) / step)
    else:
        count = -((int(first) - int(last)) // int(step))
    if count > _MOST:
        raise invalid("Range", f"Requires ((limit - start) / delta) <= {_MOST}")
    return max(int(count), 0)


_MOST = 2**63 - 1


def _joint_shape(a: tuple[int, ...], b: tuple[int, ...]) -> tuple[int, ...]:
    try:
        return np.broadcast_shapes(a, b)
    except ValueError:
        text = f"Incompatible shapes: {listed(a)} vs. {listed(b)}"
        raise invalid("BroadcastArgs", text) from None


def linspace(start: Any, stop: Any, num: Any, name: str | None = None, axis: int = 0) -> Tensor:
    """`num` numbers from `start` to `stop`, both included, evenly spaced along a new axis.

    Integers become float64, small ones float32. Gradients flow to tensors given as `start` and
    `stop`.

    >>> linspace(0.0, 1.0, 3).numpy()
    array([0. , 0.5, 1. ], dtype=float32)
    """
    first = tensor(start)
    last = _stop_like(stop, first)
    if first.dtype.is_integer:
        kind = dtypes.float32 if dtype_of(first).itemsize < 4 else dtypes.float64
        first, last = cast(first, kind), cast(last, kind)
    first, last = as_written(start, first), as_written(stop, last)
    count = scalar(num)
    if not 0 <= count < 2**31:
        raise invalid("Range", "Requires start <= limit when delta > 0: 1/-1")
    wide = _joint_shape(shape_of(first), shape_of(last))
    rank = len(wide) + 1
    place = axis if axis >= 0 else axis + rank
    if wide:
        first, last = [expand_dims(broadcast_to(x, wide), place) for x in (first, last)]
    if count < 2:
        one = first if wide else expand_dims(first, 0)
        return one[tuple([slice(None)] * place + [slice(count)])]
    with recorded_by([]):
        made = _between(first, last, count, place)
    return _told_between(made, first, last, place) if THREAD.state.recordings else made


def _between(first: Tensor, last: Tensor, count: int, axis: int) -> Tensor:
    """Compute as TensorFlow does: the last number is `last`, whatever the steps add up to."""
    ends = [reshape(x, [1]) if x.ndim == 0 else x for x in (first, last)]
    delta = divide(subtract(ends[1], ends[0]), float(count - 1))
    steps = Tensor(np.arange(1, count - 1, dtype=dtype_of(first)))
    inner = add(ends[0], multiply(delta, along_axis(steps, axis, delta.ndim)))
    return concat([ends[0], inner, ends[1]], axis)


def _told_between(made: Tensor, first: Tensor, last: Tensor, axis: int) -> Tensor:
    """Tell tapes first + (last - first) i / (count - 1), which is exact at both ends.

    Where that product would be infinite, as in half precision, (last - first) / (count - 1) i.
    """
    places = along_axis(counting(shape_of(made)[axis], dtype_of(made)), axis, made.ndim)
    count = element_count(places, (axis - made.ndim,), dtype_of(made))
    spaces = subtract(count, Literal.of(1, dtype_of(made)))
    from_zero = isinstance(first, Literal) and not look_at(first)
    span = last if from_zero else subtract(last, first)
    if _is_finite(span, spaces):
        beyond = ops.divide, multiply(span, places), spaces
    else:
        beyond = ops.multiply, divide(span, spaces), places
    return told(made, *beyond) if from_zero else told(made, ops.add, apply2(*beyond), first)


def _is_finite(span: Tensor, spaces: Tensor) -> bool:
    """Say whether a product is finite, and of a precision that has numbers to spare."""
    with recorded_by([]):
        product = look_at(multiply(span, spaces))
    return product.dtype.itemsize > 2 and bool(np.all(np.isfinite(product)))


def along_axis(numbers: Tensor, axis: int, rank: int) -> Tensor:
    """Give numbers in a row an axis among others.

    >>> along_axis(tensor([1, 2]), 1, 3).shape
    TensorShape([1, 2, 1])
    """
    return reshape(numbers, [-1 if k == axis else 1 for k in builtins.range(rank)])


def _stop_like(stop: Any, first: Tensor) -> Tensor:
    try:
        return convert(stop, first.dtype)
    except ValueError as error:
        raise ValueError(f"stop: {error}") from None


def meshgrid(*args: Any, **kwargs: Any) -> list[Tensor]:
    """Grids of coordinates: each vector repeated along the axes of the others.

    `indexing` is "xy" (the first two axes change places) or "ij".

    >>> [g.numpy().tolist() for g in meshgrid([1, 2], [3, 4], indexing="ij")]
    [[[1, 1], [2, 2]], [[3, 4], [3, 4]]]
    """
    indexing = kwargs.pop("indexing", "xy")
    kwargs.pop("name", None)
    if kwargs:
        raise TypeError(f"{next(iter(kwargs))!r} is an invalid keyword argument for this function")
    vectors = [reshape(v, [-1]) for v in args]
    for v in vectors:
        numeric(v.dtype)
        same_dtype("Mul", v, vectors[0])
    return grids(vectors, indexing)


def grids(values: Iterable[Any], indexing: str) -> list[Tensor]:
    """Repeat each vector along the axes of the others; dtypes may differ, as NumPy has it.

    Raises `ValueError` for another `indexing`.

    >>> [g.numpy().tolist() for g in grids([tensor([1]), tensor([0.5, 2.0])], "ij")]
    [[[1, 1]], [[0.5, 2.0]]]
    """
    if indexing not in ("xy", "ij"):
        raise ValueError(
            f"Argument `indexing` parameter must be either 'xy' or 'ij', got {indexing!r}"
        )
    vectors = [reshape(v, [-1]) for v in values]
    order = list(builtins.range(len(vectors)))
    if indexing == "xy" and len(vectors) > 1:
        order[0], order[1] = 1, 0
    sizes = [0] * len(vectors)
    for k, v in enumerate(vectors):
        sizes[order[k]] = size_of(v)
    return [
        broadcast_to(
            reshape(v, [-1 if axis == order[k] else 1 for axis in builtins.range(len(vectors))]),
            sizes,
        )
        for k, v in enumerate(vectors)
    ]
