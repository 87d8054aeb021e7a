"""Derivatives within a function, as packages of TensorFlow's take them from `parallel_for`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from symtape import nest
from symtape.ops.elementwise.conversion import stop_gradient
from symtape.tape.graphs import gradients, of_graph


def jacobian(
    output: Any, inputs: Any, use_pfor: bool = True, parallel_iterations: int | None = None
) -> Any:
    """Give the Jacobian of a tensor by each of `inputs` (`parallel_for.gradients.jacobian`).

    Raises `RuntimeError` outside of a `tf.function`, as `tf.gradients` does.

    >>> import symtape as tf
    >>> @tf.function
    ... def slopes(x):
    ...     return jacobian(x * x, x)
    >>> slopes(tf.constant([1.0, 2.0])).numpy()
    array([[2., 0.],
           [0., 4.]], dtype=float32)
    """
    tape, sources = of_graph(inputs), nest.flatten(inputs)
    return nest.pack_sequence_as(inputs, tape.jacobian(output, sources))


def hessian_vector_product(ys: Any, xs: Sequence[Any], v: Sequence[Any]) -> list[Any]:
    """Give the Hessian of the sum of `ys` times `v` (`gradients_impl._hessian_vector_product`).

    Raises `RuntimeError` outside of a `tf.function`, as `tf.gradients` does, and `ValueError` where
    `v` has not one tensor for each of `xs`.

    >>> import symtape as tf
    >>> @tf.function
    ... def product(x, v):
    ...     return hessian_vector_product(tf.reduce_sum(x**3), [x], [v])
    >>> product(tf.constant([1.0, 2.0]), tf.constant([1.0, 10.0]))[0].numpy()
    array([  6., 120.], dtype=float32)
    """
    if len(v) != len(xs):
        raise ValueError("xs and v must have the same length.")
    slopes = zip(gradients(ys, xs), v, strict=True)
    return gradients([g * stop_gradient(d) for g, d in slopes if g is not None], xs)
