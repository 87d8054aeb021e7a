"""Adapters for SciPy against JAX: the order of packed parameters, gradients, Hessians, products."""

from __future__ import annotations

import importlib

import numpy as np
import pytest

import symtape as tf

RNG = np.random.default_rng(7)
X, Y = RNG.normal(size=(9, 3)), RNG.normal(size=(9, 2))

PARAMS = {
    "dict": {"w": RNG.normal(size=(3, 2)), "b": RNG.normal(size=2), "a": 0.7},
    "list": [RNG.normal(size=(3, 2)), (RNG.normal(size=2), 0.3)],
    "nested": {"z": [{"w": RNG.normal(size=(3, 2))}, RNG.normal(size=2)], "c": 0.1},
}


def leaves(params):
    """Sort the parameters by what they are for."""
    if isinstance(params, dict) and "w" in params and "b" in params:
        return params["w"], params["b"], params["a"]
    if isinstance(params, dict):
        return params["z"][0]["w"], params["z"][1], params["c"]
    return params[0], params[1][0], params[1][1]


def loss(np, params):
    """Give a smooth loss, `np` being NumPy or JAX's."""
    w, b, a = leaves(params)
    hidden = np.tanh(np.matmul(X, w) + b)
    return np.sum((hidden - Y) ** 2) + a**2 * np.sum(w**2)


@pytest.mark.parametrize("name", PARAMS)
def test_packed_derivatives_are_those_of_jax(jax, name):
    """The vector is that of `ravel_pytree`, and derivatives by it are JAX's."""
    params = PARAMS[name]
    ravel_pytree = importlib.import_module("jax.flatten_util").ravel_pytree
    flat, unravel = ravel_pytree(params)
    obj = tf.objective(lambda p: loss(np, p), params)
    sparse = tf.objective(lambda p: loss(np, p), params, sparse=True)
    peer = jax.jit(lambda x: loss(jax.numpy, unravel(x)))
    np.testing.assert_array_equal(obj.x0, flat)
    p = RNG.normal(size=flat.size)
    hessian = jax.hessian(peer)(flat)
    for _ in range(3):
        np.testing.assert_allclose(obj.fun(obj.x0), peer(flat), rtol=1e-13)
        np.testing.assert_allclose(obj.jac(obj.x0), jax.grad(peer)(flat), rtol=1e-11, atol=1e-13)
        np.testing.assert_allclose(obj.hess(obj.x0), hessian, rtol=1e-10, atol=1e-12)
        np.testing.assert_allclose(sparse.hess(obj.x0).toarray(), hessian, rtol=1e-10, atol=1e-12)
        np.testing.assert_allclose(obj.hessp(obj.x0, p), hessian @ p, rtol=1e-10, atol=1e-12)


def test_products_of_rows_are_those_of_vmap(jax):
    """`vectorize` of products is `jax.vmap` of JAX's."""
    x, v = RNG.normal(size=(4, 3)), RNG.normal(size=(4, 3))

    def f(np, x):
        return np.sum(np.sin(x) * x**2) * x[0]

    own = tf.hvp(lambda x: f(np, x), (x,), (v,), vectorize=True)
    peer = jax.vmap(lambda x, v: jax.jvp(jax.grad(lambda x: f(jax.numpy, x)), (x,), (v,))[1])(x, v)
    np.testing.assert_allclose(own, peer, rtol=1e-12)
    _, own = tf.jvp(lambda x: np.outer(x, x), (x,), (v,), vectorize=True)
    peer = jax.vmap(lambda x, v: jax.jvp(lambda x: jax.numpy.outer(x, x), (x,), (v,))[1])(x, v)
    np.testing.assert_allclose(own, peer, rtol=1e-12)


@pytest.mark.parametrize("derivative", ["jacobian", "hessian"])
def test_auxiliary_results_are_those_of_jax(jax, derivative):
    """`has_aux` gives the pair that JAX gives."""
    x = RNG.normal(size=3)

    def f(np, x):
        return np.sin(x) * x[0], {"sum": np.sum(x)}

    own, aux = getattr(tf, derivative)(lambda x: f(np, x), has_aux=True)(x)
    run = jax.jacobian if derivative == "jacobian" else jax.hessian
    peer, peer_aux = run(lambda x: f(jax.numpy, x), has_aux=True)(x)
    np.testing.assert_allclose(own, peer, rtol=1e-12, atol=1e-14)
    np.testing.assert_allclose(aux["sum"], peer_aux["sum"], rtol=1e-14)
