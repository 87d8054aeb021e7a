"""How a statement is written in a nest of loops: stored, added up, carried on, or searched."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product

import numpy as np

from symtape.codegen.expressions import At, both, choice, either, element, related
from symtape.codegen.loops.elements import RULES
from symtape.codegen.loops.loops import Let, Line, Loop, Set, Store
from symtape.codegen.loops.places import Place, Places, Var, flat
from symtape.codegen.loops.statements import Running, Statement
from symtape.codegen.loops.values import BOOL, INDEX, Rule, Step, Values
from symtape.kernels.nodes import Node, Variable, equal
from symtape.program.operations import DType


@dataclass(slots=True)
class Nest:
    """Loops around one body; a register is set before the loop at a depth, and read after it."""

    loops: list[tuple[int, int]]
    depth: int = 0
    """Where the first loop stands that a statement sums over, or runs along."""
    body: list[Line] = field(default_factory=list)
    before: dict[int, list[Line]] = field(default_factory=dict)
    after: dict[int, list[Line]] = field(default_factory=dict)
    reads: list[tuple[int, Places]] = field(default_factory=list)
    stored: dict[int, list[Places]] = field(default_factory=dict)
    """The places of each step that are complete where they are stored."""
    gathered: set[int] = field(default_factory=set)
    """The steps that are complete after all loops."""

    def needs(self, other: Nest) -> bool:
        """Say whether something is read, or added to, that another nest makes."""
        needed = {p for p, _ in self.reads} | self.gathered
        return bool(needed & (other.stored.keys() | other.gathered))

    def may_join(self, other: Nest) -> bool:
        """Say whether all that is read of another nest is stored there in the same iteration."""
        shared = {p for p, _ in other.reads} | other.stored.keys() | other.gathered
        return (
            self.loops == other.loops
            and not shared.isdisjoint([p for p, _ in self.reads])
            and self.gathered.isdisjoint(other.stored)
            and not any([p in other.gathered for p, _ in self.reads])
            and all([at in other.stored[p] for p, at in self.reads if p in other.stored])
        )

    def join(self, other: Nest) -> None:
        """Go into the loops of another nest."""
        other.body += self.body
        for mine, others in ((self.before, other.before), (self.after, other.after)):
            for depth, lines in mine.items():
                others.setdefault(depth, []).extend(lines)
        other.reads += self.reads
        for p, places in self.stored.items():
            other.stored.setdefault(p, []).extend(places)
        other.gathered |= self.gathered

    def lines(self, variable: Callable[[int], str]) -> list[Line]:
        """Write the loops, whose variables are called by their depths."""
        lines = self.body
        for depth in range(len(self.loops), -1, -1):
            if depth < len(self.loops):
                lines = [Loop(variable(depth), *self.loops[depth], lines)]
            lines = [*self.before.get(depth, ()), *lines, *self.after.get(depth, ())]
        return lines


class Writer(Values):
    """Writes statements for loops over some of their axes."""

    def rule(self, step: Step) -> Rule:
        """Say how an element of a step is computed where it is read."""
        return RULES[type(step.operation)](step, self)

    def written(self, s: Statement, looped: Sequence[int], opened: Sequence[int] = ()) -> Nest:
        """Write a statement for loops over some axes, in their order; others are written out."""
        self.begin()
        fixed = [Place(axis.first) for axis in s.axes]
        for depth, a in enumerate(looped):
            first, count = s.axes[a].first, s.axes[a].times
            fixed[a] = Place.of(Var(self.variable(depth), first, first + count - 1))
        depth = next((k for k, a in enumerate(looped) if s.axes[a].reduced), len(looped))
        made = Nest([(s.axes[a].first, s.axes[a].times) for a in looped], depth, reads=self.reads)
        is_register = all([s.axes[a].reduced for a in looped[depth:]])
        if s.scattered or not is_register:
            made.gathered.add(s.position)
        kept, gone = ([a for a in opened if s.axes[a].reduced == r] for r in (False, True))
        for outer in _each(s, kept, fixed):
            nodes: list[Node] = []
            for places in _each(s, gone, outer):
                found, target = self.run(s.fill(places))
                nodes += found
            self._finish(s, made, target, nodes, places)
        return made

    def _finish(
        self,
        s: Statement,
        made: Nest,
        target: Places,
        nodes: list[Node],
        places: Places,
    ) -> None:
        """Store what was computed, add it to what is there, or carry it on."""
        if s.running is not None:
            self._carry(s, s.running, made, target, nodes)
        elif s.which:
            (here,) = [p for p, axis in zip(places, s.axes, strict=True) if axis.reduced]
            self._search(s, made, target, nodes[0], here)
        elif made.gathered:
            place = flat(target, self.shape(s.position))
            node = self._combined(s, [element(self.buffer(s.position), place), *nodes])
            made.body.append(Store(self.buffer(s.position), place, node, settled=False))
        elif made.depth == len(made.loops):
            node = self.let(self._combined(s, nodes), self.dtype(s.position))
            self._store(s, made, made.body, target, node)
        else:
            self._collect(s, made, target, self._combined(s, nodes))

    def _combined(self, s: Statement, nodes: Sequence[Node]) -> Node:
        node, *others = nodes
        for x in others:
            if s.combine in {"add", "multiply"}:
                node = node + x if s.combine == "add" else node * x
                continue
            made = self.language.call(s.combine, self.dtype(s.position), node, x)
            assert made is not None  # noqa: S101 - numbers that have an order have an extremum
            node = made
        return node

    def _store(
        self, s: Statement, made: Nest, lines: list[Line], target: Places, node: Node
    ) -> None:
        place = flat(target, self.shape(s.position))
        lines.append(Store(self.buffer(s.position), place, node, s.settled))
        own = made.stored.setdefault(s.position, [])
        if lines is made.body:  # what is stored after loops is not there in them
            own.append(target)

    def _collect(self, s: Statement, made: Nest, target: Places, node: Node) -> None:
        """Add up in a register, which has more digits where there are few, and store it then."""
        own = self.dtype(s.position)
        few = s.combine == "add" and own in (np.float32, np.complex64)
        wide: DType = np.result_type(own, np.float64) if few else own

        def converted(x: Node, old: DType, new: DType) -> Node:
            return self.language.convert(x, old, new) if few else x

        start = converted(self.neutral(s), own, wide)
        collected = self._changed(made, wide, start, made.depth)
        sum_ = self._combined(s, [collected, converted(node, own, wide)])
        made.body.append(Set(collected.text, sum_))
        self._conclude(s, made, target, converted(collected, wide, own))

    def neutral(self, s: Statement) -> Node:
        """Give the number that changes nothing."""
        assert s.neutral is not None  # noqa: S101 - what is combined has one
        return s.neutral

    def _changed(self, made: Nest, dtype: DType, start: Node, used: int) -> Variable:
        """Name what is set before a loop, and changed in it; it is used at a depth."""
        name = self.fresh("t", used)
        made.before.setdefault(made.depth, []).append(Let(name.text, dtype, start, changed=True))
        return name

    def _conclude(self, s: Statement, made: Nest, target: Places, result: Node) -> None:
        name, after = self.fresh("s", made.depth), made.after.setdefault(made.depth, [])
        after.append(Let(name.text, self.dtype(s.position), result))
        self._store(s, made, after, target, name)

    def _carry(
        self, s: Statement, running: Running, made: Nest, target: Places, xs: list[Node]
    ) -> None:
        """Carry a value from each iteration to the next."""
        dtype, inner = self.dtype(s.position), len(made.loops)
        carried = self._changed(made, dtype, self.neutral(s), inner)
        old, new = self.fresh("s", inner), self.fresh("s", inner)
        joined = running.update(old, xs) if running.update else self._combined(s, [old, *xs])
        made.body += [
            Let(old.text, dtype, carried),
            Let(new.text, dtype, joined),
            Set(carried.text, new),
        ]
        self._store(s, made, made.body, target, old if running.exclusive else new)

    def _search(self, s: Statement, made: Nest, target: Places, node: Node, here: Place) -> None:
        """Remember the best element so far and where it stood; the first nan is the best."""
        dtype, own = self.dtype(self.program.steps[s.position][1]), self.dtype(s.position)
        inner, zero = len(made.loops), self.language.number(0, own)
        if here.is_number:
            self._store(s, made, made.body, target, zero)
            return
        best = self._changed(made, dtype, self.neutral(s), inner)
        place = self._changed(made, own, zero, inner)
        found: Node = node > best if s.which == "argmax" else node < best
        if dtype.kind == "f":
            is_nan = both([related("!=", node, node), equal(best, best)])
            found = either([found, is_nan])
        better = self.fresh("s", inner)
        made.body += [
            Let(better.text, BOOL, found),
            Set(place.text, choice(better, self.language.convert(At(here), INDEX, own), place)),
            Set(best.text, choice(better, node, best)),
        ]
        self._conclude(s, made, target, place)


def _each(s: Statement, axes: Sequence[int], fixed: Sequence[Place]) -> Iterator[Places]:
    """List the places for all values of some axes."""
    for values in product(*[range(s.axes[a].times) for a in axes]):
        here = list(fixed)
        for a, v in zip(axes, values, strict=True):
            here[a] = Place(s.axes[a].first + v)
        yield tuple(here)
