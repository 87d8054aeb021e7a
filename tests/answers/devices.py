"""Names of devices: how they are read, written and joined, and which of them are here."""

from __future__ import annotations

from typing import Any

from tests.answers.answer import Table

TABLE = Table("devices")
NAMES = (
    *("", "cpu", "CPU:1", "/gpu:0", "/device:XPU:2", "/device:cpu:*", "/job:a/replica:1/task:2"),
    *("/job:a/job:b", "magic", "/job:a/magic:1", "cpu/gpu", "/device:CPU:x", "/task:x", "/GPU:*"),
)


def _within(tf: Any, *names: Any) -> Any:
    """Make a tensor within the contexts of some names, one in the other."""
    if not names:
        return tf.zeros(2).device
    with tf.device(names[0]):
        return _within(tf, *names[1:])


def _said(spec: Any) -> Any:
    parts = (spec.job, spec.replica, spec.task, spec.device_type, spec.device_index)
    return [repr(spec), spec.to_string(), *parts]


TABLE.rows(
    "told",
    [
        *[lambda tf, n=n: _within(tf, n) for n in (*NAMES, None, 3, b"cpu", ["cpu"])],
        lambda tf: _within(tf, lambda op: "cpu"),
        lambda tf: _within(tf, "cpu:0", "magic"),
        lambda tf: _within(tf, "gpu", "/job:localhost", "/task:0"),
        *[lambda tf, n=n: _within(tf, n) for n in ("/job:worker", "/replica:1", "/task:1")],
        lambda tf: tf.device("magic") and "made",
        lambda tf: _within(tf, tf.DeviceSpec(job="localhost", device_type="cpu").to_string()),
        lambda tf: _within(tf, tf.DeviceSpec()),
        lambda tf: _within(tf, tf.DeviceSpec("worker")),
        lambda tf: _within(tf, tf.config.list_logical_devices()[0]),
    ],
)
TABLE.rows(
    "told at fault",
    [
        lambda tf: _within(tf, "/CPU:-1"),
        lambda tf: _within(tf, tf.config.list_physical_devices()[0]),
    ],
    says="type",
)
TABLE.rows(
    "specs",
    [
        *[lambda tf, n=n: _said(tf.DeviceSpec.from_string(n)) for n in (*NAMES, None)],
        lambda tf: _said(tf.DeviceSpec()),
        lambda tf: _said(tf.DeviceSpec(1, "2", 3.5, "gpu", "4")),
        lambda tf: _said(tf.DeviceSpec(device_type="tpu")),
        lambda tf: tf.DeviceSpec(replica="a"),
        lambda tf: _said(tf.DeviceSpec("a", 0).parse_from_string("/GPU:1")),
        lambda tf: _said(tf.DeviceSpec("a", 1).make_merged_spec(tf.DeviceSpec(task=2, replica=0))),
        lambda tf: _said(tf.DeviceSpec("a", 1).replace(job=None, device_type="gpu")),
        lambda tf: tf.DeviceSpec("a", 1).replace(device="gpu") and "made",
        lambda tf: setattr(tf.DeviceSpec(), "job", "a"),
        lambda tf: [tf.DeviceSpec("a") == other for other in (tf.DeviceSpec("a"), "/job:a", None)],
        lambda tf: len({tf.DeviceSpec("a"), tf.DeviceSpec.from_string("/job:a")}),
    ],
)
