"""Derivatives that are their authors', of `custom_jvp` and `custom_vjp`: JAX is asked for them.

What the rule computes is traced and done with tensors as all else is, when a gradient is taken. So
its formula is read through, and a derivative of it is that of the rule, as in JAX.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextvars import ContextVar
from typing import Any

import numpy as np

from symtape.differentiation.custom_gradient import CustomGradient
from symtape.errors import UnsupportedError
from symtape.frontends.jax_functions.framework import bound, has_64_bits, module, with_bits
from symtape.frontends.jax_functions.values import LEAVES, Value, is_fixed, lifted
from symtape.ops.elementwise.functions import conj
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import dtype_of, shape_of

Evaluate = Callable[[Any, Sequence[Any], Sequence[Value]], list[Value]]

NAMES = ("custom_jvp_call", "custom_vjp_call")
"""What JAX calls the primitives of such functions."""


_DEEPEST = 3
"""So many rules are taken within each other: that of `sinc` has one within it, and so on."""

_DEPTH: ContextVar[int] = ContextVar("_DEPTH", default=0)


def ruled(
    equation: Any,
    operands: Sequence[Value],
    evaluate: Evaluate,
    forward: Callable[[Sequence[Value]], list[Value]],
) -> list[Value]:
    """Compute a function, whose gradient is what JAX makes of the author's rule."""
    places = [k for k, x in enumerate(operands) if not is_fixed(x) and _is_inexact(x)]
    leaves, depth, are_64 = LEAVES.get(), _DEPTH.get(), has_64_bits()

    def computed(*tensors: Tensor) -> Any:
        given = _with(operands, places, tensors)

        def pulled(*cotangents: Tensor) -> list[Tensor]:
            if depth == _DEEPEST:
                raise UnsupportedError(f"from_jax: rules of authors are followed {depth} deep")
            tokens = LEAVES.set(leaves), _DEPTH.set(depth + 1)
            try:
                with with_bits(are_64):
                    return _pulled(equation, given, places, cotangents, evaluate)
            finally:
                LEAVES.reset(tokens[0])
                _DEPTH.reset(tokens[1])

        return [lifted(x) for x in forward(given)], pulled

    if not places:
        return forward(operands)
    made: list[Value] = CustomGradient(computed)(*[operands[k] for k in places])
    return made


def _pulled(
    equation: Any,
    operands: Sequence[Value],
    places: Sequence[int],
    cotangents: Sequence[Tensor],
    evaluate: Evaluate,
) -> list[Tensor]:
    """Do with tensors what JAX does to pull cotangents back, which are the conjugates of ours."""
    jax = module()
    tensors = [k for k, x in enumerate(operands) if not is_fixed(x)]
    upstream = [conj(g) for g in cotangents if _is_inexact(g)]

    def back(values: Sequence[Any], given: Sequence[Any]) -> Any:
        arrays = _with([*map(_as_rules_have, operands)], tensors, values)

        def function(*moved: Any) -> list[Any]:
            return [y for y in bound(equation, _with(arrays, places, moved)) if _is_inexact(y)]

        return jax.vjp(function, *[arrays[k] for k in places])[1](list(given))

    own = [operands[k] for k in tensors]
    like = [list(map(_like, some)) for some in (own, upstream)]
    traced = jax.make_jaxpr(back)(*like)
    return [conj(lifted(x)) for x in evaluate(traced.jaxpr, traced.consts, [*own, *upstream])]


def _with(values: Sequence[Any], places: Sequence[int], others: Sequence[Any]) -> list[Any]:
    """Put others at some places of a list."""
    found = list(values)
    for k, x in zip(places, others, strict=True):
        found[k] = x
    return found


def _as_rules_have(value: Value) -> Any:
    """Make an array of NumPy, in which a rule could look up no place that is traced, one of JAX."""
    is_numpys = isinstance(value, (np.ndarray, np.generic))
    return module("jax.numpy").asarray(value) if is_numpys else value


def _like(x: Tensor) -> Any:
    return module().ShapeDtypeStruct(shape_of(x), dtype_of(x))


def _is_inexact(x: Any) -> bool:
    numbers, own = module("jax.numpy"), dtype_of(x) if isinstance(x, Tensor) else x.dtype
    return bool(numbers.issubdtype(own, numbers.inexact))
