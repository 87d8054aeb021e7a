"""Which steps no argument decides: what they give is the same in every call."""

from __future__ import annotations

from collections.abc import Container, Sequence
from math import prod

from symtape.program import operations as ops
from symtape.program.kinds.matrices import Band
from symtape.program.kinds.placement import Assembly, View
from symtape.program.kinds.structural import Cumprod, Cumsum, Reshape
from symtape.program.operations import AddN, Cast, Constant, Einsum, Map, Operation
from symtape.program.program import Program

LARGEST = 2**20
"""Elements of an array that code keeps from call to call; a larger one is made anew."""

_NEVER_RAISE = (Map, AddN, Einsum, Cast, Reshape, View, Assembly, Cumsum, Cumprod, Band)
_OF_INTEGERS = {ops.add, ops.subtract, ops.multiply, ops.negative}
"""What never raises for integers, as divisions by zero and powers do."""


def constants(program: Program, given: Container[int], outputs: Sequence[int]) -> list[int]:
    """List the arrays that are the same in every call, and that other steps read.

    What is given back is none of them, nor what it is made of: it belongs to who called.
    """
    steps, numbers, fixed = program.steps, set[int](), set[int]()
    order = program.schedule(outputs, given)[0]
    for p in order:
        operation, *operands = steps[p]
        if type(operation) is Constant:
            numbers.add(p)
        elif all([i in numbers or i in fixed for i in operands]) and _is_kept(program, p):
            fixed.add(p)
    if not fixed:
        return []
    free = fixed.difference(program.schedule(fixed.intersection(outputs), given)[0])
    read = {i for p in order if p not in free for i in steps[p][1:]}
    return sorted(free & read)


def _is_kept(program: Program, p: int) -> bool:
    """Say whether a step gives an array of moderate size, and never raises.

    An error is told to who calls, and not to who asks for code.
    """
    operation: Operation = program.steps[p][0]
    if not isinstance(operation, _NEVER_RAISE) or prod(program.shapes[p]) > LARGEST:
        return False
    is_of_integers = isinstance(operation, Map) and program.dtypes[p].kind in "iu"
    return operation in _OF_INTEGERS if is_of_integers else True
