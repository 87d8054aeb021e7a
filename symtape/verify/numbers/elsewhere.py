"""Where other branches are taken: what floats allow there is looked at with many digits."""

from __future__ import annotations

from collections.abc import Sequence
from heapq import nlargest
from typing import Any

import numpy as np

from symtape.verify.identity import lowered
from symtape.verify.numbers.accuracy import (
    ROUNDINGS,
    digits_of,
    distance,
    precision,
    roundings_of,
    tolerance,
)
from symtape.verify.numbers.seen import NEAR, SAME, Seen, floats, settled
from symtape.verify.setting import Setting

_LOOKED_AT = 8
"""So many points are looked at again, at which errors are more than roundings: the worst ones."""

_MANY = 400
"""So many digits have something left where numbers of the size of exp(700) cancel."""

_BEGINNING = "where other branches are taken"
"""How a note begins that says of a formula where it is right to some digits alone."""


class Elsewhere:
    """Keeps the points at which errors that are allowed are more than a few roundings."""

    def __init__(self, setting: Setting) -> None:
        self.setting = setting
        self.points: list[Seen] = []

    def keep(self, seen: Seen) -> None:
        """Keep a point, if it is one of the worst."""
        if seen.excess and seen.size > roundings_of(self.setting.dtype):
            self.points = nlargest(_LOOKED_AT, [*self.points, seen], key=_apart)

    def judged(self, seen: Seen) -> Seen:
        """Look at a point with many digits.

        A branch that is off by little is noted, as a rounded constant is; one that is off by much
        of its truth is wrong, however small that is. What is right is given as it was.
        """
        setting = self.setting
        pair = setting.subject.recorded(seen.point)
        found = None if pair is None or lowered(pair) is not None else digits_of(pair, seen.point)
        far = max([distance(t, a) for t, a in found or ()], default=0.0)
        if pair is None or found is None or not SAME < far < np.inf:
            return seen
        if _vanish(found, digits_of(pair, seen.point, _MANY)):
            return seen
        least = ROUNDINGS * precision(setting.dtype) * _largest(seen)
        over = [
            _beside_itself(np.asarray(t), np.asarray(a), least * typical)
            for (t, a), typical in zip(found, setting.typical, strict=True)
        ]
        if max([float(np.max(e, initial=0.0)) for e in over]) > NEAR:
            allowed = tolerance(setting.dtype)
            return seen._replace(state="wrong", excess=[e / allowed for e in over])
        if not any(n.startswith(_BEGINNING) for n in setting.notes):
            words = f"{_BEGINNING} ({seen.words}) the formula is off by {far:.0e} of the truth"
            setting.notes.append(words)
        return settled(seen, "right")


def _vanish(few: Sequence[Any], many: Sequence[Any] | None) -> bool:
    """Say whether differences are roundings, of which more digits leave nothing."""
    sizes = [
        max([float(np.max(np.abs(t - a), initial=0)) for t, a in own]) for own in (few, many or few)
    ]
    return sizes[1] <= SAME * sizes[0]


def _largest(seen: Seen) -> float:
    """Give the size of the largest input, one at least: what follows from it may be as large."""
    sizes = [float(np.max(np.abs(x), initial=0.0)) for x in seen.point if x.dtype.kind in "fc"]
    return max([1.0, *sizes])


def _apart(seen: Seen) -> tuple[float, float]:
    """Say how far entries are from their own truths, beside these, and then how far at all."""
    pairs = zip(seen.truths, seen.answers, strict=True)
    far = max([float(np.max(_beside_itself(t, a, 0.0), initial=0.0)) for t, a in pairs])
    return min(far, 1.0), seen.size


def _beside_itself(truth: Any, answer: Any, least: float) -> Any:
    """Give the error of each entry beside its own truth, where that is not zero.

    What is less than the `least` that floats tell apart is none.
    """
    with np.errstate(all="ignore"):
        size, error = np.abs(truth), np.abs(answer - truth)
        counts = (size > 0) & (error > least)
        return floats(np.where(counts, error / np.where(size > 0, size, 1), 0))
