"""What TensorFlow's new type promotion answers: dtypes of all pairs, weak ones, and refusals."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from tests.answers.answer import Table, said
from tests.answers.numpy_behaviour import OPERATORS
from tests.answers.numpy_names import as_it_was
from tests.answers.stand_ins import wide

TABLE = Table("weak_dtypes", as_it_was)
Run = Callable[..., Any]

DTYPES = (
    *("bool", "uint8", "uint16", "uint32", "uint64", "int8", "int16", "int32", "int64"),
    *("bfloat16", "float16", "float32", "float64", "complex64", "complex128"),
)
PYTHON: dict[str, Any] = {
    "a number": 1, "a fraction": 2.5, "1j": 1j, "True": True, "a list": [1, 2],
    "an array": np.array([1, 2], np.int8), "a double": np.float64(2),
}  # fmt: skip
WEAK = {"int": [2, 3], "float": [2.0, 3.0], "complex": [2 + 0j, 3]}


def asked(name: str, run: Run, modes: Iterable[str] = ("all", "safe")) -> None:
    """Add a program that runs in each mode."""
    for mode in modes:
        TABLE.add(f"{name} {mode}", lambda plain, mode=mode: run(promoting(plain, mode)))


def promoting(plain: Any, mode: str) -> Any:
    """Have operands be promoted."""
    tf = wide(plain)
    tf.experimental.numpy.experimental_enable_numpy_behavior(dtype_conversion_mode=mode)
    return tf


def shown(value: Any) -> Any:
    """Say of which dtype a result is, whether it is weak, and what its last element is."""
    if isinstance(value, (list, tuple)):
        return [shown(v) for v in value]
    if not hasattr(value, "numpy"):
        return str(value)
    weak = " weak" if "weak=True" in repr(value) else ""
    last = np.asarray(value.numpy()).ravel()[-1:]
    if last.dtype.kind == "O" or not last.size:
        return f"{value.dtype.name}{weak}"
    number = complex(last[0])
    return f"{value.dtype.name}{weak} {number if number.imag else number.real:.4g}"


def told(run: Run, *operands: Any) -> Any:
    """Say what a function gives, or that a promotion or something else refuses it."""
    try:
        return shown(run(*operands))
    except Exception as error:
        return "not promoted" if _PROMOTION in str(error) else "refused"


_PROMOTION = "disallowed. You need"


def operands(tf: Any) -> dict[str, Any]:
    """Make a tensor of each kind."""
    found = {name: tf.cast(tf.constant([2, 3]), name) for name in DTYPES}
    found |= {f"weak {name}": tf.constant(value) for name, value in WEAK.items()}
    return found | {f"variable {n}": tf.Variable(tf.cast([2, 3], n)) for n in ("int32", "float16")}


def _of_pairs(of: Run) -> Run:
    def run(tf: Any) -> Any:
        known = operands(tf)
        beside = known | {
            k: v for k, v in PYTHON.items() if not isinstance(v, (np.ndarray, np.generic))
        }
        return {a: [told(of, x, y) for y in beside.values()] for a, x in known.items()}

    return run


_RELATIONS = {"less", "at least", "unequal", "and"}
for _name, _operator in OPERATORS.items():
    asked(
        f"operator {_name}",
        _of_pairs(_operator),
        ("all",) if _name in _RELATIONS else ("all", "safe"),
    )
asked("operator sub reflected", _of_pairs(lambda x, y: y - x))
FUNCTIONS = (
    *("add", "subtract", "multiply", "divide", "truediv", "math.floordiv", "math.floormod", "pow"),
    *("maximum", "minimum", "equal", "not_equal", "less", "math.divide_no_nan", "realdiv"),
    *("math.multiply_no_nan", "math.squared_difference", "truncatediv"),
)


def _named(name: str, *args: Any) -> Run:
    def run(tf: Any) -> Any:
        known = operands(tf)
        function: Any = tf
        for part in name.split("."):
            function = getattr(function, part)
        beside = {k: known[k] for k in ("uint8", "int32", "bfloat16", "float32")} | PYTHON
        beside |= {k: v for k, v in known.items() if k.startswith("weak")}
        return {
            a: [told(lambda x, y: function(x, y, *args), x, y) for y in beside.values()]
            for a, x in known.items()
        }

    return run


for _name in FUNCTIONS:
    asked(_name, _named(_name), ("all",))
for _name in ("tensordot", "clip_by_value"):
    asked(_name, _named(_name, *((1,) if _name == "tensordot" else (5,))), ("all",))
_OF_NUMPY = "add true_divide maximum power dot kron append heaviside full_like"
for _name in _OF_NUMPY.split():
    asked(f"numpy {_name}", _named(f"experimental.numpy.{_name}"), ("all",))

ONE = (
    *("abs", "sign", "negative", "square", "identity", "zeros_like", "ones_like", "reduce_sum"),
    *("reduce_mean", "reduce_max", "transpose", "stop_gradient", "expand_dims", "exp", "sqrt"),
)
OF_NUMPY = (
    *("abs", "exp", "sqrt", "sign", "square", "floor", "array", "zeros_like", "sum", "mean", "max"),
    *("prod", "var", "std", "cumsum", "cumprod", "argmax", "ravel", "isnan"),
    *("average", "diag", "any", "atleast_2d", "tril", "ptp", "cbrt"),
)


def _of_one(names: Iterable[str], space: str) -> Run:
    def run(tf: Any) -> Any:
        known = operands(tf) | PYTHON
        holder = tf.experimental.numpy if space else tf
        last = [0] if not space else []
        return {
            name: [
                told(getattr(holder, name), x, *(last if name == "expand_dims" else []))
                for x in known.values()
            ]
            for name in names
        }

    return run


for _k in range(0, len(ONE), 5):
    asked(f"functions of one {_k}", _of_one(ONE[_k : _k + 5], ""), ("all",))
for _k in range(0, len(OF_NUMPY), 5):
    asked(f"numpy of one {_k}", _of_one(OF_NUMPY[_k : _k + 5], "numpy"), ("all",))


def _assigned(tf: Any) -> Any:
    found = {}
    for name in ("int32", "float16", "float32"):
        for method in ("assign", "assign_add", "assign_sub"):
            variables = [tf.Variable(tf.cast([2, 3], name)) for _ in [*operands(tf), *PYTHON]]
            given = [*operands(tf).values(), *PYTHON.values()]
            found[f"{name} {method}"] = [
                told(getattr(v, method), x) for v, x in zip(variables, given, strict=True)
            ]
    return found


asked("assignments", _assigned)


# --- what a script sees ---------------------------------------------------------------------------


def _line(name: str, runs: Iterable[Run], modes: Iterable[str] = ("all",)) -> None:
    """Add a row of programs, with the texts of their errors."""
    listed = [*runs]

    def one(tf: Any, run: Run) -> Any:
        try:
            found = run(tf)
        except Exception as error:
            return f"{type(error).__name__}: {said(str(error), 'plain')['plain']}"
        return [repr(x) for x in found] if isinstance(found, (list, tuple)) else repr(found)

    asked(name, lambda tf: [one(tf, run) for run in listed], modes)


def _weak(tf: Any) -> Any:
    return tf.constant([1, 2])


_line(
    "constants",
    [
        *[lambda tf, x=x: tf.constant(x) for x in (1, 1.5, 1j, True, "a", [1, 2.5], [], [[1]])],
        *[lambda tf, x=x: tf.constant(x) for x in (2**40, None, np.float16(1), np.array([1, 2]))],
        lambda tf: tf.constant(tf.constant(1.5)),
        lambda tf: tf.constant(tf.TensorShape([1, 2])),
        lambda tf: tf.constant(1, tf.int64),
        lambda tf: tf.constant(2**40, tf.int64),
        lambda tf: tf.constant(tf.constant(1, tf.int16), tf.int32),
        lambda tf: tf.constant(tf.constant(1.5), tf.float64),
        lambda tf: tf.constant(tf.constant(1.5), tf.int32),
        lambda tf: tf.constant(tf.constant(1.5, tf.float32), tf.float16),
        lambda tf: tf.constant(1.5, tf.int32),
        lambda tf: tf.constant(1, shape=[2]),
        lambda tf: tf.constant(tf.Variable(2.5), tf.int32),
    ],
    ("all", "safe"),
)
_line(
    "what is shown",
    [
        lambda tf: [str(_weak(tf)), str(tf.constant(1.5)), f"{tf.constant(1.5)}", f"{_weak(tf)}"],
        lambda tf: [type(_weak(tf)).__name__, tf.is_tensor(_weak(tf)), len(_weak(tf))],
        lambda tf: [int(tf.constant(2)), float(tf.constant(2)), bool(tf.constant(0))],
        lambda tf: [*_weak(tf)],
        lambda tf: [_weak(tf).tensor, _weak(tf).to_tensor()],
        lambda tf: hash(_weak(tf)),
        lambda tf: _weak(tf).name,
    ],
)
_line(
    "what is not weak any more",
    [
        lambda tf: [_weak(tf)[0], _weak(tf)[:1], _weak(tf)[None]],
        lambda tf: [tf.convert_to_tensor(_weak(tf)), tf.convert_to_tensor(1)],
        lambda tf: [tf.cast(_weak(tf), tf.int32), tf.stack([_weak(tf)]), tf.gather(_weak(tf), 0)],
        lambda tf: [tf.Variable(_weak(tf)), tf.Variable(1.5) + 1, tf.where([True], 1, 2)],
        lambda tf: [tf.nn.softmax([1.0, 1.0]), tf.nn.relu(tf.constant(1.5)), tf.range(2)],
        lambda tf: tf.convert_to_tensor(2**40),
        lambda tf: tf.stack([tf.constant(1.5), tf.constant(np.int32(1))]),
        lambda tf: tf.constant(1.5) < tf.constant(np.int32(1)),
        lambda tf: tf.constant(np.int32(1)) < 1.5,
        lambda tf: tf.scalar_mul(2.5, tf.constant(np.int32(1))),
    ],
)
_line(
    "methods",
    [
        lambda tf: [_weak(tf).T, _weak(tf).reshape(2, 1), _weak(tf).ravel(), _weak(tf).max()],
        lambda tf: [_weak(tf).mean(), _weak(tf).clip(0, 1), round(tf.constant(1.5)), +_weak(tf)],
        lambda tf: [-_weak(tf), abs(_weak(tf)), ~_weak(tf), _weak(tf).astype("float32")],
    ],
)
_line(
    "truth values are multiplied as ever",
    [
        lambda tf: tf.constant(True) * 2,
        lambda tf: 2 * tf.constant(True),
        lambda tf: tf.constant([True, False]) * tf.constant(1.5),
        lambda tf: tf.constant(True) + True,
    ],
)
_line(
    "what has no kind",
    [
        lambda tf: tf.constant("a") + "b",
        lambda tf: tf.constant("a") + 1,
        lambda tf: tf.constant(1) + None,
        lambda tf: tf.constant(1) == None,  # noqa: E711 - what a tensor says of it
        lambda tf: tf.Variable(1) == None,  # noqa: E711 - and a variable
        lambda tf: (tf.constant(1.5) + tf.ragged.constant([[1.0, 2.0], [3.0]])).to_list(),
        lambda tf: (tf.ragged.constant([[1, 2], [3]]) + 1).to_list(),
        lambda tf: tf.abs(tf.ragged.constant([[1, -2], [3]])).to_list(),
        lambda tf: tf.add(tf.TensorShape([1, 2]), 1),
    ],
)
_line(
    "result types",
    [
        *[
            lambda tf, x=x: tf.experimental.numpy.result_type(x)
            for x in (1, 1.5, float, int, np.int8, np.dtype("float64"), "a", [1, 2.5])
        ],
        lambda tf: tf.experimental.numpy.result_type(tf.int32, 1.5),
        lambda tf: tf.experimental.numpy.result_type(),
    ],
)


def _differentiated(tf: Any) -> Any:
    """Let gradients flow through conversions, and through tensors that are read as not weak."""
    x, v, n = tf.constant([1.0, 2.0]), tf.Variable([1.0, 2.0]), tf.constant(np.int32(2))
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        first = tf.reduce_sum(x * x * n + 2.5 * x)
        rows = [part * 2 for part in x]
        second = tf.reduce_sum(tf.cast(x, tf.float64) * tf.stack(rows))
        third = tf.reduce_sum(v * x + v**2 + tf.constant(np.int8(1)))
    return [
        *[np.asarray(tape.gradient(y, x).numpy()).tolist() for y in (first, second)],
        shown(tape.gradient(third, v)),
        shown([first, second, third]),
    ]


asked("gradients", _differentiated, ("all",))
