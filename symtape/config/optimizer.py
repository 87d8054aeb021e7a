"""`tf.config.optimizer`: no operations are fused before they run."""

from symtape.namespace import show
from symtape.ops.runtime.policies import (
    get_experimental_options,
    get_jit,
    set_experimental_options,
    set_jit,
)

__all__ = ["get_experimental_options", "get_jit", "set_experimental_options", "set_jit"]

show(__name__, __all__)
