"""Numbers evenly spaced, and places marked: range, linspace, meshgrid, one_hot."""

from __future__ import annotations

import builtins
from collections.abc import Iterable
from typing import Any

import numpy as np

from symtape.ops.arguments import (
    INDICES,
    REALS,
    allowed,
    attribute,
    called,
    check,
    is_tensor,
    listed,
    of_kernel,
    same_dtype,
    scalar,
    tensor,
)
from symtape.ops.elementwise.arithmetic import add, divide, multiply, subtract
from symtape.ops.elementwise.conversion import cast, stop_gradient
from symtape.ops.shapes.creation import element_count, numeric, spread
from symtape.ops.shapes.joining import concat
from symtape.ops.shapes.repetition import broadcast_to
from symtape.ops.shapes.shaping import expand_dims, reshape, transpose, with_shape
from symtape.program import operations as ops
from symtape.program.kinds.structural import Cumsum, Reshape, Scatter
from symtape.tensor import dtypes, operators
from symtape.tensor.convert import convert
from symtape.tensor.decided import decided, is_followed
from symtape.tensor.dispatch import apply, apply2, follow, invalid, room, told
from symtape.tensor.recording.active import THREAD, recorded_by
from symtape.tensor.recording.looking import forgotten, is_unknown, sized
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
    _check_direction(first, last, step)
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
    scaled = told(Tensor(value), ops.multiply, _places(value.size, value.dtype), step)
    return told(Tensor(value), ops.add, scaled, first)


def _places(count: int, dtype: Any) -> Tensor:
    """Count from 0, and tell tapes so: each place is the number of ones before it."""
    places = np.arange(count, dtype=dtype)
    return told(Tensor(places), Cumsum(-1, True, False), spread(np.ones_like(places), 1))


def _widest(parts: list[Tensor]) -> dtypes.DType:
    return max([p.dtype for p in parts], key=lambda d: _RANKED.index(d.name))


def _check_direction(first: Any, last: Any, step: Any) -> None:
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
    inner = add(ends[0], multiply(delta, _along(steps, axis, delta.ndim)))
    return concat([ends[0], inner, ends[1]], axis)


def _told_between(made: Tensor, first: Tensor, last: Tensor, axis: int) -> Tensor:
    """Tell tapes first + (last - first) i / (count - 1), which is exact at both ends.

    Where that product would be infinite, as in half precision, (last - first) / (count - 1) i.
    """
    places = _along(_places(shape_of(made)[axis], dtype_of(made)), axis, made.ndim)
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


def _along(numbers: Tensor, axis: int, rank: int) -> Tensor:
    """Give numbers in a row an axis among others."""
    return reshape(numbers, [-1 if k == axis else 1 for k in builtins.range(rank)])


def _stop_like(stop: Any, first: Tensor) -> Tensor:
    try:
        return convert(stop, first.dtype)
    except ValueError as error:
        raise ValueError(f"stop: {error}") from None


def one_hot(
    indices: Any,
    depth: Any,
    on_value: Any = None,
    off_value: Any = None,
    axis: int | None = None,
    dtype: Any = None,
    name: str | None = None,
) -> Tensor:
    """`on_value` (1) at the place that each index names on a new axis, `off_value` (0) elsewhere.

    There is no gradient. Raises `TypeError` if a value is not of `dtype`.

    >>> one_hot([1, 5], 3).numpy()
    array([[0., 1., 0.],
           [0., 0., 0.]], dtype=float32)
    """
    places = as_written(indices, of_kernel(indices, dtypes.int64, INDICES))
    check(
        "OneHot",
        places,
        INDICES,
        "indices:TI, depth:int32, on_value:T, off_value:T -> output:T",
        "TI",
    )
    if is_tensor(depth):
        depth = convert(depth, dtypes.int32)
    count = scalar(depth)
    if count < 0:
        call = called("OneHot", "", indices)
        raise invalid(call, f"depth must be non-negative, got: {count}")
    on, off = _hot_values(on_value, off_value, dtype)
    rank = places.ndim + 1
    place = -1 if axis is None else attribute(axis, "axis")
    if not -1 <= place < rank:
        raise invalid(
            "OneHot", f"Expected axis to be -1 or between [0, {rank}).  But received: {place}"
        )
    place = rank - 1 if place == -1 else place
    widened = Reshape.between(shape_of(places), _with_one(shape_of(places), place))
    if is_followed(places):
        return follow(widened, (places,), _hot_where(places, place, count, on, off))
    if THREAD.state.recordings and _can_be_told(places, count, on):
        return follow(widened, (places,), _told_hot(places, place, count, on, off))
    with room("OneHot"):
        made = np.moveaxis(_hot(decided(places), count, on, off), -1, place)[()]
    return follow(widened, (places,), Tensor(made))


def _can_be_told(places: Tensor, count: int, on: Any) -> bool:
    """Say whether each index is one of so many, and numbers stand at them."""
    own = look_at(places)
    is_within = count and (not own.size or (own.min() >= 0 and own.max() < count))
    return bool(is_within) and np.asarray(on).dtype.kind in "iufc"


def _told_hot(places: Tensor, axis: int, count: int, on: Any, off: Any) -> Tensor:
    """Tell tapes of ones that are added at places among zeros: off + (on - off) I[places]."""
    own, dtype = look_at(places), np.result_type(on, off)
    with room("OneHot"):
        hot = Tensor(_hot(own, count, dtype.type(1), dtype.type(0)))
    ones = spread(np.ones(shape_of(places), dtype), 1)
    made = told(hot, Scatter(0, 0, places.ndim, count), ones, places)
    if (on, off) != (1, 0):
        apart, least = [Literal.of(dtype.type(x).item(), dtype) for x in (on - off, off)]
        hot = Tensor(_hot(own, count, on, off))
        made = told(hot, ops.add, multiply(made, apart), least)
    if axis == places.ndim:
        return made
    axes = [*builtins.range(places.ndim)]
    return transpose(made, [*axes[:axis], places.ndim, *axes[axis:]])


def _with_one(shape: tuple[int, ...], place: int) -> tuple[int, ...]:
    return (*shape[:place], 1, *shape[place:])


def _hot_where(places: Tensor, axis: int, count: int, on: Any, off: Any) -> Tensor:
    """Compare with the numbers along an axis, as a formula of what indices came from has it."""
    shape = shape_of(places)
    along = _along(_places(count, dtype_of(places)), axis, len(shape) + 1)
    index = with_shape(places, (*shape[:axis], 1, *shape[axis:]))
    kind = np.result_type(on, off)
    chosen = [Literal.of(kind.type(v).item(), kind) for v in (on, off)]
    return apply(ops.where, apply2(ops.equal, index, along), *chosen)


def _hot(places: Any, count: int, on: Any, off: Any) -> Any:
    """Put `on` at the place that each index names along a last axis; what is too large is refused.

    The result is the first array that is made, so that one that does not fit fails at once.
    """
    rows = np.ravel(places)
    out = np.full((rows.size, count), off, np.result_type(on, off))
    is_there = (rows >= 0) & (rows < count)
    out[np.nonzero(is_there)[0], rows[is_there]] = on
    return out.reshape(*places.shape, count)


def _hot_values(on_value: Any, off_value: Any, dtype: Any) -> tuple[Any, Any]:
    given = {"on_value": on_value, "off_value": off_value}
    wanted = None if dtype is None else dtypes.as_dtype(dtype)
    values = {k: _hinted(v, wanted) for k, v in given.items() if v is not None}
    for k, v in values.items():
        if v.ndim:
            raise invalid("OneHot", f"{k} must be a scalar, but got: {listed(shape_of(v))}")
        if wanted is not None and v.dtype is not wanted:
            raise TypeError(f"dtype {v.dtype} of {k} does not match dtype parameter {wanted}")
    if len({v.dtype for v in values.values()}) > 1:
        raise TypeError(
            f"dtype {values['on_value'].dtype} of on_value does not match dtype "
            f"{values['off_value'].dtype} of off_value"
        )
    if wanted is None:
        wanted = next(iter(values.values())).dtype if values else dtypes.float32
    on = decided(values["on_value"]) if "on_value" in values else wanted.numpy.type(1)
    off = decided(values["off_value"]) if "off_value" in values else wanted.numpy.type(0)
    return on, off


def _hinted(value: Any, wanted: dtypes.DType | None) -> Tensor:
    """Make a tensor, of the dtype that is wanted where that can hold a number of Python's."""
    if wanted is not None and type(value) in {bool, int, float, complex}:
        try:
            return convert(value, wanted)
        except (TypeError, ValueError):
            pass
    return tensor(value)


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


def sequence_mask(
    lengths: Any, maxlen: Any = None, dtype: Any = dtypes.bool_, name: str | None = None
) -> Tensor:
    """Along a new last axis, true at as many first places as each length says.

    Raises `ValueError` for a `maxlen` with axes, `InvalidArgumentError` for one below zero.

    >>> sequence_mask([1, 2], 3).numpy()
    array([[ True, False, False],
           [ True,  True, False]])
    """
    counts, wanted = tensor(lengths), dtypes.of_kernel(dtype, dtypes.bool_)
    most = _longest(counts) if maxlen is None else tensor(maxlen)
    if shape_of(most):
        raise ValueError(
            "Argument `maxlen` must be scalar for sequence_mask, received `maxlen` = "
            f"{look_at(most)} with shape '{shape_of(most)}' instead"
        )
    check("Range", most, _STEPS, "start:Tidx, limit:Tidx, delta:Tidx -> output:Tidx", "Tidx")
    width = sized(most, decided(most))
    _check_direction(0, width, 1)
    with room("SequenceMask"):
        along = np.arange(width).astype(width.dtype)
    own = cast(expand_dims(counts, -1), most.dtype)
    if is_followed(counts):
        return cast(apply2(operators.less, Tensor(along), own), wanted)
    made = Tensor(along < decided(own))
    if is_unknown(counts):
        forgotten(made, [-1] if is_unknown(most) else [])
    return cast(made, wanted)


_STEPS = allowed("bfloat16, half, float, double, int8, int16, int32, int64, uint16, uint32")


def _longest(counts: Tensor) -> Tensor:
    """Give the largest number, which has no axis, and is at least zero."""
    check("Max", counts, REALS, "input:T, reduction_indices:Tidx -> output:T")
    made = Tensor(np.max(decided(counts), initial=0))
    return forgotten(made) if is_unknown(counts) else made
