# ruff: noqa: D103 - a function is described by its name
"""Functions that Numba compiles are judged by what they are made of."""

from __future__ import annotations

import numpy as np

from symtape import verify

RNG = np.random.default_rng(0)


def pulled(x):
    energy = 0.0
    for i in range(len(x)):
        for j in range(i + 1, len(x)):
            energy += squared(x[i], x[j])
    return energy


def squared(a, b):
    total = 0.0
    for k in range(len(a)):
        total += (a[k] - b[k]) ** 2
    return total


def pulled_back(x):
    found = np.zeros_like(x)
    for i in range(len(x)):
        for j in range(i + 1, len(x)):
            for k in range(x.shape[1]):
                d = 2.0 * (x[i, k] - x[j, k])
                found[i, k] += d
                found[j, k] -= d
    return found


def pulled_to_the_first(x):
    found = np.zeros_like(x)
    for i in range(len(x)):
        for j in range(i + 1, len(x)):
            for k in range(x.shape[1]):
                d = 2.0 * (x[i, k] - x[j, k])
                found[i, k] += d
                found[j, k] = -d
    return found


def test_what_numba_compiles_is_followed_as_what_it_is_made_of(numba, monkeypatch):
    """Functions of Numba, and those that they call, have formulas; wrong ones have lines."""
    monkeypatch.setitem(globals(), "squared", numba.njit(squared))
    energy, x = numba.njit(pulled), RNG.normal(size=(3, 2))
    assert verify.gradient(energy, numba.njit(pulled_back), x).verdict == "proved"
    report = verify.gradient(energy, numba.njit(pulled_to_the_first), x)
    assert report.verdict == "refuted"
    assert "has `found[j, k] = -d`, and is right with `found[j, k] += -d`" in report.cause


def test_a_function_of_numba_that_no_tensor_follows_is_measured(numba):
    """Whatever a library raises for a tensor, the verdict is one on the derivative."""

    @numba.njit
    def whole(x):
        return np.sum(x * x) + 0.0 * np.float64(int(x[0]))

    x = RNG.normal(size=3)
    assert verify.gradient(whole, lambda x: 2 * x, x).ok
    assert verify.gradient(whole, lambda x: 2 * x + x**2, x).verdict == "refuted"
