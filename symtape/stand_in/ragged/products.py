"""Products of matrices that are ragged rows: of each batch its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from symtape.errors import InvalidArgumentError
from symtape.ops.indexing.gathering import gather
from symtape.ops.linalg import products
from symtape.ops.ragged.elementwise import same_outer_rows
from symtape.ops.ragged.joining import alike
from symtape.ops.ragged.rows import Rows, held, len_of, rank_of
from symtape.ops.ragged.splits import from_lengths
from symtape.ops.ragged.tensor import RaggedTensor
from symtape.ops.shapes.joining import concat
from symtape.ops.shapes.shaping import expand_dims, reshape, squeeze
from symtape.tensor.values import shape_of


def matmul(
    a: Any,
    b: Any,
    transpose_a: bool = False,
    transpose_b: bool = False,
    adjoint_a: bool = False,
    adjoint_b: bool = False,
    a_is_sparse: bool = False,
    b_is_sparse: bool = False,
    output_type: Any = None,
    name: str | None = None,
) -> Any:
    """Multiply the matrices of each batch, of which one at least is of ragged rows.

    Raises `ValueError` for unlike numbers of axes, and `InvalidArgumentError` for a matrix whose
    own rows differ in length.

    >>> a = RaggedTensor.from_row_lengths([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], [2, 1])
    >>> matmul(a, np.ones((2, 2, 1), np.float32)).to_list()
    [[[3.0], [7.0]], [[11.0]]]
    """
    if transpose_a and adjoint_a:
        raise ValueError("Only one of transpose_a and adjoint_a can be True.")
    if transpose_b and adjoint_b:
        raise ValueError("Only one of transpose_b and adjoint_b can be True.")
    left, right = held(a), held(b)
    if rank_of(left) != rank_of(right):
        raise ValueError("`a` and `b` must have the same rank.")
    flags = {
        "transpose_a": transpose_a,
        "transpose_b": transpose_b,
        "adjoint_a": adjoint_a,
        "adjoint_b": adjoint_b,
        "output_type": output_type,
    }
    return _product(left, right, flags)


def _product(a: Any, b: Any, flags: dict[str, Any]) -> Any:
    rank = rank_of(a)
    if rank == 2:
        return products.matmul(_matrix(a), _matrix(b), **flags)
    if rank > 3:
        x, y = alike(RaggedTensor, [a, b])
        same_outer_rows(x, y)
        return x.with_values(_product(x.values, y.values, flags))
    turned = flags["transpose_b"] or flags["adjoint_b"]
    if len_of(a) != len_of(b):
        raise ValueError(f"matmul: a has {len_of(a)} matrices, and b has {len_of(b)}")
    is_plain = not (flags["transpose_a"] or flags["adjoint_a"] or isinstance(b, Rows) or turned)
    if is_plain and isinstance(a, Rows) and a.ragged_rank == 1:
        return _folded(a, b, flags["output_type"])
    parts = [products.matmul(_matrix(x), _matrix(y), **flags) for x, y in zip(a, b, strict=True)]
    is_turned = flags["transpose_a"] or flags["adjoint_a"]
    sizes = a.shape[-1 if is_turned else -2], b.shape[-2 if turned else -1]
    has_columns = isinstance(b, Rows) and (b.ragged_rank == 2 or turned)
    return _stacked(parts, sizes if has_columns else sizes[:1])


def _matrix(x: Any) -> Any:
    """Make a matrix of rows that are of one length."""
    if not isinstance(x, Rows):
        return x
    if len({*np.diff(x.splits).tolist()}) > 1:
        raise InvalidArgumentError(
            message="The matrices in `a` and `b` may not be ragged in their innermost dimension."
        )
    return x.to_tensor()  # type: ignore[attr-defined]  # all rows are ragged tensors


def _folded(a: Rows, b: Any, output_type: Any) -> Any:
    """Multiply each row by the matrix of its batch."""
    matrices = gather(b, a.rowids)
    found = products.matmul(expand_dims(a.values, 1), matrices, output_type=output_type)
    return a.with_values(squeeze(found, [1]))


def _stacked(parts: Sequence[Any], sizes: Sequence[int | None]) -> Any:
    """Make matrices rows, or rows of rows, of a size each that is known or not."""
    counts = [shape_of(part) for part in parts]
    values: Any
    if len(sizes) == 1:
        values = concat(parts, 0)
    else:
        lengths = [n for rows, n in counts for _ in range(rows)]
        flat = concat([reshape(part, [-1]) for part in parts], 0)
        values = RaggedTensor(flat, from_lengths(lengths), uniform=sizes[1])
    return RaggedTensor(values, from_lengths([rows for rows, _ in counts]), uniform=sizes[0])
