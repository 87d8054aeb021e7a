"""Compiled gradients of likelihoods of statistics, beside what is written by hand for each."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

import symtape as st
from tests.benchmarks.harness import compare

RNG = np.random.default_rng(0)
PLACES = np.linspace(0.0, 1.0, 100)
APART = (PLACES[:, None] - PLACES) ** 2
HEIGHTS = np.sin(6 * PLACES) + 0.1 * RNG.normal(size=100)
TRAITS = RNG.normal(size=(200, 5))
DIED = (RNG.random(200) < 0.7).astype(np.float64)
SLOPES = RNG.normal(size=5)
SEEN = np.cumsum(RNG.normal(size=200)) + 0.5 * RNG.normal(size=200)


def _of_process(length: Any, noise: Any) -> Any:
    """Give minus the logarithm of the likelihood of a Gaussian process."""
    k = st.exp(-APART / (2 * length**2)) + noise**2 * st.eye(100, dtype="float64")
    root = st.linalg.cholesky(k)
    weights = st.linalg.cholesky_solve(root, HEIGHTS[:, None])
    fit = st.reduce_sum(HEIGHTS[:, None] * weights) / 2
    return fit + st.reduce_sum(st.math.log(st.linalg.diag_part(root)))


def _slopes_of_process(length: float, noise: float) -> list[Any]:
    near = np.exp(-APART / (2 * length**2))
    inverse = np.linalg.inv(near + noise**2 * np.eye(100))
    weights = inverse @ HEIGHTS
    outer = inverse - np.outer(weights, weights)
    return [np.sum(outer * near * APART) / (2 * length**3), np.trace(outer) * noise]


def _of_hazards(b: Any) -> Any:
    """Give minus the logarithm of Cox' partial likelihood, of rows in the order of time."""
    risk = st.linalg.matvec(TRAITS, b)
    return -st.reduce_sum(DIED * (risk - st.math.cumulative_logsumexp(risk, reverse=True)))


def _slope_of_hazards(b: Any) -> Any:
    risk = TRAITS @ b
    weights = np.exp(risk - np.max(risk))
    left = np.cumsum(weights[::-1])[::-1]
    return TRAITS.T @ (np.cumsum(DIED / left) * weights - DIED)


def _of_filter(p: Any) -> Any:
    """Give minus the logarithm of the likelihood of a random walk that is seen with noise."""
    mean, spread, total = 0.0, 1.0, 0.0
    for t in range(len(SEEN)):
        spread = spread + st.exp(p[0])
        around = spread + st.exp(p[1])
        error, gain = SEEN[t] - mean, spread / around
        mean, spread = mean + gain * error, (1 - gain) * spread
        total = total + (st.math.log(around) + error * error / around) / 2
    return total


def _slope_of_filter(p: Any) -> Any:
    walk, noise = math.exp(p[0]), math.exp(p[1])
    mean, spread, kept = 0.0, 1.0, []
    for y in SEEN.tolist():
        spread += walk
        around, error = spread + noise, y - mean
        kept.append((spread, around, error))
        mean, spread = mean + spread / around * error, (1 - spread / around) * spread
    by_walk = by_noise = by_mean = by_spread = 0.0
    for spread, around, error in reversed(kept):
        gain = spread / around
        by_gain = by_mean * error - by_spread * spread
        by_around = (1 / around - (error / around) ** 2) / 2 - by_gain * gain / around
        by_noise += by_around
        by_spread = by_spread * (1 - gain) + by_gain / around + by_around
        by_walk += by_spread
        by_mean -= by_mean * gain + error / around
    return np.array([by_walk * walk, by_noise * noise])


def likelihoods() -> None:
    """Time the compiled gradients of three likelihoods."""
    process, hazards = st.grad(_of_process, argnums=(0, 1)), st.grad(_of_hazards)
    filtered, point = st.grad(_of_filter), np.array([0.1, -0.2])
    length, noise = np.float64(0.3), np.float64(0.1)
    compare(
        "gradient of the likelihood of a Gaussian process at 100 places",
        {
            "symtape": lambda: list(process(length, noise)),
            "by hand": lambda: _slopes_of_process(length, noise),
        },
        limits={"by hand": 2},
        tolerance=1e-6,
    )
    compare(
        "gradient of Cox' partial likelihood of 200 rows",
        {"symtape": lambda: hazards(SLOPES), "by hand": lambda: _slope_of_hazards(SLOPES)},
        limits={"by hand": 6},
        tolerance=1e-9,
    )
    compare(
        "gradient of the likelihood of a Kalman filter of 200 times",
        {"symtape": lambda: filtered(point), "floats by hand": lambda: _slope_of_filter(point)},
        limits={"floats by hand": 2},
        tolerance=1e-9,
    )


TABLES = (likelihoods,)
