"""How TensorFlow joins the replicas of a variable; there is one replica, and they are only told."""

from __future__ import annotations

import enum
from typing import Any


class VariableSynchronization(enum.Enum):
    """When the replicas of a variable are joined (`tf.VariableSynchronization`).

    >>> print(VariableSynchronization.ON_READ)
    VariableSynchronization.ON_READ
    """

    AUTO = 0
    NONE = 1
    ON_WRITE = 2
    ON_READ = 3


class VariableAggregationV2(enum.Enum):
    """How the replicas of a variable are joined (`tf.VariableAggregation`).

    >>> print(VariableAggregationV2.SUM)
    VariableAggregationV2.SUM
    """

    NONE = 0
    SUM = 1
    MEAN = 2
    ONLY_FIRST_REPLICA = 3

    def __hash__(self) -> int:
        return hash(self.value)

    def __eq__(self, other: object) -> bool:
        return self is other or (
            isinstance(other, VariableAggregation) and self.value == other.value
        )


class VariableAggregation(enum.Enum):
    """The same, as a variable tells it that was made without one.

    >>> VariableAggregation.NONE == VariableAggregationV2.NONE
    True
    """

    NONE = 0

    def __hash__(self) -> int:
        return hash(self.value)

    def __eq__(self, other: object) -> bool:
        return self is other or (
            isinstance(other, VariableAggregationV2) and self.value == other.value
        )


def modes(
    synchronization: Any, aggregation: Any, trainable: bool | None, name: str | None
) -> tuple[Any, Any, bool]:
    """Read how a variable is joined, and whether it is trainable; raises `ValueError` for others.

    What is joined when it is read is not trainable, unless it is said to be.
    """
    made = VariableSynchronization.AUTO if synchronization is None else synchronization
    if not isinstance(made, VariableSynchronization):
        raise ValueError(f"Invalid variable synchronization mode: {made} for variable: {name}")
    joined = VariableAggregation.NONE if aggregation is None else aggregation
    if not isinstance(joined, (VariableAggregation, VariableAggregationV2)):
        raise ValueError(f"Invalid variable aggregation mode: {joined} for variable: {name}")
    if trainable is None:
        return made, joined, made is not VariableSynchronization.ON_READ
    return made, joined, trainable


class GraphMembers:
    """What a variable of TensorFlow's has for graphs; there is none, and each says so."""

    __slots__ = ()

    @property
    def initial_value(self) -> Any:
        """Raise `RuntimeError`, as TensorFlow does."""
        raise RuntimeError("This property is not supported when eager execution is enabled.")

    @property
    def create(self) -> Any:
        """Raise `RuntimeError`, as TensorFlow does."""
        raise _no_graph()

    @property
    def op(self) -> Any:
        """Raise `AttributeError`, as TensorFlow does."""
        raise AttributeError("Tensor.op is undefined when eager execution is enabled.")

    @property
    def graph(self) -> Any:
        """Raise `AttributeError`, as TensorFlow does."""
        raise AttributeError("Tensor.graph is undefined when eager execution is enabled.")

    def eval(self, *_: Any, **__: Any) -> Any:
        """Raise `RuntimeError`, as TensorFlow does; use `numpy()`."""
        raise _no_graph()

    def to_proto(self, *_: Any, **__: Any) -> Any:
        """Raise `RuntimeError`, as TensorFlow does; use `tf.train.Checkpoint`."""
        raise _no_graph()

    def initialized_value(self) -> Any:
        """Raise `NotImplementedError`, as TensorFlow does."""
        raise NotImplementedError


def _no_graph() -> RuntimeError:
    return RuntimeError("This operation is not supported when eager execution is enabled.")
