"""What each thread is doing: its active recordings, and who else wants to hear of it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from symtape.kernels.interpret import QUIET


class State:
    """What one thread is doing: its active recordings, innermost first."""

    __slots__ = ("passed", "readers", "recordings", "run", "writers")

    def __init__(self) -> None:
        self.recordings: list[Any] = []
        self.readers: list[Callable[[Any], None]] = []
        """Called with the handle of each variable that is read, recorded or not."""
        self.writers: list[Callable[[Any], None]] = []
        """Called with the handle of each variable that is about to be assigned."""
        self.run = QUIET.run
        self.passed: list[Any] | None = None
        """Functions whose own gradient was passed over, where it is."""


class Thread(threading.local):
    """The state of this thread."""

    def __init__(self) -> None:
        self.state = State()


THREAD = Thread()


@contextmanager
def recorded_by(recordings: list[Any]) -> Iterator[None]:
    """A context in which these recordings are the active ones, and no others."""
    state = THREAD.state
    before, state.recordings = state.recordings, recordings
    try:
        yield
    finally:
        state.recordings = before


def changing() -> None:
    """Tell whoever traces a function of what is done again on every call."""
    for recording in THREAD.state.recordings:
        recording.changed()


def read_setting(read: Callable[[], Any]) -> Any:
    """Read a setting; whoever traces a function that reads it compares it on each call."""
    value = read()
    for recording in THREAD.state.recordings:
        recording.depends(read, value)
    return value
