"""Values that functions choose by: a formula holds where they are, or computes them anew."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import sympy as sp

import symtape as tf
from symtape.errors import PathConditionError

RECORDED = np.array([0.125, 0.875, 0.8125, 0.3125])
OTHERS = [np.array([0.875, 0.125, 0.25, 0.9375]), np.array([0.25, 0.625, 0.4375, 0.0625])]


def whole(x: Any) -> Any:
    """Make integers from 0 to 3."""
    return tf.cast(x * 4, tf.int32)


def floats(x: Any) -> Any:
    """Make numbers of what counts or chooses."""
    return tf.cast(x, tf.float64)


COMPUTED = {
    "argmax": lambda x: tf.gather(x, tf.argmax(x)) ** 2,
    "argsort": lambda x: tf.gather(x, tf.argsort(x)) ** 2,
    "one_hot": lambda x: tf.one_hot(whole(x), 4, dtype=tf.float64) * x**2,
    "one_hot along the first axis": lambda x: (
        tf.one_hot(whole(x), 4, 2.0, -1.0, 0) * tf.cast(x**2, tf.float32)
    ),
    "sequence_mask": lambda x: tf.sequence_mask(whole(x), 4, dtype=tf.float64) * x[:, None] ** 2,
    "count_nonzero": lambda x: tf.math.count_nonzero(x > 0.5, dtype=tf.float64) * x**2,
    "zero_fraction": lambda x: floats(tf.nn.zero_fraction(tf.nn.relu(x - 0.5))) * x**2,
    "angle": lambda x: tf.math.angle(x - 0.5) * x**2,
}
"""Functions whose formula computes anew what they choose by."""
DECIDED = {
    "boolean_mask": lambda x: tf.boolean_mask(x, x > 0.8) ** 2,
    "boolean_mask along an axis": lambda x: tf.boolean_mask(x[None], x > 0.8, axis=1) ** 2,
    "where": lambda x: tf.gather(x, tf.where(x > 0.8)[:, 0]) ** 2,
    "where of numbers": lambda x: tf.gather(x, tf.where(tf.round(x))[:, 0]) ** 2,
    "unique": lambda x: tf.unique(tf.round(x))[0] * tf.reduce_sum(x**2),
    "dynamic_partition": lambda x: tf.dynamic_partition(x**2, tf.cast(x > 0.5, tf.int32), 2)[1],
    "dynamic_stitch": lambda x: tf.dynamic_stitch([whole(x)], [x**2]),
    "repeat": lambda x: tf.reduce_sum(tf.repeat(x**2, whole(x))),
    "unsorted_segment_sum": lambda x: tf.math.unsorted_segment_sum(x**2, whole(x), 4),
    "unsorted_segment_max": lambda x: tf.math.unsorted_segment_max(x**2, whole(x), 4),
    "scatter_nd": lambda x: tf.scatter_nd(whole(x)[:, None], x**2, [4]),
    "gather_nd": lambda x: tf.gather_nd(x, whole(x)[:, None]) ** 2,
    "tensor_scatter_nd_add": lambda x: tf.tensor_scatter_nd_add(x, whole(x)[:, None], x**2) ** 2,
    "reverse_sequence": lambda x: (
        tf.reverse_sequence(tf.stack([x, x, x, x]), whole(x) + 1, seq_axis=1) ** 2
    ),
    "range": lambda x: tf.reduce_sum(x**2) * tf.reduce_sum(floats(tf.range(tf.argmax(x)))),
    "bincount": lambda x: floats(tf.math.bincount(whole(x), minlength=4, maxlength=4)) * x**2,
    "fill": lambda x: tf.reduce_sum(tf.fill([tf.argmax(x) + 1], x[0] ** 2)),
    "slice": lambda x: tf.reduce_sum(tf.slice(x, [tf.argmax(x)], [1]) ** 2),
    "x[:n]": lambda x: tf.reduce_sum(x[: tf.argmax(x) + 1] ** 2),
    "roll": lambda x: tf.roll(x, tf.argmax(x), 0) ** 2 * tf.range(4.0, dtype=tf.float64),
    "in_top_k": lambda x: x**2 * floats(tf.math.in_top_k([0], tf.cast(x[None], tf.float32), 1)[0]),
    "searchsorted": lambda x: floats(tf.searchsorted(tf.sort(x), x)) * x**2,
    "confusion_matrix": lambda x: (
        floats(tf.math.confusion_matrix(whole(x), [0, 1, 2, 3], 4)) @ (x[:, None] ** 2)
    ),
    "histogram_fixed_width": lambda x: floats(tf.histogram_fixed_width(x, [0.0, 1.0], 4)) * x**2,
    "invert_permutation": lambda x: (
        tf.gather(x, tf.math.invert_permutation(tf.cast(tf.argsort(x), tf.int32))) ** 2
    ),
    "bitwise_and": lambda x: floats(tf.bitwise.bitwise_and(whole(x), 3)) * x**2,
}
"""Functions of which the choice is a branch."""


def recorded(function: Any, at: Any) -> tuple[Any, Any, Any]:
    """Compute a function and its gradient."""
    x = tf.Variable(at, name="x")
    with tf.GradientTape() as tape:
        y = function(x)
    return y, tape.gradient(y, x), x


@pytest.mark.parametrize("name", [*COMPUTED, *DECIDED])
def test_a_formula_holds_or_is_refused(name: str) -> None:
    """Compiled for other values, a result and its gradient are those of the program there."""
    function = (COMPUTED | DECIDED)[name]
    *found, x = recorded(function, RECORDED)
    refused = 0
    for k, tensor in enumerate(found):
        compiled = tensor.lambdify([x])
        np.testing.assert_allclose(compiled(RECORDED), tensor.numpy())
        for at in OTHERS:
            *others, _kept = recorded(function, at)
            try:
                value = compiled(at)
            except PathConditionError:
                refused += 1
            else:
                np.testing.assert_allclose(value, others[k].numpy())
    assert bool(refused) == (name in DECIDED)


def unwatched(function: Any, at: Any) -> tuple[Any, Any, Any, Any]:
    """Compute a multiple of a function of what nobody watches, and the gradient by the factor."""
    x, w = tf.constant(at, name="x"), tf.Variable([2.0], dtype=tf.float64, name="w")
    with tf.GradientTape() as tape:
        y = w * floats(function(1.0 * x))
    return y, tape.gradient(y, w), w, x


@pytest.mark.parametrize("name", [*COMPUTED, *DECIDED])
def test_what_nobody_watches_chooses_likewise(name: str) -> None:
    """What comes from outside of the block and is computed in it decides as what is watched."""
    function = (COMPUTED | DECIDED)[name]
    *found, w, x = unwatched(function, RECORDED)
    refused = 0
    for k, tensor in enumerate(found):
        compiled = tensor.lambdify([w, x])
        np.testing.assert_allclose(compiled([2.0], RECORDED), tensor.numpy())
        for at in OTHERS:
            *others, _w, _x = unwatched(function, at)
            try:
                value = compiled([2.0], at)
            except PathConditionError:
                refused += 1
            else:
                np.testing.assert_allclose(value, others[k].numpy())
    assert bool(refused) == (name in DECIDED)


@pytest.mark.parametrize("name", DECIDED)
def test_a_choice_is_among_the_conditions(name: str) -> None:
    """They are true where the formula was recorded, and one of them is false elsewhere."""
    _, gradient, _kept = recorded(DECIDED[name], RECORDED)
    held = {str(symbol): leaf.numpy() for symbol, leaf in gradient.leaves.items()}

    def holds(at: Any) -> bool:
        values = held | {"x": at}
        return all([bool(c.subs(entries(c, values))) for c in gradient.conditions])

    assert holds(RECORDED)
    assert not all(map(holds, OTHERS))


def entries(condition: Any, values: Any) -> Any:
    """Give the entries of leaves that stand in a condition."""
    found = condition.atoms(sp.Indexed)
    return {e: values[str(e.base)][tuple(map(int, e.indices))].item() for e in found}


def test_what_follows_from_shapes_is_no_choice() -> None:
    """Sizes are the same for all values, and other sizes are asked for by name."""
    x = tf.Variable(RECORDED, name="x")
    with tf.GradientTape() as tape:
        n = tf.shape(x)[0]
        y = tf.reduce_sum(x * tf.cast(tf.range(n), tf.float64)) + tf.reduce_sum(
            tf.zeros(n, tf.float64)
        )
    gradient = tape.gradient(y, x)
    assert gradient.conditions == ()


def test_many_numbers_are_one_condition() -> None:
    """An array of places is compared as a whole."""
    x = tf.Variable(np.linspace(0.0, 1.0, 100))
    with tf.GradientTape() as tape:
        y = tf.math.unsorted_segment_sum(x**2, tf.cast(x * 99.5, tf.int32), 100)
    assert len(tape.gradient(y, x).formula.program.guards) == 1
