"""Batches of elements of different sizes, which are filled up to one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property, partial
from itertools import islice
from typing import Any, NamedTuple

import numpy as np

from symtape.data.elements.specs import DatasetSpec, loosened
from symtape.data.elements.structures import (
    array_of,
    builder,
    flatten,
    is_node,
    refuse_records,
    up_to,
)
from symtape.data.stages.base import After, Failed, Stage
from symtape.data.stages.batching.batches import batches_of, probed_size
from symtape.data.stages.resuming import GoesOn
from symtape.errors import DataLossError, InvalidArgumentError
from symtape.ops.spec import TensorSpec
from symtape.tensor import dtypes
from symtape.tensor.convert import convert
from symtape.tensor.shape import TensorShape
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import value_of


class Padding(NamedTuple):
    """What a component is filled up to, None being the longest of a batch, and with what."""

    sizes: tuple[int | None, ...]
    filler: Any


class PaddedBatch(After):
    """A number of elements as one, each filled up at its ends."""

    def __init__(self, before: Stage, size: int, shapes: Any, values: Any, *, drops: bool) -> None:
        super().__init__(before)
        self.size = size
        self._shapes = shapes
        self._values = values
        self.drops = drops
        if before.is_certain:
            self.paddings  # noqa: B018 - what cannot be filled up is told now
        if size < 1:
            raise InvalidArgumentError.of(
                "PaddedBatchDatasetV2", "Batch size must be greater than zero."
            )

    @cached_property
    def paddings(self) -> list[Padding]:
        """How each component is filled up; raises `TypeError` and `ValueError` where it cannot."""
        refuse_records(self.before.spec, "padded_batch", TypeError)
        specs = flatten(self.before.spec)
        for spec in specs:
            _check(spec)
        values = self._filling(specs)
        return [
            Padding(sizes, value) for sizes, value in zip(self._sizes(specs), values, strict=True)
        ]

    def _sizes(self, specs: Sequence[Any]) -> list[tuple[int | None, ...]]:
        known = self.before.is_certain
        if self._shapes is None:
            for number, spec in enumerate(specs):
                if spec.shape.rank is None:
                    raise ValueError(
                        "You must provide `padded_shapes` argument because component "
                        f"{number} has unknown rank."
                    )
            return [tuple(s.shape) if known else (None,) * len(s.shape) for s in specs]
        given = up_to(self.before.spec, self._shapes)
        return [
            _read(shape, spec.shape if known else loosened(spec).shape)
            for shape, spec in zip(given, specs, strict=True)
        ]

    def _filling(self, specs: Sequence[Any]) -> list[Any]:
        given = self._values
        if given is None or not is_node(given):
            values: list[Any] = [given] * len(specs)
        else:
            values = list(up_to(self.before.spec, given))
        return [_fill(value, spec.dtype) for value, spec in zip(values, specs, strict=True)]

    @cached_property
    def spec(self) -> Any:
        """The sizes that are given, or those of all elements."""
        first = self.size if self.drops else None
        specs = flatten(self.before.spec)
        for spec in specs:
            _check(spec)
        is_read = self._shapes is not None or any([s.shape.rank is None for s in specs])
        sizes = [p.sizes for p in self.paddings] if is_read else [spec.shape for spec in specs]
        return builder(self.before.spec)(
            [TensorSpec([first, *n], spec.dtype) for spec, n in zip(specs, sizes, strict=True)]
        )

    @property
    def cardinality(self) -> int:
        """The quotient."""
        return batches_of(self.before.cardinality, self.size, drops=self.drops)

    def run(self) -> Iterator[Any]:
        """Fill up the elements of each batch."""
        return GoesOn(partial(self._padded, self.before.run()))

    def _padded(self, found: Iterator[Any]) -> Iterator[Any]:
        while elements := list(islice(found, self.size)):
            if self.drops and len(elements) < self.size:
                return
            yield self._batch(elements)

    def _batch(self, elements: Sequence[Any]) -> Any:
        columns = zip(*map(flatten, elements), strict=True)
        return builder(elements[0])(
            [
                _filled([array_of(leaf) for leaf in column], padding, number)
                for number, (column, padding) in enumerate(zip(columns, self.paddings, strict=True))
            ]
        )

    def probe(self, number: int) -> Any:
        """Fill up one element as often as the axis is long."""
        return self._batch([self.before.probe(number)] * probed_size(self, number))


def _check(spec: Any) -> None:
    if isinstance(spec, DatasetSpec):
        raise TypeError("`padded_batch` is not supported for datasets of datasets")
    if not isinstance(spec, TensorSpec):
        raise TypeError(
            "`padded_batch` is only supported for datasets that produce tensor elements but type "
            f"spec of elements in the input dataset is not a subclass of TensorSpec: `{spec}`."
        )


def _read(shape: Any, known: TensorShape) -> tuple[int | None, ...]:
    """Read a shape to be filled up to, -1 and None being the longest; compare what is known."""
    if isinstance(shape, Tensor):
        shape = value_of(convert(shape)).tolist()
    given = shape if isinstance(shape, (list, tuple)) else TensorShape(shape)
    sizes = tuple([None if n in (None, -1) else int(n) for n in given])
    if known.rank is not None and (
        len(sizes) != known.rank
        or any(
            [None not in {m, n} and m < n for m, n in zip(sizes, known, strict=True)]  # type: ignore[operator]  # both are known
        )
    ):
        raise ValueError(
            f"The padded shape {TensorShape(sizes)} is not compatible with the shape {known} of "
            "the corresponding input component."
        )
    return sizes


def _fill(value: Any, dtype: dtypes.DType) -> Any:
    """Read what a component is filled up with: a scalar of its dtype, by default zero or ''."""
    if value is None:
        return b"" if dtype == dtypes.string else dtype.numpy.type(0)
    found = convert(value)
    if found.ndim:
        raise ValueError(
            "Invalid `padding_values`. `padding_values` values should be scalars, but got "
            f"{found.shape}."
        )
    if found.dtype != dtype:
        raise TypeError(
            f"Invalid `padding_values`. `padding_values` values type {found.dtype} does not match "
            f"type {dtype} of the corresponding input component."
        )
    array = value_of(found)
    return array.item() if dtype == dtypes.string else array


def _filled(arrays: Sequence[Any], padding: Padding, component: int) -> Tensor:
    rank = len(padding.sizes)
    for array in arrays:
        if array.ndim != rank:
            raise Failed(
                InvalidArgumentError,
                "All elements in a batch must have the same rank as the padded shape for component"
                f"{component}: expected rank {rank} but got element with rank {array.ndim}",
            )
    longest = np.max([array.shape for array in arrays], axis=0) if rank else ()
    sizes = [int(m) if n is None else n for m, n in zip(longest, padding.sizes, strict=True)]
    if any(m > n for m, n in zip(longest, sizes, strict=True)):
        raise Failed(DataLossError, "Attempted to pad to a smaller size than the input element.")
    made = np.full((len(arrays), *sizes), padding.filler, arrays[0].dtype)
    for place, array in enumerate(arrays):
        index: Any = (place, *[slice(size) for size in array.shape])
        made[index] = array[()]  # of a text what it holds
    return Tensor(made)
