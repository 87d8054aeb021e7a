"""Stages whose elements are those of the stage before: some of them, again, or kept."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from functools import partial
from itertools import chain, islice, repeat, starmap
from typing import Any

from symtape.data.stages.base import INFINITE, UNKNOWN, After, Rows, Stage
from symtape.data.stages.resuming import END, GoesOn
from symtape.errors import InvalidArgumentError


class Same(After):
    """All elements as they are: what prefetches, and what holds options."""

    def run(self) -> Iterator[Any]:
        """Run the stage before."""
        return self.before.run()

    @property
    def rows(self) -> Rows | None:
        """The rows of the stage before."""
        return self.before.rows


class OfCount(After):
    """What depends on a number of elements, or of times."""

    def __init__(self, before: Stage, count: int) -> None:
        super().__init__(before)
        self._count = count


class Take(OfCount):
    """The first elements, `count` at most; all if the count is negative."""

    @property
    def cardinality(self) -> int:
        """The smaller of both numbers."""
        whole = self.before.cardinality
        if self._count < 0 or whole == UNKNOWN:
            return whole
        return self._count if whole == INFINITE else min(whole, self._count)

    def run(self) -> Iterator[Any]:
        """Stop early, without asking for an element too many."""
        found = self.before.run()
        return found if self._count < 0 else GoesOn(partial(_first, found, [self._count]))

    @property
    def rows(self) -> Rows | None:
        """The first rows."""
        return chosen(self.before.rows, slice(None if self._count < 0 else self._count))


def _first(found: Iterator[Any], left: list[int]) -> Iterator[Any]:
    while left[0] > 0:
        element = next(found, END)
        if element is END:
            return
        left[0] -= 1
        yield element


class Skip(OfCount):
    """What comes after the first `count` elements; nothing if the count is negative."""

    @property
    def cardinality(self) -> int:
        """What is left."""
        whole = self.before.cardinality
        if whole < 0:
            return whole  # also where nothing is left, as TensorFlow counts
        return 0 if self._count < 0 else max(0, whole - self._count)

    def run(self) -> Iterator[Any]:
        """Ask for the elements that are not wanted first."""
        if self._count < 0:
            return iter(())
        return GoesOn(partial(_rest, self.before.run(), [self._count]))

    @property
    def rows(self) -> Rows | None:
        """The rows after the first."""
        if self._count < 0:
            return chosen(self.before.rows, slice(0))
        return chosen(self.before.rows, slice(self._count, None))


def _rest(found: Iterator[Any], left: list[int]) -> Iterator[Any]:
    """Pass over the first ones; after an error among them it begins to count anew."""
    deque(islice(found, left[0]), maxlen=0)
    left[0] = 0
    yield from found


class Shard(After):
    """Each element whose place, divided by a number, leaves a remainder."""

    def __init__(self, before: Stage, number: int, index: int) -> None:
        super().__init__(before)
        if number < 1:
            raise InvalidArgumentError.of(
                "ShardDataset",
                f"Number of shards must be greater than zero (currently num_shards = {number}).",
            )
        if not 0 <= index < number:
            raise InvalidArgumentError.of(
                "ShardDataset",
                f"Index must be between 0 and {number - 1} (currently index = {index}).",
            )
        self._number = number
        self._index = index

    @property
    def cardinality(self) -> int:
        """A share of the elements."""
        whole = self.before.cardinality
        return whole if whole < 0 else len(range(self._index, whole, self._number))

    def run(self) -> Iterator[Any]:
        """Pass over the others."""
        return GoesOn(partial(self._share, self.before.run(), [0]))

    def _share(self, found: Iterator[Any], place: list[int]) -> Iterator[Any]:
        while True:
            wanted = (self._index - place[0]) % self._number
            passed = sum(1 for _ in islice(found, wanted))
            place[0] += passed
            element = next(found, END)
            if element is END:
                return
            place[0] += 1
            yield element

    @property
    def rows(self) -> Rows | None:
        """Each row of this share."""
        return chosen(self.before.rows, slice(self._index, None, self._number))


def chosen(rows: Rows | None, places: slice) -> Rows | None:
    """Give some of the rows."""
    if rows is None:
        return None
    order = rows.order
    if isinstance(order, range):
        return Rows(rows.columns, order[places])
    start, step = places.start or 0, places.step or 1
    return Rows(rows.columns, lambda: islice(order(), start, places.stop, step))


class Repeat(OfCount):
    """The elements several times, each time run anew; without end if the count is negative."""

    @property
    def cardinality(self) -> int:
        """The product of both numbers."""
        whole = self.before.cardinality
        if self._count == 0:
            return 0
        if self._count < 0:
            return whole if whole == 0 else INFINITE
        return whole if whole < 0 else whole * self._count

    def run(self) -> Iterator[Any]:
        """Begin the first time now, and each other time when the one before is over."""
        if self._count == 0:
            return iter(())
        return GoesOn(partial(_again, _Times(self.before.run, self._count)))

    @property
    def rows(self) -> Rows | None:
        """The rows several times."""
        rows = self.before.rows
        if rows is None:
            return None
        order = rows.order
        begin = order.__iter__ if isinstance(order, range) else order
        return Rows(rows.columns, lambda: repeated(begin, self._count))


class _Times:
    """What is begun again and again: the run of this time, and how many come after it."""

    def __init__(self, begin: Callable[[], Iterator[Any]], count: int) -> None:
        self.begin = begin
        self.left = count - 1 if count > 0 else -1
        self.found = begin()
        self.is_empty = True
        """Whether this time had no element so far."""


def _again(times: _Times) -> Iterator[Any]:
    """Give all elements of each time; a time without elements ends what has no end."""
    while True:
        for element in times.found:
            times.is_empty = False
            yield element
        if times.left == 0 or (times.left < 0 and times.is_empty):
            return
        times.left -= times.left > 0
        times.found, times.is_empty = times.begin(), True


def repeated(begin: Callable[[], Iterator[Any]], count: int) -> Iterator[Any]:
    """Chain orders, which do not fail."""
    if count < 0:
        return _again(_Times(begin, count))
    return chain.from_iterable(starmap(begin, repeat((), count)))


class Cache(After):
    """The elements of the first run that came to its end, kept for all later ones.

    Where it is known how many there are, a run is at its end with the last of them, and nobody has
    to ask for one more.
    """

    def __init__(self, before: Stage) -> None:
        super().__init__(before)
        self._kept: list[Any] | None = None

    @property
    def rows(self) -> Rows | None:
        """Rows in an order that never changes; others are kept as elements."""
        rows = self.before.rows
        return rows if rows is not None and isinstance(rows.order, range) else None

    def run(self) -> Iterator[Any]:
        """Give what is kept, or run and keep."""
        if self.rows is not None:
            return super().run()
        if self._kept is not None:
            return iter(self._kept)
        return GoesOn(partial(self._fill, self.before.run(), []))

    def _fill(self, found: Iterator[Any], kept: list[Any]) -> Iterator[Any]:
        count = self.before.cardinality
        for element in found:
            kept.append(element)
            if len(kept) == count:
                self._kept = kept
            yield element
        self._kept = kept
