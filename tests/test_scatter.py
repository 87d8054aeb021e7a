"""Rows are added up at places along an axis, whatever stands before and after it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symtape.program.evaluation.arrays import scatter

SIZES = st.lists(st.integers(0, 3), max_size=2).map(tuple)


@pytest.mark.parametrize("dtype", ["float32", "float64", "complex128", "int64"])
@pytest.mark.parametrize("index", ["int32", "int64", "uint8"])
@settings(max_examples=100, deadline=None)
@given(
    sizes=st.tuples(SIZES, SIZES, SIZES, SIZES),
    is_batch=st.booleans(),
    size=st.integers(1, 4),
    seed=st.integers(0, 99),
)
def test_rows_are_added_where_they_belong(dtype, index, sizes, is_batch, size, seed):
    """The result is that of a loop over the rows; see `Scatter` for the order of axes."""
    before, between, own, after = sizes
    batch = (2,) if is_batch else ()
    rng = np.random.default_rng(seed)
    x = (8 * rng.normal(size=before + batch + between + own + after)).astype(dtype)
    places = rng.integers(0, size, batch + own).astype(index)
    lead = before + batch + between
    expected = np.zeros((*lead, size, *after), dtype)
    for at in np.ndindex(*lead):
        for row in np.ndindex(*own):
            number = places[at[len(before) : len(before) + len(batch)] + row]
            expected[(*at, number)] += x[at + row]
    found = scatter(x, places, len(after), len(between), len(batch), size)
    assert found.dtype == expected.dtype
    np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-5)
    if x.size:
        with pytest.raises(IndexError, match="out of bounds"):
            scatter(x, places + size, len(after), len(between), len(batch), size)
