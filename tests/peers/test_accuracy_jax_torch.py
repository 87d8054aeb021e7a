"""Slopes are as exact as the better of PyTorch's and JAX's, at every point of the table."""

from __future__ import annotations

from operator import attrgetter
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from tests.accuracy import ROWS, Row
from tests.test_accuracy import computed, true, units

PEERS = {
    "exp": ("exp", "numpy.exp"),
    "math.expm1": ("expm1", "numpy.expm1"),
    "math.log": ("log", "numpy.log"),
    "math.log1p": ("log1p", "numpy.log1p"),
    "sqrt": ("sqrt", "numpy.sqrt"),
    "math.rsqrt": ("rsqrt", "lax.rsqrt"),
    "sin": ("sin", "numpy.sin"),
    "cos": ("cos", "numpy.cos"),
    "tan": ("tan", "numpy.tan"),
    "asin": ("asin", "numpy.arcsin"),
    "acos": ("acos", "numpy.arccos"),
    "atan": ("atan", "numpy.arctan"),
    "sinh": ("sinh", "numpy.sinh"),
    "cosh": ("cosh", "numpy.cosh"),
    "tanh": ("tanh", "numpy.tanh"),
    "asinh": ("asinh", "numpy.arcsinh"),
    "acosh": ("acosh", "numpy.arccosh"),
    "atanh": ("atanh", "numpy.arctanh"),
    "sigmoid": ("sigmoid", "nn.sigmoid"),
    "math.softplus": (None, "nn.softplus"),
    "math.log_sigmoid": ("nn.functional.logsigmoid", "nn.log_sigmoid"),
    "nn.silu": ("nn.functional.silu", "nn.silu"),
    "nn.gelu": ("nn.functional.gelu", "scipy.stats.norm.cdf"),
    "nn.softsign": ("nn.functional.softsign", "nn.soft_sign"),
    "nn.elu": ("nn.functional.elu", "nn.elu"),
    "math.erf": ("erf", "scipy.special.erf"),
    "math.erfc": ("erfc", "scipy.special.erfc"),
    "math.erfinv": ("erfinv", "scipy.special.erfinv"),
    "math.ndtri": ("special.ndtri", "scipy.special.ndtri"),
    "math.lgamma": ("lgamma", "scipy.special.gammaln"),
    "math.digamma": ("digamma", "scipy.special.digamma"),
    "math.zeta of q": (None, "scipy.special.zeta"),
    "math.igamma of x": (None, "scipy.special.gammainc"),
    "math.igamma of a": (None, "scipy.special.gammainc"),
    "math.igammac of x": (None, "scipy.special.gammaincc"),
    "math.betainc of x": (None, "scipy.special.betainc"),
    "math.bessel_i0": ("special.i0", "scipy.special.i0"),
    "math.bessel_i0e": ("special.i0e", "scipy.special.i0e"),
    "math.bessel_i1": ("special.i1", "scipy.special.i1"),
    "math.bessel_i1e": ("special.i1e", "scipy.special.i1e"),
    "math.special.expint": (None, "scipy.special.expi"),
    "math.special.spence": (None, "scipy.special.spence"),
    "atan2 of y": ("atan2", "numpy.arctan2"),
    "atan2 of x": ("atan2", "numpy.arctan2"),
    "pow of x": ("pow", "numpy.power"),
    "pow of y": ("pow", "numpy.power"),
    "math.xlogy of y": ("special.xlogy", "scipy.special.xlogy"),
    "math.xlog1py of y": ("special.xlog1py", "scipy.special.xlog1py"),
}
"""What the functions of the rows are called in PyTorch and JAX."""

JUDGED = [row for row in ROWS if row.name in PEERS]


def torch_slope(torch: ModuleType, row: Row, point: tuple[float, ...]) -> float:
    """Let PyTorch compute a slope."""
    name = PEERS[row.name][0]
    if name is None:
        return np.nan
    xs = [torch.tensor(x, dtype=torch.float64, requires_grad=True) for x in point]
    (slope,) = torch.autograd.grad(attrgetter(name)(torch)(*xs), xs[row.of])
    return float(slope)


def jax_slope(jax: ModuleType, row: Row, point: tuple[float, ...]) -> float:
    """Let JAX compute a slope."""
    function: Any = attrgetter(PEERS[row.name][1])(jax)
    if row.name == "nn.gelu":
        return float(jax.grad(lambda x: jax.nn.gelu(x, approximate=False))(*point))
    return float(jax.grad(function, row.of)(*point))


@pytest.mark.parametrize("row", JUDGED, ids=lambda row: row.name)
def test_slope_is_as_exact_as_that_of_the_better_peer(
    row: Row, jax: ModuleType, torch: ModuleType
) -> None:
    """Our error is at most four units of the last place, or that of the more exact peer."""
    for given in row.points:
        point = given if isinstance(given, tuple) else (given,)
        slope = true(row, point)[1]
        found = [jax_slope(jax, row, point), torch_slope(torch, row, point)]
        theirs = [units(x, slope) for x in found if np.isfinite(x)]
        ours = units(computed(row, point)[1], slope)
        assert ours <= max(4, min(theirs, default=4)), f"{point}: {ours}, theirs {theirs}"
