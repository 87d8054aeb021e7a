"""Numbers that stand for texts, the same in every run: `tf.strings.to_hash_bucket…`.

They are TensorFlow's: `fingerprint` is Google's FarmHash (farmhashna::Hash64), `keyed` is
SipHash-2-4, and `murmured` is MurmurHash64A with TensorFlow's seed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from symtape.errors import InvalidArgumentError
from symtape.ops.attributes import attributes, integer
from symtape.ops.strings.arguments import text_of
from symtape.tensor.dispatch import invalid
from symtape.tensor.tensor import Tensor

_K0, _K1, _K2 = 0xC3A5C85C97CB3127, 0xB492B66FBE98F273, 0x9AE16A3B2F90404F
_WORD = (1 << 64) - 1


def _fetch(s: bytes, at: int, size: int = 8) -> int:
    return int.from_bytes(s[at : at + size], "little")


def _turned(x: int, by: int) -> int:
    x &= _WORD
    return (x >> by | x << (64 - by)) & _WORD


def _mixed(x: int) -> int:
    x &= _WORD
    return x ^ (x >> 47)


def _both(u: int, v: int, mul: int) -> int:
    a = _mixed((u ^ v) * mul)
    return _mixed((v ^ a) * mul) * mul & _WORD


def fingerprint(s: bytes) -> int:
    """Give FarmHash's number of 64 bits.

    >>> fingerprint(b"hello") % 1000
    296
    """
    n = len(s)
    if n <= 16:
        return _of_short(s, n)
    mul = _K2 + 2 * n
    if n <= 32:
        return _of_middle(s, n, mul)
    return _of_long(s, n, mul) if n <= 64 else _of_any(s, n)


def joined_fingerprint(first: int, second: int) -> int:
    """Give TensorFlow's number of two numbers, each of 64 bits (FingerprintCat64).

    >>> joined_fingerprint(1, 2) % 1000
    252
    """
    mul = 0xC6A4A7935BD1E995
    found = (first ^ mul ^ _mixed(second * mul) * mul) * mul
    return _mixed(_mixed(found) * mul)


def _of_short(s: bytes, n: int) -> int:
    mul = _K2 + 2 * n
    if n >= 8:
        a, b = _fetch(s, 0) + _K2, _fetch(s, n - 8)
        c, d = _turned(b, 37) * mul + a, (_turned(a, 25) + b) * mul
        return _both(c & _WORD, d & _WORD, mul)
    if n >= 4:
        return _both(n + (_fetch(s, 0, 4) << 3), _fetch(s, n - 4, 4), mul)
    if n:
        y, z = s[0] + (s[n >> 1] << 8), n + (s[n - 1] << 2)
        return _mixed(y * _K2 ^ z * _K0) * _K2 & _WORD
    return _K2


def _of_middle(s: bytes, n: int, mul: int) -> int:
    a, b = _fetch(s, 0) * _K1, _fetch(s, 8)
    c, d = _fetch(s, n - 8) * mul, _fetch(s, n - 16) * _K2
    left = _turned(a + b, 43) + _turned(c, 30) + d
    right = a + _turned(b + _K2, 18) + c
    return _both(left & _WORD, right & _WORD, mul)


def _of_long(s: bytes, n: int, mul: int) -> int:
    a, b = _fetch(s, 0) * _K2, _fetch(s, 8)
    c, d = _fetch(s, n - 8) * mul, _fetch(s, n - 16) * _K2
    y = _turned(a + b, 43) + _turned(c, 30) + d & _WORD
    z = _both(y, a + _turned(b + _K2, 18) + c & _WORD, mul)
    e, f = _fetch(s, 16) * mul, _fetch(s, 24)
    g, h = (y + _fetch(s, n - 32)) * mul, (z + _fetch(s, n - 24)) * mul
    left = _turned(e + f, 43) + _turned(g, 30) + h
    right = e + _turned(f + a, 18) + g
    return _both(left & _WORD, right & _WORD, mul)


def _weak(s: bytes, at: int, a: int, b: int) -> tuple[int, int]:
    w, x, y, z = (_fetch(s, at + 8 * k) for k in range(4))
    a += w
    b = _turned(b + a + z, 21)
    c = a
    a += x + y
    b += _turned(a, 44)
    return (a + z) & _WORD, (b + c) & _WORD


def _of_any(s: bytes, n: int) -> int:
    seed = 81
    y = seed * _K1 + 113 & _WORD
    z = _mixed(y * _K2 + 113) * _K2 & _WORD
    v = w = (0, 0)
    x = seed * _K2 + _fetch(s, 0) & _WORD
    end = (n - 1) // 64 * 64
    for at in range(0, end, 64):
        x, y, z, v, w = _round(s, at, (x, y, z, v, w), (_K1, 1))
    mul = _K1 + ((z & 255) << 1)
    w = (w[0] + (n - 1 & 63), w[1])
    v = (v[0] + w[0], v[1])
    w = (w[0] + v[0], w[1])
    x, y, z, v, w = _round(s, n - 64, (x, y, z, v, w), (mul, 9))
    left = _both(v[0], w[0], mul) + _mixed(y) * _K0 + z
    return _both(left & _WORD, _both(v[1], w[1], mul) + x & _WORD, mul)


_State = tuple[int, int, int, tuple[int, int], tuple[int, int]]


def _round(s: bytes, at: int, state: _State, by: tuple[int, int]) -> _State:
    """Take 64 bytes in; x and z change places."""
    x, y, z, v, w = state
    mul, weight = by
    x = _turned(x + y + v[0] + _fetch(s, at + 8), 37) * mul & _WORD
    y = _turned(y + v[1] + _fetch(s, at + 48), 42) * mul & _WORD
    x ^= w[1] * weight & _WORD
    y = y + v[0] * weight + _fetch(s, at + 40) & _WORD
    z = _turned(z + w[0], 33) * mul & _WORD
    v = _weak(s, at, v[1] * mul & _WORD, x + w[0])
    w = _weak(s, at + 32, z + w[1], y + _fetch(s, at + 16))
    return z, y, x, v, w


def keyed(s: bytes, key: tuple[int, int]) -> int:
    """Give the number of 64 bits of SipHash-2-4 with a key of two numbers."""
    signs = (0x736F6D6570736575, 0x646F72616E646F6D, 0x6C7967656E657261, 0x7465646279746573)
    v = [sign ^ key[k % 2] for k, sign in enumerate(signs)]
    padded = s + bytes(7 - len(s) % 8) + bytes([len(s) & 255])
    for at in range(0, len(padded), 8):
        word = _fetch(padded, at)
        v[3] ^= word
        v = _sipped(_sipped(v))
        v[0] ^= word
    v[2] ^= 255
    for _ in range(4):
        v = _sipped(v)
    return v[0] ^ v[1] ^ v[2] ^ v[3]


def _sipped(v: list[int]) -> list[int]:
    a, b, c, d = v
    a, c = a + b & _WORD, c + d & _WORD
    b, d = _turned(b, 51) ^ a, _turned(d, 48) ^ c
    a, c = _turned(a, 32) + d & _WORD, c + b & _WORD
    d, b = _turned(d, 43) ^ a, _turned(b, 47) ^ c
    return [a, b, _turned(c, 32), d]


def murmured(s: bytes) -> int:
    """Give MurmurHash64A's number of 64 bits."""
    mul, n = 0xC6A4A7935BD1E995, len(s)
    h = 0xDECAFCAFFE ^ n * mul & _WORD
    whole = n // 8 * 8
    for at in range(0, whole, 8):
        k = _fetch(s, at) * mul & _WORD
        k = (k ^ k >> 47) * mul & _WORD
        h = (h ^ k) * mul & _WORD
    if n > whole:
        h = (h ^ _fetch(s, whole)) * mul & _WORD
    h = (h ^ h >> 47) * mul & _WORD
    return h ^ h >> 47


def _buckets(op: str, value: Any, count: int, number: Callable[[bytes], int]) -> Tensor:
    texts = text_of(op, value)
    if count < 1:
        raise InvalidArgumentError(
            message=f"Value for attr 'num_buckets' of {count} must be at least minimum 1\n\t; "
            f"NodeDef: {{{{node {op}}}}}; Op<name={op}; signature=input:string -> output:int64; "
            f"attr=num_buckets:int,min=1> [Op:{op}] name: "
        )
    found = [number(text) % int(count) for text in texts.ravel()]
    return Tensor(np.array(found, np.int64).reshape(texts.shape)[()])


@attributes(num_buckets=integer())
def to_hash_bucket_fast(input: Any, num_buckets: int, name: str | None = None) -> Tensor:
    """Numbers below `num_buckets` that stand for texts, quickly found.

    >>> to_hash_bucket_fast(["a", "b"], 10).numpy()
    array([9, 2])
    """
    return _buckets("StringToHashBucketFast", input, num_buckets, fingerprint)


@attributes(num_buckets=integer())
def to_hash_bucket_strong(
    input: Any, num_buckets: int, key: Any, name: str | None = None
) -> Tensor:
    """Numbers below `num_buckets` that who does not know the key of two numbers cannot foresee.

    Raises `InvalidArgumentError` for another key.

    >>> to_hash_bucket_strong(["a", "b"], 10, [1, 2]).numpy()
    array([6, 4])
    """
    if not isinstance(key, (list, tuple)):
        told = "argument to 'string_to_hash_bucket_strong' Op"
        raise TypeError(f"Expected list for 'key' {told}, not {key!r}.")
    if len(key) != 2:
        raise invalid("StringToHashBucketStrong", "Key must have 2 elements")
    words = (int(key[0]) & _WORD, int(key[1]) & _WORD)
    return _buckets("StringToHashBucketStrong", input, num_buckets, lambda s: keyed(s, words))


@attributes(num_buckets=integer())
def to_hash_bucket(input: Any, num_buckets: int, name: str | None = None) -> Tensor:
    """Numbers below `num_buckets` that stand for texts.

    >>> to_hash_bucket(["a", "b"], 10).numpy()
    array([8, 0])
    """
    return _buckets("StringToHashBucket", input, num_buckets, murmured)
