"""`tf.distribute`: strategies with one replica."""

from symtape.namespace import show
from symtape.ops.runtime.replicas import has_strategy, in_cross_replica_context
from symtape.training.strategies import (
    InputContext,
    MirroredStrategy,
    OneDeviceStrategy,
    ReduceOp,
    ReplicaContext,
    Strategy,
    get_replica_context,
    get_strategy,
)

__all__ = [
    "InputContext",
    "MirroredStrategy",
    "OneDeviceStrategy",
    "ReduceOp",
    "ReplicaContext",
    "Strategy",
    "get_replica_context",
    "get_strategy",
    "has_strategy",
    "in_cross_replica_context",
]

show(__name__, __all__)
