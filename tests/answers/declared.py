"""What shapes, dtypes, specs, datasets, tensors and variables say of themselves."""

from __future__ import annotations

import operator
import pickle
from typing import Any

import numpy as np

from tests.answers.answer import Table

TABLE = Table("declared")


def _shape(text: str, *args: Any) -> Any:
    """Ask each of some shapes for a method's answer."""

    def run(tf: Any) -> Any:
        found = []
        for sizes in ([2, 3], [2, None], [], None):
            try:
                found.append(repr(getattr(tf.TensorShape(sizes), text)(*args)))
            except (ValueError, TypeError) as error:
                found.append([type(error).__name__, str(error)])
        return found

    return run


TABLE.rows(
    "shape",
    [
        _shape("as_list"),
        _shape("num_elements"),
        _shape("is_fully_defined"),
        _shape("is_compatible_with", [2, 3]),
        _shape("is_compatible_with", None),
        _shape("assert_is_compatible_with", [2, 4]),
        _shape("assert_has_rank", 2),
        _shape("assert_same_rank", [3]),
        _shape("assert_same_rank", None),
        _shape("assert_is_fully_defined"),
        _shape("concatenate", [4]),
        _shape("concatenate", None),
        _shape("with_rank", 2),
        _shape("with_rank_at_least", 1),
        _shape("with_rank_at_most", 1),
        _shape("merge_with", [None, 3]),
        _shape("merge_with", [5, 3]),
        _shape("merge_with", None),
        _shape("__len__"),
        _shape("__bool__"),
        _shape("__str__"),
        _shape("__add__", [1, None]),
        _shape("__radd__", [1, None]),
        _shape("__getitem__", 0),
        _shape("__getitem__", slice(1, None)),
        _shape("__getitem__", slice(2)),
        _shape("__getitem__", slice(-1, 2)),
        _shape("__eq__", [2, 3]),
        _shape("__eq__", (2, None)),
        _shape("__ne__", [2, 3]),
        lambda tf: [tf.TensorShape(s).dims is None for s in (None, [], [2])],
        lambda tf: [
            repr(tf.TensorShape([2, None]).dims),
            *map(str, tf.TensorShape([2, None]).dims),
        ],
        lambda tf: tf.TensorShape([2.0]),
        lambda tf: tf.TensorShape([2, -1]),
        lambda tf: tf.TensorShape(tf.TensorShape([2, None, 3]).dims[1:]),
        lambda tf: [tf.TensorShape(s).rank for s in (None, [], [2, None])],
        lambda tf: [tf.TensorShape(s).ndims for s in (None, [], [2, None])],
        lambda tf: [pickle.loads(pickle.dumps(tf.TensorShape(s))) for s in (None, [2, None])],
        lambda tf: len({tf.TensorShape([2]), tf.TensorShape([2]), tf.TensorShape([3])}),
        lambda tf: tf.zeros(tf.TensorShape([2, 1])),
        lambda tf: tf.zeros(tf.TensorShape([2, None])),
        lambda tf: tf.zeros(tf.TensorShape(None)),
    ],
)

_DTYPES = (
    *("float16", "float32", "float64", "bfloat16", "complex64", "complex128", "bool", "string"),
    *("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"),
)


def _number(bound: Any) -> Any:
    """Give a bound as a number of Python's, which every version of NumPy prints alike."""
    return bound if isinstance(bound, (bool, int)) else bound.item()


def _of_dtypes(ask: Any) -> Any:
    def run(tf: Any) -> Any:
        found = []
        for name in _DTYPES:
            try:
                found.append(str(ask(getattr(tf, name))))
            except TypeError as error:
                found.append(type(error).__name__)
        return found

    return run


TABLE.rows(
    "dtype",
    [
        _of_dtypes(lambda d: _number(d.min)),
        _of_dtypes(lambda d: _number(d.max)),
        _of_dtypes(lambda d: (d.is_floating, d.is_complex, d.is_integer, d.is_unsigned)),
        _of_dtypes(lambda d: (d.is_bool, d.is_numeric, d.size)),
        _of_dtypes(lambda d: (d.base_dtype, d.real_dtype, d.name)),
        _of_dtypes(lambda d: (d.is_compatible_with(d), d.is_compatible_with("float32"))),
        _of_dtypes(lambda d: (d == None, d == 3.5, d == "x", d == np.float64)),  # noqa: E711 - it is asked
        _of_dtypes(lambda d: np.dtype(d.as_numpy_dtype).name),
        _of_dtypes(lambda d: pickle.loads(pickle.dumps(d)) is d),
        lambda tf: [repr(tf.as_dtype(n)) for n in ("half", "double", "bfloat16", float, bool)],
        lambda tf: [repr(tf.as_dtype(n)) for n in (np.int8, np.dtype("S3"), np.dtype("O"))],
        lambda tf: repr(tf.as_dtype(tf.bfloat16.as_numpy_dtype)),
        lambda tf: repr(tf.as_dtype("float")),
        lambda tf: tf.as_dtype("floating"),
        lambda tf: tf.as_dtype(None),
        lambda tf: tf.as_dtype(np.dtype("M8[s]")),
    ],
)


def _spec(tf: Any) -> Any:
    return tf.TensorSpec([2, None], tf.float32, "a")


TABLE.rows(
    "spec",
    [
        lambda tf: repr(tf.TensorSpec.from_tensor(tf.zeros([2, 3]))),
        lambda tf: repr(tf.TensorSpec.from_tensor(tf.zeros([2, 3]), "b")),
        lambda tf: [repr(tf.TensorSpec.from_spec(_spec(tf), n)) for n in (None, "b")],
        lambda tf: [
            _spec(tf).is_compatible_with(x)
            for x in (tf.zeros([2, 3]), tf.zeros([3, 2]), tf.zeros([2, 3], tf.int32))
        ],
        lambda tf: [
            _spec(tf).is_compatible_with(tf.TensorSpec(s)) for s in (None, [2, 5], [2], [3, None])
        ],
        lambda tf: [_spec(tf) == tf.TensorSpec([2, None], name=n) for n in (None, "a", "b")],
        lambda tf: [_spec(tf) == x for x in (tf.TensorSpec([2, 1], name="a"), 3)],
        lambda tf: len({_spec(tf), _spec(tf), tf.TensorSpec([])}),
        lambda tf: repr(pickle.loads(pickle.dumps(_spec(tf)))),
        lambda tf: repr(tf.TensorSpec(None, tf.string)),
    ],
)


def _nested(tf: Any, n: int = 2) -> Any:
    return tf.data.Dataset.range(4).window(n)


def _of_datasets(tf: Any) -> Any:
    return tf.data.DatasetSpec(tf.TensorSpec([], tf.int64))


TABLE.rows(
    "dataset spec",
    [
        lambda tf: [repr(_nested(tf).element_spec), _nested(tf).element_spec == _of_datasets(tf)],
        lambda tf: [
            _of_datasets(tf).is_compatible_with(d)
            for d in (
                *(tf.data.Dataset.range(3), tf.data.Dataset.range(3).batch(2)),
                *(_nested(tf).element_spec, tf.TensorSpec([], tf.int64)),
                tf.data.DatasetSpec(tf.TensorSpec([], tf.int64), [2]),
            )
        ],
        lambda tf: [
            _of_datasets(tf) == d
            for d in (
                *(_of_datasets(tf), tf.data.DatasetSpec(tf.TensorSpec([], tf.int32)), 3),
                tf.data.DatasetSpec(tf.TensorSpec([], tf.int64), [2]),
            )
        ],
        lambda tf: repr(_of_datasets(tf).element_spec),
        lambda tf: len({_of_datasets(tf), _of_datasets(tf)}),
        lambda tf: repr(_nested(tf).batch(2).element_spec),
        lambda tf: repr(_nested(tf).concatenate(_nested(tf, 1)).element_spec),
        lambda tf: repr(tf.data.Dataset.from_tensors((None, 1)).element_spec),
        lambda tf: repr(
            tf.data.Dataset.from_tensors((None, 1))
            .concatenate(tf.data.Dataset.from_tensors((None, 2)))
            .element_spec
        ),
        lambda tf: [
            tf.data.Dataset.from_tensors((None, 1)).element_spec[0].is_compatible_with(x)
            for x in (None, 3, tf.data.Dataset.from_tensors((None, 1)).element_spec[0])
        ],
    ],
)


def _option(tf: Any, *path: str) -> Any:
    found = tf.data.Options()
    for name in path[:-1]:
        found = getattr(found, name)
    return getattr(found, path[-1])


def _options(tf: Any, **how: Any) -> Any:
    made = tf.data.Options()
    for name, value in how.items():
        setattr(made, name, value)
    return made


TABLE.rows(
    "options",
    [
        lambda tf: [_options(tf) == o for o in (_options(tf), _options(tf, deterministic=True), 3)],
        lambda tf: [_options(tf) != o for o in (_options(tf), _options(tf, deterministic=True), 3)],
        lambda tf: [
            _options(tf, deterministic=False).deterministic,
            _option(tf, "deterministic"),
            _option(tf, "threading", "max_intra_op_parallelism"),
        ],
        lambda tf: _options(tf, deterministic=3),
        lambda tf: _options(tf, nonsense=3),
        lambda tf: (
            tf.data.Dataset.range(2)
            .with_options(_options(tf, deterministic=True))
            .options()
            .deterministic
        ),
    ],
)


def _variable(tf: Any) -> Any:
    return tf.Variable([1.0, 2.0], name="v", trainable=False)


TABLE.rows(
    "tensor",
    [
        lambda tf: [tf.zeros([2]).device, _variable(tf).device],
        lambda tf: [repr(tf.zeros([2]).get_shape()), repr(_variable(tf).get_shape())],
        lambda tf: type(tf.zeros([2])).__name__,
        lambda tf: _variable(tf).name,
        lambda tf: complex(tf.constant(2.5)),
        lambda tf: str(complex(tf.Variable(2.5))),
        lambda tf: [int(tf.Variable(3)), float(tf.Variable(3)), bool(tf.Variable(0))],
        lambda tf: repr(tf.Variable(3).ref()),
        lambda tf: _variable(tf).trainable,
        lambda tf: [n.numpy() for n in tf.unstack(_variable(tf))],
        lambda tf: [round(tf.Variable(2.6).numpy().item()), len(_variable(tf).numpy())],
    ],
)

OPERATIONS = ("add", "sub", "mul", "floordiv", "mod", "truediv", "eq", "ne", "lt", "le", "gt", "ge")


def _sizes(tf: Any) -> Any:
    return [*tf.TensorShape([2, 7, None]).dims]


@TABLE.program
def what_is_computed_with_sizes(tf: Any) -> Any:
    """Operators of dimensions with each other, with numbers, and with what is no size."""
    found = []
    for name in OPERATIONS:
        run = getattr(operator, name)
        for other in (*_sizes(tf), 3, None, "a", 2.5):
            for pair in ((_sizes(tf)[1], other), (other, _sizes(tf)[1])):
                try:
                    found.append(repr(run(*pair)))
                except (TypeError, ValueError) as error:
                    found.append(type(error).__name__)
    return found


@TABLE.program
def what_sizes_are(tf: Any) -> Any:
    """Values, numbers, truth, and what fits."""
    two, seven, unknown = _sizes(tf)
    found = [two.value, unknown.value, int(two), bool(unknown), [*range(two)], str(unknown)]
    found += [two.is_compatible_with(x) for x in (2, seven, unknown, None)]
    found += [
        repr(two.merge_with(None)),
        repr(unknown.merge_with(seven)),
        repr(pickle.loads(pickle.dumps(two))),
    ]
    for act in (
        lambda: two.merge_with(seven),
        lambda: two.assert_is_compatible_with(3),
        lambda: two.is_compatible_with("a"),
        lambda: int(unknown),
        lambda: hash(two),
        lambda: two / 2,
        lambda: 2 / two,
        lambda: type(two)(-1),
        lambda: type(two)(1.5),
    ):
        try:
            found.append(act())
        except (TypeError, ValueError) as error:
            found.append(f"{type(error).__name__}: {error}")
    return found


@TABLE.program
def what_sizes_become(tf: Any) -> Any:
    """Tensors of dimensions, shapes of them, and what they are multiplied with."""
    two, seven, _ = _sizes(tf)
    return [
        *(tf.constant(two), tf.constant([two, 1]), tf.zeros([two, seven]), tf.fill([two, 1], 1.0)),
        *(tf.reshape(tf.range(14), [two, seven]), tf.range(two), tf.concat([[two], [3]], 0)),
        *(tf.constant(3) * two, tf.gather([1, 2, 3], two), tf.cast(two, tf.float32)),
        tf.one_hot([1], two),
    ]


TABLE.add("a size beside a float", lambda tf: tf.constant(2.0) * _sizes(tf)[0])


# --- what equals a shape --------------------------------------------------------------------------

_MADE: dict[str, Any] = {
    "an array": lambda tf: np.array([2, 3]),
    "an array of int64": lambda tf: np.array([2, 3], np.int64),
    "an array of floats": lambda tf: np.array([2.0, 3.0]),
    "floats": lambda tf: [2.0, 3.0],
    "a number": lambda tf: 2,
    "a number of NumPy's": lambda tf: np.int64(2),
    "an array that is a number": lambda tf: np.array(2),
    "an array of nothing": lambda tf: np.array([]),
    "a tensor": lambda tf: tf.constant([2, 3]),
    "a list of tensors": lambda tf: [tf.constant(2), 3],
    "a range": lambda tf: range(2, 4),
    "an iterator": lambda tf: iter([2, 3]),
    "a set": lambda tf: {2, 3},
    "nothing known": lambda tf: None,
    "one that is not known": lambda tf: [2, None],
    "a size below zero": lambda tf: [-1],
    "a text": lambda tf: "ab",
    "an object": lambda tf: object(),
    "a dtype": lambda tf: tf.float32,
    "a dimension": lambda tf: tf.TensorShape([2]).dims[0],
    "nested lists": lambda tf: [2, [3]],
}


def _equal(make: Any, sizes: Any) -> Any:
    """Compare a shape with something, in both orders; what the other one answers, too."""

    def run(tf: Any) -> Any:
        found: list[Any] = []
        for compare in (operator.eq, operator.ne):
            for is_turned in (False, True):
                pair = (tf.TensorShape(sizes), make(tf))
                try:
                    answer = compare(*(pair[::-1] if is_turned else pair))
                except ValueError as error:
                    answer = str(error)
                found.append(answer.tolist() if isinstance(answer, np.ndarray) else answer)
        return found

    return run


for _name, _make in _MADE.items():
    TABLE.rows(f"a shape and {_name}", [_equal(_make, s) for s in ([2, 3], [2], [2, None], None)])


class _Own:
    """What compares itself with everything."""

    def __eq__(self, other: object) -> Any:
        return "equal"

    def __lt__(self, other: object) -> Any:
        return "less"

    __gt__ = __lt__
    __hash__ = None  # type: ignore[assignment]  # as what is equal to everything


TABLE.rows(
    "what compares itself with a tensor",
    [
        lambda tf: tf.constant([1]) == _Own(),
        lambda tf: tf.constant([1]) != _Own(),
        lambda tf: tf.constant([1]) < _Own(),
        lambda tf: tf.Variable([1]) == _Own(),
        lambda tf: tf.constant([1]) == tf.TensorShape(None),
        lambda tf: tf.constant([1]) == np.array(["a"]),
    ],
    says="start",
)
