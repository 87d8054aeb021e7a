"""Maps of indices: what is taken, put, moved, repeated and ordered by its place."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from tests.cases.case import Case, complexes, points, reals

_SPARSE = "TensorFlow's gradient of gather cannot be differentiated"
_M = reals(3, 4)
_T = reals(2, 3, 4)


def _of(f: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """Square the results, so that there is a second derivative."""
    return lambda tf, x: tf.nest.map_structure(tf.square, f(tf, x))


SLICES: dict[str, Callable[[Any], Any]] = {
    "::-1": lambda x: x[::-1],
    "::-2, 1:": lambda x: x[::-2, 1:],
    "0::-2, 1::-3": lambda x: x[0::-2, 1::-3],
    "..., -1": lambda x: x[..., -1],
    "1, ..., None": lambda x: x[1, ..., None],
    "None, :, -3:-1": lambda x: x[None, :, -3:-1],
    "-1:0:-1, ..., ::3": lambda x: x[-1:0:-1, ..., ::3],
    "5:1": lambda x: x[5:1],
    "10:-10:-2": lambda x: x[10:-10:-2],
}


def slices() -> Iterator[Case]:
    """Strides of both signs, axes that come and go, and slices of nothing."""
    for key, take in SLICES.items():
        yield Case(f"x[{key}]", _of(lambda _, x, take=take: take(x)), (_T,))
    yield Case(
        "strided_slice backwards with masks",
        _of(
            lambda tf, x: tf.strided_slice(
                x, [2, 0, 3], [0, 1, 0], [-1, 1, -2], end_mask=4, shrink_axis_mask=2
            )
        ),
        (_T,),
    )
    yield Case("slice to the end", _of(lambda tf, x: tf.slice(x, [0, 1, 2], [1, -1, -1])), (_T,))
    yield Case("slice of nothing", _of(lambda tf, x: tf.slice(x, [0, 1, 2], [1, 0, 1])), (_T,))


def gathers() -> Iterator[Case]:
    """Every axis, with and without common axes."""
    places = np.array([[1, 0, 1], [0, 0, 1]])
    for axis in (0, 1, 2, -1, -2):
        yield Case(
            f"gather along {axis}",
            lambda tf, x, a=axis: tf.gather(x, places, axis=a),
            (_T,),
            tensorflow=2 if axis % 3 else 1,
            because=_SPARSE,
        )
    for axis, batch in ((1, 1), (2, 1), (-1, 1), (2, 2), (None, 1), (-1, -1), (1, -1), (None, -1)):
        wide = np.zeros((2, 3, 2), int) if batch == 2 else places
        yield Case(
            f"gather along {axis}, {batch} axes in common",
            lambda tf, x, a=axis, b=batch, i=wide: tf.gather(x, i, axis=a, batch_dims=b),
            (_T,),
        )
    yield Case(
        "gather of nothing", lambda tf, x: tf.gather(x, np.zeros((0, 2), int), axis=1), (_T,)
    )
    for name, at, batch in (
        ("of elements", [[0, 1, 2], [1, 2, 3], [0, 1, 2]], 0),
        ("of rows", [[[0, 1]], [[1, 2]]], 0),
        ("of everything", np.zeros((2, 0), int), 0),
        ("in batches", [[[0], [2]], [[1], [1]]], 1),
        ("of elements in batches", [[2, 3], [0, 1]], 1),
        ("in batches of batches", np.array([[[0], [1], [3]], [[2], [2], [0]]]), 2),
        ("of nothing", np.zeros((0, 2), int), 0),
    ):
        yield Case(
            f"gather_nd of a tensor of three axes, {name}",
            lambda tf, x, at=at, b=batch: tf.gather_nd(x, at, batch_dims=b),
            (_T,),
            tensorflow=0 if name == "of everything" else 2,
            because="TensorFlow's gradient of everything fails",
        )
    yield Case(
        "gather_nd that ignores what is outside",
        lambda tf, x: tf.gather_nd(x, [[0, 1], [0, 9], [-1, 0]], bad_indices_policy="IGNORE"),
        (_T,),
        tensorflow=0,
        because="TensorFlow's gradient does not ignore them",
    )


def masks() -> Iterator[Case]:
    """Masks of several axes at several places."""
    square = np.array([[True, False, True, True], [False] * 4, [True, False, False, True]])
    for axis, mask in (
        (0, [True, False]),
        (1, [True, False, True]),
        (2, [False, True, True, False]),
    ):
        yield Case(
            f"boolean_mask along {axis}",
            lambda tf, x, m=mask, a=axis: tf.boolean_mask(x, m, axis=a),
            (_T,),
            tensorflow=1,
            because=_SPARSE,
        )
    yield Case(
        "boolean_mask of two axes, not the first",
        lambda tf, x: tf.boolean_mask(x, square, axis=1),
        (_T,),
        tensorflow=1,
        because=_SPARSE,
    )
    yield Case(
        "boolean_mask that keeps nothing",
        lambda tf, x: tf.boolean_mask(x, [False, False]),
        (_T,),
        tensorflow=1,
        because=_SPARSE,
    )


def joints() -> Iterator[Case]:
    """Along every axis, sizes of zero included."""
    for axis in (0, 1, -1, -3):
        yield Case(
            f"concat along {axis}",
            lambda tf, x, y, a=axis: tf.square(tf.concat([x, y, x], a)),
            (_T, _T),
        )
        yield Case(
            f"stack and unstack along {axis}",
            lambda tf, x, y, a=axis: [
                tf.square(z) for z in tf.unstack(tf.stack([x, y], axis=a), axis=a)
            ],
            (_T, _T),
        )
        yield Case(
            f"split along {axis}",
            lambda tf, x, a=axis: [tf.square(z) for z in tf.split(x, [1, -1, 0], axis=a)],
            (_T,),
        )
    yield Case(
        "concat with nothing",
        lambda tf, x, y: tf.square(tf.concat([x, y], 0)),
        (reals(0, 2), reals(3, 2)),
    )


def pads() -> Iterator[Case]:
    """All modes, as far as they go."""
    for mode, rows in (
        ("CONSTANT", [[0, 2], [1, 0], [3, 1]]),
        ("REFLECT", [[1, 0], [2, 2], [0, 3]]),
        ("SYMMETRIC", [[2, 2], [0, 3], [4, 1]]),
        ("reflect", [[0, 0], [1, 0], [0, 0]]),
    ):
        yield Case(
            f"pad {mode} {rows}",
            _of(lambda tf, x, r=rows, m=mode: tf.pad(x, r, m)),
            (_T,),
            half=False,
        )
    yield Case("pad of nothing", _of(lambda tf, x: tf.pad(x, [[1, 2]])), (reals(0),))
    yield Case(
        "pad with a value",
        _of(lambda tf, x: tf.pad(x, [[1, 0], [0, 2]], constant_values=1.5)),
        (_M,),
    )


def moves() -> Iterator[Case]:
    """Elements turned round, moved and repeated along every axis."""
    for axes in ([0], [-1, 0], [1], [0, 1, 2], []):
        yield Case(f"reverse along {axes}", _of(lambda tf, x, a=axes: tf.reverse(x, a)), (_T,))
    for by, axis in ((1, 0), (-5, 2), ([1, 2], [0, -1]), ([1, 1], [2, 2]), (0, 1)):
        yield Case(
            f"roll by {by} along {axis}",
            _of(lambda tf, x, b=by, a=axis: tf.roll(x, b, a)),
            (_T,),
        )
    for along, batch, lengths in ((1, 0, [2, 3]), (2, 1, [0, 4, 1]), (0, 2, [1, 2, 0, 2])):
        yield Case(
            f"reverse_sequence along {along}, lengths along {batch}",
            _of(
                lambda tf, x, a=along, b=batch, n=lengths: tf.reverse_sequence(
                    x, n, seq_axis=a, batch_axis=b
                )
            ),
            (_T,),
        )
    for repeats, axis in ((2, 1), ([2, 0, 1], 1), ([1, 2], 0), (0, -1), ([3], None)):
        yield Case(
            f"repeat {repeats} along {axis}",
            _of(lambda tf, x, r=repeats, a=axis: tf.repeat(x, r, a)),
            (_T,),
            tensorflow=1 if isinstance(repeats, list) and len(repeats) > 1 else 2,
            because=_SPARSE,
        )
    yield Case("tile of three axes", _of(lambda tf, x: tf.tile(x, [2, 1, 3])), (_T,))
    for block in (2, 3):
        size = 2 * block
        yield Case(
            f"space_to_depth of {block}",
            _of(lambda tf, x, b=block: tf.nn.space_to_depth(x, b)),
            (reals(2, size, size, 2),),
        )
        yield Case(
            f"depth_to_space of {block}",
            _of(lambda tf, x, b=block: tf.nn.depth_to_space(x, b)),
            (reals(1, 2, 2, block * block),),
        )
    yield Case(
        "space_to_batch",
        _of(lambda tf, x: tf.space_to_batch(x, [2, 3], [[1, 0], [0, 2]])),
        (reals(2, 3, 4, 1),),
    )
    yield Case(
        "batch_to_space",
        _of(lambda tf, x: tf.batch_to_space(x, [2, 3], [[1, 0], [0, 2]])),
        (reals(6, 2, 2, 1),),
    )
    for padding in ("SAME", "VALID"):
        yield Case(
            f"extract_patches, {padding}",
            _of(
                lambda tf, x, p=padding: tf.image.extract_patches(
                    x, [1, 2, 3, 1], [1, 2, 1, 1], [1, 1, 2, 1], p
                )
            ),
            (reals(2, 4, 6, 2),),
            tensorflow=2,
        )
    yield Case(
        "extract_volume_patches",
        _of(lambda tf, x: tf.extract_volume_patches(x, [1, 2, 1, 2, 1], [1, 1, 2, 1, 1], "SAME")),
        (reals(1, 2, 3, 2, 1),),
    )


def orders() -> Iterator[Case]:
    """Sorted along every axis, both ways; the largest; what is there once."""
    for axis in (0, 1, -1):
        for direction in ("ASCENDING", "DESCENDING"):
            yield Case(
                f"sort along {axis}, {direction}",
                _of(lambda tf, x, a=axis, d=direction: tf.sort(x, a, d)),
                (_T,),
            )
    for k in (0, 1, 3, 4):
        yield Case(f"top_k of {k}", _of(lambda tf, x, k=k: tf.math.top_k(x, k).values), (_T,))
    yield Case(
        "sort of nothing",
        _of(lambda tf, x: tf.sort(x)),
        (reals(2, 0),),
        tensorflow=0,
        because="TensorFlow's gradient of top_k fails",
    )
    yield Case(
        "unique elements",
        lambda tf, x: tf.unique(x).y,
        (points(3.0, 1.0, 3.0, 2.0),),
        order=1,
        tensorflow=0,
        because="TensorFlow has no gradient of unique",
    )
    yield Case(
        "unique_with_counts",
        lambda tf: tuple(tf.unique_with_counts([3, 1, 3, 2], tf.int64)),
    )


def parts() -> Iterator[Case]:
    """Rows dealt out and put together."""
    yield Case(
        "dynamic_partition of rows",
        lambda tf, x: [tf.square(y) for y in tf.dynamic_partition(x, [2, 0, 2], 4)],
        (_M,),
        tensorflow=1,
        because=_SPARSE,
    )
    yield Case(
        "dynamic_partition of elements",
        lambda tf, x: [tf.square(y) for y in tf.dynamic_partition(x, [[0, 1, 1, 0]] * 3, 2)],
        (_M,),
        tensorflow=1,
        because=_SPARSE,
    )
    yield Case(
        "dynamic_stitch",
        lambda tf, x, y: tf.square(tf.dynamic_stitch([[2, 0], 1], [x, y])),
        (reals(2, 3), reals(3)),
    )


def scans() -> Iterator[Case]:
    """Running sums, products and logarithms of sums, from both ends, with and without oneself."""
    for name in ("cumsum", "cumprod", "cumulative_logsumexp"):
        for axis in (0, 1, -1):
            for exclusive in (False, True):
                for reverse in (False, True):
                    first = exclusive and name == "cumulative_logsumexp"

                    def run(
                        tf: Any,
                        x: Any,
                        how: Any = (name, axis, exclusive, reverse),
                        first: bool = first,
                    ) -> Any:
                        which, *rest = how
                        y = getattr(tf.math, which)(x, *rest)
                        return tf.exp(y) if first else y

                    yield Case(
                        f"{name} along {axis}, exclusive {exclusive}, reverse {reverse}",
                        run,
                        (_T,),
                        half=name != "cumprod",
                    )
    yield Case(
        "cumulative_logsumexp of extremes",
        lambda tf, x: tf.math.cumulative_logsumexp(x),
        (points(-1000.0, 3.0, 1000.0, 2.0, 1000.0),),
        order=1,
        half=False,
    )
    yield Case(
        "cumulative_logsumexp of one",
        lambda tf, x: tf.math.cumulative_logsumexp(x, axis=1),
        (reals(3, 1),),
        order=1,
    )
    yield Case(
        "cumulative_logsumexp of nothing",
        lambda tf, x: tf.math.cumulative_logsumexp(x, axis=1),
        (reals(3, 0),),
        order=1,
    )
    yield Case("cumsum of complex numbers", lambda tf, x: tf.cumsum(x, 1), (complexes(2, 3),))


CASES: list[Case] = [
    *slices(),
    *gathers(),
    *masks(),
    *joints(),
    *pads(),
    *moves(),
    *orders(),
    *parts(),
    *scans(),
]
