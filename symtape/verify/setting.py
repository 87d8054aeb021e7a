"""What is known of a question before a candidate is tried: domains, sizes, the truth at a point."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np

from symtape.verify.causes.evidence import are_single
from symtape.verify.numbers.accuracy import spread
from symtape.verify.numbers.black_boxes import BlackBox
from symtape.verify.points.domain import Domain
from symtape.verify.running.replaying import Replayed
from symtape.verify.subject import OUTSIDE, Subject, values

_SINGLE = np.dtype("float32")

_MANY, _FEW = 5, 2
"""At so many points it is seen how large a truth is, at few where it is measured."""

_DRAWN, _FINITE = 6, 4
"""So many points are drawn in a domain, and at so many the truth has to be finite."""


class Setting:
    """A subject with its example: where points are drawn, what results are called, how large.

    `notes` are words for the report. One that `is_fixed` has no points but the example.
    """

    def __init__(
        self,
        subject: Subject,
        example: Sequence[Any],
        stated: dict[str, str],
        seed: int,
        *,
        is_fixed: bool = False,
    ) -> None:
        self.subject, self.example, self.stated = subject, list(example), stated
        self.seed, self.is_fixed = seed, is_fixed
        self.rng = np.random.default_rng(seed)
        self.notes: list[str] = []

    # --- results ----------------------------------------------------------------------------------

    @cached_property
    def tensors(self) -> list[Any]:
        """The truth at the example; errors of the function are the caller's."""
        return self.subject.at_example(self.example)

    @cached_property
    def shapes(self) -> list[tuple[int, ...]]:
        """The shape of each result, () for no derivative."""
        return [() if t is None else tuple(t.raw.shape) for t in self.tensors]

    @cached_property
    def results(self) -> list[str]:
        """What the results are called."""
        question = self.subject.question
        if question.is_listed:
            return [self.subject.names[k] for k in question.wrt]
        count = len(self.shapes)
        return ["result"] if count == 1 else [f"result[{k}]" for k in range(count)]

    def shape_of(self, k: int) -> tuple[int, ...]:
        """Give the shape of a result, where there is no derivative that of the input."""
        if self.tensors[k] is not None:
            return self.shapes[k]
        return tuple(self.example[self.subject.question.wrt[k]].shape)

    @cached_property
    def typical(self) -> list[float]:
        """How large each result is at a random point, beside which an error at an edge counts."""
        sizes = []
        for _ in range(_FEW if self._is_measured else _MANY):
            found = self._some_truth(self.random())
            if found is not None:
                sizes.append([float(np.max(np.abs(t), initial=0.0)) for t in found])
        return [float(np.median(own)) for own in zip(*sizes, strict=True)] or [0.0] * len(
            self.shapes
        )

    @cached_property
    def dtype(self) -> Any:
        """The dtype of fewest digits among the inputs, or that the function computes with."""
        own = fewest_digits(self.example)
        if own.itemsize <= _SINGLE.itemsize or not self._is_single:
            return own
        self.notes.append(
            "the function itself computes with single precision, whose digits are compared"
        )
        return _SINGLE

    @property
    def _is_single(self) -> bool:
        """Whether the values of the function have the digits of single precision."""
        try:
            found = [self.subject.values(p) for p in (self.example, self.random())]
        except (*OUTSIDE, TypeError):
            return False  # it is judged by its derivative alone
        return are_single([x for own in found for x in own if x.dtype.kind in "fc"])

    # --- domains ----------------------------------------------------------------------------------

    @cached_property
    def domains(self) -> list[Domain]:
        """The widest domains in which the truth is finite at nearly all points."""
        for kind in ("real", "positive", "unit"):
            found = self._domains(kind)
            finite = 0
            for tried in range(_DRAWN):
                point = [d.sample(self.rng, x) for d, x in zip(found, self.example, strict=True)]
                finite += self._is_finite(point)
                if finite + _DRAWN - tried - 1 < _FINITE:
                    break
            if finite >= _FINITE or all(d.kind == "fixed" for d in found):
                return found
        return self._domains("real")

    def _is_finite(self, point: Sequence[Any]) -> bool:
        """Say whether the truth is finite at a point; that which is measured takes long to know."""
        if not self._is_measured:
            return self._some_truth(point) is not None
        try:
            found = self.subject.values(self.widened(point))
        except OUTSIDE:
            return False
        return all(np.all(np.isfinite(x)) for x in found)

    @property
    def _is_measured(self) -> bool:
        return isinstance(self.subject, BlackBox)

    def _domains(self, kind: str) -> list[Domain]:
        question, count = self.subject.question, self.subject.count
        return [
            Domain.of(x, self.stated.get(n, kind if k < count else "real"), k in question.wrt)
            if k < count
            else Domain("real")
            for k, (n, x) in enumerate(zip(self.subject.names, self.example, strict=True))
        ]

    def allows(self, point: Sequence[Any]) -> bool:
        """Say whether inputs are in the domains that are stated."""
        return all(
            domain.has(x)
            for name, domain, x in zip(self.subject.names, self.domains, point, strict=True)
            if name in self.stated
        )

    @property
    def exact(self) -> list[bool]:
        """Whether the whole numbers of an input are no rounded ones, as those of a mask."""
        judged = self.subject.question.wrt
        return [d.kind == "fixed" and k not in judged for k, d in enumerate(self.domains)]

    @cached_property
    def parts(self) -> list[Domain | None]:
        """The domain that says what counts of each result, if it is the gradient of an input."""
        question = self.subject.question
        if question.kind not in {"gradient", "vjp"}:
            return [None] * len(self.shapes)
        return [self.domains[k] for k in question.wrt]

    # --- points -----------------------------------------------------------------------------------

    def random(self) -> list[Any]:
        """Draw a point."""
        return [d.sample(self.rng, x) for d, x in zip(self.domains, self.example, strict=True)]

    def truth(self, point: Sequence[Any]) -> list[Any] | None:
        """Compute the truth; None outside of the domain."""
        try:
            given = values(self.subject.truth(self.widened(point)))
        except OUTSIDE:
            return None
        found = [np.zeros(self.shape_of(k)) if t is None else t for k, t in enumerate(given)]
        if not all(np.all(np.isfinite(t)) for t in found):
            return None
        self._replayed.compare(self.widened(point), found)
        return found

    def quick_truth(self, point: Sequence[Any]) -> list[Any] | None:
        """Compute the truth by a program that was recorded; None where only the function knows."""
        return self._replayed.trusted(self.widened(point))

    def _some_truth(self, point: Sequence[Any]) -> list[Any] | None:
        found = self.quick_truth(point)
        return self.truth(point) if found is None else found

    @cached_property
    def _replayed(self) -> Replayed:
        made = Replayed(self.subject, self.widened(self.example), self._all_shapes)
        self.subject.quick = made.trusted
        return made

    @property
    def _all_shapes(self) -> list[tuple[int, ...]]:
        return [self.shape_of(k) for k in range(len(self.tensors))]

    def has_value(self, point: Sequence[Any]) -> bool:
        """Say whether the function is a number at a point, as a mean over nothing is not."""
        try:
            parts = self.subject.values(point)
        except (*OUTSIDE, TypeError):
            return True  # it is judged by its derivative alone
        return not any(np.isnan(x).any() for x in parts if x.dtype.kind in "fc")

    def has_infinities(self, point: Sequence[Any]) -> bool:
        """Say whether the function is infinite at a point."""
        try:
            parts = self.subject.values(point)
        except (*OUTSIDE, TypeError):
            return False
        return any(np.isinf(x).any() for x in parts if x.dtype.kind in "fc")

    def moved(self, point: Sequence[Any], truths: Sequence[Any]) -> list[Any] | None:
        """Say how much each entry moves with roundings of the inputs, or of what measured it.

        The truths are what counts of them, as of symmetric matrices the symmetric part. None where
        the truth is not finite nearby.
        """
        if isinstance(self.subject, BlackBox):
            return self.subject.slack(self.widened(point), self.dtype)
        wide = self.widened(point)
        return spread(self.subject, wide, truths, self.parts, self.rng, self.exact)

    def is_vague(self, point: Sequence[Any]) -> bool:
        """Say whether the truth was measured so badly at a point that nothing follows from it."""
        box = self.subject
        return isinstance(box, BlackBox) and box.is_vague(self.widened(point), self.typical)

    def widened(self, point: Sequence[Any]) -> Sequence[Any]:
        """Let the truth have all digits where the function takes inputs of double precision."""
        return [widened(x) for x in point] if self._takes_wide else point

    @cached_property
    def _takes_wide(self) -> bool:
        if all(widened(x) is x for x in self.example):
            return False
        try:
            found = self.subject.truth([widened(x) for x in self.example])
        except (*OUTSIDE, TypeError):
            return False
        return [() if t is None else tuple(t.raw.shape) for t in found] == self.shapes


def fewest_digits(point: Sequence[Any]) -> Any:
    """Give the dtype of fewest digits among arrays."""
    floats = [x.dtype for x in point if x.dtype.kind in "fcV"]
    return min(floats, key=lambda d: d.itemsize, default=np.dtype("float64"))


def widened(x: Any) -> Any:
    """Give an array of floats with fewer digits the digits of float64."""
    return x.astype("float64") if x.dtype.kind in "fV" and x.dtype.itemsize < 8 else x
