"""Gradients that their author writes: beside functions whose gradient symtape derives itself.

What TensorFlow answers is in `tests/answers/custom.py` and `tests/answers/forward.py`.
"""

from __future__ import annotations

import gc
import pickle
import weakref
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest
import sympy as sp

import symtape as tf
from symtape.calculus.linearity import is_linear
from symtape.functions.tracing.arguments import Arguments
from symtape.functions.tracing.tracing import trace
from tests.refusals.authors import clipped, gradient, left
from tests.sampling import some

X = np.array([0.5, 1.25, -0.75])
V = np.array([1.0, -2.0, 0.5])
ROWS = np.stack([X, V, X - 2 * V])
M = np.array([[1.0, 2.0, 0.5], [0.0, -1.0, 3.0], [2.0, 0.25, 1.0]])


class Pair(NamedTuple):
    """A function, and its gradient as an author writes it: of the cotangent, x and y."""

    plain: Callable[[Any], Any]
    backward: Callable[[Any, Any, Any], Any]

    @property
    def own(self) -> Any:
        """The function with that gradient."""

        @tf.custom_gradient
        def f(x):
            y = self.plain(x)
            return y, lambda u: self.backward(u, x, y)

        return f


def part(x: Any, start: int, count: int) -> Any:
    """Take some elements."""
    return tf.slice(x, [start], [count])


PAIRS = {
    "square": Pair(lambda x: x * x, lambda u, x, y: u * 2.0 * x),
    "exp": Pair(tf.exp, lambda u, x, y: u * y),
    "tanh": Pair(tf.tanh, lambda u, x, y: u * (1.0 - y * y)),
    "softmax": Pair(tf.nn.softmax, lambda u, x, y: y * (u - tf.reduce_sum(u * y, -1, True))),
    "sum": Pair(lambda x: tf.reduce_sum(tf.sin(x)), lambda u, x, y: u * tf.cos(x)),
    "product": Pair(
        lambda x: tf.linalg.matvec(M, x * x),
        lambda u, x, y: 2.0 * x * tf.linalg.matvec(M, u, transpose_a=True),
    ),
    "cumsum": Pair(
        lambda x: tf.cumsum(x**3), lambda u, x, y: tf.cumsum(u, reverse=True) * 3 * x**2
    ),
    "norm": Pair(lambda x: tf.sqrt(tf.reduce_sum(x * x)), lambda u, x, y: u / y * x),
    "relu": Pair(
        lambda x: tf.where(x > 0, x**2, 0.0), lambda u, x, y: tf.where(x > 0, 2 * x * u, 0.0)
    ),
    "parts": Pair(
        lambda x: tf.concat([part(x, 1, 2) ** 2, part(x, 0, 1) * part(x, 2, 1)], 0),
        lambda u, x, y: tf.concat(
            [
                part(u, 2, 1) * part(x, 2, 1),
                2 * part(x, 1, 1) * part(u, 0, 1),
                2 * part(x, 2, 1) * part(u, 1, 1) + part(u, 2, 1) * part(x, 0, 1),
            ],
            0,
        ),
    ),
    "solution": Pair(
        lambda x: tf.linalg.solve(M + tf.linalg.diag(x), V[:, None])[:, 0],
        lambda u, x, y: -y * tf.linalg.solve(M + tf.linalg.diag(x), u[:, None], adjoint=True)[:, 0],
    ),
    "recomputed": Pair(
        tf.recompute_grad(lambda x: tf.sin(x) * x),
        lambda u, x, y: u * (tf.cos(x) * x + tf.sin(x)),
    ),
}


def around(f: Any) -> Any:
    """Compute something before and after a function."""
    return lambda x: tf.sin(f(x * 1.5)) + tf.reduce_sum(x)


def taped(f: Any, x: Any = X) -> tuple[Any, Any, Any]:
    """Record a function."""
    x = tf.constant(x)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = f(x)
    return tape, x, y


def slope(f: Any) -> Any:
    """Give the gradient of a function, as a function."""

    def of(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = f(x)
        return tape.gradient(y, x)

    return of


def jacobian(f: Any) -> Any:
    """Give the Jacobian by a tape."""
    tape, x, y = taped(f)
    return tape.jacobian(y, x)


def hessian(f: Any) -> Any:
    """Give the Hessian by a tape."""
    tape, x, y = taped(f)
    return tape.hessian(y, x)


def rows(f: Any) -> Any:
    """Give the Jacobians of rows."""
    tape, x, y = taped(lambda x: tf.stack([f(x[0]), f(x[1])]), np.stack([X, V]))
    return tape.batch_jacobian(tf.reshape(y, [2, -1]) if y.shape.rank < 2 else y, x)


def forward(f: Any) -> Any:
    """Give the derivative of the gradient along a direction."""
    x = tf.constant(X)
    with tf.autodiff.ForwardAccumulator(x, tf.constant(V)) as acc:
        g = slope(f)(x)
    return acc.jvp(g)


def total(f: Any) -> Any:
    """Make a scalar."""
    return lambda x: tf.reduce_sum(f(x) ** 2)


QUESTIONS = {
    "gradient": lambda f: slope(f)(tf.constant(X)),
    "second": lambda f: slope(slope(f))(tf.constant(X)),
    "third": lambda f: slope(slope(slope(f)))(tf.constant(X)),
    "jacobian": jacobian,
    "jacobian of the gradient": lambda f: jacobian(slope(f)),
    "hessian": hessian,
    "forward over backward": forward,
    "tf.grad": lambda f: tf.grad(total(f))(X),
    "tf.grad twice": lambda f: tf.grad(lambda x: tf.reduce_sum(tf.grad(total(f))(x)))(X),
    "a tape over tf.grad": lambda f: slope(tf.grad(total(f)))(tf.constant(X)),
    "tf.grad over a tape": lambda f: tf.grad(lambda x: tf.reduce_sum(slope(f)(x) ** 2))(X),
    "tf.jacobian": lambda f: tf.jacobian(f)(X),
    "tf.hessian": lambda f: tf.hessian(total(f))(X),
    "tf.jvp": lambda f: tf.jvp(f, (X,), (V,))[1],
    "tf.vjp": lambda f: tf.vjp(total(f), X)[1](1.0),
    "tf.hvp": lambda f: tf.hvp(total(f), (X,), (V,)),
    "tf.grad of rows": lambda f: tf.grad(total(f), vectorize=True)(ROWS),
    "vectorized_map": lambda f: slope(lambda x: tf.vectorized_map(f, x))(tf.constant(ROWS)),
    "lambdify": lambda f: slope(total(f))(tf.constant(X)).lambdify()(V),
    "entries": lambda f: slope(total(f))(tf.constant(X)).evalf(15),
}  # fmt: skip


def numbers(found: Any) -> Any:
    """Give numbers of whatever a question gives."""
    if isinstance(found, (tuple, list)):
        return [numbers(part) for part in found]
    return np.asarray(found, dtype=np.float64)


ASKED = [(name, question) for name in PAIRS for question in QUESTIONS]


@pytest.mark.parametrize(("name", "question"), some(ASKED, 6))
def test_a_right_gradient_gives_what_is_derived(name, question):
    """Whatever is asked, a gradient that is right gives what symtape derives itself."""
    ask, pair = QUESTIONS[question], PAIRS[name]
    expected = numbers(ask(around(pair.plain)))
    for _ in range(2):  # a second run is another path of code
        np.testing.assert_allclose(numbers(ask(around(pair.own))), expected, 1e-9, 1e-9)


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_wrong_gradient_is_told_from_a_right_one(question):
    """A gradient that is wrong by a percent gives something else."""
    ask, pair = QUESTIONS[question], PAIRS["tanh"]
    wrong = pair._replace(backward=lambda u, x, y: 1.01 * u * (1.0 - y * y)).own
    found, expected = numbers(ask(around(wrong))), numbers(ask(around(pair.plain)))
    assert not np.allclose(found, expected, 1e-4, 0)


def test_rows_of_a_batch():
    """The Jacobians of rows are those of the plain function."""
    for name in ("square", "softmax", "cumsum", "parts"):
        pair = PAIRS[name]
        np.testing.assert_allclose(rows(pair.own), rows(pair.plain), 1e-10, 1e-12)


def test_a_thousand_functions_in_a_row():
    """A chain is differentiated in time that is not square in its length."""
    f = PAIRS["tanh"].own

    def chain(x):
        for _ in range(100):
            x = f(x)
        return x

    def plain(x):
        for _ in range(100):
            x = tf.tanh(x)
        return x

    x = tf.constant(X)
    np.testing.assert_allclose(slope(chain)(x), slope(plain)(x), 1e-10)


# --- formulas -------------------------------------------------------------------------------------


def test_formulas_of_value_and_gradients():
    """A value has the formula of what was computed, its gradient that of what its author wrote."""
    x = tf.constant(3.0, name="x")
    f = tf.custom_gradient(lambda a: (a * a, lambda u: u * 7.0 * tf.sin(a)))
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = f(x)
        g = tape.gradient(y, x)
    s = sp.Symbol("x")
    assert y.expr == s**2
    assert g.expr == 7 * sp.sin(s)
    assert outer.gradient(g, x).expr == 7 * sp.cos(s)
    assert g.latex(lhs=True) == r"\frac{\partial y}{\partial x} = 7 \sin(x)"


def test_formulas_of_arrays():
    """The structure of a Jacobian is that of the author's gradient."""
    f = tf.custom_gradient(lambda a: (a * a, lambda u: u * 7.0 * tf.sin(a)))
    tape, x, y = taped(f)
    found = tape.jacobian(y, x)
    assert str(found.structure) == "diagonal"
    assert found.latex(lhs="y") == (
        r"\frac{\partial y}{\partial x} = 7 \operatorname{diag}(\sin(x))"
    )
    assert tape.hessian(y, x).latex(lhs="f").startswith(r"\nabla^{2}_{x} f = 7 \operatorname{diag}")


def test_a_recomputed_function_has_its_formula():
    """What was computed while tapes were held back is read through."""
    x = tf.constant(2.0, name="x")
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.recompute_grad(lambda a: tf.sin(a) * a)(x)
    s = sp.Symbol("x")
    assert y.expr == s * sp.sin(s)
    assert sp.simplify(tape.gradient(y, x).expr - sp.diff(s * sp.sin(s))) == 0


RECOMPUTED = {
    "a variable": lambda x, v: x * v,
    "what a variable decides": lambda x, v: x * v if v > 1.0 else x,
    "what an argument decides": lambda x, v: x * v if x > 1.0 else x,
    "a function of a variable": lambda x, v: x * tf.sin(v * v),
    "a variable alone": lambda x, v: tf.sin(v * v),
}


@pytest.mark.parametrize("accessed", [True, False])
@pytest.mark.parametrize("name", RECOMPUTED)
def test_what_is_recomputed_is_read_as_what_is_not(name, accessed):
    """Formulas, leaves and conditions are those of the function; so is what variables do."""
    told = []
    for recomputes in (lambda f: f, tf.recompute_grad):
        x, v = tf.constant(2.0, name="x"), tf.Variable(3.0, name="v")
        f = recomputes(lambda x, v=v: RECOMPUTED[name](x, v))
        with tf.GradientTape(persistent=True, watch_accessed_variables=accessed) as tape:
            tape.watch(x)
            y = x + f(x)
        slopes = tape.gradient(y, [x, v])
        run = slopes[0].lambdify([x])
        texts = [g and str(g.expr) for g in (y, *slopes)]
        signatures = [run.signature, y.lambdify([v, x]).signature]
        told.append((texts, y.conditions, slopes[0].conditions, signatures, run(2.5)))
        assert len(y.formula.used) == 2
        if "x" in map(str, y.conditions[0].free_symbols if y.conditions else ()):
            with pytest.raises(tf.PathConditionError):
                run(0.5)
    assert told[0] == told[1]


def test_what_left_tensors_is_a_number():
    """The gradient is right, and only its formula is refused."""
    x = tf.constant([1.0, 2.0])
    np.testing.assert_array_equal(gradient(left, x), [2.0, 4.0])
    tape, x, y = taped(left, [1.0, 2.0])
    np.testing.assert_array_equal(tape.jacobian(y, x), [[2.0, 0.0], [0.0, 4.0]])


def test_values_at_infinity_are_those_of_the_function():
    """The transpose that a program carries along does not touch values."""
    x = np.array([np.inf, 0.0])
    value, slopes = tf.value_and_grad(lambda x: tf.reduce_sum(PAIRS["tanh"].own(x)))(x)
    assert value == 1.0
    np.testing.assert_array_equal(slopes, [0.0, 1.0])


def test_why_none_names_the_function():
    """Where an author gives None, it is said whose it is."""
    f = tf.custom_gradient(lambda a: (a * a, lambda u: None))
    tape, x, y = taped(f)
    assert tape.gradient(y, x) is None
    assert "through <lambda>, with a gradient of its own" in tape.why_none(y, x)
    with tf.GradientTape() as used:
        used.watch(x)
        y = clipped(x)
    used.gradient(y, x)
    assert "through clipped, with a gradient of its own" in used.why_none(y, x)


# --- what is proved -------------------------------------------------------------------------------

LINEAR: dict[str, Callable[[Any, Any], Any]] = {
    "a factor": lambda u, c: u * c,
    "a number": lambda u, c: -2.5 * u / 3.0,
    "a sum": lambda u, c: u + c * u - tf.reduce_sum(u),
    "a product of matrices": lambda u, c: tf.linalg.matvec(M, u) + tf.tensordot(u, c, 1) * c,
    "a choice by others": lambda u, c: tf.where(c > 0, u, 0.0) + tf.where(c > 1, 2 * u, u),
    "parts": lambda u, c: tf.concat([u[1:], u[:1]], 0) + tf.pad(u[:2], [[0, 1]]),
    "places": lambda u, c: tf.gather(u, [0, 2, 1]) + tf.reverse(u, [0]),
    "a running sum": lambda u, c: tf.cumsum(u) * tf.exp(c),
    "a solution": lambda u, c: tf.linalg.solve(M, u[:, None])[:, 0],
    "another dtype": lambda u, c: tf.cast(tf.cast(u, tf.float32), tf.float64),
    "zeros": lambda u, c: u * 0.0,
    "a derivative": lambda u, c: slope(lambda c: tf.reduce_sum(u * c * c))(c),
}
OTHERS: dict[str, Callable[[Any, Any], Any]] = {
    "a square": lambda u, c: u * u,
    "a constant beside it": lambda u, c: u + c,
    "a constant": lambda u, c: c * 1.0,
    "a bound": lambda u, c: tf.clip_by_value(u, -1.0, 1.0),
    "a sign": lambda u, c: tf.sign(u) * c,
    "a length": lambda u, c: u / tf.norm(u),
    "a choice by itself": lambda u, c: tf.where(u > 0, u, 2 * u),
    "a choice of others": lambda u, c: tf.where(c > 0, u, c),
    "absolute values": lambda u, c: tf.abs(u),
    "a maximum": lambda u, c: tf.maximum(u, 0.0),
    "a rounded number": lambda u, c: tf.round(u),
    "a stopped gradient": lambda u, c: tf.stop_gradient(u),
    "integers on the way": lambda u, c: tf.cast(tf.cast(u, tf.int32), tf.float64),
    "a quotient by it": lambda u, c: c / u,
    "a product of it": lambda u, c: u * tf.reduce_sum(u),
    "its exponential": lambda u, c: tf.exp(u) - 1.0,
}


def _linear(f: Any) -> bool:
    traced = trace(f, Arguments(("u", "c"), (V, X), {}), range(2))
    (found,) = traced.results
    return is_linear(traced.program, [traced.arguments[0]], [found])


@pytest.mark.parametrize("name", LINEAR)
def test_what_is_linear_is_shown_to_be(name):
    """A program that is linear in the cotangent has a transpose, and is linear in numbers."""
    f = LINEAR[name]
    assert _linear(f)
    c = tf.constant(X)
    found = [f(tf.constant(u), c).numpy() for u in (V, X, 2 * V - 3 * X, 0 * X)]
    np.testing.assert_allclose(found[2], 2 * found[0] - 3 * found[1], 1e-5, 1e-6)
    np.testing.assert_array_equal(found[3], 0 * X)


@pytest.mark.parametrize("name", OTHERS)
def test_what_is_not_linear_is_never_taken_for_it(name):
    """What is not linear has no transpose, whatever its derivative at a point is."""
    assert not _linear(OTHERS[name])


# --- several of them ------------------------------------------------------------------------------


def chained(seed: int, *, are_own: bool) -> Any:
    """Make a function of many in a random order, with gradients of their own or without."""
    rng = np.random.default_rng(seed)
    names = ["square", "exp", "tanh", "softmax", "cumsum", "parts", "product", "recomputed"]
    chosen = [names[k] for k in rng.integers(0, len(names), 7)]
    read = rng.integers(0, 9, (7, 2))

    def f(x):
        pool = [x, tf.sin(x)]
        for name, (i, j) in zip(chosen, read, strict=True):
            pair = PAIRS[name]
            y = tf.tanh(pool[i % len(pool)] * 0.5 + pool[-1] * 0.25)
            pool.append((pair.own if are_own else pair.plain)(y) * 0.5 + pool[j % len(pool)])
        return tf.concat([pool[-1] * pool[seed % 8], pool[3 + seed % 5]], 0)

    return f


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("question", ["gradient", "jacobian", "hessian", "of the gradient"])
def test_many_of_them_give_what_is_derived(question, seed):
    """However they read each other, what flows back passes each of them once."""
    own, plain = [chained(seed, are_own=b) for b in (True, False)]
    ask: Callable[[Any], Any] = {
        "gradient": lambda f: slope(f)(tf.constant(X)),
        "jacobian": jacobian,
        "hessian": lambda f: hessian(total(f)),
        "of the gradient": lambda f: slope(lambda x: tf.reduce_sum(slope(f)(x) ** 2))(
            tf.constant(X)
        ),
    }[question]
    np.testing.assert_allclose(ask(own), ask(plain), 1e-9, 1e-12)


def test_a_segment_is_derived_once():
    """What is derived for a chain of them grows with the chain, and not with its square."""

    def size(count):
        tf.cache_clear()
        x = tf.constant(X)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x
            for _ in range(count):
                y = y + PAIRS["tanh"].own(y * x)
        tape.gradient(y, x)
        return tf.cache_info().steps

    assert size(64) < 2.2 * size(32)


# --- what is kept ---------------------------------------------------------------------------------


def test_a_tape_that_is_used_up_lets_go_of_the_function():
    """A loop may keep every loss; what the author's function holds goes with the tape."""

    class Held:
        """Something that a weak reference can be made to."""

    def run():
        held = Held()
        x = tf.constant(X)
        f = tf.custom_gradient(lambda a: (a * a, lambda u, held=held: u * a))
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = f(x)
        return weakref.ref(held), tape.gradient(y, x), y, tape

    gc.disable()
    try:
        reference, found, y, tape = run()
        assert reference() is None
    finally:
        gc.enable()
    assert found.expr is not None and y.expr is not None and tape is not None  # noqa: PT018


def test_results_travel():
    """A gradient is pickled with its formula."""
    found = gradient(PAIRS["square"].own, tf.constant(X, name="x"))
    sent = pickle.loads(pickle.dumps(found))
    np.testing.assert_array_equal(sent, found)
    assert sent.latex() == found.latex()


def test_accumulators_let_tapes_be():
    """A derivative along a direction is recorded by what is around it, and by nothing else."""
    x = tf.constant(2.0)
    with tf.autodiff.ForwardAccumulator(x, 1.0) as acc:
        y = x**3
    with tf.GradientTape() as tape:
        tape.watch(x)
        found = acc.jvp(y)
    assert found.numpy() == 12.0
    assert tape.gradient(found, x) is None


def test_tests_written_for_tensorflow_run():
    """A test case runs by unittest, and tells what failed."""

    class Squares(tf.test.TestCase):
        def test_right(self):
            """Compare a gradient with differences."""
            with self.cached_session():
                found = tf.test.compute_gradient(PAIRS["square"].own, [X])
                self.assertAllClose(*found, atol=1e-6)

        def test_wrong(self):
            """Compare what differs."""
            self.assertAllClose(tf.constant([1.0, 2.0]), [1.0, 2.5])

    assert Squares("test_right").run().wasSuccessful()
    (failure,) = Squares("test_wrong").run().failures
    assert "Mismatched: a, b." in failure[1]


def test_a_gradient_may_call_a_function_with_its_own():
    """`tf.grad` writes both down as steps, each once."""
    double = tf.custom_gradient(lambda x: (2 * x, lambda upstream: upstream * 2.0))
    sine = tf.custom_gradient(lambda x: (tf.sin(x), lambda upstream: upstream * double(tf.cos(x))))
    assert float(tf.grad(sine)(0.3)) == pytest.approx(2 * np.cos(0.3))
    assert float(tf.grad(tf.grad(sine))(0.3)) == pytest.approx(-2 * np.sin(0.3))
