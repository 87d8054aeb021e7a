"""Names of devices: what they say, what joins them, and the one that operations are told."""

from __future__ import annotations

import threading
from typing import Any, Self

from symtape.errors import InvalidArgumentError
from symtape.ops.runtime.devices import LogicalDevice

_TYPES = frozenset({"CPU", "GPU", "TPU", "CUSTOM", "EPU"})
_NUMBERED = ("replica", "task")


class DeviceSpecV2:
    """Say in parts what the name of a device says; a part that is None can be any.

    `cpu` and `gpu` are the types `CPU` and `GPU`. Raises `ValueError` for an index that is no
    number.

    >>> DeviceSpec(job="worker", task=1, device_type="gpu")
    <DeviceSpec(job=worker, replica=None, task=1, device_type=GPU, device_index=None)>
    """

    __slots__ = ("parts",)

    def __init__(
        self,
        job: Any = None,
        replica: Any = None,
        task: Any = None,
        device_type: Any = None,
        device_index: Any = None,
    ) -> None:
        kind = None if device_type is None else str(device_type)
        self.parts: tuple[Any, ...] = (
            None if job is None else str(job),
            *(None if part is None else int(part) for part in (replica, task)),
            kind.upper() if kind in {"cpu", "gpu"} else kind,
            None if device_index is None else int(device_index),
        )

    @property
    def job(self) -> Any:
        """The name of a job."""
        return self.parts[0]

    @property
    def replica(self) -> Any:
        """The number of a replica."""
        return self.parts[1]

    @property
    def task(self) -> Any:
        """The number of a task."""
        return self.parts[2]

    @property
    def device_type(self) -> Any:
        """The kind of device, as `GPU`."""
        return self.parts[3]

    @property
    def device_index(self) -> Any:
        """The number of the device."""
        return self.parts[4]

    @classmethod
    def from_string(cls, spec: str | None) -> Self:
        """Read the name of a device.

        Raises `ValueError` for a part that is not known, and for two types of devices.

        >>> DeviceSpec.from_string("/job:worker/GPU:1").device_index
        1
        """
        return cls(**_read(spec or ""))

    def parse_from_string(self, spec: str | None) -> Self:
        """Read the name of a device; this one stays as it is.

        >>> DeviceSpec().parse_from_string("CPU:0").to_string()
        '/device:CPU:0'
        """
        return self.from_string(spec)

    def to_string(self) -> str:
        """Write the name.

        >>> DeviceSpec(task=0, device_type="GPU").to_string()
        '/task:0/device:GPU:*'
        """
        named = zip(("job", *_NUMBERED), self.parts, strict=False)
        text = "".join(f"/{name}:{part}" for name, part in named if part is not None)
        index = "*" if self.device_index is None else self.device_index
        return text if self.device_type is None else f"{text}/device:{self.device_type}:{index}"

    def make_merged_spec(self, dev: DeviceSpecV2) -> Self:
        """Take what another says, and the rest of this.

        >>> DeviceSpec(job="a", task=1).make_merged_spec(DeviceSpec(task=2)).to_string()
        '/job:a/task:2'
        """
        both = zip(dev.parts, self.parts, strict=True)
        return type(self)(*(mine if its is None else its for its, mine in both))

    def replace(self, **kwargs: Any) -> Self:
        """Say something else of some parts.

        >>> DeviceSpec(job="a", task=1).replace(job=None).to_string()
        '/task:1'
        """
        names = ("job", *_NUMBERED, "device_type", "device_index")
        return type(self)(**(dict(zip(names, self.parts, strict=True)) | kwargs))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, type(self)) and self.to_string() == other.to_string()

    def __hash__(self) -> int:
        return hash(self.to_string())

    def __repr__(self) -> str:
        return (
            f"<DeviceSpec(job={self.job}, replica={self.replica}, task={self.task}, "
            f"device_type={self.device_type}, device_index={self.device_index})>"
        )


DeviceSpec = DeviceSpecV2


def _read(spec: str) -> dict[str, Any]:
    """Read the parts that stand between slashes, of which the last one counts."""
    found: dict[str, Any] = {}
    for part in spec.split("/"):
        head, *rest = part.split(":")
        if len(rest) == 1 and head in ("job", *_NUMBERED):
            found[head] = rest[0]
        elif len(rest) < 2 and head.upper() in _TYPES:
            _take(found, spec, head.upper(), *rest)
        elif len(rest) == 2 and head == "device":
            _take(found, spec, *rest)
        elif head:
            raise ValueError(
                f"Unknown attribute '{head}' is encountered while parsing the device spec: "
                f"'{spec}'."
            )
    return found


def _take(found: dict[str, Any], spec: str, kind: str, index: str = "*") -> None:
    if "device_type" in found:
        raise ValueError(
            f"Multiple device types are not allowed while parsing the device spec: {spec}."
        )
    found["device_type"] = kind
    if index != "*":
        found["device_index"] = int(index)


class _Told(threading.local):
    """The device that a thread was told, this process's processor at first."""

    spec = DeviceSpec("localhost", 0, 0, "CPU", 0)


_TOLD = _Told()


class _Device:
    """A context in which a device is named; programs read the name."""

    def __init__(self, name: Any) -> None:
        self._device_name = name
        self._outer: list[DeviceSpecV2] = []

    def __enter__(self) -> None:
        spec = _here(self._device_name)
        self._outer.append(_TOLD.spec)
        _TOLD.spec = spec

    def __exit__(self, *_: object) -> None:
        _TOLD.spec = self._outer.pop()


def device(device_name: Any) -> _Device:
    """A context in which a device is named, on which nothing depends: there is one processor.

    A name is a text, a `DeviceSpec` or what `tf.config.list_logical_devices` lists. As in
    TensorFlow without a graphics card, any kind of device is that processor. Within the context of
    another name a name says what is different. Raises `RuntimeError` for a function, and where the
    context is entered `ValueError` for what is no name of a device and `InvalidArgumentError` for
    one of another process.

    >>> with device("/GPU:0"):
    ...     pass
    >>> with device("/job:worker"):
    ...     pass
    Traceback (most recent call last):
    symtape.errors.InvalidArgumentError: /job:worker/replica:0/task:0/device:CPU:0 unknown device.
    """
    if callable(device_name):
        raise RuntimeError("tf.device does not support functions.")
    return _Device(device_name)


def _here(name: Any) -> DeviceSpecV2:
    """Read a name within the present one, and see that it is of this process."""
    if name is None:
        return _Told.spec
    name = name.name if isinstance(name, LogicalDevice) else name
    name = name.to_string() if isinstance(name, DeviceSpecV2) else name
    if not isinstance(name, str):
        raise ValueError(f"Expecting a string device name. Got {type(name)}({name})")
    spec = _TOLD.spec.make_merged_spec(DeviceSpec.from_string(name))
    if (spec.device_index or 0) < 0:
        raise InvalidArgumentError(message=f"Malformed device specification '{spec.to_string()}'")
    if (spec.job, spec.replica, spec.task) != ("localhost", 0, 0):
        raise InvalidArgumentError(message=f"{spec.to_string()} unknown device.")
    return spec
