"""Contractions that become one: a sum of a sum, of an elementwise product, of what is scattered."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import prod

from symtape.program import operations as ops
from symtape.program.kinds.structural import Reshape, Scatter
from symtape.program.operations import Einsum, Map, Shape, parameter
from symtape.program.program import Builder


def changes_nothing(operation: Einsum, shape: Shape) -> bool:
    """Say whether its result is its operand: an axis of one element may be summed and come again.

    >>> changes_nothing(Einsum(((0, 1),), (0, 2), ((2, 1),)), (3, 1))
    True
    >>> changes_nothing(Einsum(((0, 1),), (0, 2), ((2, 1),)), (3, 4))
    False
    """
    (term, *others), output, lone = operation.inputs, operation.output, dict(operation.sizes)
    if others or len(term) != len(output) or len(set(output)) < len(output):
        return False
    pairs = zip(term, output, shape, strict=True)
    return all([i == j or (n == 1 and lone.get(j) == 1) for i, j, n in pairs])


Joined = tuple[int, Einsum, list[int]] | None
"""A number, a contraction, and what it contracts."""


def sum_of_sum(b: Builder, outer: Einsum, core: int) -> Joined:
    """Join two contractions if no axis is repeated; of a product, only axes of size one go."""
    inner, *operands = b.steps[core]
    (names,) = outer.inputs
    if type(inner) is not Einsum or len(set(names)) < len(names):
        return None
    summed = {i for i, name in zip(inner.output, names, strict=True) if name not in outer.output}
    if len(set(inner.output)) < len(inner.output) or (
        len(operands) > 1 and not summed <= {i for i, _ in inner.sizes}
    ):
        return None
    renamed = dict(zip(inner.output, names, strict=True))
    count = prod([n for i, n in inner.sizes if renamed[i] not in outer.output])
    far = 1 + max([0, *names, *outer.output])
    sizes = dict(outer.sizes) | {renamed[i]: n for i, n in inner.sizes}
    terms = [[renamed.get(i, far + i) for i in term] for term in inner.inputs]
    joined = Einsum.of(terms, outer.output, sizes)
    return count, joined, operands


def sum_of_product(b: Builder, outer: Einsum, core: int) -> Joined:
    """Join a sum with the elementwise product that it sums."""
    step, (term,) = b.steps[core], outer.inputs
    factors = step[1:] if step[0] is ops.multiply else step[1:] * 2 if step[0] is _square() else ()
    summed = set(term) - set(outer.output)
    if not factors or not summed or len(set(outer.output)) < len(outer.output):
        return None
    shape, terms, operands = b.shapes[core], [], []
    if all([n == 1 for n, name in zip(shape, term, strict=True) if name in summed]):
        return None  # there is nothing to add
    for i in factors:
        own = b.shapes[i]
        names = term[len(term) - len(own) :]
        wide = [n == m for n, m in zip(own, shape[len(shape) - len(own) :], strict=True)]
        terms.append([name for name, is_wide in zip(names, wide, strict=True) if is_wide])
        operands.append(i if all(wide) else _without_units(b, i, wide))
    if any([not summed & set(t) for t in terms]) or len(set(term)) < len(term):
        return None
    return 1, Einsum.of(terms, outer.output, dict(outer.sizes)), operands


def sum_of_scatter(b: Builder, outer: Einsum, core: int) -> Joined:
    """Sum what is scattered along an axis, and not the axis: all of it is somewhere there."""
    step, *operands = b.steps[core]
    (names,) = outer.inputs
    if type(step) is not Scatter or len(set(names)) < len(names):
        return None
    updates, indices = operands
    end = len(names) - step.after
    if names[end - 1] in outer.output:
        return None
    far = 1 + max([*names, *outer.output])
    own = range(far, far + len(b.shapes[indices]) - step.batch)
    term = [*names[: end - 1], *own, *names[end:]]
    return 1, Einsum.of([term], outer.output, dict(outer.sizes)), [updates]


def _without_units(b: Builder, p: int, kept: Sequence[bool]) -> int:
    """Drop axes of size one, which may be there because a step put them there."""
    operation, *operands = b.steps[p]
    if type(operation) is Einsum and len(operands) == 1:
        names = tuple([i for i, keep in zip(operation.output, kept, strict=True) if keep])
        if operation.inputs == (names,):
            return int(operands[0])
    old = b.shapes[p]
    return b.append(Reshape(old, tuple([n for n, keep in zip(old, kept, strict=True) if keep])), p)


@cache
def _square() -> Map:
    return Map.of(parameter(0) ** 2, 1)
