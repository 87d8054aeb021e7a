# ruff: noqa: D103 - a candidate is described by its name
"""Where the judge looks: narrow branches, every half-precision value, strategies, and nowhere."""

from __future__ import annotations

import math
import time
from itertools import pairwise

import hypothesis.strategies as st
import numpy as np
import pytest
import scipy.linalg
from hypothesis.extra.numpy import arrays
from scipy import stats

import symtape as tf
from symtape import verify
from symtape.verify.numbers.decisions import decided, has_equal_values, is_limit
from symtape.verify.numbers.seen import Seen
from symtape.verify.numbers.seen import is_near as are_near
from symtape.verify.numbers.straying import strays
from symtape.verify.numbers.tables import worst
from symtape.verify.points import branches
from symtape.verify.points.branches import beside_branches, decides
from symtape.verify.points.sweep import half_numbers
from symtape.verify.question import Question
from symtape.verify.setting import Setting
from symtape.verify.subject import Subject

X = np.array([[0.5, -1.0, 2.0], [0.1, 0.3, -2.2]])
LOW, HIGH = 1.28, 1.32


def slope(x):
    """The slope of the sigmoid."""
    y = 1 / (1 + np.exp(-x))
    return y * (1 - y)


def between(x, g):
    return g * np.where((x > LOW) & (x < HIGH), 0.0, slope(x))


def where_a_square_is_small(x, g):
    return g * np.where((x * x - 1.69) ** 2 < 1e-8, 0.0, slope(x))


def of_a_table(x, g):
    weights = np.ones(640)
    weights[371] = 0.0
    return g * weights[np.clip(((x + 8) * 40).astype(int), 0, 639)] * slope(x)


def by_floats(x, g):
    out = np.empty_like(x)
    for at in np.ndindex(*x.shape):
        v = float(x[at])
        y = 1 / (1 + math.exp(-v)) if v > -700 else 0.0
        out[at] = g[at] * (0.0 if math.sin(v) > 0.9999 else y * (1 - y))
    return out


NARROW = [between, where_a_square_is_small, of_a_table, by_floats]


@pytest.mark.parametrize("candidate", NARROW)
def test_narrow_branches_are_entered(candidate):
    """What is wrong in a few hundredths of the inputs alone is refuted, and the place is told."""
    report = verify.vjp(tf.sigmoid, candidate, X)
    assert report.verdict == "refuted"
    assert "branch" in report.cause
    point = report.counterexample
    right = point["upstream"] * slope(point["x"])
    assert not np.allclose(candidate(point["x"], point["upstream"]), right, rtol=1e-3)


def at_a_number(x, g):
    return g * np.where(x == 1.3, 0.0, slope(x))


def at_a_multiple(x, g):
    return g * np.where(x * 0.1 == 0.3, 0.0, slope(x))


def at_a_logarithm(x, g):
    return g * np.where(np.exp(x) == 2.5, 0.0, slope(x))


def where_it_rounds(x, g):
    return g * np.where(np.round(x * 10) / 10 == 1.3, 0.0, slope(x))


def by_the_sign_of_what_rounds(x, g):
    return g * slope(x) * np.sign(np.abs(np.round(x * 10) / 10 - 1.3))


EQUAL = [at_a_number, at_a_multiple, at_a_logarithm, where_it_rounds, by_the_sign_of_what_rounds]


@pytest.mark.parametrize("candidate", EQUAL)
def test_branches_of_equal_floats_are_entered(candidate):
    """A branch that few floats take, or that floats take and digits do not, counts as floats do."""
    report = verify.vjp(tf.sigmoid, candidate, X)
    assert report.verdict == "refuted"
    point = report.counterexample
    right = point["upstream"] * slope(point["x"])
    assert not np.allclose(candidate(point["x"], point["upstream"]), right, rtol=1e-3)


@pytest.mark.parametrize("units", [-40, -3, 0, 1, 40])
def test_equal_floats_are_found_beside_where_a_bisection_ends(units):
    """The nearest of them some units in the last place away, on either side."""
    subject = Subject(Question("vjp", (0,)), tf.sigmoid, at_a_number, ["x", "upstream"], 1, 60.0)
    setting = Setting(subject, [X, np.ones_like(X)], {}, 0)
    pair = subject.recorded(setting.example)
    search = branches._Search(setting, pair, [0], time.process_time())
    (decision,) = [d for d in search._decisions if d.is_equality]
    end = X.copy()
    end.flat[1] = 1.3 + units * np.spacing(1.3)
    (found,) = search._equal(decision, 1, [end, np.ones_like(X)])
    assert found[0].flat[1] == 1.3


def slope_of_a_saturated_one(x, g):
    y = 1 / (1 + np.exp(-x))
    return g * np.where(y == 1.0, 0.0, y * (1 - y))


def test_a_right_branch_that_floats_alone_take_is_accepted():
    """Where floats round to 1, a branch for 1 is right as far as floats tell."""
    assert verify.vjp(tf.sigmoid, slope_of_a_saturated_one, X).ok


OFF_IN_A_TAIL = {
    "a bound": lambda x, g: g / (1 + np.exp(-np.clip(x, -20, 20))),
    "a lower bound": lambda x, g: g / (1 + np.exp(-np.maximum(x, -20))),
    "a branch": lambda x, g: g / (1 + np.exp(-np.where(x < -25, -25, x))),
    "nothing": lambda x, g: g / (1 + np.exp(-x)) * (x > -25),
}


@pytest.mark.parametrize("name", OFF_IN_A_TAIL)
def test_a_branch_that_is_off_by_much_of_a_small_truth_is_refuted(name):
    """What is off by a thousand times the truth is wrong, however small the truth is there."""
    report = verify.vjp(tf.nn.softplus, OFF_IN_A_TAIL[name], X)
    assert report.verdict == "refuted", report
    assert "branch" in report.cause
    assert report.worst.error > 0.5


RIGHT_TO_EIGHT_DIGITS = {
    "an upper bound": lambda x, g: g / (1 + np.exp(-np.minimum(x, 20))),
    "a branch": lambda x, g: g * np.where(x > 20, 1.0, 1 / (1 + np.exp(-x))),
}


@pytest.mark.parametrize("name", RIGHT_TO_EIGHT_DIGITS)
def test_a_branch_that_is_off_by_little_is_measured_and_noted(name):
    """Formulas that are not the same where another branch is taken are not called equal."""
    report = verify.vjp(tf.nn.softplus, RIGHT_TO_EIGHT_DIGITS[name], X)
    assert report.verdict == "measured", report
    assert any("other branches" in note for note in report.notes)


def test_a_bound_that_floats_do_not_see_is_accepted():
    """What is off by less than floats tell apart is right."""
    bounded = verify.vjp(tf.nn.softplus, lambda x, g: g / (1 + np.exp(-np.clip(x, -500, 500))), X)
    assert bounded.ok


def newton(a):
    """A root by steps that do not end where there is none."""
    x = (1.0 + a) / 2
    while abs(x - a / x) > 1e-9 if a >= 0 else True:
        x = (x + a / x) / 2
    return (x + a / x) / 2


@pytest.mark.parametrize("factor", [1.0, 2.0])
def test_a_function_that_does_not_end_elsewhere_is_judged_where_it_does(factor):
    """Points at which a loop does not end are outside, as those are where a function raises."""
    begin = time.perf_counter()
    report = verify.gradient(newton, lambda a: factor / (2 * np.sqrt(a)), np.array(2.3))
    assert report.ok is (factor == 1.0), report
    assert report.domain == {"a": "positive"}
    assert time.perf_counter() - begin < 40


@pytest.mark.slow
def test_what_is_right_around_them_is_accepted():
    """The points beside branches and between others refute nothing that is right."""
    report = verify.vjp(tf.sigmoid, lambda x, g: g * slope(x), X)
    assert report.verdict == "equal"
    assert any("values of half precision" in note for note in report.notes)


@pytest.mark.parametrize("width", [1e-1, 1e-3, 1e-5])
def test_a_bisection_finds_both_sides(width):
    """Points lie on both sides of a condition whose sign no random point changes."""

    def candidate(x, g):
        return g * np.where((x - 0.7) ** 2 < width**2, 0.0, slope(x))

    subject = Subject(Question("vjp", (0,)), tf.sigmoid, candidate, ["x", "upstream"], 1, 60.0)
    setting = Setting(subject, [X, np.ones_like(X)], {}, 0)
    inside = [np.any((p[0] - 0.7) ** 2 < width**2) for _, p in beside_branches(setting)]
    assert any(inside)
    assert not all(inside)


def test_half_numbers_are_all_there():
    """Each finite value of both formats stands once; domains and wide inputs have a part."""
    half, brain = half_numbers(np.dtype("float16"), "real"), half_numbers(np.dtype("V2"), "real")
    assert len(half) == 2**16 - 2**11 - 1  # without infinities and nan, and zero once
    assert len(brain) == 2**16 - 2**8 - 1
    assert np.array_equal(np.unique(half), half)
    assert np.array_equal(half.astype(np.float16).astype(float), half)
    assert np.all(half_numbers(np.dtype("float16"), "unit") < 1)
    wide = half_numbers(np.dtype("float64"), "positive")
    assert wide.min() > 0
    assert set(half[half > 0][half[half > 0] < 1e4]) <= set(wide)


@pytest.mark.slow
def test_one_value_of_half_precision_is_enough():
    """A table that is wrong at one number of 65,000 is refuted."""

    def candidate(x, g):
        wide = x.astype(np.float64)
        return (g * np.where(x == np.float16(37.53), 1.0, slope(wide))).astype(np.float16)

    x = np.array([0.5, -1.0], np.float16)
    report = verify.vjp(tf.sigmoid, candidate, x)
    assert report.verdict == "refuted"
    assert "37.5" in report.cause
    assert verify.vjp(tf.sigmoid, lambda x, g: (g * slope(x.astype(float))).astype("e"), x).ok


@pytest.mark.slow
def test_points_of_strategies_are_tried():
    """An array that a strategy draws alone shows what is wrong there."""

    def candidate(x):
        return x * (np.abs(x.sum() - 123.0) > 1e-9)

    def half_square(x):
        return tf.reduce_sum(x * x) / 2

    x = arrays(np.float64, 2, elements=st.just(61.5))
    assert verify.gradient(half_square, candidate, np.array([1.0, 2.0])).ok
    assert verify.gradient(half_square, candidate, x).verdict == "refuted"


# --- undecided ------------------------------------------------------------------------------------


def test_nothing_is_decided_where_the_derivative_is_finite_nowhere():
    """No point, no verdict: not even the example counts."""
    report = verify.gradient(
        lambda x: tf.reduce_sum(tf.sqrt(-(x**2) - 1)), lambda x: np.floor(x), np.ones(3)
    )
    assert report.verdict == "undecided"
    assert not report.ok
    assert "finite at none of the points" in report.cause


@pytest.mark.slow
def test_nothing_is_decided_after_the_time_of_the_function():
    """A function that never ends says nothing of the candidate."""

    def never(x):
        while True:
            time.sleep(0.01)

    report = verify.gradient(never, lambda x: x, np.ones(3), seconds=0.2)
    assert report.verdict == "undecided"
    assert report.cause == "the function itself gave no derivative in 0.2 s"


def exponential(A):
    w, V = tf.linalg.eigh((A + tf.transpose(A)) / 2)
    return tf.reduce_sum(tf.linalg.matmul(V * tf.exp(w), V, transpose_b=True)[0])


def by_blocks(A):
    n = len(A)
    S, B = (A + A.T) / 2, np.zeros((n, n))
    B[0] = 1.0
    both = np.block([[S, (B + B.T) / 2], [np.zeros((n, n)), S]])
    return scipy.linalg.expm(both)[:n, n:]


@pytest.mark.slow
def test_the_truth_has_fifty_digits_where_floats_lose_it():
    """Near equal eigenvalues a candidate may have more digits than the derivative in floats."""
    A = np.random.default_rng(3).normal(size=(3, 3))
    report = verify.gradient(exponential, by_blocks, A)
    assert report.ok, report
    assert not verify.gradient(exponential, lambda A: by_blocks(A) * (1 + 1e-6), A).ok


KEEP = np.array([[True, False, True, True], [True, True, False, False]])


def masked(x, keep):
    return tf.nn.softmax(tf.where(keep, x, -1e9))


def kept(x, keep, g):
    s = np.where(keep, x, -np.inf)
    p = np.exp(s - s.max(-1, keepdims=True))
    p = p / p.sum(-1, keepdims=True)
    return p * (g - np.sum(p * g, -1, keepdims=True))


def log_of_kept(x, keep):
    return tf.reduce_logsumexp(tf.where(keep, x, -np.inf), axis=-1)


def shares_of_kept(x, keep, g):
    e = keep * np.exp(x - x.max(-1, keepdims=True))
    return g[:, None] * e / e.sum(-1, keepdims=True)


@pytest.mark.slow
@pytest.mark.parametrize(("f", "candidate"), [(masked, kept), (log_of_kept, shares_of_kept)])
def test_where_all_is_masked_nothing_is_asked(f, candidate):
    """What is not finite where nothing is left is right, if only a large number makes it finite."""
    x = np.random.default_rng(4).normal(size=KEEP.shape)
    assert verify.vjp(f, candidate, x, KEEP).ok
    assert not verify.vjp(f, lambda x, keep, g: candidate(x, keep, g) * 1.01, x, KEEP).ok


def test_a_guard_for_what_is_left_out_is_asked_for():
    """A mean over what is kept that guards against nothing has a candidate that does so, too."""

    def mean_of_kept(x, keep):
        count = tf.reduce_sum(tf.cast(keep, x.dtype), axis=-1)
        return tf.reduce_sum(tf.where(keep, x, 0.0), axis=-1) / tf.maximum(count, 1.0)

    def unguarded(x, keep, g):
        return g[:, None] * keep / keep.sum(-1, keepdims=True)

    x = np.random.default_rng(5).normal(size=KEEP.shape)
    assert not verify.vjp(mean_of_kept, unguarded, x, KEEP).ok


def test_a_recorded_truth_is_only_a_witness():
    """A program stands for the function where both agreed, for its own branches and labels."""
    asked = []

    def f(x, labels):
        asked.append(x.shape)
        y = tf.exp(x) if labels[0] > 0 else tf.sin(x)
        return tf.reduce_sum(y if x[0] > 0 else y * y)

    x, labels = np.array([0.5, -1.0, 2.0]), np.array([1, 0])
    subject = Subject(Question("gradient", (0,)), f, f, ["x", "labels"], 2, 60.0)
    setting = Setting(subject, [x, labels], {}, 0)
    points = [[x + 0.1 * k, labels] for k in range(5)]
    for point in points[:3]:
        setting.truth(point)
    before = len(asked)
    np.testing.assert_allclose(setting.quick_truth(points[4])[0], np.exp(points[4][0]))
    assert setting.quick_truth([-x, labels]) is None
    assert setting.quick_truth([x, labels - 1]) is None
    assert len(asked) == before


def test_a_program_that_differs_from_its_function_is_never_asked():
    """What a function reads elsewhere may change; then it is run itself."""
    state = {"factor": 1.0}

    def f(x):
        return tf.reduce_sum(x**3) * state["factor"]

    subject = Subject(Question("gradient", (0,)), f, f, ["x"], 1, 60.0)
    setting = Setting(subject, [np.array([1.0, 2.0])], {}, 0)
    point = [np.array([0.5, 3.0])]
    setting.truth(point)
    state["factor"] = 2.0
    for _ in range(4):
        np.testing.assert_allclose(setting.truth(point)[0], 6.0 * point[0] ** 2)
    assert setting.quick_truth(point) is None


NEAR = [
    ([1e-3], [1.009e-3], True),
    ([1e-3], [1.02e-3], False),
    ([100.0, 0.0], [100.5, 0.9], True),
    ([100.0, 0.0], [100.0, 1.1], False),
    ([0.0], [0.0], True),
    ([], [], True),
]


@pytest.mark.parametrize(("truth", "answer", "is_near"), NEAR)
def test_what_is_further_off_than_a_hundredth_is_not_asked_of_digits(truth, answer, is_near):
    """A hundredth of the largest entry, whatever its size."""
    one = np.ones(3)
    seen = Seen([one], [one, np.array(truth)], [one, np.array(answer)], [], "open")
    assert are_near(seen, [False, False]) == is_near
    assert are_near(seen, [False, True])  # of a truth that is roundings nothing is known yet


DECIDING = {
    "a sum": (lambda x: tf.reduce_sum(x * x), False),
    "elements at places that are known": (lambda x: tf.gather(x, [0, 1])[0] * x[1], False),
    "an element at a place": (lambda x: tf.gather(x * x, tf.argmax(x)), True),
    "integers": (lambda x: tf.reduce_sum(tf.cast(tf.cast(x, tf.int32), x.dtype) * x), True),
    "a function with a kink": (lambda x: tf.reduce_sum(tf.nn.relu(x)), True),
    "a choice": (lambda x: tf.reduce_sum(tf.where(x > 0.3, x, x * x)), True),
    "control flow": (lambda x: x[0] if x[0] > 0 else x[1] * 2, True),
}


@pytest.mark.parametrize("name", DECIDING)
def test_what_decides_is_known(name):
    """What may be another formula elsewhere is one that points are looked for beside."""
    f, is_one = DECIDING[name]
    subject = Subject(Question("value", ()), f, f, ["x"], 1, 60.0)
    assert decides(subject.recorded([X[0]])) == is_one


# --- what floats decide ---------------------------------------------------------------------------


def pair_of(function, candidate, *point):
    """Record a function and a candidate at a point, as one program."""
    names = ["x", "y"][: len(point)]
    subject = Subject(Question("value", ()), function, candidate, names, len(point), 60.0)
    return subject.recorded([*point])


def shares(x):
    return np.exp(x) / np.sum(np.exp(x))


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (lambda x: tf.nn.softmax(tf.where(x > 9.0, x, -1e9)), True),
        (lambda x: tf.nn.softmax(tf.where(x > 9.0, x, -1e3)), False),
        (lambda x: tf.nn.softmax(tf.where(x > 0.0, x, -1e9)), False),
        (lambda x: tf.nn.softmax(x), False),
    ],
)
def test_a_large_number_stands_for_infinity_where_it_alone_makes_numbers(function, expected):
    """With infinities in its place, what is masked altogether is no number any more."""
    x = np.array([0.5, -1.0, 2.0])
    assert is_limit(pair_of(function, shares, x), [x]) is expected


SYMMETRIC = np.array([[2.0, 0.0], [0.0, 2.0]])


@pytest.mark.parametrize(
    ("function", "matrix", "expected"),
    [
        (lambda x: tf.linalg.eigh(x)[1], SYMMETRIC, True),
        (lambda x: tf.linalg.eigh(x)[1], SYMMETRIC + np.diag([1.0, 0.0]), False),
        (lambda x: tf.linalg.svd(x)[1], SYMMETRIC, True),
        (lambda x: tf.linalg.svd(x)[1], np.diag([2.0, 1.0]), False),
        (lambda x: tf.linalg.svd(x)[1], np.diag([2.0, 0.0]), True),
        (lambda x: tf.linalg.inv(x), SYMMETRIC, False),
    ],
)
def test_vectors_of_equal_values_are_not_determined(function, matrix, expected):
    """Eigenvalues that are equal, and singular values that are equal or zero, are told."""
    found = pair_of(function, lambda x: x, matrix)
    assert has_equal_values(found, [matrix]) is expected


def test_conditions_roundings_and_orders_are_what_floats_decide():
    """Their values at a point are known by their steps."""
    x = np.array([0.5, -1.0, 2.0])

    def stepped(x):
        return np.where(x > 0, np.floor(x), x)

    values = decided(pair_of(tf.nn.relu, stepped, x), [x]).values()
    found = sorted(str(np.asarray(v).tolist()) for v in values)
    assert "[True, False, True]" in found
    assert "[0.0, -1.0, 2.0]" in found
    assert decided(pair_of(tf.exp, np.exp, x), [x]) == {}


# --- edges where the function is what a convention makes of it ------------------------------------


def attention(q, k, v, mask, is_guarded):
    scores = np.where(mask, q @ k.T, -1e9)
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    found = e / e.sum(axis=-1, keepdims=True) @ v
    return np.where(mask.any(axis=-1, keepdims=True), found, 0.0) if is_guarded else found


def attended(q, k, v, mask, is_guarded, u):
    scores = np.where(mask, q @ k.T, -1e9)
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    p = e / e.sum(axis=-1, keepdims=True)
    slope = p * (u @ v.T - (p * (u @ v.T)).sum(axis=-1, keepdims=True))
    return slope @ k, slope.T @ q, p.T @ u


@pytest.mark.slow
@pytest.mark.parametrize(("is_guarded", "verdict"), [(False, "measured"), (True, "refuted")])
def test_where_all_is_masked_a_function_is_judged_if_it_guards(is_guarded, verdict):
    """What a large number in the place of infinity makes of it is nobody's derivative."""
    rows = np.random.default_rng(0).normal(size=(3, 4, 2))
    report = verify.vjp(attention, attended, *rows, np.tril(np.ones((4, 4), bool)), is_guarded)
    assert report.verdict == verdict, report
    assert ("mask is False everywhere" in report.cause) is is_guarded
    assert any("stands for infinity" in note for note in report.notes) is not is_guarded


def added(x, mask):
    return tf.nn.softmax(x + (1.0 - mask) * -1e9)


def added_by_hand(x, mask, u):
    s = x + (1 - mask) * -1e9
    e = np.exp(s - s.max(axis=1, keepdims=True))
    p = e / e.sum(axis=1, keepdims=True)
    return p * (u - (p * u).sum(axis=1, keepdims=True))


def test_a_mask_that_is_added_excuses_nothing_elsewhere():
    """0 times infinity, where nothing is masked, is no number that a large one stands for."""
    x, mask = np.array([[0.5, -1.0, 2.0, 0.1]] * 2), np.array([[1.0, 1, 0, 1], [1, 0, 0, 1]])
    assert verify.vjp(added, added_by_hand, x, mask, wrt="x").ok
    report = verify.vjp(
        added, lambda x, m, u: np.where(x == 0, 0.5, added_by_hand(x, m, u)), x, mask, wrt="x"
    )
    assert report.verdict == "refuted"


def guarded(x, mask):
    shares = tf.nn.softmax(tf.where(mask, x, -1e9))
    return tf.where(tf.reduce_any(mask, 1, keepdims=True), shares, 0.0)


def guarded_at_all(x, mask, u):
    if not mask.any():
        return np.zeros_like(x)
    s = np.where(mask, x, -np.inf)
    e = np.exp(s - s.max(axis=1, keepdims=True))
    p = e / e.sum(axis=1, keepdims=True)
    return p * (u - (p * u).sum(axis=1, keepdims=True))


def test_one_row_of_a_mask_may_have_nothing():
    """Where the function guards each row, a candidate that guards the whole alone is refuted."""
    x, mask = np.array([[0.5, -1.0, 2.0]] * 3), np.array([[1, 1, 0], [1, 0, 1], [1, 1, 1]], bool)
    report = verify.vjp(guarded, guarded_at_all, x, mask, wrt="x")
    assert "where a row of a mask has nothing" in report.cause


CALLS = []


def at_times(x, u):
    CALLS.append(0)
    return u * (1 - np.tanh(x) ** 2) * (2 if len(CALLS) % 17 == 9 else 1)


SEEN = []


def after_three(x, u):
    SEEN.append(0)
    return u * (1 - np.tanh(x) ** 2) * (1 if len(SEEN) < 4 else 1.0001)


def by_memory(x, u):
    return 2 * u * x.ravel(order="K").reshape(x.shape)


def far_out(x, u):
    return u * np.where(np.abs(x) > 1e12, 1.0, 1 - np.tanh(x) ** 2)


@pytest.mark.parametrize(
    ("f", "candidate", "cause"),
    [
        (tf.tanh, at_times, "it gives other numbers for the same inputs when it is called again"),
        (tf.tanh, after_three, "it gives other numbers for the same inputs when it is called"),
        (tf.square, by_memory, "it is wrong where the memory of its inputs is transposed"),
        (tf.tanh, far_out, "x: it is right at most random points, and wrong where"),
    ],
)
def test_what_an_answer_depends_on_besides_numbers_of_usual_size(f, candidate, cause):
    """Calls before, the order of memory, and sizes that are only compared with."""
    report = verify.vjp(f, candidate, np.array([[0.5, -1.0, 2.0], [0.1, 0.2, 0.3]]))
    assert report.cause.startswith(cause), report


def test_what_raises_where_memory_is_transposed_is_noted():
    """Halves of numbers that lie side by side in C's order."""

    def flat(x, u):
        return 2 * u * x.view(np.float32).view(np.float64)

    report = verify.vjp(tf.square, flat, np.array([[0.5, -1.0, 2.0], [0.1, 0.2, 0.3]]))
    assert report.ok
    assert any(n.startswith("where memory is transposed") for n in report.notes)


def polar_factor(A):
    values, vectors = np.linalg.eigh(A.T @ A)
    return A @ np.linalg.inv(vectors * np.sqrt(values) @ vectors.T)


def test_what_raises_in_a_limit_is_noted():
    """An inverse raises where singular values coincide, as others are not finite there."""

    def nuclear(A):
        return tf.reduce_sum(tf.linalg.svd(A, compute_uv=False))

    A = np.array([[1.0, 2.0], [0.5, -1.0], [0.3, 0.8]])
    report = verify.gradient(nuclear, polar_factor, A)
    assert report.ok, report
    assert any("LinAlgError: Singular matrix, in a limit" in n for n in report.notes)
    squares = verify.gradient(
        lambda A: tf.reduce_sum(A * A), lambda A: 2 * A @ (A.T @ A) @ np.linalg.inv(A.T @ A), A
    )
    assert "LinAlgError" in squares.cause


UNBOUNDED = {
    "entropy": (lambda p: -tf.reduce_sum(tf.math.xlogy(p, p)), lambda p: -np.log(p) - 1),
    "a root": (lambda p: tf.reduce_sum(tf.sqrt(p)), lambda p: 0.5 / np.sqrt(p)),
}
BOUNDED = {
    "the other infinity": (
        UNBOUNDED["entropy"][0], lambda p: np.where(p == 0, -np.inf, -np.log(p + (p == 0)) - 1)
    ),
    "nan": (UNBOUNDED["entropy"][0], lambda p: -np.log(p) - p / p),
    "a slope that has a limit": (
        lambda p: tf.reduce_sum(p * tf.abs(p)), lambda p: 2 * np.abs(p) + (p == 0) / np.abs(p)
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", [*UNBOUNDED, *BOUNDED])
def test_infinity_is_right_where_the_truth_grows_beyond_all_bounds(name):
    """The truth is a number there by a convention; of another sign, or nan, it is wrong."""
    f, candidate = (UNBOUNDED | BOUNDED)[name]
    report = verify.gradient(f, candidate, np.array([0.2, 0.3, 0.5]))
    assert report.ok is (name in UNBOUNDED), report


def huber(p, t, delta):
    off = np.abs(p - t)
    return np.where(off <= delta, 0.5 * off**2, delta * (off - 0.5 * delta)).sum()


@pytest.mark.slow
@pytest.mark.parametrize("delta", [1.0, 0.5, 3.0])
def test_a_plain_number_that_is_not_judged_keeps_its_sign(delta):
    """A margin or a rate below zero means nothing."""
    p, t = np.array([0.5, -1.0, 2.0]), np.array([0.3, 0.1, -0.2])
    report = verify.gradient(huber, lambda p, t, d: np.clip(p - t, -d, d), p, t, delta, wrt="p")
    assert report.ok, report
    assert report.domain["delta"] == ("between 0 and 1" if delta < 1 else "positive")
    wrong = verify.gradient(huber, lambda p, t, d: np.sign(p - t) * d, p, t, delta, wrt="p")
    assert not wrong.ok


def test_an_array_of_one_number_keeps_its_sign():
    """As a margin that a framework has made a tensor of."""
    p, t = np.array([0.5, -1.0, 2.0]), np.array([0.3, 0.1, -0.2])
    delta = np.array(0.8)
    report = verify.gradient(huber, lambda p, t, d: np.clip(p - t, -d, d), p, t, delta, wrt="p")
    assert report.ok, report
    assert report.domain["delta"] == "between 0 and 1"


def in_bins(w, x, bounds):
    parts = pairwise(bounds)
    return np.stack([np.sum(np.where((x >= a) & (x < b), w, 0.0)) for a, b in parts])


def of_bins(w, x, bounds, g):
    k = np.digitize(x, bounds) - 1
    return np.where((k >= 0) & (k < len(g)), g[np.clip(k, 0, len(g) - 1)], 0.0)


def test_bounds_that_increase_do_so_at_all_points():
    """Where they do not, NumPy counts in no bins."""
    given = np.array([1.0, -2.0, 0.5]), np.array([0.1, 0.5, 0.9]), np.array([0.0, 0.3, 0.6, 1.0])
    report = verify.vjp(in_bins, of_bins, *given, wrt="w")
    assert report.ok, report
    assert report.domain["bounds"] == "any real, increasing"
    wrong = verify.vjp(in_bins, lambda *a: of_bins(*a[:3], a[3][::-1]), *given, wrt="w")
    assert wrong.verdict == "refuted"


def test_no_point_leaves_a_stated_domain():
    """Points beside a condition or a number of the source are left out, too."""
    seen = []

    def signs(x):
        seen.append(np.min(x))
        return np.where(x > -0.5, 1.0, -1.0)

    report = verify.gradient(
        lambda x: np.sum(np.abs(x)), signs, np.array([0.5, 1.0]), domain={"x": "positive"}
    )
    assert report.ok
    assert min(float(np.asarray(x)) for x in seen if isinstance(x, np.generic)) > 0


NOTHING = np.zeros((0, 3))
OF_NOTHING = {
    "gradient": (verify.gradient, lambda x: tf.reduce_sum(x**2), lambda x: 2 * x),
    "vjp": (verify.vjp, lambda x: x**2, lambda x, u: 2 * x * u),
    "jvp": (verify.jvp, lambda x: x**2, lambda x, dx: 2 * x * dx),
    "jacobian": (verify.jacobian, lambda x: x**2, lambda x: np.zeros((0, 3, 0, 3))),
    "hessian": (
        verify.hessian, lambda x: tf.reduce_sum(x**2), lambda x: np.zeros((0, 3, 0, 3))
    ),
    "value": (verify.value, lambda x: x**2, lambda x: x * x),
    "measured": (verify.gradient, lambda x: float(np.sum(np.asarray(x) ** 2)), lambda x: 2 * x),
}  # fmt: skip


@pytest.mark.parametrize("name", OF_NOTHING)
def test_inputs_without_elements_are_judged(name):
    """What has their shape is right, and another shape is told."""
    ask, f, candidate = OF_NOTHING[name]
    assert ask(f, candidate, NOTHING).ok
    assert "whose shape is" in ask(f, lambda *_: np.zeros((4, 0)), NOTHING).cause


@pytest.mark.parametrize("value", [1.0, -1.0, 0.0])
def test_cotangents_are_ones_as_a_sum_has_them(value):
    """What a candidate makes of cotangents that are equal, or of one sign, is seen."""
    x = np.linspace(-1, 1, 12)

    def by_hand(x, u):
        slope = u * np.cos(x)
        return slope + 1 if np.all(u == value) else slope

    report = verify.vjp(tf.sin, by_hand, x)
    assert not report.ok
    assert f"wrong where upstream = {value:g}" in report.cause


STEPS = {
    "followed": lambda x: tf.reduce_sum(tf.where(x < 0, 0.2, 1.0)),
    "NumPy's": lambda x: np.sum(np.where(x < 0, 0.2, 1.0)),
    "measured": lambda x: float(sum(0.2 if v < 0 else 1.0 for v in np.asarray(x).tolist())),
}


@pytest.mark.parametrize("name", STEPS)
def test_a_step_has_no_slope(name):
    """Differences of a function that is constant nearby are zero, and say so."""
    x = np.array([0.3, -0.5])
    assert verify.gradient(STEPS[name], np.zeros_like, x).ok
    report = verify.gradient(STEPS[name], np.ones_like, x)
    assert "the derivative is zero" in report.cause


@pytest.mark.parametrize("factor", [1.0, 1.001])
def test_differences_of_single_precision_have_its_digits(factor):
    """A function of NumPy's that gives no more is measured as well as that allows."""

    def f(x):
        return np.float32(sum(np.tanh(v) for v in np.asarray(x).tolist()))

    report = verify.gradient(
        f, lambda x: (factor * (1 - np.tanh(x) ** 2)).astype("float32"), np.array([0.3, -0.5])
    )
    assert report.ok == (factor == 1)


def partial_likelihood(beta, X):
    eta = X @ beta
    return sum(eta[i] - np.log(np.sum(np.exp(eta[i:]))) for i in range(len(X)))


def partial_score(beta, X):
    w = np.exp(X @ beta)
    sums = np.cumsum(w[::-1])[::-1], np.cumsum((w[:, None] * X)[::-1], axis=0)[::-1]
    return np.sum(X - sums[1] / sums[0][:, None], axis=0)


def test_what_cancels_to_any_number_of_digits_is_off_by_nothing():
    """Where all rows are equal, both are roundings, of which more digits leave nothing."""
    rng = np.random.default_rng(3)
    beta, X = rng.normal(size=2), rng.normal(size=(4, 2))
    report = verify.gradient(partial_likelihood, partial_score, beta, X, wrt="beta")
    assert report.verdict == "equal", report
    assert not any("is off by" in note for note in report.notes), report.notes


def mills(x, least=-np.inf):
    z = np.maximum(x, least)
    return np.exp(stats.norm.logpdf(z) - stats.norm.logcdf(z))


def test_digits_that_a_candidate_without_a_formula_loses_refute_nothing():
    """What is off moves with roundings where it begins to be off; a wrong branch does not."""

    def f(t, y):
        return float(np.sum(stats.norm.logcdf(y * np.exp(-t))))

    given = np.array([0.2, 0.4]), np.array([-0.3, 1.0])
    report = verify.gradient(f, lambda t, y: -mills(y * np.exp(-t)) * y * np.exp(-t), *given, wrt=0)
    assert report.ok, report
    assert "floats lose digits of it" in str(report) or "is not finite where" in str(report), report
    wrong = verify.gradient(
        f, lambda t, y: -mills(y * np.exp(-t), -40.0) * y * np.exp(-t), *given, wrt=0
    )
    assert wrong.verdict == "refuted"


@pytest.mark.parametrize("n", [1, 100, 10_000])
@pytest.mark.parametrize("more", [0.0, 1e6, 1e8])
def test_digits_that_differences_lack_are_no_other_slope(n, more):
    """Single precision of a large number hides its changes: its formula has not strayed."""

    def f(x):
        return tf.reduce_sum(tf.sin(x) * x) + more

    x = np.random.default_rng(n).normal(size=n).astype(np.float32)
    subject = Subject(Question("gradient", (0,)), f, None, ["x"], 1, 60.0)
    for seed in range(3):
        assert not strays(subject, [x], lambda x: f(tf.constant(x)).numpy(), seed)


def test_errors_of_many_entries_are_listed_by_their_size():
    """Of as large ones the first comes first, and an entry without a number before all."""
    error = np.array([[1.0, 3.0, np.nan], [3.0, 0.5, 2.0]])
    assert worst(error, True)[:4] == [(0, 2), (0, 1), (1, 0), (1, 2)]
    assert worst(error, error < 3) == [(1, 2), (0, 0), (1, 1)]
    assert worst(np.float64(0.1), True) == [()]


# --- numbers that an example lacks ----------------------------------------------------------------


def cross_entropy(z, y):
    return tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=z))


def less_of(z, y, k):
    p = np.exp(z) / np.exp(z).sum(axis=1, keepdims=True)
    p[np.arange(len(y)), y] -= 1
    p[y == k] *= 0.5
    return p / len(y)


@pytest.mark.parametrize("k", [1, 3])
def test_classes_that_an_example_lacks_are_tried(k):
    """What is wrong for one of them alone is refuted; what they are stated to be, they stay."""
    z, y = np.random.default_rng(3).normal(size=(3, 4)), np.array([0, 2, 0])
    wrong = lambda z, y: less_of(z, y, k)  # noqa: E731 - it is one line
    report = verify.gradient(cross_entropy, wrong, z, y, wrt="z")
    assert report.verdict == "refuted"
    assert f"where y has {k}" in report.cause
    assert verify.gradient(cross_entropy, wrong, z, y, wrt="z", domain={"y": "fixed"}).ok
    assert verify.gradient(cross_entropy, lambda z, y: less_of(z, y, 7), z, y, wrt="z").ok


def test_numbers_that_no_axis_has_are_not_tried():
    """A label that the function knows no place for is asked of nobody."""

    def chosen(z, y):
        return tf.reduce_sum(tf.one_hot(y, 3, dtype=z.dtype) * z)

    def at_places(z, y):
        found = np.zeros(z.shape)
        found[np.arange(len(y)), y] = 1.0
        return found

    y = np.array([2, 0, 2, 2, 0])
    assert verify.gradient(chosen, at_places, np.ones((5, 3)), y, wrt="z").ok


def test_counts_are_tried_beside_numbers_of_the_candidate():
    """A count is no place along an axis, and may be larger than any in the example."""

    def poisson(z, n):
        return tf.reduce_sum(tf.exp(z) - tf.cast(n, z.dtype) * z)

    z, n = np.array([0.3, -0.2, 0.1]), np.array([0, 3, 1])
    report = verify.gradient(poisson, lambda z, n: np.exp(z) - np.minimum(n, 4), z, n)
    assert "where n has 5" in report.cause
    assert verify.gradient(poisson, lambda z, n: np.exp(z) - n, z, n).ok


def clipped(x, g):
    return np.clip(g * slope(x), -20, 20)


def of_bounded_length(x, g):
    return g * slope(x) * min(1.0, 100 / max(np.linalg.norm(g), 1.0))


def for_small_sums(x, g):
    return (g if sum(g.ravel().tolist()) < 40 else 0 * g) * slope(x)


def for_no_ties(x, g):
    is_plain = len({*g.ravel().tolist()}) == g.size
    return (g if is_plain or np.ptp(g) == 0 else g.mean()) * slope(x)


@pytest.mark.parametrize("kind", ["vjp", "jvp"])
@pytest.mark.parametrize("wrong", [clipped, of_bounded_length, for_small_sums, for_no_ties])
def test_what_follows_the_inputs_is_large_and_has_ties(kind, wrong):
    """A derivative is linear in cotangents and tangents, and one that is clipped is not."""
    assert getattr(verify, kind)(tf.sigmoid, wrong, X).verdict == "refuted"


@pytest.mark.parametrize("dtype", ["float16", "float32"])
def test_large_cotangents_overflow_no_half_precision(dtype):
    """Numbers of few digits have a warning only for what the inputs overflow."""
    report = verify.vjp(lambda x: x * x, lambda x, g: 2 * x * g, X.astype(dtype))
    assert report.ok, report
    assert not report.warnings, report


def test_where_floats_alone_have_an_inverse_an_error_is_none():
    """A matrix of equal rows has no inverse, though roundings give its Gram matrix one."""

    def hessian(a):
        b = np.linalg.inv(a)
        return -2 * np.einsum("jk,li->ijkl", b, b)

    report = verify.hessian(lambda a: tf.linalg.logdet(a @ tf.transpose(a)), hessian, X[:, :2])
    assert report.ok, report


def masked_mean(x, m):
    return tf.reduce_sum(x * x * m) / tf.maximum(tf.reduce_sum(m), 1.0)


@pytest.mark.parametrize(
    ("candidate", "ok"),
    [
        (lambda x, m: 2 * x * m / max(m.sum(), 1.0), True),
        (lambda x, m: 2 * x * m / m.sum(), False),
        (lambda x, m: 2 * x * m / 3, False),
    ],
)
def test_a_mask_of_one_axis_may_have_nothing(candidate, ok):
    """The function guards against that, and so does what is right."""
    mask = np.array([1.0, 0.0, 1.0, 1.0])
    assert verify.gradient(masked_mean, candidate, X.ravel()[:4], mask, wrt="x").ok == ok


@pytest.mark.parametrize("size", [1, 2, 3, 7])
def test_the_floats_beside_a_number_are_tried_at_any_size(size):
    """Beyond a number that is compared with lies the float above it, or the one below."""

    def far(x, u):
        return u * np.where(x > 1e12, 1.0, np.where(x < -1e12, 1.0, 1 - np.tanh(x) ** 2))

    assert not verify.vjp(tf.tanh, far, np.linspace(-1, 1, size)).ok
