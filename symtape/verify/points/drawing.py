"""Points that strategies of Hypothesis draw."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

import numpy as np

_COUNT = 25


def is_strategy(x: Any) -> bool:
    """Say whether something draws inputs for Hypothesis."""
    hypothesis = sys.modules.get("hypothesis")
    return hypothesis is not None and isinstance(x, hypothesis.strategies.SearchStrategy)


def drawn(inputs: Sequence[Any]) -> list[list[Any]]:
    """Draw points, if some of the inputs are strategies; those that are none stay what they are."""
    are_drawn = [*map(is_strategy, inputs)]
    if not any(are_drawn):
        return []
    hypothesis: Any = sys.modules["hypothesis"]
    found: list[list[Any]] = []

    def keep(values: Sequence[Any]) -> None:
        found.append([np.asarray(x) for x in values])

    just = hypothesis.strategies.just
    whole = hypothesis.strategies.tuples(
        *[x if own else just(x) for x, own in zip(inputs, are_drawn, strict=True)]
    )
    settings = hypothesis.settings(
        max_examples=_COUNT, derandomize=True, database=None, deadline=None,
        suppress_health_check=list(hypothesis.HealthCheck),
    )  # fmt: skip
    settings(hypothesis.given(whole)(keep))()
    largest = max(range(len(found)), key=lambda k: sum(float(np.sum(x != 0)) for x in found[k]))
    return [found[largest], *found[:largest], *found[largest + 1 :]]


def near(rng: Any, number: float, like: Any) -> Any:
    """Draw entries around a number, at distances of its own size and of that of the inputs."""
    far = rng.normal(size=like.shape)
    own = np.where(rng.random(like.shape) < 0.5, 0.01, 0.01 * abs(number))
    return np.asarray(number + own * far).astype(like.dtype)
