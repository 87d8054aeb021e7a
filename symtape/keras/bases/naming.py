"""Names as Keras gives them: `dense`, `dense_1`, and the path `sequential/dense/kernel`."""

from __future__ import annotations

import re
import threading
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


class _Names(threading.local):
    """What one thread has named so far, and the objects that it is within."""

    def __init__(self) -> None:
        self.counts: dict[str, int] = defaultdict(int)
        self.stack: list[tuple[str, Any]] = []


_NAMES = _Names()


def auto_name(prefix: str) -> str:
    """Make a name of a class's name, and number it if it was given before.

    >>> reset_uids()
    >>> auto_name("LeakyReLU"), auto_name("LeakyReLU")
    ('leaky_re_lu', 'leaky_re_lu_1')
    """
    name = _snake(prefix)
    count = _NAMES.counts[name]
    _NAMES.counts[name] += 1
    return f"{name}_{count}" if count else name


def reset_uids() -> None:
    """Start counting again."""
    _NAMES.counts.clear()


def _snake(name: str) -> str:
    name = re.sub(r"\W+", "", name)
    name = re.sub("(.)([A-Z][a-z]+)", r"\1_\2", name)
    return re.sub("([a-z])([A-Z])", r"\1_\2", name).lower()


@contextmanager
def scope(name: str, owner: Any) -> Iterator[None]:
    """Be within an object: variables made here have its name in their path, once."""
    stack = _NAMES.stack
    entered = not (stack and stack[-1][1] is owner)
    if entered:
        stack.append((name, owner))
    try:
        yield
    finally:
        if entered:
            stack.pop()


def path_to(name: str) -> str:
    """Give the path of a variable that is made here."""
    return "/".join([*[outer for outer, _ in _NAMES.stack], name])
