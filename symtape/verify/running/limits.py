"""Code of somebody else is stopped in time, and what it raises does not stop the judge."""

from __future__ import annotations

import dis
import signal
import threading
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
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


_LOSE = frozenset({"__del__", "_xla_gc_callback"})
"""What is raised in these functions, which nobody calls, is printed and lost."""

_AGAIN = 0.1
"""After so many seconds a signal comes again that a candidate caught."""


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Stop Python code after some seconds with `TimeoutError`, in the main thread of a Unix."""
    if (
        not hasattr(signal, "setitimer")
        or threading.current_thread() is not threading.main_thread()
    ):
        yield
        return

    def stop(_: Any, frame: Any) -> None:
        code = frame.f_code
        if code.co_name not in _LOSE and code.co_filename != weakref.__file__:
            raise TimeoutError  # there it would be lost, and the signal comes again

    previous = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds, _AGAIN)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)


__all__ = ["is_asked_to_stop", "limited"]
