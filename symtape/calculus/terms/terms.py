"""Terms of a Jacobian: products of factors with places for the axes of target and step.

A term is the array Σ number · factors over all indices, in which the axes of the target and those
of the step stand at affine places (`Form`) of the indices. An index that both have is a delta, or
with other offsets and strides the band of a slice or the blocks of a reshape. It costs nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from math import prod
from typing import NamedTuple

from symtape.calculus.terms.association import Factor, Indices, Sizes, multiply_out
from symtape.program.kinds.placement import Assemble, Form, Placement
from symtape.program.kinds.structural import Embed, Range, Reshape, Slice
from symtape.program.operations import DType
from symtape.program.program import Builder

Forms = tuple[Form, ...]


class Term(NamedTuple):
    """A product of factors; `target` and `axes` are the places of the axes of target and step."""

    target: Forms
    axes: Forms
    factors: tuple[Factor, ...] = ()
    number: Fraction = Fraction(1)

    @property
    def forms(self) -> Forms:
        """The places of all axes of the result."""
        return self.target + self.axes

    @property
    def used(self) -> set[int]:
        """The indices that some factor has."""
        return {i for _, indices in self.factors for i in indices}

    @property
    def placed(self) -> list[int]:
        """The indices that some axis has, in order."""
        return list(dict.fromkeys(i for form in self.forms for i in form.indices))

    def times(self, number: Fraction, *factors: Factor) -> Term:
        """Multiply by a number and further factors."""
        return self._replace(factors=(*self.factors, *factors), number=self.number * number)

    def put(self, index: int, form: Form) -> Term:
        """Put a form in the place of an index in all places; factors are not looked at."""
        swap = [f.put(index, form) for f in self.forms]
        split = len(self.target)
        return self._replace(target=tuple(swap[:split]), axes=tuple(swap[split:]))

    def renamed(self, old: int, new: int) -> Term:
        """Make two indices one."""
        factors = tuple(
            [(p, tuple([new if i == old else i for i in indices])) for p, indices in self.factors]
        )
        return self.put(old, Form.of(new))._replace(factors=factors)

    def pattern(self, sizes: Sizes) -> tuple[Placement, int]:
        """How target and axes share indices, whatever the indices are called."""
        placement, _ = Placement.of(self.forms, sizes)
        return placement, len(self.target)


def is_plain(form: Form, size: int, sizes: Sizes) -> bool:
    """Say whether a form is one index that runs along the whole axis."""
    if size == 1:
        return not form.parts
    return form.offset == 0 and [s for s, _ in form.parts] == [1] and sizes[form.indices[0]] == size


def as_range(form: Form, sizes: Sizes) -> Range | None:
    """Give the first place, step and count if the places of a form are evenly spaced, in order."""
    if not form.parts:
        return form.offset, 1, 1
    step, count = 0, 1
    for stride, index in reversed(form.parts):
        if count > 1 and stride != step * count:
            return None
        step = stride if count == 1 else step
        count *= sizes[index]
    return (form.offset, step, count) if step else None


def taken(
    b: Builder, at: int, forms: Sequence[Form], sizes: Sizes, units: Iterable[int]
) -> Factor | None:
    """Take the elements of an array at some places: a factor with the indices of the places.

    Axes of size one have the indices in `units`. None where places of two indices interlock.
    """
    forms = list(forms)
    for axis in reversed(range(len(forms))):
        if b.shapes[at][axis] != 1 and as_range(forms[axis], sizes) is None:
            found = _unfolded(b, at, axis, forms[axis], sizes)
            if found is None:
                return None
            at, inner = found
            forms[axis : axis + 1] = inner
    shape = b.shapes[at]
    unit = iter(units)
    ranges: list[Range] = []
    new: list[int] = []
    indices: list[int] = []
    for form, size in zip(forms, shape, strict=True):
        ranges.append((0, 1, 1) if size == 1 else as_range(form, sizes) or (0, 1, 1))
        own = list(form.indices) if size != 1 else []
        new += [sizes[i] for i in own] or ([1] if size == 1 else [])
        indices += own or ([next(unit)] if size == 1 else [])
    at = sliced(b, at, ranges)
    if b.shapes[at] != tuple(new):
        at = b.append(Reshape.between(b.shapes[at], tuple(new)), at)
    return at, tuple(indices)


def _unfolded(
    b: Builder, at: int, axis: int, form: Form, sizes: Sizes
) -> tuple[int, list[Form]] | None:
    """Give an axis whose places have gaps an axis for each index: rows as long as its stride."""
    parts = sorted(form.parts, key=lambda part: -abs(part[0]))
    offset = form.offset + sum(s * (sizes[i] - 1) for s, i in parts if s < 0)
    for k, (stride, i) in enumerate(parts):
        step, count, shape = abs(stride), sizes[i], b.shapes[at]
        if sum(abs(s) * (sizes[j] - 1) for s, j in parts[k + 1 :]) >= step:
            return None
        is_last = k == len(parts) - 1
        chosen = (offset, step, count) if is_last else (offset, 1, step * count)
        missing = offset + step * count - shape[axis]
        if not is_last and missing > 0:
            wide = (*shape[:axis], shape[axis] + missing, *shape[axis + 1 :])
            at = b.append(Embed(tuple([(0, 1, n) for n in shape]), wide), at)
        at = sliced(b, at, [chosen if n == axis else (0, 1, m) for n, m in enumerate(b.shapes[at])])
        if stride < 0 and is_last:
            at = _turned(b, at, axis)
        if not is_last:
            rows = (*shape[:axis], count, step, *shape[axis + 1 :])
            at = b.append(Reshape.between(b.shapes[at], rows), at)
            at = _turned(b, at, axis) if stride < 0 else at
        axis, offset = axis + 1, 0
    return at, [Form.of(i) for _, i in parts]


def _turned(b: Builder, at: int, axis: int) -> int:
    """Turn an axis round."""
    shape = b.shapes[at]
    turned = (shape[axis] - 1, -1, shape[axis])
    return sliced(b, at, [turned if n == axis else (0, 1, m) for n, m in enumerate(shape)])


def sliced(b: Builder, at: int, ranges: Sequence[Range]) -> int:
    """Take ranges of all axes; a slice of a slice is one slice, and the whole is no step."""
    operation, *operands = b.steps[at]
    if type(operation) is Slice:
        (at,) = operands
        whole: list[Range] = [(0, 1, n) for n in b.shapes[at][: -operation.depth]]
        inner = [*whole, *operation.ranges] if operation.depth else ranges
        ranges = [
            (first + step * start, step * stride, count)
            for (first, step, _), (start, stride, count) in zip(inner, ranges, strict=True)
        ]
    shape = b.shapes[at]
    if all(r == (0, 1, n) for r, n in zip(ranges, shape, strict=True)):
        return at
    return b.append(Slice.of(ranges, shape), at)


def digits_of(form: Form, radices: Sequence[int], sizes: Sizes) -> list[Form] | None:
    """Write a place in mixed radix: the place along each of the axes that one axis is made of.

    Each part of the form must belong to one digit; None where a part would carry.
    """
    rest = form.offset
    parts = [(s, i) for s, i in form.parts if sizes[i] != 1]
    found: list[Form] = []
    for radix in reversed(radices):
        own = [(s, i) for s, i in parts if abs(s) < radix]
        parts = [(s, i) for s, i in parts if abs(s) >= radix]
        if any(s % radix for s, _ in parts):
            return None
        offset = rest % radix
        low = offset + sum(min(0, s * (sizes[i] - 1)) for s, i in own)
        high = offset + sum(max(0, s * (sizes[i] - 1)) for s, i in own)
        if low < 0 or high >= radix:
            return None
        found.append(Form(offset, tuple(own)))
        rest //= radix
        parts = [(s // radix, i) for s, i in parts]
    return None if parts or rest else found[::-1]


def assembled(
    b: Builder, terms: Sequence[Term], shape: tuple[int, ...], sizes: Sizes, dtype: DType
) -> int:
    """Write a sum of terms as one array, whose axes are those of target and step."""
    made = [
        (multiply_out(b, term.factors, term.placed, sizes, term.number, dtype), term)
        for term in like_terms_added(b, terms, sizes, dtype)
    ]
    return placed_sum(b, made, shape, sizes, dtype)


def placed_sum(
    b: Builder,
    products: Sequence[tuple[Factor, Term]],
    shape: tuple[int, ...],
    sizes: Sizes,
    dtype: DType,
) -> int:
    """Add up products that are multiplied out, each at the places of its term."""
    if not products:
        return b.broadcast(b.constant(0, dtype), shape)
    dense, blocks = [], []
    for (at, order), term in products:
        plain = all(is_plain(f, n, sizes) for f, n in zip(term.forms, shape, strict=True))
        distinct = len(term.placed) == sum(len(f.parts) for f in term.forms)
        if plain and (distinct or len(products) == 1):
            dense.append(_laid_out(b, at, order, term.forms, shape, sizes))
        elif distinct and _is_reshaped(term, order, shape, sizes):
            dense.append(b.append(Reshape(b.shapes[at], shape), at))
        else:
            core = _with_units(b, at, order, term.placed, sizes)
            blocks.append((core, Placement.of(term.forms, sizes)[0]))
    if not blocks:
        return b.total(dense)
    if dense:
        whole = Placement(shape, tuple([Form.of(k) for k in range(len(shape))]))
        blocks.insert(0, (b.total(dense), whole))
    return b.append(Assemble(shape, tuple([p for _, p in blocks])), *[core for core, _ in blocks])


def _is_reshaped(term: Term, order: Indices, shape: tuple[int, ...], sizes: Sizes) -> bool:
    """Say whether a term is its core with axes joined, each axis whole."""
    ranges = [as_range(form, sizes) for form in term.forms]
    return [i for i in order if sizes[i] != 1] == term.placed and ranges == [
        (0, 1, n) for n in shape
    ]


def _laid_out(
    b: Builder, at: int, order: Sequence[int], forms: Forms, shape: tuple[int, ...], sizes: Sizes
) -> int:
    """Repeat a core along the axes that it lacks, and put it on diagonals."""
    layout = []
    units = iter([i for i in order if sizes[i] == 1])  # axes of size one that the core has already
    for k, form in enumerate(forms):
        layout.append(form.indices[0] if form.parts else next(units, -1 - k))
    return b.einsum([order], layout, [at], dict(zip(layout, shape, strict=True)))


def _with_units(
    b: Builder, at: int, order: Sequence[int], placed: Sequence[int], sizes: Sizes
) -> int:
    """Give a core an axis of size one for each index that it lacks."""
    shape = tuple([sizes[i] if i in order else 1 for i in placed])
    first = 0
    while first < len(shape) and placed[first] not in order:
        first += 1
    return at if b.shapes[at] == shape[first:] else b.append(Reshape(b.shapes[at], shape), at)


def like_terms_added(b: Builder, terms: Sequence[Term], sizes: Sizes, dtype: DType) -> list[Term]:
    """Add up the terms of each pattern; a number that they share stays in front of the sum."""
    groups: dict[tuple[Placement, int], list[Term]] = {}
    for term in terms:
        groups.setdefault(term.pattern(sizes), []).append(term)
    return [
        group[0] if len(group) == 1 else total(b, group, sizes, dtype) for group in groups.values()
    ]


def total(b: Builder, terms: Sequence[Term], sizes: Sizes, dtype: DType) -> Term:
    """Add terms of one pattern up to one with a single factor."""
    first = terms[0]
    same = len({abs(t.number) for t in terms}) == 1 and first.number != 0
    shared = first.number if same else Fraction(1)
    placed = first.placed
    parts = []
    for term in terms:
        number = term.number / shared
        at, order = multiply_out(b, term.factors, term.placed, sizes, number, dtype)
        names = dict(zip(term.placed, placed, strict=True))
        parts.append((at, [names[i] for i in order]))
    used = {i for _, order in parts for i in order}
    kept = [i for i in placed if i in used]
    cores = [_with_units(b, at, order, kept, sizes) for at, order in parts]
    return Term(first.target, first.axes, ((b.total(cores), tuple(kept)),), shared)


def volume(indices: Iterable[int], sizes: Mapping[int, int]) -> int:
    """Count the elements of an array with some indices."""
    return prod(sizes[i] for i in set(indices))
