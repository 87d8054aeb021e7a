"""Which of many alike are tried in a run of a few minutes; with `SYMTAPE_ALL` in it, all are."""

from __future__ import annotations

import os
import traceback
from collections.abc import Callable, Iterable, Sequence
from typing import Any

ALL = bool(os.environ.get("SYMTAPE_ALL"))


LONG = {
    "tests/peers/test_answers_tensorflow.py": [
        "test_tensorflow_answers_as_recorded[drawn_windows approximate order 0]",
        "test_tensorflow_answers_as_recorded[dtensor clients 8]",
    ],
    "tests/peers/test_c_backend.py": [
        "test_every_case_and_its_gradient[0]",
        "test_single_precision",
    ],
    "tests/peers/test_data_keras.py": ["test_a_seeded_fit_has_tensorflows_losses"],
    "tests/peers/test_data_tensorflow.py": ["test_a_random_pipeline_is_tensorflows"],
    "tests/peers/test_from_jax.py": ["test_zeta_has_jaxs_derivative_by_its_exponent"],
    "tests/peers/test_from_torch.py": [
        "test_digits_that_single_precision_cancels_are_no_wrong_value[interpolate]"
    ],
    "tests/peers/test_functions_jax.py": ["test_hessians_are_those_of_jax[network]"],
    "tests/peers/test_judged_frameworks.py": [
        "test_right_ones_are_accepted_and_no_wrong_one_is[torch: rms norm]"
    ],
    "tests/peers/test_keras_itself.py": [
        "test_a_checkpoint_waits_for_layers_that_are_not_built",
        "test_training_goes_on_where_it_was_saved",
        "test_weights_travel_between_both",
    ],
    "tests/peers/test_probability.py": ["test_programs_give_what_they_give_with_tensorflow"],
    "tests/peers/test_training_keras.py": ["test_keras_trains_and_restores_as_on_tensorflow"],
    "tests/peers/test_verify_frameworks.py": [
        "test_a_cause_names_the_operand_and_not_its_place",
        "test_functions_of_jax_take_arrays_of_numpy",
        "test_gradients_by_a_dictionary_of_parameters[squares0]",
        "test_right_ones_are_accepted[torch jvp]",
    ],
    "tests/peers/test_verify_hidden.py": [
        "test_a_forward_whose_formula_strays_is_measured[a search]",
        "test_gradients_are_asked_for_by_what_is_judged_alone",
    ],
    "tests/test_index_parts.py": [
        "test_parts_hold_for_any_size[attention by keys]",
        "test_parts_of_every_operation_hold[qr of a wide matrix]",
    ],
    "tests/test_judged.py": ["test_the_judge_accepts_what_is_right_alone[['three link arm']]"],
    "tests/test_matrix_notation.py": [
        "test_what_exponentials_are_divided_by_cancels_in_a_long_formula",
        "test_what_is_written_holds[rgb_to_hsv]",
    ],
    "tests/test_merged_factors.py": [
        "test_a_slope_has_no_more_factors_than_it_needs[a Laplacian of parts]"
    ],
    "tests/test_named_parts.py": [
        "test_what_is_too_long_as_a_whole_has_parts[composed]",
        "test_what_is_too_long_as_a_whole_has_parts[recurrent]",
    ],
    "tests/test_notation_latex.py": ["test_a_derivative_is_derived_again[x'*A*x/(x'*x)]"],
    "tests/test_scalar_functions.py": ["test_a_slope_is_that_of_the_definition[inverse_box_cox1p]"],
    "tests/test_sizes.py": ["test_terms_have_one_order_at_all_sizes[overlap]"],
    "tests/test_told.py": [
        "test_what_is_told_is_told_in_these_words[edit: slips with a quotient]",
        "test_what_is_told_is_told_in_these_words[form: a lower triangle twice]",
        "test_what_is_told_is_told_in_these_words[form: a softmax of functions of some]",
    ],
    "tests/test_verify.py": ["test_what_a_machine_does_besides_is_no_time_of_a_candidate"],
    "tests/test_verify_causes.py": [
        "test_a_bound_of_the_function_that_a_candidate_forgets_is_told"
    ],
    "tests/test_verify_points.py": [
        "test_a_function_that_does_not_end_elsewhere_is_judged_where_it_does[1.0]"
    ],
    "tests/test_verify_sizes.py": ["test_a_size_of_any_axis_is_looked_at"],
}
"""Tests that take five seconds and more, most of them beside shorter ones, as pytest names them.

They wait for `SYMTAPE_ALL`, or for somebody who names them.
"""


def some(rows: Sequence[Any], every: int, first: int = 0) -> Sequence[Any]:
    """Choose every so many-th of some rows, from one of them on.

    Judges of one table begin at different rows, so that together they see more.

    >>> some(range(10), 4, 1) if not ALL else [1, 5, 9]
    [1, 5, 9]
    """
    return rows if ALL else [*rows[first::every]]


def batches(rows: Iterable[Any], size: int = 16) -> list[list[Any]]:
    """Put the rows of a table together that a test tries, where each takes less than a test costs.

    >>> batches("abcde", 2)
    [['a', 'b'], ['c', 'd'], ['e']]
    """
    kept = list(rows)
    return [kept[k : k + size] for k in range(0, len(kept), size)]


def all_hold(judge: Callable[[Any], None], rows: Iterable[Any]) -> None:
    """Try every row of a batch, and fail with the names of all that do not hold."""
    failures: dict[Any, str] = {}
    for row in rows:
        try:
            judge(row)
        except Exception as error:  # noqa: BLE001 - whatever a row fails with
            failures[row] = "".join(traceback.format_exception(error, limit=-3))
    told = "\n".join(f"{row}:\n{text}" for row, text in failures.items())
    assert not failures, f"{len(failures)} rows do not hold\n{told}"
