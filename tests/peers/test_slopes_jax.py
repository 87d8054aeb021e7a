"""Slopes of JAX's functions at kinks and ties, and those that authors say, are those of JAX."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtape as tf
from tests.peers.jax_cases import Late
from tests.sampling import some

jnp, lax, jax_nn, jax_special = (
    Late("jax.numpy"), Late("jax.lax"), Late("jax.nn"), Late("jax.scipy.special"),
)  # fmt: skip

X = np.array([-1.0, 0.0, 1.0, 6.0, 3.0, -3.0])
Y = np.array([-1.0, 1.0, 1.0, 0.0, 3.0, 3.0])
HALF, TWO = np.array([0.0, 0.5, 1.0]), np.array([0.0, 2.0, 3.0])

KINKS: dict[str, tuple[Any, ...]] = {
    "maximum with 0": (lambda x: jnp.maximum(x, 0), X),
    "maximum with zeros": (lambda x: lax.max(jnp.zeros_like(x), x), X),
    "minimum with 1": (lambda x: jnp.minimum(1.0, x), X),
    "maximum": (lambda x, y: jnp.maximum(x, y), X, Y),
    "minimum": (lambda x, y: jnp.minimum(x, y), X, Y),
    "largest with initial": (lambda x: jnp.max(x, initial=1.0), Y[:4]),
    "clip": (lambda x: jnp.clip(x, -1, 1), X),
    "clip by arrays": (lambda x, y: jnp.clip(x, y, y + 1), X, Y),
    "clamp": (lambda x: lax.clamp(-1.0, x, 3.0), X),
    "clamp by arrays": (lambda x, a, b: lax.clamp(a, x, b), X, Y, Y[::-1].copy()),
    "relu": (lambda x: jax_nn.relu(x), X),
    "relu6": (lambda x: jax_nn.relu6(x), X),
    "hard_sigmoid": (lambda x: jax_nn.hard_sigmoid(x), X),
    "hard_silu": (lambda x: jax_nn.hard_silu(x), X),
    "celu": (lambda x: jax_nn.celu(x), X),
    "soft_sign": (lambda x: jax_nn.soft_sign(x), X),
    "sparse_sigmoid": (lambda x: jax_nn.sparse_sigmoid(x), X),
    "abs": (lambda x: jnp.abs(x), X),
    "norm of order one": (lambda x: jnp.linalg.norm(x, 1), X),
    "hypot": (lambda x, y: jnp.hypot(x, y), TWO, HALF),
    "copysign": (lambda x: jnp.copysign(x, -1.0), X),
    "cummax": (lambda x: lax.cummax(x), Y),
    "cummin": (lambda x: lax.cummin(x, reverse=True), Y),
    "where that masks roots": (lambda x: jnp.where(x > 0, jnp.sqrt(x) + lax.rsqrt(x), 0.0), X),
    "where that masks 1 / x": (lambda x: jnp.where(x > 0, lax.integer_pow(x, -1), 0.0), X),
    "cbrt": (lambda x: jnp.cbrt(x), X),
    "power": (lambda x, y: jnp.power(x, y), np.array([-1.5, 2.0, 0.0]), np.array([2.0, 0.5, 3.0])),
    "xlogy": (lambda x, y: jax_special.xlogy(x, y), HALF, TWO),
    "entr": (lambda x: jax_special.entr(x), HALF),
    "sinc": (lambda x: jnp.sinc(x), HALF),
    "hinge": (lambda w, y: jnp.maximum(0, 1 - w * y), X, Y),
}  # fmt: skip

GUARDED = {"xlogy", "entr"}
"""Where the value at 0 is another formula, which that of other values is refused for."""


def weighted(f: Any) -> Any:
    """Make one number of what a function gives."""

    def total(*x: Any) -> Any:
        made = f(*x)
        return jnp.sum(made * jnp.cos(jnp.arange(made.size)))

    return total


def slopes_at(imported: Any, values: Any) -> tuple[Any, Any]:
    """Give the gradient, and the gradient of its sum."""
    sources = [tf.constant(v) for v in values]
    with tf.GradientTape() as outer:
        outer.watch(sources)
        with tf.GradientTape() as tape:
            tape.watch(sources)
            result = imported(*sources)
        first = tape.gradient(result, sources)
        total = tf.add_n([tf.reduce_sum(g) for g in first])
    return first, outer.gradient(total, sources, unconnected_gradients="zero")


@pytest.mark.parametrize("name", some([*KINKS], 3))
def test_slopes_at_kinks_are_those_of_jax(name, jax):
    """So are derivatives of order two, and a formula that was recorded elsewhere."""
    f, *values = KINKS[name]
    total, every = weighted(f), tuple(range(len(values)))
    with jax.enable_x64(True):
        given = [*map(jnp.asarray, values)]
        first = jax.grad(total, every)(*given)
        parts = lambda *x: sum(jnp.sum(g) for g in jax.grad(total, every)(*x))  # noqa: E731
        second = jax.grad(parts, every)(*given)
    imported = tf.from_jax(total, *[v + 0.3 for v in values])
    for own, expected in zip(slopes_at(imported, values), (first, second), strict=True):
        for a, b in zip(own, expected, strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-10, atol=1e-12)
    for leaf, expected in zip(imported.examples, first, strict=True):
        compiled = imported.gradient(leaf).lambdify([*imported.examples.values()])
        if name in GUARDED:
            with pytest.raises(tf.PathConditionError):
                compiled(*values)
            continue
        np.testing.assert_allclose(compiled(*values), expected, rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("name", some([*KINKS], 3, 2))
def test_slopes_at_kinks_have_the_dtype_of_the_argument(name, jax):
    """Single precision stays what it is, in a call and in a formula."""
    f, *values = KINKS[name]
    imported = tf.from_jax(weighted(f), *[np.float32(v) for v in values])
    for leaf in imported.examples:
        with jax.enable_x64(False):
            slope = imported.gradient(leaf)
        compiled = slope.lambdify([*imported.examples])
        assert slope.dtype == compiled(*map(np.float32, values)).dtype == np.float32


# --- rules of authors -----------------------------------------------------------------------------


def straight_through(jax: Any) -> Any:
    """Round, with the slope of the identity."""
    rounded = jax.custom_jvp(lambda x: jnp.round(x))
    rounded.defjvp(lambda primals, tangents: (rounded(primals[0]), tangents[0]))
    return rounded


def of_clipped_gradient(jax: Any) -> Any:
    """Square, with a rule that bounds what comes."""
    square = jax.custom_vjp(lambda x: x * x)
    square.defvjp(lambda x: (square(x), x), lambda x, g: (jnp.clip(g, -1, 1) * 2 * x,))
    return square


RULES = {
    "jvp": lambda jax, f: lambda x: f(x) * x,
    "of what was computed": lambda jax, f: lambda x: f(jnp.sin(x)) * x,
    "vmap": lambda jax, f: lambda x: jax.vmap(lambda e: f(e) * jnp.exp(e))(x),
    "scan": lambda jax, f: lambda x: lax.scan(lambda c, e: (c + f(e), c * e), 0.0, x)[1],
    "checkpoint": lambda jax, f: jax.checkpoint(lambda x: f(x) * jnp.sin(x)),
}


@pytest.mark.parametrize("own", [straight_through, of_clipped_gradient])
@pytest.mark.parametrize("name", RULES)
def test_the_rule_of_an_author_is_the_derivative(name, own, jax):
    """Wherever a function stands, also in a formula, at other arguments."""
    total = weighted(RULES[name](jax, own(jax)))
    first, other = np.array([-1.2, 0.7, 2.4]), np.array([0.2, -3.3, 1.1])
    imported = tf.from_jax(total, first)
    compiled = imported.gradient("x_0").lambdify()
    with jax.enable_x64(True):
        for x in (first, other):
            expected = jax.grad(total)(x)
            np.testing.assert_allclose(slopes_at(imported, [x])[0][0], expected, rtol=1e-12)
            np.testing.assert_allclose(compiled(x), expected, rtol=1e-12)


def test_the_formula_is_that_of_the_rule(jax):
    """A rule can be read, and that of the forward is there when it is asked for."""
    square = of_clipped_gradient(jax)
    x = np.array([0.5, -0.25])
    own = tf.from_jax(lambda x: 3 * jnp.sum(square(x)), x)
    assert own.gradient("x").text() == "2 x"
    forward = tf.from_jax(lambda x: 3 * jnp.sum(square(x)), x, backward="forward")
    assert forward.gradient("x").text() == "6 x"
    with pytest.raises(ValueError, match='backward is "own" or "forward"'):
        tf.from_jax(lambda x: x, x, backward="checked")


def test_a_rule_takes_what_is_no_number_along(jax):
    """Integers, several results in a structure, and arrays from outside."""
    weights = np.array([[1.0, 2.0], [3.0, -1.0]])

    @jax.custom_vjp
    def chosen(x, k):
        return {"sum": weights @ x, "part": x[k]}, k + 1

    def forward(x, k):
        return chosen(x, k), (x, k)

    def backward(kept, g):
        x, k = kept
        return 2 * (g[0]["sum"] @ weights) + g[0]["part"] * x[k] ** 2, None

    chosen.defvjp(forward, backward)

    def total(x, k):
        (made, _) = chosen(x, k)
        return jnp.sum(made["sum"] ** 2) + made["part"]

    x = np.array([0.5, -1.5])
    with jax.enable_x64(True):
        expected = jax.grad(total)(jnp.asarray(x), jnp.asarray(1))
    imported = tf.from_jax(total, x, np.array(1))
    np.testing.assert_allclose(imported.gradient("x"), expected, rtol=1e-13)


def test_rules_that_call_functions_with_rules_end(jax):
    """So does that of sinc: `tf.grad`, which looks ahead, looks so far and no further."""
    with jax.enable_x64(True):
        expected = jax.grad(jax.grad(jnp.sinc))(0.0)
    slope = tf.grad(tf.grad(lambda x: tf.from_jax(jnp.sinc, x)(x)))
    np.testing.assert_allclose(slope(np.array(0.0)), expected, rtol=1e-12)
