"""Residues: formulas that are equal have equal residues, beside the number that floats give."""

from __future__ import annotations

import math
import operator
from fractions import Fraction

import numpy as np
import pytest
import sympy as sp

import symtape as tf
from symtape.errors import NoExactFormError, UnsupportedError
from symtape.exact.complex_residues import ComplexResidue, ComplexResidues
from symtape.exact.residue_bodies import Residues, _body
from symtape.exact.residues import LOOSE, Residue
from symtape.exact.square_roots import Pair, square_root
from symtape.program.evaluation.evaluation import evaluate

x, y = sp.symbols("x y", positive=True)
POINTS = [(Fraction(1, 2), Fraction(3)), (Fraction(7, 4), Fraction(1, 8))]


def residue(e, point, salt=1):
    """Compute a formula of x and y."""
    field = Residues(salt)
    given = [field.fraction(v.numerator, v.denominator) for v in point]
    return _body(sp.sympify(e), (x, y))(field, *given)


SAME = [
    (x * (x + y) - x**2, x * y), (x / y * y, x), ((x + y) ** -2 * (x + y) ** 3, x + y),
    (sp.Float("0.1") * 10, sp.Integer(1)), (sp.sqrt(x * y), sp.sqrt(x) * sp.sqrt(y)),
    (sp.sqrt(x) ** 3, x ** sp.Rational(3, 2)), (x ** sp.Rational(-1, 2), 1 / sp.sqrt(x)),
    (sp.exp(x, evaluate=False) * sp.exp(y), sp.exp(x + y)), (sp.exp(sp.log(x) + sp.log(y)), x * y),
    (sp.exp(sp.log(x) + y), x * sp.exp(y)), (sp.log(sp.exp(x * y)), x * y),
    (sp.exp(y * sp.log(x)), x**y), (sp.E, sp.exp(1)), (sp.pi + sp.pi, 2 * sp.pi),
    (sp.cosh(x) ** 2 - sp.sinh(x) ** 2, sp.Integer(1)),
    (sp.tanh(x), sp.sinh(x) / sp.cosh(x)), (sp.coth(x), sp.cosh(x) / sp.sinh(x)),
    (sp.cos(x) ** 2 + sp.sin(x) ** 2, sp.Integer(1)), (sp.tan(x), sp.sin(x) / sp.cos(x)),
    (sp.sin(x - y), -sp.sin(y - x)), (sp.cos(x - y), sp.cos(y - x)),
    (sp.erf(x) + sp.erfc(x), sp.Integer(1)), (sp.erf(x - y), -sp.erf(y - x)),
    (sp.atan(x - y), -sp.atan(y - x)), (sp.gamma(x + y), sp.gamma(y + x)),
    (sp.Abs(x - y), sp.Max(x, y) - sp.Min(x, y)), (sp.sign(x - y) * sp.Abs(x - y), x - y),
    (sp.floor(x) + 1, sp.ceiling(x)), (sp.ceiling(x), -sp.floor(-x)),
    (sp.Piecewise((x, x > y), (y, True)), sp.Max(x, y)),
    (sp.Piecewise((x, sp.Or(x < y, sp.Eq(x, y))), (y, True)), sp.Min(x, y)),
    (sp.Piecewise((y, sp.And(x > 0, sp.Not(sp.Ne(y, y + x)))), (x, True)), x),
    (sp.re(sp.Symbol("r") + x).subs(sp.Symbol("r"), y), x + y),
    (sp.oo - x, sp.oo), (x / sp.oo + y, y), (sp.exp(-sp.oo * x), sp.Integer(0)),
]  # fmt: skip
"""Two ways to write one function; SymPy leaves them as they are written, or not."""


@pytest.mark.parametrize("pair", SAME, ids=str)
def test_what_is_equal_has_equal_residues(pair):
    """In both fields, where the law holds in both; and the real numbers are those of floats."""
    for point in POINTS:
        one, other = (residue(e, point) for e in pair)
        assert one.p == other.p
        assert one.firm
        expected = float(pair[1].subs({x: point[0], y: point[1]}))
        assert one.real == pytest.approx(expected, rel=1e-14, abs=1e-15)
        assert other.real == pytest.approx(expected, rel=1e-14, abs=1e-15)


DIFFERENT = [
    (x + y, x - y), (sp.exp(x), sp.exp(y)), (sp.sin(x), sp.cos(x)), (sp.erf(x), sp.erfc(x)),
    (sp.gamma(x), sp.gamma(y)), (sp.gamma(x), sp.loggamma(x)), (sp.pi, sp.Rational(22, 7)),
    (sp.EulerGamma, sp.Catalan), (sp.sqrt(x), x), (x ** sp.Rational(1, 3), sp.sqrt(x)),
    (sp.log(x), sp.log(y)), (sp.tanh(x), sp.tanh(y)), (sp.asin(x / 9), sp.atan(x / 9)),
]  # fmt: skip


@pytest.mark.parametrize("pair", DIFFERENT, ids=str)
def test_what_differs_has_other_residues(pair):
    """But for a chance of one over many."""
    for point in POINTS:
        one, other = (residue(e, point) for e in pair)
        assert (one.p, one.q) != (other.p, other.q)


def test_what_is_no_square_has_a_root_of_another_field():
    """Whose square it is; of numbers a + bi each second has one."""
    field = Residues(1)
    found = []
    for n in range(2, 200):
        root = square_root(field.fields, n)
        assert root * root % field.fields.p == n
        assert isinstance(root, Pair) != field.fields.is_square(n)
        found.append(square_root(field.fields, Pair(n, 7)))
        assert found[-1] is None or found[-1] * found[-1] % field.fields.p == Pair(n, 7)
        above, below = (pow(Pair(n, 7), k, field.fields.p) for k in (3, -3))
        assert above * below % field.fields.p == 1
    assert 70 < found.count(None) < 130


def test_what_is_no_square_keeps_what_laws_it_can():
    """Its root squared, its logarithm in an exponential; of products only where they have one."""
    field = Residues(1)
    for n in (k for k in range(2, 40) if not field.fields.is_square(k)):
        number = field.integer(n)
        root, logarithm = field.root(number), field.log(number)
        assert (root.level, logarithm.level) == (LOOSE, LOOSE)
        assert (root * root).p == field.exp(logarithm).p == n
        assert field.exp(logarithm + logarithm).p == n * n
        assert field.exp(field.integer(3) * logarithm).p == n**3
        assert (field.log(root) + field.log(root)).q == logarithm.q
        assert field.rational_power(number, 2, 3).firm


def test_another_trial_draws_other_numbers():
    """Whatever has a law keeps it; what has none is drawn anew."""
    point = POINTS[0]
    assert residue(sp.gamma(x), point, 1).p != residue(sp.gamma(x), point, 2).p
    assert residue(x * y + 1, point, 1).p == residue(x * y + 1, point, 2).p


def test_what_has_no_residues_is_refused():
    """Complex numbers, and what is neither an operation nor a function."""
    field = Residues(1)
    for ask in (
        lambda: residue(sp.I * x, POINTS[0]),
        lambda: residue(sp.Integral(sp.exp(-(x**2)), (x, 0, y)), POINTS[0]),
        lambda: field.number(1j),
        lambda: field.cast(field.integer(1), np.dtype("float64"), np.dtype("complex128")),
    ):
        with pytest.raises(UnsupportedError, match=r"(have|has) no residues; compare digits$"):
            ask()
    with pytest.raises(NoExactFormError, match=r"^'svd' has no residues; compare digits: "):
        field.whole("svd", field, np.eye(2))


def test_parts_of_a_real_number_are_it_and_nothing():
    """Real numbers have the parts that complex ones have."""
    field = Residues(1)
    number = field.fraction(-7, 2)
    assert field.conjugate(number) is field.real(number) is number
    nothing = field.imaginary(number)
    assert (nothing.p, nothing.q, nothing.real) == (0, 0, 0.0)


def test_infinite_numbers_have_no_residues():
    """They count where they disappear; what is no number at all never does."""
    field = Residues(1)
    for value in (np.inf, -np.inf, np.float32(np.inf)):
        found = field.number(value)
        assert (found.p, found.q, found.real, found.firm) == (None, None, float(value), True)
    infinite, two = field.number(np.inf), field.integer(2)
    for found, real in [
        (infinite + two, math.inf), (-infinite, -math.inf), (infinite * two, math.inf),
        (field.powered(infinite, 2), math.inf), (field.exp(infinite), math.inf),
        (field.log(field.integer(0)), -math.inf), (field.root(infinite), math.inf),
        (field.extremum("max", []), -math.inf), (field.extremum("min", []), math.inf),
    ]:  # fmt: skip
        assert (found.p, found.q, found.firm) == (None, None, True)
        assert found.real == real
    for found in (two / infinite, field.powered(infinite, -1), field.exp(-infinite)):
        assert (found.p, found.q, found.real) == (0, 0, 0.0)
    for found in (
        field.integer(0) * infinite, infinite + -infinite, two / field.integer(0),
        field.chosen(math.floor, infinite),
        field.drawn("gamma", [infinite], math.inf), residue(sp.nan, POINTS[0]),
        residue(sp.Piecewise((x, x > 100)), POINTS[0]), field.fraction(1, field.fields.p),
    ):  # fmt: skip
        assert (found.p, found.q, found.firm) == (0, 0, False)


def test_infinite_numbers_beside_residues_raise_no_warning():
    """The floats do not count where they are none; they would warn as NumPy's do."""
    with tf.GradientTape():
        a, b = tf.Variable([1.0, 2.0]), tf.Variable([3.0, 4.0])
        made = a - b
    field, formula = Residues(1), made.formula
    infinite = np.array([field.number(np.inf), field.number(np.float64(2.0))], object)
    given = {leaf.position: infinite for leaf in formula.used}
    (found,) = evaluate(formula.program, [formula.position], given, field)
    assert [(e.p, e.firm) for e in found] == [(0, False), (0, True)]
    assert math.isnan(found[0].real)
    assert not (field.integer(2) / found[0]).firm


def test_whole_numbers_of_numpy_are_those_numbers():
    """And truths stay truths; casts do what NumPy's do."""
    field = Residues(1)
    assert field.number(np.True_) is True
    assert field.number(np.int8(-3)).p == field.fields.p - 3
    assert field.number(np.float64(-0.375)).real == -0.375
    assert (field.number(np.float64(-0.375)) * 8).p == field.fields.p - 3
    floats, truth, whole = (np.dtype(t) for t in ("float64", "bool", "int32"))
    number = field.fraction(-7, 2)
    assert field.cast(number, floats, truth) is True
    assert field.cast(True, truth, floats).p == 1
    assert field.cast(number, floats, whole).real == -3.0
    assert field.cast(number, floats, np.dtype("float32")) is number


RELATIONS = {
    sp.Eq: operator.eq, sp.Ne: operator.ne, sp.Lt: operator.lt, sp.Le: operator.le,
    sp.Gt: operator.gt, sp.Ge: operator.ge,
}  # fmt: skip


@pytest.mark.parametrize("relation", RELATIONS, ids=lambda r: r.__name__)
def test_relations_hold_as_those_of_the_real_numbers(relation):
    """Of a smaller number, of an equal one, and of a larger one."""
    for point in [(Fraction(1), Fraction(2)), (Fraction(2),) * 2, (Fraction(3), Fraction(2))]:
        assert residue(relation(x, y), point) is RELATIONS[relation](*point)


def test_powers_of_zero_are_zero_beside_zero():
    """A power that is computed is, at zero, what floats make of it."""
    field = Residues(1)
    zero = field.integer(0)
    for n in range(-2, 3):
        found = field.powered(zero, n)
        assert (found.p, found.q, found.firm) == (int(n == 0), int(n == 0), n >= 0)
    found = _body(x**y, (x, y))(field, zero, field.fraction(1, 3))
    assert (found.p, found.q, found.real) == (0, 0, 0.0)
    assert math.isinf(_body(x**y, (x, y))(field, zero, field.fraction(-1, 3)).real)
    assert math.isnan(_body(x**y, (x, y))(field, field.integer(-2), field.fraction(1, 3)).real)


def test_orders_are_those_of_the_real_numbers():
    """What is compared, sorted or chosen is what stands beside the residues."""
    field = Residues(1)
    values = [2.5, -1.0, 0.5]
    numbers = [field.number(np.float64(v)) for v in values]
    assert field.order(numbers) == np.argsort(values).tolist()
    assert [field.extremum(w, numbers).real for w in ("max", "min")] == [2.5, -1.0]
    for a, b in [(0, 1), (1, 2), (0, 0)]:
        m, n, u, v = numbers[a], numbers[b], values[a], values[b]
        assert [m < n, m <= n, m > n, m >= n, m == n] == [u < v, u <= v, u > v, u >= v, u == v]
    assert [bool(field.integer(0)), int(numbers[0]), float(numbers[1])] == [False, 2, -1.0]
    assert [field.size(field.integer(0)), field.size(numbers[1])] == [0.0, 1.0]
    assert isinstance(numbers[0] + 1, Residue)
    assert [field.absolute(n).real for n in numbers] == [2.5, 1.0, 0.5]


def residues_of(exact, field):
    """Give the residues of a complex number with rational parts, one by one."""
    return [field.fraction(v.p, v.q) for v in exact.as_real_imag()]


def same_complex(found, exact, field):
    """Compare both parts, in both fields, and as real numbers."""
    parts = field.pair(found)
    for own, wanted in zip((parts.re, parts.im), residues_of(exact, field), strict=True):
        assert (own.p, own.q) == (wanted.p, wanted.q)
        assert own.real == pytest.approx(wanted.real, rel=1e-14, abs=1e-15)


HALF, THIRD = sp.Rational(1, 2), sp.Rational(1, 3)
COMPLEX = [2 + 3 * sp.I, HALF - THIRD * sp.I, -sp.I, sp.Integer(-4), 5 * HALF + sp.I]
OF_TWO = {
    "sum": operator.add, "difference": operator.sub, "product": operator.mul,
    "quotient": operator.truediv,
}  # fmt: skip


@pytest.mark.parametrize("name", OF_TWO)
def test_complex_residues_compute_as_complex_numbers(name):
    """A complex number is a pair of residues, and its arithmetic is SymPy's."""
    field = ComplexResidues(1)
    made = [ComplexResidue(*residues_of(z, field)) for z in COMPLEX]
    for a, z in zip(made, COMPLEX, strict=True):
        for b, w in zip(made, COMPLEX, strict=True):
            same_complex(OF_TWO[name](a, b), sp.simplify(OF_TWO[name](z, w)), field)
        real = field.fraction(7, 3)
        same_complex(OF_TWO[name](a, real), sp.simplify(OF_TWO[name](z, 7 * THIRD)), field)
        if name != "quotient":
            same_complex(OF_TWO[name](3, a), OF_TWO[name](3, z), field)


def test_complex_residues_have_what_complex_numbers_have():
    """Parts, sizes, conjugates and powers; no order, and no more than that."""
    field = ComplexResidues(1)
    for z in COMPLEX:
        a = ComplexResidue(*residues_of(z, field))
        same_complex(-a, -z, field)
        same_complex(3 / a, sp.simplify(3 / z), field)
        same_complex(field.conjugate(a), sp.conjugate(z), field)
        same_complex(field.real(a), sp.re(z), field)
        same_complex(field.imaginary(a), sp.im(z), field)
        for n in (0, 1, 3, -2):
            same_complex(field.powered(a, n), sp.simplify(z**n), field)
        size = field.absolute(a)
        assert size.real == pytest.approx(abs(complex(z)))
        assert field.size(a) == pytest.approx(abs(complex(z)))
        if size.firm:  # there is a root in both fields
            same_complex(size * size, sp.simplify(sp.Abs(z) ** 2), field)
        assert bool(a)
        assert field.number(complex(z)).im.real == complex(z).imag
        kinds = [np.dtype(kind) for kind in ("complex128", "float64")]
        assert field.cast(a, kinds[0], kinds[0]) is a
        same_complex(field.cast(a, *kinds), sp.re(z), field)
        same_complex(field.cast(field.integer(2), kinds[1], kinds[0]), sp.Integer(2), field)
        for ask in (lambda a=a: a < 2, lambda a=a: float(a), lambda a=a: a > 1):
            with pytest.raises(UnsupportedError, match="no order; compare digits"):
                ask()
        with pytest.raises(UnsupportedError, match="have no bit_length; compare digits"):
            _ = a.bit_length
    nothing = ComplexResidue(field.integer(0), field.integer(0))
    assert not nothing
    assert field.size(nothing) == 0.0
    same_complex(field.imaginary(field.integer(3)), sp.Integer(0), field)
    turned = field.exp(ComplexResidue(field.integer(0), field.fraction(1, 2)))
    assert turned.re.real == pytest.approx(math.cos(0.5))
    assert turned.im.real == pytest.approx(math.sin(0.5))
    one = field.add([field.multiply([turned.re] * 2), field.multiply([turned.im] * 2)])
    assert one.p == 1
