"""What a point showed of a candidate: how far its answers are from the truth, and what counts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

SAME = 1e-25
"""Formulas that agree to so many digits at all points are taken for equal."""

NEAR = 1e-2
"""Answers that are further off are wrong, whatever digits floats have of the truth."""


class Seen(NamedTuple):
    """What a point showed: floats, the error of each entry beside what is allowed, and words.

    `state` is "right", "wrong", or "open" where nothing can be said; `moved` says how much the
    truth moves with roundings of the inputs.
    """

    point: Sequence[Any]
    truths: list[Any]
    answers: list[Any]
    excess: list[Any]
    state: str
    words: str = ""
    moved: Sequence[Any] = ()

    @property
    def size(self) -> float:
        """How wrong it is."""
        return max([float(np.max(e, initial=0.0)) for e in self.excess], default=np.inf)


def floats(numbers: Any) -> Any:
    """Round numbers of many digits to floats."""
    with np.errstate(all="ignore"):
        found = np.vectorize(complex, otypes=["complex128"])(numbers)
    return found if np.any(found.imag) else found.real


def is_near(seen: Seen, faint: Sequence[bool]) -> bool:
    """Say whether all answers are near the truth, but for those whose truth is `faint`."""
    return all(
        is_faint
        or float(np.max(np.abs(a - t), initial=0.0)) <= NEAR * float(np.max(np.abs(t), initial=0.0))
        for t, a, is_faint in zip(seen.truths, seen.answers, faint, strict=True)
    )


def is_finite(seen: Seen) -> bool:
    """Say whether no answer is infinite or nan."""
    return all(bool(np.all(np.isfinite(a))) for a in seen.answers)


def settled(seen: Seen, state: str) -> Seen:
    """Say what a point shows whose floats do not count."""
    return seen._replace(state=state, excess=[np.zeros(np.shape(t)) for t in seen.truths])


def without(seen: Seen, holds: Sequence[bool]) -> Seen:
    """Leave out results whose formula is right, if others are wrong."""
    over = [np.zeros(np.shape(e)) if h else e for e, h in zip(seen.excess, holds, strict=True)]
    left = seen._replace(excess=over)
    return left if left.size > 1 else seen


def overflows(seen: Seen) -> bool:
    """Say whether only infinities of large numbers are wrong."""
    bad = [~np.isfinite(a) for a in seen.answers]
    rest = [np.where(b, 0.0, e) for b, e in zip(bad, seen.excess, strict=True)]
    large = max(
        [float(np.max(np.abs(x), initial=0)) for x in seen.point if x.dtype.kind in "fc"],
        default=0,
    )
    return large > 80 and max([float(np.max(r, initial=0.0)) for r in rest]) <= 1
