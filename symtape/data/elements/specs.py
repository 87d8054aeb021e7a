"""What a dataset says of its elements: `tf.TensorSpec` and `tf.data.DatasetSpec`."""

from __future__ import annotations

from typing import Any

from symtape import nest
from symtape.data.elements.structures import Holder, flatten, mapped
from symtape.ops.composite import CompositeSpec, CompositeTensor, RecordSpec, reshaped
from symtape.ops.composite import common as common_composite
from symtape.ops.composite_elements import home_of
from symtape.ops.spec import TensorSpec, TypeSpec, as_one
from symtape.tensor.shape import TensorShape
from symtape.tensor.tensor import Tensor


class DatasetSpec(TypeSpec):
    """The spec of an element that is a dataset itself (`tf.data.DatasetSpec`).

    >>> DatasetSpec(TensorSpec([], "int32"))
    DatasetSpec(TensorSpec(shape=(), dtype=tf.int32, name=None), TensorShape([]))
    """

    __slots__ = ("_element_spec", "dataset_shape")

    def __init__(self, element_spec: Any, dataset_shape: Any = ()) -> None:
        self._element_spec = element_spec
        self.dataset_shape = TensorShape(dataset_shape)

    @property
    def element_spec(self) -> Any:
        """The spec of the elements of the dataset."""
        return self._element_spec

    @staticmethod
    def from_value(value: Any) -> DatasetSpec:
        """Give the spec of a dataset."""
        return DatasetSpec(value.element_spec)

    def is_compatible_with(self, spec_or_value: Any) -> bool:
        """Say whether a dataset, or the spec of one, may stand where this spec does."""
        other = spec_of(spec_or_value) if isinstance(spec_or_value, Holder) else spec_or_value
        if not isinstance(other, DatasetSpec):
            return False
        return self.dataset_shape == other.dataset_shape and compatible(
            self._element_spec, other.element_spec
        )

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, DatasetSpec)
            and self._element_spec == other.element_spec
            and self.dataset_shape == other.dataset_shape
        )

    def __hash__(self) -> int:
        return hash((tuple(flatten(self._element_spec)), self.dataset_shape))

    def __repr__(self) -> str:
        return f"DatasetSpec({self._element_spec}, {self.dataset_shape!r})"


class NoneTensorSpec(TypeSpec):
    """The spec of None (`tf.NoneTensorSpec`).

    >>> NoneTensorSpec().is_compatible_with(None)
    True
    """

    __slots__ = ()

    def is_compatible_with(self, spec_or_value: Any) -> bool:
        """Say whether the other is None, or the spec of it."""
        return spec_or_value is None or isinstance(spec_or_value, NoneTensorSpec)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, NoneTensorSpec)

    def __hash__(self) -> int:
        return hash(NoneTensorSpec)

    def __repr__(self) -> str:
        return "NoneTensorSpec()"


def spec_of(leaf: Any) -> Any:
    """Give the spec of a leaf of an element."""
    if isinstance(leaf, Tensor):
        return TensorSpec(leaf.shape, leaf.dtype)
    if leaf is None:
        return NoneTensorSpec()
    if isinstance(leaf, CompositeTensor):
        return leaf.type_spec
    return DatasetSpec(leaf.element_spec)


def specs_of(element: Any) -> Any:
    """Give the spec of an element."""
    return mapped(spec_of, element)


def batched(spec: Any, size: int | None) -> Any:
    """Give the spec of a batch: one axis more, in front."""
    if isinstance(spec, TensorSpec):
        return TensorSpec(TensorShape([size]).concatenate(spec.shape), spec.dtype)
    if isinstance(spec, DatasetSpec):
        shape = TensorShape([size]).concatenate(spec.dataset_shape)
        return DatasetSpec(spec.element_spec, shape)
    if isinstance(spec, RecordSpec):
        return spec._batch(size)  # noqa: SLF001 - TensorFlow's name
    return home_of(spec).batched(spec, size) if isinstance(spec, CompositeSpec) else spec


def batch_of(specs: Any, size: int | None) -> Any:
    """Give the specs of a batch of elements."""
    return mapped(lambda spec: batched(spec, size), specs, opens=False)


def row_of_batch(specs: Any) -> Any:
    """Give the specs of a row of elements; raises `ValueError` for scalars."""
    return mapped(unbatched, specs, opens=False)


def unbatched(spec: Any) -> Any:
    """Give the spec of a row: one axis less; raises `ValueError` for scalars."""
    if isinstance(spec, CompositeSpec):
        return home_of(spec).unbatched(spec)
    if isinstance(spec, RecordSpec):
        return spec._unbatch()  # noqa: SLF001 - TensorFlow's name
    if not isinstance(spec, TensorSpec):
        return spec
    if spec.shape.rank == 0:
        raise ValueError("Unbatching a tensor is only supported for rank >= 1")
    return TensorSpec(spec.shape if spec.shape.rank is None else spec.shape[1:], spec.dtype)


def loosened(spec: Any) -> Any:
    """Forget all sizes, and keep how many axes there are.

    >>> loosened(TensorSpec([2, 3]))
    TensorSpec(shape=(None, None), dtype=tf.float32, name=None)
    """
    if isinstance(spec, TensorSpec):
        rank = spec.shape.rank
        return TensorSpec(None if rank is None else [None] * rank, spec.dtype)
    if isinstance(spec, CompositeSpec):
        return reshaped(spec, [None] * len(spec.shape))
    if isinstance(spec, DatasetSpec):
        return DatasetSpec(mapped(loosened, spec.element_spec))
    return spec


def common(a: Any, b: Any) -> Any:
    """Give the narrowest spec that both fit; raises `TypeError` where there is none."""
    if isinstance(a, TensorSpec) and isinstance(b, TensorSpec) and a.dtype == b.dtype:
        return TensorSpec(as_one(a.shape, b.shape), a.dtype)
    if isinstance(a, DatasetSpec) and isinstance(b, DatasetSpec):
        return DatasetSpec(nest.map_structure(common, a.element_spec, b.element_spec))
    found = common_composite(a, b) if isinstance(a, CompositeSpec) else None
    if isinstance(a, RecordSpec):
        found = a.most_specific_common_supertype([b])
    if found is not None:
        return found
    if a == b:
        return a
    raise TypeError(f"No common supertype of {a} and {b}.")


def compatible(a: Any, b: Any) -> bool:
    """Say whether two structures of specs are alike and could be of one element."""
    try:
        nest.assert_same_structure(a, b)
    except (TypeError, ValueError):
        return False
    return all(
        [
            m.is_compatible_with(n) and n.is_compatible_with(m)
            for m, n in zip(flatten(a), flatten(b), strict=True)
        ]
    )
