"""The number that a step is, where that is known when code is written."""

from __future__ import annotations

from collections.abc import Mapping

from symtape.kernels.interpret import KERNELS, QUIET
from symtape.program.operations import AddN, Constant, Count, Map
from symtape.program.program import Program


def number_of(program: Program, p: int, numbers: Mapping[int, Constant]) -> Constant | None:
    """Give the number that a step is, if it is one: what is computed of `numbers` is known."""
    operation, *operands = program.steps[p]
    kind = type(operation)
    if kind is Constant:
        return operation  # type: ignore[no-any-return]  # it is one
    if kind is Count:
        return Constant.of(operation.count(program.shapes[operands[0]]), program.dtypes[p])
    if kind is not Map and kind is not AddN:
        return None
    for i in operands:
        if i not in numbers:
            return None
    value = QUIET.run(KERNELS[operation], *[numbers[i].value for i in operands])
    return Constant.of(value.item(), program.dtypes[p])
