"""Blocks of an image moved into its channels or its batch, and back: reshapes and transposes."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from symtape.ops.arguments import attribute, listed, scalar, tensor, whole
from symtape.ops.nn.windows.sliding import (
    channels_first,
    channels_last,
    cropped,
    is_channels_first,
    padded,
)
from symtape.ops.shapes.shaping import permuted, with_shape
from symtape.tensor import dtypes
from symtape.tensor.convert import convert
from symtape.tensor.decided import decided_by_look
from symtape.tensor.dispatch import invalid, not_taken
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import dtype_of, shape_of


def space_to_depth(
    input: Any, block_size: Any, data_format: str = "NHWC", name: str | None = None
) -> Tensor:
    """Move blocks of images [batch, height, width, channels] into the channels.

    >>> import numpy as np
    >>> space_to_depth(np.arange(4).reshape(1, 2, 2, 1), 2).numpy().ravel()
    array([0, 1, 2, 3])
    """
    op = "SpaceToDepth"
    x, block, first = _read(op, input, block_size, data_format, "Input rank should be 4 instead of")
    batch, height, width, channels = shape_of(x)
    if height % block or width % block:
        raise invalid(
            op,
            f"Image width {width} and height {height} should be divisible by block_size: {block}",
        )
    split = with_shape(x, (batch, height // block, block, width // block, block, channels))
    shape = (batch, height // block, width // block, block * block * channels)
    made = with_shape(permuted(split, [0, 1, 3, 2, 4, 5]), shape)
    return channels_first(made, 2) if first else made


def depth_to_space(
    input: Any, block_size: Any, data_format: str = "NHWC", name: str | None = None
) -> Tensor:
    """The inverse of `space_to_depth`.

    >>> import numpy as np
    >>> depth_to_space(np.arange(4).reshape(1, 1, 1, 4), 2).numpy()[0, ..., 0]
    array([[0, 1],
           [2, 3]])
    """
    op = "DepthToSpace"
    x, block, first = _read(
        op, input, block_size, data_format, "Input rank should be: 4 instead of:"
    )
    batch, height, width, channels = shape_of(x)
    if channels % (block * block):
        raise invalid(
            op, f"Input depth dimension {channels} should be divisible by: {block * block}"
        )
    rest = channels // (block * block)
    split = with_shape(x, (batch, height, width, block, block, rest))
    shape = (batch, height * block, width * block, rest)
    made = with_shape(permuted(split, [0, 1, 3, 2, 4, 5]), shape)
    return channels_first(made, 2) if first else made


def _read(op: str, input: Any, block_size: Any, data_format: Any, text: str) -> tuple[Any, ...]:
    x, block = tensor(input), attribute(block_size, "block_size")
    if block < 2:
        raise invalid(op, f"Value for attr 'block_size' of {block} must be at least minimum 2")
    first = is_channels_first(op, data_format, 2)
    if x.ndim != 4:
        raise invalid(op, f"{text} {x.ndim}")
    return (channels_last(x, 2) if first else x), block, first


def space_to_batch(input: Any, block_shape: Any, paddings: Any, name: str | None = None) -> Tensor:
    """Move the places within blocks of [batch, …] into the batch, after zeros were put around.

    `block_shape` has a size for each of the first axes after the batch, `paddings` a pair.

    >>> import numpy as np
    >>> space_to_batch(np.arange(4).reshape(1, 4, 1), [2], [[0, 0]]).numpy()[..., 0]
    array([[0, 2],
           [1, 3]])
    """
    op = "SpaceToBatchND"
    x = tensor(input)
    if dtype_of(x).kind == "O":
        raise not_taken(op, x)
    blocks = _blocks(op, block_shape, x)
    count = len(blocks)
    pads = _margins(op, paddings, count, "paddings", "Paddings")
    x = padded(x, pads, x.ndim - 1 - count)
    batch, *image = shape_of(x)[: count + 1]
    rest = shape_of(x)[count + 1 :]
    for k, (n, block) in enumerate(zip(image, blocks, strict=True)):
        if n % block:
            raise invalid(op, f"padded_shape[{k}]={n} is not divisible by block_shape[{k}]={block}")
    outer = [n // block for n, block in zip(image, blocks, strict=True)]
    pairs = [size for pair in zip(outer, blocks, strict=True) for size in pair]
    split = with_shape(x, (batch, *pairs, *rest))
    inner = [2 + 2 * k for k in range(count)]
    kept = [1 + 2 * k for k in range(count)]
    order = [*inner, 0, *kept, *range(1 + 2 * count, split.ndim)]
    return with_shape(permuted(split, order), (prod(blocks) * batch, *outer, *rest))


def batch_to_space(input: Any, block_shape: Any, crops: Any, name: str | None = None) -> Tensor:
    """The inverse of `space_to_batch`; `crops` says how much is left out at both ends.

    >>> import numpy as np
    >>> batch_to_space(np.reshape([0, 2, 1, 3], (2, 2, 1)), [2], [[0, 0]]).numpy().ravel()
    array([0, 1, 2, 3])
    """
    op = "BatchToSpaceND"
    x = tensor(input)
    if np.ndim(block_shape) == 0:
        block_shape = [scalar(block_shape)] * 2
    blocks = _blocks(op, block_shape, x)
    count = len(blocks)
    cuts = _margins(op, crops, count, "crops", "Crops")
    batch, *image = shape_of(x)[: count + 1]
    rest = shape_of(x)[count + 1 :]
    if batch % prod(blocks):
        raise invalid(
            op,
            f"Input batch dimension ({batch}) is not divisible by product of block sizes "
            f"({prod(blocks)})",
        )
    split = with_shape(x, (*blocks, batch // prod(blocks), *image, *rest))
    pairs = [axis for k in range(count) for axis in (count + 1 + k, k)]
    order = [count, *pairs, *range(2 * count + 1, split.ndim)]
    wide = [n * block for n, block in zip(image, blocks, strict=True)]
    made = with_shape(permuted(split, order), (batch // prod(blocks), *wide, *rest))
    for k, (n, (a, b)) in enumerate(zip(wide, cuts, strict=True)):
        if n < a + b:
            raise invalid(op, f"cropped_shape[{k}]={n - a - b} must be non-negative")
    return cropped(made, cuts, len(rest))


def required_space_to_batch_paddings(
    input_shape: Any, block_shape: Any, base_paddings: Any = None, name: str | None = None
) -> tuple[Tensor, Tensor]:
    """Say what `space_to_batch` has to put around axes so that blocks divide them.

    `input_shape` and `block_shape` have a size for each axis, `base_paddings` a pair of numbers
    that are put there anyhow. The results are the paddings, and the crops with which
    `batch_to_space` takes away again what was added at the ends, int32 [axes, 2]. Raises
    `ValueError` for shapes that do not fit.

    >>> paddings, crops = required_space_to_batch_paddings([4, 5], [2, 3], [[1, 0], [0, 0]])
    >>> paddings.numpy().tolist(), crops.numpy().tolist()
    ([[1, 1], [0, 1]], [[0, 1], [0, 1]])
    """
    sizes, blocks = (convert(v, dtypes.int32) for v in (input_shape, block_shape))
    blocks.shape.assert_has_rank(1)
    count = shape_of(blocks)[0]
    if not count:
        none = np.zeros((0, 2), np.int32)
        return Tensor(none), Tensor(none.copy())
    sizes.shape.assert_is_compatible_with([count])
    base = np.zeros((count, 2), np.int32)
    if base_paddings is not None:
        given = convert(base_paddings, dtypes.int32)
        given.shape.assert_is_compatible_with([count, 2])
        base = decided_by_look(given)
    start, end = base.T
    block = decided_by_look(blocks)
    lacking = (block - (decided_by_look(sizes) + start + end) % block) % block
    paddings = np.stack([start, end + lacking], 1).astype(np.int32)
    crops = np.stack([np.zeros_like(lacking), lacking], 1).astype(np.int32)
    return Tensor(paddings), Tensor(crops)


space_to_batch_nd = space_to_batch


def _blocks(op: str, block_shape: Any, x: Tensor) -> list[int]:
    found = whole(op, block_shape, "Tblock_shape")
    if np.ndim(found) != 1:
        raise invalid(op, f"block_shape rank should be 1 instead of {np.ndim(found)}")
    if x.ndim < 1 + len(found):
        raise invalid(op, f"input rank should be >= {1 + len(found)} instead of {x.ndim}")
    for k, n in enumerate(found):
        if n < 1:
            raise invalid(op, f"block_shape[{k}] must be positive, but is {n}")
    return [int(n) for n in found]


def _margins(op: str, value: Any, count: int, name: str, start: str) -> tuple[tuple[int, int], ...]:
    found = whole(op, value, f"T{name}")
    if found.shape != (count, 2):
        raise invalid(op, f"{name} should have shape [{count}, 2] instead of {listed(found.shape)}")
    if np.any(found < 0):
        raise invalid(op, f"{start} must be non-negative")
    return tuple([(int(a), int(b)) for a, b in found])
