"""Steps that are products with an array that is known, written as such products.

What moves elements of vectors is recorded element by element, and its derivatives are sums of what
is cut and put together. As a product with a known array it is multilinear in whole vectors, and so
are its derivatives. This is for reading alone: an infinite element times zero is no number.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from symtape.program.operations import AddN, Input, dtype_name
from symtape.program.program import Builder, Program
from symtape.program.rolls import Product, rolled
from symtape.program.sizes.resizing import Resized
from symtape.program.turns import crossed


class WithKnown(NamedTuple):
    """A program with products, and the names of the known arrays in it."""

    made: Resized
    names: Mapping[int, str]


Terms = tuple[list[int], list[Product]]
"""What a step is the sum of: positions, and products of positions with known arrays."""

_FINDERS: tuple[Callable[[Program, int], Terms | None], ...] = (crossed, rolled)


def with_known(program: Program, positions: Sequence[int]) -> WithKnown | None:
    """Write what some positions depend on by known arrays, if there are such."""
    steps = program.ancestors(positions)
    sums = {p: found for p in steps if (found := _found(program, p)) is not None}
    if not sums:
        return None
    b, place = Builder(), dict[int, int]()
    known: dict[tuple[str, str], int] = {}
    for p in steps:
        operation, *operands = program.steps[p]
        if type(operation) is Input:
            place[p] = b.enter(operation)
        elif p in sums:
            others, products = sums[p]
            dtype = dtype_name(program.dtypes[p])
            made = [_multiplied(b, product, dtype, place, known) for product in products]
            terms = [*[place[q] for q in others], *made]
            place[p] = b.apart(AddN(), *terms) if len(terms) > 1 else terms[0]
        else:
            place[p] = b.apart(operation, *[place[q] for q in operands])
    b.recorded = len(b)
    return WithKnown(Resized(b.finish(), place, {}), {p: name for (name, _), p in known.items()})


def _multiplied(
    b: Builder, product: Product, dtype: str, place: Mapping[int, int], known: dict[Any, int]
) -> int:
    """Add a product with a known array, which enters once for each dtype."""
    name, shape, einsum, operands = product
    if (name, dtype) not in known:
        known[name, dtype] = b.enter(Input(dtype, shape, False))
    return b.apart(einsum, known[name, dtype], *[place[q] for q in operands])


def _found(program: Program, p: int) -> Terms | None:
    return next((found for find in _FINDERS if (found := find(program, p)) is not None), None)
