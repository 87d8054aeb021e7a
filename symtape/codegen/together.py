"""Which steps NumPy writes as one: an element that is taken, parts that are put into a sum."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from symtape.program.kinds.structural import Embed, Reshape, Slice
from symtape.program.operations import AddN, Einsum, Operation
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
    """Find the parts at places of zeros of which one sum has more than one.

    They are added to their places, so that each costs its own size and not that of the sum.
    """
    found: dict[int, list[int]] = defaultdict(list)
    for p in alone:
        total = parent[p]
        is_part = type(program.steps[p][0]) is Embed and type(program.steps[total][0]) is AddN
        if is_part and program.shapes[p] == program.shapes[total]:
            found[total].append(p)
    return {p for parts in found.values() if len(parts) > 1 for p in parts}
