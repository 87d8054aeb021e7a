"""What formulas refuse that are typed: no formula, no meaning, or values that do not fit."""

from __future__ import annotations

from typing import Any

import symtape as tf
from tests.refusals.room import Call, Room

ROOM = Room("text")


def derived(text: str, wrt: str | None = "x", notation: str | None = None, **how: Any) -> Call:
    """Derive a text by a variable."""
    return lambda: tf.differentiate(text, wrt, notation=notation, **how)


def matrix(text: str, **how: Any) -> Call:
    """Derive by x in the notation of matrices."""
    return derived(text, "x", "matrix", **how)


def python(text: str, **how: Any) -> Call:
    """Derive by x in Python's notation."""
    return derived(text, "x", "python", **how)


ROOM.refuses(
    no_text=derived(None),
    two_meanings=derived("A*x"),
    another_notation=derived("x", notation="tex"),
    nothing=derived(""),
    a_bracket_too_few=derived("norm2(A*x - )"),
    a_sign_that_there_is_not=matrix("x ? y"),
    a_power_of_powers=matrix("x^y^z"),
    no_variables=derived("2"),
    too_many_characters=derived("x" * 20001),
    too_many_parts=derived("+".join(["x"] * 5000)),
    too_deep=derived("exp(" * 40 + "x" + ")" * 40),
    what_is_no_function=python("x[0](y)"),
    an_argument_twice=python("np.sum(x, axis=None, axis=0)"),
    an_option_that_is_a_word=python("np.sum(x, axis=y)"),
    no_whole_number=python("x[1.5]"),
    a_number_above_floats=matrix("1e999*x"),
    a_number_below_floats=matrix("x + 1e-400*y"),
    a_number_between_floats=derived("a^9007199254740993"),
)
ROOM.allows(
    the_deepest=derived("sum(" + "exp(" * 38 + "x" + ")" * 39),
    the_most_parts=derived("sum(" + "+".join(["x"] * 50) + ")"),
    a_float=derived("sum(x)^2"),
)

ROOM.refuses(
    options_of_a_function=python("np.exp(x, axis=0)"),
    two_arguments_for_one=python("np.exp(x, y)"),
    one_argument_for_two=python("np.dot(x)"),
    rows_that_python_adds=python("sum(A) @ x"),
    a_diagonal_matrix_of_each_row=python("tf.linalg.diag(A) @ x"),
    a_softmax_of_a_matrix=python("scipy.special.softmax(A) @ x"),
    numbers_of_one_entry=matrix("x'*range(1)"),
    numbers_that_a_variable_counts=derived("range(A x)ᵀ x"),
    numbers_of_another_count=derived("range(5)ᵀ x + range(4)ᵀ x"),
    numbers_from_another_on=python("np.arange(1, 5) @ x"),
    a_reduction_with_another_option=python("np.sum(x, dtype=3)"),
    an_axis_that_there_is_not=python("np.sum(x, axis=1)"),
    an_unknown_function=python("torch.sum(x)"),
    a_scalar_and_a_column=matrix("x'*x + x"),
    a_quotient_of_matrices=matrix("A / B"),
    a_power_of_a_column=matrix("A^x"),
    a_broken_power=matrix("A^1.5 * x"),
    a_power_of_21=matrix("A^21 * x"),
    two_arguments=matrix("exp(x, y)"),
    a_shape_of_three_axes=derived("sum(x)", shapes={"x": ["k", "m", "n"]}),
)
ROOM.allows(a_power_of_20=matrix("sum(A^20 * x)"), a_quotient=matrix("sum(x) / 2"))

ROOM.refuses(
    a_size_of_zero=derived("sum(x)", shapes={"x": [0]}),
    a_size_of_a_variable=matrix("sum(A*x)", shapes={"A": ["x", "n"]}),
    a_shape_of_what_does_not_occur=derived("sum(x)", shapes={"z": [2]}),
    no_variable_to_derive_by=derived("x'*y", None),
    a_variable_that_does_not_occur=derived("x'*y", "z"),
    an_empty_name=derived("sum(x)", ""),
    which_is_a_scalar=matrix("x*y"),
    a_matrix_that_is_not_square=derived("sum(x)", shapes={"x": [3]}, symmetric=["x"]),
    an_order_of_0=derived("sum(x)", order=0),
    an_order_of_5=derived("sum(x)", order=5),
    an_order_that_is_true=derived("sum(x)", order=True),
    sizes_that_do_not_fit=matrix("A*x", shapes={"A": [2, 3], "x": [4]}),
    too_large_a_variable=derived("sum(x)", shapes={"x": [10**9]}),
    too_large_a_derivative=derived("x.*x", shapes={"x": [4000]}),
    a_singular_matrix=matrix("inv(x*x')*x"),
)
ROOM.allows(an_order_of_4=derived("x'*x", order=4), an_order_of_1=derived("x'*x", order=1))

ROOM.refuses(
    no_value=derived("x'*y", at={"x": [1.0]}),
    a_value_of_what_does_not_occur=derived("x'*x", at={"x": [1.0], "z": 2.0}),
    a_value_of_another_rank=derived("sum(x)", at={"x": 1.0}),
    a_value_of_another_size=derived("x'*y", at={"x": [1.0], "y": [1.0, 2.0]}),
    a_value_of_another_told_size=derived("sum(x)", shapes={"x": [3]}, at={"x": [1.0, 2.0]}),
    a_value_that_is_not_symmetric=derived(
        "tr(S)", "S", symmetric=["S"], at={"S": [[1.0, 2.0], [3.0, 4.0]]}
    ),
    a_size_that_no_value_tells=derived("sum(vector(1)) * c", "c", "matrix", at={"c": 1.0}),
    rows_of_two_lengths=derived("sum(x)", at={"x": [[1.0], [2.0, 3.0]]}),
    a_value_of_nothing=derived("sum(x)", at={"x": [None]}),
    a_value_above_floats=derived("sum(x)", at={"x": [10**400]}),
)


# --- what a part is called that does not fit ------------------------------------------------------

ROOM.refuses(
    an_axis_that_is_none_of_a_vector=python("np.sum(x, axis=3)"),
    an_axis_that_is_none_of_a_matrix=python("np.sum(A @ x) * np.sum(np.sum(A, axis=2))"),
    a_vector_and_a_scalar=python("np.sum((x @ x) @ x)"),
    a_matrix_and_a_scalar=python("np.sum((A @ A) @ np.trace(A)) * np.sum(A @ x)"),
    an_inverse_of_a_vector=python("np.sum(np.linalg.inv(x))"),
    a_vector_whose_value_is_a_number=python("np.sum(x)", at={"x": 3.0}),
    a_matrix_whose_value_is_a_vector=python("np.sum(A @ x)", at={"x": [1.0], "A": [1.0]}),
)

# --- functions of arrays --------------------------------------------------------------------------

SHAPES = {"A": ["m", "n"], "x": ["n"]}

ROOM.refuses(
    an_outer_product_of_a_matrix=python("np.sum(np.outer(A, x))", shapes=SHAPES),
    an_inner_product_of_matrices=python("np.sum(np.inner(A, A)) * np.sum(x)", shapes=SHAPES),
    a_product_of_a_scalar=python("np.matmul(np.sum(A), x) @ x", shapes=SHAPES),
    a_norm_of_nothing=python("np.linalg.norm() * np.sum(x)"),
    a_norm_with_two_orders=python("np.linalg.norm(x, 1, 2)"),
    a_norm_with_another_option=python("np.linalg.norm(x, dtype=2)"),
    a_norm_of_another_order=python("np.linalg.norm(x, 3)"),
    a_norm_of_singular_values_along_an_axis=python(
        "np.sum(np.linalg.norm(A, 'nuc', keepdims=True)) * np.sum(x)", shapes=SHAPES
    ),
    a_running_sum_of_two=python("np.sum(np.cumsum(x, x))"),
    a_running_sum_with_another_option=python("np.sum(np.cumsum(x, dtype=3))"),
    a_running_sum_of_a_matrix_as_a_whole=python("np.sum(np.cumsum(A)) * np.sum(x)", shapes=SHAPES),
    an_einsum_without_subscripts=python("np.einsum(x, x)"),
    an_einsum_with_an_option=python("np.einsum('i,i->', x, x, optimize=1)"),
    an_einsum_of_numbers=python("np.einsum('1,1->', x, x)"),
    an_einsum_of_other_axes=python("np.einsum('ij,j->i', x, x) @ x", shapes={"x": ["n"]}),
    an_einsum_with_another_result=python("np.einsum('i,i->j', x, x) @ x"),
    a_name_that_python_keeps=python("np.sum(x) * True"),
    a_place_that_is_a_name=python("np.sum(x[y])"),
    an_axis_that_is_a_name=python("np.sum(x[:, np.axis])"),
    a_unit_matrix_that_is_called=matrix("sum(eye(2)*x)"),
)
ROOM.allows(
    a_norm_of_singular_values=python("np.linalg.norm(A, 'nuc') * np.sum(x)", shapes=SHAPES),
    a_norm_of_rows=python("np.sum(np.linalg.norm(A, axis=1)) * np.sum(x)", shapes=SHAPES),
    an_outer_product=python("np.sum(np.outer(x, x))"),
    an_einsum_without_an_arrow=python("np.einsum('i,i', x, x)"),
)


# --- signs of paper -------------------------------------------------------------------------------

SIGNS = {
    "minus": "x − y", "dash": "x \N{EN DASH} y", "times": "x × y", "dot": "x · y",
    "prime": "x\N{RIGHT SINGLE QUOTATION MARK} y",
    "inverse": "A⁻x", "quotient": "x ÷ 2", "sum": "∑ x", "ones": "𝟏",
}  # fmt: skip

ROOM.refuses(**{f"sign_of_{name.replace(' ', '_')}": derived(t) for name, t in SIGNS.items()})


# --- sums over an index ---------------------------------------------------------------------------


def tex(text: str, **how: Any) -> Call:
    """Derive LaTeX by x."""
    return derived(text, "x", "latex", **how)


ROOM.refuses(
    a_term_behind_a_sum=tex(r"\sum_i x_i + y_i"),
    an_index_that_counts=tex(r"\sum_i i x_i"),
    one_of_all_rows=tex(r"\sum_i x_i x_j"),
    a_mean_of_all_rows=tex(r"\sum_i (x_i - \bar x)^2"),
    two_indices_below=tex(r"\sum_i A_{ij} x_i"),
    a_sum_from_below_0=tex(r"\sum_{i=1}^n x_i x_{i-2}"),
    a_sum_to_one_before=tex(r"\sum_{i=1}^{n-1} x_i"),
    a_sum_to_two_letters=tex(r"\sum_{i=1}^{n-1} x_{i+1} + \sum_{j=2}^m x_{j-1}"),
    a_sum_of_nothing=tex(r"\sum_{i=4}^3 x_i"),
    a_row_before_of_no_sum=tex("x_{t-1}^2"),
    a_row_before_beside_components=tex(r"\|x\|^2 + \sum_i x_i z_{t-1}"),
    a_unit_matrix_that_is_shifted=tex(r"\sum_{i=1}^n \sum_{j=1}^n \delta_{i,j-1} x_i x_j"),
    a_sum_without_its_index=tex(r"\sum_i y"),
    columns_in_a_sum_over_components=tex(r"\sum_i \sum_j \|x_i - y_j\|^2"),
    an_index_without_a_sum=tex(r"\sum_{i,j} A_{ik} x_i"),
    a_letter_with_one_index_and_two=tex(r"\sum_{i,j} x_{ij} x_i"),
    a_sum_of_matrices=tex(r"\sum_i \operatorname{tr}(A_i B)"),
    rows_of_two_numbers=tex(r"\sum_{i=1}^n x_i + \sum_{j=1}^m x_j"),
    a_sum_below_a_slash=tex(r"a/\sum_i x_i"),
    a_product_that_ends_without_its_index=tex(r"\prod_i x_i y"),
    a_product_of_pairs=tex(r"\prod_{i<j} x_i"),
    a_product_without_its_index=tex(r"\prod_i (y)"),
    a_row_of_two_arrays=tex(r"\sum_i x_i", shapes={"x": [3], "X": [3, 2]}),
)
ROOM.refuses(
    rows_of_other_lengths=tex(r"\begin{pmatrix} x & y \\ x \end{pmatrix}"),
    rows_in_rows=matrix("[[x, y]]"),
    blocks_of_other_heights=tex(r"[A, x]", shapes={"A": [2, 3], "x": [3]}),
    zeros_of_any_number=tex(r"\begin{pmatrix} A \\ 0 \end{pmatrix}", shapes={"A": [2, 3]}),
    sizes_that_are_added_up=matrix("[x; y]", shapes={"x": ["n"], "y": ["m"]}),
    an_entry_behind_the_last=tex("x_3", shapes={"x": [2]}),
    an_entry_before_the_first=tex("x_0", shapes={"x": [2]}),
    an_entry_of_one_axis_of_two=tex("x_1", shapes={"x": [2, 2]}),
    a_place_of_a_number=tex("x[0]", shapes={"x": []}),
    arguments_of_a_letter=tex("f(x, y)"),
    a_sign_between_rows=tex(r"\sin(x; y)"),
    a_list_of_two_shapes=python("[x[0], x]"),
    a_list_of_matrices=python("[A @ A, A]", shapes={"A": [2, 2]}),
    an_axis_behind_those_of_a_list=python("np.stack([x, x], axis=2)"),
    an_axis_that_numbers_lack=python("np.concatenate([x[0], x[1]])"),
    an_array_for_a_list=python("np.stack(x)"),
    a_division_by_0=python("x / 0"),
    a_quotient_of_numbers_by_0=python("x * (1 / 0)"),
    a_root_of_a_negative_number=tex(r"\sqrt{-1} x"),
    a_power_above_floats=tex("10^{400} x"),
    a_logarithm_of_0=python("np.log(0) * x"),
)
ROOM.allows(
    a_matrix_of_rows=tex(r"\begin{pmatrix} x & y \\ y & x \end{pmatrix}"),
    blocks_with_zeros=tex("[A, 0; 0, x]", shapes={"A": [2, 3], "x": [3]}),
    the_last_entry=tex("x_2", shapes={"x": [2]}),
    an_entry_of_a_matrix=tex("x_{21}", shapes={"x": [2, 2]}),
    a_list=python("[x[0], x[1]]"),
    a_row_before=tex(r"\sum_{i=1}^n x_i x_{i-1}"),
    a_sum_to_the_last=tex(r"\sum_{i=1}^{n-1} x_{i+1}"),
)
ROOM.allows(
    a_term_in_parentheses=tex(r"\sum_i (x_i + y_i)"),
    a_letter_with_a_hat=tex(r"\sum_i (x_i - \hat{x})^2"),
    rows_of_a_number=tex(r"\sum_{i=1}^n x_i + \sum_{j=1}^n x_j"),
    a_product=tex(r"y\prod_{i=1}^n x_i"),
    two_indices_of_a_sum=tex(r"\sum_{i,j} A_{ij} x_i x_j"),
    a_row_of_one_array=tex(r"\sum_i x_i", shapes={"x": [3]}),
)

# --- what may be of a matrix, or of its entries ---------------------------------------------------

ROOM.refuses(
    an_exponential_of_a_square_matrix=tex(r"x^\top \exp(A) x"),
    a_logarithm_of_a_square_matrix=tex(r"x^\top \log(A) x"),
    a_root_of_a_square_matrix=tex(r"x^\top \sqrt{A} x"),
    a_third_root_of_a_square_matrix=tex(r"x^\top \sqrt[3]{A} x"),
    a_softmax_of_rows_or_columns=tex(r"x^\top \operatorname{softmax}(A) x"),
    a_number_and_a_square_matrix=tex(r"x^\top (A + 1) x", shapes={"A": ["n", "n"]}),
    bars_of_a_matrix=tex(r"x^\top |A| x"),
    bars_of_a_column=tex(r"\|A |x|\|_2", shapes={"x": ["n"]}),
    a_norm_of_a_matrix=tex(r"\|A\| x^\top x"),
    a_prime_of_a_number=tex(r"\sigma(x)'", shapes={"x": []}),
    two_primes=tex(r"x''"),
    a_dot_before_a_product_of_entries=tex(r"\mathbf{y}\cdot\mathbf{x}\odot\mathbf{z}"),
    a_probability=tex(r"P(X > 0) x"),
    what_is_compared=tex(r"x > 0"),
    a_degree=tex(r"90^\circ x"),
)
ROOM.allows(
    an_exponential_of_entries=tex(r"x^\top \exp^{\odot}(A) x"),
    an_exponential_of_what_is_not_square=tex(r"\|\exp(A) x\|", shapes={"A": ["m", "n"]}),
    a_root_of_entries=tex(r"x^\top A^{\odot 1/2} x"),
    a_matrix_and_its_unit=tex(r"x^\top (A + I) x"),
    a_determinant_in_bars=tex(r"\log|\mathbf{A}| + \mathbf{x}^\top \mathbf{x}"),
    what_is_true=tex(r"\mathbf{1}[x > 0] x"),
)

# --- what is written otherwise --------------------------------------------------------------------

ROOM.refuses(
    bars=derived("|x|"),
    a_backslash=matrix("A\\x"),
    an_equation=matrix("y = x"),
    a_power_of_python=matrix("x**2"),
    a_power_of_matrices=python("x^2"),
    a_choice=python("x if x > 0 else 0"),
    neighbours=matrix("2x"),
    a_base_e=derived("e^x"),
    a_transpose_by_t=matrix("A^T*x"),
    an_inner_product_by_its_name=matrix("dot(x, y)"),
    differences_of_a_matrix=python("np.diff(A) @ x"),
)
