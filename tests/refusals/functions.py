"""Derivatives of functions that cannot be given, and arguments that do not fit."""

from __future__ import annotations

import pickle
import weakref
from typing import Any

import numpy as np
import scipy.sparse

import symtape as tf
from symtape.functions.tracing.function import Function
from symtape.stand_in.autograph import set_loop_options
from tests.refusals.room import Call, Room

ROOM = Room("function")

THREE = np.ones(3)


def square(x: Any) -> Any:
    """Be a function of one number."""
    return x * x


def total(x: Any) -> Any:
    """Be a function of one array."""
    return (x * x).sum()


def product(x: Any, y: Any) -> Any:
    """Be a function of two arguments."""
    return (x * y).sum()


# --- what is differentiated -----------------------------------------------------------------------

ROOM.refuses(
    what_is_no_function=lambda: tf.grad(3.0),
    a_gradient_by_a_whole_number=lambda: tf.grad(square)(3),
    a_gradient_by_a_truth=lambda: tf.grad(square)(np.bool_(True)),
    a_gradient_by_whole_numbers=lambda: tf.grad(total)(np.arange(3)),
    a_gradient_by_a_text=lambda: tf.grad(lambda x: 1.0)("three"),
    a_gradient_by_a_part_that_is_whole=lambda: tf.grad(lambda d: d["a"] * 2.0)({"a": 3}),
    a_gradient_by_an_argument_that_is_not_there=lambda: tf.grad(square, argnums=1)(3.0),
    a_gradient_by_an_argument_before_the_first=lambda: tf.grad(product, argnums=-3)(3.0, 2.0),
    a_gradient_by_a_name=lambda: tf.grad(square, argnums="x"),
    a_gradient_by_a_truth_as_number=lambda: tf.grad(square, argnums=(True,)),
    rows_of_an_argument_that_is_not_there=lambda: tf.grad(square, vectorize=1)(THREE),
    rows_of_a_name=lambda: tf.grad(square, vectorize="x"),
    a_gradient_without_arguments=lambda: tf.grad(lambda: 1.0)(),
    a_gradient_of_an_array=lambda: tf.grad(square)(THREE),
    a_gradient_of_a_pair=lambda: tf.grad(lambda x: (x, x))(2.0),
    a_gradient_of_nothing=lambda: tf.grad(lambda x: None)(2.0),
    a_gradient_of_a_text=lambda: tf.grad(lambda x: "y")(2.0),
    a_gradient_of_a_whole_number=lambda: tf.grad(lambda x: 3)(2.0),
    a_gradient_of_a_complex_number=lambda: tf.grad(lambda x: x * 1j)(2.0),
    a_gradient_of_a_count=lambda: tf.grad(lambda x: tf.cast(x, tf.int32))(2.0),
    a_jacobian_of_a_text=lambda: tf.jacobian(lambda x: "y")(2.0),
    a_jacobian_of_a_whole_number=lambda: tf.jacobian(lambda x: [x, 3])(2.0),
    a_value_without_what_is_beside_it=lambda: tf.grad(square, has_aux=True)(2.0),
    a_value_with_too_much_beside_it=lambda: tf.grad(lambda x: (x, x, x), has_aux=True)(2.0),
    a_list_beside_which_nothing_is=lambda: tf.grad(lambda x: [x, x], has_aux=True)(2.0),
)
ROOM.allows(
    the_last_argument=lambda: tf.grad(product, argnums=-2)(3.0, 2.0),
    the_first_argument_by_an_integer_of_NumPy=lambda: tf.grad(square, argnums=np.int64(0))(3.0),
    a_value_and_what_is_beside_it=lambda: tf.grad(lambda x: (x, "y"), has_aux=True)(2.0),
)

# --- rows -----------------------------------------------------------------------------------------


def forked(x: Any) -> Any:
    """Take one branch for positive numbers, and another one for others."""
    return x * x if x > 0.0 else -x


ROOM.refuses(
    rows_of_a_number=lambda: tf.grad(square, vectorize=True)(2.0),
    rows_of_two_numbers=lambda: tf.grad(product, vectorize=(0, 1))(THREE, np.ones(2)),
    rows_of_nothing=lambda: tf.grad(lambda x: 1.0, vectorize=True)({}),
    the_formula_of_rows_on_two_branches=lambda: tf.grad(forked, vectorize=True).formula(
        np.array([1.0, -1.0])
    ),
    the_source_of_rows_on_two_branches=lambda: tf.grad(forked, vectorize=True).source(
        np.array([1.0, -1.0])
    ),
)
ROOM.allows(
    rows_on_two_branches=lambda: tf.grad(forked, vectorize=True)(np.array([1.0, -1.0])),
    rows_beside_a_number=lambda: tf.grad(product, vectorize=0)(THREE, 2.0),
)

# --- products -------------------------------------------------------------------------------------


def _pulled(*cotangent: Any) -> Any:
    return tf.vjp(lambda x: (x, {"a": x * x}), 2.0)[1](*cotangent)


ROOM.refuses(
    a_product_of_a_number=lambda: tf.jvp(square, 2.0, (1.0,)),
    a_product_along_a_number=lambda: tf.jvp(square, (2.0,), 1.0),
    a_product_along_too_many=lambda: tf.jvp(square, (2.0,), (1.0, 1.0)),
    a_product_along_another_structure=lambda: tf.jvp(square, (2.0,), ([1.0],)),
    a_product_along_a_text=lambda: tf.jvp(square, (2.0,), ("a",)),
    a_product_along_another_shape=lambda: tf.jvp(square, (2.0,), (THREE,)),
    a_product_along_another_dtype=lambda: tf.jvp(
        square, (tf.constant(2.0),), (tf.constant(1.0, tf.float64),)
    ),
    a_product_along_complex_numbers=lambda: tf.jvp(square, (2.0,), (1j,)),
    a_product_along_a_part_of_another_shape=lambda: tf.jvp(
        lambda d: d["a"] * 2.0, ({"a": 2.0},), ({"a": THREE},)
    ),
    a_product_of_nothing_along_nothing=lambda: tf.jvp(square, (), ()),
    a_product_that_is_pure_and_has_arguments=lambda: tf.jvp(square, (2.0,), (1.0,), pure=True),
    a_product_of_a_hessian_that_is_pure_and_has_arguments=lambda: tf.hvp(
        square, (2.0,), (1.0,), pure=True
    ),
    a_product_with_primals_alone=lambda: tf.jvp(square, (2.0,)),
    a_product_of_a_hessian_of_an_array=lambda: tf.hvp(square, (THREE,), (THREE,)),
    a_pullback_of_another_structure=lambda: _pulled((1.0, 1.0)),
    a_pullback_of_another_shape=lambda: _pulled((1.0, {"a": THREE})),
    a_pullback_of_a_text=lambda: _pulled((1.0, {"a": "b"})),
    a_pullback_of_a_pair_in_place_of_one=lambda: tf.vjp(square, 2.0)[1]((1.0, 1.0)),
)
ROOM.allows(
    a_product_of_lists=lambda: tf.jvp(product, [2.0, 1.0], [1.0, 0.0]),
    a_product_along_a_whole_number=lambda: tf.jvp(square, (2.0,), (1,)),
    a_pullback=lambda: _pulled((1.0, {"a": 1.0})),
)

# --- derivatives of one variable ------------------------------------------------------------------

ROOM.refuses(
    a_derivative_of_a_negative_order=lambda: tf.derivative(square, -1),
    a_derivative_of_a_broken_order=lambda: tf.derivative(square, 1.5),
    a_derivative_of_an_order_that_is_true=lambda: tf.derivative(square, True),
    a_derivative_by_a_list=lambda: tf.derivative(lambda x: x[0])([2.0]),
    a_derivative_by_a_complex_number=lambda: tf.derivative(square)(1j),
    a_derivative_by_a_whole_number=lambda: tf.derivative(square)(np.arange(2)),
    a_derivative_of_a_text=lambda: tf.derivative(lambda x: "y")(2.0),
)
ROOM.allows(
    a_derivative_of_order_zero=lambda: tf.derivative(square, 0)(2.0),
    a_derivative_of_an_order_of_NumPy=lambda: tf.derivative(square, np.int64(2))(2.0),
    a_derivative_at_points=lambda: tf.derivative(square)(THREE),
    a_derivative_at_points_that_are_coupled=lambda: tf.derivative(lambda x: x.sum())(THREE),
)

# --- programs -------------------------------------------------------------------------------------

ROOM.refuses(
    a_trace_of_open_sizes=lambda: tf.trace(square, tf.TensorSpec([None, 2])),
    a_trace_of_an_open_rank=lambda: tf.trace(square, tf.TensorSpec(None)),
    a_trace_whose_values_leave=lambda: tf.trace(lambda x: tf.constant(float(x) * 2.0), 2.0),
)
ROOM.allows(
    a_trace_of_sizes=lambda: tf.trace(square, tf.TensorSpec([1, 2])),
    a_trace_of_whole_numbers=lambda: tf.trace(square, tf.TensorSpec([2], tf.int32)),
)

# --- values that leave ----------------------------------------------------------------------------


def _kept_from_another_run() -> Any:
    kept: list[Any] = []

    def keeps(x: Any) -> Any:
        kept.append(x * x)
        return kept[0] * x

    f = tf.grad(keeps)
    f(2.0)
    return f(3.0)


def _number_from_another_run() -> Any:
    kept: list[Any] = []

    def keeps(x: Any) -> Any:
        kept.append(x * x)
        return x * float(kept[0]) if len(kept) > 1 else x

    f = tf.grad(keeps)
    f(2.0)
    return f(3.0)


def _assigned(x: Any) -> Any:
    v = tf.Variable(1.0)
    v.assign(x)
    return v * x


ROOM.refuses(
    a_value_that_becomes_a_float=lambda: tf.grad(lambda x: x * float(x))(2.0),
    a_value_that_becomes_a_complex_number=lambda: tf.grad(lambda x: abs(complex(x)) * x)(2.0),
    a_value_that_becomes_an_array=lambda: tf.grad(lambda x: np.asarray(x).sum() * x.sum())(THREE),
    a_value_that_is_read=lambda: tf.grad(lambda x: x * x.numpy())(tf.constant(2.0)),
    a_value_that_becomes_a_variable=lambda: tf.grad(lambda x: tf.Variable(x) * x)(tf.constant(2.0)),
    a_value_that_is_assigned=lambda: tf.grad(_assigned)(tf.constant(2.0)),
    a_value_that_is_pulled_out_of_two=lambda: tf.grad(
        lambda x, y: float(x * y) * x, argnums=(0, 1)
    )(2.0, 3.0),
    a_value_of_another_run=_kept_from_another_run,
    a_number_of_another_run=_number_from_another_run,
)
ROOM.allows(
    a_value_that_is_stopped=lambda: tf.grad(lambda x: x * tf.stop_gradient(x).numpy())(
        tf.constant(2.0)
    ),
)

# --- what a function reads ------------------------------------------------------------------------


class Settings:
    """What a function reads, beside its arguments."""

    rate = 2.0


SETTINGS, RATES = Settings(), {"low": 1.0}


def _gone() -> Function:
    def short_lived(x: Any) -> Any:
        return x * x

    return Function(short_lived, "value", weakref.ref(short_lived))


def _noted(x: Any, notes: Any = ()) -> Any:
    SEEN.append(1)
    return x * x


SEEN: list[int] = []
ROWS = np.array([1.0, -1.0])

ROOM.refuses(
    a_key_that_is_not_there=lambda: tf.grad(lambda x: x * RATES["high"])(2.0),
    an_attribute_that_is_not_there=lambda: tf.grad(lambda x: x * SETTINGS.speed)(2.0),
    an_attribute_of_a_class_that_is_not_there=lambda: tf.grad(lambda x: x * Settings.speed)(2.0),
    an_attribute_of_a_dict_that_is_not_there=lambda: tf.grad(lambda x: x * RATES.high)(2.0),
    a_function_that_is_gone=lambda: _gone()(2.0),
    a_function_that_is_gone_and_travels=lambda: pickle.dumps(_gone()),
    the_formula_of_rows_that_are_recorded_one_by_one=lambda: tf.grad(
        _noted, vectorize=True
    ).formula(ROWS),
    the_formula_of_products_of_rows_on_two_branches=lambda: tf.jvp(forked, vectorize=True).formula(
        (ROWS,), (ROWS,)
    ),
    the_formula_of_products_of_rows_that_are_recorded_one_by_one=lambda: tf.jvp(
        _noted, vectorize=True
    ).formula((ROWS,), (ROWS,)),
    the_source_of_products_of_rows_on_two_branches=lambda: tf.jvp(forked, vectorize=True).source(
        (ROWS,), (ROWS,)
    ),
    a_list_of_values_that_becomes_an_array=lambda: tf.grad(lambda x: np.array([x[0], x[1]]).sum())(
        THREE
    ),
    a_trace_whose_whole_numbers_leave=lambda: tf.trace(
        lambda n: tf.constant(n.numpy() * 2.0), tf.constant(3)
    ),
)

# --- writing into arrays --------------------------------------------------------------------------


def writes(write: Any, *args: Any) -> Call:
    """Differentiate a function that writes into an array."""

    def run(x: Any) -> Any:
        made = x * 2.0
        found = write(made, x)
        return (made if found is None else found).sum()

    return lambda: tf.grad(run)(*(args or (THREE,)))


def _put(target: Any, key: Any, value: Any) -> None:
    target[key] = value


def _added(a: Any, b: Any) -> Any:
    a += b
    return a


def _turned(made: Any, x: Any) -> None:
    flat = (made.reshape(2, 3).T + 0.0).reshape(-1)
    flat[0] = x[0]


def _under(made: Any, x: Any) -> Any:
    square = np.outer(x, x)
    turned = np.exp(square.T)
    flat = turned.reshape(-1)
    turned[0, 0] = 1.0
    return flat


def _over(made: Any, x: Any) -> Any:
    turned = np.exp(np.outer(x, x).T)
    turned.reshape(-1)[0] = 1.0
    return turned


ROOM.refuses(
    a_write_into_the_callers_array=writes(lambda made, x: _put(x, 0, 1.0)),
    a_write_of_complex_numbers=writes(lambda made, x: _put(made, 0, 1j)),
    a_write_of_too_many=writes(lambda made, x: _put(made, slice(0, 2), x)),
    a_write_of_another_rank=writes(lambda made, x: _put(made, 0, x[:2])),
    a_write_into_a_number=lambda: tf.grad(lambda x: _put(x * 2.0, (), 1.0))(np.array(2.0)),
    a_write_into_what_is_spread=writes(
        lambda made, x: _put(np.broadcast_to(made, (2, 3)), (0, 0), 1.0)),
    a_write_below_what_was_reshaped=writes(_under),
    a_write_into_what_was_reshaped=writes(_over),
    an_array_that_takes_another_dtype_in_place=writes(lambda made, x: _added(made, x * 1j)),
    an_array_that_takes_complex_numbers_in_place=writes(lambda made, x: _added(made, THREE * 1j)),
    an_array_that_takes_a_complex_number_in_place=writes(lambda made, x: _added(made, 1j)),
    whole_numbers_that_take_floats_in_place=writes(lambda made, x: _added(x.astype(int), x)),
    an_array_that_takes_another_shape_in_place=writes(
        lambda made, x: _added(made, np.stack([x, x]))),
    elements_of_a_number=lambda: tf.grad(lambda x: next(iter(x)))(np.array(2.0)),
)  # fmt: skip
ROOM.allows(
    a_write_of_ones_in_front=writes(lambda made, x: _put(made, slice(0, 2), x[None, :2])),
    a_write_of_nothing=writes(lambda made, x: _put(made, slice(0, 0), 1.0)),
    an_array_that_takes_less_precise_numbers_in_place=writes(
        lambda made, x: _added(made, x.astype(np.float32))
    ),
    an_array_that_takes_more_precise_numbers_in_place=writes(
        lambda made, x: _added(x.astype(np.float32), x)
    ),
    an_array_that_takes_its_shape_in_place=writes(lambda made, x: _added(made, x)),
)

# --- SciPy's solvers ------------------------------------------------------------------------------

START = {"a": np.ones(2), "b": 1.0}
PACKED = tf.objective(lambda d: (d["a"] ** 2).sum() + d["b"] ** 2, START)
PLAIN = tf.objective(total)
PAIR = tf.residuals(lambda x: [x[0] * x[1], x[0]])
SYSTEM = tf.ode(lambda t, y: [y[1], -y[0]])
MODEL = tf.curve(lambda x, a, b: a * x + b)
MESH, HEIGHTS = np.array([0.0, 1.0]), np.ones((2, 2))


def bounded(fun: Any) -> Any:
    """Make a boundary value problem of a right-hand side."""
    return tf.bvp(fun, lambda ya, yb: [ya[0], yb[0]])


ROOM.refuses(
    a_vector_of_another_size=lambda: PACKED.fun(np.ones(4)),
    a_vector_of_another_rank=lambda: PACKED.fun(np.ones((3, 1))),
    a_vector_of_complex_numbers=lambda: PLAIN.fun(np.ones(2) * 1j),
    a_vector_of_texts=lambda: PLAIN.fun(["a"]),
    parameters_that_are_whole_numbers=lambda: tf.objective(total, {"a": 3}),
    parameters_that_are_a_text=lambda: tf.objective(total, ["a"]),
    parameters_that_are_complex=lambda: tf.objective(total, np.ones(2) * 1j),
    parameters_of_another_structure=lambda: PACKED.pack([1.0]),
    parameters_of_another_shape=lambda: PACKED.pack({"a": np.ones(3), "b": 1.0}),
    parameters_that_were_not_given_to_pack=lambda: PLAIN.pack(START),
    parameters_that_were_not_given_to_unpack=lambda: PLAIN.unpack(np.ones(3)),
    a_direction_of_another_size=lambda: PLAIN.hessp(np.ones(2), np.ones(3)),
    an_objective_of_an_array=lambda: tf.objective(square).fun(np.ones(2)),
    residuals_of_nothing=lambda: tf.residuals(lambda x: []).fun(np.ones(2)),
    residuals_of_complex_numbers=lambda: tf.residuals(lambda x: [x[0], x * 1j]).fun(np.ones(2)),
    weights_of_another_size=lambda: PAIR.hess(np.ones(2), np.ones(3)),
    weights_that_are_complex=lambda: PAIR.hess(np.ones(2), np.ones(2) * 1j),
    a_state_of_columns=lambda: SYSTEM.fun(0.0, np.ones((2, 3))),
    slopes_of_another_size=lambda: tf.ode(lambda t, y: [y[0]]).fun(0.0, np.ones(2)),
    a_jacobian_of_slopes_of_another_size=lambda: tf.ode(lambda t, y: [y[0]]).jac(0.0, np.ones(2)),
    a_state_of_complex_numbers=lambda: SYSTEM.fun(0.0, np.ones(2) * 1j),
    a_model_without_parameters=lambda: MODEL.fun(MESH),
    a_model_of_parameters_that_are_arrays=lambda: MODEL.fun(MESH, np.ones(2), 1.0),
    a_model_of_parameters_that_are_complex=lambda: MODEL.jac(MESH, 1.0, 1j),
    points_that_are_coupled=lambda: bounded(lambda x, y: y * y.sum()).fun_jac(MESH, HEIGHTS),
    slopes_of_another_shape=lambda: bounded(lambda x, y: y[:1]).fun(MESH, HEIGHTS),
    slopes_of_another_dtype=lambda: bounded(lambda x, y: tf.cast(y, tf.float32)).fun(MESH, HEIGHTS),
    heights_that_are_complex=lambda: bounded(lambda x, y: y).fun(MESH, HEIGHTS * 1j),
)
ROOM.allows(
    a_vector_of_whole_numbers=lambda: PLAIN.fun([1, 2]),
    residuals_of_whole_numbers=lambda: tf.residuals(lambda x: [x[0], 3]).fun(np.ones(2)),
    one_point_that_is_coupled_with_itself=lambda: bounded(
        lambda x, y: y * y.sum(axis=1)[0]
    ).fun_jac(MESH[:1], HEIGHTS[:, :1]),
    a_model_of_one_parameter=lambda: tf.curve(lambda x, a: a * x).fun(MESH, 2),
)

# --- sparse arrays --------------------------------------------------------------------------------

ONE = tf.Variable(1.0)
SPARSE = scipy.sparse.csr_array(np.eye(3))

ROOM.refuses(
    a_sparse_product_of_another_size=lambda: tf.grad(lambda x: (SPARSE @ x).sum())(np.ones(2)),
    a_product_of_another_size=lambda: tf.grad(lambda x: (np.eye(2) @ x).sum())(THREE),
    a_product_with_another_dtype=lambda: tf.grad(lambda x: (tf.eye(3) @ x).sum())(THREE),
    a_sparse_product_of_a_batch=lambda: tf.grad(lambda x: (SPARSE @ x).sum())(np.ones((3, 2, 2))),
)
ROOM.allows(
    a_sparse_product_of_a_matrix=lambda: tf.grad(lambda x: (SPARSE @ x).sum())(np.ones((3, 2))),
)


def variables_of(function: Any, *sizes: Any) -> Any:
    """List the variables of a function for tensors of some sizes."""
    found = tf.function(function).get_concrete_function(*[tf.TensorSpec(size) for size in sizes])
    return found.variables


ROOM.refuses(
    variables_by_a_value=lambda: variables_of(lambda x: ONE * x if x > 0 else x, []),
    variables_by_a_rank=lambda: variables_of(
        lambda x: tf.cond(tf.rank(x) > 1, lambda: ONE * 1, lambda: x), []
    ),
    variables_of_a_function_that_fails=lambda: variables_of(
        lambda x: tf.linalg.inv(x) * ONE, [2, 2]
    ),
    variables_for_any_rank=lambda: variables_of(lambda x: x * ONE, None),
)
ROOM.allows(variables_that_no_value_decides=lambda: variables_of(lambda x: x * ONE, [None]))

ROOM.refuses(
    traces_of_a_function=lambda: tf.function(abs).pretty_printed_concrete_signatures(),
    loops_of_so_many_steps=lambda: tf.function(set_loop_options)(maximum_iterations=3),
)
