"""Where symtape differs from TensorFlow on purpose: the rows of the table in docs/tensorflow.md.

A row is a small program, what it gives here, and what it gives in TensorFlow 2.21. The former comes
from mathematics, and is written as such.
"""

from __future__ import annotations

import gzip
import math
import tempfile
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import mpmath
import numpy as np
import sympy as sp

from tests.answers.numpy_names import as_it_was
from tests.answers.stand_ins import wide


class Deviation(NamedTuple):
    """A program over a module with TensorFlow's names, and its outcome here and there."""

    run: Callable[[Any], Any]
    here: Any
    there: Any


DEVIATIONS: dict[str, Deviation] = {}


def outcome(run: Callable[[Any], Any], tf: Any) -> Any:
    """Run a program; give numbers as lists, and an error as its type and the start of its text."""
    try:
        found = run(tf)
    except Exception as error:  # noqa: BLE001 - which one it is, is the outcome
        return f"{type(error).__name__}: {error}"
    return found.numpy().tolist() if hasattr(found, "numpy") else found


def deviation(here: Any, there: Any) -> Callable[[Callable[[Any], Any]], Any]:
    """Add a program to the table."""

    def add(run: Callable[[Any], Any]) -> Callable[[Any], Any]:
        DEVIATIONS[run.__name__] = Deviation(run, here, there)
        return run

    return add


def first(tf: Any, f: Callable[[Any], Any], x: Any) -> Any:
    """Differentiate a function."""
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    return tape.gradient(y, x)


def _of(tf: Any, x: float) -> Any:
    return tf.constant(x, tf.float64)


_IGAMMA_TWICE = mpmath.diff(lambda a: mpmath.gammainc(a, 0, 1.5, regularized=True), 2, 2)


def second(tf: Any, f: Callable[[Any], Any], x: Any) -> Any:
    """Differentiate the gradient of a function."""
    return first(tf, lambda x: first(tf, f, x), x)


@deviation(here=["Tensor", [2.0, 0.0, 1.0]], there=["IndexedSlices", [2.0, 0.0, 1.0]])
def gather_is_dense(tf):
    """Each element receives one for every time that it was taken."""
    g = first(tf, lambda x: tf.gather(x, [0, 2, 0]), tf.constant([1.0, 2.0, 3.0]))
    kind = "Tensor" if isinstance(g, tf.Tensor) else type(g).__name__
    return [kind, tf.convert_to_tensor(g).numpy().tolist()]


@deviation(
    here=[4.0, 0.0, 2.0],
    there="AttributeError: 'IndexedSlices' object has no attribute",
)
def gather_twice(tf):
    """The second derivative of 2x₀² + x₂²."""
    taken = tf.constant([1.0, 2.0, 3.0])
    return second(tf, lambda x: tf.reduce_sum(tf.square(tf.gather(x, [0, 2, 0]))), taken)


@deviation(here=[1.0, 8.0, 0.0], there=[1.0, 0.0, 0.0])
def cumprod_through_zero(tf):
    """The derivative of x₀ + x₀x₁ + x₀x₁x₂ at (2, 0, 3) in x₁ is x₀ + x₀x₂."""
    return first(tf, tf.math.cumprod, tf.constant([2.0, 0.0, 3.0]))


@deviation(here=[1.0, -1.0], there=[0.0, -2.0])
def cross_entropy_of_any_labels(tf):
    """For labels z the gradient is softmax(x)·Σz - z, and TensorFlow has Σz = 1."""
    z = tf.constant([0.5, 2.5])

    def loss(x):
        return tf.nn.softmax_cross_entropy_with_logits(labels=z, logits=x)

    return first(tf, loss, tf.constant([0.0, 0.0]))


def _slope_of_cross_entropy(point: list[float]) -> list[float]:
    """Differentiate the first entry of the gradient of -Σ x² log softmax(x)."""
    x = sp.symbols("x:3")
    total = sp.log(sum(map(sp.exp, x)))
    loss = -sum(v**2 * (v - total) for v in x)
    there = dict(zip(x, point, strict=True))
    return [round(float(sp.diff(loss, x[0], v).subs(there)), 6) for v in x]


_LOGITS = [0.3, -0.5, 0.2]


@deviation(here=_slope_of_cross_entropy(_LOGITS), there=[1.611582, 0.033444, 0.067347])
def cross_entropy_of_labels_that_depend(tf):
    """The second derivative, with labels x²; TensorFlow drops what comes through the labels."""

    def slope(x):
        return first(
            tf, lambda x: tf.nn.softmax_cross_entropy_with_logits(labels=x**2, logits=x), x
        )[0]

    found = first(tf, slope, tf.constant(_LOGITS, dtype=tf.float64))
    return np.round(found.numpy(), 6).tolist()


@deviation(here=[-1.25, -0.375], there=[0.0, 0.5])
def weighted_cross_entropy_at_zero(tf):
    """1 - z - (1 + (q - 1) z) / 2, for z = 1 and 1/2 and q = 5/2, is -5/4 and -3/8."""
    z, x = tf.constant([1.0, 0.5]), tf.constant([0.0, 0.0])
    found = first(tf, lambda x: tf.nn.weighted_cross_entropy_with_logits(z, x, 2.5), x)
    return found.numpy().tolist()


@deviation(here=[0.0, 0.0], there=[1.0, 1.0])
def moments_twice(tf):
    """The variance of two numbers is (a - b)² / 4: a row of its Hessian is 1/2 and -1/2."""
    x = tf.constant([1.0, 3.0])
    found = second(tf, lambda x: tf.nn.moments(x, [0])[1], x)
    return found.numpy().tolist()


@deviation(here=[4, 5, 0, 1, 2, 3], there=[1, 0, 3, 2, 5, 4])
def jacobian_of_roll(tf):
    """Rolling the rows of a 3 x 2 matrix down brings its last row, elements 4 and 5, to the top."""
    x = tf.reshape(tf.range(6.0), (3, 2))
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.roll(x, 1, axis=-2)
    return np.argmax(tape.jacobian(y, x).numpy().reshape(6, 6), axis=1).tolist()


@deviation(here=-16 / 27, there="LookupError: gradient registry has no entry for: SoftsignGrad")
def softsign_twice(tf):
    """The second derivative of x/(1 + x) is -2/(1 + x)³."""
    x = tf.constant(0.5, dtype=tf.float64)
    return second(tf, tf.nn.softsign, x)


@deviation(here=(1 + math.erf(1 / math.sqrt(2))) / 2, there=0.8413447419273903)
def gelu_of_doubles(tf):
    """At 1 it is the normal distribution function at 1; TensorFlow's constants are float32."""
    return tf.nn.gelu(tf.constant(1.0, tf.float64))


@deviation(here=-0.2, there=-0.20000000298023224)
def leaky_relu_of_doubles(tf):
    """Below zero it is a fifth of its argument; TensorFlow keeps the fifth as a float32."""
    return tf.nn.leaky_relu(tf.constant(-1.0, tf.float64))


def _real_slope(tf, f, number):
    """Differentiate the real part of a function of a matrix with one complex element."""
    found = first(tf, lambda x: tf.math.real(f(x)), tf.constant([[number]], tf.complex128))
    return np.round(found.numpy(), 6).tolist()


@deviation(here=[[1]], there=[[-1]])
def det_of_complex(tf):
    """The determinant of one number is the number: the slope of its real part is 1."""
    return _real_slope(tf, tf.linalg.det, 2j)


@deviation(here=[[0.5]], there=[[0]])
def sign_of_complex_slogdet(tf):
    """The real part of z/|z| at 2i, where going to the right by d turns it by d/2."""
    return _real_slope(tf, lambda x: tf.linalg.slogdet(x)[0], 2j)


@deviation(here=[[0.25 + 0.25j]], there=[[0.25 - 0.25j]])
def sqrtm_of_complex(tf):
    """The conjugate of 1/(2 sqrt(z)) at 2i, where sqrt(z) is 1 + i."""
    return _real_slope(tf, tf.linalg.sqrtm, 2j)


@deviation(here=[[0.25]], there="LookupError: gradient registry has no entry for: MatrixLogarithm")
def logm_has_a_gradient(tf):
    """The logarithm of one number has the slope 1/z."""
    return _real_slope(tf, tf.linalg.logm, 4 + 0j)


@deviation(here=[[0.5]], there=[[1]])
def svd_of_complex_twice(tf):
    """The singular value of one number is |z|, with the gradient z/|z|; see the sign of slogdet."""

    def slope(x):
        return first(tf, lambda x: tf.norm(x, 2, axis=[0, 1]), x)

    return _real_slope(tf, slope, 2j)


@deviation(here=[[-0.25]], there="ValueError: Gradient not defined for fast=False")
def lstsq_that_is_not_fast(tf):
    """The solution of a x = 1 is 1/a, at 2."""
    one = tf.constant([[1.0]])
    return first(tf, lambda a: tf.linalg.lstsq(a, one, fast=False), tf.constant([[2.0]]))


@deviation(here=[[0.4]], there="NotImplementedError: matrix_solve_ls is currently disabled")
def lstsq_of_complex_with_a_ridge(tf):
    """The x with the smallest |2x - 1|² + |x|² is 2/5."""
    a, b = tf.constant([[2.0 + 0j]]), tf.constant([[1.0 + 0j]])
    return np.round(tf.linalg.lstsq(a, b, l2_regularizer=1.0).numpy(), 6).tolist()


@deviation(here=[[2.0]], there="NotFoundError: Could not find device for node")
def cholesky_of_half(tf):
    """Half precision is computed in single; TensorFlow does so for `inv` and `qr` alone."""
    return tf.linalg.cholesky(tf.constant([[4.0]], tf.float16))


@deviation(here=[0.0] * 5, there=["NotFoundError"] * 5)
def special_functions_of_half(tf):
    """All are computed in single, and rounded; TensorFlow does so for some functions alone."""
    special, kinds = tf.math.special, (tf.float16, tf.bfloat16)
    calls = [(tf.math.erfinv, kind, 0.0) for kind in kinds]
    calls += [(tf.math.lgamma, tf.bfloat16, 1.0), (special.spence, tf.float16, 1.0)]
    calls += [(tf.math.rint, tf.float16, 0.25)]
    return [_computed(tf, call, tf.constant(x, kind)) for call, kind, x in calls]


def _computed(tf, call, x):
    """Give a number, or the name of the error."""
    try:
        return float(call(x))
    except tf.errors.NotFoundError as error:
        return type(error).__name__


@deviation(here=True, there=False)
def mean_of_no_complex_numbers(tf):
    """The mean of nothing is no number, whatever its dtype."""
    return bool(np.isnan(tf.reduce_mean(tf.zeros([0], tf.complex64)).numpy()))


@deviation(here=[[0.0, 0.0], [0.0, 0.0]], there="nan")
def sqrtm_of_zero(tf):
    """The root of zero is zero."""
    found = tf.linalg.sqrtm(tf.zeros((2, 2))).numpy()
    return "nan" if np.isnan(found).all() else found.tolist()


@deviation(here=[0, 2, 2], there=None)
def expm_of_an_empty_batch(tf):
    """The gradient of nothing is nothing, of the same shape; it is connected."""
    found = first(tf, tf.linalg.expm, tf.zeros((0, 2, 2)))
    return None if found is None else list(found.shape)


@deviation(
    here=round(float(_IGAMMA_TWICE), 10), there="LookupError: gradient registry has no entry"
)
def igamma_twice_in_its_shape(tf):
    """The second derivative of the incomplete gamma function in a, against mpmath's numerical."""
    g = second(tf, lambda a: tf.math.igamma(a, _of(tf, 1.5)), _of(tf, 2.0))
    return round(float(g), 10)


@deviation(here=None, there=round(-(math.pi**2) / 6, 5))
def zeta_by_its_order(tf):
    """The derivative of -s zeta(s + 1, q) in s: in one factor it would be a wrong number."""
    s, q = _of(tf, 1.0), _of(tf, 1.0)
    with tf.GradientTape() as outer:
        outer.watch(s)
        with tf.GradientTape() as inner:
            inner.watch(q)
            y = tf.math.zeta(s, q)
        slope = inner.gradient(y, q)
    found = outer.gradient(slope, s)
    return None if found is None else round(float(found), 5)


@deviation(here=[True] * 5, there=[False] * 5)
def special_functions_at_edges(tf):
    """Ei(-1), slopes of 1 - exp(-x) and J1 at 0, limits of P(a, 1) and I(a, 1) at 0 are finite."""
    zero = _of(tf, 0.0)
    found = [
        tf.math.special.expint(_of(tf, -1.0)),
        first(tf, lambda x: tf.math.igamma(_of(tf, 1.0), x), zero),
        second(tf, tf.math.special.bessel_j1, zero),
        tf.math.igamma(zero, _of(tf, 1.0)),
        tf.math.betainc(zero, _of(tf, 1.0), _of(tf, 0.5)),
    ]
    return [math.isfinite(float(x)) for x in found]


@deviation(here=[True, True], there=[False, False])
def asin_below_its_cut(tf):
    """On the cut below -1 the values are those of its upper side, and so are the slopes."""
    found = []
    for f in (tf.asin, tf.acos):
        slopes = []
        for z in (tf.constant(-2.0 + 0j), tf.constant(-2.0 + 1e-9j)):
            with tf.GradientTape() as tape:
                tape.watch(z)
                w = f(z)
            slopes.append(complex(tape.gradient(w, z)))
        found.append(abs(slopes[0] - slopes[1]) < 1e-6)
    return found


@deviation(here=[True, True], there=[False, False])
def bessel_below_zero(tf):
    """K0 and Y0 of negative numbers are complex, and no infinity."""
    special = tf.math.special
    return [math.isnan(float(f(_of(tf, -1.0)))) for f in (special.bessel_k0, special.bessel_y0)]


@deviation(here=[1, 1, [1.0, 2.0, "nan"]], there=[2, 0, ["nan", 1.0, 2.0]])
def orders_of_nan(tf):
    """The place of the largest is where the largest is, which is nan; sorted, nan is the last."""
    nan = math.nan
    x = tf.constant([1.0, nan, 2.0])
    ordered = tf.sort(tf.constant([nan, 1.0, 2.0]))
    found = [float(v) for v in ordered]
    return [int(tf.argmax(x)), int(tf.argmin(x)), ["nan" if v != v else v for v in found]]  # noqa: PLR0124 - nan alone


@deviation(here=["nan", "nan", 2], there=[2.0, 1.0, 0])
def segments_of_nan(tf):
    """The largest of a segment with nan is nan, and nan is sought behind all numbers."""
    x = tf.constant([math.nan, 1.0, 2.0])
    found = [tf.math.segment_max(x, [0, 0, 0]), tf.math.unsorted_segment_min(x, [0, 0, 0], 1)]
    numbers = [float(v[0]) for v in found]
    place = int(tf.searchsorted(tf.constant([1.0, 2.0]), tf.constant([math.nan]))[0])
    return [*["nan" if v != v else v for v in numbers], place]  # noqa: PLR0124 - nan alone


@deviation(here=[1.0] * 8, there=[1.0, 2.0, 2.0, 4.0, 2.0, 4.0, 4.0, 8.0])
def max_pool3d_of_equals(tf):
    """Eight windows have eight units to pass on, each to one element."""
    x = tf.ones((1, 2, 2, 2, 1))
    return first(tf, lambda x: tf.nn.max_pool3d(x, 2, 1, "SAME"), x).numpy().ravel().tolist()


@deviation(here=[True, True], there=[False, False])
def max_pool_of_nan_and_infinity(tf):
    """The largest of nan and 1 is nan, and of two times -inf it is -inf."""
    x = tf.constant([[[math.nan], [1.0]], [[-math.inf], [-math.inf]]])
    nan, low = tf.nn.max_pool1d(x, 2, 2, "VALID").numpy().ravel()
    return [math.isnan(nan), math.isinf(low)]


@deviation(here=[[5.0, 3.0, 2.0]] * 2, there=[[0.0, 3.0, 2.0], "nan"])
def products_twice_through_zero(tf):
    """The slope of xy + xz + yz at (0, 2, 3), which is the sum of the gradient of xyz."""
    x = tf.constant([0.0, 2.0, 3.0])
    ways = [
        tf.reduce_prod,
        lambda x: tf.math.unsorted_segment_prod(x, [0, 0, 0], 1),
    ]
    found = [second(tf, f, x).numpy() for f in ways]
    return ["nan" if np.isnan(g).any() else g.tolist() for g in found]


@deviation(here=[0.5, 0.5], there=["nan", 0.5])
def cumulative_logsumexp_from_minus_infinity(tf):
    """The logarithms of e^x and of e^x + e^y, for x of minus infinity and y of 0, have a slope."""
    with tf.GradientTape() as tape:
        x = tf.constant([-math.inf, 0.0])
        tape.watch(x)
        y = tf.math.cumulative_logsumexp(x) * 0.5
    found = tape.gradient(y, x).numpy()
    return ["nan" if math.isnan(g) else float(g) for g in found]


@deviation(here=[2.0, 0.0], there=[0.0, 0.0])
def cumulative_logsumexp_twice_where_its_slope_is_zero(tf):
    """The second derivative of (log eˣ)² + (log 2eˣ - log 2)² / 2 at x = 0, by elements, is 2."""
    x = tf.constant([0.0, -math.inf])
    return second(tf, lambda x: tf.square(tf.math.cumulative_logsumexp(x)[0]), x)


@deviation(here=[[3.0, 1.0]] * 3, there=["nan"] * 3)
def segments_twice_beside_empty_ones(tf):
    """Sums of rows of the second derivative of x² + yx; the second of three parts is empty."""
    x = tf.constant([1.0, -2.0])
    ways = [tf.math.segment_max, tf.math.segment_min, tf.math.segment_mean]
    found = [second(tf, lambda x, f=f: f(x, [0, 2]) * x[0], x).numpy() for f in ways]
    return ["nan" if np.isnan(g).any() else g.tolist() for g in found]


@deviation(here=[[-1.0, -2.0], [-3.0, -4.0]], there=[[-1.0, 0.0], [0.0, -4.0]])
def pinv_of_equal_singular_values(tf):
    """At the identity, the inverse of 1 + d is 1 - d."""
    w = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    return first(tf, lambda x: tf.linalg.pinv(x) * w, tf.eye(2))


@deviation(here=[True, True], there=[True, False])
def eigenvectors_of_equal_eigenvalues(tf):
    """They have no derivative; both take that for zero, and so is the derivative of zero."""

    def vectors(x):
        return tf.linalg.eigh(x)[1] * [[1.0, 2.0], [3.0, 4.0]]

    x = tf.eye(2)
    found = first(tf, vectors, x), second(tf, vectors, x)
    return [bool(np.all(np.abs(g) < 1e9)) for g in found]


@deviation(here=round((1 + 3 / math.sqrt(13)) / 2, 5), there=0.86055)
def eigh_tridiagonal_has_a_gradient(tf):
    """The smaller eigenvalue of [[a, 1], [1, 3]] is (a + 3 - √((a - 3)² + 4))/2, here at 0."""
    one = tf.constant([1.0])

    def smaller(a):
        return tf.linalg.eigh_tridiagonal(a, one, select="i", select_range=[0, 0])

    return round(float(first(tf, smaller, tf.constant([0.0, 3.0]))[0]), 5)


@deviation(here="InvalidArgumentError: ", there="nan")
def tridiagonal_solve_of_a_singular_matrix(tf):
    """As `solve` says it, here and there."""
    found = tf.linalg.tridiagonal_solve(tf.zeros((3, 2)), tf.ones((2, 1))).numpy()
    return "nan" if np.isnan(found).all() else found.tolist()


@deviation(here=[[0.5 + 0.5j]], there=[[0.5 - 0.5j]])
def tridiagonal_solve_conjugates(tf):
    """Of x = b/a with a = 1 + i, b has 1/conj(a), as `solve` has it here and there."""
    lines = tf.constant([[0j], [1 + 1j], [0j]])
    return first(tf, lambda b: tf.linalg.tridiagonal_solve(lines, b), tf.constant([[1 + 0j]]))


@deviation(here=[0.25, -0.5], there="LookupError: gradient registry has no entry for: Lu")
def lu_has_a_gradient(tf):
    """The last pivot of [[a, 1], [1, 1]] is 1 - 1/a, with the slope 1/a²; that of 1/a is -1/a²."""
    a = tf.constant([[2.0, 1.0], [1.0, 1.0]])
    g = first(tf, lambda x: tf.linalg.lu(x).lu * [[0.0, 0.0], [0.0, 1.0]], a).numpy()
    return [float(g[0, 0]), float(g[0, 1])]


@deviation(here=None, there=[0.0, 0.0])
def max_pool_twice(tf):
    """Which element is taken does not depend on the elements, nor does the gradient, as of sort."""
    x = tf.constant([1.0, 2.0])

    def pool(x):
        return tf.nn.max_pool1d(x[None, :, None], 2, 1, "VALID")

    found = second(tf, pool, x)
    return None if found is None else found.numpy().tolist()


@deviation(here=[5.0, 9.0], there="UnimplementedError: ")
def channels_first(tf):
    """Sums of two neighbours in a row of the one channel."""
    x, pair = tf.constant([[[[1.0, 4.0, 5.0]]]]), tf.ones((1, 2, 1, 1))
    return tf.nn.conv2d(x, pair, 1, "VALID", data_format="NCHW").numpy().ravel().tolist()


@deviation(here=[0.0, 5.0, 6.0, 4.0], there="TypeError: Expected string for argument 'padding'")
def padding_of_sequences(tf):
    """Sums of two neighbours of 0, 0, 5, 1, 3."""
    x, pair = tf.constant([[[5.0], [1.0], [3.0]]]), tf.ones((2, 1, 1))
    return tf.nn.conv1d(x, pair, 1, [[0, 0], [2, 0], [0, 0]]).numpy().ravel().tolist()


@deviation(here=[1.0, 1.0, 2.0, 1.0, 1.0], there="InvalidArgumentError: ")
def gradient_with_holes(tf):
    """Each of three windows of places 0 and 2 passes one to each of its elements."""
    pair = tf.ones((2, 1, 1))

    def holes(x):
        return tf.nn.conv1d(x, pair, 1, "VALID", dilations=2)

    return first(tf, holes, tf.ones((1, 5, 1))).numpy().ravel().tolist()


@deviation(here=[3.0, 4.0], there="InvalidArgumentError: ")
def gradient_of_groups(tf):
    """Each of two channels is multiplied by a filter of its own."""
    each = tf.constant([[[3.0, 4.0]]])
    x = tf.ones((1, 1, 2))
    return first(tf, lambda x: tf.nn.conv1d(x, each, 1, "SAME"), x).numpy().ravel().tolist()


@deviation(here=[1, 3, 3, 6], there=[1, 3, 4, 6])
def depthwise_strides_with_holes(tf):
    """As in `conv2d`, SAME with a stride of 2 makes of 5 x 6 places 3 x 3."""
    x, filters = tf.ones((1, 5, 6, 3)), tf.ones((3, 2, 3, 2))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # TensorFlow warns, and goes on
        y = tf.nn.depthwise_conv2d(x, filters, [1, 2, 2, 1], "SAME", dilations=[2, 2])
    return y.shape.as_list()


@deviation(here=[0.0, 1.0], there=[1.0, 1.0])
def update_of_a_place_twice(tf):
    """The last update counts, so the result does not depend on the other one."""

    def updated(u):
        return tf.tensor_scatter_nd_update(tf.zeros(1), [[0], [0]], u)

    return first(tf, updated, tf.constant([1.0, 2.0])).numpy().tolist()


@deviation(here=[0.0, 1.0], there=[1.0, 1.0])
def stitch_of_a_place_twice(tf):
    """Likewise, of the rows for one place the last one counts."""
    found = first(tf, lambda x: tf.dynamic_stitch([[0, 0]], [x]), tf.constant([1.0, 2.0]))
    return found.numpy().tolist()


@deviation(here=[[2, 3], [5, 6]], there="ValueError: Shapes () and (3,) are incompatible")
def mask_along_a_negative_axis(tf):
    """The last axis has the last two of three elements."""
    mask = [False, True, True]
    return tf.boolean_mask([[1, 2, 3], [4, 5, 6]], mask, axis=-1).numpy().tolist()


@deviation(here="InvalidArgumentError: ", there=[[[1, 2], [3, 4]], [[3, 4], [1, 2]]])
def gather_with_a_batch_behind_its_axis(tf):
    """With one axis in common, the first one cannot be gathered along."""
    found = tf.gather([[1, 2], [3, 4]], [[0, 1], [1, 0]], axis=0, batch_dims=1)
    return found.numpy().tolist()


@deviation(here=[1.0, 0.0], there="InvalidArgumentError: ")
def gradient_that_ignores_what_is_outside(tf):
    """The first element is taken once, the other place is no place."""

    def taken(x):
        return tf.gather_nd(x, [[0], [5]], bad_indices_policy="IGNORE")

    found = first(tf, taken, tf.constant([1.0, 2.0]))
    return tf.convert_to_tensor(found).numpy().tolist()


@deviation(here=[[-1j], [1]], there=[[1j], [1]])
def segment_prod_of_complex(tf):
    """The slope of Re(z w) in z is the conjugate of w, here at (1, i)."""

    def product(z):
        return tf.math.real(tf.math.segment_prod(z, [0, 0]))

    return first(tf, product, tf.constant([[1 + 0j], [1j]])).numpy().tolist()


def _conjugate_slopes(tf, fs):
    """Differentiate the real parts of functions of one complex number."""
    slopes = []
    for f, z in fs:
        found = first(tf, lambda x, f=f: tf.math.real(f(x)), tf.constant(z, tf.complex128))
        slopes.append(complex(np.round(found.numpy(), 6) + 0.0))
    return slopes


@deviation(here=[-1j, -1j, -1j, 1j, 1j, -0.5j], there=[1j, 1j, 1j, -1j, -1j, 0.5j])
def products_of_complex(tf):
    """The slope of Re f(z) is the conjugate of f'(z): of i, and of 1/z, 1/(1 + z), -1/z²."""
    i = tf.constant(1j, tf.complex128)
    return _conjugate_slopes(
        tf,
        [
            (lambda z: tf.math.cumprod(tf.stack([z, i]))[1], 2),
            (lambda z: tf.math.unsorted_segment_prod(tf.stack([z, i]), [0, 0], 1)[0], 2),
            (lambda z: tf.math.multiply_no_nan(z, i), 2),
            (lambda z: tf.math.xlogy(-i * i, z), 1j),
            (lambda z: tf.math.xlog1py(-i * i, z), -1 + 1j),
            (lambda z: tf.math.xdivy(-i * i, z), 1 + 1j),
        ],
    )


@deviation(here=[0, 0], there=[-2, -0.6])
def squared_sizes_of_complex(tf):
    """|z|² and a norm are real: their imaginary part has no slope, here at i and (3i, 4)."""
    sizes = [
        (lambda z: tf.math.squared_difference(z, 0 * z), 1j),
        (lambda z: tf.math.reduce_euclidean_norm(tf.stack([z, 4 + 0 * z])), 3j),
    ]
    return _conjugate_slopes(tf, [(lambda z, f=f: -1j * f(z), z) for f, z in sizes])


@deviation(here=[0.5 - 1.285398j], there=[0.5 + 1.285398j])
def swish_of_complex(tf):
    """The conjugate of s + z s (1 - s) at iπ/2, where s = 1/(1 + exp(-z)) is (1 + i)/2."""
    return _conjugate_slopes(tf, [(tf.nn.swish, 1j * math.pi / 2)])


@deviation(here=[1.0, -5.0], there=[-(2.0**63)] * 2)
def saturated_int64(tf):
    """A float has room for these; TensorFlow takes the largest float for an int64."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return tf.saturate_cast(tf.constant([1, -5], tf.int64), tf.float64)


@deviation(here=0.0, there=1.0)
def saturated_nan(tf):
    """What is held between bounds depends on nothing at nan, as in `clip_by_value`."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        x = tf.constant(math.nan)
        return first(tf, lambda x: tf.saturate_cast(x, tf.float16), x)


@deviation(here=2.0, there=None)
def pad_with_a_value(tf):
    """The value is put in two places."""
    g = first(tf, lambda v: tf.pad([1.0], [[1, 1]], constant_values=v), tf.constant(7.0))
    return None if g is None else float(g)


@deviation(here=[1.0, 0.0], there="LookupError: gradient registry has no entry for: Unique")
def unique_has_a_gradient(tf):
    """The first of two equal elements is taken."""
    return first(tf, lambda x: tf.unique(x).y, tf.constant([3.0, 3.0])).numpy().tolist()


@deviation(here=round(math.sin(1) + math.cos(1), 6), there=round(math.sin(1), 6))
def numpy_functions_are_recorded(tf):
    """The derivative of x sin(x) at 1; for TensorFlow, np.sin(x) is a number from elsewhere."""
    g = first(tf, lambda x: x * np.sin(x), tf.constant(1.0))
    return round(float(g), 6)


@deviation(here=2, there=1)
def functions_run_as_they_are(tf):
    """The body of a `tf.function` runs at every call, and not once per signature."""
    calls = []

    @tf.function
    def f(x):
        calls.append(1)
        return x

    f(tf.constant(1.0))
    f(tf.constant(1.0))
    return len(calls)


@deviation(here=6.0, there=None)
def gradients_through_a_function(tf):
    """A tape differentiates `tf.gradients` of what a function within the function gave."""
    w = tf.Variable(2.0)

    @tf.function
    def within(x):
        return w * x**2

    @tf.function
    def f(x):
        with tf.GradientTape() as tape:
            slope = tf.gradients(within(x), x)[0]
        return tape.gradient(slope, w)

    return f(tf.constant(3.0))


@deviation(here=[0.0555, 0.4064, 0.8127], there=[0.5273, 0.8127, 0.8489])
def draws_in_a_loop_over_a_tensor(tf):
    """A `for` over a tensor within `tf.function` is Python's, whose draws are numbered one by one.

    TensorFlow makes one operation of them, as here `tf.while_loop` does; which iteration draws
    first may differ from run to run.
    """
    tf.random.set_seed(1)

    @tf.function
    def f():
        drawn = tf.TensorArray(tf.float32, 3)
        for k in tf.range(3):
            drawn = drawn.write(k, tf.random.uniform([]))
        return drawn.stack()

    try:
        return sorted([round(float(u), 4) for u in f()])
    finally:
        tf.random.set_seed(None)


@deviation(here=2, there=1)
def gradients_begin_the_function_anew(tf):
    """Who asks for `tf.gradients` has the function started again, so that Python's part runs twice.

    That of TensorFlow runs once, for a trace.
    """
    ran = []

    @tf.function
    def f(x):
        ran.append(x)
        return tf.gradients(x * x, x)[0]

    x = tf.constant(3.0)
    f(x)
    return len(ran)


@deviation(here=[0.8127, 0.0555], there=[0.8127, 0.8127])
def draws_beside_a_first_value(tf):
    """A function that draws the first value of a variable draws what follows with the next seeds.

    TensorFlow traces such a function twice, and the second time without that draw.
    """
    tf.random.set_seed(1)
    kept = []

    @tf.function
    def f():
        if not kept:
            kept.append(tf.Variable(tf.random.uniform([])))
        return tf.random.uniform([])

    try:
        later = f()
        return [round(float(u), 4) for u in (kept[0], later)]
    finally:
        tf.random.set_seed(None)


@deviation(here=[False, True], there=[False, False])
def results_of_a_function_one_by_one(tf):
    """What only another result of a function depends on is not connected, as without a function.

    TensorFlow differentiates all results of a graph at once, and gives zeros.
    """
    x, y = tf.Variable(2.0), tf.Variable(3.0)
    f = tf.function(lambda: (x * x, y * y))
    with tf.GradientTape() as tape:
        first, _ = f()
    return [slope is None for slope in tape.gradient(first, [x, y])]


@deviation(here=[False, True], there=[False, False])
def results_of_identity_one_by_one(tf):
    """The first of two copies does not depend on what the second is a copy of."""
    x, y = tf.Variable(2.0), tf.Variable(3.0)
    with tf.GradientTape() as tape:
        copied, _ = tf.identity_n([x, y])
    return [slope is None for slope in tape.gradient(copied, [x, y])]


@deviation(here=1, there=0)
def a_variable_that_is_stopped(tf):
    """A tape that watches variables watches each that is read, also where no gradient flows."""
    v = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        tf.stop_gradient(v)
    return len(tape.watched_variables())


@deviation(
    here=[1.0, 8],
    there="TypeError: in user code",
)
def branches_and_turns_of_unlike_types(tf):
    """A function runs as it is: of two branches one is taken, and a loop's tensor may grow."""

    @tf.function
    def chosen(yes: Any) -> Any:
        return tf.cond(yes, lambda: 1.0, lambda: 1)

    @tf.function
    def grown(x: Any) -> Any:
        return tf.while_loop(lambda x: tf.size(x) < 5, lambda x: [tf.concat([x, x], 0)], [x])

    return [float(chosen(tf.constant(True))), int(tf.size(grown(tf.ones(2))[0]))]


@deviation(
    here="MisfitError: {{function_node __wrapped__AddV2_device_/job:localhost/replica:0/task:0/"
    "device:CPU:0}} Incompatible shapes: [2] vs. [3]",
    there="ValueError: in user code",
)
def shapes_that_do_not_fit_in_a_function(tf):
    """What is caught in TensorFlow is caught here, whether it knows the shapes or not."""
    return tf.function(lambda x: x + tf.ones([3]))(tf.ones([2]))


@deviation(here=[10.0, 10.0], there=[2.0, 4.0])
def a_gradient_of_ones_own_over_rows(tf):
    """What an author says of a function holds for each row, as it does in `map_fn`."""
    square = tf.custom_gradient(lambda x: (x * x, lambda upstream: upstream * 10.0))
    return first(tf, lambda x: tf.vectorized_map(square, x), tf.constant([1.0, 2.0]))


@deviation(here=[0.0, 12.0], there=[0.0, 6.0])
def places_of_an_array_twice_in_a_function(tf):
    """The slope of 2x² is 4x, within a function as without."""
    f = tf.function(lambda x: tf.TensorArray(tf.float32, 2).unstack(x).gather([1, 1]) ** 2)
    return first(tf, f, tf.constant([5.0, 3.0]))


@deviation(here=[1, 2], there=[None])
def sizes_that_a_mapped_function_sees(tf):
    """A function is called for each element, and there is no tensor without its size."""
    seen: list[Any] = []

    def positive(x: Any) -> Any:
        found = tf.boolean_mask(x, x > 0)
        seen.append(found.shape[0])
        return x

    data = tf.data.Dataset.from_tensor_slices([[0.0, 1.0], [2.0, 3.0]]).map(positive)
    for _ in data:
        pass
    return seen[:4]


@deviation(here=False, there=True)
def draws_that_are_computed_again_outside(tf):
    """A function that draws, and is computed again for a tape around it, draws other numbers.

    As in eager mode, and where the tape is within the function. In TensorFlow the graph of the
    gradient numbers its operations anew, which gives those of the function.
    """
    tf.random.set_seed(1)
    f = tf.function(tf.recompute_grad(lambda x: x * tf.random.uniform([])))
    x = tf.constant(1.0)
    try:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = f(x)
        return float(tape.gradient(y, x)) == float(y)
    finally:
        tf.random.set_seed(None)


@deviation(
    here="AttributeError: 'NoneType' object has no attribute '_tape': watch() needs a tape",
    there="AttributeError: 'NoneType' object has no attribute '_tape'",
)
def watch_before_enter(tf):
    """The type of an accidental error is TensorFlow's; its text says what to do."""
    tf.GradientTape().watch(tf.constant(1.0))


@deviation(here=[5.0, 11.0], there="InvalidArgumentError: {{function_node __wrapped__MatMul")
def product_of_an_array_and_a_vector(tf):
    """A NumPy array beside `@` takes vectors as NumPy does."""
    return np.array([[1.0, 2.0], [3.0, 4.0]]) @ tf.constant([1.0, 2.0], tf.float64)


@deviation(
    here="InvalidArgumentError: custom_gradient of f, input 0: the gradient", there=[1.0, 1.0]
)
def a_gradient_of_another_shape(tf):
    """What an author gives is a gradient only in the shape of its input."""

    @tf.custom_gradient
    def f(x):
        return x * x, lambda u: tf.ones([2])

    return first(tf, f, tf.constant(3.0))


@deviation(here="InvalidArgumentError: custom_gradient of f, input 0: the gradient", there=1.0)
def a_gradient_of_another_dtype(tf):
    """What an author gives is a gradient only in the dtype of its input."""

    @tf.custom_gradient
    def f(x):
        return x * x, lambda u: tf.cast(u, tf.float64)

    return first(tf, f, tf.constant(3.0))


@deviation(here=[[6.0, 0.0], [0.0, 2.0]], there="OperatorNotAllowedInGraphError: in user code")
def jacobian_of_a_gradient_that_branches(tf):
    """Each row is a gradient, for which the author's function decides anew."""

    @tf.custom_gradient
    def f(x):
        return x * x, lambda u: u * 2.0 * x if tf.reduce_sum(u * x) > 1.0 else u * 2.0

    x = tf.constant([3.0, 1.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    return tape.jacobian(y, x).numpy().tolist()


@deviation(here=36.0, there="NotImplementedError: recompute_grad tried to transpose grad")
def recomputed_twice_with_a_variable(tf):
    """The second derivative of 2 x³ at 3."""
    w = tf.Variable(2.0)
    f = tf.recompute_grad(lambda x: x**3 * w)
    return second(tf, f, tf.constant(3.0)).numpy().tolist()


@deviation(here=27.0, there="NotImplementedError: recompute_grad tried to transpose grad")
def recomputed_in_forward_mode(tf):
    """The derivative of x³ at 3."""
    x = tf.constant(3.0)
    with tf.autodiff.ForwardAccumulator(x, tf.constant(1.0)) as acc:
        y = tf.recompute_grad(lambda x: x**3)(x)
    return acc.jvp(y).numpy().tolist()


@deviation(here="DerivativeError: jvp: the gradient of f, its author's, is not shown", there=2.0)
def transpose_of_what_is_not_linear(tf):
    """The square of a cotangent has no transpose."""

    @tf.custom_gradient
    def f(x):
        return tf.constant(np.sin(x.numpy())), lambda u: u * u

    x = tf.constant(3.0)
    with tf.autodiff.ForwardAccumulator(x, tf.constant(1.0)) as acc:
        y = f(x)
    return acc.jvp(y)


@deviation(here="ValueError: the tangent has the shape (3,), and its primal (2,)", there="made")
def a_tangent_of_another_shape(tf):
    """A direction has as many parts as what it is a direction of."""
    tf.autodiff.ForwardAccumulator(tf.constant([1.0, 2.0]), tf.constant([1.0, 2.0, 3.0]))
    return "made"


@deviation(here="UnsupportedError: compute_gradient of bfloat16", there=0.0)
def differences_of_bfloat16(tf):
    """The derivative of x² at 1.5 is 3; a step of 1/1024 is lost in eight bits, and one is told."""
    x = tf.cast(tf.constant(1.5), tf.bfloat16)
    return float(tf.test.compute_gradient(lambda x: x * x, [x])[1][0][0, 0])


@deviation(here="int32", there="int64")
def a_default_of_a_column(tf):
    """A number is a default, and not the number that TensorFlow has for a dtype."""
    columns = tf.data.experimental.CsvDataset([], [9]).element_spec
    return columns[0].dtype.name


@deviation(here="UnsupportedError: RegisterGradient('Mine'): symtape has no kernels", there="made")
def gradients_by_the_names_of_kernels(tf):
    """There are no kernels here, so the gradient would never be used."""
    tf.RegisterGradient("Mine")
    return "made"


@deviation(
    here="InvalidArgumentError: /job:worker/replica:0/task:0/device:CPU:0 unknown device.",
    there="entered",
)
def a_device_of_another_process(tf):
    """TensorFlow raises the same at the first operation within."""
    with tf.device("/job:worker"):
        return "entered"


@deviation(here=3, there=1)
def functions_of_datasets_run_for_each_element(tf):
    """Three elements are three calls of a function that is run as it is."""
    calls = []
    list(tf.data.Dataset.range(3).map(lambda x: calls.append(x) or x))
    return len(calls)


@deviation(
    here="made", there="ValueError: Invalid `predicate`. `predicate` must return a `tf.bool`"
)
def predicates_are_asked_late(tf):
    """What a function gives is known when it is run, which nobody has asked for yet."""
    tf.data.Dataset.range(2).filter(lambda x: x)
    return "made"


@deviation(here=False, there=True)
def a_random_dataset_beside_itself(tf):
    """Two iterations of one function are one sequence of random numbers."""
    tf.random.set_seed(7)
    dataset = tf.data.Dataset.range(1).map(lambda x: tf.random.uniform([]))
    ((one, other),) = tf.data.Dataset.zip((dataset, dataset))
    return bool(one == other)


@deviation(here=["dataset_spec.json"], there=["dataset_spec.pb"])
def elements_in_files(tf):
    """Elements are in files of symtape's own, which are read as data alone."""
    with tempfile.TemporaryDirectory() as folder:
        tf.data.Dataset.range(2).save(folder)
        return [path.name for path in Path(folder).glob("dataset_spec.*")]


@deviation(here=2, there=1)
def snapshots_of_pipelines(tf):
    """A snapshot is of one dataset: whether another one is the same pipeline nobody can tell."""
    with tempfile.TemporaryDirectory() as folder:
        for dataset in [tf.data.Dataset.range(3).snapshot(folder) for _ in range(2)]:
            list(dataset)
        return len(list(Path(folder).iterdir()))


@deviation(here="UnsupportedError: tf.data: datasets have no batch", there=2)
def batches_of_datasets(tf):
    """A tensor of datasets would have no array."""
    return len(list(tf.data.Dataset.range(8).window(2).batch(2)))


@deviation(here=[[3], [4, 5]], there="TypeError: issubclass() arg 1 must be a class")
def a_ragged_state(tf):
    """Rows are a state as any other, to which each of two steps adds one."""
    rows = tf.ragged.constant([[1], [2, 3]])
    return tf.data.Dataset.range(2).reduce(rows, lambda state, _: state + 1).to_list()


@deviation(here=5, there="ValueError: __len__() should return >= 0")
def length_of_everything(tf):
    """Fewer than no elements are all of them, and these are five."""
    return len(tf.data.Dataset.range(5).take(-3))


@deviation(here=[2.0, 0.0], there="LookupError: gradient registry has no entry for: RFFT3D")
def rfft3d_has_a_gradient(tf):
    """The transform of two numbers is their sum and their difference, which add up to 2x₀."""
    g = first(tf, tf.signal.rfft3d, tf.ones((1, 1, 2)))
    return g.numpy().ravel().tolist()


@deviation(here=[2.0, 0.0, 0.0], there="InvalidArgumentError: ")
def rfft_of_a_part(tf):
    """Of three numbers two are transformed; the third has no part in it."""
    return first(tf, lambda x: tf.signal.rfft(x, [2]), tf.constant([1.0, 2.0, 3.0]))


@deviation(here=[0, 2], there="InvalidArgumentError: ")
def dct_of_an_empty_batch(tf):
    """No signals of two elements have no transforms of two elements."""
    return tf.signal.dct(tf.zeros((0, 2))).shape.as_list()


@deviation(here="ValueError: Unknown normalization", there="UnboundLocalError: ")
def inverse_mdct_of_another_norm(tf):
    """As `mdct` says it, here and there."""
    return tf.signal.inverse_mdct(tf.ones((1, 2)), norm="x")


_GREYS = [[[0.25], [0.75]]]


@deviation(
    here=[1.5, -0.5], there="LookupError: gradient registry has no entry for: AdjustContrastv2"
)
def adjust_contrast_has_a_gradient(tf):
    """With a factor of 2 the first of two numbers, x and y, is x + (x - y)/2."""
    g = first(tf, lambda x: tf.image.adjust_contrast(x, 2.0)[:, :1], tf.constant(_GREYS))
    return g.numpy().ravel().tolist()


@deviation(here=[1.0, 0.0, 0.0], there="LookupError: gradient registry has no entry for: AdjustHue")
def adjust_hue_has_a_gradient(tf):
    """A third of the circle makes green of red, so that the green one has its gradient."""
    x = tf.constant([[[0.75, 0.25, 0.125]]])
    g = first(tf, lambda x: tf.image.adjust_hue(x, 1 / 3)[..., 1], x)
    return [round(v, 5) + 0.0 for v in g.numpy().ravel().tolist()]


@deviation(
    here=[0.0, 1.0, 0.5],
    there="LookupError: gradient registry has no entry for: AdjustSaturation",
)
def adjust_saturation_has_a_gradient(tf):
    """Half of the saturation leaves red, and takes the smallest to the middle between both."""
    x = tf.constant([[[0.75, 0.25, 0.125]]])
    largest, least = (
        first(tf, lambda x, k=k: tf.image.adjust_saturation(x, 0.5)[..., k], x) for k in (0, 2)
    )
    found = [largest.numpy()[0, 0, 1], largest.numpy()[0, 0, 0], least.numpy()[0, 0, 0]]
    return [round(float(v), 5) + 0.0 for v in found]


@deviation(here=[-0.5, 1.0], there="NotFoundError: Could not find device")
def adjust_contrast_of_half(tf):
    """The distance of two numbers to their mean, a quarter, is tripled."""
    x = tf.constant([[[0.0], [0.5]]], tf.float16)
    return tf.image.adjust_contrast(x, 3.0).numpy().ravel().tolist()


@deviation(here=0.1, there=0.10000000149011612)
def adjusted_doubles(tf):
    """A number to the power one is that number."""
    return tf.image.adjust_gamma(tf.constant([[[0.1]]], tf.float64), 1.0).numpy().item()


@deviation(here=3.0, there=None)
def hsv_to_rgb_has_a_gradient(tf):
    """Without saturation each of three channels is the value."""
    g = first(tf, tf.image.hsv_to_rgb, tf.constant([0.2, 0.0, 0.5]))
    return None if g is None else float(g[2])


@deviation(here=[0.5, 0.5], there="LookupError: gradient registry has no entry for: ResizeArea")
def resize_by_area_has_a_gradient(tf):
    """One place of two is their mean."""
    g = first(tf, lambda x: tf.image.resize(x, [1, 1], "area"), tf.constant(_GREYS))
    return g.numpy().ravel().tolist()


@deviation(here=[1.0, 1.0], there=None)
def resize_twice(tf):
    """The square of the mean of two numbers has the second derivative ½ in each pair of them."""
    found = second(tf, lambda x: tf.image.resize(x, [1, 1]) ** 2, tf.constant(_GREYS))
    return None if found is None else found.numpy().ravel().tolist()


@deviation(here=[0.5, 0.5], there=None)
def resize_by_cubics_of_half(tf):
    """One place in the middle of two has half of each."""
    half = tf.constant(_GREYS, tf.float16)
    g = first(tf, lambda x: tf.image.resize(x, [1, 1], "bicubic"), half)
    return None if g is None else g.numpy().ravel().tolist()


@deviation(here=[0.5, 0.5], there="InvalidArgumentError: cannot compute ScaleAndTranslateGrad")
def resize_by_kernels_of_doubles(tf):
    """One place in the middle of two has half of each."""
    double = tf.constant(_GREYS, tf.float64)
    g = first(tf, lambda x: tf.image.resize(x, [1, 1], "lanczos3"), double)
    return [round(v, 6) for v in g.numpy().ravel().tolist()]


@deviation(here=[0.0, 1.0], there="LookupError: gradient registry has no entry for: DrawBoundingB")
def draw_bounding_boxes_has_a_gradient(tf):
    """A pixel with a frame over it does not depend on the image, another is that of the image."""
    box = [[[0.0, 0.0, 1.0, 0.0]]]
    g = first(tf, lambda x: tf.image.draw_bounding_boxes(x, box, [[5.0]]), tf.zeros((1, 1, 2, 1)))
    return g.numpy().ravel().tolist()


@deviation(here=[0.0, 1.0], there="LookupError: gradient registry has no entry for: ExtractGlimpse")
def extract_glimpse_has_a_gradient(tf):
    """A window of the second of two pixels."""

    def cut(x):
        return tf.image.extract_glimpse(x, [1, 1], [[0.0, 1.0]], False, False)

    return first(tf, cut, tf.zeros((1, 1, 2, 1))).numpy().ravel().tolist()


@deviation(here=[0.0, 1.0], there="LookupError: gradient registry has no entry for: CombinedNonMax")
def combined_non_max_suppression_has_a_gradient(tf):
    """The score of the better of two boxes is that score."""
    boxes = tf.constant([[[[0.0, 0.0, 1.0, 1.0]]] * 2])

    def best(scores):
        return tf.image.combined_non_max_suppression(boxes, scores, 1, 1)[1]

    return first(tf, best, tf.constant([[[0.25], [0.75]]])).numpy().ravel().tolist()


@deviation(here=[1.5, 1.5, 3.0], there=[1.0, 2.0, 3.0])
def isotonic_regression_of_a_vector(tf):
    """What is pooled is a mean, which has the same slope in all that it is the mean of."""

    def pooled(x):
        return tf.nn.isotonic_regression(x)[0] * tf.constant([1.0, 2.0, 3.0])

    return first(tf, pooled, tf.constant([1.0, 3.0, 0.0])).numpy().ravel().tolist()


@deviation(here="UnsupportedError: depthwise_conv2d_native_backprop_filter", there=[1.0])
def depthwise_backwards_with_holes(tf):
    """TensorFlow computes as if there were no holes."""
    one = tf.ones((1, 1, 1, 1))
    made = tf.nn.depthwise_conv2d_backprop_filter(
        one, [1, 1, 1, 1], one, [1] * 4, "SAME", dilations=[1, 2, 2, 1]
    )
    return made.numpy().ravel().tolist()


@deviation(here="UnsupportedError: extract_glimpse", there=[1, 2, 2, 1])
def glimpse_with_noise(tf):
    """TensorFlow fills what is outside with numbers of a generator that no seed sets."""
    return tf.image.extract_glimpse(tf.zeros((1, 1, 1, 1)), [2, 2], [[0.0, 0.0]]).shape.as_list()


@deviation(here=[0.0], there=[1.0])
def dilation_of_no_number(tf):
    """A window with holes that meets no element of the image has the least number there is."""

    def dilated(x):
        return tf.nn.dilation2d(x, tf.zeros((2, 1, 1)), [1] * 4, "SAME", "NHWC", [1, 2, 1, 1])

    return first(tf, dilated, tf.ones((1, 1, 1, 1))).numpy().ravel().tolist()


@deviation(here="UnsupportedError: dilations", there=0.0)
def dilation_of_rate_zero(tf):
    """TensorFlow looks at one element as often as the filter has places."""
    x, f, rates = tf.zeros((1, 1, 1, 1)), tf.zeros((2, 1, 1)), [1, 0, 1, 1]
    return float(tf.nn.dilation2d(x, f, [1] * 4, "VALID", "NHWC", rates)[0, 0, 0, 0])


@deviation(here=[100, 100], there=[99, 100])
def jpeg_by_the_accurate_transform(tf):
    """A grey image of 100 is one of 100 at the quality 90, where such a mean can be written."""
    file = tf.io.encode_jpeg(np.full((8, 8, 1), 100, np.uint8), quality=90)
    read = [tf.io.decode_jpeg(file, dct_method=dct) for dct in ("", "INTEGER_ACCURATE")]
    return [int(image[0, 0, 0]) for image in read]


@deviation(here="InvalidArgumentError", there=["one"])
def records_of_an_unknown_compression(tf):
    """There is no compression "gzip"; whoever writes so means "GZIP"."""
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder, "a"))
        with tf.io.TFRecordWriter(path) as writer:
            writer.write("one")
        try:
            return [r.numpy().decode() for r in tf.data.TFRecordDataset(path, "gzip")]
        except tf.errors.InvalidArgumentError as error:
            return type(error).__name__


@deviation(here="DataLossError", there=[])
def fixed_records_that_are_not_packed(tf):
    """A file that cannot be unpacked has no records that could be told."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "a")
        path.write_bytes(b"0123")
        records = tf.data.FixedLengthRecordDataset(str(path), 2, compression_type="GZIP")
        try:
            return [r.numpy() for r in records]
        except tf.errors.DataLossError as error:
            return type(error).__name__


@deviation(here="DataLossError", there=2)
def lines_of_a_file_that_is_cut_off(tf):
    """Of a file that was not copied to its end nobody takes what is there for all of it."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "a")
        path.write_bytes(gzip.compress(b"one\ntwo\n")[:-8])
        try:
            return sum(1 for _ in tf.data.TextLineDataset(str(path), "GZIP"))
        except tf.errors.DataLossError as error:
            return type(error).__name__


@deviation(here="InvalidArgumentError", there=[0, 2])
def rows_of_records_are_looked_at(tf):
    """Rows that begin at one are no rows of three values."""
    example = tf.train.Example()
    example.features.feature["v"].int64_list.value.extend([1, 2, 3])
    example.features.feature["s"].int64_list.value.extend([1, 1, 3])
    splits = [tf.io.RaggedFeature.RowSplits("s")]
    wanted = {"v": tf.io.RaggedFeature(tf.int64, partitions=splits)}
    try:
        found = tf.io.parse_single_example(example.SerializeToString(), wanted)["v"]
    except tf.errors.InvalidArgumentError as error:
        return type(error).__name__
    return found.row_lengths().numpy().tolist()


@deviation(here=[1, 2], there="InvalidArgumentError")
def lists_of_records_in_two_pieces(tf):
    """Protocol Buffers read packed numbers as one list, in however many pieces they are."""
    feature = b"\x1a\x06\x0a\x01\x01\x0a\x01\x02"
    entry = b"\x0a\x01a\x12\x08" + feature
    data = b"\x0a\x0f\x0a\x0d" + entry
    assert list(tf.train.Example.FromString(data).features.feature["a"].int64_list.value) == [1, 2]
    try:
        found = tf.io.parse_single_example(data, {"a": tf.io.FixedLenFeature([2], tf.int64)})
    except tf.errors.InvalidArgumentError as error:
        return type(error).__name__
    return found["a"].numpy().tolist()


@deviation(here=None, there=[0.0, 0.25, 0.0, 0.25])
def nearest_boxes_have_no_slope(tf):
    """The pixel that is nearest stays the same when a box moves a little."""
    image = tf.constant([_GREYS])

    def nearest(boxes):
        return tf.image.crop_and_resize(image, boxes, [0], [1, 1], method="nearest")

    g = first(tf, nearest, tf.constant([[0.0, 0.1, 0.0, 0.9]]))
    return None if g is None else g.numpy().ravel().tolist()


@deviation(here=[1.0, 3.0], there="LookupError: gradient registry has no entry for: TruncateMod")
def truncatemod_has_a_gradient(tf):
    """7.5 = 3 · 2 + 1.5 falls by 3 for each unit of -(-2), and rises with 7.5."""
    xs = [tf.constant(7.5), tf.constant(-2.0)]
    with tf.GradientTape() as tape:
        tape.watch(xs)
        y = tf.truncatemod(*xs)
    return [g.numpy().item() for g in tape.gradient(y, xs)]


@deviation(here=18.0, there=None)
def py_function_twice(tf):
    """The second derivative of x³ at 3 is 18."""
    found = second(tf, lambda x: tf.py_function(lambda v: v**3, [x], tf.float32), tf.constant(3.0))
    return None if found is None else float(found)


@deviation(here=3.0, there=None)
def py_function_of_a_variable(tf):
    """A variable that the function reads, and is not given, is a factor all the same."""
    w = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        y = tf.py_function(lambda v: v * w, [3.0], tf.float32)
    slope = tape.gradient(y, w)
    return None if slope is None else slope.numpy().item()


@deviation(here=[0, 10], there=[0, 9])
def tens_of_integers(tf):
    """Seven is nearest to ten; a tenth in single precision makes nine of it."""
    tnp = wide(tf).experimental.numpy
    tnp.experimental_enable_numpy_behavior()
    try:
        return tnp.around(tf.constant([3, 7]), -1)
    finally:
        as_it_was(tf)


@deviation(here=2.0, there="AttributeError: EagerTensor object has no attribute 'astype'")
def floats_of_integers_before_numpy_behaves(tf):
    """The root of four is two, whether or not tensors have NumPy's methods."""
    return wide(tf).experimental.numpy.sqrt(tf.constant(4))


@deviation(here=1.0, there="TypeError: Cannot convert the argument `type_value`: None")
def variance_with_fewer_degrees_of_freedom(tf):
    """Of 1, 2, 3 the squared deviations add up to 2, which is divided by 3 - 1."""
    return wide(tf).experimental.numpy.var(tf.constant([1.0, 2.0, 3.0]), ddof=1)


@deviation(here="InvalidArgumentError", there=[1.0])
def places_outside_beside_others(tf):
    """A row of three elements has no fifth one; the second of the next row is not it."""
    tnp = wide(tf).experimental.numpy
    tnp.experimental_enable_numpy_behavior()
    try:
        return tf.constant([[0.0, 0.0, 0.0], [0.0, 1.0, 0.0]])[[0], [4]]
    finally:
        as_it_was(tf)


def promoting(tf):
    """Have dtypes be weak."""
    promoted = wide(tf)
    promoted.experimental.numpy.experimental_enable_numpy_behavior(dtype_conversion_mode="all")
    return promoted


@deviation(here=[False, False], there=[True, True])
def what_is_computed_elsewhere_is_not_weak(tf):
    """Derivatives, elements of datasets and mapped rows are tensors of their dtype."""
    try:
        x = promoting(tf).constant([1.0, 2.0])
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x * x
        found = [tape.gradient(y, x), next(iter(tf.data.Dataset.from_tensor_slices(x)))]
        return ["weak=True" in repr(part) for part in found]
    finally:
        as_it_was(tf)


@deviation(here=True, there=False)
def a_weak_tensor_is_a_tensor(tf):
    """Whoever asks for a tensor gets one."""
    try:
        return isinstance(promoting(tf).constant(1.0), tf.Tensor)
    finally:
        as_it_was(tf)


@deviation(here=False, there=True)
def code_is_as_it_was_written(tf):
    """What runs is the function itself, and so is its text."""
    return "ag__" in wide(tf).autograph.to_code(outcome)


@deviation(here="UnsupportedError: MirroredStrategy", there=2)
def strategies_have_one_replica(tf):
    """There is one processor, and no second one to mirror it."""
    return tf.distribute.MirroredStrategy(["/cpu:0", "/cpu:1"]).num_replicas_in_sync


@deviation(here=False, there=True)
def summaries_are_not_written(tf):
    """A writer of summaries makes no folder."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "logs"
        with tf.summary.create_file_writer(str(path)).as_default():
            tf.summary.write("loss", 1.0, step=1)
        return path.exists()


@deviation(here=True, there=False)
def checkpoints_have_a_form_of_their_own(tf):
    """The graph of objects is in the index, as JSON."""
    with tempfile.TemporaryDirectory() as folder:
        path = tf.train.Checkpoint(w=tf.Variable(1.0)).write(folder + "/file")
        return Path(path + ".index").read_bytes().startswith(b"{")


@deviation(here="UnsupportedError: f: it assigns variables", there=["saved_model.pb"])
def a_saved_model_is_programs(tf):
    """A function is saved as a program, which assigns nothing, in a form of its own."""
    module = tf.Module()
    module.w = tf.Variable(1.0)
    module.f = tf.function(lambda: module.w.assign_add(1.0), input_signature=[])
    with tempfile.TemporaryDirectory() as folder:
        tf.saved_model.save(module, folder)
        return [path.name for path in Path(folder).glob("saved_model*")]


@deviation(here=True, there=False)
def derivatives_are_looked_at_as_a_whole(tf):
    """A derivative that is infinite is told as one, and not as the kernel that made it."""
    x = tf.Variable(0.0)
    tf.debugging.enable_check_numerics()
    try:
        with tf.GradientTape() as tape:
            y = tf.sqrt(x)
        tape.gradient(y, x)
    except tf.errors.InvalidArgumentError as error:
        return 'op "Gradient"' in error.message
    finally:
        tf.debugging.disable_check_numerics()


@deviation(here="UnsupportedError: tf.math.sobol_sample", there=True)
def points_beyond_the_cube(tf):
    """TensorFlow's points leave the cube when their number has more than thirty bits."""
    points = tf.math.sobol_sample(3, 2, skip=2**30 + 1).numpy()
    return bool(((points < 0) | (points > 1)).any())


@deviation(
    here="ValueError: Can't convert Python sequence with out-of-range integer to Tensor.",
    there="SystemError: <class 'tensorflow.python.framework.ops.EagerTensor'> returned a result",
)
def no_whole_number_below_zero(tf):
    """TensorFlow raises in the same place, of a list of NumPy's integers too."""
    return tf.constant([np.int64(3), -1], tf.uint64)


@deviation(
    here=6 * math.tanh(0.5) * (1 - math.tanh(0.5) ** 2),
    there=6 * math.tanh(0.5) * (1 - 2 * math.tanh(0.5) ** 2),
)
def by_a_result_within(tf):
    """Of 3u² tanh'(z) by u = tanh(z) it is 6u tanh'(z): the slope is one of z, not of u."""
    z = tf.constant(0.5, tf.float64)
    with tf.GradientTape() as outer:
        outer.watch(z)
        with tf.GradientTape() as tape:
            tape.watch(z)
            u = tf.tanh(z)
            y = u**3
        slope = tape.gradient(y, z)
    return outer.gradient(slope, u)


@deviation(
    here=[round(float(np.float32(1e-21)) ** 2 / 2**-149) * 2**-149, False],
    there=[0.0, True],
)
def numbers_below_the_smallest_normal_one(tf):
    """The square of 1e-21 is a number of float32 with fewer digits, which TensorFlow flushes."""
    x = tf.constant([1e-21] * 9)
    square = tf.square(x)
    return [float(square[0]), bool(tf.math.is_nan(tf.zeros(9) / square)[0])]


@deviation(here=0.0, there=1.0)
def a_sample_between_bounds_by_its_mean(tf):
    """Between bounds that stay, numbers move less than the mean, and by the share in it not at all.

    Of a distribution so narrow that it is even, a number does not depend on the mean.
    """
    mean = tf.constant(0.0, tf.float64)
    one, low, high = (tf.constant(x, tf.float64) for x in (1e9, -1.0, 1.0))
    with tf.GradientTape() as tape:
        tape.watch(mean)
        x = tf.random.stateless_parameterized_truncated_normal([], [1, 2], mean, one, low, high)
    return round(float(tape.gradient(x, mean)), 9)


@deviation(here=[9.0, 7.0, 5.0], there=[5.0, 9.0, 7.0])
def the_largest_in_any_order(tf):
    """Without `sorted` any order is right: here it is that of their size, there that of a heap."""
    return tf.math.top_k([3.0, 1.0, 5.0, 2.0, 4.0, 9.0, 7.0], 3, sorted=False).values


@deviation(here=[1.0, -1.0], there="nan")
def erf_of_infinity(tf):
    """The limits at infinity, which TensorFlow has in float32."""
    found = tf.math.erf(tf.constant([math.inf, -math.inf], tf.float64)).numpy().tolist()
    return "nan" if any(map(math.isnan, found)) else found


@deviation(here=[b"a\xe2\x84\xaa<>"], there=[b"a\xe2<>\x84<>\xaa<>"])
def places_within_a_letter(tf):
    r"""A place that `\B` matches is between letters, never within the bytes of one."""
    return tf.strings.regex_replace(["a\u212a"], r"\B", "<>").numpy().tolist()


@deviation(here="UnsupportedError: letters of a script", there=[True])
def letters_of_a_script(tf):
    """Python knows categories of letters, and no scripts."""
    return tf.strings.regex_full_match(["α"], r"\p{Greek}")


@deviation(here="[(1+2j)]\n", there="[?]\n")
def complex_numbers_in_print(tf):
    """A number is written as Python writes it."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "printed")
        tf.print(tf.constant([1 + 2j]), output_stream=f"file://{path}")
        return path.read_text("utf-8")


@deviation(here=[5, -6], there=[0, 0])
def whole_numbers_rounded_by_the_kernel(tf):
    """Whole numbers are round."""
    return wide(tf).raw_ops.Round(x=tf.constant([5, -6]))


@deviation(here=[0.072 - 0.096j], there=[0j])
def sign_of_complex_by_the_kernel(tf):
    """The slope of the real part of z / |z| at 4 + 3i is y²/r³ by x, and -xy/r³ by y."""
    z = tf.constant([4 + 3j], tf.complex128)
    slope = first(tf, lambda z: tf.math.real(wide(tf).raw_ops.Sign(x=z)), z)
    return [complex(round(g.real, 12), round(g.imag, 12)) for g in slope.numpy().tolist()]


@deviation(
    here="UnsupportedError: depthwise_conv2d of one number as `dilations`", there=[1, 6, 5, 2]
)
def one_dilation_with_padding(tf):
    """TensorFlow pads the height alone."""
    x, f = tf.ones([1, 6, 6, 2]), tf.ones([2, 2, 2, 1])
    made = tf.nn.depthwise_conv2d(x, f, [1, 1, 1, 1], "SAME", dilations=[2])
    return made.shape.as_list()


def _half_as_fast(tf, x):
    """Take an image of two pixels for one of four, between whose pixels the places lie."""
    return wide(tf).raw_ops.ImageProjectiveTransformV3(
        images=x,
        transforms=[[0.5, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]],
        output_shape=[1, 4],
        fill_value=0.0,
        interpolation="BILINEAR",
    )


@deviation(here=[1.5, 2.0], there=[1.0, 1.0])
def projected_images_have_a_derivative(tf):
    """The four pixels are a, (a + b) / 2, b and b / 2, whose sum is 1.5 a + 2 b."""
    x = tf.constant([[[[1.0], [2.0]]]])
    return first(tf, lambda x: _half_as_fast(tf, x), x).numpy().ravel().tolist()


def _state(tf, name, x, part, **how):
    """The slope of what a cell of one unit computes, which sees its input as the candidate."""
    candidate = 2.0 * np.eye(4, dtype=np.float32)[[2 if name.endswith("V2") else 1]]
    none, one = tf.zeros([1]), tf.zeros([1, 1])
    weights = {"w": np.concatenate([candidate, 0 * candidate]), "b": tf.zeros([4])}
    kernel = getattr(wide(tf).raw_ops, name)
    words = {"seq_len_max": np.int64(1), "cs_prev": one, "h_prev": one} | weights | how
    seen = dict.fromkeys(("wci", "wcf", "wco"), none)
    slope = first(tf, lambda x: getattr(kernel(x=x, **words, **seen), part), tf.fill([1, 1, 1], x))
    return slope.numpy().item()


@deviation(here=[1.0, 1.0, 2.0, 0.0], there=[0.0, 1.0, 0.0, 0.42])
def steps_of_cells_have_a_derivative(tf):
    """The state is tanh(2 x) / 2, with a slope of 1 at 0, and none where it is bounded."""
    return [
        _state(tf, "BlockLSTMV2", 0.0, "cs"),
        _state(tf, "BlockLSTM", 0.0, "cs"),
        _state(tf, "BlockLSTM", 0.0, "ci"),
        round(_state(tf, "BlockLSTM", 0.5, "cs", cell_clip=0.125), 3),
    ]


@deviation(here=[0.5, 0.5], there=[0.0, 0.0])
def moments_beside_what_is_normalized(tf):
    """The mean of two numbers has the slope 1/2 by each."""
    normalize = wide(tf).compat.v1.nn.fused_batch_norm
    slope = first(tf, lambda x: normalize(x, [1.0], [0.0])[1], tf.constant([[[[1.0], [2.0]]]]))
    return slope.numpy().ravel().tolist()


@deviation(here=[1.0, 2.0], there=[None, None])
def diagonals_with_a_value(tf):
    """The value stands behind one diagonal, and beside the other in two places."""
    v, a = tf.constant(7.0), tf.constant([[1.0, 2.0], [3.0, 4.0]])
    found = [
        first(tf, lambda v: tf.linalg.diag_part(a, k=(0, 1), padding_value=v), v),
        first(tf, lambda v: tf.linalg.diag([1.0, 2.0], padding_value=v), v),
    ]
    return [None if g is None else float(g) for g in found]


@deviation(here=[2.0], there=None)
def joined_sparse_tensors_have_a_gradient(tf):
    """The element stands in the result twice."""
    part = wide(tf).sparse

    def joined(v):
        one = part.SparseTensor([[0, 0]], v, [1, 1])
        return part.concat(0, [one, one]).values

    g = first(tf, joined, tf.constant([5.0]))
    return None if g is None else g.numpy().tolist()


@deviation(here=[1.0], there="LookupError: gradient registry has no entry for: SparseSplit")
def parts_of_a_sparse_tensor_have_a_gradient(tf):
    """The element stands in the only part."""
    part = wide(tf).sparse

    def split(v):
        return part.split(part.SparseTensor([[0, 0]], v, [1, 1]), 1, 0)[0].values

    return first(tf, split, tf.constant([5.0])).numpy().tolist()


@deviation(
    here=[2.0, 3.0], there="LookupError: gradient registry has no entry for: SparseReduceMax"
)
def largest_of_a_sparse_tensor_has_a_gradient(tf):
    """The slope of the sum of squares of the largest of each row, m², is 2 m."""

    def squared(values):
        x = wide(tf).SparseTensor([[0, 1], [1, 0]], values, [2, 2])
        return tf.reduce_sum(wide(tf).sparse.reduce_max(x, 1) ** 2)

    return first(tf, squared, tf.constant([1.0, 1.5]))
