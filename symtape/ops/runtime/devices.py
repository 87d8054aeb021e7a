"""The one processor, the logger, and functions that always run eagerly."""

from __future__ import annotations

import logging
from typing import Any, NamedTuple

from symtape.tensor.recording.active import read_setting


class PhysicalDevice(NamedTuple):
    """A processor of the machine."""

    name: str
    device_type: str


class LogicalDevice(NamedTuple):
    """A processor that operations run on."""

    name: str
    device_type: str


def list_physical_devices(device_type: str | None = None) -> list[PhysicalDevice]:
    """List the processors of a type, or all: there is the CPU.

    >>> list_physical_devices("GPU")
    []
    """
    found = [PhysicalDevice(name="/physical_device:CPU:0", device_type="CPU")]
    return [d for d in found if device_type in (None, d.device_type)]


def list_logical_devices(device_type: str | None = None) -> list[LogicalDevice]:
    """List the processors that operations run on.

    >>> list_logical_devices("CPU")
    [LogicalDevice(name='/device:CPU:0', device_type='CPU')]
    """
    _Named.used = True
    count = logical_names() or 1
    found = [LogicalDevice(name=f"/device:CPU:{k}", device_type="CPU") for k in range(count)]
    return [d for d in found if device_type in (None, d.device_type)]


class _Named:
    """How many names the processor was given, and whether somebody has read them."""

    count: int | None = None
    used = False


def logical_names() -> int | None:
    """Give how many names the processor was given, or None."""
    return _Named.count


def give_names(count: int) -> None:
    """Give the processor a number of names.

    Raises `RuntimeError` for another number once somebody has read them.
    """
    if _Named.used and count != (_Named.count or 1):
        raise RuntimeError("Virtual devices cannot be modified after being initialized")
    _Named.count = count


class _Eager:
    """What `run_functions_eagerly` was told; functions run eagerly in any case."""

    told = False


def run_functions_eagerly(run_eagerly: Any) -> None:
    """Remember what is wanted; a `tf.function` runs its Python code in any case.

    >>> run_functions_eagerly(True)
    >>> functions_run_eagerly()
    True
    >>> run_functions_eagerly(False)
    """
    _Eager.told = bool(run_eagerly)


def functions_run_eagerly() -> bool:
    """Give what `run_functions_eagerly` was told, False at first.

    >>> functions_run_eagerly()
    False
    """
    return bool(read_setting(lambda: _Eager.told))


def get_logger() -> logging.Logger:
    """Give the logger that warnings go to.

    >>> get_logger().name
    'tensorflow'
    """
    return logging.getLogger("tensorflow")
