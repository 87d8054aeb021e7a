"""What is gathered of a wrong candidate: points at which its mistake is looked for."""

from __future__ import annotations

import operator
import time
from collections.abc import Sequence
from contextlib import suppress

import numpy as np

from symtape.verify.causes.evidence import Evidence
from symtape.verify.numbers.black_boxes import BlackBox
from symtape.verify.numbers.kinks import has_kink
from symtape.verify.numbers.measurement import Measurement
from symtape.verify.numbers.seen import Seen
from symtape.verify.points.sizes import other_sizes
from symtape.verify.setting import widened
from symtape.verify.subject import OUTSIDE

_MORE = 5
"""So many points more are asked what is wrong."""

_ENOUGH, _COLLECTING = 2, 0.6
"""So many do where they take longer, in time of the processor."""

_WIDER, _OUT = 3, 5.0
"""At so many points that are so much further out a change that is told has to be right."""

_SIZES_OF_REPAIRS = 2
"""At so many other sizes has a repair to be right."""


class Gathering:
    """Collects points of the sizes of a measurement, and of others."""

    def __init__(self, measurement: Measurement) -> None:
        self.measurement = measurement
        self.setting, self.subject = measurement.setting, measurement.subject
        self.is_measured = isinstance(self.subject, BlackBox)

    def evidence(self, seen: Seen, of_example: Sequence[Seen], *, is_right: bool) -> Evidence:
        """Give all that is known of what is wrong at a point.

        `of_example` are points of the sizes of the example, where those of others are wrong;
        `is_right` says that the candidate is so at the example.
        """
        own, near = self.setting, self._points(seen)
        wider, elsewhere = [*self.wider(), *of_example], self._elsewhere()
        if all(widened(x) is x for x in near[0].point):
            wider, elsewhere = _with_all_digits(wider), _with_all_digits(elsewhere)
        return Evidence(self.subject, own.results, near, wider, own.parts, elsewhere, is_right)

    def _points(self, seen: Seen) -> list[Seen]:
        """Collect more points where numbers can be compared, for the diagnosis."""
        found, begin = [seen], time.process_time()
        for _ in range(0 if self.setting.is_fixed else _MORE):
            if len(found) > _ENOUGH and time.process_time() - begin > _COLLECTING:
                break
            more = self.measurement.seen("random", self.setting.random(), is_evidence=True)
            if more is not None and more.excess and self._is_sharp(more):
                found.append(more)
        if any(any(_wrong_ones(s)) for s in found[1:]) and has_kink(
            self.subject, seen.point, seen.truths, self.setting.rng
        ):
            found = found[1:]  # what is taken at a kink, as at ties, no mistake explains
        return self._widened(found)

    def wider(self) -> list[Seen]:
        """Give the truth at points further out, where what is said to be right has to be."""
        setting, found = self.setting, []
        for _ in range(0 if setting.is_fixed or self.is_measured else _WIDER):
            pairs = zip(setting.random(), setting.domains, strict=True)
            point = [d.scaled(x, _OUT) for x, d in pairs]
            truths = setting.truth(point)
            if truths is not None:
                found.append(self.measurement.alone(point, truths))
        return found

    def _elsewhere(self) -> list[Seen]:
        """Give the truth at other sizes that the candidate takes, where no repair fits by luck."""
        found: list[Seen] = []
        if self.setting.is_fixed or self.is_measured:
            return found
        quick = self.subject.quick
        for setting in other_sizes(self.setting):
            with suppress(*OUTSIDE):
                seen = Measurement(setting).seen("random", setting.example, is_evidence=True)
                found += [seen] if seen is not None and seen.excess else []
            if len(found) == _SIZES_OF_REPAIRS:
                break
        self.subject.quick = quick
        return found

    def _is_sharp(self, seen: Seen) -> bool:
        """Say whether a truth that is measured has the digits by which a mistake is told."""
        return not isinstance(self.subject, BlackBox) or self.subject.is_sharp(seen.point)

    def _widened(self, found: list[Seen]) -> list[Seen]:
        """Give the same points with all digits, where what the first shows is wrong with them.

        At the others alone floats may have lost the digits of more results.
        """
        wide = []
        for seen in found:
            if all(widened(x) is x for x in seen.point):
                return found
            point = [*map(widened, seen.point)]
            own = self.measurement.seen(seen.words, point, is_evidence=True)
            if own is None or not own.excess:
                return found
            wide.append(own)
        if any(map(operator.gt, _wrong_ones(found[0]), _ever_wrong(wide))):
            return found
        asked = _ever_wrong(found)
        return [
            s._replace(excess=[e * n for e, n in zip(s.excess, asked, strict=True)]) for s in wide
        ]


def _with_all_digits(points: Sequence[Seen]) -> list[Seen]:
    """Give the same points in wide dtypes, in which a repair is run as at the others."""
    return [s._replace(point=[*map(widened, s.point)]) for s in points]


def _wrong_ones(seen: Seen) -> list[bool]:
    """Say which results are wrong at a point."""
    return [float(np.max(e, initial=0.0)) > 1 for e in seen.excess]


def _ever_wrong(points: Sequence[Seen]) -> list[bool]:
    """Say which results are wrong at any of some points."""
    return [any(own) for own in zip(*map(_wrong_ones, points), strict=True)]
