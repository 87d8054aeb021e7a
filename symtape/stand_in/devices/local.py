"""What `tensorflow.python.client.device_lib` tells of devices: there is one."""

from __future__ import annotations

from typing import Any, NamedTuple


class DeviceAttributes(NamedTuple):
    """A device, told as TensorFlow does.

    >>> list_local_devices()[0].device_type
    'CPU'
    """

    name: str
    device_type: str
    memory_limit: int
    incarnation: int = 1
    physical_device_desc: str = ""
    xla_global_id: int = -1

    def __repr__(self) -> str:
        return (
            f'name: "{self.name}"\ndevice_type: "{self.device_type}"\nmemory_limit: '
            f"{self.memory_limit}\nlocality {{\n}}\nincarnation: {self.incarnation}\n"
            f"xla_global_id: {self.xla_global_id}\n"
        )


def list_local_devices(session_config: Any = None) -> list[DeviceAttributes]:
    """List the devices: the processor, with the memory that TensorFlow's has, in bytes."""
    return [DeviceAttributes("/device:CPU:0", "CPU", 268435456)]
