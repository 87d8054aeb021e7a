"""Matrices of blocks, computed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from symtape.ops.shapes.creation import zeros
from symtape.ops.shapes.joining import concat, stack
from symtape.ops.shapes.shaping import reshape


def in_blocks(parts: Sequence[Any], heights: Sequence[int], widths: Sequence[int]) -> Any:
    """Join parts, row by row, to a matrix; a number is a block of it, or its zeros."""
    if {*heights, *widths} == {1}:
        return stack(parts)
    rows = []
    for k, height in enumerate(heights):
        row = parts[k * len(widths) : (k + 1) * len(widths)]
        blocks = [_block(x, (height, w)) for x, w in zip(row, widths, strict=True)]
        rows.append(blocks[0] if len(blocks) == 1 else concat(blocks, 1))
    return rows[0] if len(rows) == 1 else concat(rows, 0)


def _block(x: Any, shape: tuple[int, int]) -> Any:
    is_zeros = not x.ndim and shape != (1, 1)
    return zeros(shape, x.dtype) if is_zeros else reshape(x, shape)
