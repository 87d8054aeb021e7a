"""Nonlinear regression with certified answers: the data sets of NIST that lie in `tests/nist`.

National Institute of Standards and Technology, *Statistical Reference Datasets*, nonlinear least
squares regression (https://www.itl.nist.gov/div898/strd/nls/nls_main.shtml). The files are as
published; they say where values and data stand. Certified values have eleven digits.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

FOLDER = Path(__file__).parent / "nist"


class Dataset(NamedTuple):
    """What a file says: two starts, the certified parameters and deviations, and the data."""

    starts: Any
    certified: Any
    deviations: Any
    sum_of_squares: float
    x: Any
    y: Any


def dataset(name: str) -> Dataset:
    """Read a file."""
    lines = (FOLDER / f"{name}.dat").read_text("ascii").splitlines()
    rows = [line.partition("=")[2].split() for line in lines if re.match(r"\s*b\d+ =", line)]
    values = np.array(rows, float).T
    (total,) = [line.split()[-1] for line in lines if line.startswith("Residual Sum of Squares")]
    first = max(k for k, line in enumerate(lines) if line.startswith("Data:")) + 1
    data = np.array([line.split() for line in lines[first:] if line.strip()], float)
    return Dataset(values[:2], values[2], values[3], float(total), data[:, 1], data[:, 0])


def _rational(x: Any, above: Any, below: Any) -> Any:
    def polynomial(b: Any) -> Any:
        return sum(c * x**k for k, c in enumerate(b))

    return polynomial(above) / polynomial((1.0, *below))


MODELS: dict[str, Callable[..., Any]] = {
    "Misra1a": lambda x, b1, b2: b1 * (1 - np.exp(-b2 * x)),
    "DanWood": lambda x, b1, b2: b1 * x**b2,
    "Lanczos3": lambda x, b1, b2, b3, b4, b5, b6: (
        b1 * np.exp(-b2 * x) + b3 * np.exp(-b4 * x) + b5 * np.exp(-b6 * x)
    ),
    "MGH09": lambda x, b1, b2, b3, b4: b1 * (x**2 + x * b2) / (x**2 + x * b3 + b4),
    "MGH10": lambda x, b1, b2, b3: b1 * np.exp(b2 / (x + b3)),
    "MGH17": lambda x, b1, b2, b3, b4, b5: b1 + b2 * np.exp(-x * b4) + b3 * np.exp(-x * b5),
    "Thurber": lambda x, b1, b2, b3, b4, b5, b6, b7: _rational(x, (b1, b2, b3, b4), (b5, b6, b7)),
    "BoxBOD": lambda x, b1, b2: b1 * (1 - np.exp(-b2 * x)),
    "Rat42": lambda x, b1, b2, b3: b1 / (1 + np.exp(b2 - b3 * x)),
    "Rat43": lambda x, b1, b2, b3, b4: b1 / (1 + np.exp(b2 - b3 * x)) ** (1 / b4),
    "Eckerle4": lambda x, b1, b2, b3: b1 / b2 * np.exp(-0.5 * ((x - b3) / b2) ** 2),
    "Roszman1": lambda x, b1, b2, b3, b4: b1 - b2 * x - np.arctan(b3 / (x - b4)) / np.pi,
    "Kirby2": lambda x, b1, b2, b3, b4, b5: _rational(x, (b1, b2, b3), (b4, b5)),
    "Hahn1": lambda x, b1, b2, b3, b4, b5, b6, b7: _rational(x, (b1, b2, b3, b4), (b5, b6, b7)),
}
"""The models as the files print them."""
