# ruff: noqa: D103 - a rule is described by its name
"""The judge on what rules of PyTorch and JAX are given, raise, and call."""

from __future__ import annotations

from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import torch

from symtape import verify

pytestmark = pytest.mark.usefixtures("patient")

X, Y = np.array([0.3, 0.5]), np.array([1.3, -0.5])
T = torch.tensor([[0.3, -1.2], [0.8, 0.1]], dtype=torch.float64)


@jax.custom_jvp
def product(x: Any, y: Any) -> Any:
    return jnp.sin(x) * y


@product.defjvp
def _product_rule(primals: Any, tangents: Any) -> Any:
    x, y = primals
    dx, dy = tangents
    slope = jnp.cos(x) * dx * y - jnp.sin(x) * dy
    return product(x, y), slope


@partial(jax.custom_jvp, nondiff_argnums=(1,))
def power(x: Any, n: Any) -> Any:
    return x**n


@power.defjvp
def _power_rule(n: Any, primals: Any, tangents: Any) -> Any:
    (x,), (dx,) = primals, tangents
    return power(x, n), -n * x ** (n - 1) * dx


SIGN = "`slope = jnp.cos(x) * dx * y + jnp.sin(x) * dy`"


@pytest.mark.parametrize(
    ("kind", "f", "given", "line"),
    [
        ("vjp", product, (X, Y), SIGN),
        ("jvp", product, (X, Y), SIGN),
        ("vjp", lambda x, y: product(x, y), (X, Y), SIGN),
        ("vjp", power, (X, 3), "`return (power(x, n), n * x ** (n - 1) * dx)`"),
    ],
)
def test_the_line_of_a_rule_of_tangents_is_told(kind: str, f: Any, given: Any, line: str) -> None:
    """A rule of `jax.custom_jvp` is changed as a backward is, whoever calls it."""
    assert f"is right with {line}" in getattr(verify, kind)(f, f, *given).cause


def test_a_rule_of_jax_that_raises_is_refuted() -> None:
    """It is run before it is judged, to see its value, and that raises nothing."""

    @jax.custom_jvp
    def sine(x: Any) -> Any:
        return jnp.sin(x)

    sine.defjvp(lambda p, t: (sine(*p), t[0] @ jnp.ones(7)))
    for f in (sine, lambda x: sine(x)):
        cause = verify.vjp(f, sine, X).cause
        assert cause.startswith("the candidate raised TypeError: dot_general")


@pytest.mark.parametrize("less", [0, 1])
def test_numbers_that_a_rule_of_jax_takes_as_they_are_are_no_arrays(less: int) -> None:
    """What `nondiff_argnums` names is no tracer, be it a float or an array."""

    @partial(jax.custom_vjp, nondiff_argnums=(1, 2))
    def scaled(x: Any, n: Any, weights: Any) -> Any:
        assert isinstance(n, float)
        return x**n * np.asarray(weights)

    def back(n: Any, weights: Any, x: Any, u: Any) -> Any:
        return (n * x ** (n - less) * u * np.asarray(weights),)

    scaled.defvjp(lambda x, n, weights: (scaled(x, n, weights), x), back)
    assert verify.vjp(scaled, scaled, X, 3.0, (2.0, 1.0)).ok == bool(less)


class Reshaped(torch.autograd.Function):
    """Takes a shape and places, which are Python's."""

    @staticmethod
    def forward(ctx: Any, x: Any, shape: Any, places: Any) -> Any:
        """Compute."""
        assert all(type(n) is int for n in (*shape, *places))
        ctx.shape = x.shape
        return 2 * x.reshape(shape).sum(places)

    @staticmethod
    def backward(ctx: Any, u: Any) -> Any:
        """Derive."""
        return 2 * u.reshape(1, -1).expand(2, 2).reshape(ctx.shape), None, None


def test_shapes_and_axes_stay_integers() -> None:
    """Torch takes no list for a tensor."""
    assert verify.vjp(Reshaped, Reshaped, T, (2, 2), [0]).ok


def slope_of_gate(u: Any, x: Any, w: Any) -> Any:
    s = torch.sigmoid(x)
    return u * w * s * (1 - x * (1 - s))


class Gate(torch.autograd.Function):
    """A backward with a helper that is wrong."""

    @staticmethod
    def forward(ctx: Any, x: Any, w: Any) -> Any:
        """Compute."""
        ctx.save_for_backward(x, w)
        return w * x * torch.sigmoid(x)

    @staticmethod
    def backward(ctx: Any, u: Any) -> Any:
        """Derive."""
        x, w = ctx.saved_tensors
        return slope_of_gate(u, x, w), u * x * torch.sigmoid(x)


def test_the_line_of_a_helper_is_told() -> None:
    """What a backward calls is changed, too."""
    report = verify.vjp(Gate, Gate, T, T + 1)
    assert "is right with `return u * w * s * (1 + x * (1 - s))`" in report.cause


class InSingle(torch.autograd.Function):
    """Numbers of double precision that are computed as those of single precision."""

    factor = 1.0

    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        """Compute."""
        ctx.save_for_backward(x)
        return torch.nn.functional.silu(x.float()).to(x.dtype)

    @classmethod
    def backward(cls, ctx: Any, u: Any) -> Any:
        """Derive."""
        (x,) = ctx.saved_tensors
        s = torch.sigmoid(x.float())
        return (cls.factor * u * s * (1 + x * (1 - s))).float().to(x.dtype)


class InSingleWrong(InSingle):
    """The same, a little off."""

    factor = 1.001


def test_a_function_that_computes_in_single_precision_has_its_digits_compared() -> None:
    """It is no mistake that a backward has no more of them."""
    report = verify.vjp(InSingle, InSingle, T)
    assert report.ok
    assert any("the function itself computes with single precision" in n for n in report.notes)
    assert not verify.vjp(InSingleWrong, InSingleWrong, T).ok


class Artanh(torch.autograd.Function):
    """A backward that forgets the clamp of its forward."""

    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        """Compute."""
        z = x.clamp(-1 + 1e-15, 1 - 1e-15)
        ctx.save_for_backward(z)
        return (torch.log(1 + z) - torch.log(1 - z)) / 2

    @staticmethod
    def backward(ctx: Any, u: Any) -> Any:
        """Derive."""
        (z,) = ctx.saved_tensors
        return u / (1 - z**2)


def test_a_clamp_that_is_forgotten_is_told_by_where_it_is_wrong() -> None:
    """A formula of all cases would say less."""
    cause = verify.vjp(Artanh, Artanh, T / 2).cause
    assert cause == "x: it is wrong where |x| > 1 alone"


class Rounded(torch.autograd.Function):
    """A straight-through estimator."""

    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:  # noqa: ARG004 - torch's
        """Compute."""
        return x.round()

    @staticmethod
    def backward(ctx: Any, u: Any) -> Any:  # noqa: ARG004 - torch's
        """Pass everything on."""
        return u


def test_a_straight_through_estimator_is_no_derivative_and_has_no_line_to_mend() -> None:
    """It is refuted beside rounding, and right beside what it stands for."""
    report = verify.vjp(Rounded, Rounded, T)
    assert report.cause == (
        "x: the derivative is zero, as that of rounding is, and the candidate gives another number"
    )
    assert verify.vjp(lambda x: x, Rounded, T).ok


class WithItsSlope(torch.autograd.Function):
    """Gives what it saves, too, as something without a derivative."""

    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:  # noqa: D102 - torch's
        slope = 3 * x**2
        ctx.save_for_backward(slope)
        ctx.mark_non_differentiable(slope)
        return x**3, slope

    @staticmethod
    def backward(ctx: Any, u: Any, _: Any) -> Any:  # noqa: D102 - torch's
        (slope,) = ctx.saved_tensors
        return u * slope


class OutsideWithIts(torch.autograd.Function):
    """The same, where the other result comes from NumPy."""

    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:  # noqa: D102 - torch's
        y, e = torch.from_numpy(np.tanh(x.detach().numpy())), torch.exp(x)
        ctx.save_for_backward(y)
        ctx.mark_non_differentiable(e)
        return y, e

    @staticmethod
    def backward(ctx: Any, u: Any, _: Any) -> Any:  # noqa: D102 - torch's
        (y,) = ctx.saved_tensors
        return u * (1 - y * y)


@pytest.mark.parametrize(("f", "verdict"), [(WithItsSlope, "equal"), (OutsideWithIts, "measured")])
def test_what_is_marked_as_not_differentiable_has_no_derivative(f: Any, verdict: str) -> None:
    """Torch gives no cotangent of it to a backward."""
    assert verify.vjp(f, f, T[0]).verdict == verdict
