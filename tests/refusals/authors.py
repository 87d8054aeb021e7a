"""What gradients of one's own, forward mode and test cases refuse."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import symtape as tf
from tests.refusals.room import Room

ROOM = Room("author")
X = tf.constant([1.0, 2.0])


@tf.custom_gradient
def clipped(x: Any) -> Any:
    """Clip the gradient."""
    return x * 1.0, lambda u: tf.clip_by_value(u, -1.0, 1.0)


@tf.custom_gradient
def failing(x: Any) -> Any:
    """Have no gradient."""

    def grad(u: Any) -> Any:
        raise ValueError(f"no gradient for {len(u.shape)} axes")

    return x * 1.0, grad


@tf.custom_gradient
def left(x: Any) -> Any:
    """Compute the gradient in NumPy."""
    return x * x, lambda u: tf.constant(2 * x.numpy() * u.numpy())


@tf.custom_gradient
def left_in_part(x: Any) -> Any:
    """Compute a factor of the gradient in NumPy."""
    return x * x, lambda u: u * tf.constant(2 * x.numpy())


@tf.custom_gradient
def doubled(x: Any) -> Any:
    """Have the gradient of a square."""
    return x * x, lambda u: u * 2.0 * x


def gradient(f: Callable[[Any], Any], x: Any = X) -> Any:
    """Differentiate a function under a tape."""
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    return tape.gradient(y, x)


def giving(given: Any) -> Any:
    """Make a function whose gradient is what is given."""

    @tf.custom_gradient
    def f(x):
        return x * x, lambda u: given

    return f


def jvp(f: Callable[[Any], Any], x: Any = X) -> Any:
    """Differentiate a function along ones."""
    with tf.autodiff.ForwardAccumulator(x, tf.ones_like(x)) as acc:
        y = f(x)
    return acc.jvp(y)


def unknown(f: Callable[[Any], Any]) -> Any:
    """Let a function compute its value in NumPy, so that its gradient is all there is."""
    return tf.custom_gradient(lambda x: (tf.constant(x.numpy()), f))


class Case(tf.test.TestCase):
    """A test case to call methods of."""

    def runTest(self) -> None:  # noqa: N802 - unittest's name
        """Do nothing."""


ROOM.refuses(
    a_gradient_of_another_shape=lambda: gradient(giving(tf.constant(1.0))),
    a_gradient_of_another_dtype=lambda: gradient(giving(tf.constant([1.0, 2.0], tf.float64))),
    a_gradient_of_integers=lambda: gradient(giving(tf.constant([1, 2]))),
    a_number_for_a_vector=lambda: gradient(giving(2.0)),
    a_text_for_a_gradient=lambda: gradient(giving("a")),
    no_pair=lambda: tf.custom_gradient(lambda x: (x, 1.0))(X),
    a_formula_of_what_left=lambda: gradient(left).expr,
    a_formula_of_what_left_in_part=lambda: gradient(left_in_part).latex(),
    a_formula_behind_what_left=lambda: gradient(lambda x: left(tf.sin(x)) * x).expr,
    a_jacobian_in_forward_mode=lambda: jvp(unknown(lambda u: tf.clip_by_value(u, -1.0, 1.0))),
    a_clipped_gradient_of_a_program=lambda: tf.grad(lambda x: tf.reduce_sum(clipped(x)))(X),
    a_clipped_jacobian_of_a_program=lambda: tf.jacobian(clipped)(X),
    a_gradient_that_fails_in_a_program=lambda: tf.grad(lambda x: tf.reduce_sum(failing(x)))(X),
    a_gradient_that_leaves_a_program=lambda: tf.grad(lambda x: tf.reduce_sum(left(x)))(X),
    registering=lambda: tf.RegisterGradient("Sin"),
    registering_nothing=lambda: tf.no_gradient("Sin"),
    registering_no_name=lambda: tf.RegisterGradient(3),
    registering_nothing_for_no_name=lambda: tf.no_gradient(3),
    a_tangent_of_another_shape=lambda: tf.autodiff.ForwardAccumulator(X, 1.0),
    differences_of_bfloat16=lambda: tf.test.compute_gradient(tf.exp, [tf.cast(1.0, tf.bfloat16)]),
    feeding=lambda: Case().session().__enter__().run(X, {X.ref(): 1.0}),
    evaluating_a_thing=lambda: Case().evaluate(object()),
)
ROOM.refuses(
    what_is_close=lambda: Case().assertNotAllClose(X, X),
    what_is_close_with_a_word=lambda: Case().assertNotAllClose(X, X, msg="too close"),
    what_is_equal=lambda: Case().assertNotAllEqual(X, X),
    what_is_equal_with_a_word=lambda: Case().assertNotAllEqual(X, X, "too equal"),
    a_dictionary_and_a_list=lambda: Case().assertAllClose({"a": X}, [X]),
    a_shape_of_a_list=lambda: Case().assertShapeEqual([1.0], X),
    texts_in_a_range=lambda: Case().assertAllInRange(["a"], 0, 1),
    what_is_outside=lambda: Case().assertAllInRange(X, 0.0, 1.5),
    what_is_at_an_open_bound=lambda: Case().assertAllInRange(X, 1.0, 2.0, True, True),
    what_is_in_no_set=lambda: Case().assertAllInSet([1, 2, 3], [1, 2]),
)
ROOM.allows(
    what_is_apart=lambda: Case().assertNotAllClose(X, X + 1.0),
    what_is_inside=lambda: Case().assertAllInRange(X, 1.0, 2.0),
    what_is_in_a_set=lambda: Case().assertAllInSet([1, 2, 2], [1, 2]),
)
ROOM.allows(
    a_number_for_a_scalar=lambda: gradient(giving(2.0), tf.constant(1.0)),
    an_array_for_a_vector=lambda: gradient(giving(np.array([1.0, 2.0]))),
    the_number_of_what_left=lambda: gradient(left),
    a_linear_gradient_of_a_program=lambda: tf.grad(lambda x: tf.reduce_sum(doubled(x)))(X),
    a_clipped_value_of_a_program=lambda: tf.trace(clipped, X),
    a_failing_value=lambda: failing(X),
    a_clipped_jacobian_of_a_tape=lambda: gradient(clipped),
)
