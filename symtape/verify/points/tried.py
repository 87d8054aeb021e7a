"""Points at which a candidate is tried: random ones, edges, ties, and what it compares with."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from symtape.verify.causes.code.sources import compared_in, numbers_in
from symtape.verify.points.branches import beside_branches
from symtape.verify.points.labels import other_labels
from symtape.verify.setting import Setting

_RANDOM = 12
"""So many random points are tried first."""

_DENSE, _FEW = 400, 40
"""So many points are spread evenly over each entry of the inputs; few where a proof has no gaps."""

DENSE = "an ordinary point"
"""What they are called."""

TURNED = "where memory is transposed, as that of x.T is"
"""What a point is called whose arrays are in Fortran's order."""

EXAMPLE = "the example"

STATED = (EXAMPLE, "given")
"""Points that somebody chose, wherever they are."""

_SECONDS = 0.6
"""So long are these tried, in time of the processor."""

Point = tuple[str, Sequence[Any]]
"""What a point is called, and the inputs there."""


def points(setting: Setting, given: Sequence[Sequence[Any]]) -> Iterator[Point]:
    """List the example, what was `given`, random points, and edges."""
    yield STATED[0], setting.example
    if setting.is_fixed:
        setting.notes.append("numbers are judged at the example alone")
        return
    for point in given:
        yield STATED[1], point
    for _ in range(_RANDOM):
        yield "random", setting.random()
    if any(x.ndim > 1 and x.size > max(x.shape) for x in setting.example):
        yield TURNED, [np.asarray(x, order="F") for x in setting.random()]
    yield from _plain_upstream(setting)
    yield from _equal_inputs(setting)
    yield from _near_numbers(setting)
    yield from _at_numbers(setting)
    for k, d in enumerate(setting.domains[: setting.subject.count]):
        for words, x in d.special(setting.rng, setting.example[k]):
            point = list(setting.example)
            point[k] = x
            yield words, point
    yield from other_labels(setting)
    yield from beside_branches(setting)


def dense(setting: Setting, *, is_settled: bool) -> Iterator[Point]:
    """Let each entry take values that lie close to each other, in an order of its own.

    What `is_settled` by a proof in which nothing is decided can be wrong in digits alone.
    """
    if setting.is_fixed:
        return
    begin = time.process_time()
    each = [
        d.dense(setting.rng, x, _FEW if is_settled else _DENSE)
        for d, x in zip(setting.domains, setting.example, strict=True)
    ]
    for point in zip(*each, strict=True):
        if time.process_time() - begin > _SECONDS:
            return
        yield DENSE, list(point)


def _plain_upstream(setting: Setting) -> Iterator[Point]:
    """Let what follows the inputs be ones, as a sum has them, or of one sign, or nothing."""
    count = setting.subject.count
    for value in (1.0, -1.0, 0.0):
        point = setting.random()
        for k, x in enumerate(point[count:], count):
            if x.dtype.kind in "fcV":
                point[k] = np.full_like(x, value)
        if len(point) > count:
            yield f"where {', '.join(setting.subject.names[count:])} = {value:g}", point


def _near_numbers(setting: Setting) -> Iterator[Point]:
    """Let inputs be the numbers that the candidate's source has, and what is near them."""
    for number in numbers_in(setting.subject.candidate):
        for k, domain in enumerate(setting.domains[: setting.subject.count]):
            if domain.is_free:
                point = setting.random()
                point[k] = _near(setting.rng, number, point[k])
                yield f"near {number:g}", point


def _at_numbers(setting: Setting) -> Iterator[Point]:
    """Let inputs be numbers that the candidate compares with, and the floats beside them."""
    for number in compared_in(setting.subject.candidate):
        for k, domain in enumerate(setting.domains[: setting.subject.count]):
            if domain.is_free and np.isfinite(np.asarray(number).astype(setting.dtype)):
                point = setting.random()
                point[k] = _beside(setting.rng, number, point[k])
                yield f"near {number:g}", point


def _near(rng: Any, number: float, like: Any) -> Any:
    """Draw entries around a number, at distances of its own size and of that of the inputs."""
    far = rng.normal(size=like.shape)
    own = np.where(rng.random(like.shape) < 0.5, 0.01, 0.01 * abs(number))
    return np.asarray(number + own * far).astype(like.dtype)


def _beside(rng: Any, number: float, like: Any) -> Any:
    """Let entries be a number itself, or a float beside it."""
    own = np.full(like.shape, number).astype(like.dtype)
    if not own.size or own.dtype.kind not in "fc":  # NumPy knows no units of bfloat16
        return own
    units = rng.integers(-1, 2, size=like.shape)
    units.flat[rng.integers(own.size)] = 0
    return np.asarray(own + units * np.spacing(own.real)).astype(like.dtype)


def _equal_inputs(setting: Setting) -> Iterator[Point]:
    """Let inputs of one shape be equal, in all entries or in some."""
    wrt = setting.subject.question.wrt
    judged = [
        k
        for k in wrt
        if setting.domains[k] == setting.domains[wrt[0]]
        and setting.example[k].shape == setting.example[wrt[0]].shape
        and setting.domains[k].kind != "fixed"
    ]
    for part in (1.0, 0.5) if len(judged) > 1 else ():
        point = setting.random()
        chosen = setting.rng.random(point[judged[0]].shape) < part
        for k in judged[1:]:
            point[k] = np.where(chosen, point[judged[0]], point[k]).astype(point[k].dtype)
        yield "ties", point
