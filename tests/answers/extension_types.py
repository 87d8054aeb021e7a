"""Types of one's own: their fields, specs and functions, and what takes them."""

from __future__ import annotations

import pickle
import typing
from collections.abc import Callable
from typing import Any

from tests.answers.answer import Table
from tests.answers.stand_ins import wide

TABLE = Table("extension_types")

Made = Callable[..., Any]


def made(tf: Any, fields: dict[str, Any], batchable: bool = False, **members: Any) -> Any:
    """Make a type of one's own of annotations, defaults and methods."""
    base = tf.experimental.BatchableExtensionType if batchable else tf.experimental.ExtensionType
    return type(base)(
        "Own", (base,), {"__annotations__": fields, "__module__": __name__, **members}
    )


def masked(tf: Any, **how: Any) -> Any:
    """Make a type of a tensor and which of its elements are there."""
    return made(tf, {"values": tf.Tensor, "mask": tf.Tensor}, **how)


def _rows(name: str, runs: Any, **how: Any) -> None:
    TABLE.rows(name, [lambda tf, run=run: run(wide(tf)) for run in runs], **how)


FIELDS: list[tuple[Callable[[Any], Any], Any]] = [
    (lambda tf: int, 3),
    (lambda tf: int, True),
    (lambda tf: int, 3.0),
    (lambda tf: float, 3),
    (lambda tf: str, b"a"),
    (lambda tf: bytes, b"a"),
    (lambda tf: None, None),
    (lambda tf: None, 3),
    (lambda tf: tf.Tensor, [1, 2]),
    (lambda tf: tf.Tensor, None),
    (lambda tf: tf.Tensor, [[1], [2, 3]]),
    (lambda tf: tf.TensorShape, [1, None]),
    (lambda tf: tf.TensorShape, "a"),
    (lambda tf: tf.DType, "int32"),
    (lambda tf: tf.DType, "no such"),
    (lambda tf: tf.RaggedTensor, [1]),
    (lambda tf: tuple[int, ...], [1, 2]),
    (lambda tf: tuple[int, ...], [1, "a"]),
    (lambda tf: tuple[int, str], (1, "a")),
    (lambda tf: tuple[int, str], (1,)),
    (lambda tf: tuple[int, str], 3),
    (lambda tf: typing.Mapping[str, tf.Tensor], {"b": 1.5, "a": [2]}),
    (lambda tf: typing.Mapping[str, tf.Tensor], {3: 1.5}),
    (lambda tf: typing.Mapping[str, tuple[int, ...]], {"a": [1], "b": ["c"]}),
    (lambda tf: typing.Mapping[str, int], [1]),
    (lambda tf: typing.Union[int, tf.Tensor], 3),  # noqa: UP007 - what TensorFlow reads
    (lambda tf: typing.Union[int, tf.Tensor], 1.5),  # noqa: UP007 - likewise
    (lambda tf: typing.Union[int, str], 1.5),  # noqa: UP007 - likewise
    (lambda tf: typing.Optional[int], None),  # noqa: UP045 - likewise
    (lambda tf: list[int], [1]),
    (lambda tf: dict[str, int], {}),
    (lambda tf: complex, 1j),
    (lambda tf: "Missing", 3),
]
"""What a field may be annotated with, and what it is given."""
_rows(
    "field",
    [lambda tf, k=kind, v=value: repr(made(tf, {"x": k(tf)})(v)) for kind, value in FIELDS],
)


def _defaults(tf: Any) -> Any:
    own = made(tf, {"a": int, "b": tf.Tensor, "c": int}, b=1.5)
    return [repr(own(1, c=2)), repr(own(1, [2], c=3)), own(1, c=2).b]


def _too_many(tf: Any) -> Any:
    return made(tf, {"a": int, "b": int, "c": int}, b=2)(1, 2, 3)


def _by_hand(tf: Any) -> Any:
    def __init__(self: Any, price: Any, discount: float = 0) -> None:  # noqa: N807 - a method
        self.price = price * (1 - discount)

    own = made(tf, {"price": tf.Tensor}, __init__=__init__)
    return repr(own(5.0, discount=0.25))


def _half_made(tf: Any) -> Any:
    return made(tf, {"price": int}, __init__=lambda self: None)()


def _other_made(tf: Any) -> Any:
    def __init__(self: Any) -> None:  # noqa: N807 - a method
        self.other = 3

    return made(tf, {"price": int}, __init__=__init__)()


def _checked(tf: Any) -> Any:
    def __validate__(self: Any) -> None:  # noqa: N807 - a method
        self.values.shape.assert_is_compatible_with(self.mask.shape)

    return masked(tf, __validate__=__validate__)([1, 2], [True])


def _inherited(tf: Any) -> Any:
    base = made(tf, {"a": int}, twice=lambda self: 2 * self.a)
    own = type(base)("Wider", (base,), {"__annotations__": {"b": tf.Tensor}, "__module__": "m"})
    return [repr(own(1, 2)), own(1, 2).twice(), repr(own(1, 2)._type_spec)]


def _changed(tf: Any) -> Any:
    masked(tf)([1], [True]).values = 3


def _deleted(tf: Any) -> Any:
    del masked(tf)([1], [True]).values


def _told_by_keras(tf: Any) -> Any:
    value = masked(tf)([1], [True])
    value._keras_mask = 3
    return value._keras_mask, value._type_spec == masked(tf)([1], [True])._type_spec


_rows(
    "constructor",
    [
        *(_defaults, _by_hand, _inherited, _told_by_keras, _checked, _changed, _deleted),
        *(_too_many, _half_made, _other_made),
        lambda tf: tf.experimental.ExtensionType(),
        lambda tf: made(tf, {"a": int})(),
        lambda tf: made(tf, {"a": int})(1, a=2),
        lambda tf: made(tf, {"a": int})(1).b,
        lambda tf: made(tf, {"a": int}, b=3),
        lambda tf: made(tf, {"a": int}, a="text"),
        lambda tf: made(tf, {"Spec": int}),
        lambda tf: made(tf, {"_tf_extension_type_x": int}),
        lambda tf: made(tf, {"a": int}, value_type=lambda self: 3),
        lambda tf: made(tf, {"a": int}, Spec=3),
        lambda tf: made(tf, {"a": int}, Spec=type("Spec", (int,), {})),
        lambda tf: made(tf, {"a": int}, Spec=type("Spec", (), {"a": 3})),
        lambda tf: made(tf, {"a": int}, Spec=type("Spec", (), {"value_type": 3})),
        lambda tf: made(tf, {"a": int}, __batch_encoder__=3),
        lambda tf: str(__import__("inspect").signature(made(tf, {"a": int, "b": str}, b="x"))),
        lambda tf: [*tf.experimental.extension_type.as_dict(masked(tf)([1], [True])).items()],
        lambda tf: [masked(tf)([1, 2], 3) == masked(tf)([1, 2], 3)],
    ],
    says="start",
)


def _equal(tf: Any) -> Any:
    own = masked(tf)
    a, again, b, c = (own(x, True) for x in ([1, 2], [1, 2], [1, 3], [[1, 2]]))
    ragged = made(tf, {"rows": tf.RaggedTensor, "name": str})
    one, same, other = (ragged(tf.ragged.constant([[1], []]), name) for name in "aab")
    found = [a == again, a != again, a == b, a != b, a == c, a != c, a == 3]
    return [*found, one == same, one == other]


def _specs(tf: Any) -> Any:
    own = made(tf, {"name": str, "x": tf.Tensor, "more": typing.Mapping[str, tf.Tensor]})
    spec = own("a", [1.5, 2], {"q": 3, "p": [True]})._type_spec
    wide_one = own.Spec(
        "a",
        tf.TensorSpec([None]),
        {"q": tf.TensorSpec([], tf.int32), "p": tf.TensorSpec([1], tf.bool)},
    )
    return [
        *(repr(spec), repr(wide_one), spec.name, repr(spec.x), repr(spec.more)),
        *(spec == wide_one, wide_one.is_compatible_with(spec), spec.is_compatible_with(wide_one)),
        *(spec.is_subtype_of(wide_one), wide_one.is_subtype_of(spec), hash(spec) == hash(spec)),
        repr(spec.most_specific_compatible_type(wide_one)),
        wide_one.is_compatible_with(own("a", [1.0], {"q": 3, "p": [True]})),
        wide_one.is_compatible_with(own("a", [1], {"q": 3, "p": [True]})),
        wide_one.is_compatible_with(3),
        repr(tf.type_spec_from_value(own("b", 3, {}))),
        isinstance(spec, tf.experimental.ExtensionTypeSpec),
        spec.value_type is own,
    ]


def _own_spec(tf: Any) -> Any:
    def __init__(self: Any, shape: Any) -> None:  # noqa: N807 - a method
        self.values = tf.TensorSpec(shape)
        self.mask = tf.TensorSpec(shape, tf.bool)

    spec = type("Spec", (), {"__init__": __init__, "shape": property(lambda s: s.values.shape)})
    own = masked(tf, Spec=spec)
    return [
        repr(own.Spec([2])),
        own.Spec([2]).shape,
        own([1.0, 2.0], [True, False])._type_spec.shape,
    ]


def _pickled(tf: Any) -> Any:
    own = masked(tf)
    globals()["Own"] = own
    spec = own([1.0], [True])._type_spec
    return pickle.loads(pickle.dumps(spec)) == spec


_rows(
    "spec",
    [
        *(_equal, _specs, _own_spec, _pickled),
        lambda tf: masked(tf).Spec(tf.TensorSpec([])),
        lambda tf: masked(tf).Spec(tf.TensorSpec([]), 3),
        lambda tf: masked(tf).Spec(tf.TensorSpec([]), tf.RaggedTensorSpec([None, None])),
        lambda tf: made(tf, {"r": tf.RaggedTensor}).Spec(tf.TensorSpec([])),
        lambda tf: setattr(masked(tf)([1], [True])._type_spec, "values", 3),
    ],
    says="start",
)


def _nested(tf: Any) -> Any:
    own = made(tf, {"x": tf.Tensor, "r": tf.RaggedTensor, "n": int, "t": tuple[tf.Tensor, ...]})
    value = own(1.5, tf.ragged.constant([[1], [2, 3]]), 4, (5, [6]))
    flat = tf.nest.flatten([value, 7], expand_composites=True)
    again = tf.nest.pack_sequence_as([value, 7], flat, expand_composites=True)
    doubled = tf.nest.map_structure(lambda x: x + 0, value, expand_composites=True)
    return [flat, repr(again), repr(doubled.t), tf.nest.flatten([value, 7])[0] is value]


def _called(tf: Any) -> Any:
    own = masked(tf)
    seen: list[str] = []

    @tf.function
    def twice(x: Any) -> Any:
        seen.append(type(x).__name__)
        return own(x.values * 2, x.mask)

    chosen = tf.cond(tf.constant(True), lambda: own([1.0], [True]), lambda: own([2.0], [True]))
    looped = tf.while_loop(
        lambda i, x: i < 3, lambda i, x: (i + 1, own(x.values * 2, x.mask)), [0, chosen]
    )
    return [repr(twice(own([1.0, 2.0], [True, False]))), seen[0], repr(chosen), repr(looped[1])]


def _constrained(tf: Any, *given: Any) -> Any:
    own = masked(tf)
    spec = own.Spec(tf.TensorSpec([None]), tf.TensorSpec([None], tf.bool))
    run = tf.function(lambda x: tf.reduce_sum(x.values), input_signature=[spec])
    concrete = tf.function(lambda x: x.values * 2).get_concrete_function(spec)
    return [run(own(*given)), concrete(own(*given))]


def _sloped(tf: Any) -> Any:
    own = masked(tf)
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        value = own(x * x, [True, False])
        total = tf.reduce_sum(tf.where(value.mask, value.values, 0.0))
    with tf.GradientTape() as other:
        watched = own(x, [0.5, 0.5])
        other.watch(watched)
        product = watched.values * watched.mask
    return [tape.gradient(total, x), *other.gradient(product, [watched.values, watched.mask])]


def _copied(tf: Any) -> Any:
    own = made(tf, {"values": tf.Tensor, "rows": tf.RaggedTensor, "name": str})
    x, rows = tf.constant([1.0, 2.0]), tf.ragged.constant([[1.0], []])
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        value = own(x * x, rows, "a")
        kept, stopped = tf.identity(value), tf.stop_gradient(value)
    slopes = [tape.gradient(v.values, x) for v in (kept, stopped)]
    return [repr(kept), repr(tf.identity(input=value)), repr(stopped), *slopes]


def _slope_of(tf: Any, asks: Any) -> Any:
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        value = masked(tf)(x * x, x)
    return tape.gradient(*asks(value, x))


_rows(
    "taken",
    [
        *(_nested, _called, _sloped, _copied),
        lambda tf: made(tf, {"x": typing.Mapping[tf.Tensor, int]}),
        lambda tf: _constrained(tf, [1.0, 2.0], [True, False]),
        lambda tf: _constrained(tf, [1, 2], [True, False]),
        lambda tf: _slope_of(tf, lambda value, x: (value, x)),
        lambda tf: _slope_of(tf, lambda value, x: (x, value)),
        lambda tf: tf.convert_to_tensor(masked(tf)(1, 2)),
        lambda tf: tf.add(masked(tf)(1, 2), 1),
        lambda tf: masked(tf)(1, 2) + masked(tf)(1, 2),
    ],
    says="type",
)


def network(tf: Any) -> Any:
    """Make a type that can be stacked, and keeps a shape of its own."""

    def __init__(self: Any, work: Any, width: Any) -> None:  # noqa: N807 - a method
        self.work, self.width = tf.convert_to_tensor(work), tf.convert_to_tensor(width)
        self.shape = self.work.shape[:-1].merge_with(self.width.shape)

    fields = {"shape": tf.TensorShape, "work": tf.Tensor, "width": tf.Tensor}
    return made(tf, fields, batchable=True, __init__=__init__)


def _networks(run: Any) -> Any:
    """Tell the elements of datasets of four values, and what is said of them."""

    def ask(tf: Any) -> Any:
        own = network(tf)
        values = own([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0], [7.0, 8.0]], [1, 2, 3, 4])
        dataset = run(tf, own, tf.data.Dataset.from_tensor_slices(values))
        return [repr(dataset.element_spec), [repr(element) for element in dataset]]

    return ask


def _generated(tf: Any, own: Any, d: Any) -> Any:
    spec = own.Spec([], tf.TensorSpec([None]), tf.TensorSpec([], tf.int32))
    values = [own([1.0, 2.0], 1), own([3.0], 2)]
    return tf.data.Dataset.from_generator(lambda: iter(values), output_signature=spec)


_rows(
    "elements",
    [
        _networks(run)
        for run in (
            lambda tf, own, d: d,
            lambda tf, own, d: d.batch(3),
            lambda tf, own, d: d.batch(3, drop_remainder=True),
            lambda tf, own, d: d.batch(2).batch(2),
            lambda tf, own, d: d.batch(2).unbatch(),
            lambda tf, own, d: d.batch(3).rebatch(2),
            lambda tf, own, d: d.map(lambda x: x.work * 2),
            lambda tf, own, d: d.map(lambda x: own(x.work * 2, x.width)).batch(2),
            lambda tf, own, d: d.map(lambda x: {"a": x, "b": (x.width, x)}).batch(4),
            lambda tf, own, d: d.batch(2).map(lambda x: (x, tf.reduce_sum(x.work))),
            lambda tf, own, d: d.filter(lambda x: x.width > 2).skip(1).repeat(2),
            lambda tf, own, d: d.shuffle(4, seed=1).take(2).cache(),
            lambda tf, own, d: tf.data.Dataset.zip((d, d.skip(2))).prefetch(1),
            lambda tf, own, d: d.concatenate(d.take(1)).enumerate(),
            lambda tf, own, d: tf.data.Dataset.from_tensors(own([1.0], 2)).batch(1),
            lambda tf, own, d: d.flat_map(lambda x: tf.data.Dataset.from_tensors(x).repeat(2)),
            _generated,
        )
    ],
)


def _taken(tf: Any) -> Any:
    d = tf.data.Dataset.from_tensor_slices(network(tf)([[1.0, 2.0], [3.0, 4.0]], [1, 2]))
    total = d.reduce(0, lambda n, x: n + x.width)
    return [total, repr(next(iter(d))), repr(d.take(1).get_single_element())]


def _ragged(tf: Any) -> Any:
    own = made(tf, {"rows": tf.RaggedTensor, "name": str}, batchable=True)
    d = tf.data.Dataset.from_tensor_slices(own(tf.ragged.constant([[1], [2, 3], []]), "a"))
    return [repr(d.element_spec), [repr(x.rows) for x in d], [repr(x.rows) for x in d.batch(2)]]


_rows("elements of a dataset", [_taken, _ragged])


def _refused(tf: Any, run: Any) -> Any:
    own = network(tf)
    d = tf.data.Dataset.from_tensor_slices(own([[1.0, 2.0], [3.0, 4.0]], [1, 2]))
    return [*run(d)]


_rows(
    "elements refused",
    [
        lambda tf: _refused(tf, lambda d: d.as_numpy_iterator()),
        lambda tf: _refused(tf, lambda d: d.padded_batch(2)),
        lambda tf: _refused(tf, lambda d: d.unbatch()),
        lambda tf: [*tf.data.Dataset.from_tensors(masked(tf)([1], [True])).batch(2)],
        lambda tf: [*tf.data.Dataset.from_tensor_slices(masked(tf)([1], [True]))],
    ],
    says="type",
)


def _dispatching(run: Any) -> Any:
    """Register what a program says, run it, and forget what was registered."""

    def ask(tf: Any) -> Any:
        known = tf.experimental
        kept: list[Any] = []

        def register(decorate: Any) -> Any:
            return lambda function: kept.append(decorate(function)) or kept[-1]

        try:
            return run(tf, known, masked(tf), register)
        finally:
            for function in kept:
                known.unregister_dispatch_for(function)

    return ask


def _stacked(tf: Any, known: Any, own: Any, register: Any) -> Any:
    @register(known.dispatch_for_api(tf.stack, {"values": list[own]}))
    def stacked(values: Any, axis: int = 0) -> Any:
        return own(tf.stack([v.values for v in values], axis), tf.stack([v.mask for v in values]))

    x = own([1, 2], [True, False])
    return [repr(tf.stack([x, x])), repr(tf.stack([x, x], axis=1, name="q")), tf.stack([1, 2])]


def _annotated(tf: Any, known: Any, own: Any, register: Any) -> Any:
    def added(x: Any, y: Any) -> Any:
        return "added"

    added.__annotations__ = {"x": own, "y": own}
    register(known.dispatch_for_api(tf.math.add))(added)
    x = own(1, True)
    return [tf.add(x, x), tf.math.add(x=x, y=x, name="n"), tf.add(1, 2)]


def _unary(tf: Any, known: Any, own: Any, register: Any) -> Any:
    names: list[str] = []

    @register(known.dispatch_for_unary_elementwise_apis(own))
    def handled(api: Any, x: Any) -> Any:
        names.append(getattr(api, "__name__", "?"))
        return own(api(x.values), x.mask)

    x = own([1.0, -2.0], [True, False])
    found = [tf.abs(x), tf.ones_like(x, dtype=tf.int32), tf.nn.relu(x), tf.clip_by_value(x, -1, 0)]
    more = [tf.cast(x, tf.int32), tf.math.ceil(x=x), tf.negative(x, name="n"), tf.round(x)]
    return [*map(repr, (*found, *more)), names[0], names[2]]


def _binary(tf: Any, known: Any, own: Any, register: Any) -> Any:
    either = typing.Union[own, tf.Tensor]  # noqa: UP007 - what TensorFlow reads

    @register(known.dispatch_for_binary_elementwise_apis(either, either))
    def handled(api: Any, x: Any, y: Any) -> Any:
        x, y = (v if isinstance(v, own) else own(v, True) for v in (x, y))
        return own(api(x.values, y.values), x.mask & y.mask)

    x, y = own([1.0, -2.0], [True, False]), tf.constant([3.0, 4.0])
    found = [tf.add(x, y), tf.multiply(y, x), tf.less(x, x), tf.math.squared_difference(y=x, x=y)]
    return [*map(repr, found), tf.add(y, y)]


def _asserting(tf: Any) -> Any:
    own = masked(tf)

    @tf.experimental.dispatch_for_binary_elementwise_assert_apis(own, own)
    def handled(check: Any, x: Any, y: Any) -> Any:
        check(tf.boolean_mask(x.values, x.mask), tf.boolean_mask(y.values, y.mask))

    x, y = own([1, 2], [True, False]), own([1, 3], [True, False])
    tf.debugging.assert_equal(x, y)
    tf.debugging.assert_greater(x, y)


def _twice(tf: Any, known: Any, own: Any, register: Any) -> Any:
    register(known.dispatch_for_api(tf.abs, {"x": own}))(lambda x: "one")
    register(known.dispatch_for_api(tf.abs, {0: own}))(lambda x: "other")
    return tf.abs(own(1, True))


def _forgotten(tf: Any, known: Any, own: Any, register: Any) -> Any:
    target = known.dispatch_for_api(tf.abs, {"x": own})(lambda x: "one")
    before = tf.abs(own(1, True))
    known.unregister_dispatch_for(target)
    return [before, tf.abs(own(1, True))]


_rows("dispatch", map(_dispatching, (_stacked, _annotated, _unary, _binary)))
_rows(
    "dispatch refused",
    [
        *(_asserting, *map(_dispatching, (_twice, _forgotten))),
        lambda tf: tf.experimental.dispatch_for_api(len, {"x": masked(tf)}),
        lambda tf: tf.experimental.dispatch_for_api(tf.einsum, {"equation": masked(tf)}),
        lambda tf: tf.experimental.dispatch_for_api(tf.abs, {"y": masked(tf)}),
        lambda tf: tf.experimental.dispatch_for_api(tf.abs, {"x": masked(tf)})(lambda z: 1),
        lambda tf: tf.experimental.dispatch_for_api(tf.abs)(lambda x: 1),
        lambda tf: tf.experimental.dispatch_for_api(tf.abs, {"x": tuple[int]}),
        lambda tf: tf.experimental.dispatch_for_api(tf.abs, 3),
        lambda tf: tf.experimental.dispatch_for_api(tf.abs, {"x": masked(tf)})(3),
        lambda tf: tf.experimental.unregister_dispatch_for(len),
    ],
    says="start",
)


# --- functions called row by row ------------------------------------------------------------------


def _batchable(tf: Any) -> Any:
    return type(
        "Net",
        (tf.experimental.BatchableExtensionType,),
        {"__annotations__": {"w": tf.Tensor, "r": tf.RaggedTensor}},
    )


def _row_by_row(run: Any) -> Any:
    """Call a function with each row of values, and derive what it gives."""

    def ask(tf: Any) -> Any:
        kind, w = _batchable(tf), tf.constant([[1.0, 2.0], [3.0, 4.0]])
        with tf.GradientTape() as tape:
            tape.watch(w)
            found = run(tf, kind(w, tf.ragged.constant([[1.0], [2.0, 3.0]])))
        leaves = tf.nest.flatten(found, expand_composites=True)
        return [*leaves, tape.gradient(leaves[0], w)]

    return ask


_rows(
    "row by row",
    [
        _row_by_row(
            lambda tf, net: tf.map_fn(
                lambda row: tf.reduce_sum(row.w**2) + tf.reduce_sum(row.r),
                net,
                fn_output_signature=tf.float32,
            )
        ),
        _row_by_row(lambda tf, net: tf.vectorized_map(lambda row: row.w[0] * row.w, net)),
        _row_by_row(
            lambda tf, net: tf.map_fn(
                lambda pair: pair[0].w * pair[1], (net, net.w), fn_output_signature=tf.float32
            )
        ),
        lambda tf: tf.map_fn(lambda row: row.values, masked(tf)(tf.ones([2]), [True, False])),
        lambda tf: tf.map_fn(
            lambda row: row.values, masked(tf)(tf.ones([2]), [True, False]), tf.float32
        ),
    ],
    says="type",
)
