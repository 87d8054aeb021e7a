"""Sparse tensors as texts: serialize_sparse, serialize_many_sparse, deserialize_many_sparse."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any, NamedTuple

import numpy as np

from symtape.errors import UnsupportedError
from symtape.ops.arguments import listed
from symtape.ops.files.protos import read_array, written_whole
from symtape.ops.sparse.order import in_order
from symtape.ops.sparse.tensor import SparseTensor
from symtape.ops.strings.arguments import text_of
from symtape.stand_in.sparse import checks
from symtape.tensor import dtypes
from symtape.tensor.dispatch import invalid
from symtape.tensor.dtypes import DType
from symtape.tensor.shape import TensorShape
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import look_at

_READ = "DeserializeManySparse"


def serialize_sparse(
    sp_input: Any, out_type: Any = dtypes.string, name: str | None = None
) -> Tensor:
    r"""The places, the elements and the shape of a sparse tensor, as three texts.

    Raises `TypeError` for anything else, `InvalidArgumentError` for another dtype than that of
    texts, and `UnsupportedError` for `tf.variant`.

    >>> serialize_sparse(SparseTensor([[1]], [5], [3])).numpy()[1]
    b'\x08\x03\x12\x04\x12\x02\x08\x01"\x04\x05\x00\x00\x00'
    """
    whole = checks.given(sp_input)
    _check_type("SerializeSparse", out_type)
    return Tensor(_texts(whole.places, look_at(whole.values), whole.sizes))


def serialize_many_sparse(
    sp_input: Any, out_type: Any = dtypes.string, name: str | None = None
) -> Tensor:
    """Each row of a sparse tensor along its first axis as three texts: shape [rows, 3].

    Raises what `serialize_sparse` raises, and `InvalidArgumentError` for one axis alone, and for
    elements out of order or outside.

    >>> serialize_many_sparse(SparseTensor([[1, 0]], [5], [3, 2])).shape
    TensorShape([3, 3])
    """
    op = "SerializeManySparse"
    whole = checks.given(sp_input)
    _check_type(op, out_type)
    rank = len(whole.sizes)
    if rank < 2:
        raise invalid(op, f"Rank of input SparseTensor should be > 1, but saw rank: {rank}")
    _check_inside(op, whole)
    in_order(op, whole.places, whole.sizes)
    values, rows = np.asarray(look_at(whole.values)), whole.places[:, 0]
    made = np.empty((whole.sizes[0], 3), object)
    for k in range(whole.sizes[0]):
        chosen = rows == k
        made[k] = _texts(whole.places[chosen, 1:], values[chosen], whole.sizes[1:])
    return Tensor(made)


def deserialize_many_sparse(
    serialized_sparse: Any, dtype: Any, rank: int | None = None, name: str | None = None
) -> SparseTensor:
    """The sparse tensor of which texts were made, one row for each three texts.

    `rank` is the number of axes of the result, if it is known. The shape has room for all rows.
    Raises `InvalidArgumentError` for other texts, and for rows of unlike dtypes and numbers of
    axes, and `ValueError` for another rank.

    >>> rows = SparseTensor([[1, 0]], [5], [3, 2])
    >>> deserialize_many_sparse(serialize_many_sparse(rows), "int32").to_dense().numpy().tolist()
    [[0, 0], [5, 0], [0, 0]]
    """
    texts = text_of(_READ, serialized_sparse)
    shape = texts.shape
    if 0 in shape:
        raise invalid(
            _READ,
            "Serialized sparse should have at least 1 serialized tensor, but has a zero dimension "
            f"{listed(shape)}",
        )
    if not shape:
        raise invalid(_READ, "Serialized sparse should have non-zero rank []")
    if shape[-1] != 3:
        raise invalid(
            _READ, f"Serialized sparse should have 3 as the last dimension {listed(shape)}"
        )
    wanted = dtypes.as_dtype(dtype)
    found: list[_Part] = []
    for k, row in enumerate(texts.reshape(-1, 3)):
        found.append(_part(k, row, wanted, found))
    whole = _joined(found, shape[:-1])
    if rank is not None and len(whole.sizes) != rank:
        sizes, supplied = whole.places.shape, TensorShape([None, rank])
        raise ValueError(
            f"Tensor's shape {sizes} is not compatible with supplied shape {supplied}."
        )
    return whole


def _check_type(op: str, out_type: Any) -> None:
    if out_type == "variant":
        raise UnsupportedError(f"tf.io: {op} to tf.variant; leave out out_type=, for texts")
    wanted = dtypes.of_kernel(out_type, dtypes.string)
    if wanted is not dtypes.string:
        raise invalid(
            op,
            f"Value for attr 'out_type' of {wanted.enum_name} is not in the list of allowed "
            "values: string, variant",
        )


def _check_inside(op: str, whole: SparseTensor) -> None:
    outside = np.any((whole.places < 0) | (whole.places >= np.array(whole.sizes)), axis=1)
    if outside.any():
        k = int(np.argmax(outside))
        place = listed(whole.places[k].tolist())
        raise invalid(
            op,
            f"indices[{k}] = {place} is out of bounds: need 0 <= index < {listed(whole.sizes)}",
        )


def _texts(places: Any, values: Any, sizes: Sequence[int]) -> Any:
    parts = (places, np.asarray(values), np.array(sizes, np.int64))
    made = np.empty(3, object)
    made[:] = [written_whole(part) for part in parts]
    return made


class _Part(NamedTuple):
    """A row: its places, elements and shape."""

    places: Any
    values: Any
    sizes: Any


def _part(k: int, row: Any, wanted: DType, before: list[_Part]) -> _Part:
    arrays = [read_array(text) for text in row]
    if any(array is None for array in arrays):
        raise invalid(_READ, "Could not parse serialized proto")
    part = _Part(*arrays)
    own = dtypes.of(part.values)
    if own is not wanted:
        raise invalid(
            _READ,
            f"Requested SparseTensor of type {wanted.enum_name} but SparseTensor[{k}]."
            f"values.dtype() == {own.enum_name}",
        )
    if before and len(part.sizes) != len(before[0].sizes):
        raise invalid(
            _READ,
            f"Inconsistent shape across SparseTensors: rank prior to SparseTensor[{k}] was: "
            f"{len(before[0].sizes)} but rank of SparseTensor[{k}] is: {len(part.sizes)}",
        )
    return part


def _joined(parts: list[_Part], batch: tuple[int, ...]) -> SparseTensor:
    """Put rows into one tensor, with the axes of the batch in front."""
    counts = [len(part.values) for part in parts]
    rows = np.repeat(np.arange(prod(batch)), counts)
    outer = np.stack([*np.unravel_index(rows, batch)], 1) if batch else np.zeros((sum(counts), 0))
    places = np.concatenate([outer, np.concatenate([part.places for part in parts])], 1)
    sizes = np.max([part.sizes for part in parts], axis=0)
    values = Tensor(np.concatenate([part.values for part in parts]))
    return SparseTensor(places.astype(np.int64), values, (*batch, *sizes.tolist()))
