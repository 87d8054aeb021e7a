"""From a program to loop nests: each step that has memory is placed into the loops it can share.

A statement is tried in the loops that are there, deepest first; where it would need an element that
is not complete there, the attempt is taken back. What is computed once in a body has a name there
and is found again, so that steps which share a body pass values in registers, and a buffer that
nobody reads in the end is never written.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise, product
from math import prod
from typing import Any, NamedTuple

import numpy as np

from symtape.errors import UnsupportedError
from symtape.numeric.demand import Demand
from symtape.numeric.elements import RULES, Rule, Step, Wish
from symtape.numeric.loop_scalars import Language
from symtape.numeric.loops import (
    _NAME,
    Block,
    Journal,
    Let,
    Loop,
    Node,
    Outside,
    Set,
    Store,
    without_dead,
)
from symtape.numeric.lowering import Lowered
from symtape.numeric.places import Atom, Place, Places, Var, flat
from symtape.numeric.statements import MAKERS, Axis, Statement, neutral
from symtape.program.operations import Constant, DType, Input, Shape

_BOOL, _INDEX = np.dtype(bool), np.dtype("int64")


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


class Record(NamedTuple):
    """Where elements of a step become complete: after `final`, inside of the loops `path`."""

    path: tuple[Loop, ...]
    final: Node
    places: Places


class NotCompleteError(Exception):
    """Something is read before it is there: the statement does not belong into these loops."""


class Nests:
    """The loop nests of a program in a language."""

    def __init__(
        self,
        program: Lowered,
        language: Language,
        names: Sequence[str],
        computed_here: Any,
        limits: Limits | None = None,
    ) -> None:
        self.program, self.language = program, language
        self.limits = limits or Limits()
        self.demand = Demand(program, computed_here)
        self.names = dict(zip(program.inputs, names, strict=True))
        self.body = Block(0)
        self.journal = Journal()
        self.done: dict[int, list[Record]] = {}
        self.depths: dict[str, int] = {}
        self.blocks: list[Block] = [self.body]
        self.nexts: list[Node | None] = [None]
        self.loops: list[Loop] = []
        self.loads: list[Place] = []
        self.breaks: dict[str, set[int]] = {}
        self.seen: set[str] = set()
        self.counter = 0
        for p in self._needed():
            if p in self.demand.roots:
                self._root(p)
        self.outside = self._outside()
        wanted = {self.buffer(p) for p in program.outputs}
        without_dead(self.body, wanted.__contains__, self.outside)

    # --- what rules may ask -----------------------------------------------------------------------

    def shape(self, p: int) -> Shape:
        """Give the shape of a step."""
        return self.program.shapes[p]

    def dtype(self, p: int) -> DType:
        """Give the dtype of a step."""
        return self.program.dtypes[p]

    def let(self, text: str, dtype: DType) -> str:
        """Give a name to a text."""
        return self._name(("text", text), text, dtype, "s")

    def inside(self, place: Place, first: int, last: int, guard: str) -> tuple[str, str]:
        """Give the condition that a place lies between two numbers, alone and with the guard."""
        text = place.text(self.language.divide)
        tests = []
        if place.low < first:
            tests.append(f"{text} >= {first}")
        if place.high > last:
            tests.append(f"{text} <= {last}")
        self._find_breaks(place, first, last)
        condition = self.let(self.language.conjunction.join(tests), _BOOL)
        if not guard:
            return condition, condition
        return condition, self.let(f"{guard}{self.language.conjunction}{condition}", _BOOL)

    def _find_breaks(self, place: Place, first: int, last: int) -> None:
        if len(place.terms) != 1:
            return
        ((c, atom),) = place.terms
        if abs(c) == 1 and isinstance(atom, Var):
            for edge in (first, last + 1):  # the least value that lies on the other side
                value = edge - place.offset if c == 1 else place.offset - edge + 1
                self.breaks.setdefault(atom.name, set()).add(value)

    def checked(self, name: str, size: int) -> str:
        """Give the name of an integer that is an index of so many elements, or raise as it runs."""
        return self.let(self.language.words["index"]["i"].format(name, size), _INDEX)

    # --- names ------------------------------------------------------------------------------------

    def buffer(self, p: int) -> str:
        """Name the memory of a step."""
        return self.names.get(p) or f"v{p}"

    def _fresh(self, prefix: str) -> str:
        self.counter += 1
        return f"{prefix}{self.counter}"

    def _depth(self, text: str) -> int:
        depths = self.depths
        return max([depths.get(n, 0) for n in _NAME.findall(text)], default=0)

    def _find(self, key: Any) -> str | None:
        for block, following in zip(reversed(self.blocks), reversed(self.nexts), strict=True):
            found = block.known.get(key)
            if found is not None and (
                following is None or _comes_before(block, found[1], following)
            ):
                return found[0]
        return None

    def _name(self, key: Any, text: str, dtype: DType, prefix: str) -> str:
        found = self._find(key)
        if found is not None:
            return found
        return self._write_let(key, text, dtype, self._depth(text), prefix)

    def _write_let(self, key: Any, text: str, dtype: DType, depth: int, prefix: str = "s") -> str:
        name = self._fresh(prefix)
        node = Let(name, dtype, text)
        self.depths[name] = depth
        self.journal.insert(self.blocks[depth], node, self.nexts[depth])
        self.journal.learn(self.blocks[depth], key, name, node)
        return name

    # --- elements ---------------------------------------------------------------------------------

    def run(self, rule: Generator[Wish, str, Any]) -> Any:
        """Drive a rule, and the rules of what it asks for, without recursion."""
        stack: list[tuple[Generator[Wish, str, Any], Wish | None]] = [(rule, None)]
        sent: Any = None
        while True:
            generator, wish = stack[-1]
            try:
                asked = generator.send(sent)
            except StopIteration as stop:
                stack.pop()
                if wish is None:
                    return stop.value
                sent = self._given(wish, stop.value)
                continue
            name = self._found(asked)
            sent = name
            if name is None:
                stack.append((self._rule(asked), asked))

    def _given(self, wish: Wish, text: str) -> str:
        """Name what a rule has written, unless it is a name already."""
        depth = self._depth(text)
        if text.isidentifier():
            return text
        if type(self.program.steps[wish.position][0]) is Constant:
            return f"({text})" if text.startswith("-") else text
        found = self._find(("text", text))
        if found is None:
            dtype = self.dtype(wish.position)
            found = self._write_let(wish, text, dtype, depth)
            block = self.blocks[depth]
            self.journal.learn(block, ("text", text), found, block.known[wish][1])
        return found

    def _found(self, wish: Wish) -> str | None:
        name = self._find(wish)
        if name is None and wish.guard:
            name = self._find(wish._replace(guard=""))
        if name is None and self.demand.is_kept(wish.position):
            name = self._load(wish)
        return name

    def _rule(self, wish: Wish) -> Rule:
        operation, *operands = self.program.steps[wish.position]
        step = Step(wish.position, operation, operands, wish.places, wish.guard)
        return RULES[type(operation)](step, self)

    def _load(self, wish: Wish) -> str:
        p, places, guard = wish
        buffer = self.buffer(p)
        self._touch(buffer)
        if type(self.program.steps[p][0]) is Input and not self.shape(p):
            return buffer
        place = flat(places, self.shape(p))
        text = f"{buffer}[{place.text(self.language.divide)}]"
        if guard:
            zero = self.language.number(0, self.dtype(p))
            text = self.language.choose(guard, text, zero)
        self.loads.append(place)
        depth = self._depth(text)
        if p in self.done or p in self.demand.roots:
            self._require(p, places, depth)
        return self._write_let(wish, text, self.dtype(p), depth)

    def _touch(self, buffer: str) -> None:
        self.seen.add(buffer)
        for loop in self.loops:
            loop.touched.add(buffer)

    def _require(self, p: int, places: Places, depth: int) -> None:
        """Raise `NotCompleteError` unless an element is complete at a depth of the cursor."""
        for record in self.done[p]:
            if not self._is_complete(record, places, depth):
                raise NotCompleteError

    def _is_complete(self, record: Record, places: Places, depth: int) -> bool:
        common = 0
        for mine, other in zip(self.loops[:depth], record.path, strict=False):
            if mine is not other:
                break
            if not _same_along(mine.var, places, record.places):
                return False
            common += 1
        node = record.path[common] if common < len(record.path) else record.final
        following = self.nexts[common] if common <= depth else None
        if following is None:
            return True
        return _comes_before(self.blocks[common], node, following)

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
        loops = [n for n in block.nodes[-4 * self.limits.neighbours :] if type(n) is Loop]
        for loop in reversed(loops[-self.limits.neighbours :]):
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

    def _cursor(self, loops: Sequence[Loop]) -> None:
        """Stand at the end of the innermost of some loops."""
        self.loops = list(loops)
        self.blocks = [self.body, *[loop.body for loop in loops]]
        self.nexts = [*loops, None]

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
        return self.language.spell(template, dtype or np.dtype("float64")).format(x, y)

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
        where = self.language.convert(places[-1].text(self.language.divide), _INDEX, own)
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
        better = self._write_let(object(), one, _BOOL, len(self.loops))
        choose = self.language.choose
        self.journal.insert(self.blocks[-1], Set(at, choose(better, where, at)))
        self.journal.insert(self.blocks[-1], Set(best, choose(better, text, best)))
        self._after(p, target, at, own, first)


_SIGNS = {"add": " + ", "multiply": "*"}


def _factor(text: str) -> str:
    return f"({text})" if " + " in text else text


def _asking(wish: Wish) -> Rule:
    return (yield wish)


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


def _comes_before(block: Block, node: Node, other: Node) -> bool:
    for n in block.nodes:
        if n is node:
            return n is not other
        if n is other:
            return False
    return False


def _same_along(var: str, mine: Places, other: Places) -> bool:
    """Say whether what is read in an iteration of a loop was written in the same iteration."""
    for a, b in zip(mine, other, strict=False):
        if a == b and len(a.terms) == 1 and list(a.names()) == [var]:
            return isinstance(a.terms[0][1], Var)
    return False


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


def unsupported(language: Language, operation: Any, shapes: Sequence[Shape]) -> UnsupportedError:
    """Say that a language has no code for a kind of step."""
    inner = ", ".join(map(str, shapes))
    return UnsupportedError(
        f"{language.name} has no code for {operation!r} of shapes {inner}; "
        "compile with backend='numpy', or take the step out of the formula"
    )
