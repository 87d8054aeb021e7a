"""`tf.config.experimental`: settings of devices that change nothing."""

from symtape.namespace import show
from symtape.ops.runtime.devices import list_logical_devices, list_physical_devices
from symtape.ops.runtime.policies import (
    enable_tensor_float_32_execution,
    get_device_details,
    get_device_policy,
    get_memory_growth,
    get_memory_info,
    get_memory_usage,
    get_synchronous_execution,
    reset_memory_stats,
    set_device_policy,
    set_synchronous_execution,
    tensor_float_32_execution_enabled,
)
from symtape.ops.runtime.settings import (
    LogicalDeviceConfiguration as VirtualDeviceConfiguration,
)
from symtape.ops.runtime.settings import (
    enable_op_determinism,
    get_visible_devices,
    set_memory_growth,
    set_visible_devices,
)
from symtape.ops.runtime.settings import (
    get_logical_device_configuration as get_virtual_device_configuration,
)
from symtape.ops.runtime.settings import (
    set_logical_device_configuration as set_virtual_device_configuration,
)

__all__ = [
    "VirtualDeviceConfiguration",
    "enable_op_determinism",
    "enable_tensor_float_32_execution",
    "get_device_details",
    "get_device_policy",
    "get_memory_growth",
    "get_memory_info",
    "get_memory_usage",
    "get_synchronous_execution",
    "get_virtual_device_configuration",
    "get_visible_devices",
    "list_logical_devices",
    "list_physical_devices",
    "reset_memory_stats",
    "set_device_policy",
    "set_memory_growth",
    "set_synchronous_execution",
    "set_virtual_device_configuration",
    "set_visible_devices",
    "tensor_float_32_execution_enabled",
]

show(__name__, __all__)
