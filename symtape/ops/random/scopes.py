"""Random numbers within a function that TensorFlow traces, as those of datasets.

There, an operation without a seed of its own takes a number for it: how many such operations came
before it in the function. Each operation has a state, which goes on from call to call.
"""

from __future__ import annotations

import threading
from typing import Any

from symtape.ops.random.philox import Stream


class Scope:
    """What the operations of one function have drawn, and the functions that are made in it."""

    def __init__(self) -> None:
        self._states: dict[tuple[int, Stream], Stream] = {}
        self._inner: list[Scope] = []
        self.begin()

    def begin(self) -> None:
        """Begin a call: operations are numbered from the first on."""
        self._place = -1
        self._unseeded = -1
        self._functions = -1

    def seed(self) -> int:
        """Give the seed of the next operation that has none."""
        self._unseeded += 1
        return self._unseeded

    def state(self, first: Stream, blocks: int) -> Stream:
        """Give the state of the next operation, which begins with `first`, and reserve blocks."""
        self._place += 1
        key = (self._place, first)
        found = self._states.get(key, first)
        self._states[key] = found.skip(blocks)
        return found

    def inner(self) -> Scope:
        """Give the scope of the next function that is made, the same in each call."""
        self._functions += 1
        if self._functions == len(self._inner):
            self._inner.append(Scope())
        return self._inner[self._functions]


class Within(threading.local):
    """The scope of the function that runs in this thread, and the global seed of when it was made.

    The scope is None where no such function runs.
    """

    scope: Scope | None = None
    seed: Any = None


WITHIN = Within()
