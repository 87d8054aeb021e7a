"""Elementwise work on large arrays, on the default backend, against hand-written NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np

import symtape as st
from tests.benchmarks import problems
from tests.benchmarks.harness import compare, peer

MILLION = 10**6


def large_arrays() -> None:
    """Time four derivatives whose arrays are larger than a cache."""
    x = np.random.default_rng(0).uniform(-1, 1, MILLION)
    slope = st.grad(problems.rosenbrock)
    compare(
        f"gradient of Rosenbrock's function, n = {MILLION}",
        {"symtape": lambda: slope(x), "by hand": lambda: problems.rosenbrock_slope(x)},
        limits={"by hand": 0.5},
        tolerance=1e-9,
    )
    drawn = problems.options(MILLION)
    slopes = st.grad(lambda *a: st.reduce_sum(problems.call_price(*a)), argnums=(0, 2, 3, 4))
    has_scipy = peer("scipy.special") is not None
    compare(
        f"four greeks of {MILLION} options",
        {
            "symtape": lambda: _greeks(slopes, drawn),
            "by hand": has_scipy and (lambda: problems.greeks(*drawn)),
        },
        limits={"by hand": 0.5},
        tolerance=1e-9,
    )
    gamma = problems.curvature(*map(st.constant, drawn)).lambdify(list("skvrt"))
    compare(
        f"gamma of {MILLION} options, as a formula",
        {"symtape": lambda: gamma(*drawn), "by hand": lambda: problems.gamma(*drawn)},
        limits={"by hand": 1.2},
        tolerance=1e-9,
    )
    places = problems.atoms(500)
    forces = st.grad(problems.energy)
    compare(
        "Lennard-Jones forces on 500 atoms",
        {"symtape": lambda: forces(places), "by hand": lambda: problems.slopes_of_energy(places)},
        limits={"by hand": 1.1},
        tolerance=1e-9,
    )


def _greeks(slopes: Any, drawn: Any) -> list[Any]:
    delta, vega, rho, theta = slopes(*drawn)
    return [delta, vega, rho, theta]


TABLES = (large_arrays,)
