"""What operations answer where few programs ask: rare options, and shapes that do not fit."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.answers.answer import Table

TABLE = Table("seldom")

M, V = np.arange(6.0).reshape(2, 3) + 1, np.arange(3.0) + 1
S = np.array([[4.0, 1.0, 0.5], [1.0, 3.0, 0.25], [0.5, 0.25, 2.0]])


def _call(path: str, *args: Any, **how: Any) -> Any:
    """Call a function by its name."""

    def run(tf: Any) -> Any:
        found: Any = tf
        for part in path.split("."):
            found = getattr(found, part)
        return found(*args, **how)

    return run


_ROUNDED = np.array([[-7.0, -0.3, 0.0], [0.2, 9.0, float("nan")]], np.float32)
_ENDS = [0.0, -2.0, -1.0], [0.0, 3.0, 1.0]


def _rounded(name: str, *ends: Any, **how: Any) -> Any:
    """Round numbers, and ask for the gradient in them and in ends that are tensors."""

    def run(tf: Any) -> Any:
        given = [tf.constant(np.float32(x)) for x in (_ROUNDED, *ends)]
        weights = tf.constant([[1.0, 2.0, 4.0], [8.0, 16.0, 32.0]])
        with tf.GradientTape() as tape:
            tape.watch(given)
            parts = given if "vars" in name else [given[0], *ends]
            made = getattr(tf.quantization, f"fake_quant_with_min_max_{name}")(*parts, **how)
            total = tf.reduce_sum(tf.where(tf.math.is_nan(made), 0.0, made * weights))
        return [made, tape.gradient(total, given[: len(given) if "vars" in name else 1])]

    return run


TABLE.rows(
    "of few bits",
    [
        *[
            _rounded(name, *ends, **how)
            for name, ends in (
                *(("args", ()), ("args", (-1.0, 1.0)), ("args", (1.0, 2.0)), ("args", (2.0, 1.0))),
                *(("vars", (-1.0, 1.0)), ("vars", (-2.0, -1.0)), ("vars", ([-1.0], 1.0))),
                *(("vars_per_channel", _ENDS), ("vars_per_channel", (-1.0, 1.0))),
                ("vars_per_channel", ([-1.0, 1.0], [2.0, 2.0])),
            )
            for how in ({}, {"num_bits": 3, "narrow_range": True})
        ],
        *[_rounded("args", -1.0, 1.0, num_bits=n) for n in (1, 17)],
        _call("quantization.fake_quant_with_min_max_args", [1.0], "a"),
        _call("quantization.fake_quant_with_min_max_args", [1.0], narrow_range=1),
        lambda tf: tf.quantization.fake_quant_with_min_max_vars(
            tf.constant([1.0]), tf.constant(-1.0, tf.float64), tf.constant(1.0)
        ),
    ],
)
TABLE.rows(
    "isotonic",
    [
        *[
            _call(
                "nn.isotonic_regression", np.array([[3, 1, 2, 2, 0], [1, 1, 2, 3, 1]], kind), *way
            )
            for kind in ("f4", "f8", "i4", "i1")
            for way in ((), (False,), (True, 0), (False, -2))
        ],
        *[_call("nn.isotonic_regression", x) for x in (3.0, [], [1.0, float("nan"), 2.0, 3.0])],
        *[_call("nn.isotonic_regression", [[1.0]], axis=k) for k in (2, -3)],
        *[_call("nn.isotonic_regression", x) for x in ([1j], [True], ["a"])],
        _call("nn.isotonic_regression", np.array([1], "u1"), False),
    ],
)
TABLE.add("isotonic of bytes", _call("nn.isotonic_regression", np.array([1], "u1")), says="type")


_LABELS = [[3, 4, 4, 3], [0, 0, 0, 1]]
TABLE.rows(
    "labels",
    [
        *[_call("nn.ctc_unique_labels", x) for x in (_LABELS, np.array(_LABELS) + 0.5)],
        *[_call("nn.ctc_unique_labels", np.zeros(n, np.int32)) for n in ((0, 3), (2, 0), 2)],
        _call("nn.ctc_unique_labels", [[["a"]]]),
        _call("nn.ctc_unique_labels", [["a"]]),
        *[_call("nn.collapse_repeated", _LABELS, n) for n in ([4, 2], [0, 0], [9, 1], [4], 4)],
        _call("nn.collapse_repeated", np.array(_LABELS, np.float32), np.array([3, 4])),
        _call("nn.collapse_repeated", [["a", "a"]], [2]),
        _call("nn.collapse_repeated", _LABELS, [4, 2, 1]),
        _call("nn.collapse_repeated", [1, 2], [1]),
    ],
)
TABLE.rows(
    "labels in a cube",
    [
        _call("nn.collapse_repeated", [_LABELS], [1]),
        _call("nn.collapse_repeated", np.zeros((0, 3), np.int32), np.zeros(0, np.int32)),
    ],
    says="type",
)
_IMAGE = np.arange(20.0).reshape(1, 4, 5, 1)
_EDGES = [[0, 0], [1, 0], [0, 2], [0, 0]]


def _with_holes(*args: Any, **how: Any) -> Any:
    """Slide a filter with holes by the filter without."""

    def run(tf: Any) -> Any:
        filters = tf.constant(np.arange(1.0, 5.0).reshape(2, 2, 1, 1))

        def slid(x: Any, axes: int, padding: Any) -> Any:
            return tf.nn.conv2d(x, filters, 1, padding)

        return tf.nn.with_space_to_batch(tf.constant(_IMAGE), *args, slid, **how)

    return run


TABLE.rows(
    "holes",
    [
        *[_with_holes([2, 3], "SAME", filter_shape=f) for f in ([2, 2], [2, 2, 1, 1])],
        *[_with_holes(rates, "VALID") for rates in ([1, 1], [2, 1], [2, 2], [2, 0], 2, [[2, 2]])],
        *[
            _with_holes([2, 2], padding)
            for padding in (_EDGES, "SAME", "FOO", "EXPLICIT", [[0, 0]])
        ],
        *[_with_holes([2, 2], "VALID", spatial_dims=axes) for axes in ([2, 1], [0, 1], [3, 5])],
        _with_holes([2], "VALID", spatial_dims=[2]),
        _with_holes([2, 2, 2, 2], "VALID"),
    ],
)
TABLE.rows(
    "paddings of blocks",
    [
        *[
            _call("required_space_to_batch_paddings", *given)
            for given in (
                *(([4, 5], [2, 3]), ([4, 5], [2, 3], [[1, 0], [0, 2]]), ([4], [2, 3]), ([], [])),
                *(([4, 5], [[2, 3]]), ([4, 5], 2), ([4.0, 5], [2, 3]), ([4, 5], [2, 3], [[1, 0]])),
            )
        ],
        _call("space_to_batch_nd", np.arange(4).reshape(1, 4, 1), [2], [[0, 0]]),
        _call("space_to_batch_nd", np.arange(4).reshape(1, 4, 1), [3], [[0, 0]]),
    ],
)


def _case(tf: Any, *truths: bool, default: Any = None) -> Any:
    pairs = [(tf.constant(t), lambda k=k: tf.constant(k)) for k, t in enumerate(truths)]
    return tf.case(pairs, default=default)


def _function(tf: Any, spec: Any, *args: Any) -> Any:
    return tf.function(lambda *xs: xs, input_signature=spec)(*args)


class _Doubling:
    """Has a method that is a traced function."""

    def __init__(self, tf: Any) -> None:
        self.double = tf.function(lambda x: x * 2)


TABLE.rows(
    "control",
    [
        lambda tf: _case(tf, False, False, default=lambda: tf.constant(7)),
        lambda tf: _case(tf, False, True, default=lambda: tf.constant(7)),
        lambda tf: tf.switch_case(tf.constant(1), [(1, lambda: 1.0), (0, lambda: 2.0)]),
        lambda tf: tf.switch_case(tf.constant(4), [(0, lambda: 1.0), (1, lambda: 2.0)]),
        lambda tf: tf.switch_case(tf.constant(-1), {0: lambda: 1.0}, default=lambda: 3.0),
        lambda tf: tf.switch_case(tf.constant(-1), {1: lambda: 1.0, 0: lambda: 2.0}),
        lambda tf: repr(
            tf.function(lambda x: x, input_signature=[tf.TensorSpec([])]).input_signature
        ),
        lambda tf: tf.function(lambda x: x).experimental_get_tracing_count(),
        lambda tf: _Doubling(tf).double(tf.constant(2.0)),
        lambda tf: [
            *_function(tf, [{"a": tf.TensorSpec([], tf.float32)}], {"a": 2})[0].values(),
        ],
        lambda tf: _function(tf, [[tf.TensorSpec([])] * 2], [1.0, 2.0]),
        lambda tf: repr(tf.function(lambda: tf.data.Dataset.range(2))().element_spec),
    ],
)
TABLE.rows(
    "elementwise",
    [
        _call("nn.leaky_relu", [-10, 10]),
        lambda tf: tf.nn.leaky_relu(tf.constant([-10, 10], tf.int64)),
        lambda tf: tf.math.polyval([], tf.constant([1.0, 2.0])),
        lambda tf: tf.bitwise.bitwise_and(tf.constant([1, 2, 3]), tf.constant([1, 2])),
        lambda tf: tf.bitwise.left_shift(tf.constant([1, 2]), tf.constant([[1], [3]])),
        lambda tf: tf.cast(tf.constant([1 + 2j]), tf.float64),
        lambda tf: tf.cast(tf.constant([1 + 2j], tf.complex64), tf.int32),
        lambda tf: tf.cast(tf.constant([1 + 2j], tf.complex64), tf.bool),
        lambda tf: tf.constant(1) // 0,
        lambda tf: 1 // tf.constant([1, 0], tf.int64),
        lambda tf: tf.constant([5, 3]) % tf.constant([0, 2]),
        lambda tf: 5 % tf.constant(0, tf.uint8),
        lambda tf: [tf.constant(1.0) // 0.0, tf.constant(-7.0) % 0.0],
        lambda tf: [tf.constant([7, -7]) // -2, tf.constant([7, -7]) % -2, 7 % tf.constant(-3)],
        lambda tf: tf.math.floormod(tf.constant(3), 0),
        lambda tf: tf.constant(2) ** -1,
        lambda tf: 2 ** tf.constant([2, -1]),
        lambda tf: tf.pow(tf.constant(2), -1),
        lambda tf: tf.constant(2) / 0,
        lambda tf: tf.math.mod(tf.constant(2.5), 0.0),
        lambda tf: tf.truncatediv(tf.constant(3), 0),
        lambda tf: tf.truncatemod(tf.constant(3), 0),
        lambda tf: tf.bitwise.right_shift(tf.constant(8), 1),
        lambda tf: tf.math.floor(tf.constant([1, 2])),
        lambda tf: tf.math.ceil(tf.constant([1, 2], tf.int64)),
        lambda tf: tf.round(tf.constant([1, 2])),
        lambda tf: tf.math.rint(tf.constant([1.5, 2.5])),
        lambda tf: tf.clip_by_value(tf.constant([1.0, 2.0]), [1.0, 2.0, 3.0], 4.0),
        lambda tf: tf.clip_by_value(tf.constant([1.0, 9.0]), 2.0, [[3.0], [4.0]]),
    ],
)
TABLE.rows(
    "unravel_index",
    [
        _call("unravel_index", [5, 3], [2, 4]),
        _call("unravel_index", 5, [2, 4]),
        _call("unravel_index", indices=[23, 0, 11], dims=[2, 3, 4]),
        _call("unravel_index", [8], [2, 4]),
        _call("unravel_index", [-1], [2, 4]),
        _call("unravel_index", [[1, 2]], [2, 4]),
        _call("unravel_index", [1], [2, 0]),
        _call("unravel_index", [1, 2], [[2, 4]]),
        _call("unravel_index", np.array([1]), [2, 2]),
        _call("unravel_index", [1], np.array([2, 4])),
        lambda tf: tf.unravel_index(tf.argmax(tf.constant([1.0, 5.0, 2.0])), [3, 1]),
        lambda tf: tf.unravel_index(tf.constant([1.0]), [2, 2]),
    ],
)
TABLE.rows(
    "limits",
    [
        *[
            lambda tf, d=d: [str(n) for n in getattr(tf, d).limits]
            for d in ("int8", "uint8", "int64", "float32", "float64", "bool", "complex64", "string")
        ],
    ],
)
TABLE.rows(
    "gathering",
    [
        lambda tf: tf.gather_nd(tf.zeros([0, 3]), [[0]], bad_indices_policy="IGNORE"),
        lambda tf: tf.gather_nd(tf.ones([2, 3]), [[5], [1]], bad_indices_policy="IGNORE"),
        lambda tf: tf.gather_nd(tf.zeros([2, 0]), [[0], [1]]),
        lambda tf: tf.gather(tf.ones([2, 3]), [[0], [1]], batch_dims=2),
        lambda tf: tf.gather(tf.ones([2, 3]), [[0], [1]], batch_dims=-1),
        lambda tf: tf.gather(tf.ones([2, 3]), 0, batch_dims=1),
    ],
)


def _scattered(tf: Any, how: str, *args: Any) -> Any:
    v = tf.Variable([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    if how.startswith("scatter_nd"):
        return getattr(v, how)(*args)
    return getattr(v, how)(tf.IndexedSlices(*args))


_HOWS = ("add", "sub", "update", "max", "min", "mul", "div")
TABLE.rows(
    "rows of variables",
    [
        *[lambda tf, h=h: _scattered(tf, f"scatter_{h}", [[7.0, 0.5]], [1]) for h in _HOWS],
        *[lambda tf, h=h: _scattered(tf, f"scatter_{h}", [7.0], [1]) for h in _HOWS],
        *[lambda tf, h=h: _scattered(tf, f"scatter_{h}", [[7.0, 0.5]], [3]) for h in _HOWS],
        *[lambda tf, h=h: _scattered(tf, f"scatter_nd_{h}", [[2]], [[7.0, 0.5]])
          for h in _HOWS[:5]],
        *[lambda tf, h=h: _scattered(tf, f"scatter_nd_{h}", [[2, 1]], [7.0]) for h in _HOWS[:5]],
        *[lambda tf, h=h: _scattered(tf, f"scatter_nd_{h}", [[2]], [7.0]) for h in _HOWS[:2]],
        *[lambda tf, h=h: _scattered(tf, f"scatter_nd_{h}", [[3]], [[7.0, 1.0]])
          for h in _HOWS[:2]],
        *[lambda tf, h=h: _scattered(tf, f"scatter_nd_{h}", [[1]], [[7.0, 1.0]] * 2)
          for h in _HOWS[:2]],
    ],
)  # fmt: skip
_LINES = (*np.array([[1.0, 2.0, 0.0], [4.0, 5.0, 6.0], [0.0, 1.0, 2.0]]),)
TABLE.rows(
    "bands",
    [
        _call("linalg.tridiagonal_matmul", _LINES, np.eye(3), "sequence"),
        _call("linalg.tridiagonal_matmul", np.array(_LINES), np.ones((3, 1))),
        _call("linalg.tridiagonal_matmul", np.array(_LINES), np.ones((2, 3, 1))),
        _call("linalg.tridiagonal_matmul", np.array(_LINES), np.ones((4, 1))),
        _call("linalg.banded_triangular_solve", np.array(_LINES)[1:], np.ones((3, 1))),
        _call("linalg.banded_triangular_solve", np.array(_LINES)[:2], np.ones((3, 1)), lower=False),
        _call("linalg.banded_triangular_solve", np.array(_LINES)[1:2], np.ones((3, 2))),
        _call("linalg.banded_triangular_solve", np.array(_LINES)[2:], np.ones((3, 1))),
        _call("linalg.banded_triangular_solve", np.ones(3), np.ones((3, 1))),
        _call("linalg.banded_triangular_solve", np.ones((2, 3)), np.ones(3)),
        _call("linalg.banded_triangular_solve", np.ones((2, 3)), np.ones((4, 1))),
        _call("linalg.banded_triangular_solve", np.ones((4, 2, 3)), np.ones((5, 3, 1))),
        _call("linalg.banded_triangular_solve", np.array(_LINES)[1:], np.ones((3, 1)),
              adjoint=True),
        *[
            _call("linalg.banded_triangular_solve", np.ones(bands), np.ones(rhs))
            for bands, rhs in (((0, 3), (3, 2)), ((2, 0), (0, 2)), ((2, 3), (4, 0)),
                               ((1, 3), (0, 3, 2)), ((0, 3), (4, 2)))
        ],
        _call("linalg.eigh_tridiagonal", [1.0, 2.0, 3.0], [0.5, 0.25]),
        lambda tf: tf.linalg.eigh_tridiagonal(
            tf.constant([1.0, 2.0], tf.complex64), tf.constant([0.5j], tf.complex64)
        ),
        lambda tf: tf.abs(
            tf.linalg.eigh_tridiagonal([1.0, 2.0, 3.0], [0.5, 0.25], eigvals_only=False)[1]
        ),
        _call("linalg.eigh_tridiagonal", [1.0, 2.0, 3.0], [0.5, 0.25], select="v",
              select_range=(1.0, 2.5)),
        _call("linalg.eigh_tridiagonal", [1.0, 2.0, 3.0], [0.5, 0.25], select="i",
              select_range=(1, 2)),
    ],
)  # fmt: skip
TABLE.rows(
    "matrices",
    [
        _call("linalg.set_diag", V, 1.0),
        _call("linalg.set_diag", M, [9.0, 8.0]),
        _call("linalg.diag_part", V),
        _call("linalg.lstsq", V, M, fast=False),
        _call("linalg.lstsq", M, [[1.0], [2.0]], fast=False),
        _call("linalg.lu", S, output_idx_type=np.float32),
        _call("linalg.expm", np.ones((2, 4, 2, 3), "f")),
        _call("linalg.pinv", M, rcond=np.array(0.1)),
        _call("linalg.pinv", np.stack([M, M]), rcond=[0.1, 0.5]),
        _call("linalg.pinv", np.stack([M, M]), rcond=0.25),
        _call("einsum", "ij,jk->iz", M, M),
        _call("linalg.normalize", M, axis=1),
        _call("linalg.normalize", M, ord=1),
        _call("norm", M, ord=3, axis=5),
        _call("norm", M, ord=1, axis=-2),
        _call("norm", M, ord=1, axis=-3),
        _call("norm", M, ord=2, axis=(0, 1)),
        _call("norm", M, ord=1, axis=(-2, -1)),
        _call("norm", np.stack([M, M + 1]), ord=1, axis=(-3, 1)),
        _call("norm", np.stack([M, M + 1]), ord=np.inf, axis=(2, 0)),
        _call("norm", M, ord=1, axis=(0, 1), keepdims=True),
        _call("norm", M, ord=3),
        _call("norm", np.zeros((0, 3)), ord=2),
        _call("norm", np.zeros((3, 0)), ord=np.inf, axis=0),
        _call("norm", V, ord=0.5),
    ],
)
IMAGE = np.arange(32.0, dtype="f").reshape(1, 4, 4, 2)
TABLE.rows(
    "networks",
    [
        _call("batch_to_space", np.ones((4, 1, 1, 1)), 2, [[0, 0], [0, 0]]),
        _call("nn.separable_conv2d", IMAGE, np.ones((1, 1, 2, 1), "f"), np.ones((1, 2, 2, 3), "f"),
              [1, 1, 1, 1], "SAME"),
        _call("nn.softmax_cross_entropy_with_logits", np.float16([[1, 0]]), np.float16([[2, 3]])),
        _call("nn.softmax_cross_entropy_with_logits", np.ones((1, 2)), np.ones((3, 2))),
        _call("nn.softmax_cross_entropy_with_logits", np.ones((3, 2)), np.ones((3, 4))),
        lambda tf: tf.nn.embedding_lookup([tf.constant(M)], [1, 0, 1]),
        lambda tf: tf.nn.embedding_lookup(tf.constant(M), [[1]], max_norm=2.0),
        _call("extract_volume_patches", np.ones((1, 2, 2, 1)), [1] * 5, [1] * 5, "SAME"),
        _call("extract_volume_patches", np.ones((1, 2, 2, 2, 1)), [2] + [1] * 4, [1] * 5, "SAME"),
        _call("nn.dropout", np.ones((2, 3)), 0.0, noise_shape=[None, 1]),
        _call("nn.conv1d_transpose", np.ones((1, 2, 2), "f"), np.ones((3, 3, 2), "f"),
              [1, 4, 3], 2),
        _call("nn.space_to_depth", IMAGE, 3),
        _call("nn.depth_to_space", IMAGE, 2),
        _call("nn.depth_to_space", np.ones((1, 1, 1, 8)), 2),
        _call("image.psnr", np.ones((2, 4, 4, 1)), np.ones((3, 4, 4, 1)), 1.0),
    ],
)  # fmt: skip
TABLE.rows(
    "cosines",
    [
        _call(f"signal.{name}", np.array([1.0, -2.0, 3.0, 0.5]), kind, norm=norm)
        for name in ("dct", "idct")
        for kind in (1, 2, 3, 4)
        for norm in (None, "ortho")
        if (kind, norm) != (1, "ortho")
    ],
)

TABLE.rows(
    "counts of numbers with fractions",
    [
        lambda tf: tf.math.bincount(tf.constant([1.7, 2.2, -0.5])),
        lambda tf: tf.math.bincount(tf.constant([[1.0, 2.0], [0.0, 2.9]], tf.float64), axis=-1),
        lambda tf: tf.math.bincount(tf.constant([True, False]), weights=tf.constant([0.5, 2.0])),
    ],
)

TABLE.rows(
    "ranges from vectors of one number",
    [
        lambda tf: tf.range(tf.constant([1.0]), 5),
        lambda tf: tf.range([1], [3], [1]),
        lambda tf: tf.range(np.array([1.5]), 4.0),
        lambda tf: tf.range(0, tf.constant([[3]])),
        lambda tf: tf.range(tf.constant([1, 2]), 5),
    ],
)
TABLE.rows(
    "codes by other names",
    [
        lambda tf, n=n: tf.strings.unicode_decode(b"a\xc3\xa9", n)
        for n in ("UTF8", "utf-8", "utf_8", "Latin-1", "iso 8859 1", "us-ascii", "UTF 8", "UTF9")
    ],
)
TABLE.rows(
    "of complex numbers",
    [
        _call("cast", np.array([-2j, 1, 0, 1 + 1j]), "bool"),
        *[
            lambda tf, x=x, y=y: tf.constant(x) < tf.constant(y)
            for x, y in ((1j, 2j), (True, False), ("a", "b"), (1.0, 2.0))
        ],
    ],
)
TABLE.rows(
    "products that do not fit",
    [
        _call("matmul", M, np.float64(1)),
        _call("matmul", V, V),
        _call("matmul", M, V),
        _call("matmul", V, M[None]),
        _call("matmul", M[None], V),
        _call("tensordot", M, M, 1),
        _call("tensordot", M, V, [[0], [0]]),
    ],
)

_TWO = {"complex": (1 + 1j, 2j), "bool": (True, False), "string": ("a", "b"), "int32": (1, 2)}
TABLE.rows(
    "of dtypes that are not taken",
    [
        *[
            lambda tf, name=name, pair=pair: getattr(tf, name)(*map(tf.constant, pair))
            for name in ("maximum", "minimum", "pow", "atan2")
            for pair in _TWO.values()
        ],
        *[
            lambda tf, pair=pair: tf.math.squared_difference(*map(tf.constant, pair))
            for pair in _TWO.values()
        ],
        *[
            lambda tf, dtype=dtype: tf.constant([True, False], getattr(tf, dtype))
            for dtype in ("float32", "int8", "int32", "uint8", "uint64", "bfloat16", "complex64")
        ],
        lambda tf: tf.clip_by_value(tf.constant(1j), 0, 1),
        lambda tf: tf.constant(1j) % tf.constant(2j),
        lambda tf: tf.linspace([0.0, 1.0], [1.0, 2.0, 3.0], 3),
        lambda tf: tf.linalg.trace(tf.constant([[True]])),
    ],
)


def _stands_for(given: Any) -> Any:
    """Ask which dtype something stands for."""
    return lambda tf: tf.as_dtype(given).name


TABLE.rows(
    "what stands for a dtype",
    [
        _stands_for(given)
        for given in (
            *(int, float, bool, complex, str, object, bytes, "int", "float", "f4", "<f4", "str"),
            *("double", "half", "complex", "bool_", "uint", "string", b"float32", 1, 1.0, True),
            *(np.float32, np.int_, np.longlong, np.ulonglong, np.str_, np.bytes_, np.object_),
            *(np.void, np.floating, np.longdouble, np.datetime64, np.dtype("f8"), np.dtype(">f4")),
            *(np.dtype("Q"), np.dtype("U3"), np.float16(1), np.array(1), np.array("a"), [1], None),
        )
    ],
)
TABLE.rows(
    "a dtype that is none",
    [
        call
        for name in (int, complex, "f4")
        for call in (
            _call("constant", 1, dtype=name),
            _call("cast", 1.5, name),
            _call("zeros", 2, dtype=name),
            _call("convert_to_tensor", [1], name),
            _call("range", 3, dtype=name),
            _call("Variable", 1, dtype=name),
            _call("random.uniform", [2], dtype=name),
            _call("TensorSpec", [2], name),
        )
    ],
)


TABLE.rows(
    "dtypes at their ends",
    [
        *[
            lambda tf, kind=kind: tf.size([[1, 2]], getattr(tf, kind))
            for kind in ("uint16", "float32", "complex64", "bool", "int64")
        ],
        lambda tf: tf.shape([[1, 2]], tf.uint16),
        lambda tf: tf.bitcast(tf.constant([1.0]), tf.bool),
        lambda tf: tf.bitcast(tf.constant([True]), tf.uint8),
        lambda tf: tf.bitcast(tf.constant([1.0]), tf.int32),
        lambda tf: tf.debugging.check_numerics([1, 2], "m"),
        lambda tf: tf.debugging.check_numerics(["a"], "m"),
        lambda tf: tf.debugging.assert_all_finite(np.array([1, 2]), "m"),
        lambda tf: tf.math.bincount([1, 2], weights=[1.0, 2.0], binary_output=True),
        lambda tf: tf.math.bincount([[1, 2]], weights=[[1.0, 2.0]], binary_output=True, axis=-1),
    ],
    says="start",
)


@TABLE.program
def one_row_in_random_order(tf: Any) -> Any:
    """No gradient flows through, whether there is something to exchange or not."""
    found = []
    for value in (2.0, [2.0], [2.0, 2.0]):
        x = tf.constant(value)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.random.shuffle(x)
        found.append([y, tape.gradient(y, x)])
    return [*found, tf.random.shuffle(["a"])]


@TABLE.program
def filters_with_one_dilation(tf: Any) -> Any:
    """One number is that of the height."""
    x = tf.reshape(tf.range(72.0), [1, 6, 6, 2])
    f = tf.reshape(tf.range(8.0), [2, 2, 2, 1])
    one, ones = tf.ones([1, 1, 2, 1]), [1, 1, 1, 1]
    return [
        tf.nn.depthwise_conv2d(x, f, ones, "VALID", dilations=[2]),
        tf.nn.depthwise_conv2d(x, f, ones, "SAME", dilations=[1]),
        tf.nn.separable_conv2d(x, f, one, ones, "VALID", dilations=[2]),
        tf.nn.separable_conv2d(x, f, one, ones, "VALID", dilations=[2, 1]),
    ]


def _aligned(labels: Any, lengths: Any, times: Any) -> Any:
    """Ask for the loss of two rows of labels over three times, and for its gradient."""
    logits = np.cos(np.arange(24.0, dtype=np.float32)).reshape(3, 2, 4)

    def run(tf: Any) -> Any:
        x = tf.constant(logits)
        with tf.GradientTape() as tape:
            tape.watch(x)
            loss = tf.nn.ctc_loss(tf.constant(labels), x, lengths, times, blank_index=0)
        return [loss, tape.gradient(loss, x)]

    return run


TABLE.rows(
    "alignments",
    [
        _aligned([[1], [2]], [1, 0], [3, 0]),
        _aligned([[1], [2]], [1, 1], [3]),
        _aligned([[1]], [1], [3, 3]),
        _aligned([[1], [2]], [1], [3, 3]),
        _aligned([[1], [2]], [1, 1], [3, 3, 3]),
    ],
    says="type",
)


def _signed(spec: Any, value: Any) -> Any:
    """Call a function that has a signature with one argument."""

    def run(tf: Any) -> Any:
        made = tf.nest.map_structure(lambda n: tf.TensorSpec([n]), spec)
        given = tf.nest.map_structure(lambda n: tf.ones([n]), value)
        return tf.function(lambda x: tf.nest.flatten(x)[0], input_signature=[made])(given)

    return run


TABLE.rows(
    "structures that are not those of a signature",
    [
        _signed({"a": 1, "b": 1}, {"a": 1}),
        _signed({"a": 1}, {"a": [1], "b": 1}),
        _signed({"a": 1}, {"a": 1}),
        _signed({"a": 1}, (1, 1)),
        _signed([1, 1], (1, 1)),
        _signed((1, 1), [1, 1]),
    ],
    says="type",
)
TABLE.rows(
    "sizes that are none",
    [
        call
        for sizes in (None, [None], [2, None], [None, 2], (2, None), [2, "a"], object())
        for call in (
            lambda tf, n=sizes: tf.zeros(n),
            lambda tf, n=sizes: tf.ones(n),
            lambda tf, n=sizes: tf.fill(n, 1.0),
        )
    ],
    says="start",
)


def _counted(variables: Any, body: Any, most: Any = 3) -> Any:
    """Loop for some turns at most."""
    return lambda tf: tf.while_loop(
        lambda *_: True, body, [tf.constant(v) for v in variables], maximum_iterations=most
    )


TABLE.rows(
    "turns that are counted",
    [
        _counted([0], lambda i: [i + 1]),
        _counted([0], lambda i: i + 1),
        _counted([0], lambda i: i + 1, 0),
        _counted([0], lambda i: (i + 1,)),
        _counted([0, 1], lambda i, j: i + j),
        _counted([0, 1], lambda i, j: [i + j]),
        _counted([0, 1], lambda i, j: [i, [j]]),
        lambda tf: tf.while_loop(lambda i: i < 9, lambda i: [i + 1], (0,), maximum_iterations=3),
        lambda tf: tf.while_loop(lambda i: i < 9, lambda i: i + 1, [0], maximum_iterations=2.5),
    ],
)
