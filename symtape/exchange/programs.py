"""Programs as JSON: a table of operations, and the steps in order."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from symtape.errors import ExtraNotInstalledError, FormatError
from symtape.exchange import fields as f
from symtape.exchange import operations
from symtape.exchange.fitting import MisfitError
from symtape.exchange.reader import LARGEST, Entry, Fields
from symtape.program.excerpt import Excerpt
from symtape.program.operations import Input, Operation, Shape, dtype_named
from symtape.program.program import Guard, Program, Step, inline

KEYS = ("operations", "steps", "recorded", "guards")
"""The keys of a document that are about the program."""

LONGEST_GAP = 1_000_000
"""How many steps may be left out of an excerpt."""


def without_calls(program: Program) -> tuple[Program, Callable[[int], int]]:
    """Open up every call, and say where the positions went."""
    made, places = inline(program)
    return made, places.__getitem__


def written(excerpt: Excerpt) -> dict[str, Any]:
    """Write the steps of a program."""
    table: dict[Operation, int] = {}
    steps = []
    for p, step, shape, dtype in zip(
        excerpt.positions, excerpt.steps, excerpt.shapes, excerpt.dtypes, strict=True
    ):
        operation, *operands = step
        number = table.setdefault(operation, len(table))
        steps.append(
            {
                "position": p,
                "operation": number,
                "operands": operands,
                "shape": list(shape),
                "dtype": dtype,
            }
        )
    return {
        "operations": [operations.written(operation) for operation in table],
        "steps": steps,
        "recorded": excerpt.recorded,
        "guards": [{"position": g.position, "value": g.value} for g in excerpt.guards],
    }


def read(fields: Fields) -> Excerpt:
    """Read the steps of a program; raises `FormatError` for what is none."""
    table = [_operation(entry) for entry in fields["operations"].items()]
    reading = _Reading(table)
    for entry in fields["steps"].items():
        reading.read(entry)
    length = reading.positions[-1] + 1 if reading.positions else 0
    if length > len(reading.positions) + LONGEST_GAP:
        fields["steps"].refuse(f"the last position is {length - 1}, with too few steps before it")
    guards = tuple([_guard(entry, reading.known) for entry in fields["guards"].items()])
    return Excerpt(
        tuple(reading.positions),
        tuple(reading.steps),
        tuple(reading.shapes),
        tuple(reading.dtypes),
        guards,
        fields["recorded"].integer(0, length),
    )


def _operation(entry: Entry) -> Operation:
    found: Operation = guarded(entry, lambda: operations.read(entry))
    return found


def guarded(entry: Entry, make: Callable[[], Any]) -> Any:
    """Make something of what a file says; whatever NumPy or SymPy refuse, the file is at fault."""
    try:
        with np.errstate(all="ignore"):
            return make()
    except (FormatError, ExtraNotInstalledError, MemoryError):
        raise
    except Exception as error:  # noqa: BLE001 - no file may raise anything else
        entry.refuse(f"{type(error).__name__}: {error}")


class _Reading:
    """The steps read so far."""

    def __init__(self, table: Sequence[Operation]) -> None:
        self.table = table
        self.positions: list[int] = []
        self.steps: list[Step] = []
        self.shapes: list[Shape] = []
        self.dtypes: list[str] = []
        self.known: dict[int, int] = {}
        self._inferred: dict[Any, tuple[Shape, Any]] = {}

    def read(self, entry: Entry) -> None:
        """Read one step: its operands come before it, and its result is what they give."""
        fields = entry.fields(("position", "operation", "operands", "shape", "dtype"))
        position = fields["position"].integer()
        if self.positions and position <= self.positions[-1]:
            fields["position"].refuse(f"{position} does not come after {self.positions[-1]}")
        number = fields["operation"].integer(0, len(self.table) - 1)
        operation = self.table[number]
        operands = [self._operand(operand) for operand in fields["operands"].items()]
        shape, dtype = f.shape_of(fields["shape"]), f.dtype_of(fields["dtype"])
        inferred = guarded(entry, lambda: self._infer(entry, operation, operands))
        if inferred != (shape, dtype_named(dtype)):
            name = operations.named(operation)
            entry.refuse(f"{name} gives {inferred[1]} {inferred[0]}, not {dtype} {shape}")
        self.known[position] = len(self.positions)
        self.positions.append(position)
        self.steps.append((operation, *[self.positions[k] for k in operands]))
        self.shapes.append(shape)
        self.dtypes.append(dtype)

    def _operand(self, entry: Entry) -> int:
        place = self.known.get(entry.integer())
        if place is None:
            entry.refuse(f"there is no step at {entry.value} before this one")
        return place

    def _infer(
        self, entry: Entry, operation: Operation, operands: Sequence[int]
    ) -> tuple[Shape, Any]:
        shapes = [self.shapes[k] for k in operands]
        dtypes = [dtype_named(self.dtypes[k]) for k in operands]
        key = (operation, *shapes, *dtypes)
        if key not in self._inferred:
            try:
                operations.fit(operation, shapes, dtypes)
            except MisfitError as error:
                entry.refuse(f"{operations.named(operation)}: {error}")
            self._inferred[key] = operation.infer(shapes, dtypes)
        return self._inferred[key]


def _guard(entry: Entry, known: Mapping[int, int]) -> Guard:
    fields = entry.fields(("position", "value"))
    position = position_of(fields["position"], known)
    value = fields["value"]
    if type(value.value) is bool:
        return Guard(position, value.boolean())
    return Guard(position, value.integer(-LARGEST))


def position_of(entry: Entry, known: Mapping[int, int]) -> int:
    """Read the position of a step that is there."""
    if entry.integer() not in known:
        entry.refuse(f"there is no step at {entry.value}")
    return entry.integer()


def input_of(entry: Entry, program: Program, known: Mapping[int, int]) -> int:
    """Read the position of an input that is there."""
    position = position_of(entry, known)
    if type(program.steps[position][0]) is not Input:
        entry.refuse(f"step {position} is no input")
    return position
