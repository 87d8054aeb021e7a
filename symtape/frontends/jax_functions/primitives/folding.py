"""Reductions by functions that JAX has no name for: element after element, from a first value."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import product
from typing import Any

from symtape.frontends.jax_functions.framework import module

NAMED = {"add": "sum", "mul": "prod", "max": "max", "min": "min"}
"""What JAX's NumPy calls the reduction by a function of two."""


def _elementwise(jaxpr: Any, rank: int) -> Callable[..., Sequence[Any]]:
    """Give a function of numbers as one of arrays."""
    function: Callable[..., Sequence[Any]] = module("jax.extend.core").jaxpr_as_fun(jaxpr)
    for _ in range(rank):
        function = module().vmap(function)
    return function


def reduced(given: Mapping[str, Any], *operands: Any) -> Sequence[Any]:
    """Reduce arrays along axes."""
    count, numbers, lax = len(operands) // 2, module("jax.numpy"), module("jax.lax")
    arrays, firsts = operands[:count], operands[count:]
    axes = [int(k) for k in given["dimensions"]]
    made = [e.primitive.name for e in given["jaxpr"].eqns]
    if count == 1 and len(made) == 1 and made[0] in NAMED and arrays[0].size:
        whole = getattr(numbers, NAMED[made[0]])(arrays[0], tuple(axes)).astype(arrays[0].dtype)
        return [getattr(lax, made[0])(numbers.broadcast_to(firsts[0], whole.shape), whole)]
    rest = [n for k, n in enumerate(arrays[0].shape) if k not in axes]
    function = _elementwise(given["jaxpr"], len(rest))
    rows = [numbers.moveaxis(x, axes, range(len(axes))).reshape(-1, *rest) for x in arrays]
    start = [numbers.broadcast_to(x, rest) for x in firsts]
    found: Sequence[Any] = lax.scan(lambda c, row: (function(*c, *row), None), start, rows)[0]
    return found


def slid(given: Mapping[str, Any], *operands: Any) -> Sequence[Any]:
    """Reduce windows of arrays: one place of the windows after another, padded with the first."""
    count, numbers, lax = len(operands) // 2, module("jax.numpy"), module("jax.lax")
    firsts, sizes = operands[count:], given["window_dimensions"]
    rank = len(sizes)
    between, rates = (given[k] or (1,) * rank for k in ("base_dilation", "window_dilation"))
    pads = [(a, b, n - 1) for (a, b), n in zip(given["padding"], between, strict=True)]
    arrays = [lax.pad(x, first, pads) for x, first in zip(operands[:count], firsts, strict=True)]
    strides = given["window_strides"]
    counts = [
        (n - (size - 1) * rate - 1) // stride + 1
        for n, size, rate, stride in zip(arrays[0].shape, sizes, rates, strides, strict=True)
    ]
    closed = module("jax.extend.core").ClosedJaxpr(given["jaxpr"], given["consts"])
    function = _elementwise(closed, rank)
    found: Sequence[Any] = [numbers.broadcast_to(x, counts) for x in firsts]
    for place in product(*map(range, sizes)):
        start = [k * rate for k, rate in zip(place, rates, strict=True)]
        parts = zip(start, counts, strides, strict=True)
        limit = [a + (n - 1) * stride + 1 for a, n, stride in parts]
        found = function(*found, *[lax.slice(x, start, limit, strides) for x in arrays])
    return found
