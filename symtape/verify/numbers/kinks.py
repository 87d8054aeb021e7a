"""Kinks: where a function has no derivative, each slope between those of the sides is one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from symtape.verify.subject import OUTSIDE, Subject

_DIRECTIONS = 24
_SIDES = 48
_STEPS = (1e-6, 1e-9)
"""So far away sides lie; nearer where slopes change fast, as that of log(x) does at a small x."""
_SMOOTH = 1e-4
"""What differs by less on both sides has no kink between them."""


def is_between(subject: Subject, point: Sequence[Any], answers: Sequence[Any], rng: Any) -> bool:
    """Say whether an answer lies between the derivatives around a point, where these differ.

    It is the derivative on one of the sides; or in every direction that is tried, its component is
    between the smallest and the largest around the point, as it is for the elements of Clarke's
    generalized gradient (Optimization and Nonsmooth Analysis, 1983, proposition 2.1.2).
    """
    shapes = [np.shape(a) for a in answers]
    return any(_is_between(_Around(subject, point, shapes, x), answers, rng) for x in _STEPS)


def _is_between(around: _Around, answers: Sequence[Any], rng: Any) -> bool:
    mean = around.at(None)
    if mean is None or not all(np.all(np.isfinite(a)) for a in answers):
        return False
    target = _flat(answers)
    if target.shape != mean.shape or around.is_smooth(mean, rng):
        return False
    if around.has_side(target, rng):
        return True
    differ = False
    for d in _directions(around.size, rng):
        sides = [around.at(d), around.at(-d)]
        if any(s is None for s in sides):
            return False
        own = _as(d, target.size)
        found = [float(s @ own) for s in (*sides, mean)]
        slack = 1e-4 * (1 + float(np.max(np.abs(np.array(sides))))) * np.sqrt(target.size)
        if float(target @ own) > max(found) + slack:
            found.append(around.largest(own, d, 1.0))
        if float(target @ own) < min(found) - slack:
            found.append(around.largest(own, -d, -1.0))
        if not min(found) - slack <= float(target @ own) <= max(found) + slack:
            return False
        differ = differ or max(found) - min(found) > slack
    return differ


def _as(d: Any, size: int) -> Any:
    """Take a direction among inputs for one among results, of which there may be another number."""
    return np.resize(d, size)


def _directions(size: int, rng: Any) -> Iterator[Any]:
    """List directions: all inputs at once, each alone, and signs at random."""
    yield np.ones(size)
    for k in range(min(size, _DIRECTIONS)):
        yield np.eye(1, size, k)[0]
    for _ in range(_DIRECTIONS):
        yield rng.choice([-1.0, 1.0], size=size)


def has_kink(subject: Subject, point: Sequence[Any], truths: Sequence[Any], rng: Any) -> bool:
    """Say whether the derivatives on the sides of a point differ.

    Where they are measured and do, hardly a digit is known, and nothing is refuted.
    """
    if subject.reason:
        return False
    around = _Around(subject, point, [np.shape(t) for t in truths])
    mean = around.at(None)
    return mean is not None and not around.is_smooth(mean, rng)


class _Around:
    """The truth at points near a point."""

    def __init__(
        self,
        subject: Subject,
        point: Sequence[Any],
        shapes: Sequence[Any],
        step: float = _STEPS[0],
    ) -> None:
        self.subject, self.point, self.shapes, self.step = subject, point, shapes, step
        moves = subject.question.wrt or range(subject.count)
        self.moved = [
            k for k in moves if point[k].dtype.kind in "fc" and point[k].dtype.itemsize >= 4
        ]
        is_plane = any(point[k].dtype.kind == "c" for k in self.moved)
        self.turned = self.moved if is_plane else []
        self.size = sum(point[k].size for k in (*self.moved, *self.turned))

    def is_smooth(self, mean: Any, rng: Any) -> bool:
        """Say whether the truth is the same on both sides, in directions that no kink contains."""
        for _ in range(2):
            direction = rng.uniform(0.2, 1.0, self.size) * rng.choice([-1.0, 1.0], self.size)
            sides = [self.at(direction), self.at(-direction)]
            if any(s is None or not _is_close(s, mean) for s in sides):
                return False
        return True

    def has_side(self, target: Any, rng: Any) -> bool:
        """Say whether the truth is this on some side, as it is on one of those of a corner."""
        for _ in range(_SIDES):
            side = self.at(rng.uniform(-1.0, 1.0, self.size))
            if side is not None and _is_close(side, target):
                return True
        return False

    def largest(self, own: Any, start: Any, sign: float) -> float:
        """Look for the side on which a component is largest, or smallest, place by place."""
        side = start * (1 + np.arange(self.size) / (7.0 * self.size))
        best = self._component(side, own, sign)
        for k in range(min(self.size, _DIRECTIONS)):
            turned = side.copy()
            turned[k] = -turned[k] if turned[k] else 1.0
            found = self._component(turned, own, sign)
            if found >= best:
                side, best = turned, found
        return sign * best

    def _component(self, side: Any, own: Any, sign: float) -> float:
        found = self.at(side)
        return -np.inf if found is None else sign * float(found @ own)

    def at(self, direction: Any) -> Any:
        """Derive a small step away in a direction; None where that is not finite.

        A direction has the real parts of all inputs first, as what is flat has of all results.
        """
        near = list(self.point)
        moves = [(k, 1.0) for k in self.moved] + [(k, 1j) for k in self.turned]
        start = 0
        for k, unit in moves if direction is not None else ():
            x = self.point[k]
            step = direction[start : start + x.size].reshape(x.shape) * self.step * (1 + np.abs(x))
            if unit == 1 or x.dtype.kind == "c":
                near[k] = (near[k] + unit * step).astype(x.dtype)
            start += x.size
        try:
            found = self.subject.numbers(near)
        except OUTSIDE:
            return None
        found = [np.zeros(x) if f is None else f for f, x in zip(found, self.shapes, strict=True)]
        return _flat(found) if all(np.all(np.isfinite(f)) for f in found) else None


def _is_close(a: Any, b: Any) -> bool:
    size = 1 + float(np.max(np.abs(b), initial=0.0))
    return float(np.max(np.abs(a - b), initial=0.0)) < _SMOOTH * size


def _flat(arrays: Sequence[Any]) -> Any:
    """Give all real parts, and behind them the imaginary ones, which are zero of real numbers."""
    return np.concatenate([np.ravel(part(a)) for part in (np.real, np.imag) for a in arrays])
