"""SciPy's special functions of tensors: those that `scipy.special` has as elementwise functions.

They are found by name, so that SciPy is imported by nobody but the caller.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from symtape.ops.elementwise import arithmetic, special
from symtape.ops.elementwise import functions as elementwise
from symtape.ops.elementwise.comparison import greater_equal, less_equal
from symtape.ops.numpy.ufuncs import unary
from symtape.program import frameworks
from symtape.program import special as functions
from symtape.tensor.dispatch import apply1, apply2
from symtape.tensor.tensor import Tensor


def _betaln(a: Tensor, b: Tensor) -> Tensor:
    total = elementwise.lgamma(arithmetic.add(a, b))
    return arithmetic.subtract(arithmetic.add(elementwise.lgamma(a), elementwise.lgamma(b)), total)


def _kl_div(x: Tensor, y: Tensor) -> Tensor:
    return arithmetic.add(arithmetic.subtract(apply2(frameworks.rel_entr, x, y), x), y)


def _huber(delta: Tensor, r: Tensor) -> Tensor:
    size = elementwise.abs(r)
    beyond = arithmetic.multiply(delta, arithmetic.subtract(size, arithmetic.divide(delta, 2.0)))
    within = arithmetic.divide(elementwise.square(r), 2.0)
    found = arithmetic.where(less_equal(size, delta), within, beyond)
    return arithmetic.where(greater_equal(delta, 0.0), found, np.inf)


UFUNCS: dict[str, Callable[..., Tensor]] = {
    "erf": elementwise.erf,
    "erfc": elementwise.erfc,
    "erfinv": elementwise.erfinv,
    "erfcinv": elementwise.erfcinv,
    "ndtr": unary("ndtr", functions.normal_cdf),
    "ndtri": elementwise.ndtri,
    "rel_entr": partial(apply2, frameworks.rel_entr),
    "kl_div": _kl_div,
    "huber": _huber,
    "expit": elementwise.sigmoid,
    "log_expit": elementwise.log_sigmoid,
    "logit": unary("logit", frameworks.log_odds),
    "expm1": elementwise.expm1,
    "log1p": elementwise.log1p,
    "exp2": unary("exp2", lambda x: 2**x),
    "exp10": unary("exp10", lambda x: 10**x),
    "entr": partial(apply1, frameworks.entr),
    "xlogy": partial(apply2, frameworks.xlogy),
    "xlog1py": partial(apply2, frameworks.xlog1py),
    "gammaln": elementwise.lgamma,
    "psi": elementwise.digamma,
    "betaln": _betaln,
    "gammainc": special.igamma,
    "gammaincc": special.igammac,
    "i0": special.bessel_i0,
    "i0e": special.bessel_i0e,
    "i1": special.bessel_i1,
    "i1e": special.bessel_i1e,
    "j0": special.bessel_j0,
    "j1": special.bessel_j1,
    "k0": special.bessel_k0,
    "k0e": special.bessel_k0e,
    "k1": special.bessel_k1,
    "k1e": special.bessel_k1e,
    "y0": special.bessel_y0,
    "y1": special.bessel_y1,
    "dawsn": special.dawsn,
    "expi": special.expint,
    "spence": special.spence,
}
"""By the names that SciPy's functions say they have; `digamma` is `psi`."""


def scipy_ufunc(ufunc: Any) -> Callable[..., Tensor] | None:
    """Give the operation that a function of `scipy.special` is, or None for another function."""
    module = sys.modules.get("scipy.special")
    is_one = module is not None and getattr(module, ufunc.__name__, None) is ufunc
    return UFUNCS.get(ufunc.__name__) if is_one else None
