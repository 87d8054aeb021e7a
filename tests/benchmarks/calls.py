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


def checked_calls() -> None:
    """Time gradients of functions that check what they are given, against NumPy by hand."""
    rng = np.random.default_rng(0)
    logits, labels = rng.normal(size=(200, 64)), rng.integers(0, 64, 200)
    values, places = rng.normal(size=1000), rng.integers(0, 1000, 3000)
    square = rng.normal(size=(20, 20))
    entropy = st.grad(
        lambda x, i: st.reduce_mean(st.nn.sparse_softmax_cross_entropy_with_logits(i, x))
    )
    gathered = st.grad(lambda x, i: st.reduce_sum(st.gather(x, i) ** 2))
    volume = st.grad(lambda a: st.linalg.logdet(st.matmul(a, a, transpose_b=True) + np.eye(20)))
    rows: list[tuple[str, Work, Work]] = [
        (
            "a cross entropy of 200 labels",
            lambda: entropy(logits, labels),
            lambda: _entropy_slope(logits, labels),
        ),
        (
            "3000 gathered numbers",
            lambda: gathered(values, places),
            lambda: 2 * values * np.bincount(places, minlength=1000),
        ),
        (
            "a logarithm of a determinant",
            lambda: volume(square),
            lambda: 2 * np.linalg.solve(square @ square.T + np.eye(20), square),
        ),
    ]
    for title, own, by_hand in rows:
        contenders = {"symtape": own, "by hand": by_hand}
        compare(f"gradient of {title}", contenders, limits={"by hand": 4}, tolerance=1e-9)


def _entropy_slope(logits: Any, labels: Any) -> Any:
    powers = np.exp(logits - logits.max(1, keepdims=True))
    slope = powers / powers.sum(1, keepdims=True)
    slope[np.arange(len(labels)), labels] -= 1
    return slope / len(labels)


TABLES = (calls, checked_calls)
