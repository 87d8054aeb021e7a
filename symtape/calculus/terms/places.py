"""Moving terms through selections: slices, reshapes and their like change places, not values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import ceil, floor, gcd, prod

from symtape.calculus.terms.terms import Forms, Term, digits_of, is_plain, sliced
from symtape.program.kinds.placement import Form
from symtape.program.kinds.structural import Range, Reshape
from symtape.program.program import Builder


class Places:
    """Makes indices and remembers their sizes, and rewrites terms in a program that grows."""

    def __init__(self, b: Builder) -> None:
        self.b = b
        self.sizes: dict[int, int] = {}

    def fresh(self, size: int) -> int:
        """Make a new index."""
        index = len(self.sizes)
        self.sizes[index] = size
        return index

    def fresh_forms(self, shape: Sequence[int]) -> Forms:
        """Make a new index for each axis that has more than one place."""
        return tuple([Form.of(self.fresh(n)) if n != 1 else Form() for n in shape])

    def units(self) -> Iterator[int]:
        """Make indices of size one, for the axes that say nothing."""
        while True:
            yield self.fresh(1)

    def is_plain(self, form: Form, size: int) -> bool:
        """Say whether a form is one index that runs along the whole axis."""
        return is_plain(form, size, self.sizes)

    def restricted(
        self, term: Term, ranges: Sequence[Range], shape: Sequence[int]
    ) -> list[Term] | None:
        """Keep the places of the last axes that lie in ranges, and count them from there."""
        for k, chosen in enumerate(reversed(ranges), 1):
            if chosen == (0, 1, shape[-k]):
                continue
            form = term.axes[-k]
            if len(form.parts) > 1:
                found = self._at_one_place(term, k, chosen)
                if not found:
                    return found
                (term,) = found
                continue
            count = self.sizes[form.indices[0]] if form.parts else 1
            stride = form.parts[0][0] if form.parts else 1
            common = intersection((form.offset, stride, count), chosen)
            if common is None:
                return []
            (first, step, count), inner = common
            left = Form.of(self.fresh(count)) if count != 1 else Form()
            if form.parts:
                places = left.scaled(first, step)
                term = self.narrowed(term, form.indices[0], (first, step, count), places)
            axes = list(term.axes)
            axes[-k] = left.scaled(*inner)
            term = term._replace(axes=tuple(axes))
        return [term]

    def _at_one_place(self, term: Term, k: int, chosen: Range) -> list[Term] | None:
        """Keep one place of an axis, the k-th last, that several indices count like digits.

        None where more are kept, or where a place may be counted in two ways.
        """
        form = term.axes[-k]
        first, _, count = chosen
        if count != 1 or len({*form.indices}) < len(form.parts):
            return None
        digits = sorted([(abs(stride), stride < 0, i) for stride, i in form.parts])
        last = [(self.sizes[i] - 1) * stride for stride, i in form.parts]
        rest = first - form.offset - sum(min(0, end) for end in last)
        span = 1  # of the digits that are left
        for stride, _, index in digits:
            if stride < span:
                return None
            span += stride * (self.sizes[index] - 1)
        for stride, is_downwards, index in reversed(digits):
            highest = self.sizes[index] - 1
            digit = min(max(rest // stride, 0), highest)
            rest -= stride * digit
            at = highest - digit if is_downwards else digit
            term = self.narrowed(term, index, (at, 1, 1), Form(at))
        axes = list(term.axes)
        axes[-k] = Form()
        return [] if rest else [term._replace(axes=tuple(axes))]

    def moved(self, term: Term, axes: Forms) -> Term:
        """Move to new axes; an index that is left in no place is summed over: its size counts."""
        before = set(term.placed)
        found = term._replace(axes=axes)
        lost = before - found.used.union(found.placed)
        return found.times(Fraction(prod(self.sizes[i] for i in lost)))

    def narrowed(self, term: Term, index: int, chosen: Range, places: Form) -> Term:
        """Let an index run over some of its values only, which are at `places` of a new one."""
        new = places.indices[0] if places.parts else self.fresh(1)
        factors = []
        for at, indices in term.factors:
            if index in indices:
                shape = self.b.shapes[at]
                whole: list[Range] = [(0, 1, n) for n in shape]
                ranges = [chosen if i == index else r for i, r in zip(indices, whole, strict=True)]
                at = sliced(self.b, at, ranges)  # noqa: PLW2901 - step by step
            factors.append((at, tuple([new if i == index else i for i in indices])))
        return term.put(index, places)._replace(factors=tuple(factors))

    def reshaped(self, term: Term, new: Sequence[int], old: Sequence[int]) -> Term | None:
        """Write the places along last axes of sizes `new` as places along axes of sizes `old`.

        None where they have no affine form.
        """
        if 0 in old:
            return None
        lead = len(term.axes) - len(new)
        axes: list[Form] = list(term.axes[:lead])
        for after, before in blocks(old, new):
            flat, stride = Form(), 1
            own = term.axes[lead : lead + len(before)]
            for form, n in zip(reversed(own), reversed(before), strict=True):
                flat = form.scaled(0, stride).plus(flat)
                stride *= n
            lead += len(before)
            # splitting an index renames it in the axes that are still to come, too
            term, flat, made = self.split(term, flat, after)
            axes = [_with_splits(form, made) for form in axes]
            found = digits_of(flat, after, self.sizes)
            if found is None:
                return None
            axes += found
        return term._replace(axes=tuple(axes))

    def split(
        self, term: Term, flat: Form, radices: Sequence[int]
    ) -> tuple[Term, Form, list[tuple[int, Form]]]:
        """Split indices in two, so that each belongs to one of the axes of some sizes."""
        made = []
        base = 1
        for radix in reversed(radices[1:]):
            base *= radix
            for stride, index in flat.parts:
                count = self.sizes[index]
                inner = base // stride if stride > 0 and base % stride == 0 else 0
                if 1 < inner < count and count % inner == 0:
                    high, low = self.fresh(count // inner), self.fresh(inner)
                    places = Form(0, ((inner, high), (1, low)))
                    term = self.halved(term, index, high, low).put(index, places)
                    flat = flat.put(index, places)
                    made.append((index, places))
        return term, flat, made

    def halved(self, term: Term, index: int, high: int, low: int) -> Term:
        """Write the axes of an index as two axes in the factors."""
        factors = []
        for at, indices in term.factors:
            if index in indices:
                indices = tuple(  # noqa: PLW2901 - step by step
                    [j for i in indices for j in ((high, low) if i == index else (i,))]
                )
                new = tuple([self.sizes[i] for i in indices])
                at = self.b.append(Reshape.between(self.b.shapes[at], new), at)  # noqa: PLW2901 - step by step
            factors.append((at, indices))
        return term._replace(factors=tuple(factors))


def _with_splits(form: Form, made: Sequence[tuple[int, Form]]) -> Form:
    for index, places in made:
        form = form.put(index, places)
    return form


def intersection(places: Range, chosen: Range) -> tuple[Range, tuple[int, int]] | None:
    """Say which of some places lie in a range: which ones, and where they are in the range.

    >>> intersection((0, 1, 10), (1, 2, 3))  # 1, 3 and 5 of 0, 1, …, 9
    ((1, 2, 3), (0, 1))
    """
    offset, stride, count = places
    start, step, length = chosen
    if not count or not length:
        return None
    period = abs(step) // gcd(stride, step)
    first = next((k for k in range(period) if (offset + stride * k - start) % step == 0), None)
    if first is None:
        return None
    at = (offset + stride * first - start) // step
    move = stride * period // step
    low, high = 0, (count - 1 - first) // period
    bounds = sorted([(0 - at) / move, (length - 1 - at) / move])
    low, high = max(low, ceil(bounds[0])), min(high, floor(bounds[1]))
    if low > high:
        return None
    kept = (first + period * low, period, high - low + 1)
    return kept, (at + move * low, move)


def blocks(
    old: Sequence[int], new: Sequence[int]
) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Pair the shortest runs of axes that hold the same elements.

    >>> list(blocks((2, 3, 4), (6, 2, 2)))
    [((2, 3), (6,)), ((4,), (2, 2))]
    """
    i = j = 0
    while i < len(old) or j < len(new):
        a, b = i, j
        left = right = 1
        while left != right or (i, j) == (a, b):
            if i < len(old) and (left <= right or j == len(new)):
                left, i = left * old[i], i + 1
            else:
                right, j = right * new[j], j + 1
        yield tuple(old[a:i]), tuple(new[b:j])
