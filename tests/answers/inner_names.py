"""What the functions answer that public code takes from `tensorflow.python.util` and its kin."""

from __future__ import annotations

import functools
import logging
from collections import namedtuple
from collections.abc import Callable
from types import FunctionType
from typing import Any

import numpy as np

from tests.answers.answer import Table
from tests.answers.inner_kernels import within
from tests.answers.numpy_names import outcome
from tests.answers.stand_ins import wide

TABLE = Table("inner_names")
Pair = namedtuple("Pair", "low high")  # noqa: PYI024 - of which TensorFlow reads the fields
OTHER = {"b": [5, (6, 7)], "a": Pair(1, {"c": 2})}


def _asked(path: str, *calls: Callable[[Any], Any]) -> None:
    """Add a row: a name within `tensorflow.python`, and some uses of it."""
    TABLE.add(
        path,
        lambda tf: [
            repr(outcome(lambda tf, call=call: call(within(tf, path)), tf)) for call in calls
        ],
    )


def _joined(*given: Any, **words: Any) -> Any:
    return [*given, *sorted(words.items())]


_asked("util.nest.is_mapping", lambda f: [f({}), f([]), f(Pair(1, 2))])
_asked("util.nest.is_nested_or_composite", lambda f: [f({}), f(1), f(Pair(1, 2)), f("a")])
_asked("util.nest.yield_flat_paths", lambda f: [*f(OTHER)], lambda f: [*f(3)], lambda f: [*f([])])
_asked("util.nest.flatten_with_tuple_paths", lambda f: f(OTHER), lambda f: f(3))
_asked(
    "util.nest.flatten_with_joined_string_paths",
    lambda f: f(OTHER),
    lambda f: f([1], separator="."),
)


def _within_function(tf: Any, derive: Any, of: Callable[[Any], Any]) -> Any:
    found = tf.function(lambda x: derive(of(x), x))(tf.constant([1.0, 2.0]))
    return found.numpy().tolist()


@TABLE.program
def hessians_times_vectors(tf: Any) -> Any:
    product = within(tf, "ops.gradients_impl._hessian_vector_product")
    tf = wide(tf)

    def found(x: Any) -> Any:
        y = tf.constant(3.0)
        z = tf.reduce_sum(x**3) * y
        return product(z, [x, y], [x + 1.0, y]), product([z, y], [x], [x * x])

    x = tf.constant([1.0, 2.0])
    misfit = outcome(lambda tf: tf.function(lambda x: product(x, [x], []))(x), tf)
    return [*tf.nest.flatten(tf.function(found)(x)), repr(misfit)[:12]]


@TABLE.program
def older_scopes(tf: Any) -> Any:
    scope = within(tf, "framework.ops.name_scope")

    def scopes() -> list[str | None]:
        with scope(None, "Outer", [1.0]) as outer, scope("inner") as inner:
            return [outer, inner]

    told: list[Any] = [scopes()]
    tf.function(lambda: told.append(scopes()))()
    with scope(None, "Other", [1.0], skip_on_eager=False) as other:
        return [*told, other]


@TABLE.program
def older_ways_to_convert(tf: Any) -> Any:
    """Convert by place and by the words of `ops.convert_to_tensor`."""
    convert = within(tf, "framework.ops.convert_to_tensor")
    failed = [
        repr(outcome(lambda tf, call=call: call(), tf))
        for call in (lambda: convert(None), lambda: convert(tf.constant(1), tf.float32))
    ]
    return [
        convert([1, 2], tf.float64, "pair"),
        convert(3, preferred_dtype=tf.float32),
        convert(3, dtype_hint=tf.float16, as_ref=False),
        convert(tf.Variable([2.0]), None, "v"),
        convert(tf.IndexedSlices(tf.constant([[1.0]]), tf.constant([1]), tf.constant([2, 1]))),
        *failed,
    ]


TABLE.add(
    "ops.parallel_for.gradients.jacobian",
    lambda tf: [
        _within_function(wide(tf), within(tf, "ops.parallel_for.gradients.jacobian"), of)
        for of in (lambda x: x * x, lambda x: x[:, None] * x)
    ],
)
_SHALLOW: list[Callable[[Any], Any]] = [
    lambda f: f([0, 0], [1, [2, 3]]),
    lambda f: f([0, 0], (1, [2, 3])),
    lambda f: f([0, 0], (1, [2, 3]), check_types=False),
    lambda f: f([0, [0]], [1, 2]),
    lambda f: f([0, 0], [1, 2, 3]),
    lambda f: f({"a": 0}, {"b": 1}),
    lambda f: f({"a": 0, "b": 0}, {"b": [1], "a": 2}),
    lambda f: f(Pair(0, 0), Pair(1, [2])),
    lambda f: f(Pair(0, 0), (1, 2)),
    lambda f: f(0, [1, 2]),
]
for _name in ("assert_shallow_structure", "flatten_up_to", "flatten_with_tuple_paths_up_to"):
    _asked(f"util.nest.{_name}", *_SHALLOW)
_asked(
    "util.nest.map_structure_up_to",
    lambda f: f([0, 0], _joined, [1, [2]], [[3], 4]),
    lambda f: f(Pair(0, [0]), _joined, Pair(1, [2])),
    lambda f: f([0], _joined, (1,), check_types=False),
    lambda f: f([0], _joined, [1], [2, 3]),
    lambda f: f([0], _joined),
)
_asked(
    "util.nest.map_structure_with_tuple_paths_up_to",
    lambda f: f([0, {"a": 0}], _joined, [1, {"a": [2]}], more=5),
)
_asked("util.nest.map_structure_with_tuple_paths", lambda f: f(_joined, OTHER, OTHER))
_asked("util.nest.map_structure_with_paths", lambda f: f(_joined, OTHER, more=1))

_asked("data.experimental.AUTOTUNE", lambda found: found)
_asked(
    "ops.init_ops_v2._compute_fans",
    lambda f: [f(shape) for shape in ((), (3,), (3, 4), [2, 3, 4, 5])],
)
_asked(
    "framework.smart_cond.smart_cond",
    lambda f: [f(True, lambda: 1, lambda: 2), f(False, lambda: 1, lambda: 2)],
    *(
        lambda f, pred=pred: f(pred, lambda: 1, lambda: 2)
        for pred in (1, 0, 2, 1.0, "x", None, np.bool_(True), np.array(True), [True])
    ),
    lambda f: f(True, 1, lambda: 2),
    lambda f: f(True, lambda: 1),
)
_V = np.array([[1.0, 2.0], [3.0, 4.0]], np.float32)
_W = "ops.weights_broadcast_ops"
_asked(
    f"{_W}.broadcast_weights",
    lambda f: f(2, _V).numpy(),
    lambda f: f([[2.0], [1.0]], _V).numpy(),
    lambda f: f(_V, _V).numpy(),
    lambda f: f([1.0, 2.0], _V),
    lambda f: f([[1.0, 2.0, 3.0]], _V),
    lambda f: f(_V.astype(np.float64), _V),
)
_asked(
    f"{_W}.assert_broadcastable",
    lambda f: f([[2.0], [1.0]], _V),
    lambda f: f([[2.0, 1.0, 0.0]], _V),
)


def _plain(x: Any, y: int = 1, *rest: Any, z: int = 2, **words: Any) -> Any:
    """Join what is given."""
    return _joined(x, y, *rest, z, **words)


class _Made:
    """Something with two arguments."""

    def __init__(self, a: int, b: int = 3) -> None:
        self.a, self.b = a, b

    def __call__(self, c: int) -> int:
        return self.a + c

    def times(self, d: int, e: int = 4) -> int:
        """Multiply."""
        return self.a * d * e


_asked(
    "util.tf_inspect.getargspec",
    lambda f: f(_plain),
    lambda f: f(_Made),
    lambda f: f(_Made(1)),
    lambda f: f(functools.partial(_plain, 1, y=5)),
    lambda f: f(functools.partial(_Made(1).times, d=5)),
    lambda f: f(_Made(1).times),
    lambda f: f(abs),
)
_asked(
    "util.tf_inspect.getfullargspec", lambda f: f(_plain).args, lambda f: f(_plain).kwonlydefaults
)
_asked(
    "util.tf_inspect.getcallargs",
    lambda f: f(_plain, 1, z=4),
    lambda f: sorted(f(_Made(1).times, 2)),
    lambda f: f(_plain, x=3),
)
_asked("util.tf_inspect.signature", lambda f: f(_plain), lambda f: f(_Made))
_asked("util.tf_inspect.isfunction", lambda f: [f(_plain), f(_Made), f(abs)])
_asked("util.tf_inspect.isclass", lambda f: [f(_plain), f(_Made)])
_asked("util.tf_inspect.ismethod", lambda f: [f(_plain), f(_Made(1).times)])
_asked("util.tf_inspect.isanytargetmethod", lambda f: [f(_plain), f(_Made(1).times), f(_Made)])
_asked("util.tf_inspect.getmro", lambda f: [c.__name__ for c in f(Pair)])


def _around(function: Any) -> Any:
    """Decorate a function, and tell what can be seen of it."""
    made = function(_plain, lambda *args, **words: ["around", *args], "twice", "Twice.")
    seen = made._tf_decorator
    return [
        *(made(1, 2), made.__name__, made.__doc__, made.__wrapped__ is _plain),
        *(seen.decorator_name, seen.decorator_doc, seen.decorated_target is _plain),
        str(made.__signature__),
    ]


_asked("util.tf_decorator.make_decorator", _around)
_asked("util.tf_decorator.unwrap", lambda f: f(abs))


def _afresh() -> Any:
    """Make the function anew, since of one function is warned once."""
    made = FunctionType(_plain.__code__, globals(), "_plain", _plain.__defaults__)
    made.__kwdefaults__, made.__annotations__ = _plain.__kwdefaults__, _plain.__annotations__
    made.__doc__ = _plain.__doc__
    return made


def _warned(decorate: Any, *calls: Callable[[Any], Any]) -> Any:
    """Decorate a function, call it, and tell its text and of what is warned, but for the line."""
    told: list[str] = []
    handler = logging.Handler()
    handler.emit = lambda record: told.append(record.getMessage().partition(": ")[2])  # type: ignore[method-assign]
    log = logging.getLogger("tensorflow")
    level = log.level  # another program may have asked for silence
    log.addHandler(handler)
    log.setLevel(logging.WARNING)
    try:
        made = decorate(_afresh())
        found = [call(made) for call in calls]
    finally:
        log.removeHandler(handler)
        log.setLevel(level)
    return [made.__doc__, made.__name__, str(made.__signature__), found, told]


_CALLS: tuple[Callable[[Any], Any], ...] = (
    lambda g: g(0),
    lambda g: g(1, 5, z=3),
    lambda g: g(1, y=5),
    lambda g: g(1, 2, 3, w=4),
)
_asked(
    "util.deprecation.deprecated",
    lambda f: _warned(f("2030-01-01", "Use sum."), *_CALLS),
    lambda f: _warned(f(None, "Use sum.", warn_once=False), *_CALLS),
    lambda f: f("1.1.2030", "Use sum."),
    lambda f: f(None, ""),
    lambda f: f(None, "Use sum.")(3),
    lambda f: f(None, "Use more.")(type("Own", (_Made,), {}))(2).a,
)
_asked(
    "util.deprecation.deprecated_args",
    lambda f: _warned(f("2030-01-01", "Use z.", "y"), *_CALLS),
    lambda f: _warned(f(None, "Use z.", ("y", 5), "z", "rest"), *_CALLS),
    lambda f: _warned(f(None, "Use z.", "y", "words", warn_once=False), *_CALLS),
    lambda f: f(None, "Use z."),
    lambda f: f(None, "Use z.", "y", other=1),
    lambda f: f(None, "Use z.", "v")(_plain),
)
TABLE.rows(
    "a choice by a tensor",
    [
        *(
            lambda tf, given=given: outcome(
                lambda tf: within(tf, "framework.smart_cond.smart_cond")(
                    tf.constant(given), lambda: 1, lambda: 2
                ),
                tf,
            )
            for given in (True, 0, [True])
        ),
        lambda tf: tf.function(
            lambda x: within(tf, "framework.smart_cond.smart_cond")(x > 0, lambda: x, lambda: -x)
        )(tf.constant(-2.0)),
        lambda tf: outcome(
            lambda tf: within(tf, "framework.smart_cond.smart_cond")(
                tf.Variable(True), lambda: 1, lambda: 2
            ),
            tf,
        ),
    ],
)
TABLE.rows(
    "arguments that will go, within a function",
    [
        lambda tf: _warned(
            within(tf, "util.deprecation.deprecated_args")(None, "Use z.", ("y", 5), "words"),
            *(
                lambda g, call=call: tf.function(lambda: tf.constant(call(g)[0]))()
                for call in _CALLS
            ),
        )[-1],
    ],
)
_asked(
    "util.deprecation.deprecated_arg_values",
    lambda f: _warned(f("2030-01-01", "Use z.", y=5, z=2), *_CALLS),
    lambda f: _warned(f(None, "Use z.", warn_once=False, y=1), *_CALLS),
    lambda f: f(None, "Use z."),
)
_asked(
    "util.deprecation.deprecated_argument_lookup",
    lambda f: [f("axis", 1, "dim", None), f("axis", None, "dim", 2)],
    lambda f: f("axis", 1, "dim", 2),
)


def _exported(export: Any, *names: str, **words: Any) -> Any:
    made = export(*names, **words)(lambda x: x)
    return [made(3), sorted(vars(made).items())]


_asked("distribute.values.PerReplica", lambda f: [isinstance(3, f), isinstance(f, type)])
_asked(
    "keras.engine.data_adapter.unpack_x_y_sample_weight",
    *(lambda f, data=data: f(data) for data in (1, [1, 2], (1,), (1, 2), (1, 2, 3), (), (1,) * 4)),
)
_asked(
    "keras.engine.data_adapter.pack_x_y_sample_weight",
    lambda f: [f(1), f([1]), f({"a": 1}), f(1, 2), f(1, 2, 3), f(1, None, 3)],
)
_asked(
    "ops.linalg.sparse.sparse_csr_matrix_ops.tf_export", lambda f: _exported(f, "a.b", v1=["old"])
)
_asked("util.deprecation.deprecated_endpoints", lambda f: _exported(f, "a", "b"))
_asked(
    "util.tf_export.tf_export",
    lambda f: _exported(f, "a.b", "c"),
    lambda f: _exported(f, "a.b", v1=["old"]),
    lambda f: _exported(f, "keras.b"),
)
_asked(
    "util.tf_export.keras_export",
    lambda f: _exported(f, "keras.layers.Own"),
    lambda f: _exported(f, "a.b"),
)
_asked("util.nest._is_namedtuple", lambda f: [f(Pair(1, 2)), f((1, 2)), f([]), f(3)])
_asked("util.nest._yield_value", lambda f: [*f(OTHER)], lambda f: [*f((1, [2]))])
_asked("util.nest._yield_sorted_items", lambda f: [*f(OTHER)], lambda f: [*f([7, [8]])])
_asked(
    "util.nest._sequence_like",
    lambda f: f({"b": 0, "a": 0}, [1, 2]),
    lambda f: f(Pair(0, 0), [1, [2]]),
    lambda f: f((0, 0), [1, 2]),
    lambda f: f([], []),
)
_asked(
    "util.nest.get_traverse_shallow_structure",
    lambda f: f(lambda part: isinstance(part, list), [1, [2, (3, [4])]]),
    lambda f: f(lambda part: True, OTHER),
    lambda f: f(lambda part: False, OTHER),
    lambda f: f(lambda part: [True, False] if isinstance(part, list) else True, [(1,), (2,)]),
    lambda f: f(lambda part: True, 3),
    lambda f: f(lambda part: [True], 3),
    lambda f: f(lambda part: 1, [3]),
    lambda f: f(lambda part: [1, 2], [3, 4]),
    lambda f: f(lambda part: [True], [3, 4]),
)
_asked("util.deprecation.silence", lambda f: [f().__enter__(), type(f()).__name__])
_asked(
    "util.deprecation.deprecated_alias",
    lambda f: f("old.f", "new.f", lambda x: x + 1)(2),
    lambda f: f("old.C", "new.C", Pair)(1, 2).low,
    lambda f: issubclass(f("old.C", "new.C", Pair), Pair),
)
_asked("ops.control_flow_util.ENABLE_CONTROL_FLOW_V2", lambda v: v)
_asked("ops.parallel_for.control_flow_ops.pfor", lambda f: f(lambda i: i * i, 3).numpy().tolist())
_asked("framework.tensor_shape.as_shape", lambda f: [f([1, None]), f(None), f(f([2]))])
TABLE.add(
    "framework.tensor_util.constant_value_as_shape",
    lambda tf: [
        str(within(tf, "framework.tensor_util.constant_value_as_shape")(tf.constant(x, tf.int32)))
        for x in ([1, -1, 2], [], [3])
    ],
)
TABLE.add(
    "ops.control_flow_util.GraphOrParentsInXlaContext",
    lambda tf: within(tf, "ops.control_flow_util.GraphOrParentsInXlaContext")(
        within(tf, "framework.ops.get_default_graph")()
    ),
)
_asked(
    "framework.type_spec_registry.register",
    lambda f: f(3),
    lambda f: f("name"),
    lambda f: f("a.name")(3),
)
_asked(
    "ops.resource_variable_ops.VariableSpec",
    lambda f: [f([2, None]), f([2], "int32", False, 3), f([2]) == f([2]), f([2]) == f([3])],
    lambda f: [f([2]).is_compatible_with(f([2])), f([None]).is_compatible_with(f([2]))],
    lambda f: [f([2]).is_subtype_of(f([None])), f([None]).is_subtype_of(f([2]))],
    lambda f: f([2]).most_specific_common_supertype([f([3])]),
    lambda f: f([2]).most_specific_common_supertype([f([3], "int32")]),
    lambda f: hash(f([2])) == hash(f([2])),
)


def _scoped(tf: Any) -> Any:
    """Name variables within scopes of variables."""
    v1, found = tf.compat.v1, []
    outer = v1.get_variable_scope()
    found += [outer.name, outer.caching_device, outer.original_name_scope, outer.dtype]
    with v1.variable_scope("a") as a:
        found += [a.name, a.original_name_scope, tf.Variable(1.0, name="w").name]
        with v1.variable_scope("b", reuse=True) as b:
            found += [b.name, b.original_name_scope, tf.Variable(1.0).name]
        with v1.variable_scope(None, default_name="c", dtype=tf.float64) as c:
            found += [c.name, c.original_name_scope, c.dtype, v1.get_variable_scope().name]
    with v1.variable_scope(a) as again:
        found += [again.name, tf.Variable(1.0, name="w").name]
    with v1.variable_scope(a, auxiliary_name_scope=False):
        found.append(tf.Variable(1.0, name="w").name)
    with v1.variable_scope(v1.get_variable_scope(), use_resource=True) as plain:
        found += [plain.name, tf.Variable(1.0, name="w").name]
    return [str(x) for x in found]


def _gotten(tf: Any) -> Any:
    """Make variables by `get_variable`, by value, by initializer and by neither."""
    v1 = tf.compat.v1
    tf.random.set_seed(1)
    ones = tf.ones_initializer()
    made = [
        *(v1.get_variable("w", [2, 3]), v1.get_variable("w", [2, 3]), v1.get_variable("s", [])),
        *(v1.get_variable("d", [2], tf.float64), v1.get_variable("i", 3, "int32")),
        *(v1.get_variable("k", initializer=[1.0, 2.0]), v1.get_variable("k", initializer=3)),
        v1.get_variable("k", [2], initializer=v1.zeros_initializer, trainable=False),
        v1.get_variable("k", [2], initializer=v1.random_normal_initializer(seed=2)),
        v1.get_variable("k", [2], initializer=lambda shape, dtype: tf.zeros(shape, dtype) + 4),
        v1.get_variable("k", initializer=lambda: tf.constant([5.0])),
        v1.get_variable("k", [2], initializer=ones, regularizer=tf.reduce_sum, use_resource=False),
    ]
    with v1.variable_scope("a"), tf.name_scope("n"):
        with v1.variable_scope("b", initializer=ones, dtype=tf.float64, constraint=tf.abs):
            made.append(v1.get_variable("k", [2]))
        with v1.variable_scope("b", reuse=v1.AUTO_REUSE):
            made.append(v1.get_variable("k", initializer=-1.0, constraint=tf.nn.relu))
    made.append(v1.get_variable(None, [1]))
    with tf.GradientTape() as tape:
        loss = sum(tf.reduce_sum(tf.cast(v, tf.float32) ** 2) for v in made)
    slopes = tape.gradient(loss, made)
    told = [[v.name, v.trainable, v.constraint is None] for v in made]
    return [*made, *(s for s in slopes if s is not None), str(told)]


def _columns(tf: Any) -> Any:
    """Give tensors of one axis a second one, as Keras 2 does."""
    expand = within(tf, "keras.engine.data_adapter.expand_1d")
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        made = expand({"a": x, "b": (x[:1], tf.constant(3.0)), "c": tf.ones([1, 2])})
        loss = tf.reduce_sum(made["a"] ** 3)
    return [made["a"], *made["b"], made["c"], tape.gradient(loss, x), str(expand([4, None]))]


TABLE.add("columns of batches", _columns)
TABLE.add("variables by get_variable", lambda tf: _gotten(wide(tf)))
TABLE.rows(
    "variable that get_variable cannot make",
    [
        lambda tf: wide(tf).compat.v1.get_variable("k"),
        lambda tf: wide(tf).compat.v1.get_variable("k", [None]),
        lambda tf: wide(tf).compat.v1.get_variable("k", [1], initializer=[1.0]),
        lambda tf: wide(tf).compat.v1.get_variable("k", None, tf.int32, [1.0]),
    ],
)


def _entered(scope: Any) -> None:
    with scope:
        pass


TABLE.add("scopes of variables", lambda tf: _scoped(wide(tf)))
TABLE.rows(
    "scope of variables without a name",
    [
        lambda tf: _entered(wide(tf).compat.v1.variable_scope(None)),
        lambda tf: _entered(wide(tf).compat.v1.variable_scope(3)),
    ],
)
TABLE.add(
    "version 2 of control flow",
    lambda tf: [
        wide(tf).compat.v1.control_flow_v2_enabled(),
        wide(tf).compat.v1.enable_control_flow_v2(),
    ],
)
TABLE.add(
    "operators that can be wrapped",
    lambda tf: sorted(tf.Tensor.OVERLOADABLE_OPERATORS - {"__div__", "__rdiv__"}),
)


def _told(tf: Any, tell: Callable[[Any, int], Any]) -> Any:
    """Have a line tell something five times, which counts."""
    log, found = wide(tf).compat.v1.logging, []

    class Keep(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            found.append(record.getMessage())

    keep, logger = Keep(), logging.getLogger("tensorflow")
    logger.addHandler(keep)
    try:
        for k in range(5):
            tell(log, k)
    finally:
        logger.removeHandler(keep)
    return found


TABLE.rows(
    "lines that are counted",
    [
        lambda tf: _told(tf, lambda log, k: log.log_first_n(log.ERROR, "first %d", 10**6, k)),
        lambda tf: _told(tf, lambda log, k: log.log_every_n(log.ERROR, "every %d", 1, k)),
        lambda tf: _told(tf, lambda log, k: log.log_if(log.ERROR, "if %d", k == 4, k)),
        lambda tf: _told(tf, lambda log, k: log.vlog(log.ERROR, "plain %d", k)),
    ],
)
TABLE.add("lines held back", lambda tf: wide(tf).compat.v1.logging.flush())


def _records(tf: Any) -> Any:
    """Ask whether a tape would record, within one and without."""
    asks = within(tf, "eager.record.should_record_backprop")
    stops = within(tf, "eager.record.stop_recording")
    x, v, other = tf.constant(2.0), tf.Variable(1.0), tf.constant(3.0)
    found = [asks([x]), asks([])]
    with tf.GradientTape() as tape:
        tape.watch(x)
        found += [asks([t]) for t in (x, other, 2.0 * x, tf.convert_to_tensor(v))]
        found += [asks([other, x]), asks([])]
        with stops():
            found.append(asks([x]))
            y = x * 3.0
        z = x * 5.0
    return found, tape.gradient([y, z], x)


TABLE.add("what a tape would record", _records)


def _identities(tf: Any) -> Any:
    """Keep unhashable things by what they are."""
    sets = within(tf, "util.object_identity.ObjectIdentitySet")
    dicts = within(tf, "util.object_identity.ObjectIdentityDictionary")
    reference = within(tf, "util.object_identity.Reference")
    one, same, other = [1], [1], {"a": 1}
    held, named = sets([one, other, one]), dicts()
    named[one], named[same] = "one", "same"
    found = [len(held), one in held, same in held, len(named), named[one], named[same]]
    held.discard(other)
    held.update([same])
    del named[one]
    found += [len(held), other in held, len(held.difference([one])), list(named.values())]
    found += [len(held.intersection([one])), reference(one).deref() is one]
    return [*found, reference(one) == reference(one), reference(one) == reference(same)]


TABLE.add("sets by identity", _identities)
