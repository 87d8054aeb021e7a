"""`tf.config.threading`: NumPy decides how many threads compute."""

from symtape.namespace import show
from symtape.ops.runtime import settings

get_inter_op_parallelism_threads = get_intra_op_parallelism_threads = settings.get_threads
set_inter_op_parallelism_threads = set_intra_op_parallelism_threads = settings.set_threads

show(__name__)
