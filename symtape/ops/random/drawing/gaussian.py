"""Normal numbers from uniform ones by Box and Muller, rounded as the C library rounds.

TensorFlow computes in float32 what it returns as float32, with the C library's `logf`, `sinf` and
`cosf`. Each of these evaluates one polynomial in float64 and rounds once; the same polynomials here
give the same bits as glibc 2.28 and later. In float64 NumPy's `log` differs from the C library's
in the last digit on some processors, so Python's is taken.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from symtape.ops.random.drawing.philox import RESERVED, WORDS, Stream, blocks, uniform, unit_floats

_SMALLEST = 1e-7
_CUT = 2.0
FLOAT32 = np.dtype(np.float32)
FLOAT64 = np.dtype(np.float64)


def normal(stream: Stream, size: int, dtype: np.dtype[Any]) -> Any:
    """Draw `size` numbers from the normal distribution of mean 0 and deviation 1."""
    inner = _computed_in(dtype)
    return box_muller(uniform(stream, size + size % 2, inner))[:size].astype(dtype, copy=False)


def truncated_normal(stream: Stream, size: int, dtype: np.dtype[Any]) -> Any:
    """Draw `size` normal numbers of magnitude below 2.

    Each group of numbers that one counter would fill has counters of its own, from which it takes
    what is small enough until it is full.
    """
    inner = _computed_in(dtype)
    width = WORDS if inner == FLOAT32 else WORDS // 2
    groups = -(-size // width)
    out = np.empty((groups, width), inner)
    first = np.arange(groups, dtype=np.uint64) * (width * RESERVED // WORDS)
    for start in range(0, groups, _GROUPS):
        at = slice(start, start + _GROUPS)
        _fill_all(stream, first[at], out[at])
    return out.reshape(-1)[:size].astype(dtype, copy=False)


_GROUPS = 1 << 12
"""As many groups at a time as the nearest memory of a processor holds."""


def _fill_all(stream: Stream, first: Any, out: Any) -> None:
    """Fill groups, of which each begins at a counter of its own."""
    width = out.shape[1]
    filled = np.zeros(len(out), int)
    pending = np.arange(len(out))
    while pending.size:
        words = blocks(stream, first[pending])
        drawn = box_muller(unit_floats(words.reshape(-1), out.dtype)).reshape(-1, width)
        _fill(out, filled, pending, drawn)
        first[pending] += np.uint64(1)
        pending = pending[filled[pending] < width]


def _fill(out: Any, filled: Any, pending: Any, drawn: Any) -> None:
    """Append to each pending row of `out` the numbers of its row that are small enough."""
    small = np.abs(drawn) < _CUT
    places = filled[pending, np.newaxis] + np.cumsum(small, axis=1) - 1
    row, column = np.nonzero(small & (places < out.shape[1]))
    out[pending[row], places[row, column]] = drawn[row, column]
    filled[pending] += small.sum(axis=1)


def _computed_in(dtype: np.dtype[Any]) -> np.dtype[Any]:
    return FLOAT64 if dtype == FLOAT64 else FLOAT32


def box_muller(uniforms: Any) -> Any:
    """Turn pairs u, v into pairs √(-2 log u) sin 2πv, √(-2 log u) cos 2πv."""
    out = np.empty_like(uniforms)
    for start in range(0, len(uniforms), _CHUNK):
        at = slice(start, start + _CHUNK)
        _turn(uniforms[at], out[at])
    return out


_CHUNK = 1 << 14
"""As many numbers at a time as the nearest memory of a processor holds; it is even."""


def _turn(uniforms: Any, out: Any) -> None:
    u, v = np.maximum(uniforms[0::2], uniforms.dtype.type(_SMALLEST)), uniforms[1::2]
    if uniforms.dtype == FLOAT64:
        angle = 2 * np.pi * v
        out[0::2], out[1::2] = np.sin(angle), np.cos(angle)
    else:
        angle = (2 * np.pi * v.astype(FLOAT64)).astype(FLOAT32)
        out[0::2], out[1::2] = _sin_cos(angle)
    radius = np.sqrt(-2 * logarithm(u))
    out[0::2] *= radius
    out[1::2] *= radius


def logarithm(x: Any) -> Any:
    """Give log x of an array of positive numbers, as the C library has it."""
    if x.dtype == FLOAT32:
        return _log(x)
    return np.array([math.log(v) for v in x.ravel().tolist()]).reshape(x.shape)


# --- float32 functions as glibc has them; the coefficients are those of Arm's Optimized Routines --


def _hexadecimal(*digits: str) -> Any:
    return np.array([float.fromhex(number) for number in digits])


_LOWEST = 0x3F330000
"""The bits of a float32 near 0.7: a logarithm is reduced to arguments from there to its double."""
_INVERSES = _hexadecimal(
    *("0x1.661ec79f8f3bep+0", "0x1.571ed4aaf883dp+0", "0x1.49539f0f010bp+0"),
    *("0x1.3c995b0b80385p+0", "0x1.30d190c8864a5p+0", "0x1.25e227b0b8eap+0"),
    *("0x1.1bb4a4a1a343fp+0", "0x1.12358f08ae5bap+0", "0x1.0953f419900a7p+0"),
    *("0x1p+0", "0x1.e608cfd9a47acp-1", "0x1.ca4b31f026aap-1", "0x1.b2036576afce6p-1"),
    *("0x1.9c2d163a1aa2dp-1", "0x1.886e6037841edp-1", "0x1.767dcf5534862p-1"),
)
"""The inverse of a number near the middle of each sixteenth of that range."""
_LOGARITHMS = np.array([-math.log(x) for x in _INVERSES.tolist()])
_LOG = _hexadecimal("-0x1.00ea348b88334p-2", "0x1.5575b0be00b6ap-2", "-0x1.ffffef20a4123p-2")
_SIN = _hexadecimal("-0x1.555545995a603p-3", "0x1.1107605230bc4p-7", "-0x1.994eb3774cf24p-13")
_COS = _hexadecimal(
    *("-0x1.ffffffd0c621cp-2", "0x1.55553e1068f19p-5"),
    *("-0x1.6c087e89a359dp-10", "0x1.99343027bf8c3p-16"),
)


def _log(x: Any) -> Any:
    """Give log x = k log 2 - log c + log(1 + r), where x = 2ᵏ z and r = z c - 1."""
    shifted = x.view(np.int32) - _LOWEST
    part, k = shifted >> 19 & 15, shifted >> 23
    z = (x.view(np.int32) - (k << 23)).view(FLOAT32).astype(FLOAT64)
    r = z * _INVERSES[part] - 1
    whole = _LOGARITHMS[part] + k * math.log(2)
    square = r * r
    series = _LOG[0] * square + (_LOG[1] * r + _LOG[2])
    return (series * square + (whole + r)).astype(FLOAT32)


def _sin_cos(angle: Any) -> tuple[Any, Any]:
    """Give the sine and cosine of float32 angles from 0 to 2π, reduced to less than π/4."""
    wide = angle.astype(FLOAT64)
    scaled = wide * (float.fromhex("0x1.45f306dc9c883p-1") * 2**24)
    quarter = scaled.astype(np.int32) + (1 << 23) >> 24
    x = wide - quarter * (np.pi / 2)
    s = x * x
    sine = x + x * s * _SIN[0] + x * s * s * (_SIN[1] + s * _SIN[2])
    cosine = 1 + s * _COS[0] + s * s * _COS[1] + s * s * s * (_COS[2] + s * _COS[3])
    sine, cosine = sine.astype(FLOAT32), cosine.astype(FLOAT32)
    swapped = quarter & 1 == 1
    up, across = np.where(swapped, cosine, sine), np.where(swapped, sine, cosine)
    return np.where(quarter & 2, -up, up), np.where(quarter + 1 & 2, -across, across)
