"""Rows of unlike lengths: the values of all in one tensor, and where each row begins and ends."""

from __future__ import annotations

from typing import Any, NoReturn, Self

import numpy as np

from symtape.ops.arguments import of_places, tensor
from symtape.ops.composite import CompositeTensor
from symtape.ops.indexing.gathering import gather
from symtape.ops.ragged.spec import RaggedTensorSpec
from symtape.ops.ragged.splits import positive, rows_between
from symtape.ops.runtime import printing
from symtape.ops.strings.numerals import as_string
from symtape.tensor import dtypes
from symtape.tensor.dtypes import DType
from symtape.tensor.shape import TensorShape
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import look_at, shape_of


class Rows(CompositeTensor):
    """The structure of a ragged tensor: its values, ragged again or not, and its rows.

    >>> Rows(tensor([1.0, 2.0, 3.0]), np.array([0, 2, 3])).to_list()
    [[1.0, 2.0], [3.0]]
    """

    def __init__(
        self, values: Tensor | Rows, row_partition: Any, *, uniform: int | None = None
    ) -> None:
        self._values = values
        self.splits: Any = row_partition
        """Where rows begin and end, as an array of NumPy's."""
        self._uniform = uniform

    # --- parts ------------------------------------------------------------------------------------

    @property
    def values(self) -> Any:
        """The elements of all rows, one after another: a tensor, or ragged again."""
        return self._values

    @property
    def flat_values(self) -> Tensor:
        """The innermost values."""
        inner = self._values
        return inner.flat_values if isinstance(inner, Rows) else inner

    watched = flat_values

    def differentiated(self) -> Tensor:
        """Give the values, through which derivatives flow."""
        return self.flat_values

    @property
    def type_spec(self) -> RaggedTensorSpec:
        """The spec of the shape, the dtype and the levels of rows."""
        return RaggedTensorSpec.from_value(self)

    def components(self) -> list[Tensor]:
        """List the innermost values, and where the rows of each level end, the outermost first."""
        return [self.flat_values, *self.nested_row_splits]

    def as_array(self) -> Any:
        """Give an array, of arrays where rows differ in length."""
        return self.numpy()

    @property
    def row_splits(self) -> Tensor:
        """Where rows begin and end."""
        return Tensor(self.splits)

    @property
    def nested_row_splits(self) -> tuple[Tensor, ...]:
        """Where rows begin and end, of every level, the outermost first."""
        return tuple(Tensor(s) for s in self.nested_splits)

    @property
    def nested_splits(self) -> tuple[Any, ...]:
        """Where rows begin and end, of every level, as arrays of NumPy's."""
        inner = self._values.nested_splits if isinstance(self._values, Rows) else ()
        return (self.splits, *inner)

    def nested_row_lengths(self, name: str | None = None) -> tuple[Tensor, ...]:
        """Give the lengths of the rows of every level, the outermost first."""
        return tuple(Tensor(np.diff(s)) for s in self.nested_splits)

    @property
    def ragged_rank(self) -> int:
        """How many levels of rows there are."""
        return 1 + (self._values.ragged_rank if isinstance(self._values, Rows) else 0)

    @property
    def uniform_row_length(self) -> Tensor | None:
        """The length of every row, where it is made so."""
        return None if self._uniform is None else Tensor(self.splits.dtype.type(self._uniform))

    @property
    def dtype(self) -> DType:
        """The dtype of the values."""
        return self.flat_values.dtype

    @property
    def shape(self) -> TensorShape:
        """The shape; None where lengths of rows may differ."""
        return TensorShape([len(self.splits) - 1, self._uniform, *self._values.shape[1:]])

    @property
    def rank(self) -> int:
        """The number of axes."""
        return 1 + (self._values.rank if isinstance(self._values, Rows) else self._values.ndim)

    def get_shape(self) -> TensorShape:
        """Give the shape."""
        return self.shape

    def nrows(self, out_type: Any = None, name: str | None = None) -> Tensor:
        """Count the rows."""
        return self._counted(len(self.splits) - 1, out_type)

    def row_lengths(self, axis: int = 1, name: str | None = None) -> Any:
        """Give the length of each row; of rows of rows, with `axis=2`, as a ragged tensor.

        With `axis=0` the number of rows. Raises `ValueError` for an axis that is not there.
        """
        if axis in {0, -self.rank}:
            return self.nrows()
        if axis in {1, 1 - self.rank}:
            return Tensor(np.diff(self.splits))
        inner, below = self._values, positive(axis, self.rank) - 1
        if isinstance(inner, Rows):
            return self.with_values(inner.row_lengths(below))
        sizes = shape_of(inner)
        return self.with_values(np.full(sizes[:below], sizes[below], self.splits.dtype))

    def nested_value_rowids(self, name: str | None = None) -> tuple[Tensor, ...]:
        """Say of each value in which row it is, of every level, the outermost first."""
        inner = self._values.nested_value_rowids() if isinstance(self._values, Rows) else ()
        return (self.value_rowids(), *inner)

    def value_rowids(self, name: str | None = None) -> Tensor:
        """Say of each value in which row it is."""
        return Tensor(self.rowids)

    @property
    def within(self) -> Any:
        """At which place of its row each value is, as an array of NumPy's."""
        return np.arange(int(self.splits[-1])) - self.splits[self.rowids]

    @property
    def rowids(self) -> Any:
        """In which row each value is, as an array of NumPy's."""
        lengths = np.diff(self.splits)
        return np.repeat(np.arange(len(lengths), dtype=self.splits.dtype), lengths)

    def row_starts(self, name: str | None = None) -> Tensor:
        """Say where each row begins."""
        return Tensor(self.splits[:-1])

    def row_limits(self, name: str | None = None) -> Tensor:
        """Say where each row ends."""
        return Tensor(self.splits[1:])

    def bounding_shape(
        self, axis: Any = None, name: str | None = None, out_type: Any = None
    ) -> Tensor:
        """Give the shape of the smallest tensor that holds all rows, or its sizes at some axes.

        Raises `InvalidArgumentError` for an axis that is not there, and for another `out_type`
        than int32 and int64.
        """
        own = dtypes.as_dtype(self.splits.dtype)
        sizes = self._counted(self.bounds, of_places("Shape", out_type, own, "out_type"))
        return sizes if axis is None else gather(sizes, axis)

    @property
    def bounds(self) -> tuple[int, ...]:
        """The shape of the smallest tensor that holds all rows, as numbers."""
        inner = self._values
        further = inner.bounds if isinstance(inner, Rows) else shape_of(inner)
        longest = int(np.max(np.diff(self.splits), initial=0))
        return (len(self.splits) - 1, longest, *further[1:])

    def _counted(self, count: Any, out_type: Any) -> Tensor:
        dtype = dtypes.of_kernel(out_type, dtypes.as_dtype(self.splits.dtype))
        return Tensor(np.asarray(count, dtype.numpy))

    # --- others like it ---------------------------------------------------------------------------

    def with_values(self, new_values: Any) -> Self:
        """Give rows of the same lengths with other values.

        Raises `ValueError` for another number of values.
        """
        values = held(new_values)
        if len_of(values) != len_of(self._values):
            old, new = (TensorShape([len_of(v)]) for v in (self._values, values))
            raise ValueError(f"Shapes {old} and {new} are incompatible")
        return type(self)(values, self.splits, uniform=self._uniform)

    def with_flat_values(self, new_values: Any) -> Self:
        """Give rows of the same lengths with other innermost values."""
        inner = self._values
        if isinstance(inner, Rows):
            return self.with_values(inner.with_flat_values(new_values))
        return self.with_values(new_values)

    def with_row_splits_dtype(self, dtype: Any) -> Self:
        """Give the same rows, whose places are int32 or int64."""
        kind = dtypes.as_dtype(dtype)
        if kind not in {dtypes.int32, dtypes.int64}:
            raise ValueError(
                f"Argument `row_splits` dtype must be int32 or int64. Received {kind}."
            )
        inner = self._values
        values = inner.with_row_splits_dtype(kind) if isinstance(inner, Rows) else inner
        return type(self)(values, self.splits.astype(kind.numpy), uniform=self._uniform)

    # --- what is in it ----------------------------------------------------------------------------

    def to_list(self) -> list[Any]:
        """Give lists of lists of Python's numbers, or of bytes."""
        inner = self._values
        items = inner.to_list() if isinstance(inner, Rows) else look_at(inner).tolist()
        return [items[a:b] for a, b in rows_between(self.splits)]

    def numpy(self) -> Any:
        """Give an array: of arrays, where rows differ in length."""
        inner = self._values
        items = inner.numpy() if isinstance(inner, Rows) else np.asarray(inner.numpy())
        rows = [items[a:b] for a, b in rows_between(self.splits)]
        if not rows:
            return np.zeros((0, 0, *items.shape[1:]), items.dtype)
        if len({len(row) for row in rows}) == 1:
            return np.array(rows, items.dtype)
        made = np.empty(len(rows), object)
        made[:] = rows
        return made

    def __tf_tensor__(self, dtype: Any = None, name: str | None = None) -> NoReturn:
        raise ValueError(
            "a RaggedTensor stands where a tensor is taken: give to_tensor(), or apply a function "
            "of elements by tf.ragged.map_flat_values"
        )

    __array_ufunc__ = None  # so that arrays leave operators to the rows

    def __bool__(self) -> NoReturn:
        raise TypeError("RaggedTensor may not be used as a boolean.")

    def __hash__(self) -> NoReturn:
        raise TypeError("RaggedTensor is unhashable.")

    def __repr__(self) -> str:
        with np.printoptions(formatter={"all": _written}):
            return f"<tf.RaggedTensor {_written(self.numpy())}>"


def _written(value: Any) -> str:
    if not isinstance(value, np.ndarray):
        return str(value)
    return np.array2string(value, separator=", ") if value.size else repr(value.tolist())


def held(values: Any) -> Any:
    """Be rows, or a tensor."""
    return values if isinstance(values, Rows) else tensor(values)


def len_of(values: Any) -> int:
    """Count the rows of a tensor, ragged or not."""
    return len(values.splits) - 1 if isinstance(values, Rows) else shape_of(values)[0]


def rank_of(values: Any) -> int:
    """Count the axes of a tensor, ragged or not."""
    rank: int = values.rank if isinstance(values, Rows) else values.ndim
    return rank


@printing.shown.register(Rows)
def _printed(rows: Rows, edge: int) -> str:
    """Write rows as `tf.print` does: as lists, of elements as `tf.as_string` writes them."""
    texts = rows.with_flat_values(as_string(rows.flat_values)).to_list()
    write = printing.quoted if rows.dtype is dtypes.string else str
    return printing.rows_text(texts, edge, write)
