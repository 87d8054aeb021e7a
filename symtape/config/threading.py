"""`tf.config.threading`: NumPy decides how many threads compute."""

from symtape.namespace import show
from symtape.ops.runtime.settings import get_threads as get_inter_op_parallelism_threads
from symtape.ops.runtime.settings import get_threads as get_intra_op_parallelism_threads
from symtape.ops.runtime.settings import set_threads as set_inter_op_parallelism_threads
from symtape.ops.runtime.settings import set_threads as set_intra_op_parallelism_threads

__all__ = [
    "get_inter_op_parallelism_threads",
    "get_intra_op_parallelism_threads",
    "set_inter_op_parallelism_threads",
    "set_intra_op_parallelism_threads",
]

show(__name__, __all__)
