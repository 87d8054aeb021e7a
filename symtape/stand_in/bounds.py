"""The spec of a tensor with bounds, by which packages describe actions and observations."""

from __future__ import annotations

from typing import Any

import numpy as np

from symtape.ops.spec import TensorSpec
from symtape.tensor import dtypes
from symtape.tensor.shape import TensorShape


class BoundedTensorSpec(TensorSpec):
    """A `tf.TensorSpec` with the least and the greatest value, both of which may occur.

    `minimum` and `maximum` broadcast to `shape`; they are kept as NumPy arrays of `dtype` that
    cannot be written. Raises `ValueError` where one is None or of another shape.

    >>> BoundedTensorSpec([2], dtypes.float32, 0, [1, 2]).maximum.tolist()
    [1.0, 2.0]
    """

    __slots__ = ("maximum", "minimum")

    def __init__(
        self, shape: Any, dtype: Any, minimum: Any, maximum: Any, name: str | None = None
    ) -> None:
        super().__init__(shape, dtype, name)
        self.minimum = self._bound("minimum", minimum)
        self.maximum = self._bound("maximum", maximum)

    def _bound(self, name: str, value: Any) -> Any:
        if value is None:
            raise ValueError(f"`{name}` can not be None.")
        if not _broadcasts(np.shape(value), self.shape):
            raise ValueError(f"`{name}` {value} is not compatible with shape {self.shape}.")
        array = np.array(value, self.dtype.as_numpy_dtype)
        array.setflags(write=False)
        return array

    @classmethod
    def from_spec(cls, spec: Any, name: str | None = None) -> BoundedTensorSpec:
        """Make the same spec; without bounds, those are the bounds of its dtype."""
        dtype = dtypes.as_dtype(spec.dtype)
        bounds = getattr(spec, "minimum", dtype.min), getattr(spec, "maximum", dtype.max)
        return BoundedTensorSpec(spec.shape, dtype, *bounds, name or spec.name)

    def _has_bounds_of(self, other: Any) -> bool:
        pairs = (self.minimum, other.minimum), (self.maximum, other.maximum)
        return all(np.allclose(a, b) for a, b in pairs)

    def _serialize(self) -> tuple[Any, ...]:
        return self.shape, self.dtype, self.minimum, self.maximum, self.name

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, BoundedTensorSpec)
            and (self.shape, self.dtype, self.name) == (other.shape, other.dtype, other.name)
            and self._has_bounds_of(other)
        )

    def __hash__(self) -> int:
        return super().__hash__()

    def __reduce__(self) -> Any:
        return BoundedTensorSpec, self._serialize()

    def __repr__(self) -> str:
        return (
            f"BoundedTensorSpec(shape={self.shape}, dtype={self.dtype!r}, name={self.name!r}, "
            f"minimum={self.minimum!r}, maximum={self.maximum!r})"
        )


def _broadcasts(sizes: tuple[int, ...], shape: TensorShape) -> bool:
    """Say whether an array of some sizes can stand beside tensors of a shape."""
    if shape.rank is None:
        return True
    pairs = zip(sizes[::-1], [*shape][::-1], strict=False)
    return all(m == n or 1 in {m, n} or n is None for m, n in pairs)
