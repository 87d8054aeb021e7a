"""Functions called element after element along the first axis: map_fn, scan, foldl, foldr."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from symtape import nest
from symtape.errors import InvalidArgumentError, UnsupportedError
from symtape.ops.composite import CompositeSpec, CompositeTensor, reshaped
from symtape.ops.composite_elements import check_rows, count_of, home_of, row_of
from symtape.ops.control.flow import check_iterations, derived
from symtape.ops.random.scopes import WITHIN, Scope, parts, traced
from symtape.ops.random.seeds import SEEDS
from symtape.ops.random.vectorized import DrawnRows
from symtape.ops.runtime.devices import functions_run_eagerly
from symtape.ops.shapes.joining import stack, unstack
from symtape.ops.spec import TensorSpec
from symtape.tensor import dtypes
from symtape.tensor.convert import convert
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import shape_of

Rows = list[Any]
"""One structure of tensors for each element."""


def _rows(elems: Any) -> Rows:
    """Take a structure of tensors apart along their first axis."""
    leaves = [e if isinstance(e, CompositeTensor) else convert(e) for e in nest.flatten(elems)]
    if any([isinstance(leaf, Tensor) and leaf.ndim == 0 for leaf in leaves]):
        raise ValueError("Elements in elems must be 1+ dimensional Tensors, not scalars")
    columns = [_column(leaf) for leaf in leaves]
    sizes = {len(column) for column in columns}
    if len(sizes) > 1:
        raise ValueError(f"elems must have first axes of one size, but they have {sorted(sizes)}")
    return [nest.pack_sequence_as(elems, row) for row in zip(*columns, strict=True)]


def _column(leaf: Any) -> Sequence[Any]:
    if not isinstance(leaf, CompositeTensor):
        return unstack(leaf)
    check_rows(leaf)
    return [row_of(leaf, place) for place in range(count_of(leaf))]


def _stacked(rows: Rows) -> Any:
    """Put structures of tensors together along a new first axis."""
    columns = zip(*[nest.flatten(row) for row in rows], strict=True)
    return nest.pack_sequence_as(rows[0], [stack(list(column)) for column in columns])


def _refuse_empty(rows: Rows, name: str) -> None:
    if not rows:
        raise UnsupportedError(
            f"{name} of no elements: the shape of its result is not known; test for it beforehand"
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

    `elems` is a tensor or a structure of them, which may be ragged or sparse. The results have the
    dtypes of `elems` unless `fn_output_signature` says others, or specs; what is ragged or sparse,
    or has such a spec, becomes that. Raises `InvalidArgumentError` for other dtypes, `ValueError`
    for tensors of unlike shapes, and `UnsupportedError` for no elements. With `back_prop=False` no
    gradient flows back in a `tf.function`, as in TensorFlow.

    >>> map_fn(lambda row: row * 2, convert([[1, 2], [3, 4]])).numpy()
    array([[2, 4],
           [6, 8]], dtype=int32)
    """
    if not callable(fn):
        raise TypeError(f"The provided function {fn} is not callable. fn must be callable.")
    signature = dtype if fn_output_signature is None else fn_output_signature
    rows = _rows(elems)
    _refuse_empty(rows, "map_fn")
    wanted = _kinds(elems if signature is None else signature)
    (body,) = parts(fn)
    found = [body(row) for row in rows]
    columns = zip(*[_leaves(row, wanted) for row in found], strict=True)
    made = [_joined(kind, column) for kind, column in zip(wanted, columns, strict=True)]
    return derived(nest.pack_sequence_as(found[0], made), back_prop=back_prop)


Kind = dtypes.DType | CompositeSpec
"""What a result is to be."""


def _kinds(signature: Any) -> list[Kind]:
    """List the dtypes, or specs of elements, that a structure of tensors, dtypes or specs names."""
    return [_kind(_tensor_or_dtype(leaf)) for leaf in nest.flatten(signature)]


def _kind(leaf: Any) -> Kind:
    if isinstance(leaf, (dtypes.DType, CompositeSpec)):
        return leaf
    if isinstance(leaf, CompositeTensor):
        spec: CompositeSpec = home_of(leaf.type_spec).unbatched(leaf.type_spec)
        return reshaped(spec, None)
    return dtypes.as_dtype(getattr(leaf, "dtype", leaf))


def _tensor_or_dtype(leaf: Any) -> Any:
    named = isinstance(leaf, (str, type, np.dtype, dtypes.DType)) or hasattr(leaf, "dtype")
    return leaf if named else convert(leaf)


def _leaves(row: Any, wanted: Sequence[Kind]) -> list[Any]:
    leaves = nest.flatten(row)
    if len(leaves) != len(wanted):
        raise ValueError(
            f"The function gave {len(leaves)} tensors, but fn_output_signature names {len(wanted)}"
        )
    return leaves


def _joined(kind: Kind, results: Sequence[Any]) -> Any:
    """Put results together along a new first axis; raises where one is not of their kind."""
    if isinstance(kind, CompositeSpec):
        return home_of(kind).stacked(kind, [_of_spec(x, kind) for x in results])
    tensors = [_of_dtype(x, kind) for x in results]
    for x in tensors:
        if shape_of(x) != shape_of(tensors[0]):
            raise ValueError(
                f"Incompatible shape for value ({shape_of(x)}), expected ({shape_of(tensors[0])})"
            )
    return stack(tensors)


def _of_dtype(result: Any, dtype: dtypes.DType) -> Tensor:
    x = convert(result, hint=dtype)
    if x.dtype is not dtype:
        raise InvalidArgumentError(
            message=f"TensorArray dtype is {dtype.name} but Op is trying to write dtype "
            f"{x.dtype.name} "
        )
    return x


def _of_spec(result: Any, spec: CompositeSpec) -> Any:
    found = result if isinstance(result, CompositeTensor) else convert(result)
    if spec.is_compatible_with(found):
        return found
    own: Any = getattr(found, "type_spec", None) or TensorSpec.from_tensor(found)
    raise ValueError(
        f"Error in map_fn:\n  Expected `fn` to return a:\n    {spec}\n  But it returned a:\n    "
        f"{own}\n    (value={found!s})\n  To fix, update the `fn_output_signature` (or `dtype`) "
        "argument to `map_fn`."
    )


def vectorized_map(
    fn: Callable[..., Any], elems: Any, fallback_to_while_loop: bool = True, warn: bool = True
) -> Any:
    """Call a function with each element along the first axis, and stack what it gives.

    Random numbers are drawn for all elements at once. Raises `UnsupportedError` for no elements,
    and, with a seed, for random operations other than `normal`, `truncated_normal` and `uniform`.

    >>> vectorized_map(lambda row: row * 2, convert([[1, 2], [3, 4]])).numpy()
    array([[2, 4],
           [6, 8]], dtype=int32)
    """
    rows = _rows(elems)
    _refuse_empty(rows, "vectorized_map")
    if functions_run_eagerly():
        return _stacked([nest.map_structure(convert, fn(row)) for row in rows])
    drawn = DrawnRows(len(rows))
    own = Scope(SEEDS.seed)
    with traced(WITHIN.find or (lambda: own)), drawn.entered():
        return _stacked([nest.map_structure(convert, fn(rows[k])) for k in drawn.each()])


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
    `UnsupportedError` for no elements. `back_prop` is as in `map_fn`.

    >>> scan(lambda total, x: total + x, convert([1, 2, 3])).numpy()
    array([1, 3, 6], dtype=int32)
    """
    check_iterations(parallel_iterations)
    rows = _rows(elems)
    _refuse_empty(rows, "scan")
    found = _folded(fn, rows[::-1] if reverse else rows, initializer)
    return derived(_stacked(found[::-1] if reverse else found), back_prop=back_prop)


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

    Raises `UnsupportedError` for no elements without `initializer`. `back_prop` is as in `map_fn`.

    >>> foldl(lambda total, x: total + x, convert([1, 2, 3])).numpy()
    np.int32(6)
    """
    check_iterations(parallel_iterations)
    return derived(_last(fn, _rows(elems), initializer, "foldl"), back_prop=back_prop)


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

    Raises `UnsupportedError` for no elements without `initializer`. `back_prop` is as in `map_fn`.

    >>> foldr(lambda total, x: total - x, convert([1, 2, 5])).numpy()
    np.int32(2)
    """
    check_iterations(parallel_iterations)
    return derived(_last(fn, _rows(elems)[::-1], initializer, "foldr"), back_prop=back_prop)


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
