"""A dataset whose batches are laid out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from symtape import nest
from symtape.data.dataset import Dataset
from symtape.ops.spec import TensorSpec
from symtape.stand_in.dtensor.layouts import Layout
from symtape.stand_in.dtensor.meshes import Mesh
from symtape.stand_in.dtensor.moving import relayout


class DTensorDataset:
    """Batches of a dataset, each with its layout (`dtensor.DTensorDataset`).

    `layouts` has the structure of the elements. With `batch_dim` each device along that direction
    has `global_batch_size` divided by how many there are; elements that fill no batch are left out.
    A dataset that is batched already has batches of that size. It can be iterated over, and has an
    `element_spec`. Raises `ValueError` for layouts that do not fit the elements.
    """

    def __init__(
        self,
        dataset: Dataset,
        *,
        mesh: Mesh,
        layouts: Any,
        global_batch_size: int,
        dataset_already_batched: bool = False,
        batch_dim: str | None = None,
        prefetch: int | None = None,
        tf_data_service_config: Any = None,
    ) -> None:
        if tf_data_service_config is not None:
            raise NotImplementedError(
                "Multi-client DTensorDataset is currently not supported. Check b/271162918."
            )
        nest.assert_same_structure(dataset.element_spec, layouts)
        self._layouts = layouts
        self._replicas = mesh.dim_size(batch_dim) if batch_dim else 1
        given, specs = nest.flatten(layouts), nest.flatten(dataset.element_spec)
        if batch_dim:
            _check_cut(given, batch_dim)
        _check_ranks(given, specs, is_batched=dataset_already_batched)
        own = global_batch_size // self._replicas
        if dataset_already_batched:
            _check_batches(specs, own)
        self._batches = dataset if dataset_already_batched else dataset.batch(own, True)
        wide = [
            TensorSpec([global_batch_size, *s.shape[1:]], s.dtype, s.name)
            for s in nest.flatten(self._batches.element_spec)
        ]
        self._spec = nest.pack_sequence_as(layouts, wide)

    @property
    def element_spec(self) -> Any:
        """The spec of whole batches."""
        return self._spec

    def __iter__(self) -> Iterator[Any]:
        """Give one batch after another."""
        whole = self._batches.unbatch().batch(_size(self._spec), drop_remainder=True)
        for batch in whole:
            yield nest.map_structure(relayout, batch, self._layouts)


def _size(spec: Any) -> int:
    return int(nest.flatten(spec)[0].shape[0])


def _check_cut(layouts: Sequence[Layout], batch_dim: str) -> None:
    for layout in layouts:
        if layout.sharding_specs[0] != batch_dim:
            raise ValueError(
                f"batch_dim {batch_dim} was specified but at least one layout did not contain it: "
                f"{layout}"
            )


def _check_ranks(layouts: Sequence[Layout], specs: Sequence[Any], *, is_batched: bool) -> None:
    if not specs:
        raise ValueError("Expected input element spec of at least one element, was empty.")
    for layout, spec in zip(layouts, specs, strict=True):
        if spec.shape.rank is None:
            raise ValueError(f"Dataset element shape must have a valid rank, got spec {spec}.")
        expected = spec.shape.rank + (not is_batched)
        if layout.rank != expected:
            raise ValueError(
                f"Expected layout with rank {expected} for element spec {spec}, got layout "
                f"{layout.sharding_specs}. Check that the dataset is not batched before passing "
                "to DTensorDataset."
            )


def _check_batches(specs: Sequence[Any], size: int) -> None:
    first = specs[0].shape[0]
    for spec in specs:
        if first is None:
            raise ValueError(
                f"Size of batch dimension of element spec {spec} is None. Ensure "
                "drop_remainder=True when batching the dataset."
            )
        if spec.shape[0] != first:
            raise ValueError(
                f"Size of batch dimension of element spec {spec} does not match expected size "
                f"{first}."
            )
    if first != size:
        raise ValueError(
            "per_replica_batch_size does not matched expected size based on the mesh, got "
            f"{first} but expected {size}."
        )
