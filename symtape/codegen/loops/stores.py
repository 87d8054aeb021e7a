"""How what a statement computes reaches its memory: stored, added up, carried on, or searched."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from symtape.codegen.loops.cursor import BOOL, INDEX, Cursor, NotCompleteError, Record
from symtape.codegen.loops.elements import Rule, Wish
from symtape.codegen.loops.loops import Block, Let, Loop, Node, Set, Store
from symtape.codegen.loops.places import Atom, Place, Places, Var, flat
from symtape.codegen.loops.statements import Statement
from symtape.program.operations import DType


class Filling(Cursor):
    """Writes the end of a statement, at the place where the cursor stands."""

    def _finish(self, s: Statement, axes: list[int], places: Places, texts: list[str]) -> None:
        """Store what was computed, or add it to what is there."""
        target = self.run(s.target(places))
        first = next((k for k, a in enumerate(axes) if s.axes[a].reduced), len(axes))
        if s.which:
            self._write_position(s, target, places, texts[0])
        elif s.scattered:
            self._write_scattered(s, target, texts)
        elif first == len(axes):
            self._write_plain(s, target, self._combined(s, texts))
        elif all([s.axes[a].reduced for a in axes[first:]]):
            self._write_register(s, target, self._combined(s, texts), first)
        else:
            self._write_memory(s, target, self._combined(s, texts), first)

    def _combined(self, s: Statement, texts: Sequence[str]) -> str:
        text = texts[0]
        for other in texts[1:]:
            text = self._combine(s.combine, text, other)
        return text

    def _combine(self, how: str, x: str, y: str, dtype: DType | None = None) -> str:
        if how in _SIGNS:
            return f"{x}{_SIGNS[how]}{_factor(y) if how == 'multiply' else y}"
        kind = "f" if dtype is None else {"u": "i"}.get(dtype.kind, dtype.kind)
        template = self.language.words[how][kind]
        template = self.language.spell(template, dtype or np.dtype("float64"))
        return self.language.fill(template, [x, y])

    def _store(self, p: int, target: Places, text: str) -> Store:
        place = flat(target, self.shape(p))
        self.loads.append(place)
        return Store(self.buffer(p), place, text)

    def _write_plain(self, s: Statement, target: Places, text: str) -> None:
        p = s.position
        wish = Wish(p, target, "" if s.settled else "first")
        name = text if text.isidentifier() else self._given(wish, text)
        node = self._store(p, target, name)
        self.journal.insert(self.blocks[-1], node)
        if s.settled:
            self.journal.learn(self.blocks[-1], Wish(p, target, ""), name, node)
        self.journal.add(self.done[p], Record(tuple(self.loops), node, target))

    def _write_scattered(self, s: Statement, target: Places, texts: Sequence[str]) -> None:
        p = s.position
        if s.follows and self.done[p]:
            first = self.done[p][0]
            if not self._is_complete(first, target, len(self.loops)):
                raise NotCompleteError
        place = flat(target, self.shape(p))
        self.loads.append(place)
        old = f"{self.buffer(p)}[{place.text(self.language.divide)}]"
        text = old
        for t in texts:
            text = self._combine(s.combine, text, t, self.dtype(p))
        node = Store(self.buffer(p), place, text)
        self.journal.insert(self.blocks[-1], node)
        final: Node = self.loops[0] if self.loops else node
        self.journal.add(self.done[p], Record((), final, ()))

    def _accumulator(self, p: int, combine: str) -> DType:
        """Add numbers of few digits up with more."""
        dtype = self.dtype(p)
        few = combine == "add" and dtype in (np.float32, np.complex64)
        return np.result_type(dtype, np.float64) if few else dtype

    def _write_register(self, s: Statement, target: Places, text: str, first: int) -> None:
        """Add up in a register, and store it after the loops."""
        p = s.position
        own, wide = self.dtype(p), self._accumulator(p, s.combine)
        convert = self.language.convert
        total = self._fresh("t")
        start = convert(s.neutral, own, wide) if wide != own else s.neutral
        block, loop = self.blocks[first], self.loops[first]
        self.depths[total] = first
        self.journal.insert(block, Let(total, wide, start, changed=True), loop)
        term = convert(text, own, wide) if wide != own else text
        self.journal.insert(self.blocks[-1], Set(total, self._combine(s.combine, total, term, own)))
        self._after(p, target, total, wide, first)

    def _after(self, p: int, target: Places, total: str, wide: DType, first: int) -> None:
        """Name and store what a loop has collected."""
        own, loop, block = self.dtype(p), self.loops[first], self.blocks[first]
        text = self.language.convert(total, wide, own) if wide != own else total
        name = self._fresh("s")
        self.depths[name] = first
        result = Let(name, own, text)
        store = self._store(p, target, name)
        self.journal.insert_after(block, result, loop)
        self.journal.insert_after(block, store, result)
        self.journal.learn(block, Wish(p, target, ""), name, store)
        self.journal.add(self.done[p], Record(tuple(self.loops[:first]), store, target))

    def _write_memory(self, s: Statement, target: Places, text: str, first: int) -> None:
        """Add up in memory, which is set before the first loop that is summed over."""
        p = s.position
        variables = [loop.var for loop in self.loops[first:]]
        fresh = {v: self._fresh("i") for v in variables}
        inner = [loop for loop in self.loops[first:] if _occurs(loop.var, target)]
        block, following = self.blocks[first], self.loops[first]
        before: Node = following
        depth = first
        for loop in inner:
            depth += 1
            made = Loop(fresh[loop.var], loop.first, loop.count, Block(depth), set(s.touched))
            self.journal.insert(block, made, before if block is self.blocks[first] else None)
            block = made.body
        moved = tuple([_renamed(place, fresh) for place in target])
        start = self._store(p, moved, s.neutral)
        self.journal.insert(block, start, following if not inner else None)
        place = flat(target, self.shape(p))
        self.loads += [place, place]
        old = f"{self.buffer(p)}[{place.text(self.language.divide)}]"
        new = self._combine(s.combine, old, text, self.dtype(p))
        self.journal.insert(self.blocks[-1], Store(self.buffer(p), place, new))
        path = tuple(self.loops[:first])
        self.journal.add(self.done[p], Record(path, following, target))

    def _write_running(self, s: Statement, places: Places, axes: list[int]) -> None:
        """Carry a value from each iteration to the next."""
        assert s.running is not None  # noqa: S101 - the caller has looked
        p, running = s.position, s.running
        names = [self.run(_asking(wish)) for wish in running.operands(places)]
        target = self.run(s.target(places))
        dtype, depth = self.dtype(p), len(self.loops)
        total = self._fresh("t")
        is_loop = bool(axes) and s.axes[axes[-1]].reduced
        outer = depth - 1 if is_loop else depth
        self.depths[total] = depth
        start = Let(total, dtype, running.initial, changed=True)
        self.journal.insert(self.blocks[outer], start, self.nexts[outer])
        new = self._write_let(object(), running.update(total, names), dtype, depth)
        value = new
        if running.exclusive:
            value = self._write_let(object(), total, dtype, depth)
        self.journal.insert(self.blocks[-1], Set(total, new))
        node = self._store(p, target, value)
        self.journal.insert(self.blocks[-1], node)
        self.journal.learn(self.blocks[-1], Wish(p, target, ""), value, node)
        self.journal.add(self.done[p], Record(tuple(self.loops), node, target))

    def _write_position(self, s: Statement, target: Places, places: Places, text: str) -> None:
        """Remember the best element so far and where it stood; the first nan is the best."""
        p = s.position
        operand = self.program.steps[p][1]
        dtype, own = self.dtype(operand), self.dtype(p)
        is_loop = bool(self.loops) and len(places) and not places[-1].is_number
        where = self.language.convert(places[-1].text(self.language.divide), INDEX, own)
        if not is_loop:
            self._write_plain(s, target, self.language.number(0, own))
            return
        first = len(self.loops) - 1
        best, at = self._fresh("t"), self._fresh("t")
        for name, kind, start in ((best, dtype, s.neutral), (at, own, "0")):
            self.depths[name] = first + 1
            number = start if start != "0" else self.language.number(0, own)
            self.journal.insert(
                self.blocks[first], Let(name, kind, number, changed=True), self.loops[first]
            )
        sign = ">" if s.which == "argmax" else "<"
        one = f"{text} {sign} {best}"
        if dtype.kind == "f":
            either, both = self.language.disjunction, self.language.conjunction
            one = f"({one}){either}({text} != {text}{both}{best} == {best})"
        better = self._write_let(object(), one, BOOL, len(self.loops))
        choose = self.language.choose
        self.journal.insert(self.blocks[-1], Set(at, choose(better, where, at)))
        self.journal.insert(self.blocks[-1], Set(best, choose(better, text, best)))
        self._after(p, target, at, own, first)


_SIGNS = {"add": " + ", "multiply": "*"}


def _factor(text: str) -> str:
    return f"({text})" if " + " in text else text


def _asking(wish: Wish) -> Rule:
    return (yield wish)


def _occurs(var: str, places: Places) -> bool:
    return any([var in place.names() for place in places])


def _renamed(place: Place, names: dict[str, str]) -> Place:
    terms: list[tuple[int, Atom]] = []
    for c, atom in place.terms:
        if isinstance(atom, Var):
            terms.append((c, atom._replace(name=names.get(atom.name, atom.name))))
        else:
            terms.append((c, replace(atom, place=_renamed(atom.place, names))))
    return Place(place.offset, tuple(terms))
