"""One program of all that was computed in a block, for whoever reads a formula.

Plans and keys see what nobody watched as leaves; a formula is followed back to what came from
outside, so that it is the same whatever was watched.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

from symtape.program.operations import Operation
from symtape.program.program import Guard, Program
from symtape.program.sizes.axes import Alike
from symtape.program.sizes.resizing import Recipe, StepByStep
from symtape.tensor.names import distinct
from symtape.tensor.recording.provenance import Decision, Held, Leaf, Outside

Item = Any
"""A node, an `Outside`, an origin `(source, position)`, or a source: what has a program."""


class Opened:
    """The program that a tensor is read from, its position in it, the leaves, and their names."""

    def __init__(self, origin: tuple[Any, Any]) -> None:
        self._leaves_of: dict[int, Sequence[Leaf]] = {}
        self.places: dict[int, Any] = {}
        self.alike: list[Alike] = []
        self._apart: list[Any] = []
        self.leaves: list[Leaf] = []
        self._alive: list[Item] = []
        self._root, place = origin
        self.is_listed = getattr(self._root, "is_listed", False)
        self._origin = origin
        decisions = self._root.decisions
        if type(place) is tuple or not self._is_whole(decisions):
            self._write(place if type(place) is tuple else origin, decisions)
        else:
            self.program, self.position = self._root.locate(place)
            self.leaves = list(self._leaves(self._root))
            self.places[id(self._root)] = range(len(self.program))
            self.alike = [*getattr(self._root, "alike", ())]
        self.names = self._named()

    def _is_whole(self, decisions: Sequence[Decision] | None) -> bool:
        """Say whether a source tells all, as nearly every one does."""
        own = decisions is None or all(
            type(d.operand) is tuple and d.operand[0] is self._root for d in decisions
        )
        return own and not any(x.origin is not None for x in self._leaves(self._root))

    @property
    def rows(self) -> int | None:
        """How many axes of a Jacobian or Hessian are rows."""
        rows: int | None = getattr(self._root, "rows", None)
        return rows

    @property
    def layout(self) -> str | None:
        """How a derivative lies: a gradient as its source, a Jacobian with a row for each value."""
        root, place = self._origin
        found = None if type(place) is tuple else root.asked(place)
        if found is not None:
            return "denominator" if found[0].kind == "gradient" else "numerator"
        if not hasattr(self._root, "rows"):
            return None
        return "denominator" if self._root.rows is None else "numerator"

    @cached_property
    def recipe(self) -> Recipe:
        """How the formula is made where the leaves have other sizes."""
        root, place = self._origin
        moved = self.places.get(id(root))
        find = None if moved is None or None in moved else getattr(root, "recipe", None)
        found = None if find is None else find(place)
        if found is not None and type(moved) is list:
            follows_none = self._follows_none(moved, found.sources)
            found = found.moved(moved, self.alike) if follows_none else None
        return StepByStep(self.position, self.alike) if found is None else found

    def _follows_none(self, moved: Sequence[int], sources: Sequence[int]) -> bool:
        """Say whether no leaf of the source was computed from what the derivative is by.

        Where one was, as what a variable gave before it was watched, it is a number to the
        derivative, and a step here.
        """
        leaves = {x.position for x in self._leaves(self._root) if x.origin is not None}
        by = {*sources}
        above = {q for p in leaves for q in self.program.steps[moved[p]][1:]}
        own = {moved[p] for p in leaves if p not in by}
        return {moved[p] for p in by}.isdisjoint(self.program.ancestors(own | above))

    def seen(self) -> list[tuple[str, int]]:
        """Name the steps that variables of the caller held when the source was derived."""
        moved = self.places.get(id(self._root), ())
        found = []
        for name, place in getattr(self._root, "sight", ()):
            p = self.places.get(id(place)) if type(place) is tuple else moved[place]
            if p is not None:
                found.append((name, p))
        return found

    def _named(self) -> dict[int, str]:
        """Put the leaves in the order in which they entered the block, whose formulas agree."""
        given: dict[int, str] | None = getattr(self._root, "names", None)
        if given is not None:
            return given
        block = self._root.block
        if block is None or block.beside is None:
            return distinct({leaf.position: leaf.label for leaf in self.leaves})
        labels: dict[Any, str | None] = block.labels()
        for leaf in self.leaves:
            labels.setdefault(leaf.tensor.identity, leaf.label)
        names, order = distinct(labels), {key: k for k, key in enumerate(labels)}
        self.leaves.sort(key=lambda x: order[x.tensor.identity])
        return {x.position: names[x.tensor.identity] for x in self.leaves}

    # --- writing ----------------------------------------------------------------------------------

    def _write(self, wanted: Item, decisions: Sequence[Decision] | None) -> None:
        self._symbols: dict[Any, int] = {}
        self.program = Program([], [], [], recorded=0)
        for decision in decisions or ():
            self._add(decision.operand)
        self._add(wanted)
        self.position = self._place(wanted)
        self.program.recorded = self.program.recorded or len(self.program)
        if decisions is None:
            self.program.guards = self._own_guards()
        else:
            self.program.guards = tuple([Guard(self._place(d.operand), d.value) for d in decisions])

    def _own_guards(self) -> tuple[Guard, ...]:
        """Give the conditions of the source, which knows all of them."""
        root = self._root
        moved = self.places.get(id(root), ())
        own = root.locate(0)[0].guards if moved else ()
        for g in own if self._is_apart(root) else ():
            for origin in self._needs_of_part(root, g.position):
                self._add(origin)
            self._splice_part(root, g.position)
        return tuple([Guard(moved[g.position], g.value) for g in own])

    def _add(self, item: Item) -> None:
        """Write an item after everything that it is computed from.

        A source is written as a whole, unless it waits for itself: what was computed of results of
        a recording, out of its sight, has entered it again.
        """
        stack = [item]
        begun: set[int] = set()
        while stack:
            top = stack[-1]
            waiting = [x for x in self._needs(top) if id(x) not in self.places]
            if id(top) in self.places:
                stack.pop()
            elif id(top) in begun and waiting:
                self._apart.append(top)
                self.places[id(top)] = [None] * len(top.locate(0)[0])
            elif waiting:
                if type(top) is not tuple:
                    begun.add(id(top))
                stack.extend(waiting)
            else:
                self._alive.append(stack.pop())
                self.places[id(top)] = self._put(top)

    def _is_apart(self, source: Any) -> bool:
        return any([x is source for x in self._apart])

    def _needs(self, item: Item) -> Sequence[Item]:
        if type(item) is tuple:
            if isinstance(item[0], Operation):
                return item[1:]
            source, position = item
            if self._is_apart(source):
                return self._needs_of_part(source, source.locate(position)[1])
            return item[:1]
        if type(item) is Outside or id(item) in self.places:
            return ()
        return self._needs_of_source(item)

    def _needs_of_part(self, source: Any, place: int) -> Sequence[Item]:
        """Say what a step of a source was computed from that the source did not see computed."""
        part = set(source.locate(0)[0].ancestors([place]))
        leaves = [x for x in self._leaves(source) if x.position in part]
        return [x.origin for x in leaves if x.origin is not None]

    def _needs_of_source(self, source: Any) -> Sequence[Item]:
        """Say what the leaves of a source were computed from; the others are symbols at once."""
        steps = source.locate(0)[0].steps
        for leaf in self._leaves(source):
            if leaf.origin is None:
                self._enter(leaf, steps[leaf.position])
        return [x.origin for x in self._leaves(source) if x.origin is not None]

    def _leaves(self, source: Any) -> Sequence[Leaf]:
        found = self._leaves_of.get(id(source))
        if found is None:
            found = self._leaves_of[id(source)] = source.leaves()
        return found

    def _put(self, item: Item) -> Any:
        if type(item) is Outside:
            return self._enter(Leaf(0, item.label, item.held, watched=False), item.step)
        if type(item) is not tuple:
            return self._splice(item)
        if not isinstance(item[0], Operation):
            if self._is_apart(item[0]):
                self._splice_part(item[0], item[0].locate(item[1])[1])
            return self._place(item)
        operands = [self._place(x) for x in item[1:]]
        shapes, dtypes = self.program.shapes, self.program.dtypes
        result = item[0].infer([shapes[p] for p in operands], [dtypes[p] for p in operands])
        return self._append((item[0], *operands), *result)

    def _place(self, item: Item) -> int:
        if type(item) is tuple and not isinstance(item[0], Operation):
            source, position = item
            place: int = self.places[id(source)][source.locate(position)[1]]
            return place
        found: int = self.places[id(item)]
        return found

    def _append(self, step: Any, shape: Any, dtype: Any) -> int:
        program = self.program
        program.steps.append(step)
        program.shapes.append(shape)
        program.dtypes.append(dtype)
        return len(program) - 1

    def _enter(self, leaf: Leaf, step: Any) -> int:
        """Make a symbol of a tensor that came from outside, one for each tensor."""
        key = leaf.tensor.identity
        found = self._symbols.get(key)
        if found is None:
            found = self._symbols[key] = self._append(step, step[0].shape, step[0].dtype)
            held = leaf.tensor.alive()  # for as long as somebody reads
            kept = leaf.tensor if held is None else Held(held)
            self.leaves.append(leaf._replace(position=found, tensor=kept))
        elif leaf.watched:
            self.program.steps[found] = step
            own = next(k for k, x in enumerate(self.leaves) if x.position == found)
            self.leaves[own] = self.leaves[own]._replace(watched=True)
        origin = getattr(leaf.tensor.alive(), "origin", None) if leaf.watched else None
        if origin is not None and type(origin[1]) is tuple:
            self.places[id(origin[1])] = found  # it is watched where it was computed
        return found

    def _splice(self, source: Any) -> list[int]:
        """Copy the program of a recording or of a derivative."""
        program = source.locate(0)[0]
        known = {x.position: x for x in self._leaves(source)}
        moved: list[int] = []
        for p in range(len(program)):
            if p == program.recorded:
                self.program.recorded = len(self.program)
            moved.append(self._copy(program, p, known, moved))
        for p, parts in getattr(source, "alike", ()):
            self.alike.append((moved[p], tuple([moved[q] for q in parts])))
        return moved

    def _splice_part(self, source: Any, place: int) -> None:
        """Copy one step of a source, and what it is computed from."""
        program = source.locate(0)[0]
        known = {x.position: x for x in self._leaves(source)}
        moved = self.places[id(source)]
        for p in program.ancestors([place]):
            if moved[p] is None:
                moved[p] = self._copy(program, p, known, moved)

    def _copy(
        self, program: Program, p: int, known: Mapping[int, Leaf], moved: Sequence[int]
    ) -> int:
        """Copy a step, or make a symbol of a leaf, unless it was computed in the block."""
        if p in known:
            leaf = known[p]
            inside = leaf.origin is not None
            return self._place(leaf.origin) if inside else self._enter(leaf, program.steps[p])
        operation, *operands = program.steps[p]
        step = (operation, *[moved[i] for i in operands])
        return self._append(step, program.shapes[p], program.dtypes[p])
