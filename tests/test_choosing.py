"""What is chosen without branches has the bits that NumPy chooses, whatever it is."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from symtape.kernels.choosing import select

ORDERS = {
    "none": lambda n, rng: rng.random(n) < 0.5,
    "one change": lambda n, _: np.arange(n) < n / 3,
    "every other": lambda n, _: np.arange(n) % 2 == 0,
}


def _numbers(dtype: str, n: int, rng: Any) -> Any:
    """Give numbers, with the bits of nan, of infinity, and of both zeros, among them."""
    x = (rng.normal(size=n) * 100).astype(dtype)
    if x.dtype.kind == "f":
        x[: 5 * (n // 5)] = np.where(np.arange(5 * (n // 5)) % 5, x[: 5 * (n // 5)], -0.0)
        x[1:4] = [np.nan, np.inf, 0.0]
    return x


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("dtype", [*"fdeilIQhF", "?"])
@pytest.mark.parametrize("n", [10, 8192, 50_001])
def test_what_is_chosen_has_its_bits(n: int, dtype: str, order: str) -> None:
    """Arrays and numbers, of one dtype or of two, in one shape or broadcast, in any layout."""
    rng = np.random.default_rng(n)
    x, y, chosen = _numbers(dtype, n, rng), _numbers(dtype, n, rng), ORDERS[order](n, rng)
    wide = _numbers(dtype, 2 * n, rng)
    pairs = [
        *((x, y), (x, x.dtype.type(1)), (1, x), (x, 0), (0, 1), (x, 1.5)),
        *((x[:1], y), (x.reshape(1, n), y), (wide[::2], y), (x, y[::-1])),
    ]
    for a, b in pairs:
        found, wanted = select(chosen, a, b), np.where(chosen, a, b)
        assert (found.dtype, found.shape) == (wanted.dtype, wanted.shape)
        assert found.tobytes() == wanted.tobytes()


def test_conditions_may_lie_in_any_order() -> None:
    """Those of a transpose, of every other element, and numbers that stand for conditions."""
    rng = np.random.default_rng(0)
    chosen, x = rng.random((200, 100)) < 0.5, rng.normal(size=(200, 100))
    for c, a in ((chosen.T, x.T), (chosen[:, ::2], x[:, ::2]), (chosen.astype(int), x)):
        np.testing.assert_array_equal(select(c, a, -a), np.where(c, a, -a))
    assert type(select(np.True_, np.float64(1), np.float64(2))) is np.float64
