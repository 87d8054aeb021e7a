"""`tf.distribute`: strategies with one replica."""

from symtape.namespace import show
from symtape.ops.runtime.replicas import (
    has_strategy as has_strategy,
    in_cross_replica_context as in_cross_replica_context,
)
from symtape.training.strategies import (
    InputContext as InputContext,
    MirroredStrategy as MirroredStrategy,
    OneDeviceStrategy as OneDeviceStrategy,
    ReduceOp as ReduceOp,
    ReplicaContext as ReplicaContext,
    Strategy as Strategy,
    get_replica_context as get_replica_context,
    get_strategy as get_strategy,
)

show(__name__)
