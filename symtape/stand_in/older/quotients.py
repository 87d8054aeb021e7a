"""The quotient of TensorFlow 1 that takes numbers with fractions alone."""

from __future__ import annotations

from typing import Any

from symtape.errors import NotFoundError
from symtape.ops.arguments import pair
from symtape.ops.elementwise import arithmetic
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import dtype_of


def realdiv(x: Any, y: Any, name: str | None = None) -> Tensor:
    """The quotient of numbers with fractions; raises `NotFoundError` for integers.

    >>> realdiv(3.0, 2.0).numpy()
    np.float32(1.5)
    """
    x, y = pair(x, y)
    if dtype_of(x).kind not in "fcV":
        dtype = f"DT_{x.dtype.enum_name.upper()}"
        raise NotFoundError(
            message=f"Could not find device for node: {{{{node RealDiv}}}} = RealDiv[T={dtype}]"
        )
    return arithmetic.truediv(x, y)
