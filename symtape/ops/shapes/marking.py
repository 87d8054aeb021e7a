"""Places marked: one_hot and sequence_mask."""

from __future__ import annotations

import builtins
from decimal import Decimal
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
    scalar,
    tensor,
)
from symtape.ops.elementwise.arithmetic import multiply
from symtape.ops.elementwise.conversion import cast
from symtape.ops.shapes.creation import spread
from symtape.ops.shapes.grids import along_axis, as_written, check_direction, counting
from symtape.ops.shapes.shaping import expand_dims, transpose, with_shape
from symtape.program import operations as ops
from symtape.program.kinds.structural import Reshape, Scatter
from symtape.tensor import dtypes, operators
from symtape.tensor.convert import convert
from symtape.tensor.decided import decided, is_followed
from symtape.tensor.dispatch import apply, apply2, follow, invalid, room, told
from symtape.tensor.recording.active import THREAD
from symtape.tensor.recording.looking import forgotten, is_unknown, sized
from symtape.tensor.tensor import Literal, Tensor
from symtape.tensor.values import dtype_of, look_at, shape_of


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
    if THREAD.state.recordings and _can_be_told(places, count, on, off):
        return follow(widened, (places,), _told_hot(places, place, count, on, off))
    with room("OneHot"):
        made = np.moveaxis(_hot(decided(places), count, on, off), -1, place)[()]
    return follow(widened, (places,), Tensor(made))


def _can_be_told(places: Tensor, count: int, on: Any, off: Any) -> bool:
    """Say whether each index is one of so many, and finite numbers stand at them and elsewhere."""
    own, both = look_at(places), np.asarray([on, off])
    is_within = count and (not own.size or (own.min() >= 0 and own.max() < count))
    return bool(is_within) and both.dtype.kind in "iufc" and bool(np.all(np.isfinite(both)))


def _told_hot(places: Tensor, axis: int, count: int, on: Any, off: Any) -> Tensor:
    """Tell tapes of ones that are added at places among zeros: off + (on - off) I[places]."""
    own, dtype = look_at(places), np.result_type(on, off)
    with room("OneHot"):
        hot = Tensor(_hot(own, count, dtype.type(1), dtype.type(0)))
    ones = spread(np.ones(shape_of(places), dtype), 1)
    made = told(hot, Scatter(0, 0, places.ndim, count), ones, places)
    if (on, off) != (1, 0):
        apart, least = [Literal.of(x, dtype) for x in _apart(on, off)]
        hot = Tensor(_hot(own, count, on, off))
        made = told(hot, ops.add, multiply(made, apart), least)
    if axis == places.ndim:
        return made
    axes = [*builtins.range(places.ndim)]
    return transpose(made, [*axes[:axis], places.ndim, *axes[axis:]])


def _apart(on: Any, off: Any) -> tuple[Any, Any]:
    """Give on - off and off, as a person writes them whatever their precision: 0.85 and 0.05."""
    if np.result_type(on, off).kind != "f":
        return (on - off).item(), off.item()
    high, low = (Decimal(str(x)) for x in (on, off))
    return float(high - low), float(low)


def _with_one(shape: tuple[int, ...], place: int) -> tuple[int, ...]:
    return (*shape[:place], 1, *shape[place:])


def _hot_where(places: Tensor, axis: int, count: int, on: Any, off: Any) -> Tensor:
    """Compare with the numbers along an axis, as a formula of what indices came from has it."""
    shape = shape_of(places)
    along = along_axis(counting(count, dtype_of(places)), axis, len(shape) + 1)
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
    check_direction(0, width, 1)
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
