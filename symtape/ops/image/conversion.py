"""Images in another dtype, where integers stand for numbers from 0 to 1."""

from __future__ import annotations

from typing import Any

from symtape.ops.arguments import like, tensor
from symtape.ops.elementwise.arithmetic import floordiv, multiply
from symtape.ops.elementwise.conversion import cast, identity, saturate_cast
from symtape.tensor import dtypes
from symtape.tensor.tensor import Tensor


def convert_image_dtype(
    image: Any, dtype: Any, saturate: bool = False, name: str | None = None
) -> Tensor:
    """Change the dtype of an image: the largest integer of a dtype stands for 1.

    With `saturate` numbers outside of the dtype are its limits. Raises `AttributeError` for dtypes
    that are neither floats nor integers.

    >>> convert_image_dtype([0.0, 0.5, 1.0], dtypes.uint8).numpy()
    array([  0, 127, 255], dtype=uint8)
    """
    x = tensor(image)
    wanted = dtypes.as_dtype(dtype)
    if not (wanted.is_floating or wanted.is_integer):
        raise AttributeError("dtype must be either floating point or integer")
    if not (x.dtype.is_floating or x.dtype.is_integer):
        raise AttributeError("image dtype must be either floating point or integer")
    if wanted == x.dtype:
        return identity(x)
    cut = saturate_cast if saturate else cast
    if x.dtype.is_integer and wanted.is_integer:
        return _between_integers(x, wanted, cut)
    if x.dtype.is_integer:
        made = cast(x, wanted)
        return multiply(made, like(1.0 / int(x.dtype.max), made))
    if wanted.is_floating:
        return cast(x, wanted)
    return cut(multiply(x, like(int(wanted.max) + 0.5, x)), wanted)


def _between_integers(x: Tensor, wanted: Any, cut: Any) -> Tensor:
    own, other = int(x.dtype.max), int(wanted.max)
    if own > other:
        return cut(floordiv(x, (own + 1) // (other + 1)), wanted)  # type: ignore[no-any-return]  # cast
    made = cut(x, wanted)
    return multiply(made, like((other + 1) // (own + 1), made))


def as_float(image: Any) -> Tensor:
    """Convert to float32 what is not float16, float32 or float64.

    TensorFlow converts float64, too, computes with seven digits, and gives float64.
    """
    x = tensor(image)
    kept = (dtypes.float16, dtypes.float32, dtypes.float64)
    return x if x.dtype in kept else convert_image_dtype(x, dtypes.float32)
