"""Calls of a derivative of a function: compiled if it is closed, else recorded on every call."""

from __future__ import annotations

from typing import Any

import numpy as np

import symtape as st
from tests.benchmarks import problems
from tests.benchmarks.harness import Work, compare


class Model:
    """A loss as people write it who use SciPy: data and settings are attributes."""

    def __init__(self, a: Any, b: Any) -> None:
        self.a, self.b, self.rate = a, b, 0.1

    def loss(self, x: Any) -> Any:
        """Give a regularized sum of squares."""
        return np.mean((self.a @ x - self.b) ** 2) + self.rate * np.sum(x * x)


def _chain(steps: int) -> Any:
    def f(x: Any) -> Any:
        y = x
        for _ in range(steps // 2):
            y = np.sin(y) * x
        return y

    return f


def _open(function: Any) -> Any:
    """Make a function that is not closed: what a set holds is not known."""
    held = {0}

    def f(*args: Any) -> Any:
        return function(*args) if len(held) else None

    return f


def calls() -> None:
    """Time calls of gradients, of functions that are closed and of those that are not."""
    rng = np.random.default_rng(0)
    model = Model(rng.normal(size=(200, 20)), rng.normal(size=200))
    p, x, y = problems.network(64)
    rows: list[tuple[str, Any, tuple[Any, ...]]] = [
        ("x*x", lambda x: x * x, (3.0,)),
        ("20 scalar operations", _chain(20), (0.7,)),
        ("200 scalar operations", _chain(200), (0.7,)),
        ("a method that reads its attributes", model.loss, (rng.normal(size=20),)),
        ("a 10-32-32-1 network, 64 rows", lambda q: problems.network_loss(st, q, x, y), (p,)),
    ]
    for title, function, args in rows:
        contenders = {"closed": _work(function, args), "recorded": _work(_open(function), args)}
        compare(f"value and gradient of {title}", contenders)


def _work(function: Any, args: tuple[Any, ...]) -> Work:
    derivative = st.value_and_grad(function)
    return lambda: _flat(derivative(*args))


def _flat(result: Any) -> list[Any]:
    value, slopes = result
    return [value, *slopes] if isinstance(slopes, (list, tuple)) else [value, slopes]


TABLES = (calls,)
