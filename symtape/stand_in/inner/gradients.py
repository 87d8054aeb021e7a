"""Derivatives within a function, as packages of TensorFlow's take them from `parallel_for`."""

from __future__ import annotations

from typing import Any

from symtape import nest
from symtape.tape.graphs import of_graph


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
