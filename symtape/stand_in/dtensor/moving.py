"""Tensors get layouts, give them, and are taken apart into what each device has."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from symtape.errors import (
    InternalError,
    InvalidArgumentError,
    UnimplementedError,
    UnsupportedError,
)
from symtape.ops.control.flow import executing_eagerly
from symtape.ops.elementwise.conversion import identity
from symtape.stand_in.dtensor.layouts import MATCH, UNSHARDED, Layout
from symtape.stand_in.dtensor.placed import (
    DEVICE,
    Unknown,
    check_fit,
    known,
    parts,
    place,
    placement,
)
from symtape.stand_in.dtensor.registering import registered
from symtape.tensor.convert import convert
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import look_at
from symtape.tensor.variables.variable import Variable


def relayout(tensor: Any, layout: Layout, name: str | None = None) -> Tensor:
    """Give a tensor with another layout; its gradient is that of the identity.

    An axis whose word is `match` stays as it is. Raises `UnknownError` for a layout of another rank
    or whose parts would be of several sizes.
    """
    text = layout.to_string()
    mesh = registered(layout.mesh)
    made = identity(convert(tensor))
    if MATCH in layout.sharding_specs:
        layout = _matched(layout, placement(made))
    check_fit(layout, made.raw.shape)
    return place(made, layout if mesh is layout.mesh else Layout.from_string(text))


def _matched(layout: Layout, before: Any) -> Layout:
    if isinstance(before, Unknown):
        before.refuse()
    kept = [UNSHARDED] * layout.rank if before is None else before.sharding_specs
    pairs = zip(layout.sharding_specs, kept, strict=True)
    return Layout([own if spec == MATCH else spec for spec, own in pairs], layout.mesh)


def copy_to_mesh(tensor: Any, layout: Layout, source_layout: Layout | None = None) -> Tensor:
    """Give a tensor with a layout; `source_layout` is not looked at."""
    return relayout(tensor, layout)


def relayout_like(tensor: Any, layout_tensor: Any, name: str | None = None) -> Tensor:
    """Give a tensor with the layout of another one, which says how it is cut along each axis."""
    other = known(convert(layout_tensor))
    if other is None:
        own = known(convert(tensor))
        if own is None:
            raise InvalidArgumentError(message="relayout_like: no tensor of the two has a layout")
        other = Layout.replicated(own.mesh, np.ndim(look_at(convert(layout_tensor))))
    return relayout(tensor, other)


def fetch_layout(tensor: Any) -> Layout | None:
    """Give the layout of a tensor or variable, and None for what is none.

    Raises `InvalidArgumentError` where a tensor has none, `RuntimeError` in a `tf.function`, and
    `UnsupportedError` where it is not known which one TensorFlow would give it.
    """
    _check_eager("fetch_layout")
    if not isinstance(tensor, (Tensor, Variable)):
        return None
    found = known(tensor.read())
    if found is None:
        raise InvalidArgumentError(
            message="FetchLayout expects a tensor placed on the layout device."
        )
    return found


def is_dtensor(tensor: Any) -> bool:
    """Say whether a tensor or variable has a layout; raises `RuntimeError` in a `tf.function`."""
    _check_eager("is_dtensor")
    if not isinstance(tensor, (Tensor, Variable)):
        return False
    return placement(tensor.read()) is not None


def check_layout(tensor: Any, layout: Layout) -> None:
    """Raise `ValueError` unless a tensor has a layout."""
    found = fetch_layout(tensor)
    if found != layout:
        raise ValueError(f"Layout of tensor: {found}, did not match expected layout: {layout}")


def _check_eager(name: str) -> None:
    if not executing_eagerly():
        raise RuntimeError(f"`{name}` must be called eagerly.")


# --- parts ----------------------------------------------------------------------------------------


class Component(Tensor):
    """What a device has of a tensor."""

    __slots__ = ("_device",)

    def __init__(self, value: Any, device: str) -> None:
        super().__init__(value)
        self._device = device

    @property
    def device(self) -> str:
        """The name of the device that has it."""
        return self._device

    backing_device = device


def unpack(tensor: Any) -> list[Tensor]:
    """List what each device has of a tensor.

    Raises `InvalidArgumentError` for a tensor without a layout, `TypeError` for what is no tensor.
    """
    _check_eager("unpack")
    if not isinstance(tensor, Tensor):
        raise TypeError(f"Expecting a Tensor, got {type(tensor)}")
    layout = known(tensor)
    if layout is None:
        raise InvalidArgumentError(
            message=f"DTensorUnpack expects a tensor placed on the DTensor device: {DEVICE}, but "
            f"input was placed on device: {tensor.device}"
        )
    values = parts(look_at(tensor), layout)
    devices = layout.mesh.local_devices()
    return [Component(v, d) for v, d in zip(values, devices, strict=True)]


def pack(tensors: Sequence[Any], layout: Layout) -> Tensor:
    """Make a tensor of what each device has of it.

    Raises `InvalidArgumentError` unless there is one part for each device, of the rank of the
    layout, and `UnsupportedError` where devices have different values of one part: there is one
    value here.
    """
    _check_eager("pack")
    registered(layout.mesh)
    given = [convert(t) for t in tensors]
    values = [np.asarray(look_at(t)) for t in given]
    _check_parts(given, values, layout)
    whole = np.empty(layout.global_shape_from_local_shape(values[0].shape), values[0].dtype)
    sizes = values[0].shape
    met: dict[tuple[int, ...], Any] = {}
    for place_of, value in zip(layout.offset_to_shard(), values, strict=True):
        if not _is_same(met.setdefault(place_of, value), value):
            raise UnsupportedError(
                "dtensor.pack: devices have different values of the same part, and here a tensor "
                "has one value; give all devices that share a part the same"
            )
        spans = [slice(p * n, (p + 1) * n) for p, n in zip(place_of, sizes, strict=True)]
        whole[tuple(spans)] = value
    return place(Tensor(whole if whole.ndim else whole[()]), layout)


def _is_same(a: Any, b: Any) -> bool:
    kinds = a.dtype.kind in "fcV"
    return a is b or bool(np.array_equal(a, b, equal_nan=kinds))


def _check_parts(given: Sequence[Tensor], values: Sequence[Any], layout: Layout) -> None:
    count = layout.mesh.num_local_devices()
    if any(placement(t) is not None for t in given):
        raise InvalidArgumentError(
            message="Does not support packing a Tensor that is already on dtensor device"
        )
    if len(values) != count:
        raise InvalidArgumentError(
            message=f"The dtensor device {DEVICE} expected {count} inputs to DTensorPack, but got "
            f"{len(values)}"
        )
    if len({v.shape for v in values}) > 1:
        raise UnimplementedError(
            message="Components of a PackedTensor must currently all have the same shape"
        )
    if len({v.dtype for v in values}) > 1:
        raise InternalError(message="Components of a PackedTensor must all have the same dtype")
    if values[0].ndim != layout.rank:
        raise InvalidArgumentError(
            message="Packed layout should have the same rank as the rank for each component. The "
            f"rank of each component is: {values[0].ndim}, while layout has rank: {layout.rank}\n"
            f"Layout: {layout.to_string()}\n"
        )
