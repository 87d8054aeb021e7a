"""What tensors, variables, shapes and tapes refuse beside what TensorFlow was asked about."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import sympy as sp

import symtape as tf
from tests.refusals.room import Room

ROOM = Room("tensor")

PAIR = tf.constant([1.0, 2.0])
COUNTED = tf.Variable(0.0, name="counted")
SQUARE = tf.ones([2, 2])
LONG = tf.ones(2**24, tf.int8)
"""Its square is more than can be addressed, so that no machine has room for it."""

# --- what becomes a tensor ------------------------------------------------------------------------


class Thing:
    """What has no value."""

    def __repr__(self) -> str:
        return "<a thing>"


ROOM.refuses(
    bits_of_floats=lambda: tf.constant([1.0]) & tf.constant([2.0]),
    turned_bits_of_complex_numbers=lambda: ~tf.constant([1j]),
    bits_of_integers_and_booleans=lambda: tf.constant([1]) ^ tf.constant([True]),
    an_integer_without_room=lambda: tf.constant(2**63),
    an_integer_far_beyond=lambda: tf.constant(2**70),
    integers_without_room=lambda: tf.constant([1, 2**63]),
    integers_on_both_sides_without_room=lambda: tf.constant([-1, 2**63]),
    integers_far_beyond=lambda: tf.constant([0, 2**70]),
    an_integer_beside_a_tensor_without_room=lambda: tf.constant([1], tf.int8) + 2**64,
    an_integer_beside_a_float_without_room=lambda: PAIR + 10**400,
    a_complex_number_beside_a_float=lambda: PAIR + 1j,
    a_thing=lambda: tf.constant(Thing()),
    things_in_a_list=lambda: tf.constant([Thing(), Thing()]),
    texts_as_numbers=lambda: tf.constant(["a"], tf.float32),
    a_ragged_array=lambda: tf.constant([np.array([[1], [2, 3]], dtype=object)]),
    a_dict=lambda: tf.constant({"a": 1}),
)
ROOM.allows(
    the_largest_integer=lambda: tf.constant(2**63 - 1),
    the_smallest_integer=lambda: tf.constant(-(2**63)),
    the_largest_integer_that_is_small=lambda: tf.constant([2**31 - 1, -(2**31)]),
    a_large_float=lambda: tf.constant([float(2**63)]),
)

# --- operators ------------------------------------------------------------------------------------

ROOM.refuses(
    a_mask_of_another_size=lambda: PAIR[tf.constant([True, False, True])],
    a_mask_of_another_shape=lambda: SQUARE[np.array([[True], [False]])],
    ones_without_room=lambda: tf.ones([2**24, 2**24], tf.int8),
    a_diagonal_without_room=lambda: tf.linalg.diag(LONG),
    a_result_without_room=lambda: LONG + LONG[:, None],
)
ROOM.allows(
    a_mask_of_the_first_axis=lambda: SQUARE[np.array([True, False])],
)

# --- shapes ---------------------------------------------------------------------------------------

OPEN = tf.TensorShape(None)

ROOM.refuses(
    the_length_of_an_open_shape=lambda: len(OPEN),
    the_sizes_of_an_open_shape=lambda: OPEN.as_list(),
    a_shape_that_does_not_fit=lambda: tf.TensorShape([2, None]).assert_is_compatible_with([3, 1]),
    a_rank_that_does_not_fit=lambda: tf.TensorShape([2]).assert_has_rank(2),
    a_tensor_that_gets_another_shape=lambda: PAIR.set_shape([3]),
    a_variable_that_gets_another_shape=lambda: tf.Variable([1.0], shape=[2]),
)
ROOM.allows(
    a_dimension_of_zero=lambda: tf.zeros([0]),
    a_shape_that_fits=lambda: tf.TensorShape([2, None]).assert_is_compatible_with([2, 1]),
    a_rank_that_fits=lambda: tf.TensorShape([2]).assert_has_rank(1),
    an_open_rank=lambda: OPEN.assert_has_rank(3),
    a_tensor_that_keeps_its_shape=lambda: PAIR.set_shape([None]),
    a_variable_of_an_open_shape=lambda: tf.Variable([1.0], shape=[None]),
)

# --- variables ------------------------------------------------------------------------------------


def kept() -> tf.Variable:
    """Make a variable."""
    return tf.Variable(PAIR, name="v")


ROOM.refuses(
    the_value_that_a_variable_began_with=lambda: kept().initial_value,
    a_variable_with_a_format=lambda: f"{kept():.2f}",
)

# --- tapes and nests ------------------------------------------------------------------------------


def batched(**how: object) -> object:
    """Ask a tape for a batch of Jacobians."""
    x = tf.ones([2, 2])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
    return tape.batch_jacobian(y, x, **how)


def assigned_last(x: Any) -> Any:
    """Ask for a gradient, and assign a variable afterwards."""
    slope = tf.gradients(x * x, x)
    COUNTED.assign_add(1.0)
    return slope


@tf.function
def beyond(x: Any) -> Any:
    """Ask, in a gradient of one's own, for a gradient by what was computed before."""

    @tf.custom_gradient
    def thrice(z: Any) -> Any:
        y = z * 3.0
        return y, lambda dy: tf.gradients(y, x, dy)[0]

    return thrice(x * 2.0)


def behind(x: Any) -> Any:
    """Take such a gradient when the function is over."""
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = beyond(x)
    return tape.gradient(y, x)


ROOM.allows(
    gradients_before_an_assignment=lambda: tf.function(assigned_last)(tf.constant(1.0)),
)
ROOM.refuses(
    hessians_without_a_tape=lambda: tf.hessians(PAIR, PAIR),
    gradients_beyond_a_part=lambda: behind(tf.constant(1.0)),
    the_program_of_a_tape_that_was_not_entered=lambda: tf.GradientTape().program,
    a_batch_of_jacobians_one_by_one=lambda: batched(parallel_iterations=1),
    an_unknown_argument_of_a_map=lambda: tf.nest.map_structure(abs, [1.0], deep=True),
    structures_of_two_sizes=lambda: tf.nest.assert_same_structure([1, 2], [1]),
    a_structure_and_a_number=lambda: tf.nest.assert_same_structure([1], 1),
    structures_of_two_keys=lambda: tf.nest.assert_same_structure({"a": 1}, {"b": 1}),
    structures_of_two_types=lambda: tf.nest.assert_same_structure([1, 2], (1, 2)),
    structures_of_two_sizes_in_a_map=lambda: tf.nest.map_structure(max, [1, 2], [1]),
)
ROOM.allows(
    a_batch_of_jacobians_eight_by_eight=lambda: batched(parallel_iterations=8),
    structures_of_two_types_unchecked=lambda: tf.nest.assert_same_structure(
        [1, 2], (1, 2), check_types=False
    ),
)

# --- names ----------------------------------------------------------------------------------------

ROOM.refuses(
    a_name_that_is_not_there=lambda: tf.math.sinus,
    a_name_that_is_nearly_there=lambda: tf.math.sine,
    a_special_name_that_is_not_there=lambda: tf.linalg.__nothing__,
    a_name_of_the_package_that_is_not_there=lambda: tf.sesion,
)

# --- structure ------------------------------------------------------------------------------------


def jacobian(f: Callable[[Any], Any]) -> tf.Tensor:
    """Give a Jacobian with its readings."""
    x = tf.constant([1.0, 2.0, 3.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    return tape.jacobian(y, x)


ROOM.refuses(
    the_structure_of_a_number=lambda: formula(tf.sin, 0.5).structure,
    the_structure_of_a_vector=lambda: formula().structure,
    the_core_of_two_terms=lambda: jacobian(lambda x: x * tf.reduce_sum(x)).structure.core,
)
ROOM.allows(the_core_of_one_term=lambda: jacobian(lambda x: x * x).structure.core)

# --- readings -------------------------------------------------------------------------------------


def formula(f: Callable[[Any], Any] = tf.sin, value: object = (0.5, 1.5)) -> tf.Tensor:
    """Give a gradient with its readings."""
    x = tf.constant(value)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    return tape.gradient(y, x)


def freed() -> object:
    """Read a formula whose leaf is gone."""
    x = tf.Variable([1.0, 2.0])
    with tf.GradientTape():
        y = x * x
    x.assign([5.0, 6.0])
    return y.exact()


ROOM.refuses(
    an_unknown_form=lambda: formula().latex("words"),
    a_matrix_form_that_is_not_known=lambda: formula(lambda x: tf.math.cumprod(x) * x).matrix_expr,
    latex_of_a_matrix_form_that_is_not_known=lambda: formula(
        lambda x: tf.math.cumprod(x) * x
    ).latex("matrix"),
    an_unknown_notation=lambda: formula().text("words"),
    latex_of_an_array_as_a_scalar=lambda: formula().latex("scalar"),
    a_matrix_form_of_three_axes=lambda: formula(value=np.ones((2, 2, 2))).text(),
    a_matrix_form_of_an_infinity=lambda: formula(lambda x: x * x * np.inf).text(),
    a_matrix_form_of_more_parts=lambda: formula().text(max_nodes=1),
    digits_that_are_broken=lambda: formula().evalf(2.5),
    digits_that_are_true=lambda: formula().evalf(True),
    no_digits=lambda: formula().evalf(0),
    too_many_digits=lambda: formula().evalf(10_001),
    far_too_many_digits=lambda: formula().evalf(10**20),
    a_leaf_that_is_not_there=lambda: formula().lambdify(["z"]),
    a_leaf_that_is_another_tensor=lambda: formula().lambdify([tf.constant(1.0)]),
    a_leaf_that_is_a_number=lambda: formula().lambdify([1.0]),
    a_leaf_that_is_another_symbol=lambda: formula().lambdify([sp.Symbol("z")]),
    a_leaf_that_was_freed=freed,
)
ROOM.allows(
    one_digit=lambda: formula().evalf(1),
    ten_thousand_digits=lambda: formula(lambda x: x * x, 0.5).evalf(10_000),
    digits_of_NumPy=lambda: formula().evalf(np.int64(5)),
    a_leaf_by_its_name=lambda: formula().lambdify(["x"]),
    a_leaf_by_its_symbol=lambda: formula().lambdify([sp.IndexedBase("x")]),
)
