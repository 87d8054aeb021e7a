"""The values that loops compute: each has one name, wherever it stands, and a depth.

Loops that stand k deep count `i{k}`, all of them, so that what two statements compute in the same
loops is one value. A value is as deep as the deepest loop whose variable it needs.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Any, NamedTuple

import numpy as np

from symtape.codegen.expressions import (
    At,
    both,
    choice,
    element,
    related,
    whole,
)  # fmt: skip
from symtape.codegen.loops.demand import Demand
from symtape.codegen.loops.places import Place, Places, Var, flat
from symtape.codegen.loops.scalars import Language
from symtape.codegen.scope import Scope
from symtape.kernels.nodes import Node, Variable, equal, variables
from symtape.lowering.lowering import Lowered
from symtape.program.operations import DType, Input, Shape

BOOL, INDEX = np.dtype(bool), np.dtype("int64")


class Wish(NamedTuple):
    """An element that is wanted."""

    position: int
    places: Places


class Step(NamedTuple):
    """A step whose element is wanted, and where."""

    position: int
    operation: Any
    operands: Sequence[int]
    places: Places

    def of(self, k: int, places: Places) -> Wish:
        """Wish for an element of an operand."""
        return Wish(self.operands[k], places)


Rule = Generator[Wish, Node, Node]
"""Computes an element: asks for elements of operands, and is sent the names of their values."""


class Value(NamedTuple):
    """What a name stands for; `load` is the element of a buffer that it reads, if it reads one."""

    number: int
    node: Node
    dtype: DType
    depth: int
    operands: tuple[str, ...]
    load: tuple[str, Place] | None


class Values:
    """Computes elements of steps for places, and gives each value its name."""

    def __init__(self, program: Lowered, language: Language, scope: Scope, demand: Demand) -> None:
        self.program, self.language, self.scope, self.demand = program, language, scope, demand
        self.buffers = dict(zip(program.inputs, scope.names, strict=True))
        self.values: dict[str, Value] = {}
        self.depths: dict[str, int] = {}
        self.begin()
        self._named: dict[tuple[str, DType, tuple[str, Place] | None], Variable] = {}

    def begin(self) -> None:
        """Note anew what is read, and where operands begin and end."""
        self.reads: list[tuple[int, Places]] = []
        self.breaks: dict[str, set[int]] = {}
        self._known: dict[Wish, Node] = {}

    def rule(self, step: Step) -> Rule:
        """Say how an element of a step is computed where it is read."""
        raise NotImplementedError

    # --- what rules may ask -----------------------------------------------------------------------

    def shape(self, p: int) -> Shape:
        """Give the shape of a step."""
        return self.program.shapes[p]

    def dtype(self, p: int) -> DType:
        """Give the dtype of a step."""
        return self.program.dtypes[p]

    def let(self, node: Node, dtype: DType) -> Node:
        """Give a name to a node, the same to equal ones; numbers need none."""
        return self._let(node, dtype, None)

    def _let(self, node: Node, dtype: DType, load: tuple[str, Place] | None) -> Node:
        inner = tuple(dict.fromkeys(variables(node)))
        if type(node) is Variable or not inner:
            return node
        key = (node.write(self.language.spelling), dtype, load)
        found = self._named.get(key)
        if found is not None:
            return found
        depth = max([self.depths.get(n, 0) for n in inner])
        name = self.fresh("s", depth)
        self.values[name.text] = Value(len(self.values), node, dtype, depth, inner, load)
        self._named[key] = name
        return name

    def inside(self, place: Place, first: int, last: int) -> Node:
        """Give the condition that a place lies between two numbers."""
        tests = []
        if first == last:
            tests.append(equal(At(place), whole(first)))
        elif place.low < first:
            tests.append(related(">=", At(place), whole(first)))
        if first != last and place.high > last:
            tests.append(related("<=", At(place), whole(last)))
        self._find_breaks(place, first, last)
        return self.let(both(tests), BOOL)

    def _find_breaks(self, place: Place, first: int, last: int) -> None:
        if len(place.terms) != 1:
            return
        ((c, atom),) = place.terms
        if abs(c) == 1 and isinstance(atom, Var):
            for edge in (first, last + 1):  # the least value that lies on the other side
                value = edge - place.offset if c == 1 else place.offset - edge + 1
                self.breaks.setdefault(atom.name, set()).add(value)

    def clamped(self, place: Place, last: int) -> Place:
        """Give the nearest place between 0 and the last one.

        So what is read is read always, and chosen after it: of loads that hang on a condition gcc
        12.2 makes wrong ones where it computes several elements at a time (AVX-512).
        """
        nearest: Node = At(place)
        if place.low < 0:
            nearest = self.let(choice(related(">=", nearest, whole(0)), nearest, whole(0)), INDEX)
        if place.high > last:
            is_inside = related("<=", nearest, whole(last))
            nearest = self.let(choice(is_inside, nearest, whole(last)), INDEX)
        (name,) = variables(nearest)
        return Place.of(Var(name, max(place.low, 0), min(place.high, last)))

    def checked(self, index: Node, size: int) -> Place:
        """Give the place that an integer says, among so many elements, or raise as it runs."""
        call = self.language.call("index", INDEX, index, whole(size))
        assert call is not None  # noqa: S101 - each language has the word
        (name,) = variables(self.let(call, INDEX))
        return Place.of(Var(name, 0, max(size - 1, 1)))

    # --- names ------------------------------------------------------------------------------------

    def buffer(self, p: int) -> str:
        """Name the memory of a step."""
        return self.buffers.get(p) or self.scope.name(f"v{p}")

    def variable(self, depth: int) -> str:
        """Name what loops of a depth count."""
        name = self.scope.name(f"i{depth}")
        self.depths[name] = depth + 1
        return name

    def fresh(self, prefix: str, depth: int) -> Variable:
        """Draw a name for a value."""
        name = self.scope.fresh(f"{prefix}{len(self.depths)}")
        self.depths[name] = depth
        return Variable(name)

    # --- elements ---------------------------------------------------------------------------------

    def run(self, rule: Generator[Wish, Node, Any]) -> Any:
        """Drive a rule, and the rules of what it asks for, without recursion."""
        stack: list[tuple[Generator[Wish, Node, Any], Wish | None]] = [(rule, None)]
        sent: Any = None
        while True:
            generator, wish = stack[-1]
            try:
                asked = generator.send(sent)
            except StopIteration as stop:
                stack.pop()
                if wish is None:
                    return stop.value
                sent = self._known[wish] = self.let(stop.value, self.dtype(wish.position))
                continue
            sent = self._known.get(asked)
            if sent is None and self.demand.is_kept(asked.position):
                sent = self._known[asked] = self._load(asked)
            if sent is None:
                operation, *operands = self.program.steps[asked.position]
                step = Step(asked.position, operation, operands, asked.places)
                stack.append((self.rule(step), asked))

    def _load(self, wish: Wish) -> Node:
        p, places = wish
        buffer = self.buffer(p)
        self.reads.append((p, places))
        if type(self.program.steps[p][0]) is Input and not self.shape(p):
            return Variable(buffer)
        place = flat(places, self.shape(p))
        node: Node = element(buffer, place)
        return self._let(node, self.dtype(p), (buffer, place))
