"""What the modules answer that TensorFlow's build makes of its kernels, as `gen_math_ops`."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np

from symtape.stand_in.finder import found
from tests.answers.answer import Table
from tests.answers.numpy_names import outcome

TABLE = Table("inner_kernels")

X = np.array([[0.5, -1.5, 2.0], [0.25, 3.0, -0.75]], np.float32)
Y = np.array([[1.5, 2.0, -0.5], [2.0, 0.5, 1.0]], np.float32)


def within(tf: Any, path: str) -> Any:
    """Take what `tensorflow.python` has by a dotted name."""
    if tf.__name__ == "tensorflow":
        tf.constant(0)  # before its first tensor TensorFlow takes itself to be in a graph
        module, _, name = path.rpartition(".")
        return getattr(import_module(f"tensorflow.python.{module}"), name)
    return found(f"python.{path}")


def _asked(path: str, *calls: Callable[[Any], Any]) -> None:
    """Add a row: a function of a module of `tensorflow.python.ops`, and some calls of it."""
    TABLE.add(
        path,
        lambda tf: [
            outcome(lambda tf, call=call: call(within(tf, f"ops.{path}")), tf) for call in calls
        ],
    )


_asked(
    "gen_math_ops.mat_mul",
    lambda f: f(X, Y, False, True),
    lambda f: f(X, b=Y, transpose_b=True, name="product"),
    lambda f: f(X),
    lambda f: f(X, Y, a=X),
    lambda f: f(X, Y, adjoint=True),
    lambda f: f(X, Y, False, True, False, False, None, 1),
    lambda f: f(X, Y),
    lambda f: f.__name__,
)
_asked("gen_math_ops.add_v2", lambda f: f(X, 1.0), lambda f: f(), lambda f: f(1, 2, None, 3))
_asked("gen_math_ops._clip_by_value", lambda f: f(X, 0.0, 1.0), lambda f: f(X, 0.0))
_asked("gen_math_ops._sum", lambda f: f(X, 1), lambda f: f(X, [0, 1], True))
_asked("gen_math_ops._range", lambda f: f(1, 7, 2))
_asked("gen_math_ops.select", lambda f: f(X > 0, X, Y))
_asked("gen_math_ops.tanh_grad", lambda f: f(X, Y))
_asked("gen_math_ops.cos", lambda f: f(X))
_asked(
    "gen_math_ops.equal",
    lambda f: f(X, X[:, 1:], False),
    lambda f: f(X, X[:, 1:]),
    lambda f: f(X, X[0], incompatible_shape_error=False),
)
_asked("gen_math_ops.not_equal", lambda f: f(X, X[:, 1:], False), lambda f: f(X, X[0]))
_asked("gen_array_ops.reshape", lambda f: f(X, [3, 2]), lambda f: f(X, [4]))
_asked("gen_array_ops.concat_v2", lambda f: f([X, Y], 1))
_asked("gen_array_ops.gather_v2", lambda f: f(X, [1, 0], 1, 0))
_asked(
    "gen_array_ops.gather_nd",
    lambda f: f(X, [[0, 1], [5, 0]], "IGNORE"),
    lambda f: f(X, [[0, 1], [5, 0]]),
)
_asked("gen_array_ops.scatter_nd", lambda f: f([[1], [9]], [5.0, 6.0], [4], "IGNORE"))
_asked("gen_array_ops.tensor_scatter_add", lambda f: f(X, [[0], [7]], Y, "IGNORE"))
_asked("gen_array_ops.tensor_scatter_update", lambda f: f(X, [[0], [7]], Y, "IGNORE"))
_asked("gen_array_ops._slice", lambda f: f(X, [0, 1], [2, 1]))
_asked("gen_nn_ops.softmax", lambda f: f(X), lambda f: f(logits=X))
_asked("gen_nn_ops.relu_grad", lambda f: f(X, Y))
_asked("gen_nn_ops.bias_add", lambda f: f(X, Y[0]), lambda f: f(X, Y[0], "NHWC"))
_asked(
    "gen_nn_ops.max_pool",
    lambda f: f(X[None, :, :, None], [1, 2, 2, 1], [1, 1, 1, 1], "VALID"),
    lambda f: f(X[None, :, :, None], [1, 2, 2, 1], [1, 1, 1, 1]),
)
_asked("gen_linalg_ops.einsum", lambda f: f([X, Y], "ij,kj->ik"))
_asked("gen_manip_ops.roll", lambda f: f(X, 1, 1))
_PLACES = [[1, 0], [0, 2]]
_asked(
    "gen_sparse_ops.sparse_reorder",
    lambda f: [*f(_PLACES, [5.0, 7.0], [2, 3])],
    lambda f: [f(_PLACES, [b"a", b"b"], input_shape=[2, 3]).output_values],
    lambda f: type(f(_PLACES, [5, 7], [2, 3])).__name__,
    lambda f: f(_PLACES, [5.0], [2, 3]),
    lambda f: f(_PLACES, [5.0, 7.0], [2]),
    lambda f: f([1, 2], [5.0, 7.0], [2]),
    lambda f: f(_PLACES, [[5.0, 7.0]], [2]),
)
_asked(
    "gen_sparse_ops.sparse_tensor_dense_mat_mul",
    lambda f: f(_PLACES, [5.0, 7.0], [2, 3], Y, False, True),
    lambda f: f(_PLACES, [5.0, 7.0], [2, 3], Y, True),
    lambda f: f(_PLACES, [5.0, 7.0], [2, 3], Y),
    lambda f: f(_PLACES, [5.0, 7.0], [2, 3], Y[0]),
    lambda f: f([[1, 0, 2]], [5.0], [2, 3, 3], Y),
    lambda f: f([[1, 0], [1, 0]], [5.0, 7.0], [2, 3], Y, False, True),
)


def _slope(tf: Any, path: str, *args: Any) -> Any:
    x = tf.Variable(X)
    with tf.GradientTape() as tape:
        y = within(tf, f"ops.{path}")(x, *args)
    return tape.gradient(y, x)


TABLE.rows(
    "slopes",
    [
        lambda tf: _slope(tf, "gen_math_ops.mat_mul", Y.T),
        lambda tf: _slope(tf, "gen_array_ops.tensor_scatter_update", [[0]], Y[:1]),
        lambda tf: _slope(tf, "gen_nn_ops.softplus"),
        lambda tf: _slope(tf, "gen_math_ops._max", 1),
    ],
)


_M = np.array([[0.0, 2.0], [3.0, 0.0]], np.float32)
_MANY = np.array([[[0.0, 2.0], [3.0, 0.0]], [[1.0, 0.0], [0.0, 0.0]]])


def _sparse_matrices(tf: Any, call: Callable[..., Any]) -> Any:
    """Call with a class, and a function of products, and tell the parts of what is sparse."""
    names = (within(tf, f"ops.linalg.sparse.sparse.{n}") for n in ("CSRSparseMatrix", "matmul"))
    made = call(*names)
    made = made.to_sparse_tensor() if hasattr(made, "to_sparse_tensor") else made
    return [made.indices, made.values, made.dense_shape] if hasattr(made, "values") else made


def _turned(tf: Any, a: Any, b: Any) -> Any:
    """Differentiate a product of sparse matrices."""
    x = tf.Variable(a)
    with tf.GradientTape() as tape:
        made = _sparse_matrices(tf, lambda new, times: times(new(x), b))
        made = made[1] if isinstance(made, list) else made
        y = tf.reduce_sum(made * made)
    return tape.gradient(y, x)


_PRODUCTS: list[Callable[..., Any]] = [
    lambda new, times: new(_M),
    lambda new, times: new(_M).to_dense(),
    lambda new, times: [new(_M).shape, new(_MANY).shape, new(_M).dtype.name],
    lambda new, times: [new(_M).nnz(), new(_MANY).nnz()],
    lambda new, times: new(_MANY).transpose(),
    lambda new, times: times(new(_M), new(_M)),
    lambda new, times: times(new(_MANY), new(_MANY), transpose_b=True),
    lambda new, times: times(new(_M), X, adjoint_a=True),
    lambda new, times: times(X, new(_M), transpose_a=True),
    lambda new, times: times(X.T, new(_M), transpose_b=True),
    lambda new, times: times(new(_MANY), _MANY),
    lambda new, times: times(_M, _M),
    lambda new, times: times(new(np.float32([[1, 1], [0, 0]])), new(np.float32([[1, 0], [-1, 0]]))),
    lambda new, times: times(new(_M), new(_MANY)),
    lambda new, times: new([1.0]),
    lambda new, times: new(_M, [[0, 1]]),
]
TABLE.rows(
    "sparse matrices",
    [
        lambda tf, call=call: outcome(lambda tf: _sparse_matrices(tf, call), tf)
        for call in _PRODUCTS
    ],
)
TABLE.rows("slopes of sparse matrices", [lambda tf: _turned(tf, _M, X)])
