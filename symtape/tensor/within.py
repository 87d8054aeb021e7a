"""Whether a function runs that TensorFlow traces: of `tf.function`, or of a dataset."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any


class Within(threading.local):
    """The function that runs in this thread: None, or what gives its scope when it is asked.

    `is_lifted` says that one runs, and has been left by `tf.init_scope`. `rows` has what is drawn
    for all elements of a `tf.vectorized_map`, or is None outside of one.
    """

    find: Callable[[], Any] | None = None
    is_lifted = False
    rows: Any = None

    @property
    def scope(self) -> Any:
        """The scope of random numbers of the function that runs in this thread, or None."""
        return None if self.find is None else self.find()


WITHIN = Within()
