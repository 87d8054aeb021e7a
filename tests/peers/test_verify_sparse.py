# ruff: noqa: D103 - a candidate is described by its name
"""Sparse gradients of PyTorch and TensorFlow are candidates."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf
import torch

import symtape as st
from symtape import verify

TABLE, PLACES = np.arange(6.0).reshape(3, 2), np.array([0, 2, 0])


def chosen(table, places):
    return st.reduce_sum(st.gather(table, places) ** 2)


def rows_of_torch(table, places):
    table = torch.tensor(table, requires_grad=True)
    rows = torch.nn.functional.embedding(torch.tensor(places), table, sparse=True)
    rows.pow(2).sum().backward()
    return table.grad


def rows_of_tensorflow(table, places):
    table = tf.Variable(table)
    with tf.GradientTape() as tape:
        found = tf.reduce_sum(tf.gather(table, places) ** 2)
    return tape.gradient(found, table)


def sparse_of_tensorflow(table, places):
    return tf.sparse.from_dense(rows_of_tensorflow(table, places))


@pytest.mark.parametrize("rows", [rows_of_torch, rows_of_tensorflow, sparse_of_tensorflow])
def test_gradients_of_rows_that_are_taken_may_be_sparse(rows):
    """What PyTorch and TensorFlow give for a table, of which a row is taken twice."""
    assert verify.gradient(chosen, rows, TABLE, PLACES, wrt="table").ok
    report = verify.gradient(chosen, lambda *given: 2 * rows(*given), TABLE, PLACES, wrt="table")
    assert not report.ok
