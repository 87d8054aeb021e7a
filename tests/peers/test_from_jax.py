"""Functions of JAX, imported: values and derivatives are those that JAX computes itself."""

from __future__ import annotations

import contextlib
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import symtape as tf
from symtape.frontends.jax_functions import exactly
from symtape.frontends.jax_functions.framework import bound
from symtape.frontends.jax_functions.interpreter import RULES
from symtape.frontends.jax_functions.primitives.flow import CALLS, OLDER
from tests.peers.jax_cases import CASES, Late, N
from tests.peers.jax_primitives import PRIMITIVES
from tests.sampling import some
from tests.test_docs import failures

jnp, lax, jax_nn = Late("jax.numpy"), Late("jax.lax"), Late("jax.nn")
jax_special, jax_random = Late("jax.scipy.special"), Late("jax.random")
jax_stats = Late("jax.scipy.stats")
core, primitives = Late("jax.extend.core"), Late("jax.extend.core.primitives")

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

    def part(*given: Any) -> Any:
        return sum(map(jnp.vdot, jax.grad(f, numbers)(*given), directions))

    ways = (
        lambda *a: jax.jvp(jax.grad(f, numbers), a, directions)[1],
        jax.grad(part, numbers),
        lambda *a: jax.jvp(jax.jacfwd(f, numbers), a, directions)[1],
    )
    for way in ways:
        with contextlib.suppress(ValueError, TypeError, NotImplementedError):
            return jax.jit(way)(*values)
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
@pytest.mark.parametrize("name", some([*CASES], 16))
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


@pytest.mark.filterwarnings("ignore:Explicitly requested dtype")
@pytest.mark.parametrize("name", some([*CASES], 16, 1))
def test_formulas_hold_for_other_arguments_or_are_refused(name, jax):
    """What values decide is computed anew, or a condition: the arguments are those turned round."""
    f, examples = CASES[name]
    imported = tf.from_jax(f, *examples)
    leaves, tree = jax.tree_util.tree_flatten(examples)
    others = [np.flip(x).copy() for x in map(np.asarray, leaves)]
    expected = f(*tree.unflatten(others))
    names = [*imported.examples]
    try:
        compiled = imported.result.lambdify([imported.leaf(n) for n in names])
        value = compiled(*others)
    except (tf.PathConditionError, ValueError):  # an integer that is a size is no leaf
        return
    close([value], [expected], LOOSE.get(name, 1e-9))


SMOOTH = {
    "hypot": lambda jnp: jnp.hypot,
    "logaddexp2": lambda jnp: jnp.logaddexp2,
    "by hand": lambda jnp: (
        lambda a, b: jnp.maximum(a, b) * jnp.sqrt(1 + (jnp.minimum(a, b) / jnp.maximum(a, b)) ** 2)
    ),
}


@pytest.mark.parametrize("name", SMOOTH)
def test_what_is_made_of_both_extremes_has_no_kink(name, jax):
    """Where both arguments are equal each has its half of the slopes of the extremes."""
    f = SMOOTH[name](jax.numpy)
    imported = tf.from_jax(lambda a, b: f(a, b).sum(), *[np.array([1.0, 2.0])] * 2)
    expected = jax.grad(lambda a, b: f(a, b).sum(), (0, 1))(*[np.array([1.0, 2.0])] * 2)
    close([imported.gradient("a").numpy(), imported.gradient("b").numpy()], expected, 1e-12)


def test_there_are_sixty_functions_and_more():
    """The table is as long as was promised."""
    assert len(CASES) >= 60


# --- primitives -----------------------------------------------------------------------------------


EXACT = {
    "add": lambda x, y: x + y,
    "add_any": lambda x, y: primitives.add_jaxvals_p.bind(x, y),
    "sub": lambda x, y: x - y,
    "mul": lambda x, y: x * y,
    "div": lambda x, y: x / y,
    "neg": lambda x, y: -x,
    "abs": lambda x, y: abs(x),
    "sqrt": lambda x, y: lax.sqrt(x),
    "square": lambda x, y: lax.square(x),
    "eq": lambda x, y: x == y,
    "ne": lambda x, y: x != y,
    "lt": lambda x, y: x < y,
    "le": lambda x, y: x <= y,
    "gt": lambda x, y: x > y,
    "ge": lambda x, y: x >= y,
    "max": lambda x, y: lax.max(x, y),
    "min": lambda x, y: lax.min(x, y),
    "integer_pow": lambda x, y: lax.integer_pow(x, 2),
    "broadcast_in_dim": lambda x, y: lax.broadcast_in_dim(x, (2, *x.shape, 3), (1,)),
    "reshape": lambda x, y: lax.reshape(x, (1, *x.shape)),
    "transpose": lambda x, y: lax.transpose(lax.reshape(x, (1, *x.shape)), (1, 0)),
    "squeeze": lambda x, y: lax.squeeze(lax.reshape(x, (1, *x.shape)), (0,)),
    "convert_element_type": lambda x, y: lax.convert_element_type(
        x, "float32" if x.dtype == "float64" else "float64"
    ),
    "select_n": lambda x, y: lax.select_n(x > y, x, y),
}


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", EXACT)
def test_what_numpy_computes_in_place_of_jax_has_the_same_bits(name, dtype, jax):
    """Of numbers of any size, zeros, infinities and nan; subnormal ones are left to JAX."""
    rng = np.random.default_rng(0)
    ends = [0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan, 1e-44, 5e-324]
    x, y = (rng.normal(size=300) * 10.0 ** rng.integers(-18, 18, 300) for _ in range(2))
    x, y = np.append(x, np.repeat(ends, 9)), np.append(y, np.tile(ends, 9))
    with jax.enable_x64(True), np.errstate(all="ignore"):
        x, y = x.astype(dtype), y.astype(dtype)
        found = []
        for keep in (np.abs(x) > -1, x != 0, (np.abs(x) > 1e-15) & (np.abs(y) > 1e-15)):
            a, b = x[keep], y[keep]
            equation = jax.make_jaxpr(EXACT[name])(a, b).eqns[-1]
            operands = [a, b] if name != "select_n" else [a > b, a, b]
            operands = (
                [a[None]] if name in {"squeeze", "transpose"} else operands[: len(equation.invars)]
            )
            found.append(exactly.by_numpy(equation, operands))
            (expected,) = bound(equation, operands)
            if found[-1] is not None:
                np.testing.assert_array_equal(found[-1], expected, strict=True)
                if found[-1].dtype.kind == "f":
                    is_there = ~np.isnan(found[-1])
                    signs = [np.signbit(v)[is_there] for v in (found[-1], expected)]
                    np.testing.assert_array_equal(*signs)
    assert any(x is not None for x in found)


def test_every_step_that_numpy_computes_is_compared():
    """The table has no other rows."""
    assert exactly.RULES.keys() == EXACT.keys()


NEWER = {"call_hi_primitive", "debug_print", "log2", "one_minus_square", "polynomial"}
"""Primitives that JAX has from 0.11 on; before, the same functions are made of others."""


def test_every_primitive_has_a_case():
    """Each row of the tables is tried by name; nothing else is."""
    assert {*RULES, *CALLS} - {*OLDER} == PRIMITIVES.keys()
    assert len(PRIMITIVES) > 140


def names_in(jaxpr: Any) -> set[str]:
    """Collect the primitives of a jaxpr and of those in it."""
    found = set()
    for equation in jaxpr.eqns:
        found.add(equation.primitive.name)
        for inner in core.jaxprs_in_params(equation.params):
            found |= names_in(getattr(inner, "jaxpr", inner))
    return found


@pytest.mark.parametrize("name", some([*PRIMITIVES], 12))
def test_a_primitive_is_what_it_is_in_jax(name, jax):
    """Its values and dtypes are equal, and its derivative."""
    f, *examples = PRIMITIVES[name]
    assert name in names_in(jax.make_jaxpr(f)(*examples).jaxpr) or name in NEWER
    imported = tf.from_jax(f, *examples)
    own, expected = (jax.tree_util.tree_leaves(x) for x in (imported.result, f(*examples)))
    assert [a.dtype.name for a in own] == [b.dtype.name for b in expected]
    close([a.numpy() for a in own], expected, 1e-10)
    flat, values = of_floats(jax, f, examples)
    weights = [np.random.default_rng(k).normal(size=b.shape) for k, b in enumerate(expected)]
    if values and any(b.dtype.kind in "fc" for b in expected):
        total = weighted(jax, flat, weights)
        slope, tolerance = expected_slope(jax, total, values)
        close(own_slope(jax, imported, examples, weights), slope, tolerance)


def weighted(jax: Any, flat: Any, weights: Any) -> Any:
    """Add up the results of a function with weights."""

    def total(*given: Any) -> Any:
        results = zip(jax.tree_util.tree_leaves(flat(*given)), weights, strict=True)
        return sum(
            jnp.sum(jnp.real(a) * w) + jnp.sum(jnp.imag(a) * w)
            for a, w in results
            if a.dtype.kind in "fc"
        )

    return total


def expected_slope(jax: Any, total: Any, values: Any) -> tuple[Any, float]:
    """Let JAX compute a gradient; where it has none, take differences."""
    numbers = tuple(range(len(values)))
    for way in (jax.grad, jax.jacfwd):
        with contextlib.suppress(ValueError, NotImplementedError, TypeError):
            return way(total, numbers)(*values), 1e-10
    return [difference(total, values, k) for k in numbers], 1e-6


def difference(total: Any, values: Any, k: int) -> Any:
    """Take central differences by one argument."""
    found, step = np.zeros(values[k].shape), 1e-6
    for place in np.ndindex(found.shape):
        moved = [np.copy(values[k]), np.copy(values[k])]
        moved[0][place] += step
        moved[1][place] -= step
        high, low = (total(*values[:k], m, *values[k + 1 :]) for m in moved)
        found[place] = (high - low) / (2 * step)
    return found


def own_slope(jax: Any, imported: Any, examples: Any, weights: Any) -> list[Any]:
    """Give the gradient by a tape, in JAX's convention: the conjugate of TensorFlow's."""
    leaves = list(imported.examples.values())
    sources = [leaves[k] for k in floats(jax, examples)]
    with tf.GradientTape() as tape:
        tape.watch(sources)
        results = zip(jax.tree_util.tree_leaves(imported(*leaves)), weights, strict=True)
        total = tf.add_n(
            [
                tf.reduce_sum(tf.cast(part, tf.float64) * w)
                for a, w in results
                if np.asarray(a).dtype.kind in "fc"
                for part in ((tf.math.real(a), tf.math.imag(a)) if a.dtype.is_complex else (a,))
            ]
        )
    found = tape.gradient(total, sources, unconnected_gradients=ZERO)
    return [np.conj(g.numpy()) for g in found]


# --- borders --------------------------------------------------------------------------------------


def test_zeta_has_jaxs_derivative_by_its_exponent(jax):
    """TensorFlow has none, which is no reason to leave it out of a gradient in silence."""
    zeta = jax.scipy.special.zeta
    x, q = np.array([1.5, 3.0, 8.0]), np.array([0.7, 2.0, 5.5])

    def total(x, q):
        return (zeta(x, q) * x).sum()

    imported = tf.from_jax(total, x, q)
    with jax.enable_x64(True):
        np.testing.assert_allclose(imported(x, q).numpy(), total(x, q), rtol=1e-13)
        for k in (0, 1):
            first = jax.grad(total, k)
            np.testing.assert_allclose(tf.grad(imported, k)(x, q), first(x, q), rtol=1e-11)
        mixed = jax.grad(lambda x, q: jax.grad(total, 1)(x, q).sum(), 0)(x, q)
    found = tf.grad(lambda x, q: tf.reduce_sum(tf.grad(imported, 1)(x, q)), 0)(x, q)
    np.testing.assert_allclose(found, mixed, rtol=1e-10)


def test_jax_is_left_as_it_was(jax):
    """64 bits are switched on while a function is traced, and off again, also after an error."""
    with jax.enable_x64(False):
        f = tf.from_jax(lambda a: jnp.sin(a) * 2.0, np.array([0.1, 0.2]))
        assert f.result.dtype == tf.float64
        assert not jax.config.jax_enable_x64
        with pytest.raises(ZeroDivisionError):
            tf.from_jax(lambda a: 1 / 0, N(2)).result  # noqa: B018 - it is computed now
        assert not jax.config.jax_enable_x64


NARROW = {
    "noise": lambda x, t: x + jax_random.normal(jax_random.key(3), (3,)),
    "dropout": lambda x, t: jnp.where(jax_random.bernoulli(jax_random.key(1), 0.5, x.shape), x, 0),
    "numbers of Python": lambda x, t: lax.clamp(0.0, x, 1.0),
    "zeros": lambda x, t: lax.cond(x[0] > 9, lambda: jnp.zeros(3), lambda: x * 2),
    "weights from outside": lambda x, t: np.eye(3)[::-1] @ x,
    "integers": lambda x, t: jnp.argmax(x) + t,
    "a rule": lambda x, t: jax_special.xlogy(t, jnp.abs(x)) + jax_nn.silu(x),
}


@pytest.mark.parametrize("name", NARROW)
def test_without_64_bits_functions_are_what_they_are_there(name, jax):
    """Random numbers, defaults of dtypes and what fits beside what: nothing asks for 64 bits."""
    x, t = np.float32([0.5, -1.25, 2.0]), np.array([0, 2, 1])
    with jax.enable_x64(False):
        imported = tf.from_jax(NARROW[name], x, t)
        own, expected = imported.result.numpy(), np.asarray(NARROW[name](jnp.asarray(x), t))
    np.testing.assert_allclose(own, expected, rtol=1e-6, strict=True)
    if own.dtype.kind == "f":
        assert imported.gradient("x").dtype == tf.float32


def test_what_jax_refuses_to_trace_jax_says(jax):
    """A Python branch by a value is JAX's own error."""
    with pytest.raises(jax.errors.TracerBoolConversionError):
        tf.from_jax(lambda a: a if a > 0 else -a, np.array(1.0)).result  # noqa: B018


def test_what_has_no_rule_is_told_with_its_line(jax):
    """The error names the primitive, the shapes, and the line of the user's code."""

    def schur(a):
        return jnp.sum(jax.lax.linalg.schur(a)[0])

    with pytest.raises(
        tf.errors.UnsupportedError, match=r"schur of \(float64\[3, 3\]\) at .*schur"
    ):
        tf.from_jax(schur, N(3, 3)).result  # noqa: B018


def test_a_line_is_told_through_the_code_of_jax(jax):
    """Where JAX's own function uses the primitive, the line is that which called it."""
    f = tf.from_jax(lambda a: jax.scipy.linalg.schur(a)[0].sum(), N(3, 3))
    with pytest.raises(tf.errors.UnsupportedError, match=r"schur of .*test_from_jax\.py"):
        f.result  # noqa: B018


def test_a_line_is_told_of_what_a_rule_computes(jax):
    """What it uses is in no line but in that which calls the function."""
    root = jax.custom_vjp(lambda a: a)
    root.defvjp(lambda a: (a, a), lambda a, u: (u * jax.scipy.linalg.schur(a)[0],))
    f = tf.from_jax(lambda a: root(a).sum(), N(3, 3))
    with pytest.raises(tf.errors.UnsupportedError, match=r"schur of .*test_from_jax\.py"):
        f.gradient("a")


def test_a_rule_looks_up_what_depends_on_no_argument(jax):
    """Its places may be traced, as in the loop backward of an equation that is integrated."""
    weights = np.array([1.0, -2.0, 3.0])
    summed = jax.custom_vjp(lambda x, w: (x * w).sum())

    def back(w, u):
        return lax.map(lambda k: w[k] * u, jnp.arange(3)), None

    summed.defvjp(lambda x, w: ((x * w).sum(), w), back)
    f = tf.from_jax(lambda x: summed(x, weights), np.ones(3))
    np.testing.assert_array_equal(f.gradient("x"), weights)


@pytest.mark.parametrize("name", ["copysign", "signbit"])
def test_the_sign_of_minus_zero_is_that_of_jax(name, jax):
    """It is where it is there."""
    f = {"copysign": jnp.copysign, "signbit": lambda x, y: jnp.where(jnp.signbit(y), x, 2 * x)}
    x, y = np.array([1.0, -2.0, 0.0, -0.0]), np.array([-0.0, 0.0, -0.0, 3.0])
    imported = tf.from_jax(lambda x, y: f[name](x, y).sum(), x, y)
    with jax.enable_x64(True):
        expected = jax.grad(lambda x, y: f[name](x, y).sum())(x, y)
    np.testing.assert_array_equal(imported.gradient("x"), expected)


def test_bits_of_floats_are_refused(jax):
    """What depends on a float by its bits would be a constant in the formula."""
    f = tf.from_jax(lambda a: lax.bitcast_convert_type(a, "int64") * 1.0, N(3))
    with pytest.raises(tf.errors.UnsupportedError, match="bits of a number"):
        f.result  # noqa: B018


def test_what_values_leave_for_is_refused(jax):
    """A callback computes outside of JAX."""
    away = jax.ShapeDtypeStruct((3,), np.float64)
    f = tf.from_jax(lambda a: jax.pure_callback(np.sin, away, a), N(3))
    with pytest.raises(tf.errors.UnsupportedError, match=r"pure_callback of \(float64\[3\]\) at"):
        f.result  # noqa: B018


def test_functions_applied_at_places_are_refused(jax):
    """What is put there is no update: where it is 0, a formula would have it as a constant."""
    f = tf.from_jax(lambda a: a.at[0].apply(jax_nn.relu), np.array([-1.0, 2.0]))
    with pytest.raises(tf.errors.UnsupportedError, match=r"scatter of .*write x\.at\[i\]\.set"):
        f.result  # noqa: B018


def test_a_wrong_rule_is_found(jax, monkeypatch):
    """Each step is compared with what JAX makes of the same values."""
    monkeypatch.setitem(RULES, "sin", lambda step, x: tf.cos(x))
    with pytest.raises(tf.errors.UnsupportedError, match=r"symtape makes .* JAX .* please report"):
        tf.from_jax(jnp.sin, N(3)).result  # noqa: B018


def test_results_have_the_structure_that_they_have_in_jax(jax):
    """Dicts, tuples and None come out as they are; constants are tensors."""
    f = tf.from_jax(lambda a: {"b": (a * 2.0, None), "c": 3.0}, N(2))
    result = f.result
    assert result["b"][1] is None
    assert result["c"].numpy() == 3.0
    np.testing.assert_array_equal(result["b"][0].numpy(), f.leaf("a").numpy() * 2)


def test_leaves_are_named_as_the_parameters_are(jax):
    """Parts of structures have their keys in their names."""

    def f(params, x, *rest):
        return params["w"][0] @ x + params["b"] + rest[0]

    imported = tf.from_jax(f, {"w": [N(3)], "b": 1.0}, N(3), 2.0)
    assert list(imported.examples) == ["params_b", "params_w_0", "x", "rest_0"]


def test_arrays_from_outside_are_named_as_they_are_there(jax):
    """What a function closes over is a leaf of its own, one for all of its uses."""
    weights = N(2, 2)
    f = tf.from_jax(lambda x: weights @ (weights @ x), N(2))
    assert f.result.text() == "weights² x"


def test_branches_leave_guards(jax):
    """A formula knows the conditions under which it holds."""
    f = tf.from_jax(lambda a: lax.cond(a > 1, jnp.sin, jnp.cos, a), np.array(2.0))
    assert str(f.result.conditions) == "(a > 1,)"
    turns = tf.from_jax(
        lambda a: lax.while_loop(lambda b: b < 9, lambda b: b * b, a), np.array(2.0)
    )
    assert len(turns.result.conditions) == 3


@pytest.mark.parametrize("count", [7, 5000])
def test_places_that_were_read_are_a_condition(jax, count):
    """A formula is refused where its elements land elsewhere, be they few or many."""
    numbers = np.arange(count)

    def placed(x):
        return (jnp.zeros(count).at[jnp.argsort(x)].max(x) * numbers).sum()

    rng = np.random.default_rng(0)
    first, other = rng.normal(size=count), rng.normal(size=count)
    f = tf.from_jax(placed, first)
    compiled = f.result.lambdify()
    np.testing.assert_allclose(compiled(2 * first), placed(2 * first))
    with pytest.raises(tf.PathConditionError):
        compiled(other)
    np.testing.assert_allclose(f(other), placed(other))


WHOLES = {
    "solve": (lambda a, b: jnp.linalg.solve(a, b), "a⁻¹ b"),
    "solve of a matrix": (lambda a, b: jnp.linalg.solve(a, a.T), "a⁻¹ aᵀ"),
    "inv": (lambda a, b: jnp.linalg.inv(a), "a⁻¹"),
    "det": (lambda a, b: jnp.linalg.det(a), "det(a)"),
    "slogdet": (lambda a, b: jnp.linalg.slogdet(a)[1], "log(|det(a)|)"),
    "softplus": (lambda a, b: jax_nn.softplus(b), "log(𝟏 + exp(b))"),
    "log_softmax": (lambda a, b: jax_nn.log_softmax(b), "log(softmax(b))"),
    "logaddexp": (lambda a, b: jnp.logaddexp(b, 2 * b), "log(exp(b) ⊙ (𝟏 + exp(b)))"),
}


@pytest.mark.parametrize("name", WHOLES)
def test_functions_of_the_library_are_one_step(jax, name):
    """What JAX makes of many steps is read as the function that was called."""
    f, text = WHOLES[name]
    a, b = np.array([[2.0, 0.5], [0.25, 3.0]]), np.array([1.0, -0.5])
    assert tf.from_jax(f, a, b).result.text() == text


TAKEN = {
    "elements": lambda x, at: jnp.take(x[0], at),
    "rows": lambda x, at: x[at],
    "columns": lambda x, at: jnp.take(x, at, axis=1),
    "of three axes": lambda x, at: jnp.take(jnp.stack([x, 2 * x, x * x]), at, axis=1),
    "by a table": lambda x, at: x[jnp.stack([at, at[::-1]])],
    "one of each row": lambda x, at: x[jnp.arange(3), at],
    "one of each column": lambda x, at: jnp.take_along_axis(x[:, :3], at[None], 0),
    "of each row by itself": lambda x, at: Late("jax").vmap(lambda row, k: row[k])(x, at),
    "of two axes": lambda x, at: x[at, at[::-1]],
    "by small integers": lambda x, at: jnp.tile(x, (60, 1))[at.astype("uint8"), at.astype("int8")],
    "of two axes, of slices": lambda x, at: jnp.stack([x, 2 * x])[at[:, None] % 2, :, at],
}


PLACED = {
    "elements added": lambda x, at: x[0].at[at].add(x[1, :3] ** 2),
    "elements subtracted": lambda x, at: x[0].at[at].subtract(x[1, :3] ** 2),
    "rows added": lambda x, at: x.at[at].add(x[::-1] ** 2),
    "columns added": lambda x, at: x.at[:, at].add(x[:, 1:] ** 2),
    "columns put": lambda x, at: x.at[:, (at[0] + jnp.arange(3)) % 4].set(x[:, 1:] ** 2),
    "of two axes, added": lambda x, at: x.at[at, at[::-1]].add(x[1, :3] ** 2),
    "of two axes, put": lambda x, at: x.at[at, jnp.arange(3)].set(x[1, :3] ** 2),
    "one of each row": lambda x, at: x.at[jnp.arange(3), at].set(x[1, :3] ** 2),
    "of each row by itself": lambda x, at: Late("jax").vmap(
        lambda row, k: row.at[k].set(row[0] ** 2)
    )(x, at),
    "segments": lambda x, at: Late("jax.ops").segment_sum(x, at, 4),
    "messages": lambda x, at: Late("jax.ops").segment_sum(x[at[::-1]] @ x.T, at, 3),
}
"""What is put, or added, where: by sums of all that comes to a place, or different places."""


@pytest.mark.parametrize("name", [*TAKEN, *PLACED])
def test_places_that_are_arguments_are_no_condition(jax, name):
    """Elements are chosen by numbers, and other numbers choose others; so are places to put."""
    x, function = np.arange(12.0).reshape(3, 4), (TAKEN | PLACED)[name]
    first, other = np.array([2, 0, 1]), np.array([1, 1, 2])
    f = tf.from_jax(lambda x, at: function(jnp.asarray(x), at), x, first)
    compiled, slope = f.result.lambdify(), f.gradient("x").lambdify()
    for at in (first, other):
        given = jnp.asarray(x), jnp.asarray(at)
        np.testing.assert_allclose(compiled(x, at=at), function(*given))
        expected = jax.grad(lambda *given: function(*given).sum())(*given)
        np.testing.assert_allclose(slope(x=x, at=at), expected)


def test_updates_of_one_place_are_another_branch(jax):
    """What is put at different places says so: of two updates for one, JAX keeps the last."""
    x, at = np.arange(5.0), np.array([2, 0])
    f = tf.from_jax(lambda x, at: jnp.asarray(x).at[at].set(x[:2] ** 2), x, at)
    compiled = f.result.lambdify([f.leaf("x"), f.leaf("at")])
    np.testing.assert_array_equal(compiled(x + 1, np.array([3, 1])), [1, 4, 3, 1, 5])
    with pytest.raises(tf.PathConditionError):
        compiled(x, np.array([3, 3]))


@pytest.mark.parametrize("count", [0, 2])
def test_formulas_take_arguments_that_they_do_not_need(jax, count):
    """Of no places, or of integers that only shapes are read of, nothing depends."""
    x, at = N(4), np.zeros(count, int)
    f = tf.from_jax(lambda x, at: x.sum() + x[at[:0]].sum() + len(at), x, at)
    compiled = f.result.lambdify([f.leaf("x"), f.leaf("at")])
    np.testing.assert_allclose(compiled(2 * x, at), 2 * x.sum() + count)


def test_a_place_outside_is_another_branch(jax):
    """A formula by places of two axes does not take an element of another row."""
    f = tf.from_jax(lambda x, i, j: x[i, j], N(3, 4), np.array([0, 2]), np.array([3, 1]))
    compiled = f.result.lambdify()
    for places in ({"i": np.array([0, 3])}, {"j": np.array([4, 0])}, {"j": np.array([-1, 0])}):
        with pytest.raises(tf.PathConditionError):
            compiled(N(3, 4), **places)


@pytest.mark.parametrize("axis", [0, 1])
def test_log_softmax_goes_along_its_axis(axis, jax):
    """Also where the values of both axes are equal; a mask has its own steps."""
    at, weights = np.zeros((3, 3)), np.array([[1.0, 2.0, 4.0], [0.5, -1.0, 0.0], [3.0, 0.0, 1.0]])

    def total(x):
        masked = jax_nn.log_softmax(x, axis, where=jnp.eye(3) < 1)
        whole = jax_nn.log_softmax(x, axis)
        return jnp.sum((whole + jnp.where(jnp.eye(3) < 1, masked, 0)) * weights)

    np.testing.assert_allclose(tf.from_jax(total, at).gradient("x"), jax.grad(total)(at))


def test_other_values_take_other_branches(jax):
    """The imported function is a function: each call runs it anew."""
    f = tf.from_jax(lambda a: lax.cond(a > 1, jnp.sin, jnp.cos, a), np.array(2.0))
    slope = tf.grad(f)
    np.testing.assert_allclose(slope(np.array(2.0)), np.cos(2.0))
    np.testing.assert_allclose(slope(np.array(0.5)), -np.sin(0.5))


def test_a_function_is_never_older_than_what_it_reads(jax):
    """What a function reads from outside may change between calls."""
    held = {"scale": 2.0}
    f = tf.from_jax(lambda a: held["scale"] * a, np.array(1.0))
    slope = tf.grad(f)
    assert slope(np.array(1.0)) == 2.0
    held["scale"] = 5.0
    assert slope(np.array(1.0)) == 5.0


def test_random_numbers_are_those_of_the_key(jax):
    """A key that is an argument draws other numbers where it is another."""
    f = tf.from_jax(
        lambda a, key: a * jax.random.normal(key), np.array(1.0), np.array([0, 7], np.uint32)
    )
    one, other = (f(np.array(1.0), np.array([0, k], np.uint32)).numpy() for k in (7, 8))
    assert one == f.result.numpy()
    assert one != other


@pytest.mark.parametrize("dtype", ["float32", "float16", "bfloat16"])
def test_narrow_dtypes_stay_what_they_are(dtype, jax):
    """Results and gradients have the dtype of the argument."""
    x = jnp.asarray([0.25, -0.5, 0.75], dtype)
    f = tf.from_jax(lambda a: jnp.sum(jnp.tanh(a) * 0.1), np.asarray(x))
    assert f.result.dtype.name == f.gradient("a").dtype.name == dtype
    expected = jax.grad(lambda a: jnp.sum(jnp.tanh(a) * 0.1))(x)
    np.testing.assert_allclose(
        np.asarray(f.gradient("a").numpy(), float), np.asarray(expected, float), rtol=0.03
    )


FORMULAS = {
    "softmax": (lambda z: jax_nn.softmax(z), [N(3)], "softmax(z)"),
    "logsumexp": (lambda z: jax_nn.logsumexp(z), [N(3)], "logsumexp(z)"),
    "ridge": (lambda X, w, y: jnp.sum((X @ w - y) ** 2), [N(4, 3), N(3), N(4)], "‖X w - y‖²"),
    "solve": (lambda A, b: b @ jnp.linalg.solve(A, b), [N(3, 3), N(3)], "bᵀ A⁻¹ b"),
    "gelu": (
        lambda x: jax_nn.gelu(x), [np.array(0.3)],
        "x*(tanh(sqrt(2)*(0.044715*x**3 + x)/sqrt(pi)) + 1)/2",
    ),
    "softplus": (lambda x: jax_nn.softplus(x), [np.array(0.3)], "log(exp(x) + 1)"),
    "exp1": (lambda x: jax_special.exp1(x), [np.array(0.3)], "-Ei(-x)"),
    "cross entropy": (
        lambda z, t: -jnp.mean(jax_nn.log_softmax(z)[jnp.arange(3), t]),
        [N(3, 3), np.array([0, 2, 1])],
        "𝟏ᵀ (log(exp(z) 𝟏) - (I[t] ⊙ z) 𝟏) / 3",
    ),
    "rows": (lambda e, t: e[t], [N(5, 2), np.array([0, 2, 1])], "e[t]"),
    "density": (
        lambda x: jnp.sum(jax_stats.expon.logpdf(x)), [N(3)],
        "𝟏ᵀ (log([x ≥ 0]) - x ⊙ [x ≥ 0])",
    ),
    "attention": (
        lambda s, m: jax_nn.softmax(jnp.where(m > 0, s, -jnp.inf)), [N(3), N(3)],
        "softmax(log([m > 0]) + s)",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", FORMULAS)
def test_formulas_are_those_of_books(name, jax):
    """What keeps floats from overflowing, and what JAX adds to make shapes fit, is not written."""
    f, examples, text = FORMULAS[name]
    result = tf.from_jax(f, *examples).result
    shown = str(result.expr) if name in {"exp1", "gelu", "softplus"} else result.text()
    assert shown == text


MASKED = {
    "two": lambda x, y: jnp.where(x > 0, x, -jnp.inf) - jnp.where(x > 0, y, -jnp.inf),
    "sums": lambda x, y: jnp.sum(jnp.where(x > 0, x, -jnp.inf) - jnp.where(x > 0, y, -jnp.inf)),
    "a multiple": lambda x, y: 2 * jnp.where(x > 0, x, -jnp.inf) - jnp.where(x > 0, y, -jnp.inf),
}


@pytest.mark.parametrize("name", MASKED)
def test_infinities_that_would_cancel_are_not_written(name, jax):
    """Their difference is no number; where none is left out, the sum is written."""
    result = tf.from_jax(MASKED[name], np.array([1.0, -1.0]), np.array([1.0, 2.0])).result
    assert np.isnan(result.numpy()).any()
    with pytest.raises(tf.NoMatrixFormError, match="a difference of infinities"):
        result.text()


def test_jax_is_imported_when_it_is_asked_for():
    """The library, and the name of the function, do not bring JAX along."""
    code = "import sys, symtape; symtape.from_jax; assert 'jax' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)  # noqa: S603 - our own command


def test_without_jax_the_extra_is_named(monkeypatch):
    """The error says what to install."""
    monkeypatch.setitem(sys.modules, "jax", None)
    with pytest.raises(tf.errors.ExtraNotInstalledError, match=r"symtape\[jax\]"):
        tf.from_jax(np.sin, N(3))


def test_the_page_shows_what_happens(jax):
    """The blocks of docs/frontends.md about JAX run, and give what the page says."""
    page = (Path(__file__).parents[2] / "docs" / "frontends.md").read_text("utf-8")
    text = page[page.index("## JAX\n") :]
    assert text.count("```py\n") >= 4
    with jax.enable_x64(False):
        assert list(failures(text.replace("```py\n", "```python\n"))) == []


def test_formulas_call_arrays_as_the_function_does(jax):
    """Arguments of any structure have the names of the parameters, called with arrays, too."""

    def f(p, x):
        return jnp.sum(jnp.sin(x @ p["w"]))

    p, x = {"w": N(3)}, N(2, 3)
    imported = tf.from_jax(f, p, x)
    assert tf.grad(imported).formula(p, x)["w"].text() == "xᵀ cos(x p_w)"
    w = tf.constant(p["w"], name="w")
    with tf.GradientTape() as tape:
        tape.watch(w)
        result = imported({"w": w}, x)
    assert tape.gradient(result, w).text() == "xᵀ cos(x w)"
