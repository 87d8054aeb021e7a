"""Special functions whose slopes keep their digits: the families are closed under derivatives.

The rules are those of the NIST Digital Library of Mathematical Functions: 7.2 and 7.10 (error
functions, Dawson's and Fresnel's integrals), 8.8 (incomplete gamma functions), 10.6 and 10.29
(Bessel functions), 25.11 (Hurwitz's zeta function). Slopes that would cancel are functions of their
own, of the number of derivatives taken. `kernels/scalar_code.py` names the NumPy functions.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

import sympy as sp

from symtape.errors import NoExactFormError
from symtape.program.functions.scalar import Kind, Slope, log1p, scalar, sign, stop

KINDS: list[Kind] = []
"""The functions that NumPy lacks; `kernels/special` has one of the same name for each."""


def family(name: str, definition: Callable[..., Any], *slopes: Slope, **settings: Any) -> Kind:
    """Make a function that `kernels/special` computes."""
    kind = scalar(name, definition, *slopes, **settings)
    KINDS.append(kind)
    return kind


def no_slope(*_: Any) -> Any:
    """Give the slope by an argument that is fixed."""
    return sp.S.Zero


def by_order(f: Callable[[Any], Any], order: Any, x: Any) -> Any:
    """Differentiate some times, then put in where."""
    at = sp.Dummy()
    return sp.diff(f(at), at, int(order)).xreplace({at: x})


# --- the Gaussian and its integrals ---------------------------------------------------------------
gaussian: Kind = family(
    "gaussian",
    lambda c, x: sp.exp(c * x**2),
    lambda c, x: x**2 * gaussian(c, x),
    lambda c, x: 2 * c * x * gaussian(c, x),
)
erf: Kind = family("erf", lambda x: sp.erf(x), lambda x: 2 * gaussian(-1, x) / sp.sqrt(sp.pi))
erfc: Kind = family(
    "erfc",
    lambda x: 1 - sp.erf(x),
    lambda x: -2 * gaussian(-1, x) / sp.sqrt(sp.pi),
    convention=lambda x: sp.erfc(x),
)
normal_cdf: Kind = family(
    "normal_cdf",
    lambda x: (1 + sp.erf(x / sp.sqrt(2))) / 2,
    lambda x: gaussian(-sp.S.Half, x) / sp.sqrt(2 * sp.pi),
    convention=lambda x: sp.Piecewise(  # 1 + erf(x) would cancel
        (sp.erfc(sp.Abs(x) / sp.sqrt(2)) / 2, x < 0), ((1 + sp.erf(x / sp.sqrt(2))) / 2, True)
    ),
)
erfinv: Kind = family("erfinv", lambda x: sp.erfinv(x), lambda x: erfinv_slope(x))
erfinv_slope: Kind = family(
    "erfinv_slope",
    lambda x: sp.sqrt(sp.pi) * sp.exp(sp.erfinv(x) ** 2) / 2,
    lambda x: 2 * erfinv(x) * erfinv_slope(x) ** 2,
)
erfcinv: Kind = family("erfcinv", lambda x: sp.erfinv(1 - x), lambda x: erfcinv_slope(x))
erfcinv_slope: Kind = family(
    "erfcinv_slope",
    lambda x: -sp.sqrt(sp.pi) * sp.exp(sp.erfinv(1 - x) ** 2) / 2,
    lambda x: 2 * erfcinv(x) * erfcinv_slope(x) ** 2,
)
normal_quantile: Kind = family(
    "normal_quantile",
    lambda p: sp.sqrt(2) * sp.erfinv(2 * p - 1),
    lambda p: normal_quantile_slope(p),
)
normal_quantile_slope: Kind = family(
    "normal_quantile_slope",
    lambda p: sp.sqrt(2 * sp.pi) * sp.exp(sp.erfinv(2 * p - 1) ** 2),
    lambda p: normal_quantile(p) * normal_quantile_slope(p) ** 2,
)
dawson: Kind = family(  # the k-th derivative
    "dawson",
    lambda k, x: by_order(lambda t: sp.sqrt(sp.pi) * sp.exp(-(t**2)) * sp.erfi(t) / 2, k, x),
    no_slope,
    lambda k, x: dawson(k + 1, x),
)
fresnel_cos: Kind = family("fresnel_cos", lambda x: sp.fresnelc(x), lambda x: cos_of_square(x))
fresnel_sin: Kind = family("fresnel_sin", lambda x: sp.fresnels(x), lambda x: sin_of_square(x))
cos_of_square: Kind = family(
    "cos_of_square",
    lambda x: sp.cos(sp.pi * x**2 / 2),
    lambda x: -sp.pi * x * sin_of_square(x),
)
sin_of_square: Kind = family(
    "sin_of_square",
    lambda x: sp.sin(sp.pi * x**2 / 2),
    lambda x: sp.pi * x * cos_of_square(x),
)

# --- the gamma function and what is left of it ----------------------------------------------------
lgamma: Kind = family("lgamma", lambda x: sp.log(sp.Abs(sp.gamma(x))), lambda x: polygamma(0, x))
polygamma: Kind = family(
    "polygamma",
    lambda n, x: sp.polygamma(n, x),
    no_slope,
    lambda n, x: polygamma(n + 1, x),
    convention=lambda n, x: sp.Piecewise(
        (sp.polygamma(n, x), sp.And(sp.Eq(n, sp.floor(n)), n >= 0)), (sp.nan, True)
    ),
    fixed=(0,),
)
zeta: Kind = family(
    "zeta", lambda s, q: sp.zeta(s, q), no_slope, lambda s, q: zeta_slope(s, q), fixed=(0,)
)
zeta_slope: Kind = family(  # no more connected to the order than the function itself
    "zeta_slope",
    lambda s, q: -s * sp.zeta(s + 1, q),
    no_slope,
    lambda s, q: stop(s * (s + 1)) * zeta(s + 2, q),
    fixed=(0,),
)
igamma: Kind = family(
    "igamma",
    lambda a, x: sp.lowergamma(a, x) / sp.gamma(a),
    lambda a, x: igamma_derivative(1, a, x),
    lambda a, x: gamma_density(a, x),
    convention=lambda a, x: sp.Piecewise(
        (0, sp.Eq(x, 0)), (sp.lowergamma(a, x) / sp.gamma(a), True)
    ),
)
igammac: Kind = family(
    "igammac",
    lambda a, x: sp.uppergamma(a, x) / sp.gamma(a),
    lambda a, x: -igamma_derivative(1, a, x),
    lambda a, x: -gamma_density(a, x),
)
gamma_density: Kind = family(
    "gamma_density",
    lambda a, x: x ** (a - 1) * sp.exp(-x) / sp.gamma(a),
    lambda a, x: gamma_density(a, x) * (sp.log(x) - polygamma(0, a)),
    lambda a, x: gamma_density(a, x) * (a - 1 - x) / x,
)
igamma_derivative: Kind = family(  # the n-th in a
    "igamma_derivative",
    lambda n, a, x: _igamma_derivative(int(n), a, x),
    no_slope,
    lambda n, a, x: igamma_derivative(n + 1, a, x),
    lambda n, a, x: gamma_density(a, x) * log_moment(int(n), sp.log(x), a),
)
betainc: Kind = family(
    "betainc",
    lambda a, b, x: sp.betainc_regularized(a, b, 0, x),
    no_slope,
    no_slope,
    lambda a, b, x: beta_density(a, b, x),
    fixed=(0, 1),
)
beta_density: Kind = family(
    "beta_density",
    lambda a, b, x: (
        x ** (a - 1) * (1 - x) ** (b - 1) * sp.gamma(a + b) / (sp.gamma(a) * sp.gamma(b))
    ),
    lambda a, b, x: beta_density(a, b, x) * (sp.log(x) - polygamma(0, a) + polygamma(0, a + b)),
    lambda a, b, x: beta_density(a, b, x) * (log1p(-x) - polygamma(0, b) + polygamma(0, a + b)),
    lambda a, b, x: beta_density(a, b, x) * ((a - 1) / x - (b - 1) / (1 - x)),
)


def log_moment(n: int, log_t: Any, a: Any) -> Any:
    """Give the n-th derivative of t^(a - 1)/Γ(a) in a, over t^(a - 1)/Γ(a): Bell's polynomial."""
    parts = [log_t - polygamma(0, a), *[-polygamma(k, a) for k in range(1, n)]]
    bell = [sp.S.One]
    for m in range(n):
        bell.append(sp.Add(*[sp.binomial(m, k) * bell[m - k] * parts[k] for k in range(m + 1)]))
    return bell[n]


def _igamma_derivative(n: int, a: Any, x: Any) -> Any:
    """Write the n-th derivative of P(a, x) in a, with hypergeometric functions.

    P(a, x) Γ(a) is the integral of tᵃ⁻¹ exp(-t) from 0 to x. Its j-th derivative has in front of
    log(x)ʲ⁻ᵏ the integral of tᵃ⁻¹ exp(-t) log(t/x)ᵏ, which term by term is
    (-1)ᵏ k! xᵃ/aᵏ⁺¹ F(a, …; a + 1, …; -x), with k + 1 of each.
    """

    def part(k: int) -> Any:
        series = sp.hyper([a] * (k + 1), [a + 1] * (k + 1), -x)
        return (-1) ** k * sp.factorial(k) * x**a / a ** (k + 1) * series

    def incomplete(j: int) -> Any:
        terms = [sp.binomial(j, k) * sp.log(x) ** (j - k) * part(k) for k in range(1, j + 1)]
        return sp.Add(sp.log(x) ** j * sp.lowergamma(a, x), *terms)

    def reciprocal(m: int) -> Any:
        return by_order(lambda t: 1 / sp.gamma(t), m, a)

    return sp.Add(*[sp.binomial(n, j) * reciprocal(n - j) * incomplete(j) for j in range(n + 1)])


# --- Bessel functions of integer order ------------------------------------------------------------
bessel_j: Kind = family(
    "bessel_j",
    lambda n, x: sp.besselj(n, x),
    no_slope,
    lambda n, x: -bessel_j(1, x) if n == 0 else (bessel_j(n - 1, x) - bessel_j(n + 1, x)) / 2,
)
bessel_y: Kind = family(
    "bessel_y",
    lambda n, x: sp.bessely(n, x),
    no_slope,
    lambda n, x: -bessel_y(1, x) if n == 0 else (bessel_y(n - 1, x) - bessel_y(n + 1, x)) / 2,
)
bessel_i: Kind = family(
    "bessel_i",
    lambda n, x: sp.besseli(n, x),
    no_slope,
    lambda n, x: bessel_i(1, x) if n == 0 else (bessel_i(n - 1, x) + bessel_i(n + 1, x)) / 2,
)
bessel_k: Kind = family(
    "bessel_k",
    lambda n, x: sp.besselk(n, x),
    no_slope,
    lambda n, x: -bessel_k(1, x) if n == 0 else -(bessel_k(n - 1, x) + bessel_k(n + 1, x)) / 2,
)


def _power(k: int, bessel: Callable[[int], Any]) -> Any:
    """Write (1 - cos t)ᵏ in cosines of multiples of t, whose integrals are Bessel functions."""
    terms = [(-1) ** j * 2 * sp.binomial(2 * k, k - j) * bessel(j) for j in range(1, k + 1)]
    return sp.Add(sp.binomial(2 * k, k) * bessel(0), *terms) / sp.Integer(2) ** k


i_decay: Kind = family(  # the k-th derivative of exp(-r) I₀(r) at r = |x|
    "i_decay",
    lambda k, x: (
        (-1) ** k * sp.exp(-sp.Abs(x)) * _power(int(k), lambda j: sp.besseli(j, sp.Abs(x)))
    ),
    no_slope,
    lambda k, x: sign(x) * i_decay(k + 1, x),
)
bessel_i0e: Kind = family(
    "bessel_i0e",
    lambda x: sp.exp(-sp.Abs(x)) * sp.besseli(0, x),
    lambda x: sign(x) * i_decay(1, x),
)
bessel_i1e: Kind = family(
    "bessel_i1e",
    lambda x: sp.exp(-sp.Abs(x)) * sp.besseli(1, x),
    lambda x: i_decay(1, x) + i_decay(2, x),
)
k_decay: Kind = family(  # the k-th derivative of exp(x) K₀(x)
    "k_decay",
    lambda k, x: sp.exp(x) * _power(int(k), lambda j: sp.besselk(j, x)),
    no_slope,
    lambda k, x: k_decay(k + 1, x),
)
bessel_k0e: Kind = family(
    "bessel_k0e", lambda x: sp.exp(x) * sp.besselk(0, x), lambda x: k_decay(1, x)
)
bessel_k1e: Kind = family(
    "bessel_k1e",
    lambda x: sp.exp(x) * sp.besselk(1, x),
    lambda x: k_decay(1, x) - k_decay(2, x),
)

# --- integrals of elementary functions ------------------------------------------------------------
exp_quotient: Kind = scalar(  # exp(x)/x - exp(x)/x² would cancel near 1 and be nan beyond 709
    "exp_quotient",
    lambda x: sp.exp(x) / x,
    lambda x: (x - 1) / x * exp_quotient(x),
)
expint: Kind = family("expint", lambda x: sp.Ei(x), lambda x: exp_quotient(x))
sine_quotient: Kind = family(  # the k-th derivative of sin(x)/x
    "sine_quotient",
    lambda k, x: by_order(sp.sinc, k, x),
    no_slope,
    lambda k, x: sine_quotient(k + 1, x),
    convention=lambda k, x: sp.Piecewise(
        (sp.cos(sp.pi * k / 2) / (k + 1), sp.Eq(x, 0)), (by_order(sp.sinc, k, x), True)
    ),
    fixed=(0,),
)
spence: Kind = family("spence", lambda x: sp.polylog(2, 1 - x), lambda x: -log_quotient(0, x))
log_quotient: Kind = family(  # the k-th derivative of log(x)/(x - 1)
    "log_quotient",
    lambda k, x: by_order(lambda t: sp.log(t) / (t - 1), k, x),
    no_slope,
    lambda k, x: log_quotient(k + 1, x),
    convention=lambda k, x: sp.Piecewise(
        ((-1) ** k * sp.factorial(k) / (k + 1), sp.Eq(x, 1)),
        (by_order(lambda t: sp.log(t) / (t - 1), k, x), True),
    ),
)

# --- floats ---------------------------------------------------------------------------------------


def _no_real_number(*_: Any) -> NoReturn:
    raise NoExactFormError(
        "nextafter is a matter of floats: what comes next depends on the dtype; numpy() has it"
    )


nextafter: Kind = scalar(
    "nextafter",
    lambda x, y: sp.Function("nextafter")(x, y),
    lambda x, y: sp.S.One,
    no_slope,
    convention=_no_real_number,
)
