"""SciPy's special functions of tensors: those that `scipy.special` has as elementwise functions.

They are found by name, so that SciPy is imported by nobody but the caller.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import sympy as sp

from symtape.ops.elementwise import arithmetic, special
from symtape.ops.elementwise import functions as elementwise
from symtape.ops.numpy.ufuncs import unary
from symtape.program import special as functions
from symtape.tensor.tensor import Tensor


def _betaln(a: Tensor, b: Tensor) -> Tensor:
    total = elementwise.lgamma(arithmetic.add(a, b))
    return arithmetic.subtract(arithmetic.add(elementwise.lgamma(a), elementwise.lgamma(b)), total)


UFUNCS: dict[str, Callable[..., Tensor]] = {
    "erf": elementwise.erf,
    "erfc": elementwise.erfc,
    "erfinv": elementwise.erfinv,
    "erfcinv": elementwise.erfcinv,
    "ndtr": unary("ndtr", functions.normal_cdf),
    "ndtri": elementwise.ndtri,
    "expit": elementwise.sigmoid,
    "log_expit": elementwise.log_sigmoid,
    "logit": unary("logit", lambda x: sp.log(x) - sp.log(1 - x)),
    "expm1": elementwise.expm1,
    "log1p": elementwise.log1p,
    "exp2": unary("exp2", lambda x: 2**x),
    "exp10": unary("exp10", lambda x: 10**x),
    "entr": lambda x: arithmetic.subtract(arithmetic.multiply(x, 0.0), arithmetic.xlogy(x, x)),
    "xlogy": arithmetic.xlogy,
    "xlog1py": arithmetic.xlog1py,
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
