"""How Python writes a scalar body on floats: the words of `math` and `cmath` for NumPy's."""

from __future__ import annotations

import ast
import cmath
import math
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from symtape.codegen.loops.numba_words import gaussian, normal_cdf
from symtape.kernels.scalar_code import body_text
from symtape.program.operations import Map

# --- Python's words for NumPy's -------------------------------------------------------------------

REAL = {
    "exp": "math.exp", "log": "math.log", "sin": "math.sin", "cos": "math.cos", "tan": "math.tan",
    "arctan": "math.atan", "sinh": "math.sinh", "cosh": "cosh", "tanh": "math.tanh",
    "arcsinh": "math.asinh", "arctan2": "math.atan2", "arcsin": "math.asin",
    "arccos": "math.acos", "arccosh": "math.acosh", "arctanh": "math.atanh",
    "log1p": "math.log1p", "expm1": "math.expm1", "sqrt": "math.sqrt", "power": "math.pow",
    "hypot": "math.hypot", "nextafter": "math.nextafter", "isnan": "math.isnan",
    "isinf": "math.isinf", "isfinite": "math.isfinite", "abs": "abs",
}  # fmt: skip
COMPLEX = {
    "exp": "cmath.exp", "log": "cmath.log", "sin": "cmath.sin", "cos": "cmath.cos",
    "tan": "cmath.tan", "arctan": "cmath.atan", "sinh": "cmath.sinh", "cosh": "cmath.cosh",
    "tanh": "cmath.tanh", "arcsinh": "cmath.asinh", "arcsin": "cmath.asin",
    "arccos": "cmath.acos", "arccosh": "cmath.acosh", "arctanh": "cmath.atanh",
    "sqrt": "cmath.sqrt", "angle": "cmath.phase", "abs": "abs", "isnan": "cmath.isnan",
    "isinf": "cmath.isinf", "isfinite": "cmath.isfinite", "power": "pow",
}  # fmt: skip
SPECIAL = {"erf": "math.erf", "erfc": "math.erfc", "lgamma": "math.lgamma"}


def maximum(x: float, y: float) -> float:
    """Give the larger number; nan if there is one."""
    return x if x >= y or x != x else y  # noqa: PLR0124 - nan


def minimum(x: float, y: float) -> float:
    """Give the smaller number; nan if there is one."""
    return x if x <= y or x != x else y  # noqa: PLR0124 - nan


def sign(x: float) -> float:
    """Give -1, 0 or 1, or nan."""
    return math.copysign(1.0, x) if x > 0 or x < 0 else x


def logaddexp(x: float, y: float) -> float:
    """Give log(exp(x) + exp(y))."""
    if x == y:
        return x + math.log(2)
    return max(x, y) + math.log1p(math.exp(-abs(x - y)))


def square(x: float) -> float:
    """Give x², an infinity where `x ** 2` raises."""
    return x * x


def cosh(x: float) -> float:
    """Give the hyperbolic cosine, an infinity where `math.cosh` raises."""
    return math.cosh(x) if abs(x) < 710 else math.inf if x == x else x  # noqa: PLR0124 - nan


def sigmoid_slope(x: float) -> float:
    """Give sigmoid(x)·sigmoid(-x)."""
    e = math.exp(-abs(x))
    return e / (1 + e) ** 2


def asinh_slope(x: float) -> float:
    """Give 1/√(1 + x²)."""
    return 1 / math.hypot(1, x)


def masked_product(g: float, slope: float) -> float:
    """Give the product, 0 where g is 0."""
    return g * slope if g else g


def pivot(x: float) -> float:
    """Give x where it is finite, else 0."""
    return x if math.isfinite(x) else 0.0


def step(x: float) -> float:
    """Give 1 where x > 0, else 0."""
    return 1.0 if x > 0 else 0.0


_OURS: dict[str, Callable[..., Any]] = {
    f.__name__: f
    for f in (
        maximum, minimum, sign, logaddexp, square, cosh, sigmoid_slope, asinh_slope,
        masked_product, pivot, step, gaussian, normal_cdf,
    )
}  # fmt: skip

NAMESPACE: dict[str, Any] = {"math": math, "cmath": cmath, **_OURS}
"""The only names that generated code may use."""


class _Python(ast.NodeTransformer):
    """Turns NumPy's code of a scalar body into Python's; raises KeyError for what it lacks."""

    def __init__(self, *, is_complex: bool) -> None:
        self.is_complex = is_complex
        self.words = COMPLEX if is_complex else REAL

    def visit_Attribute(self, node: ast.Attribute) -> Any:
        """Rename constants such as np.pi."""
        return _name(f"math.{node.attr}") if node.attr in {"pi", "inf", "nan"} else node

    def visit_Call(self, node: ast.Call) -> Any:
        """Rename a function, or write what it does."""
        args = [self.visit(arg) for arg in node.args]
        if isinstance(node.func, ast.Attribute):
            home = node.func.value.id if isinstance(node.func.value, ast.Name) else ""
            return self._word(home, node.func.attr, args)
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        if name == "select":
            return ast.IfExp(args[0], _as_float(args[1]), _as_float(args[2]))
        if name == "to_complex":
            return _call("complex", args)
        return self._own(name, args)

    def _own(self, name: str, args: list[Any]) -> Any:
        if name not in _OURS or (self.is_complex and name != "masked_product"):
            raise KeyError(name)
        return _call(name, args)

    def _word(self, home: str, name: str, args: list[Any]) -> Any:
        if home == "special":
            return _call(SPECIAL[name], args) if name in SPECIAL else self._own(name, args)
        if name in _SPELLED:
            return _SPELLED[name](*args)
        if name in {"conjugate", "real", "imag"}:
            return _part(name, args[0], is_complex=self.is_complex)
        if name in self.words:
            return _call(self.words[name], args)
        return self._own(name, [*map(_as_float, args)])

    def visit_BinOp(self, node: ast.BinOp) -> Any:
        """Write logic with words, and powers so that a negative base raises."""
        self.generic_visit(node)
        if isinstance(node.op, ast.Pow) and not self.is_complex and not _is_whole(node.right):
            return _call("math.pow", [node.left, node.right])
        words = {ast.BitAnd: ast.And, ast.BitOr: ast.Or}
        if type(node.op) in words:
            return ast.BoolOp(words[type(node.op)](), [node.left, node.right])
        return node

    def visit_UnaryOp(self, node: ast.UnaryOp) -> Any:
        """Write `not` for `~`."""
        self.generic_visit(node)
        return ast.UnaryOp(ast.Not(), node.operand) if isinstance(node.op, ast.Invert) else node


def _as_float(e: Any) -> Any:
    return ast.Constant(float(e.value)) if _is_whole(e) else e


def _is_whole(e: Any) -> bool:
    return isinstance(e, ast.Constant) and isinstance(e.value, int)


def _name(dotted: str) -> Any:
    return ast.parse(dotted, mode="eval").body


def _call(function: str, args: list[Any]) -> Any:
    return ast.Call(_name(function), args, [])


def _square(x: Any) -> Any:
    if isinstance(x, ast.Set):
        return ast.BinOp(x, ast.Mult(), x)
    return _call("square", [x])


def _part(name: str, x: Any, *, is_complex: bool) -> Any:
    if is_complex:
        found = ast.Attribute(x, name)
        return ast.Call(found, [], []) if name == "conjugate" else found
    return ast.BinOp(ast.Constant(0.0), ast.Mult(), x) if name == "imag" else x


_SPELLED: dict[str, Callable[..., Any]] = {
    "square": _square,
    "floor": lambda x: _call("float", [_call("math.floor", [x])]),
    "ceil": lambda x: _call("float", [_call("math.ceil", [x])]),
    "trunc": lambda x: _call("float", [_call("math.trunc", [x])]),
    "rint": lambda x: _call("float", [_call("round", [x])]),
    "floor_divide": lambda x, y: ast.BinOp(x, ast.FloorDiv(), y),
    "mod": lambda x, y: ast.BinOp(x, ast.Mod(), y),
}


@lru_cache(maxsize=4096)
def python_text(operation: Map, *, is_complex: bool) -> str:
    """Write a scalar body in Python, with operands `{0}`, `{1}`, …"""
    tree = ast.parse(body_text(operation), mode="eval")
    return ast.unparse(_Python(is_complex=is_complex).visit(tree))
