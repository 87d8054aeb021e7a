"""`tf.data.experimental`: names that were here before they had another place, and options."""

from symtape.data.options import (
    AutoShardPolicy,
    AutotuneAlgorithm,
    AutotuneOptions,
    DistributeOptions,
    ExternalStatePolicy,
    OptimizationOptions,
    ThreadingOptions,
)
from symtape.data.stages.base import INFINITE as INFINITE_CARDINALITY
from symtape.data.stages.base import UNKNOWN as UNKNOWN_CARDINALITY
from symtape.namespace import show

AUTOTUNE = -1

__all__ = [
    "AUTOTUNE",
    "INFINITE_CARDINALITY",
    "UNKNOWN_CARDINALITY",
    "AutoShardPolicy",
    "AutotuneAlgorithm",
    "AutotuneOptions",
    "DistributeOptions",
    "ExternalStatePolicy",
    "OptimizationOptions",
    "ThreadingOptions",
]

show(__name__, __all__)
