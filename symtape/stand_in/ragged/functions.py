"""What functions of TensorFlow's do with ragged tensors."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from symtape.errors import UnsupportedError
from symtape.ops import ragged
from symtape.ops.arguments import integers, plain, valued
from symtape.ops.control import mapping, python_functions
from symtape.ops.elementwise.activation import softmax
from symtape.ops.elementwise.arithmetic import where
from symtape.ops.elementwise.bits import bitcast
from symtape.ops.elementwise.functions import exp
from symtape.ops.image.resizing import resize
from symtape.ops.indexing.gathering import gather, gather_nd
from symtape.ops.ragged import elementwise
from symtape.ops.ragged.dense import coordinates, places_of
from symtape.ops.ragged.joining import concatenated, stacked, tiled
from symtape.ops.ragged.picking import expand_dims
from symtape.ops.ragged.reductions import REDUCTIONS, reduced, reduced_by
from symtape.ops.ragged.rows import Rows
from symtape.ops.ragged.splits import positive, rows_between
from symtape.ops.ragged.tensor import RaggedTensor
from symtape.ops.reductions.scan import cumsum
from symtape.ops.runtime import printing
from symtape.ops.shapes.creation import size
from symtape.ops.shapes.joining import stack
from symtape.ops.shapes.marking import one_hot
from symtape.ops.shapes.repetition import reverse
from symtape.ops.shapes.shaping import reshape
from symtape.ops.sparse.tensor import SparseTensor
from symtape.ops.strings import letters, parts
from symtape.ops.strings.hashing import to_hash_bucket_strong
from symtape.ops.strings.segments import unsorted_segment_join
from symtape.ops.strings.texts import reduce_join
from symtape.stand_in.ragged.choosing import gathered, gathered_nd
from symtape.stand_in.ragged.mapping import to_sparse
from symtape.stand_in.ragged.parts import split, squeezed
from symtape.stand_in.ragged.products import matmul
from symtape.stand_in.ragged.segments import SEGMENTS, dynamic_partition
from symtape.stand_in.ragged.shapes import DynamicRaggedShape, bincount, shape, sparse_bincount
from symtape.stand_in.sparse import functions as of_sparse
from symtape.stand_in.sparse.rows import lookups
from symtape.tensor.tensor import Tensor

_BY_ELEMENTS = set(
    "abs acos acosh add add_n adjust_brightness adjust_gamma angle as_string asin asinh atan atan2 "
    "atanh bessel_i0 bessel_i0e bessel_i1 bessel_i1e bessel_j0 bessel_j1 bessel_k0 bessel_k0e "
    "bessel_k1 bessel_k1e bessel_y0 bessel_y1 bitwise_and bitwise_or bitwise_xor cast ceil "
    "check_numerics clip_by_value complex conj convert_image_dtype cos cosh dawsn decode_base64 "
    "decode_compressed digamma divide divide_no_nan dropout elu encode_base64 equal erf erfc "
    "erfcinv erfinv exp expint expm1 floor floordiv floormod fresnel_cos fresnel_sin gelu greater "
    "greater_equal identity imag invert is_finite is_inf is_nan join leaky_relu left_shift length "
    "less less_equal lgamma log log1p log_sigmoid logical_and logical_not logical_or logical_xor "
    "lower maximum minimum mod multiply multiply_no_nan ndtri negative nextafter not_equal "
    "ones_like pow random_brightness real realdiv reciprocal reciprocal_no_nan regex_full_match "
    "regex_replace relu relu6 right_shift rint round rsqrt saturate_cast scalar_mul selu sigmoid "
    "sigmoid_cross_entropy_with_logits sign silu sin sinh softplus softsign spence sqrt square "
    "squared_difference stateless_random_brightness stop_gradient strip substr subtract swish tan "
    "tanh to_hash_bucket to_hash_bucket_fast to_number truediv truncatediv "
    "truncatemod upper xdivy xlog1py xlogy zeros_like zeta".split()
)
"""Functions that compute with the innermost values, one by one."""

_OF_LISTS = {"add_n", "join"}
"""Functions of several tensors, for which the rows of one that is ragged stand."""

_ASSERTIONS = set(
    "assert_equal assert_greater assert_greater_equal assert_less assert_less_equal assert_near "
    "assert_none_equal".split()
)
"""Functions that compare elements, and give nothing."""

Run = Callable[..., Any]


def takes(args: Sequence[Any]) -> bool:
    """Say whether rows are among arguments, or in a list that is the first or second."""
    for x in args:  # asked on every call of every function
        if isinstance(x, Rows):
            return True
    for x in args[:2]:
        if isinstance(x, (list, tuple)) and any([isinstance(y, Rows) for y in x]):
            return True
    return False


def takes_named(name: str, kwargs: dict[str, Any]) -> bool:
    """Say whether rows are among what is given by name to a function that computes with rows."""
    for x in kwargs.values():  # asked on every call with names
        if isinstance(x, Rows):
            return name in _BY_ELEMENTS or name in _ASSERTIONS or name in _FUNCTIONS
    return False


def applied(name: str, function: Run, args: Sequence[Any], kwargs: Any) -> Any:
    """Apply a function of TensorFlow's to arguments of which one at least is ragged.

    Raises `UnsupportedError` for functions that take dense tensors alone.
    """
    if str(function.__module__).startswith(_KNOWING):
        return function(*args, **kwargs)
    if function is of_sparse.bincount:  # NumPy's and TensorFlow's have its name, too
        return sparse_bincount(*args, **kwargs)
    if name in _ASSERTIONS:
        return _asserting(function)(*args, **kwargs)
    if name in _FUNCTIONS:
        return _FUNCTIONS[name](*args, **kwargs)
    if name in REDUCTIONS:
        return reduced(name, *args, **{k: v for k, v in kwargs.items() if k != "name"})
    if name in _BY_ELEMENTS:
        if name in _OF_LISTS and args and isinstance(args[0], Rows):
            args = (_listed(name, args[0]), *args[1:])
            if not takes(args):
                return function(*args, **kwargs)
        if args and isinstance(args[0], (list, tuple)):

            def of_parts(*parts: Any) -> Any:
                return function(list(parts), *args[1:], **kwargs)

            return elementwise.map_flat_values(of_parts, *args[0])
        return elementwise.applied(function, *args, **kwargs)
    raise UnsupportedError(
        f"{name} of a RaggedTensor; apply it to to_tensor(), or by tf.ragged.map_flat_values"
    )


def _listed(name: str, rows: Any) -> list[Any]:
    """Take rows as the list of tensors that a function asks for; raises `TypeError` as it does."""
    if name == "join" and rows.ragged_rank > 1:
        raise TypeError(f"Expected list for 'inputs' argument to 'string_join' Op, not {rows}.")
    return [*rows]


_KNOWING = (
    *(room.__name__ for room in (ragged, mapping, python_functions, parts, letters, printing)),
    *(f"symtape.stand_in.{name}" for name in ("older.operations", "ragged.crossing", "specs")),
)
"""Where functions are that know rows themselves."""


def _concat(values: Any, axis: Any, name: str | None = None) -> Any:
    several = values if isinstance(values, (list, tuple)) else [values]  # and not its rows
    return concatenated(RaggedTensor, several, int(plain(axis)))


def _stack(values: Any, axis: int = 0, name: str | None = None) -> Any:
    if isinstance(values, RaggedTensor):  # its rows stand for tensors of one length
        return stack([*values], axis)
    return stacked(RaggedTensor, values, axis)


def _expand_dims(input: Any, axis: Any, name: str | None = None) -> Any:
    return expand_dims(input, positive(axis, input.rank + 1))


def _embedding_lookup(params: Any, ids: Any, max_norm: Any = None, name: str | None = None) -> Any:
    if max_norm is not None:
        raise UnsupportedError("embedding_lookup of a RaggedTensor with `max_norm`")
    return gathered(params, ids)


def _of_sparse_ids(function: Run) -> Run:
    """Make a function of sparse ids take ragged ones, with weights that are ragged, too."""

    def sparse(x: Any) -> Any:
        if isinstance(x, SparseTensor):
            raise TypeError(
                f"{function.__name__}: ids and weights must be of the same type, and one of them "
                "is ragged and one sparse; make the ragged one sparse by to_sparse()"
            )
        return to_sparse(x) if isinstance(x, RaggedTensor) else x

    def run(*args: Any, **kwargs: Any) -> Tensor:
        found: Tensor = function(*map(sparse, args), **{k: sparse(x) for k, x in kwargs.items()})
        return found

    return run


def _size(input: Any, out_type: Any = "int32", name: str | None = None) -> Tensor:
    return size(input.flat_values, out_type=out_type)


def _rank(input: Any, name: str | None = None) -> Tensor:
    return Tensor(np.asarray(input.rank, np.int32))


def _reverse(tensor: Any, axis: Any, name: str | None = None) -> Any:
    axes = {positive(n, tensor.rank, f"axis[{k}]") for k, n in enumerate(integers(axis))}
    return _turned(tensor, axes)


def _turned(x: Any, axes: set[int]) -> Any:
    """Turn axes round: the order of rows, of what is in each, and of what is within that."""
    if not isinstance(x, Rows):
        return reverse(x, sorted(axes))
    inner = {n - 1 for n in axes if n > 1}
    values = _turned(x.values, inner) if inner else x.values
    if 1 in axes:
        places = [k for a, b in rows_between(x.splits) for k in range(b - 1, a - 1, -1)]
        values = gathered(values, np.array(places, np.int64))
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
        flat = np.asarray(valued(condition.flat_values))
        return Tensor(places_of(condition)[flat.reshape(-1)])
    if x is None or y is None:
        raise ValueError("x and y must be either both None or both non-None")
    return elementwise.applied(where, condition, x, y)


def _reshape(tensor: Any, shape: Any, name: str | None = None) -> Any:
    if isinstance(shape, DynamicRaggedShape):
        return shape.filled(tensor.flat_values)
    if integers(shape) != [-1]:
        raise UnsupportedError("reshape of a RaggedTensor to another shape than [-1]")
    return reshape(tensor.flat_values, [-1])


def _softmax(logits: Any, axis: Any = None, name: str | None = None) -> Any:
    place = positive(-1 if axis is None else axis, logits.rank, "axis")
    return _softened(logits, place)


def _softened(x: Any, axis: int) -> Any:
    """Take the softmax along an axis that lies within rows."""
    if not isinstance(x, Rows):
        return softmax(x, axis)
    if axis == 0:
        raise UnsupportedError("softmax of a RaggedTensor along its first axis")
    if axis > 1:
        return x.with_values(_softened(x.values, axis - 1))
    if x.ragged_rank > 1:
        raise UnsupportedError("softmax of a RaggedTensor along an axis outside of ragged ones")
    highest = gather(reduced("reduce_max", x, 1), x.rowids)
    powers = exp(x.flat_values - highest)
    total = gather(reduced("reduce_sum", x.with_values(powers), 1), x.rowids)
    return x.with_values(powers / total)


def _cumsum(
    x: Any, axis: Any = 0, exclusive: bool = False, reverse: bool = False, name: str | None = None
) -> Any:
    place = positive(axis, x.rank, "axis")
    if place > x.ragged_rank:
        return x.with_flat_values(cumsum(x.flat_values, place - x.ragged_rank, exclusive, reverse))
    whole = cumsum(x.to_tensor(), place, exclusive, reverse)  # what is filled in adds nothing
    return x.with_flat_values(gather_nd(whole, coordinates(x)))


def _of_values(function: Run) -> Run:
    """Apply a function, whose other arguments are no tensors, to the innermost values."""

    def run(input: Any, *args: Any, **kwargs: Any) -> Any:
        return input.with_flat_values(function(input.flat_values, *args, **kwargs))

    return run


def _resize(images: Any, size: Any, *args: Any, **kwargs: Any) -> Tensor:
    if images.rank != 4:
        raise ValueError("tf.image.resize: images.shape.rank must be 4 if images is ragged.")
    whole = [x.to_tensor() if isinstance(x, RaggedTensor) else x for x in images]
    return stack([resize(x, size, *args, **kwargs) for x in whole])


def _asserting(function: Run) -> Run:
    """Make an assertion of elements compare those of ragged rows."""

    def run(x: Any, y: Any, *args: Any, **kwargs: Any) -> None:
        def check(a: Any, b: Any) -> Any:
            function(a, b, *args, **kwargs)
            return a if isinstance(x, Rows) else b

        elementwise.applied(check, x, y)

    return run


def _reduce_join(
    inputs: Any,
    axis: Any = None,
    keepdims: bool = False,
    separator: str = "",
    name: str | None = None,
) -> Any:
    def whole(texts: Any, along: Any = None) -> Tensor:
        return reduce_join(texts, along, separator=separator)

    def by_rows(texts: Any, ids: Any, count: int) -> Tensor:
        return unsorted_segment_join(texts, ids, count, separator)

    return reduced_by((whole, by_rows), inputs, axis, keepdims)


def _tile(input: Any, multiples: Any, name: str | None = None) -> Any:
    return tiled(input, integers(multiples))


_FUNCTIONS: dict[str, Run] = {
    "bincount": bincount,
    "shape": shape,
    "concat": _concat,
    "reduce_join": _reduce_join,
    "stack": _stack,
    "expand_dims": _expand_dims,
    "gather": gathered,
    "gather_nd": gathered_nd,
    "embedding_lookup": _embedding_lookup,
    "embedding_lookup_sparse": _of_sparse_ids(lookups.embedding_lookup_sparse),
    "safe_embedding_lookup_sparse": _of_sparse_ids(lookups.safe_embedding_lookup_sparse),
    "size": _size,
    "rank": _rank,
    "one_hot": _one_hot,
    "reverse": _reverse,
    "where": where_of_rows,
    "reshape": _reshape,
    "squeeze": squeezed,
    "split": split,
    "matmul": matmul,
    "cumsum": _cumsum,
    "bitcast": _of_values(bitcast),
    "to_hash_bucket_strong": _of_values(to_hash_bucket_strong),
    "resize": _resize,
    "dynamic_partition": dynamic_partition,
    **SEGMENTS,
    "softmax": _softmax,
    "tile": _tile,
}
