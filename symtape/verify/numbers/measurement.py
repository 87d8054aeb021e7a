"""What a point shows of a candidate: its floats beside the truth, and whether they are wrong."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from symtape.verify.answers import CandidateError
from symtape.verify.causes.evidence import INNER, are_narrow
from symtape.verify.identity import lowered
from symtape.verify.numbers.accuracy import (
    digits_of,
    distance,
    excess,
    is_small,
    roundings_of,
)
from symtape.verify.numbers.cancelling import allowed
from symtape.verify.numbers.decisions import (
    has_equal_values,
    has_masked_rows,
    is_guarded,
    is_limit,
    is_masked,
)
from symtape.verify.numbers.fading import fades
from symtape.verify.numbers.kinks import has_kink, is_between
from symtape.verify.numbers.seen import (
    SAME,
    Seen,
    floats,
    is_finite,
    is_near,
    overflows,
    settled,
    without,
)
from symtape.verify.numbers.unbounded import is_unbounded
from symtape.verify.points.domain import ROW_OF_MASK
from symtape.verify.setting import Setting, fewest_digits
from symtape.verify.subject import Pair, wide

_LOST = 1e-6
"""Floats that are so far off have lost the truth."""

_ROUNDED = 10
"""Errors that are no larger, beside what is allowed, may come from sums in another order."""

_OF_MEMORY = (
    "it is wrong where the memory of its inputs is transposed, as that of x.T is, and right "
    "for the same numbers elsewhere"
)

OF_CALLS = (
    "it gives other numbers for the same inputs when it is called again: it depends on what was "
    "called before, or on chance"
)
"""What is said of other numbers for the same inputs."""

_CLOSER = 4
"""So much smaller errors count where there are more digits than the example has."""


_MOST_PLACES = 3
"""So many points are told at which digits are lost."""


def _places(words: Sequence[str]) -> str:
    """List points in brackets, each once."""
    where = [w for w in dict.fromkeys(words) if w != "random"]
    rest = f" and at {len(where) - _MOST_PLACES} more" if len(where) > _MOST_PLACES else ""
    return f" ({', '.join(where[:_MOST_PLACES])}{rest})" if where else ""


class Measurement:
    """Runs a candidate at points."""

    def __init__(self, setting: Setting) -> None:
        self.setting, self.subject, self.rng = setting, setting.subject, setting.rng
        self._lost: list[str] = []
        self._overflown: list[str] = []

    @property
    def lost(self) -> str:
        """Say at which points floats lose digits of a formula that is right; empty for none."""
        words = f"the formula is right, and floats lose digits of it{_places(self._lost)}"
        return words if self._lost else ""

    @property
    def overflow(self) -> str:
        """Say at which points a candidate has no finite number where the truth has one."""
        words = f"it is not finite where the truth is{_places(self._overflown)}"
        return words if self._overflown else ""

    def seen(self, words: str, point: Sequence[Any], *, is_evidence: bool = False) -> Seen | None:
        """Run the candidate at a point, and judge what it gives; None outside of the domain.

        What is only evidence of a mistake that is known is not looked at closely.
        """
        quick = self.setting.quick_truth(point)
        truths = self.setting.truth(point) if quick is None else quick
        if truths is None:
            return None
        try:
            answers = self.subject.answer(point, self.setting.shapes)
        except CandidateError as error:
            if quick is not None and self.setting.truth(point) is None:
                return None
            if any(map(_is_turned, point)):
                return self._without_memory(str(error), words, point)
            if words not in INNER and self._is_undefined(error, words, point, truths):
                return None
            return Seen(point, truths, [], [], "wrong", f"{error} ({words})")
        seen = self._at_rest(words, point, truths, answers)
        if quick is not None and not is_evidence and (seen.state != "right" or seen.size > 1):
            truths = self.setting.truth(point)  # nothing is refuted by a recorded program
            if truths is None:
                return None
            seen = self._at_rest(words, point, truths, answers)
        if seen.state != "right" or seen.size <= 1:
            return seen
        return self._moving(seen, is_evidence=is_evidence)

    def _is_undefined(
        self, error: CandidateError, words: str, point: Sequence[Any], truths: list[Any]
    ) -> bool:
        """Say whether a candidate raises where numbers need not be finite, and note it.

        A matrix that has no inverse and a division by zero of Python's raise, where others are nan.
        Of such a matrix floats may have a derivative, which is nothing but rounding.
        """
        if not isinstance(error.__cause__, (ArithmeticError, ValueError)):
            return False
        answers = [np.full(np.shape(t), np.nan) for t in truths]
        at_rest = [np.zeros(np.shape(t)) for t in truths]
        seen = Seen(point, truths, answers, [], "open", words, at_rest)
        if not (self._is_limit(seen) or self._exact(seen) is None):
            return False
        self.setting.notes.append(f"{error}, in a limit ({words})")
        return True

    def alone(self, point: Sequence[Any], truths: list[Any]) -> Seen:
        """Give what counts of the truth at a point, whatever the candidate gives there."""
        own, _ = self._counted(truths, truths)
        return Seen(point, own, [], [], "right", "further out")

    def _at_rest(
        self, words: str, point: Sequence[Any], truths: list[Any], answers: Sequence[Any]
    ) -> Seen:
        """Compare answers with the truth alone."""
        own = [
            np.zeros(np.shape(t)) if a is None else a for a, t in zip(answers, truths, strict=True)
        ]
        if any(a.shape != np.shape(t) and np.ndim(t) for a, t in zip(own, truths, strict=True)):
            return Seen(point, truths, own, [], "wrong", "the shape depends on values")
        truths, counted = self._counted(truths, [wide(a) for a in own])
        at_rest = [np.zeros(np.shape(t)) for t in truths]
        return self._compared(words, point, truths, counted, at_rest)

    def _moving(self, seen: Seen, *, is_evidence: bool) -> Seen | None:
        """Compare again beside how much the truth moves with roundings of the inputs."""
        words, point = seen.words, seen.point
        if self.setting.is_vague(point):
            return settled(seen, "open")
        moved = self.setting.moved(point, seen.truths)
        if moved is None and words not in INNER:
            return None  # it is not defined nearby
        slack = seen.moved if moved is None else moved
        seen = self._compared(words, point, seen.truths, seen.answers, slack)
        if seen.size <= 1 or is_evidence:
            return seen
        return self._closely(seen) if self.setting.has_value(point) else None

    def _compared(
        self,
        words: str,
        point: Sequence[Any],
        truths: list[Any],
        answers: list[Any],
        moved: Sequence[Any],
        least: Sequence[float] | None = None,
    ) -> Seen:
        """Say how far off each entry is, where the truth moves so much with the inputs.

        An error counts beside the `least` size, which is what is typical unless somebody says it.

        What is run with more digits than the example has shows smaller errors, unless it rounds to
        those of the example itself.
        """
        dtype = self.setting.dtype
        given = fewest_digits(self.setting.example)
        is_wide = fewest_digits(point).itemsize > given.itemsize and not are_narrow(answers)
        share = max(1e-3, roundings_of(dtype)) if words in INNER else 1.0
        over = [
            excess(t, a, m, share * n, dtype)
            for t, a, m, n in zip(
                truths, answers, moved, least or self.setting.typical, strict=True
            )
        ]
        over = [e * _CLOSER for e in over] if is_wide else over
        return Seen(point, truths, answers, over, "right", words, moved)

    def _counted(
        self, truths: Sequence[Any], answers: Sequence[Any]
    ) -> tuple[list[Any], list[Any]]:
        """Compare symmetric parts where matrices are symmetric."""
        pairs = [
            (t, a) if d is None or (d.part(t) is t) else (d.part(t), d.part(a))
            for d, t, a in zip(self.setting.parts, truths, answers, strict=True)
        ]
        if any(a is not b for (_, a), b in zip(pairs, answers, strict=True)):
            self.setting.notes.append(
                "of symmetric matrices, the symmetric part of a gradient is compared"
            )
        return [t for t, _ in pairs], [a for _, a in pairs]

    def smallest(self, seen: Seen) -> Seen:
        """Make a counterexample simpler, as long as it is one; without kinks where there are some.

        At a kink, as at ties, no single mistake explains what a candidate takes.
        """
        domains = self.setting.domains
        kinked = None
        several = (1,) if self.subject.reason else (0, 1, 2)  # measuring takes long
        for digits in () if self.setting.is_fixed else several:
            point = [d.rounded(x, digits) for x, d in zip(seen.point, domains, strict=True)]
            found = self.seen(seen.words, point)
            if found is None or is_finite(found) != is_finite(seen):
                continue  # it may be wrong for another reason
            if found.state == "wrong" and found.size >= min(seen.size, 1e3):
                if not has_kink(self.subject, found.point, found.truths, self.rng):
                    return found
                kinked = kinked or found
        return kinked or seen

    # --- what looks wrong -------------------------------------------------------------------------

    def _closely(self, seen: Seen) -> Seen:
        """Tell digits that floats lose from what is wrong, by many digits."""
        exact = self._exact(seen)
        if exact is not None and exact.size <= 1:
            return exact
        told = self._beside_inputs(seen)
        if told:
            return seen._replace(excess=[], state="wrong", words=told)
        if seen.words not in INNER and self._is_limit(seen):
            return self._noted(seen, f"it is not finite in a limit ({seen.words})")
        if exact is None:
            return settled(seen, "open")
        seen = exact
        holds = self._formulas(seen)
        if all(holds):
            (self._lost if is_finite(seen) else self._overflown).append(seen.words)
            return settled(seen, "right")
        seen = without(seen, holds)
        if is_between(self.subject, seen.point, seen.answers, self.rng):
            return self._noted(
                seen, "at kinks it takes another of the slopes between those of the sides"
            )
        if seen.words not in INNER and self._is_masked(seen):
            return self._noted(
                seen, f"it differs where a large number stands for infinity ({seen.words})"
            )
        if overflows(seen):
            self._overflown.append(seen.words)
            return settled(seen, "right")
        if seen.words not in INNER and self._fades(seen):
            (self._lost if is_finite(seen) else self._overflown).append(seen.words)
            return settled(seen, "right")
        return seen._replace(state="wrong")

    def _beside_inputs(self, seen: Seen) -> str:
        """Say what an answer depends on besides the numbers that are given, if it does.

        The same numbers, in memory as the example has them, have another answer then: it is right,
        or memory is as it was.
        """
        if self.setting.is_fixed or seen.size < _ROUNDED:
            return ""
        try:
            again = self.subject.answer([*map(_dense, seen.point)], self.setting.shapes)
        except CandidateError:
            return ""
        is_right = self._at_rest(seen.words, seen.point, seen.truths, again).size <= 1
        if any(map(_is_turned, seen.point)):
            return _OF_MEMORY if is_right else ""
        return OF_CALLS if is_right or self._is_another(seen, again) else ""

    def _is_another(self, seen: Seen, again: Sequence[Any]) -> bool:
        """Say whether an answer is further from the one before than roundings are."""
        own = self._at_rest(seen.words, seen.point, seen.answers, again)
        return is_finite(seen) and is_finite(own) and own.size > _ROUNDED

    def _without_memory(self, error: str, words: str, point: Sequence[Any]) -> Seen | None:
        """Note what is raised for memory that is transposed, and for no other."""
        plain = [*map(_dense, point)]
        try:
            self.subject.answer(plain, self.setting.shapes)
        except CandidateError:
            return Seen(point, [], [], [], "wrong", f"{error} ({words})")
        self.setting.notes.append(f"{words}, {error}")
        return None

    def _fades(self, seen: Seen) -> bool:
        """Say whether a candidate that has no formula loses digits on the way to an edge."""
        return bool(
            not self.setting.is_fixed
            and self.subject.recorded(seen.point) is None
            and fades(self.setting, seen.point)
        )

    def _noted(self, seen: Seen, note: str) -> Seen:
        self.setting.notes.append(note)
        return settled(seen, "right")

    def _formulas(self, seen: Seen) -> list[bool]:
        """Say of which results the formula that the candidate computes is right by many digits.

        It may have rounded constants, where it agrees as far as answers in floats have to.
        """
        pair = self.subject.recorded(seen.point)
        found = None if pair is None else digits_of(pair, seen.point)
        if pair is None or found is None or lowered(pair) is not None:
            return [False] * len(seen.excess)
        both = [np.broadcast_arrays(t, a) for t, a in found]
        truths, answers = ([floats(own[k]) for own in both] for k in (0, 1))
        truths, answers = self._counted(truths, answers)
        over = self._compared(seen.words, seen.point, truths, answers, seen.moved).excess
        return [
            distance(t, a) <= SAME or float(np.max(e, initial=0.0)) <= 1
            for (t, a), e in zip(found, over, strict=True)
        ]

    def _exact(self, seen: Seen) -> Seen | None:
        """Compare with fifty digits of the truth, where floats may have too few of them.

        None at an edge where floats have nothing of the truth, as at a singular matrix. Where all
        that they have is rounding, as of a sum that cancels to zero, an error counts beside what is
        summed.
        """
        pair = self.subject.alone().recorded(seen.point)
        if pair is None or not is_small(pair) or lowered(pair) is not None:
            return seen
        setting = self.setting
        slack = allowed(pair, seen, setting.typical, setting.dtype, setting.exact)

        def compared(truths: list[Any], answers: list[Any]) -> Seen:
            return self._compared(seen.words, seen.point, truths, answers, slack.moved, slack.least)

        is_edge = seen.words not in INNER
        if not is_edge and not is_near(seen, slack.faint):
            own = compared(seen.truths, seen.answers)
            return own if own.size <= 1 else seen
        exact = self._digits(pair, seen)
        if exact is None:
            return None if is_edge else seen
        own = compared(exact, seen.answers)
        far = max([distance(e, t) for e, t in zip(exact, seen.truths, strict=True)], default=0.0)
        if far < _LOST or (is_edge and own.size <= 1):
            return own
        if is_edge:
            return None
        is_explained = compared(exact, seen.truths).size <= 1  # by roundings
        return own if is_explained else seen

    def _digits(self, pair: Pair, seen: Seen) -> list[Any] | None:
        """Round fifty digits of the truth to floats; None where there are none."""
        found = digits_of(pair, seen.point)
        shapes = [np.shape(t) for t in seen.truths]
        if found is None or any(
            np.shape(t) not in {(), shape} for (t, _), shape in zip(found, shapes, strict=True)
        ):
            return None
        exact = [
            floats(t if d is None else d.part(t))
            for d, (t, _) in zip(self.setting.parts, found, strict=True)
        ]
        return [np.broadcast_to(e, shape) for e, shape in zip(exact, shapes, strict=True)]

    def _is_masked(self, seen: Seen) -> bool:
        """Say whether the function is a number only since a large one stands for infinity.

        So it is where all is masked, and the function itself does not guard against that.
        """
        pair = self.subject.itself().recorded(seen.point)
        if pair is None:
            return False
        is_row = seen.words.startswith(ROW_OF_MASK)
        return (has_masked_rows if is_row else is_masked)(pair, seen.point)

    def _is_limit(self, seen: Seen) -> bool:
        """Say whether answers are not finite where the function is in a limit, as all is masked.

        There it is infinite itself, or it has a derivative only because a large number stands for
        infinity, or it grows beyond all bounds nearby, or eigenvalues are equal, whose vectors
        have no derivative.
        """
        if all(np.all(np.isfinite(a)) for a in seen.answers):
            return False
        if self.setting.has_infinities(seen.point):
            return True
        if is_unbounded(self.subject, self.setting.widened(seen.point), seen.answers):
            return True
        pair = self.subject.alone().recorded(seen.point)
        if pair is None:
            return False
        if is_limit(pair, seen.point):
            own = self.subject.itself().recorded(seen.point)
            return own is None or not is_guarded(own, seen.point)
        return has_equal_values(pair, seen.point)


def _is_turned(x: Any) -> bool:
    """Say whether the entries of an array are not in C's order."""
    return not x.flags.c_contiguous


def _dense(x: Any) -> Any:
    """Give the same numbers in C's order."""
    return np.array(x, order="C")
