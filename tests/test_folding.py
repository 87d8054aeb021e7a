"""Rewrites of a program before code is written for it: each acts, and none changes a number."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import symtape as tf
from symtape.kernels.interpret import QUIET, interpret
from symtape.lowering.folding import REWRITES, folded
from symtape.program.program import Program

X = np.array([[0.3, -1.2, 0.7], [2.1, 0.4, -0.6]])
Y = np.array([[1.3, 0.2, -0.9], [0.8, -1.4, 1.1]])

CASES: dict[str, Callable[[Any, Any], Any]] = {
    "times_reciprocal": lambda x, y: x * tf.math.reciprocal(y),
    "product": lambda x, y: (2.0 * x) * (3.0 * y) + 3.0 * (2.0 * x) * y,
    "quotient": lambda x, y: (2.0 * x) / (3.0 * y) + (2.0 * x) / 4.0 + y * 0.0,
    "sign": lambda x, y: tf.negative(-x) * y,
    "nothing": lambda x, y: tf.identity(2.0 * x) * 3.0 * y,
    "chosen_number": lambda x, y: tf.grad(
        lambda a: tf.reduce_mean(tf.where(tf.abs(a) < 1.0, 0.5 * a * a, y - 3.0 * a))
    )(x),
    "number_of_choice": lambda x, y: tf.grad(lambda a: tf.reduce_mean(tf.nn.elu(a)))(x) * y,
    "conjugated_later": lambda x, y: tf.math.real(
        tf.linalg.matvec(tf.math.conj(tf.complex(x, y)), tf.complex(y[0], x[1]))
    ),
    "placed_elements": lambda x, y: tf.grad(lambda a: a[0, 0] * a[1, 2] * a[0, 1])(x * y),
    "placed_parts": lambda x, y: tf.grad(lambda a: tf.reduce_sum(tf.roll(a, 1, 1) * y))(x * y),
    "added": lambda x, y: (2.0 * x + y) + (x * 3.0 - 5.0 * x) + (7.0 * x + 7.0 * y),
    "slope_of_quotient": lambda x, y: tf.grad(lambda b: tf.reduce_sum(x / b))(y),
    "number_of_numbers": lambda x, y: x * tf.sin(tf.ones([], tf.float64) * 2.0) * y,
    "constant_body": lambda x, y: tf.pow(x, 0.0) * y,
    "power_of_number": lambda x, y: tf.pow(x, 2.0) * y,
    "function_beside_number": lambda x, y: tf.reduce_logsumexp(y) * np.logaddexp(0, x),
    "common_functions": lambda x, y: (
        tf.sqrt(y * y) * tf.grad(lambda a: tf.reduce_sum(tf.sqrt(a)))(y * y)
    ),
    "number_in_front": lambda x, y: (
        tf.grad(lambda a: tf.reduce_sum(tf.sqrt(1.5 + a * a)))(x) * 2.0 * y
    ),
    "joined_sums": lambda x, y: tf.reduce_sum(tf.reduce_sum(x * y, 0)),
    "before_numbers": lambda x, y: tf.reduce_sum(tf.exp(x) / y[0, 0] * y[0, 1]),
    "before_systems": lambda x, y: tf.reduce_sum(
        tf.linalg.solve(tf.matmul(x, y, transpose_b=True), 2.0 * x), 1
    ),
    "inverted": lambda x, y: tf.linalg.solve(
        tf.matmul(x, y, transpose_b=True), 2.0 * tf.eye(2, dtype=x.dtype)
    ),
    "contracted_once": lambda x, y: (
        tf.linalg.matvec(x, tf.exp(y[0])) - 2.0 * tf.linalg.matvec(x, y[1])
    ),
    "contraction": lambda x, y: tf.matmul(2.0 * x, 3.0 * y, transpose_b=True) * 0.5,
    "pulled_through_shares": lambda x, y: tf.grad(
        lambda a: tf.reduce_sum(y * tf.nn.softmax(a) ** 2)
    )(x),
    "sum_of_scattered": lambda x, y: tf.grad(
        lambda a: tf.nn.sparse_softmax_cross_entropy_with_logits(tf.argmax(y, 1), a)[0]
    )(x),
    "moved_elements": lambda x, y: (
        3.0 * tf.reshape(2.0 * x, [3, 2])[1:] * tf.reshape(y, [3, 2])[1:]
    ),
}
"""For each rewrite, a function of two matrices in whose program it acts."""

NAMED = {rewrite.__name__: rewrite for row in REWRITES.values() for rewrite in row}


def traced(name: str) -> tuple[Program, list[int], list[int]]:
    """Trace the case of a rewrite: a program, its inputs and its result."""
    program = tf.trace(CASES[name], X, Y)
    return program, list(program.arguments), [p for p in program.results if p is not None]


def values(program: Program, inputs: list[int], outputs: list[int]) -> np.ndarray[Any, Any]:
    """Compute a program step by step."""
    known = dict(zip(inputs, (X, Y), strict=True))
    return np.asarray(QUIET.run(interpret, program, known, outputs)[0])


def steps(name: str, **options: Any) -> list[Any]:
    """List the steps of a folded case that its result needs."""
    made = folded(*traced(name), **options)
    order = made.program.schedule(made.outputs, set(made.inputs))[0]
    return [made.program.steps[p] for p in order]


def test_every_rewrite_has_a_case():
    """The table of cases has each rewrite, and no other."""
    assert NAMED.keys() == CASES.keys()


@pytest.mark.parametrize("name", CASES)
def test_a_rewrite_acts(name):
    """Without it, the case has other steps; so it is there for something."""
    assert steps(name) != steps(name, without=[NAMED[name]])


EDGES = np.array([[0.0, -0.0, np.nan], [1.0, -1.0, np.inf]])
CHOICES: dict[str, Callable[[Any, Any], Any]] = {
    "maximum": lambda x, y: tf.maximum(0.3 * x, -0.7 * x),
    "of two": lambda x, y: tf.maximum(x, y),
    "minimum": lambda x, y: tf.minimum(x, 0.5 * y) - tf.minimum(x, 0.0),
    "of a row": lambda x, y: tf.maximum(x[0], 0.5) * 3.0,
    "of a row and all": lambda x, y: tf.maximum(x[0], x),
    "elu": lambda x, y: tf.nn.elu(x),
    "selu": lambda x, y: 0.3 * tf.nn.selu(x),
    "leaky": lambda x, y: tf.nn.leaky_relu(x, 0.2),
    "where": lambda x, y: tf.where(x > y, x, 2.0 * x),
    "clipped": lambda x, y: tf.clip_by_value(x, -0.5, 0.5),
}


@pytest.mark.parametrize("name", CHOICES)
@pytest.mark.parametrize("exactly", [False, True])
def test_a_choice_of_numbers_is_that_of_every_rounding(name, exactly):
    """At kinks, at what is no number, and in between, for a sum and for a mean."""
    for total in (tf.reduce_sum, tf.reduce_mean):
        made = tf.trace(lambda x, y: tf.grad(lambda a: total(CHOICES[name](a, y)))(x), EDGES, X)  # noqa: B023
        case = made, list(made.arguments), list(made.results)
        known = dict(zip(case[1], (EDGES, X), strict=True))
        want = np.asarray(QUIET.run(interpret, made, known, case[2])[0])
        program, inputs, outputs = folded(*case, exactly=exactly)
        known = dict(zip(inputs, (EDGES, X), strict=True))
        got = np.asarray(QUIET.run(interpret, program, known, outputs)[0])
        np.testing.assert_allclose(got, want, rtol=0 if exactly else 1e-15, atol=0)
        assert got.dtype == want.dtype == made.dtypes[case[2][0]]


SHARES = {
    "rows": lambda x, y: tf.reduce_sum(y * tf.nn.softmax(x)),
    "columns": lambda x, y: tf.reduce_sum(y * tf.nn.softmax(x, 0) ** 2),
    "all": lambda x, y: tf.reduce_sum(y * tf.reshape(tf.nn.softmax(tf.reshape(x, [-1])), [2, 3])),
    "by hand": lambda x, y: tf.reduce_sum(y * tf.exp(x) / tf.reduce_sum(tf.exp(x), 1, True)),
    "without an axis": lambda x, y: tf.reduce_sum(y * (tf.exp(x) / tf.reduce_sum(tf.exp(x), 0))),
    "weighted": lambda x, y: tf.reduce_sum(
        y**3 * (tf.exp(x) / tf.reduce_sum(y * tf.exp(x), 1, True))
    ),
    "squares": lambda x, y: tf.reduce_sum(y * (x**2 / tf.reduce_sum(x**2, 1, True))),
    "twice": lambda x, y: tf.reduce_sum(tf.nn.softmax(y * tf.nn.softmax(3.0 * x)) ** 2),
    "of a part": lambda x, y: tf.reduce_sum(y[:, :1] * tf.nn.softmax(x)[:, 1:]),
    "the same": lambda x, y: tf.reduce_sum(tf.nn.softmax(x) * tf.nn.softmax(x, 0) * y),
    "square": lambda x, y: tf.reduce_sum(
        tf.exp(x @ tf.transpose(y)) / tf.reduce_sum(tf.exp(x @ tf.transpose(y)), 1) * y[:, :2]
    ),
    "labels": lambda x, y: tf.reduce_sum(
        tf.nn.sparse_softmax_cross_entropy_with_logits(tf.argmax(y, 1), x) * y[:, 0]
    ),
}


@pytest.mark.parametrize("name", SHARES)
def test_shares_have_the_derivative_of_every_rounding(name):
    """What is written by shares is what flows through a quotient, of whichever axes."""
    made = tf.trace(lambda x, y: tf.grad(SHARES[name], (0, 1))(x, y), X, Y)
    case = made, list(made.arguments), list(made.results)
    for p in case[2]:
        one = made, case[1], [p]
        got = values(*folded(*one))
        np.testing.assert_allclose(got, values(*one), rtol=1e-13, atol=1e-14)


def test_a_place_that_is_none_is_looked_at_by_a_sum_alone():
    """A sum of what is scattered is no sum of all, where a place does not exist."""

    def total(u, i):
        return tf.reduce_sum(tf.scatter_nd(i[:, None], u, [3]))

    compiled = tf.function(total)
    assert compiled(np.array([1.0, 2.0]), np.array([0, 2])) == 3.0
    with pytest.raises(tf.errors.InvalidArgumentError):
        compiled(np.array([1.0, 2.0]), np.array([0, 3]))


SIGNS = {
    "one number": (lambda x, y: -2.0 * x - 2.0 * y, "(-2)*(x + y)"),
    "one": (lambda x, y: -x - y, "-(x + y)"),
    "two numbers": (lambda x, y: -2.0 * x - 3.0 * y, "-(2*x + 3*y)"),
    "two signs": (lambda x, y: 2.0 * x - 2.0 * y, "2*(x - y)"),
}


@pytest.mark.parametrize("name", SIGNS)
def test_a_sign_that_all_terms_have_is_taken_once(name):
    """With their number, where they have one."""
    function, text = SIGNS[name]
    x, y = tf.constant(X, name="x"), tf.constant(Y, name="y")
    with tf.GradientTape() as tape:
        tape.watch([x, y])
        z = function(x, y)
    compiled = z.lambdify([x, y])
    assert text in compiled.source
    np.testing.assert_allclose(compiled(X, Y), z.numpy(), rtol=1e-15)


@pytest.mark.parametrize("exactly", [False, True], ids=["freely", "exactly"])
@pytest.mark.parametrize("name", CASES)
def test_a_rewrite_changes_no_number(name, exactly):
    """Folded with and without a rewrite, a case has the numbers that its program has."""
    case = traced(name)
    want = values(*case)
    for without in ([], [NAMED[name]], [*NAMED.values()]):
        got = values(*folded(*case, exactly=exactly, without=without))
        np.testing.assert_allclose(got, want, rtol=1e-14, atol=1e-14)


@pytest.mark.parametrize("name", CASES)
def test_exact_folding_keeps_every_bit(name):
    """Only signs and powers of two are carried where roundings must stay."""
    case = traced(name)
    assert np.array_equal(values(*folded(*case, exactly=True)), values(*case))


def test_what_is_only_counted_is_not_read():
    """Nobody reads the values of which a mean counts how many there are."""

    def loss(x: Any) -> Any:
        return tf.reduce_mean(tf.where(tf.abs(x) <= 1.0, 0.5 * x * x, tf.abs(x) - 0.5))

    program = tf.trace(tf.grad(loss), X[0])
    assert "0.5" not in str(folded(program, list(program.arguments), list(program.results)).program)
    np.testing.assert_allclose(tf.grad(loss)(X[0]), np.clip(X[0], -1, 1) / 3, rtol=1e-15)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_choices_of_numbers_keep_what_is_no_number(dtype):
    """A number times a condition is what a choice gives, beside infinities and nan, too."""
    x = np.array([0.5, -0.5, 3.0, np.inf, -np.inf, np.nan, 0.0, -2.0], dtype)

    def loss(x: Any) -> Any:
        return tf.reduce_sum(-0.3 * tf.where(x < 1, x * x, tf.exp(x)) + tf.where(x > 2, x, -x))

    with tf.GradientTape() as tape:
        leaf = tf.constant(x)
        tape.watch(leaf)
        y = loss(leaf)
    with np.errstate(all="ignore"):
        found = tf.grad(loss)(x)
    np.testing.assert_allclose(found, tape.gradient(y, leaf).numpy(), rtol=1e-6)
    assert found.dtype == dtype


ONE_SUM_EACH: dict[str, tuple[Callable[[Any], Any], int]] = {
    "reduce_variance": (lambda x: tf.math.reduce_variance(x, 1, keepdims=True), 2),
    "reduce_std": (lambda x: tf.math.reduce_std(x, 1, keepdims=True), 2),
    "softmax": (tf.nn.softmax, 2),
    "sum of a sum": (lambda x: tf.reduce_sum(tf.reduce_sum(x * x, 1, keepdims=True), 1), 0),
}
"""Functions of the rows of a matrix, and how many sums over a row their gradients need."""


@pytest.mark.parametrize("backend", ["numpy", "array_api"])
@pytest.mark.parametrize("name", ONE_SUM_EACH)
def test_no_sum_is_taken_of_one_element(name, backend):
    """What a sum over an axis that is kept leaves is not summed along that axis once more."""
    function, count = ONE_SUM_EACH[name]
    x = tf.constant(X)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = function(x)
    source = tape.gradient(y, x).lambdify(backend=backend).source
    assert source.count("add.reduce(") + source.count("xp.sum(") == count, source


def test_products_stay_what_a_person_wrote():
    """Only a sum is summed on: in a product, axes of more than one element stay where they are."""
    x = tf.constant(X)
    with tf.GradientTape() as tape:
        tape.watch(x)
        rows = tf.reduce_sum(x @ tf.transpose(x), 1)
        all_of = tf.reduce_sum(tf.reduce_sum(x, 1))
    product, adds, _ = rows.lambdify().source.partition("add.reduce")
    assert ("@" in product, adds, "total" in product) == (True, "add.reduce", False)
    assert all_of.lambdify().source.count("add.reduce(") == 1


NAN = float("nan")
POWERS = {
    0.0: ([NAN, 0.0], [NAN, 0.0], [NAN, 0.0]),
    1.0: ([1.0, 1.0], [NAN, 0.0], [NAN, 0.0]),
    2.0: ([0.0, 2.0], [2.0, 2.0], [NAN, 0.0]),
    3.0: ([0.0, 3.0], [0.0, 6.0], [6.0, 6.0]),
}
"""Derivatives of powers at 0 and 1, of orders one to three, as TensorFlow 2.21 gives them."""


@pytest.mark.parametrize("exponent", POWERS)
def test_a_tape_that_comes_back_has_the_same_numbers(exponent):
    """Code for a tape keeps what zero times infinity is, as the first run of the tape does."""
    for _ in range(3):
        x = tf.constant([0.0, 1.0])
        found = []
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(x)
            y = x**exponent
            for _ in range(3):
                y = tape.gradient(y, x)
                found.append(y.numpy())
        np.testing.assert_array_equal(found, POWERS[exponent])


def test_a_function_has_the_derivative_of_its_formula():
    """The second derivative of x¹ is 0, at 0 too: a formula has no zero times infinity in it."""
    second = tf.grad(lambda z: tf.reduce_sum(tf.grad(lambda x: tf.reduce_sum(x**1.0))(z)))
    assert np.array_equal(second(np.array([0.0, 1.0])), [0.0, 0.0])
