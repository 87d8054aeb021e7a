"""Settings of devices: there is one processor, and they change nothing."""

from __future__ import annotations

from typing import Any, NamedTuple

from symtape.ops.runtime.devices import (
    PhysicalDevice,
    give_names,
    list_physical_devices,
    logical_names,
)


class LogicalDeviceConfiguration(NamedTuple):
    """How a processor is divided into several names, all of which compute on the one."""

    memory_limit: Any = None
    experimental_priority: Any = None
    experimental_device_ordinal: Any = None


def set_visible_devices(devices: Any, device_type: str | None = None) -> None:
    """Hide processors, of which there is one kind to hide: others than the CPU.

    Raises `RuntimeError` for hiding the CPU.

    >>> set_visible_devices([], "GPU")
    """
    if device_type in {None, "CPU"} and not devices:
        raise RuntimeError("Visible devices cannot be modified after being initialized")


def get_visible_devices(device_type: str | None = None) -> list[PhysicalDevice]:
    """List the processors of a type, or all: there is the CPU.

    >>> get_visible_devices("GPU")
    []
    """
    return list_physical_devices(device_type)


def set_logical_device_configuration(device: PhysicalDevice, logical_devices: Any) -> None:
    """Give the processor as many names as there are configurations; it computes as before.

    Raises `RuntimeError` for another number once they were listed, and `ValueError` for a
    processor that is not there.

    >>> set_logical_device_configuration(list_physical_devices()[0], [LogicalDeviceConfiguration()])
    """
    if device not in list_physical_devices():
        raise ValueError(f"Unrecognized device: {device!r}")
    if any(c.memory_limit is not None for c in logical_devices):
        raise ValueError("Setting memory limit on CPU virtual devices is currently not supported")
    give_names(len(logical_devices))


def get_logical_device_configuration(
    device: PhysicalDevice,
) -> list[LogicalDeviceConfiguration] | None:
    """Give what the processor was told of its names, or None.

    >>> told = get_logical_device_configuration(list_physical_devices()[0])
    >>> told in (None, [LogicalDeviceConfiguration()])
    True
    """
    named = logical_names()
    return None if named is None else [LogicalDeviceConfiguration()] * named


def set_memory_growth(device: PhysicalDevice, enable: bool) -> None:
    """Refuse with a `ValueError`, as TensorFlow does for the CPU.

    >>> set_memory_growth(list_physical_devices()[0], True)
    Traceback (most recent call last):
    ValueError: Cannot set memory growth on non-GPU and non-Pluggable devices
    """
    raise ValueError("Cannot set memory growth on non-GPU and non-Pluggable devices")


def set_soft_device_placement(enabled: bool) -> None:
    """Do nothing: every operation runs on the one processor.

    >>> set_soft_device_placement(True)
    """


def get_soft_device_placement() -> bool:
    """Give True: every operation runs on the one processor.

    >>> get_soft_device_placement()
    True
    """
    return True


def enable_op_determinism() -> None:
    """Do nothing: equal calls give equal numbers.

    >>> enable_op_determinism()
    """


def is_gpu_available(cuda_only: bool = False, min_cuda_compute_capability: Any = None) -> bool:
    """Give False: there is the CPU.

    >>> is_gpu_available()
    False
    """
    return False


def gpu_device_name() -> str:
    """Give the empty name of the GPU that is not there.

    >>> gpu_device_name()
    ''
    """
    return ""


def is_built_with_cuda() -> bool:
    """Give False: there is the CPU.

    >>> is_built_with_cuda()
    False
    """
    return False


class _Shown:
    """What is shown besides: whole stacks of errors, and where each operation runs."""

    is_filtered = True
    are_placements_logged = False


def enable_traceback_filtering() -> None:
    """Say that stacks of errors show the caller's lines alone; they are Python's own, whole.

    >>> enable_traceback_filtering()
    """
    _Shown.is_filtered = True


def disable_traceback_filtering() -> None:
    """Say that stacks of errors are whole, as they are.

    >>> disable_traceback_filtering()
    >>> is_traceback_filtering_enabled()
    False
    >>> enable_traceback_filtering()
    """
    _Shown.is_filtered = False


def is_traceback_filtering_enabled() -> bool:
    """Give what was said last.

    >>> is_traceback_filtering_enabled()
    True
    """
    return _Shown.is_filtered


def set_log_device_placement(enabled: bool) -> None:
    """Do nothing but keep it: every operation runs on the one processor.

    >>> set_log_device_placement(False)
    """
    _Shown.are_placements_logged = enabled


def get_log_device_placement() -> bool:
    """Give what was set last.

    >>> get_log_device_placement()
    False
    """
    return _Shown.are_placements_logged
