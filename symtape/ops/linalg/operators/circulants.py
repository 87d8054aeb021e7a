"""Operators that multiply frequencies: circulants, along one, two or three axes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any, ClassVar

import numpy as np

from symtape.ops.arguments import tensor
from symtape.ops.elementwise.arithmetic import divide
from symtape.ops.elementwise.conversion import cast
from symtape.ops.elementwise.functions import conj
from symtape.ops.indexing.gathering import gather
from symtape.ops.linalg.operators.base import Hint, Hints, LinearOperator
from symtape.ops.shapes.shaping import reshape
from symtape.ops.signal.transforms import ifft, ifft2d, ifft3d
from symtape.tensor import dtypes
from symtape.tensor.shape import TensorShape
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import shape_of


class LinearOperatorCirculant(LinearOperator):
    """A circulant with a spectrum: F⁻¹ diag(spectrum) F (`tf.linalg.LinearOperatorCirculant`).

    >>> LinearOperatorCirculant([3.0, 1.0], "float32").to_dense().numpy()
    array([[2., 1.],
           [1., 2.]], dtype=float32)
    """

    block_depth: ClassVar[int] = 1
    _back: ClassVar[Callable[..., Tensor]] = staticmethod(ifft)
    """The transform from the spectrum to the first column."""

    def __init__(
        self,
        spectrum: Any,
        input_output_dtype: Any = dtypes.complex64,
        is_non_singular: Hint = None,
        is_self_adjoint: Hint = None,
        is_positive_definite: Hint = None,
        is_square: Hint = True,
        name: str = "LinearOperatorCirculant",
    ) -> None:
        self._spectrum = tensor(spectrum)
        if self._spectrum.ndim < self.block_depth:
            raise ValueError(
                f"Argument `spectrum` must have at least {self.block_depth} dimensions. Received: "
                f"{self._spectrum}."
            )
        if not self._spectrum.dtype.is_complex:
            if is_self_adjoint is False:
                raise ValueError(
                    "A real spectrum always corresponds to a self-adjoint operator. Expected "
                    "argument `is_self_adjoint` to be True when `spectrum.dtype.is_complex` = "
                    f"True. Received: {is_self_adjoint}."
                )
            is_self_adjoint = True
        if is_square is False:
            raise ValueError(
                "A [[nested] block] circulant operator is always square. Expected argument "
                "`is_square` to be True. Received: False."
            )
        hints = Hints(is_non_singular, is_self_adjoint, is_positive_definite, is_square)
        super().__init__(input_output_dtype, hints, name, {"spectrum": spectrum})

    @property
    def spectrum(self) -> Tensor:
        """The eigenvalues, in the order of frequencies."""
        return self._spectrum

    @property
    def block_shape(self) -> TensorShape:
        """The sizes of the axes along which it is a circulant."""
        return TensorShape(self._block())

    def _block(self) -> tuple[int, ...]:
        return shape_of(self._spectrum)[-self.block_depth :]

    def _complex(self) -> Tensor:
        wide = self._spectrum.dtype in (dtypes.float64, dtypes.complex128)
        return cast(self._spectrum, dtypes.complex128 if wide else dtypes.complex64)

    def convolution_kernel(self, name: str = "convolution_kernel") -> Tensor:
        """Give the first column, with as many axes as it is a circulant along."""
        return cast(self._back(self._complex()), self.dtype)

    def _sizes(self) -> Sequence[int]:
        batch, count = shape_of(self._spectrum)[: -self.block_depth], prod(self._block())
        return [*batch, count, count]

    def _dense(self) -> Tensor:
        sizes = self._block()
        kernel = self.convolution_kernel()
        line = reshape(kernel, [*shape_of(kernel)[: -len(sizes)], prod(sizes)])
        at = np.stack(np.unravel_index(np.arange(prod(sizes)), sizes))
        apart = (at[:, :, None] - at[:, None]) % np.array(sizes)[:, None, None]
        return gather(line, tensor(np.ravel_multi_index(tuple(apart), sizes)), axis=-1)

    def _with_spectrum(self, spectrum: Tensor, is_non_singular: Hint) -> LinearOperator:
        h = self._hints
        own = is_non_singular, h.is_self_adjoint, h.is_positive_definite, True
        return type(self)(spectrum, self.dtype, *own)

    def _adjoint(self) -> LinearOperator:
        return self._with_spectrum(conj(self._spectrum), self._hints.is_non_singular)

    def _inverse(self) -> LinearOperator:
        return self._with_spectrum(divide(1.0, self._spectrum), True)


class LinearOperatorCirculant2D(LinearOperatorCirculant):
    """A circulant along two axes (`tf.linalg.LinearOperatorCirculant2D`).

    The last two axes of `spectrum` are frequencies; rows and columns count both, one after the
    other.

    >>> LinearOperatorCirculant2D([[1.0, 2.0]], "float32").matvec([1.0, 0.0]).numpy()
    array([ 1.5, -0.5], dtype=float32)
    """

    block_depth = 2
    _back = staticmethod(ifft2d)

    def __init__(
        self,
        spectrum: Any,
        input_output_dtype: Any = dtypes.complex64,
        is_non_singular: Hint = None,
        is_self_adjoint: Hint = None,
        is_positive_definite: Hint = None,
        is_square: Hint = True,
        name: str = "LinearOperatorCirculant2D",
    ) -> None:
        hints = is_non_singular, is_self_adjoint, is_positive_definite, is_square
        super().__init__(spectrum, input_output_dtype, *hints, name)


class LinearOperatorCirculant3D(LinearOperatorCirculant):
    """A circulant along three axes (`tf.linalg.LinearOperatorCirculant3D`).

    As `LinearOperatorCirculant2D`, with the last three axes of `spectrum`.

    >>> LinearOperatorCirculant3D([[[1.0, 2.0]]], "float32").matvec([1.0, 0.0]).numpy()
    array([ 1.5, -0.5], dtype=float32)
    """

    block_depth = 3
    _back = staticmethod(ifft3d)

    def __init__(
        self,
        spectrum: Any,
        input_output_dtype: Any = dtypes.complex64,
        is_non_singular: Hint = None,
        is_self_adjoint: Hint = None,
        is_positive_definite: Hint = None,
        is_square: Hint = True,
        name: str = "LinearOperatorCirculant3D",
    ) -> None:
        hints = is_non_singular, is_self_adjoint, is_positive_definite, is_square
        super().__init__(spectrum, input_output_dtype, *hints, name)
