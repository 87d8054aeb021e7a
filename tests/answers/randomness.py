"""Random numbers: equal seeds give equal bits."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from tests.answers.answer import Bits, Table

TABLE = Table("randomness")
SEEDS = [0, 1, 42, 2**31 - 1, 2**40 + 3, -7]
SHAPES = [[], [1], [2, 3], [0, 4], [1001], [7, 11, 13]]
FLOATS = ["float16", "float32", "float64"]
KINDS = ("normal", "uniform", "truncated_normal")


def sequence(tf: Any, seed: Any) -> Any:
    """Draw numbers of many kinds, each with the next seed after a global one."""
    m = tf.random
    m.set_seed(seed)
    draws = [
        getattr(m, kind)(shape, dtype=dtype)
        for shape in SHAPES
        for dtype in FLOATS
        for kind in KINDS
    ]
    draws += [m.uniform(s, -5, 1000, dtype=d) for s in SHAPES for d in ("int32", "int64")]
    draws += [m.shuffle(np.arange(30.0).reshape(10, 3)), m.shuffle(np.arange(100))]
    return [Bits(draw) for draw in draws]


for _seed in SEEDS:
    TABLE.add(f"sequence of seed {_seed}", lambda tf, seed=_seed: sequence(tf, seed))

CLASSES = np.linspace(-2.0, 3.0, 12).reshape(3, 4)
WEIGHTS = [
    *(CLASSES.astype(kind) for kind in ("float16", "float32", "float64")),
    np.array([[0.0, -np.inf, 2.0, np.nan]], np.float32),
    np.array([[np.inf, 1.0], [-np.inf, -np.inf]], np.float32),
    np.zeros((1, 100)),
]


def classes(tf: Any, seed: Any) -> Any:
    """Draw classes, with the next seed after a global one, and with one of the operation."""
    tf.random.set_seed(seed)
    draw = tf.random.categorical
    drawn = [draw(w, n, seed=own) for w in WEIGHTS for n in (1, 7, 0) for own in (None, 5, 5)]
    return [*drawn, draw(CLASSES, 3, dtype="int32"), tf.random.normal([2])]


for _seed in (None, 0, 42):
    TABLE.add(f"classes of seed {_seed}", lambda tf, seed=_seed: classes(tf, seed)[1:3])
for _seed in (0, 42):
    TABLE.add(f"all classes of seed {_seed}", lambda tf, seed=_seed: classes(tf, seed))
MISUSED = [
    lambda m: m.categorical([0.0, 1.0], 2),
    lambda m: m.categorical([[0.0, 1.0]], -1),
    lambda m: m.categorical([[0.0, 1.0]], [2]),
    lambda m: m.categorical([[0.0, 1.0]], 2, dtype="float32"),
    lambda m: m.categorical(np.zeros((3, 0)), 2),
    lambda m: m.categorical(np.zeros((0, 3)), 2),
]
TABLE.rows("classes of", [lambda tf, run=run: run(tf.random) for run in MISUSED])

SEEDED: list[Callable[[Any], Any]] = [
    lambda m: m.normal([2], seed=1),
    lambda m: m.normal([2], seed=1),
    lambda m: m.normal([3], mean=5.0, stddev=0.1, seed=1),
    lambda m: m.normal(np.array([2]), seed=1),
    lambda m: m.normal([2, 1], seed=1),
    lambda m: m.normal([2], dtype="float64", seed=1),
    lambda m: m.uniform([5], seed=1),
    lambda m: m.uniform([5], -1.0, 3, seed=1),
    lambda m: m.uniform([5], 0, 3, seed=np.int64(1)),
    lambda m: m.uniform([5], [0.0, 1.0, 2.0, 3.0, 4.0], 5.0, seed=1),
    lambda m: m.uniform([5], maxval=9, dtype="int32", seed=1),
    lambda m: m.uniform([5], -(2**31), 2**31 - 1, dtype="int32", seed=1),
    lambda m: m.uniform([5], -(2**63), 2**63 - 1, dtype="int64", seed=1),
    lambda m: m.truncated_normal([300], mean=1.0, seed=1),
    lambda m: m.truncated_normal([300], stddev=2.0, seed=1),
    lambda m: m.shuffle([1, 2, 3, 4, 5, 6, 7, 8], seed=1),
    lambda m: m.shuffle([1, 2, 3, 4, 5, 6, 7, 8], seed=1),
    lambda m: m.shuffle([1.0, 2.0, 3.0, 4.0, 5.0], seed=1),
    lambda m: m.shuffle([[1.0, 2.0], [3.0, 4.0]], seed=1),
    lambda m: m.shuffle([[1.0, 2.0]], seed=1),
    lambda m: m.shuffle([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], seed=1),
    lambda m: m.normal([2], seed=0),
    lambda m: m.normal([2], seed=2**31 - 1),
    lambda m: m.normal([2], seed=1.5),
    lambda m: m.normal([2]),
]


def seeded(tf: Any, seed: Any) -> Any:
    """Call with seeds: calls share one counter per operation and dtypes."""
    tf.random.set_seed(seed)
    calls = SEEDED[: -1 if seed is None else None]
    return [Bits(call(tf.random)) for call in calls]


for _seed in (None, 0, 7):
    TABLE.add(f"seeds of operations after {_seed}", lambda tf, seed=_seed: seeded(tf, seed))


def stateless(tf: Any, seed: Any) -> Any:
    """Draw without state, in every dtype."""
    m = tf.random
    draws = []
    for shape in SHAPES:
        for dtype in FLOATS:
            draws += [getattr(m, f"stateless_{kind}")(shape, seed, dtype=dtype) for kind in KINDS]
        for dtype in ("int32", "int64", "uint32", "uint64"):
            draws.append(m.stateless_uniform(shape, seed, minval=None, dtype=dtype))
        draws.append(m.stateless_uniform(shape, seed, -3, 17, dtype="int64"))
    draws += [m.split(seed, 3), m.fold_in(seed, 3)]
    return [Bits(draw) for draw in draws]


for _seed in ([0, 0], [1, 2], [-5, 2**31 - 1], [2**40, -(2**50)]):
    TABLE.add(f"stateless numbers of {_seed}", lambda tf, s=_seed: stateless(tf, np.array(s)))


def generator(tf: Any, seed: Any) -> Any:
    """Draw from a generator, and read its state at the end."""
    g = tf.random.Generator.from_seed(seed)
    draws = [g.normal(s, dtype=d) for s in SHAPES for d in FLOATS]
    draws += [g.uniform(s, -1.0, 2.0, dtype=d) for s in SHAPES for d in FLOATS]
    draws += [g.truncated_normal(s, 1.0, 2.0, dtype=d) for s in SHAPES for d in FLOATS]
    draws += [g.uniform([5], 0, 99, dtype="int32"), g.uniform([5], None, dtype="int64")]
    draws += [g.uniform_full_int([3]), g.skip(5), g.make_seeds(3), g.key, g.state]
    draws += [part.normal([2]) for part in g.split(2)]
    return [Bits(draw) for draw in draws]


for _seed in (1, -5, 2**70 + 5, [1, 2], [1, 2, 3, 4], 2**128 - 3):
    TABLE.add(f"generator of {_seed}", lambda tf, seed=_seed: generator(tf, seed))

for _kind in KINDS:
    TABLE.add(
        f"a million numbers, {_kind}",
        lambda tf, kind=_kind: Bits(getattr(tf.random, kind)([1_000_003], seed=3)),
    )


@TABLE.program
def gradients_in_the_parameters(tf: Any) -> Any:
    """Differentiate by mean, deviation and both ends."""
    m = tf.random
    m.set_seed(3)
    a, b = tf.Variable(1.0), tf.Variable([2.0, 3.0])
    with tf.GradientTape(persistent=True) as tape:
        targets = [
            m.normal([3, 2], a, b),
            m.uniform([3, 2], a, b),
            m.truncated_normal([3, 2], a, b),
            m.stateless_normal([3, 2], [1, 2], a, b),
            m.uniform([2], 0, b),
        ]
    return [tape.gradient(target, [a, b]) for target in targets]


ERRORS: list[Callable[[Any], Any]] = [
    lambda m: m.normal(3),
    lambda m: m.normal([2.0]),
    lambda m: m.normal([-1]),
    lambda m: m.normal([2], dtype="int32"),
    lambda m: m.normal([2], mean=0, stddev=1, dtype="int32"),
    lambda m: m.normal([2], mean=[1.0, 2.0, 3.0]),
    lambda m: m.normal([2], mean=m.normal([], dtype="float64")),
    lambda m: m.uniform([2], dtype="int32"),
    lambda m: m.uniform([2], dtype="uint8"),
    lambda m: m.uniform([2], 5, 3, dtype="int32"),
    lambda m: m.uniform([2], [1, 2], 3, dtype="int32"),
    lambda m: m.uniform([2], 0, 3.5, dtype="int32"),
    lambda m: m.stateless_normal([2], [1, 2, 3]),
    lambda m: m.stateless_normal([2], [1.0, 2.0]),
    lambda m: m.stateless_uniform([2], [1, 2], 3, 2, "int32"),
    lambda m: m.stateless_uniform([2], [1, 2], 3, 2, "uint32"),
    lambda m: m.stateless_uniform([2], [1, 2], None),
    lambda m: m.Generator.from_seed(1).uniform([2], dtype="int32"),
    lambda m: m.Generator.from_seed(1).normal(3),
    lambda m: m.Generator.from_seed(1, alg="x"),
    lambda m: m.normal([[2]]),
    lambda m: m.normal(None),
    lambda m: m.stateless_uniform([2], [1, 2], dtype="int32"),
    lambda m: m.stateless_uniform([2], [1, 2], alg="threefry"),
    lambda m: m.stateless_uniform([2], [1, 2], alg="foo"),
    lambda m: m.Generator.from_seed(1, alg="threefry").normal([2]),
    lambda m: m.Generator.from_state([1, 2], alg="philox"),
]
TABLE.rows("mistake", [lambda tf, call=call: call(tf.random) for call in ERRORS], says="start")


def documented(tf: Any) -> Any:
    """Draw the numbers of the examples in TensorFlow's documentation."""
    m = tf.random
    m.set_seed(5)
    drawn = [m.normal([2, 2], 0, 1, "float32", seed=1)]
    for _ in range(2):
        m.set_seed(5)
        drawn += [m.uniform([], maxval=3, dtype="int32", seed=10) for _ in range(2)]
    generator = m.Generator.from_seed(1234)
    drawn += [generator.normal(shape=(2, 3)), generator.state]
    drawn.append(m.stateless_normal([3], m.split([1, 2], num=3)[0, :]))
    return [*drawn, m.stateless_normal([3], m.fold_in([1, 2], 3))]


TABLE.add("documented", documented)


# --- gamma and Poisson numbers --------------------------------------------------------------------

STRENGTHS = np.array([0.1, 0.7, 1.0, 1.5, 40.0], np.float32)
RATES = np.array([0.0, 0.5, 9.99, 10.0, 12.0, 1e4], np.float32)
REJECTED: list[Callable[[Any], Any]] = [
    lambda r: Bits(r.stateless_gamma([200, 5], [1, 2], STRENGTHS)),
    lambda r: r.stateless_gamma([7, 5], [3, -2], STRENGTHS.astype(np.float64), dtype="float64"),
    lambda r: r.stateless_gamma([2, 2, 5], [1, 2], STRENGTHS, beta=[[2.0], [3.0]]),
    lambda r: Bits(r.stateless_poisson([200, 6], [1, 2], RATES)),
    lambda r: Bits(r.stateless_poisson([3, 6], [5, 7], RATES, dtype="float64")),
    lambda r: [r.gamma([3], STRENGTHS), r.gamma([2], 3.0), r.poisson([3], RATES), r.uniform([2])],
    lambda r: [r.gamma([2], 0.5, seed=3), r.gamma([2], 0.5, seed=3), r.poisson([2], 5.0, seed=4)],
    lambda r: r.gamma([2], [[1.0], [2.0]], beta=[1.0, 2.0, 3.0]),
    lambda r: r.poisson([2, 1], [[3.0], [20.0]], dtype="int64"),
    lambda r: r.gamma([0], STRENGTHS),
    lambda r: r.stateless_categorical([[0.1, 0.2]], 3, [1, 2], None),
    lambda r: r.categorical([[0.1, 0.2]], 3, None, seed=2),
]


def from_one(draws: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Draw after setting the global seed."""

    def run(tf: Any) -> Any:
        tf.random.set_seed(1)
        return draws(tf.random)

    return run


TABLE.rows("rejected", [from_one(draws) for draws in REJECTED])


def _derived(draw: Callable[[Any, Any], Any], like: Any = STRENGTHS) -> Callable[[Any], Any]:
    """Derive a function of what is drawn by the shape parameter, at the same quantile."""

    def run(tf: Any) -> Any:
        alpha = tf.constant(like)
        with tf.GradientTape() as tape:
            tape.watch(alpha)
            found = tf.reduce_sum(tf.sin(draw(tf.random, alpha)))
        return tape.gradient(found, alpha)

    return run


def _twice(tf: Any) -> Any:
    alpha, scale = tf.constant([0.5, 2.0]), tf.constant(3.0)
    with tf.GradientTape(persistent=True) as outer:
        outer.watch([alpha, scale])
        with tf.GradientTape() as tape:
            tape.watch(alpha)
            found = tf.sin(scale * tf.random.stateless_gamma([3, 2], [1, 2], alpha))
        slope = tape.gradient(found, alpha)
    return outer.gradient(slope, scale), outer.gradient(slope, alpha)


TABLE.rows(
    "derivative by the shape",
    [
        _derived(lambda r, a: r.gamma([4], a, seed=3)),
        _derived(lambda r, a: r.gamma([2, 3], a, beta=2.0, seed=3)),
        _derived(lambda r, a: r.stateless_gamma([4, 5], [1, 2], a)),
        _derived(lambda r, a: r.stateless_gamma([5], [1, 2], a[1])),
        _derived(lambda r, a: r.stateless_gamma([3, 2, 5], [1, 2], a, beta=[[2.0], [3.0]])),
        _derived(
            lambda r, a: r.stateless_gamma([4, 5], [1, 2], a, dtype="float64"),
            STRENGTHS.astype(np.float64),
        ),
        _twice,
    ],
)
TABLE.rows(
    "shape of another end",
    [
        lambda tf: tf.random.stateless_gamma([4, 3], [1, 2], [[2.0]]),
        lambda tf: tf.random.stateless_gamma([3], [1, 2], [[2.0, 1.0, 3.0]]),
        lambda tf: tf.random.stateless_poisson([4, 3], [1, 2], [[2.0]]),
        lambda tf: tf.random.stateless_binomial([4, 3], [1, 2], [10.0, 3.0], 0.2),
        lambda tf: tf.random.stateless_binomial([4, 3], [1, 2], [10.0, 3.0], [0.1, 0.2, 0.3]),
        lambda tf: tf.random.Generator.from_seed(1).binomial([4, 3], [10.0, 3.0], [0.2, 0.3]),
    ],
    says="type",
)

TRIALS = np.array([-1.0, 0.0, 1.0, 9.0, 25.0, 40.0, 1e3, 1e6], np.float32)
CHANCES = np.array([[-0.1], [0.0], [0.01], [0.3], [0.5], [0.6], [0.99], [1.0], [1.5]], np.float32)


def _counted(tf: Any) -> Any:
    """A generator's state moves on with each draw, by as much as TensorFlow reserves."""
    source = tf.random.Generator.from_seed(7)
    found = []
    for shape, dtype in (([4, 9, 8], "int32"), ([9, 8], "float32"), ([0, 9, 8], "int64")):
        found += [source.binomial(shape, TRIALS, CHANCES, dtype), source.state.numpy().tolist()]
    return [*found, source.binomial([3], 10.0, 0.3)]


TABLE.rows(
    "binomial",
    [
        lambda tf: tf.random.stateless_binomial([20, 9, 8], [1, 2], TRIALS, CHANCES),
        lambda tf: tf.random.stateless_binomial(
            [5, 9, 8], [-3, 4], tf.cast(TRIALS, "float64"), tf.cast(CHANCES, "float64"), "float64"
        ),
        lambda tf: tf.random.stateless_binomial(
            [5, 9, 7], [-3, 4], tf.cast(TRIALS[:7], "float16"), tf.cast(CHANCES, "float16"), "int64"
        ),
        lambda tf: tf.random.stateless_binomial([3], [1, 2], 50.0, np.nan, tf.float32),
        lambda tf: tf.random.stateless_binomial([2], [1, 2], np.array([10, 20]), 0.3),
        lambda tf: tf.random.stateless_binomial([2], [1, 2], 10, 1),
        lambda tf: tf.random.stateless_binomial([2], [1, 2], tf.constant(10), tf.constant(1)),
        lambda tf: tf.random.stateless_binomial([2], [1, 2], 10.0, 0.3, tf.int8),
        lambda tf: tf.random.stateless_binomial([2], [1, 2], tf.constant(10.0, tf.bfloat16), 0.3),
        _counted,
    ],
    says="type",
)

TABLE.rows(
    "stateless shuffle",
    [
        lambda tf: tf.random.experimental.stateless_shuffle(np.arange(100), [1, 2]),
        lambda tf: tf.random.experimental.stateless_shuffle(np.arange(12.0).reshape(4, 3), [7, 0]),
        lambda tf: tf.random.experimental.stateless_shuffle(["a", "b", "c"], [3, 3]),
        lambda tf: tf.random.experimental.stateless_shuffle(3.0, [1, 2]),
        lambda tf: tf.random.experimental.stateless_shuffle([1], [1, 2]),
        lambda tf: tf.random.experimental.stateless_shuffle([1, 2], [1, 2, 3]),
        lambda tf: tf.random.experimental.stateless_split([1, 2], 3),
        lambda tf: tf.random.experimental.stateless_fold_in([1, 2], 3),
    ],
)


def _bounded(*parameters: Any, shape: Any = (40,), seed: Any = (3, 4)) -> Callable[[Any], Any]:
    """Draw between bounds, in both precisions: few enough for one thread of TensorFlow's."""

    def run(tf: Any) -> Any:
        draw = tf.random.stateless_parameterized_truncated_normal
        return [
            Bits(draw(shape, seed, *[tf.constant(p, kind) for p in parameters]))
            for kind in (tf.float32, tf.float64)
        ]

    return run


def _own(*args: Any) -> Callable[[Any], Any]:
    return lambda tf: tf.random.stateless_parameterized_truncated_normal(*args)


_MEANS = [0.5, -1.0, 3.0]
TABLE.rows(
    "normal numbers between bounds",
    [
        _own([5], [1, 2]),
        _own([], [1, 2]),
        _own([0], [1, 2]),
        _bounded(0.0, 1.0, -2.0, 2.0),
        _bounded(0.0, 1.0, -1.0, 1.0),
        _bounded(0.0, 1.0, 2.0, 9.0),
        _bounded(0.0, 1.0, -9.0, -2.0),
        _bounded(0.0, 1.0, 0.1, 0.3),
        _bounded(1.0, 2.0, -0.3, math.inf),
        _bounded(1.0, 2.0, -math.inf, 0.5),
        _bounded(0.0, 1.0, 8.0, math.inf),
        _bounded(_MEANS, 1.0, -1.0, [1.0, 2.0, 3.5], shape=(20, 3)),
        _bounded(_MEANS, [[0.3], [2.0]], -1.0, 4.0, shape=(9, 2, 3)),
        _bounded([[0.0], [2.0]], 1.0, -1.0, 4.0, shape=(2, 1), seed=(-1, 2**40)),
    ],
)
TABLE.rows(
    "bounds that are none",
    [
        _own([3, 5], [1, 2], [0.0, 1.0, 2.0]),
        _own([2], [1, 2], 0.0, -1.0),
        _own([2], [1, 2], 0.0, 1.0, 1.0, -1.0),
        _own([2], [1, 2], 0.0, 1.0, 1.0, 1.0),
        _own([2], [1, 2], 0.0, 1.0, -math.inf, math.inf),
        _own([2], [1, 2], 0.0, math.nan),
        _own([2], [1, 2], np.float64(0.0)),
        _own([2], [1, 2], 0.0, 1.0, -1),
        _own([-2], [1, 2]),
    ],
)
TABLE.rows(
    "bounds of other kinds",
    [_own([2], [1, 2], 0, 1, -1, 1), _own([2], [1, 2, 3]), _own(2, [1, 2])],
    says="type",
)


def _by_bounds(tf: Any) -> Any:
    """Derive numbers by their bounds; by the mean TensorFlow has another derivative."""
    low, high = tf.constant([-1.0, 0.5, -3.0]), tf.constant(2.0)
    with tf.GradientTape() as tape:
        tape.watch([low, high])
        x = tf.random.stateless_parameterized_truncated_normal([4, 3], [1, 2], 0.3, 1.5, low, high)
        found = tf.reduce_sum(tf.sin(x))
    return tape.gradient(found, [low, high])


TABLE.add("slopes by bounds", _by_bounds)
