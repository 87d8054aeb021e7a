"""`TensorProto`: the message of Protocol Buffers that a tensor is written as.

The library `protobuf`, which the extra `records` installs, makes the class of a description.
Source: `tensor.proto` and `tensor_shape.proto` of TensorFlow 2.21.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from symtape.extras import imported
from symtape.tensor.dtypes import NUMBERS

_ENUM_NAMES = {"float32": "FLOAT", "float64": "DOUBLE", "float16": "HALF"}
_PACKAGE = "tensorflow"
_VALUES = {
    "half_val": (13, "int32"),
    "float_val": (5, "float"),
    "double_val": (6, "double"),
    "int_val": (7, "int32"),
    "string_val": (8, "bytes"),
    "scomplex_val": (9, "float"),
    "int64_val": (10, "int64"),
    "bool_val": (11, "bool"),
    "dcomplex_val": (12, "double"),
    "uint32_val": (16, "uint32"),
    "uint64_val": (17, "uint64"),
}
"""Lists of single values: the number of the field, and how each is written."""
FIELDS = {
    "string": "string_val",
    "float16": "half_val",
    "bfloat16": "half_val",
    "float32": "float_val",
    "float64": "double_val",
    **dict.fromkeys(("int32", "uint8", "uint16", "int16", "int8"), "int_val"),
    "int64": "int64_val",
    "bool": "bool_val",
    "uint32": "uint32_val",
    "uint64": "uint64_val",
    "complex64": "scomplex_val",
    "complex128": "dcomplex_val",
}
"""In which list each dtype has its single values."""


def field_of(dtype: str) -> tuple[int, str]:
    """Give the field of the single values of a dtype, and how each of them is written.

    >>> field_of("int8"), field_of("complex64")
    ((7, 'int32'), (9, 'float'))
    """
    return _VALUES[FIELDS[dtype]]


@cache
def tensor_message() -> Any:
    """Give the class `TensorProto`; raises `ExtraNotInstalledError` without `protobuf`.

    >>> tensor_message()(dtype=3, int_val=[7]).SerializeToString().hex()
    '08033a0107'
    """

    def part(module: str) -> Any:
        return imported(f"google.protobuf.{module}", "tf.make_tensor_proto", "records")

    described = part("descriptor_pb2")
    file = described.FileDescriptorProto(
        name="tensorflow/core/framework/tensor.proto", package=_PACKAGE, syntax="proto3"
    )
    kinds = described.FieldDescriptorProto
    value = described.EnumValueDescriptorProto
    named = [value(name=name, number=number) for name, number in _enum_names().items()]
    file.enum_type.add(name="DataType", value=named)
    _describe_shape(file.message_type.add(name="TensorShapeProto"), kinds)
    _describe_tensor(file.message_type.add(name="TensorProto"), kinds)
    # A pool of its own: TensorFlow, where it is imported too, has these names in the common one.
    pool = part("descriptor_pool").DescriptorPool()
    pool.Add(file)
    make = part("message_factory").GetMessageClass
    return make(pool.FindMessageTypeByName(f"{_PACKAGE}.TensorProto"))


def _enum_names() -> dict[str, int]:
    names = {f"DT_{_ENUM_NAMES.get(name, name.upper())}": n for name, n in NUMBERS.items()}
    return {"DT_INVALID": 0} | names


def _describe_shape(made: Any, kinds: Any) -> None:
    size = made.nested_type.add(name="Dim")
    one, several = kinds.LABEL_OPTIONAL, kinds.LABEL_REPEATED
    size.field.add(name="size", number=1, label=one, type=kinds.TYPE_INT64)
    size.field.add(name="name", number=2, label=one, type=kinds.TYPE_STRING)
    of_sizes = {"type": kinds.TYPE_MESSAGE, "type_name": f".{_PACKAGE}.{made.name}.Dim"}
    made.field.add(name="dim", number=2, label=several, **of_sizes)
    made.field.add(name="unknown_rank", number=3, label=one, type=kinds.TYPE_BOOL)


def _describe_tensor(made: Any, kinds: Any) -> None:
    for number, name, kind, of in (
        (1, "dtype", kinds.TYPE_ENUM, "DataType"),
        (2, "tensor_shape", kinds.TYPE_MESSAGE, "TensorShapeProto"),
        (3, "version_number", kinds.TYPE_INT32, ""),
        (4, "tensor_content", kinds.TYPE_BYTES, ""),
    ):
        field = made.field.add(name=name, number=number, label=kinds.LABEL_OPTIONAL, type=kind)
        if of:
            field.type_name = f".{_PACKAGE}.{of}"
    for name, (number, kind) in _VALUES.items():
        made.field.add(
            name=name,
            number=number,
            label=kinds.LABEL_REPEATED,
            type=getattr(kinds, f"TYPE_{kind.upper()}"),
        )
