"""Each step's value beside torch's own: what differs by more than rounding is an error."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

_RELATIVE = {"float64": 1e-9, "complex128": 1e-9, "float32": 2e-5, "complex64": 2e-5}
_NARROW = {"float16": 4e-3, "bfloat16": 3e-2}
_DOUBLE = {"float64", "complex128"}
_ROUNDING = {True: 2.0**-52, False: 2.0**-23}
_WIDE = 1e3
"""How much more matrix factorizations may differ."""


def difference(ours: Any, theirs: Any, operands: Sequence[Any], *, wide: bool = False) -> str:
    """Say where two arrays differ by more than rounding does, or give an empty text.

    What may be lost follows from the dtype, the size of the operands, and how many there are.
    """
    if theirs.shape != ours.shape or theirs.dtype != ours.dtype:
        return f"{ours.dtype}{list(ours.shape)} beside {theirs.dtype}{list(theirs.shape)}"
    if ours.dtype.kind not in "fcV":
        agree = ours == theirs
    else:
        relative = _relative(theirs.dtype, wide)
        agree = _close(ours, theirs, 0.0, relative)
        if not np.all(agree):
            agree = _close(ours, theirs, _lost(theirs, operands), relative)
    if np.all(agree):
        return ""
    where = np.unravel_index(int(np.argmin(agree)), theirs.shape)
    place = f" at {list(map(int, where))}" if theirs.ndim else ""
    return f"{ours[where]!s} instead of torch's {theirs[where]!s}{place}"


@lru_cache(maxsize=64)
def _relative(dtype: np.dtype[Any], wide: bool) -> float:
    name = dtype.name
    return (_RELATIVE.get(name) or _NARROW[name]) * (_WIDE if wide else 1.0)


def _close(ours: Any, theirs: Any, lost: float, relative: float) -> Any:
    with np.errstate(all="ignore"):
        a, b = _doubled(ours), _doubled(theirs)
        near = np.abs(a - b) <= relative * np.abs(b) + lost + relative * lost
        return near if np.all(near) else near | (a == b) | (np.isnan(a) & np.isnan(b))


def _doubled(x: Any) -> Any:
    """Give numbers double precision."""
    return np.asarray(x).astype(np.complex128 if x.dtype.kind == "c" else np.float64, copy=False)


def _lost(theirs: Any, operands: Sequence[Any]) -> float:
    """Bound what sums of products of the operands may lose, and what may underflow.

    Each of many terms is rounded, in single precision at least, and roundings add up as their root:
    what remains of terms that cancel has lost that much of their size.
    """
    relative = _relative(theirs.dtype, wide=False) / 1e5
    sizes = [0.0, *sorted([_largest(x) for x in operands])][-2:]
    count = max([8, *[x.size for x in operands if x.dtype.kind in "fcV"]])
    with np.errstate(over="ignore"):
        size = max(sizes[-1], float(np.prod(sizes)))
    own = _ROUNDING[theirs.dtype.name in _DOUBLE] * max(size, _largest(theirs))
    return float(min(max(relative * count * max(size, 1.0), 4 * own * np.sqrt(count)), 1e300))


def _largest(x: Any) -> float:
    """Give the size of the largest finite number."""
    if x.dtype.kind not in "fcV" or not x.size:
        return 0.0
    with np.errstate(invalid="ignore"):  # of memory that nobody filled: signalling nans
        values = np.abs(_doubled(x))
    finite = values[np.isfinite(values)]
    return float(finite.max()) if finite.size else 0.0
