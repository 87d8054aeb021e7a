"""Texts joined by the segments that numbers put them into."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from symtape.errors import OutOfRangeError
from symtape.ops.arguments import whole
from symtape.ops.strings.arguments import text_of
from symtape.tensor import dtypes
from symtape.tensor.convert import convert
from symtape.tensor.dispatch import invalid
from symtape.tensor.tensor import Tensor

_OP = "UnsortedSegmentJoin"


def unsorted_segment_join(
    inputs: Any,
    segment_ids: Any,
    num_segments: Any,
    separator: str | bytes | None = "",
    name: str | None = None,
) -> Tensor:
    """Join the texts of each segment, in the order in which they come.

    `segment_ids` has the first axes of `inputs`, and says for each place which of `num_segments`
    it belongs to; the axes after these stay. A segment without texts is empty. Raises
    `InvalidArgumentError` for shapes that do not fit, and numbers of segments that are not there,
    and `OutOfRangeError` for numbers with more axes than there are.

    >>> unsorted_segment_join(["a", "b", "c"], [1, 0, 1], 3, "-").numpy().tolist()
    [b'b', b'a-c', b'']
    """
    if separator is not None and not isinstance(separator, (str, bytes)):
        raise TypeError(f"Expected string for argument 'separator' not {separator!r}.")
    texts = text_of(_OP, inputs)
    ids = np.asarray(whole(_OP, segment_ids, "Tindices"))
    count = np.asarray(whole(_OP, num_segments, "Tnumsegments"))
    _check(texts, ids, count)
    between = separator if isinstance(separator, bytes) else (separator or "").encode()
    rest = texts.shape[ids.ndim :]
    rows = texts.reshape(ids.size, prod(rest))
    out = np.empty((int(count), rows.shape[1]), object)
    for k, line in enumerate(out):
        own = rows[ids.ravel() == k]
        line[:] = [_joined(between, column) for column in own.T]
    return convert(out.reshape(int(count), *rest), dtypes.string)


def _joined(between: bytes, texts: Any) -> bytes:
    """Join texts; before the first that is not empty nothing stands."""
    first = next((k for k, text in enumerate(texts) if text), len(texts))
    return between.join(texts[first:])


def _check(texts: Any, ids: Any, count: Any) -> None:
    if count.ndim:
        raise invalid(_OP, "Number of segments must be a scalar")
    if count < 0:
        raise invalid(_OP, f"Number of segments must be non-negative but got {count}")
    if not ids.ndim:
        raise invalid(_OP, "Segment_id cannot have rank 0")
    if ids.ndim > texts.ndim:
        text = f"Invalid segment_id rank {ids.ndim} for input with {texts.ndim} dimension(s)"
        raise OutOfRangeError.of(_OP, text)
    for k, (n, m) in enumerate(zip(ids.shape, texts.shape, strict=False)):
        if n != m:
            raise invalid(
                _OP,
                f"Segment dimension is {n} while input dimension is {texts.ndim} in rank {k}",
            )
    if ids.size and not 0 <= ids.min() <= ids.max() < count:
        raise invalid(
            _OP, "segment_ids are not allowed to exceed num_segments or to have negative values."
        )
