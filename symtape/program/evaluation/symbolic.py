"""SymPy as a kind of number: symbols, the exact numbers that floats are, the decimals meant."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
import sympy as sp
from sympy.logic.boolalg import Boolean

from symtape.errors import ExpansionError, UnsupportedError
from symtape.program.evaluation.symbolic_matrices import SymbolicMatrices
from symtape.program.functions import scalar
from symtape.program.numbers import written_number
from symtape.program.operations import Constant, Map
from symtape.program.relations import check_deciding


class Symbolic(SymbolicMatrices):
    """SymPy expressions: symbols give formulas, numbers give exact values.

    `exact` constants are the binary numbers that the program computes with; others keep the
    decimal that their author wrote. `check` is called with every new element.
    """

    def __init__(self, *, exact: bool, check: Callable[..., None] = lambda *_: None) -> None:
        self.exact = exact
        self.check = check

    def number(self, value: Any) -> Any:
        """Give the rational that a float is."""
        return exact_number(value)

    def constant(self, operation: Constant) -> Any:
        """Give an exact number, or the one that a person would write."""
        if not self.exact or isinstance(operation.number, sp.Basic):
            return written_number(operation.number)
        return exact_number(operation.value)

    def function(self, operation: Map) -> Callable[..., Any]:
        """Put elements into the body."""

        def put(*elements: Any) -> Any:
            operands = [sp.sympify(e) for e in elements]
            made = self._applied(operation, operands)
            if self.exact and _leaves_the_reals(operation, operands, made):
                return sp.nan
            self.check(made)
            return made

        return put

    def _applied(self, operation: Map, operands: Sequence[Any]) -> Any:
        """Put operands into a body; one that is a product is multiplied like any other."""
        symbols, body = operation.at_points if self.exact else operation.formula
        places = dict(zip(symbols, operands, strict=True))
        check_deciding(body, places, self.check)
        if isinstance(body, (sp.Max, sp.Min)):
            return _extremum_of_numbers(body.func, [side.xreplace(places) for side in body.args])
        if isinstance(body, sp.Mul):
            return product_of([factor.xreplace(places) for factor in body.args])
        if isinstance(body, sp.Piecewise):
            own = [(x.xreplace(places), _settled(c.xreplace(places))) for x, c in body.args]
            return _by_cases(own)
        return body.xreplace(places)

    def add(self, terms: Sequence[Any]) -> Any:
        """Add up at once; one by one takes quadratic time."""
        made = sp.Add(*terms)
        self.check(made)
        return made

    def multiply(self, factors: Sequence[Any]) -> Any:
        """Multiply at once."""
        made = product_of(factors)
        self.check(made)
        return made

    def cast(self, x: Any, source: np.dtype[Any], target: np.dtype[Any]) -> Any:
        """Write truth as 1 and 0, and cut what stands after the point."""
        x = sp.sympify(x)
        if source.kind == "b":
            return _truth(x) if target.kind != "b" else x
        if target.kind == "b":
            return sp.Ne(x, 0)
        if source.kind in "fV" and target.kind in "iu":
            return scalar.ordinary(scalar.trunc(x))
        return sp.re(x) if source.kind == "c" != target.kind else x

    def extremum(self, which: str, elements: Sequence[Any]) -> Any:
        """Write Max or Min."""
        made = extremum_of(which, elements)
        self.check(made)
        return made

    def order(self, elements: Sequence[Any]) -> list[int]:
        """Sort numbers; symbols have no order."""
        numbers = [sp.sympify(e) for e in elements]
        if not all(e.is_number for e in numbers):
            raise UnsupportedError(
                "the order of symbols is not known: argmax, argsort and sort have no formula"
            )
        return sorted(range(len(numbers)), key=lambda k: sp.N(numbers[k], 30))

    def index(self, x: Any) -> int:
        """Give the place that a whole number names; raises `UnsupportedError` for symbols."""
        if getattr(x, "free_symbols", None):
            raise UnsupportedError(
                "indices that are symbols choose no entries; ask for index_expr(), which keeps them"
            )
        return int(x)


def _by_cases(pairs: Sequence[tuple[Any, Any]]) -> Any:
    """Write values by cases; SymPy folds cases within conditions, and one may divide by zero."""
    try:
        return sp.Piecewise(*pairs)
    except ValueError as error:
        raise ExpansionError(
            f"a condition of this formula has cases of its own, which SymPy cannot fold: {error} "
            'latex("steps") keeps them apart, evalf() and lambdify() compute the value'
        ) from None


def product_of(factors: Sequence[Any]) -> Any:
    """Multiply; zero times what is no infinity is zero.

    Beside a zero SymPy asks whether each other factor is finite, which can take exponential time.
    """
    if sp.S.Zero in factors and not any(f in _SINGULAR[1:] for f in factors):
        return sp.S.Zero
    return sp.Mul(*factors)


_SINGULAR = (sp.S.Zero, sp.oo, -sp.oo, sp.zoo, sp.nan)


def _leaves_the_reals(operation: Map, operands: Sequence[Any], made: Any) -> bool:
    """Say whether real numbers gave one that is not real, as the square root of -1.

    SymPy computes digits of a whole number to answer, so it is asked where the answer may be yes.
    """
    if operation.result == "complex" or made is sp.zoo:
        return False
    if keeps_real(operation) and not any(e in _SINGULAR for e in operands):
        return False
    return made.is_extended_real is False and all(e.is_extended_real for e in operands)


@lru_cache(maxsize=4096)
def keeps_real(operation: Map) -> bool:
    """Say whether an operation gives real numbers of all real ones, zeros aside.

    >>> from symtape.program.operations import Map, parameter
    >>> x = parameter(0)
    >>> keeps_real(Map.of(sp.sin(x), 1)), keeps_real(Map.of(sp.log(x), 1))
    (True, False)
    """
    symbols, body = operation.at_points
    real = {s: sp.Symbol(s.name, real=True, zero=False) for s in symbols}
    return body.xreplace(real).is_extended_real is True


def extremum_of(which: str, elements: Sequence[Any]) -> Any:
    """Write the largest or smallest of some expressions; of truths, whether any or all hold.

    >>> extremum_of("max", [sp.Symbol("x") > 1, sp.Symbol("x") < 0])
    (x > 1) | (x < 0)
    """
    if elements and all(isinstance(sp.sympify(e), Boolean) for e in elements):
        return (sp.Or if which == "max" else sp.And)(*elements)
    return _extremum_of_numbers(sp.Max if which == "max" else sp.Min, elements)


def _extremum_of_numbers(join: Any, elements: Sequence[Any]) -> Any:
    """Write it of what may be plain symbols, which are truths to SymPy, too."""
    apart = [e for e in elements if e != join.identity]
    if any(sp.sympify(e).has(sp.Piecewise, sp.Sum, sp.Product) for e in apart):
        return join(*apart, evaluate=False)  # else SymPy simplifies the difference of each two
    return join(*elements)


def _truth(condition: Any) -> Any:
    """Write 1 where a condition holds, else 0.

    SymPy takes conditions of cases apart, in a time that grows with the product of their numbers:
    cases that are compared are the arguments of a delta instead.
    """
    if isinstance(condition, sp.Eq) and condition.has(sp.Piecewise):
        return sp.KroneckerDelta(*condition.args)
    return scalar.indicator(condition)


def exact_number(value: Any) -> sp.Expr:
    """Give the exact number that a NumPy scalar is.

    >>> exact_number(np.float32(0.1))
    13421773/134217728
    """
    kind = np.asarray(value).dtype.kind
    if kind == "b":
        return sp.sympify(bool(value))
    if kind in "iu":
        return sp.Integer(int(value))
    if kind == "c":
        return exact_number(value.real) + sp.I * exact_number(value.imag)
    number = float(value)
    if not np.isfinite(number):
        return sp.nan if np.isnan(number) else sp.oo * (1 if number > 0 else -1)
    return sp.Rational(*number.as_integer_ratio())


def exact_objects(value: Any) -> Any:
    """Turn an array of floats into an array of the exact rationals that they are."""
    flat = [exact_number(v) for v in np.ravel(value)]
    out = np.empty(len(flat), object)
    out[:] = flat
    return out.reshape(np.shape(value))


def _settled(condition: Any) -> Any:
    """Compare a difference with zero where SymPy's canonical sides change places to no end.

    >>> x, y = sp.symbols("x y", real=True)
    >>> _settled(9 * (y - x) >= 2 * (x - y))
    -11*x + 11*y >= 0
    """
    found = condition.atoms(sp.core.relational.Relational)
    turned = [r for r in found if r.canonical.canonical != r.canonical]
    whole = {f: sp.Rational(str(f)) for f in condition.atoms(sp.Float) if f.is_finite}
    sides = {r: (r.lhs.xreplace(whole), r.rhs.xreplace(whole)) for r in turned}
    return condition.xreplace({r: r.func(sp.expand(a - b), 0) for r, (a, b) in sides.items()})
