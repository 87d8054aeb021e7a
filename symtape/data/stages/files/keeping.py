"""Elements in files: what `save`, and `cache` with a name, write, and what is read of it again.

There are two files: an index, which is JSON and comes last, and records, of which each is a tensor
of an element as `tf.io.serialize_tensor` writes it. They are read as data alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from symtape.data.elements.structures import builder, children, flatten, is_node
from symtape.data.stages.base import UNKNOWN, After, Failed, Stage
from symtape.data.stages.files.failures import failed
from symtape.data.stages.files.leaves import (
    check,
    check_stored,
    described,
    next_leaf,
    read_leaf,
    records_of,
)
from symtape.errors import DataLossError, FormatError, InvalidArgumentError
from symtape.exchange.forms import Form
from symtape.exchange.reader import Entry, parse
from symtape.exchange.storing import beside, put
from symtape.ops.files.sources import LostError, Source
from symtape.ops.records.framing import records_in
from symtape.ops.records.writing import TFRecordWriter

FORM = Form("symtape dataset")


class Place(NamedTuple):
    """Where elements are kept: the index, the records, and how these are compressed."""

    described: str
    records: str
    compression: str = ""

    @classmethod
    def folder(cls, path: str, compression: str) -> Place:
        """Name the files of what `save` keeps."""
        return cls(f"{path}/dataset_spec.json", f"{path}/elements.tfrecord", compression)

    @classmethod
    def beginning(cls, path: str) -> Place:
        """Name the files of what `cache` keeps, as TensorFlow names its own."""
        return cls(f"{path}.index", f"{path}.data-00000-of-00001")


class Index(NamedTuple):
    """What an index says: how elements are built (or None), what they hold, how many there are."""

    spec: Any
    leaves: list[Any]
    size: int


# --- writing --------------------------------------------------------------------------------------


def stored(place: Place, found: Iterator[Any], spec: Any, size: int = UNKNOWN) -> Iterator[Any]:
    """Give elements, and have all of them in files when the last of `size` ones is given.

    Where there is no such size, they are in files when somebody has asked for one more. Raises
    `Failed` where files cannot be written, and `UnsupportedError` for elements that are no tensors.
    """
    check_stored(spec)
    count = 0
    last: tuple[Any, ...] = ()
    try:
        with beside(place.records) as made, TFRecordWriter(made, place.compression) as writer:
            for element in found:
                for leaf in flatten(element):
                    for record in records_of(leaf):
                        writer.write(record)
                count += 1
                if count == size:
                    last = (element,)
                    break
                yield element
        put(place.described, _index(spec, count).encode())
        yield from chain(last, found)
    except OSError as error:
        raise failed(str(place.records), error) from None


def _index(spec: Any, count: int) -> str:
    return FORM.written(
        {
            "count": count,
            "leaves": [described(leaf) for leaf in flatten(spec)],
            "spec": _structure(spec),
        }
    )


def _structure(spec: Any) -> dict[str, Any]:
    """Write how parts are put together; a node that is no tuple or dict is not written."""
    if not is_node(spec):
        return {"kind": "leaf"}
    is_dict = type(spec) is dict and all([type(key) is str for key in spec])
    if not is_dict and type(spec) is not tuple:
        return {"kind": "other"}
    parts = [_structure(child) for child in children(spec)]
    if is_dict:
        return {"kind": "dict", "parts": parts, "keys": sorted(spec)}
    return {"kind": "tuple", "parts": parts}


# --- reading --------------------------------------------------------------------------------------


def read_index(place: Place) -> Index:
    """Read an index; raises `OSError` if there is none, and `FormatError` for another form."""
    found = FORM.read(parse(Path(place.described).read_bytes()), ("count", "leaves", "spec"))
    leaves = [read_leaf(entry) for entry in found["leaves"].items()]
    left = iter(leaves)
    spec = _built(found["spec"], left)
    if spec is not None and next(left, None) is not None:
        found["spec"].refuse("there are more leaves than places for them")
    return Index(spec, leaves, found["count"].integer())


def _built(entry: Entry, leaves: Iterator[Any]) -> Any:
    """Put leaves into their structure; None if a part of it was not written."""
    found = entry.fields(("kind",), ("parts", "keys"))
    kind = found["kind"].choice(("leaf", "tuple", "dict", "other"))
    if kind == "leaf":
        leaf = next(leaves, None)
        return leaf if leaf is not None else entry.refuse("there are fewer leaves")
    if kind == "other":
        return None
    parts = [_built(part, leaves) for part in found["parts"].items()]
    if any(part is None for part in parts):
        return None
    if kind == "tuple":
        return tuple(parts)
    keys = [key.text() for key in found["keys"].items()]
    if len(keys) != len(parts) or len(set(keys)) < len(keys):
        entry.refuse("the keys of a dict are not those of its parts")
    return dict(zip(keys, parts, strict=True))


def elements(place: Place, index: Index, spec: Any) -> Iterator[Any]:
    """Read elements of a spec; raises `Failed` where files are damaged, or hold others."""
    wanted = flatten(spec)
    build = builder(spec)
    if len(wanted) != len(index.leaves):
        text = f"there are {len(index.leaves)} parts in an element, and not {len(wanted)}"
        raise Failed(InvalidArgumentError, text)
    for k, (leaf, kept) in enumerate(zip(wanted, index.leaves, strict=True)):
        check(k, leaf, kept)
    found = records_in(Source(place.records, place.compression))
    try:
        for _ in range(index.size):
            yield build([next_leaf(k, found, leaf) for k, leaf in enumerate(wanted)])
        _check_end(found)
    except FormatError as error:
        raise Failed(DataLossError, str(error)) from None
    except (OSError, LostError) as error:
        raise failed(place.records, error) from None


def _check_end(records: Iterator[bytes]) -> None:
    if next(records, None) is not None:
        raise LostError("there are more elements than the index says")


# --- stages ---------------------------------------------------------------------------------------


class Loaded(Stage):
    """The elements that `save` has kept."""

    def __init__(self, place: Place, index: Index, spec: Any) -> None:
        self._place = place
        self._index = index
        self.spec = spec

    @property
    def cardinality(self) -> int:
        """As many as were kept."""
        return self._index.size

    def run(self) -> Iterator[Any]:
        """Read the file when the first element is asked for."""
        return elements(self._place, self._index, self.spec)


class CachedInFiles(After):
    """The elements of the first run that came to its end, in this process or another one."""

    def __init__(self, before: Stage, place: Place) -> None:
        super().__init__(before)
        self._place = place

    def run(self) -> Iterator[Any]:
        """Read what is kept, or run and keep."""
        try:
            index = read_index(self._place)
        except OSError:
            return stored(self._place, self.before.run(), self.spec, self.cardinality)
        return elements(self._place, index, self.spec)
