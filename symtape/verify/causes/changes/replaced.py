"""Changes of what stands in a function: something else in its place, or nothing."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from symtape.verify.causes.changes.axes import axes, is_axis
from symtape.verify.causes.changes.syntax import (
    REVERSED,
    SIGN,
    New,
    at,
    called,
    is_place,
    is_value,
)


def _assignments(node: Any, _: Any, __: Any) -> New:
    """Exchange = and +=, and the signs of these."""
    if isinstance(node, ast.Assign) and len(node.targets) == 1:
        target = node.targets[0]
        if isinstance(target, (ast.Name, ast.Subscript)):
            for op, words in (
                (ast.Add(), "a sum is missing"),
                (ast.Sub(), "it has to be subtracted"),
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
_POWER = "a product stands for a power, or the other way (a factor, an exponent)"
_SUM = "a sum stands for a product, or the other way (a factor, a term)"
_OTHER_SIGNS: dict[Any, tuple[tuple[Any, str], ...]] = {
    ast.Add: ((ast.Sub, SIGN), (ast.Mult, _SUM)),
    ast.Sub: ((ast.Add, SIGN),),
    ast.Mult: (
        (ast.Div, _QUOTIENT),
        (ast.MatMult, "a matrix product is meant"),
        (ast.Pow, _POWER),
        (ast.Add, _SUM),
    ),
    ast.Pow: ((ast.Mult, _POWER),),
    ast.Div: ((ast.Mult, _QUOTIENT),),
    ast.MatMult: ((ast.Mult, "a product of entries is meant"),),
}


def _branches(node: Any, _: Any, __: Any) -> New:
    """Take one branch always."""
    words = "a branch does not belong there"
    if isinstance(node, ast.Call) and called(node) == "where" and len(node.args) == 3:
        yield node.args[2], words
        yield node.args[1], words
    if isinstance(node, ast.IfExp):
        yield node.orelse, words
        yield node.body, words
    if isinstance(node, ast.If):
        for truth in (False, True):
            made = ast.If(ast.Constant(truth), node.body, node.orelse)
            yield at(made, node), words


def _operators(node: Any, parent: Any, _: Any) -> New:
    """Exchange operators, operands, and leave one out."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        if is_axis(node, parent):
            return
        yield node.operand, REVERSED if isinstance(parent, ast.Slice) else SIGN
    if not isinstance(node, ast.BinOp):
        return
    if is_place(node, parent):
        yield from _moved(node)
        return
    for op, words in _OTHER_SIGNS.get(type(node.op), ()):
        yield at(ast.BinOp(node.left, op(), node.right), node), words
    if isinstance(node.op, (ast.Sub, ast.Div, ast.MatMult, ast.Pow)):
        words = _EXCHANGED.get(type(node.op), "operands are exchanged")
        yield at(ast.BinOp(node.right, node.op, node.left), node), words
    what = "term" if isinstance(node.op, (ast.Add, ast.Sub)) else "factor"
    words = f"a {what} does not belong there"
    yield node.left, words
    yield node.right, words


def _grouped(node: Any, parent: Any, _: Any) -> New:
    """Put the parentheses of a sum elsewhere: (x - y)**2 for x - y**2, z*x + y for z*(x + y)."""
    if not isinstance(node, ast.BinOp) or is_place(node, parent):
        return
    a: Any = node.left
    b: Any = node.right
    op, words = node.op, "parentheses are missing, or in the wrong place"
    if _is_of(a, _SUMS) and isinstance(op, _BINDING):
        yield at(ast.BinOp(a.left, a.op, ast.BinOp(a.right, op, b)), node), words
    if _is_of(b, _SUMS) and isinstance(op, ast.Mult):
        yield at(ast.BinOp(ast.BinOp(a, op, b.left), b.op, b.right), node), words
    if _is_of(b, _BINDING) and isinstance(op, _SUMS):
        yield at(ast.BinOp(ast.BinOp(a, op, b.left), b.op, b.right), node), words
    if _is_of(a, (ast.Mult,)) and isinstance(op, _SUMS):
        yield at(ast.BinOp(a.left, a.op, ast.BinOp(a.right, op, b)), node), words


_SUMS, _BINDING = (ast.Add, ast.Sub), (ast.Mult, ast.Div, ast.Pow)


def _is_of(node: Any, kinds: tuple[type, ...]) -> bool:
    return isinstance(node, ast.BinOp) and isinstance(node.op, kinds)


_EXCHANGED = {ast.Sub: SIGN, ast.MatMult: "operands are exchanged (one is transposed)"}


def _moved(node: Any) -> New:
    """Compute another place: one operand of it alone, or the difference for the sum."""
    words = f"it is off by {ast.unparse(node.right)} (an index)".replace("by 1 ", "by one ")
    yield node.left, words
    yield node.right, words
    for op, other in ((ast.Add, ast.Sub), (ast.Sub, ast.Add)):
        if isinstance(node.op, op):
            yield at(ast.BinOp(node.left, other(), node.right), node), f"{words}, the other way"


def _constants(node: Any, parent: Any, _: Any) -> New:
    """Put another number, which is no axis."""
    if is_axis(node, parent):
        return
    n: Any = getattr(node, "value", None)
    if isinstance(node, ast.Constant) and n in _OPTIONS:
        for other in _OPTIONS[n]:
            yield at(ast.Constant(other), node), f"an option is wrong: {n!r} instead of {other!r}"
        return
    if type(n) is bool:
        yield at(ast.Constant(not n), node), f"an option is wrong: {n} instead of {not n}"
    if not isinstance(node, ast.Constant) or type(n) not in (int, float):
        return
    has_sign = isinstance(parent, ast.UnaryOp) and isinstance(parent.op, ast.USub)
    bounds = (0,) if isinstance(parent, ast.Compare) else ()
    for other in dict.fromkeys((*bounds, n + 1, n - 1, -n, 2 * n, n / 2, 3 * n, n * n, 1.0 - n)):
        if has_sign and other < 0:
            continue  # nobody writes two signs; that one is left out is tried of the sign
        words = SIGN if other == -n else "a number is wrong (a factor, a power or a constant)"
        if other == -n and isinstance(parent, (ast.Slice, ast.Tuple)):
            words = REVERSED if isinstance(parent, ast.Slice) else "an axis or a place is wrong"
        yield at(ast.Constant(other), node), words


_OPTIONS: dict[Any, tuple[Any, ...]] = {"N": ("T",), "T": ("N",)}
"""Whether a matrix is transposed, as SciPy is told."""

_FUNCTIONS = (
    ("sum", "mean"), ("argmax", "argmin"), ("max", "min"), ("maximum", "minimum"),
    ("exp", "expm1"), ("log", "log1p"), ("sin", "cos"), ("sinh", "cosh"), ("sqrt", "square"),
    ("tril", "triu"), ("sign", "abs"), ("add", "subtract"), ("cumsum", "cumprod"),
    ("exp", "log"), ("tanh", "sinh"), ("zeros", "ones"), ("zeros_like", "ones_like"),
    ("var", "std"), ("inner", "outer"), ("scatter_", "scatter_add_"), ("scatter", "scatter_add"),
    ("index_copy_", "index_add_"), ("index_copy", "index_add"), ("set", "add"),
)  # fmt: skip


def _functions(node: Any, _: Any, __: Any) -> New:
    """Call another function, or none."""
    if not isinstance(node, ast.Call):
        return
    name = called(node)
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


def _relations(node: Any, parent: Any, _: Any) -> New:
    """Turn a relation, but for that of a loop, which may never end then: there are few of them."""
    if isinstance(node, ast.Compare) and len(node.ops) == 1 and not isinstance(parent, ast.While):
        for op in _OTHER_RELATIONS.get(type(node.ops[0]), ()):
            new = ast.Compare(node.left, [op()], node.comparators)
            yield at(new, node), "the condition is wrong (a mask or a branch)"


def _parts(node: Any, _: Any, names: Any) -> New:
    """Leave out a call, a selection of places, or both: a part of what stands there is right."""
    for part in _within(node, names):
        yield part, _without(node)
        for smaller in _within(part, names):
            yield smaller, "a part of it does not belong there"


def _within(node: Any, names: Any) -> list[Any]:
    """List what a call or a selection of places is of, which is no module."""
    if isinstance(node, ast.Call):
        of = [node.func.value] if isinstance(node.func, ast.Attribute) else []
        is_of = [not isinstance(x, ast.Name) or not node.args or x.id in names for x in of]
        return [*node.args, *(x for x, told in zip(of, is_of, strict=True) if told)]
    return [node.value] if isinstance(node, ast.Subscript) and is_value(node) else []


def _without(node: Any) -> str:
    if isinstance(node, ast.Call):
        return f"another function is used: {called(node)} does not belong there"
    return "a selection of places does not belong there"


def _steps(node: Any, _: Any, __: Any) -> New:
    """Leave a statement out."""
    if isinstance(node, (ast.AugAssign, ast.Assign)):
        yield at(ast.Pass(), node), "a term or a step does not belong there"


OPERATORS: tuple[Callable[[Any, Any, Any], New], ...] = (
    _assignments,
    _branches,
    _relations,
    _operators,
    _grouped,
    _steps,
)
"""The likeliest slips."""

FUNCTIONS: tuple[Callable[[Any, Any, Any], New], ...] = (
    _functions, axes, _conditions, _variables, _constants, _parts,
)  # fmt: skip
"""Others, the likeliest first."""
