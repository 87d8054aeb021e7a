"""Sums over components in LaTeX, beside the same sums by np.einsum, and what is refused of them."""

from __future__ import annotations

import numpy as np
import pytest

import symtape as tf
from symtape import verify
from tests.test_notation_sums import assert_by_differences

BY_EINSUM = {
    r"\sum_{i,j} A_{ij} x_i x_j": (
        "x", "(A + Aᵀ) x", lambda q: np.einsum("ij,i,j", q.A, q.x, q.x)
    ),
    r"\sum_{ij} A_{ij} B_{ji}": ("A", "Bᵀ", lambda q: np.einsum("ij,ji", q.A, q.B)),
    r"\frac12\sum_{i=1}^m\sum_{j=1}^n (A_{ij} - \sum_k U_{ik} V_{jk})^2": (
        "U", "(U Vᵀ - A) V", lambda q: np.sum((q.A - q.U @ q.V.T) ** 2) / 2
    ),
    r"\sum_{i,j,k} A_{ij} B_{jk} C_{ki}": (
        "B", "Aᵀ Cᵀ", lambda q: np.einsum("ij,jk,ki", q.A, q.B, q.C)
    ),
    r"\frac1{n^2}\sum_{i,j=1}^n K_{i,j} a_i a_j": (
        "a", "(K + Kᵀ) a / n²", lambda q: q.a @ q.K @ q.a / len(q.a) ** 2
    ),
    r"\sum_i \log \sum_j e^{A_{i j} + v_j}": (
        "v", "softmax(𝟏 vᵀ + A)ᵀ 𝟏",
        lambda q: np.sum(np.log(np.sum(np.exp(q.A + q.v), axis=1))),
    ),
    r"-\sum_i \Big(\sum_j Y_{ij} \log \frac{e^{Z_{ij}}}{\sum_k e^{Z_{ik}}}\Big)": (
        "Z", "diag(Y 𝟏) softmax(Z) - Y",
        lambda q: -np.sum(q.Y * np.log(np.exp(q.Z) / np.sum(np.exp(q.Z), 1, keepdims=True))),
    ),
    r"\sum_{i,j} A_{ij} \log\frac{A_{ij}}{\sum_k A_{ik} \sum_l A_{lj}}": (
        "A", "log(A ⊘ (A 𝟏 𝟏ᵀ A)) - 𝟏 𝟏ᵀ",
        lambda q: np.sum(q.A * np.log(q.A / np.outer(q.A.sum(1), q.A.sum(0)))),
    ),
    r"\sum_{i,j} A_{ij} \log\frac{A_{ij}}{r_i c_j}": (
        "r", "-(A 𝟏) ⊘ r", lambda q: np.sum(q.A * np.log(q.A / np.outer(q.r, q.c)))
    ),
    r"\sum_i A_{ii} + \sum_{i,j} (A_{ij} - \delta_{ij})^2": (
        "A", "2 A - I", lambda q: np.trace(q.A) + np.sum((q.A - np.eye(len(q.A))) ** 2)
    ),
    r"-J\sum_{i,j} \mathbf{A}_{ij} s_i s_j - h\sum_i s_i + \lambda \|s\|_2^2": (
        "s", "2 lambda s - J (A + Aᵀ) s - h 𝟏",
        lambda q: -q.J * q.s @ q.A @ q.s - q.h * np.sum(q.s) + q["lambda"] * q.s @ q.s,
    ),
    r"\sum_{i,j} \max(0, 1 - x_i y_j) [x_i > c]": (
        "x", "-([x yᵀ < 1] y) ⊙ [x > c]",
        lambda q: np.sum(np.maximum(0, 1 - np.outer(q.x, q.y)) * (q.x > q.c)[:, None]),
    ),
    r"\frac12 x^\top Q x + c^\top x - \mu\sum_{i=1}^n \log x_i": (
        "x", "(Q + Qᵀ) x / 2 + c - mu (𝟏 ⊘ x)",
        lambda q: q.x @ q.Q @ q.x / 2 + q.c @ q.x - q.mu * np.sum(np.log(q.x)),
    ),
    r"\frac12 \|Ax - b\|_2^2 + \lambda\sum_j |x_j|": (
        "x", "Aᵀ (A x - b) + lambda sign(x)",
        lambda q: np.sum((q.A @ q.x - q.b) ** 2) / 2 + q["lambda"] * np.sum(np.abs(q.x)),
    ),
    r"\frac{1}{n} \sum_{i=1}^n (x_i - \mu)^2 + \|\mathbf{x}\|_1": (
        "x", "sign(x) + 2 (x - mu 𝟏) / n",
        lambda q: np.mean((q.mu - q.x) ** 2) + np.sum(np.abs(q.x)),
    ),
}  # fmt: skip
"""By what each is derived, what is printed, and the same by NumPy."""


@pytest.mark.parametrize("tex", BY_EINSUM)
def test_components_are_those_of_einsum(tex: str) -> None:
    """Derivatives are differences of a function of arrays, and are printed without indices."""
    assert_by_differences(tex, *BY_EINSUM[tex])


REFUSED = {
    r"\sum_{i,j} \|x_i - x_j\|^2": "a sum over several indices is of components",
    r"\sum_{i,j} A_{ij} x_i^\top x_j": "a sum over several indices is of components",
    r"\sum_{i,j} \operatorname{tr}(A_{ij} x_i)": "a sum over several indices is of components",
    r"\sum_{i,j} A_{ik} x_i": "k is no index of a sum around A_ik",
    r"\sum_{i,j} A_{ij} x_i + x_i": "i is no index of a sum around x_i",
    r"\sum_i \sum_i x_i": "i is the index of the sum around this one",
    r"\sum_{i,j} x_i": "nothing in the sum has the index j",
    r"\sum_{i,j} x_{ij} x_i": "x stands here with 1 index, and elsewhere with 2 indices",
    r"\sum_{i,j} x_i A_{ij} x": "x stands here with no index, and elsewhere with 1 index",
    r"\sum_{i,j} A_{ij} x_j i": "i is the index of a sum, and no number",
    r"\sum_{i,j,k} T_{ijk} x_i": "a letter has at most 2 indices",
    r"\sum_{i,j} A_{ij} \mathbf{x}_i": "x_i is bold, and so a column",
    r"\sum_{i,j} \delta_{ij} + x": "of a size that a variable has",
    r"\sum_{i=1}^2 \sum_{j=1}^3 x_i x_j": "i does not go as far here as elsewhere",
    r"\sum_{i,j,k,l,m,n,p} x_i": "there are at most 6 indices",
    r"\sum_{i<j} x_i x_j": "goes over indices",
    r"\sum_i \|x_i - \mu\|^2 + \|x\|^2": "x may be made of all x_i",
    r"\sum_i (x_i - x)^2 + \|x\|^2": "x stands here with no index, and elsewhere with 1 index",
}


@pytest.mark.parametrize("tex", REFUSED)
def test_what_is_no_number_is_refused(tex: str) -> None:
    """Of columns a product of matrices is written; indices have sums."""
    with pytest.raises(tf.errors.NotationError, match=REFUSED[tex]):
        tf.differentiate(tex, "x", notation="latex")


def test_shapes_are_told_of_arrays_of_components() -> None:
    """Letters and numbers of axes, and that a matrix is symmetric."""
    tex = r"\sum_{i,j} S_{ij} x_i x_j"
    found = tf.differentiate(tex, "x", shapes={"x": ["k"]}, symmetric=["S"])
    assert str(found) == "2 S x\nwhere S: k × k, x: k"
    with pytest.raises(tf.errors.NotationError, match="x has 1 index here, and 2 axes"):
        tf.differentiate(tex, "x", shapes={"x": ["k", "k"]})
    own = tf.differentiate(r"\sum_{i,j} \delta_{ij} x_i", "x", shapes={"delta": ["n", "n"]})
    assert own.text() == "delta 𝟏"


@pytest.mark.parametrize(("tex", "is_right"), [("2", True), ("3", False)])
def test_components_of_inputs_are_candidates(tex: str, is_right: bool) -> None:
    """A gradient that somebody wrote by components."""

    def f(A, x, c):
        return c**2 * tf.reduce_sum(x * tf.linalg.matvec(A, x))

    given = np.array([[1.0, 2.0], [3.0, 5.0]]), np.array([1.0, -2.0]), np.array(3.0)
    candidate = rf"{tex} c \sum_{{i,j}} A_{{ij}} x_i x_j"
    assert verify.gradient(f, candidate, *given, wrt="c").ok is is_right
