"""`tf.IndexedSlices`: the gradient of what was gathered, row by row, and the tensor that it is.

TensorFlow keeps the rows of a gradient apart where elements were gathered along the first axis, and
some functions look at them one by one: a row that was taken twice has two squares there, and not
the square of a sum. Here such a gradient is the dense tensor, which remembers its rows.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from symtape.program.kinds.structural import Concat, Reshape, Scatter
from symtape.program.operations import AddN, identity, negative
from symtape.program.program import Program
from symtape.tensor.convert import convert
from symtape.tensor.dispatch import apply, apply1
from symtape.tensor.dtypes import DType
from symtape.tensor.recording.active import THREAD
from symtape.tensor.shape import TensorShape
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import shape_of, value_of


class Places(Tensor):
    """Places that an operation chose itself: what it gathers there is no gather of the user's."""

    __slots__ = ()
    is_own = True


_SPEC = "symtape.stand_in.specs:type_spec_from_value"
"""What gives the spec of rows, in a room to which this one may not bind itself."""


class IndexedSlices(Tensor):
    """A dense tensor that is a sum of rows: `values` are added up at `indices` of the first axis.

    The gradient of `tf.gather`, of `tf.gather_nd` of rows and of `tf.nn.embedding_lookup` is one.
    It is as well the tensor that TensorFlow would convert it to. `tf.linalg.global_norm`,
    `tf.clip_by_norm` and its kin, and optimizers, look at its rows, as TensorFlow's do. Without
    `dense_shape` there are rows alone, for the methods of `tf.Variable` that put them at their
    places, and what asks for the tensor raises `ValueError`.

    >>> rows = IndexedSlices(convert([[1.0], [2.0]]), convert([1, 1]), convert([3, 1]))
    >>> rows.numpy().ravel(), rows.values.numpy().ravel()
    (array([0., 3., 0.], dtype=float32), array([1., 2.], dtype=float32))
    """

    __slots__ = ("_indices", "_values")
    _indices: Tensor
    _values: Tensor

    def __init__(self, values: Any, indices: Any, dense_shape: Any = None) -> None:
        rows, places = convert(values), convert(indices)
        self._values, self._indices = rows, places
        if dense_shape is None:
            return
        size = int(np.ravel(value_of(convert(dense_shape)))[0])
        made = apply(Scatter(rows.ndim - 1, 0, 0, size), rows, places)
        self._become(made, rows, places)

    def _become(self, dense: Tensor, values: Tensor, indices: Tensor) -> None:
        """Be a tensor that was computed, with the rows that it was computed of."""
        self.raw, self.origin, self.label = dense.raw, dense.origin, dense.label
        for recording in THREAD.state.recordings:
            recording.replace(dense, self)
        self._values, self._indices = values, indices

    @property
    def values(self) -> Tensor:
        """The rows."""
        return self._values

    @property
    def indices(self) -> Tensor:
        """Where each row belongs."""
        return self._indices

    @property
    def dense_shape(self) -> Tensor | None:
        """The shape of the dense tensor, as a tensor; None where it was not given."""
        return convert(np.array(shape_of(self), np.int32)) if self._is_whole else None

    @property
    def shape(self) -> TensorShape:
        """The shape of the dense tensor, which may be unknown."""
        return super().shape if self._is_whole else TensorShape(None)

    @property
    def _type_spec(self) -> Any:
        return resolve_name(_SPEC)(self)

    @property
    def dtype(self) -> DType:
        """The dtype of the rows."""
        return self._values.dtype

    @property
    def _is_whole(self) -> bool:
        try:
            return object.__getattribute__(self, "raw") is not None
        except AttributeError:
            return False

    def _lacks(self, name: str) -> Any:
        if name in {"raw", "origin"}:
            raise ValueError(
                "Tensor conversion requested for IndexedSlices for argument `value` without "
                f"dense_shape: {self!s}"
            )
        return super()._lacks(name)

    if not TYPE_CHECKING:
        __getattr__ = _lacks

    def __str__(self) -> str:
        if self._is_whole:
            return super().__str__()
        return f"IndexedSlices(indices={self._indices!s}, values={self._values!s})"

    def __repr__(self) -> str:
        return super().__repr__() if self._is_whole else object.__repr__(self)

    def changed(self, change: Callable[[Tensor], Tensor]) -> IndexedSlices:
        """Change every row."""
        return IndexedSlices(change(self._values), self._indices, self.dense_shape)

    def dense(self) -> Tensor:
        """Give the tensor without its rows."""
        return apply1(identity, self)

    def __neg__(self) -> IndexedSlices:
        return self.changed(lambda rows: apply1(negative, rows))


IndexedSlices.__name__ = "IndexedSlices"


def by_rows(x: Any, change: Callable[[Tensor], Tensor]) -> Tensor:
    """Apply what TensorFlow applies to the rows of a gradient, or to a tensor as it is."""
    return x.changed(change) if isinstance(x, IndexedSlices) else change(convert(x))


def rows_of(x: Any) -> Any:
    """Give the rows of a gradient, or what is no sum of rows as it is."""
    return x.values if isinstance(x, IndexedSlices) else x


# --- finding rows in a derived program ------------------------------------------------------------


class Part(NamedTuple):
    """A scatter of rows in a program: the rows, and their places."""

    values: int
    indices: int


def parts_of(program: Program, position: int) -> list[Part]:
    """List the scatters along the first axis that a result is the sum of, or none of them."""
    found: list[Part] = []
    pending = [position]
    while pending:
        at = pending.pop()
        operation, *operands = program.steps[at]
        if type(operation) is AddN:
            pending += operands  # the last one is TensorFlow's first
        elif type(operation) is Scatter and _is_first(operation, len(program.shapes[at])):
            found.append(Part(*operands))
        else:
            return []
    return found


def _is_first(operation: Scatter, rank: int) -> bool:
    return operation.after == rank - 1 and operation.batch == operation.between == 0


def _remembered(dense: Tensor, values: Tensor, indices: Tensor) -> IndexedSlices:
    found: IndexedSlices = IndexedSlices.__new__(IndexedSlices)
    found._become(dense, values, indices)  # noqa: SLF001 - of this file's class
    return found


def joined(dense: Tensor, parts: Sequence[tuple[Tensor, Tensor]]) -> Tensor:
    """Let a gradient remember its rows, unless an operation chose their places itself."""
    if any([isinstance(places, Places) for _, places in parts]):
        return dense
    row = shape_of(dense)[1:]
    values = [_as_rows(rows, row) for rows, _ in parts]
    places = [_as_rows(indices, ()) for _, indices in parts]
    if len(parts) == 1:
        return _remembered(dense, values[0], places[0])
    every = apply(Concat(-len(row) - 1), *values)
    return _remembered(dense, every, apply(Concat(-1), *places))


def _as_rows(rows: Tensor, row: tuple[int, ...]) -> Tensor:
    shape = shape_of(rows)
    wanted = (int(np.prod(shape[: len(shape) - len(row)], dtype=int)), *row)
    return rows if shape == wanted else apply1(Reshape(shape, wanted), rows)
