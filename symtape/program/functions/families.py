"""Special functions that SciPy has and TensorFlow lacks, in families closed under derivatives.

As in `special.py`, slopes that would cancel are functions of their own, of how many derivatives
were taken, and `kernels/special/families.py` says how each is computed. The rules are those of the
NIST Digital Library of Mathematical Functions: 4.13 (Lambert's function), 5.2 and 5.12 (gamma and
beta functions), 6.2 (integrals of sine and cosine), 7.10 (error functions), 8.19 (exponential
integrals), 9.2 (Airy functions), 10.51 (spherical Bessel functions), 13.3, 15.5 and 16.3
(hypergeometric functions), 18.9 (orthogonal polynomials), 19.2 (elliptic integrals).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import sympy as sp

from symtape.program.functions.frameworks import hypotenuse
from symtape.program.functions.scalar import Kind, Slope, log1p, power
from symtape.program.functions.special import (
    KINDS,
    by_order,
    family,
    gaussian,
    log_quotient,
    no_slope,
    polygamma,
    sine_quotient,
)


def of_numbers(
    name: str,
    definition: Callable[..., Any],
    *slopes: Slope,
    numbers: int = 1,
    **settings: Any,
) -> Kind:
    """Make a function whose first arguments are numbers: orders, degrees, shapes."""
    fixed = tuple(range(numbers))
    return family(name, definition, *[no_slope] * numbers, *slopes, fixed=fixed, **settings)


# --- the Gaussian and its integrals ---------------------------------------------------------------
erfi: Kind = family("erfi", lambda x: sp.erfi(x), lambda x: 2 * gaussian(1, x) / sp.sqrt(sp.pi))
scaled_erfc: Kind = of_numbers(  # the k-th derivative of exp(x²) erfc(x)
    "scaled_erfc",
    lambda k, x: by_order(lambda t: sp.exp(t**2) * sp.erfc(t), k, x),
    lambda k, x: scaled_erfc(k + 1, x),
)


def _log_cdf(x: Any) -> Any:
    return sp.log((1 + sp.erf(x / sp.sqrt(2))) / 2)


def _log_tail(x: Any) -> Any:
    """Write the same for values at points, where 1 + erf(x) would cancel."""
    return sp.log(sp.erfc(-x / sp.sqrt(2)) / 2)


log_normal_cdf: Kind = family(
    "log_normal_cdf", _log_cdf, lambda x: log_normal_cdf_slope(1, x), convention=_log_tail
)
log_normal_cdf_slope: Kind = of_numbers(  # the k-th derivative, from the first
    "log_normal_cdf_slope",
    lambda k, x: by_order(_log_cdf, k, x),
    lambda k, x: log_normal_cdf_slope(k + 1, x),
    convention=lambda k, x: by_order(_log_tail, k, x),
)

# --- other integrals of elementary functions ------------------------------------------------------


def _exp_mean(k: Any, x: Any) -> Any:
    return by_order(lambda t: (sp.exp(t) - 1) / t, k, x)


exp_mean: Kind = of_numbers(  # the k-th derivative of (exp(x) - 1)/x
    "exp_mean",
    _exp_mean,
    lambda k, x: exp_mean(k + 1, x),
    convention=lambda k, x: sp.Piecewise(
        (1 / (k + sp.S.One), sp.Eq(x, 0)), (_exp_mean(k, x), True)
    ),
)
box_cox: Kind = family(
    "box_cox",
    lambda x, p: (x**p - 1) / p,
    lambda x, p: power(x, p - 1),
    lambda x, p: sp.log(x) ** 2 * exp_mean(1, p * sp.log(x)),
)
box_cox1p: Kind = family(
    "box_cox1p",
    lambda x, p: ((1 + x) ** p - 1) / p,
    lambda x, p: power(1 + x, p - 1),
    lambda x, p: log1p(x) ** 2 * exp_mean(1, p * log1p(x)),
)
inverse_box_cox: Kind = family(  # the logarithm of which is y log(1 + p y)/(p y)
    "inverse_box_cox",
    lambda y, p: (1 + p * y) ** (1 / p),
    lambda y, p: inverse_box_cox(y, p) / (1 + p * y),
    lambda y, p: inverse_box_cox(y, p) * y**2 * log_quotient(1, 1 + p * y),
)
inverse_box_cox1p: Kind = family(
    "inverse_box_cox1p",
    lambda y, p: (1 + p * y) ** (1 / p) - 1,
    lambda y, p: inverse_box_cox(y, p) / (1 + p * y),
    lambda y, p: inverse_box_cox(y, p) * y**2 * log_quotient(1, 1 + p * y),
)
pseudo_huber: Kind = family(
    "pseudo_huber",
    lambda d, r: d**2 * (sp.sqrt(1 + (r / d) ** 2) - 1),
    lambda d, r: (r**2 / (hypotenuse(d, r) + d)) ** 2 / hypotenuse(d, r),
    lambda d, r: d * r / hypotenuse(d, r),
)
exp_integral: Kind = of_numbers(  # of a whole order, which may be below 0
    "exp_integral",
    lambda n, x: sp.expint(n, x),
    lambda n, x: -exp_integral(n - 1, x),
)
sine_integral: Kind = family("sine_integral", lambda x: sp.Si(x), lambda x: sine_quotient(0, x))
cosine_integral: Kind = family("cosine_integral", lambda x: sp.Ci(x), lambda x: sp.cos(x) / x)

# --- the gamma function ---------------------------------------------------------------------------
gamma: Kind = family("gamma", lambda x: sp.gamma(x), lambda x: gamma(x) * polygamma(0, x))


def _log_gamma(x: Any) -> Any:
    return sp.log(sp.Abs(sp.gamma(x)))


polygamma_less: Kind = of_numbers(  # what polygamma loses from a to a + b
    "polygamma_less",
    lambda n, a, b: sp.polygamma(n, a) - sp.polygamma(n, a + b),
    lambda n, a, b: polygamma_less(n + 1, a, b),
    lambda n, a, b: -polygamma(n + 1, a + b),
)
beta: Kind = family(
    "beta",
    lambda a, b: sp.gamma(a) * sp.gamma(b) / sp.gamma(a + b),
    lambda a, b: beta(a, b) * polygamma_less(0, a, b),
    lambda a, b: beta(a, b) * polygamma_less(0, b, a),
)
log_beta: Kind = family(
    "log_beta",
    lambda a, b: _log_gamma(a) + _log_gamma(b) - _log_gamma(a + b),
    lambda a, b: polygamma_less(0, a, b),
    lambda a, b: polygamma_less(0, b, a),
)
rising: Kind = family(
    "rising",
    lambda x, m: sp.gamma(x + m) / sp.gamma(x),
    lambda x, m: -rising(x, m) * polygamma_less(0, x, m),
    lambda x, m: rising(x, m) * polygamma(0, x + m),
)
binomial: Kind = family(
    "binomial",
    lambda n, k: sp.gamma(n + 1) / (sp.gamma(k + 1) * sp.gamma(n - k + 1)),
    lambda n, k: -binomial(n, k) * polygamma_less(0, n - k + 1, k),
    lambda n, k: -binomial(n, k) * polygamma_less(0, k + 1, n - 2 * k),
)

# --- solutions of w exp(w) = x --------------------------------------------------------------------
lambert_w: Kind = of_numbers(  # on the main branch, or on that of -1
    "lambert_w",
    lambda branch, x: sp.LambertW(x, branch),
    lambda branch, x: sp.exp(-lambert_w(branch, x)) / (1 + lambert_w(branch, x)),
)
omega: Kind = family(  # of w + log(w) = x
    "omega", lambda x: sp.LambertW(sp.exp(x)), lambda x: omega_slope(x)
)
omega_slope: Kind = family(  # whose quotient rule would cancel
    "omega_slope",
    lambda x: sp.LambertW(sp.exp(x)) / (1 + sp.LambertW(sp.exp(x))),
    lambda x: omega_slope(x) / (1 + omega(x)) ** 2,
)

# --- Airy functions: solutions of y'' = x y -------------------------------------------------------
airy_ai: Kind = family("airy_ai", lambda x: sp.airyai(x), lambda x: airy_ai_slope(x))
airy_ai_slope: Kind = family("airy_ai_slope", lambda x: sp.airyaiprime(x), lambda x: x * airy_ai(x))
airy_bi: Kind = family("airy_bi", lambda x: sp.airybi(x), lambda x: airy_bi_slope(x))
airy_bi_slope: Kind = family("airy_bi_slope", lambda x: sp.airybiprime(x), lambda x: x * airy_bi(x))


# --- spherical Bessel functions of whole order ----------------------------------------------------
def _between(kind: Callable[..., Any], n: Any, x: Any) -> Any:
    """Write a slope by the orders below and above, which needs no division by x."""
    below = n * kind(n - 1, x) if n != 0 else 0
    return (below - (n + 1) * kind(n + 1, x)) / (2 * n + 1)


spherical_j: Kind = of_numbers(
    "spherical_j",
    lambda n, x: sp.jn(n, x),
    lambda n, x: _between(spherical_j, n, x),
)
spherical_y: Kind = of_numbers(
    "spherical_y",
    lambda n, x: sp.yn(n, x),
    lambda n, x: _between(spherical_y, n, x),
)

# --- hypergeometric functions, of parameters that are numbers -------------------------------------
confluent_limit: Kind = of_numbers(
    "confluent_limit",
    lambda b, x: sp.hyper([], [b], x),
    lambda b, x: confluent_limit(b + 1, x) / b,
)
confluent: Kind = of_numbers(
    "confluent",
    lambda a, b, x: sp.hyper([a], [b], x),
    lambda a, b, x: a * confluent(a + 1, b + 1, x) / b,
    numbers=2,
)
hypergeometric: Kind = of_numbers(
    "hypergeometric",
    lambda a, b, c, x: sp.hyper([a, b], [c], x),
    lambda a, b, c, x: a * b * hypergeometric(a + 1, b + 1, c + 1, x) / c,
    numbers=3,
)

# --- complete elliptic integrals, of 1 - m --------------------------------------------------------
elliptic_k: Kind = of_numbers(  # the k-th derivative in m, at m = 1 - p
    "elliptic_k",
    lambda k, p: by_order(sp.elliptic_k, k, 1 - p),
    lambda k, p: -elliptic_k(k + 1, p),
)
elliptic_e: Kind = of_numbers(
    "elliptic_e",
    lambda k, p: by_order(sp.elliptic_e, k, 1 - p),
    lambda k, p: -elliptic_e(k + 1, p),
)

# --- orthogonal polynomials of degree n -----------------------------------------------------------


def _lower(n: Any, factor: Any, below: Callable[[], Any]) -> Any:
    """Write a slope by a polynomial of one degree less, of which a constant has none."""
    return factor * below() if n != 0 else sp.S.Zero


legendre: Kind = of_numbers(
    "legendre",
    lambda n, x: sp.legendre(n, x),
    lambda n, x: _lower(n, 1, lambda: gegenbauer(n - 1, sp.Rational(3, 2), x)),
)
chebyshev_t: Kind = of_numbers(
    "chebyshev_t",
    lambda n, x: sp.chebyshevt(n, x),
    lambda n, x: _lower(n, n, lambda: chebyshev_u(n - 1, x)),
)
chebyshev_u: Kind = of_numbers(
    "chebyshev_u",
    lambda n, x: sp.chebyshevu(n, x),
    lambda n, x: _lower(n, 2, lambda: gegenbauer(n - 1, 2, x)),
)
gegenbauer: Kind = of_numbers(
    "gegenbauer",
    lambda n, a, x: sp.gegenbauer(n, a, x),
    lambda n, a, x: _lower(n, 2 * a, lambda: gegenbauer(n - 1, a + 1, x)),
    numbers=2,
)
jacobi: Kind = of_numbers(
    "jacobi",
    lambda n, a, b, x: sp.jacobi(n, a, b, x),
    lambda n, a, b, x: _lower(
        n, (n + a + b + 1) / sp.Integer(2), lambda: jacobi(n - 1, a + 1, b + 1, x)
    ),
    numbers=3,
)
laguerre: Kind = of_numbers(
    "laguerre",
    lambda n, a, x: sp.assoc_laguerre(n, a, x),
    lambda n, a, x: _lower(n, -1, lambda: laguerre(n - 1, a + 1, x)),
    numbers=2,
)
hermite: Kind = of_numbers(
    "hermite",
    lambda n, x: sp.hermite(n, x),
    lambda n, x: _lower(n, 2 * n, lambda: hermite(n - 1, x)),
)
hermite_of_normal: Kind = of_numbers(
    "hermite_of_normal",
    lambda n, x: sp.hermite_prob(n, x),
    lambda n, x: _lower(n, n, lambda: hermite_of_normal(n - 1, x)),
)

ALL: tuple[Kind, ...] = tuple(KINDS)
"""The functions that NumPy lacks, with those of `special.py`."""
