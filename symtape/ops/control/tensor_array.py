"""`tf.TensorArray`: a list of tensors of one dtype, written and read place by place."""

from __future__ import annotations

import operator
from collections.abc import Iterable
from typing import Any, NoReturn

from symtape.errors import InvalidArgumentError, OutOfRangeError
from symtape.ops.arguments import integers, plain, scalar
from symtape.ops.elementwise.conversion import cast
from symtape.ops.shapes.creation import zeros
from symtape.ops.shapes.joining import concat, split, stack, unstack
from symtape.tensor import dtypes
from symtape.tensor.convert import convert
from symtape.tensor.dispatch import follow
from symtape.tensor.dtypes import DType
from symtape.tensor.shape import TensorShape, fixed
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import shape_of


class TensorArray:
    """A list of tensors that is written and read by number (`tf.TensorArray`).

    It is as TensorFlow's is when run eagerly: one list, which `write` and its kin change and give.
    A place that was not written reads as zeros of `element_shape`, which the first write settles
    unless `infer_shape` is false. With `clear_after_read`, as by default, a place can be read once.
    Derivatives flow through it. Raises `ValueError` without `size`, and for a `handle`.

    >>> squares = TensorArray(dtypes.float32, size=3)
    >>> for k in range(3):
    ...     squares = squares.write(k, k * k)
    >>> squares.stack().numpy()
    array([0., 1., 4.], dtype=float32)
    """

    def __init__(
        self,
        dtype: Any,
        size: Any = None,
        dynamic_size: bool | None = None,
        clear_after_read: bool | None = None,
        tensor_array_name: str | None = None,
        handle: Any = None,
        flow: Any = None,
        infer_shape: bool = True,
        element_shape: Any = None,
        colocate_with_first_write_call: bool = True,
        name: str | None = None,
    ) -> None:
        if handle is not None:
            raise ValueError(
                "TensorArray handles are not supported when eager execution is enabled."
            )
        if size is None:
            raise ValueError(
                "Size must be declared for TensorArrays when eager execution is enabled."
            )
        self._dtype = dtypes.as_dtype(dtype)
        self._dynamic_size = bool(dynamic_size)
        self._clear_after_read = clear_after_read is None or bool(clear_after_read)
        self._infer_shape = infer_shape
        self._element_shape = TensorShape(element_shape)
        self._tensors: list[Tensor | None] = [None] * scalar(size)
        self._read: set[int] = set()

    # --- what it is -------------------------------------------------------------------------------

    @property
    def dtype(self) -> DType:
        """The dtype of all tensors in it."""
        return self._dtype

    @property
    def element_shape(self) -> TensorShape:
        """The shape of all tensors in it, as far as it is known."""
        return self._element_shape

    @property
    def dynamic_size(self) -> bool:
        """Whether writing behind the end makes it longer."""
        return self._dynamic_size

    @property
    def infers_shape(self) -> bool:
        """Whether the first tensor that is written settles the shape of all."""
        return self._infer_shape

    @property
    def handle(self) -> None:
        """None, as TensorFlow has it when run eagerly."""
        return

    @property
    def flow(self) -> Tensor:
        """The zero that TensorFlow has here when run eagerly."""
        return convert(0)

    def size(self, name: str | None = None) -> Tensor:
        """Give the number of places."""
        return convert(len(self._tensors))

    def identity(self) -> TensorArray:
        """Give oneself."""
        return self

    def grad(self, source: Any, flow: Any = None, name: str | None = None) -> NoReturn:
        """Refuse with a `NotImplementedError`, as TensorFlow does: a tape gives gradients."""
        raise NotImplementedError(
            "TensorArray.grad is not supported when executing eagerly; eager's gradient "
            "implementation does not use/need this function to compute gradients of operations "
            "that use TensorArrays."
        )

    def close(self, name: str | None = None) -> None:
        """Let go of all tensors, and of their places."""
        self._tensors.clear()

    # --- one place --------------------------------------------------------------------------------

    def read(self, index: Any, name: str | None = None) -> Tensor:
        """Give the tensor at a place.

        Raises `OutOfRangeError` for a place that is not there, and `InvalidArgumentError` for one
        that a first reading has cleared.
        """
        at = _place(index)
        if at < 0:
            raise OutOfRangeError(
                message=f"Reading from negative indices (index {at}) is not allowed."
            )
        if at >= len(self._tensors):
            raise OutOfRangeError(
                message=f"Tried to read from index {at} but array size is: {len(self._tensors)} "
            )
        if self._tensors[at] is None and at in self._read:
            raise InvalidArgumentError(
                message=f"Could not read index {at} twice because it was cleared after a previous "
                "read (perhaps try setting clear_after_read = false?)"
            )
        found = self._present(at)
        if self._clear_after_read:
            self._tensors[at] = None
            self._read.add(at)
        return found

    def write(self, index: Any, value: Any, name: str | None = None) -> TensorArray:
        """Put a tensor at a place, and give the array.

        Raises `OutOfRangeError` for a place that is not there, unless `dynamic_size` makes it,
        `InvalidArgumentError` for another dtype, and `ValueError` for another shape.
        """
        at = _place(index)
        if at < 0:
            raise OutOfRangeError(
                message=f"Writing to negative indices (index {at}) is not allowed."
            )
        size = len(self._tensors)
        if at >= size and not self._dynamic_size:
            raise OutOfRangeError(
                message=f"Tried to write to index {at} but array is not resizeable and size is: "
                f"{size} "
            )
        self._tensors += [None] * (at + 1 - size)
        self._tensors[at] = self._fitting(value)
        return self

    def _fitting(self, value: Any) -> Tensor:
        """Convert what is written; its shape is that of all others from here on."""
        x = convert(value, hint=self._dtype)
        if x.dtype is not self._dtype:
            raise InvalidArgumentError(
                message=f"TensorArray dtype is {self._dtype.name} but Op is trying to write dtype "
                f"{x.dtype.name} "
            )
        if not self._element_shape.is_compatible_with(x.shape):
            raise ValueError(
                f"Incompatible shape for value ({x.shape}), expected ({self._element_shape})"
            )
        if self._infer_shape:
            self._element_shape = x.shape
        return x

    def _present(self, at: int) -> Tensor:
        """Give the tensor at a place; one that was never written is zeros from now on."""
        found = self._tensors[at]
        if found is None:
            found = self._tensors[at] = zeros(fixed(self._element_shape), self._dtype)
        return found

    # --- all places -------------------------------------------------------------------------------

    def stack(self, name: str | None = None) -> Tensor:
        """Join all tensors along a new first axis."""
        if not self._tensors:
            known = self._element_shape.is_fully_defined()
            return zeros([0, *(self._element_shape if known else ())], self._dtype)
        made = cast(stack([self._present(k) for k in range(len(self._tensors))]), self._dtype)
        return follow("TensorListStack", (made,), made)

    def gather(self, indices: Any, name: str | None = None) -> Tensor:
        """Join the tensors at some places along a new first axis."""
        return stack([self._present(k) for k in _several(indices)])

    def concat(self, name: str | None = None) -> Tensor:
        """Put all tensors one after another along their first axes.

        Raises `InvalidArgumentError` for scalars, and where other axes differ.
        """
        parts = [self._present(k) for k in range(len(self._tensors))]
        at = next((k for k, part in enumerate(parts) if not shape_of(part)), None)
        if at is not None and len(parts) > 1:
            raise InvalidArgumentError(
                message=f"Concat saw a scalar shape at index {at} but requires at least vectors."
            )
        return concat(parts, 0)

    def unstack(self, value: Any, name: str | None = None) -> TensorArray:
        """Fill the array with the parts of a tensor along its first axis.

        Raises `ValueError` for more parts than places, unless the size is dynamic.
        """
        parts = unstack(value)
        if len(parts) > len(self._tensors) and not self._dynamic_size:
            raise ValueError(
                f"Cannot unstack {len(parts)} tensors into a TensorArray of static size "
                f"{len(self._tensors)} "
            )
        return self._filled(parts)

    def scatter(self, indices: Any, value: Any, name: str | None = None) -> TensorArray:
        """Write the parts of a tensor along its first axis to some places; errors as `write`."""
        parts = unstack(value)
        for at, part in zip(_several(indices), parts, strict=False):
            self.write(at, part)
        return self

    def split(self, value: Any, lengths: Any, name: str | None = None) -> TensorArray:
        """Fill the array with pieces of a tensor, of some lengths along its first axis.

        Raises `InvalidArgumentError` where lengths do not fit the tensor or the array.
        """
        x = convert(value, hint=self._dtype)
        sizes = convert(lengths)
        self._check_pieces(x, sizes)
        return self._filled(split(x, sizes))

    def _check_pieces(self, x: Tensor, sizes: Tensor) -> None:
        shape = list(shape_of(x))
        if sizes.ndim != 1:
            text = f"Expected lengths to be a vector, received shape: {list(shape_of(sizes))} "
            raise InvalidArgumentError(message=text)
        if not shape:
            text = "Expected value to be at least a vector, but received shape: [] "
            raise InvalidArgumentError(message=text)
        total = sum(integers(sizes))
        if total != shape[0]:
            raise InvalidArgumentError(
                message="Expected sum of lengths to be equal to values.shape[0], but sum of "
                f"lengths is {total} and value's shape is: {shape} "
            )
        if not self._dynamic_size and shape_of(sizes)[0] != len(self._tensors):
            raise InvalidArgumentError(
                message="TensorArray's size is not equal to the size of lengths "
                f"({len(self._tensors)} vs. {shape_of(sizes)[0]}), and the TensorArray is not "
                "marked as dynamically resizeable."
            )

    def _filled(self, parts: Iterable[Tensor]) -> TensorArray:
        self._tensors = list(parts)
        return self


def _place(index: Any) -> int:
    try:
        return operator.index(plain(index))
    except TypeError:
        kind = type(plain(index)).__name__
        raise TypeError(f"list indices must be integers or slices, not {kind}") from None


def _several(indices: Any) -> list[int]:
    """Read places; raises `TypeError` for one by itself."""
    iter(plain(indices))
    return integers(indices)
