"""Functions that are run only to see what they would give: with elements that are made up."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager


class _State(threading.local):
    """What this thread is looking for, if it is."""

    number: int | None = None


_STATE = _State()


@contextmanager
def probing(number: int) -> Iterator[None]:
    """Run what is inside to see specs alone: sizes that vary are to be `number`, or any for zero.

    >>> with probing(3):
    ...     probed()
    3
    """
    before, _STATE.number = _STATE.number, number
    try:
        yield
    finally:
        _STATE.number = before


def probed() -> int | None:
    """Give the number of `probing`; None where values count.

    >>> print(probed())
    None
    """
    return _STATE.number
