"""The truth as a program that was recorded once, run again at points that take the same branches.

Recording a function under a tape, or in its own framework, takes longer than computing what it
computes. The program is no more than a quick witness: where it and a candidate do not agree, the
function itself is asked.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from symtape.kernels.interpret import KERNELS
from symtape.program.operations import Constant, Input
from symtape.verify.subject import OUTSIDE, Pair, Subject, wide

_TRUSTED = 2
"""At so many points the program is compared with the function before it stands for it."""

_MOST_STEPS = 20_000


class Step(NamedTuple):
    """A step that is computed: its place, its kernel, and the places of its operands."""

    place: int
    kernel: Callable[..., Any]
    operands: tuple[int, ...]


class Replayed:
    """Runs the truth of a subject as the program that it was at an example."""

    def __init__(
        self, subject: Subject, example: Sequence[Any], shapes: Sequence[tuple[int, ...]]
    ) -> None:
        self._shapes, self._example = shapes, example
        pair = subject.alone().recorded(example)
        self._pair = pair if pair is not None and len(pair.program) <= _MOST_STEPS else None
        self._compared = 0
        if self._pair is not None:
            self._steps, self._given = _planned(self._pair)

    def trusted(self, point: Sequence[Any]) -> list[Any] | None:
        """Compute the truth, if the program has given what the function gives at enough points."""
        return self.at(point) if self._compared >= _TRUSTED else None

    def compare(self, point: Sequence[Any], truths: Sequence[Any]) -> None:
        """Compare the program with what the function gives; one that differs is not run again."""
        if self._pair is None or self._compared >= _TRUSTED:
            return
        found = self.at(point)
        if found is None:
            return  # the point takes other branches
        if all(map(_agree, found, truths)):
            self._compared += 1
        else:
            self._pair = None

    def at(self, point: Sequence[Any]) -> list[Any] | None:
        """Compute the truth in double precision; None where that may not be what it is there."""
        pair = self._pair
        if pair is None or not self._has_same_indices(point):
            return None
        known = self._given | dict(zip(pair.leaves, point, strict=True))
        try:
            with np.errstate(all="ignore"):
                for place, kernel, operands in self._steps:
                    known[place] = np.asarray(kernel(*[known[i] for i in operands]))
        except (*OUTSIDE, TypeError):
            return None
        for guard in pair.program.guards:
            own = known[guard.position].flat[0]
            if (bool(own) if isinstance(guard.value, bool) else int(own)) != guard.value:
                return None
        found = [wide(known[p]) for p in pair.truths if p is not None]
        if len(found) < len(self._shapes):
            return None
        found = [
            x if x.shape == s else np.broadcast_to(x, s)
            for x, s in zip(found, self._shapes, strict=True)
        ]
        return found if all(np.all(np.isfinite(x)) for x in found) else None

    def _has_same_indices(self, point: Sequence[Any]) -> bool:
        """Say whether integers and truth values are the example's, which some only read."""
        return all(
            x.dtype.kind in "fcV" or np.array_equal(x, own)
            for x, own in zip(point, self._example, strict=True)
        )


def _planned(pair: Pair) -> tuple[list[Step], dict[int, Any]]:
    """Give the steps that the truth and the branches need, and what is known before."""
    program = pair.program
    ends = [p for p in pair.truths if p is not None] + [g.position for g in program.guards]
    given = {p: np.asarray(x) for p, x in pair.others.items()}
    steps = []
    for p in program.schedule(ends, ())[0]:
        operation, *operands = program.steps[p]
        if type(operation) is Constant:
            given[p] = np.asarray(operation.value)
        elif type(operation) is not Input:
            steps.append(Step(p, KERNELS[operation], tuple(operands)))
    return steps, given


def _agree(a: Any, b: Any) -> bool:
    return bool(np.allclose(a, b, rtol=1e-9, atol=1e-12 * (1 + np.max(np.abs(b), initial=0.0))))
