"""Time the rows of tables in this checkout and in another one, in turns.

`python -m tests.benchmarks.beside PATH TABLE …` starts a process in each checkout. They keep the
work of all rows ready and are asked by turns, so that what slows the machine down slows both. Of
each row it prints the ratio of this checkout to the other, and an interval that holds it with 95 %.
"""

from __future__ import annotations

import argparse
import importlib
import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

SECONDS = 0.02
"""How long one turn takes."""


def collected(names: list[str]) -> list[tuple[str, Any]]:
    """List the rows of tables: the title, and the work of the first contender."""
    main = importlib.import_module("tests.benchmarks.__main__")
    rows: list[tuple[str, Any]] = []

    def compare(title: str, contenders: Any, **_: Any) -> None:
        work = next(iter(contenders.values()))
        if work is not None:  # what needs a peer is not timed here
            rows.append((title, work))

    for name in names:
        table = main.TABLES[name]
        table.__globals__["compare"] = compare
        table.__globals__["peer"] = lambda _: None
        table()
    return rows


def serve(names: list[str]) -> None:
    """Answer each line, a row and a number of calls, with the seconds that they took."""
    rows = collected(names)
    for _, work in rows:
        for _ in range(3):
            work()
    print(json.dumps([title for title, _ in rows]), flush=True)
    for line in sys.stdin:
        k, count = json.loads(line)
        work = rows[k][1]
        work()
        start = time.perf_counter()
        for _ in range(count):
            work()
        print(json.dumps(time.perf_counter() - start), flush=True)


class Checkout:
    """A process that times rows in one checkout."""

    def __init__(self, path: Path, names: list[str]) -> None:
        self._process = subprocess.Popen(  # noqa: S603 - this file, and paths that the user gave
            [sys.executable, str(Path(__file__).resolve()), "--serve", str(path), *names],
            cwd=path, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        )  # fmt: skip
        self.titles = self._answer()

    def _answer(self) -> Any:
        assert self._process.stdout is not None
        while True:
            line = self._process.stdout.readline()
            if not line:
                raise RuntimeError("a checkout gave no answer; its error stands above")
            if line[0] in "[0123456789":  # tables may print lines of their own
                return json.loads(line)

    def seconds(self, row: int, count: int) -> float:
        """Time some calls of a row."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps([row, count]) + "\n")
        self._process.stdin.flush()
        return float(self._answer())


def ratios(own: Checkout, other: Checkout, row: int, turns: int) -> list[float]:
    """Give the ratio of each turn; who is first changes from turn to turn."""
    once = max(min(own.seconds(row, 1) for _ in range(3)), 1e-7)
    count = max(1, int(SECONDS / once))
    found = []
    for turn in range(turns):
        if turn % 2:
            mine, theirs = own.seconds(row, count), other.seconds(row, count)
        else:
            theirs, mine = other.seconds(row, count), own.seconds(row, count)
        found.append(mine / theirs)
    return found


def interval(found: list[float]) -> tuple[float, float, float]:
    """Give the median, and what holds it with 95 %: order statistics, whatever the distribution.

    >>> interval([1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0])
    (5.0, 2.0, 8.0)
    """
    ordered, n = sorted(found), len(found)
    reach = int(0.98 * n**0.5)
    middle = n // 2
    return (
        ordered[middle],
        ordered[max(middle - reach - 1, 0)],
        ordered[min(middle + reach + 1, n - 1)],
    )


def main() -> None:
    """Run what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("path", type=Path)
    parser.add_argument("tables", nargs="+")
    parser.add_argument("--turns", type=int, default=61)
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.serve:
        sys.path[0] = str(given.path.resolve())
        serve(given.tables)
        return
    own = Checkout(Path.cwd(), given.tables)
    other = Checkout(given.path.resolve(), given.tables)
    for row, title in enumerate(own.titles):
        assert other.titles[row] == title
        ratio, low, high = interval(ratios(own, other, row, given.turns))
        print(f"{ratio:6.3f}  [{low:.3f}, {high:.3f}]  {title}", flush=True)


if __name__ == "__main__":
    main()
