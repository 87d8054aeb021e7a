"""Functions of elements and axes by the arguments that they had in TensorFlow 1: a line each.

Each is written as what it is in TensorFlow 2, and has the signature that it had. An argument that
has two names may be given by one of them.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

from symtape.stand_in.devices.runtime import tuple_v2
from symtape.stand_in.older.arguments.names import axis_of, keeps, now, one
from symtape.stand_in.sparse import measuring
from symtape.stand_in.sparse.functions import SparseTensor, to_dense
from symtape.stand_in.sparse.rows import segments

tf: Any = importlib.import_module(__name__.partition(".")[0])
"""The public face."""


def _cast(dtype: Any) -> Callable[..., Any]:
    return lambda x, name=None: tf.cast(x, dtype, name)


def _div(x: Any, y: Any, name: str | None = None) -> Any:
    """Divide as Python 2 did: integers are rounded down."""
    x = tf.convert_to_tensor(x)
    y = tf.convert_to_tensor(y, dtype=x.dtype.base_dtype)
    is_exact = x.dtype.is_floating or x.dtype.is_complex
    return tf.truediv(x, y, name) if is_exact else tf.math.floordiv(x, y, name)


def _batch_gather(params: Any, indices: Any, name: str | None = None) -> Any:
    """Take elements along the last axis of the indices, of the same element of a batch."""
    indices = tf.convert_to_tensor(indices)
    return tf.gather(params, indices, axis=indices.ndim - 1, batch_dims=indices.ndim - 1, name=name)


def _clip_by_average_norm(t: Any, clip_norm: Any, name: str | None = None) -> Any:
    """Scale a tensor so that its norm by element is at most a number."""
    t = tf.convert_to_tensor(t)
    count = tf.cast(tf.size(t), tf.float32)
    inverse = tf.math.rsqrt(tf.reduce_sum(t * t, tf.range(tf.rank(t))))
    limit = tf.constant(1.0) / clip_norm
    return tf.identity(t * clip_norm * tf.minimum(inverse * count, limit), name)


def _reduced(word: str) -> Callable[..., Any]:
    reduce = getattr(tf, f"reduce_{word}")
    return lambda input_tensor, axis=None, keepdims=None, name=None, reduction_indices=None, \
        keep_dims=None: reduce(
            input_tensor, axis_of(axis, "reduction_indices", reduction_indices),
            keeps(keepdims, keep_dims), name,
        )  # fmt: skip


def _of_segments(word: str) -> Callable[..., Any]:
    join = getattr(segments, f"segment_{word}")
    return lambda data, indices, segment_ids, name=None, num_segments=None, \
        sparse_gradient=False: join(
            data, indices, segment_ids, num_segments, sparse_gradient, name
        )  # fmt: skip


def _sparse_to_dense(
    sparse_indices: Any,
    output_shape: Any,
    sparse_values: Any,
    default_value: Any = 0,
    validate_indices: bool = True,
    name: str | None = None,
) -> Any:
    """Put elements at places, which are numbers, a list of them, or rows of them."""
    places = tf.cast(tf.convert_to_tensor(sparse_indices), tf.int64)
    if places.ndim < 2:
        places = tf.reshape(places, [-1, 1])
    values = tf.convert_to_tensor(sparse_values)
    if not values.ndim:
        values = tf.fill([places.shape[0]], values)
    given = SparseTensor(places, values, tf.cast(output_shape, tf.int64))
    return to_dense(given, default_value, validate_indices, name)


def _parts_of_texts(
    input: Any = None,
    sep: Any = None,
    maxsplit: int = -1,
    result_type: str = "SparseTensor",
    source: Any = None,
    name: str | None = None,
) -> Any:
    """Split texts; parts are elements of a sparse tensor, or rows."""
    texts = tf.convert_to_tensor(one("input", input, "source", source))
    found = tf.strings.split(texts if texts.ndim else texts[None], sep, maxsplit, name)
    if result_type.lower() == "sparsetensor":
        return found.to_sparse()
    if result_type.lower() == "raggedtensor":
        return found
    raise ValueError("result_type must be 'RaggedTensor' or 'SparseTensor'.")


ELEMENTS: dict[str, Callable[..., Any]] = {
    "sparse_to_dense": _sparse_to_dense,
    "strings.split": _parts_of_texts,
    **{
        f"reduce_{word}": _reduced(word)
        for word in ("all", "any", "logsumexp", "max", "mean", "min", "prod", "sum")
    },
    "constant": lambda value, dtype=None, shape=None, name="Const", verify_shape=False: tf.constant(
        value, dtype, _of_value(value, shape) if verify_shape else shape, name
    ),
    "convert_to_tensor": lambda value, dtype=None, name=None, preferred_dtype=None,
    dtype_hint=None: tf.convert_to_tensor(
        value, dtype, one("dtype_hint", dtype_hint, "preferred_dtype", preferred_dtype), name
    ),
    "decode_csv": lambda records, record_defaults, field_delim=",", use_quote_delim=True, name=None,
    na_value="", select_cols=None: now(tf.io.decode_csv, locals()),
    "decode_raw": lambda input_bytes=None, out_type=None, little_endian=True, name=None, bytes=None:
    tf.io.decode_raw(
        one("input_bytes", input_bytes, "bytes", bytes), out_type, little_endian, None, name
    ),
    "gather": lambda params, indices, validate_indices=None, name=None, axis=None, batch_dims=0: (
        now(tf.gather, locals())
    ),
    "gather_nd": lambda params, indices, name=None, batch_dims=0, bad_indices_policy="": (
        now(tf.gather_nd, locals())
    ),
    "ones_like": lambda tensor, dtype=None, name=None, optimize=True: tf.ones_like(
        tensor, dtype, name
    ),
    "pad": lambda tensor, paddings, mode="CONSTANT", name=None, constant_values=0: (
        now(tf.pad, locals())
    ),
    "reduce_join": lambda inputs, axis=None, keep_dims=None, separator="", name=None,
    reduction_indices=None, keepdims=None: tf.strings.reduce_join(
        inputs, axis_of(axis, "reduction_indices", reduction_indices), keeps(keepdims, keep_dims),
        separator, name,
    ),
    "shape": lambda input, name=None, out_type=None: measuring.shape(input, out_type),
    "size": lambda input, name=None, out_type=tf.int32: measuring.size(input, out_type),
    "string_to_hash_bucket": lambda string_tensor=None, num_buckets=None, name=None, input=None: (
        now(tf.strings.to_hash_bucket, locals(), input="string_tensor")
    ),
    "trace": lambda x, name=None: tf.linalg.trace(x, name),
    "transpose": lambda a, perm=None, name="transpose", conjugate=False: (
        now(tf.transpose, locals())
    ),
    "tuple": lambda tensors, name=None, control_inputs=None: now(tuple_v2, locals()),
    "zeros_like": lambda tensor, dtype=None, name=None, optimize=True: tf.zeros_like(
        tensor, dtype, name
    ),
    "argmax": lambda input, axis=None, name=None, dimension=None, output_type=tf.int64: (
        now(tf.argmax, locals(), axis="dimension")
    ),
    "argmin": lambda input, axis=None, name=None, dimension=None, output_type=tf.int64: (
        now(tf.argmin, locals(), axis="dimension")
    ),
    "arg_max": lambda input, dimension, output_type=tf.int64, name=None: tf.argmax(
        input, dimension, output_type, name
    ),
    "arg_min": lambda input, dimension, output_type=tf.int64, name=None: tf.argmin(
        input, dimension, output_type, name
    ),
    "batch_gather": _batch_gather,
    "batch_to_space": lambda input, crops, block_size, name=None, block_shape=None: (
        tf.batch_to_space(input, _block(block_shape, block_size), crops, name)
    ),
    "boolean_mask": lambda tensor, mask, name="boolean_mask", axis=None: (
        now(tf.boolean_mask, locals())
    ),
    "clip_by_average_norm": _clip_by_average_norm,
    "confusion_matrix": lambda labels, predictions, num_classes=None, dtype=tf.int32, name=None,
    weights=None: now(tf.math.confusion_matrix, locals()),
    "count_nonzero": lambda input_tensor=None, axis=None, keepdims=None, dtype=tf.int64, name=None,
    reduction_indices=None, keep_dims=None, input=None: tf.math.count_nonzero(
        one("input", input, "input_tensor", input_tensor),
        axis_of(axis, "reduction_indices", reduction_indices),
        keeps(keepdims, keep_dims), dtype, name,
    ),
    "div": _div,
    "expand_dims": lambda input, axis=None, name=None, dim=None: (
        now(tf.expand_dims, locals(), axis="dim")
    ),
    "floor_div": lambda x, y, name=None: now(tf.math.floordiv, locals()),
    "multinomial": lambda logits, num_samples, seed=None, name=None, output_dtype=None: (
        tf.random.categorical(logits, num_samples, output_dtype, seed, name)
    ),
    "norm": lambda tensor, ord="euclidean", axis=None, keepdims=None, name=None, keep_dims=None: (
        tf.norm(tensor, ord, axis, keeps(keepdims, keep_dims), name)
    ),
    "random_poisson": lambda lam, shape, dtype=tf.float32, seed=None, name=None: (
        now(tf.random.poisson, locals())
    ),
    "reverse_sequence": lambda input, seq_lengths, seq_axis=None, batch_axis=None, name=None,
    seq_dim=None, batch_dim=None: (
        now(tf.reverse_sequence, locals(), seq_axis="seq_dim", batch_axis="batch_dim")
    ),
    "space_to_batch": lambda input, paddings, block_size=None, name=None, block_shape=None: (
        tf.space_to_batch(input, _block(block_shape, block_size), paddings, name)
    ),
    "space_to_depth": lambda input, block_size, name=None, data_format="NHWC": (
        now(tf.nn.space_to_depth, locals())
    ),
    "depth_to_space": lambda input, block_size, name=None, data_format="NHWC": (
        now(tf.nn.depth_to_space, locals())
    ),
    "squeeze": lambda input, axis=None, name=None, squeeze_dims=None: (
        now(tf.squeeze, locals(), axis="squeeze_dims")
    ),
    "string_to_number": lambda string_tensor=None, out_type=tf.float32, name=None, input=None: (
        now(tf.strings.to_number, locals(), input="string_tensor")
    ),
    "substr": lambda input, pos, len, name=None, unit="BYTE": now(tf.strings.substr, locals()),
    "to_bfloat16": _cast("bfloat16"),
    "to_complex64": _cast("complex64"),
    "to_complex128": _cast("complex128"),
    "to_double": _cast("float64"),
    "to_float": _cast("float32"),
    "to_int32": _cast("int32"),
    "to_int64": _cast("int64"),
    "verify_tensor_all_finite": lambda t=None, msg=None, name=None, x=None, message=None: (
        tf.debugging.assert_all_finite(one("x", x, "t", t), one("message", message, "msg", msg))
    ),
    "math.bincount": lambda arr, weights=None, minlength=None, maxlength=None, dtype=tf.int32: (
        now(tf.math.bincount, locals())
    ),
    "math.in_top_k": lambda predictions, targets, k, name=None: now(tf.math.in_top_k, locals()),
    "math.log_softmax": lambda logits, axis=None, name=None, dim=None: tf.nn.log_softmax(
        logits, axis_of(axis, "dim", dim), name
    ),
    "math.softmax": lambda logits, axis=None, name=None, dim=None: tf.nn.softmax(
        logits, axis_of(axis, "dim", dim), name
    ),
    **{
        f"sparse{mark}segment_{word}": _of_segments(word)
        for word in ("mean", "sqrt_n", "sum")
        for mark in "._"
    },
    "strings.length": lambda input, name=None, unit="BYTE": now(tf.strings.length, locals()),
}  # fmt: skip


def _of_value(value: Any, shape: Any) -> Any:
    """Give a shape, which has to be that of the value: nothing is repeated to fill it."""
    own = tf.constant(value)
    if shape is not None and tf.TensorShape(shape) != own.shape:
        raise TypeError(
            f"Expected Tensor {own.numpy()} (converted from {value}) with shape {tuple(shape)}, "
            f"but got shape {tuple(own.shape)}."
        )
    return shape


def _block(shape: Any, size: Any) -> Any:
    """Give the block of both axes, by its shape or by one size."""
    return shape if size is None else [size, size]
