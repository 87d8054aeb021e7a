"""Layouts, environments and expanded functions of LaTeX, and matrices that are said symmetric."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import sympy as sp

import symtape as tf
from symtape.forms.tex.latex import Style, Term, composed, leaf_symbols
from tests.references import REFERENCES, Leaves, derived


def formula(name: str) -> tuple[Any, Leaves]:
    """Derive a reference; its leaves live as long as they are needed."""
    reference = REFERENCES[name]
    leaves = Leaves(3, 2, reference.symmetric)
    return derived(reference, leaves), leaves


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("logistic by softplus", r"(\sigma(M x) - y)^\top M"),
        ("xᵀAx + cᵀx", r"((A + A^\top) x + c)^\top"),
    ],
)
def test_a_gradient_in_numerator_layout_is_a_row(name, wanted):
    """It is the transpose of the column that denominator layout writes."""
    gradient, _leaves = formula(name)
    assert gradient.latex(layout="numerator") == wanted
    assert gradient.latex(layout="denominator") == gradient.latex()


def test_a_jacobian_in_denominator_layout_has_a_column_for_each_value():
    """It is the transpose of the array; in indices, they change places."""
    jacobian, _leaves = formula("A*x Jacobian")
    assert jacobian.latex(layout="numerator") == jacobian.latex() == "A"
    assert jacobian.latex(layout="denominator") == r"A^\top"
    assert jacobian.latex("index", layout="denominator") == "{A}_{j,i}"


@pytest.mark.slow
def test_functions_are_expanded():
    """No name is left that SymPy does not have, in matrix notation or of scalars."""
    gradient, _leaves = formula("logistic by softplus")
    assert r"\sigma" in gradient.latex()
    expanded = r"\mathbf{1} \oslash (\mathbf{1} + \exp(-M x))"
    text = gradient.latex(functions="expanded")
    assert text == rf"M^\top ({expanded} - y)"
    delta, _others = formula("Black-Scholes delta")
    assert r"\Phi" in delta.latex()
    assert r"\operatorname{erf}" in delta.latex(functions="expanded")
    softmax, _logits = formula("log sum exp")
    assert "softmax" not in softmax.latex(functions="expanded")


@pytest.mark.parametrize("name", ["logistic by softplus", "log sum exp"])
def test_functions_are_expanded_for_any_size(name):
    """Letters for sizes take no name back that was to be expanded."""
    gradient, _leaves = formula(name)
    for functions in ("named", "expanded"):
        text = gradient.latex(functions=functions)
        assert gradient.latex(functions=functions, sizes="symbolic") == text


SPLIT = r"""\begin{equation*}
\begin{aligned}
&a - b \\
&\quad + c c c c c c c c + d
\end{aligned}
\end{equation*}"""
TERMS = [Term("a", 1), Term("- b", 2), Term("+ c c c c c c c c", 9), Term("+ d", 2)]


@pytest.mark.parametrize(
    ("environment", "width", "wanted"),
    [
        (None, 10, "a - b + c c c c c c c c + d"),
        ("equation", 80, "\\begin{equation*}\na - b + c c c c c c c c + d\n\\end{equation*}"),
        ("align", 80, "\\begin{align*}\n&a - b + c c c c c c c c + d\n\\end{align*}"),
        (
            "align",
            12,
            "\\begin{align*}\n&a - b \\\\\n&\\quad + c c c c c c c c + d\n\\end{align*}",
        ),
        ("equation", 12, SPLIT),
    ],
)
def test_lines_are_broken_before_signs(environment, width, wanted):
    """A line is filled while it is shorter than the width."""
    assert composed(TERMS, Style(environment=environment, width=width)) == wanted


@pytest.mark.slow
@pytest.mark.parametrize("form", ["scalar", "index", "matrix"])
def test_broken_lines_have_all_terms(form):
    """The terms of an environment, put together, are the formula without one."""
    x = tf.Variable(2.0 if form == "scalar" else [2.0, 3.0], name="x")
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(tf.sin(x) - tf.exp(x * x) - x**3 + tf.math.log(x))
    gradient = tape.gradient(y, x)
    whole = gradient.latex(form, environment="align", width=1)
    lines = whole.split("\n")[1:-1]
    assert len(lines) == 4
    together = " ".join(
        line.removeprefix("&").removeprefix(r"\quad ").removesuffix(r" \\") for line in lines
    )
    assert together.replace(" ", "") == gradient.latex(form).replace(" ", "")


def test_a_symmetric_matrix_is_its_transpose():
    """Declared by the tensor or by its name; the value holds."""
    s = tf.Variable(np.array([[2.0, 0.5], [0.5, 3.0]]), name="S")
    x = tf.Variable(np.array([1.0, 2.0]), name="x")
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(x * tf.linalg.matvec(tf.linalg.inv(s), x))
    gradient = tape.gradient(y, x)
    assert gradient.text() == "(S⁻¹ + S⁻ᵀ) x"
    assert gradient.text(symmetric=[s]) == gradient.text(symmetric=["S"]) == "2 S⁻¹ x"
    assert gradient.latex(symmetric=[s]) == "2 S^{-1} x"


def test_derivatives_of_the_gamma_function_are_called_by_their_letter():
    """ψ is written in scalars as in arrays, and its derivatives count above."""
    for value in (3.0, [3.0, 4.0]):
        a = tf.Variable(value, name="a")
        with tf.GradientTape() as outer:
            with tf.GradientTape() as tape:
                y = tf.reduce_sum(tf.math.lgamma(a))
            slope = tape.gradient(y, a)
        growing = str.maketrans("", "", "{} ")
        shown = [x.latex().translate(growing) for x in (slope, outer.gradient(slope, a))]
        shown = [x.replace(r"\left", "").replace(r"\right", "") for x in shown]
        assert shown[0] == r"\psi(a)"
        assert shown[1].startswith(r"\psi^(1)(a)")


@pytest.mark.slow
def test_a_slope_stands_behind_its_function_and_decimals_stay():
    """σ(x) (1 - σ(x)) is what a book has, and 0.044715 what the paper of gelu has."""
    x = tf.Variable(0.7, name="x")
    with tf.GradientTape(persistent=True) as tape:
        y, z = tf.sigmoid(x), tf.nn.gelu(x, approximate=True)
    slope = r"\sigma(x) (1 - \sigma(x))"
    assert tape.gradient(y, x).latex() == slope
    found = tape.gradient(z, x)
    for text in (found.latex(), found.text(), found.latex("matrix")):
        assert "0.044715 x" in text
        assert "0.134145 x" in text
        assert "200000" not in text
    assert found.expr.has(sp.Rational("0.044715"))


def test_an_accent_is_on_the_letter():
    """A number of a variable stands below it, wherever its name has the accent."""
    leaves = {"theta_0_hat": (), "x_max_bar": (), "y_hat_1": ()}
    texts = [*leaf_symbols(leaves, sp.S.Zero).values()]
    assert texts == [r"\hat{\theta}_{0}", r"\bar{x}_{\mathrm{max}}", r"\hat{y}_{1}"]
    alike = leaf_symbols({"y_hat_1": (), "y_1_hat": ()}, sp.S.Zero)
    assert len(set(alike.values())) == 2


def test_a_word_is_a_word():
    """SymPy reads fonts, norms and signs at the ends of words; only a letter has an accent."""
    words = "wp eth local layernorm imag xabs vertical sidebar mean_scr".split()
    texts = {str(s): t for s, t in leaf_symbols(dict.fromkeys(words, ()), sp.S.Zero).items()}
    assert texts.pop("mean_scr") == r"\mathrm{mean}_{\mathrm{scr}}"
    assert texts == {word: rf"\mathrm{{{word}}}" for word in words[:-1]}
    letters = {"xhat": r"\hat{x}", "alpha_bar": r"\bar{\alpha}", "x_prime": "x'", "hbar": r"\hbar"}
    found = leaf_symbols(dict.fromkeys(letters, ()), sp.S.Zero)
    assert {str(s): t for s, t in found.items()} == letters


def test_greek_names_are_commands_and_other_letters_text():
    """LaTeX takes no other letters than those of ASCII in formulas."""
    θ, Δt, Größe = (tf.Variable(0.5, name=name) for name in ("θ", "Δt", "Größe"))  # noqa: PLC2401 - as mathematicians call them
    with tf.GradientTape() as tape:
        y = θ * tf.exp(Δt) * Größe
    assert tape.gradient(y, θ).latex() == r"\text{Größe} \, e^{\Delta t}"


def test_words_stand_apart_from_letters():
    """A word beside a letter is not one word with it, in matrix and in index notation."""
    lam, r = (tf.Variable(0.5, name=name) for name in ("lam", "r"))
    K, loss = tf.Variable([[1.0, 2.0], [3.0, 4.0]], name="K"), tf.Variable([1.0, 2.0], name="loss")
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(lam * loss * tf.linalg.matvec(K, loss)) * tf.exp(-r * lam) * 2
    found = tape.gradient(y, r)
    matrices = r"-2 \mathrm{loss}^\top K \, \mathrm{loss} \, \mathrm{lam}^{2} "
    assert found.latex() == matrices + r"\exp(-\mathrm{lam} \, r)"
    assert r"{K}_{i,j} \, {\mathrm{loss}}_{i} \, {\mathrm{loss}}_{j}" in found.latex("index")


def test_left_sides_write_entries_as_right_sides_do():
    """A digit below is apart from the indices."""
    W1 = tf.Variable([[1.0, 2.0]], name="W1")
    with tf.GradientTape() as tape:
        y = tf.sin(W1)
    found = tape.jacobian(y, W1).latex("index", lhs=True)
    assert found.startswith(r"\frac{\partial y_{i,j}}{\partial W_{1;k l}} = "), found
