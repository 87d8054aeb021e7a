"""Random numbers in a function that `tf.vectorized_map` calls with each element.

TensorFlow calls it once: an operation in it draws for all elements together, and each takes a row.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NoReturn

from symtape.errors import UnsupportedError
from symtape.tensor.tensor import Tensor
from symtape.tensor.within import WITHIN

Make = Callable[[tuple[int, ...]], Tensor]
"""What draws a tensor of a shape."""


class DrawnRows:
    """What was drawn for all of `count` elements, of which each takes its row in turn."""

    def __init__(self, count: int) -> None:
        self._count = count
        self._row = 0
        self._place = -1
        self._drawn: list[tuple[Any, Tensor]] = []
        self._outer = WITHIN.rows

    def each(self) -> Iterator[int]:
        """Go on from element to element."""
        for row in range(self._count):
            self._row, self._place = row, -1
            yield row

    @contextmanager
    def entered(self) -> Iterator[None]:
        """Have the operations of this thread take rows of what is drawn."""
        before, WITHIN.rows = WITHIN.rows, self
        try:
            yield
        finally:
            WITHIN.rows = before

    def draw(self, kind: Any, shape: tuple[int, ...], make: Make) -> Tensor:
        """Give the row of the next operation; the first element has `make` draw for all.

        Raises `UnsupportedError` where elements draw different things.
        """
        self._place += 1
        if self._row == 0:
            self._drawn.append(((kind, shape), self._whole(kind, (self._count, *shape), make)))
        if self._place >= len(self._drawn) or self._drawn[self._place][0] != (kind, shape):
            raise UnsupportedError(
                "vectorized_map of a function that draws other random numbers for one element "
                "than for another: call map_fn, or draw the numbers beforehand"
            )
        return self._drawn[self._place][1][self._row]

    def _whole(self, kind: Any, shape: tuple[int, ...], make: Make) -> Tensor:
        WITHIN.rows = None
        try:
            return make(shape) if self._outer is None else self._outer.draw(kind, shape, make)
        finally:
            WITHIN.rows = self


def refuse(operation: str) -> NoReturn:
    """Raise `UnsupportedError` for an operation that draws no rows."""
    raise UnsupportedError(
        f"{operation} with a seed in vectorized_map: call map_fn, whose numbers differ, or draw "
        "for all elements beforehand, and map over the numbers too"
    )
