"""What stands beside a tensor: numbers, lists, arrays, shapes, and what can be no tensor."""

from __future__ import annotations

import operator
from collections import OrderedDict, deque
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

from tests.answers.answer import Table

TABLE = Table("operands")
TENSORS = {
    "float32": [1.0, 2.0],
    "float64": [1.0, 2.0],
    "int32": [1, 2],
    "int64": [1, 2],
    "bool": [True, False],
    "complex128": [2.0, 1.0],
    "int8": [1, 2],
    "uint8": [1, 2],
    "bfloat16": [1.0, 2.0],
    "string": ["a", "b"],
}
BESIDE: dict[str, Any] = {
    "a whole number": 2,
    "a number": 2.5,
    "a complex number": 1j,
    "a truth value": True,
    "a text": "a",
    "a list": [1, 2],
    "a list of floats": [1.5, 2.0],
    "one": 1,
    "a float64": np.float64(2.0),
    "an int64": np.int64(2),
    "an array": np.array([1.0, 2.0]),
    "an array of integers": np.array([1, 2]),
    "an array of texts": np.array(["a", "b"]),
    "nothing": None,
    "a whole number of nine bits": 300,
    "a number below zero": -1,
    "a whole number of forty bits": 2**40,
}
FUNCTIONS = (
    *("add", "subtract", "multiply", "divide", "maximum", "math.floormod", "math.floordiv"),
    *("math.truediv", "math.squared_difference", "math.divide_no_nan", "equal", "not_equal"),
    *("less", "where", "tensordot", "matmul"),
)
OPERATORS = {
    name: getattr(operator, name)
    for name in ("add", "sub", "mul", "truediv", "mod", "eq", "ne", "lt", "ge")
}


class Stranger:
    """An object that is no tensor, and has no operators."""

    def __repr__(self) -> str:
        return "Stranger()"


class Aware(Stranger):
    """An object that answers one operator and refuses two."""

    def __radd__(self, other: Any) -> str:
        return f"added to {other.dtype.name}"

    def __rsub__(self, other: Any) -> Any:
        return NotImplemented

    def __rmul__(self, other: Any) -> Any:
        raise ValueError("an error of its own")


class Numbers:
    """A sequence of numbers that is no list."""

    def __len__(self) -> int:
        return 2

    def __getitem__(self, k: int) -> float:
        return [1.5, 2.0][k]


STRANGERS: dict[str, Any] = {
    "an object": Stranger(),
    "a class": Fraction,
    "a fraction": Fraction(1, 2),
    "a dict": {},
    "a set": {1},
    "an ellipsis": ...,
    "a slice": slice(1),
    "an ordered dict": OrderedDict(),
    "a range": range(2),
    "a deque": deque([1.0, 2.0]),
    "a sequence": Numbers(),
    "one that is aware": Aware(),
}


def outcome(run: Callable[[], Any]) -> Any:
    """Give a result, or the type of an error."""
    try:
        return run()
    except Exception as error:
        return type(error).__name__


def _function(tf: Any, name: str) -> Any:
    if name == "where":
        return lambda x, y: tf.where([True, False], x, y)
    if name == "tensordot":
        return lambda x, y: tf.tensordot(x, y, 1)
    for part in name.split("."):
        tf = getattr(tf, part)
    return tf


def _beside(name: str, value: Any) -> Callable[[Any], Any]:
    """Apply a function to tensors of all kinds and a value, in both orders."""

    def run(tf: Any) -> Any:
        function = _function(tf, name)
        kinds = [k for k in TENSORS if (name, k) != ("divide", "bool")]  # NumPy divides these
        tensors = [tf.constant(TENSORS[k], getattr(tf, k)) for k in kinds]
        return [
            [outcome(lambda x=x: function(x, value)), outcome(lambda x=x: function(value, x))]
            for x in tensors
        ]

    return run


for _name in FUNCTIONS:
    for _called, _value in BESIDE.items():
        if _name == "tensordot" and np.ndim(_value) == 0:
            continue  # the error of a scalar is one of Python's lists
        TABLE.add(f"{_name} and {_called}", _beside(_name, _value))
for _called, _stranger in STRANGERS.items():
    TABLE.rows(
        f"operators and {_called}",
        [
            lambda tf, f=f, x=_stranger, v=v, left=left: f(*([x, v(tf)] if left else [v(tf), x]))
            for f in OPERATORS.values()
            for v in (lambda tf: tf.constant([1.0, 2.0]), lambda tf: tf.Variable([1.0, 2.0]))
            for left in (False, True)
        ],
        says="start",
    )
TABLE.rows(
    "a variable and nothing",
    [lambda tf, f=f: f(tf.Variable(1.0), None) for f in OPERATORS.values()],
)
TABLE.rows(
    "a tensor and nothing", [lambda tf, f=f: f(tf.ones(2), None) for f in OPERATORS.values()]
)
TABLE.rows(
    "a shape",
    [
        lambda tf, f=f: f(tf.constant([1.0, 2.0]), tf.TensorShape([2]))
        for f in (operator.sub, operator.mul, operator.eq, operator.pow)
    ],
)
TABLE.add("a shape as float64", lambda tf: tf.convert_to_tensor(tf.TensorShape([2]), tf.float64))
TABLE.rows(
    "a shape without sizes",
    [
        lambda tf: tf.convert_to_tensor(tf.TensorShape([])),
        lambda tf: tf.concat([tf.constant(1.0).shape, [2, 3]], 0),
        lambda tf: tf.concat([tf.TensorShape([]), [1]], 0),
        lambda tf: tf.reduce_prod(tf.TensorShape([])),
        lambda tf: tf.Variable(tf.TensorShape([])).read_value(),
        lambda tf: tf.convert_to_tensor(tf.TensorShape([2]), tf.int64),
        lambda tf: tf.convert_to_tensor(tf.TensorShape([2**40])),
        lambda tf: tf.convert_to_tensor(tf.TensorShape([None])),
        lambda tf: list(tf.data.Dataset.range(2).map(lambda x: x.shape)),
    ],
)
TABLE.rows(
    "a number in brackets",
    [
        lambda tf, k=k, v=v: tf.Variable([[1.0, 2.0], [3.0, 4.0]])[k].assign(v)
        for k in ((0, 0), 0, slice(0, 1))
        for v in ([9.0], 9.0, [[9.0]], [9.0, 8.0], [[9.0, 8.0]])
    ],
    says="type",
)
TABLE.add("a list with a dict", lambda tf: {"a": tf.ones(2)} == {"a": {}})


def _sizes(tf: Any) -> list[Any]:
    return [tf.constant(2), tf.constant(2, tf.int64)]


TABLE.rows(
    "sizes of two dtypes",
    [
        lambda tf: tf.zeros(_sizes(tf)),
        lambda tf: tf.ones(tuple(_sizes(tf))),
        lambda tf: tf.reshape(tf.range(4), _sizes(tf)),
        lambda tf: tf.reshape(tf.range(4), _sizes(tf)[::-1]),
        lambda tf: tf.reshape(tf.range(4), [2, _sizes(tf)[1]]),
        lambda tf: tf.reshape(tf.range(4), [np.int32(2), _sizes(tf)[1]]),
        lambda tf: tf.fill(_sizes(tf), 1),
        lambda tf: tf.broadcast_to(tf.ones([]), _sizes(tf)),
        lambda tf: tf.tile(tf.ones([2, 2]), _sizes(tf)),
        lambda tf: tf.slice(tf.ones([3, 3]), [0, 0], _sizes(tf)),
        lambda tf: tf.reduce_sum(tf.ones([3, 3, 3]), _sizes(tf)),
        lambda tf: tf.pad(tf.ones([2]), [_sizes(tf)]),
        lambda tf: tf.gather(tf.ones([3]), _sizes(tf)),
        lambda tf: tf.roll(tf.ones([3, 3]), _sizes(tf), [0, 1]),
        lambda tf: tf.split(tf.range(4), _sizes(tf)),
        lambda tf: tf.random.uniform(_sizes(tf)),
    ],
)
SIZED: list[Callable[[Any, Any], Any]] = [
    *(lambda tf, n: tf.zeros(n), lambda tf, n: tf.ones(n), lambda tf, n: tf.fill(n, 1.0)),
    *(lambda tf, n: tf.broadcast_to(1.0, n), lambda tf, n: tf.reshape(tf.ones([4]), n)),
    *(lambda tf, n: tf.tile([[1.0]], n), lambda tf, n: tf.pad([[1.0]], [n, n])),
    *(lambda tf, n: tf.slice(tf.ones([5, 5]), [0, 0], n), lambda tf, n: tf.eye(n[0])),
    lambda tf, n: tf.transpose(tf.ones([3, 2, 1]), [n[0], 1, 0]),
]


def _in_floats(tf: Any) -> list[Any]:
    """Give sizes as TensorFlow takes them though they are no integers."""
    two = tf.constant(2.0, tf.float64)
    return [[two, 2], [2, two], (two, two), [tf.constant(2.7), 2]]


TABLE.rows(
    "sizes of floats",
    [lambda tf, f=f: [f(tf, n) for n in _in_floats(tf)] for f in SIZED],
)
TABLE.rows(
    "sizes in arrays of floats",
    [
        *(lambda tf: tf.zeros(np.array([2.0, 1.9])), lambda tf: tf.fill(np.ones(2), 3.0)),
        *(lambda tf: tf.tile([[1.0]], np.full(2, 2.0)), lambda tf: tf.pad([1.0], np.ones((1, 2)))),
        lambda tf: tf.reshape(tf.ones([4]), np.full(2, 2.0)),
        lambda tf: tf.broadcast_to(1.0, np.ones(2, bool)),
        lambda tf: tf.transpose(tf.ones([2, 3]), np.array([1.0, 0.0])),
        lambda tf: tf.reduce_sum(tf.ones([2, 3]), np.array([1.0])),
        lambda tf: tf.constant(1.0, shape=np.ones(2)),
        lambda tf: tf.constant(1.0, shape=[1.0, 2]),
        lambda tf: tf.TensorShape(np.ones(2)),
        lambda tf: tf.zeros(np.array([1, 2], np.int8)),
    ],
)
PARTS: list[Any] = [
    *(np.arange(2), np.ones(2), np.ones(2, np.float32), np.ones(2, np.int16), np.ones(2, bool)),
    *([1, 2], [1.0, 2.0], (1, 2.5), [True, False], ["a", "b"], [2**40, 1]),
]


def _joined(join: Callable[[Any], Any]) -> Any:
    """Join each two that are no tensors; what does not fit into the first of them is refused."""
    wide = [x for x in PARTS if x is not PARTS[-1]]
    return [[outcome(lambda a=a, b=b: join([a, b])) for b in wide] for a in PARTS]


TABLE.rows(
    "parts that are no tensors",
    [
        lambda tf: _joined(lambda parts: tf.concat(parts, 0)),
        lambda tf: _joined(lambda parts: tf.stack(parts, 1)),
        lambda tf: _joined(tf.stack),
    ],
)

X = np.arange(6, dtype=np.float32).reshape(2, 3)
TABLE.rows(
    "axes that are truth values and floats",
    [
        lambda tf: tf.reduce_sum(X, [True]),
        lambda tf: tf.reduce_sum(X, np.float32(1)),
        lambda tf: tf.argmax(X, True),
        lambda tf: tf.cumsum(X, True),
        lambda tf: tf.cumsum(X, 1.0),
        lambda tf: tf.concat([X, X], True),
        lambda tf: tf.concat([X, X], 1.0),
        lambda tf: tf.stack([X, X], True),
        lambda tf: tf.stack([X, X], 1.0),
        lambda tf: tf.expand_dims(X, True),
        lambda tf: tf.expand_dims(X, 1.0),
        lambda tf: tf.split(X, 3, True),
        lambda tf: tf.split(X, 3, 1.0),
        lambda tf: tf.split(X, [1, 2], True),
        lambda tf: tf.split(X, [1, 2], [1]),
        lambda tf: tf.reverse(X, [True]),
        lambda tf: tf.squeeze(X[:, :1], 1.0),
        lambda tf: tf.squeeze(X[:, :1], [True]),
        lambda tf: tf.nn.softmax(X, True),
        lambda tf: tf.nn.log_softmax(X, 1.0),
        lambda tf: tf.sort(X, True),
        lambda tf: tf.norm(X, axis=True),
        lambda tf: tf.unstack(X, axis=True),
        lambda tf: tf.one_hot([1], 2, axis=1.0),
    ],
    says="type",
)
TABLE.rows(
    "places in integers of few bytes",
    [
        lambda tf: tf.pad(X, np.array([[1, 0], [0, 1]], np.int16)),
        lambda tf: tf.pad(X, np.array([[1, 0], [0, 1]], np.uint8)),
        lambda tf: tf.reverse(X, np.array([1], np.int16)),
        lambda tf: tf.slice(X, np.array([0, 0], np.int16), np.array([1, 1], np.int16)),
    ],
    says="start",
)
W = np.arange(2.0)
TABLE.rows(
    "arrays of float64 beside float32",
    [
        lambda tf: tf.math.polyval([tf.constant([1.0, 2.0]), W], tf.constant([3.0, 4.0])),
        lambda tf: tf.math.polyval([W, W], tf.constant([3.0, 4.0])),
        lambda tf: tf.math.polyval([W, 2.0], W),
        lambda tf: tf.math.polyval([1, 2], tf.constant([3.0, 4.0])),
        lambda tf: tf.math.polyval([1.0, 2.0], W),
        lambda tf: tf.math.polyval([1.0, 2.0, 3.0], 2.0),
        lambda tf: tf.math.polyval([W], tf.constant([3.0, 4.0])),
        lambda tf: tf.searchsorted(tf.constant([1.0, 2.0]), W),
        lambda tf: tf.searchsorted(W, tf.constant([1.0, 2.0]), "right"),
        lambda tf: tf.searchsorted(W, [1.0, 2.0]),
        lambda tf: tf.searchsorted([1, 2], [1.5]),
        lambda tf: tf.searchsorted(W, W),
        lambda tf: tf.nn.weighted_cross_entropy_with_logits(W, tf.constant([3.0, 4.0]), 2.0),
        lambda tf: tf.nn.weighted_cross_entropy_with_logits([1.0, 0.0], W, 2.0),
        lambda tf: tf.nn.weighted_cross_entropy_with_logits(W, W, 2),
        lambda tf: tf.image.ssim(np.ones((16, 16, 1)), tf.ones([16, 16, 1]), 1.0),
        lambda tf: tf.image.ssim_multiscale(np.ones((8, 8, 1)), tf.ones([8, 8, 1]), 1.0),
    ],
    says="type",
)
