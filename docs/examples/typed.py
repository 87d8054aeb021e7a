"""What a type checker knows of symtape: `mypy --strict typed.py` passes, and so does running it.

Each `assert_type` says which type a checker infers. The lines at the end are mistakes that it finds:
with `--strict`, a remark that nothing is wrong with would itself be reported.
"""

from __future__ import annotations

from collections.abc import Callable
from inspect import Signature
from typing import TYPE_CHECKING, Any, assert_type

import symtape as tf

# --- tensors and tapes ----------------------------------------------------------------------------

x = tf.constant([1.0, 2.0])
w = tf.Variable([0.5, 0.25], name="w")
b = tf.Variable(1.0, name="b")

assert_type(x, tf.Tensor)
assert_type(w * x + b, tf.Tensor)
assert_type(2.0 * w, tf.Tensor)
assert_type(-x / 3.0, tf.Tensor)
assert_type(x[0], tf.Tensor)
assert_type(x == 1.0, tf.Tensor)
assert_type([row for row in x], list[tf.Tensor])
assert_type(tf.reduce_sum(x), tf.Tensor)
assert_type(tf.linalg.matvec(tf.eye(2), x), tf.Tensor)
assert_type(tf.linalg.svd(tf.eye(2)), tuple[tf.Tensor, tf.Tensor, tf.Tensor])
assert_type(tf.linalg.svd(tf.eye(2), compute_uv=False), tf.Tensor)
assert_type(tf.keras.losses.MSE(x, x), tf.Tensor)
assert_type(x.dtype, tf.DType)
assert_type(x.shape, tf.TensorShape)

with tf.GradientTape(persistent=True) as tape:
    loss = tf.reduce_sum((w * x + b) ** 2)

# A gradient may be None, where nothing connects; a checker lets you go on without looking.
assert_type(tape.gradient(loss, w), tf.Tensor | Any)
assert_type(tape.gradient(loss, [w, b]), list[tf.Tensor | Any])
assert_type(tape.gradient(loss, (w, b)), tuple[tf.Tensor | Any, ...])
assert_type(tape.gradient(loss, {"w": w, "b": b}), dict[str, tf.Tensor | Any])
assert_type(tape.jacobian(w * x, w), tf.Tensor | Any)
assert_type(tape.hessian(loss, w), tf.Tensor | Any)
assert_type(tape.why_none(loss, x), str)

slope = tape.gradient(loss, w)
assert_type(loss.latex(), str)
assert_type(slope.latex(), str | Any)

# --- compiled formulas ----------------------------------------------------------------------------

compiled = loss.lambdify()
assert_type(compiled, tf.CompiledFormula)
assert_type(compiled.source, str)
assert_type(compiled.signature, Signature)
assert_type(compiled.backend, str)
assert_type(loss.lambdify(sizes="any"), tf.ResizedFormula)

# --- functions on functions -----------------------------------------------------------------------


def cube(t: float) -> float:
    return t**3


derivative = tf.grad(cube)
assert_type(derivative, tf.Function)
assert_type(derivative.source(2.0), str)
assert_type(tf.value_and_grad(cube), tf.Function)
assert_type(tf.jacobian(cube), tf.Function)
assert_type(tf.hessian(cube), tf.Function)
assert_type(tf.derivative(cube, 2), tf.Function)
assert_type(tf.jvp(cube), tf.Function)
assert_type(tf.hvp(cube), tf.Function)
assert_type(tf.jvp(cube, (2.0,), (1.0,)), tuple[Any, Any])
derivative.clear_cache()
print(derivative(2.0), derivative.formula(2.0).expr)


@tf.recompute_grad
def squared(t: tf.Tensor) -> tf.Tensor:
    return t * t


@tf.function
def doubled(t: tf.Tensor) -> tf.Tensor:
    return t + t


assert_type(squared(x), tf.Tensor)
assert_type(doubled.python_function, Callable[..., Any])

# --- verdicts -------------------------------------------------------------------------------------


def judged(by_hand: Callable[[float], float]) -> tf.verify.Report:
    return tf.verify.gradient(cube, by_hand, 2.0)


assert_type(judged(lambda t: 3 * t**2).ok, bool)

# --- what a checker finds -------------------------------------------------------------------------

if TYPE_CHECKING:
    tf.reduce_summ(x)  # type: ignore[attr-defined]  # no such name
    tf.linalg.matvecs(x)  # type: ignore[attr-defined]  # nor in a namespace
    tf.keras.losses.squared(x)  # type: ignore[attr-defined]  # nor in one that comes late
    x.name  # type: ignore[attr-defined]  # a tensor has no name
    slope.latexx()  # type: ignore[union-attr]  # nor a gradient anything else than a tensor has
    derivative.formulas(2.0)  # type: ignore[attr-defined]  # is `formula`
    tf.grad(cube, argnum=1)  # type: ignore[call-arg]  # is `argnums`
    loss.lambdify(sizes="all")  # type: ignore[call-overload]  # "recorded" or "any"
