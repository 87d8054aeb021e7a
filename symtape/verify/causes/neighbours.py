"""Derivatives of other functions: with a value held constant, or another function in its place."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import cache, lru_cache, partial
from typing import Any, NamedTuple

import numpy as np
import sympy as sp

from symtape.errors import UnsupportedError
from symtape.ops.elementwise.conversion import convert_to_tensor, identity, stop_gradient
from symtape.program import operations as ops
from symtape.program.functions import scalar
from symtape.program.operations import Constant, Map, parameters
from symtape.tensor.dispatch import apply
from symtape.verify.causes.derived import Derived, Turn, recorded_at
from symtape.verify.causes.explanations import same
from symtape.verify.causes.mistakes import computed
from symtape.verify.causes.softness import TiedError, softened
from symtape.verify.running.clock import Clock
from symtape.verify.running.watching import Author
from symtape.verify.subject import OUTSIDE

_MOST = 250
"""How many other functions are differentiated."""

_SECONDS = 1.0
"""So long at most, in time of the processor."""

Change = Callable[[int, Any, Sequence[Any]], Any]
"""Computes a step on tensors in another way, or gives None for what is as it was."""


class OfInputs(NamedTuple):
    """A change that takes the inputs, besides what it is given."""

    change: Callable[[Sequence[Any]], Change]


def neighbour(subject: Any, k: int, points: Sequence[Any], clock: Clock) -> str:
    """Find another function that has the candidate for a derivative; say which."""
    if subject.question.kind not in {"gradient", "vjp", "jvp", "jacobian", "hessian"}:
        return ""
    author = Author()
    found = turns_of(subject, points, author)
    if found is None:
        return ""
    view, turns = found
    view = view._replace(clock=clock)
    own = clock.part(_SECONDS)
    listed = _terms(view) if subject.question.kind == "hessian" else _changes(view)
    for tried, (change, words) in enumerate(listed):
        if tried > _MOST or own.is_over:
            return ""
        if explains(subject, change, k, turns):
            return words()
    return ""


def turns_of(
    subject: Any, points: Sequence[Any], author: Author
) -> tuple[Derived, Sequence[Turn]] | None:
    """Record a function at the points, and give its program; None where nothing is recorded.

    The author's names and lines are kept by `author`.
    """
    names = subject.names[: subject.count]

    def watched(*inputs: Any) -> Any:
        with author.watches(subject.function):
            return subject.function(*inputs)

    turns = recorded_at(subject.function, names, subject.count, points)
    first = recorded_at(watched, names, subject.count, [t.seen for t in turns[:1]])
    if not first:
        return None
    traced, arrays = first[0].traced, first[0].arrays
    end, clock = traced.results[0], Clock.of(0.0)
    made = Derived(traced.program, traced.arguments, arrays, end, names, clock, author)
    return made, turns


def derived_by(subject: Any, k: int, turn: Turn, change: Change | OfInputs) -> Any:
    """Give what a changed function has for a derivative at a point; None where it has none."""
    traced, others, s = turn
    point = [convert_to_tensor(x) for x in s.point]
    function = _replay(traced, others, change)
    try:
        found = subject.question.truth(function, point[: subject.count], point[subject.count :])
    except (*OUTSIDE, TypeError):
        return None
    return np.zeros(np.shape(s.truths[k])) if found[k] is None else found[k].numpy()


def explains(subject: Any, change: Change | OfInputs, k: int, turns: Sequence[Turn]) -> bool:
    """Say whether a changed function has the candidate's numbers for a derivative everywhere.

    Where entries tie for a maximum nothing is compared; somewhere it has to differ from the truth.
    """
    compared = False
    for turn in turns:
        try:
            own = derived_by(subject, k, turn, change)
        except TiedError:
            continue
        if own is None or not same(own, turn.seen.answers[k]):
            return False
        compared = compared or not same(own, turn.seen.truths[k])
    return compared


def _changes(view: Derived) -> Iterator[tuple[Change, Callable[[], str]]]:
    """List changes: what comes late first, since it has the shortest name for what is held.

    Of what a loop does, the same step is changed in all turns before it is in one.
    """
    yield from softened(view)
    turns, within = _turns(view)
    yield from _changes_of_turns(view, turns)
    yield from _terms(view)
    steps = view.program.steps
    for p in reversed(range(len(steps))):
        own = steps[p][1:]
        for slot, i in enumerate(own):
            if len(own) > 1 and type(steps[i][0]) is not Constant:
                yield (
                    _held_in((p,), slot),
                    partial(_words, view, "the derivative through {} in {} is missing", i, p),
                )
    for p in range(len(steps)):
        for i in _sides(view, p):
            words = "a mask is missing: {} is taken everywhere in {}"
            yield _side(p, steps[p].index(i, 1) - 1), partial(_words, view, words, i, p)
    yield from _changes_of_turns(view, within)
    for p in range(len(steps)):
        operation = steps[p][0]
        if type(operation) is Map and operation.arity == 1 and operation.result == "same":
            for other in (*map(_named, Map.definitions), *_approximations()):
                if other is not None and other is not operation:
                    words = (
                        f"it is the derivative of another function: with {other} instead of {{}}"
                    )
                    yield _another(p, other), partial(_words, view, words, p)


def _terms(view: Derived) -> Iterator[tuple[Change, Callable[[], str]]]:
    """Hold one step constant; of a second derivative nothing else is a likely mistake."""
    steps = view.program.steps
    for p in reversed(range(len(steps))):
        if steps[p][1:] and view.program.dtypes[p].kind in "fc" and p != view.end:
            yield _held((p,)), partial(_words, view, "the derivative through {} is missing", p)


def _changes_of_turns(
    view: Derived, groups: Sequence[tuple[int, ...]]
) -> Iterator[tuple[Change, Callable[[], str]]]:
    """List changes of the same step in all turns of a loop, the last line first."""
    steps = view.program.steps
    for turns in reversed(groups):
        p, own = turns[-1], steps[turns[-1]][1:]
        yield _held(turns), partial(_words, view, f"the derivative through {{}} {_MISSING}", p)
        for slot, i in enumerate(own):
            if len(own) > 1 and type(steps[i][0]) is not Constant:
                words = f"the derivative through {{}} in {{}} {_MISSING}"
                yield _held_in(turns, slot), partial(_words, view, words, i, p)


_MISSING = "is missing in each turn"


def _turns(view: Derived) -> list[list[tuple[int, ...]]]:
    """List the steps that a line makes again and again, those of all turns together.

    Then those that a line makes at one place after the other, as a loop within it does.
    """
    found: dict[Any, list[int]] = {}
    for p, (operation, *operands) in enumerate(view.program.steps):
        place = view.author.place(p)
        if operands and place is not None and view.program.dtypes[p].kind in "fc":
            found.setdefault((place, operation), []).append(p)
    within: dict[Any, list[int]] = {}
    for ((line, _), operation), places in found.items():
        if len(places) == 1:
            within.setdefault((line, operation), []).extend(places)
    return [
        [tuple(places) for places in groups.values() if len(places) > 1]
        for groups in (found, within)
    ]


def _sides(view: Derived, p: int) -> list[int]:
    """List what a step chooses among, entry by entry, where that has the shape of the step."""
    operation, *operands = view.program.steps[p]
    chosen = operands[1:] if operation is ops.where else operands
    shapes, dtypes = view.program.shapes, view.program.dtypes
    alike = [i for i in chosen if shapes[i] == shapes[p] and dtypes[i] == dtypes[p]]
    is_choice = operation is ops.where or operation in _EXTREMES
    return [i for i in alike if type(view.program.steps[i][0]) is not Constant] if is_choice else []


_EXTREMES = (
    ops.elementwise("maximum", scalar.maximum, 2),
    ops.elementwise("minimum", scalar.minimum, 2),
)


@cache
def _approximations() -> tuple[Any, ...]:
    """Give functions that are taken for others."""
    (x,) = parameters(1)
    quick = 1 / (1 + sp.exp(-sp.Float("1.702") * x))
    hard = scalar.relu6(x + 3) / 6
    bodies = (x * quick, quick, x * hard, hard, x / (1 + sp.exp(-x)), scalar.softsign(x))
    return tuple([Map(body, 1, "same") for body in bodies])


def _words(view: Derived, words: str, *about: int) -> str:
    return words.format(*[view.text(p) for p in about])


@lru_cache(1024)
def _named(key: tuple[str, int, str]) -> Any:
    """Give the operation of a definition, if it is a function of one argument.

    What is one number for all that is positive stands for a factor, and not for a function; what
    NumPy has no code for is read from SymPy, and nobody takes it for another one.
    """
    if key[1:] != (1, "same"):
        return None
    with np.errstate(all="ignore"), suppress(UnsupportedError):
        return Map(*key) if np.ptp(computed(Map(*key), [np.array([0.3, 0.7, 1.9])])) else None
    return None


def _held(places: Sequence[int]) -> Change:
    return lambda p, operation, given: (
        stop_gradient(apply(operation, *given)) if p in places else None
    )


def _side(place: int, slot: int) -> Change:
    return lambda p, _, given: identity(given[slot]) if p == place else None


def _held_in(places: Sequence[int], slot: int) -> Change:
    return lambda p, operation, given: (
        apply(operation, *[stop_gradient(x) if n == slot else x for n, x in enumerate(given)])
        if p in places
        else None
    )


def _another(place: int, other: Any) -> Change:
    return lambda p, _, given: apply(other, *given) if p == place else None


def _replay(traced: Any, others: Any, change: Change | OfInputs) -> Callable[..., Any]:
    """Make a function that runs a program on tensors, with a change."""

    def function(*inputs: Any) -> Any:
        own = change.change(inputs) if isinstance(change, OfInputs) else change
        values: dict[int, Any] = dict(zip(traced.arguments, inputs, strict=True)) | dict(others)
        for p, (operation, *operands) in enumerate(traced.program.steps):
            if p in values:
                continue
            given = [values[i] for i in operands]
            made = own(p, operation, given) if operands else convert_to_tensor(operation.value)
            values[p] = apply(operation, *given) if made is None else made
        found = [values[p] for p in traced.results]
        return found[0] if len(found) == 1 else found

    return function
