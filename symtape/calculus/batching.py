"""From the program of one row to the program of many: every step gets a first axis, the batch.

Structural operations act on the last axes, so most of them serve many rows as they are. What is
elementwise has its operands lined up, a contraction gets one more index, and a selection by indices
that differ from row to row gets one more axis in common. Steps that depend on no row stay as they
are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from symtape.errors import UnsupportedError
from symtape.program import kinds
from symtape.program.kinds.placement import Form, Placement, Structural
from symtape.program.operations import Operation, Shape, dtype_name
from symtape.program.program import Builder, Guard, Program


class Batched(NamedTuple):
    """A program of many rows: where each position went, and where sources are one for each row."""

    program: Program
    places: list[int]
    sources: dict[int, int]


def batched(program: Program, inputs: Iterable[int], sources: Iterable[int], count: int) -> Batched:
    """Give some inputs a first axis of `count` rows, and with them what is computed of them.

    Each of `sources` that is no such input is repeated for every row, so that each row has a
    derivative by its own. Raises `UnsupportedError` for a step that has no form for many rows.
    """
    rows = _Rows(program, count)
    wide, repeated = set(inputs), set(sources)
    copies: dict[int, int] = {}
    for p, (operation, *operands) in enumerate(program.steps):
        rows.add(p, operation, operands, is_wide=p in wide)
        if p in repeated:
            copies[p] = rows.repeated(p)
    guards = tuple(Guard(rows.places[g.position], g.value) for g in program.guards)
    made = rows.b.finish()
    whole = Program(made.steps, made.shapes, made.dtypes, guards)
    return Batched(whole, rows.places, copies)


class _Rows:
    def __init__(self, program: Program, count: int) -> None:
        self.program, self.count = program, count
        self.b = Builder()
        self.places: list[int] = []
        self.wide: list[bool] = []

    def add(self, p: int, operation: Operation, operands: list[int], *, is_wide: bool) -> None:
        """Add a step; it is wide if one of its operands is."""
        shape = self.program.shapes[p]
        if type(operation) is kinds.Input:
            shape = (self.count, *shape) if is_wide else shape
            place = self.b.enter(kinds.Input(dtype_name(operation.dtype), shape, operation.watched))
        elif any(self.wide[i] for i in operands) and type(operation) is not kinds.Count:
            is_wide = True
            place = self.many(operation, operands, shape)
            if self.b.shapes[place] != (self.count, *shape):
                raise _unsupported(operation)
        else:
            place = self.alone(operation, operands)
        self.places.append(place)
        self.wide.append(is_wide)

    def alone(self, operation: Operation, operands: Sequence[int]) -> int:
        """Add a step that depends on no row; a count of elements is that of one row."""
        if type(operation) is kinds.Count:
            (x,) = operands
            number = operation.count(self.program.shapes[x])
            return self.b.append(kinds.Constant.of(number, self.program.dtypes[x]))
        return self.b.append(operation, *[self.places[i] for i in operands])

    def many(self, operation: Operation, operands: list[int], shape: Shape) -> int:
        for kind, rule in RULES.items():
            if isinstance(operation, kind):
                return rule(self, operation, operands, shape)
        raise _unsupported(operation)

    def repeated(self, p: int) -> int:
        """Give a position with the first axis, and let what comes later use it."""
        if not self.wide[p]:
            shape = (self.count, *self.program.shapes[p])
            self.places[p] = self.b.broadcast(self.places[p], shape)
            self.wide[p] = True
        return self.places[p]

    def full(self, p: int) -> int:
        """Give an operand of one row the first axis."""
        if self.wide[p]:
            return self.places[p]
        return self.b.broadcast(self.places[p], (self.count, *self.program.shapes[p]))

    def aligned(self, p: int, rank: int) -> int:
        """Put axes of size one behind the first axis, so that the others line up."""
        place, shape = self.places[p], self.program.shapes[p]
        if not self.wide[p] or len(shape) == rank:
            return place
        new = (self.count, *[1] * (rank - len(shape)), *shape)
        return self.b.append(kinds.Reshape((self.count, *shape), new), place)

    # --- rules ------------------------------------------------------------------------------------

    def elementwise(self, operation: Operation, operands: list[int], shape: Shape) -> int:
        """Line the operands up; one that all rows share broadcasts."""
        return self.b.append(operation, *[self.aligned(i, len(shape)) for i in operands])

    def contraction(self, operation: kinds.Einsum, operands: list[int], _: Shape) -> int:
        """Give the batch an index of its own."""
        new = max((i for t in (*operation.inputs, operation.output) for i in t), default=-1) + 1
        terms = [
            (new, *term) if self.wide[i] else term
            for term, i in zip(operation.inputs, operands, strict=True)
        ]
        made = kinds.Einsum.of(terms, (new, *operation.output), dict(operation.sizes))
        return self.b.append(made, *[self.places[i] for i in operands])

    def last_axes(self, operation: Operation, operands: list[int], _: Shape) -> int:
        """Do the same to each row."""
        return self.b.append(operation, *[self.full(i) for i in operands])

    def selection(
        self, operation: kinds.Gather | kinds.Scatter, operands: list[int], _: Shape
    ) -> int:
        """Share indices among rows, or have them row by row, as one more axis in common."""
        x, indices = operands
        if not self.wide[indices] and not operation.batch:
            return self.b.append(operation, self.places[x], self.places[indices])
        between, batch = operation.between, operation.batch + 1
        if not operation.batch:  # without a batch, all axes before the one chosen are passed by
            picked = len(self.program.shapes[indices]) if type(operation) is kinds.Scatter else 1
            between = len(self.program.shapes[x]) - picked - operation.after
        rest = operation.parameters[3:]
        made = type(operation)(operation.after, between, batch, *rest)
        return self.b.append(made, self.full(x), self.full(indices))

    def pseudo_inverse(
        self, operation: kinds.PseudoInverse, operands: list[int], shape: Shape
    ) -> int:
        """Line the bound up with the axes before the matrices."""
        matrix, bound = operands
        return self.b.append(operation, self.full(matrix), self.aligned(bound, len(shape) - 2))

    def segments(self, operation: kinds.SegmentExtremum, operands: list[int], _: Shape) -> int:
        """Have the same segments in each row; others have no form."""
        x, numbers = operands
        if self.wide[numbers]:
            raise _unsupported(operation)
        return self.b.append(operation, self.places[x], self.places[numbers])

    def assembly(self, operation: kinds.Assemble, operands: list[int], shape: Shape) -> int:
        """Give each block the first axis, at the same place in block and array."""
        blocks, placements = [], []
        for i, (counts, forms) in zip(operands, operation.placements, strict=True):
            names = {k: k + 1 for k in range(len(counts))}
            moved = [Form.of(0), *[form.renamed(names) for form in forms]]
            placements.append(Placement((self.count, *counts), tuple(moved)))
            blocks.append(self.aligned(i, len(counts)))
        made = kinds.Assemble((self.count, *shape), tuple(placements))
        return self.b.append(made, *blocks)


def _unsupported(operation: Operation) -> UnsupportedError:
    return UnsupportedError(
        f"vectorize: {operation!r} has no form for many rows; leave vectorize out and call the "
        "function row by row"
    )


Rule = Callable[..., int]

RULES: Mapping[tuple[type[Any], ...], Rule] = {
    (kinds.Map, kinds.AddN, kinds.Cast): _Rows.elementwise,
    (kinds.Einsum,): _Rows.contraction,
    (kinds.Gather, kinds.Scatter): _Rows.selection,
    (kinds.SegmentExtremum,): _Rows.segments,
    (kinds.PseudoInverse,): _Rows.pseudo_inverse,
    (kinds.Assemble,): _Rows.assembly,
    (Structural,): _Rows.last_axes,
}
"""How kinds of operations are done for many rows: the first rule that is for a kind."""
