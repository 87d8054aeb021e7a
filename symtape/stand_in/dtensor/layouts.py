"""A layout: along which direction of a mesh each axis of a tensor is cut into parts."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from functools import cached_property
from typing import Any, Self

from symtape.errors import UnsupportedError
from symtape.stand_in.dtensor.meshes import Mesh

UNSHARDED = "unsharded"
MATCH = "match"
_MESSAGE = "write it with to_string, and read it with from_string"


class LayoutType(IntEnum):
    """What kind of layout it is; `PARTED` is the same with axes that are on their own."""

    STATIC = 1
    SINGLE_DEVICE = 2
    PARTED = 3

    def __repr__(self) -> str:
        return f"<LayoutType.{self.name}: {self.value}>"


_WORDS = {LayoutType.STATIC: "sharding_specs", LayoutType.PARTED: "parted"}


class Layout:
    """Along which direction of a mesh each axis of a tensor is cut (`dtensor.Layout`).

    Raises `ValueError` for a direction that the mesh has not, and for one that is named twice.

    >>> mesh = Mesh.from_string("|x=2|0,1|0,1|CPU:0,CPU:1")
    >>> Layout(["x", UNSHARDED], mesh).local_shape_from_global_shape([4, 3])
    (2, 3)
    """

    def __init__(self, sharding_specs: Sequence[str], mesh: Mesh) -> None:
        if not isinstance(mesh, Mesh):
            raise ValueError("mesh is not a valid Mesh object.")
        for spec in sharding_specs:
            if spec in {UNSHARDED, MATCH}:
                continue
            if list(sharding_specs).count(spec) > 1:
                raise ValueError(
                    f"Mesh dimension {spec} was repeated in sharding specification "
                    f"{sharding_specs}. Mesh dimensions must be unique in a layout."
                )
            if spec not in mesh:
                raise ValueError(
                    f"{spec}: A dimension sharding must either be a valid mesh dimension or "
                    "UNSHARDED."
                )
        self._be(sharding_specs, mesh, LayoutType.STATIC)

    def _be(self, specs: Sequence[str], mesh: Mesh, kind: LayoutType) -> None:
        self._specs, self._mesh, self._type = tuple(specs), mesh, kind

    @classmethod
    def _of(cls, specs: Sequence[str], mesh: Mesh, kind: LayoutType = LayoutType.STATIC) -> Self:
        made = cls.__new__(cls)
        made._be(specs, mesh, kind)  # noqa: SLF001 - it is of this class
        return made

    @classmethod
    def replicated(cls, mesh: Mesh, rank: int) -> Self:
        """Make the layout of tensors that are whole on every device."""
        return cls._of((UNSHARDED,) * rank, mesh)

    @classmethod
    def batch_sharded(cls, mesh: Mesh, batch_dim: str, rank: int, axis: int = 0) -> Self:
        """Make the layout in which one axis, the first one, is cut."""
        if batch_dim not in mesh:
            raise RuntimeError(
                f"Bad StatusOr access: INVALID_ARGUMENT: sharding spec ({batch_dim}) refers to "
                f"mesh dimension not contained in mesh {mesh.to_string()}"
            )
        if not 0 <= axis < rank:
            raise ValueError(f"axis {axis} is not among the {rank} axes of the layout")
        return cls._of([batch_dim if k == axis else UNSHARDED for k in range(rank)], mesh)

    @classmethod
    def inner_sharded(cls, mesh: Mesh, inner_dim: str, rank: int) -> Self:
        """Make the layout in which the last axis is cut."""
        return cls.batch_sharded(mesh, inner_dim, rank, axis=rank - 1)

    @classmethod
    def from_single_device_mesh(cls, mesh: Mesh) -> Self:
        """Make the layout of tensors on one device."""
        return cls._of((), mesh, LayoutType.SINGLE_DEVICE)

    @classmethod
    def from_device(cls, device: str) -> Self:
        """Make the layout of tensors on the device of a name."""
        return cls.from_single_device_mesh(Mesh.from_device(device))

    @classmethod
    def from_string(cls, layout_str: str) -> Self:
        """Read what `to_string` writes; raises `ValueError` for another text."""
        head, found, mesh = layout_str.partition(" mesh:")
        if not found:
            raise ValueError(f"Expected 2 items but found 1{layout_str}")
        word, _, specs = head.partition(":")
        if word == "maximal":
            return cls.from_device(mesh)
        kind = {name: kind for kind, name in _WORDS.items()}[word]
        return cls._of([s for s in specs.split(",") if s], Mesh.from_string(mesh), kind)

    @classmethod
    def from_proto(cls, layout_proto: Any) -> Self:
        """Refuse: messages of TensorFlow's are not read."""
        raise UnsupportedError(f"Layout.from_proto: {_MESSAGE}")

    def as_proto(self) -> Any:
        """Refuse: messages of TensorFlow's are not made."""
        raise UnsupportedError(f"Layout.as_proto: {_MESSAGE}")

    @cached_property
    def _text(self) -> str:
        if self._type is LayoutType.SINGLE_DEVICE:
            return f"maximal:true, mesh:{self._mesh.to_string()}"
        specs = ",".join(self._specs) + "," * bool(self._specs)
        return f"{_WORDS[self._type]}:{specs} mesh:{self._mesh.to_string()}"

    def to_string(self) -> str:
        """Write the directions of all axes, and the mesh."""
        return self._text

    # --- what it is made of -----------------------------------------------------------------------

    @property
    def sharding_specs(self) -> list[str]:
        """For each axis the direction that it is cut along, or `unsharded`."""
        return list(self._specs)

    @property
    def mesh(self) -> Mesh:
        """The mesh."""
        return self._mesh

    @property
    def rank(self) -> int:
        """The number of axes."""
        return len(self._specs)

    @property
    def shape(self) -> list[int]:
        """The sizes of the mesh."""
        return self._mesh.shape()

    @property
    def type(self) -> LayoutType:
        """What kind of layout it is."""
        return self._type

    def is_fully_replicated(self) -> bool:
        """Say whether the tensor is whole on every device."""
        return not self.is_single_device() and all(s == UNSHARDED for s in self._specs)

    def is_batch_parallel(self) -> bool:
        """Say whether the first axis is cut, and no other one."""
        return [s != UNSHARDED for s in self._specs] == [k == 0 for k in range(self.rank)] != []

    def is_single_device(self) -> bool:
        """Say whether it is of one device."""
        return self._type is LayoutType.SINGLE_DEVICE

    def num_shards(self, idx: int) -> int:
        """Count the parts of an axis."""
        spec = self._specs[idx]
        return 1 if spec in {UNSHARDED, MATCH} else self._mesh.dim_size(spec)

    def delete(self, dims: Any) -> Layout:
        """Leave out some axes, by their places from the first."""
        gone = dims if isinstance(dims, list) else [dims]
        return Layout([s for k, s in enumerate(self._specs) if k not in gone], self._mesh)

    def to_parted(self) -> Layout:
        """Give the layout with axes that are on their own."""
        return self._of(self._specs, self._mesh, LayoutType.PARTED)

    # --- sizes and places of parts ----------------------------------------------------------------

    def local_shape_from_global_shape(self, global_shape: Sequence[int]) -> tuple[int, ...]:
        """Give the shape of a part."""
        return tuple(n // self.num_shards(k) for k, n in enumerate(global_shape))

    def global_shape_from_local_shape(self, local_shape: Sequence[int]) -> tuple[int, ...]:
        """Give the shape of the whole."""
        return tuple(n * self.num_shards(k) for k, n in enumerate(local_shape))

    def offset_to_shard(self) -> list[tuple[int, ...]]:
        """Say for each device which part it has, along each axis."""
        return [
            tuple(0 if s == UNSHARDED else place[s] for s in self._specs)
            for place in self._mesh.unravel_index().values()
        ]

    def offset_tuple_to_global_index(self, offset_tuple: Sequence[int]) -> int:
        """Count the parts before a part, the last axis running first."""
        index = 0
        for k, offset in enumerate(offset_tuple):
            index = index * self.num_shards(k) + offset
        return index

    # --- Python's protocols -----------------------------------------------------------------------

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Layout):
            raise TypeError(f"a layout is compared with a layout, not with {other!r}")
        return self is other or self._text == other._text

    def __hash__(self) -> int:
        return hash(self._text)

    def __repr__(self) -> str:
        return f"Layout.from_string({self._text})"

    def __reduce__(self) -> Any:
        return Layout.from_string, (self._text,)
