"""Ragged rows that are added up, and dealt out, by numbers of segments."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from symtape.ops.arguments import plain, valued
from symtape.ops.elementwise.arithmetic import truediv
from symtape.ops.elementwise.functions import sqrt
from symtape.ops.indexing.gathering import check_inside
from symtape.ops.ragged.elementwise import map_flat_values, same_outer_rows
from symtape.ops.ragged.partitions import stack_dynamic_partitions
from symtape.ops.ragged.reductions import aggregated
from symtape.ops.ragged.rows import Rows, held
from symtape.ops.reductions import segments
from symtape.ops.shapes.creation import ones_like
from symtape.tensor.tensor import Tensor

Run = Callable[..., Any]


def _of_rows(function: Run) -> Run:
    """Make a function of segments take ragged rows, and ragged numbers of segments."""

    def run(data: Any, segment_ids: Any, num_segments: Any, name: str | None = None) -> Any:
        return _aggregated(function, held(data), held(segment_ids), int(plain(num_segments)))

    return run


def _aggregated(function: Run, data: Any, ids: Any, count: int) -> Any:
    """Put together, place by place, the rows that have one number."""
    if not isinstance(data, Rows) and not isinstance(ids, Rows):
        return function(data, ids, count)
    if isinstance(ids, Rows):
        if not isinstance(data, Rows):
            raise ValueError("If segment_ids is a RaggedTensor, then data must be a RaggedTensor.")
        same_outer_rows(data, ids)
        return _aggregated(function, data.values, ids.values, count)
    segments.unsorted_segment_max(Tensor(np.diff(data.splits)), ids, count)  # which looks at both
    check_inside(ids, count)
    return aggregated(function, data, np.asarray(valued(ids)), count)


_sum = _of_rows(segments.unsorted_segment_sum)


def _quotient(by: Run) -> Run:
    """Divide a sum of segments by what a function makes of how many there are."""

    def run(data: Any, segment_ids: Any, num_segments: Any, name: str | None = None) -> Any:
        total = _sum(data, segment_ids, num_segments)
        ones = map_flat_values(ones_like, held(data))
        count = _sum(ones, segment_ids, num_segments)
        return map_flat_values(lambda x, n: truediv(x, by(n)), total, count)

    return run


SEGMENTS: dict[str, Run] = {
    "unsorted_segment_sum": _sum,
    "unsorted_segment_prod": _of_rows(segments.unsorted_segment_prod),
    "unsorted_segment_max": _of_rows(segments.unsorted_segment_max),
    "unsorted_segment_min": _of_rows(segments.unsorted_segment_min),
    "unsorted_segment_mean": _quotient(lambda n: n),
    "unsorted_segment_sqrt_n": _quotient(sqrt),
}
"""What `tf.math`'s functions of these names do with ragged rows.

>>> from symtape.ops.ragged.tensor import RaggedTensor
>>> rows = RaggedTensor.from_row_lengths([1.0, 2.0, 3.0], [2, 1])
>>> SEGMENTS["unsorted_segment_sum"](rows, [0, 0], 1).to_list()
[[4.0, 2.0]]
"""


def dynamic_partition(
    data: Any, partitions: Any, num_partitions: Any, name: str | None = None
) -> list[Any]:
    """Deal rows out to some lists, ragged ones.

        >>> from symtape.ops.ragged.tensor import RaggedTensor
    >>> rows = RaggedTensor.from_row_lengths([1, 2, 3], [2, 1])
        >>> [part.to_list() for part in dynamic_partition(rows, [1, 0], 2)]
        [[[3]], [[1, 2]]]
    """
    if not isinstance(num_partitions, int) or num_partitions < 0:
        raise TypeError("num_partitions must be a non-negative integer")
    dealt = stack_dynamic_partitions(data, partitions, num_partitions)
    return [dealt[k] for k in range(num_partitions)]
