"""What types values have, who makes tensors and variables of them, and names of devices."""

from __future__ import annotations

import importlib
import pickle
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from tests.answers.answer import Table
from tests.answers.stand_ins import wide

TABLE = Table("specs")


def _rows(name: str, runs: Any, **how: Any) -> None:
    TABLE.rows(name, [lambda tf, run=run: run(wide(tf)) for run in runs], **how)


_rows(
    "spec of a value",
    [
        lambda tf, make=make: repr(tf.type_spec_from_value(make(tf)))
        for make in (
            *(lambda tf, x=x: x for x in (1, 1.5, [1, 2], np.ones(2), "a", None, {"a": 1}, (1, 2))),
            *(lambda tf, x=x: x for x in ([1, "a"], np.float64(2), True, [[1], [2, 3]], 2**40, [])),
            lambda tf: tf.constant([1.0]),
            lambda tf: tf.Variable([1.0]),
            lambda tf: [tf.ragged.constant([[1]])] * 2,
            lambda tf: [tf.ragged.constant([[1], [2]]), tf.ragged.constant([[1]])],
            lambda tf: tf.ragged.constant([[1]]),
            lambda tf: tf.sparse.from_dense([1, 0]),
            lambda tf: [tf.sparse.from_dense([1, 0])] * 3,
            lambda tf: [tf.constant(1), tf.constant(2)],
            lambda tf: tf.data.Dataset.range(3),
            lambda tf: tf.TensorArray(tf.float32, 3),
            lambda tf: tf.TensorArray(tf.int32, 3, element_shape=[2], dynamic_size=True),
            lambda tf: tf.TensorArray(tf.int32, 3, infer_shape=False).write(0, [1]),
            lambda tf: tf.TensorArray(tf.int32, 3).write(0, [1]),
            lambda tf: tf.IndexedSlices(tf.ones([2, 1]), tf.constant([0, 1])),
            lambda tf: tf.IndexedSlices(
                tf.ones([2, 1]), tf.constant([0, 1], tf.int64), tf.constant([3, 1])
            ),
            lambda tf: tf.experimental.Optional.from_value(1),
        )
    ],
)
_rows(
    "spec",
    [
        lambda tf: repr(tf.NoneTensorSpec()),
        lambda tf: tf.NoneTensorSpec() == tf.NoneTensorSpec(),
        lambda tf: repr(tf.IndexedSlicesSpec()),
        lambda tf: repr(tf.IndexedSlicesSpec([2, 3], "int32", "int32", "int64", [4])),
        lambda tf: repr(tf.IndexedSlicesSpec([2], indices_shape=[2, 3])),
        lambda tf: tf.IndexedSlicesSpec([2, 3]) == tf.IndexedSlicesSpec([2, 3]),
        lambda tf: tf.IndexedSlicesSpec([2, 3]) == tf.IndexedSlicesSpec([2, None]),
        lambda tf: tf.IndexedSlicesSpec([2, None]).is_compatible_with(tf.IndexedSlicesSpec([2, 3])),
        lambda tf: tf.IndexedSlicesSpec([2, 3]).is_compatible_with(tf.IndexedSlicesSpec([2, 4])),
        lambda tf: tf.IndexedSlicesSpec([2, 3]).is_compatible_with(3),
        lambda tf: tf.IndexedSlicesSpec([None, 1]).is_compatible_with(
            tf.IndexedSlices(tf.ones([1, 1]), tf.constant([0], tf.int64))
        ),
        lambda tf: tf.IndexedSlicesSpec().value_type.__name__,
        lambda tf: repr(tf.TensorArraySpec()),
        lambda tf: repr(tf.TensorArraySpec([2], "int32", True, False)),
        lambda tf: tf.TensorArraySpec([2]) == tf.TensorArraySpec([2], infer_shape=False),
        lambda tf: tf.TensorArraySpec([2]).is_compatible_with(
            tf.TensorArray(tf.float32, 2, element_shape=[2])
        ),
        lambda tf: tf.TensorArraySpec([2]).is_compatible_with(3),
        lambda tf: repr(tf.TensorArraySpec.from_value(3)),
        lambda tf: tf.TensorArraySpec().value_type.__name__,
    ],
)


class Metres:
    """What is no tensor by itself."""

    def __init__(self, count: Any) -> None:
        self.count = count

    def __repr__(self) -> str:
        return f"Metres({self.count})"


def _registered(tf: Any, priority: int = 100) -> Any:
    """Make a class of one's own, and say how it becomes a tensor; list what was asked for."""
    kind = type("Metres", (Metres,), {})
    asked: list[Any] = []

    def convert(value: Any, dtype: Any = None, name: Any = None, as_ref: bool = False) -> Any:
        asked.append((str(dtype), as_ref))
        return tf.constant(value.count, dtype)

    tf.register_tensor_conversion_function(kind, convert, priority)
    return kind, asked


def _converted(run: Any) -> Any:
    def ask(tf: Any) -> Any:
        kind, asked = _registered(tf)
        return [run(tf, kind), asked[:1]]

    return ask


def _giving(value: Any) -> Any:
    """Have a function give what no conversion gives."""

    def ask(tf: Any) -> Any:
        kind = type("Metres", (Metres,), {})
        made = value(tf)
        tf.register_tensor_conversion_function(kind, lambda x, dtype, name, as_ref: made)
        return tf.convert_to_tensor(kind(1), tf.float32)

    return ask


_rows(
    "conversion",
    [
        _converted(lambda tf, kind: tf.convert_to_tensor(kind(1))),
        _converted(lambda tf, kind: tf.convert_to_tensor(kind(1), tf.float64)),
        _converted(lambda tf, kind: tf.convert_to_tensor(kind(1), dtype_hint=tf.float64)),
        _converted(lambda tf, kind: tf.convert_to_tensor(kind(1.5), dtype_hint=tf.int32)),
        _converted(lambda tf, kind: tf.convert_to_tensor(type("Further", (kind,), {})(1))),
        _converted(lambda tf, kind: tf.convert_to_tensor([kind(1), 2])),
        _converted(lambda tf, kind: tf.constant(2.0) + kind(3)),
        _converted(lambda tf, kind: kind(3) - tf.constant(2.0)),
        _converted(lambda tf, kind: tf.constant([1.0, 2.0]) * kind([3.0, 1.0])),
        _converted(lambda tf, kind: tf.reduce_sum(kind([1, 2]))),
        _converted(lambda tf, kind: tf.stack([kind(1), kind(2)])),
        _converted(lambda tf, kind: tf.matmul(kind([[1.0]]), kind([[2.0]]))),
        _converted(lambda tf, kind: tf.Variable(kind(1.0)).read_value()),
        _converted(lambda tf, kind: tf.add(kind(1), 2)),
        _giving(lambda tf: NotImplemented),
        lambda tf: tf.register_tensor_conversion_function(3, abs),
        lambda tf: tf.register_tensor_conversion_function(Metres, 3),
        lambda tf: tf.register_tensor_conversion_function(int, abs),
        lambda tf: tf.register_tensor_conversion_function((Metres, np.ndarray), abs),
        lambda tf: tf.constant(_registered(tf)[0](1)),
    ],
)
_rows(
    "conversion to something else",
    [_giving(lambda tf: 3), _giving(lambda tf: tf.constant(3))],
    says="type",  # the text has the place of the function in memory
)


def _told(words: dict[str, Any]) -> list[str]:
    return sorted(f"{name}={value}" for name, value in words.items() if not callable(value))


def _created(run: Any, *creators: Any) -> Any:
    """Make variables within scopes, the first of which is the outermost."""

    def ask(tf: Any) -> Any:
        seen: list[Any] = []

        def within(inner: int) -> Any:
            if inner == len(creators):
                return run(tf)
            scope = tf.compat.v1.variable_creator_scope if inner else tf.variable_creator_scope
            with scope(lambda next_creator, **how: creators[inner](tf, seen, next_creator, how)):
                return within(inner + 1)

        made = within(0)
        return [type(made).__name__, getattr(made, "name", made), seen]

    return ask


def _noting(name: str) -> Any:
    def create(tf: Any, seen: list[Any], make: Any, how: dict[str, Any]) -> Any:
        seen.append([name, _told(how)])
        return make(**how)

    return create


def _named(tf: Any, seen: list[Any], make: Any, how: dict[str, Any]) -> Any:
    return make(**how | {"name": "other", "trainable": False})


def _crossed(tf: Any) -> Any:
    """Leave the outer of two scopes first, in a thread of its own, which keeps what stays open."""

    def cross() -> None:
        outer, inner = (
            tf.variable_creator_scope(lambda make, **how: make(**how)) for _ in range(2)
        )
        outer.__enter__()
        inner.__enter__()
        try:
            outer.__exit__(None, None, None)
        finally:
            inner.__exit__(None, None, None)

    with ThreadPoolExecutor(1) as pool:
        return pool.submit(cross).result()


_rows(
    "variable creators",
    [
        _created(lambda tf: tf.Variable(1.0, name="v"), _noting("a")),
        _created(lambda tf: tf.Variable(1.0, name="v"), _noting("a"), _named, _noting("b")),
        _created(lambda tf: tf.Variable(1.0, False, dtype=tf.float64), _noting("a")),
        _created(lambda tf: tf.Variable(1.0), lambda tf, seen, make, how: 3),
        _created(lambda tf: tf.Variable(lambda: 1.0, shape=[]), _noting("a")),
        _created(lambda tf: tf.Variable(1.0, aggregation=tf.VariableAggregation.SUM), _noting("a")),
        _crossed,
    ],
)


_NAMES = """
/job:worker/replica:1/task:2/device:GPU:3
/gpu:0
/cpu:*
/device:TPU:*
/job:a
/GPU
/custom:1
/other:1
/gpu:0/cpu:0
/device:gpu:1
/device:CPU
/task:x
""".split()
_rows(
    "devices",
    [
        *[
            lambda tf, name=name: [
                repr(tf.DeviceSpec.from_string(name)),
                tf.DeviceSpec.from_string(name).to_string(),
            ]
            for name in _NAMES
        ],
        lambda tf: repr(tf.DeviceSpec()) + tf.DeviceSpec().to_string(),
        lambda tf: tf.DeviceSpec("a", "1", 2.0, "gpu", "3").to_string(),
        lambda tf: tf.DeviceSpec("a", replica="x"),
        lambda tf: tf.DeviceSpec("a") == tf.DeviceSpec("a"),
        lambda tf: len({tf.DeviceSpec("a"), tf.DeviceSpec("a"), tf.DeviceSpec("b")}),
        lambda tf: repr(tf.DeviceSpec("a", 1).make_merged_spec(tf.DeviceSpec("b", task=2))),
        lambda tf: repr(tf.DeviceSpec("a", 1).replace(job="c", device_type="CPU")),
        lambda tf: repr(tf.DeviceSpec("a").parse_from_string("/task:1")),
        lambda tf: setattr(tf.DeviceSpec("a"), "job", "b"),
        lambda tf: type(tf.DeviceSpec()).__name__,
        lambda tf: tf.device(tf.DeviceSpec(device_type="CPU")) is None,
    ],
)


def _changed(tf: Any) -> Any:
    spec = tf.compat.v1.DeviceSpec("a", device_type="gpu")
    spec.task, spec.device_type = "3", "cpu"
    spec.merge_from(tf.DeviceSpec("b", 2))
    told = [repr(spec), spec.to_string(), type(spec).__name__]
    return [*told, repr(spec.parse_from_string("/gpu:1")), repr(spec)]


def _sparse_value(tf: Any) -> Any:
    value = tf.compat.v1.SparseTensorValue([[0, 1]], [2.0], [1, 3])
    whole = tf.SparseTensor.from_value(value)
    return [repr(value), whole.values, tf.sparse.to_dense(whole), value.dense_shape]


def _ragged_value(values: Any, *splits: Any) -> Any:
    def ask(tf: Any) -> Any:
        made = values
        for ends in splits:
            made = tf.compat.v1.ragged.RaggedTensorValue(made, ends)
        told = [str(made), repr(made), made.to_list(), str(made.shape), made.ragged_rank]
        return [*told, str(made.dtype), str(made.flat_values), len(made.nested_row_splits)]

    return ask


_V = np.arange(6.0)
_rows(
    "older values",
    [
        _changed,
        _sparse_value,
        lambda tf: tf.SparseTensor.from_value(3),
        _ragged_value(_V, np.array([0, 2, 2, 6])),
        _ragged_value(_V.reshape(3, 2), np.array([0, 2, 3], np.int32)),
        _ragged_value(_V, np.array([0, 2, 2, 6]), np.array([0, 1, 3])),
        _ragged_value(_V, [0, 6]),
        _ragged_value([1.0], np.array([0, 1])),
        _ragged_value(_V, np.array([0, 6]), np.array([0, 1], np.int32)),
        lambda tf: [getattr(tf.AggregationMethod, n) for n in ("ADD_N", "DEFAULT")],
        lambda tf: tf.AggregationMethod.EXPERIMENTAL_ACCUMULATE_N,
        lambda tf: tf.AggregationMethod.EXPERIMENTAL_TREE,
    ],
)


def _computed_variable(tf: Any) -> Any:
    """A class may extend variables, hold none, and say itself how it becomes a tensor."""

    class Composed(tf.Variable):  # type: ignore[misc]  # of whatever module
        def __init__(self, of: Any) -> None:
            self._value = of

        dtype = tf.float32

        def value(self) -> Any:
            return 2.0 * self._value

    def convert(x: Any, dtype: Any = None, name: Any = None, as_ref: bool = False) -> Any:
        return x.value()

    tf.register_tensor_conversion_function(Composed, convert, priority=10)
    v = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        composed = Composed(v)
        y = tf.reduce_sum(tf.multiply(composed, composed)) + tf.reduce_sum([1.0, 1.0] * v)
        z = tf.add(tf.constant([3.0, 4.0]), composed)
    return [y, z, tape.gradient(y, v)]


_rows("a variable that is computed", [_computed_variable])


# --- what is a tensor -----------------------------------------------------------------------------

_THINGS: dict[str, Any] = {
    "a tensor": lambda tf: tf.constant([1.0]),
    "a variable": lambda tf: tf.Variable([1.0]),
    "rows of one": lambda tf: tf.IndexedSlices(tf.ones([2, 1]), tf.constant([0, 1])),
    "a ragged tensor": lambda tf: tf.ragged.constant([[1]]),
    "a sparse tensor": lambda tf: tf.sparse.from_dense([1, 0]),
    "an operator": lambda tf: tf.linalg.LinearOperatorDiag([1.0, 2.0]),
    "a composition": lambda tf: tf.linalg.LinearOperatorComposition(
        [tf.linalg.LinearOperatorIdentity(2), tf.linalg.LinearOperatorDiag(tf.Variable([1.0, 2.0]))]
    ),
    "a tensor array": lambda tf: tf.TensorArray(tf.float32, 2),
    "a dataset": lambda tf: tf.data.Dataset.range(2),
    "a generator": lambda tf: tf.random.Generator.from_seed(1),
    "an optional": lambda tf: tf.data.experimental.Optional.from_value(1),
    "an array": lambda tf: np.ones(2),
    "a number": lambda tf: 1.0,
    "a list": lambda tf: [tf.constant(1.0)],
    "nothing": lambda tf: None,
    "a spec": lambda tf: tf.TensorSpec([2]),
    "a class": lambda tf: tf.Variable,
    "a module": lambda tf: tf.Module(),
}


def _is_tensor(make: Any) -> Any:
    def run(tf: Any) -> Any:
        thing = make(tf)
        asked = (tf.is_tensor(thing), tf.is_symbolic_tensor(thing), tf.nest.is_nested(thing))
        return [*asked, tf.compat.v1.is_tensor(thing)]

    return run


for _name, _make in _THINGS.items():
    _rows(f"is {_name} a tensor", [_is_tensor(_make)])
_rows(
    "parts of composites",
    [
        lambda tf, n=n: [
            *map(
                str,
                tf.nest.flatten(
                    tf.nest.map_structure(lambda x: x + x, _THINGS[n](tf), expand_composites=True),
                    expand_composites=True,
                ),
            )
        ]
        for n in ("a tensor", "a sparse tensor", "an operator", "a number", "a list")
    ],
)


# --- which dtype is asked for ---------------------------------------------------------------------

_X = np.array([1.0, 2.0], np.float32)
_PNG = lambda tf: tf.io.encode_png(tf.zeros([1, 1, 1], tf.uint8))  # noqa: E731 - one of the rows
_SPLIT = lambda tf: tf.RaggedTensor.from_row_splits(_X, [0, 2])  # noqa: E731 - as above
_ASKED: dict[str, Any] = {
    "argmax": lambda tf, d: tf.argmax(_X, output_type=d),
    "argmin": lambda tf, d: tf.argmin(_X, output_type=d),
    "raw ArgMax": lambda tf, d: tf.raw_ops.ArgMax(input=_X, dimension=0, output_type=d),
    "histogram_fixed_width": lambda tf, d: tf.histogram_fixed_width(_X, [0.0, 2.0], 3, dtype=d),
    "searchsorted": lambda tf, d: tf.searchsorted([1.0, 2.0], [1.5], out_type=d),
    "searchsorted, right": lambda tf, d: tf.searchsorted([1.0], [1.5], "right", d),
    "sequence_mask": lambda tf, d: tf.sequence_mask([1, 2], dtype=d),
    "unique": lambda tf, d: tf.unique(_X, d).idx,
    "unique_with_counts": lambda tf, d: tf.unique_with_counts(_X, d).count,
    "bincount": lambda tf, d: tf.math.bincount([1, 1], dtype=d),
    "confusion_matrix": lambda tf, d: tf.math.confusion_matrix([0, 1], [1, 1], dtype=d),
    "a weighted confusion_matrix": lambda tf, d: tf.math.confusion_matrix(
        [0, 1], [1, 1], weights=[1, 2], dtype=d
    ),
    "count_nonzero": lambda tf, d: tf.math.count_nonzero(_X, dtype=d),
    "sobol_sample": lambda tf, d: tf.math.sobol_sample(2, 3, dtype=d),
    "max_pool_with_argmax": lambda tf, d: (
        tf.nn.max_pool_with_argmax(tf.ones([1, 2, 2, 1]), 2, 2, "VALID", output_dtype=d).argmax
    ),
    "poisson": lambda tf, d: str(tf.random.poisson([2], 1.0, dtype=d).dtype),
    "stateless_binomial": lambda tf, d: str(
        tf.random.stateless_binomial([2], [1, 2], 1.0, 0.5, output_dtype=d).dtype
    ),
    "stateless_normal": lambda tf, d: tf.random.stateless_normal([2], [1, 2], dtype=d),
    "stateless_truncated_normal": lambda tf, d: tf.random.stateless_truncated_normal(
        [2], [1, 2], dtype=d
    ),
    "stateless_uniform": lambda tf, d: tf.random.stateless_uniform([2], [1, 2], dtype=d),
    "Generator.normal": lambda tf, d: tf.random.Generator.from_seed(1).normal([2], dtype=d),
    "Generator.truncated_normal": lambda tf, d: tf.random.Generator.from_seed(1).truncated_normal(
        [2], dtype=d
    ),
    "decode_png": lambda tf, d: tf.io.decode_png(_PNG(tf), dtype=d),
    "serialize_sparse": lambda tf, d: tf.io.serialize_sparse(tf.sparse.eye(2), d).shape,
    "serialize_many_sparse": lambda tf, d: tf.io.serialize_many_sparse(tf.sparse.eye(2), d).shape,
    "to_number": lambda tf, d: tf.strings.to_number("1", d),
    "ragged constant": lambda tf, d: tf.ragged.constant([[1]], row_splits_dtype=d).row_splits,
    "row_splits_to_segment_ids": lambda tf, d: tf.ragged.row_splits_to_segment_ids(
        [0, 2], out_type=d
    ),
    "segment_ids_to_row_splits": lambda tf, d: tf.ragged.segment_ids_to_row_splits(
        [0, 0], out_type=d
    ),
    "nrows": lambda tf, d: _SPLIT(tf).nrows(d),
    "bounding_shape": lambda tf, d: _SPLIT(tf).bounding_shape(out_type=d),
    "saturate_cast": lambda tf, d: tf.saturate_cast(_X, d),
    "zeros": lambda tf, d: tf.zeros([2], d),
    "zeros_like": lambda tf, d: tf.zeros_like([1, 2], d),
    "one_hot": lambda tf, d: tf.one_hot([0, 1], 2, dtype=d),
    "shape": lambda tf, d: tf.shape(_X, d),
    "size": lambda tf, d: tf.size(_X, d),
    "range": lambda tf, d: tf.range(3, dtype=d),
}
for _name, _ask in _ASKED.items():
    _rows(f"no dtype for {_name}", [lambda tf, ask=_ask: ask(tf, None)])
_OF_PLACES = (
    *("histogram_fixed_width", "searchsorted", "searchsorted, right", "max_pool_with_argmax"),
    *("row_splits_to_segment_ids", "bounding_shape", "unique", "argmin"),
)
for _name in _OF_PLACES:
    _rows(
        f"places of {_name}",
        [lambda tf, n=_name, d=d: _ASKED[n](tf, getattr(tf, d)) for d in ("int32", "float32")],
    )


# --- limits of dtypes -----------------------------------------------------------------------------

_SATURATED = (
    *("bool", "int8", "uint8", "int32", "int64", "float16", "bfloat16", "float32", "float64"),
    *("complex64", "complex128", "string"),
)
_LARGE = [300.0, -5.0, 1e30, 0.0, np.inf, -np.inf]


def _saturated(tf: Any, source: str) -> list[Any]:
    """Cast numbers of a dtype to each other dtype, within its limits; say what is refused."""
    found: list[Any] = []
    for name in _SATURATED:
        x = {"int32": [300, -5], "bool": [True], "string": ["a"]}.get(source, _LARGE)
        try:
            made = tf.saturate_cast(np.array(x, tf.as_dtype(source).as_numpy_dtype), name)
        except TypeError as error:
            found.append(str(error))
        else:
            found.append(tf.cast(made, tf.complex128 if "complex" in name else tf.float64))
    return found


_rows(
    "saturate_cast",
    [
        lambda tf, source=source: _saturated(tf, source)
        for source in (
            *("bool", "int32", "float16", "float32", "float64", "complex64", "complex128"),
            "string",
        )
    ],
)
_rows(
    "a wider complex number",
    [lambda tf: tf.saturate_cast(np.array([1e300 + 1e300j, 3 - 1e300j]), tf.complex64)],
)
_rows(
    "limits",
    [lambda tf, n=n: getattr(tf, n).max for n in ("bool", "string", "complex64")],
)


# --- specs with bounds ----------------------------------------------------------------------------


def _bounded(run: Any) -> Any:
    def ask(tf: Any) -> Any:
        inner = getattr(tf, "_path", None)
        python = tf.python if inner else importlib.import_module("tensorflow.python")
        kind = python.framework.tensor_spec.BoundedTensorSpec
        return run(tf, kind, kind([3], tf.float32, 0, [1, 2, 3.0], "a"))

    return ask


_rows(
    "spec with bounds",
    [
        _bounded(lambda tf, kind, spec: repr(spec)),
        _bounded(lambda tf, kind, spec: [spec.minimum, spec.maximum, spec.minimum.flags.writeable]),
        _bounded(lambda tf, kind, spec: repr(kind.from_spec(spec))),
        _bounded(lambda tf, kind, spec: repr(kind.from_spec(tf.TensorSpec([2], tf.int32, "k")))),
        _bounded(lambda tf, kind, spec: repr(tf.TensorSpec.from_spec(spec))),
        _bounded(lambda tf, kind, spec: repr(kind([2, None], tf.bool, False, True))),
        _bounded(lambda tf, kind, spec: spec == kind([3], "float32", [0] * 3, [1, 2, 3], "a")),
        _bounded(lambda tf, kind, spec: spec == kind([3], "float32", 0, 1, "a")),
        _bounded(lambda tf, kind, spec: spec == tf.TensorSpec([3], tf.float32, "a")),
        _bounded(lambda tf, kind, spec: kind([3], tf.float32, None, 1)),
        _bounded(lambda tf, kind, spec: kind([3], tf.float32, 0, None)),
        _bounded(lambda tf, kind, spec: kind([3], tf.float32, [0, 0], 1)),
        _bounded(lambda tf, kind, spec: kind([3], tf.float32, 0, [[[1, 2]]])),
        _bounded(lambda tf, kind, spec: spec.is_compatible_with(tf.zeros(3))),
        _bounded(lambda tf, kind, spec: spec.is_compatible_with(tf.zeros(2))),
        _bounded(lambda tf, kind, spec: tf.TensorSpec([3]).is_compatible_with(spec)),
        _bounded(lambda tf, kind, spec: spec.is_subtype_of(tf.TensorSpec([3], name="a"))),
        _bounded(lambda tf, kind, spec: tf.TensorSpec([3], name="a").is_subtype_of(spec)),
        _bounded(lambda tf, kind, spec: tf.function(abs, input_signature=[spec])(-tf.ones(3))),
        _bounded(lambda tf, kind, spec: pickle.loads(pickle.dumps(spec)) == spec),
        _bounded(lambda tf, kind, spec: tf.nest.map_structure(lambda s: s.shape[0], [spec])),
    ],
)

# --- functions of linear operators ----------------------------------------------------------------

_M = np.array([[4.0, 1.0], [1.0, 3.0]])
_Y = np.array([[1.0, 2.0], [0.5, -1.0]])


def _of_operator(run: Any) -> Any:
    def ask(tf: Any) -> Any:
        definite = {"is_self_adjoint": True, "is_positive_definite": True}
        made = run(tf, tf.linalg.LinearOperatorFullMatrix(_M, **definite), tf.constant(_Y))
        if isinstance(made, tf.linalg.LinearOperator):
            return [type(made).__name__, made.to_dense()]
        return made

    return ask


_rows(
    "functions of operators",
    [
        _of_operator(lambda tf, op, y: tf.matmul(op, y)),
        _of_operator(lambda tf, op, y: tf.linalg.matmul(op, y, adjoint_b=True)),
        _of_operator(lambda tf, op, y: tf.matmul(y, op)),
        _of_operator(lambda tf, op, y: tf.matmul(y, op, adjoint_a=True)),
        _of_operator(lambda tf, op, y: tf.matmul(a=op, b=op)),
        _of_operator(lambda tf, op, y: tf.matmul(op, y, transpose_b=True)),
        _of_operator(lambda tf, op, y: tf.linalg.adjoint(op)),
        _of_operator(lambda tf, op, y: tf.linalg.cholesky(op)),
        _of_operator(lambda tf, op, y: tf.linalg.diag_part(op)),
        _of_operator(lambda tf, op, y: tf.linalg.det(op)),
        _of_operator(lambda tf, op, y: tf.linalg.inv(op)),
        _of_operator(lambda tf, op, y: tf.linalg.inv(op, adjoint=True)),
        _of_operator(lambda tf, op, y: tf.linalg.logdet(op)),
        _of_operator(lambda tf, op, y: tf.linalg.logdet(tf.linalg.LinearOperatorFullMatrix(_M))),
        _of_operator(lambda tf, op, y: tf.linalg.solve(op, y)),
        _of_operator(lambda tf, op, y: tf.linalg.solve(matrix=op, rhs=y, adjoint=True)),
        _of_operator(lambda tf, op, y: tf.linalg.solve(y, op)),
        _of_operator(lambda tf, op, y: tf.linalg.trace(op)),
    ],
)
