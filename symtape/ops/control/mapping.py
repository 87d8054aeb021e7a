"""Functions called element after element along the first axis: map_fn, scan, foldl, foldr."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from symtape import nest
from symtape.errors import UnsupportedError
from symtape.ops.composite import CompositeSpec, CompositeTensor, Record, reshaped
from symtape.ops.composite_elements import check_rows, count_of, home_of, row_of
from symtape.ops.control.flow import (
    check_iterations,
    derived,
    executing_eagerly,
    loop_variables,
)
from symtape.ops.control.tensor_array import TensorArray
from symtape.ops.random.seeds import SEEDS
from symtape.ops.random.traced.scopes import Scope, parts, traced
from symtape.ops.random.traced.vectorized import DrawnRows
from symtape.ops.runtime.devices import functions_run_eagerly
from symtape.ops.shapes.joining import stack, unstack
from symtape.ops.spec import TensorSpec, TypeSpec
from symtape.tensor.convert import convert
from symtape.tensor.dispatch import follow
from symtape.tensor.tensor import Tensor
from symtape.tensor.within import WITHIN

Rows = list[Any]
"""One structure of tensors for each element."""


def _rows(elems: Any, repeats: bool = False) -> Rows:
    """Take a structure of tensors apart along their first axis; `repeats` what has one row."""
    leaves = [e if isinstance(e, _WHOLE) else convert(e) for e in nest.flatten(elems)]
    if not leaves:
        raise ValueError(
            "elems must be a Tensor or (possibly nested) sequence of Tensors. Got "
            f"{elems}, which does not contain any Tensors."
        )
    if any([isinstance(leaf, Tensor) and leaf.ndim == 0 for leaf in leaves]):
        raise ValueError("Elements in elems must be 1+ dimensional Tensors, not scalars")
    columns = [_parts(leaf) for leaf in leaves]
    if repeats:
        size = max([len(column) for column in columns])
        columns = [[*column] * size if len(column) == 1 else column for column in columns]
    for column in columns:
        if len(column) != len(columns[0]):
            raise ValueError(f"Dimensions {len(columns[0])} and {len(column)} are not compatible")
    return [nest.pack_sequence_as(elems, row) for row in zip(*columns, strict=True)]


_WHOLE = (CompositeTensor, Record)
"""What has rows, and is no tensor."""


def _parts(leaf: Any) -> Sequence[Any]:
    if isinstance(leaf, Record):
        return _rows_of_record(leaf, leaf._type_spec)  # noqa: SLF001 - TensorFlow's name
    if not isinstance(leaf, CompositeTensor):
        return unstack(leaf)
    check_rows(leaf)
    return [row_of(leaf, place) for place in range(count_of(leaf))]


def _rows_of_record(record: Record, spec: Any) -> Rows:
    if not hasattr(spec, "_unbatch"):
        raise TypeError(f"map_fn can not consume {spec} inputs: got {record!r}")
    return [spec.made_of(row) for row in _rows(list(spec._to_components(record)))]  # noqa: SLF001 - TensorFlow's name


def _rows_of_tensors(elems: Any) -> Rows:
    """Take a structure of what counts as tensors apart along their first axis."""
    return _rows(nest.map_structure(convert, elems))


def _stacked(rows: Rows) -> Any:
    """Put structures of tensors together along a new first axis."""
    columns = zip(*[nest.flatten(row, expand_composites=True) for row in rows], strict=True)
    made = [stack(list(column)) for column in columns]
    return nest.pack_sequence_as(rows[0], made, expand_composites=True)


def _refuse_empty(rows: Rows, name: str) -> None:
    if not rows:
        raise UnsupportedError(
            f"{name} of no elements: the shape of its result is not known; test for it beforehand"
        )


# --- what results are put into --------------------------------------------------------------------


class _Composites:
    """Results of a spec that is no tensor's, written and put together as in a `TensorArray`."""

    def __init__(self, spec: TypeSpec) -> None:
        self._spec = spec
        self._found: list[Any] = []

    def write(self, _index: int, value: Any) -> None:
        """Keep a result; raises `ValueError` where it is not of the spec."""
        found = value if hasattr(value, "_type_spec") else convert(value)
        if not self._spec.is_compatible_with(found):
            own = getattr(found, "_type_spec", None) or TensorSpec.from_tensor(found)
            raise ValueError(
                f"Error in map_fn:\n  Expected `fn` to return a:\n    {self._spec}\n  But it "
                f"returned a:\n    {own}\n    (value={found!s})\n  To fix, update the "
                "`fn_output_signature` (or `dtype`) argument to `map_fn`."
            )
        self._found.append(found)

    def stack(self) -> Any:
        """Put all results together along a new first axis."""
        _refuse_empty(self._found, "map_fn")
        if isinstance(self._spec, CompositeSpec):
            return home_of(self._spec).stacked(self._spec, self._found)
        return _stacked(self._found)


Column = TensorArray | _Composites
"""What the results at one place of a structure are put into."""


def _column(spec: TypeSpec, size: int, infer_shape: bool) -> Column:
    if not isinstance(spec, TensorSpec):
        return _Composites(spec)
    return TensorArray(spec.dtype, size, infer_shape=infer_shape, element_shape=spec.shape)


def _write(columns: Sequence[Column], place: int, found: Any) -> None:
    """Put a structure of results into their columns."""
    for column, value in zip(columns, nest.flatten(found), strict=False):
        column.write(place, value)


# --- the functions --------------------------------------------------------------------------------


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
    structure and dtypes of `elems` unless `fn_output_signature` says others, or specs; what is
    ragged or sparse, or has such a spec, becomes that. Raises `InvalidArgumentError` for other
    dtypes, `ValueError` for tensors of unlike shapes and for another structure (`TypeError` for a
    tuple where a list is), and, in a `tf.function`, `UnsupportedError` for no elements unless
    specs say the shapes. With `back_prop=False` no gradient flows back in a `tf.function`, as in
    TensorFlow.

    >>> map_fn(lambda row: row * 2, convert([[1, 2], [3, 4]])).numpy()
    array([[2, 4],
           [6, 8]], dtype=int32)
    """
    if not callable(fn):
        raise TypeError(f"The provided function {fn} is not callable. fn must be callable.")
    if parallel_iterations:
        check_iterations(parallel_iterations)
    signature = dtype if fn_output_signature is None else fn_output_signature
    specs = _specs(elems, signature)
    rows = _rows(elems)
    if not rows and not executing_eagerly():
        _refuse_unknown(specs)
    columns = [_column(spec, len(rows), infer_shape) for spec in specs]
    (body,) = parts(fn)
    for place, row in enumerate(rows):
        found = body(row)
        nest.assert_same_structure(signature or elems, found)
        _write(columns, place, found)
    made = [column.stack() for column in columns]
    whole = nest.pack_sequence_as(elems if signature is None else signature, made)
    return derived(whole, back_prop=back_prop)


def _specs(elems: Any, signature: Any) -> list[TypeSpec]:
    """List the specs of results: as said, or as those of the elements, of whatever shape."""
    if signature is None:
        return [_element_spec(leaf) for leaf in nest.flatten(elems)]
    return [s if isinstance(s, TypeSpec) else TensorSpec(None, s) for s in nest.flatten(signature)]


def _element_spec(leaf: Any) -> TypeSpec:
    if isinstance(leaf, Record):
        found: TypeSpec = leaf._type_spec._unbatch()  # noqa: SLF001 - TensorFlow's name
        return found
    if not isinstance(leaf, CompositeTensor):
        return TensorSpec(None, convert(leaf).dtype)
    spec: CompositeSpec = home_of(leaf.type_spec).unbatched(leaf.type_spec)
    return reshaped(spec, None)


def _refuse_unknown(specs: Sequence[TypeSpec]) -> None:
    """Refuse no elements in a function unless shapes are said: TensorFlow reads them of `fn`."""
    if not all(isinstance(s, TensorSpec) and s.shape.is_fully_defined() for s in specs):
        _refuse_empty([], "map_fn")


def vectorized_map(
    fn: Callable[..., Any], elems: Any, fallback_to_while_loop: bool = True, warn: bool = True
) -> Any:
    """Call a function with each element along the first axis, and stack what it gives.

    What has one element stands for as many as others have. Random numbers are drawn for all
    elements at once. Raises `UnsupportedError` for no elements, and, with a seed, for random
    operations other than `normal`, `truncated_normal` and `uniform`.

    >>> vectorized_map(lambda row: row * 2, convert([[1, 2], [3, 4]])).numpy()
    array([[2, 4],
           [6, 8]], dtype=int32)
    """
    rows = _rows(elems, repeats=True)
    _refuse_empty(rows, "vectorized_map")
    if functions_run_eagerly():
        return _side_by_side(elems, [loop_variables(fn(row)) for row in rows])
    drawn = DrawnRows(len(rows))
    own = Scope(SEEDS.seed)
    with traced(WITHIN.find or (lambda: own)), drawn.entered():
        return _side_by_side(elems, [loop_variables(fn(rows[k])) for k in drawn.each()])


def _side_by_side(elems: Any, rows: Any) -> Any:
    """Stack what TensorFlow computes for all elements at once."""
    given = [x for x in nest.flatten(elems) if isinstance(x, Tensor)]
    made = _stacked(rows)
    for one in nest.flatten(made):
        if isinstance(one, Tensor):
            follow("vectorized_map", given, one)
    return made


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
    `UnsupportedError` for no elements without `initializer`. `back_prop` is as in `map_fn`.

    >>> scan(lambda total, x: total + x, convert([1, 2, 3])).numpy()
    array([1, 3, 6], dtype=int32)
    """
    check_iterations(parallel_iterations)
    rows = _rows_of_tensors(elems)
    places = [*range(len(rows))][:: -1 if reverse else 1]
    if initializer is None:
        _refuse_empty(rows, "scan")
        like, first = elems, rows[places[0]]
    else:
        like, first = initializer, nest.map_structure(convert, initializer)
    columns = [_column_like(x, len(rows), infer_shape) for x in nest.flatten(first)]
    if initializer is None:
        _write(columns, places.pop(0), first)
    _scan_into(columns, fn, first, {place: rows[place] for place in places}, like)
    whole = nest.pack_sequence_as(like, [column.stack() for column in columns])
    return derived(whole, back_prop=back_prop)


def _scan_into(
    columns: Sequence[Column], fn: Callable[..., Any], first: Any, rows: dict[int, Any], like: Any
) -> None:
    """Call a function with its last result and each row, and keep what it gives at its place."""
    (body,) = parts(fn)
    last = first
    for place, row in rows.items():
        last = body(last, row)
        nest.assert_same_structure(like, last)
        _write(columns, place, last)


def _column_like(first: Tensor, size: int, infer_shape: bool) -> Column:
    return _column(TensorSpec(first.shape if infer_shape else None, first.dtype), size, infer_shape)


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
    rows = _rows_of_tensors(elems)
    return derived(_last(fn, rows, initializer, "foldl"), back_prop=back_prop)


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
    rows = _rows_of_tensors(elems)[::-1]
    return derived(_last(fn, rows, initializer, "foldr"), back_prop=back_prop)


def _last(fn: Callable[..., Any], rows: Rows, initializer: Any, name: str) -> Any:
    """Call a function with its last result and each row.

    Outside of functions it is given what it gave, which may be a number of Python's.
    """
    last = initializer
    if last is None:
        _refuse_empty(rows, name)
        last, *rows = rows
    kept = _as_is if executing_eagerly() else loop_variables
    last = kept(last)
    (body,) = parts(fn)
    for row in rows:
        found = kept(body(last, row))
        nest.assert_same_structure(last, found)
        last = found
    return loop_variables(last)


def _as_is(values: Any) -> Any:
    return values
