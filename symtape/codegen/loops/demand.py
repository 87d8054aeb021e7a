"""Which steps get memory of their own, and which are computed where they are read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from math import prod

import sympy as sp

from symtape.lowering.lowering import Lowered
from symtape.program.kinds.matrices import Band
from symtape.program.kinds.structural import Embed, Gather, Reshape, Slice
from symtape.program.kinds.windows import Windows
from symtape.program.operations import AddN, Cast, Constant, Einsum, Input, Map

HEAVY = 16
"""What costs as much as this many additions is not computed twice to save a store."""
SHORT_SUM = 8
"""A sum of so few terms is written out."""
_FUNCTION, _DIVISION = 20, 4

VIEWS = (Reshape, Slice, Gather, Windows, Embed)
"""Kinds whose elements are elements of their operand, or zero."""


@lru_cache(maxsize=4096)
def body_cost(operation: Map) -> int:
    """Estimate what one element costs, in additions."""
    parts = [*sp.preorder_traversal(operation.body)]
    functions = [e for e in parts if isinstance(e, sp.Function)]
    powers = [e for e in parts if isinstance(e, sp.Pow)]
    return len(parts) // 2 + _FUNCTION * len(functions) + _DIVISION * len(powers)


def summed(operation: Einsum, program: Lowered, operands: Sequence[int]) -> int:
    """Count the terms of each element's sum."""
    sizes = operation.index_sizes([program.shapes[i] for i in operands])
    inner = set().union(*operation.inputs) - set(operation.output)
    return prod([sizes[i] for i in inner])


class Demand:
    """Decides for each step of a program: memory, or computed in place.

    `outside` are steps that no loop computes, `roots` those whose elements are stored.
    """

    def __init__(self, program: Lowered, is_computed_here: Callable[[int], bool]) -> None:
        self.program = program
        steps = program.steps
        self.outside = {p for p in range(len(steps)) if not is_computed_here(p)}
        wanted = {*program.outputs, *[i for p in self.outside for i in (p, *steps[p][1:])]}
        readers: list[list[int]] = [[] for _ in steps]
        for p, (_, *operands) in enumerate(steps):
            for i in operands:
                readers[i].append(p)
        self.roots: set[int] = set()
        costs: list[int] = []
        for p in range(len(steps)):
            costs.append(self._cost(p, costs))
            often = len(readers[p]) > 1 or any([self._repeats(p, r) for r in readers[p]])
            is_heavy = costs[p] >= HEAVY and often
            is_input = type(steps[p][0]) is Input
            if not is_input and (p in wanted or is_heavy or not self._is_inline_kind(p)):
                self.roots.add(p)

    def is_kept(self, p: int) -> bool:
        """Say whether the elements of a step lie in memory."""
        return p in self.roots or type(self.program.steps[p][0]) is Input

    def _is_inline_kind(self, p: int) -> bool:
        operation, *operands = self.program.steps[p]
        if type(operation) is Einsum:
            is_plain = len(set(operation.output)) == len(operation.output)
            return is_plain and summed(operation, self.program, operands) <= SHORT_SUM
        if type(operation) is Embed:
            return all([abs(step) == 1 for _, step, _ in operation.ranges])
        return type(operation) in {Map, AddN, Cast, Constant, Input, Band, *VIEWS}

    def _cost(self, p: int, costs: list[int]) -> int:
        """Estimate what an element of a step costs, in additions."""
        operation, *operands = self.program.steps[p]
        inner = sum([1 if self.is_kept(i) else costs[i] for i in operands])
        if type(operation) is Map:
            inner += body_cost(operation)
        elif type(operation) is Einsum:
            inner = (inner + len(operands)) * max(1, summed(operation, self.program, operands))
        else:
            inner += max(0, len(operands) - 1)
        return min(inner, 10**6)

    def _repeats(self, p: int, reader: int) -> bool:
        """Say whether a step reads elements of another more than once."""
        operation, *operands = self.program.steps[reader]
        wide = prod(self.program.shapes[reader])
        if type(operation) is Einsum:
            wide *= summed(operation, self.program, operands)
        return wide > prod(self.program.shapes[p])
