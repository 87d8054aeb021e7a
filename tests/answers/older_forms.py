"""What functions answer that take other arguments in TensorFlow 1 than in TensorFlow 2."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

import numpy as np

from tests.answers.answer import Table
from tests.answers.numpy_names import outcome
from tests.answers.stand_ins import wide

TABLE = Table("older_forms")

X = np.array([[1.0, -2.0, 0.5], [3.0, 0.0, 2.0]], np.float32)
B = np.arange(12.0, dtype=np.float32).reshape(1, 2, 2, 3)
IMAGE = np.arange(32.0, dtype=np.float32).reshape(1, 4, 4, 2) / 8
FILTER = np.linspace(-1, 1, 8).reshape(2, 2, 2, 1).astype(np.float32)
ONES = [1, 1, 1, 1]
Run = Callable[[Any], Any]


def rows(what: str, *runs: Run) -> None:
    """Add programs that are given `tf.compat.v1`, in one row."""
    TABLE.add(what, lambda tf: [outcome(run, wide(tf).compat.v1) for run in runs])


rows(
    "arguments with two names",
    lambda v: [v.argmax(X, 1), v.argmax(X, dimension=1), v.argmin(X, output_type=v.int32)],
    lambda v: v.argmax(X, axis=0, dimension=1),
    lambda v: [v.arg_max(X, 1), v.arg_min(X, 0, v.int32), v.math.argmax(X, dimension=0)],
    lambda v: [v.expand_dims(X, 1), v.expand_dims(X, dim=-1)],
    lambda v: v.expand_dims(X, 0, dim=0),
    lambda v: [v.squeeze(B), v.squeeze(B, squeeze_dims=[0]), v.squeeze(B, [0])],
    lambda v: [v.count_nonzero(X), v.count_nonzero(X, reduction_indices=1, keep_dims=True)],
    lambda v: [v.count_nonzero(input=X, axis=0, dtype=v.int32), v.math.count_nonzero(X, 1)],
    lambda v: v.count_nonzero(X, keepdims=True, keep_dims=True),
    lambda v: [v.norm(X, axis=1, keep_dims=True), v.norm(X), v.linalg.norm(X, 1)],
    lambda v: [v.nn.softmax(X, dim=0), v.nn.log_softmax(X), v.math.softmax(X, 0)],
    lambda v: v.nn.softmax(X, axis=0, dim=0),
    lambda v: v.reverse_sequence(X, [2, 1], seq_dim=1, batch_dim=0),
)
for _word in ("sum", "mean", "max", "min", "prod", "logsumexp"):
    rows(
        f"reduce_{_word}",
        lambda v, w=f"reduce_{_word}": getattr(v, w)(X),
        lambda v, w=f"reduce_{_word}": getattr(v, w)(X, 1, True),
        lambda v, w=f"reduce_{_word}": getattr(v, w)(X, reduction_indices=[0], keep_dims=True),
        lambda v, w=f"reduce_{_word}": getattr(v.math, w)(X, keep_dims=False),
        lambda v, w=f"reduce_{_word}": getattr(v, w)(X, 0, reduction_indices=1),
    )
rows(
    "truths",
    lambda v: [v.reduce_all(X > 0, keep_dims=True), v.reduce_any(X > 2, reduction_indices=1)],
)
rows(
    "other places of arguments",
    lambda v: [v.gather(X, [1], None, "n", 1), v.gather(X, [2, 0], axis=1, batch_dims=0)],
    lambda v: [v.gather_nd(X, [[0, 1]], "n"), v.gather_nd(X, [[1], [2]], None, 1)],
    lambda v: [v.shape(X), v.shape(X, "n", v.int64), v.size(X), v.size(X, None, v.int64)],
    lambda v: [v.transpose(X, None, "n"), v.transpose(X, [1, 0], conjugate=True)],
    lambda v: [v.pad(X, [[1, 0], [0, 1]], "CONSTANT", "n", 7.0), v.pad(X, [[0, 0], [1, 1]])],
    lambda v: [v.trace(X[:, :2]), v.linalg.trace(X[:, :2], "n")],
    lambda v: [v.boolean_mask(X, [True, False]), v.boolean_mask(X, [True, False, True], "n", 1)],
    lambda v: v.confusion_matrix([0, 1, 1], [1, 1, 0], 2, v.float32, "n", [1.0, 2.0, 3.0]),
    lambda v: [v.zeros_like(X, optimize=False), v.ones_like(tensor=X, dtype=v.int32)],
    lambda v: [v.batch_gather(X, [[0, 2], [1, 1]]), v.batch_gather(X, [1])],
    lambda v: v.math.in_top_k(X, [0, 1], 1),
    lambda v: v.math.bincount([1, 1, 3], None, None, 2),
    lambda v: v.math.bincount([1, 1, 3], minlength=6, dtype=v.float32),
    lambda v: [v.space_to_batch(B[..., :1], [[0, 0], [0, 0]], 2)],
    lambda v: v.batch_to_space(B.reshape(4, 1, 1, 3), [[0, 0], [0, 0]], block_size=2),
    lambda v: [v.space_to_depth(IMAGE, 2, "n"), v.depth_to_space(B.reshape(1, 1, 1, 12), 2)],
    lambda v: v.tuple([X, X], "n"),
    lambda v: [v.decode_csv(["1,a"], [0, ""], ",", True, "n"), v.decode_raw(b"ab", v.uint8)],
    lambda v: v.decode_raw(bytes=b"ab", out_type=v.uint8),
    lambda v: [v.substr("abc", 1, 2), v.string_to_number(["1.5"]), v.reduce_join(["a", "b"])],
    lambda v: [v.reduce_join([["a", "b"]], 1, True, "-"), v.strings.length("ab", "n")],
    lambda v: [
        v.string_to_hash_bucket(["a"], 10),
        v.strings.to_hash_bucket(input="a", num_buckets=9),
    ],
)
rows(
    "numbers",
    lambda v: [v.to_float([1]), v.to_double([1]), v.to_int32([1.7]), v.to_int64([1.7])],
    lambda v: [v.to_complex64([1.0]), v.to_complex128([1.0])],
    lambda v: [v.div(7, 2), v.div(-7, 2), v.div(7.0, 2.0), v.floor_div(-7, 2), v.div(1.0, 0.0)],
    lambda v: v.div([1.0], [1, 2]),
    lambda v: [v.constant(1, shape=[2]), v.constant([1.0, 2.0], shape=[2], verify_shape=True)],
    lambda v: v.constant([1.0], shape=[2], verify_shape=True),
    lambda v: [
        v.convert_to_tensor(1, preferred_dtype=v.float64),
        v.convert_to_tensor(2.0, None, "n"),
    ],
    lambda v: v.convert_to_tensor(1, dtype_hint=v.float32, preferred_dtype=v.float32),
    lambda v: [v.clip_by_average_norm(X, 0.5), v.clip_by_average_norm(X, 100.0)],
    lambda v: v.verify_tensor_all_finite(X, "no"),
    lambda v: v.verify_tensor_all_finite([np.inf], "no"),
)


def _drawn(v: Any, run: Run) -> Any:
    v.set_random_seed(7)
    return run(v)


rows(
    "drawn",
    lambda v: _drawn(v, lambda v: v.multinomial([[1.0, 2.0, 3.0]], 4, 1)),
    lambda v: _drawn(v, lambda v: v.random.multinomial([[1.0, 2.0]], 3, output_dtype=v.int32)),
    lambda v: _drawn(v, lambda v: v.random_poisson([2.0, 5.0], [3], seed=2)),
    lambda v: _drawn(v, lambda v: v.nn.dropout(np.ones([8], np.float32), 0.75, seed=3)),
    lambda v: _drawn(v, lambda v: v.nn.dropout(np.ones([8], np.float32), rate=0.5, seed=3)),
    lambda v: v.nn.dropout(X, 0.5, rate=0.5),
    lambda v: v.nn.dropout(X),
    lambda v: v.nn.dropout(X, "a"),
)
rows(
    "first values",
    *[
        lambda v, n=n: _drawn(v, lambda v: getattr(v, f"{n}_initializer")(seed=3)([2, 3]))
        for n in (
            *("random_normal", "random_uniform", "truncated_normal", "variance_scaling"),
            *("glorot_normal", "glorot_uniform"),
        )
    ],
    *[
        lambda v, n=n: _drawn(v, lambda v: getattr(v.initializers, n)(seed=3)([4, 2]))
        for n in ("he_normal", "he_uniform", "lecun_normal", "lecun_uniform")
    ],
    lambda v: [v.zeros_initializer()([2]), v.ones_initializer(v.int32)([2])],
    lambda v: [v.constant_initializer(2.0)([2]), v.constant_initializer([1, 2], v.int64)([2])],
    lambda v: v.initializers.identity(2.0)([2, 3]),
    lambda v: v.initializers.identity()([2]),
    lambda v: v.random_normal_initializer(dtype=v.int32),
    lambda v: v.random_uniform_initializer(0, 5, 1, v.int32)([2]).dtype,
    lambda v: v.variance_scaling_initializer(-1.0),
    lambda v: v.variance_scaling_initializer(mode="fan"),
    lambda v: v.variance_scaling_initializer(distribution="cauchy"),
    lambda v: v.orthogonal_initializer()([2]),
    lambda v: v.glorot_uniform_initializer(dtype=v.float64)([2, 2]).dtype.name,
    lambda v: v.variance_scaling_initializer(2.0, seed=1, dtype=v.float64).get_config(),
    lambda v: v.orthogonal_initializer(seed=2)([3, 2]).shape.as_list(),
)
rows(
    "control",
    lambda v: v.while_loop(lambda i: i < 3, lambda i: i + 1, [0]),
    lambda v: v.while_loop(lambda i: i < 3, lambda i: [i + 1], [0]),
    lambda v: v.while_loop(lambda i: i < 3, lambda i: i + 1, [0], return_same_structure=True),
    lambda v: v.while_loop(lambda i, j: i < 3, lambda i, j: (i + 1, j * 2), (0, 1)),
    lambda v: v.while_loop(lambda i: i < 9, lambda i: i + 1, [0], maximum_iterations=2),
    lambda v: [v.cond(True, lambda: [X], lambda: [X]), v.cond(False, lambda: X, fn2=lambda: -X)],
    lambda v: v.cond(True, lambda: [X], lambda: [X], True),
    lambda v: v.cond(True, lambda: X, lambda: X, fn1=lambda: X),
    lambda v: v.case([(v.constant(True), lambda: v.constant(1))], lambda: v.constant(2)),
    lambda v: [v.map_fn(lambda x: x * 2, X), v.scan(lambda a, x: a + x, X)],
    lambda v: [v.foldl(lambda a, x: a - x, X), v.foldr(lambda a, x: a - x, X)],
    lambda v: v.py_func(lambda x: x * 2, [X], v.float32),
)


def _changed(v: Any, change: Callable[[Any, Any], Any]) -> Any:
    import_module = importlib.import_module
    tf = import_module("tensorflow") if v.__name__.startswith("tensorflow._api") else None
    variable = (tf or wide(import_module("symtape"))).Variable([[1.0, 2.0], [3.0, 4.0]])
    found = change(v, variable)
    return [np.asarray(found), variable.numpy()]


rows(
    "variables",
    lambda v: [str(v.Variable([1.0], False, name="w", dtype=v.float64)), v.Variable(2).trainable],
    lambda v: isinstance(v.Variable(1.0), v.Variable),
    lambda v: _changed(v, lambda v, x: v.assign(x, [[5.0, 6.0], [7.0, 8.0]])),
    lambda v: _changed(v, lambda v, x: v.assign_add(x, [[1.0, 1.0], [1.0, 1.0]])),
    lambda v: _changed(v, lambda v, x: v.assign_sub(x, [[1.0, 1.0], [1.0, 1.0]])),
    *[
        lambda v, w=w: _changed(v, lambda v, x: getattr(v, f"scatter_{w}")(x, [0], [[2.0, 3.0]]))
        for w in ("add", "div", "max", "min", "mul", "sub", "update")
    ],
    *[
        lambda v, w=w: _changed(v, lambda v, x: getattr(v, f"scatter_nd_{w}")(x, [[0, 1]], [9.0]))
        for w in ("add", "sub", "update")
    ],
    lambda v: [v.trainable_variables(), v.global_variables(), v.local_variables("a")],
    lambda v: [v.global_variables_initializer(), v.initializers.variables([])],
    lambda v: [v.executing_eagerly_outside_functions(), v.resource_variables_enabled()],
)
DECAYS: list[Any] = [
    ("exponential_decay", (10, 0.5)),
    ("exponential_decay", (10, 0.5, True)),
    ("natural_exp_decay", (10, 0.5)),
    ("natural_exp_decay", (10, 0.5, True)),
    ("inverse_time_decay", (10, 0.5)),
    ("inverse_time_decay", (10, 0.5, True)),
    ("polynomial_decay", (10,)),
    ("polynomial_decay", (10, 0.01, 2.0, True)),
    ("cosine_decay", (10, 0.125)),
    ("cosine_decay_restarts", (4, 2.0, 0.9, 0.125)),
    ("cosine_decay_restarts", (4, 1.0, 0.9)),
    ("linear_cosine_decay", (10,)),
]
for _name, _how in DECAYS:
    rows(
        f"{_name} {_how}",
        *[
            lambda v, n=_name, how=_how, k=k: getattr(v.train, n)(0.125, k, *how)()
            for k in (0, 3, 10, 25)
        ],
    )
rows(
    "rates",
    *[
        lambda v, k=k: v.train.piecewise_constant(k, [5, 15], [0.5, 0.25, 0.125])()
        for k in (0, 5, 6, 30)
    ],
    lambda v: v.train.piecewise_constant(3, [5, 15], [0.1, 0.01]),
    lambda v: v.train.exponential_decay(0.125, None, 10, 0.5)(),
)
rows(
    "checks",
    lambda v: [v.assert_equal(X, X), v.debugging.assert_less(X, X + 1, None, 3, "m")],
    lambda v: v.assert_equal([1.0, 2.0], [1.0, 3.0]),
    lambda v: v.assert_greater([1], [2], message="small"),
    lambda v: v.assert_near([1.0], [2.0], 1e-3),
    lambda v: v.assert_positive([-1.0]),
    lambda v: v.assert_rank(X, 3, None, None, "m"),
    lambda v: v.assert_rank_in(X, [1, 3]),
    lambda v: v.assert_rank_at_least(X, 3),
    lambda v: v.assert_scalar(X, "n"),
    lambda v: v.assert_type(X, v.int32),
    lambda v: v.assert_integer(v.constant(X)),
)
rows(
    "networks",
    lambda v: v.nn.conv2d(IMAGE, FILTER, ONES, "SAME"),
    lambda v: v.nn.conv2d(IMAGE, filters=FILTER, strides=[1, 2, 2, 1], padding="VALID"),
    lambda v: v.nn.conv2d(IMAGE, FILTER, ONES, "SAME", filters=FILTER),
    lambda v: v.nn.conv1d(IMAGE[0], FILTER[0], 1, "SAME"),
    lambda v: v.nn.conv2d_transpose(IMAGE[..., :1], FILTER, [1, 4, 4, 2], ONES),
    lambda v: v.nn.convolution(IMAGE, FILTER, "SAME", None, [2, 2]),
    lambda v: v.nn.depthwise_conv2d(IMAGE, FILTER, ONES, "SAME", [2, 2]),
    lambda v: v.nn.separable_conv2d(IMAGE, FILTER, FILTER[:1, :1], ONES, "VALID", [1, 1]),
    lambda v: [v.nn.max_pool(IMAGE, 2, 2, "VALID"), v.nn.avg_pool(IMAGE, 2, 2, "VALID")],
    lambda v: v.nn.avg_pool2d(input=IMAGE, value=None, ksize=2, strides=1, padding="SAME"),
    lambda v: v.nn.pool(IMAGE, [2, 2], "AVG", "SAME", None, [2, 2]),
    lambda v: v.nn.dilation2d(IMAGE, FILTER[..., 0], ONES, ONES, "SAME"),
    lambda v: v.nn.erosion2d(IMAGE, FILTER[..., 0], ONES, ONES, "SAME"),
    lambda v: [v.nn.crelu(X), v.nn.crelu(X, "n", 0), v.nn.leaky_relu(X, 0.1)],
    lambda v: [v.nn.moments(X, [0], keep_dims=True), v.nn.weighted_moments(X, [1], 2.0)],
    lambda v: v.nn.sufficient_statistics(X, [0], None, True),
    lambda v: [v.nn.xw_plus_b(X, X.T, [1.0, 2.0]), v.nn.relu_layer(X, X.T, [1.0, -9.0])],
    lambda v: v.nn.embedding_lookup([X, -X], [0, 1, 2, 3]),
    lambda v: v.nn.embedding_lookup([X, -X], [0, 1, 2, 3], "div"),
    lambda v: v.nn.embedding_lookup(X, [1, 0], max_norm=1.0),
    lambda v: v.nn.sigmoid_cross_entropy_with_logits(labels=X, logits=X),
    lambda v: v.nn.softmax_cross_entropy_with_logits(labels=X, logits=X, dim=0),
    lambda v: v.nn.softmax_cross_entropy_with_logits(labels=X, logits=X, axis=0),
    lambda v: v.nn.softmax_cross_entropy_with_logits_v2(X, X, dim=0),
    lambda v: v.nn.sparse_softmax_cross_entropy_with_logits(labels=[0, 2], logits=X),
    lambda v: v.nn.weighted_cross_entropy_with_logits(targets=X, logits=X, pos_weight=2.0),
    lambda v: v.image.extract_image_patches(IMAGE, [1, 2, 2, 1], [1, 2, 2, 1], ONES, "VALID"),
    lambda v: v.image.crop_and_resize(IMAGE, [[0.0, 0.0, 1.0, 1.0]], [0], [2, 2]),
    lambda v: v.image.draw_bounding_boxes(IMAGE[..., :1], [[[0.0, 0.0, 1.0, 1.0]]], "n"),
)


def _slopes(tf: Any) -> Any:
    """Differentiate labels and logits: through labels no gradient of TensorFlow 1 passes."""
    tf = wide(tf)
    x = tf.constant(X)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.compat.v1.nn.softmax_cross_entropy_with_logits(labels=tf.nn.softmax(2 * x), logits=x)
    return tape.gradient(y, x)


TABLE.add("labels are constants", _slopes)


def _loops(tf: Any) -> Any:
    """Loop with Python's numbers, arrays and variables, outside of functions and within one."""
    half = (lambda i: i < 3, lambda i: (i + 0.5,), [0])
    runs: list[Run] = [
        lambda tf: tf.while_loop(*half),
        lambda tf: tf.function(lambda: tf.while_loop(lambda i: i < 3, lambda i: i + 1, [0]))(),
        lambda tf: tf.while_loop(lambda i: i < 3, lambda i: i + 1, [0]),
        lambda tf: tf.while_loop(lambda i: i < 3, lambda i: i + 1, [tf.constant(0)]),
        lambda tf: tf.while_loop(lambda i: i < 3, lambda i: [i + 1], (np.float64(0),)),
        lambda tf: tf.while_loop(lambda i: i[0] < 3, lambda i: [i + 1], [np.array([0.0])]),
        lambda tf: tf.while_loop(lambda i: i < 3, lambda i: (i + 1,), [tf.Variable(1.0)]),
        lambda tf: tf.while_loop(lambda i: i < 0, lambda i: (i + 1,), [tf.Variable(1.0)]),
        lambda tf: tf.while_loop(lambda i: i < 0, lambda i: (i + 1,), (7,)),
    ]
    return [outcome(run, tf) for run in runs]


TABLE.add("loops", _loops)


Y = np.arange(16.0, dtype=np.float32).reshape(1, 4, 4, 1)
for _align in (False, True):
    rows(
        f"sizes of images, corners aligned: {_align}",
        *[
            lambda v, n=n, size=size, a=_align: v.image.resize(Y, size, method=n, align_corners=a)
            for n in range(4)
            for size in ([3, 6], [7, 2], [1, 1])
        ],
        lambda v, a=_align: v.image.resize_images(Y[0], [2, 5], align_corners=a),
        lambda v, a=_align: v.image.resize_bilinear(IMAGE, [3, 5], a),
        lambda v, a=_align: v.image.resize_nearest_neighbor(IMAGE, [3, 5], align_corners=a),
        lambda v, a=_align: v.image.resize_bicubic(IMAGE, [5, 3], align_corners=a),
        lambda v, a=_align: v.image.resize_area(IMAGE, [5, 3], align_corners=a),
    )
    rows(
        f"sizes of images of one row or column, corners aligned: {_align}",
        *[
            lambda v, x=x, size=size, f=f, a=_align: getattr(v.image, f)(x, size, align_corners=a)
            for f in ("resize_area", "resize_bilinear", "resize_nearest_neighbor")
            for x in (Y[:, :1, :1] + 3, Y[:, :1], Y[:, :, 1:2])
            for size in ([3, 2], [1, 1], [1, 5])
        ],
    )
rows(
    "other sizes of images",
    lambda v: v.image.resize(Y.astype(np.int32), [4, 4]),
    lambda v: v.image.resize(Y.astype(np.int32), [2, 4]),
    lambda v: v.image.resize(Y, [2, 8], preserve_aspect_ratio=True),
    lambda v: v.image.resize_bilinear(Y, [3, 6], half_pixel_centers=True),
    lambda v: v.image.resize_nearest_neighbor(Y, [3, 6], half_pixel_centers=True),
    lambda v: v.image.resize_bicubic(Y, [3, 6], half_pixel_centers=True),
    lambda v: [v.image.ResizeMethod.BICUBIC, v.image.ResizeMethod.AREA],
)


def _resized(tf: Any) -> Any:
    """Differentiate through a new size."""
    tf = wide(tf)
    x = tf.constant(Y)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.compat.v1.image.resize(x, [3, 6]) ** 2
    return tape.gradient(y, x)


TABLE.add("a slope through a size", _resized)
TABLE.add(
    "each version has both",
    lambda tf: [
        outcome(run, wide(tf).compat)
        for run in (
            lambda c: c.v2.compat.v1.nn.softmax(X, dim=0),
            lambda c: c.v1.compat.v1.nn.softmax(X, dim=0),
            lambda c: c.v1.compat.v2.nn.softmax(X, axis=0),
            lambda c: c.v2.compat.v2.nn.softmax(X, axis=0),
            lambda c: c.v2.compat.v1.reduce_sum(X, keep_dims=True),
            lambda c: [c.v1.VERSION, c.v1.__version__, c.v2.__version__],
        )
    ],
)


# --- what images are resampled --------------------------------------------------------------------

_OF_KERNELS = ("resize_bilinear", "resize_nearest_neighbor", "resize_bicubic", "resize_area")
_NO_BATCHES = ((), (4,), (4, 4), (4, 4, 3), (1, 1, 4, 4, 3), (1, 0, 4, 3), (1, 4, 4, 0))
_NO_SIZES = (2, [2], [2, 2, 2], [[2, 2]], [0, 2], [-1, 2], [2.0, 2.0], None, np.array([2, 2]))

for _name in _OF_KERNELS:
    rows(
        f"{_name} of other ranks",
        *[
            lambda v, n=_name, s=s: getattr(v.image, n)(np.zeros(s, "f"), [2, 2])
            for s in _NO_BATCHES
        ],
        lambda v, n=_name: getattr(v.image, n)([[["a"]]], [2, 2]),
        lambda v, n=_name: getattr(v.image, n)(v.zeros([0, 4, 4, 3]), [2, 2]),
    )
    rows(
        f"{_name} to other sizes",
        *[lambda v, n=_name, s=s: getattr(v.image, n)(IMAGE, s) for s in _NO_SIZES],
        lambda v, n=_name: getattr(v.image, n)(IMAGE, v.constant([2, 2], v.int64)),
        lambda v, n=_name: getattr(v.image, n)(IMAGE, v.constant([2, 3])),
    )

rows(
    "initializers of what they do not take",
    lambda v: v.initializers.identity()([2, 2, 2]),
    lambda v: v.constant_initializer(v.constant(1.0)),
    lambda v: v.constant_initializer(np.array([1.0, 2.0]))([2]),
    lambda v: v.constant_initializer(np.float32(3.0))([2]),
)


MOMENTS = {"mean": [0.5, 0.0, 1.0], "variance": [1.0, 2.0, 3.0]}


def _fused(tf: Any, **how: Any) -> Any:
    """Normalize channels, and differentiate."""
    x, scale, offset = (
        tf.Variable(B * B / 9),
        tf.Variable([1.0, 2.0, 3.0]),
        tf.Variable([0.0, 1, 2]),
    )
    with tf.GradientTape() as tape:
        y, mean, variance = tf.nn.fused_batch_norm(x, scale, offset, **how)
        loss = tf.reduce_sum(y * tf.cos(y))
    return [y, mean, variance, *tape.gradient(loss, [x, scale, offset])]


rows(
    "channels that are normalized at once",
    lambda v: _fused(v),
    lambda v: _fused(v, **MOMENTS, is_training=False, epsilon=0.1),
    lambda v: _fused(v, **MOMENTS, exponential_avg_factor=0.25),
    lambda v: _fused(v, is_training=False),
    lambda v: _fused(v, exponential_avg_factor=0.25),
)


def _pairs(tf: Any) -> Any:
    """Make a dataset of two names."""
    data = tf.data.Dataset.range(2)
    return data.map(lambda k: {"k": k, "x": tf.cast(k, tf.float32) * [1.0, 2.0]})


def _told(tf: Any, what: str) -> Any:
    """Ask what the elements of a dataset are."""
    return getattr(wide(tf).compat.v1.data, what)(_pairs(tf))


TABLE.rows(
    "iterators of datasets",
    [
        lambda tf: [_told(tf, "make_one_shot_iterator").get_next() for _ in range(2)],
        lambda tf: [*_told(tf, "make_one_shot_iterator")],
        lambda tf: _told(tf, "make_initializable_iterator"),
        lambda tf: {k: str(s) for k, s in _told(tf, "get_output_shapes").items()},
        lambda tf: {k: t.name for k, t in _told(tf, "get_output_types").items()},
        lambda tf: [issubclass(c, tf.Tensor) for c in _told(tf, "get_output_classes").values()],
    ],
)


# --- functions that TensorFlow 2 has not, or with other arguments ---------------------------------
_SAMPLED = (np.array([1, 2], np.int64), np.ones([2, 1], np.float32), np.ones([2], np.float32))


def _by_classes(v: Any, name: str, parts: int, **how: Any) -> Any:
    """A loss of classes whose weights lie in several tensors, and its gradient."""
    weights = [
        v.constant(np.sin(np.arange(8.0, dtype=np.float32) + k).reshape(4, 2)) for k in (1, 2)
    ]
    biases = [v.constant(np.cos(np.arange(4.0, dtype=np.float32) + k)) for k in (3, 4)]
    given = (weights, biases) if parts > 1 else (weights[0], biases[0])
    with v.GradientTape() as tape:
        tape.watch([weights, biases])
        loss = getattr(v.nn, name)(
            *given, np.array([[0], [3]]), X[:, :2], 2, 4 * parts, sampled_values=_SAMPLED, **how
        )
    slopes = tape.gradient(loss, weights[:parts] + biases[:parts])
    return [loss, *map(v.convert_to_tensor, slopes)]


rows(
    "losses of sampled classes",
    *(
        lambda v, name=name, parts=parts, how=how: _by_classes(v, name, parts, **how)
        for name in ("nce_loss", "sampled_softmax_loss")
        for parts, how in (
            (1, {}),
            (2, {}),
            (2, {"partition_strategy": "div", "remove_accidental_hits": True}),
        )
    ),
)
rows(
    "largest elements and their places",
    lambda v: [*v.nn.max_pool_with_argmax(IMAGE, [1, 2, 2, 1], [1, 2, 2, 1], "SAME")],
    lambda v: v.nn.max_pool_with_argmax(IMAGE, [1, 2, 2, 1], ONES, "VALID", Targmax=v.int32)[1],
    lambda v: v.nn.max_pool_with_argmax(IMAGE, ONES, ONES, "VALID", data_format="NCHW"),
)


def _slope_of_places(v: Any) -> Any:
    x = v.constant([1.0, 2.0])
    with v.GradientTape() as tape:
        tape.watch(x)
        y = v.sparse_to_dense([[0, 1], [1, 0]], [2, 2], x * x, -1.0)
    return [y, tape.gradient(y, x)]


rows(
    "elements at places",
    lambda v: v.sparse_to_dense([0, 2], [4], [1, 2]),
    lambda v: v.sparse_to_dense(1, [3], 5.0, default_value=0.5),
    lambda v: v.sparse_to_dense([[0, 0], [1, 2]], [2, 3], 7, -1),
    lambda v: v.sparse_to_dense([2, 0], [4], [1, 2]),
    lambda v: v.sparse_to_dense([2, 0], [4], [1, 2], validate_indices=False),
    lambda v: v.sparse_to_dense([4], [4], [1]),
    _slope_of_places,
)


def _split(v: Any, *args: Any, **how: Any) -> Any:
    found = v.strings.split(*args, **how)
    if isinstance(found, v.SparseTensor):
        return [found.indices, found.values, found.dense_shape]
    return [found.flat_values, found.row_splits]


rows(
    "parts of texts",
    lambda v: _split(v, ["a b", "", "c"]),
    lambda v: _split(v, "a,b", ","),
    lambda v: _split(v, source=["a,b,c"], sep=",", maxsplit=1, result_type="RaggedTensor"),
    lambda v: _split(v, ["a"], result_type="list"),
)
