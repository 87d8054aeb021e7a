"""What flows back through shares, p = e/s where s sums e: (g - Σ g p) p, by the shares themselves.

Bridle, *Probabilistic interpretation of feedforward classification network outputs* (1990).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import NamedTuple

from symtape.lowering.folder import Folder, Scaled
from symtape.lowering.rewrites.bodies import is_quotient_slope
from symtape.program import operations as ops
from symtape.program.operations import AddN, Einsum, Map, Shape
from symtape.program.program import Program, Step


class _Pulled(NamedTuple):
    """A sum g/s - Σ g e/s² that is multiplied by e: its g, e and s, and the sum that s is."""

    cotangent: int
    powers: int
    divisor: int
    total: Einsum


def pulled_through_shares(f: Folder, _: Map, operands: Sequence[int], p: int) -> Scaled | None:
    """Write (g/s - Σ g e/s²) e as (g - Σ g p) p, where p is e/s."""
    if f.exactly:
        return None
    for x, e in (operands, operands[::-1]):
        found = _pulled(f.program, x)
        if found is not None and found.powers == e and f.uses[x] == 1:
            return _by_shares(f, found)
    return None


def _by_shares(f: Folder, found: _Pulled) -> Scaled | None:
    """Multiply shares by how far a cotangent is from its mean over them."""
    (number, g), (first, powers), (second, sums) = (f.place[i] for i in found[:3])
    if g is None or powers is None or sums is None or not first == second == 1:
        return None
    shares = f.b.divide(powers, sums)
    total, (term,) = found.total, found.total.inputs
    mean = f.b.append(Einsum.of([term, term], total.output, dict(total.sizes)), g, shares)
    return f.result(number, ops.multiply, f.b.append(ops.subtract, g, mean), shares)


def _pulled(program: Program, x: int) -> _Pulled | None:
    """Recognize what flows back to e from g, through e/s and then through s."""
    steps = program.steps
    if type(steps[x][0]) is not AddN or len(steps[x]) != _OF_TWO:
        return None
    for over, back in (steps[x][1:], steps[x][:0:-1]):
        through, total = _before_sums(program, back)
        first, second = steps[over], steps[through]
        if first[0] is not ops.divide or second[0] is not ops.multiply or total is None:
            continue
        (_, g, s), slope = first, _other(second, first[1])
        if slope is None or not _is_slope(steps[slope], s) or steps[s] != (total, steps[slope][1]):
            continue
        e = steps[slope][1]
        if program.shapes[g] == program.shapes[e]:
            return _Pulled(g, e, s, total)
    return None


_OF_ONE, _OF_TWO = 2, 3
"""The lengths of steps of one and two operands."""


def _is_slope(step: Step, s: int) -> bool:
    """Say whether a step is -e/s²."""
    return type(step[0]) is Map and is_quotient_slope(step[0]) and step[2] == s


def _other(step: Step, factor: int) -> int | None:
    """Give the other one of two factors."""
    operands = step[1:]
    return operands[1 - operands.index(factor)] if factor in operands else None


def _before_sums(program: Program, p: int) -> tuple[int, Einsum | None]:
    """Give what is summed, and its sum, after which axes of one element may come or go."""
    while len(program.steps[p]) == _OF_ONE and type(program.steps[p][0]) is Einsum:
        operation, operand = program.steps[p]
        if not _keeps_elements(operation, program.shapes[operand], program.shapes[p]):
            return operand, operation
        p = operand
    return p, None


def _keeps_elements(operation: Einsum, before: Shape, after: Shape) -> bool:
    """Say whether an operation only adds and drops axes of one element."""
    kept = [i for i in operation.output if i in operation.inputs[0]]
    return prod(before) == prod(after) and kept == sorted(set(kept))
