"""Timing side by side: contenders take turns in one process, and must agree first."""

from __future__ import annotations

import importlib
import platform
import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from typing import Any

import numpy as np

Work = Callable[[], Any]


def peer(name: str) -> Any:
    """Import a peer, or give None where it is not installed."""
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


def numbers(result: Any) -> list[Any]:
    """Turn what a contender gives into NumPy arrays."""
    parts = result if isinstance(result, (list, tuple)) else [result]
    return [np.asarray(p.detach() if hasattr(p, "detach") else p) for p in parts]


def agree(contenders: Mapping[str, Work], tolerance: float) -> None:
    """Raise `AssertionError` unless all contenders give the same numbers."""
    results = {name: numbers(work()) for name, work in contenders.items()}
    (first, expected), *rest = results.items()
    for name, found in rest:
        for a, b in zip(expected, found, strict=True):
            np.testing.assert_allclose(
                b, a, rtol=tolerance, atol=tolerance, err_msg=f"{name} against {first}"
            )


def best_times(
    contenders: Mapping[str, Work], rounds: int = 9, seconds: float = 0.03
) -> dict[str, float]:
    """Give the best time a call of each contender, measured in turns."""
    loops: dict[str, int] = {}
    for name, work in contenders.items():
        for _ in range(3):
            work()
        start = time.perf_counter()
        work()
        once = max(time.perf_counter() - start, 1e-7)
        loops[name] = max(1, int(seconds / once))
    best = dict.fromkeys(contenders, float("inf"))
    for _ in range(rounds):
        for name, work in contenders.items():
            _settle(work, seconds)
            start = time.perf_counter()
            for _ in range(loops[name]):
                work()
            best[name] = min(best[name], (time.perf_counter() - start) / loops[name])
    return best


def _settle(work: Work, seconds: float) -> None:
    """Work untimed for a while: what the one before leaves behind is not this one's doing."""
    end = time.perf_counter() + seconds
    while True:
        work()
        if time.perf_counter() > end:
            return


def compare(
    title: str,
    contenders: Mapping[str, Work | None],
    *,
    limits: Mapping[str, float] | None = None,
    tolerance: float = 1e-4,
    rounds: int = 9,
) -> None:
    """Check that the contenders agree, time them, and print the ratio of the first to each other.

    `limits` are the ratios that are aimed at; a peer that is not installed is None.
    """
    present = {name: work for name, work in contenders.items() if work is not None}
    agree(present, tolerance)
    times = best_times(present, rounds)
    (own, base), *rest = times.items()
    print(f"{title}\n  {own:<24}{human(base):>12}")
    for name, seconds in rest:
        goal = (limits or {}).get(name)
        aim = f"  at most {goal:.3g}" if goal else ""
        verdict = "" if goal is None else "  reached" if base / seconds <= goal else "  MISSED"
        print(f"  {name:<24}{human(seconds):>12}  ratio {base / seconds:7.3f}{aim}{verdict}")
    for name in contenders.keys() - present.keys():
        print(f"  {name:<24}not installed")


def human(seconds: float) -> str:
    """Write a time with a unit.

    >>> human(0.00123)
    '1.23 ms'
    """
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-9:.3g} ns"


def report(title: str, value: float, unit: str, limit: float) -> None:
    """Print one measured figure beside its limit."""
    verdict = "reached" if value <= limit else "MISSED"
    print(f"{title}\n  {value:.4g} {unit}  at most {limit:.4g}  {verdict}")


def conditions() -> str:
    """Say when, where and with which versions the tables were made."""
    packages = "numpy scipy sympy tensorflow tensorflow-cpu torch jax numba autograd".split()
    there = {(d.name or "").lower().replace("_", "-"): d.version for d in metadata.distributions()}
    found = [f"{name} {there[name]}" for name in packages if name in there]
    return "\n".join(
        [
            f"{datetime.now(UTC).date()}, {_processor()}, one thread, {platform.system()}",
            f"Python {platform.python_version()}, {', '.join(found)}",
        ]
    )


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()
