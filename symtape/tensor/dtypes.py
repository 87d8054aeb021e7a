"""TensorFlow's dtypes: names and questions over NumPy's."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from symtape.extras import imported

KERNEL_NAMES = {"float16": "half", "float32": "float", "float64": "double"}
"""What dtypes are called in kernels, where that is another name."""
OF_KERNELS = {name: dtype for dtype, name in KERNEL_NAMES.items()}
"""Dtypes by such names."""


class DType:
    """A TensorFlow dtype: ``tf.float32`` compares equal to ``np.float32`` and ``"float32"``.

    >>> float32 == "float32", float32.is_floating, bool(float32.max > 3e38)
    (True, True, True)
    """

    __slots__ = ("as_numpy_dtype", "name", "numpy")

    def __init__(self, name: str, numpy: Any) -> None:
        self.name = name
        self.numpy: np.dtype[Any] = np.dtype(numpy)
        self.as_numpy_dtype = self.numpy.type

    @property
    def is_floating(self) -> bool:
        """Say whether this is a real floating-point dtype."""
        return self.numpy.kind in "fV"

    @property
    def is_complex(self) -> bool:
        """Say whether this is a complex dtype."""
        return self.numpy.kind == "c"

    @property
    def is_integer(self) -> bool:
        """Say whether this is an integer dtype; bool is none."""
        return self.numpy.kind in "iu"

    @property
    def is_unsigned(self) -> bool:
        """Say whether this is an unsigned integer dtype."""
        return self.numpy.kind == "u"

    @property
    def is_quantized(self) -> bool:
        """Say whether numbers stand for others by a scale: none of these do."""
        return False

    @property
    def is_numpy_compatible(self) -> bool:
        """Say whether NumPy's arrays hold such elements: they hold all of these."""
        return True

    @property
    def is_bool(self) -> bool:
        """Say whether this is the boolean dtype."""
        return self.numpy.kind == "b"

    @property
    def is_numeric(self) -> bool:
        """Say whether this is a number."""
        return self.numpy.kind in "iufcV"

    @property
    def size(self) -> int:
        """Count the bytes of one element; a text has any number, which TensorFlow calls 0."""
        return 0 if self.numpy.kind == "O" else self.numpy.itemsize

    @property
    def min(self) -> Any:
        """Give the smallest value."""
        return self._limit("min")

    @property
    def max(self) -> Any:
        """Give the largest value."""
        return self._limit("max")

    @property
    def limits(self) -> tuple[Any, Any]:
        """Give the ends of what images of this dtype hold, which are not negative.

        Raises `ValueError` for half precision, complex numbers and texts.

        >>> as_dtype("uint8").limits
        (0, 255)
        """
        if self.is_bool:
            return 0, True
        if self.is_floating and self.size > 2:
            return 0, 1
        if not self.is_integer:
            raise ValueError(f"{self!s} does not have defined limits.")
        return 0, int(self.max)

    def _limit(self, which: str) -> Any:
        if self.numpy.kind in "bcO":
            raise TypeError(f"Cannot find {which}imum value of {self} with type {self}.")
        if self.numpy.kind == "V":
            from ml_dtypes import finfo  # noqa: PLC0415 - it is there if the dtype is

            narrow: Any = finfo
            return getattr(narrow(self.numpy), which)
        info: Any = np.iinfo(self.numpy) if self.is_integer else np.finfo(self.numpy)
        return getattr(info, which)

    @property
    def base_dtype(self) -> DType:
        """Be oneself: there are no reference dtypes."""
        return self

    @property
    def real_dtype(self) -> DType:
        """Give the dtype of the real part."""
        return {"complex64": float32, "complex128": float64}.get(self.name, self)

    @property
    def enum_name(self) -> str:
        """Give the name that TensorFlow's kernels use in messages (``float``, ``double``)."""
        return KERNEL_NAMES.get(self.name, self.name)

    @property
    def as_datatype_enum(self) -> int:
        """Give the number that TensorFlow's files and protocol buffers have for it.

        >>> float64.as_datatype_enum, as_dtype(2)
        (2, tf.float64)
        """
        return NUMBERS[self.name]

    def is_compatible_with(self, other: Any) -> bool:
        """Say whether the other is the same dtype."""
        return bool(self == other)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, DType):
            return self is other
        if other is None:
            return False
        if other.__class__ is str:  # what Keras asks in every operation, also for other names
            return _named(other) is self
        try:
            return as_dtype(other) is self
        except TypeError:
            return False

    def __hash__(self) -> int:
        return hash(self.name)

    def __reduce__(self) -> Any:
        return as_dtype, (self.name,)

    def __repr__(self) -> str:
        return f"tf.{self.name}"

    def __str__(self) -> str:
        return f"<dtype: {self.name!r}>"


NUMBERS = {
    "float32": 1,
    "float64": 2,
    "int32": 3,
    "uint8": 4,
    "int16": 5,
    "int8": 6,
    "string": 7,
    "complex64": 8,
    "int64": 9,
    "bool": 10,
    "bfloat16": 14,
    "uint16": 17,
    "complex128": 18,
    "float16": 19,
    "uint32": 22,
    "uint64": 23,
}
"""TensorFlow's number of each dtype."""

half = float16 = DType("float16", np.float16)
float32 = DType("float32", np.float32)
double = float64 = DType("float64", np.float64)
complex64 = DType("complex64", np.complex64)
complex128 = DType("complex128", np.complex128)
int8 = DType("int8", np.int8)
int16 = DType("int16", np.int16)
int32 = DType("int32", np.int32)
int64 = DType("int64", np.int64)
uint8 = DType("uint8", np.uint8)
uint16 = DType("uint16", np.uint16)
uint32 = DType("uint32", np.uint32)
uint64 = DType("uint64", np.uint64)
bool_ = DType("bool", np.bool_)
string = DType("string", np.object_)

_ALL = (
    *(float16, float32, float64, complex64, complex128, bool_, string),
    *(int8, int16, int32, int64, uint8, uint16, uint32, uint64),
)
BY_NAME: dict[str, DType] = {d.name: d for d in _ALL}
BY_NAME |= {"half": half, "float": float32, "double": double}
BY_NUMPY: dict[np.dtype[Any], DType] = {d.numpy: d for d in _ALL}
BY_NUMBER = {number: name for name, number in NUMBERS.items()}
_BY_KIND: dict[type, DType] = {d.numpy.type: d for d in _ALL}
# Of integers of one size NumPy has several types.
_BY_KIND |= {np.dtype(c).type: BY_NUMPY[np.dtype(c)] for c in np.typecodes["AllInteger"]}
_BY_PYTHON: dict[type, DType] = {float: float32, bool: bool_, object: string}


def bfloat16() -> DType:
    """Make ``tf.bfloat16``, whose arithmetic is that of the package ml_dtypes."""
    if "bfloat16" not in BY_NAME:
        made = DType("bfloat16", imported("ml_dtypes", "tf.bfloat16", "bfloat16").bfloat16)
        BY_NAME["bfloat16"] = BY_NUMPY[made.numpy] = made
    return BY_NAME["bfloat16"]


def as_dtype(type_value: Any) -> DType:
    """Give the dtype that a name, a number, a NumPy dtype, type or array, or a type stands for.

    Raises `TypeError` with TensorFlow's text for anything else.

    >>> as_dtype("float64"), as_dtype(float)
    (tf.float64, tf.float32)
    """
    found = type_value if isinstance(type_value, DType) else _meant(type_value)
    if found is None:
        raise TypeError(
            f"Cannot convert the argument `type_value`: {type_value!r} to a TensorFlow DType."
        )
    return found


def of_kernel(type_value: Any, own: DType) -> DType:
    """Give the dtype that a kernel is asked for; None is the one that it gives of its own.

    >>> of_kernel(None, int64), of_kernel("int32", int64)
    (tf.int64, tf.int32)
    """
    return own if type_value is None else as_dtype(type_value)


def _meant(value: Any) -> DType | None:
    """Give the dtype that something stands for, or None; Python's `int` stands for none."""
    if isinstance(value, str):
        return bfloat16() if value == "bfloat16" else BY_NAME.get(value)
    if isinstance(value, (int, float, np.number)):
        number = BY_NUMBER.get(value)  # type: ignore[arg-type]  # 1.0 is found as 1 is
        if number is not None:
            return as_dtype(number)
    if isinstance(value, type):
        return _BY_PYTHON.get(value) or _of_kind(value)
    dtype = value if isinstance(value, np.dtype) else getattr(value, "dtype", None)
    return _of_kind(dtype.type) if isinstance(dtype, np.dtype) else None


def _of_kind(kind: type) -> DType | None:
    """Give the dtype of a type of NumPy's scalars, in whatever order their bytes are."""
    if kind in {np.str_, np.bytes_, np.object_}:
        return string
    if kind.__name__ == "bfloat16" and issubclass(kind, np.generic):
        return bfloat16()
    return _BY_KIND.get(kind)


@lru_cache(maxsize=256)
def _named(name: Any) -> DType | None:
    """Give the dtype of a name, or None where no dtype has it."""
    try:
        return as_dtype(name)
    except TypeError:
        return None


def of(array: Any) -> DType:
    """Give the dtype of a NumPy array or scalar that a tensor holds."""
    found = BY_NUMPY.get(array.dtype)
    return found if found is not None else as_dtype(array.dtype)
