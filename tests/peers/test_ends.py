"""Functions of one number at nan, infinities, zeros and ends have PyTorch's and JAX's slopes."""

from __future__ import annotations

import math
from importlib import import_module
from typing import Any

import numpy as np
import pytest

import symtape as tf
from tests.peers.jax_cases import Late
from tests.sampling import some

torch, jax, jnp = Late("torch"), Late("jax"), Late("jax.numpy")

POINTS = [
    math.nan, math.inf, -math.inf, 0.0, -0.0, 1, -1, 0.5, -0.5, 2, -2, 3, -3, 6, 20, -20, 1e30,
    -1e30,
]  # fmt: skip
TORCH = {
    "torch": "abs acos acosh angle asin asinh atan atanh cos cosh digamma erf erfc erfinv exp exp2 "
    "expm1 frac i0 lgamma log log10 log1p log2 logit nan_to_num neg reciprocal relu rsqrt selu "
    "sigmoid sin sinc sinh sqrt square tan tanh",
    "torch.special": "entr erfcx i0e i1 i1e log_ndtr ndtr ndtri",
    "torch.nn.functional": "celu elu gelu hardshrink hardsigmoid hardswish hardtanh leaky_relu "
    "logsigmoid mish relu6 silu softplus softshrink softsign tanhshrink",
}
JAX = {
    "jax.numpy": "abs acos acosh asin asinh atan atanh cbrt cos cosh exp exp2 expm1 i0 log log10 "
    "log1p log2 nan_to_num reciprocal sign sin sinc sinh sqrt square tan tanh",
    "jax.nn": "celu elu gelu hard_sigmoid hard_silu hard_tanh leaky_relu log_sigmoid mish relu "
    "relu6 selu sigmoid silu softplus soft_sign sparse_plus sparse_sigmoid squareplus",
    "jax.scipy.special": "digamma entr erf erfc erfinv expit gammaln i0e i1 logit ndtr ndtri",
}
OTHERS: dict[str, Any] = {
    "torch x·sign(x)": lambda x: x * torch.sign(x),
    "torch maximum": lambda x: torch.maximum(x, torch.zeros_like(x)),
    "torch minimum": lambda x: torch.minimum(x, torch.ones_like(x)),
    "torch threshold": lambda x: torch.nn.functional.threshold(x, 0.0, 0.0),
    "torch l1_loss": lambda x: torch.nn.functional.l1_loss(x, 0 * x.detach(), reduction="none"),
    "torch 0 to the x": lambda x: 0.0**x,
    "torch 2 to the x": lambda x: 2.0**x,
    "torch x to the 0": lambda x: x**0,
    "torch hypot": lambda x: torch.hypot(x, torch.full_like(x, 3.0)),
    "torch sign of x": lambda x: x * torch.copysign(torch.ones_like(x), x),
    "torch clamp": lambda x: x.clamp(-1, 1),
    "torch logit within": lambda x: torch.logit(x, 0.25),
    "torch polygamma": lambda x: torch.polygamma(0, x),
    "torch cross entropy": lambda x: torch.nn.functional.binary_cross_entropy_with_logits(
        x, torch.full_like(x, 0.3), reduction="none"
    ),
    "jax maximum": lambda x: jnp.maximum(x, 0),
    "jax x to the 0": lambda x: x**0,
    "jax clip": lambda x: jnp.clip(x, -1, 1),
}
INF, NAN = math.inf, math.nan
FAR, POLES = (INF, -INF, 1e30, -1e30), (-INF, -1, -2, -3, -20, -1e30)
BY_LANES = (NAN,)
"""Torch has another slope at nan for the last elements of an array than for all before."""

DEVIATING: dict[str, tuple[float, ...]] = {
    **dict.fromkeys(
        [f"torch.nn.functional.{f}" for f in (
            "celu", "elu", "hardshrink", "hardswish", "hardtanh", "relu6", "softshrink",
        )], BY_LANES,
    ),
    **dict.fromkeys(["torch.selu", "torch logit within"], BY_LANES),
    "torch.logit": (0.0,),  # the sign of the infinity, by lanes
    **dict.fromkeys(["torch.acosh", "jax.numpy.acosh"], (-1,)),  # the same, outside of the domain
    "jax.scipy.special.digamma": (INF,),
    **dict.fromkeys(["torch.digamma", "torch polygamma"], POLES),  # torch rounds the poles
    "torch sign of x": (0.0,),  # a formula that was made without -0 has the sign of 0
    "torch.special.erfcx": (*FAR, -20),  # torch and we lose digits where exp(x²) ends
    "torch.special.log_ndtr": FAR,
    **dict.fromkeys(["torch.special.i1", "torch.special.i1e", "torch.i0"], (NAN, *FAR)),
    "torch.nn.functional.gelu": FAR,
    **dict.fromkeys(["jax.scipy.special.i1", "jax.numpy.i0"], (NAN, *FAR)),
    "jax.nn.squareplus": FAR,
    "jax.nn.sparse_plus": FAR,
}  # fmt: skip
"""Points at which slopes are others, as docs/frontends.md says."""


def listed(places: dict[str, str], head: str) -> dict[str, Any]:
    """List functions by their names; each is looked up when it is called."""
    found = {
        f"{place}.{name}": lambda x, p=place, n=name: getattr(import_module(p), n)(x)
        for place, names in places.items()
        for name in names.split()
    }
    return found | {name: f for name, f in OTHERS.items() if name.startswith(head)}


OF_TORCH, OF_JAX = listed(TORCH, "torch"), listed(JAX, "jax")


def by_torch(function: Any, x: Any, cotangent: float) -> tuple[Any, Any]:
    """Give torch's value and gradient."""
    x = torch.tensor(x, requires_grad=True)
    y = function(x)
    (slope,) = torch.autograd.grad(y, x, torch.full_like(y, cotangent))
    return y.detach().numpy(), slope.numpy(force=True)


def by_jax(function: Any, x: Any, cotangent: float) -> tuple[Any, Any]:
    """Give JAX's value and gradient."""
    with jax.enable_x64(x.dtype == np.float64):
        y, pull = jax.vjp(function, jnp.asarray(x))
        return np.asarray(y), np.asarray(pull(jnp.full_like(y, cotangent))[0])


def by_tape(imported: Any, x: Any, cotangent: float) -> tuple[Any, Any]:
    """Give our value and gradient."""
    x = tf.constant(x)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = imported(x)
    cotangents = tf.fill(y.shape, tf.constant(cotangent, y.dtype))
    return y, tape.gradient(y, x, cotangents, unconnected_gradients="zero")


def compiled_elsewhere(make: Any, function: Any, points: Any) -> dict[int, Any]:
    """Compile the gradient at 0.3, and evaluate it at points; what is refused is left out."""
    example = np.array([0.3], points.dtype)
    imported = make(lambda x: function(x).sum(), example)
    gradient, found = imported.gradient("x"), {}
    slope = gradient.lambdify() if gradient is not None else np.zeros_like
    for k, point in enumerate(points):
        try:
            found[k] = np.ravel(slope(np.array([point])))[0]
        except tf.PathConditionError:
            continue
    return found


def assert_same(name: str, function: Any, dtype: Any, make: Any, theirs: Any) -> None:
    """Compare values, and slopes in a call and of a formula, with what a framework has."""
    points = np.array(POINTS, dtype)
    kept = [k for k, v in enumerate(points) if not is_deviating(name, v)]
    close = {"rtol": 1e-5, "atol": 2e-6} if dtype == np.float32 else {"rtol": 1e-8, "atol": 1e-7}
    imported = make(function, points)
    for cotangent in (1.0, 0.0):
        for own, expected in zip(
            by_tape(imported, points, cotangent), theirs(function, points, cotangent), strict=True
        ):
            np.testing.assert_allclose(np.asarray(own)[kept], expected[kept], **close)
    expected = theirs(function, points, 1.0)[1]
    for k, slope in compiled_elsewhere(make, function, points).items():
        assert k not in kept or np.allclose(slope, expected[k], **close, equal_nan=True), points[k]


def is_deviating(name: str, point: float) -> bool:
    """Say whether a slope is not the framework's at a point."""
    places = DEVIATING.get(name, ())
    return any(np.array_equal(p, point, equal_nan=True) for p in np.array(places, point.dtype))


@pytest.mark.parametrize("dtype", [np.float64, np.float32], ids=["double", "single"])
@pytest.mark.parametrize("name", some([*OF_TORCH], 4))
def test_slopes_at_ends_are_those_of_torch(name, dtype, torch):
    """At nan, too, with cotangents one and zero."""
    make = lambda f, x: tf.from_torch(f, torch.tensor(x))  # noqa: E731
    assert_same(name, OF_TORCH[name], dtype, make, by_torch)


@pytest.mark.parametrize("dtype", [np.float64, np.float32], ids=["double", "single"])
@pytest.mark.parametrize("name", some([*OF_JAX], 4))
def test_slopes_at_ends_are_those_of_jax(name, dtype, jax):
    """At nan, too, with cotangents one and zero."""
    with jax.enable_x64(dtype == np.float64):
        assert_same(name, OF_JAX[name], dtype, tf.from_jax, by_jax)


def test_the_second_slope_of_an_entropy_is_that_of_torch(torch):
    """At 0 and below, too."""
    points = torch.tensor([0.0, -0.0, 0.5, -1.0, INF, NAN], requires_grad=True)
    imported = tf.from_torch(torch.special.entr, points)
    (slope,) = torch.autograd.grad(torch.special.entr(points).sum(), points, create_graph=True)
    (expected,) = torch.autograd.grad(slope.sum(), points)
    found = tf.grad(lambda x: tf.reduce_sum(tf.grad(lambda x: tf.reduce_sum(imported(x)))(x)))
    np.testing.assert_allclose(found(points.detach().numpy()), expected)


def test_values_at_infinity_are_those_of_torch(torch):
    """Of a function that torch has no derivative of."""
    function, points = torch.special.spherical_bessel_j0, torch.tensor([0.0, 1.0, INF, -INF, NAN])
    found = tf.from_torch(function, points)(points)
    np.testing.assert_allclose(found, function(points), rtol=1e-6)
