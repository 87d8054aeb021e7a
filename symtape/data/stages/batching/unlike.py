"""Batches of tensors of unlike sizes: as ragged rows, or as elements of a sparse tensor."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property, partial
from itertools import islice
from typing import Any

import numpy as np

from symtape.data.elements.structures import (
    array_of,
    builder,
    flatten,
    is_node,
    mapped,
    refuse_records,
)
from symtape.data.stages.base import After, Failed, Stage
from symtape.data.stages.batching.batches import batches_of
from symtape.data.stages.resuming import GoesOn
from symtape.errors import DataLossError, InvalidArgumentError
from symtape.ops.arguments import listed
from symtape.ops.composite import CompositeSpec
from symtape.ops.ragged.spec import RaggedTensorSpec
from symtape.ops.ragged.tensor import RaggedTensor
from symtape.ops.sparse.spec import SparseTensorSpec
from symtape.ops.sparse.tensor import SparseTensor
from symtape.ops.spec import TensorSpec
from symtape.tensor.dtypes import DType
from symtape.tensor.shape import TensorShape
from symtape.tensor.tensor import Tensor


class AsRagged(After):
    """The same elements, of which tensors whose sizes are not all known are ragged rows."""

    def __init__(self, before: Stage, row_splits_dtype: DType) -> None:
        super().__init__(before)
        self._kind = row_splits_dtype

    @cached_property
    def spec(self) -> Any:
        """A ragged spec for each tensor of which a size is not known."""
        refuse_records(self.before.spec, "ragged_batch")
        return mapped(self._ragged, self.before.spec)

    def _ragged(self, spec: Any) -> Any:
        if not isinstance(spec, TensorSpec) or spec.shape.rank is None:
            return spec
        varying = [axis for axis, size in enumerate(spec.shape) if size is None]
        if not varying:
            return spec
        return RaggedTensorSpec(spec.shape, spec.dtype, varying[-1], self._kind)

    def told(self, element: Any) -> Any:
        """Give the spec."""
        return self.spec

    def run(self) -> Iterator[Any]:
        """Cut tensors into rows where sizes may vary behind the first axis."""
        return map(self._cut, self.before.run())

    def probe(self, number: int) -> Any:
        """Cut an element into rows."""
        return self._cut(self.before.probe(number))

    def _cut(self, element: Any) -> Any:
        pairs = zip(flatten(self.spec), flatten(element), strict=True)
        return builder(element)([self._rows(spec, leaf) for spec, leaf in pairs])

    def _rows(self, spec: Any, leaf: Any) -> Any:
        levels = spec.ragged_rank if isinstance(spec, RaggedTensorSpec) else 0
        if levels < 1 or not isinstance(leaf, Tensor):
            return leaf
        return RaggedTensor.from_tensor(leaf, ragged_rank=levels, row_splits_dtype=self._kind)


class SparseBatch(After):
    """A number of tensors as one sparse tensor, whose rows have all of their elements."""

    def __init__(self, before: Stage, size: int, row_shape: Any) -> None:
        super().__init__(before)
        self._size = size
        self._row = TensorShape(row_shape)
        if before.is_certain:
            self.spec  # noqa: B018 - elements of several parts are told now
        if size < 1:
            raise InvalidArgumentError.of(
                "DenseToSparseBatchDataset", "Batch size must be greater than zero."
            )

    @cached_property
    def spec(self) -> Any:
        """A sparse spec; raises `TypeError` for elements that are structures."""
        spec = self.before.spec
        if is_node(spec):
            raise TypeError(
                "`dense_to_sparse_batch` requires an input dataset whose elements have a single "
                "component, but the given dataset has the following component types: "
                f"{mapped(lambda leaf: leaf.dtype, spec)}."
            )
        return SparseTensorSpec(TensorShape([None]).concatenate(self._row), spec.dtype)

    @property
    def cardinality(self) -> int:
        """The quotient."""
        return batches_of(self.before.cardinality, self._size, drops=False)

    def told(self, element: Any) -> Any:
        """Give the spec."""
        return self.spec

    def run(self) -> Iterator[Any]:
        """Put the elements of each batch at their places."""
        self.spec  # noqa: B018 - elements of several parts are told before the first element
        return GoesOn(partial(self._batches, self.before.run()))

    def _batches(self, found: Iterator[Any]) -> Iterator[Any]:
        if isinstance(self.before.spec, CompositeSpec):
            raise _no_tensors(self.before.spec, self._row)
        while elements := [array_of(element) for element in islice(found, self._size)]:
            yield self._batch(elements)

    def probe(self, number: int) -> Any:
        """Put an element at several places."""
        return self._batch([array_of(self.before.probe(number))] * (number or self._size))

    def _batch(self, arrays: Sequence[Any]) -> SparseTensor:
        shapes = [np.shape(array) for array in arrays]
        for shape in shapes:
            self._check(shape)
        longest = np.max(shapes, axis=0).astype(int).tolist()
        sizes = [m if n is None else n for m, n in zip(longest, self._row, strict=True)]
        rows = [np.argwhere(np.ones(shape, bool)) for shape in shapes]
        places = [np.insert(row, 0, k, axis=1) for k, row in enumerate(rows)]
        elements = np.concatenate([np.ravel(array) for array in arrays])
        return SparseTensor(np.concatenate(places), Tensor(elements), (len(arrays), *sizes))

    def _check(self, shape: tuple[int, ...]) -> None:
        if len(shape) != self._row.rank:
            raise _misfit(InvalidArgumentError, shape, "incompatible with", self._row)
        if any([n is not None and m > n for m, n in zip(shape, self._row, strict=True)]):
            raise _misfit(DataLossError, shape, "larger than", self._row)


def _misfit(kind: Any, shape: Sequence[int], words: str, row: TensorShape) -> Failed:
    wanted = f"[{','.join('?' if n is None else str(n) for n in row)}]"
    text = f"Input element had shape ({listed(shape)}) that is {words} the row shape ({wanted})."
    return Failed(kind, text)


def _no_tensors(spec: CompositeSpec, row: TensorShape) -> Exception:
    """Make the error for elements that TensorFlow keeps in boxes: one, or three of them."""
    shape = [3] if isinstance(spec, SparseTensorSpec) else []
    if not row.is_compatible_with(shape):
        return _misfit(InvalidArgumentError, shape, "incompatible with", row)
    return InvalidArgumentError.of(
        "DeserializeSparse",
        f"Requested SparseTensor of type {spec.dtype.enum_name} but SparseTensor[0].values.dtype() "
        "== variant",
    )
