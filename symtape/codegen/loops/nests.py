"""From a program to loop nests: each step that has memory is placed into the loops it can share.

A statement is tried in the loops that are there, deepest first; where it would need an element that
is not complete there, the attempt is taken back. A buffer that nobody reads in the end is never
written.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise, product, takewhile
from math import prod
from types import MappingProxyType
from typing import Any, NamedTuple

from symtape.codegen.loops.cursor import NotCompleteError, Record
from symtape.codegen.loops.elements import Rule, Step
from symtape.codegen.loops.loops import Block, Loop, Node, Outside, Store, without_dead
from symtape.codegen.loops.places import Place, Places, Var
from symtape.codegen.loops.scalars import Language
from symtape.codegen.loops.statements import MAKERS, Axis, Statement, neutral
from symtape.codegen.loops.stores import Filling
from symtape.codegen.scope import Scope
from symtape.errors import UnsupportedError
from symtape.lowering.lowering import Lowered
from symtape.program.operations import Shape


class Limits(NamedTuple):
    """How far loops are opened up; tests make these small to reach every form."""

    unrolled: int = 4
    """The longest loop that is written out."""
    unrolled_within: int = 64
    """The fewest elements that a statement with such a loop has."""
    split: int = 32
    """The shortest loop that is split where a piece begins."""
    pieces: int = 27
    attempts: int = 24
    neighbours: int = 8
    """How many loops of a block a statement looks at."""


class Nests(Filling):
    """The loop nests of a program in a language; `results` are names for the memory of outputs."""

    def __init__(
        self,
        program: Lowered,
        language: Language,
        scope: Scope,
        computed_here: Any,
        limits: Limits | None = None,
        results: Mapping[int, str] = MappingProxyType({}),
    ) -> None:
        super().__init__(program, language, scope, computed_here)
        self.names |= results
        self.limits = limits or Limits()
        for p in self._needed():
            if p in self.demand.roots:
                self._root(p)
        self.outside = self._outside()
        wanted = {self.buffer(p) for p in program.outputs}
        without_dead(self.body, wanted.__contains__, self.outside)

    # --- steps ------------------------------------------------------------------------------------

    def _needed(self) -> list[int]:
        needed = set(self.program.outputs)
        for p in range(len(self.program.steps) - 1, -1, -1):
            if p in needed:
                needed.update(self.program.steps[p][1:])
        return sorted(needed)

    def _outside(self) -> set[str]:
        """Name the buffers that steps outside of loops read."""
        return {self.buffer(i) for p in self.demand.outside for i in self.program.steps[p][1:]}

    def _root(self, p: int) -> None:
        operation, *operands = self.program.steps[p]
        self.done[p] = []
        if p in self.demand.outside:
            node = Outside(p)
            self.body.nodes.append(node)
            self.body.known.clear()
            self.done[p].append(Record((), node, ()))
            return
        if 0 in self.shape(p):
            return
        maker = MAKERS.get(type(operation))
        if maker is None:
            raise unsupported(self.language, operation, [self.shape(i) for i in operands])
        step = Step(p, operation, operands, (), "")
        statements = maker(step, self)
        if statements and statements[0].combine:
            for s in statements:
                s.neutral = neutral(self, s.combine or "add", self.dtype(operands[0]))
        if any([s.scattered and not s.follows for s in statements]):
            self._fill(p, statements[0].neutral)
        for statement in statements:
            self._place(statement)

    def _fill(self, p: int, number: str) -> None:
        """Set the memory of a step to a number, first of all."""
        size = prod(self.shape(p))
        var = self._fresh("i")
        block = Block(1)
        place = Place.of(Var(var, 0, size - 1))
        block.nodes.append(Store(self.buffer(p), place, number))
        node: Node = Loop(var, 0, size, block) if size > 1 else block.nodes[0]
        first = self.body.nodes[0] if self.body.nodes else None
        self.journal.insert(self.body, node, first)
        self.done[p].append(Record((), node, ()))

    # --- statements -------------------------------------------------------------------------------

    def _place(self, s: Statement) -> None:
        """Write a statement into the loops that it can share, else into loops of its own."""
        if any([axis.count == 0 for axis in s.axes]):
            if s.combine and not s.scattered:
                self._place(_constant(s))
            return
        scores, breaks = self._probe(s)
        pieces = self._pieces(s, breaks)
        if len(pieces) > 1:
            for piece in pieces:
                self._place(s.part(piece))
            return
        looped, opened = self._unrolled(s)
        order = sorted(looped, key=lambda a: (scores[a], a))
        if s.running or s.which:
            order = sorted(order, key=lambda a: s.axes[a].reduced)
        for path in self._candidates(s, order):
            mark = self.journal.mark()
            try:
                self._write(s, path, order, opened)
            except NotCompleteError:
                self.journal.back(mark)
            else:
                return
            finally:
                self._cursor(())

    def _probe(self, s: Statement) -> tuple[list[int], list[set[int]]]:
        """Try a statement, and find which axes run along memory and where pieces begin."""
        mark = self.journal.mark()
        self.loads, self.breaks, self.seen = [], {}, set()
        order = [k for k, axis in enumerate(s.axes) if axis.count > 1]
        if s.running or s.which:
            order = sorted(order, key=lambda a: s.axes[a].reduced)
        self._write(s, (), order, [])
        variables = {loop.var: a for loop, a in zip(self.loops, order, strict=True)}
        scores = [0] * len(s.axes)
        for place in self.loads:
            for c, atom in place.terms:
                if isinstance(atom, Var) and atom.name in variables:
                    scores[variables[atom.name]] += 1 if abs(c) == 1 else -1
        breaks: list[set[int]] = [set() for _ in s.axes]
        for name, values in self.breaks.items():
            if name in variables:
                breaks[variables[name]] |= values
        s.touched = self.seen | {self.buffer(s.position)}
        self.journal.back(mark)
        self._cursor(())
        return scores, breaks

    def _pieces(self, s: Statement, breaks: Sequence[set[int]]) -> list[list[tuple[int, int]]]:
        """Cut long axes where an operand begins or ends, so that no piece has to ask."""
        whole = [(axis.first, axis.count) for axis in s.axes]
        if s.combine or s.running:
            return [whole]
        cut: list[list[tuple[int, int]]] = []
        for axis, values in zip(s.axes, breaks, strict=True):
            end = axis.first + axis.count
            inner = sorted([v for v in values if axis.first < v < end])
            edges = [axis.first, *(inner if axis.count >= self.limits.split else []), end]
            cut.append([(a, b - a) for a, b in pairwise(edges)])
        if prod(map(len, cut)) > self.limits.pieces:
            return [whole]
        return [list(piece) for piece in product(*cut)]

    def _unrolled(self, s: Statement) -> tuple[list[int], list[int]]:
        """Say which axes are loops, and which are written out: short last ones of many elements."""
        looped = [k for k, axis in enumerate(s.axes) if axis.count > 1]
        opened: list[int] = []
        total = prod([axis.count for axis in s.axes])
        if s.running or s.which or total < self.limits.unrolled_within:
            return looped, opened
        for k in reversed(looped):
            many = prod([s.axes[a].count for a in opened]) * s.axes[k].count
            if s.axes[k].count <= self.limits.unrolled and many <= self.limits.unrolled**2:
                opened.append(k)
            elif not s.axes[k].reduced:
                break
        return [k for k in looped if k not in opened], opened

    def _candidates(self, s: Statement, order: Sequence[int]) -> list[tuple[Any, ...]]:
        """List the loops that a statement may share, each with its axis; deepest first."""
        found: list[tuple[Any, ...]] = []
        for path in self._paths(self.body, s, tuple(order)):
            found.append(path)
            if len(found) == 4 * self.limits.attempts:
                break
        found.sort(key=lambda path: -len(path))
        return [*found[: self.limits.attempts], ()]

    def _paths(
        self, block: Block, s: Statement, axes: tuple[int, ...]
    ) -> Iterator[tuple[Any, ...]]:
        near = block.nodes[-4 * self.limits.neighbours :]
        nodes = takewhile(lambda n: type(n) is not Outside, reversed(near))  # no name passes it
        loops = [n for n in nodes if type(n) is Loop]
        for loop in loops[: self.limits.neighbours]:
            if not loop.touched & s.touched:
                continue
            for a in axes:
                axis = s.axes[a]
                if (axis.first, axis.count) != (loop.first, loop.count):
                    continue
                rest = tuple([b for b in axes if b != a])
                if (s.running or s.which) and axis.reduced and rest:
                    continue
                for inner in self._paths(loop.body, s, rest):
                    yield ((loop, a), *inner)
                yield ((loop, a),)

    def _enter(self, s: Statement, path: Sequence[Any], order: Sequence[int]) -> list[int]:
        """Stand inside of the shared loops and of new ones; give the axis of each."""
        self._cursor([loop for loop, _ in path])
        axes = [a for _, a in path]
        for loop, _ in path:
            loop.touched |= s.touched
        for a in order:
            if a not in axes:
                var = self._fresh("i")
                loop = Loop(var, s.axes[a].first, s.axes[a].count, Block(len(self.loops) + 1))
                loop.touched |= s.touched
                self.depths[var] = len(self.loops) + 1
                self.journal.insert(self.blocks[-1], loop)
                self._cursor([*self.loops, loop])
                axes.append(a)
        return axes

    def _write(
        self, s: Statement, path: Sequence[Any], order: Sequence[int], opened: Sequence[int]
    ) -> None:
        axes = self._enter(s, path, order)
        fixed = [Place(axis.first) for axis in s.axes]
        for loop, a in zip(self.loops, axes, strict=True):
            fixed[a] = Place.of(Var(loop.var, loop.first, loop.first + loop.count - 1))
        if s.running is not None:
            self._write_running(s, tuple(fixed), axes)
            return
        outer = [a for a in opened if not s.axes[a].reduced]
        inner = [a for a in opened if s.axes[a].reduced]
        for values in product(*[_values(s.axes[a]) for a in outer]):
            here = list(fixed)
            for a, v in zip(outer, values, strict=True):
                here[a] = Place(v)
            texts, places = [], tuple(here)
            for others in product(*[_values(s.axes[a]) for a in inner]):
                for a, v in zip(inner, others, strict=True):
                    here[a] = Place(v)
                places = tuple(here)
                texts.append(self.run(s.element(places)))
            self._finish(s, axes, places, texts)


def _values(axis: Axis) -> range:
    return range(axis.first, axis.first + axis.count)


def _constant(s: Statement) -> Statement:
    """Give what is left of a sum without terms."""
    kept = [axis for axis in s.axes if not axis.reduced]
    others = [Place() for axis in s.axes if axis.reduced]

    def element(places: Places) -> Rule:
        yield from ()
        return s.neutral

    made = s.part([(0, axis.count) for axis in s.axes])
    made.axes, made.combine, made.element = kept, "", element
    made.target = lambda places: s.target((*places, *others))
    return made


def unsupported(language: Language, operation: Any, shapes: Sequence[Shape]) -> UnsupportedError:
    """Say that a language has no code for a kind of step."""
    inner = ", ".join(map(str, shapes))
    return UnsupportedError(
        f"{language.name} has no code for {operation!r} of shapes {inner}; "
        "compile with backend='numpy', or take the step out of the formula"
    )
