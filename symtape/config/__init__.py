"""`tf.config`: what there is to know of one processor and eager execution."""

from symtape.config import experimental, optimizer, threading
from symtape.namespace import show
from symtape.ops.runtime.devices import (
    LogicalDevice,
    PhysicalDevice,
    functions_run_eagerly,
    list_logical_devices,
    list_physical_devices,
    run_functions_eagerly,
)
from symtape.ops.runtime.settings import (
    LogicalDeviceConfiguration,
    get_logical_device_configuration,
    get_soft_device_placement,
    get_visible_devices,
    set_logical_device_configuration,
    set_soft_device_placement,
    set_visible_devices,
)

__all__ = [
    "LogicalDevice",
    "LogicalDeviceConfiguration",
    "PhysicalDevice",
    "experimental",
    "functions_run_eagerly",
    "get_logical_device_configuration",
    "get_soft_device_placement",
    "get_visible_devices",
    "list_logical_devices",
    "list_physical_devices",
    "optimizer",
    "run_functions_eagerly",
    "set_logical_device_configuration",
    "set_soft_device_placement",
    "set_visible_devices",
    "threading",
]

show(__name__, __all__)
