"""The table of a report: the entries of an answer that are furthest from the truth."""

from __future__ import annotations

from typing import Any

import numpy as np

from symtape.verify.numbers.accuracy import units
from symtape.verify.numbers.cancelling import are_roundings
from symtape.verify.numbers.seen import Seen
from symtape.verify.report import Row
from symtape.verify.setting import Setting

_SHOWN = 8
"""Rows of a table."""


def rows_of(setting: Setting, seen: Seen | None) -> list[Row]:
    """List the worst entries; of a wrong answer only those that are wrong.

    Of a right one those whose truth is more than roundings: others have no right last place.
    """
    if seen is None or not seen.excess:
        return []
    moved = setting.moved(seen.point, seen.truths)
    moved = moved or [np.zeros(np.shape(t)) for t in seen.truths]
    rows = []
    faint = are_roundings(seen.point, seen.truths, setting.dtype)
    results = zip(setting.results, seen.truths, seen.answers, moved, seen.excess, strict=True)
    for is_faint, (name, t, a, m, e) in zip(faint, results, strict=True):
        if is_faint and seen.state != "wrong":
            continue
        ulp = units(t, a, setting.dtype)
        size = np.where(t == 0, np.max(np.abs(t), initial=0.0) or 1.0, np.abs(t))
        error, condition = np.abs(a - t) / size, m / size
        told = ~(np.broadcast_to(e, np.shape(t)) <= 1) if seen.state == "wrong" else True
        rows += [
            Row(name, at, t[at], a[at], float(error[at]), float(ulp[at]), float(condition[at]))
            for at in worst(error, told)
        ]
    rows.sort(key=lambda r: -(r.error if np.isfinite(r.error) else np.inf))
    return rows[:_SHOWN]


def worst(error: Any, told: Any) -> list[tuple[int, ...]]:
    """List the places of the largest errors of those that are told; of equals the first."""
    places = np.flatnonzero(np.broadcast_to(told, np.shape(error)))
    sizes = np.ravel(error)[places]
    order = np.argsort(-np.where(np.isfinite(sizes), sizes, np.inf), kind="stable")[:_SHOWN]
    return [tuple(map(int, np.unravel_index(k, np.shape(error)))) for k in places[order]]
