"""Comparisons and logic, element by element: tensors of bool, which carry no gradient."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from symtape.ops.arguments import REALS, pair, refusal, truth
from symtape.program import operations as ops
from symtape.program.operations import Map
from symtape.tensor import operators
from symtape.tensor.dispatch import OP_NAMES, apply1, apply2
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import dtype_of

Comparison = Callable[..., Tensor]


def _described(function: Comparison, name: str, summary: str, at: str, gives: str) -> Comparison:
    function.__name__ = function.__qualname__ = name
    function.__doc__ = (
        f"{summary}, element by element with broadcasting: a tensor of bool.\n\n"
        "    Tensors of two dtypes and shapes that do not broadcast raise "
        "`InvalidArgumentError`.\n\n"
        f"    >>> {name}({at}).numpy()\n    {gives}\n    "
    )
    return function


def _comparison(name: str, operation: Map, sign: str, gives: str, *, ordered: bool) -> Comparison:
    def function(x: Any, y: Any, name: str | None = None) -> Tensor:
        x, y = pair(x, y)
        if ordered and dtype_of(x).char not in REALS.letters:
            raise refusal(OP_NAMES[operation], x, REALS, "x:T, y:T -> z:bool")
        return apply2(operation, x, y)

    return _described(function, name, f"Whether x {sign} y", "[1, 2, 3], 2", gives)


equal = _comparison("equal", ops.equal, "=", "array([False,  True, False])", ordered=False)
not_equal = _comparison(
    "not_equal", ops.not_equal, "≠", "array([ True, False,  True])", ordered=False
)
less = _comparison("less", operators.less, "<", "array([ True, False, False])", ordered=True)
less_equal = _comparison(
    "less_equal", operators.less_equal, "≤", "array([ True,  True, False])", ordered=True
)
greater = _comparison(
    "greater", operators.greater, ">", "array([False, False,  True])", ordered=True
)
greater_equal = _comparison(
    "greater_equal", operators.greater_equal, "≥", "array([False,  True,  True])", ordered=True
)


def _logic(name: str, operation: Map, summary: str, gives: str) -> Comparison:
    kernel = OP_NAMES[operation]

    def function(x: Any, y: Any, name: str | None = None) -> Tensor:
        return apply2(operation, truth(kernel, x), truth(kernel, y, 1))

    return _described(function, name, summary, "[True, False], True", gives)


logical_and = _logic("logical_and", operators.logical_and, "x and y", "array([ True, False])")
logical_or = _logic("logical_or", operators.logical_or, "x or y", "array([ True,  True])")


def logical_xor(x: Any, y: Any, name: str | None = "LogicalXor") -> Tensor:
    """Whether one of two is true and the other is not, element by element with broadcasting.

    >>> logical_xor([True, False], True).numpy()
    array([False,  True])
    """
    return apply2(operators.logical_xor, truth("LogicalOr", x), truth("LogicalOr", y, 1))


def logical_not(x: Any, name: str | None = None) -> Tensor:
    """The opposite, element by element.

    >>> logical_not([True, False]).numpy()
    array([False,  True])
    """
    return apply1(operators.logical_not, truth("LogicalNot", x))
