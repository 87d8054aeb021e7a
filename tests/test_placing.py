"""Sums of slices' derivatives, in the memory of the array that was sliced."""

from __future__ import annotations

import numpy as np
import pytest

import symtape as tf
from symtape.program.kinds.placement import Assemble
from symtape.program.kinds.structural import Embed
from symtape.program.operations import AddN, Input
from symtape.program.placing import placed_sums
from symtape.program.program import Builder


def _sum_of_blocks(count: int, width: int, *, dense: bool) -> tuple[Builder, int]:
    """Make a sum of blocks of some rows of ten, each after the other, and of a whole array."""
    b = Builder()
    blocks = [b.enter(Input("float64", (width, 3))) for _ in range(count)]
    ranges = [((k, 1, width), (0, 1, 3)) for k in range(count)]
    terms = [b.append(Embed(r, (10, 3)), x) for r, x in zip(ranges, blocks, strict=True)]
    terms[1:1] = [b.enter(Input("float64", (10, 3)))] if dense else []
    return b, b.append(AddN(), *terms)


@pytest.mark.parametrize(
    ("count", "width", "dense", "is_placed"),
    [(9, 1, False, True), (9, 2, True, True), (3, 1, False, False), (6, 5, False, False)],
)
def test_many_small_blocks_are_added_where_they_stand(count, width, dense, is_placed):
    """Few blocks, and blocks that cover the sum again and again, are added up as they are."""
    b, total = _sum_of_blocks(count, width, dense=dense)
    program = b.finish()
    made = placed_sums(program)
    assert (type(made.steps[total][0]) is Assemble) == is_placed
    assert (made is program) == (not is_placed)
    assert made.shapes == program.shapes


@pytest.mark.parametrize("dtype", ["float32", "float64", "bfloat16", "complex128"])
def test_the_gradient_of_slices_is_what_each_slice_adds(dtype):
    """Rows are read one by one, one of them twice, and the array as a whole beside."""
    numbers = np.arange(1.0, 25.0).reshape(8, 3) / 8
    x = tf.Variable(tf.cast(numbers, dtype))
    for _ in range(3):  # computed step by step, and then with code
        with tf.GradientTape() as tape:
            rows = [x[k] * tf.cast(k + 1, dtype) for k in range(8)]
            y = sum(map(tf.reduce_sum, rows)) + tf.reduce_sum(x * x) + tf.reduce_sum(x[2:4] * 2)
        found = tape.gradient(y, x)
        wanted = 2 * numbers + np.arange(1.0, 9.0)[:, None]
        wanted[2:4] += 2
        assert found.dtype == dtype
        np.testing.assert_array_equal(tf.cast(found, "complex128").numpy(), wanted)
