"""Leaves of elements in files: their specs in an index, and the records that each is made of."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from symtape.data.elements.specs import NoneTensorSpec
from symtape.data.elements.structures import flatten
from symtape.data.stages.base import Failed
from symtape.errors import InvalidArgumentError, UnsupportedError
from symtape.exchange import fields
from symtape.exchange.reader import Entry
from symtape.ops.composite import CompositeSpec, CompositeTensor
from symtape.ops.composite_elements import home_of
from symtape.ops.files.protos import read, written
from symtape.ops.files.sources import LostError
from symtape.ops.ragged.spec import RaggedTensorSpec
from symtape.ops.sparse.spec import SparseTensorSpec
from symtape.ops.spec import TensorSpec
from symtape.tensor import dtypes

_UNKNOWN = -1
"""A size that is not the same for all elements."""
_MOST_LEVELS = 64
"""How many levels of rows an index may say."""


def check_stored(spec: Any) -> None:
    """Raise `UnsupportedError` unless elements are tensors."""
    for leaf in flatten(spec):
        if not isinstance(leaf, (TensorSpec, CompositeSpec, NoneTensorSpec)):
            raise UnsupportedError(f"elements are kept in files if they are tensors, not {leaf}")


# --- specs in an index ----------------------------------------------------------------------------


def described(spec: Any) -> dict[str, Any]:
    """Write the spec of a leaf."""
    if isinstance(spec, NoneTensorSpec):
        return {}
    found: dict[str, Any] = {"dtype": spec.dtype.name}
    if spec.shape.rank is not None:
        found["shape"] = [_UNKNOWN if n is None else n for n in spec.shape]
    if isinstance(spec, RaggedTensorSpec):
        return found | {"levels": spec.ragged_rank, "ends": spec.row_splits_dtype.name}
    return found | ({"is_sparse": True} if isinstance(spec, SparseTensorSpec) else {})


def read_leaf(entry: Entry) -> Any:
    """Read the spec of a leaf; raises `FormatError` for another form."""
    found = entry.fields((), ("dtype", "shape", "levels", "ends", "is_sparse"))
    if "dtype" not in found:
        return NoneTensorSpec()
    dtype = dtypes.as_dtype(found["dtype"].choice((*fields.DTYPES, "string")))
    shape = None
    if "shape" in found:
        sizes = found["shape"].integers(_UNKNOWN, fields.LONGEST_AXIS)
        shape = [None if n == _UNKNOWN else n for n in sizes]
    if "is_sparse" in found:
        return SparseTensorSpec(shape, dtype)
    if "levels" not in found:
        return TensorSpec(shape, dtype)
    return _read_ragged(found, shape, dtype)


def _read_ragged(found: Any, shape: list[int | None] | None, dtype: Any) -> Any:
    levels = found["levels"].integer(-_MOST_LEVELS, _MOST_LEVELS)
    if "ends" not in found:
        found["levels"].refuse("there is no dtype of where rows end")
    if shape is not None and levels >= len(shape):
        found["levels"].refuse("there are more levels of rows than axes")
    return RaggedTensorSpec(shape, dtype, levels, found["ends"].choice(("int32", "int64")))


# --- records --------------------------------------------------------------------------------------


def records_of(leaf: Any) -> list[bytes]:
    """Write the tensors of a leaf."""
    if leaf is None:
        return []
    parts = leaf.components() if isinstance(leaf, CompositeTensor) else [leaf]
    return [written(part) for part in parts]


def next_leaf(place: int, records: Iterator[bytes], spec: Any) -> Any:
    """Read a leaf of a spec; raises `LostError` where files are damaged, and what `check` does."""
    if isinstance(spec, NoneTensorSpec):
        return None
    count = _count(spec)
    if not count:
        found = _next(records)
        check(place, TensorSpec(spec.shape, spec.dtype), TensorSpec(found.shape, found.dtype))
        return found
    parts = [_next(records) for _ in range(count)]
    try:
        made = home_of(spec).built(spec, parts)
    except (InvalidArgumentError, ValueError) as error:
        raise LostError(f"records are no {type(spec).__name__}: {error}") from None
    check(place, spec, made.type_spec)
    return made


def _count(spec: Any) -> int:
    """Count the records of a leaf that is ragged or sparse; none for one that is a tensor."""
    if isinstance(spec, SparseTensorSpec):
        return len(("places", "elements", "shape"))
    levels: int = spec.ragged_rank if isinstance(spec, RaggedTensorSpec) else 0
    return levels + 1 if levels > 0 else 0


def _next(records: Iterator[bytes]) -> Any:
    record = next(records, None)
    if record is None:
        raise LostError("there are fewer elements than the index says")
    found = read(record)
    if found is None:
        raise LostError("a record is no tensor")
    return found


def check(place: int, wanted: Any, found: Any) -> None:
    """Raise `Failed` unless what is kept is of the spec that is wanted."""
    if not isinstance(wanted, TensorSpec) or not isinstance(found, TensorSpec):
        if not wanted.is_compatible_with(found):
            raise Failed(InvalidArgumentError, f"component {place} is {found}, and not {wanted}")
        return
    if wanted.dtype != found.dtype:
        names = f"expected {wanted.dtype.enum_name} but got {found.dtype.enum_name}."
        raise Failed(InvalidArgumentError, f"Data type mismatch at component {place}: {names}")
    if not wanted.shape.is_compatible_with(found.shape):
        shapes = f"expected {_shown(wanted.shape)} but got {_shown(found.shape)}."
        raise Failed(InvalidArgumentError, f"Incompatible shapes at component {place}: {shapes}")


def _shown(shape: Any) -> str:
    if shape.rank is None:
        return "<unknown>"
    return f"[{','.join('?' if n is None else str(n) for n in shape)}]"
