"""Batches: elements stacked along a new first axis, and taken apart along it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property, partial
from itertools import cycle, islice
from typing import Any

import numpy as np

from symtape.data.elements.specs import DatasetSpec, batch_of, row_of_batch, specs_of
from symtape.data.elements.structures import array_of, builder, flatten, holds_records
from symtape.data.stages.base import UNKNOWN, After, Failed, Stage, leaf_at, likened
from symtape.data.stages.resuming import GoesOn, flattened
from symtape.errors import FailedPreconditionError, InvalidArgumentError, UnsupportedError
from symtape.ops.arguments import listed
from symtape.ops.composite import CompositeSpec
from symtape.ops.composite_elements import check_rows, count_of, home_of
from symtape.ops.sparse.spec import SparseTensorSpec
from symtape.tensor.tensor import Tensor


def batches_of(count: int, size: int, *, drops: bool) -> int:
    """Count the batches of some elements, of which the last may be dropped."""
    if count < 0:
        return count
    return count // size if drops else -(-count // size)


class Batch(After):
    """A number of elements as one."""

    def __init__(self, before: Stage, size: int, *, drops: bool, op: str) -> None:
        super().__init__(before)
        if size < 1:
            raise InvalidArgumentError.of(op, "Batch size must be greater than zero.")
        self.size = size
        self.drops = drops

    @cached_property
    def spec(self) -> Any:
        """One axis more, whose size is known if what remains is dropped."""
        size = self.size if self.drops else None
        return batch_of(self.before.spec, size)

    @property
    def cardinality(self) -> int:
        """The quotient."""
        return batches_of(self.before.cardinality, self.size, drops=self.drops)

    def run(self) -> Iterator[Any]:
        """Take rows of columns at once, and stack other elements."""
        rows = self.before.rows
        if rows is None:
            return GoesOn(partial(self._stacked, self.before.run()))
        return self._cut(rows.columns, rows.places())

    def _cut(self, columns: Sequence[Any], order: range | Iterator[int]) -> Iterator[Any]:
        build = builder(self.spec)
        parts = _ranges(order, self.size) if isinstance(order, range) else _lists(order, self.size)
        for count, places in parts:
            if self.drops and count < self.size:
                return
            yield build([Tensor(column[places]) for column in columns])

    def _stacked(self, found: Iterator[Any]) -> Iterator[Any]:
        while elements := list(islice(found, self.size)):
            if self.drops and len(elements) < self.size:
                return
            yield stacked(
                elements, self.before.told(elements[0]), self.size if self.drops else None
            )

    def probe(self, number: int) -> Any:
        """Stack an element as often as the axis is long."""
        element = self.before.probe(number)
        count = probed_size(self, number)
        return stacked([element] * count, self.before.told(element))

    def told(self, element: Any) -> Any:
        """Ask the stage before, by a row."""
        if self.is_certain:
            return self.spec
        row_spec = self.before.told(next(rows_of(element)))
        return batch_of(row_spec, None)


def probed_size(stage: Any, number: int) -> int:
    """Say how many elements make a batch that is probed: by default as many as the first has."""
    size: int = stage.size
    if stage.drops:
        return size
    whole = stage.before.cardinality
    return number or (min(size, whole) if whole > 0 else size)


def _ranges(order: range, size: int) -> Iterator[tuple[int, slice]]:
    """Cut a range into slices."""
    for first in range(0, len(order), size):
        part = order[first : first + size]
        yield len(part), slice(part.start, part.stop, part.step)


def _lists(order: Iterator[int], size: int) -> Iterator[tuple[int, Any]]:
    """Cut an order into arrays of places."""
    while places := list(islice(order, size)):
        yield len(places), np.array(places)


def stacked(elements: Sequence[Any], spec: Any, size: int | None = None) -> Any:
    """Stack elements of a spec; raises `Failed` where their shapes differ.

    Records have the shapes that the spec of a batch of a size says.
    """
    leaves = zip(flatten(spec), *map(flatten, elements), strict=True)
    template = batch_of(spec, size) if holds_records(spec) else elements[0]
    return builder(template)([_joined(leaf, parts, n) for n, (leaf, *parts) in enumerate(leaves)])


def _joined(spec: Any, parts: Sequence[Any], component: int) -> Any:
    if parts[0] is None:
        return None
    if isinstance(spec, CompositeSpec):
        return home_of(spec).stacked(spec, parts)
    if not isinstance(parts[0], Tensor):
        raise UnsupportedError(
            "tf.data: datasets have no batch; use `flat_map(lambda window: window.batch(n))`, or "
            "`tf.data.Dataset.zip` in it where there are several"
        )
    arrays = [array_of(part) for part in parts]
    first = arrays[0]
    for number, array in enumerate(arrays):
        if array.shape != first.shape:
            raise Failed(
                InvalidArgumentError,
                f"Cannot batch tensors with different shapes in component {component}. First "
                f"element had shape {listed(first.shape)} and element {number} had shape "
                f"{listed(array.shape)}.",
            )
    return Tensor(np.stack(arrays) if first.ndim or first.dtype == object else np.array(arrays))


class Unbatch(After):
    """The rows of elements."""

    def __init__(self, before: Stage) -> None:
        super().__init__(before)
        if before.is_certain:
            self.spec  # noqa: B018 - what has no rows is told now

    @cached_property
    def spec(self) -> Any:
        """One axis less; raises `ValueError` where there is none, or not the same size of it."""
        size = None
        for spec in flatten(self.before.spec):
            if isinstance(spec, DatasetSpec):
                raise UnsupportedError("tf.data.Dataset.unbatch: a dataset has no rows; `flat_map`")
            if spec.shape.rank == 0:
                raise ValueError("Cannot unbatch an input with scalar components.")
            if isinstance(spec, CompositeSpec):
                continue
            other = None if spec.shape.rank is None else spec.shape[0]
            if None not in (size, other) and size != other:
                raise ValueError(
                    "`unbatch()` is only supported for datasets of elements whose components have "
                    f"a matching leading dimension. Encountered both {size} and {other}."
                )
            size = other if size is None else size
        return row_of_batch(self.before.spec)

    @property
    def cardinality(self) -> int:
        """A product, where all elements have the same number of rows."""
        whole = self.before.cardinality
        if whole < 0:
            return whole
        specs = flatten(self.before.spec)
        shapes = [s.shape for s in specs if not isinstance(s, SparseTensorSpec)]
        sizes = [shape[0] for shape in shapes if shape.rank and shape[0] is not None]
        return whole * sizes[0] if sizes and sizes[0] else UNKNOWN

    def run(self) -> Iterator[Any]:
        """Take element by element apart."""
        self.spec  # noqa: B018 - what has no rows is told before the first element
        return flattened(map(rows_of, self.before.run()))

    def told(self, element: Any) -> Any:
        """Give the spec of a row."""
        return self.spec

    def probe(self, number: int) -> Any:
        """Take a row of an element, or make one where it has none."""
        found = next(rows_of(self.before.probe(number)), None)
        if found is None:
            return super(After, self).probe(number)
        leaves = zip(flatten(self.spec), flatten(found), strict=True)
        return builder(found)([likened(spec, leaf, number) for spec, leaf in leaves])


def rows_of(element: Any) -> Iterator[Any]:
    """Take an element apart; raises `Failed` where its parts have unlike numbers of rows."""
    template = row_of_batch(specs_of(element)) if holds_records(element) else element
    build = builder(template)
    columns = [array_of(leaf) for leaf in flatten(element)]
    counts = []
    for column in columns:
        check_rows(column)
        counts.append(count_of(column))
    for number, count in enumerate(counts):
        if count != counts[0]:
            raise Failed(
                InvalidArgumentError,
                "Input element must have the same batch size in each component. Component 0 had "
                f"size {counts[0]} but component {number} had size, {count}.",
            )
    for place in range(counts[0]):
        yield build([leaf_at(column, place) for column in columns])


class Rebatch(After):
    """Batches of other sizes, which are taken in turn."""

    def __init__(self, before: Stage, sizes: Sequence[int], *, drops: bool) -> None:
        super().__init__(before)
        if not sizes:
            raise IndexError("index 0 is out of bounds for axis 0 with size 0")
        if min(sizes) < 1:
            raise UnsupportedError("tf.data.Dataset.rebatch: a batch has one element at least")
        self._sizes = sizes
        self._drops = drops
        if before.is_certain:
            self.spec  # noqa: B018 - what has no rows is told now

    @cached_property
    def spec(self) -> Any:
        """The same rows; the size is known where no batch is shorter."""
        size = self._sizes[0] if len(set(self._sizes)) == 1 else None
        if size is not None and not self._drops and self._may_be_shorter(size):
            size = None
        return batch_of(row_of_batch(self.before.spec), size)

    def _may_be_shorter(self, size: int) -> bool:
        specs = flatten(self.before.spec)
        for spec in specs:
            if spec.shape.rank == 0:
                raise ValueError(
                    "Invalid `batch_sizes`. Expected dataset with rank of >= 1 but found a dataset "
                    "with scalar elements. Fix the issue by adding the `batch` transformation to "
                    "the dataset."
                )
        known = [s.shape[0] for s in specs if s.shape.rank and s.shape[0] is not None]
        if not known:
            return True
        if any(count != known[0] for count in known):
            raise ValueError(
                f"Invalid `input_dataset.` The batch dimension of component 0 is {known[0]}, while "
                f"the batch dimension of component i is {np.array(known)}."
            )
        return bool(known[0] % size)

    cardinality = UNKNOWN

    def run(self) -> Iterator[Any]:
        """Join rows of elements until there are enough."""
        found = flattened(map(rows_of, self.before.run()))
        return GoesOn(partial(self._joined, found, cycle(self._sizes)))

    def told(self, element: Any) -> Any:
        """Give the spec of a batch."""
        return self.spec

    def _joined(self, found: Iterator[Any], sizes: Iterator[int]) -> Iterator[Any]:
        spec = row_of_batch(self.before.spec)
        for size in sizes:
            elements = list(islice(found, size))
            if not elements or (self._drops and len(elements) < size):
                return
            yield self._batch(elements, spec)

    def _batch(self, elements: Sequence[Any], spec: Any) -> Any:
        try:
            return stacked(elements, spec)
        except Failed as failure:  # TensorFlow has another type for this
            raise Failed(FailedPreconditionError, failure.text) from None

    def probe(self, number: int) -> Any:
        """Stack rows of an element."""
        found = next(rows_of(self.before.probe(number)), None)
        if found is None:
            return super(After, self).probe(number)
        size = flatten(self.spec)[0].shape[0]
        rows = [found] * (size or number or self._sizes[0])
        return stacked(rows, row_of_batch(self.before.spec))
