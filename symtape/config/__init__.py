"""`tf.config`: what there is to know of one processor and eager execution."""

from symtape.config import (
    experimental as experimental,
    optimizer as optimizer,
    threading as threading,
)
from symtape.namespace import show
from symtape.ops.runtime.devices import (
    LogicalDevice as LogicalDevice,
    PhysicalDevice as PhysicalDevice,
    functions_run_eagerly as functions_run_eagerly,
    list_logical_devices as list_logical_devices,
    list_physical_devices as list_physical_devices,
    run_functions_eagerly as run_functions_eagerly,
)
from symtape.ops.runtime.settings import (
    LogicalDeviceConfiguration as LogicalDeviceConfiguration,
    get_logical_device_configuration as get_logical_device_configuration,
    get_soft_device_placement as get_soft_device_placement,
    get_visible_devices as get_visible_devices,
    set_logical_device_configuration as set_logical_device_configuration,
    set_soft_device_placement as set_soft_device_placement,
    set_visible_devices as set_visible_devices,
)

show(__name__, parts="experimental optimizer threading")
