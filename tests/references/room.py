"""What references are made of: functions of leaves, the form of a book, and what is printed.

MC is The Matrix Cookbook (Petersen and Pedersen, 2012), with its numbers of equations; "calculus"
is what matrixcalculus.org prints (Laue, Mitterreiter, Giesen). Layout is the Cookbook's. Where the
printed form is written in another way than the reference, it is no longer.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from operator import matmul
from typing import Any, NamedTuple

import numpy as np

import symtape as tf

inv, mv, T, tr = tf.linalg.inv, tf.linalg.matvec, tf.transpose, tf.linalg.trace
det = tf.linalg.det
exp, log, sin = tf.exp, tf.math.log, tf.sin
total = tf.reduce_sum


def dot(u: Any, v: Any) -> Any:
    """Give uᵀv."""
    return tf.reduce_sum(u * v)


def qf(a: Any, x: Any) -> Any:
    """Give xᵀAx."""
    return dot(x, mv(a, x))


def chain(*matrices: Any) -> Any:
    """Multiply matrices."""
    return reduce(matmul, matrices)


def outer(u: Any, v: Any) -> Any:
    """Give u vᵀ."""
    return u[:, None] * v


def unit(x: Any, axis: int) -> Any:
    """Give the unit matrix that is as large as an axis."""
    return tf.eye(x.shape[axis], dtype=tf.float64)


class Leaves:
    """Tensors by name: capitals are square matrices, M and W have m rows, small letters one axis.

    x, a, b, c, u, v, w have n entries, y and z have m; s, t, r, g and k are scalars. Some may be
    symmetric.
    """

    def __init__(self, n: int, m: int, symmetric: str = "") -> None:
        rng = np.random.default_rng(n)
        shapes: dict[str, tuple[int, ...]] = dict.fromkeys("ABCDSX", (n, n))
        shapes |= dict.fromkeys("MW", (m, n)) | dict.fromkeys("xabcuvw", (n,))
        shapes |= dict.fromkeys("yz", (m,)) | dict.fromkeys("strgk", ())
        for name, shape in shapes.items():
            array = rng.uniform(0.3, 1.5, shape) + (np.eye(n) * n if shape == (n, n) else 0)
            array = (array + array.T) / 2 if name in symmetric else array
            setattr(self, name, tf.Variable(array, name=name))


class Reference(NamedTuple):
    """A function, by which leaf it is derived and how often, and what is printed of that.

    `book` is the reference's own form, where it is another one; `symmetric` are leaves.
    """

    function: Callable[[Any], Any]
    by: str
    text: str
    order: int = 1
    is_of_any_size: bool = True
    book: str = ""
    symmetric: str = ""


def derived(reference: Reference, leaves: Leaves) -> Any:
    """Derive, once or twice."""
    x = getattr(leaves, reference.by)
    with tf.GradientTape() as tape:
        y = reference.function(leaves)
    if y.shape.rank:
        return tape.jacobian(y, x)
    return tape.gradient(y, x) if reference.order == 1 else tape.hessian(y, x)
