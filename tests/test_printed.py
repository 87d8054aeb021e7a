"""LaTeX of expressions with indices: what stands where on paper."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import sympy as sp
from sympy.matrices.expressions.matexpr import MatrixElement

import symtape as tf
from symtape.forms.tex.printer import printed
from tests.references.room import Leaves

i, j, k = sp.symbols("i j k", integer=True)
A, X = sp.IndexedBase("A"), sp.IndexedBase("x")
M, N = sp.MatrixSymbol("M", 3, 3), sp.MatrixSymbol("N", 3, 3)
x = X[i]

PRINTED: dict[str, tuple[Any, str]] = {
    "what is added comes first": (-x + X[j], "{x}_{j} - {x}_{i}"),
    "unless all is taken away": (-x - X[j], "- {x}_{i} - {x}_{j}"),
    "entries before functions": (-x * sp.sin(x), r"- {x}_{i} \sin{\left({x}_{i} \right)}"),
    "a function of a sum": (
        x * sp.exp(sp.Sum(X[k], (k, 0, 2))),
        r"{x}_{i} e^{\sum_{k=0}^{2} {x}_{k}}",
    ),
    "an entry of what has a number below": (sp.IndexedBase("v_1")[i, j], "v_{1;i j}"),
    "inverse functions as in matrix notation": (
        sp.acos(x) * sp.atan(x),
        r"\arccos{\left({x}_{i} \right)} \arctan{\left({x}_{i} \right)}",
    ),
    "deltas before sums": (
        sp.KroneckerDelta(i, j) * x * sp.Sum(A[i, k], (k, 0, 2)),
        r"{x}_{i} \delta_{i j} \sum_{k=0}^{2} {A}_{i,k}",
    ),
    "a number behind its index": (sp.KroneckerDelta(0, i), r"\delta_{i 0}"),
    "an entry behind an index": (sp.KroneckerDelta(x, j), r"\delta_{j, {x}_{i}}"),
    "one sign for one range": (
        sp.Sum(A[j, k], (k, 0, 2), (j, 0, 2)),
        r"\sum_{j,k=0}^{2} {A}_{j,k}",
    ),
    "a sign for each range": (
        sp.Sum(A[j, k], (k, 0, 1), (j, 0, 2)),
        r"\sum_{j=0}^{2} \sum_{k=0}^{1} {A}_{j,k}",
    ),
    "ranges that depend on others": (
        sp.Sum(A[j, k], (k, 0, j), (j, 0, 2)),
        r"\sum_{j=0}^{2} \sum_{k=0}^{j} {A}_{j,k}",
    ),
    "a sum among factors": (
        sp.Sum(X[k], (k, 0, 2)) * sp.Sum(A[k, k], (k, 0, 2)),
        r"\left(\sum_{k=0}^{2} {A}_{k,k}\right) \sum_{k=0}^{2} {x}_{k}",
    ),
    "a bracket for cases of 1 and 0": (
        x * sp.Piecewise((1, x > 0), (0, True)),
        r"{x}_{i} \left[{x}_{i} > 0\right]",
    ),
    "other cases": (
        x * sp.Piecewise((2, x > 0), (0, True)),
        (
            r"{x}_{i} \left(\begin{cases} 2 & \text{for}\: {x}_{i} > 0 \\0 & \text{otherwise}"
            r" \end{cases}\right)"
        ),
    ),
    "a remainder among factors": (x * sp.Mod(i, 2), r"{x}_{i} \left(i \bmod 2\right)"),
    "a product that is turned": (sp.Transpose(sp.MatMul(M, N)), r"\left(M N\right)^\top"),
    "a product that is inverted": (sp.Inverse(sp.MatMul(M, N)), r"\left(M N\right)^{-1}"),
    "a power of a product": (sp.MatPow(sp.MatMul(M, N), 2), r"\left(M N\right)^{2}"),
    "a product by entry": (sp.HadamardProduct(sp.MatMul(M, N), N), r"\left(M N\right) \circ N"),
    "a minus that is turned": (sp.Transpose(sp.MatMul(-1, M)), r"\left(- M\right)^\top"),
    "a product with an inverse": (sp.MatMul(sp.Inverse(M), N), "M^{-1} N"),
    "a product that is taken away": (sp.MatAdd(sp.MatMul(-1, M, N), M), "M - M N"),
    "numbers beside each other": (2 * 10**x, r"2 \cdot 10^{{x}_{i}}"),
}


@pytest.mark.parametrize("name", PRINTED)
def test_what_stands_where(name: str) -> None:
    """Terms, factors and signs of sums stand as a person would write them."""
    expression, text = PRINTED[name]
    assert printed(expression, {}) == text


def test_the_identity_is_called_as_in_matrix_notation() -> None:
    """It is I, unless there is a leaf of that name."""
    entry = MatrixElement(sp.Inverse(sp.MatrixSymbol("S", 3, 3) + sp.Identity(3)), i, j)
    assert printed(entry, {}) == r"{\left(\left(I + S\right)^{-1}\right)}_{i,j}"
    assert r"\mathbb{I}" in printed(entry, {sp.Symbol("I"): "I"})


def test_matrices_in_indices_are_written_as_in_matrix_notation() -> None:
    """A diagonal has its leaf's name, functions of entries are no maps, and symbols are leaves'."""
    q = Leaves(3, 2)
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(tf.linalg.inv(tf.linalg.diag(q.v) + q.s * tf.exp(q.A / q.t)))
    gradient = tape.gradient(y, q.v)
    text = gradient.latex("index")
    assert r"\operatorname{diag}\left(v\right)" in text
    assert r"s \exp\left(" in text
    assert not any(word in text for word in ("DiagMatrix", "mapsto", "mathtt"))
    names = [s.name for s in gradient.index_expr().free_symbols if s.is_Symbol]
    assert len(names) == len({*names})


def sigmoid_slope() -> Any:
    """Derive by an array of three axes, which has index notation alone."""
    z = tf.Variable(np.ones((2, 2, 2)), name="z")
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(tf.sigmoid(z))
    return tape.gradient(y, z), z


def test_functions_have_their_names_in_index_notation() -> None:
    """σ, Φ and φ are written by their letters, unless they are to be expanded, or a leaf's."""
    found, z = sigmoid_slope()
    sigma = r"\sigma{\left({z}_{i,j,k} \right)}"
    assert found.latex() == rf"{sigma} \left(1 - {sigma}\right)"
    assert r"\sigma" not in found.latex(functions="expanded")
    assert "sigma" not in str(found.index_expr())
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(tf.Variable(2.0, name="sigma", dtype=tf.float64) * tf.sigmoid(z))
    assert "e^{" in tape.gradient(y, z).latex()


SCALARS: dict[str, tuple[Any, str]] = {
    "what text has, in its order": (
        lambda q: q.s**2 * tf.cos(q.t - q.r),
        r"2 s \cos(t - r)",
    ),
    "a sum of fractions behind a line": (
        lambda q: tf.math.log(q.s) / 2 - q.s * q.r**2 / (2 * q.t**2),
        r"\frac{1}{2} \left(\frac{1}{s} - \frac{r^{2}}{t^{2}}\right)",
    ),
    "a power of e": (lambda q: tf.exp(-q.r * q.s), "-r e^{-r s}"),
    "what is too tall to be raised": (
        lambda q: tf.exp(-q.s / q.r),
        r"-\frac{\exp\left(-\frac{s}{r}\right)}{r}",
    ),
    "a power of a function": (lambda q: q.s * tf.sin(q.r) ** 2, r"\sin^{2}(r)"),
    "what is rounded": (
        lambda q: q.s * tf.floor(q.t / q.r) + tf.math.ceil(q.r) * q.s,
        r"\lceil r \rceil + \left\lfloor \frac{t}{r} \right\rfloor",
    ),
    "cases": (
        lambda q: tf.where(q.s > q.r, q.s**2, q.r * q.s),
        r"\begin{cases} 2 s & \text{for}\: r < s \\r & \text{otherwise} \end{cases}",
    ),
    "cases of an absolute value": (
        lambda q: tf.where(tf.abs(q.s) <= q.r, q.s**2 / 2, q.r * (tf.abs(q.s) - q.r / 2)),
        (
            r"\begin{cases} s & \text{for}\: r \ge \lvert s \rvert \\r \operatorname{sign}(s)"
            r" & \text{otherwise} \end{cases}"
        ),
    ),
    "factors within cases": (
        lambda q: tf.where(q.s > 0, tf.exp(-q.s * q.t / q.r), 1 + q.s) * tf.sin(q.r - q.t),
        (
            r"\begin{cases} \frac{t \sin(t - r) \exp\left(-\frac{t s}{r}\right)}{r} &"
            r" \text{for}\: s > 0 \\-\sin(t - r) & \text{otherwise} \end{cases}"
        ),
    ),
    "cases behind a term": (
        lambda q: tf.where(q.s > 0, q.s**2 / q.t, q.s / q.r) + q.s**3,
        (
            r"3 s^{2} + \begin{cases} \frac{2 s}{t} & \text{for}\: s > 0 \\\frac{1}{r} &"
            r" \text{otherwise} \end{cases}"
        ),
    ),
    "a bracket": (lambda q: tf.nn.relu(1 - q.s * q.t), "-t [t s < 1]"),
    "an incomplete gamma function": (
        lambda q: q.s * tf.math.igamma(q.r, q.t),
        r"\frac{\gamma(r, t)}{\Gamma(r)}",
    ),
}


@pytest.mark.parametrize("name", SCALARS)
def test_scalars_are_written_as_their_text_is(name: str) -> None:
    """One printer writes both, so that terms and factors stand in one order."""
    q = Leaves(3, 2)
    function, text = SCALARS[name]
    with tf.GradientTape() as tape:
        y = function(q)
    assert tape.gradient(y, q.s).latex() == text


def test_a_letter_of_a_leaf_is_that_of_no_function() -> None:
    """Where a leaf is called gamma, the incomplete gamma function has its name in words."""
    gamma = tf.Variable(2.0, name="gamma", dtype=tf.float64)
    with tf.GradientTape():
        y = tf.math.igamma(gamma, gamma + 1)
    assert y.latex() == (r"\frac{\operatorname{lowergamma}(\gamma, 1 + \gamma)}{\Gamma(\gamma)}")
