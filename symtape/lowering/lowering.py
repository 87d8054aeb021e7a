"""A program made ready for loops: numbers folded, contractions taken two at a time, no calls.

What is lowered computes the same values; it is run, never derived again.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from symtape.lowering.folding import folded
from symtape.program import kinds
from symtape.program.contractions import kept, pairs
from symtape.program.operations import DType, Shape, dtype_name, identity
from symtape.program.program import Program, Step, inline
from symtape.program.tridiagonal import as_full, is_tridiagonal


class Lowered(NamedTuple):
    """Steps in order with shapes and dtypes; inputs and outputs are positions of it."""

    steps: list[Step]
    shapes: list[Shape]
    dtypes: list[DType]
    inputs: tuple[int, ...]
    outputs: tuple[int, ...]


class _Lowering:
    def __init__(self) -> None:
        self.steps: list[Step] = []
        self.shapes: list[Shape] = []
        self.dtypes: list[DType] = []
        self.numbers: dict[tuple[Any, DType], int] = {}

    def add(self, step: Step, shape: Shape, dtype: DType) -> int:
        self.steps.append(step)
        self.shapes.append(shape)
        self.dtypes.append(dtype)
        return len(self.steps) - 1

    def append(self, operation: Any, *operands: int) -> int:
        shape, dtype = operation.infer(
            [self.shapes[i] for i in operands], [self.dtypes[i] for i in operands]
        )
        return self.add((operation, *operands), shape, dtype)

    def number(self, constant: kinds.Constant) -> int:
        key = (constant, constant.dtype)
        if key not in self.numbers:
            self.numbers[key] = self.add((constant,), (), constant.dtype)
        return self.numbers[key]

    def step(self, operation: Any, operands: list[int]) -> int:
        """Append a step of the old program."""
        if type(operation) is kinds.Constant:
            return self.number(operation)
        if type(operation) is kinds.Einsum:
            if operation.inputs == ((),) and len(set(operation.output)) < len(operation.output):
                return self.unit_matrix(operation, operands[0])
            return self.contraction(operation, operands)
        if is_tridiagonal(operation):
            operation, operands[0] = as_full(self, operation, operands[0])
        if type(operation) is kinds.Position and operation.which == "argsort":
            return self.sorting(operation, operands[0])
        return self.append(operation, *operands)

    def unit_matrix(self, operation: kinds.Einsum, number: int) -> int:
        """Write a number on a diagonal as the diagonal of a full matrix, which needs no memory."""
        *lead, i, j = operation.output
        if i != j or len({*lead, i}) < len(lead) + 1:
            return self.append(operation, number)
        sizes = dict(operation.sizes)
        full = kinds.Einsum.of([()], [*lead, i, -1], {**sizes, -1: sizes[i]})
        return self.append(kinds.Band(0, 0), self.append(full, number))

    def sorting(self, operation: kinds.Position, x: int) -> int:
        """Sort along the last axis."""
        rank, axis = len(self.shapes[x]), operation.axes[0]
        if operation.dtype != np.int64:
            own = kinds.Position("argsort", axis, "int64")
            return self.append(kinds.Cast(dtype_name(operation.dtype)), self.sorting(own, x))
        if axis == -1:
            return self.append(operation, x)
        order = [*range(rank)]
        turned = [*order]
        turned[axis], turned[-1] = turned[-1], turned[axis]
        last = kinds.Position("argsort", -1, dtype_name(operation.dtype))
        moved = self.append(last, self.append(kinds.Einsum.of([order], turned), x))
        return self.append(kinds.Einsum.of([turned], order), moved)

    def contraction(self, operation: kinds.Einsum, operands: list[int]) -> int:
        """Sum what one operand alone has first, then multiply two at a time, cheapest first."""
        terms = [list(t) for t in operation.inputs]
        sizes = operation.index_sizes([self.shapes[i] for i in operands])
        if len(terms) > 1:
            for k in range(len(terms)):
                others = set(operation.output).union(*terms[:k], *terms[k + 1 :])
                own = [i for i in dict.fromkeys(terms[k]) if i in others]
                if set(own) != set(terms[k]):
                    operands[k] = self.append(kinds.Einsum.of([terms[k]], own), operands[k])
                    terms[k] = own
        summed = set().union(*terms) - set(operation.output) if terms else set()
        for a, b in pairs(terms, operation.output, sizes)[:-1] if summed else ():
            rest = [k for k in range(len(terms)) if k not in (a, b)]
            own = kept(terms, (a, b), operation.output)
            made = self.append(kinds.Einsum.of([terms[a], terms[b]], own), operands[a], operands[b])
            operands = [*[operands[k] for k in rest], made]
            terms = [*[terms[k] for k in rest], own]
        return self.append(kinds.Einsum.of(terms, operation.output, sizes), *operands)


def lowered(program: Program, inputs: Sequence[int], outputs: Sequence[int]) -> Lowered:
    """Lower what some outputs of a program need; every output is a step of its own."""
    flat, place = inline(program)
    flat, entries, wanted = folded(flat, [place[p] for p in inputs], [place[p] for p in outputs])
    made = _Lowering()
    at = {}
    for p in entries:
        at[p] = made.add(
            (kinds.Input(dtype_name(flat.dtypes[p]), flat.shapes[p]),),
            flat.shapes[p],
            flat.dtypes[p],
        )
    for p in flat.schedule(wanted, entries)[0]:
        if p not in at:
            operation, *operands = flat.steps[p]
            at[p] = made.step(operation, [at[i] for i in operands])
    taken: set[int] = set()
    results = []
    for p in wanted:
        q = at[p]
        if q in taken or type(made.steps[q][0]) in {kinds.Input, kinds.Constant}:
            q = made.append(identity, q)
        taken.add(q)
        results.append(q)
    return Lowered(
        made.steps, made.shapes, made.dtypes, tuple([at[p] for p in entries]), tuple(results)
    )
