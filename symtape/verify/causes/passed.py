"""A derivative that is not taken back to the input: it is that by a step which is made of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from symtape.ops.elementwise.conversion import stop_gradient
from symtape.program.operations import Cast, Map
from symtape.tensor.dispatch import apply
from symtape.verify.causes.derived import Derived, is_readable
from symtape.verify.causes.neighbours import Change, OfInputs, explains, turns_of
from symtape.verify.running.clock import Clock
from symtape.verify.running.watching import NOBODY, Author

_SECONDS = 0.4
"""So long at most, in time of the processor."""

_MOST = 8
"""So many steps are looked at."""


def passed_on(subject: Any, k: int, points: Sequence[Any], clock: Clock) -> str:
    """Find a step whose derivative is given as that of the input, as of a vector that is scaled."""
    if subject.question.kind not in {"gradient", "vjp"}:
        return ""
    author, own = Author(), clock.part(_SECONDS)
    found = turns_of(subject, points, author)
    if found is None:
        return ""
    view, turns = found
    view, n = view._replace(clock=clock), subject.question.wrt[k]
    for p in _alike(view, view.leaves[n]):
        if own.is_over:
            return ""
        if explains(subject, _taken_for(p, n), k, turns):
            formula = view._replace(author=NOBODY).text(p)  # the author may call it as the input
            step = formula if is_readable(f" {formula}") else view.text(p)
            return f"the way back through {step} is missing: it is the derivative by {step}"
    return ""


def _alike(view: Derived, leaf: int) -> list[int]:
    """List the steps that an input may be taken for, those that are made of it soon first.

    What is a function of its entries one by one lacks a factor, which is told in better words.
    """
    program = view.program
    mixed: set[int] = set()
    made = {leaf}
    for p, (operation, *operands) in enumerate(program.steps):
        if made.intersection(operands):
            made.add(p)
            if type(operation) not in (Map, Cast) or mixed.intersection(operands):
                mixed.add(p)
    like = program.shapes[leaf], program.dtypes[leaf]
    found = [p for p in sorted(mixed) if (program.shapes[p], program.dtypes[p]) == like]
    return [p for p in found if p != view.end][:_MOST]


def _taken_for(place: int, n: int) -> OfInputs:
    """Give a step the slope one by an input; values stay."""

    def change(inputs: Sequence[Any]) -> Change:
        moved = inputs[n] - stop_gradient(inputs[n])
        return lambda p, operation, given: (
            stop_gradient(apply(operation, *given)) + moved if p == place else None
        )

    return OfInputs(change)
