"""Small changes of a syntax tree: the slips that people make, backwards."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple


class Change(NamedTuple):
    """A node in the place of another: what holds it, where, and what is wrong if that is right."""

    parent: Any
    field: str
    place: int | None
    new: Any
    words: str
    statement: Any

    @contextmanager
    def made(self) -> Iterator[None]:
        """Put the node in, and the old one back."""
        old = getattr(self.parent, self.field)
        if self.place is None:
            setattr(self.parent, self.field, self.new)
        else:
            changed = [
                *old[: self.place],
                *([self.new] if self.new is not None else []),
                *old[self.place + 1 :],
            ]
            setattr(self.parent, self.field, changed or [ast.Pass()])
        try:
            yield
        finally:
            setattr(self.parent, self.field, old)


def changes(tree: Any) -> Iterator[Change]:
    """List all changes of a function, the likeliest first."""
    spots = list(_spots(tree))
    names = _names(tree)
    for rule in _RULES:
        for parent, field, index, node, statement in spots:
            for new, words in rule(node, parent, names):
                yield Change(parent, field, index, new, words, statement)


def _spots(tree: Any) -> Iterator[tuple[Any, str, int | None, Any, Any]]:
    """List the nodes of a body, each with what holds it and the statement that it is in."""
    body = tree.body if isinstance(tree.body, list) else [tree]
    stack = [
        (tree, "body", k if isinstance(tree.body, list) else None, n, n) for k, n in enumerate(body)
    ]
    if not isinstance(tree.body, list):
        stack = [(tree, "body", None, tree.body, tree)]
    while stack:
        parent, field, index, node, statement = stack.pop()
        own = node if isinstance(node, ast.stmt) else statement
        yield parent, field, index, node, own
        for name, value in ast.iter_fields(node):
            if isinstance(value, ast.AST) and not isinstance(
                value, (ast.expr_context, ast.operator)
            ):
                stack.append((node, name, None, value, own))
            elif isinstance(value, list):
                stack += [
                    (node, name, k, v, own) for k, v in enumerate(value) if isinstance(v, ast.AST)
                ]


def _names(tree: Any) -> list[str]:
    """List the names that the function takes or sets."""
    found = [a.arg for a in tree.args.args]
    found += [
        n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)
    ]
    return list(dict.fromkeys(found))


def _is_value(node: Any) -> bool:
    """Say whether a node is an expression that is computed."""
    is_target = isinstance(getattr(node, "ctx", None), (ast.Store, ast.Del))
    return isinstance(node, ast.expr) and not is_target and not isinstance(node, ast.Slice)


New = Iterator[tuple[Any, str]]


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
                    _at(ast.AugAssign(target, op, node.value), node),
                    f"{words} (it is overwritten)",
                )
    if isinstance(node, ast.AugAssign):
        yield _at(ast.Assign([node.target], node.value), node), "a term too much is added"
        for op, words in _OTHER_SIGNS.get(type(node.op), ()):
            yield _at(ast.AugAssign(node.target, op(), node.value), node), words


def _at(new: Any, node: Any) -> Any:
    return ast.copy_location(new, node)


_SIGN = "the sign is wrong"
_QUOTIENT = "it multiplies instead of dividing, or the other way"
_OTHER_SIGNS: dict[Any, tuple[tuple[Any, str], ...]] = {
    ast.Add: ((ast.Sub, _SIGN),),
    ast.Sub: ((ast.Add, _SIGN),),
    ast.Mult: ((ast.Div, _QUOTIENT), (ast.MatMult, "a matrix product is meant")),
    ast.Div: ((ast.Mult, _QUOTIENT),),
    ast.MatMult: ((ast.Mult, "a product of entries is meant"),),
}


def _operators(node: Any, _: Any, __: Any) -> New:
    """Exchange operators, operands, and leave one out."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        yield node.operand, _SIGN
    if not isinstance(node, ast.BinOp):
        return
    for op, words in _OTHER_SIGNS.get(type(node.op), ()):
        yield _at(ast.BinOp(node.left, op(), node.right), node), words
    if isinstance(node.op, (ast.Sub, ast.Div, ast.MatMult, ast.Pow)):
        words = _SIGN if isinstance(node.op, ast.Sub) else "operands are exchanged"
        yield _at(ast.BinOp(node.right, node.op, node.left), node), words
    what = "term" if isinstance(node.op, (ast.Add, ast.Sub)) else "factor"
    yield node.left, f"a {what} does not belong there"
    yield node.right, f"a {what} does not belong there"


def _signs(node: Any, parent: Any, _: Any) -> New:
    """Put a minus."""
    if _is_value(node) and isinstance(
        parent, (ast.BinOp, ast.Return, ast.Assign, ast.AugAssign, ast.Tuple)
    ):
        yield _at(ast.UnaryOp(ast.USub(), node), node), _SIGN


def _transposes(node: Any, parent: Any, _: Any) -> New:
    """Transpose a matrix, or do not."""
    if isinstance(node, ast.Attribute) and node.attr == "T":
        yield node.value, "it is transposed"
    if isinstance(node, ast.Call) and _called(node) in {"swapaxes", "transpose"} and node.args:
        yield node.args[0], "it is transposed"
    near = isinstance(
        parent, (ast.BinOp, ast.Return, ast.Assign, ast.AugAssign, ast.Call, ast.Tuple)
    )
    if _is_value(node) and near and not isinstance(node, ast.Constant):
        yield _at(ast.Attribute(node, "T", ast.Load()), node), "it is transposed"


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
        yield _at(ast.BinOp(node, op, ast.Constant(1)), node), "it is off by one"


def _ranges(node: Any, _: Any, __: Any) -> New:
    """Begin a loop elsewhere, or turn it."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
        return
    if node.func.id == "range" and len(node.args) == 2:
        yield _at(ast.Call(node.func, node.args[1:], []), node), "the loop leaves out places"
    if node.func.id == "range":
        yield (
            _at(ast.Call(ast.Name("reversed", ast.Load()), [node], []), node),
            "a loop runs the wrong way",
        )
    if node.func.id == "reversed" and node.args:
        yield node.args[0], "a loop runs the wrong way"


def _constants(node: Any, parent: Any, _: Any) -> New:
    """Put another number; along an axis, another axis."""
    if isinstance(parent, ast.keyword) and parent.arg == "axis":
        for axis in (0, 1, -1, -2, None):
            yield _at(ast.Constant(axis), node), "the axis is wrong"
        return
    n: Any = getattr(node, "value", None)
    if not isinstance(node, ast.Constant) or type(n) not in (int, float):
        return
    for other in dict.fromkeys((n + 1, n - 1, -n, 2 * n, n / 2, 3 * n, n * n, 1.0 - n)):
        words = _SIGN if other == -n else "a number is wrong (a factor, a power or a constant)"
        yield _at(ast.Constant(other), node), words


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
            yield _at(ast.Call(func, node.args, node.keywords), node), words
    if len(node.args) == 1:
        yield node.args[0], f"another function is used: {name} does not belong there"
    if len(node.args) >= 2:
        swapped = [node.args[1], node.args[0], *node.args[2:]]
        yield _at(ast.Call(node.func, swapped, node.keywords), node), "arguments are exchanged"


def _variables(node: Any, _: Any, names: Any) -> New:
    """Put another variable."""
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id in names:
        for other in names:
            if other != node.id:
                words = f"{node.id} is used instead of {other}"
                yield _at(ast.Name(other, ast.Load()), node), words


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
            yield _at(ast.Compare(node.left, [op()], node.comparators), node), words
        size = ast.Call(ast.Name("abs", ast.Load()), [node.left], [])
        yield _at(ast.Compare(size, node.ops, node.comparators), node), words
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.BitAnd, ast.BitOr)):
        other = ast.BitOr() if isinstance(node.op, ast.BitAnd) else ast.BitAnd()
        yield _at(ast.BinOp(node.left, other, node.right), node), words


def _order(node: Any, parent: Any, _: Any) -> New:
    """Give results in another order; leave a statement out."""
    if isinstance(node, ast.Tuple) and isinstance(parent, ast.Return):
        for i in range(len(node.elts)):
            for j in range(i):
                elts = list(node.elts)
                elts[i], elts[j] = elts[j], elts[i]
                yield _at(ast.Tuple(elts, ast.Load()), node), "results are exchanged"
    if isinstance(node, (ast.AugAssign, ast.Assign)):
        yield _at(ast.Pass(), node), "a term or a step does not belong there"


def _factors(node: Any, parent: Any, names: Any) -> New:
    """Put in a factor, a divisor or a term that has a name."""
    is_whole = isinstance(parent, (ast.Return, ast.Assign, ast.AugAssign, ast.Tuple)) or (
        isinstance(parent, ast.BinOp) and isinstance(parent.op, (ast.Add, ast.Sub))
    )
    if not _is_value(node) or not is_whole:
        return
    for name in names:
        other = ast.Name(name, ast.Load())
        one_less = ast.BinOp(ast.Constant(1), ast.Sub(), other)
        yield _at(ast.BinOp(node, ast.Mult(), other), node), f"the factor {name} is missing"
        yield _at(ast.BinOp(node, ast.Div(), other), node), f"the division by {name} is missing"
        yield _at(ast.BinOp(node, ast.Mult(), one_less), node), f"the factor 1 - {name} is missing"
        yield _at(ast.BinOp(node, ast.Add(), other), node), f"the term {name} is missing"
        yield _at(ast.BinOp(node, ast.Sub(), other), node), f"the term -{name} is missing"
    for number in (2, 0.5):
        new = ast.BinOp(node, ast.Mult(), ast.Constant(number))
        yield _at(new, node), f"the factor {number} is missing"


def _wrapped(node: Any, parent: Any, _: Any) -> New:
    """Put a function that is missing."""
    near = isinstance(parent, (ast.BinOp, ast.Return, ast.Assign, ast.AugAssign, ast.Tuple))
    if not _is_value(node) or not near or isinstance(node, ast.Constant):
        return
    for name in ("exp", "log", "sqrt", "square", "abs"):
        function = ast.Attribute(ast.Name("np", ast.Load()), name, ast.Load())
        yield _at(ast.Call(function, [node], []), node), f"the function {name} is missing"


def _products(node: Any, parent: Any, names: Any) -> New:
    """Put in a term that is a product of two names."""
    is_sum = isinstance(parent, (ast.Return, ast.Assign, ast.Tuple))
    if not _is_value(node) or not is_sum or len(names) > _MOST_NAMES:
        return
    for a in names:
        for b in names:
            for other, words in _pairs(a, b):
                for op, sign in ((ast.Add(), ""), (ast.Sub(), "-")):
                    yield (
                        _at(ast.BinOp(node, op, other), node),
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

_RULES: tuple[Callable[[Any, Any, Any], New], ...] = (
    _assignments, _operators, _order, _transposes, _indices, _ranges, _functions, _constants,
    _conditions, _variables, _signs, _factors, _wrapped, _products,
)  # fmt: skip

__all__ = ["Change", "changes"]
