"""What is read by its kind: arguments beside tensors, and dtypes in functions that are traced."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tests.answers.answer import Table
from tests.answers.numpy_names import outcome
from tests.answers.stand_ins import told, wide

TABLE = Table("kinds_of_arguments")

Run = Callable[[Any, Any], Any]
M = np.array([[2.0, 1.0], [0.5, 4.0]], np.float32)
BANDS = np.array([[4.0, 5.0, 6.0], [0.0, 1.0, 2.0]])
IMAGE = np.arange(36.0, dtype=np.float32).reshape(1, 6, 6, 1)
LOGITS = np.array([[[2.0, 0.5, 0.1]], [[0.3, 1.0, 0.2]]], np.float32)
GIVEN: dict[str, Any] = {
    "nothing": None,
    "one": 1,
    "half": 0.5,
    "true": True,
    "a text": "a",
    "bytes": b"a",
    "a list": [1],
    "a shape": (2, 3),
    "a scalar of NumPy's": np.float32(2.0),
    "an array": np.array([1, 2]),
    "not a number": float("nan"),
}

CALLS: dict[str, Run] = {
    "lower of triangular_solve": lambda tf, v: tf.linalg.triangular_solve(M, M, lower=v),
    "adjoint of triangular_solve": lambda tf, v: tf.linalg.triangular_solve(M, M, adjoint=v),
    "lower of banded_triangular_solve": lambda tf, v: tf.linalg.banded_triangular_solve(
        BANDS, BANDS.T, lower=v
    ),
    "full_matrices of qr": lambda tf, v: tf.abs(tf.linalg.qr(M, full_matrices=v)[1]),
    "full_matrices of svd": lambda tf, v: tf.linalg.svd(M, full_matrices=v)[0],
    "exclusive of cumulative_logsumexp": lambda tf, v: tf.math.cumulative_logsumexp(M, exclusive=v),
    "little_endian of decode_raw": lambda tf, v: tf.io.decode_raw(b"ab", "int16", v),
    "pad of encode_base64": lambda tf, v: tf.io.encode_base64("a", v),
    "keepdims of reduce_join": lambda tf, v: tf.strings.reduce_join(["a", "b"], 0, keepdims=v),
    "separator of reduce_join": lambda tf, v: tf.strings.reduce_join(["a", "b"], 0, separator=v),
    "short sequences of ngrams": lambda tf, v: tf.strings.ngrams(
        ["a", "b"], 3, preserve_short_sequences=v
    ),
    "code of unicode_decode": lambda tf, v: tf.strings.unicode_decode("a", v),
    "errors of unicode_transcode": lambda tf, v: tf.strings.unicode_transcode(
        "a", "UTF-8", "UTF-8", errors=v
    ),
    "precision of as_string": lambda tf, v: tf.strings.as_string(M, precision=v),
    "shortest of as_string": lambda tf, v: tf.strings.as_string(M, shortest=v),
    "fill of as_string": lambda tf, v: tf.strings.as_string(M, fill=v),
    "buckets of to_hash_bucket_fast": lambda tf, v: tf.strings.to_hash_bucket_fast("a", v),
    "sorted of top_k": lambda tf, v: tf.math.top_k(M, 1, v)[1],
    "recall of approx_max_k": lambda tf, v: tf.math.approx_max_k(M, 1, recall_target=v)[1],
    "size of approx_max_k": lambda tf, v: tf.math.approx_max_k(
        M, 1, reduction_input_size_override=v
    )[1],
    "aggregation of approx_max_k": lambda tf, v: tf.math.approx_max_k(M, 1, aggregate_to_topk=v)[1],
    "binary of bincount": lambda tf, v: tf.math.bincount([1, 1, 3], binary_output=v),
    "radius of local_response_normalization": lambda tf, v: tf.nn.lrn(IMAGE, v),
    "alpha of local_response_normalization": lambda tf, v: tf.nn.lrn(IMAGE, alpha=v),
    "bits of fake_quant_with_min_max_args": lambda tf, v: (
        tf.quantization.fake_quant_with_min_max_args(M, num_bits=v)
    ),
    "end of fake_quant_with_min_max_args": lambda tf, v: (
        tf.quantization.fake_quant_with_min_max_args(M, max=v)
    ),
    "range of quantize_and_dequantize_v2": lambda tf, v: tf.quantization.quantize_and_dequantize_v2(
        M, 0.0, 3.0, range_given=v
    ),
    "overlap of fractional_max_pool": lambda tf, v: tf.nn.fractional_max_pool(
        IMAGE, 1.5, pseudo_random=True, overlapping=v, seed=1
    )[0],
    "paths of ctc_beam_search_decoder": lambda tf, v: tf.nn.ctc_beam_search_decoder(
        LOGITS, [2], top_paths=v
    )[1],
    "uniqueness of all_candidate_sampler": lambda tf, v: tf.random.all_candidate_sampler(
        [[0]], 1, 2, v
    )[0],
    "count of all_candidate_sampler": lambda tf, v: tf.random.all_candidate_sampler(
        [[0]], 1, v, True
    )[0],
    "adjoint of sparse_dense_matmul": lambda tf, v: tf.sparse.sparse_dense_matmul(
        tf.sparse.from_dense(M), M, adjoint_a=v
    ),
    "keepdims of a sparse sum": lambda tf, v: tf.sparse.reduce_sum(
        tf.sparse.from_dense(M), 0, keepdims=v
    ),
    "axis of a reduction": lambda tf, v: tf.reduce_sum(M, axis=v),
    "axis of an expansion": lambda tf, v: tf.expand_dims(M, axis=v),
}

for _call, _run in CALLS.items():
    for _name, _value in GIVEN.items():

        def _asked(plain: Any, run: Run = _run, value: Any = _value) -> Any:
            return told(run(wide(plain), value))

        TABLE.add(f"{_call}, {_name}", _asked)

MIXED: dict[str, Callable[[Any, Any, Any], Any]] = {
    "sum": lambda _, x, y: x + y,
    "product": lambda tf, x, y: tf.matmul(x, y),
    "power": lambda _, x, y: x**y,
    "comparison": lambda _, x, y: x < y,
    "equality": lambda _, x, y: x == y,
    "concat": lambda tf, x, y: tf.concat([x, y], 0),
    "stack": lambda tf, x, y: tf.stack([x, y]),
    "add_n": lambda tf, x, y: tf.add_n([x, y]),
    "einsum": lambda tf, x, y: tf.einsum("ij,jk->ik", x, y),
    "where": lambda tf, x, y: tf.where(x > 0, x, y),
    "maximum": lambda tf, x, y: tf.maximum(x, y),
    "atan2": lambda tf, x, y: tf.atan2(x, y),
    "igamma": lambda tf, x, y: tf.math.igamma(x, y),
    "solve": lambda tf, x, y: tf.linalg.solve(x, y),
    "logical_and": lambda tf, x, y: tf.logical_and(x > 0, y),
    "reduce_all": lambda tf, _, y: tf.reduce_all(y),
    "sqrt": lambda tf, _, y: tf.sqrt(tf.cast(y, tf.int32)),
    "relu of truth values": lambda tf, x, _: tf.nn.relu(x > 0),
    "places": lambda tf, x, y: tf.gather(x, y),
}


def _end(told: str) -> str:
    """Leave out of an error where in the program it was raised."""
    return told.rpartition("TypeError: ")[2]


def _of_two_dtypes(run: Any) -> Callable[[Any], Any]:
    """Ask eagerly, within a function, and within one of a data set."""

    def ask(tf: Any) -> Any:
        x, y = tf.constant(M), tf.constant(M, tf.float64)
        data = tf.data.Dataset.from_tensors((x, y))
        return [
            outcome(lambda tf: run(tf, x, y), tf),
            _end(outcome(lambda _: tf.function(lambda a, b: run(tf, a, b))(x, y), tf)),
            _end(outcome(lambda _: list(data.map(lambda a, b: run(tf, a, b))), tf)),
        ]

    return ask


for _name, _mixed in MIXED.items():
    TABLE.add(f"two dtypes in {_name}", _of_two_dtypes(_mixed))


def _kind(tf: Any, value: Any) -> Any:
    """Tell what a function of NumPy's arrays is called with, eagerly and where it is traced."""
    seen: list[str] = []

    def note(x: Any) -> Any:
        seen.append(type(x).__name__)
        return np.int64(1)

    def call(x: Any) -> Any:
        return tf.numpy_function(note, [x], tf.int64)

    x = tf.constant(value)
    list(tf.data.Dataset.from_tensors(x).map(call))
    return [call(x), tf.function(call)(x), seen]


TABLE.add("what numpy_function gives of a number", lambda tf: _kind(tf, 1))
TABLE.add("what numpy_function gives of a text", lambda tf: _kind(tf, "a"))
TABLE.add("what numpy_function gives of a list", lambda tf: _kind(tf, [1.5]))
TABLE.rows(
    "what a tensor has",
    [
        lambda tf: str(bytes(tf.constant([1.0, 2.0]))),
        lambda tf: str(bytes(tf.constant(3))),
        lambda tf: tf.constant(1.0).is_packed,
        lambda tf: tf.constant(1.0).value_index,
        lambda tf: tf.constant(1.0).set_shape([2]),
        lambda tf: tf.constant([1.0, 2.0])[-3],
        lambda tf: tf.ones([2, 2])[0, -5],
        lambda tf: tf.Variable(1.0, shape=[2]),
    ],
)


AXES: dict[str, Any] = {
    "a whole number": lambda _: 1,
    "a fraction": lambda _: 1.5,
    "a tensor": lambda tf: tf.constant(1),
    "a number of NumPy's": lambda _: np.int64(1),
    "a number of another kind": lambda _: np.float32(1),
    "an array": lambda _: np.array(1),
    "a list": lambda _: [0, 1],
    "nothing": lambda _: None,
    "one beyond": lambda _: 3,
}
OF_ROWS: dict[str, Run] = {
    "reduce_max": lambda tf, axis: tf.reduce_max(tf.ragged.constant([[1.0, 2.0], [3.0]]), axis),
    "expand_dims": lambda tf, axis: tf.expand_dims(tf.ragged.constant([[1.0, 2.0], [3.0]]), axis),
    "softmax": lambda tf, axis: tf.nn.softmax(tf.ragged.constant([[1.0, 2.0], [3.0]]), axis),
    "gather": lambda tf, axis: tf.gather(tf.ragged.constant([[1.0, 2.0], [3.0]]), [0], axis=axis),
}
for _call, _run in OF_ROWS.items():
    for _name, _value in AXES.items():
        if (_call, _name) == ("softmax", "a list"):  # TensorFlow reads it, and takes the rest
            continue

        def _along(plain: Any, run: Run = _run, value: Any = _value) -> Any:
            found = run(wide(plain), value(plain))
            return found.to_list() if hasattr(found, "to_list") else found

        says = "type" if _call in {"reduce_max", "softmax"} or _name == "nothing" else "plain"
        TABLE.add(f"rows, {_call} along {_name}", _along, says=says)

NO_SPARSE: dict[str, Run] = {
    "to_dense": lambda tf, x: tf.sparse.to_dense(x),
    "reorder": lambda tf, x: tf.sparse.reorder(x),
    "reshape": lambda tf, x: tf.sparse.reshape(x, [4]),
    "slice": lambda tf, x: tf.sparse.slice(x, [0, 0], [1, 1]),
    "split": lambda tf, x: tf.sparse.split(x, 2, 0),
    "retain": lambda tf, x: tf.sparse.retain(x, [True]),
    "to_indicator": lambda tf, x: tf.sparse.to_indicator(x, 3),
    "fill_empty_rows": lambda tf, x: tf.sparse.fill_empty_rows(x, 0.0),
    "reset_shape": lambda tf, x: tf.sparse.reset_shape(x),
}
for _call, _run in NO_SPARSE.items():
    TABLE.add(f"{_call} of no sparse tensor", lambda tf, run=_run: run(wide(tf), tf.ones([2, 2])))
TABLE.rows(
    "two dtypes in a grid",
    [
        lambda tf: tf.meshgrid(tf.ones([2]), tf.ones([2], tf.float64)),
        lambda tf: tf.meshgrid([1, 2], [1.0, 2.0], indexing="ij"),
    ],
)
TABLE.rows(
    "rows that are made",
    [
        lambda tf: tf.ragged.segment_ids_to_row_splits(tf.constant([0, 1]), num_segments=3),
        lambda tf: tf.ragged.segment_ids_to_row_splits(tf.constant([0, 1], tf.int64)),
        lambda tf: tf.ragged.segment_ids_to_row_splits([0, 1]),
        lambda tf: tf.ragged.stack([tf.ones([2, 3]), tf.ones([2, 3])], axis=1),
        lambda tf: tf.ragged.stack([tf.ones([2, 3]), tf.ones([2, 2])], axis=1),
        lambda tf: str(tf.ragged.stack([tf.ones([2]), tf.ones([3])])),
    ],
)
TABLE.add(
    "zeta of large numbers",
    lambda tf: tf.math.zeta(tf.constant([np.inf, 1e30, 1e5, 1000.0], tf.float64), [[1.5], [3.0]]),
)


_STACK = M[None]
TURNS: dict[str, Run] = {
    "transpose_a of a matrix": lambda tf, v: tf.matmul(M, M, transpose_a=v),
    "transpose_b of a stack": lambda tf, v: tf.matmul(_STACK, M, transpose_b=v),
    "adjoint_a of a matrix": lambda tf, v: tf.matmul(M, M, adjoint_a=v),
    "adjoint_b of a stack": lambda tf, v: tf.matmul(M, _STACK, adjoint_b=v),
    "a_is_sparse of a matrix": lambda tf, v: tf.matmul(M, M, a_is_sparse=v),
    "b_is_sparse of doubles": lambda tf, v: tf.matmul(M.astype(float), M, b_is_sparse=v),
    "grad_a of a matrix": lambda tf, v: tf.matmul(M, M, grad_a=v),
    "grad_b of a stack": lambda tf, v: tf.matmul(_STACK, M, grad_b=v),
    "transpose_a of matvec": lambda tf, v: tf.linalg.matvec(M, M[0], transpose_a=v),
    "adjoint_a of matvec": lambda tf, v: tf.linalg.matvec(_STACK, M[:1], adjoint_a=v),
    "a_is_sparse of matvec": lambda tf, v: tf.linalg.matvec(M, M[0], a_is_sparse=v),
}
for _call, _run in TURNS.items():
    for _word, _value in GIVEN.items():
        if _word != "an array":
            TABLE.add(f"{_call}: {_word}", lambda tf, run=_run, v=_value: run(tf, v))

WITHOUT: dict[str, Run] = {
    "searchsorted": lambda tf, x: tf.searchsorted(x, x),
    "searchsorted to the right": lambda tf, x: tf.searchsorted(x, x, "right"),
    "tensor_scatter_nd_max": lambda tf, x: tf.tensor_scatter_nd_max(x, [[0]], x[:1]),
    "tensor_scatter_nd_min": lambda tf, x: tf.tensor_scatter_nd_min(x, [[0]], x[:1]),
    "tensor_scatter_nd_add": lambda tf, x: tf.tensor_scatter_nd_add(x, [[0]], x[:1]),
    "unique": lambda tf, x: tf.unique(x).y,
    "cross": lambda tf, x: tf.linalg.cross(x, x),
}
for _call, _run in WITHOUT.items():
    for _given in ("complex64", "bool", "int8", "float16"):
        for _wrap in ("", " in a function"):

            def _without(tf: Any, run: Run = _run, kind: str = _given, wrap: str = _wrap) -> Any:
                call = lambda x: run(tf, x)  # noqa: E731 - one of two
                x = tf.cast(tf.constant([0.0, 1.0, 2.0]), kind)
                return (tf.function(call) if wrap else call)(x)

            TABLE.add(f"{_call} of {_given}{_wrap}", _without, says="type")
