"""Philox 4x32-10: random bits as a function of a key and a counter, and the numbers made of them.

The function is that of Salmon et al., "Parallel random numbers: as easy as 1, 2, 3" (2011). Which
bits become which number follows TensorFlow, so that equal seeds give equal numbers.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

_WORD = (1 << 32) - 1
_HALF = (1 << 64) - 1
_WHOLE = (1 << 128) - 1
_ROUNDS = 10
_MULTIPLIERS = np.array([0xD2511F53, 0xCD9E8D57], np.uint64)
_WEYL = (0x9E3779B9, 0xBB67AE85)
_LOW, _UP = np.uint64(_WORD), np.uint64(32)
_CHUNK = 1 << 14
"""As many counters at a time as the nearest memory of a processor holds."""
WORDS = 4
"""How many words of 32 bits one counter gives."""
RESERVED = 256
"""How many counters an output element reserves, so that later draws do not overlap."""


class Stream(NamedTuple):
    """Where to draw from: a key of 64 bits, and the next counter, of 128 bits."""

    key: int
    counter: int

    def skip(self, blocks: int) -> Stream:
        """Pass over some counters."""
        return Stream(self.key, (self.counter + blocks) & _WHOLE)


def scrambled(seed: tuple[int, int]) -> Stream:
    """Make the stream of a stateless seed: the seed, hashed once.

    >>> scrambled((1, 2)).counter & _HALF
    0
    """
    counter = (seed[0] & _HALF) | (seed[1] & _HALF) << 64
    first = blocks(Stream(0x02461E293EC8F720, counter), np.zeros(1, np.uint64))
    low, high = first.view(np.uint64)[0].tolist()
    return Stream(low, high << 64)


def blocks(stream: Stream, offsets: Any) -> Any:
    """Give the four words at each of some counters, counted from the stream's: shape (n, 4)."""
    start, rest = stream.counter & _HALF, stream.counter >> 64
    low = offsets + np.array([start], np.uint64)
    high = np.array([rest], np.uint64) + (low < offsets)
    first, second, third, fourth = low & _LOW, low >> _UP, high & _LOW, high >> _UP
    left, right = np.empty_like(first), np.empty_like(first)
    for one, other in _round_keys(stream.key):
        np.multiply(first, _MULTIPLIERS[0], out=left)
        np.multiply(third, _MULTIPLIERS[1], out=right)
        _mixed(right, second, one, first)
        _mixed(left, fourth, other, third)
        np.bitwise_and(right, _LOW, out=second)
        np.bitwise_and(left, _LOW, out=fourth)
    out = np.empty((len(first), WORDS), np.uint32)
    for place, words in enumerate((first, second, third, fourth)):
        out[:, place] = words
    return out


def _round_keys(key: int) -> list[Any]:
    """Give the two words of the key of each round."""
    words = (key & _WORD, key >> 32)
    keys = [
        [(w + k * step) & _WORD for w, step in zip(words, _WEYL, strict=True)]
        for k in range(_ROUNDS)
    ]
    return [*np.array(keys, np.uint64)]


def _mixed(product: Any, word: Any, key: Any, out: Any) -> None:
    """Write the upper half of a product, changed by a word and by a key."""
    np.right_shift(product, _UP, out=out)
    np.bitwise_xor(out, word, out=out)
    np.bitwise_xor(out, key, out=out)


def bits(stream: Stream, count: int) -> Any:
    """Give the first words of a stream, `count` of them or up to three more."""
    needed = -(-count // WORDS)
    out = np.empty((needed, WORDS), np.uint32)
    for start in range(0, needed, _CHUNK):
        stop = min(start + _CHUNK, needed)
        out[start:stop] = blocks(stream, np.arange(start, stop, dtype=np.uint64))
    return out.reshape(-1)


_FLOATS: dict[str, tuple[Any, int, int]] = {
    "float16": (np.uint16, 10, 15),
    "bfloat16": (np.uint16, 7, 127),
    "float32": (np.uint32, 23, 127),
    "float64": (np.uint64, 52, 1023),
}
"""Per dtype: the unsigned integer of its size, the bits of its mantissa, the exponent of 1."""


def words_per_number(dtype: np.dtype[Any]) -> int:
    """Count the words that one number takes: two for eight bytes, else one."""
    return 2 if dtype.itemsize == 8 else 1


def unit_floats(words: Any, dtype: np.dtype[Any]) -> Any:
    """Make numbers in [0, 1): the bits are the mantissa of a number in [1, 2).

    >>> unit_floats(np.array([0, 1 << 22], np.uint32), np.dtype("float32")).tolist()
    [0.0, 0.5]
    """
    unsigned, mantissa, exponent = _FLOATS[dtype.name]
    wide = words.astype(unsigned)
    if words_per_number(dtype) == 2:  # the first word is the high one
        wide = wide[0::2] << 32 | wide[1::2]
    one = np.array([exponent << mantissa], unsigned)
    return (wide & ((1 << mantissa) - 1) | one).view(dtype) - dtype.type(1)


def uniform(stream: Stream, size: int, dtype: np.dtype[Any]) -> Any:
    """Draw `size` numbers of a floating dtype from [0, 1)."""
    out = np.empty(size, dtype)
    wide = WORDS // words_per_number(dtype)
    for start in range(0, -(-size // wide), _CHUNK):
        part = out[start * wide : (start + _CHUNK) * wide]
        offsets = np.arange(start, start - (-len(part) // wide), dtype=np.uint64)
        part[:] = unit_floats(blocks(stream, offsets).reshape(-1), dtype)[: len(part)]
    return out


def full_integers(stream: Stream, size: int, dtype: np.dtype[Any]) -> Any:
    """Draw `size` integers of a dtype of 32 or 64 bits, any of them equally likely."""
    words = bits(stream, size * words_per_number(dtype))
    if words_per_number(dtype) == 2:  # the first word is the low one
        wide = words.astype(np.uint64)
        words = wide[0::2] | wide[1::2] << 32
    return words[:size].view(dtype)


def integers(stream: Stream, size: int, low: int, high: int, dtype: np.dtype[Any]) -> Any:
    """Draw `size` integers from [low, high): the remainder of full integers."""
    span, mask = high - low, (1 << 8 * dtype.itemsize) - 1
    unsigned = np.dtype(f"u{dtype.itemsize}")
    raw = full_integers(stream, size, unsigned)
    start = np.array([low & mask], unsigned)
    return (raw % np.array([span], unsigned) + start).view(dtype)
