"""Formulas whose leaves are renamed to each identifier of their own code, and what must stay."""

from __future__ import annotations

import builtins
import keyword
import random
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

import symtape as tf
from symtape.kernels.kernels import NAMESPACE
from symtape.kernels.special.functions import NAMESPACE as SPECIAL

NEUTRAL = ("first", "second")


class Shape(NamedTuple):
    """A formula of two leaves, their values, and the backends that have code for it."""

    name: str
    formula: Callable[[Any, Any], Any]
    values: tuple[Any, Any]
    backends: str = "numpy scipy numba c jax torch dask array_api"


_RNG = np.random.default_rng(20)
_LONG = _RNG.uniform(0.1, 0.9, 70_000)
_ROW, _OTHER = _RNG.uniform(0.2, 0.9, 3), _RNG.uniform(0.2, 0.9, 3)
_SQUARE = _RNG.uniform(0.1, 0.4, (3, 3)) + 2 * np.eye(3)
_SPD = _SQUARE @ _SQUARE.T


def _chosen(x: Any, y: Any) -> Any:
    parts = tf.concat([tf.gather(x, [2, 0, 1]), tf.cumsum(y)], 0)
    ordered = tf.sort(parts) * tf.reduce_max(y) + tf.reverse(tf.pad(x, [[1, 2]]), [0])
    return tf.reduce_sum(tf.nn.leaky_relu(ordered - 0.5) * tf.math.cumprod(parts))


def _indexed(x: Any, y: Any) -> Any:
    places = tf.cast(tf.argsort(y), "int32")
    return tf.reduce_sum(tf.gather(x, places) * x) * tf.reduce_sum(tf.exp(y))


def _solved(x: Any, y: Any) -> Any:
    column = tf.reshape(y, (3, 1))
    return tf.reduce_sum(tf.linalg.solve(x, column) ** 2.0) * tf.linalg.det(x)


def _matrices(x: Any, y: Any) -> Any:
    root = tf.linalg.cholesky(tf.matmul(x, x, transpose_b=True))
    values = tf.linalg.svd(x, compute_uv=False)
    return tf.reduce_sum(root) * y[0] + tf.reduce_sum(values * y) + tf.linalg.logdet(x @ x)


SHAPES = [
    Shape(
        "scalars",
        lambda x, y: tf.sin(x) * tf.exp(-y * x) + tf.math.softplus(x) * tf.maximum(x, y),
        (0.7, 0.4),
        "numpy math scipy numba c jax torch dask array_api",
    ),
    Shape(
        "cases",
        lambda x, y: tf.where(x > y, tf.math.log(x), y * x) + tf.floor(x) + tf.math.erf(x) * y,
        (1.7, 0.4),
        "numpy math scipy numba c",
    ),
    Shape(
        "blocks",
        lambda x, y: tf.reduce_sum(tf.exp(-x * x) * tf.sin(x * y) + tf.tanh(x) * y),
        (_LONG, 0.7),
        "numpy scipy",
    ),
    Shape(
        "padded blocks",
        lambda x, y: tf.reduce_sum(tf.exp(x[1:]) * tf.sin(x[:-1] * y[:-1]) * tf.tanh(y[1:])),
        (_LONG, _LONG[::-1].copy()),
        "numpy scipy",
    ),
    Shape(
        "contraction",
        lambda x, y: tf.reduce_sum(tf.tanh(tf.linalg.matvec(x @ x, y)) * tf.sigmoid(y)),
        (_SQUARE, _ROW),
    ),
    Shape(
        "three factors",
        lambda x, y: tf.einsum("i,ij,jk,k->", tf.sin(y), x, tf.exp(x), y) + tf.reduce_mean(x),
        (_SQUARE, _ROW),
    ),
    Shape("chosen", _chosen, (_ROW, _OTHER), "numpy scipy numba c"),
    Shape("indexed", _indexed, (_ROW, _OTHER), "numpy scipy numba c jax torch dask"),
    Shape("solved", _solved, (_SQUARE, _ROW)),
    Shape("matrices", _matrices, (_SPD, _ROW), "numpy scipy jax"),
    Shape(
        "special",
        lambda x, y: tf.reduce_sum(
            tf.math.lgamma(x) * tf.math.igamma(y, x) + tf.math.special.bessel_j0(x) * tf.math.erf(x)
        ),
        (_ROW, _OTHER),
        "numpy scipy",
    ),
]


def gradient(shape: Shape, labels: Sequence[str | None]) -> tuple[Any, list[Any]]:
    """Record a formula with leaves of some names; give its gradient by the first, and them."""
    xs = [tf.constant(v, "float64", name=n) for v, n in zip(shape.values, labels, strict=True)]
    with tf.GradientTape() as tape:
        tape.watch(xs)
        y = shape.formula(*xs)
    return tape.gradient(y, xs[0]), xs


def compiled(shape: Shape, backend: str, labels: Sequence[str | None]) -> Any:
    """Compile the gradient, with both leaves as arguments."""
    found, xs = gradient(shape, labels)
    return found.lambdify(xs, backend=backend)


def identifiers(text: str) -> list[str]:
    """List the identifiers of some code, attributes and words of texts among them."""
    return sorted(set(re.findall(r"[^\W\d]\w*", text)))


def renamings(names: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Give each of two leaves each name, once."""
    for name in names:
        for k in range(2):
            labels = [*NEUTRAL]
            labels[k] = name
            yield labels[0], labels[1]


def wrong(shape: Shape, backend: str, labels: Sequence[str], expected: Any, rtol: float) -> str:
    """Say what is wrong with the formula of renamed leaves: its numbers, its signature."""
    try:
        f = compiled(shape, backend, labels)
        found = np.asarray(f(*shape.values))
        again = np.asarray(f(**dict(zip(labels, shape.values, strict=True))))
    except Exception as error:  # noqa: BLE001 - whatever it is, it is reported
        return f"{shape.name}, {backend}, {labels}: {error!r}"
    names = list(f.signature.parameters)
    kept = [a == b or keyword.iskeyword(a) for a, b in zip(labels, names, strict=False)]
    if not all(kept):
        return f"{shape.name}, {backend}, {labels}: the signature is {f.signature}"
    same = np.allclose(found, expected, rtol=rtol, atol=0) and np.array_equal(found, again)
    return "" if same else f"{shape.name}, {backend}, {labels}: {found} and {again}, not {expected}"


def failures(
    shape: Shape, backend: str, rtol: float = 0, most: int = 1000
) -> tuple[int, list[str]]:
    """Rename leaves to every identifier of the formula's code; count, and list what goes wrong."""
    f = compiled(shape, backend, NEUTRAL)
    expected = np.asarray(f(*shape.values))
    names = [n for n in identifiers(f.source) if n not in NEUTRAL]
    every = list(renamings(names))
    chosen = random.Random(1).sample(every, min(most, len(every)))
    return len(every), [w for pair in chosen if (w := wrong(shape, backend, pair, expected, rtol))]


_C = (
    "malloc free int64_t uint8_t double fabs expf sinf I NAN M_PI status workspace out0 st_lu y0 W1"
)
_OURS = "self cls args kwargs f v1 v2_s x_s s x0 i1 s1 t1 __class__ __debug__ __name__ _ __ _x x_"
_SYMPY = "pi E I S N Q O C oo zoo nan gamma zeta beta Sum Symbol lamda lambda EulerGamma Catalan"
_LATEX = (
    "x1 x_1 x__1 x12 x_1_2 x_12 xabs xnorm xhat x alpha β µ alpha_1 i e j k v_1 v1 W_1 Pi Lambda"
)
_UNICODE = (
    "\ufb01 fi \U0001d465 x² x₁ é e\u0301 Ω \u2126 \u017f s ª a ⅻ xii \uff11 \uff58 \u212f "
    "ϕ φ ẋ א 变量 naïve"
)
_CODE = [
    "a;b", "a b", "x\n", "x'", 'x"', "x)", "(", "*", "**k", "/", ";", "", " ", "1", "2x", "a.b",
    "a[0]", "lambda: 0", "x=1", "{0}", "{", "}", "%s", "\\", "\\frac", "$x$", "#", "x # y", '"""',
    "\0", "\ud800", "w:0", "dense/kernel:0", "-", "a-b", "__import__('os')", "x" * 300,
]  # fmt: skip

ODD: list[str] = [
    *keyword.kwlist, *keyword.softkwlist, *dir(builtins), *NAMESPACE, *vars(SPECIAL), *dir(np)[::9],
    *_C.split(), *_OURS.split(), *_SYMPY.split(), *_LATEX.split(), *_UNICODE.split(), *_CODE,
]  # fmt: skip
"""Names of every kind that a language, a library or code may have, and what is no name at all."""
