"""Sums: like terms are one, a common number stands in front, single elements are one array."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from symtape.lowering.folder import Folder, Scaled
from symtape.program import operations as ops
from symtape.program.kinds.placement import Assemble, Form, Placement
from symtape.program.kinds.structural import Embed, Reshape
from symtape.program.operations import DType, Einsum, Map, Operation
from symtape.program.program import Builder

_MOST_PLACED = 64
"""How many elements an array may have that is put together of single ones."""


def terms_of(f: Folder, operation: Operation, operands: Sequence[int], p: int) -> list[Scaled]:
    """List the terms of a sum or a difference."""
    terms = [f.place[i] for i in operands]
    if operation is ops.subtract:
        terms[1] = Scaled(-terms[1].number, terms[1].core)
    return f.without_ones(terms, p) if f.ones else terms


def like_terms(f: Folder, operation: Operation, operands: Sequence[int], p: int) -> Scaled | None:
    """Add up the numbers of terms with one core."""
    if f.exactly and len(operands) > 2:
        return None
    terms = terms_of(f, operation, operands, p)
    if len({core for _, core in terms}) == len(terms):
        return None
    numbers: dict[int | None, float] = {}
    for number, core in terms:
        numbers[core] = numbers.get(core, 0.0) + number
    if not all([f.carries(n) for n in numbers.values()]):
        return None
    return added(f, [Scaled(n, core) for core, n in numbers.items()], p)


def common_number(f: Folder, operation: Operation, operands: Sequence[int], p: int) -> Scaled:
    """Carry the number that all terms have in common."""
    terms = terms_of(f, operation, operands, p)
    cores = dict.fromkeys([core for number, core in terms if number == 1 and core is not None])
    if len(cores) == len(terms):  # there is none
        return Scaled(1.0, _total(f.b, tuple(cores)))
    return added(f, terms, p)


def added(f: Folder, terms: Sequence[Scaled], p: int) -> Scaled:
    """Add up terms, and carry what number they have in common."""
    if len(terms) == 1 and terms[0].core is not None:
        return f.times(terms[0].number, terms[0].core)
    common, dtype = _common(terms), f.program.dtypes[p]
    scaled = [Scaled(t.number / common, t.core) for t in terms]
    if f.exactly and len(scaled) > 2:
        return f.times(common, f.b.total([f.multiplied(t, dtype) for t in scaled]))
    plus = [f.multiplied(t, dtype) for t in scaled if t.number > 0]
    minus = [f.multiplied(Scaled(-t.number, t.core), dtype) for t in scaled if t.number < 0]
    return f.times(common, _difference(f.b, plus, minus, dtype))


def _common(terms: Sequence[Scaled]) -> float:
    """Find the number in front of all terms, with a sign that all of them have."""
    sizes = {abs(t.number) for t in terms}
    is_one = len(sizes) == 1 and all([t.core is not None for t in terms])
    size = sizes.pop() if is_one else 1.0
    return -size if all([t.number < 0 for t in terms]) else size


def _difference(b: Builder, plus: Sequence[int], minus: Sequence[int], dtype: DType) -> int:
    """Add some terms and take others off."""
    if not plus:
        return b.negative(_total(b, minus))
    total = _total(b, plus)
    return b.append(ops.subtract, total, _total(b, minus)) if minus else total


def _total(b: Builder, terms: Sequence[int]) -> int:
    return b.append(ops.add, *terms) if len(terms) == 2 else b.total(terms)


# --- single elements, each in zeros ---------------------------------------------------------------


def placed_elements(
    f: Folder, addition: Operation, operands: Sequence[int], p: int
) -> Scaled | None:
    """Put single elements into one array, rather than each into zeros that are added up."""
    b, shape, dtype = f.b, f.program.shapes[p], f.program.dtypes[p]
    if not shape or prod(shape) > _MOST_PLACED:
        return None
    terms = terms_of(f, addition, operands, p)
    elements = []
    for _, core in terms:
        if core is None or type(b.steps[core][0]) is not Embed:
            return None
        operation, inner = b.steps[core]
        if operation.sizes != shape or prod(b.shapes[inner]) != 1:
            return None
        elements.append((operation, inner))
    scalars, placements = [], []
    for (number, _), (operation, core) in zip(terms, elements, strict=True):
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
