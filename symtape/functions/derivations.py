"""Derivatives of a traced function, each a longer program: blocks for every result and argument."""

from __future__ import annotations

from collections.abc import Sequence

from symtape.calculus import derive
from symtape.calculus.broadcasting import broadcast
from symtape.calculus.jacobian import jacobian
from symtape.errors import DerivativeError
from symtape.program.matrices import MatrixFunction
from symtape.program.operations import DType, Input, Shape
from symtape.program.program import Builder, Program

Blocks = tuple[Program, list[int]]
"""A program, and the position of one result for each source."""


def gradients(
    program: Program, targets: Sequence[int], sources: Sequence[int], seeds: Sequence[int] = ()
) -> Blocks:
    """Derive the gradient of the sum of targets, zero where nothing connects."""
    derive.check_slopes(program, targets, sources)
    found = derive.gradient(program, targets, [[s] for s in sources], seeds)
    shapes = [program.shapes[s] for s in sources]
    return _filled(found.program, found.outputs, shapes, [program.dtypes[s] for s in sources])


def jacobians(
    program: Program, target: int, sources: Sequence[int], *, batch: bool = False
) -> Blocks:
    """Derive the Jacobian of a target by each source, of shape target + source.

    With `batch`, the first axis of target and sources is that of rows that do not depend on each
    other; each row has its Jacobian.
    """
    derive.check_slopes(program, [target], sources)
    found = jacobian(program, target, [[s] for s in sources], batch=batch)
    shapes = [program.shapes[target] + program.shapes[s][batch:] for s in sources]
    return _filled(found.program, found.outputs, shapes, [program.dtypes[s] for s in sources])


def first_derivatives(
    program: Program, target: int, sources: Sequence[int], *, batch: bool = False
) -> Blocks:
    """Derive a gradient where the target is a scalar, else a Jacobian."""
    if program.shapes[target][batch:] == () and program.dtypes[target].kind != "c":
        return gradients(program, [target], sources)
    return jacobians(program, target, sources, batch=batch)


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


def entering(program: Program, like: Sequence[int]) -> Blocks:
    """Add inputs of the shapes and dtypes of some positions: weights, or directions."""
    b = Builder(program)
    found = []
    for p in like:
        found.append(len(b.steps))
        b.steps.append((Input(b.dtypes[p].name, b.shapes[p], False),))
        b.shapes.append(b.shapes[p])
        b.dtypes.append(b.dtypes[p])
    return b.finish(), found


def directional(
    program: Program, targets: Sequence[int], sources: Sequence[int], directions: Sequence[int]
) -> Blocks:
    """Derive the derivative of each target along directions of the sources.

    The gradient of ⟨u, y⟩ by the sources is linear in u; its product with the directions is
    differentiated by u. After Christianson and Griewank: the transpose of the transpose.
    """
    weighted, weights = entering(program, targets)
    weighted, pulled = gradients(weighted, targets, sources, weights)
    weighted, along = gradients(weighted, pulled, weights, directions)
    if set(weights).isdisjoint(weighted.ancestors(along)):
        return weighted, along
    blocks = [p for p, step in enumerate(weighted.steps) if type(step[0]) is MatrixFunction]
    if not set(weights).isdisjoint(weighted.ancestors(along, blocks)):
        raise DerivativeError(
            "jvp: a rule of this function's gradient is not linear in the cotangent (a custom "
            "gradient?), so it has no transpose; use vjp, or jacobian and a product"
        )
    b = Builder(program)  # a function of a block matrix is linear in its corner: u may be zero
    given = {p: p for p in range(len(program))}
    for p in weights:
        given[p] = broadcast(b, b.constant(0, weighted.dtypes[p]), weighted.shapes[p])
    found = b.splice(weighted, given, along)
    return b.finish(), found


def _filled(
    program: Program,
    outputs: Sequence[int | None],
    shapes: Sequence[Shape],
    dtypes: Sequence[DType],
) -> Blocks:
    """Put zeros where nothing connects."""
    if None not in outputs:
        return program, [p for p in outputs if p is not None]
    b = Builder(program)
    found = [
        broadcast(b, b.constant(0, dtype), shape) if p is None else p
        for p, shape, dtype in zip(outputs, shapes, dtypes, strict=True)
    ]
    return b.finish(), found
