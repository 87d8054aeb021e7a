"""What a candidate calls the steps that it makes, and the lines that make them."""

from __future__ import annotations

import linecache
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from typing import Any

from symtape.tensor.recording.active import THREAD
from symtape.verify.running.written import written_of


class Author:
    """How the author of a candidate speaks of steps: their names and lines, by their positions.

    These are positions in the program, in which derivatives are opened up, and are known when all
    is recorded.
    """

    def __init__(self) -> None:
        self._recording: Any = None
        self._named: dict[int, str] = {}
        self._recorded: list[tuple[int, int]] = []
        self._file = ""

    @cached_property
    def names(self) -> dict[int, str]:
        """What the variables of the author hold."""
        return {self._places[p]: name for p, name in self._named.items()}

    @cached_property
    def _ends(self) -> list[tuple[int, int]]:
        """Where the steps end that came before a line, and which line that is."""
        return [(self._places[p - 1] + 1 if p else 0, line) for p, line in self._recorded]

    @cached_property
    def _places(self) -> Sequence[int]:
        """The place in the program of each recorded position."""
        return () if self._recording is None else self._recording.positions()

    @contextmanager
    def watches(self, candidate: Any) -> Iterator[None]:
        """See which line of a candidate runs, and what its variables hold when it ends."""
        own = written_of(candidate)
        if own is None:
            yield
            return
        code = own.function.__code__
        recording = THREAD.state.recordings[-1]
        held: dict[str, Any] = {}
        self._recorded, self._file, self._recording = [], code.co_filename, recording
        line = code.co_firstlineno

        def begin(frame: Any, _: str, __: Any) -> Any:
            return look if frame.f_code is code else None

        def look(frame: Any, event: str, _: Any) -> Any:
            nonlocal line
            self._recorded.append((len(recording.steps), line))
            line = frame.f_lineno
            if event == "return":
                held.update(frame.f_locals)
            return look

        before = sys.gettrace()
        sys.settrace(begin)
        try:
            yield
        finally:
            sys.settrace(before)
        self._named = {}
        for name, x in held.items():
            if id(x) in recording.known:
                self._named.setdefault(recording.known[id(x)], name)

    def place(self, p: int) -> tuple[int, int] | None:
        """Give the line that made a step, and how many steps it made before in the same turn."""
        begin = self._ends[0][0] if self._ends else p + 1
        if p < begin:
            return None
        for end, number in self._ends:
            if p < end:
                return number, p - begin
            begin = end
        return None

    def made(self, p: int) -> str:
        """Say which line made a step, and whether with more after it; empty if it is not known.

        A line that returns is often the whole function, and says nothing.
        """
        if not self._ends or p < self._ends[0][0]:
            return ""
        for end, number in self._ends:
            if p < end:
                text = linecache.getline(self._file, number).strip()
                part = "" if p == end - 1 else "a part of "
                is_told = text and not text.startswith("return")
                return f"{part}what `{text}` (line {number}) computes" if is_told else ""
        return ""


NOBODY = Author()
"""One that says nothing."""
