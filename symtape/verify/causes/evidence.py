"""What is known of a wrong candidate: truths and answers at some points."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

_CLOSE = 1e-5

INNER = ("random", "the example", "given")
"""What points are called that are no edges."""

Pairs = Sequence[tuple[Any, Any]]


class Evidence(NamedTuple):
    """The points at which the numbers are known, of which the first is the counterexample."""

    subject: Any
    results: Sequence[str]
    points: Sequence[Any]

    def pairs(self, k: int) -> list[tuple[Any, Any]]:
        """Give truth and answer of one result at all points where both are finite."""
        return [
            (s.truths[k], s.answers[k])
            for s in self.points
            if s.answers and np.shape(s.truths[k]) == np.shape(s.answers[k])
        ]


def close(pairs: Sequence[tuple[Any, Any]]) -> bool:
    """Say whether all pairs of arrays agree, and are not all zero."""
    size = max([float(np.max(np.abs(a), initial=0)) for a, _ in pairs], default=0.0)
    return size > 0 and all(
        np.shape(a) == np.shape(b)
        and float(np.max(np.abs(a - b), initial=0))
        <= _CLOSE * max(size * 1e-3, float(np.max(np.abs(a), initial=0)))
        for a, b in pairs
    )


__all__ = ["INNER", "Evidence", "Pairs", "close"]
