"""Formulas that have no exact value, no entries, no index notation, or are too long."""

from __future__ import annotations

from typing import Any

import numpy as np
import sympy as sp

import symtape as tf
from symtape.program import subscripts
from symtape.program.evaluation.symbolic import Symbolic
from symtape.program.functions.scalar import KINDS, kind_named
from tests.refusals.room import Call, Room

ROOM = Room("reading")


def result(f: Any, *values: Any) -> Any:
    """Give the result of a function of doubles with its readings."""
    xs = [tf.constant(np.asarray(v), None if np.iscomplexobj(v) else tf.float64) for v in values]
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(xs)
        y = f(*xs)
    HELD[:] = [*xs, tape]
    return y


def named_matrix() -> Any:
    """Give A x, of leaves that are called so."""
    a, x = tf.Variable([[1.0, 2.0], [3.0, 4.0]], name="A"), tf.Variable([1.0, 2.0], name="x")
    HELD[:] = [a, x]
    with tf.GradientTape():
        return tf.linalg.matvec(a, x)


HELD: list[Any] = []
"""The leaves of the last formula, and its tape, which are read when it is."""


def exact(f: Any, *values: Any) -> Call:
    """Ask for the exact value."""
    return lambda: result(f, *values).exact()


def digits(f: Any, *values: Any) -> Call:
    """Ask for 20 digits."""
    return lambda: result(f, *values).evalf(20)


def entries(f: Any, *values: Any) -> Call:
    """Ask for the entries in symbols."""
    return lambda: result(f, *values).entries


def indexed(f: Any, *values: Any) -> Call:
    """Ask for a generic entry."""
    return lambda: result(f, *values).index_expr()


def linalg(name: str, part: int | None = None, **how: Any) -> Any:
    """Give a function of a matrix, or one of its parts."""

    def run(a: Any) -> Any:
        found = getattr(tf.linalg, name)(a, **how)
        return found if part is None else found[part]

    return run


def blurred(x: Any, a: Any = ((1.0, 1.0), (1.0, 1.0))) -> Any:
    """Give a singular matrix that is regular in floats, which lose x beside a large number."""
    lost = ((x + 1e16) - 1e16) - x
    place = np.zeros(np.shape(a))
    place[1, 1] = 1.0
    return tf.constant(a, tf.float64) + lost * tf.constant(place)


# --- values that do not exist ---------------------------------------------------------------------

ONE, TWO, THREE = np.ones((1, 1)), np.diag([1.0, 2.0]), np.diag([1.0, 2.0, 3.0])
SAME = np.eye(2)
TURNED = np.array([[1.0, 2.0], [3.0, 4.0]])
COMPANION = np.diag(np.ones(4), 1) + np.outer(np.eye(5)[4], [2.0, 1.0, 0.0, 0.0, 0.0])
FIVE = np.arange(25.0).reshape(5, 5) + 10 * np.eye(5)

ROOM.refuses(
    a_number_divided_by_zero=exact(lambda x: x / 0.0, 1.0),
    an_entry_divided_by_zero=exact(lambda x: 1.0 / x, [1.0, 0.0]),
    digits_of_a_number_divided_by_zero=digits(lambda x: x / x, [1.0, 0.0]),
    what_comes_next_exactly=exact(lambda x: tf.math.nextafter(x, x + 1.0), 1.0),
    an_inverse_of_a_matrix_that_floats_make_regular=exact(
        lambda x: tf.linalg.inv(blurred(x)), 0.75
    ),
    an_inverse_of_what_is_infinite=exact(linalg("inv"), np.array([[np.inf, 0.0], [0.0, 1.0]])),
    pivots_of_zero=exact(
        lambda x: tf.linalg.lu(blurred(x, [[1.0, 1.0, 0.0], [1.0, 1.0, 0.0], [0.0, 0.0, 1.0]]))[0],
        -0.75,
    ),
    eigenvalues_of_a_large_matrix_of_roots=exact(
        lambda a: tf.linalg.eigvals(tf.sqrt(a)), COMPANION
    ),
    digits_of_a_jump=lambda: result(lambda x: tf.floor(tf.exp(tf.math.log(x))), 14.0).evalf(5),
    an_order_of_symbols=lambda: Symbolic(exact=False).order(sp.symbols("x y")),
    places_that_are_symbols=lambda: Symbolic(exact=False).index(sp.Symbol("i")),
    digits_of_a_root_of_a_singular_matrix=digits(linalg("sqrtm"), np.array([[0.0, 1.0], [0, 0]])),
    a_root_of_a_matrix_that_floats_make_positive=exact(
        lambda x: tf.linalg.cholesky(blurred(x)), -0.75
    ),
    vectors_of_equal_values=exact(
        lambda x: tf.linalg.eigh(tf.linalg.diag(x) + tf.ones([3, 3], tf.float64))[1], [1.0] * 3
    ),
    singular_vectors_of_zero=exact(linalg("svd", 2), np.array([[1.0, 0.0], [0.0, 0.0]])),
    eigenvectors_of_a_large_matrix=exact(linalg("eigh", 1), FIVE + FIVE.T),
    eigenvectors_of_a_complex_matrix=exact(linalg("eigh", 1), np.array([[1.0, 1j], [-1j, 2.0]])),
    eigenvectors_of_a_matrix_that_is_turned=exact(linalg("eig", 1), TURNED),
    eigenvalues_of_a_matrix_of_roots=exact(lambda a: tf.linalg.eigvalsh(tf.sqrt(a)), THREE + 1.0),
    functions_of_a_large_matrix=exact(linalg("sqrtm"), np.eye(9) + 0.1),
    vectors_of_an_empty_matrix=exact(linalg("svd", 1, full_matrices=True), np.zeros((2, 0))),
)
ROOM.allows(
    an_exact_inverse=exact(linalg("inv"), TWO),
    exact_eigenvectors=exact(linalg("eigh", 1), TURNED + TURNED.T),
)

# --- enclosures -----------------------------------------------------------------------------------


def enclosure(f: Any, value: Any = 0.5, bits: Any = 53, **settings: Any) -> Call:
    """Ask for an enclosure of a function of x."""

    def call() -> Any:
        x = tf.Variable(value, name="x", dtype=None if np.iscomplexobj(value) else tf.float64)
        with tf.GradientTape(persistent=True) as tape:
            y = f(x)
        HELD[:] = [x, tape]
        return y.enclose(bits, **settings)

    return call


def boxed(f: Any, value: Any, *bounds: Any, **settings: Any) -> Call:
    """Ask for an enclosure over a box."""
    return enclosure(f, value, box={"x": bounds}, **settings)


ROOM.refuses(
    bits_that_are_broken=enclosure(tf.exp, bits=2.5),
    one_bit=enclosure(tf.exp, bits=1),
    too_many_bits=enclosure(tf.exp, bits=100_001),
    splits_without_a_box=enclosure(tf.exp, splits=3),
    splits_below_zero=boxed(tf.exp, 0.5, 0, 1, splits=-1),
    too_many_entries_to_enclose=enclosure(tf.exp, np.ones(5), max_entries=4),
    a_box_that_is_a_number=enclosure(tf.exp, box=3),
    a_box_of_a_stranger=enclosure(tf.exp, box={"z": (0, 1)}),
    a_box_of_one_bound=boxed(tf.exp, 0.5, 1),
    a_box_of_numbers=enclosure(tf.exp, box=[1, 2]),
    a_box_that_names_a_leaf_twice=enclosure(tf.exp, box=[("x", (0, 1)), ("x", (1, 2))]),
    a_bound_that_is_a_text=boxed(tf.exp, 0.5, "a", 1),
    a_bound_that_is_infinite=boxed(tf.exp, 0.5, 0, np.inf),
    a_bound_that_is_nan=boxed(tf.exp, 0.5, np.nan, 1),
    a_bound_that_is_complex=boxed(tf.exp, 0.5, 0, 1j),
    bounds_of_another_shape=boxed(tf.exp, [0.5, 1.0], 0, [1, 2, 3]),
    bounds_in_the_wrong_order=boxed(tf.exp, [0.5, 1.0], 0, [1, -1]),
    a_box_of_integers=lambda: result(
        lambda x: tf.gather(x, tf.constant([1], name="i")), [1.0, 2.0]
    ).enclose(box={"i": (0, 1)}),
    an_enclosure_on_a_pole=enclosure(lambda x: 1 / (x - 0.5)),
    an_enclosure_of_an_entry_below_zero=enclosure(tf.sqrt, [1.0, -1.0]),
    an_enclosure_of_what_comes_next=enclosure(lambda x: tf.math.nextafter(x, x + 1)),
    an_enclosure_of_a_root_of_a_matrix_of_equal_values=enclosure(
        tf.linalg.sqrtm, np.array([[1.0, 1.0], [0.0, 1.0]])
    ),
    an_enclosure_of_a_pseudoinverse_of_lower_rank=enclosure(tf.linalg.pinv, np.ones((2, 2))),
    an_enclosure_of_vectors_over_a_box=boxed(lambda a: tf.linalg.eigh(a)[1], TWO, -1, 1),
    an_order_over_a_box=boxed(tf.sort, [1.0, 2.0], 0, 3),
    a_branch_that_is_open_over_a_box=boxed(lambda x: x * 1 if x > 0 else -x, 0.5, -1, 1),
    a_branch_that_is_another_in_a_box=boxed(lambda x: x * 1 if x > 0 else -x, 0.5, -2, -1),
    bounds_of_complex_numbers=lambda: enclosure(tf.exp, 0.5 + 1j)().lower,
    signs_of_complex_numbers=lambda: enclosure(tf.exp, 0.5 + 1j)().is_positive,
    a_truth_of_an_enclosure=lambda: bool(enclosure(tf.exp)()),
    a_truth_of_numbers=lambda: enclosure(tf.exp)().is_true,
    a_text_in_an_enclosure=lambda: enclosure(tf.exp)().contains("1"),
)
ROOM.allows(
    two_bits=enclosure(tf.exp, bits=2),
    a_box_of_no_leaf=enclosure(tf.exp, box={}),
    a_box_of_a_point=boxed(tf.exp, 0.5, 1, 1),
    a_box_of_no_order=boxed(tf.sort, [1.0, 2.0], [0, 2], [1, 3]),
    an_open_branch_that_is_not_checked=boxed(
        lambda x: x * 1 if x > 0 else -x, 0.5, -1, 1, check=False
    ),
)

# --- entries in symbols ---------------------------------------------------------------------------

ROOM.refuses(
    a_decomposition_in_symbols=entries(linalg("qr", 0), TURNED),
    eigenvalues_in_symbols=entries(linalg("eigvalsh"), THREE),
    eigenvectors_in_symbols=entries(linalg("eigh", 1), TWO),
    eigenvalues_of_a_turned_matrix_in_symbols=entries(linalg("eigvals"), TURNED),
    functions_of_a_matrix_in_symbols=entries(linalg("expm"), TWO),
    an_inverse_in_symbols_that_is_too_long=entries(linalg("inv"), FIVE),
    a_determinant_in_symbols_that_is_too_long=entries(linalg("det"), np.eye(9) + 0.1),
    a_pseudo_inverse_of_lower_rank=entries(linalg("pinv"), np.ones((2, 2))),
    what_comes_next_in_symbols=entries(lambda x: tf.math.nextafter(x, x + 1.0), 1.0),
    too_many_entries=lambda: result(lambda x: x * x, np.ones(20_000)).entries,
    too_many_entries_of_those_asked_for=lambda: result(lambda x: x * x, np.ones(5)).to_entries(4),
    too_many_terms_on_the_way=lambda: result(
        lambda x: tf.reduce_sum(tf.sin(tf.cumsum(tf.exp(x)) * tf.cos(x) + x)), np.ones(30)
    ).to_expr(max_nodes=10),
    too_many_exact_entries=lambda: result(lambda x: x * x, np.ones(5)).exact(max_entries=4),
    too_many_digits_of_entries=lambda: result(lambda x: x * x, np.ones(5)).evalf(5, max_entries=4),
    a_wide_step=lambda: result(lambda x: tf.reduce_sum(tf.square(x)), np.ones(200)).exact(
        max_entries=4
    ),
    too_many_parts=lambda: result(lambda x: tf.sin(x) * x + x, 1.0).to_expr(max_nodes=3),
    too_many_steps=lambda: result(lambda x: tf.sin(x) * x, 1.0).latex("steps", max_steps=2),
    an_expression_of_an_array=lambda: result(tf.math.cumprod, [1.0, 2.0]).expr,
)
ROOM.allows(
    as_many_entries_as_asked_for=lambda: result(lambda x: x * x, np.ones(5)).to_entries(5),
    as_many_steps_as_asked_for=lambda: result(tf.sin, 1.0).latex("steps", max_steps=2),
    as_many_exact_entries=lambda: result(lambda x: x * x, np.ones(5)).exact(max_entries=5),
    a_step_that_is_just_as_wide=lambda: result(tf.reduce_sum, np.ones(160)).exact(max_entries=4),
)


def _deep(times: int) -> Any:
    def run(x: Any) -> Any:
        for _ in range(times):
            x = tf.sin(x)
        return x

    return run


ROOM.refuses(
    a_formula_that_is_nested_too_deep=lambda: result(_deep(130), 1.0).expr,
    a_generic_entry_that_is_nested_too_deep=indexed(_deep(200), [1.0, 2.0]),
)
ROOM.allows(a_formula_that_is_nested=lambda: result(_deep(118), 1.0).expr)

# --- index notation -------------------------------------------------------------------------------


def named_leaves() -> Any:
    """Multiply a number that is named k and a matrix."""
    k, a = tf.constant(2.0, name="k"), tf.constant(np.eye(2, dtype=np.float32), name="a")
    HELD[:] = [k, a]
    with tf.GradientTape() as tape:
        tape.watch(HELD)
        return k * a


ROOM.refuses(
    too_few_indices=lambda: result(lambda a: a * 2.0, TWO).index_expr(0),
    an_index_that_is_a_leaf=lambda: named_leaves().index_expr(*sp.symbols("k j")),
    an_index_that_is_nothing=lambda: result(tf.sin, [1.0, 2.0]).index_expr(None),
    an_index_that_is_a_relation=lambda: result(tf.sin, [1.0, 2.0]).index_expr(sp.true),
    functions_that_latex_does_not_know=lambda: result(tf.sin, [1.0]).latex(functions="short"),
    a_layout_that_is_not_known=lambda: result(tf.sin, [1.0]).latex(layout="mixed"),
    a_layout_of_what_is_no_derivative=lambda: result(tf.sin, [1.0]).latex(layout="numerator"),
    an_environment_that_is_not_known=lambda: result(tf.sin, [1.0]).latex(environment="gather"),
    steps_in_an_environment=lambda: result(tf.sin, [1.0]).latex("steps", environment="align"),
    lines_without_room=lambda: result(tf.sin, [1.0]).latex(environment="align", width=0),
    a_vector_that_is_said_to_be_symmetric=lambda: named_matrix().text(symmetric=["x"]),
    a_matrix_that_is_not_symmetric=lambda: named_matrix().text(symmetric=["A"]),
    a_symmetric_leaf_that_is_not_there=lambda: named_matrix().text(symmetric=["Q"]),
    a_symmetric_leaf_in_indices=lambda: named_matrix().latex("index", symmetric=["A"]),
    an_index_past_the_end=lambda: result(tf.sin, [1.0, 2.0]).index_expr(2),
    an_index_before_the_start=lambda: result(tf.sin, [1.0, 2.0]).index_expr(-1),
    an_index_that_is_no_whole_number=lambda: result(tf.sin, [1.0, 2.0]).index_expr(0.5),
    an_index_that_is_a_call=lambda: result(tf.sin, [1.0, 2.0]).index_expr("print(1)"),
    an_index_that_is_no_text=lambda: result(tf.sin, [1.0, 2.0]).index_expr("("),
    an_extremum_of_many=indexed(tf.reduce_max, np.ones(1000)),
    an_extremum_of_many_segments=indexed(
        lambda x: tf.math.segment_max(x, np.zeros(1000, np.int64)), np.arange(1000.0)
    ),
    a_sum_over_segments=indexed(
        lambda x: tf.reduce_sum(tf.math.unsorted_segment_max(x, [0, 0, 2], 3)), [1.0, 2.0, 3.0]
    ),
)
ROOM.allows(
    an_index_by_its_name=lambda: result(tf.sin, [1.0, 2.0]).index_expr("k"),
    an_index_that_is_a_number=lambda: result(tf.sin, [1.0, 2.0]).index_expr(1),
    eigenvalues_of_what_is_no_leaf=indexed(lambda a: tf.linalg.eigvalsh(a @ a), FIVE),
    indices_of_their_own=lambda: result(lambda a: a * 2.0, TWO).index_expr(*sp.symbols("k j")),
)

# --- subscripts and names -------------------------------------------------------------------------


def parsed(text: str, *ranks: int) -> Call:
    """Read the subscripts of operands of some ranks."""
    return lambda: subscripts.parse(text, ranks)


ROOM.refuses(
    subscripts_for_another_number_of_operands=parsed("ij,jk->ik", 2),
    a_subscript_in_no_operand=parsed("ij->ijk", 2),
    subscripts_in_no_operand_of_which_the_first_is_named=parsed("i->zki", 1),
    subscripts_that_are_digits=parsed("i1->i", 2),
    subscripts_with_two_ellipses=parsed("...i...->i", 3),
    subscripts_of_a_result_that_are_digits=parsed("i->1", 1),
    subscripts_of_too_few_axes=parsed("ijk->i", 2),
    subscripts_of_too_many_axes=parsed("ij->i", 3),
    subscripts_of_fewer_axes_than_beside_the_dots=parsed("ij...->i", 1),
    a_scalar_function_that_is_not_defined=lambda: kind_named("sinus"),
    a_slope_by_an_argument_that_is_not_there=lambda: KINDS["sigmoid"](sp.Symbol("x")).fdiff(2),
)
ROOM.allows(
    subscripts_of_no_more_axes_than_letters=parsed("ij...->i", 2),
    subscripts_with_blanks=parsed("i j -> j", 2),
    a_slope_by_the_last_argument=lambda: KINDS["sigmoid"](sp.Symbol("x")).fdiff(1),
)
