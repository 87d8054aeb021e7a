"""What functions of TensorFlow's do with ragged tensors."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

import numpy as np

from symtape.errors import UnsupportedError
from symtape.ops import ragged
from symtape.ops.arguments import integers, plain, tensor
from symtape.ops.control import mapping, python_functions
from symtape.ops.elementwise.arithmetic import where
from symtape.ops.elementwise.conversion import constant
from symtape.ops.elementwise.functions import exp
from symtape.ops.indexing.gathering import check_inside, gather
from symtape.ops.ragged import elementwise
from symtape.ops.ragged.dense import places_of
from symtape.ops.ragged.joining import concatenated, stacked, tiled
from symtape.ops.ragged.picking import expand_dims, rows_of, unsized
from symtape.ops.ragged.reductions import reduced
from symtape.ops.ragged.rows import Rows, len_of
from symtape.ops.ragged.splits import rows_between
from symtape.ops.ragged.tensor import RaggedTensor
from symtape.ops.runtime import printing
from symtape.ops.shapes.creation import size
from symtape.ops.shapes.grids import one_hot
from symtape.ops.shapes.repetition import reverse
from symtape.ops.shapes.shaping import reshape
from symtape.ops.strings import letters, parts
from symtape.stand_in.ragged.shapes import bincount, shape
from symtape.tensor import dtypes
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import look_at, shape_of

_BY_ELEMENTS = set(
    "abs acos acosh add add_n asin asinh atan atan2 atanh bitwise_and bitwise_or bitwise_xor cast "
    "ceil check_numerics clip_by_value complex conj cos cosh digamma divide divide_no_nan equal "
    "erf erfc exp expm1 floor floordiv floormod gelu greater greater_equal identity imag is_finite "
    "is_inf is_nan leaky_relu less less_equal lgamma log log1p log_sigmoid logical_and logical_not "
    "logical_or logical_xor maximum minimum mod multiply multiply_no_nan negative not_equal "
    "ones_like pow real reciprocal relu relu6 round rsqrt saturate_cast selu sigmoid sign "
    "sin sinh softplus softsign sqrt square squared_difference stop_gradient subtract tan tanh "
    "truediv xlogy zeros_like elu silu swish dropout as_string lower upper strip length substr "
    "regex_full_match regex_replace to_number to_hash_bucket to_hash_bucket_fast "
    "to_hash_bucket_strong join".split()
)
"""Functions that compute with the innermost values, one by one."""

Run = Callable[..., Any]


def takes(args: Sequence[Any]) -> bool:
    """Say whether rows are among arguments, or in a list that is the first or second."""
    for x in args:  # asked on every call of every function
        if isinstance(x, Rows):
            return True
    for x in args[:2]:
        if isinstance(x, (list, tuple)) and any(isinstance(y, Rows) for y in x):
            return True
    return False


def takes_named(name: str, kwargs: dict[str, Any]) -> bool:
    """Say whether rows are among what is given by name to a function that computes with rows."""
    if name not in _BY_ELEMENTS and name not in _FUNCTIONS:
        return False
    return any([isinstance(x, Rows) for x in kwargs.values()])


def applied(name: str, function: Run, args: Sequence[Any], kwargs: Any) -> Any:
    """Apply a function of TensorFlow's to arguments of which one at least is ragged.

    Raises `UnsupportedError` for functions that take dense tensors alone.
    """
    if function.__module__.startswith(_KNOWING):
        return function(*args, **kwargs)
    if name in _FUNCTIONS:
        return _FUNCTIONS[name](*args, **kwargs)
    if name.startswith("reduce_"):
        return reduced(name, *args, **{k: v for k, v in kwargs.items() if k != "name"})
    if name in _BY_ELEMENTS:
        if args and isinstance(args[0], (list, tuple)):

            def of_parts(*parts: Any) -> Any:
                return function(list(parts), *args[1:], **kwargs)

            return elementwise.map_flat_values(of_parts, *args[0])
        return elementwise.applied(function, *args, **kwargs)
    raise UnsupportedError(
        f"{name} of a RaggedTensor; apply it to to_tensor(), or by tf.ragged.map_flat_values"
    )


_KNOWING = (
    *(room.__name__ for room in (ragged, mapping, python_functions, parts, letters, printing)),
    *(f"symtape.stand_in.{name}" for name in ("older.operations", "ragged.crossing", "specs")),
)
"""Where functions are that know rows themselves."""


def _concat(values: Any, axis: Any, name: str | None = None) -> Any:
    several = values if isinstance(values, (list, tuple)) else [values]  # and not its rows
    return concatenated(RaggedTensor, several, int(plain(axis)))


def _stack(values: Any, axis: int = 0, name: str | None = None) -> Any:
    return stacked(RaggedTensor, values, axis)


def _expand_dims(input: Any, axis: Any, name: str | None = None) -> Any:
    place = int(plain(axis))
    return expand_dims(input, place + input.rank + 1 if place < 0 else place)


def _gather(
    params: Any,
    indices: Any,
    validate_indices: Any = None,
    axis: Any = None,
    batch_dims: int = 0,
    name: str | None = None,
) -> Any:
    if batch_dims:
        raise UnsupportedError("gather of a RaggedTensor with `batch_dims`")
    if isinstance(indices, Rows) and not isinstance(params, RaggedTensor):
        return _gather_along(tensor(params), indices, int(plain(axis or 0)))
    if axis not in {None, 0}:
        raise UnsupportedError("gather of a RaggedTensor along another axis than the first")
    if isinstance(indices, Rows):
        return indices.with_flat_values(_gather(params, indices.flat_values))
    if not isinstance(params, RaggedTensor):
        return gather(params, indices)
    places = np.asarray(plain(indices))
    check_inside(tensor(places), len_of(params), "RaggedGather")
    if places.ndim == 0:
        return params[int(places)]
    found = rows_of(params, places.ravel())
    for k in range(places.ndim - 1, 0, -1):
        rows = int(np.prod(places.shape[:k]))
        found = RaggedTensor.from_uniform_row_length(found, places.shape[k], rows)
    return unsized(found)


def _gather_along(params: Tensor, indices: Any, axis: int) -> Any:
    """Gather of a whole tensor by ragged rows, which stand where the axis did."""
    if not -params.ndim <= axis < params.ndim:
        bounds = f"expected {-params.ndim}<=axis<{params.ndim}"
        raise ValueError(f"axis={axis} out of bounds: {bounds}")
    place = axis % params.ndim
    found = gather(params, indices.flat_values, axis=place)
    outer, rest = shape_of(params)[:place], shape_of(found)[place + 1 :]
    if not outer:
        return indices.with_flat_values(found)
    count = prod(outer)
    lengths = [np.tile(look_at(n), count) for n in indices.nested_row_lengths()]
    flat = reshape(found, [count * shape_of(indices.flat_values)[0], *rest])
    rows = RaggedTensor.from_nested_row_lengths(flat, lengths)
    for size_of in (len_of(indices), *reversed(outer[1:])):
        rows = RaggedTensor.from_uniform_row_length(rows, size_of)
    return rows


def _embedding_lookup(params: Any, ids: Any, max_norm: Any = None, name: str | None = None) -> Any:
    if max_norm is not None:
        raise UnsupportedError("embedding_lookup of a RaggedTensor with `max_norm`")
    return _gather(params, ids)


def _size(input: Any, out_type: Any = "int32", name: str | None = None) -> Tensor:
    return size(input.flat_values, out_type=out_type)


def _rank(input: Any, name: str | None = None) -> Tensor:
    return Tensor(np.asarray(input.rank, np.int32))


def _reverse(tensor: Any, axis: Any, name: str | None = None) -> Any:
    rank, axes = tensor.rank, integers(axis)
    for k, n in enumerate(axes):
        if not -rank <= n < rank:
            raise ValueError(f"axis[{k}]={n} out of bounds: expected {-rank}<=axis[{k}]<{rank}")
    return _turned(tensor, {n % rank for n in axes})


def _turned(x: Any, axes: set[int]) -> Any:
    """Turn axes round: the order of rows, of what is in each, and of what is within that."""
    if not isinstance(x, Rows):
        return reverse(x, sorted(axes))
    inner = {n - 1 for n in axes if n > 1}
    values = _turned(x.values, inner) if inner else x.values
    if 1 in axes:
        places = [k for a, b in rows_between(x.splits) for k in range(b - 1, a - 1, -1)]
        values = _gather(values, np.array(places, np.int64))
    found: Any = x.with_values(values)
    return found[::-1] if 0 in axes else found


def _one_hot(
    indices: Any,
    depth: Any,
    on_value: Any = None,
    off_value: Any = None,
    axis: Any = None,
    dtype: Any = None,
    name: str | None = None,
) -> Any:
    place = -1 if axis is None else int(plain(axis))
    if 0 <= place <= indices.ragged_rank:
        levels = indices.ragged_rank
        raise ValueError(f"axis ({place}) must be greater than indices.ragged_rank ({levels}).")
    within = place if place < 0 else place - indices.ragged_rank
    return indices.with_flat_values(
        one_hot(indices.flat_values, depth, on_value, off_value, within, dtype)
    )


def where_of_rows(condition: Any, x: Any = None, y: Any = None, name: str | None = None) -> Any:
    """Choose elements of rows with broadcasting, or give the places where rows are true."""
    if x is None and y is None:
        flat = np.asarray(plain(condition.flat_values))
        return Tensor(places_of(condition)[flat.reshape(-1)])
    if x is None or y is None:
        raise ValueError("x and y must be either both None or both non-None")
    return elementwise.applied(where, condition, x, y)


def _reshape(tensor: Any, shape: Any, name: str | None = None) -> Any:
    if integers(shape) != [-1]:
        raise UnsupportedError("reshape of a RaggedTensor to another shape than [-1]")
    return reshape(tensor.flat_values, [-1])


def _squeeze(input: Any, axis: Any = None, name: str | None = None) -> Any:
    if axis is None or integers(axis) != [0] or len_of(input) != 1:
        raise UnsupportedError("squeeze of a RaggedTensor along another axis than the first")
    return input.values


def _softmax(logits: Any, axis: Any = None, name: str | None = None) -> Any:
    rows = logits
    if axis not in {None, -1, 1} or rows.ragged_rank != 1 or rows.rank != 2:
        raise UnsupportedError("softmax of a RaggedTensor but over rows of numbers")
    highest = gather(reduced("reduce_max", rows, 1), rows.rowids)
    powers = exp(rows.flat_values - highest)
    total = gather(reduced("reduce_sum", rows.with_values(powers), 1), rows.rowids)
    return rows.with_values(powers / total)


def _reduce_join(
    inputs: Any,
    axis: Any = None,
    keepdims: bool = False,
    separator: str = "",
    name: str | None = None,
) -> Tensor:
    last = inputs.rank - 1
    if axis is None or integers(axis) not in ([last], [-1]) or last != 1 or keepdims:
        raise UnsupportedError("reduce_join of a RaggedTensor but of each row, with axis=-1")
    rows = [separator.encode().join(row) for row in inputs.to_list()]
    return constant(rows, dtypes.string)


def _tile(input: Any, multiples: Any, name: str | None = None) -> Any:
    return tiled(input, integers(multiples))


_FUNCTIONS: dict[str, Run] = {
    "bincount": bincount,
    "shape": shape,
    "concat": _concat,
    "reduce_join": _reduce_join,
    "stack": _stack,
    "expand_dims": _expand_dims,
    "gather": _gather,
    "embedding_lookup": _embedding_lookup,
    "size": _size,
    "rank": _rank,
    "one_hot": _one_hot,
    "reverse": _reverse,
    "where": where_of_rows,
    "reshape": _reshape,
    "squeeze": _squeeze,
    "softmax": _softmax,
    "tile": _tile,
}
