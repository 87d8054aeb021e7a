"""Gamma, Poisson and binomial numbers, drawn as TensorFlow draws them: each from its own stream.

An output element has counters of its own, from which it takes pairs of doubles until a candidate
is accepted: Marsaglia and Tsang, "A simple method for generating gamma variables" (2000); Knuth's
product of uniform numbers for small rates, and Hörmann, "The transformed rejection method for
generating Poisson random variables" (1993), for others; for binomial ones sums of geometric
numbers, and Hörmann, "The generation of binomial random variates" (1993).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from symtape.ops.random.drawing.gaussian import FLOAT64, box_muller
from symtape.ops.random.drawing.philox import RESERVED, Stream, blocks, unit_floats

_LARGE = 10.0
"""The rate from which on candidates are rejected instead of multiplied up."""


class _Lanes:
    """A generator for each output element: both numbers of a counter are taken, the last first."""

    def __init__(self, stream: Stream, count: int, reserved: Any = RESERVED) -> None:
        self._stream = stream
        self._next = np.arange(count, dtype=np.uint64) * np.asarray(reserved, np.uint64)
        self._held = {name: np.zeros((count, 2)) for name in ("normal", "uniform")}
        self._left = {name: np.zeros(count, int) for name in ("normal", "uniform")}

    def normal(self, of: Any) -> Any:
        """Take a normal number for each of some elements."""
        return self._take("normal", of)

    def uniform(self, of: Any) -> Any:
        """Take a number from [0, 1) for each of some elements."""
        return self._take("uniform", of)

    def _take(self, kind: str, of: Any) -> Any:
        held, left = self._held[kind], self._left[kind]
        empty = of[left[of] == 0]
        if empty.size:
            drawn = unit_floats(blocks(self._stream, self._next[empty]).reshape(-1), FLOAT64)
            held[empty] = (box_muller(drawn) if kind == "normal" else drawn).reshape(-1, 2)
            self._next[empty] += np.uint64(1)
            left[empty] = 2
        left[of] -= 1
        return held[of, left[of]]


def gamma(stream: Stream, alpha: Any, repeats: int) -> Any:
    """Draw from gamma distributions: shape (repeats, size of `alpha`), in double precision."""
    a = np.repeat(np.ravel(alpha).astype(np.float64), repeats)
    lanes, out = _Lanes(stream, a.size), np.empty(a.size)
    simple = np.flatnonzero(a == 1.0)
    out[simple] = -np.log1p(-lanes.uniform(simple))
    small = a < 1.0
    with np.errstate(all="ignore"):  # of a shape below 0 TensorFlow never finds a number
        d = a + np.where(small, 2.0 / 3, -1.0 / 3)
        c = 1.0 / 3 / np.sqrt(d)
        left = np.flatnonzero(a != 1.0)
        out[left[np.isnan(c[left])]] = np.nan
        left = left[~np.isnan(c[left])]
        while left.size:
            x = lanes.normal(left)
            v = (1.0 + c[left] * x) ** 3
            at, x, v = left[v > 0], x[v > 0], v[v > 0]
            u = lanes.uniform(at)
            takes = u < 1 - 0.0331 * (x * x) * (x * x)
            takes |= np.log(u) < 0.5 * x * x + d[at] * (1 - v + np.log(v))
            done = at[takes]
            out[done] = d[done] * v[takes]
            few = done[small[done]]
            out[few] *= lanes.uniform(few) ** (1 / a[few])
            left = np.setdiff1d(left, done, assume_unique=True)
    return out.reshape(np.size(alpha), repeats).T


def poisson(stream: Stream, rate: Any, repeats: int) -> Any:
    """Draw from Poisson distributions: shape (repeats, size of `rate`), 0 for rates below 0."""
    rates = np.repeat(np.ravel(rate).astype(np.float64), repeats)
    lanes, out = _Lanes(stream, rates.size), np.where(rates < 0, 0.0, np.nan)
    known = np.isfinite(rates) & (rates >= 0)
    _by_products(lanes, rates, out, np.flatnonzero(known & (rates < _LARGE)))
    _by_rejection(lanes, rates, out, np.flatnonzero(known & (rates >= _LARGE)))
    return out.reshape(np.size(rate), repeats).T


def _by_products(lanes: _Lanes, rates: Any, out: Any, left: Any) -> None:
    """Count how many uniform numbers multiply up to more than exp(-rate)."""
    product, count = np.ones(rates.size), 0.0
    while left.size:
        product[left] *= lanes.uniform(left)
        ends = product[left] <= np.exp(-rates[left])
        out[left[ends]] = count
        left, count = left[~ends], count + 1


def _by_rejection(lanes: _Lanes, rates: Any, out: Any, left: Any) -> None:
    """Draw candidates from a distribution that lies above, and accept as many as do not."""
    with np.errstate(all="ignore"):
        while left.size:
            rate = rates[left]
            b = 0.931 + 2.53 * np.sqrt(rate)
            a = -0.059 + 0.02483 * b
            u = lanes.uniform(left) - 0.5
            v = lanes.uniform(left)
            inside = 0.5 - np.abs(u)
            k = np.floor((2 * a / inside + b) * u + rate + 0.43)
            takes = (inside >= 0.07) & (v <= 0.9277 - 3.6224 / (b - 2))
            open_still = ~takes & (k >= 0) & ((inside >= 0.013) | (v <= inside))
            s = np.log(v * (1.1239 + 1.1328 / (b - 3.4)) / (a / (inside * inside) + b))
            t = (
                -rate
                + k * np.log(rate)
                - np.array([math.lgamma(n + 1) for n in np.maximum(k, 0).tolist()])
            )
            takes |= open_still & (s <= t)
            out[left[takes]] = k[takes]
            left = left[~takes]


_FEW = 42
"""How many counters TensorFlow reserves for an element whose geometric numbers are summed up."""


def binomial(stream: Stream, counts: Any, probs: Any, repeats: int) -> Any:
    """Draw from binomial distributions, given by arrays of one shape and dtype.

    Shape (repeats, size of `counts`), in double precision; nan for a probability that is nan. What
    is likelier than not is drawn by what is not.
    """
    n, p = (np.repeat(np.ravel(x), repeats) for x in (counts, probs))
    q = np.where(p > 0.5, 1 - p, p).astype(p.dtype)
    is_open = (n > 0) & (p > 0) & (p < 1)
    with np.errstate(invalid="ignore"):
        many = n * q >= _LARGE
    lanes = _Lanes(stream, n.size, np.where(many, RESERVED, _FEW))
    n, q, found = n.astype(np.float64), q.astype(np.float64), np.full(n.size, np.nan)
    _by_geometric_sums(lanes, n, q, found, np.flatnonzero(is_open & ~many))
    _by_transformed_rejection(lanes, n, q, found, np.flatnonzero(is_open & many))
    out = np.where(p > 0.5, n - found, found)
    out[p >= 1] = n[p >= 1]
    out[(n <= 0) | (p <= 0)] = 0.0
    return out.reshape(np.size(counts), repeats).T


def _by_geometric_sums(lanes: _Lanes, n: Any, q: Any, out: Any, left: Any) -> None:
    """Count how many geometric numbers sum up to no more than `n`."""
    total, count = np.zeros(n.size), 0.0
    with np.errstate(divide="ignore"):
        while left.size:
            total[left] += np.ceil(np.log(lanes.uniform(left)) / np.log1p(-q[left]))
            ends = total[left] > n[left]
            out[left[ends]] = count
            left, count = left[~ends], count + 1


def _by_transformed_rejection(lanes: _Lanes, n: Any, q: Any, out: Any, left: Any) -> None:
    """Draw candidates from a distribution that lies above, and accept as many as do not."""
    with np.errstate(all="ignore"):
        while left.size:
            own, p = n[left], q[left]
            deviation = np.sqrt(own * p * (1 - p))
            b = 1.15 + 2.53 * deviation
            a = -0.0873 + 0.0248 * b + 0.01 * p
            u = lanes.uniform(left) - 0.5
            v = lanes.uniform(left)
            inside = 0.5 - np.abs(u)
            k = np.floor((2 * a / inside + b) * u + own * p + 0.5)
            takes = (inside >= 0.07) & (v <= 0.92 - 4.2 / b)
            alpha = (2.83 + 5.1 / b) * deviation
            height = np.log(v * alpha / (a / (inside * inside) + b))
            takes |= (k >= 0) & (k <= own) & (height <= _log_ratio(k, own, p))
            out[left[takes]] = k[takes]
            left = left[~takes]


def _log_ratio(k: Any, n: Any, p: Any) -> Any:
    """Give the logarithm of how much likelier `k` is than the likeliest number."""
    odds, m = p / (1 - p), np.floor((n + 1) * p)
    return (
        (m + 0.5) * np.log((m + 1) / (odds * (n - m + 1)))
        + (n + 1) * np.log((n - m + 1) / (n - k + 1))
        + (k + 0.5) * np.log(odds * (n - k + 1) / (k + 1))
        + _stirling_rest(m)
        + _stirling_rest(n - m)
        - _stirling_rest(k)
        - _stirling_rest(n - k)
    )


_RESTS = np.array(
    [
        *(0.0810614667953272, 0.0413406959554092, 0.0276779256849983, 0.02079067210376509),
        *(0.0166446911898211, 0.0138761288230707, 0.0118967099458917, 0.0104112652619720),
        *(0.00925546218271273, 0.00833056343336287),
    ]
)


def _stirling_rest(k: Any) -> Any:
    """Give what Stirling's formula for log k! leaves over: tabled digits first, then a series."""
    square = (k + 1) * (k + 1)
    series = (1.0 / 12 - (1.0 / 360 - 1.0 / 1260 / square) / square) / (k + 1)
    tabled = _RESTS[np.clip(np.nan_to_num(k), 0, 9).astype(int)]
    return np.where(k <= 9, tabled, series)
