"""Jacobians: a reverse sweep that starts from Kronecker deltas and keeps them.

The cotangent of a step is a sum of terms. A term is a product of factors with named indices, one
index for each axis of the target and one for each axis of the step. An index that both have is a
delta: it costs nothing, and it passes through everything that is elementwise or a contraction. So
the Jacobian of an elementwise function stays a diagonal, and only what is not a product is ever
multiplied out. Operations that a delta cannot pass see the other indices as a batch.

After Laue, Mitterreiter, Giesen: A simple and efficient tensor calculus, AAAI 2020.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod
from typing import NamedTuple

from symtape.calculus.derive import Derived, connected
from symtape.calculus.pullback import pullback
from symtape.calculus.slopes import COMPLEX, conjugate, slope_position, slopes
from symtape.program import operations as ops
from symtape.program.operations import AddN, Cast, Einsum, Map, Operation
from symtape.program.program import Builder, Program
from symtape.program.structural import Gather, Structural

Indices = tuple[int, ...]
Factor = tuple[int, Indices]
"""A position of the program and the index of each of its axes."""

_KEPT_APART = 4


class Term(NamedTuple):
    """A product of factors; `target` and `axes` name the indices of the target and of the step."""

    target: Indices
    factors: tuple[Factor, ...]
    axes: Indices

    def renamed(self, old: int, new: int) -> Term:
        """Make two indices one."""

        def swap(indices: Indices) -> Indices:
            return tuple([new if i == old else i for i in indices])

        factors = tuple([(p, swap(indices)) for p, indices in self.factors])
        return Term(swap(self.target), factors, swap(self.axes))

    @property
    def used(self) -> set[int]:
        """The indices that some factor has."""
        return {i for _, indices in self.factors for i in indices}

    @property
    def pattern(self) -> Indices:
        """How target and axes share indices, whatever the indices are called."""
        names: dict[int, int] = {}
        return tuple([names.setdefault(i, len(names)) for i in self.target + self.axes])


def jacobian(
    program: Program, target: int, sources: Sequence[Sequence[int]], *, batch: bool = False
) -> Derived:
    """Derive the Jacobian of a target with respect to each source, of shape target + source.

    With `batch`, the first axis of target and source is a batch: the derivative of the sum over the
    batch of the target, of shape (batch, rest of target, rest of source).
    """
    sweep = _Sweep(program, target, sources)
    return sweep.run(batch=batch)


class _Sweep:
    def __init__(self, program: Program, target: int, sources: Sequence[Sequence[int]]) -> None:
        self.program = program
        self.b = Builder(program)
        self.target = target
        self.sources = sources
        self.wanted = {p for group in sources for p in group}
        self.needed = connected(program, [target], self.wanted)
        self.sizes: dict[int, int] = {}
        self.received: dict[int, list[Term]] = {}

    def run(self, *, batch: bool) -> Derived:
        if self.needed[self.target]:
            axes = self.fresh(self.program.shapes[self.target])
            self.received[self.target] = [Term(axes[1:] if batch else axes, (), axes)]
        found: dict[int, list[Term]] = {}
        for p in range(self.target, -1, -1):
            terms = self.received.pop(p, None)
            if terms is None:
                continue
            terms = self.merged(terms)
            if p in self.wanted:
                found[p] = terms
            for term in terms:
                self.pass_on(p, term)
        outputs = []
        for group in self.sources:
            parts = [self.assembled(p, found[p], batch=batch) for p in group if p in found]
            outputs.append(self.b.total(parts) if parts else None)
        return Derived(self.b.finish(), tuple(outputs))

    def fresh(self, sizes: Sequence[int]) -> Indices:
        """Make new indices of some sizes."""
        first = len(self.sizes)
        self.sizes.update({first + k: n for k, n in enumerate(sizes)})
        return tuple(range(first, first + len(sizes)))

    # --- passing terms on ------------------------------------------------------------------------

    def pass_on(self, p: int, term: Term) -> None:
        operation, *operands = self.program.steps[p]
        wanted = [k for k, i in enumerate(operands) if self.needed[i] and operation.connects(k)]
        if not wanted:
            return
        for k, part in self.pulled(p, operation, operands, term, wanted):
            self.received.setdefault(operands[k], []).append(part)

    def pulled(
        self, p: int, operation: Operation, operands: list[int], term: Term, wanted: list[int]
    ) -> Iterator[tuple[int, Term]]:
        real = self.b.dtypes[p].kind != "c" and all(self.b.dtypes[i].kind != "c" for i in operands)
        if type(operation) is Map and (real or operation not in COMPLEX):
            for k in wanted:
                yield k, self.through_map(p, operation, operands, term, k)
        elif type(operation) is AddN:
            for k in wanted:
                yield k, self.through_broadcast(p, term, operands[k])
        elif type(operation) is Einsum:
            for k in wanted:
                yield k, self.through_einsum(operation, operands, term, k)
        else:
            yield from self.through_any(p, operation, operands, term, wanted)

    def through_map(self, p: int, operation: Map, operands: list[int], term: Term, k: int) -> Term:
        """Append the slope as a factor."""
        slope = slopes(operation)[k]
        if slope.number != 1:
            if slope.masks is not None:
                one = self.b.constant(1, self.b.dtypes[p])
                at = self.b.append(slope.masks, one, *[operands[i] for i in slope.picks])
            else:
                at = slope_position(self.b, operation, operands, k)
            factor = (at, self.aligned(at, term.axes, self.program.shapes[p]))
            factors = (*term.factors, factor)
            if operation is ops.sqrt and len(set(term.axes)) == len(term.axes):
                factors = self.masked(term, at)
            term = term._replace(factors=factors)
        return self.through_broadcast(p, term, operands[k])

    def masked(self, term: Term, slope: int) -> tuple[Factor, ...]:
        """Multiply by a slope that may be infinite, except where the factors so far are zero."""
        own = [f for f in term.factors if set(f[1]) <= set(term.axes)]
        used = {i for _, indices in own for i in indices}
        layout = [i if i in used else self.fresh([1])[0] for i in term.axes]
        product = self.b.append(ops.masked_product, self.multiplied(own, layout), slope)
        rest = tuple([f for f in term.factors if f not in own])
        return (*rest, (product, term.axes))

    def aligned(self, at: int, axes: Indices, shape: tuple[int, ...]) -> Indices:
        """Give the indices of a value that broadcasts to a step; those of size one are its own."""
        have = self.b.shapes[at]
        lead = len(shape) - len(have)
        return tuple(
            [
                axes[lead + k] if n == shape[lead + k] else self.fresh([1])[0]
                for k, n in enumerate(have)
            ]
        )

    def through_broadcast(self, p: int, term: Term, operand: int) -> Term:
        """Sum over the axes along which the operand was repeated."""
        axes = self.aligned(operand, term.axes, self.program.shapes[p])
        return self.without(term, axes)

    def without(self, term: Term, axes: Indices) -> Term:
        """Move to new axes; an index that is left in no place is summed over: its size counts."""
        kept = term.used.union(term.target, axes)
        lost = {i for i in term.axes if i not in kept}
        count = prod(self.sizes[i] for i in lost)
        factors = term.factors
        if count != 1:
            dtype = self.b.dtypes[self.target]
            factors = (*factors, (self.b.constant(count, dtype), ()))
        return Term(term.target, factors, axes)

    def through_einsum(self, operation: Einsum, operands: list[int], term: Term, k: int) -> Term:
        """The other operands become factors; an output index that stands twice joins two."""
        place: dict[int, int] = {}
        for n, i in enumerate(operation.output):
            if i in place and place[i] != term.axes[n]:
                old, new = term.axes[n], place[i]
                if old in term.target and new not in term.target:
                    old, new = new, old
                term = term.renamed(old, new)
                place = {key: new if value == old else value for key, value in place.items()}
            place[i] = term.axes[n]
        sizes = operation.index_sizes([self.b.shapes[i] for i in operands])
        for i, size in sizes.items():
            if i not in place:
                place[i] = self.fresh([size])[0]
        others = tuple(
            (conjugate(self.b, q), tuple([place[i] for i in operation.inputs[n]]))
            for n, q in enumerate(operands)
            if n != k
        )
        axes = tuple([place[i] for i in operation.inputs[k]])
        return self.without(term._replace(factors=term.factors + others), axes)

    def through_any(
        self, p: int, operation: Operation, operands: list[int], term: Term, wanted: list[int]
    ) -> Iterator[tuple[int, Term]]:
        """Multiply out what the operation touches, and pull it back with the rest as a batch."""
        rank = len(self.program.shapes[p])
        lead_count = rank - self.depth(operation, operands, rank)
        term = self.separated(term, lead_count)
        used = term.used
        lead = term.axes[:lead_count]
        batch = [i for i in dict.fromkeys(term.target) if i in used and i not in lead]
        layout = [*batch, *[i if i in used else self.fresh([1])[0] for i in term.axes]]
        core = self.multiplied(term.factors, layout)
        for k, at in pullback(self.b, operation, operands, p, core, wanted):
            shape = self.program.shapes[operands[k]]
            have = self.b.shapes[at]
            axes = lead + self.fresh(shape[lead_count:])
            own = have[len(have) - len(shape) :]
            indices = tuple(
                [
                    i if n == self.sizes[i] else self.fresh([1])[0]
                    for i, n in zip(axes, own, strict=True)
                ]
            )
            yield k, Term(term.target, ((at, (*batch, *indices)),), axes)

    def depth(self, operation: Operation, operands: list[int], rank: int) -> int:
        """Count the last axes of a result that an operation touches."""
        if type(operation) is Gather:
            own = len(self.program.shapes[operands[1]]) - operation.batch
            between = operation.between if operation.batch else 0
            return operation.after + own + between + operation.batch
        return operation.depth if isinstance(operation, Structural) else rank

    def separated(self, term: Term, lead: int) -> Term:
        """Give every axis from `lead` on its own index, tied to the old one by an identity."""
        axes = list(term.axes)
        factors = list(term.factors)
        for k, i in enumerate(axes):
            elsewhere = i in axes[:k] or (k >= lead and (i in term.target or i in axes[:lead]))
            if elsewhere and self.sizes[i] != 1:
                new = self.fresh([self.sizes[i]])[0]
                factors.append((self.identity(self.sizes[i]), (i, new)))
                axes[k] = new
        return Term(term.target, tuple(factors), tuple(axes))

    def identity(self, size: int) -> int:
        """Add an identity matrix."""
        one = self.b.constant(1, self.b.dtypes[self.target])
        return self.b.append(Einsum.of([()], [0, 0], {0: size}), one)

    def multiplied(self, factors: Sequence[Factor], layout: Sequence[int]) -> int:
        """Contract factors to one value with the given indices."""
        if not factors:
            factors = [(self.b.constant(1, self.b.dtypes[self.target]), ())]
        positions = [p for p, _ in factors]
        return self.b.einsum([i for _, i in factors], layout, positions, self.sizes)

    # --- adding terms up --------------------------------------------------------------------------

    def merged(self, terms: list[Term]) -> list[Term]:
        """Add up the terms of one pattern, unless that would multiply out a product of low rank."""
        groups: dict[Indices, list[Term]] = {}
        for term in terms:
            groups.setdefault(term.pattern, []).append(term)
        found: list[Term] = []
        for group in groups.values():
            first = group[0]
            renamed = [self.with_indices_of(first, term) for term in group]
            cheap = self.volume(first) <= max(
                prod(self.sizes[i] for i in set(first.axes)),
                prod(self.sizes[i] for i in first.target),
                16,
            )
            if len(group) > 1 and (cheap or len(group) > _KEPT_APART):
                found.append(self.total(renamed))
            else:
                found += renamed
        return found

    def volume(self, term: Term) -> int:
        return prod(self.sizes[i] for i in {*term.target, *term.axes})

    def with_indices_of(self, first: Term, term: Term) -> Term:
        """Rename the indices of a term to those of another of the same pattern."""
        new = dict(zip(term.target + term.axes, first.target + first.axes, strict=True))
        inner = {i: self.fresh([self.sizes[i]])[0] for i in term.used if i not in new}
        place = new | inner

        factors = tuple([(p, tuple([place[i] for i in indices])) for p, indices in term.factors])
        return Term(first.target, factors, first.axes)

    def total(self, terms: list[Term]) -> Term:
        """Add terms of the same indices up to one with a single factor."""
        indices = tuple(dict.fromkeys(terms[0].target + terms[0].axes))
        used = set().union(*[term.used for term in terms])
        kept = tuple([i for i in indices if i in used])
        parts = []
        for term in terms:
            layout = [i if i in term.used else self.fresh([1])[0] for i in kept]
            parts.append(self.multiplied(term.factors, layout))
        return terms[0]._replace(factors=((self.b.total(parts), kept),))

    def assembled(self, source: int, terms: list[Term], *, batch: bool) -> int:
        """Write the sum of terms as an array with the axes of target and source."""
        parts = []
        for term in terms:
            layout = term.target + term.axes
            if batch:
                layout = (term.axes[0], *term.target, *term.axes[1:])
            parts.append(self.multiplied(term.factors, layout))
        at = self.b.total(parts)
        dtype = self.b.dtypes[source]
        return at if self.b.dtypes[at] == dtype else self.b.append(Cast(dtype.name), at)
