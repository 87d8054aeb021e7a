"""Whether the formula of a function has the slope that the function has itself.

A forward that leaves for NumPy gives numbers which its formula takes for constants, and a search
by halving finds a root whose slope no step of it has. Differences of the function tell.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from symtape.calculus.derive import leads
from symtape.functions.tracing.arguments import Arguments
from symtape.functions.tracing.tracing import trace
from symtape.program.operations import Map
from symtape.verify.numbers.black_boxes import results, roundings
from symtape.verify.numbers.extrapolation import Rate, directional
from symtape.verify.points.domain import Domain
from symtape.verify.question import Question
from symtape.verify.subject import OUTSIDE, Subject, values

STRAYING = "its formula has not the slope that its values have"
"""Why the derivative of such a function is measured."""

_POINTS, _NEAR = 3, 0.05
"""So many points are looked at, the example and others that are so near to it."""

_CERTAIN, _FAR = 1e-3, 1e-2
"""A slope counts that is known as well, and is another one that is so far off."""

_SHARP, _CLEAR = 1e-9, 100
"""What is off by little is off if it is known so well, and off by so many times its error."""

_STEPS, _ROUGH, _OTHER = (0.04, 0.02, 0.01), 0.03, 0.3
"""Steps at which floats of few digits tell a slope, if all agree so well and it is so far off."""


LAGGING = (
    "at some points the formula of the function has fewer digits of the slope than its values "
    "have, as where a search ends: what is off by so little there is not refuted"
)
"""What is told where a slope lags behind."""


class Doubt(NamedTuple):
    """Whether a formula has another slope than the values, or fewer digits of it at a point."""

    everywhere: Callable[[], bool]
    at: Callable[[Sequence[Any]], bool]


NO_DOUBT = Doubt(bool, lambda _: False)
"""That of a function whose derivative is measured."""


def strays(subject: Subject, arrays: Sequence[Any], compute: Callable[..., Any], seed: int) -> bool:
    """Say whether a function has another slope than its formula, wherever that can be told."""
    judged = subject.question.wrt
    if not judged or any(arrays[k].dtype.kind != "f" for k in judged):
        return False
    rng = np.random.default_rng(seed)
    is_other = False
    for point in _points(arrays, judged, rng):
        fits = _fits(subject, point, compute, rng)
        if fits:
            return False
        is_other = is_other or fits is False
    return is_other


def _points(arrays: Sequence[Any], judged: Sequence[int], rng: Any) -> list[list[Any]]:
    """List the example, and points near it."""
    found = [list(arrays)]
    for _ in range(_POINTS - 1):
        near = list(arrays)
        for k in judged:
            moved = arrays[k] + _NEAR * _direction(arrays[k], rng)
            near[k] = np.asarray(moved).astype(arrays[k].dtype)
        found.append(near)
    return found


def _direction(x: Any, rng: Any) -> Any:
    """Draw a direction; a matrix that is symmetric stays so, of which code may read one half."""
    return Domain.of(x, "real", is_judged=True).part(rng.normal(size=x.shape))


def is_stopped(subject: Subject, arrays: Sequence[Any]) -> bool:
    """Say whether the author of a function has stopped gradients, or nobody can see it."""
    judged = subject.question.wrt
    names, given = subject.names[: subject.count], tuple(arrays)
    try:
        traced = trace(subject.function, Arguments(names, given, {}), judged, again=True)
    except OUTSIDE:
        return True
    program, sources = traced.program, [traced.arguments[k] for k in judged]
    return any(
        type(operation) is Map
        and operation.name == "stop_gradient"
        and leads(program, sources, operands)
        for operation, *operands in program.steps
    )


class _Slopes(NamedTuple):
    """The slope along a direction by the formula, and by the values `at` places on it."""

    exact: float
    rate: Rate
    at: Callable[[float], Any]
    eps: float

    @property
    def scale(self) -> float:
        return max(abs(self.exact), abs(float(self.rate.value)))

    @property
    def apart(self) -> float:
        return abs(float(self.rate.value) - self.exact)

    def is_known(self, part: float) -> bool:
        """Say whether the values tell the slope but for a part of it."""
        return bool(np.isfinite(self.scale) and self.rate.error <= part * self.scale)


def strays_slightly(
    subject: Subject, point: Sequence[Any], compute: Callable[..., Any], seed: int
) -> bool:
    """Say whether the slope of a formula has fewer digits at a point than the values have.

    A search that ends where its value is known well may not know the slope as well: that of a step
    of Newton's lags behind by a step.
    """
    judged = subject.question.wrt
    if not judged or any(point[k].dtype.kind != "f" for k in judged):
        return False
    found = _slopes(subject, point, compute, np.random.default_rng(seed))
    if found is None or not found.is_known(_SHARP):
        return False
    return found.apart > max(_CLEAR * float(found.rate.error), _SHARP * found.scale)


def _fits(subject: Subject, point: Sequence[Any], compute: Any, rng: Any) -> bool | None:
    """Compare both slopes along a direction; None where floats do not tell."""
    found = _slopes(subject, point, compute, rng)
    if found is None:
        return None
    if found.is_known(_CERTAIN):
        return found.apart <= _FAR * found.scale
    return _fits_roughly(found.at, found.exact, found.eps * abs(found.at(0.0)))


def _slopes(subject: Subject, point: Sequence[Any], compute: Any, rng: Any) -> _Slopes | None:
    """Give both slopes along a direction; None where one is not defined."""
    judged = subject.question.wrt
    moves = {k: _direction(point[k], rng) for k in judged}
    try:
        own = results(compute, point)
        weights = [_weights(rng, r) for r in own]
        exact = _along(subject, point, weights, moves)
    except OUTSIDE:
        return None

    def at(h: float) -> Any:
        near = list(point)
        for k, d in moves.items():
            near[k] = (point[k] + h * d).astype(point[k].dtype)
        try:
            found = results(compute, near)
            pairs = zip(found, weights, strict=True)
            return sum(float(np.sum(np.real(r * np.conj(w)))) for r, w in pairs)
        except OUTSIDE:
            return np.nan

    eps = max(map(roundings, (own, [point[k] for k in judged])))
    return _Slopes(exact, directional(at, 0.25, eps), at, eps)


def _weights(rng: Any, result: Any) -> Any:
    """Draw a cotangent of a result, by which real and imaginary parts count."""
    found = rng.normal(size=np.shape(result))
    return found + 1j * rng.normal(size=found.shape) if np.iscomplexobj(result) else found


def _fits_roughly(at: Callable[[float], Any], exact: float, rounding: float) -> bool | None:
    """Compare a slope with differences that agree, where floats have few digits.

    Differences of a number so large that none of its digits changes agree, too, and tell nothing.
    """
    found = np.array([(at(h) - at(-h)) / (2 * h) for h in _STEPS])
    scale = max(abs(exact), float(np.max(np.abs(found))))
    unknown = max(float(np.ptp(found)) / _ROUGH, rounding / min(_STEPS) / _OTHER)
    if not np.isfinite(scale) or unknown > scale:
        return None
    return None if abs(float(found[-1]) - exact) <= _OTHER * scale else False


def _along(
    subject: Subject, point: Sequence[Any], weights: Sequence[Any], moves: dict[int, Any]
) -> float:
    """Give the slope that the formula has along a direction."""
    judged = subject.question.wrt
    own = Subject(
        Question("vjp", judged),
        subject.function,
        subject.candidate,
        subject.names,
        subject.count,
        subject.seconds,
    )
    own.run = subject.run
    like = subject.values(point)
    given = [np.asarray(w).astype(r.dtype) for w, r in zip(weights, like, strict=True)]
    found = values(own.truth([*point[: subject.count], *given]))
    pairs = zip(found, judged, strict=True)
    return float(sum(np.sum(g * moves[k]) for g, k in pairs if g is not None))
