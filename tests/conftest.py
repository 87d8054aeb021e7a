"""What every test may ask for: a generator of random numbers, and Hypothesis without a clock."""

from __future__ import annotations

import gc
import os

import numpy as np
import pytest
from hypothesis import settings

# A first example derives and compiles; on a small machine that takes longer than Hypothesis allows.
# Where a change is judged, chance has no part in it; elsewhere Hypothesis goes on searching.
settings.register_profile("symtape", deadline=None, derandomize="CI" in os.environ)
settings.load_profile("symtape")


def pytest_collection_finish() -> None:
    """Leave what was made so far, tests and tables, out of collections, and collect less often."""
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)


@pytest.fixture
def rng() -> np.random.Generator:
    """Give a generator of random numbers of this test alone, which starts the same each time."""
    return np.random.default_rng(20260)
