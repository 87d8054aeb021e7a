"""Calls with arguments of every kind, by which answers differed: dtypes, axes, sizes, ranks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tests.answers.answer import Table
from tests.answers.numpy_names import outcome
from tests.answers.stand_ins import wide

TABLE = Table("swept")

X = np.array([[0.1, 0.5, 0.3], [0.7, 0.2, 0.9]], np.float32)
IMAGE = X.reshape(1, 2, 3, 1)


def asked(name: str, *calls: Callable[[Any], Any]) -> None:
    """Add a row: some calls, each with what it gives or raises."""

    def run(plain: Any) -> Any:
        tf = wide(plain)
        return [outcome(call, tf) for call in calls]

    TABLE.add(name, run)


def over(values: list[Any], call: Callable[[Any, Any], Any]) -> list[Callable[[Any], Any]]:
    """Make a call for each value; one that needs the module is a function of it."""

    def one(tf: Any, value: Any) -> Any:
        return call(tf, value(tf) if callable(value) else value)

    return [lambda tf, value=value: one(tf, value) for value in values]


def slope(tf: Any, function: Callable[..., Any], *at: Any) -> Any:
    """Differentiate the sum of what a function gives, by each argument."""
    xs = [tf.constant(x) for x in at]
    with tf.GradientTape() as tape:
        tape.watch(xs)
        y = tf.reduce_sum(function(*xs))
    return tape.gradient(y, xs)


def _of(dtype: str, value: Any) -> Callable[[Any], Any]:
    return lambda tf: tf.constant(value, dtype)


# --- sparse and ragged tensors --------------------------------------------------------------------


def sparse(tf: Any, values: Any = (1.5, 2.0)) -> Any:
    """Give a sparse tensor of two rows."""
    return tf.SparseTensor([[0, 1], [1, 2]], list(values), [2, 3])


asked(
    "sparse axes and flags",
    *over(
        [
            *(_of("int64", -1), 0.5, "0", [[0, 1]], [1.0], _of("int32", [0, 1])),
            *(-1, [0, -1], True, np.int64(1), 5, None),
        ],
        lambda tf, v: [
            tf.sparse.reduce_sum(sparse(tf), v),
            tf.sparse.reduce_max(sparse(tf), v, output_is_sparse=True),
        ],
    ),
    *over([1, None, "a"], lambda tf, v: tf.sparse.reduce_max(sparse(tf), 1, v)),
    *over([1, None, "a"], lambda tf, v: tf.sparse.to_dense(sparse(tf), validate_indices=v)),
)
asked(
    "sparse sizes",
    *over(
        [-1, [-1], [3.0, 2], _of("int32", [3, 2])], lambda tf, v: tf.sparse.reshape(sparse(tf), v)
    ),
    *over([[[0, 1]], 1, [0.0, 1], [0, 1]], lambda tf, v: tf.sparse.slice(sparse(tf), v, [2, 2])),
    *over([[[2, 1]], 1, [2.0, 1], [2, 1]], lambda tf, v: tf.sparse.slice(sparse(tf), [0, 1], v)),
    *over(
        [1.0, "1", np.int32(1), _of("int32", 1), None],
        lambda tf, v: tf.sparse.expand_dims(sparse(tf), v),
    ),
    *over([1.0, "1", np.int32(1), _of("int32", 1)], lambda tf, v: tf.sparse.eye(2, v)),
    *over([np.int32(1), _of("int64", 1)], lambda tf, v: tf.sparse.concat(v, [sparse(tf)] * 2)),
    lambda tf: tf.sparse.split(sparse(tf), np.int32(1), 0),
    *over([_of("int32", 1), _of("int64", 1)], lambda tf, v: tf.sparse.split(sparse(tf), 2, v)),
)
asked(
    "sparse counts",
    *over(
        [-1, -7, [1], 2.5, None], lambda tf, v: tf.sparse.bincount([1, 2, 2], maxlength=v, axis=-1)
    ),
    *over([[1], 9, None], lambda tf, v: tf.sparse.bincount([1, 2, 2], minlength=v, axis=-1)),
    *over([None, 1, True], lambda tf, v: tf.sparse.bincount([1, 2, 2], binary_output=v, axis=-1)),
    *over(
        ["float16", "int8", "complex64", "float32"],
        lambda tf, v: tf.sparse.bincount([1, 2], weights=tf.constant([1, 2], v), axis=-1),
    ),
    lambda tf: tf.sparse.bincount(tf.constant([1], tf.int64), axis=-1),
)
asked(
    "sparse segments",
    *over(
        ["int16", "int64", "uint8"],
        lambda tf, v: tf.sparse.segment_mean(X, tf.constant([0, 1], v), [0, 0]),
    ),
    *over(
        ["int16", "int64", "uint8"],
        lambda tf, v: tf.sparse.segment_sum(X, [0, 1], tf.constant([0, 0], v)),
    ),
    *over([1, None, "a"], lambda tf, v: tf.sparse.segment_sum(X, [0], [0], sparse_gradient=v)),
    lambda tf: tf.sparse.segment_sum(X.astype(np.complex64), [0], [0]),
)
asked(
    "cross_hashed",
    *over([0, 5, 0.5, -1, [0]], lambda tf, v: tf.sparse.cross_hashed([tf.constant([["a"]])], v)),
    *over([0, 5, 0.5, -1, [0]], lambda tf, v: tf.ragged.cross_hashed([tf.constant([["a"]])], v)),
    *over([0, 7, None], lambda tf, v: tf.sparse.cross_hashed([tf.constant([["a"]])], 0, v)),
    *over([0, 7, None], lambda tf, v: tf.ragged.cross_hashed([tf.constant([["a"]])], 0, v)),
)
asked(
    "ragged boolean_mask",
    *over(
        [
            [[True, False, True]],
            [[True], [False]],
            [True],
            [],
            [True, False],
            np.ones((2, 2, 1), bool),
        ],
        lambda tf, v: tf.ragged.boolean_mask(X, tf.constant(v, tf.bool)),
    ),
    *over(
        [[True], [True, False, True], [True, False]],
        lambda tf, v: tf.ragged.boolean_mask(tf.ragged.constant([[1, 2], [3]]), v),
    ),
)
asked(
    "ragged range",
    *over([_of("uint8", 3), 1j, _of("float16", 2), True], lambda tf, v: tf.ragged.range(v)),
    *over(
        [True, 1j, 2.5, np.float16(1), _of("int64", -1)], lambda tf, v: tf.ragged.range([3], 9, v)
    ),
    *over(
        [*("float16", "int8", "uint64", "string", "complex64"), "float64", "int64"],
        lambda tf, v: tf.ragged.range([3, 5], dtype=v),
    ),
    *over([0.5, "0", 1], lambda tf, v: tf.ragged.range(v, [3], dtype=tf.int64)),
    *over(["float32", "int32"], lambda tf, v: tf.ragged.range([2], row_splits_dtype=v)),
)
asked(
    "ragged splits",
    *over(
        [0, 1.5, [[0, 1]], [1.0], [], [2, 0]], lambda tf, v: tf.ragged.segment_ids_to_row_splits(v)
    ),
    *over(
        [_of("int32", 4), [3], 1.5, 2], lambda tf, v: tf.ragged.segment_ids_to_row_splits([0], v)
    ),
    *over(
        ["float16", "int32", "float32"],
        lambda tf, v: tf.ragged.segment_ids_to_row_splits([0, 1], None, v),
    ),
    *over([[], [0], [0, 2], 1.5], lambda tf, v: tf.ragged.row_splits_to_segment_ids(v)),
)

asked(
    "drawn numbers",
    *over(
        ["bfloat16", "bool", "uint8", "float16", "int32", "complex64"],
        lambda tf, v: tf.random.poisson([2], tf.cast(tf.constant([1, 1]), v), seed=1),
    ),
    *over(
        [[[1.0]], [["a"]], [[True]], [[1]]],
        lambda tf, v: tf.random.uniform_candidate_sampler(v, 1, 2, True, 9, seed=1)[0],
    ),
    *over(
        [-1, 0, 1],
        lambda tf, v: tf.random.fixed_unigram_candidate_sampler(
            [[0]], 1, 2, True, 3, num_shards=v, unigrams=[1.0, 2.0, 3.0], seed=1
        )[0],
    ),
    *over(
        [-1, 0],
        lambda tf, v: tf.random.fixed_unigram_candidate_sampler(
            [[0]], 1, 2, True, 3, num_reserved_ids=v, unigrams=[1.0, 2.0, 3.0], seed=1
        )[0],
    ),
)

asked(
    "ragged operands",
    *over(
        [None, "a", [2], [2.5], 2, 2.5, _of("int32", 2), _of("float32", 2.0)],
        lambda tf, v: tf.ragged.constant([[1.0, 2.0], [3.0]]) == v,
    ),
    *over([None, "a", 2.0, 2], lambda tf, v: tf.ragged.constant([[1, 2], [3]]) != v),
    *over([[2], [2.5], 2], lambda tf, v: tf.ragged.constant([[1.0, 2.0], [3.0]]) * v),
    *over([2.0, True, _of("float32", 1.0), 1], lambda tf, v: tf.ragged.constant([[1], [2]])[v:]),
    *over([2.0, _of("float32", 1.0), 1], lambda tf, v: tf.ragged.constant([[1], [2]])[:v]),
)
asked(
    "ragged stack",
    lambda tf: tf.ragged.stack([[1, 2], [3]]).row_splits,
    lambda tf: tf.ragged.stack([X, X]).row_splits,
)
asked(
    "sets",
    *over([1, None, "a", False], lambda tf, v: tf.sets.union([[1]], [[2]], v).values),
    *over([1, None, "a", False], lambda tf, v: tf.sets.size(sparse(tf, [1, 2]), v)),
)

asked(
    "halves between steps",
    *over(
        [(0.0, 4.0), (-1.0, 6.0), (-3.0, 3.5), (0.0, 3.0)],
        lambda tf, v: [
            tf.quantization.fake_quant_with_min_max_vars(np.arange(-4, 9, 0.5, np.float32), *v),
            tf.quantization.fake_quant_with_min_max_vars_per_channel(
                np.arange(-4, 9, 0.5, np.float32)[:, None], [v[0]], [v[1]]
            ),
        ],
    ),
    lambda tf: tf.quantization.fake_quant_with_min_max_args_gradient(
        [np.nan, np.inf, np.nan], [-9.0, 9.0, 1.0]
    ),
)

asked(
    "texts as numbers",
    *over(["uint64", "uint32", "int64", "bool"], lambda tf, v: tf.io.decode_raw(b"abcdefgh", v)),
    *over(
        [0, -1, 4, 2.0, _of("uint8", 4), _of("int32", 4)],
        lambda tf, v: tf.io.decode_raw([b"abcd", b"ab"], tf.uint8, fixed_length=v),
    ),
    *over([1, None, False], lambda tf, v: tf.io.decode_csv(["1,2"], [[0], [0]], use_quote_delim=v)),
    *over([None, b";", ";"], lambda tf, v: tf.io.decode_csv(["1;,2"], [[""], [""]], v)),
    *over([None, b"1", "1"], lambda tf, v: tf.io.decode_csv(["1,2"], [[7], [0]], na_value=v)),
)

# --- control flow --------------------------------------------------------------------------------

asked(
    "predicates",
    *over(
        [0, 1, None, "a", [2], True, _of("int32", 1), _of("bool", False), object],
        lambda tf, v: tf.cond(v, lambda: 1, lambda: 2),
    ),
    *over([0, None, "a", True, _of("bool", True)], lambda tf, v: tf.case([(v, lambda: 1)])),
    *over(
        [0, 1, 2.0, "a", None, _of("int32", 1), _of("bool", True), True],
        lambda tf, v: tf.while_loop(
            lambda n: v, lambda n: [n + 1], [tf.constant(0)], maximum_iterations=2
        ),
    ),
    *over([1, -1, 0, None], lambda tf, v: tf.map_fn(abs, X, parallel_iterations=v)),
    *over(
        [2.5, 2, [2], _of("float32", 2.5), "a", -1],
        lambda tf, v: tf.while_loop(
            lambda n: n < 5, lambda n: [n + 1], [tf.constant(0)], maximum_iterations=v
        ),
    ),
)
asked(
    "places of arrays",
    *over(
        [1, [1], _of("int32", 1), _of("int32", [1]), np.array([0, 1])],
        lambda tf, v: [
            tf.TensorArray(tf.float32, 2).unstack([1.0, 2.0]).gather(v),
            tf.TensorArray(tf.float32, 2).scatter(v, [3.0, 4.0]).stack(),
        ],
    ),
)

asked(
    "masks and turns",
    *over(
        ["float32", "bfloat16", "int32"],
        lambda tf, v: tf.boolean_mask(X, tf.constant([1, 0], v)),
    ),
    *over([True, [True], 1, _of("bool", True)], lambda tf, v: tf.roll(X, v, 0)),
    *over([True, [True], 1, _of("bool", True)], lambda tf, v: tf.roll(X, 1, v)),
    *over(
        [_of("int64", 3), _of("float32", 3), 3.0, 0],
        lambda tf, v: tf.histogram_fixed_width([1.0], [0.0, 2.0], v),
    ),
)

# --- numbers --------------------------------------------------------------------------------------

asked(
    "in_top_k",
    *over(
        [_of(kind, [1, 2]) for kind in ("int8", "int32", "int64", "uint8")],
        lambda tf, v: tf.math.in_top_k(v, X, 1),
    ),
    *over(
        [_of("int64", 1), _of("float32", 1), [1], -1], lambda tf, v: tf.math.in_top_k([1, 2], X, v)
    ),
    *over(
        ["float16", "float64", "int32"], lambda tf, v: tf.math.in_top_k([1, 2], tf.cast(X, v), 1)
    ),
    lambda tf: tf.math.in_top_k([1, 2], np.zeros((2, 0), np.float32), 1),
)
asked(
    "top_k",
    *over(
        [np.int8(1), np.int64(1), np.uint8(1), np.float32(1)], lambda tf, v: tf.math.top_k(X, v)[1]
    ),
    *over([_of("int16", 1), _of("float32", 1)], lambda tf, v: tf.math.top_k(X, v)[1]),
    lambda tf: tf.math.top_k(X, 1, index_type=None)[1],
)
asked(
    "bincount",
    *over(["int8", "uint8", "int64", "bool"], lambda tf, v: tf.math.bincount(tf.cast([1, 0], v))),
    *over(["float16", "int64", "int8", "bool"], lambda tf, v: tf.math.bincount([1, 2], dtype=v)),
    *over([[1], -1, 3, _of("int32", 1)], lambda tf, v: tf.math.bincount([1, 2], minlength=v)),
    *over([[1], -1, 3, _of("int32", 1)], lambda tf, v: tf.math.bincount([1, 2], maxlength=v)),
    lambda tf: tf.math.bincount([1, 2], weights=[]),
    lambda tf: tf.math.bincount(np.ones((1, 2, 3), np.int32), axis=-1),
)
asked(
    "accumulate_n",
    *over(
        ["float16", "float32", None],
        lambda tf, v: tf.math.accumulate_n([X, X], tensor_dtype=v and tf.as_dtype(v)),
    ),
)
asked(
    "multiply_no_nan",
    lambda tf: tf.math.multiply_no_nan(2.0, X),
    lambda tf: tf.math.multiply_no_nan(tf.constant(X), 2),
    lambda tf: tf.math.multiply_no_nan(2, [1.5]),
)
asked("imag", *over([["a"], [True], [1.5]], lambda tf, v: tf.math.imag(v)))

# --- networks -------------------------------------------------------------------------------------


def _cross_entropy(tf: Any, labels: tuple[int, ...], logits: tuple[int, ...], axis: int) -> Any:
    z = np.full(labels, 0.5, np.float32)
    x = np.arange(float(np.prod(logits)), dtype=np.float32).reshape(logits)
    return tf.nn.softmax_cross_entropy_with_logits(z, x, axis)


for _axis, _shapes in {
    -1: [
        ((3,), (2, 3)), ((2, 3), (3,)), ((1, 3), (2, 3)), ((2, 1), (2, 3)), ((2, 3), (2, 1)),
        ((2, 3), (1, 3)), ((4, 2, 3), (2, 3)), ((3,), (4, 2, 3)), ((2, 1, 3), (1, 4, 3)),
        ((1, 4, 3), (2, 4, 3)), ((4, 3), (2, 2, 3)), ((12,), (2, 2, 3)), ((0, 3), (0, 3)),
    ],
    0: [((2, 3), (2, 3)), ((3,), (2, 3)), ((1, 3), (2, 3)), ((2, 3), (2, 1))],
    1: [((4, 2, 3), (4, 2, 3)), ((2, 3), (4, 2, 3)), ((4, 1, 3), (4, 2, 3))],
}.items():  # fmt: skip
    asked(
        f"softmax_cross_entropy_with_logits along {_axis}",
        *over(_shapes, lambda tf, v, axis=_axis: _cross_entropy(tf, *v, axis)),
    )
asked(
    "slopes of softmax_cross_entropy_with_logits",
    lambda tf: slope(
        tf, lambda x: tf.nn.softmax_cross_entropy_with_logits(X[0] / X[0].sum(), x), X
    ),
)
asked(
    "leaky_relu",
    *over([None, 1, True, 1j, "a", _of("float32", 0.5)], lambda tf, v: tf.nn.leaky_relu(-X, v)),
)
asked("silu", *over([1, 2, True, np.float64(2.0), [1.0, 2.0, 3.0]], lambda tf, v: tf.nn.silu(X, v)))
asked("local_response_normalization", *over([-1, 0, 1.5], lambda tf, v: tf.nn.lrn(IMAGE, v)))
asked("moments of no axes", lambda tf: tf.nn.moments(X[None], []))
asked(
    "shift of sufficient_statistics",
    *over(
        [1, 1.0, [1.0, 2.0, 3.0], _of("float32", 1)],
        lambda tf, v: tf.nn.sufficient_statistics(X, [0], v),
    ),
)
asked(
    "sizes of windows",
    *over(["SAME", b"SAME"], lambda tf, v: tf.nn.avg_pool2d(IMAGE, 2, 1, v)),
    *over(["SAME", b"SAME"], lambda tf, v: tf.nn.conv2d(IMAGE, IMAGE[:, :1, :1], 1, v)),
    lambda tf: tf.nn.max_pool2d(IMAGE, tf.Variable(2), 1, "SAME"),
    lambda tf: tf.nn.conv2d(IMAGE, IMAGE[:, :1, :1], tf.Variable(2), "SAME"),
)
asked(
    "max_pool_with_argmax",
    *over(
        ["bool", "complex64", "int8", "float64"],
        lambda tf, v: tf.nn.max_pool_with_argmax(tf.cast(IMAGE, v), 2, 1, "SAME")[1],
    ),
)
asked(
    "convolution of no channels",
    lambda tf: tf.nn.conv2d(IMAGE[..., :0], IMAGE[:, :1, :1], 1, "SAME"),
    lambda tf: tf.nn.conv2d(IMAGE, np.ones((1, 1, 0, 2), np.float32), 1, "SAME"),
)

# --- gradients ------------------------------------------------------------------------------------


def _jacobians(tf: Any, gradient: Callable[..., Any]) -> Any:
    """Derive the square of one argument, whose author says a gradient by two."""

    @tf.custom_gradient
    def squared(x: Any, y: Any) -> Any:
        return x * x, lambda u: gradient(tf, u, x, y)

    x, y = tf.constant([[1.0, 2.0]]), tf.constant([[3.0, 4.0]])
    with tf.GradientTape(persistent=True) as tape:
        tape.watch([x, y])
        w = y * x[0, 0]
        z = squared(x, w)
        further = squared(z, z) + z
    found = [*tape.jacobian(z, [x, y, w]), tape.batch_jacobian(z, y)]
    return [*found, *tape.jacobian(further, [x, y]), tape.gradient(z, y)]


asked(
    "jacobians where a gradient is zeros",
    *(
        lambda tf, gradient=gradient: _jacobians(tf, gradient)
        for gradient in (
            lambda tf, u, x, y: (u * x, tf.zeros_like(y)),
            lambda tf, u, x, y: (u * x, None),
            lambda tf, u, x, y: (tf.zeros_like(x), u),
            lambda tf, u, x, y: (u * x, 0.0 * u),
        )
    ),
)


def _recomputed(tf: Any) -> Any:
    x, y = tf.constant([1.0, 2.0]), tf.constant([3.0, 4.0])
    with tf.GradientTape() as tape:
        tape.watch([x, y])
        z = tf.recompute_grad(lambda a, b: a * a)(x, y)
    return tape.jacobian(z, [x, y])


asked("jacobian of recompute_grad by what it does not use", _recomputed)
asked(
    "adjoint of what is no number",
    *over(
        [[["a", "b"]], [[True, False]], [[1, 2]], [[1j, 2.0]]], lambda tf, v: tf.linalg.adjoint(v)
    ),
    lambda tf: tf.linalg.matrix_transpose([[True, False]], conjugate=True),
)

# --- shapes and places ----------------------------------------------------------------------------

asked(
    "values of one_hot",
    *over([[0], [1, 2], 3], lambda tf, v: tf.one_hot([0, 1], 2, on_value=v)),
    *over([[0], 2.5, 3], lambda tf, v: tf.one_hot([0, 1], 2, off_value=v)),
)
asked(
    "broadcast_dynamic_shape",
    *over(
        [[2.0, 3.0], _of("int8", [2, 3]), _of("int64", [2, 3]), [[2, 3]], [1, 3]],
        lambda tf, v: tf.broadcast_dynamic_shape(v, [2, 3]),
    ),
    *over(
        [_of("int8", [2, 3]), _of("int64", [2, 3]), [1, 3]],
        lambda tf, v: tf.broadcast_dynamic_shape(tf.constant([2, 3]), v),
    ),
)
asked("identity_n of nothing", lambda tf: tf.identity_n([]))
asked("range of dtypes", *over(["int64", "float16", "bool"], lambda tf, v: tf.range(3, dtype=v)))
for _k, _given in enumerate(
    (("0",), (0, "5"), (0, 5, True), (True,), (1j,), (np.int8(3),), (np.float16(2.0),), (3, 5.0))
):
    TABLE.add(f"range of kinds {_k}", lambda tf, v=_given: tf.range(*v), says="type")
asked(
    "concat of one",
    *over([[0], 0, None, "a", [], True, 1.0], lambda tf, v: tf.concat(tf.constant(X), v)),
    *over([[0], 0, []], lambda tf, v: tf.concat([X], v)),
)

# --- kernels --------------------------------------------------------------------------------------

asked("Conj", *over([2.0, [1, 2], _of("int32", 2), 1j, X], lambda tf, v: tf.raw_ops.Conj(input=v)))
asked("Abs", *over([1j, [1, -2], np.int8(-1)], lambda tf, v: tf.raw_ops.Abs(x=v)))
asked(
    "nothing for a tensor",
    lambda tf: tf.raw_ops.Max(input=X, axis=None),
    lambda tf: tf.raw_ops.ArgMax(input=X, dimension=None),
    lambda tf: tf.raw_ops.GatherV2(params=X, indices=[0], axis=None),
    lambda tf: tf.raw_ops.Range(start=0, limit=None, delta=1),
    lambda tf: tf.raw_ops.AddN(inputs="0"),
)
asked(
    "Range",
    *over(
        [(3, 4, np.float32(1)), (3, 4, 0.5), (0.5, 4, 3), (0, 5, 2)],
        lambda tf, v: tf.raw_ops.Range(start=v[0], limit=v[1], delta=v[2]),
    ),
    lambda tf: tf.raw_ops.Range(start=tf.constant(1.0), limit=4, delta=1),
    lambda tf: tf.raw_ops.Range(start=1, limit=tf.constant(4.0), delta=1),
)
asked(
    "LinSpace",
    *over(
        [(1, 2, 3), (0.0, 1.0, 3), ([0.0], 1.0, 3), (0.0, 1.0, 0)],
        lambda tf, v: tf.raw_ops.LinSpace(start=v[0], stop=v[1], num=v[2]),
    ),
    lambda tf: tf.raw_ops.LinSpace(start=1, stop=tf.constant(0.5), num=3),
)
asked(
    "MirrorPad",
    *over(
        ["CONSTANT", "REFLECT", "reflect", "SYMMETRIC"],
        lambda tf, v: tf.raw_ops.MirrorPad(input=X[0], paddings=[[1, 1]], mode=v),
    ),
)
asked(
    "BiasAddGrad",
    *over(
        ["NHWC", "NCHW", "SAME", None],
        lambda tf, v: tf.raw_ops.BiasAddGrad(out_backprop=IMAGE, data_format=v),
    ),
)
asked(
    "ClipByValue",
    *over(
        [(0.2, 0.5), ([0.2, 0.2, 0.2], 0.5), (0.2, [0.5]), (X / 2, 0.8)],
        lambda tf, v: tf.raw_ops.ClipByValue(t=X, clip_value_min=v[0], clip_value_max=v[1]),
    ),
)
