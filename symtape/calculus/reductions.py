"""Reverse rules of products, recurrences and extrema along axes, without a division by elements."""

from __future__ import annotations

from collections.abc import Callable
from math import prod

from symtape.calculus.broadcasting import keep_axes, unbroadcast
from symtape.calculus.slopes import Pull, Pulled, conjugate
from symtape.program import kinds
from symtape.program import operations as ops
from symtape.program.kinds.structural import WHOLE, Range
from symtape.program.operations import Operation, dtype_name
from symtape.program.program import Builder


def shift(b: Builder, x: int, axis: int, by: int) -> int:
    """Move elements along an axis by one place, up (1) or down (-1), with a zero coming in."""
    shape = b.shapes[x]
    last = shape[len(shape) + axis :]
    if last[0] == 0:
        return x
    whole: list[Range] = [(0, 1, n) for n in last[1:]]
    source, target = ((0, 1) if by > 0 else (1, 0)), last[0] - 1
    ends = (WHOLE,) * len(last)
    part = b.append(kinds.Slice(((source[0], 1, target), *whole), ends), x)
    return b.append(kinds.Embed(((source[1], 1, target), *whole), last, ends), part)


def pull_cumprod(b: Builder, s: Pull[kinds.Cumprod]) -> Pulled:
    """x̄ᵢ = (∏_{j<i} xⱼ) rᵢ with rᵢ = gᵢ + xᵢ₊₁ rᵢ₊₁: no division, so zeros do no harm."""
    axis, reverse = s.operation.axis, s.operation.reverse
    towards = 1 if reverse else -1
    g = s.full(b)
    before = b.append(kinds.Cumprod(axis, True, reverse), s.operands[0])
    follow = shift(b, s.operands[0], axis, towards)
    start = shift(b, g, axis, towards) if s.operation.exclusive else g
    rest = b.append(kinds.Recurrence(axis, not reverse), conjugate(b, follow), start)
    yield 0, b.multiply(conjugate(b, before), rest)


def pull_recurrence(b: Builder, s: Pull[kinds.Recurrence]) -> Pulled:
    """For y = b + a·shifted(y): b̄ is the recurrence run back over g, āᵢ = b̄ᵢ yᵢ₋₁."""
    axis, reverse = s.operation.axis, s.operation.reverse
    follow = shift(b, s.operands[0], axis, 1 if reverse else -1)
    back = kinds.Recurrence(axis, not reverse)
    start = b.append(back, conjugate(b, follow), s.full(b))
    if 0 in s.wanted:
        previous = shift(b, s.out, axis, -1 if reverse else 1)
        product = b.multiply(start, conjugate(b, previous))
        yield 0, unbroadcast(b, product, b.shapes[s.out], b.shapes[s.operands[0]], s.out)
    if 1 in s.wanted:
        yield 1, unbroadcast(b, start, b.shapes[s.out], b.shapes[s.operands[1]], s.out)


def pull_cumextremum(b: Builder, s: Pull[kinds.Cumextremum]) -> Pulled:
    """The last element that is the extremum so far receives g, up to the next one that is."""
    axis, reverse = s.operation.axis, s.operation.reverse
    dtype = b.dtypes[s.out]
    is_new = b.append(kinds.Cast(dtype_name(dtype)), b.append(ops.equal, s.operands[0], s.out))
    goes_on = b.append(ops.subtract, b.constant(1, dtype), is_new)
    follow = shift(b, goes_on, axis, 1 if reverse else -1)
    total = b.append(kinds.Recurrence(axis, not reverse), follow, s.full(b))
    yield 0, b.multiply(total, is_new)


def pull_extremum(b: Builder, s: Pull[kinds.Extremum]) -> Pulled:
    """The elements that attain the extremum share g equally, as in TensorFlow."""
    x, axes = s.operands[0], s.operation.axes
    rank = len(b.shapes[x])
    attained = b.append(ops.equal, x, keep_axes(b, s.out, axes, rank))
    mask = b.append(kinds.Cast(dtype_name(b.dtypes[x])), attained)
    indices = list(range(-rank, 0))
    sizes = {100 + axis: 1 for axis in axes}
    kept = [100 + axis if axis in axes else axis for axis in indices]
    count = b.einsum([indices], kept, [mask], sizes)
    share = b.divide(keep_axes(b, s.g, axes, rank), count)
    yield 0, b.multiply(share, mask)


def pull_segment_extremum(b: Builder, s: Pull[kinds.SegmentExtremum]) -> Pulled:
    """The rows of a segment that attain its extremum share g equally, element by element."""
    x, numbers = s.operands
    to_rows = kinds.Gather(s.operation.after, 0, 0)
    attained = b.append(ops.equal, x, b.append(to_rows, s.out, numbers))
    mask = b.append(kinds.Cast(dtype_name(b.dtypes[x])), attained)
    count = b.append(kinds.Scatter(s.operation.after, 0, 0, s.operation.count), mask, numbers)
    own = b.append(to_rows, s.full(b), numbers)
    yield 0, b.multiply(b.divide(own, b.append(to_rows, count, numbers)), mask)


def pull_product(b: Builder, s: Pull[kinds.Product]) -> Pulled:
    """Each factor receives g times the product of the others: no division, so zeros do no harm."""
    x, axes = s.operands[0], s.operation.axes
    shape = b.shapes[x]
    rank = len(shape)
    kept = [axis for axis in range(-rank, 0) if axis not in axes]
    order = [*kept, *axes]
    last = b.einsum([list(range(-rank, 0))], order, [x])
    old = tuple(shape[axis] for axis in axes)
    length = prod(old)
    line = b.append(kinds.Reshape(old, (length,)), last)
    before = b.append(kinds.Cumprod(-1, True, False), line)
    after = b.append(kinds.Cumprod(-1, True, True), line)
    others = b.append(kinds.Reshape((length,), old), b.multiply(before, after))
    others = b.einsum([order], list(range(-rank, 0)), [others])
    yield 0, b.multiply(keep_axes(b, s.g, axes, rank), conjugate(b, others))


RULES: dict[type[Operation], Callable[..., Pulled]] = {
    kinds.Cumprod: pull_cumprod,
    kinds.Cumextremum: pull_cumextremum,
    kinds.Recurrence: pull_recurrence,
    kinds.Extremum: pull_extremum,
    kinds.SegmentExtremum: pull_segment_extremum,
    kinds.Product: pull_product,
}
