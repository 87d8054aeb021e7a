"""Exponentials that are kept from overflowing, read as what they are: softmax and logsumexp.

exp(x - m) over its sum, and log(sum(exp(x - m))) + m, do not depend on m, whatever m is, if it is
one number along the axes of the sum. So the equations that make m are not needed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any, NamedTuple

from symtape.frontends.jax_functions.framework import is_literal, module
from symtape.ops.reductions.reduction import reduce_logsumexp, softmax_along
from symtape.ops.shapes.shaping import with_shape
from symtape.tensor.tensor import Tensor


class Shifted(NamedTuple):
    """An equation that is one of these functions of a variable, along axes."""

    name: str
    variable: Any
    axes: tuple[int, ...]
    equation: Any

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the result."""
        return tuple(self.equation.outvars[0].aval.shape)

    def of(self, x: Tensor) -> Tensor:
        """Compute it with a tensor."""
        if self.name == "softmax":
            return softmax_along(x, self.axes[0] - x.ndim)
        return with_shape(reduce_logsumexp(x, list(self.axes)), self.shape)

    def by_jax(self, x: Any) -> Any:
        """Compute it with JAX's function."""
        nn = module("jax.nn")
        axes = self.axes
        made = nn.softmax(x, axes) if self.name == "softmax" else nn.logsumexp(x, axes)
        return made.reshape(self.shape)


class Origins:
    """The equations that make the variables of a jaxpr."""

    def __init__(self, jaxpr: Any) -> None:
        self._of = {v: e for e in jaxpr.eqns for v in e.outvars}

    def of(self, atom: Any, name: str) -> Any:
        """Give the equation that makes a variable, if it is of a primitive; else None."""
        made = None if is_literal(atom) else self._of.get(atom)
        return made if made is not None and made.primitive.name == name else None

    def exponential(self, atom: Any) -> tuple[Any, Any, tuple[int, ...], Any] | None:
        """Read the sum of exp(x - m): x, m, the axes, and the exponential."""
        summed = self.of(atom, "reduce_sum")
        power = summed and self.of(summed.invars[0], "exp")
        shifted = power and self.of(power.invars[0], "sub")
        if not shifted:
            return None
        x, m = shifted.invars
        axes = tuple([int(k) for k in summed.params["axes"]])
        if is_literal(x) or x.aval.shape != shifted.outvars[0].aval.shape:
            return None
        if m.aval.shape and any([m.aval.shape[k] != 1 for k in axes]):
            return None
        return x, m, axes, power.outvars[0]

    def unwidened(self, atom: Any, axes: Sequence[int], rank: int) -> Any:
        """Take back what gave a reduced array axes of one in the place of those it lost."""
        made = self.of(atom, "broadcast_in_dim") or self.of(atom, "reshape")
        if not made or is_literal(made.invars[0]):
            return atom
        kept = [k for k in range(rank) if k not in axes]
        inner, shape = made.invars[0], made.outvars[0].aval.shape
        fits = len(shape) == rank and [shape[k] for k in kept] == list(inner.aval.shape)
        thin = fits and all([shape[k] == 1 for k in axes])
        own = made.params.get("broadcast_dimensions")
        return inner if thin and (own is None or list(map(int, own)) == kept) else atom


def shifts_in(jaxpr: Any) -> dict[int, Shifted]:
    """Find the equations that are softmax or logsumexp, by their place in the jaxpr."""
    origins = Origins(jaxpr)
    found = {}
    for k, equation in enumerate(jaxpr.eqns):
        reader = _READERS.get(equation.primitive.name)
        shifted = reader and reader(origins, equation)
        if shifted:
            found[k] = shifted
    return found


def _softmax(origins: Origins, equation: Any) -> Shifted | None:
    above, below = equation.invars
    power = origins.of(above, "exp")
    if not power:
        return None
    rank = len(above.aval.shape)
    shifted = origins.of(power.invars[0], "sub")
    summed = None
    for atom in _with_inner(origins, below):
        summed = summed or origins.exponential(atom)
    if not shifted or summed is None or summed[3] is not above or len(summed[2]) != 1:
        return None
    total = origins.unwidened(below, summed[2], rank)
    if not origins.of(total, "reduce_sum") or (total is below and rank > 1):
        return None
    return Shifted("softmax", summed[0], summed[2], equation)


def _with_inner(origins: Origins, atom: Any) -> list[Any]:
    made = origins.of(atom, "broadcast_in_dim") or origins.of(atom, "reshape")
    return [atom, made.invars[0]] if made else [atom]


def _logsumexp(origins: Origins, equation: Any) -> Shifted | None:
    for logs, shift in (equation.invars, equation.invars[::-1]):
        logarithm = origins.of(logs, "log")
        if not logarithm or is_literal(shift):
            continue
        size = origins.of(logarithm.invars[0], "abs")
        total = size.invars[0] if size else logarithm.invars[0]
        for atom in _with_inner(origins, total):
            summed = origins.exponential(atom)
            if summed and _is_the_shift(origins, shift, summed):
                x, _, axes, _ = summed
                kept = [n for k, n in enumerate(x.aval.shape) if k not in axes]
                if prod(equation.outvars[0].aval.shape) == prod(kept):
                    return Shifted("logsumexp", x, axes, equation)
    return None


def _is_the_shift(origins: Origins, shift: Any, summed: tuple[Any, ...]) -> bool:
    """Say whether what is added was subtracted, in the shape of the sum or wider by ones."""
    x, m, axes, _ = summed
    rank = len(x.aval.shape)
    return shift is m or shift is origins.unwidened(m, axes, rank)


_READERS: dict[str, Callable[[Origins, Any], Shifted | None]] = {
    "div": _softmax,
    "add": _logsumexp,
}
