"""Where a strategy of distribution holds: in which scope code runs, and for which replica."""

from __future__ import annotations

import threading
from typing import Any


class Contexts(threading.local):
    """The strategies whose scopes a thread has entered, and the replicas that it runs for."""

    def __init__(self) -> None:
        self.entered: list[tuple[Any, Any]] = []
        """Pairs of a strategy, and the context of a replica; None across all replicas."""


CONTEXTS = Contexts()


def has_strategy() -> bool:
    """Say whether code runs in the scope of a strategy, or for it.

    >>> has_strategy()
    False
    """
    return bool(CONTEXTS.entered)


def in_cross_replica_context() -> bool:
    """Say whether code runs in the scope of a strategy and for no replica of its own.

    >>> in_cross_replica_context()
    False
    """
    return has_strategy() and CONTEXTS.entered[-1][1] is None


def refuse_across_replicas(function: str) -> None:
    """Raise `RuntimeError` for what has to be called by a replica, as TensorFlow does."""
    if in_cross_replica_context():
        raise RuntimeError(
            f"You are calling `{function}` in cross replica context, while it was expected to be "
            "called in replica context."
        )
