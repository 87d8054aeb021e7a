"""Straight-line Python on an array library for some outputs of a program."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from symtape.codegen.libraries.library import Library
from symtape.codegen.libraries.writers import Step, expression, map_form, whole
from symtape.codegen.scope import Scope
from symtape.codegen.statements import FUSED, Statements, function_texts
from symtape.codegen.task import Task
from symtape.kernels.nodes import Phrase, Word, as_node, number, total
from symtape.kernels.scalar_code import is_choice, strong
from symtape.lowering.folding import folded
from symtape.program.kinds.segments import SegmentExtremum
from symtape.program.kinds.structural import Embed, Gather, Position, Reshape, Scatter, Slice
from symtape.program.kinds.windows import Windows
from symtape.program.operations import AddN, Cast, Constant, Count, DType, Einsum, Input, Map
from symtape.program.program import Program

_SEEN_THROUGH = {Reshape, Slice, Windows, Cast}


def is_view(program: Program, p: int) -> bool:
    """Say whether a result may be an argument, or share its memory."""
    while True:
        operation, *operands = program.steps[p]
        is_seen_through = type(operation) in _SEEN_THROUGH or type(operation) is Einsum
        if len(operands) != 1 or not is_seen_through:
            return type(operation) is Input
        (p,) = operands


class Source:
    """The text of a function on arrays of a library, and the function that it defines."""

    def __init__(self, task: Task, library: Library) -> None:
        program, inputs, outputs = folded(task.program, task.inputs, task.outputs)
        self.library = library
        self.constants: dict[str, Any] = {}
        self.title = task.title
        self.scope = Scope(task.names, apart=[task.title])
        writer = _Writer(program, inputs, outputs, self)
        self.wide = writer.wide
        library.require(self.wide)
        lines = [text for text, _, _ in writer.lines]
        results = [writer.operand(p) for p in outputs]
        self.is_view = is_view(program, outputs[0])
        self.text, self.readable = function_texts(self.title, self.scope, lines, results)

    def compile(self, library: Library) -> Callable[..., tuple[Any, ...]]:
        """Compile the text among the names of a library and nothing else."""
        words = {**library.names(), **self.constants, self.library.prefix: library.xp}
        return library.compile(self.scope.defined(self.title, self.text, words))


class _Writer(Statements):
    """Writes one statement a step, with elementwise steps that are used once written in place."""

    def __init__(
        self,
        program: Program,
        inputs: Sequence[int],
        outputs: Sequence[int],
        source: Source,
    ) -> None:
        given = source.scope.arguments(inputs)
        super().__init__(program, given, outputs, source.scope)
        self.source, self.library = source, source.library
        self.like = [*given.values()][:1]
        self.wide = wide_dtypes(program, [*self.order, *self.nodes])
        self.absorbed = self._absorbed(self.order)
        for p in self.order:
            if p not in self.absorbed:
                self._write(p)

    def _absorbed(self, order: Sequence[int]) -> set[int]:
        """Find terms of sums that stand at the same places of zeros: they are added up first."""
        found: set[int] = set()
        for p in order:
            operation, *operands = self.program.steps[p]
            if type(operation) is AddN and len(set(operands)) == len(operands):
                for places in self._by_place(operands).values():
                    found.update(places if len(places) > 1 else [])
        return found

    def _by_place(self, operands: Sequence[int]) -> dict[Any, list[int]]:
        groups: dict[Any, list[int]] = {}
        for i in operands:
            operation, *inner = self.program.steps[i]
            if type(operation) is Embed and self.uses[i] == 1 and i not in self.nodes:
                key = (operation, self.program.shapes[inner[0]])
                groups.setdefault(key, []).append(i)
        return groups

    def _joined(self, operands: Sequence[int]) -> list[Phrase]:
        """Give the terms of a sum, those that stand at the same places as one."""
        given = [self._weak_or_operand(i) for i in operands if i not in self.absorbed]
        groups = self._by_place([i for i in operands if i in self.absorbed])
        for (operation, shape), places in groups.items():
            inner = [self.program.steps[i][1] for i in places]
            terms = self.scope.phrase(total([self.operand(i) for i in inner]))
            dtype = self.program.dtypes[inner[0]]
            whole = self.program.shapes[places[0]]
            step = Step(operation, [terms], [shape], [dtype], whole, dtype, self.library)
            given.append(self._expression(step, f"v{places[0]}"))
        return given

    def _weak_or_operand(self, p: int) -> Phrase:
        return self._weak(p) if p in self.numbers else self.operand(p)

    def operand(self, p: int) -> Phrase:
        """Give a result: its variable, or a number of its dtype."""
        if p in self.nodes:
            return self.nodes[p]
        dtype = self.numbers[p].dtype.name
        return self.scope.phrase(Word("number")(self._weak(p), dtype, *self.like))

    def _weak(self, p: int) -> Phrase:
        """Write a number without a dtype."""
        constant = self.numbers[p]
        is_plain = isinstance(constant.number, (int, float)) and type(constant.number) is not bool
        value = constant.number if is_plain else constant.value.item()
        made = as_node(value) if type(value) is bool else number(value, Word(self.library.prefix))
        return made if isinstance(made, Phrase) else self.scope.phrase(made)

    def _write(self, p: int) -> None:
        operation, *operands = self.program.steps[p]
        given = self._given(operation, operands)
        program = self.program
        step = Step(
            operation,
            given,
            [program.shapes[i] for i in operands],
            [program.dtypes[i] for i in operands],
            program.shapes[p],
            program.dtypes[p],
            self.library,
        )
        part = self.part(p, lambda: whole(step)) if self.library.shares else None
        made = self._expression(step, f"v{p}") if part is None else self.scope.phrase(part)
        self.assign(p, made)

    def _given(self, operation: Any, operands: Sequence[int]) -> list[Phrase]:
        """Give the operands of a step as it can take them."""
        if not self.absorbed.isdisjoint(operands):
            return self._joined(operands)
        weak = self._takes_weak_numbers(operation, operands)
        return [
            self._weak(i) if weak(k) and i in self.numbers else self.operand(i)
            for k, i in enumerate(operands)
        ]

    def _expression(self, step: Step, name: str) -> Phrase:
        """Write a step; what is kept for it among the constants has its name."""
        found = self.library.node_of(step, name, self.source.constants)
        if found is None and type(step.operation) is Map:
            return self.scope.phrase(map_form(step), step.nodes)
        return self.scope.phrase(expression(step) if found is None else found)

    def _takes_weak_numbers(self, operation: Any, operands: Sequence[int]) -> Callable[[int], bool]:
        """Say which operands may be bare numbers, which take the dtype of what they meet."""
        arrays = any([i not in self.numbers for i in operands])
        if type(operation) is Einsum:
            return lambda k: arrays and operation.inputs[k] == ()
        if not arrays or type(operation) not in FUSED:
            return lambda _: False
        if type(operation) is AddN:
            return lambda _: True
        if is_choice(operation):
            return lambda _: False
        numbers = frozenset([k for k, i in enumerate(operands) if i in self.numbers])
        kept = strong(operation, numbers)
        return lambda k: k not in kept


_COUNTS = (Position, Gather, Scatter, SegmentExtremum, Input, Constant, Count, Reshape, Slice)
"""What may be done to integers of 64 bits where there are but 32: they are places and counts."""


def wide_dtypes(program: Program, positions: Iterable[int]) -> list[DType]:
    """List the dtypes of 64 bits that the steps compute in."""
    found = []
    for p in positions:
        dtype, kind = program.dtypes[p], type(program.steps[p][0])
        is_wide = dtype.itemsize == 8 if dtype.kind in "fiu" else dtype.itemsize == 16
        if is_wide and (dtype.kind in "fc" or kind not in _COUNTS):
            found.append(dtype)
    return found
