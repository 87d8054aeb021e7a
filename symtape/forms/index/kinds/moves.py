"""Index notation of what moves elements: an entry of an operand, at a place that is solved for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import sympy as sp

from symtape.forms.index.places import aligned, digits, divided, reaches
from symtape.forms.index.sums import summed
from symtape.program.kinds.placement import Assemble, Form, Placement, View
from symtape.program.kinds.structural import (
    Concat,
    Embed,
    Gather,
    Reshape,
    Scatter,
    Slice,
)
from symtape.program.kinds.windows import Windows
from symtape.program.operations import Operation

Indices = tuple[Any, ...]


def _reshape(w: Any, op: Reshape, operands: list[int], _: int, at: Indices) -> Any:
    if 0 in op.old:
        return sp.S.Zero  # there is no entry, and a sum over none is zero
    lead = len(at) - len(op.new)
    inner: list[Any] = []
    places = iter(at[lead:])
    for old, new in aligned(op.old, op.new):
        flat = sp.S.Zero
        for n in new:
            flat = flat * n + next(places)
        inner += digits(flat, old, w.sizes)
    return w.entry(operands[0], (*at[:lead], *inner))


def _view(w: Any, op: View, operands: list[int], _: int, at: Indices) -> Any:
    counts, forms = op.read(w.shape(operands[0]))
    lead = len(at) - len(counts)
    return w.entry(operands[0], (*at[:lead], *[form.at(at[lead:]) for form in forms]))


def _embed(w: Any, op: Embed, operands: list[int], _: int, at: Indices) -> Any:
    lead = len(at) - len(op.ranges)
    inner: list[Any] = []
    conditions: list[Any] = []
    for i, (first, step, count), n in zip(at[lead:], op.ranges, op.sizes, strict=True):
        if count == 0:
            return sp.S.Zero
        if count == 1:
            inner.append(sp.S.Zero)
            conditions.append(sp.Eq(i, first) if n != 1 else sp.true)
        else:
            inner.append((i - first) / step)
            low, high = sorted((first, first + step * (count - 1)))
            conditions += [
                i >= low if low > 0 else sp.true,
                i <= high if high < n - 1 else sp.true,
            ]
            conditions += [sp.Eq(sp.Mod(i - first, abs(step)), 0)] if abs(step) != 1 else []
    condition = sp.And(*conditions)
    if condition is sp.false:
        return sp.S.Zero
    value = w.entry(operands[0], at[:lead] + tuple(inner))
    return sp.Piecewise((value, condition), (0, True))


def _gather(w: Any, op: Gather, operands: list[int], _: int, at: Indices) -> Any:
    x, indices = operands
    axis = len(w.shape(x)) - 1 - op.after
    own = len(w.shape(indices)) - op.batch
    first = axis - op.between - op.batch
    chosen = w.entry(indices, at[first : first + op.batch] + at[axis : axis + own])
    return w.entry(x, (*at[:axis], chosen, *at[axis + own :]))


def _scatter(w: Any, op: Scatter, operands: list[int], p: int, at: Indices) -> Any:
    updates, indices = operands
    axis = len(w.shape(p)) - 1 - op.after
    own_shape = w.shape(indices)[op.batch :]
    first = axis - op.between - op.batch
    own = tuple(w.dummy(n) if n != 1 else sp.S.Zero for n in own_shape)
    chosen = w.entry(indices, at[first : first + op.batch] + own)
    value = w.entry(updates, (*at[:axis], *own, *at[axis + 1 :]))
    bounds = [(k, 0, n - 1) for k, n in zip(own, own_shape, strict=True) if n != 1]
    return summed(sp.KroneckerDelta(chosen, at[axis]) * value, bounds)


def _assemble(w: Any, op: Assemble, operands: list[int], _: int, at: Indices) -> Any:
    """Add up what each block has at the place: solve the places for the indices of the block."""
    terms = []
    for p, placement in zip(operands, op.placements, strict=True):
        if 0 in placement.counts:
            continue
        solved = _Solved(w, placement)
        solved.all(at, op.shape)
        inner = tuple(solved.known[k] for k in range(len(placement.counts)))
        value = sp.Mul(*solved.deltas) * w.broadcast(p, inner)
        held = sp.Piecewise((value, sp.And(*solved.conditions)), (0, True))
        terms.append(summed(held, solved.bounds))
    return sp.Add(*terms)


class _Solved:
    """The indices of a block at a place, where it stands there, and what ties shared indices."""

    def __init__(self, w: Any, placement: Placement) -> None:
        self.writer, self.placement, self.counts = w, placement, placement.counts
        self.known: dict[int, Any] = {}
        self.conditions: list[Any] = []
        self.deltas: list[Any] = []
        self.bounds: list[Any] = []

    def all(self, at: Indices, shape: tuple[int, ...]) -> None:
        """Solve axis by axis, and first those with one index, which others may share."""
        axes = zip(self.placement.forms, at, shape, strict=True)
        for form, i, n in sorted(axes, key=lambda axis: len(axis[0].parts)):
            self.axis(form, i, n)

    def axis(self, form: Form, i: Any, n: int) -> None:
        """Solve offset + Σ stride · index = i for the indices that no other axis has told."""
        rest = i - form.offset
        if not form.parts:
            self.conditions += [sp.Eq(i, form.offset)] if n != 1 else []
        elif len(form.parts) > 1:
            self.digits(*self.reduced(form, rest))
        elif form.parts == Form.of(k := form.indices[0]).parts:
            self.tell(k, rest, bounded=bool(form.offset) or self.counts[k] != n)
        else:
            self.digits(form.parts, rest)

    def reduced(self, form: Form, rest: Any) -> tuple[tuple[tuple[int, int], ...], Any]:
        """Leave indices whose strides are digits; take the others away from the place.

        Two values of i₀ + i₁ may be one place: what no other axis tells is summed over then.
        """
        parts = [part for part in form.parts if self.counts[part[1]] > 1]
        ones = [k for k in form.indices if self.counts[k] == 1]
        self.known |= dict.fromkeys(ones, sp.S.Zero)
        parts.sort(key=lambda part: (abs(part[0]), -self.counts[part[1]]))
        if self.misfit(parts) is not None:
            rest -= sum(s * self.known[k] for s, k in parts if k in self.known)
            parts = [(s, k) for s, k in parts if k not in self.known]
        while (misfit := self.misfit(parts)) is not None:
            stride, k = parts.pop(misfit)
            self.known[k] = dummy = self.writer.dummy(self.counts[k])
            self.bounds.append((dummy, 0, self.counts[k] - 1))
            rest -= stride * dummy
        if not parts:
            self.deltas.append(sp.KroneckerDelta(rest, 0))
        return tuple(parts[::-1]), rest

    def misfit(self, parts: list[tuple[int, int]]) -> int | None:
        """Find the first stride that the digits before it, smaller ones, can exceed."""
        largest = 0
        for place, (stride, k) in enumerate(parts):
            if abs(stride) <= largest:
                return place
            largest += abs(stride) * (self.counts[k] - 1)
        return None

    def digits(self, parts: tuple[tuple[int, int], ...], rest: Any) -> None:
        """Read the indices off as digits, the largest stride first; one that falls counts down."""
        rest += sum(-s * (self.counts[k] - 1) for s, k in parts if s < 0)
        for stride, k in parts:
            value, left = divided(rest, abs(stride), self.writer.sizes)
            if (stride, k) == parts[-1] and left != 0:
                value = rest / abs(stride)
                self.conditions.append(sp.Eq(left, 0))
            rest = left
            self.tell(k, value if stride > 0 else self.counts[k] - 1 - value, bounded=True)

    def tell(self, k: int, value: Any, bounded: bool) -> None:
        """Set an index, or say that it has two values, of which each may have to be one."""
        if k in self.known:
            self.deltas.append(sp.KroneckerDelta(self.known[k], value))
            return
        self.known[k] = value
        if bounded:
            self.conditions.append(reaches(value, self.counts[k], self.writer.sizes))


def _concat(w: Any, op: Concat, operands: list[int], _: int, at: Indices) -> Any:
    axis = len(at) + op.axis
    first, cases = 0, []
    for p in operands:
        n = w.shape(p)[axis]
        if n:
            place = sp.S.Zero if n == 1 else at[axis] - first
            value = w.entry(p, (*at[:axis], place, *at[axis + 1 :]))
            cases.append((value, at[axis] < first + n))
        first += n
    if not cases:  # of nothing but empty parts
        return sp.S.Zero
    cases[-1] = (cases[-1][0], True)
    return sp.Piecewise(*cases)


RULES: dict[type[Operation], Callable[..., Any]] = {
    Reshape: _reshape,
    Slice: _view,
    Windows: _view,
    Embed: _embed,
    Gather: _gather,
    Scatter: _scatter,
    Assemble: _assemble,
    Concat: _concat,
}
