"""Operators that multiply frequencies: circulants, along one, two or three axes."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any, ClassVar

import numpy as np

from symtape.ops.arguments import tensor
from symtape.ops.checks.values import assert_less, assert_positive
from symtape.ops.elementwise.arithmetic import divide, multiply
from symtape.ops.elementwise.conversion import cast
from symtape.ops.elementwise.functions import abs as absolute
from symtape.ops.elementwise.functions import conj, imag, log, real
from symtape.ops.indexing.gathering import gather
from symtape.ops.linalg.operators.base import LinearOperator, given, held
from symtape.ops.linalg.operators.checks import assert_no_zeros, assert_real
from symtape.ops.linalg.operators.hints import Hint, Hints, always, commuting_product, hints_of
from symtape.ops.linalg.products import adjoint as adjoint_of
from symtape.ops.linalg.products import matrix_transpose
from symtape.ops.reductions.reduction import reduce_max, reduce_min, reduce_prod, reduce_sum
from symtape.ops.shapes.repetition import broadcast_to
from symtape.ops.shapes.shaping import expand_dims, reshape
from symtape.ops.signal.transforms import fft, fft2d, fft3d, ifft, ifft2d, ifft3d
from symtape.tensor import dtypes
from symtape.tensor.convert import convert
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
    _forth: ClassVar[Callable[..., Tensor]] = staticmethod(fft)

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
        own = given(locals())
        self._spectrum = held(spectrum)
        rank = self._spectrum.shape.rank
        if rank is not None and rank < self.block_depth:
            raise ValueError(
                f"Argument `spectrum` must have at least {self.block_depth} dimensions. Received: "
                f"{self._spectrum}."
            )
        if not self._spectrum.dtype.is_complex:
            is_self_adjoint = always(
                is_self_adjoint,
                "A real spectrum always corresponds to a self-adjoint operator. Expected argument "
                "`is_self_adjoint` to be True when `spectrum.dtype.is_complex` = True. Received: "
                f"{is_self_adjoint}.",
            )
        square = always(
            is_square,
            "A [[nested] block] circulant operator is always square. Expected argument `is_square` "
            "to be True. Received: False.",
        )
        hints = Hints(is_non_singular, is_self_adjoint, is_positive_definite, square)
        super().__init__(input_output_dtype, name=name, parameters=own, **hints._asdict())

    @property
    def matrix_axes(self) -> dict[str, int]:  # type: ignore[override]  # it depends on the class
        """How many of the last axes of the spectrum belong to the matrix."""
        return {"spectrum": self.block_depth}

    @property
    def spectrum(self) -> Any:
        """The eigenvalues, in the order of frequencies."""
        return self._spectrum

    @property
    def block_shape(self) -> TensorShape:
        """The sizes of the axes along which it is a circulant."""
        found: TensorShape = TensorShape(self._spectrum.shape)[-self.block_depth :]
        return found

    def _complex(self) -> Tensor:
        spectrum = tensor(self._spectrum)
        wide = spectrum.dtype in (dtypes.float64, dtypes.complex128)
        return cast(spectrum, dtypes.complex128 if wide else dtypes.complex64)

    def convolution_kernel(self, name: str = "convolution_kernel") -> Tensor:
        """Give the first column, with as many axes as it is a circulant along."""
        return cast(self._back(self._complex()), self.dtype)

    def _shape(self) -> TensorShape:
        block = self.block_shape
        count = block.num_elements()
        batch: TensorShape = TensorShape(self._spectrum.shape)[: -self.block_depth]
        return batch.concatenate([count, count])

    def _to_dense(self) -> Tensor:
        kernel = self.convolution_kernel()
        sizes = shape_of(kernel)[-self.block_depth :]
        line = reshape(kernel, [*shape_of(kernel)[: -len(sizes)], prod(sizes)])
        at = np.stack(np.unravel_index(np.arange(prod(sizes)), sizes))
        apart = (at[:, :, None] - at[:, None]) % np.array(sizes)[:, None, None]
        return gather(line, tensor(np.ravel_multi_index(tuple(apart), sizes)), axis=-1)

    def _applied(self, x: Tensor, change: Callable[[Tensor, Tensor], Tensor]) -> Tensor:
        """Change the frequencies of columns by the spectrum."""
        spectrum, depth = self._complex(), self.block_depth
        sizes = shape_of(spectrum)[-depth:]
        rows = matrix_transpose(cast(x, spectrum.dtype))
        blocks = reshape(rows, [*shape_of(rows)[:-1], *sizes])
        found = self._back(change(self._forth(blocks), expand_dims(spectrum, -depth - 1)))
        lines = reshape(found, [*shape_of(found)[:-depth], prod(sizes)])
        return cast(matrix_transpose(lines), self.dtype)

    def _matmul(self, x: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Tensor:
        operand = adjoint_of(x) if adjoint_arg else x
        return self._applied(operand, lambda f, s: multiply(conj(s) if adjoint else s, f))

    def _solve(self, rhs: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Tensor:
        operand = adjoint_of(rhs) if adjoint_arg else rhs
        return self._applied(operand, lambda f, s: divide(f, conj(s) if adjoint else s))

    def _eigvals(self) -> Tensor:
        spectrum = tensor(self._spectrum)
        sizes = shape_of(spectrum)
        return reshape(spectrum, [*sizes[: -self.block_depth], prod(sizes[-self.block_depth :])])

    def _cond(self) -> Tensor:
        sizes = absolute(self._eigvals())
        return divide(reduce_max(sizes, -1), reduce_min(sizes, -1))

    def _determinant(self) -> Tensor:
        return cast(reduce_prod(self._eigvals(), -1), self.dtype)

    def _log_abs_determinant(self) -> Tensor:
        return cast(reduce_sum(log(absolute(self._eigvals())), -1), self.dtype)

    def _trace(self) -> Tensor:
        values = self._eigvals()
        is_real = self.is_self_adjoint or not self.dtype.is_complex
        return cast(reduce_sum(real(values) if is_real else values, -1), self.dtype)

    def _diag_part(self) -> Tensor:
        n = shape_of(self._eigvals())[-1]
        value = expand_dims(divide(self._trace(), convert(n, self.dtype)), -1)
        return broadcast_to(value, [*shape_of(value)[:-1], n])

    def assert_hermitian_spectrum(self, name: str = "assert_hermitian_spectrum") -> None:
        """Raise `InvalidArgumentError` where the matrix is not real."""
        kernel = absolute(imag(self.convolution_kernel()))
        dtype = self.dtype.real_dtype
        largest = float(np.finfo(dtype.numpy).eps) * prod(shape_of(kernel)[-self.block_depth :])
        assert_less(kernel, convert(largest, dtype), message="Spectrum was not Hermitian")

    def _assert_self_adjoint(self) -> None:
        words = "Not self-adjoint:  The spectrum contained non-zero imaginary part."
        assert_real(self._spectrum, words)

    def _assert_non_singular(self) -> None:
        words = "Singular operator:  Spectrum contained zero values."
        assert_no_zeros(self._spectrum, words)

    def _assert_positive_definite(self) -> None:
        words = "Not positive definite:  Real part of spectrum was not all positive."
        assert_positive(real(tensor(self._spectrum)), message=words)

    def _again(self, spectrum: Tensor, hints: Hints) -> LinearOperator:
        return type(self)(spectrum, self.dtype, **hints._asdict())

    def _linop_adjoint(self) -> LinearOperator:
        return self._again(conj(tensor(self._spectrum)), hints_of(self))

    def _linop_inverse(self) -> LinearOperator:
        return self._again(divide(1.0, tensor(self._spectrum)), hints_of(self))

    def _linop_matmul(self, left_operator: Any, right_operator: Any) -> LinearOperator:
        if type(right_operator) is not type(self):
            return super()._linop_matmul(left_operator, right_operator)
        spectrum = multiply(self._spectrum, right_operator.spectrum)
        return self._again(spectrum, commuting_product(self, right_operator))

    def _linop_solve(self, left_operator: Any, right_operator: Any) -> LinearOperator:
        if type(right_operator) is not type(self):
            return super()._linop_solve(left_operator, right_operator)
        spectrum = divide(right_operator.spectrum, self._spectrum)
        return self._again(spectrum, commuting_product(self, right_operator))


class LinearOperatorCirculant2D(LinearOperatorCirculant):
    """A circulant along two axes (`tf.linalg.LinearOperatorCirculant2D`).

    The last two axes of `spectrum` are frequencies; rows and columns count both, one after the
    other.

    >>> LinearOperatorCirculant2D([[1.0, 2.0]], "float32").matvec([1.0, 0.0]).numpy()
    array([ 1.5, -0.5], dtype=float32)
    """

    block_depth = 2
    _back, _forth = staticmethod(ifft2d), staticmethod(fft2d)

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
        said = is_non_singular, is_self_adjoint, is_positive_definite, is_square
        super().__init__(spectrum, input_output_dtype, *said, name)


class LinearOperatorCirculant3D(LinearOperatorCirculant):
    """A circulant along three axes (`tf.linalg.LinearOperatorCirculant3D`).

    As `LinearOperatorCirculant2D`, with the last three axes of `spectrum`.

    >>> LinearOperatorCirculant3D([[[1.0, 2.0]]], "float32").matvec([1.0, 0.0]).numpy()
    array([ 1.5, -0.5], dtype=float32)
    """

    block_depth = 3
    _back, _forth = staticmethod(ifft3d), staticmethod(fft3d)

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
        said = is_non_singular, is_self_adjoint, is_positive_definite, is_square
        super().__init__(spectrum, input_output_dtype, *said, name)
