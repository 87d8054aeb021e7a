"""Sums: like terms are one, a common number stands in front, what stands in zeros is one array."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import prod

from symtape.lowering.folder import Folder, Scaled
from symtape.program import operations as ops
from symtape.program.kinds.placement import Assemble, Form, Placement
from symtape.program.kinds.structural import Concat, Embed, Reshape
from symtape.program.operations import Einsum, Map, Operation
from symtape.program.program import Builder

_MOST_PLACED = 64
"""How many elements an array may have that is put together of single ones."""

Part = tuple[int, int, int]
"""An axis, counted from the end, and the places on it from one to another."""


def terms_of(f: Folder, operation: Operation, operands: Sequence[int], p: int) -> list[Scaled]:
    """List the terms of a sum or a difference."""
    terms = list(map(f.place.__getitem__, operands))
    if operation is ops.subtract:
        terms[1] = Scaled(-terms[1].number, terms[1].core)
    return f.without_ones(terms, p) if f.ones else terms


def added(f: Folder, operation: Operation, operands: Sequence[int], p: int) -> Scaled:
    """Add up terms: those of one core are one, and the number that all have is carried."""
    terms = terms_of(f, operation, operands, p)
    cores = [core for number, core in terms if number == 1 and core is not None]
    if len(set(cores)) == len(terms):  # there is no number
        return Scaled(1.0, _total(f, cores))
    return add_terms(f, _like_terms(f, terms), p)


def _like_terms(f: Folder, terms: Sequence[Scaled]) -> Sequence[Scaled]:
    """Add up the numbers of terms with one core, unless that is rounded in another way."""
    numbers: dict[int | None, float] = {}
    for number, core in terms:
        numbers[core] = numbers.get(core, 0.0) + number
    is_other = f.exactly and len(terms) > 2
    if is_other or len(numbers) == len(terms) or not all(map(f.carries, numbers.values())):
        return terms
    return [Scaled(number, core) for core, number in numbers.items()]


def contracted_once(
    f: Folder, operation: Operation, operands: Sequence[int], p: int
) -> Scaled | None:
    """Add what two terms contract with the same array first: Xᵀa - Xᵀy is Xᵀ(a - y)."""
    if f.exactly or len(operands) != 2 or any([f.uses[i] > 1 for i in operands]):
        return None
    terms = terms_of(f, operation, operands, p)
    steps = [() if core is None else f.b.steps[core] for _, core in terms]
    if any([len(s) != 3 or type(s[0]) is not Einsum for s in steps]) or steps[0][0] != steps[1][0]:
        return None
    (how, *first), (_, *second) = steps
    same = [k for k in range(2) if first[k] == second[k]]
    if len(same) != 1:
        return None
    k = same[0]
    shapes = [f.b.shapes[i] for i in (first[k], first[1 - k], second[1 - k])]
    if shapes[1] != shapes[2] or prod(shapes[1]) > prod(shapes[0]):
        return None
    cores = (first[1 - k], second[1 - k])
    inner = add_terms(f, [Scaled(t.number, core) for t, core in zip(terms, cores, strict=True)], p)
    if inner.core is None:
        return None
    parts = [first[k], inner.core]
    return f.result(inner.number, how, *(parts if k == 0 else parts[::-1]))


def add_terms(f: Folder, terms: Sequence[Scaled], p: int) -> Scaled:
    """Add up terms, and carry what number they have in common."""
    if len(terms) == 1 and terms[0].core is not None:
        return f.times(terms[0].number, terms[0].core)
    common, dtype = _common(terms), f.program.dtypes[p]
    if common != 1:
        terms = [Scaled(t.number / common, t.core) for t in terms]
    if f.exactly and len(terms) > 2:
        return f.times(common, f.b.total([f.multiplied(t, dtype) for t in terms]))
    plus = [f.multiplied(t, dtype) for t in terms if t.number > 0]
    minus = [f.multiplied(Scaled(-t.number, t.core), dtype) for t in terms if t.number < 0]
    return f.times(common, _difference(f, plus, minus))


def _common(terms: Sequence[Scaled]) -> float:
    """Find the number in front of all terms, with a sign that all of them have."""
    sizes = {abs(t.number) for t in terms}
    is_one = len(sizes) == 1 and all([t.core is not None for t in terms])
    size = sizes.pop() if is_one else 1.0
    return -size if all([t.number < 0 for t in terms]) else size


def _difference(f: Folder, plus: Sequence[int], minus: Sequence[int]) -> int:
    """Add some terms and take others off."""
    if not plus:
        return f.b.negative(_total(f, minus))
    total = _total(f, plus)
    return f.b.append(ops.subtract, total, _total(f, minus)) if minus else total


def _total(f: Folder, terms: Sequence[int]) -> int:
    """Add up; parts come last, which are then added to the first term and not to zeros."""
    if f.has_parts and not f.exactly:
        terms = sorted(terms, key=lambda core: type(f.b.steps[core][0]) is Embed)
    return f.b.append(ops.add, *terms) if len(terms) == 2 else f.b.total(terms)


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


# --- parts, each in zeros -------------------------------------------------------------------------


def placed_parts(f: Folder, addition: Operation, operands: Sequence[int], p: int) -> Scaled | None:
    """Put parts that make up an axis one after another, rather than each into zeros.

    That is what the gradient of a roll is, of what is taken apart, and of a system's state. A zero
    that is added changes nothing but the sign of another zero.
    """
    if f.exactly or not f.has_parts:
        return None
    others, found = [], dict[Part, list[Scaled]]()
    for term in terms_of(f, addition, operands, p):
        part = _part(f, term)
        if part is None:
            others.append(term)
        else:
            found.setdefault(part, []).append(term)
    terms = []
    for chain in _chains(found, f.program.shapes[p]):
        inner = [_inner(f, found.pop(part), p) for part in chain]
        terms.append(Scaled(1.0, f.b.append(Concat(chain[0][0]), *inner)))
    if not terms:
        return None
    terms = [*others, *terms, *[term for group in found.values() for term in group]]
    return add_terms(f, terms, p) if len(terms) > 1 else terms[0]


def _part(f: Folder, term: Scaled) -> Part | None:
    """Say where a term stands, if it is whole along all axes but one."""
    operation = None if term.core is None else f.b.steps[term.core][0]
    if type(operation) is not Embed:
        return None
    rank = len(operation.sizes)
    pairs = zip(operation.ranges, operation.sizes, strict=True)
    cut = [(k - rank, r) for k, (r, n) in enumerate(pairs) if r != (0, 1, n)]
    if len(cut) != 1:
        return None
    ((axis, (first, step, count)),) = cut
    return (axis, first, first + count) if count and (step == 1 or count == 1) else None


def _chains(found: Mapping[Part, Sequence[Scaled]], shape: Sequence[int]) -> Iterator[list[Part]]:
    """List parts that follow one another from the beginning of an axis to its end."""
    left = sorted(found)
    for part in sorted(found):
        chain = [part]
        while chain[-1][2] < shape[part[0]]:
            after = [q for q in left if q[:2] == (part[0], chain[-1][2])]
            if not after:
                break
            chain.append(after[0])
        if part in left and part[1] == 0 and chain[-1][2] == shape[part[0]]:
            left = [q for q in left if q not in chain]
            yield chain


def _inner(f: Folder, terms: Sequence[Scaled], p: int) -> int:
    """Add up what stands at the same places."""
    dtype = f.program.dtypes[p]
    cores = [Scaled(t.number, f.b.steps[t.core][1]) for t in terms if t.core is not None]
    return f.b.total([f.multiplied(t, dtype) for t in cores])
