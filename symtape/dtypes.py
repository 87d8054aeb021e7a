"""`tf.dtypes`: the dtypes and changes of dtype."""

from typing import TYPE_CHECKING

from symtape.namespace import show
from symtape.ops.elementwise.casting import cast
from symtape.ops.elementwise.conversion import saturate_cast
from symtape.ops.elementwise.functions import complex
from symtape.tensor.dtypes import (
    DType,
    as_dtype,
    complex64,
    complex128,
    double,
    float16,
    float32,
    float64,
    half,
    int8,
    int16,
    int32,
    int64,
    string,
    uint8,
    uint16,
    uint32,
    uint64,
)
from symtape.tensor.dtypes import bfloat16 as _bfloat16
from symtape.tensor.dtypes import bool_ as bool

if TYPE_CHECKING:
    bfloat16: DType

__all__ = [
    "DType",
    "as_dtype",
    "bfloat16",
    "bool",
    "cast",
    "complex",
    "complex64",
    "complex128",
    "double",
    "float16",
    "float32",
    "float64",
    "half",
    "int8",
    "int16",
    "int32",
    "int64",
    "saturate_cast",
    "string",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
]

show(__name__, __all__, {"bfloat16": _bfloat16}, hidden=["bfloat16"])
