"""What is known of a step when code is written: the number that it is, and what it reads."""

from __future__ import annotations

from collections.abc import Mapping

from symtape.numeric.interpret import KERNELS, QUIET
from symtape.program.operations import AddN, Constant, Count, Map
from symtape.program.program import Program


def number_of(program: Program, p: int, numbers: Mapping[int, Constant]) -> Constant | None:
    """Give the number that a step is, if it is one: what is computed of `numbers` is known."""
    operation, *operands = program.steps[p]
    if type(operation) is Constant:
        return operation
    if type(operation) is Count:
        return Constant.of(operation.count(program.shapes[operands[0]]), program.dtypes[p])
    if type(operation) not in {Map, AddN} or any([i not in numbers for i in operands]):
        return None
    value = QUIET.run(KERNELS[operation], *[numbers[i].value for i in operands])
    return Constant.of(value.item(), program.dtypes[p])


def operands_read(program: Program, p: int) -> tuple[int, ...]:
    """List the operands whose values a step reads; counting elements reads none."""
    operation, *operands = program.steps[p]
    return () if type(operation) is Count else tuple(operands)
