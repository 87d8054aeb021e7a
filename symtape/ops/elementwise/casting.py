"""`tf.cast`, which gives back a variable that has the dtype."""

from __future__ import annotations

from typing import Any

from symtape.ops.elementwise import conversion
from symtape.tensor import dtypes
from symtape.tensor.tensor import Tensor


def cast(x: Any, dtype: Any, name: str | None = None) -> Tensor:
    """Change the dtype.

    Floats are cut towards zero for integers, and complex numbers lose the imaginary part.
    A tensor that has the dtype is given back as it is, and so is a variable, which goes on to hold
    what it is assigned. Integers and bool cut the gradient.

    >>> cast([1.7, -1.7], dtypes.int32).numpy()
    array([ 1, -1], dtype=int32)
    """
    if hasattr(x, "read_value") and x.dtype is dtypes.as_dtype(dtype):
        return x  # type: ignore[no-any-return]  # a variable
    return conversion.cast(x, dtype)
