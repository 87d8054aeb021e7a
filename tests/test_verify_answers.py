# ruff: noqa: D103 - a candidate is described by its name
"""What a candidate may answer with: sparse arrays, operators, one array of several results."""

from __future__ import annotations

import re
from fractions import Fraction

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.sparse.linalg import LinearOperator, aslinearoperator

import symtape as tf
from symtape import verify

A = np.array([[1.0, 0.0, 2.0], [0.0, 3.0, 0.0]])
X = np.array([1.0, 2.0, 3.0])


def energy(x):
    return tf.reduce_sum((A @ x) ** 2)


def operator(x):
    return LinearOperator((3, 3), matvec=lambda v: 2 * A.T @ (A @ v), dtype=float)


CURVATURES = {
    "a sparse array": lambda x: sp.csr_array(2 * A.T @ A),
    "a sparse matrix": lambda x: 2 * sp.coo_matrix(A).T @ sp.coo_matrix(A),
    "an operator": operator,
    "an operator of a matrix": lambda x: aslinearoperator(2 * A.T @ A),
    "numbers that are no floats": lambda x: [
        [Fraction(int(y)) for y in row] for row in 2 * A.T @ A
    ],
}


@pytest.mark.parametrize("name", CURVATURES)
def test_a_second_derivative_may_be_what_scipy_takes(name):
    """It is compared with all its numbers, those that are zero among them."""
    assert verify.hessian(energy, CURVATURES[name], X).ok


def test_a_sparse_answer_that_is_wrong_has_its_line():
    """It is changed and run as others are."""
    report = verify.hessian(energy, lambda x: sp.csr_array(A.T @ A), X)
    assert report.verdict == "refuted"
    assert "is right with" in report.cause


def test_an_operator_that_raises_is_the_candidate():
    """What it raises is told as what the candidate raises."""

    def raising(v):
        raise ArithmeticError("no product")

    report = verify.hessian(
        energy, lambda x: LinearOperator((3, 3), matvec=raising, dtype=float), X
    )
    assert report.cause == "the candidate raised ArithmeticError: no product"


def test_one_array_may_hold_several_results():
    """As those of several numbers do, which are put into an array."""
    assert verify.gradient(lambda a, b: a * b, lambda a, b: np.array([b, a]), 2.0, 3.0).ok
    report = verify.gradient(lambda a, b: a * b, lambda a, b: np.array([a, b]), 2.0, 3.0)
    assert "results are exchanged" in report.cause
    report = verify.gradient(lambda a, b: a * b, lambda a, b: np.array([b, a, b]), 2.0, 3.0)
    assert "where 2 results are asked for" in report.cause


def test_a_candidate_that_takes_less_is_told_what_it_is_called_with():
    """Each result has a cotangent of its own."""
    report = verify.vjp(lambda a: (a, 2 * a), lambda a, u: u, X)
    assert report.cause.endswith("; it is called with a, upstream0, upstream1")


def test_what_keeps_adding_up_depends_on_calls():
    """It is another answer at each call, and never right again."""
    kept = {}

    def added_up(x):
        kept[x.shape] = kept.get(x.shape, 0) + 2 * x
        return kept[x.shape]

    report = verify.gradient(lambda x: tf.reduce_sum(x * x), added_up, X)
    assert report.cause.startswith("it gives other numbers for the same inputs"), report


@pytest.mark.parametrize(
    ("candidate", "is_noted"),
    [(lambda x, k: 3 * x**2, True), (lambda x, k: k * x ** (k - 1), False)],
)
def test_an_integer_that_is_written_in_is_noted(candidate, is_noted):
    """It chooses a program, and another one is tried at the example."""
    report = verify.gradient(lambda x, k: tf.reduce_sum(x**k), candidate, X, 3)
    assert report.ok
    assert ("it is right for k = 3, and wrong for k = 4" in report.notes) == is_noted


def test_a_quotient_that_has_no_value_at_zero_says_how_to_leave_zero_out():
    """A variance that is positive is stated so."""

    def scaled(v):
        return tf.reduce_sum(v * tf.exp(-X))

    def by_quotient(v):
        return np.sum(v * np.exp(-X)) / v

    report = verify.gradient(scaled, by_quotient, 1.3)
    assert 'domain="positive"' in report.cause
    assert verify.gradient(scaled, by_quotient, 1.3, domain={"v": "positive"}).ok


@pytest.mark.parametrize("formula", ["x + 1e-3", ["2*x"], {"x": "x**2"}, r"3 \odot x"])
def test_a_formula_has_no_line(formula):
    """What reads it is no source of its author's."""
    report = verify.gradient(lambda x: tf.reduce_sum(x * x) / 2, formula, X)
    assert report.verdict == "refuted"
    assert not re.search(r"line \d|compute|tensors", report.cause), report.cause
