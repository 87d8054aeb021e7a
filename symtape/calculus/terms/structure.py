"""What an array is made of: its terms, with rows and columns, and products with it.

A Jacobian or Hessian is a linear map from its last axes, the columns, to its first, the rows. Its
terms say where it is diagonal, banded, of low rank or made of blocks, and multiply with a vector
without ever being written out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import prod
from typing import Any, NamedTuple

import numpy as np

from symtape.calculus.terms.association import Factor, multiply_out, split_numbers
from symtape.calculus.terms.expansion import Expander
from symtape.calculus.terms.terms import Term, assembled, like_terms_added, placed_sum, taken
from symtape.program.kinds.placement import Placement
from symtape.program.kinds.structural import Reshape
from symtape.program.operations import Constant, Count, Input, Shape, dtype_name
from symtape.program.program import Builder, Program, shared


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
    terms = expander.expand(position)
    _, first = shared(b)  # reciprocals may have come twice
    apart = []
    for term in terms:
        number, factors = split_numbers(b, [(first[p], own) for p, own in term.factors])
        apart.append(Term(term.axes[:rows], term.axes[rows:], tuple(factors), term.number * number))
    b.recorded = program.recorded
    kept = tuple(like_terms(apart))
    return Structured(b.finish(), position, rows, kept, expander.sizes)


def like_terms(terms: Sequence[Term]) -> list[Term]:
    """Add the numbers of equal products; leave out what is zero."""
    found: dict[Any, Term] = {}
    for term in terms:
        key = _key(term)
        if key in found:
            term = term._replace(number=term.number + found[key].number)  # noqa: PLW2901 - the sum so far
        found[key] = term
    return [term for term in found.values() if term.number]


def _key(term: Term) -> Any:
    """Give what equal products written in one order share."""
    names: dict[int, int] = {}

    def name(i: int) -> int:
        return names.setdefault(i, len(names))

    forms = [(f.offset, tuple([(s, name(i)) for s, i in f.parts])) for f in term.forms]
    factors = [(p, tuple([name(i) for i in own])) for p, own in sorted(term.factors)]
    return tuple(forms), tuple(factors)


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
    v = b.enter(Input(dtype_name(found.dtype), columns))
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


def places(found: Structured, masks: Mapping[int, Any]) -> Iterator[tuple[Any, Any]]:
    """Give the flat rows and columns of each term's entries, as arrays.

    `masks` say which elements of the factors can differ from zero.
    """
    for term in found.terms:
        placement, order = Placement.of(term.forms, found.sizes)
        mask = _mask(term, order, placement.counts, masks).ravel()
        rows, columns = _coordinates(found, placement)
        yield np.broadcast_to(rows, mask.shape)[mask], np.broadcast_to(columns, mask.shape)[mask]


def _mask(term: Term, order: Sequence[int], counts: Shape, masks: Mapping[int, Any]) -> Any:
    """Say at which values of the indices a product can differ from zero."""
    names = {i: k for k, i in enumerate(dict.fromkeys([*order, *sorted(term.used)]))}
    operands: list[Any] = []
    for p, own in term.factors:
        if not masks[p].all():
            operands += [masks[p].astype(np.float32), [names[i] for i in own]]
    if not operands:
        return np.broadcast_to(np.True_, counts)
    seen = {k for own in operands[1::2] for k in own}
    kept = [k for k in range(len(order)) if k in seen]
    inner = np.einsum(*operands, kept, optimize=True) != 0
    wide = [n if k in seen else 1 for k, n in enumerate(counts)]
    return np.broadcast_to(inner.reshape(wide), counts)


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
