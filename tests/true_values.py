"""True values, slopes and second derivatives of the rows of `accuracy.py`, by mpmath.

They are kept in `golden/accuracy.json` to 25 digits: `python -m tests.true_values` writes it.
"""

from __future__ import annotations

from typing import Any

import mpmath as mp

from tests.accuracy import ROWS, Row
from tests.goldens import FOLDER, keep, kept

FILE = FOLDER / "accuracy.json"


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


KEPT = kept(FILE)

if __name__ == "__main__":
    keep(FILE, {row.name: written(row) for row in ROWS})
