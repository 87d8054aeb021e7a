"""Words of a stream one after the other, and what TensorFlow's `SimplePhilox` makes of them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from symtape.ops.random.drawing import philox
from symtape.ops.random.drawing.philox import Stream

_CHUNK = 64
"""Words that are drawn at once."""


class Words:
    """Words of 32 bits, from the beginning of a stream on.

    >>> words = Words(Stream(1, 2))
    >>> words.below(10), words.below(8)
    (2, 5)
    """

    def __init__(self, stream: Stream) -> None:
        self._words = _without_end(stream)

    def word(self) -> int:
        """Take the next word."""
        return next(self._words)

    def unit_float(self) -> np.float32:
        """Draw a number of single precision from [0, 1)."""
        word = np.array([self.word()], np.uint32)
        return np.float32(philox.unit_floats(word, np.dtype(np.float32))[0])

    def unit_double(self) -> float:
        """Draw a number of double precision from [0, 1)."""
        high, low = self.word(), self.word()
        return ((high & 0xFFFFF) << 32 | low) / 2**52

    def below(self, count: int, size: int = 1) -> int:
        """Draw a number below another; `size` words that make small ones likelier are passed."""
        rest = 0 if not count & (count - 1) else (2 ** (32 * size) - 1) % count + 1
        while (drawn := self._number(size)) < rest:
            pass
        return drawn % count

    def _number(self, size: int) -> int:
        return sum(self.word() << 32 * k for k in range(size))


def _without_end(stream: Stream) -> Iterator[int]:
    while True:
        yield from philox.bits(stream, _CHUNK).tolist()
        stream = stream.skip(_CHUNK // philox.WORDS)
