"""What a function requires of values: its program serves all that pass, and is told of others."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from unittest import mock

import numpy as np
import pytest

import symtape as tf
from symtape.functions.tracing.function import Function

RNG = np.random.default_rng(5)
X = RNG.normal(size=(4, 3))
SQUARE = X @ X.T + 4 * np.eye(4)
OTHER = np.diag([1.0, 2.0, 3.0, 4.0])
WRONG = (tf.errors.InvalidArgumentError, tf.errors.InternalError)


CHOICES = ["gather", "gather, row by row", "cross entropy", "unsorted_segment_sum"]
"""Names of what is compiled with indices as operands."""


def squared(x: Any) -> Any:
    """Add up squares, whose slope tells elements apart."""
    return tf.reduce_sum(x**2)


Case = tuple[Callable[..., Any], tuple[Any, ...], tuple[Any, ...], tuple[Any, ...] | None]

CASES: dict[str, Case] = {
    "gather": (
        lambda x, i: squared(tf.gather(x, i)),
        (X, [0, 3, 3]), (X, [2, 1, 1]), (X, [0, -1, 2]),
    ),
    "gather beyond": (lambda x, i: squared(tf.gather(x, i)), (X, [0]), (X, [1]), (X, [4])),
    "gather, row by row": (
        lambda x, i: squared(tf.gather(x, i, batch_dims=1)),
        (X, [0, 1, 2, 0]), (X, [2, 2, 1, 1]), (X, [0, 0, 3, 0]),
    ),
    "gather_nd, rows": (
        lambda x, i: squared(tf.gather_nd(x, i)),
        (X, [[0], [3]]), (X, [[1], [1]]), (X, [[4], [0]]),
    ),
    "gather_nd, elements": (
        lambda x, i: squared(tf.gather_nd(x, i)),
        (X, [[0, 2], [3, 1]]), (X, [[1, 1], [1, 1]]), (X, [[1, 3], [0, 0]]),
    ),
    "gather_nd, actions": (
        lambda x, i: squared(tf.gather_nd(x, tf.stack([tf.range(4), i], axis=1))),
        (X, np.array([0, 1, 2, 0], np.int32)), (X, np.array([2, 2, 1, 1], np.int32)),
        (X, np.array([0, 0, -1, 1], np.int32)),
    ),
    "scatter_nd": (
        lambda x, i: squared(tf.scatter_nd(i, x, [5, 3])),
        (X, [[0], [3], [3], [1]]), (X, [[2], [2], [2], [4]]), (X, [[5], [0], [0], [0]]),
    ),
    "tensor_scatter_nd_add": (
        lambda x, i: squared(tf.tensor_scatter_nd_add(x, i, x[:2] ** 2)),
        (X, [[0], [3]]), (X, [[2], [2]]), (X, [[5], [0]]),
    ),
    "tensor_scatter_nd_update": (
        lambda x, i: squared(tf.tensor_scatter_nd_update(x, i, x[:2] ** 2)),
        (X, [[0], [3]]), (X, [[2], [1]]), (X, [[5], [0]]),
    ),
    "tensor_scatter_nd_max": (
        lambda x, i: squared(tf.tensor_scatter_nd_max(x, i, x[:2] ** 2)),
        (X, [[0], [3]]), (X, [[2], [2]]), (X, [[5], [0]]),
    ),
    "segment_sum": (
        lambda x, i: squared(tf.math.segment_sum(x, i)),
        (X, [0, 0, 1, 3]), (X, [1, 1, 3, 3]), (X, [1, 0, 3, 3]),
    ),
    "segment_mean": (
        lambda x, i: squared(tf.math.segment_mean(x, i)),
        (X, [0, 0, 1, 3]), (X, [1, 1, 3, 3]), (X, [1, 0, 3, 3]),
    ),
    "segment_max": (
        lambda x, i: squared(tf.math.segment_max(x, i)),
        (X, [0, 0, 1, 3]), (X, [1, 1, 3, 3]), (X, [1, 0, 3, 3]),
    ),
    "unsorted_segment_sum": (
        lambda x, i: squared(tf.math.unsorted_segment_sum(x, i, 4)),
        (X, [3, 0, 1, 3]), (X, [1, 2, 0, 0]), (X, [4, 0, 1, 3]),
    ),
    "unsorted_segment_mean": (
        lambda x, i: squared(tf.math.unsorted_segment_mean(x, i, 4)),
        (X, [3, 0, 1, 3]), (X, [1, 2, 0, 0]), (X, [4, 0, 1, 3]),
    ),
    "unsorted_segment_sqrt_n": (
        lambda x, i: squared(tf.math.unsorted_segment_sqrt_n(x, i, 4)),
        (X, [3, 0, 1, 3]), (X, [1, 2, 0, 0]), (X, [4, 0, 1, 3]),
    ),
    "unsorted_segment_max": (
        lambda x, i: squared(tf.math.unsorted_segment_max(x, i, 3)),
        (X, [2, 0, 1, 2]), (X, [1, 2, 0, 0]), (X, [4, 0, 1, 3]),
    ),
    "embedding_lookup": (
        lambda x, i: squared(tf.nn.embedding_lookup(x, i)),
        (X, [[0, 3]]), (X, [[1, 1]]), (X, [[7, 1]]),
    ),
    "cross entropy": (
        lambda x, i: squared(tf.nn.sparse_softmax_cross_entropy_with_logits(i, x)),
        (X, [0, 1, 2, 1]), (X, [2, 2, 0, 0]), (X, [0, -1, 2, 2]),
    ),
    "invert_permutation": (
        lambda x, i: squared(tf.gather(x, tf.math.invert_permutation(i))[:2]),
        (X, [0, 3, 2, 1]), (X, [2, 3, 1, 0]), (X, [0, 0, 2, 1]),
    ),
    "crop_and_resize": (
        lambda x, i: squared(tf.image.crop_and_resize(x, [[0.1, 0.0, 0.9, 1.0]], i, [2, 2])),
        (RNG.normal(size=(2, 3, 3, 1)).astype("f4"), np.array([0], np.int32)),
        (RNG.normal(size=(2, 3, 3, 1)).astype("f4"), np.array([1], np.int32)),
        None,
    ),
    "logdet": (lambda x: tf.linalg.logdet(x), (SQUARE,), (OTHER,), None),
    "logdet of a triangle": (
        lambda x: tf.linalg.logdet(x), (SQUARE,), (OTHER + np.tri(4, k=-1),), None,
    ),
    "assert_positive": (
        lambda x: (tf.debugging.assert_positive(x), squared(x))[1],
        (X**2,), (X**2 + 1,), (-(X**2),),
    ),
    "assert_less": (
        lambda x, y: (tf.debugging.assert_less(x, y), squared(x))[1],
        (X, X + 1), (2 * X, 2 * X + 1), (X, X),
    ),
    "assert_equal of what was computed": (
        lambda x: (tf.debugging.assert_equal(tf.round(x), x), squared(x))[1],
        (np.arange(3.0),), (np.arange(3.0) + 2,), (np.arange(3.0) + 0.5,),
    ),
    "check_numerics": (
        lambda x: squared(tf.debugging.check_numerics(1 / x, "slope")),
        (X,), (2 * X,), (0 * X,),
    ),
    "whole quotients": (
        lambda x, n: squared(x * tf.cast(7 // n, tf.float64)),
        (X, [1, 2, 3]), (X, [7, 3, 9]), (X, [1, 0, 3]),
    ),
}  # fmt: skip


def arrays(values: tuple[Any, ...]) -> list[Any]:
    """Make integers and numbers arrays."""
    return [np.asarray(v) for v in values]


def afresh(f: Callable[..., Any], values: tuple[Any, ...]) -> Any:
    """Take the gradient by the first argument on a tape."""
    x, *others = map(tf.constant, arrays(values))
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x, *others)
    return tf.convert_to_tensor(tape.gradient(y, x)).numpy()


@pytest.mark.parametrize("name", CASES)
def test_one_program_serves_all_values_that_pass(name):
    """The second call runs no Python of the function, unless it takes another way; both agree."""
    f, first, second, bad = CASES[name]
    slope = tf.grad(f)
    for values in (first, first):  # modules are loaded when they are first asked for
        np.testing.assert_allclose(slope(*arrays(values)), afresh(f, values), rtol=1e-6)
    anew = mock.Mock(side_effect=AssertionError("it was recorded anew"))
    if name != "logdet of a triangle":
        with mock.patch.object(Function, "_run_anew", anew):
            given = slope(*arrays(second))
        np.testing.assert_allclose(given, afresh(f, second), rtol=1e-6)
    np.testing.assert_allclose(slope(*arrays(second)), afresh(f, second), rtol=1e-6)
    if bad is not None:
        with pytest.raises(WRONG) as told:
            afresh(f, bad)
        with pytest.raises(WRONG) as said:
            slope(*arrays(bad))
        assert str(said.value) == str(told.value)


@pytest.mark.parametrize("name", CASES)
def test_functions_around_are_told_of_what_is_required(name):
    """A function of a function makes its tests, too."""
    f, first, second, bad = CASES[name]
    outer = tf.grad(lambda *a: tf.reduce_sum(tf.grad(f)(*a) ** 2))
    for values in (first, second, first):
        expected = tf.grad(lambda *a: tf.reduce_sum(tf.grad(f)(*a) ** 2))(*arrays(values))
        np.testing.assert_allclose(outer(*arrays(values)), expected, rtol=1e-6)
    if bad is not None:
        with pytest.raises(WRONG):
            outer(*arrays(bad))


@pytest.mark.parametrize("backend", ["numpy", "scipy"])
@pytest.mark.parametrize("name", CHOICES)
@pytest.mark.parametrize("outside", [-1, 4])
def test_compiled_code_counts_no_place_from_the_end(name, backend, outside):
    """A place that is none raises in values and slopes; nothing is chosen in its stead."""
    f, (x, places), *_ = CASES[name]
    x, places = tf.constant(x), tf.constant(places)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x, places)
    wrong = places.numpy()
    wrong[0] = outside
    for formula in (y, tape.gradient(y, x)):
        compiled = formula.lambdify([x, places], backend=backend)
        np.testing.assert_allclose(np.asarray(compiled(x.numpy(), places.numpy())), formula.numpy())
        with pytest.raises(IndexError):
            compiled(x.numpy(), wrong)


@pytest.mark.parametrize("name", ["gather", "cross entropy", "unsorted_segment_sum", "logdet"])
def test_rows_make_their_tests(name):
    """A function of all rows at once has one program, which tests the values of every row."""
    f, first, second, bad = CASES[name]
    slope = tf.grad(f, vectorize=tuple(range(len(first))))
    for own in (first, second):
        rows = [np.stack([a, b]) for a, b in zip(arrays(own), arrays(first), strict=True)]
        expected = [afresh(f, own), afresh(f, first)]
        np.testing.assert_allclose(slope(*rows), expected, rtol=1e-6)
    if bad is not None:
        with pytest.raises(WRONG):
            slope(*[np.stack([a, b]) for a, b in zip(arrays(first), arrays(bad), strict=True)])


WHOLE: dict[str, tuple[Callable[[Any], Any], int, type[Exception]]] = {
    "a quotient": (lambda n: 7 // n, 0, ZeroDivisionError),
    "a remainder": (lambda n: 7 % n, 0, ZeroDivisionError),
    "a quotient towards zero": (lambda n: tf.truncatediv(7, n), 0, ZeroDivisionError),
    "a power": (lambda n: 2**n, -1, ValueError),
}
"""Functions of integers, what they do not take, and what they raise of it."""


def whole_slope(name: str) -> tuple[Any, ...]:
    """Give a formula that multiplies by a function of integers, its slope, and their arguments."""
    x, n = tf.constant([1.0, 2.0, 3.0], tf.float64), tf.constant([1, 2, 3])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.reduce_sum(x**2 * tf.cast(WHOLE[name][0](n), tf.float64))
    return (y, tape.gradient(y, x)), x, n


@pytest.mark.parametrize("backend", ["numpy", "scipy"])
@pytest.mark.parametrize("name", WHOLE)
def test_integers_that_have_no_result_raise(name, backend):
    """NumPy divides integers by 0, and gives 0; no formula does."""
    formulas, x, n = whole_slope(name)
    wrong = n.numpy()
    wrong[1] = WHOLE[name][1]
    for formula in formulas:
        compiled = formula.lambdify([x, n], backend=backend)
        np.testing.assert_allclose(compiled(x.numpy(), n.numpy()), formula.numpy())
        with pytest.raises(WHOLE[name][2]):
            compiled(x.numpy(), wrong)
