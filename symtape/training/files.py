"""The files of a checkpoint: an index, which is JSON, and the bytes of all values.

They are called as TensorFlow calls its own, and are read as data alone: nothing in them is run,
and whatever is not of this form is refused.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from itertools import accumulate
from math import prod
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from symtape.errors import FormatError, NotFoundError
from symtape.exchange import fields
from symtape.exchange.forms import Form
from symtape.exchange.reader import Entry, parse
from symtape.exchange.storing import put
from symtape.program.operations import dtype_named
from symtape.training.parts import Node

FORM = Form("symtape checkpoint")
INDEX = ".index"
DATA = ".data-00000-of-00001"
_MOST_NODES = 1_000_000
_TENSORFLOW = b"\x57\xfb\x80\x8b\x24\x75\x47\xdb"
"""The last bytes of a table, as which TensorFlow writes its own index."""
_TEXT = "string"
"""The dtype of texts, which are bytes of any length, one after another."""


class Value(NamedTuple):
    """Where a value stands in the data, and what it is."""

    key: str
    name: str
    dtype: str
    shape: tuple[int, ...]
    start: int
    checksum: int
    lengths: tuple[int, ...] = ()
    """Of texts: how many bytes each one has."""

    @property
    def size(self) -> int:
        """How many bytes it has."""
        if self.dtype == _TEXT:
            return sum(self.lengths)
        return prod(self.shape) * int(dtype_named(self.dtype).itemsize)


class SavedNode(NamedTuple):
    """An object that was saved: the numbers of its parts by name, and its value."""

    parts: dict[str, int]
    value: Value | None


class Saved(NamedTuple):
    """A checkpoint that was read: the objects, of which the first is the root, and all bytes."""

    nodes: list[SavedNode]
    data: bytes

    def array(self, value: Value) -> Any:
        """Read a value; raises `FormatError` where its bytes are not those that were written."""
        part = self.data[value.start : value.start + value.size]
        if zlib.crc32(part) != value.checksum:
            raise FormatError(f"{value.key}: the bytes of the checkpoint are damaged")
        if value.dtype == _TEXT:
            return _texts(part, value)
        little = np.frombuffer(part, dtype_named(value.dtype)).reshape(value.shape)
        return little.byteswap() if np.little_endian is False else little.copy()


def _texts(part: bytes, value: Value) -> Any:
    ends = list(accumulate(value.lengths))
    found = np.empty(len(ends), object)
    found[:] = [part[end - length : end] for end, length in zip(ends, value.lengths, strict=True)]
    return found.reshape(value.shape)


# --- writing --------------------------------------------------------------------------------------


def write(prefix: str, nodes: Sequence[Node]) -> None:
    """Write both files, the index last; each comes into being as a whole.

    Raises `OSError` where a file cannot be written.
    """
    written: list[dict[str, Any]] = []
    data = bytearray()
    for node in nodes:
        entry: dict[str, Any] = {"parts": [[name, k] for name, k in node.parts.items()]}
        if node.key is not None:
            entry["value"], part = _described(node.key, node.thing, len(data))
            data += part
        written.append(entry)
    document = FORM.written({"bytes": len(data), "nodes": written})
    Path(prefix).parent.mkdir(parents=True, exist_ok=True)
    put(prefix + DATA, bytes(data))
    put(prefix + INDEX, document.encode())


def _described(key: str, variable: Any, start: int) -> tuple[dict[str, Any], bytes]:
    array = np.asarray(variable.handle.tensor.value)
    dtype = variable.dtype.name
    about: dict[str, Any] = {"key": key, "name": variable.name.removesuffix(":0"), "dtype": dtype}
    if dtype == _TEXT:
        texts = array.ravel().tolist()
        part = b"".join(texts)
        about["lengths"] = [len(text) for text in texts]
    else:
        part = (array if np.little_endian else array.byteswap()).tobytes()
    place = {"shape": list(array.shape), "start": start, "checksum": zlib.crc32(part)}
    return about | place, part


# --- reading --------------------------------------------------------------------------------------


def read(prefix: str) -> Saved:
    """Read a checkpoint.

    Raises `NotFoundError` where there is none, and `FormatError` for files of another form.
    """
    index, data = Path(prefix + INDEX), Path(prefix + DATA)
    if not (index.is_file() and data.is_file()):
        raise NotFoundError(
            message=f"Error when restoring from checkpoint or SavedModel at {prefix}: Unsuccessful "
            f"TensorSliceReader constructor: Failed to find any matching files for {prefix}\n"
            "Please double-check that the path is correct. You may be missing the checkpoint "
            "suffix (e.g. the '-1' in 'path/to/ckpt-1')."
        )
    content = index.read_bytes()
    if content.endswith(_TENSORFLOW):
        raise FormatError(
            f"{index} is a checkpoint that TensorFlow wrote, and symtape reads its own: load it "
            "with TensorFlow, and assign the arrays of tf.train.load_checkpoint to variables"
        )
    return _document(parse(content), data)


def _document(entry: Entry, data: Path) -> Saved:
    found = FORM.read(entry, ("bytes", "nodes"))
    size = found["bytes"].integer()
    if data.stat().st_size != size:
        found["bytes"].refuse(f"the data have {data.stat().st_size} bytes")
    listed = list(found["nodes"].items())
    if not 0 < len(listed) <= _MOST_NODES:
        found["nodes"].refuse(f"{len(listed)} objects")
    nodes = [_node(part, len(listed), size) for part in listed]
    keys = [node.value.key for node in nodes if node.value is not None]
    if len(set(keys)) < len(keys):
        found["nodes"].refuse("a key is there twice")
    return Saved(nodes, data.read_bytes())


def _node(entry: Entry, count: int, size: int) -> SavedNode:
    found = entry.fields(("parts",), ("value",))
    parts: dict[str, int] = {}
    for pair in found["parts"].items():
        both = list(pair.items())
        if len(both) != 2:
            pair.refuse("a part is a name and a number")
        parts[both[0].text()] = both[1].integer(0, count - 1)
    return SavedNode(parts, _value(found["value"], size) if "value" in found else None)


def _value(entry: Entry, size: int) -> Value:
    found = entry.fields(("key", "name", "dtype", "shape", "start", "checksum"), ("lengths",))
    value = Value(
        found["key"].text(),
        found["name"].text(),
        fields.dtype_of(found["dtype"], (*fields.DTYPES, _TEXT)),
        fields.shape_of(found["shape"]),
        found["start"].integer(),
        found["checksum"].integer(0, 2**32 - 1),
        found["lengths"].integers() if "lengths" in found else (),
    )
    if len(value.lengths) != (prod(value.shape) if value.dtype == _TEXT else 0):
        entry.refuse(f"{len(value.lengths)} lengths of texts for {value.dtype} of {value.shape}")
    if value.start + value.size > size:
        entry.refuse(f"the data end before the {value.size} bytes of {value.key!r:.60}")
    return value
