"""Iverson's brackets, and cases as sums of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import sympy as sp
from sympy.core.relational import Relational

from symtape.program.functions import scalar


def done(argument: Any, hints: Mapping[str, Any]) -> Any:
    """Do the argument of a function that is done, unless the hints of `doit` say that it stays."""
    return argument.doit(**hints) if hints.get("deep", True) else argument


class Iverson(sp.Function):
    """Iverson's bracket: 1 where a condition holds, else 0; `doit` writes the cases.

    In sums of sums it stands for SymPy's `Piecewise`, whose conditions `Sum` would take out of the
    scope of their indices.
    """

    nargs = 1
    is_commutative = True  # SymPy calls a function of a relation neither real nor commutative
    is_integer = True
    is_nonnegative = True

    @classmethod
    def eval(cls, condition: Any) -> Any:
        """Decide what is known."""
        if condition in (sp.true, sp.false):
            return sp.S.One if condition == sp.true else sp.S.Zero
        if isinstance(condition, (sp.Eq, sp.Ne)) and condition.rhs == 0:
            if isinstance(condition.lhs, sp.KroneckerDelta):
                other = sp.Ne if isinstance(condition, sp.Eq) else sp.Eq
                return cls(other(*condition.lhs.args))
            bare = condition.func(_of_one_sign(condition.lhs), 0)
            return cls(bare) if bare != condition else None
        if isinstance(condition, (sp.Eq, sp.Ne)) and not condition.rhs.is_number:
            first, last = sorted(condition.args, key=sp.default_sort_key)
            return cls(condition.func(first, last)) if first != condition.lhs else None
        return None

    def _eval_power(self, exponent: Any) -> Any:
        return self if exponent.is_positive else None

    def doit(self, **hints: Any) -> Any:
        """Write the two cases."""
        return scalar.indicator(done(self.args[0], hints))

    def _latex(self, printer: Any, exp: str | None = None) -> str:
        text = rf"\left[{printer._print(self.args[0])}\right]"  # noqa: SLF001 - SymPy's protocol
        return text if exp is None else f"{text}^{{{exp}}}"


def _of_one_sign(e: Any) -> Any:
    """Give what is zero where a product is, and is the same for the product and its negative."""
    factors = sp.Mul.make_args(e.as_coeff_Mul()[1])
    return sp.Mul(*[-f if f.could_extract_minus_sign() else f for f in factors])


def case_of(holding: Iterable[Any]) -> dict[Any, Any]:
    """Say what brackets are where some of them hold: these are 1, and those of the contrary 0."""
    brackets = [*holding]
    contrary = {Iverson(sp.Not(b.args[0])): sp.S.Zero for b in brackets}
    return dict.fromkeys(brackets, sp.S.One) | contrary


def guarded(e: Any) -> tuple[Any, Any] | None:
    """Take the conditions out of a product: what is multiplied need not be defined elsewhere."""
    factors = sp.Mul.make_args(e)
    brackets = [f for f in factors if isinstance(f, Iverson)]
    rest = sp.Mul(*[f for f in factors if not isinstance(f, Iverson)])
    if not brackets or rest.is_number:
        return None
    return sp.And(*[f.args[0] for f in brackets]), rest


def with_cases(e: Any) -> Any:
    """Write products with brackets as cases: x/y where y ≠ 0, else 0, for [y ≠ 0] x/y.

    Within sums they stay: SymPy takes cases out of a sum, and those of its own index with them.
    """
    if isinstance(e, (sp.Sum, sp.Product)) or not e.has(Iverson):
        return e
    made = e.func(*map(with_cases, e.args)) if e.args else e
    found = guarded(made) if isinstance(made, sp.Mul) else None
    return made if found is None else sp.Piecewise((found[1], found[0]), (0, True))


def _without_idle(condition: Any) -> Any:
    """Leave k ≠ 0 out where it stands beside k = 1 or k ≥ 1.

    >>> k = sp.Symbol("k", integer=True)
    >>> _without_idle((k >= 1) & sp.Ne(k, 0)), _without_idle((k >= 0) & sp.Ne(k, 0))
    (k >= 1, (k >= 0) & Ne(k, 0))
    """
    if not isinstance(condition, sp.And):
        return condition
    idle = {c for c in condition.args if isinstance(c, sp.Ne) and c.rhs.is_Integer}
    others = [c for c in condition.args if c not in idle and isinstance(c, Relational)]
    gone = {c for c in idle for r in others if r.lhs == c.lhs and r.subs(c.lhs, c.rhs) == sp.false}
    return sp.And(*[c for c in condition.args if c not in gone])


def with_brackets(e: Any) -> Any:
    """Write cases as a sum of what each is, times the bracket of its condition.

    One that is -∞ is the logarithm of the bracket of all others, which is 0 or -∞.

    >>> x = sp.Symbol("x")
    >>> with_brackets(sp.Piecewise((-sp.oo, x < 0), (-x, True)))
    -x*Iverson(x >= 0) + log(Iverson(x >= 0))
    """

    def write(cases: Any) -> Any:
        terms, before = [], sp.true
        for value, condition in cases.args:
            own = _without_idle(sp.And(condition, before))
            if value in (sp.oo, -sp.oo):
                terms.append(-sp.sign(value) * sp.log(Iverson(sp.Not(own))))
            else:
                terms.append(value * Iverson(own))
            before = sp.And(before, sp.Not(condition))
        return sp.Add(*terms)

    return e.replace(lambda inner: isinstance(inner, sp.Piecewise), write)


def with_finite_powers(e: Any) -> Any:
    """Write exponentials of what is -∞ in one case as cases that are finite: exp(-∞) is 0.

    >>> x = sp.Symbol("x")
    >>> with_finite_powers(2 * sp.exp(1 + sp.Piecewise((-sp.oo, x < 0), (-x, True))))
    2*Piecewise((0, x < 0), (exp(1 - x), True))
    """
    return e.replace(sp.exp, _finite) if e.has(sp.oo, -sp.oo) else e


def _finite(z: Any) -> Any:
    terms = sp.Add.make_args(z)
    cases = [t for t in terms if isinstance(t, sp.Piecewise) and t.has(sp.oo, -sp.oo)]
    if len(cases) != 1:
        return sp.exp(z)
    rest = sp.Add(*[t for t in terms if t is not cases[0]])
    return sp.Piecewise(*[(sp.exp(rest + value), condition) for value, condition in cases[0].args])
