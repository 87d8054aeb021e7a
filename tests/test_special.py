"""Special functions: their formulas, exact values, dtypes, and what there is without SciPy."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator
from operator import attrgetter
from types import SimpleNamespace
from typing import Any

import mpmath as mp
import numpy as np
import pytest
import sympy as sp

import symtape as tf
from symtape.codegen.libraries.special import Special
from symtape.codegen.loops.numba_words import gaussian, normal_cdf, sine_quotient
from symtape.kernels.interpret import QUIET
from symtape.kernels.special import error_function, functions
from symtape.kernels.special.integrals import igamma_derivative
from symtape.kernels.special.scipy_functions import special
from tests.cases.special import ONE
from tests.sampling import some

X, A, B = sp.symbols("x a b")


def slope(f: Any, *at: float, of: int = 0) -> Any:
    """Differentiate a function at a point, in float64."""
    names = [tf.constant(v, tf.float64) for v in at]
    with tf.GradientTape() as tape:
        tape.watch(names)
        y = f(*names)
    return tape.gradient(y, names[of])


# --- formulas -------------------------------------------------------------------------------------

FORMULAS = {
    "erf": (tf.math.erf, 2 * sp.exp(-(X**2)) / sp.sqrt(sp.pi)),
    "lgamma": (tf.math.lgamma, sp.polygamma(0, X)),
    "bessel_i0": (tf.math.bessel_i0, sp.besseli(1, X)),
    "bessel_j1": (tf.math.special.bessel_j1, (sp.besselj(0, X) - sp.besselj(2, X)) / 2),
    "bessel_k0e": (
        tf.math.special.bessel_k0e,
        (sp.besselk(0, X) - sp.besselk(1, X)) * sp.exp(X),
    ),
    "dawsn": (
        tf.math.special.dawsn,
        1 - sp.sqrt(sp.pi) * X * sp.exp(-(X**2)) * sp.erfi(X),
    ),
    "expint": (tf.math.special.expint, sp.exp(X) / X),
    "fresnel_sin": (tf.math.special.fresnel_sin, sp.sin(sp.pi * X**2 / 2)),
    "spence": (tf.math.special.spence, -sp.log(X) / (X - 1)),
    "erfcinv": (
        tf.math.erfcinv,
        -sp.sqrt(sp.pi) * sp.exp(sp.erfinv(1 - X) ** 2) / 2,
    ),
}


@pytest.mark.parametrize("name", FORMULAS)
def test_a_person_sees_ordinary_functions(name: str) -> None:
    """The formula of a slope is written with SymPy's own functions."""
    function, expected = FORMULAS[name]
    x = tf.constant(0.5)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = function(x)
    assert sp.simplify(tape.gradient(y, x).expr - expected) == 0


def test_formula_of_the_incomplete_gamma_function() -> None:
    """Its slope in x is the density of the gamma distribution."""
    a, x = tf.constant(2.0), tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch([a, x])
        y = tf.math.igamma(a, x)
    density = X ** (A - 1) * sp.exp(-X) / sp.gamma(A)
    assert sp.simplify(tape.gradient(y, x).expr - density) == 0


# --- exact values and many digits -----------------------------------------------------------------


def test_exact_values() -> None:
    """Values that have a closed form are found."""
    one, two = tf.constant(1.0, tf.float64), tf.constant(2.0, tf.float64)
    with tf.GradientTape() as tape:
        tape.watch([one, two])
        found = [
            tf.math.zeta(two, one),
            tf.math.polygamma(one, one),
            tf.math.igamma(two, one),
            tf.math.digamma(one),
            tf.math.betainc(one, one, one / 2),
        ]
    expected = [sp.pi**2 / 6, sp.pi**2 / 6, 1 - 2 * sp.exp(-1), -sp.EulerGamma, sp.Rational(1, 2)]
    for tensor, value in zip(found, expected, strict=True):
        assert sp.N(tensor.exact() - value, 30) == pytest.approx(0, abs=1e-28)


SHAPE_SLOPES = [(0.5, 1.0), (2.0, 0.3), (3.0, 9.0)]


@pytest.mark.slow
@pytest.mark.parametrize(("a", "x"), some(SHAPE_SLOPES, 2))
@pytest.mark.parametrize("function", [tf.math.igamma, tf.math.igammac])
def test_slope_in_the_shape_to_fifty_digits(function: Any, a: float, x: float) -> None:
    """The derivative in the shape, a hypergeometric series, is mpmath's integral to 50 digits."""
    found = slope(function, a, x).evalf(50)
    with mp.workdps(70):
        density = lambda t: t ** (a - 1) * mp.exp(-t) / mp.gamma(a) * (mp.log(t) - mp.psi(0, a))  # noqa: E731
        expected = -mp.quad(density, [x, x + 10, x + 50, x + 400])
        expected = expected if function is tf.math.igamma else -expected
        assert abs(mp.mpf(str(found)) / expected - 1) < mp.mpf(10) ** -48


VANISHING = {
    "softplus(-1000)": (lambda x: tf.math.softplus(x), -1000.0, lambda: mp.exp(-1000)),
    "gelu(-60)": (lambda x: tf.nn.gelu(x), -60.0, lambda: -30 * mp.erfc(30 * mp.sqrt(2))),
    "erfc(60)": (lambda x: tf.math.erfc(x), 60.0, lambda: mp.erfc(60)),
    "relu(-1)": (lambda x: tf.nn.relu(x), -1.0, lambda: mp.mpf(0)),
}


@pytest.mark.parametrize("name", VANISHING)
def test_digits_of_what_a_float_cannot_hold(name: str) -> None:
    """Numbers below the smallest float have digits all the same; a zero is a zero."""
    function, at, expected = VANISHING[name]
    x = tf.constant(at, tf.float64)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = function(x)
    with mp.workdps(900):
        wanted = expected()
        assert abs(mp.mpf(str(y.evalf(20))) - wanted) <= abs(wanted) * mp.mpf(10) ** -18


def test_what_comes_next_is_no_exact_number() -> None:
    """`nextafter` has no reading but the number of its dtype, and says so."""
    x = tf.constant(1.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.math.nextafter(x, 2.0) * 2
    assert y.numpy() == 2 * np.nextafter(np.float32(1), np.float32(2))
    for reading in (y.exact, y.evalf):
        with pytest.raises(tf.NoExactFormError, match="nextafter"):
            reading()


def test_orders_and_parameters_are_cut() -> None:
    """`why_none` of an order says that nothing flows to it."""
    a, x = tf.constant(1.0), tf.constant(2.0)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch([a, x])
        y = tf.math.polygamma(a, x)
    assert tape.gradient(y, a) is None
    assert "polygamma" in tape.why_none(y, a)


# --- dtypes ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "bfloat16"])
@pytest.mark.parametrize("path", [p for p in ONE if p != "math.lbeta"])
def test_dtypes_stay(path: str, dtype: str) -> None:
    """Value and derivatives have the dtype of the operand, and its number of digits."""
    function = attrgetter(path)(tf)
    x = tf.constant([0.75, 1.5], getattr(tf, dtype))
    wide = tf.constant([0.75, 1.5], tf.float64)
    found, expected = [], []
    for at, into in ((x, found), (wide, expected)):
        with tf.GradientTape() as outer:
            outer.watch(at)
            with tf.GradientTape() as inner:
                inner.watch(at)
                y = function(at)
            g = inner.gradient(y, at)
        into += [y, g, outer.gradient(g, at)]
    size = {"float16": 2e-3, "float32": 1e-6, "float64": 1e-15, "bfloat16": 2e-2}[dtype]
    for a, b in zip(found, expected, strict=True):
        assert a.dtype == x.dtype
        np.testing.assert_allclose(
            np.asarray(a.numpy(), float), b.numpy(), rtol=3 * size, atol=size
        )


def test_gradients_of_numbers_beside_tensors() -> None:
    """A Python number takes the dtype of the tensor beside it, in compiled code too."""
    x = tf.constant([0.5, 1.5])
    for _ in range(3):  # a structure that comes back is compiled
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.math.igamma(2.0, x) + tf.math.igamma(x, 0.5) + tf.math.betainc(2.0, 3.0, x / 2)
        g = tape.gradient(y, x)
        assert y.dtype == g.dtype == tf.float32
        assert g.numpy().dtype == np.float32


# --- without SciPy --------------------------------------------------------------------------------


@pytest.fixture
def no_scipy(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Hide SciPy, and forget what was taken from it."""
    monkeypatch.setitem(sys.modules, "scipy", None)
    vars(special).clear()
    yield
    vars(special).clear()


@pytest.mark.parametrize(
    "path", ["math.digamma", "math.erfinv", "math.ndtri", *[p for p in ONE if p != "math.lbeta"]]
)
@pytest.mark.usefixtures("no_scipy")
def test_without_scipy_the_error_names_the_extra(path: str) -> None:
    """A function whose values are SciPy's says how to get it."""
    with pytest.raises(tf.ExtraNotInstalledError, match=r"symtape\[scipy\]"):
        attrgetter(path)(tf)(tf.constant(0.5))


@pytest.mark.usefixtures("no_scipy")
def test_without_scipy_the_common_functions_work() -> None:
    """erf, erfc, gelu and lgamma, and the slopes of the first three, need no extra."""
    at = [-30.0, -3.0, -0.3, 0.4, 1.2, 2.6, 7.0]
    x = tf.constant(at, tf.float64)
    with tf.GradientTape() as tape:
        tape.watch(x)
        found = [tf.math.erf(x), tf.math.erfc(x), tf.nn.gelu(x)]
    with mp.workdps(30):
        gelu = [v * mp.erfc(-v / mp.sqrt(2)) / 2 for v in map(mp.mpf, at)]
        truth = [[mp.erf(v) for v in at], [mp.erfc(v) for v in at], gelu]
    for ours, expected in zip(found, truth, strict=True):
        np.testing.assert_allclose(ours.numpy(), [float(v) for v in expected], rtol=2e-15)
    assert np.all(np.isfinite(tape.gradient(found, x).numpy()))
    y = tf.math.lgamma(tf.constant([0.0, 0.7, 5.0], tf.float64)).numpy()
    np.testing.assert_allclose(y, [np.inf, float(mp.loggamma(0.7)), np.log(24)], rtol=1e-14)
    own = special.gamma([-0.0, 0.0, -2.0, -2.5, 0.7, 5.0, 171.0, 172.0])
    finite = [float(mp.gamma(v)) for v in (-2.5, 0.7, 5.0, 171.0)]
    np.testing.assert_allclose(own, [-np.inf, np.inf, np.nan, *finite, np.inf], rtol=1e-14)


@pytest.mark.slow
def test_the_table_of_erf_keeps_signs_and_edges():
    """Many numbers and one number at a time give what the C library gives, at the edges exactly."""
    edges = np.array([0.0, -0.0, 6.0, -6.0, np.inf, -np.inf, 5e-324, 1e-300, -1e-160])
    found, one = error_function.erf(edges), error_function.erf_of_one()
    expected = np.array([math.erf(x) for x in edges])
    np.testing.assert_array_equal(found, expected)
    np.testing.assert_array_equal(np.signbit(found), np.signbit(expected))
    np.testing.assert_array_equal([one(x) for x in edges], expected)
    np.testing.assert_array_equal(np.signbit([one(x) for x in edges]), np.signbit(expected))
    assert math.isnan(one(math.nan))


@pytest.mark.slow
@pytest.mark.parametrize("scale", [0.001, 0.5, 2.0, 6.0])
def test_erf_of_many_numbers_has_the_digits_of_one(scale):
    """A table and a series give what the C library gives, up to two units of the last place."""
    x = np.random.default_rng(3).normal(size=5000) * scale
    expected = np.array([math.erf(v) for v in x])
    one = error_function.erf_of_one()
    for found in (tf.math.erf(tf.constant(x)).numpy(), np.array([one(v) for v in x])):
        assert np.max(np.abs(found - expected) / np.spacing(np.abs(expected))) <= 2


@pytest.mark.parametrize("a", [0.5, 3.0, 59.5, 60.0, 75.5, 400.0])
def test_the_density_of_gamma_has_its_digits_far_from_its_middle(a):
    """The slope of igamma, by Loader's series near its order and by logarithms far from it."""
    x = a * np.array([0.1, 0.3, 0.4, 0.9, 1.0, 1.1, 2.5, 3.5, 4.0])
    with mp.workdps(40):
        truth = [float(mp.exp((a - 1) * mp.log(v) - v - mp.loggamma(a))) for v in map(mp.mpf, x)]
    found = slope(lambda order, at: tf.math.igamma(order, at), a, x, of=1)
    np.testing.assert_allclose(found.numpy(), truth, rtol=2e-13 * max(a / 60, 1), atol=0)


def test_words_of_one_number_have_the_digits_of_many():
    """The distribution of a normal number and a Gaussian, as loops and `math` compute them."""
    for x in (-37.0, -20.0, -12.7, -5.5, -0.9, -0.7, -0.1, 0.0, 0.4, 3.0, 7.3, 9.0):
        with mp.workdps(40):
            cumulative, bell = float(mp.ncdf(x)), float(mp.exp(-(mp.mpf(x) ** 2) / 2))
        assert normal_cdf(x) == pytest.approx(cumulative, rel=4e-15, abs=1e-320)
        assert gaussian(-0.5, x) == pytest.approx(bell, rel=4e-16, abs=1e-320)


@pytest.mark.slow
def test_slopes_of_the_dilogarithm_are_exact_at_one():
    """Where a quotient is 0/0, its limit is the exact value, for every order."""
    x = tf.constant(1.0, tf.float64)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        found = [tf.math.special.spence(x)]
        for _ in range(4):
            found.append(tape.gradient(found[-1], x))
    exact = [y.exact() for y in found[1:]]
    assert exact == [-1, sp.Rational(1, 2), -sp.Rational(2, 3), sp.Rational(3, 2)]
    np.testing.assert_allclose([float(e) for e in exact], [y.numpy() for y in found[1:]])


# --- at the edges of the numbers ------------------------------------------------------------------

EDGES: dict[str, tuple[Any, list[tuple[float, ...]], list[Any]]] = {
    "gelu": (tf.nn.gelu, [(1.0,), (-1.0,), (0.9,)], [1.0, 0.0, 1.0]),
    "gelu by tanh": (
        lambda x: tf.nn.gelu(x, approximate=True),
        [(1.0,), (-1.0,), (1e-20,)],
        [1.0, 0.0, 1.0],
    ),
    "erf": (tf.math.erf, [(1.0,), (-1.0,)], [0.0, 0.0]),
    "squared_difference": (
        tf.math.squared_difference,
        [(1.0, 1.0), (-1.0, -1.0), (1.0, 0.25)],
        [(0.0, 0.0), (0.0, 0.0), (np.inf, -np.inf)],
    ),
    "bessel_k1": (tf.math.special.bessel_k1, [(1.0,), (1e-20,)], [0.0, 0.0]),
}
"""Functions at some points, as shares of the largest number, and their slopes there."""


def slopes_in_all_ways(function: Any, points: np.ndarray) -> Iterator[Any]:
    """Differentiate as a tape does, as it does the second time, and compiled."""
    xs = [tf.constant(column) for column in points.T]
    for _ in range(2):
        with tf.GradientTape() as tape:
            tape.watch(xs)
            y = function(*xs)
        found = tape.gradient(y, xs)
        yield [g.numpy() for g in found]
    yield [g.lambdify(xs)(*points.T) for g in found]
    compiled = tf.grad(lambda *a: tf.reduce_sum(function(*a)), argnums=tuple(range(len(xs))))
    yield compiled(*points.T)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", EDGES)
def test_slopes_of_the_largest_numbers_are_no_nan(name, dtype):
    """What a slope multiplies on the way neither overflows nor meets zero."""
    function, shares, expected = EDGES[name]
    points = np.array(shares, dtype) * np.finfo(dtype).max
    wanted = np.array(expected, dtype).reshape(len(shares), -1).T
    for found in slopes_in_all_ways(function, points):
        np.testing.assert_array_equal(np.asarray(found), wanted)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_the_slope_of_a_quotient_squares_no_denominator(dtype):
    """-x/y² is what TensorFlow gives, -x/y/y, where y² is too small or too large."""
    tiny, huge = (1e-30, 1e30) if dtype == "float32" else (1e-170, 1e170)
    points = np.array([(0.0, tiny), (huge, huge), (tiny * tiny, tiny), (tiny, tiny)], dtype)
    wanted = -(points[:, 0] / points[:, 1]) / points[:, 1]
    for found in slopes_in_all_ways(tf.divide, points):
        np.testing.assert_allclose(found[1], wanted, rtol=1e-6 if dtype == "float32" else 1e-15)


def test_lgamma_is_infinite_at_both_ends():
    """As C's is, and TensorFlow's; SciPy's is not."""
    ends = [-np.inf, np.inf]
    for dtype in ("float32", "float64"):
        np.testing.assert_array_equal(tf.math.lgamma(tf.constant(ends, dtype)), [np.inf, np.inf])
        assert tf.math.lgamma(tf.constant(-np.inf, dtype)).numpy() == np.inf


def test_special_functions_far_out():
    """Where SciPy gives nan the limit is known."""
    x = tf.constant(np.array([1e155, -1e155, np.inf]))
    for f in (tf.math.special.fresnel_cos, tf.math.special.fresnel_sin):
        np.testing.assert_array_equal(f(x), [0.5, -0.5, 0.5])
    for found in slopes_in_all_ways(tf.math.bessel_i1, np.array([[2.3e-308], [1e-300], [0.0]])):
        np.testing.assert_array_equal(found[0], [0.5, 0.5, 0.5])


@pytest.mark.parametrize("order", [1, 2])
def test_an_incomplete_gamma_function_is_flat_at_its_ends(order):
    """P(a, 0) = 0 and P(a, ∞) = 1 for every a > 0, so that all slopes in a are 0."""
    found = igamma_derivative(order, np.array([0.5, 1.0, 20.0]), np.array([[0.0], [np.inf]]))
    np.testing.assert_array_equal(found, np.zeros((2, 3)))
    assert np.isnan(igamma_derivative(order, np.array([0.0, -1.0]), np.array([0.0, 1.0]))).all()


# --- shapes that are large ------------------------------------------------------------------------


@pytest.mark.parametrize("order", [1, 2, 3])
@pytest.mark.parametrize("a", [201.0, 777.7, 5000.5, 1e5])
def test_the_incomplete_gamma_function_has_slopes_in_a_large_shape(a, order):
    """They are mpmath's; of typical size they have ten digits, also where they change sign."""
    below = [a + z * math.sqrt(a) for z in (-8.0, -3.0, -1.0, -0.1, 0.0)]
    found = [float(igamma_derivative(*map(np.float64, (order, a, x)))) for x in below]
    with mp.workdps(50):
        true = [
            float(mp.diff(lambda t, x=x: mp.gammainc(t, 0, x, regularized=True), a, order))
            for x in below
        ]
    size = max(map(abs, true))
    np.testing.assert_allclose(found[:-1], true[:-1], rtol=1e-10)
    np.testing.assert_allclose(found[-1], true[-1], atol=1e-10 * size)


@pytest.mark.parametrize(
    ("a", "x", "slope_in_a"),
    [(np.inf, 2.0, 0.0), (2.0, np.inf, 0.0), (1e17, 1.0, 0.0), (np.nan, 1.0, np.nan)],
)
def test_the_incomplete_gamma_function_ends_at_shapes_without_end(a, x, slope_in_a):
    """No sum is added up for ever."""
    np.testing.assert_equal(slope(tf.math.igamma, a, x).numpy() + 0.0, slope_in_a)


def test_a_shape_of_ten_thousand_millions():
    """By the normal distribution: P is Φ((x - a)/√a) there, to five digits."""
    a = 1e10
    found = slope(tf.math.igamma, a, a).numpy()
    np.testing.assert_allclose(found, -1 / math.sqrt(2 * math.pi * a), rtol=1e-5)


SHORT = {
    "erf": (functions.NAMESPACE.erf, mp.erf, (-6, 6)),
    "erf beside 0": (functions.NAMESPACE.erf, mp.erf, (-0.01, 0.01)),
    "erfc": (functions.NAMESPACE.erfc, mp.erfc, (-6, 9)),
    "normal_cdf": (functions.NAMESPACE.normal_cdf, mp.ncdf, (-13, 6)),
    "exp(-x²)": (lambda x: functions.NAMESPACE.gaussian(-1, x), lambda z: mp.exp(-z * z), (-9, 9)),
    "exp(x²)": (lambda x: functions.NAMESPACE.gaussian(1, x), lambda z: mp.exp(z * z), (-9, 9)),
}


@pytest.mark.parametrize("name", SHORT)
@pytest.mark.parametrize("dtype", ["float32", "float16"])
def test_many_numbers_have_all_digits_in_single_precision(name, dtype):
    """Far out, too, where 1 - erf(x) has lost them, and beside 0."""
    run, truth, ends = SHORT[name]
    x = np.linspace(*ends, 20_001).astype(dtype)
    found = QUIET.run(run, x)
    assert found.dtype == dtype
    seen = slice(0, None, 97)
    wanted = np.array([float(truth(mp.mpf(float(z)))) for z in x[seen]])
    with np.errstate(all="ignore"):
        unit = np.spacing(np.abs(wanted).astype(dtype)).astype(float)
    inside = np.isfinite(unit)
    assert np.all(np.abs(found[seen].astype(float) - wanted)[inside] <= 4 * unit[inside])


@pytest.mark.parametrize("name", SHORT)
@pytest.mark.parametrize("count", [7, 5000])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_the_ends_of_functions_of_the_gaussian(name, count, dtype):
    """Zeros with their signs, infinities, and what is no number: few of them and many."""
    run, truth, _ = SHORT[name]
    ends = [0.0, -0.0, np.inf, -np.inf, np.nan, 1e30, -1e30]
    found = QUIET.run(run, np.resize(np.array(ends, dtype), count))[:7].tolist()
    wanted = [float(truth(mp.mpf(z))) for z in ends]
    wanted[1] = -0.0 if name.startswith("erf ") or name == "erf" else wanted[1]
    np.testing.assert_array_equal(found, wanted)
    np.testing.assert_array_equal(np.signbit(found[:4]), np.signbit(wanted[:4]))


@pytest.mark.parametrize("order", range(5))
def test_derivatives_of_the_sine_over_its_argument_keep_their_digits(order):
    """Beside 0, where quotients cancel, and where one way of computing takes over from another."""
    points = [0.0, 1e-300, -1e-160, 1e-20, -1e-9, 1e-5, 0.4, -1.4, 1.6, 1.9, -2.1, 3.1, 9.0, 700.0]
    with mp.workdps(60 + 700 * order):
        truth = [_sine_quotient(order, mp.mpf(x)) for x in points]
    found = {
        "NumPy": functions.NAMESPACE.sine_quotient(order, np.array(points)),
        "a library": Special(SimpleNamespace(xp=np), {}).sine_quotient(order, np.array(points)),
        "floats": [sine_quotient(order, x) for x in points],
    }
    for name, values in found.items():
        np.testing.assert_allclose(values, truth, rtol=4e-14, atol=1e-323, err_msg=name)


def _sine_quotient(order, x):
    if x == 0:
        return float((order % 2 == 0) * (-1) ** (order // 2) / (order + 1))
    found = mp.sin(x) / x
    for j in range(1, order + 1):
        found = (mp.sin(x + j * mp.pi / 2) - j * found) / x
    return float(found)


def test_a_slope_of_sinc_is_exact_at_zero():
    """Its second derivative there is -π²/3, by NumPy's name and in a formula of SymPy's."""
    x = sp.Symbol("x")
    for f in (np.sinc, tf.from_sympy(sp.sinc(sp.pi * x), [x])):
        bend = tf.derivative(f, 2)(tf.constant(0.0, tf.float64))
        assert bend.formula.exact() == -(sp.pi**2) / 3
        assert bend.numpy() == pytest.approx(-(np.pi**2) / 3, rel=1e-15)
