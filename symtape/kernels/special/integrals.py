"""Slopes of special functions as sums and integrals of one sign, which lose no digits.

Integrals are sums over fixed nodes: the trapezoidal rule for what decays like a Gaussian or is
periodic, whose error falls exponentially (Trefethen and Weideman, *The exponentially convergent
trapezoidal rule*, SIAM Review 2014), and Gauss's rule on an interval.
"""

from __future__ import annotations

from functools import cache
from math import comb, factorial
from typing import Any

import mpmath
import numpy as np

from symtape.kernels.special.scipy_functions import special

Array = Any
"""A NumPy array."""

TAIL = 42.0
"""exp(-42) is below the last place of a float64."""


@cache
def gauss(panels: int) -> tuple[Array, Array]:
    """Give nodes and weights for an integral from 0 to 1: Gauss's, 20 to each of some panels.

    NumPy's own weights have 13 digits.
    """
    n, found = 20, []
    context = mpmath.MPContext()
    context.dps = 30
    for guess in np.polynomial.legendre.leggauss(n)[0]:
        z = context.findroot(lambda x: context.legendre(n, x), context.mpf(float(guess)))
        weight = 2 * (1 - z * z) / (n * context.legendre(n - 1, z)) ** 2
        found.append((float((z + 1) / 2), float(weight / 2)))
    nodes, weights = np.array(found).T
    starts = np.arange(panels)[:, None]
    return ((starts + nodes) / panels).ravel(), np.tile(weights / panels, panels)


# --- densities ------------------------------------------------------------------------------------


def _stirling_error(n: Array) -> Array:
    """Give log n! - log(√(2πn) (n/e)ⁿ) for n > 30 (Loader 2000)."""
    s = 1 / (n * n)
    return (1 / 12 - (1 / 360 - (1 / 1260 - (1 / 1680 - s / 1188) * s) * s) * s) / n


def _deviance(n: Array, m: Array) -> Array:
    """Give n log(n/m) + m - n, by a series where n is near m (Loader 2000)."""
    v = (n - m) / (n + m)
    near = np.abs(v) < 0.5
    small = np.where(near, v, 0)
    series = np.zeros_like(small)
    for k in range(26, 0, -1):
        series = (series + 1 / (2 * k + 1)) * small * small
    series = (n - m) * small + 2 * n * small * series
    return np.where(near, series, n * np.log(n / np.where(m == 0, 1, m)) + m - n)


def gamma_density(a: Array, x: Array) -> Array:
    """Give x^(a - 1) exp(-x)/Γ(a), which is 0 where a is 0 or infinite and x is neither."""
    a, x = np.broadcast_arrays(a, x)
    small = a < 60
    half, own = np.exp(-x / 2), np.where(small, a, 1)
    found = np.where(small, x ** (own - 1) * half / special.gamma(own) * half, 0)
    if not np.all(small):
        k = np.where(small, 60, a - 1)
        exponent = -_stirling_error(k) - _deviance(k, x)
        found = np.where(small, found, np.exp(exponent) / np.sqrt(2 * np.pi * k))
    found = np.where(np.isposinf(x) | (np.isposinf(a) & np.isfinite(x)), 0, found)
    undefined = (x < 0) | (a < 0) | ((a == 0) & (x == 0))
    return np.where(undefined, np.nan, found)


def beta_density(a: Array, b: Array, x: Array) -> Array:
    """Give x^(a - 1) (1 - x)^(b - 1)/B(a, b)."""
    a, b, x = np.broadcast_arrays(a, b, x)
    j, k, y = a - 1, b - 1, 1 - x
    lost = (1 - y) - x  # 1 - x is y + lost
    beside = np.where(y > 0, k * lost / np.where(y > 0, y, 1), 0)
    found = x**j * y**k * (1 + beside) / special.beta(a, b)
    large = (a > 30) & (b > 30)
    if np.any(large):
        j, k = np.where(large, j, 30), np.where(large, k, 30)
        n = j + k
        exponent = _stirling_error(n) - _stirling_error(j) - _stirling_error(k)
        exponent = exponent - _deviance(j, n * x) - _deviance(k, n * y)
        scale = (n + 1) * np.sqrt(n / (2 * np.pi * j * k))
        found = np.where(large, scale * np.exp(exponent), found)
    return np.where((x < 0) | (x > 1) | (a <= 0) | (b <= 0), np.nan, found)


# --- the incomplete gamma function in its shape ---------------------------------------------------


def _moment(order: int, parts: list[Array]) -> Array:
    """Give Bell's polynomial: see `log_moment` in `program/functions/special.py`."""
    bell = [np.ones_like(parts[0])]
    for m in range(order):
        bell.append(sum(comb(m, k) * bell[m - k] * parts[k] for k in range(m + 1)))
    return bell[order]


def _log_over(a: Array, x: Array, order: int) -> list[Array]:
    """Give log(x) - ψ(a), which is small where x is near a, and the derivatives of -ψ(a)."""
    large = a > 15
    s = 1 / np.square(np.where(large, a, 15))
    tail = (1 / 12 - (1 / 120 - (1 / 252 - (1 / 240 - s / 132) * s) * s) * s) * s
    quotient = np.where(2 * np.abs(x - a) < a, np.log1p((x - a) / a), np.log(x / a))
    near = quotient + 0.5 / a + tail  # log(a) - ψ(a) by Stirling's series
    first = np.where(large, near, np.log(x) - special.psi(a))
    return [first, *[-special.polygamma(k, a) for k in range(1, order)]]


def igamma_derivative(n: Array, a: Array, x: Array) -> Array:
    """Give the n-th derivative of P(a, x) in a.

    Below the zero of log(x) - ψ(a + 1) it is a sum of terms that have one sign for n = 1, or for
    large a an integral from 0 to x; above it an integral from x to infinity. Both integrands have
    one sign.
    """
    order = int(n)
    a, x = (np.array(v) for v in np.broadcast_arrays(a, x))
    found = np.full(a.shape, np.nan)
    found[(a > 0) & ((x == 0) | (np.isposinf(x) != np.isposinf(a))) & (x >= 0)] = 0
    inside = (a > 0) & (x > 0) & np.isfinite(x) & np.isfinite(a)
    low = inside & (np.log(np.where(inside, x, 1)) < special.psi(np.where(inside, a, 1) + 1))
    large = low & (a > _MANY_TERMS)
    methods = ((low & ~large, _by_series), (large, _from_zero), (inside & ~low, _by_quadrature))
    for part, method in methods:
        if np.any(part):
            found[part] = method(order, a[part], x[part])
    return found


_MANY_TERMS = 200
"""From here on the series, which has about 9 √a terms, takes longer than an integral."""


def _by_series(order: int, a: Array, x: Array) -> Array:
    """Add up ∂ⁿ/∂aⁿ of x^(a + m) exp(-x)/Γ(a + m + 1) over m."""
    term, shape = gamma_density(a + 1, x), a + 1
    parts, total = _log_over(shape, x, order), np.zeros_like(a)
    while True:
        total = total + term * _moment(order, parts)
        if np.all(term * (1 + np.abs(parts[0])) ** order <= 1e-18 * np.abs(total)):
            return total
        term = term * x / shape
        parts = [p - (-1) ** k * factorial(k) / shape ** (k + 1) for k, p in enumerate(parts)]
        shape = shape + 1


def _by_quadrature(order: int, a: Array, x: Array) -> Array:
    """Integrate the n-th derivative of the density from x to where nothing is left."""
    k = a - 1
    end = 2 * TAIL + 20 * np.sqrt(np.maximum(a, 1))
    for _ in range(30):  # Newton's method for end - k log(1 + end/x) = TAIL, which is convex
        end = end - (end - k * np.log1p(end / x) - TAIL) / (1 - k / (x + end))
    return _integrated(order, a, x, np.log1p(end / x))


def _from_zero(order: int, a: Array, x: Array) -> Array:
    """Integrate the n-th derivative of the density from where nothing is left to x."""
    s = (TAIL + x) / a
    for _ in range(60):  # Newton's method, from above, for what is convex
        over = (a - x) * s + x * _exp_less_line(-s) - TAIL
        s = s - over / ((a - x) - x * np.expm1(-s))
    return _integrated(order, a, x, -s)


def _integrated(order: int, a: Array, x: Array, longest: Array) -> Array:
    """Integrate over t = x exp(s), from x on for s up to `longest`, or up to x if that is below."""
    nodes, weights = gauss(4)
    s = longest[..., None] * nodes
    first, *higher = [p[..., None] for p in _log_over(a, x, order)]
    parts = [first + s, *[np.broadcast_to(p, s.shape) for p in higher]]
    exponent = (a - x)[..., None] * s - x[..., None] * _exp_less_line(s)
    inner = np.exp(exponent) * _moment(order, parts)
    return -gamma_density(a, x) * x * longest * (inner @ weights)


def _exp_less_line(s: Array) -> Array:
    """Give exp(s) - 1 - s."""
    small = np.clip(s, -0.5, 0.5)
    series = np.ones_like(s)
    for n in range(16, 2, -1):
        series = 1 + series * small / n
    return np.where(np.abs(s) < 0.5, series * small * small / 2, np.expm1(s) - s)


# --- Bessel functions without their exponentials --------------------------------------------------


def i_decay(k: Array, x: Array) -> Array:
    """Give the k-th derivative of exp(-r) I₀(r) at r = |x|.

    It is (-1)ᵏ/π times the integral of wᵏ exp(-r w) for w = 1 - cos θ, over θ from 0 to π.
    """
    order = int(k)
    r = np.abs(x)[..., None]
    w = 2 * np.square(np.sin(np.pi * np.arange(33) / 64))  # 1 - cos θ
    weights = np.r_[1, np.full(31, 2), 1] / 64
    periodic = (w**order * np.exp(-np.minimum(r, 30) * w)) @ weights
    far = np.maximum(r, 30)
    v = 0.4 * np.arange(17)
    weights = 0.4 * np.r_[1, np.full(16, 2)] / np.pi
    gaussian = ((v * v / far) ** order * np.exp(-v * v) / np.sqrt(2 * far - v * v)) @ weights
    found = (-1) ** order * np.where(r[..., 0] < 30, periodic, gaussian)
    return np.where(np.isnan(x), np.nan, found)


def k_decay(k: Array, x: Array) -> Array:
    """Give the k-th derivative of exp(x) K₀(x).

    It is (-1)ᵏ times the integral of wᵏ exp(-x w) for w = cosh t - 1 over t ≥ 0. Where x is small,
    Bessel functions of higher order outweigh the lower ones.
    """
    order = int(k)
    far = np.maximum(x, 0.25)[..., None]
    step = 0.1125
    v = step * np.arange(58)
    weights = step * np.r_[1, np.full(57, 2)]
    smooth = ((v * v / far) ** order * np.exp(-v * v) / np.sqrt(v * v + 2 * far)) @ weights
    near = np.clip(x, 0, 0.25)
    terms = [
        (-1) ** j * (2 if j else 1) * comb(2 * order, order - j) * special.kve(j, near)
        for j in range(order, -1, -1)
    ]
    leading = np.where(near == 0, (-1) ** order * np.inf, sum(terms[1:], terms[0]) / 2**order)
    found = np.where(x < 0.25, leading, (-1) ** order * smooth)
    return np.where((x < 0) | np.isnan(x), np.nan, found)


# --- Dawson's integral ----------------------------------------------------------------------------


def dawson(k: Array, x: Array) -> Array:
    """Give the k-th derivative of exp(-x²) times the integral of exp(t²) from 0 to x."""
    order = int(k)
    r = np.abs(x)
    near, far = r < 2, r > 9
    low, high = np.where(near, r, 0), np.where(near | far, 2, r)
    inner = np.where(near, _dawson_recurrence(order, low), _dawson_middle(order, high))
    found = np.where(far, _dawson_far(order, np.where(far, r, 9)), inner)
    sign = np.where(x < 0, (-1) ** (order + 1), 1)
    return np.where(np.isnan(x), np.nan, sign * found)


def _dawson_recurrence(order: int, r: Array) -> Array:
    """Use D' = 1 - 2rD and what follows from it."""
    small = np.minimum(r, 0.5)
    series = np.zeros_like(r)
    for n in range(14, -1, -1):
        series = 1 - 2 * small * small / (2 * n + 3) * series if n < 14 else np.ones_like(r)
    values = [np.where(r < 0.5, r * series, special.dawsn(r))]
    values.append(1 - 2 * r * values[0])
    for n in range(1, order):
        values.append(-2 * r * values[n] - 2 * n * values[n - 1])
    return values[order]


def _dawson_middle(order: int, r: Array) -> Array:
    """Use the trapezoidal rule for the integral of exp(-t²)/(r - t), less its pole (Hunter 1972).

    The nodes are at whole or half steps, whichever are farther from r.
    """
    if order == 0:
        return special.dawsn(r)
    if order > 2:
        return -2 * r * _dawson_middle(order - 1, r) - 2 * (order - 1) * _dawson_middle(
            order - 2, r
        )
    step = 0.5
    place = np.mod(r / step, 1)
    half = np.where(np.abs(place - 0.5) < 0.25, 0.0, 0.5)
    t = step * (np.arange(-14, 14) + half[..., None])
    total = (np.exp(-t * t) / (r[..., None] - t) ** (order + 1)).sum(-1)
    c = 1 / np.tan(np.pi * (r / step - half))
    turn, bend = np.pi / step, 1 + c * c
    pole = (
        -2 * r * c - turn * bend
        if order == 1
        else (4 * r * r - 2) * c + 4 * r * turn * bend + 2 * turn**2 * c * bend
    )
    whole = step / np.pi * (-1) ** order * factorial(order) * total
    found = np.sqrt(np.pi) / 2 * (whole - np.exp(-r * r) * pole)
    if order == 2:  # the pole is large where r is not
        found = np.where(r < 3.5, -2 * r * _dawson_middle(1, r) - 2 * special.dawsn(r), found)
    return found


def _dawson_far(order: int, r: Array) -> Array:
    """Differentiate the sum of (2j - 1)!!/(2ʲ⁺¹ r²ʲ⁺¹), whose terms fall up to j = r²."""
    total, inverse = np.zeros_like(r), 1 / r
    for j in range(24, 0, -1):
        rise = (2 * j + order) * (2 * j + order - 1) / (2 * j)
        total = rise / 2 * inverse * inverse * (1 + total)
    return (-1) ** order * factorial(order) / 2 * (1 + total) * inverse ** (order + 1)


# --- the sine over its argument -------------------------------------------------------------------


def sine_quotient(k: Array, x: Array) -> Array:
    """Give the k-th derivative of sin(x)/x, the integral of tᵏ sin(tx + (k + 1)π/2) from 0 to 1.

    That is Σ (-1)ᵐ x²ᵐ⁻ᵏ/((2m - k)! (2m + 1)); far from 0 each derivative f⁽ʲ⁾ follows from
    the one before, x f⁽ʲ⁾ + j f⁽ʲ⁻¹⁾ = sin⁽ʲ⁾(x).
    """
    order = int(k)
    near = np.abs(x) <= (1 + order / 2 if order else 0)
    small, x = np.where(near, x, 0), np.where(near, 1, x)
    first = (order + 1) // 2
    term, series = (-1) ** first * small ** (order % 2), 0
    for m in range(first, first + 2 * order + 14):
        series = series + term / (2 * m + 1)
        term = -term * small / (2 * m - order + 1) * (small / (2 * m - order + 2))
    wave, turned = np.sin(x), np.cos(x)
    found = wave / x
    for j in range(1, order + 1):
        wave, turned = turned, -wave
        found = (wave - j * found) / x
    return np.where(near, series, found)


# --- the logarithm over its argument --------------------------------------------------------------


def log_quotient(k: Array, x: Array) -> Array:
    """Give the k-th derivative of log(x)/(x - 1), which is the integral of 1/(1 + t(x - 1))."""
    order = int(k)
    u = x - 1
    near = np.abs(u) <= 0.5
    nodes, weights = gauss(1)
    inner = nodes**order / (1 + nodes * np.where(near, u, 0)[..., None]) ** (order + 1)
    smooth = (-1) ** order * factorial(order) * (inner @ weights)
    x, u = np.where(near, 2, x), np.where(near, 1, u)
    apart = np.log(x) / u
    for j in range(1, order + 1):
        apart = ((-1) ** (j - 1) * factorial(j - 1) / x**j - j * apart) / u
    return np.where(near, smooth, apart)
