"""Reverse rules: how each kind of operation passes its cotangent to its operands.

A cotangent may have any shape that broadcasts to the shape of its step, and more axes before it (a
batch): a sum passes its scalar cotangent on as it is, and a Jacobian's rows go through together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from math import prod
from typing import NamedTuple

import sympy as sp

from symtape.errors import DerivativeError
from symtape.program import operations as ops
from symtape.program.operations import (
    AddN,
    Cast,
    Concat,
    Cumprod,
    Cumsum,
    Einsum,
    Embed,
    Extremum,
    Gather,
    Map,
    Operation,
    Product,
    Range,
    Recurrence,
    Reshape,
    Scatter,
    Shape,
    Slice,
    parameter,
    parameters,
)
from symtape.program.program import Builder

Pulled = Iterator[tuple[int, int]]
"""Pairs of an operand's number and the position of what it receives."""


# --- slopes of elementwise operations: SymPy's diff, once per operation --------------------------


class Slope(NamedTuple):
    """A slope as a step: `operation` of some operands, or one operand itself, or a number."""

    operation: Map | None
    picks: tuple[int, ...]
    number: sp.Number | None = None
    masks: Map | None = None
    """Where the slope has cases: the operation that puts g, its first operand, into the cases."""


@cache
def slopes(operation: Map) -> tuple[Slope, ...]:
    """Differentiate the body in each operand."""
    return tuple(_slope(operation, k) for k in range(operation.arity))


def _slope(operation: Map, k: int) -> Slope:
    body = sp.diff(operation.body, parameter(k))
    if isinstance(body, sp.Piecewise):
        return _piecewise_slope(body, operation)
    return _as_step(body, operation.arity)


def _as_step(body: sp.Basic, arity: int) -> Slope:
    """Write a body as an operation on the operands that it uses."""
    symbols = parameters(arity)
    picks = tuple(k for k, symbol in enumerate(symbols) if symbol in body.free_symbols)
    if not picks:
        return Slope(None, (), body)
    if body in symbols:
        return Slope(None, picks)
    renamed = body.xreplace({symbols[k]: parameter(n) for n, k in enumerate(picks)})
    return Slope(Map.of(renamed, len(picks)), picks)


def _piecewise_slope(body: sp.Piecewise, operation: Map) -> Slope:
    """Keep cases as cases, so that an infinite slope in one does not reach the other."""
    plain = _as_step(body, operation.arity)
    symbols = [parameter(k) for k in plain.picks]
    shifted = {symbol: parameter(n + 1) for n, symbol in enumerate(symbols)}
    g = parameter(0)
    cases = [(g * case.expr.xreplace(shifted), case.cond.xreplace(shifted)) for case in body.args]
    return plain._replace(masks=Map.of(sp.Piecewise(*cases), len(plain.picks) + 1))


def slope_position(b: Builder, operation: Map, operands: Sequence[int], k: int) -> int:
    """Add the step that computes a slope, conjugated where the operand is complex."""
    slope = slopes(operation)[k]
    if slope.number is not None:
        return b.constant(_python_number(slope.number), b.dtypes[operands[k]])
    at = operands[slope.picks[0]]
    if slope.operation is not None:
        at = b.append(slope.operation, *[operands[i] for i in slope.picks])
    return b.append(ops.conj, at) if b.dtypes[at].kind == "c" else at


def _python_number(number: sp.Number) -> int | float | sp.Rational:
    if number.is_Integer:
        return int(number)
    return number if number.is_Rational else float(number)


def pull_map(
    b: Builder, operation: Map, operands: Sequence[int], out: int, g: int, wanted: Sequence[int]
) -> Pulled:
    """For y = f(x₁, …), x̄ₖ = g · ∂f/∂xₖ, summed over the axes along which xₖ was repeated."""
    special = COMPLEX.get(operation) if _is_complex(b, operands, out) else None
    shape = b.shapes[out]
    for k in wanted:
        term = special(b, operands, g, k) if special else _times_slope(b, operation, operands, g, k)
        x = operands[k]
        yield k, term if b.shapes[x] == shape else unbroadcast(b, term, shape, b.shapes[x])


def _is_complex(b: Builder, operands: Sequence[int], out: int) -> bool:
    return b.dtypes[out].kind == "c" or b.dtypes[operands[-1]].kind == "c"


def _times_slope(b: Builder, operation: Map, operands: Sequence[int], g: int, k: int) -> int:
    """Multiply a cotangent by a slope, with as few roundings as the shape of the slope allows."""
    slope = slopes(operation)[k]
    if slope.number is not None:
        return _times_number(b, g, slope.number)
    if slope.masks is not None:
        return b.append(slope.masks, g, *[operands[i] for i in slope.picks])
    if slope.operation is not None and slope.operation is _reciprocal() and b.dtypes[g].kind != "c":
        return b.divide(g, operands[slope.picks[0]])
    at = slope_position(b, operation, operands, k)
    if operation is ops.sqrt:
        return b.append(ops.masked_product, g, at)
    return b.multiply(g, at)


@cache
def _reciprocal() -> Map:
    return Map.of(1 / parameter(0), 1)


def _times_number(b: Builder, g: int, number: sp.Number) -> int:
    if number == -1:
        return b.negative(g)
    return b.multiply(g, b.constant(_python_number(number), b.dtypes[g]))


# Wirtinger's calculus: for a real loss L and z = x + iy, the cotangent is ∂L/∂x + i ∂L/∂y.


def _pull_abs(b: Builder, operands: Sequence[int], g: int, _: int) -> int:
    """For |z|, z̄ = g z/|z|, and 0 at 0."""
    z = operands[0]
    return b.multiply(b.append(Cast(b.dtypes[z].name), g), b.append(ops.sign, z))


def _pull_sign(b: Builder, operands: Sequence[int], g: int, _: int) -> int:
    """For s = z/|z|, z̄ = (g - s Re(conj(s) g)) / |z|: only what is across z turns it."""
    z = operands[0]
    wide = Cast(b.dtypes[z].name)
    s = b.append(ops.sign, z)
    along = b.append(ops.real, b.multiply(b.append(ops.conj, s), g))
    across = b.append(ops.subtract, g, b.multiply(s, b.append(wide, along)))
    return b.divide(across, b.append(wide, b.append(ops.absolute, z)))


def _pull_real(b: Builder, operands: Sequence[int], g: int, _: int) -> int:
    """For Re z, z̄ = g."""
    return b.append(Cast(b.dtypes[operands[0]].name), g)


def _pull_imag(b: Builder, operands: Sequence[int], g: int, k: int) -> int:
    """For Im z, z̄ = i g."""
    i = b.constant(1j, b.dtypes[operands[0]])
    return b.multiply(_pull_real(b, operands, g, k), i)


def _pull_conj(b: Builder, _operands: Sequence[int], g: int, _: int) -> int:
    """For the conjugate of z, z̄ is the conjugate of g."""
    return b.append(ops.conj, g)


def _pull_angle(b: Builder, operands: Sequence[int], g: int, k: int) -> int:
    """For arg z, z̄ = i g / conj(z)."""
    return b.divide(_pull_imag(b, operands, g, k), b.append(ops.conj, operands[0]))


def _pull_complex(b: Builder, _operands: Sequence[int], g: int, k: int) -> int:
    """For x + iy, x̄ = Re g and ȳ = Im g."""
    return b.append((ops.real, ops.imag)[k], g)


COMPLEX: dict[Operation, Callable[[Builder, Sequence[int], int, int], int]] = {
    ops.absolute: _pull_abs,
    ops.sign: _pull_sign,
    ops.real: _pull_real,
    ops.imag: _pull_imag,
    ops.conj: _pull_conj,
    ops.angle: _pull_angle,
    ops.to_complex: _pull_complex,
}


# --- broadcasting ------------------------------------------------------------------------------


def unbroadcast(b: Builder, g: int, out: Shape, shape: Shape) -> int:
    """Sum a cotangent of shape `out` over the axes along which an operand of `shape` was repeated."""
    if out == shape:
        return g
    rank, have = len(shape), b.shapes[g]
    term = list(range(-len(have), 0))  # axes are numbered from the last one, -1
    output, sizes, repeats = [], {}, 1
    for axis in range(-max(len(out), len(have)), 0):
        size = have[axis] if -axis <= len(have) else 1
        wide = out[axis] if -axis <= len(out) else size
        if -axis <= len(out) and (-axis > rank or shape[axis] == 1 != wide):
            repeats *= wide if size == 1 else 1
            if -axis <= rank and -axis <= len(have):
                output.append(100 + axis)
                sizes[100 + axis] = 1
        elif -axis <= len(have):
            output.append(axis)
    summed = b.einsum([term], output, [g], sizes)
    return b.multiply(summed, b.constant(repeats, b.dtypes[g])) if repeats != 1 else summed


def full(b: Builder, g: int, shape: Shape) -> int:
    """Repeat a cotangent along the axes that it lacks, so that it has at least this shape."""
    have = b.shapes[g]
    if have[len(have) - len(shape) :] == shape and len(have) >= len(shape):
        return g
    lead = have[: max(len(have) - len(shape), 0)]
    return broadcast(b, g, lead + shape)


def broadcast(b: Builder, x: int, shape: Shape) -> int:
    """Repeat a value to a shape that it broadcasts to."""
    have = b.shapes[x]
    if have == shape:
        return x
    term, output, sizes = [], [], {}
    for axis in range(-len(shape), 0):
        output.append(axis)
        sizes[axis] = shape[axis]
        if -axis <= len(have):
            term.append(axis if have[axis] == shape[axis] else 100 + axis)
    return b.einsum([term], output, [x], sizes)


def keep_axes(b: Builder, x: int, axes: Sequence[int], rank: int) -> int:
    """Put axes of size one where a reduction of an operand of some rank left them out.

    What has fewer axes than the reduction's result keeps its last ones.
    """
    have = len(b.shapes[x])
    kept = [axis for axis in range(-rank, 0) if axis not in axes]
    extra = have - len(kept)
    lead = list(range(-rank - extra, -rank)) if extra > 0 else []
    term = lead + kept[max(-extra, 0) :]
    first = term[0] if term else 0
    output = [axis for axis in range(min(first, -rank if lead else first), 0)] if term else []
    sizes = {axis: 1 for axis in axes}
    return b.einsum([term], output, [x], sizes)


# --- one rule per kind --------------------------------------------------------------------------


def pull_add_n(
    b: Builder, _: AddN, operands: Sequence[int], out: int, g: int, wanted: Sequence[int]
) -> Pulled:
    """Every term of a sum receives g."""
    for k in wanted:
        yield k, unbroadcast(b, g, b.shapes[out], b.shapes[operands[k]])


def pull_cast(
    b: Builder, _: Cast, operands: Sequence[int], _out: int, g: int, _wanted: Sequence[int]
) -> Pulled:
    """Cast g back; a real operand takes the real part."""
    dtype = b.dtypes[operands[0]]
    if b.dtypes[g].kind == "c" and dtype.kind != "c":
        g = b.append(ops.real, g)
    yield 0, g if b.dtypes[g] == dtype else b.append(Cast(dtype.name), g)


def pull_einsum(
    b: Builder, operation: Einsum, operands: Sequence[int], out: int, g: int, wanted: Sequence[int]
) -> Pulled:
    """Swap operand and output: for C = ein(ij,jk->ik; A, B), Ā = ein(ik,jk->ij; G, B)."""
    sizes = operation.index_sizes([b.shapes[p] for p in operands])
    g_term, repeats = _cotangent_term(b, operation, g, out)
    for k in wanted:
        rest = [i for i in range(len(operands)) if i != k]
        terms = [g_term, *[operation.inputs[i] for i in rest]]
        others = [conjugate(b, operands[i]) for i in rest]
        target = operation.inputs[k]
        known = set().union(*terms)
        # an index that nothing depends on stays of size one, unless it is a diagonal's
        widths = {i: sizes[i] if target.count(i) > 1 else 1 for i in target if i not in known}
        lead = [i for i in g_term if i < -_LEAD]
        first = 0
        while not lead and first < len(target) and widths.get(target[first]) == 1:
            first += 1  # first axes of size one need not be written
        pulled = b.einsum(terms, [*lead, *target[first:]], [g, *others], widths)
        lost = [i for i, _ in operation.sizes if i in repeats]
        for i in lost:
            pulled = b.multiply(pulled, b.constant(sizes[i], b.dtypes[g]))
        yield k, pulled


_LEAD = 1000


def _cotangent_term(
    b: Builder, operation: Einsum, g: int, out: int
) -> tuple[list[int], list[int]]:
    """Give the indices of a cotangent that may lack axes, and the output indices that it lacks."""
    have, shape = b.shapes[g], b.shapes[out]
    term, lost = [], []
    for axis in range(-max(len(have), len(shape)), 0):
        if -axis > len(shape):
            term.append(axis - _LEAD)
        elif -axis > len(have):
            lost.append(operation.output[axis])
        elif have[axis] != shape[axis]:
            term.append(axis)  # a lone axis of size one
            lost.append(operation.output[axis])
        else:
            term.append(operation.output[axis])
    return term, [i for i in lost if i not in term]


def conjugate(b: Builder, p: int) -> int:
    """Add the complex conjugate; real values are their own."""
    return b.append(ops.conj, p) if b.dtypes[p].kind == "c" else p


def pull_reshape(
    b: Builder, operation: Reshape, operands: Sequence[int], out: int, g: int, _: Sequence[int]
) -> Pulled:
    """Reshape back."""
    if b.shapes[g] == ():
        yield 0, g
    else:
        g = full(b, g, b.shapes[out])
        yield 0, b.append(Reshape(operation.new, operation.old), g)


def pull_slice(
    b: Builder, operation: Slice, operands: Sequence[int], out: int, g: int, _: Sequence[int]
) -> Pulled:
    """Put g into zeros."""
    shape = b.shapes[operands[0]]
    sizes = shape[len(shape) - operation.depth :]
    yield 0, b.append(Embed(operation.ranges, sizes), full(b, g, b.shapes[out]))


def pull_embed(
    b: Builder, operation: Embed, _: Sequence[int], out: int, g: int, _wanted: Sequence[int]
) -> Pulled:
    """Take what stands at the ranges."""
    if b.shapes[g] == ():
        yield 0, g
    else:
        yield 0, b.append(Slice(operation.ranges), full(b, g, b.shapes[out]))


def pull_gather(
    b: Builder, operation: Gather, operands: Sequence[int], out: int, g: int, _: Sequence[int]
) -> Pulled:
    """Add g up where its elements came from."""
    shape = b.shapes[operands[0]]
    size = shape[len(shape) - 1 - operation.after]
    transpose = Scatter(operation.after, operation.between, operation.batch, size)
    yield 0, b.append(transpose, full(b, g, b.shapes[out]), operands[1])


def pull_scatter(
    b: Builder, operation: Scatter, operands: Sequence[int], out: int, g: int, _: Sequence[int]
) -> Pulled:
    """Gather g from where the updates went."""
    transpose = Gather(operation.after, operation.between, operation.batch)
    yield 0, b.append(transpose, full(b, g, b.shapes[out]), operands[1])


def pull_concat(
    b: Builder, operation: Concat, operands: Sequence[int], out: int, g: int, wanted: Sequence[int]
) -> Pulled:
    """Each operand receives its own part of g."""
    g = full(b, g, b.shapes[out])
    rank = len(b.shapes[out])
    first = 0
    for k, p in enumerate(operands):
        shape = b.shapes[p]
        if k in wanted:
            ranges: list[Range] = [(0, 1, n) for n in shape]
            ranges[rank + operation.axis] = (first, 1, shape[operation.axis])
            yield k, b.append(Slice(tuple(ranges[rank + operation.axis :])), g)
        first += shape[operation.axis]


def pull_cumsum(
    b: Builder, operation: Cumsum, _: Sequence[int], out: int, g: int, _wanted: Sequence[int]
) -> Pulled:
    """Sum from the other end."""
    back = Cumsum(operation.axis, operation.exclusive, not operation.reverse)
    yield 0, b.append(back, full(b, g, b.shapes[out]))


def shift(b: Builder, x: int, axis: int, by: int) -> int:
    """Move elements along an axis by one place, up (1) or down (-1), with a zero coming in."""
    shape = b.shapes[x]
    last = shape[len(shape) + axis :]
    if last[0] == 0:
        return x
    whole: list[Range] = [(0, 1, n) for n in last[1:]]
    source, target = ((0, 1) if by > 0 else (1, 0)), last[0] - 1
    part = b.append(Slice(((source[0], 1, target), *whole)), x)
    return b.append(Embed(((source[1], 1, target), *whole), last), part)


def pull_cumprod(
    b: Builder, operation: Cumprod, operands: Sequence[int], out: int, g: int, _: Sequence[int]
) -> Pulled:
    """x̄ᵢ = (∏_{j<i} xⱼ) rᵢ with rᵢ = gᵢ + xᵢ₊₁ rᵢ₊₁: no division, so zeros do no harm."""
    axis, reverse = operation.axis, operation.reverse
    towards = 1 if reverse else -1
    g = full(b, g, b.shapes[out])
    before = b.append(Cumprod(axis, True, reverse), operands[0])  # noqa: FBT003
    follow = shift(b, operands[0], axis, towards)
    start = shift(b, g, axis, towards) if operation.exclusive else g
    rest = b.append(Recurrence(axis, not reverse), conjugate(b, follow), start)
    yield 0, b.multiply(conjugate(b, before), rest)


def pull_recurrence(
    b: Builder, operation: Recurrence, operands: Sequence[int], out: int, g: int, wanted: Sequence[int]
) -> Pulled:
    """For y = b + a·shifted(y): b̄ is the recurrence run back over g, āᵢ = b̄ᵢ yᵢ₋₁."""
    axis, reverse = operation.axis, operation.reverse
    follow = shift(b, operands[0], axis, 1 if reverse else -1)
    back = Recurrence(axis, not reverse)
    start = b.append(back, conjugate(b, follow), full(b, g, b.shapes[out]))
    if 0 in wanted:
        previous = shift(b, out, axis, -1 if reverse else 1)
        product = b.multiply(start, conjugate(b, previous))
        yield 0, unbroadcast(b, product, b.shapes[out], b.shapes[operands[0]])
    if 1 in wanted:
        yield 1, unbroadcast(b, start, b.shapes[out], b.shapes[operands[1]])


def pull_extremum(
    b: Builder, operation: Extremum, operands: Sequence[int], out: int, g: int, _: Sequence[int]
) -> Pulled:
    """The elements that attain the extremum share g equally, as in TensorFlow."""
    x, axes = operands[0], operation.axes
    rank = len(b.shapes[x])
    attained = b.append(ops.equal, x, keep_axes(b, out, axes, rank))
    mask = b.append(Cast(b.dtypes[x].name), attained)
    indices = list(range(-rank, 0))
    sizes = {100 + axis: 1 for axis in axes}
    kept = [100 + axis if axis in axes else axis for axis in indices]
    count = b.einsum([indices], kept, [mask], sizes)
    share = b.divide(keep_axes(b, g, axes, rank), count)
    yield 0, b.multiply(share, mask)


def pull_product(
    b: Builder, operation: Product, operands: Sequence[int], _: int, g: int, _wanted: Sequence[int]
) -> Pulled:
    """Each factor receives g times the product of the others: no division, so zeros do no harm."""
    x, axes = operands[0], operation.axes
    shape = b.shapes[x]
    rank = len(shape)
    kept = [axis for axis in range(-rank, 0) if axis not in axes]
    order = [*kept, *axes]
    last = b.einsum([list(range(-rank, 0))], order, [x])
    old = tuple(shape[axis] for axis in axes)
    length = prod(old)
    line = b.append(Reshape(old, (length,)), last)
    before = b.append(Cumprod(-1, True, False), line)  # noqa: FBT003
    after = b.append(Cumprod(-1, True, True), line)  # noqa: FBT003
    others = b.append(Reshape((length,), old), b.multiply(before, after))
    others = b.einsum([order], list(range(-rank, 0)), [others])
    yield 0, b.multiply(keep_axes(b, g, axes, rank), conjugate(b, others))


Rule = Callable[..., Pulled]

RULES: dict[type[Operation], Rule] = {
    Map: pull_map,
    AddN: pull_add_n,
    Cast: pull_cast,
    Einsum: pull_einsum,
    Reshape: pull_reshape,
    Slice: pull_slice,
    Embed: pull_embed,
    Gather: pull_gather,
    Scatter: pull_scatter,
    Concat: pull_concat,
    Cumsum: pull_cumsum,
    Cumprod: pull_cumprod,
    Recurrence: pull_recurrence,
    Extremum: pull_extremum,
    Product: pull_product,
}


def pullback(
    b: Builder, operation: Operation, operands: Sequence[int], out: int, g: int, wanted: Sequence[int]
) -> Pulled:
    """Pass the cotangent `g` of step `out` to the operands in `wanted`."""
    rule = RULES.get(type(operation))
    if rule is None:
        raise DerivativeError(
            f"{operation!r} has no reverse rule; give it one in calculus/pullback.py, "
            "or stop the gradient before it with stop_gradient"
        )
    return rule(b, operation, operands, out, g, wanted)


__all__ = ["COMPLEX", "RULES", "conjugate", "broadcast", "full", "pullback", "slope_position", "slopes", "unbroadcast"]
