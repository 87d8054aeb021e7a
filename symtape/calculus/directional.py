"""Derivatives times vectors, by sweeps that form no matrix: weights of targets, directions."""

from __future__ import annotations

from collections.abc import Sequence

from symtape.calculus.derive import Blocks, filled, gradient, gradients
from symtape.errors import DerivativeError
from symtape.program.kinds.matrices import MatrixFunction
from symtape.program.operations import Count, Input, dtype_name
from symtape.program.program import Builder, Program

_FREE_OF_WEIGHTS = (MatrixFunction, Count)
"""What u may be zero for: a function of a block matrix is linear in its corner, and what counts
elements reads no values."""


def entering(program: Program, like: Sequence[int]) -> Blocks:
    """Add inputs of the shapes and dtypes of some positions: weights, or directions."""
    b = Builder(program)
    found = [b.enter(Input(dtype_name(b.dtypes[p]), b.shapes[p], False)) for p in like]
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
    blocks = [p for p, step in enumerate(weighted.steps) if type(step[0]) in _FREE_OF_WEIGHTS]
    if not set(weights).isdisjoint(weighted.ancestors(along, blocks)):
        raise DerivativeError(
            "jvp: a rule of this function's gradient is not linear in the cotangent, "
            "so it has no transpose; use vjp, or jacobian and a product"
        )
    b = Builder(program)
    given = {p: p for p in range(len(program))}
    for p in weights:
        given[p] = b.broadcast(b.constant(0, weighted.dtypes[p]), weighted.shapes[p])
    found = b.splice(weighted, given, along)
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
    pulled = gradient(program, [target], [source], [v])
    program, (found,) = filled(
        pulled.program, pulled.outputs, [program.shapes[source[0]]], [program.dtypes[source[0]]]
    )
    return program, v, found
