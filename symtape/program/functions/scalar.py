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
    """An application of one of the functions of this module."""

    kind: ClassVar[Kind]

    def __reduce__(self) -> tuple[Any, ...]:
        return self.kind, self.args

    def fdiff(self, argindex: int = 1) -> Any:
        """Give the slope in one argument, in the form that keeps its digits."""
        try:
            return self.kind.slopes[argindex - 1](*self.args)
        except IndexError:
            raise ArgumentIndexError(self, argindex) from None


class Kind:
    """A function with a definition in ordinary SymPy and one slope per argument.

    Its SymPy class is made when it is first applied: making sixty takes longer than a first
    gradient.
    """

    __slots__ = ("_made", "convention", "definition", "fixed", "flat", "name", "slopes")

    def __init__(
        self,
        name: str,
        definition: Callable[..., Any],
        slopes: tuple[Slope, ...],
        *,
        flat: bool,
        convention: Callable[..., Any] | None = None,
        fixed: tuple[int, ...] = (),
    ) -> None:
        self.name, self.definition, self.slopes, self.flat = name, definition, slopes, flat
        self.convention = convention or definition
        self.fixed = fixed
        self._made: type[Scalar] | None = None
        KINDS.setdefault(name, self)

    def __call__(self, *args: Any, **settings: Any) -> Any:
        """Apply the function to expressions; SymPy's `evaluate=False` keeps them as they are."""
        if self._made is None:
            members = {"kind": self, "nargs": self.definition.__code__.co_argcount}
            self._made = type(self.name, (Scalar,), members)
        return self._made(*args, **settings)

    def __reduce__(self) -> tuple[Any, ...]:
        if KINDS[self.name] is not self:
            raise TypeError(f"cannot pickle {self.name!r}: another function has that name")
        return kind_named, (self.name,)

    def __repr__(self) -> str:
        return self.name


KINDS: dict[str, Kind] = {}
"""Every function of this form, by its name; the first one of a name has it."""


def kind_named(name: str) -> Kind:
    """Find a function by its name, as what was pickled asks for it."""
    if name not in KINDS:
        raise LookupError(f"there is no scalar function {name!r} here; import what defines it")
    return KINDS[name]


def scalar(
    name: str,
    definition: Callable[..., Any],
    *slopes: Slope,
    constant: bool = False,
    convention: Callable[..., Any] | None = None,
    fixed: tuple[int, ...] = (),
) -> Kind:
    """Make a function; `constant` ones are flat wherever they have a slope and cut the tape.

    Arguments that are `fixed` (orders, shapes) have no slope either: no derivative flows to them.

    At the edge of its domain a function may have a value by convention, TensorFlow's; `convention`
    is the definition that says so, for values at points. Formulas are written with `definition`.
    """
    return Kind(name, definition, slopes, flat=constant, convention=convention, fixed=fixed)


def kind_of(e: Any) -> Any:
    """Give what a table of functions is keyed by: the `Kind`, or SymPy's own class."""
    return e.kind if isinstance(e, Scalar) else type(e)


def indicator(condition: Any) -> Any:
    """Give 1 where the condition holds, else 0."""
    return sp.Piecewise((1, condition), (0, True))


def carried(body: Any) -> set[Any]:
    """Collect the symbols that a derivative can flow to: not those of conditions and of steps."""
    if isinstance(body, sp.Symbol):
        return {body}
    if isinstance(body, sp.logic.boolalg.Boolean) or getattr(kind_of(body), "flat", False):
        return set()
    fixed = getattr(kind_of(body), "fixed", ())
    inner = [e for k, e in enumerate(body.args) if k not in fixed]
    if isinstance(body, sp.Piecewise):
        inner = [branch.expr for branch in body.args]
    return set().union(*map(carried, inner))


def fixed(body: Any) -> set[Any]:
    """Collect the symbols in places where a function has a slope that nobody wrote: orders, shapes.

    >>> x, y = sp.symbols("x y")
    >>> fixed(sp.sin(x) + y)
    set()
    """
    own = [body.args[k] for k in getattr(kind_of(body), "fixed", ())]
    found: set[Any] = set().union(*[e.free_symbols for e in own])
    return found.union(*map(fixed, body.args))


def ordinary(expression: Any, *, at_points: bool = False) -> Any:
    """Replace every function of this module by its definition, innermost first.

    For values at points, the conventions at the edge of a domain are part of the definitions.
    """
    if not isinstance(expression, sp.Basic) or not expression.has(Scalar):
        return expression

    def define(e: Any) -> Any:
        definition = e.kind.convention if at_points else e.kind.definition
        return ordinary(definition(*e.args), at_points=at_points)

    return expression.replace(lambda e: isinstance(e, Scalar), define)


# --- exponentials: slopes that do not cancel ------------------------------------------------
sigmoid: Kind = scalar("sigmoid", lambda x: 1 / (1 + sp.exp(-x)), lambda x: sigmoid_slope(x))
sigmoid_slope: Kind = scalar(
    "sigmoid_slope",
    lambda x: sp.exp(-x) / (1 + sp.exp(-x)) ** 2,
    lambda x: -sigmoid_slope(x) * tanh(x / 2),
)
softplus: Kind = scalar("softplus", lambda x: sp.log(1 + sp.exp(x)), lambda x: sigmoid(x))
logaddexp: Kind = scalar(
    "logaddexp",
    lambda x, y: sp.log(sp.exp(x) + sp.exp(y)),
    lambda x, y: sigmoid(difference(x, y)),
    lambda x, y: sigmoid(difference(y, x)),
)
difference: Kind = scalar(  # equal infinities do not differ
    "difference",
    lambda x, y: x - y,
    lambda x, y: sp.S.One,
    lambda x, y: sp.S.NegativeOne,
    convention=lambda x, y: sp.Piecewise((0, sp.Eq(x, y)), (x - y, True)),
)
log1p: Kind = scalar("log1p", lambda x: sp.log(1 + x), lambda x: 1 / (1 + x))
expm1: Kind = scalar("expm1", lambda x: sp.exp(x) - 1, lambda x: sp.exp(x))
tanh: Kind = scalar("tanh", lambda x: sp.tanh(x), lambda x: tanh_slope(x))
tanh_slope: Kind = scalar(
    "tanh_slope", lambda x: 1 - sp.tanh(x) ** 2, lambda x: -2 * tanh(x) * tanh_slope(x)
)

half_tanh: Kind = scalar(  # 1 + tanh(u) cancels where u is large and negative
    "half_tanh",
    lambda u: (1 + sp.tanh(u)) / 2,
    lambda u: 2 * sigmoid_slope(2 * u),
)
logistic_loss: Kind = scalar(
    "logistic_loss",
    lambda x, z: sp.log(1 + sp.exp(x)) - x * z,
    lambda x, z: logistic_residual(x, z),
    lambda x, z: -x,
)
logistic_residual: Kind = scalar(
    "logistic_residual",
    lambda x, z: 1 / (1 + sp.exp(-x)) - z,
    lambda x, z: sigmoid_slope(x),
    lambda x, z: sp.S.NegativeOne,
)

# --- shifts: m is taken out of an exponential, and comes back by a logarithm or cancels in a
# fraction; what is said of them together is true without m, so that is how they are shown ---------
pivot: Kind = scalar("pivot", lambda m: m, lambda m: sp.S.Zero, constant=True)
shifted: Kind = scalar("shifted", lambda x, m: x, lambda x, m: sp.S.One, lambda x, m: sp.S.Zero)
shifted_exp: Kind = scalar(
    "shifted_exp",
    lambda x, m: sp.exp(x),
    lambda x, m: shifted_exp(x, m),
    lambda x, m: sp.S.Zero,
)
unshifted: Kind = scalar("unshifted", lambda x, m: x, lambda x, m: sp.S.One, lambda x, m: sp.S.Zero)
# the same for a shift that changes along an axis, where equal infinities do not differ
scaled_exp: Kind = scalar(
    "scaled_exp",
    lambda x, m: sp.exp(x),
    lambda x, m: scaled_exp(x, m),
    lambda x, m: sp.S.Zero,
)
rescaling: Kind = scalar(
    "rescaling",
    lambda m, k: sp.S.One,
    lambda m, k: sp.S.Zero,
    lambda m, k: sp.S.Zero,
    constant=True,
)

# --- inverse functions: 1 - x² is written (1 - x)(1 + x), which is exact near ±1 ---------------
asin: Kind = scalar("asin", lambda x: sp.asin(x), lambda x: 1 / sp.sqrt((1 - x) * (1 + x)))
acos: Kind = scalar("acos", lambda x: sp.acos(x), lambda x: -1 / sp.sqrt((1 - x) * (1 + x)))
acosh: Kind = scalar(
    "acosh", lambda x: sp.acosh(x), lambda x: 1 / (sp.sqrt(x - 1) * sp.sqrt(x + 1))
)
atanh: Kind = scalar("atanh", lambda x: sp.atanh(x), lambda x: atanh_slope(x))
atanh_slope: Kind = scalar(
    "atanh_slope", lambda x: 1 / ((1 - x) * (1 + x)), lambda x: 2 * x * atanh_slope(x) ** 2
)
asinh: Kind = scalar("asinh", lambda x: sp.asinh(x), lambda x: asinh_slope(x))
asinh_slope: Kind = scalar(
    "asinh_slope", lambda x: 1 / sp.sqrt(1 + x**2), lambda x: -x * asinh_slope(x) ** 3
)

# --- powers: at the edges of their domain they follow TensorFlow (see docs/tensorflow.md) ---------
sqrt: Kind = scalar("sqrt", lambda x: sp.sqrt(x), lambda x: 1 / (2 * sqrt(x)))
power: Kind = scalar(
    "power",
    lambda x, y: x**y,
    lambda x, y: y * power(x, y - 1),
    lambda x, y: power(x, y) * positive_log(x),
)
positive_log: Kind = scalar(
    "positive_log",
    lambda x: sp.log(x),
    lambda x: sp.Piecewise((1 / x, x > 0), (0, True)),
    convention=lambda x: sp.Piecewise((sp.log(x), x > 0), (0, True)),
)
nonzero_log: Kind = scalar(  # of complex numbers, of which none is positive
    "nonzero_log",
    lambda x: sp.log(x),
    lambda x: sp.Piecewise((0, sp.Eq(x, 0)), (1 / x, True)),
    convention=lambda x: sp.Piecewise((0, sp.Eq(x, 0)), (sp.log(x), True)),
)
masked_product: Kind = scalar(  # 0 where g is 0, even if the slope is infinite there
    "masked_product",
    lambda g, slope: g * slope,
    lambda g, slope: slope,
    lambda g, slope: g,
    convention=lambda g, slope: sp.Piecewise((0, sp.Eq(g, 0)), (g * slope, True)),
)

# --- functions with kinks: the slope at the kink is TensorFlow's ----------------------------------
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
relu6: Kind = scalar("relu6", lambda x: sp.Min(sp.Max(0, x), 6), lambda x: between_step(x))
between_step: Kind = scalar(
    "between_step", lambda x: indicator(sp.And(x > 0, x < 6)), lambda x: sp.S.Zero
)
leaky_relu: Kind = scalar(
    "leaky_relu",
    lambda x, a: sp.Piecewise((x, x > 0), (a * x, True)),
    lambda x, a: leaky_step(x, a),
    lambda x, a: sp.Piecewise((0, x > 0), (x, True)),
)
leaky_step: Kind = scalar(
    "leaky_step",
    lambda x, a: sp.Piecewise((1, x > 0), (a, True)),
    lambda x, a: sp.S.Zero,
    lambda x, a: sp.Piecewise((0, x > 0), (1, True)),
)
elu: Kind = scalar(
    "elu",
    lambda x: sp.Piecewise((x, x >= 0), (sp.exp(x) - 1, True)),
    lambda x: sp.Piecewise((sp.exp(x), x < 0), (1, True)),
)
SELU_SCALE = sp.Float("1.0507009873554804934193349852946", 17)
SELU_ALPHA = sp.Float("1.6732632423543772848170429916717", 17)
selu: Kind = scalar(
    "selu",
    lambda x: SELU_SCALE * sp.Piecewise((x, x >= 0), (SELU_ALPHA * (sp.exp(x) - 1), True)),
    lambda x: sp.Piecewise((SELU_SCALE * SELU_ALPHA * sp.exp(x), x < 0), (SELU_SCALE, True)),
)
softsign: Kind = scalar(
    "softsign", lambda x: x / (1 + sp.Abs(x)), lambda x: 1 / (1 + absolute(x)) ** 2
)
gelu_tanh: Kind = scalar(
    "gelu_tanh",
    lambda x: x * (1 + sp.tanh(_gelu_bend(x))) / 2,
    lambda x: _gelu_tanh_slope(x, _gelu_bend(x)),
)


def _gelu_bend(x: Any) -> Any:
    return sp.sqrt(2 / sp.pi) * (x + sp.Rational("0.044715") * x**3)


def _gelu_tanh_slope(x: Any, bend: Any) -> Any:
    """Far out, where the cube is infinite, the slope of tanh is 0."""
    return half_tanh(bend) + masked_product(2 * sigmoid_slope(2 * bend), x * sp.diff(bend, x))


# --- quotients and products that are 0 where one operand is, whatever the other -------------------
guarded_reciprocal: Kind = scalar(  # finite where two eigenvalues are equal but for rounding
    "guarded_reciprocal",
    lambda x: sp.Piecewise((0, sp.Eq(x, 0)), (1 / x, True)),
    lambda x: -(guarded_reciprocal(x) ** 2),
)
divide_no_nan: Kind = scalar(
    "divide_no_nan",
    lambda x, y: sp.Piecewise((0, sp.Eq(y, 0)), (x / y, True)),
    lambda x, y: divide_no_nan(sp.S.One, y),
    lambda x, y: -divide_no_nan(divide_no_nan(x, y), y),
)
multiply_no_nan: Kind = scalar(
    "multiply_no_nan",
    lambda x, y: sp.Piecewise((0, sp.Eq(y, 0)), (x * y, True)),
    lambda x, y: y,
    lambda x, y: x,
)
xlogy: Kind = scalar(
    "xlogy",
    lambda x, y: sp.Piecewise((0, sp.Eq(x, 0)), (x * sp.log(y), True)),
    lambda x, y: sp.Piecewise((0, sp.Eq(x, 0)), (sp.log(y), True)),
    lambda x, y: xdivy(x, y),
)
xlog1py: Kind = scalar(
    "xlog1py",
    lambda x, y: sp.Piecewise((0, sp.Eq(x, 0)), (x * sp.log(1 + y), True)),
    lambda x, y: sp.Piecewise((0, sp.Eq(x, 0)), (log1p(y), True)),
    lambda x, y: xdivy(x, 1 + y),
)
xdivy: Kind = scalar(
    "xdivy",
    lambda x, y: sp.Piecewise((0, sp.Eq(x, 0)), (x / y, True)),
    lambda x, y: sp.Piecewise((0, sp.Eq(x, 0)), (1 / y, True)),
    lambda x, y: -xdivy(x, y**2),
)

# --- parts of complex numbers: the real rules; calculus/pullback.py has the complex ones ----------
conj: Kind = scalar("conj", lambda x: sp.conjugate(x), lambda x: sp.S.One)
real: Kind = scalar("real", lambda x: sp.re(x), lambda x: sp.S.One)
imag: Kind = scalar("imag", lambda x: sp.im(x), lambda x: sp.S.Zero)
angle: Kind = scalar("angle", lambda x: sp.arg(x), lambda x: sp.S.Zero)
to_complex: Kind = scalar(
    "to_complex", lambda x, y: x + sp.I * y, lambda x, y: sp.S.One, lambda x, y: sp.I
)

# --- steps: flat, and no connection for the tape --------------------------------------------------
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
floored_remainder: Kind = scalar(  # a zero has the sign of x; the slope is that of x/y as it rounds
    "floored_remainder",
    lambda x, y: x - y * sp.floor(x / y),
    lambda x, y: sp.S.One,
    lambda x, y: -floor(x / y),
)
stop: Kind = scalar("stop", lambda x: x, lambda x: sp.S.Zero, constant=True)

# --- derivatives that their author writes: program/authors.py -------------------------------------
authored: Kind = scalar("authored", lambda y, x: y, lambda y, x: sp.S.Zero, lambda y, x: sp.S.One)
written: Kind = scalar(
    "written", lambda y, z: z, lambda y, z: sp.S.Zero, lambda y, z: sp.S.Zero,
    constant=True, convention=lambda y, z: y,
)  # fmt: skip
opaque: Kind = scalar("opaque", lambda y, x: y, lambda y, x: sp.S.Zero, lambda y, x: sp.S.NaN)

# --- truth: relations and logic whose operands are bound symbols ----------------------------------
unequal = sp.Ne
both: Kind = scalar("both", lambda x, y: sp.And(x, y))
either: Kind = scalar("either", lambda x, y: sp.Or(x, y))
one_of: Kind = scalar("one_of", lambda x, y: sp.Xor(x, y))
negation: Kind = scalar("negation", lambda x: sp.Not(x))

# --- questions that no exact number answers with yes ----------------------------------------------
is_nan: Kind = scalar("is_nan", lambda x: sp.false)
is_inf: Kind = scalar("is_inf", lambda x: sp.false)
is_finite: Kind = scalar("is_finite", lambda x: sp.true)
