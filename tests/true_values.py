"""True values, slopes and second derivatives of the rows of `accuracy.py`, by mpmath.

They are kept in `golden/accuracy.json` to 25 digits: `python -m tests.true_values` writes it.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import mpmath as mp

from tests.accuracy import ROWS, Row

FILE = Path(__file__).parent / "golden" / "accuracy.json"


def points(row: Row) -> list[tuple[float, ...]]:
    """List the points of a row, each with all arguments."""
    return [p if isinstance(p, tuple) else (p,) for p in row.points]


def differentiated(row: Row, point: tuple[float, ...], digits: int) -> list[Any]:
    """Differentiate the function of mpmath numerically, in some working precision."""
    with mp.workdps(digits):
        xs = [mp.mpf(x) for x in point]
        k = row.of
        step = abs(xs[k]) / mp.mpf(10) ** (digits // 4)
        low, here, high = [row.truth(*xs[:k], xs[k] + s * step, *xs[k + 1 :]) for s in (-1, 0, 1)]
        return [here, (high - low) / (2 * step), (high - 2 * here + low) / step**2]


def true(row: Row, point: tuple[float, ...]) -> list[Any]:
    """Raise the precision until two runs agree; what vanishes with the step is zero."""
    digits = 160
    before = differentiated(row, point, digits // 2)
    while True:
        found = differentiated(row, point, digits)
        with mp.workdps(digits):
            pairs = zip(before, found, strict=True)
            agree = [b and abs(a - b) <= abs(b) * mp.mpf(10) ** -18 for a, b in pairs]
        if all(agree) or digits > 2000:
            return [b if same else mp.mpf(0) for b, same in zip(found, agree, strict=True)]
        before, digits = found, 2 * digits


def written(row: Row) -> list[list[str]]:
    """Write what is true at each point of a row, to more digits than are compared."""
    return [[mp.nstr(v, 25) for v in true(row, p)] for p in points(row)]


def read(row: Row) -> list[list[Any]]:
    """Read what is true at each point of a row."""
    with mp.workdps(30):
        return [[mp.mpf(text) for text in texts] for texts in KEPT[row.name]]


KEPT = json.loads(FILE.read_text("ascii")) if FILE.exists() else {}

if __name__ == "__main__":
    rows = [f"{json.dumps(row.name)}: {json.dumps(written(row))}" for row in ROWS]
    FILE.write_text("{\n" + ",\n".join(rows) + "\n}\n", "ascii")
