"""From a program to loop nests: each step that has memory joins a nest, or begins one.

A statement is computed for the variables of its loops, which are called alike at each depth. Then
it goes into the last nest that has the same loops and in which it reads nothing of another
iteration. What one statement stores and another reads in the same iteration is passed by name; a
buffer that nobody reads in the end is never written.
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise, product
from math import prod
from types import MappingProxyType
from typing import Any, NamedTuple

from symtape.codegen.loops.demand import Demand
from symtape.codegen.loops.filling import Nest, Writer
from symtape.codegen.loops.loops import (
    Let,
    Line,
    Loop,
    Outside,
    Store,
    names_in,
    walk,
    without_dead,
)
from symtape.codegen.loops.places import Place, Var, flat
from symtape.codegen.loops.scalars import Language
from symtape.codegen.loops.statements import MAKERS, Statement, neutral
from symtape.codegen.loops.values import Step
from symtape.codegen.scope import Scope
from symtape.errors import UnsupportedError
from symtape.kernels.nodes import Node
from symtape.lowering.lowering import Lowered


class Limits(NamedTuple):
    """How far loops are opened up; tests make these small to reach every form."""

    unrolled: int = 4
    """The longest loop that is written out."""
    unrolled_within: int = 64
    """The fewest elements that a statement with such a loop has."""
    split: int = 32
    """The shortest loop that is split where a piece begins."""
    pieces: int = 27
    neighbours: int = 8
    """How many lines of a block a statement looks at for loops to share."""


class Nests(Writer):
    """The loop nests of a program in a language; `results` are names for the memory of outputs.

    Where what stands between loops parts them into functions, `apart`, no name passes it.
    """

    def __init__(
        self,
        program: Lowered,
        language: Language,
        scope: Scope,
        computed_here: Any,
        limits: Limits | None = None,
        results: Mapping[int, str] = MappingProxyType({}),
        *,
        apart: bool = False,
    ) -> None:
        super().__init__(program, language, scope, Demand(program, computed_here))
        self.buffers |= results
        self.limits, self.apart = limits or Limits(), apart
        self.nests: list[Nest | Outside] = []
        for p in sorted(self.demand.roots):
            self._root(p)
        wanted = {self.buffer(p) for p in program.outputs}
        for p in self.demand.outside:
            wanted.update([self.buffer(i) for i in self.program.steps[p][1:]])
        lines = [
            line
            for nest in self.nests
            for line in ([nest] if isinstance(nest, Outside) else nest.lines(self.variable))
        ]
        self.lines = without_dead(self._in_order(lines, 0, ChainMap()), wanted.__contains__)

    # --- steps and statements ---------------------------------------------------------------------

    def _root(self, p: int) -> None:
        operation, *operands = self.program.steps[p]
        if p in self.demand.outside:
            self.nests.append(Outside(p))
            return
        if 0 in self.shape(p):
            return
        maker = MAKERS.get(type(operation))
        if maker is None:
            raise unsupported(self.language, operation, [self.shape(i) for i in operands])
        statements = maker(Step(p, operation, operands, ()), self)
        for k, s in enumerate(statements):
            if s.combine:
                number = neutral(self, s.combine, self.dtype(operands[0] if s.which else p))
                statements[k] = s._replace(neutral=number)
        if statements and all([s.scattered for s in statements]):
            self._fill(statements[0])
        for s in statements:
            self._place(s)

    def _fill(self, s: Statement) -> None:
        """Set the memory of a step to the number that changes nothing, first of all."""
        size = prod(self.shape(s.position))
        place = Place.of(Var(self.variable(0), 0, size - 1))
        store = Store(self.buffer(s.position), place, self.neutral(s), settled=False)
        loops = [(0, size)] if size > 1 else []
        self.nests.insert(0, Nest(loops, 0, [store], stored={s.position: []}))

    def _place(self, s: Statement) -> None:
        """Write a statement into the loops that it can share, else into loops of its own."""
        if any([axis.times == 0 for axis in s.axes]):
            if s.combine and not s.scattered:
                self._fill(s)
            return
        looped = [k for k, axis in enumerate(s.axes) if axis.times > 1]
        if s.running is not None or s.which:
            self._insert(self.written(s, sorted(looped, key=lambda a: s.axes[a].reduced)))
            return
        probe = self.written(s, looped)
        pieces = self._pieces(s, looped)
        if len(pieces) > 1:
            for piece in pieces:
                self._place(s._replace(axes=piece))
            return
        scores = self._scores(probe, looped)
        opened = self._opened(s, looped)
        rest = [a for a in looped if a not in opened]
        rest.sort(key=lambda a: (scores[a], s.axes[a].reduced, a))
        made = self.written(s, rest, opened)
        if made.gathered and not s.scattered:
            self._fill(s)
        self._insert(made)

    def _scores(self, probe: Nest, looped: Sequence[int]) -> dict[int, int]:
        """Count for each axis what it runs along in memory, less what it jumps in."""
        axes = {self.variable(depth): a for depth, a in enumerate(looped)}
        scores = dict.fromkeys(looped, 0)
        reads = [flat(places, self.shape(p)) for p, places in probe.reads]
        lines = walk(probe.lines(self.variable))
        stores = [line.place for line in lines if isinstance(line, Store)]
        for place in [*reads, *stores]:
            for c, atom in place.terms:
                if isinstance(atom, Var) and atom.name in axes:
                    scores[axes[atom.name]] += 1 if abs(c) == 1 else -1
        return scores

    def _pieces(self, s: Statement, looped: Sequence[int]) -> list[Any]:
        """Cut long axes where an operand begins or ends, so that no piece has to ask."""
        cut = [[axis] for axis in s.axes]
        for depth, a in enumerate(looped if not s.combine else ()):
            axis, end = s.axes[a], s.axes[a].first + s.axes[a].times
            values = self.breaks.get(self.variable(depth), set())
            if axis.times >= self.limits.split:
                edges = [axis.first, *sorted([v for v in values if axis.first < v < end]), end]
                cut[a] = [axis._replace(first=x, times=y - x) for x, y in pairwise(edges)]
        return list(product(*cut)) if prod(map(len, cut)) <= self.limits.pieces else [s.axes]

    def _opened(self, s: Statement, looped: Sequence[int]) -> list[int]:
        """Say which axes are written out: short last ones of many elements."""
        opened: list[int] = []
        if prod([axis.times for axis in s.axes]) < self.limits.unrolled_within:
            return opened
        for k in reversed(looped):
            many = prod([s.axes[a].times for a in [*opened, k]])
            if s.axes[k].times <= self.limits.unrolled and many <= self.limits.unrolled**2:
                opened.append(k)
            elif not s.axes[k].reduced:
                break
        return opened

    def _insert(self, made: Nest) -> None:
        """Put a nest into the last one with the same loops, past what it does not need."""
        for other in reversed(self.nests[-self.limits.neighbours :]):
            if isinstance(other, Outside):
                break
            if made.may_join(other):
                made.join(other)
                return
            if made.needs(other):
                break
        self.nests.append(made)

    # --- the order of lines -----------------------------------------------------------------------

    def _in_order(
        self, lines: list[Line], depth: int, known: ChainMap[Any, Node | None]
    ) -> list[Line]:
        """Write each value before the first line that needs it, as far outside as it can stand."""
        made: list[Line] = []
        for line in lines:
            if isinstance(line, Loop):
                self._supply(walk(line.body), depth, known, made)
                inner = self._in_order(line.body, depth + 1, known.new_child())
                made.append(replace(line, body=inner))
                continue
            self._supply([line], depth, known, made)
            made.append(line)
            if isinstance(line, Store) and line.settled:
                known[line.buffer, line.place] = line.node
            if isinstance(line, Outside) and self.apart:
                known.clear()
        return made

    def _supply(
        self, lines: Iterable[Line], depth: int, known: ChainMap[Any, Node | None], made: list[Line]
    ) -> None:
        """Write the values that some lines need and that stand no deeper than here."""
        missing: set[str] = set()
        stack = [name for line in lines for name in names_in(line)]
        while stack:
            name = stack.pop()
            if name in self.values and name not in known and name not in missing:
                missing.add(name)
                value = self.values[name]
                if value.load not in known:
                    stack.extend(value.operands)
        for name in sorted(missing, key=lambda n: self.values[n].number):
            value = self.values[name]
            if value.depth <= depth:
                made.append(Let(name, value.dtype, known.get(value.load) or value.node))
                known[name] = None


def unsupported(language: Language, operation: Any, shapes: Sequence[Any]) -> UnsupportedError:
    """Say that a language has no code for a kind of step."""
    inner = ", ".join(map(str, shapes))
    return UnsupportedError(
        f"{language.name} has no code for {operation!r} of shapes {inner}; "
        "compile with backend='numpy', or take the step out of the formula"
    )
