"""`tf.config.experimental`: settings of devices that change nothing."""

from symtape.namespace import show
from symtape.ops.runtime.devices import (
    list_logical_devices as list_logical_devices,
    list_physical_devices as list_physical_devices,
)
from symtape.ops.runtime.policies import (
    enable_tensor_float_32_execution as enable_tensor_float_32_execution,
    get_device_details as get_device_details,
    get_device_policy as get_device_policy,
    get_memory_growth as get_memory_growth,
    get_memory_info as get_memory_info,
    get_memory_usage as get_memory_usage,
    get_synchronous_execution as get_synchronous_execution,
    reset_memory_stats as reset_memory_stats,
    set_device_policy as set_device_policy,
    set_synchronous_execution as set_synchronous_execution,
    tensor_float_32_execution_enabled as tensor_float_32_execution_enabled,
)
from symtape.ops.runtime import settings
from symtape.ops.runtime.settings import (
    enable_op_determinism as enable_op_determinism,
    get_visible_devices as get_visible_devices,
    set_memory_growth as set_memory_growth,
    set_visible_devices as set_visible_devices,
)

VirtualDeviceConfiguration = settings.LogicalDeviceConfiguration
get_virtual_device_configuration = settings.get_logical_device_configuration
set_virtual_device_configuration = settings.set_logical_device_configuration

show(__name__)
