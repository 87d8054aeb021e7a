"""The global seed, and the seeds of operations that TensorFlow, run eagerly, derives from it.

With a global seed, an operation without a seed of its own takes the next number of a sequence that
Python's `random` starts from the global seed. An operation with a seed has a counter for each kind
of call (operation, dtypes, seeds), which goes on from call to call until the global seed is set.
"""

from __future__ import annotations

import os
import random
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from symtape.ops.random.philox import Stream
from symtape.tensor.recording.recorder import changing

_MODULUS = 2**31 - 1
_DEFAULT_GLOBAL_SEED = 87654321


def fresh() -> Stream:
    """Give a stream that nobody can predict."""
    return Stream(int.from_bytes(os.urandom(8), "little"), int.from_bytes(os.urandom(16), "little"))


class Seeds:
    """The seed that the user set, the sequence that follows from it, and the counters in use."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.reset(None)

    def reset(self, seed: Any) -> None:
        """Start again from a seed, or from none."""
        number = None if seed is None else _number(seed)
        with self._lock:
            self._seed = number
            self._sequence = random.Random(number)  # noqa: S311 - TensorFlow's sequence, not a secret
            self._counters: dict[tuple[Any, ...], Stream] = {}

    @contextmanager
    def kept(self) -> Iterator[None]:
        """Have the same state after this block as before it."""
        with self._lock:
            state = self._seed, self._sequence.getstate(), dict(self._counters)
        try:
            yield
        finally:
            with self._lock:
                self._seed, sequence, self._counters = state
                self._sequence.setstate(sequence)

    def pair(self, seed: Any) -> tuple[int, int] | None:
        """Give the two seeds of something that draws by itself; None if nobody has set one."""
        own = None if seed is None else _number(seed)
        changing()
        with self._lock:
            if own is not None:
                return _pair(_DEFAULT_GLOBAL_SEED if self._seed is None else self._seed, own)
            if self._seed is None:
                return None
            return _pair(self._seed, self._sequence.randint(0, _MODULUS))

    def stream(self, kind: tuple[Any, ...], seed: Any, blocks: int) -> Stream:
        """Give the stream of one call, and reserve some counters of it.

        What a drawn seed was used for is not kept: it comes up again once in 2³¹ calls.
        """
        own = None if seed is None else _number(seed)
        changing()
        with self._lock:
            if self._seed is None and own is None:
                return fresh()
            if own is None:
                return _stream(self._seed, self._sequence.randint(0, _MODULUS))
            first = _stream(_DEFAULT_GLOBAL_SEED if self._seed is None else self._seed, own)
            found = self._counters.get((kind, first), first)
            self._counters[kind, first] = found.skip(blocks)
            return found


def _stream(seed: Any, own: Any) -> Stream:
    """Put the global seed into the key and the operation's seed into the counter."""
    key, counter = _pair(seed, own)
    return Stream(key, counter << 64)


def _pair(seed: Any, own: Any) -> tuple[int, int]:
    pair = int(seed % _MODULUS), int(own % _MODULUS)
    return pair if pair != (0, 0) else (0, _MODULUS)


def _number(seed: Any) -> Any:
    if isinstance(seed, (int, float)):
        return seed
    if isinstance(seed, (str, bytes)) or np.ndim(seed):
        raise TypeError(f"a seed is a number, not {seed!r}")
    return int(np.asarray(seed))


SEEDS = Seeds()
