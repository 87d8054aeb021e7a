"""Gradients at kinks, ties, edges and poles: what TensorFlow 2.21 was measured to give, in float32.

A row is a function, the numbers that it is called with, and the gradient in each of them. `None` is
no connection. The judge without TensorFlow compares with these numbers; with it, TensorFlow does.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import Any, NamedTuple

inf, nan = float("inf"), float("nan")


class Convention(NamedTuple):
    """One point: a function, its arguments, and the gradients in them."""

    name: str
    run: Callable[..., Any]
    at: tuple[Any, ...]
    gradient: tuple[Any, ...]


CONVENTIONS: list[Convention] = []


def _row(name: str, run: Callable[..., Any], at: Any, gradient: Any) -> None:
    many = isinstance(at, tuple)
    CONVENTIONS.append(
        Convention(name, run, at if many else (at,), gradient if many else (gradient,))
    )


def _at(path: str, at: Any, gradient: Any) -> None:
    """Add a row for a function by its name."""
    _row(f"{path} at {at}", lambda tf, *xs: attrgetter(path)(tf)(*xs), at, gradient)


def twice(f: Callable[..., Any]) -> Callable[..., Any]:
    """Take the gradient of a function of one tensor as the function."""

    def run(tf: Any, x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = f(tf, x)
        return tape.gradient(y, x)

    return run


# --- kinks, element by element --------------------------------------------------------------------
_at("abs", 0.0, 0.0)
_at("sign", 0.0, 0.0)
_at("sign", 2.0, 0.0)
_row("a root of sign", lambda tf, x: tf.sqrt(tf.sign(x)), 0.0, 0.0)
_row("a root of a step", lambda tf, x: tf.sqrt(twice(lambda tf, x: tf.nn.relu(x))(tf, x)), 0.0, 0.0)
_at("maximum", (1.0, 1.0), (1.0, 0.0))
_at("minimum", (1.0, 1.0), (1.0, 0.0))
_at("maximum", (nan, 2.0), (0.0, 1.0))
_row("maximum(x, 0)", lambda tf, x: tf.maximum(x, 0.0), 0.0, 1.0)
_row("maximum(0, x)", lambda tf, x: tf.maximum(0.0, x), 0.0, 0.0)
_at("nn.relu", 0.0, 0.0)
_at("nn.relu6", 0.0, 0.0)
_at("nn.relu6", 6.0, 0.0)
_at("nn.leaky_relu", 0.0, 0.2)
_at("nn.elu", 0.0, 1.0)
_at("nn.selu", 0.0, 1.0507010)
_at("math.softplus", 0.0, 0.5)
_at("nn.gelu", 0.0, 0.5)
_at("nn.softsign", 0.0, 1.0)
_at("sigmoid", 1000.0, 0.0)
_at("sigmoid", -1000.0, 0.0)
_at("tanh", 1000.0, 0.0)
_at("math.log_sigmoid", -1000.0, 1.0)
_at("math.log_sigmoid", 1000.0, 0.0)
_at("square", 0.0, 0.0)
_at("math.squared_difference", (2.0, 2.0), (0.0, 0.0))

# --- edges of domains and poles -------------------------------------------------------------------
_at("sqrt", 0.0, inf)
_at("sqrt", -1.0, nan)
_at("math.rsqrt", 0.0, -inf)
_at("math.reciprocal", 0.0, -inf)
_at("math.log", 0.0, inf)
_at("math.log", -1.0, -1.0)
_at("math.log1p", -1.0, inf)
_at("asin", 1.0, inf)
_at("acos", 1.0, -inf)
_at("acosh", 1.0, inf)
_at("atanh", 1.0, inf)
_at("math.erfinv", 1.0, inf)
_at("math.lgamma", 0.0, nan)
_at("atan2", (0.0, 0.0), (nan, nan))
_at("math.xlogy", (0.0, 0.0), (0.0, 0.0))
_at("math.xlog1py", (0.0, -1.0), (0.0, 0.0))
_at("math.xdivy", (0.0, 0.0), (0.0, 0.0))
_at("math.divide_no_nan", (1.0, 0.0), (0.0, 0.0))
_at("math.multiply_no_nan", (inf, 0.0), (0.0, inf))

# --- powers ---------------------------------------------------------------------------------------
_at("pow", (0.0, 0.0), (nan, 0.0))
_at("pow", (0.0, 1.0), (1.0, 0.0))
_at("pow", (0.0, 2.0), (0.0, 0.0))
_at("pow", (0.0, 1.5), (0.0, 0.0))
_at("pow", (0.0, 0.5), (inf, 0.0))
_at("pow", (0.0, -1.0), (-inf, nan))
_at("pow", (-2.0, 2.0), (-4.0, 0.0))
_at("pow", (-2.0, 3.0), (12.0, 0.0))
_at("pow", (-2.0, 0.5), (nan, nan))
_at("pow", (2.0, 0.0), (0.0, 0.6931472))
_row("x ** 0", lambda tf, x: x**0, 0.0, nan)

# --- reductions -----------------------------------------------------------------------------------
_at("reduce_max", [1.0, 3.0, 3.0], [0.0, 0.5, 0.5])
_at("reduce_min", [3.0, 1.0, 1.0, 1.0], [0.0, 1 / 3, 1 / 3, 1 / 3])
_at("reduce_prod", [0.0, 2.0, 3.0], [6.0, 0.0, 0.0])
_at("reduce_prod", [0.0, 0.0, 3.0], [0.0, 0.0, 0.0])
_at("reduce_logsumexp", [2.0, 2.0], [0.5, 0.5])
_at("math.reduce_std", [2.0, 2.0], [nan, nan])
_at("math.reduce_variance", [2.0, 2.0], [0.0, 0.0])
_at("norm", [0.0, 0.0], [nan, nan])
_at("math.reduce_euclidean_norm", [0.0, 0.0], [nan, nan])
_row("1-norm", lambda tf, x: tf.norm(x, ord=1), [0.0, 2.0], [0.0, 1.0])
_row("infinity norm of equals", lambda tf, x: tf.norm(x, ord=inf), [2.0, -2.0], [0.5, -0.5])
_at("nn.l2_normalize", [0.0, 0.0], [1e6, 1e6])
_row("clip_by_norm", lambda tf, x: tf.clip_by_norm(x, 1.0), [0.0, 0.0], [1.0, 1.0])

# --- choices --------------------------------------------------------------------------------------
_row(
    "clip_by_value at its bounds",
    lambda tf, x: tf.clip_by_value(x, 0.0, 1.0),
    [0.0, 1.0, 2.0, -1.0],
    [1.0, 1.0, 0.0, 0.0],
)
_row(
    "clip_by_value of a lower bound",
    lambda tf, x, a: tf.clip_by_value(x, a, 9.0),
    (1.0, 1.0),
    (1.0, 0.0),
)
_row(
    "clip_by_value above an upper bound",
    lambda tf, x, b: tf.clip_by_value(x, -9.0, b),
    (2.0, 1.0),
    (0.0, 1.0),
)
_row("sort of equals", lambda tf, x: tf.sort(x) * [1.0, 2.0, 3.0], [2.0, 1.0, 2.0], [2.0, 1.0, 3.0])
_row(
    "top_k of equals",
    lambda tf, x: tf.math.top_k(x, 2).values * [1.0, 2.0],
    [2.0, 1.0, 2.0],
    [1.0, 0.0, 2.0],
)
_row(
    "where that masks a root",
    lambda tf, x: tf.where(x > 0, tf.sqrt(x), 0.0),
    [0.0, -1.0],
    [0.0, 0.0],
)
_row("where that masks a quotient", lambda tf, x: tf.where(x == 0, 0.0, 1 / x), 0.0, nan)

# --- no connection --------------------------------------------------------------------------------
_at("floor", 1.5, None)
_at("math.ceil", 1.5, None)
_at("round", 1.5, None)
_at("math.rint", 1.5, None)
_at("math.floordiv", (7.0, 2.0), (None, None))
_at("math.floormod", (7.0, 2.0), (1.0, -3.0))
_at("math.floormod", (-7.0, 2.0), (1.0, 4.0))
_row("argmax", lambda tf, x: tf.argmax(x), [1.0, 2.0], None)
_row("less", lambda tf, x, y: x < y, (1.0, 2.0), (None, None))
_row("stop_gradient", lambda tf, x: tf.stop_gradient(x) * x, 3.0, 3.0)
_at("math.polygamma", (1.0, 1.0), (None, -2.4041138))
_at("math.zeta", (2.0, 1.0), (None, -2.4041138))
_at("math.betainc", (2.0, 3.0, 0.5), (None, None, 1.5))
_at("math.igamma", (0.5, 1.0), (-0.3898373, 0.2075537))
_at("math.nextafter", (1.0, 2.0), (1.0, 0.0))

# --- derivatives of derivatives -------------------------------------------------------------------
_row("second derivative of abs", twice(lambda tf, x: tf.abs(x)), 0.0, 0.0)
_row("second derivative of relu", twice(lambda tf, x: tf.nn.relu(x)), 0.0, 0.0)
_row("second derivative of leaky_relu", twice(lambda tf, x: tf.nn.leaky_relu(x)), 0.0, 0.0)
_row("second derivative of sqrt", twice(lambda tf, x: tf.sqrt(x)), 0.0, -inf)
_row("second derivative of x ** 2", twice(lambda tf, x: x**2), 0.0, 2.0)
_row("second derivative of x ** 1", twice(lambda tf, x: x**1), 3.0, 0.0)
_row("second derivative of 3 x", twice(lambda tf, x: 3 * x), 3.0, None)
_row("second derivative of maximum(x, 0)", twice(lambda tf, x: tf.maximum(x, 0.0)), 3.0, None)
