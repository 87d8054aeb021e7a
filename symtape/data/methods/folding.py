"""What is computed of all elements, one after the other."""

from __future__ import annotations

from typing import Any, Self

from symtape.data.held import Held
from symtape.data.stages.folding import Scan, reduced, single


class Folding(Held):
    """What goes through the elements with a state."""

    def reduce(self, initial_state: Any, reduce_func: Any, name: str | None = None) -> Any:
        """Give the last state: a function gives the next one of a state and an element.

        Raises `TypeError` for a state of another dtype.

        >>> import numpy as np
        >>> import symtape as tf
        >>> tf.data.Dataset.range(5).reduce(np.int64(0), lambda total, n: total + n)
        <tf.Tensor: shape=(), dtype=int64, numpy=10>
        """
        return reduced(self.stage, initial_state, reduce_func)

    def scan(self, initial_state: Any, scan_func: Any, name: str | None = None) -> Self:
        """Give what a function of a state and an element gives beside the next state.

        Raises `TypeError` for what is no pair, and for a state of another dtype.

        >>> import numpy as np
        >>> import symtape as tf
        >>> totals = tf.data.Dataset.range(5).scan(np.int64(0), lambda s, n: (s + n, s + n))
        >>> [int(n) for n in totals]
        [0, 1, 3, 6, 10]
        """
        return self._then("_ScanDataset", Scan(self.stage, initial_state, scan_func))

    def get_single_element(self, name: str | None = None) -> Any:
        """Give the one element; raises `InvalidArgumentError` unless there is just one.

        >>> import symtape as tf
        >>> tf.data.Dataset.from_tensors(3).get_single_element()
        <tf.Tensor: shape=(), dtype=int32, numpy=3>
        """
        return single(self.stage)
