"""`tf.profiler.experimental`: profilers that can be started and stopped, and write nothing.

They raise what TensorFlow's raise. Python's own profilers see every step, since Python runs it.
"""

from __future__ import annotations

from typing import Any, NamedTuple, Self

from symtape.errors import AlreadyExistsError, UnavailableError


class ProfilerOptions(NamedTuple):
    """How much would be told of the host, of Python and of devices."""

    host_tracer_level: int = 2
    python_tracer_level: int = 0
    device_tracer_level: int = 1
    delay_ms: int | None = None


class _State:
    is_running = False


def start(logdir: str, options: ProfilerOptions | None = None) -> None:
    """Begin; nothing is written to `logdir`. Raises `AlreadyExistsError` if it has begun.

    >>> start("logs")
    >>> stop()
    """
    if _State.is_running:
        raise AlreadyExistsError(message="Another profiler is running.")
    _State.is_running = True


def stop(save: bool = True) -> None:
    """End; nothing is written. Raises `UnavailableError` if it has not begun."""
    if not _State.is_running:
        text = "Cannot export profiling results. No profiler is running."
        raise UnavailableError(message=text)
    _State.is_running = False


class Profile:
    """A context that starts a profiler, and stops it."""

    def __init__(self, logdir: str, options: ProfilerOptions | None = None) -> None:
        self._given = logdir, options

    def __enter__(self) -> None:
        start(*self._given)

    def __exit__(self, *error: object) -> None:
        stop()


class Trace:
    """A context that would give a step a name, and what is known of it.

    >>> with Trace("train", step_num=3, _r=1) as trace:
    ...     trace.set_metadata(loss=0.5)
    """

    def __init__(self, name: str, **kwargs: Any) -> None:
        self.name = name

    def __enter__(self) -> Self:
        return self

    def set_metadata(self, **kwargs: Any) -> None:
        """Do nothing: there is no profile that would hold it."""

    def __exit__(self, *error: object) -> None:
        """Do nothing."""
