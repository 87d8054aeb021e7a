"""Discrete Fourier transforms of one axis, as products with the matrix of roots of unity."""

from __future__ import annotations

from typing import Any

import numpy as np

from symtape.program.operations import Einsum
from symtape.tensor.dispatch import apply
from symtape.tensor.tensor import Tensor

LARGEST = 4096
"""So many elements are transformed by a matrix, at most: its square is kept."""


def roots_of_unity(n: int, sign: int, dtype: Any) -> Any:
    """exp(±2πi·jk/n); the exponent is reduced first, so that it keeps its digits.

    >>> roots_of_unity(2, -1, np.complex64).real
    array([[ 1.,  1.],
           [ 1., -1.]], dtype=float32)
    """
    places = np.outer(np.arange(n), np.arange(n)) % n
    return np.exp(sign * 2j * np.pi * places / n).astype(dtype)


def along(x: Tensor, matrix: Any, axis: int) -> Tensor:
    """Multiply one axis by a matrix."""
    own = list(range(x.ndim))
    result = [100 if k == axis else k for k in own]
    return apply(Einsum.of([[100, axis], own], result), Tensor(matrix), x)


__all__ = ["LARGEST", "along", "roots_of_unity"]
