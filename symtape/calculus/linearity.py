"""Whether results of a program are linear in some of its inputs: proved step by step, or not.

Linear means without a constant: zero where the inputs are zero. What cannot be shown counts as not
linear.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from enum import Enum
from functools import lru_cache

import sympy as sp

from symtape.calculus.derive import is_differentiable
from symtape.calculus.pullback import ADJOINTS
from symtape.program import kinds
from symtape.program import operations as ops
from symtape.program.operations import Operation, parameters
from symtape.program.program import Program


class Degree(Enum):
    """How a step depends on the inputs; `ZERO` is zero whatever they are."""

    ZERO = "zero"
    FIXED = "fixed"
    LINEAR = "linear"
    OTHER = "other"


ZERO, FIXED, LINEAR, OTHER = Degree

Rule = Callable[[Operation, Sequence[Degree]], Degree]
"""Says how a step depends on the inputs, of which an operand is a linear function."""


def is_linear(
    program: Program, inputs: Collection[int], outputs: Sequence[int], zeros: Collection[int] = ()
) -> bool:
    """Say whether outputs are real linear functions of inputs; `zeros` are leaves that are zero."""
    degrees: list[Degree] = []
    for p, (operation, *operands) in enumerate(program.steps):
        if p in inputs:
            degrees.append(LINEAR)
        elif p in zeros or (type(operation) is kinds.Constant and operation.number == 0):
            degrees.append(ZERO)
        else:
            degrees.append(_degree(operation, [degrees[i] for i in operands]))
        if degrees[p] is LINEAR and program.dtypes[p].kind == "c":
            degrees[p] = OTHER  # a conjugate is linear over the reals alone
    return all(degrees[p] in (LINEAR, ZERO) for p in outputs)


def _degree(operation: Operation, operands: Sequence[Degree]) -> Degree:
    if OTHER in operands:
        return OTHER
    rule = RULES.get(type(operation))
    if LINEAR not in operands:
        moved = [LINEAR if d is ZERO else d for d in operands]
        is_zero = rule is not None and LINEAR in moved and rule(operation, moved) is LINEAR
        return ZERO if is_zero else FIXED
    return OTHER if rule is None else rule(operation, operands)


def _all_terms(_: Operation, operands: Sequence[Degree]) -> Degree:
    """A sum, or what is put together: every part is linear, or zero."""
    return OTHER if FIXED in operands else LINEAR


def _one_factor(_: Operation, operands: Sequence[Degree]) -> Degree:
    """A product: one factor is linear, the others are fixed."""
    if ZERO in operands:
        return ZERO
    return LINEAR if operands.count(LINEAR) == 1 else OTHER


def _first_operand(_: Operation, operands: Sequence[Degree]) -> Degree:
    """What is moved is linear, and the places are fixed."""
    return LINEAR if LINEAR not in operands[1:] else OTHER


def _right_side(_: Operation, operands: Sequence[Degree]) -> Degree:
    """The right side of an equation is linear, and the matrix fixed."""
    return LINEAR if operands[0] is FIXED and operands[1] is LINEAR else OTHER


def _cast(operation: Operation, _: Sequence[Degree]) -> Degree:
    is_kept = isinstance(operation, kinds.Cast) and is_differentiable(operation.dtype)
    return LINEAR if is_kept else OTHER


def _map(operation: Operation, operands: Sequence[Degree]) -> Degree:
    """A function of elements: its slopes times what is linear, free of that, are the whole."""
    if operation is ops.where:
        return _all_terms(operation, operands[1:]) if operands[0] is FIXED else OTHER
    is_same = isinstance(operation, kinds.Map) and operation.result == "same"
    return LINEAR if is_same and _is_linear_body(operation, tuple(operands)) else OTHER


@lru_cache(maxsize=1024)
def _is_linear_body(operation: kinds.Map, operands: tuple[Degree, ...]) -> bool:
    symbols = parameters(operation.arity)
    given = {s: sp.S.Zero for s, d in zip(symbols, operands, strict=True) if d is ZERO}
    body = operation.body.xreplace(given)
    linear = [s for s, d in zip(symbols, operands, strict=True) if d is LINEAR]
    slopes = [body.diff(s) for s in linear]
    if any(not slope.free_symbols.isdisjoint(linear) for slope in slopes):
        return False
    whole = sum(s * slope for s, slope in zip(linear, slopes, strict=True))
    return bool(sp.expand(body - whole) == 0)


RULES: dict[type[Operation], Rule] = {
    kinds.Map: _map,
    kinds.Einsum: _one_factor,
    kinds.Cast: _cast,
    kinds.Solve: _right_side,
    **dict.fromkeys((kinds.AddN, kinds.Concat, kinds.Assemble, *ADJOINTS), _all_terms),
    kinds.Gather: _first_operand,
    kinds.Scatter: _first_operand,
}
