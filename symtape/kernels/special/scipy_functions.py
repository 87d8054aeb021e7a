"""Functions that NumPy lacks: SciPy's where it is installed, else what Python's `math` has."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from symtape.errors import ExtraNotInstalledError

Array = Any
"""A NumPy array or scalar."""


class Special:
    """`scipy.special`, looked for when a function is first needed."""

    def __getattr__(self, name: str) -> Any:
        try:
            from scipy import special  # noqa: PLC0415 - an extra
        except ImportError:
            found = _from_math(name)
        else:
            found = getattr(special, name)
        setattr(self, name, found)
        return found


special = Special()


def _from_math(name: str) -> Any:
    function = _MATH.get(name)
    if function is None:
        raise ExtraNotInstalledError.of(f"the value of {name}", "scipy")
    return np.vectorize(function, otypes=[float])


def _gammaln(x: float) -> float:
    try:
        return math.lgamma(x)
    except ValueError:  # at the poles
        return math.inf


_LARGEST_OF_GAMMA = 171.6243769563027
"""The gamma function of more is no float."""


def _gamma(x: float) -> float:
    """Compute the gamma function, which is infinite at 0 and has no side at the other poles."""
    if x == 0:
        return math.copysign(math.inf, x)
    if x > _LARGEST_OF_GAMMA:
        return math.inf
    try:
        return math.gamma(x)
    except ValueError:
        return math.nan


def _erfcx(x: float) -> float:
    """Compute exp(x²) erfc(x) for x ≥ 0, by its continued fraction where that is quick."""
    if x < 2:
        return math.exp(x * x) * math.erfc(x)
    tail = 0.0
    for n in range(120, 0, -1):
        tail = n / 2 / (x + tail)
    return 1 / math.sqrt(math.pi) / (x + tail)


_MATH = {
    "erf": math.erf, "erfc": math.erfc, "erfcx": _erfcx, "gamma": _gamma, "gammaln": _gammaln,
}  # fmt: skip
