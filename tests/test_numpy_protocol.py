"""NumPy's functions on tensors: what is recorded, what stays NumPy's, and what is refused."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import symtape as tf


def test_operators_of_arrays_and_scalars_give_tensors() -> None:
    """An array or NumPy number on the left of an operator leaves the result to the tensor."""
    x = tf.constant([1.0, 2.0])
    for made in (
        np.ones(2) + x,
        np.float32(2) * x,
        np.array([2.0, 4.0]) / x,
        1 - x,
        np.ones(2) - x,
    ):
        assert isinstance(made, tf.Tensor)
        assert made.dtype == tf.float32
    assert isinstance(np.ones((2, 2), np.float32) @ tf.ones((2, 1)), tf.Tensor)
    assert (np.array([1.0, 5.0]) < x).numpy().tolist() == [False, False]
    assert (np.array([1.0, 5.0]) == x).numpy().tolist() == [True, False]


def test_without_a_tape_results_are_numpys() -> None:
    """Where nobody watches, a NumPy function gives what NumPy gives."""
    x = tf.constant([1.0, 2.0])
    v = tf.Variable([1.0, 2.0])
    assert type(np.sin(x)) is np.ndarray
    assert type(np.sum(v)) is np.float32
    assert type(np.mean(x)) is np.float32
    with tf.GradientTape():
        assert type(np.sin(x)) is np.ndarray  # a constant that no tape watches
    with tf.GradientTape(watch_accessed_variables=False):
        assert type(np.sin(v)) is np.ndarray


def test_variables_are_watched_when_numpy_reads_them() -> None:
    """A NumPy function reads a variable, and the tape records it."""
    v = tf.Variable([1.0, 2.0], name="v")
    with tf.GradientTape() as tape:
        y = np.sum(np.square(v))
    assert tape.watched_variables() == (v,)
    assert tape.gradient(y, v).numpy().tolist() == [2.0, 4.0]


def test_second_derivative_of_numpy_code() -> None:
    """Plain NumPy code can be differentiated twice, and its formula read."""
    x = tf.constant(2.0, name="x")
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = np.exp(x) * np.square(x)
        first = inner.gradient(y, x)
    second = outer.gradient(first, x)
    assert str(first.expr) == "x*(x + 2)*exp(x)"
    np.testing.assert_allclose(second.numpy(), (4 + 8 + 2) * np.exp(2.0), rtol=1e-6)


def test_numpy_conditions_are_remembered() -> None:
    """A branch that a NumPy comparison decided is in the conditions."""
    x = tf.constant(2.0, name="x")
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x if np.greater(x, 1.0) else x
    assert [str(c) for c in tape.gradient(y, x).conditions] == ["x > 1"]


REFUSED: dict[str, Callable[[Any], Any]] = {
    "np.spacing": np.spacing,
    "np.polydiv": lambda x: np.polydiv(x, x[:1]),
    "np.nanmean with where": lambda x: np.nanmean(x, where=np.array([True, False])),
    "np.trace with dtype": lambda x: np.trace(x[None] * np.eye(2), dtype=np.float64),
    "np.quantile with weights": lambda x: np.quantile(x, 0.5, weights=[1, 2]),
    "np.sum with out": lambda x: np.sum(x, out=np.zeros(())),
    "np.add with out": lambda x: np.add(x, 1, out=np.zeros(2, np.float32)),
    "np.add with where": lambda x: np.add(x, 1, where=np.array([True, False])),
    "np.add.at": lambda x: np.add.at(np.zeros(2), [0, 1], x),
    "np.frexp": np.frexp,
    "np.copyto": lambda x: np.copyto(np.zeros(2), x),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_would_lose_the_gradient_is_refused(name: str) -> None:
    """A function or argument that has no recorded form raises, with its name and a way out."""
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        with pytest.raises(tf.UnsupportedError, match=r"x\.numpy\(\)") as error:
            REFUSED[name](x)
    assert name.split(" with", maxsplit=1)[0] in str(error.value)


def test_adding_to_an_array_makes_a_tensor() -> None:
    """`array += x` leaves the array as it is, and gradients flow; a part of it is refused."""
    x = tf.constant([1.0, 2.0])
    total = before = np.ones(2)
    with tf.GradientTape() as tape:
        tape.watch(x)
        total *= x
        with pytest.raises(tf.UnsupportedError):
            before[:1] += x[:1]
        with pytest.raises(tf.UnsupportedError):
            np.add(before, x, out=before)
    assert tape.gradient(total, x).numpy().tolist() == [1.0, 1.0]
    assert total.dtype == tf.float32
    assert before.tolist() == [1.0, 1.0]


def test_questions_are_numpys() -> None:
    """What gives no float can have no gradient, and is NumPy's under a tape as well."""
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        assert np.allclose(x, [1.0, 2.0]) is True or np.allclose(x, [1.0, 2.0])
        assert np.shape(x) == (2,)
        assert np.ndim(x) == 1
        assert np.size(x) == 2
        assert np.array_equal(x, x)
        assert np.count_nonzero(x) == 2
        assert np.array2string(np.asarray(x)) == "[1. 2.]"
        assert np.argsort(x).tolist() == [0, 1]
        np.testing.assert_allclose(x, [1.0, 2.0])


def test_numpy_promotes_as_without_a_tape() -> None:
    """The dtype of a NumPy call on tensors does not depend on whether a tape watches."""
    x = tf.constant([1.0, 2.0])
    calls = [lambda: np.add(x, np.ones(2)), lambda: np.dot(x, np.ones(2)), lambda: np.add(x, 1.0)]
    for call in calls:
        plain = call()
        with tf.GradientTape() as tape:
            tape.watch(x)
            recorded = call()
        assert recorded.dtype == plain.dtype
        assert tape.gradient(recorded, x).dtype == tf.float32


OPERATORS = {
    name: getattr(operator, name)
    for name in (
        *("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "and_", "or_"),
        *("xor", "lt", "le", "gt", "ge", "eq", "ne"),
    )
}


@pytest.mark.parametrize("name", OPERATORS)
def test_an_array_stands_on_either_side_of_an_operator(name):
    """A result is a tensor with the numbers that NumPy has."""
    run, dtype = OPERATORS[name], "int32" if name in {"and_", "or_", "xor"} else "float64"
    a, b = np.array([[5, 3], [2, 7]], dtype), np.array([[2, 3], [4, 1]], dtype)
    for found in (run(a, tf.constant(b)), run(tf.constant(a), b)):
        assert isinstance(found, tf.Tensor)
        np.testing.assert_allclose(found.numpy(), run(a, b))


METHODS = {
    "add.reduce": lambda x: np.add.reduce(x), "multiply.reduce": lambda x: np.multiply.reduce(x),
    "maximum.reduce": lambda x: np.maximum.reduce(x, axis=1),
    "minimum.reduce": lambda x: np.minimum.reduce(x, axis=None),
    "logical_and.reduce": lambda x: np.logical_and.reduce(x > 1),
    "logical_or.reduce": lambda x: np.logical_or.reduce(x > 1, axis=-1),
    "add.accumulate": lambda x: np.add.accumulate(x),
    "multiply.accumulate": lambda x: np.multiply.accumulate(x, axis=1),
    "reduce, kept": lambda x: np.add.reduce(x, 1, keepdims=True),
}  # fmt: skip


@pytest.mark.parametrize("name", METHODS)
def test_reductions_by_ufuncs_are_those_of_numpy(name):
    """They reduce along the first axis where none is given."""
    x = np.array([[0.5, 2.0, 1.5], [3.0, 0.25, 1.0]])
    with tf.GradientTape() as tape:
        own = tf.constant(x)
        tape.watch(own)
        found = METHODS[name](own)
    np.testing.assert_allclose(np.asarray(found), METHODS[name](x))


WRITERS: dict[str, Callable[[Any], Any]] = {
    "np.add.at": lambda t: np.add.at(t, [0], [5.0]),
    "np.put": lambda t: np.put(t, [0], [9.0]),
    "np.copyto": lambda t: np.copyto(t, 7.0),
    "np.putmask": lambda t: np.putmask(t, [True, False], [8.0]),
    "np.fill_diagonal": lambda t: np.fill_diagonal(tf.reshape(t, [2, 1]), 5.0),
    "np.sin": lambda t: np.sin(np.ones(2), out=t),
    "np.cumsum": lambda t: np.cumsum(np.ones(2), out=t),
    "np.cumprod": lambda t: np.cumprod(np.ones(2), None, None, t),
    "np.maximum.accumulate": lambda t: np.maximum.accumulate(np.ones(2), out=t),
    "np.clip": lambda t: np.clip(np.ones(2), 0.0, 0.5, t),
    "np.nan_to_num": lambda t: np.nan_to_num(t, copy=False),
}


@pytest.mark.parametrize("name", WRITERS)
def test_numpy_writes_into_no_tensor(name: str) -> None:
    """A tensor that no tape watches keeps its values, and so does the array of a caller."""
    t = tf.constant(np.array([np.nan, 2.0]))
    with pytest.raises(tf.UnsupportedError, match=re.escape(name)):
        WRITERS[name](t)
    np.testing.assert_array_equal(t.numpy(), [np.nan, 2.0])


def test_what_numpy_makes_of_a_tensor_can_be_written_into() -> None:
    """A view that NumPy gives of a tensor is an array of its own."""
    t = tf.constant([1.0, 2.0])
    for made in (np.reshape(t, (2, 1)), np.ravel(t), *np.split(t, 2)):
        made[...] = 5.0
    assert t.numpy().tolist() == [1.0, 2.0]


def test_adding_at_places_of_an_array_in_a_function_is_refused() -> None:
    """What `np.add.at` adds would be lost, or would be added to the caller's array."""
    y = np.array([1.0, 2.0, 3.0])

    def zeros(x: Any, y: Any) -> Any:
        total = np.zeros_like(x)
        np.add.at(total, [0, 0, 2], y)
        return np.sum(x * total)

    def copied(x: Any, y: Any) -> Any:
        total = y.copy()
        np.add.at(total, [0, 0, 2], y)
        return np.sum(x * total)

    for function in (zeros, copied):
        with pytest.raises(tf.UnsupportedError, match=r"np\.add\.at would write"):
            tf.grad(function)(np.ones(3), y)
    assert y.tolist() == [1.0, 2.0, 3.0]


def test_a_result_that_is_written_elsewhere_is_computed_there() -> None:
    """`out=` an array of the function's own keeps what was computed of another argument."""

    def function(x: Any, y: Any) -> Any:
        total = np.zeros_like(x)
        np.add(y, 1.0, out=total)
        return np.sum(x * total)

    slope = tf.grad(function)
    assert slope(np.ones(2), np.array([1.0, 2.0])).tolist() == [2.0, 3.0]
    assert slope(np.ones(2), np.array([5.0, 7.0])).tolist() == [6.0, 8.0]


A = np.array([1.5, 0.4, 3.0])
WITH_LISTS = {
    "multiply": lambda x, w: np.multiply(x, [w, 1.0, 2.0]),
    "add of rows": lambda x, w: np.add([[w], [1]], x),
    "an operator": lambda x, w: x * [w, 1.0, 1.0],
    "maximum": lambda x, w: np.maximum(x, [w, 5.0, 1.0]),
    "matmul": lambda x, w: np.matmul(x, [[w], [1.0], [1.0]]),
    "dot": lambda x, w: np.dot(x, [w, 1.0, 2.0]),
    "einsum": lambda x, w: np.einsum("i,i", x, [w, 1.0, 1.0]),
    "stack": lambda x, w: np.stack([x, [w, 1.0, 2.0]]),
    "where": lambda x, w: np.where(A > 1, x, [w, w, 1.0]),
    "clip": lambda x, w: np.clip(x, [w, 0, 0], 9),
    "convolve": lambda x, w: np.convolve(x, [w, 1.0]),
    "correlate": lambda x, w: np.correlate(x, [w, 1.0]),
    "interp": lambda x, w: np.interp(x, [0.0, 9.0], [w, 1.0]),
    "average": lambda x, w: np.average(x, weights=[w, 1.0, 1.0]),
    "polyval": lambda x, w: np.polyval([w, 1.0, 1.0], x),
    "append": lambda x, w: np.append(x, [w, w]),
    "insert": lambda x, w: np.insert(x, [1, 2], [w, 5.0]),
    "select": lambda x, w: np.select([x > 1], [[w, w, w]], 0.0),
    "piecewise": lambda x, w: np.piecewise(x, [A > 1], [w, 1.0]),
    "full_like": lambda x, w: np.full_like(x, w),
    "cross": lambda x, w: np.cross(x, [w, 1.0, 1.0]),
    "kron": lambda x, w: np.kron(x, [w, 3.0]),
}


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", WITH_LISTS)
def test_variables_in_lists_beside_a_tensor_keep_their_gradients(name: str, dtype: str) -> None:
    """As an array, such a list would lose them without a word."""
    f, step = WITH_LISTS[name], 1e-6
    low, high = (np.sum(f(A, 2.1 + h)) for h in (-step, step))
    x, w = tf.constant(A, dtype), tf.Variable(2.1, dtype=dtype)
    with tf.GradientTape() as tape:
        tape.watch(x)
        total = tf.reduce_sum(f(x, w))
    rtol = 1e-8 if dtype == "float64" else 1e-5
    np.testing.assert_allclose(tape.gradient(total, w), (high - low) / (2 * step), rtol=rtol)
