"""Special functions: Bessel's, the gamma and zeta functions, and integrals. Values need SciPy."""

from __future__ import annotations

from functools import cache, partial
from typing import Any

import numpy as np

from symtape.errors import InvalidArgumentError
from symtape.ops.arguments import (
    FLOATS,
    Allowed,
    allowed,
    is_tensor,
    like,
    listed,
    pair,
    refusal,
    tensor,
)
from symtape.ops.elementwise.functions import exp, lgamma, log, unary
from symtape.ops.reductions.reduction import reduce_sum
from symtape.program.functions import special
from symtape.program.operations import Map, elementwise, parameters
from symtape.tensor.dispatch import OP_NAMES, apply, apply2, mismatch
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import dtype_of, shape_of

DOUBLES = allowed("float, double")

# fmt: off
# --- Bessel functions -----------------------------------------------------------------------------
bessel_i0 = unary("bessel_i0", partial(special.bessel_i, 0), FLOATS,
                  "The modified Bessel function of the first kind of order 0", "[0.0]", "[1.]")
bessel_i1 = unary("bessel_i1", partial(special.bessel_i, 1), FLOATS,
                  "The modified Bessel function of the first kind of order 1", "[0.0]", "[0.]")
bessel_i0e = unary("bessel_i0e", special.bessel_i0e, FLOATS, "exp(-|x|) times `bessel_i0`", "[0.0]",
                   "[1.]")
bessel_i1e = unary("bessel_i1e", special.bessel_i1e, FLOATS, "exp(-|x|) times `bessel_i1`", "[0.0]",
                   "[0.]")
bessel_j0 = unary("bessel_j0", partial(special.bessel_j, 0), FLOATS,
                  "The Bessel function of the first kind of order 0", "[0.0]", "[1.]")
bessel_j1 = unary("bessel_j1", partial(special.bessel_j, 1), FLOATS,
                  "The Bessel function of the first kind of order 1", "[0.0]", "[0.]")
bessel_k0 = unary("bessel_k0", partial(special.bessel_k, 0), FLOATS,
                  "The modified Bessel function of the second kind of order 0", "[1.0]",
                  "[0.42102444]")
bessel_k1 = unary("bessel_k1", partial(special.bessel_k, 1), FLOATS,
                  "The modified Bessel function of the second kind of order 1", "[1.0]",
                  "[0.60190725]")
bessel_k0e = unary("bessel_k0e", special.bessel_k0e, FLOATS, "exp(x) times `bessel_k0`", "[1.0]",
                   "[1.1444631]")
bessel_k1e = unary("bessel_k1e", special.bessel_k1e, FLOATS, "exp(x) times `bessel_k1`", "[1.0]",
                   "[1.6361535]")
bessel_y0 = unary("bessel_y0", partial(special.bessel_y, 0), FLOATS,
                  "The Bessel function of the second kind of order 0", "[1.0]", "[0.08825696]")
bessel_y1 = unary("bessel_y1", partial(special.bessel_y, 1), FLOATS,
                  "The Bessel function of the second kind of order 1", "[1.0]", "[-0.7812128]")

# --- integrals ------------------------------------------------------------------------------------
dawsn = unary("dawsn", partial(special.dawson, 0), FLOATS,
              "Dawson's integral, exp(-x²) times the integral of exp(t²) from 0 to x", "[1.0]",
              "[0.5380795]")
expint = unary("expint", special.expint, FLOATS,
               "The exponential integral Ei, the integral of exp(t)/t from minus infinity to x",
               "[1.0]", "[1.8951178]")
fresnel_cos = unary("fresnel_cos", special.fresnel_cos, FLOATS,
                    "Fresnel's integral of cos(πt²/2) from 0 to x", "[1.0]", "[0.7798934]")
fresnel_sin = unary("fresnel_sin", special.fresnel_sin, FLOATS,
                    "Fresnel's integral of sin(πt²/2) from 0 to x", "[1.0]", "[0.43825915]")
spence = unary("spence", special.spence, FLOATS,
               "Spence's function, the integral of log(t)/(1 - t) from 1 to x", "[0.0]",
               "[1.6449341]")
# fmt: on


# --- functions of two -----------------------------------------------------------------------------


def _two(
    operation: Map, first: Any, second: Any, kinds: Allowed, names: str, attr: str = "T"
) -> Tensor:
    """Apply an operation to two tensors of one dtype, with broadcasting."""
    x, y = pair(first, second)
    if dtype_of(x) == dtype_of(y) and dtype_of(x).char not in kinds.letters:
        raise refusal(OP_NAMES[operation], x, kinds, names, attr)
    return apply2(operation, x, y)


_polygamma = elementwise("polygamma", special.polygamma, 2)
_zeta = elementwise("zeta", special.zeta, 2)
_igamma = elementwise("igamma", special.igamma, 2)
_igammac = elementwise("igammac", special.igammac, 2)
_betainc = elementwise("betainc", special.betainc, 3)
_nextafter = elementwise("nextafter", special.nextafter, 2)
OP_NAMES |= {
    _polygamma: "Polygamma",
    _zeta: "Zeta",
    _igamma: "Igamma",
    _igammac: "Igammac",
    _betainc: "Betainc",
    _nextafter: "NextAfter",
}


def polygamma(a: Any, x: Any, name: str | None = None) -> Tensor:
    """The derivative of order `a` of `digamma` at `x`, element by element with broadcasting.

    There is none where `a` is no whole number from 0. No gradient flows to `a`. Float32 and
    float64 only; other dtypes raise `InvalidArgumentError`.

    >>> polygamma(1.0, [1.0]).numpy()
    array([1.644934], dtype=float32)
    """
    return _two(_polygamma, a, x, DOUBLES, "a:T, x:T -> z:T")


def zeta(x: Any, q: Any, name: str | None = None) -> Tensor:
    """Hurwitz's zeta function, the sum of (q + n)^-x over n, element by element, broadcasting.

    No gradient flows to `x`. Float32 and float64 only; other dtypes raise `InvalidArgumentError`.

    >>> zeta(2.0, [1.0]).numpy()
    array([1.644934], dtype=float32)
    """
    return _two(_zeta, x, q, DOUBLES, "x:T, q:T -> z:T")


def igamma(a: Any, x: Any, name: str | None = None) -> Tensor:
    """The lower incomplete gamma function over gamma(a), element by element with broadcasting.

    Gradients flow to both arguments. Dtypes that are not floating raise `InvalidArgumentError`.

    >>> igamma(1.0, [1.0]).numpy()
    array([0.63212055], dtype=float32)
    """
    return _two(_igamma, a, x, FLOATS, "a:T, x:T -> z:T")


@cache
def _igamma_slope() -> Map:
    """Make the operation when it is asked for: to make a body takes SymPy time."""
    made = Map.of(special.igamma_derivative(1, *parameters(2)), 2)
    OP_NAMES[made] = "IgammaGradA"
    return made


def igamma_slope(a: Any, x: Any) -> Tensor:
    """The derivative of `igamma` by its first argument, element by element with broadcasting.

    >>> igamma_slope(1.5, [0.7]).numpy()
    array([-0.34701872], dtype=float32)
    """
    return _two(_igamma_slope(), a, x, DOUBLES, "a:T, x:T -> z:T")


def gamma_slope(alpha: Any, sample: Any) -> Tensor:
    """The derivative of a number from a gamma distribution by its shape, element by element.

    The number stays at its place in the distribution: -∂P(α, x)/∂α over the density at x.
    Figurnov, Mohamed and Mnih, "Implicit reparameterization gradients" (2018), equation 5.

    >>> gamma_slope(1.5, [0.7]).numpy()
    array([0.74021], dtype=float32)
    """
    a, x = pair(alpha, sample)
    density = exp((a - 1) * log(x) - x - lgamma(a))
    made: Tensor = -igamma_slope(a, x) / density
    return made


def igammac(a: Any, x: Any, name: str | None = None) -> Tensor:
    """The upper incomplete gamma function over gamma(a), element by element with broadcasting.

    Gradients flow to both arguments. Dtypes that are not floating raise `InvalidArgumentError`.

    >>> igammac(1.0, [1.0]).numpy()
    array([0.36787945], dtype=float32)
    """
    return _two(_igammac, a, x, FLOATS, "a:T, x:T -> z:T")


def nextafter(x1: Any, x2: Any, name: str | None = None) -> Tensor:
    """The next floating number after `x1` in the direction of `x2`, with broadcasting.

    Its slope is 1 in `x1` and 0 in `x2`. Numbers and arrays of NumPy's become float32; tensors of
    dtypes other than float32 and float64 raise `InvalidArgumentError`.

    >>> nextafter(1.0, [2.0]).numpy()
    array([1.0000001], dtype=float32)
    """
    if not (is_tensor(x1) or is_tensor(x2)):
        x1 = _as_floats(x1)
    kinds = allowed("double, float")
    return _two(_nextafter, x1, x2, kinds, "x1:T, x2:T -> output:T", "T")


def _as_floats(value: Any) -> Any:
    """Make numbers that nobody gave a dtype float32, which is what the operation takes first."""
    is_scalar = hasattr(value, "dtype") and not isinstance(value, np.ndarray)
    return tensor(value) if is_scalar else like(value, tensor(0.0))


# --- functions of three, and of a row -------------------------------------------------------------


def betainc(a: Any, b: Any, x: Any, name: str | None = None) -> Tensor:
    """The regularized incomplete beta function of `x`, of one shape for all that are no scalars.

    No gradient flows to `a` and `b`. Float32 and float64 only; other dtypes, and shapes that
    differ, raise `InvalidArgumentError`.

    >>> betainc(2.0, 3.0, [0.5]).numpy()
    array([0.6875], dtype=float32)
    """
    leader = next((v for v in (a, b, x) if is_tensor(v)), None)
    leader = tensor(a if leader is None else leader)
    parts = [like(v, leader) for v in (a, b, x)]
    for number, part in enumerate(parts[1:], 1):
        if dtype_of(part) != dtype_of(parts[0]):
            raise mismatch(_betainc, parts[0], part, number)
    if dtype_of(parts[0]).char not in DOUBLES.letters:
        raise refusal("Betainc", parts[0], DOUBLES, "a:T, b:T, x:T -> z:T")
    shapes = dict(zip("abx", [shape_of(p) for p in parts], strict=True))
    for one, other in ("ab", "ax", "bx"):
        if shapes[one] and shapes[other] and shapes[one] != shapes[other]:
            raise InvalidArgumentError.of(
                "Betainc",
                f"Shapes of {one} and {other} are inconsistent: "
                f"{listed(shapes[one])} vs. {listed(shapes[other])}",
            )
    return apply(_betainc, *parts)


def lbeta(x: Any, name: str | None = None) -> Tensor:
    """The logarithm of |beta| over the last axis: the sum of `lgamma` less that of the sum.

    Takes shapes (…, n) to (…). Of no elements it is minus infinity. Dtypes that are not floating
    raise `InvalidArgumentError`, as does a scalar.

    >>> lbeta([1.0, 2.0]).numpy()
    np.float32(-0.6931472)
    """
    x = tensor(x)
    return reduce_sum(lgamma(x), -1) - lgamma(reduce_sum(x, -1))
