"""How many threads TensorFlow would compute with, which some of its numbers depend on."""

from __future__ import annotations

import os
from operator import index


class _Threads:
    """What was told: within an operation, and between operations; 0 leaves it to the machine."""

    intra = 0
    inter = 0


def _told(num_threads: int | None) -> int:
    if isinstance(num_threads, bool):
        field = "tensorflow.ConfigProto.intra_op_parallelism_threads"
        raise TypeError(f"Field {field}: Expected an int, got a boolean.")
    return index(num_threads or 0)


def set_intra_op_parallelism_threads(num_threads: int | None) -> None:
    """Say how many threads an operation has; NumPy decides for itself, but draws are by blocks.

    TensorFlow's numbers of `tf.random.categorical` of many rows depend on it, and so do these.

    >>> set_intra_op_parallelism_threads(0)
    """
    _Threads.intra = _told(num_threads)


def get_intra_op_parallelism_threads() -> int:
    """Give the number that was told, or 0, which leaves it to the machine.

    >>> get_intra_op_parallelism_threads()
    0
    """
    return _Threads.intra


def set_inter_op_parallelism_threads(num_threads: int | None) -> None:
    """Remember how many operations may run at once; they run in turn.

    >>> set_inter_op_parallelism_threads(0)
    """
    _Threads.inter = _told(num_threads)


def get_inter_op_parallelism_threads() -> int:
    """Give the number that was told, or 0, which leaves it to the machine.

    >>> get_inter_op_parallelism_threads()
    0
    """
    return _Threads.inter


def threads_of_operations() -> int:
    """How many threads an operation of TensorFlow's has: as told, else as the environment says.

    >>> threads_of_operations() > 0
    True
    """
    return _Threads.intra or _of_environment() or processors()


def _of_environment() -> int:
    told = os.environ.get("TF_NUM_INTRAOP_THREADS", "")
    return int(told) if told.isdecimal() else 0


def processors() -> int:
    """Give how many processors this process may run on.

    >>> processors() > 0
    True
    """
    counted = getattr(os, "sched_getaffinity", None)
    return len(counted(0)) if counted else os.cpu_count() or 1
