"""Products of arrays that add up over axes: stacks of matrix products, two operands at a time."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

Array = Any
"""A NumPy array or scalar."""


def product(
    a: Array, b: Array, order_a: Sequence[int], order_b: Sequence[int], counts: tuple[int, ...]
) -> Array:
    """Contract two arrays with batch axes as a stack of matrix products.

    The orders bring the axes to batch, free, contracted and batch, contracted, free; `counts` are
    the numbers of batch, free, contracted and free axes.
    """
    batch, free_a, contracted, _ = counts
    a, b = a.transpose(order_a), b.transpose(order_b)
    stack = a.shape[:batch]
    rows = a.shape[batch : batch + free_a]
    columns = b.shape[batch + contracted :]
    if batch and contracted and math.prod(a.shape[batch + free_a :]) == 1:
        return _outer(a, b, batch, contracted)
    found = _along_lines(a, b, batch + free_a, batch + contracted)
    if found is not None:
        return found.reshape(stack + rows + columns)
    return (_matrices(a, batch, free_a) @ _matrices(b, batch, contracted)).reshape(
        stack + rows + columns
    )


def _along_lines(a: Array, b: Array, own_a: int, own_b: int) -> Array | None:
    """Multiply a matrix whose rows are one line by a few others, without a copy of its rows."""
    if _slides(a, own_a):
        found = _correlated(a, b.reshape(math.prod(b.shape[:own_b]), -1).T)
        return None if found is None else found.T
    if _slides(b, own_b):
        return _correlated(b, a.reshape(-1, math.prod(a.shape[own_a:])))
    return None


def _slides(x: Array, own: int) -> bool:
    """Say whether x[i, j] is an element of one line, at i + j: what windows of one channel are.

    The first `own` axes are those of i, the others those of j.
    """
    if x.size <= _COPIED or x.flags.c_contiguous or x.dtype.char not in "fd":
        return False
    longer = [k for k, n in enumerate(x.shape) if n != 1]
    if len(longer) != 2:
        return False
    i, j = longer
    return i < own <= j and x.strides[i] == x.strides[j]


def _correlated(x: Array, others: Array) -> Array | None:
    """Sum the products of a line that slides and others of one dtype, if they are few."""
    if not 0 < len(others) <= _FEW or others.dtype != x.dtype:
        return None
    rows = np.squeeze(x)
    line = np.concatenate([rows[:, 0], rows[-1, 1:]])
    if len(others) == 1:
        return np.correlate(line, others[0])[None]
    return np.array([np.correlate(line, other) for other in others])


_COPIED = 2048
"""Elements of windows that are copied sooner than it is found out what they are."""
_FEW = 4
"""Sums along a line that take no longer than a copy for BLAS."""


def _outer(a: Array, b: Array, batch: int, contracted: int) -> Array:
    """Multiply a stack of columns by a stack of rows: matrices of one product are slow ones."""
    first = (0,) * contracted
    columns = a[(..., *first, *(None,) * (b.ndim - batch - contracted))]
    rows = (None,) * (a.ndim - batch - contracted)
    stack = (slice(None),) * batch
    return np.multiply(columns, b[(*stack, *first)][(*stack, *rows)], order="C")


def _matrices(x: Array, batch: int, rows: int) -> Array:
    """Join axes into those of a stack of matrices, in either order in memory.

    What overlaps, as the windows of a convolution, is copied; a copy is as fast as what is read in
    one run is long, and BLAS takes matrices of both orders.
    """
    stack, columns = x.shape[:batch], x.ndim - batch - rows
    height = math.prod(x.shape[batch : batch + rows])
    width = math.prod(x.shape[batch + rows :])
    if x.size > _SMALL and rows and columns and not x.flags.c_contiguous:
        order = (*range(batch), *range(batch + rows, x.ndim), *range(batch, batch + rows))
        turned = x.transpose(order)
        if not turned.flags.c_contiguous and _run(turned, rows) > _run(x, columns):
            return turned.reshape(*stack, width, height).swapaxes(-1, -2)
    return x.reshape(*stack, height, width)


_SMALL = 4096
"""Elements of an array that is copied in no time."""


def _run(x: Array, axes: int) -> float:
    """Say how fast the last axes are read: as many elements as lie at one distance, if it is 1."""
    length, first, following = 1, 0, 0
    for size, stride in zip(x.shape[: -axes - 1 : -1], x.strides[: -axes - 1 : -1], strict=True):
        if size > 1:
            if first and stride != following:
                break
            first, following = first or abs(stride), stride * size
            length *= size
    return length / math.sqrt(max(first // x.itemsize, 1))


def contract(text: str, *operands: Array) -> Array:
    """Contract three or more operands in the cheapest order, two at a time."""
    steps, order = _steps(text, tuple([x.shape for x in operands]))
    parts = list(operands)
    for places, how in steps:
        taken = [parts.pop(k) for k in places]
        parts.append(np.einsum(how, *taken) if type(how) is str else product(*taken, *how))
    return parts[0].transpose(order)[()]


@lru_cache(maxsize=4096)
def _steps(text: str, shapes: tuple[tuple[int, ...], ...]) -> tuple[list[Any], list[int]]:
    """Say which operands are taken next, and how they are multiplied; then the order of axes.

    NumPy would work out the same on every call, which takes longer than small products.
    """
    operands = [np.broadcast_to(np.float64(0), shape) for shape in shapes]
    which = "optimal" if len(shapes) < 8 else "greedy"
    inputs, _, output = text.partition("->")
    terms, steps = inputs.split(","), []
    for chosen in np.einsum_path(text, *operands, optimize=which)[0][1:]:
        places = sorted(chosen, reverse=True)
        taken = [terms.pop(k) for k in places]
        kept = [i for i in dict.fromkeys("".join(taken)) if i in "".join([output, *terms])]
        how, made = _multiplied(taken, kept)
        steps.append((places, how))
        terms.append(made)
    return steps, [terms[0].index(i) for i in output]


def _multiplied(taken: Sequence[str], kept: Sequence[str]) -> tuple[Any, str]:
    """Say how operands with some indices are multiplied, and which indices the product has."""
    a, b = taken[0], taken[1]
    batch = [i for i in kept if i in a and i in b]
    added = [i for i in a if i in b and i not in kept]
    free_a, free_b = ([i for i in kept if i in x and i not in batch] for x in (a, b))
    if len(taken) > 2 or not added or (batch and not free_a and not free_b):
        return f"{','.join(taken)}->{''.join(kept)}", "".join(kept)
    order_a = [a.index(i) for i in [*batch, *free_a, *added]]
    order_b = [b.index(i) for i in [*batch, *added, *free_b]]
    counts = (len(batch), len(free_a), len(added), len(free_b))
    return (order_a, order_b, counts), "".join([*batch, *free_a, *free_b])
