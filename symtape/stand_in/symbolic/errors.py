"""What is raised of tensors of a graph, in TensorFlow's words."""

from __future__ import annotations

from symtape.tensor.tensor import Tensor


class OperatorNotAllowedInGraphError(TypeError):
    """Python asks for the value of a tensor that has none yet, as TensorFlow's error says."""


_NOT_LIFTED = (
    "Argument `initial_value` (Tensor(shape={}, dtype={})) could not be lifted out of a "
    "`tf.function`. (Tried to create variable with name='{}'). To avoid this error, when "
    "constructing `tf.Variable`s inside of `tf.function` you can create the `initial_value` tensor "
    "in a `tf.init_scope` or pass a callable `initial_value` (e.g., `tf.Variable(lambda : "
    "tf.truncated_normal([10, 40]))`). Please file a feature request if this restriction "
    "inconveniences you."
)


def not_lifted(value: Tensor, name: str | None) -> ValueError:
    """Say that a variable cannot begin with a tensor of the graph, which it outlives."""
    return ValueError(_NOT_LIFTED.format(value.shape, value.dtype.name, name))
