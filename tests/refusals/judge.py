"""What the judge of derivatives refuses: questions that are none, and answers that are none."""

from __future__ import annotations

from typing import Any

import numpy as np
import sympy as sp

import symtape as tf
from symtape import verify
from symtape.errors import SymtapeError
from tests.refusals.room import Call, Room

ROOM = Room("judge")
X = np.array([1.0, 2.0])


def weighted(x: Any, y: Any) -> Any:
    """Give a number that depends on two inputs."""
    return tf.reduce_sum(x * x * y)


def gradients(x: Any, y: Any) -> Any:
    """Give the gradients."""
    return 2 * x * y, x * x


def square(x: Any) -> Any:
    """Give a number."""
    return tf.reduce_sum(x * x)


def question(kind: str, f: Any, *inputs: Any, by: Any = gradients, **how: Any) -> Call:
    """Ask about a candidate."""
    return lambda: getattr(verify, kind)(f, by, *inputs, **how)


ROOM.refuses(
    no_function=question("gradient", 3.0, X),
    a_vector_for_a_number=question("gradient", tf.square, X),
    a_hessian_of_a_vector=question("hessian", tf.square, X),
    a_jacobian_of_two_results=question("jacobian", lambda x: (x, x), X),
    a_hessian_by_two=question("hessian", weighted, X, X),
    a_name_that_is_no_input=question("gradient", weighted, X, X, wrt="z"),
    a_place_that_is_no_input=question("gradient", weighted, X, X, wrt=[2]),
    a_domain_that_there_is_not=question("gradient", square, X, domain={"x": "negative"}),
    a_domain_of_no_input=question("gradient", square, X, domain={"z": "positive"}),
    a_text_of_no_input=question("gradient", square, X, by="2*z"),
    a_text_that_is_no_formula=question("gradient", square, X, by="2*"),
    a_command_that_there_is_not=question("gradient", square, X, by=r"\input{x}"),
    latex_that_ends_early=question("gradient", square, X, by=r"x \odot"),
    an_inverse_by_a_power=question("gradient", square, X, by=r"\sin^{-1}(x)"),
    a_power_that_is_a_sign=question("gradient", square, X, by=r"e^\top x"),
    latex_of_no_input=question("gradient", square, X, by=r"2 \odot z"),
    an_expression_of_no_input=question("gradient", square, X, by=2 * sp.Symbol("z")),
    a_thing=question("gradient", square, X, by=object()),
    a_black_box_by_complex_numbers=question(
        "gradient", lambda z: float(np.sum(np.abs(np.asarray(z)) ** 2)), X + 1j, by=lambda z: 2 * z
    ),
    a_black_box_that_is_a_vector=question(
        "gradient", lambda x: np.sort(np.asarray(x)) ** 2, X, by=lambda x: x
    ),
    no_example=question("gradient", square, by=lambda x: 2 * x),
    one_domain_for_all=question("gradient", square, X, by=lambda x: 2 * x, domain="positive"),
    no_time=question("gradient", square, X, by=lambda x: 2 * x, seconds=-1),
    time_in_words=question("gradient", square, X, by=lambda x: 2 * x, seconds="long"),
    a_hessian_of_a_black_box_by_two=question(
        "hessian", lambda x, y: float(np.sum(np.sort(np.asarray(x) * np.asarray(y)))), X, X
    ),
)
ROOM.allows(
    a_place_that_is_an_input=question("gradient", weighted, X, X, by=lambda x, y: x * x, wrt=[1]),
    a_domain=question("gradient", square, X, by=lambda x: 2 * x, domain={"x": "positive"}),
)


def answers(candidate: Any, f: Any = weighted, *inputs: Any) -> Call:
    """Raise the cause for which an answer is refuted."""

    def ask() -> None:
        report = verify.gradient(f, candidate, *(inputs or (X, X)))
        if not report.ok:
            raise SymtapeError(report.cause)

    return ask


def failing(x: Any, y: Any) -> Any:
    """Raise."""
    raise KeyError("w")


def failing_without_a_word(x: Any, y: Any) -> Any:
    """Raise without a text."""
    raise KeyError


def changing(x: Any, y: Any) -> Any:
    """Write into an input."""
    x[0] += 1.0
    return gradients(x, y)


ROOM.refuses(
    other_names=answers(lambda x, y: {"x": 2 * x * y, "z": x * x}),
    a_number_for_two_results=answers(lambda x, y: 5.0),
    a_text_for_two_results=answers(lambda x, y: "a"),
    nothing_for_two_results=answers(lambda x, y: None),
    three_results_for_two=answers(lambda x, y: (x, y, x)),
    one_result_for_two=answers(lambda x, y: (x,)),
    nothing_for_one_result=answers(lambda x, y: (2 * x * y, None)),
    complex_numbers=answers(lambda x, y: (2 * x * y + 0j, x * x)),
    fewer_digits=answers(lambda x, y: (2 * x * y, (x * x).astype("f4"))),
    texts=answers(lambda x, y: (np.array(["a", "b"]), y)),
    another_shape=answers(lambda x, y: (np.ones(3), x * x)),
    what_fails=answers(failing),
    what_fails_without_a_word=answers(failing_without_a_word),
    what_writes_into_an_input=answers(changing),
)
ROOM.allows(
    results_by_name=answers(lambda x, y: {"y": x * x, "x": 2 * x * y}),
    results_and_nothing=answers(lambda x, y: (2 * x * y, x * x, None)),
    lists=answers(lambda x, y: [(2 * x * y).tolist(), (x * x).tolist()]),
)
