"""Derivatives times vectors, by sweeps that form no matrix: weights of targets, directions."""

from __future__ import annotations

from collections.abc import Sequence

from symtape.calculus import derive
from symtape.calculus.broadcasting import broadcast
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
    return filled(found.program, found.outputs, shapes, [program.dtypes[s] for s in sources])


def entering(program: Program, like: Sequence[int]) -> Blocks:
    """Add inputs of the shapes and dtypes of some positions: weights, or directions."""
    b = Builder(program)
    found = [b.enter(Input(b.dtypes[p].name, b.shapes[p], False)) for p in like]
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
            "jvp: a rule of this function's gradient is not linear in the cotangent, "
            "so it has no transpose; use vjp, or jacobian and a product"
        )
    b = Builder(program)  # a function of a block matrix is linear in its corner: u may be zero
    given = {p: p for p in range(len(program))}
    for p in weights:
        given[p] = broadcast(b, b.constant(0, weighted.dtypes[p]), weighted.shapes[p])
    found = b.splice(weighted, given, along)
    return b.finish(), found


def filled(
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


def times_vector(
    program: Program, target: int, source: Sequence[int], *, transposed: bool
) -> tuple[Program, int, int]:
    """Multiply the Jacobian of a target by a vector, or its transpose, in the time of a gradient.

    A source is a group of positions, the versions of one variable. Give the program, the position
    of the vector, and that of the product.
    """
    program, (v,) = entering(program, [target if transposed else source[0]])
    if not transposed:
        program, (found,) = directional(program, [target], source, [v] * len(source))
        return program, v, found
    pulled = derive.gradient(program, [target], [source], [v])
    program, (found,) = filled(
        pulled.program, pulled.outputs, [program.shapes[source[0]]], [program.dtypes[source[0]]]
    )
    return program, v, found
