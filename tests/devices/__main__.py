"""Check on a GPU what the tests check on a processor: `python -m tests.devices [WHAT…] [--step N]`.

WHAT is some of `cupy`, `torch`, `jax` (compiled formulas of the case table), `followed` (functions
of PyTorch) and `judged` (backwards of PyTorch, JAX and Triton); all of them without. Every N-th
check is made, a few to a process: what fails on a device can take the process with it. What does
not hold is printed in full, and the exit is 1.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from tests.devices import followed, formulas, judged
from tests.devices.outcome import Outcome

WHAT: dict[str, Any] = {
    "cupy": formulas,
    "torch": formulas,
    "jax": formulas,
    "followed": followed,
    "judged": judged,
}
TOGETHER = {"judged": 3}
"""How many checks share a process; without a number they are dealt out evenly."""


def main() -> int:
    """Run the checks, and print what does not hold."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", nargs="*", choices=[[], *WHAT], default=[*WHAT])
    parser.add_argument("--step", type=int, default=1)
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--part", help="K/N: make every N-th of the checks, and print JSON")
    asked = parser.parse_args()
    if asked.part:
        (name,), (k, count) = asked.what, map(int, asked.part.split("/"))
        jobs = WHAT[name].jobs(name, asked.step)[k::count]
        print(json.dumps(WHAT[name].run(name, jobs)))
        return 0
    start = time.monotonic()
    with ThreadPoolExecutor(asked.processes) as pool:
        parts = [*_parts(asked)]
        found: dict[str, list[Outcome]] = {name: [] for name in asked.what}
        for (name, _), outcomes in zip(parts, pool.map(_run, parts), strict=True):
            found[name] += outcomes
    for name, outcomes in found.items():
        _show(name, outcomes)
    print(f"{time.monotonic() - start:.0f} s")
    return int(any(x.said for outcomes in found.values() for x in outcomes))


def _parts(asked: Any) -> Iterator[tuple[str, list[str]]]:
    """List the processes: what each is for, and its arguments."""
    for name in asked.what:
        jobs = len(WHAT[name].jobs(name, asked.step))
        together = TOGETHER.get(name)
        count = -(-jobs // together) if together else min(jobs, 2 * asked.processes)
        for k in range(count):
            yield name, [name, "--step", str(asked.step), "--part", f"{k}/{count}"]


def _run(part: tuple[str, list[str]]) -> list[Outcome]:
    """Run one process, which shares the device with others."""
    name, arguments = part
    own = {"XLA_PYTHON_CLIENT_PREALLOCATE": "false", "OMP_NUM_THREADS": "1"}
    done = subprocess.run(
        [sys.executable, "-m", "tests.devices", *arguments],
        capture_output=True,
        text=True,
        check=False,
        env=own | dict(os.environ),
    )
    if done.returncode:
        return [Outcome(f"{name} {arguments[-1]}", said=done.stderr[-1500:])]
    return [Outcome(*x) for x in json.loads(done.stdout.splitlines()[-1])]


def _show(name: str, outcomes: list[Outcome]) -> None:
    wrong = [x for x in outcomes if x.said]
    print(f"{name}: {len(outcomes)} checks, {len(wrong)} do not hold")
    for gap, count in Counter(x.gap for x in outcomes if x.gap).items():
        print(f"    {count} of them: {gap}")
    for x in wrong:
        print(f"--- {name}: {x.name}\n{x.said}")


if __name__ == "__main__":
    raise SystemExit(main())
