"""Writes steps as statements of NumPy: one a step, elementwise neighbours as one expression."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from functools import cached_property
from math import prod
from typing import Any

import numpy as np

from symtape.codegen.scope import Scope, slots
from symtape.codegen.shaped import SHAPED, Known
from symtape.kernels.contraction import atom
from symtape.kernels.interpret import NARROW, kernels_for
from symtape.kernels.scalar_code import TERM, body_binding, body_text, strong, tightness
from symtape.kernels.source import expression, literal, slice_text, terms, whole
from symtape.lowering.blocks import LARGE, Loop, arrange
from symtape.lowering.known import number_of, operands_read
from symtape.lowering.powers import are_whole, with_numbers
from symtape.program.matrices import Part
from symtape.program.operations import (
    AddN,
    Constant,
    DType,
    Einsum,
    Map,
    Operation,
    Shape,
)
from symtape.program.program import Program

_FUSED = (Map, AddN)
_LONGEST = 120


class Writer:
    """Writes one statement a step, with elementwise steps that are used once written in place."""

    def __init__(
        self,
        program: Program,
        inputs: Sequence[int],
        outputs: Sequence[int],
        scope: Scope,
        *,
        exactly: bool = False,
    ) -> None:
        self.program = program
        self.exactly = exactly
        self.scope = scope
        self.arguments = scope.names
        self.text: dict[int, str] = dict(zip(inputs, self.arguments, strict=True))
        self.given = frozenset(inputs)
        self.is_narrow = kernels_for(program.dtypes) is NARROW
        self.lines: list[str] = []
        self.numbers: dict[int, Constant] = {}
        order = [p for p in program.schedule(outputs, inputs)[0] if p not in self.text]
        self.uses = [0] * len(program)
        self.parent: dict[int, int] = {}
        for p in order:
            for i in operands_read(program, p):
                self.uses[i] += 1
                self.parent[i] = p
        for p in outputs:
            self.uses[p] += 2  # what is given back has a name
        self.parts = Counter(
            [
                (step[0].rest, *step[1:])
                for step in [program.steps[p] for p in order]
                if isinstance(step[0], Part) and step[0].is_shared
            ]
        )
        self.wholes: dict[Any, str] = {}
        self.binding: dict[str, int] = {}
        self.seen: dict[str, str] = {}
        self.home: dict[int, Loop] = {}
        self.loop: Loop | None = None
        items = order if self.is_narrow else arrange(program, order, outputs)
        for item in items:
            if isinstance(item, Loop):
                self.home.update(dict.fromkeys(item.members, item))
        self.readers = self._find_readers(order) if self.home else {}
        for item in items:
            if isinstance(item, Loop):
                self._write_loop(item)
            else:
                self._write(item)

    def _find_readers(self, order: Sequence[int]) -> dict[int, list[int]]:
        readers: dict[int, list[int]] = defaultdict(list)
        for p in order:
            for i in set(self.program.steps[p][1:]):
                readers[i].append(p)
        return readers

    def line(self, text: str) -> None:
        """Add a statement."""
        self.lines.append(f"    {text}" if self.loop else text)

    def large(self) -> set[str]:
        """Name the results that are too large for the cache, and the views of them."""
        shapes = self.program.shapes
        large = {shape for shape in set(shapes) if prod(shape) >= LARGE}
        names = [(p, text) for p, text in self.text.items() if large and shapes[p] in large]
        large_names = {text for p, text in names if p not in self.given}
        return large_names | {view for view, base in self.seen.items() if base in large_names}

    def operand(self, p: int) -> str:
        """Name a result: its variable, or a number of its dtype."""
        return self.text[p] if p in self.text else self._number(p, weak=False)

    def _number(self, p: int, *, weak: bool) -> str:
        return self.scope.fill(literal(self.numbers[p], weak=weak))

    def _own(self, p: int) -> str:
        return self.scope.name(f"v{p}")

    @cached_property
    def _block(self) -> str:
        """The slice of rows that a loop is at."""
        return self.scope.name("s")

    def _rows(self, axis: int) -> str:
        """Index the rows of a block along an axis."""
        return f"[{', '.join([':'] * axis + [self._block])}]"

    def _write(self, p: int) -> None:
        step = self.program.steps[p]
        operation, operands = step[0], step[1:]
        names: Sequence[str] = [self.text.get(i) or "" for i in operands]
        if type(operation) not in _FUSED or not any(names):
            number = number_of(self.program, p, self.numbers)
            if number is not None:
                self.numbers[p] = number
                return
        if "" in names:
            operation, names = self._with_numbers(operation, operands)
        if type(operation) is Map:
            bindings = tuple([self.binding.get(name) or tightness(name) for name in names])
            text = self.scope.fill(body_text(operation, bindings), names)
            self.binding[text] = body_binding(operation, bindings)
        else:
            names = terms(names) if type(operation) is AddN else [atom(name) for name in names]
            text = self._part(p, names) or self.scope.fill(
                self._shaped(operation, operands) or expression(operation, slots(len(names))), names
            )
        if self._is_written_in_place(p, text):
            self.text[p] = text
        else:
            self._assign(p, text)

    def _with_numbers(
        self, operation: Operation, operands: Sequence[int]
    ) -> tuple[Operation, list[str]]:
        """Name operands, some of them numbers, which take the dtype of the others if they can."""
        numbers = frozenset([k for k, i in enumerate(operands) if i not in self.text])
        arrays = len(numbers) < len(operands)
        kept = _strong_numbers(operation, numbers) if arrays else numbers
        names = [
            self.operand(i) if k in kept or i not in self.numbers else self._number(i, weak=True)
            for k, i in enumerate(operands)
        ]
        if not kept and type(operation) is Map:
            values = [self.numbers[i].number if i in self.numbers else None for i in operands]
            if not self.exactly or are_whole(values):
                return with_numbers(operation, values, names)
        return operation, names

    def _assign(self, p: int, text: str) -> None:
        """Give a result its name; in a loop, put its rows where they belong."""
        name = self._own(p)
        loop = self.loop
        if loop is None:
            self.text[p] = name
            self.line(f"{name} = {text}")
        elif p in loop.summed:
            self.line(f"{name} += {text}")
        else:
            self._assign_rows(p, text, loop)

    def _assign_rows(self, p: int, text: str, loop: Loop) -> None:
        name, place = self._own(p), self._rows(loop.axis[p])
        views = self.views.get(p, [])
        is_stored = p in loop.stored
        within = [q for q in self.readers[p] if self.home.get(q) is loop]
        if within or is_stored + len(views) > 1:
            own = self.scope.name(f"{name}_s") if is_stored else name
            self.text[p] = own
            self.line(f"{own} = {text}")
            text = own
        if is_stored:
            self.line(f"{name}{place} = {text}")
        for view in views:
            is_minus = text[0] == "-" and tightness(text) <= TERM
            self.line(f"{view}{place} {'-=' if is_minus else '+='} {text[is_minus:]}")

    def _write_loop(self, loop: Loop) -> None:
        """Write a loop over blocks: where results go, the slices it reads, and its steps."""
        before = dict(self.text)
        self._write_places(loop)
        head = f"for {{0}} in blocks({loop.size}, {loop.rows}):"
        self.lines.append(self.scope.fill(head, [self._block]))
        self.loop = loop
        for p, axis in loop.sliced.items():
            name = self.text[p]
            self.text[p] = rows = self.scope.name(f"{name}_s")
            self.seen[rows] = name
            self.line(f"{rows} = {name}{self._rows(axis)}")
        for p in loop.members:
            self._write(p)
        self.loop = None
        left = (*loop.stored, *loop.summed, *loop.embedded)
        self.text = before | {p: self._own(p) for p in left}

    def _write_places(self, loop: Loop) -> None:
        """Make the arrays that a loop fills."""
        shapes, dtypes = self.program.shapes, self.program.dtypes
        for p in loop.stored:
            self._make(p, f"np.empty({_array_of(shapes[p], dtypes[p])})")
        for p in loop.summed:
            self._make(p, f"np.zeros({_array_of(shapes[p], dtypes[p])})[()]")
        self.views: dict[int, list[str]] = {}
        for total, embedded in loop.embedded.items():
            self._make(total, f"np.zeros({_array_of(shapes[total], dtypes[total])})")
            base = self._own(total)
            for k, q in enumerate(embedded):
                operation, p = self.program.steps[q]
                view = self.scope.name(f"{base}_{k}")
                self.seen[view] = base
                self.line(f"{view} = {slice_text(operation.ranges, base, len(shapes[total]))}")
                self.views.setdefault(p, []).append(view)

    def _make(self, p: int, template: str) -> None:
        self.line(f"{self._own(p)} = {self.scope.fill(template)}")

    def _part(self, p: int, names: Sequence[str]) -> str | None:
        """Take a part out of the whole, computed once, where more than one part is wanted."""
        operation, *operands = self.program.steps[p]
        if not (isinstance(operation, Part) and operation.is_shared):
            return None
        key = (operation.rest, *operands)
        if self.parts[key] < 2:
            return None
        if key not in self.wholes:
            self.wholes[key] = self.scope.name(f"v{p}_{type(operation).__name__.lower()}")
            text = self.scope.fill(whole(operation, slots(len(names))), names)
            self.line(f"{self.wholes[key]} = {text}")
        return f"{self.wholes[key]}[{operation.place}]"

    def _shaped(self, operation: Operation, operands: Sequence[int]) -> str | None:
        """Write the template of a step in the form that its shapes allow, if there is one."""
        writer = SHAPED.get(type(operation))
        if writer is None or self.is_narrow:
            return None
        shapes = [self.program.shapes[i] for i in operands]
        dtypes = [self.program.dtypes[i] for i in operands]
        names = slots(len(operands))
        bare = [
            literal(self.numbers[i], weak=True)
            if i in self.numbers and i not in self.text
            else name
            for i, name in zip(operands, names, strict=True)
        ]
        fresh = [self._is_fresh(i) for i in operands]
        return writer(operation, Known(names, bare, shapes, dtypes, fresh))

    def _is_fresh(self, p: int) -> bool:
        """Say whether a value is an array of its own that nobody else reads."""
        operation, *operands = self.program.steps[p]
        if self.uses[p] != 1 or p in self.given or self.text.get(p) in self.arguments:
            return False
        if type(operation) is Map:
            return body_text(operation) != "{0}"
        many = len(operands) > 1 and not getattr(operation, "sizes", ())
        return type(operation) in {AddN, Einsum} and many

    def _is_written_in_place(self, p: int, text: str) -> bool:
        if self.uses[p] != 1 or len(text) > _LONGEST:
            return False
        program, above = self.program, self.parent[p]
        step, parent = program.steps[p], program.steps[above]
        if type(step[0]) not in _FUSED or type(parent[0]) not in _FUSED:
            return False
        if program.shapes[p] != program.shapes[above]:
            return False
        if self.home and (self.home.get(p) is not self.home.get(above) or self._leaves_its_loop(p)):
            return False
        slot = f"{{{parent.index(p, 1) - 1}}}"
        return type(parent[0]) is AddN or body_text(parent[0]).count(slot) == 1

    def _leaves_its_loop(self, p: int) -> bool:
        return self.loop is not None and (p in self.loop.stored or p in self.loop.summed)


def _array_of(shape: Shape, dtype: DType) -> str:
    """Write the arguments that make an array."""
    size = str(shape[0]) if len(shape) == 1 else str(shape)
    return size if dtype == np.float64 else f"{size}, {dtype.name!r}"


def _strong_numbers(operation: Operation, numbers: frozenset[int]) -> frozenset[int]:
    """Find the numbers among operands that need a dtype: where no array gives them its own."""
    if type(operation) is Map:
        return numbers if "select(" in body_text(operation) else strong(operation, numbers)
    return frozenset() if type(operation) is AddN else numbers
