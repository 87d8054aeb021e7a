"""Crossed features in rows of unlike lengths: `tf.ragged.cross`, `cross_hashed`."""

from __future__ import annotations

from typing import Any

from symtape.ops.arguments import tensor
from symtape.ops.attributes import attributes, integer
from symtape.ops.elementwise.conversion import cast
from symtape.ops.ragged.rows import Rows
from symtape.ops.ragged.splits import rows_between
from symtape.ops.ragged.tensor import RaggedTensor
from symtape.ops.sparse.tensor import SparseTensor
from symtape.stand_in.sparse.crossing import (
    KEY,
    combined,
    hashed,
    sparse_rows,
    texts_joined,
    values_of,
)
from symtape.tensor import dtypes
from symtape.tensor.dispatch import invalid
from symtape.tensor.tensor import Tensor

_OP = "RaggedCross"
_RANK = "tf.ragged.cross only supports inputs with rank=2"


def cross(inputs: Any, name: str | None = None) -> RaggedTensor:
    """Join each combination of what the columns of a row hold into a text, in order.

    `inputs` are ragged, sparse or dense matrices of texts or whole numbers, with one row for each
    element of a batch. Raises `TypeError` for what is no list, and `ValueError` or
    `InvalidArgumentError` for other dtypes, ranks and batches.

    >>> from symtape.ops.ragged.constants import constant
    >>> cross([constant([["a"], ["b", "c"]]), [[1], [2]]])
    <tf.RaggedTensor [[b'a_X_1'], [b'b_X_2', b'c_X_2']]>
    """
    return _crossed(inputs, texts_joined(b"_X_"), dtypes.string)


@attributes(num_buckets=integer(least=0))
def cross_hashed(
    inputs: Any, num_buckets: int = 0, hash_key: int | None = None, name: str | None = None
) -> RaggedTensor:
    """Number each combination of what the columns of a row hold, by FarmHash's fingerprints.

    As `cross`, with numbers below `num_buckets`, or any of int64 if it is 0. `hash_key` begins all
    of them. Raises what `cross` raises, and `InvalidArgumentError` for a negative `num_buckets`.

    >>> from symtape.ops.ragged.constants import constant
    >>> cross_hashed([constant([["a"], ["b", "c"]])], num_buckets=10, hash_key=2**63 + 5)
    <tf.RaggedTensor [[9], [2, 7]]>
    """
    key = KEY if hash_key is None else hash_key  # 0 is a key here, and none in tf.sparse
    return _crossed(inputs, hashed(num_buckets, key), dtypes.int64)


def _crossed(inputs: Any, of: Any, kind: dtypes.DType) -> RaggedTensor:
    if not isinstance(inputs, (tuple, list)):
        raise TypeError("Inputs must be a list")
    given = [_checked(k, x) for k, x in enumerate(inputs)]
    columns = [_rows_of(x) for x in given]
    if len({len(rows) for rows in columns}) > 1:
        raise invalid(_OP, "inputs must all have the same batch dimension size.")
    values, lengths = combined(columns, of, kind.numpy)
    made = RaggedTensor.from_row_lengths(Tensor(values), lengths)
    splits = [x.row_splits.dtype for x in given if isinstance(x, Rows)]
    is_narrow = bool(splits) and all(dtype is dtypes.int32 for dtype in splits)
    return made.with_row_splits_dtype("int32" if is_narrow else "int64")


def _checked(number: int, value: Any) -> Any:
    """Read an input; raises `ValueError` for dtypes and levels of rows that are not crossed."""
    x = value if isinstance(value, (Rows, SparseTensor)) else tensor(value)
    if not x.dtype.is_integer and x.dtype is not dtypes.string:
        raise ValueError(f"Unexpected dtype for inputs[{number}]: {x.dtype}")
    if isinstance(x, Rows) and x.ragged_rank != 1:
        raise ValueError(_RANK)
    return x


def _rows_of(x: Any) -> Any:
    """List what an input holds in each row."""
    rank = len(x.sizes) if isinstance(x, SparseTensor) else len(x.shape)
    if rank != 2:
        raise invalid(_OP, f"{_RANK}.")
    if isinstance(x, SparseTensor):
        return sparse_rows(x)
    if isinstance(x, Rows):
        flat = values_of(x.flat_values)
        return [flat[start:end] for start, end in rows_between(x.splits)]
    return values_of(x if x.dtype is dtypes.string else cast(x, dtypes.int64))
