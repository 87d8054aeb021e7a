"""Which steps get memory of their own, and which are computed where they are read."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from math import prod
from typing import Any

import sympy as sp

from symtape.lowering.lowering import Lowered
from symtape.program import scalar
from symtape.program.matrices import Band
from symtape.program.operations import AddN, Cast, Constant, Einsum, Input, Map
from symtape.program.structural import Embed, Gather, Reshape, Slice
from symtape.program.windows import Windows

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
    cost = 0
    for e in sp.preorder_traversal(operation.body):
        if isinstance(e, sp.Pow):
            cost += _DIVISION
        elif isinstance(e, sp.Function):
            cheap = scalar.kind_of(e) in _CHEAP
            cost += 1 if cheap else _FUNCTION
        elif e.args:
            cost += len(e.args) - 1
    return cost


_CHEAP = {
    scalar.absolute, scalar.sign, scalar.maximum, scalar.minimum, scalar.relu, scalar.step,
    scalar.stop, scalar.conj, scalar.real, scalar.imag, scalar.masked_product, scalar.pivot,
    scalar.shifted, scalar.unshifted, scalar.difference, scalar.both, scalar.either,
    scalar.negation, sp.Piecewise,
}  # fmt: skip


def summed(operation: Einsum, program: Lowered, operands: list[int]) -> int:
    """Count the terms of each element's sum."""
    sizes = operation.index_sizes([program.shapes[i] for i in operands])
    inner = set().union(*operation.inputs) - set(operation.output)
    return prod([sizes[i] for i in inner])


def is_inner_broadcast(small: tuple[int, ...], wide: tuple[int, ...]) -> bool:
    """Say whether an operand is repeated along last axes only, so that loops compute it once."""
    lead = len(wide) - len(small)
    if lead and prod(small) > 1:
        return False
    own = [n == m for n, m in zip(small, wide[lead:], strict=True)]
    return False not in own or not any(own[own.index(False) :])


class Demand:
    """Decides for each step of a program: memory, or computed in place."""

    def __init__(self, program: Lowered, is_computed_here: Callable[[int], bool]) -> None:
        self.program = program
        self.readers: dict[int, list[int]] = {}
        for p, (_, *operands) in enumerate(program.steps):
            for i in operands:
                self.readers.setdefault(i, []).append(p)
        self.outside = {p for p in range(len(program.steps)) if not is_computed_here(p)}
        self.roots = set(program.outputs) | self.outside
        for p, step in enumerate(program.steps):
            if not self._is_inline_kind(p):
                self.roots.add(p)
            if p in self.outside:
                self.roots.update(i for i in step[1:] if self._has_steps(i))
        self.roots = {p for p in self.roots if type(program.steps[p][0]) is not Input}
        for _ in range(2):
            self._find_heavy()

    def _has_steps(self, p: int) -> bool:
        return type(self.program.steps[p][0]) is not Input

    def _is_inline_kind(self, p: int) -> bool:
        operation, *operands = self.program.steps[p]
        if type(operation) is Einsum:
            is_plain = len(set(operation.output)) == len(operation.output)
            return is_plain and summed(operation, self.program, operands) <= SHORT_SUM
        if type(operation) is Embed:
            return all([abs(step) == 1 for _, step, _ in operation.ranges])
        return type(operation) in {Map, AddN, Cast, Constant, Input, Band, *VIEWS}

    def _costs(self) -> tuple[list[int], list[int]]:
        """Give the cost of an element of each step, and how many reductions are behind it."""
        costs: list[int] = []
        stages: list[int] = []
        for p, (operation, *operands) in enumerate(self.program.steps):
            inner = sum([1 if self.is_kept(i) else costs[i] for i in operands])
            if type(operation) is Map:
                inner += body_cost(operation)
            elif type(operation) is Einsum:
                inner = (inner + len(operands)) * max(1, summed(operation, self.program, operands))
            else:
                inner += max(0, len(operands) - 1)
            costs.append(min(inner, 10**6))
            stage = max([stages[i] for i in operands], default=0)
            stages.append(stage + (p in self.roots and not self._is_inline_kind(p)))
        return costs, stages

    def is_kept(self, p: int) -> bool:
        """Say whether the elements of a step lie in memory."""
        return p in self.roots or type(self.program.steps[p][0]) is Input

    def _find_heavy(self) -> None:
        costs, stages = self._costs()
        pulled: dict[int, set[int]] = {}
        for p in range(len(self.program.steps) - 1, -1, -1):
            at: set[int] = set()
            moved: set[Any] = set()
            for c in self.readers.get(p, ()):
                own = self.program.steps[c][1:]
                at |= {max([stages[i] for i in own])} if c in self.roots else pulled.get(c, set())
                moved.add(self._how(p, c))
            pulled[p] = at
            if p not in self.roots and costs[p] >= HEAVY and self._has_steps(p):
                often = "more" in moved or len(moved) > 1
                if len(at) > 1 or often:
                    self.roots.add(p)

    def _how(self, p: int, reader: int) -> Any:
        """Say how a step reads another: element by element, moved, or more than once."""
        operation, *operands = self.program.steps[reader]
        small, wide = self.program.shapes[p], self.program.shapes[reader]
        if type(operation) in {Gather, Windows} and operands[0] == p:
            return "more"
        if type(operation) is Gather:
            return "more" if len(wide) > len(small) else ("moved", reader)
        if type(operation) in VIEWS:
            return ("moved", reader)
        if type(operation) is Einsum:
            return self._how_contracted(operation, operands, p, reader)
        if type(operation) not in {Map, AddN} or is_inner_broadcast(small, wide):
            return "same"
        return "more"

    def _how_contracted(self, operation: Einsum, operands: list[int], p: int, reader: int) -> Any:
        sizes = operation.index_sizes([self.program.shapes[i] for i in operands])
        for term, i in zip(operation.inputs, operands, strict=True):
            if i == p:
                others = set(operation.output).union(*operation.inputs) - set(term)
                if any(sizes[k] > 1 for k in others):
                    shape = tuple([sizes[k] for k in operation.output])
                    kept = tuple([sizes[k] if k in term else 1 for k in operation.output])
                    leads = term == operation.output[: len(term)] and is_inner_broadcast(
                        kept, shape
                    )
                    return "same" if leads else "more"
                if reader not in self.roots and operation.output[: len(term)] != term:
                    return ("moved", reader)
        return "same"
