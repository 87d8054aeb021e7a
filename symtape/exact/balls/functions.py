"""SymPy's functions as Arb computes them: one table, of numbers with bounds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import sympy as sp

from symtape.errors import UnsupportedError
from symtape.exact.balls import arithmetic
from symtape.exact.balls.arithmetic import monotone
from symtape.exact.balls.numbers import Ball, complexified, flint, is_complex


def _method(x: Ball, name: str) -> Callable[..., Ball]:
    """Find a method; some are of real numbers alone."""
    found: Callable[..., Ball] | None = getattr(x, name, None)
    if found is None:
        raise UnsupportedError(
            f"Arb has no {name} of complex numbers, so that there is no enclosure; evalf(digits) "
            "gives digits"
        )
    return found


def _named(name: str) -> Callable[[Ball], Ball]:
    """Call a method that real and complex numbers have."""
    return lambda x: _method(x, name)()


def _rising(name: str, **limits: str) -> Callable[[Ball], Ball]:
    """Call a method of a function that rises or falls, with limits that Arb leaves out."""
    ends = {_ENDS[end]: limit for end, limit in limits.items()}

    def function(x: Ball) -> Ball:
        if ends and not is_complex(x) and x.is_exact():
            for end, limit in ends.items():
                if x == flint().arb(end):
                    return flint().arb(limit)
        return monotone(lambda e: _method(e, name)(), x)

    return function


_ENDS = {"low": "-inf", "high": "inf", "minus": "-1", "plus": "1"}


def _of_order(name: str) -> Callable[[Ball, Ball], Ball]:
    """Call a method of an argument with an order, which SymPy writes in front."""
    return lambda n, x: _method(x, name)(n)


def _polygamma(n: Ball, x: Ball) -> Ball:
    """Give ψ⁽ⁿ⁾(x), which falls or rises where x is positive."""

    def at(e: Ball) -> Ball:
        found = e.digamma() if n == 0 else complexified(e).polygamma(complexified(n))
        return found if is_complex(e) or not is_complex(found) else found.real

    positive = not is_complex(x) and x > 0 and n.is_exact()
    return monotone(at, x) if positive else at(x)


def _regularized_beta(a: Ball, b: Ball, low: Ball, high: Ball) -> Ball:
    upper = high.beta_lower(a, b, regularized=True)
    zero = low.is_exact() and low == 0
    return upper if zero else upper - low.beta_lower(a, b, regularized=True)


FUNCTIONS: Mapping[Any, Callable[..., Ball]] = {
    sp.exp: arithmetic.exponential,
    sp.log: lambda x, base=None: (
        arithmetic.logarithm(x)
        if base is None
        else arithmetic.logarithm(x) / arithmetic.logarithm(base)
    ),
    # --- complex numbers
    sp.conjugate: lambda x: x.conjugate() if is_complex(x) else x,
    sp.re: lambda x: x.real if is_complex(x) else x,
    sp.im: lambda x: x.imag if is_complex(x) else x * 0,
    sp.arg: lambda x: complexified(x).arg(),
    # --- circular and hyperbolic functions
    **{getattr(sp, name): _named(name) for name in ("sin", "cos", "tan", "cot", "sec", "csc")},
    **{getattr(sp, name): _named(name) for name in ("cosh", "sech", "csch", "coth", "sinc")},
    sp.sinh: _rising("sinh", low="-inf", high="inf"),
    sp.tanh: _rising("tanh", low="-1", high="1"),
    sp.asin: _rising("asin"),
    sp.acos: _rising("acos"),
    sp.atan: _rising("atan"),
    sp.asinh: _rising("asinh"),
    sp.acosh: _rising("acosh"),
    sp.atanh: _rising("atanh", minus="-inf", plus="inf"),
    sp.acot: lambda x: arithmetic.reciprocal(x).atan(),
    sp.asec: lambda x: arithmetic.reciprocal(x).acos(),
    sp.acsc: lambda x: arithmetic.reciprocal(x).asin(),
    sp.atan2: lambda y, x: flint().arb.atan2(y, x),  # noqa: PLW0108 - imports Arb late
    # --- integrals
    sp.erf: _rising("erf", low="-1", high="1"),
    sp.erfc: _rising("erfc", low="2", high="0"),
    sp.erfi: _rising("erfi", low="-inf", high="inf"),
    sp.erfinv: _rising("erfinv", minus="-inf", plus="inf"),
    sp.erfcinv: _rising("erfcinv"),
    sp.fresnelc: _named("fresnel_c"),
    sp.fresnels: _named("fresnel_s"),
    sp.Ei: _named("ei"),
    sp.expint: _of_order("expint"),
    sp.Si: _named("si"),
    sp.Ci: _named("ci"),
    sp.Shi: _named("shi"),
    sp.Chi: _named("chi"),
    sp.li: _named("li"),
    # --- the gamma function
    sp.gamma: _named("gamma"),
    sp.factorial: lambda x: (x + 1).gamma(),
    sp.loggamma: _named("lgamma"),
    sp.polygamma: _polygamma,
    sp.digamma: lambda x: _polygamma(x * 0, x),
    sp.beta: lambda a, b: a.gamma() * b.gamma() * (a + b).rgamma(),
    sp.lowergamma: lambda a, x: x * 0 if x.is_exact() and x == 0 and a > 0 else x.gamma_lower(a),
    sp.uppergamma: _of_order("gamma_upper"),
    sp.betainc: lambda a, b, low, high: high.beta_lower(a, b) - low.beta_lower(a, b),
    sp.betainc_regularized: _regularized_beta,
    # --- zeta functions
    sp.zeta: lambda s, q=None: s.zeta() if q is None else s.zeta(q),
    sp.polylog: lambda s, x: s.zeta() if x.is_exact() and x == 1 else x.polylog(s),
    sp.LambertW: _named("lambertw"),
    # --- Bessel functions
    sp.besselj: _of_order("bessel_j"),
    sp.bessely: _of_order("bessel_y"),
    sp.besseli: _of_order("bessel_i"),
    sp.besselk: _of_order("bessel_k"),
    sp.airyai: _named("airy_ai"),
    sp.airybi: _named("airy_bi"),
    sp.airyaiprime: lambda x: x.airy()[1],
    sp.airybiprime: lambda x: x.airy()[3],
    sp.legendre: lambda n, x: x.legendre_p(n),
    sp.chebyshevt: lambda n, x: x.chebyshev_t(n),
    sp.chebyshevu: lambda n, x: x.chebyshev_u(n),
    sp.hermite: lambda n, x: x.hermite_h(n),
}
"""How each function of SymPy's is computed of balls of its arguments."""
