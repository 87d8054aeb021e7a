"""Where code of loops is being written: inside of which loops, and what has a name or is complete.

What is computed once in a body has a name there and is found again, so that steps which share a
body pass values in registers. Every change is in a journal, and can be taken back.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Any, NamedTuple

import numpy as np

from symtape.codegen.loops.demand import Demand
from symtape.codegen.loops.elements import RULES, Rule, Step, Wish
from symtape.codegen.loops.loops import NAME, Block, Journal, Let, Loop, Node
from symtape.codegen.loops.places import Place, Places, Var, flat
from symtape.codegen.loops.scalars import Language
from symtape.codegen.scope import Scope
from symtape.lowering.lowering import Lowered
from symtape.program.operations import Constant, DType, Input, Shape

BOOL, INDEX = np.dtype(bool), np.dtype("int64")


class Record(NamedTuple):
    """Where elements of a step become complete: after `final`, inside of the loops `path`."""

    path: tuple[Loop, ...]
    final: Node
    places: Places


class NotCompleteError(Exception):
    """Something is read before it is there: the statement does not belong into these loops."""


class Cursor:
    """A place in the loop nests of a program, and what rules may ask there."""

    def __init__(
        self, program: Lowered, language: Language, scope: Scope, computed_here: Any
    ) -> None:
        self.program, self.language, self.scope = program, language.within(scope), scope
        self.demand = Demand(program, computed_here)
        self.names = dict(zip(program.inputs, scope.names, strict=True))
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

    def _cursor(self, loops: Sequence[Loop]) -> None:
        """Stand at the end of the innermost of some loops."""
        self.loops = list(loops)
        self.blocks = [self.body, *[loop.body for loop in loops]]
        self.nexts = [*loops, None]

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
        condition = self.let(self.language.conjunction.join(tests), BOOL)
        if not guard:
            return condition, condition
        return condition, self.let(f"{guard}{self.language.conjunction}{condition}", BOOL)

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
        template = self.language.words["index"]["i"]
        return self.let(self.language.fill(template, [name, str(size)]), INDEX)

    # --- names ------------------------------------------------------------------------------------

    def buffer(self, p: int) -> str:
        """Name the memory of a step."""
        return self.names.get(p) or self.scope.name(f"v{p}")

    def _fresh(self, prefix: str) -> str:
        self.counter += 1
        return self.scope.fresh(f"{prefix}{self.counter}")

    def _depth(self, text: str) -> int:
        depths = self.depths
        return max([depths.get(n, 0) for n in NAME.findall(text)], default=0)

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
