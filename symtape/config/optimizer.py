"""`tf.config.optimizer`: no operations are fused before they run."""

from symtape.namespace import show
from symtape.ops.runtime.settings import set_jit

__all__ = ["set_jit"]

show(__name__, __all__)
