"""Sums and extrema along axes of a few elements give what NumPy's own reductions give."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtape as tf
from symtape.kernels.kernels import extremum, is_short, is_thin, total
from symtape.program.evaluation.arrays import overlap

DTYPES = ("float16", "float32", "float64", "int32", "int64", "uint8", "bool", "complex64")


def drawn(shape: tuple[int, ...], dtype: str) -> Any:
    """Draw numbers of which sums depend on the order."""
    return (np.random.default_rng(0).normal(size=shape) * 100).astype(dtype)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("size", range(1, 18))
def test_short_rows_are_reduced_as_numpy_reduces_them(size: int, dtype: str) -> None:
    """To the last bit: sums are in NumPy's order, up to sixteen elements."""
    for x in (drawn((300, size), dtype), drawn((20, 15, size), dtype)):
        if dtype != "bool":
            found, wanted = total(x, (x.ndim - 1,)), np.add.reduce(x, -1, dtype=x.dtype)
            np.testing.assert_array_equal(found, wanted, strict=True)
        for which, ufunc in (("max", np.maximum), ("min", np.minimum)):
            found, wanted = extremum(x, which, (-1,)), ufunc.reduce(x, -1)
            np.testing.assert_array_equal(found, wanted, strict=True)


@pytest.mark.parametrize("dtype", ["float32", "float64", "int64", "float16", "complex64"])
@pytest.mark.parametrize("kept", [(1,), (3,), (2, 4), ()])
def test_a_few_columns_are_added_up_one_by_one(kept: tuple[int, ...], dtype: str) -> None:
    """Which has smaller errors than to add one row to the next."""
    x = drawn((300, 60, *kept), dtype)
    found, exact = total(x, (0, 1)), x.astype(complex).sum((0, 1)).real
    assert found.shape == kept
    assert found.dtype == x.dtype
    if dtype != "float16":
        np.testing.assert_allclose(found.real, exact, rtol=1e-4)


def test_nan_and_what_is_not_short() -> None:
    """nan wins, as everywhere, and other axes and orders in memory are NumPy's."""
    x = drawn((300, 4), "float32")
    x[7, 2] = np.nan
    assert is_short(x, (1,))
    assert np.flatnonzero(np.isnan(extremum(x, "max", (1,)))).tolist() == [7]
    assert np.flatnonzero(np.isnan(total(x, (1,)))).tolist() == [7]
    assert not any(is_short(y, (y.ndim - 1,)) for y in (x.T, x[:9], np.asfortranarray(x)))
    assert not any([is_thin(x, (1,)), is_thin(x.T, (0,)), is_short(x, (0,))])


def test_a_softmax_of_short_rows_and_its_gradient() -> None:
    """What is built from them agrees with the definition."""
    x = tf.constant(drawn((5000, 3), "float64") / 50)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.reduce_sum(tf.nn.softmax(x) ** 2)
    p = np.exp(x.numpy() - x.numpy().max(1, keepdims=True))
    p /= p.sum(1, keepdims=True)
    slope = 2 * p * (p - (p * p).sum(1, keepdims=True))
    np.testing.assert_allclose(tape.gradient(y, x), slope, rtol=1e-12, atol=1e-15)


@pytest.mark.parametrize("channels", [1, 2, 3, 4])
@pytest.mark.parametrize("stride", [1, 2])
def test_windows_of_few_channels_add_up_in_the_same_order(channels: int, stride: int) -> None:
    """A channel at a time or all at once, each element is the same sum with the same digits."""
    rng = np.random.default_rng(channels)
    x = rng.normal(size=(2, 4, 18, 3, 5, channels)).astype(np.float32)
    sizes = (3 * stride + 3, 17 * stride + 5)
    expected = np.zeros((2, *sizes, channels), np.float32)
    for i, j in np.ndindex(3, 5):
        rows, columns = (slice(k, k + stride * (n - 1) + 1, stride) for k, n in ((i, 4), (j, 18)))
        expected[:, rows, columns] += x[:, :, :, i, j]
    found = overlap(x, ((3, stride, 1), (5, stride, 1)), sizes, 1)
    np.testing.assert_array_equal(found, expected)
