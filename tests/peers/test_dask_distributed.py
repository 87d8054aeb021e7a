"""Derivatives of data in chunks, on worker processes of dask.distributed."""

from __future__ import annotations

import os
import warnings

import numpy as np
import pytest

import symtape as tf
from tests.documents import loss, row_loss, traces_of
from tests.peers.conftest import peer

ROWS, FEATURES, RESULTS = 24, 5, 3


@pytest.fixture(scope="module")
def dask_array():
    """Give `dask.array`."""
    return peer("dask.array", "'dask[array]'")


@pytest.fixture(scope="module")
def client():
    """Give a client of a cluster of two worker processes."""
    distributed = peer("distributed", "distributed")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what a cluster says of ports and memory is not about us
        with (
            distributed.LocalCluster(
                n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
            ) as cluster,
            distributed.Client(cluster) as made,
        ):
            yield made


@pytest.fixture
def data(rng):
    """Give weights, and rows of features and results."""
    w = rng.normal(size=(FEATURES, RESULTS))
    return w, rng.normal(size=(ROWS, FEATURES)), rng.normal(size=(ROWS, RESULTS))


def by_hand(w, x, y):
    """Compute the gradient of the loss by w, as a person would."""
    z = x @ w
    return x.T @ (2 * (np.tanh(z) - y) / np.cosh(z) ** 2)


def by_hand_rows(w, x, y):
    """Compute the gradient of the loss of each row by w."""
    z = x @ w
    return (2 * (np.tanh(z) - y) / np.cosh(z) ** 2)[:, None] * x


def test_the_workers_are_processes(client):
    """Two processes compute, none of them this one."""
    found = client.run(os.getpid)
    assert len(set(found.values()) | {os.getpid()}) == 3


def test_the_sum_over_chunks_is_the_whole_gradient(client, dask_array, data):
    """A compiled gradient, sent to each chunk: the sum is the gradient of all rows."""
    w, x, y = data
    size = ROWS // 4
    leaves = tf.constant(w), tf.constant(x[:size]), tf.constant(y[:size])
    with tf.GradientTape() as tape:
        tape.watch(leaves)
        value = loss(*leaves)
    slope = tape.gradient(value, leaves[0]).lambdify(leaves)
    chunked = [dask_array.from_array(a, chunks=(size, -1)) for a in (x, y)]
    parts = dask_array.map_blocks(
        lambda x, y: slope(w, x, y)[None],
        *chunked,
        dtype=w.dtype,
        chunks=((1,) * 4, (FEATURES,), (RESULTS,)),
        new_axis=2,
        meta=np.empty((0, 0, 0)),
    )
    assert parts.npartitions == 4
    np.testing.assert_allclose(
        client.compute(parts.sum(axis=0)).result(), by_hand(w, x, y), rtol=1e-12
    )


def test_chunks_of_any_length_take_a_function(client, dask_array, data):
    """A derivative of a function is traced for each length, once in each worker."""
    w, x, y = data
    slope = tf.grad(loss)
    chunks = (7, 7, 3, 7), (-1,)
    xs, ys = (dask_array.from_array(a, chunks=(chunks[0], a.shape[1])) for a in (x, y))
    futures = [
        client.submit(traces_of, slope, w, a, b, pure=False)
        for _ in range(3)
        for a, b in zip(
            client.compute(list(xs.to_delayed().ravel()), sync=True),
            client.compute(list(ys.to_delayed().ravel()), sync=True),
            strict=True,
        )
    ]
    found = client.gather(futures)
    assert max(traces for _, traces in found) <= 2
    total = sum(part for part, _ in found) / 3
    np.testing.assert_allclose(total, by_hand(w, x, y), rtol=1e-12)


def test_gradients_of_rows_keep_their_chunks(client, dask_array, data):
    """Gradients of each row, without a loop over rows, are a chunked array again."""
    w, x, y = data[0][:, 0], data[1], data[2][:, 0]
    rows = tf.grad(row_loss, vectorize=(1, 2))
    found = dask_array.blockwise(
        lambda x, y: rows(w, x, y),
        "ij",
        dask_array.from_array(x, chunks=((10, 10, 4), -1)),
        "ij",
        dask_array.from_array(y, chunks=((10, 10, 4),)),
        "i",
        dtype=w.dtype,
        meta=np.empty((0, 0)),
    )
    assert found.chunks == ((10, 10, 4), (FEATURES,))
    np.testing.assert_allclose(client.compute(found).result(), by_hand_rows(w, x, y), rtol=1e-12)


def test_a_batch_jacobian_of_chunks(client, dask_array, data):
    """A compiled batch Jacobian of a chunk, on every chunk, is that of the whole."""
    w, x, _ = data
    size = ROWS // 3
    rows = tf.constant(x[:size])
    with tf.GradientTape() as tape:
        tape.watch(rows)
        result = tf.tanh(rows @ tf.constant(w))
    f = tape.batch_jacobian(result, rows).lambdify()
    found = dask_array.map_blocks(
        f,
        dask_array.from_array(x, chunks=(size, -1)),
        dtype=x.dtype,
        new_axis=1,
        chunks=((size,) * 3, (RESULTS,), (FEATURES,)),
        meta=np.empty((0, 0, 0)),
    )
    expected = (1 / np.cosh(x @ w) ** 2)[:, :, None] * w.T
    np.testing.assert_allclose(client.compute(found).result(), expected, rtol=1e-12)


def test_bags_of_arguments_take_a_saved_formula(client, data, tmp_path):
    """A formula in a file is loaded by each worker."""
    w, x, y = data
    leaves = tf.constant(w), tf.constant(x), tf.constant(y)
    with tf.GradientTape() as tape:
        tape.watch(leaves[0])
        value = loss(*leaves)
    path = tmp_path / "gradient.json"
    tape.gradient(value, leaves[0]).lambdify().save(path)
    found = client.gather([client.submit(_loaded, str(path), w * k) for k in (1.0, 2.0)])
    np.testing.assert_allclose(found, [by_hand(w, x, y), by_hand(2 * w, x, y)], rtol=1e-12)


def _loaded(path, w):
    return tf.load(path)(w)
