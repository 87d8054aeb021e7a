"""Ragged and sparse tensors of many forms of arguments: what is made of them, and what is refused.

The rows are texts of Python, which are their names as well.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.answers.answer import Table
from tests.answers.stand_ins import wide

TABLE = Table("ragged_forms")

MADE = (
    "from_value_rowids(V, [0, 0, 2, 2])",
    "from_value_rowids(V, tf.constant([0, 0, 2, 2]))",
    "from_value_rowids(V, np.array([0, 1, 1, 5], np.int32))",
    "from_value_rowids(V, [0.0, 0.0, 2.0, 2.0])",
    "from_value_rowids(V, [0, 0])",
    "from_value_rowids(V, [0, 0, 2, 2], nrows=5)",
    "from_value_rowids(V, [0, 0, 2, 2], nrows=-1)",
    "from_value_rowids(V, [0, 0, 2, 2], nrows=3.0)",
    "from_value_rowids(V, [0, 0, 2, 2], nrows=tf.constant(4))",
    "from_value_rowids(V, [0, 0, 2, 2], validate=None)",
    "from_row_splits(V, [])",
    "from_row_splits(V, [[0, 4]])",
    "from_row_splits(V, [0.0, 4.0])",
    "from_row_splits(V, np.array([0, 1, 4], np.int32))",
    "from_row_splits(V, [0, 4], validate=1)",
    "from_row_lengths(V, [2.0, 2.0])",
    "from_row_lengths(V, [[4]])",
    "from_row_lengths(V, 4)",
    "from_row_lengths(V, tf.constant([4, 0]))",
    "from_row_starts(V, [[0]])",
    "from_row_starts(V, tf.constant([0]))",
    "from_row_limits(V, [[4]])",
    "from_row_limits(V, [2, 2, 4])",
    "from_uniform_row_length(V, 2)",
    "from_uniform_row_length(V, tf.constant(2))",
    "from_uniform_row_length(V, 4.0)",
    "from_uniform_row_length(V, [2])",
    "from_uniform_row_length(V, 2, nrows=3)",
    "from_uniform_row_length(V, 3)",
    "from_uniform_row_length(V, 0)",
    "from_uniform_row_length(V, -1)",
    "from_nested_row_splits(V, tf.constant([[0, 2], [0, 4]]))",
    "from_nested_row_splits(V, ([0, 2], tf.constant([0, 1, 4])))[0]",
    "from_nested_value_rowids(V, [[0, 0], [0, 1, 1, 1]])",
    "from_nested_value_rowids(V, [[0, 0], [0, 1, 1, 1]], nested_nrows=[3, 2])",
    "from_nested_value_rowids(V, [[0, 0], [0, 1, 1, 1]], nested_nrows=[3])",
    "from_nested_value_rowids(V, tf.constant([[0, 1]]))",
    "from_tensor([[1, 0, 2], [0, 0, 0]], lengths=[1])",
    "from_tensor([[1, 0, 2], [0, 0, 0]], lengths=[1.0, 2.0])",
    "from_tensor([[[1, 2], [0, 0]]], padding=0)",
    "from_tensor([[[1, 2], [0, 0]]], padding=[0, 0])",
    "from_tensor([[1, 2]], padding=[0, 0])",
    "from_sparse(tf.SparseTensor([[0, 0], [1, 0]], [1, 2], [2, 2]), row_splits_dtype=tf.int32)",
)
CONSTANTS = (
    "[[1], [2, 3]], inner_shape=(2,)",
    "[[1], [2, 3]], ragged_rank=1, inner_shape=(2,)",
    "[], ragged_rank=1",
    "[], ragged_rank=2",
    "[], ragged_rank=1, inner_shape=(2,)",
    "[[]], ragged_rank=-1",
    "[[[1, 2]], [[3, 4], [5, 6]]], inner_shape=(2,)",
    "[[[1, 2]], [[3, 4], [5, 6]]], ragged_rank=1",
    "[[[1, 2]], [[3], [5, 6]]], ragged_rank=1",
    "[[[]], []], inner_shape=(2,)",
    "[[1, 2.5]], inner_shape=(2,)",
    "[[1, 2]], ragged_rank=3",
    "[[1], [[]]]",
    "[1, [2]]",
    "1, ragged_rank=1",
    "1, inner_shape=(2,)",
    "1, inner_shape=()",
)
ROWS = {
    "plain": "tf.ragged.constant([[1, 2], [], [3, 4, 5]])",
    "nested": "tf.ragged.constant([[[1.0, 2.0], [3.0]], [], [[4.0]]])",
    "uniform": "tf.RaggedTensor.from_uniform_row_length([1, 2, 3, 4, 5, 6], 2)",
    "deep": "tf.RaggedTensor.from_row_splits([[1, 2], [3, 4], [5, 6]], [0, 1, 3])",
    "short": "tf.RaggedTensor.from_row_splits([1.0, 2.0, 3.0], tf.constant([0, 2, 3]))",
}
READ = (
    "r.to_tensor(shape=[None])",
    "r.to_tensor(shape=5)",
    "r.to_tensor(shape=[None, 2])",
    "r.to_tensor(shape=[None, 2, 5])",
    "r.to_tensor(default_value=[7, 8])",
    "r.to_sparse()",
    "r.bounding_shape(-1)",
    "r.bounding_shape([0, 1])",
    "r.bounding_shape(out_type=tf.int32)",
    "r.row_lengths(0)",
    "r.row_lengths(2)",
    "r.row_lengths(-1)",
    "r.row_lengths(5)",
    "r.nested_value_rowids()",
    "r.uniform_row_length",
    "r.consumers()",
    "r.merge_dims(0, -1)",
    "r.merge_dims(1, 2)",
    "r.merge_dims(1, 0)",
    "r[True]",
    "r[:, :1]",
    "r[:, 1:]",
    "r[:, ::-1]",
    "r[1:, :2]",
    "r & r",
    "~r",
    "tf.concat([r, r], 1)",
    "tf.stack([r, r], 1)",
    "tf.gather(r, [[0], [1]])",
    "tf.reshape(r, [-1])",
    "tf.where(r > 1)",
    "tf.ragged.boolean_mask(r, r > 2)",
    "tf.ragged.row_splits_to_segment_ids(r.row_splits)",
)
SPARSE = (
    "tf.SparseTensor([[0.0, 0.0]], [1], [2, 2])",
    "tf.SparseTensor(tf.constant([[0, 0]]), [1], [2, 2])",
    "tf.SparseTensor([[0, 0]], [1], tf.constant([2, 2]))",
    "tf.SparseTensor([[0, 0]], [1], [2.0, 2.0])",
    "tf.SparseTensor(np.array([[0, 1]], np.int32), [1], (2, 2))",
    "tf.sparse.slice(tf.sparse.eye(2), [0], [1])",
    "tf.sparse.slice(tf.sparse.eye(2), [0, 0], [1])",
    "tf.sparse.slice(tf.sparse.eye(2), [0, 0], [-1, 1])",
    "tf.sparse.split(tf.sparse.eye(2), 5, 0)",
    "tf.sparse.split(tf.sparse.eye(2), 1, 7)",
    "tf.sparse.split(tf.sparse.eye(2), 2, -1)",
    "tf.sparse.transpose(tf.sparse.eye(2), [0])",
    "tf.sparse.transpose(tf.sparse.eye(2), [0, 5])",
    "tf.sparse.fill_empty_rows(tf.SparseTensor([[0, 0]], [1], [2, 2]), 9.5)",
    "tf.sparse.fill_empty_rows(tf.SparseTensor([[0, 0]], [1], [2, 2]), [9])",
    "tf.sparse.from_dense([[True, False]])",
    "tf.ragged.range([0], [6, 7], 2)",
    "tf.ragged.range([0], [6], [0])",
    "tf.experimental.RowPartition.from_row_lengths([2.0])",
    "tf.experimental.RowPartition.from_row_splits([0, 2], validate=None)",
    "tf.experimental.RowPartition.from_uniform_row_length(2, nvals=5)",
)
ACCIDENTS = (
    "r.row_lengths(2)",
    "r.row_lengths(5)",
    "r.row_lengths(-1)",
    "inner_shape=(2,)",
    "[1])",
)
"""What TensorFlow refuses with words of another call, or of NumPy's."""


def _run(text: str, tf: Any, row: str = "None") -> Any:
    names = wide(tf)
    scope = {"tf": names, "np": np, "V": [1, 2, 3, 4]}
    scope["r"] = eval(row, scope)  # noqa: S307 - the text is of this table
    return _parts(eval(text, scope))  # noqa: S307 - likewise


def _parts(found: Any) -> Any:
    """Tell rows by their text, their shape and the dtype of their places."""
    if hasattr(found, "row_splits") and hasattr(found, "values"):
        return [repr(found), str(found.shape), found.row_splits.dtype.name]
    if hasattr(found, "dense_shape"):
        return [found.indices, found.values, found.dense_shape]
    if isinstance(found, (list, tuple)):
        return [_parts(part) for part in found]
    return str(found) if type(found).__name__ == "RowPartition" else found


def _add(name: str, text: str, row: str = "None") -> None:
    says = "type" if any(part in text for part in ACCIDENTS) else "plain"
    TABLE.add(name, lambda tf: _run(text, tf, row), says=says)


for _text in MADE:
    _add(_text, f"tf.RaggedTensor.{_text}")
for _text in CONSTANTS:
    _add(f"constant {_text}", f"tf.ragged.constant({_text})")
for _name, _row in ROWS.items():
    for _text in READ:
        _add(f"{_text} of {_name} rows", _text, _row)
for _text in SPARSE:
    _add(_text, _text)
