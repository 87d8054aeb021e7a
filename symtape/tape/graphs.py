"""Derivatives of what a function computes, asked for within it: `tf.gradients`, `tf.hessians`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from symtape import nest
from symtape.errors import UnsupportedError
from symtape.tape.asking import UnconnectedGradients
from symtape.tape.gradient_tape import GradientTape
from symtape.tensor.derivatives.stopped import stopped
from symtape.tensor.recording import graphs
from symtape.tensor.recording.recorder import Recording


def gradients(
    ys: Any,
    xs: Any,
    grad_ys: Any = None,
    name: str = "gradients",
    gate_gradients: bool = False,
    aggregation_method: Any = None,
    stop_gradients: Any = None,
    unconnected_gradients: Any = UnconnectedGradients.NONE,
) -> list[Any]:
    """Give the derivatives of the sum of `ys` by each of `xs`, inside of a `tf.function`.

    All that the function computes is connected, nothing has to be watched. `grad_ys` has a weight
    for each of `ys`, where `None` is one; a `ValueError` says that their numbers differ. The first
    call of such a function begins anew where this is asked for first, so that Python's side effects
    before are seen twice. Derivatives flow to `stop_gradients`, and not on. `gate_gradients` and
    `aggregation_method` change nothing.

    Outside of a function it is refused with a `RuntimeError`, as by TensorFlow; in the gradient of
    a `tf.custom_gradient`, taken when the function is over, with an `UnsupportedError`, if it is
    one by what that neither takes nor computes.

    >>> import symtape as tf
    >>> @tf.function
    ... def slope(x):
    ...     return tf.gradients(x**3, x)[0]
    >>> slope(tf.constant(2.0))
    <tf.Tensor: shape=(), dtype=float32, numpy=12.0>
    """
    tape = of_graph(xs, nest.flatten([] if stop_gradients is None else stop_gradients))
    targets, sources = (nest.flatten(v) for v in (ys, xs))
    seeds = None if grad_ys is None else _graph_seeds(nest.flatten(grad_ys), targets)
    return list(tape.gradient(targets, sources, seeds, unconnected_gradients))


def _graph_seeds(given: list[Any], targets: list[Any]) -> list[Any]:
    """Take one for each weight that is `None`, which a tape refuses and a graph does not."""
    if len(given) != len(targets):
        raise ValueError(f"Length mismatch. Passed {len(given)} grad_ys for {len(targets)} ys")
    return [1 if seed is None else seed for seed in given]


def hessians(
    ys: Any,
    xs: Any,
    gate_gradients: bool = False,
    aggregation_method: Any = None,
    name: str = "hessians",
) -> list[Any]:
    """Give the second derivatives of the sum of `ys` by each of `xs`, inside of a `tf.function`.

    Outside it is refused with a `RuntimeError`, as by TensorFlow; `GradientTape.hessian` does it.
    In the gradient of a `tf.custom_gradient`, one by what it neither takes nor computes is refused
    with an `UnsupportedError`.

    >>> import symtape as tf
    >>> @tf.function
    ... def curvature(x):
    ...     return tf.hessians(tf.reduce_sum(x**3), x)[0]
    >>> curvature(tf.constant([1.0, 2.0])).numpy()
    array([[ 6.,  0.],
           [ 0., 12.]], dtype=float32)
    """
    tape = of_graph(xs)
    sources = nest.flatten(xs)
    slopes = tape.gradient(nest.flatten(ys), sources)
    return [tape.jacobian(slope, x) for slope, x in zip(slopes, sources, strict=True)]


class _GraphTape(GradientTape):
    """A tape of all that a function computes."""

    def __init__(self, graph: Recording) -> None:
        super().__init__(persistent=True)
        self._recording = graph

    def __del__(self, _is_finalizing: Any = None) -> None:
        """Leave the recording to the function."""


def of_graph(xs: Any, ends: Sequence[Any] = ()) -> GradientTape:
    """Give a tape of the function that runs; where nothing is recorded, it begins anew.

    No derivative flows through `ends`.
    """
    if not graphs.INSIDE.depth:
        raise RuntimeError(
            "tf.gradients is not supported when eager execution is enabled. "
            "Use tf.GradientTape instead."
        )
    if graphs.INSIDE.graph is None:
        raise graphs.NeedsGraph
    if not graphs.INSIDE.graph.has(nest.flatten(xs)):
        raise UnsupportedError(
            "tf.gradients in the gradient of a tf.custom_gradient, by what the tf.function around "
            "it computed before: give it to the function as an argument"
        )
    return _GraphTape(stopped(graphs.INSIDE.graph, ends) if ends else graphs.INSIDE.graph)
