"""Functions of TensorFlow's that mpmath has under another name, or has not."""

from __future__ import annotations

from typing import Any

import mpmath as mp


def sigmoid(x: Any) -> Any:
    """Give the logistic function."""
    return 1 / (1 + mp.exp(-x))


def gelu(x: Any) -> Any:
    """Give x times the distribution function of the standard normal."""
    return x * mp.erfc(-x / mp.sqrt(2)) / 2


def gelu_tanh(x: Any) -> Any:
    """Give its approximation by tanh."""
    return x * (1 + mp.tanh(mp.sqrt(2 / mp.pi) * (x + mp.mpf("0.044715") * x**3))) / 2


def elu(x: Any) -> Any:
    """Give x where it is positive, else exp(x) - 1."""
    return x if x > 0 else mp.expm1(x)


def normal_quantile(p: Any) -> Any:
    """Invert the distribution function of the standard normal by Newton's method."""
    y = mp.sqrt(2) * mp.erfinv(2 * p - 1) if 1e-9 < p < 1 - 1e-9 else _tail(p)
    for _ in range(9):
        y -= (mp.erfc(-y / mp.sqrt(2)) / 2 - p) / mp.npdf(y)
    return y


def _tail(p: Any) -> Any:
    tail = min(p, 1 - p)
    start = mp.sqrt(-2 * mp.log(tail))
    for _ in range(60):
        start = mp.sqrt(-2 * mp.log(tail * start * mp.sqrt(2 * mp.pi)))
    return -start if p < 0.5 else start


def dawson(x: Any) -> Any:
    """Give Dawson's integral."""
    return mp.sqrt(mp.pi) / 2 * mp.exp(-x * x) * mp.erfi(x)


def regularized(a: Any, x: Any) -> Any:
    """Give the lower incomplete gamma function over gamma(a)."""
    return mp.gammainc(a, 0, x, regularized=True)


def regularized_upper(a: Any, x: Any) -> Any:
    """Give the upper incomplete gamma function over gamma(a)."""
    return mp.gammainc(a, x, regularized=True)


def log_abs_gamma(x: Any) -> Any:
    """Give log|gamma(x)|."""
    return mp.log(abs(mp.gamma(x)))


def softplus(x: Any) -> Any:
    """Give log(1 + exp(x))."""
    return mp.log1p(mp.exp(x))


def erfcinv(x: Any) -> Any:
    """Invert erfc."""
    return -normal_quantile(x / 2) / mp.sqrt(2)


def betainc(a: Any, b: Any, x: Any) -> Any:
    """Give the regularized incomplete beta function."""
    return mp.betainc(a, b, 0, x, regularized=True)


def i0e(x: Any) -> Any:
    """Give exp(-|x|) I0(x)."""
    return mp.exp(-abs(x)) * mp.besseli(0, x)


def i1e(x: Any) -> Any:
    """Give exp(-|x|) I1(x)."""
    return mp.exp(-abs(x)) * mp.besseli(1, x)


def k0e(x: Any) -> Any:
    """Give exp(x) K0(x)."""
    return mp.exp(x) * mp.besselk(0, x)


def k1e(x: Any) -> Any:
    """Give exp(x) K1(x)."""
    return mp.exp(x) * mp.besselk(1, x)


def spence(x: Any) -> Any:
    """Give the dilogarithm of 1 - x."""
    return mp.re(mp.polylog(2, 1 - x))


def xlogy(x: Any, y: Any) -> Any:
    """Give x log(y)."""
    return x * mp.log(y)


def xlog1py(x: Any, y: Any) -> Any:
    """Give x log(1 + y)."""
    return x * mp.log1p(y)


def quotient(x: Any, y: Any) -> Any:
    """Give x/y."""
    return x / y


def erfcx(x: Any) -> Any:
    """exp(x²) erfc(x)."""
    return mp.exp(x * x) * mp.erfc(x)


def log_normal_cdf(x: Any) -> Any:
    """The logarithm of the distribution function of the standard normal."""
    return mp.log(mp.erfc(-x / mp.sqrt(2)) / 2)


def exprel(x: Any) -> Any:
    """(exp(x) - 1)/x."""
    return mp.expm1(x) / x


def wright_omega(x: Any) -> Any:
    """The solution of w + log(w) = x."""
    return mp.lambertw(mp.exp(x)).real
