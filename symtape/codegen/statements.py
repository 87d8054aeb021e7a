"""Steps as statements of Python: what is read once is written where it is read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

from symtape.codegen.lifetimes import Statement
from symtape.codegen.scope import Scope
from symtape.kernels.nodes import Node, Phrase, Variable
from symtape.kernels.scalar_code import uses
from symtape.program.kinds.matrices import Part
from symtape.program.operations import AddN, Constant, Map, Operation
from symtape.program.program import Program

FUSED = (Map, AddN)
"""What is elementwise: neighbours can be one expression."""


class Statements:
    """The statements of a folded program, in order.

    `nodes` are the variables and phrases of results, `numbers` the steps that are
    numbers. Who writes them for a library says how a step is written (`_write`).
    """

    longest: ClassVar[int] = 120
    """Up to which length an expression is written where it is read."""
    letter = "v"
    """What the names of results begin with."""

    def __init__(
        self, program: Program, given: Mapping[int, Phrase], outputs: Sequence[int], scope: Scope
    ) -> None:
        self.program = program
        self.scope = scope
        self.nodes: dict[int, Phrase] = dict(given)
        self.lines: list[Statement] = []
        self.numbers: dict[int, Constant] = {}
        self.order: list[int] = []
        self.uses = [0] * len(program)
        self.parent: dict[int, int] = {}
        parts = []
        for p in program.schedule(outputs, self.nodes)[0]:
            step = program.steps[p]
            if type(step[0]) is Constant:
                self.numbers[p] = step[0]
                continue
            self.order.append(p)
            for i in step[1:]:
                self.uses[i] += 1
                self.parent[i] = p
            if isinstance(step[0], Part) and step[0].is_shared:
                parts.append(p)
        for p in outputs:
            self.uses[p] += 2  # what is given back has a name
        self.parts = Counter([self._whole_key(p) for p in parts])
        self.wholes: dict[Any, Variable] = {}

    def statement(self, target: Variable, made: Phrase) -> None:
        """Give an expression a name."""
        self.lines.append((f"{target.text} = {made.text}", (target, made), False))

    def assign(self, p: int, made: Phrase) -> None:
        """Give a result its name, unless it is written where it is read."""
        if self.uses[p] == 1 and self.is_in_place(p, made):
            self.nodes[p] = made
        else:
            self.nodes[p] = target = self.own(p)
            self.statement(target, made)

    def own(self, p: int) -> Variable:
        """Give the variable of a result."""
        return self.scope.variable(f"{self.letter}{p}")

    def is_in_place(self, p: int, made: Phrase) -> bool:
        """Say whether a result that is read once is written there: in an elementwise step."""
        if len(made.text) > self.longest:
            return False
        steps = self.program.steps
        above = steps[self.parent[p]]
        if type(steps[p][0]) not in FUSED:
            return False
        if type(above[0]) is Map:
            return uses(above[0])[above.index(p, 1) - 1] == 1
        return type(above[0]) is AddN

    def part(self, p: int, write: Callable[[], Node]) -> Node | None:
        """Take a part out of the whole, computed once, where more than one part is wanted."""
        if not self._is_shared_part(p):
            return None
        key = self._whole_key(p)
        if self.parts[key] < 2:
            return None
        operation: Operation = self.program.steps[p][0]
        if key not in self.wholes:
            target = self.scope.variable(f"{self.letter}{p}_{type(operation).__name__.lower()}")
            self.wholes[key] = target
            self.statement(target, self.scope.phrase(write()))
        return self.wholes[key][operation.place]  # type: ignore[attr-defined]  # of a Part

    def _is_shared_part(self, p: int) -> bool:
        operation = self.program.steps[p][0]
        return isinstance(operation, Part) and operation.is_shared

    def _whole_key(self, p: int) -> tuple[Any, ...]:
        operation, *operands = self.program.steps[p]
        return (operation.rest, *operands)


def function_texts(
    title: str, scope: Scope, lines: Sequence[str], results: Sequence[Phrase]
) -> tuple[str, str]:
    """Write a function that gives a tuple, and as a person reads it: one result is no tuple."""
    head = "\n    ".join([f"def {title}({', '.join(scope.names)}):", *lines, "return "])
    given = ", ".join([x.text for x in results]) or "()"
    return f"{head}{given}{',' if len(results) == 1 else ''}\n", f"{head}{given}\n"
