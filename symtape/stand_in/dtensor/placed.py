"""A tensor with a layout: what it prints, which parts it has, and what it keeps back.

It is computed as every other tensor is, whole and once. The layout is only told.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

import numpy as np

from symtape.errors import UnimplementedError, UnknownError, UnsupportedError
from symtape.ops.runtime.device_specs import DeviceSpec
from symtape.ops.runtime.printing import array_text
from symtape.program.operations import identity
from symtape.stand_in.dtensor.layouts import Layout
from symtape.stand_in.dtensor.meshes import Mesh
from symtape.stand_in.dtensor.rules import Specs, UncertainError, joined, sliced
from symtape.tensor.dispatch import apply1, listed
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import look_at
from symtape.tensor.variables.versions import Version

DEVICE = "/job:localhost/replica:0/task:0/device:CUSTOM:0"
"""The name that TensorFlow has for all meshes together."""
_EDGE = 3


class Unknown(NamedTuple):
    """What stands in the place of a layout that nobody here knows: a mesh, and a reason."""

    mesh: Mesh
    reason: str

    def refuse(self) -> NoReturn:
        """Raise `UnsupportedError` with the reason, and with a way out."""
        raise UnsupportedError(
            f"the layout that TensorFlow gives this tensor is not known here: {self.reason}; "
            "call dtensor.relayout to say which layout it has"
        )


Placement = Layout | Unknown


def placement(tensor: Any) -> Placement | None:
    """Give the layout of a tensor or of the value of a variable, or None where it has none."""
    if isinstance(tensor, _Shown):
        found: Placement = tensor.__dict__["placement"]
        return found
    if type(tensor) is Version:
        handle = tensor.handle()
        variable = None if handle is None else handle.variable()
        return getattr(variable, "layout", None)
    return None


def known(tensor: Any) -> Layout | None:
    """Give the layout of a tensor, or None where it has none; raises where it is not known."""
    found = placement(tensor)
    if isinstance(found, Unknown):
        found.refuse()
    return found


if TYPE_CHECKING:
    _Base = Tensor
else:
    _Base = object


class _Shown(_Base):
    """What a tensor with a layout prints, and what it keeps back."""

    __slots__ = ()

    @property
    def device(self) -> str:
        """The name of all meshes together."""
        return DEVICE

    backing_device = device

    def numpy(self) -> Any:
        """Give a copy of the value; raises `UnimplementedError` for one that is in parts."""
        _whole(self)
        return super().numpy()

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        _whole(self)
        return super().__array__(dtype, copy)

    def __getitem__(self, key: Any) -> Tensor:
        """Index, and lay out as TensorFlow does, whom axes that the key does not name mislead."""
        return indexed(super().__getitem__(key), self, key)

    def __iter__(self) -> Iterator[Tensor]:
        return iter([self[k] for k in range(len(self))])

    def __str__(self) -> str:
        return f"tf.Tensor({self._text}, shape={self.shape}, dtype={self.dtype.name})"

    def __repr__(self) -> str:
        return f"<tf.Tensor: shape={self.shape}, dtype={self.dtype.name}, value={self._text}>"

    def __format__(self, spec: str) -> str:
        return format(self._text, spec)

    @property
    def _text(self) -> str:
        return text(self, self.__dict__["placement"])


class Placed(_Shown, Tensor):
    """A tensor that has a layout, or that is known to have one."""

    __slots__ = ()

    def __reduce__(self) -> Any:
        return _restored, (look_at(self), known(self))


class PlacedVersion(_Shown, Version):
    """The value of a variable that has a layout."""

    __slots__ = ()


def shown(version: Version, layout: Layout) -> Version:
    """Let the value of a variable print its layout."""
    version.__class__ = PlacedVersion
    version.__dict__["placement"] = layout
    return version


def _restored(value: Any, layout: Layout) -> Tensor:
    return place(Tensor(value), layout)


def place(tensor: Tensor, found: Placement) -> Tensor:
    """Let a tensor that was just made have a layout; one of another kind is made anew."""
    if type(tensor) is not Tensor and type(tensor) is not Placed:
        tensor = apply1(identity, tensor)
    tensor.__class__ = Placed
    tensor.__dict__["placement"] = found
    return tensor


def check_fit(layout: Layout, shape: Sequence[int]) -> None:
    """Raise `UnknownError` for a layout of another rank, and for parts of several sizes."""
    if layout.rank != len(shape):
        raise UnknownError(
            message="'tf.DTensorLayout' op requires matching rank for layout and input, but got "
            f"{layout.rank} as suggested rank from layout but {len(shape)} from shape."
        )
    for k, n in enumerate(shape):
        if n % layout.num_shards(k):
            raise UnknownError(
                message=f"'tf.DTensorLayout' op requires dimension {k} to be divisible by "
                f"sharding specified in DTensorLayout, but got dimension size={n} is not "
                "divisible by number of shards in layout for this dimension="
                f"{layout.num_shards(k)}."
            )


# --- parts ----------------------------------------------------------------------------------------


def parts(value: Any, layout: Layout) -> list[Any]:
    """Cut an array into the parts that the devices of a mesh have."""
    counts = [layout.num_shards(k) for k in range(layout.rank)]
    sizes = layout.local_shape_from_global_shape(np.shape(value))
    cut = {
        place: value[tuple(slice(p * n, (p + 1) * n) for p, n in zip(place, sizes, strict=True))]
        for place in product(*map(range, counts))
    }
    return [cut[place] for place in layout.offset_to_shard()]


def text(tensor: Tensor, found: Placement) -> str:
    """Write the value of a tensor, or its parts by device, and its layout."""
    value = np.asarray(look_at(tensor))
    if isinstance(found, Unknown):
        return f"{array_text(value, _EDGE)}, layout=unknown ({found.reason})"
    return f'{_values(value, found)}, layout="{found.to_string()}"'


def _values(value: Any, layout: Layout) -> str:
    if layout.is_fully_replicated():
        return array_text(value, _EDGE)
    specs = [DeviceSpec.from_string(name) for name in layout.mesh.local_devices()]
    names = [f'"{s.device_type}:{s.device_index}"' for s in specs]
    texts = [array_text(part, _EDGE) for part in parts(value, layout)]
    return "{" + ", ".join(f"{n}: {t}" for n, t in zip(names, texts, strict=True)) + "}"


def _whole(tensor: Tensor) -> None:
    """Raise `UnimplementedError` for a tensor that is in parts, as TensorFlow does."""
    found = placement(tensor)
    if isinstance(found, Layout) and not found.is_fully_replicated():
        raise UnimplementedError(
            message="Trying to copy a non-single-device and non-replicated DTensor is not "
            f"supported. Input tensor is: DTensor({text(tensor, found)}, "
            f"shape={listed(tensor.raw.shape)}, type={tensor.dtype.enum_name})"
        )


# --- brackets -------------------------------------------------------------------------------------


def indexed(out: Tensor, x: Tensor, key: Any) -> Tensor:
    """Lay the result of `x[key]` out."""
    layout = placement(x)
    if not isinstance(layout, Layout) or layout.is_fully_replicated():
        return out
    if out is x:
        out = apply1(identity, x)
    try:
        specs = _by_key(key, tuple(layout.sharding_specs), x.raw.shape, layout.mesh.dim_size)
    except UncertainError as error:
        return place(out, Unknown(layout.mesh, str(error)))
    found = Layout(specs, layout.mesh)
    check_fit(found, out.raw.shape)
    return place(out, found)


def _by_key(key: Any, specs: Specs, shape: Sequence[int], size: Any) -> Specs:
    """Read a key axis by axis.

    The axes that it does not name are laid out as those axes of the operand are that stand where
    they stand in the result, which are others where an axis is gone.
    """
    named = key if isinstance(key, tuple) else (key,)
    if any(k is None or not isinstance(k, (slice, int, type(...))) for k in named):
        raise UncertainError("a key with new axes or tensors is not followed")
    found: list[str] = []
    axis = 0
    for position, one in enumerate(named):
        if one is ...:
            after = len(named) - position - 1
            found += specs[axis : len(specs) - after]
            axis = len(specs) - after
            continue
        if isinstance(one, slice):
            start, stop, step = one.indices(shape[axis])
            count = len(range(start, stop, step))
            found.append(sliced(specs[axis], shape[axis], (start, step, count), size))
        axis += 1
    found += [specs[len(found) + k] for k in range(len(specs) - axis)]
    return joined([tuple(found)], len(found))
