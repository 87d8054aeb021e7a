"""Gradients at kinks, ties, edges and poles, of powers, of singular matrices: orders one and two.

Each row is a function, and numbers in float32. Elements of results count 1, 2, 3, … times, so that
it can be told which of them a gradient comes from.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import Any

from tests.answers.answer import Table

TABLE = Table("conventions")

inf, nan = float("inf"), float("nan")


def weighted(tf: Any, y: Any) -> Any:
    """Add up the elements times 1, 2, 3, …."""
    count = tf.cast(tf.size(y), y.dtype)
    return tf.reduce_sum(tf.reshape(y, [-1]) * tf.range(1, count + 1, dtype=y.dtype))


def _gradients(tf: Any, run: Callable[..., Any], xs: Any) -> list[Any]:
    with tf.GradientTape() as tape:
        tape.watch(xs)
        y = run(tf, *xs)
    return tape.gradient(y, list(xs))


def _slope(f: Callable[..., Any]) -> Callable[..., Any]:
    """Take the gradient of a function of one tensor as the function."""
    return lambda tf, x: _gradients(tf, f, [x])[0]


def _twice(run: Callable[..., Any]) -> Callable[..., Any]:
    """Take the gradients, each weighted, as the function."""

    def slope(tf: Any, *xs: Any) -> Any:
        found = [g for g in _gradients(tf, run, xs) if g is not None]
        return tf.add_n([weighted(tf, g) for g in found])

    return slope


def _row(name: str, run: Callable[..., Any], at: Any) -> None:
    xs = at if isinstance(at, tuple) else (at,)

    def program(tf: Any) -> Any:
        found = _gradients(tf, run, [tf.constant(x, tf.float32) for x in xs])
        return [g if g is None else tf.convert_to_tensor(g) for g in found]

    TABLE.add(name, program, ulps=8)


def _at(path: str, at: Any) -> None:
    """Add a row for a function by its name."""
    _row(f"{path} at {at}", lambda tf, *xs: attrgetter(path)(tf)(*xs), at)


def _first(name: str, f: Callable[..., Any], at: Any) -> None:
    _row(name, lambda tf, *xs: weighted(tf, f(tf, *xs)), at)


def _both(name: str, f: Callable[..., Any], at: Any) -> None:
    def run(tf: Any, *xs: Any) -> Any:
        return weighted(tf, f(tf, *xs))

    _row(name, run, at)
    _row(f"{name}, twice", _twice(run), at)


# --- kinks, element by element --------------------------------------------------------------------
_at("abs", 0.0)
_at("sign", 0.0)
_at("sign", 2.0)
_row("a root of sign", lambda tf, x: tf.sqrt(tf.sign(x)), 0.0)
_row("a root of a step", lambda tf, x: tf.sqrt(_slope(lambda tf, x: tf.nn.relu(x))(tf, x)), 0.0)
_at("maximum", (1.0, 1.0))
_at("minimum", (1.0, 1.0))
_at("maximum", (nan, 2.0))
_row("maximum(x, 0)", lambda tf, x: tf.maximum(x, 0.0), 0.0)
_row("maximum(0, x)", lambda tf, x: tf.maximum(0.0, x), 0.0)
_at("nn.relu", 0.0)
_at("nn.relu6", 0.0)
_at("nn.relu6", 6.0)
_at("nn.leaky_relu", 0.0)
_at("nn.elu", 0.0)
_at("nn.selu", 0.0)
_at("math.softplus", 0.0)
_at("nn.gelu", 0.0)
_at("nn.softsign", 0.0)
_at("sigmoid", 1000.0)
_at("sigmoid", -1000.0)
_at("tanh", 1000.0)
_at("math.log_sigmoid", -1000.0)
_at("math.log_sigmoid", 1000.0)
_at("square", 0.0)
_at("math.squared_difference", (2.0, 2.0))
# --- edges of domains and poles -------------------------------------------------------------------
_at("sqrt", 0.0)
_at("sqrt", -1.0)
_at("math.rsqrt", 0.0)
_at("math.reciprocal", 0.0)
_at("math.log", 0.0)
_at("math.log", -1.0)
_at("math.log1p", -1.0)
_at("asin", 1.0)
_at("acos", 1.0)
_at("acosh", 1.0)
_at("atanh", 1.0)
_at("math.erfinv", 1.0)
_at("math.lgamma", 0.0)
_at("atan2", (0.0, 0.0))
_at("math.xlogy", (0.0, 0.0))
_at("math.xlog1py", (0.0, -1.0))
_at("math.xdivy", (0.0, 0.0))
_at("math.divide_no_nan", (1.0, 0.0))
_at("math.multiply_no_nan", (inf, 0.0))
# --- powers ---------------------------------------------------------------------------------------
_at("pow", (0.0, 0.0))
_at("pow", (0.0, 1.0))
_at("pow", (0.0, 2.0))
_at("pow", (0.0, 1.5))
_at("pow", (0.0, 0.5))
_at("pow", (0.0, -1.0))
_at("pow", (-2.0, 2.0))
_at("pow", (-2.0, 3.0))
_at("pow", (-2.0, 0.5))
_at("pow", (2.0, 0.0))
_row("x ** 0", lambda tf, x: x**0, 0.0)
# --- reductions -----------------------------------------------------------------------------------
_at("reduce_max", [1.0, 3.0, 3.0])
_at("reduce_min", [3.0, 1.0, 1.0, 1.0])
_at("reduce_prod", [0.0, 2.0, 3.0])
_at("reduce_prod", [0.0, 0.0, 3.0])
_at("reduce_logsumexp", [2.0, 2.0])
_at("math.reduce_std", [2.0, 2.0])
_at("math.reduce_variance", [2.0, 2.0])
_at("norm", [0.0, 0.0])
_at("math.reduce_euclidean_norm", [0.0, 0.0])
_row("1-norm", lambda tf, x: tf.norm(x, ord=1), [0.0, 2.0])
_row("infinity norm of equals", lambda tf, x: tf.norm(x, ord=inf), [2.0, -2.0])
_at("nn.l2_normalize", [0.0, 0.0])
_row("clip_by_norm", lambda tf, x: tf.clip_by_norm(x, 1.0), [0.0, 0.0])
# --- choices --------------------------------------------------------------------------------------
_row(
    "clip_by_value at its bounds",
    lambda tf, x: tf.clip_by_value(x, 0.0, 1.0),
    [0.0, 1.0, 2.0, -1.0],
)
_row("clip_by_value of a lower bound", lambda tf, x, a: tf.clip_by_value(x, a, 9.0), (1.0, 1.0))
_row(
    "clip_by_value above an upper bound", lambda tf, x, b: tf.clip_by_value(x, -9.0, b), (2.0, 1.0)
)
_row("sort of equals", lambda tf, x: tf.sort(x) * [1.0, 2.0, 3.0], [2.0, 1.0, 2.0])
_row("top_k of equals", lambda tf, x: tf.math.top_k(x, 2).values * [1.0, 2.0], [2.0, 1.0, 2.0])
_row("where that masks a root", lambda tf, x: tf.where(x > 0, tf.sqrt(x), 0.0), [0.0, -1.0])
_row(
    "where that masks one over a root",
    lambda tf, x: tf.where(x > 0, tf.math.rsqrt(x), 0.0),
    [0.0, -1.0],
)
_row(
    "where that masks a reciprocal", lambda tf, x: tf.where(x > 0, tf.math.reciprocal(x), 0.0), 0.0
)
_row("where that masks a quotient", lambda tf, x: tf.where(x == 0, 0.0, 1 / x), 0.0)
# --- no connection --------------------------------------------------------------------------------
_at("floor", 1.5)
_at("math.ceil", 1.5)
_at("round", 1.5)
_at("math.rint", 1.5)
_at("math.floordiv", (7.0, 2.0))
_at("math.floormod", (7.0, 2.0))
_at("math.floormod", (-7.0, 2.0))
_row("argmax", lambda tf, x: tf.argmax(x), [1.0, 2.0])
_row("less", lambda tf, x, y: x < y, (1.0, 2.0))
_row("stop_gradient", lambda tf, x: tf.stop_gradient(x) * x, 3.0)
_at("math.polygamma", (1.0, 1.0))
_at("math.zeta", (2.0, 1.0))
_at("math.betainc", (2.0, 3.0, 0.5))
_at("math.igamma", (0.5, 1.0))
_at("math.nextafter", (1.0, 2.0))
# --- derivatives of derivatives -------------------------------------------------------------------
_row("second derivative of abs", _slope(lambda tf, x: tf.abs(x)), 0.0)
_row("second derivative of relu", _slope(lambda tf, x: tf.nn.relu(x)), 0.0)
_row("second derivative of leaky_relu", _slope(lambda tf, x: tf.nn.leaky_relu(x)), 0.0)
_row("second derivative of sqrt", _slope(lambda tf, x: tf.sqrt(x)), 0.0)
_row("second derivative of x ** 2", _slope(lambda tf, x: x**2), 0.0)
_row("second derivative of x ** 1", _slope(lambda tf, x: x**1), 3.0)
_row("second derivative of 3 x", _slope(lambda tf, x: 3 * x), 3.0)
_row("second derivative of maximum(x, 0)", _slope(lambda tf, x: tf.maximum(x, 0.0)), 3.0)
# --- ties in segments -----------------------------------------------------------------------------
_both(
    "segment_max of equals",
    lambda tf, x: tf.math.segment_max(x, [0, 0, 1, 1]) ** 2,
    [3.0, 3.0, 1.0, 2.0],
)
_both(
    "unsorted_segment_max of equals",
    lambda tf, x: tf.math.unsorted_segment_max(x, [1, 0, 1, 0], 2) ** 2,
    [3.0, 0.0, 3.0, 0.0],
)
_both(
    "segment_max of equal rows",
    lambda tf, x: tf.math.segment_max(x, [0, 0, 1]),
    [[3.0, 1.0], [3.0, 2.0], [1.0, 0.0]],
)
_both(
    "segment_min of equals",
    lambda tf, x: tf.math.segment_min(x, [0, 0, 1, 1]) ** 2,
    [3.0, 3.0, 1.0, 2.0],
)
_both(
    "unsorted_segment_min of equals",
    lambda tf, x: tf.math.unsorted_segment_min(x, [1, 0, 1, 0], 2) ** 2,
    [3.0, 0.0, 3.0, 0.0],
)
_both(
    "segment_min of equal rows",
    lambda tf, x: tf.math.segment_min(x, [0, 0, 1]),
    [[3.0, 1.0], [3.0, 2.0], [1.0, 0.0]],
)
_both(
    "unsorted_segment_max where a place is skipped",
    lambda tf, x: tf.math.unsorted_segment_max(x, [1, -1, 1, 0], 2) ** 2,
    [3.0, 0.0, 3.0, 0.0],
)
_both(
    "unsorted_segment_sqrt_n",
    lambda tf, x: tf.math.unsorted_segment_sqrt_n(x, [1, 0, 1, 0], 3) ** 2,
    [3.0, 0.0, 3.0, 0.0],
)
# --- ties in reductions, pools and sorts ----------------------------------------------------------
_both(
    "reduce_max over two axes",
    lambda tf, x: tf.reduce_max(x, [0, 2]) ** 2,
    [[[1.0, 2.0], [3.0, 3.0]], [[2.0, 0.0], [3.0, 1.0]]],
)
_both(
    "reduce_min over two axes",
    lambda tf, x: tf.reduce_min(x, [0, 1]),
    [[[1.0, 2.0], [3.0, 3.0]], [[2.0, 0.0], [3.0, 0.0]]],
)
_both(
    "reduce_max of all, with axes kept",
    lambda tf, x: tf.reduce_max(x, keepdims=True) ** 2,
    [[1.0, 3.0], [3.0, 3.0]],
)
_both("reduce_max of nan", lambda tf, x: tf.reduce_max(x), [1.0, nan])
_both("reduce_max of infinities", lambda tf, x: tf.reduce_max(x), [inf, inf])
_both(
    "max_pool1d of equals",
    lambda tf, x: tf.nn.max_pool1d(x[None, :, None], 2, 1, "VALID") ** 2,
    [1.0, 3.0, 3.0, 2.0, 2.0],
)
_both(
    "max_pool1d of equals, padded",
    lambda tf, x: tf.nn.max_pool1d(x[None, :, None], 3, 2, "SAME") ** 2,
    [1.0, 1.0, 1.0, 1.0, 1.0, 1.0],
)
_both(
    "max_pool2d of equals",
    lambda tf, x: tf.nn.max_pool2d(x[None, :, :, None], 2, 1, "VALID") ** 2,
    [[1.0, 3.0, 3.0], [3.0, 3.0, 2.0], [0.0, 0.0, 0.0]],
)
_both(
    "max_pool2d of equals, padded",
    lambda tf, x: tf.nn.max_pool2d(x[None, :, :, None], 2, 2, "SAME") ** 2,
    [[0.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]],
)
_both(
    "max_pool3d",
    lambda tf, x: tf.nn.max_pool3d(x[None, :, :, :, None], 2, 1, "VALID") ** 2,
    [[[1.0, 2.0], [3.0, 4.0]], [[8.0, 7.0], [6.0, 5.0]]],
)
_both(
    "top_k of equal elements",
    lambda tf, x: tf.math.top_k(x, 2).values ** 2,
    [[2.0, 2.0, 2.0], [1.0, 2.0, 2.0]],
)
_both("sort of equal elements", lambda tf, x: tf.sort(x) ** 2, [2.0, 1.0, 2.0, 1.0])
_both(
    "sort of equal elements, descending",
    lambda tf, x: tf.sort(x, direction="DESCENDING") ** 2,
    [2.0, 1.0, 2.0, 1.0],
)
_both(
    "sort of equal elements of columns",
    lambda tf, x: tf.sort(x, axis=0) ** 2,
    [[2.0, 1.0], [2.0, 1.0]],
)
_both("reduce_logsumexp of minus infinities", lambda tf, x: tf.reduce_logsumexp(x), [-inf, -inf])
_both("reduce_logsumexp of an infinity", lambda tf, x: tf.reduce_logsumexp(x), [inf, 0.0])
_both("boolean_mask at its bound", lambda tf, x: tf.boolean_mask(x, x > 0) ** 2, [0.0, 1.0, 2.0])
# --- singular matrices ----------------------------------------------------------------------------
_both("logdet of a singular matrix", lambda tf, x: tf.linalg.logdet(x), [[1.0, 2.0], [2.0, 4.0]])
_both("logdet of zeros", lambda tf, x: tf.linalg.logdet(x), [[0.0, 0.0], [0.0, 0.0]])
_both(
    "cholesky of a singular matrix", lambda tf, x: tf.linalg.cholesky(x), [[1.0, 2.0], [2.0, 4.0]]
)
_both("cholesky of zeros", lambda tf, x: tf.linalg.cholesky(x), [[0.0, 0.0], [0.0, 0.0]])
_both(
    "triangular_solve with a zero",
    lambda tf, x: tf.linalg.triangular_solve(x, [[1.0], [2.0]]),
    [[1.0, 0.0], [2.0, 0.0]],
)
_both(
    "lstsq of a singular matrix",
    lambda tf, x: tf.linalg.lstsq(x, [[1.0], [2.0]]),
    [[1.0, 2.0], [2.0, 4.0]],
)
_both("pinv of zeros", lambda tf, x: tf.linalg.pinv(x), [[0.0, 0.0], [0.0, 0.0]])
_both("expm of zeros", lambda tf, x: tf.linalg.expm(x), [[0.0, 0.0], [0.0, 0.0]])
# --- equal eigenvalues and singular values --------------------------------------------------------
_both("eigenvalues of zeros", lambda tf, x: tf.linalg.eigh(x)[0], [[0.0, 0.0], [0.0, 0.0]])
_both("eigvalsh of zeros", lambda tf, x: tf.linalg.eigvalsh(x) ** 2, [[0.0, 0.0], [0.0, 0.0]])
_both(
    "singular values of zeros",
    lambda tf, x: tf.linalg.svd(x, compute_uv=False) ** 2,
    [[0.0, 0.0], [0.0, 0.0]],
)
_both("eigenvalues of the identity", lambda tf, x: tf.linalg.eigh(x)[0], [[1.0, 0.0], [0.0, 1.0]])
_both(
    "eigvalsh of the identity", lambda tf, x: tf.linalg.eigvalsh(x) ** 2, [[1.0, 0.0], [0.0, 1.0]]
)
_both(
    "singular values of the identity",
    lambda tf, x: tf.linalg.svd(x, compute_uv=False) ** 2,
    [[1.0, 0.0], [0.0, 1.0]],
)
_both(
    "eigenvalues of a multiple of the identity",
    lambda tf, x: tf.linalg.eigh(x)[0],
    [[2.0, 0.0], [0.0, 2.0]],
)
_both(
    "eigvalsh of a multiple of the identity",
    lambda tf, x: tf.linalg.eigvalsh(x) ** 2,
    [[2.0, 0.0], [0.0, 2.0]],
)
_both(
    "singular values of a multiple of the identity",
    lambda tf, x: tf.linalg.svd(x, compute_uv=False) ** 2,
    [[2.0, 0.0], [0.0, 2.0]],
)
_both(
    "eigenvalues of a singular matrix",
    lambda tf, x: tf.linalg.eigh(x)[0] ** 2,
    [[1.0, 2.0], [2.0, 4.0]],
)
_first("eigenvectors of the identity", lambda tf, x: tf.linalg.eigh(x)[1], [[1.0, 0.0], [0.0, 1.0]])
_first(
    "singular vectors of the identity", lambda tf, x: tf.linalg.svd(x)[1], [[1.0, 0.0], [0.0, 1.0]]
)
_first(
    "eigenvectors of a multiple of the identity",
    lambda tf, x: tf.linalg.eigh(x)[1],
    [[2.0, 0.0], [0.0, 2.0]],
)
_first(
    "singular vectors of a multiple of the identity",
    lambda tf, x: tf.linalg.svd(x)[1],
    [[2.0, 0.0], [0.0, 2.0]],
)
# --- norms at zero and of equals ------------------------------------------------------------------
_both("norm of zeros, order 2", lambda tf, x: tf.norm(x, 2), [0.0, 0.0])
_both("norm with a zero, order 2", lambda tf, x: tf.norm(x, 2), [0.0, -2.0])
_both("norm of zeros, order euclidean", lambda tf, x: tf.norm(x, "euclidean"), [0.0, 0.0])
_both("norm with a zero, order euclidean", lambda tf, x: tf.norm(x, "euclidean"), [0.0, -2.0])
_both("norm of zeros, order 1", lambda tf, x: tf.norm(x, 1), [0.0, 0.0])
_both("norm with a zero, order 1", lambda tf, x: tf.norm(x, 1), [0.0, -2.0])
_both("norm of zeros, order inf", lambda tf, x: tf.norm(x, inf), [0.0, 0.0])
_both("norm with a zero, order inf", lambda tf, x: tf.norm(x, inf), [0.0, -2.0])
_both("norm of zeros, order 3", lambda tf, x: tf.norm(x, 3), [0.0, 0.0])
_both("norm with a zero, order 3", lambda tf, x: tf.norm(x, 3) + x[1] ** 2, [0.0, -2.0])
_both("norm of zeros, order 1.5", lambda tf, x: tf.norm(x, 1.5), [0.0, 0.0])
_both("norm with a zero, order 1.5", lambda tf, x: tf.norm(x, 1.5) + x[1] ** 2, [0.0, -2.0])
_both("norm of zeros, order 0.5", lambda tf, x: tf.norm(x, 0.5), [0.0, 0.0])
_both("norm with a zero, order 0.5", lambda tf, x: tf.norm(x, 0.5), [0.0, -2.0])
_both(
    "norm of a matrix of zeros, order fro",
    lambda tf, x: tf.norm(x, "fro", [0, 1]),
    [[0.0, 0.0], [0.0, 0.0]],
)
_both(
    "norm of a matrix of ones, order fro",
    lambda tf, x: tf.norm(x, "fro", [0, 1]),
    [[1.0, -1.0], [1.0, 1.0]],
)
_both(
    "norm of a matrix of zeros, order euclidean",
    lambda tf, x: tf.norm(x, "euclidean", [0, 1]),
    [[0.0, 0.0], [0.0, 0.0]],
)
_both(
    "norm of a matrix of ones, order euclidean",
    lambda tf, x: tf.norm(x, "euclidean", [0, 1]),
    [[1.0, -1.0], [1.0, 1.0]],
)
_both(
    "norm of a matrix of zeros, order 1",
    lambda tf, x: tf.norm(x, 1, [0, 1]),
    [[0.0, 0.0], [0.0, 0.0]],
)
_both(
    "norm of a matrix of ones, order 1",
    lambda tf, x: tf.norm(x, 1, [0, 1]),
    [[1.0, -1.0], [1.0, 1.0]],
)
_both(
    "norm of a matrix of zeros, order 2",
    lambda tf, x: tf.norm(x, 2, [0, 1]),
    [[0.0, 0.0], [0.0, 0.0]],
)
_both(
    "norm of a matrix of ones, order 2",
    lambda tf, x: tf.norm(x, 2, [0, 1]),
    [[1.0, -1.0], [1.0, 1.0]],
)
_both(
    "norm of a matrix of zeros, order inf",
    lambda tf, x: tf.norm(x, inf, [0, 1]),
    [[0.0, 0.0], [0.0, 0.0]],
)
_both(
    "norm of a matrix of ones, order inf",
    lambda tf, x: tf.norm(x, inf, [0, 1]),
    [[1.0, -1.0], [1.0, 1.0]],
)
_both("l2_normalize of zeros", lambda tf, x: tf.math.l2_normalize(x), [0.0, 0.0])
_both("clip_by_norm of zeros", lambda tf, x: tf.clip_by_norm(x, 1.0), [0.0, 0.0])
_both("clip_by_norm at its bound", lambda tf, x: tf.clip_by_norm(x, 5.0), [3.0, 4.0])
_both(
    "clip_by_value at its bounds, squared",
    lambda tf, x: tf.clip_by_value(x, 0.0, 1.0) ** 2,
    [0.0, 1.0, 2.0],
)
_both("reduce_std of equals", lambda tf, x: tf.math.reduce_std(x), [2.0, 2.0])
# --- powers and quotients -------------------------------------------------------------------------
_both("pow(0.0, 0.0)", lambda tf, x, y: tf.pow(x, y), (0.0, 0.0))
_both("pow(0.0, 1.0)", lambda tf, x, y: tf.pow(x, y), (0.0, 1.0))
_both("pow(0.0, 2.0)", lambda tf, x, y: tf.pow(x, y), (0.0, 2.0))
_both("pow(0.0, 0.5)", lambda tf, x, y: tf.pow(x, y), (0.0, 0.5))
_both("pow(0.0, -1.0)", lambda tf, x, y: tf.pow(x, y), (0.0, -1.0))
_both("pow(-2.0, 0.0)", lambda tf, x, y: tf.pow(x, y), (-2.0, 0.0))
_both("pow(-2.0, 1.0)", lambda tf, x, y: tf.pow(x, y), (-2.0, 1.0))
_both("pow(-2.0, 2.0)", lambda tf, x, y: tf.pow(x, y), (-2.0, 2.0))
_both("pow(-2.0, 0.5)", lambda tf, x, y: tf.pow(x, y), (-2.0, 0.5))
_both("pow(-2.0, -1.0)", lambda tf, x, y: tf.pow(x, y), (-2.0, -1.0))
_both("pow(2.0, 0.0)", lambda tf, x, y: tf.pow(x, y), (2.0, 0.0))
_both("pow(2.0, 1.0)", lambda tf, x, y: tf.pow(x, y), (2.0, 1.0))
_both("pow(2.0, 2.0)", lambda tf, x, y: tf.pow(x, y), (2.0, 2.0))
_both("pow(2.0, 0.5)", lambda tf, x, y: tf.pow(x, y), (2.0, 0.5))
_both("pow(2.0, -1.0)", lambda tf, x, y: tf.pow(x, y), (2.0, -1.0))
_both("pow(inf, 0.0)", lambda tf, x, y: tf.pow(x, y), (inf, 0.0))
_both("pow(inf, 1.0)", lambda tf, x, y: tf.pow(x, y), (inf, 1.0))
_both("pow(inf, 2.0)", lambda tf, x, y: tf.pow(x, y), (inf, 2.0))
_both("pow(inf, 0.5)", lambda tf, x, y: tf.pow(x, y), (inf, 0.5))
_both("pow(inf, -1.0)", lambda tf, x, y: tf.pow(x, y), (inf, -1.0))
_both("x ** 0 at zero", lambda tf, x: x**0, 0.0)
_both("x ** 1 at zero", lambda tf, x: x**1, 0.0)
_both("x ** 2 at zero", lambda tf, x: x**2, 0.0)
_both("x ** 0.5 at zero", lambda tf, x: x**0.5, 0.0)
_both("x ** -1 at zero", lambda tf, x: x ** (-1), 0.0)
_both("x ** 1.5 at zero", lambda tf, x: x**1.5, 0.0)
_both("0.0 ** x at 2", lambda tf, x: tf.constant(0.0) ** x, 2.0)
_both("1.0 ** x at 2", lambda tf, x: tf.constant(1.0) ** x, 2.0)
_both("2.0 ** x at 2", lambda tf, x: tf.constant(2.0) ** x, 2.0)
_both("-2.0 ** x at 2", lambda tf, x: tf.constant(-2.0) ** x, 2.0)
_both("maximum of equals", lambda tf, x, y: tf.maximum(x, y) ** 2, (1.0, 1.0))
_both("minimum of equals", lambda tf, x, y: tf.minimum(x, y) ** 2, (1.0, 1.0))
_both("root of a sum of squares", lambda tf, x, y: tf.sqrt(x * x + y * y), (0.0, 0.0))
_both("atan2 of zeros", lambda tf, x, y: tf.atan2(x, y), (0.0, 0.0))
_both("atan2 at its cut", lambda tf, x, y: tf.atan2(x, y), (0.0, -1.0))
_both("xlogy of zeros", lambda tf, x, y: tf.math.xlogy(x, y), (0.0, 0.0))
_both("xlogy at the pole", lambda tf, x, y: tf.math.xlogy(x, y), (1.0, 0.0))
_both("xlog1py at the pole", lambda tf, x, y: tf.math.xlog1py(x, y), (0.0, -1.0))
_both("xdivy of zeros", lambda tf, x, y: tf.math.xdivy(x, y), (0.0, 0.0))
_both("xdivy at the pole", lambda tf, x, y: tf.math.xdivy(x, y), (1.0, 0.0))
_both("divide_no_nan at the pole", lambda tf, x, y: tf.math.divide_no_nan(x, y), (1.0, 0.0))
_both("multiply_no_nan of infinity", lambda tf, x, y: tf.math.multiply_no_nan(x, y), (inf, 0.0))
_both("floormod at a step", lambda tf, x, y: tf.math.floormod(x, y), (6.0, 2.0))
_both("reciprocal_no_nan at zero", lambda tf, x: tf.math.reciprocal_no_nan(x), 0.0)
_both("relu6 at its bounds, squared", lambda tf, x: tf.nn.relu6(x) ** 2, [0.0, 6.0])
_both("elu at zero", lambda tf, x: tf.nn.elu(x), 0.0)
_both("selu at zero", lambda tf, x: tf.nn.selu(x), 0.0)
_both("asin at its bounds", lambda tf, x: tf.asin(x), [1.0, -1.0])
_both("lgamma at its poles", lambda tf, x: tf.math.lgamma(x), [0.0, -1.0])
_both(
    "where that masks a root, squared",
    lambda tf, x: tf.where(x > 0, tf.sqrt(x), 0.0) ** 2,
    [0.0, -1.0],
)
