"""Loops of Python over the rows of a tensor, which can be told to end sooner."""

from __future__ import annotations

import dis
import sys
import threading
import weakref
from collections.abc import Callable
from types import CodeType, FrameType
from typing import Any

_JUMPS = {*dis.hasjrel, *dis.hasjabs}


class Rows:
    """An iterator that gives `element(0)`, `element(1)` and so on, as long as they are below `end`.

    >>> [*Rows(float, 2)]
    [0.0, 1.0]
    """

    def __init__(self, element: Callable[[int], Any], end: int) -> None:
        self.element = element
        self.place = 0
        self.end = end

    def __iter__(self) -> Rows:
        return self

    def __next__(self) -> Any:
        if self.place >= self.end:
            raise StopIteration
        frame = sys._getframe(1)  # noqa: SLF001 - there is no public name of it
        _LATEST.step = weakref.ref(self), id(frame), frame.f_lasti
        self.place += 1
        return self.element(self.place - 1)


class _Latest(threading.local):
    """Which iterator was asked last, and where: the frame, not kept, and the place in its code."""

    step: tuple[weakref.ref[Rows], int, int] | None = None


_LATEST = _Latest()


def end_loop_after(steps: int) -> bool:
    """Have the loop over rows whose body begins with this call end after so many steps.

    Gives False where no such loop has just begun a step there: what begins a body is reached
    without a jump from where the loop asks for a row.

    >>> end_loop_after(3)
    False
    """
    rows, number, asked = _LATEST.step or (lambda: None, 0, 0)
    found = rows()
    frame: FrameType | None = sys._getframe(1)  # noqa: SLF001 - there is no public name of it
    while frame is not None and id(frame) != number:
        frame = frame.f_back
    if found is None or frame is None or _jumps(frame.f_code, asked, frame.f_lasti):
        return False
    if found.place > steps:
        return False  # the body runs once more than it may already
    found.end = min(found.end, steps)
    return True


def _jumps(code: CodeType, first: int, last: int) -> bool:
    """Say whether code jumps between two places in it, or lies in another order."""
    between = (i.opcode for i in dis.get_instructions(code) if first < i.offset <= last)
    return first > last or not _JUMPS.isdisjoint(between)
