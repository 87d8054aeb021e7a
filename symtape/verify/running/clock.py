"""How long something is searched for: time of the processor, and no more than some by the clock.

A slow machine, or other threads of the process, as those that compile for JAX, may take most of it;
so what is likely is tried whatever the time (`Tries`).
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from typing import NamedTuple, TypeVar

T = TypeVar("T")

_WAITING = 60.0
"""So long at most, by the clock: what else the machine does decides nothing, short of that."""


PATIENCE = 1.0
"""So many times as long is searched: a test of what can be found waits longer than a user."""

_TIMES = 2
"""So many times as long may what is tried at least take."""


class Clock(NamedTuple):
    """A time that ends; what is searched for asks whether it is over.

    >>> Clock.of(60.0).is_over, Clock.of(0.0).is_over
    (False, True)
    >>> Clock.of(0.0).part(60.0).is_over, Clock.of(0.0).but_at_least(60.0).is_over
    (True, False)
    """

    end: float
    last: float

    @classmethod
    def of(cls, seconds: float) -> Clock:
        """Give a time of so many seconds from now, or more for who is patient."""
        own = seconds * PATIENCE
        return cls(time.process_time() + own, time.perf_counter() + _WAITING * PATIENCE)

    @property
    def is_over(self) -> bool:
        """Whether so much time of the processor is over, or more by the clock."""
        return time.process_time() >= self.end or time.perf_counter() > self.last

    @property
    def left(self) -> float:
        """How much time of the processor is left."""
        return max(0.0, self.end - time.process_time())

    def part(self, seconds: float) -> Clock:
        """Give a time that ends with this one, or after so many seconds from now."""
        return Clock(*map(min, self, Clock.of(seconds)))

    def share(self, part: float) -> Clock:
        """Give a time that ends when such a part of what is left is over.

        >>> Clock.of(60.0).share(0.0).is_over, Clock.of(60.0).share(0.5).is_over
        (True, False)
        """
        return self.part(part * self.left)

    def later(self, seconds: float) -> Clock:
        """Give a time that ends so many seconds later."""
        return Clock(self.end + seconds, self.last + seconds)

    def but_at_least(self, seconds: float) -> Clock:
        """Give a time that ends with this one, and not before so many seconds from now."""
        return Clock(*map(max, self, Clock.of(seconds)))


class Tries:
    """What is tried as long as there is time; so often at least, while there is twice as much.

    So what is found early is found on a slow machine, too.

    >>> tries = Tries(Clock.of(0.0), 2)
    >>> tries.are_over
    True
    >>> tries = Tries(Clock.of(60.0), 2)
    >>> tries.clock = Clock.of(0.0)  # its time is over
    >>> tries.are_over, tries.count(), tries.are_over, tries.count(), tries.are_over
    (False, None, False, None, True)
    """

    def __init__(self, clock: Clock, least: int) -> None:
        self.clock, self.longer = clock, clock.later((_TIMES - 1) * clock.left)
        self.least, self.done = least, 0

    def count(self) -> None:
        """Count a try."""
        self.done += 1

    def each(self, things: Iterable[T]) -> Iterator[T]:
        """Go through things, each a try, as long as there is time; the first is always tried."""
        for thing in things:
            yield thing
            self.count()
            if self.are_over:
                return

    def wait(self, seconds: float) -> None:
        """Go on for some seconds more, which something else has taken."""
        self.clock, self.longer = self.clock.later(seconds), self.longer.later(seconds)

    @property
    def are_over(self) -> bool:
        """Whether nothing more is tried."""
        return self.clock.is_over and (self.done >= self.least or self.longer.is_over)
