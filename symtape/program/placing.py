"""Sums of blocks in zeros, computed in the memory of the sum alone.

Who reads an array slice by slice, as a network reads the steps of a sequence, has a derivative that
is a sum of as many arrays, each of zeros but for its slice: the time would grow with the square of
their number. Here each block is added where it stands.
"""

from __future__ import annotations

from math import prod

from symtape.program.kinds.placement import Assemble, Form, Placement
from symtape.program.kinds.structural import Embed
from symtape.program.operations import AddN, Shape
from symtape.program.program import Program, Step

_FEW = 4
"""Fewer blocks are added up as they are."""
_TWICE = 2
"""How often blocks may cover the sum: what is covered more often has blocks as large as it is."""


def placed_sums(program: Program) -> Program:
    """Add blocks where they stand; positions stay what they are, and so do all roundings."""
    found = {
        p: step
        for p, step in enumerate(program.steps)
        if type(step[0]) is AddN and len(step) > _FEW
    }
    made = {p: _placed(program, step, program.shapes[p]) for p, step in found.items()}
    if not any(made.values()):
        return program
    steps = [made.get(p) or step for p, step in enumerate(program.steps)]
    return Program(steps, program.shapes, program.dtypes, program.guards, program.recorded)


def _placed(program: Program, step: Step, shape: Shape) -> Step | None:
    """Give the step that adds blocks where they stand, if a sum has enough that are small."""
    terms = step[1:]
    inner = [program.steps[i] for i in terms]
    are_blocks = [type(own[0]) is Embed and own[0].sizes == shape for own in inner]
    if are_blocks.count(True) < _FEW:
        return None
    whole = Placement(shape, tuple([Form.of(k) for k in range(len(shape))]))
    placements, blocks, covered = [], [], 0
    for i, own, is_block in zip(terms, inner, are_blocks, strict=True):
        placements.append(own[0].placed(())[0] if is_block else whole)
        blocks.append(own[1] if is_block else i)
        covered += prod(program.shapes[own[1]]) if is_block else 0
    if covered > _TWICE * prod(shape):
        return None
    return (Assemble(shape, tuple(placements)), *blocks)
