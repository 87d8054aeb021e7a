"""Buckets of elements by their lengths: which one an element is in, and what is made of one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from symtape.data.elements.structures import builder, mapped, up_to
from symtape.errors import InvalidArgumentError
from symtape.tensor import dtypes
from symtape.tensor.convert import convert
from symtape.tensor.shape import TensorShape
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import value_of


class Buckets:
    """Buckets between boundaries, with a batch size for each."""

    def __init__(
        self,
        length: Any,
        boundaries: Sequence[int],
        sizes: Sequence[int],
        padding: tuple[Any, Any],
        *,
        to_boundary: bool,
        pads: bool,
        drops: bool,
    ) -> None:
        if len(sizes) != len(boundaries) + 1:
            raise ValueError(
                "`len(bucket_batch_sizes)` must equal `len(bucket_boundaries) + 1` but "
                f"`len(bucket_batch_sizes)={len(sizes)}` and `len(bucket_boundaries)="
                f"{len(boundaries)}`."
            )
        self._length = length
        self._boundaries = list(boundaries)
        self._sizes = list(sizes)
        self._padding = padding
        self._to_boundary = to_boundary
        self._pads = pads
        self._drops = drops

    def number(self, *parts: Any) -> Tensor:
        """Give the number of the bucket of an element: a scalar of int64."""
        length = convert(self._length(*parts))
        if length.dtype != dtypes.int32:
            raise TypeError(
                f"Input 'y' of 'LessEqual' Op has type {length.dtype.name} that does not match "
                "type int32 of argument 'x'."
            )
        place = np.searchsorted(self._boundaries, value_of(length), side="right")
        return convert(place, dtypes.int64)

    def size(self, number: Any) -> int:
        """Give the batch size of a bucket."""
        return self._sizes[int(value_of(number))]

    def batch(self, number: Any, elements: Any) -> Any:
        """Make batches of the elements of a bucket."""
        size = self.size(number)
        if not self._pads:
            return elements.batch(size, drop_remainder=self._drops)
        shapes, values = self._padding
        spec = elements.element_spec
        known = mapped(lambda leaf: leaf.shape, spec) if shapes is None else shapes
        filled = self._filled(spec, known, int(value_of(number)))
        return elements.padded_batch(size, filled, values, drop_remainder=self._drops)

    def _filled(self, spec: Any, shapes: Any, number: int) -> Any:
        """Put the longest length of a bucket where a size is not known, or leave that open."""
        longest = None
        if self._to_boundary:
            if number >= len(self._boundaries):
                raise InvalidArgumentError(
                    message="When pad_to_bucket_boundary=True, elements must have length < "
                    "max(bucket_boundaries)."
                )
            longest = self._boundaries[number] - 1
        found = [
            TensorShape([longest if n is None else n for n in TensorShape(shape)])
            for shape in up_to(spec, shapes)
        ]
        return builder(spec)(found)
