"""Tensors with layouts: meshes, what is printed and refused, parts, variables, random numbers."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np

from tests.answers.apart import Apart
from tests.answers.stand_ins import wide

TABLE = Apart("dtensor")
WHOLE = "unsharded"


class World:
    """A mesh of 2 x 2 x 2 names, and short words for layouts: `x.` is cut along its first axis."""

    def __init__(self, tf: Any) -> None:
        self.tf = wide(tf)
        self.d = self.tf.experimental.dtensor
        self.names = [f"CPU:{k}" for k in range(8)]
        self.mesh = self.d.create_mesh([("x", 2), ("y", 2), ("z", 2)], devices=self.names)
        self.other = self.d.create_mesh([("b", 4), ("f", 2)], devices=self.names)

    def lay(self, word: str, mesh: Any = None) -> Any:
        """Make the layout of a word."""
        specs = [WHOLE if c == "." else "match" if c == "?" else c for c in word]
        return self.d.Layout(specs, self.mesh if mesh is None else mesh)

    def put(self, word: str, *shape: int, dtype: str = "float32", mesh: Any = None) -> Any:
        """Make a tensor of the first numbers, with a layout."""
        value = np.arange(1, 1 + np.prod(shape), dtype=dtype).reshape(shape)
        return self.d.relayout(self.tf.constant(value), self.lay(word, mesh))

    def word(self, tensor: Any) -> Any:
        """Give the word of a layout."""
        layout = self.d.fetch_layout(tensor)
        if layout is None:
            return None
        return "".join("." if s == WHOLE else s for s in layout.sharding_specs)

    def told(self, tensor: Any) -> Any:
        """Tell a tensor by its layout and its whole value."""
        layout = self.d.fetch_layout(tensor)
        whole = self.d.Layout.replicated(layout.mesh, layout.rank)
        return [self.word(tensor), self.d.relayout(tensor, whole)]

    def text(self, value: Any) -> str:
        """Write a value, with letters for the meshes."""
        found = str(value)
        for letter, mesh in (("M", self.mesh), ("N", self.other)):
            found = found.replace(mesh.to_string(), letter)
        return found

    def made(self, make: Callable[..., Any], word: str, *args: Any, **how: Any) -> Any:
        """Call a function with a layout, and tell what it gives."""
        return self.told(self.d.call_with_layout(make, self.lay(word), *args, **how))


def _rows(name: str, runs: list[Callable[[World], Any]], **how: Any) -> None:
    TABLE.rows(name, [lambda tf, run=run: run(World(tf)) for run in runs], **how)


# --- meshes and layouts ---------------------------------------------------------------------------


def _of_mesh(m: Any) -> Any:
    properties = [m.name, m.dim_names, m.size, m.strides, m.single_device]
    calls = ("shape", "device_type", "is_remote", "use_xla_spmd", "local_device_ids")
    calls += ("global_device_ids", "local_devices", "global_devices", "num_local_devices")
    calls += ("min_global_device_id", "local_device_locations", "unravel_index")
    calls += ("is_single_device", "to_string")
    return properties, [str(getattr(m, name)()) for name in calls], str(m.host_mesh()), repr(m)


def _of_layout(layout: Any) -> Any:
    properties = [layout.sharding_specs, layout.rank, layout.shape, str(layout.mesh)]
    calls = ("is_fully_replicated", "is_batch_parallel", "is_single_device", "to_string")
    return properties, [getattr(layout, name)() for name in calls], repr(layout.type), repr(layout)


_rows(
    "meshes",
    [
        lambda o: _of_mesh(o.mesh),
        lambda o: _of_mesh(o.d.create_mesh({"x": 4, "y": 2}, "named")),
        lambda o: _of_mesh(o.d.create_mesh()),
        lambda o: _of_mesh(o.d.create_mesh([("x", -1)])),
        lambda o: _of_mesh(o.d.create_mesh([("x", 2)], devices=["cpu:0", "cpu:1"])),
        lambda o: str(o.d.Mesh(["x"], np.arange(2), [0], ["CPU:0"], "n", ["CPU:0", "CPU:1"])),
        lambda o: [o.mesh["x"], o.mesh.dim_size("y"), o.mesh.contains_dim("q"), "x" in o.mesh],
        lambda o: [o.mesh.coords(3), o.mesh.device_location(5)],
        lambda o: o.mesh.dim_size("q"),
        lambda o: [o.mesh == o.d.Mesh.from_string(o.mesh.to_string()), o.mesh == o.other],
        lambda o: len({o.mesh, o.other, o.d.Mesh.from_string(o.mesh.to_string())}),
        lambda o: [f(o.d.Mesh.from_device("CPU:0")) for f in (str, lambda m: m.is_single_device())],
        lambda o: o.d.create_mesh([("x", 3)]),
        lambda o: o.d.create_mesh([("x", 2)], devices=["CPU:0", "CPU:1"], device_type="GPU"),
        lambda o: o.d.create_mesh([("x", 2)], device_type="GPU"),
        lambda o: o.d.create_mesh([("x", 0)], devices=[]),
        lambda o: o.d.create_distributed_mesh([("x", 8)]),
        lambda o: o.d.Mesh(["x"], np.array([0, 2]), [0, 1], ["CPU:0", "CPU:1"]),
        lambda o: o.d.Mesh(["x"], np.arange(2), [0], ["CPU:0", "CPU:1"]),
        lambda o: o.d.Mesh(["x"], np.arange(2), [], []),
        lambda o: o.d.Mesh(["x", "y"], np.arange(2), [0, 1], ["CPU:0", "CPU:1"]),
        lambda o: o.d.Mesh(["x"], [0, 1], [0, 1], ["CPU:0", "CPU:1"]),
        lambda o: o.d.Mesh(["x"], np.arange(2), [0, 1], ["GPU:0", "GPU:0"]),
        lambda o: o.d.Mesh(["x"], np.arange(2), [0, 1], ["/job:a", "/job:a/task:1"]),
    ],
)
_rows(
    "meshes at fault",
    [
        lambda o: o.mesh == 3,
        lambda o: o.d.Mesh.from_string("abc"),
        lambda o: o.d.Layout.from_string("abc"),
        lambda o: o.d.create_mesh([("x", 2)], devices=["CPU:0", "GPU:1"]),
        lambda o: o.lay("x.") == 3,
        lambda o: o.d.initialize_accelerator_system("TPU9"),
    ],
    says="type",
)
_rows(
    "layouts",
    [
        *[lambda o, w=w: _of_layout(o.lay(w)) for w in ("", ".", "x", "x.", ".x", "xy", "zyx")],
        lambda o: _of_layout(o.d.Layout.from_device("CPU:0")),
        lambda o: str(o.lay("x.").to_parted()),
        lambda o: str(o.lay("x?")),
        lambda o: [o.text(o.lay("xyz").delete(k)) for k in (1, [0, 2], [5], [-1])],
        lambda o: [o.lay("xy.").num_shards(k) for k in range(3)],
        lambda o: [o.lay("x.y").offset_to_shard(), o.lay(".").offset_to_shard()],
        lambda o: [o.lay("x.y").offset_tuple_to_global_index(p) for p in ((1, 0, 1), (0, 0, 1))],
        lambda o: o.lay("x.y").local_shape_from_global_shape([4, 3, 6]),
        lambda o: o.lay("x.y").global_shape_from_local_shape([4, 3, 6]),
        lambda o: str(o.d.Layout.batch_sharded(o.mesh, "x", 3, axis=1)),
        lambda o: str(o.d.Layout.inner_sharded(o.mesh, "x", 3)),
        lambda o: str(o.d.Layout.replicated(o.mesh, 0)),
        lambda o: [
            o.lay("x.") == o.d.Layout.from_string(o.lay("x.").to_string()),
            o.lay("x.") == o.lay(".."),
        ],
        lambda o: len({o.lay("x."), o.lay("x."), o.lay("y.")}),
        lambda o: o.d.Layout(["x", "x"], o.mesh),
        lambda o: o.d.Layout(["q"], o.mesh),
        lambda o: o.d.Layout(["x"], 3),
        lambda o: [o.d.UNSHARDED, o.d.MATCH],
    ],
)
_rows("layouts at fault", [lambda o: o.d.Layout.batch_sharded(o.mesh, "q", 3)], says="type")
_rows(
    "clients",
    [
        lambda o: [f() for f in (o.d.client_id, o.d.num_clients, o.d.job_name, o.d.full_job_name)],
        lambda o: [o.d.jobs(), o.d.heartbeat_enabled(), o.d.preferred_device_type()],
        lambda o: [str(o.d.local_devices("CPU")), o.d.local_devices("GPU")],
        lambda o: str(o.d.local_devices("CPU", 1)),
        lambda o: o.d.local_devices("Q"),
        lambda o: [
            f(k) for f in (o.d.num_local_devices, o.d.num_global_devices) for k in ("CPU", "GPU")
        ],
        lambda o: o.d.device_name(),
        lambda o: o.d.barrier(o.mesh),
        lambda o: o.d.shutdown_accelerator_system(),
        lambda o: o.d.default_mesh(3).__enter__(),
    ],
)

# --- texts ----------------------------------------------------------------------------------------

_TENSORS = [
    lambda o: o.put("x.", 4, 2),
    lambda o: o.put("..", 2, 2),
    lambda o: o.put("xy", 8, 8),
    lambda o: o.put("", *()),
    lambda o: o.put("x", 4, dtype="int64"),
    lambda o: o.put("z", 16, dtype="float64") / 3.0,
    lambda o: o.put(".", 3) / 3.0,
    lambda o: o.put("x", 4) > 2.0,
    lambda o: o.put(".b", 4, 8, mesh=o.other),
    lambda o: o.d.relayout(o.tf.constant(["a", "b"]), o.lay("x")),
    lambda o: o.d.DVariable(o.put("x.", 4, 2)),
    lambda o: o.d.DVariable(o.put("..", 2, 2), name="w"),
    lambda o: o.d.DVariable(o.put("x.", 4, 2)).assign(o.put("y.", 4, 2)),
    lambda o: o.tf.convert_to_tensor(o.d.DVariable(o.put("x.", 4, 2))),
]
_rows("texts", [lambda o, t=t: [o.text(t(o)), o.text(repr(t(o)))] for t in _TENSORS])
_rows("formats", [lambda o, t=t: o.text(f"{t(o)}") for t in _TENSORS[:4]])


def _numbers(o: World) -> Any:
    s = o.put("")
    return [float(s), int(s), bool(s), s.numpy().item(), np.asarray(o.put("..", 2, 2)).tolist()]


_rows(
    "values",
    [
        _numbers,
        lambda o: [o.put("x.", 4, 2).device, o.put("").device, o.d.DVariable(o.put("")).device],
        lambda o: [len(o.put("x.", 4, 2)), str(o.put("xy", 4, 4).shape), o.put("xy", 4, 4).ndim],
        lambda o: [o.word(row) for row in o.put("xy", 4, 4)],
        lambda o: f"{o.put(''):.2f}",
        lambda o: hash(o.put("")),
    ],
)
_rows(
    "values in parts",
    [
        lambda o: o.put("x.", 4, 2).numpy(),
        lambda o: np.asarray(o.put("x.", 4, 2)),
        lambda o: o.d.DVariable(o.put("x.", 4, 2)).numpy(),
    ],
    says="type",
)

# --- moving ---------------------------------------------------------------------------------------

_WORDS = ("..", "x.", ".x", "xy", "yx", "y.", ".z")
_rows(
    "moved",
    [
        *[
            lambda o, a=a, b=b: o.told(o.d.relayout(o.put(a, 4, 4), o.lay(b)))
            for a, b in product(_WORDS[:4], _WORDS)
        ],
        lambda o: o.told(o.d.relayout(o.put("xy", 4, 4), o.lay("?."))),
        lambda o: o.told(o.d.relayout(o.put("..", 4, 4), o.lay("?x"))),
        lambda o: o.told(o.d.relayout([1.0, 2.0], o.lay("x"))),
        lambda o: o.told(o.d.relayout(np.ones((2, 2)), o.lay("x."))),
        lambda o: o.told(o.d.relayout(o.d.DVariable(o.put("..", 2, 2)), o.lay("x."))),
        lambda o: o.told(o.d.copy_to_mesh(o.put("..", 4, 4), o.lay("..", o.other))),
        lambda o: o.told(o.d.copy_to_mesh(o.tf.ones((4, 4)), o.lay("xy"))),
        lambda o: o.told(o.d.relayout_like(o.put("..", 4, 4), o.put("xy", 4, 4))),
        lambda o: o.told(o.d.relayout_like(o.tf.ones((4, 4)), o.put("xy", 4, 4))),
        lambda o: o.told(o.d.relayout_like(o.put("xy", 4, 4), o.tf.ones((4, 4)))),
        lambda o: o.told(
            o.tf.function(lambda q: o.d.relayout(q * 2.0, o.lay(".y")))(o.put("xy", 4, 4))
        ),
        lambda o: o.d.check_layout(o.put("xy", 4, 4), o.lay("xy")),
    ],
)
_PLAIN = (lambda o: o.tf.ones(2), lambda o: np.ones(2), lambda o: 3, lambda o: o.tf.Variable(1.0))
_rows(
    "asked",
    [
        lambda o: [o.d.is_dtensor(p(o)) for p in (*_PLAIN, *_TENSORS[:2], _TENSORS[10])],
        *[lambda o, p=p: o.d.fetch_layout(p(o)) for p in _PLAIN],
        lambda o: [o.tf.is_tensor(o.put("")), isinstance(o.put(""), o.tf.Tensor)],
        lambda o: o.d.unpack(o.tf.ones(2)),
        lambda o: o.d.relayout(o.tf.ones(2), None),
    ],
)
_rows(
    "asked in a function",
    [
        *[
            lambda o, f=f: o.tf.function(lambda: getattr(o.d, f)(o.put("")))()
            for f in ("fetch_layout", "unpack", "is_dtensor")
        ],
        lambda o: o.tf.function(lambda: o.d.pack([1.0] * 8, o.lay("")))(),
    ],
    says="type",
)
_rows(
    "moved at fault",
    [
        lambda o: o.d.relayout(o.tf.ones((2, 2)), o.lay("x")),
        lambda o: o.d.relayout(o.tf.ones(3), o.lay("x")),
        lambda o: o.d.check_layout(o.put("xy", 4, 4), o.lay("..")),
        lambda o: o.put("..", 4, 4) + o.put("..", 4, 4, mesh=o.other),
        lambda o: o.d.unpack(o.d.DVariable(o.put(""))),
    ],
    says="type",
)


def _components(o: World, word: str, *shape: int) -> Any:
    parts = o.d.unpack(o.put(word, *shape))
    return [[p.device, p] for p in parts], o.told(o.d.pack(parts, o.lay(word)))


_rows(
    "parts",
    [
        *[lambda o, w=w: _components(o, w, 4, 2) for w in ("..", "x.", ".z", "yx", "zy")],
        lambda o: _components(o, ""),
        lambda o: o.told(o.d.pack([[1, 2]] * 8, o.lay("x"))),
        lambda o: o.told(o.d.pack([np.ones(2)] * 8, o.lay("x"))),
        lambda o: o.told(o.d.pack([o.tf.constant([float(k // 4)]) for k in range(8)], o.lay("x"))),
        lambda o: o.d.pack([[1.0, 2.0]] * 4, o.lay("x")),
        lambda o: o.d.pack([[1.0, 2.0]] * 7 + [[1.0]], o.lay("x")),
        lambda o: o.d.pack([[1.0, 2.0]] * 7 + [[1, 2]], o.lay("x")),
        lambda o: o.d.pack([o.put("")] * 8, o.lay("")),
    ],
)

# --- scopes and random numbers --------------------------------------------------------------------


def _inside(make: Callable[[World], Any]) -> Callable[[World], Any]:
    def ask(o: World) -> Any:
        with o.d.default_mesh(o.mesh):
            found = make(o)
            here = o.d.get_default_mesh() == o.mesh
        return [o.d.is_dtensor(found), o.text(found), here]

    return ask


_rows(
    "scopes",
    [
        _inside(lambda o: o.tf.ones((2, 2))),
        _inside(lambda o: o.tf.constant([1.0, 2.0])),
        _inside(lambda o: o.tf.constant(1.0)),
        _inside(lambda o: o.tf.range(6)),
        _inside(lambda o: o.tf.zeros(3)),
        _inside(lambda o: o.tf.fill([2], 3.0)),
        _inside(lambda o: o.tf.linspace(0.0, 1.0, 3)),
        _inside(lambda o: o.tf.random.stateless_normal((2, 2), [1, 2])),
        _inside(lambda o: o.tf.matmul(o.tf.ones((2, 2)), o.tf.ones((2, 2)))),
        _inside(lambda o: o.tf.function(lambda: o.tf.ones((2, 2)) + 1.0)()),
        _inside(lambda o: o.tf.function(lambda: o.tf.constant([1.0, 2.0]))()),
        _inside(lambda o: o.put("xy", 4, 4) + o.tf.ones((4, 4))),
        _inside(lambda o: o.tf.zeros_like(o.put("xy", 4, 4))),
        _inside(lambda o: o.tf.Variable(o.tf.ones(2))),
        _inside(lambda o: o.tf.Variable(1.0, trainable=False, name="w")),
        _inside(lambda o: o.tf.Variable(lambda: o.put("x.", 4, 2))),
    ],
)
_rows(
    "scopes at fault",
    [
        _inside(lambda o: o.tf.constant([1.0, 2.0]) + o.tf.constant([1.0, 2.0])),
        _inside(lambda o: o.put("..", 2, 2) + o.tf.constant([[1.0, 2.0]] * 2)),
        _inside(lambda o: o.tf.Variable([1.0, 2.0])),
    ],
    says="type",
)
_rows(
    "called",
    [
        lambda o: o.made(o.tf.ones, "x.", (4, 2)),
        lambda o: o.made(o.tf.zeros, "x", shape=[4], dtype=o.tf.int32),
        lambda o: o.made(o.tf.fill, "xy", (2, 2), 3.0),
        lambda o: o.made(o.tf.function(o.tf.range), "x", 4),
        lambda o: o.made(o.tf.function(o.tf.eye), "x.", 4),
        lambda o: o.made(o.tf.function(o.tf.ones), "xy", (4, 2)),
        lambda o: o.made(lambda: o.tf.ones((4, 4)) * 2.0, "x."),
        lambda o: o.made(o.tf.add, "..", o.put("xy", 4, 4), o.put("xy", 4, 4)),
        lambda o: o.made(o.tf.function(o.tf.add), "x.", o.put("..", 4, 4), o.put("..", 4, 4)),
        lambda o: o.d.call_with_layout(o.tf.ones, None, (2,)),
        lambda o: o.d.call_with_layout(o.tf.constant, o.lay("x"), [1.0, 2.0]),
        lambda o: o.told(
            o.tf.function(lambda q: o.d.call_with_layout(o.tf.ones, o.lay("x."), (4, 2)))(o.put(""))
        ),
        lambda o: [
            o.told(t)
            for t in o.d.call_with_layout(
                o.tf.function(lambda: (o.tf.ones((4,)), o.tf.ones((4,)))), o.lay("x")
            )
        ],
    ],
)
_rows(
    "called at fault",
    [
        lambda o: o.made(o.tf.ones, "x.", (4,)),
        lambda o: o.made(o.tf.ones, "x.", (3, 2)),
    ],
    says="type",
)


def _drawn(name: str, word: str, shape: Any, seed: Any, **how: Any) -> Callable[[World], Any]:
    return lambda o: o.made(o.tf.function(getattr(o.tf.random, name)), word, shape, seed, **how)


_rows(
    "drawn",
    [
        *[_drawn("stateless_uniform", w, (4, 2), [1, 2]) for w in ("..", "x.", ".x", "zx", "yz")],
        _drawn("stateless_normal", "xz", (4, 2), [1, 2], mean=2.0, stddev=3.0),
        _drawn("stateless_truncated_normal", "xz", (4, 2), [1, 2]),
        _drawn("stateless_uniform", "xz", (4, 2), [1, 2], minval=0, maxval=100, dtype="int32"),
        _drawn("stateless_uniform", "xz", (4, 2), [1, 2], dtype="float64"),
        _drawn("stateless_uniform", "zyx", (2, 2, 2), [5, 7]),
        _drawn("stateless_normal", "y", (6,), [5, 7]),
    ],
)

# --- variables ------------------------------------------------------------------------------------


def _assigned(way: str, own: str, other: str) -> Callable[[World], Any]:
    def ask(o: World) -> Any:
        v = o.d.DVariable(o.put(own, 4, 4))
        getattr(v, way)(o.put(other, 4, 4) * 3.0)
        return [o.text(v.layout), o.told(v.read_value())]

    return ask


def _kept(o: World) -> Any:
    class Model(o.tf.Module):  # type: ignore[misc,name-defined]  # either one's
        def __init__(self) -> None:
            super().__init__()
            self.v = o.d.DVariable(o.put("x.", 4, 2))

    model = Model()
    with tempfile.TemporaryDirectory() as folder:
        checkpoint = o.tf.train.Checkpoint(root=model)
        path = checkpoint.save(os.path.join(folder, "c"))  # noqa: PTH118 - as scripts do
        model.v.assign(model.v * 0.0)
        checkpoint.restore(path).assert_consumed()
        other = Model()
        other.v.assign(other.v * 0.0)
        o.d.DTensorCheckpoint(o.mesh, root=other).restore(path)
    return [o.told(m.v.value()) for m in (model, other)], len(model.trainable_variables)


def _stepped(o: World) -> Any:
    """Give a loss, and weights after one step of a traced function, for each way of cutting."""
    found = []
    for x, w in product(("..", "x.", "xy"), ("..", ".y", "y.")):
        weight = o.d.DVariable(o.put(w, 4, 2) / 8.0)
        bias = o.d.DVariable(o.put(w[1], 2))

        @o.tf.function  # type: ignore[misc]  # either one's
        def step(given: Any, weight: Any = weight, bias: Any = bias) -> Any:
            with o.tf.GradientTape() as tape:
                y = o.tf.nn.relu(o.tf.matmul(given, weight) + bias)
                loss = o.tf.reduce_mean(y**2)
            for v, g in zip((weight, bias), tape.gradient(loss, (weight, bias)), strict=True):
                v.assign_sub(0.1 * g)
            return loss

        loss = step(o.put(x, 4, 4))
        found.append([o.told(loss), o.told(weight.value()), o.told(bias.value())])
    return found


_rows(
    "variables",
    [
        *[_assigned("assign", a, b) for a, b in product(("x.", "..", "xy"), ("x.", "y.", ".."))],
        *[_assigned("assign_add", "x.", b) for b in ("x.", ".y", "..")],
        *[_assigned("assign_sub", "x.", b) for b in ("x.", ".y", "..")],
        lambda o: o.told(o.d.DVariable(o.put("x.", 4, 2))[0]),
        lambda o: o.told(o.d.DVariable(o.put("x.", 4, 2)) + 1.0),
        lambda o: o.text(o.d.fetch_layout(o.d.DVariable(o.tf.ones((2, 2)), layout=o.lay("x.")))),
        lambda o: o.text(o.d.DVariable(lambda: o.put("xy", 4, 4)).layout),
        lambda o: [o.d.DVariable(o.put(""), trainable=False, name="n").trainable],
        lambda o: o.d.DVariable(o.tf.ones(2)),
        lambda o: o.told(o.tf.cast(o.d.DVariable(o.put("x.", 4, 2)), o.tf.int32)),
        _kept,
        _stepped,
    ],
)
_rows(
    "variables at fault",
    [
        lambda o: o.d.DVariable(o.put("xy", 4, 4), layout=o.lay("..")),
        lambda o: o.d.DVariable(o.put("..", 4, 4)).assign(o.tf.ones((4, 4))),
        lambda o: o.d.DVariable(o.put("..", 4, 4)).assign(np.ones((4, 4), np.float32)),
        lambda o: o.tf.Variable(o.tf.ones((2, 2))) + o.put("..", 2, 2),
        lambda o: o.put("xy", 4, 4) + np.ones((4, 4), np.float32),
        lambda o: o.put("xy", 4, 4) * o.tf.ones((4, 4)),
        lambda o: o.d.DVariable(o.put("..", 4, 4), dtype=o.tf.float64),
    ],
    says="type",
)

# --- datasets -------------------------------------------------------------------------------------


def _batches(make: Callable[[World, Any, Any], Any], count: int) -> Callable[[World], Any]:
    def ask(o: World) -> Any:
        numbers = o.tf.data.Dataset.range(18)
        pairs = numbers.map(lambda k: (o.tf.stack([k, k * 10]), k))
        dataset = make(o, numbers, pairs)
        elements = iter(dataset)  # TensorFlow ends badly where it comes to an end
        found = [next(elements) for _ in range(count)]
        return [
            str(dataset.element_spec),
            [[o.told(part) for part in o.tf.nest.flatten(one)] for one in found],
        ]

    return ask


def _dataset(o: World, dataset: Any, words: Any, size: int, **how: Any) -> Any:
    layouts = o.tf.nest.map_structure(lambda w: o.lay(w, o.other), words)
    return o.d.DTensorDataset(dataset, mesh=o.other, layouts=layouts, global_batch_size=size, **how)


_rows(
    "datasets",
    [
        _batches(lambda o, n, p: _dataset(o, n, "b", 8, batch_dim="b"), 2),
        _batches(lambda o, n, p: _dataset(o, n, ".", 5), 2),
        _batches(lambda o, n, p: _dataset(o, p, ("b.", "b"), 4, batch_dim="b"), 3),
        _batches(
            lambda o, n, p: _dataset(
                o, n.batch(2, True), "b", 8, batch_dim="b", dataset_already_batched=True
            ),
            2,
        ),
    ],
)
_rows(
    "datasets at fault",
    [
        _batches(lambda o, n, p: _dataset(o, n, ".", 8, batch_dim="b"), 1),
        _batches(lambda o, n, p: _dataset(o, n, "b.", 8, batch_dim="b"), 1),
        _batches(
            lambda o, n, p: _dataset(
                o, n.batch(2), "b", 8, batch_dim="b", dataset_already_batched=True
            ),
            1,
        ),
        _batches(
            lambda o, n, p: _dataset(
                o, n.batch(3, True), "b", 8, batch_dim="b", dataset_already_batched=True
            ),
            1,
        ),
        _batches(lambda o, n, p: _dataset(o, p, "b", 8, batch_dim="b"), 1),
    ],
    says="type",
)
