"""Which mistake gives the candidate's numbers: the truth, computed with one step changed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from symtape.program.program import Program
from symtape.verify.causes.derived import Derived, Turn, recorded_at, worded
from symtape.verify.causes.explanations import factor_of, fits, in_time, same
from symtape.verify.causes.mistakes import Edit, mistakes
from symtape.verify.running.clock import Clock

Edits = Callable[[Program, int], Iterator[Edit]]
"""Lists edits of what a position of a program needs."""

_MOST_EDITS = 4000


def edited(
    subject: Any, k: int, points: Sequence[Any], clock: Clock, edits: Edits = mistakes
) -> str:
    """Find an edit of the truth that gives the candidate's numbers at all points; say which."""
    turns = _turns(subject, k, points)
    if not turns:
        return ""
    derived, known = _derived(subject, turns, clock)
    wanted = [t.seen.answers[k] for t in turns]
    for edit in in_time(edits(derived.program, derived.end), _MOST_EDITS, clock):
        factor = factor_of(derived, edit, known, wanted)
        if factor is not None:
            return worded(derived, _told(edit, factor), edit.about)
    return ""


def _told(edit: Edit, factor: float) -> str:
    """Say what an edit is, and what factor its term has."""
    if not edit.term:
        return edit.words
    if abs(factor + 1) < 1e-6:
        return f"the sign of the term {edit.term} is wrong"
    return f"the term {edit.term} " + (f"has the factor {factor:.6g}" if factor else "is missing")


def left_over(subject: Any, k: int, points: Sequence[Any], clock: Clock) -> str:
    """Find a step of the truth that the difference is a multiple of."""
    turns = _turns(subject, k, points)
    if not turns:
        return ""
    found, known = _derived(subject, turns, clock)
    own = [t.seen for t in turns]
    return _too_much(found, known, [s.answers[k] for s in own], [s.truths[k] for s in own])


def _turns(subject: Any, k: int, points: Sequence[Any]) -> list[Turn]:
    """Record the truth of one result at the points."""

    def truth(*inputs: Any) -> Any:
        return subject.question.truth(
            subject.function, inputs[: subject.count], inputs[subject.count :]
        )[k]

    turns = recorded_at(truth, subject.names, None, points)
    return [t for t in turns if len(t.traced.results) == 1]


def _derived(subject: Any, turns: Sequence[Turn], clock: Clock) -> tuple[Derived, list[Any]]:
    """Give the truth as a program, and the values of its steps at the points."""
    traced, (end,) = turns[0].traced, turns[0].traced.results
    arguments = (traced.program, traced.arguments, turns[0].arrays)
    made = Derived(*arguments, end, subject.names, clock)
    return made, [made._replace(others=t.arrays).values(t.seen.point) for t in turns]


def _too_much(
    derived: Derived, known: Sequence[Any], wanted: Sequence[Any], truths: Sequence[Any]
) -> str:
    """Find a step that the difference is a multiple of."""
    gaps = [w - t for w, t in zip(wanted, truths, strict=True)]
    if len(gaps) < 2:
        return ""
    for p in range(len(derived.program)):
        is_number = derived.program.dtypes[p].kind in "fc"
        if not is_number or not all(
            fits(np.shape(v[p]), np.shape(g)) for v, g in zip(known, gaps, strict=True)
        ):
            continue
        steps = [np.broadcast_to(v[p], np.shape(g)) for v, g in zip(known, gaps, strict=True)]
        above = sum(float(np.real(np.sum(s * g))) for s, g in zip(steps, gaps, strict=True))
        below = sum(float(np.sum(np.abs(s) ** 2)) for s in steps)
        if not below or not np.isfinite(above) or above == 0:
            continue
        factor = above / below
        if all(same(factor * s, g) for s, g in zip(steps, gaps, strict=True)):
            if abs(factor + 1) < 1e-6:
                return f"the term {derived.text(p)} is missing"
            return f"it has {factor:+.6g} times {derived.text(p)} too much"
    return ""
