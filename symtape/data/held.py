"""What every dataset has, however it was made: a stage, and what is asked of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, ClassVar, Self

import numpy as np

from symtape.data.elements.specs import DatasetSpec
from symtape.data.elements.structures import Holder, flatten
from symtape.data.iterators import NumpyIterator, OwnedIterator
from symtape.data.options import Options
from symtape.data.stages.base import INFINITE, UNKNOWN, Stage
from symtape.ops.arguments import is_tensor, plain
from symtape.tensor import dtypes
from symtape.tensor.convert import convert
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import value_of


class Typed:
    """TensorFlow's type of datasets, by whose name and module Keras knows what a dataset is."""

    __slots__ = ()


Typed.__name__ = Typed.__qualname__ = "DatasetV2"
Typed.__module__ = "tensorflow.python.types.data"


class Held(Holder, Typed):
    """A stage and its options, to which further stages are put."""

    _kinds: ClassVar[dict[str, type]] = {}
    """The types of datasets, by TensorFlow's names for them."""

    stage: Stage
    settings: Options

    def __init__(self, *_: Any, **__: Any) -> None:
        raise TypeError(
            "Can't instantiate abstract class DatasetV2 with abstract methods _inputs, element_spec"
        )

    @classmethod
    def _of(cls, name: str, stage: Stage, options: Options | None = None) -> Self:
        """Make the dataset of a stage; its type has TensorFlow's name."""
        kind = Held._kinds[name]
        made: Self = object.__new__(kind)
        made.stage = stage
        made.settings = Options() if options is None else options
        return made

    def _then(self, name: str, stage: Stage) -> Self:
        """Make the dataset of a further stage, with the same options."""
        return self._of(name, stage, self.settings)

    def _inner(self, stage: Stage) -> Self:
        """Make a dataset that is an element."""
        return self._of("_VariantDataset", stage)

    def as_element(self) -> Any:
        """Be what an element holds: a dataset that no longer tells how it was made."""
        return self._inner(self.stage)

    # --- what is asked ----------------------------------------------------------------------------

    @property
    def element_spec(self) -> Any:
        """The spec of an element: a structure of `tf.TensorSpec`.

        After a function it is known by running that for a few elements made up to be like those
        that come, which leaves random states and variables as they were.

        >>> import symtape as tf
        >>> tf.data.Dataset.from_tensor_slices([[1, 2], [3, 4]]).batch(2).element_spec
        TensorSpec(shape=(None, 2), dtype=tf.int32, name=None)
        """
        return self.stage.spec

    def cardinality(self) -> Tensor:
        """Count the elements without running anything: a scalar of int64.

        It is `tf.data.INFINITE_CARDINALITY` for what has no end, and `UNKNOWN_CARDINALITY` where
        one would have to run it.

        >>> import symtape as tf
        >>> tf.data.Dataset.range(42).batch(4).cardinality()
        <tf.Tensor: shape=(), dtype=int64, numpy=11>
        """
        return Tensor(np.int64(self.stage.cardinality))

    def __len__(self) -> int:
        count = self.stage.cardinality
        if count == INFINITE:
            raise TypeError("The dataset is infinite.")
        if count == UNKNOWN:
            raise TypeError("The dataset length is unknown.")
        return count

    def __bool__(self) -> bool:
        return True

    def __iter__(self) -> Iterator[Any]:
        return OwnedIterator(self.stage)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} element_spec={self.element_spec}>"

    def as_numpy_iterator(self) -> NumpyIterator:
        """Iterate over the elements as NumPy arrays and scalars.

        Raises `TypeError` for elements that are datasets.

        >>> import symtape as tf
        >>> [int(n) for n in tf.data.Dataset.range(3).as_numpy_iterator()]
        [0, 1, 2]
        """
        if self.stage.is_certain:
            for spec in flatten(self.element_spec):
                if isinstance(spec, DatasetSpec):
                    raise TypeError(
                        "`tf.data.Dataset.as_numpy_iterator()` is not supported for datasets that "
                        f"produce values of type {Held._kinds['DatasetV2']}"
                    )
        return NumpyIterator(self.stage)

    def apply(self, transformation_func: Callable[[Any], Any]) -> Any:
        """Give what a function makes of this dataset; raises `TypeError` unless it is a dataset.

        >>> import symtape as tf
        >>> len(tf.data.Dataset.range(5).apply(lambda dataset: dataset.skip(1)))
        4
        """
        dataset = transformation_func(self)
        if not isinstance(dataset, Held):
            raise TypeError(
                "`transformation_func` must return a `tf.data.Dataset` object. Got "
                f"{type(dataset)}."
            )
        return dataset


def whole(value: Any) -> int:
    """Read an argument that is an int64; raises `TypeError` for other numbers and text."""
    if type(value) is int:
        return value
    return int(value_of(convert(value, dtypes.int64)))


def seed_in(value: Any) -> int | None:
    """Read a seed, which is an int64; None for the global one."""
    return None if value is None else whole(value)


def truth(value: Any) -> bool:
    """Read an argument that is a bool."""
    return value if type(value) is bool else bool(value_of(convert(value, dtypes.bool_)))


def text_in(value: Any) -> str:
    """Read a text that may be a tensor, or None for an empty one."""
    if value is None:
        return ""
    found = np.asarray(plain(value)).item() if is_tensor(value) else value
    return found.decode() if isinstance(found, bytes) else str(found)
