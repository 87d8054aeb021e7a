"""Products of powers of exp(z) - 1, exp(z) + 1 and exp(z) as hyperbolic functions."""

from __future__ import annotations

from collections.abc import Iterator

import sympy as sp

from symtape.forms.scalars.factoring import VARIABLE, Factors

_HALF = sp.S.Half


def has_opposites(e: sp.Expr) -> bool:
    """Say whether a sum has exponentials of opposite exponents: exp(z) - exp(-z)."""
    for total in e.atoms(sp.Add):
        exponents = {f.args[0] for t in total.args for f in sp.Mul.make_args(t) if f.func is sp.exp}
        if any(-z in exponents for z in exponents):
            return True
    return False


def hyperbolic(factors: Factors, z: sp.Expr, *, halves: bool = True) -> Iterator[sp.Expr]:
    """Write sinh and cosh where `VARIABLE`, which is exp(z), has no other power than theirs.

    If not `halves`, those of z alone, and none of z/2: exp(z)/(1 + exp(z))² is left to σ.

    >>> [*hyperbolic(Factors(1, ((VARIABLE - 1, 1), (VARIABLE + 1, 1), (VARIABLE, -1))), sp.S(3))]
    [2*sinh(3)]
    """
    t = VARIABLE
    powers = dict(factors.powers)
    minus, plus, both, own = (powers.pop(f, 0) for f in (t - 1, t + 1, t**2 + 1, t))
    if any(f.has(t) for f in powers) or own + _HALF * (minus + plus) + both:
        return
    if minus != plus and not halves:
        return
    joined = min(minus, plus, key=abs) if minus * plus > 0 else 0
    made = (2 * sp.sinh(z)) ** joined * (2 * sp.cosh(z)) ** both
    made *= (2 * sp.sinh(z / 2)) ** (minus - joined) * (2 * sp.cosh(z / 2)) ** (plus - joined)
    yield factors.number * made * sp.Mul(*[f**k for f, k in powers.items()])


def with_tangents(e: sp.Expr) -> sp.Expr:
    """Write tanh(z) for sinh(z)/cosh(z), and tan(z) for sin(z)/cos(z), within products.

    And 1/tanh(z) for cosh(z)/sinh(z); where tan(z) has no value, cos(z)/sin(z) is zero.

    >>> x, a = sp.symbols("x a")
    >>> with_tangents(a * sp.sinh(x) / sp.cosh(x) - a), with_tangents(sp.sin(x) / sp.cos(x) ** 2)
    (a*tanh(x) - a, tan(x)/cos(x))
    """
    return e.replace(sp.Mul, _with_tangents) if e.has(sp.cosh, sp.cos) else e


def _with_tangents(*factors: sp.Expr) -> sp.Expr:
    powers = sp.Mul(*factors).as_powers_dict()
    for above, below, ratio in ((sp.sinh, sp.cosh, sp.tanh), (sp.sin, sp.cos, sp.tan)):
        for f in [f for f in powers if isinstance(f, above)]:
            k, n = powers[f], -powers.get(below(*f.args), sp.S.Zero)
            if k.is_Integer and n.is_Integer and min(k, n) > 0:
                whole = sp.Mul(*factors)
                return whole * (ratio(*f.args) * below(*f.args) / f) ** min(k, n)
            if below is sp.cosh and k.is_Integer and n.is_Integer and max(k, n) < 0:
                return sp.Mul(*factors) * (ratio(*f.args) * below(*f.args) / f) ** max(k, n)
    return sp.Mul(*factors)


def with_double_angles(e: sp.Expr) -> sp.Expr:
    """Write sin(2 z) for 2 sin(z) cos(z), within products, and cos(2 z) for 1 - 2 sin(z)².

    And for cos(z)² - sin(z)².

    >>> x, a = sp.symbols("x a")
    >>> with_double_angles(a * sp.sin(x / 2) * sp.cos(x / 2))
    a*sin(x)/2
    >>> with_double_angles(a - 2 * a * sp.sin(x) ** 2)
    a*cos(2*x)
    """
    if not e.has(sp.sin, sp.cos):
        return e
    return e.replace(sp.Mul, _with_double_angle).replace(sp.Add, _with_cosine)


def _with_double_angle(*factors: sp.Expr) -> sp.Expr:
    powers = sp.Mul(*factors).as_powers_dict()
    for f in [f for f in powers if isinstance(f, sp.sin)]:
        other = sp.cos(*f.args)
        k, n = powers[f], powers.get(other, sp.S.Zero)
        if k == n and k.is_Integer:
            return sp.Mul(*factors) * (sp.sin(2 * f.args[0]) / (2 * f * other)) ** k
    return sp.Mul(*factors)


def _with_cosine(*terms: sp.Expr) -> sp.Expr:
    for term in terms:
        squares = [f for f in sp.Mul.make_args(term) if f.is_Pow and f.exp == 2]
        for square in [f for f in squares if isinstance(f.base, (sp.sin, sp.cos))]:
            is_sine, scale = isinstance(square.base, sp.sin), -term / square
            (z,) = square.base.args
            for other, size in ((scale / 2, scale / 2), (scale * sp.cos(z) ** 2, scale)):
                if other in terms and (is_sine or other != scale * sp.cos(z) ** 2):
                    made = (1 if is_sine else -1) * size * sp.cos(2 * z)
                    return sp.Add(*[t for t in terms if t not in (term, other)], made)
    return sp.Add(*terms)


def with_pairs(e: sp.Expr) -> sp.Expr:
    """Write 2 sinh(z) for exp(z) - exp(-z), and 2 cosh(z) for their sum, within longer sums.

    >>> x, a = sp.symbols("x a")
    >>> with_pairs(x + a * sp.exp(x) - a * sp.exp(-x))
    2*a*sinh(x) + x
    """
    return e.replace(sp.Add, _with_pairs) if e.has(sp.exp) else e


def _with_pairs(*terms: sp.Expr) -> sp.Expr:
    found = list(terms)
    for z in sorted({z for t in terms for z in _exponents(t)}, key=sp.default_sort_key):
        if not z.could_extract_minus_sign():
            found = _joined(found, z)
    return sp.Add(*found)


def _exponents(term: sp.Expr) -> list[sp.Expr]:
    return [f.args[0] for f in sp.Mul.make_args(term) if isinstance(f, sp.exp)]


def _joined(terms: list[sp.Expr], z: sp.Expr) -> list[sp.Expr]:
    """Join the terms with exp(z) with those that have exp(-z) in its place."""
    found = list(terms)
    for term in [t for t in terms if z in _exponents(t)]:
        scale = term / sp.exp(z)
        for sign, function in ((1, sp.cosh), (-1, sp.sinh)):
            other = sign * scale * sp.exp(-z)
            if term in found and other in found and other != term:
                found.remove(term)
                found.remove(other)
                found.append(2 * scale * function(z))
    return found
