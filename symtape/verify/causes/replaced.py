"""Changes of what stands in a function: something else in its place, or nothing."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from symtape.verify.causes.syntax import SIGN, New, at, is_value


def _assignments(node: Any, _: Any, __: Any) -> New:
    """Exchange = and +=, and the signs of these."""
    if isinstance(node, ast.Assign) and len(node.targets) == 1:
        target = node.targets[0]
        if isinstance(target, (ast.Name, ast.Subscript)):
            for op, words in (
                (ast.Add(), "a sum is missing"),
                (ast.Sub(), "a sum is missing"),
                (ast.Mult(), "a factor is missing"),
            ):
                yield (
                    at(ast.AugAssign(target, op, node.value), node),
                    f"{words} (it is overwritten)",
                )
    if isinstance(node, ast.AugAssign):
        yield at(ast.Assign([node.target], node.value), node), "a term too much is added"
        for op, words in _OTHER_SIGNS.get(type(node.op), ()):
            yield at(ast.AugAssign(node.target, op(), node.value), node), words


_QUOTIENT = "it multiplies instead of dividing, or the other way"
_OTHER_SIGNS: dict[Any, tuple[tuple[Any, str], ...]] = {
    ast.Add: ((ast.Sub, SIGN),),
    ast.Sub: ((ast.Add, SIGN),),
    ast.Mult: ((ast.Div, _QUOTIENT), (ast.MatMult, "a matrix product is meant")),
    ast.Div: ((ast.Mult, _QUOTIENT),),
    ast.MatMult: ((ast.Mult, "a product of entries is meant"),),
}


def _branches(node: Any, _: Any, __: Any) -> New:
    """Take one branch always."""
    words = "a branch does not belong there"
    if isinstance(node, ast.Call) and _called(node) == "where" and len(node.args) == 3:
        yield node.args[2], words
        yield node.args[1], words
    if isinstance(node, ast.IfExp):
        yield node.orelse, words
        yield node.body, words
    if isinstance(node, ast.If):
        for truth in (False, True):
            made = ast.If(ast.Constant(truth), node.body, node.orelse)
            yield at(made, node), words


def _operators(node: Any, _: Any, __: Any) -> New:
    """Exchange operators, operands, and leave one out."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        yield node.operand, SIGN
    if not isinstance(node, ast.BinOp):
        return
    for op, words in _OTHER_SIGNS.get(type(node.op), ()):
        yield at(ast.BinOp(node.left, op(), node.right), node), words
    if isinstance(node.op, (ast.Sub, ast.Div, ast.MatMult, ast.Pow)):
        words = SIGN if isinstance(node.op, ast.Sub) else "operands are exchanged"
        yield at(ast.BinOp(node.right, node.op, node.left), node), words
    what = "term" if isinstance(node.op, (ast.Add, ast.Sub)) else "factor"
    yield node.left, f"a {what} does not belong there"
    yield node.right, f"a {what} does not belong there"


def _transposes(node: Any, parent: Any, _: Any) -> New:
    """Transpose a matrix, or do not."""
    if isinstance(node, ast.Attribute) and node.attr == "T":
        yield node.value, "it is transposed"
    if isinstance(node, ast.Call) and _called(node) in {"swapaxes", "transpose"} and node.args:
        yield node.args[0], "it is transposed"
    near = isinstance(
        parent, (ast.BinOp, ast.Return, ast.Assign, ast.AugAssign, ast.Call, ast.Tuple)
    )
    if is_value(node) and near and not isinstance(node, ast.Constant):
        yield at(ast.Attribute(node, "T", ast.Load()), node), "it is transposed"


def _called(node: ast.Call) -> str:
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")


def _indices(node: Any, parent: Any, _: Any) -> New:
    """Count one more or less, in indices, slices and ranges."""
    in_index = (isinstance(parent, ast.Subscript) and node is parent.slice) or isinstance(
        parent, ast.Slice
    )
    in_tuple = isinstance(parent, ast.Tuple)
    in_range = isinstance(parent, ast.Call) and _called(parent) in {"range", "slice", "arange"}
    if not (in_index or in_tuple or in_range) or not isinstance(
        node,
        (ast.Name, ast.Constant, ast.BinOp, ast.Call, ast.Subscript, ast.Attribute, ast.UnaryOp),
    ):
        return
    if isinstance(node, ast.Constant) and not isinstance(node.value, int):
        return
    for op in (ast.Add(), ast.Sub()):
        yield at(ast.BinOp(node, op, ast.Constant(1)), node), "it is off by one"


def _ranges(node: Any, _: Any, __: Any) -> New:
    """Begin a loop elsewhere, or turn it."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
        return
    if node.func.id == "range" and len(node.args) == 2:
        yield at(ast.Call(node.func, node.args[1:], []), node), "the loop leaves out places"
    if node.func.id == "range":
        yield (
            at(ast.Call(ast.Name("reversed", ast.Load()), [node], []), node),
            "a loop runs the wrong way",
        )
    if node.func.id == "reversed" and node.args:
        yield node.args[0], "a loop runs the wrong way"


def _constants(node: Any, parent: Any, _: Any) -> New:
    """Put another number; along an axis, another axis."""
    if isinstance(parent, ast.keyword) and parent.arg == "axis":
        for axis in (0, 1, -1, -2, None):
            yield at(ast.Constant(axis), node), "the axis is wrong"
        return
    n: Any = getattr(node, "value", None)
    if not isinstance(node, ast.Constant) or type(n) not in (int, float):
        return
    for other in dict.fromkeys((n + 1, n - 1, -n, 2 * n, n / 2, 3 * n, n * n, 1.0 - n)):
        words = SIGN if other == -n else "a number is wrong (a factor, a power or a constant)"
        yield at(ast.Constant(other), node), words


_FUNCTIONS = (
    ("sum", "mean"), ("argmax", "argmin"), ("max", "min"), ("maximum", "minimum"),
    ("exp", "expm1"), ("log", "log1p"), ("sin", "cos"), ("sinh", "cosh"), ("sqrt", "square"),
    ("tril", "triu"), ("sign", "abs"), ("add", "subtract"), ("cumsum", "cumprod"),
    ("exp", "log"), ("tanh", "sinh"), ("zeros", "ones"), ("zeros_like", "ones_like"),
    ("var", "std"), ("inner", "outer"),
)  # fmt: skip


def _functions(node: Any, _: Any, __: Any) -> New:
    """Call another function, or none."""
    if not isinstance(node, ast.Call):
        return
    name = _called(node)
    for pair in _FUNCTIONS:
        if name in pair:
            other = pair[1 - pair.index(name)]
            func = (
                ast.Attribute(node.func.value, other, ast.Load())
                if isinstance(node.func, ast.Attribute)
                else ast.Name(other, ast.Load())
            )
            words = f"another function is used: {name} instead of {other}"
            yield at(ast.Call(func, node.args, node.keywords), node), words
    if len(node.args) == 1:
        yield node.args[0], f"another function is used: {name} does not belong there"
    if len(node.args) >= 2:
        swapped = [node.args[1], node.args[0], *node.args[2:]]
        yield at(ast.Call(node.func, swapped, node.keywords), node), "arguments are exchanged"


def _variables(node: Any, _: Any, names: Any) -> New:
    """Put another variable."""
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id in names:
        for other in names:
            if other != node.id:
                words = f"{node.id} is used instead of {other}"
                yield at(ast.Name(other, ast.Load()), node), words


_OTHER_RELATIONS: dict[Any, tuple[Any, ...]] = {
    ast.Lt: (ast.Gt, ast.LtE, ast.GtE), ast.Gt: (ast.Lt, ast.GtE, ast.LtE),
    ast.LtE: (ast.GtE, ast.Lt, ast.Gt), ast.GtE: (ast.LtE, ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,), ast.NotEq: (ast.Eq,),
}  # fmt: skip


def _conditions(node: Any, _: Any, __: Any) -> New:
    """Turn a relation, or a condition."""
    words = "the condition is wrong (a mask or a branch)"
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        for op in _OTHER_RELATIONS.get(type(node.ops[0]), ()):
            yield at(ast.Compare(node.left, [op()], node.comparators), node), words
        size = ast.Call(ast.Name("abs", ast.Load()), [node.left], [])
        yield at(ast.Compare(size, node.ops, node.comparators), node), words
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.BitAnd, ast.BitOr)):
        other = ast.BitOr() if isinstance(node.op, ast.BitAnd) else ast.BitAnd()
        yield at(ast.BinOp(node.left, other, node.right), node), words


def _order(node: Any, parent: Any, _: Any) -> New:
    """Give results in another order; leave a statement out."""
    if isinstance(node, ast.Tuple) and isinstance(parent, ast.Return):
        for i in range(len(node.elts)):
            for j in range(i):
                elts = list(node.elts)
                elts[i], elts[j] = elts[j], elts[i]
                yield at(ast.Tuple(elts, ast.Load()), node), "results are exchanged"
    if isinstance(node, (ast.AugAssign, ast.Assign)):
        yield at(ast.Pass(), node), "a term or a step does not belong there"


RULES: tuple[Callable[[Any, Any, Any], New], ...] = (
    _assignments, _branches, _operators, _order, _transposes, _indices, _ranges, _functions,
    _constants, _conditions, _variables,
)  # fmt: skip
"""The likeliest first."""

__all__ = ["RULES"]
