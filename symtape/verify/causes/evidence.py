"""What is known of a wrong candidate: truths and answers at some points."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, NamedTuple

import numpy as np

_CLOSE = 1e-5

_SLACK = ContextVar("slack", default=0.0)
"""So far apart are numbers that only roundings of a narrow dtype tell apart."""

INNER = ("random", "the example", "given")
"""What points are called that are no edges."""

Pairs = Sequence[tuple[Any, Any]]


class Evidence(NamedTuple):
    """The points at which the numbers are known, of which the first is the counterexample.

    At those that are `wider` the truth alone is, and at those `elsewhere`, of other sizes. Of each
    result the part counts that one of `parts` says.
    """

    subject: Any
    results: Sequence[str]
    points: Sequence[Any]
    wider: Sequence[Any] = ()
    parts: Sequence[Any] = ()
    elsewhere: Sequence[Any] = ()
    is_right_at_example: bool = False

    def pairs(self, k: int) -> list[tuple[Any, Any]]:
        """Give truth and answer of one result at all points where both are finite."""
        return [
            (s.truths[k], s.answers[k])
            for s in self.points
            if s.answers and np.shape(s.truths[k]) == np.shape(s.answers[k])
        ]


def slack() -> float:
    """Give the relative error that the dtype of the answers explains; 0 for double precision."""
    return _SLACK.get()


@contextmanager
def as_rounded(points: Sequence[Any]) -> Iterator[None]:
    """Let numbers that have few digits agree with what they were rounded from."""
    token = _SLACK.set(_roundings([a for s in points for a in s.answers]))
    try:
        yield
    finally:
        _SLACK.reset(token)


def are_narrow(answers: Sequence[Any]) -> bool:
    """Say whether arrays hold nothing but numbers of half precision."""
    return _roundings(answers) > _CLOSE


def are_single(answers: Sequence[Any]) -> bool:
    """Say whether arrays hold numbers of single precision, and others than of half precision."""
    return _roundings(answers) == _NARROW[-1][1]


def _roundings(answers: Sequence[Any]) -> float:
    """Give how much errors add up in the narrowest dtype that has all numbers; 0 in double."""
    parts = [np.ravel(part(a)) for part in (np.real, np.imag) for a in answers]
    found = np.concatenate(parts) if parts else np.zeros(0)
    with np.errstate(over="ignore"):
        return next((size for fits, size in _NARROW if fits(found)), 0.0)


def _is_bfloat16(x: Any) -> bool:
    single = x.astype("float32")
    return np.array_equal(single, x) and not np.any(single.view("uint32") & 0xFFFF)


def _is_float(name: str) -> Any:
    return lambda x: np.array_equal(x.astype(name), x)


_NARROW = ((_is_bfloat16, 2e-2), (_is_float("float16"), 3e-3), (_is_float("float32"), 1e-5))
"""Tests for the dtypes that answers may have been rounded to, and how much errors add up."""


def close(pairs: Sequence[tuple[Any, Any]]) -> bool:
    """Say whether all pairs of arrays agree, and are not all zero."""
    size = max([0.0, *[float(np.max(np.abs(a), initial=0)) for a, _ in pairs]])
    return size > 0 and all(
        np.shape(a) == np.shape(b)
        and float(np.max(np.abs(a - b), initial=0))
        <= max(_CLOSE, slack()) * max(size * 1e-3, float(np.max(np.abs(a), initial=0)))
        for a, b in pairs
    )
