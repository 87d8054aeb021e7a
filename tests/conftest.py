"""What every test may ask for: a generator of random numbers, and Hypothesis without a clock.

With SYMTAPE_REQUIRE_PEERS=1 in the environment no test may skip, with SYMTAPE_NO_SKIPS=1 none but
those against peers: whatever would is a failure. `-m quick` tries each rule once; see `quick.py`.
"""

from __future__ import annotations

import gc
import os
from collections.abc import Generator
from typing import Any

import numpy as np
import pytest
from hypothesis import settings

from symtape.verify.running import clock
from tests import quick
from tests.sampling import ALL, LONG

# A first example derives and compiles; on a small machine that takes longer than Hypothesis allows.
# Where a change is judged, chance has no part in it; elsewhere Hypothesis goes on searching.
settings.register_profile("symtape", deadline=None, derandomize="CI" in os.environ)
settings.load_profile("symtape")


def pytest_configure(config: pytest.Config) -> None:
    """Look into no module for examples where `-m quick` would take none of them."""
    if config.option.markexpr == "quick":
        config.option.doctestmodules = False


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark the tests that `-m quick` runs, and leave long ones out, unless somebody names them."""
    for item in quick.chosen(items):
        item.add_marker(pytest.mark.quick)
    if not ALL and not any("::" in str(asked) for asked in config.args):
        long = {f"{file}::{name}" for file, names in LONG.items() for name in names}
        config.hook.pytest_deselected(items=[item for item in items if item.nodeid in long])
        items[:] = [item for item in items if item.nodeid not in long]


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, Any, Any]:
    """Look for no garbage among tests and tables, and later less often."""
    gc.disable()
    found = yield
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)
    gc.enable()
    return found


@pytest.fixture(scope="module", autouse=True)
def _nothing_older() -> None:
    """Look for garbage among what the tests of a file make, not among all that was made before."""
    gc.collect()
    gc.freeze()


@pytest.fixture
def rng() -> np.random.Generator:
    """Give a generator of random numbers of this test alone, which starts the same each time."""
    return np.random.default_rng(20260)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, Any, Any]:
    """Count a skipped test as failed where none may skip."""
    return _strict((yield))


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, Any, Any]:
    """Count a skipped file as failed where none may skip."""
    return _strict((yield))


def _strict(report: Any) -> Any:
    against_peers = report.nodeid.startswith("tests/peers")
    wanted = "SYMTAPE_REQUIRE_PEERS" if against_peers else "SYMTAPE_NO_SKIPS"
    refused = [n for n in ("SYMTAPE_REQUIRE_PEERS", wanted) if os.environ.get(n) == "1"]
    if refused and report.outcome == "skipped" and not hasattr(report, "wasxfail"):
        report.outcome = "failed"
        *_, reason = report.longrepr if isinstance(report.longrepr, tuple) else (report.longrepr,)
        report.longrepr = f"{refused[-1]} allows no skips, but this one was: {reason}"
    return report


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the judge search so long that what it can tell is told on a slow machine, too."""
    monkeypatch.setattr(clock, "PATIENCE", 8.0)
