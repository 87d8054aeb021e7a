"""Numbers as bits: `tf.bitcast` and what `tf.bitwise` has; none has a derivative."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from symtape.ops.arguments import allowed, check, pair, refusal, same_dtype, tensor
from symtape.program.operations import identity
from symtape.tensor import dtypes
from symtape.tensor.decided import decided_by_look
from symtape.tensor.dispatch import follow, invalid, listed, not_taken
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import dtype_of, shape_of

_WHOLE = allowed("int8, int16, int32, int64, uint8, uint16, uint32, uint64")


_WITH_BITS = allowed(
    "bfloat16, half, float, double, int64, int32, uint8, uint16, uint32, uint64, int8, int16, "
    "complex64, complex128, qint8, quint8, qint16, quint16, qint32"
)


def bitcast(input: Any, type: Any, name: str | None = None) -> Tensor:
    """The same bits as numbers of another dtype; smaller ones have an axis more, larger one less.

    Raises `InvalidArgumentError` where the last axis is not as long as a larger number needs it.

    >>> bitcast(1.0, "int32").numpy()
    np.int32(1065353216)
    """
    x = tensor(input)
    if dtype_of(x).kind == "O":
        raise not_taken("Bitcast", x)
    check("Bitcast", x, _WITH_BITS, "input:T -> output:type")
    if dtypes.as_dtype(type) is dtypes.bool_:
        raise refusal("Bitcast", tensor(False), _WITH_BITS, "input:T -> output:type", "type")
    array = np.ascontiguousarray(decided_by_look(x)).reshape(shape_of(x))
    wanted = dtypes.as_dtype(type).numpy
    old, new = array.dtype.itemsize, wanted.itemsize
    if old == new:
        return follow(identity, (x,), Tensor(array.view(wanted)[()]))
    if old > new:
        return Tensor(array[..., None].view(wanted))
    if not array.ndim or array.shape[-1] * old != new:
        enums = (x.dtype.as_datatype_enum, dtypes.as_dtype(type).as_datatype_enum)
        raise invalid("Bitcast", "Cannot bitcast from {} to {}".format(*enums))
    return Tensor(array.view(wanted)[..., 0][()])


def bitwise_and(x: Any, y: Any, name: str | None = None) -> Tensor:
    """The bits that both have.

    >>> bitwise_and([6], [3]).numpy()
    array([2], dtype=int32)
    """
    return _combined("BitwiseAnd", np.bitwise_and, x, y)


def bitwise_or(x: Any, y: Any, name: str | None = None) -> Tensor:
    """The bits that one of both has.

    >>> bitwise_or([6], [3]).numpy()
    array([7], dtype=int32)
    """
    return _combined("BitwiseOr", np.bitwise_or, x, y)


def bitwise_xor(x: Any, y: Any, name: str | None = None) -> Tensor:
    """The bits that one of both has and the other has not.

    >>> bitwise_xor([6], [3]).numpy()
    array([5], dtype=int32)
    """
    return _combined("BitwiseXor", np.bitwise_xor, x, y)


def invert(x: Any, name: str | None = None) -> Tensor:
    """Every bit turned.

    >>> invert([6]).numpy()
    array([-7], dtype=int32)
    """
    whole = tensor(x)
    check("Invert", whole, _WHOLE)
    return Tensor(np.invert(decided_by_look(whole)))


def left_shift(x: Any, y: Any, name: str | None = None) -> Tensor:
    """The bits of x moved up by y places; by 0 or by all where y is not a number of places.

    >>> left_shift([3], [2]).numpy()
    array([12], dtype=int32)
    """
    return _combined("LeftShift", _shift(np.left_shift), x, y)


def right_shift(x: Any, y: Any, name: str | None = None) -> Tensor:
    """The bits of x moved down by y places; by 0 or by all where y is not a number of places.

    >>> right_shift([12], [2]).numpy()
    array([3], dtype=int32)
    """
    return _combined("RightShift", _shift(np.right_shift), x, y)


def _shift(function: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    return lambda x, y: function(x, np.clip(y, 0, x.dtype.itemsize * 8 - 1))


def _combined(op: str, function: Callable[[Any, Any], Any], x: Any, y: Any) -> Tensor:
    a, b = pair(x, y)
    same_dtype(op, a, b)
    check(op, a, _WHOLE, "x:T, y:T -> z:T")
    left, right = decided_by_look(a), decided_by_look(b)
    try:
        return Tensor(function(left, right))
    except ValueError:
        shapes = f"{listed(left.shape)} vs. {listed(right.shape)}"
        raise invalid(op, f"Incompatible shapes: {shapes}") from None
