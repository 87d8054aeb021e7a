"""Where elements come from: tensors, their slices, and numbers that are counted."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from symtape.data.elements.specs import NoneTensorSpec, row_of_batch, specs_of
from symtape.data.elements.structures import (
    Holder,
    again,
    array_of,
    builder,
    flatten,
    mapped,
    normalized,
)
from symtape.data.stages.base import INFINITE, Rows, Stage, leaf_at, likened
from symtape.errors import InvalidArgumentError, UnsupportedError
from symtape.ops.composite import CompositeTensor
from symtape.ops.composite_elements import check_rows, count_of
from symtape.ops.spec import TensorSpec
from symtape.tensor.dtypes import DType
from symtape.tensor.tensor import Tensor


class Slices(Stage):
    """The rows of tensors along their first axis."""

    def __init__(self, tensors: Any) -> None:
        element = normalized(tensors)
        leaves = flatten(element)
        if any(isinstance(leaf, Holder) for leaf in leaves):
            raise UnsupportedError(
                "tf.data.Dataset.from_tensor_slices: a dataset has no slices; give tensors, or use "
                "`tf.data.Dataset.from_tensors` and `flat_map`"
            )
        for leaf in leaves:
            check_rows(leaf)
        self.spec = row_of_batch(specs_of(element))
        if all(leaf is None for leaf in leaves):
            raise ValueError("Invalid `element`. `element` should not be empty.")
        self._whole = [leaf is None for leaf in leaves]
        self._build = builder(self.spec)
        self._columns = tuple([array_of(leaf) for leaf in leaves if leaf is not None])
        self._are_arrays = not any(
            leaf is None or isinstance(leaf, CompositeTensor) for leaf in leaves
        )
        self._count = count_of(self._columns[0])
        for column in self._columns:
            if count_of(column) != self._count:
                raise ValueError(
                    f"Dimensions {self._count} and {count_of(column)} are not compatible"
                )

    @property
    def cardinality(self) -> int:
        """The number of rows."""
        return self._count

    @property
    def rows(self) -> Rows | None:
        """All of them, in order; none where columns are no arrays."""
        return Rows(self._columns, range(self._count)) if self._are_arrays else None

    def run(self) -> Iterator[Any]:
        """Take row by row."""
        if self._are_arrays:
            return super().run()
        return map(self._row, range(self._count))

    def _row(self, place: int) -> Any:
        found = iter(self._columns)
        return self._build(
            [None if whole else leaf_at(next(found), place) for whole in self._whole]
        )

    def probe(self, number: int) -> Any:
        """Take a row, so that elements differ as the data do."""
        if not self._count:
            return super().probe(number)
        leaves = zip(flatten(self.spec), flatten(self._row(number % self._count)), strict=True)
        return self._build([likened(spec, leaf, number) for spec, leaf in leaves])


class Whole(Stage):
    """One element."""

    def __init__(self, tensors: Any) -> None:
        self._element = normalized(tensors)
        self.spec = specs_of(self._element)
        if all(isinstance(spec, NoneTensorSpec) for spec in flatten(self.spec)):
            raise InvalidArgumentError(
                message="Length for attr 'output_shapes' of 0 must be at least minimum 1\n\t; "
                "NodeDef: {{node TensorDataset}} [Op:TensorDataset]"
            )

    @property
    def cardinality(self) -> int:
        """One."""
        return 1

    def run(self) -> Iterator[Any]:
        """Give a new tensor each time, so that a tape that watches one does not watch others."""
        return iter([self.probe(0)])

    def probe(self, number: int) -> Any:
        """Give the element."""
        return mapped(again, self._element)


class Count:
    """A column of numbers that differ by a step, none of which is stored."""

    def __init__(self, start: int, step: int, dtype: DType) -> None:
        self.start = start
        self.step = step
        self.numpy = dtype.numpy

    def __getitem__(self, place: Any) -> Any:
        if isinstance(place, slice):
            step = place.step or 1
            numbers = np.arange(place.start, place.stop, step, dtype=np.int64)
            return (self.start + self.step * numbers).astype(self.numpy)
        if isinstance(place, int):
            return self.numpy.type(self.start + self.step * place)
        return (self.start + self.step * np.asarray(place, np.int64)).astype(self.numpy)


class Range(Stage):
    """Numbers from a start to a stop, which is far away where they are `endless`.

    As in TensorFlow, numbers up to the largest one are.
    """

    def __init__(
        self, start: int, stop: int, step: int, dtype: DType, *, endless: bool = False
    ) -> None:
        if step == 0:
            raise InvalidArgumentError.of("RangeDataset", "step must be a non-zero integer.")
        self.spec = TensorSpec([], dtype)
        self._column = Count(start, step, dtype)
        numbers = range(start, stop, step)
        self._count = max(0, -((numbers.start - numbers.stop) // numbers.step))
        self._endless = endless or stop == np.iinfo(np.int64).max

    @property
    def cardinality(self) -> int:
        """How many there are."""
        return INFINITE if self._endless else self._count

    @property
    def rows(self) -> Rows:
        """The numbers, in order."""
        return Rows((self._column,), range(self._count))

    def probe(self, number: int) -> Any:
        """Take one of the numbers, so that elements differ."""
        return Tensor(self._column[number % self._count if self._count else 0])
