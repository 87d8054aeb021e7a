"""The judge: proof first, then measurement; what is refuted is shown at a point."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from symtape.verify.accuracy import digits_of, distance, excess, is_small, spread, units, values
from symtape.verify.causes.diagnosis import INNER, Evidence, diagnosed
from symtape.verify.causes.repair import compared
from symtape.verify.domain import Domain
from symtape.verify.identity import Identity, canonically_equal, equal_in_fields, lowered
from symtape.verify.kinks import is_between
from symtape.verify.report import Report, Row
from symtape.verify.subject import OUTSIDE, CandidateError, Subject

_RANDOM = 12
"""So many random points are tried with floats."""

_SAME = 1e-25
"""Formulas that agree to so many digits at all points are taken for equal."""


class Seen(NamedTuple):
    """What a point showed: floats, the error of each entry beside what is allowed, and words."""

    point: Sequence[Any]
    truths: list[Any]
    answers: list[Any]
    excess: list[Any]
    state: str
    words: str = ""
    moved: Sequence[Any] = ()

    @property
    def size(self) -> float:
        """How wrong it is."""
        return max([float(np.max(e, initial=0.0)) for e in self.excess], default=np.inf)


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
        self.subject, self.example, self.seed = subject, list(example), seed
        self.stated, self.is_fixed, self.given = domain, is_fixed, points
        self.rng = np.random.default_rng(seed)
        self.notes: list[str] = []
        self.points = 0

    # --- the whole --------------------------------------------------------------------------------

    def report(self) -> Report:
        """Judge."""
        tensors = self.subject.truth(self.example)  # errors of the function are the user's
        self.shapes = [() if t is None else tuple(t.raw.shape) for t in tensors]
        try:
            self._check(tensors, self.subject.answer(self.example, self.shapes))
        except CandidateError as error:
            return self._refuted_by_form(str(error))
        seen = self._wrong()
        if seen is not None:
            return self._refuted(seen)
        identity = self._identity()
        verdict = "measured" if identity.verdict == "unknown" else identity.verdict
        if identity.reason:
            self.notes.append(f"there is no proof: {identity.reason}")
        return self._made(verdict, trials=identity.trials, table=self._rows(self._worst))

    def _made(self, verdict: str, **further: Any) -> Report:
        return Report(
            kind=self.subject.question.kind,
            verdict=verdict,
            domain={n: str(d) for n, d in zip(self.subject.names, self.domains, strict=True)},
            points=self.points,
            notes=tuple(dict.fromkeys(self.notes)),
            **further,
        )

    # --- the first answer -------------------------------------------------------------------------

    def _check(self, tensors: Sequence[Any], answers: Sequence[Any]) -> None:
        """Refuse what is no answer: another shape, another kind of number, None."""
        for name, t, a in zip(self.results, tensors, answers, strict=True):
            if a is None:
                if t is not None and np.any(t.numpy() != 0):
                    raise CandidateError(f"the candidate gives None for {name}")
                continue
            shape = self._shape_of(name, t)
            if a.shape != shape:
                raise CandidateError(self._of_shape(name, t, a, shape))
            if t is not None and a.dtype.kind == "c" and not t.dtype.is_complex:
                raise CandidateError(f"the candidate gives complex numbers for {name}")
            narrow = t is not None and a.dtype.kind in "fV" and t.raw.dtype.kind in "fV"
            if narrow and a.dtype.itemsize < t.raw.dtype.itemsize:
                raise CandidateError(
                    f"the candidate gives {a.dtype} for {name}, whose dtype is {t.raw.dtype}"
                )

    def _of_shape(self, name: str, t: Any, a: Any, shape: tuple[int, ...]) -> str:
        words = f"the candidate gives shape {a.shape} for {name}, whose shape is {shape}"
        if t is None:
            return words
        truth = values([t])[0]
        if a.shape == shape[::-1] and np.allclose(a.T, truth, rtol=1e-3):
            return f"{words}: it is transposed"
        if a.ndim >= len(shape) and a.size > truth.size:
            summed = _summed_to(a, shape)
            if summed is not None and np.allclose(summed, truth, rtol=1e-3):
                return f"{words}: the sum over the axes that were broadcast is missing"
        return words

    def _shape_of(self, name: str, t: Any) -> tuple[int, ...]:
        if t is not None:
            return tuple(t.raw.shape)
        k = self.results.index(name)
        return tuple(self.example[self.subject.question.wrt[k]].shape)

    @cached_property
    def results(self) -> list[str]:
        """What the results are called."""
        question = self.subject.question
        if question.is_listed:
            return [self.subject.names[k] for k in question.wrt]
        count = len(self.shapes)
        return ["result"] if count == 1 else [f"result[{k}]" for k in range(count)]

    # --- points -----------------------------------------------------------------------------------

    @cached_property
    def domains(self) -> list[Domain]:
        """Take the widest domain in which the truth is finite at nearly all points."""
        kinds = ["real", "positive", "unit"]
        for kind in kinds:
            found = self._domains(kind)
            finite = 0
            for _ in range(6):
                point = [d.sample(self.rng, x) for d, x in zip(found, self.example, strict=True)]
                finite += self._truth(point) is not None
            if finite >= 4 or all(d.kind == "fixed" for d in found):
                return found
        return self._domains("real")

    def _domains(self, kind: str) -> list[Domain]:
        question, count = self.subject.question, self.subject.count
        return [
            Domain.of(x, self.stated.get(n, kind if k < count else "real"), k in question.wrt)
            if k < count
            else Domain("real")
            for k, (n, x) in enumerate(zip(self.subject.names, self.example, strict=True))
        ]

    def _truth(self, point: Sequence[Any]) -> list[Any] | None:
        """Compute the truth; None outside of the domain."""
        try:
            given = values(self.subject.truth(self._widened(point)))
        except OUTSIDE:
            return None
        found = [
            np.zeros(self._shape_of(name, None)) if t is None else t
            for name, t in zip(self.results, given, strict=True)
        ]
        return found if all(np.all(np.isfinite(t)) for t in found) else None

    def _widened(self, point: Sequence[Any]) -> Sequence[Any]:
        """Let the truth have all digits where the function takes inputs of double precision."""
        return [_wide(x) for x in point] if self._takes_wide else point

    @cached_property
    def _takes_wide(self) -> bool:
        if all(_wide(x) is x for x in self.example):
            return False
        try:
            found = self.subject.truth([_wide(x) for x in self.example])
        except (*OUTSIDE, TypeError):
            return False
        return [() if t is None else tuple(t.raw.shape) for t in found] == self.shapes

    def _points(self) -> Iterator[tuple[str, Sequence[Any]]]:
        """List the example, random points, and edges."""
        yield "the example", self.example
        if self.is_fixed:
            self.notes.append("numbers are judged at the example alone")
            return
        for _ in range(_RANDOM):
            yield "random", self._random()
        yield from self._equal_inputs()
        yield from self._at_branches()
        for k, d in enumerate(self.domains[: self.subject.count]):
            for words, x in d.special(self.rng, self.example[k]):
                point = list(self.example)
                point[k] = x
                yield words, point

    def _at_branches(self) -> Iterator[tuple[str, Sequence[Any]]]:
        """Let inputs be what the candidate compares them with, and what is near it."""
        for number in compared(self.subject.candidate):
            for k in self.subject.question.wrt:
                if self.domains[k].kind != "fixed" and not self.domains[k].symmetric:
                    point = self._random()
                    near = number + 0.01 * self.rng.normal(size=point[k].shape)
                    point[k] = np.asarray(near).astype(point[k].dtype)
                    yield f"near {number:g}", point

    def _equal_inputs(self) -> Iterator[tuple[str, Sequence[Any]]]:
        """Let inputs of one shape be equal, in all entries or in some."""
        judged = [
            k
            for k in self.subject.question.wrt
            if self.domains[k] == self.domains[self.subject.question.wrt[0]]
            and self.example[k].shape == self.example[self.subject.question.wrt[0]].shape
            and self.domains[k].kind != "fixed"
        ]
        for part in (1.0, 0.5) if len(judged) > 1 else ():
            point = self._random()
            chosen = self.rng.random(point[judged[0]].shape) < part
            for k in judged[1:]:
                point[k] = np.where(chosen, point[judged[0]], point[k]).astype(point[k].dtype)
            yield "ties", point

    # --- floats -----------------------------------------------------------------------------------

    def _wrong(self) -> Seen | None:
        """Try all points; give the first that is wrong, the smallest of its kind."""
        self._worst: Seen | None = None
        for words, point in self._points():
            seen = self._seen(words, point)
            if seen is None:
                continue
            self.points += 1
            if seen.state == "wrong":
                return self._smallest(seen)
            if self._worst is None or seen.size > self._worst.size:
                self._worst = seen
        return None

    def _seen(self, words: str, point: Sequence[Any]) -> Seen | None:
        """Run the candidate at a point, and judge what it gives; None outside of the domain."""
        truths = self._truth(point)
        if truths is None:
            return None
        try:
            answers = self.subject.answer(point, self.shapes)
        except CandidateError as error:
            return Seen(point, truths, [], [], "wrong", f"{error} ({words})")
        answers = [
            np.zeros(np.shape(t)) if a is None else a for a, t in zip(answers, truths, strict=True)
        ]
        if any(a.shape != np.shape(t) and np.ndim(t) for a, t in zip(answers, truths, strict=True)):
            return Seen(point, truths, answers, [], "wrong", "the shape depends on values")
        wide = [a.astype("complex128" if a.dtype.kind == "c" else "float64") for a in answers]
        truths, wide = self._counted(truths, wide)
        moved = spread(self.subject, self._widened(point), truths, self.rng)
        if moved is None and words not in INNER:
            return None  # it is not defined nearby
        moved = [np.zeros(np.shape(t)) for t in truths] if moved is None else moved
        dtype = self._dtype
        share = 1e-3 if words in INNER else 1.0
        over = [
            excess(t, a, m, share * n, dtype)
            for t, a, m, n in zip(truths, wide, moved, self.typical, strict=True)
        ]
        seen = Seen(point, truths, wide, over, "right", words, moved)
        return seen if seen.size <= 1 else self._closely(seen)

    @cached_property
    def parts(self) -> list[Domain | None]:
        """The domain that says what counts of each result, if it is the gradient of an input."""
        question = self.subject.question
        if question.kind not in {"gradient", "vjp"}:
            return [None] * len(self.shapes)
        return [self.domains[k] for k in question.wrt]

    def _counted(
        self, truths: Sequence[Any], answers: Sequence[Any]
    ) -> tuple[list[Any], list[Any]]:
        """Compare symmetric parts where matrices are symmetric."""
        pairs = [
            (t, a) if d is None or (d.part(t) is t) else (d.part(t), d.part(a))
            for d, t, a in zip(self.parts, truths, answers, strict=True)
        ]
        if any(a is not b for (_, a), b in zip(pairs, answers, strict=True)):
            self.notes.append("of symmetric matrices, the symmetric part of a gradient is compared")
        return [t for t, _ in pairs], [a for _, a in pairs]

    @cached_property
    def typical(self) -> list[float]:
        """How large each result is at a random point, beside which an error at an edge counts."""
        sizes = []
        for _ in range(5):
            found = self._truth(self._random())
            if found is not None:
                sizes.append([float(np.max(np.abs(t), initial=0.0)) for t in found])
        return [float(np.median(own)) for own in zip(*sizes, strict=True)] or [0.0] * len(
            self.shapes
        )

    def _random(self) -> list[Any]:
        return [d.sample(self.rng, x) for d, x in zip(self.domains, self.example, strict=True)]

    @property
    def _dtype(self) -> Any:
        floats = [x.dtype for x in self.example if x.dtype.kind in "fcV"]
        return min(floats, key=lambda d: d.itemsize, default=np.dtype("float64"))

    def _closely(self, seen: Seen) -> Seen:
        """Tell digits that floats lose from what is wrong, by many digits."""
        if seen.words not in INNER and not self._is_reliable(seen):
            return seen._replace(state="right", excess=[np.zeros(())])
        pair = self.subject.recorded(seen.point)
        found = None if pair is None else digits_of(pair, seen.point)
        if pair is not None and found is not None:
            far = max([distance(t, a) for t, a in found], default=0.0)
            if far <= _SAME and lowered(pair) is None:
                self._note_lost(seen)
                return seen._replace(state="right", excess=[np.zeros(())])
        if is_between(self.subject, seen.point, seen.answers, self.rng):
            self.notes.append("at kinks it takes another of the slopes between those of the sides")
            return seen._replace(state="right", excess=[np.zeros(())])
        if self._overflows(seen):
            self.notes.append(f"it is not finite where the truth is ({seen.words})")
            return seen._replace(state="right", excess=[np.zeros(())])
        return seen._replace(state="wrong")

    def _is_reliable(self, seen: Seen) -> bool:
        """Say whether floats have the truth at an edge, as at a singular matrix they have not."""
        pair = self.subject.alone().recorded(seen.point)
        if pair is None or not is_small(pair):
            return True
        found = digits_of(pair, seen.point)
        if found is None:  # it is not defined there
            return False
        return all(
            distance(t if d is None else d.part(t), own) < 1e-6
            for d, (t, _), own in zip(self.parts, found, seen.truths, strict=True)
            if np.shape(t) == np.shape(own)
        )

    def _overflows(self, seen: Seen) -> bool:
        """Say whether only infinities of large numbers are wrong."""
        bad = [~np.isfinite(a) for a in seen.answers]
        rest = [np.where(b, 0.0, e) for b, e in zip(bad, seen.excess, strict=True)]
        large = max(
            [float(np.max(np.abs(x), initial=0)) for x in seen.point if x.dtype.kind in "fc"],
            default=0,
        )
        return large > 80 and max([float(np.max(r, initial=0.0)) for r in rest]) <= 1

    def _note_lost(self, seen: Seen) -> None:
        where = "" if seen.words == "random" else f" ({seen.words})"
        self.notes.append(f"the formula is right, and floats lose digits of it{where}")

    def _smallest(self, seen: Seen) -> Seen:
        """Make a counterexample simpler, as long as it is one."""
        for digits in () if self.is_fixed else (0, 1, 2):
            point = [d.rounded(x, digits) for x, d in zip(seen.point, self.domains, strict=True)]
            found = self._seen(seen.words, point)
            if found is not None and found.state == "wrong" and found.size >= min(seen.size, 1e3):
                return found
        return seen

    # --- proof ------------------------------------------------------------------------------------

    def _identity(self) -> Identity:
        pair = None if self.is_fixed else self.subject.recorded(self.example)
        if pair is None and not self.is_fixed:
            self.notes.append("the candidate computes with floats that cannot be followed")
        if pair is None or lowered(pair) is not None:
            return Identity("unknown", 0)
        if not pair.program.guards and canonically_equal(pair):
            return Identity("proved", 0)
        return equal_in_fields(
            pair, self.domains, self.example, self.seed, self.subject.recorded, self.parts
        )

    # --- words ------------------------------------------------------------------------------------

    def _refuted_by_form(self, cause: str) -> Report:
        return Report(
            kind=self.subject.question.kind,
            verdict="refuted",
            cause=cause,
            counterexample=dict(zip(self.subject.names, self.example, strict=True)),
        )

    def _refuted(self, seen: Seen) -> Report:
        names = self.subject.names
        cause = seen.words
        if seen.excess:
            cause = diagnosed(Evidence(self.subject, self.results, self._evidence(seen)))
        return self._made(
            "refuted",
            cause=cause or "the numbers differ",
            counterexample=dict(zip(names, seen.point, strict=True)),
            table=self._rows(seen),
        )

    def _evidence(self, seen: Seen) -> list[Seen]:
        """Collect more points where numbers can be compared, for the diagnosis."""
        found = [seen]
        for _ in range(0 if self.is_fixed else 5):
            more = self._seen("random", self._random())
            if more is not None and more.excess:
                found.append(more)
        return found

    def _rows(self, seen: Seen | None) -> list[Row]:
        """List the worst entries."""
        if seen is None or not seen.moved:
            return []
        rows = []
        for name, t, a, m in zip(self.results, seen.truths, seen.answers, seen.moved, strict=True):
            ulp = units(t, a, self._dtype)
            size = np.where(t == 0, np.max(np.abs(t), initial=0.0) or 1.0, np.abs(t))
            error, condition = np.abs(a - t) / size, m / size
            rows += [
                Row(name, at, t[at], a[at], float(error[at]), float(ulp[at]), float(condition[at]))
                for at in np.ndindex(*np.shape(t))
            ]
        rows.sort(key=lambda r: -(r.error if np.isfinite(r.error) else np.inf))
        return [r for r in rows[:8] if seen.state != "wrong" or r.error > 0]


def _wide(x: Any) -> Any:
    """Give an array of floats with fewer digits the digits of float64."""
    return x.astype("float64") if x.dtype.kind in "fV" and x.dtype.itemsize < 8 else x


def _summed_to(a: Any, shape: tuple[int, ...]) -> Any:
    """Add up the axes that broadcasting made."""
    while a.ndim > len(shape):
        a = a.sum(axis=0)
    for k, n in enumerate(shape):
        if n == 1 and a.shape[k] != 1:
            a = a.sum(axis=k, keepdims=True)
    return a if a.shape == shape else None


__all__ = ["Judge"]
