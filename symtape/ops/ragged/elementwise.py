"""Functions of the innermost values, and what stands beside ragged rows in them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

import numpy as np

from symtape.errors import InvalidArgumentError, UnsupportedError
from symtape.ops.arguments import like, tensor
from symtape.ops.elementwise.comparison import logical_and, logical_not, logical_or, logical_xor
from symtape.ops.indexing.gathering import gather
from symtape.ops.ragged.rows import Rows
from symtape.ops.shapes.shaping import reshape
from symtape.tensor.operators import OPERATORS
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import shape_of


def map_flat_values(op: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """Apply a function to the innermost values of ragged tensors of the same rows.

    Raises `InvalidArgumentError` where their rows differ, and `ValueError` where the function gives
    another number of values.

    >>> from symtape.ops.ragged.rows import Rows
    >>> rows = Rows(tensor([1.0, 2.0, 3.0]), np.array([0, 2, 3]))
    >>> map_flat_values(lambda x: 2.0 * x, rows).to_list()
    [[2.0, 4.0], [6.0]]
    """
    known = [x for x in (*args, *kwargs.values()) if isinstance(x, Rows)]
    if not known:
        return op(*args, **kwargs)
    for other in known[1:]:
        same_rows(known[0], other)
    flat = op(*map(_flat, args), **{k: _flat(x) for k, x in kwargs.items()})
    sizes, own = shape_of(tensor(flat)), shape_of(known[0].flat_values)
    if sizes[:1] != own[:1]:
        raise ValueError(
            f"tf.ragged.map_flat_values requires that the output of `op` have the same outer-"
            f"dimension size as flat_values of any ragged inputs. (output shape: {sizes}; "
            f"expected outer dimension size: {own[0]})"
        )
    return known[0].with_flat_values(flat)


def _flat(x: Any) -> Any:
    return x.flat_values if isinstance(x, Rows) else x


def same_rows(one: Rows, other: Rows) -> None:
    """Raise `InvalidArgumentError` unless the rows of two ragged tensors have the same lengths."""
    _same_splits(one.nested_splits, other.nested_splits)


def same_outer_rows(one: Rows, other: Rows) -> None:
    """Raise `InvalidArgumentError` unless the outermost rows of both have the same lengths."""
    _same_splits([one.splits], [other.splits])


def _same_splits(a: Sequence[Any], b: Sequence[Any]) -> None:
    if len(a) == len(b) and all(np.array_equal(x, y) for x, y in zip(a, b, strict=True)):
        return
    lengths = [[np.diff(s).tolist() for s in splits] for splits in (a, b)]
    raise InvalidArgumentError(
        message="Condition x == y did not hold.\nragged tensors whose rows have lengths "
        f"{lengths[0]} and {lengths[1]}"
    )


def applied(function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """Apply a function of elements to ragged tensors, and tensors that broadcast to their rows."""
    rows = next(x for x in (*args, *kwargs.values()) if isinstance(x, Rows))
    named = {name: beside(x, rows) for name, x in kwargs.items()}
    return map_flat_values(function, *(beside(x, rows) for x in args), **named)


def beside(value: Any, rows: Rows) -> Any:
    """Give what stands beside the innermost values: of each row its own element.

    Raises `UnsupportedError` for shapes that do not say which.
    """
    if not isinstance(value, (Tensor, np.ndarray, list, tuple)):
        return value
    dense = _dense(value, rows)
    sizes = shape_of(dense)
    rank = rows.rank
    if len(sizes) < rank - rows.ragged_rank + 1 and len(sizes) <= len(rows.flat_values.shape) - 1:
        return dense
    if not sizes or sizes == (1,):
        return dense
    if len(sizes) == rank and rows.ragged_rank == 1 and sizes[1] == 1:
        if sizes[0] == len(rows.splits) - 1:
            each = reshape(dense, [sizes[0], *sizes[2:]])
            return gather(each, rows.rowids)
        if sizes[0] == 1:
            return reshape(dense, [1, *sizes[2:]])
    raise UnsupportedError(
        f"a tensor of shape {sizes} beside ragged rows of shape {rows.shape}: give one number for "
        "each row, of shape (rows, 1), or a ragged tensor with the same rows"
    )


def _dense(value: Any, rows: Rows) -> Tensor:
    """Make a tensor; numbers of Python's become what the rows hold, if they can."""
    made = tensor(value)
    if isinstance(value, (list, tuple)) and (made.dtype.is_integer or made.dtype.is_floating):
        with suppress(TypeError, ValueError):
            return like(value, tensor(rows.flat_values))
    return made


_LOGICAL = {
    "__and__": logical_and,
    "__rand__": logical_and,
    "__or__": logical_or,
    "__ror__": logical_or,
    "__xor__": logical_xor,
    "__rxor__": logical_xor,
    "__invert__": logical_not,
}
"""Operators that count with truth values alone, other than those of tensors."""


def _method(name: str) -> Callable[..., Any]:
    operator = _LOGICAL.get(name, OPERATORS[name])
    return lambda self, *other: applied(operator, self, *other)


def _compared(name: str) -> Callable[..., Any]:
    """Make a comparison; what cannot be compared is not equal, as with tensors."""
    method = _method(name)

    def compare(self: Rows, other: Any) -> Any:
        try:
            return method(self, other)
        except (InvalidArgumentError, TypeError, ValueError):
            return name == "__ne__"

    return compare


METHODS = {name: _method(name) for name in OPERATORS if "matmul" not in name}
METHODS |= {name: _compared(name) for name in ("__eq__", "__ne__")}
"""The methods of operators."""
