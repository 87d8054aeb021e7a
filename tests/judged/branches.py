# ruff: noqa: D103 - a candidate is described by its name
"""What is wrong at few points alone, and what is right there: series near zero, clamps, tails."""

from __future__ import annotations

import numpy as np

import symtape as tf
from tests.judged import causes as by
from tests.judged.case import Case

# --- series near zero -----------------------------------------------------------------------------


def small(rng):
    return [rng.normal(size=4) * 0.05]


sinc = Case("sinc", lambda x: tf.sin(x) / x, lambda rng: [rng.normal(size=4)])


@sinc.right
def sinc_with_series(x, g):
    near = np.abs(x) < 1e-2
    safe = np.where(near, 1.0, x)
    exact = (np.cos(safe) - np.sin(safe) / safe) / safe
    return g * np.where(near, -x / 3 + x**3 / 30, exact)


sinc.but(
    sinc_with_series,
    by.any_of("near|small|branch|zero", by.ENTRIES, by.MASK),
    ("-x / 3 +", "-x / 6 +"),
    witness=small,
)
sinc.but(
    sinc_with_series,
    by.any_of("near|small|branch|zero", by.ENTRIES, by.MASK),
    ("-x / 3 + x**3 / 30", "0.0"),
    witness=small,
)
sinc.but(
    sinc_with_series,
    by.any_of("near|small|branch|zero|digits", by.ENTRIES, by.MASK),
    ("1e-2", "0.5"),
    witness=lambda rng: [rng.normal(size=4) * 0.3],
)
sinc.but(
    sinc_with_series, by.any_of(by.SIGN, by.MISSING), ("np.cos(safe) - np", "np.cos(safe) + np")
)


def rotate(v, p):
    angle = tf.norm(v)
    axis = v / angle
    cross = tf.linalg.cross(axis, p)
    along = axis * tf.tensordot(axis, p, 1)
    return p * tf.cos(angle) + cross * tf.sin(angle) + along * (1 - tf.cos(angle))


rodrigues = Case(
    "rotation of a point",
    rotate,
    lambda rng: [rng.normal(size=3), rng.normal(size=3)],
    options={"wrt": [1]},
)


@rodrigues.right
def rodrigues_with_series(v, p, g):
    t2 = v @ v
    if t2 < 1e-8:
        a, b = 1 - t2 / 6, 0.5 - t2 / 24
    else:
        t = np.sqrt(t2)
        a, b = np.sin(t) / t, (1 - np.cos(t)) / t2
    K = np.array([[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0]])
    R = np.eye(3) + a * K + b * K @ K
    return R.T @ g


def tiny(rng):
    return [rng.normal(size=3) * 1e-5, rng.normal(size=3)]


rodrigues.but(rodrigues_with_series, by.any_of(by.TRANSPOSED, by.SIGN), ("R.T @ g", "R @ g"))
rodrigues.but(rodrigues_with_series, by.any_of(by.TRANSPOSED, by.SIGN), ("+ a * K", "- a * K"))
rodrigues.but(
    rodrigues_with_series,
    by.any_of("near|small|branch|zero", by.ENTRIES, by.MASK, by.TWICE),
    ("1 - t2 / 6,", "2.0,"),
    witness=tiny,
)

# --- clamps and tails -----------------------------------------------------------------------------

safe_log = Case(
    "logarithm with a floor",
    lambda x: tf.math.log(tf.maximum(x, 1e-3)),
    lambda rng: [rng.uniform(0.1, 2, size=5)],
)


@safe_log.right
def safe_log_masked(x, g):
    return np.where(x > 1e-3, g / np.maximum(x, 1e-3), 0.0)


safe_log.but(
    safe_log_masked,
    by.any_of("small|below|floor|clamp|branch|near", by.ENTRIES, by.MASK, by.POSITIVE),
    ("np.where(x > 1e-3, g / np.maximum(x, 1e-3), 0.0)", "g / np.maximum(x, 1e-3)"),
    witness=lambda rng: [rng.normal(size=5)],
)
safe_log.but(
    safe_log_masked,
    by.any_of("small|below|floor|clamp|branch|near", by.ENTRIES, by.MASK, by.POSITIVE),
    ("g / np.maximum(x, 1e-3), 0.0", "g / (x + 1e-3), 0.0"),
)

steps = Case(
    "sum of hinges",
    lambda x: tf.reduce_sum(tf.nn.relu(x - 2) + tf.nn.relu(-x - 3)),
    lambda rng: [rng.normal(size=5)],
    "gradient",
)


@steps.right
def steps_by_comparisons(x):
    return (x > 2) * 1.0 - (x < -3) * 1.0


def wide(rng):
    return [rng.normal(size=5) * 5]


steps.but(
    steps_by_comparisons,
    by.any_of(by.MASK, by.POSITIVE, by.MISSING, by.ENTRIES),
    (" - (x < -3) * 1.0", ""),
    witness=wide,
)
steps.but(
    steps_by_comparisons,
    by.any_of(by.ZERO),
    ("(x > 2) * 1.0 - (x < -3) * 1.0", "0 * x"),
    witness=wide,
)
steps.but(
    steps_by_comparisons,
    by.any_of(by.SIGN, by.POSITIVE, by.ENTRIES),
    ("1.0 - (x", "1.0 + (x"),
    witness=wide,
)

tail = Case(
    "log of the normal distribution",
    lambda x: tf.math.log(0.5 * tf.math.erfc(-x / np.sqrt(2.0))),
    lambda rng: [rng.normal(size=4)],
)


@tail.right
def tail_by_ratio(x, g):
    cdf = 0.5 * tf.math.erfc(-x / np.sqrt(2.0))
    return g * np.exp(-0.5 * x * x) / np.sqrt(2 * np.pi) / cdf


tail.but(
    tail_by_ratio,
    by.any_of(by.SATURATED, by.ENTRIES, "digits|cancel|1e-0?6|add|constant"),
    ("/ cdf", "/ (cdf + 1e-6)"),
    witness=lambda rng: [rng.normal(size=4) - 3],
)
tail.but(
    tail_by_ratio,
    by.any_of(by.SATURATED, by.POSITIVE, by.MASK, by.ENTRIES),
    ("return g", "cdf = np.maximum(cdf, 1e-3)\n    return g"),
    witness=lambda rng: [rng.normal(size=4) - 4],
)

narrow = Case(
    "cubic spline of a smoothstep",
    lambda x: tf.clip_by_value(x, 0.0, 1.0) ** 2 * (3 - 2 * tf.clip_by_value(x, 0.0, 1.0)),
    lambda rng: [rng.uniform(size=5)],
)


@narrow.right
def narrow_inside(x, g):
    return g * 6 * x * (1 - x) * ((x >= 0) & (x <= 1))


narrow.but(
    narrow_inside,
    by.any_of(by.MASK, by.ENTRIES, by.POSITIVE),
    (" * ((x >= 0) & (x <= 1))", ""),
    witness=wide,
)
narrow.but(narrow_inside, by.any_of(by.MASK, by.ENTRIES, by.POSITIVE), ("(x <= 1)", "(x <= 0.9)"))
narrow.but(narrow_inside, by.any_of(by.FACTOR, by.HALF), ("g * 6", "g * 3"))


@narrow.wrong(by.any_of(by.ENTRIES, by.MASK, "small|near|interval"))
def narrow_hole(x, g):
    return np.where(np.abs(x - 0.37) < 0.02, 0.0, narrow_inside(x, g))


# --- what depends on the upstream -----------------------------------------------------------------

plain = Case(
    "sum of rows of squares",
    lambda x: tf.reduce_sum(x * x, axis=1),
    lambda rng: [rng.normal(size=(3, 2))],
)


@plain.right
def plain_rows(x, g):
    return 2 * x * g.reshape(-1, 1)


plain.but(plain_rows, by.UPSTREAM, (" * g.reshape(-1, 1)", ""))
plain.but(plain_rows, by.any_of(by.UPSTREAM, by.ENTRIES), ("g.reshape(-1, 1)", "g[0]"))
plain.but(plain_rows, by.any_of(by.UPSTREAM, by.MEAN), ("g.reshape(-1, 1)", "g.mean()"))
plain.but(
    plain_rows,
    by.any_of(by.UPSTREAM, by.SATURATED, "clip", by.ENTRIES),
    ("g.reshape(-1, 1)", "np.clip(g, -1, 1).reshape(-1, 1)"),
)
plain.but(
    plain_rows,
    by.any_of(by.UPSTREAM, by.SIGN, "abs|\\|"),
    ("g.reshape(-1, 1)", "np.abs(g).reshape(-1, 1)"),
)
plain.but(
    plain_rows, by.any_of(by.UPSTREAM, by.ORDER), ("g.reshape(-1, 1)", "g[::-1].reshape(-1, 1)")
)
plain.but(
    plain_rows,
    by.any_of(by.UPSTREAM, by.TWICE, "square|power", by.OTHER),
    ("g.reshape(-1, 1)", "(g * g).reshape(-1, 1)"),
)

# --- inputs that do not matter, single precision, complex numbers ---------------------------------

unused = Case(
    "an input that does not matter",
    lambda x, y: x * 2.0 + tf.stop_gradient(y),
    lambda rng: [rng.normal(size=3), rng.normal(size=3)],
    has_numbers=False,
)


@unused.right
def unused_is_none(x, y, g):
    return 2.0 * g, None


@unused.right
def unused_is_zero(x, y, g):
    return g + g, np.zeros(3)


unused.but(unused_is_none, by.any_of("y\\b", by.ZERO, "stop"), ("None", "g"))
unused.but(unused_is_none, by.any_of(by.SWAPPED, by.NONE), ("2.0 * g, None", "None, 2.0 * g"))


def singles(rng):
    return [rng.normal(size=(3, 4)).astype(np.float32), rng.normal(size=4).astype(np.float32)]


single = Case(
    "layer in single precision",
    lambda x, w: tf.tanh(tf.linalg.matvec(x, w)),
    singles,
    has_numbers=False,
)


@single.right
def single_kernel(x, w, g):
    y = np.tanh(x @ w)
    d = g * (np.float32(1) - y * y)
    return np.outer(d, w), d @ x


@single.right
def single_in_double(x, w, g):
    x, w, g = (a.astype(np.float64) for a in (x, w, g))
    d = g / np.cosh(x @ w) ** 2
    return np.outer(d, w).astype(np.float32), (d @ x).astype(np.float32)


@single.right
def single_by_loop(x, w, g):
    dx = np.zeros_like(x)
    dw = np.zeros_like(w)
    for n in range(len(x)):
        y = np.tanh(np.dot(x[n], w), dtype=np.float32)
        dx[n] = g[n] * (1 - y**2) * w
        dw += g[n] * (1 - y**2) * x[n]
    return dx, dw


HALF_DIGITS = by.any_of(by.FLOAT32, "half|float16|digits")
single.but(
    single_kernel,
    HALF_DIGITS,
    ("np.tanh(x @ w)", "np.tanh((x @ w).astype(np.float16)).astype(np.float32)"),
)
single.but(single_kernel, HALF_DIGITS, ("d @ x", "(d.astype(np.float16) @ x).astype(np.float32)"))
single.but(
    single_kernel,
    by.any_of(by.CONSTANT, by.FACTOR),
    ("np.outer(d, w)", "np.outer(d, w) * np.float32(1.001)"),
)
single.but(single_kernel, by.MISSING, (" * (np.float32(1) - y * y)", ""))
single.but(single_by_loop, by.any_of("last|accumulat|sum", by.MISSING), ("dw += g", "dw[:] = g"))

complexes = Case(
    "power of complex signals",
    lambda z: tf.reduce_sum(tf.math.real(z * tf.math.conj(z)) ** 2),
    lambda rng: [rng.normal(size=3) + 1j * rng.normal(size=3)],
    "gradient",
    has_numbers=False,
)


@complexes.right
def complexes_by_parts(z):
    a, b = z.real, z.imag
    r = a * a + b * b
    return 4 * r * a + 4j * r * b


@complexes.right
def complexes_whole(z):
    return 4 * np.abs(z) ** 2 * z


complexes.but(
    complexes_whole, by.any_of("conj", by.CONVENTION, by.SIGN), ("** 2 * z", "** 2 * np.conj(z)")
)
complexes.but(complexes_whole, by.any_of(by.HALF, by.FACTOR), ("4 * np", "2 * np"))
complexes.but(complexes_whole, by.any_of("real|imag|complex|dtype"), ("** 2 * z", "** 2 * z.real"))
