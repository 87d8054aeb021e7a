"""Values, slopes and second derivatives in float64 against mpmath, in units of the last place."""

from __future__ import annotations

from dataclasses import replace
from operator import attrgetter
from typing import Any

import mpmath as mp
import numpy as np
import pytest

import symtape as tf
from tests.accuracy import EXACT, ROWS, Row
from tests.cases.table import BINARY, DOMAINS
from tests.sampling import some
from tests.true_values import KEPT, points, read, true


def computed(row: Row, point: tuple[float, ...]) -> list[float]:
    """Compute the value and two derivatives."""
    xs = [tf.constant(x, tf.float64) for x in point]
    x = xs[row.of]
    with tf.GradientTape(persistent=True) as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = row.run(tf, *xs)
        slope = inner.gradient(y, x)
    bend = outer.gradient(slope, x)
    return [y.numpy(), slope.numpy(), 0.0 if bend is None else bend.numpy()]


def units(found: float, expected: Any) -> float:
    """Measure an error in units of the last place of the true number."""
    rounded = float(expected)
    if abs(rounded) < 1e-300:
        return 0.0 if abs(found) < 1e-300 else np.inf
    return float(abs(mp.mpf(float(found)) - expected) / np.spacing(abs(rounded)))


def errors(row: Row, truth: list[list[Any]]) -> list[tuple[float, ...]]:
    """Measure the errors at every point."""
    return [
        tuple(map(units, computed(row, p), values))
        for p, values in zip(points(row), truth, strict=True)
    ]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_no_more_digits_are_lost_than_the_table_says(row: Row) -> None:
    """At hard points, value and derivatives are within the bounds of their row."""
    for point, found in zip(row.points, errors(row, read(row)), strict=True):
        assert all(e <= b for e, b in zip(found, row.bounds, strict=True)), f"{point}: {found}"


@pytest.mark.parametrize(
    "row", some([r for r in ROWS if "bessel" not in r.name], 16), ids=lambda row: row.name
)
def test_what_is_kept_is_what_mpmath_gives(row: Row) -> None:
    """The true numbers are computed anew for some rows, and all of them are there."""
    assert list(KEPT) == [row.name for row in ROWS]
    for p, kept in zip(points(row), read(row), strict=True):
        assert all(abs(a - b) <= abs(b) * 1e-16 for a, b in zip(kept, true(row, p), strict=True))


@pytest.mark.parametrize("order", [0, 1, 2], ids=["value", "slope", "second derivative"])
def test_the_judge_convicts(order: int) -> None:
    """A function that is wrong by a billionth has errors of millions of units."""
    wrong = replace(ROWS[0], truth=lambda x: mp.exp(x) * (1 + mp.mpf(10) ** -9))
    assert ROWS[0].name == "exp"
    values = [true(wrong, p) for p in points(wrong)]
    assert all(found[order] > 1e6 for found in errors(wrong, values))


def flat(path: str) -> bool:
    """Say whether a function has no slope to speak of: it counts, rounds, asks, or sums up."""
    x = tf.constant([0.3, 0.4], tf.float64)
    with tf.GradientTape() as tape:
        tape.watch(x)
        function = attrgetter(path)(tf)
        y = function(x, x + 1) if path in BINARY else function(x)
    return y.shape != x.shape or not y.dtype.is_floating or tape.gradient(y, x) is None


def test_every_smooth_function_has_a_row() -> None:
    """The elementwise functions of the table of operations are here, or need not be."""
    rows = {row.name.partition(" ")[0] for row in ROWS}
    same = {
        "divide": "truediv",
        "nn.tanh": "tanh",
        "nn.sigmoid": "sigmoid",
        "nn.softplus": "math.softplus",
    }
    names = {same.get(name, name) for name in [*DOMAINS, *BINARY] if not flat(name)}
    row_wise = {"nn.softmax", "nn.log_softmax", "stop_gradient"}
    assert names - rows - EXACT - row_wise == set()
