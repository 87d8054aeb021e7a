"""What formulas refuse to be written as: other forms, names that nobody has, and any size."""

from __future__ import annotations

from typing import Any

import numpy as np

import symtape as tf
from tests.references.room import Leaves, T, inv, mv, total
from tests.refusals.room import Call, Room

ROOM = Room("printed")
Q = Leaves(3, 2)


def slope(f: Any, by: str = "x") -> Any:
    """Derive a number."""
    x = getattr(Q, by)
    with tf.GradientTape() as tape:
        y = f()
    return tape.gradient(y, x)


def jacobian(f: Any, by: str) -> Any:
    """Derive an array."""
    x = getattr(Q, by)
    with tf.GradientTape() as tape:
        y = f()
    return tape.jacobian(y, x)


def value(f: Any) -> Any:
    """Give what a function computes under a tape."""
    with tf.GradientTape():
        return f()


def squares() -> Any:
    """Give a sum of squares."""
    return total((mv(Q.M, Q.x) - Q.y) ** 2)


def latex(form: str = "auto", **how: Any) -> Call:
    """Write the gradient of squares."""
    return lambda: slope(squares).latex(form, **how)


ROOM.refuses(
    an_unknown_form=latex("matrices"),
    unknown_functions=latex(functions="short"),
    an_unknown_layout=latex(layout="both"),
    an_unknown_environment=latex(environment="gather"),
    unknown_sizes=latex(sizes="any"),
    unknown_parts=latex(parts="all"),
    parts_of_entries=latex("entries", parts="auto"),
    parts_of_steps=latex("steps", parts="auto"),
    sizes_of_entries=latex("entries", sizes="symbolic"),
    spaces_of_steps=latex("steps", spaces=True),
    symmetric_leaves_in_indices=latex("index", symmetric=["A"]),
    an_environment_of_steps=latex("steps", environment="align"),
    a_left_side_that_is_no_name=latex(lhs="f(x)"),
    a_left_side_of_steps=latex("steps", lhs="f"),
    a_left_side_that_is_a_leaf=latex(lhs="M"),
    a_width_of_nothing=latex(width=0),
    a_part_that_is_a_number=latex(parts=[3]),
    a_part_that_is_a_leaf=latex(parts=[tf.constant([1.0], name="c")]),
)
ROOM.allows(
    a_width_of_one=latex(width=1),
    parts_of_indices=latex("index", parts="auto"),
    expanded=latex(functions="expanded"),
    an_environment=latex(environment="align"),
)


def stopped() -> str:
    """Stop at a part that does not stand in the formula."""
    with tf.GradientTape() as tape:
        other = mv(Q.A, Q.x) * 2.0
        y = squares()
    return tape.gradient(y, Q.x).latex(stop_at=[other])


def of_what_is_gone() -> str:
    """Ask for the left side of a derivative of what is gone."""
    return slope(squares).latex(lhs=True)


def of_two() -> str:
    """Ask for the left side of what a hand made of two derivatives."""
    x = Q.x
    with tf.GradientTape() as tape:
        y = squares()
    return tape.gradient(y, x, output_gradients=tf.constant(2.0, tf.float64)).latex(lhs=True)


ROOM.refusal(stopped)
ROOM.refusal(of_what_is_gone)
ROOM.refusal(of_two)


def text(f: Any, by: str, **how: Any) -> Call:
    """Write a Jacobian in matrix notation."""
    return lambda: jacobian(f, by).text(**how)


def sympys(f: Any, by: str = "x") -> Call:
    """Write a gradient in SymPy's matrix expressions."""
    return lambda: slope(f, by).matrix_expr


ROOM.refuses(
    two_axes_that_are_one=text(lambda: tf.linalg.diag(Q.x), "x"),
    one_factor_of_two_axes=text(lambda: tf.nn.softmax(Q.M), "M"),
    rows_of_three_axes=text(lambda: tf.stack([Q.M, Q.M]), "M"),
    a_matrix_by_vec_as_an_array=lambda: jacobian(lambda: Q.A @ Q.B, "A").matrix_expr,
    running_products=text(lambda: tf.math.cumprod(Q.x), "x"),
    running_sums_backwards=lambda: slope(lambda: total(tf.math.cumprod(Q.x))).text(),
    a_cholesky_factor_by_its_matrix=text(lambda: tf.linalg.cholesky(Q.A @ T(Q.A)), "A"),
    a_pseudo_inverse=lambda: value(lambda: tf.linalg.pinv(Q.M, rcond=0.1)).text(),
    a_full_svd=lambda: value(lambda: tf.linalg.svd(Q.M, full_matrices=True)[1]).text(),
    a_product_of_each_row=lambda: value(lambda: tf.reduce_prod(Q.M, 1)).text(),
    a_band_of_a_row=lambda: value(lambda: tf.linalg.band_part(Q.M[:1], 0, 0)).text(),
    a_choice_of_rows=sympys(lambda: total(tf.gather(Q.x, tf.constant([2, 0])) ** 2)),
    a_sort=sympys(lambda: total(tf.sort(Q.x) * Q.a)),
    a_cast=lambda: value(lambda: tf.cast(tf.cast(Q.x, tf.int32), tf.float64)).text(),
    a_maximum_of_two=sympys(lambda: total(tf.maximum(Q.x, Q.a) ** 2)),
    a_spectrum=sympys(lambda: total(tf.linalg.eigvalsh(Q.A + T(Q.A)) ** 3), "A"),
)


ROOM.refuses(
    what_is_too_long=lambda: slope(squares).text(max_nodes=3),
)


def sized(f: Any, by: str = "x", **how: Any) -> Call:
    """Write a gradient for any size."""
    return lambda: slope(f, by).text(sizes="symbolic", **how)


def resized(f: Any, *shapes: Any) -> Call:
    """Compile a gradient for any size, and call it for others."""
    return lambda: slope(f).lambdify(sizes="any")(*[np.ones(s) for s in shapes])


ROOM.refuses(
    each_element=sized(lambda: sum(x**2 for x in Q.x)),
    what_is_joined=sized(lambda: total(tf.concat([Q.x, Q.a], 0) ** 2)),
    what_is_taken_apart=sized(lambda: total(tf.reshape(Q.M, [-1]) ** 2) * Q.x[0]),
    the_largest=lambda: slope(lambda: tf.reduce_max(Q.x)).index_expr(sizes="symbolic"),
    other_sizes_of_each_element=resized(lambda: sum(x**2 for x in Q.x), 4),
    two_sizes_of_one_axis=resized(lambda: total(Q.x * Q.a * Q.b), 4, 5),
    another_rank=resized(lambda: total(Q.x * Q.a), (4, 4)),
    other_sizes_of_what_is_taken_apart=resized(
        lambda: total(tf.reshape(Q.M, [-1])) * total(Q.x**2), (2, 4), 4
    ),
    sizes_of_another_kind=lambda: slope(squares).lambdify(sizes="symbolic"),
)
ROOM.allows(
    other_sizes=resized(lambda: total(Q.x**3 * Q.a), 4, 4),
    letters=sized(squares),
    inverses=lambda: slope(lambda: total(inv(Q.A)), "A").text(),
)
