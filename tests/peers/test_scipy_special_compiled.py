"""SciPy's functions where they have no value, and of any order, compiled for other backends."""

from __future__ import annotations

import pytest

from tests.test_scipy_special import ORDERS, OUTSIDE, assert_orders, assert_outside


@pytest.mark.parametrize("name", OUTSIDE)
@pytest.mark.parametrize("backend", ["numba", "c"])
def test_values_outside_of_a_domain_are_those_of_scipy(name: str, backend: str) -> None:
    """Loops have the cases that NumPy has."""
    assert_outside(name, backend)


@pytest.mark.parametrize("name", ["jv", "yv", "iv", "kv"])
@pytest.mark.parametrize("backend", ["numba", "c", "torch", "jax", "dask", "array_api"])
def test_an_order_that_a_library_lacks_is_refused(name: str, backend: str) -> None:
    """What has a function for whole orders alone cuts no other order off."""
    count = assert_orders(name, backend)
    assert (count == len(ORDERS)) is (backend in {"numba", "dask"})
