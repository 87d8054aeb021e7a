"""Functions called element after element along the first axis: map_fn, scan, foldl, foldr."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from symtape import nest
from symtape.errors import InvalidArgumentError, UnsupportedError
from symtape.ops.control.flow import check_iterations
from symtape.ops.random.scopes import parts
from symtape.ops.shapes.joining import stack, unstack
from symtape.tensor import dtypes
from symtape.tensor.convert import convert
from symtape.tensor.values import shape_of

Rows = list[Any]
"""One structure of tensors for each element."""


def _rows(elems: Any) -> Rows:
    """Take a structure of tensors apart along their first axis."""
    leaves = [convert(e) for e in nest.flatten(elems)]
    if any([leaf.ndim == 0 for leaf in leaves]):
        raise ValueError("Elements in elems must be 1+ dimensional Tensors, not scalars")
    sizes = {shape_of(leaf)[0] for leaf in leaves}
    if len(sizes) > 1:
        raise ValueError(f"elems must have first axes of one size, but they have {sorted(sizes)}")
    columns = [unstack(leaf) for leaf in leaves]
    return [nest.pack_sequence_as(elems, row) for row in zip(*columns, strict=True)]


def _stacked(rows: Rows) -> Any:
    """Put structures of tensors together along a new first axis."""
    columns = zip(*[nest.flatten(row) for row in rows], strict=True)
    return nest.pack_sequence_as(rows[0], [stack(list(column)) for column in columns])


def _refuse_empty(rows: Rows, name: str) -> None:
    if not rows:
        raise UnsupportedError(
            f"{name} of no elements: the shape of its result is not known; test for it beforehand"
        )


def _check_back_prop(back_prop: bool, name: str) -> None:
    if not back_prop:
        raise UnsupportedError(
            f"{name} with back_prop=False: leave it out, and take stop_gradient of the results"
        )


def map_fn(
    fn: Callable[..., Any],
    elems: Any,
    dtype: Any = None,
    parallel_iterations: int | None = None,
    back_prop: bool = True,
    swap_memory: bool = False,
    infer_shape: bool = True,
    name: str | None = None,
    fn_output_signature: Any = None,
) -> Any:
    """Call a function with each element along the first axis, and stack what it gives.

    `elems` is a tensor or a structure of them. The results have the dtypes of `elems` unless
    `fn_output_signature` says others; raises `InvalidArgumentError` if they do not, and
    `UnsupportedError` for no elements, and for `back_prop=False`.

    >>> map_fn(lambda row: row * 2, convert([[1, 2], [3, 4]])).numpy()
    array([[2, 4],
           [6, 8]], dtype=int32)
    """
    if not callable(fn):
        raise TypeError(f"The provided function {fn} is not callable. fn must be callable.")
    _check_back_prop(back_prop, "map_fn")
    signature = dtype if fn_output_signature is None else fn_output_signature
    rows = _rows(elems)
    _refuse_empty(rows, "map_fn")
    wanted = _dtypes(elems if signature is None else signature)
    (body,) = parts(fn)
    return _stacked([_of_dtypes(body(row), wanted) for row in rows])


def _dtypes(signature: Any) -> list[dtypes.DType]:
    """List the dtypes that a structure of tensors, dtypes or specs names."""
    leaves = nest.flatten(signature)
    return [
        leaf if isinstance(leaf, dtypes.DType) else dtypes.as_dtype(getattr(leaf, "dtype", leaf))
        for leaf in (_tensor_or_dtype(leaf) for leaf in leaves)
    ]


def _tensor_or_dtype(leaf: Any) -> Any:
    named = isinstance(leaf, (str, type, np.dtype, dtypes.DType)) or hasattr(leaf, "dtype")
    return leaf if named else convert(leaf)


def _of_dtypes(row: Any, wanted: Sequence[dtypes.DType]) -> Any:
    leaves = nest.flatten(row)
    if len(leaves) != len(wanted):
        raise ValueError(
            f"The function gave {len(leaves)} tensors, but fn_output_signature names {len(wanted)}"
        )
    made = []
    for leaf, dtype in zip(leaves, wanted, strict=True):
        x = convert(leaf, hint=dtype)
        if x.dtype is not dtype:
            raise InvalidArgumentError(
                message=f"TensorArray dtype is {dtype.name} but Op is trying to write dtype "
                f"{x.dtype.name} "
            )
        made.append(x)
    return nest.pack_sequence_as(row, made)


def vectorized_map(
    fn: Callable[..., Any], elems: Any, fallback_to_while_loop: bool = True, warn: bool = True
) -> Any:
    """Call a function with each element along the first axis, and stack what it gives.

    Raises `UnsupportedError` for no elements.

    >>> vectorized_map(lambda row: row * 2, convert([[1, 2], [3, 4]])).numpy()
    array([[2, 4],
           [6, 8]], dtype=int32)
    """
    rows = _rows(elems)
    _refuse_empty(rows, "vectorized_map")
    return _stacked([nest.map_structure(convert, fn(row)) for row in rows])


def scan(
    fn: Callable[..., Any],
    elems: Any,
    initializer: Any = None,
    parallel_iterations: int = 10,
    back_prop: bool = True,
    swap_memory: bool = False,
    infer_shape: bool = True,
    reverse: bool = False,
    name: str | None = None,
) -> Any:
    """Call a function with its last result and the next element, and stack all results.

    The first result is `initializer`, or the first element. `reverse` begins at the end. Raises
    `UnsupportedError` for no elements, and for `back_prop=False`.

    >>> scan(lambda total, x: total + x, convert([1, 2, 3])).numpy()
    array([1, 3, 6], dtype=int32)
    """
    _check_back_prop(back_prop, "scan")
    check_iterations(parallel_iterations)
    rows = _rows(elems)
    _refuse_empty(rows, "scan")
    found = _folded(fn, rows[::-1] if reverse else rows, initializer)
    return _stacked(found[::-1] if reverse else found)


def foldl(
    fn: Callable[..., Any],
    elems: Any,
    initializer: Any = None,
    parallel_iterations: int = 10,
    back_prop: bool = True,
    swap_memory: bool = False,
    name: str | None = None,
) -> Any:
    """Call a function with its last result and the next element, and give the last result.

    Raises `UnsupportedError` for no elements without `initializer`, and for `back_prop=False`.

    >>> foldl(lambda total, x: total + x, convert([1, 2, 3])).numpy()
    np.int32(6)
    """
    _check_back_prop(back_prop, "foldl")
    check_iterations(parallel_iterations)
    return _last(fn, _rows(elems), initializer, "foldl")


def foldr(
    fn: Callable[..., Any],
    elems: Any,
    initializer: Any = None,
    parallel_iterations: int = 10,
    back_prop: bool = True,
    swap_memory: bool = False,
    name: str | None = None,
) -> Any:
    """Call a function with its last result and the element before, from the end to the beginning.

    Raises `UnsupportedError` for no elements without `initializer`, and for `back_prop=False`.

    >>> foldr(lambda total, x: total - x, convert([1, 2, 5])).numpy()
    np.int32(2)
    """
    _check_back_prop(back_prop, "foldr")
    check_iterations(parallel_iterations)
    return _last(fn, _rows(elems)[::-1], initializer, "foldr")


def _last(fn: Callable[..., Any], rows: Rows, initializer: Any, name: str) -> Any:
    if initializer is None:
        _refuse_empty(rows, name)
    found = _folded(fn, rows, initializer)
    return found[-1] if found else initializer


def _folded(fn: Callable[..., Any], rows: Rows, initializer: Any) -> Rows:
    found = []
    last = initializer
    if last is None:
        last, rows = rows[0], rows[1:]
        found.append(last)
    else:
        last = nest.map_structure(convert, last)
    (body,) = parts(fn)
    for row in rows:
        last = nest.map_structure(convert, body(last, row))
        found.append(last)
    return found
