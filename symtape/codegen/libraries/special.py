"""Special functions of array libraries: their own, and what follows from them.

`program/functions/special.py` has the list. A library names those that it has; others are made of
them here, by the formulas of that page, if what they are made of is there.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from math import comb, factorial
from typing import Any

import numpy as np

from symtape.kernels.special.integrals import gauss
from symtape.program.operations import dtype_name

Array = Any
Function = Callable[..., Any]

ROOT_HALF = 0.7071067811865476


class Special:
    """The special functions of a library, as attributes; one that is not there is missing."""

    def __init__(self, library: Any, own: dict[str, Function]) -> None:
        self.__dict__.update(own)
        if "zeta" in own:
            self.__dict__["zeta"] = _at_poles(library, own["zeta"])
        if "polygamma" in own:
            self.__dict__["polygamma"] = _of_whole_orders(library, own["polygamma"])
        for name, (needs, make) in DERIVED.items():
            if name not in own and all([need in self.__dict__ for need in needs]):
                self.__dict__[name] = make(library, self)

    def __contains__(self, name: str) -> bool:
        return name in self.__dict__


def _over_mills(scale: float, argument: Function) -> Callable[[Any, Any], Function]:
    """Give scale·exp(y²), y being a quantile of the operand."""

    def make(lib: Any, own: Any) -> Function:
        def run(x: Array) -> Array:
            y = argument(own, x)
            return scale * lib.xp.exp(y * y)

        return run

    return make


def _quarter_turns(lib: Any, x: Array) -> tuple[Array, Array]:
    """Split x²π/2 into whole quarter turns and a rest."""
    turns = x * x
    whole = lib.xp.rint(turns)
    return lib.xp.mod(whole, 4), (math.pi / 2) * (turns - whole)


def _of_square(first: str, second: str, sign: int) -> Callable[[Any, Any], Function]:
    def make(lib: Any, own: Any) -> Function:
        def run(x: Array) -> Array:
            whole, rest = _quarter_turns(lib, x)
            a, b = getattr(lib.xp, first)(rest), sign * getattr(lib.xp, second)(rest)
            turned = lib.xp.where((whole == 0) | (whole == 2), a, -b)
            return lib.xp.where(whole >= 2, -turned, turned)

        return run

    return make


def _at_poles(lib: Any, zeta: Function) -> Function:
    """Give infinity where the sum has none, and nan at poles of odd order, as TensorFlow does."""

    def run(s: Any, q: Array) -> Array:
        xp = lib.xp
        found = zeta(s, q)
        pole = (q <= 0) & (q == xp.floor(q))
        odd = s % 2 != 0
        found = xp.where(pole & odd, math.nan, found)
        return xp.where((s == 1) & ~pole, math.inf, found) if hasattr(s, "dtype") else found

    return run


def _of_whole_orders(lib: Any, polygamma: Function) -> Function:
    """Give nan where an order among many is none, and at poles if it is even, as TensorFlow."""

    def run(n: Any, x: Array) -> Array:
        xp = lib.xp
        found = polygamma(n, x)
        pole = (x <= 0) & (x == xp.floor(x))
        if not hasattr(n, "dtype"):
            return found if n % 2 else xp.where(pole, math.nan, found)
        lost = (n < 0) | (n != xp.floor(n)) | ((n % 2 == 0) & pole)
        return xp.where(lost, math.nan, found)

    return run


def _gamma_density(lib: Any, own: Any) -> Function:
    """Give x^(a - 1) exp(-x)/Γ(a), by logarithms."""

    def run(a: Array, x: Array) -> Array:
        xp = lib.xp
        power = xp.where((a == 1) & (x == 0), 0.0 * x, (a - 1) * xp.log(x))
        return xp.exp(power - x - own.lgamma(_array(lib, a, x)))

    return run


def _beta_density(lib: Any, own: Any) -> Function:
    """Give x^(a - 1) (1 - x)^(b - 1)/B(a, b), by logarithms."""

    def run(a: Array, b: Array, x: Array) -> Array:
        xp = lib.xp
        a, b = _array(lib, a, x), _array(lib, b, x)
        scale = own.lgamma(a + b) - own.lgamma(a) - own.lgamma(b)
        left = xp.where((a == 1) & (x == 0), 0.0 * x, (a - 1) * xp.log(x))
        right = xp.where((b == 1) & (x == 1), 0.0 * x, (b - 1) * xp.log1p(-x))
        return xp.exp(scale + left + right)

    return run


def _array(lib: Any, number: Any, like: Array) -> Array:
    if hasattr(number, "dtype"):
        return number
    return lib.number(float(number), dtype_name(lib.dtype_of(like)), like)


def _log_quotient(lib: Any, own: Any) -> Function:
    """Give the k-th derivative of log(x)/(x - 1); see `kernels/special/integrals.py`."""

    def run(k: Any, x: Array) -> Array:
        xp, order = lib.xp, int(k)
        nodes, weights = (lib.constant(v, x) for v in gauss(1))
        u = x - 1
        near = xp.abs(u) <= 0.5
        inner = nodes**order / (1 + nodes * xp.where(near, u, 0.0)[..., None]) ** (order + 1)
        smooth = (-1) ** order * factorial(order) * xp.sum(inner * weights, axis=-1)
        x, u = xp.where(near, 2.0, x), xp.where(near, 1.0, u)
        apart = xp.log(x) / u
        for j in range(1, order + 1):
            apart = ((-1) ** (j - 1) * factorial(j - 1) / x**j - j * apart) / u
        return xp.where(near, smooth, apart)

    return run


def _sine_quotient(lib: Any, own: Any) -> Function:
    """Give the k-th derivative of sin(x)/x; see `kernels/special/integrals.py`."""

    def run(k: Any, x: Array) -> Array:
        xp, order = lib.xp, int(k)
        near = xp.abs(x) <= (1 + order / 2 if order else 0)
        small, x = xp.where(near, x, 0.0), xp.where(near, 1.0, x)
        first = (order + 1) // 2
        term, series = (-1) ** first * (small if order % 2 else 0.0 * small + 1), 0.0 * small
        for m in range(first, first + 2 * order + 14):
            series = series + term / (2 * m + 1)
            term = -term * small / (2 * m - order + 1) * (small / (2 * m - order + 2))
        wave, turned = xp.sin(x), xp.cos(x)
        found = wave / x
        for j in range(1, order + 1):
            wave, turned = turned, -wave
            found = (wave - j * found) / x
        return xp.where(near, series, found)

    return run


def _i_decay(lib: Any, own: Any) -> Function:
    """Give the k-th derivative of exp(-r) I₀(r) at r = |x|; see `kernels/special/integrals.py`."""

    def run(k: Any, x: Array) -> Array:
        xp, order = lib.xp, int(k)
        r = xp.abs(x)[..., None]
        w = lib.constant(2 * np.square(np.sin(np.pi * np.arange(33) / 64)), x)
        weights = lib.constant(np.r_[1, np.full(31, 2), 1] / 64, x)
        periodic = xp.sum(w**order * xp.exp(-xp.minimum(r, 30.0) * w) * weights, axis=-1)
        far = xp.maximum(r, 30.0)
        v = lib.constant(0.4 * np.arange(17), x)
        weights = lib.constant(0.4 * np.r_[1, np.full(16, 2)] / np.pi, x)
        inner = (v * v / far) ** order * xp.exp(-v * v) / xp.sqrt(2 * far - v * v)
        gaussian = xp.sum(inner * weights, axis=-1)
        found = (-1) ** order * xp.where(r[..., 0] < 30, periodic, gaussian)
        return xp.where(xp.isnan(x), math.nan, found)

    return run


def _k_decay(lib: Any, own: Any) -> Function:
    """Give the k-th derivative of exp(x) K₀(x) for the orders that a library has words for."""

    def run(k: Any, x: Array) -> Array:
        xp, order = lib.xp, int(k)
        far = xp.maximum(x, 0.25)[..., None]
        step = 0.1125
        v = lib.constant(step * np.arange(58), x)
        weights = lib.constant(step * np.r_[1, np.full(57, 2)], x)
        inner = (v * v / far) ** order * xp.exp(-v * v) / xp.sqrt(v * v + 2 * far)
        smooth = xp.sum(inner * weights, axis=-1)
        near = xp.minimum(xp.maximum(x, 0.0), 0.25)
        before, last = own.bessel_k0e(near), own.bessel_k1e(near)
        orders = [before, last]
        for n in range(1, order):
            orders.append(orders[n - 1] + 2 * n / near * orders[n])
        leading = sum(
            [
                (-1) ** j * (2 if j else 1) * comb(2 * order, order - j) * orders[j]
                for j in range(order, -1, -1)
            ]
        )
        found = xp.where(x < 0.25, leading / 2**order, (-1) ** order * smooth)
        return xp.where((x < 0) | xp.isnan(x), math.nan, found)

    return run


DERIVED: dict[str, tuple[tuple[str, ...], Callable[[Any, Any], Function]]] = {
    "gaussian": ((), lambda lib, own: lambda c, x: lib.xp.exp(c * (x * x))),
    "normal_cdf": (("erfc",), lambda lib, own: lambda x: 0.5 * own.erfc(-ROOT_HALF * x)),
    "erfinv_slope": (("erfinv",), _over_mills(0.886226925452758, lambda own, x: own.erfinv(x))),
    "erfcinv": (
        ("normal_quantile",),
        lambda lib, own: lambda x: -ROOT_HALF * own.normal_quantile(0.5 * x),
    ),
    "erfcinv_slope": (
        ("erfcinv",),
        _over_mills(-0.886226925452758, lambda own, x: own.erfcinv(x)),
    ),
    "normal_quantile_slope": (
        ("normal_quantile",),
        _over_mills(2.5066282746310002, lambda own, p: ROOT_HALF * own.normal_quantile(p)),
    ),
    "cos_of_square": ((), _of_square("cos", "sin", 1)),
    "sin_of_square": ((), _of_square("sin", "cos", -1)),
    "zeta_slope": (("zeta",), lambda lib, own: lambda s, q: -s * own.zeta(s + 1, q)),
    "gamma_density": (("lgamma",), _gamma_density),
    "beta_density": (("lgamma",), _beta_density),
    "sine_quotient": ((), _sine_quotient),
    "log_quotient": ((), _log_quotient),
    "i_decay": ((), _i_decay),
    "bessel_i0e": (("i_decay",), lambda lib, own: lambda x: own.i_decay(0, x)),
    "k_decay": (("bessel_k0e", "bessel_k1e"), _k_decay),
}
"""What is made of other functions: which ones, and how."""

STATIC = frozenset(
    {
        "bessel_j",
        "bessel_y",
        "bessel_i",
        "bessel_k",
        "dawson",
        "i_decay",
        "k_decay",
        "log_quotient",
        "sine_quotient",
        "igamma_derivative",
    }
)
"""Functions whose first operand, an order, is a number that is known when code is written."""
