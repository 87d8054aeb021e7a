"""The shortest form of a scalar expression: short, equal, and undefined where it was."""

from __future__ import annotations

import math

import pytest
import sympy as sp
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

import symtape as tf
from symtape.forms.index.brackets import Iverson
from symtape.forms.matrix.exponents import divided
from symtape.forms.matrix.writing.size import Length
from symtape.forms.named import expanded, normal_cdf, normal_pdf, sigmoid
from symtape.forms.scalars.cases.signs import with_joined_signs
from symtape.forms.scalars.elements import Shortener, shortest
from symtape.forms.scalars.factoring import factored
from tests.sampling import ALL

x, y, z, m = sp.symbols("x y z m", real=True)
s = sp.Symbol("s", positive=True)
exp, log, tanh, erf, sqrt, pi = sp.exp, sp.log, sp.tanh, sp.erf, sp.sqrt, sp.pi
_HALF = sp.Rational(1, 2).__mul__
LOGISTIC = 1 / (1 + exp(-z))

SHORT = {
    "logistic function": (LOGISTIC, sigmoid(z)),
    "the other way": (exp(z) / (exp(z) + 1), sigmoid(z)),
    "its mirror": (1 / (1 + exp(z)), sigmoid(-z)),
    "its slope": (exp(-z) / (1 + exp(-z)) ** 2, sigmoid(z) * (1 - sigmoid(z))),
    "a residual": (LOGISTIC - y, sigmoid(z) - y),
    "cross entropy": (
        y * exp(-z) / (1 + exp(-z))
        + (y - 1) * exp(-z) / ((1 - LOGISTIC) * (1 + exp(-z)) ** 2),
        y - sigmoid(z),
    ),
    "labels of both signs": (-y * exp(-y * z) / (1 + exp(-y * z)), -y * sigmoid(-y * z)),
    "its logarithm": (log(LOGISTIC), log(sigmoid(z))),
    "slope of a length": (1 / sqrt(1 + x**2) - x**2 / sqrt(1 + x**2) ** 3, (1 + x**2) ** _HALF(-3)),
    "curvature of a Lorentz factor": (
        1 / sqrt(1 - x**2) ** 3 + 3 * x**2 / sqrt(1 - x**2) ** 5,
        (1 + 2 * x**2) * (1 - x**2) ** _HALF(-5),
    ),
    "a radicand in factors": (
        -x / (sqrt((1 - x) * (1 + x)) * (x**2 - 1)),
        x * (1 - x**2) ** _HALF(-3),
    ),
    "a number in a radicand": (-1 / (2 * sqrt(1 - x**2 / 4)), -1 / sqrt(4 - x**2)),
    "a number that roots share": (
        sqrt(2) / (sqrt(s) * sqrt(2 + 2 * s)), 1 / (sqrt(s) * sqrt(1 + s))
    ),
    "a cube in a radicand": (8 / sp.cbrt(8 * x + 8 * s) ** 2, 2 / sp.cbrt(x + s) ** 2),
    "a number that stays in a root": (1 / sqrt(2 + 2 * s), 1 / sqrt(2 + 2 * s)),
    "hyperbolic functions": (sp.sinh(x) / sp.cosh(x), tanh(x)),
    "their squares": (1 - sp.sinh(x) ** 2 / sp.cosh(x) ** 2, 1 / sp.cosh(x) ** 2),
    "a number and its sign": (x * sp.sign(x) + sp.Abs(x), 2 * sp.Abs(x)),
    "a sign over a size": (sp.sign(x) / sp.Abs(x), 1 / x),
    "a square in a divisor": (log(z) / (4 + x**2 - 2 * x * y + y**2), log(z) / (4 + (x - y) ** 2)),
    "no square": (log(z) / (4 + x**2 - 3 * x * y + y**2), log(z) / (4 + x**2 - 3 * x * y + y**2)),
    "a divisor that cannot be zero": (s * (2 + 1 / s) * log(x), (1 + 2 * s) * log(x)),
    "a divisor that may be zero": (x * (2 + 1 / x) * log(y), x * (2 + 1 / x) * log(y)),
    "a copula (Frank 1979)": (
        exp(-x * y) * (1 - exp(-x * z))
        / ((exp(-x) - 1) * (1 + (exp(-x * y) - 1) * (exp(-x * z) - 1) / (exp(-x) - 1))),
        (exp(x * z) - 1) / (1 + (exp(x * (z - 1)) - 1) * exp(x * y) - exp(x * z)),
    ),
    "terms with one divisor": (
        (x / (x - y) - x**2 / (x - y) ** 2 + z / (x - s)) / sp.sqrt(1 + x**2),
        (z / (x - s) - x * y / (x - y) ** 2) / sp.sqrt(1 + x**2),
    ),
    "terms under one root": (
        s * x / ((x - y) ** 2 * sp.sqrt(1 + x**2)) + z / ((x - s) * sp.sqrt(1 + x**2)),
        (s * x / (x - y) ** 2 + z / (x - s)) / sp.sqrt(1 + x**2),
    ),
    "a difference that is a variable": (
        2 * (x - y) ** 2 * s**2 / (s**2 + (x - y) ** 2) ** 3 - s**2 / (s**2 + (x - y) ** 2) ** 2,
        s**2 * ((x - y) ** 2 - s**2) / (s**2 + (x - y) ** 2) ** 3,
    ),
    "powers of what is positive": (
        y * (1 + s) ** (y - 1) - y * s * (1 + s) ** (y - 2),
        y * (1 + s) ** (y - 2),
    ),
    "a hyperbolic sine": (exp(x) / 2 - exp(-x) / 2, sp.sinh(x)),
    "hyperbolic functions among others": (
        log(s) + exp(2 * x) + y * exp(x) + exp(-2 * x) - y * exp(-x),
        log(s) + 2 * sp.cosh(2 * x) + 2 * y * sp.sinh(x),
    ),
    "a fraction in parts": ((2 * s * log(s) - 1) / (2 * s), log(s) - 1 / (2 * s)),
    "polynomials": (
        y * (1 - 4 * x) + z * (4 * x - 3) + (1 - 2 * x) * (y - z),
        2 * y - 4 * z + 6 * x * (z - y),
    ),
    "a power of itself": (s**s * log(s) + s**s, s**s * (log(s) + 1)),
    "a shared factor": (
        z * sigmoid(z) - z * sigmoid(z) * log(s) ** 2 + y,
        z * sigmoid(z) * (1 - log(s) ** 2) + y,
    ),
    "a number that all share": ((2 + 2 * log(s) ** 2) * log(s), 2 * (1 + log(s) ** 2) * log(s)),
    "a bell without its factor": (
        x**2 * exp(-(x**2) / 2) - exp(-(x**2) / 2),
        (x**2 - 1) * exp(-(x**2) / 2),
    ),
    "tanh by exponentials": ((exp(z) - exp(-z)) / (exp(z) + exp(-z)), tanh(z)),
    "normal distribution": (erf(z / sqrt(2)) / 2 + sp.Rational(1, 2), normal_cdf(z)),
    "slope of gelu": (
        erf(z / sqrt(2)) / 2 + sp.Rational(1, 2) + z * exp(-(z**2) / 2) / sqrt(2 * pi),
        normal_cdf(z) + z * normal_pdf(z),
    ),
    "density": (
        exp(-(((x - m) / s) ** 2) / 2) / (s * sqrt(2 * pi)), normal_pdf((x - m) / s) / s
    ),
    "quotient": (1 / (z + 1) - z / (z + 1) ** 2, (z + 1) ** -2),
    "entropy": (-log(x) + log(1 - x) - 1 - (x - 1) / (1 - x), -log(x) + log(1 - x)),
    "a divisor that a logarithm has": (
        log(x / (x + y)) + 1 - x / (x + y) - y / (x + y), log(x / (x + y)),
    ),
    "powers of one base": (
        ((1 + x**2) * (1 + x**2) ** (-1 - 1 / s) - 1) / (1 + x**2),
        ((1 + x**2) ** (-1 / s) - 1) / (1 + x**2),
    ),
    "quotients of sums": (
        y * (1 / (1 + x) ** 2 + 1 / (x * (1 + x))) - m / (s - 1) ** 2,
        y * (2 * x + 1) / (x * (1 + x) ** 2) - m / (s - 1) ** 2,
    ),
    "two logistic functions": (
        y / (1 + exp(-z)) + tanh(x) / (1 + exp(-m)), y * sigmoid(z) + tanh(x) * sigmoid(m)
    ),
    "few symbols": (
        sigmoid(z) * (x - x * tanh(y) ** 2), x * sigmoid(z) * (1 - tanh(y) ** 2)
    ),
    "a bracket of what is zero": (Iverson(x > 0) * sp.Max(0, x), sp.Max(0, x)),
    "a bracket of something else": (Iverson(y > 0) * sp.Max(0, x), Iverson(y > 0) * sp.Max(0, x)),
    "bounds on both sides": (
        Iverson(x <= 1) * Iverson(sp.Min(1, x) >= 0) * y, Iverson((x >= 0) & (x <= 1)) * y
    ),
    "a bound that holds": (Iverson(sp.Max(2, x) >= 1) * y, y),
    "a bound that does not": (Iverson(sp.Max(0, x) <= -1) * y, sp.S.Zero),
    "a difference of squares": (
        y / sqrt((1 - x - exp(z)) * (1 + x + exp(z))), y / sqrt(1 - (x + exp(z)) ** 2)
    ),
    "a difference of squares with a root that may have none": (
        (1 - sqrt(x)) * (1 + sqrt(x)), (1 - sqrt(x)) * (1 + sqrt(x))
    ),
    "a sum of squares and of a difference of them": (
        log(z) / (x**4 + y**4 - 2 * x**2 * y**2 + x**2 * z**2) ** 2,
        log(z) / ((x**2 - y**2) ** 2 + x**2 * z**2) ** 2,
    ),
    "numbers that cancel in a term": (
        y - (2 - 2 * m) * log(x) / (2 * (x + y)), y - (1 - m) * log(x) / (x + y)
    ),
    "numbers of a square that cancel in a term": (
        log(x) - 4 * y / (2 * m * x + 2 * z * y) ** 2, log(x) - y / (m * x + z * y) ** 2
    ),
    "a divisor that cannot be zero, in a term": (
        log(1 + x / s) - x / (s * (1 + x / s)), log(1 + x / s) - x / (s + x)
    ),
    "a plain exponential": (exp(z) * y, exp(z) * y),
    "a plain tanh": (1 - tanh(z) ** 2, 1 - tanh(z) ** 2),
}  # fmt: skip


@pytest.mark.parametrize("name", SHORT)
def test_shortest_form(name):
    """What books write comes out."""
    e, wanted = SHORT[name]
    found = shortest(e, Length({}).of)
    assert found == wanted
    assert Length({}).of(found) <= Length({}).of(e)
    point = {x: 0.3, y: 0.7, z: -1.2, m: 0.9, s: 1.7}
    assert abs(sp.N((expanded(found) - e).xreplace(point), 30)) < 1e-15


KEPT = [
    (x**2 - 1) / (x - 1), sp.Abs(x) / x, (x * y + x) / (x * (y + 2)), sqrt(x**2), log(x * y),
    (exp(2 * x) - 1) / (exp(x) - 1), (x * exp(x) + x * y) / (x * exp(x) + x), log(x**2),
    (x - 1) / (x**2 - 1) + y / (x - 1) * (1 - x), (x * y + x) * exp(-y / x) / x,
    (x * y + x) * exp(-y) / x, log(x / (x + y)) + 1 - x / (x + 1) - 1 / (x + 1),
    (-x - 1) / (x + 1), -x / (x + 1) - 1 / (x + 1), y * (2 * x - 2) / (3 - 3 * x),
    x / (x - 1) ** 2 - 1 / (x - 1) ** 2 + y / (x + 1), x ** (y - 1) / x, x**y / (x * y - x),
    x * x**y / (x * y - x), x ** (y - 1) * exp(y) / x + y, x**y * x ** (y - 1) / x,
    (x - 1) / ((3 - 3 * x) * (2 * y - 2 * x)),
]  # fmt: skip


@pytest.mark.parametrize("e", KEPT, ids=str)
def test_nothing_is_cancelled_that_changes_where_it_holds(e):
    """What was undefined at a point is undefined there in the shortest form."""
    found = expanded(shortest(e, Length({}).of))
    for at in (0, 1, -1):
        was = e.xreplace({x: sp.Integer(at), y: sp.Integer(3)})
        now = found.xreplace({x: sp.Integer(at), y: sp.Integer(3)})
        if was.has(sp.nan, sp.zoo):
            assert now.has(sp.nan, sp.zoo), (found, at)


PARTS = [
    x, x - 1, x + 1, 1 / x, 1 / (x - 1), 1 / (x + 1), 1 / (x - 1) ** 2, y, log(x), exp(x), exp(-x),
    1 / (exp(x) - 1), exp(x) - 1, sigmoid(x), tanh(x), 1 / tanh(x), sp.Abs(x), sp.sign(x), y - 1,
    1 / sp.Abs(x), sqrt(1 + x**2), 1 / sqrt(x + 1), sqrt(x + 1), 2 * x - 2, 1 / (3 - 3 * x), x - y,
    1 / (x - y), (x - y) ** 2, 1 / (2 * y - 2 * x), sp.Integer(2), sp.Integer(-1), x**y,
    1 / (exp(x) - exp(-x)), exp(x) - exp(-x), x ** (y - 1), 1 / (x * y - x),
]  # fmt: skip


@example([[1 / x, exp(x)], [exp(x), exp(x)]], x, False)
@example([[x - 1, 1 / x, x**y], [1 / x, x**y]], x, False)
@example([[x], [x, x], [x, x, x - 1, 1 / x]], 1 / x, False)
@example([[x - 1, 1 / (3 - 3 * x), 1 / (2 * y - 2 * x)]], sp.Integer(1), False)
@example([[x, x - 1], [x - 1, 1 / x, x ** (y - 1)]], x, False)
@settings(max_examples=800 if ALL else 25, deadline=None)
@given(
    st.lists(st.lists(st.sampled_from(PARTS), min_size=1, max_size=4), min_size=1, max_size=3),
    st.sampled_from(PARTS),
    st.booleans(),
)
@pytest.mark.slow
def test_what_is_undefined_at_a_point_stays_so(products, factor, joins):
    """Random sums of products, at 0, 1, -1, and where a difference is zero."""
    e = factor * sp.Add(*[sp.Mul(*own) for own in products])
    found = expanded(shortest(e, Length({}).of, joins=joins, is_real=True))
    for a in (0, 1, -1, 3):
        point = {x: sp.Integer(a), y: sp.Integer(3)}
        ways = (e, expanded(e))  # which may have x**y/x**2 for x**(y - 2)
        if all(way.xreplace(point).has(sp.nan, sp.zoo) for way in ways):
            assert found.xreplace(point).has(sp.nan, sp.zoo), (found, a)


LEAVES = st.sampled_from([x, y, sp.Integer(1), sp.Integer(2), sp.Rational(1, 2)])


def expressions(inner: st.SearchStrategy[sp.Expr]) -> st.SearchStrategy[sp.Expr]:
    """Draw an operation on expressions."""
    pairs = st.tuples(inner, inner)
    return st.one_of(
        pairs.map(lambda p: p[0] + p[1]),
        pairs.map(lambda p: p[0] * p[1]),
        pairs.map(lambda p: p[0] / (1 + p[1] ** 2)),
        pairs.map(lambda p: p[0] - p[1]),
        inner.map(lambda e: 1 / (1 + exp(-e))),
        inner.map(lambda e: exp(-e)),
        inner.map(tanh),
        inner.map(lambda e: exp(-(e**2) / 2)),
        inner.map(lambda e: erf(e / sqrt(2))),
    )


@settings(max_examples=60 if ALL else 8, deadline=None)
@given(st.recursive(LEAVES, expressions, max_leaves=6))
@pytest.mark.slow
def test_the_shortest_form_is_equal_and_no_longer(e):
    """Random expressions keep their value, and never get longer."""
    length = Length({}).of
    assume(length(e) < 80)
    found = shortest(e, length)
    assert length(found) <= length(e)
    for a, b in ((0.31, -0.77), (1.9, 0.45)):
        point = {x: sp.Float(a, 40), y: sp.Float(b, 40)}
        was, now = (sp.N(f.xreplace(point), 30) for f in (e, expanded(found)))
        assert abs(was - now) <= sp.Float(10) ** -25 * (1 + abs(was))


FACTORS = [
    sp.Integer(2), sqrt(2), sqrt(3), pi, sp.Rational(1, 3), x, x**2, 1 / x, x**s, (1 + x**2) ** y,
    (1 + x**2) ** (y - 1), sp.sign(x), sp.Abs(x), 1 / sp.Abs(x), sp.Abs(x) ** s, sp.sign(y),
    sp.Abs(y) ** 3, y, exp(x), exp(y), exp(-x * y), log(2), 1 + x**2, 1 / (1 + x**2), tanh(x),
    sp.Max(0, x), sp.Min(1, sp.Max(0, x)), Iverson(x > 0), Iverson(x <= 1), sqrt(1 + x**2),
    sigmoid(x), sigmoid(x) ** 2, 1 - sigmoid(x), sigmoid(y), x - y, (x - y) ** 2, 1 / (s + x**2),
    1 / ((x - y) ** 2 + 1), exp(x) - exp(-x), y * exp(x) + y * exp(-x), sp.I, x + sp.I * y,
    1 / (x - sp.I * y), sp.re(sp.sign(x + sp.I * y)), sp.im(sp.sign(x - sp.I * y)),
]  # fmt: skip
COMPLEX_DIVISORS = [
    [Iverson(x <= 1), sqrt(1 + x**2), exp(x)],
    [
        *(1 / ((x - y) ** 2 + 1), sp.sign(x), exp(-x * y), 1 - sigmoid(x), 1 / (x - sp.I * y)),
        sp.Max(0, x),
    ],
    [sp.re(sp.sign(x + sp.I * y)), (x - y) ** 2, exp(x) - exp(-x), sp.Max(0, x), sigmoid(x)],
]
"""Where products of what is divided by are factored, this takes minutes."""
PRODUCTS = st.lists(st.sampled_from(FACTORS), min_size=2, max_size=6)


@settings(max_examples=800 if ALL else 12, deadline=None)
@given(st.lists(PRODUCTS, min_size=1, max_size=3), st.sampled_from([1, -1, 2]), st.booleans())
@example(COMPLEX_DIVISORS, 1, False)
@pytest.mark.slow
def test_sums_of_products_keep_their_value(products, number, joins):
    """Each factor counts, though others have its base: 2 √2 sign(x), exp(x) exp(y), -i x."""
    terms = [sp.Mul(*own) for own in products]
    e = sp.Add(*terms[1:], number * terms[0])
    found = shortest(e, Length({}).of, joins=joins, is_real=True)
    for a, b, c in ((-1.3, 0.7, 2.5), (0.9, -0.4, 2.0), (1.7, 0.6, 0.3)):
        point = {x: sp.Float(a, 40), y: sp.Float(b, 40), s: sp.Float(c, 40)}
        was, now = (sp.N(expanded(f).xreplace(point).doit(), 30) for f in (e, found))
        assert abs(was - now) <= sp.Float(10) ** -25 * (1 + abs(was)), found


LETTERS = sp.symbols("a:f")
MONOMIALS = st.lists(st.tuples(st.sampled_from(LETTERS), st.integers(1, 2)), max_size=3)
POLYNOMIALS = st.lists(st.tuples(st.integers(-3, 3), MONOMIALS), min_size=1, max_size=4)


@settings(max_examples=400 if ALL else 15, deadline=None)
@given(st.lists(POLYNOMIALS, min_size=1, max_size=3))
def test_factors_are_those_of_sympy(parts):
    """What is linear in one of many symbols has the same factors as by SymPy's search."""
    own = [sp.Add(*[n * sp.Mul(*[v**k for v, k in m]) for n, m in terms]) for terms in parts]
    e = sp.expand(sp.Mul(*own))
    assume(not e.is_number)
    number, powers = factored(e)
    assert sp.expand(number * sp.Mul(*[f**k for f, k in powers])) == e
    expected, found = sp.factor_list(e)
    assert (number, dict(powers)) == (expected, dict(found))


def test_signs_beside_numbers_with_roots_and_exponentials():
    """The factor 2 of 2√2 and exp(x) of exp(x) exp(y) stay where a sign is joined."""
    v = tf.Variable(1.3, dtype=tf.float64, name="x")
    with tf.GradientTape() as tape:
        z = 2 * math.sqrt(2.0) * abs(v) * tf.exp(v)
    found = tape.gradient(z, v)
    assert found.text() == "2 √2 exp(x) (|x| + sign(x))"
    assert abs(sp.N(found.expr.subs({"x": 1.3})) - float(found)) < 1e-12


@pytest.mark.parametrize("power", [sp.Rational(1, 2), 1, sp.Rational(3, 2), 2, 3, -1, -2])
def test_signs_of_sizes_count_each_factor_once(power):
    """What is its own size is beside its sign as often as it is written."""
    n = sp.Symbol("n", nonnegative=True)
    e = n**power * sp.sign(n)
    for found in (with_joined_signs(e), shortest(e, Length({}).of)):
        assert found.subs(n, sp.Rational(2, 3)) == e.subs(n, sp.Rational(2, 3))


def test_the_sign_of_a_root_has_a_formula_that_holds():
    """√(x²) sign(√(x²)) is |x|, also where x is below zero."""
    x = tf.Variable(-3.0, dtype=tf.float64, name="x")
    with tf.GradientTape() as tape:
        y = tf.sqrt(x * x) * tf.sign(tf.sqrt(x * x))
    names = {"abs": abs, "sign": lambda v: math.copysign(1.0, v), "x": -3.0}
    for t, expected in ((y, 3.0), (tape.gradient(y, x), -1.0)):
        printed = sp.sympify(t.text("python").replace("np.", ""), locals=names)
        assert printed == float(t) == expected


def test_letters_of_functions_are_kept_apart_from_those_of_leaves():
    """Where a leaf is called sigma, the logistic function is no letter."""
    for name, wanted in (("w", r"\sigma(w)"), ("sigma", r"\operatorname{sigmoid}(\sigma)")):
        for value in (0.5, [0.5, 1.0]):
            leaf = tf.Variable(value, name=name)
            with tf.GradientTape():
                result = tf.sigmoid(leaf)
            assert result.latex() == wanted


@pytest.mark.slow
def test_work_is_bounded_by_counts():
    """What is long is shortened until so much was tried, on every machine as much."""
    shortener = Shortener(Length({}).of, joins=True)
    sums = [s**s * sp.Mul(*[log(s + k + j) for j in range(16)]) + s**s for k in range(200)]
    kept = [shortener.of(e) == e for e in sums]
    assert not kept[0]
    assert kept[-1]


DIVIDED = {
    "a power beside it": (exp(2 * x) * y**2, 2),
    "terms with powers": (exp(x) * y**2 + 3 * exp(x) * sp.sin(y) ** 3, 1),
    "a quotient": (exp(3 * x) * y + exp(3 * x) / y, 3),
    "a number": (5 * exp(x), 1),
    "a term without it": (exp(x) + 1, 0),
    "terms with other powers": (exp(x) + exp(2 * x), 0),
    "a root of it": (exp(x / 2) * y, 0),
    "its inverse": (exp(-x) * y, 0),
    "a function of it": (exp(x) * log(exp(x) + 1), 0),
}


@pytest.mark.parametrize("name", DIVIDED)
def test_what_is_divided_by_an_exponential_is_whole(name):
    """The rest times the exponential, as often as all terms have it, is what was given."""
    e, times = DIVIDED[name]
    rest, count = divided(e, x)
    assert (count, sp.simplify(rest * exp(x) ** count - e)) == (times, 0)
    assert not times or not rest.has(x)
