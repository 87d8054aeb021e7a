"""Scalar functions whose slopes keep their digits: SymPy functions with `fdiff` in the stable form.

Each has a `definition` in ordinary SymPy, which is what a person is shown (`ordinary`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import sympy as sp
from sympy.core.function import ArgumentIndexError

Slope = Callable[..., Any]


class Scalar(sp.Function):
    """A function with a definition in ordinary SymPy and one slope per argument."""

    definition: ClassVar[Callable[..., Any]]
    slopes: ClassVar[tuple[Slope, ...]] = ()

    @classmethod
    def eval(cls, *_: Any) -> None:
        """Stay as written: evaluation is the business of the readings."""

    def fdiff(self, argindex: int = 1) -> Any:
        """Give the slope in one argument, in the form that keeps its digits."""
        try:
            return self.slopes[argindex - 1](*self.args)
        except IndexError:
            raise ArgumentIndexError(self, argindex) from None


Kind = type[Scalar]


def scalar(
    name: str, definition: Callable[..., Any], *slopes: Slope, constant: bool = False
) -> type[Scalar]:
    """Make a `Scalar`; `constant` ones are flat wherever they have a slope and cut the tape."""
    nargs = definition.__code__.co_argcount
    members = {"definition": staticmethod(definition), "slopes": slopes, "nargs": nargs}
    made = type(name, (Scalar,), members)
    if constant:
        FLAT.add(made)
    return made


FLAT: set[type[sp.Basic]] = set()
"""Functions that TensorFlow gives no gradient: their value carries no connection."""


def indicator(condition: Any) -> Any:
    """Give 1 where the condition holds, else 0."""
    return sp.Piecewise((1, condition), (0, True))


def carried(body: Any) -> set[Any]:
    """Collect the symbols that a derivative can flow to: not those of conditions and of steps."""
    if isinstance(body, sp.Symbol):
        return {body}
    if isinstance(body, sp.logic.boolalg.Boolean) or type(body) in FLAT:
        return set()
    inner = [branch.expr for branch in body.args] if isinstance(body, sp.Piecewise) else body.args
    return set().union(*map(carried, inner))


def ordinary(expression: Any) -> Any:
    """Replace every function of this module by its definition, innermost first."""
    if isinstance(expression, sp.Basic) and expression.has(Scalar):
        return expression.replace(
            lambda e: isinstance(e, Scalar), lambda e: ordinary(e.definition(*e.args))
        )
    return expression


# --- exponentials: slopes that do not cancel ------------------------------------------------
sigmoid: Kind = scalar(
    "sigmoid", lambda x: 1 / (1 + sp.exp(-x)), lambda x: sigmoid(x) * sigmoid(-x)
)
softplus: Kind = scalar("softplus", lambda x: sp.log(1 + sp.exp(x)), lambda x: sigmoid(x))
log1p: Kind = scalar("log1p", lambda x: sp.log(1 + x), lambda x: 1 / (1 + x))
expm1: Kind = scalar("expm1", lambda x: sp.exp(x) - 1, lambda x: sp.exp(x))
tanh: Kind = scalar("tanh", lambda x: sp.tanh(x), lambda x: tanh_slope(x))
tanh_slope: Kind = scalar(
    "tanh_slope", lambda x: 1 - sp.tanh(x) ** 2, lambda x: -2 * tanh(x) * tanh_slope(x)
)

# --- inverse functions: 1 - x² is written (1 - x)(1 + x), which is exact near ±1 ---------------
asin: Kind = scalar("asin", lambda x: sp.asin(x), lambda x: 1 / sp.sqrt((1 - x) * (1 + x)))
acos: Kind = scalar("acos", lambda x: sp.acos(x), lambda x: -1 / sp.sqrt((1 - x) * (1 + x)))
acosh: Kind = scalar("acosh", lambda x: sp.acosh(x), lambda x: 1 / (sp.sqrt(x - 1) * sp.sqrt(x + 1)))
atanh: Kind = scalar("atanh", lambda x: sp.atanh(x), lambda x: 1 / ((1 - x) * (1 + x)))

# --- powers: at the edges of their domain they follow TensorFlow (see docs/tensorflow.md) ----------
sqrt: Kind = scalar("sqrt", lambda x: sp.sqrt(x), lambda x: 1 / (2 * sqrt(x)))
power: Kind = scalar(
    "power",
    lambda x, y: x**y,
    lambda x, y: y * power(x, y - 1),
    lambda x, y: power(x, y) * positive_log(x),
)
positive_log: Kind = scalar(
    "positive_log", lambda x: sp.log(x), lambda x: sp.Piecewise((1 / x, x > 0), (0, True))
)
masked_product: Kind = scalar(  # 0 where g is 0, even if the slope is infinite there
    "masked_product", lambda g, slope: g * slope, lambda g, slope: slope, lambda g, slope: g
)

# --- functions with kinks: the slope at the kink is TensorFlow's ------------------------------------
absolute: Kind = scalar("absolute", lambda x: sp.Abs(x), lambda x: sign(x))
sign: Kind = scalar("sign", lambda x: sp.sign(x), lambda x: sp.S.Zero)
relu: Kind = scalar("relu", lambda x: sp.Max(0, x), lambda x: step(x))
step: Kind = scalar("step", lambda x: indicator(x > 0), lambda x: sp.S.Zero)
maximum: Kind = scalar(
    "maximum",
    lambda x, y: sp.Max(x, y),
    lambda x, y: indicator(x >= y),
    lambda x, y: sp.Piecewise((0, x >= y), (1, True)),
)
minimum: Kind = scalar(
    "minimum",
    lambda x, y: sp.Min(x, y),
    lambda x, y: indicator(x <= y),
    lambda x, y: sp.Piecewise((0, x <= y), (1, True)),
)
clip: Kind = scalar(
    "clip",
    lambda x, low, high: sp.Min(sp.Max(x, low), high),
    lambda x, low, high: sp.Piecewise((0, sp.Or(x < low, x > high)), (1, True)),
    lambda x, low, high: indicator(x < low),
    lambda x, low, high: indicator(x > high),
)

# --- parts of complex numbers: the real rules; calculus/pullback.py has those of complex operands ----
conj: Kind = scalar("conj", lambda x: sp.conjugate(x), lambda x: sp.S.One)
real: Kind = scalar("real", lambda x: sp.re(x), lambda x: sp.S.One)
imag: Kind = scalar("imag", lambda x: sp.im(x), lambda x: sp.S.Zero)
angle: Kind = scalar("angle", lambda x: sp.arg(x), lambda x: sp.S.Zero)
to_complex: Kind = scalar("to_complex", lambda x, y: x + sp.I * y, lambda x, y: sp.S.One, lambda x, y: sp.I)

# --- steps: flat, and no connection for the tape ----------------------------------------------------
floor: Kind = scalar("floor", lambda x: sp.floor(x), lambda x: sp.S.Zero, constant=True)
ceil: Kind = scalar("ceil", lambda x: sp.ceiling(x), lambda x: sp.S.Zero, constant=True)
rint: Kind = scalar(  # halves go to the even neighbour
    "rint",
    lambda x: sp.floor(x / 2 + sp.Rational(1, 4)) + sp.ceiling(x / 2 - sp.Rational(1, 4)),
    lambda x: sp.S.Zero,
    constant=True,
)
trunc: Kind = scalar(
    "trunc", lambda x: sp.sign(x) * sp.floor(sp.Abs(x)), lambda x: sp.S.Zero, constant=True
)
floor_divide: Kind = scalar(
    "floor_divide",
    lambda x, y: sp.floor(x / y),
    lambda x, y: sp.S.Zero,
    lambda x, y: sp.S.Zero,
    constant=True,
)
floor_mod: Kind = scalar(
    "floor_mod",
    lambda x, y: x - y * sp.floor(x / y),
    lambda x, y: sp.S.One,
    lambda x, y: -floor_divide(x, y),
)
stop: Kind = scalar("stop", lambda x: x, lambda x: sp.S.Zero, constant=True)

# --- truth: relations and logic whose operands are bound symbols -------------------------------------
unequal = sp.Ne
both: Kind = scalar("both", lambda x, y: sp.And(x, y))
either: Kind = scalar("either", lambda x, y: sp.Or(x, y))
one_of: Kind = scalar("one_of", lambda x, y: sp.Xor(x, y))
negation: Kind = scalar("negation", lambda x: sp.Not(x))
