"""Sums and products over indices, with conditions within the scope of their indices."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

import sympy as sp
from sympy.utilities.iterables import sift

from symtape.errors import ExpansionError
from symtape.forms.index.brackets import with_brackets
from symtape.forms.index.common_factors import with_common_factors
from symtape.forms.index.oriented import with_one_sign
from symtape.forms.limits import marks
from symtape.forms.power_sums import summed_polynomial
from symtape.forms.scalars.powers.one_base import with_powers_joined
from symtape.program.relations import has_cases

NO_SUM_OF_EXTREMA = (
    "a sum over the extremum of a segment, which may be empty, has no index notation; "
    "entries writes it out, and latex('steps') its steps"
)

Out = Callable[[Any], tuple[Any, Any]]
"""Takes a number out of a sum."""


def brackets(e: Any) -> Any:
    """Write cases as a sum of brackets; raises `ExpansionError` for infinite ones."""
    for cases in e.atoms(sp.Piecewise):
        if any(value.has(sp.oo, -sp.oo, sp.zoo, sp.nan) for value, _ in cases.args):
            raise ExpansionError(NO_SUM_OF_EXTREMA)
    return with_brackets(e)


@lru_cache(maxsize=65536)
def free(e: Any) -> frozenset[Any]:
    """Collect the free symbols; of shared parts once, where SymPy walks a tree each time."""
    if isinstance(e, (sp.Sum, sp.Product)):
        found = free(e.function)
        for k, *ends in e.limits:  # the innermost first
            found = (found - {k}).union(*map(free, ends))
        return found
    if not e.args or not isinstance(e, sp.Basic):
        return frozenset(getattr(e, "free_symbols", ()))
    return frozenset().union(*map(free, e.args))


def bound(join: Any, body: Any, *bounds: Any) -> Any:
    """Write a sum or a product, with every condition within the scope of its indices.

    Without indices it is its one term. An empty range gives the number that changes nothing, a
    range of one place the term there, what does not depend on its index a multiple or a power, and
    the sum of a polynomial of its index one of its ends.
    """
    if any(last - first == -1 for _, first, last in bounds):
        return sp.S.Zero if join is sp.Sum else sp.S.One
    alone = {k: sp.sympify(first) for k, first, last in bounds if first == last}
    body = body.xreplace(alone) if alone else body
    bounds = tuple(b for b in bounds if b[0] not in alone)
    if not bounds:
        return body
    if len(bounds) == 1 and not free(body):
        _, first, last = bounds[0]
        count = last - first + 1
        return body * count if join is sp.Sum else body**count
    if len(bounds) == 1 and join is sp.Sum:
        closed = summed_polynomial(body, *bounds[0])
        if closed is not None:
            return closed
    body = brackets(body) if has_cases(body) else body
    if join is not sp.Sum:
        return join(body, *bounds)
    number, rest = body.as_coeff_Mul()
    return number * sp.Sum(rest, *bounds)


def summed(body: Any, bounds: list[Any]) -> Any:
    """Write a sum, with what does not depend on the indices before it."""
    body, bounds = _without_deltas(body, bounds)
    symbols = free(body)
    count = sp.Mul(*[last + 1 for k, _, last in bounds if k not in symbols])
    rest = [b for b in bounds if b[0] in symbols]
    return count * with_constants_outside(body, rest) if rest else count * body


def with_constants_outside(body: Any, bounds: Sequence[Any]) -> Any:
    """Write a sum, with the factors that do not depend on its indices before it.

    >>> i, c = sp.Symbol("i", integer=True), sp.Symbol("c")
    >>> x = sp.IndexedBase("x")
    >>> with_constants_outside(x[i] / c, [(i, 0, 2)]), with_constants_outside(1 / c, [(i, 0, 2)])
    (Sum(x[i], (i, 0, 2))/c, 3/c)
    """
    within = {k for k, *_ in bounds}
    outer, inner = sift(sp.Mul.make_args(body), lambda e: bool(within & free(e)), binary=True)[::-1]
    return sp.Mul(*outer) * bound(sp.Sum, sp.Mul(*inner), *bounds)


def _without_deltas(body: Any, bounds: list[Any]) -> tuple[Any, list[Any]]:
    """Put the other index in the place of one that a delta ties it to: Σₖ δᵢₖ xₖ is xᵢ."""
    for factor in sp.Mul.make_args(body):
        if isinstance(factor, sp.KroneckerDelta):
            a, b = factor.args
            for index, other in ((a, b), (b, a)):
                tied = [bound for bound in bounds if bound[0] == index]
                if tied and isinstance(other, sp.Symbol):
                    rest = (body / factor).xreplace({index: other})
                    return _without_deltas(rest, [b for b in bounds if b not in tied])
    return body, bounds


# --- numbers in front ----------------------------------------------------------------------------


def shortened(e: Any) -> Any:
    """Write an entry with numbers and what all terms share outside, where that is shorter."""
    e = min([e, *with_powers_joined(e)], key=marks)
    ways = [e, with_content_outside(e), with_content_outside(e, parts=True)]
    if (turned := with_one_sign(e)) != e:
        ways += [turned, with_content_outside(turned)]
    return min([*ways, *map(with_common_factors, ways)], key=marks)


def with_content_outside(e: Any, *, parts: bool = False) -> Any:
    """Take numbers that all terms of a factor have out of it, and out of the sums that it is in.

    If `parts`, what is left may be 1 and parts of it, as x - y/3.

    >>> i, k = sp.symbols("i k", integer=True)
    >>> x, y = sp.IndexedBase("x"), sp.IndexedBase("y")
    >>> with_content_outside(sp.Sum((2 * x[k] + 4 * y[i]) * y[k], (k, 0, 1)))
    2*Sum((x[k] + 2*y[i])*y[k], (k, 0, 1))
    """
    number, rest = _content(e, {}, _largest if parts else sp.Add.primitive)
    return number * rest


def _largest(e: Any) -> tuple[Any, Any]:
    """Take the largest number out of a sum, if it leaves 1 and parts of it: 2 (x - y/3).

    A whole number that is added stays whole.

    >>> x, y = sp.symbols("x y")
    >>> _largest(2 * x - 2 * y / 3), _largest(3 * x + 2 * y), _largest(2 * x - 1)
    ((2, x - y/3), (1, 3*x + 2*y), (1, 2*x - 1))
    """
    numbers = [term.as_coeff_Mul()[0] for term in e.args]
    if not all(n.is_Rational for n in numbers):
        return sp.S.One, e
    number = max(map(abs, numbers))
    alone = sp.Add(*[term for term in e.args if term.is_number])
    if any(abs((n / number).p) != 1 for n in numbers) or (alone / number).q > alone.q:
        return sp.S.One, e
    return number, sp.Add(*[term / number for term in e.args])


def _content(e: Any, known: dict[Any, tuple[Any, Any]], out: Out) -> tuple[Any, Any]:
    """Take a number out of an expression; what is a sum keeps its sign, but in a product."""
    if isinstance(e, sp.MatrixExpr):  # is written as it is: SymPy would compute what it is of
        return sp.S.One, e
    if not isinstance(e, sp.Expr) or not e.args:
        return (e, sp.S.One) if isinstance(e, sp.Rational) and e else (sp.S.One, e)
    if e not in known:
        known[e] = _content_of(e, known, out)
    return known[e]


def _content_of(e: Any, known: dict[Any, tuple[Any, Any]], out: Out) -> tuple[Any, Any]:
    if isinstance(e, sp.Mul):
        parts = [_content(a, known, out) for a in e.args]
        number = sp.Mul(*[n for n, _ in parts])
        rests = [r for _, r in parts]
        if number.is_negative:
            for place, rest in enumerate(rests):
                if isinstance(rest, sp.Add) and rest.could_extract_minus_sign():
                    rests[place], number = -rest, -number
                    break
        return number, sp.Mul(*rests)
    if isinstance(e, sp.Sum):
        number, rest = _content(e.function, known, out)
        if not number.is_Rational or rest == 1:
            return sp.S.One, e
        return number, sp.Sum(rest, *e.limits)
    inner = [sp.Mul(*_content(a, known, out)) if isinstance(a, sp.Expr) else a for a in e.args]
    made = e.func(*inner) if inner != [*e.args] else e
    return out(made) if isinstance(made, sp.Add) else (sp.S.One, made)


# --- names of indices -----------------------------------------------------------------------------


def restarted(e: Any, letters: Sequence[str]) -> Any:
    """Let summation indices start with the first letter in every term, so that equal sums are one.

    >>> i, m, n = sp.symbols("i m n", integer=True)
    >>> A, x = sp.IndexedBase("A"), sp.IndexedBase("x")
    >>> e = sp.Sum(A[i, m] * x[m], (m, 0, 1)) + sp.Sum(A[i, n] * x[n], (n, 0, 1))
    >>> restarted(e, "jkl")
    2*Sum(A[i, j]*x[j], (j, 0, 1))
    """
    if not isinstance(e, sp.Basic) or not e.has(sp.Sum, sp.Product):
        return e
    return _lettered(_anonymous(e, {}), letters, 0, {})


def _anonymous(e: Any, known: dict[Any, Any]) -> Any:
    """Write every bound index as a symbol of its own; what is equal is written once."""
    if not e.has(sp.Sum, sp.Product):
        return e
    if e not in known:
        known[e] = _with_own_indices(e, known)
    return known[e]


def _with_own_indices(e: Any, known: dict[Any, Any]) -> Any:
    if not isinstance(e, (sp.Sum, sp.Product)):
        return e.func(*[_anonymous(x, known) for x in e.args])
    swap = {k: sp.Dummy(integer=True) for k, *_ in e.limits}
    limits = [(swap[k], *[end.xreplace(swap) for end in ends]) for k, *ends in e.limits]
    return e.func(_anonymous(e.function, known).xreplace(swap), *limits)


def _lettered(e: Any, letters: Sequence[str], depth: int, known: dict[Any, Any]) -> Any:
    if not e.has(sp.Sum, sp.Product):
        return e
    if (e, depth) not in known:
        known[e, depth] = _with_letters(e, letters, depth, known)
    return known[e, depth]


def _with_letters(e: Any, letters: Sequence[str], depth: int, known: dict[Any, Any]) -> Any:
    if not isinstance(e, (sp.Sum, sp.Product)):
        return e.func(*[_lettered(x, letters, depth, known) for x in e.args])
    swap: dict[Any, Any] = {}
    for k, *_ in reversed(e.limits):
        again, place = divmod(depth + len(swap), len(letters))
        name = letters[place] + (str(again) if again else "")
        swap[k] = sp.Symbol(name, integer=True)
    limits = [(swap[k], *[end.xreplace(swap) for end in ends]) for k, *ends in e.limits]
    inner = _lettered(e.function.xreplace(swap), letters, depth + len(swap), known)
    return e.func(inner, *limits)
