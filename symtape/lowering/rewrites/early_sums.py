"""Sums that are taken earlier: before numbers multiply or divide, and before systems are solved."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from symtape.lowering.folder import Folder, Scaled
from symtape.lowering.rewrites.contractions import contracted, cores_of, joined_sum
from symtape.program import operations as ops
from symtape.program.kinds.matrices import Solve
from symtape.program.kinds.structural import Reshape
from symtape.program.operations import Einsum, Operation

_DOUBLE = 8
"""The bytes of a number in double precision."""

_MATRIX = 2

Outside = list[tuple[Operation, int]]
"""What multiplies or divides by a number, and by which."""


def before_numbers(f: Folder, operation: Einsum, operands: Sequence[int], p: int) -> Scaled | None:
    """Sum before numbers multiply or divide: the sum of x/s is that of x, over s.

    Only in double precision: a sum may be larger than what it sums by many digits.
    """
    found = _summed(f, operation, operands, p)
    if found is None:
        return None
    number, joined, cores = found
    outside, bare = _without_numbers(f, cores)
    if not outside:
        return None
    count, inner, parts = joined_sum(f, joined, bare)
    return _with_numbers(f, contracted(f, number * count, inner, parts), outside)


def before_systems(f: Folder, operation: Einsum, operands: Sequence[int], p: int) -> Scaled | None:
    """Sum right sides before a system is solved: A⁻¹B 𝟏 solves A for B 𝟏."""
    found = _summed(f, operation, operands, p)
    if found is None or not _is_read_once(f, operands[0]):
        return None
    number, joined, cores = found
    (step, *parts), (term, *others) = f.b.steps[cores[0]], joined.inputs
    if type(step) is not Solve or others or len(term) != _MATRIX or joined.output != term[:1]:
        return None
    if step.form == "tridiagonal" or term[0] == term[1]:
        return None
    outside, bare = _without_numbers(f, parts[1:])
    count, inner, sides = joined_sum(f, joined, bare)
    total = f.multiplied(contracted(f, count, inner, sides), f.program.dtypes[p])
    (n,) = f.b.shapes[total]
    solved = f.b.append(step, parts[0], f.b.append(Reshape((n,), (n, 1)), total))
    return _with_numbers(f, f.result(number, Reshape((n, 1), (n,)), solved), outside)


def _summed(
    f: Folder, operation: Einsum, operands: Sequence[int], p: int
) -> tuple[float, Einsum, list[int]] | None:
    """Give the number, the contraction and the cores of a sum of more than one."""
    found = cores_of(f, operands, p)
    if found is None or f.exactly or f.program.dtypes[p].itemsize < _DOUBLE:
        return None
    number, cores = found
    if not _adds_up(f, operation, cores):
        return None
    if len(cores) > 1 or not _is_read_once(f, operands[0]):
        return number, operation, cores
    count, joined, cores = joined_sum(f, operation, cores)
    return number * count, joined, cores


def _adds_up(f: Folder, operation: Einsum, cores: Sequence[int]) -> bool:
    """Say whether something is summed, of which there is more than one."""
    sizes = operation.index_sizes([f.b.shapes[core] for core in cores])
    used = set().union(*operation.inputs)
    return prod([n for i, n in sizes.items() if i in used and i not in operation.output]) > 1


def _is_read_once(f: Folder, p: int) -> bool:
    """Say whether nobody else reads what is summed, and turned before."""
    while f.uses[p] == max(f.summed[p], 1):
        operation, *operands = f.program.steps[p]
        if type(operation) is not Einsum or len(operands) > 1:
            return True
        p = operands[0]
    return False


def _without_numbers(f: Folder, cores: Sequence[int]) -> tuple[Outside, list[int]]:
    """Take off the numbers of a program that multiply or divide factors."""
    outside: Outside = []
    bare = []
    for core in cores:
        inside = core
        while (passed := _past_number(f, inside)) is not None:
            step, inside, number = passed
            outside.append((step, number))
        bare.append(inside)
    return outside, bare


def _past_number(f: Folder, core: int) -> tuple[Operation, int, int] | None:
    """Give what a number multiplies or divides, and the number."""
    step, *factors = f.b.steps[core]
    if step not in (ops.multiply, ops.divide) or f.b.shapes[core] == ():
        return None
    x, y = factors
    if f.b.shapes[y] == ():
        return step, x, y
    return (step, y, x) if step is ops.multiply and f.b.shapes[x] == () else None


def _with_numbers(f: Folder, total: Scaled, outside: Outside) -> Scaled | None:
    """Multiply and divide a sum by what was taken off."""
    for step, number in reversed(outside):
        if total.core is None:
            return None
        total = f.result(total.number, step, total.core, number)
    return total
