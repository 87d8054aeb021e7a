"""Which steps NumPy writes as one: an element that is taken, parts that are put into a sum."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence

from symtape.lowering.blocks import is_sum
from symtape.program import operations as ops
from symtape.program.kinds.structural import Embed, Reshape, Slice
from symtape.program.operations import Einsum, Operation
from symtape.program.program import Program


def elements(program: Program, alone: Sequence[int], parent: Mapping[int, int]) -> set[int]:
    """Find the slices whose axes of one element are dropped by the step that reads them.

    `alone` are the steps that one other reads, which is their parent.
    """
    slices = [p for p in alone if type(program.steps[p][0]) is Slice]
    return {p for p in slices if _is_element(program, p, parent[p])}


def _is_element(program: Program, p: int, reader: int) -> bool:
    shape = program.shapes[p]
    left = tuple([n for n in shape if n != 1])
    dropped = 0 not in shape and 1 in shape and program.shapes[reader] == left
    return dropped and _drops_axes(program.steps[reader][0])


def _drops_axes(operation: Operation) -> bool:
    """Say whether a step whose result has fewer axes, all of size one, leaves all else as it is."""
    if not isinstance(operation, Einsum):
        return type(operation) is Reshape
    term, output = operation.inputs[0], operation.output
    is_plain = len(operation.inputs) == 1 and len(set(term)) == len(term)
    return is_plain and output == tuple([i for i in term if i in output])


def put_parts(program: Program, alone: Sequence[int], parent: Mapping[int, int]) -> set[int]:
    """Find the parts at places of zeros that a sum or a difference has for terms.

    They are added to their places, so that each costs its own size and not that of the sum.
    """
    return {
        p
        for p in alone
        if type(program.steps[p][0]) is Embed
        and (is_sum(program.steps[parent[p]][0]) or program.steps[parent[p]][0] is ops.subtract)
        and program.shapes[p] == program.shapes[parent[p]]
    }


def turned_parts(program: Program, put: Collection[int], uses: Sequence[int]) -> set[int]:
    """Find the signs that only parts have, which are taken off and not added."""
    read = Counter([program.steps[p][1] for p in put])
    return {
        p for p, count in read.items() if program.steps[p][0] is ops.negative and uses[p] == count
    }
