"""What tensors do once they behave as arrays: operators, brackets, methods; and random numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.answers import numpy_names
from tests.answers.answer import Table
from tests.answers.numpy_names import B, D, F, I, Run, X, as_it_was, call, given
from tests.answers.stand_ins import wide

TABLE = Table("numpy_behaviour", as_it_was)


def asked(name: str, runs: Any, **behaviour: Any) -> None:
    """Add a row of programs that run with NumPy's behaviour."""
    numpy_names.asked(name, runs, TABLE, **behaviour)


def key(where: Any) -> Run:
    """Index an array of three axes, and give the gradient, too."""

    def run(tf: Any) -> Any:
        x = tf.constant(X)
        chosen = tuple(given(tf, k) for k in where) if isinstance(where, tuple) else where
        with tf.GradientTape() as tape:
            tape.watch(x)
            made = x[given(tf, chosen)]
            total = tf.reduce_sum(made * made)
        return [made, tf.convert_to_tensor(tape.gradient(total, x))]

    return run


# --- tensors that behave as arrays ----------------------------------------------------------------
OPERATORS = {
    "add": lambda x, y: x + y, "sub": lambda x, y: x - y, "mul": lambda x, y: x * y,
    "div": lambda x, y: x / y, "floordiv": lambda x, y: x // y, "mod": lambda x, y: x % y,
    "pow": lambda x, y: x**y, "less": lambda x, y: x < y, "at least": lambda x, y: x >= y,
    "equal": lambda x, y: x == y, "unequal": lambda x, y: x != y, "and": lambda x, y: x & y,
}  # fmt: skip
_BESIDE = [F, D, np.abs(I), B, 2, 2.5, [1, 2, 3], np.float64(2.5)]
for _name, _of in OPERATORS.items():
    _made = [
        lambda tf, x=x, y=y, of=_of: of(tf.constant(x), given(tf, y))
        for x in (F, D, np.abs(I), B)
        for y in _BESIDE
    ]
    asked(f"operator {_name}", _made)
    asked(f"operator {_name} in single", _made[4::8], prefer_float32=True)
    asked(
        f"operator {_name} reflected",
        [lambda tf, y=y, of=_of: of(y, tf.constant(F)) for y in (2, 2.5, [1, 2, 3], D)],
    )
asked("operators of variables", [lambda tf: tf.Variable(F) + I, lambda tf: tf.Variable(F) * 2.5])
asked(
    "operators that promote nothing",
    [
        lambda tf: tf.constant(F) + tf.constant(I),
        lambda tf: tf.constant(F).T,
    ],
    dtype_conversion_mode="off",
)
asked(
    "products of matrices",
    [
        lambda tf: tf.constant(D) @ tf.constant(F.T),
        lambda tf: tf.constant(F) @ tf.constant(I[0]),
        lambda tf: I[0] @ tf.constant(F.T),
        lambda tf: tf.constant(F) @ tf.constant(F),
    ],
)

KEYS: list[Any] = [
    (1, None, slice(1, 3), Ellipsis), (slice(None), (True, False, True)),
    (1, (0, 0, 1), np.array([0, 1, 1])), ([0, 1],), [0, 1], (slice(None), [0, 2]),
    ([0, 1], slice(None), [1, 2]), ([0, 1], [1, -1]), (0, slice(None), [1, 2]), ([1, 0], 0),
    (Ellipsis, [0, -1]), (np.array([[0, 1], [1, 0]]),), np.array([True, False]), X > 5,
    (0, [0, 1], [1, 2]), (None, [1]), (1.5,), ("a",), (np.array(1),), ([5],), [slice(0, 1), 1],
    (slice(None, None, -1), [2, 0]), True, (slice(1.5, None),), (np.array([[True, False]]),),
    (Ellipsis, [0], [1]), (Ellipsis, [0], slice(None), 0), ([0, 1], Ellipsis, [1]), (True,),
    (slice(None), [0, 1], [2, 3]), (slice(None), [[0], [1]], [2, 3]), (np.array([1], np.int8),),
    (np.array([1], np.uint64),), (5,), 3, -1, (slice(None), slice(np.int64(1), None)),
]  # fmt: skip
for _k, _key in enumerate(KEYS):
    asked(f"key {_k}", [key(_key)])

METHODS: dict[str, Run] = {
    "T": lambda x: x.T, "size": lambda x: x.size, "plus": lambda x: +x,
    "list": lambda x: x.tolist(),
    "transpose": lambda x: [x.transpose(), x.transpose([0, 1])], "data": lambda x: x.data,
    "flatten": lambda x: [x.flatten(), x.flatten("F")], "flatten by X": lambda x: x.flatten("X"),
    "reshape": lambda x: [x.reshape(3, 2), x.reshape((3, -1)), x.reshape(3, 2, order="F")],
    "reshape by X": lambda x: x.reshape(3, 2, order="X"), "ravel": lambda x: x.ravel(),
    "reshape by a word": lambda x: x.reshape(3, 2, foo=1), "clip": lambda x: x.clip(0, 1),
    "astype": lambda x: [x.astype("float64"), x.astype(np.int8), x.astype(float)],
    "round": lambda x: [round(x), round(x, 1)], "max": lambda x: [x.max(), x.max(axis=0)],
    "mean": lambda x: x.mean(1), "min": lambda x: x.min(0, keepdims=True), "sum": lambda x: x.sum(),
    "max with out": lambda x: x.max(out=3), "rank": lambda x: x.ndim,
}  # fmt: skip
for _name, _of_one in METHODS.items():
    asked(f"method {_name}", [lambda tf, x=x, of=_of_one: of(tf.constant(x)) for x in (F, I, B)])
for _mode in ("bad", 3):
    TABLE.add(
        f"mode {_mode}",
        lambda plain, mode=_mode: wide(plain).experimental.numpy.experimental_enable_numpy_behavior(
            dtype_conversion_mode=mode
        ),
    )

# --- random numbers -------------------------------------------------------------------------------
DRAWS: dict[str, tuple[Any, ...]] = {
    "randn": (2, 3), "standard_normal": (3,), "rand": (2,), "random": ([2],),
    "uniform": (1, 3, [2]),
    "poisson": (3.0, [3]), "randint": (2, 9, [2, 2]), "seed": ([1, 2],),
}  # fmt: skip
for _name, _args in DRAWS.items():
    _drawn = [call("random.seed", 7), call(f"random.{_name}", *_args)]
    _drawn += [call("random.uniform", [1.0, 2.0], 3), call("random.randint", 5, dtype=np.int8)]
    asked(f"random {_name}", _drawn)
    asked(f"random {_name} in single", _drawn, prefer_float32=True)

# --- what NumPy does not promote ------------------------------------------------------------------
asked(
    "operators beside others",
    [
        lambda tf: (tf.constant(2.0) + tf.ragged.constant([[1.0, 2.0]])).to_tensor(),
        lambda tf: tf.constant([1.0, 2.0]) == None,  # noqa: E711 - what a tensor says of it
        lambda tf: tf.constant(2) * tf.TensorShape([3, 4]),
        lambda tf: tf.constant(2.5) + "S",
    ],
)
