# ruff: noqa: D103 - a candidate is described by its name
"""Which line of a candidate is wrong, and what would be right there."""

from __future__ import annotations

import ast
import re

import ml_dtypes
import numpy as np
import pytest

import symtape as tf
from symtape import verify
from symtape.tensor.dispatch import apply
from symtape.verify.causes.changes.harmless import is_harmless
from symtape.verify.causes.changes.listed import Option, Spot, changes, spots_of
from symtape.verify.causes.changes.observed import numbers_seen
from symtape.verify.causes.changes.reach import Reach
from symtape.verify.causes.changes.variants import variants
from symtape.verify.causes.code.sources import source_of
from symtape.verify.causes.derived import Derived
from symtape.verify.causes.evidence import Evidence, close
from symtape.verify.causes.explanations import same
from symtape.verify.causes.neighbours import _approximations
from symtape.verify.causes.patterns import _factor, _symmetric
from symtape.verify.numbers.seen import Seen
from symtape.verify.question import Question
from symtape.verify.running.clock import Clock
from symtape.verify.running.watching import Author
from symtape.verify.subject import Subject

pytestmark = pytest.mark.usefixtures("patient")

X = np.array([0.5, -1.0, 2.0, 0.3])
C = np.array([[1.0, 2.0], [-1.0, 0.5]])


def ordered(s):
    return tf.reduce_sum(tf.math.cumulative_logsumexp(s, reverse=True) - s)


def runs_the_wrong_way(s):
    e = np.exp(s)
    return e * np.cumsum(1 / np.cumsum(e)) - 1


def without_the_running_sum(s):
    e = np.exp(s)
    rest = np.cumsum(e[::-1])[::-1]
    return e * (1 / rest) - 1


def without_one(s):
    e = np.exp(s)
    rest = np.cumsum(e[::-1])[::-1]
    return e * np.cumsum(1 / rest)


def waves(x):
    return tf.reduce_sum(tf.sin(1.37 * x) ** 2)


def of_another_number(x):
    return 1.31 * np.sin(2.74 * x)


def softmaxes(x):
    return tf.nn.softmax(x)


def of_a_list(x, u):
    e = np.exp(x)
    parts = []
    for k in range(len(x)):
        parts.append(e[k] / e.sum() * (u[k] - (u @ e)))  # noqa: PERF401 - what is judged
    return np.stack(parts)


def discounted(x):
    h, total = 0.0, 0.0
    for k in range(4):
        h = 0.5 * h + x[k] * x[k]
        total = total + h * h
    return total


def with_steps_exchanged(x):
    h, dh, out = 0.0, np.zeros(4), np.zeros(4)
    for k in range(4):
        h = 0.5 * h + x[k] * x[k]
        out += 2 * h * dh
        dh = 0.5 * dh + 2 * x[k] * np.eye(4)[k]
    return out


def never_used(x, g):
    e = np.exp(x - x.max())
    p = e / e.sum()
    dot = np.sum(p * g)  # noqa: F841 - what is judged
    return p * g


def decaying(x):
    return tf.reduce_sum(tf.sin(1.37 * x) + 0.8 * tf.exp(-0.625 * x))


def of_another_exponent(x):
    return 1.37 * np.cos(1.37 * x) - 0.5 * np.exp(-0.613 * x)


def with_a_pattern(x, g):
    match len(x):
        case -1:
            return x
        case 4:
            return 3 * g * x
    return g


def with_a_mode(x, g):
    with np.errstate(all="ignore"):
        return np.where(x > 0, g / x, g / (x + 1))


def by_a_lambda(x, g):
    slope = lambda v: v + 1  # noqa: E731 - what is judged
    return 2 * g * slope(x)


PLACES = np.array([0, 1, 1, 3])


def taken(x):
    return tf.gather(x, PLACES) ** 2


def counted_once(x, g):
    out = np.zeros_like(x)
    out[PLACES] += 2 * x[PLACES] * g
    return out


def products(x):
    h = 1.0
    for k in range(3):
        h = tf.sin(h * x[k])
    return h


def backwards_in_order(x):
    h, held = 1.0, []
    for k in range(3):
        held.append((k, h))
        h = np.sin(h * x[k])
    out, m = np.zeros_like(x), 1.0
    for k, before in held:
        slope = m * np.cos(before * x[k])
        out[k] = slope * before
        m = slope * x[k]
    return out


T = np.array([[1.0, 2.0], [0.5, 3.0]])


def turned_twice(A, g):
    return T @ g @ T.T


def longest(x):
    return tf.reduce_sum(x * np.arange(4.0)) / tf.norm(x)


def not_of_length_one(x):
    a, r = np.arange(4.0), np.linalg.norm(x)
    return (a - x * (a @ x) / r**2) / 1


KERNEL = np.array([[1.0, 2.0], [-1.0, 0.5]])


def filtered(x):
    return tf.nn.conv2d(x[None, :, :, None], KERNEL[:, :, None, None], 1, "VALID")[0, :, :, 0]


def not_flipped(x, g):
    windows = np.lib.stride_tricks.sliding_window_view(np.pad(g, 1), (2, 2))
    return np.einsum("ijkl,kl->ij", windows, KERNEL)


SLIPS = {
    "a pattern": (tf.square, with_a_pattern, X, "3 * g * x"),
    "a mode": (lambda x: tf.where(x > 0, tf.math.log(x), tf.math.log(-x)), with_a_mode, X, "x + 1"),
    "a lambda": (tf.square, by_a_lambda, X, "slope = lambda v: v + 1"),
    "places that are listed twice": (taken, counted_once, X, "twice count once: line"),
    "both of a matrix and its transpose": (
        lambda A: T @ A @ T.T, turned_twice, C, "T is transposed, wherever it stands there"
    ),
    "a kernel that is not flipped": (
        filtered, not_flipped, np.arange(9.0).reshape(3, 3) % 4, "flipped along both axes"
    ),
    "a loop the wrong way": (products, backwards_in_order, X, "a loop runs the wrong way"),
    "a norm": (longest, not_of_length_one, X, "the division by r is missing"),
}  # fmt: skip
"""Slips that are found in a moment, in styles of every kind."""


@pytest.mark.parametrize("name", SLIPS)
def test_slips_are_told_in_any_style(name):
    """Whatever a candidate is written with, its line is told."""
    f, candidate, x, words = SLIPS[name]
    ask = verify.gradient if np.ndim(f(x)) == 0 else verify.vjp
    report = ask(f, candidate, x)
    assert report.verdict == "refuted"
    assert words in report.cause, report.cause
    assert "line " in report.cause


LINES = {
    "two steps": (
        verify.gradient, discounted, with_steps_exchanged, "two steps are in the wrong order"
    ),
    "what is never used": (
        verify.vjp, tf.nn.softmax, never_used, "the term -dot * p is missing"
    ),
    "a number in an exponent": (
        verify.gradient, decaying, of_another_exponent, "the number 0.613 is wrong, and 0.625 is"
    ),
    "a running sum": (verify.gradient, ordered, runs_the_wrong_way, "runs the wrong way"),
    "a running sum that is not there": (
        verify.gradient, ordered, without_the_running_sum, "`return e * np.cumsum(1 / rest) - 1`"
    ),
    "a one": (verify.gradient, ordered, without_one, "`return e * np.cumsum(1 / rest) - 1`"),
    "a number": (
        verify.gradient, waves, of_another_number, "the number 1.31 is wrong, and 1.37 is right"
    ),
    "what stands elsewhere": (
        verify.vjp, softmaxes, of_a_list, "the division by e.sum() is missing"
    ),
}  # fmt: skip


def with_an_epsilon(x, g):
    n = np.sqrt((x * x).sum(-1) + 1e-6)
    return (g / (n + 1e-6))[:, None] * x


def clipped_without_the_norm(x, g):
    n = np.sqrt((x * x).sum()) + 1e-6
    return g if n <= 2 else 2 / n * g


def without_the_mask(x, s, g):
    return g * (np.abs(x / s) <= 2), np.sum(g * (np.clip(x / s, -1, 1) - x / s * (abs(x / s) <= 1)))


def without_smoothing(p, t):
    a, b = 2 * (p * t).sum() + 2e-3, p.sum() + t.sum()
    return (a - 2 * t * b) / b**2


def scaled_rows(x, w):
    return w * x * tf.math.rsqrt(tf.reduce_mean(x * x, -1, keepdims=True) + 1e-6)


def solved(low, b):
    return tf.linalg.triangular_solve(low, b)


def below_the_diagonal(low, b, g):
    x = np.linalg.solve(np.tril(low), b)
    back = np.linalg.solve(np.tril(low).T, g)
    return -np.tril(back @ x.T, -1), back


M = np.array([[0.5, -1.0, 2.0], [0.1, 0.3, -2.2]])
UNTRUE = {
    "a function that is one": (
        lambda: verify.vjp(scaled_rows, lambda x, w, g: np.sum(g * x, 0), M, np.ones(3), wrt="w"),
        "another function",
    ),
    "a term in nothing": (
        lambda: verify.vjp(solved, below_the_diagonal, np.tril(M.T @ M + np.eye(3)), M.T),
        "in 0|--",
    ),
    "a small term": (
        lambda: verify.vjp(lambda x: tf.sqrt(tf.reduce_sum(x * x, -1) + 1e-6), with_an_epsilon, M),
        "digits of float32|single precision",
    ),
    "an epsilon for a one": (
        lambda: verify.vjp(
            lambda x: x * tf.minimum(1.0, 2.0 / (tf.norm(x) + 1e-6)), clipped_without_the_norm, M
        ),
        "1e-06 is used",
    ),
    "a division by a mask": (
        lambda: verify.vjp(
            lambda x, s: tf.clip_by_value(x / s, -1.0, 1.0) * s, without_the_mask, M, np.array(0.7)
        ),
        "division",
    ),
    "a factor for a term": (
        lambda: verify.gradient(
            lambda p, t: 1 - (2 * tf.reduce_sum(p * t) + 2e-3) / (tf.reduce_sum(p + t) + 1e-3),
            without_smoothing,
            np.array([0.2, 0.5, 0.9]),
            np.array([1.0, 0.0, 1.0]),
            wrt="p",
        ),
        "factor 1",
    ),
}


@pytest.mark.parametrize("name", UNTRUE)
def test_words_that_fit_the_numbers_by_chance_are_not_told(name):
    """A mistake that nobody makes is no cause, though it gives the same numbers."""
    ask, words = UNTRUE[name]
    report = ask()
    assert report.verdict == "refuted"
    assert not re.search(words, report.cause), report.cause


@pytest.mark.slow
@pytest.mark.parametrize("name", LINES)
def test_the_line_and_what_is_right_are_told(name):
    """A slip in one place of a function is found, whichever it is."""
    ask, f, candidate, words = LINES[name]
    report = ask(f, candidate, X)
    assert report.verdict == "refuted"
    assert words in report.cause, report.cause
    assert "line " in report.cause


def test_a_rule_of_its_own_has_lines():
    """The source of a custom gradient is changed as that of a candidate is."""

    @tf.custom_gradient
    def squares(x):
        def back(upstream):
            slope = 3.0 * x
            return upstream * slope

        return x * x, back

    report = verify.vjp(squares, squares, X)
    assert "has `slope = 3.0 * x`, and is right with `slope = 2.0 * x`" in report.cause


def hard_sigmoid_back(x, upstream):
    inside = (x >= -3.0) & (x <= 2.0)
    return upstream * inside / 6


def test_a_line_that_is_told_to_be_right_is_so_further_out():
    """Without its second half the condition is right where points are drawn, and not at 4."""
    report = verify.vjp(lambda x: tf.clip_by_value(x + 3, 0, 6) / 6, hard_sigmoid_back, X)
    assert "is right with `inside = (x >= -3.0) & (x <= 3.0)`" in report.cause
    assert not re.search(r"^(\S.*) is used instead of .* in \1;", report.cause)


def solved_twice(A, b, upstream):
    x, z = np.linalg.solve(A, b), np.linalg.solve(A, upstream)  # noqa: F841 - the slip
    return -np.outer(z, z), z


def test_a_line_is_told_for_symmetric_matrices():
    """Of what a change gives the symmetric part counts, too."""
    A = np.array([[2.0, 0.5], [0.5, 3.0]])
    report = verify.vjp(lambda A, b: tf.linalg.solve(A, b[:, None])[:, 0], solved_twice, A, A[0])
    assert "is right with `return (-np.outer(z, x), z)`" in report.cause
    assert {row.result for row in report.table} == {"A"}  # and no roundings of the other


def ball(x, y):
    inner, outer = (tf.minimum(tf.reduce_sum(z * z, axis=-1), 0.99) for z in (x, y))
    return tf.reduce_sum((x - y) ** 2, axis=-1) / ((1 - inner) * (1 - outer))


def ball_back(x, y, upstream):
    inner, outer = (np.minimum(np.sum(z * z, axis=-1), 0.99) for z in (x, y))
    below = ((1 - inner) * (1 - outer) / upstream)[:, None]
    square = np.sum((x - y) ** 2, axis=-1)[:, None]
    slopes = [square / (1 - n)[:, None] * z for n, z in ((inner, x), (outer, y))]
    return 2 * (x - y + slopes[0]) / below, 2 * (y - x + slopes[1]) / below


def test_a_bound_of_the_function_that_a_candidate_forgets_is_told():
    """It is right in the ball, and wrong where the function takes the bound."""
    inside = np.array([[0.1, 0.2], [-0.3, 0.4], [0.5, 0.1], [-0.2, -0.1]])
    report = verify.vjp(ball, ball_back, inside, inside[::-1] / 2)
    assert re.match(r"x: it is wrong where \S.* > 0\.99 alone", report.cause), report.cause


def test_a_step_without_a_name_is_told_by_its_line():
    """What has neither a name nor a short formula is what a line computes."""

    def volume(x):
        return tf.reduce_sum(tf.exp(tf.reshape(x, (1, 2, 2)) @ tf.reshape(x, (1, 2, 2))))

    def unfinished(x):
        a = tf.reshape(x, (1, 2, 2))
        return tf.reshape(tf.exp(a @ a) @ tf.linalg.matrix_transpose(a), (4,))

    report = verify.gradient(volume, unfinished, X)
    assert "some " not in report.cause, report.cause


def several(x, w):
    a = x * w
    n = len(x)
    total, other = np.zeros(2), x
    for k in range(n):
        total[k] += a[k]
    return total, other


def test_lines_are_known_by_the_results_that_they_have_to_do_with():
    """A loop and what it fills belong to the result that is read from there."""
    tree = source_of(several).tree
    reach = Reach(tree, 2)
    assert [sorted(reach.of(s)) for s in tree.body] == [[0], [0], [0, 1], [0], [0, 1]]
    assert [reach.rank(tree.body[0], frozenset(w)) for w in ({0}, {0, 1}, {1})] == [0, 2, 3]


def every(tree):
    """Take all nodes for numbers."""
    return frozenset(map(id, ast.walk(tree)))


@pytest.mark.slow
def test_variants_are_what_they_are_one_by_one():
    """A function that is told which of many it is computes what each would by itself."""
    source = source_of(without_one)
    tried = 0
    for spot, options in changes(source.tree, every(source.tree)):
        for together, option in variants(source, spot, options):
            (alone,) = [f for f, _ in variants(source, spot, [option])] or [None]
            assert same_outcome(together, alone), (ast.unparse(spot.node), option.words)
            tried += 1
    assert tried > 100


def outcome(function):
    try:
        with np.errstate(all="ignore"):
            return np.asarray(function(X))
    except Exception as error:  # noqa: BLE001 - whatever a variant raises
        return type(error)


def same_outcome(a, b):
    one, other = outcome(a), outcome(b)
    if isinstance(one, type) or isinstance(other, type):
        return one is other
    return one.shape == other.shape and np.array_equal(one, other, equal_nan=True)


def test_a_tree_is_left_as_it_was():
    """What is put in is taken out again."""
    source = source_of(without_one)
    before = ast.dump(source.tree)
    for spot, options in changes(source.tree, every(source.tree)):
        list(variants(source, spot, options))
    assert ast.dump(source.tree) == before
    spot = Spot(source.tree, "body", 0, source.tree.body[0], source.tree.body[0])
    (made,) = [f for f, _ in variants(source, spot, [Option(None, "")])]
    assert outcome(made) is NameError


def within_itself(x, places):
    taken = x[np.arange(len(x)), places[: len(x)]]
    return x[places[x[places]]] + taken[places[: len(x)]]


@pytest.mark.parametrize("f", [without_one, within_itself])
def test_what_is_put_in_does_not_hold_what_holds_it(f):
    """A tree that holds itself would be compiled for ever."""
    source = source_of(f)
    for spot, options in changes(source.tree, every(source.tree)):
        for option in options:
            held = map(id, ast.walk(option.new)) if option.new is not None else ()
            assert id(spot.parent) not in set(held), (ast.unparse(spot.node), option.words)


def test_lists_that_a_function_made_may_grow():
    """Those of others may not."""
    kept = []

    def keeps(x):
        kept.append(x)
        return x

    for function, expected in ((of_a_list, True), (keeps, False)):
        source = source_of(function)
        assert is_harmless(source.tree, function.__globals__) is expected


APPROXIMATIONS = {
    "gelu by a sigmoid": lambda x: x / (1 + np.exp(-1.702 * x)),
    "a sigmoid of 1.702 x": lambda x: 1 / (1 + np.exp(-1.702 * x)),
    "hard swish": lambda x: x * np.clip(x / 6 + 0.5, 0, 1),
    "hard sigmoid": lambda x: np.clip((x + 3) / 6, 0, 1),
    "swish": lambda x: x / (1 + np.exp(-x)),
    "softsign": lambda x: x / (1 + np.abs(x)),
}


def test_what_is_taken_for_another_function_is_known_by_its_values():
    """Functions that stand for others are those of the papers."""
    x = np.linspace(-5, 5, 23)
    for body, expected in zip(_approximations(), APPROXIMATIONS.values(), strict=True):
        np.testing.assert_allclose(apply(body, tf.constant(x)).numpy(), expected(x), rtol=1e-13)


C = np.array([[1.0, 2.0], [-1.0, 0.5]])


def of_a_symmetric_part(A):
    return tf.reduce_sum(C * tf.exp((A + tf.transpose(A)) / 2))


def test_halves_that_are_not_averaged_are_told():
    """Of a function of the symmetric part, the symmetric part of an answer may be right."""

    def halves(A):
        return C * np.exp((A + A.T) / 2)

    cause = verify.gradient(of_a_symmetric_part, halves, np.array([[1.0, 2], [0, 4]])).cause
    assert "its symmetric part is right" in cause, cause


def test_halves_are_told_of_each_matrix_of_a_batch():
    """Rows and columns are the last two axes."""
    g = np.array([[[1.0, 2.0], [2.0, 5.0]], [[3.0, -1.0], [-1.0, 4.0]]])
    skew = np.array([[0.0, 1.0], [-1.0, 0.0]])
    assert "its symmetric part is right" in _symmetric(None, 0, [(g, g + skew)])
    assert _symmetric(None, 0, [(g, g + skew + np.eye(2))]) == ""


def test_a_line_that_is_as_right_as_it_was_is_not_told():
    """Where an answer is off by a few digits alone, every change is as right, and none is told."""

    def rounded(x, g):
        s = 1 / (1 + np.exp(-x))
        return (g * s * (1 - s)).astype(np.float32).astype(np.float64)

    def with_constant(x, g):
        return g * 1e-5 / (x**2 + np.float32(1e-5)) ** 1.5

    report = verify.vjp(lambda x: x / tf.sqrt(x**2 + 1e-5), with_constant, X)
    assert "digits of float32" in report.cause, report.cause  # it shows at 0 alone
    report = verify.vjp(tf.sigmoid, rounded, X)
    assert "digits of float32" in report.cause
    assert "is right with" not in report.cause, report.cause


@pytest.mark.slow
def test_half_precision_is_told_of_another_smooth_function():
    """Differences that jump are roundings; those of a formula that is nearly right are not."""

    def half(x, g):
        s = (1 / (1 + np.exp(-x.astype(np.float16)))).astype(np.float64)
        return g * s * (1 - s)

    def nearly(x, g):
        s = 1 / (1 + np.exp(-1.002 * x))
        return g * s * (1 - s)

    x = np.linspace(-3, 3, 12)
    assert "half precision" in verify.vjp(tf.sigmoid, half, x).cause
    assert "half precision" not in verify.vjp(tf.sigmoid, nearly, x).cause


def test_causes_of_few_digits_are_those_of_many():
    """A candidate that computes in bfloat16 is diagnosed as one of double precision."""
    x = np.linspace(-2, 2, 8).astype(ml_dtypes.bfloat16)

    def mean(x, g):
        wide = x.astype(np.float32)
        return (2 * wide * g.astype(np.float32) / len(x)).astype(ml_dtypes.bfloat16)

    cause = verify.vjp(lambda x: tf.reduce_sum(x * x), mean, x).cause
    assert "a factor does not belong there: line " in cause, cause


def test_small_mistakes_of_few_digits_are_seen_with_many():
    """What bfloat16 shows at some points alone is wrong at all points, and told so."""
    x, b = (np.linspace(a, 2, 6).astype(ml_dtypes.bfloat16).reshape(2, 3) for a in (-2, 1))

    def scaled(x, b, g):
        t = np.tanh(x + b)
        each = g * (1 - t * t) * 0.92
        return each, each

    cause = verify.vjp(lambda x, b: tf.tanh(x + b), scaled, x, b).cause
    assert cause.startswith("x and b: it has the factor 0.92"), cause


def without_the_sum(x, u):
    e = np.exp(x)
    return u - e / np.sum(e)


def with_itself_for_its_sum(x, u):
    e = np.exp(x)
    return u - u * (e / np.sum(e))


@pytest.mark.parametrize(
    ("f", "candidate", "words"),
    [
        (tf.nn.log_softmax, without_the_sum, "the factor sum(u, axis=0) is missing in"),
        (tf.nn.log_softmax, with_itself_for_its_sum, "the sum of u over axis 0 is missing"),
    ],
)
def test_missing_sums_are_told(f, candidate, words):
    """A sum of what the author is given can be a factor, and stand for what is summed."""
    assert words in verify.vjp(f, candidate, X).cause


def remembered(x):
    h = tf.zeros_like(x)
    for _ in range(3):
        h = tf.sin(x) * h + x
    return h


def without_the_gate(x, g):
    h, dh, s, c = np.zeros_like(x), np.zeros_like(x), np.sin(x), np.cos(x)
    for _ in range(3):
        dh = s * dh + 1
        h = s * h + x
    return g * (dh + 0 * c)


def everywhere(x, g):
    e = np.exp(x)
    return g * e * (1 + x)


def quick(x, g):
    inside = (x > -3) & (x < 3)
    return g * np.where(inside, x / 3 + 0.5, x > 0)


WORDS = {
    "in each turn": (remembered, without_the_gate, "is missing in each turn"),
    "a mask": (
        lambda x: tf.maximum(x * tf.exp(x), 2 - x), everywhere,
        "a mask is missing: x ⊙ exp(x) is taken everywhere",
    ),
    "another function": (tf.nn.silu, quick, "it is the derivative of another function"),
    "whole numbers": (
        tf.square, lambda x, g: (2 * x * g).astype(int), "it is rounded to whole numbers"
    ),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("name", WORDS)
def test_derivatives_of_other_functions_are_told(name):
    """What is held in every turn, a side that is taken everywhere, a function for another."""
    f, candidate, words = WORDS[name]
    cause = verify.vjp(f, candidate, X * 2).cause
    assert words in cause, cause


@pytest.mark.slow
def test_places_that_values_choose_are_those_of_each_point():
    """A function that scatters to places that its values choose has words for what it lacks."""

    def shares(x):
        values, at = tf.math.top_k(x, 2)
        e = tf.exp(values)
        p = e / tf.reduce_sum(e)
        return tf.scatter_nd(at[:, None], p, (4,))

    def of_numbers_alone(x, g):
        at = np.argsort(-x)[:2]
        e = np.exp(x[at])
        out = np.zeros_like(x)
        out[at] = g[at] * e / e.sum()
        return out

    report = verify.vjp(shares, of_numbers_alone, X)
    assert "the derivative through " in report.cause, report.cause
    assert len({*np.abs(report.counterexample["x"])}) > 2


def test_digits_that_are_lost_are_told_once():
    """However many points show it, the report has one note of them."""
    large = 2.0**26
    report = verify.vjp(
        np.square,
        lambda x, u: u * ((x + large) ** 2 - x**2 - large**2) / large,
        np.array([-0.5, 1.0]),
    )
    told = [n for n in report.notes if "floats lose digits" in n]
    assert report.ok
    assert len(told) == 1


def test_what_overflows_where_the_truth_is_finite_is_a_warning():
    """The formula is right, and nobody can train with it, which stands before the notes."""
    x = np.array([0.5, -1.0], np.float32)
    report = verify.vjp(tf.nn.softplus, lambda x, u: u * np.exp(x) / (1 + np.exp(x)), x)
    assert report.ok
    (told,) = report.warnings
    assert told.startswith("it is not finite where the truth is (")
    assert told.endswith(" more)")
    assert f"  warning: {told}\n" in str(report)
    assert told in report.to_json()
    assert not verify.vjp(tf.nn.softplus, lambda x, u: u / (1 + np.exp(-x)), x).warnings


def in_two_lines(x):
    e = np.exp(x) * x
    return e * e


def test_steps_are_told_by_their_lines():
    """A step is what a line computes, or a part of it where more follows in the line."""
    subject = Subject(Question("value", ()), in_two_lines, in_two_lines, ["x"], 1, 60.0)
    author = Author()
    pair = subject.recorded([X], author)
    first = source_of(in_two_lines).line + 1
    told = [author.made(p) for p in range(len(pair.program))]
    what = f"what `e = np.exp(x) * x` (line {first}) computes"
    assert {what, f"a part of {what}", ""} <= set(told)


def squared_back(x, u):
    middle = np.tanh(x)
    slope = 1 - middle**2
    return u * slope * 2 * middle


def test_steps_have_the_names_that_their_author_gave_them():
    """A derivative that is recorded before moves what follows it to other positions."""
    question = Question("vjp", (0,))
    subject = Subject(question, lambda x: tf.tanh(x) ** 2, squared_back, ["x", "u"], 1, 60.0)
    author = Author()
    pair = subject.recorded([X, X], author)
    known = Derived(pair.program, pair.leaves, pair.others, 0, "xu", Clock.of(9.0)).values([X, X])
    places = {name: p for p, name in author.names.items()}
    np.testing.assert_allclose(known[places["middle"]], np.tanh(X))
    np.testing.assert_allclose(known[places["slope"]], 1 - np.tanh(X) ** 2)


def clipped_by_norm(x):
    return x * tf.minimum(1.0, 2.0 / tf.norm(x))


def of_a_fixed_norm(x, g):
    return g * np.minimum(1.0, 2.0 / np.sqrt(x @ x))


def test_a_term_that_is_added_twice_is_missing_whole():
    """Without one of the two its sign would be wrong."""
    cause = verify.vjp(clipped_by_norm, of_a_fixed_norm, 3 * X).cause
    assert "is missing" in cause
    assert "sign" not in cause


def pole(h):
    return h**3 * 0.5


def with_a_rest(h, g):
    for _ in range(3):
        step = h**2
    return step / 6 * g * 4.5


OFF = {
    "a bound of a loop": (
        lambda x: tf.reduce_sum(x[1:] ** 2),
        lambda x: sum(2 * x[k] * np.eye(4)[k] for k in range(2, len(x))),
        "range(1, len(x))",
    ),
    "both bounds": (
        lambda x: tf.reduce_sum(x * np.arange(4)), lambda x: 1.0 * np.arange(1, len(x) + 1),
        "np.arange(0, len(x))",
    ),
    "a diagonal": (
        lambda a: tf.reduce_sum(tf.linalg.band_part(a, -1, 0) - tf.linalg.diag_part(a) * np.eye(2)),
        lambda a: np.tril(np.ones((2, 2))), "np.tril(np.ones((2, 2)), -1)",
    ),
    "a method": (
        lambda x: tf.reduce_sum(x**2), lambda x: 2 * x.clip(-1), "`lambda x: 2 * x`"
    ),
    "a name for nothing": (pole, with_a_rest, "`return step / 6 * g * 9.0`"),
}  # fmt: skip


@pytest.mark.parametrize("name", OFF)
def test_what_is_right_is_written_as_people_write_it(name):
    """Numbers are added up, and what has no name that says something is no factor."""
    f, candidate, words = OFF[name]
    ask = verify.vjp if candidate is with_a_rest else verify.gradient
    cause = ask(f, candidate, C if name == "a diagonal" else X).cause
    assert words in cause, cause


def with_arrays_of_shapes(x, u):
    out, ones = np.zeros(x.shape), np.full(x.shape, 2.0)
    like = np.zeros((len(x), 2)).reshape(-1)
    return out + ones + like[: len(x)] + u


def test_no_array_is_made_larger():
    """Three axes times a size are hundreds of axes, for which no memory is enough."""
    source = source_of(with_arrays_of_shapes)
    shapes = {"x.shape", "(len(x), 2)"}
    (listed,) = spots_of(source.tree, frozenset({0}), 1)[:1]
    numbers = numbers_seen(source, listed, lambda f: f(X, X))
    assert {"u", "len(x)", "out + ones"} <= {
        ast.unparse(s.node) for s in listed if id(s.node) in numbers
    }
    spots = [(spot, options) for spot, options in changes(source.tree, numbers)]
    grown = [
        ast.unparse(option.new)
        for _, options in spots
        for option in options
        if isinstance(option.new, ast.BinOp) and ast.unparse(option.new.left) in shapes
    ]
    assert spots
    assert not grown


def test_a_lambda_is_found_among_others_of_its_line():
    """What was written for a candidate is told, whatever stands beside it."""
    x, y = np.array([0.3, 1.0]), np.array([2.0, -1.0])
    report = verify.gradient(lambda x, y: tf.reduce_sum(y**2 - tf.cos(x)), lambda x, y: (np.cos(x), 2 * y), x, y)  # fmt: skip  # noqa: E501
    assert "is right with `lambda x, y: (np.sin(x), 2 * y)`" in report.cause


CONFUSED = {
    "cosine": (lambda q, p: p - np.cos(q), "cos(q)", "cos(q) is used instead of sin(q)"),
    "sine": (lambda q, p: p + np.sin(q), "-cos(q)", "it has the factor -1: the sign is wrong"),
    "not derived": (lambda q, p: p * np.sinh(q), "p*sinh(q)", "with cosh instead of sinh(q)"),
    "hyperbolic": (lambda q, p: p + np.cosh(q), "sin(q)", "sin(q) is used instead of sinh(q)"),
    "arc sine": (lambda q, p: p * q * np.arcsin(q / 9), "p*acos(q/9) + p*q/sqrt(81 - q**2)",
                 "p acos(q/9) is used instead of p asin(q/9)"),
}  # fmt: skip


@pytest.mark.parametrize("name", CONFUSED)
def test_functions_that_are_taken_for_one_another(name):
    """The one that is used is named, though the candidate has no source."""
    f, candidate, words = CONFUSED[name]
    report = verify.gradient(f, candidate, 0.3, 2.0, wrt="q")
    assert words in report.cause


ALIKE = {
    "small numbers": ([1e-9, 1e-12], [1e-9, 2e-12], False),
    "small numbers that are the same": ([1e-9, 1e-12], [1e-9, 1e-12], True),
    "numbers a little apart": ([1.0, 2.0], [1.0 + 1e-8, 2.0], True),
    "numbers further apart": ([1.0, 2.0], [1.001, 2.0], False),
    "large numbers": ([1e9, 1.0], [1e9 + 1, 1.0], True),
    "one that is zero": ([0.0, 0.0], [1e-9, 0.0], False),
    "another shape": ([1.0, 2.0], [[1.0, 2.0]], False),
}


@pytest.mark.parametrize("name", ALIKE)
def test_numbers_agree_whatever_their_size(name):
    """What counts is how far they are apart beside the largest."""
    a, b, expected = ALIKE[name]
    assert same(np.array(a), np.array(b)) is same(np.array(b), np.array(a)) is expected
    assert close([(np.array(a), np.array(b))]) is expected


def test_what_is_no_number_or_zero_everywhere_shows_nothing():
    """What is not finite is like nothing, and zeros are the same, but show nothing."""
    zeros, lost = np.zeros(2), np.array([1.0, np.nan])
    assert same(zeros, zeros)
    assert not close([(zeros, zeros)])
    assert not same(lost, lost)
    assert not close([(lost, lost)])
    assert close([(zeros, zeros), (zeros + 1, zeros + 1)])
    assert not close([(zeros + 1, zeros + 1), (zeros + 1, zeros)])


def padded_mean(x, n):
    """Mean of the first n of each row."""
    return tf.reduce_sum(x * tf.cast(tf.range(4) < n[:, None], x.dtype), 1) / n


def test_a_number_that_is_a_size_is_none_that_is_solved_for():
    """With another one the candidate gives another shape, which is no answer."""

    def by_whole_rows(x, n, u):
        mask = np.arange(x.shape[1])[None] < n[:, None]
        return np.where(mask, (u / x.shape[1])[:, None], 0.0)

    x = np.cos(np.arange(8.0)).reshape(2, 4)
    report = verify.vjp(padded_mean, by_whole_rows, x, np.array([2.0, 3.0]), wrt="x")
    assert report.verdict == "refuted"


@tf.custom_gradient
def clipped(x):
    """Clip, with a slope that takes one side alone."""
    return tf.clip_by_value(x, -1.0, 1.0), lambda u: tf.where(x < 1, u, tf.zeros_like(u))


def test_a_condition_is_not_exchanged_for_a_number():
    """What is used instead of it would be a condition, too."""
    cause = verify.vjp(clipped, clipped, np.array([0.5, -0.2, 1.5, -3.0])).cause
    assert "x < 1 is used instead of" not in cause


def test_a_conjugate_is_told():
    """The slope of a modulus points to the number, and not to its conjugate."""
    z = np.array([1.0 + 2.0j, -0.5 - 1.0j])
    assert verify.vjp(tf.abs, lambda z, u: u * z / np.abs(z), z, domain={"x": "near"}).ok
    report = verify.vjp(tf.abs, lambda z, u: u * np.conj(z) / np.abs(z), z)
    assert "it is the conjugate of what belongs there" in report.cause
    report = verify.vjp(lambda z: z * z * z, lambda z, u: 3 * z * z * u, z)
    assert "the derivative in it is the conjugate of what belongs there" in report.cause


def along(x, u, is_turned):
    return u * (np.cos(x) if is_turned else np.sin(x))


def test_a_choice_is_no_number():
    """What is False is True instead, and has no term too little; 1.01 of a dtype is no sign."""
    x = np.array([0.5, -1.0, 2.0])
    report = verify.vjp(tf.sin, lambda x, u: along(x, u, False), x)
    assert "an option is wrong: False instead of True" in report.cause
    narrow = verify.vjp(tf.sin, lambda x, u: u * np.cos(x) * np.float32(1.01), x)
    assert "function" not in narrow.cause


IMAGE = np.random.default_rng(8).normal(size=(4, 5, 3, 3))

MOVES = {
    "it is off by one along axes 0 and 1": lambda g: np.pad(g, ((1, 0), (0, 1), (0, 0), (0, 0)))[
        :-1, 1:
    ],
    "it is off by 2 along axis 1": lambda g: np.roll(g, 2, axis=1),
    "it is reversed along axes 2 and 3": lambda g: g[..., ::-1, ::-1],
    "it is turned by a right angle in axes 2 and 3": lambda g: np.rot90(g, 1, (2, 3)),
    "its axes are in another order, as by transpose(1, 0, 2, 3), and it is reshaped": lambda g: (
        g.transpose(1, 0, 2, 3).reshape(4, 5, 3, 3)
    ),
    "its entries are right, and stand at other places": lambda g: (
        g.reshape(2, 2, 5, 9).transpose(1, 0, 2, 3).reshape(5, 4, 9)[::-1].reshape(4, 5, 3, 3)
    ),
}


@pytest.mark.parametrize("words", MOVES)
def test_entries_that_have_moved_are_told(words):
    """By a crop or a padding, a kernel that is flipped, or axes in another order."""
    moved = MOVES[words]
    report = verify.vjp(tf.square, lambda *a: moved(2 * a[0] * a[1]), IMAGE)
    assert report.cause.startswith(f"x: {words}"), report.cause


def scaled(x, s):
    return x * s[None, :, None, None]


def test_a_layout_is_told_by_the_line():
    """A factor of each channel that goes along the last axis is one of NHWC."""
    report = verify.vjp(
        scaled, lambda x, s, u: (u * s, (u * x).sum((0, 2, 3))), IMAGE[:, :3], IMAGE[0, 0, 0]
    )
    assert "it is broadcast along other axes (the layout)" in report.cause


def test_one_number_has_no_factor():
    """That one number is another one is no factor, unless it is one that people forget."""
    evidence = Evidence(Subject(Question("gradient", (0,)), None, None, ["x"], 1, 1.0), ["x"], [])
    two = [(np.array(2.0), np.array(3.0)), (np.array(4.0), np.array(6.0))]
    seen = Seen([np.zeros(3)], [], [], [], "wrong", "random")
    evidence = evidence._replace(points=[seen])
    assert _factor(evidence, 0, two[:1]) == ""
    assert _factor(evidence, 0, two) == "it has the factor 1.5"
    assert _factor(evidence, 0, [(np.array(2.0), np.array(4.0))]) == "it has the factor 2"
    apart = [*two[:1], (np.array(4e12), np.array(6.000001e12))]
    assert _factor(evidence, 0, apart) == ""


def test_where_it_is_wrong_is_told_beside_what_is_right():
    """That zeros are right where a mask is 0 says nothing of what is wrong where it is 1."""
    mask = np.array([[1.0, 0.0, 1.0], [1.0, 1.0, 1.0]])

    def spread(x, m):
        h = x * m
        return tf.reduce_sum(tf.math.sqrt(tf.reduce_mean(h * h, -1) + 0.1))

    def spread_back(x, m):
        return x * m / np.sqrt(np.sum((x * m) ** 2, -1, keepdims=True) / 2 + 0.1) / 3

    report = verify.gradient(spread, spread_back, mask + C[0, 0], mask, wrt=["x"])
    assert report.verdict == "refuted"
    assert "m = 1 alone" not in report.cause


def test_an_array_that_does_not_fit_its_places_is_refused():
    """What a change adds at places is looked at before NumPy writes beyond its memory."""
    source = source_of(lambda x, i, y: np.add.at(x, (..., i), y))
    for y in (np.ones((2, 1, 1, 2)), np.ones((2, 1, 2)), np.ones(3)):
        with pytest.raises(ValueError, match=r"broadcast|axis remapping"):
            source.compiled()(np.zeros((2, 4)), np.array([0, 1]), y)
    x = np.zeros((2, 4))
    source.compiled()(x, np.array([1, 1]), np.ones(2))
    assert x.tolist() == [[0, 2, 0, 0], [0, 2, 0, 0]]


def test_results_in_a_list_are_parts_of_one():
    """Each part of a list that is one array has to do with it, and what is None with nothing."""
    tree = ast.parse("def f(ctx, g):\n    a = 2 * g\n    b = g\n    return None, a, b").body[0]
    assert [sorted(Reach(tree, 1).of(s)) for s in tree.body] == [[0], [0], [0]]
    tree.body[-1] = ast.parse("def f():\n    return a, b, None").body[0].body[0]
    assert [sorted(Reach(tree, 2).of(s)) for s in tree.body] == [[0], [1], [0, 1]]


def of_rows(x):
    return tf.reduce_sum(tf.reduce_mean(x**2, axis=1))


def of_rows_back(x):
    return 2 * x


def of_batch(x):
    return tf.reduce_mean(tf.reduce_sum(x**2, axis=1))


@pytest.mark.parametrize(("f", "size"), [(of_rows, "x.shape[-1]"), (of_batch, "len(x)")])
def test_a_change_is_right_at_other_sizes(f, size):
    """Of sizes that are equal at the example that one is told which the function divides by."""
    report = verify.gradient(f, of_rows_back, np.arange(1.0, 10.0).reshape(3, 3))
    assert f"right with `return 2 * x / {size}`" in report.cause


def leaky_from_a_thousandth(x, u):
    return np.where(x > 1e-3, u, 0.1 * u)


def bounded_roots(x, u):
    return 0.5 * u / np.maximum(np.sqrt(x), 0.5)


def test_a_line_is_right_near_the_numbers_that_it_has():
    """A bound with the other sign, or half of it, is as wrong as the one that is written."""
    x = np.array([0.5, -1.0, 2.0])
    report = verify.vjp(lambda x: tf.nn.leaky_relu(x, 0.1), leaky_from_a_thousandth, x)
    assert "is right with `return np.where(x > 0, u, 0.1 * u)`" in report.cause, report
    assert "--" not in verify.vjp(tf.sqrt, bounded_roots, x[::2]).cause
