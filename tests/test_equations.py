"""Equations, cases and printed text as candidates: each is read as it is written, or refused."""

from __future__ import annotations

import numpy as np
import pytest

import symtape as tf
from symtape import verify
from symtape.forms.tex.latex import Style
from symtape.notation.evaluation import compute
from symtape.notation.settling import Judged
from symtape.verify.candidates import _meaning
from tests.references import TABLES, Leaves, derived
from tests.sampling import ALL, some

A = np.array([[1.0, 2.0, 0.5], [0.3, -1.0, 2.0]])
X, Y = np.array([0.5, -1.0, 2.0]), np.array([1.0, 2.0])


def squares(A, x, y):
    """The sum of squares of a linear model."""
    return tf.reduce_sum((tf.linalg.matvec(A, x) - y) ** 2)


def rectified(x):
    """The sum of what is positive."""
    return tf.reduce_sum(tf.nn.relu(x))


SIDES = (
    r"\nabla_x f = 2A^\top(Ax-y)",
    r"\nabla_{\mathbf{x}}\, f(x) = 2A^\top(Ax-y).",
    r"\frac{\partial f}{\partial x} = 2A^\top(Ax-y)",
    r"\frac{d}{dx} f(x) := 2A^\top(Ax-y),",
    r"\partial_x f = 2A^\top(Ax-y)",
    r"g = 2A^\top(Ax-y)",
    r"\begin{align*}\nabla_x f &= 2A^\top(Ax-y) \\ &= 2A^\top A x - 2A^\top y\end{align*}",
    r"\nabla f &= 2A^\top A x \\ &\quad - 2A^\top y \tag{3}",
    r"2A^\top(Ax-y) = 2A^\top A x - 2A^\top y",
    r"\[ \hat g = 2A^\top(Ax-y) \] % the gradient",
)


@pytest.mark.parametrize("tex", SIDES)
def test_the_right_side_of_an_equation_is_judged(tex):
    """What stands left is the name of a derivative, and each other side is a candidate."""
    assert verify.gradient(squares, tex, A, X, Y, wrt="x").ok


def test_each_side_of_an_equation_is_judged():
    """One that is wrong refutes the equation, wherever it stands."""
    right, wrong = r"2A^\top(Ax-y)", r"2A^\top A x - A^\top y"
    for tex in (f"{right} = {wrong}", rf"\nabla f = {wrong} = {right}"):
        report = verify.gradient(squares, tex, A, X, Y, wrt="x")
        assert report.cause.startswith(f"of the equation, {wrong}: x: the term"), report


@pytest.mark.parametrize(
    ("tex", "told"),
    [
        (r"\nabla_A f = 2A^\top(Ax-y)", "is a derivative by A, and x is judged"),
        (r"\nabla_x f = 2A^\top(Ax-y) \\ \nabla_A f = 2(Ax-y)x^\top", "another equation begins"),
        (r"\nabla_x f = ", "a side of the equation is missing"),
        (r"2\sum_i A_{i}(A_i x - y_i)", "which is meant"),
    ],
)
def test_what_an_equation_does_not_claim_is_refused(tex, told):
    """A derivative by another input, two equations, nothing, and rows that may be columns."""
    with pytest.raises(tf.errors.NotationError, match=told):
        verify.gradient(squares, tex, A, X, Y, wrt="x")


@pytest.mark.parametrize("text", [r"A^{-1}y", "A⁻¹ y"])
def test_an_inverse_is_one_of_square_matrices(text):
    """It is refused by the shape, and not by a power."""
    with pytest.raises(tf.errors.NotationError, match="of square matrices, and not of a matrix of"):
        verify.gradient(squares, text, A, X, Y, wrt="x")


def test_a_row_is_no_vector():
    """What is an outer product of columns is a number of NumPy's vectors: a person has to say."""
    f = lambda S, y: tf.tensordot(y, tf.linalg.matvec(S, y), 1)  # noqa: E731 - a case
    square = A[:, :2]
    with pytest.raises(tf.errors.NotationError, match="which is meant"):
        verify.gradient(f, "y @ y.T", square, Y, wrt="S")
    assert verify.gradient(f, "np.outer(y, y)", square, Y, wrt="S").ok


CASES = (
    r"\begin{cases}1 & x>0\\0 & x\le 0\end{cases}",
    r"\begin{cases}1, & \text{if } x>0,\\0, & \text{otherwise.}\end{cases}",
    r"f'(x) = \begin{cases} 0 & \text{for } x < 0 \\[2pt] 1 & \text{for } x \geq 0 \end{cases}",
    r"\begin{cases}0 & x<-1 \\ 0 & -1 \le x < 0 \\ 1 & \text{else}\end{cases}",
    r"\mathbf{1}_{x>0}",
    r"\mathbb{1}_{\{x > 0\}}",
    r"\mathds{1}_{[x > 0]}",
    r"\mathbbm{1}[x>0]",
)


@pytest.mark.parametrize("tex", CASES)
def test_values_by_cases_are_read(tex):
    """The first case that holds counts; a 1 has its condition in brackets or below."""
    assert verify.gradient(rectified, tex, X).ok
    wrong = tex.replace("1", "2", 1) if "cases" in tex else tex.replace(">", "<")
    assert not verify.gradient(rectified, wrong, X).ok


@pytest.mark.parametrize(
    ("tex", "told"),
    [
        (r"\begin{cases}1 & x>0\\0 & x<0\end{cases}", "nothing may be left over"),
        (r"\begin{cases}1 & \text{else}\\0 & x<0\end{cases}", "stands in the last case"),
        (r"\begin{cases}1 & x>0", "cannot be read"),
        (r"x & 1", "what is '&' here"),
    ],
)
def test_cases_that_leave_something_over_are_refused(tex, told):
    """Where no case holds there is no value."""
    with pytest.raises(tf.errors.NotationError, match=told):
        verify.gradient(rectified, tex, X)


def test_values_by_cases_are_of_any_dtype():
    """A case may be an input itself."""
    x = X.astype("float32")
    for text in (r"\begin{cases}x & x>0\\0 & \text{otherwise}\end{cases}",
                 r"x \odot \mathbf{1}[x > 0]", "np.where(x > 0, x, 0)"):  # fmt: skip
        assert verify.gradient(lambda x: tf.reduce_sum(tf.nn.relu(x) ** 2) / 2, text, x).ok
    tex = r"\mathbf{1}\mathbf{1}^\top A + A^\top + I"
    both = lambda A: tf.reduce_sum(tf.reduce_sum(A, axis=0) ** 2) / 2 + tf.linalg.trace(A @ A) / 2  # noqa: E731 - a case
    assert verify.gradient(lambda A: both(A) + tf.linalg.trace(A), tex, A[:, :2].astype("f")).ok


@pytest.mark.parametrize(
    ("text", "x"),
    [
        ("2 Aᵀ (A x - y)", X),
        ("2 Aᵀ A x - 2Aᵀ y", X),
    ],
)
def test_printed_text_is_a_candidate(text, x):
    """The signs of text are those of LaTeX."""
    assert verify.gradient(squares, text, A, x, Y, wrt="x").ok
    assert not verify.gradient(squares, text.replace("2", "3", 1), A, x, Y, wrt="x").ok


TEXTS = {
    "ones": (lambda x: tf.reduce_sum(tf.sigmoid(x)), "σ(x) ⊙ (𝟏 - σ(x))"),
    "a root": (lambda x: tf.norm(x), "x / √(xᵀ x)"),
    "a norm": (lambda x: tf.norm(x), "x / ‖x‖"),
    "powers of entries": (lambda x: tf.reduce_sum(x**3), "3 x^⊙2"),
    "quotients of entries": (lambda x: tf.reduce_sum(1 / x), "-𝟏 ⊘ x^⊙2"),
    "the normal distribution": (lambda x: tf.reduce_sum(tf.math.erf(x)), "2 exp(-x^⊙2) / √π"),
    "a bracket": (lambda x: tf.reduce_sum(tf.nn.relu(x)), "[x > 0] ⊙ 𝟏 + 0 [x ≤ 0]"),
}


@pytest.mark.parametrize("name", TEXTS)
def test_signs_of_text_are_read(name):
    """Each sign that is printed can be typed."""
    f, text = TEXTS[name]
    assert verify.gradient(f, text, X).ok


def test_ones_are_as_many_as_the_answer_has():
    """Nothing else says it where an outer product of ones is a factor."""
    square = A[:, :2]
    f = lambda X: tf.reduce_sum(X) ** 2  # noqa: E731 - a case
    assert verify.gradient(f, "2 (𝟏ᵀ X 𝟏) 𝟏 𝟏ᵀ", square).ok
    assert verify.gradient(f, r"2 (\mathbf{1}^\top X \mathbf{1}) \mathbf{1}\mathbf{1}^\top", A).ok


def read_or_refused(text, leaves, truth):
    """Give what a text computes of leaves, or None where it is refused."""
    names = [v for v in dir(leaves) if len(v) == 1]
    values = [getattr(leaves, v).numpy() for v in names]
    try:
        own = _meaning(text, names, values, Judged(truth.shape))
    except tf.errors.NotationError:
        return None
    given = {v: tf.constant(x) for v, x in zip(names, values, strict=True) if v in own.variables}
    return np.asarray(compute(own, given, {}))


@pytest.mark.slow
@pytest.mark.parametrize("table", TABLES)
def test_the_text_of_references_is_read_as_it_is_or_refused(table):
    """What is printed of derivatives has their values."""
    count = 0
    for name, row in some([*TABLES[table].items()], 24, 1):
        leaves = Leaves(3, 2, row.symmetric)
        found = derived(row, leaves)
        text = found.formula.text("plain", Style("matrix", symmetric=(*row.symmetric,)))
        value = read_or_refused(text, leaves, found.numpy())
        if value is not None:
            count += 1
            assert np.allclose(value, found.numpy(), rtol=1e-9, equal_nan=True), (name, text)
    assert count or not ALL or table == "Around an axis"
