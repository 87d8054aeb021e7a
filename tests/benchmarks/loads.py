"""Loads of other kinds than networks: sorts, rolls, contractions of several, many variables."""

from __future__ import annotations

from typing import Any

import numpy as np

import symtape as st
from tests.benchmarks.harness import Work, compare, peer

RNG = np.random.default_rng(0)
LINE = RNG.normal(size=100_000).astype(np.float32)
ROWS = RNG.normal(size=(16, 20_000)).astype(np.float32)
STACKS = [RNG.normal(size=(8, 16, 16)).astype(np.float32) / 4 for _ in range(4)]
IMAGES = RNG.normal(size=(8, 64, 64, 3)).astype(np.float32)
FILTERS = RNG.normal(size=(5, 5, 3, 16)).astype(np.float32)
CUBES = RNG.normal(size=1_000_000).astype(np.float32)
FIELD = RNG.normal(size=(1024, 1024))
PLATE = FIELD[:200, :200].copy()


def _slopes(tf: Any, loss: Any, arrays: Any) -> Work:
    variables = [tf.Variable(a) for a in arrays]

    def step() -> list[Any]:
        with tf.GradientTape() as tape:
            y = loss(tf, *variables)
        return list(tape.gradient(y, variables))

    return step


def _of_many(tf: Any, *variables: Any) -> Any:
    return tf.add_n([tf.sin(v) * v for v in variables])


TAPES: dict[str, tuple[Any, Any, float]] = {
    "a sort and a running sum of 100000 numbers": (
        lambda tf, x: tf.reduce_mean(tf.cumsum(tf.sort(x)) * LINE), [LINE], 1 / 2,
    ),
    "the largest five of 16 rows of 20000": (
        lambda tf, x: tf.reduce_sum(tf.math.top_k(x, 5).values ** 2), [ROWS], 1 / 2,
    ),
    "a trace of four stacks of matrices": (
        lambda tf, *m: tf.reduce_sum(tf.einsum("bij,bjk,bkl,bli->b", *m)), STACKS, 1 / 4,
    ),
    "cubes of a million numbers": (
        lambda tf, x: tf.reduce_sum(x**3), [CUBES], 1 / 2,
    ),
    "an exact gelu of a million numbers": (
        lambda tf, x: tf.reduce_sum(tf.nn.gelu(x)), [CUBES], 2,
    ),
    "a strided convolution of images of three channels": (
        lambda tf, x: tf.reduce_sum(tf.nn.conv2d(x, FILTERS, 2, "SAME") ** 2), [IMAGES], 1,
    ),
    "500 variables of a list": (_of_many, [*np.linspace(0.0, 1.0, 500, dtype=np.float32)], 1 / 8),
}  # fmt: skip
"""What is differentiated under a tape, of which arrays, and the ratio that is aimed at."""


def loads() -> None:
    """Time gradients under a tape of what sorts, contracts, and has many variables."""
    tensorflow = peer("tensorflow")
    for title, (loss, arrays, limit) in TAPES.items():
        compare(
            f"gradient of {title} under a tape",
            {
                "symtape": _slopes(st, loss, arrays),
                "TensorFlow eager": tensorflow and _slopes(tensorflow, loss, arrays),
            },
            limits={"TensorFlow eager": limit},
            tolerance=1e-3,
        )


def fields() -> None:
    """Time compiled gradients of what neighbours on a grid have, and of several operands."""
    energy = st.grad(
        lambda s: np.sum(np.tanh(s) * (np.roll(np.tanh(s), 1, 0) + np.roll(np.tanh(s), 1, 1)))
    )
    compare(
        "gradient of an energy of neighbours, 1024 by 1024",
        {"symtape": lambda: energy(FIELD), "by hand": lambda: _slope_of_energy(FIELD)},
        limits={"by hand": 2},
        tolerance=1e-9,
    )
    a, b, c = (s.astype(np.float64) for s in STACKS[:3])
    traces = st.grad(lambda a, b, c: np.sum(np.einsum("bij,bjk,bki->b", a, b, c)), argnums=(0, 1))
    compare(
        "gradient of traces of three stacks of matrices",
        {
            "symtape": lambda: traces(a, b, c),
            "by hand": lambda: [(b @ c).transpose(0, 2, 1), (c @ a).transpose(0, 2, 1)],
        },
        limits={"by hand": 2},
        tolerance=1e-9,
    )


def middling() -> None:
    """Time compiled gradients of arrays that fit the cache, which parts and powers are made of."""
    rises = st.grad(lambda u: np.sum((u[1:] - u[:-1]) ** 2) + np.sum((u[:, 1:] - u[:, :-1]) ** 2))
    compare(
        "gradient of Dirichlet's energy, 200 by 200",
        {"symtape": lambda: rises(PLATE), "by hand": lambda: _slope_of_rises(PLATE)},
        limits={"by hand": 1.6},
        tolerance=1e-9,
    )
    well = st.value_and_grad(lambda x: np.sum(x**4 / 4 - x**2))
    wide = FIELD.reshape(-1)
    compare(
        "a double well of a million numbers, value and gradient",
        {
            "symtape": lambda: list(well(wide)),
            "by hand": lambda: [np.sum(wide**4 / 4 - wide**2), wide**3 - 2 * wide],
        },
        limits={"by hand": 0.2},
        tolerance=1e-9,
    )


def _slope_of_rises(u: Any) -> Any:
    out = np.zeros_like(u)
    for line, rows in ((out, u), (out.T, u.T)):
        rise = rows[1:] - rows[:-1]
        rise *= 2
        line[1:] += rise
        line[:-1] -= rise
    return out


def _slope_of_energy(s: Any) -> Any:
    m = np.tanh(s)
    near = sum(np.roll(m, k, axis) for k in (1, -1) for axis in (0, 1))
    return near * (1 - m * m)


TABLES = (loads, fields, middling)
