"""Exponents of exponentials that stand beside brackets: what is one where a condition holds."""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache
from typing import Any

import sympy as sp

from symtape.forms.index.brackets import Iverson, case_of
from symtape.forms.limits import most_terms
from symtape.forms.scalars.cases.clipped import is_polynomial_in_cases

_MOST_TERMS = 60
"""What has more terms is not multiplied out to be compared."""


def exponents(e: Any) -> Any | None:
    """Give z where an expression is exp(z), as a whole, in one case or in two, else None.

    >>> x, y, m = sp.symbols("x y m", real=True)
    >>> on, off = Iverson(m > 0), Iverson(m <= 0)
    >>> exponents(on * sp.exp(x)), exponents(on * sp.exp(x) + off * sp.exp(y))
    (x + log(Iverson(m > 0)), x*Iverson(m > 0) + y*Iverson(m <= 0))
    """
    if isinstance(e, sp.Add):
        return _of_two_cases(e)
    brackets, powers = _cases(e)
    if not powers or not all(isinstance(f, sp.exp) for f in powers):
        return None
    z = sp.Add(*[f.args[0] for f in powers])
    bare = z.xreplace(dict.fromkeys(brackets, sp.S.One))
    own = bare if is_polynomial_in_cases(bare) else z  # defined where brackets are zero, too
    return sp.Add(own, *map(sp.log, brackets))


def _of_two_cases(e: Any) -> Any | None:
    """Give x [c] + y [¬c] for [c] exp(x) + [¬c] exp(y)."""
    found = [_cases(term) for term in e.args]
    if len(found) != 2 or any(len(brackets) != 1 for brackets, _ in found):
        return None
    (on, off), cases = [brackets[0] for brackets, _ in found], [powers for _, powers in found]
    if Iverson(sp.Not(on.args[0])) != off:
        return None
    if not all(isinstance(f, sp.exp) for powers in cases for f in powers):
        return None
    first, second = (sp.Add(*[f.args[0] for f in powers]) for powers in cases)
    return on * first + off * second


def _cases(e: Any) -> tuple[list[Any], list[Any]]:
    """Take the brackets out of the factors of a product."""
    factors = sp.Mul.make_args(e)
    brackets = [f for f in factors if isinstance(f, Iverson)]
    return brackets, [f for f in factors if not isinstance(f, Iverson)]


def with_base(e: Any, z: Any, base: Any, beside: Collection[Any] = ()) -> Any:
    """Write baseⁿ for exp(n z), also where that is so in the case in which it stands.

    A case is that of the brackets in a product, and of those `beside` it. A bracket of which z has
    the logarithm, which is -∞ elsewhere, is idle beside what is written so.

    >>> x, m, b = sp.symbols("x m b", real=True)
    >>> on, off = Iverson(m > 0), Iverson(m <= 0)
    >>> with_base(1 + on * sp.exp(2 * x), x * on - 9 * off, b)
    b**2*Iverson(m > 0) + 1
    >>> with_base(on * sp.exp(x), x + sp.log(on), b)
    b
    """
    if not e.has(sp.exp):
        return e
    whole = exponents(e)
    if whole is not None and (n := multiple(whole, z)) is not None:
        return base**n
    if isinstance(e, (sp.exp, sp.Mul)):
        return _in_product(sp.Mul.make_args(e), z, base, beside)
    own = beside if isinstance(e, sp.Add) else ()
    return e.func(*[with_base(a, z, base, own) for a in e.args])


def _in_product(factors: Collection[Any], z: Any, base: Any, beside: Collection[Any]) -> Any:
    """Write powers of the base in a product, whose brackets say in which case."""
    brackets = [f for f in factors if isinstance(f, Iverson)]
    holding = [*brackets, *beside]
    case = case_of(holding)
    own, idle = z.xreplace(case), {b for b in holding if z.has(sp.log(b))}
    ratios = {f: multiple(f.args[0].xreplace(case), own) for f in factors if isinstance(f, sp.exp)}
    powers = {f: base**n for f, n in ratios.items() if n is not None and (n > 0 or not idle)}
    rest = [f for f in factors if f not in powers and not (powers and f in idle)]
    inner = [_in_factor(f, z, base, holding) for f in rest]
    return sp.Mul(*powers.values(), *inner)


def _in_factor(f: Any, z: Any, base: Any, beside: Collection[Any]) -> Any:
    """Write them in a sum, where the same holds, and in what is a function of something."""
    if isinstance(f, sp.Add) or not f.args:
        return with_base(f, z, base, beside)
    return f.func(*[with_base(a, z, base) for a in f.args])


def divided(e: Any, z: Any) -> tuple[Any, int]:
    """Divide by exp(z) as often as all terms have it: exp(2 x) has exp(x) twice."""
    base = sp.Dummy(positive=True)
    terms = [t.as_powers_dict() for t in sp.Add.make_args(with_base(e, z, base))]
    counts = {t.pop(base, 0) for t in terms}
    rests = [sp.Mul(*[b**n for b, n in t.items()]) for t in terms]
    (count,) = counts if len(counts) == 1 else (0,)
    if not (count > 0 and int(count) == count) or any(t.has(base) for t in rests):
        return e, 0
    return sp.Add(*rests), int(count)


def multiple(e: Any, of: Any) -> Any | None:
    """Say how often a sum or product is another one, else None; a number is itself alone."""
    (number, rest), (own, other) = _primitive(e), _primitive(of)
    if rest != other and rest.free_symbols == other.free_symbols:
        (by, rest), (own_by, other) = _primitive(_expanded(rest)), _primitive(_expanded(other))
        number, own = number * by, own * own_by
    return number / own if rest == other and (rest != 1 or number == own) else None


def _primitive(e: Any) -> tuple[Any, Any]:
    number, rest = e.primitive() if isinstance(e, sp.Add) else e.as_coeff_Mul()
    return number, rest


@lru_cache(maxsize=4096)
def _expanded(e: Any) -> Any:
    """Multiply out what is short then."""
    return sp.expand_mul(e) if most_terms(e)[e] <= _MOST_TERMS else e
