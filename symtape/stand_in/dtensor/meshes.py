"""A mesh: devices in rows and columns, whose directions have names."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import product
from math import prod
from typing import Any, NamedTuple, Self

import numpy as np

from symtape.errors import UnsupportedError
from symtape.ops.runtime.device_specs import DeviceSpec
from symtape.tensor.convert import convert

_MESSAGE = "write it with to_string, and read it with from_string"


class MeshDimension(NamedTuple):
    """A direction of a mesh: its name, and how many devices stand in it."""

    name: str
    size: int


class Mesh:
    """Devices in rows and columns, whose directions have names (`dtensor.Mesh`).

    The devices are names: one processor computes for all of them. Raises `ValueError` for numbers
    of devices that are not one after another, and for lists of different lengths.

    >>> names = ["CPU:0", "CPU:1"]
    >>> Mesh(["x"], np.arange(2), [0, 1], names)
    Mesh.from_string(|x=2|0,1|0,1|CPU:0,CPU:1)
    """

    def __init__(
        self,
        dim_names: Sequence[str],
        global_device_ids: Any,
        local_device_ids: list[int],
        local_devices: list[Any],
        mesh_name: str = "",
        global_devices: list[Any] | None = None,
        use_xla_spmd: bool = False,
    ) -> None:
        _check_ids(dim_names, global_device_ids, local_device_ids)
        _check_devices(local_device_ids, local_devices, global_devices)
        if use_xla_spmd:
            raise ValueError("XLA SPMD is not currently not supported for CPU mesh.")
        self._be(
            mesh_name,
            tuple(dim_names),
            tuple(map(int, global_device_ids.shape)),
            tuple(map(int, global_device_ids.ravel())),
            tuple(local_device_ids),
            tuple(map(_name, local_devices)),
            tuple(map(_name, global_devices or ())),
        )

    @classmethod
    def _of(cls, *parts: Any) -> Self:
        made = cls.__new__(cls)
        made._be(*parts)  # noqa: SLF001 - it is of this class
        return made

    def _be(self, *parts: Any) -> None:
        self._parts = parts

    @classmethod
    def from_string(cls, mesh_str: str) -> Self:
        """Read what `to_string` writes; raises `ValueError` for another text."""
        if "|" not in mesh_str and "CPU:" in mesh_str:
            return cls.from_device(mesh_str)
        fields = mesh_str.split("|")
        if len(fields) < 5:
            raise ValueError(f"Input string is invalid: {mesh_str}")
        name, dims, ids, local, devices, *rest = fields
        pairs = [d.rpartition("=")[::2] for d in dims.split(",")]
        numbers = [tuple(map(int, text.split(","))) for text in (ids, local)]
        names, sizes = zip(*[(n, int(size)) for n, size in pairs], strict=True)
        everywhere = tuple(rest[0].split(",")) if rest and rest[0] else ()
        return cls._of(name, names, sizes, *numbers, tuple(devices.split(",")), everywhere)

    @classmethod
    def from_device(cls, device: str) -> Self:
        """Make the mesh of a single device."""
        return cls._of("", (), (), (0,), (0,), (), (), device)

    @classmethod
    def from_proto(cls, proto: Any) -> Self:
        """Refuse: messages of TensorFlow's are not read."""
        raise UnsupportedError(f"Mesh.from_proto: {_MESSAGE}")

    def as_proto(self) -> Any:
        """Refuse: messages of TensorFlow's are not made."""
        raise UnsupportedError(f"Mesh.as_proto: {_MESSAGE}")

    @cached_property
    def _text(self) -> str:
        if self.is_single_device():
            return str(self._parts[7])
        name, names, sizes, ids, local, devices, everywhere = self._parts
        dims = ",".join(f"{n}={size}" for n, size in zip(names, sizes, strict=True))
        fields = [dims, *(",".join(map(str, part)) for part in (ids, local, devices))]
        return "|".join([name, *fields, *([",".join(everywhere)] if everywhere else [])])

    def to_string(self) -> str:
        """Write the name, the directions, the numbers of devices and their names."""
        return self._text

    # --- what it is made of -----------------------------------------------------------------------

    @property
    def name(self) -> str:
        """The name that was given."""
        return str(self._parts[0])

    @property
    def dim_names(self) -> list[str]:
        """The names of the directions."""
        return list(self._parts[1])

    @property
    def size(self) -> int:
        """How many devices there are in all directions; 0 for a single one, which has none."""
        return prod(self._parts[2]) if self._parts[2] else 0

    @property
    def strides(self) -> list[int]:
        """How many devices one step in each direction passes."""
        sizes = self._parts[2]
        return [prod(sizes[k + 1 :]) for k in range(max(len(sizes), 1))]

    @property
    def single_device(self) -> str:
        """The name of the one device of a mesh without directions, or nothing."""
        return self._text if self.is_single_device() else ""

    def shape(self) -> list[int]:
        """List the sizes of the directions."""
        return list(self._parts[2])

    def dim_size(self, dim_name: str) -> int:
        """Give the size of a direction; raises `ValueError` for one that there is not."""
        if dim_name not in self._parts[1]:
            raise ValueError(
                f"Dimension {dim_name} does not exist in mesh.Available dimensions: "
                f"{','.join(self._parts[1])}"
            )
        return int(self._parts[2][self._parts[1].index(dim_name)])

    def contains_dim(self, dim_name: str) -> bool:
        """Say whether there is a direction of a name."""
        return dim_name in self._parts[1]

    def is_single_device(self) -> bool:
        """Say whether it is one device, without a direction."""
        return not self._parts[1]

    def device_type(self) -> str:
        """Give the type of all devices, as `CPU`."""
        named = (*self._parts[5], *self._parts[6], self._text)
        return str(DeviceSpec.from_string(named[0]).device_type)

    def is_remote(self) -> bool:
        """Say whether devices of other processes belong to it."""
        return not self._parts[5] and not self.is_single_device()

    def use_xla_spmd(self) -> bool:
        """Give False."""
        return False

    def global_device_ids(self) -> Any:
        """Give the numbers of all devices, as an array."""
        return np.array(self._parts[3], np.int64).reshape(self._parts[2])

    def local_device_ids(self) -> list[int]:
        """List the numbers of the devices of this process."""
        return list(self._parts[4])

    def local_devices(self) -> list[str]:
        """List the names of the devices of this process."""
        return list(self._parts[5])

    def global_devices(self) -> list[str]:
        """List the names of all devices, where they were given."""
        return list(self._parts[6])

    def num_local_devices(self) -> int:
        """Count the devices of this process."""
        return len(self._parts[5])

    def min_global_device_id(self) -> int:
        """Give the smallest number of a device."""
        return int(self._parts[3][0])

    def host_mesh(self) -> Mesh:
        """Give the mesh of the processors beside: of processors it is the same without its name."""
        return self._of("", *self._parts[1:]) if self._parts[0] else self

    # --- where devices stand ----------------------------------------------------------------------

    def unravel_index(self) -> dict[int, dict[str, int]]:
        """Say for each device where it stands in each direction."""
        _, names, sizes, *_ = self._parts
        places = product(*map(range, sizes))
        return {k: dict(zip(names, place, strict=True)) for k, place in enumerate(places)}

    def device_location(self, offset: int) -> list[int]:
        """Say where a device stands, by its number from the first one."""
        return list(self.unravel_index()[offset].values())

    def local_device_locations(self) -> list[dict[str, int]]:
        """List where the devices of this process stand."""
        places = self.unravel_index()
        return [places[k] for k in self.local_device_ids()]

    def coords(self, device_idx: Any) -> Any:
        """Give the place of a device as a tensor."""
        strides, shape = convert(self.strides), convert(self.shape())
        return (device_idx // strides) % shape

    # --- Python's protocols -----------------------------------------------------------------------

    def __contains__(self, dim_name: object) -> bool:
        return dim_name in self._parts[1]

    def __getitem__(self, dim_name: str) -> MeshDimension:
        return MeshDimension(name=dim_name, size=self.dim_size(dim_name))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Mesh):
            raise TypeError(f"a mesh is compared with a mesh, not with {other!r}")
        return self is other or self._text == other._text

    def __hash__(self) -> int:
        return hash(self._text)

    def __repr__(self) -> str:
        return f"Mesh.from_string({self._text})"

    def __reduce__(self) -> Any:
        return Mesh.from_string, (self._text,)


def _name(device: Any) -> str:
    if isinstance(device, DeviceSpec):
        return device.to_string()
    return str(device)


def _check_ids(names: Sequence[str], ids: Any, local: Any) -> None:
    """See that numbers of devices count up, and that each direction has a name."""
    if not isinstance(ids, np.ndarray):
        raise ValueError("Variable global_device_ids must be an ndarray.")
    if not ids.size:
        raise ValueError("Variable global_device_ids must be non-empty.")
    flat = ids.ravel()
    if (flat != flat[0] + np.arange(flat.size)).any():
        raise ValueError(f"global_device_ids must sequentially increase: {ids}")
    if len(names) != ids.ndim:
        raise ValueError("Number of mesh dimensions does not match number of dimension names.")
    if not isinstance(local, list):
        raise ValueError("Variable local_device_ids must be a list of integers.")
    if len(local) > ids.size:
        raise ValueError("Cannot have more local than gobal device IDs.")


def _check_devices(ids: list[int], devices: Any, everywhere: Any) -> None:
    """See that devices are of one type, and as many as their numbers."""
    if not isinstance(devices, list):
        raise ValueError("Variable local_devices must be a list of DeviceSpecs.")
    if everywhere and not isinstance(everywhere, list):
        raise ValueError("Variable global_devices must be a list of DeviceSpecs.")
    if not devices and not everywhere:
        raise ValueError("Empty list of devices not allowed.")
    specs = [DeviceSpec.from_string(_name(d)) for d in devices or everywhere]
    if len(ids) != len(devices):
        raise ValueError("Variable local_device_ids does not have same size as local_devices.")
    types = {spec.device_type for spec in specs}
    if len({*specs}) < len(specs) and ({*specs} != {specs[0]} or types != {"CPU"}):
        raise ValueError(
            "Duplicate devices found in mesh specification "
            f"{[d for d in devices if devices.count(d) > 1]}."
        )
    if None in types:
        raise ValueError("device_type is required")
    if len(types) > 1:
        listed = ", ".join(sorted(map(repr, types)))
        raise ValueError(f"Devices containing multiple device_types : {{{listed}}}")
