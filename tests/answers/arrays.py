"""What dtype NumPy's arrays get beside tensors, and where a kernel has a dtype of its own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tests.answers.answer import Table

TABLE = Table("arrays")

Run = Callable[[Any], Any]
ONES = np.ones((1, 4, 4, 1))
VOLUME = np.ones((1, 3, 3, 3, 1))
TWO, SHORT = np.array([1.0, 2.0]), np.array([1, 2], np.int16)
ORDER = np.array([1, 0, 2])
BOXES = np.array([[0.0, 0.0, 1.0, 1.0], [0.0, 0.1, 1.0, 1.1]])


def _after_a_tensor(run: Run) -> Run:
    """Run when TensorFlow has made a tensor: its first operation of all converts otherwise."""

    def both(tf: Any) -> Any:
        tf.zeros(1)
        return run(tf)

    return both


_KERNELS: list[Run] = [
    *[
        lambda tf, kind=kind: tf.nn.max_pool2d(ONES.astype(kind), 2, 2, "SAME")
        for kind in ("int16", "float16", "float32", "float64")
    ],
    lambda tf: tf.nn.max_pool(ONES, 2, 2, "SAME"),
    lambda tf: tf.nn.max_pool(ONES[0], 2, 2, "SAME"),
    lambda tf: tf.nn.max_pool2d([[[[1], [2]]]], 1, 1, "SAME"),
    lambda tf: tf.nn.max_pool2d(tf.constant(ONES), 2, 2, "SAME"),
    *[
        lambda tf, kind=kind: tf.nn.lrn(ONES.astype(kind))
        for kind in ("int64", "float16", "float64")
    ],
    lambda tf: tf.nn.lrn([[[[1, 2]]]]),
    lambda tf: tf.math.nextafter(TWO, 3.0),
    lambda tf: tf.math.nextafter(np.array([1, 2]), TWO),
    lambda tf: tf.math.nextafter(TWO, tf.constant(3.0, tf.float64)),
    lambda tf: tf.math.invert_permutation(ORDER),
    lambda tf: tf.math.invert_permutation(ORDER.astype(float)),
    lambda tf: tf.math.invert_permutation(tf.constant(ORDER)),
    lambda tf: tf.unravel_index(ORDER, np.array([2, 2])),
    lambda tf: tf.unravel_index(ORDER, [2, 2]),
    lambda tf: tf.one_hot(SHORT, 3),
    lambda tf: tf.one_hot(TWO, 3),
    lambda tf: tf.one_hot(np.array([True, False]), 3),
    lambda tf: tf.one_hot([1.0], 3),
    lambda tf: tf.reverse_sequence(np.ones((2, 3)), SHORT, 1),
    lambda tf: tf.image.non_max_suppression_with_scores(BOXES, TWO, 3),
    lambda tf: tf.image.non_max_suppression_with_scores(BOXES, TWO, 3, soft_nms_sigma=0.5),
    lambda tf: tf.signal.fft((1 + 2j, 2)),
    lambda tf: tf.signal.fft([1.0, 2]),
    lambda tf: tf.signal.ifft2d([[1 + 2j, 2]]),
    lambda tf: tf.signal.fft(np.array([1 + 2j, 2])),
    lambda tf: tf.signal.fft(TWO),
    lambda tf: tf.dynamic_partition(TWO, ORDER[:2], 2),
    lambda tf: tf.dynamic_stitch([ORDER, np.array([3])], [TWO[[0, 0, 1]], TWO[:1]]),
    lambda tf: tf.linalg.matrix_rank(np.array([[1, 2], [3, 4]])),
    lambda tf: tf.linalg.matrix_rank([[1, 2], [2, 4]]),
    lambda tf: tf.linalg.matrix_rank(tf.constant([[1, 2], [2, 4]])),
]
_BESIDE: list[Run] = [
    lambda tf: tf.einsum("i,i->", tf.constant(TWO), TWO.astype("f")),
    lambda tf: tf.einsum("i,i->", TWO, tf.constant([1.0, 2.0])),
    lambda tf: tf.einsum("i,i->", tf.constant([1, 2]), TWO * 1.5),
    lambda tf: tf.einsum("i,i->", TWO.astype("f"), TWO),
    lambda tf: tf.einsum("i,i->", SHORT.astype("int32"), TWO * 1.5),
    lambda tf: tf.einsum("i,i->", SHORT, tf.constant([1.0, 2.0])),
    lambda tf: tf.einsum("i,i->", tf.constant([1.0, 2.0]), tf.constant(TWO)),
    lambda tf: tf.linalg.banded_triangular_solve(np.ones((2, 3)), tf.ones([3, 1])),
    lambda tf: tf.nn.conv2d(ONES, tf.ones((2, 2, 1, 1)), 1, "SAME"),
    lambda tf: tf.nn.conv2d(ONES, np.ones((2, 2, 1, 1), "f"), 1, "SAME"),
    lambda tf: tf.nn.conv3d(VOLUME, tf.ones((2, 2, 2, 1, 1)), [1] * 5, "VALID"),
    lambda tf: tf.nn.conv1d(ONES[0], tf.ones((2, 1, 1)), 1, "SAME"),
    lambda tf: tf.nn.convolution(ONES, tf.ones((2, 2, 1, 1))),
    lambda tf: tf.nn.conv2d_transpose(ONES, tf.ones((2, 2, 1, 1)), [1, 8, 8, 1], 2),
    lambda tf: tf.nn.conv3d_transpose(VOLUME, tf.ones((2, 2, 2, 1, 1)), [1, 6, 6, 6, 1], 2),
    lambda tf: tf.nn.dilation2d(ONES, tf.ones((2, 2, 1)), [1] * 4, "SAME", "NHWC", [1] * 4),
    lambda tf: tf.nn.erosion2d(ONES, tf.ones((2, 2, 1)), [1] * 4, "SAME", "NHWC", [1] * 4),
    lambda tf: tf.nn.embedding_lookup([[1.0, 2.0], [3.0, 4.0]], [0, 3]),
    lambda tf: tf.nn.embedding_lookup([[[1.0, 2.0], [3.0, 4.0]]], [0, 1]),
    lambda tf: tf.nn.embedding_lookup([np.ones((2, 3)), np.zeros((1, 3))], [1, 2]),
]
_NOTHING: list[Run] = [
    lambda tf: tf.einsum("bij,bj->bi", tf.zeros((2, 0, 0)), tf.zeros((2, 0))),
    lambda tf: tf.einsum("bij,bjk->bik", tf.zeros((0, 2, 0)), tf.zeros((0, 0, 3))),
    lambda tf: tf.einsum("bij,bjk->bik", tf.zeros((2, 0, 0)), tf.zeros((2, 0, 3))),
    lambda tf: tf.einsum("bij,bjk->bik", tf.zeros((2, 3, 0)), tf.zeros((2, 0, 3))),
]
TABLE.rows("of nothing", _NOTHING)
TABLE.rows("of a kernel", [_after_a_tensor(run) for run in _KERNELS])
TABLE.rows("beside a tensor", [_after_a_tensor(run) for run in _BESIDE])
