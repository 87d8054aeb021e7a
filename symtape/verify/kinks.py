"""Kinks: where a function has no derivative, each slope between those of the sides is one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from symtape.verify.accuracy import values
from symtape.verify.subject import Subject

_AROUND = 48
_NEAR = 1e-6


def is_between(subject: Subject, point: Sequence[Any], answers: Sequence[Any], rng: Any) -> bool:
    """Say whether an answer is a mean of derivatives around a point that differ.

    These are the elements of Clarke's generalized gradient (Optimization and Nonsmooth Analysis,
    1983, section 2.5).
    """
    wrt = set(subject.question.wrt)
    sides = []
    for _ in range(_AROUND):
        near = [
            x
            + (_NEAR * rng.choice([-1.0, 1.0], size=x.shape) * rng.uniform(0.5, 1, x.shape)).astype(
                x.dtype
            )
            if k in wrt and x.dtype.kind == "f" and x.dtype.itemsize >= 4
            else x
            for k, x in enumerate(point)
        ]
        found = values(subject.truth(near))
        if not all(np.all(np.isfinite(f)) for f in found):
            return False
        sides.append(_flat(found))
    vertices = np.unique(np.round(np.array(sides), 4), axis=0)
    if len(vertices) < 2:
        return False
    target = _flat(answers)
    if target.shape != vertices[0].shape or not np.all(np.isfinite(target)):
        return False
    return bool(_distance(np.array(sides), target) <= 1e-3 * (1 + np.abs(vertices).max()))


def _flat(arrays: Sequence[Any]) -> Any:
    return np.concatenate([np.ravel(np.real(a)) for a in arrays])


def _distance(vertices: Any, target: Any) -> float:
    """Give the distance to the hull of some points, by the method of Frank and Wolfe."""
    own = vertices[np.argmin(np.sum((vertices - target) ** 2, axis=1))]
    for _ in range(600):
        towards = vertices[np.argmin((vertices - target) @ (own - target))] - own
        length = towards @ towards
        if length == 0:
            break
        step = np.clip(-(own - target) @ towards / length, 0, 1)
        if step == 0:
            break
        own = own + step * towards
    return float(np.max(np.abs(own - target), initial=0.0))


__all__ = ["is_between"]
