# ruff: noqa: D103 - a function is described by its name
"""The judge on inputs that hold arrays or are none, and on functions that use NumPy's methods."""

from __future__ import annotations

import json
from typing import NamedTuple

import numpy as np
import pytest

import symtape as tf
from symtape import verify

RNG = np.random.default_rng(3)
X = RNG.normal(size=(4, 3))
PARAMS = {"W": RNG.normal(size=(3, 2)), "b": RNG.normal(size=2), "out": (RNG.normal(size=2),)}


class State(NamedTuple):
    """Places and momenta."""

    q: object
    p: object


STATE = State(np.array([0.3, -1.0]), np.array([0.5, 2.0]))


def loss(params, x, mode="mean"):
    h = np.tanh(x @ params["W"] + params["b"])
    square = (h @ params["out"][0]) ** 2
    return square.mean() if mode == "mean" else square.sum()


def slopes(params, x, mode="mean"):
    h = np.tanh(x @ params["W"] + params["b"])
    y = h @ params["out"][0]
    dy = 2 * y / (len(x) if mode == "mean" else 1)
    dh = dy[:, None] * params["out"][0] * (1 - h**2)
    return {"W": x.T @ dh, "b": dh.sum(axis=0), "out": (h.T @ dy,)}


def energy(state, m):
    return np.sum(state.p**2) / (2 * m) - np.sum(np.cos(state.q))


def forces(state, m):
    return State(np.sin(state.q), state.p / m), -np.sum(state.p**2) / (2 * m**2)


def powers(x, n):
    return x**n


@tf.custom_gradient
def power(x, n):
    return x**n, lambda u: (n * x ** (n - 1) * u, None)


@tf.custom_gradient
def wrong_power(x, n):
    return x**n, lambda u: (n * x**n * u, None)


def of_rows(state):
    first, second = state["rows"]
    return np.sum(np.sin(first)) + np.sum(second**2)


RIGHT = {
    "a dictionary": (verify.gradient, loss, slopes, (PARAMS, X, "mean"), "params"),
    "another mode": (verify.gradient, loss, slopes, (PARAMS, X, "sum"), 0),
    "a tuple of one": (verify.gradient, loss, lambda *a: (slopes(*a),), (PARAMS, X), ["params"]),
    "by name": (
        verify.gradient, loss, lambda *a: {"params": slopes(*a)}, (PARAMS, X), "params"
    ),
    "one array of it": (
        verify.gradient, loss, lambda *a: slopes(*a)["b"], (PARAMS, X), "params_b"
    ),
    "two arrays of it": (
        verify.gradient, loss, lambda *a: [slopes(*a)["b"], slopes(*a)["W"]], (PARAMS, X),
        ["params_b", "params_W"],
    ),
    "a named tuple": (verify.gradient, energy, forces, (STATE, 2.0), None),
    "a plain tuple for a named one": (
        verify.gradient, energy, lambda s, m: (tuple(forces(s, m)[0]), forces(s, m)[1]),
        (STATE, 2.0), None,
    ),
    "texts": (
        verify.gradient, energy, {"state_q": "sin(state_q)", "state_p": "state_p / m"},
        (STATE, 2.0), "state",
    ),
    "numbers": (
        verify.gradient, energy, {"state": State(np.sin(STATE.q), STATE.p / 2)},
        (STATE, 2.0), "state",
    ),
    "an integer": (
        verify.vjp, powers, lambda x, n, u: n * x ** (n - 1) * u, (np.array([2.0, 3.0]), 3), None
    ),
    "an axis": (
        verify.vjp, lambda x, axis: tf.reduce_sum(x, axis),
        lambda x, axis, u: np.expand_dims(u, axis) * np.ones_like(x), (X, 1), None,
    ),
    "a function": (
        verify.vjp, lambda x, act: act(2 * x),
        lambda x, act, u: 2 * (1 - act(2 * x) ** 2) * u, (X, np.tanh), None,
    ),
    "a rule of one's own": (verify.vjp, power, power, (np.array([2.0, 3.0]), 3), None),
    "tangents": (
        verify.jvp, energy,
        lambda s, m, ds: np.sum(np.sin(s.q) * ds.q) + np.sum(s.p * ds.p) / m, (STATE, 2.0), "state",
    ),
    "Jacobians": (
        verify.jacobian, lambda s: np.sin(s["x"]), lambda s: {"x": np.diag(np.cos(s["x"]))},
        ({"x": X[0]},), None,
    ),
    "a Hessian": (
        verify.hessian, lambda s: np.sum(np.sin(s["x"])),
        lambda s: {"x": {"x": -np.diag(np.sin(s["x"]))}}, ({"x": X[0]},), None,
    ),
    "values": (verify.value, loss, loss, (PARAMS, X, "sum"), None),
    "rows of different lengths": (
        verify.gradient, of_rows, lambda s: {"rows": [np.cos(s["rows"][0]), 2 * s["rows"][1]]},
        ({"rows": [X[0], X[0, :2]]},), None,
    ),
}  # fmt: skip
WRONG = {
    "half of one": (
        loss, lambda *a: slopes(*a) | {"b": slopes(*a)["b"] / 2}, (PARAMS, X), "params",
        "params_b: it has the factor 1/2",
    ),
    "one that is missing": (
        loss, lambda *a: {"W": slopes(*a)["W"], "b": slopes(*a)["b"]}, (PARAMS, X), "params",
        "gives a dict of 'W', 'b' for params, which is a dict of 'W', 'b', 'out'",
    ),
    "an array for a structure": (
        loss, lambda *a: slopes(*a)["W"], (PARAMS, X), "params",
        "gives a ndarray for params, which is a dict",
    ),
    "a structure too few": (
        energy, lambda s, m: (forces(s, m)[0],), (STATE, 2.0), None, "gives 1 results",
    ),
    "a sign": (
        energy, lambda s, m: (State(-np.sin(s.q), s.p / m), forces(s, m)[1]), (STATE, 2.0), None,
        "state_q: it has the factor -1",
    ),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("name", RIGHT)
def test_what_is_right_is_accepted(name):
    """It takes inputs as the function does, and gives answers in their structure."""
    ask, f, candidate, inputs, wrt = RIGHT[name]
    options = {} if wrt is None else {"wrt": wrt}
    report = ask(f, candidate, *inputs, **options)
    assert report.ok, report


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_is_refuted(name):
    """The array that is wrong is named, and the counterexample is one that the function takes."""
    f, candidate, inputs, wrt, words = WRONG[name]
    report = verify.gradient(f, candidate, *inputs, wrt=wrt)
    assert report.verdict == "refuted"
    assert words in report.cause
    assert np.isfinite(f(*report.counterexample.values()))
    assert list(json.loads(report.to_json())["counterexample"]) == list(report.counterexample)


def test_a_rule_with_an_integer_is_judged():
    """What a wrong rule lacks is told."""
    report = verify.vjp(wrong_power, wrong_power, np.array([2.0, 3.0]), 3)
    assert "the division by x is missing" in report.cause


def test_a_counterexample_is_shown_by_places():
    """Each array of a structure has a line of its own, and what is no array another."""
    f, candidate, _, wrt, _ = WRONG["half of one"]
    text = str(verify.gradient(f, candidate, PARAMS, X, "sum", wrt=wrt))
    for place in (
        *("params['W'] = np.array([[", "params['out'][0] = np.array([", "x = np.array([["),
        "mode = 'sum'",
    ):
        assert f"  at {place}" in text


def test_domains_of_structures():
    """An input states the domain of its arrays, and an array its own."""
    report = verify.gradient(
        lambda s: np.sum(np.log(s["a"])) + np.sum(s["b"] ** 2),
        lambda s: {"a": 1 / s["a"], "b": 2 * s["b"]},
        {"a": np.ones(2), "b": np.ones(2)},
        domain={"s": "positive", "s_b": "unit"},
    )
    assert report.ok
    assert report.domain == {"s_a": "positive", "s_b": "between 0 and 1"}


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"wrt": "y"}, "wrt is some of params, x, params_W, params_b, params_out_0"),
        ({"domain": {"params_W": "odd"}}, "params_W='odd'"),
    ],
)
def test_names_that_are_none_are_refused(options, words):
    """The error lists those that there are."""
    with pytest.raises(ValueError, match="params") as error:
        verify.gradient(loss, slopes, PARAMS, X, **options)
    assert words in str(error.value)


def test_integers_alone_have_no_derivative():
    """The way out is named."""
    with pytest.raises(ValueError, match=r"give 2\.0 for 2"):
        verify.gradient(lambda x: x**3, lambda x: 3 * x**2, 2)


def test_stated_numbers_of_another_structure_are_refused():
    """What stands there is said."""
    with pytest.raises(ValueError, match="gives a dict of 'q'"):
        verify.gradient(energy, {"state": {"q": 1.0}}, STATE, 2.0, wrt="state")


METHODS = {
    "a product with a vector": (lambda w, x: (x @ w).sum(), lambda w, x: x.T @ np.ones(len(x))),
    "a transpose": (lambda w, x: w.T @ w + 0 * x[0, 0], lambda w, x: 2 * w),
    "a mean": (lambda w, x: (x * w).mean(), lambda w, x: x.mean(axis=0) / len(w)),
    "rows that a mask takes": (
        lambda w, x: (x[x[:, 0] > 0] @ w).sum(), lambda w, x: x[x[:, 0] > 0].sum(axis=0)
    ),
    "what is written into": (lambda w, x: written(w), lambda w, x: np.where([1, 0, 1], 2 * w, 0)),
}  # fmt: skip


def written(w):
    found = w**2
    found[1] = 0
    return found.sum()


@pytest.mark.parametrize("name", METHODS)
def test_functions_of_arrays(name):
    """A function that uses what NumPy's arrays have is followed, and not measured."""
    f, candidate = METHODS[name]
    report = verify.gradient(f, candidate, np.array([0.5, -1.0, 2.0]), X, wrt="w")
    assert report.ok, report
    assert not any("was measured by differences" in note for note in report.notes)
    assert not verify.gradient(f, lambda w, x: 1.01 * candidate(w, x), np.ones(3), X, wrt="w").ok
