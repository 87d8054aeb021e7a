"""Functions of JAX, imported: values and derivatives are those that JAX computes itself."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtape as tf
from symtape.frontends.jax_functions.flow import CALLS, OLDER
from symtape.frontends.jax_functions.interpreter import RULES
from tests.peers.jax_cases import CASES, Late, N
from tests.peers.jax_primitives import PRIMITIVES

jnp, lax = Late("jax.numpy"), Late("jax.lax")

LOOSE = {"ode": 1e-8}
"""JAX integrates an equation for the derivative, to the tolerance that it is given."""

ZERO = tf.UnconnectedGradients.ZERO


def floats(jax: Any, examples: Any) -> list[int]:
    """Say which leaves of arguments have derivatives."""
    leaves = jax.tree_util.tree_leaves(examples)
    return [k for k, leaf in enumerate(leaves) if np.asarray(leaf).dtype.kind in "fc"]


def of_floats(jax: Any, f: Any, examples: Any) -> tuple[Any, list[Any]]:
    """Make a function of the leaves that have derivatives."""
    leaves, tree = jax.tree_util.tree_flatten(examples)
    places = floats(jax, examples)

    def flat(*values: Any) -> Any:
        full = list(leaves)
        for k, value in zip(places, values, strict=True):
            full[k] = value
        return f(*jax.tree_util.tree_unflatten(tree, full))

    return flat, [leaves[k] for k in places]


def slopes(jax: Any, f: Any, values: Any, way: Any) -> Any:
    """Give the gradient by all arguments, forwards where JAX cannot go backwards."""
    return jax.jit(way(f, tuple(range(len(values)))))(*values)


def along(jax: Any, f: Any, values: Any, directions: Any) -> Any:
    """Give the Hessian times a direction, as JAX computes it in a way that it can."""
    numbers = tuple(range(len(values)))
    for way in (jax.grad, jax.jacfwd):
        slope = way(f, numbers)
        try:
            return jax.jit(lambda *a, g=slope: jax.jvp(g, a, directions)[1])(*values)
        except (ValueError, TypeError, NotImplementedError):
            continue
    return None


def ours(imported: Any, places: list[int], directions: Any) -> tuple[Any, Any]:
    """Give the gradient and the Hessian times a direction of an imported function."""
    leaves = list(imported.examples.values())
    sources = [leaves[k] for k in places]
    with tf.GradientTape() as outer:
        outer.watch(sources)
        with tf.GradientTape() as tape:
            tape.watch(sources)
            result = imported._run(leaves, imported._tree)
        slope = tape.gradient(result, sources, unconnected_gradients=ZERO)
        total = tf.add_n([tf.reduce_sum(g * d) for g, d in zip(slope, directions, strict=True)])
    return slope, outer.gradient(total, sources, unconnected_gradients=ZERO)


def close(own: Any, expected: Any, tolerance: float) -> None:
    """Assert that arrays agree, relative to their largest element."""
    for a, b in zip(own, expected, strict=True):
        scale = max(1.0, np.abs(np.asarray(b)).max(initial=0.0))
        np.testing.assert_allclose(np.asarray(a) / scale, np.asarray(b) / scale, atol=tolerance)


@pytest.mark.filterwarnings("ignore:Explicitly requested dtype")
@pytest.mark.parametrize("name", CASES)
def test_values_and_derivatives_are_those_of_jax(name, jax):
    """The value, the gradient, and the Hessian along a direction are equal."""
    f, examples = CASES[name]
    tolerance = LOOSE.get(name, 1e-10)
    imported = tf.from_jax(f, *examples)
    close([imported.result.numpy()], [f(*examples)], tolerance)
    flat, values = of_floats(jax, f, examples)
    rng = np.random.default_rng(5)
    directions = tuple(rng.normal(size=np.shape(v)) for v in values)
    gradient, second = ours(imported, floats(jax, examples), directions)
    try:
        expected = slopes(jax, flat, values, jax.grad)
    except ValueError:
        expected = slopes(jax, flat, values, jax.jacfwd)
    close(gradient, expected, tolerance)
    other = along(jax, flat, values, directions)
    assert other is not None or name == "incomplete"
    if other is not None:
        close(second, other, tolerance)


def test_there_are_sixty_functions_and_more():
    """The table is as long as was promised."""
    assert len(CASES) >= 60


# --- primitives -----------------------------------------------------------------------------------


def test_every_primitive_has_a_case():
    """Each row of the tables is tried by name; nothing else is."""
    assert {*RULES, *CALLS} - {*OLDER} == PRIMITIVES.keys()


def names_in(jax: Any, jaxpr: Any) -> set[str]:
    """Collect the primitives of a jaxpr and of those in it."""
    found = set()
    for equation in jaxpr.eqns:
        found.add(equation.primitive.name)
        for inner in jax.extend.core.jaxprs_in_params(equation.params):
            found |= names_in(jax, getattr(inner, "jaxpr", inner))
    return found


def numbers(jax: Any, result: Any) -> list[Any]:
    """List the arrays of a result."""
    return jax.tree_util.tree_leaves(result)


@pytest.mark.parametrize("name", PRIMITIVES)
def test_a_primitive_is_what_it_is_in_jax(name, jax):
    """Its value is equal, and its derivative where JAX has one."""
    f, *examples = PRIMITIVES[name]
    importlib_core = Late("jax.extend.core")
    jaxpr = jax.make_jaxpr(f)(*examples).jaxpr
    assert name in names_in_all(importlib_core, jaxpr)
    imported = tf.from_jax(f, *examples)
    own, expected = numbers(jax, imported.result), numbers(jax, f(*examples))
    for a, b in zip(own, expected, strict=True):
        assert a.dtype.name == b.dtype.name
    close([a.numpy() for a in own], expected, 1e-10)
    flat, values = of_floats(jax, f, examples)
    weights = [np.random.default_rng(k).normal(size=b.shape) for k, b in enumerate(expected)]

    def total(*given: Any) -> Any:
        parts = [
            jnp.sum(jnp.real(a) * w) + jnp.sum(jnp.imag(a) * w)
            for a, w in zip(numbers(jax, flat(*given)), weights, strict=True)
            if a.dtype.kind in "fc"
        ]
        return sum(parts)

    if not values or all(b.dtype.kind not in "fc" for b in expected):
        return
    try:
        slope = jax.grad(total, tuple(range(len(values))))(*values)
    except (ValueError, NotImplementedError, TypeError):
        slope = jax.jacfwd(total, tuple(range(len(values))))(*values) if name == "while" else None
    if slope is None:
        assert name in WITHOUT_SLOPE
        return
    leaves = list(imported.examples.values())
    sources = [leaves[k] for k in floats(jax, examples)]
    with tf.GradientTape() as tape:
        tape.watch(sources)
        result = numbers(jax, imported(*leaves))
        parts = [
            tf.reduce_sum(tf.math.real(a) * w) + tf.reduce_sum(tf.math.imag(a) * w)
            if a.dtype.is_complex
            else tf.reduce_sum(a * w)
            for a, w in zip(result, weights, strict=True)
            if a.dtype.is_floating or a.dtype.is_complex
        ]
        own_total = tf.add_n(parts)
    gradient = tape.gradient(own_total, sources, unconnected_gradients=ZERO)
    close([conjugated(g) for g in gradient], slope, CLOSE.get(name, 1e-10))


WITHOUT_SLOPE = {"igamma_grad_a", "nextafter"}
"""What JAX has no derivative of."""

CLOSE: dict[str, float] = {}


def conjugated(g: Any) -> Any:
    """Give a gradient by JAX's convention, which is the conjugate of TensorFlow's."""
    return np.conj(g.numpy())


def names_in_all(core: Any, jaxpr: Any) -> set[str]:
    """Collect the primitives of a jaxpr and of those in it."""
    found = set()
    for equation in jaxpr.eqns:
        found.add(equation.primitive.name)
        for inner in core.jaxprs_in_params(equation.params):
            found |= names_in_all(core, getattr(inner, "jaxpr", inner))
    return found
