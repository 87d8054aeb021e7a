"""A plugin of pytest: `@pytest.mark.dtypes("float32", "float64")` runs a test once for each."""

from __future__ import annotations

from typing import Any


def pytest_configure(config: Any) -> None:
    """Tell pytest of the marker."""
    config.addinivalue_line(
        "markers", "dtypes(*names): run the test, which takes `dtype`, for each of some dtypes"
    )


def pytest_generate_tests(metafunc: Any) -> None:
    """Give a test its dtypes: names that NumPy has, and else a dtype of NumPy's, as bfloat16."""
    marker = metafunc.definition.get_closest_marker("dtypes")
    if marker is None:
        return
    if "dtype" not in metafunc.fixturenames:
        raise ValueError(f"{metafunc.function.__name__} is marked with dtypes and takes no `dtype`")
    given = marker.args or ("float32", "float64")
    metafunc.parametrize("dtype", [*map(_known_to_numpy, given)], ids=[*map(str, given)])


def _known_to_numpy(given: Any) -> Any:
    if given != "bfloat16":
        return given
    from symtape.tensor.dtypes import as_dtype  # noqa: PLC0415 - pytest loads plugins at each start

    return as_dtype(given).as_numpy_dtype
