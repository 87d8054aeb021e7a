"""Mistakes with maps of indices, segments and scattering: calls that raise, by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tests.errors import Misuse

_A = np.arange(60, dtype=np.float32).reshape(3, 4, 5)
_M = _A[0]
_V = np.array([3.0, 1.0, 2.0, 1.0, 3.0], np.float32)
_IMAGE = np.ones((1, 4, 4, 2), np.float32)
_IDS = [2, 0, 2, -1, 0]

Calls = dict[str, Callable[[Any], Any]]

SLICES: Calls = {
    "x[True]": lambda tf: tf.constant(_A)[True],
    "x[::0]": lambda tf: tf.constant(_A)[::0],
    "x[1.5]": lambda tf: tf.constant(_A)[1.5],
    "x[..., ...]": lambda tf: tf.constant(_A)[..., ...],
    "x[0, 0, 0, 0]": lambda tf: tf.constant(_A)[0, 0, 0, 0],
    "x[7]": lambda tf: tf.constant(_A)[7],
    "x[tensor of rank 1]": lambda tf: tf.constant(_A)[tf.constant([1])],
    "strided_slice of lists of two lengths": lambda tf: tf.strided_slice(_A, [0, 1], [2], [1, 1]),
    "strided_slice of step zero": lambda tf: tf.strided_slice(_V, [0], [2], [0]),
    "strided_slice of too many axes": lambda tf: tf.strided_slice(_V, [0, 0], [2, 2]),
    "slice from below": lambda tf: tf.slice(_V, [-1], [2]),
    "slice of size -2": lambda tf: tf.slice(_V, [1], [-2]),
    "slice of too much": lambda tf: tf.slice(_V, [3], [5]),
    "slice of two axes of a vector": lambda tf: tf.slice(_V, [3, 1], [5, 1]),
    "slice from a float": lambda tf: tf.slice(_V, [0.5], [1]),
    "boolean_mask by a scalar": lambda tf: tf.boolean_mask(_V, True),
    "boolean_mask of a scalar": lambda tf: tf.boolean_mask(1.0, [True]),
    "boolean_mask of another shape": lambda tf: tf.boolean_mask(_V, [True, False]),
}
_PAIR = [[2, 3]]

SIZES: Calls = {
    "zeros of a matrix of sizes": lambda tf: tf.zeros(_PAIR),
    "ones of vectors of sizes": lambda tf: tf.ones((tf.constant([2]), tf.constant([3]))),
    "ones of floats": lambda tf: tf.ones(tf.constant([2.0, 3.0])),
    "fill of a matrix of sizes": lambda tf: tf.fill(_PAIR, 1.0),
    "reshape to a matrix of sizes": lambda tf: tf.reshape(tf.range(6), _PAIR),
    "reshape to sizes of no axis": lambda tf: tf.reshape([1.0], np.zeros((1, 0), int)),
    "broadcast_to a matrix of sizes": lambda tf: tf.broadcast_to(1.0, _PAIR),
    "broadcast_to a number": lambda tf: tf.broadcast_to(1.0, 6),
    "eye of a vector": lambda tf: tf.eye(tf.constant([2])),
    "eye of a number and a vector": lambda tf: tf.eye(2, tf.constant([2])),
    "slice from a row of places": lambda tf: tf.slice(_M, [[0, 0]], [[1, 1]]),
    "slice from a number": lambda tf: tf.slice(_V, 0, 1),
    "squeeze of a row of axes": lambda tf: tf.squeeze([[1.0]], [[1]]),
    "diag of a row of lines": lambda tf: tf.linalg.diag(_V, k=[[0]]),
}

GATHERS: Calls = {
    "gather along too large an axis": lambda tf: tf.gather(_A, [0], axis=3),
    "gather along too small an axis": lambda tf: tf.gather(_A, [0], axis=-4),
    "gather along a float": lambda tf: tf.gather(_V, [1], axis=0.5),
    "gather at a float": lambda tf: tf.gather(_V, [0.5]),
    "gather out of range": lambda tf: tf.gather(_V, [[0, 1], [2, 9]]),
    "gather below": lambda tf: tf.gather(_V, [-1]),
    "gather of a scalar": lambda tf: tf.gather(1.0, [0]),
    "gather from nothing": lambda tf: tf.gather(np.zeros((0, 3), "f4"), [0]),
    "gather with another batch": lambda tf: tf.gather(
        _A, np.zeros((2, 2), int), axis=1, batch_dims=1
    ),
    "gather with a batch behind its axis": lambda tf: tf.gather(
        _A, np.zeros((3, 4, 2), int), axis=-2, batch_dims=2
    ),
    "gather with too many axes in common": lambda tf: tf.gather(
        _A, np.zeros((3, 4, 5), int), axis=1, batch_dims=3
    ),
    "gather_nd out of range": lambda tf: tf.gather_nd(_A, [[0, 9]]),
    "gather_nd of too many axes": lambda tf: tf.gather_nd(_A, [[0, 0, 0, 0]]),
    "gather_nd at a scalar": lambda tf: tf.gather_nd(_A, 0),
    "gather_nd with a negative batch": lambda tf: tf.gather_nd(_A, [[0, 1]], batch_dims=-1),
    "gather_nd with too many axes in common": lambda tf: tf.gather_nd(
        _A, [[[0]], [[1]], [[1]]], batch_dims=3
    ),
    "gather_nd at a float": lambda tf: tf.gather_nd(_A, [[0.5]]),
}

JOINTS: Calls = {
    "concat along a bad axis": lambda tf: tf.concat([_A, _A], 3),
    "concat of ranks": lambda tf: tf.concat([_A, _M], 0),
    "concat of shapes": lambda tf: tf.concat([_A, _A[:, :2]], 0),
    "concat along None": lambda tf: tf.concat([_V, _V], None),
    "stack of shapes": lambda tf: tf.stack([_V, _V[:2]]),
    "stack along a bad axis": lambda tf: tf.stack([_V, _V], axis=3),
    "unstack of another number": lambda tf: tf.unstack(_V, num=3),
    "split that does not divide": lambda tf: tf.split(_A, 3, 1),
    "split into nothing": lambda tf: tf.split(_A, 0, 1),
    "split with two -1": lambda tf: tf.split(_A, [-1, -1], 1),
    "split into too much": lambda tf: tf.split(_A, [3, 3], 1),
    "split into too little": lambda tf: tf.split(_A, [1, 1], 1),
    "split into another number": lambda tf: tf.split(_A, [1, 3], 1, num=3),
    "split into a negative size": lambda tf: tf.split(_A, [-2, 6], 1),
    "split into a float": lambda tf: tf.split(_A, 2.0, 1),
    "split by a matrix": lambda tf: tf.split(_A, [[4]], 1),
    "split along a bad axis": lambda tf: tf.split(_A, [4], 7),
    "split of a scalar": lambda tf: tf.split(1.0, 1),
}


def _pads() -> Calls:
    found: Calls = {}
    for mode in ("CONSTANT", "REFLECT", "SYMMETRIC", "FOO"):
        found |= {
            f"pad {mode} by too much": lambda tf, m=mode: tf.pad(_V, [[6, 4]], m),
            f"pad {mode} by less than nothing": lambda tf, m=mode: tf.pad(_V, [[-1, 1]], m),
            f"pad {mode} of too few axes": lambda tf, m=mode: tf.pad(_M, [[1, 1]], m),
            f"pad {mode} by three numbers": lambda tf, m=mode: tf.pad(_V, [[1, 1, 1]], m),
            f"pad {mode} by a vector": lambda tf, m=mode: tf.pad(_V, [1, 1], m),
            f"pad {mode} by floats": lambda tf, m=mode: tf.pad(_V, [[1.0, 2.0]], m),
        }
    del found["pad CONSTANT by too much"]
    found["pad with a vector"] = lambda tf: tf.pad(_V, [[1, 2]], constant_values=[1.0])
    return found


MOVES: Calls = {
    "reverse along an axis twice": lambda tf: tf.reverse(_A, [0, -3]),
    "reverse along a number": lambda tf: tf.reverse(_A, 0),
    "reverse along a float": lambda tf: tf.reverse(_A, [0.0]),
    "reverse along a bad axis": lambda tf: tf.reverse(_A, [3]),
    "reverse_sequence along -1": lambda tf: tf.reverse_sequence(_A, [2, 5, 1], seq_axis=-1),
    "reverse_sequence by -1": lambda tf: tf.reverse_sequence(_A, [2], seq_axis=1, batch_axis=-1),
    "reverse_sequence of too long ones": lambda tf: tf.reverse_sequence(_A, [2, 6, 1], seq_axis=2),
    "reverse_sequence of negative ones": lambda tf: tf.reverse_sequence(_A, [-1, 5, 1], seq_axis=2),
    "reverse_sequence of too few": lambda tf: tf.reverse_sequence(_A, [2, 1], seq_axis=2),
    "reverse_sequence along its batch": lambda tf: tf.reverse_sequence(_A, [2, 1, 1], seq_axis=0),
    "reverse_sequence along nothing": lambda tf: tf.reverse_sequence(_A, [2, 1, 1]),
    "reverse_sequence along a bad axis": lambda tf: tf.reverse_sequence(_A, [2, 1, 1], seq_axis=7),
    "reverse_sequence by a bad axis": lambda tf: tf.reverse_sequence(
        _A, [2, 1, 1], seq_axis=1, batch_axis=7
    ),
    "reverse_sequence of a matrix of lengths": lambda tf: tf.reverse_sequence(
        _A, [[2, 1, 1]], seq_axis=1
    ),
    "reverse_sequence of floats": lambda tf: tf.reverse_sequence(_A, [2.0, 1.0, 1.0], seq_axis=1),
    "roll of a scalar": lambda tf: tf.roll(1.0, 1, 0),
    "roll of two by one": lambda tf: tf.roll(_A, [1, 2], [0]),
    "roll by a float": lambda tf: tf.roll(_V, 1.5, 0),
    "roll by a matrix": lambda tf: tf.roll(_A, [[1]], [[0]]),
    "roll of a list along a number": lambda tf: tf.roll(_A, [1], 0),
    "roll along a bad axis": lambda tf: tf.roll(_A, 1, -4),
    "repeat of another number": lambda tf: tf.repeat(_V, [1, 2]),
    "repeat less than never": lambda tf: tf.repeat(_V, -1),
    "repeat by a float": lambda tf: tf.repeat(_V, 1.5),
    "repeat by a matrix": lambda tf: tf.repeat(_M, [[1, 2], [1, 2]], axis=0),
    "repeat along a bad axis": lambda tf: tf.repeat(_A, 2, 3),
    "tile of too few axes": lambda tf: tf.tile(_A, [1, 3]),
    "tile less than never": lambda tf: tf.tile(_A, [1, -1, 3]),
    "tile by a number": lambda tf: tf.tile(_V, 2),
    "tile by a float": lambda tf: tf.tile(_V, [2.0]),
    "space_to_depth that does not divide": lambda tf: tf.nn.space_to_depth(_IMAGE, 3),
    "space_to_depth of one": lambda tf: tf.nn.space_to_depth(_IMAGE, 1),
    "space_to_depth of a matrix": lambda tf: tf.nn.space_to_depth(_M, 2),
    "depth_to_space that does not divide": lambda tf: tf.nn.depth_to_space(_IMAGE, 2),
    "depth_to_space of a matrix": lambda tf: tf.nn.depth_to_space(_M, 2),
    "space_to_batch that does not divide": lambda tf: tf.space_to_batch(
        _IMAGE, [3, 2], [[0, 0], [0, 2]]
    ),
    "space_to_batch of a number": lambda tf: tf.space_to_batch(_IMAGE, 2, [[0, 0], [0, 0]]),
    "space_to_batch by negative paddings": lambda tf: tf.space_to_batch(
        _IMAGE, [2, 2], [[-1, 0], [0, 0]]
    ),
    "space_to_batch by too few paddings": lambda tf: tf.space_to_batch(_IMAGE, [2, 2], [[0, 0]]),
    "batch_to_space that does not divide": lambda tf: tf.batch_to_space(
        _IMAGE, [3, 2], [[1, 0], [0, 2]]
    ),
    "batch_to_space that crops too much": lambda tf: tf.batch_to_space(
        np.ones((4, 2, 2, 2), "f4"), [2, 2], [[3, 2], [0, 2]]
    ),
    "batch_to_space by negative crops": lambda tf: tf.batch_to_space(
        np.ones((4, 2, 2, 2), "f4"), [2, 2], [[-1, 0], [0, 2]]
    ),
    "extract_patches of two sizes": lambda tf: tf.image.extract_patches(
        _IMAGE, [3, 2], [1, 2, 1, 1], [1, 1, 2, 1], "SAME"
    ),
    "extract_patches over the batch": lambda tf: tf.image.extract_patches(
        _IMAGE, [2, 3, 2, 1], [1, 2, 1, 1], [1, 1, 2, 1], "SAME"
    ),
    "extract_patches of one image": lambda tf: tf.image.extract_patches(
        _IMAGE[0], [1, 3, 2, 1], [1, 2, 1, 1], [1, 1, 2, 1], "SAME"
    ),
    "extract_patches of an unknown padding": lambda tf: tf.image.extract_patches(
        _IMAGE, [1, 3, 2, 1], [1, 2, 1, 1], [1, 1, 2, 1], "FOO"
    ),
    "extract_patches larger than the image": lambda tf: tf.image.extract_patches(
        _IMAGE, [1, 9, 2, 1], [1, 2, 1, 1], [1, 1, 2, 1], "VALID"
    ),
}

ORDERS: Calls = {
    "sort along a bad axis": lambda tf: tf.sort(_A, -4),
    "sort along None": lambda tf: tf.sort(_V, None),
    "sort of a scalar": lambda tf: tf.sort(1.0),
    "sort of bool": lambda tf: tf.sort([True, False]),
    "sort of complex numbers": lambda tf: tf.sort(_V + 1j * _V),
    "argsort of bool": lambda tf: tf.argsort([True, False]),
    "top_k of -1": lambda tf: tf.math.top_k(_A, -1),
    "top_k of too many": lambda tf: tf.math.top_k(_A, 6),
    "top_k of a scalar": lambda tf: tf.math.top_k(1.0, 1),
    "top_k of a list": lambda tf: tf.math.top_k(_V, [2]),
    "top_k of a float": lambda tf: tf.math.top_k(_V, 2.0),
    "top_k of complex numbers": lambda tf: tf.math.top_k(_V + 1j * _V, 2),
    "top_k with places of float": lambda tf: tf.math.top_k(_V, 3, index_type=tf.float32),
    "in_top_k of other targets": lambda tf: tf.math.in_top_k([1, 2, 3], _M[:2], 2),
    "in_top_k of a matrix of targets": lambda tf: tf.math.in_top_k([[1, 2]], _M[:2], 2),
    "unique of a matrix": lambda tf: tf.unique(_M),
    "unique with places of float": lambda tf: tf.unique([1, 2], tf.float32),
    "dynamic_partition out of range": lambda tf: tf.dynamic_partition(_V, [0, 1, 0, 2, 1], 2),
    "dynamic_partition below": lambda tf: tf.dynamic_partition(_V, [0, -1, 0, 2, 1], 3),
    "dynamic_partition of another shape": lambda tf: tf.dynamic_partition(_V, [0, 1], 2),
    "dynamic_partition into nothing": lambda tf: tf.dynamic_partition(_V, [0] * 5, 0),
    "dynamic_partition by int64": lambda tf: tf.dynamic_partition(
        _V, tf.constant([0] * 5, tf.int64), 1
    ),
    "dynamic_stitch of another shape": lambda tf: tf.dynamic_stitch(
        [[0, 2], [1]], [_V[:2], _V[2:4]]
    ),
    "dynamic_stitch below": lambda tf: tf.dynamic_stitch([[-1]], [_V[:1]]),
    "dynamic_stitch of two ranks": lambda tf: tf.dynamic_stitch([[0], [1]], [_A[:1], _M[:1]]),
    "dynamic_stitch of two numbers": lambda tf: tf.dynamic_stitch([[0]], [_V[:1], _V[:1]]),
    "dynamic_stitch of two dtypes": lambda tf: tf.dynamic_stitch(
        [[0], [1], [2]], [tf.constant([1.0]), tf.constant([2.0]), tf.constant([3])]
    ),
    "cumulative_logsumexp of a scalar": lambda tf: tf.math.cumulative_logsumexp(1.0),
    "cumulative_logsumexp of integers": lambda tf: tf.math.cumulative_logsumexp([1, 2]),
    "cumulative_logsumexp of complex numbers": lambda tf: tf.math.cumulative_logsumexp(
        _V + 1j * _V
    ),
    "cumulative_logsumexp along a bad axis": lambda tf: tf.math.cumulative_logsumexp(_A, -4),
    "cumsum along a list": lambda tf: tf.cumsum(_A, [1]),
    "cumsum along a bad axis": lambda tf: tf.cumsum(_A, -4),
}


def _scatters() -> Calls:
    found: Calls = {}
    for kind in ("add", "sub", "update", "max", "min"):
        name = f"tensor_scatter_nd_{kind}"

        def run(*args: Any, name: str = name) -> Callable[[Any], Any]:
            return lambda tf: getattr(tf, name)(tf.constant(_V), *args)

        found |= {
            f"{name} at a scalar": run(0, 1.0),
            f"{name} of a scalar": run([1], 1.0),
            f"{name} out of range": run([[9]], [1.0]),
            f"{name} below": run([[-1]], [1.0]),
            f"{name} of too few updates": run([[1], [2]], [1.0]),
            f"{name} of too many axes": run([[1, 2]], [1.0]),
            f"{name} at no axis": run(np.zeros((1, 0), int), _V[None]),
            f"{name} at a float": run([[0.5]], [1.0]),
            f"{name} of another dtype": lambda tf, name=name: getattr(tf, name)(
                tf.constant(_V), [[1]], tf.constant([1], tf.float64)
            ),
        }
    return found | {
        "scatter_nd out of range": lambda tf: tf.scatter_nd([[4]], [1.0], [4]),
        "scatter_nd of other rows": lambda tf: tf.scatter_nd([[1], [1]], _M[:2], [4, 6]),
        "scatter_nd into a scalar": lambda tf: tf.scatter_nd([[1]], [1.0], np.zeros(0, int)),
        "scatter_nd into nothing": lambda tf: tf.scatter_nd([[0]], [1.0], [0]),
        "scatter_nd at a scalar": lambda tf: tf.scatter_nd(0, 1.0, [3]),
        "scatter_nd of a scalar": lambda tf: tf.scatter_nd([0], 1.0, [3]),
        "scatter_nd into a negative size": lambda tf: tf.scatter_nd([[0]], [1.0], [-3]),
        "scatter_nd into a matrix": lambda tf: tf.scatter_nd([[1]], [1.0], [[4]]),
        "scatter_nd of two dtypes of integers": lambda tf: tf.scatter_nd(
            tf.constant([[1]]), [1.0], tf.constant([4], tf.int64)
        ),
    }


def _segments() -> Calls:
    found: Calls = {}
    for kind in ("sum", "mean", "max", "min", "prod"):

        def run(x: Any, ids: Any, name: str = f"segment_{kind}") -> Callable[[Any], Any]:
            return lambda tf: getattr(tf.math, name)(x, ids)

        found |= {
            f"segment_{kind} below": run(_V, [-1, 0, 0, 1, 1]),
            f"segment_{kind} in no order": run(_V, [1, 0, 0, 1, 1]),
            f"segment_{kind} of too few": run(_V, [1, 1]),
            f"segment_{kind} of a matrix": run(_V, [[1, 1]]),
            f"segment_{kind} of a scalar": run(1.0, [1]),
            f"segment_{kind} by a scalar": run([1.0], 0),
            f"segment_{kind} of bool": run([True], [0]),
            f"segment_{kind} by floats": run([1.0], [0.0]),
        }
    for kind in ("sum", "mean", "max", "min", "prod", "sqrt_n"):

        def unsorted(
            x: Any, ids: Any, n: Any, name: str = f"unsorted_segment_{kind}"
        ) -> Callable[[Any], Any]:
            return lambda tf: getattr(tf.math, name)(x, ids, n)

        found |= {
            f"unsorted_segment_{kind} out of range": unsorted(_V, _IDS, 2),
            f"unsorted_segment_{kind} of less than nothing": unsorted(_V, _IDS, -2),
            f"unsorted_segment_{kind} of too few": unsorted(_V, [1, 1], 3),
            f"unsorted_segment_{kind} of bool": unsorted([True], [0], 1),
            f"unsorted_segment_{kind} into a vector": unsorted(_V, _IDS, [3]),
            f"unsorted_segment_{kind} into a float": unsorted(_V, _IDS, 3.0),
        }
    return found


ERRORS: list[Misuse] = [
    Misuse(name, run)
    for table in (SLICES, SIZES, GATHERS, JOINTS, _pads(), MOVES, ORDERS, _scatters(), _segments())
    for name, run in table.items()
]
