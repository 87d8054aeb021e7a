"""Where an element lands in a shuffle that is not made: `tf.random.experimental.index_shuffle`.

A block cipher permutes the numbers of some bits, and is asked again until a number is among those
that are shuffled (Black and Rogaway, Ciphers with arbitrary finite domains). The cipher is Simon
(Beaulieu and others, 2013) with keys of three words, few rounds, and words of any length.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from symtape.errors import UnsupportedError
from symtape.ops.arguments import allowed, check, pair, same_dtype, tensor
from symtape.tensor.decided import decided_by_look
from symtape.tensor.dispatch import invalid, listed
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import shape_of

_OP = "RandomIndexShuffle"
_KINDS = allowed("int32, uint32, int64, uint64")
_SIGNATURE = (
    "index:dtype, seed:Tseed, max_index:dtype -> output:dtype; attr=rounds:int,default=4; "
    "attr=dtype:type,allowed=[DT_INT32, DT_UINT32, DT_INT64, DT_UINT64]"
)
_FIRST = 498247692
"""The first number of three in a seed of which a caller gives two."""
_LEAST_BITS, _ROUNDS = 16, 4
_C, _Z = 0xFFFFFFFC, 0x7369F885192C0EF5
"""The constants of Simon's keys."""


def index_shuffle(index: Any, seed: Any, max_index: Any) -> Tensor:
    """Give the place of `index` in a shuffle of the numbers from 0 to `max_index`.

    `seed` is two whole numbers, or two for each index; equal ones give equal shuffles, in which no
    two indices have one place. `index` and `max_index` are scalars or vectors. Raises
    `InvalidArgumentError` for an index that is not among them, and for other shapes and dtypes.

    >>> sorted(int(index_shuffle(k, [5, 6], 4)) for k in range(5))
    [0, 1, 2, 3, 4]
    """
    given = tensor(seed)
    if not given.ndim:
        raise invalid("PadV2", "The first dimension of paddings must be the rank of inputs[1,2] []")
    numbers = np.asarray(decided_by_look(given))
    first = np.full((1, *numbers.shape[1:]), _FIRST, numbers.dtype)
    return _shuffled(index, np.concatenate([first, numbers]), max_index, _ROUNDS)


def random_index_shuffle(
    index: Any, seed: Any, max_index: Any, rounds: int = 4, name: str | None = None
) -> Tensor:
    """Give the place of `index` in a shuffle of the numbers from 0 to `max_index`.

    As `index_shuffle`, with a seed of three numbers, and a number of rounds of the cipher, which is
    even and not below 4; others raise `UnsupportedError`, for TensorFlow reads what is no key.

    >>> random_index_shuffle(0, [1, 2, 3], 9).numpy()
    np.int32(2)
    """
    if rounds < 4 or rounds % 2:
        raise UnsupportedError(
            f"tf.random_index_shuffle(rounds={rounds}): there are 4 rounds, or a greater even "
            "number; leave it out"
        )
    return _shuffled(index, seed, max_index, rounds)


def _shuffled(index: Any, seed: Any, max_index: Any, rounds: int) -> Tensor:
    places, last = pair(index, max_index)
    keys = tensor(seed)
    check(_OP, places, _KINDS, f"{_SIGNATURE}; attr=Tseed:type", "dtype")
    check(_OP, keys, _KINDS, f"{_SIGNATURE}; attr=Tseed:type", "Tseed")
    same_dtype(_OP, places, last, 2)
    count = _count(places, keys, last)
    lines = [np.asarray(decided_by_look(x)) for x in (places, last)]
    first, most = (np.broadcast_to(line, count).astype(object) for line in lines)
    rows = np.asarray(decided_by_look(keys)).astype(np.int64).astype(np.uint32)
    words = np.broadcast_to(rows, (count, 3)).tolist()
    found = [
        _placed(int(k), word, int(n), rounds) for k, word, n in zip(first, words, most, strict=True)
    ]
    made = np.array(found, lines[0].dtype)
    is_one = places.ndim == last.ndim == 0 and keys.ndim == 1
    return Tensor(made[0] if is_one else made)


def _count(index: Tensor, seed: Tensor, last: Tensor) -> int:
    """Count the results; raises `InvalidArgumentError` for shapes that do not fit."""
    sizes, keys, ends = shape_of(index), shape_of(seed), shape_of(last)
    count = max(math.prod(sizes), math.prod(ends), math.prod(keys) // 3)
    if sizes not in {(), (count,)}:
        raise invalid(_OP, "Index bust be a scalar or vector.")
    if keys not in {(3,), (count, 3)}:
        raise invalid(
            _OP,
            f"Seed must be a vector of size [3] or a matrix of size [{count}, 3] but got "
            f"{listed(keys)}.",
        )
    if ends not in {(), (count,)}:
        raise invalid(
            _OP,
            f"Maxval must be a scalar or a vector of the same size as index but got {listed(ends)}",
        )
    return count


def _placed(index: int, key: list[int], last: int, rounds: int) -> int:
    if index < 0:
        raise invalid(_OP, f"index must be >= 0 but was {index}")
    if last < 0:
        raise invalid(_OP, f"max_index must be >= 0 but was {last}")
    if last < index:
        raise invalid(_OP, f"max_index must be >= index, but {last} < {index}")
    if not last:
        return 0
    bits = math.ceil(math.log2(last))
    half = max(bits + bits % 2, _LEAST_BITS) // 2
    keys = _keys(key, rounds, half)
    while True:
        index = _encrypted(index, keys, half)
        if index <= last:
            return index


def _left(x: int, by: int, bits: int) -> int:
    return (x << by | x >> (bits - by)) & ((1 << bits) - 1)


def _keys(key: list[int], rounds: int, bits: int) -> list[int]:
    mask = (1 << bits) - 1
    keys = [word & mask for word in key]
    z = _Z & mask
    for k in range(3, rounds):
        turned = _left(keys[-1], bits - 3, bits) ^ _left(keys[-1], bits - 4, bits)
        keys.append((_C & mask) ^ (z & 1) ^ keys[k - 3] ^ turned)
        z >>= 1
    return keys


def _encrypted(value: int, keys: list[int], bits: int) -> int:
    mask = (1 << bits) - 1
    left, right = value >> bits & mask, value & mask

    def mixed(x: int) -> int:
        return _left(x, 1, bits) & _left(x, 8, bits) ^ _left(x, 2, bits)

    for k in range(0, len(keys), 2):
        left ^= mixed(right) ^ keys[k]
        right ^= mixed(left) ^ keys[k + 1]
    return left << bits | right
