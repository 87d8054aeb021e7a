"""What an array is made of: its terms, with rows and columns, and products with it.

A Jacobian or Hessian is a linear map from its last axes, the columns, to its first, the rows. Its
terms say where it is diagonal, banded, of low rank or made of blocks, and multiply with a vector
without ever being written out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import prod
from typing import Any, NamedTuple

import numpy as np

from symtape.calculus.association import Factor, multiply_out, split_numbers
from symtape.calculus.expansion import Expander
from symtape.calculus.terms import Term, assembled, like_terms_added, placed_sum, taken
from symtape.program.operations import Constant, Count, Input, Shape
from symtape.program.placement import Placement
from symtape.program.program import Builder, Program
from symtape.program.sharing import shared
from symtape.program.structural import Reshape


class Recorded(Expander):
    """Reads derived steps through; what a person recorded is a factor."""

    def _expanded(self, p: int) -> list[Term]:
        if p < self.b.recorded and type(self.b.steps[p][0]) not in (Constant, Count):
            return [self.atom(p)]
        return super()._expanded(p)


class Structured(NamedTuple):
    """An array of some rows and columns as a sum of terms over the factors of a program."""

    program: Program
    position: int
    rows: int
    terms: tuple[Term, ...]
    sizes: dict[int, int]

    @property
    def shape(self) -> tuple[Shape, Shape]:
        """The shapes of rows and columns."""
        shape = self.program.shapes[self.position]
        return shape[: self.rows], shape[self.rows :]

    @property
    def dtype(self) -> np.dtype[Any]:
        """The dtype of the entries."""
        dtype: np.dtype[Any] = self.program.dtypes[self.position]
        return dtype

    def factors(self) -> list[int]:
        """List the positions of all factors."""
        return sorted({p for term in self.terms for p, _ in term.factors})


def structured(program: Program, position: int, rows: int) -> Structured:
    """Take a position apart; its first `rows` axes are the rows."""
    program, first = shared(program)
    position = first[position]
    b = Builder(program)
    if position < program.recorded:
        b.recorded = 0
    expander = Recorded(b)
    found: dict[Any, Term] = {}
    terms = expander.expand(position)
    _, first = shared(b)  # reciprocals may have come twice
    for term in terms:
        number, factors = split_numbers(b, [(first[p], own) for p, own in term.factors])
        own = Term(term.axes[:rows], term.axes[rows:], tuple(factors), term.number * number)
        key = _key(own)
        if key in found:
            own = own._replace(number=own.number + found[key].number)
        found[key] = own
    kept = tuple([term for term in found.values() if term.number])
    b.recorded = program.recorded
    return Structured(b.finish(), position, rows, kept, expander.sizes)


def _key(term: Term) -> Any:
    """Give what equal products written in one order share."""
    names: dict[int, int] = {}

    def name(i: int) -> int:
        return names.setdefault(i, len(names))

    forms = [(f.offset, tuple([(s, name(i)) for s, i in f.parts])) for f in term.forms]
    factors = [(p, tuple([name(i) for i in own])) for p, own in sorted(term.factors)]
    return tuple(forms), tuple(factors)


def factors_of(program: Program, p: int) -> tuple[Fraction, Counter[Factor]] | None:
    """Read one step of rank one as a product of its operands; its index is called 0."""
    b = Builder(program)
    expander = Recorded(b)
    b.recorded = p
    terms = expander.expand(p)
    if len(b.shapes[p]) != 1 or len(terms) != 1 or terms[0].factors[:1] == ((p, ()),):
        return None
    (term,) = terms
    _, first = shared(b)
    index = term.axes[0].indices
    factors = Counter(
        (first[q], tuple([0 if (i,) == index else i for i in own])) for q, own in term.factors
    )
    return term.number, factors


def cores(found: Structured) -> tuple[Program, list[int]]:
    """Multiply the terms out to blocks, one for each way in which blocks stand, and no further."""
    b = Builder(found.program)
    terms = like_terms_added(b, found.terms, found.sizes, found.dtype)
    made = [multiply_out(b, t.factors, t.placed, found.sizes, t.number, found.dtype) for t in terms]
    return b.finish(), [at for at, _ in made]


def product(found: Structured, *, transposed: bool) -> tuple[Program, int, int]:
    """Multiply by a vector, whose shape is that of the columns, or of the rows if transposed.

    Give the program, the position of the vector, and that of the product.
    """
    b = Builder(found.program)
    rows, columns = found.shape[:: -1 if transposed else 1]
    b.steps.append((Input(found.dtype.name, columns),))
    b.shapes.append(columns)
    b.dtypes.append(found.dtype)
    v = len(b.steps) - 1
    sizes = dict(found.sizes)
    terms = []
    for term in found.terms:
        own = Term(term.axes, term.target, term.factors, term.number) if transposed else term
        terms.append(_applied(b, own, v, columns, rows, sizes, found.dtype))
    return b.finish(), v, assembled(b, terms, rows, sizes, found.dtype)


def _applied(
    b: Builder,
    term: Term,
    v: int,
    columns: Shape,
    rows: Shape,
    sizes: dict[int, int],
    dtype: np.dtype[Any],
) -> Term:
    """Sum a term times a vector over the columns."""
    units = _units(sizes)
    factor: Factor | None = taken(b, v, term.axes, sizes, units)
    if factor is not None:
        return Term(term.target, (), (*term.factors, factor), term.number)
    core = multiply_out(b, term.factors, term.placed, sizes, term.number, dtype)
    dense = placed_sum(b, [(core, term)], rows + columns, sizes, dtype)
    whole = Recorded(b)
    whole.sizes = sizes
    made = whole.atom(dense)
    ((_, indices),) = made.factors
    return Term(made.axes[: len(rows)], (), (*made.factors, (v, indices[len(rows) :])))


def _units(sizes: dict[int, int]) -> Iterator[int]:
    while True:
        index = len(sizes)
        sizes[index] = 1
        yield index


def places(found: Structured) -> Iterator[tuple[Any, Any]]:
    """Give the flat rows and columns of each term's entries, as arrays."""
    for term in found.terms:
        yield _coordinates(found, Placement.of(term.forms, found.sizes)[0])


class Block(NamedTuple):
    """A core with an axis for each index, of size one where it is repeated, and its entries."""

    position: int
    counts: Shape
    rows: Any
    columns: Any


def blocks(found: Structured) -> tuple[Program, list[Block]]:
    """Multiply the terms out to blocks, and say at which flat rows and columns each stands."""
    b = Builder(found.program)
    made = []
    for term in like_terms_added(b, found.terms, found.sizes, found.dtype):
        placed = term.placed
        at, order = multiply_out(b, term.factors, placed, found.sizes, term.number, found.dtype)
        placement, _ = Placement.of(term.forms, found.sizes)
        shape = tuple([found.sizes[i] if i in order else 1 for i in placed])
        if b.shapes[at] != shape:
            at = b.append(Reshape(b.shapes[at], shape), at)
        made.append(Block(at, placement.counts, *_coordinates(found, placement)))
    return b.finish(), made


def _coordinates(found: Structured, placement: Placement) -> tuple[Any, Any]:
    rows, columns = found.shape
    grid = np.indices(placement.counts, sparse=True)
    at = [
        np.broadcast_to(
            form.offset + sum([s * grid[k] for s, k in form.parts], np.intp(0)), placement.counts
        ).ravel()
        for form in placement.forms
    ]
    return _flat(at[: found.rows], rows), _flat(at[found.rows :], columns)


def _flat(at: Sequence[Any], shape: Shape) -> Any:
    flat: Any = np.intp(0)
    for place, n in zip(at, shape, strict=True):
        flat = flat * n + place
    return flat


def elements(shape: Shape) -> int:
    """Count the rows or the columns."""
    return prod(shape)
