"""Sums over an index in LaTeX, beside the same sums by loops, and what is refused of them."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import symtape as tf
from symtape import verify
from tests.test_notation_latex import Values


def added(f, *rows):
    """Add up what a function gives for rows that have one index."""
    return sum(f(*row) for row in zip(*rows, strict=True))


BY_LOOPS = {
    r"\sum_{i=1}^n (y_i - x_i^T b)^2": (
        "b", "2 Xᵀ (X b - y)", lambda q: added(lambda y, x: (y - x @ q.b) ** 2, q.y, q.X)
    ),
    r"\frac{1}{2n}\sum_{i=1}^{n}(y_i-\mathbf{w}^\top\mathbf{x}_i)^2 + \lambda\|\mathbf{w}\|^2": (
        "w", "Xᵀ (X w - y) / n + 2 lambda w",
        lambda q: added(lambda y, x: (y - q.w @ x) ** 2, q.y, q.X) / (2 * len(q.y))
        + q["lambda"] * q.w @ q.w,
    ),
    r"\frac1n\sum_{i=1}^{n} \log(1 + e^{-y_i w^\top x_i})": (
        "w", "-Xᵀ (y ⊙ σ(-y ⊙ (X w))) / n",
        lambda q: added(lambda y, x: np.log(1 + np.exp(-y * (q.w @ x))), q.y, q.X) / len(q.y),
    ),
    r"\frac{1}{N}\sum_{k=1}^N \|x_k - \mu\|^2": (
        "X", "2 (X - 𝟏 muᵀ) / N",
        lambda q: added(lambda x: (x - q.mu) @ (x - q.mu), q.X) / len(q.X),
    ),
    r"\sum_i (x_i-\mu)^\top \Sigma^{-1} (x_i-\mu)": (
        "Sigma", "-Sigma⁻ᵀ (X - 𝟏 muᵀ)ᵀ (X - 𝟏 muᵀ) Sigma⁻ᵀ",
        lambda q: added(lambda x: (x - q.mu) @ np.linalg.solve(q.Sigma, x - q.mu), q.X),
    ),
    r"\log \sum_{i=1}^m \exp(a_i^\top x + b_i)": (
        "x", "Aᵀ softmax(A x + b)",
        lambda q: np.log(added(lambda a, b: np.exp(a @ q.x + b), q.A, q.b)),
    ),
    r"\sum_i p_i \log\frac{p_i}{q_i}": (
        "p", "𝟏 + log(p ⊘ q)", lambda q: added(lambda p, r: p * np.log(p / r), q.p, q["q"])
    ),
    r"\sum_i x_i^2 + c \sum_{j} x_j y_j": (
        "x", "c y + 2 x", lambda q: added(lambda x, y: x**2 + q.c * x * y, q.x, q.y)
    ),
    r"\left(\sum\nolimits_{i=1}^3 x_i\right)^2": (
        "x", "2 (𝟏ᵀ x) 𝟏", lambda q: added(lambda x: x, q.x) ** 2
    ),
    r"\|\frac1n \sum_{i=1}^n x_i - \mu\|^2": (
        "X", "2 𝟏 (𝟏ᵀ X / n - muᵀ) / n",
        lambda q: np.sum((added(lambda x: x, q.X) / len(q.X) - q.mu) ** 2),
    ),
    r"\sum_{t=1}^T \max(0, 1 - y_t (w^\top x_t + b))": (
        "w", "-Xᵀ (y ⊙ [y ⊙ (X w + b 𝟏) < 1])",
        lambda q: added(lambda y, x: max(0, 1 - y * (q.w @ x + q.b)), q.y, q.X),
    ),
    r"\sum_i (y_i x_i^\top b - \exp(x_i^\top b))": (
        "b", "Xᵀ (y - exp(X b))",
        lambda q: added(lambda y, x: y * (x @ q.b) - np.exp(x @ q.b), q.y, q.X),
    ),
    r"\sum_i (y_i - \hat{y}_i)^2 - \sum_i x_i^\top B x_i": (
        "B", "-Xᵀ X", lambda q: -added(lambda x: x @ q.B @ x, q.X)
    ),
    r"\sum_i \operatorname{tr}(B x_i x_i^\top) c_i": (
        "B", "Xᵀ diag(c) X",
        lambda q: added(lambda x, c: c * np.trace(q.B @ np.outer(x, x)), q.X, q.c),
    ),
    r"\sum_{t=2}^T (x_t - c x_{t-1})^2": (
        "c", "2 x[0:T - 1]ᵀ (c x[0:T - 1] - x[1:T])",
        lambda q: sum((q.x[t] - q.c * q.x[t - 1]) ** 2 for t in range(1, len(q.x))),
    ),
    r"\frac{1}{T-1}\sum_{t=1}^{T-1} \exp(x_{t+1} - x_t)": (
        "x", "(I[1:T] - I[0:T - 1])ᵀ exp(x[1:T] - x[0:T - 1]) / (T - 1)",
        lambda q: np.mean([np.exp(q.x[t + 1] - q.x[t]) for t in range(len(q.x) - 1)]),
    ),
    r"\sum_{t=2}^{T} \|x_t - A x_{t-1}\|^2": (
        "A", "2 (A X[0:T - 1]ᵀ - X[1:T]ᵀ) X[0:T - 1]",
        lambda q: sum(np.sum((q.X[t] - q.A @ q.X[t - 1]) ** 2) for t in range(1, len(q.X))),
    ),
    r"\sum_{i=2}^{n-1} (x_{i+1} - 2x_i + x_{i-1})^2": (
        "x", "2 (I[2:n] + I[0:n - 2] - 2 I[1:n - 1])ᵀ (x[0:n - 2] + x[2:n] - 2 x[1:n - 1])",
        lambda q: sum(
            (q.x[i + 1] - 2 * q.x[i] + q.x[i - 1]) ** 2 for i in range(1, len(q.x) - 1)
        ),
    ),
    r"\frac12\|x-y\|^2 + \lambda\sum_{i=1}^{n-1}(x_{i+1}-x_i)^2": (
        "x", "x - 2 lambda (I[0:n - 1] - I[1:n])ᵀ (x[1:n] - x[0:n - 1]) - y",
        lambda q: np.sum((q.x - q.y) ** 2) / 2
        + q["lambda"] * sum((q.x[i + 1] - q.x[i]) ** 2 for i in range(len(q.x) - 1)),
    ),
    r"\sum_{i=1}^{n-1} [100(x_{i+1}-x_i^2)^2 + (1-x_i)^2]": (
        "x",
        (
            "2 (I[0:n - 1]ᵀ (x[0:n - 1] + 200 (x[0:n - 1] ⊙ (x[0:n - 1]^⊙2 - x[1:n])) - 𝟏) "
            "- 100 I[1:n]ᵀ (x[0:n - 1]^⊙2 - x[1:n]))"
        ),
        lambda q: sum(
            100 * (q.x[i + 1] - q.x[i] ** 2) ** 2 + (1 - q.x[i]) ** 2 for i in range(len(q.x) - 1)
        ),
    ),
    r"\sum_{i,j} u_{ij}^2 + \sum_{i=1}^{m-1}\sum_{j=1}^{n} (u_{i+1,j} - u_{ij})^2": (
        "u", "2 ((I[0:m - 1] - I[1:m])ᵀ (u[0:m - 1] - u[1:m]) + u)",
        lambda q: np.sum(q.u**2)
        + sum(np.sum((q.u[i + 1] - q.u[i]) ** 2) for i in range(len(q.u) - 1)),
    ),
    r"\sum_{k=0}^n y_k x_k + \frac1n \sum_{k=1}^{n} y_k x_{k-1}": (
        "y", "I[1:5]ᵀ x[0:4] / n + x",
        lambda q: q.x @ q.y + np.mean([q.y[k] * q.x[k - 1] for k in range(1, len(q.x))]),
    ),
    r"\log\prod_{i=1}^n \frac{1}{\sqrt{2\pi}s} \exp\left(-\frac{(x_i-m)^2}{2s^2}\right)": (
        "s", "‖x - m 𝟏‖² / s³ - n/s",
        lambda q: np.sum(-((q.x - q.m) ** 2) / (2 * q.s**2) - np.log(q.s)),
    ),
    r"\log\frac{c^2 \prod_{i=1}^n (p^{x_i} e^{-p})}{\prod_i y_i}": (
        "p", "𝟏ᵀ x / p - n", lambda q: np.sum(q.x * np.log(q.p) - q.p)
    ),
    r"\log\prod_{t=2}^T e^{-(x_t - r x_{t-1})^2}": (
        "r", "2 x[0:T - 1]ᵀ (x[1:T] - r x[0:T - 1])",
        lambda q: -np.sum((q.x[1:] - q.r * q.x[:-1]) ** 2),
    ),
    r"\ln \prod_{i,j} A_{ij}": ("A", "(𝟏 𝟏ᵀ) ⊘ A", lambda q: np.sum(np.log(q.A))),
    r"\frac1n \sum_{k=0}^{n-1} (x_k - \mu)^2": (
        "x", "2 (x - mu 𝟏) / n", lambda q: np.mean((q.x - q.mu) ** 2)
    ),
    r"\sum_{i=1}^{4} x_i x_{i+1}": (
        "x", "I[0:4]ᵀ x[1:5] + I[1:5]ᵀ x[0:4]",
        lambda q: sum(q.x[i] * q.x[i + 1] for i in range(4)),
    ),
    r"\sum_{i=3}^{n} x_i^2 + \sum_{j=1}^{n-2} x_j x_{j+2}": (
        "x", "I[0:n - 2]ᵀ x[2:n] + I[2:n]ᵀ (x[0:n - 2] + 2 x[2:n])",
        lambda q: sum(q.x[i] ** 2 for i in range(2, len(q.x)))
        + sum(q.x[j] * q.x[j + 2] for j in range(len(q.x) - 2)),
    ),
    r"\sum_{i=1}^{n-1} \sum_{j=1}^{n-1} A_{i+1,j} A_{i,j+1}": (
        "A", "I[0:n - 1]ᵀ A[1:n, 0:n - 1] I[1:n] + I[1:n]ᵀ A[0:n - 1, 1:n] I[0:n - 1]",
        lambda q: sum(
            q.A[i + 1, j] * q.A[i, j + 1]
            for i in range(len(q.A) - 1) for j in range(len(q.A) - 1)
        ),
    ),
}  # fmt: skip
"""By what each is derived, what is printed, and the same with a loop over rows."""


@pytest.mark.parametrize("tex", BY_LOOPS)
def test_sums_are_those_of_loops_over_rows(tex: str) -> None:
    """Derivatives are differences of a function with a loop, and are printed without an index."""
    assert_by_differences(tex, *BY_LOOPS[tex])


def assert_by_differences(tex, wrt, text, f):
    """Assert what is printed of a derivative, and that its values are differences of a function."""
    found = tf.differentiate(tex, wrt, notation="latex")
    assert found.text() == text
    rng, sizes = np.random.default_rng(5), {"": 0}
    shapes = {
        v: [n if isinstance(n, int) else sizes.setdefault(n, 3 + len(sizes)) for n in s]
        for v, s in found.shapes.items()
    }
    at = Values({v: rng.uniform(0.5, 1.5, shape) for v, shape in shapes.items()})
    value = pickle.loads(pickle.dumps(tf.differentiate(tex, wrt, notation="latex", at=at))).value
    slopes = np.zeros(shapes[wrt])
    for k in np.ndindex(*shapes[wrt]):
        step = np.zeros(shapes[wrt])
        step[k] = 1e-6
        slopes[k] = f(Values({**at, wrt: at[wrt] + step})) - f(Values({**at, wrt: at[wrt] - step}))
    assert np.allclose(value, slopes / 2e-6, rtol=1e-6, atol=1e-7)


def test_a_logarithm_of_a_product_is_judged_by_its_value() -> None:
    """It has one where two factors are negative, and their logarithms have none."""
    x = np.array([-1.0, -2.0, 3.0])
    assert verify.value(lambda x: np.log(np.prod(x)), r"\log\prod_i x_i", x).ok
    assert verify.gradient(lambda x: np.log(np.prod(x)), r"\frac{1}{x}", x).ok


def mean_of_squares(X, y, w):
    """The loss of a linear model."""
    return tf.reduce_mean((tf.linalg.matvec(X, w) - y) ** 2)


MODEL = [np.array([[1.0, 2.0], [0.5, -1.0], [3.0, 0.1]]), np.array([1.0, 0.0, 2.0]), np.ones(2)]

JUDGED = {
    r"\frac{2}{n}\sum_{i=1}^n (x_i^\top w - y_i) x_i": True,
    r"\frac{2}{n}\sum_{i=1}^n (x_i^\top w + y_i) x_i": False,
    r"\frac{1}{n}\sum_{i=1}^n (x_i^\top w - y_i) x_i": False,
    r"2\sum_i (x_i^\top w - y_i) x_i": False,
    r"\frac{2}{3}\sum_{i=1}^3 (x_i^\top w - y_i) x_i": False,
}
"""The gradient by w as papers have it, right for any number of rows and wrong."""


def lagged(x, r):
    """The squared errors of a regression on the value before."""
    return np.sum((x[1:] - r * x[:-1]) ** 2)


LAGGED = {
    r"-2\sum_{t=2}^T x_{t-1}(x_t - r x_{t-1})": True,
    r"-2\sum_{t=2}^T x_t(x_t - r x_{t-1})": False,
    r"-2\sum_{t=1}^{T-1} x_t(x_{t+1} - r x_t)": True,
    r"2\sum_{t=1}^T x_{t-1}(r x_{t-1} - x_t)": True,
    r"2\sum_{t=1}^3 x_t(r x_t - x_{t+1})": True,
    r"-2\sum_{t=2}^T x_{t-1} x_t + 2r\sum_{t=1}^{T-1} x_t^2": True,
    r"-2\sum_{t=2}^T x_{t-1} x_t + 2r\sum_{t=1}^T x_t^2": False,
    r"(T-1)\sum_{t=2}^T x_{t-1}(r x_{t-1} - x_t)": False,
}
"""The gradient by r, right and wrong."""


@pytest.mark.parametrize("tex", LAGGED)
def test_rows_before_and_behind_are_candidates(tex: str) -> None:
    """Of places from 1 or from 0, and at any length."""
    report = verify.gradient(lagged, tex, np.array([1.0, 2.0, 4.0, 3.0]), 0.5, wrt="r")
    assert report.ok is LAGGED[tex], report


@pytest.mark.parametrize("tex", JUDGED)
def test_sums_over_rows_of_inputs_are_candidates(tex: str) -> None:
    """What has the index is a row of the input that has the letter, large or small."""
    report = verify.gradient(mean_of_squares, tex, *MODEL, wrt="w")
    assert report.ok is JUDGED[tex], report
    assert "line" not in (report.cause or "").split(), report.cause


def test_a_product_over_an_index_is_a_candidate() -> None:
    """Of all entries, as a likelihood is."""

    def likelihood(c, p):
        return c * tf.reduce_prod(1 - p)

    given = np.array(2.0), np.array([0.5, 0.25, 0.125])
    right, wrong = [rf"\prod_{{i=1}}^n (1 {sign} p_i)" for sign in "-+"]
    assert verify.gradient(likelihood, right, *given, wrt="c").ok
    assert verify.gradient(likelihood, wrong, *given, wrt="c").verdict == "refuted"


@pytest.mark.parametrize(
    ("tex", "told"),
    [
        (r"\sum_i x_i", "is x_i a row of x or of X"),
        (r"\sum_{i=1}^n n x_i", "n is an input, and how far a sum goes"),
        (r"\sum_i z_i", "z_i is none of the inputs"),
    ],
)
def test_rows_of_no_input_or_of_two_are_refused(tex: str, told: str) -> None:
    """Nobody can tell x_i of x from that of X."""

    def several(x, X, n):
        return n * tf.reduce_sum(tf.linalg.matvec(X, x))

    with pytest.raises(tf.errors.NotationError, match=told):
        verify.gradient(several, tex, np.ones(2), np.ones((3, 2)), 2.0, wrt="x")


def test_shapes_are_told_of_whole_arrays() -> None:
    """As their values are; a row has the others of their sizes."""
    tex = r"\sum_i (y_i - x_i^\top b)^2"
    found = tf.differentiate(tex, "b", shapes={"X": ["k", 2], "y": ["k"]})
    assert found.shapes == {"y": ("k",), "X": ("k", 2), "b": (2,)}
    with pytest.raises(tf.errors.NotationError, match="is x_i a row of x or of X"):
        tf.differentiate(tex, "b", shapes={"X": ["k", 2], "x": ["k"]})


def test_rows_are_said_to_be_rows() -> None:
    """Columns with an index are the rows of the matrix that has the large letter."""
    found = tf.differentiate(r"\sum_{i=1}^N (y_i - x_i^T b)^2", "b", shapes={"x_i": ["p"]})
    assert str(found).endswith("where y: N, X: N × p with rows x_i, b: p")
    taken = tf.differentiate(r"\sum_i x_i^\top X x_i", "X").shapes
    assert taken == {"x": ("n", "m"), "X": ("m", "m")}


REFUSED = {
    r"\sum_i x_i + y_i": "the index of a sum, which ends",
    r"\sum_i i x_i": "no number in it",
    r"\sum_i x_i x_j": "x_j may be made of all x_i, or one of them",
    r"\frac{e^{z_k}}{\sum_i e^{z_i}}": "z_k may be",
    r"\sum_i (x_i - \bar x)^2": "x_bar may be",
    r"\sum_i (x_i - x)^2": "x may be",
    r"\sum_i A_{ij} x_i": "A_ij has i below it",
    r"\sum_{i=1}^{n-1} x_i": "how long is an axis of x_i",
    r"\sum_{i=1}^{n-1} y_{i+1} x_i": "how long is an axis of x_i",
    r"\sum_i x_i x_{i+1}": "how long is an axis of x_i",
    r"\sum_{i=1}^n x_i x_{i-2}": "how long is an axis of x_i",
    r"\sum_{i=1}^{n-1} x_i x_{i+1} + \sum_{j=1}^{m} x_j x_{j-1}": "how long is an axis of x_i",
    r"\sum_{i=1}^{n-1} x_{i+1}^2 - x_i": "the index of a sum, which ends",
    r"\sum_{i=1}^{n-1} A_{i,i+1}^2": "how long is an axis of A",
    r"\sum_{i=4}^{3} x_i": "nothing from 4 to 3",
    r"\sum_{i=1}^n x_i x_{j-1}": "is a row in a sum that has its index",
    r"\|x\|^2 + \sum_i x_i z_{t-1}": "is a row in a sum that has its index",
    r"x_{t-1}^2": "is a row in a sum that has its index",
    r"\sum_{i \in S} x_i": "goes over indices",
    r"\sum x": "the sum of a column is",
    r"\sum_i y": "nothing in the sum has the index i",
    r"\sum_i \operatorname{tr}(A_i B)": "is A_i a matrix",
    r"\sum_{i=1}^n x_i + \sum_{j=1}^m x_j": "not as many x_i here",
    r"a/\sum_i x_i": "below the line",
    r"\sum_i y_i \|A x_i\|^2": "is y_i a scalar, or a vector",
}
"""What a person may mean otherwise than it would be read."""


@pytest.mark.parametrize("tex", REFUSED)
def test_what_may_be_meant_otherwise_is_refused(tex: str) -> None:
    """A sum whose reach, rows or length are not clear has no derivative."""
    with pytest.raises(tf.errors.NotationError, match=REFUSED[tex]):
        tf.differentiate(tex, "x" if "A" not in tex else "A", notation="latex")
