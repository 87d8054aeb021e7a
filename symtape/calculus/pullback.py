"""Reverse rules: how each kind of operation passes its cotangent to its operands.

A cotangent may have any shape that broadcasts to the shape of its step, and more axes before it (a
batch): a sum passes its scalar cotangent on as it is, and a Jacobian's rows go through together.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from symtape.calculus.broadcasting import counted, unbroadcast
from symtape.calculus.matrices import RULES as MATRICES
from symtape.calculus.reductions import RULES as REDUCTIONS
from symtape.calculus.slopes import Pull, Pulled, conjugate, pull_map
from symtape.calculus.terms.terms import taken
from symtape.errors import DerivativeError
from symtape.program import kinds
from symtape.program import operations as ops
from symtape.program.kinds.placement import Form
from symtape.program.operations import Operation, Shape, dtype_name
from symtape.program.program import Builder

# --- one rule per kind --------------------------------------------------------------------------


def pull_add_n(b: Builder, s: Pull[kinds.AddN]) -> Pulled:
    """Every term of a sum receives g."""
    for k in s.wanted:
        yield k, unbroadcast(b, s.g, b.shapes[s.out], b.shapes[s.operands[k]], s.out)


def pull_cast(b: Builder, s: Pull[kinds.Cast]) -> Pulled:
    """Cast g back; a real operand takes the real part."""
    dtype = b.dtypes[s.operands[0]]
    turns_real = b.dtypes[s.g].kind == "c" and dtype.kind != "c"
    g = b.append(ops.real, s.g) if turns_real else s.g
    yield 0, g if b.dtypes[g] == dtype else b.append(kinds.Cast(dtype_name(dtype)), g)


def pull_einsum(b: Builder, s: Pull[kinds.Einsum]) -> Pulled:
    """Swap operand and output: for C = ein(ij,jk->ik; A, B), Ā = ein(ik,jk->ij; G, B)."""
    sizes = s.operation.index_sizes([b.shapes[p] for p in s.operands])
    g_term, repeats = _cotangent_term(b, s.operation, s.g, s.out)
    for k in s.wanted:
        rest = [i for i in range(len(s.operands)) if i != k]
        terms = [g_term, *[s.operation.inputs[i] for i in rest]]
        others = [conjugate(b, s.operands[i]) for i in rest]
        target = s.operation.inputs[k]
        known = set().union(*terms)
        # an index that nothing depends on stays of size one, unless it is a diagonal's
        widths = {i: sizes[i] if target.count(i) > 1 else 1 for i in target if i not in known}
        lead = [i for i in g_term if i < -_LEAD]
        first = 0
        while not lead and first < len(target) and widths.get(target[first]) == 1:
            first += 1  # first axes of size one need not be written
        pulled = b.einsum(terms, [*lead, *target[first:]], [s.g, *others], widths)
        output = s.operation.output
        lost = [output.index(i) - len(output) for i, _ in s.operation.sizes if i in repeats]
        yield k, b.multiply(pulled, counted(b, s.out, lost, b.dtypes[s.g])) if lost else pulled


_LEAD = 1000


def _cotangent_term(
    b: Builder, operation: kinds.Einsum, g: int, out: int
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


ADJOINTS: dict[type[Operation], Callable[[Any, Shape], Operation]] = {
    kinds.Reshape: lambda op, _: kinds.Reshape(op.new, op.old),
    kinds.Slice: lambda op, shape: kinds.Embed(op.ranges, shape[len(shape) - op.depth :], op.ends),
    kinds.Embed: lambda op, _: kinds.Slice(op.ranges, op.ends),
    kinds.Gather: lambda op, shape: kinds.Scatter(
        op.after, op.between, op.batch, shape[-1 - op.after]
    ),
    kinds.Scatter: lambda op, _: kinds.Gather(op.after, op.between, op.batch),
    kinds.Windows: lambda op, shape: kinds.Overlap(op.windows, op.axes(shape), op.after),
    kinds.Overlap: lambda op, _: kinds.Windows(op.windows, op.after),
    kinds.Cumsum: lambda op, _: kinds.Cumsum(op.axis, op.exclusive, not op.reverse),
    kinds.Fourier: lambda op, _: kinds.Fourier(op.axis, -op.sign),
    kinds.Band: lambda op, _: op,
}
"""The adjoint of what moves and adds elements, of an operand of some shape; places stay."""


def pull_moved(b: Builder, s: Pull[Operation]) -> Pulled:
    """Move g back by the transpose; what all elements have, those that stand there once have."""
    x, *places = s.operands
    if b.shapes[s.g] == () and type(s.operation) in {kinds.Reshape, kinds.Embed}:
        yield 0, s.g
    else:
        transpose = ADJOINTS[type(s.operation)](s.operation, b.shapes[x])
        yield 0, b.append(transpose, s.full(b), *places)


def pull_concat(b: Builder, s: Pull[kinds.Concat]) -> Pulled:
    """Each operand receives its own part of g."""
    g = s.full(b)
    placed = s.operation.placed([b.shapes[p] for p in s.operands])
    for k in s.wanted:
        yield k, b.append(kinds.Slice(placed[k].ranges), g)


def pull_assemble(b: Builder, s: Pull[kinds.Assemble]) -> Pulled:
    """Each block receives what stands at its places."""
    g = s.full(b)
    lead = len(b.shapes[g]) - len(s.operation.shape)
    first = [-1 - k for k in range(lead)]
    known = dict(zip(first, b.shapes[g], strict=False))
    for k in s.wanted:
        counts, forms = s.operation.placements[k]
        sizes = known | dict(enumerate(counts))
        units = range(len(counts), len(counts) + len(forms))
        found = taken(b, g, [*map(Form.of, first), *forms], sizes, units)
        if found is None:
            raise DerivativeError(
                f"{s.operation!r} has no reverse rule: {forms} are not even steps"
            )
        at, indices = found
        kept = [i for i in [*first, *range(len(counts))] if i in indices]
        at = b.einsum([indices], kept, [at])
        wide = tuple([sizes[i] for i in [*first, *range(len(counts))]])
        at = at if b.shapes[at] == wide else b.append(kinds.Reshape(b.shapes[at], wide), at)
        yield k, unbroadcast(b, at, counts, b.shapes[s.operands[k]], at)


Rule = Callable[..., Pulled]

RULES: dict[type[Operation], Rule] = {
    kinds.Map: pull_map,
    kinds.AddN: pull_add_n,
    kinds.Cast: pull_cast,
    kinds.Einsum: pull_einsum,
    **dict.fromkeys(ADJOINTS, pull_moved),
    kinds.Concat: pull_concat,
    kinds.Assemble: pull_assemble,
    **REDUCTIONS,
    **MATRICES,
}
