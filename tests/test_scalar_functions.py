"""Scalar functions: NumPy's numbers and the slopes are those of the definition that people see."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import mpmath as mp
import numpy as np
import pytest
import sympy as sp

from symtape.exact.digits import mpmath_function
from symtape.kernels.interpret import KERNELS
from symtape.program.functions import families, frameworks, scalar, special
from symtape.program.functions.special import no_slope
from symtape.program.operations import Map, parameters
from tests.sampling import some

AUTHORS = {"authored", "opaque", "written"}
"""What has a gradient of its author's is no function of numbers."""

LOGIC = {"both", "either", "one_of", "negation", "is_nan", "is_inf", "is_finite"}
FUNCTIONS = {
    name: made
    for name, made in (vars(frameworks) | vars(scalar) | vars(special) | vars(families)).items()
    if isinstance(made, scalar.Kind) and name not in LOGIC | AUTHORS
}

POINTS = [(0.3, 0.7, 0.4), (-0.6, 0.4, 0.2), (1.7, -2.3, 0.8), (7.5, 1.3, 0.6)]
ORDERED = [(2, 0.7, 0.4), (3, 2.4, 0.8)]
"""Whole numbers are orders, which are numbers in a body too."""

UNSHIFTED: dict[str, Sequence[tuple[float, ...]]] = {
    "shifted": ((0.3, 0.0),),
    "shifted_exp": ((0.3, 0.0),),
    "unshifted": ((0.3, 0.0),),
    "scaled_exp": ((0.3, 0.0),),
    "rescaling": ((0.3, 0.3),),
}
"""What is subtracted before an exponential cancels in the end, and formulas do not show it."""

OWN = UNSHIFTED | {
    **dict.fromkeys(["erfinv", "erfinv_slope"], ((0.3,), (-0.95,))),
    **dict.fromkeys(["erfcinv", "erfcinv_slope"], ((0.3,), (1.95,))),
    **dict.fromkeys(["normal_quantile", "normal_quantile_slope"], ((0.3,), (0.95,))),
    **dict.fromkeys(["igamma", "igammac", "gamma_density"], ((0.3, 0.7), (7.5, 1.3))),
    **dict.fromkeys(["dawson", "igamma_derivative", "k_decay"], ((1, 0.7, 0.4),)),
    **dict.fromkeys(["cross_entropy", "cross_entropy_slope"], ((0.3, 0.7), (0.95, 0.2))),
    **dict.fromkeys(["entropy", "log_odds_slope"], ((0.3,), (0.95,))),
    **dict.fromkeys(["held", "inside"], ((0.3, -0.4, 0.7), (1.3, -0.4, 0.7))),
    "beta_density": ((0.3, 0.7, 0.4), (7.5, 1.3, 0.6)),
    **dict.fromkeys(["beta", "log_beta", "rising", "binomial"], ((0.3, 0.7), (7.5, 1.3))),
    **dict.fromkeys(["elliptic_k", "elliptic_e"], ((0, 0.7), (1, 0.3), (2, 2.5))),
    **dict.fromkeys(["box_cox", "box_cox1p"], ((0.3, 0.7), (7.5, -1.3))),
    **dict.fromkeys(["inverse_box_cox", "inverse_box_cox1p"], ((0.3, 0.7), (-0.4, -1.3))),
    "polygamma_less": ((0, 0.7, 0.4), (2, 7.5, -1.3)),
    "pseudo_huber": ((0.3, 0.7), (7.5, -1.3)),
    "lambert_w": ((0, 0.7), (0, -0.2), (-1, -0.2)),
    "exp_integral": ((-2, 0.7), (0, 2.4), (1, 0.7), (3, 2.4)),
    "log_normal_cdf_slope": ((1, -2.3), (2, -2.3), (3, 0.7)),
    "confluent": ((1, 3, 0.7), (2, 5, -2.4)),
    "hypergeometric": ((1, 2, 4, 0.4), (2, 3, 4, -2.3)),
    **dict.fromkeys(["gegenbauer", "laguerre"], ((0, 2, 0.4), (4, 3, -0.8))),
    "jacobi": ((0, 2, 1, 0.4), (3, 1, 2, -0.8)),
}
"""Points of functions that are not defined everywhere, or take long."""

NUMBERS = {"nextafter", "to_complex"}
"""What comes next to a number depends on floats, and a pair of them is no real number."""


def exactly(expression: Any) -> Any:
    """Compute a formula of numbers; nan where it is no real number."""
    found = sp.sympify(expression)
    forms = {scalar.ordinary(found, at_points=p) for p in (False, True)}
    values = [mp.inf if form == sp.oo else mp.mpmathify(form.evalf(30)) for form in forms]
    is_real = all(mp.isfinite(v) and mp.im(v) == 0 for v in values)
    if is_real:
        assert mp.almosteq(values[0], values[-1], rel_eps=1e-25), "convention and definition differ"
    return mp.re(values[0]) if is_real else mp.nan


def computed(kind: Any, at: Sequence[float]) -> Any:
    """Compute by NumPy what a tape would."""
    floats = [v for v in at if isinstance(v, float)]
    symbols = iter(parameters(len(floats)))
    body = kind(*[next(symbols) if isinstance(v, float) else v for v in at])
    with np.errstate(all="ignore"):
        return KERNELS[Map(body, len(floats), "same")](*map(np.float64, floats))


def points_of(name: str) -> list[tuple[list[float], list[Any], Any]]:
    """List points where a function is a real number, in floats and exactly, and the number."""
    kind = FUNCTIONS[name]
    rows = OWN.get(name, ORDERED if no_slope in kind.slopes[:1] else POINTS)
    found = []
    for row in rows:
        at = list(row[: kind.definition.__code__.co_argcount])
        exact = [sp.Rational(repr(v)) for v in at]
        value = exactly(kind(*exact))
        if mp.isfinite(value):
            found.append((at, exact, value))
    return found


@pytest.mark.parametrize("name", sorted(FUNCTIONS.keys() - NUMBERS))
def test_a_function_is_its_definition(name: str) -> None:
    """NumPy's number is that of the definition, which mpmath computes."""
    rows = points_of(name)
    assert rows
    for at, _, wanted in rows:
        found = computed(FUNCTIONS[name], at)
        assert found == pytest.approx(float(wanted), rel=1e-12, abs=1e-15), at


@pytest.mark.parametrize("name", some(sorted(FUNCTIONS.keys() - NUMBERS), 6, 1))
def test_a_function_and_its_slopes_have_digits(name: str) -> None:
    """Without balls, mpmath alone gives as many as are asked for."""
    kind, context = FUNCTIONS[name], mp.MPContext()
    context.dps = 40
    for at, exact, wanted in points_of(name):
        symbols = iter(parameters(len(at)))
        args = [next(symbols) if isinstance(v, float) else v for v in at]
        pairs = zip(at, exact, strict=True)
        given = [context.mpf(e.p) / e.q for v, e in pairs if isinstance(v, float)]
        found = mpmath_function(Map(kind(*args), len(given), "same"), context)(*given)
        is_exact = not scalar.ordinary(kind(*exact)).has(sp.Float)
        assert mp.almosteq(found, wanted, rel_eps=1e-25 if is_exact else 1e-15), at
        for k, slope in enumerate(kind.slopes):
            if isinstance(at[k], float) and not kind.flat and k not in kind.fixed:
                body = sp.sympify(slope(*args))
                made = mpmath_function(Map(body, len(given), "same"), context)(*given)
                assert context.isfinite(made), (at, k)


HALVES = [k / 2 for k in range(-7, 8)]
STEPS: dict[str, list[tuple[float, ...]]] = {
    **{name: [(x,) for x in HALVES] for name in "rint floor ceil trunc sign absolute".split()},
    **{
        name: [(x, y) for x in HALVES for y in (-2.0, -0.5, 1.0, 1.5)]
        for name in ("floor_divide", "floor_mod", "floored_remainder")
    },
}
"""Points at which functions step, and between them."""


@pytest.mark.parametrize("name", STEPS)
def test_steps_are_where_the_definition_has_them(name: str) -> None:
    """At whole numbers, at halves, and on both sides of zero NumPy's number is the definition's."""
    kind = FUNCTIONS[name]
    for at in STEPS[name]:
        assert computed(kind, at) == float(exactly(kind(*[sp.Rational(repr(v)) for v in at]))), at


@pytest.mark.parametrize("name", some(sorted(FUNCTIONS.keys() - NUMBERS - UNSHIFTED.keys()), 6))
def test_a_slope_is_that_of_the_definition(name: str) -> None:
    """In each argument that a derivative flows to, it is mpmath's difference quotient."""
    kind = FUNCTIONS[name]
    for at, exact, _ in points_of(name):
        for k, slope in enumerate(kind.slopes):
            if kind.flat or k in kind.fixed or isinstance(at[k], int):
                continue
            with mp.workdps(40):
                step = sp.Rational(1, 10**7)
                around = [kind(*exact[:k], exact[k] + s, *exact[k + 1 :]) for s in (step, -step)]
                high, low = map(exactly, around)
                wanted = float((high - low) / 2 * 10**7)
            symbols = sp.symbols(f"x:{len(at)}")
            body = slope(
                *[v if isinstance(v, int) else x for v, x in zip(at, symbols, strict=True)]
            )
            found = sp.sympify(body).xreplace(dict(zip(symbols, exact, strict=True)))
            assert float(exactly(found)) == pytest.approx(wanted, rel=1e-9, abs=1e-12), at


def test_a_body_has_the_first_name_that_it_was_given() -> None:
    """Whichever way a definition is written, its body leads back to an operation that has it."""
    first: dict[Any, Map] = {}
    for name, arity, result in list(Map.definitions):
        if result == "same":
            operation = Map(name, arity, result)
            first.setdefault((operation.body, arity), operation)
    for (body, arity), operation in first.items():
        assert Map.of(body, arity) is operation
    x, y = parameters(2)
    assert Map.of(special.bessel_i(2, x), 1) is not Map("bessel_i1", 1, "same")
    assert Map.of(scalar.power(y, x), 2) is not Map("pow", 2, "same")


@pytest.mark.parametrize("home", [scalar, special, families], ids=lambda home: home.__name__)
def test_a_function_is_called_as_its_module_calls_it(home: Any) -> None:
    """What was pickled finds it by that name."""
    own = {name: made for name, made in vars(home).items() if isinstance(made, scalar.Kind)}
    assert {name: made.name for name, made in own.items()} == {name: name for name in own}
