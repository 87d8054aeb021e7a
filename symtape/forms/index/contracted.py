"""Sums of which a delta keeps one term, and brackets and deltas that ranges of indices decide."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import product
from typing import Any

import sympy as sp
from sympy.logic.boolalg import Boolean
from sympy.utilities.iterables import sift

from symtape.forms.index.blocks_of_cases import in_cases, may_be_missing, runs_back
from symtape.forms.index.brackets import Iverson, with_brackets
from symtape.forms.index.ranges import Scope, condition, is_affine, is_never_zero, is_of_indices
from symtape.forms.index.sums import bound, free, restarted
from symtape.forms.limits import marks

_LETTERS = "abcdefghmnpqrstuvwxyz"
_TERMS = 16
"""Into how many terms a product under a sum may be opened."""


def contracted(e: Any, scope: Scope) -> Any:
    """Write an expression without the brackets, deltas and sums that the ranges decide.

    >>> i, j, k = sp.symbols("i j k", integer=True)
    >>> x = sp.IndexedBase("x")
    >>> scope = ((i, 0, 3), (j, 0, 3))
    >>> contracted(sp.Sum(sp.KroneckerDelta(i, k) * x[k], (k, j, 3)), scope)
    Iverson(j <= i)*x[i]
    >>> contracted(sp.Sum(sp.KroneckerDelta(i, k + 5) * x[k], (k, 0, 3)), scope)
    0
    """
    return _Contractions(len(scope)).of(e, scope)


def shortest(e: Any, scope: Scope) -> Any:
    """Write an entry as it came, or with what the ranges decide, whichever is shorter.

    >>> i, k = sp.symbols("i k", integer=True)
    >>> x = sp.IndexedBase("x")
    >>> shortest(sp.Sum(sp.KroneckerDelta(i, k) * x[k], (k, 0, 3)), ((i, 0, 3),))
    x[i]
    """
    if not isinstance(e, sp.Expr) or not _chooses(e):
        return e
    found = contracted(_bracketed(e, scope), scope)
    return in_cases(min(e, contracted(e, scope), found, key=_length), scope)


def decided(e: Any, scope: Scope) -> Any:
    """Decide the cases of an entry once more: SymPy's sums open them, and leave what never holds.

    >>> i, k = sp.symbols("i k", integer=True)
    >>> x = sp.IndexedBase("x")
    >>> never = sp.Piecewise((x[k], (k > 2) & (k < 1)), (x[i], True))
    >>> decided(sp.Sum(never, (k, 0, 3)), ((i, 0, 3),))
    4*x[i]
    """
    if not isinstance(e, sp.Expr) or not e.has(sp.Piecewise):
        return e
    once = contracted(e, scope)
    return min(once, e, contracted(once, scope), key=marks)


def _length(e: Any) -> int:
    """Count marks, and more of them where a sum has deltas that move places around an axis."""
    sums = e.atoms(sp.Sum) if e.has(sp.Mod) else ()
    moves = any(d.has(sp.Mod) for s in sums for d in s.function.atoms(sp.KroneckerDelta))
    return marks(e) * (_MOVED if moves else 1)


_MOVED = 3


def _bracketed(e: Any, scope: Scope) -> Any:
    """Write cases of which the indices alone decide as sums of brackets."""

    def is_plain(cases: Any) -> bool:
        return isinstance(cases, sp.Piecewise) and all(
            is_of_indices(c, scope) and not v.has(sp.oo, -sp.oo, sp.zoo, sp.nan)
            for v, c in cases.args
            if isinstance(v, sp.Expr)
        )

    return e.replace(is_plain, with_brackets)


@lru_cache(maxsize=65536)
def _chooses(e: Any) -> bool:
    """Say whether there is anything to decide."""
    if isinstance(e, (Iverson, sp.Piecewise, sp.KroneckerDelta, sp.Sum, sp.Product, sp.Mod)):
        return True
    return any(map(_chooses, e.args)) if isinstance(e, sp.Basic) else False


class _Contractions:
    """Decides what is in one formula; each part once for the ranges around it."""

    def __init__(self, outer: int) -> None:
        self.outer = outer
        self.known: dict[tuple[Any, Scope], Any] = {}

    def of(self, e: Any, scope: Scope) -> Any:
        """Decide what is in an expression."""
        if not isinstance(e, sp.Basic) or not e.args or not _chooses(e):
            return e
        if (e, scope) not in self.known:
            self.known[e, scope] = self._of(e, scope)
        return self.known[e, scope]

    def _of(self, e: Any, scope: Scope) -> Any:
        match e:
            case Iverson():
                return _bracket(condition(e.args[0], scope), scope)
            case sp.Piecewise():
                return _at_ties(
                    sp.Piecewise(*[(self.of(v, scope), condition(c, scope)) for v, c in e.args])
                )
            case sp.KroneckerDelta():
                return _delta(e.func(*[self.of(a, scope) for a in e.args]), scope)
            case sp.Mod():
                return _remainder(e, scope)
            case sp.Sum():
                return self._sum(e.function, e.limits, scope)
            case sp.Product():
                body = self.of(e.function, (*scope, *reversed(e.limits)))
                return body if body == 1 else _moved(sp.Product(body, *e.limits))
            case Boolean() | sp.MatrixBase():
                return e
        made = e.func(*[self.of(a, scope) for a in e.args])
        if isinstance(made, sp.Add):
            return _in_one_block(_gathered(made, scope))
        return _tied(made, scope) if isinstance(made, sp.Mul) else made

    def _sum(self, body: Any, limits: Sequence[Any], scope: Scope) -> Any:
        body = self.of(body, (*scope, *reversed(limits)))
        if body == 0:
            return sp.S.Zero
        found = [self._kept(term, limits, scope) for term in _opened(body, limits)]
        if all(f is not None for f in found):
            return sp.Add(*found)
        return sp.S.Zero if _cancels(body, limits) else _summed(body, limits)

    def _kept(self, term: Any, limits: Sequence[Any], scope: Scope) -> Any | None:
        """Give what is left of a sum of which a delta keeps one term."""
        for delta in sp.Mul.make_args(term):
            for k, first, last in limits if isinstance(delta, sp.KroneckerDelta) else ():
                rest = [limit for limit in limits if limit[0] != k]
                around = _around(delta, k, first, last)
                if around is not None and not any(k in free(sp.Tuple(*r)) for r in rest):
                    kept = (term / delta).xreplace({k: around})
                    return self._sum(kept, rest, scope) if rest else self.of(kept, scope)
                solved = None if any(k in free(sp.Tuple(*r)) for r in rest) else _solved(delta, k)
                if solved is None:
                    continue
                place, is_whole = solved
                held = Iverson(sp.And(place - first >= 0, last - place >= 0, is_whole))
                kept = (term / delta).xreplace({k: place}) * held
                within = (*scope, *reversed(rest))
                if len(within) > self.outer and runs_back(kept, within):
                    continue
                return self._sum(kept, rest, scope) if rest else self.of(kept, scope)
        return None


# --- brackets and deltas --------------------------------------------------------------------------


def _bracket(c: Any, scope: Scope) -> Any:
    """Write the bracket of a condition, and deltas where it says that places are equal."""
    deltas = [
        e
        for e in sp.And.make_args(c)
        if isinstance(e, sp.Eq) and is_of_indices(e, scope) and is_affine(e.lhs - e.rhs)
    ]
    rest = sp.And(*[e for e in sp.And.make_args(c) if e not in deltas])
    return sp.Mul(*[sp.KroneckerDelta(e.lhs, e.rhs) for e in deltas]) * Iverson(rest)


def _delta(e: Any, scope: Scope) -> Any:
    """Decide a delta, or write it with what is added at the smaller index: δ(j, i + 1)."""
    gap = sp.expand(e.args[0] - e.args[1])
    if is_never_zero(gap, scope):
        return sp.S.Zero
    constant, rest = gap.as_coeff_Add()
    if rest == 0 or not is_of_indices(gap, scope) or not _is_difference(rest):
        return e
    a, b = sorted(free(rest), key=lambda k: rest.coeff(k) * constant, reverse=True)
    return sp.KroneckerDelta(a + abs(constant), b)


def _remainder(e: Any, scope: Scope) -> Any:
    """Write an index for its remainder, where it never is as large as what divides it."""
    k, n = e.args
    return k if (k, 0, n - 1) in scope else e


def _at_ties(e: Any) -> Any:
    """Write what decides at the one place where a delta lets it count.

    >>> i = sp.Symbol("i", integer=True)
    >>> x = sp.IndexedBase("x")
    >>> _at_ties(sp.Piecewise((sp.KroneckerDelta(i, 2) * x[i], x[i + 1] > 0), (0, True)))
    Piecewise((KroneckerDelta(2, i)*x[i], x[3] > 0), (0, True))
    """
    if not isinstance(e, sp.Piecewise) or len(e.args) != 2 or e.args[1].expr != 0:
        return e
    value, decides = e.args[0]
    deltas = [f for f in sp.Mul.make_args(value) if isinstance(f, sp.KroneckerDelta)]
    places = [sorted(d.args, key=lambda a: a.is_Integer) for d in deltas]
    ties = {i: place for i, place in places if place.is_Integer and i.is_Symbol}
    return sp.Piecewise((value, decides.xreplace(ties)), *e.args[1:])


def _is_difference(e: Any) -> bool:
    numbers = e.as_coefficients_dict()
    return sorted(numbers.values()) == [-1, 1] and all(i.is_Symbol for i in numbers)


def _gathered(e: Any, scope: Scope) -> Any:
    """Add up the brackets of what is alike.

    >>> i, j = sp.symbols("i j", integer=True)
    >>> x = sp.IndexedBase("x")
    >>> _gathered(Iverson(i <= j) * x[i] + Iverson(i < j) * x[i], ((i, 0, 3), (j, 0, 3)))
    (Iverson(i <= j) + Iverson(i < j))*x[i]
    """
    found: dict[Any, list[Any]] = {}
    for term in e.args:
        own, rest = sift(sp.Mul.make_args(term), lambda f: isinstance(f, Iverson), binary=True)
        found.setdefault(sp.Mul(*rest), []).append(sp.Mul(*own))
    terms = []
    for rest, brackets in found.items():
        is_whole = len(brackets) == 1 or may_be_missing(rest) or runs_back(rest, scope)
        terms += [rest * b for b in brackets] if is_whole else [rest * sp.Add(*brackets)]
    return sp.Add(*terms)


def _in_one_block(e: Any) -> Any:
    """Write cases of the same conditions as one block.

    >>> x, y = sp.symbols("x y")
    >>> _in_one_block(sp.Piecewise((x, x > 0), (0, True)) + 2 * sp.Piecewise((y, x > 0), (0, True)))
    Piecewise((x + 2*y, x > 0), (0, True))
    """
    found: dict[Any, list[Any]] = {}
    for term in sp.Add.make_args(e):
        number, cases = term.as_coeff_Mul()
        held = tuple([c for _, c in cases.args]) if isinstance(cases, sp.Piecewise) else term
        found.setdefault(held, []).append(term if held is term else (number, cases))
    terms = []
    for held, own in found.items():
        if not isinstance(held, tuple):
            terms += own
            continue
        values = [[number * v for v, _ in cases.args] for number, cases in own]
        joined = zip(map(sp.Add, *values), held, strict=True)
        terms.append(sp.Piecewise(*joined) if len(own) > 1 else sp.Mul(*own[0]))
    return sp.Add(*terms)


def _tied(e: Any, scope: Scope) -> Any:
    """Decide the brackets of a product by the deltas in it, term by term where that is needed.

    >>> i, j = sp.symbols("i j", integer=True)
    >>> e = Iverson(i - 1 >= 0) * sp.KroneckerDelta(j, i - 1)
    >>> _tied(e, ((i, 0, 3), (j, 0, 3)))
    KroneckerDelta(j, i - 1)
    """
    if not e.has(Iverson):
        return e
    terms = _opened(e, scope, always=False)
    return sp.Add(*[_tied_term(term, scope) for term in terms])


def _tied_term(term: Any, scope: Scope) -> Any:
    factors = sp.Mul.make_args(term)
    deltas = [f for f in factors if isinstance(f, sp.KroneckerDelta)]
    ties = [
        {k: solved[0]}
        for delta in deltas
        for k in sorted(free(delta), key=str)
        if (solved := _solved(delta, k)) is not None and solved[1] is sp.true
    ]
    brackets = [f for f in factors if isinstance(f, Iverson)]
    parts = sp.And.make_args(sp.And(*[f.args[0] for f in brackets]))
    held = Iverson(sp.And(*[_by_ties(c, ties, scope) for c in parts]))
    return held * sp.Mul(*[f for f in factors if f not in brackets])


def _by_ties(c: Any, ties: Sequence[dict[Any, Any]], scope: Scope) -> Any:
    """Decide a condition with one index in the place of another, if that decides it."""
    for tie in ties:
        decided = condition(c.xreplace(tie), scope)
        if decided in (sp.true, sp.false):
            return decided
    return c


# --- sums -----------------------------------------------------------------------------------------


def _around(delta: Any, k: Any, first: Any, last: Any) -> Any | None:
    """Give what an index is where a delta is 1 that moves places around an axis.

    >>> i, j = sp.symbols("i j", integer=True)
    >>> _around(sp.KroneckerDelta(i, sp.Mod(j + 5, 6)), j, 0, 5)
    Mod(i + 1, 6)
    """
    for moved, place in (delta.args, delta.args[::-1]):
        if not isinstance(moved, sp.Mod) or (first, last + 1) != (0, moved.args[1]):
            continue
        more = moved.args[0] - k
        if place == k and k not in free(moved):
            return moved
        if k not in free(sp.Tuple(more, place)):
            return sp.Mod(place - more, moved.args[1])
    return None


def _solved(delta: Any, k: Any) -> tuple[Any, Any] | None:
    """Give what an index is where a delta is 1, and when that is a whole number.

    >>> i, j = sp.symbols("i j", integer=True)
    >>> _solved(sp.KroneckerDelta(i, 2 * j + 1), j)
    (i/2 - 1/2, Eq(Mod(i + 1, 2), 0))
    """
    gap = sp.expand(delta.args[0] - delta.args[1])
    number = gap.coeff(k)
    rest = gap - number * k
    if not number.is_Rational or number == 0 or k in free(rest):
        return None
    place = sp.expand(-rest / number)
    if is_affine(place):
        return place, sp.true
    count = sp.ilcm(1, *[n.q for n in place.as_coefficients_dict().values()])
    if not is_affine(count * place):
        return None
    return place, sp.Eq(sp.Mod(sp.expand(count * place), count), 0)


def _opened(body: Any, limits: Sequence[Any], *, always: bool = True) -> list[Any]:
    """Open products of sums of deltas, so that each term has its own."""
    within = {k for k, *_ in limits}

    def is_tied(e: Any) -> bool:
        return any(d.free_symbols & within for d in e.atoms(sp.KroneckerDelta))

    factors = sp.Mul.make_args(body)
    if always and any(isinstance(f, sp.KroneckerDelta) and is_tied(f) for f in factors):
        return [body]
    tied = [f for f in factors if isinstance(f, sp.Add) and is_tied(f)]
    rest = sp.Mul(*[f for f in factors if f not in tied])
    found = list(product(*[f.args for f in tied]))
    if not tied or len(found) > _TERMS:
        return [body]
    return [rest * sp.Mul(*choice) for choice in found]


def _summed(body: Any, limits: Sequence[Any]) -> Any:
    """Write a sum, with what does not depend on the indices before it."""
    within = {k for k, *_ in limits}
    own = [f for f in sp.Mul.make_args(body) if within & free(f)]
    outer = [f for f in sp.Mul.make_args(body) if not within & free(f)]
    return sp.Mul(*outer) * bound(sp.Sum, sp.Mul(*own), *limits)


def _cancels(body: Any, limits: Sequence[Any]) -> bool:
    """Say whether what stands for the mean of all terms takes them away: Σ (x - Σ x / n)."""
    if len(limits) != 1 or not isinstance(body, sp.Add):
        return False
    ((k, first, last),) = limits
    alone, own = body.as_independent(k, as_Add=True)
    if alone == 0 or own == 0:
        return False
    number, rest = own.as_content_primitive()
    whole = number * sp.Sum(rest, (k, first, last)) + (last - first + 1) * alone
    return bool(restarted(whole, _LETTERS) == 0)


def _moved(e: Any) -> Any:
    """Count from where the elements are: ∏ x[k] from i + 1 for ∏ x[k + 1] from i."""
    if len(e.limits) != 1 or e.limits[0][1].is_Integer:
        return e
    ((k, first, last),) = e.limits
    places = {p for x in e.function.atoms(sp.Indexed) for p in x.indices if k in free(p)}
    steps = {p - k for p in places}
    if len(steps) != 1 or not (step := steps.pop()).is_Integer or step == 0:
        return e
    return sp.Product(e.function.xreplace({k: k - step}), (k, first + step, last + step))
