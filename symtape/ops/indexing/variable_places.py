"""What a variable does at places of its own: `scatter_…`, `gather_nd`, `sparse_read`.

These are methods of `tf.Variable`, which lies below the operations that they are made of.
Assignments are not recorded; what is read has a gradient.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from symtape.errors import InvalidArgumentError, OutOfRangeError
from symtape.ops.arguments import PLACES, POLICIES, allowed, check, element, listed, tensor
from symtape.ops.indexing.gathering import gather
from symtape.ops.indexing.gathering import gather_nd as _gather_nd
from symtape.tensor.dispatch import invalid
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import shape_of, value_of
from symtape.tensor.variables.variable import Variable

Put = Callable[[Any, Any, Any], None]
_NUMBERS = "iufV"


def _replace(array: Any, places: Any, values: Any) -> None:
    array[places] = values


def _divide(array: Any, places: Any, values: Any) -> None:
    """Divide; whole numbers are cut towards zero, and are not divided by zero."""
    if array.dtype.kind not in "iu":
        np.divide.at(array, places, values)
        return
    if not np.all(values):
        raise invalid("ResourceScatterDiv", "updates must not contain 0")
    wanted = np.broadcast_to(values, array[places].shape)
    for k in np.ndindex(np.shape(places[0])):
        at = tuple(axis[k] for axis in places)
        array[at] = np.trunc(np.true_divide(array[at], wanted[k]))


_PUTS: dict[str, tuple[str, Put, str]] = {
    "add": ("Add", np.add.at, _NUMBERS + "c"),
    "sub": ("Sub", np.subtract.at, _NUMBERS + "c"),
    "update": ("Update", _replace, _NUMBERS + "cbO"),
    "min": ("Min", np.minimum.at, _NUMBERS),
    "max": ("Max", np.maximum.at, _NUMBERS),
    "mul": ("Mul", np.multiply.at, _NUMBERS + "c"),
    "div": ("Div", _divide, _NUMBERS + "c"),
}
"""What is put at places: TensorFlow's word, how NumPy does it, and for which kinds of numbers."""


def _slices(value: Any) -> Any:
    if hasattr(value, "indices") and hasattr(value, "values"):
        return value
    told = value.numpy() if isinstance(value, Tensor) else value
    raise TypeError(f"Argument `sparse_delta` must be a `tf.IndexedSlices`. Received arg: {told}")


def _checked(op: str, variable: Variable, kinds: str) -> Any:
    """Copy the array that is changed; raises `InvalidArgumentError` for a dtype of other kinds."""
    array = np.array(value_of(variable.handle.tensor))
    if array.dtype.kind not in kinds:
        dtype = f"DT_{variable.dtype.enum_name.upper()}"
        raise InvalidArgumentError(
            message=f"No OpKernel was registered to support Op '{op}' used by {{{{node {op}}}}} "
            f"with these attrs: [dtype={dtype}, Tindices=DT_INT32] [Op:{op}] name: "
        )
    return array


def _rows(how: str) -> Callable[..., Any]:
    word, put, kinds = _PUTS[how]
    op = f"ResourceScatter{word}"

    def scatter(
        self: Variable, sparse_delta: Any, use_locking: bool = False, name: str | None = None
    ) -> Any:
        given = _slices(sparse_delta)
        array = _checked(op, self, kinds)
        found = tensor(given.indices)
        check(op, found, PLACES, "", "Tindices")
        values = self.converted(given.values)
        wide = (*shape_of(found), *array.shape[1:])
        if not array.ndim or (values.ndim and values.shape != wide):
            raise invalid(
                op,
                "Must have updates.shape = indices.shape + params.shape[1:] or updates.shape = [], "
                f"got updates.shape {listed(values.shape)}, indices.shape "
                f"{listed(shape_of(found))}, params.shape {listed(array.shape)}",
            )
        places = _inside(op, value_of(found), len(array))
        put(array, (places,), values if values.ndim or values.dtype.kind != "O" else values[()])
        return self.put(array)

    return _named(scatter, f"scatter_{how}", f"rows, `tf.IndexedSlices`, at their places: {word}")


def _inside(op: str, places: Any, n: int) -> Any:
    bad = np.argwhere((places < 0) | (places >= n))
    if len(bad):
        at = tuple(bad[0]) if places.ndim else (0,)
        wrong = places[at] if places.ndim else places
        raise invalid(op, f"{element('indices', at)} = {wrong} is not in [0, {n})")
    return places


def put_elements(
    how: str, variable: Variable, indices: Any, updates: Any, bad_indices_policy: str = ""
) -> Any:
    """Put elements at places; "IGNORE" leaves out what is for places outside.

    Raises `InvalidArgumentError` for places, shapes and dtypes that do not fit, and for a policy
    that is not known.
    """
    word, put, kinds = _PUTS[how]
    op = f"ResourceScatterNd{word}"
    if bad_indices_policy not in POLICIES:
        raise invalid(op, f"Unknown bad indices handling attribute: {bad_indices_policy}")
    array = _checked(op, variable, kinds)
    found = tensor(indices)
    check(op, found, PLACES, "", "Tindices")
    places, values = value_of(found), variable.converted(updates)
    _check_elements(op, places, values, array.shape)
    outside = _outside(places, array.shape)
    if bad_indices_policy == "IGNORE":
        places, values = places[~outside], values[~outside]
    else:
        _check_inside(op, places, outside, array.shape)
    put(array, tuple(np.moveaxis(places, -1, 0)), values)
    return variable.put(array)


def _elements(how: str) -> Callable[..., Any]:
    def scatter_nd(self: Variable, indices: Any, updates: Any, name: str | None = None) -> Any:
        return put_elements(how, self, indices, updates)

    return _named(scatter_nd, f"scatter_nd_{how}", f"elements at places: {_PUTS[how][0]}")


def _check_elements(op: str, places: Any, values: Any, shape: tuple[int, ...]) -> None:
    if not places.ndim:
        raise invalid(op, "Indices shape must have rank at least one. Found:[]")
    outer, depth = places.shape[:-1], places.shape[-1]
    if not shape:
        raise invalid(op, "Output must be at least 1-D, got shape: []")
    for n, m in zip(outer, (*values.shape, *[0] * len(outer)), strict=False):
        if n != m:
            raise invalid(
                op,
                f"Dimensions [0,{len(outer)}) of indices[shape={listed(places.shape)}] = {n} must "
                f"match dimensions [0,{len(outer)}) of updates[shape={listed(values.shape)}] = {m}",
            )
    if depth > len(shape) or values.shape[len(outer) :] != shape[depth:]:
        raise invalid(
            op,
            f"Dimensions [{depth},{len(shape)}) of input[shape={listed(shape)}] must match "
            f"dimensions [{len(outer)},{values.ndim}) of updates[shape={listed(values.shape)}]",
        )


def _outside(places: Any, shape: tuple[int, ...]) -> Any:
    """Say of each place whether it is none of an array."""
    return ((places < 0) | (places >= np.array(shape[: places.shape[-1]]))).any(axis=-1)


def _check_inside(op: str, places: Any, outside: Any, shape: tuple[int, ...]) -> None:
    bad = np.argwhere(outside)
    if len(bad):
        at = tuple(bad[0])
        raise invalid(
            op,
            f"{element('indices', at)} = {places[at].tolist()} does not index into shape "
            f"{listed(shape)}",
        )


def batch_scatter_update(
    self: Variable, sparse_delta: Any, use_locking: bool = False, name: str | None = None
) -> Any:
    """Take rows at places along the last axis of `indices`, those before being a batch."""
    given = _slices(sparse_delta)
    op = "ResourceScatterNdUpdate"
    array = _checked(op, self, _PUTS["update"][2])
    found = tensor(given.indices)
    check(op, found, PLACES, "", "Tindices")
    places = value_of(found)
    batch = np.indices(places.shape)[:-1]
    at = np.stack([*batch, places], axis=-1)
    values = self.converted(given.values)
    _check_elements(op, at, values, array.shape)
    _check_inside(op, at, _outside(at, array.shape), array.shape)
    array[tuple(np.moveaxis(at, -1, 0))] = values
    return self.put(array)


def gather_nd(self: Variable, indices: Any, name: str | None = None) -> Tensor:
    """The elements or slices at the places that the last axis of `indices` names.

    Raises `InvalidArgumentError` for places out of range.
    """
    found = tensor(indices)
    check("ResourceGatherNd", found, PLACES, "", "Tindices")
    try:
        return _gather_nd(self, found)
    except InvalidArgumentError as error:
        text = error.message.replace("GatherNd", "ResourceGatherNd")
        raise InvalidArgumentError(message=text) from None


def sparse_read(self: Variable, indices: Any, name: str | None = None) -> Tensor:
    """The rows at `indices`; raises `InvalidArgumentError` for places out of range."""
    found = tensor(indices)
    check("ResourceGather", found, PLACES, "", "Tindices")
    return gather(self, found)


_COUNTED = allowed("int32, int64")


def count_up_to(self: Variable, limit: int) -> Tensor:
    """Add one, and give the value before; raises `OutOfRangeError` at the limit."""
    op = "ResourceCountUpTo"
    check(op, self.read(), _COUNTED)
    before = value_of(self.handle.tensor)
    if before >= limit:
        raise OutOfRangeError.of(op, f"Reached limit of {limit}")
    self.put(before + before.dtype.type(1))
    return Tensor(before)


def _named(function: Callable[..., Any], name: str, what: str) -> Callable[..., Any]:
    function.__name__ = function.__qualname__ = name
    function.__doc__ = (
        f"Put {what}.\n\n    Raises `InvalidArgumentError` for places that are not there, and for "
        "shapes and dtypes that do not fit."
    )
    return function


_METHODS: list[Callable[..., Any]] = [
    *map(_rows, _PUTS),
    *(_elements(how) for how in ("add", "sub", "update", "min", "max")),
    *(batch_scatter_update, gather_nd, sparse_read, count_up_to),
]
for _method in _METHODS:
    setattr(Variable, _method.__name__, _method)  # the class lies below what it needs
