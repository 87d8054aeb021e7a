"""`tf.config.optimizer`: no operations are fused before they run."""

from symtape.namespace import show
from symtape.ops.runtime.policies import (
    get_experimental_options as get_experimental_options,
    get_jit as get_jit,
    set_experimental_options as set_experimental_options,
    set_jit as set_jit,
)

show(__name__)
