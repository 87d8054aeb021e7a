"""SciPy's functions where they have no value, compiled by numba and as C."""

from __future__ import annotations

import pytest

from tests.test_scipy_special import OUTSIDE, assert_outside


@pytest.mark.parametrize("name", OUTSIDE)
@pytest.mark.parametrize("backend", ["numba", "c"])
def test_values_outside_of_a_domain_are_those_of_scipy(name: str, backend: str) -> None:
    """Loops have the cases that NumPy has."""
    assert_outside(name, backend)
