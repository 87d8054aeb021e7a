"""Balls as a kind of number: a program is run over them, and every result has a bound."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
import sympy as sp

from symtape.errors import NoExactFormError
from symtape.exact.balls import arithmetic
from symtape.exact.balls.bodies import Body, chosen
from symtape.exact.balls.matrices import BallMatrices
from symtape.exact.balls.numbers import (
    Ball,
    are_equal,
    flint,
    is_ball,
    is_complex,
    is_exact,
    is_finite,
    is_less,
    is_unknown,
    lifted,
    of_atom,
    of_number,
    unknown,
)
from symtape.exact.balls.text import text
from symtape.exact.truth import Truth, Undecided, every, some
from symtape.program.operations import Constant, Map, parameters


class Kink(NamedTuple):
    """A relation that is not decided: in the symbols `a0`, `a1`, … of the operands' entries."""

    relation: Any
    operands: tuple[Any, ...]


class Balls(BallMatrices):
    """Numbers of Arb, in the working precision that is set; `kinks` are not decided."""

    def __init__(self) -> None:
        self.kinks: list[Kink] = []

    def number(self, value: Any) -> Any:
        """Make a ball of radius zero of a NumPy scalar."""
        return bool(value) if np.asarray(value).dtype.kind == "b" else of_number(value)

    def constant(self, operation: Constant) -> Any:
        """Give the number that the program computes with; a derived fraction is itself."""
        if isinstance(operation.number, sp.Rational):
            return of_atom(operation.number)
        return self.number(operation.value)

    def function(self, operation: Map) -> Callable[..., Any]:
        """Compute the body of balls."""

        def compute(*elements: Any) -> Any:
            def tell(relation: Any) -> None:
                self.kinks.append(Kink(relation, elements))

            symbols, body = _body(operation, _alike(elements))
            found = Body(dict(zip(symbols, elements, strict=True)), tell).result(body)
            return self._of_result(found, operation, elements)

        return compute

    def _of_result(self, found: Any, operation: Map, elements: Sequence[Any]) -> Any:
        """Refuse complex numbers where real ones went in."""
        if not is_complex(found) or operation.result == "complex":
            return found
        if any(map(is_complex, elements)):
            return found
        return found.real if found.imag == 0 else unknown()

    def add(self, terms: Sequence[Any]) -> Any:
        """Add up."""
        return arithmetic.total(terms)

    def multiply(self, factors: Sequence[Any]) -> Any:
        """Multiply."""
        return arithmetic.product(factors)

    def cast(self, x: Any, source: np.dtype[Any], target: np.dtype[Any]) -> Any:
        """Cut what stands after the point; truth is 1 or 0."""
        if target.kind == "b":
            return x if _is_truth(x) else self._not_zero(lifted(x))
        if _is_truth(x):
            return arithmetic.of_truth(x)
        x = lifted(x)
        if target.kind in "iu" and source.kind not in "iu":
            found = _whole(x.real)
            if not found.is_exact():
                self.kinks.append(Kink(_IS_WHOLE, (x,)))
            return found
        return x.real if source.kind == "c" != target.kind else x

    def _not_zero(self, x: Ball) -> Truth:
        zero = are_equal(x, of_number(0))
        if isinstance(zero, Undecided):
            self.kinks.append(Kink(sp.Ne(_PAIR[0], 0), (x,)))
            return zero
        return not zero

    def extremum(self, which: str, elements: Sequence[Any]) -> Any:
        """Choose; of truths, say whether any or all hold."""
        if elements and all(map(_is_truth, elements)):
            return (some if which == "max" else every)(elements)
        if not elements:
            return flint().arb("-inf" if which == "max" else "inf")
        balls = [lifted(x) for x in elements]
        best = chosen(balls, which == "max")
        if isinstance(best, int):
            return elements[best]
        self._open([balls[k] for k in best])
        return (arithmetic.greatest if which == "max" else arithmetic.least)(balls)

    def _open(self, candidates: Sequence[Ball]) -> None:
        """Note that it is not decided which of some elements is the one."""
        first, *rest = candidates
        one, other = _PAIR
        for x in rest:
            self.kinks.append(Kink(sp.Gt(other, one, evaluate=False), (first, x)))

    def order(self, elements: Sequence[Any]) -> list[int]:
        """Sort stably; raises `NoExactFormError` where the order is not decided."""
        balls = [arithmetic.of_truth(x) if _is_truth(x) else lifted(x) for x in elements]
        middles = sorted(range(len(balls)), key=lambda k: _middle(balls[k]))
        for place, k in enumerate(middles[1:]):
            before = middles[place]
            later = is_less(balls[before], balls[k])
            if later is not True and are_equal(balls[before], balls[k]) is not True:
                raise NoExactFormError(
                    "the order of entries is not decided: two of them are equal, or differ by "
                    "less than what is known of them; numpy() has the order of floats, and over a "
                    "box, a smaller one or splits=... may decide it"
                )
        return middles

    def index(self, x: Any) -> int:
        """Give the place that a number names; `NoExactFormError` where it may be several."""
        found = None if _is_truth(x) else lifted(x).unique_fmpz()
        if found is None:
            raise NoExactFormError(f"which entry is meant is not decided: its place is {text(x)}")
        return int(found)


def _alike(elements: Sequence[Any]) -> tuple[int, ...]:
    """Say for each element which is the first that is the same quantity."""
    first: dict[int, int] = {}
    for k, x in enumerate(elements):
        first.setdefault(id(x), k)
    if len(first) == len(elements):
        return tuple(range(len(elements)))
    return tuple([first[id(x)] if _is_rounded(x) else k for k, x in enumerate(elements)])


def _is_rounded(x: Any) -> bool:
    return is_ball(x) and is_finite(x) and not is_exact(x)


@lru_cache(maxsize=4096)
def _body(operation: Map, alike: tuple[int, ...]) -> tuple[tuple[Any, ...], Any]:
    """Give a body and its symbols, with one symbol for what is one quantity: x - x is zero."""
    symbols, body = operation.at_points
    if alike == tuple(range(len(symbols))):
        return symbols, body
    return symbols, body.xreplace({s: symbols[k] for s, k in zip(symbols, alike, strict=True)})


_PAIR = tuple(sp.Symbol(s.name) for s in parameters(2))
"""The symbols of two operands."""
_IS_WHOLE = sp.Eq(_PAIR[0], sp.floor(_PAIR[0]), evaluate=False)


def _middle(x: Ball) -> Any:
    """Give the middle as a number that Python sorts; what is unknown has none."""
    if is_unknown(x):
        raise NoExactFormError("the order of entries is not decided: of one nothing is known")
    return _Sorted(x.mid())


class _Sorted:
    """An exact number of Arb's, by its size."""

    __slots__ = ("ball",)

    def __init__(self, ball: Ball) -> None:
        self.ball = ball

    def __lt__(self, other: _Sorted) -> bool:
        return bool(self.ball < other.ball)


def _is_truth(x: Any) -> bool:
    return isinstance(x, (bool, Undecided, np.bool_))


def _whole(x: Ball) -> Ball:
    """Round towards zero."""
    if x >= 0:
        return x.floor()
    return x.ceil() if x <= 0 else arithmetic.hull([x.lower().ceil(), x.upper().floor()])
