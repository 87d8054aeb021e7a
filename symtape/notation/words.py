"""The closed table of what texts can say, and how it is computed on tensors."""

from __future__ import annotations

import operator
from collections.abc import Callable
from functools import partial
from types import MappingProxyType
from typing import Any

import numpy as np

from symtape.ops.elementwise import activation, arithmetic, comparison, special
from symtape.ops.elementwise import functions as elementwise
from symtape.ops.linalg import (
    contraction,
    diagonals,
    matrix_functions,
    products,
    solving,
    spectra,
)
from symtape.ops.numpy import scipy_families, scipy_ufuncs, ufuncs
from symtape.ops.reductions import norms, reduction, scan
from symtape.ops.shapes import joining, shaping

_ENTRIES = (
    "abs acos acosh asin asinh atan atanh cos cosh digamma erf erfc exp expm1 lgamma log log1p "
    "reciprocal rsqrt sigmoid sign sin sinh softplus softsign sqrt square tan tanh elu gelu relu "
    "silu selu leaky_relu log_sigmoid erfinv exp2 log2 log10 exp10 ndtr ndtri logit "
    "erfcx erfi erfcinv log_ndtr exprel exp1 expi spence dawsn entr cbrt gamma loggamma "
    "i0 i1 i0e i1e j0 j1 k0 k1 k0e k1e y0 y1 ellipk ellipe ellipkm1 wrightomega"
)


def _function(word: str) -> Any:
    """Find a function by its name here, in SciPy, or in NumPy."""
    homes = (elementwise, special, activation)
    own = next((getattr(home, word) for home in homes if hasattr(home, word)), None)
    return own or scipy_ufuncs.UFUNCS.get(word) or ufuncs.UFUNCS[getattr(np, word)]


def _one_by(word: str) -> Callable[[Any], Any]:
    function = _function(word)
    return lambda x: 1.0 / function(x)


_ONE_BY = {"sec": "cos", "csc": "sin", "cot": "tan", "sech": "cosh", "csch": "sinh", "coth": "tanh"}

_BESSEL = {"j": "jv", "y": "yn", "i": "iv", "k": "kn"}
"""Functions of an order and a number by SciPy's names."""

MOST_ORDER = 20
"""The highest order of a Bessel function that has a name."""


def _of_order(word: str, n: int, x: Any) -> Any:
    return scipy_families.OF_NUMBERS[word].run(n)(x)


ENTRYWISE = MappingProxyType(
    {
        **{word: _function(word) for word in _ENTRIES.split()},
        **{
            f"bessel_{letter}{n}": partial(_of_order, word, n)
            for letter, word in _BESSEL.items()
            for n in range(2, MOST_ORDER + 1)
        },
        **{word: _one_by(other) for word, other in _ONE_BY.items()},
    }
)
"""Functions of each entry."""

SAME = MappingProxyType(
    {
        **{f"arc{w}": f"a{w}" for w in ("sin", "cos", "tan", "sinh", "cosh", "tanh")},
        **{f"reduce_{w}": w for w in ("sum", "mean", "max", "min", "prod", "logsumexp", "std")},
        "reduce_variance": "var",
        "reduce_euclidean_norm": "norm2",
        "absolute": "abs",
        "trace": "tr",
        "matvec": "matmul",
        "ln": "log",
        "amax": "max",
        "amin": "min",
        "diagonal": "diag_part",
        "norm": "norm2",
        "swish": "silu",
        "expit": "sigmoid",
        "power": "pow",
        "float_power": "pow",
        "fabs": "abs",
        "gammaln": "lgamma",
        "psi": "digamma",
        "logsigmoid": "log_sigmoid",
        "log_expit": "log_sigmoid",
        "normal_cdf": "ndtr",
        "expint": "expi",
        **{f"bessel_{letter}{n}": f"{letter}{n}" for letter in _BESSEL for n in (0, 1)},
        "arctan2": "atan2",
        "clip_by_value": "clip",
        "vdot": "inner",
        "concat": "concatenate",
    }
)
"""Other names of what has one."""

REDUCTIONS = MappingProxyType(
    {
        "sum": reduction.reduce_sum,
        "max": reduction.reduce_max,
        "min": reduction.reduce_min,
        "prod": reduction.reduce_prod,
        "logsumexp": reduction.reduce_logsumexp,
    }
)
"""What one number, or one along an axis, is made of."""

BY_COUNT = frozenset({"mean", "var", "std"})
"""What divides by a size."""

TO_SCALARS = frozenset({*REDUCTIONS, "mean", "norm1", "norm2"})
"""What makes one number of many."""

_PAIRS = (
    "beta betaln binom poch gammainc gammaincc rel_entr kl_div huber pseudo_huber boxcox boxcox1p "
    "inv_boxcox inv_boxcox1p"
)

PAIRWISE = MappingProxyType(
    {
        "add": operator.add,
        "subtract": operator.sub,
        "multiply": operator.mul,
        "divide": operator.truediv,
        "pow": operator.pow,
        "maximum": arithmetic.maximum,
        "minimum": arithmetic.minimum,
        "atan2": arithmetic.atan2,
        "xlogy": arithmetic.xlogy,
        "xlog1py": arithmetic.xlog1py,
        "squared_difference": arithmetic.squared_difference,
        **{word: scipy_ufuncs.UFUNCS[word] for word in _PAIRS.split()},
        "hypot": ufuncs.UFUNCS[np.hypot],
        "logaddexp": ufuncs.UFUNCS[np.logaddexp],
    }
)
"""Functions of the entries of two arrays."""

TESTS = MappingProxyType(
    {
        word: getattr(comparison, word)
        for word in ("less", "less_equal", "greater", "greater_equal", "equal", "not_equal")
    }
)
"""Comparisons, which are 1 where they are true and 0 elsewhere."""


def _product(a: Any, b: Any) -> Any:
    ranks = (len(a.shape), len(b.shape))
    if ranks == (2, 2):
        return products.matmul(a, b)
    if ranks == (2, 1):
        return products.matvec(a, b)
    return (
        products.matvec(b, a, transpose_a=True) if ranks == (1, 2) else products.tensordot(a, b, 1)
    )


def _power(a: Any, n: int) -> Any:
    """Raise a matrix to a whole power; a negative one is a power of its inverse."""
    base = solving.inv(a) if n < 0 else a
    found = base
    for _ in range(abs(n) - 1):
        found = products.matmul(found, base)
    return found


def _adjugate(a: Any) -> Any:
    return solving.det(a) * solving.inv(a)


def _singular(take: Any) -> Callable[[Any], Any]:
    """Make one number of the singular values."""
    return lambda a: take(spectra.svd(a, compute_uv=False))


def _lengths(x: Any, value: tuple[Any, bool]) -> Any:
    """Give the Euclidean norm along axes."""
    axis, keepdims = value
    return elementwise.sqrt(reduction.reduce_sum(x * x, axis=axis, keepdims=keepdims))


def _einsum(*values: Any) -> Any:
    *operands, equation = values
    return contraction.einsum(equation, *operands)


WITH_VALUE: MappingProxyType[str, Callable[..., Any]] = MappingProxyType(
    {
        "power": _power,
        "lengths": _lengths,
        "einsum": _einsum,
        "cumsum": scan.cumsum,
        "softmax": activation.softmax,
        "log_softmax": activation.log_softmax,
        "stack": lambda *own: joining.stack(own[:-1], own[-1]),
        "concat": lambda *own: joining.concat(own[:-1], own[-1]),
        "band": lambda a, bounds: diagonals.band_part(a, *bounds),
    }
)
"""What takes something else after its operands: an axis, an exponent, subscripts."""

OPERATORS = frozenset("add subtract multiply divide negative powers maximum minimum".split())
"""What takes plain numbers, too."""

COMPUTE: MappingProxyType[str, Callable[..., Any]] = MappingProxyType(
    {
        **PAIRWISE,
        **TESTS,
        "negative": operator.neg,
        "powers": operator.pow,
        "matmul": _product,
        "outer": lambda a, b: contraction.einsum("i,j->ij", a, b),
        "transpose": shaping.transpose,
        "norm1": lambda x: reduction.reduce_sum(elementwise.abs(x)),
        "norm2": norms.norm,
        "nuclear": _singular(reduction.reduce_sum),
        "spectral": _singular(reduction.reduce_max),
        "squares": lambda x: reduction.reduce_sum(x * x),
        "tr": diagonals.trace,
        "det": solving.det,
        "logdet": lambda x: solving.slogdet(x)[1],
        "hpd_logdet": solving.logdet,
        "inv": solving.inv,
        "adj": _adjugate,
        "diag": diagonals.diag,
        "diag_part": diagonals.diag_part,
        "expm": matrix_functions.expm,
        "cholesky": solving.cholesky,
        "eigvalsh": spectra.eigvalsh,
        "where": arithmetic.where,
        "clip": arithmetic.clip_by_value,
    }
)
"""What is computed of operands alone."""
