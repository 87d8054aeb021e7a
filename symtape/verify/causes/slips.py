"""Slips of the candidate: what it would have to compute otherwise, in one step, to be right."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from symtape.program import operations as ops
from symtape.program.operations import Constant, Einsum, Input, Map
from symtape.program.program import Program
from symtape.verify.causes.derived import Derived, worded
from symtape.verify.causes.explanations import factor_of, fits, in_time, same
from symtape.verify.causes.mistakes import Edit, bodies, computed
from symtape.verify.running.clock import Clock
from symtape.verify.running.watching import Author

_MOST = 5000

_ENOUGH = 2
"""At so many points has a slip to explain the numbers; at one many do by chance."""


class Slips(NamedTuple):
    """Truth and candidate as one program, in which a step of the candidate is changed."""

    program: Program
    truth: int
    answer: int

    def each(self) -> Iterator[Edit]:
        """List changes of the candidate's own steps, the likeliest first."""
        common = set(self.program.schedule([self.truth], ())[0])
        needed = self.program.schedule([self.answer], ())[0]
        own = [p for p in needed if p not in common and self._is_number(p)]
        for kind in (
            self._factors,
            self._turned,
            self._exchanged,
            self._terms,
            self._sums,
            self._bodies,
        ):
            for p in reversed([*own, self.answer] if self.answer not in own else own):
                yield from kind(p)

    def _is_number(self, p: int) -> bool:
        """Say whether a step computes numbers from what is given."""
        if type(self.program.steps[p][0]) is Input or self.program.dtypes[p].kind not in "fc":
            return False
        return any(type(self.program.steps[i][0]) is Input for i in self.program.ancestors([p]))

    def _values(self, p: int) -> Iterator[int]:
        """List what can be put in at a step: what comes before it and is no constant."""
        for j in reversed(range(p)):
            if self.program.dtypes[j] == self.program.dtypes[p] and (
                type(self.program.steps[j][0]) is not Constant
            ):
                yield j

    def _factors(self, p: int) -> Iterator[Edit]:
        """Put in a factor or a divisor; a whole step can have a wrong number for one."""
        yield Edit(p, partial(_zero, p), "", (p,), "{}")
        for j in self._values(p):
            if fits(self.program.shapes[j], self.program.shapes[p]):
                yield Edit(p, partial(_times, p, j), "the factor {} is missing in {}", (j, p))
                yield Edit(p, partial(_over, p, j), "the division by {} is missing in {}", (j, p))

    def _sums(self, p: int) -> Iterator[Edit]:
        """Put the sum over an axis for an operand; that of an input can be a factor, too."""
        operation, *operands = self.program.steps[p]
        shape = self.program.shapes[p]
        if operation in (ops.multiply, ops.divide):
            for k, i in enumerate(operands):
                for axis, size in enumerate(self.program.shapes[i]):
                    if size > 1 and len(self.program.shapes[i]) == len(shape):
                        words = f"the sum of {{}} over axis {axis} is missing in {{}}"
                        compute = partial(_of_sum, operation, operands, k, axis)
                        yield Edit(p, compute, words, (i, p))
        for j in range(p):
            if type(self.program.steps[j][0]) is Input and self.program.dtypes[j].kind == "f":
                own = self.program.shapes[j]
                for axis in range(len(own)):
                    if own[axis] > 1 and fits((*own[:axis], 1, *own[axis + 1 :]), shape):
                        words = f"the factor sum({{}}, axis={axis}) is missing in {{}}"
                        yield Edit(p, partial(_times_sum, p, j, axis), words, (j, p))

    def _turned(self, p: int) -> Iterator[Edit]:
        """Transpose an operand of a product, or a step."""
        shape = self.program.shapes[p]
        if len(shape) >= 2 and shape[-1] == shape[-2] > 1:
            yield Edit(p, lambda v: np.swapaxes(v[p], -1, -2), "{} is transposed", (p,))
        operation, *operands = self.program.steps[p]
        if type(operation) is not Einsum:
            return
        for k, i in enumerate(operands):
            own = self.program.shapes[i]
            for a in range(len(own)):
                for b in range(a):
                    if own[a] == own[b] > 1:
                        words = "{} is transposed in {}"
                        yield Edit(
                            p, partial(_swapped, operation, operands, k, a, b), words, (i, p)
                        )

    def _exchanged(self, p: int) -> Iterator[Edit]:
        """Put another value for an operand."""
        operation, *operands = self.program.steps[p]
        shapes, dtypes = self.program.shapes, self.program.dtypes
        for k, i in enumerate(operands):
            for j in self._values(p):
                if j != i and shapes[j] == shapes[i] and dtypes[j] == dtypes[i]:
                    rest = [*operands[:k], j, *operands[k + 1 :]]
                    compute = partial(_of_others, operation, rest)
                    yield Edit(p, compute, "{} is used instead of {} in {}", (i, j, p))

    def _terms(self, p: int) -> Iterator[Edit]:
        """Put in a term."""
        for j in self._values(p):
            if fits(self.program.shapes[j], self.program.shapes[p]):
                yield Edit(p, partial(_plus, p, j, 1), "the term {} is missing in {}", (j, p))
                yield Edit(p, partial(_plus, p, j, -1), "the term -{} is missing in {}", (j, p))
        operation, *operands = self.program.steps[p]
        if operation in (ops.add, ops.subtract):
            for k, i in enumerate(operands):
                kept = operands[1 - k]
                turned = -1 if operation is ops.subtract and k == 0 else 1
                words = "the term {} does not belong in {}"
                yield Edit(p, partial(_alone, kept, turned), words, (i, p))
        if operation is ops.multiply:
            for k, i in enumerate(operands):
                words = "the factor {} does not belong in {}"
                yield Edit(p, partial(_alone, operands[1 - k], 1), words, (i, p))
        if operation is ops.divide:
            words = "the division by {} does not belong in {}"
            yield Edit(p, partial(_alone, operands[0], 1), words, (operands[1], p))

    def _bodies(self, p: int) -> Iterator[Edit]:
        if type(self.program.steps[p][0]) is Map:
            for edit in bodies(self.program, p):
                words = "the function {} of {} is another one"
                operands = self.program.steps[p][1:]
                yield edit._replace(words=words, about=(p, operands[0]), term="")


def slipped(subject: Any, k: int, points: Sequence[Any], clock: Clock) -> str:
    """Find a step of the candidate that makes it right when it is changed; say how."""
    author = Author()
    pair = subject.recorded(points[0].point, author)
    if pair is None or pair.truths[k] is None or pair.answers[k] is None:
        return ""
    slips = Slips(pair.program, pair.truths[k], pair.answers[k])
    end, names = pair.answers[k], subject.names
    view = Derived(pair.program, pair.leaves, pair.others, end, names, clock, author)
    known = [view.values(s.point) for s in points]
    kept = [
        n
        for n, (v, s) in enumerate(zip(known, points, strict=True))
        if same(v[slips.answer], s.answers[k]) and same(v[slips.truth], s.truths[k])
    ]  # others take another branch
    if len(kept) < min(_ENOUGH, len(points)):
        return ""
    own = [known[n] for n in kept]
    for edit in in_time(slips.each(), _MOST, clock):
        factor = factor_of(view, edit, own, [v[slips.truth] for v in own])
        if factor is not None:
            return worded(view, _told(edit, factor), edit.about)
    return ""


def _told(edit: Edit, factor: float) -> str:
    """Say what would make the candidate right: the factor that its term should have."""
    if not edit.term:
        return edit.words
    if not factor:
        return f"the term {edit.term} does not belong there"
    if abs(factor + 1) < 1e-6:
        return f"the sign of the term {edit.term} is wrong"
    return f"the term {edit.term} has the factor {1 / factor:.6g} instead of 1"


def _zero(p: int, values: Sequence[Any]) -> Any:
    return np.zeros_like(values[p])


def _times(p: int, j: int, values: Sequence[Any]) -> Any:
    return values[p] * values[j]


def _times_sum(p: int, j: int, axis: int, values: Sequence[Any]) -> Any:
    return values[p] * np.sum(values[j], axis=axis, keepdims=True)


def _of_sum(
    operation: Any, operands: Sequence[int], k: int, axis: int, values: Sequence[Any]
) -> Any:
    given = [values[i] for i in operands]
    given[k] = np.sum(given[k], axis=axis, keepdims=True)
    return computed(operation, given)


def _over(p: int, j: int, values: Sequence[Any]) -> Any:
    if not np.all(values[j]):
        raise ZeroDivisionError  # a mask, by which nobody forgets to divide
    return values[p] / values[j]


def _plus(p: int, j: int, sign: int, values: Sequence[Any]) -> Any:
    return values[p] + sign * values[j]


def _alone(i: int, sign: int, values: Sequence[Any]) -> Any:
    return sign * values[i]


def _of_others(operation: Any, operands: Sequence[int], values: Sequence[Any]) -> Any:
    return computed(operation, [values[i] for i in operands])


def _swapped(
    operation: Any, operands: Sequence[int], k: int, a: int, b: int, values: Sequence[Any]
) -> Any:
    given = [np.swapaxes(values[i], a, b) if n == k else values[i] for n, i in enumerate(operands)]
    return computed(operation, given)
