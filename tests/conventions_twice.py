"""Ties, singular and degenerate matrices, norms at zero, powers: gradients at orders one and two.

A row is what TensorFlow 2.21 was measured to give in float32: a function, the numbers that it is
called with, the gradient of its elements times 1, 2, 3, …, and the gradient of the elements of that
gradient times 1, 2, 3, …. `None` is no connection.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.conventions import Convention

inf, nan = float("inf"), float("nan")

CONVENTIONS_TWICE: list[Convention] = []


def weighted(tf: Any, y: Any) -> Any:
    """Add up the elements times 1, 2, 3, …."""
    count = tf.cast(tf.size(y), y.dtype)
    return tf.reduce_sum(tf.reshape(y, [-1]) * tf.range(1, count + 1, dtype=y.dtype))


def _slope(run: Callable[..., Any]) -> Callable[..., Any]:
    """Take the gradients, each weighted, as the function."""

    def slope(tf: Any, *xs: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(xs)
            y = run(tf, *xs)
        found = [g for g in tape.gradient(y, list(xs)) if g is not None]
        return tf.add_n([weighted(tf, g) for g in found])

    return slope


def _weighted(f: Callable[..., Any]) -> Callable[..., Any]:
    return lambda tf, *xs: weighted(tf, f(tf, *xs))


def _first(name: str, f: Callable[..., Any], at: Any, gradient: Any) -> None:
    CONVENTIONS_TWICE.append(Convention(name, _weighted(f), (at,), (gradient,)))


def _both(name: str, f: Callable[..., Any], at: Any, first: Any, second: Any) -> None:
    many = isinstance(at, tuple)

    run = _weighted(f)
    for title, of, gradient in ((name, run, first), (f"{name}, twice", _slope(run), second)):
        own = gradient if many else (gradient,)
        CONVENTIONS_TWICE.append(Convention(title, of, at if many else (at,), own))


# --- ties in segments -----------------------------------------------------------------------------
_both(
    "segment_max of equals",
    lambda tf, x: tf.math.segment_max(x, [0, 0, 1, 1]) ** 2,
    [3.0, 3.0, 1.0, 2.0],
    [3.0, 3.0, 0.0, 8.0],
    [1.5, 1.5, 0.0, 16.0],
)
_both(
    "unsorted_segment_max of equals",
    lambda tf, x: tf.math.unsorted_segment_max(x, [1, 0, 1, 0], 2) ** 2,
    [3.0, 0.0, 3.0, 0.0],
    [6.0, 0.0, 6.0, 0.0],
    [4.0, 3.0, 4.0, 3.0],
)
_both(
    "segment_max of equal rows",
    lambda tf, x: tf.math.segment_max(x, [0, 0, 1]),
    [[3.0, 1.0], [3.0, 2.0], [1.0, 0.0]],
    [[0.5, 0.0], [0.5, 2.0], [3.0, 4.0]],
    None,
)
_both(
    "segment_min of equals",
    lambda tf, x: tf.math.segment_min(x, [0, 0, 1, 1]) ** 2,
    [3.0, 3.0, 1.0, 2.0],
    [3.0, 3.0, 4.0, 0.0],
    [1.5, 1.5, 12.0, 0.0],
)
_both(
    "unsorted_segment_min of equals",
    lambda tf, x: tf.math.unsorted_segment_min(x, [1, 0, 1, 0], 2) ** 2,
    [3.0, 0.0, 3.0, 0.0],
    [6.0, 0.0, 6.0, 0.0],
    [4.0, 3.0, 4.0, 3.0],
)
_both(
    "segment_min of equal rows",
    lambda tf, x: tf.math.segment_min(x, [0, 0, 1]),
    [[3.0, 1.0], [3.0, 2.0], [1.0, 0.0]],
    [[0.5, 2.0], [0.5, 0.0], [3.0, 4.0]],
    None,
)
_both(
    "unsorted_segment_max where a place is skipped",
    lambda tf, x: tf.math.unsorted_segment_max(x, [1, -1, 1, 0], 2) ** 2,
    [3.0, 0.0, 3.0, 0.0],
    [6.0, 0.0, 6.0, 0.0],
    [4.0, 0.0, 4.0, 8.0],
)
_both(
    "unsorted_segment_sqrt_n",
    lambda tf, x: tf.math.unsorted_segment_sqrt_n(x, [1, 0, 1, 0], 3) ** 2,
    [3.0, 0.0, 3.0, 0.0],
    [12.0, 0.0, 12.0, 0.0],
    [8.0, 6.0, 8.0, 6.0],
)
# --- ties in reductions, pools and sorts ----------------------------------------------------------
_both(
    "reduce_max over two axes",
    lambda tf, x: tf.reduce_max(x, [0, 2]) ** 2,
    [[[1.0, 2.0], [3.0, 3.0]], [[2.0, 0.0], [3.0, 1.0]]],
    [[[0.0, 2.0], [4.0, 4.0]], [[2.0, 0.0], [4.0, 0.0]]],
    [[[0.0, 3.5], [6.222223, 6.222223]], [[3.5, 0.0], [6.222223, 0.0]]],
)
_both(
    "reduce_min over two axes",
    lambda tf, x: tf.reduce_min(x, [0, 1]),
    [[[1.0, 2.0], [3.0, 3.0]], [[2.0, 0.0], [3.0, 0.0]]],
    [[[1.0, 0.0], [0.0, 0.0]], [[0.0, 1.0], [0.0, 1.0]]],
    None,
)
_both(
    "reduce_max of all, with axes kept",
    lambda tf, x: tf.reduce_max(x, keepdims=True) ** 2,
    [[1.0, 3.0], [3.0, 3.0]],
    [[0.0, 2.0], [2.0, 2.0]],
    [[0.0, 2.0], [2.0, 2.0]],
)
_both("reduce_max of nan", lambda tf, x: tf.reduce_max(x), [1.0, nan], [nan, nan], None)
_both("reduce_max of infinities", lambda tf, x: tf.reduce_max(x), [inf, inf], [0.5, 0.5], None)
_both(
    "max_pool1d of equals",
    lambda tf, x: tf.nn.max_pool1d(x[None, :, None], 2, 1, "VALID") ** 2,
    [1.0, 3.0, 3.0, 2.0, 2.0],
    [0.0, 18.0, 18.0, 16.0, 0.0],
    [0.0, 12.0, 18.0, 32.0, 0.0],
)
_both(
    "max_pool1d of equals, padded",
    lambda tf, x: tf.nn.max_pool1d(x[None, :, None], 3, 2, "SAME") ** 2,
    [1.0, 1.0, 1.0, 1.0, 1.0, 1.0],
    [2.0, 0.0, 4.0, 0.0, 6.0, 0.0],
    [2.0, 0.0, 12.0, 0.0, 30.0, 0.0],
)
_both(
    "max_pool2d of equals",
    lambda tf, x: tf.nn.max_pool2d(x[None, :, :, None], 2, 1, "VALID") ** 2,
    [[1.0, 3.0, 3.0], [3.0, 3.0, 2.0], [0.0, 0.0, 0.0]],
    [[0.0, 18.0, 0.0], [18.0, 24.0, 0.0], [0.0, 0.0, 0.0]],
    [[0.0, 12.0, 0.0], [24.0, 40.0, 0.0], [0.0, 0.0, 0.0]],
)
_both(
    "max_pool2d of equals, padded",
    lambda tf, x: tf.nn.max_pool2d(x[None, :, :, None], 2, 2, "SAME") ** 2,
    [[0.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]],
    [[0.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]],
    [[2.0, 0.0, 12.0], [0.0, 0.0, 0.0], [42.0, 0.0, 72.0]],
)
_both(
    "max_pool3d",
    lambda tf, x: tf.nn.max_pool3d(x[None, :, :, :, None], 2, 1, "VALID") ** 2,
    [[[1.0, 2.0], [3.0, 4.0]], [[8.0, 7.0], [6.0, 5.0]]],
    [[[0.0, 0.0], [0.0, 0.0]], [[16.0, 0.0], [0.0, 0.0]]],
    [[[0.0, 0.0], [0.0, 0.0]], [[10.0, 0.0], [0.0, 0.0]]],
)
_both(
    "top_k of equal elements",
    lambda tf, x: tf.math.top_k(x, 2).values ** 2,
    [[2.0, 2.0, 2.0], [1.0, 2.0, 2.0]],
    [[4.0, 8.0, 0.0], [0.0, 12.0, 16.0]],
    [[2.0, 8.0, 0.0], [0.0, 30.0, 48.0]],
)
_both(
    "sort of equal elements",
    lambda tf, x: tf.sort(x) ** 2,
    [2.0, 1.0, 2.0, 1.0],
    [12.0, 2.0, 16.0, 4.0],
    [6.0, 4.0, 24.0, 16.0],
)
_both(
    "sort of equal elements, descending",
    lambda tf, x: tf.sort(x, direction="DESCENDING") ** 2,
    [2.0, 1.0, 2.0, 1.0],
    [4.0, 6.0, 8.0, 8.0],
    [2.0, 12.0, 12.0, 32.0],
)
_both(
    "sort of equal elements of columns",
    lambda tf, x: tf.sort(x, axis=0) ** 2,
    [[2.0, 1.0], [2.0, 1.0]],
    [[4.0, 4.0], [12.0, 8.0]],
    [[2.0, 8.0], [18.0, 32.0]],
)
_both(
    "reduce_logsumexp of minus infinities",
    lambda tf, x: tf.reduce_logsumexp(x),
    [-inf, -inf],
    [nan, nan],
    [nan, nan],
)
_both(
    "reduce_logsumexp of an infinity",
    lambda tf, x: tf.reduce_logsumexp(x),
    [inf, 0.0],
    [nan, 0.0],
    [nan, nan],
)
_both(
    "boolean_mask at its bound",
    lambda tf, x: tf.boolean_mask(x, x > 0) ** 2,
    [0.0, 1.0, 2.0],
    [0.0, 2.0, 8.0],
    [0.0, 4.0, 12.0],
)
# --- singular matrices ----------------------------------------------------------------------------
_both(
    "logdet of a singular matrix",
    lambda tf, x: tf.linalg.logdet(x),
    [[1.0, 2.0], [2.0, 4.0]],
    [[nan, nan], [nan, nan]],
    [[nan, nan], [nan, nan]],
)
_both(
    "logdet of zeros",
    lambda tf, x: tf.linalg.logdet(x),
    [[0.0, 0.0], [0.0, 0.0]],
    [[nan, nan], [nan, nan]],
    [[nan, nan], [nan, nan]],
)
_both(
    "cholesky of a singular matrix",
    lambda tf, x: tf.linalg.cholesky(x),
    [[1.0, 2.0], [2.0, 4.0]],
    [[nan, nan], [nan, nan]],
    [[nan, nan], [nan, nan]],
)
_both(
    "cholesky of zeros",
    lambda tf, x: tf.linalg.cholesky(x),
    [[0.0, 0.0], [0.0, 0.0]],
    [[nan, nan], [nan, nan]],
    [[nan, nan], [nan, nan]],
)
_both(
    "triangular_solve with a zero",
    lambda tf, x: tf.linalg.triangular_solve(x, [[1.0], [2.0]]),
    [[1.0, 0.0], [2.0, 0.0]],
    [[inf, 0.0], [-inf, nan]],
    [[nan, 0.0], [nan, nan]],
)
_both(
    "lstsq of a singular matrix",
    lambda tf, x: tf.linalg.lstsq(x, [[1.0], [2.0]]),
    [[1.0, 2.0], [2.0, 4.0]],
    [[nan, nan], [nan, nan]],
    [[nan, nan], [nan, nan]],
)
_both(
    "pinv of zeros",
    lambda tf, x: tf.linalg.pinv(x),
    [[0.0, 0.0], [0.0, 0.0]],
    [[0.0, 0.0], [0.0, 0.0]],
    [[0.0, 0.0], [0.0, 0.0]],
)
_both(
    "expm of zeros",
    lambda tf, x: tf.linalg.expm(x),
    [[0.0, 0.0], [0.0, 0.0]],
    [[1.0, 2.0], [3.0, 4.0]],
    [[7.500001, 12.5], [12.5, 22.5]],
)
# --- equal eigenvalues and singular values --------------------------------------------------------
_both(
    "eigenvalues of zeros",
    lambda tf, x: tf.linalg.eigh(x)[0],
    [[0.0, 0.0], [0.0, 0.0]],
    [[1.0, 0.0], [0.0, 2.0]],
    [[0.0, 0.0], [0.0, 0.0]],
)
_both(
    "eigvalsh of zeros",
    lambda tf, x: tf.linalg.eigvalsh(x) ** 2,
    [[0.0, 0.0], [0.0, 0.0]],
    [[0.0, 0.0], [0.0, 0.0]],
    [[2.0, 0.0], [0.0, 16.0]],
)
_both(
    "singular values of zeros",
    lambda tf, x: tf.linalg.svd(x, compute_uv=False) ** 2,
    [[0.0, 0.0], [0.0, 0.0]],
    [[0.0, 0.0], [0.0, 0.0]],
    [[2.0, 0.0], [0.0, 16.0]],
)
_both(
    "eigenvalues of the identity",
    lambda tf, x: tf.linalg.eigh(x)[0],
    [[1.0, 0.0], [0.0, 1.0]],
    [[1.0, 0.0], [0.0, 2.0]],
    [[0.0, 0.0], [0.0, 0.0]],
)
_both(
    "eigvalsh of the identity",
    lambda tf, x: tf.linalg.eigvalsh(x) ** 2,
    [[1.0, 0.0], [0.0, 1.0]],
    [[2.0, 0.0], [0.0, 4.0]],
    [[2.0, 0.0], [0.0, 16.0]],
)
_both(
    "singular values of the identity",
    lambda tf, x: tf.linalg.svd(x, compute_uv=False) ** 2,
    [[1.0, 0.0], [0.0, 1.0]],
    [[2.0, 0.0], [0.0, 4.0]],
    [[2.0, 0.0], [0.0, 16.0]],
)
_both(
    "eigenvalues of a multiple of the identity",
    lambda tf, x: tf.linalg.eigh(x)[0],
    [[2.0, 0.0], [0.0, 2.0]],
    [[1.0, 0.0], [0.0, 2.0]],
    [[0.0, 0.0], [0.0, 0.0]],
)
_both(
    "eigvalsh of a multiple of the identity",
    lambda tf, x: tf.linalg.eigvalsh(x) ** 2,
    [[2.0, 0.0], [0.0, 2.0]],
    [[4.0, 0.0], [0.0, 8.0]],
    [[2.0, 0.0], [0.0, 16.0]],
)
_both(
    "singular values of a multiple of the identity",
    lambda tf, x: tf.linalg.svd(x, compute_uv=False) ** 2,
    [[2.0, 0.0], [0.0, 2.0]],
    [[4.0, 0.0], [0.0, 8.0]],
    [[2.0, 0.0], [0.0, 16.0]],
)
_both(
    "eigenvalues of a singular matrix",
    lambda tf, x: tf.linalg.eigh(x)[0] ** 2,
    [[1.0, 2.0], [2.0, 4.0]],
    [[4.0, 0.0], [16.0, 16.0]],
    [[5.279999, 0.0], [22.72, 16.32]],
)
_first(
    "eigenvectors of the identity",
    lambda tf, x: tf.linalg.eigh(x)[1],
    [[1.0, 0.0], [0.0, 1.0]],
    [[0.0, 0.0], [0.0, 0.0]],
)
_first(
    "singular vectors of the identity",
    lambda tf, x: tf.linalg.svd(x)[1],
    [[1.0, 0.0], [0.0, 1.0]],
    [[0.0, 0.0], [0.0, 0.0]],
)
_first(
    "eigenvectors of a multiple of the identity",
    lambda tf, x: tf.linalg.eigh(x)[1],
    [[2.0, 0.0], [0.0, 2.0]],
    [[0.0, 0.0], [0.0, 0.0]],
)
_first(
    "singular vectors of a multiple of the identity",
    lambda tf, x: tf.linalg.svd(x)[1],
    [[2.0, 0.0], [0.0, 2.0]],
    [[0.0, 0.0], [0.0, 0.0]],
)
# --- norms at zero and of equals ------------------------------------------------------------------
_both("norm of zeros, order 2", lambda tf, x: tf.norm(x, 2), [0.0, 0.0], [nan, nan], [nan, nan])
_both(
    "norm with a zero, order 2", lambda tf, x: tf.norm(x, 2), [0.0, -2.0], [0.0, -1.0], [0.5, 0.0]
)
_both(
    "norm of zeros, order euclidean",
    lambda tf, x: tf.norm(x, "euclidean"),
    [0.0, 0.0],
    [nan, nan],
    [nan, nan],
)
_both(
    "norm with a zero, order euclidean",
    lambda tf, x: tf.norm(x, "euclidean"),
    [0.0, -2.0],
    [0.0, -1.0],
    [0.5, 0.0],
)
_both("norm of zeros, order 1", lambda tf, x: tf.norm(x, 1), [0.0, 0.0], [0.0, 0.0], [0.0, 0.0])
_both(
    "norm with a zero, order 1", lambda tf, x: tf.norm(x, 1), [0.0, -2.0], [0.0, -1.0], [0.0, 0.0]
)
_both("norm of zeros, order inf", lambda tf, x: tf.norm(x, inf), [0.0, 0.0], [0.0, 0.0], [0.0, 0.0])
_both(
    "norm with a zero, order inf",
    lambda tf, x: tf.norm(x, inf),
    [0.0, -2.0],
    [0.0, -1.0],
    [0.0, 0.0],
)
_both("norm of zeros, order 3", lambda tf, x: tf.norm(x, 3), [0.0, 0.0], [nan, nan], [nan, nan])
_both(
    "norm with a zero, order 3", lambda tf, x: tf.norm(x, 3), [0.0, -2.0], [0.0, -1.0], [0.0, 0.0]
)
_both("norm of zeros, order 1.5", lambda tf, x: tf.norm(x, 1.5), [0.0, 0.0], [nan, nan], [nan, nan])
_both(
    "norm with a zero, order 1.5",
    lambda tf, x: tf.norm(x, 1.5),
    [0.0, -2.0],
    [0.0, -1.0],
    [nan, 0.0],
)
_both("norm of zeros, order 0.5", lambda tf, x: tf.norm(x, 0.5), [0.0, 0.0], [nan, nan], [nan, nan])
_both(
    "norm with a zero, order 0.5",
    lambda tf, x: tf.norm(x, 0.5),
    [0.0, -2.0],
    [nan, -0.9999999],
    [nan, nan],
)
_both(
    "norm of a matrix of zeros, order fro",
    lambda tf, x: tf.norm(x, "fro", [0, 1]),
    [[0.0, 0.0], [0.0, 0.0]],
    [[nan, nan], [nan, nan]],
    [[nan, nan], [nan, nan]],
)
_both(
    "norm of a matrix of ones, order fro",
    lambda tf, x: tf.norm(x, "fro", [0, 1]),
    [[1.0, -1.0], [1.0, 1.0]],
    [[0.5, -0.5], [0.5, 0.5]],
    [[-0.25, 1.75], [0.75, 1.25]],
)
_both(
    "norm of a matrix of zeros, order euclidean",
    lambda tf, x: tf.norm(x, "euclidean", [0, 1]),
    [[0.0, 0.0], [0.0, 0.0]],
    [[nan, nan], [nan, nan]],
    [[nan, nan], [nan, nan]],
)
_both(
    "norm of a matrix of ones, order euclidean",
    lambda tf, x: tf.norm(x, "euclidean", [0, 1]),
    [[1.0, -1.0], [1.0, 1.0]],
    [[0.5, -0.5], [0.5, 0.5]],
    [[-0.25, 1.75], [0.75, 1.25]],
)
_both(
    "norm of a matrix of zeros, order 1",
    lambda tf, x: tf.norm(x, 1, [0, 1]),
    [[0.0, 0.0], [0.0, 0.0]],
    [[0.0, 0.0], [0.0, 0.0]],
    [[0.0, 0.0], [0.0, 0.0]],
)
_both(
    "norm of a matrix of ones, order 1",
    lambda tf, x: tf.norm(x, 1, [0, 1]),
    [[1.0, -1.0], [1.0, 1.0]],
    [[0.5, -0.5], [0.5, 0.5]],
    [[0.0, 0.0], [0.0, 0.0]],
)
_both(
    "norm of a matrix of zeros, order 2",
    lambda tf, x: tf.norm(x, 2, [0, 1]),
    [[0.0, 0.0], [0.0, 0.0]],
    [[0.0, 0.0], [0.0, 0.0]],
    [[0.0, 0.0], [0.0, 0.0]],
)
_both(
    "norm of a matrix of ones, order 2",
    lambda tf, x: tf.norm(x, 2, [0, 1]),
    [[1.0, -1.0], [1.0, 1.0]],
    [[0.3535534, -0.3535534], [0.3535534, 0.3535534]],
    [[0.0, 0.0], [0.0, 0.0]],
)
_both(
    "norm of a matrix of zeros, order inf",
    lambda tf, x: tf.norm(x, inf, [0, 1]),
    [[0.0, 0.0], [0.0, 0.0]],
    [[0.0, 0.0], [0.0, 0.0]],
    [[0.0, 0.0], [0.0, 0.0]],
)
_both(
    "norm of a matrix of ones, order inf",
    lambda tf, x: tf.norm(x, inf, [0, 1]),
    [[1.0, -1.0], [1.0, 1.0]],
    [[0.5, -0.5], [0.5, 0.5]],
    [[0.0, 0.0], [0.0, 0.0]],
)
_both(
    "l2_normalize of zeros",
    lambda tf, x: tf.math.l2_normalize(x),
    [0.0, 0.0],
    [1000000.0, 2000000.0],
    [0.0, 0.0],
)
_both(
    "clip_by_norm of zeros",
    lambda tf, x: tf.clip_by_norm(x, 1.0),
    [0.0, 0.0],
    [1.0, 2.0],
    [0.0, 0.0],
)
_both(
    "clip_by_norm at its bound",
    lambda tf, x: tf.clip_by_norm(x, 5.0),
    [3.0, 4.0],
    [-0.3199999, 0.24],
    [0.2624, -0.2368],
)
_both(
    "clip_by_value at its bounds, squared",
    lambda tf, x: tf.clip_by_value(x, 0.0, 1.0) ** 2,
    [0.0, 1.0, 2.0],
    [0.0, 4.0, 0.0],
    [2.0, 8.0, 0.0],
)
_both(
    "reduce_std of equals", lambda tf, x: tf.math.reduce_std(x), [2.0, 2.0], [nan, nan], [nan, nan]
)
# --- powers and quotients -------------------------------------------------------------------------
_both("pow(0.0, 0.0)", lambda tf, x, y: tf.pow(x, y), (0.0, 0.0), (nan, 0.0), (nan, nan))
_both("pow(0.0, 1.0)", lambda tf, x, y: tf.pow(x, y), (0.0, 1.0), (1.0, 0.0), (nan, 1.0))
_both("pow(0.0, 2.0)", lambda tf, x, y: tf.pow(x, y), (0.0, 2.0), (0.0, 0.0), (2.0, 0.0))
_both("pow(0.0, 0.5)", lambda tf, x, y: tf.pow(x, y), (0.0, 0.5), (inf, 0.0), (nan, nan))
_both("pow(0.0, -1.0)", lambda tf, x, y: tf.pow(x, y), (0.0, -1.0), (-inf, nan), (nan, nan))
_both("pow(-2.0, 0.0)", lambda tf, x, y: tf.pow(x, y), (-2.0, 0.0), (0.0, 0.0), (0.0, -0.5))
_both("pow(-2.0, 1.0)", lambda tf, x, y: tf.pow(x, y), (-2.0, 1.0), (1.0, 0.0), (0.0, 1.0))
_both("pow(-2.0, 2.0)", lambda tf, x, y: tf.pow(x, y), (-2.0, 2.0), (-4.0, 0.0), (2.0, -2.0))
_both("pow(-2.0, 0.5)", lambda tf, x, y: tf.pow(x, y), (-2.0, 0.5), (nan, nan), (nan, nan))
_both("pow(-2.0, -1.0)", lambda tf, x, y: tf.pow(x, y), (-2.0, -1.0), (-0.25, 0.0), (-0.25, 0.25))
_both("pow(2.0, 0.0)", lambda tf, x, y: tf.pow(x, y), (2.0, 0.0), (0.0, 0.6931472), (0.5, 0.980453))
_both(
    "pow(2.0, 1.0)",
    lambda tf, x, y: tf.pow(x, y),
    (2.0, 1.0),
    (1.0, 1.386294),
    (1.693147, 2.654053),
)
_both(
    "pow(2.0, 2.0)",
    lambda tf, x, y: tf.pow(x, y),
    (2.0, 2.0),
    (4.0, 2.772589),
    (6.772589, 6.694401),
)
_both(
    "pow(2.0, 0.5)",
    lambda tf, x, y: tf.pow(x, y),
    (2.0, 0.5),
    (0.3535534, 0.9802581),
    (0.8637829, 1.631634),
)
_both(
    "pow(2.0, -1.0)",
    lambda tf, x, y: tf.pow(x, y),
    (2.0, -1.0),
    (-0.25, 0.3465736),
    (0.3267132, 0.3169397),
)
_both("pow(inf, 0.0)", lambda tf, x, y: tf.pow(x, y), (inf, 0.0), (0.0, inf), (nan, nan))
_both("pow(inf, 1.0)", lambda tf, x, y: tf.pow(x, y), (inf, 1.0), (1.0, inf), (nan, inf))
_both("pow(inf, 2.0)", lambda tf, x, y: tf.pow(x, y), (inf, 2.0), (inf, inf), (nan, inf))
_both("pow(inf, 0.5)", lambda tf, x, y: tf.pow(x, y), (inf, 0.5), (0.0, inf), (nan, nan))
_both("pow(inf, -1.0)", lambda tf, x, y: tf.pow(x, y), (inf, -1.0), (0.0, nan), (nan, nan))
_both("x ** 0 at zero", lambda tf, x: x**0, 0.0, nan, nan)
_both("x ** 1 at zero", lambda tf, x: x**1, 0.0, 1.0, nan)
_both("x ** 2 at zero", lambda tf, x: x**2, 0.0, 0.0, 2.0)
_both("x ** 0.5 at zero", lambda tf, x: x**0.5, 0.0, inf, -inf)
_both("x ** -1 at zero", lambda tf, x: x ** (-1), 0.0, -inf, inf)
_both("x ** 1.5 at zero", lambda tf, x: x**1.5, 0.0, 0.0, inf)
_both("0.0 ** x at 2", lambda tf, x: tf.constant(0.0) ** x, 2.0, 0.0, 0.0)
_both("1.0 ** x at 2", lambda tf, x: tf.constant(1.0) ** x, 2.0, 0.0, 0.0)
_both("2.0 ** x at 2", lambda tf, x: tf.constant(2.0) ** x, 2.0, 2.772589, 1.921812)
_both("-2.0 ** x at 2", lambda tf, x: tf.constant(-2.0) ** x, 2.0, 0.0, 0.0)
_both(
    "maximum of equals", lambda tf, x, y: tf.maximum(x, y) ** 2, (1.0, 1.0), (2.0, 0.0), (2.0, 0.0)
)
_both(
    "minimum of equals", lambda tf, x, y: tf.minimum(x, y) ** 2, (1.0, 1.0), (2.0, 0.0), (2.0, 0.0)
)
_both(
    "root of a sum of squares",
    lambda tf, x, y: tf.sqrt(x * x + y * y),
    (0.0, 0.0),
    (nan, nan),
    (nan, nan),
)
_both("atan2 of zeros", lambda tf, x, y: tf.atan2(x, y), (0.0, 0.0), (nan, nan), (nan, nan))
_both("atan2 at its cut", lambda tf, x, y: tf.atan2(x, y), (0.0, -1.0), (-1.0, 0.0), (-1.0, -1.0))
_both("xlogy of zeros", lambda tf, x, y: tf.math.xlogy(x, y), (0.0, 0.0), (0.0, 0.0), (0.0, 0.0))
_both(
    "xlogy at the pole", lambda tf, x, y: tf.math.xlogy(x, y), (1.0, 0.0), (-inf, inf), (inf, nan)
)
_both(
    "xlog1py at the pole",
    lambda tf, x, y: tf.math.xlog1py(x, y),
    (0.0, -1.0),
    (0.0, 0.0),
    (0.0, 0.0),
)
_both("xdivy of zeros", lambda tf, x, y: tf.math.xdivy(x, y), (0.0, 0.0), (0.0, 0.0), (0.0, 0.0))
_both(
    "xdivy at the pole", lambda tf, x, y: tf.math.xdivy(x, y), (1.0, 0.0), (inf, -inf), (-inf, nan)
)
_both(
    "divide_no_nan at the pole",
    lambda tf, x, y: tf.math.divide_no_nan(x, y),
    (1.0, 0.0),
    (0.0, 0.0),
    (0.0, 0.0),
)
_both(
    "multiply_no_nan of infinity",
    lambda tf, x, y: tf.math.multiply_no_nan(x, y),
    (inf, 0.0),
    (0.0, inf),
    (1.0, 1.0),
)
_both(
    "floormod at a step",
    lambda tf, x, y: tf.math.floormod(x, y),
    (6.0, 2.0),
    (1.0, -3.0),
    (None, None),
)
_both("reciprocal_no_nan at zero", lambda tf, x: tf.math.reciprocal_no_nan(x), 0.0, 0.0, 0.0)
_both(
    "relu6 at its bounds, squared",
    lambda tf, x: tf.nn.relu6(x) ** 2,
    [0.0, 6.0],
    [0.0, 0.0],
    [0.0, 0.0],
)
_both("elu at zero", lambda tf, x: tf.nn.elu(x), 0.0, 1.0, 0.0)
_both("selu at zero", lambda tf, x: tf.nn.selu(x), 0.0, 1.050701, 0.0)
_both("asin at its bounds", lambda tf, x: tf.asin(x), [1.0, -1.0], [inf, inf], [inf, -inf])
_both("lgamma at its poles", lambda tf, x: tf.math.lgamma(x), [0.0, -1.0], [nan, nan], [inf, inf])
_both(
    "where that masks a root, squared",
    lambda tf, x: tf.where(x > 0, tf.sqrt(x), 0.0) ** 2,
    [0.0, -1.0],
    [0.0, 0.0],
    [nan, nan],
)
