"""`tf.train.Example`, `SequenceExample` and what they are made of: messages of Protocol Buffers.

The library `protobuf`, which the extra `records` installs, makes the classes of a description.
Source: `example.proto` and `feature.proto` of TensorFlow 2.21.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from symtape.extras import imported

_PACKAGE = "tensorflow"
_HOME = "symtape.train"
"""The module that shows the classes, by which a message that was pickled finds its own."""
_MESSAGES: dict[str, tuple[tuple[str, str, str], ...]] = {
    "BytesList": (("value", "bytes", "several"),),
    "FloatList": (("value", "float", "several"),),
    "Int64List": (("value", "int64", "several"),),
    "Feature": (
        ("bytes_list", "BytesList", "kind"),
        ("float_list", "FloatList", "kind"),
        ("int64_list", "Int64List", "kind"),
    ),
    "Features": (("feature", "Feature", "by name"),),
    "FeatureList": (("feature", "Feature", "several"),),
    "FeatureLists": (("feature_list", "FeatureList", "by name"),),
    "Example": (("features", "Features", "one"),),
    "SequenceExample": (
        ("context", "Features", "one"),
        ("feature_lists", "FeatureLists", "one"),
    ),
}
"""The fields of each kind of message, numbered from 1: name, type, and how many there may be.

`several` is a list, `by name` a map from texts, and of those that are a `kind` one is there.
"""
NAMES = tuple(_MESSAGES)


def message(name: str) -> Any:
    """Give the class of a kind of message; raises `ExtraNotInstalledError` without `protobuf`.

    >>> values = message("Int64List")(value=[3, 4])
    >>> features = {"a": message("Feature")(int64_list=values)}
    >>> example = message("Example")(features=message("Features")(feature=features))
    >>> read = message("Example").FromString(example.SerializeToString())
    >>> read.features.feature["a"].int64_list.value
    [3, 4]
    """
    return _classes()[name]


@cache
def _classes() -> dict[str, Any]:
    def part(module: str) -> Any:
        return imported(f"google.protobuf.{module}", "tf.train.Example", "records")

    described = part("descriptor_pb2")
    file = described.FileDescriptorProto(
        name="tensorflow/core/example/example.proto", package=_PACKAGE, syntax="proto3"
    )
    for name, fields in _MESSAGES.items():
        _describe(file.message_type.add(name=name), fields, described.FieldDescriptorProto)
    # A pool of its own: TensorFlow, where it is imported too, has these names in the common one.
    pool = part("descriptor_pool").DescriptorPool()
    pool.Add(file)
    make = part("message_factory").GetMessageClass
    classes = {name: make(pool.FindMessageTypeByName(f"{_PACKAGE}.{name}")) for name in _MESSAGES}
    for made in classes.values():
        made.__module__ = _HOME
    return classes


def _describe(made: Any, fields: tuple[tuple[str, str, str], ...], kinds: Any) -> None:
    """Put fields into the description of a kind of message."""
    types = {"bytes": kinds.TYPE_BYTES, "float": kinds.TYPE_FLOAT, "int64": kinds.TYPE_INT64}
    for number, (name, kind, count) in enumerate(fields, 1):
        field = made.field.add(name=name, number=number, label=kinds.LABEL_OPTIONAL)
        field.type = types.get(kind, kinds.TYPE_MESSAGE)
        if kind not in types:
            field.type_name = f".{_PACKAGE}.{kind}"
        if count in {"several", "by name"}:
            field.label = kinds.LABEL_REPEATED
        if count == "by name":
            field.type_name = f".{_PACKAGE}.{made.name}.{_add_entry(made, field, kinds)}"
        if count == "kind":
            if not made.oneof_decl:
                made.oneof_decl.add(name=count)
            field.oneof_index = 0


def _add_entry(made: Any, field: Any, kinds: Any) -> str:
    """Describe the entries of a map, which are messages of a key and a value; give their name."""
    name: str = field.name.title().replace("_", "") + "Entry"
    entry = made.nested_type.add(name=name)
    entry.options.map_entry = True
    entry.field.add(name="key", number=1, label=kinds.LABEL_OPTIONAL, type=kinds.TYPE_STRING)
    entry.field.add(
        name="value",
        number=2,
        label=kinds.LABEL_OPTIONAL,
        type=kinds.TYPE_MESSAGE,
        type_name=field.type_name,
    )
    return name
