"""Jacobians of matrices by matrices in matrix notation: Kronecker products, and vec of columns.

MN is Magnus and Neudecker, *Matrix differential calculus* (2019); MC is The Matrix Cookbook (2012).
"""

from __future__ import annotations

import numpy as np
import pytest

import symtape as tf
from symtape.forms.matrix.nodes import Kronecker
from tests.matrix_numbers import assert_form_holds, assert_holds, inside
from tests.references.room import Leaves, T, chain, det, dot, exp, inv, log, mv, outer, total, tr

BOOKS = {
    "MN 9.14, AX": (lambda q: q.M @ q.X, "X", "I ⊗ M"),
    "MN 9.14, XB": (lambda q: q.X @ q.B, "X", "Bᵀ ⊗ I"),
    "MN 9.14, AXB": (lambda q: q.M @ q.X @ T(q.W), "X", "W ⊗ M"),
    "MN 9.14, X'": (lambda q: T(q.M), "M", "K"),
    "MN 9.14, XX'": (lambda q: q.M @ T(q.M), "M", "(I + K) (M ⊗ I)"),
    "MN 9.14, X'X": (lambda q: T(q.M) @ q.M, "M", "(I + K) (I ⊗ Mᵀ)"),
    "MN 9.14, X²": (lambda q: q.X @ q.X, "X", "Xᵀ ⊗ I + I ⊗ X"),
    "MN 9.14, X³": (lambda q: chain(q.X, q.X, q.X), "X", "Xᵀ ⊗ X + (X²)ᵀ ⊗ I + I ⊗ X²"),
    "MN 9.14, X⁻¹": (lambda q: inv(q.X), "X", "-X⁻ᵀ ⊗ X⁻¹"),
    "MN 9.13, Xa": (lambda q: mv(q.M, q.x), "M", "xᵀ ⊗ I"),
    "MN 9.13, X'a": (lambda q: mv(T(q.M), q.y), "M", "I ⊗ yᵀ"),
    "MN 9.13, xx'": (lambda q: outer(q.x, q.x), "x", "x ⊗ I + I ⊗ x"),
    "MN 9.13, xa'": (lambda q: outer(q.x, q.y), "x", "y ⊗ I"),
    "MN 10.6, Hessian of tr AX⁻¹": (
        lambda q: tr(q.A @ inv(q.X)),
        "X",
        "K ((X⁻ᵀ Aᵀ X⁻ᵀ) ⊗ X⁻¹ + X⁻ᵀ ⊗ (X⁻¹ A X⁻¹))",
        2,
    ),
    "MN 10.6, Hessian of tr X²": (lambda q: tr(q.X @ q.X), "X", "2 K", 2),
    "MN 10.6, Hessian of tr X'AXB": (lambda q: tr(chain(T(q.M), q.M, q.B)), "M", "(B + Bᵀ) ⊗ I", 2),
    "MN 10.6, Hessian of log det": (lambda q: log(det(q.X)), "X", "-K (X⁻ᵀ ⊗ X⁻¹)", 2),
    "MN 10.6, Hessian of det": (
        lambda q: det(q.X),
        "X",
        "det(X) (vec(X⁻ᵀ) vec(X⁻ᵀ)ᵀ - K (X⁻ᵀ ⊗ X⁻¹))",
        2,
    ),
    "Hessian of a'XX'a": (lambda q: dot(mv(T(q.X), q.a), mv(T(q.X), q.a)), "X", "2 I ⊗ (a aᵀ)", 2),
    "Hessian of ‖AXB‖²": (lambda q: total((q.M @ q.X @ T(q.W)) ** 2), "X", "2 (Wᵀ W) ⊗ (Mᵀ M)", 2),
    "by entry": (lambda q: exp(q.M), "M", "diag(exp(vec(M)))"),
    "weights": (lambda q: q.W * q.M, "M", "diag(vec(W))"),
    "a layer": (lambda q: tf.tanh(q.M @ q.X), "X", "diag(𝟏 - tanh(vec(M X))^⊙2) (I ⊗ M)"),
    "a layer of a row": (lambda q: tf.tanh(mv(q.M, q.x)), "M", "xᵀ ⊗ diag(𝟏 - tanh(M x)^⊙2)"),
    "Hessian of a logistic loss": (
        lambda q: total(tf.math.softplus(mv(q.M, q.x))),
        "M",
        "(x xᵀ) ⊗ diag(σ(M x) ⊙ (𝟏 - σ(M x)))",
        2,
    ),
    "Hessian of a cross entropy": (
        lambda q: -dot(q.y / total(q.y), tf.nn.log_softmax(mv(q.M, q.x))),
        "M",
        "(x xᵀ) ⊗ (diag(softmax(M x)) - softmax(M x) softmax(M x)ᵀ)",
        2,
    ),
    "solution": (lambda q: tf.linalg.solve(q.X, q.B), "X", "-(Bᵀ X⁻ᵀ) ⊗ X⁻¹"),
    "solution of the adjoint": (
        lambda q: tf.linalg.solve(q.X, q.B, adjoint=True),
        "X",
        "-K (X⁻ᵀ ⊗ (Bᵀ X⁻¹))",
    ),
    "by length": (lambda q: q.M / tf.norm(q.M), "M", "(I - vec(M) vec(M)ᵀ / ‖M‖_F²) / ‖M‖_F"),
    "running sums": (lambda q: tf.cumsum(q.M), "M", "I ⊗ tril(𝟏 𝟏ᵀ)"),
    "a number in front": (
        lambda q: dot(q.x, q.a) * (q.M @ q.A),
        "M",
        "(xᵀ a) Aᵀ ⊗ I",
    ),
    "vec": (lambda q: tf.reshape(T(q.M), [-1]), "M", "I"),
    "rows in turn": (lambda q: tf.reshape(q.M, [-1]), "M", "K"),
    "stacked": (lambda q: tf.concat([q.M, q.M], 0), "M", "I ⊗ [I; I]"),
    "MN 10.6, Hessian of (tr X)²": (lambda q: tr(q.X) ** 2, "X", "2 vec(I) vec(I)ᵀ", 2),
    "a matrix by its trace": (lambda q: tr(q.X) * q.M, "X", "vec(M) vec(I)ᵀ"),
    "stiffness of an elastic body (Hooke 1678)": (
        lambda q: q.s / 2 * tr(q.X) ** 2 + q.t / 4 * total((q.X + T(q.X)) ** 2),
        "X",
        "s vec(I) vec(I)ᵀ + t (I + K)",
        2,
    ),
    "a diagonal by a matrix": (
        lambda q: tf.linalg.diag(q.x) * tr(q.X),
        "X",
        "vec(diag(x)) vec(I)ᵀ",
    ),
    "Hessian of squares on a diagonal": (
        lambda q: dot(q.x, tf.linalg.diag_part(q.X) ** 2),
        "X",
        "2 diag(vec(diag(x)))",
        2,
    ),
}


def derived(name: str, n: int, m: int):
    """Derive a function of matrices."""
    function, by, _, *order = BOOKS[name]
    leaves = Leaves(n, m)
    x = getattr(leaves, by)
    with tf.GradientTape() as tape:
        y = function(leaves)
    return tape.hessian(y, x) if order else tape.jacobian(y, x)


CANCELS = {"MN 10.6, Hessian of det"}
"""Entries that are zero by cancelling have no digits."""


@pytest.mark.parametrize("name", BOOKS)
def test_a_jacobian_is_written_as_in_books(name):
    """At two sizes the form is the same, and it has the value of the program at a fresh point."""
    for n, m in ((3, 2), (2, 3)):
        found = derived(name, n, m)
        assert found.text() == BOOKS[name][2]
        if name not in CANCELS or (n, m) == (3, 2):
            assert_holds(found, np.random.default_rng(n))


def test_the_judge_convicts():
    """A product in the other order, and the unit matrix for K, are found."""
    for name, wrong in (("MN 9.14, AXB", _exchanged), ("MN 9.14, X'", _unit)):
        formula = derived(name, 3, 2).formula
        form = formula.matrix_form()
        form.matrix = wrong(form)
        values = inside(formula, np.random.default_rng(1))
        with pytest.raises(AssertionError):
            assert_form_holds(form, formula.program, formula.position, formula.names, values)


def _exchanged(form):
    (node,) = [n for n in form.algebra.symbols if isinstance(n, Kronecker)]
    return form.algebra.kronecker(*node.parts[::-1])


def _unit(form):
    return form.algebra.identity(form.matrix.shape[0])


REFUSED = {
    "diag(x)": lambda q: (tf.linalg.diag(q.x), q.x, "two axes that are one"),
    "softmax of rows": lambda q: (tf.nn.softmax(q.M), q.M, "one factor ties together"),
    "three axes of rows": lambda q: (tf.stack([q.M, q.M]), q.M, r"shape \(2, 2, 3, 2, 3\)"),
    "a Cholesky factor": lambda q: (tf.linalg.cholesky(q.A @ T(q.A)), q.A, "shape .* no matrix"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_has_no_kronecker_product_is_refused(name):
    """The reason and the other forms are named; index notation writes it."""
    leaves = Leaves(3, 2)
    with tf.GradientTape() as tape:
        y, x, why = REFUSED[name](leaves)
    found = tape.jacobian(y, x)
    with pytest.raises(tf.NoMatrixFormError, match=f"{why}.*index_expr"):
        found.text()
    if "Cholesky" not in name:  # whose entries are written out
        assert found.latex() == found.latex("index")


def test_forms_that_are_arrays_are_no_kronecker_products():
    """The axes of `index_expr`, `entries` and `matrix_expr` are those of the array."""
    found = derived("MN 9.14, AXB", 3, 2)
    with pytest.raises(tf.NoMatrixFormError, match=r"as one by vec.*index_expr"):
        _ = found.matrix_expr
    assert str(found.index_expr()) == "M[i, k]*W[j, l]"
    assert found.latex() == found.latex("index")


def test_letters_of_leaves_are_kept_apart():
    """A leaf called K is not the commutation matrix."""
    K = tf.Variable([[1.0, 2.0], [3.0, 4.0]], name="K")
    with tf.GradientTape() as tape:
        y = T(K) @ K
    found = tape.jacobian(y, K)
    assert found.text() == "(I + \N{MATHEMATICAL DOUBLE-STRUCK CAPITAL K}) (I ⊗ Kᵀ)"
    assert r"\mathbb{K}" in found.latex("matrix")


def test_the_left_side_has_vec():
    """Rows and columns are those of vec, and a Hessian has it twice."""
    left = r"\frac{\partial \operatorname{vec}(Y)}{\partial \operatorname{vec}(M)^\top} = "
    leaves = Leaves(3, 2)
    M, X = leaves.M, leaves.X
    with tf.GradientTape() as tape:
        Y = M @ X
    assert tape.jacobian(Y, M).latex("matrix", lhs=True) == left + r"X^\top \otimes I"
