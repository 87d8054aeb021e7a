"""`tf.config`: what there is to know of one processor and eager execution."""

from symtape.namespace import show
from symtape.ops.devices import (
    LogicalDevice,
    PhysicalDevice,
    functions_run_eagerly,
    list_logical_devices,
    list_physical_devices,
    run_functions_eagerly,
)

__all__ = [
    "LogicalDevice",
    "PhysicalDevice",
    "functions_run_eagerly",
    "list_logical_devices",
    "list_physical_devices",
    "run_functions_eagerly",
]

show(__name__, __all__)
