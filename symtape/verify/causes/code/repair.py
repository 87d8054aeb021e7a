"""Which change of one place in a candidate's source makes it right: the slip, with its line.

The syntax tree of the function is changed, one node at a time, and compiled; the function that was
given is not touched. It runs as the candidate itself does, on the same numbers.
"""

from __future__ import annotations

import ast
import io
from collections.abc import Callable, Sequence
from contextlib import redirect_stdout, suppress
from functools import partial
from itertools import chain
from typing import Any, NamedTuple

import numpy as np

from symtape.verify.answers import CandidateError
from symtape.verify.causes.changes.listed import Spot, changes, spots_of
from symtape.verify.causes.changes.numbers import solved, unknowns
from symtape.verify.causes.changes.observed import numbers_seen
from symtape.verify.causes.changes.variants import variants
from symtape.verify.causes.code.authored import authored
from symtape.verify.causes.code.sources import Source, numbers_of
from symtape.verify.causes.evidence import Evidence, slack
from symtape.verify.causes.explanations import same
from symtape.verify.frameworks.dense import written_out
from symtape.verify.frameworks.functions import array_of
from symtape.verify.numbers.seen import Seen
from symtape.verify.points.drawing import near
from symtape.verify.running.clock import Clock, Tries
from symtape.verify.running.limits import limited
from symtape.verify.running.written import Written, written_of
from symtape.verify.subject import AT_EXAMPLE, OUTSIDE, values, wide

_SECONDS = 1.6
"""So long are changes tried, in time of the processor: what a candidate takes is not known."""

_CHANGES = 0.8
"""Such a part of the time is for changes, and the rest for numbers."""

_SECONDS_OF_NUMBERS = 0.4
"""So long is solved for numbers."""

_SECONDS_OF_ONE, _WAITING = 1.0, 5.0
"""So long may one change take, which may never end; and so long by the clock."""

_LEAST, _LEAST_OF_NUMBERS = 60, 10
"""So many changes, and numbers, are tried where a candidate takes long."""

_BOUNDS = 4
"""So many numbers of a change are looked at from near."""

_NEAR, _NOTHING = 1e-4, 1e-6
"""So near is what is right further out, beside its size; what is saturated there is nothing."""


class Repair(NamedTuple):
    """A change that makes a candidate right: what is wrong, in words, and the line as it is."""

    words: str
    where: str


def repaired(evidence: Evidence, clock: Clock) -> Repair | None:
    """Find a change that gives the truth at all points, in time; say what it is, and where.

    One that is right at other sizes, too, comes before one that may be right because sizes agree.
    """
    subject, points = evidence.subject, evidence.points
    written, (wrong, count) = written_of(subject.candidate), _wrong(points)
    if written is None or not wrong:
        return None  # what is off by so little would be right with any change
    if not any(np.any(s.truths[k]) for s in points for k in wrong):
        return None  # nobody writes zeros so, as for a function that rounds
    found, spare = None, None
    functions = [*authored(written, wrong, count)]
    for n, own in enumerate(functions):
        run = _Runs(evidence, own.written, clock.share(1 / (len(functions) - n)))
        marks = own.wrong, own.number
        found = run.by_changes(own.source, *marks) or run.by_numbers(own.source, *marks)
        spare = spare or run.spare
        if found is not None or clock.is_over:
            break
    return found or spare


class _Runs:
    """Runs changed candidates, as long as there is time."""

    def __init__(self, evidence: Evidence, written: Written, clock: Clock) -> None:
        self.evidence, self.written, self.clock = evidence, written, clock
        self.subject, self.points = evidence.subject, evidence.points
        self.spare: Repair | None = None

    def by_changes(self, source: Source, wrong: frozenset[int], count: int) -> Repair | None:
        """Try what can stand at each spot."""
        spots = chain.from_iterable(spots_of(source.tree, wrong, count))
        numbers = numbers_seen(source, spots, self._once)
        tries = Tries(self.clock.part(_SECONDS).share(_CHANGES), _LEAST)
        for spot, options in changes(source.tree, numbers, wrong, count):
            for function, option in variants(source, spot, options):
                if tries.are_over:
                    return None
                tries.count()
                own = self.written.rebuilt(function)
                with suppress(TimeoutError), limited(_SECONDS_OF_ONE, waiting=_WAITING):
                    if self._is_right(own) and self._is_right_beside(own, option.new):
                        made = Repair(option.words, _where(source, spot, option.new))
                        if self._is_right_elsewhere(own):
                            return made
                        self.spare = self.spare or made
        return None

    def by_numbers(self, source: Source, wrong: frozenset[int], count: int) -> Repair | None:
        """Solve for each number, and for a factor of each term; it is right at all sizes."""
        tries = Tries(self.clock.part(_SECONDS_OF_NUMBERS), _LEAST_OF_NUMBERS)
        seen = self.points[0]
        for unknown in unknowns(source, wrong, count):
            if tries.are_over:
                return None
            tries.count()
            own = self.written.rebuilt(unknown.function)
            with suppress(TimeoutError), limited(_SECONDS_OF_ONE, waiting=_WAITING):
                number = solved(unknown, partial(self._run, own, seen), seen.truths)
                if number is not None and self._is_right(own) and self._is_right_elsewhere(own):
                    new = unknown.option(number)
                    return Repair(new.words, _where(source, unknown.spot, new.new))
        return None

    def _once(self, function: Callable[..., Any]) -> None:
        """Run a function at the first point, whatever it gives: what the candidate itself does.

        It may have to compile its steps first, which takes what no change of it takes again.
        """
        with suppress(TimeoutError), limited(AT_EXAMPLE, waiting=_WAITING):
            self._run(self.written.rebuilt(function), self.points[0])

    def _is_right(self, function: Callable[..., Any]) -> bool:
        return all(self._agrees(function, s) for s in self.points) and all(
            self._is_near(function, s) for s in self.evidence.wider
        )

    def _is_right_elsewhere(self, function: Callable[..., Any]) -> bool:
        return all(self._is_near(function, s) for s in self.evidence.elsewhere)

    def _is_right_beside(self, function: Callable[..., Any], new: Any) -> bool:
        """Say whether a function is right near the numbers that a change gives it, as bounds."""
        rng, wrt = np.random.default_rng(0), self.subject.question.wrt
        bounds = numbers_of(new)[:_BOUNDS]
        for number in dict.fromkeys(x * sign for x in bounds for sign in (1, -1)):
            point = list(self.points[-1].point)
            for k in wrt:
                point[k] = near(rng, number, point[k])
            with suppress(*OUTSIDE):
                truths = values(self.subject.truth(point))
                seen = Seen(point, truths, [], [], "right")
                is_known = all(t is not None and np.all(np.isfinite(t)) for t in truths)
                if is_known and not self._is_near(function, seen):
                    return False
        return True

    def _is_near(self, function: Callable[..., Any], seen: Any) -> bool:
        """Say whether a function gives the truth further out, where floats lose digits of it."""
        found, near = self._run(function, seen), max(_NEAR, slack())
        return found is not None and all(
            float(np.max(np.abs(a - t), initial=0.0)) <= max(near * _largest(t), _NOTHING)
            for a, t in zip(found, seen.truths, strict=True)
        )

    def _agrees(self, function: Callable[..., Any], seen: Any) -> bool:
        found = self._run(function, seen)
        return found is not None and all(
            same(a, t) or (not np.any(t) and not np.any(a))
            for a, t in zip(found, seen.truths, strict=True)
        )

    def _run(self, function: Callable[..., Any], seen: Any) -> list[Any] | None:
        """Run a changed candidate at a point; None whatever it raises, since that is no repair."""
        try:
            with redirect_stdout(io.StringIO()):
                given = function(*[x.copy() for x in seen.point])
            found = self.subject.listed(given, len(seen.truths))
            parts = self.evidence.parts or [None] * len(found)
            arrays = [wide(array_of(written_out(a))) for a in found]
            return [a if d is None else d.part(a) for a, d in zip(arrays, parts, strict=True)]
        except CandidateError:
            return None
        except TimeoutError:
            raise
        except Exception:  # noqa: BLE001 - see above
            return None


def _largest(x: Any) -> float:
    return float(np.max(np.abs(x), initial=0.0))


def _wrong(points: Sequence[Any]) -> tuple[frozenset[int], int]:
    """List the results that are wrong at some point, and how many there are."""
    count = len(points[0].truths)
    wrong = [k for k in range(count) if not all(same(s.answers[k], s.truths[k]) for s in points)]
    return frozenset(wrong), count


def _where(source: Source, spot: Spot, new: Any) -> str:
    """Write the line of a spot as it is, and as it is right."""
    before = _lines(spot.statement)
    at: dict[str, int] = {}
    for n in ast.walk(spot.statement):
        if isinstance(n, ast.stmt) or n is spot.statement:
            at.setdefault(_lines(n)[0].strip(), n.lineno)
    with spot.holding(new):
        after = _lines(new if isinstance(new, ast.stmt) else spot.statement)
    if after[: len(before)] == before and len(after) > len(before):
        last = before[-1].strip()
        line = source.line + at.get(last, spot.statement.end_lineno) - 1
        return f"after line {line}, `{last}`, the line `{after[len(before)].strip()}` is missing"
    first = next((k for k, (a, b) in enumerate(zip(before, after, strict=False)) if a != b), 0)
    old, right = before[first].strip(), after[first].strip()
    line = source.line + at.get(old, spot.statement.lineno) - 1
    return f"line {line} has `{old}`, and is right with `{right}`"


def _lines(statement: Any) -> list[str]:
    """Write a statement."""
    return ast.unparse(statement).splitlines()
