r"""Entries, parts, and arrays that are written out: `x_1`, `x[0]`, `[a, b; c, d]`, `pmatrix`."""

from __future__ import annotations

import re
from functools import wraps
from inspect import signature
from typing import Any

import numpy as np
import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

import symtape as tf
from symtape import verify
from tests.sampling import ALL

A = np.array([[2.0, 1.0], [0.5, 3.0]])
X = np.array([0.3, 0.7])
Y = np.array([1.5, -0.4, 0.8])
W = np.array([[0.2, 0.9, -0.3], [1.1, 0.4, 0.6]])


def rosenbrock(x):
    """Rosenbrock's valley (1960)."""
    return 100 * (x[1] - x[0] ** 2) ** 2 + (1 - x[0]) ** 2


def quadratic(A, x):
    """xᵀAx."""
    return tf.reduce_sum(x * tf.linalg.matvec(A, x))


def polar(x):
    """The place of a length and an angle."""
    return tf.stack([x[0] * tf.cos(x[1]), x[0] * tf.sin(x[1])])


def halves(y):
    """Two parts of a vector, each with a weight of its own."""
    return tf.reduce_sum(y[:1] ** 2) / 2 + 3 * tf.reduce_sum(y[1:] ** 2) / 2


GRADIENTS = [
    (rosenbrock, r"\begin{pmatrix} -400x_1(x_2-x_1^2) - 2(1-x_1) \\ 200(x_2-x_1^2)\end{pmatrix}"),
    (rosenbrock, r"\nabla f = (-400x_1(x_2 - x_1^2) - 2(1-x_1), 200(x_2-x_1^2))^\top"),
    (rosenbrock, r"\begin{array}{c} 400x_1^3 + x_1(2-400x_2) - 2 \\ 200(x_2-x_{1}^2)\end{array}"),
    (rosenbrock, "[x[0] (2 - 400 x[1]) + 400 x[0]³ - 2; 200 (x[1] - x[0]²)]"),
    (rosenbrock, "[-400*x[0]*(x[1] - x[0]**2) - 2*(1 - x[0]), 200*(x[1] - x[0]**2)]"),
    (rosenbrock, "np.array([-400*x[0]*(x[1] - x[0]**2) + 2*x[0] - 2, 200*(x[1] - x[0]**2)])"),
    (rosenbrock, "np.stack((400*x[0]**3 - 400*x[0]*x[1] + 2*x[0] - 2, 200*(x[1] - x[0]**2)), 0)"),
    (rosenbrock, "[-400*x_1*(x_2 - x_1^2) - 2*(1 - x_1), 200*(x_2 - x_1^2)]"),
    (halves, r"\begin{pmatrix} y_1 \\ 3y_2 \\ 3 y_3\end{pmatrix}"),
    (halves, r"\begin{bmatrix} y[0:1] \\ 3y[1:] \end{bmatrix}"),
    (halves, "[y[:1]; 3 y[1:3]]"),
    (halves, "np.concatenate([y[:1], 3*y[1:]])"),
    (halves, "np.hstack([y[0:1], 3*y[1:]])"),
    (halves, "tf.concat([y[:1], 3*y[1:]], 0)"),
    (halves, r"y \odot \begin{pmatrix} 1 & 3 & 3 \end{pmatrix}^\top"),
]  # fmt: skip
HESSIANS = [
    (rosenbrock, r"\begin{pmatrix}2+1200x_1^2-400x_2 & -400x_1 \\[2pt] -400x_1 & 200\end{pmatrix}"),
    (rosenbrock, "[2 + 1200*x_1^2 - 400*x_2, -400*x_1; -400*x_1, 200]"),
    (rosenbrock, "[[2 + 1200*x[0]**2 - 400*x[1], -400*x[0]], [-400*x[0], 200]]"),
    (halves, "np.diag([1, 3, 3])"),
    (halves, r"\begin{smallmatrix} 1 & 0 & 0\\ 0 & 3 & 0 \\ 0 & 0 & 3 \end{smallmatrix}"),
    (halves, "[1, 0, 0; 0, 3, 0; 0, 0, 3]"),
]  # fmt: skip
JACOBIANS = [
    (polar, r"\begin{pmatrix} \cos x_2 & -x_1\sin x_2 \\ \sin x_2 & x_1\cos x_2 \end{pmatrix}"),
    (polar, "np.stack([[np.cos(x[1]), np.sin(x[1])], x[0]*[-np.sin(x[1]), np.cos(x[1])]], axis=1)"),
    (polar, "np.vstack([[np.cos(x[1]), -x[0]*np.sin(x[1])], [np.sin(x[1]), x[0]*np.cos(x[1])]])"),
]  # fmt: skip
EXAMPLES = {rosenbrock: X, polar: X, halves: Y}
JUDGED = [
    *[(verify.gradient, f, text) for f, text in GRADIENTS],
    *[(verify.hessian, f, text) for f, text in HESSIANS],
    *[(verify.jacobian, f, text) for f, text in JACOBIANS],
]


@pytest.mark.parametrize(("judge", "f", "text"), JUDGED, ids=[text[:40] for *_, text in JUDGED])
def test_a_derivative_that_is_written_out_is_judged(judge, f, text):
    """What is right is accepted; with another number in it, it is refuted."""
    assert judge(f, text, EXAMPLES[f]).ok
    number = re.search(
        r"(?<![\w:\[\-.^²³{=])[1-9]\d*(?![:\]pt])", text.replace("\\nabla f = ", " " * 11)
    )
    if number:
        wrong = f"{text[: number.start()]}{int(number[0]) + 1}{text[number.end() :]}"
        assert judge(f, wrong, EXAMPLES[f]).verdict == "refuted", wrong


OF_A_MATRIX = [
    r"\begin{bmatrix} 2A_{11}x_1+(A_{12}+A_{21})x_2\\ 2A_{22}x_2+(A_{1,2}+A_{2,1})x_1\end{bmatrix}",
    "[2 A[0, 0] x[0] + (A[0, 1] + A[1, 0]) x[1]; 2 A[1, 1] x[1] + (A[0, 1] + A[1, 0]) x[0]]",
    r"(A + \begin{pmatrix}A_{11} & A_{21}\\A_{12}&A_{22}\end{pmatrix}) x",
    r"(A + A^\top) \begin{pmatrix}x_1\\x_2\end{pmatrix}",
    r"(A + A^\top) (x_1, x_2)^\top",
    r"A x + \begin{pmatrix} A[:, 0]^\top x \\ A[:, 1]^\top x \end{pmatrix}",
    r"A x + x_1 A[0] + x_2 A[1, :]",
    r"\begin{pmatrix} A & A^\top\end{pmatrix} \begin{pmatrix} x \\ x\end{pmatrix}",
]


@pytest.mark.parametrize("text", OF_A_MATRIX)
def test_entries_and_rows_of_a_matrix(text):
    """Entries are counted from 1 below, and from 0 in brackets."""
    assert verify.gradient(quadratic, text, A, X, wrt="x").ok


VALUES: list[tuple[str, Any]] = [
    (
        r"\begin{pmatrix} A & 0 \\ 0 & 1 \end{pmatrix}",
        lambda A: np.block([[A, np.zeros((2, 1))], [np.zeros((1, 2)), np.ones((1, 1))]]),
    ),
    (
        r"\begin{pmatrix} A & I \\ -I & 0\end{pmatrix}",
        lambda A: np.block([[A, np.eye(2)], [-np.eye(2), np.zeros((2, 2))]]),
    ),
    (
        "[A, x; x', 0]",
        lambda A, x: np.block([[A, x[:, None]], [x[None], np.zeros((1, 1))]]),
    ),
    (r"\begin{pmatrix} A & W \end{pmatrix}", lambda A, W: np.hstack([A, W])),
    ("[A; W']", lambda A, W: np.vstack([A, W.T])),
    (r"\begin{pmatrix} x \\ 1 \end{pmatrix}", lambda x: np.append(x, 1)),
    (r"\begin{pmatrix} x^\top & y^\top \end{pmatrix}", lambda x, y: np.append(x, y)),
    (r"W_{13} + y_{2}^2", lambda W, y: W[0, 2] + y[1] ** 2),
    (r"W[1, 1:3]", lambda W: W[1, 1:]),
    (r"A[0:1] x", lambda A, x: A[0] @ x),
    (r"A[:, 1:2] x^\top", lambda A, x: np.outer(A[:, 1], x)),
    (r"W[:, 1:] y[:2]", lambda W, y: W[:, 1:] @ y[:2]),
    (
        r"\det\begin{pmatrix} x_1 & x_2 \\ y_1 & y_2 \end{pmatrix}",
        lambda x, y: x[0] * y[1] - x[1] * y[0],
    ),
    (
        r"\left\| \begin{pmatrix} x \\ y \end{pmatrix} \right\|^2",
        lambda x, y: x @ x + y @ y,
    ),
    (
        r"\begin{pmatrix} \frac{x_1}{y_1} & \max(x_1, y_1) \end{pmatrix}",
        lambda x, y: np.stack([x[0] / y[0], np.maximum(x[0], y[0])]),
    ),
    (
        r"\begin{pmatrix}\begin{cases}x_1 & x_1>0 \\ 0 & \text{else}\end{cases}\\ x_2\end{pmatrix}",
        lambda x: np.stack([np.maximum(x[0], 0), x[1]]),
    ),
    ("np.stack([x, x], axis=1)", lambda x: np.stack([x, x], axis=1)),
    ("np.stack([x, x], axis=-1) @ [1, 2]", lambda x: 3 * x),
    ("[x, 2*x + [1, 0]]", lambda x: np.stack([x, 2 * x + np.array([1, 0])])),
    ("np.concatenate([A, W], axis=1)", lambda A, W: np.hstack([A, W])),
    ("np.concatenate((A, A), 0)", lambda A: np.vstack([A, A])),
    ("np.vstack([A, A])", lambda A: np.vstack([A, A])),
    ("np.vstack([x, x])", lambda x: np.vstack([x, x])),
    ("np.hstack([A, W])", lambda A, W: np.hstack([A, W])),
    ("np.column_stack([x, x])", lambda x: np.column_stack([x, x])),
    ("np.sum([x[0], y[1], 3])", lambda x, y: x[0] + y[1] + 3),
    (
        "np.linalg.det([[x[0], x[1]], [y[0], y[1]]])",
        lambda x, y: x[0] * y[1] - x[1] * y[0],
    ),
    ("[1, x[0] > 0.5]", lambda x: np.stack([1.0, np.where(x[0] > 0.5, 1.0, 0.0)])),
]
INPUTS = {"A": A, "W": W, "x": X, "y": Y}


@pytest.mark.parametrize(("text", "expected"), VALUES, ids=[text[:40] for text, _ in VALUES])
def test_values_are_those_of_numpy(text, expected):
    """Blocks stand where they are written, and zeros are as many as their place has."""
    names = [*signature(expected).parameters]
    assert verify.value(expected, text, *[INPUTS[name] for name in names]).ok
    twice = wraps(expected)(lambda *given: expected(*given) * 2)
    assert verify.value(twice, text, *[INPUTS[name] for name in names]).verdict == "refuted"


REFUSED = {
    r"x_3": "a column of 2 has no such place",
    r"x[2]": "a vector of 2 has no such place",
    r"x_0": "counted from 1",
    r"A_{13}": "a matrix of 2 × 2 has no such place",
    r"A_1": "A has 1 index here, and 2 axes",
    r"x_{12}": "a column of 2 has no such place",
    r"x_{1,1}": "x has 2 indices here, and 1 axes",
    r"\begin{pmatrix} x_1 & x_2 \\ x_1 \end{pmatrix}": "as many entries",
    r"[x_1, x_2; x_1]": "';'",
    r"[x_1, x_2; x_1] \odot x": "as many entries",
    r"\begin{pmatrix} x_1 & x_2": "cannot be read",
    r"\lVert x_1, x_2 \rVert": "a comma stands",
    r"f(x_1, x_2)": "a comma stands|not among the functions",
    r"A(x_1, x_2) + A^\top x": "a comma stands",
    r"\begin{pmatrix} A & x^\top \end{pmatrix}": "do not stand side by side",
    r"\begin{pmatrix} A \\ 0 \end{pmatrix}": "how many zeros",
    r"\begin{pmatrix} I & 0 \\ 0 & I \end{pmatrix}": "sizes that are added up",
    r"\begin{vmatrix} x_1 & x_2 \end{vmatrix}": "of environments",
    r"\begin{pmatrix} x_1 \\ \vdots \\ x_2 \end{pmatrix}": "not among the commands",
    r"\sin(x_1; x_2)": "';'",
    r"(A + A^\top)\begin{pmatrix} x_1 & x_2 \end{pmatrix}": "a matrix of 2 × 2 and a row of 2",
    "[x[0], x]": "one shape",
    "[[x[0]], [x[0], x[1]]]": "one shape",
    "np.stack(x)": "takes a list",
    "np.stack([x, x], axis=2)": "no axis 2",
    "np.concatenate([x, x], axis=1)": "no axis 1",
    "np.concatenate([x[0], x[1]])": "no axis 0",
    "np.vstack([x, x], axis=1)": "takes a list",
    "[[x, x], [x, x]]": "two axes at most",
    "[]": "missing",
}  # fmt: skip


@pytest.mark.parametrize("text", REFUSED)
def test_what_is_no_array_is_refused(text):
    """An error says what is missing, and where."""
    with pytest.raises(tf.errors.NotationError, match=REFUSED[text]):
        verify.gradient(quadratic, text, A, X, wrt="x")


def test_ones_of_no_size_and_names_that_are_unknown_are_refused():
    """Of inputs all sizes are known; a name that is no input and no entry of one is said."""
    for text, told in {
        "sum(vector(1)) * x": "how large ones",
        "2*z": "z is none of the inputs",
        "x @ z": "z is none of the inputs",
        "2*x_5": "no such place",
    }.items():
        with pytest.raises(tf.errors.NotationError, match=told):
            verify.gradient(lambda x: np.sum(x), text, X)


def test_notations_that_differ_are_refused():
    """Columns side by side are rows below each other in Python."""
    with pytest.raises(tf.errors.NotationError, match="say in which notation"):
        tf.differentiate("[x, y]", "x", shapes={"x": ["n"], "y": ["n"]})


@pytest.mark.parametrize(
    ("text", "kinds", "expected"),
    [
        ("np.maximum(2, 3) * x", {"shapes": {"x": []}}, "3"),
        ("2^{1/2} x", {"notation": "latex"}, "√2"),
        (r"\begin{pmatrix} x\cos y \\ x\sin y \end{pmatrix}", {}, "[cos(y); sin(y)]"),
        (
            r"\|\begin{pmatrix} A & 0 \\ 0 & B \end{pmatrix} x - b\|^2",
            {"shapes": {"A": [2, 2], "B": [3, 3]}},
            "2 [Aᵀ, 0; 0, Bᵀ] ([A, 0; 0, B] x - b)",
        ),
        ("x_1^2 x_2", {"notation": "latex", "shapes": {"x": [2]}}, "x[0] [2 x[1]; x[0]]"),
        ("[cos(b); sin(b)]", {"notation": "matrix", "wrt": "b"}, "[-sin(b); cos(b)]"),
        ("np.concatenate([x, 2*x]) @ y", {"shapes": {"x": [3]}}, "y[0:3] + 2 y[3:6]"),
    ],
)  # fmt: skip
def test_formulas_with_arrays_are_derived(text, kinds, expected):
    """What is written out is a formula as any other."""
    assert tf.differentiate(text, **{"wrt": "x", **kinds}).text() == expected


SIDES = st.lists(st.integers(1, 3), min_size=1, max_size=3)


@settings(max_examples=200 if ALL else 30)
@given(SIDES, SIDES, st.randoms(use_true_random=False))
def test_random_blocks_are_those_of_numpy(heights, widths, random):
    """Blocks of any sizes have one value in each notation, and are transposed as a whole."""
    rng = np.random.default_rng(random.randrange(2**32))
    arrays, rows, values = {}, [], []
    for h in heights:
        rows.append([])
        values.append([])
        for w in widths:
            name = "KLMNPQRST"[len(arrays)]
            arrays[name] = rng.normal(size=(h, w))
            rows[-1].append(name)
            values[-1].append(arrays[name])
    text = "; ".join([", ".join(row) for row in rows])
    inside = r" \\ ".join([" & ".join(row) for row in rows])
    turned = [f"[{text}]'", rf"\begin{{pmatrix}} {inside} \end{{pmatrix}}^\top"]
    weight = rng.normal(size=(sum(widths), sum(heights)))
    expected = np.sum(weight * np.block(values).T)
    shapes = {v: list(x.shape) for v, x in arrays.items()} | {"W": list(weight.shape)}
    for one in turned:
        own = rf"\operatorname{{sum}}(W \odot {one})" if "\\" in one else f"sum(W .* {one})"
        found = tf.differentiate(own, "W", shapes=shapes, at=arrays | {"W": weight})
        np.testing.assert_allclose(np.sum(found.value * weight), expected, rtol=1e-12)


def test_matrices_of_sympy_are_candidates():
    """A matrix of one column or row is a vector there, and those that can be changed are read."""
    x, t, u = sp.IndexedBase("x"), sp.Symbol("t"), sp.Symbol("u")
    slope = [400 * x[0] ** 3 - 400 * x[0] * x[1] + 2 * x[0] - 2, 200 * (x[1] - x[0] ** 2)]
    curvature = [[1200 * x[0] ** 2 - 400 * x[1] + 2, -400 * x[0]], [-400 * x[0], 200]]
    for one in (sp.Matrix(slope), sp.Matrix([slope]), sp.ImmutableMatrix(slope), sp.Array(slope)):
        assert verify.gradient(rosenbrock, one, X).ok
        assert verify.gradient(rosenbrock, 2 * one, X).verdict == "refuted"
    assert verify.hessian(rosenbrock, sp.Matrix(curvature), X).ok
    assert verify.gradient(lambda t, u: t**2 * u, sp.Matrix([2 * t * u, t**2]), 1.0, 2.0).ok
    both = {"t": sp.Matrix([2 * t * u])[0], "u": t**2}
    assert verify.gradient(lambda t, u: t**2 * u, both, 1.0, 2.0).ok
    jacobian = sp.Matrix([x[0] * sp.cos(x[1]), x[0] * sp.sin(x[1])]).jacobian([x[0], x[1]])
    assert verify.jacobian(polar, jacobian, X).ok
    column = sp.MatrixSymbol("X", 2, 1)
    turned = sp.Matrix([column[1, 0], column[0, 0]])
    assert verify.gradient(lambda X: X[0, 0] * X[1, 0], turned, X[:, None]).ok
