"""How a statement is written in lines: those of its innermost loop, and those around a loop."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product

import numpy as np

from symtape.codegen.loops.elements import RULES
from symtape.codegen.loops.loops import Let, Line, Set, Store
from symtape.codegen.loops.places import Place, Places, Var, flat
from symtape.codegen.loops.statements import Running, Statement
from symtape.codegen.loops.values import BOOL, INDEX, Rule, Step, Values
from symtape.codegen.nodes import Node, at, both, choice, either, element, equal, related
from symtape.program.operations import DType


@dataclass(slots=True)
class Written:
    """A statement in lines: `body` of the innermost loop; the others around the loop at `depth`."""

    position: int
    loops: list[tuple[int, int]]
    depth: int
    adds: bool
    """Something is added to memory that holds a number already."""
    reads: list[tuple[int, Places]]
    places: list[Places] = field(default_factory=list)
    before: list[Line] = field(default_factory=list)
    body: list[Line] = field(default_factory=list)
    after: list[Line] = field(default_factory=list)

    @property
    def needed(self) -> set[int]:
        """The steps that must be there: what is read, and what something is added to."""
        return {*[p for p, _ in self.reads], *([self.position] if self.adds else [])}


class Writer(Values):
    """Writes statements for loops over some of their axes."""

    def rule(self, step: Step) -> Rule:
        """Say how an element of a step is computed where it is read."""
        return RULES[type(step.operation)](step, self)

    def written(self, s: Statement, looped: Sequence[int], opened: Sequence[int] = ()) -> Written:
        """Write a statement for loops over some axes, in their order; others are written out."""
        self.begin()
        fixed = [Place(axis.first) for axis in s.axes]
        for depth, a in enumerate(looped):
            first, count = s.axes[a].first, s.axes[a].times
            fixed[a] = Place.of(Var(self.variable(depth), first, first + count - 1))
        depth = next((k for k, a in enumerate(looped) if s.axes[a].reduced), len(looped))
        is_register = all([s.axes[a].reduced for a in looped[depth:]])
        loops = [(s.axes[a].first, s.axes[a].times) for a in looped]
        made = Written(s.position, loops, depth, s.scattered or not is_register, self.reads)
        kept, gone = ([a for a in opened if s.axes[a].reduced == r] for r in (False, True))
        for outer in _each(s, kept, fixed):
            nodes: list[Node] = []
            for places in _each(s, gone, outer):
                found, target = self.run(s.fill(places))
                nodes += found
            made.places.append(target)
            self._finish(s, made, target, nodes, places)
        return made

    def _finish(
        self, s: Statement, made: Written, target: Places, nodes: list[Node], places: Places
    ) -> None:
        """Store what was computed, add it to what is there, or carry it on."""
        if s.running is not None:
            self._carry(s, s.running, made, target, nodes)
        elif s.which:
            (here,) = [p for p, axis in zip(places, s.axes, strict=True) if axis.reduced]
            self._search(s, made, target, nodes[0], here)
        elif made.adds:
            old = element(self.buffer(s.position), flat(target, self.shape(s.position)))
            made.body.append(
                self._store(s, target, self._combined(s, [old, *nodes]), settled=False)
            )
        elif made.depth == len(made.loops):
            node = self.let(self._combined(s, nodes), self.dtype(s.position))
            made.body.append(self._store(s, target, node, settled=s.settled))
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

    def _store(self, s: Statement, target: Places, node: Node, *, settled: bool = True) -> Store:
        place = flat(target, self.shape(s.position))
        return Store(self.buffer(s.position), place, node, settled)

    def _collect(self, s: Statement, made: Written, target: Places, node: Node) -> None:
        """Add up in a register, which has more digits where there are few, and store it then."""
        own = self.dtype(s.position)
        few = s.combine == "add" and own in (np.float32, np.complex64)
        wide: DType = np.result_type(own, np.float64) if few else own

        def converted(x: Node, old: DType, new: DType) -> Node:
            return self.language.convert(x, old, new) if few else x

        start = converted(self.neutral(s), own, wide)
        collected = self._changed("t", made, wide, start, made.depth)
        sum_ = self._combined(s, [collected, converted(node, own, wide)])
        made.body.append(Set(collected.text, sum_))
        self._conclude(s, made, target, converted(collected, wide, own))

    def neutral(self, s: Statement) -> Node:
        """Give the number that changes nothing."""
        assert s.neutral is not None  # noqa: S101 - what is combined has one
        return s.neutral

    def _changed(self, prefix: str, made: Written, dtype: DType, start: Node, depth: int) -> Node:
        """Name what is set before the loop and changed in it."""
        name = self.fresh(prefix, depth)
        made.before.append(Let(name.text, dtype, start, changed=True))
        return name

    def _conclude(self, s: Statement, made: Written, target: Places, result: Node) -> None:
        name = self.fresh("s", made.depth)
        made.after.append(Let(name.text, self.dtype(s.position), result))
        made.after.append(self._store(s, target, name))

    def _carry(
        self, s: Statement, running: Running, made: Written, target: Places, xs: list[Node]
    ) -> None:
        """Carry a value from each iteration to the next."""
        dtype, depth = self.dtype(s.position), len(made.loops)
        start = self.language.number(running.initial, dtype)
        carried = self._changed("t", made, dtype, start, depth)
        old, new = self.fresh("s", depth), self.fresh("s", depth)
        made.body += [
            Let(old.text, dtype, carried),
            Let(new.text, dtype, running.update(old, xs)),
            Set(carried.text, new),
            self._store(s, target, old if running.exclusive else new),
        ]

    def _search(self, s: Statement, made: Written, target: Places, node: Node, here: Place) -> None:
        """Remember the best element so far and where it stood; the first nan is the best."""
        dtype, own = self.dtype(self.program.steps[s.position][1]), self.dtype(s.position)
        depth, zero = len(made.loops), self.language.number(0, own)
        if here.is_number:
            made.body.append(self._store(s, target, zero))
            return
        best = self._changed("t", made, dtype, self.neutral(s), depth)
        place = self._changed("t", made, own, zero, depth)
        found = node > best if s.which == "argmax" else node < best
        if dtype.kind == "f":
            is_nan = both([related("!=", node, node), equal(best, best)])
            found = either([found, is_nan])
        better = self.fresh("s", depth)
        made.body += [
            Let(better.text, BOOL, found),
            Set(place.text, choice(better, self.language.convert(at(here), INDEX, own), place)),
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
