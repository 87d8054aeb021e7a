"""SciPy's special functions of tensors: those that `scipy.special` has as elementwise functions.

They are found by name, so that SciPy is imported by nobody but the caller.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import sympy as sp

from symtape.ops.elementwise import arithmetic, special
from symtape.ops.elementwise import functions as elementwise
from symtape.ops.elementwise.comparison import greater_equal, less_equal
from symtape.ops.numpy.scipy_families import OF_NUMBERS, SEVERAL, as_float
from symtape.ops.numpy.ufuncs import binary, unary
from symtape.program.functions import families, frameworks
from symtape.program.functions import special as functions
from symtape.tensor.dispatch import apply1, apply2
from symtape.tensor.tensor import Tensor


def _kl_div(x: Tensor, y: Tensor) -> Tensor:
    return arithmetic.add(arithmetic.subtract(apply2(frameworks.rel_entr, x, y), x), y)


def _huber(delta: Tensor, r: Tensor) -> Tensor:
    size = elementwise.abs(r)
    beyond = arithmetic.multiply(delta, arithmetic.subtract(size, arithmetic.divide(delta, 2.0)))
    within = arithmetic.divide(elementwise.square(r), 2.0)
    found = arithmetic.where(less_equal(size, delta), within, beyond)
    return arithmetic.where(greater_equal(delta, 0.0), found, np.inf)


def _gamma_of_half(run: Callable[..., Tensor]) -> Callable[[Tensor, Tensor], Tensor]:
    """A distribution of squares of normals: of half of the degrees of freedom and of the place."""
    return lambda v, x: run(arithmetic.divide(v, 2.0), arithmetic.divide(x, 2.0))


def _log_gamma(x: Tensor) -> Tensor:
    """The logarithm of the gamma function where that is no complex number."""
    return arithmetic.where(greater_equal(x, 0.0), elementwise.lgamma(x), np.nan)


def _in_degrees(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda x: function(sp.pi * x / 180)


UFUNCS: dict[str, Callable[..., Tensor]] = {
    **{
        name: getattr(elementwise, name)
        for name in "erf erfc erfinv erfcinv ndtri expm1 log1p".split()
    },
    **{
        name: getattr(special, f"bessel_{name}")
        for name in "i0 i0e i1 i1e j0 j1 k0 k0e k1 k1e y0 y1".split()
    },
    "ndtr": unary("ndtr", functions.normal_cdf),
    "log_ndtr": unary("log_ndtr", families.log_normal_cdf),
    "erfcx": unary("erfcx", partial(families.scaled_erfc, 0)),
    "erfi": unary("erfi", families.erfi),
    "rel_entr": partial(apply2, frameworks.rel_entr),
    "kl_div": _kl_div,
    "huber": _huber,
    "pseudo_huber": binary("pseudo_huber", families.pseudo_huber),
    "expit": elementwise.sigmoid,
    "log_expit": elementwise.log_sigmoid,
    "logit": unary("logit", frameworks.log_odds),
    "exp2": unary("exp2", lambda x: 2**x),
    "exp10": unary("exp10", lambda x: 10**x),
    "entr": partial(apply1, frameworks.entr),
    "xlogy": partial(apply2, frameworks.xlogy),
    "xlog1py": partial(apply2, frameworks.xlog1py),
    "gammaln": elementwise.lgamma,
    "loggamma": _log_gamma,
    "gamma": unary("gamma", families.gamma),
    "beta": binary("beta", families.beta),
    "poch": binary("rising", families.rising),
    "binom": binary("binomial", families.binomial),
    "psi": elementwise.digamma,
    "betaln": binary("log_beta", families.log_beta),
    "gammainc": special.igamma,
    "gammaincc": special.igammac,
    "chdtr": _gamma_of_half(special.igamma),
    "chdtrc": _gamma_of_half(special.igammac),
    "dawsn": special.dawsn,
    "expi": special.expint,
    "exp1": unary("exp1", partial(families.exp_integral, 1)),
    "exprel": unary("exp_mean", partial(families.exp_mean, 0)),
    "boxcox": binary("box_cox", families.box_cox),
    "boxcox1p": binary("box_cox1p", families.box_cox1p),
    "inv_boxcox": binary("inverse_box_cox", families.inverse_box_cox),
    "inv_boxcox1p": binary("inverse_box_cox1p", families.inverse_box_cox1p),
    "cosm1": unary("cosm1", lambda x: -2 * sp.sin(x / 2) ** 2),
    "cbrt": partial(apply1, frameworks.cbrt),
    "sindg": unary("sindg", _in_degrees(sp.sin)),
    "cosdg": unary("cosdg", _in_degrees(sp.cos)),
    "tandg": unary("tandg", _in_degrees(sp.tan)),
    "wrightomega": unary("wrightomega", families.omega),
    "ellipk": unary("ellipk", lambda m: families.elliptic_k(0, 1 - m)),
    "ellipkm1": unary("ellipkm1", partial(families.elliptic_k, 0)),
    "ellipe": unary("ellipe", lambda m: families.elliptic_e(0, 1 - m)),
    "spence": special.spence,
}
"""By the names that SciPy's functions say they have; `digamma` is `psi`."""


def scipy_ufunc(ufunc: Any, inputs: tuple[Any, ...]) -> Callable[..., Any] | None:
    """Give what a function of `scipy.special` is at a call's inputs; None for another function.

    Orders, degrees and shapes have to be numbers: a derivative by them has no closed form.
    """
    name = ufunc.__name__
    if getattr(sys.modules.get("scipy.special"), name, None) is not ufunc:
        return None
    return OF_NUMBERS[name].at(inputs) if name in OF_NUMBERS else _OF_FLOATS.get(name)


def _of_floats(run: Callable[..., Any], *inputs: Tensor) -> Any:
    """Compute with floats: whole numbers are in SciPy what NumPy casts them to safely."""
    return run(*map(as_float, inputs))


_OF_FLOATS = {name: partial(_of_floats, run) for name, run in (UFUNCS | SEVERAL).items()}
