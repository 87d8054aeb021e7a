"""Boxes that lie over better ones left out, of many images at a time."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from symtape.ops.arguments import listed, of_dtype, plain, tensor
from symtape.ops.elementwise.arithmetic import clip_by_value, where
from symtape.ops.image.regions.suppression import overlaps
from symtape.ops.indexing.gathering import gather_nd
from symtape.tensor import dtypes
from symtape.tensor.convert import convert
from symtape.tensor.decided import decided_by_look
from symtape.tensor.dispatch import invalid
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import shape_of

_OP = "CombinedNonMaxSuppression"


class CombinedNonMaxSuppression(NamedTuple):
    """What `combined_non_max_suppression` gives."""

    nmsed_boxes: Tensor
    nmsed_scores: Tensor
    nmsed_classes: Tensor
    valid_detections: Tensor


def combined_non_max_suppression(
    boxes: Any,
    scores: Any,
    max_output_size_per_class: Any,
    max_total_size: Any,
    iou_threshold: Any = 0.5,
    score_threshold: Any = float("-inf"),
    pad_per_class: bool = False,
    clip_boxes: bool = True,
    name: str | None = None,
) -> CombinedNonMaxSuppression:
    """Choose boxes of each image and class as `non_max_suppression` does, and the best of all.

    `boxes` are [batch, boxes, q, 4], where q is 1 or the number of classes, `scores` [batch, boxes,
    classes], all float32. Of each image there are `max_total_size` results, or, with
    `pad_per_class`, at most as many as classes can have; what is missing is zero. `clip_boxes`
    keeps corners between 0 and 1. As in TensorFlow, classes that have fewer boxes than they may
    are filled with boxes of the score -1, which come before worse ones. Of equal scores the earlier
    class comes first; of more than sixteen boxes TensorFlow can have another order. A tape
    differentiates in boxes and scores. Raises `InvalidArgumentError` for shapes, dtypes, sizes and
    thresholds that do not fit.

    >>> boxes = [[[[0.0, 0.0, 1.0, 1.0]], [[0.0, 0.1, 1.0, 1.1]]]]
    >>> found = combined_non_max_suppression(boxes, [[[0.5, 0.9], [0.75, 0.25]]], 1, 3)
    >>> found.nmsed_scores.numpy(), found.nmsed_classes.numpy()
    (array([[0.9 , 0.75, 0.  ]], dtype=float32), array([[1., 0., 0.]], dtype=float32))
    """
    for what, value in (("pad_per_class", pad_per_class), ("clip_boxes", clip_boxes)):
        if value is not None and not isinstance(value, bool):
            raise TypeError(f"Expected bool for argument '{what}' not {value!r}.")
    thresholds = [convert(v, dtypes.float32) for v in (iou_threshold, score_threshold)]
    x, y = (of_dtype(_OP, v, dtypes.float32, k) for k, v in enumerate((boxes, scores)))
    sizes = (max_output_size_per_class, tensor(max_total_size))
    limits = [of_dtype(_OP, n, dtypes.int32, k) for k, n in enumerate(sizes, 2)]
    _check(x, y, limits, thresholds)
    per_class, total = (int(plain(n)) for n in limits)
    room = min(total, per_class * shape_of(y)[2]) if pad_per_class else total
    limit, floor = (float(plain(t)) for t in thresholds)
    most = min(per_class, shape_of(x)[1])
    chosen = [
        _best(*own, most, limit, floor)
        for own in zip(decided_by_look(x), decided_by_look(y), strict=True)
    ]
    return _results(x, y, chosen, room, clip_boxes is not False)


class _Candidate(NamedTuple):
    """A box of a class; the box -1 is none."""

    score: Any = np.float32(-1)
    box: int = -1
    kind: int = -1


def _best(boxes: Any, scores: Any, most: int, limit: float, floor: float) -> list[_Candidate]:
    """Choose boxes of one image, class by class, and put them in the order of their scores."""
    found: list[_Candidate] = []
    for kind in range(scores.shape[1]):
        share = overlaps(boxes[:, kind if boxes.shape[1] > 1 else 0])
        line = scores[:, kind]
        chosen: list[int] = []
        for k in _queued(line, np.flatnonzero(line > floor).tolist()):
            if len(chosen) < most and (share[k, chosen] <= limit).all():
                chosen.append(k)
        found += [_Candidate(line[k], k, kind) for k in chosen]
        found += [_Candidate()] * (most - len(chosen))
    return sorted(found, key=lambda c: -c.score)


def _queued(scores: Any, numbers: list[int]) -> list[int]:
    """Put numbers in the order in which a queue by scores gives them.

    Equal scores come as the heap of C++'s standard library has them, which TensorFlow uses.
    """
    heap: list[int] = []
    for k in numbers:
        heap.append(k)
        _rise(heap, scores, len(heap) - 1)
    order = []
    while heap:
        order.append(heap[0])
        last = heap.pop()
        if heap:
            _sink(heap, scores, last)
    return order


def _rise(heap: list[int], scores: Any, hole: int) -> None:
    """Exchange an entry with those above it while it has the larger score."""
    value = heap[hole]
    while hole and scores[heap[(hole - 1) // 2]] < scores[value]:
        heap[hole] = heap[(hole - 1) // 2]
        hole = (hole - 1) // 2
    heap[hole] = value


def _sink(heap: list[int], scores: Any, value: int) -> None:
    """Fill the first place from below, down to a leaf, and let an entry rise from there."""
    hole, size = 0, len(heap)
    while 2 * hole + 2 < size:
        child = 2 * hole + 2
        child -= bool(scores[heap[child]] < scores[heap[child - 1]])
        heap[hole], hole = heap[child], child
    if 2 * hole + 1 < size:
        heap[hole], hole = heap[2 * hole + 1], 2 * hole + 1
    heap[hole] = value
    _rise(heap, scores, hole)


def _results(
    x: Tensor, y: Tensor, chosen: list[list[_Candidate]], room: int, clips: bool
) -> CombinedNonMaxSuppression:
    """Gather what was chosen; where nothing was, there are zeros, or TensorFlow's -1."""
    batch = len(chosen)
    at = np.zeros((batch, room, 3), np.int64)
    real, values = np.zeros((batch, room), bool), np.zeros((2, batch, room), np.float32)
    counts = [min(room, sum(c.box >= 0 for c in own)) for own in chosen]
    for k, (own, count) in enumerate(zip(chosen, counts, strict=True)):
        for j, c in enumerate(own[:count]):
            real[k, j] = c.box >= 0
            at[k, j] = k, max(c.box, 0), max(c.kind, 0)
            values[:, k, j] = c.score, c.kind
    valid = Tensor(np.array(counts, np.int32))
    if not real.any():
        none = Tensor(np.zeros((batch, room, 4), np.float32))
        return CombinedNonMaxSuppression(none, Tensor(values[0]), Tensor(values[1]), valid)
    corner = at if shape_of(x)[2] > 1 else at * [1, 1, 0]
    found = gather_nd(x, corner)
    if clips:
        found = clip_by_value(found, 0.0, 1.0)
    best = where(Tensor(real), gather_nd(y, at), Tensor(values[0]))
    found = where(Tensor(real[..., None]), found, np.float32(0))
    return CombinedNonMaxSuppression(found, best, Tensor(values[1]), valid)


def _check(x: Tensor, y: Tensor, limits: list[Tensor], thresholds: list[Tensor]) -> None:
    if shape_of(x)[:1] != shape_of(y)[:1]:
        raise invalid(_OP, "boxes and scores must have same batch size")
    for what, text, given in (
        ("max_size_per_class", "must be positive", limits[0]),
        ("max_total_size", "must be > 0", limits[1]),
    ):
        _check_scalar(what, given)
        if int(plain(given)) <= 0:
            raise invalid(_OP, f"{what} {text}")
    for what, given in zip(("iou_threshold", "score_threshold"), thresholds, strict=True):
        _check_scalar(what, given)
    if not 0 <= plain(thresholds[0]) <= 1:
        raise invalid(_OP, "iou_threshold must be in [0, 1]")
    _check_shapes(shape_of(x), shape_of(y))


def _check_scalar(what: str, given: Tensor) -> None:
    if given.ndim:
        raise invalid(_OP, f"{what} must be 0-D, got shape {listed(shape_of(given))}")


def _check_shapes(boxes: tuple[int, ...], scores: tuple[int, ...]) -> None:
    if len(boxes) != 4:
        raise invalid(_OP, f"boxes must be 4-D{listed(boxes)}")
    if len(scores) != 3:
        raise invalid(_OP, f"scores must be 3-D{listed(scores)}")
    if boxes[2] not in {1, scores[2]}:
        raise invalid(_OP, "third dimension of boxes must be either 1 or num classes")
    if boxes[3] != 4:
        raise invalid(_OP, "boxes must have 4 columns")
    if boxes[1] != scores[1]:
        raise invalid(_OP, "scores has incompatible shape")
