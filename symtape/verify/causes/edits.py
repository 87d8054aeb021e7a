"""Which mistake gives the candidate's numbers: the truth, computed with one step changed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from symtape.errors import SymtapeError
from symtape.functions.tracing.arguments import Arguments
from symtape.functions.tracing.tracing import trace
from symtape.program import operations as ops
from symtape.program.operations import AddN, Einsum, Map
from symtape.program.program import Program
from symtape.program.structural import Cumsum
from symtape.tensor.readings.readings import Formula
from symtape.tensor.recording.provenance import Held, Leaf
from symtape.verify.causes.mistakes import Edit, computed, mistakes
from symtape.verify.subject import OUTSIDE

Edits = Callable[[Program, int], Iterator[Edit]]
"""Lists edits of what a position of a program needs."""

_MOST_STEPS = 150
_MOST_EDITS = 4000
_LONGEST = 60


class Derived(NamedTuple):
    """A program with one result: where inputs are, what they are called, and what else entered.

    `variables` has the author's own names of steps, by their positions.
    """

    program: Program
    leaves: tuple[int, ...]
    others: dict[int, Any]
    end: int
    names: Sequence[str]
    variables: Mapping[int, str] = MappingProxyType({})

    def values(self, point: Sequence[Any]) -> list[Any]:
        """Compute all steps at a point."""
        given = dict(zip(self.leaves, point, strict=True)) | self.others
        found: list[Any] = []
        for p, (operation, *operands) in enumerate(self.program.steps):
            found.append(
                given[p] if p in given else computed(operation, [found[i] for i in operands])
            )
        return found

    def text(self, p: int) -> str:
        """Write a step by the author's name, or in matrix notation; else say what it is."""
        if p in self.variables:
            return self.variables[p]
        called = dict(zip(self.leaves, self.names, strict=True))
        called |= {q: f"c{n}" for n, q in enumerate(self.others)}
        leaves = [Leaf(q, name, Held(None), True) for q, name in sorted(called.items())]
        try:
            text = str(Formula(self.program, p, leaves).matrix_form().text("plain"))
        except SymtapeError:
            return self._described(p)
        return text if len(text) <= _LONGEST else self._described(p)

    def _described(self, p: int) -> str:
        """Say what a step is that has no short text: what it does, to what, and its shape."""
        operation, *operands = self.program.steps[p]
        what = _WORDS.get(operation) or _KINDS.get(type(operation), "intermediate result")
        near = [self.variables[i] for i in operands if i in self.variables]
        of = f" of {' and '.join(dict.fromkeys(near))}" if near else ""
        shape = self.program.shapes[p]
        return f"{_UNNAMED} {what}{of}" + (f" {_SHAPE} {shape}" if shape else _SCALAR)


_UNNAMED = "some"
_SHAPE = "of shape"
_SCALAR = " that is a scalar"
_WORDS = {
    ops.multiply: "product",
    ops.divide: "quotient",
    ops.add: "sum",
    ops.subtract: "difference",
}
_KINDS: dict[type, str] = {
    AddN: "sum", Einsum: "product", Map: "function of entries", Cumsum: "running sum"
}  # fmt: skip


def is_readable(words: str) -> bool:
    """Say whether words have no step in them that has neither a name nor a short text."""
    return f" {_SHAPE} (" not in words and _SCALAR not in words


def recorded(
    function: Any, names: Sequence[str], point: Sequence[Any]
) -> tuple[Any, dict[int, Any]] | None:
    """Record a function with one result, and give what entered besides; None if it cannot be."""
    try:
        traced = trace(function, Arguments(names, tuple(point), {}), range(len(point)), again=True)
    except (*OUTSIDE, TypeError):
        return None
    if len(traced.program) > _MOST_STEPS or None in traced.results:
        return None
    return traced, {o.position: o.tensor() for o in traced.others}


def edited(subject: Any, k: int, points: Sequence[Any], edits: Edits = mistakes) -> str:
    """Find an edit of the truth that gives the candidate's numbers at all points; say which."""
    derived = _derived(subject, k, points)
    if derived is None:
        return ""
    known = [derived.values(s.point) for s in points]
    wanted = [s.answers[k] for s in points]
    for tried, edit in enumerate(edits(derived.program, derived.end)):
        if tried > _MOST_EDITS:
            break
        words = _explains(derived, edit, known, wanted)
        if words:
            return worded(derived, words, edit.about)
    return ""


def worded(derived: Derived, words: str, about: Sequence[int]) -> str:
    """Write the texts of steps into words; a step that is itself in them is not told twice."""
    texts = [derived.text(p) for p in about]
    words = words.replace("{-1}", texts[-1] if texts else "")
    found = words.format(*texts).replace(f"the term {_UNNAMED}", f"{_UNNAMED} term, a")
    if len(texts) > 1 and texts[0] == texts[1] and "instead of" in words:
        return f"{texts[0]} is another one than the one that belongs there"
    return found


def left_over(subject: Any, k: int, points: Sequence[Any]) -> str:
    """Find a step of the truth that the difference is a multiple of."""
    found = _derived(subject, k, points)
    if found is None:
        return ""
    known = [found.values(s.point) for s in points]
    return _too_much(found, known, [s.answers[k] for s in points], [s.truths[k] for s in points])


def _derived(subject: Any, k: int, points: Sequence[Any]) -> Derived | None:
    """Record the truth of one result."""

    def truth(*inputs: Any) -> Any:
        return subject.question.truth(
            subject.function, inputs[: subject.count], inputs[subject.count :]
        )[k]

    found = recorded(truth, subject.names, points[0].point)
    if found is None or len(found[0].results) != 1:
        return None
    traced, others = found
    arrays = {p: t.raw for p, t in others.items()}
    return Derived(traced.program, traced.arguments, arrays, traced.results[0], subject.names)


def _explains(derived: Derived, edit: Edit, known: Sequence[Any], wanted: Sequence[Any]) -> str:
    """Say in words what an edit is, if it gives what is wanted at all points."""
    factor = None
    for values, answer in zip(known, wanted, strict=True):
        found = result(derived, edit, values)
        if found is None or same(found, values[derived.end]):
            return ""
        if same(found, answer):
            own = 0.0
        else:
            own = share(found, values[derived.end], answer) if edit.term else np.nan
        if not abs(own - 1) > 1e-4 or (factor is not None and abs(own - factor) > 1e-6):
            return ""
        factor = own
    if not edit.term:
        return edit.words
    if factor is not None and abs(factor + 1) < 1e-6:
        return f"the sign of the term {edit.term} is wrong"
    return f"the term {edit.term} " + (f"has the factor {factor:.6g}" if factor else "is missing")


def share(without: Any, whole: Any, answer: Any) -> float:
    """Give the factor of a term, without and with which there are some results; nan for none."""
    term, own = whole - without, answer - without
    below = float(np.sum(np.abs(term) ** 2))
    if not below or not np.isfinite(below):
        return np.nan
    factor = float(np.real(np.sum(np.conj(term) * own))) / below
    return factor if same(factor * term, own) else np.nan


def result(derived: Derived, edit: Edit, known: Sequence[Any]) -> Any | None:
    """Compute again what follows from an edit; None where that is no result of the same shape."""
    values = list(known)
    changed = {edit.place}
    try:
        values[edit.place] = edit.compute(known)
        if np.shape(values[edit.place]) != np.shape(known[edit.place]):
            return None
        for p in range(edit.place + 1, derived.end + 1):
            operation, *operands = derived.program.steps[p]
            if not changed.isdisjoint(operands):
                changed.add(p)
                values[p] = computed(operation, [values[i] for i in operands])
    except (*OUTSIDE, TypeError):
        return None
    return values[derived.end]


def same(a: Any, b: Any) -> bool:
    """Say whether two arrays agree to some digits."""
    if np.shape(a) != np.shape(b) or not np.all(np.isfinite(a)) or not np.all(np.isfinite(b)):
        return False
    size = max(float(np.max(np.abs(a), initial=0)), float(np.max(np.abs(b), initial=0)))
    return float(np.max(np.abs(np.asarray(a, "complex128") - b), initial=0)) <= 1e-6 * size


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


def fits(shape: tuple[int, ...], whole: tuple[int, ...]) -> bool:
    """Say whether a shape broadcasts to another one."""
    try:
        return bool(np.broadcast_shapes(shape, whole) == whole)
    except ValueError:
        return False


__all__ = [
    "Derived",
    "edited",
    "fits",
    "is_readable",
    "left_over",
    "recorded",
    "result",
    "same",
    "share",
    "worded",
]
