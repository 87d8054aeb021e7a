"""The one table of mistakes: calls that raise, with any module that has TensorFlow's names."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np


class Misuse(NamedTuple):
    """One call that raises; `same_text` says that the message is TensorFlow's to the letter."""

    name: str
    run: Callable[[Any], Any]
    same_text: bool = True


FLOATS_ONLY = """
sqrt math.rsqrt exp math.log math.log1p math.expm1 sin cos tan asin acos atan sinh cosh tanh asinh
acosh atanh sigmoid math.softplus math.erf math.erfc floor math.ceil math.rint math.log_sigmoid
math.lgamma math.digamma math.erfinv math.lbeta math.bessel_i0 math.bessel_i1e
math.special.bessel_j1 math.special.bessel_k0e math.special.dawsn math.special.spence math.is_nan
math.is_inf math.is_finite nn.elu nn.selu nn.softsign nn.softmax nn.log_softmax nn.l2_loss nn.gelu
nn.silu math.angle
""".split()

NUMBERS_ONLY = """
square sign negative abs round reduce_sum reduce_mean reduce_max reduce_min reduce_prod
cumsum math.cumprod nn.relu nn.relu6 nn.leaky_relu math.conj
""".split()


def _both(path: str, value: Any) -> Callable[[Any], Any]:
    """Call a function of two tensors with one value twice."""

    def run(tf: Any) -> Any:
        function = tf
        for part in path.split("."):
            function = getattr(function, part)
        return function(tf.constant(value), tf.constant(value))

    return run


def _call(path: str, value: Any) -> Callable[[Any], Any]:
    def run(tf: Any) -> Any:
        function = tf
        for part in path.split("."):
            function = getattr(function, part)
        return function(tf.constant(value))

    return run


# The text names an inner operation of TensorFlow's that symtape does not have.
_INNER = {"nn.silu", "math.angle", "math.log_sigmoid"}

ERRORS: list[Misuse] = [
    *[Misuse(f"{p} of integers", _call(p, [1, 2]), p not in _INNER) for p in FLOATS_ONLY],
    *[Misuse(f"{p} of bool", _call(p, [True]), p not in _INNER) for p in NUMBERS_ONLY],
]


def _m(tf: Any) -> Any:
    return tf.ones((2, 3))


def _x(tf: Any) -> Any:
    return tf.constant([1.0, 2.0])


def _half(tf: Any) -> Any:
    return tf.constant(0.5, tf.float16)


def _d(tf: Any) -> Any:
    return tf.constant([1.0, 2.0], tf.float64)


def _i(tf: Any) -> Any:
    return tf.constant([1, 2])


ERRORS += [
    # --- operands ---
    *[
        Misuse(f"{p} of two bools", _both(p, True))
        for p in (
            *("add", "subtract", "pow", "math.floordiv", "math.floormod", "maximum", "minimum"),
            *("math.squared_difference", "divide", "less", "greater_equal"),
        )
    ],
    Misuse("a bool added to a bool", lambda tf: tf.constant(True) + True),
    Misuse("a bool below a bool", lambda tf: tf.constant(True) < tf.constant(False)),
    Misuse("nothing added to a tensor", lambda tf: _x(tf) + None),
    Misuse("a tensor times nothing", lambda tf: None * _x(tf)),
    Misuse("a tensor below nothing", lambda tf: _x(tf) < None),
    Misuse("a variable less nothing", lambda tf: tf.Variable(1.0) - None),
    Misuse("bits of floats", lambda tf: _x(tf) & _x(tf)),
    Misuse("add of two dtypes", lambda tf: tf.add(_x(tf), _d(tf))),
    Misuse("multiply of an int tensor and a float", lambda tf: tf.multiply(_i(tf), 2.5)),
    Misuse("multiply of a float and an int tensor", lambda tf: tf.multiply(2.5, _i(tf))),
    Misuse("add of an array and a tensor", lambda tf: tf.add(np.ones(2), _x(tf))),
    Misuse("add of shapes that do not broadcast", lambda tf: tf.add(_x(tf), tf.ones(3))),
    Misuse("pow of two dtypes", lambda tf: tf.pow(_i(tf), _x(tf))),
    Misuse("pow of a negative integer power", lambda tf: tf.pow(_i(tf), -1)),
    Misuse("maximum with text", lambda tf: tf.maximum(_x(tf), "a")),
    Misuse("maximum with None", lambda tf: tf.maximum(_x(tf), None)),
    Misuse("square of None", lambda tf: tf.square(None)),
    Misuse("square of text", lambda tf: tf.square("a")),
    Misuse("reduce_sum of a ragged list", lambda tf: tf.reduce_sum([[1, 2], [3]])),
    Misuse("floordiv by 0", lambda tf: tf.math.floordiv(_i(tf), 0)),
    Misuse("mod by 0", lambda tf: tf.math.mod(_i(tf), 0)),
    Misuse("multiply_no_nan of integers", lambda tf: tf.math.multiply_no_nan(_i(tf), _i(tf))),
    Misuse("equal of two dtypes", lambda tf: tf.equal(_x(tf), _d(tf))),
    Misuse("equal of shapes that do not broadcast", lambda tf: tf.equal(_x(tf), tf.ones(3))),
    Misuse("less of bool", lambda tf: tf.less(tf.constant([True]), False)),
    Misuse("less of complex numbers", lambda tf: tf.less(tf.constant(1j), 1j)),
    Misuse("logical_and of floats", lambda tf: tf.logical_and(_x(tf), _x(tf))),
    Misuse("logical_not of a number", lambda tf: tf.logical_not(1)),
    Misuse("clip_by_value that broadcasts", lambda tf: tf.clip_by_value(_x(tf), [0.0], [[1.0]])),
    Misuse("clip_by_value of integers by a float", lambda tf: tf.clip_by_value(_i(tf), 0, 1.5)),
    Misuse("add_n of nothing", lambda tf: tf.add_n([])),
    Misuse("add_n of two shapes", lambda tf: tf.add_n([_x(tf), tf.ones(3)])),
    Misuse("add_n of two dtypes", lambda tf: tf.add_n([_x(tf), _d(tf)])),
    # --- where ---
    Misuse("where of one branch", lambda tf: tf.where([True], _x(tf))),
    Misuse("where of a float condition", lambda tf: tf.where(_x(tf), _x(tf), 0)),
    Misuse("where of numbers as condition", lambda tf: tf.where([1, 0], _x(tf), 0)),
    Misuse("where of two dtypes", lambda tf: tf.where([True, False], _x(tf), _d(tf))),
    Misuse("where that does not broadcast", lambda tf: tf.where([True, False, True], _x(tf), 0.0)),
    Misuse("where of None", lambda tf: tf.where(None, _x(tf), _x(tf))),
    # --- products ---
    Misuse("matmul of vectors", lambda tf: tf.matmul(_x(tf), _x(tf))),
    Misuse("matmul of sizes that differ", lambda tf: tf.matmul(_m(tf), _m(tf))),
    Misuse(
        "matmul turned twice",
        lambda tf: tf.matmul(_m(tf), _m(tf), transpose_a=True, adjoint_a=True),
    ),
    Misuse("matmul of two dtypes", lambda tf: tf.matmul(_m(tf), tf.ones((3, 2), tf.float64))),
    Misuse(
        "matmul of bool", lambda tf: tf.matmul(tf.constant([[True]]), tf.constant([[True]])), False
    ),
    Misuse(
        "matmul of batches that differ",
        lambda tf: tf.matmul(tf.ones((2, 2, 3)), tf.ones((3, 3, 2))),
    ),
    Misuse("matvec of sizes that differ", lambda tf: tf.linalg.matvec(_m(tf), _x(tf))),
    Misuse("tensordot of sizes that differ", lambda tf: tf.tensordot(_m(tf), _m(tf), 1), False),
    Misuse("tensordot of too many axes", lambda tf: tf.tensordot(_m(tf), _m(tf), 3)),
    Misuse("tensordot of a negative number", lambda tf: tf.tensordot(_m(tf), _m(tf), -1)),
    Misuse("tensordot of unequal axes", lambda tf: tf.tensordot(_m(tf), _m(tf), [[0], [0, 1]])),
    Misuse("tensordot of one list", lambda tf: tf.tensordot(_m(tf), _m(tf), [1])),
    Misuse(
        "tensordot of an axis that is not there",
        lambda tf: tf.tensordot(_m(tf), _m(tf), [[5], [0]]),
        False,
    ),
    Misuse("tensordot of two dtypes", lambda tf: tf.tensordot(_m(tf), _d(tf), 1)),
    Misuse("einsum of sizes that differ", lambda tf: tf.einsum("ij,jk->ik", _m(tf), _m(tf)), False),
    Misuse("einsum of one and three", lambda tf: tf.einsum("ij,ij->ij", _m(tf), _m(tf)[:, :1])),
    Misuse("einsum of no square", lambda tf: tf.einsum("ii->i", _m(tf)[:1])),
    Misuse("einsum that drops its ellipsis", lambda tf: tf.einsum("...i->i", _m(tf))),
    Misuse("einsum of too few axes", lambda tf: tf.einsum("ijk...->i", _m(tf))),
    Misuse("einsum with an unknown argument", lambda tf: tf.einsum("ij->i", _m(tf), foo=1)),
    Misuse("einsum of another rank", lambda tf: tf.einsum("ijk", _m(tf))),
    Misuse("einsum of too many operands", lambda tf: tf.einsum("ij", _m(tf), _m(tf))),
    Misuse("einsum to a diagonal", lambda tf: tf.einsum("i->ii", _x(tf))),
    Misuse("einsum to an unknown index", lambda tf: tf.einsum("ij->ijk", _m(tf))),
    Misuse("einsum of digits", lambda tf: tf.einsum("i1->i", _m(tf))),
    Misuse(
        "einsum of two dtypes",
        lambda tf: tf.einsum("ij,jk->ik", _m(tf), tf.ones((3, 2), tf.float64)),
    ),
    Misuse("trace of a vector", lambda tf: tf.linalg.trace(_x(tf))),
    Misuse("diag of a scalar", lambda tf: tf.linalg.diag(2.0)),
    Misuse("diag of too few rows", lambda tf: tf.linalg.diag(_x(tf), num_rows=1)),
    Misuse("diag_part that is not there", lambda tf: tf.linalg.diag_part(_m(tf), k=5)),
    Misuse("diag_part of a vector", lambda tf: tf.linalg.diag_part(_x(tf))),
    Misuse("matrix_transpose of a vector", lambda tf: tf.linalg.matrix_transpose(_x(tf))),
    # --- shapes ---
    Misuse("transpose that names an axis twice", lambda tf: tf.transpose(_m(tf), [0, 0])),
    Misuse("transpose of too few axes", lambda tf: tf.transpose(_m(tf), [0])),
    Misuse("transpose of an axis that is not there", lambda tf: tf.transpose(_m(tf), [0, 2])),
    Misuse("reshape that does not fit", lambda tf: tf.reshape(_m(tf), [4])),
    Misuse("reshape that does not divide", lambda tf: tf.reshape(_m(tf), [-1, 4])),
    Misuse("reshape with two free sizes", lambda tf: tf.reshape(_m(tf), [-1, -1])),
    Misuse("reshape to a negative size", lambda tf: tf.reshape(_m(tf), [-2, 3])),
    Misuse("reshape to floats", lambda tf: tf.reshape(_m(tf), [3.0, 2.0]), False),
    Misuse("squeeze of another size", lambda tf: tf.squeeze(_m(tf), 0)),
    Misuse("squeeze of an axis that is not there", lambda tf: tf.squeeze(_m(tf), 2)),
    Misuse("expand_dims too far", lambda tf: tf.expand_dims(_m(tf), 3)),
    Misuse("expand_dims too far back", lambda tf: tf.expand_dims(_m(tf), -4)),
    Misuse("expand_dims of two axes", lambda tf: tf.expand_dims(_m(tf), [0, 1])),
    Misuse("expand_dims of None", lambda tf: tf.expand_dims(_m(tf), None)),
    Misuse("broadcast_to another size", lambda tf: tf.broadcast_to(_m(tf), [2, 2])),
    Misuse("broadcast_to fewer axes", lambda tf: tf.broadcast_to(_m(tf), [3])),
    Misuse("broadcast_to a negative size", lambda tf: tf.broadcast_to(_x(tf), [-1, 2])),
    Misuse("tile by too few numbers", lambda tf: tf.tile(_m(tf), [2])),
    Misuse("tile by a negative number", lambda tf: tf.tile(_m(tf), [2, -1])),
    Misuse("tile by a scalar", lambda tf: tf.tile(_m(tf), 2)),
    Misuse("tile by floats", lambda tf: tf.tile(_m(tf), [2.0, 1.0]), False),
    Misuse("reverse of an axis that is not there", lambda tf: tf.reverse(_m(tf), [2])),
    Misuse("reverse of a scalar axis", lambda tf: tf.reverse(_m(tf), 0)),
    Misuse("reverse of an axis twice", lambda tf: tf.reverse(_m(tf), [0, -2])),
    Misuse("concat of an axis that is not there", lambda tf: tf.concat([_m(tf), _m(tf)], 2)),
    Misuse("concat of two ranks", lambda tf: tf.concat([_m(tf), _x(tf)], 0)),
    Misuse("concat of two sizes", lambda tf: tf.concat([_m(tf), tf.ones((3, 2))], 0)),
    Misuse("concat of two dtypes", lambda tf: tf.concat([_m(tf), tf.ones((2, 3), tf.float64)], 0)),
    Misuse("concat of scalars", lambda tf: tf.concat([1.0, 2.0], 0)),
    Misuse("concat of nothing", lambda tf: tf.concat([], 0), False),
    Misuse("stack of two shapes", lambda tf: tf.stack([_x(tf), _m(tf)])),
    Misuse("stack of two dtypes", lambda tf: tf.stack([_x(tf), _d(tf)])),
    Misuse("stack of an axis that is not there", lambda tf: tf.stack([_x(tf), _x(tf)], 3)),
    Misuse("unstack of an axis that is not there", lambda tf: tf.unstack(_m(tf), axis=2)),
    Misuse("unstack of another number", lambda tf: tf.unstack(_m(tf), 3)),
    Misuse("unstack of a scalar", lambda tf: tf.unstack(2.0)),
    Misuse("split that does not divide", lambda tf: tf.split(_m(tf), 2, 1)),
    Misuse("split of sizes that do not add up", lambda tf: tf.split(_m(tf), [1, 1], 1)),
    Misuse("split with two free sizes", lambda tf: tf.split(_m(tf), [1, -1, -1], 1)),
    Misuse("split of an axis that is not there", lambda tf: tf.split(_m(tf), 2, 3)),
    Misuse("gather out of range", lambda tf: tf.gather(_x(tf), 2)),
    Misuse("gather of a negative index", lambda tf: tf.gather(_x(tf), [0, -1])),
    Misuse("gather by floats", lambda tf: tf.gather(_x(tf), [0.0]), False),
    Misuse("gather of an axis that is not there", lambda tf: tf.gather(_m(tf), [0], axis=2)),
    Misuse(
        "gather of too many batch axes", lambda tf: tf.gather(_m(tf), [0], axis=1, batch_dims=2)
    ),
    Misuse(
        "gather of unequal batches", lambda tf: tf.gather(_m(tf), [[0, 1]], axis=1, batch_dims=1)
    ),
    Misuse("gather of a scalar", lambda tf: tf.gather(2.0, 0)),
    Misuse("gather_nd out of range", lambda tf: tf.gather_nd(_m(tf), [[0, 5]])),
    Misuse("pad of too few rows", lambda tf: tf.pad(_m(tf), [[1, 1]])),
    Misuse("pad by a negative number", lambda tf: tf.pad(_m(tf), [[1, -1], [0, 0]])),
    Misuse("pad of an unknown mode", lambda tf: tf.pad(_m(tf), [[1, 1], [0, 0]], "FOO")),
    Misuse("pad by too much reflection", lambda tf: tf.pad(_m(tf), [[2, 0], [0, 0]], "REFLECT")),
    Misuse("pad by too much symmetry", lambda tf: tf.pad(_m(tf), [[3, 0], [0, 0]], "SYMMETRIC")),
    Misuse("repeat of unequal numbers", lambda tf: tf.repeat(_m(tf), [1, 2, 3], 0)),
    Misuse("repeat of an axis that is not there", lambda tf: tf.repeat(_m(tf), 2, 5)),
    Misuse(
        "boolean_mask of another shape", lambda tf: tf.boolean_mask(_m(tf), [True, False, True])
    ),
    Misuse("boolean_mask by a scalar", lambda tf: tf.boolean_mask(_m(tf), True)),
    Misuse("slice that begins too far", lambda tf: tf.slice(_m(tf), [0, 4], [1, 1])),
    Misuse("slice that ends too far", lambda tf: tf.slice(_m(tf), [0, 1], [1, 3])),
    Misuse("ensure_shape of another shape", lambda tf: tf.ensure_shape(_x(tf), [3])),
    # --- reductions ---
    Misuse("reduce_sum of an axis that is not there", lambda tf: tf.reduce_sum(_m(tf), 2)),
    Misuse("reduce_mean of an axis that is not there", lambda tf: tf.reduce_mean(_m(tf), -3)),
    Misuse("reduce_sum of an axis twice", lambda tf: tf.reduce_sum(_m(tf), [0, -2])),
    Misuse("reduce_sum of a float axis", lambda tf: tf.reduce_sum(_m(tf), 0.5)),
    Misuse("reduce_sum of None", lambda tf: tf.reduce_sum(None)),
    Misuse("reduce_any of floats", lambda tf: tf.reduce_any(_x(tf))),
    Misuse("reduce_logsumexp of integers", lambda tf: tf.reduce_logsumexp(_i(tf))),
    Misuse("reduce_std of integers", lambda tf: tf.math.reduce_std(_i(tf))),
    Misuse("norm of integers", lambda tf: tf.norm(_i(tf))),
    Misuse("norm of an unknown order", lambda tf: tf.norm(_m(tf), "foo")),
    Misuse("norm of a negative order", lambda tf: tf.norm(_m(tf), -1)),
    Misuse("norm of an axis twice", lambda tf: tf.norm(_m(tf), axis=[0, 0])),
    Misuse("norm of three axes", lambda tf: tf.norm(_m(tf), axis=[0, 1, 2])),
    Misuse("Frobenius norm of a vector", lambda tf: tf.norm(_m(tf), "fro", axis=0)),
    Misuse("norm of an axis that is not there", lambda tf: tf.norm(_m(tf), axis=2)),
    Misuse("cumsum of an axis that is not there", lambda tf: tf.cumsum(_m(tf), 2)),
    Misuse("cumsum of a scalar", lambda tf: tf.cumsum(3.0)),
    Misuse("argmax of an axis that is not there", lambda tf: tf.argmax(_m(tf), 2)),
    Misuse("argmax of a scalar", lambda tf: tf.argmax(3.0)),
    Misuse("argmax of nothing", lambda tf: tf.argmax(tf.zeros([0]))),
    Misuse("argmax of an unknown dtype", lambda tf: tf.argmax(_m(tf), 1, tf.int8), False),
    Misuse("argsort of an unknown direction", lambda tf: tf.argsort(_x(tf), direction="foo")),
    Misuse("sort of an axis that is not there", lambda tf: tf.sort(_x(tf), axis=4)),
    Misuse("sort of a scalar", lambda tf: tf.sort(3.0)),
    Misuse("sort of bool", lambda tf: tf.sort([True, False])),
    # --- creation ---
    Misuse("zeros of a negative size", lambda tf: tf.zeros(-1)),
    Misuse("zeros of a float size", lambda tf: tf.zeros([2, 1.5])),
    Misuse("ones of strings", lambda tf: tf.ones([2], tf.string)),
    Misuse("fill with an array", lambda tf: tf.fill([2], _x(tf))),
    Misuse("fill of a negative size", lambda tf: tf.fill([2, -1], 3)),
    Misuse("eye of a negative size", lambda tf: tf.eye(-1)),
    Misuse("range of no step", lambda tf: tf.range(0, 5, 0)),
    Misuse("range of the wrong direction", lambda tf: tf.range(0, 5, -1)),
    Misuse("range of an array", lambda tf: tf.range([1, 2])),
    Misuse("linspace of an int and a float", lambda tf: tf.linspace(0, 1.0, 3)),
    Misuse("linspace of two dtypes", lambda tf: tf.linspace(_x(tf), _d(tf), 3)),
    Misuse("one_hot of floats", lambda tf: tf.one_hot(_x(tf), 3), False),
    Misuse("one_hot of a negative depth", lambda tf: tf.one_hot(_i(tf), -1)),
    Misuse("one_hot of two dtypes", lambda tf: tf.one_hot(_i(tf), 3, 5.0, dtype=tf.int32)),
    Misuse("one_hot of an axis that is not there", lambda tf: tf.one_hot(_i(tf), 3, axis=2)),
    Misuse("shape of floats", lambda tf: tf.shape(_x(tf), out_type=tf.float32), False),
    Misuse(
        "meshgrid of an unknown indexing", lambda tf: tf.meshgrid(_x(tf), _x(tf), indexing="foo")
    ),
    Misuse("meshgrid of an unknown keyword", lambda tf: tf.meshgrid(_x(tf), foo=1)),
    Misuse("cast to strings", lambda tf: tf.cast(_x(tf), tf.string)),
    Misuse("cast of strings", lambda tf: tf.cast("a", tf.int32)),
    Misuse("cast to an unknown dtype", lambda tf: tf.cast(_x(tf), "foo")),
    Misuse("complex of two dtypes", lambda tf: tf.complex(_x(tf), _d(tf))),
    Misuse("complex of integers", lambda tf: tf.complex(1, 2)),
    Misuse("constant of another dtype", lambda tf: tf.constant(_x(tf), tf.float64)),
    Misuse("constant of too few elements", lambda tf: tf.constant([1, 2], shape=(2, 2))),
    Misuse("constant of a float as int", lambda tf: tf.constant(1.5, dtype=tf.int32)),
    Misuse("constant of None", lambda tf: tf.constant(None)),
    Misuse("constant of a number as bool", lambda tf: tf.constant(1, tf.bool)),
    Misuse("constant of text as float", lambda tf: tf.constant("a", tf.float32)),
    Misuse("constant of a huge integer", lambda tf: tf.constant(2**70)),
    Misuse(
        "convert_to_tensor of another dtype",
        lambda tf: tf.convert_to_tensor(_x(tf), dtype=tf.float64),
    ),
    # --- networks ---
    Misuse("softmax of a scalar", lambda tf: tf.nn.log_softmax(3.0)),
    Misuse("softmax of an axis that is not there", lambda tf: tf.nn.softmax(_m(tf), axis=2)),
    Misuse(
        "logistic loss of two shapes",
        lambda tf: tf.nn.sigmoid_cross_entropy_with_logits(_x(tf), _m(tf)),
    ),
    Misuse(
        "logistic loss without logits",
        lambda tf: tf.nn.sigmoid_cross_entropy_with_logits(labels=_x(tf)),
        False,
    ),
    Misuse(
        "logistic loss of two dtypes",
        lambda tf: tf.nn.sigmoid_cross_entropy_with_logits(_d(tf), _x(tf)),
        False,
    ),
    Misuse(
        "cross entropy of labels out of range",
        lambda tf: tf.nn.sparse_softmax_cross_entropy_with_logits([0, 5], _m(tf)),
    ),
    Misuse(
        "cross entropy of unequal batches",
        lambda tf: tf.nn.sparse_softmax_cross_entropy_with_logits([0, 1, 1], _m(tf)),
    ),
    # --- control flow ---
    Misuse("cond of an array", lambda tf: tf.cond(_x(tf), lambda: 1, lambda: 2)),
    Misuse("cond of no functions", lambda tf: tf.cond(True, 1, 2)),
    Misuse(
        "while_loop of no function", lambda tf: tf.while_loop(1, lambda i: (i,), [tf.constant(0)])
    ),
    Misuse("while_loop of nothing", lambda tf: tf.while_loop(lambda: True, lambda: (), [])),
    # --- debugging ---
    Misuse("assert_equal", lambda tf: tf.debugging.assert_equal(_x(tf), 1.0), False),
    Misuse("assert_near", lambda tf: tf.debugging.assert_near(_x(tf), 1.0), False),
    Misuse("assert_positive", lambda tf: tf.debugging.assert_positive([-1.0]), False),
    Misuse("assert_rank", lambda tf: tf.debugging.assert_rank(_x(tf), 2), False),
    Misuse("assert_shapes", lambda tf: tf.debugging.assert_shapes([(_x(tf), ("n", "n"))]), False),
    Misuse("check_numerics", lambda tf: tf.debugging.check_numerics([np.nan], "message"), False),
    Misuse("Assert", lambda tf: tf.debugging.Assert(False, [_x(tf)]), False),
]

ERRORS += [
    Misuse("top_k of too many", lambda tf: tf.math.top_k(_m(tf), 4)),
    Misuse("top_k of a scalar", lambda tf: tf.math.top_k(3.0)),
    Misuse("top_k of bool", lambda tf: tf.math.top_k(tf.constant([True, False]))),
    Misuse("polyval of no list", lambda tf: tf.math.polyval(3.0, 2.0)),
    Misuse("scalar_mul of a vector", lambda tf: tf.math.scalar_mul(_x(tf), _x(tf))),
    Misuse("segment_sum of ids that decrease", lambda tf: tf.math.segment_sum(_m(tf), [1, 0])),
    Misuse("segment_sum of too few ids", lambda tf: tf.math.segment_sum(_m(tf), [0])),
    Misuse("segment_sum of negative ids", lambda tf: tf.math.segment_sum(_m(tf), [-1, 0])),
    Misuse(
        "unsorted_segment_sum out of range",
        lambda tf: tf.math.unsorted_segment_sum(_m(tf), [1, 3], 3),
    ),
    Misuse("scatter_nd out of range", lambda tf: tf.scatter_nd([[3]], [5.0], [2])),
    Misuse("scatter_nd of unequal sizes", lambda tf: tf.scatter_nd([[1]], _x(tf), [2])),
    Misuse(
        "tensor_scatter_nd_update out of range",
        lambda tf: tf.tensor_scatter_nd_update(_m(tf), [[5, 1]], [9.0]),
    ),
    Misuse("cross of two elements", lambda tf: tf.linalg.cross(_x(tf), _x(tf))),
    Misuse("set_diag of too few", lambda tf: tf.linalg.set_diag(_m(tf), [9.0])),
    Misuse("band_part beyond the rows", lambda tf: tf.linalg.band_part(_m(tf), 5, 1)),
    Misuse("bias_add of unequal sizes", lambda tf: tf.nn.bias_add(_m(tf), [1.0, 2.0])),
    Misuse("bias_add of a vector", lambda tf: tf.nn.bias_add(_x(tf), _x(tf))),
    Misuse(
        "bias_add of an unknown format",
        lambda tf: tf.nn.bias_add(_m(tf), [1.0, 2.0, 3.0], data_format="foo"),
    ),
    Misuse("embedding_lookup out of range", lambda tf: tf.nn.embedding_lookup(_m(tf), [2])),
    Misuse(
        "weighted cross entropy of two shapes",
        lambda tf: tf.nn.weighted_cross_entropy_with_logits(_x(tf), _m(tf), 2.0),
    ),
    Misuse("map_fn of a scalar", lambda tf: tf.map_fn(lambda x: x, 2.0)),
    Misuse("map_fn to another dtype", lambda tf: tf.map_fn(lambda x: tf.cast(x, tf.int32), _x(tf))),
    Misuse(
        "py_function to another dtype",
        lambda tf: tf.py_function(lambda x: x * 2, [_x(tf)], tf.float64),
        False,
    ),
    Misuse("unique of a matrix", lambda tf: tf.unique(_m(tf))),
    Misuse(
        "searchsorted of an unknown side",
        lambda tf: tf.searchsorted(_x(tf), _x(tf), side="foo"),
        False,
    ),
    Misuse("polygamma of integers", lambda tf: tf.math.polygamma(1, 2)),
    Misuse("polygamma of a float beside an integer", lambda tf: tf.math.polygamma(1, 1.5)),
    Misuse("polygamma of halves", lambda tf: tf.math.polygamma(_half(tf), _half(tf))),
    Misuse("polygamma of two dtypes", lambda tf: tf.math.polygamma(_d(tf), _x(tf))),
    Misuse("polygamma of two shapes", lambda tf: tf.math.polygamma(_x(tf), tf.ones(3))),
    Misuse("zeta of integers", lambda tf: tf.math.zeta(2, 1)),
    Misuse("zeta of halves", lambda tf: tf.math.zeta(_half(tf), _half(tf))),
    Misuse("igamma of integers", lambda tf: tf.math.igamma(2, 1)),
    Misuse("igammac of text", lambda tf: tf.math.igammac("a", "b")),
    Misuse("igamma of two shapes", lambda tf: tf.math.igamma(_x(tf), tf.ones(3))),
    Misuse("nextafter of halves", lambda tf: tf.math.nextafter(_half(tf), _half(tf))),
    Misuse("nextafter of two shapes", lambda tf: tf.math.nextafter(_x(tf), tf.ones(3))),
    Misuse("nextafter of two dtypes", lambda tf: tf.math.nextafter(_x(tf), _d(tf))),
    Misuse("betainc of integers", lambda tf: tf.math.betainc(2, 3, 1)),
    Misuse("betainc of halves", lambda tf: tf.math.betainc(*[_half(tf)] * 3)),
    Misuse("betainc of two dtypes", lambda tf: tf.math.betainc(_x(tf), _x(tf), _d(tf))),
    Misuse("betainc, first shapes differ", lambda tf: tf.math.betainc(_x(tf), [3.0], _x(tf))),
    Misuse("betainc, outer shapes differ", lambda tf: tf.math.betainc([2.0], 3.0, [0.1, 0.2])),
    Misuse("betainc, last shapes differ", lambda tf: tf.math.betainc(2.0, [3.0], [0.1, 0.2])),
    Misuse("lbeta of a scalar", lambda tf: tf.math.lbeta(2.0)),
]


def _of_variable(run: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda tf: run(tf.Variable([1.0, 2.0], name="v"))


OF_VARIABLES: dict[str, Callable[[Any], Any]] = {
    "added to in place": lambda v: operator.iadd(v, 1.0),
    "subtracted from in place": lambda v: operator.isub(v, 1.0),
    "multiplied in place": lambda v: operator.imul(v, 2.0),
    "divided in place": lambda v: operator.itruediv(v, 2.0),
    "raised in place": lambda v: operator.ipow(v, 2.0),
    "with an element set": lambda v: operator.setitem(v, 0, 1.0),
    "that is counted": len,
    "that is a key": hash,
    "in a format": lambda v: format(v, ".2f"),
    "as a condition": lambda v: bool(v),
    "as an int": int,
    "as a float": float,
    "as an index": operator.index,
    "assigned another shape": lambda v: v.assign([1.0]),
    "added another shape": lambda v: v.assign_add([1.0, 2.0, 3.0]),
    "assigned another dtype": lambda v: v.assign(["a", "b"]),
}
ERRORS += [
    # TensorFlow's text for a difference advises a product.
    Misuse(f"a variable {name}", _of_variable(run), not name.startswith("subtracted"))
    for name, run in OF_VARIABLES.items()
]
