"""Functions of elements: what a dataset gives is what they make of it."""

from __future__ import annotations

import warnings
from typing import Any, Self

from symtape.data.held import Held, whole
from symtape.data.stages.applying import Filter, FlatMap, Interleave, Map
from symtape.data.stages.base import Failed
from symtape.errors import InvalidArgumentError
from symtape.ops.runtime.threads import processors


class Changing(Held):
    """What applies functions to elements; they run eagerly, one element after the other."""

    def map(
        self,
        map_func: Any,
        num_parallel_calls: Any = None,
        deterministic: bool | None = None,
        synchronous: bool | None = None,
        use_unbounded_threadpool: bool = False,
        name: str | None = None,
    ) -> Self:
        """Give what a function gives for each element.

        It is called with the parts of a tuple, and else with the element. What it gives is a
        structure as elements are; a list is a tuple. No tape follows what it computes. Calls are
        never parallel, and always in order. Raises `TypeError` for what is no element.

        >>> import symtape as tf
        >>> dataset = tf.data.Dataset.range(3).map(lambda n: n * n)
        >>> list(dataset.as_numpy_iterator())
        [np.int64(0), np.int64(1), np.int64(4)]
        """
        if num_parallel_calls is None:
            _warn(deterministic)
            return self._then("_MapDataset", Map(self.stage, map_func))
        if synchronous:
            raise ValueError(
                "`synchronous` is not supported with `num_parallel_calls`, but "
                "`num_parallel_calls` was set to ",
                num_parallel_calls,
            )
        _check_calls(num_parallel_calls, "ParallelMapDatasetV2")
        return self._then("_ParallelMapDataset", Map(self.stage, map_func))

    def filter(self, predicate: Any, name: str | None = None) -> Self:
        """Give the elements for which a function gives true, a scalar of bool.

        Raises `ValueError` for what is none, when the first element is asked for.

        >>> import symtape as tf
        >>> [int(n) for n in tf.data.Dataset.range(5).filter(lambda n: n % 2 == 1)]
        [1, 3]
        """
        stage = Filter(self.stage, predicate, "Dataset.filter()", stops=False)
        return self._then("_FilterDataset", stage)

    def take_while(self, predicate: Any, name: str | None = None) -> Self:
        """Give the elements up to the first for which a function gives false.

        >>> import symtape as tf
        >>> [int(n) for n in tf.data.Dataset.range(5).take_while(lambda n: n < 2)]
        [0, 1]
        """
        stage = Filter(self.stage, predicate, "Dataset.take_while()", stops=True)
        return self._then("_TakeWhileDataset", stage)

    def flat_map(self, map_func: Any, name: str | None = None) -> Self:
        """Give the elements of the datasets that a function gives, one after the other.

        Raises `TypeError` where it gives no dataset, when the first element is asked for.

        >>> import symtape as tf
        >>> rows = tf.data.Dataset.from_tensor_slices([[1, 2], [3, 4]])
        >>> [int(n) for n in rows.flat_map(tf.data.Dataset.from_tensor_slices)]
        [1, 2, 3, 4]
        """
        stage = FlatMap(self.stage, map_func, "Dataset.flat_map()")
        return self._then("_FlatMapDataset", stage)

    def interleave(
        self,
        map_func: Any,
        cycle_length: Any = None,
        block_length: Any = None,
        num_parallel_calls: Any = None,
        deterministic: bool | None = None,
        name: str | None = None,
    ) -> Self:
        """Give elements of the datasets that a function gives: `block_length` of each in turn.

        `cycle_length` datasets are open at a time. By default they are as many as there are
        processors, or calls if these are fewer; with `num_parallel_calls=tf.data.AUTOTUNE` a third
        of the processors, as TensorFlow has it. Raises `InvalidArgumentError` for more calls than
        open datasets.

        >>> import symtape as tf
        >>> repeated = tf.data.Dataset.range(3).interleave(
        ...     lambda n: tf.data.Dataset.from_tensors(n).repeat(3), cycle_length=2, block_length=2
        ... )
        >>> [int(n) for n in repeated]
        [0, 0, 1, 1, 0, 1, 2, 2, 2]
        """
        cycle = -1 if cycle_length is None else whole(cycle_length)
        block = 1 if block_length is None else whole(block_length)
        if num_parallel_calls is None:
            _warn(deterministic)
            kind, op = "_InterleaveDataset", "InterleaveDataset"
        else:
            kind, op = "_ParallelInterleaveDataset", "ParallelInterleaveDatasetV4"
            _check_calls(num_parallel_calls, op)
            cycle = _open_at_once(cycle, whole(num_parallel_calls), op)
            if block < 1:
                raise _invalid("`block_length` must be > 0", op)
        return self._then(kind, Interleave(self.stage, map_func, cycle, block, op))


def _open_at_once(cycle: int, calls: int, op: str) -> int:
    """Say how many datasets are open where several are read at once."""
    if cycle < 1 and cycle != -1:
        text = f"`cycle_length` must be `tf.data.AUTOTUNE` or greater than 0 but is {cycle}"
        raise _invalid(text, op)
    found = cycle
    if cycle == -1:
        found = -(-processors() // _THREADS) if calls == -1 else min(calls, processors())
    if calls > found:
        raise _invalid(
            "If `cycle_length` is set to a fixed value, `num_parallel_calls` must be either "
            "`tf.data.AUTOTUNE` or a value less than or equal to `cycle_length`. However, "
            f"`num_parallel_calls` is {calls} and `cycle_length` is {found}",
            op,
        )
    return found


_THREADS = 3
"""How many threads TensorFlow's kernel counts for an open dataset: two read ahead."""


def _warn(deterministic: bool | None) -> None:
    if deterministic is not None:
        warnings.warn(
            "The `deterministic` argument has no effect unless the `num_parallel_calls` argument "
            "is specified.",
            stacklevel=3,
        )


def _check_calls(calls: Any, op: str) -> None:
    if whole(calls) < 1 and whole(calls) != -1:
        raise _invalid("num_parallel_calls must be greater than zero.", op)


def _invalid(text: str, op: str) -> Exception:
    return Failed(InvalidArgumentError, text).framed(op, "_Targuments_0")
