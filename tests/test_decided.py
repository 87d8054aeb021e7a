"""Values that functions choose by: a formula holds where they are, or computes them anew."""

from __future__ import annotations

import contextlib
from typing import Any

import numpy as np
import pytest
import sympy as sp
from hypothesis import given, reject, settings
from hypothesis import strategies as st

import symtape as tf
from symtape.errors import PathConditionError
from symtape.stand_in.operations import bucketize
from symtape.stand_in.sparse.functions import from_dense
from tests.sampling import ALL

RECORDED = np.array([0.125, 0.875, 0.8125, 0.3125])
OTHERS = [np.array([0.875, 0.125, 0.25, 0.9375]), np.array([0.25, 0.625, 0.4375, 0.0625])]


def whole(x: Any) -> Any:
    """Make integers from 0 to 3."""
    return tf.cast(x * 4, tf.int32)


def floats(choice: Any) -> Any:
    """Make numbers of what counts or chooses."""
    return tf.cast(choice, tf.float64)


TABLE = tf.lookup.StaticHashTable(
    tf.lookup.KeyValueTensorInitializer(np.arange(4, dtype=np.int32), np.arange(4.0) + 2), 0.0
)
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
    "log_poisson_loss": lambda x: tf.nn.log_poisson_loss(4 * x, x, compute_full_loss=True),
    "bucketize": lambda x: floats(bucketize(x, [0.25, 0.8])) * x**2,
    "unsorted_segment_sum": lambda x: tf.math.unsorted_segment_sum(x**2, whole(x), 4),
}
"""Functions whose formula computes anew what they choose by."""
DECIDED = {
    "truth as an integer": lambda x: x ** (1 + int(x[0] < 0.5)),
    "boolean_mask": lambda x: tf.boolean_mask(x, x > 0.8) ** 2,
    "boolean_mask along an axis": lambda x: tf.boolean_mask(x[None], x > 0.8, axis=1) ** 2,
    "where": lambda x: tf.gather(x, tf.where(x > 0.8)[:, 0]) ** 2,
    "where of numbers": lambda x: tf.gather(x, tf.where(tf.round(x))[:, 0]) ** 2,
    "unique": lambda x: tf.unique(tf.round(x))[0] * tf.reduce_sum(x**2),
    "dynamic_partition": lambda x: tf.dynamic_partition(x**2, tf.cast(x > 0.5, tf.int32), 2)[1],
    "dynamic_stitch": lambda x: tf.dynamic_stitch([whole(x)], [x**2]),
    "repeat": lambda x: tf.reduce_sum(tf.repeat(x**2, whole(x))),
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
    "lu": lambda x: tf.linalg.lu(tf.reshape(x, [2, 2]))[0] ** 2,
    "x[mask]": lambda x: x[x > 0.8] ** 2,
    "eigh_tridiagonal": lambda x: tf.reduce_sum(
        tf.linalg.eigh_tridiagonal(x[:2], x[2:3] / 8, select="v", select_range=(0.8, 2.0)) ** 2
    ),
    "rot90": lambda x: tf.image.rot90(tf.reshape(x, [2, 2, 1]), k=whole(x)[0]) ** 2,
    "resize": lambda x: (
        tf.reduce_sum(tf.image.resize(tf.reshape(x, [2, 2, 1]), whole(x)[:2] + 1)) ** 2
    ),
    "a table": lambda x: TABLE.lookup(whole(x)) * x**2,
    "as_string": lambda x: tf.strings.to_number(tf.strings.as_string(whole(x)), tf.float64) * x**2,
    "int(x)": lambda x: int(4 * x[0]) * x**2,
    "RaggedTensor.from_tensor": lambda x: (
        tf.RaggedTensor.from_tensor(tf.nn.relu(x - 0.5)[None], padding=0.0).flat_values ** 2
    ),
    "sparse.from_dense": lambda x: from_dense(tf.nn.relu(x - 0.5)).values ** 2,
    "bitwise_and": lambda x: floats(tf.bitwise.bitwise_and(whole(x), 3)) * x**2,
}
"""Functions of which the choice is a branch."""
OF_NUMPY = {
    "np.take": lambda x: np.take(x, whole(x)) ** 2,
    "np.repeat": lambda x: tf.reduce_sum(np.repeat(x, whole(x)) ** 2),
    "np.argsort": lambda x: np.take(x, np.argsort(x)) ** 2,
    "np.searchsorted": lambda x: np.searchsorted([0.25, 0.8], x) * x**2,
    "np.count_nonzero": lambda x: np.count_nonzero(x > 0.8) * x**2,
    "np.isclose": lambda x: np.where(np.isclose(x, 0.125), x, x**2),
}
"""Likewise; of what nobody watches they are arrays, as NumPy's functions are."""


def recorded(function: Any, at: Any) -> tuple[Any, Any, Any]:
    """Compute a function and its gradient."""
    x = tf.Variable(at, name="x")
    with tf.GradientTape() as tape:
        y = function(x)
    return y, tape.gradient(y, x), x


@pytest.mark.parametrize("name", [*COMPUTED, *DECIDED, *OF_NUMPY])
def test_a_formula_holds_or_is_refused(name: str) -> None:
    """Compiled for other values, a result and its gradient are those of the program there."""
    function = (COMPUTED | DECIDED | OF_NUMPY)[name]
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
    assert bool(refused) == (name not in COMPUTED)


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


IN_FUNCTIONS: dict[str, Any] = {
    "x[mask]": lambda x: np.sum(x[x > 0.8] ** 2),
    "x[places]": lambda x: np.dot(x[np.argsort(x)], [1.0, 2.0, 3.0, 4.0]),
    "np.nonzero": lambda x: np.sum(x[np.nonzero(x > 0.8)] ** 2),
    "len": lambda x: x[0] ** 2 * len(x[x > 0.8]),
    "np.any": lambda x: x[0] ** 2 * np.any(x[1:] > 0.9),
    "np.digitize": lambda x: np.sum(np.digitize(x, [0.25, 0.8]) * x**2),
    "int(x)": lambda x: x[0] ** 2 * int(4 * x[1]),
}


@pytest.mark.parametrize("name", IN_FUNCTIONS)
def test_a_formula_of_a_function_holds_or_is_refused(name: str) -> None:
    """The gradient of a function of arrays, compiled for other values, is that of the function."""
    slope = tf.grad(IN_FUNCTIONS[name])
    compiled = slope.formula(RECORDED).lambdify(["x"])
    np.testing.assert_allclose(compiled(RECORDED), slope(RECORDED))
    with pytest.raises(PathConditionError):
        compiled(OTHERS[0])
    with contextlib.suppress(PathConditionError):
        np.testing.assert_allclose(compiled(OTHERS[1]), slope(OTHERS[1]))


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
        y = tf.math.unsorted_segment_max(x**2, tf.cast(x * 99.5, tf.int32), 100)
    assert len(tape.gradient(y, x).formula.program.guards) == 1


DIRECT: dict[str, tuple[Any, Any, Any]] = {
    "segment_sum": (lambda x, b: tf.math.segment_sum(x, b), [0, 0, 1, 1], [0, 1, 1, 1]),
    "segment_max": (lambda x, b: tf.math.segment_max(x, b), [0, 0, 1, 1], [0, 1, 1, 1]),
    "scatter_nd": (lambda x, b: tf.scatter_nd(b[:, None], x, [4]), [0, 2, 1, 3], [1, 0, 3, 2]),
    "boolean_mask": (
        lambda x, b: tf.boolean_mask(x, b), [True, False, True, True], [False, True, True, True],
    ),
    "x[mask]": (lambda x, b: x[b], [True, False, True, True], [False, True, True, True]),
    "where": (lambda x, b: tf.gather(x, tf.where(b)[:, 0]), [1, 0, 2, 0], [0, 3, 2, 0]),
    "unique": (lambda x, b: tf.gather(x, tf.unique(b)[0]), [1, 0, 1, 0], [0, 3, 2, 0]),
    "repeat": (lambda x, b: tf.repeat(x, b), [0, 2, 1, 3], [1, 0, 3, 2]),
    "roll": (lambda x, b: tf.roll(x, b, 0), 3, 2),
    "x[n]": (lambda x, b: x[b], 1, 2),
    "x[:n]": (lambda x, b: x[:b], 1, 2),
    "an axis": (lambda x, b: tf.reduce_sum(tf.reshape(x, [2, 2]), b), 0, 1),
    "a shape": (lambda x, b: tf.reshape(x, b)[0], [2, 2], [4, 1]),
    "transpose": (lambda x, b: tf.transpose(tf.reshape(x, [2, 2]), b), [0, 1], [1, 0]),
    "top_k": (lambda x, b: tf.math.top_k(x, b).values, 2, 3),
    "sequence_mask": (
        lambda x, b: floats(tf.sequence_mask(b, 4))[0] * x, [0, 2, 1, 3], [1, 0, 3, 2],
    ),
    "one_hot": (lambda x, b: floats(tf.one_hot(b, 4))[0] * x, [0, 2, 1, 3], [1, 0, 3, 2]),
    "Python": (lambda x, b: x**2 if b else x, True, False),
    "a cond": (lambda x, b: tf.cond(b, lambda: x, lambda: 2.0 * x), True, False),
}  # fmt: skip
"""Functions of what chooses as it is, with no step between, a value of it, and another."""


def used_too(name: str, order: str) -> Any:
    """Make a function that takes what chooses for numbers, too: before, or after it has chosen."""
    choose = DIRECT[name][0]

    def function(x: Any, b: Any) -> Any:
        if order == "before":
            weight = tf.reduce_sum(x) * floats(b)
            return tf.reduce_sum(choose(x, b)) * weight
        chosen = tf.reduce_sum(choose(x, b))
        return chosen * tf.reduce_sum(x) * floats(b)

    return function


@pytest.mark.parametrize("order", ["before", "after"])
@pytest.mark.parametrize("name", DIRECT)
def test_what_chooses_as_it_is_chooses_as_an_argument_too(name: str, order: str) -> None:
    """Where it is an argument of the formula, others than the recorded ones are refused."""
    function, (_, now, other) = used_too(name, order), DIRECT[name]
    (*here, _kept), (*fresh, _kept_too) = three(function, now), three(function, other)
    for tensor, there in zip(here, fresh, strict=True):
        compiled = tensor.lambdify()
        np.testing.assert_allclose(compiled(x=RECORDED, b=now), tensor.numpy())
        assert {str(symbol) for symbol in tensor.leaves} >= {"x", "b"}
        try:
            found = compiled(x=RECORDED, b=other)
        except PathConditionError:
            continue
        assert name in {"one_hot", "sequence_mask"}
        np.testing.assert_allclose(found, there.numpy())


def three(function: Any, chosen: Any) -> tuple[Any, ...]:
    """Compute a function, its gradient by a tape, and by a function; keep the arguments, too."""
    x, b = tf.Variable(RECORDED, name="x"), tf.constant(chosen, name="b")
    with tf.GradientTape() as tape:
        y = function(x, b)
    given = tf.constant(RECORDED, name="x")
    gradient = tf.grad(lambda x: tf.reduce_sum(function(x, b)))
    return y, tape.gradient(y, x), gradient(given), (x, b, given)


def test_what_only_chooses_is_a_number_of_the_functions_own() -> None:
    """It is no argument, and no condition."""
    x, ids = tf.Variable(RECORDED, name="x"), tf.constant([0, 0, 1, 1], name="ids")
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(tf.math.segment_sum(x, ids) ** 2)
    gradient = tape.gradient(y, x)
    assert gradient.conditions == ()
    assert "ids" not in set(map(str, gradient.leaves))


def test_a_variable_that_chooses_is_read_anew() -> None:
    """A function of it takes another branch after an assignment."""
    ids = tf.Variable([0, 0, 1, 1], trainable=False)
    function = tf.grad(
        lambda x: tf.reduce_sum(tf.math.segment_sum(x, ids) ** 2) * tf.reduce_sum(floats(ids))
    )
    for rows in [0, 0, 1, 1], [0, 1, 1, 1], [0, 0, 0, 1], [0, 0, 1, 1]:
        ids.assign(rows)
        sums = np.bincount(rows, RECORDED)
        np.testing.assert_allclose(function(RECORDED), 2 * sums[rows] * sum(rows))


@pytest.mark.slow
@settings(max_examples=200 if ALL else 5)
@given(
    st.lists(st.sampled_from(sorted(COMPUTED | DECIDED)), min_size=2, max_size=3),
    st.lists(st.booleans(), min_size=3, max_size=3),
    st.booleans(),
)
def test_what_chooses_one_after_another_holds_or_is_refused(
    names: list[str], mixed: list[bool], is_watched: bool
) -> None:
    """Of two arguments, one of which nobody may watch, in any order, in tapes and functions."""

    def function(x: Any, b: Any) -> Any:
        for name, is_mixed in zip(names, mixed, strict=False):
            chosen = tf.reduce_sum(floats((COMPUTED | DECIDED)[name](x)))
            x, b = tf.sigmoid(b + chosen if is_mixed else 3.0 * b - 1.0), tf.sigmoid(x - chosen)
        return tf.reduce_sum(x * b)

    def run(at: Any, beside: Any) -> tuple[Any, ...]:
        x = tf.Variable(at, name="x")
        b = tf.Variable(beside, name="b") if is_watched else tf.constant(beside, name="b")
        with tf.GradientTape() as tape:
            try:
                y = function(x, b)
            except tf.errors.InvalidArgumentError:
                reject()  # what comes before gives a function numbers that it does not take
        slope = tf.grad(lambda x: function(x, b))(tf.constant(at, name="x"))
        return y, tape.gradient(y, x), slope, (x, b)

    *here, _kept = run(RECORDED, OTHERS[0])
    for at, beside in [(RECORDED, OTHERS[0]), (OTHERS[0], OTHERS[1]), (RECORDED, OTHERS[1])]:
        *there, _kept_too = run(at, beside)
        for tensor, fresh in zip(here, there, strict=True):
            if tensor is not None and fresh is not None:
                compiled = tensor.lambdify()
                values = {"x": at, "b": beside}
                own = {k: v for k, v in values.items() if k in compiled.signature.parameters}
                with contextlib.suppress(PathConditionError):
                    np.testing.assert_allclose(compiled(**own), fresh.numpy(), rtol=1e-6)


INSIDE: dict[str, Any] = {
    "boolean_mask": lambda v, c: tf.boolean_mask(v, c > 0.6),
    "x[mask]": lambda v, c: v[c > 0.6],
    "a segment": lambda v, c: tf.math.unsorted_segment_sum(v, whole(c), 4),
    "roll": lambda v, c: tf.roll(v, whole(c)[0], 0) * v,
    "Python": lambda v, c: v if c[0] > 0.6 else v**2,
}
OPERANDS = {"a segment"}
"""What is computed with the numbers that choose, whatever they are."""


@pytest.mark.parametrize("is_watched", [True, False])
@pytest.mark.parametrize("name", INSIDE)
def test_a_function_within_a_tape_chooses_by_what_was_computed_there(
    name: str, is_watched: bool
) -> None:
    """What it chooses by is a condition of the formula that the tape has, or an operand."""

    def run(at: Any) -> tuple[Any, ...]:
        v, b = tf.Variable(RECORDED[::-1], name="v"), tf.constant(at, name="b")
        with tf.GradientTape(persistent=True) as tape:
            if is_watched:
                tape.watch(b)
            choice = 1.0 * b
            slope = tf.grad(lambda v: tf.reduce_sum(INSIDE[name](v, choice) ** 2))(v)
            y = tf.reduce_sum(slope**2)
        return y, tape.gradient(y, v), (v, b, tape)

    *here, _kept = run(RECORDED)
    *there, _kept_too = run(OTHERS[0])
    for tensor, other in zip(here, there, strict=True):
        compiled = tensor.lambdify()
        np.testing.assert_allclose(compiled(v=RECORDED[::-1], b=RECORDED), tensor.numpy())
        assert not np.allclose(tensor.numpy(), other.numpy())
        if name in OPERANDS:
            np.testing.assert_allclose(compiled(v=RECORDED[::-1], b=OTHERS[0]), other.numpy())
            continue
        with pytest.raises(PathConditionError):
            compiled(v=RECORDED[::-1], b=OTHERS[0])
