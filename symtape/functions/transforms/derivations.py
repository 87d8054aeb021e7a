"""Derivatives of a traced function, each a longer program: blocks for every result and argument."""

from __future__ import annotations

from collections.abc import Sequence

from symtape.calculus.derive import Blocks, check_slopes, filled, gradients
from symtape.calculus.directional import directional, entering
from symtape.calculus.terms.jacobian import jacobian
from symtape.program.program import Program

__all__ = [
    "curvature",
    "directional",
    "entering",
    "first_derivatives",
    "gradients",
    "hessians",
    "jacobians",
]


def jacobians(
    program: Program, target: int, sources: Sequence[int], *, batch: bool = False
) -> Blocks:
    """Derive the Jacobian of a target by each source, of shape target + source.

    With `batch`, the first axis of target and sources is that of rows that do not depend on each
    other; each row has its Jacobian.
    """
    check_slopes(program, [target], sources)
    found = jacobian(program, target, [[s] for s in sources], batch=batch)
    shapes = [program.shapes[target] + program.shapes[s][batch:] for s in sources]
    return filled(found.program, found.outputs, shapes, [program.dtypes[s] for s in sources])


def first_derivatives(
    program: Program, target: int, sources: Sequence[int], *, batch: bool = False
) -> Blocks:
    """Derive a gradient where the target is a scalar, else a Jacobian."""
    if program.shapes[target][batch:] == () and program.dtypes[target].kind != "c":
        return gradients(program, [target], sources)
    return jacobians(program, target, sources, batch=batch)


def curvature(
    program: Program, target: int, sources: Sequence[int]
) -> tuple[Program, Sequence[int], Sequence[int]]:
    """Derive the product of the Hessian with directions, the gradient of ⟨∇f, v⟩; and give v."""
    program, slopes = gradients(program, [target], sources)
    program, directions = entering(program, sources)
    program, products = gradients(program, slopes, sources, directions)
    return program, products, directions


def hessians(
    program: Program, target: int, sources: Sequence[int], *, batch: bool = False
) -> tuple[Program, list[list[int]]]:
    """Derive all second derivatives of a target: a row of blocks for each source."""
    program, slopes = first_derivatives(program, target, sources, batch=batch)
    blocks = []
    for slope in slopes:
        program, row = jacobians(program, slope, sources, batch=batch)
        blocks.append(row)
    return program, blocks
