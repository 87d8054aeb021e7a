"""`tf.sets`: sets of values, one for each row of the last axis, dense or sparse."""

from __future__ import annotations

from typing import Any

import numpy as np

from symtape.errors import InvalidArgumentError, UnsupportedError
from symtape.ops.arguments import listed, tensor
from symtape.ops.attributes import attributes, boolean
from symtape.ops.sparse.order import in_order
from symtape.ops.sparse.tensor import SparseTensor, of_any_shape
from symtape.tensor import dtypes
from symtape.tensor.decided import decided_by_look
from symtape.tensor.dispatch import invalid
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import shape_of

_KINDS = [
    *(dtypes.int32, dtypes.uint8, dtypes.int16, dtypes.int8),
    *(dtypes.string, dtypes.int64, dtypes.uint16),
]
_Sets = dict[tuple[int, ...], set[Any]]


@attributes(validate_indices=boolean(True))
def intersection(a: Any, b: Any, validate_indices: bool = True) -> SparseTensor:
    """The values that are in both of two sets, in order, for each place before the last axis.

    A dense tensor may come with a sparse one, in any order. Raises `TypeError` for dtypes that do
    not fit, and `InvalidArgumentError` for shapes that do not, and elements out of order.

    >>> one = SparseTensor([[0, 0], [1, 0]], [1, 1], (2, 1))
    >>> intersection(one, SparseTensor([[1, 0]], [1], (2, 1))).indices.numpy()
    array([[1, 0]])
    """
    first, second, shape, kind = _both(a, b, validate_indices)
    found = {row: first[row] & second[row] for row in first.keys() & second.keys()}
    return _made(found, shape, kind)


@attributes(validate_indices=boolean(True))
def union(a: Any, b: Any, validate_indices: bool = True) -> SparseTensor:
    """The values that are in one of two sets, in order; see `intersection`.

    >>> union([[3, 1]], [[1, 2]]).values.numpy()
    array([1, 2, 3], dtype=int32)
    """
    first, second, shape, kind = _both(a, b, validate_indices)
    rows = first.keys() | second.keys()
    found = {row: first.get(row, set()) | second.get(row, set()) for row in rows}
    return _made(found, shape, kind)


@attributes(validate_indices=boolean(True))
def difference(a: Any, b: Any, aminusb: bool = True, validate_indices: bool = True) -> SparseTensor:
    """The values that are in the first set alone, or in the second alone; see `intersection`.

    >>> difference([[3, 1]], [[1, 2]]).values.numpy()
    array([3], dtype=int32)
    """
    first, second, shape, kind = _both(a, b, validate_indices)
    if not aminusb:
        first, second = second, first
    return _made({row: own - second.get(row, set()) for row, own in first.items()}, shape, kind)


@attributes(validate_indices=boolean(True))
def size(a: SparseTensor, validate_indices: bool = True) -> Tensor:
    """How many different values there are for each place before the last axis, int32.

    >>> size(SparseTensor([[0, 0], [0, 1], [1, 0]], [7, 7, 7], (3, 2))).numpy()
    array([1, 1, 0], dtype=int32)
    """
    if not isinstance(a, SparseTensor):
        raise TypeError(f"Expected `SparseTensor`, got {tensor(a)!s}.")
    if a.values.dtype not in _KINDS:
        raise TypeError(
            f"Invalid dtype `{a.values.dtype!s}` not in supported dtypes: `{_kinds()}`."
        )
    if len(a.sizes) < 2:
        raise invalid("SetSize", f"Invalid rank {len(a.sizes)}.")
    _check_places("SetSize", a, validate_indices)
    found = np.zeros(a.sizes[:-1], np.int32)
    for row, values in _sets(a).items():
        found[row] = len(values)
    return Tensor(found)


def _kinds() -> str:
    return f"frozenset({{{', '.join(f'tf.{kind.name}' for kind in _KINDS)}}})"


def _both(a: Any, b: Any, validates: bool) -> tuple[_Sets, _Sets, tuple[int, ...], Any]:
    """Read two tensors: the sets of each, the shape before the last axis, and the dtype."""
    first, second = (x if isinstance(x, SparseTensor) else tensor(x) for x in (a, b))
    if first.dtype not in _KINDS:
        raise TypeError(
            f"'a' has invalid dtype `{first.dtype!s}` not in supported dtypes: `{_kinds()}`."
        )
    if second.dtype is not first.dtype:
        raise TypeError(f"Types don't match, {first.dtype!s} vs {second.dtype!s}.")
    sparse = [isinstance(x, SparseTensor) for x in (first, second)]
    given = (second, first) if sparse == [True, False] else (first, second)
    words = ["Sparse" if isinstance(x, SparseTensor) else "Dense" for x in given]
    op = f"{words[0]}To{words[1]}SetOperation"
    for x in given:
        if isinstance(x, SparseTensor):
            _check_places(op, x, validates)
    shapes = [_outer(op, x) for x in given]
    if shapes[0] != shapes[1]:
        raise invalid(op, f"Mismatched shapes {listed(shapes[0])} vs {listed(shapes[1])}")
    return _sets(first), _sets(second), shapes[0], first.dtype


def _outer(op: str, x: Any) -> tuple[int, ...]:
    """Give the shape before the last axis."""
    shape = x.sizes if isinstance(x, SparseTensor) else shape_of(x)
    if len(shape) < 2:
        text = f"Invalid rank {len(shape)}."
        if not isinstance(x, SparseTensor):
            text = f"Shape {listed(shape)} has rank {len(shape)} < 2"
        raise invalid(op, text)
    return tuple(shape[:-1])


def _check_places(op: str, x: SparseTensor, validates: bool) -> None:
    """Refuse places that are outside, out of order, or there twice."""
    inside = ((x.places >= 0) & (x.places < np.array(x.sizes))).all(axis=1)
    if not inside.all():
        k = int(np.argmin(inside))
        text = f"is out of bounds: need 0 <= index < {listed(x.sizes)}"
        raise invalid(op, f"indices[{k}] = {listed(x.places[k].tolist())} {text}")
    try:
        in_order(op, x.places, x.sizes)
    except InvalidArgumentError as error:
        if validates:
            raise
        text = "tf.sets of elements out of order; give tf.sparse.reorder(x)"
        raise UnsupportedError(text) from error


def _sets(x: Any) -> _Sets:
    """Give the set of values at each place before the last axis, where there is one."""
    if isinstance(x, SparseTensor):
        rows, values = x.places[:, :-1].tolist(), decided_by_look(x.values).tolist()
    else:
        array = np.asarray(decided_by_look(x))
        rows, values = (
            np.argwhere(np.ones(array.shape, bool))[:, :-1].tolist(),
            array.ravel().tolist(),
        )
    found: _Sets = {}
    for row, value in zip(rows, values, strict=True):
        found.setdefault(tuple(row), set()).add(value)
    return found


def _made(found: _Sets, shape: tuple[int, ...], kind: Any) -> SparseTensor:
    """Put the values of each set one after another, in order."""
    places = [(*row, k) for row in sorted(found) for k in range(len(found[row]))]
    values = [value for row in sorted(found) for value in sorted(found[row])]
    longest = max(map(len, found.values()), default=0)
    made = np.empty(len(values), kind.numpy)
    made[:] = values
    lines = np.array(places, np.int64).reshape(-1, len(shape) + 1)
    return of_any_shape(SparseTensor(lines, made, (*shape, longest)))
