"""The judge on functions of PyTorch and JAX: their own backward passes, right and wrong."""

from __future__ import annotations

import functools
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import torch

import symtape as tf
from symtape import verify

pytestmark = pytest.mark.usefixtures("patient")

X = np.array([0.5, -1.0, 2.0])


class Cube(torch.autograd.Function):
    """A cube; `wrong` is what its backward is multiplied by."""

    wrong = 1.0

    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        """Compute."""
        ctx.save_for_backward(x)
        return x**3

    @classmethod
    def scaled(cls, ctx: Any, u: Any) -> Any:
        """Compute the backward, times the mistake."""
        (x,) = ctx.saved_tensors
        return 3 * x * x * u * cls.wrong

    @staticmethod
    def backward(ctx: Any, u: Any) -> Any:
        """Be right."""
        return Cube.scaled(ctx, u)


class Twice(Cube):
    """One with a factor too much."""

    wrong = 2.0

    @staticmethod
    def backward(ctx: Any, u: Any) -> Any:
        """Be wrong."""
        return Twice.scaled(ctx, u)


class Bags(torch.autograd.Function):
    """Weighted sums of rows of a table."""

    @staticmethod
    def forward(ctx: Any, table: Any, weights: Any, places: Any) -> Any:
        """Compute."""
        ctx.save_for_backward(table, weights, places)
        return (table[places] * weights[..., None]).sum(1)

    @staticmethod
    def backward(ctx: Any, u: Any) -> Any:
        """Add up what the rows have."""
        table, weights, places = ctx.saved_tensors
        rows = (weights[..., None] * u[:, None]).reshape(-1, u.shape[-1])
        d_table = torch.zeros_like(table).index_add_(0, places.reshape(-1), rows)
        return d_table, (table[places] * u[:, None]).sum(-1), None


def bags() -> Any:
    """Judge them where a row stands twice."""
    table, weights = torch.tensor(np.cos(np.arange(8.0)).reshape(4, 2)), torch.ones(2, 3).double()
    return verify.vjp(Bags, Bags, table, weights, torch.tensor([[0, 2, 2], [1, 0, 3]]))


def rule(factor: float) -> Any:
    """Make a function of JAX with a backward of its own."""

    @jax.custom_vjp
    def sine(x: Any) -> Any:
        return jnp.sin(x)

    sine.defvjp(lambda x: (jnp.sin(x), x), lambda x, u: (factor * jnp.cos(x) * u,))
    return sine


def rule_forward(factor: float) -> Any:
    """Make a function of JAX with a forward rule of its own."""

    @jax.custom_jvp
    def sine(x: Any) -> Any:
        return jnp.sin(x)

    sine.defjvp(lambda p, t: (jnp.sin(p[0]), factor * jnp.cos(p[0]) * t[0]))
    return sine


NARROW = torch.tensor(X, dtype=torch.bfloat16)
RIGHT = {
    "torch apply": lambda: verify.vjp(Cube.apply, Cube.apply, torch.tensor(X)),
    "torch within a function": lambda: verify.vjp(Cube, lambda x: Cube.apply(x), torch.tensor(X)),
    "jax compiled": lambda: verify.vjp(jax.jit(rule(1.0)), jax.jit(rule(1.0)), X),
    "jax with an argument": lambda: verify.vjp(
        lambda x: jnp.sin(x), functools.partial(rule(1.0)), X
    ),
    "jax within a function": lambda: verify.vjp(
        lambda x: jnp.sin(2 * x), lambda x: rule(1.0)(2 * x), jnp.asarray(X)
    ),
    "jax jvp within a function": lambda: verify.jvp(
        lambda x: jnp.sin(2 * x), lambda x: rule_forward(1.0)(2 * x), jnp.asarray(X)
    ),
    "torch bfloat16": lambda: verify.vjp(Cube, Cube, NARROW),
    "torch plain bfloat16": lambda: verify.vjp(
        lambda x: torch.tanh(x), lambda x, u: u / torch.cosh(x) ** 2, NARROW
    ),
    "torch rows": bags,
    "torch vjp": lambda: verify.vjp(Cube, Cube, torch.tensor(X)),
    "torch with NumPy": lambda: verify.vjp(lambda x: x**3, Cube, X),
    "torch jacobian": lambda: verify.jacobian(Cube, Cube, torch.tensor(X)),
    "torch value": lambda: verify.value(lambda x: x**3, Cube, X),
    "torch jvp": lambda: verify.jvp(Cube, Cube, torch.tensor(X)),
    "torch plain": lambda: verify.vjp(
        lambda x: torch.tanh(x), lambda x, u: u / torch.cosh(x) ** 2, torch.tensor(X)
    ),
    "torch module": lambda: verify.vjp(
        torch.nn.Softmax(dim=-1),
        lambda x, u: torch.softmax(x, -1) * (u - (torch.softmax(x, -1) * u).sum()),
        torch.tensor(X),
    ),
    "jax vjp": lambda: verify.vjp(rule(1.0), rule(1.0), X),
    "jax vjp of tf": lambda: verify.vjp(tf.sin, rule(1.0), X),
    "jax jvp": lambda: verify.jvp(tf.sin, rule_forward(1.0), X),
    "jax plain": lambda: verify.vjp(
        lambda x: jnp.tanh(x), lambda x, u: u * (1 - jnp.tanh(x) ** 2), jnp.asarray(X)
    ),
}
WRONG = {
    "torch apply": lambda: verify.vjp(Cube.apply, Twice.apply, torch.tensor(X)),
    "torch within a function": lambda: verify.vjp(Cube, lambda x: Twice.apply(x), torch.tensor(X)),
    "jax compiled": lambda: verify.vjp(rule(1.0), jax.jit(rule(2.0)), X),
    "torch bfloat16": lambda: verify.vjp(Cube, Twice, NARROW),
    "torch vjp": lambda: verify.vjp(Cube, Twice, torch.tensor(X)),
    "torch jacobian": lambda: verify.jacobian(Cube, Twice, torch.tensor(X)),
    "jax vjp": lambda: verify.vjp(rule(1.0), rule(2.0), X),
    "jax jvp": lambda: verify.jvp(tf.sin, rule_forward(2.0), X),
}


@pytest.mark.parametrize("name", RIGHT)
def test_right_ones_are_accepted(name: str) -> None:
    """Each is followed through the framework and found equal, or measured."""
    report = RIGHT[name]()
    assert report.ok, str(report)


@pytest.mark.parametrize(
    "name", ["torch vjp", "torch plain", "torch module", "torch rows", "jax vjp", "jax compiled"]
)
def test_right_ones_are_proved(name: str) -> None:
    """What the framework computes is followed as formulas are."""
    assert RIGHT[name]().verdict in {"equal", "proved"}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_ones_are_refuted(name: str) -> None:
    """The factor is told."""
    report = WRONG[name]()
    assert report.verdict == "refuted"
    assert "factor 2" in report.cause


def entropy(is_right: bool) -> Any:
    """Make a cross entropy that ignores a class, with a backward of its own."""

    class Entropy(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any, t: Any) -> Any:
            ctx.save_for_backward(x, t)
            return torch.nn.functional.cross_entropy(x, t, ignore_index=1)

        @staticmethod
        def backward(ctx: Any, u: Any) -> Any:
            x, t = ctx.saved_tensors
            counts = t != 1
            slope = torch.softmax(x, -1) - torch.nn.functional.one_hot(t, 3)
            return u * slope * (counts[:, None] if is_right else 1) / counts.sum(), None

    return Entropy


@pytest.mark.parametrize("is_right", [True, False])
def test_where_the_function_is_no_number_nothing_is_asked(is_right: bool) -> None:
    """A mean over no rows at all is nan, and so may be what stands for its derivative."""
    x, t = torch.tensor(np.cos(np.arange(12.0)).reshape(4, 3)), torch.tensor([0, 2, 1, 0])
    report = verify.vjp(entropy(is_right), entropy(is_right), x, t)
    assert report.ok is is_right
    assert is_right or report.cause.startswith(
        "x: it is wrong where t = 1 alone; a branch does not belong there: line "
    )


def test_a_cause_names_the_operand_and_not_its_place() -> None:
    """A factor that is missing is called as the caller calls it."""

    @jax.custom_vjp
    def total(x: Any) -> Any:
        return jax.nn.logsumexp(x, axis=-1)

    total.defvjp(lambda x: (total(x), x), lambda x, u: (jax.nn.softmax(x, -1),))
    # The first run compiles JAX's steps, which may take all the time that a cause has.
    _, report = [verify.vjp(total, total, np.cos(np.arange(12.0)).reshape(3, 4)) for _ in range(2)]
    assert report.cause.startswith("x: the factor upstream is missing")


def test_the_line_of_a_loop_is_found_without_compiling_it() -> None:
    """A change is tried once, and JAX takes longer to compile a loop than to run it."""

    def back(x: Any, u: Any) -> Any:
        def step(carry: Any, value: Any) -> Any:
            carry = value
            return carry * 0.5, carry

        return (jax.lax.scan(step, jnp.zeros(()), u, reverse=True)[1],)

    @jax.custom_vjp
    def smoothed(x: Any) -> Any:
        def step(carry: Any, value: Any) -> Any:
            carry = carry * 0.5 + value
            return carry, carry

        return jax.lax.scan(step, jnp.zeros(()), x)[1]

    smoothed.defvjp(lambda x: (smoothed(x), x), back)
    cause = verify.vjp(smoothed, smoothed, np.cos(np.arange(5.0))).cause
    assert "and is right with `carry += value`" in cause, cause


# --- inputs that are no arrays --------------------------------------------------------------------


class Softmax(torch.autograd.Function):
    """A softmax along an axis that the caller chooses."""

    @staticmethod
    def forward(ctx: Any, x: Any, dim: int) -> Any:
        """Compute."""
        y = torch.softmax(x, dim)
        ctx.save_for_backward(y)
        ctx.dim = dim
        return y

    @staticmethod
    def backward(ctx: Any, u: Any) -> Any:
        """Derive."""
        (y,) = ctx.saved_tensors
        return y * (u - (u * y).sum(ctx.dim, keepdim=True)), None


class WrongSoftmax(Softmax):
    """Its backward sums along another axis."""

    @staticmethod
    def backward(ctx: Any, u: Any) -> Any:
        """Derive."""
        (y,) = ctx.saved_tensors
        return y * (u - (u * y).sum(0, keepdim=True)), None


ROWS = np.cos(np.arange(6.0)).reshape(2, 3)


@pytest.mark.parametrize("f", [Softmax, Softmax.apply, torch.softmax, tf.nn.softmax])
def test_an_axis_of_an_autograd_function_is_an_integer(f: Any) -> None:
    """It is handed on as it is, and the line that is wrong is found."""
    x = ROWS if f is tf.nn.softmax else torch.tensor(ROWS)
    assert verify.vjp(f, Softmax, x, 1).ok
    assert verify.vjp(f, Softmax.apply, x, 1).ok
    assert "the axis is wrong" in verify.vjp(f, WrongSoftmax, x, 1).cause


APPLIED = WrongSoftmax.apply


def along_rows(x: Any) -> Any:
    """Call a rule by its class."""
    return WrongSoftmax.apply(x, 1)


def along_rows_again(x: Any, dim: int = 1) -> Any:
    """Call it by a name of its `apply`."""
    return APPLIED(x, dim)


@pytest.mark.parametrize("f", [along_rows, along_rows_again, lambda x: 2 * along_rows(x)])
def test_the_backward_of_what_a_function_calls_is_told(f: Any) -> None:
    """The line stands in the rule, and not in the function around it, which may not be deeper."""
    cause = verify.vjp(f, f, torch.tensor(ROWS)).cause
    assert ("the axis is wrong: line " in cause) is (f.__name__ != "<lambda>")


def power_by_vjp(is_right: bool) -> Any:
    """Make a power whose backward is right or not."""

    @functools.partial(jax.custom_vjp, nondiff_argnums=(1,))
    def power(x: Any, n: int) -> Any:
        return x**n

    less = 1 if is_right else 0
    power.defvjp(lambda x, n: (x**n, x), lambda n, x, u: (n * x ** (n - less) * u,))
    return power


@pytest.mark.parametrize("is_right", [True, False])
def test_arguments_without_a_derivative_are_integers(is_right: bool) -> None:
    """What `nondiff_argnums` names is handed on as it is."""
    power = power_by_vjp(is_right)
    assert verify.vjp(power, power, jnp.asarray([2.0, 3.0]), 3).ok is is_right


def test_the_rule_of_jax_that_a_function_calls_is_told() -> None:
    """The line stands in the rule, and not in the function around it."""
    power = power_by_vjp(False)
    cause = verify.vjp(lambda x: power(x, 3), lambda x: power(x, 3), jnp.asarray([2.0, 3.0])).cause
    assert "is right with `lambda n, x, u: " in cause


def squares(params: Any, batch: Any) -> Any:
    """Give a mean of squares of a layer."""
    x, y = batch
    return jnp.mean((jnp.tanh(x @ params["W"] + params["b"]).sum(-1) - y) ** 2)


PARAMS = {"W": jnp.asarray(ROWS.T), "b": jnp.asarray([0.5, -0.2])}
BATCH = (jnp.asarray(np.sin(np.arange(12.0)).reshape(4, 3)), jnp.asarray([1.0, 0.0, 2.0, 1.0]))


@pytest.mark.parametrize("f", [squares, jax.jit(squares)])
def test_gradients_by_a_dictionary_of_parameters(f: Any) -> None:
    """They are what `jax.grad` gives, and half of one is seen."""
    slope = jax.grad(f)
    assert verify.gradient(f, slope, PARAMS, BATCH, wrt="params").ok
    assert verify.gradient(f, jax.jit(jax.grad(f, (0, 1))), PARAMS, BATCH).ok
    wrong = verify.gradient(
        f, lambda p, b: {**slope(p, b), "b": slope(p, b)["b"] / 2}, PARAMS, BATCH, wrt=0
    )
    assert wrong.cause.startswith("params_b: it has the factor 1/2")


def test_gradients_by_a_dictionary_of_torch() -> None:
    """Tensors in it are those of the framework for the function and the candidate."""

    def f(p: Any, x: Any) -> Any:
        return (torch.tanh(x @ p["W"] + p["b"]) ** 2).sum()

    def slope(p: Any, x: Any) -> Any:
        h = torch.tanh(x @ p["W"] + p["b"])
        d = 2 * h * (1 - h**2)
        return {"W": x.T @ d, "b": d.sum(0)}

    params = {name: torch.tensor(np.asarray(value)) for name, value in PARAMS.items()}
    x = torch.tensor(np.asarray(BATCH[0]))
    assert verify.gradient(f, slope, params, x, wrt="p").ok
    wrong = verify.gradient(f, lambda p, x: {**slope(p, x), "b": p["b"]}, params, x, wrt="p")
    assert "p is used instead of slope(p, x)" in wrong.cause


def soft_maximum(w: Any) -> Any:
    """Give a scalar that only JAX computes."""
    return jax.nn.logsumexp(jnp.asarray(ROWS.T) @ w) + 0.5 * w @ w


def test_functions_of_jax_take_arrays_of_numpy() -> None:
    """They are followed as JAX's, function and candidate, and not measured."""
    w = np.array([0.5, -1.0])
    report = verify.hessian(soft_maximum, jax.hessian(soft_maximum), w)
    assert report.verdict in {"proved", "equal"}, report
    wrong = verify.gradient(soft_maximum, lambda w: jax.grad(soft_maximum)(w) + 0.1 * w, w)
    assert wrong.verdict == "refuted"
    assert not any("was measured by differences" in note for note in wrong.notes)
    numpys = verify.gradient(
        lambda w: np.sum(np.sin(w)), jax.grad(lambda w: jnp.sum(jnp.sin(w))), w
    )
    assert numpys.verdict in {"proved", "equal"}, numpys


@pytest.mark.parametrize("kind", ["vjp", "jvp"])
def test_a_rule_that_changes_the_value_is_refuted(kind: str) -> None:
    """What JAX gives beside the derivative is the function itself."""

    def sine(factor: float) -> Any:
        own = (jax.custom_vjp if kind == "vjp" else jax.custom_jvp)(lambda x: jnp.sin(x))
        if kind == "vjp":
            own.defvjp(lambda x: (factor * jnp.sin(x), x), lambda x, u: (u * jnp.cos(x),))
        else:
            own.defjvp(lambda p, t: (factor * jnp.sin(*p), jnp.cos(*p) * t[0]))
        return own

    asked = getattr(verify, kind)
    assert asked(sine(1.0), sine(1.0), X).ok
    assert asked(sine(2.0), sine(2.0), X).cause.startswith("the value changes where it is derived")


@pytest.mark.parametrize("is_right", [True, False])
def test_a_rule_that_changes_the_value_at_zero_is_refuted(is_right: bool) -> None:
    """A norm whose rule has numbers of its own there, so that no slope is nan."""
    norm = jax.custom_jvp(lambda x: jnp.linalg.norm(x))

    @norm.defjvp
    def rule(primals: Any, tangents: Any) -> Any:
        is_zero = jnp.all(primals[0] == 0)
        y, t = jax.jvp(jnp.linalg.norm, (jnp.where(is_zero, 1.0, primals[0]),), tangents)
        return jnp.where(is_zero & is_right, 0.0, y), jnp.where(is_zero, 0.0, t)

    report = verify.vjp(norm, norm, X)
    assert report.ok is is_right, report
    assert is_right or report.cause.startswith("the value changes where it is derived")


class WithNone(torch.autograd.Function):
    """It gives None beside its result, of which it is told nothing."""

    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:  # noqa: ARG004 - torch gives it
        """Compute."""
        return 2 * x, None

    @staticmethod
    def backward(ctx: Any, u: Any, _: Any) -> Any:  # noqa: ARG004 - torch gives it
        """Derive."""
        return 2 * u


def test_results_that_are_no_tensors_are_left_out() -> None:
    """As the second one of a function, which is None, and its part of a cotangent."""
    x = torch.tensor(ROWS)
    assert verify.vjp(WithNone.apply, WithNone.apply, x).ok
    assert verify.vjp(lambda x: WithNone.apply(x), lambda x: WithNone.apply(x), x).ok
    few = verify.vjp(lambda x: (x, x), lambda x: 2 * x, x)
    assert few.cause == "the candidate raised ValueError: 1 of 2 results are given"


def test_gradients_by_complex_numbers_are_those_of_jax() -> None:
    """They are conjugates of TensorFlow's, for JAX's own functions and rules, and said to be."""

    def f(z: Any) -> Any:
        return jnp.sum(jnp.real(z) ** 3 + jnp.imag(z))

    z = jnp.asarray([1.0 + 2.0j, -0.5 + 1.0j])
    right = verify.gradient(f, jax.grad(f), z)
    assert right.ok
    assert any("the conjugates of TensorFlow's" in note for note in right.notes)
    assert not verify.gradient(f, lambda z: jnp.conj(jax.grad(f)(z)), z).ok
    assert verify.gradient(
        lambda z: tf.reduce_sum(tf.math.real(z) ** 3 + tf.math.imag(z)),
        lambda z: 3 * z.real**2 + 1j,
        np.asarray(z),
    ).ok


def test_places_of_tensors_that_count_once_are_told():
    """PyTorch adds at places as often as they are listed where it is told to."""

    class Rows(torch.autograd.Function):
        @staticmethod
        def forward(ctx, places, table):
            ctx.save_for_backward(places)
            ctx.count = len(table)
            return table[places]

        @staticmethod
        def backward(ctx, g):
            (places,) = ctx.saved_tensors
            out = g.new_zeros(ctx.count, g.shape[-1])
            out[places] = g
            return None, out

    table = torch.tensor(np.arange(6.0).reshape(3, 2) - 2.5)
    report = verify.vjp(Rows, Rows, torch.tensor([0, 2, 2]), table)
    assert "is right with `out.index_put_((places,), g, accumulate=True)`" in report.cause
