"""Which dtype operands have together where dtypes can be weak: TensorFlow's table, and its modes.

A weak dtype is that of a Python number, and of what was computed of such numbers alone: it gives
way to the dtype of what stands beside it.
"""

from __future__ import annotations

from itertools import combinations_with_replacement
from typing import Any, NamedTuple

import numpy as np

from symtape.nest import flatten
from symtape.ops.composite import CompositeTensor
from symtape.stand_in.promotion.weak import WeakTensor
from symtape.tensor import dtypes
from symtape.tensor.dtypes import DType
from symtape.tensor.shape import TensorShape


class Kind(NamedTuple):
    """A dtype by its name, and whether it is weak."""

    name: str
    is_weak: bool = False

    @property
    def dtype(self) -> DType:
        """The dtype."""
        return dtypes.as_dtype(self.name)

    def __str__(self) -> str:
        return f"(<dtype: {self.name!r}>, weak={self.is_weak})"


class Promotion:
    """How operands are promoted, as `experimental_enable_numpy_behavior` sets it."""

    mode = ""
    """The mode "safe" or "all", in which dtypes can be weak; else nothing."""


_ORDER = "b u8 u16 u32 u64 i8 i16 i32 i64 bf f16 f32 f64 c64 c128 i32* i64* f32* f64* c128*"
_TABLE = """
b u8 u16 u32 u64 i8 i16 i32 i64 bf f16 f32 f64 c64 c128 i32* i64* f32* f64* c128*
u8 u16 u32 u64 i16! i16 i32 i64 bf f16 f32 f64 c64 c128 u8 u8 f64*! f64* c128*
u16 u32 u64 i32! i32! i32 i64 bf! f16! f32 f64 c64 c128 u16 u16 f64*! f64* c128*
u32 u64 i64! i64! i64! i64 bf! f16! f32! f64 c64! c128 u32 u32 f64*! f64* c128*
u64 f64*! f64*! f64*! f64*! bf! f16! f32! f64! c64! c128! u64 u64 f64*! f64*! c128*!
i8 i16 i32 i64 bf f16 f32 f64 c64 c128 i8 i8 f64*! f64* c128*
i16 i32 i64 bf! f16! f32 f64 c64 c128 i16 i16 f64*! f64* c128*
i32 i64 bf! f16! f32! f64 c64! c128 i32 i32 f64*! f64* c128*
i64 bf! f16! f32! f64! c64! c128! i64 i64 f64*! f64*! c128*!
bf f32! f32 f64 c64 c128 bf bf bf bf c64!
f16 f32 f64 c64 c128 f16 f16 f16 f16 c64!
f32 f64 c64 c128 f32 f32 f32 f32 c64!
f64 c128! c128 f64 f64 f64 f64 c128
c64 c128 c64 c64 c64 c64 c64
c128 c128 c128 c128 c128 c128
i32* i64* f32* f64* c128*
i64* f32* f64* c128*
f32* f64* c128*
f64* c128*
c128*
"""
"""For each kind what it becomes beside itself and those after it; one with ! is not safe."""
_LETTERS = {"u": "uint", "i": "int", "f": "float", "c": "complex"}
_WORDS = {"b": "bool", "bf": "bfloat16"}


def _kind(word: str) -> Kind:
    """Read a kind of the table.

    >>> _kind("f32*!"), _kind("u8")
    (Kind(name='float32', is_weak=True), Kind(name='uint8', is_weak=False))
    """
    plain = word.rstrip("*!")
    return Kind(_WORDS.get(plain) or _LETTERS[plain[0]] + plain[1:], "*" in word)


_STRING = Kind("string")
_PAIRS = zip(combinations_with_replacement(_ORDER.split(), 2), _TABLE.split(), strict=True)
_JOINED = {
    frozenset(map(_kind, pair)): (_kind(found), not found.endswith("!")) for pair, found in _PAIRS
} | {frozenset([_STRING]): (_STRING, True)}
"""By two kinds, the one that they have together, and whether that is safe."""


class NotPromotedError(NotImplementedError):
    """There is no dtype that operands have together, so that nothing is promoted."""


def kind_of(values: Any) -> Kind:
    """Give the kind that values, dtypes and lists of them have together.

    Raises `NotPromotedError` where they have none, and `TypeError` for one that the mode "safe"
    refuses.

    >>> kind_of([dtypes.int32, 2.5])
    Kind(name='float64', is_weak=True)
    """
    given = [value for value in values if value is not None]
    for value in given:
        if isinstance(value, CompositeTensor):
            raise _unknown(type(value))
    first, *others = [*map(counted, flatten(given))] or [_FLOAT]
    for other in others:
        first = _joined(first, other)
    return first


def _joined(first: Kind, other: Kind) -> Kind:
    found = _JOINED.get(frozenset([first, other]))
    if found is None:
        raise NotPromotedError(
            f"Implicit Conversion between <dtype: {first.name!r}> and <dtype: {other.name!r}> is "
            "not allowed. Please convert the input manually if you need to."
        )
    kind, is_safe = found
    if Promotion.mode == "safe" and not is_safe:
        raise TypeError(
            f"In promotion mode PromoMode.SAFE, implicit dtype promotion between {first} and "
            f"{other} is disallowed. You need to explicitly specify the dtype in your op, or relax "
            "your dtype promotion rules (such as from SAFE mode to ALL mode)."
        )
    return kind


_FLOAT = Kind("float32", True)
_OF_PYTHON = {bool: Kind("bool"), int: Kind("int32", True), float: _FLOAT}
_OF_PYTHON |= {complex: Kind("complex128", True), TensorShape: Kind("int32")}
_FITS = range(-(2**31), 2**31)


def counted(value: Any) -> Kind:
    """Give the kind of one value or dtype; that of Python's numbers is weak.

    Raises `NotPromotedError` for what has none, and `OverflowError` for a number that is too large.

    >>> counted(1), counted(np.float16(1))
    (Kind(name='int32', is_weak=True), Kind(name='float16', is_weak=False))
    """
    if isinstance(value, (str, bytes)):
        return _STRING
    if isinstance(value, (type, np.dtype)):
        return _of_type(value)
    dtype = value if isinstance(value, DType) else getattr(value, "dtype", None)
    if isinstance(dtype, (DType, np.dtype)):
        return Kind(dtypes.as_dtype(dtype).name, isinstance(value, WeakTensor))
    for python, kind in _OF_PYTHON.items():
        if isinstance(value, python):
            if python is int and value not in _FITS:
                raise OverflowError(f"Python int {value} too large to convert to np.int32")
            return kind
    raise _unknown(type(value))


def _of_type(kind: Any) -> Kind:
    """Give the kind of a type, or of a dtype of NumPy's, which is Python's if it is equal."""
    own = [k for python, k in _OF_PYTHON.items() if kind is python]
    if isinstance(kind, np.dtype):
        own = [k for python, k in _OF_PYTHON.items() if kind == python]
    if own:
        return own[0]
    try:
        return Kind(dtypes.as_dtype(kind).name)
    except TypeError:
        raise _unknown(type(kind)) from None


def _unknown(kind: type) -> NotPromotedError:
    return NotPromotedError(f"Auto dtype conversion semantics does not support {kind} type.")
