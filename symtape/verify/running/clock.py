"""How long something is searched for: time of the processor, and no more than some by the clock."""

from __future__ import annotations

import time
from typing import NamedTuple

_WAITING = 60.0
"""So long at most, by the clock: what else the machine does decides nothing, short of that."""


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
        """Give a time of so many seconds from now."""
        return cls(time.process_time() + seconds, time.perf_counter() + _WAITING)

    @property
    def is_over(self) -> bool:
        """Whether so much time of the processor is over, or more by the clock."""
        return time.process_time() >= self.end or time.perf_counter() > self.last

    def part(self, seconds: float) -> Clock:
        """Give a time that ends with this one, or after so many seconds from now."""
        return Clock(*map(min, self, Clock.of(seconds)))

    def share(self, part: float) -> Clock:
        """Give a time that ends when such a part of what is left is over.

        >>> Clock.of(60.0).share(0.0).is_over, Clock.of(60.0).share(0.5).is_over
        (True, False)
        """
        return self.part(part * max(0.0, self.end - time.process_time()))

    def but_at_least(self, seconds: float) -> Clock:
        """Give a time that ends with this one, and not before so many seconds from now."""
        return Clock(*map(max, self, Clock.of(seconds)))
