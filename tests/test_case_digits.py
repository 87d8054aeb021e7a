"""Every operation, differentiated once and twice, against mpmath at a hundred digits.

Nothing but the formula of the value is ours: mpmath computes it beside the point, and the quotient
of differences is the derivative to sixty digits. No step of the derivative's formula is trusted.
"""

from __future__ import annotations

import zlib
from typing import Any, NamedTuple

import mpmath
import numpy as np
import pytest
import sympy as sp

import symtape as tf
from symtape.exact.digits import HighPrecision
from symtape.kernels import scalar_code
from symtape.kernels.nodes import NP
from symtape.program.evaluation.evaluation import evaluate
from symtape.program.functions import scalar
from symtape.program.operations import Map, parameter
from symtape.tensor.dispatch import apply1
from tests.cases import CASES, Case
from tests.cases.case import reals
from tests.sampling import some
from tests.test_case_readings import CONVENTIONS

DIGITS = 25
STEP = 30
"""The quotients of differences have steps of 10⁻³⁰, and errors of 10⁻⁶⁰."""


def is_smooth(tensor: Any) -> bool:
    """Say whether a result is of numbers that have derivatives, all of them finite."""
    value = np.asarray(tensor.numpy())
    return value.dtype.kind in "fc" and value.size > 0 and bool(np.all(np.isfinite(value)))


def along(gradient: Any, direction: Any) -> Any:
    """Contract a gradient with a direction; that of complex numbers points uphill."""
    product = tf.cast(gradient, direction.dtype)
    if direction.dtype.is_complex:
        product = tf.math.conj(product)
    total = tf.reduce_sum(product * direction)
    return tf.cast(tf.math.real(total), tf.float64)


def contracted(gradients: list[Any], directions: list[Any], context: Any) -> Any:
    """Contract the digits of gradients with directions; what is not connected counts as zero."""
    total = context.mpf(0)
    for g, direction in zip(gradients, directions, strict=True):
        if g is not None and g.shape.num_elements():
            digits = np.ravel(np.array(sp.flatten(sp.Array(g.evalf(DIGITS))), object))
            for a, b in zip(digits, np.ravel(direction.numpy()), strict=True):
                re, im = (context.mpf(str(part)) for part in sp.sympify(a).as_real_imag())
                total += re * context.mpf(float(b.real)) + im * context.mpf(float(b.imag))
    return total


class Quotients:
    """The value of a recorded scalar on a line through the point, to many digits."""

    def __init__(self, target: Any, xs: list[Any], directions: list[Any]) -> None:
        self.formula = target.formula
        self.context = mpmath.MPContext()
        self.context.dps = 4 * STEP
        self.numbers = HighPrecision(self.context)
        inside = {id(x): d for x, d in zip(xs, directions, strict=True)}
        self.at = {p: self._objects(v) for p, v in self.formula.values().items()}
        self.moving = {
            leaf.position: self._objects(inside[id(leaf.tensor())].numpy())
            for leaf in self.formula.all_leaves
            if leaf.position in self.at and id(leaf.tensor()) in inside
        }
        self.values = [self._value(s) for s in (-1, 0, 1)]

    def _objects(self, array: Any) -> Any:
        out = np.empty(np.shape(array), object)
        out[...] = np.frompyfunc(self.numbers.number, 1, 1)(array)
        return out

    def _value(self, side: int) -> Any:
        step = side * self.context.mpf(10) ** -STEP
        given = dict(self.at)
        for p, direction in self.moving.items():
            given[p] = np.asarray(self.at[p] + step * direction, object)
        position = self.formula.position
        return self.context.re(
            evaluate(self.formula.program, [position], given, self.numbers)[0][()]
        )

    @property
    def first(self) -> Any:
        """The derivative along the line."""
        low, _, high = self.values
        return (high - low) / 2 * self.context.mpf(10) ** STEP

    @property
    def second(self) -> Any:
        """The second derivative along the line."""
        low, here, high = self.values
        return (high - 2 * here + low) * self.context.mpf(10) ** (2 * STEP)


def assert_digits(found: Any, expected: Any, scale: Any, what: str) -> None:
    """Assert that a number and the quotient agree to many digits."""
    tolerance = expected.context.mpf(10) ** -20 * (abs(expected) + scale)
    assert abs(found - expected) <= tolerance, f"{what}: {found} against {expected}"


EXEMPT = {
    "stop_gradient": "it says that there is no derivative",
    "stop_gradient of one number": "likewise",
    "nn.selu": "its constants are decimals, of 17 digits, and so is their product",
    "nn.selu of one number": "likewise",
}
"""Cases whose derivatives are not those of the value, and why."""

FIXED = {"math.zeta": (0,), "math.betainc": (0, 1), "math.polygamma of a watched order": (0,)}
"""Operands that have no derivative by convention, by how the names of their cases begin."""


def fixed(case: Case) -> tuple[int, ...]:
    """Say which operands are not moved."""
    many = len(case.inputs) > 1
    return next((f for name, f in FIXED.items() if many and case.name.startswith(name)), ())


def judged(case: Case) -> bool:
    """Say whether a case has derivatives at points that were not chosen for being special."""
    given = [x for x in case.inputs if x.points is not None]
    return (
        bool(case.inputs)
        and case.order > 0
        and not given
        and case.name not in {*CONVENTIONS, *EXEMPT}
    )


class Line(NamedTuple):
    """A case along a line: a number, what moves, where to, and both derivatives of the number."""

    total: Any
    movable: list[Any]
    directions: list[Any]
    slopes: list[Any]
    bends: list[Any]
    held: list[Any]
    """Who holds the leaves of formulas of values."""


def along_a_line(case: Case, seed: int) -> Line | None:
    """Weigh the results of a case, and differentiate twice along random directions."""
    rng = np.random.default_rng(zlib.crc32(case.name.encode()) + seed)
    xs = [tf.constant(a) for a in case.arrays("float64")]
    kept = [x for k, x in enumerate(xs) if k not in fixed(case)]
    movable = [x for x in kept if x.dtype.is_floating or x.dtype.is_complex]
    directions = [tf.constant(random_like(x, rng)) for x in movable]
    with tf.GradientTape(persistent=True) as outer:
        outer.watch(movable)
        with tf.GradientTape(persistent=True) as inner:
            inner.watch(movable)
            ys = [y for y in tf.nest.flatten(case.run(tf, *xs)) if is_smooth(y)]
            if not ys:
                return None
            weights = [tf.constant(random_like(y, rng)) for y in ys]
            total = tf.add_n(list(map(along, ys, weights)))
        slopes = inner.gradient(total, movable)
        terms = [along(g, d) for g, d in zip(slopes, directions, strict=True) if g is not None]
    bends = outer.gradient(terms, movable)
    return Line(total, movable, directions, slopes, bends, [*xs, *weights, inner, outer])


@pytest.mark.slow
@pytest.mark.parametrize("case", some([c for c in CASES if judged(c)], 36, 1), ids=lambda c: c.name)
def test_derivatives_are_those_of_the_value(case: Case) -> None:
    """Along a random direction, two derivatives are the limits of the value's differences."""
    line = along_a_line(case, 1)
    if line is None:
        return
    total, movable, directions, slopes, bends, _ = line
    if not all(np.all(np.isfinite(g.numpy())) for g in (*slopes, *bends) if g is not None):
        return
    truth = Quotients(total, movable, directions)
    context = mpmath.MPContext()
    context.dps = 2 * DIGITS
    scale = abs(truth.values[1]) + abs(truth.first) / 10**3
    for gradients, expected, what in (
        (slopes, truth.first, "first derivative"),
        (bends, truth.second, "second derivative"),
    ):
        assert_digits(contracted(gradients, directions, context), expected, scale, what)


def test_the_judge_convicts(monkeypatch: pytest.MonkeyPatch) -> None:
    """A slope that is wrong by a part in a billion does not pass, nor does one that is missing."""
    for factor in (1 + sp.Rational(1, 10**9), sp.S.Zero):
        wrong = scalar.scalar("wrong", lambda x: sp.exp(x), lambda x, c=factor: c * sp.exp(x))
        monkeypatch.setitem(scalar_code.FUNCTIONS, wrong, NP.exp)
        operation = Map.of(wrong(parameter(0)), 1)
        case = Case("wrong", lambda tf, x, op=operation: apply1(op, x), (reals(3),))
        with pytest.raises(AssertionError, match="first derivative"):
            test_derivatives_are_those_of_the_value(case)


def random_like(tensor: Any, rng: np.random.Generator) -> Any:
    """Draw numbers of the shape and dtype of a tensor, short enough to be written exactly."""
    value = np.asarray(tensor.numpy())
    drawn = np.round(rng.uniform(0.5, 1.5, value.shape) * 64) / 64
    if value.dtype.kind == "c":
        drawn = drawn + 1j * np.round(rng.uniform(-1, 1, value.shape) * 64) / 64
    return drawn.astype(value.dtype)


@pytest.mark.parametrize("digits", [0, -1, 10_001, 10**9, 10**30])
def test_a_number_of_digits_has_bounds(digits):
    """It is refused at once, with the largest one in the sentence."""
    x = tf.constant(0.3)
    with pytest.raises(ValueError, match=r"evalf\(\) computes 1 to 10,000 digits"):
        x.evalf(digits)


@pytest.mark.parametrize("digits", [2.5, None, True, np.True_, "3", [3]])
def test_a_number_of_digits_is_a_whole_number(digits):
    """Nothing is rounded, and a truth value is no number."""
    with pytest.raises(TypeError, match=r"evalf\(\) takes a whole number of digits"):
        tf.constant(0.3).evalf(digits)


def test_whole_numbers_of_all_types_count_digits():
    """Those of NumPy, and one-element tensors of integers, are whole numbers."""
    x = tf.constant(0.5)
    assert str(x.evalf(np.int64(3))) == str(x.evalf(tf.constant(3))) == str(x.evalf(3))
