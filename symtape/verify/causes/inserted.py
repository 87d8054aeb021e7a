"""Changes that put in what is missing in a function: a sign, a factor, a term, a call."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from symtape.verify.causes.syntax import SIGN, New, at, is_value


def _signs(node: Any, parent: Any, _: Any) -> New:
    """Put a minus."""
    if is_value(node) and isinstance(
        parent, (ast.BinOp, ast.Return, ast.Assign, ast.AugAssign, ast.Tuple)
    ):
        yield at(ast.UnaryOp(ast.USub(), node), node), SIGN


def _factors(node: Any, parent: Any, names: Any) -> New:
    """Put in a factor, a divisor or a term that has a name."""
    is_whole = isinstance(parent, (ast.Return, ast.Assign, ast.AugAssign, ast.Tuple)) or (
        isinstance(parent, ast.BinOp) and isinstance(parent.op, (ast.Add, ast.Sub))
    )
    if not is_value(node) or not is_whole:
        return
    for name in names:
        other = ast.Name(name, ast.Load())
        one_less = ast.BinOp(ast.Constant(1), ast.Sub(), other)
        yield at(ast.BinOp(node, ast.Mult(), other), node), f"the factor {name} is missing"
        yield at(ast.BinOp(node, ast.Div(), other), node), f"the division by {name} is missing"
        yield at(ast.BinOp(node, ast.Mult(), one_less), node), f"the factor 1 - {name} is missing"
        yield at(ast.BinOp(node, ast.Add(), other), node), f"the term {name} is missing"
        yield at(ast.BinOp(node, ast.Sub(), other), node), f"the term -{name} is missing"
    for number in (2, 0.5):
        new = ast.BinOp(node, ast.Mult(), ast.Constant(number))
        yield at(new, node), f"the factor {number} is missing"


def _wrapped(node: Any, parent: Any, _: Any) -> New:
    """Put a function that is missing."""
    near = isinstance(parent, (ast.BinOp, ast.Return, ast.Assign, ast.AugAssign, ast.Tuple))
    if not is_value(node) or not near or isinstance(node, ast.Constant):
        return
    for name in ("exp", "log", "sqrt", "square", "abs"):
        function = ast.Attribute(ast.Name("np", ast.Load()), name, ast.Load())
        yield at(ast.Call(function, [node], []), node), f"the function {name} is missing"


def _products(node: Any, parent: Any, names: Any) -> New:
    """Put in a term that is a product of two names."""
    is_sum = isinstance(parent, (ast.Return, ast.Assign, ast.Tuple))
    if not is_value(node) or not is_sum or len(names) > _MOST_NAMES:
        return
    for a in names:
        for b in names:
            for other, words in _pairs(a, b):
                for op, sign in ((ast.Add(), ""), (ast.Sub(), "-")):
                    yield (
                        at(ast.BinOp(node, op, other), node),
                        f"the term {sign}{words} is missing",
                    )


def _pairs(a: str, b: str) -> New:
    left, right = ast.Name(a, ast.Load()), ast.Name(b, ast.Load())
    if a <= b:
        yield ast.BinOp(left, ast.Mult(), right), f"{a}*{b}"
    yield ast.BinOp(left, ast.MatMult(), right), f"{a} @ {b}"
    cross = ast.Attribute(ast.Name("np", ast.Load()), "cross", ast.Load())
    yield ast.Call(cross, [left, right], []), f"cross({a}, {b})"


_MOST_NAMES = 12

RULES: tuple[Callable[[Any, Any, Any], New], ...] = (
    _signs, _factors, _wrapped, _products,
)  # fmt: skip
"""The likeliest first."""

__all__ = ["RULES"]
