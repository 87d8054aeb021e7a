"""Where the function itself chooses: a candidate may be wrong for one of the choices alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from symtape.program import operations as ops
from symtape.program.functions import scalar
from symtape.program.operations import Constant
from symtape.verify.causes.derived import Derived, is_readable, recorded
from symtape.verify.causes.evidence import Evidence
from symtape.verify.running.clock import Clock
from symtape.verify.subject import OUTSIDE

_SECONDS = 0.4
"""So long is looked at choices, in time of the processor."""

_BOUNDS = {
    ops.elementwise("maximum", scalar.maximum, 2): "<",
    ops.elementwise("minimum", scalar.minimum, 2): ">",
}
"""How an operand stands to a bound that is taken in its place."""


class _Choice(NamedTuple):
    """A choice: what it is called, and where it is taken at each of the points."""

    words: Callable[[], str]
    marks: Sequence[Any]


def by_choices(evidence: Evidence, k: int, clock: Clock) -> str:
    """Say for which choices of the function a result is wrong alone; "" where that is not so.

    It is wrong in no other entries, and in half of these at least.
    """
    wrong, own = _wrong(evidence.points, k), clock.but_at_least(_SECONDS)
    each = [_chosen_at(evidence.subject, s, own) for s in evidence.points] if wrong else [[]]
    if len({len(choices) for choices in each}) > 1:
        return ""  # it takes other branches of Python
    fitted = [_fitted(turns, wrong) for turns in zip(*each, strict=True)]
    found = [choice for choice in fitted if choice is not None]
    for count in (1, 2):
        for chosen in combinations(found, count):
            marks = [np.any(m, axis=0) for m in zip(*[c.marks for c in chosen], strict=True)]
            if _explains(marks, wrong):
                words = " or ".join(c.words() for c in chosen)
                return f"it is wrong where {words} alone" if is_readable(words) else ""
    return ""


def _chosen_at(subject: Any, seen: Any, clock: Clock) -> list[_Choice]:
    """List the choices of a function at a point; none where it cannot be recorded."""
    names, point = subject.names[: subject.count], seen.point[: subject.count]
    found = recorded(subject.function, names, point)
    if found is None:
        return []
    traced, others = found
    arrays = {p: t.raw for p, t in others.items()}
    view = Derived(traced.program, traced.arguments, arrays, traced.results[0], names, clock)
    try:
        return [*_choices(view, view.values(point))]
    except OUTSIDE:
        return []


def _wrong(points: Sequence[Any], k: int) -> list[Any]:
    """Mark the wrong entries of a result at each point; nothing where its shape is not theirs."""
    if any(not s.excess or np.shape(s.excess[k]) != np.shape(s.truths[k]) for s in points):
        return []
    return [np.asarray(s.excess[k] > 1) for s in points]


def _choices(view: Derived, known: Sequence[Any]) -> Iterator[_Choice]:
    """List the bounds and conditions by which the function chooses, those that come last first."""
    steps = view.program.steps
    for p in reversed(range(len(steps))):
        operation, *own = steps[p]
        if operation is ops.where:
            for is_taken in (True, False):
                marks = np.asarray(known[own[0]], bool) == is_taken
                yield _Choice(_of_condition(view, own[0], is_taken), [marks])
        for i in own if operation in _BOUNDS and len(own) > 1 else ():
            if type(steps[i][0]) is not Constant:
                words = _of_bound(view, i, _BOUNDS[operation], own[own[0] == i])
                yield _Choice(words, [np.asarray(known[i] != known[p])])


def _of_condition(view: Derived, p: int, is_taken: bool) -> Callable[[], str]:
    return lambda: view.text(p) if is_taken else f"not {view.text(p)}"


def _of_bound(view: Derived, p: int, sign: str, bound: int) -> Callable[[], str]:
    return lambda: f"{view.text(p)} {sign} {view.text(bound)}"


def _fitted(turns: Sequence[_Choice], wrong: Sequence[Any]) -> _Choice | None:
    """Give a choice at all points, if its marks stand for the first axes of a result."""
    found = []
    for (_, (m,)), w in zip(turns, wrong, strict=True):
        if m.shape != w.shape[: m.ndim]:
            return None
        found.append(np.broadcast_to(m.reshape(m.shape + (1,) * (w.ndim - m.ndim)), w.shape))
    return turns[0]._replace(marks=found)


def _explains(marks: Sequence[Any], wrong: Sequence[Any]) -> bool:
    """Say whether entries are wrong where there is a mark alone, and in half of these."""
    inside = sum(int(np.sum(w & m)) for w, m in zip(wrong, marks, strict=True))
    outside = sum(int(np.sum(w & ~m)) for w, m in zip(wrong, marks, strict=True))
    count, whole = sum(int(np.sum(m)) for m in marks), sum(m.size for m in marks)
    return 0 < count < whole and not outside and inside >= 0.5 * count
