"""Scalar functions whose slopes at kinks are those of PyTorch and JAX, which TensorFlow has others.

What they are, and how they are written, is what `program/functions/scalar.py` has for TensorFlow.
"""

from __future__ import annotations

import sympy as sp

from symtape.program.functions import scalar, special
from symtape.program.functions.scalar import Kind
from symtape.program.operations import elementwise

# --- steps at kinks ------------------------------------------------------------------------------
# Nothing holds of nan: JAX asks for what has a slope, PyTorch for what has none (`not_` …).
share: Kind = scalar.scalar(  # equal infinities have halves, too
    "share",
    lambda x, y: (1 + sp.sign(x - y)) / 2,
    lambda x, y: sp.S.Zero,
    lambda x, y: sp.S.Zero,
    constant=True,
    convention=lambda x, y: sp.Piecewise((1, x > y), (sp.Rational(1, 2), sp.Eq(x, y)), (0, True)),
)
not_less: Kind = scalar.scalar(
    "not_less",
    lambda x, y: (1 + sp.sign(x - y)) / 2,
    lambda x, y: sp.S.Zero,
    lambda x, y: sp.S.Zero,
    constant=True,
    convention=lambda x, y: sp.Piecewise((0, x < y), (sp.Rational(1, 2), sp.Eq(x, y)), (1, True)),
)
larger: Kind = scalar.scalar("larger", lambda x, y: sp.Max(x, y), share, lambda x, y: share(y, x))
smaller: Kind = scalar.scalar("smaller", lambda x, y: sp.Min(x, y), lambda x, y: share(y, x), share)
largest: Kind = scalar.scalar(
    "largest", lambda x, y: sp.Max(x, y), not_less, lambda x, y: not_less(y, x)
)
smallest: Kind = scalar.scalar(
    "smallest", lambda x, y: sp.Min(x, y), lambda x, y: not_less(y, x), not_less
)
above: Kind = scalar.scalar(
    "above", lambda x: scalar.indicator(x > 0), lambda x: sp.S.Zero, constant=True
)
rectified: Kind = scalar.scalar("rectified", lambda x: sp.Max(0, x), above)
not_below: Kind = scalar.scalar(
    "not_below",
    lambda x: scalar.indicator(x > 0),
    lambda x: sp.S.Zero,
    constant=True,
    convention=lambda x: sp.Piecewise((0, x <= 0), (1, True)),
)
kept: Kind = scalar.scalar("kept", lambda x: sp.Max(0, x), not_below)
inside: Kind = scalar.scalar(
    "inside",
    lambda x, low, high: scalar.indicator(sp.And(x > low, x < high)),
    lambda x, low, high: sp.S.Zero,
    constant=True,
    fixed=(1, 2),
)
held: Kind = scalar.scalar(  # where it is an end, that end moves it: not the number within
    "held",
    lambda x, low, high: sp.Min(high, sp.Max(low, x)),
    inside,
    lambda x, low, high: above(low - x) * above(high - low),
    lambda x, low, high: above(x - high),
)
side: Kind = scalar.scalar(  # JAX takes 0 for a positive number
    "side",
    lambda x: sp.sign(x),
    lambda x: sp.S.Zero,
    constant=True,
    convention=lambda x: sp.Piecewise((1, x >= 0), (-1, True)),
)
magnitude: Kind = scalar.scalar("magnitude", lambda x: sp.Abs(x), side)
sign_or_zero: Kind = scalar.scalar(  # nan has none
    "sign_or_zero",
    lambda x: sp.sign(x),
    lambda x: sp.S.Zero,
    constant=True,
    convention=lambda x: sp.Piecewise((1, x > 0), (-1, x < 0), (0, True)),
)
size: Kind = scalar.scalar("size", lambda x: sp.Abs(x), sign_or_zero)
STEPS = frozenset({not_less, above, not_below, inside})
"""Slopes which, where they are 0, leave nothing of what comes to them, be it infinite."""

# --- what is flat at one point, where the limit of its slope is none ------------------------------
flat_power: Kind = scalar.scalar(
    "flat_power",
    lambda x, p: x**p,
    lambda x, p: p * flat_power(x, p - 1),
    convention=lambda x, p: sp.Piecewise((0, sp.Eq(x, 0)), (x**p, True)),
    fixed=(1,),
)
length: Kind = scalar.scalar(  # the root of a sum of squares, which is flat at 0
    "length", lambda x: sp.sqrt(x), lambda x: flat_power(x, -sp.Rational(1, 2)) / 2
)
steady_power: Kind = scalar.scalar(  # flat where the exponent is 0, at x = 0 too
    "steady_power",
    lambda x, y: x**y,
    lambda x, y: scalar.masked_product(y, steady_power(x, y - 1)),
    lambda x, y: steady_power(x, y) * growth(x, y),
)
growth: Kind = scalar.scalar(  # 0 has none, but where its power is infinite
    "growth",
    lambda x, y: sp.log(x),
    lambda x, y: sp.Piecewise((0, sp.And(sp.Eq(x, 0), y >= 0)), (1 / x, True)),
    lambda x, y: sp.S.Zero,
    convention=lambda x, y: sp.Piecewise((0, sp.And(sp.Eq(x, 0), y >= 0)), (sp.log(x), True)),
)
any_power: Kind = scalar.scalar(  # the exponent's slope is 0 at x = 0, and nan where x is negative
    "any_power",
    lambda x, y: x**y,
    lambda x, y: y * any_power(x, y - 1),
    lambda x, y: any_power(x, y) * scalar.nonzero_log(x),
)
cube_root: Kind = scalar.scalar(
    "cube_root",
    lambda x: sp.sign(x) * sp.Abs(x) ** sp.Rational(1, 3),
    lambda x: 1 / (3 * cube_root(x) ** 2),
)
direction: Kind = scalar.scalar(
    "direction",
    lambda y, x: sp.atan2(y, x),
    lambda y, x: x * flat_power(x**2 + y**2, -1),
    lambda y, x: -y * flat_power(x**2 + y**2, -1),
)

# --- slopes outside of a domain, and at its ends --------------------------------------------------
arcosh: Kind = scalar.scalar(  # below -1, too
    "arcosh", lambda x: sp.acosh(x), lambda x: 1 / sp.sqrt((x - 1) * (x + 1))
)
log_odds: Kind = scalar.scalar(
    "log_odds", lambda x: sp.log(x / (1 - x)), lambda x: log_odds_slope(x)
)
log_odds_slope: Kind = scalar.scalar(  # none outside
    "log_odds_slope",
    lambda x: 1 / (x * (1 - x)),
    lambda x: (2 * x - 1) * log_odds_slope(x) ** 2,
    convention=lambda x: sp.Piecewise((sp.nan, sp.Or(x < 0, x > 1)), (1 / (x * (1 - x)), True)),
)
log_of_gamma: Kind = scalar.scalar(
    "log_of_gamma", lambda x: sp.log(sp.Abs(sp.gamma(x))), lambda x: psi(x)
)
psi: Kind = scalar.scalar(  # ∓∞ at ±0
    "psi",
    lambda x: sp.polygamma(0, x),
    lambda x: special.polygamma(1, x),
    convention=lambda x: sp.Piecewise((-1 / x, sp.Eq(x, 0)), (sp.polygamma(0, x), True)),
)

entropy: Kind = scalar.scalar(  # 0 at 0, and -∞ below; its slope has no 0·∞
    "entropy",
    lambda x: -x * sp.log(x),
    lambda x: -1 - sp.log(x),
    convention=lambda x: sp.Piecewise((0, sp.Eq(x, 0)), (-sp.oo, x < 0), (-x * sp.log(x), True)),
)

weighted_log: Kind = scalar.scalar(  # 0 at x = 0, where the slope is the logarithm all the same
    "weighted_log",
    lambda x, y: x * sp.log(y),
    lambda x, y: sp.log(y),
    lambda x, y: scalar.masked_product(x, 1 / y),
    convention=lambda x, y: sp.Piecewise((0, sp.Eq(x, 0)), (x * sp.log(y), True)),
)
weighted_log1p: Kind = scalar.scalar(
    "weighted_log1p",
    lambda x, y: x * sp.log(1 + y),
    lambda x, y: scalar.log1p(y),
    lambda x, y: scalar.masked_product(x, 1 / (1 + y)),
    convention=lambda x, y: sp.Piecewise((0, sp.Eq(x, 0)), (x * sp.log(1 + y), True)),
)
relative_entropy: Kind = scalar.scalar(  # 0 at x = 0, and ∞ outside
    "relative_entropy",
    lambda x, y: x * sp.log(x / y),
    lambda x, y: 1 + sp.log(x / y),
    lambda x, y: -scalar.masked_product(x, 1 / y),
    convention=lambda x, y: sp.Piecewise(
        (x * sp.log(x / y), sp.And(x > 0, y > 0)), (0, sp.And(sp.Eq(x, 0), y >= 0)), (sp.oo, True)
    ),
)

# --- what squares of large numbers and the sign of -0 would spoil ---------------------------------
hypotenuse: Kind = scalar.scalar(
    "hypotenuse",
    lambda x, y: sp.sqrt(x**2 + y**2),
    lambda x, y: leaning(x, y),
    lambda x, y: leaning(y, x),
)
leaning: Kind = scalar.scalar(  # 1/r - x²/r³ would cancel where y is small
    "leaning",
    lambda x, y: x / sp.sqrt(x**2 + y**2),
    lambda x, y: leaning(y, x) ** 2 / hypotenuse(x, y),
    lambda x, y: -leaning(x, y) * leaning(y, x) / hypotenuse(x, y),
)
facing: Kind = scalar.scalar(  # -1 of -0, which SymPy does not have
    "facing",
    lambda x: sp.sign(x),
    lambda x: sp.S.Zero,
    constant=True,
    convention=lambda x: sp.Piecewise((-1, x < 0), (1, True)),
)

# --- logarithms that end at -100, and a slope that ends at 1e12, as torch's cross entropy has -----
cross_entropy: Kind = scalar.scalar(
    "cross_entropy",
    lambda x, y: -y * sp.log(x) - (1 - y) * sp.log(1 - x),
    lambda x, y: cross_entropy_slope(x, y),
    lambda x, y: scalar.log1p(-x) - sp.log(x),
    convention=lambda x, y: -y * sp.Max(sp.log(x), -100) - (1 - y) * sp.Max(sp.log(1 - x), -100),
)
cross_entropy_slope: Kind = scalar.scalar(
    "cross_entropy_slope",
    lambda x, y: (x - y) / (x * (1 - x)),
    lambda x, y: y / x**2 + (1 - y) / (1 - x) ** 2,
    lambda x, y: -1 / (x * (1 - x)),
    convention=lambda x, y: (x - y) / sp.Max(x * (1 - x), sp.Rational(1, 10**12)),
)

# Slopes that are infinite make nan of a gradient of zero: TensorFlow's kernels of these leave zero.
square_root = elementwise("square_root", scalar.sqrt)
inverse_root = elementwise("inverse_root", lambda x: 1 / scalar.sqrt(x))

maximum = elementwise("larger", larger, 2)
minimum = elementwise("smaller", smaller, 2)
maximum_or_nan = elementwise("largest", largest, 2)
minimum_or_nan = elementwise("smallest", smallest, 2)
relu = elementwise("rectified", rectified)
relu_or_nan = elementwise("kept", kept)
clip = elementwise("held", held, 3)
atan2 = elementwise("direction", direction, 2)
binary_cross_entropy = elementwise("cross_entropy", cross_entropy, 2)
root = elementwise("length", length)
power = elementwise("steady_power", steady_power, 2)
power_of_any = elementwise("any_power", any_power, 2)
cbrt = elementwise("cube_root", cube_root)
absolute = elementwise("magnitude", magnitude)
absolute_or_nan = elementwise("size", size)
sign = elementwise("sign_or_zero", sign_or_zero)
acosh = elementwise("arcosh", arcosh)
logit = elementwise("log_odds", log_odds)
lgamma = elementwise("log_of_gamma", log_of_gamma)
digamma = elementwise("psi", psi)
entr = elementwise("entropy", entropy)
xlogy = elementwise("weighted_log", weighted_log, 2)
xlog1py = elementwise("weighted_log1p", weighted_log1p, 2)
rel_entr = elementwise("relative_entropy", relative_entropy, 2)
hypot = elementwise("hypotenuse", hypotenuse, 2)
sinc = elementwise("sinc", lambda x: special.sine_quotient(0, sp.pi * x))
sine_over = elementwise("sine_over", lambda x: special.sine_quotient(0, x))
facing_of = elementwise("facing", facing)
power_flat_at_zero = elementwise("flat_power", flat_power, 2)
