"""Jacobians: a reverse sweep that starts from Kronecker deltas and keeps them.

The cotangent of a step is a sum of terms (`calculus/terms.py`): products of factors, with a place
for each axis of the target and of the step. An index that target and step share is a delta. It
passes through everything that is elementwise, a contraction or a regular selection of elements
without being multiplied out: so the Jacobian of an elementwise function stays a diagonal, that of
a difference scheme its bands. Operations that a delta cannot pass see the other indices as a batch.

After Laue, Mitterreiter, Giesen: A simple and efficient tensor calculus, AAAI 2020.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from math import prod

from symtape.calculus.along import band_of_ones, through_axis
from symtape.calculus.association import Indices, exact_fraction, multiply_out
from symtape.calculus.derive import Derived, connected, gradient
from symtape.calculus.places import Places
from symtape.calculus.pullback import pullback
from symtape.calculus.slopes import COMPLEX, conjugate, slope_position, slopes
from symtape.calculus.terms import (
    Form,
    Forms,
    Term,
    assembled,
    taken,
    total,
    volume,
)
from symtape.program import operations as ops
from symtape.program.matrices import Band
from symtape.program.operations import AddN, Cast, DType, Einsum, Map, Operation
from symtape.program.placement import Assemble, Placement
from symtape.program.program import Builder, Program
from symtape.program.structural import (
    Concat,
    Cumsum,
    Embed,
    Gather,
    Reshape,
    Scatter,
    Slice,
    Structural,
)

_KEPT_APART = 4
_LONGEST = 8
"""How many factors a term may have before they are multiplied out."""

Part = tuple[int, Term]
"""What an operand, by its number, receives."""


def jacobian(
    program: Program, target: int, sources: Sequence[Sequence[int]], *, batch: bool = False
) -> Derived:
    """Derive the Jacobian of a target with respect to each source, of shape target + source.

    With `batch`, the first axis of target and source is a batch: the derivative of the sum over the
    batch of the target, of shape (batch, rest of target, rest of source).
    """
    shapes = program.shapes
    if not shapes[target] and not any([shapes[p] for group in sources for p in group]):
        return gradient(program, [target], sources)  # of scalars by scalars: there are no axes
    return _Sweep(program, target, sources).run(batch=batch)


class _Sweep(Places):
    def __init__(self, program: Program, target: int, sources: Sequence[Sequence[int]]) -> None:
        super().__init__(Builder(program))
        self.program = program
        self.target = target
        self.sources = sources
        self.wanted = {p for group in sources for p in group}
        self.needed = connected(program, [target], self.wanted)
        self.received: dict[int, list[Term]] = {}

    def run(self, *, batch: bool) -> Derived:
        if self.needed[self.target]:
            axes = self.fresh_forms(self.program.shapes[self.target])
            self.received[self.target] = [Term(axes[1:] if batch else axes, axes)]
        found: dict[int, list[Term]] = {}
        for p in range(self.target, -1, -1):
            terms = self.received.pop(p, None)
            if terms is None:
                continue
            terms = self.merged(p, terms)
            if p in self.wanted:
                found[p] = terms
            for term in terms:
                self.pass_on(p, term)
        outputs = []
        for group in self.sources:
            own = [p for p in group if self.needed[p]]
            parts = [self.assembled(p, found.get(p, []), batch=batch) for p in own]
            outputs.append(self.b.total(parts) if parts else None)
        return Derived(self.b.finish(), tuple(outputs))

    def assembled(self, source: int, terms: Sequence[Term], *, batch: bool) -> int:
        """Write the sum of terms as an array with the axes of target and source."""
        if batch:
            terms = [t._replace(target=(t.axes[0], *t.target), axes=t.axes[1:]) for t in terms]
        own, of = self.program.shapes[self.target], self.program.shapes[source]
        shape = (*of[:1], *own[1:], *of[1:]) if batch else own + of
        dtype = self.b.dtypes[source]
        return assembled(self.b, terms, shape, self.sizes, dtype)

    # --- passing terms on ------------------------------------------------------------------------

    def pass_on(self, p: int, term: Term) -> None:
        operation, *operands = self.program.steps[p]
        wanted = [k for k, i in enumerate(operands) if self.needed[i] and operation.connects(k)]
        if not wanted:
            return
        rule = THROUGH.get(type(operation))
        parts = rule(self, p, operation, operands, term, wanted) if rule else None
        if parts is None:
            parts = list(self.through_any(p, operation, operands, term, wanted))
        for k, part in parts:
            self.received.setdefault(operands[k], []).append(part)

    def factor(self, term: Term, at: int, shape: Sequence[int]) -> Term | None:
        """Multiply by a value that broadcasts to a step, at the places of the step."""
        lead = len(shape) - len(self.b.shapes[at])
        found = taken(self.b, at, term.axes[lead:], self.sizes, self.units())
        return None if found is None else term.times(Fraction(1), found)

    def through_map(
        self, p: int, operation: Map, operands: list[int], term: Term, wanted: list[int]
    ) -> list[Part] | None:
        """Append the slope as a factor."""
        dtypes = [self.b.dtypes[i] for i in (p, *operands)]
        if operation in COMPLEX and any(d.kind == "c" for d in dtypes):
            return None
        parts = []
        for k in wanted:
            own = self.times_slope(p, operation, operands, term, k)
            if own is None:
                return None
            parts.append((k, self.through_broadcast(p, own, operands[k])))
        return parts

    def times_slope(
        self, p: int, operation: Map, operands: list[int], term: Term, k: int
    ) -> Term | None:
        slope = slopes(operation)[k]
        number = None if slope.number is None else exact_fraction(slope.number)
        if number is not None:
            return term.times(number)
        if slope.masks is not None:
            one = self.b.constant(1, self.b.dtypes[p])
            at = self.b.append(slope.masks, one, *[operands[i] for i in slope.picks])
        else:
            at = slope_position(self.b, operation, operands, k)
        if operation is ops.sqrt:
            return self.masked(p, term, at)
        return self.factor(term, at, self.program.shapes[p])

    def masked(self, p: int, term: Term, slope: int) -> Term | None:
        """Multiply by a slope that may be infinite, except where the factors so far are zero."""
        shape = self.program.shapes[p]
        plain = all(self.is_plain(f, n) for f, n in zip(term.axes, shape, strict=True))
        indices = [i for form in term.axes for i in form.indices]
        if not plain or len(set(indices)) != len(indices):
            return self.factor(term, slope, shape)
        own = [f for f in term.factors if set(f[1]) <= set(indices)]
        rest = tuple([f for f in term.factors if f not in own])
        dtype = self.b.dtypes[p]
        core, order = multiply_out(self.b, own, indices, self.sizes, term.number, dtype)
        wide = [n if form.parts and form.indices[0] in order else 1
                for form, n in zip(term.axes, shape, strict=True)]  # fmt: skip
        if self.b.shapes[core] != tuple(wide):
            core = self.b.append(Reshape(self.b.shapes[core], tuple(wide)), core)
        product = self.b.append(ops.masked_product, core, slope)
        units = self.units()
        at = tuple([form.indices[0] if form.parts else next(units) for form in term.axes])
        return term._replace(factors=(*rest, (product, at)), number=Fraction(1))

    def through_add(
        self, p: int, _: AddN, operands: list[int], term: Term, wanted: list[int]
    ) -> list[Part]:
        """Every term of a sum receives the cotangent."""
        return [(k, self.through_broadcast(p, term, operands[k])) for k in wanted]

    def through_broadcast(self, p: int, term: Term, operand: int) -> Term:
        """Sum over the axes along which the operand was repeated."""
        shape, have = self.program.shapes[p], self.program.shapes[operand]
        lead = len(shape) - len(have)
        axes = [
            form if n == shape[lead + k] else Form()
            for k, (form, n) in enumerate(zip(term.axes[lead:], have, strict=True))
        ]
        return self.moved(term, tuple(axes))

    def moved(self, term: Term, axes: Forms) -> Term:
        """Move to new axes; an index that is left in no place is summed over: its size counts."""
        before = set(term.placed)
        found = term._replace(axes=axes)
        lost = before - found.used.union(found.placed)
        return found.times(Fraction(prod(self.sizes[i] for i in lost)))

    def through_einsum(
        self, p: int, operation: Einsum, operands: list[int], term: Term, wanted: list[int]
    ) -> list[Part] | None:
        """The other operands become factors; an output index that stands twice joins two."""
        joined = self.joined(operation, term, self.program.shapes[p])
        if joined is None:
            return None
        term, place = joined
        sizes = operation.index_sizes([self.b.shapes[i] for i in operands])
        for i, size in sizes.items():
            if i not in place:
                (place[i],) = self.fresh_forms([size])
        parts = []
        for k in wanted:
            own = self.with_others(operation, operands, term, place, k)
            if own is None:
                return None
            axes = tuple([place[i] for i in operation.inputs[k]])
            parts.append((k, self.moved(own, axes)))
        return parts

    def joined(
        self, operation: Einsum, term: Term, shape: tuple[int, ...]
    ) -> tuple[Term, dict[int, Form]] | None:
        """Find the place of each output index, making the places of a repeated one the same."""
        place: dict[int, Form] = {}
        for n, i in enumerate(operation.output):
            form = term.axes[n]
            if i in place and place[i] != form:
                if not (self.is_plain(place[i], shape[n]) and self.is_plain(form, shape[n])):
                    return None
                (old,), (new,) = form.indices, place[i].indices
                term = term.renamed(old, new)
                place = {key: f.put(old, Form.of(new)) for key, f in place.items()}
            place[i] = term.axes[n]
        return term, place

    def with_others(
        self, operation: Einsum, operands: list[int], term: Term, place: dict[int, Form], k: int
    ) -> Term | None:
        for n, q in enumerate(operands):
            if n != k:
                forms = [place[i] for i in operation.inputs[n]]
                found = taken(self.b, conjugate(self.b, q), forms, self.sizes, self.units())
                if found is None:
                    return None
                term = term.times(Fraction(1), found)
        return term

    # --- selections of elements -------------------------------------------------------------------

    def through_slice(
        self, p: int, operation: Slice, operands: list[int], term: Term, _: list[int]
    ) -> list[Part]:
        """Say where the elements came from."""
        axes = list(term.axes)
        for k, (first, step, _count) in enumerate(reversed(operation.ranges), 1):
            axes[-k] = axes[-k].scaled(first, step)
        return [(0, term._replace(axes=tuple(axes)))]

    def through_embed(
        self, p: int, operation: Embed, operands: list[int], term: Term, _: list[int]
    ) -> list[Part] | None:
        """Keep what stands at the ranges."""
        found = self.restricted(term, operation.ranges, self.program.shapes[p])
        return None if found is None else [(0, t) for t in found]

    def through_concat(
        self, p: int, operation: Concat, operands: list[int], term: Term, wanted: list[int]
    ) -> list[Part] | None:
        """Each operand keeps its own part."""
        shape = self.program.shapes[p]
        axis = len(shape) + operation.axis
        first, parts = 0, []
        for k, operand in enumerate(operands):
            count = self.program.shapes[operand][axis]
            if k in wanted:
                ranges = [(0, 1, n) for n in shape[axis:]]
                ranges[0] = (first, 1, count)
                found = self.restricted(term, ranges, shape)
                if found is None:
                    return None
                parts += [(k, t) for t in found]
            first += count
        return parts

    def through_reshape(
        self, p: int, operation: Reshape, operands: list[int], term: Term, _: list[int]
    ) -> list[Part] | None:
        """Write the places along the new axes as places along the old ones."""
        found = self.reshaped(term, operation.new, operation.old)
        return None if found is None else [(0, found)]

    def through_axis(
        self, p: int, operation: Operation, operands: list[int], term: Term, _: list[int]
    ) -> list[Part] | None:
        """Multiply a delta by the matrix of a map along one axis."""
        found = through_axis(self, operation, operands, term, self.program.shapes[p])
        return None if found is None else [(0, found)]

    def through_band(
        self, p: int, operation: Band, operands: list[int], term: Term, _: list[int]
    ) -> list[Part] | None:
        """Multiply by ones in the band, and zeros outside."""
        shape = self.program.shapes[p]
        at = band_of_ones(self, operation, shape, operands[0])
        found = self.factor(term, at, shape)
        return None if found is None else [(0, found)]

    # --- everything else --------------------------------------------------------------------------

    def through_any(
        self, p: int, operation: Operation, operands: list[int], term: Term, wanted: list[int]
    ) -> Iterator[Part]:
        """Multiply out what the operation touches, and pull it back with the rest as a batch."""
        shape, dtype = self.program.shapes[p], self.b.dtypes[p]
        lead = self.untouched(p, operation, operands, wanted)
        term = self.separated(term, shape, lead, dtype)
        kept = term.axes[:lead]
        first = {i for form in kept for i in form.indices}
        used = term.used
        target = dict.fromkeys(i for form in term.target for i in form.indices)
        batch = [i for i in target if i in used and i not in first]
        axes = [form.indices[0] if form.parts else -1 for form in term.axes]
        layout = [*batch, *axes]
        core, order = multiply_out(self.b, term.factors, layout, self.sizes, term.number, dtype)
        wide = tuple([self.sizes[i] if i in order else 1 for i in layout])
        if self.b.shapes[core] != wide:
            core = self.b.append(Reshape(self.b.shapes[core], wide), core)
        for k, at in pullback(self.b, operation, operands, p, core, wanted):
            own = self.program.shapes[operands[k]]
            forms = kept + self.fresh_forms(own[lead:])
            yield k, Term(term.target, forms, ((at, self.indexed(at, batch, forms)),))

    def indexed(self, at: int, batch: Sequence[int], forms: Forms) -> tuple[int, ...]:
        """Name the axes of a pulled cotangent: the batch, and then those of the operand."""
        have = self.b.shapes[at]
        own = have[len(have) - len(forms) :] if len(have) > len(forms) else have
        indices = [
            form.indices[0] if form.parts and n != 1 else self.fresh(1)
            for form, n in zip(forms[len(forms) - len(own) :], own, strict=True)
        ]
        rest = len(have) - len(own)
        return (*batch[:rest], *indices)

    def untouched(
        self, p: int, operation: Operation, operands: list[int], wanted: list[int]
    ) -> int:
        """Count the first axes that an operation leaves as they are, in all of its operands."""
        shape = self.program.shapes[p]
        lead = len(shape) - self.depth(operation, operands, len(shape))
        own = [self.program.shapes[operands[k]] for k in wanted]
        broadcasts = len(operands) > 1 and type(operation) not in (Gather, Scatter)
        same = all([s[:lead] == shape[:lead] for s in own])
        aligned = not broadcasts or all([len(s) == len(shape) for s in own])
        return lead if same and aligned else 0

    def depth(self, operation: Operation, operands: list[int], rank: int) -> int:
        """Count the last axes of a result that an operation touches."""
        if type(operation) is Gather:
            own = len(self.program.shapes[operands[1]]) - operation.batch
            between = operation.between if operation.batch else 0
            return operation.after + own + between + operation.batch
        if type(operation) is Cast:
            return 0
        return operation.depth if isinstance(operation, Structural) else rank

    def separated(self, term: Term, shape: Sequence[int], lead: int, dtype: DType) -> Term:
        """Give every axis its own index, tied to its place by a matrix of zeros and ones.

        The first `lead` axes may share theirs with the target.
        """
        axes = list(term.axes)
        factors = list(term.factors)
        taken_by: set[int] = set()
        of_target = {i for form in term.target for i in form.indices}
        for k, (form, n) in enumerate(zip(term.axes, shape, strict=True)):
            own = set(form.indices)
            elsewhere = own & taken_by or (k >= lead and own & of_target)
            if elsewhere or not self.is_plain(form, n):
                axes[k] = Form.of(self.fresh(n))
                factors.append(self.selection(form, n, axes[k].indices[0], dtype))
            taken_by |= own
        return term._replace(axes=tuple(axes), factors=tuple(factors))

    def selection(self, form: Form, size: int, index: int, dtype: DType) -> tuple[int, Indices]:
        """Make the matrix that is one where an index is at a place."""
        one = self.b.constant(1, dtype)
        own = list(form.indices)
        if self.is_plain(form, size):
            return self.b.append(Einsum.of([()], [0, 0], {0: size}), one), (own[0], index)
        forms = [*[Form.of(i) for i in own], form]
        placement, _ = Placement.of(forms, self.sizes)
        shape = (*[self.sizes[i] for i in own], size)
        return self.b.append(Assemble(shape, (placement,)), one), (*own, index)

    # --- adding terms up --------------------------------------------------------------------------

    def merged(self, p: int, terms: list[Term]) -> list[Term]:
        """Add up the terms of one pattern, unless that would multiply out a product of low rank."""
        dtype = self.b.dtypes[p]
        groups: dict[tuple[Placement, int], list[Term]] = {}
        for term in terms:
            groups.setdefault(term.pattern(self.sizes), []).append(term)
        found: list[Term] = []
        for group in groups.values():
            if len(group) > 1 and (len(group) > _KEPT_APART or self.is_cheap(group[0])):
                found.append(total(self.b, group, self.sizes, dtype))
            else:
                found += [self.shortened(term, dtype) for term in group]
        return found

    def is_cheap(self, term: Term) -> bool:
        """Say whether a term multiplied out is no larger than the target or the step."""
        axes = volume((i for form in term.axes for i in form.indices), self.sizes)
        target = volume((i for form in term.target for i in form.indices), self.sizes)
        return volume(term.placed, self.sizes) <= max(axes, target, 16)

    def shortened(self, term: Term, dtype: DType) -> Term:
        """Multiply out a long product, so that the chain rule stays linear in its length."""
        if len(term.factors) <= _LONGEST:
            return term
        found = multiply_out(self.b, term.factors, term.placed, self.sizes, Fraction(1), dtype)
        return term._replace(factors=(found,))


Rule = Callable[..., list[Part] | None]

THROUGH: dict[type[Operation], Rule] = {
    Map: _Sweep.through_map,
    AddN: _Sweep.through_add,
    Einsum: _Sweep.through_einsum,
    Slice: _Sweep.through_slice,
    Embed: _Sweep.through_embed,
    Concat: _Sweep.through_concat,
    Reshape: _Sweep.through_reshape,
    Gather: _Sweep.through_axis,
    Scatter: _Sweep.through_axis,
    Cumsum: _Sweep.through_axis,
    Band: _Sweep.through_band,
}
"""How terms pass a kind of step as they are; None where they must be multiplied out first."""
