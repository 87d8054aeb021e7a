"""The judge of derivatives: what it accepts, what it refuses, and how it says so."""

from __future__ import annotations

import copy
import gc
import json
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import hypothesis.strategies as st
import numpy as np
import pytest
import sympy as sp
from hypothesis.extra.numpy import arrays

import symtape as tf
from symtape import verify
from symtape.cli import main
from symtape.cli import verify as cli_verify
from symtape.exact.prime_fields import ORDERS, Fields
from symtape.verify.causes.changes.harmless import is_harmless
from symtape.verify.causes.code.sources import source_of
from symtape.verify.judge import Judge
from symtape.verify.points.domain import Domain
from symtape.verify.question import Question
from symtape.verify.running.limits import limited
from symtape.verify.subject import Subject
from tests.sampling import ALL

pytest_plugins = ["pytester"]

ROOT = Path(__file__).parents[1]
X = np.array([0.5, -1.0, 2.0, -0.3])
Y = np.array([1.5, 0.25, 0.75, 2.0])


# --- proof ----------------------------------------------------------------------------------------

TRUE = {
    "sigmoid": (tf.sigmoid, lambda x: 1 / (1 + tf.exp(-x))),
    "tanh": (tf.tanh, lambda x: 2 * tf.sigmoid(2 * x) - 1),
    "softplus": (
        tf.nn.softplus,
        lambda x: tf.maximum(x, 0.0) + tf.math.log1p(tf.exp(-tf.abs(x))),
    ),
    "softmax with a shift": (
        tf.nn.softmax,
        lambda x: tf.exp(x - tf.reduce_max(x)) / tf.reduce_sum(tf.exp(x - tf.reduce_max(x))),
    ),
    "logsumexp": (
        tf.reduce_logsumexp,
        lambda x: 3.0 + tf.math.log(tf.reduce_sum(tf.exp(x - 3.0))),
    ),
    "a root of a product": (
        lambda x: tf.sqrt((1 + x * x) * 2),
        lambda x: tf.sqrt(2 + 2 * x * x),
    ),
    "a root of a square": (lambda x: tf.sqrt(x * x), tf.abs),
    "relu": (tf.nn.relu, lambda x: (x + tf.abs(x)) / 2),
    "circles": (lambda x: tf.sin(x) ** 2, lambda x: 1 - tf.cos(x) ** 2),
    "powers": (
        lambda x: (1 + x * x) ** 1.5,
        lambda x: tf.exp(1.5 * tf.math.log(1 + x * x)),
    ),
    "gelu": (tf.nn.gelu, lambda x: x * 0.5 * (1 + tf.math.erf(x / np.sqrt(2.0)))),
    "variance": (
        lambda x: tf.math.reduce_variance(x),
        lambda x: tf.reduce_mean(x * x) - tf.reduce_mean(x) ** 2,
    ),
    "hyperbolic": (lambda x: tf.cosh(x) ** 2 - tf.sinh(x) ** 2, tf.ones_like),
    "many roots": (
        lambda x: tf.reduce_sum(1 / tf.sqrt(1 + x[:, None] ** 2 + x**2)),
        lambda x: tf.reduce_sum(tf.sqrt(1 + x[:, None] ** 2 + x**2) / (1 + x[:, None] ** 2 + x**2)),
    ),
    "many logarithms": (
        lambda x: tf.reduce_sum(tf.sigmoid(x[:, None] * x)),
        lambda x: tf.reduce_sum(tf.exp(x[:, None] * x - tf.math.log(1 + tf.exp(x[:, None] * x)))),
    ),
    "logarithms of many roots": (
        lambda x: tf.reduce_sum(tf.math.log(tf.sqrt(1 + x[:, None] ** 2 + x**2))),
        lambda x: 0.5 * tf.reduce_sum(tf.math.log(1 + x[:, None] ** 2 + x**2)),
    ),
}
FALSE = {
    "a root of a square": (lambda x: tf.sqrt(x * x), lambda x: x),
    "gelu": (tf.nn.gelu, lambda x: tf.nn.gelu(x, approximate=True)),
    "softmax": (tf.nn.softmax, lambda x: tf.exp(x) / (1 + tf.reduce_sum(tf.exp(x)))),
    "relu": (tf.nn.relu, lambda x: x),
    "logarithm": (lambda x: tf.math.log(1 + x * x), lambda x: 2 * tf.math.log(1 + x)),
    "exponential": (lambda x: tf.exp(x + 1), lambda x: tf.exp(x) + tf.exp(tf.ones_like(x))),
    "sigmoid": (tf.sigmoid, lambda x: 1 / (1 + tf.exp(x))),
    "variance": (
        lambda x: tf.math.reduce_variance(x),
        lambda x: tf.reduce_mean(x * x) + tf.reduce_mean(x) ** 2,
    ),
    "a small constant": (lambda x: x * x, lambda x: x * x + 1e-12),
    "many roots": (
        lambda x: tf.reduce_sum(tf.sqrt(x**2 * (1 + x[:, None] ** 2 + x**2))),
        lambda x: tf.reduce_sum(x * tf.sqrt(1 + x[:, None] ** 2 + x**2)),
    ),
    "a sign among many roots": (
        lambda x: tf.reduce_sum(tf.sqrt(1 + x[:, None] ** 2 + x**2)),
        lambda x: (
            tf.reduce_sum(tf.sqrt(1 + x[:, None] ** 2 + x**2)) - 2 * tf.sqrt(1 + 2 * x[0] ** 2)
        ),
    ),
    "many logarithms": (
        lambda x: tf.reduce_sum(tf.sigmoid(x[:, None] * x)),
        lambda x: tf.reduce_sum(tf.exp(tf.math.log(1 + tf.exp(x[:, None] * x)) - x[:, None] * x)),
    ),
}


def identity(f, g, x=X):
    """Ask for the proof alone, which never refutes."""
    subject = Subject(Question("value", ()), f, g, ["x"], 1, 60.0)
    judge = Judge(subject, [x], {}, 0)
    return judge.identity.verdict  # what numbers would decide after it


@pytest.mark.parametrize("name", TRUE)
def test_identities_are_proved(name):
    """Formulas that are equal by a law of exponentials, roots or circles are found equal."""
    assert identity(*TRUE[name]) in {"equal", "proved"}


@pytest.mark.parametrize("name", FALSE)
def test_false_identities_are_not_proved(name):
    """Formulas that differ, be it in a sign on one side or by 1e-12, are not."""
    assert identity(*FALSE[name]) == "unknown"


Z = np.array([0.5 + 1.5j, -1.0 + 0.3j])
TRUE_OF_COMPLEX = {
    "a size": (lambda z: tf.abs(z) ** 2, lambda z: tf.math.real(z * tf.math.conj(z))),
    "a quotient": (lambda z: 1 / z, lambda z: tf.math.conj(z) / (z * tf.math.conj(z))),
    "a square": (
        lambda z: tf.math.real(z * z),
        lambda z: tf.math.real(z) ** 2 - tf.math.imag(z) ** 2,
    ),
    "an exponential": (
        lambda z: tf.exp(z),
        lambda z: (
            tf.cast(tf.exp(tf.math.real(z)), z.dtype)
            * tf.complex(tf.cos(tf.math.imag(z)), tf.sin(tf.math.imag(z)))
        ),
    ),
    "i": (lambda z: (z * 1j) ** 2, lambda z: -z * z),
}
FALSE_OF_COMPLEX = {
    "a size": (lambda z: tf.abs(z) ** 2, lambda z: tf.math.real(z * z)),
    "a conjugate": (lambda z: z * z, lambda z: z * tf.math.conj(z)),
    "a part": (lambda z: tf.math.real(z * z), lambda z: tf.math.real(z) ** 2),
    "an exponential": (lambda z: tf.exp(z), lambda z: tf.exp(tf.math.conj(z))),
    "i": (lambda z: z * 1j, lambda z: z * -1j),
    "a root": (lambda z: tf.sqrt(z * z), lambda z: z),
}


@pytest.mark.parametrize("name", TRUE_OF_COMPLEX)
def test_identities_of_complex_numbers_are_proved(name):
    """Algebra of a + bi is that of pairs of residues."""
    assert identity(*TRUE_OF_COMPLEX[name], Z) in {"equal", "proved"}


@pytest.mark.parametrize("name", FALSE_OF_COMPLEX)
def test_false_identities_of_complex_numbers_are_not_proved(name):
    """What differs by a conjugate or a branch is not found equal."""
    assert identity(*FALSE_OF_COMPLEX[name], Z) == "unknown"


@pytest.mark.parametrize("q", ORDERS)
def test_exponentials_and_logarithms_of_fields(q):
    """The primes are primes, g has the order q, and log undoes exp and turns products to sums."""
    fields = Fields.of(q)
    for n in (fields.q, fields.p):
        assert all(pow(a, n - 1, n) == 1 for a in (2, 3, 5, 7, 11, 13))
        assert n % 4 == 3
    assert fields.exp(fields.q) == 1
    a, b = 123456789 % q, 987654321 % q
    assert fields.log(fields.exp(a)) == a
    assert fields.log(fields.exp(a) * fields.exp(b) % fields.p) == (a + b) % q
    assert not fields.is_square(fields.p - fields.exp(a))


# --- verdicts -------------------------------------------------------------------------------------


def half_square(x):
    """Half the sum of squares, whose gradient is x."""
    return tf.reduce_sum(x * x) / 2


def interrupted():
    """What a candidate raises that stops programs."""
    raise KeyboardInterrupt("no more")


WRONG = {
    "factor": (half_square, lambda x: 2 * x, "factor 2"),
    "sign": (half_square, lambda x: -x, "sign"),
    "zero": (half_square, np.zeros_like, "zero"),
    "mean": (lambda x: tf.reduce_mean(x), np.ones_like, "sum stands for a mean"),
    "where positive": (half_square, lambda x: x * (x > 0), r"\[x > 0\]"),
    "shape": (half_square, lambda x: x[None], "shape"),
    "none": (half_square, lambda _: None, "None"),
    "raises": (half_square, lambda _: 1 / 0, "ZeroDivisionError"),
    "changes": (half_square, lambda x: np.multiply(x, 1, out=x.__iadd__(1)), "changes its input x"),
    "too many": (half_square, lambda x: (x, x), "2 results"),
    "complex": (half_square, lambda x: x + 0j, "complex"),
    "float32": (
        lambda x: tf.reduce_sum(tf.exp(x)),
        lambda x: np.exp(x.astype(np.float32)).astype(float),
        "float32",
    ),
    "narrow": (half_square, lambda x: x.astype(np.float32), "float32"),
    "text": (half_square, lambda _: "x", "a str that has no numbers"),
    "exit": (half_square, lambda _: sys.exit("enough"), "raised SystemExit: enough"),
    "interrupt": (half_square, lambda _: interrupted(), "raised KeyboardInterrupt: no more"),
    "weights of some entries": (
        half_square,
        lambda x: x * np.array([1, 2, 2, 1]),
        r"entries at \[1\], \[2\] have the factor 2",
    ),
    "ties": (tf.reduce_max, lambda x: (x == x.max()) * 1.0, "ties"),
    "saturation": (
        lambda x: tf.reduce_sum(tf.nn.softplus(x)),
        lambda x: np.where(x > 25, 0.0, 1 / (1 + np.exp(-x))),
        "large|near 25",
    ),
    "another function": (
        lambda x: tf.reduce_sum(tf.nn.gelu(x)),
        lambda x: tf.grad(lambda z: tf.reduce_sum(tf.nn.gelu(z, approximate=True)))(x),
        "gelu_tanh",
    ),
    "held": (
        lambda x: tf.reduce_sum((x - tf.reduce_mean(x)) ** 3),
        lambda x: 3 * (x - x.mean()) ** 2,
        "through .* is missing",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_gradients_are_refuted_with_a_cause(name):
    """Each is refuted, its cause is named, and the counterexample is one."""
    f, candidate, cause = WRONG[name]
    report = verify.gradient(f, candidate, X)
    assert report.verdict == "refuted"
    assert not report.ok
    assert not report
    assert re.search(cause, report.cause), report.cause
    (wrong,) = report.counterexample.values()
    assert wrong.shape == X.shape
    assert json.loads(report.to_json())["verdict"] == "refuted"


@pytest.mark.slow
def test_what_is_right_is_accepted_in_unusual_forms():
    """Loops, places written one by one, other slopes at kinks, overflow, rounded constants."""

    def by_loop(x, u):
        out = np.zeros_like(x)
        for k in range(len(x)):
            out[k] += u[k] * (1 - np.tanh(x[k]) ** 2)
        return out

    assert verify.vjp(tf.tanh, by_loop, X).verdict in {"equal", "proved"}
    assert verify.vjp(tf.nn.relu, lambda x, u: np.where(x >= 0, u, 0), X).ok
    assert verify.vjp(tf.sigmoid, lambda x, u: u * np.exp(x) / (1 + np.exp(x)) ** 2, X).ok
    report = verify.gradient(
        lambda x: tf.reduce_sum(tf.exp(x * np.sqrt(2 / np.pi))),
        lambda x: 0.79788456 * np.exp(0.79788456 * x),
        X,
    )
    assert report.verdict == "measured"


@pytest.mark.slow
def test_each_kind_of_question():
    """Values, products, Jacobians and Hessians are judged alike; wrong ones are refuted."""

    def cubes(x):
        return tf.reduce_sum(x**3)

    assert verify.value(tf.square, lambda x: x * x, X).ok
    assert verify.jvp(tf.exp, lambda x, dx: np.exp(x) * dx, X).ok
    assert not verify.jvp(tf.exp, lambda x, dx: x * dx, X).ok
    assert verify.jacobian(tf.exp, lambda x: np.diag(np.exp(x)), X).ok
    assert verify.hessian(cubes, lambda x: np.diag(6 * x), X).verdict == "proved"
    assert not verify.hessian(cubes, lambda x: np.diag(3 * x), X).ok
    several = verify.vjp(
        lambda x, y: x * y, lambda x, y, u: {"y": u * x, "x": u * y}, X, Y, wrt=["y", "x"]
    )
    assert several.ok


@pytest.mark.slow
def test_symmetric_matrices_stay_symmetric():
    """The inverse stands for its transpose where the example is symmetric, and no more if not."""
    A = np.array([[2.0, 1.0], [0.5, 3.0]])

    def logdet(S):
        return tf.math.log(tf.linalg.det(S))

    assert verify.gradient(logdet, np.linalg.inv, A @ A.T).ok
    report = verify.gradient(logdet, np.linalg.inv, A)
    assert "transposed" in report.cause
    twice = lambda S: 2 * np.linalg.inv(S) - np.diag(np.diag(np.linalg.inv(S)))  # noqa: E731
    assert "convention" in verify.gradient(logdet, twice, A @ A.T).cause


@pytest.mark.parametrize("error", [0.0, 1e-3, 0.1])
def test_what_is_off_beside_the_diagonal_of_a_symmetric_gradient_is_wrong(error):
    """What a gradient lacks of symmetry is no movement of its symmetric part."""
    weights = np.array([[1.0, 20.0], [-18.0, 2.0]])
    report = verify.gradient(
        lambda S: tf.reduce_sum(weights * S),
        lambda S: weights + error * (1 - np.eye(2)) + 0 * S,
        np.array([[2.0, 0.5], [0.5, 3.0]]),
    )
    assert report.ok is (error == 0)
    assert (
        not error
        or f"S: the entries at [0, 1], [1, 0] have the factor {1 + error:g}" in report.cause
    )


def scaled(x, y):
    """A product whose slopes are each other's input."""
    return 2 * x * y + x


LABELS = np.array([1, 0, -1])


def picked(x, labels):
    """The sum of the rows that have labels."""
    return tf.reduce_sum(tf.exp(x) * tf.cast(labels >= 0, tf.float64)[:, None])


NAMED = {
    "results": (scaled, lambda x, y, u: (2 * x * u, u * (2 * y + 1)), "x: it is what belongs to y"),
    "places": (
        lambda x, y: x * y,
        lambda x, y, u: (np.roll(u * y, 2), u * x),
        "in another order|reversed|off by",
    ),
    "nothing": (
        scaled,
        lambda x, y, u: (u * (2 * y + 1), np.exp(np.sin(3 * y + u))),
        "no single mistake .*: y is wrong, x is right",
    ),
}


@pytest.mark.parametrize("name", NAMED)
def test_causes_beyond_one_formula(name):
    """Exchanged results and places are named; else what is wrong is listed."""
    f, candidate, cause = NAMED[name]
    report = verify.vjp(f, candidate, X, Y)
    assert report.verdict == "refuted"
    assert re.search(cause, report.cause), report.cause


@pytest.mark.slow
def test_rows_of_a_label_are_named():
    """What is wrong where a label has one value is said with the value."""
    x = np.array([[0.1, 0.2], [0.3, -0.4], [0.5, 1.0]])
    report = verify.gradient(picked, lambda x, labels: np.exp(x) * 1.0, x, LABELS, wrt="x")
    assert report.verdict == "refuted"
    assert re.search(r"labels = -1|\[labels ≥ 0\]", report.cause), report.cause


@pytest.mark.slow
def test_nothing_is_said_twice():
    """A line that would be right stands with the cause that it repairs, and steps have names."""

    def candidate(x, y, u):
        slope = 1 - np.tanh(x * y) ** 2
        return u * slope, u * x * slope

    report = verify.vjp(lambda x, y: tf.tanh(x * y), candidate, X, Y)
    assert report.cause.count("the factor y is missing") == 1
    assert "is right with `return (u * slope * y, u * x * slope)`" in report.cause


@pytest.mark.slow
def test_the_line_of_a_slip_is_told():
    """A change of one place that makes the candidate right is said with its line."""

    def slip(x, u):
        out = np.zeros_like(x)
        for k in range(len(x)):
            for j in range(k + 1):
                out[j] = u[k]
        return out

    report = verify.vjp(tf.math.cumsum, slip, X)
    assert "`out[j] = u[k]`" in report.cause
    assert "`out[j] += u[k]`" in report.cause
    line = source_of(slip).line + 4
    assert f"line {line} " in report.cause


def shouted(x):
    """Print, beside a function that calls it."""
    print(x)
    return x


def test_only_functions_that_compute_are_changed_and_run():
    """A function that opens files, imports, or calls what nobody knows is left alone."""

    def opens(x):
        open("there", "w").close()  # noqa: PTH123
        return x

    def imports(x):
        import shutil  # noqa: PLC0415 - what is refused

        return shutil.which(x)

    def saves(x):
        np.save("there", x)
        x.tofile("there")
        return x

    def computes(x):
        return np.sum(x.reshape(-1)) + max(len(half_square(x)), 2)

    def asks(x):
        return shouted(x)

    for function in (opens, imports, saves, asks):
        source = source_of(function)
        assert not is_harmless(source.tree, function.__globals__)
    assert is_harmless(source_of(computes).tree, computes.__globals__)


def test_numbers_are_judged_at_the_example():
    """An array is compared there alone, and the report says so."""
    report = verify.gradient(half_square, X, X)
    assert report.verdict == "measured"
    assert report.points == 1
    assert not verify.gradient(half_square, 2 * X, X).ok
    with pytest.raises(TypeError, match="a candidate is a function, a formula, or arrays"):
        verify.gradient(half_square, object(), X)


@pytest.mark.slow
def test_formulas_are_candidates():
    """Text and SymPy's expressions in the names of the inputs; others are refused."""
    t = sp.Symbol("x")
    u = sp.Symbol("upstream")
    assert verify.vjp(lambda x: tf.exp(x), u * sp.exp(t), X).ok
    assert not verify.vjp(lambda x: tf.exp(x), u * sp.exp(-t), X).ok
    assert verify.gradient(lambda x, y: tf.reduce_sum(x * y), ["y", "x"], X, Y).ok
    with pytest.raises(ValueError, match="z is none of the inputs"):
        verify.gradient(half_square, sp.Symbol("z"), X)
    with pytest.raises(tf.errors.NotationError):
        verify.gradient(half_square, "x +", X)


@tf.custom_gradient
def log_one_plus_exp(x):
    """Softplus, with a slope that does not overflow."""
    e = tf.exp(x)
    return tf.math.log(1 + e), lambda upstream: upstream * (1 - 1 / (1 + e))


@tf.custom_gradient
def with_another_slope(x):
    """Softplus, with the slope of softplus at -x."""
    e = tf.exp(x)
    return tf.math.log(1 + e), lambda upstream: upstream / (1 + e)


@tf.custom_gradient
def held_in_its_slope(x):
    """Cubes, with a slope that is constant to the second derivative."""
    slope = tf.stop_gradient(3 * x * x)
    return tf.reduce_sum(x**3), lambda upstream: upstream * slope


@pytest.mark.slow
def test_functions_with_gradients_of_their_own_are_candidates():
    """Their rules are judged beside the derivative of what they compute, at orders one and two."""
    assert verify.vjp(log_one_plus_exp, log_one_plus_exp, X).ok
    assert verify.vjp(tf.nn.softplus, log_one_plus_exp, X).ok
    assert verify.vjp(with_another_slope, with_another_slope, X).verdict == "refuted"
    assert verify.gradient(held_in_its_slope, held_in_its_slope, X).ok
    assert verify.hessian(held_in_its_slope, held_in_its_slope, X).verdict == "refuted"
    through = verify.vjp(tf.round, tf.grad_pass_through(tf.round), X)
    assert "derivative is zero" in through.cause


class Cubed(tf.keras.layers.Layer):
    """A layer whose cube says its own slope, times `factor`."""

    def __init__(self, factor):
        super().__init__(dtype="float64")
        self.factor = factor

    def call(self, x):
        """Compute."""

        @tf.custom_gradient
        def cube(x):
            return x**3, lambda upstream: upstream * self.factor * x**2

        return cube(x)


def after_another(x):
    """Call a function with a wrong slope."""
    return with_another_slope(2.0 * x)


@tf.custom_gradient
def around_another(x):
    """Give the right slope around one that is wrong."""
    slope = 2 * tf.sigmoid(2.0 * x)
    return after_another(x), lambda upstream: upstream * slope


@tf.function
def traced(x):
    """Call a function with a wrong slope in a graph."""
    return with_another_slope(x) * x


@pytest.mark.slow
def test_what_calls_functions_with_gradients_of_their_own_is_a_candidate():
    """Layers, models and functions that take the inputs alone are derived by the rules inside."""
    for factor, ok in ((3.0, True), (2.0, False)):
        layer = Cubed(factor)
        model = tf.keras.Sequential([layer, tf.keras.layers.Activation("tanh", dtype="float64")])
        for f in (layer, layer.call, lambda x, own=layer: own(x), model):
            assert verify.vjp(f, f, X[None]).ok is ok
    assert "has the factor 0.666" in verify.vjp(layer, layer, X).cause
    assert verify.vjp(around_another, around_another, X).ok
    assert "is right with" in verify.vjp(after_another, after_another, X).cause
    for _ in range(2):
        assert verify.vjp(traced, traced, X).verdict == "refuted"
        assert verify.vjp(traced, lambda x, u: u * x, X).verdict == "refuted"


def test_misuse():
    """Functions that are not scalar, and inputs that are not there, are errors of the caller."""
    with pytest.raises(ValueError, match=r"scalar result.*\(4,\)"):
        verify.gradient(tf.square, lambda x: x, X)
    with pytest.raises(ValueError, match="wrt is some of x"):
        verify.gradient(half_square, lambda x: x, X, wrt="z")
    with pytest.raises(ValueError, match="domain gives one of"):
        verify.gradient(half_square, lambda x: x, X, domain={"x": "negative"})


@pytest.mark.slow
def test_what_a_candidate_prints_is_not_shown(capsys):
    """It would be there hundreds of times; the report says that there was something."""

    def prints(x):
        print("here")
        return x

    report = verify.gradient(half_square, prints, X)
    assert report.ok
    assert "prints" in report.notes[-1]
    assert capsys.readouterr().out == ""


def test_who_interrupts_the_judge_stops_it():
    """A signal is none of the candidate's mistakes, wherever it comes."""

    def waits(x):
        signal.raise_signal(signal.SIGINT)
        return x

    handler = signal.signal(signal.SIGINT, signal.default_int_handler)  # which xdist ignores
    try:
        with pytest.raises(KeyboardInterrupt):
            verify.gradient(half_square, waits, X)
    finally:
        signal.signal(signal.SIGINT, handler)


def test_time_is_limited():
    """A candidate that never ends is refuted."""

    def never(x):
        while True:
            x = x + 0

    report = verify.gradient(half_square, never, X, seconds=0.2)
    assert report.cause == "the candidate gave no answer in 0.2 s"


@pytest.mark.parametrize(
    ("seconds", "waiting", "asleep", "busy", "is_stopped"),
    [
        (0.05, 0.0, 0.2, 0.0, True),  # by the clock
        (0.05, 5.0, 0.2, 0.0, False),  # somebody else has the processor
        (0.05, 0.1, 1.0, 0.0, True),
        (0.05, 5.0, 0.0, 3.0, True),
    ],
)
def test_time_of_the_processor_is_limited(seconds, waiting, asleep, busy, is_stopped):
    """What else the machine does stops nothing before its time, if waiting is allowed."""
    found = False
    try:
        with limited(seconds, waiting=waiting):
            time.sleep(asleep)
            end = time.thread_time() + busy
            while time.thread_time() < end:
                pass
    except TimeoutError:
        found = True
    assert found is is_stopped


def test_an_inner_limit_that_may_wait_ends_with_the_outer_one():
    """The time of the outer limit is by the clock, and goes on."""
    with pytest.raises(TimeoutError), limited(0.1), limited(5.0, waiting=60.0):
        time.sleep(2.0)


def test_time_is_up_while_rubbish_is_collected():
    """What is raised within a callback of the collector would be lost, and a warning."""
    end = time.monotonic() + 0.45

    def slow(phase, info):
        while time.monotonic() < end:
            pass

    def never(x):
        while True:
            gc.collect(0)

    gc.callbacks.append(slow)
    try:
        report = verify.gradient(half_square, never, X, seconds=0.2)
    finally:
        gc.callbacks.remove(slow)
    assert report.cause == "the candidate gave no answer in 0.2 s"


@pytest.mark.parametrize(
    ("example", "is_judged", "words"),
    [
        (np.array([[1.0, 0.0], [0.0, 1.0]]), False, "values of the example"),
        (np.array([1, 2]), False, "values of the example"),
        (np.array([[2.0, 1.0], [1.0, 2.0]]), True, "any real, symmetric positive definite"),
        (np.array([[0.0, 1.0], [1.0, 0.0]]), True, "any real, symmetric"),
        (np.array([0.25, 0.75]), False, "between 0 and 1, rows that sum to 1"),
        (np.array([0.25, 0.75]), True, "any real"),
    ],
)
def test_domains_are_read_from_examples(example, is_judged, words):
    """What is drawn has the properties that the words say."""
    domain = Domain.of(example, "real", is_judged)
    assert str(domain) == words
    rng = np.random.default_rng(0)
    for _ in range(10):
        x = domain.sample(rng, example)
        assert x.dtype == example.dtype
        if domain.symmetric:
            assert np.array_equal(x, x.T)
        if domain.definite:
            assert np.all(np.linalg.eigvalsh(x) > 0)
        if domain.stochastic:
            assert np.isclose(x.sum(), 1)


# --- where people test ----------------------------------------------------------------------------


@pytest.mark.slow
def test_assertions_fail_with_the_report():
    """The failure is the report; strategies of Hypothesis are inputs."""
    x = arrays(np.float64, 3, elements=st.floats(-2, 2))
    assert verify.assert_gradient(half_square, lambda x: x, x).ok
    with pytest.raises(AssertionError, match="gradient: refuted"):
        verify.assert_gradient(half_square, lambda x: x * (x < 1.5), x)
    with pytest.raises(AssertionError, match="vjp: refuted"):
        verify.assert_vjp(tf.exp, lambda x, u: u, X)


@pytest.mark.slow
def test_the_plugin_gives_dtypes(pytester):
    """A marked test runs once for each dtype."""
    pytester.makepyfile(
        "import numpy, pytest\n"
        "@pytest.mark.dtypes('float32', 'float64')\n"
        "def test_it(dtype): assert dtype.startswith('float')\n"
        "@pytest.mark.dtypes()\n"
        "def test_all(dtype): pass\n"
        "@pytest.mark.dtypes('bfloat16')\n"
        "def test_short(dtype): assert numpy.ones(2).astype(dtype).nbytes == 4\n"
    )
    plugins = ["-p", "no:symtape", "-p", "symtape.pytest_plugin", "-p", "no:xdist"]
    done = pytester.runpytest_inprocess(*plugins, "--strict-markers")
    done.assert_outcomes(passed=5)


LOSSES = """
import os
import numpy as np, symtape as tf
def f(x): return tf.reduce_sum(tf.nn.softplus(x))
def right(x):
    print("said by the candidate")
    return 1 / (1 + np.exp(-x))
def wrong(x): return 1 / (1 + np.exp(x))
def dies(x): os._exit(3)
def counts(x): return sum(range(10**12))  # in C, where no signal is heard
def breaks(x): raise ImportError("no such thing")
def nowhere(x): return tf.reduce_sum(tf.sqrt(-x * x - 1))
"""


LATE = LOSSES + "import time; time.sleep(3)\n"


COMMANDS = {
    "several": (["right", "wrong", "1/(1 + exp(-x))", "dies"], 1, ["equal", "ended with 3"]),
    "never ends": (["counts"], 2, ["there was no verdict after 0.5 s"]),
    "a right one": (["right"], 0, ["equal"]),
    "no such name": (["nothing"], 2, ["has no 'nothing'"]),
    "no number anywhere": (["nowhere:right"], 2, ["undecided"]),
    "a broken function": (
        ["breaks:right"],
        2,
        ["could not be judged: ImportError: no such thing"],
    ),
}


def asked_for(candidates, path):
    """Write losses into a folder, and what asks about candidates there."""
    (path / "losses.py").write_text(LOSSES)
    function, _, first = candidates[0].rpartition(":")
    named = [c if "(" in c else f"losses.py:{c}" for c in (first, *candidates[1:])]
    return ["--shape", "x=3", f"losses.py:{function or 'f'}", *named]


@pytest.mark.slow
@pytest.mark.parametrize("name", COMMANDS if ALL else ["several", "never ends"])
def test_the_command(tmp_path, monkeypatch, capfd, name):
    """Each candidate is judged in a process of its own; the exit status tells."""
    candidates, status, words = COMMANDS[name]
    if not ALL:
        candidates = candidates[-2:]  # each takes a process
    asked = asked_for(candidates, tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.setattr(cli_verify, "STARTING", 0.0 if name == "never ends" else 60.0)
    seconds = "0.5" if name == "never ends" else "60"
    found = main(["verify", "--seconds", seconds, *asked])
    told = "".join(capfd.readouterr())
    assert found == status, told
    assert all([word in told for word in words]), told


@pytest.mark.slow
def test_what_a_machine_does_besides_is_no_time_of_a_candidate(tmp_path, monkeypatch, capfd):
    """A process that waits by the clock is not ended, as one is that computes for as long."""
    (tmp_path / "late.py").write_text(LATE)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.setattr(cli_verify, "STARTING", 2.0)
    found = main(["verify", "--seconds", "0.5", "--shape", "x=3", "late.py:f", "late.py:wrong"])
    told = "".join(capfd.readouterr())
    assert (found, "refuted" in told) == (1, True), told


@pytest.mark.parametrize("name", ["a right one", *[*COMMANDS][3:]])
def test_what_a_process_says(tmp_path, monkeypatch, capfd, name):
    """The process of a candidate writes its report as JSON, and what names nothing is an error."""
    candidates, status, words = COMMANDS[name]
    asked = asked_for(candidates, tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.delitem(sys.modules, "losses", raising=False)
    found = main(["verify", "--one", *asked])
    out, err = capfd.readouterr()
    told = err if found else json.loads(out)["text"]
    assert (found, name) == (2, "no such name") or found == 0
    assert all([word in told for word in words]), told
    assert found or (status == 0) == json.loads(out)["report"]["ok"]


def test_what_a_process_cannot_judge_is_said_once(monkeypatch, capfd):
    """A mistake that the process of a candidate tells is the command's own."""

    def run(command, **_):
        return subprocess.CompletedProcess(command, 2, "", "symtape: no_such: there is none\n")

    monkeypatch.setattr(cli_verify.subprocess, "run", run)
    assert main(["verify", "--shape", "x=3", "no_such:f", "cos(x)"]) == 2
    assert capfd.readouterr().err == "symtape: no_such: there is none\n"


QUESTIONS = {
    "gradient": "cos(x)",
    "vjp": "cos(x)*upstream",
    "jvp": "cos(x)*dx",
    "jacobian": "cos(x)",
    "hessian": "0 - sin(x)",
    "value": "sin(x)",
}


@pytest.mark.parametrize("kind", cli_verify.KINDS)
def test_the_command_asks_every_question(capfd, kind):
    """By the words that its help lists."""
    assert QUESTIONS.keys() == {*cli_verify.KINDS}
    asked = ["--kind", kind, "--shape", "x=", "symtape:sin", QUESTIONS[kind]]
    assert main(["verify", "--one", *asked]) == 0
    report = json.loads(capfd.readouterr().out)["report"]
    assert (report["kind"], report["ok"]) == (kind, True), report


def test_a_report_is_json_that_every_reader_takes_and_can_be_compared():
    """No number of JSON is nan or infinite; two reports with arrays are equal as objects are."""
    report = verify.gradient(half_square, lambda x: x / 0 * np.sign(x - 1), np.array([1.0, 2.0]))

    def refuse(name):
        raise AssertionError(name)

    found = json.loads(report.to_json(), parse_constant=refuse)
    assert {row["answer"] for row in found["table"]} == {"nan", "inf"}
    assert report == report, report != copy.deepcopy(report)  # noqa: PLR0124 - what arrays cannot


def test_a_failed_assertion_shows_the_test_and_the_report(pytester):
    """The source of the assertions is no help."""
    pytester.makepyfile(
        "import numpy\n"
        "from symtape import verify\n"
        "def test_it(): verify.assert_gradient(numpy.sum, numpy.zeros_like, numpy.ones(2))\n"
    )
    done = pytester.runpytest_inprocess("-p", "no:symtape", "-p", "no:xdist")
    done.stdout.fnmatch_lines(["E *gradient: refuted*"])
    done.stdout.no_fnmatch_line("*return accepted*")


SCALED = """
import tensorflow as tf
def f(x, rate): return rate * tf.reduce_sum(x)
def g(x, rate): return rate + 0 * x
"""


def test_the_command_tells_inputs_by_their_names(tmp_path, monkeypatch, capfd):
    """The order in which they are typed says nothing; `import tensorflow` needs no TensorFlow."""
    (tmp_path / "scaled.py").write_text(SCALED)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(cli_verify.importlib.util, "find_spec", lambda _: None)
    asked = ["--shape", "rate=", "--shape", "x=4,2", "--wrt", "x", "scaled.py:f"]
    assert main(["verify", "--one", *asked, "scaled.py:g"]) == 0, capfd.readouterr().err
    report = json.loads(capfd.readouterr().out)["report"]
    assert report["ok"], report


def test_an_edge_of_symmetric_matrices_is_no_excuse():
    """The truth at an edge is compared as answers are; else each edge would be passed over."""

    def f(S):
        return tf.reduce_sum(S * tf.constant([[1.0, 2.0], [0.0, 3.0]], tf.float64))

    right = lambda S: np.array([[1.0, 2.0], [0.0, 3.0]])  # noqa: E731
    wrong = lambda S: right(S) * (abs(S[0, 0] - 7.0) > 0.5)  # noqa: E731
    S = np.array([[2.0, -1.0], [-1.0, -2.0]])
    subject = Subject(Question("gradient", (0,)), f, wrong, ["S"], 1, 60.0)
    judge = Judge(subject, [S], {}, 0)
    seen = judge.measurement.seen("near 7", [np.array([[7.0, 1.0], [1.0, 0.0]])])
    assert seen.state == "wrong"


def test_a_simpler_counterexample_is_at_no_kink():
    """A point that is rounded to a tie explains less than one with more digits beside it."""
    x = np.array([0.31, -2.34, 1.77])
    wrong = lambda x: 2 * np.sign(x)  # noqa: E731
    f = lambda x: tf.reduce_sum(tf.abs(x))  # noqa: E731
    judge = Judge(Subject(Question("gradient", (0,)), f, wrong, ["x"], 1, 60.0), [x], {}, 0)
    found = judge.measurement.smallest(judge.measurement.seen("random", [x]))
    np.testing.assert_allclose(found.point[0], [0.3, -2.3, 1.8])


def test_a_result_without_entries_is_nobodys_mistake():
    """Beside an argument of no entries what is wrong with another one is told."""

    def f(x, nothing):
        return tf.reduce_sum(x * x) + tf.reduce_sum(nothing)

    report = verify.gradient(f, lambda x, nothing: (3 * x, nothing), np.ones(2), np.zeros(0))
    assert (report.verdict, "factor 1.5" in report.cause) == ("refuted", True), report


def test_a_measured_verdict_says_why_there_is_no_proof():
    """What kept the proof from deciding stands in the report, and no such note beside one."""

    def squared(z):
        return tf.exp(z) * tf.exp(z)

    measured = verify.value(squared, lambda z: np.exp(2 * z), np.array(1.0 + 0.5j))
    assert (measured.verdict, measured.ok) == ("measured", True)
    assert "there is no proof: the residues differ, which decides nothing" in str(measured)
    assert "there is no proof" not in str(verify.value(squared, squared, np.array(1.0)))


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (lambda x: [x[:1], x[1:]], "gives a list that has no numbers"),
        (lambda x: np.ma.masked_array(np.cos(x), mask=[1, 0, 0]), "entries are masked"),
        (lambda x: np.cos(x) > 0, "x is wrong"),
    ],
)
def test_answers_that_are_no_plain_numbers_are_refuted(answer, words):
    """Lists of other lengths, masked entries and truth values get a report like others."""
    report = verify.gradient(lambda x: tf.reduce_sum(tf.sin(x)), answer, np.array([0.5, -1.0, 2.0]))
    assert report.verdict == "refuted"
    assert words in report.cause


class Counting:
    """A function that keeps how often it was called."""

    def __init__(self):
        self.calls = 0

    def __call__(self, x):
        """Count."""
        self.calls += 1
        return tf.sin(x) * self.calls


class Seldom(Counting):
    """A function that gives something else at every ninth call."""

    def __call__(self, x):
        """Count."""
        self.calls += 1
        return tf.sin(x) * (2.0 if self.calls % 9 == 0 else 1.0)


@pytest.mark.parametrize(
    "function",
    [
        lambda x: x * np.random.default_rng().random(),
        lambda x: x * tf.random.uniform(x.shape, dtype=x.dtype),
        lambda x: tf.nn.dropout(x, 0.5),
        lambda x: [v * np.random.default_rng().random() for v in x.tolist()],
        Counting(),
        Seldom(),
    ],
)
@pytest.mark.parametrize("kind", ["vjp", "jvp"])
def test_nothing_is_said_where_the_function_itself_varies(function, kind):
    """What is drawn anew at each call has no derivative that could be known."""
    report = getattr(verify, kind)(function, lambda x, u: 2 * u, np.array([0.5, -1.0]))
    assert report.verdict == "undecided"
    assert "gives other numbers for the same inputs" in report.cause


def test_what_is_drawn_by_a_seed_is_judged():
    """It is the same at each call."""

    def dropped(x):
        return x * (np.random.default_rng(3).random(x.shape) < 0.5) * 2

    given = np.array([0.5, -1.0, 2.0, 1.0])
    assert verify.vjp(dropped, lambda x, u: dropped(u), given).ok
    assert not verify.vjp(dropped, lambda x, u: 2 * u, given).ok


def root_by_newton(x):
    """Find a square root."""
    s = 1.0
    while abs(s * s - x) > 1e-14 * x:
        s = (s + x / s) / 2
    return s


def test_a_slope_that_lags_behind_its_value_refutes_nothing():
    """Near 1 one step of Newton's gives the root, and half of the digits of its slope."""
    ask = {"domain": {"x": "positive"}}
    report = verify.gradient(root_by_newton, lambda x: 0.5 / np.sqrt(x), 2.0, **ask)
    assert report.ok
    assert any("fewer digits of the slope" in note for note in report.notes)
    wrong = verify.gradient(root_by_newton, lambda x: 0.500002 / np.sqrt(x), 2.0, **ask)
    assert wrong.verdict == "refuted"


@pytest.mark.parametrize(
    ("function", "right", "wrong"),
    [
        (lambda a, b: a @ b, lambda a, b, g: (g @ b.T, a.T @ g), lambda a, b, g: (g @ b, a @ g)),
        (
            lambda a, b: tf.linalg.solve(a, b),
            lambda a, b, g: (
                -np.linalg.solve(a.T, g) @ np.linalg.solve(a, b).T,
                np.linalg.solve(a.T, g),
            ),
            lambda a, b, g: (
                -np.linalg.solve(a, g) @ np.linalg.solve(a, b).T,
                np.linalg.solve(a, g),
            ),
        ),
    ],
)
def test_a_matrix_of_one_number_hides_a_transpose(function, right, wrong):
    """A note says what is not right for two rows."""
    given = np.array([[0.7]]), np.array([[1.3]])
    report = verify.vjp(function, right, *given)
    assert report.ok
    assert not report.notes
    report = verify.vjp(function, wrong, *given)
    assert not report.ok or any("where a has shape (2, 2)" in n for n in report.notes)
