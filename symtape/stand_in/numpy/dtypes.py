"""The dtypes of `tf.experimental.numpy`: NumPy's names, and NumPy's promotion.

Every function of the package takes its operands through `array`, `asarray` and `promoted`, so that
what a Python number, a list or a tensor counts for is decided here alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from symtape.nest import flatten
from symtape.ops.arguments import is_tensor
from symtape.ops.elementwise.conversion import cast, identity
from symtape.ops.numpy.dtypes import stacked
from symtape.ops.shapes.shaping import reshape
from symtape.stand_in.promotion.lattice import NotPromotedError, Promotion, kind_of
from symtape.tensor import dtypes
from symtape.tensor.convert import convert
from symtape.tensor.dtypes import DType
from symtape.tensor.tensor import Literal, Tensor
from symtape.tensor.values import shape_of

bool_, object_, string_, unicode_ = np.bool_, np.object_, np.bytes_, np.str_
int8, int16, int32, int64, int_ = np.int8, np.int16, np.int32, np.int64, np.int_
uint8, uint16, uint32, uint64 = np.uint8, np.uint16, np.uint32, np.uint64
float16, float32, float64, float_ = np.float16, np.float32, np.float64, np.float64
complex64, complex128, complex_ = np.complex64, np.complex128, np.complex128
inexact, iinfo, issubdtype = np.inexact, np.iinfo, np.issubdtype


class _Preference:
    """Whether Python floats count for float32, as `experimental_enable_numpy_behavior` sets it."""

    single = False


def prefer_float32(is_preferred: bool) -> None:
    """Let Python floats count for float32, or for float64 as in NumPy."""
    _Preference.single = is_preferred


def finfo(dtype: Any) -> np.finfo[Any]:
    """Say which numbers a dtype of floats has, as NumPy does.

    >>> finfo(dtypes.float32).eps
    np.float32(1.1920929e-07)
    """
    return np.finfo(_numpy(dtype))


def promote_types(type1: Any, type2: Any) -> np.dtype[Any]:
    """Give the smallest NumPy dtype to which both can be cast safely.

    >>> promote_types(dtypes.int32, dtypes.float32)
    dtype('float64')
    """
    return np.promote_types(_numpy(type1), _numpy(type2))


def result_type(*arrays_and_dtypes: Any) -> DType:
    """Give the dtype that NumPy's promotion gives arrays, tensors, numbers and dtypes together.

    >>> result_type(dtypes.int32, 2.5), result_type(convert(1.0), 2.5)
    (tf.float64, tf.float32)
    """
    if Promotion.mode:
        try:
            return kind_of(arrays_and_dtypes).dtype
        except NotPromotedError as error:
            raise NotImplementedError(*error.args) from None
    return _of_numpy(flatten(arrays_and_dtypes))


def _of_numpy(values: Sequence[Any]) -> DType:
    given = [*map(counted, values)] or [np.asarray([])]
    for value in given:
        if isinstance(getattr(value, "dtype", None), DType):  # as of a sparse tensor
            raise ValueError(f"{value} has no NumPy dtype: it has {value.dtype!r}")
    return dtypes.as_dtype(np.result_type(*given))


def counted(value: Any) -> Any:
    """Give what NumPy's promotion takes for a value: a dtype, or a Python number as it is.

    >>> counted(convert(1.0)), counted(2)
    (dtype('float32'), 2)
    """
    if isinstance(value, DType) or is_tensor(value):
        return _numpy(value if isinstance(value, DType) else value.dtype)
    if _Preference.single and isinstance(value, float):
        return np.float32(value)
    if _Preference.single and isinstance(value, complex):
        return np.complex64(value)
    return value


def float_dtype() -> DType:
    """Give the dtype of integers that become floats, and of Python's type `float`.

    It is float64, preferred or not, and float32 where dtypes can be weak.
    """
    return dtypes.float32 if Promotion.mode else dtypes.float64


def whole_dtype(*, is_signed: bool = True) -> DType:
    """Give the dtype of sums of small integers: a whole word, or half of one where dtypes are weak.

    >>> whole_dtype(is_signed=False)
    tf.uint64
    """
    return dtypes.as_dtype(f"{'' if is_signed else 'u'}int{32 if Promotion.mode else 64}")


def default_float() -> DType:
    """Give the dtype of Python floats."""
    return dtypes.float32 if _Preference.single else dtypes.float64


def wanted(dtype: Any) -> DType | None:
    """Read a `dtype` that may be None."""
    return result_type(dtype) if dtype else None


def _numpy(dtype: Any) -> np.dtype[Any]:
    return np.dtype(dtype.numpy if isinstance(dtype, DType) else dtype)


# --- arrays ---------------------------------------------------------------------------------------


def array(val: Any, dtype: Any = None, copy: bool = True, ndmin: int = 0) -> Tensor:
    """Make a tensor of what NumPy would make an array of, with NumPy's dtype.

    Raises `ValueError` for sequences that are not rectangular, and for more than 32 axes.

    >>> array([1, 2.5]).dtype, array(1).dtype, array(2.5, int).numpy()
    (tf.float64, tf.int64, np.int64(2))
    """
    made = _made(val, wanted(dtype))
    made = identity(made) if copy else made
    if ndmin > _MOST_AXES:
        raise ValueError(f"ndmin bigger than allowable number of dimensions: {_MOST_AXES}.")
    lead = [1] * (ndmin - made.ndim)
    return reshape(made, [*lead, *shape_of(made)]) if lead else made


_MOST_AXES = 32


def asarray(a: Any, dtype: Any = None) -> Tensor:
    """Make a tensor as `array` does; one that has the dtype is given back as it is.

    >>> x = convert(1.0)
    >>> asarray(x) is x
    True
    """
    return array(a, dtype, copy=False)


def asanyarray(a: Any, dtype: Any = None) -> Tensor:
    """Do what `asarray` does.

    >>> asanyarray(2.0).dtype
    tf.float64
    """
    return asarray(a, dtype)


def ascontiguousarray(a: Any, dtype: Any = None) -> Tensor:
    """Make a tensor as `array` does, of one axis at least.

    >>> ascontiguousarray(2.0).numpy()
    array([2.])
    """
    return array(a, dtype, ndmin=1)


def copy(a: Any) -> Tensor:
    """Make another tensor of the same numbers.

    >>> copy([1, 2]).numpy()
    array([1, 2])
    """
    return array(a, copy=True)


def _made(value: Any, dtype: DType | None) -> Tensor:
    """Convert what can be, and cast: NumPy takes (2.5, int), which TensorFlow does not."""
    if is_tensor(value):
        found = convert(value)
        return found if dtype is None else cast(found, dtype)
    kind = of_value(value) if dtype is None else dtype
    if isinstance(value, int) and value >= 2**63:
        return cast(convert(value, dtypes.uint64), kind)
    return cast(convert(stacked(value), hint=kind), kind)


def of_value(value: Any) -> DType:
    """Give the dtype of one value; a text is one, and not the name of a dtype."""
    return dtypes.string if isinstance(value, (str, bytes)) else result_type(value)


def promoted(*values: Any) -> list[Tensor]:
    """Make tensors of one dtype of operands, as NumPy promotes them.

    A Python number is that number in a formula.

    >>> [x.dtype for x in promoted(convert(1.0), np.ones(2), 3)]
    [tf.float64, tf.float64, tf.float64]
    """
    kind = result_type(*values)
    return [operand(value, kind) for value in values]


def pair(a: Any, b: Any) -> list[Tensor]:
    """Make tensors of one dtype of two operands, as NumPy promotes them where dtypes are weak, too.

    >>> [x.dtype for x in pair(convert([1]), 2.5)]
    [tf.float64, tf.float64]
    """
    if not Promotion.mode or isinstance(a, (list, tuple)) or isinstance(b, (list, tuple)):
        return promoted(a, b)
    kind = _of_numpy([a, b])
    return [operand(a, kind), operand(b, kind)]


def operand(value: Any, kind: DType | None = None) -> Tensor:
    """Make a tensor of one operand, of a dtype or of its own."""
    kind = of_value(value) if kind is None and not is_tensor(value) else kind
    if kind is not None and type(value) in _NUMBERS and _fits(value, kind):
        return Literal.of(value, np.dtype(kind.numpy))
    return asarray(value, kind)


_NUMBERS: Sequence[type] = (bool, int, float)


def _fits(number: Any, kind: DType) -> bool:
    """Say whether a number is one of a dtype as it stands; others are cut when they are cast."""
    if kind.is_floating or kind.is_complex:
        return bool(abs(number) < 2**63)
    return type(number) is int and kind.is_integer and bool(kind.min <= number <= kind.max)


def is_inexact(x: Tensor) -> bool:
    """Say whether NumPy knows a tensor's dtype for one of floats or of complex numbers.

    >>> is_inexact(convert(1.0)), is_inexact(convert(1))
    (True, False)
    """
    return x.dtype.numpy.kind in "fc"  # that of bfloat16 is none of NumPy's own


def floating(value: Any) -> Tensor:
    """Make a tensor of an operand; integers and truth values become floats.

    >>> floating([1, 2]).dtype, floating(convert(1.0)).dtype
    (tf.float64, tf.float32)
    """
    x = operand(value)
    if is_inexact(x):
        return x
    return operand(value, float_dtype()) if type(value) is int else cast(x, float_dtype())


Run = Callable[..., Any]


def named(function: Run, name: str, summary: str) -> Run:
    """Name a function that a table makes, and say what it does."""
    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"{summary}, as `numpy.{name}` does for arrays."
    function.__module__ = __name__.rpartition(".")[0]
    return function
