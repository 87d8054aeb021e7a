"""`tf.truncatediv` and `tf.truncatemod`: division that rounds towards 0."""

from __future__ import annotations

from typing import Any

from symtape.errors import InternalError, NotFoundError
from symtape.ops.arguments import allowed, pair, refusal
from symtape.ops.elementwise.arithmetic import BINARY, where
from symtape.ops.elementwise.comparison import less
from symtape.ops.elementwise.functions import abs, negative
from symtape.program import operations as ops
from symtape.program.functions import scalar
from symtape.program.operations import Cast, dtype_name, elementwise
from symtape.tensor.dispatch import NUMBERS_OF, apply1, apply2, mismatch, no_kernel
from symtape.tensor.operators import floor_divide, floor_mod
from symtape.tensor.requirements import all_true, meets
from symtape.tensor.tensor import Literal, Tensor
from symtape.tensor.values import dtype_of

_truncate = elementwise("trunc", scalar.trunc)
_QUOTIENTS = allowed(NUMBERS_OF["TruncateDiv"])
_REMAINDERS = allowed("int32, int64, bfloat16, half, float, double")


def truncatediv(x: Any, y: Any, name: str | None = None) -> Tensor:
    """The quotient rounded towards 0; it has no gradient.

    Raises `InternalError` where integers are divided by 0, and `NotFoundError` for complex numbers,
    as TensorFlow does.

    >>> truncatediv([7, -7], 2).numpy()
    array([ 3, -3], dtype=int32)
    """
    x, y = pair(x, y)
    if dtype_of(x).char not in _QUOTIENTS.letters:
        raise refusal("TruncateDiv", x, _QUOTIENTS, BINARY)
    _check("TruncateDiv", x, y)
    if dtype_of(x).kind not in "iu":
        return apply1(_truncate, apply2(ops.divide, x, y))
    down, rest = apply2(floor_divide, x, y), apply2(floor_mod, x, y)
    below = (rest != 0) & ((x < 0) != (y < 0))
    return apply2(ops.add, down, apply1(Cast(dtype_name(dtype_of(x))), below))


def truncatemod(x: Any, y: Any, name: str | None = None) -> Tensor:
    """The remainder of `truncatediv`, which has the sign of `x`.

    It takes int32, int64, float32 and float64. Raises `InternalError` where integers are divided
    by 0, as TensorFlow does.

    >>> truncatemod([7, -7], 2).numpy()
    array([ 1, -1], dtype=int32)
    """
    x, y = pair(x, y)
    if dtype_of(x).char not in _REMAINDERS.letters:
        raise refusal("TruncateMod", x, _REMAINDERS, BINARY)
    _check("TruncateMod", x, y)
    if dtype_of(x).itemsize == 2:
        raise no_kernel("TruncateMod", x)
    if dtype_of(x).kind in "iu":
        return apply2(ops.subtract, x, apply2(ops.multiply, truncatediv(x, y), y))
    return truncated_remainder(x, y)


def truncated_remainder(x: Tensor, y: Tensor) -> Tensor:
    """x - y·trunc(x/y), with the sign of x: exact, since of positive numbers it is floormod.

    >>> from symtape.tensor.convert import convert
    >>> truncated_remainder(convert([5.5, -5.5]), convert([2.0, 2.0])).numpy()
    array([ 1.5, -1.5], dtype=float32)
    """
    size = abs(y)
    below = negative(apply2(floor_mod, negative(x), size))
    return where(less(x, Literal.of(0, dtype_of(x))), below, apply2(floor_mod, x, size))


def _check(op: str, x: Tensor, y: Tensor) -> None:
    if dtype_of(x) != dtype_of(y):
        raise mismatch(op, x, y)
    if dtype_of(x).kind == "c":
        raise NotFoundError(message=f"Could not find device for node: {{{{node {op}}}}} = {op}")
    if dtype_of(y).kind in "iu" and not meets(y, all_true):
        raise InternalError.of(
            op, "Unexpected error in binary operator (only integer div and mod should have errors)"
        )
