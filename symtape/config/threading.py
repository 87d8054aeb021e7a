"""`tf.config.threading`: NumPy decides how many threads compute, but some draws depend on it."""

from symtape.namespace import show
from symtape.ops.runtime.threads import (
    get_inter_op_parallelism_threads as get_inter_op_parallelism_threads,
    get_intra_op_parallelism_threads as get_intra_op_parallelism_threads,
    set_inter_op_parallelism_threads as set_inter_op_parallelism_threads,
    set_intra_op_parallelism_threads as set_intra_op_parallelism_threads,
)

show(__name__)
