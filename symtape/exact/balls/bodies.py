"""Bodies of elementwise operations over balls: SymPy's trees, computed node by node."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any

import sympy as sp

from symtape.errors import UnsupportedError
from symtape.exact.balls import arithmetic
from symtape.exact.balls.functions import FUNCTIONS
from symtape.exact.balls.numbers import (
    Ball,
    are_equal,
    is_complex,
    is_finite,
    is_less,
    lifted,
    of_atom,
    unknown,
)
from symtape.exact.truth import UNDECIDED, Truth, every, odd, one_of_two, opposite, some

Told = Callable[[Any], None]
"""Hears of a relation that is not decided, in the symbols of the body."""


class Body:
    """A body at one element: what its nodes are, each computed once."""

    __slots__ = ("_tell", "known")

    def __init__(self, known: dict[Any, Any], tell: Told) -> None:
        self.known, self._tell = known, tell

    def value(self, e: Any) -> Any:
        """Compute a node: a ball, or a truth."""
        found = self.known.get(e)
        if found is None:
            found = self.known[e] = self._computed(e)
        return found

    def ball(self, e: Any) -> Ball:
        """Compute a node that is a number."""
        return lifted(self.value(e))

    def balls(self, e: Any) -> list[Ball]:
        """Compute the arguments of a node."""
        return [self.ball(arg) for arg in e.args]

    def result(self, e: Any) -> Any:
        """Compute the whole body; of a truth that is not decided, note what leaves it open."""
        found = self.value(e)
        if found is UNDECIDED:
            _tell_of(self, e)
        return found

    def tell(self, relation: Any) -> None:
        """Note a relation that is not decided."""
        self._tell(relation)

    def _computed(self, e: Any) -> Any:
        atom = None if e.args or not e.is_number else of_atom(e)
        if atom is not None:
            return atom
        rule = _RULES.get(e.func)
        if rule is not None:
            return rule(self, e)
        function = FUNCTIONS.get(e.func)
        if function is None:
            raise UnsupportedError(
                f"{e.func.__name__} is not known to Arb, so that there is no enclosure of "
                f"{e!s:.60}; evalf(digits) gives digits of it"
            )
        return function(*self.balls(e))


def _sum(body: Body, e: Any) -> Ball:
    return arithmetic.total(body.balls(e))


def _product(body: Body, e: Any) -> Ball:
    return arithmetic.product([body.value(arg) for arg in e.args])


def _power(body: Body, e: Any) -> Ball:
    base = body.ball(e.base)
    if e.exp.is_Integer and abs(int(e.exp)) < 1 << 31:
        return arithmetic.whole_power(base, int(e.exp))
    if e.exp == -sp.S.Half:
        return arithmetic.reciprocal(arithmetic.root(base))
    return arithmetic.power(base, body.ball(e.exp))


# --- cases ----------------------------------------------------------------------------------------


def _cases(body: Body, e: Any) -> Ball:
    """Take what holds; of conditions that are not decided, a ball around all that may hold."""
    bridge = _continuous(e)
    if bridge is not None and body.value(e.args[0].cond) is UNDECIDED:
        found = body.ball(bridge)
        if is_finite(found):
            return found
    possible = []
    for value, condition in e.args:
        holds = body.value(condition)
        if holds is not False:
            possible.append(body.value(value))
        if holds is True:
            return arithmetic.hull(possible) if len(possible) > 1 else possible[0]
        if holds is UNDECIDED:
            _tell_of(body, condition)
    return unknown()


@lru_cache(maxsize=4096)
def _continuous(e: Any) -> Any | None:
    """Give the second of two cases, if the first is its own value where two things are equal.

    So it is with 0 at x = 0, else x log(y): where the second case has a bound, it is the function.
    """
    if len(e.args) != 2 or not isinstance(e.args[0].cond, sp.Eq) or e.args[1].cond != sp.true:
        return None
    for one, other in (e.args[0].cond.args, e.args[0].cond.args[::-1]):
        if one.is_Symbol and e.args[1].expr.xreplace({one: other}) == e.args[0].expr:
            return e.args[1].expr
    return None


def _tell_of(body: Body, condition: Any) -> None:
    """Note which relations leave a condition open; that of an operand was noted where it arose."""
    if condition.is_Symbol:
        return
    if isinstance(condition, (sp.And, sp.Or, sp.Not, sp.Xor, sp.ITE)):
        for inner in condition.args:
            if body.value(inner) is UNDECIDED:
                _tell_of(body, inner)
    else:
        body.tell(condition)


def _compared(question: Callable[[Any, Any], Truth]) -> Callable[[Body, Any], Truth]:
    """Ask of truths whether they are equal, and of numbers what is asked."""

    def compare(body: Body, e: Any) -> Truth:
        x, y = (body.value(arg) for arg in e.args)
        return question(x, y)

    return compare


def equal(x: Any, y: Any) -> Truth:
    """Say whether two numbers or two truths are equal."""
    truths = [v for v in (x, y) if v is UNDECIDED or isinstance(v, bool)]
    if truths:
        return opposite(odd([x, y])) if len(truths) == 2 else UNDECIDED
    return are_equal(x, y)


# --- what has a kink or a jump --------------------------------------------------------------------


def _extreme(
    largest: bool, choose: Callable[[Sequence[Ball]], Ball]
) -> Callable[[Body, Any], Ball]:
    """Choose among the arguments of a node."""

    def rule(body: Body, e: Any) -> Ball:
        pairs = list(zip(body.balls(e), e.args, strict=True))
        best = chosen([x for x, _ in pairs], largest)
        if isinstance(best, int):
            return pairs[best][0]
        first, *rest = [pairs[k][1] for k in best]
        for other in rest:
            body.tell(sp.Gt(other, first, evaluate=False))
        return choose([x for x, _ in pairs])

    return rule


def chosen(balls: Sequence[Ball], largest: bool) -> int | list[int]:
    """Give the place of the largest, or of those that may be it."""
    better = _better(largest)
    best = 0
    for k, x in enumerate(balls):
        best = k if better(x, balls[best]) is True else best
    if all(better(x, balls[best]) is False for x in balls):
        return best
    kept = [k for k, x in enumerate(balls) if better(balls[best], x) is not True]
    apart: list[int] = []
    for k in kept:
        if not any(equal(balls[k], balls[j]) is True for j in apart):
            apart.append(k)
    return apart[0] if len(apart) == 1 else apart


def _better(largest: bool) -> Callable[[Ball, Ball], Truth]:
    return (lambda x, y: is_less(y, x)) if largest else is_less


def _absolute(body: Body, e: Any) -> Ball:
    (x,) = body.balls(e)
    if not is_complex(x) and _crosses(x):
        body.tell(sp.Gt(e.args[0], 0, evaluate=False))
        return arithmetic.interval(x.abs_lower() * 0, x.abs_upper())
    return abs(x)


def _sign(body: Body, e: Any) -> Ball:
    (x,) = body.balls(e)
    if not is_complex(x) and not (x > 0 or x < 0 or x.is_exact()):
        body.tell(sp.Gt(e.args[0], 0, evaluate=False))
        return arithmetic.hull([x.lower().sgn(), x.upper().sgn()])
    return x.sgn()


def _crosses(x: Ball) -> bool:
    """Say whether it is not decided on which side of zero a real number is."""
    return not (x >= 0 or x <= 0)


def _step(round_it: Callable[[Ball], Ball]) -> Callable[[Body, Any], Ball]:
    """Round to a whole number."""

    def rule(body: Body, e: Any) -> Ball:
        (x,) = body.balls(e)
        found = arithmetic.monotone(round_it, x)
        if not found.is_exact():
            body.tell(sp.Eq(e.args[0], e, evaluate=False))
        return found

    return rule


def _delta(body: Body, e: Any) -> Ball:
    same = equal(*[body.value(arg) for arg in e.args])
    return arithmetic.of_truth(same)


_RULES: Mapping[Any, Callable[[Body, Any], Any]] = {
    sp.Add: _sum,
    sp.Mul: _product,
    sp.Pow: _power,
    sp.Piecewise: _cases,
    sp.StrictLessThan: _compared(is_less),
    sp.StrictGreaterThan: _compared(lambda x, y: is_less(y, x)),
    sp.LessThan: _compared(lambda x, y: opposite(is_less(y, x))),
    sp.GreaterThan: _compared(lambda x, y: opposite(is_less(x, y))),
    sp.Equality: _compared(equal),
    sp.Unequality: _compared(lambda x, y: opposite(equal(x, y))),
    type(sp.true): lambda body, e: True,
    type(sp.false): lambda body, e: False,
    sp.And: lambda body, e: every([body.value(a) for a in e.args]),
    sp.Or: lambda body, e: some([body.value(a) for a in e.args]),
    sp.Not: lambda body, e: opposite(body.value(e.args[0])),
    sp.Xor: lambda body, e: odd([body.value(a) for a in e.args]),
    sp.ITE: lambda body, e: one_of_two(*[body.value(a) for a in e.args]),
    sp.Max: _extreme(True, arithmetic.greatest),
    sp.Min: _extreme(False, arithmetic.least),
    sp.Abs: _absolute,
    sp.sign: _sign,
    sp.floor: _step(lambda x: x.floor()),
    sp.ceiling: _step(lambda x: x.ceil()),
    sp.KroneckerDelta: _delta,
    sp.hyper: lambda body, e: body.ball(e.args[2]).hypgeom(*map(body.balls, e.args[:2])),
}
