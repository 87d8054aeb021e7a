"""Enclosures contain the truth, which mpmath tells, and say what holds over a box."""

from __future__ import annotations

import math
import sys
from contextlib import suppress
from fractions import Fraction
from functools import partial
from typing import Any

import mpmath
import numpy as np
import pytest
import sympy as sp

import symtape as tf
from symtape.errors import ExtraNotInstalledError, NoExactFormError, SymtapeError, UnsupportedError
from symtape.exact import digits as exact
from symtape.exact.balls import arithmetic as ball_arithmetic
from symtape.exact.balls import functions as ball_functions
from symtape.exact.balls.bodies import _RULES, Body
from symtape.exact.balls.functions import FUNCTIONS
from symtape.exact.balls.numbers import flint, is_unknown, lifted, of_atom, of_number, parts_of
from symtape.exact.balls.text import text
from symtape.exact.certain import certain_digits
from symtape.exact.enclosing import precision
from symtape.exact.enclosure import Enclosure
from tests import enclosures
from tests.cases import CASES, Case
from tests.enclosures import around, judged, judged_box, verdict
from tests.sampling import ALL, all_hold, batches, some

DIGITS = 60
A_REAL = sp.Symbol("a", real=True)

# --- the table of operations ----------------------------------------------------------------------

WITHOUT = {
    "pow(-2, 0.5)": "the slope at a base below zero is 0 by convention, times what is not real",
    "sqrtm": "its slope is the root of a matrix whose eigenvalues are equal in pairs",
    "logm": "likewise",
    "eigh of equal values": "the slope of the values has vectors, which are not determined",
    "pinv with a bound": "the rank is less than full, as floats see it",
    "pinv that cuts values": "likewise",
    "lstsq, not fast, of a lower rank": "likewise",
}
"""Cases in which a result or a gradient has digits and no enclosure, by how their names begin."""


HELD: list[Any] = []
"""The leaves of what is looked at."""


def results(case: Case) -> list[Any]:
    """Compute a case, its gradient and the gradient of that."""
    xs = [tf.constant(a) for a in case.arrays("float64")]
    with tf.GradientTape(persistent=True) as outer:
        outer.watch(xs)
        with tf.GradientTape(persistent=True) as inner:
            inner.watch(xs)
            ys = tf.nest.flatten(case.run(tf, *xs))
        smooth = [y for y in ys if y.dtype.is_floating or y.dtype.is_complex]
        derived = inner.gradient(smooth, xs) if smooth and case.order else []
        slopes = [g for g in derived if g is not None]
    bends = outer.gradient(slopes, xs) if slopes else []
    HELD[:] = [*xs, outer, inner]
    return [*ys, *slopes, *[g for g in bends if g is not None]]


def contains_truth(tensor: Any, name: str) -> None:
    """Assert that an enclosure contains the digits that mpmath gives, if it gives any."""
    if name.startswith(tuple(WITHOUT)):
        with suppress(NoExactFormError, UnsupportedError):
            tensor.enclose()
        return
    formula = tensor.formula
    try:
        truth = exact.digits(formula.program, formula.position, formula.values(), DIGITS)
    except NoExactFormError:
        return
    found = tensor.enclose()
    for ball, value in zip(found._balls.flat, np.ravel(truth), strict=True):
        assert_near(ball, sp.sympify(value))


def assert_near(ball: Any, value: Any) -> None:
    """Assert that a ball has a number in it that agrees with a value to 57 digits."""
    if value in (sp.oo, -sp.oo, sp.true, sp.false):
        value = int(bool(value)) if value in (sp.true, sp.false) else value
        assert text(ball) == str(value)
        return
    assert not is_unknown(ball)
    with precision(400):
        parts = [sp.re(value), sp.im(value)]
        for own, part in zip((*parts_of(ball), 0), parts, strict=False):
            arb = flint().arb
            middle = of_atom(part)
            slack = abs(middle) + abs(lifted(ball).real) * 0
            near = arb(middle, (slack * arb(10) ** -57 + arb(10) ** -700).upper())
            assert near.overlaps(lifted(own)), (ball, value)


def marked(case: Case) -> Any:
    """Mark what takes mpmath seconds: derivatives of Bessel functions, long logarithms of sums."""
    takes_long = "bessel" in case.name or "logsumexp" in case.name
    return pytest.param(case, marks=[pytest.mark.slow] if takes_long else [], id=case.name)


RARE = """
matrix_rank|logical operations|eig of a batch|nn.selu|cast to integers|math.rint at its edges
pinv of a wide matrix|math.betainc of numbers|logdet of nothing|math.xdivy|math.ndtri in its tail
norm of order 3|math.igammac with a scalar|reduce_any|expm of one number|complex
svd of a square matrix, full|math.is_inf at its edges|reduce_max of nothing|count_nonzero
math.special.spence of one number|math.zeta with a scalar|math.angle of complex numbers
logdet of one number|truncatemod|rgb_to_hsv
""".replace("\n", "|")
"""Cases of which few are alike: rules of enclosures run for them alone."""
ENCLOSED = [*some([c for c in CASES if c.inputs], 48, 5)]
ENCLOSED += [c for c in CASES if f"|{c.name}|" in RARE and c not in ENCLOSED]


@pytest.mark.parametrize("case", [marked(c) for c in ENCLOSED])
def test_every_operation_contains_the_truth(case: Case) -> None:
    """The results and the gradients of orders one and two lie in their enclosures."""
    for tensor in results(case):
        contains_truth(tensor, case.name)


@pytest.mark.slow
@pytest.mark.parametrize("case", [c for c in CASES if c.name in WITHOUT], ids=lambda c: c.name)
def test_what_has_no_enclosure_says_so(case: Case) -> None:
    """Of each case that is listed, something has none."""
    told = []
    for tensor in results(case):
        try:
            tensor.enclose()
        except SymtapeError as error:
            told.append(str(error))
    assert told
    assert all("evalf(digits)" in text for text in told)


# --- random programs ------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("seeds", batches(range(2000 if ALL else 80), 40))
def test_random_programs_contain_the_truth(seeds):
    """At a point, and at points of a box, no enclosure lacks the value of a random program."""

    def judge(seed: int) -> None:
        found = [*judged(seed), *judged_box(seed)]
        assert "TOO NARROW" not in found

    all_hold(judge, seeds)


def narrow(function: Any) -> Any:
    """Drop the radius of what a function gives."""
    return lambda *args: function(*args).mid()


RADIUS_DROPPED = {
    "a product": (ball_arithmetic, "times"),
    "a sum": (ball_arithmetic, "total"),
    "a power": (ball_arithmetic, "whole_power"),
    "an interval": (ball_arithmetic, "interval"),
}


@pytest.mark.parametrize("name", RADIUS_DROPPED)
def test_the_judge_convicts_a_rule_that_drops_a_radius(name, monkeypatch):
    """An enclosure that is the middle alone lacks the truth."""
    module, rule = RADIUS_DROPPED[name]
    monkeypatch.setattr(module, rule, narrow(getattr(module, rule)))
    assert any("TOO NARROW" in (*judged(seed), *judged_box(seed)) for seed in range(40))


def test_the_judge_convicts_a_function_that_is_nearly_right(monkeypatch):
    """A function that is off by a part in 10²⁵ is found."""
    wrong = {**FUNCTIONS, sp.tanh: lambda x: x.tanh() * (1 + of_number(10) ** -20)}
    monkeypatch.setattr("symtape.exact.balls.bodies.FUNCTIONS", wrong)
    assert any("TOO NARROW" in judged(seed) for seed in range(40))


# --- functions ------------------------------------------------------------------------------------

third, half = sp.Rational(1, 3), sp.Rational(1, 2)
POINTS: dict[Any, list[tuple[Any, ...]]] = {
    sp.acosh: [(sp.Rational(5, 4),), (sp.Integer(3),)],
    sp.asec: [(sp.Rational(-5, 4),), (sp.Integer(3),)],
    sp.acsc: [(sp.Rational(-5, 4),), (sp.Integer(3),)],
    sp.li: [(sp.Rational(5, 4),), (sp.Integer(3),)],
    sp.erfcinv: [(third,), (sp.Rational(7, 4),)],
    sp.conjugate: [(third + sp.I,)],
    sp.re: [(third + sp.I,)],
    sp.im: [(third + sp.I,)],
    sp.arg: [(third + sp.I,), (-half,)],
    sp.atan2: [(third, -half), (-third, half)],
    sp.expint: [(sp.Integer(2), third), (half, sp.Integer(2))],
    sp.polygamma: [(sp.Integer(n), x) for n in (0, 1, 3) for x in (third, sp.Rational(-5, 3))],
    sp.beta: [(third, sp.Integer(2))],
    sp.lowergamma: [(third, half), (sp.Integer(3), sp.Integer(2))],
    sp.uppergamma: [(third, half), (sp.Integer(3), sp.Integer(2))],
    sp.betainc: [(half, sp.Integer(2), third, half), (half, half, sp.Integer(0), third)],
    sp.betainc_regularized: [(half, sp.Integer(2), third, half), (half, half, 0, third)],
    sp.zeta: [(sp.Integer(3),), (sp.Integer(3), third), (half, sp.Integer(2))],
    sp.polylog: [(sp.Integer(2), third), (sp.Integer(2), sp.Integer(1)), (half, -half)],
    sp.log: [(third,), (sp.Integer(3), sp.Integer(7))],
    **{
        f: [(sp.Integer(n), x) for n in (0, 2) for x in (third, sp.Integer(3))]
        for f in (sp.besselj, sp.bessely, sp.besseli, sp.besselk)
    },
    **{
        f: [(sp.Integer(n), third) for n in (0, 3)]
        for f in (sp.legendre, sp.chebyshevt, sp.chebyshevu, sp.hermite)
    },
}
"""Where functions are tried, unless it is at 1/3 and -1/2 or 3."""

ANYWHERE = [(third,), (sp.Rational(7, 10),)]


def ball_of(function: Any, args: Any) -> Any:
    """Compute a function of numbers, as bodies do."""
    symbols = [sp.Symbol(f"a{k}") for k in range(len(args))]
    balls = [Body({}, print).ball(sp.sympify(a)) for a in args]
    rule = _RULES.get(function) or FUNCTIONS[function]
    if function in _RULES:
        body = function(*symbols, evaluate=False)
        return Body(dict(zip(symbols, balls, strict=True)), print).ball(body)
    return rule(*balls)


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_a_function_is_sympys(function):
    """What Arb computes is what SymPy means, digit for digit."""
    for args in POINTS.get(function, ANYWHERE):
        with precision(220):
            ball = ball_of(function, args)
            assert ball.rel_accuracy_bits() > 150 or ball.is_exact()
        exact_one = sp.erfinv(1 - args[0]) if function is sp.erfcinv else function(*args)
        expected = exact_one.evalf(60)
        assert_near(ball, sp.sympify(expected))


REAL_LINES = {
    f: (low, high)
    for fs, low, high in [
        ((sp.sin, sp.cos, sp.sinh, sp.cosh, sp.tanh, sp.asinh, sp.atan, sp.exp), -3, 3),
        ((sp.erf, sp.erfc, sp.erfi, sp.fresnelc, sp.fresnels, sp.sinc, sp.sech), -2, 2),
        ((sp.asin, sp.acos, sp.atanh, sp.erfinv), -0.9, 0.9),
        ((sp.log, sp.gamma, sp.loggamma, sp.digamma, sp.Ei), 0.1, 4),
        ((sp.acosh,), 1.1, 5),
        ((sp.LambertW,), -0.3, 5),
    ]
    for f in fs
}


@pytest.mark.parametrize("function", REAL_LINES, ids=lambda f: f.__name__)
def test_a_function_of_an_interval_has_the_values_at_its_points(function):
    """Ends, and points between, are in the enclosure of each of many intervals."""
    low, high = REAL_LINES[function]
    rng = np.random.default_rng(1)
    for _ in range(12):
        a, b = np.sort(rng.uniform(low, high, 2))
        b = a + (b - a) * 10.0 ** -rng.integers(0, 6)
        with precision(80):
            whole = FUNCTIONS[function](ball_arithmetic.interval(*map(of_number, (a, b))))
            for x in (a, b, *rng.uniform(a, b, 3)):
                at = FUNCTIONS[function](of_number(np.clip(x, a, b)))
                assert whole.overlaps(at), (function, a, b, x)
                assert is_unknown(whole) or whole.contains(at)


def test_every_function_of_the_table_is_tried():
    """The table of points names no function that the other has not."""
    assert set(POINTS) <= set(FUNCTIONS)
    assert set(REAL_LINES) <= set(FUNCTIONS)


# --- digits ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", some([c for c in CASES if c.inputs], 48, 9), ids=lambda c: c.name)
def test_digits_are_those_of_mpmath(case: Case) -> None:
    """`evalf` prints the same with python-flint and without, where both give digits."""
    for tensor in results(case):
        formula = tensor.formula
        own = formula.program, formula.position, formula.values()
        certain = certain_digits(*own, 30)
        if certain is not None:
            expected = exact.digits(*own, 30)
            assert list(map(str, np.ravel(certain))) == list(map(str, np.ravel(expected)))


def test_digits_that_cancel_are_found():
    """1 - tanh(1000)² has 869 zeros in front; with python-flint and without, digits follow."""
    x = tf.constant(1000.0, tf.float64)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.tanh(x)
    slope = tape.gradient(y, x)
    expected = str((1 - sp.tanh(1000) ** 2).evalf(20, maxn=5000))
    formula = slope.formula
    assert str(slope.evalf(20)) == expected
    assert str(exact.digits(formula.program, formula.position, formula.values(), 20)) == expected


def test_without_python_flint(monkeypatch):
    """`evalf` does without, and `enclose` names the extra."""
    monkeypatch.setitem(sys.modules, "flint", None)
    flint.cache_clear()
    try:
        x = tf.constant(0.5)
        with tf.GradientTape():
            y = tf.exp(x)
        assert str(y.evalf(20)) == "1.6487212707001281468"
        with pytest.raises(ExtraNotInstalledError, match=r'pip install "symtape\[flint\]"'):
            y.enclose()
    finally:
        monkeypatch.undo()
        flint.cache_clear()


# --- what a person sees ---------------------------------------------------------------------------


def recorded(function: Any, *values: Any) -> tuple[list[Any], Any, list[Any]]:
    """Record a function of variables a, b, …; give them, its result, and its gradients."""
    xs = [tf.Variable(v, name=n, dtype=tf.float64) for n, v in zip("abcd", values, strict=False)]
    with tf.GradientTape(persistent=True) as tape:
        y = function(*xs)
    HELD[:] = [*xs, tape]
    return xs, y, tape.gradient(y, xs)


TEXTS = {
    "an exact number": (lambda x: x * x, "Enclosure(0.25)"),
    "digits": (tf.exp, "Enclosure(1.648721270700128146848650753 ± 5.3e-26)"),
    "a large number": (
        lambda x: tf.exp(100 * x),
        "Enclosure(5.18470552858707246408745313e+21 ± 2.6e-4)",
    ),
    "an infinity": (lambda x: tf.math.log(x - 0.5), "Enclosure(-oo)"),
    "a complex number": (
        lambda x: tf.complex(x, tf.exp(x)),
        "Enclosure(0.5 + (1.648721270700128146848650753 ± 5.3e-26)i)",
    ),
    "a truth": (lambda x: x > 0.25, "Enclosure(1)"),
    "an array": (
        lambda x: tf.stack([x, 1 / (x + 1)]),
        "Enclosure([0.5, 0.666666666666666666666666658 ± 2.6e-26])",
    ),
}


LIMITS = {
    "sinh": tf.sinh, "tanh": tf.tanh, "atan": tf.atan, "asinh": tf.asinh,
    "erf": tf.math.erf, "erfc": tf.math.erfc, "exp": tf.exp,
}  # fmt: skip


@pytest.mark.parametrize("end", [-np.inf, np.inf])
@pytest.mark.parametrize("name", LIMITS)
def test_limits_are_those_of_floats(name, end):
    """At both ends a function that rises has the limit that C's has."""
    _, y, _ = recorded(LIMITS[name], end)
    found = y.enclose()
    lower, upper = float(found.lower), float(found.upper)
    assert lower <= y.numpy() <= upper or lower == y.numpy() == upper
    assert math.isinf(y.numpy()) or upper - lower < 1e-20


@pytest.mark.parametrize(
    ("function", "end"), [(tf.reduce_max, "-oo"), (tf.reduce_min, "oo")], ids=["max", "min"]
)
def test_the_largest_of_nothing_is_an_infinity(function, end):
    """It is less than every number, and the smallest is more."""
    _, y, _ = recorded(lambda x: function(tf.exp(x)[:0]), [0.5, 1.0])
    assert repr(y.enclose()) == f"Enclosure({end})"


def test_a_branch_taken_by_an_integer_is_enclosed():
    """What a slice was cut at is as it was at the same point."""
    _, y, _ = recorded(lambda x: tf.reduce_sum(x[: int(tf.argmax(x)) + 1] ** 2), [0.5, 0.75, 0.25])
    assert repr(y.enclose()) == "Enclosure(0.8125)"


@pytest.mark.parametrize("name", TEXTS)
def test_how_an_enclosure_is_written(name):
    """It prints certain digits and what they may be off by."""
    function, expected = TEXTS[name]
    assert repr(recorded(function, 0.5)[1].enclose()) == expected


def test_what_is_written_contains_what_is_meant():
    """The ends that are printed lie outside of the bounds, at all sizes and widths."""
    arb = flint().arb
    rng = np.random.default_rng(2)
    for _ in range(400):
        scale = arb(10) ** int(rng.integers(-40, 40))
        width = arb(10) ** int(rng.integers(-20, 2))
        ball = arb(rng.normal(), float(abs(rng.normal())) * width) * scale
        first, plus_minus, second = text(ball).partition(" ± ")
        if plus_minus:
            low, high = (Fraction(first) + s * Fraction(second) for s in (-1, 1))
        else:
            low, high = map(Fraction, text(ball).split(" .. "))
        e = Enclosure(np.array(ball, object))
        assert low <= Fraction(*map(int, e.lower.as_numer_denom()))
        assert Fraction(*map(int, e.upper.as_numer_denom())) <= high
        assert high - low <= 3 * Fraction(*map(int, (e.upper - e.lower).as_numer_denom()))


def test_bounds_are_exact_and_have_the_shape():
    """A scalar gives SymPy numbers, an array arrays of them; NumPy's are rounded outwards."""
    _, y, _ = recorded(lambda x: tf.sqrt(x), [1.0, 2.0])
    e = y.enclose(100)
    assert (e.shape, len(e), len(list(e))) == ((2,), 2, 2)
    assert e[0].lower == e[0].upper == e[0].mid == 1
    assert e[0].rad == 0
    assert e[1].lower < sp.sqrt(2) < e[1].upper
    assert e[1].lower.is_Rational
    assert e.lower.shape == (2,)
    assert e.upper[1] - e.lower[1] == 2 * e[1].rad
    low, high = e.numpy()
    assert low[1] < high[1] == math.nextafter(low[1], 2)
    assert low[0] == high[0] == 1
    assert e[0].digits == math.inf
    assert 30 <= e.digits < 60


def test_contains_what_is_the_same_number():
    """Numbers of all kinds are taken for what they are."""
    _, y, _ = recorded(lambda x: x / 3, 1.0)
    e = y.enclose()
    assert e.contains(Fraction(1, 3))
    assert e.contains(sp.Rational(1, 3))
    assert not e.contains(1 / 3)
    assert not e.contains(mpmath.mpf(1) / 3)
    wide = y.enclose(box={"a": (1, 2)})
    inside = (0.5, np.float32(0.5), sp.sqrt(2) / 4, sp.Float(0.5, 30), mpmath.mpf(0.5))
    assert all(map(wide.contains, inside))
    assert not any(map(wide.contains, (0.3, 1, sp.pi, 0.5 + 1e-30j, -sp.oo)))
    _, z, _ = recorded(lambda x: tf.stack([x, x * x]), 2.0)
    assert z.enclose().contains([2, 4])
    assert z.enclose().contains(tf.constant([2.0, 4.0]))
    assert not z.enclose().contains(np.array([2, 5]))
    for wrong in ("1", None, [2, "2"]):
        with pytest.raises(TypeError, match="is no number"):
            z.enclose().contains(wrong)
    with pytest.raises(ValueError, match="broadcast"):
        z.enclose().contains([1, 2, 3])


def test_signs_are_certain_or_not_known():
    """A sign is True for all, False if there is one entry against it, else None."""
    _, y, _ = recorded(lambda x: x * x * x, [1.0, 2.0])
    ask = partial(y.enclose, box=None)
    assert ask().is_positive is True
    assert ask().is_negative is False
    for bounds, positive, nonnegative in [
        (([0, 1], [1, 2]), None, True),
        (([-2, 1], [-1, 2]), False, False),
        (([-1, 1], [1, 2]), None, None),
    ]:
        e = y.enclose(box={"a": bounds})
        assert (e.is_positive, e.is_nonnegative) == (positive, nonnegative)
    e = y.enclose(box={"a": (-2, [-1, 0])})
    assert (e.is_negative, e.is_nonpositive) == (None, True)
    with pytest.raises(TypeError, match="neither true nor false"):
        bool(e)
    with pytest.raises(TypeError, match="is_true is asked of comparisons"):
        _ = e.is_true


@pytest.mark.parametrize("number", [-2.0, -1.0, -0.5, 0.0, 0.5, 1.0, 2.0])
def test_signs_of_exact_numbers_are_those_of_sympy(number):
    """Of a number that is known exactly, every sign is."""
    _, y, _ = recorded(lambda x: x * 1.0, number)
    found, exact = y.enclose(), sp.Rational(number)
    for sign in ("positive", "negative", "nonnegative", "nonpositive"):
        assert getattr(found, f"is_{sign}") is getattr(exact, f"is_{sign}"), sign
    assert found.is_bounded


def test_of_what_is_not_bounded_nothing_is_known():
    """Its bounds are infinite, and it has no digits."""
    _, y, _ = recorded(lambda x: 1.0 / x, [1.0, 2.0])
    e = y.enclose(box={"a": ([-1, 1], [1, 2])})
    assert not e.is_bounded
    assert (e[0].lower, e[0].upper) == (-sp.oo, sp.oo)
    assert e[1].is_bounded


def test_complex_numbers_are_rectangles():
    """Their parts have bounds; they have no order."""
    _, y, _ = recorded(lambda x: tf.exp(tf.complex(x, x)), 0.5)
    e = y.enclose()
    assert e.contains(sp.exp(sp.Rational(1, 2) + sp.I / 2))
    assert e.real.contains(sp.exp(sp.Rational(1, 2)) * sp.cos(sp.Rational(1, 2)))
    assert e.imag.lower < sp.exp(sp.Rational(1, 2)) * sp.sin(sp.Rational(1, 2)) < e.imag.upper
    assert e.rad > 0
    for ask in (lambda: e.lower, lambda: e.is_positive, e.numpy):
        with pytest.raises(TypeError, match="no order"):
            ask()


def test_constants_are_what_the_program_computes_with():
    """0.1 is the float32 in a program of float32, and a third that was derived is a third."""
    x = tf.Variable(2.0, name="x")
    with tf.GradientTape() as tape:
        y = 0.1 * x + tf.reduce_mean(tf.stack([x, x, x]))
    assert y.enclose().contains(2 * sp.Rational(*np.float32(0.1).as_integer_ratio()) + 2)
    assert (
        tape.gradient(y, x).enclose().contains(1 + sp.Rational(*np.float32(0.1).as_integer_ratio()))
    )
    assert not y.enclose().contains(sp.Rational(22, 10))


@pytest.mark.parametrize("bits", [2, 53, 300, 2000])
def test_bits_are_those_of_the_answer(bits):
    """Cancellation costs no bit: sin(x) - x at 10⁻²⁰ has as many as are asked for."""
    _, y, _ = recorded(lambda x: tf.sin(x) - x, 1e-20)
    e = y.enclose(bits)
    assert e.rad <= abs(e.mid) / 2 ** (bits - 1)
    with mpmath.workdps(800):
        x = mpmath.mpf(1e-20)
        assert e.contains(mpmath.sin(x) - x) is (bits < 2000)


# --- boxes ----------------------------------------------------------------------------------------

ASKED = {
    "squares": recorded(lambda a: tf.reduce_sum(a * a), [1.0, 2.0]),
    "complex": recorded(lambda a: tf.exp(tf.complex(a, a)), 0.5),
    "nowhere": recorded(lambda a: 1 / (a - a), 2.0),
    "at one place": recorded(lambda a: 1 / (a - [3.0, 1.0]), [1.0, 1.0]),
    "large": recorded(lambda a: tf.exp(tf.exp(a)), 20.0),
    "whole": recorded(lambda a: tf.reduce_sum(tf.cast(a, tf.int32)), [1.0, 2.0]),
}
NOTHING = (
    " with 10880 bits: it divides by zero, leaves the real numbers, lies on an edge, or is beyond "
    "what Arb bounds; evalf(digits) and numpy() may have a value"
)
BOUNDS = "ValueError: box: the bounds of a are a pair (lower, upper), not "
MISTAKES: list[tuple[str, Any, str]] = [
    ("squares", lambda y: bool(y.enclose()), ("TypeError: an enclosure is neither true nor false; "
     "is_positive, … ask what is certain")),
    ("squares", lambda y: y.enclose().is_true, ("TypeError: is_true is asked of comparisons; "
     "is_positive, … of numbers")),
    ("complex", lambda y: y.enclose().lower, ("TypeError: complex numbers have no order; .real and "
     ".imag have bounds")),
    ("large", lambda y: y.enclose().lower, ("ExpansionError: a bound that is a multiple of "
     "2**699945338 is too long to be written out as a fraction; the enclosure prints it")),
    ("nowhere", lambda y: y.enclose(), f"NoExactFormError: nothing is known of the value{NOTHING}"),
    ("at one place", lambda y: y.enclose(),
     f"NoExactFormError: nothing is known of the value at (1,){NOTHING}"),
    ("squares", lambda y: y.enclose(splits=3), ("ValueError: splits= cuts a box in two: "
     "enclose(box={'x': (lower, upper)}, splits=9)")),
    ("squares", lambda y: y.enclose(True), ("TypeError: enclose(bits=...) takes a whole number, "
     "not True")),
    ("squares", lambda y: y.enclose(2.5), ("TypeError: enclose(bits=...) takes a whole number, "
     "not 2.5")),
    ("squares", lambda y: y.enclose(1), "ValueError: enclose(bits=...) takes 2 to 100,000, not 1"),
    ("squares", lambda y: y.enclose(10**9), ("ValueError: enclose(bits=...) takes 2 to 100,000, "
     "not 1e+09")),
    ("squares", lambda y: y.enclose(box={"a": (1, 2)}, splits=-1), ("ValueError: "
     "enclose(splits=...) takes 0 to 100,000, not -1")),
    ("squares", lambda y: y.enclose(box=3), ("TypeError: box: 3 is no dict of leaves and their "
     "bounds")),
    ("squares", lambda y: y.enclose(box=[3]), ("TypeError: box: 3 is no pair of a leaf and its "
     "bounds")),
    ("squares", lambda y: y.enclose(box=["ab"]), ("TypeError: box: 'ab' is no pair of a leaf and "
     "its bounds")),
    ("squares", lambda y: y.enclose(box=[("a", (1, 2))] * 2), ("ValueError: box: a stands in it "
     "twice")),
    ("squares", lambda y: y.enclose(box={"a": 3}), f"{BOUNDS}3"),
    ("squares", lambda y: y.enclose(box={"a": "12"}), f"{BOUNDS}'12'"),
    ("squares", lambda y: y.enclose(box={"a": (2, 1)}), ("ValueError: box: the lower bound of a is "
     "above the upper one: (2, 1)")),
    ("squares", lambda y: y.enclose(box={"a": ([1, 2, 3], 4)}), ("ValueError: box: bounds of shape "
     "(3,) do not fit a of shape (2,)")),
    ("squares", lambda y: y.enclose(box={"a": (1, np.inf)}), ("ValueError: box: a bound of a is "
     "inf, which is no finite number")),
    ("squares", lambda y: y.enclose(box={"a": (1, 1j)}), ("ValueError: box: a bound of a is 1j, "
     "which is no finite number")),
]  # fmt: skip
"""What cannot be enclosed or asked, and all that is said of it."""


@pytest.mark.parametrize(("name", "ask", "expected"), MISTAKES)
def test_mistakes_are_told_in_full(name, ask, expected):
    """The text says what is wrong, and what there is instead."""
    with pytest.raises((SymtapeError, TypeError, ValueError)) as caught:
        ask(ASKED[name][1])
    assert f"{type(caught.value).__name__}: {caught.value}" == expected


def test_a_box_decides_kinks():
    """What is not decided over the box is told as relations, and nothing else."""
    _, y, (g, _) = recorded(lambda a, b: tf.reduce_sum(tf.nn.relu(a * b) + abs(a)), [1.0, 2.0], 3.0)
    a, b = sp.IndexedBase("a"), sp.Symbol("b")
    assert g.enclose(box={"a": (1, 2), "b": (1, 2)}).kinks == ()
    assert g.enclose(box={"a": (1, 2), "b": (1, 2)}).is_positive
    found = g.enclose(box={"b": (-1, 1)}).kinks
    assert set(found) == {sp.Gt(b * a[k], 0) for k in range(2)}
    found = y.enclose(box=[(sp.Symbol("a"), ([-1, 1], 2))]).kinks
    assert set(found) == {sp.Gt(a[0], 0), sp.Gt(b * a[0], 0)}


def test_a_box_decides_which_entry_is_the_largest():
    """Each entry that may be is told beside the first, and one that cannot be is not."""
    x = tf.constant([0.5, 0.7, 0.2], tf.float64, name="x")
    a = sp.IndexedBase("x")
    with tf.GradientTape() as tape:
        tape.watch(x)
        largest, least = tf.reduce_max(x), tf.reduce_min(x)
    everywhere = {sp.Gt(a[1], a[0]), sp.Gt(a[2], a[0])}
    for y in (largest, least):
        assert set(y.enclose(box={"x": (0, 1)}).kinks) == everywhere
        assert y.enclose(box={"x": ([0, 2, 4], [1, 3, 5])}).kinks == ()
    near = {"x": ([0, 0, 4], [1, 1, 5])}
    assert largest.enclose(box=near).kinks == ()
    assert set(least.enclose(box=near).kinks) == {sp.Gt(a[1], a[0])}


MATRICES = {
    "inverse": (tf.linalg.inv, np.linalg.inv),
    "determinant": (tf.linalg.det, np.linalg.det),
    "logarithm of a determinant": (tf.linalg.logdet, lambda a: np.linalg.slogdet(a)[1]),
    "Cholesky": (tf.linalg.cholesky, np.linalg.cholesky),
    "eigenvalues": (tf.linalg.eigvalsh, np.linalg.eigvalsh),
    "singular values": (
        lambda a: tf.linalg.svd(a, compute_uv=False),
        lambda a: np.linalg.svd(a, compute_uv=False),
    ),
    "solution": (
        lambda a: tf.linalg.solve(a, tf.ones([3, 1], tf.float64)),
        lambda a: np.linalg.solve(a, np.ones((3, 1))),
    ),
}


@pytest.mark.parametrize("width", [0.001, 0.03, 0.3])
@pytest.mark.parametrize("name", MATRICES)
def test_a_box_of_matrices_has_what_its_matrices_have(name, width):
    """What NumPy computes of matrices in the box lies in the enclosure, but for rounding."""
    function, floats = MATRICES[name]
    rng = np.random.default_rng(3)
    middle = rng.uniform(-1, 1, (3, 3))
    middle = middle @ middle.T + 2 * np.eye(3)
    _, y, _ = recorded(lambda a: function((a + tf.transpose(a)) / 2), middle)
    low, high = y.enclose(box={"a": (middle - width, middle + width)}).numpy()
    for _ in range(60):
        at = middle + width * rng.choice([-1, 1, 0.5], (3, 3))
        found = floats((at + at.T) / 2)
        assert np.all(low - 1e-12 <= found)
        assert np.all(found <= high + 1e-12)
    if width < 0.01:
        assert np.all(high - low < 0.1)


def test_cutting_a_box_gives_closer_bounds():
    """a² - 2a + 2 is positive, which is seen in pieces."""
    _, y, _ = recorded(lambda a: a * a - 2 * a + 2, 1.0)
    whole = y.enclose(box={"a": (0, 2)})
    pieces = y.enclose(box={"a": (0, 2)}, splits=40)
    assert whole.is_positive is None
    assert pieces.is_positive is True
    assert whole.lower < pieces.lower <= 1
    assert 2 <= pieces.upper < whole.upper


def test_a_comparison_over_a_box():
    """A truth holds for all points, for none, or neither is known."""
    x = tf.Variable(1.0, name="x")
    with tf.GradientTape():
        truth = x * x > 4.0
    assert truth.enclose().is_true is False
    for bounds, expected in [((3, 4), True), ((-1, 1), False), ((1, 3), None)]:
        assert truth.enclose(box={"x": bounds}).is_true is expected


@pytest.mark.parametrize("ask", [lambda x: x * x > x, lambda x: tf.logical_not(x * x <= x)])
def test_a_condition_that_is_an_operand(ask):
    """What a choice was made by is told once, as the relation that it is."""
    _, y, (g,) = recorded(lambda a: tf.where(ask(a), a * a, a), 2.0)
    a = sp.Symbol("a")
    for e in (y.enclose(box={"a": (0.5, 2)}), g.enclose(box={"a": (0.5, 2)})):
        assert e.kinks in {(sp.Gt(a * a, a),), (sp.Le(a * a, a),)}
    e = g.enclose(box={"a": (1.5, 2)})
    assert (e.kinks, e[()].lower, e.upper) == ((), 3, 4)
    truth = recorded(lambda a: tf.cast(a, tf.bool), 0.5)[1]
    assert truth.enclose(box={"a": (0, 1)}).kinks == (sp.Ne(a, 0),)


def test_control_flow_may_take_another_branch():
    """The formula holds where the path is the same; else it is refused, or asked for as it is."""
    x = tf.Variable(1.0, name="x")
    with tf.GradientTape():
        y = x * 3.0 if x > 0.5 else -x
    assert y.enclose(box={"x": (0.75, 1)}).upper == 3
    for bounds, words in [((0, 1), "is not certain over the box"), ((0, 0.25), "fails in the box")]:
        with pytest.raises(tf.errors.PathConditionError, match=f"x > 1/2.*{words}"):
            y.enclose(box={"x": bounds}, splits=5)
    assert y.enclose(box={"x": (0, 1)}, check=False).lower == 0


def test_a_place_that_was_read_holds_over_a_box():
    """Where the largest stays the largest, the slice that it ends is as it was."""
    _, y, _ = recorded(lambda x: tf.reduce_sum(x[: int(tf.argmax(x)) + 1] ** 2), [0.5, 0.75, 0.25])
    e = y.enclose(box={"a": ([0.5, 0.75, 0], [0.625, 1, 0.25])})
    assert (float(e.lower), float(e.upper)) == (0.25 + 0.5625, 0.390625 + 1)
    with pytest.raises(tf.errors.PathConditionError, match=r"where .*a\[1\] > a\[0\].* fails in"):
        y.enclose(box={"a": ([2, 0.75, 0.25], [3, 1, 0.5])})


POSITIVE, SMALL, LARGE = sp.Gt(A_REAL, 0), sp.Lt(A_REAL, 1), sp.Gt(A_REAL, 2)
OPENED = [
    (POSITIVE, {POSITIVE}), (sp.And(POSITIVE, SMALL), {POSITIVE}),
    (sp.And(POSITIVE, LARGE), set()), (sp.Or(POSITIVE, SMALL), set()),
    (sp.Or(POSITIVE, LARGE), {POSITIVE}), (sp.Not(sp.And(POSITIVE, SMALL)), {POSITIVE}),
    (sp.Or(LARGE, sp.And(SMALL, sp.Or(LARGE, POSITIVE))), {POSITIVE}),
    (sp.Xor(POSITIVE, SMALL, evaluate=False), {POSITIVE}),
    (sp.ITE(POSITIVE, LARGE, SMALL), {POSITIVE}), (sp.ITE(SMALL, POSITIVE, LARGE), {POSITIVE}),
    (sp.Piecewise((1, sp.And(SMALL, POSITIVE)), (2, True)), {POSITIVE}),
    (sp.Abs(A_REAL), {POSITIVE}), (sp.sign(A_REAL), {POSITIVE}), (sp.sign(A_REAL - 2), set()),
    (sp.Max(A_REAL, 1), set()), (sp.floor(A_REAL), {sp.Eq(A_REAL, sp.floor(A_REAL))}),
    (sp.ceiling(A_REAL), {sp.Eq(A_REAL, sp.ceiling(A_REAL))}), (sp.floor(A_REAL / 4 + 0.5), set()),
    (sp.Piecewise((1, LARGE), (2, SMALL), (3, POSITIVE), (4, True)), set()),
]  # fmt: skip
"""Conditions of a number between -1/2 and 1/2, and the relations that leave them open."""


@pytest.mark.parametrize(("condition", "expected"), OPENED, ids=str)
def test_what_leaves_a_condition_open_is_told(condition, expected):
    """Of conditions within conditions only what decides nothing is."""
    told = []
    known = {A_REAL: ball_arithmetic.interval(*[flint().arb(v) for v in (-0.5, 0.5)])}
    Body(known, told.append).result(condition)
    assert set(told) == expected


def test_an_order_that_changes_in_the_box_is_refused():
    """Sorted entries have no enclosure where their order is open, and have one where it is not."""
    _, y, _ = recorded(tf.sort, [1.0, 2.0])
    assert y.enclose(box={"a": ([1, 2], [1.5, 3])}).lower.tolist() == [1, 2]
    with pytest.raises(NoExactFormError, match="the order of entries is not decided"):
        y.enclose(box={"a": (1, 3)})
    _, y, _ = recorded(lambda x: tf.gather(2.0 ** x[3:], tf.argsort(x[:3])), [1.0, 1, 0, 1, 2, 3])
    assert y.enclose().lower.tolist() == [8, 2, 4]
    assert y.numpy().tolist() == [8, 2, 4]


def test_equal_quantities_are_equal_whatever_is_known_of_them():
    """The largest of some numbers is one of them, so that its slope is not open."""
    _, _, (g,) = recorded(lambda a: tf.reduce_max(tf.sin(a)), [1.0, 2.0, 1.5])
    assert g.enclose().contains([0, 0, sp.cos(sp.Rational(3, 2))])
    e = g.enclose(box={"a": ([0.5, 2, 1.25], [0.75, 2.5, 1.5])})
    assert e.kinks == ()
    assert e[0].lower == e[1].upper == 0


def test_enclosures_of_two_threads():
    """The working precision is one for all: threads wait for each other."""
    from concurrent.futures import ThreadPoolExecutor  # noqa: PLC0415 - for this test alone

    _, y, _ = recorded(tf.exp, 0.5)
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda bits: (bits, y.enclose(bits)), [40, 400, 4000] * 20))
    assert all(e.contains(sp.exp(sp.Rational(1, 2))) for _, e in found)
    assert all(e.digits * math.log2(10) > bits - 5 for bits, e in found)


def test_the_judge_of_a_run_counts(capsys):
    """`python -m tests.enclosures` prints what it found; its status says whether all is well."""
    assert enclosures.main(4) == 0
    assert "4 programs at a point" in capsys.readouterr().out
    ball = flint().arb(1)
    assert verdict(ball, around(2, 2)) == "TOO NARROW"
    assert verdict(ball, around(1, 1)) == "contained"
    assert ball_functions.FUNCTIONS is FUNCTIONS
