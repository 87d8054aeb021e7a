"""Whether a truth grows beyond all bounds beside a point, where a convention makes it a number.

The slope of x log x is 0 at 0 by TensorFlow's convention, and minus infinity in the limit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from symtape.verify.subject import OUTSIDE, Subject

_STEPS = (1e-4, 1e-8, 1e-16)
"""Logarithms grow by as much from one to the next, and what converges by ever less."""

_MOST = 8
"""So many infinite entries are looked at; more are too many to be few exceptions."""


def is_unbounded(subject: Subject, point: Sequence[Any], answers: Sequence[Any]) -> bool:
    """Say whether infinite answers are what the truth tends to as their own inputs do.

    The answers are one for each input that is judged, of its shape, or it is not said.
    """
    wrt, found = subject.question.wrt, []
    if any(point[j].dtype.kind == "c" for j in wrt):
        return False  # there are more than two sides
    for k, answer in enumerate(answers):
        places = np.argwhere(~np.isfinite(answer))
        if len(places) == 0:
            continue
        if not subject.question.is_listed or np.shape(answer) != np.shape(point[wrt[k]]):
            return False
        found += [(k, tuple(at)) for at in places]
    return 0 < len(found) <= _MOST and all(
        any(_tends(subject, point, k, at, side, answers[k][at]) for side in (1, -1))
        for k, at in found
    )


def _tends(
    subject: Subject, point: Sequence[Any], k: int, at: Any, side: int, limit: float
) -> bool:
    """Say whether an entry of the truth tends to an infinite limit from one side."""
    j, slopes, sign = subject.question.wrt[k], [], float(np.sign(limit))
    for step in _STEPS:
        moved = [*point]
        moved[j] = np.array(point[j], "float64")
        moved[j][at] += side * step
        try:
            truth = subject.numbers(moved)[k]
        except OUTSIDE:
            return False
        if truth is None or not np.isfinite(truth[at]):
            return False
        slopes.append(float(truth[at]))
    first, last = (slopes[1] - slopes[0]) * sign, (slopes[2] - slopes[1]) * sign
    return last >= first > 0
