"""Meshes of the devices that there are: names of the one processor."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import numpy as np

from symtape.ops.runtime.device_specs import DeviceSpec
from symtape.ops.runtime.devices import list_logical_devices, list_physical_devices
from symtape.ops.runtime.settings import (
    LogicalDeviceConfiguration,
    set_logical_device_configuration,
)
from symtape.stand_in.dtensor.meshes import Mesh
from symtape.stand_in.dtensor.registering import registered

_TYPES = ("CPU", "GPU", "TPU")
_LOCAL = DeviceSpec(job="localhost", replica=0, task=0)
Dims = Sequence[tuple[str, int]] | dict[str, int]


class _System:
    """Which type of devices was started, if any was."""

    started: str | None = None


def client_id() -> int:
    """Give 0: there is one process."""
    return 0


def num_clients() -> int:
    """Give 1: there is one process."""
    return 1


def job_name() -> str:
    """Give the name of the one process.

    >>> job_name()
    'localhost'
    """
    return "localhost"


def full_job_name(task_id: int | None = None) -> str:
    """Give the name of the one process with its numbers.

    >>> full_job_name()
    'localhost/replica:0/task:0'
    """
    return f"localhost/replica:0/task:{task_id or 0}"


def jobs() -> list[str]:
    """Give nothing: there are no other processes."""
    return []


def heartbeat_enabled() -> bool:
    """Say what the environment says of other processes, which nobody asks here."""
    told = os.environ.get("DTENSOR_ENABLE_HEARTBEAT", "true")
    return told.lower() in {"true", "1"}


def preferred_device_type() -> str:
    """Give the type of the one processor.

    >>> preferred_device_type()
    'CPU'
    """
    return "CPU"


def local_devices(device_type: str, for_client_id: int | None = None) -> list[DeviceSpec]:
    """List the devices of a type; raises `ValueError` for no type.

    >>> local_devices("GPU")
    []
    """
    if device_type.upper() not in _TYPES:
        raise ValueError(f"Device type {device_type} is not CPU, GPU, or TPU.")
    names = [d.name for d in list_logical_devices(device_type.upper())]
    where = _LOCAL.replace(task=for_client_id or 0)
    return [where.make_merged_spec(DeviceSpec.from_string(name)) for name in names]


def num_local_devices(device_type: str) -> int:
    """Count the devices of a type.

    >>> num_local_devices("GPU")
    0
    """
    return len(list_logical_devices(device_type.upper()))


num_global_devices = num_local_devices


def create_mesh(
    mesh_dims: Dims | None = None,
    mesh_name: str = "",
    devices: Sequence[Any] | None = None,
    device_type: str | None = None,
    use_xla_spmd: bool = False,
) -> Mesh:
    """Make a mesh of devices, of all that there are by default, in a row that is called `x`.

    The size -1 of a single direction is as many as there are. Raises `ValueError` where sizes and
    devices do not fit.
    """
    specs = _specs(devices, device_type)
    dims = list(mesh_dims.items()) if isinstance(mesh_dims, dict) else mesh_dims
    if dims is None:
        dims = [("x", len(specs))]
    elif len(dims) == 1 and dims[0][1] == -1:
        dims = [(dims[0][0], len(specs))]
    shape = [size for _, size in dims]
    if np.prod(shape) != len(specs):
        raise ValueError(
            f"length of devices ({len(specs)}) must be equal to total size of the mesh of shape "
            f"{shape}"
        )
    return _mesh([name for name, _ in dims], shape, specs, mesh_name, use_xla_spmd)


def create_distributed_mesh(
    mesh_dims: Dims,
    mesh_name: str = "",
    local_devices: Sequence[Any] | None = None,
    device_type: str | None = None,
    use_xla_spmd: bool = False,
) -> Mesh:
    """Make a mesh over all processes, of which there is one.

    Raises `ValueError` before `initialize_accelerator_system`, and where sizes and devices do not
    fit.
    """
    dims = list(mesh_dims.items()) if isinstance(mesh_dims, dict) else list(mesh_dims)
    if _System.started is None:
        raise ValueError(
            "Accelerators are uninitialized, please run dtensor.initialize_accelerator_system() "
            "first."
        )
    specs = _specs(local_devices, device_type)
    shape = tuple([size for _, size in dims])
    if np.prod(shape) != len(specs):
        raise ValueError(
            f"Global number of devices ({len(specs)} per client * 1 clients = {len(specs)}) must "
            f"be equal to total size of the mesh of shape {shape}"
        )
    return _mesh([name for name, _ in dims], shape, specs, mesh_name, use_xla_spmd)


def _mesh(names: list[str], shape: Any, specs: list[Any], name: str, use_xla_spmd: bool) -> Mesh:
    ids = np.arange(len(specs)).reshape(shape)
    return Mesh(names, ids, ids.ravel().tolist(), specs, name, use_xla_spmd=use_xla_spmd)


def _specs(devices: Sequence[Any] | None, device_type: str | None) -> list[DeviceSpec]:
    if devices is None:
        found = local_devices(device_type or "CPU")
    else:
        found = [DeviceSpec.from_string(d) if isinstance(d, str) else d for d in devices]
        kind = device_type or found[0].device_type
        if kind.upper() != found[0].device_type.upper():
            raise ValueError(f"Conflicting devices {found} and device_type {device_type}")
    return [_LOCAL.make_merged_spec(d) for d in found]


def create_tpu_mesh(*_: Any, **__: Any) -> Mesh:
    """Refuse: there is no TPU."""
    raise ValueError("Accelerators are uninitialized: there is no TPU; use create_mesh")


def barrier(mesh: Mesh, barrier_name: str | None = None, timeout_in_ms: int | None = None) -> None:
    """Do nothing: all that was called has been computed."""
    registered(mesh)


def initialize_accelerator_system(
    device_type: str | None = None,
    enable_coordination_service: bool | None = True,
    num_logical_cpu_devices: int | None = None,
    experimental_reset_context: bool | None = False,
    experimental_enable_megcore: bool | None = False,
) -> str:
    """Start the devices of a type, which are names of the processor, and give the type.

    Raises `ValueError` where that was done before, and for a type that is not there.
    """
    if _System.started is not None:
        raise ValueError(
            "Accelerator system has already been initialized. Call "
            "tf.experimental.dtensor.shutdown_accelerator_system() first."
        )
    kind = (device_type or "CPU").upper()
    if kind not in _TYPES:
        raise ValueError(f"Unknown device_type {kind}. Allowed values are CPU, GPU, or TPU")
    if num_logical_cpu_devices is not None:
        names = [LogicalDeviceConfiguration()] * num_logical_cpu_devices
        set_logical_device_configuration(list_physical_devices("CPU")[0], names)
    _System.started = kind
    return kind


def shutdown_accelerator_system() -> None:
    """Forget that devices were started; raises `ValueError` where none were."""
    if _System.started is None:
        raise ValueError(
            "Accelerator system is not initialized. Call "
            "tf.experimental.dtensor.initialize_accelerator_system first."
        )
    _System.started = None


initialize_multi_client = initialize_tpu_system = initialize_accelerator_system
shutdown_tpu_system = shutdown_accelerator_system
