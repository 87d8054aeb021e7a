"""SciPy's special functions inside of a traced function: values of its own, and their slopes."""

from __future__ import annotations

import importlib
import itertools
import re
from functools import partial
from operator import attrgetter
from types import SimpleNamespace

import mpmath
import numpy as np
import pytest
import scipy
from scipy import linalg, special, stats

import symtape as tf
from symtape.codegen.libraries.special import DERIVED, Special
from symtape.functions.tracing.libraries import FOLLOWED
from symtape.ops.numpy.scipy_families import OF_NUMBERS, SEVERAL
from symtape.ops.numpy.scipy_ufuncs import UFUNCS

OPEN = np.array([0.15, 0.4, 0.85])
ABOVE = np.array([1.3, 2.5, 4.0])
NUMBERS = {
    "jv": [(0,), (2,), (-3,), (0.5,), (2.25,)],
    "yv": [(1,), (0.5,)],
    "yn": [(3,)],
    "iv": [(0,), (2,), (0.5,)],
    "kv": [(0,), (3,), (0.5,), (-2,)],
    "kn": [(2,)],
    "betainc": [(2.5, 0.7)],
    "betaincc": [(2.5, 0.7)],
    "expn": [(0,), (1,), (4,)],
    "hyp0f1": [(1.5,), (-0.5,)],
    "hyp1f1": [(0.5, 1.5), (-2, 3)],
    "hyp2f1": [(0.5, 1.5, 2.5), (-2, 3, 0.7)],
    "eval_gegenbauer": [(0, 0.5), (4, 1.5)],
    "eval_jacobi": [(0, 0.5, 1), (3, 0.5, -0.25)],
    "eval_genlaguerre": [(0, 2), (4, 0.5)],
}
"""Orders, degrees and shapes at which functions of them are looked at."""


def cases():
    """List functions with the numbers that come first."""
    for name in (*UFUNCS, *SEVERAL, *OF_NUMBERS):
        given = NUMBERS.get(name, [(0,), (1,), (5,)]) if name in OF_NUMBERS else [()]
        for numbers in given:
            yield pytest.param(name, numbers, id=" ".join(map(str, (name, *numbers))))


CASES = [*cases()]


def points(name):
    """Give arguments inside of the domain."""
    f = getattr(special, name, None)
    return (ABOVE, 1.1 * ABOVE[::-1]) if name not in OF_NUMBERS and f.nin == 2 else (OPEN,)


@pytest.mark.parametrize(("name", "given"), CASES)
def test_special_functions_are_recorded(name, given):
    """Values are SciPy's, and derivatives those of differences of SciPy's values."""
    f, args = partial(getattr(special, name), *given), points(name)
    if name in SEVERAL:
        f = partial(lambda g, *x: sum(2.0**k * y for k, y in enumerate(g(*x))), f)
    numbers = tuple(range(len(args)))
    both = tf.value_and_grad(lambda *x: tf.reduce_sum(f(*x)), argnums=numbers)
    for _ in range(3):
        value, slopes = both(*args)
        np.testing.assert_allclose(value, np.sum(f(*args)), rtol=1e-12)
        for k, slope in enumerate(slopes):
            h = 1e-4
            step = [(f(*args[:k], args[k] + n * h, *args[k + 1 :])) for n in (-2, -1, 1, 2)]
            expected = (step[0] - 8 * step[1] + 8 * step[2] - step[3]) / (12 * h)
            np.testing.assert_allclose(slope, expected, rtol=1e-8, atol=1e-10)


@pytest.mark.parametrize(("name", "given"), CASES)
def test_whole_numbers_are_floats(name, given):
    """As in SciPy: a function of whole numbers has no whole numbers for values."""
    f, count = getattr(special, name), 1 if name in OF_NUMBERS else getattr(special, name).nin
    args = [np.array([1, 3], "int16"), np.array([2, 1], "int16")][:count]
    found = tf.function(lambda *x: f(*given, *x))(*map(tf.constant, args))
    wanted = f(*given, *args)
    for ours, theirs in zip(_listed(found), _listed(wanted), strict=True):
        assert ours.dtype.name in {"float32", "float64"}
        np.testing.assert_allclose(ours, theirs, rtol=3e-6)


def _listed(found):
    return found if isinstance(found, (tuple, list)) else [found]


REFUSED = {
    "struve": lambda x: special.struve(1, x),
    "jv": lambda x: special.jv(x, 2.0),
    "kv": lambda x: special.kv(np.array([1.0, 2.0]), x),
    "eval_legendre": lambda x: special.eval_legendre(2.5, x),
    "hyp2f1": lambda x: special.hyp2f1(x, 1.0, 2.0, 0.5),
}


@pytest.mark.parametrize("name", REFUSED)
def test_others_are_refused(name):
    """What has no recorded form raises, with its name; so does a slope by an order."""
    with pytest.raises(tf.UnsupportedError, match=name):
        tf.grad(REFUSED[name])(1.0)


def test_a_function_of_two_names_is_one():
    """SciPy calls digamma psi."""
    assert tf.grad(lambda x: special.digamma(x))(1.0) == pytest.approx(np.pi**2 / 6)


NEEDED = {
    "erfc": special.erfc, "erfinv": special.erfinv, "normal_quantile": special.ndtri,
    "erfcinv": special.erfcinv, "zeta": special.zeta, "lgamma": special.gammaln,
    "bessel_k0e": special.k0e, "bessel_k1e": special.k1e,
}  # fmt: skip
LIBRARY = SimpleNamespace(xp=np, constant=lambda value, _: np.asarray(value))


def slope_of_decay(function, order, x):
    """Differentiate exp(-x) I₀(x) or exp(x) K₀(x) with mpmath."""
    sign = -1 if function is mpmath.besseli else 1
    return float(mpmath.diff(lambda t: mpmath.exp(sign * t) * function(0, t), x, order))


@pytest.mark.parametrize("order", range(4))
def test_slopes_of_decay_are_made_of_other_functions(order):
    """On both sides of where another formula takes over, and with what they say that they need."""
    names = {"bessel_k0e", "bessel_k1e"}
    made = Special(LIBRARY, {name: NEEDED[name] for name in names})
    assert {"i_decay", "bessel_i0e", "k_decay"} <= made.__dict__.keys()
    assert "gamma_density" not in made.__dict__
    x = np.array([0.03, 0.1, 0.249, 0.251, 1.0, 7.0])
    with np.errstate(all="ignore"):
        found = made.k_decay(order, x)
    expected = [slope_of_decay(mpmath.besselk, order, t) for t in x]
    np.testing.assert_allclose(found, expected, rtol=1e-10)
    expected = [slope_of_decay(mpmath.besseli, order, t) for t in x]
    np.testing.assert_allclose(made.i_decay(order, x), expected, rtol=1e-10)
    np.testing.assert_allclose(made.bessel_i0e(x), special.i0e(x), rtol=1e-13)


def test_what_needs_others_is_there_with_them_alone():
    """Each function that is made of others is there if these are, and missing if one is not."""
    for name, (needs, _) in DERIVED.items():
        basic = {n: NEEDED[n] for n in NEEDED if n in needs}
        inner = {n for n in needs if n in DERIVED}
        assert {*basic} | inner == {*needs}, name
        assert name in Special(LIBRARY, NEEDED)
        for n in basic:
            rest = {k: f for k, f in NEEDED.items() if k not in (n, name)}
            assert name not in Special(LIBRARY, rest) or n in DERIVED, (name, n)


INF = np.inf
ENDS = {
    ("xlogy", 0, (0.0, 2.0)): np.log(2.0),
    ("xlogy", 0, (0.0, 0.0)): -INF,
    ("xlogy", 1, (0.0, 0.0)): 0.0,
    ("xlog1py", 0, (0.0, 2.0)): np.log(3.0),
    ("xlog1py", 1, (0.0, -1.0)): 0.0,
    ("entr", 0, (0.0,)): INF,
    ("rel_entr", 0, (0.0, 2.0)): -INF,
    ("rel_entr", 1, (0.0, 2.0)): 0.0,
    ("rel_entr", 1, (0.0, 0.0)): 0.0,
    ("kl_div", 0, (0.0, 2.0)): -INF,
    ("kl_div", 1, (0.0, 0.0)): 1.0,
    ("logit", 0, (0.0,)): INF,
    ("logit", 0, (2.0,)): np.nan,
}
"""Slopes where a function ends, or is 0 by convention: the limits of those beside."""


@pytest.mark.parametrize(("name", "of", "at"), ENDS)
def test_slopes_at_ends_are_limits(name, of, at):
    """The value is SciPy's, and the slope that of x log(y): where x is 0, it is log(y)."""
    value, slope = tf.value_and_grad(lambda *x: getattr(special, name)(*x), argnums=of)(*at)
    np.testing.assert_array_equal(value, getattr(special, name)(*at))
    np.testing.assert_allclose(slope, ENDS[name, of, at], rtol=1e-15)


OUTSIDE = ("xlogy", "xlog1py", "rel_entr", "entr", "logit")


@pytest.mark.parametrize("name", OUTSIDE)
@pytest.mark.parametrize("backend", ["numpy", "math"])
def test_values_outside_of_a_domain_are_those_of_scipy(name, backend):
    """Also of nan, of infinities, and beside one half, where two logarithms cancel."""
    assert_outside(name, backend)


def assert_outside(name, backend):
    """Compare compiled values with SciPy's."""
    f = getattr(special, name)
    count = f.nin
    points = [0.0, -1.0, 2.0, 0.3, 0.5, 0.500001, 1.0, np.nan, INF]
    with tf.GradientTape() as tape:
        xs = [tf.constant(0.4, tf.float64, name=n) for n in "xy"[:count]]
        tape.watch(xs)
        made = f(*xs)
    compiled = made.lambdify(list(xs), backend=backend)
    for at in itertools.product(points, repeat=count):
        if name in {"xlogy", "rel_entr"} and INF in at:
            continue
        with np.errstate(all="ignore"):
            np.testing.assert_allclose(compiled(*at), f(*at), rtol=1e-15, err_msg=str(at))


ORDERS = (0, 1, 2, 0.5, 2.25, -3, -0.5)


@pytest.mark.parametrize("name", ["jv", "yv", "iv", "kv"])
@pytest.mark.parametrize("backend", ["numpy", "scipy"])
def test_orders_that_are_no_whole_numbers_are_compiled(name, backend):
    """SciPy's functions of whole orders cut others off: none of these is called with such a one."""
    assert assert_orders(name, backend) == len(ORDERS)


def assert_orders(name, backend):
    """Compare compiled values and slopes with SciPy's; count the orders that are not refused."""
    x, count = tf.constant([0.3, 0.7], tf.float64, name="x"), 0
    for order in ORDERS:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = getattr(special, name)(order, x)
        try:
            made = [f.lambdify([x], backend=backend) for f in (y, tape.gradient(y, x))]
        except tf.UnsupportedError:
            continue
        slope = {"jv": "jvp", "yv": "yvp", "iv": "ivp", "kv": "kvp"}[name]
        wanted = [getattr(special, n)(order, x.numpy()) for n in (name, slope)]
        for compiled, value in zip(made, wanted, strict=True):
            np.testing.assert_allclose(compiled(x.numpy()), value, rtol=1e-12, err_msg=str(order))
        count += 1
    return count


OWN_ARRAYS = {
    "tf.reduce_logsumexp": lambda x: special.logsumexp(x, b=np.array([1.0, 2.0])),
    "tf.nn.softmax": special.softmax,
    "scipy.special.jv of n + 0.5": lambda x: special.spherical_jn(1, x),
    "np.linalg.solve": lambda x: linalg.solve(np.diag([2.0, 3.0]), x),
    "tf.linalg.cholesky": lambda x: linalg.cho_factor(np.diag(x) + 2 * np.eye(2))[0],
    "scipy.special.diric": lambda x: special.diric(x, 3),
    "scipy.stats.gmean": stats.gmean,
    "np.stack": lambda x: np.array([x[0], x[1]]),
}
"""What is told where a function of SciPy's computes with numbers; a callback is the user's."""


@pytest.mark.parametrize("words", OWN_ARRAYS)
def test_what_is_followed_instead_is_told(words):
    """The error names the function that was called, and the one that is followed, if one is."""
    with pytest.raises(tf.errors.EscapedValueError, match=re.escape(words)):
        tf.grad(lambda x: tf.reduce_sum(OWN_ARRAYS[words](x)))(np.array([0.3, 0.7]))


def test_what_is_told_exists():
    """Each function that is told is there."""
    for (room, name), way in FOLLOWED.items():
        assert hasattr(importlib.import_module(f"scipy.{room}"), name), name
        for path in re.findall(r"(?:tf|np|scipy)[.\w]+\w", way):
            root, _, rest = path.partition(".")
            assert attrgetter(rest)({"tf": tf, "np": np, "scipy": scipy}[root]), path
