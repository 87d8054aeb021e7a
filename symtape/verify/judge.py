"""The judge: proof first, then measurement; what is refuted is shown at a point."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import chain
from typing import Any

import numpy as np

from symtape.verify.answers import CandidateError
from symtape.verify.causes.diagnosis import diagnosed
from symtape.verify.forms import NOT_SUMMED, TRANSPOSED, check_form, form_of
from symtape.verify.gathering import Gathering
from symtape.verify.identity import Identity, canonically_equal, equal_in_fields, lowered
from symtape.verify.numbers.black_boxes import RATED, BlackBox, order_of
from symtape.verify.numbers.elsewhere import Elsewhere
from symtape.verify.numbers.measurement import OF_CALLS, Measurement
from symtape.verify.numbers.seen import Seen
from symtape.verify.numbers.straying import LAGGING, NO_DOUBT, STRAYING
from symtape.verify.numbers.tables import rows_of
from symtape.verify.points.branches import decides
from symtape.verify.points.sizes import (
    has_new_one,
    is_general,
    is_own_number,
    larger_sizes,
    other_sizes,
    pairings,
    told,
)
from symtape.verify.points.sweep import swept
from symtape.verify.points.tried import EXAMPLE, STATED, Point, dense, points
from symtape.verify.report import Report
from symtape.verify.running.clock import Clock, Tries
from symtape.verify.running.limits import limited
from symtape.verify.setting import Setting
from symtape.verify.subject import AT_EXAMPLE, OUTSIDE, Subject

_SECONDS = 1.8
"""So long are points tried, in time of the processor."""

_LEAST = 24
"""So many points at least, where each takes long."""

_SIZES = 0.8
"""So long are other sizes tried, in time of the processor."""

_LEAST_SIZES = 8
"""So many of them at least, where each takes long."""

_WHOLE, _DIAGNOSIS = 4.2, 1.2
"""So long may all take, in time of the processor, and what is wrong is searched for at least."""


_EMPTY = (
    "the derivative has no entries at the example, so that its shape is all that was compared: "
    "give an example that has some"
)


_SLIGHT = 1e-4
"""What is off by more of the largest entry than this is not asked whether the truth is known."""


class Judge:
    """Judges one candidate at one example."""

    def __init__(
        self,
        subject: Subject,
        example: Sequence[Any],
        domain: dict[str, str],
        seed: int,
        *,
        is_fixed: bool = False,
        points: Sequence[Sequence[Any]] = (),
    ) -> None:
        self.subject, self.given = subject, points
        self.setting = Setting(subject, example, domain, seed, is_fixed=is_fixed)
        self.measurement = Measurement(self.setting)
        self.points = 0
        self.doubt = NO_DOUBT
        self._of_example: Sequence[Seen] = ()
        self._is_right = False
        self._worst: Seen | None = None
        self._elsewhere = Elsewhere(self.setting)

    # --- the whole --------------------------------------------------------------------------------

    def report(self) -> Report:
        """Judge."""
        self._whole = Clock.of(_WHOLE)
        try:
            with limited(self.subject.seconds):
                tensors = self.setting.tensors
        except TimeoutError:
            return without_derivative(self.subject.question.kind, self.subject.seconds)
        try:
            answers = self.subject.answer(self.setting.example, self.setting.shapes)
            check_form(self.setting, tensors, answers)
        except CandidateError as error:
            return self._refuted_by_form(str(error))
        seen = self._wrong()
        if seen is not None:
            seen = self._after_others() or seen
            is_doubtful = bool(seen.excess) and self.doubt.everywhere()
            return self._made("undecided", cause=STRAYING) if is_doubtful else self._refuted(seen)
        identity = self.identity
        if identity.verdict == "unknown" and not self.points:
            return self._made("undecided", cause=self._why_open())
        verdict = "measured" if identity.verdict == "unknown" else identity.verdict
        for seen in self._elsewhere.points if verdict != "measured" and self._decides else ():
            found = self._elsewhere.judged(seen)
            if found.state == "wrong":
                return self._refuted(found)
            verdict = "measured" if found is not seen else verdict
        wrong = self._wrong_elsewhere()
        if wrong is not None:
            return wrong
        if not any(map(np.prod, self.setting.shapes)):
            verdict = "measured"
            self.setting.notes.append(_EMPTY)
        if identity.reason:
            self.setting.notes.append(f"there is no proof: {identity.reason}")
        return self._made(verdict, trials=identity.trials, table=rows_of(self.setting, self._worst))

    def _why_open(self) -> str:
        if self.open and self._is_measured:
            return (
                "nothing could be compared: the function has no formula, and its differences "
                "do not settle at any of the points that were tried"
            )
        if self.open:
            return (
                "nothing could be compared: where the candidate differs, floats do not have the "
                "truth to any digits"
            )
        return (
            "nothing could be compared: the derivative is finite at none of the points that were "
            "tried; say where the inputs are with domain=, or give an example inside"
        )

    def _made(self, verdict: str, **further: Any) -> Report:
        setting = self.setting
        if self.subject.prints:
            setting.notes.append("the candidate prints something, which is not shown here")
        if self.measurement.lost:
            setting.notes.append(self.measurement.lost)
        return Report(
            kind=self.subject.question.kind,
            verdict=verdict,
            domain={n: str(d) for n, d in zip(self.subject.names, setting.domains, strict=True)},
            points=self.points,
            notes=tuple(dict.fromkeys(setting.notes)),
            warnings=tuple(filter(None, [self.measurement.overflow])),
            **further,
        )

    # --- floats -----------------------------------------------------------------------------------

    def _wrong(self) -> Seen | None:
        """Try all points; give the first that is wrong, the smallest of its kind."""
        self.open = False
        self._tries = Tries(Clock.of(_SECONDS), _LEAST)
        for words, point in chain(points(self.setting, self.given), self._more()):
            if words not in STATED and not self.setting.allows(point):
                continue
            seen = self._tried(words, point)
            if seen is not None and not self._is_lagging(seen):
                return seen
            self._tries.count()
            if self._tries.are_over:
                break
        return None

    def _is_lagging(self, seen: Seen) -> bool:
        """Say whether a candidate is slightly off where the truth has not so many digits."""
        pairs = [*zip(seen.answers, seen.truths, strict=True)] if seen.excess else []
        largest = [float(np.max(np.abs(t), initial=0.0)) for _, t in pairs]
        is_slight = bool(pairs) and all(
            float(np.max(np.abs(a - t), initial=0.0)) <= _SLIGHT * size
            for (a, t), size in zip(pairs, largest, strict=True)
        )
        found = is_slight and self.doubt.at(seen.point[: self.subject.count])
        self.setting.notes += [LAGGING] if found else []
        return found

    def _more(self) -> Iterator[Point]:
        """List what is tried last: many points, but few where the proof leaves nothing open."""
        begin = time.process_time()
        is_settled = self.identity.verdict != "unknown" and not self._decides
        self._tries.wait(time.process_time() - begin)  # a proof is no point
        yield from dense(self.setting, is_settled=is_settled)
        yield from swept(self.setting)

    @property
    def _is_measured(self) -> bool:
        return isinstance(self.subject, BlackBox)

    def _after_others(self) -> Seen | None:
        """Give the example, where it was right at first, if it is wrong after other calls."""
        again = self.measurement.seen(EXAMPLE, self.setting.example) if self._is_right else None
        if again is None or again.state != "wrong":
            return None
        return again._replace(excess=[], words=OF_CALLS)

    def _tried(self, words: str, point: Sequence[Any]) -> Seen | None:
        """Try a point; give what is wrong there."""
        seen = self.measurement.seen(words, point)
        if seen is None:
            return None
        if seen.state == "open":
            self.open = True
            return None
        self.points += 1
        if seen.state == "wrong":
            return self.measurement.smallest(seen)
        self._is_right |= words == EXAMPLE
        if self._worst is None or seen.size > self._worst.size:
            self._worst = seen
        self._elsewhere.keep(seen)
        return None

    # --- other sizes ------------------------------------------------------------------------------

    def _wrong_elsewhere(self) -> Report | None:
        """Refute what gives other numbers where a size is another one than at the example.

        What is meant for these sizes, or raises for others, is told once.
        """
        own, quick, told = self.setting, self.subject.quick, ""
        tries = Tries(self._whole.part(_SIZES), _LEAST_SIZES)
        for setting in () if own.is_fixed else tries.each(other_sizes(own)):
            found = self._at_sizes(setting)
            if isinstance(found, Report):
                return found
            told = told or found or ""
        for setting in () if own.is_fixed or told else tries.each(larger_sizes(own)):
            found = self._at_sizes(setting, is_larger=True)
            if isinstance(found, Report):
                return found
            told = told or found or ""
        paired = None if own.is_fixed else self._wrong_in_pairs()
        own.notes += [told] if told else []
        self.subject.quick = quick
        return paired

    def _wrong_in_pairs(self) -> Report | None:
        """Refute what is wrong whichever inputs of one row are examples, and which are broadcast.

        What is right for one choice alone gets a note for a sum that another one asks for.
        """
        reports, is_right, notes = [], False, []
        for setting in pairings(self.setting):
            found = self._at_sizes(setting)
            is_right = is_right or found is None
            if isinstance(found, Report):
                reports.append(found)
            elif found:
                notes.append(found)
        if reports and not is_right:
            return reports[0]
        self.setting.notes += [n for n in notes if not is_right or n.endswith(NOT_SUMMED)][:1]
        return None

    def _at_sizes(self, setting: Setting, *, is_larger: bool = False) -> Report | str | None:
        """Try a random point of other sizes; give a report, or what is to be told.

        It is None where nothing is wrong, or the function is not defined. What is right for sizes
        that are larger by one is meant for those that are larger by more.
        """
        measurement = Measurement(setting)
        try:
            seen = measurement.seen("random", setting.example)
        except OUTSIDE:
            return None  # the function is not defined there
        if seen is None or seen.state != "wrong":
            return None
        where = f"where {told(setting)}, "
        if not seen.excess:
            words = form_of(setting, seen)
            is_refuted = words.endswith(TRANSPOSED)  # as an array with one entry shows none
            return (
                self._wrong_at(setting, seen._replace(words=words)) if is_refuted else where + words
            )
        is_meant = (
            not is_own_number(self.setting, setting)
            if is_larger
            else is_general(self.setting, setting, seen.truths, seen.answers)
        )
        if not is_meant:
            return f"{where}it differs: it is for the sizes of the example, or the function is"
        self._of_example = Gathering(self.measurement).wider()
        return self._wrong_at(setting, measurement.smallest(seen), is_larger=is_larger)

    def _wrong_at(self, setting: Setting, seen: Seen, *, is_larger: bool = False) -> Report:
        """Refute what is seen at other sizes."""
        is_one = has_new_one(self.setting, setting)
        words = "wrong for a size of one" if is_one else "right for the sizes of the example alone"
        words = "wrong beyond a size that it has a number for" if is_larger else words
        self.setting, self.measurement = setting, Measurement(setting)
        report = self._refuted(seen)
        return replace(report, cause=f"it is {words}: where {told(setting)}, {report.cause}")

    # --- proof ------------------------------------------------------------------------------------

    @cached_property
    def identity(self) -> Identity:
        """Compare truth and candidate as formulas."""
        setting = self.setting
        self._decides = True
        if self._is_measured:
            self._note_measured()
            return Identity("unknown", 0)
        pair = (
            None if setting.is_fixed else self.subject.recorded(setting.example, least=AT_EXAMPLE)
        )
        if pair is None and not setting.is_fixed:
            setting.notes.append("the candidate computes with floats that cannot be followed")
        if pair is None or lowered(pair) is not None:
            return Identity("unknown", 0)
        self._decides = decides(pair)
        if not pair.program.guards and canonically_equal(pair):
            return Identity("proved", 0)
        return equal_in_fields(
            pair,
            setting.domains,
            setting.example,
            setting.seed,
            self.subject.recorded,
            setting.parts,
        )

    def _note_measured(self) -> None:
        """Say that the truth is none of formulas, and how well a gradient fits the function."""
        setting = self.setting
        setting.notes.append(
            f"{self.subject.reason}: its derivative was measured by differences at many steps, "
            "which are extrapolated"
        )
        if isinstance(self.subject, BlackBox) and self.subject.question.kind in RATED:
            answers = self.subject.answer(setting.example, setting.shapes)
            order = order_of(self.subject, setting.example, answers, setting.rng)
            if np.isfinite(order):
                setting.notes.append(
                    f"at the example |f(x + hv) - f(x) - h⟨g, v⟩| falls with h^{order:.2f}"
                )

    # --- words ------------------------------------------------------------------------------------

    def _refuted_by_form(self, cause: str) -> Report:
        return Report(
            kind=self.subject.question.kind,
            verdict="refuted",
            cause=cause,
            counterexample=dict(zip(self.subject.names, self.setting.example, strict=True)),
        )

    def _refuted(self, seen: Seen) -> Report:
        names = self.subject.names
        cause = seen.words
        if seen.excess:
            gathering = Gathering(self.measurement)
            evidence = gathering.evidence(seen, self._of_example, is_right=self._is_right)
            cause = diagnosed(evidence, self._whole.but_at_least(_DIAGNOSIS))
        return self._made(
            "refuted",
            cause=cause or "the numbers differ",
            counterexample=dict(zip(names, seen.point, strict=True)),
            table=rows_of(self.setting, seen),
        )


def without_derivative(kind: str, seconds: float) -> Report:
    """Say that nothing can be said of a candidate, since the function takes too long."""
    return undecided(kind, f"the function itself gave no derivative in {seconds:g} s")


def undecided(kind: str, cause: str) -> Report:
    """Say that nothing can be said of a candidate, and why."""
    return Report(kind=kind, verdict="undecided", cause=cause)
