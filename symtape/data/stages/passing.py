"""Stages whose elements are those of the stage before: some of them, again, or kept."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain, islice
from typing import Any

from symtape.data.stages.base import INFINITE, UNKNOWN, After, Rows, Stage
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


class Take(After):
    """The first elements, `count` at most; all if the count is negative."""

    def __init__(self, before: Stage, count: int) -> None:
        super().__init__(before)
        self._count = count

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
        return found if self._count < 0 else islice(found, self._count)

    @property
    def rows(self) -> Rows | None:
        """The first rows."""
        return chosen(self.before.rows, slice(None if self._count < 0 else self._count))


class Skip(After):
    """What comes after the first `count` elements; nothing if the count is negative."""

    def __init__(self, before: Stage, count: int) -> None:
        super().__init__(before)
        self._count = count

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
        return islice(self.before.run(), self._count, None)

    @property
    def rows(self) -> Rows | None:
        """The rows after the first."""
        if self._count < 0:
            return chosen(self.before.rows, slice(0))
        return chosen(self.before.rows, slice(self._count, None))


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
        return islice(self.before.run(), self._index, None, self._number)

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


class Repeat(After):
    """The elements several times, each time run anew; without end if the count is negative."""

    def __init__(self, before: Stage, count: int) -> None:
        super().__init__(before)
        self._count = count

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
        return repeated(self.before.run, self._count)

    @property
    def rows(self) -> Rows | None:
        """The rows several times."""
        rows = self.before.rows
        if rows is None:
            return None
        order = rows.order
        begin = order.__iter__ if isinstance(order, range) else order
        return Rows(rows.columns, lambda: repeated(begin, self._count))


def repeated(begin: Callable[[], Iterator[Any]], count: int) -> Iterator[Any]:
    """Chain what is begun anew; a first time without elements ends what has no end."""
    if count == 0:
        return iter(())
    return _after(begin(), begin, count)


def _after(first: Iterator[Any], begin: Callable[[], Iterator[Any]], count: int) -> Iterator[Any]:
    for found in first:
        yield found
        break
    else:
        if count < 0:
            return
    yield from first
    times = iter(int, 1) if count < 0 else range(count - 1)
    yield from chain.from_iterable(begin() for _ in times)


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
        return self._fill(self.before.run()) if self._kept is None else iter(self._kept)

    def _fill(self, found: Iterator[Any]) -> Iterator[Any]:
        kept, count = [], self.before.cardinality
        for element in found:
            kept.append(element)
            if len(kept) == count:
                self._kept = kept
            yield element
        self._kept = kept
