"""Mistakes in a formula: what the truth becomes when one thing in its program is wrong.

The truth is a program. A term that is left out, a factor, a sign, one value in the place of
another, a path that is held constant: each changes one step. Where the changed program gives the
candidate's numbers at all points, that is what is wrong with it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from symtape.errors import SymtapeError
from symtape.functions.arguments import Arguments
from symtape.functions.tracing import trace
from symtape.numeric.interpret import KERNELS
from symtape.ops.conversion import convert_to_tensor, stop_gradient
from symtape.program import operations as ops
from symtape.program.operations import AddN, Constant, Einsum, Input, Map
from symtape.program.program import Program
from symtape.tensor.door import apply
from symtape.tensor.provenance import Held, Leaf
from symtape.tensor.readings import Formula

_MOST_STEPS = 120
_MOST_EDITS = 4000


class Derived(NamedTuple):
    """The truth as a program: where inputs and the result are, and what else entered."""

    program: Program
    leaves: tuple[int, ...]
    others: dict[int, Any]
    end: int
    names: Sequence[str]

    def values(self, point: Sequence[Any]) -> list[Any]:
        """Compute all steps at a point."""
        given = dict(zip(self.leaves, point, strict=True)) | self.others
        found: list[Any] = []
        for p, (operation, *operands) in enumerate(self.program.steps):
            found.append(
                given[p] if p in given else _computed(operation, [found[i] for i in operands])
            )
        return found

    def text(self, p: int) -> str:
        """Write a step in matrix notation, if that is short; else say what it computes."""
        leaves = [
            Leaf(q, name, Held(None), True) for q, name in zip(self.leaves, self.names, strict=True)
        ]
        try:
            form = Formula(self.program, p, leaves).matrix_form()
            text = str(form.text("plain"))
        except (SymtapeError, AttributeError, TypeError):
            return str(self.program.steps[p][0])
        return (
            text
            if len(text) <= 60
            else f"{self.program.steps[p][0]} of shape {self.program.shapes[p]}"
        )


def _computed(operation: Any, operands: Sequence[Any]) -> Any:
    if type(operation) is Constant:
        return operation.value
    return KERNELS[operation](*operands)


class Edit(NamedTuple):
    """A changed step, and what is said of it."""

    place: int
    step: tuple[Any, ...]
    words: str
    about: tuple[int, ...] = ()


def edited(evidence: Any, k: int) -> str:
    """Find an edit of the truth that gives the candidate's numbers; say which."""
    points = [s for s in evidence.points if s.answers and s.words in ("random", "the example")]
    points = points or list(evidence.points[:1])
    with np.errstate(all="ignore"):
        return _held(evidence, k, points) or _changed(evidence, k, points)


def _changed(evidence: Any, k: int, points: Sequence[Any]) -> str:
    derived = _derived(evidence.subject, points[0].point, k)
    if derived is None or len(derived.program) > _MOST_STEPS:
        return ""
    known = [derived.values(s.point) for s in points]
    wanted = [s.answers[k] for s in points]
    for tried, edit in enumerate(_edits(derived.program, derived.end)):
        if tried > _MOST_EDITS:
            return ""
        if all(_gives(derived, edit, v, w) for v, w in zip(known, wanted, strict=True)):
            return edit.words.format(*[derived.text(p) for p in edit.about])
    return _scaled_term(derived, known, wanted, [s.truths[k] for s in points])


def _derived(subject: Any, point: Sequence[Any], k: int) -> Derived | None:
    def truth(*inputs: Any) -> Any:
        found = subject.question.truth(
            subject.function, inputs[: subject.count], inputs[subject.count :]
        )
        return found[k]

    try:
        traced = trace(
            truth, Arguments(subject.names, tuple(point), {}), range(len(point)), again=True
        )
    except (SymtapeError, ValueError, TypeError):
        return None
    if len(traced.results) != 1 or traced.results[0] is None:
        return None
    others = {o.position: o.tensor().raw for o in traced.others}
    return Derived(traced.program, traced.arguments, others, traced.results[0], subject.names)


def _gives(derived: Derived, edit: Edit, known: Sequence[Any], wanted: Any) -> bool:
    """Compute again what follows from an edit, and compare."""
    values = dict(enumerate(known))
    changed = {edit.place}
    steps = derived.program.steps
    try:
        values[edit.place] = _computed(edit.step[0], [known[i] for i in edit.step[1:]])
        if np.shape(values[edit.place]) != np.shape(known[edit.place]):
            return False
        for p in range(edit.place + 1, derived.end + 1):
            operation, *operands = steps[p]
            if not changed.isdisjoint(operands):
                changed.add(p)
                values[p] = _computed(operation, [values[i] for i in operands])
    except (ValueError, TypeError, IndexError, ArithmeticError, np.linalg.LinAlgError):
        return False
    found = values[derived.end]
    return same(found, wanted) and not same(known[derived.end], wanted)


def same(a: Any, b: Any) -> bool:
    """Say whether two arrays agree to some digits."""
    if np.shape(a) != np.shape(b) or not np.all(np.isfinite(a)):
        return False
    size = max(float(np.max(np.abs(a), initial=0)), float(np.max(np.abs(b), initial=0)))
    return float(np.max(np.abs(np.asarray(a, "complex128") - b), initial=0)) <= 1e-6 * size


def _edits(program: Program, end: int) -> Iterator[Edit]:
    """List edits, the likeliest first."""
    needed = [p for p in program.schedule([end], ())[0] if type(program.steps[p][0]) is not Input]
    for p in reversed(needed):
        yield from _left_out(program, p)
    for p in reversed(needed):
        yield from _signs(program, p)
    for p in reversed(needed):
        yield from _other_functions(program, p)
    for p in reversed(needed):
        yield from _exchanged(program, p)


def _left_out(program: Program, p: int) -> Iterator[Edit]:
    """Leave out a term or a factor."""
    operation, *operands = program.steps[p]
    if type(operation) is AddN or operation in (ops.add, ops.subtract):
        for k, i in enumerate(operands):
            rest = [j for n, j in enumerate(operands) if n != k]
            if len(rest) == 1:
                sign = ops.negative if operation is ops.subtract and k == 0 else ops.identity
                yield Edit(p, (sign, *rest), "the term {} is missing", (i,))
            elif len(rest) > 1:
                yield Edit(p, (AddN(len(rest)), *rest), "the term {} is missing", (i,))
    if operation in (ops.multiply, ops.divide):
        yield (
            Edit(p, (ops.identity, operands[0]), "the factor {} is missing", (operands[1],))
            if operation is ops.multiply
            else Edit(
                p, (ops.identity, operands[0]), "the division by {} is missing", (operands[1],)
            )
        )
        if operation is ops.multiply:
            yield Edit(p, (ops.identity, operands[1]), "the factor {} is missing", (operands[0],))
    if type(operation) is Map and len(operands) == 1:
        yield Edit(p, (ops.identity, operands[0]), "{} stands for {}", (operands[0], p))
    if type(operation) is Einsum and len(operands) >= 2:
        for k, i in enumerate(operands):
            rest = [n for n in range(len(operands)) if n != k]
            kept = tuple(operation.inputs[n] for n in rest)
            if set(operation.output) <= {c for term in kept for c in term}:
                step = (Einsum(kept, operation.output), *[operands[n] for n in rest])
                yield Edit(p, step, "the factor {} is missing", (i,))


def _signs(program: Program, p: int) -> Iterator[Edit]:
    """Turn a sign, or put a sum for a difference."""
    operation, *operands = program.steps[p]
    if operation is ops.add:
        yield Edit(p, (ops.subtract, *operands), "the sign of the term {} is wrong", (operands[1],))
        yield Edit(
            p,
            (ops.subtract, operands[1], operands[0]),
            "the sign of the term {} is wrong",
            (operands[0],),
        )
    if operation is ops.subtract:
        yield Edit(p, (ops.add, *operands), "the sign of the term {} is wrong", (operands[1],))
    if operation is ops.divide:
        yield Edit(
            p, (ops.multiply, *operands), "it multiplies by {} and should divide", (operands[1],)
        )
    if operation is ops.multiply:
        yield Edit(
            p, (ops.divide, *operands), "it divides by {} and should multiply", (operands[1],)
        )


def _other_functions(program: Program, p: int) -> Iterator[Edit]:
    """Put another function."""
    operation, *operands = program.steps[p]
    if type(operation) is Map and len(operands) == 1:
        for name in _FUNCTIONS:
            other = Map.definitions.get((name, 1, "same"))
            if other is not None and operation is not Map(name, 1, "same"):
                yield Edit(
                    p, (Map(name, 1, "same"), *operands), f"it has {name} where {{}} belongs", (p,)
                )


_FUNCTIONS = (
    "square", "sqrt", "exp", "log", "log1p", "expm1", "tanh", "sigmoid", "sin", "cos", "abs",
    "reciprocal", "rsqrt", "relu", "softplus", "negative", "erf", "sinh", "cosh", "atan",
)  # fmt: skip


def _exchanged(program: Program, p: int) -> Iterator[Edit]:
    """Put another value of the same shape for an operand."""
    operation, *operands = program.steps[p]
    for k, i in enumerate(operands):
        for j in range(p):
            if (
                j != i
                and program.shapes[j] == program.shapes[i]
                and program.dtypes[j] == program.dtypes[i]
            ):
                step = (operation, *operands[:k], j, *operands[k + 1 :])
                yield Edit(p, step, "{} stands where {} belongs", (j, i))


def _scaled_term(
    derived: Derived, known: Sequence[Any], wanted: Sequence[Any], truths: Sequence[Any]
) -> str:
    """Find a step that the difference is a multiple of."""
    gaps = [w - t for w, t in zip(wanted, truths, strict=True)]
    for p in range(len(derived.program)):
        if derived.program.dtypes[p].kind not in "fc":
            continue
        if not all(_fits(v[p], g) for v, g in zip(known, gaps, strict=True)):
            continue
        steps = [np.broadcast_to(v[p], np.shape(g)) for v, g in zip(known, gaps, strict=True)]
        above = sum(float(np.real(np.sum(s * g))) for s, g in zip(steps, gaps, strict=True))
        below = sum(float(np.sum(np.abs(s) ** 2)) for s in steps)
        if not below or not np.isfinite(above) or above == 0:
            continue
        factor = above / below
        if len(gaps) > 1 and all(same(factor * s, g) for s, g in zip(steps, gaps, strict=True)):
            return f"it has {factor:+.6g} times {derived.text(p)} too much"
    return ""


def _fits(x: Any, like: Any) -> bool:
    try:
        return bool(np.broadcast_shapes(np.shape(x), np.shape(like)) == np.shape(like))
    except ValueError:
        return False


# --- what is held constant ------------------------------------------------------------------------


def _held(evidence: Any, k: int, points: Sequence[Any]) -> str:
    """Find a value of the function that the candidate takes for a constant."""
    subject = evidence.subject
    if subject.question.kind not in {"gradient", "vjp", "jacobian"}:
        return ""
    try:
        traced = trace(
            subject.function,
            Arguments(subject.names[: subject.count], tuple(points[0].point[: subject.count]), {}),
            range(subject.count),
            again=True,
        )
    except (SymtapeError, ValueError, TypeError):
        return ""
    program = traced.program
    if len(program) > _MOST_STEPS or None in traced.results:
        return ""
    others = {o.position: o.tensor() for o in traced.others}
    view = Derived(
        program, traced.arguments, {}, traced.results[0] or 0, subject.names[: subject.count]
    )
    for p, (_, *operands) in enumerate(program.steps):
        for slot, i in enumerate(operands):
            if type(program.steps[i][0]) is Constant or program.dtypes[i].kind not in "fc":
                continue

            def replay(*inputs: Any, _at: tuple[int, int] = (p, slot)) -> Any:
                return _replayed(traced, others, inputs, _at)

            try:
                right = all(same(_gradient(subject, replay, s, k), s.answers[k]) for s in points)
            except (SymtapeError, ValueError, TypeError, ArithmeticError):
                continue
            if right:
                return f"{view.text(i)} is held constant in {view.text(p)}"
    return ""


def _gradient(subject: Any, function: Any, seen: Any, k: int) -> Any:
    point = [convert_to_tensor(x) for x in seen.point]
    found = subject.question.truth(function, point[: subject.count], point[subject.count :])[k]
    return np.zeros(np.shape(seen.truths[k])) if found is None else found.numpy()


def _replayed(traced: Any, others: Any, inputs: Sequence[Any], at: tuple[int, int]) -> Any:
    """Run a program on tensors, with one operand of one step held constant."""
    values: dict[int, Any] = dict(zip(traced.arguments, inputs, strict=True)) | dict(others)
    for p, (operation, *operands) in enumerate(traced.program.steps):
        if p in values:
            continue
        given = [
            stop_gradient(values[i]) if at == (p, slot) else values[i]
            for slot, i in enumerate(operands)
        ]
        values[p] = (
            convert_to_tensor(operation.value)
            if type(operation) is Constant
            else apply(operation, *given)
        )
    return [values[p] for p in traced.results]


__all__ = ["edited", "same"]
