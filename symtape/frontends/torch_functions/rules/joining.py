"""ATen operations that join tensors, repeat them, turn them round, and put zeros around them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from symtape.frontends.torch_functions.memory.views import as_dtype, placed
from symtape.frontends.torch_functions.rules.creation import filled
from symtape.frontends.torch_functions.rules.promotion import as_operand
from symtape.frontends.torch_functions.rules.rules import Step, rule
from symtape.ops.elementwise import arithmetic
from symtape.ops.linalg import diagonals
from symtape.ops.shapes import joining, repetition
from symtape.ops.shapes.shaping import permuted, with_shape
from symtape.program.kinds.structural import Embed
from symtape.tensor.dispatch import apply1
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import dtype_of, shape_of


@rule("cat")
def cat(step: Step, parts: Sequence[Tensor], dim: int = 0) -> Tensor:
    """Tensors one after another; empty ones of one axis do not count."""
    rank = len(step.shape)
    kept = [as_dtype(x, step.dtype) for x in parts if x.ndim == rank]
    return kept[0] if len(kept) == 1 else joining.concat(kept, dim)


@rule("stack")
def stack(step: Step, parts: Sequence[Tensor], dim: int = 0) -> Tensor:
    """Tensors side by side along a new axis."""
    return joining.stack([as_dtype(x, step.dtype) for x in parts], dim)


@rule("repeat")
def repeat(step: Step, x: Tensor, repeats: Sequence[int]) -> Tensor:
    """The whole again and again."""
    lead = len(repeats) - x.ndim
    return repetition.tile(with_shape(x, (1,) * lead + shape_of(x)), list(repeats))


@rule("flip")
def flip(step: Step, x: Tensor, dims: Sequence[int]) -> Tensor:
    """The elements in opposite order along axes."""
    return repetition.reverse(x, list(dims)) if x.ndim and len(dims) else x


@rule("roll")
def roll(step: Step, x: Tensor, shifts: Any, dims: Any = ()) -> Tensor:
    """The elements moved round along axes, or in a line."""
    shifts = list(shifts) if isinstance(shifts, (list, tuple)) else [shifts]
    dims = list(dims) if isinstance(dims, (list, tuple)) else [dims]
    if not dims:
        line = with_shape(x, (int(np.size(x.raw)),))
        return with_shape(repetition.roll(line, shifts, [0]), shape_of(x))
    return repetition.roll(x, shifts, dims)


@rule("constant_pad_nd")
def pad(step: Step, x: Tensor, pads: Sequence[int], value: Any = 0) -> Tensor:
    """A number around a tensor; negative widths take elements away."""
    shape, rank = shape_of(x), x.ndim
    before, after = [0] * rank, [0] * rank
    for k in range(len(pads) // 2):
        before[rank - 1 - k], after[rank - 1 - k] = pads[2 * k], pads[2 * k + 1]
    inner = [
        slice(max(0, -a), n - max(0, -b)) for a, b, n in zip(before, after, shape, strict=True)
    ]
    x = x[tuple(inner)] if min([*before, *after], default=0) < 0 else x
    pairs = [(max(0, a), max(0, b)) for a, b in zip(before, after, strict=True)]
    made = embedded(x, [a for a, _ in pairs], step.shape)
    if not value:
        return made
    inside = np.pad(np.ones(shape_of(x), bool), pairs)
    return arithmetic.where(Tensor(inside), made, as_operand(value, dtype_of(x)))


def embedded(x: Tensor, first: Sequence[int], sizes: Sequence[int]) -> Tensor:
    """A tensor among zeros, from some places on."""
    shape = shape_of(x)
    if shape == tuple(sizes):
        return x
    ranges = [(a if n else 0, 1, n) for a, n in zip(first, shape, strict=True)]
    return apply1(Embed(tuple(ranges), tuple(sizes)), x)


@rule("tril")
def tril(step: Step, x: Tensor, diagonal: int = 0) -> Tensor:
    """What lies on and under a diagonal."""
    return _banded(x, lambda m, n: np.tril(np.ones((m, n), bool), diagonal), diagonal, lower=True)


@rule("triu")
def triu(step: Step, x: Tensor, diagonal: int = 0) -> Tensor:
    """What lies on and above a diagonal."""
    return _banded(x, lambda m, n: np.triu(np.ones((m, n), bool), diagonal), diagonal, lower=False)


def _banded(x: Tensor, mask: Any, diagonal: int, *, lower: bool) -> Tensor:
    m, n = shape_of(x)[-2:]
    if lower and diagonal >= 0:
        return diagonals.band_part(x, -1, min(diagonal, n))
    if not lower and diagonal <= 0:
        return diagonals.band_part(x, min(-diagonal, m), -1)
    kept = np.broadcast_to(mask(m, n), shape_of(x))
    return arithmetic.where(Tensor(kept), x, as_operand(0, dtype_of(x)))


@rule("diag_embed")
def diag_embed(step: Step, x: Tensor, offset: int = 0, dim1: int = -2, dim2: int = -1) -> Tensor:
    """A matrix with a diagonal, and zeros."""
    made = diagonals.diag(x, k=offset)
    rank = made.ndim
    i, j = dim1 % rank, dim2 % rank
    rest = [k for k in range(rank) if k not in (i, j)]
    source = {**{k: n for n, k in enumerate(rest)}, i: rank - 2, j: rank - 1}
    return permuted(made, [source[k] for k in range(rank)])


# --- the transposes of views ----------------------------------------------------------------------


@rule("select_backward")
def select_backward(step: Step, g: Tensor, sizes: Sequence[int], dim: int, index: int) -> Tensor:
    """A row among zeros."""
    axis = dim % len(sizes)
    shape = shape_of(g)
    row = with_shape(g, (*shape[:axis], 1, *shape[axis:]))
    first = [index % sizes[axis] if k == axis else 0 for k in range(len(sizes))]
    return embedded(row, first, sizes)


@rule("slice_backward")
def slice_backward(
    step: Step, g: Tensor, sizes: Sequence[int], dim: int, start: int, end: int, by: int
) -> Tensor:
    """Evenly spaced elements among zeros."""
    axis = dim % len(sizes)
    first = range(sizes[axis])[slice(start, end, by)].start
    ranges = [(0, 1, n) for n in shape_of(g)]
    count = shape_of(g)[axis]
    ranges[axis] = (first if count else 0, by, count)
    return apply1(Embed(tuple(ranges), tuple(sizes)), g)


@rule("diagonal_backward")
def diagonal_backward(
    step: Step, g: Tensor, sizes: Sequence[int], offset: int, dim1: int, dim2: int
) -> Tensor:
    """A diagonal among zeros."""
    from_places = np.diagonal(
        np.arange(int(np.prod(sizes))).reshape(tuple(sizes)), offset, dim1, dim2
    )
    return placed(filled(step, 0), from_places, g)
