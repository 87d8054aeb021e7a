"""Linear maps of one operand, and contractions: numbers pass through them."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from symtape.lowering.folder import Folder, Scaled
from symtape.lowering.joined_sums import changes_nothing, sum_of_product, sum_of_scatter, sum_of_sum
from symtape.program import operations as ops
from symtape.program.operations import Einsum, Operation


def moved_elements(
    f: Folder, operation: Operation, operands: Sequence[int], p: int
) -> Scaled | None:
    """Carry a number past what only moves elements."""
    number, core = f.place[operands[0]]
    return None if core is None else f.result(number, operation, core)


def cores_of(f: Folder, operands: Sequence[int], p: int) -> tuple[float, list[int]] | None:
    """Give the number and the cores of factors, unless the result is the larger place for it."""
    places = [f.place[i] for i in operands]
    cores = [core for _, core in places if core is not None]
    smallest = min([prod(f.program.shapes[i]) for i in operands])
    if len(cores) < len(places) or prod(f.program.shapes[p]) > smallest:
        return None
    return prod([number for number, _ in places]), cores


def conjugated_later(
    f: Folder, operation: Einsum, operands: Sequence[int], p: int
) -> Scaled | None:
    """Conjugate a product, and not the larger array in it: conj(A) b is conj(A conj(b))."""
    found = cores_of(f, operands, p)
    if found is None or f.exactly or f.program.dtypes[p].kind != "c" or len(operands) != _TWO:
        return None
    number, cores = found
    sizes = [prod(f.b.shapes[core]) for core in cores]
    k = sizes.index(max(sizes))
    step = f.b.steps[cores[k]]
    is_larger = sizes[k] > sizes[1 - k] + prod(f.program.shapes[p])
    if step[0] is not ops.conj or f.uses[operands[k]] > 1 or not is_larger:
        return None
    cores[k], cores[1 - k] = step[1], f.b.append(ops.conj, cores[1 - k])
    return f.result(number, ops.conj, f.b.append(operation, *cores))


_TWO = 2


def joined_sums(f: Folder, operation: Einsum, operands: Sequence[int], p: int) -> Scaled | None:
    """Write a sum of a sum as one sum, and a sum of products as a contraction."""
    found = cores_of(f, operands, p)
    is_free = f.uses[operands[0]] == f.summed[operands[0]]
    if found is None or f.exactly or not is_free:
        return None
    number, cores = found
    count, joined, parts = joined_sum(f, operation, cores)
    if parts is cores:  # the operation alone tells nothing: over one element it stays the same
        return None
    return contracted(f, number * count, joined, parts)


def sum_of_scattered(
    f: Folder, operation: Einsum, operands: Sequence[int], p: int
) -> Scaled | None:
    """Sum what is scattered, where somebody else scatters it, and so looks at the places."""
    found, of = cores_of(f, operands, p), _without_sign(f, operands[0])
    if found is None or f.exactly or len(operands) > 1 or f.uses[of] == f.summed[of]:
        return None
    number, cores = found
    joined = sum_of_scatter(f.b, operation, cores[0])
    if joined is None:
        return None
    _, inner, parts = joined
    count, inner, parts = joined_sum(f, inner, parts)
    return contracted(f, number * count, inner, parts)


def _without_sign(f: Folder, p: int) -> int:
    """Give what a sign may stand before."""
    step = f.program.steps[p]
    return step[1] if step[0] is ops.negative else p


def joined_sum(f: Folder, operation: Einsum, cores: list[int]) -> tuple[int, Einsum, list[int]]:
    """Join a sum with what it sums, as far as that goes; a number goes with it."""
    number = 1
    while len(cores) == 1:
        joined = sum_of_sum(f.b, operation, cores[0]) or sum_of_product(f.b, operation, cores[0])
        if joined is None:
            break
        count, operation, cores = joined
        number *= count
    return number, operation, cores


def contraction(f: Folder, operation: Einsum, operands: Sequence[int], p: int) -> Scaled | None:
    """Contract cores, and multiply their numbers."""
    scaled = cores_of(f, operands, p)
    return None if scaled is None else contracted(f, scaled[0], operation, scaled[1])


def contracted(f: Folder, number: float, operation: Einsum, cores: Sequence[int]) -> Scaled:
    """Contract cores, unless that changes nothing."""
    if changes_nothing(operation, f.b.shapes[cores[0]]):
        return f.times(number, cores[0])
    return f.result(number, operation, *cores)
