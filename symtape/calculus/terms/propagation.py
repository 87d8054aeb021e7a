"""How a term passes from a step to its operands, kind by kind, with its deltas where it can."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from fractions import Fraction

from symtape.calculus.broadcasting import counted
from symtape.calculus.slopes import COMPLEX, MASKING, conjugate, slope_position, slopes_of
from symtape.calculus.terms.along import band_of_ones, through_axis
from symtape.calculus.terms.association import exact_fraction, multiply_out
from symtape.calculus.terms.batched import Batched, Part
from symtape.calculus.terms.terms import Term, taken
from symtape.program import kinds
from symtape.program import operations as ops
from symtape.program.kinds.placement import Form
from symtape.program.kinds.structural import Range
from symtape.program.operations import Operation
from symtape.program.program import Program

Ranges = tuple[Range, ...]


def _beginning(ranges: Ranges) -> int:
    """Give the place where an operand begins that follows others along an axis."""
    return ranges[0][0]


class Propagation(Batched):
    """Takes terms back through the steps of a program."""

    def __init__(self, program: Program) -> None:
        super().__init__(program)
        self.ranges: dict[int, list[Ranges]] = {}

    def passed(
        self, p: int, operation: Operation, operands: list[int], term: Term, wanted: list[int]
    ) -> list[Part]:
        """Give what each of the operands in `wanted` receives."""
        rule = THROUGH.get(type(operation))
        parts = rule(self, p, operation, operands, term, wanted) if rule else None
        if parts is None:
            parts = list(self.through_any(p, operation, operands, term, wanted))
        return parts

    def factor(self, term: Term, at: int, shape: Sequence[int]) -> Term | None:
        """Multiply by a value that broadcasts to a step, at the places of the step."""
        lead = len(shape) - len(self.b.shapes[at])
        found = taken(self.b, at, term.axes[lead:], self.sizes, self.units())
        return None if found is None else term.times(Fraction(1), found)

    def through_map(
        self, p: int, operation: kinds.Map, operands: list[int], term: Term, wanted: list[int]
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
        self, p: int, operation: kinds.Map, operands: list[int], term: Term, k: int
    ) -> Term | None:
        """Multiply by the slope with respect to one operand; None where it cannot be a factor."""
        slope = slopes_of(self.b, operation, operands)[k]
        number = None if slope.number is None else exact_fraction(slope.number)
        if number is not None:
            return term.times(number)
        if slope.masks is not None:
            one = self.b.constant(1, self.b.dtypes[p])
            at = self.b.append(slope.masks, one, *[operands[i] for i in slope.picks])
        else:
            at = slope_position(self.b, operation, operands, k)
        if operation in MASKING:
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
            core = self.b.append(kinds.Reshape(self.b.shapes[core], tuple(wide)), core)
        product = self.b.append(ops.masked_product, core, slope)
        units = self.units()
        at = tuple([form.indices[0] if form.parts else next(units) for form in term.axes])
        return term._replace(factors=(*rest, (product, at)), number=Fraction(1))

    def through_add(
        self, p: int, _: kinds.AddN, operands: list[int], term: Term, wanted: list[int]
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
        repeated = [k for k, n in enumerate(shape) if k < lead or have[k - lead] != n]
        return self.moved(self.counted(p, term, repeated), tuple(axes))

    def counted(self, p: int, term: Term, axes: Sequence[int]) -> Term:
        """Count the indices that run along some axes of a step, and stand nowhere else.

        What has this derivative in it may be made again for other sizes, where a number would stay.
        """
        everywhere = [i for form in term.forms for i in form.indices] + [*term.used]
        rank, forms, whole = len(term.axes), list(term.axes), []
        for k in axes:
            form, n = term.axes[k], self.program.shapes[p][k]
            if n != 1 and self.is_plain(form, n) and everywhere.count(form.indices[0]) == 1:
                whole.append(k - rank)
                forms[k] = Form()
        if not whole:
            return term
        count = counted(self.b, p, whole, self.b.dtypes[p])
        return term._replace(axes=tuple(forms)).times(Fraction(1), (count, ()))

    def through_einsum(
        self, p: int, operation: kinds.Einsum, operands: list[int], term: Term, wanted: list[int]
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
        self, operation: kinds.Einsum, term: Term, shape: tuple[int, ...]
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
        self,
        operation: kinds.Einsum,
        operands: list[int],
        term: Term,
        place: dict[int, Form],
        k: int,
    ) -> Term | None:
        """Multiply by the other operands of a contraction; None where one cannot be a factor."""
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
        self, p: int, operation: kinds.Slice, operands: list[int], term: Term, _: list[int]
    ) -> list[Part]:
        """Say where the elements came from."""
        lead = len(term.axes) - operation.depth
        read = operation.read(self.program.shapes[operands[0]]).forms
        own = [form.over(term.axes[lead:]) for form in read]
        return [(0, term._replace(axes=(*term.axes[:lead], *own)))]

    def through_ranges(
        self, p: int, operation: kinds.Assembly, operands: list[int], term: Term, wanted: list[int]
    ) -> list[Part] | None:
        """Each operand keeps what stands at its ranges."""
        if p not in self.ranges:
            placed = operation.placed([self.program.shapes[i] for i in operands])
            self.ranges[p] = [each.ranges for each in placed]
        ranges = self.ranges[p]
        if type(operation) is kinds.Concat:
            wanted = self.near(ranges, term.axes[operation.axis], wanted)
        parts = []
        for k in wanted:
            found = self.restricted(term, ranges[k], self.program.shapes[p])
            if found is None:
                return None
            parts += [(k, t) for t in found]
        return parts

    def near(self, ranges: Sequence[Ranges], form: Form, wanted: list[int]) -> list[int]:
        """Find those of the operands, one after another, that can have places of a form."""
        reach = [stride * (self.sizes[i] - 1) for stride, i in form.parts]
        low, high = (form.offset + sum([f(0, end) for end in reach]) for f in (min, max))
        first = bisect_right(ranges, low, key=_beginning) - 1
        last = bisect_right(ranges, high, key=_beginning)
        return wanted[bisect_left(wanted, first) : bisect_left(wanted, last)]

    def through_reshape(
        self, p: int, operation: kinds.Reshape, operands: list[int], term: Term, _: list[int]
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
        self, p: int, operation: kinds.Band, operands: list[int], term: Term, _: list[int]
    ) -> list[Part] | None:
        """Multiply by ones in the band, and zeros outside."""
        shape = self.program.shapes[p]
        at = band_of_ones(self, operation, shape, operands[0])
        found = self.factor(term, at, shape)
        return None if found is None else [(0, found)]


Rule = Callable[..., list[Part] | None]

THROUGH: dict[type[Operation], Rule] = {
    kinds.Map: Propagation.through_map,
    kinds.AddN: Propagation.through_add,
    kinds.Einsum: Propagation.through_einsum,
    kinds.Slice: Propagation.through_slice,
    kinds.Embed: Propagation.through_ranges,
    kinds.Concat: Propagation.through_ranges,
    kinds.Reshape: Propagation.through_reshape,
    kinds.Gather: Propagation.through_axis,
    kinds.Scatter: Propagation.through_axis,
    kinds.Cumsum: Propagation.through_axis,
    kinds.Fourier: Propagation.through_axis,
    kinds.Band: Propagation.through_band,
}
"""How terms pass a kind of step as they are; None where they must be multiplied out first."""
