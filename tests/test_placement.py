"""Regular maps of indices: where each kind says that elements are, against what NumPy computes."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np
import pytest
import sympy as sp
from hypothesis import given
from hypothesis import strategies as st

import symtape as tf
from symtape.kernels.interpret import KERNELS
from symtape.program.kinds.placement import Assemble, Assembly, Form, Placement, View
from symtape.program.kinds.structural import Concat, Embed, Slice
from symtape.program.kinds.windows import Overlap, Window, Windows
from symtape.program.operations import Operation
from symtape.tensor.dispatch import apply

sizes = st.integers(0, 4)


@st.composite
def ranges(draw: Any) -> tuple[tuple[int, int, int], int]:
    """Draw a range, and the size of an axis that it lies in."""
    step, count = draw(st.sampled_from([1, 2, -1, -3])), draw(sizes)
    reach = max(count - 1, 0) * step
    first = draw(st.integers(0, 2)) + max(-reach, 0)
    return (first, step, count), max(first, first + reach) + 1 + draw(sizes)


@st.composite
def sliding(draw: Any) -> tuple[Window, int]:
    """Draw a window, and the size of an axis that it moves along."""
    size, stride, dilation = draw(st.tuples(*[st.integers(1, 3)] * 3))
    return Window(size, stride, dilation), draw(st.integers(0, 9))


@st.composite
def maps(draw: Any) -> tuple[Operation, list[tuple[int, ...]]]:
    """Draw a map, and the shapes of operands for it: a batch, and then what it touches."""
    batch, after = (tuple(draw(st.lists(sizes, max_size=1))) for _ in range(2))
    kind = draw(st.sampled_from([Slice, Embed, Concat, Windows, Overlap]))
    if kind is Concat:
        several = draw(st.lists(sizes, min_size=1, max_size=3))
        return Concat(-1 - len(after)), [(*batch, n, *after) for n in several]
    axis = sliding() if kind in {Windows, Overlap} else ranges()
    own = draw(st.lists(axis, min_size=1, max_size=2))
    found, axes = tuple([r for r, _ in own]), tuple([n for _, n in own])
    if kind is Slice:
        return Slice(found), [batch + axes]
    if kind is Embed:
        return Embed(found, axes), [batch + tuple([count for _, _, count in found])]
    if kind is Windows:
        return Windows(found, len(after)), [batch + axes + after]
    places = tuple([w.count(n) for w, n in own]) + tuple([w.size for w in found])
    return Overlap(found, axes, len(after)), [batch + places + after]


def moved(operation: Operation, operands: list[Any], shape: tuple[int, ...]) -> Any:
    """Move elements one by one to where an operation says that they are."""
    out = np.zeros(shape)
    if isinstance(operation, View):
        (x,) = operands
        placement = operation.read(x.shape)
        for place, own in placement.places():
            out[(..., *place)] = x[(..., *own)]
        return out
    assert isinstance(operation, Assembly)
    placements = operation.placed([x.shape for x in operands])
    lead = shape[: len(shape) - operation.depth]
    for x, placement in zip(operands, placements, strict=True):
        wide = np.broadcast_to(x, lead + placement.counts)
        for own, place in placement.places():
            out[(..., *place)] += wide[(..., *own)]
    return out


@given(maps())
def test_a_map_says_where_its_elements_are(drawn):
    """Elements that are moved one by one make what NumPy makes, of the shape that is inferred."""
    operation, shapes = drawn
    rng = np.random.default_rng(0)
    operands = [rng.integers(1, 100, shape).astype(float) for shape in shapes]
    shape, _ = operation.infer(shapes, [x.dtype for x in operands])
    expected = KERNELS[operation](*operands)
    assert expected.shape == shape
    np.testing.assert_array_equal(moved(operation, operands, shape), expected)


def test_what_is_assembled_stands_where_it_was_put():
    """A block that is repeated, on a diagonal beside a corner."""
    diagonal = Placement((3,), (Form.of(0), Form(1, ((1, 0),))))
    corner = Placement((2, 2), (Form.of(0), Form.of(1)))
    made = Assemble((3, 4), (diagonal, corner))
    operands = [np.arange(1.0, 4.0), np.array([5.0, 7.0])]
    expected = [[5, 8, 0, 0], [5, 7, 2, 0], [0, 0, 0, 3]]
    np.testing.assert_array_equal(moved(made, operands, (3, 4)), expected)
    np.testing.assert_array_equal(KERNELS[made](*operands), expected)


@pytest.mark.parametrize("form", [Form(), Form(2, ((3, 0),)), Form(1, ((2, 1), (-1, 0)))])
def test_places_of_places_are_places(form):
    """A form over forms is at the values of the inner ones."""
    inner = [Form(1, ((2, 0),)), Form(4, ((-1, 1), (3, 0)))]
    values = [2, 5]
    assert form.over(inner).at(values) == form.at([f.at(values) for f in inner])


def matrix(operation: Operation, shapes: list[tuple[int, ...]], k: int) -> Any:
    """Give the matrix that moves the elements of one operand, a column for each."""
    shape, _ = operation.infer(shapes, [np.dtype(float)] * len(shapes))
    columns = []
    for place in np.ndindex(*shapes[k]):
        operands = [np.zeros(s) for s in shapes]
        operands[k][place] = 1
        columns.append(moved(operation, operands, shape).ravel())
    return np.array(columns).reshape(prod(shapes[k]), prod(shape)).T


@pytest.mark.slow
@given(maps())
def test_derivatives_are_the_matrix_that_moves_elements(drawn):
    """A cotangent goes back by its transpose, and a Jacobian of squares is that of their slopes."""
    operation, shapes = drawn
    rng = np.random.default_rng(0)
    leaves = [tf.constant(rng.integers(1, 9, shape).astype(float)) for shape in shapes]
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(leaves)
        squares = apply(operation, *leaves) ** 2
    slopes = 2 * np.sqrt(squares.numpy()).ravel()
    for k, leaf in enumerate(leaves):
        expected = slopes[:, None] * matrix(operation, shapes, k)
        gradient = tape.gradient(squares, leaf).numpy()
        np.testing.assert_array_equal(gradient.ravel(), expected.sum(axis=0))
        jacobian = tape.jacobian(squares, leaf).numpy()
        assert jacobian.shape == squares.numpy().shape + shapes[k]
        np.testing.assert_array_equal(jacobian.ravel(), expected.ravel())


@pytest.mark.slow
@given(maps())
def test_exact_numbers_go_where_floats_go(drawn):
    """Fractions are moved as floats are, and what meets is added."""
    operation, shapes = drawn
    leaves = [tf.constant(np.arange(1.0, 1 + prod(s)).reshape(s) / 4) for s in shapes]
    with tf.GradientTape() as tape:
        tape.watch(leaves)
        y = apply(operation, *leaves)
    expected = [sp.Rational(v) for v in y.numpy().ravel()]
    assert list(np.ravel(np.array(y.exact(), object))) == expected
