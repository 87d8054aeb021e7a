"""Cross products in what was recorded, written as products with ε.

A cross product is recorded as products of vectors whose elements are moved along. With ε in their
place, the array of Levi-Civita, it is multilinear in whole vectors, and so are its derivatives.
"""

from __future__ import annotations

from symtape.program.kinds.structural import Concat, Slice
from symtape.program.operations import Einsum, Shape, identity, multiply, subtract
from symtape.program.program import Program
from symtape.program.rolls import Product

EPSILON = " ε"
"""What the leaf of ε is called while a formula is read: no name of a variable begins so."""

_NEXT, _LAST = (1, 2, 0), (2, 0, 1)
"""The elements of a vector, moved along by one and by two."""

Moved = tuple[int, tuple[int, ...]]
"""A position, and the places of its elements."""


def crossed(program: Program, p: int) -> tuple[list[int], list[Product]] | None:
    """Give the product with ε that a step is, if it is a cross product."""
    pair = _of_cross(program, p)
    if pair is None:
        return None
    return [], [(EPSILON, (3, 3, 3), _turned(len(program.shapes[p])), pair)]


def _turned(rank: int) -> Einsum:
    """Give the product with ε along the last axis."""
    batch = list(range(3, 2 + rank))
    return Einsum.of([[0, 1, 2], [*batch, 1], [*batch, 2]], [*batch, 0])


def _of_cross(program: Program, p: int) -> tuple[int, int] | None:
    """Give u and v, if a step is u × v."""
    operation, *operands = program.steps[p]
    shape = program.shapes[p]
    if operation != subtract or shape[-1:] != (3,):
        return None
    first, last = (_factors(program, i, shape) for i in operands)
    for (u, by), (v, other) in (first, first[::-1]) if len(first) == 2 else ():
        if (by, other) == (_NEXT, _LAST) and sorted(last) == sorted([(u, _LAST), (v, _NEXT)]):
            return u, v
    return None


def _factors(program: Program, p: int, shape: Shape) -> list[Moved]:
    """Give the two factors of a product by element, each as a vector and where it is read."""
    operation, *operands = program.steps[p]
    if operation != multiply:
        return []
    found = [_moved(program, q) for q in operands]
    return [m for m in found if m is not None and program.shapes[m[0]] == shape]


def _moved(program: Program, p: int) -> Moved | None:
    """Say which elements of which array the last axis has, if they are joined again."""
    operation, *operands = program.steps[p]
    while operation == identity:
        operation, *operands = program.steps[operands[0]]
    if type(operation) is not Concat or operation.axis != -1:
        return None
    parts = [program.steps[q] for q in operands]
    if any(type(part) is not Slice or len(part.ranges) != 1 for part, *_ in parts):
        return None
    (whole, *others) = {q for _, q in parts}
    ranges = [part.ranges[0] for part, _ in parts]
    places = tuple(first + step * k for first, step, count in ranges for k in range(count))
    return None if others else (whole, places)
