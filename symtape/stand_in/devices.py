"""`tf.DeviceSpec`: the parts of the name of a device; there is one device, whatever its name."""

from __future__ import annotations

from typing import Any, NamedTuple, Self

_KINDS = ("CPU", "GPU", "TPU", "CUSTOM", "EPU")


class _Parts(NamedTuple):
    """What the name of a device may tell; what it does not tell is None."""

    job: str | None
    replica: int | None
    task: int | None
    device_type: str | None
    device_index: int | None

    @classmethod
    def of(cls, job: Any, replica: Any, task: Any, device_type: Any, device_index: Any) -> _Parts:
        """Read the parts: names are texts, and the rest whole numbers."""
        kind = device_type.upper() if device_type in {"cpu", "gpu"} else device_type
        job, kind = (None if x is None else str(x) for x in (job, kind))
        numbers = [None if x is None else int(x) for x in (replica, task, device_index)]
        return cls(job, numbers[0], numbers[1], kind, numbers[2])

    @classmethod
    def read(cls, spec: str | None) -> _Parts:
        """Read a name; raises `ValueError` for parts that are unknown or there twice."""
        found: dict[str, Any] = dict.fromkeys(cls._fields)
        for part in (text.split(":") for text in (spec or "").split("/")):
            for name, value in _read(part, spec or "").items():
                if name == "device_type" and found[name] is not None:
                    raise ValueError(
                        "Multiple device types are not allowed while parsing the device spec: "
                        f"{spec}."
                    )
                found[name] = value
        return cls.of(**found)

    def text(self) -> str:
        """Write the name."""
        names = ("job", "replica", "task")
        parts = [f"/{n}:{v}" for n, v in zip(names, self, strict=False) if v is not None]
        if self.device_type is not None:
            index = "*" if self.device_index is None else self.device_index
            parts.append(f"/device:{self.device_type}:{index}")
        return "".join(parts)


def _read(part: list[str], spec: str) -> dict[str, Any]:
    """Read what stands between two slashes."""
    head = part[0]
    if len(part) == 2 and head in {"job", "replica", "task"}:
        return {head: part[1]}
    if len(part) < 3 and head.upper() in _KINDS:
        kind, index = head.upper(), part[1] if len(part) == 2 else "*"
    elif len(part) == 3 and head == "device":
        kind, index = part[1], part[2]
    elif head:
        raise ValueError(
            f"Unknown attribute '{head}' is encountered while parsing the device spec: '{spec}'."
        )
    else:
        return {}
    return {"device_type": kind} | ({} if index == "*" else {"device_index": int(index)})


class DeviceSpecV2:
    """The name of a device, by its parts (`tf.DeviceSpec`), which cannot be changed.

    >>> DeviceSpecV2(device_type="GPU", device_index=0).to_string()
    '/device:GPU:0'
    """

    def __init__(
        self,
        job: Any = None,
        replica: Any = None,
        task: Any = None,
        device_type: Any = None,
        device_index: Any = None,
    ) -> None:
        self.parts = _Parts.of(job, replica, task, device_type, device_index)

    @classmethod
    def from_string(cls, spec: str | None) -> Self:
        """Read a name; raises `ValueError` for parts that are unknown or there twice.

        >>> DeviceSpecV2.from_string("/job:worker/gpu:1")
        <DeviceSpec(job=worker, replica=None, task=None, device_type=GPU, device_index=1)>
        """
        return cls(*_Parts.read(spec))

    def parse_from_string(self, spec: str | None) -> Self:
        """Read a name, as `from_string`."""
        return self.from_string(spec)

    def to_string(self) -> str:
        """Write the name."""
        return self.parts.text()

    def make_merged_spec(self, dev: DeviceSpecV2) -> Self:
        """Give the parts of another, and where it tells none, one's own."""
        return type(self)(*self._merged(dev))

    def _merged(self, dev: DeviceSpecV2) -> list[Any]:
        pairs = zip(dev.parts, self.parts, strict=True)
        return [own if other is None else other for other, own in pairs]

    def replace(self, **kwargs: Any) -> Self:
        """Give the same with other values of some parts."""
        return type(self)(**(self.parts._asdict() | kwargs))

    @property
    def job(self) -> str | None:
        """The name of the job."""
        return self.parts.job

    @property
    def replica(self) -> int | None:
        """The number of the replica."""
        return self.parts.replica

    @property
    def task(self) -> int | None:
        """The number of the task."""
        return self.parts.task

    @property
    def device_type(self) -> str | None:
        """The kind of device."""
        return self.parts.device_type

    @property
    def device_index(self) -> int | None:
        """The number of the device among those of its kind."""
        return self.parts.device_index

    def __eq__(self, other: object) -> bool:
        return isinstance(other, type(self)) and self.to_string() == other.to_string()

    def __hash__(self) -> int:
        return hash(self.to_string())

    def __repr__(self) -> str:
        told = ", ".join(f"{name}={value}" for name, value in self.parts._asdict().items())
        return f"<DeviceSpec({told})>"


class DeviceSpecV1(DeviceSpecV2):
    """The name of a device, by its parts (`tf.compat.v1.DeviceSpec`), which can be changed.

    >>> spec = DeviceSpecV1(device_type="GPU")
    >>> spec.device_index = 1
    >>> spec.to_string()
    '/device:GPU:1'
    """

    __hash__ = DeviceSpecV2.__hash__

    def __eq__(self, other: object) -> bool:
        return super().__eq__(other)

    def __setattr__(self, name: str, value: Any) -> None:
        if name in _Parts._fields:
            name, value = "parts", _Parts.of(**(self.parts._asdict() | {name: value}))
        super().__setattr__(name, value)

    def parse_from_string(self, spec: str | None) -> Self:
        """Take the parts of a name; raises `ValueError` for parts that are unknown or twice there.

        >>> DeviceSpecV1().parse_from_string("/cpu:0").device_type
        'CPU'
        """
        self.parts = _Parts.read(spec)
        return self

    def merge_from(self, dev: DeviceSpecV2) -> None:
        """Take the parts that another tells.

        >>> spec = DeviceSpecV1(job="worker")
        >>> spec.merge_from(DeviceSpecV2(task=1))
        >>> spec.to_string()
        '/job:worker/task:1'
        """
        self.parts = _Parts.of(*self._merged(dev))
