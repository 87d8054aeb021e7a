"""Formulas in LaTeX as candidates: what they mean, what is printed, and what is refused."""

from __future__ import annotations

import inspect
import random

import numpy as np
import pytest

import symtape as tf
from symtape import verify
from symtape.notation.latex import parse_latex

VALUES = {
    "x": np.array([0.5, -1.0, 2.0]),
    "y": np.array([1.0, 2.0]),
    "A": np.array([[1.0, 1.0, 2.0], [3.0, 5.0, 5.0]]),
    "S": np.array([[2.0, 0.5], [0.5, 1.0]]),
    "sigma": np.array([0.3, 0.6]),
    "x_1": np.array([0.3, 0.6]),
}


def squares(A, x, y):
    """The sum of squares of a linear model."""
    return tf.reduce_sum((tf.linalg.matvec(A, x) - y) ** 2)


def total(f):
    """Add up the entries of a function of x."""
    return lambda x: tf.reduce_sum(f(x))


RIGHT = {
    "a fraction": (total(tf.nn.softplus), "x", r"\frac{1}{1+e^{-x}}"),
    "a slope by its output": (total(tf.sigmoid), "x", r"\sigma\left(x\right)(1-\sigma(x))"),
    "a power of a function": (total(tf.sigmoid), "x", r"\sigma(x) - \sigma(x)^2"),
    "functions without parentheses": (
        total(lambda x: tf.sin(x) ** 2), "x", r"2\sin x\cos x"
    ),
    "an argument in parentheses": (total(lambda x: tf.sin(x) ** 2), "x", r"\sin\left(2x\right)"),
    "powers of entries": (total(lambda x: x**3), "x", r"3x^{\odot 2}"),
    "a power after a function": (total(lambda x: tf.sin(x * x)), "x", r"2x\cos x^2"),
    "the normal distribution": (total(tf.nn.gelu), "x", r"\Phi(x) + x \varphi(x)"),
    "a root": (
        total(tf.nn.gelu), "x",
        r"\frac{1+\operatorname{erf}(\frac{x}{\sqrt{2}})}{2}+\frac{x}{\sqrt{2\pi}}e^{-x^2/2}",
    ),
    "a norm": (lambda x: tf.norm(x), "x", r"\frac{x}{\lVert x\rVert}"),
    "matrices": (squares, "x", r"2A^\top(Ax-y)"),
    "bold letters": (squares, "x", r"2\,\mathbf{A}^{T}(\mathbf{A}\mathbf{x}-\boldsymbol{y})"),
    "an outer product": (squares, "A", "2(Ax-y)x^T"),
    "an inverse": (lambda S: tf.math.log(tf.linalg.det(S)), "S", r"S^{-1}"),
    "an inverse transposed": (lambda S: tf.math.log(tf.linalg.det(S)), "S", r"S^{-\top}"),
    "a Greek name": (lambda sigma: tf.reduce_sum(sigma**2), "sigma", r"2\sigma"),
    "an index": (lambda x_1: tf.reduce_sum(x_1**2), "x_1", r"2x_{1}"),
}  # fmt: skip
FEW = {
    "a power of a function of a bracket": (total(tf.tan), "x", r"1 + \tan^{2}(x)"),
    "a power of a function": (total(tf.tan), "x", r"1 + \tan^2 x"),
    "bars": (total(lambda x: x * tf.abs(x)), "x", r"2\lvert x\rvert"),
    "a Greek function": (lambda x: tf.reduce_sum(tf.exp(x)), "x", r"\exp\left(x\right)"),
    "a slash": (total(lambda x: x * x / 3), "x", r"2x/3"),
    "a dot": (total(lambda x: x * x / 3), "x", r"\frac{2}{3} \cdot x"),
    "negative powers": (total(tf.math.log), "x", "x^{-1}"),
    "a root of a product": (total(lambda x: x**1.5), "x", r"\frac{3\sqrt{x}}{2}"),
}
"""What is read in few texts."""


@pytest.mark.parametrize("name", FEW)
def test_what_few_texts_have_is_read(name):
    """Signs and commands beside those that are printed here."""
    report = judged(*FEW[name])
    assert report.ok, report


WRONG = {
    "a sign": (squares, "x", r"2A^\top(Ax+y)"),
    "an argument": (total(lambda x: tf.sin(x) ** 2), "x", r"\sin(x)"),
    "a precedence": (total(lambda x: tf.sin(x * x)), "x", r"2x\cos(x)^2"),
    "a factor": (total(tf.sigmoid), "x", r"\sigma(x)(1-\sigma(x)) 2"),
}


def judged(f, name, text):
    """Judge a text."""
    values = [VALUES[n] for n in inspect.signature(f).parameters if n in VALUES]
    return verify.gradient(f, text, *values, wrt=[0] if len(values) == 1 else name)


@pytest.mark.slow
@pytest.mark.parametrize("name", RIGHT)
def test_latex_is_a_candidate(name):
    """It means what a reader takes it for."""
    report = judged(*RIGHT[name])
    assert report.ok, report


@pytest.mark.slow
@pytest.mark.parametrize("name", WRONG)
def test_wrong_latex_is_refuted(name):
    """A sign or an argument makes another formula."""
    assert judged(*WRONG[name]).verdict == "refuted"


@pytest.mark.parametrize(
    "f", [total(tf.tanh), total(tf.nn.gelu), tf.norm, tf.reduce_logsumexp, squares]
)
def test_what_is_printed_is_read(f):
    """The LaTeX of a gradient is a candidate for it."""
    names = [n for n in inspect.signature(f).parameters if n in VALUES] or ["x"]
    tensors = {n: tf.constant(VALUES[n], name=n) for n in names}
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(list(tensors.values()))
        z = f(*tensors.values())
    text = tape.gradient(z, tensors["x"]).latex()
    function = f if f is squares else lambda x: f(x)
    report = verify.gradient(function, text, *[VALUES[n] for n in names], wrt="x")
    assert report.ok, (text, report)


REFUSED = {
    r"\input{x}": "not among the commands",
    r"\frac{x}{": "cannot be read",
    r"\frac{1}{1+e^{-z}}": "z is none of the inputs, which are x",
    r"\sum_{i} x_i": "sum_i is none of the inputs",
    r"x \odot": "cannot be read",
    r"\operatorname{eval}(x)": r"eval\(\) is not among the functions",
    r"\sin^{-1}(x)": "a name of its own",
    "\\": "what is",
    r"e^\top x": "e is raised to a number",
    r"{" * 300 + "x" + "}" * 300: "at most 200",
    r"\frac{x}{2}" * 2000: "at most 20000",
}


@pytest.mark.parametrize("text", REFUSED)
def test_what_has_no_meaning_is_refused(text):
    """An error of the family shows the place; nothing is evaluated."""
    with pytest.raises(tf.errors.NotationError, match=REFUSED[text]):
        verify.gradient(total(tf.tanh), text, VALUES["x"])


def test_random_texts_are_formulas_or_errors():
    """Words of the grammar in any order never end in anything else."""
    words = (
        r"x A \frac { } ( ) ^ _ 2 + - \odot \sigma e \top T \left( \right) \lVert \rVert \sqrt "
        r"\operatorname{tr} \mathbf{x} \pi 1.5 \exp / \cdot |"
    ).split()
    rng = random.Random(3)
    read = 0
    for _ in range(3000):
        text = " ".join(rng.choices(words, k=rng.randint(1, 9)))
        try:
            parse_latex(text, ["x", "A"], by_entries=rng.random() < 0.5)
            read += 1
        except tf.errors.NotationError:
            continue
    assert read > 30
