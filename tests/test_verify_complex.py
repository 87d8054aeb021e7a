"""Candidates for derivatives by complex numbers, and of complex numbers: at edges, ties and kinks.

Those that are right are the formulas of papers, conjugated as TensorFlow does it: of real L by z it
is 2 ∂L/∂z̄.
"""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import symtape as tf
from symtape import verify

Z = np.array([0.5 + 0.3j, -1.0 + 2.0j, 0.2 - 0.7j])
T = np.array([0.5, -1.0, 2.0])
SYSTEM = np.array([[3 - 2j, 0.1j, 1.0], [0.5, 2 + 1j, -1j], [0.3j, 0.2, 4.0]])


def power(z):
    """Add up squares of sizes."""
    return tf.reduce_sum(tf.abs(z) ** 2)


def size(z):
    """Add up sizes."""
    return tf.reduce_sum(tf.abs(z))


def sign(z, at_zero):
    """Divide by sizes, and give a number where there is none."""
    return np.where(z == 0, at_zero, z / np.where(z == 0, 1, np.abs(z)))


def real_square(z):
    """Add up squares of real parts."""
    return tf.reduce_sum(tf.math.real(z) ** 2)


def turn(t):
    """Turn the unit by angles."""
    return tf.exp(tf.complex(tf.zeros_like(t), t))


def sides(t):
    """Give a complex number whose parts have a kink at zero."""
    return tf.complex(tf.nn.relu(t), 2 * tf.nn.relu(-t))


def solution(m, b):
    """Solve a system."""
    return tf.linalg.solve(m, b[:, None])[:, 0]


def of_solution(m, b, u):
    """Give the textbook's vjp of a solution."""
    x, adjoint = np.linalg.solve(m, b), np.linalg.solve(m.conj().T, u)
    return -np.outer(adjoint, x.conj()), adjoint


def of_sides(t, d):
    """Give the slope of each part at its own side."""
    return np.where(t > 0, d, 0) - 2j * np.where(t < 0, d, 0)


RIGHT = {
    "of squares": ("gradient", power, lambda z: 2 * z, [Z]),
    "of squares, by parts": ("gradient", power, lambda z: 2 * z.real + 2j * z.imag, [Z]),
    "of single precision": ("gradient", power, lambda z: 2 * z, [Z.astype("complex64")]),
    "a phase": ("gradient", size, lambda z: np.exp(1j * np.angle(z)), [Z]),
    "a sign": ("gradient", size, lambda z: sign(z, 0), [Z]),
    "of a real part": ("gradient", real_square, lambda z: 2 * z.real + 0j, [Z]),
    "of a system": ("vjp", solution, of_solution, [SYSTEM, Z]),
    "of real numbers": ("vjp", turn, lambda t, u: np.real(u * np.conj(1j * np.exp(1j * t))), [T]),
    "a tangent": ("jvp", turn, lambda t, d: d * 1j * np.exp(1j * t), [T]),
    "a tangent at kinks": ("jvp", sides, of_sides, [T]),
}  # fmt: skip

WRONG = {
    "clips": ("gradient", power, lambda z: 2 * z.real + 2j * np.clip(z.imag, -40, 40), [Z]),
    "clips sizes": ("gradient", power, lambda z: np.where(np.abs(z) > 100, 0, 2 * z), [Z]),
    "on the axis": ("gradient", power, lambda z: np.where(z.imag == 0, z, 2 * z), [Z]),
    "at ties": ("gradient", power, lambda z: 2 * z if len({*z.tolist()}) == len(z) else z, [Z]),
    "at zero": ("gradient", size, lambda z: sign(z, 3j), [Z]),
    "not real": ("gradient", real_square, lambda z: 2 * z, [Z]),
    "not adjoint": ("vjp", solution, lambda m, b, u: of_solution(m.conj(), b, u), [SYSTEM, Z]),
    "not conjugated": ("vjp", turn, lambda t, u: np.real(u * 1j * np.exp(1j * t)), [T]),
    "at a kink": ("jvp", sides, lambda t, d: of_sides(t, d) + np.where(t == 0, 5j, 0), [T]),
    "at one number": ("jvp", turn, lambda t, d: d * 1j * np.exp(1j * t) + 1j * (t == 3.5), [T]),
}  # fmt: skip


def judged(kind, function, candidate, inputs, **options):
    """Judge, where a number that loses its imaginary part is an error."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return getattr(verify, kind)(function, candidate, *inputs, **options)


@pytest.mark.parametrize("name", RIGHT)
def test_right_ones_are_accepted(name):
    """Other formulas for the same numbers are right."""
    report = judged(*RIGHT[name])
    assert report.ok, report


@pytest.mark.parametrize("name", WRONG)
def test_wrong_ones_are_refuted(name):
    """What is wrong at few numbers alone is found."""
    report = judged(*WRONG[name])
    assert report.verdict == "refuted", report


def test_a_line_is_told_that_is_right_in_both_parts():
    """A line that gives the real part of the truth is no repair."""
    assert "transposed" not in judged(*WRONG["not real"]).cause


def test_the_real_part_is_told_where_it_is_meant():
    """Complex numbers for an input of real ones are no derivative by it."""
    words = "the candidate gives complex numbers for t"
    right, wrong = (
        judged("vjp", turn, lambda t, u, s=s: s * u * np.conj(1j * np.exp(1j * t)), [T])
        for s in (1, 2)
    )
    assert right.cause == f"{words}, whose derivative is real: it is their real part"
    assert wrong.cause == words


@pytest.mark.parametrize("kind", ["positive", "unit"])
def test_complex_numbers_have_no_side(kind):
    """A domain that is an order is refused, and told with those that there are."""
    with pytest.raises(ValueError, match="z has complex numbers, which have no order: its domain"):
        verify.gradient(power, lambda z: 2 * z, Z, domain={"z": kind})


def test_complex_numbers_stay_near_the_example():
    """What is asked for is of the size of the example in both parts."""
    wrong = [
        lambda z: np.where(np.abs(z) > 50, 0, 2 * z),
        lambda z: np.where(np.abs(z) > 1, 0, 2 * z),
    ]
    reports = [judged("gradient", power, w, [Z], domain={"z": "near"}) for w in wrong]
    assert [r.ok for r in reports] == [True, False]
    assert reports[0].domain == {"z": "of the size of the example"}
    told = judged("gradient", size, lambda z: z / np.abs(z), [Z]).cause
    assert 'domain="near" for an input' in told


@pytest.mark.parametrize(("at_zero", "ok"), [(0.0, True), (2.0, False)])
def test_an_input_that_hides_a_slope_is_tried_elsewhere(at_zero, ok):
    """Of negative x relu(x) is nothing, whatever z is; a real and a complex input may be equal."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        report = verify.gradient(
            lambda z, x: tf.reduce_sum(tf.abs(z) * tf.nn.relu(x)),
            lambda z, x: (sign(z, at_zero) * np.maximum(x, 0), np.abs(z) * (x > 0)),
            Z,
            -np.abs(T),
        )
    assert report.ok is ok
