"""Straight-line Python on an array library for some outputs of a program."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from symtape.codegen.libraries.library import Library
from symtape.codegen.libraries.writers import Step, expression, whole
from symtape.codegen.scope import Scope, slots
from symtape.codegen.task import Task
from symtape.kernels.contraction import atom
from symtape.kernels.scalar_code import body_text, strong
from symtape.lowering.folding import folded
from symtape.lowering.known import number_of, operands_read
from symtape.lowering.powers import with_numbers
from symtape.program.matrices import Part
from symtape.program.operations import AddN, Constant, Count, DType, Einsum, Input, Map
from symtape.program.program import Program
from symtape.program.segments import SegmentExtremum
from symtape.program.structural import Embed, Gather, Position, Reshape, Scatter, Slice

_FUSED = (Map, AddN)
_LONGEST = 120


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
        head = f"def {self.title}({', '.join(self.scope.names)}):"
        body = [*writer.lines, f"return {', '.join([writer.operand(p) for p in outputs])},"]
        self.text = "\n    ".join([head, *body]) + "\n"

    def compile(self, library: Library) -> Callable[..., tuple[Any, ...]]:
        """Compile the text among the names of a library and nothing else."""
        words = {**library.names(), **self.constants, self.library.prefix: library.xp}
        namespace = self.scope.bound(words)
        exec(compile(self.text, "<symtape>", "exec"), namespace)  # noqa: S102 - of names we made
        return library.compile(namespace[self.title])


class _Writer:
    """Writes one statement a step, with elementwise steps that are used once written in place."""

    def __init__(
        self,
        program: Program,
        inputs: Sequence[int],
        outputs: Sequence[int],
        source: Source,
    ) -> None:
        self.program, self.source, self.library = program, source, source.library
        self.scope = source.scope
        self.text: dict[int, str] = {}
        for p, name in zip(inputs, self.scope.names, strict=True):
            self.text.setdefault(p, name)
        self.like = [name for p, name in self.text.items()][:1]
        self.lines: list[str] = []
        self.numbers: dict[int, Constant] = {}
        order = [p for p in program.schedule(outputs, self.text)[0] if p not in self.text]
        self.wide = wide_dtypes(program, [*order, *self.text])
        read = {p: operands_read(program, p) for p in order}
        self.uses = Counter(i for p in order for i in read[p])
        self.uses.update([*outputs, *outputs])  # what is given back has a name
        self.parent = {i: p for p in order for i in read[p]}
        self.parts = Counter(self._whole_key(p) for p in order if self._is_shared_part(p))
        self.wholes: dict[Any, str] = {}
        self.absorbed = self._absorbed(order)
        for p in order:
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
            if type(operation) is Embed and self.uses[i] == 1 and i not in self.text:
                key = (operation, self.program.shapes[inner[0]])
                groups.setdefault(key, []).append(i)
        return groups

    def _joined(self, operands: Sequence[int]) -> list[str]:
        """Name the terms of a sum, those that stand at the same places as one."""
        names = [self._weak_or_name(i) for i in operands if i not in self.absorbed]
        groups = self._by_place([i for i in operands if i in self.absorbed])
        for (operation, shape), places in groups.items():
            inner = [self.program.steps[i][1] for i in places]
            terms = [" + ".join([self.operand(i) for i in inner])]
            dtype = self.program.dtypes[inner[0]]
            whole = self.program.shapes[places[0]]
            step = Step(operation, slots(1), terms, [shape], [dtype], whole, dtype, self.library)
            names.append(self._text(step, f"v{places[0]}"))
        return names

    def _weak_or_name(self, p: int) -> str:
        return self._weak(p) if p in self.numbers else self.operand(p)

    def operand(self, p: int) -> str:
        """Name a result: its variable, or a number of its dtype."""
        if p in self.text:
            return self.text[p]
        where = "".join([", {0}" for _ in self.like])
        template = f"number({self._number(p)}, {self.numbers[p].dtype.name!r}{where})"
        return self.scope.fill(template, self.like)

    def _weak(self, p: int) -> str:
        return self.scope.fill(self._number(p))

    def _number(self, p: int) -> str:
        """Write the template of a number."""
        constant = self.numbers[p]
        is_plain = isinstance(constant.number, (int, float)) and type(constant.number) is not bool
        text = repr(constant.number if is_plain else constant.value.item())
        xp = self.library.prefix
        return text.replace("nan", f"{xp}.nan").replace("inf", f"{xp}.inf")

    def _write(self, p: int) -> None:
        number = number_of(self.program, p, self.numbers)
        if number is not None:
            self.numbers[p] = number
            return
        operation, *operands = self.program.steps[p]
        names = self._names(operation, operands)
        if type(operation) is Map and any([i not in self.numbers for i in operands]):
            numbers = [self.numbers[i].number if i in self.numbers else None for i in operands]
            operation, names = with_numbers(operation, numbers, names)
        program = self.program
        step = Step(
            operation,
            slots(len(names)),
            names,
            [program.shapes[i] for i in operands],
            [program.dtypes[i] for i in operands],
            program.shapes[p],
            program.dtypes[p],
            self.library,
        )
        text = self._expression(p, step)
        if self._is_written_in_place(p, text):
            self.text[p] = text
        else:
            self.text[p] = self.scope.name(f"v{p}")
            self.lines.append(f"{self.text[p]} = {text}")

    def _names(self, operation: Any, operands: Sequence[int]) -> list[str]:
        """Name the operands of a step as it can take them."""
        if self.absorbed.isdisjoint(operands):
            weak = self._takes_weak_numbers(operation, operands)
            names = [
                self._weak(i) if weak(k) and i in self.numbers else self.operand(i)
                for k, i in enumerate(operands)
            ]
        else:
            names = self._joined(operands)
        return [atom(name) for name in names]

    def _expression(self, p: int, step: Step) -> str:
        if self.library.shares and self._is_shared_part(p) and self.parts[self._whole_key(p)] > 1:
            key = self._whole_key(p)
            if key not in self.wholes:
                kind = type(step.operation).__name__.lower()
                self.wholes[key] = self.scope.name(f"v{p}_{kind}")
                text = self.scope.fill(whole(step), step.given)
                self.lines.append(f"{self.wholes[key]} = {text}")
            return f"{self.wholes[key]}[{step.operation.place}]"
        return self._text(step, f"v{p}")

    def _text(self, step: Step, name: str) -> str:
        """Write a step; what is kept for it among the constants has its name."""
        found = self.library.text_of(step, name, self.source.constants)
        return self.scope.fill(expression(step) if found is None else found, step.given)

    def _is_shared_part(self, p: int) -> bool:
        operation = self.program.steps[p][0]
        return isinstance(operation, Part) and operation.is_shared

    def _whole_key(self, p: int) -> tuple[Any, ...]:
        operation, *operands = self.program.steps[p]
        return (operation.rest, *operands)

    def _takes_weak_numbers(self, operation: Any, operands: Sequence[int]) -> Callable[[int], bool]:
        """Say which operands may be bare numbers, which take the dtype of what they meet."""
        arrays = any([i not in self.numbers for i in operands])
        if type(operation) is Einsum:
            return lambda k: arrays and operation.inputs[k] == ()
        if not arrays or type(operation) not in _FUSED:
            return lambda _: False
        if type(operation) is AddN:
            return lambda _: True
        if "select(" in body_text(operation):
            return lambda _: False
        numbers = frozenset([k for k, i in enumerate(operands) if i in self.numbers])
        kept = strong(operation, numbers)
        return lambda k: k not in kept

    def _is_written_in_place(self, p: int, text: str) -> bool:
        if self.uses[p] != 1 or len(text) > _LONGEST:
            return False
        step, parent = self.program.steps[p], self.program.steps[self.parent[p]]
        if type(step[0]) not in _FUSED or type(parent[0]) not in _FUSED:
            return False
        slot = f"{{{parent.index(p, 1) - 1}}}"
        return type(parent[0]) is AddN or body_text(parent[0]).count(slot) == 1


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
