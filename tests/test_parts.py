"""Gradients of what takes an array apart put the parts together again, and add no zeros."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import symtape as tf
from symtape.codegen.compile import Source
from symtape.program import operations as ops
from symtape.program.kinds.placement import Assemble, Form, Placement
from symtape.program.kinds.structural import Embed
from symtape.program.operations import AddN, Input
from symtape.program.program import Builder

RNG = np.random.default_rng(0)
LINE, SQUARE = RNG.normal(size=7), RNG.normal(size=(5, 6))


def _state(x: Any) -> Any:
    """Step a system of three equations, twice."""
    for _ in range(2):
        x = x + 0.1 * np.stack([x[1] - x[0], x[0] * x[2], -x[1] * x[1]])
    return np.sum(x * x)


WHOLE: dict[str, tuple[Callable[[Any], Any], Any]] = {
    "a roll": (lambda x: np.sum(np.roll(x, 2) * x * LINE), LINE),
    "rolls of two axes": (
        lambda x: np.sum(x * (np.roll(x, 1, 0) + np.roll(x, -2, 1) + np.roll(x, 1, 1))),
        SQUARE,
    ),
    "a diffusion": (
        lambda x: np.sum((np.roll(x, 1, 0) + np.roll(x, -1, 0) - 2.0 * x) ** 3),
        SQUARE,
    ),
    "three parts": (lambda x: np.sum(np.sin(x[4:])) * np.sum(x[:1] ** 2) * np.sum(x[1:4]), LINE),
    "parts of columns": (lambda x: np.sum(x[:, :2] ** 2) * np.sum(x[:, 2:] ** 3), SQUARE),
    "a part twice": (lambda x: np.sum(x[:3] ** 2) * np.sum(x[3:]) * np.sum(np.exp(x[:3])), LINE),
    "an element and the rest": (lambda x: x[0] ** 2 * np.sum(x[1:] ** 2), LINE),
}
"""Functions whose gradients are whole again, with an argument."""
OTHERS: dict[str, tuple[Callable[[Any], Any], Any]] = {
    "differences": (lambda x: np.sum((x[1:] - x[:-1]) ** 2), LINE),
    "a gap": (lambda x: np.sum(x[:3] ** 2) * np.sum(x[4:] ** 2), LINE),
    "steps": (lambda x: np.sum(x[::2] ** 2) * np.sum(x[1::2] ** 3), LINE),
    "blocks": (lambda x: np.sum(x[:2, :3] ** 2) * np.sum(x[2:, 3:] ** 2), SQUARE),
    "no elements": (lambda x: np.sum(x[:0]) + np.sum(x[3:] ** 2) * np.sum(x[:3]), LINE),
    "a state": (_state, LINE[:3]),
}
"""Functions of which that is not so, or not of all."""


@pytest.mark.parametrize("name", [*WHOLE, *OTHERS])
def test_parts_stand_where_they_were(name: str) -> None:
    """The gradient is that of the steps, one by one."""
    function, x = {**WHOLE, **OTHERS}[name]
    with tf.GradientTape() as tape:
        leaf = tf.constant(x)
        tape.watch(leaf)
        y = function(leaf)
    expected = tape.gradient(y, leaf).numpy()
    np.testing.assert_allclose(tf.grad(function)(x), expected, rtol=1e-13, atol=1e-14)


@pytest.mark.parametrize("name", WHOLE)
def test_nothing_is_added_to_zeros(name: str) -> None:
    """What makes up an axis is written as such."""
    function, x = WHOLE[name]
    assert "embed(" not in tf.grad(function).source(x)


SIDES = st.tuples(st.integers(0, 3), st.integers(1, 4), st.sampled_from([None, 1, 2, -1, -2]))
"""How much is cut off before and after, and a step."""
TERMS = st.lists(
    st.tuples(st.booleans(), st.sampled_from([-2.0, -1.0, 1.0, 0.3]), SIDES, SIDES),
    min_size=1,
    max_size=5,
)
"""Terms of a sum: whether one is whole, what it is multiplied by, and what is cut of two axes."""


def _cut(side: tuple[int, int, int | None], size: int) -> slice:
    first, after, step = side
    if step is not None and step < 0:
        return slice(size - after, first or None, step)
    return slice(first, size - after, step)


def _sum_of(terms: Any, x: Any) -> Any:
    """Add up squares of what is cut, and of neighbours, whose derivatives are parts with signs."""
    total = tf.reduce_sum(x[0] * x[-1])
    for is_whole, number, *sides in terms:
        rows, columns = (_cut(s, n) for s, n in zip(sides, x.shape, strict=True))
        part = x if is_whole else x[rows, columns]
        total += tf.reduce_sum(number * part * part) + tf.reduce_sum(tf.sin(x[1:] - x[:-1]))
        total += tf.reduce_sum((x[:, 1:] - number * x[:, :-1]) ** 2)
    return total


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("size", [(6, 7), (263, 259)], ids=["small", "large"])
@settings(max_examples=25, deadline=None)
@given(terms=TERMS, seed=st.integers(0, 9))
def test_sums_of_parts_are_those_of_the_tape(
    dtype: str, size: tuple[int, int], terms: Any, seed: int
) -> None:
    """Whether parts are put into zeros, into a whole term, or by a loop, and whatever their sign.

    The argument stays as it is, and a second call gives the same.
    """
    x = np.random.default_rng(seed).normal(size=size).astype(dtype)
    x[1, 1], x[2, 3] = 0, np.inf if seed == 0 else 0
    before = x.copy()
    wide = tf.constant(x.astype("float64"))
    with tf.GradientTape() as tape:
        tape.watch(wide)
        y = _sum_of(terms, wide)
    expected = tape.gradient(y, wide).numpy()
    slope = tf.grad(lambda x: _sum_of(terms, x))
    for _ in range(2):
        with np.errstate(invalid="ignore"):
            found = np.asarray(slope(x))
        digits = 1e-12 if dtype == "float64" else 3e-5
        np.testing.assert_allclose(found, expected, rtol=digits, atol=digits)
        assert found.dtype == dtype
        np.testing.assert_array_equal(x, before)


PLACES = (Form.of(0), Form.of(1))
SUMS = {
    "AddN": AddN(),
    "Assemble": Assemble((4, 4), (Placement((4, 4), PLACES), Placement((4, 4), PLACES))),
}


@pytest.mark.parametrize("name", SUMS)
def test_a_sum_begins_with_no_view_of_its_operands(name: str) -> None:
    """A real part is the memory of the whole, which others read: parts are added to a copy."""
    z, small = RNG.normal(size=(4, 4)) + 1j * RNG.normal(size=(4, 4)), np.ones((3, 4))
    b = Builder()
    first, second = b.enter(Input("complex128", z.shape)), b.enter(Input("float64", small.shape))
    squares = b.multiply(first, first)
    part = b.append(Embed(((1, 1, 3), (0, 1, 4)), z.shape), second)
    total = b.append(SUMS[name], b.append(ops.real, squares), part)
    made = Source(b.finish(), [first, second], [total, squares]).compile()
    found = made(z, small)
    np.testing.assert_allclose(found[1], z * z, rtol=1e-14)
    expected = np.add((z * z).real, [[0], [1], [1], [1]])
    np.testing.assert_allclose(found[0], expected, rtol=1e-14)
