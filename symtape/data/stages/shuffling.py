"""The order of a shuffle: a buffer that is filled and drawn from, with TensorFlow's numbers."""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from functools import partial
from itertools import islice
from typing import Any
from weakref import WeakKeyDictionary

from symtape.data.stages.base import After, Rows, Stage
from symtape.data.stages.passing import Repeat
from symtape.data.stages.resuming import END, GoesOn
from symtape.data.stages.runs import Order, ordered, root
from symtape.errors import InvalidArgumentError
from symtape.ops.random.drawing.philox import WORDS, Stream, bits
from symtape.ops.random.seeds import SEEDS, fresh

_ALL = -2
"""A buffer that takes all elements (`UNKNOWN_CARDINALITY`)."""
_FIRST, _MOST = 16, 4096
"""How many counters are drawn from at once: few first, for short runs."""


def words(stream: Stream) -> Iterator[int]:
    """Give the words of a stream, one by one.

    >>> from itertools import islice
    >>> list(islice(words(Stream(1, 0)), 2))
    [3823634032, 3842641596]
    """
    count = _FIRST
    while True:
        yield from bits(stream, count * WORDS).tolist()
        stream = stream.skip(count)
        count = min(2 * count, _MOST)


class Seeding:
    """The seeds of the runs of one dataset: one pair for all, or a new one for each run."""

    def __init__(self, seed: Any, *, anew: bool) -> None:
        found = SEEDS.pair(seed)
        self._own = Order(fresh() if found is None else stream_of(*found), 0 if anew else None)
        self._words = words(self._own.stream)

    def again(self) -> Seeding:
        """Give what draws the same seeds from the beginning."""
        made = copy(self)
        made._words = words(self._own.stream)  # noqa: SLF001 - of the same class
        return made

    def begin(self) -> Iterator[int]:
        """Give the random words of the next run; one that is run again has its own, and goes on."""
        order = ordered(self._own)
        stream, taken = order
        if taken is None:
            return words(stream)
        if order != self._own:
            self._words = islice(words(stream), taken, None)
        self._own = Order(stream, taken + 2)
        return words(stream_of(next(self._words), next(self._words)))


def stream_of(seed: int, seed2: int) -> Stream:
    """Make the stream of two seeds."""
    return Stream(seed, seed2 << 64)


class Shuffle(After):
    """The elements in random order: each is drawn from a buffer that the next ones fill."""

    def __init__(self, before: Stage, size: int, seeding: Seeding) -> None:
        super().__init__(before)
        if size < 1 and size != _ALL:
            raise InvalidArgumentError.of(
                "ShuffleDatasetV3", "buffer_size must be greater than zero or UNKNOWN_CARDINALITY"
            )
        self._size = size
        self._seeding = seeding

    def run(self) -> Iterator[Any]:
        """Draw the seeds of this run now."""
        drawn = self._seeding.begin()
        return GoesOn(partial(self._shuffled, self.before.run(), drawn, Ring()))

    @property
    def rows(self) -> Rows | None:
        """The rows, in this order."""
        rows = self.before.rows
        if rows is None:
            return None

        def begin() -> Iterator[int]:
            drawn = self._seeding.begin()
            return self._shuffled(iter(rows.places()), drawn, Ring())

        return Rows(rows.columns, begin)

    def _shuffled(self, found: Iterator[Any], drawn: Iterator[int], ring: Ring) -> Iterator[Any]:
        if self._size == _ALL:
            return _all_shuffled(found, drawn, ring)
        return shuffled(found, self._size, drawn, ring)


class ShuffleAndRepeat(After):
    """The elements in random order, several times.

    The orders of a run follow those of the run before, of the same dataset: another one that is
    made of this begins with the first order, as TensorFlow does, which copies what comes before.
    """

    def __init__(self, before: Stage, size: int, seed: Any, count: int) -> None:
        super().__init__(before)
        if count == 0:
            raise InvalidArgumentError.of(
                "ShuffleAndRepeatDataset", "count must be greater than zero or equal to -1."
            )
        self._size, self._count, self._seeding = size, count, Seeding(seed, anew=True)
        self._of: WeakKeyDictionary[Any, Seeding] = WeakKeyDictionary()
        self._shuffled()

    def _shuffled(self) -> Repeat:
        end = root() or self
        if end not in self._of:
            self._of[end] = self._seeding.again()
        return Repeat(Shuffle(self.before, self._size, self._of[end]), self._count)

    @property
    def cardinality(self) -> int:
        """The product of both numbers."""
        return self._shuffled().cardinality

    def run(self) -> Iterator[Any]:
        """Begin with the first order."""
        return self._shuffled().run()


class Ring:
    """What an order keeps: the buffer, and where in it the next element goes."""

    def __init__(self) -> None:
        self.buffer: list[Any] = []
        self.start = 0
        self.hole = False
        """Whether the place where the next element goes is empty."""


def _all_shuffled(found: Iterator[Any], drawn: Iterator[int], ring: Ring) -> Iterator[Any]:
    ring.buffer.extend(found)
    yield from shuffled(found, len(ring.buffer) or 1, drawn, ring)


def shuffled(found: Iterator[Any], size: int, drawn: Iterator[int], ring: Ring) -> Iterator[Any]:
    """Draw from a buffer, a ring whose first place takes the hole that a draw leaves.

    >>> "".join(shuffled(iter("abcdef"), 3, words(Stream(1, 2)), Ring()))
    'abdfce'
    """
    buffer, start, hole = ring.buffer, ring.start, ring.hole
    buffer.extend(islice(found, size - len(buffer)))
    left = len(buffer)
    try:
        while True:
            if hole:
                element = next(found, END)
                if element is END:
                    left -= 1
                else:
                    buffer[start] = element
                start = (start + 1) % len(buffer)
                hole = False
            if left < size or not left:
                break
            place = (start + next(drawn) % size) % size
            yield buffer[place]
            buffer[place] = buffer[start]
            hole = True
    finally:
        ring.start, ring.hole = start, hole
    while left:
        place = (start + next(drawn) % left) % len(buffer)
        yield buffer[place]
        buffer[place] = buffer[start]
        start = (start + 1) % len(buffer)
        left -= 1
