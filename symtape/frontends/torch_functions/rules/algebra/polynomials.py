"""ATen operations that are orthogonal polynomials, by their recurrences."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from symtape.frontends.torch_functions.rules.promotion import as_operand, promoted
from symtape.frontends.torch_functions.rules.rules import Rule, Step, rule
from symtape.ops.elementwise import arithmetic, comparison
from symtape.ops.shapes.repetition import broadcast_to
from symtape.tensor.decided import decided
from symtape.tensor.tensor import Tensor

Turn = Callable[[int, Tensor, Tensor, Tensor], Tensor]


class Family(NamedTuple):
    """The polynomial of degree 1, and that of degree k + 1 by those of degrees k and k - 1."""

    first: Callable[[Tensor], Tensor]
    turn: Turn


def _doubled(k: int, x: Tensor, p: Tensor, before: Tensor) -> Tensor:
    """2x·p - before."""
    return 2.0 * x * p - before


_FAMILIES = {
    "chebyshev_polynomial_t": Family(lambda x: x, _doubled),
    "chebyshev_polynomial_u": Family(lambda x: 2.0 * x, _doubled),
    "chebyshev_polynomial_v": Family(lambda x: 2.0 * x - 1.0, _doubled),
    "chebyshev_polynomial_w": Family(lambda x: 2.0 * x + 1.0, _doubled),
    "hermite_polynomial_h": Family(
        lambda x: 2.0 * x, lambda k, x, p, before: 2.0 * x * p - 2.0 * k * before
    ),
    "hermite_polynomial_he": Family(lambda x: x, lambda k, x, p, before: x * p - float(k) * before),
    "laguerre_polynomial_l": Family(
        lambda x: 1.0 - x,
        lambda k, x, p, before: ((2.0 * k + 1.0 - x) * p - float(k) * before) / (k + 1.0),
    ),
    "legendre_polynomial_p": Family(
        lambda x: x,
        lambda k, x, p, before: ((2.0 * k + 1.0) * x * p - float(k) * before) / (k + 1.0),
    ),
}


def _of_degrees(family: Family, x: Tensor, degrees: Any) -> Tensor:
    """Choose the polynomial of each degree; of a negative one it is 0."""
    one = x * 0.0 + 1.0
    found, before, now = arithmetic.multiply(x, as_operand(0, x.raw.dtype)), one, family.first(x)
    for k in range(int(np.max(degrees, initial=-1)) + 1):
        found = arithmetic.where(comparison.equal(Tensor(degrees), k), before, found)
        before, now = now, family.turn(k + 1, x, now, before)
    return found


def _rule(family: Family, shift: bool) -> Rule:
    def polynomial(step: Step, x: Any, n: Any) -> Tensor:
        given = decided(n, step.name) if isinstance(n, Tensor) else n
        degrees = np.trunc(np.broadcast_to(given, step.shape)).astype(np.int64)
        (x,) = promoted(step, x)
        wide = broadcast_to(2.0 * x - 1.0 if shift else x, step.shape)
        if degrees.size and np.all(degrees == degrees.flat[0]):
            return _of_one(family, wide, int(degrees.flat[0]))
        return _of_degrees(family, wide, degrees)

    return polynomial


def _of_one(family: Family, x: Tensor, degree: int) -> Tensor:
    constant = broadcast_to(as_operand(int(degree >= 0), x.raw.dtype), tuple(x.raw.shape))
    if degree < 1:
        return constant
    before, now = constant, family.first(x)
    for k in range(1, degree):
        before, now = now, family.turn(k, x, now, before)
    return now


for _name, _family in _FAMILIES.items():
    rule(f"special_{_name}")(_rule(_family, shift=False))
    if _name.startswith("chebyshev"):
        rule(f"special_shifted_{_name}")(_rule(_family, shift=True))
