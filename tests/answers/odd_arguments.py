"""What operations answer to arguments of odd kinds and shapes: no texts, cubes, fractions."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from tests.answers.answer import Table
from tests.answers.stand_ins import wide

TABLE = Table("odd_arguments")


def _in_parts(tf: Any) -> Any:
    """Cut texts of which there are none, along axes that are there all the same."""
    tf = wide(tf)
    none = [tf.constant([], tf.string, shape) for shape in ([2, 0], [2, 0, 3], [0, 3], [3, 0])]
    kinds = (tf.strings.bytes_split, tf.strings.split)
    found = [cut(texts) for texts in none for cut in kinds]
    return [[f.to_list(), f.shape.as_list()] for f in found]


TABLE.add("parts of no texts", _in_parts)


def _stacked(tf: Any) -> Any:
    """Stack tensors of several axes: the second one is that of rows, and others stay."""
    make = wide(tf).ragged.stack
    cube, long = tf.reshape(tf.range(8.0), [2, 2, 2]), tf.reshape(tf.range(12.0), [2, 3, 2])
    rows = wide(tf).ragged.constant([[[1.0, 2.0]], [[3.0, 4.0], [5.0, 6.0]]], ragged_rank=1)
    four = tf.reshape(tf.range(16.0), [2, 2, 2, 2])
    found = [make([cube, long], axis) for axis in (0, 1)]
    found += [make([cube, cube], axis) for axis in (-4, -3, -2, -1)]
    found += [make([four, four], axis) for axis in range(5)]
    found += [make([cube, rows], axis) for axis in (0, 1)]
    found += [make([rows, rows], 2), make([tf.zeros([0, 2, 2])], 1)]
    return [[type(f).__name__, f.shape.as_list(), _listed(f)] for f in found]


def _listed(found: Any) -> Any:
    return found.to_list() if hasattr(found, "to_list") else found.numpy().tolist()


TABLE.add("cubes in rows", _stacked)
TABLE.rows(
    "beyond the axes of rows",
    [
        lambda tf: wide(tf).ragged.stack([[[1.0]], [[2.0]]], 3),
        lambda tf: wide(tf).ragged.stack([wide(tf).ragged.constant([[1.0]])], -4),
        lambda tf: wide(tf).ragged.stack([1.0, 2.0], 1),
    ],
)

TABLE.rows(
    "constants of a shape",
    [
        lambda tf: [tf.constant(["a"], shape=shape) for shape in ([], [1, 1], [2])],
        lambda tf: [tf.strings.length(tf.constant(["abc"], shape=[]))],
        lambda tf: repr(tf.constant(["a"], shape=[])),
        lambda tf: [tf.constant([v], shape=[]) for v in (3, 2.5, True, 1 + 2j)],
    ],
)


def _constant_of_a_tensor(tf: Any) -> Any:
    """Make a constant of a tensor: the tensor itself, if it has the shape that is asked for."""
    x = tf.constant([[1.0, 2.0]])
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        same, other = tf.constant(x, shape=[1, 2]), tf.constant(x, shape=[2])
    return [tape.gradient(same, x), tape.gradient(other, x)]


TABLE.add("a constant of a tensor of its shape", _constant_of_a_tensor)


def _of_rows(tf: Any) -> Any:
    """Give a tensor where a list of tensors is asked for."""
    x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    with tf.GradientTape() as tape:
        tape.watch(x)
        first, second = tf.identity_n(x)
        product = first * second * second
    texts = tf.constant([["a", "b"], ["c", "d"]])
    joined = [tf.strings.join(texts, separator="-"), tf.strings.join(tf.constant(["a", "b"]))]
    return [product, tape.gradient(product, x), *joined]


TABLE.add("rows of a tensor as a list", _of_rows)
TABLE.rows(
    "sizes to fill that are no integers",
    [
        *[
            partial(lambda dims, tf: tf.fill(dims, 1.0), dims)
            for dims in ([1.5], [2, 1.0], 1.5, [True], "a", ["a"], np.array([1.0]), None)
        ],
        lambda tf: tf.function(lambda: tf.fill([1.5], 1.0))(),
    ],
    says="type",
)
TABLE.rows(
    "dtypes that are no numbers",
    [
        lambda tf: tf.argmax([1.0, 2.0], output_type=tf.string),
        lambda tf: tf.shape([1.0, 2.0], out_type=tf.string),
        lambda tf: tf.math.top_k([1.0, 2.0], index_type=tf.string),
        lambda tf: wide(tf).nn.ctc_beam_search_decoder(tf.constant([[[1, 2]]]), [1]),
        lambda tf: wide(tf).nn.ctc_greedy_decoder(tf.constant([[[1, 2]]]), [1]),
    ],
    says="type",
)


TABLE.rows(
    "whole numbers that become floats",
    [
        lambda tf: wide(tf).nn.ctc_beam_search_decoder(np.array([[[1, 2]]], np.int32), [1]),
        lambda tf: wide(tf).nn.ctc_greedy_decoder([[[1, 2]]], [1]),
    ],
)


def _sparse_shapes(tf: Any) -> Any:
    """Read shapes and orders of axes of sparse tensors, of which some are none."""
    tf = wide(tf)
    x = tf.sparse.from_dense([[1.0, 0.0], [0.0, 2.0]])
    found: list[Any] = []
    runs = [lambda v: tf.sparse.reshape(x, v), lambda v: tf.sparse.transpose(x, v)]
    for run in runs:
        for given in ([1.0, 0.0], [4.0, 1.0], [0.7, 1], [4, None], [1, 0], [True, 0]):
            try:
                found.append(run(given).dense_shape)
            except (ValueError, TypeError, tf.errors.InvalidArgumentError) as error:
                found.append(type(error).__name__)
    return found


TABLE.add("sparse shapes of fractions", _sparse_shapes)


TABLE.rows(
    "ends of images",
    [
        *[
            partial(lambda kind, tf: tf.as_dtype(kind).limits, kind)
            for kind in ("float16", "bfloat16", "float32", "uint8", "bool", "complex64", "string")
        ]
    ],
)


def _named(tf: Any) -> Any:
    """Ask a function for its name, and a dataset for its spec."""

    @tf.function
    def twice(x):
        return 2 * x

    spec = tf.data.DatasetSpec.from_value(tf.data.Dataset.range(3).batch(2))
    return [twice.name, repr(spec)]


TABLE.add("names and specs", _named)


def _runs_of_nothing(tf: Any) -> Any:
    """Pad rows of texts, of which some have none, or all."""
    rows = wide(tf).ragged.constant
    given = [rows([[], []], tf.string, 1), rows([[], ["a"]]), rows([[[]], []], tf.string, 2)]
    given += [tf.constant([], tf.string, shape) for shape in ([2, 0], [0], [0, 2])]
    found = [tf.strings.ngrams(x, 2, pad_values="$") for x in given]
    return [[f.shape.as_list(), _listed(f)] for f in found]


TABLE.add("padded runs of no texts", _runs_of_nothing)
