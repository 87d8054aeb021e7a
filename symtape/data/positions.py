"""Where an iterator stands, as a variable that a checkpoint keeps.

An iterator that is restored is run again from its beginning, with the orders that were drawn then.
A sum over elements tells whether it gives what it gave.
"""

from __future__ import annotations

import zlib
from itertools import islice
from typing import Any

import numpy as np

from symtape.data.elements.structures import flatten
from symtape.data.stages.base import Stage
from symtape.data.stages.runs import Order, Running
from symtape.errors import UnsupportedError
from symtape.ops.composite import CompositeTensor
from symtape.ops.random.drawing.philox import Stream
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import look_at
from symtape.tensor.variables.variable import Variable

_WORD = 2**64 - 1


class Given:
    """How many elements were given, and a sum over those since some place: the last one, at least.

    Summing begins when somebody asks for it.
    """

    __slots__ = ("count", "last", "start", "total")

    def __init__(self) -> None:
        self.count, self.last = 0, None
        self.start: int | None = None
        self.total = 0

    def add(self, element: Any) -> None:
        """Count an element."""
        self.count += 1
        self.last = element
        if self.start is not None:
            self.total = _added(self.total, element)

    def sum_from(self, start: int) -> None:
        """Begin to sum elements up."""
        if self.start is None:
            self.start = start
            self.total = _added(0, self.last) if start < self.count else 0


def _added(total: int, element: Any) -> int:
    for leaf in flatten(element):
        is_whole = isinstance(leaf, CompositeTensor)
        for tensor in leaf.components() if is_whole else [leaf]:
            if isinstance(tensor, Tensor):
                array = np.asarray(look_at(tensor))
                part = repr(array.tolist()).encode() if array.dtype.kind == "O" else array.tobytes()
                total = zlib.crc32(part, total)
    return total


class Position:
    """A variable with the place of an iterator, which moves it where it is assigned."""

    def __init__(self, stage: Stage, running: Running, given: Given) -> None:
        self._stage, self._running, self._given = stage, running, given
        given.sum_from(max(given.count - 1, 0))
        state = self._state()
        self._variable = Variable(state, trainable=False, name="position", shape=[None])
        self._version = self._variable.handle.version

    def told(self) -> Variable:
        """Give the variable, with the present place, unless it was assigned another one."""
        if not self._is_moved():
            self._variable.assign(self._state())
            self._version = self._variable.handle.version
        return self._variable

    def running(self) -> Running:
        """Give the iterator of the stage; raises `UnsupportedError` if it cannot be moved."""
        if self._is_moved():
            self._move()
        return self._running

    def _is_moved(self) -> bool:
        found: bool = self._variable.handle.version != self._version
        return found

    def _state(self) -> Any:
        given = self._given
        words = [given.count, given.start, given.total]
        for (key, counter), taken in self._running.drawn:
            words += [key, counter & _WORD, counter >> 64, _WORD if taken is None else taken]
        return np.array(words, np.uint64).view(np.int64)

    def _move(self) -> None:
        """Run the stage again up to the place that was assigned."""
        count, start, total, *words = self._variable.numpy().view(np.uint64).tolist()
        parts = zip(*[words[k::4] for k in range(4)], strict=True)
        again = [
            Order(Stream(key, low | high << 64), None if taken == _WORD else taken)
            for key, low, high, taken in parts
        ]
        self._running = Running(self._stage.run, again)
        given = Given()
        for element in islice(self._running, start):
            given.add(element)
        given.sum_from(start)
        for element in islice(self._running, count - start):
            given.add(element)
        self._version = self._variable.handle.version
        if (given.count, given.total) != (count, total):
            raise UnsupportedError(
                f"the iterator cannot go on after {count} elements, where it was saved: run again, "
                "its dataset gives others, as one does whose functions draw random numbers"
            )
        for name in Given.__slots__:
            setattr(self._given, name, getattr(given, name))
