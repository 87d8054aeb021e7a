"""Whether a candidate that cannot be followed is wrong at an edge, or loses its digits on the way.

Between the example and the edge there is a point at which it begins to be off. What is lost there
to roundings moves with those of the inputs by as much as it is off, and a wrong branch does not.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from symtape.verify.answers import CandidateError
from symtape.verify.setting import Setting

_OFF, _HALVINGS = 1e-2, 16
"""So far off it begins to be, at a place that is known after so many halvings of the way."""

_LARGE = 20.0
"""Where no input is as large, no digits are lost on the way."""

_MOVED, _PART = 6, 0.1
"""So often are inputs moved by roundings, which have to explain so much of what is off."""


def fades(setting: Setting, edge: Sequence[Any]) -> bool:
    """Say whether roundings explain what is off where it begins to be on the way to an edge."""
    if max(map(_size, edge), default=0.0) < _LARGE:
        return False
    near, far = 0.0, 1.0
    for _ in range(_HALVINGS):
        half = (near + far) / 2
        off = _off(setting, _between(setting.example, edge, half))
        if off is None:
            return False
        near, far = (near, half) if off > _OFF else (half, far)
    if far == 1.0:
        return False
    point = _between(setting.example, edge, far)
    found = [_answers(setting, _rounded(point, setting.rng)) for _ in range(_MOVED)]
    off, truth = _off(setting, point), setting.truth(point)
    if truth is None or off is None or any(own is None for own in found):
        return False
    moves = [
        float(np.max(np.std(own, axis=0), initial=0.0)) / (_size(t) or 1.0)
        for own, t in zip(zip(*filter(None, found), strict=True), truth, strict=True)
    ]
    return max(moves) > _PART * off


def _between(start: Sequence[Any], end: Sequence[Any], part: float) -> list[Any]:
    """Give a point on the way; what is no float stays as it is at the end."""
    return [
        (a + part * (b - a)).astype(b.dtype) if b.dtype.kind in "fc" else b
        for a, b in zip(start, end, strict=True)
    ]


def _rounded(point: Sequence[Any], rng: Any) -> list[Any]:
    """Move floats by a few roundings."""
    return [
        (x * (1 + 4 * np.finfo(x.dtype).eps * rng.uniform(-1, 1, x.shape))).astype(x.dtype)
        if x.dtype.kind in "fc"
        else x
        for x in point
    ]


def _off(setting: Setting, point: Sequence[Any]) -> float | None:
    """Say how far the candidate is off, beside the truth; None where there is no truth."""
    truth, found = setting.truth(point), _answers(setting, point)
    if truth is None:
        return None
    if found is None:
        return np.inf
    parts = [_size(a - t) / (_size(t) or 1.0) for t, a in zip(truth, found, strict=True)]
    return max(parts, default=0.0)


def _answers(setting: Setting, point: Sequence[Any]) -> list[Any] | None:
    """Run the candidate; None where it gives no finite numbers."""
    try:
        found = setting.subject.answer(point, setting.shapes)
    except CandidateError:
        return None
    return None if any(a is None or not np.all(np.isfinite(a)) for a in found) else found


def _size(x: Any) -> float:
    return float(np.max(np.abs(x), initial=0.0)) if x.dtype.kind in "fciu" else 0.0
