"""Running a program over balls: at a point, with more and more bits; over a box, in pieces."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from threading import RLock
from typing import Any, NamedTuple

import numpy as np

from symtape.errors import NoExactFormError
from symtape.exact.balls import arithmetic
from symtape.exact.balls.numbers import (
    Ball,
    flint,
    is_ball,
    is_complex,
    is_finite,
    is_unknown,
    lifted,
    parts_of,
)
from symtape.exact.balls.rules import Balls, Kink
from symtape.exact.truth import Undecided
from symtape.program.evaluation.arrays import with_axes
from symtape.program.evaluation.evaluation import evaluate, written
from symtape.program.program import Program

_GUARD = 32
_DOUBLINGS = 7
"""How often the working precision is doubled before a bound is taken as it is."""

_LOCK = RLock()
"""The working precision of Arb is one for all threads."""


@contextmanager
def precision(bits: int) -> Iterator[None]:
    """Compute with a working precision, alone."""
    with _LOCK, flint().ctx.workprec(bits):
        yield


class Place(NamedTuple):
    """An entry of a step of the program."""

    position: int
    at: tuple[int, ...]


class Open(NamedTuple):
    """A relation that is not decided, in the symbols `a0`, `a1`, … of entries of steps."""

    relation: Any
    entries: tuple[Any, ...]
    """A `Place` for each symbol, or a number that stands nowhere."""


@dataclass
class Run:
    """What one run over balls gave."""

    value: Any
    """The entries of the result: an array of balls."""
    opened: list[Open]
    """What was not decided."""
    guards: list[Any] = field(default_factory=list)
    """The values of what decided the path."""


@dataclass(frozen=True)
class Question:
    """What is to be enclosed: a position of a program, and what is given."""

    program: Program
    position: int
    guards: tuple[int, ...] = ()

    def run(self, given: Mapping[int, Any]) -> Run:
        """Evaluate over balls, with the working precision that is set."""
        numbers = Balls()
        wanted = [self.position, *self.guards]
        steps = written(self.program, wanted, given)
        values = dict(zip(steps, evaluate(self.program, steps, given, numbers), strict=True))
        value = np.frompyfunc(_as_ball, 1, 1)(np.asarray(values[self.position], object))
        guards = [np.ravel(values[p])[0] for p in self.guards]
        return Run(with_axes(value), list(_opened(numbers.kinks, values)), guards)


def _as_ball(x: Any) -> Ball:
    is_truth = isinstance(x, (bool, Undecided, np.bool_))
    return arithmetic.of_truth(x) if is_truth else lifted(x)


def _opened(kinks: Sequence[Kink], values: Mapping[int, Any]) -> Iterator[Open]:
    """Find the entries that relations are about, each relation once."""
    if not kinks:
        return
    places: dict[int, Place] = {}
    for position in sorted(values):
        array = np.asarray(values[position], object)
        for at in np.ndindex(*array.shape):
            if is_ball(array[at]):  # numbers of Python's are the same object everywhere
                places.setdefault(id(array[at]), Place(position, at))
    seen = set()
    for relation, operands in kinks:
        found = Open(relation, tuple([places.get(id(x), x) for x in operands]))
        if found not in seen:
            seen.add(found)
            yield found


def exact_balls(value: Any) -> Any:
    """Make balls of radius zero of an array of NumPy's; truth is truth."""
    numbers = Balls()
    out = np.empty(np.shape(value), object)
    flat = [numbers.number(v) for v in np.ravel(value)]
    for place, element in zip(np.ndindex(*out.shape), flat, strict=True):
        out[place] = element
    return out


# --- at a point -----------------------------------------------------------------------------------


def at_point(
    question: Question,
    values: Mapping[int, Any],
    settled: Callable[[Any], bool],
    bits: int,
    doublings: int = _DOUBLINGS,
) -> tuple[Run, int]:
    """Double the working precision until all entries are settled, or it is enough.

    Give the last run, and the precision that it took.
    """
    working = bits + _GUARD
    for doubling in range(doublings + 1):
        last = doubling == doublings
        with precision(working):
            given = {p: exact_balls(value) for p, value in values.items()}
            try:
                run = question.run(given)
            except NoExactFormError:
                if last:
                    raise
            else:
                if last or all(map(settled, run.value.flat)):
                    return run, working
        working *= 2
    raise AssertionError("the last doubling returns or raises")


def has_bits(bits: int) -> Callable[[Ball], bool]:
    """Ask whether an entry is known to some bits: a number, or an infinity."""

    def settled(x: Ball) -> bool:
        if is_unknown(x):
            return False
        return bool(x.is_exact()) or (is_finite(x) and x.rel_accuracy_bits() >= bits)

    return settled


# --- over a box -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Box:
    """Bounds of the entries of leaves: exact balls, two arrays for each position."""

    bounds: Mapping[int, tuple[Any, Any]]

    def balls(self) -> dict[int, Any]:
        """Make one ball of each pair of bounds."""
        around = np.frompyfunc(_between, 2, 1)
        return {p: with_axes(around(low, high)) for p, (low, high) in self.bounds.items()}

    def halves(self, whole: Box) -> tuple[Box, Box] | None:
        """Cut the longest side in two, as long as it is beside that of the whole."""
        sides = [
            (self._length(p, at, part) / whole._length(p, at, part), p, at, part)
            for p, at, part in whole._sides()
        ]
        if not sides:
            return None
        share, p, at, part = max(sides, key=lambda side: side[0])
        if share < 1e-15:
            return None
        low, high = (parts_of(bound[at])[part] for bound in self.bounds[p])
        middle = ((low + high) / 2).mid()
        return self._with(p, at, part, (low, middle)), self._with(p, at, part, (middle, high))

    def _sides(self) -> Iterator[tuple[int, tuple[int, ...], int]]:
        """List the sides that have a length."""
        for p, (low, _) in self.bounds.items():
            for at in np.ndindex(*low.shape):
                for part in range(len(parts_of(low[at]))):
                    if self._length(p, at, part) > 0:
                        yield p, at, part

    def _length(self, p: int, at: tuple[int, ...], part: int) -> float:
        low, high = (parts_of(bound[at])[part] for bound in self.bounds[p])
        return float((high - low).mid())

    def _with(self, p: int, at: tuple[int, ...], part: int, ends: tuple[Ball, Ball]) -> Box:
        pair = []
        for bound, end in zip(self.bounds[p], ends, strict=True):
            changed = bound.copy()
            own = list(parts_of(bound[at]))
            own[part] = end
            changed[at] = own[0] if len(own) == 1 else flint().acb(*own)
            pair.append(changed)
        return Box({**self.bounds, p: (pair[0], pair[1])})


def _between(low: Ball, high: Ball) -> Ball:
    if is_complex(low):
        return flint().acb(_between(low.real, high.real), _between(low.imag, high.imag))
    return low if low == high else arithmetic.interval(low, high)


class _Piece(NamedTuple):
    """A part of a box; what is least is cut first."""

    rank: float
    number: int
    box: Box
    run: Run | NoExactFormError


def over_box(
    question: Question,
    box: Box,
    values: Mapping[int, Any],
    decided: Callable[[Run], bool],
    bits: int,
    splits: int,
) -> list[Run]:
    """Enclose over a box, which is cut in two some times where least is known.

    Raises what the run of a piece raises that is not decided in the end.
    """
    numbers = count()
    with precision(bits + _GUARD):
        rest = {p: exact_balls(value) for p, value in values.items() if p not in box.bounds}

        def piece(part: Box) -> _Piece:
            try:
                run: Run | NoExactFormError = question.run({**rest, **part.balls()})
            except NoExactFormError as error:
                run = error
            return _Piece(_rank(run, decided), next(numbers), part, run)

        pieces, small = [piece(box)], []
        for _ in range(splits):
            if not pieces:
                break
            worst = heapq.heappop(pieces)
            halves = worst.box.halves(box)
            if halves is None:
                small.append(worst)
                continue
            for half in halves:
                heapq.heappush(pieces, piece(half))
    return [_succeeded(p.run) for p in (*pieces, *small)]


def _succeeded(run: Run | NoExactFormError) -> Run:
    if isinstance(run, NoExactFormError):
        raise run
    return run


def _rank(run: Run | NoExactFormError, decided: Callable[[Run], bool]) -> float:
    """Say how badly a piece is known: minus the largest radius."""
    if isinstance(run, NoExactFormError) or not decided(run):
        return -np.inf
    radii = [float(part.rad()) for x in run.value.flat for part in parts_of(x)]
    unknown = any(not is_finite(x) for x in run.value.flat)
    return -np.inf if unknown else -max(radii, default=0.0)


def joined(runs: Sequence[Run]) -> Run:
    """Put pieces together: balls around all of them, and all that is not decided in one."""
    first = runs[0]
    if len(runs) == 1:
        return first
    value = np.empty(first.value.shape, object)
    for at in np.ndindex(*value.shape):
        value[at] = arithmetic.hull([run.value[at] for run in runs])
    opened = list(dict.fromkeys(o for run in runs for o in run.opened))
    return Run(value, opened, [g for run in runs for g in run.guards])
