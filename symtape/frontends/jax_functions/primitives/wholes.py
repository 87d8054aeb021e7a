"""Functions of JAX's own library that are read as one step: their formula is shorter, and exact.

A rule gives None for operands that it does not read; then the function is read step by step. So it
is where its value is not that of JAX's function.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from symtape.frontends import minors
from symtape.frontends.functions import times_log
from symtape.frontends.jax_functions.values import literal
from symtape.ops.elementwise import functions as elementwise
from symtape.ops.elementwise.arithmetic import divide
from symtape.ops.elementwise.conversion import cast
from symtape.ops.elementwise.special import expint
from symtape.ops.linalg import solving
from symtape.ops.numpy.ufuncs import is_negative
from symtape.ops.reductions.reduction import log_softmax_along
from symtape.ops.shapes.shaping import with_shape
from symtape.program import operations as ops
from symtape.program.functions import frameworks, scalar
from symtape.signatures import read_signature
from symtape.tensor.dispatch import apply, apply1, apply2
from symtape.tensor.tensor import Literal, Tensor
from symtape.tensor.values import dtype_of, shape_of

_logaddexp = ops.elementwise("logaddexp", scalar.logaddexp, 2)


def _log_of_sum(x: Tensor, y: Tensor) -> Sequence[Tensor] | None:
    if dtype_of(x).kind == "c":
        return None
    return [apply2(_logaddexp, x, y)]


def _solution(a: Tensor, b: Tensor) -> Sequence[Tensor] | None:
    if b.ndim == 1 and a.ndim == 2:
        found = solving.solve(a, with_shape(b, (*shape_of(b), 1)))
        return [with_shape(found, shape_of(b))]
    return [solving.solve(a, b)] if shape_of(a)[:-2] == shape_of(b)[:-2] else None


def _determinant(a: Tensor) -> Sequence[Tensor]:
    return [minors.det(a)]


def _log_softmax(inner: Any, x: Tensor, *masks: Tensor) -> Sequence[Tensor] | None:
    """Along the axis of which JAX takes the maximum; a mask has its own steps."""
    axes = [e.params["axes"] for e in inner.eqns if e.primitive.name == "reduce_max"]
    if masks or len(axes) != 1 or len(axes[0]) != 1:
        return None
    return [log_softmax_along(x, int(axes[0][0]) - x.ndim)]


def _times_log(
    x: Tensor, y: Tensor, log: Callable[[Tensor], Tensor], end: int
) -> Sequence[Tensor] | None:
    """x·log(y), which is 0 for x = 0 everywhere; one of them may be integers."""
    kinds = {dtype_of(x).kind, dtype_of(y).kind}
    if "c" in kinds or not kinds & {"f", "V"}:
        return None
    x, y = (cast(a, dtype_of(b)) if dtype_of(a).kind in "biu" else a for a, b in ((x, y), (y, x)))
    return [times_log(x, y, log, end, is_flat=False)]


def _exponential_integral(*operands: Tensor) -> Sequence[Tensor] | None:
    """E₁(x) = -Ei(-x), and E₀(x) = exp(-x) / x; others have their loops, as around them a rule."""
    order, x = operands[0], operands[-1]
    if len(operands) != 2 or not isinstance(order, Literal) or int(order.raw) not in {0, 1}:
        return None
    return [-expint(-x) if int(order.raw) else divide(elementwise.exp(-x), x)]


def _relu6(x: Tensor) -> Sequence[Tensor]:
    zero, six = literal(0, dtype_of(x)), literal(6, dtype_of(x))
    return [apply(frameworks.clip, x, zero, six)]


Whole = Callable[..., Sequence[Tensor] | None]

WHOLES: dict[tuple[str, str], Whole] = {
    ("logaddexp", "jax/_src/lax/other.py"): _log_of_sum,
    ("logaddexp", "jax/_src/numpy/ufuncs.py"): _log_of_sum,  # of older versions
    ("signbit", "jax/_src/numpy/ufuncs.py"): lambda x: [is_negative(x)],
    ("relu", "jax/_src/nn/functions.py"): lambda x: [apply1(frameworks.relu, x)],
    ("relu6", "jax/_src/nn/functions.py"): _relu6,
    ("softplus", "jax/_src/nn/functions.py"): lambda x: [elementwise.softplus(x)],
    ("log_softmax", "jax/_src/nn/functions.py"): _log_softmax,
    ("xlogy", "jax/_src/scipy/special.py"): lambda x, y: _times_log(x, y, elementwise.log, 0),
    ("xlog1py", "jax/_src/scipy/special.py"): lambda x, y: _times_log(x, y, elementwise.log1p, -1),
    ("expn", "jax/_src/scipy/special.py"): _exponential_integral,
    ("solve", "jax/_src/numpy/linalg.py"): _solution,
    ("inv", "jax/_src/numpy/linalg.py"): lambda a: [solving.inv(a)],
    ("det", "jax/_src/numpy/linalg.py"): _determinant,
    ("slogdet", "jax/_src/numpy/linalg.py"): lambda a: list(solving.slogdet(a)),
}
"""By the name of the function and the end of the path of the file that has it."""

READ_INSIDE = frozenset({_log_softmax})
"""Rules that are told what is in the function: values alone do not say along which axis it goes."""


def whole_of(parameters: Mapping[str, Any]) -> Whole | None:
    """Find the rule for a function that an equation calls, if it is one of JAX's own."""
    inner = parameters.get("jaxpr") or parameters.get("call_jaxpr")
    inner = getattr(inner, "jaxpr", inner)
    if inner is None:
        return None
    text = getattr(getattr(inner, "debug_info", None), "func_src_info", None) or ""
    name, _, place = text.partition(" at ")
    file = place.rpartition(":")[0].replace("\\", "/")
    for (wanted, end), rule in WHOLES.items():
        if name == wanted and file.endswith(end):
            found = partial(rule, inner) if rule in READ_INSIDE else rule
            return found if _takes(found, inner.invars) else None
    return None


def _takes(rule: Whole, operands: Sequence[Any]) -> bool:
    """Say whether these may be a function's: what JAX derives of it has its name, and others."""
    try:
        read_signature(rule).bind(*operands)
    except TypeError:
        return False
    return True
