"""A plugin of pytest: `@pytest.mark.dtypes("float32", "float64")` runs a test once for each."""

from __future__ import annotations

from typing import Any


def pytest_configure(config: Any) -> None:
    """Tell pytest of the marker."""
    config.addinivalue_line(
        "markers", "dtypes(*names): run the test, which takes `dtype`, for each of some dtypes"
    )


def pytest_generate_tests(metafunc: Any) -> None:
    """Give a test its dtypes."""
    marker = metafunc.definition.get_closest_marker("dtypes")
    if marker is None:
        return
    if "dtype" not in metafunc.fixturenames:
        raise ValueError(f"{metafunc.function.__name__} is marked with dtypes and takes no `dtype`")
    metafunc.parametrize("dtype", marker.args or ("float32", "float64"))
