"""Code of somebody else is stopped in time, and what it raises does not stop the judge."""

from __future__ import annotations

import dis
import gc
import signal
import threading
import time
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

_RAISE = dis.opmap["RAISE_VARARGS"]


def is_asked_to_stop(error: BaseException) -> bool:
    """Say whether somebody interrupts the program, and not a statement of the candidate's.

    A signal comes between two instructions, or in a handler, and no `raise` of the candidate's.
    """
    if not isinstance(error, KeyboardInterrupt):
        return False
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    if trace is None:
        return True
    code = trace.tb_frame.f_code
    handler = getattr(signal.getsignal(signal.SIGINT), "__code__", None)
    return code is handler or code.co_code[trace.tb_lasti] != _RAISE


def _is_lost(frame: FrameType | None) -> bool:
    """Say whether what is raised here is printed and lost: in what Python calls by itself."""
    callbacks = [getattr(callback, "__code__", None) for callback in gc.callbacks]
    while frame is not None:
        code = frame.f_code
        if code.co_name == "__del__" or code.co_filename == weakref.__file__ or code in callbacks:
            return True
        frame = frame.f_back
    return False


_AGAIN = 0.1
"""After so many seconds a signal comes again that a candidate caught."""

_SOON = 1e-6
"""So soon comes the signal of an outer limit whose time is over."""


@contextmanager
def limited(seconds: float, *, waiting: float = 0.0) -> Iterator[None]:
    """Stop Python code after some seconds with `TimeoutError`, in the main thread of a Unix.

    With `waiting`, they are seconds of the thread's own, so that nothing else that the machine does
    decides, and so many by the clock at most. One limit may stand within another: the time of the
    outer one goes on. Raises `ValueError` for what is no positive number.
    """
    if not (isinstance(seconds, (int, float)) and seconds > 0):
        raise ValueError(f"seconds= is a positive number, and not {seconds!r}")
    if (
        not hasattr(signal, "setitimer")
        or threading.current_thread() is not threading.main_thread()
    ):
        yield
        return

    def stop(_: Any, frame: Any) -> None:
        is_over = time.thread_time() >= work or time.monotonic() >= last
        if is_over and not _is_lost(frame):
            raise TimeoutError  # where it would be lost, the signal comes again

    begin, work = time.monotonic(), time.thread_time() + seconds
    last = begin + max(seconds, waiting)
    previous = signal.signal(signal.SIGALRM, stop)
    left, again = signal.setitimer(signal.ITIMER_REAL, seconds, _AGAIN)
    if left:
        last = min(last, begin + left)
        signal.setitimer(signal.ITIMER_REAL, min(left, seconds), _AGAIN)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)
        if left:
            rest = left - (time.monotonic() - begin)
            signal.setitimer(signal.ITIMER_REAL, max(rest, _SOON), again)
