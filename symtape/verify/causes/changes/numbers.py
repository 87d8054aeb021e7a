"""Which number in a function is wrong, or which factor is missing: found by solving for it.

What a function gives is mostly linear in a number of its source. So it is run with two numbers, and
the one that would give the truth is tried.
"""

from __future__ import annotations

import ast
import types
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from symtape.verify.causes.changes.inserted import is_term
from symtape.verify.causes.changes.listed import Option, Spot, spots_of
from symtape.verify.causes.changes.syntax import SIGN, at
from symtape.verify.causes.changes.variants import NO_PROGRAM
from symtape.verify.causes.code.sources import CHOICE, Source


class Unknown(NamedTuple):
    """A function of a number that stands at a spot, which is in `cell`, and its first value."""

    spot: Spot
    function: Callable[..., Any]
    cell: Any
    start: float

    @property
    def is_factor(self) -> bool:
        """Whether the number is a factor that was put in."""
        return not isinstance(self.spot.node, ast.Constant)

    def option(self, number: float) -> Option:
        """Say what is wrong if a number is right."""
        near = float(f"{number:.6g}")
        new = ast.Constant(near)
        if not self.is_factor:
            words = f"the number {self.spot.node.value} is wrong, and {near:g} is right"
            return Option(at(new, self.spot.node), words)
        if near == 0:
            return Option(at(new, self.spot.node), "a term does not belong there")
        words = SIGN if near == -1 else f"the factor {near:g} is missing"
        return Option(at(ast.BinOp(new, ast.Mult(), self.spot.node), self.spot.node), words)


def unknowns(source: Source, wrong: frozenset[int], count: int) -> Iterator[Unknown]:
    """List the numbers of a function, and factors that can be put in."""
    spots = [s for own in spots_of(source.tree, wrong, count) for s in own]
    for spot in spots:
        number: Any = getattr(spot.node, "value", None)
        if isinstance(spot.node, ast.Constant) and type(number) in (int, float):
            yield from _unknown(source, spot, ast.Name(CHOICE, ast.Load()), float(number))
    for spot in spots:
        if is_term(spot.node, spot.parent) and not isinstance(spot.node, ast.Constant):
            product = ast.BinOp(ast.Name(CHOICE, ast.Load()), ast.Mult(), spot.node)
            yield from _unknown(source, spot, product, 1.0)


def _unknown(source: Source, spot: Spot, new: Any, start: float) -> Iterator[Unknown]:
    cell = types.CellType(start)
    try:
        with spot.holding(at(new, spot.node)):
            function = source.compiled(cell)
    except NO_PROGRAM:
        return
    yield Unknown(spot, function, cell, start)


def solved(unknown: Unknown, run: Callable[[], Any], truths: Sequence[Any]) -> float | None:
    """Give the number with which a function gives the truth; None where no number does.

    `run` gives what the function gives with the number that is in the cell. What is not linear in
    it is solved step by step, as long as each step comes much nearer.
    """
    number: float | None = None
    for width in (_WIDE,) if unknown.is_factor else (_WIDE, _narrow(unknown.start)):
        found = _by_steps(unknown, run, truths, width)
        number = number if found is None else found.number
        if found is None or found.is_near:
            break
    if number is None:
        return None
    if abs(number) < _ROUNDING * abs(unknown.start):
        number = 0.0
    unknown.cell.cell_contents = number
    is_none = number == unknown.start or (unknown.is_factor and _stands_for_a_term(number))
    return None if is_none else number


class _Found(NamedTuple):
    number: float
    is_near: bool


def _by_steps(
    unknown: Unknown, run: Callable[[], Any], truths: Sequence[Any], width: float
) -> _Found | None:
    """Solve from the number as it is, with a first step of some width; None where it cannot run."""
    number, before = unknown.start, np.inf
    for _ in range(_TURNS):
        found = []
        for step in (0.0, width):
            unknown.cell.cell_contents = number + step
            given = run()
            if given is None or not all(map(_is_of_shape, given, truths)):
                return None  # it raises, or the number is a size
            found.append(given)
        slopes = [np.asarray(b - a) / width for a, b in zip(*found, strict=True)]
        gaps = [np.asarray(t - a) for t, a in zip(truths, found[0], strict=True)]
        below, gap = (sum(_inner(s, s) for s in own) for own in (slopes, gaps))
        if not below or not np.isfinite(below) or not gap < _NEARER * before:
            break
        number += sum(_inner(s, g) for s, g in zip(slopes, gaps, strict=True)) / below
        before, width = gap, _narrow(number)
    size = sum(float(np.sum(np.abs(t) ** 2)) for t in truths)
    return _Found(number, before < _NEAR * size)


def _inner(a: Any, b: Any) -> float:
    """Give the inner product of arrays, whose real and imaginary parts are coordinates."""
    return float(np.sum(np.real(np.conj(a) * b)))


def _narrow(number: float) -> float:
    return 1e-3 * (abs(number) or 1.0)


_WIDE = 0.5
"""Such a step is exact where all is linear; where it leads astray, a narrow one is tried."""

_NEAR = 1e-12
"""So small is what is left, squared, beside the truth, if it is rounding alone."""


_ROUNDING = 1e-9
"""So small is a number beside the one that stands there, if it is nothing."""


def _is_of_shape(given: Any, truth: Any) -> bool:
    return np.shape(given) in {(), np.shape(truth)}


def _stands_for_a_term(number: float) -> bool:
    """Say whether a factor is one that nobody forgets: nearly 1, and of many digits.

    Beside something that is held fixed it does what a small term would.
    """
    return 0 < abs(number - 1) < _LITTLE and abs(number - round(number, 3)) > _SHORT


_LITTLE, _SHORT = 0.05, 1e-6
"""So near to 1 is a factor that has to have three digits after the point, as far as it is known."""

_TURNS = 6
_NEARER = 0.1
"""So much smaller has what is left to be, to go on."""
