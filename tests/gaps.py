"""Which functions a backend of an array library refuses, as it writes code."""

from __future__ import annotations

import re

from symtape.errors import UnsupportedError

SPECIAL_OF_NONE = """
erf erfc erfinv erfcinv erfcinv_slope erfinv_slope normal_cdf normal_quantile normal_quantile_slope
lgamma polygamma zeta zeta_slope igamma igammac igamma_derivative gamma_density betainc beta_density
expint spence dawson fresnel_cos fresnel_sin bessel_i1e bessel_k0e bessel_k1e k_decay
bessel_j bessel_y bessel_i bessel_k
""".split()

GAPS: dict[str, set[str]] = {
    "jax": {
        "dawson", "igamma_derivative", "logm",
        "bessel_j", "bessel_y", "bessel_i", "bessel_k", "bessel_k0e", "bessel_k1e", "k_decay",
    },
    "torch": {
        "betainc", "bessel_i", "bessel_j", "bessel_k", "bessel_y", "dawson", "expint",
        "fresnel_cos", "fresnel_sin", "igamma_derivative", "logm", "polygamma", "spence", "sqrtm",
    },
    "dask": set(),
    "array_api": {*SPECIAL_OF_NONE, "eig", "logm", "sqrtm"},
}  # fmt: skip
"""For each backend: torch has Bessel functions of order 0 and 1 that have all digits, and orders of
polygamma that are numbers."""


def gap(error: UnsupportedError) -> str:
    """Read the function that is missing out of the error."""
    found = re.search(r"(?:no function|the order of) '(\w+)'", str(error))
    assert found, error
    return found[1]
