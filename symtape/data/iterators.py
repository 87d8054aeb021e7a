"""Iterators over datasets: element by element, as tensors or as arrays."""

from __future__ import annotations

from collections.abc import Iterator as PythonIterator
from typing import Any

import numpy as np

from symtape.data.elements.optional import Optional
from symtape.data.elements.specs import NoneTensorSpec
from symtape.data.elements.structures import array_of, flatten, mapped, refuse_records
from symtape.data.positions import Given, Position
from symtape.data.stages.base import Failed, Stage
from symtape.data.stages.resuming import END
from symtape.data.stages.runs import Running
from symtape.errors import OutOfRangeError
from symtape.ops.composite import CompositeTensor
from symtape.ops.tracking import Trackable
from symtape.tensor.tensor import Tensor


class Iterator(Trackable):
    """What `iter` of a dataset gives (`tf.data.Iterator`); a checkpoint can keep where it is."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage
        self._found = Running(stage.run)
        self._given = Given()
        self._position: Position | None = None

    def checkpoint_parts(self) -> dict[str, Any]:
        """Give what a checkpoint keeps: a variable that says where the iterator stands."""
        if self._position is None:
            self._position = Position(self._stage, self._found, self._given)
        return {"position": self._position.told()}

    @property
    def element_spec(self) -> Any:
        """The spec of the elements, as that of the dataset."""
        return self._stage.spec

    def __iter__(self) -> PythonIterator[Any]:
        return self

    def __next__(self) -> Any:
        if self._position is not None:
            self._found = self._position.running()
        try:
            found = next(self._found)
        except Failed as failure:
            raise self._framed(failure) from failure.__cause__
        self._given.add(found)
        return found

    def next(self) -> Any:
        """Give the next element; raises `StopIteration` at the end."""
        return next(self)

    def get_next(self) -> Any:
        """Give the next element; raises `OutOfRangeError` at the end.

        >>> import symtape as tf
        >>> iterator = iter(tf.data.Dataset.range(1))
        >>> iterator.get_next()
        <tf.Tensor: shape=(), dtype=int64, numpy=0>
        >>> iterator.get_next()
        Traceback (most recent call last):
        symtape.errors.OutOfRangeError: ...End of sequence [Op:IteratorGetNext] name: ...
        """
        found = next(self, END)
        if found is END:
            raise self._framed(Failed(OutOfRangeError, "End of sequence"))
        return found

    def get_next_as_optional(self) -> Optional:
        """Give the next element, or what says that there is none."""
        found = next(self, END)
        return Optional(() if found is END else (found,), self._stage.spec)

    def _framed(self, failure: Failed) -> Exception:
        return failure.framed("IteratorGetNext", _outputs(self._stage))


def _outputs(stage: Stage) -> str:
    """Count the outputs as the name of TensorFlow's call does."""
    if not stage.is_certain:
        return "_output_types_1"
    specs = [spec for spec in flatten(stage.spec) if not isinstance(spec, NoneTensorSpec)]
    return f"_output_types_{len(specs)}"


class OwnedIterator(Iterator):
    """An iterator over one dataset."""


class NumpyIterator:
    """What `as_numpy_iterator` gives (`tf.data.NumpyIterator`)."""

    __slots__ = ("_iterator",)

    def __init__(self, stage: Stage) -> None:
        self._iterator = OwnedIterator(stage)

    def __repr__(self) -> str:
        return f"NumpyIterator(iterator={self._iterator})"

    def __iter__(self) -> PythonIterator[Any]:
        return self

    def __next__(self) -> Any:
        element = next(self._iterator)
        refuse_records(element, "as_numpy_iterator", TypeError)
        return mapped(_as_numpy, element)

    def next(self) -> Any:
        """Give the next element; raises `StopIteration` at the end."""
        return next(self)


def _as_numpy(leaf: Any) -> Any:
    """Give a component as NumPy's; an array is that of the element, and not to be written to."""
    if isinstance(leaf, CompositeTensor):
        found = leaf.as_array()
    else:
        found = leaf.numpy() if isinstance(leaf, Tensor) else array_of(leaf)
    if isinstance(found, np.ndarray):
        found.setflags(write=False)
    return found
