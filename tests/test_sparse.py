"""Sparse tensors, with which Keras computes: each function gives what it gives of whole arrays."""

from __future__ import annotations

import numpy as np
import pytest

import symtape as tf
from symtape.ops.sparse.tensor import SparseTensor
from symtape.stand_in.sparse import functions as sparse
from symtape.stand_in.sparse import measuring
from symtape.stand_in.sparse.rows import lookups
from symtape.stand_in.symbolic.lifting import lifted

A = np.array([[0.0, 2.0, 0.0], [-3.0, 0.0, 4.0]], np.float32)
B = np.array([[1.0, -5.0, 0.0], [0.0, 0.0, 6.0]], np.float32)


def whole(found):
    """Give the array of what may be sparse."""
    return (sparse.to_dense(found) if isinstance(found, SparseTensor) else found).numpy()


FUNCTIONS = {
    "from and to": (lambda a, b: sparse.from_dense(a), lambda a, b: a),
    "filled": (
        lambda a, b: sparse.to_dense(sparse.from_dense(a), 7.0),
        lambda a, b: np.where(a == 0, 7, a),
    ),
    "sum of both": (
        lambda a, b: sparse.add(sparse.from_dense(a), sparse.from_dense(b)),
        np.add,
    ),
    "sum with a dense one": (lambda a, b: sparse.add(a, sparse.from_dense(b)), np.add),
    "larger": (
        lambda a, b: sparse.maximum(sparse.from_dense(a), sparse.from_dense(b)),
        np.maximum,
    ),
    "smaller": (
        lambda a, b: sparse.minimum(sparse.from_dense(a), sparse.from_dense(b)),
        np.minimum,
    ),
    "values": (
        lambda a, b: sparse.map_values(tf.square, sparse.from_dense(a)),
        lambda a, b: a * a,
    ),
    "reshape": (
        lambda a, b: sparse.reshape(sparse.from_dense(a), [3, -1]),
        lambda a, b: a.reshape(3, 2),
    ),
    "transpose": (lambda a, b: sparse.transpose(sparse.from_dense(a)), lambda a, b: a.T),
    "expand_dims": (
        lambda a, b: sparse.expand_dims(sparse.from_dense(a), -2),
        lambda a, b: a[:, None],
    ),
    "concat": (
        lambda a, b: sparse.concat(1, [sparse.from_dense(a), sparse.from_dense(b)]),
        lambda a, b: np.concatenate([a, b], 1),
    ),
    "sum of rows": (
        lambda a, b: sparse.reduce_sum(sparse.from_dense(a), 1),
        lambda a, b: a.sum(1),
    ),
    "sum of all, sparsely": (
        lambda a, b: sparse.reduce_sum(sparse.from_dense(a), [0], True, output_is_sparse=True),
        lambda a, b: a.sum(0, keepdims=True),
    ),
    "largest of what is there": (
        lambda a, b: sparse.reduce_max(sparse.from_dense(a), 0),
        lambda a, b: np.array([-3, 2, 4]),
    ),
    "product": (
        lambda a, b: sparse.sparse_dense_matmul(sparse.from_dense(a), b, adjoint_b=True),
        lambda a, b: a @ b.T,
    ),
    "product of both": (
        lambda a, b: lookups.sparse_matrix_sparse_mat_mul(
            sparse.from_dense(a), sparse.transpose(sparse.from_dense(b)), "float32"
        ),
        lambda a, b: a @ b.T,
    ),
    "empty rows": (
        lambda a, b: sparse.fill_empty_rows(SparseTensor([[1, 1]], [2.0], (3, 2)), 9.0)[0],
        lambda a, b: np.array([[9, 0], [0, 2], [9, 0]]),
    ),
    "retained": (
        lambda a, b: sparse.retain(sparse.from_dense(a), [True, False, True]),
        lambda a, b: np.array([[0, 2, 0], [0, 0, 4]]),
    ),
    "counts": (
        lambda a, b: sparse.bincount(np.array([[1, 1], [0, 2]]), axis=-1),
        lambda a, b: np.array([[0, 2, 0], [1, 0, 1]]),
    ),
    "rows": (
        lambda a, b: tf.convert_to_tensor(tf.IndexedSlices(a, [2, 2], (3, 3))),
        lambda a, b: np.array([[0, 0, 0], [0, 0, 0], a.sum(0)]),
    ),
    "safe sums of rows": (
        lambda a, b: lookups.safe_embedding_lookup_sparse(
            b, SparseTensor([[0, 0], [0, 1], [2, 0]], [1, 0, -1], (3, 2)), combiner="mean"
        ),
        lambda a, b: np.array([b.mean(0), [0, 0, 0], [0, 0, 0]]),
    ),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_sparse_functions_give_what_whole_arrays_give(name):
    """NumPy on whole arrays is the judge."""
    ours, theirs = FUNCTIONS[name]
    np.testing.assert_allclose(whole(ours(A, B)), theirs(A, B))


BY_NAME = {
    "square": (lambda s: whole(lifted(tf.square)(s)), (A * A).tolist()),
    "negative": (lambda s: whole(lifted(tf.negative)(s)), (-A).tolist()),
    "cast": (lambda s: lifted(tf.cast)(s, tf.int32).dtype, tf.int32),
    "size": (lambda s: int(measuring.size(s)), 6),
    "shape": (lambda s: measuring.shape(s).numpy().tolist(), [2, 3]),
    "dtype of shape": (lambda s: measuring.shape(s).dtype, tf.int32),
    "get_shape": (lambda s: s.get_shape().as_list(), [2, 3]),
    "set_shape": (lambda s: s.set_shape([2, None]), None),
    "dense_shape": (lambda s: s.dense_shape.dtype, tf.int64),
    "text": (
        repr,
        (
            "SparseTensor(indices=tf.Tensor(\n[[0 1]\n [1 0]\n [1 2]], shape=(3, 2), dtype=int64), "
            "values=tf.Tensor([ 2. -3.  4.], shape=(3,), dtype=float32), "
            "dense_shape=tf.Tensor([2 3], shape=(2,), dtype=int64))"
        ),
    ),
}


@pytest.mark.parametrize("name", BY_NAME)
def test_functions_of_tensorflow_take_elements(name):
    """Functions of elements that keep zeros, and what asks for sizes, take a sparse tensor."""
    ask, expected = BY_NAME[name]
    found = ask(sparse.from_dense(A))
    assert (found.tolist() if isinstance(found, np.ndarray) else found) == expected


def test_gradients_flow_through_elements():
    """The gradient of a sum with a sparse tensor is dense where it came from."""
    v = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        x = SparseTensor([[0, 1], [1, 0]], v, (2, 2))
        y = sparse.add(sparse.map_values(tf.square, x), x)
        loss = tf.reduce_sum(sparse.to_dense(y) * [[1.0, 10.0], [100.0, 1000.0]])
    assert tape.gradient(loss, v).numpy().tolist() == [30.0, 500.0]


def test_a_tape_watches_elements():
    """As in TensorFlow, who watches the whole watches its elements, and differentiates by these."""
    with tf.GradientTape(persistent=True) as tape:
        x = SparseTensor([[0, 1], [1, 0]], tf.constant([1.0, 2.0]), (2, 2))
        tape.watch(x)
        y = sparse.reduce_sum(sparse.map_values(tf.square, x))
    assert tape.gradient(y, x.values).numpy().tolist() == [2.0, 4.0]
    with pytest.raises(ValueError, match="SparseTensor is not supported as a gradient source"):
        tape.gradient(y, x)


def test_what_does_not_fit_is_refused():
    """Places that are none of the values', and shapes and places that do not meet, are told."""
    with pytest.raises(ValueError, match="are no elements of a tensor of shape"):
        SparseTensor([[0, 1]], [1.0, 2.0], (2, 2))
    with pytest.raises(ValueError, match=r"Shapes \(2, 3\) and \(3,\) are not compatible"):
        sparse.from_dense(A).set_shape([3])
    with pytest.raises(tf.errors.InvalidArgumentError, match="x should be a 1D vector"):
        sparse.mask(sparse.from_dense(A), [0])
    with pytest.raises(tf.errors.InvalidArgumentError, match="Mismatched indices!"):
        sparse.map_values(tf.add, sparse.from_dense(A), sparse.from_dense(B))
