"""Elements that are moved along an axis, those that fall off the end coming back at the start.

They are recorded as two parts that change places, and derived as two that are added up among zeros.
As a product with the cyclic permutation matrix Π they are one, and a finite difference with
periodic ends is a polynomial in Π and its transpose.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations
from typing import NamedTuple

from symtape.program.kinds.structural import Concat, Embed, Range, Slice
from symtape.program.operations import AddN, Einsum, Shape, identity
from symtape.program.program import Program

Product = tuple[str, Shape, Einsum, tuple[int, ...]]
"""A known array by its name and its shape, and a product of it with positions."""

_NAME = " Π"


class _Part(NamedTuple):
    """Some elements one after another: of which array, along which axis, from where to where."""

    whole: int
    axis: int
    start: int
    at: int
    size: int


def name_of_roll(by: int, n: int) -> str:
    """Call a power of Π for n elements; no name of a variable begins so."""
    return f"{_NAME} {by} {n}"


def roll_of_name(name: str) -> tuple[int, int] | None:
    """Give by how much a matrix of this name moves elements, and how many.

    >>> roll_of_name(name_of_roll(-1, 6)), roll_of_name("x")
    ((-1, 6), None)
    """
    if not name.startswith(_NAME):
        return None
    by, n = map(int, name.split()[1:])
    return by, n


def rolled(program: Program, p: int) -> tuple[list[int], list[Product]] | None:
    """Give what a step is the sum of, if it moves elements: positions, and products with Π."""
    operation, *operands = program.steps[p]
    if program.dtypes[p].kind not in "fc" or type(operation) not in (AddN, Concat):
        return None
    joined = type(operation) is Concat
    parts = [*_joined(program, p)] if joined else [_put(program, q) for q in operands]
    found: dict[tuple[int, int], Product] = {}
    for j, k in permutations(range(len(parts)), 2):
        taken = {i for pair in found for i in pair}
        if not taken & {j, k} and (product := _of_parts(program, parts[j], parts[k])) is not None:
            found[j, k] = product
    others = [q for k, q in enumerate(operands) if not any(k in pair for pair in found)]
    if not found or (joined and others):
        return None
    return others, [*found.values()]


def _of_parts(program: Program, a: _Part | None, b: _Part | None) -> Product | None:
    """Give the product with a power of Π that two parts are, of which the last comes first."""
    if a is None or b is None or a[:2] != b[:2]:
        return None
    shape = program.shapes[a.whole]
    n = shape[a.axis]
    if (a.at, b.at, b.start, a.start, a.start + a.size) != (0, a.size, 0, b.size, n):
        return None
    by = a.size if 2 * a.size <= n else a.size - n
    axes, k = [*range(len(shape))], len(shape)
    moved = [k if axis == a.axis else axis for axis in axes]
    return name_of_roll(by, n), (n, n), Einsum.of([[a.axis, k], moved], axes), (a.whole,)


def _joined(program: Program, p: int) -> Iterator[_Part | None]:
    """Say from where each operand that is joined is cut, and where it goes."""
    operation, *operands = program.steps[p]
    axis, at = len(program.shapes[p]) + operation.axis, 0
    for q in operands:
        cut = _cut(program, q)
        yield None if cut is None or cut[1] != axis else _Part(cut[0], axis, cut[2], at, cut[3])
        at += program.shapes[q][axis]


def _put(program: Program, p: int) -> _Part | None:
    """Say from where what stands among zeros is cut, and where it goes."""
    operation, *operands = program.steps[p]
    cut = _cut(program, operands[0]) if type(operation) is Embed else None
    if cut is None:
        return None
    whole, axis, start, count = cut
    place = _alone(operation.ranges, program.shapes[p])
    return None if place is None or place[0] != axis else _Part(whole, axis, start, place[1], count)


def _cut(program: Program, p: int) -> tuple[int, int, int, int] | None:
    """Say of what a slice along one axis is, along which, from where on, and how long it is."""
    operation, *operands = program.steps[p]
    if type(operation) is not Slice:
        return None
    (x,) = operands
    while program.steps[x][0] == identity:
        x = program.steps[x][1]
    found = _alone(operation.ranges, program.shapes[x])
    return None if found is None else (x, *found)


def _alone(ranges: Sequence[Range], shape: Shape) -> tuple[int, int, int] | None:
    """Give the one axis that is not taken whole, the first element, and how many there are."""
    first = len(shape) - len(ranges)
    cut = [first + k for k, own in enumerate(ranges) if own != (0, 1, shape[first + k])]
    if len(cut) != 1:
        return None
    start, step, count = ranges[cut[0] - first]
    return (cut[0], start, count) if step == 1 else None
