"""A bounded memory of derived programs, keyed by the structure of the tape."""

from __future__ import annotations

import threading
from collections.abc import Hashable
from typing import Any, NamedTuple
from weakref import WeakSet


class CacheInfo(NamedTuple):
    """How a cache has fared; `steps` is the size of what it holds."""

    hits: int
    misses: int
    entries: int
    steps: int
    max_entries: int
    max_steps: int


class Cache:
    """Keeps values by key, up to a number of entries and a total size.

    A lookup is one dictionary access without a lock. Entries that were used since the last sweep
    get a second chance when room is needed. Values have `size` and a flag `fresh`. What
    `cache_info` counts `is_shared`; the others belong to one function each, whose `last` path is
    what it tries first.
    """

    def __init__(self, max_entries: int, max_steps: int, *, is_shared: bool = False) -> None:
        self.max_entries = max_entries
        self.max_steps = max_steps
        self._entries: dict[Hashable, Any] = {}
        self._lock = threading.Lock()
        self._steps = 0
        self.hits = 0
        self.misses = 0
        self.last: Any = None
        _ALL.add(self)
        if is_shared:
            _SHARED.append(self)

    def get(self, key: Hashable) -> Any:
        """Give the value of a key, or None."""
        found = self._entries.get(key)
        if found is None:
            self.misses += 1
        else:
            self.hits += 1
            found.fresh = True
        return found

    def put(self, key: Hashable, value: Any) -> None:
        """Remember a value, and forget others if there is no room."""
        with self._lock:
            old = self._entries.pop(key, None)
            self._steps += value.size - (old.size if old is not None else 0)
            self._entries[key] = value
            while len(self._entries) > 1 and (
                len(self._entries) > self.max_entries or self._steps > self.max_steps
            ):
                self._forget_one()

    def _forget_one(self) -> None:
        for key in list(self._entries):
            value = self._entries.pop(key)
            if not value.fresh:
                self._steps -= value.size
                return
            value.fresh = False
            self._entries[key] = value

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._entries.clear()
            self._steps = self.hits = self.misses = 0
            self.last = None

    def info(self) -> CacheInfo:
        """Say how the cache fares."""
        return CacheInfo(
            self.hits,
            self.misses,
            len(self._entries),
            self._steps,
            self.max_entries,
            self.max_steps,
        )


_ALL: WeakSet[Cache] = WeakSet()
_SHARED: list[Cache] = []


def cache_info() -> CacheInfo:
    """Say what is remembered of derived programs, and how often that helped.

    It adds up the memory of tapes and, once there is one, that of functions. Each keeps up to 1024
    structures and four million steps.

    >>> import symtape as tf
    >>> tf.cache_clear()
    >>> tf.cache_info().entries
    0
    """
    return CacheInfo(*map(sum, zip(*[cache.info() for cache in _SHARED], strict=True)))


def cache_clear() -> None:
    """Forget every derived program, those that functions have of their own, too.

    >>> cache_clear()
    """
    for cache in list(_ALL):
        cache.clear()
