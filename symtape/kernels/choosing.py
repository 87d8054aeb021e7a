"""Choices element by element, which cost the same whatever is chosen.

NumPy branches at each element. Where conditions come in no order, as signs of random numbers do, a
processor guesses half of the branches wrong, and a choice takes ten times as long as one without.
"""

from __future__ import annotations

from typing import Any

import numpy as np

Array = Any
"""A NumPy array or scalar."""

_SEVERAL = 2**13
"""Elements of which a choice takes longer than to ask in which order conditions come."""
_LOOKED_AT = 2**11
_FEW = 2**5
"""So many changes of a condition among those a processor guesses well."""
_BLOCK = 2**14
_BITS = {4: np.dtype(np.int32), 8: np.dtype(np.int64)}


def select(condition: Array, x: Array, y: Array) -> Array:
    """Choose elementwise; a scalar choice is a NumPy scalar."""
    if np.size(condition) >= _SEVERAL and _is_mixed(condition):
        dtype = np.result_type(x, y)
        a, b = _plain(x, condition, dtype), _plain(y, condition, dtype)
        if a is not None and b is not None:
            return _by_bits(condition, a, b, np.empty(condition.shape, dtype))
    chosen: Array = np.where(condition, x, y)
    return chosen[()]


def _is_mixed(condition: Array) -> bool:
    """Say whether the first conditions change often, and all of them lie in line."""
    if condition.dtype.char != "?" or not condition.flags.c_contiguous:
        return False
    first = condition.reshape(-1)[:_LOOKED_AT]
    return bool(np.count_nonzero(first[1:] != first[:-1]) > _FEW)


def _plain(x: Array, condition: Array, dtype: Any) -> Array | None:
    """Give bits in line, or of one number; None where elements are spread or converted."""
    if dtype.kind not in "fiu" or dtype.itemsize not in _BITS:
        return None
    bits = _BITS[dtype.itemsize]
    if np.ndim(x) == 0:
        return np.array(x, dtype).view(bits)
    if x.dtype != dtype or x.shape != condition.shape or not x.flags.c_contiguous:
        return None
    return x.reshape(-1).view(bits)


def _by_bits(condition: Array, a: Array, b: Array, out: Array) -> Array:
    """Give b ^ ((a ^ b) & mask), in blocks that stay in the cache."""
    chosen, flat = condition.reshape(-1).view(np.int8), out.reshape(-1).view(a.dtype)
    for i in range(0, flat.size, _BLOCK):
        part = slice(i, i + _BLOCK)
        mask = np.negative(chosen[part]).astype(a.dtype)
        own, other = (bits[part] if bits.ndim else bits for bits in (a, b))
        mask &= own ^ other
        np.bitwise_xor(mask, other, out=flat[part])
    return out
