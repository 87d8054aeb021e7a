"""Products of matrices in the last two axes, with a batch in front that broadcasts."""

from __future__ import annotations

from math import prod

from symtape.calculus.broadcasting import full
from symtape.calculus.slopes import conjugate
from symtape.program import operations as ops
from symtape.program.kinds.matrices import Band, Solve
from symtape.program.kinds.structural import Reshape
from symtape.program.operations import Cast, dtype_name
from symtape.program.program import Builder


def contract(b: Builder, text: str, *operands: int) -> int:
    """Contract the last axes as einsum text says; the axes before them broadcast."""
    head, _, output = text.partition("->")
    terms = head.split(",")
    widths: dict[int, int] = {}
    for term, p in zip(terms, operands, strict=True):
        lead = b.shapes[p][: len(b.shapes[p]) - len(term)]
        for axis, n in zip(range(-len(lead), 0), lead, strict=True):
            widths[axis] = n if widths.get(axis, 1) == 1 else widths[axis]
    inputs = []
    for k, (term, p) in enumerate(zip(terms, operands, strict=True)):
        lead = b.shapes[p][: len(b.shapes[p]) - len(term)]
        own = [
            axis if n == widths[axis] else 10_000 * (k + 1) - axis  # of size one, summed away
            for axis, n in zip(range(-len(lead), 0), lead, strict=True)
        ]
        inputs.append([*own, *map(ord, term)])
    return b.einsum(inputs, [*sorted(widths), *map(ord, output)], operands)


def product(b: Builder, *factors: int) -> int:
    """Multiply matrices from left to right."""
    total = factors[0]
    for factor in factors[1:]:
        total = contract(b, "ij,jk->ik", total, factor)
    return total


def adjoint(b: Builder, x: int) -> int:
    """Turn a matrix round and conjugate it."""
    return contract(b, "ij->ji", conjugate(b, x))


def like(b: Builder, x: int, p: int) -> int:
    """Give a real value the dtype of a complex one."""
    return x if b.dtypes[x] == b.dtypes[p] else b.append(Cast(dtype_name(b.dtypes[p])), x)


def solved(b: Builder, form: str, adjointly: bool, a: int, y: int) -> int:
    """Solve for right-hand sides with more first axes than A: they become columns."""
    batch, shape = b.shapes[a][:-2], b.shapes[y]
    extra = len(shape) - 2 - len(batch)
    operation = Solve(form, adjointly)
    y = full(b, y, (*batch, *shape[-2:]))
    if extra == 0:
        return b.append(operation, a, y)
    axes = list(range(len(shape)))
    order = [*axes[extra:-1], *axes[:extra], axes[-1]]
    many = (*shape[:extra], shape[-1])
    turned = b.append(Reshape(many, (prod(many),)), b.einsum([axes], order, [y]))
    found = b.append(Reshape((prod(many),), many), b.append(operation, a, turned))
    return b.einsum([order], axes, [found])


def half(b: Builder, x: int) -> int:
    """Keep the lower triangle, with half of the diagonal: Φ of Murray (2016), equation 8."""
    both = b.total([b.append(Band(None, 0), x), b.append(Band(None, -1), x)])
    return b.multiply(both, b.constant(0.5, b.dtypes[x]))


def minus(b: Builder, x: int, y: int) -> int:
    """Subtract."""
    return b.append(ops.subtract, x, y)
