"""What NumPy computes bit by bit as JAX does, which compiles each step anew for each shape.

Sums, products, quotients and roots are rounded once, as the standard for floats says. Steps with
numbers below the normal ones, which JAX takes for 0, and all that is done on a GPU are left to JAX.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from symtape.frontends.jax_functions.framework import module

Rule = Callable[..., Any]
"""Takes the parameters of an equation and arrays, and gives an array, or None."""


def by_numpy(equation: Any, operands: Sequence[Any]) -> Any | None:
    """Do one equation with NumPy, or None where the bits might be others than JAX's."""
    rule = RULES.get(equation.primitive.name)
    if rule is None or not all(isinstance(x.dtype, np.dtype) for x in operands):
        return None
    if module().default_backend() != "cpu":
        return None
    arrays = [np.asarray(x) for x in operands]
    if not all(map(_is_normal, arrays)):
        return None
    with np.errstate(all="ignore"):
        found = rule(equation.params, *arrays)
    return None if found is None or not _is_normal(found) else np.asarray(found)


def _is_normal(x: Any) -> bool:
    """Say whether no number is one that JAX takes for 0."""
    if x.dtype.kind not in "fc":
        return True
    size = np.abs(x)
    return not ((size > 0) & (size < np.finfo(x.dtype).tiny)).any()


_ROUNDED = ("float32", "float64")


def _of_floats(function: Callable[..., Any]) -> Rule:
    """Give the rule of what is rounded once, of numbers of 32 and 64 bits."""

    def rule(parameters: Mapping[str, Any], *arrays: Any) -> Any:
        return function(*arrays) if all(x.dtype.name in _ROUNDED for x in arrays) else None

    return rule


def _extreme(function: Callable[..., Any]) -> Rule:
    """Of two zeros the sign is anybody's."""

    def rule(parameters: Mapping[str, Any], x: Any, y: Any) -> Any:
        of_zeros = ((x == 0) & (y == 0)).any()
        return None if of_zeros or x.dtype.name not in _ROUNDED else function(x, y)

    return rule


def _square(parameters: Mapping[str, Any], x: Any) -> Any:
    is_square = parameters["y"] == 2 and x.dtype.name in _ROUNDED
    return np.square(x) if is_square else None


def _spread(parameters: Mapping[str, Any], x: Any, *sizes: Any) -> Any:
    shape, axes = parameters["shape"], parameters["broadcast_dimensions"]
    wide = [1] * len(shape)
    for axis, size in zip(axes, x.shape, strict=True):
        wide[axis] = size
    return None if sizes else np.broadcast_to(x.reshape(wide), shape)


def _shaped(parameters: Mapping[str, Any], x: Any, *sizes: Any) -> Any:
    is_plain = not sizes and parameters["dimensions"] is None
    return x.reshape(parameters["new_sizes"]) if is_plain else None


def _converted(parameters: Mapping[str, Any], x: Any) -> Any:
    target = parameters["new_dtype"]
    is_plain = getattr(target, "name", "") in _ROUNDED and x.dtype.kind in "bif"
    return x.astype(target) if is_plain else None


def _chosen(parameters: Mapping[str, Any], which: Any, *cases: Any) -> Any:
    if which.dtype.kind != "b" or len(cases) != 2:
        return None
    return np.where(which, cases[1], cases[0])


RULES: dict[str, Rule] = {
    **{
        name: _of_floats(function)
        for name, function in {
            "add": np.add,
            "add_any": np.add,
            "sub": np.subtract,
            "mul": np.multiply,
            "div": np.divide,
            "neg": np.negative,
            "abs": np.abs,
            "sqrt": np.sqrt,
            "square": np.square,
            "eq": np.equal,
            "ne": np.not_equal,
            "lt": np.less,
            "le": np.less_equal,
            "gt": np.greater,
            "ge": np.greater_equal,
        }.items()
    },
    "max": _extreme(np.maximum),
    "min": _extreme(np.minimum),
    "integer_pow": _square,
    "broadcast_in_dim": _spread,
    "reshape": _shaped,
    "transpose": lambda parameters, x: np.transpose(x, parameters["permutation"]),
    "squeeze": lambda parameters, x: np.squeeze(x, tuple(parameters["dimensions"])),
    "convert_element_type": _converted,
    "select_n": _chosen,
}
"""By the names of primitives."""
