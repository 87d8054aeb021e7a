"""The closed table of what texts can say, and how it is computed on tensors."""

from __future__ import annotations

import operator
from collections.abc import Callable
from types import MappingProxyType
from typing import Any

from symtape.ops.elementwise import activation, arithmetic, special
from symtape.ops.elementwise import functions as elementwise
from symtape.ops.linalg import contraction, diagonals, products, solving
from symtape.ops.reductions import norms, reduction
from symtape.ops.shapes import shaping

_ENTRIES = (
    "abs acos acosh asin asinh atan atanh cos cosh digamma erf erfc exp expm1 lgamma log log1p "
    "reciprocal rsqrt sigmoid sign sin sinh softplus softsign sqrt square tan tanh elu gelu relu "
    "silu"
)


def _function(word: str) -> Any:
    homes = (elementwise, special, activation)
    return next(getattr(home, word) for home in homes if hasattr(home, word))


ENTRYWISE = MappingProxyType({word: _function(word) for word in _ENTRIES.split()})
"""Functions of each entry."""

SAME = MappingProxyType(
    {
        **{f"arc{w}": f"a{w}" for w in ("sin", "cos", "tan", "sinh", "cosh", "tanh")},
        **{f"reduce_{w}": w for w in ("sum", "mean", "max", "min", "prod", "logsumexp")},
        "absolute": "abs",
        "trace": "tr",
        "matvec": "matmul",
        "amax": "max",
        "amin": "min",
        "diagonal": "diag_part",
        "norm": "norm2",
        "swish": "silu",
        "expit": "sigmoid",
        "power": "pow",
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
"""What one number, or one along an axis, is made of; a mean is a sum over a size."""

TO_SCALARS = frozenset({*REDUCTIONS, "mean", "norm1", "norm2"})
"""What makes one number of many."""


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


COMPUTE: MappingProxyType[str, Callable[..., Any]] = MappingProxyType(
    {
        "add": operator.add,
        "subtract": operator.sub,
        "multiply": operator.mul,
        "divide": operator.truediv,
        "negative": operator.neg,
        "powers": operator.pow,
        "matmul": _product,
        "outer": lambda a, b: contraction.einsum("i,j->ij", a, b),
        "power": _power,
        "transpose": shaping.transpose,
        "norm1": lambda x: reduction.reduce_sum(elementwise.abs(x)),
        "norm2": norms.norm,
        "squares": lambda x: reduction.reduce_sum(x * x),
        "tr": diagonals.trace,
        "det": solving.det,
        "logdet": lambda x: solving.slogdet(x)[1],
        "hpd_logdet": solving.logdet,
        "inv": solving.inv,
        "adj": _adjugate,
        "diag": diagonals.diag,
        "diag_part": diagonals.diag_part,
        "softmax": activation.softmax,
        "maximum": arithmetic.maximum,
        "minimum": arithmetic.minimum,
    }
)
