"""How the functions of `functions/families.py` are computed: slopes by what keeps their digits."""

from __future__ import annotations

from math import comb, factorial
from typing import Any

import numpy as np

from symtape.kernels.special.gaussian import exp_of_square, upper_tail
from symtape.kernels.special.integrals import TAIL, gauss
from symtape.kernels.special.scipy_functions import special

Array = Any
"""A NumPy array."""

_ROOT_PI = 1.772453850905516
_ROOT_HALF = 0.7071067811865476

# --- the Gaussian and its integrals ---------------------------------------------------------------


def scaled_erfc(k: Array, x: Array) -> Array:
    """Give the k-th derivative of exp(x²) erfc(x).

    It is 2/√π times the integral of (-2t)ᵏ exp(-t² - 2xt) over t ≥ 0. Below 0, its terms by the two
    orders before have one sign, f⁽ⁿ⁺¹⁾ = 2x f⁽ⁿ⁾ + 2n f⁽ⁿ⁻¹⁾.
    """
    order = int(k)
    if order == 0:
        return special.erfcx(x)
    below, last = np.minimum(x, 0), special.erfcx(np.minimum(x, 0))
    found = 2 * below * last - 2 / _ROOT_PI
    for n in range(1, order):
        found, last = 2 * below * found + 2 * n * last, found
    return np.where(x < 0, found, _half_moment(order, np.maximum(x, 0)))


def _half_moment(order: int, x: Array) -> Array:
    """Integrate 2/√π (-2t)ⁿ exp(-t² - 2xt) over t ≥ 0, for x ≥ 0."""
    nodes, weights = gauss(4)
    end = (TAIL + 2 * order) / (x + np.sqrt(x * x + TAIL + 2 * order))
    t = end[..., None] * nodes
    inner = (-2 * t) ** order * np.exp(-t * (t + 2 * x[..., None]))
    return 2 / _ROOT_PI * end * (inner @ weights)


def log_normal_cdf(x: Array) -> Array:
    """Give log Φ(x), above 0 by the tail 1 - Φ(x)."""
    above = x > 0
    found = np.asarray(special.log_ndtr(np.where(above, 0, x)))
    if np.any(above):
        high = x[above]
        found[above] = np.log1p(-upper_tail(-0.5, high, _ROOT_HALF * high) / 2)
    return found


def log_normal_cdf_slope(k: Array, x: Array) -> Array:
    """Give the k-th derivative of log Φ(x), of which the first is √(2/π)/erfcx(-x/√2).

    Above 0 each follows from those before, by h' = -h (x + h). Below 0, log Φ(x) + x²/2 is the
    logarithm of the integral of exp(xt - t²/2) over t ≥ 0, so its derivatives are cumulants of what
    has that density.
    """
    order = int(k)
    above = exp_of_square(-0.5, x) * _ROOT_HALF / _ROOT_PI / special.ndtr(x)
    hazard = np.where(x < -1, np.sqrt(2 / np.pi) / special.erfcx(-_ROOT_HALF * x), above)
    if order == 1:
        return hazard
    above, below = np.maximum(x, 0), np.minimum(x, 0)
    found = [np.where(x < 0, np.sqrt(2 / np.pi), hazard)]
    for n in range(order - 1):
        beyond = [above + found[0], 1 + found[1] if n else 0, *found[2:]]
        found.append(-sum(comb(n, j) * found[j] * beyond[n - j] for j in range(n + 1)))
    square = 1 if order == 2 else 0
    return np.where(x < 0, _half_cumulant(order, below) - square, found[-1])


def _half_cumulant(order: int, x: Array) -> Array:
    """Give a cumulant, from the second, of what has the density exp(xt - t²/2) on t ≥ 0."""
    nodes, weights = gauss(4)
    end = 2 * (TAIL + order) / (-x + np.sqrt(x * x + 2 * (TAIL + order)))
    t = end[..., None] * nodes
    density = np.exp(-t * (t / 2 - x[..., None]))
    total = density @ weights
    away = t - ((t * density) @ weights / total)[..., None]
    central = [1.0, 0.0, *[(away**n * density) @ weights / total for n in range(2, order + 1)]]
    cumulants = [0.0, 0.0]
    for n in range(2, order + 1):
        less = sum(comb(n - 1, m - 1) * cumulants[m] * central[n - m] for m in range(2, n))
        cumulants.append(central[n] - less)
    return cumulants[order]


# --- other integrals of elementary functions ------------------------------------------------------


def exp_mean(k: Array, x: Array) -> Array:
    """Give the k-th derivative of (exp(x) - 1)/x, the integral of tᵏ exp(xt) from 0 to 1.

    Far from 0 each follows from the one before, x f⁽ᵏ⁾ + k f⁽ᵏ⁻¹⁾ = exp(x).
    """
    order = int(k)
    if order == 0:
        return special.exprel(x)
    near = np.abs(x) <= 10 + order
    small, far = np.where(near, x, 0), np.where(near, 1, x)
    nodes, weights = gauss(2)
    inner = (nodes**order * np.exp(small[..., None] * nodes)) @ weights
    found = special.exprel(far)
    for n in range(1, order + 1):
        found = np.where(far == np.inf, np.inf, np.exp(far) / far - n * found / far)
    return np.where(near, inner, found)


def exp_integral(n: Array, x: Array) -> Array:
    """Give the integral of exp(-xt)/tⁿ from 1 on; for n ≤ 0 it is elementary, of one sign."""
    order = int(n)
    if order > 0:
        return special.exp1(x) if order == 1 else special.expn(order, x)
    total = np.ones_like(x)
    for j in range(1, 1 - order):
        total = 1 + total * j / x
    found = np.exp(-x) / x * total
    return np.where(x < 0, np.nan, np.where(x == 0, np.inf, np.where(x == np.inf, 0, found)))


# --- solutions of w exp(w) = x --------------------------------------------------------------------


def lambert_w(branch: Array, x: Array) -> Array:
    """Give Lambert's function where it is real, else nan."""
    found = special.lambertw(x, int(branch))
    return np.where(found.imag == 0, found.real, np.nan)


def omega_slope(x: Array) -> Array:
    """Give w/(1 + w) for w + log(w) = x."""
    w = special.wrightomega(x)
    return np.where(w == np.inf, 1, w / (1 + w))


# --- complete elliptic integrals ------------------------------------------------------------------


def elliptic_k(k: Array, p: Array) -> Array:
    """Give the k-th derivative of K(m) in m, at m = 1 - p.

    K is π/2 ₂F₁(½, ½; 1; m); a derivative raises all parameters, and Euler's transformation takes
    out (1 - m)ᵏ, so that what is left has no pole.
    """
    order = int(k)
    if order == 0:
        return special.ellipkm1(p)
    rest = special.hyp2f1(0.5, 0.5, 1 + order, 1 - p)
    return np.pi / 2 * _raised(0.5, order) ** 2 / factorial(order) * rest / p**order


def elliptic_e(k: Array, p: Array) -> Array:
    """Give the k-th derivative of E(m) in m, at m = 1 - p, where E is π/2 ₂F₁(-½, ½; 1; m)."""
    order = int(k)
    if order == 0:
        return special.ellipe(1 - p)
    if order == 1:  # (E - K)/(2m) cancels where m is small alone
        near = (special.ellipe(1 - p) - special.ellipkm1(p)) / (2 * (1 - np.minimum(p, 0.5)))
        return np.where(p < 0.5, near, -np.pi / 8 * special.hyp2f1(1.5, 0.5, 2, 1 - p))
    rest = special.hyp2f1(1.5, 0.5, 1 + order, 1 - p)
    scale = np.pi / 2 * _raised(-0.5, order) * _raised(0.5, order) / factorial(order)
    return scale * rest / p ** (order - 1)


def _raised(x: float, n: int) -> float:
    """Give x (x + 1) ⋯ (x + n - 1)."""
    found = 1.0
    for j in range(n):
        found *= x + j
    return found


FUNCTIONS = (
    scaled_erfc, log_normal_cdf, log_normal_cdf_slope, exp_mean, exp_integral, lambert_w,
    omega_slope, elliptic_k, elliptic_e,
)  # fmt: skip

OF_SCIPY = {
    "erfi": "erfi",
    "box_cox": "boxcox",
    "box_cox1p": "boxcox1p",
    "inverse_box_cox": "inv_boxcox",
    "inverse_box_cox1p": "inv_boxcox1p",
    "pseudo_huber": "pseudo_huber",
    "gamma": "gamma",
    "rising": "poch",
    "binomial": "binom",
    "omega": "wrightomega",
    "confluent_limit": "hyp0f1",
    "confluent": "hyp1f1",
    "hypergeometric": "hyp2f1",
}
"""What SciPy calls functions that it computes as they are."""

OF_DEGREE = {
    "spherical_j": "spherical_jn",
    "spherical_y": "spherical_yn",
    "legendre": "eval_legendre",
    "chebyshev_t": "eval_chebyt",
    "chebyshev_u": "eval_chebyu",
    "gegenbauer": "eval_gegenbauer",
    "jacobi": "eval_jacobi",
    "laguerre": "eval_genlaguerre",
    "hermite": "eval_hermite",
    "hermite_of_normal": "eval_hermitenorm",
}
"""The same of an order or a degree, which is an integer: SciPy takes recurrences then."""

ONE_OF_SEVERAL = {
    "sine_integral": ("sici", 0),
    "cosine_integral": ("sici", 1),
    "airy_ai": ("airy", 0),
    "airy_ai_slope": ("airy", 1),
    "airy_bi": ("airy", 2),
    "airy_bi_slope": ("airy", 3),
}
"""What is one of several results of a function of SciPy's, and which."""
