"""Boxes that lie over better ones left out tile by tile, as TensorFlow does it in parallel.

Which boxes remain is what TensorFlow's program makes of them, in single precision: boxes that are
left out become a dot, and a tile is gone over until little changes.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from symtape.ops.arguments import plain, tensor
from symtape.tensor.decided import decided
from symtape.tensor.dispatch import invalid
from symtape.tensor.tensor import Tensor

_OP = "NonMaxSuppressionPadded"
_TINY = np.float32(1e-8)


def non_max_suppression_padded(
    boxes: Any,
    scores: Any,
    max_output_size: Any,
    iou_threshold: Any = 0.5,
    score_threshold: Any = float("-inf"),
    pad_to_max_output_size: bool = False,
    name: str | None = None,
    sorted_input: bool = False,
    canonicalized_coordinates: bool = False,
    tile_size: int = 512,
) -> tuple[Tensor, Tensor]:
    """List boxes [..., count, 4] in the order of their scores, but for those over a better one.

    The first result has the numbers of boxes of each image, the second how many there are; with
    `pad_to_max_output_size` the first is filled up with zeros, which a batch of images needs. Two
    boxes lie over each other if they share `iou_threshold` of the area of both together, or more.
    As in TensorFlow the first box decides for all which of its corners comes first, unless
    `canonicalized_coordinates` says that it is the lower one; a box whose corners are all at or
    below zero counts as none, and so does one whose score is not above `score_threshold`; with
    `sorted_input` scores are not looked at for the order. Raises `ValueError` for a batch that is
    not filled up and for shapes that do not fit, and `InvalidArgumentError` for a negative size and
    a tile of no boxes.

    >>> import symtape as tf
    >>> boxes = tf.constant([[0.0, 0.0, 1.0, 1.0], [0.0, 0.1, 1.0, 1.1], [0.0, 5.0, 1.0, 6.0]])
    >>> chosen, count = non_max_suppression_padded(boxes, [0.5, 0.9, 0.7], 3)
    >>> chosen.numpy(), count.numpy()
    (array([1, 2], dtype=int32), np.int32(2))
    """
    if not pad_to_max_output_size and boxes.get_shape().rank > 2:
        raise ValueError(
            f"'pad_to_max_output_size' (value {pad_to_max_output_size}) must be True for "
            "batched input"
        )
    places, values = decided(tensor(boxes)), decided(tensor(scores))
    most, tile = int(plain(max_output_size)), int(plain(tile_size))
    threshold = np.float32(plain(iou_threshold))
    outer = places.shape[:-2]
    places, values = _in_rows(places, values, most, tile)
    places, values = _above(places, values, plain(score_threshold))
    if not canonicalized_coordinates:
        places = _upright(places)
    order = np.argsort(-values.astype(np.float64), axis=1, kind="stable")
    if not sorted_input:
        places = np.take_along_axis(places, order[..., None], 1)
    alive, counts = _suppressed(places.astype(np.float32), most, tile, threshold)
    index = np.zeros((len(places), most), np.int32)
    for own, line, kept, count in zip(index, order, alive, counts, strict=True):
        first = np.flatnonzero(kept)[:count]
        own[:count] = first if sorted_input else line[first]
    valid = Tensor(counts.astype(np.int32).reshape(outer))
    if pad_to_max_output_size:
        return Tensor(index.reshape(*outer, most)), valid
    return Tensor(index[0, : counts[0]]), valid


def _in_rows(places: Any, values: Any, most: int, tile: int) -> tuple[Any, Any]:
    """Put all images into one axis, [images, count, 4] and [images, count]."""
    if places.ndim < 2 or places.shape[-1] != 4 or values.shape != places.shape[:-1]:
        raise ValueError(f"boxes {places.shape} and scores {values.shape} are no boxes and scores")
    if not values.size:
        raise ValueError("slice index 0 of dimension 0 out of bounds.")
    if most < 0:
        raise invalid(_OP, "Requires start <= limit when delta > 0")
    if tile <= 0:
        raise invalid(_OP, f"tile_size must be positive, got {tile}")
    count = values.shape[-1]
    return places.reshape(-1, count, 4), values.reshape(-1, count)


def _above(places: Any, values: Any, least: Any) -> tuple[Any, Any]:
    """Let boxes with low scores be dots at zero, and their scores zero."""
    if least == float("-inf"):
        return places, values
    kept = values > np.asarray(least, values.dtype)
    return places * kept[..., None].astype(places.dtype), values * kept.astype(values.dtype)


def _upright(boxes: Any) -> Any:
    """Exchange corners of all boxes if those of the first box are the wrong way round."""
    y1, x1, y2, x2 = boxes[0, 0]
    rows = [0, 2] if y1 <= y2 else [2, 0]
    columns = [1, 3] if x1 <= x2 else [3, 1]
    return boxes[..., [rows[0], columns[0], rows[1], columns[1]]]


def _suppressed(boxes: Any, most: int, tile: int, threshold: Any) -> tuple[Any, Any]:
    """Say which boxes remain of those that are gone over, and how many count for each image."""
    images, count, _ = boxes.shape
    number = -(-max(count, most) // tile)
    boxes = np.pad(boxes, [(0, 0), (0, number * tile - count), (0, 0)])
    tiles = boxes.reshape(images, number, tile, 4)
    sizes = np.zeros(images, np.int64)
    for k in range(number):
        if sizes.min() >= most:
            break
        own = tiles[:, k]
        for before in range(k):
            apart = (_shares(tiles[:, before], own) < threshold).all(axis=1)
            own = own * apart[..., None].astype(np.float32)
        own = own * (1 - _left_out(own, threshold).astype(np.float32))[..., None]
        tiles[:, k] = own
        sizes += (own > 0).any(axis=2).sum(axis=1)
    alive = (boxes > 0).any(axis=2)
    return alive, np.minimum(sizes, most)


def _left_out(boxes: Any, threshold: Any) -> Any:
    """Say which boxes of a tile lie over better ones of it, that remain themselves."""
    share = _shares(boxes, boxes)
    later = np.triu(np.ones(share.shape[1:], bool), 1)
    share = share * (later & (share >= threshold)).astype(np.float32)
    total, changes = share.sum(axis=(1, 2)), True
    while changes:
        free = (share.max(axis=1) < threshold).astype(np.float32)[..., None]
        stays = (free * share).max(axis=1) < threshold
        share = stays.astype(np.float32)[..., None] * share
        now = share.sum(axis=(1, 2))
        total, changes = now, bool((total - now > threshold).any())
    return share.sum(axis=1) > 0


def _shares(a: Any, b: Any) -> Any:
    """Say for each two boxes how much of both together they share."""
    low = np.maximum(a[:, :, None, :2], b[:, None, :, :2])
    high = np.minimum(a[:, :, None, 2:], b[:, None, :, 2:])
    shared = np.prod(np.maximum(high - low, 0), axis=-1)
    areas = [np.prod(x[..., 2:] - x[..., :2], axis=-1) for x in (a, b)]
    whole = areas[0][:, :, None] + areas[1][:, None, :] - shared + _TINY
    return shared / whole
