"""Messages of refused calls are TensorFlow's to the letter, with what says how a call was made."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any

import numpy as np
import pytest
import tensorflow  # noqa: ICN001 - tf is either of the two

import symtape

ROWS = np.arange(6.0).reshape(2, 3)
ROW = ROWS[0]
Case = tuple[Callable[..., Any], Sequence[Any]]
"""A call of a module and of what it takes: arrays, lists and numbers."""

CASES: dict[str, Case] = {
    "reshape": (lambda tf, *a: tf.reshape(*a), (ROWS, [4])),
    "reshape to a multiple": (lambda tf, *a: tf.reshape(*a), (ROWS, [4, -1])),
    "transpose": (lambda tf, *a: tf.transpose(*a), (ROWS, [0, 0])),
    "transpose by too few": (lambda tf, *a: tf.transpose(*a), (ROWS, [0])),
    "slice": (lambda tf, *a: tf.slice(*a), (ROWS, [3, 0], [1, 1])),
    "tile": (lambda tf, *a: tf.tile(*a), (ROWS, [1])),
    "pad": (lambda tf, *a: tf.pad(*a), (ROWS, [[1, 1]])),
    "broadcast_to": (lambda tf, *a: tf.broadcast_to(*a), (ROWS, [3, 3])),
    "reverse": (lambda tf, *a: tf.reverse(*a), (ROWS, [3])),
    "gather": (lambda tf, *a: tf.gather(*a), (ROWS, [5])),
    "gather_nd": (lambda tf, *a: tf.gather_nd(*a), (ROWS, [5])),
    "scatter_nd": (lambda tf, *a: tf.scatter_nd(*a), ([[5]], np.ones(1), [3])),
    "tensor_scatter_nd_update": (
        lambda tf, *a: tf.tensor_scatter_nd_update(*a),
        (ROWS, [[5]], ROWS[:1]),
    ),
    "segment_sum": (lambda tf, *a: tf.math.segment_sum(*a), (ROWS, [1, 0])),
    "unsorted_segment_sum": (lambda tf, *a: tf.math.unsorted_segment_sum(*a), (ROWS, [0, 5], 2)),
    "one_hot": (lambda tf, *a: tf.one_hot(*a), ([0], -1)),
    "where": (lambda tf, *a: tf.where(*a), ([True, False], ROWS, np.zeros((5, 3)))),
    "concat": (lambda tf, *a: tf.concat(a, 0), (ROWS, np.zeros((3, 4)))),
    "concat of three ranks": (lambda tf, *a: tf.concat(a, 0), (ROWS, ROWS, ROW)),
    "split": (lambda tf, a: tf.split(a, 4, axis=1), (ROWS,)),
    "split by sizes": (lambda tf, a: tf.split(a, [1, 1], axis=1), (ROWS,)),
    "unstack": (lambda tf, a: tf.unstack(a, num=3), (ROWS,)),
    "einsum": (lambda tf, *a: tf.einsum("ij,jk->ik", *a), (ROWS, ROWS)),
    "einsum of one": (lambda tf, a: tf.einsum("ii->i", a), (ROWS,)),
    "add_n": (lambda tf, *a: tf.add_n(a), (ROW, np.zeros(4))),
    "dynamic_stitch": (
        lambda tf, *a: tf.dynamic_stitch([[0], [1]], a),
        (ROW[:1], ROWS),
    ),
    "diag_part": (lambda tf, a: tf.linalg.diag_part(a), (ROW,)),
    "set_diag": (lambda tf, *a: tf.linalg.set_diag(*a), (ROWS, np.zeros(4))),
    "diag": (lambda tf, a: tf.linalg.diag(a, k=2, num_rows=1), (ROW,)),
    "trace": (lambda tf, a: tf.linalg.trace(a), (ROW,)),
    "bitcast": (lambda tf, a: tf.bitcast(a, tf.int64), (np.ones(3, np.int8),)),
    "add": (lambda tf, *a: tf.add(*a), (ROWS, np.zeros(4))),
    "matmul": (lambda tf, *a: tf.matmul(*a), (ROWS, ROWS)),
    "reduce_sum": (lambda tf, *a: tf.reduce_sum(*a), (ROWS, 3)),
    "cholesky": (lambda tf, a: tf.linalg.cholesky(a), (ROWS,)),
    "conv2d": (
        lambda tf, *a: tf.nn.conv2d(*a, 1, "SAME"),
        (np.zeros((1, 4, 4, 2)), np.zeros((2, 2, 3, 1))),
    ),
}

OF_TENSORS: dict[str, Callable[[Any, Any], Any]] = {
    "stack": lambda tf, x: tf.stack([x, x[0]]),
    "stack with a name": lambda tf, x: tf.stack([x[0], x[0], x[:, 0]], name="s"),
    "concat with a name": lambda tf, x: tf.concat([x, x[0]], 0, name="joined"),
    "dtypes of a stack": lambda tf, x: tf.stack([x[0], tf.ones(3)]),
    "too many places": lambda tf, x: x[0, 0, 0],
    "a place of a scalar": lambda tf, x: x[0, 0][0],
    "two ellipses": lambda tf, x: x[..., ...],
    "a place outside": lambda tf, x: x[5],
}


def said(tf: ModuleType, call: Callable[[Any], Any]) -> tuple[str, str]:
    """Give the type and the words of what a call raises."""
    with pytest.raises(Exception) as raised:  # noqa: PT011 - whatever it is, it is compared
        call(tf)
    return type(raised.value).__name__, str(raised.value)


@pytest.mark.parametrize("name", CASES)
def test_what_is_refused_is_told_as_tensorflow_does(name: str) -> None:
    """Sizes and places may be tensors, or numbers that TensorFlow converts one by one."""
    call, given = CASES[name]
    for are_tensors in itertools.product((True, False), repeat=len(given)):

        def attempt(tf: Any, chosen: Sequence[bool] = are_tensors) -> Any:
            pairs = zip(given, chosen, strict=True)
            return call(tf, *[tf.constant(v) if is_tensor else v for v, is_tensor in pairs])

        assert said(symtape, attempt) == said(tensorflow, attempt), are_tensors


@pytest.mark.parametrize("name", OF_TENSORS)
def test_what_tensors_refuse_is_told_as_tensorflow_does(name: str) -> None:
    """Names of calls, and places in brackets."""

    def attempt(tf: Any) -> Any:
        return OF_TENSORS[name](tf, tf.constant(ROWS))

    assert said(symtape, attempt) == said(tensorflow, attempt)
