"""How special functions are computed: by SciPy, or here where that loses digits.

Every function computes in double precision and gives the dtype of its operands; those of the
Gaussian have tables in single precision for many numbers that have no more digits. The bounds on
their errors are in `tests/accuracy.py`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import cache, wraps
from types import SimpleNamespace
from typing import Any

import mpmath
import numpy as np

from symtape.kernels.special import error_function, families, gammas, integrals, single
from symtape.kernels.special.gaussian import exp_of_square, square_and_rest, upper_tail
from symtape.kernels.special.scipy_functions import special

Array = Any
"""A NumPy array or scalar."""

NAMESPACE = SimpleNamespace()
"""What generated code calls `special`."""


def _double(x: Any) -> type[np.inexact[Any]]:
    return np.complex128 if np.iscomplexobj(x) else np.float64


def in_double(
    function: Callable[..., Array], single: Callable[..., Array] | None = None
) -> Callable[..., Array]:
    """Compute in double precision, and give the dtype of the last operand that is no bare number.

    `single` computes what many numbers are that all have fewer digits, in single precision.
    """

    @wraps(function)
    def run(*operands: Any) -> Array:
        dtypes = [x.dtype for x in operands if hasattr(x, "dtype")]
        if single is not None and dtypes and _are_many_short(operands, dtypes):
            found = single(*[np.asarray(x, np.float32) for x in operands])
        else:
            found = function(*[np.asarray(x, _double(x)) for x in operands])
        return np.asarray(found).astype(dtypes[-1] if dtypes else np.float64, copy=False)[()]

    setattr(NAMESPACE, function.__name__, run)
    return run


_MANY = 4096
"""From so many numbers on, a table is faster than SciPy's branches."""


def _are_many_short(operands: Sequence[Any], dtypes: Sequence[np.dtype[Any]]) -> bool:
    return max([d.itemsize for d in dtypes]) <= 4 and max(map(np.size, operands)) >= _MANY


def _from_scipy(name: str, scipy_name: str, part: int | None = None) -> None:
    def function(*operands: Array) -> Array:
        found = getattr(special, scipy_name)(*operands)
        return found if part is None else found[part]

    function.__name__ = name
    in_double(function)


def _of_degree(name: str, scipy_name: str) -> None:
    def function(n: Array, *operands: Array) -> Array:
        return getattr(special, scipy_name)(int(n) if n == int(n) else n, *operands)

    function.__name__ = name
    in_double(function)


def erf(x: Array) -> Array:
    """Give the error function."""
    if x.ndim == 0:
        return math.erf(x)
    return special.erf(x) if x.size < _MANY else error_function.erf(x)


for _name, _scipy_name in {
    "erfinv": "erfinv",
    "erfcinv": "erfcinv",
    "expint": "expi",
    "spence": "spence",
    "igammac": "gammaincc",
    "normal_quantile": "ndtri",
    "bessel_i0e": "i0e",
    "bessel_i1e": "i1e",
    "bessel_k0e": "k0e",
    "bessel_k1e": "k1e",
    **families.OF_SCIPY,
}.items():
    _from_scipy(_name, _scipy_name)
for _name, (_scipy_name, _part) in families.ONE_OF_SEVERAL.items():
    _from_scipy(_name, _scipy_name, _part)
for _name, _scipy_name in families.OF_DEGREE.items():
    _of_degree(_name, _scipy_name)


@in_double
def igamma(a: Array, x: Array) -> Array:
    """Give P(a, x), which is 0 at x = 0 for any a."""
    return np.where(x == 0, 0.0, special.gammainc(a, x))


@in_double
def betainc(a: Array, b: Array, x: Array) -> Array:
    """Give I(a, b, x), with its limits where a or b is 0 or infinite."""
    found = special.betainc(a, b, x)
    at_zero, at_one = (a == 0) | np.isposinf(b), (b == 0) | np.isposinf(a)
    if not np.any(at_zero | at_one):
        return found
    is_limit = (at_zero != at_one) & (a >= 0) & (b >= 0) & (x >= 0) & (x <= 1)
    return np.where(is_limit, np.where((x > 0) & (x < 1), at_zero, x), found)


# --- the Gaussian ---------------------------------------------------------------------------------


def gaussian(c: Array, x: Array) -> Array:
    """Give exp(c x²), for c = -1, -1/2 and 1."""
    return exp_of_square(c, x)


def erfc(x: Array) -> Array:
    """Give 1 - erf(x)."""
    return upper_tail(-1, x, x)


_ROOT_HALF = 0.7071067811865476


def normal_cdf(x: Array) -> Array:
    """Give the distribution function of the standard normal."""
    return 0.5 * upper_tail(-0.5, x, np.asarray(-_ROOT_HALF * x))


in_double(erf, single.erf)
in_double(gaussian, single.exp_of_square)
in_double(erfc, single.erfc)
in_double(normal_cdf, single.normal_cdf)


def _over_mills(scale: float, y: Array, tail: Array) -> Array:
    """Give scale·exp(y²), which is scale·erfcx(y) over erfc(y), known to be `tail`."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(tail == 0, scale * np.inf, scale * special.erfcx(np.abs(y)) / tail)


@in_double
def erfinv_slope(x: Array) -> Array:
    """Give √π/2·exp(erfinv(x)²)."""
    return _over_mills(0.886226925452758, special.erfinv(x), 1 - np.abs(x))


@in_double
def erfcinv_slope(x: Array) -> Array:
    """Give -√π/2·exp(erfcinv(x)²)."""
    return _over_mills(-0.886226925452758, special.erfcinv(x), np.minimum(x, 2 - x))


@in_double
def normal_quantile_slope(p: Array) -> Array:
    """Give √(2π)·exp(ndtri(p)²/2)."""
    tail = np.minimum(p, 1 - p)
    return _over_mills(1.2533141373155003, _ROOT_HALF * special.ndtri(p), tail)


# --- oscillations of x² ---------------------------------------------------------------------------


def _quarter_turns(x: Array) -> tuple[Array, Array]:
    """Split x²π/2 into whole quarter turns and a rest, without a rounding of x²."""
    square, rest = square_and_rest(x)
    turns = np.fmod(square, 4)
    whole = np.rint(turns + rest)
    return np.mod(whole, 4), (np.pi / 2) * ((turns - whole) + rest)


@in_double
def cos_of_square(x: Array) -> Array:
    """Give cos(πx²/2), exact at its zeros."""
    whole, rest = _quarter_turns(x)
    return _turned(whole, np.cos(rest), np.sin(rest))


@in_double
def sin_of_square(x: Array) -> Array:
    """Give sin(πx²/2), exact at its zeros."""
    whole, rest = _quarter_turns(x)
    return _turned(whole, np.sin(rest), -np.cos(rest))


def _turned(whole: Array, first: Array, second: Array) -> Array:
    """Give `first`, -`second`, -`first` or `second` after 0, 1, 2 or 3 quarter turns."""
    return np.where(whole % 2 == 0, first, -second) * np.where(whole >= 2, -1, 1)


@in_double
def fresnel_cos(x: Array) -> Array:
    """Give the integral of cos(πt²/2) from 0 to x."""
    return special.fresnel(np.clip(x, -_FAR, _FAR))[1]


@in_double
def fresnel_sin(x: Array) -> Array:
    """Give the integral of sin(πt²/2) from 0 to x."""
    return special.fresnel(np.clip(x, -_FAR, _FAR))[0]


_FAR = 1e100
"""Where the integrals have long reached their limits, and x² is no infinity yet."""


# --- the gamma function ---------------------------------------------------------------------------


@cache
def zeta_less_one() -> list[float]:
    """Tabulate (ζ(k) - 1)/k with alternating signs, from k = 2."""
    context = mpmath.MPContext()
    context.dps = 30
    return [float((-1) ** k * (context.zeta(k) - 1) / k) for k in range(2, 27)]


@in_double
def lgamma(x: Array) -> Array:
    """Give log|Γ(x)|, by its series where it vanishes, at 1 and 2."""
    found = np.asarray(special.gammaln(np.where(x == -np.inf, np.inf, x)))
    near = (x > 0.5) & (x < 2.5)
    if np.any(near):
        found[near] = _lgamma_near(x[near])
    return found


def _lgamma_near(x: Array) -> Array:
    below = x < 1.5
    u = x - np.where(below, 1, 2)
    total = np.zeros_like(u)
    for coefficient in reversed(zeta_less_one()):
        total = total * u + coefficient
    total = u * (0.42278433509846713 + u * total)  # 1 less Euler's constant
    return np.where(below, total - np.log1p(u), total)


def _at_pole(x: Array) -> Array:
    return (x <= 0) & (x == np.floor(x))


def _psi(x: Array) -> Array:
    """Give digamma, near a pole below 0 by ψ(1 - x) - π cot(πx), where SciPy rounds x + n."""
    away = x - np.rint(x)
    near = (x < 0) & (np.abs(away) < 0.1) & (away != 0)
    if not np.any(near):
        return special.psi(x)
    cotangent = np.pi / np.tan(np.pi * np.where(near, away, 0.25))
    return np.where(near, special.psi(1 - x) - cotangent, special.psi(x))


@in_double
def polygamma(n: Array, x: Array) -> Array:
    """Give the n-th derivative of digamma; there is none unless n is 0, 1, 2, …"""
    if np.ndim(n) == 0 and n == 0 and np.all(x > 0):  # what most formulas ask for
        return special.psi(x)
    n, x = np.broadcast_arrays(n, x)
    pole = _at_pole(x)
    order = np.where((n >= 0) & (n == np.floor(n)), n, np.nan)
    if np.all(order == 0):
        return np.where(pole, np.nan, _psi(x))
    even = order % 2 == 0
    with np.errstate(all="ignore"):
        found = np.where(even, -1, 1) * special.gamma(order + 1) * special.zeta(order + 1, x)
    found = np.where(pole & even, np.nan, found)
    return np.where(order == 0, np.where(pole, np.nan, _psi(x)), found)


_ONE_TERM = 1000.0
"""An exponent above which the first term is all of the sum, or all are 0 in double precision."""


def _zeta(s: Array, q: Array) -> Array:
    found = np.where(s == 1, np.inf, special.zeta(s, q))
    alone = np.isnan(found) & (s > _ONE_TERM) & (q > 0)
    found = np.where(alone, q ** -np.where(alone, s, 0), found)
    infinite = (s == 1) | np.isinf(s)
    return np.where(_at_pole(q) & (s % 2 != 0) & ~infinite, np.nan, found)


@in_double
def zeta(s: Array, q: Array) -> Array:
    """Give the sum of (q + n)^-s; at a pole of odd order there is none."""
    return _zeta(s, q)


@in_double
def zeta_slope(s: Array, q: Array) -> Array:
    """Give the slope of `zeta` in q."""
    return -s * _zeta(s + 1, q)


# --- Bessel functions -----------------------------------------------------------------------------


def _bessel(letter: str, orders: str) -> None:
    """Make a function of the order and of x: the first two orders have functions of their own."""

    def function(n: Array, x: Array) -> Array:
        order = float(n)
        if order in {0, 1}:
            return getattr(special, f"{letter}{int(order)}")(x)
        whole = order == int(order) and order >= 0
        if letter == "k":  # kn is 0 from 697 on
            near = special.kn(int(order), x) if whole else special.kv(order, x)
            far = special.kve(order, np.minimum(x, 1000.0)) * np.exp(-x)
            return np.where(x < 600, near, far)
        if letter == "i":  # iv is nan where its value is too small
            x = np.where(np.abs(x) < 1e-170, 0.0, x)
        return getattr(special, orders if whole else f"{letter}v")(order, x)

    function.__name__ = f"bessel_{letter}"
    in_double(function)


for _letter, _orders in {"j": "jv", "y": "yn", "i": "iv", "k": "kn"}.items():
    _bessel(_letter, _orders)


for _function in (
    integrals.gamma_density,
    integrals.igamma_derivative,
    integrals.beta_density,
    integrals.i_decay,
    integrals.k_decay,
    integrals.dawson,
    integrals.sine_quotient,
    integrals.log_quotient,
    *families.FUNCTIONS,
    *gammas.FUNCTIONS,
):
    in_double(_function)
