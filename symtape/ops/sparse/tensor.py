"""`SparseTensor`: elements at some places of zeros."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn, Self

import numpy as np

from symtape.ops.arguments import is_tensor, of_dtype, plain, tensor, valued
from symtape.ops.composite import CompositeTensor
from symtape.ops.elementwise.arithmetic import divide, multiply
from symtape.ops.indexing.gathering import gather, gather_nd
from symtape.ops.indexing.scattering import scatter_nd
from symtape.ops.runtime import printing
from symtape.ops.sparse.spec import SparseTensorSpec
from symtape.tensor import dtypes
from symtape.tensor.convert import convert, holds_tensor
from symtape.tensor.dispatch import invalid, listed
from symtape.tensor.dtypes import DType
from symtape.tensor.recording.looking import looking
from symtape.tensor.shape import TensorShape
from symtape.tensor.tensor import Tensor
from symtape.tensor.unknown_sizes import made_up
from symtape.tensor.values import look_at, shape_of


class SparseTensor(CompositeTensor):
    """Some elements of an array, by their places; the others are zero (`tf.SparseTensor`).

    `indices` are whole numbers of shape (n, rank), `values` has shape (n,). Raises `ValueError`
    where these do not fit, and for indices or sizes that are tensors of another dtype than int64.

    >>> SparseTensor([[0, 1]], [2.0], (2, 2)).to_dense().numpy()
    array([[0., 2.],
           [0., 0.]], dtype=float32)
    """

    def __init__(self, indices: Any, values: Any, dense_shape: Any) -> None:
        self.places = np.asarray(_whole_numbers("indices", indices, valued))
        self.values: Tensor = tensor(values)
        read = plain if holds_tensor(dense_shape) else valued
        sizes = tuple(int(n) for n in np.ravel(_whole_numbers("dense_shape", dense_shape, read)))
        if self.places.shape != (*shape_of(self.values), len(sizes)):
            raise ValueError(
                f"indices of shape {self.places.shape} and values of shape "
                f"{shape_of(self.values)} are no elements of a tensor of shape {sizes}"
            )
        self.sizes = sizes
        self._indices: Tensor | None = indices if isinstance(indices, Tensor) else None

    @classmethod
    def from_value(cls, sparse_tensor_value: Any) -> SparseTensor:
        """Make a sparse tensor of its parts, `indices`, `values` and `dense_shape`, as a tuple.

        A sparse tensor is given back. Raises `TypeError` for anything else.

        >>> whole = SparseTensor([[0, 1]], [2.0], (2, 2))
        >>> SparseTensor.from_value(whole) is whole
        True
        """
        value = sparse_tensor_value
        if isinstance(value, SparseTensor):
            return value
        if getattr(value, "_fields", None) != ("indices", "values", "dense_shape"):
            raise TypeError(
                f"Argument sparse_tensor_value={value} is neither a SparseTensor nor "
                "SparseTensorValue."
            )
        return cls(*value)

    @property
    def indices(self) -> Tensor:
        """The places of the elements, of dtype int64."""
        if self._indices is None or self._indices.dtype is not dtypes.int64:
            self._indices = Tensor(self.places)
        return self._indices

    @property
    def dense_shape(self) -> Tensor:
        """The shape, as a tensor of int64."""
        return Tensor(np.asarray(self.sizes, np.int64))

    @property
    def shape(self) -> TensorShape:
        """The shape."""
        return TensorShape(self.sizes)

    @property
    def dtype(self) -> DType:
        """The dtype of the elements."""
        return self.values.dtype

    @property
    def watched(self) -> Tensor:
        """The elements, which a tape watches if it is told to watch the whole."""
        return self.values

    @property
    def type_spec(self) -> SparseTensorSpec:
        """The spec of the shape and the dtype."""
        return SparseTensorSpec(self.sizes, self.dtype)

    def components(self) -> list[Tensor]:
        """List the places, the elements and the shape."""
        return [self.indices, self.values, self.dense_shape]

    def as_array(self) -> Any:
        """Give the whole as an array, as an iterator over arrays does."""
        found = np.zeros(self.sizes, self.dtype.numpy)
        if self.dtype is dtypes.string:
            found[...] = b""
        found[tuple(self.places.T)] = look_at(self.values)
        return found

    def differentiated(self) -> NoReturn:
        """Refuse to be differentiated, or by: a gradient is that of the elements."""
        raise ValueError(
            "Type SparseTensor is not supported as a gradient source or gradient target."
        )

    def get_shape(self) -> TensorShape:
        """Give the shape."""
        return self.shape

    def set_shape(self, shape: Any) -> None:
        """Check that the shape may be this one."""
        if not self.shape.is_compatible_with(shape):
            raise ValueError(f"Shapes {self.shape} and {TensorShape(shape)} are not compatible.")

    def with_values(self, new_values: Any) -> Self:
        """Give other elements at the same places."""
        return type(self)(self.indices, new_values, self.sizes)

    def to_dense(self) -> Tensor:
        """Give the whole tensor."""
        return scatter_nd(self.places, self.values, self.sizes)

    def __mul__(self, other: Any) -> SparseTensor:
        """Multiply the elements by those of a whole tensor, which is broadcast to this shape."""
        return self._beside(multiply, "SparseDenseCwiseMul", other)

    def __rmul__(self, other: Any) -> SparseTensor:
        """Multiply the elements of a whole tensor, which may be no number of Python's."""
        if not is_tensor(other):
            return NotImplemented
        return self * of_dtype("SparseDenseCwiseMul", other, self.dtype, 3)

    def __truediv__(self, other: Any) -> SparseTensor:
        """Divide the elements by those of a whole tensor, which is broadcast to this shape."""
        return self._beside(divide, "SparseDenseCwiseDiv", other)

    def _beside(self, function: Any, op: str, other: Any) -> SparseTensor:
        try:
            y = convert(other, self.dtype)
        except ValueError as error:
            raise ValueError(f"y: {error}") from None
        shape = shape_of(y)
        lacking = len(self.sizes) - len(shape)
        pairs = zip(self.sizes[max(lacking, 0) :], shape, strict=False)
        if lacking < 0 or any(m not in {1, n} for n, m in pairs):
            raise invalid(
                op,
                "SparseDenseBinaryOpShared broadcasts dense to sparse only; got incompatible "
                f"shapes: {listed(self.sizes)} vs. {listed(shape)}",
            )
        places = [np.minimum(self.places[:, lacking + k], m - 1) for k, m in enumerate(shape)]
        chosen = gather_nd(y, np.stack(places, 1)) if shape else y
        return self.with_values(function(self.values, chosen))

    def __repr__(self) -> str:
        return (
            f"SparseTensor(indices={self.indices!s}, values={self.values!s}, "
            f"dense_shape={self.dense_shape!s})"
        )


def _whole_numbers(name: str, given: Any, read: Callable[[Any], Any]) -> Any:
    """Read whole numbers, which TensorFlow does not make of int32, nor of what has a point."""
    try:
        return read(convert(given, dtypes.int64))
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from None


def rows_of(whole: SparseTensor, order: Any) -> SparseTensor:
    """Choose elements by their numbers."""
    return SparseTensor(whole.places[order], gather(whole.values, order), whole.shape)


def of_any_shape(whole: SparseTensor) -> SparseTensor:
    """Give what has a shape that values decide; nobody knows it where sizes alone are looked at.

    >>> of_any_shape(SparseTensor([[0, 1]], [2.0], (2, 2))).shape
    TensorShape([2, 2])
    """
    run = looking()
    if run is None:
        return whole
    rank = len(whole.sizes)
    places = np.repeat(np.arange(run.number)[:, None], rank, 1)
    return SparseTensor(places, made_up(whole.values, [run.number]), [run.number] * rank)


SparseTensorSpec.kind = SparseTensor


@printing.shown.register(SparseTensor)
def _printed(whole: SparseTensor, edge: int) -> str:
    """Write a sparse tensor as `tf.print` does: a text of its parts."""
    indices, values, sizes = (
        printing.array_text(np.asarray(look_at(part)), edge) for part in whole.components()
    )
    return f"'SparseTensor(indices={indices}, values={values}, shape={sizes})'"
