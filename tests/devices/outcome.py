"""What became of one check on a device."""

from __future__ import annotations

import traceback
import warnings
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np


class Outcome(NamedTuple):
    """A check by its name; `said` is empty where it holds, `gap` names what a library lacks."""

    name: str
    said: str = ""
    gap: str = ""


def checked(name: str, check: Callable[[], str | None]) -> Outcome:
    """Run a check, which raises where it does not hold, and gives a gap where there is one."""
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            return Outcome(name, gap=check() or "")
    except Exception:  # noqa: BLE001 - whatever is raised is told
        return Outcome(name, said="".join(traceback.format_exc(limit=-2))[-1200:])


def assert_same(found: Any, expected: Any, digits: float = 1.0) -> None:
    """Assert equal shapes, dtypes and numbers, up to what the dtype can hold."""
    assert found.shape == expected.shape, f"{found.shape} for {expected.shape}"
    assert found.dtype == expected.dtype, f"{found.dtype} for {expected.dtype}"
    wide = expected.dtype in (np.float64, np.complex128)
    scale = np.max(np.abs(expected[np.isfinite(expected)]), initial=1)
    relative, absolute = (1e-10, 1e-12) if wide else (2e-4, 2e-5)
    np.testing.assert_allclose(
        found, expected, rtol=relative * digits, atol=absolute * digits * scale
    )
