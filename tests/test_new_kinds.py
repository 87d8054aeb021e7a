"""What a kind gets from a class and four rows: values, derivatives, formulas, files."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import symtape as tf
from symtape.kernels.evaluated import evaluated
from symtape.tensor.dispatch import apply1
from tests.new_kinds import Roll, RunningMax, known

X = np.array([[3.0, -1.0, 4.0, 1.5], [1.0, 5.0, 2.0, 6.0], [2.0, 2.0, -3.0, 2.5]])

KINDS: dict[str, tuple[Any, Callable[[Any], Any]]] = {
    "a roll": (Roll(1), lambda x: np.roll(x, 1, -1)),
    "a roll back": (Roll(-2), lambda x: np.roll(x, -2, -1)),
    "a running maximum": (RunningMax(), lambda x: np.maximum.accumulate(x, -1)),
}


@pytest.fixture(autouse=True)
def kinds() -> Iterator[None]:
    """Have the rows of the new kinds in the tables."""
    with known():
        yield


def matrix(f: Callable[[Any], Any], x: Any, step: float = 1e-3) -> Any:
    """Give the Jacobian of a map that is linear near x: differences are exact."""
    moved = [
        (f(x + e) - f(x - e)) / (2 * step) for e in step * np.eye(x.size).reshape(-1, *x.shape)
    ]
    return np.moveaxis(np.array(moved).reshape(*x.shape, *x.shape), (0, 1), (-2, -1))


@pytest.mark.parametrize("name", KINDS)
def test_values_and_derivatives_of_two_orders(name):
    """Jacobian, gradient and Hessian are those of the matrix that the map is near a point."""
    operation, f = KINDS[name]
    x, own = tf.constant(X[:2]), X[:2]
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = apply1(operation, x)
        loss = tf.reduce_sum(y**3)
    m = matrix(f, own)
    np.testing.assert_array_equal(y.numpy(), f(own))
    np.testing.assert_allclose(tape.jacobian(y, x).numpy(), m, atol=1e-9)
    slope = tape.gradient(loss, x)
    np.testing.assert_allclose(slope.numpy(), np.einsum("ij,ijkl->kl", 3 * f(own) ** 2, m), 1e-9)
    second = tf.hessian(lambda z: tf.reduce_sum(apply1(operation, z) ** 3))(own)
    flat = m.reshape(8, 8)
    want = flat.T @ np.diag(6 * f(own).ravel()) @ flat
    np.testing.assert_allclose(np.reshape(second, (8, 8)), want, atol=1e-7)


@pytest.mark.parametrize("name", KINDS)
def test_formulas_and_numbers_to_many_digits(name):
    """One generic entry has the values of all, and 30 digits and exact numbers are right."""
    operation, f = KINDS[name]
    x = tf.constant(X, name="x")
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = apply1(operation, x)
    entry = y.index_expr()
    names = {symbol.name: symbol for symbol in entry.free_symbols}
    for place in np.ndindex(*X.shape):
        at = dict(zip((names["i"], names["j"]), place, strict=True))
        value = entry.subs(at).doit()
        value = value.replace(lambda e: e.is_Indexed, lambda e: X[tuple(map(int, e.indices))])
        assert float(value) == f(X)[place]
    assert np.array_equal(np.array(y.evalf(30), float), f(X))
    assert np.array_equal(np.array(y.exact(), float), f(X))


@pytest.mark.parametrize("name", KINDS)
def test_code_rows_and_files(name):
    """Compiled code, a function of rows and a saved formula give the same numbers."""
    operation, f = KINDS[name]
    x = tf.constant(X, name="x")
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = apply1(operation, 2.0 * x) + x
    formula = y.lambdify()
    np.testing.assert_array_equal(formula(-X), f(-2.0 * X) - X)
    np.testing.assert_array_equal(tf.from_json(tf.to_json(formula))(-X), f(-2.0 * X) - X)
    rows = tf.vectorized_map(lambda row: apply1(operation, row), tf.constant(X))
    np.testing.assert_array_equal(rows.numpy(), f(X))


@pytest.mark.parametrize("backend", ["array_api", "c"])
def test_what_a_backend_lacks_is_refused_by_name(backend):
    """A kind that only its rule computes is not in libraries' code, and they say so."""
    x = tf.constant(X, name="x")
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = apply1(RunningMax(), x)
    with pytest.raises(tf.UnsupportedError, match=r"evaluated|runningmax"):
        y.lambdify(backend=backend)(X)


def test_without_rows_a_kind_is_refused_by_the_file_to_edit():
    """A kind that nobody gave a rule says where it belongs."""

    class Unknown(type(Roll(1)).__mro__[1]):
        """An operation that has a shape, and no rows."""

        __slots__ = ()

    x = tf.constant(X)
    with pytest.raises(tf.UnsupportedError, match=r"add it to kernels/source\.py"):
        apply1(Unknown(), x)


ROWS = np.array([[3.0, 1.0, 2.0], [5.0, 4.0, 6.0]])
PLACES = np.array([1, 0, 1])
BY_ELEMENTS = {
    "Einsum": ((((0, 1), (0, 1)), (0,), ()), (ROWS, ROWS), (ROWS * ROWS).sum(1)),
    "AddN": ((), (ROWS, -2.0 * ROWS, ROWS**2), ROWS**2 - ROWS),
    "Extremum": (("max", (-1,)), (ROWS,), ROWS.max(1)),
    "Product": (((-1,),), (ROWS,), ROWS.prod(1)),
    "Position": (("argsort", -1, "int64"), (ROWS,), np.argsort(ROWS, 1)),
    "Gather": ((0, 0, 0), (ROWS, PLACES), ROWS[:, PLACES]),
    "Scatter": ((0, 0, 0, 2), (ROWS, PLACES), ROWS @ np.eye(2)[PLACES]),
    "SegmentExtremum": (("min", 0, 2), (ROWS[0], PLACES), np.array([1.0, 2.0])),
    "Cumsum": ((-1, True, False), (ROWS,), np.cumsum(ROWS, 1) - ROWS),
    "Cumprod": ((-1, False, True), (ROWS,), np.cumprod(ROWS[:, ::-1], 1)[:, ::-1]),
    "Cumextremum": (("min", -1, False), (ROWS,), np.minimum.accumulate(ROWS, 1)),
    "Concat": ((-1,), (ROWS, ROWS[:, :1]), np.concatenate([ROWS, ROWS[:, :1]], 1)),
}
"""Kinds, what they are made of, operands, and the result."""


@pytest.mark.parametrize("name", BY_ELEMENTS)
def test_a_rule_for_any_number_computes_with_floats(name: str) -> None:
    """So a kind without a row for NumPy is computed, element by element."""
    parameters, arrays, expected = BY_ELEMENTS[name]
    found = evaluated(name, parameters, *arrays)
    assert found.dtype == expected.dtype
    np.testing.assert_array_equal(found, expected)
