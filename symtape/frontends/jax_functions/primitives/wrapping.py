"""Places that JAX counts from the end where they are negative: read as they are where none is."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from symtape.frontends.jax_functions.framework import is_literal
from symtape.frontends.jax_functions.primitives.shifts import Origins
from symtape.ops.elementwise import arithmetic, comparison
from symtape.ops.reductions.reduction import reduce_all
from symtape.tensor.tensor import Literal, Tensor
from symtape.tensor.values import dtype_of


class Wrapped(NamedTuple):
    """An equation that adds a size to negative integers."""

    variable: Any
    size: int
    equation: Any

    def of(self, x: Tensor) -> Tensor:
        """Leave the condition that none is negative, or add the size where they are."""
        zero = Literal.of(0, dtype_of(x))
        if (np.asarray(x.raw) >= 0).all():
            bool(reduce_all(comparison.greater_equal(x, zero)))
            return x
        moved = arithmetic.add(x, Literal.of(self.size, dtype_of(x)))
        return arithmetic.where(comparison.less(x, zero), moved, x)

    def by_jax(self, x: Any) -> Any:
        """Compute it with an array."""
        array = np.asarray(x)
        return np.where(array < 0, array + array.dtype.type(self.size), array)


def wraps_in(jaxpr: Any) -> dict[int, Wrapped]:
    """Find select(x < 0, x, x + size) of integers, by their place in the jaxpr."""
    origins = Origins(jaxpr)
    made = {k: _wrapped(origins, e) for k, e in enumerate(jaxpr.eqns)}
    return {k: wrapped for k, wrapped in made.items() if wrapped is not None}


def _wrapped(origins: Origins, equation: Any) -> Wrapped | None:
    if equation.primitive.name != "select_n" or len(equation.invars) != 3:
        return None
    which, x, other = equation.invars
    if is_literal(x) or not np.issubdtype(x.aval.dtype, np.signedinteger):
        return None
    negative, moved = origins.of(which, "lt"), origins.of(other, "add")
    if not negative or not moved or negative.invars[0] is not x or moved.invars[0] is not x:
        return None
    limit, size = negative.invars[1], moved.invars[1]
    if not (is_literal(limit) and is_literal(size)) or int(limit.val) or int(size.val) < 0:
        return None
    return Wrapped(x, int(size.val), equation)
