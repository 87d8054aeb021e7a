"""Crossed features: combinations of what the columns of a row hold, as texts or as numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from typing import Any

import numpy as np

from symtape.ops.arguments import listed
from symtape.ops.attributes import attributes, integer
from symtape.ops.elementwise.conversion import cast
from symtape.ops.sparse.tensor import SparseTensor
from symtape.ops.strings.arguments import text_of
from symtape.ops.strings.hashing import fingerprint, joined_fingerprint
from symtape.tensor import dtypes
from symtape.tensor.decided import decided_by_look
from symtape.tensor.dispatch import invalid
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import shape_of

Rows = list[list[Any]]
"""What a column holds in each row: texts as bytes, and whole numbers."""
Of = Callable[[Sequence[Any]], Any]
"""What is made of a combination."""
KEY = 0xDECAFCAFFE
_LARGEST = 2**63 - 1


def cross(inputs: Any, name: str | None = None, separator: Any = None) -> SparseTensor:
    """Join each combination of what the columns of a row hold into a text, in order.

    `inputs` are matrices, sparse or not, of texts or whole numbers, with one row for each element
    of a batch; sparse ones come first. `separator` is "_X_", or another text. Raises `TypeError`
    for what is no list of tensors, and `InvalidArgumentError` for other ranks and batches.

    >>> from symtape.tensor.convert import convert
    >>> cross([convert([["a", "b"]]), convert([[1]])]).values.numpy()
    array([b'a_X_1', b'b_X_1'], dtype=object)
    """
    between = b"_X_" if separator is None else text_of("SparseCrossV2", separator)[()]

    columns = _columns("SparseCrossV2", inputs, "All inputs must be Tensor or SparseTensor.")
    return _crossed(columns, texts_joined(between), object)


def texts_joined(between: bytes) -> Of:
    """Join parts, numbers as texts.

    >>> texts_joined(b"-")([b"a", 1])
    b'a-1'
    """

    def join(parts: Sequence[Any]) -> bytes:
        return between.join(p if isinstance(p, bytes) else str(p).encode() for p in parts)

    return join


@attributes(num_buckets=integer(least=0))
def cross_hashed(
    inputs: Any, num_buckets: int = 0, hash_key: int | None = None, name: str | None = None
) -> SparseTensor:
    """Number each combination of what the columns of a row hold, by FarmHash's fingerprints.

    As `cross`, with numbers below `num_buckets`, or any of int64 if it is 0. `hash_key` begins all
    of them. Raises what `cross` raises, and `InvalidArgumentError` for a negative `num_buckets`.

    >>> from symtape.tensor.convert import convert
    >>> cross_hashed([convert([["f"], ["g"]])], num_buckets=10).values.numpy()
    array([3, 7])
    """
    op = "SparseCross"
    columns = _columns(op, inputs, "All inputs must be SparseTensors")
    return _crossed(columns, hashed(num_buckets, hash_key or KEY), np.int64)


def hashed(num_buckets: int, hash_key: int) -> Of:
    """Number parts by their fingerprints, which begin with a key.

    >>> hashed(10, KEY)([b"f"])
    3
    """

    def number(parts: Sequence[Any]) -> int:
        found = hash_key
        for part in parts:
            own = fingerprint(part) if isinstance(part, bytes) else part % (1 << 64)
            found = joined_fingerprint(found, own)
        return found % (num_buckets or _LARGEST)

    return number


def _columns(op: str, inputs: Any, lacking: str) -> list[Rows]:
    """Read what each column holds in each row, sparse columns first."""
    if not isinstance(inputs, (tuple, list)):
        raise TypeError("Inputs must be a list")
    if not all(isinstance(x, (SparseTensor, Tensor)) for x in inputs):
        raise TypeError(lacking)
    sparse = [x for x in inputs if isinstance(x, SparseTensor)]
    dense = [x for x in inputs if isinstance(x, Tensor)]
    for k, x in enumerate(dense):
        if x.ndim != 2:
            shape = listed(shape_of(x))
            raise invalid(
                op, f"Dense inputs should be a matrix but received shape {shape} at position {k}"
            )
    _check_batches(op, [x.sizes for x in sparse], [tuple(x.shape) for x in dense])
    return [*map(sparse_rows, sparse), *map(values_of, dense)]


def _check_batches(op: str, sparse: list[Any], dense: list[Any]) -> None:
    for k, sizes in enumerate(sparse):
        if len(sizes) != 2:
            raise invalid(op, f"shape should imply a 2D tensor, but got {listed(sizes)}")
        if sizes[0] != sparse[0][0]:
            raise invalid(op, f"Expected batch size {sparse[0][0]} got {sizes[0]} at position {k}")
    wanted = [*sparse, *dense][0][0] if sparse or dense else 0
    for k, sizes in enumerate(dense):
        if sizes[0] != wanted:
            text = f"Expected batch size {wanted} got {sizes[0]} at dense tensor {k}"
            raise invalid(op, text)


def values_of(x: Tensor) -> list[Any]:
    """Read texts, or whole numbers as of int64.

    >>> from symtape.tensor.convert import convert
    >>> values_of(convert([[1], [2]]))
    [[1], [2]]
    """
    found: list[Any] = np.asarray(
        decided_by_look(x if x.dtype is dtypes.string else cast(x, dtypes.int64))
    ).tolist()
    return found


def sparse_rows(x: SparseTensor) -> Rows:
    """List the elements of each row of a matrix.

    >>> sparse_rows(SparseTensor([[1, 0]], [5], [2, 1]))
    [[], [5]]
    """
    rows: Rows = [[] for _ in range(x.sizes[0])]
    for (row, _), value in zip(x.places.tolist(), values_of(x.values), strict=True):
        rows[row].append(value)
    return rows


def combined(columns: list[Rows], of: Of, kind: Any) -> tuple[Any, list[int]]:
    """Apply a function to each combination; the last column changes first.

    Gives the results of all rows as an array of a dtype, and how many each row has.

    >>> combined([[[1, 2], [3]]], lambda parts: parts[0], np.int64)
    (array([1, 2, 3]), [2, 1])
    """
    found = [[of(parts) for parts in product(*row)] for row in zip(*columns, strict=True)]
    lengths = [len(row) for row in found]
    values = np.empty(sum(lengths), kind)
    values[:] = [value for row in found for value in row]
    return values, lengths


def _crossed(columns: list[Rows], of: Of, kind: Any) -> SparseTensor:
    values, lengths = combined(columns, of, kind)
    places = [(k, n) for k, length in enumerate(lengths) for n in range(length)]
    sizes = (len(lengths), max(lengths, default=0))
    return SparseTensor(np.reshape(np.array(places, np.int64), (-1, 2)), Tensor(values), sizes)
