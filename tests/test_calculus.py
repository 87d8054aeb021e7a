"""Derivatives of random programs: against differences, against each other, and exactly."""

from __future__ import annotations

from fractions import Fraction
from math import prod

import numpy as np
import pytest
import sympy as sp
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

import symtape as tf
from symtape.calculus.derive import gradient
from symtape.calculus.terms.expansion import LONGEST, monomial
from symtape.calculus.terms.jacobian import jacobian
from symtape.calculus.terms.places import Places
from symtape.calculus.terms.terms import Term, digits_of, like_terms_added, taken
from symtape.codegen.compile import Source
from symtape.errors import ExpansionError, NoExactFormError
from symtape.exact.digits import digits
from symtape.forms.expression import entries
from symtape.forms.index.entry import index_expression
from symtape.forms.tex.steps import steps
from symtape.kernels.interpret import QUIET, interpret
from symtape.kernels.scalar_code import body as body_of
from symtape.lowering.powers import constant, specialized
from symtape.program.functions import scalar
from symtape.program.kinds.placement import Form
from symtape.program.operations import (
    Einsum,
    Input,
    Map,
    elementwise,
    multiply,
    parameter,
    parameters,
    subtract,
)
from symtape.program.program import Builder
from tests.index_numbers import number as entry_number
from tests.programs import random_program
from tests.sampling import ALL

SEEDS = st.integers(0, 10**6)
SIZES = st.sampled_from([(1, 2, 3), (0, 1, 2, 3), (2, 4, 6)])


def run(program, values, outputs):
    """Compute positions without NumPy's warnings."""
    return [np.asarray(v) for v in QUIET.run(interpret, program, values, outputs)]


def assert_slope(f, slope, x, rng):
    """Assert that a slope, applied to a random direction, is the central difference along it."""
    direction = rng.standard_normal(x.shape)
    eps = 1e-6
    difference = (f(x + eps * direction) - f(x - eps * direction)) / (2 * eps)
    found = np.tensordot(slope, direction, x.ndim)
    np.testing.assert_allclose(found, difference, rtol=2e-4, atol=2e-4)


def test_the_judge_convicts():
    """A slope that is wrong by one percent does not pass."""
    rng = np.random.default_rng(0)
    x = rng.random(3) + 1
    with pytest.raises(AssertionError):
        assert_slope(lambda x: np.sum(x**3), 1.01 * 3 * x**2, x, rng)


@pytest.mark.slow
@given(SEEDS, SIZES)
@settings(max_examples=120 if ALL else 60, deadline=None)
def test_gradients_of_random_programs(seed, sizes):
    """A derived gradient is the slope of the sum, in the shape of its source, compiled or not."""
    program, last, inputs, values = random_program(seed, 3 + seed % 5, sizes)
    derived = gradient(program, [last], [(p,) for p in inputs])
    outputs = [o for o in derived.outputs if o is not None]
    found = dict(zip(outputs, run(derived.program, values, outputs), strict=True))
    compiled = Source(derived.program, list(values), outputs).compile()
    for o, value in zip(outputs, QUIET.run(compiled, *values.values()), strict=True):
        np.testing.assert_allclose(value, found[o], rtol=1e-9, atol=1e-12)
    rng = np.random.default_rng(seed)
    for p, o in zip(inputs, derived.outputs, strict=True):
        slope = found[o] if o is not None else np.zeros(program.shapes[p])
        assert slope.shape == program.shapes[p]
        assert_slope(
            lambda x, p=p: np.sum(run(program, {**values, p: x}, [last])[0]), slope, values[p], rng
        )


@pytest.mark.slow
@given(SEEDS, SIZES)
@example(6333, (2, 4, 6))
@settings(max_examples=120 if ALL else 60, deadline=None)
def test_jacobians_of_random_programs(seed, sizes):
    """A derived Jacobian is the slope of every element, of shape target + source."""
    program, last, inputs, values = random_program(seed, 3 + seed % 4, sizes)
    assume(all(prod(program.shapes[last] + program.shapes[p]) <= 10**6 for p in inputs))
    derived = jacobian(program, last, [(p,) for p in inputs])
    rng = np.random.default_rng(seed)
    for p, o in zip(inputs, derived.outputs, strict=True):
        shape = program.shapes[last] + program.shapes[p]
        slope = np.zeros(shape) if o is None else run(derived.program, values, [o])[0]
        assert slope.shape == shape
        assert_slope(
            lambda x, p=p: run(program, {**values, p: x}, [last])[0], slope, values[p], rng
        )


@given(SEEDS)
@example(587)
@settings(max_examples=60 if ALL else 40, deadline=None)
def test_second_derivatives_of_random_programs(seed):
    """The Jacobian of a gradient, summed over its rows, is the gradient of the gradient."""
    program, last, inputs, values = random_program(seed, 3 + seed % 3, (1, 2))
    derived = gradient(program, [last], [(p,) for p in inputs])
    for p, o in zip(inputs, derived.outputs, strict=True):
        if o is None:
            continue
        whole = jacobian(derived.program, o, [(p,)])
        summed = gradient(derived.program, [o], [(p,)])
        assert (whole.outputs[0] is None) == (summed.outputs[0] is None)
        if summed.outputs[0] is not None:
            (h,) = run(whole.program, values, whole.outputs)
            (g,) = run(summed.program, values, summed.outputs)
            rank = g.ndim
            np.testing.assert_allclose(h.sum(tuple(range(rank))), g, rtol=1e-7, atol=1e-9)


@given(SEEDS, SIZES)
@settings(max_examples=60 if ALL else 40, deadline=None)
@pytest.mark.slow
def test_jacobians_of_jacobians(seed, sizes):
    """A Jacobian is a program like any other: it has a Jacobian, and compiled code."""
    program, last, inputs, values = random_program(seed, 2 + seed % 4, sizes)
    if np.prod(program.shapes[last]) > 100:
        return
    derived = jacobian(program, last, [(p,) for p in inputs])
    rng = np.random.default_rng(seed)
    for p, o in zip(inputs, derived.outputs, strict=True):
        if o is None or np.prod(derived.program.shapes[o]) > 400:
            continue
        (first,) = run(derived.program, values, [o])
        compiled = Source(derived.program, list(values), [o]).compile()
        found = QUIET.run(compiled, *values.values())[0]
        np.testing.assert_allclose(found, first, rtol=1e-9, atol=1e-12)
        again = jacobian(derived.program, o, [(p,)])
        if again.outputs[0] is not None:
            (second,) = run(again.program, values, again.outputs)
            rerun = lambda x, p=p, o=o: run(derived.program, {**values, p: x}, [o])[0]  # noqa: E731
            assert_slope(rerun, second, values[p], rng)


@pytest.mark.slow
@given(SEEDS)
@settings(max_examples=400 if ALL else 15, deadline=None)
def test_forms_of_random_programs(seed):
    """Entries, index notation and twenty digits give the numbers that the program computes."""
    program, last, inputs, values = random_program(seed, 3 + seed % 3, (1, 2))
    derived = gradient(program, [last], [(p,) for p in inputs])
    names = {q: f"x{q}" for q in derived.program.inputs()}
    arrays = {names[q]: np.asarray(v) for q, v in values.items() if q in names}
    for o in derived.outputs:
        if o is None:
            continue
        (number,) = run(derived.program, values, [o])
        if number.size > 6:
            continue
        steps(derived.program, o, names)
        try:
            exact = digits(derived.program, o, values, 20)
        except NoExactFormError:
            exact = number
        np.testing.assert_allclose(exact.astype(float), number, rtol=1e-8, atol=1e-9)
        try:
            written = entries(derived.program, o, names, 200, values.__getitem__)
            generic = [
                index_expression(derived.program, o, names, place)
                for place in np.ndindex(number.shape)
            ]
        except (ExpansionError, NoExactFormError):
            continue
        for form in (list(written.flat), generic):
            found = [float(entry_number(sp.sympify(e), arrays, {})) for e in form]
            np.testing.assert_allclose(found, number.ravel(), rtol=1e-8, atol=1e-9)


def test_connections_are_decided_before_algebra():
    """x*x - x*x depends on x, and the slope of 3*x does not."""
    b = Builder()
    x = b.append(Input("float64", ()))
    square = b.append(multiply, x, x)
    zero = b.append(subtract, square, square)
    three = b.append(multiply, b.constant(3, np.dtype("float64")), x)
    program = b.finish()
    first = gradient(program, [zero], [(x,)])
    assert run(first.program, {x: np.float64(2)}, first.outputs)[0] == 0
    slope = gradient(program, [three], [(x,)])
    assert gradient(slope.program, [slope.outputs[0]], [(x,)]).outputs == (None,)


def test_einsum_keeps_its_deltas():
    """The Jacobian of an elementwise step is one Einsum that writes a diagonal."""
    b = Builder()
    x = b.append(Input("float64", (5,)))
    y = b.append(elementwise("sin", sp.sin), x)
    derived = jacobian(b.finish(), y, [(x,)])
    operation = derived.program.steps[derived.outputs[0]][0]
    assert operation == Einsum.of([(0,)], (0, 0))
    assert parameter(0).is_real


def test_second_derivative_of_the_size_of_a_complex_zero():
    """The derivative of z/|z| is 0 at 0, as its value is; elsewhere only what is across z turns."""
    z = tf.constant([0.0, 3.0j, 3 - 4j], tf.complex128)
    with tf.GradientTape() as outer:
        outer.watch(z)
        with tf.GradientTape() as inner:
            inner.watch(z)
            y = tf.reduce_sum(tf.abs(z))
        slope = inner.gradient(y, z)
    np.testing.assert_allclose(outer.gradient(slope, z).numpy(), [0, 1 / 3, (16 + 12j) / 125])


def test_a_monomial_has_whole_powers():
    """A root, a power beyond what is written out, and a sum are no monomials."""
    x, y = parameters(2)
    for body, expected in {
        x**2 / (3 * y): (Fraction(1, 3), [(0, 2), (1, -1)]),
        x**LONGEST: (Fraction(1), [(0, LONGEST)]),
        x ** (LONGEST + 1): None,
        x ** -(LONGEST + 1) * y: None,
        sp.sqrt(x) * y / 2: None,
        x**y: None,
        x + y: None,
    }.items():
        assert monomial(Map.of(body, 2)) == expected


def test_halves_are_written_as_quotients():
    """A product with a fraction of one is divided, by two as by three."""
    x, y = parameters(2)
    for q in (2, 3, 10):
        assert body_of(Map.of(x * y / q, 2)).write(str) == f"{{0}}*{{1}}/{q}"


def test_jacobians_through_diagonals_of_what_takes_a_batch():
    """A trace of rows that were added up, or of inverses, has the slopes that books give."""
    m = np.arange(18.0).reshape(2, 3, 3) ** 2 / 9 + 2 * np.eye(3)
    inverse = np.linalg.inv(m)
    slopes = {
        tf.linalg.inv: -np.swapaxes(inverse @ inverse, 1, 2),
        lambda x: tf.cumsum(x, 1): np.broadcast_to(np.triu(np.ones((3, 3))), (2, 3, 3)),
    }
    for f, expected in slopes.items():
        x = tf.constant(m)
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(x)
            y = f(x)
            whole, first = tf.linalg.trace(y), tf.linalg.trace(y[0])
            both = tf.stack([first, first**2])
        found = np.einsum("kkij->kij", tape.jacobian(whole, x).numpy())
        np.testing.assert_allclose(found, expected, rtol=1e-12)
        factors = [1.0, 2 * first.numpy()]
        found = tape.jacobian(both, x).numpy()[:, 0]
        np.testing.assert_allclose(found, np.multiply.outer(factors, expected[0]), rtol=1e-12)


GAPS = [
    # an axis of so many, the first place, strides and sizes of the indices
    (7, 0, [(4, 2), (1, 3)]),
    (7, 6, [(-4, 2), (-1, 3)]),
    (9, 1, [(5, 2), (2, 2)]),
    (30, 2, [(10, 3), (3, 2), (1, 2)]),
    (11, 6, [(-6, 2), (1, 5)]),
    (8, 0, [(2, 2), (4, 2)]),
]


@pytest.mark.parametrize(("size", "offset", "parts"), GAPS)
def test_elements_at_places_with_gaps_are_taken(size, offset, parts):
    """Rows that end before the next one starts become axes, the last row too, however short."""
    values = np.arange(100.0, 100.0 + size)
    b = Builder()
    x = b.append(Input("float64", (size,)))
    sizes = {k: n for k, (_, n) in enumerate(parts)}
    form = Form(offset, tuple((stride, k) for k, (stride, _) in enumerate(parts)))
    found = taken(b, x, [form], sizes, [])
    assert found is not None
    at, indices = found
    (array,) = QUIET.run(interpret, b.finish(), {x: values}, [at])
    for place in np.ndindex(*array.shape):
        where = dict(zip(indices, place, strict=True))
        assert array[place] == values[offset + sum(s * where[i] for s, i in form.parts)]
    assert sorted(indices) == sorted(sizes)


DIGITS = [
    ((3, 4), 0, []),
    ((3, 4), 7, []),
    ((3, 4), 11, []),
    ((2, 3, 4), 13, [(1, 3), (4, 2)]),
    ((3, 4), 11, [(-1, 4), (-4, 2)]),
    ((3, 4), 1, [(8, 2), (2, 2), (5, 1)]),
    ((3, 4), 2, [(1, 3)]),
    ((3, 4), 9, [(1, 2), (4, 2)]),
    ((3, 4), 12, []),
    ((3, 4), 0, [(6, 2)]),
    ((3, 4), 3, [(-1, 5)]),
]
"""Sizes of axes, and a place among their elements; in the last five, one that carries or none."""


@pytest.mark.parametrize(("radices", "offset", "parts"), DIGITS)
def test_a_place_has_one_digit_for_each_axis(radices, offset, parts):
    """It is NumPy's place along each axis, for all indices; None where a digit would carry."""
    sizes = {k: n for k, (_, n) in enumerate(parts)}
    form = Form(offset, tuple((stride, k) for k, (stride, _) in enumerate(parts)))
    found = digits_of(form, radices, sizes)
    if (radices, offset, parts) in DIGITS[-5:]:
        assert found is None
        return
    for at in np.ndindex(*sizes.values()):
        place = offset + sum(s * at[k] for s, k in form.parts)
        own = [f.offset + sum(s * at[k] for s, k in f.parts) for f in found]
        assert own == list(np.unravel_index(place, radices))


def test_roots_of_rows_meet_the_factors_of_their_rows():
    """A slope that is infinite counts in the row of its factor, except where that is zero."""
    x, w = tf.constant([[1.0, 0.0], [0.0, 4.0]], tf.float64), tf.constant([3.0, 0.0], tf.float64)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.einsum("i,ij->ij", w, tf.sqrt(x))
    found = tape.jacobian(y, x).numpy().reshape(4, 4)
    np.testing.assert_array_equal(found, np.diag([1.5, np.inf, 0.0, 0.0]))


@pytest.mark.parametrize(
    ("numbers", "shared"),
    [
        ((2, 2), 2), ((2, -2), 2), ((-2, 2), -2), ((Fraction(1, 3),) * 2, Fraction(1, 3)),
        ((3, 2), 1), ((1, 1), 1), ((0, 0), 1), ((0, 2), 1), ((2, 2, 4), 1), ((3, -3, 3), 3),
    ],
)  # fmt: skip
def test_like_terms_share_the_number_that_all_have(numbers, shared):
    """It stays in front of their sum, and multiplies no array; signs are the terms' own."""
    b = Builder()
    arrays = [np.arange(12.0).reshape(3, 4) ** k for k in range(1, 1 + len(numbers))]
    leaves = [b.enter(Input("float64", (3, 4), True)) for _ in numbers]
    terms = [
        Term((Form.of(0),), (Form.of(1),), ((p, (0, 1)),), Fraction(number))
        for p, number in zip(leaves, numbers, strict=True)
    ]
    (found,) = like_terms_added(b, terms, {0: 3, 1: 4}, np.dtype("float64"))
    assert found.number == shared
    ((at, _),) = found.factors
    (made,) = run(b.finish(), dict(zip(leaves, arrays, strict=True)), [at])
    expected = sum(float(n) * a for n, a in zip(numbers, arrays, strict=True))
    np.testing.assert_allclose(float(shared) * made, expected, rtol=1e-14)


Z = np.array([-1 + 2j, -0.5 - 1j, -1, 1 + 1j, 0])
W = np.array([1 + 0.5j, 2 - 1j, 2 + 1j, 0.3, 2])
LOG = np.array([np.log(v) if v else 0 for v in Z])  # 0 at 0, as in TensorFlow


@pytest.mark.parametrize(
    ("f", "slope"),
    [
        (lambda z, w: tf.pow(z, w), Z**W * LOG),
        (lambda z, w: tf.pow(tf.constant(-2 - 1j, tf.complex128), w), None),
        (lambda z, w: tf.sin(w) ** (2 + 1j), (2 + 1j) * np.sin(W) ** (1 + 1j) * np.cos(W)),
        (lambda z, w: (-1 - 2j) ** w, (-1 - 2j) ** W * np.log(-1 - 2j)),
        (lambda z, w: w ** (2 + 0j), 2 * W),
    ],
)
def test_powers_of_complex_numbers(f, slope):
    """Their slopes in the exponent are not zero where the real part of the base is negative."""
    z, w = tf.constant(Z, name="z"), tf.constant(W, name="w")
    with tf.GradientTape() as tape:
        tape.watch([z, w])
        y = f(z, w)
    g = tape.gradient(y, w)
    slope = (-2 - 1j) ** W * np.log(-2 - 1j) if slope is None else slope
    np.testing.assert_allclose(g.numpy(), slope.conj(), rtol=1e-12)
    given = {"z": Z, "w": W}
    compiled = g.lambdify()
    found = compiled(**{n: v for n, v in given.items() if n in compiled.signature.parameters})
    np.testing.assert_allclose(found, slope.conj(), rtol=1e-12)
    np.testing.assert_allclose(
        np.array(g.evalf(20).tolist(), complex), slope.conj(), rtol=1e-12, atol=1e-14
    )


def test_a_real_exponent_is_a_number_also_after_a_complex_one():
    """x² is x·x in code, whatever has been asked of x to the power 2 + 0i, which is equal to 2."""
    power = elementwise("a power asked twice", scalar.power, 2)
    for number, is_known in ((2 + 0j, False), (2, True), (2 + 0j, False)):
        assert (specialized(power, (None, number)) is not None) is is_known
    for number, expected in ((0j, None), (0, 1.0), (0j, None)):
        assert constant(power, (None, number)) == expected


def test_second_slopes_of_powers_of_complex_numbers():
    """Once more in the exponent, z**w has log(z)² in front."""
    w = tf.constant(W[:4])
    with tf.GradientTape() as outer:
        outer.watch(w)
        with tf.GradientTape() as inner:
            inner.watch(w)
            y = tf.pow(tf.constant(Z[:4]), w)
        g = tf.math.conj(inner.gradient(y, w))
    found = outer.gradient(g, w).numpy()
    np.testing.assert_allclose(found, (Z[:4] ** W[:4] * LOG[:4] ** 2).conj(), rtol=1e-12)


def test_a_hessian_through_a_join_looks_at_the_parts_that_are_reached(monkeypatch):
    """Each element of a join of n parts is passed to its own part, and not compared with all."""
    looked = []
    restricted = Places.restricted
    monkeypatch.setattr(Places, "restricted", lambda *given: looked.append(1) or restricted(*given))
    x = np.array([0.5, -1.0])

    def joined(x):
        return tf.reduce_sum(tf.stack([tf.sin(x * float(k)) for k in range(40)]) ** 2)

    found = tf.hessian(joined)(x)
    wanted = [sum(2 * k * k * np.cos(2 * k * t) for k in range(40)) for t in x]
    np.testing.assert_allclose(found, np.diag(wanted), rtol=1e-10)
    assert len(looked) <= 200
