"""The numbers that a matrix has, and what is made sure of it, by default of the dense one."""

from __future__ import annotations

from typing import Any

import numpy as np

from symtape.ops.arguments import tensor
from symtape.ops.checks.values import assert_equal, assert_less, assert_positive
from symtape.ops.elementwise.arithmetic import add, divide
from symtape.ops.elementwise.conversion import cast
from symtape.ops.elementwise.functions import abs as absolute
from symtape.ops.elementwise.functions import exp
from symtape.ops.linalg import solving
from symtape.ops.linalg.diagonals import diag_part
from symtape.ops.linalg.operators.described import Described
from symtape.ops.linalg.products import adjoint
from symtape.ops.linalg.spectra import eigvalsh, svd
from symtape.ops.reductions.reduction import reduce_max, reduce_min, reduce_sum
from symtape.tensor.convert import convert
from symtape.tensor.tensor import Tensor


class Measured(Described):
    """A matrix, or a batch of them, of which numbers can be asked."""

    def to_dense(self, name: str = "to_dense") -> Tensor:
        """Give the matrix."""
        return self._to_dense()

    def _to_dense(self) -> Tensor:
        raise NotImplementedError("_to_dense is not implemented.")

    def _check_input_dtype(self, arg: Any) -> None:
        if arg.dtype != self.dtype:
            raise TypeError(
                f"Expected argument to have dtype {self.dtype}.  Found: {arg.dtype} in tensor "
                f"{arg!s}"
            )

    def _can_use_cholesky(self) -> bool:
        return bool(self.is_self_adjoint and self.is_positive_definite)

    def determinant(self, name: str = "det") -> Tensor:
        """Give the determinant; raises `NotImplementedError` for what is not square."""
        self._check_has_determinant()
        return self._determinant()

    def log_abs_determinant(self, name: str = "log_abs_det") -> Tensor:
        """Give log |det|; raises `NotImplementedError` for what is not square."""
        self._check_has_determinant()
        return self._log_abs_determinant()

    def _check_has_determinant(self) -> None:
        if self.is_square is False:
            raise NotImplementedError(
                "Determinant not implemented for an operator that is expected to not be square."
            )

    def _determinant(self) -> Tensor:
        if self._can_use_cholesky():
            return exp(self.log_abs_determinant())
        return solving.det(self.to_dense())

    def _log_abs_determinant(self) -> Tensor:
        if self._can_use_cholesky():
            return cast(solving.logdet(self.to_dense()), self.dtype)
        return solving.slogdet(self.to_dense())[1]

    def diag_part(self, name: str = "diag_part") -> Tensor:
        """Give the diagonal."""
        return self._diag_part()

    def _diag_part(self) -> Tensor:
        return diag_part(self.to_dense())

    def trace(self, name: str = "trace") -> Tensor:
        """Give the sum of the diagonal."""
        return self._trace()

    def _trace(self) -> Tensor:
        return reduce_sum(self.diag_part(), -1)

    def add_to_tensor(self, x: Any, name: str = "add_to_tensor") -> Tensor:
        """Add it to a matrix; raises `TypeError` for another dtype."""
        operand = tensor(x)
        self._check_input_dtype(operand)
        return self._add_to_tensor(operand)

    def _add_to_tensor(self, x: Any) -> Tensor:
        return add(self.to_dense(), x)

    def eigvals(self, name: str = "eigvals") -> Tensor:
        """Give the eigenvalues; raises `NotImplementedError` unless it is its own adjoint."""
        if not self.is_self_adjoint:
            raise NotImplementedError("Only self-adjoint matrices are supported.")
        return self._eigvals()

    def _eigvals(self) -> Tensor:
        return eigvalsh(self.to_dense())

    def cond(self, name: str = "cond") -> Tensor:
        """Give the greatest singular value over the least."""
        return self._cond()

    def _cond(self) -> Tensor:
        if self.is_self_adjoint:
            values = absolute(self._eigvals())
        else:
            values = svd(self.to_dense(), compute_uv=False)
        return divide(reduce_max(values, -1), reduce_min(values, -1))

    # --- checks -----------------------------------------------------------------------------------

    def assert_non_singular(self, name: str = "assert_non_singular") -> None:
        """Raise `InvalidArgumentError` where it has no inverse, up to the digits of its dtype."""
        self._assert_non_singular()

    def _assert_non_singular(self) -> None:
        if self._can_use_cholesky():
            self.assert_positive_definite()
            return
        values = svd(self.to_dense(), compute_uv=False)
        spread = divide(reduce_max(values, -1), reduce_min(values, -1))
        largest = self._max_condition_number_to_be_non_singular()
        assert_less(spread, largest, message="Singular matrix up to precision epsilon.")

    def _max_condition_number_to_be_non_singular(self) -> Tensor:
        width = float(max(100, *[int(n) for n in self.shape_tensor().numpy()[-2:]]))
        dtype = self.dtype.real_dtype
        return convert(1.0 / (width * float(np.finfo(dtype.numpy).eps)), dtype)

    def assert_positive_definite(self, name: str = "assert_positive_definite") -> None:
        """Raise `InvalidArgumentError` where it is not positive definite.

        Raises `NotImplementedError` unless it is its own adjoint.
        """
        self._assert_positive_definite()

    def _assert_positive_definite(self) -> None:
        if not self.is_self_adjoint:
            raise NotImplementedError("assert_positive_definite is not implemented.")
        line = diag_part(solving.cholesky(self.to_dense()))
        assert_positive(line, message="Matrix was not positive definite.")

    def assert_self_adjoint(self, name: str = "assert_self_adjoint") -> None:
        """Raise `InvalidArgumentError` where it is not its own adjoint."""
        self._assert_self_adjoint()

    def _assert_self_adjoint(self) -> None:
        dense = self.to_dense()
        assert_equal(dense, adjoint(dense), message="Matrix was not equal to its adjoint.")
