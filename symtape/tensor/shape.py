"""TensorFlow's `TensorShape`."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from typing import Any

from symtape.errors import InvalidArgumentError
from symtape.tensor.dimension import Dimension


class TensorShape:
    """The shape of a tensor; equal to whatever it can be made of, as a list of its sizes.

    A size may be None (unknown), and `TensorShape(None)` has an unknown rank.

    >>> shape = TensorShape([2, 3])
    >>> shape, shape == (2, 3), shape[0], shape.num_elements()
    (TensorShape([2, 3]), True, 2, 6)
    """

    __slots__ = ("_sizes",)

    def __init__(self, dims: Any) -> None:
        if isinstance(dims, TensorShape):
            self._sizes: tuple[int | None, ...] | None = dims._sizes  # noqa: SLF001 - of its own class
        elif dims is None:
            self._sizes = None
        else:
            self._sizes = tuple([_size_in(dims, n) for n in _listed(dims)])

    @property
    def dims(self) -> list[Dimension] | None:
        """List the sizes as dimensions, or give None if the rank is unknown.

        >>> TensorShape([2, None]).dims
        [Dimension(2), Dimension(None)]
        """
        return None if self._sizes is None else [Dimension(n) for n in self._sizes]

    @property
    def rank(self) -> int | None:
        """Count the axes, or give None."""
        return None if self._sizes is None else len(self._sizes)

    ndims = rank

    def _known(self) -> tuple[int | None, ...]:
        if self._sizes is None:
            raise ValueError("Cannot take the length of shape with unknown rank.")
        return self._sizes

    def as_list(self) -> list[int | None]:
        """List the sizes; raises `ValueError` if the rank is unknown."""
        if self._sizes is None:
            raise ValueError("as_list() is not defined on an unknown TensorShape.")
        return list(self._sizes)

    def num_elements(self) -> int | None:
        """Multiply the sizes, or give None if one is unknown."""
        if not self.is_fully_defined():
            return None
        return prod(n for n in self._known() if n is not None)

    def is_fully_defined(self) -> bool:
        """Say whether every size is known."""
        return self._sizes is not None and None not in self._sizes

    def is_compatible_with(self, other: Any) -> bool:
        """Say whether both could be the shape of one tensor."""
        that = TensorShape(other)._sizes  # noqa: SLF001 - of its own class
        if self._sizes is None or that is None:
            return True
        return len(self._sizes) == len(that) and all(
            a is None or b is None or a == b for a, b in zip(self._sizes, that, strict=True)
        )

    def is_subtype_of(self, other: Any) -> bool:
        """Say whether every tensor of this shape has the other shape, too.

        >>> TensorShape([2, 3]).is_subtype_of(TensorShape([None, 3]))
        True
        """
        if not isinstance(other, TensorShape):
            return False
        own, that = self._sizes, other._sizes  # noqa: SLF001 - of its own class
        if own is None or that is None:
            return that is None
        return len(own) == len(that) and all(
            b is None or a == b for a, b in zip(own, that, strict=True)
        )

    def most_specific_common_supertype(self, others: Any) -> TensorShape | None:
        """Give the narrowest shape that tensors of this and the other shapes all have.

        >>> TensorShape([2, 3]).most_specific_common_supertype([TensorShape([2, 4])])
        TensorShape([2, None])
        """
        found: TensorShape = self
        for other in others:
            if not isinstance(other, TensorShape):
                return None
            found = found.most_specific_compatible_shape(other)
        return found

    def most_specific_compatible_shape(self, other: Any) -> TensorShape:
        """Give the narrowest shape that tensors of both shapes have."""
        own, that = self._sizes, TensorShape(other)._sizes  # noqa: SLF001 - of its own class
        if own is None or that is None or len(own) != len(that):
            return TensorShape(None)
        return TensorShape([a if a == b else None for a, b in zip(own, that, strict=True)])

    def assert_is_compatible_with(self, other: Any) -> None:
        """Raise `ValueError` unless the shapes are compatible."""
        if not self.is_compatible_with(other):
            raise ValueError(f"Shapes {self} and {other} are incompatible")

    def assert_has_rank(self, rank: int) -> None:
        """Raise `ValueError` unless the rank is as given."""
        if self.rank not in (None, rank):
            raise ValueError(f"Shape {self} must have rank {rank}")

    def assert_same_rank(self, other: Any) -> None:
        """Raise `ValueError` unless the ranks are the same, or one is not known."""
        that = TensorShape(other)
        if self.rank is not None and that.rank not in (None, self.rank):
            raise ValueError(f"Shapes {self} and {that} must have the same rank")

    def assert_is_fully_defined(self) -> None:
        """Raise `ValueError` unless every size is known."""
        if not self.is_fully_defined():
            raise ValueError(f"Shape {self} is not fully defined")

    def concatenate(self, other: Any) -> TensorShape:
        """Join two shapes."""
        that = TensorShape(other)
        if self._sizes is None or that._sizes is None:
            return TensorShape(None)
        return TensorShape(self._sizes + that._sizes)

    def with_rank(self, rank: int) -> TensorShape:
        """Give oneself, checked to have a rank, or so many axes of which nothing is known."""
        self.assert_has_rank(rank)
        return TensorShape([None] * rank) if self._sizes is None else self

    def with_rank_at_least(self, rank: int) -> TensorShape:
        """Give oneself, checked to have so many axes or more."""
        if self.rank is not None and self.rank < rank:
            raise ValueError(f"Shape {self} must have rank at least {rank}")
        return self

    def with_rank_at_most(self, rank: int) -> TensorShape:
        """Give oneself, checked to have so many axes or fewer."""
        if self.rank is not None and self.rank > rank:
            raise ValueError(f"Shape {self} must have rank at most {rank}")
        return self

    def merge_with(self, other: Any) -> TensorShape:
        """Give what is known by either of two shapes; raises `ValueError` unless they agree.

        >>> TensorShape([2, None]).merge_with([None, 3])
        TensorShape([2, 3])
        """
        that = TensorShape(other)
        if self._sizes is None or that._sizes is None:
            return that if self._sizes is None else self
        if not self.is_compatible_with(that):
            raise ValueError(f"Shapes {self} and {that} are not compatible")
        pairs = zip(self._sizes, that._sizes, strict=True)
        return TensorShape([m if n is None else n for n, m in pairs])

    def __len__(self) -> int:
        return len(self._known())

    def __bool__(self) -> bool:
        return self._sizes is not None

    def __iter__(self) -> Iterator[int | None]:
        if self._sizes is None:
            raise ValueError("Cannot iterate over a shape with unknown rank.")
        return iter(self._sizes)

    def __getitem__(self, key: Any) -> Any:
        if self._sizes is None:
            return _unknown(key) if isinstance(key, slice) else None
        found = self._known()[key]
        return TensorShape(found) if isinstance(key, slice) else found

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, TensorShape):
            try:
                other = TensorShape(other)
            except TypeError:
                return NotImplemented
        return self._sizes == other._sizes

    def __hash__(self) -> int:
        return hash(self._sizes)

    def __add__(self, other: Any) -> TensorShape:
        return self.concatenate(other)

    def __radd__(self, other: Any) -> TensorShape:
        return TensorShape(other).concatenate(self)

    def __reduce__(self) -> Any:
        return TensorShape, (self._sizes,)

    def __repr__(self) -> str:
        return "TensorShape(None)" if self._sizes is None else f"TensorShape({list(self._sizes)})"

    def __str__(self) -> str:
        return "<unknown>" if self._sizes is None else str(self._sizes)


def _listed(dims: Any) -> Any:
    """Give what has the sizes of a shape: what cannot be iterated over is the only size."""
    try:
        return iter(dims)
    except TypeError:
        return (dims,)


def _size(value: Any) -> int | None:
    """Read a size; raises `TypeError` and `ValueError` for what is none."""
    return value if type(value) is int and value >= 0 else Dimension(value).value


def _size_in(dims: Any, value: Any) -> int | None:
    """Read a size of what is iterated over; the error names it unless it is a list of sizes."""
    try:
        return _size(value)
    except TypeError:
        if isinstance(dims, (list, tuple)) or not hasattr(dims, "__iter__") or dims is value:
            raise
        raise TypeError(
            f"Failed to convert '{dims!r}' to a shape: '{value!r}'could not be converted to a "
            "dimension. A shape should either be single dimension (e.g. 10), or an iterable of "
            "dimensions (e.g. [1, 10, None])."
        ) from None


def _unknown(key: slice) -> TensorShape:
    """Take axes of a shape of which nothing is known; some slices tell how many they are."""
    if key.step is not None:
        raise ValueError("Steps are not yet handled")
    first, stop = key.start or 0, key.stop
    is_counted = stop is not None and first >= 0 and stop >= 0
    return TensorShape([None] * (stop - first) if is_counted else None)


def fixed(shape: TensorShape) -> list[int | None]:
    """List the sizes of a shape that a tensor is to have; raises `ValueError` if one is unknown."""
    if not shape.is_fully_defined():
        raise ValueError(f"Cannot convert a partially known TensorShape {shape} to a Tensor.")
    return shape.as_list()


def from_argument(value: Any) -> tuple[int, ...]:
    """Read a `shape=` argument: a number, a sequence of numbers, a tensor or a `TensorShape`."""
    if isinstance(value, TensorShape):
        sizes: Any = fixed(value)
    elif hasattr(value, "numpy"):
        sizes = value.numpy().tolist()
    else:
        sizes = value
    sizes = [*sizes] if hasattr(sizes, "__iter__") else [sizes]
    for n in sizes:
        if not hasattr(n, "__index__"):
            _size_in(value, n)  # raises for what is no whole number
    shape = tuple([int(n) for n in sizes])
    if any(n < 0 for n in shape):
        raise InvalidArgumentError(message=f"Dimension {min(shape)} must be >= 0")
    return shape
