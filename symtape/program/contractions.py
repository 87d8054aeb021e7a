"""In which order the factors of a contraction are multiplied: two at a time, the cheapest first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import isqrt, prod
from typing import Any

import numpy as np

Indices = Sequence[int]
Pair = tuple[int, int]


def pairs(terms: Sequence[Indices], output: Indices, sizes: Mapping[int, int]) -> Sequence[Pair]:
    """Say which two of the factors that are left to multiply next; the product goes to their end.

    >>> pairs([(0, 1), (1, 2), (2,)], (0,), {0: 5, 1: 6, 2: 7})
    ((1, 2), (0, 1))
    """
    if len(terms) < 3:
        return ((0, 1),) if len(terms) == 2 else ()
    names = {i: k for k, i in enumerate(sorted({i for term in terms for i in term}))}
    inputs = tuple([tuple([names[i] for i in term]) for term in terms])
    shape = tuple([max(sizes[i], 1) for i in names])
    return _pairs(inputs, tuple([names[i] for i in output if i in names]), shape)


def kept(terms: Sequence[Indices], pair: Pair, output: Indices) -> list[int]:
    """List the indices of the product of two factors: those that the others need, or the result.

    >>> kept([(0, 1), (1, 2), (2,)], (1, 2), (0,))
    [1]
    """
    needed = {*output}.union(*[term for k, term in enumerate(terms) if k not in pair])
    return [i for i in dict.fromkeys([*terms[pair[0]], *terms[pair[1]]]) if i in needed]


@lru_cache(maxsize=4096)
def _pairs(
    inputs: tuple[tuple[int, ...], ...], output: tuple[int, ...], sizes: tuple[int, ...]
) -> tuple[Pair, ...]:
    """Take steps of more than two factors apart."""
    found: list[Pair] = []
    count = len(inputs)
    shapes = [tuple([sizes[i] for i in term]) for term in inputs]
    for step in _order(inputs, output, shapes):
        rest = sorted(step)
        while len(rest) > 1:
            found.append((rest[0], rest[1]))
            rest = [*[k - 2 for k in rest[2:]], count - 2]
            count -= 1
    return tuple(found)


_LARGEST = 1 << 58
"""So many elements NumPy takes for an array, be they one."""


def _order(
    inputs: Sequence[Indices], output: Indices, shapes: Sequence[tuple[int, ...]]
) -> Sequence[Sequence[int]]:
    """Ask opt_einsum where it is installed, else NumPy."""
    try:
        from opt_einsum import contract_path, get_symbol  # noqa: PLC0415 - an extra
    except ImportError:
        operands: list[Any] = []
        while max(map(prod, shapes)) > _LARGEST:  # roots of sizes have the order of the sizes
            shapes = [tuple([isqrt(n - 1) + 1 for n in shape]) for shape in shapes]
        for term, shape in zip(inputs, shapes, strict=True):
            operands += [np.broadcast_to(np.float64(0), shape), list(term)]
        how = ("optimal" if len(inputs) <= 6 else "greedy", 1 << 62)
        return np.einsum_path(*operands, list(output), optimize=how)[0][1:]
    texts = ["".join(map(get_symbol, term)) for term in inputs]
    text = f"{','.join(texts)}->{''.join(map(get_symbol, output))}"
    found: Sequence[Sequence[int]] = contract_path(text, *shapes, shapes=True)[0]
    return found
