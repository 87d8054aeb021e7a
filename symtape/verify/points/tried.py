"""Points at which a candidate is tried: random ones, edges, ties, and what it compares with."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from itertools import cycle, islice
from typing import Any

import numpy as np

from symtape.verify.causes.code.sources import compared_in, numbers_in
from symtape.verify.points.branches import beside_branches
from symtape.verify.points.drawing import near
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

_LARGE, _HALF, _SHARE_OF_HALF = 300.0, 2, 0.1
"""So large are cotangents, of numbers that have more bytes, or such a part of it."""

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
    drawn = [setting.random() for _ in range(_RANDOM)]
    for point in drawn:
        yield "random", point
    if any(x.ndim > 1 and x.size > max(x.shape) for x in setting.example):
        yield TURNED, [np.asarray(x, order="F") for x in setting.random()]
    yield from _plain_upstream(setting)
    yield from _large_upstream(setting)
    yield from _equal_inputs(setting)
    yield from _near_numbers(setting)
    yield from _at_numbers(setting)
    yield from _edges(setting, drawn)
    yield from other_labels(setting)
    yield from beside_branches(setting)


def _edges(setting: Setting, drawn: Sequence[Sequence[Any]]) -> Iterator[Point]:
    """Let one input lie at its edges, and the others as in the example, and as they were drawn.

    In the example alone another input may hide a slope, as relu(x) does where all x are negative.
    """
    others = cycle(drawn if len(setting.example) > 1 else ())
    for k, d in enumerate(setting.domains[: setting.subject.count]):
        for words, x in d.special(setting.rng, setting.example[k]):
            for around in (setting.example, *islice(others, 1)):
                point = list(around)
                point[k] = x
                yield words, point


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


def _large_upstream(setting: Setting) -> Iterator[Point]:
    """Let what follows the inputs be large, of which a derivative is linear, or have ties."""
    count = setting.subject.count
    names = ", ".join(setting.subject.names[count:])
    point = setting.random()
    for factor in (_LARGE, -_LARGE) if names else ():
        more = [_times(x, factor) for x in point[count:]]
        yield f"where {names} is large", [*point[:count], *more]
    if names:
        few = [setting.rng.choice([-1.0, 0.0, 1.0, 2.0], size=x.shape) for x in point[count:]]
        more = [x.astype(old.dtype) for x, old in zip(few, point[count:], strict=True)]
        yield f"where {names} has ties", [*point[:count], *more]


def _times(x: Any, factor: float) -> Any:
    """Multiply an array; numbers of half precision would overflow on the way to a derivative."""
    share = 1.0 if x.dtype.itemsize > _HALF else _SHARE_OF_HALF
    return np.asarray(x * (factor * share)).astype(x.dtype) if x.dtype.kind in "fcV" else x


def _near_numbers(setting: Setting) -> Iterator[Point]:
    """Let inputs be the numbers that the candidate's source has, and what is near them."""
    for number in numbers_in(setting.subject.candidate):
        for k, domain in enumerate(setting.domains[: setting.subject.count]):
            if domain.is_free:
                point = setting.random()
                point[k] = near(setting.rng, number, point[k])
                yield f"near {number:g}", point


def _at_numbers(setting: Setting) -> Iterator[Point]:
    """Let inputs be numbers that the candidate compares with, and the floats beside them."""
    for number in compared_in(setting.subject.candidate):
        for k, domain in enumerate(setting.domains[: setting.subject.count]):
            if not (domain.is_free and np.isfinite(np.asarray(number).astype(setting.dtype))):
                continue
            for first in _UNITS if setting.example[k].size < len(_UNITS) else _UNITS[:1]:
                point = setting.random()
                point[k] = _beside(setting.rng, number, point[k], first)
                yield f"near {number:g}", point


_UNITS = (0, 1, -1)
"""The number itself, and the floats above it and below."""


def _beside(rng: Any, number: float, like: Any, first: int) -> Any:
    """Let entries be a number itself, and the floats beside it: as many of each."""
    own = np.full(like.shape, number).astype(like.dtype)
    if not own.size or own.dtype.kind not in "fc":  # NumPy knows no units of bfloat16
        return own
    order = np.roll(_UNITS, -_UNITS.index(first))
    units = rng.permuted(np.resize(order, own.size)).reshape(own.shape)
    unit = np.spacing(own.real)
    if own.dtype.kind == "c":  # which cannot be divided by what is smaller
        unit = np.maximum(unit, np.finfo(own.dtype).tiny)
    return np.asarray(own + units * unit).astype(like.dtype)


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
            first = point[judged[0]] if point[k].dtype.kind == "c" else point[judged[0]].real
            point[k] = np.where(chosen, first, point[k]).astype(point[k].dtype)
        yield "ties", point
