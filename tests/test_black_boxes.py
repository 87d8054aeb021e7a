# ruff: noqa: D103 - a function is described by its name
"""Functions without a formula: their derivatives are measured, with no step size to choose."""

from __future__ import annotations

import math
import re

import mpmath
import numpy as np
import pytest
import scipy.special
from scipy import stats

import symtape as tf
from symtape import verify
from symtape.verify.numbers.extrapolation import extrapolated
from tests.sampling import some

X = np.array([0.5, 1.0, 2.0])


def by_math(x):
    return sum(math.log(float(v)) for v in x)


def logarithms(x):
    return np.array([math.log(float(v)) for v in x])


def entropy(p):
    return -sum(math.log(q) * q for q in p.tolist())


def sizes(x):
    return sum(abs(float(v)) for v in x)


RIGHT = {
    "logarithms": (verify.gradient, by_math, lambda x: 1 / x),
    "NumPy's values": (
        verify.gradient, lambda x: np.sum(np.exp(np.asarray(x).tolist())), lambda x: np.exp(x)
    ),
    "SciPy": (verify.gradient, lambda x: float(scipy.special.kv(1.5, x[0])),
              lambda x: np.array([scipy.special.kvp(1.5, x[0]), 0, 0])),
    "products": (verify.vjp, logarithms, lambda x, u: u / x),
    "tangents": (verify.jvp, logarithms, lambda x, dx: dx / x),
    "Jacobians": (verify.jacobian, logarithms, lambda x: np.diag(1 / x)),
    "Hessians": (verify.hessian, by_math, lambda x: np.diag(-1 / x**2)),
    "complex results": (
        verify.vjp, lambda x: np.array([complex(math.cos(v), math.sin(v)) for v in x]),
        lambda x, u: np.real(np.conj(u) * 1j * np.exp(1j * x)),
    ),
    "values": (verify.value, logarithms, lambda x: np.log(x)),
    "kinks": (verify.gradient, sizes, lambda x: np.sign(x)),
    "a kink at zero": (verify.gradient, sizes, lambda x: np.where(x >= 0, 1.0, -1.0)),
}  # fmt: skip
WRONG = {
    "a factor": (verify.gradient, by_math, lambda x: 1.001 / x, "factor 1.001"),
    "a term of what takes arrays alone": (
        verify.gradient, entropy, lambda p: -np.log(p), ""
    ),
    "a power": (verify.vjp, logarithms, lambda x, u: u / x**2, ""),
    "a sign": (verify.hessian, by_math, lambda x: np.diag(1 / x**2), "sign"),
    "a branch": (verify.gradient, sizes, lambda x: np.where(x > -1, 1.0, -1.0), ""),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("name", some([*RIGHT], 3))
def test_what_is_right_is_measured(name):
    """It is accepted, and the report says that there is no formula."""
    ask, f, candidate = RIGHT[name]
    report = ask(f, candidate, X)
    assert report.verdict == "measured", report
    assert any("cannot be followed" in note for note in report.notes)


def misfit(mu, sigma, x):
    return -np.sum(stats.norm.logpdf(x, mu, sigma))


def test_a_note_says_beyond_which_line_a_function_has_no_formula():
    """As where it calls distributions of SciPy."""
    given = np.array(0.3), np.array(1.2), X
    report = verify.gradient(misfit, lambda m, s, x: -np.sum(x - m) / s**2, *given, wrt="mu")
    assert report.ok
    assert "stats.norm.logpdf(x, mu, sigma))`: its derivative" in "".join(report.notes)


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_is_refuted(name):
    """It is refuted by more than the error of the extrapolation."""
    ask, f, candidate, cause = WRONG[name]
    report = ask(f, candidate, X)
    assert report.verdict == "refuted", report
    assert cause in report.cause


@pytest.mark.slow
def test_the_remainder_of_a_gradient_falls_with_the_square():
    """The power is told at the example."""
    report = verify.gradient(by_math, lambda x: 1 / x, X)
    beside = verify.gradient(lambda x, y: by_math(x), lambda x, y: (1 / x, None), X, 2.0)
    for found in (report, beside):
        assert found.verdict == "measured"
        (power,) = [float(p) for p in re.findall(r"h\^([\d.]+)", str(found))]
        assert abs(power - 2) < 0.05


@pytest.mark.slow
@pytest.mark.parametrize("dtype", ["float16", "float32"])
def test_answers_of_few_digits_are_those_of_the_inputs(dtype):
    """A measured truth has many digits, of which answers have those that the inputs have."""
    p = np.array([0.2, 0.3, 0.5], dtype)
    report = verify.gradient(entropy, lambda p: -np.log(p) - 1, p)
    assert report.verdict == "measured", str(report)
    found = re.search(r"falls with h\^([\d.]+)", str(report))
    assert abs(float(found[1]) - 2) < 0.2
    assert "-1" in verify.gradient(entropy, lambda p: -np.log(p), p).cause


@pytest.mark.slow
def test_noise_decides_nothing():
    """Differences of a function without digits settle nowhere."""

    def noise(x):
        return np.random.default_rng(int.from_bytes(np.asarray(x).tobytes(), "little")).normal()

    report = verify.gradient(noise, lambda x: x, X)
    assert report.verdict == "undecided"
    assert "do not settle" in report.cause


@pytest.mark.parametrize(
    ("f", "slope", "at"),
    [
        (math.exp, math.exp, 1.0),
        (math.sin, math.cos, 30.0),
        (lambda t: math.sqrt(t), lambda t: 0.5 / math.sqrt(t), 0.3),
        (lambda t: 1 / (1 + 25 * t * t), lambda t: -50 * t / (1 + 25 * t * t) ** 2, 0.1),
    ],
)
def test_extrapolations_have_the_digits_that_they_state(f, slope, at):
    """The error that is told is at least that which there is."""
    found = extrapolated(
        lambda h: (f(at + h) - f(at - h)) / (2 * h), 0.25, lambda h: 2e-16 * abs(f(at)) / h
    )
    assert abs(found.value - slope(at)) <= 4 * found.error
    assert found.error < 1e-8


def test_functions_that_raise_with_anything_raise():
    """Errors of the caller's function are the caller's."""

    def broken(x):
        raise RuntimeError("mine")

    with pytest.raises(RuntimeError, match="mine"):
        verify.gradient(broken, lambda x: x, X)


def test_derivatives_by_complex_numbers_are_not_measured():
    """The error says what to do instead."""
    with pytest.raises(tf.errors.UnsupportedError, match="real and imaginary parts"):
        verify.gradient(lambda z: float(np.abs(np.asarray(z)).sum()), lambda z: z, X + 1j)


def by_shape(a):
    def beta(t):
        return mpmath.betainc(t, 2, 0, 0.3, regularized=True)

    return np.array([float(mpmath.diff(beta, float(v))) for v in a])


def by_order(a):
    return np.array([float(mpmath.diff(lambda t: mpmath.zeta(t + 2, 1.5), float(v))) for v in a])


def of_two(x):
    return tf.constant([x, x], tf.float64)


ORDERS = {
    "betainc": (lambda a: tf.reduce_sum(tf.math.betainc(a, of_two(2), of_two(0.3))), by_shape),
    "zeta": (lambda a: tf.reduce_sum(tf.math.zeta(a + 2, of_two(1.5))), by_order),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", ORDERS)
def test_a_slope_that_nobody_wrote_is_measured(name):
    """TensorFlow's gradient by such an argument is None, and zero is wrong all the same."""
    f, candidate = ORDERS[name]
    a = np.array([1.5, 0.7])
    report = verify.gradient(f, candidate, a)
    assert report.verdict == "measured", report
    assert any(f"{name} has no derivative by its argument 0" in note for note in report.notes)
    assert verify.gradient(f, np.zeros_like, a).verdict == "refuted"


def test_a_remainder_is_taken_where_the_function_is_defined():
    """Points that it refuses are left out."""

    def inverse(x):
        if not math.isclose(float(x[0]), 1.0, abs_tol=1e-2):
            raise ValueError("too far")
        return 1 / float(x[0])

    report = verify.gradient(inverse, lambda x: -1 / x**2, np.array([1.0]))
    assert any("falls with h^2" in note for note in report.notes), report
    assert report.ok
