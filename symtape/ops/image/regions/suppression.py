"""Boxes that lie over better ones left out: which of them remain."""

from __future__ import annotations

from typing import Any

import numpy as np

from symtape.ops.arguments import is_tensor, plain, tensor
from symtape.tensor import dtypes
from symtape.tensor.convert import convert
from symtape.tensor.decided import decided
from symtape.tensor.dispatch import invalid
from symtape.tensor.tensor import Tensor
from symtape.tensor.unknown_sizes import unsized
from symtape.tensor.values import shape_of


def non_max_suppression(
    boxes: Any,
    scores: Any,
    max_output_size: Any,
    iou_threshold: Any = 0.5,
    score_threshold: Any = float("-inf"),
    name: str | None = None,
) -> Tensor:
    """List boxes (y₁, x₁, y₂, x₂) in the order of their scores, but for those over a better one.

    Two boxes lie over each other if the area that they share is more than `iou_threshold` of the
    area of both together. Of equal scores the first comes first. Raises `InvalidArgumentError` for
    shapes and thresholds that do not fit.

    >>> boxes = [[0.0, 0.0, 1.0, 1.0], [0.0, 0.1, 1.0, 1.1], [0.0, 5.0, 1.0, 6.0]]
    >>> non_max_suppression(boxes, [0.5, 0.9, 0.7], 3).numpy()
    array([1, 2], dtype=int32)
    """
    op = "NonMaxSuppressionV3"
    places, values = _read(op, boxes, scores, max_output_size, iou_threshold)
    overlap = overlaps(places)
    chosen, _ = _chosen(overlap, values, max_output_size, iou_threshold, score_threshold, 0.0)
    return chosen


def non_max_suppression_with_scores(
    boxes: Any,
    scores: Any,
    max_output_size: Any,
    iou_threshold: Any = 0.5,
    score_threshold: Any = float("-inf"),
    soft_nms_sigma: Any = 0.0,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """List boxes as `non_max_suppression` does, and their scores.

    With `soft_nms_sigma` above 0 a box over better ones stays, and its score is multiplied by
    exp(-share²/2σ) for each of them; `iou_threshold` then decides nothing.

    >>> boxes = [[0.0, 0.0, 1.0, 1.0], [0.0, 0.0, 1.0, 1.0]]
    >>> non_max_suppression_with_scores(boxes, [0.5, 1.0], 2, soft_nms_sigma=0.5)[0].numpy()
    array([1, 0], dtype=int32)
    """
    op = "NonMaxSuppressionV5"
    places, values = _read(op, boxes, scores, max_output_size, iou_threshold)
    if plain(soft_nms_sigma) < 0:
        raise invalid(op, "soft_nms_sigma_ must be non-negative")
    return _chosen(
        overlaps(places), values, max_output_size, iou_threshold, score_threshold, soft_nms_sigma
    )


def non_max_suppression_overlaps(
    overlaps: Any,
    scores: Any,
    max_output_size: Any,
    overlap_threshold: Any = 0.5,
    score_threshold: Any = float("-inf"),
    name: str | None = None,
) -> Tensor:
    """List boxes as `non_max_suppression` does, by a matrix of what they share.

    >>> non_max_suppression_overlaps([[1.0, 0.6], [0.6, 1.0]], [0.2, 0.3], 2).numpy()
    array([1], dtype=int32)
    """
    op = "NonMaxSuppressionWithOverlaps"
    table, values = decided(tensor(overlaps)), decided(tensor(scores))
    if table.ndim != 2 or table.shape[0] != table.shape[1]:
        raise invalid(op, "overlaps must be square")
    if values.shape != table.shape[:1]:
        raise invalid(op, "scores has incompatible shape")
    chosen, _ = _chosen(table, values, max_output_size, overlap_threshold, score_threshold, 0.0)
    return chosen


def _read(op: str, boxes: Any, scores: Any, most: Any, threshold: Any) -> tuple[Any, Any]:
    x, y = (tensor(v) if is_tensor(v) else convert(v, dtypes.float32) for v in (boxes, scores))
    if not 0 <= plain(threshold) <= 1:
        raise invalid(op, "iou_threshold must be in [0, 1]")
    if plain(most) < 0:
        raise invalid(op, "output size must be non-negative")
    count, columns = shape_of(x) if x.ndim == 2 else (0, 0)
    if columns != 4:
        raise invalid(op, f"boxes must have 4 columns (Dimension must be 4 but is {columns})")
    if y.ndim != 1:
        own = ",".join(map(str, shape_of(y)))
        raise invalid(op, f"scores must be 1-D[{own}] (Shape must be rank 1 but is rank {y.ndim})")
    if shape_of(y) != (count,):
        raise invalid(
            op,
            "scores has incompatible shape (Dimensions must be equal, but are "
            f"{count} and {shape_of(y)[0]})",
        )
    return decided(x), decided(y)


def overlaps(boxes: Any) -> Any:
    """Say for each two boxes how much of both together they share."""
    low = np.minimum(boxes[:, :2], boxes[:, 2:])
    high = np.maximum(boxes[:, :2], boxes[:, 2:])
    areas = np.prod(high - low, axis=1)
    shared = np.minimum(high[:, None], high) - np.maximum(low[:, None], low)
    shared = np.prod(np.maximum(shared, 0), axis=2)
    whole = areas[:, None] + areas - shared
    flat = (areas <= 0)[:, None] | (areas <= 0)
    return np.where(flat, 0, shared / np.where(flat, 1, whole))


def _chosen(
    overlap: Any, scores: Any, most: Any, threshold: Any, least: Any, sigma: Any
) -> tuple[Tensor, Tensor]:
    """Choose the best box again and again, and let the scores of those over it fall."""
    limit, floor, soft = (float(plain(v)) for v in (threshold, least, sigma))
    left = scores.astype(np.float32)
    chosen: list[int] = []
    kept: list[Any] = []
    open_ = left > floor
    while open_.any() and len(chosen) < int(plain(most)):
        best = int(np.argmax(np.where(open_, left, -np.inf)))
        open_[best] = False
        chosen.append(best)
        kept.append(left[best])
        share = overlap[best]
        if soft > 0:
            left = (left * np.exp(-0.5 / soft * share**2)).astype(np.float32)
            open_ &= left > floor
        else:
            open_ &= share <= limit
    made = np.array(chosen, np.int32), np.array(kept, scores.dtype)
    return unsized(Tensor(made[0]), 0), unsized(Tensor(made[1]), 0)
