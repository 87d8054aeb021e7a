"""Code in the shortest form that loses no digits, against 40 digits, and what is left as it is."""

from __future__ import annotations

from typing import Any

import mpmath
import numpy as np
import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

import symtape as tf
from symtape.forms import reduced as module
from symtape.forms.named import normal_cdf, normal_pdf, sigmoid
from symtape.forms.reduced import reduced
from symtape.program.program import Builder
from symtape.tensor.readings import readings
from tests.sampling import ALL, some

NAMES = "skvrt"


def cdf(z):
    """Give the distribution function of a standard normal variable."""
    return 0.5 * (1.0 + tf.math.erf(z / np.sqrt(2.0)))


def pdf(z):
    """Give its density."""
    return tf.exp(-z * z / 2.0) / np.sqrt(2 * np.pi)


def call(s, k, v, r, t):
    """Give the price of a European call after Black and Scholes."""
    d1 = (tf.math.log(s / k) + (r + v * v / 2.0) * t) / (v * tf.sqrt(t))
    return s * cdf(d1) - k * tf.exp(-r * t) * cdf(d1 - v * tf.sqrt(t))


def bachelier(s, k, v, r, t):
    """Give the price where prices, and not their logarithms, are normal."""
    d = (s - k) / (v * tf.sqrt(t))
    return tf.exp(-r * t) * ((s - k) * cdf(d) + v * tf.sqrt(t) * pdf(d))


def exchange(s, k, v, r, t):
    """Give Margrabe's price of an option to exchange, without interest."""
    root = v * tf.sqrt(t)
    d = tf.math.log(s / k) / root + root / 2.0
    return s * cdf(d) - k * cdf(d - root) + 0.0 * r


def derivative(price, orders: str, values: list[Any], dtype: str = "float64") -> Any:
    """Derive a price by one leaf after another."""
    leaves = {n: tf.constant(x, dtype, name=n) for n, x in zip(NAMES, values, strict=True)}
    tapes = [tf.GradientTape() for _ in orders]
    for tape in tapes:
        tape.__enter__()
        tape.watch([*leaves.values()])
    found = price(*leaves.values())
    for tape, by in zip(reversed(tapes), orders, strict=True):
        tape.__exit__(None, None, None)
        found = tape.gradient(found, leaves[by])
    return found


PRICES = {"Black and Scholes": call, "Bachelier": bachelier, "Margrabe": exchange}
REDUCED = [
    ("Black and Scholes", "s"), ("Black and Scholes", "k"), ("Black and Scholes", "v"),
    ("Black and Scholes", "r"), ("Black and Scholes", "ss"), ("Black and Scholes", "kk"),
    ("Black and Scholes", "sk"), ("Bachelier", "s"), ("Bachelier", "ss"), ("Margrabe", "s"),
    ("Margrabe", "ss"), ("Margrabe", "v"),
]  # fmt: skip
POINTS = [
    (100.0, 95.0, 0.2, 0.03, 1.0), (80.0, 120.0, 0.1, 0.05, 0.25), (1e-3, 2e-3, 0.4, 0.0, 3.0),
    (150.0, 80.0, 0.15, 0.02, 0.5), (1e5, 1.2e5, 0.9, -0.01, 10.0), (100.0, 100.0, 0.2, 0.02, 1.0),
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(("name", "orders"), some(REDUCED, 2))
def test_derivatives_of_prices_keep_all_digits(name, orders, monkeypatch):
    """What is computed in the shorter form is no further from 40 digits than the chain rule's."""
    for point in some(POINTS, 3, len(orders + name) % 3):
        found = derivative(PRICES[name], orders, [*point])
        assert reduced(found.formula.program, found.formula.position)[1] != found.formula.position
        true = found.evalf(40)
        short = found.lambdify(list(NAMES))(*point)
        with monkeypatch.context() as patch:
            patch.setattr(readings, "reduced", lambda program, position: (program, position))
            long = found.lambdify(list(NAMES))(*point)
        errors = [abs(mpmath.mpf(float(x)) - mpmath.mpf(str(true))) for x in (short, long)]
        assert errors[0] <= 4 * errors[1] + 16 * np.finfo(float).eps * abs(true), (point, errors)


@pytest.mark.slow
def test_code_is_that_of_a_book():
    """Gamma has one Gaussian, and delta one distribution function, which keeps its tail."""
    arrays = [np.array([x, 2 * x]) for x in POINTS[0]]
    gamma = derivative(call, "ss", arrays).lambdify(list(NAMES))
    assert gamma.source.count("np.exp") == gamma.source.count("np.log") == 1
    assert "erf" not in gamma.source
    delta = derivative(call, "s", arrays).lambdify(list(NAMES))
    assert delta.source.count("special.erfc") == 1
    assert "np.exp" not in delta.source
    far = delta(*[np.array([x, x]) for x in (40.0, 100.0, 0.1, 0.0, 1.0)])
    with mpmath.workdps(30):
        d = (mpmath.log("0.4") + mpmath.mpf("0.1") ** 2 / 2) / mpmath.mpf("0.1")
        true = mpmath.ncdf(d)
    np.testing.assert_allclose(far, float(true), rtol=1e-12)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_shapes_and_dtypes_stay(dtype):
    """Leaves of several shapes are broadcast as before, and the dtype is that of the formula."""
    s, k = np.linspace(80, 120, 6).reshape(3, 2), np.array([90.0, 110.0])
    found = derivative(call, "v", [s, k, 0.2, 0.03, 1.0], dtype)
    value = found.lambdify(list(NAMES))(*[np.asarray(x, dtype) for x in (s, k, 0.2, 0.03, 1.0)])
    assert value.dtype == dtype
    np.testing.assert_allclose(value, found.numpy(), rtol=1e-5 if dtype == "float32" else 1e-13)


def _left_alone(found: Any) -> bool:
    return reduced(found.formula.program, found.formula.position)[1] == found.formula.position


@pytest.mark.slow
def test_new_sums_and_what_grows_are_left_alone():
    """Where a form would subtract what the program does not, or overflow, it is not taken."""
    x = tf.constant([0.3, 0.4], tf.float64, name="x")
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        quotient = tf.exp(-x) / (1.0 + tf.exp(-x)) * tf.exp(x) * tf.exp(2.0 * x) / tf.exp(x + 1.0)
        power = (tf.exp(x) * tf.exp(x) - 1.0) / (tf.exp(x) + 1.0) * tf.exp(x) * tf.exp(-x)
    assert _left_alone(tape.gradient(quotient, x))
    assert tape.gradient(power, x).lambdify(["x"]).source.count("exp") == 1
    big = tape.gradient(quotient, x).lambdify(["x"])
    assert np.isfinite(big(np.array([300.0, -300.0]))).all()


@pytest.mark.slow
@pytest.mark.parametrize(("name", "orders"), some(REDUCED, 4, 1))
def test_scalars_cost_what_their_steps_do(name, orders):
    """What is worth it for arrays is worth it for numbers, and costs so much less there."""
    costs = []
    for shape in ((), (5,)):
        point = [np.full(shape, x) for x in POINTS[0]]
        formula = derivative(PRICES[name], orders, point).formula
        steps = module._elementwise(formula.program, formula.position)
        costs.append(module._cost(formula.program, steps))
        assert reduced(formula.program, formula.position)[1] != formula.position
    assert 0 < costs[0] < costs[1]


def test_sums_and_exponentials_are_taken_as_they_are_computed():
    """A writer has the sums and exponentials of the program alone, and makes products of them."""
    x = tf.constant(0.3, tf.float64, name="x")
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = (1.0 + 2.0 * x) * tf.exp(x) * cdf(x)
    program, position = y.formula.program, y.formula.position
    written = module._written(program, module._elementwise(program, position))
    (a,) = written[position].free_symbols
    writer = module._Writer(Builder(program), np.dtype(float), written)
    for e in (a + sp.S.Half, -3 - 6 * a, sp.exp(a), sp.exp(a) / a**2, normal_cdf(-a), sigmoid(a)):
        assert writer.write(e) is not None, e
    for e in (1 - 2 * a, a * (2 + a), sp.exp(2 * a), sp.exp(-2 * a), normal_pdf(1 + a)):
        assert writer.write(e) is None, e


@pytest.mark.slow
def test_long_programs_are_left_alone_at_once():
    """The limit counts steps, and a long chain is not walked to its end."""
    x = tf.constant(0.3, tf.float64, name="x")
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x
        for _ in range(3000):
            y = tf.exp(-y * y)
    found = tape.gradient(y, x)
    assert len(module._elementwise(found.formula.program, found.formula.position)) < 300
    assert _left_alone(found)


def test_products_of_many_sums_are_left_alone_at_once(monkeypatch):
    """What has thousands of terms, multiplied out, is no matter of a moment."""
    monkeypatch.setattr(module, "_shortest", lambda e: pytest.fail("it was begun"))
    leaves = [tf.constant(0.3 + k, tf.float64, name=n) for k, n in enumerate("abcdefghij")]
    with tf.GradientTape() as tape:
        tape.watch(leaves)
        y = cdf(leaves[0])
        for a in leaves:
            for b in leaves[:2]:
                y = y * (a + b * leaves[2] + 1.0)
    assert _left_alone(tape.gradient(y, leaves[0]))


WAYS = ("cdf", "pdf", "times x", "times a", "over a")


@pytest.mark.slow
@settings(max_examples=40 if ALL else 4, deadline=None)
@given(
    st.lists(st.sampled_from(WAYS), min_size=2, max_size=5),
    st.floats(-3.0, 3.0),
    st.floats(0.5, 2.0),
)
def test_random_products_of_gaussians(steps, x0, a0):
    """Whatever is reduced has the value of what is not."""
    x, a = tf.constant(x0, tf.float64, name="x"), tf.constant(a0, tf.float64, name="a")
    with tf.GradientTape(persistent=True) as outer:
        outer.watch([x, a])
        with tf.GradientTape() as tape:
            tape.watch([x, a])
            y = x / a
            for step in steps:
                factors = {
                    "cdf": lambda y: y * cdf(x / a), "pdf": lambda y: y * pdf(x / a),
                    "times x": lambda y: y * x, "times a": lambda y: y * a,
                    "over a": lambda y: y / a,
                }  # fmt: skip
                y = factors[step](y)
        slopes = tape.gradient(y, [x, a])
    for found in (*slopes, outer.gradient(slopes[0], x)):
        if found is None:
            continue
        value = found.lambdify(["x", "a"])(x0, a0)
        np.testing.assert_allclose(value, float(found), rtol=1e-12, atol=1e-14)
