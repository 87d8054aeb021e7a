"""What stands to the left of a formula: names, and the derivative that was asked for."""

from __future__ import annotations

import gc
import pickle

import numpy as np
import pytest

import symtape as tf


def left(tensor, lhs=True, **options):
    """Give what stands to the left."""
    return tensor.latex(lhs=lhs, **options).partition(" = ")[0]


@pytest.fixture
def regression():
    """Leaves, and a tape of a loss."""
    X = tf.constant([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], name="X")
    y = tf.constant([1.0, 0.0, 1.0], name="y")
    w, s = tf.Variable([0.1, 0.2], name="w"), tf.Variable(2.0, name="s")
    return X, y, w, s


def test_gradients_and_jacobians(regression):
    """A gradient has ∇ by arrays and ∂ by numbers; a Jacobian is a quotient of ∂."""
    X, y, w, s = regression
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(X)
        r = tf.linalg.matvec(X, w) - y
        L = tf.reduce_sum(r * r) * s
        loss_2 = L + s
        Z = X * s
    assert tape.gradient(L, w).latex(lhs=True) == (r"\nabla_{w} L = 2 s X^\top (X w - y)")
    assert [left(g) for g in tape.gradient(L, [w, s, X])] == [
        r"\nabla_{w} L", r"\frac{\partial L}{\partial s}", r"\nabla_{X} L"
    ]  # fmt: skip
    assert left(tape.gradient(loss_2, w)) == r"\nabla_{w} \mathrm{loss}_{2}"
    assert left(tape.gradient(L, r)) == r"\nabla_{r} L"
    assert left(tape.gradient(r, w)) == r"\nabla_{w} \left(\mathbf{1}^\top r\right)"
    assert left(tape.gradient(Z, s)) == (
        r"\frac{\partial}{\partial s} \left(\mathbf{1}^\top Z \mathbf{1}\right)"
    )
    assert left(tape.gradient([L, loss_2], w)) == (r"\nabla_{w} \left(L + \mathrm{loss}_{2}\right)")
    assert left(tape.jacobian(r, w)) == r"\frac{\partial r}{\partial w}"
    assert left(tape.jacobian(r, w), form="index") == r"\frac{\partial r_{i}}{\partial w_{j}}"
    assert left(tape.jacobian(r, X)) == r"\frac{\partial r_{i}}{\partial X_{j,k}}"


def test_second_derivatives(regression):
    """∇² by one variable, ∂ of a gradient by another; entries have all of their indices."""
    X, y, w, s = regression
    with tf.GradientTape(persistent=True) as outer:
        with tf.GradientTape(persistent=True) as tape:
            r = tf.linalg.matvec(X, w) - y
            L = tf.reduce_sum(r * r) * s**3
        g, slope = tape.gradient(L, [w, s])
    hessian = outer.jacobian(g, w)
    assert left(hessian) == r"\nabla^{2}_{w} L"
    assert left(hessian, form="index") == (r"\frac{\partial^{2} L}{\partial w_{j} \partial w_{i}}")
    assert left(outer.jacobian(g, s)) == r"\frac{\partial}{\partial s} \nabla_{w} L"
    assert left(outer.gradient(slope, s)) == r"\frac{\partial^{2} L}{\partial s^{2}}"
    assert left(outer.gradient(slope, w)) == r"\nabla_{w} \frac{\partial L}{\partial s}"
    assert left(outer.gradient(g, w)) == r"\nabla_{w} \left(\mathbf{1}^\top \nabla_{w} L\right)"


def test_layouts_and_environments(regression):
    """The left side is transposed with the right one, and stands before the sign of equality."""
    X, y, w, _ = regression
    with tf.GradientTape(persistent=True) as tape:
        r = tf.linalg.matvec(X, w) - y
        L = tf.reduce_sum(r * r) + tf.reduce_sum(w)
    g = tape.gradient(L, w)
    assert left(g, layout="numerator") == r"\frac{\partial L}{\partial w}"
    assert left(g, layout="denominator") == r"\nabla_{w} L"
    assert left(tape.jacobian(r, w), layout="denominator") == (
        r"\frac{\partial r^\top}{\partial w}"
    )
    assert g.latex(lhs=True, environment="align", width=10).splitlines() == [
        r"\begin{align*}",
        r"\nabla_{w} L &= \mathbf{1} \\",
        r"&\quad + 2 X^\top (X w - y)",
        r"\end{align*}",
    ]
    assert r"\nabla_{w} L = \mathbf{1} + 2" in g.latex(lhs=True, environment="equation")
    with pytest.raises(ValueError, match="lhs= is not for the form 'steps'"):
        g.latex("steps", lhs=True)


@pytest.mark.slow
def test_names_are_given_or_found(regression):
    """What no variable holds is named by the caller, who may not take the name of a leaf."""
    X, _, w, _ = regression
    with tf.GradientTape(persistent=True) as tape:
        v = tf.linalg.matvec(X, w)
    g = tape.gradient(v, w)
    assert left(g, "f") == r"\nabla_{w} f"
    assert left(tape.jacobian(v, w), "f") == r"\frac{\partial f}{\partial w}"
    assert left(v) == "v"
    assert left(v, "z_hat") == r"\hat{z}"
    assert v.latex("index", lhs=True).startswith("v_{i} = ")
    with pytest.raises(ValueError, match="'w' is the name of a leaf"):
        g.latex(lhs="w")
    del v
    gc.collect()
    del tape
    gc.collect()
    with pytest.raises(ValueError, match=r"""what was derived is gone; lhs="f" calls it f"""):
        g.latex(lhs=True)
    assert left(g, "f") == r"\nabla_{w} f"
    with pytest.raises(ValueError, match="no variable of the caller"):
        (w + 1.0).latex(lhs=True)


@pytest.mark.parametrize("given", [5, "", None, "loss function", "L_{test}", ["L"]])
def test_what_is_no_name_is_refused(regression, given):
    """A left side is asked for by True, or by a name."""
    *_, w, _ = regression
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(w * w)
    with pytest.raises(ValueError, match="lhs= is True, False, or a name"):
        tape.gradient(y, w).latex(lhs=given)


def test_what_has_no_common_notation(regression):
    """Products with a Jacobian and Jacobians of batches say so."""
    X, y, w, _ = regression
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(X)
        r = tf.linalg.matvec(X, w)
        Z = X * w
    for found, words in (
        (tape.gradient(r, w, output_gradients=y), "gradients with output_gradients"),
        (tape.batch_jacobian(Z, X), "Jacobians of batches"),
    ):
        with pytest.raises(ValueError, match=words):
            found.latex(lhs=True)


@pytest.mark.slow
def test_leaves_that_are_gone_keep_their_names():
    """A derivative tells by what it was derived, though its variables are gone."""

    def derived():
        w, s = tf.Variable([0.1, 0.2], name="w"), tf.Variable(2.0, name="s")
        with tf.GradientTape(persistent=True) as tape:
            y = tf.reduce_sum(w * w) * s
        return tape.gradient(y, [w, s])

    by_w, by_s = derived()
    gc.collect()
    assert left(by_w, "f") == r"\nabla_{w} f"
    assert left(by_s, "f") == r"\frac{\partial f}{\partial s}"


def test_gradients_of_inner_tapes_travel(regression):
    """What an outer tape recorded is pickled with its formula."""
    *_, w, _ = regression
    with tf.GradientTape(persistent=True) as outer, tf.GradientTape() as tape:
        y = tf.reduce_sum(w * w * w)
    g = tape.gradient(y, w)
    h = outer.jacobian(g, w) if g.origin[0] is outer else None
    assert h is None
    with tf.GradientTape(persistent=True) as outer:
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(w * w * w)
        g = tape.gradient(y, w)
        z = g * 2.0
    for tensor in (g, z, outer.jacobian(g, w)):
        found = pickle.loads(pickle.dumps(tensor))
        assert found.text() == tensor.text()
        np.testing.assert_array_equal(found.numpy(), tensor.numpy())
