"""The global seed, and the seeds of operations that TensorFlow, run eagerly, derives from it.

With a global seed, an operation without a seed of its own takes the next number of a sequence that
Python's `random` starts from the global seed. An operation with a seed has a counter for each kind
of call (operation, dtypes, seeds), which goes on from call to call until the global seed is set.
Within a function that TensorFlow traces, seeds and states are those of its scope.
"""

from __future__ import annotations

import os
import random
import threading
from typing import Any

import numpy as np

from symtape.ops.random.drawing.philox import Stream
from symtape.ops.random.traced.scopes import Scope
from symtape.ops.random.traced.vectorized import refuse
from symtape.tensor.recording.active import changing
from symtape.tensor.within import WITHIN

_MODULUS = 2**31 - 1
DEFAULT_GLOBAL_SEED = 87654321


def fresh() -> Stream:
    """Give a stream that nobody can predict."""
    return Stream(int.from_bytes(os.urandom(8), "little"), int.from_bytes(os.urandom(16), "little"))


class Seeds:
    """The seed that the user set, the sequence that follows from it, and the counters in use."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.epoch = 0
        self.reset(None)

    def reset(self, seed: Any) -> None:
        """Start again from a seed, or from none."""
        number = None if seed is None else _number(seed)
        scope = WITHIN.scope
        if scope is not None:  # TensorFlow gives the seed to the graph that it traces
            scope.seed = number
            return
        with self._lock:
            self.epoch += 1
            self._seed = number
            self._sequence = random.Random(number)  # noqa: S311 - TensorFlow's sequence, not a secret
            self._counters: dict[tuple[Any, ...], Stream] = {}

    @property
    def given(self) -> Any:
        """The global seed that was set outside of functions, or None."""
        return self._seed

    @property
    def seed(self) -> Any:
        """The global seed that holds here, or None."""
        scope = WITHIN.scope
        return self._seed if scope is None else scope.seed

    def pair(self, seed: Any) -> tuple[int, int] | None:
        """Give the two seeds of something that draws by itself; None if nobody has set one."""
        own = None if seed is None else _number(seed)
        changing()
        scope = WITHIN.scope
        with self._lock:
            return self._seeds(own, scope)

    def _seeds(self, own: Any, scope: Scope | None) -> tuple[int, int] | None:
        """Give the global seed and that of an operation, which takes the next one if it has none.

        What a drawn seed was used for is not kept: it comes up again once in 2³¹ calls.
        """
        seed = self._seed if scope is None else scope.seed
        if own is not None:
            return _pair(DEFAULT_GLOBAL_SEED if seed is None else seed, own)
        if seed is None:
            return None
        return _pair(seed, self._sequence.randint(0, _MODULUS) if scope is None else scope.number())

    def stream(self, kind: tuple[Any, ...], seed: Any, blocks: int) -> Stream:
        """Give the stream of one call, and reserve some counters of it."""
        own = None if seed is None else _number(seed)
        changing()
        scope: Scope | None = WITHIN.scope  # before the lock: who looks may draw
        with self._lock:
            pair = self._seeds(own, scope)
            if pair is None:
                return fresh()
            if WITHIN.rows is not None:
                refuse(kind[0])
            first = Stream(pair[0], pair[1] << 64)
            if scope is not None:
                return scope.state(first, blocks)
            if own is None:
                return first
            found = self._counters.get((kind, first), first)
            self._counters[kind, first] = found.skip(blocks)
            return found


def _pair(seed: Any, own: Any) -> tuple[int, int]:
    """Put two seeds in order; two zeros would stand for no seeds."""
    pair = int(seed % _MODULUS), int(own % _MODULUS)
    return pair if pair != (0, 0) else (0, _MODULUS)


def _number(seed: Any) -> Any:
    if isinstance(seed, (int, float)):
        return seed
    if isinstance(seed, (str, bytes)) or np.ndim(seed):
        raise TypeError(f"a seed is a number, not {seed!r}")
    return int(np.asarray(seed))


SEEDS = Seeds()
