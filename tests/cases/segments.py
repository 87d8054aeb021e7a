"""Segments and scattering: rows joined by numbers, updates put at places."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tests.cases.case import Case, complexes, points, reals

_SORTED = [0, 0, 2, 2, 2]
_ANY = [2, 0, 2, -1, 0]
_KINDS = ("sum", "mean", "max", "min", "prod")


def _squared(tf: Any, y: Any) -> Any:
    """Square what has a value, so that there is a second derivative."""
    return tf.square(tf.clip_by_value(y, -100.0, 100.0))


def segments() -> Iterator[Case]:
    """Each way to join rows of segments, in order and in any order."""
    for kind in _KINDS:
        yield Case(
            f"segment_{kind} of rows",
            lambda tf, x, k=kind: tf.square(getattr(tf.math, f"segment_{k}")(x, _SORTED)),
            (reals(5, 2),),
            half=kind != "prod",
        )
        yield Case(
            f"segment_{kind} of numbers",
            lambda tf, x, k=kind: tf.square(getattr(tf.math, f"segment_{k}")(x, _SORTED)),
            (reals(5),),
            half=kind != "prod",
        )
        yield Case(
            f"segment_{kind} of nothing",
            lambda tf, x, k=kind: tf.square(
                getattr(tf.math, f"segment_{k}")(x, tf.zeros([0], tf.int32))
            ),
            (reals(0, 2),),
        )
    for kind in (*_KINDS, "sqrt_n"):
        name = f"unsorted_segment_{kind}"
        yield Case(
            f"{name} of rows",
            lambda tf, x, n=name: _squared(tf, getattr(tf.math, n)(x, _ANY, 4)),
            (reals(5, 2),),
            half=kind != "prod",
        )
        yield Case(
            f"{name} of two axes",
            lambda tf, x, n=name: _squared(
                tf, getattr(tf.math, n)(x, [[0, 1], [1, 1], [-1, 0]], 2)
            ),
            (reals(3, 2, 2),),
            half=kind != "prod",
        )
        yield Case(
            f"{name} of nothing",
            lambda tf, x, n=name: _squared(tf, getattr(tf.math, n)(x, tf.zeros([0], tf.int32), 2)),
            (reals(0, 2),),
        )
    for kind in ("sum", "prod"):
        yield Case(
            f"segment_{kind} of complex numbers",
            lambda tf, x, k=kind: getattr(tf.math, f"segment_{k}")(x, _SORTED),
            (complexes(5, 2),),
            tensorflow=2 if kind == "sum" else 0,
            because="TensorFlow does not conjugate",
        )


def ties() -> Iterator[Case]:
    """Equal elements of a segment, which share the gradient; zeros in products."""
    for kind in ("max", "min"):
        yield Case(
            f"segment_{kind} of equal elements",
            lambda tf, x, k=kind: getattr(tf.math, f"segment_{k}")(x, _SORTED),
            (points(1.0, 1.0, 2.0, 3.0, 3.0),),
            order=1,
        )
        yield Case(
            f"unsorted_segment_{kind} of equal elements",
            lambda tf, x, k=kind: getattr(tf.math, f"unsorted_segment_{k}")(x, _ANY, 3),
            (points([1.0, 0.0], [2.0, 5.0], [1.0, 1.0], [3.0, 1.0], [2.0, 5.0]),),
            order=1,
        )
        yield Case(
            f"tensor_scatter_nd_{kind} of equal elements",
            lambda tf, x, u, k=kind: getattr(tf, f"tensor_scatter_nd_{k}")(x, [[0], [0], [1]], u),
            (points(3.0, 1.0, 2.0), points(3.0, 3.0, 1.0)),
            order=1,
        )
    for of in ("segment_prod", "unsorted_segment_prod"):
        more = () if of == "segment_prod" else (3,)
        yield Case(
            f"{of} through zeros",
            lambda tf, x, n=of, more=more: getattr(tf.math, n)(x, _SORTED, *more),
            (points(2.0, 0.0, 0.0, 3.0, 0.0),),
            order=1,
        )


def scattering() -> Iterator[Case]:
    """Updates of elements, of rows and of rows of rows."""
    for kind in ("add", "sub", "update", "max", "min"):
        name = f"tensor_scatter_nd_{kind}"
        yield Case(
            f"{name} of elements",
            lambda tf, x, u, n=name: tf.square(getattr(tf, n)(x, [[0, 1], [2, 0]], u)),
            (reals(3, 2), reals(2)),
        )
        yield Case(
            f"{name} of two rows",
            lambda tf, x, u, n=name: tf.square(getattr(tf, n)(x, [[2], [0]], u)),
            (reals(3, 2), reals(2, 2)),
        )
        yield Case(
            f"{name} of nothing",
            lambda tf, x, u, n=name: tf.square(getattr(tf, n)(x, tf.zeros([0, 1], tf.int32), u)),
            (reals(3), reals(0)),
        )
        if kind != "update":
            yield Case(
                f"{name} with several updates of a place",
                lambda tf, x, u, n=name: tf.square(getattr(tf, n)(x, [[[1], [1]], [[0], [1]]], u)),
                (reals(3), reals(2, 2)),
            )
    yield Case(
        "scatter_nd of two axes",
        lambda tf, u: tf.square(tf.scatter_nd([[[0], [1]], [[1], [1]]], u, [3, 2])),
        (reals(2, 2, 2),),
    )
    yield Case(
        "scatter_nd of elements of a matrix",
        lambda tf, u: tf.scatter_nd([[0, 1], [1, 0], [0, 1]], u, [2, 2]),
        (reals(3),),
    )


def pooled() -> Iterator[Case]:
    """Sequences that rise or fall, made of means of what does not."""
    for falls in (True, False):
        yield Case(
            f"isotonic_regression, decreasing={falls}",
            lambda tf, x, falls=falls: tf.square(tf.nn.isotonic_regression(x, falls)[0]),
            (reals(2, 5),),
        )


CASES: list[Case] = [*segments(), *ties(), *scattering(), *pooled()]
