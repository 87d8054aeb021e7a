"""A box that is drawn within an image so that it covers enough of given ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from symtape.ops.arguments import allowed, check, listed, tensor
from symtape.ops.random.drawing.philox import Stream, scrambled
from symtape.ops.random.drawing.words import Words
from symtape.ops.random.seeds import SEEDS, fresh
from symtape.tensor import dtypes
from symtape.tensor.convert import convert
from symtape.tensor.decided import decided_by_look
from symtape.tensor.dispatch import invalid
from symtape.tensor.recording.looking import forgotten
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import shape_of

_SIZES = allowed("uint8, int8, int16, int32, int64")
_RATIOS, _AREAS, _TRIES = (0.75, 1.33), (0.05, 1.0), 100
_F = np.float32
Pixels = tuple[int, int, int, int]
"""A box in whole pixels: top, left, bottom, right."""


class SampleDistortedBoundingBoxV2(NamedTuple):
    """Where the box begins and its size, for `tf.slice`, and the box in parts of the image."""

    begin: Tensor
    size: Tensor
    bboxes: Tensor


class StatelessSampleDistortedBoundingBox(NamedTuple):
    """See `SampleDistortedBoundingBoxV2`."""

    begin: Tensor
    size: Tensor
    bboxes: Tensor


class _Wanted(NamedTuple):
    """How the box is to be: the share of a given one that it covers, its shape and its size."""

    op: str
    covered: Any
    ratios: Sequence[float]
    areas: Sequence[float]
    tries: int
    whole_if_none: bool

    @property
    def key(self) -> tuple[Any, ...]:
        """What tells calls apart that draw from one seed."""
        return self.op, *self.ratios, *self.areas, self.tries, self.whole_if_none


def sample_distorted_bounding_box(
    image_size: Any,
    bounding_boxes: Any,
    seed: Any = 0,
    min_object_covered: Any = 0.1,
    aspect_ratio_range: Any = None,
    area_range: Any = None,
    max_attempts: int | None = None,
    use_image_if_no_bounding_boxes: bool | None = None,
    name: str | None = None,
) -> SampleDistortedBoundingBoxV2:
    """Draw a box in an image of a size [height, width, channels], by `seed` as TensorFlow does.

    The box covers `min_object_covered` of one of `bounding_boxes`, [1, boxes, 4] in parts of the
    image, y before x; width by height is in `aspect_ratio_range`, and its share of the image in
    `area_range`. After `max_attempts` it is the whole image. Without a seed it is another one each
    time. Raises `InvalidArgumentError` for arguments that do not fit, and without boxes, unless
    `use_image_if_no_bounding_boxes`.

    >>> found = sample_distorted_bounding_box([20, 30, 3], [[[0.1, 0.2, 0.8, 0.9]]], seed=1)
    >>> found.begin.shape, found.size.shape, found.bboxes.shape
    (TensorShape([3]), TensorShape([3]), TensorShape([1, 1, 4]))
    """
    op = "SampleDistortedBoundingBoxV2"
    wanted = _wanted(
        op, min_object_covered, aspect_ratio_range, area_range, max_attempts,
        use_image_if_no_bounding_boxes,
    )  # fmt: skip
    size, boxes = _read(wanted, image_size, bounding_boxes)
    if seed:
        stream = SEEDS.stream((*wanted.key, size.dtype.name), seed, wanted.tries)
    else:
        stream = fresh()
    return SampleDistortedBoundingBoxV2(*map(forgotten, _drawn(wanted, size, boxes, stream)))


def stateless_sample_distorted_bounding_box(
    image_size: Any,
    bounding_boxes: Any,
    seed: Any,
    min_object_covered: Any = 0.1,
    aspect_ratio_range: Any = None,
    area_range: Any = None,
    max_attempts: int | None = None,
    use_image_if_no_bounding_boxes: bool | None = None,
    name: str | None = None,
) -> StatelessSampleDistortedBoundingBox:
    """Draw a box as `sample_distorted_bounding_box`, as a function of a seed, two integers.

    Raises `InvalidArgumentError` as that does, and for another seed.

    >>> boxes = [[[0.1, 0.2, 0.8, 0.9]]]
    >>> stateless_sample_distorted_bounding_box([20, 30, 3], boxes, seed=(1, 2)).begin.numpy()
    array([ 3, 12,  0], dtype=int32)
    """
    op = "StatelessSampleDistortedBoundingBox"
    wanted = _wanted(
        op, min_object_covered, aspect_ratio_range, area_range, max_attempts,
        use_image_if_no_bounding_boxes,
    )  # fmt: skip
    numbers = np.asarray(decided_by_look(tensor(seed)))
    if numbers.shape != (2,):
        raise invalid(op, f"seed must have shape [2], not {listed(numbers.shape)}")
    size, boxes = _read(wanted, image_size, bounding_boxes)
    stream = scrambled((int(numbers[0]), int(numbers[1])))
    return StatelessSampleDistortedBoundingBox(*_drawn(wanted, size, boxes, stream))


# --- arguments ------------------------------------------------------------------------------------


def _wanted(
    op: str, covered: Any, ratios: Any, areas: Any, tries: int | None, whole: bool | None
) -> _Wanted:
    """Read how the box is to be; raises `InvalidArgumentError` for what no box is."""
    found = [
        [float(_F(n)) for n in (default if given is None else given)]
        for given, default in ((ratios, _RATIOS), (areas, _AREAS))
    ]
    for what, ends in zip(("Aspect ratio", "Area"), found, strict=True):
        if len(ends) != 2:
            raise invalid(op, f"{what} range field must specify 2 dimensions")
        if min(ends) <= 0:
            raise invalid(op, f"{what} range must be non-negative: [{ends[0]:g}, {ends[1]:g}]")
    first, last = found[1]
    if max(first, last) > 1:
        text = f"Area range must be less then or equal to 1.0: [{first:g}, {last:g}]"
        raise invalid(op, text)
    count = _TRIES if tries is None else tries
    if count <= 0:
        raise invalid(op, f"Max attempts must be non-negative: {count}")
    return _Wanted(op, covered, found[0], found[1], count, bool(whole))


def _read(wanted: _Wanted, image_size: Any, bounding_boxes: Any) -> tuple[Tensor, Any]:
    op, size = wanted.op, tensor(image_size)
    check(op, size, _SIZES, "image_size:T, bounding_boxes:float -> begin:T, size:T, bboxes:float")
    shape = shape_of(size)
    if len(shape) != 1:
        raise invalid(op, f"image_size must be 1-dimensional{listed(shape)}")
    if shape != (3,):
        raise invalid(op, f"image_size must contain 3 elements{listed(shape)}")
    boxes = np.asarray(decided_by_look(convert(bounding_boxes, dtypes.float32)))
    if boxes.ndim != 3:
        text = "input boxes must be 3-dimensional [batch, num_boxes, coords]: "
        raise invalid(op, text + listed(boxes.shape))
    if boxes.shape[-1] != 4:
        text = f"bounding boxes must have shape [4] or [*, 4], got {listed(boxes.shape)}"
        raise invalid(op, text)
    covered = np.asarray(decided_by_look(convert(wanted.covered, dtypes.float32)))
    if covered.ndim:
        raise invalid(op, f"min_object_covered must be 0-D, got shape {listed(covered.shape)}")
    if covered < 0:
        raise invalid(op, f"Min object covered must be non-negative: {float(covered):g}")
    for number in boxes.ravel():
        if not 0 <= number <= 1:
            text = f"All bounding box coordinates must be in [0.0, 1.0]: {float(number):g}"
            raise invalid(op, text)
    return size, boxes.reshape(-1, 4)


# --- drawing --------------------------------------------------------------------------------------


def _drawn(wanted: _Wanted, size: Tensor, boxes: Any, stream: Stream) -> tuple[Tensor, ...]:
    height, width = (int(n) for n in decided_by_look(size)[:2])
    scale = np.array([height, width, height, width], _F)
    given: list[Pixels] = [tuple(row) for row in (boxes * scale).astype(np.int32).tolist()]
    if not given and not wanted.whole_if_none:
        raise invalid(
            wanted.op,
            "No bounding boxes provided as input. One must enable use_image_if_no_bounding_boxes "
            "if you wish to not provide any bounding boxes.",
        )
    whole = (0, 0, height, width)
    found = _found(wanted, height, width, given or [whole], Words(stream)) or whole
    top, left, bottom, right = found
    kind = size.dtype.numpy
    begin = np.array([top, left, 0]).astype(kind)
    extent = np.array([bottom - top, right - left, -1]).astype(kind)
    parts = np.array(found, _F) / scale
    return Tensor(begin), Tensor(extent), Tensor(parts.reshape(1, 1, 4))


def _found(
    wanted: _Wanted, height: int, width: int, given: list[Pixels], words: Words
) -> Pixels | None:
    """Draw boxes until one covers enough; None after as many as are tried."""
    first, last = map(_F, wanted.ratios)
    least = _F(np.asarray(decided_by_look(convert(wanted.covered, dtypes.float32))))
    for _ in range(wanted.tries):
        ratio = words.unit_float() * (last - first) + first
        box = _box(height, width, wanted.areas, ratio, words)
        if box is not None and _covers(box, given, least):
            return box
    return None


def _box(
    height: int, width: int, areas: Sequence[float], ratio: Any, words: Words
) -> Pixels | None:
    """Draw a box of some shape and size; None where there is none."""
    small, large = (_F(part) * _F(width) * _F(height) for part in areas)
    if small > large or not height or not width:
        return None
    rows, most = (int(np.rint(np.sqrt(area / ratio))) for area in (small, large))
    if _across(most, ratio) > width:
        most = int((width + 0.5 - float(_F(0.0000001))) / float(ratio))
        most -= int(_across(most, ratio) > width)
    most = min(most, height)
    rows = min(rows, most)
    if rows < most:
        rows += words.below(most - rows + 1)
    if _F(rows * _across(rows, ratio)) < small:
        rows += 1
    if _F(rows * _across(rows, ratio)) > large:
        rows -= 1
    columns = _across(rows, ratio)
    if not small <= _F(rows * columns) <= large or not (
        0 < columns <= width and 0 < rows <= height
    ):
        return None
    top = words.below(height - rows) if rows < height else 0
    left = words.below(width - columns) if columns < width else 0
    return top, left, top + rows, left + columns


def _across(rows: int, ratio: Any) -> int:
    """Give the width of a box of some height."""
    return int(np.rint(_F(rows) * ratio))


def _covers(box: Pixels, given: list[Pixels], least: Any) -> bool:
    """Say whether a box covers enough of one of those that were given."""
    if _area(box) < 1:
        return False
    for other in given:
        common = (*map(max, box[:2], other[:2]), *map(min, box[2:], other[2:]))
        top, left, bottom, right = common
        shared = 0 if top > bottom or left > right else (bottom - top) * (right - left)
        if _area(other) >= 1 and _F(shared) / _F(_area(other)) >= least:
            return True
    return False


def _area(box: Pixels) -> int:
    return (box[2] - box[0]) * (box[3] - box[1])
