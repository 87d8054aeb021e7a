"""Straight-line Python for some outputs of a program, and the function that it defines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

import sympy as sp

from symtape.numeric.contraction import atom
from symtape.numeric.interpret import KERNELS, NARROW, QUIET, kernels_for
from symtape.numeric.kernels import NAMESPACE
from symtape.numeric.scalar_code import body_text
from symtape.numeric.shaped import SHAPED, Known
from symtape.numeric.source import expression, literal, whole
from symtape.program import scalar
from symtape.program.evaluation import written_number
from symtape.program.matrices import Part
from symtape.program.operations import (
    AddN,
    Constant,
    Count,
    Einsum,
    Map,
    Operation,
    parameter,
    parameters,
)
from symtape.program.program import Program
from symtape.program.sharing import shared


class Source:
    """Straight-line Python for some outputs of a program: `text`, and the function it defines."""

    def __init__(
        self,
        program: Program,
        inputs: Sequence[int],
        outputs: Sequence[int],
        names: Sequence[str] | None = None,
        title: str = "f",
    ) -> None:
        program, first = shared(program)
        names = names or [f"v{p}" for p in inputs]
        inputs, outputs = [first[p] for p in inputs], [first[p] for p in outputs]
        writer = _Writer(program, inputs, outputs, names)
        head = f"def {title}({', '.join(writer.arguments)}):"
        result = ", ".join(writer.operand(p) for p in outputs)
        comma = "," if len(outputs) == 1 else ""
        body = [*writer.lines, f"return {result}{comma}" if outputs else "return ()"]
        self.text = "\n    ".join([head, *body]) + "\n"

    def compile(self) -> Callable[..., tuple[Any, ...]]:
        """Compile the text among the names of the kernels and nothing else."""
        namespace = dict(NAMESPACE)
        exec(compile(self.text, "<symtape>", "exec"), namespace)  # noqa: S102 - of names we made
        return namespace[self.text[4 : self.text.index("(")]]  # type: ignore[no-any-return]


_FUSED = (Map, AddN)
_LONGEST = 120


class _Writer:
    """Writes one statement a step, with elementwise steps that are used once written in place."""

    def __init__(
        self,
        program: Program,
        inputs: Sequence[int],
        outputs: Sequence[int],
        names: Sequence[str],
    ) -> None:
        self.program = program
        self.arguments = list(names)
        self.text: dict[int, str] = dict(zip(inputs, self.arguments, strict=True))
        self.given = frozenset(inputs)
        self.is_narrow = kernels_for(program.dtypes) is NARROW
        self.lines: list[str] = []
        self.numbers: dict[int, Constant] = {}
        order = [p for p in program.schedule(outputs, inputs)[0] if p not in self.text]
        self.uses = Counter(i for p in order for i in _read(program, p))
        self.uses.update(outputs)
        self.uses.update(outputs)  # what is given back has a name
        self.parent = {i: p for p in order for i in _read(program, p)}
        self.parts = Counter(
            (operation.rest, *operands)
            for operation, *operands in (program.steps[p] for p in order)
            if isinstance(operation, Part) and operation.is_shared
        )
        self.wholes: dict[Any, str] = {}
        for p in order:
            self._write(p)

    def operand(self, p: int) -> str:
        """Name a result: its variable, or a number of its dtype."""
        return self.text[p] if p in self.text else literal(self.numbers[p], weak=False)

    def number(self, p: int) -> Constant | None:
        """Give the number that a step is, if it is one: what is computed of numbers is known."""
        operation, *operands = self.program.steps[p]
        if type(operation) is Constant:
            return operation
        if type(operation) is Count:
            count = operation.count(self.program.shapes[operands[0]])
            return Constant.of(count, self.program.dtypes[p])
        numbers = [self.numbers.get(i) for i in operands]
        if type(operation) not in _FUSED or None in numbers:
            return None
        value = QUIET.run(KERNELS[operation], *[n.value for n in numbers if n is not None])
        return Constant.of(value.item(), self.program.dtypes[p])

    def _write(self, p: int) -> None:
        number = self.number(p)
        if number is not None:
            self.numbers[p] = number
            return
        operation, *operands = self.program.steps[p]
        weak = _takes_weak_numbers(operation) and any(i in self.text for i in operands)
        names = [
            literal(self.numbers[i], weak=True) if weak and i in self.numbers else self.operand(i)
            for i in operands
        ]
        names = [atom(name) for name in names] if type(operation) is not Einsum else names
        if weak and type(operation) is Map:
            numbers = [self.numbers[i].number if i in self.numbers else None for i in operands]
            operation, names = _with_numbers(operation, tuple(numbers), names)
        text = (
            self._part(p, names)
            or self._shaped(operation, operands, names)
            or expression(operation, names)
        )
        if self._is_written_in_place(p, text):
            self.text[p] = text
        else:
            self.text[p] = f"v{p}"
            self.lines.append(f"v{p} = {text}")

    def _part(self, p: int, names: Sequence[str]) -> str | None:
        """Take a part out of the whole, computed once, where more than one part is wanted."""
        operation, *operands = self.program.steps[p]
        if not (isinstance(operation, Part) and operation.is_shared):
            return None
        key = (operation.rest, *operands)
        if self.parts[key] < 2:
            return None
        if key not in self.wholes:
            self.wholes[key] = f"v{p}_{type(operation).__name__.lower()}"
            self.lines.append(f"{self.wholes[key]} = {whole(operation, names)}")
        return f"{self.wholes[key]}[{operation.place}]"

    def _shaped(
        self, operation: Operation, operands: Sequence[int], names: Sequence[str]
    ) -> str | None:
        """Write a step in the form that its shapes allow, if there is one."""
        writer = SHAPED.get(type(operation))
        if writer is None or self.is_narrow:
            return None
        shapes = [self.program.shapes[i] for i in operands]
        dtypes = [self.program.dtypes[i] for i in operands]
        return writer(
            operation, Known(names, shapes, dtypes, [self._is_fresh(i) for i in operands])
        )

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
        step, parent = self.program.steps[p], self.program.steps[self.parent[p]]
        if type(step[0]) not in _FUSED or type(parent[0]) not in _FUSED:
            return False
        if self.program.shapes[p] != self.program.shapes[self.parent[p]]:
            return False
        slot = f"{{{parent.index(p, 1) - 1}}}"
        return type(parent[0]) is AddN or body_text(parent[0]).count(slot) == 1


def _with_numbers(
    operation: Map, numbers: tuple[Any, ...], names: list[str]
) -> tuple[Map, list[str]]:
    """Put small numbers into the body, so that a power of two is a square."""
    special = _specialized(operation, numbers)
    if special is None:
        return operation, names
    return special, [name for name, number in zip(names, numbers, strict=True) if number is None]


@lru_cache(maxsize=4096)
def _specialized(operation: Map, numbers: tuple[Any, ...]) -> Map | None:
    """Substitute numbers, unless the number changes what happens at the edge of the domain."""
    powers = [e for e in operation.body.atoms(sp.Function) if scalar.kind_of(e) is scalar.power]
    if not powers or all(n is None for n in numbers):
        return None
    values = {k: written_number(n) for k, n in enumerate(numbers) if n is not None}
    if any(not v.is_Rational for v in values.values()):
        return None
    left = [k for k, n in enumerate(numbers) if n is None]
    symbols = parameters(operation.arity)
    swap = {symbols[k]: parameter(n) for n, k in enumerate(left)} | {
        symbols[k]: v for k, v in values.items()
    }
    body = operation.body.xreplace(swap).replace(
        lambda e: scalar.kind_of(e) is scalar.power and e.args[1].is_number,
        lambda e: e.args[0] ** e.args[1],
    )
    return (
        Map.of(body, len(left))
        if body.free_symbols == {parameter(n) for n in range(len(left))}
        else None
    )


def _read(program: Program, p: int) -> tuple[int, ...]:
    """List the operands whose values a step reads; counting elements reads none."""
    operation, *operands = program.steps[p]
    return () if type(operation) is Count else tuple(operands)


def _takes_weak_numbers(operation: Operation) -> bool:
    """Say whether bare numbers take the dtype of the other operands; a choice of them does not."""
    if type(operation) is Map:
        return "select(" not in body_text(operation)
    return type(operation) is AddN
