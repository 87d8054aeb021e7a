"""`tf.train.Coordinator`: threads that stop together, and the error for which they do."""

from __future__ import annotations

import logging
import sys
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from symtape.errors import OutOfRangeError

_LOG = logging.getLogger("tensorflow")
_FIRST_WAIT = 0.001


class Coordinator:
    """Tells threads to stop, waits for them, and raises what one of them reported.

    Exceptions of `clean_stop_exception_types`, by default `OutOfRangeError`, stop threads and are
    not raised.

    >>> coordinator = Coordinator()
    >>> with coordinator.stop_on_exception():
    ...     _ = 1 / 0
    >>> coordinator.should_stop()
    True
    >>> coordinator.join([])
    Traceback (most recent call last):
    ZeroDivisionError: division by zero
    """

    def __init__(self, clean_stop_exception_types: Iterable[type] | None = None) -> None:
        kinds = (OutOfRangeError,) if clean_stop_exception_types is None else None
        self._clean: tuple[Any, ...] = kinds or tuple(clean_stop_exception_types or ())
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._reported: BaseException | None = None
        self._joined = False
        self._threads: set[threading.Thread] = set()

    @property
    def joined(self) -> bool:
        """Whether somebody has waited for the threads."""
        return self._joined

    def request_stop(self, ex: Any = None) -> None:
        """Have all threads stop; `ex` is an exception, or what `sys.exc_info()` gives of it.

        An exception that comes after `join` is raised now.
        """
        error = ex[1] if isinstance(ex, tuple) else ex
        with self._lock:
            if isinstance(error, self._clean):
                error = None
            if self._joined and error is not None:
                raise error
            if self._stop.is_set():
                return
            if error is not None and self._reported is None:
                _LOG.info("Error reported to Coordinator: %s", error)
                self._reported = error
            self._stop.set()

    def clear_stop(self) -> None:
        """Forget that threads were to stop, and why."""
        with self._lock:
            self._joined, self._reported = False, None
            self._stop.clear()

    def should_stop(self) -> bool:
        """Say whether threads are to stop."""
        return self._stop.is_set()

    @contextmanager
    def stop_on_exception(self) -> Iterator[None]:
        """A context in which an exception has all threads stop, and goes no further."""
        try:
            yield
        except:  # noqa: E722 - whatever stops a thread stops the others
            self.request_stop(ex=sys.exc_info())

    def wait_for_stop(self, timeout: float | None = None) -> bool:
        """Wait until threads are to stop, some seconds at most; say whether they are."""
        return self._stop.wait(timeout)

    def register_thread(self, thread: threading.Thread) -> None:
        """Have `join` wait for a thread."""
        with self._lock:
            self._threads.add(thread)

    def join(
        self,
        threads: Iterable[threading.Thread] | None = None,
        stop_grace_period_secs: float = 120,
        ignore_live_threads: bool = False,
    ) -> None:
        """Wait until all threads have ended, or are to stop, and then for some seconds more.

        Raises what was reported, and `RuntimeError` for threads that run on, unless they are
        ignored.
        """
        with self._lock:
            waited = [*self._threads.union(threads or ())]
        while any(t.is_alive() for t in waited) and not self.wait_for_stop(1.0):
            pass
        _give_time(waited, stop_grace_period_secs)
        running = " ".join([t.name for t in waited if t.is_alive()])
        with self._lock:
            self._joined = True
            self._threads = set()
            if self._reported is not None:
                raise self._reported
        if not running:
            return
        text = f"Coordinator stopped with threads still running: {running}"
        if not ignore_live_threads:
            raise RuntimeError(text)
        _LOG.info(text)

    def raise_requested_exception(self) -> None:
        """Raise what was reported; without that do nothing."""
        with self._lock:
            if self._reported is not None:
                raise self._reported


def _give_time(threads: list[threading.Thread], seconds: float) -> None:
    """Wait for threads to end, with pauses that grow."""
    pause = _FIRST_WAIT
    while any(t.is_alive() for t in threads) and seconds >= 0:
        time.sleep(pause)
        seconds -= pause
        pause = max(min(2 * pause, seconds), _FIRST_WAIT)
