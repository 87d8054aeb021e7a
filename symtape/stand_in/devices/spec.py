"""`tf.compat.v1.DeviceSpec`: the parts of the name of a device, which can be changed."""

from __future__ import annotations

from typing import Any, Self

from symtape.ops.runtime.device_specs import DeviceSpecV2

_PARTS = ("job", "replica", "task", "device_type", "device_index")


class DeviceSpecV1(DeviceSpecV2):
    """The name of a device, by its parts, which can be changed.

    >>> spec = DeviceSpecV1(device_type="GPU")
    >>> spec.device_index = 1
    >>> spec.to_string()
    '/device:GPU:1'
    """

    __hash__ = DeviceSpecV2.__hash__

    def __eq__(self, other: object) -> bool:
        return super().__eq__(other)

    def __setattr__(self, name: str, value: Any) -> None:
        if name in _PARTS:
            changed = self.replace(**{name: value})
            name, value = "parts", changed.parts
        super().__setattr__(name, value)

    def parse_from_string(self, spec: str | None) -> Self:
        """Take the parts of a name; raises `ValueError` for parts that are unknown or twice there.

        >>> DeviceSpecV1().parse_from_string("/cpu:0").device_type
        'CPU'
        """
        self.parts = self.from_string(spec).parts
        return self

    def merge_from(self, dev: DeviceSpecV2) -> None:
        """Take the parts that another tells.

        >>> spec = DeviceSpecV1(job="worker")
        >>> spec.merge_from(DeviceSpecV2(task=1))
        >>> spec.to_string()
        '/job:worker/task:1'
        """
        self.parts = self.make_merged_spec(dev).parts
