"""Sums of single elements, each in zeros: one array that is put together of them."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from symtape.lowering.folder import Folder
from symtape.lowering.rewrites.sums import terms_of
from symtape.lowering.scaled import Scaled
from symtape.program.operations import Einsum, Map, Operation
from symtape.program.placement import Assemble, Form, Placement
from symtape.program.program import Builder
from symtape.program.structural import Embed, Reshape

_MOST_PLACED = 64
"""How many elements an array may have that is put together of single ones."""


def placed_elements(
    f: Folder, addition: Operation, operands: Sequence[int], p: int
) -> Scaled | None:
    """Put single elements into one array, rather than each into zeros that are added up."""
    terms = terms_of(f, addition, operands, p)
    b, shape, dtype = f.b, f.program.shapes[p], f.program.dtypes[p]
    if not shape or prod(shape) > _MOST_PLACED:
        return None
    found = []
    for _, core in terms:
        if core is None or type(b.steps[core][0]) is not Embed:
            return None
        operation, inner = b.steps[core]
        if operation.sizes != shape or prod(b.shapes[inner]) != 1:
            return None
        found.append((operation, inner))
    scalars, placements = [], []
    for (number, _), (operation, core) in zip(terms, found, strict=True):
        scalars.append(f.multiplied(Scaled(number, _element(b, core)), dtype))
        forms = tuple([Form(first) for first, _, _ in operation.ranges])
        placements.append(Placement((), forms))
    return Scaled(1.0, b.append(Assemble(shape, tuple(placements)), *scalars))


def _element(b: Builder, core: int) -> int:
    """Give the number that an array of one element has; it may have been a number before."""
    bare = _bare(b, core)
    operation, *operands = b.steps[core]
    if bare is None and type(operation) is Map:
        numbers = [_bare(b, i) for i in operands]
        if None not in numbers:
            return b.append(operation, *[i for i in numbers if i is not None])
    return b.append(Reshape(b.shapes[core], ()), core) if bare is None else bare


def _bare(b: Builder, core: int) -> int | None:
    """Find the number that an array is made of by giving it axes."""
    if b.shapes[core] == ():
        return core
    operation, *operands = b.steps[core]
    is_one = type(operation) in {Reshape, Einsum} and len(operands) == 1
    return operands[0] if is_one and b.shapes[operands[0]] == () else None
