"""How exact functions are: points where digits get lost easily, and how many units may be lost.

A row has a function as TensorFlow names it, the same function of mpmath, points, and bounds for the
value, the slope and the second derivative at these points, in units of the last place of a float64.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from operator import attrgetter
from typing import Any

import mpmath as mp
import numpy as np
from scipy import special

from tests import mpmath_functions as truth


@dataclass(frozen=True)
class Row:
    """One function of one or more numbers, differentiated twice in argument `of`."""

    name: str
    run: Callable[..., Any]
    truth: Callable[..., Any]
    points: tuple[Any, ...]
    bounds: tuple[float, float, float]
    because: str = ""
    """Why a bound is not small."""
    of: int = 0


ROOT = "a root of the function, whose place is no float"
PHASE = "large arguments of an oscillation, and its roots: SciPy's error is relative to its height"
SCIPY = "SciPy's error at (0.5, 1)"
BEND = "the second derivative changes its sign near (2, 2)"
TURN = "the second derivative changes its sign near 2.85: a unit of the argument is ten of it"
QUOTIENT = "x exp(x) - expm1(x) cancels, and nothing says that it is one function"
SUM = "of a sum of exponentials that is nearly one of them, the rest is not exact"

WIDE = (-40.0, -9.0, -3.0, -0.5, -1e-8, 1e-8, 0.3, 1.0, 9.0, 40.0)
POSITIVE = (1e-150, 1e-8, 0.3, 0.9999999, 1.0000001, 2.5, 100.0, 1e10, 1e150)
INSIDE = (-0.9999999, -0.5, 1e-8, 0.3, 0.9, 0.9999999, 1 - 2**-50)
BESSEL = (1e-8, 0.3, 1.0, 3.0, 7.0, 12.0, 30.0)
SHAPES = (
    (0.1, 0.01),
    (0.5, 1.0),
    (2.0, 2.0),
    (3.0, 0.1),
    (5.0, 30.0),
    (80.0, 70.0),
    (100.0, 120.0),
)
ANGLES = ((1e-8, 1.0), (1.0, -1e-8), (0.3, 0.5), (-2.0, -3.0))
POWERS = ((1e-8, 3.0), (0.3, -2.5), (2.0, 0.5), (1e3, 40.0))
LOGS = ((0.3, 1e-8), (2.0, 1.0000001), (5.0, 7.0))
NEAR = ((0.3, 1e-8), (2.0, -0.9999999), (5.0, 7.0))
PAIRS = ((0.3, 1e-8), (2.0, 0.7))
BETAS = ((0.5, 0.5, 0.1), (2.0, 3.0, 0.5), (3.0, 0.7, 0.9999), (20.0, 30.0, 0.4), (60.0, 50.0, 0.6))
ORDERS = (
    (0.0, 0.3),
    (0.0, 1.46),
    (0.0, 1.4616321),
    (1.0, 0.3),
    (1.0, 1.46),
    (2.0, 20.0),
    (5.0, 3.0),
)


def _named(name: str) -> Callable[..., Any]:
    return lambda tf, *xs: attrgetter(name)(tf)(*xs)


def _plain(name: str, truth: Any, points: Any, bounds: Any, because: str = "") -> Row:
    """Make the row of a function of one number."""
    return Row(name, _named(name), truth, points, bounds, because)


def _several(
    name: str, arguments: str, of: int, truth: Any, points: Any, bounds: Any, because: str = ""
) -> Row:
    """Make the row of a function of several numbers, for one of them."""
    title = f"{name} of {arguments[of]}"
    return Row(title, _named(name), truth, points, bounds, because, of)


def _scipy(name: str, numbers: Any, truth: Any, points: Any, bounds: Any, because: str = "") -> Row:
    """Make the row of a function of SciPy's that takes numbers, and one of them that is derived."""
    title = " ".join(map(str, (f"scipy.special.{name}", *numbers)))

    def run(_: Any, x: Any) -> Any:
        return getattr(special, name)(*numbers, x)

    return Row(title, run, truth, points, bounds, because)


_OF_TWO_GAMMAS = (
    ("beta", mp.beta, (40, 40, 40), (40, 40, 40)),
    ("betaln", lambda a, b: mp.log(mp.beta(a, b)), (40, 6, 6), (40, 6, 6)),
    ("poch", mp.rf, (40, 40, 40), (40, 40, 40)),
)
"""Functions of SciPy's that are made of gamma functions, and the bounds for each argument."""

ROWS = [
    # exponentials
    _plain("exp", mp.exp, WIDE, (4, 4, 4)),
    _plain("math.expm1", mp.expm1, WIDE, (4, 4, 4)),
    _plain("math.log", mp.log, POSITIVE, (4, 4, 4)),
    _plain("math.log1p", mp.log1p, (-0.9999999, -0.5, -1e-8, 1e-8, 0.3, 1e10), (4, 4, 4)),
    _plain("sqrt", mp.sqrt, POSITIVE[1:-1], (4, 4, 4)),
    _plain("math.rsqrt", lambda x: 1 / mp.sqrt(x), POSITIVE[1:-1], (4, 4, 6)),
    _plain("math.reciprocal", lambda x: 1 / x, (-1e10, -0.3, 1e-8, 0.7, 3.0), (4, 4, 4)),
    _plain("square", lambda x: x * x, WIDE, (4, 4, 4)),
    # trigonometric and hyperbolic functions and their inverses
    _plain("sin", mp.sin, (*WIDE, 3.1415926, 1e6), (4, 4, 4)),
    _plain("cos", mp.cos, (*WIDE, 1.5707963, 1e6), (4, 4, 4)),
    _plain("tan", mp.tan, (*WIDE, 1.5707963, 1e6), (4, 4, 4)),
    _plain("asin", mp.asin, INSIDE, (4, 4, 4)),
    _plain("acos", mp.acos, INSIDE, (4, 4, 4)),
    _plain("atan", mp.atan, (*WIDE, 1e10), (4, 4, 4)),
    _plain("sinh", mp.sinh, WIDE, (4, 4, 4)),
    _plain("cosh", mp.cosh, WIDE, (4, 4, 4)),
    _plain("tanh", mp.tanh, (*WIDE, -8.0, 300.0), (4, 4, 4)),
    _plain("asinh", mp.asinh, (*WIDE, 1e10, 1e200), (4, 4, 4)),
    _plain("acosh", mp.acosh, (1.0000001, 1 + 2**-50, 1.5, 10.0, 1e10), (4, 4, 4)),
    _plain("atanh", mp.atanh, INSIDE, (4, 4, 4)),
    # sigmoids
    _plain("sigmoid", truth.sigmoid, WIDE, (4, 4, 4)),
    _plain("math.softplus", truth.softplus, WIDE, (4, 4, 4)),
    _plain("math.log_sigmoid", lambda x: -mp.log1p(mp.exp(-x)), WIDE, (4, 4, 4)),
    _plain("nn.silu", lambda x: x * truth.sigmoid(x), WIDE, (4, 6, 6)),
    _plain(
        "nn.gelu", truth.gelu, (-37.0, -20.0, -8.0, -3.0, -0.5, -1e-8, 0.3, 3.0, 20.0), (4, 4, 4)
    ),
    Row(
        "nn.gelu by tanh",
        lambda tf, x: tf.nn.gelu(x, approximate=True),
        truth.gelu_tanh,
        (-8.0, -3.0, -0.5, 1e-8, 0.3, 3.0),
        (8, 8, 6),
    ),
    _plain("nn.softsign", lambda x: x / (1 + abs(x)), WIDE, (4, 4, 4)),
    _plain("nn.elu", truth.elu, (-40.0, -3.0, -1e-8, 0.5), (4, 4, 4)),
    # the Gaussian's
    _plain("math.erf", mp.erf, (-26.0, -5.0, -0.5, 1e-8, 0.3, 3.0, 9.0, 20.0), (4, 4, 4)),
    _plain("math.erfc", mp.erfc, (-5.0, -0.5, 1e-8, 0.3, 0.51, 3.0, 9.0, 20.0, 26.0), (4, 4, 4)),
    _plain("math.erfinv", mp.erfinv, INSIDE, (4, 6, 12)),
    _plain(
        "math.erfcinv", truth.erfcinv, (1e-150, 1e-20, 1e-8, 0.3, 0.9999, 1.7, 1.9999999), (4, 4, 8)
    ),
    _plain(
        "math.ndtri",
        truth.normal_quantile,
        (1e-150, 1e-20, 1e-8, 0.3, 0.4999, 0.7, 0.9999999),
        (4, 6, 12),
    ),
    _plain(
        "math.special.dawsn",
        truth.dawson,
        (1e-8, 0.3, 0.6, 1.2, 2.1, 2.3, 3.0, 6.9, 20.0, 100.0, 1e5),
        (12, 6, 20),
    ),
    _plain("math.special.fresnel_cos", mp.fresnelc, (1e-8, 0.3, 1.0, 2.0, 5.0, 30.0), (4, 4, 4)),
    _plain("math.special.fresnel_sin", mp.fresnels, (1e-8, 0.3, 1.0, 2.0, 5.0, 30.0), (4, 4, 4)),
    # the gamma function's
    _plain(
        "math.lgamma",
        truth.log_abs_gamma,
        (1e-8, 0.3, 0.999, 1.0000001, 1.46, 1.4616321, 1.9999999, 2.4, 20.0, 1e10),
        (6, 4, 4),
    ),
    Row(
        "math.lgamma below 0",
        lambda tf, x: tf.math.lgamma(x),
        truth.log_abs_gamma,
        (-0.5, -2.7, -10.3),
        (12, 8, 4),
    ),
    _plain(
        "math.digamma",
        mp.digamma,
        (1e-8, 0.3, 1.0000001, 1.46, 1.4616321, 2.0, 20.0, 1e10),
        (4, 4, 4),
    ),
    Row(
        "math.digamma below 0",
        lambda tf, x: tf.math.digamma(x),
        mp.digamma,
        (-0.3, -0.9999999, -1.7, -10.01, -10.3),
        (6, 4, 4),
    ),
    _several("math.polygamma", "ax", 1, mp.polygamma, ORDERS, (4, 4, 4)),
    _several(
        "math.zeta", "xq", 1, mp.zeta, ((1.5, 0.3), (2.0, 1.0), (3.3, 7.0), (10.0, 2.0)), (4, 4, 6)
    ),
    _several("math.igamma", "ax", 1, truth.regularized, SHAPES, (6, 4, 4)),
    _several("math.igamma", "ax", 0, truth.regularized, SHAPES, (6, 6, 80), BEND),
    _several("math.igammac", "ax", 1, truth.regularized_upper, SHAPES, (300, 4, 4), SCIPY),
    _several("math.igammac", "ax", 0, truth.regularized_upper, SHAPES, (300, 6, 80), SCIPY),
    _several("math.betainc", "abx", 2, truth.betainc, BETAS, (6, 4, 20)),
    # Bessel functions
    _plain("math.bessel_i0", lambda x: mp.besseli(0, x), (*BESSEL, 300.0), (4, 6, 6)),
    _plain("math.bessel_i1", lambda x: mp.besseli(1, x), (*BESSEL, 300.0), (6, 6, 6)),
    _plain("math.bessel_i0e", truth.i0e, (-5.0, *BESSEL, 300.0, 1e6), (4, 4, 4)),
    _plain("math.bessel_i1e", truth.i1e, (-5.0, *BESSEL, 300.0, 1e6), (6, 4, 40), TURN),
    _plain("math.special.bessel_j0", lambda x: mp.besselj(0, x), BESSEL, (64, 64, 20), PHASE),
    _plain("math.special.bessel_j1", lambda x: mp.besselj(1, x), BESSEL, (64, 20, 12), PHASE),
    _plain(
        "math.special.bessel_k0",
        lambda x: mp.besselk(0, x),
        (1e-8, 0.3, 3.0, 12.0, 700.0),
        (6, 4, 4),
    ),
    _plain(
        "math.special.bessel_k1",
        lambda x: mp.besselk(1, x),
        (1e-8, 0.3, 3.0, 12.0, 700.0),
        (4, 4, 4),
    ),
    _plain("math.special.bessel_k0e", truth.k0e, (1e-8, 0.2, 0.26, 1.0, 30.0, 1e6), (12, 4, 4)),
    _plain("math.special.bessel_k1e", truth.k1e, (1e-8, 0.2, 0.26, 1.0, 30.0, 1e6), (4, 4, 12)),
    _plain("math.special.bessel_y0", lambda x: mp.bessely(0, x), BESSEL, (8, 64, 8), PHASE),
    _plain("math.special.bessel_y1", lambda x: mp.bessely(1, x), BESSEL, (64, 8, 32), PHASE),
    # integrals
    _plain(
        "math.special.expint",
        mp.ei,
        (-30.0, -1.0, -1e-8, 1e-8, 0.3, 0.3725, 0.999999, 1.5, 30.0),
        (4000, 4, 4),
        ROOT,
    ),
    _plain(
        "math.special.spence",
        truth.spence,
        (1e-8, 0.3, 0.9999, 1.0000001, 1.4, 1.6, 3.0, 1e5),
        (8, 4, 6),
    ),
    Row(
        "np.sinc",
        lambda _, x: np.sinc(x),
        mp.sincpi,
        (1e-160, -1e-20, 1e-9, -1e-5, 0.01, 0.3, -0.6, 1.3, 2.25),
        (4, 8, 24),
        "π times a number is rounded",
    ),
    # SciPy's
    _scipy("erfcx", (), truth.erfcx, (-5.0, -0.5, 1e-8, 0.3, 3.0, 30.0, 300.0), (12, 8, 8)),
    _scipy("erfi", (), mp.erfi, (-5.0, 1e-8, 0.3, 3.0, 20.0), (8, 4, 4)),
    _scipy("log_ndtr", (), truth.log_normal_cdf, (-60.0, -8.0, -0.9, 1e-8, 1.0, 8.0), (8, 8, 8)),
    _scipy(
        "exprel", (), truth.exprel, (-50.0, -9.0, -1e-8, 1e-8, 0.3, 9.9, 10.1, 300.0), (8, 8, 8)
    ),
    _scipy("exp1", (), mp.e1, (1e-8, 0.3, 3.0, 50.0), (20, 4, 4)),
    _scipy("expn", (3,), lambda x: mp.expint(3, x), (0.3, 1.0, 3.0, 50.0), (12, 12, 20)),
    _scipy("gamma", (), mp.gamma, (1e-8, 0.3, 1.4, 5.5, 20.3, 170.2), (12, 16, 16)),
    _scipy("wrightomega", (), truth.wright_omega, (-30.0, -1.0, 1e-8, 2.0, 1e3), (12, 12, 12)),
    _scipy("ellipk", (), mp.ellipk, (-100.0, -0.5, 1e-8, 0.3, 0.9, 0.999999), (8, 24, 24)),
    _scipy("ellipe", (), mp.ellipe, (-100.0, -0.5, 1e-8, 0.3, 0.9, 0.999999), (8, 24, 24)),
    _scipy(
        "jv", (0.5,), lambda x: mp.besselj(0.5, x), (0.3, 1.0, 5.0, 12.0), (300, 150, 200), PHASE
    ),
    _scipy(
        "kv",
        (2.25,),
        lambda x: mp.besselk(2.25, x),
        (1e-3, 0.3, 3.0, 50.0, 650.0),
        (700, 700, 700),
        "exp(-x) rounds x",
    ),
    _scipy(
        "hyp2f1",
        (0.5, 1.5, 2.5),
        lambda x: mp.hyp2f1(0.5, 1.5, 2.5, x),
        (-2.5, 1e-8, 0.3, 0.9),
        (16, 32, 32),
    ),
    _scipy(
        "hyp1f1", (0.5, 1.5), lambda x: mp.hyp1f1(0.5, 1.5, x), (-5.0, 1e-8, 0.3, 9.0), (16, 16, 16)
    ),
    _scipy(
        "eval_legendre", (7,), lambda x: mp.legendre(7, x), (-0.9, 0.3, 1.0, 2.5), (32, 130, 32)
    ),
    *[
        Row(
            f"scipy.special.{name} of {of}",
            lambda _, x, y, name=name: getattr(special, name)(x, y),
            truth_of,
            ((0.3, 2.0), (7.5, 1e-6), (1e5, 0.5), (20.0, 30.0)),
            bounds,
            "SciPy's error",
            k,
        )
        for name, truth_of, *both in _OF_TWO_GAMMAS
        for k, (of, bounds) in enumerate(zip("ab", both, strict=True))
    ],
    # functions of two
    Row(
        "np.hypot of x",
        lambda _, x, y: np.hypot(x, y),
        mp.hypot,
        ((1e-8, 1.0), (0.3, -2.5), (30.0, 1.0), (1e8, 1.0), (1e200, 1e190)),
        (4, 4, 8),
    ),
    _several("pow", "xy", 0, mp.power, POWERS, (4, 4, 4)),
    _several("pow", "xy", 1, mp.power, POWERS, (4, 4, 4)),
    _several("atan2", "yx", 0, mp.atan2, ANGLES, (4, 4, 4)),
    _several("atan2", "yx", 1, mp.atan2, ANGLES, (4, 4, 4)),
    _several("math.xlogy", "xy", 0, truth.xlogy, LOGS, (4, 4, 4)),
    _several("math.xlogy", "xy", 1, truth.xlogy, LOGS, (4, 4, 4)),
    _several("math.xlog1py", "xy", 0, truth.xlog1py, NEAR, (4, 4, 4)),
    _several("math.xlog1py", "xy", 1, truth.xlog1py, NEAR, (4, 4, 4)),
    _several("math.xdivy", "xy", 0, truth.quotient, PAIRS, (4, 4, 4)),
    _several("math.xdivy", "xy", 1, truth.quotient, PAIRS, (4, 4, 4)),
    _several("math.divide_no_nan", "xy", 1, truth.quotient, PAIRS, (4, 4, 4)),
    _several("math.squared_difference", "xy", 0, lambda x, y: (x - y) ** 2, PAIRS, (4, 4, 4)),
    # compositions
    Row(
        "expm1(x)/x",
        lambda tf, x: tf.math.expm1(x) / x,
        lambda x: mp.expm1(x) / x,
        (1e-4, 0.3),
        (4, 300, 2000000000),
        QUOTIENT,
    ),
    Row(
        "reduce_logsumexp",
        lambda tf, x: tf.reduce_logsumexp(tf.stack([x, 0 * x])),
        truth.softplus,
        (-1.0, 0.3, 9.0),
        (4, 4, 4000),
        SUM,
    ),
]

EXACT = {
    "abs",
    "add",
    "divide",
    "identity",
    "math.conj",
    "math.floormod",
    "math.mod",
    "math.multiply_no_nan",
    "math.real",
    "math.reciprocal_no_nan",
    "maximum",
    "minimum",
    "multiply",
    "negative",
    "nn.leaky_relu",
    "nn.relu",
    "nn.relu6",
    "nn.selu",
    "sign",
    "subtract",
    "truediv",
}
"""Functions that are one rounding of arithmetic, or of a function above, and need no row."""
