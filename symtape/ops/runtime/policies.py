"""Settings that are kept and told, and change nothing: of devices, their memory, and of graphs."""

from __future__ import annotations

from typing import Any, NoReturn

from symtape.ops.runtime.devices import PhysicalDevice

# --- devices --------------------------------------------------------------------------------------


def get_device_details(device: Any) -> dict[str, Any]:
    """Give nothing, as TensorFlow does for a CPU; raises `ValueError` for what is no processor.

    >>> from symtape.ops.runtime.devices import list_physical_devices
    >>> get_device_details(list_physical_devices()[0])
    {}
    """
    if not isinstance(device, PhysicalDevice):
        raise ValueError(f"device must be a tf.config.PhysicalDevice, but got: {device}")
    return {}


def get_memory_growth(device: Any) -> NoReturn:
    """Refuse with a `KeyError`, as TensorFlow does for the CPU: only the memory of others grows.

    >>> from symtape.ops.runtime.devices import list_physical_devices
    >>> get_memory_growth(list_physical_devices()[0])
    Traceback (most recent call last):
    KeyError: PhysicalDevice(name='/physical_device:CPU:0', device_type='CPU')
    """
    raise KeyError(device)


def _uncounted(device: str, text: str) -> ValueError:
    """Make the error for the memory of a device: the CPU's is not counted, others are not there."""
    parts = str(device).removeprefix("/device:").split(":")
    if len(parts) != 2 or not parts[1].isdigit():
        return ValueError(
            f"Failed parsing device name: '{device}'. Note a valid device string should at least "
            'contain a device type and a device index, like "GPU:0".'
        )
    if parts != ["CPU", "0"]:
        return ValueError(f"No matching devices found for '{device}'")
    return ValueError(f"{text} for device 'CPU:0'")


def get_memory_info(device: str) -> NoReturn:
    """Refuse with a `ValueError`, as TensorFlow does: the memory of the CPU is not counted.

    >>> get_memory_info("CPU:0")
    Traceback (most recent call last):
    ValueError: Allocator stats not available for device 'CPU:0'
    """
    raise _uncounted(device, "Allocator stats not available")


def get_memory_usage(device: str) -> NoReturn:
    """Refuse with a `ValueError`, as TensorFlow does: the memory of the CPU is not counted.

    >>> get_memory_usage("GPU:0")
    Traceback (most recent call last):
    ValueError: No matching devices found for 'GPU:0'
    """
    raise _uncounted(device, "Allocator stats not available")


def reset_memory_stats(device: str) -> NoReturn:
    """Refuse with a `ValueError`, as TensorFlow does: the memory of the CPU is not counted.

    >>> reset_memory_stats("CPU:0")
    Traceback (most recent call last):
    ValueError: Cannot reset memory stats for device 'CPU:0'
    """
    raise _uncounted(device, "Cannot reset memory stats")


# --- what was said --------------------------------------------------------------------------------


class _Said:
    """What was said last."""

    policy = "silent"
    waits = True
    rounds = True
    fuses = False
    options: dict[str, Any] = {}  # noqa: RUF012 - one for all


def get_device_policy() -> str:
    """Give what was set last: how tensors come to the device where they are asked for.

    >>> get_device_policy()
    'silent'
    """
    return _Said.policy


def set_device_policy(device_policy: str | None) -> None:
    """Keep it: every tensor is where it is asked for. Raises `ValueError` for other words.

    >>> set_device_policy(None)
    """
    if device_policy not in {None, "silent", "silent_for_int32", "warn", "explicit"}:
        raise ValueError(
            f"Invalid argument `device_policy`: {device_policy!r}. Please refer to "
            "https://www.tensorflow.org/api_docs/python/tf/config/experimental/set_device_policy "
            "for valid `device_policy` arguments."
        )
    _Said.policy = device_policy or "silent"


def get_synchronous_execution() -> bool:
    """Give what was set last: operations have happened when their calls return in any case.

    >>> get_synchronous_execution()
    True
    """
    return _Said.waits


def set_synchronous_execution(enable: bool | None) -> None:
    """Keep it: operations have happened when their calls return. None is True.

    >>> set_synchronous_execution(True)
    """
    _Said.waits = True if enable is None else enable


def tensor_float_32_execution_enabled() -> bool:
    """Give what was set last; no number is rounded to fewer bits than it has in any case.

    >>> tensor_float_32_execution_enabled()
    True
    """
    return _Said.rounds


def enable_tensor_float_32_execution(enabled: bool) -> None:
    """Keep it: no number is rounded to fewer bits than it has.

    >>> enable_tensor_float_32_execution(True)
    """
    _Said.rounds = enabled


# --- graphs ---------------------------------------------------------------------------------------


def get_jit() -> str:
    """Give "autoclustering" or nothing, as was set; no operations are fused before they run.

    >>> get_jit()
    ''
    """
    return "autoclustering" if _Said.fuses else ""


def set_jit(enabled: Any) -> None:
    """Keep it: no operations are fused before they run.

    >>> set_jit(False)
    """
    _Said.fuses = enabled in (True, "autoclustering")


_TOGGLES = (
    *("layout_optimizer", "constant_folding", "shape_optimization", "remapping"),
    *("arithmetic_optimization", "dependency_optimization", "loop_optimization"),
    *("function_optimization", "debug_stripper", "disable_model_pruning"),
    *("scoped_allocator_optimization", "pin_to_host_optimization", "implementation_selector"),
    *("auto_mixed_precision", "use_plugin_optimizers", "disable_meta_optimizer"),
    *("auto_mixed_precision_onednn_bfloat16", "auto_mixed_precision_mkl"),
)
"""The options of TensorFlow's optimizer of graphs that are on or off, in its order."""
_ALWAYS_TOLD = {"disable_model_pruning", "disable_meta_optimizer"}


def get_experimental_options() -> dict[str, Any]:
    """Give the options of TensorFlow's optimizer of graphs that were set; there are no graphs.

    >>> get_experimental_options()
    {'disable_model_pruning': False, 'disable_meta_optimizer': False}
    """
    told = _Said.options
    found = {
        name: bool(told.get(name))
        for name in _TOGGLES
        if name in _ALWAYS_TOLD or told.get(name) is not None
    }
    return found | ({"min_graph_nodes": n} if (n := told.get("min_graph_nodes")) else {})


def set_experimental_options(options: dict[str, Any]) -> None:
    """Keep them: there are no graphs to optimize. Others than TensorFlow's are not told again.

    >>> set_experimental_options({})
    """
    _Said.options.update(options)
