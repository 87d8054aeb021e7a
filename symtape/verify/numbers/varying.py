"""Whether a function gives the same numbers for the same inputs; else nothing can be judged."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from symtape.verify.running.clock import Clock
from symtape.verify.subject import OUTSIDE, Subject, wide

VARYING = (
    "the function itself gives other numbers for the same inputs when it is called again: it draws "
    "random numbers, or keeps a state; give what it draws or keeps as an input, or let it draw by "
    "a seed of its own"
)
"""Why nothing is said of a candidate then."""

_FEW = 0.1
"""By so much may numbers of half precision differ, as sums in another order do."""
_TIMES, _SECONDS = 12, 0.5
"""So often is a function run again, if it takes no longer than so many seconds."""


def values_at(subject: Subject, point: Sequence[Any]) -> list[Any] | None:
    """Run a function; None where it is not defined, or takes too long, as is told elsewhere."""
    try:
        return subject.values(point)
    except (*OUTSIDE, TimeoutError):
        return None


def varies(subject: Subject, point: Sequence[Any], before: Sequence[Any] | None) -> bool:
    """Say whether a function gives something else than it gave before.

    It is run many times, as what is drawn of few numbers is often the same: of two entries half
    dropped, once in four.
    """
    clock = Clock.of(_SECONDS)
    for _ in range(_TIMES):
        if _differs(subject, point, before):
            return True
        if clock.is_over:
            break
    return False


def _differs(subject: Subject, point: Sequence[Any], before: Sequence[Any] | None) -> bool:
    now = None if before is None else values_at(subject, point)
    if now is None or before is None:
        return False
    return len(now) != len(before) or not all(map(_same, before, now))


def _same(a: Any, b: Any) -> bool:
    if a.shape != b.shape:
        return False
    if a.dtype.kind in "biu":
        return np.array_equal(a, b)
    near = float(np.sqrt(np.finfo(a.dtype).eps)) if a.dtype.kind in "fc" else _FEW
    size = float(np.max(np.abs(wide(a)), initial=0.0, where=np.isfinite(wide(a))))
    return np.allclose(wide(a), wide(b), rtol=near, atol=near * size, equal_nan=True)
