"""Changes that put in what is missing in a function: a sign, a factor, a term, a call."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from symtape.verify.causes.changes.syntax import SIGN, New, at, is_value, negative

_WHOLE = (ast.Return, ast.Assign, ast.AugAssign, ast.Tuple)
"""What holds a value that is complete."""


def _signs(node: Any, parent: Any, _: Any) -> New:
    """Put a minus."""
    if is_value(node) and isinstance(parent, (ast.BinOp, *_WHOLE)):
        yield at(ast.UnaryOp(ast.USub(), node), node), SIGN


def is_term(node: Any, parent: Any) -> bool:
    """Say whether a value is a term, an argument, or a factor of a matrix product."""
    if not is_value(node) or isinstance(node, ast.Starred) or _is_choice(node):
        return False
    if isinstance(parent, ast.BinOp):
        return isinstance(parent.op, (ast.Add, ast.Sub, ast.MatMult))
    if isinstance(parent, ast.Attribute):
        return parent.attr in _SUMS
    return isinstance(parent, (*_WHOLE, ast.Lambda)) or (
        isinstance(parent, ast.Call) and node is not parent.func
    )


_SUMS = frozenset({"sum", "mean", "cumsum"})
"""Methods of something whose terms may lack a factor."""


def _is_choice(node: Any) -> bool:
    """Say whether a value is True, False, None or a text, with which nobody computes."""
    return isinstance(node, ast.Constant) and type(node.value) not in (int, float, complex)


def _factors(node: Any, parent: Any, names: Sequence[str]) -> New:
    """Put in a factor, a divisor or a term that has a name."""
    if not is_term(node, parent):
        return
    for name in names:
        other = ast.Name(name, ast.Load())
        one_less = ast.BinOp(ast.Constant(1), ast.Sub(), other)
        yield from _put(node, other, name)
        yield at(ast.BinOp(node, ast.Mult(), one_less), node), f"the factor 1 - {name} is missing"
    for number in (2, 0.5):
        new = ast.BinOp(node, ast.Mult(), ast.Constant(number))
        yield at(new, node), f"the factor {number} is missing"


def _put(node: Any, other: Any, text: str) -> New:
    """Multiply by a value, divide by it, add it, and subtract it."""
    for op, words in _KINDS:
        part = negative(other, text) if isinstance(op, ast.Sub) else text
        yield at(ast.BinOp(node, op, other), node), words.format(part)


_KINDS = (
    (ast.Mult(), "the factor {} is missing"),
    (ast.Div(), "the division by {} is missing"),
    (ast.Add(), "the term {} is missing"),
    (ast.Sub(), "the term {} is missing"),
)


def _numbers(node: Any, parent: Any, names: Sequence[str]) -> New:
    """Put in a one, also in a factor; or the number of what a name has."""
    if not is_term(node, parent) and not _is_factor(node, parent):
        return
    one = ast.Constant(1)
    yield at(ast.BinOp(node, ast.Sub(), one), node), "the term -1 is missing"
    yield at(ast.BinOp(node, ast.Add(), one), node), "the term 1 is missing"
    yield at(ast.BinOp(one, ast.Sub(), node), node), "1 - it is meant: a term is missing"
    for name in names if is_term(node, parent) else ():
        count = ast.Call(ast.Name("len", ast.Load()), [ast.Name(name, ast.Load())], [])
        size = ast.Attribute(ast.Name(name, ast.Load()), "size", ast.Load())
        total = ast.Call(ast.Attribute(ast.Name(name, ast.Load()), "sum", ast.Load()), [], [])
        yield (
            at(ast.BinOp(node, ast.Mult(), total), node),
            f"the factor {name}.sum() is missing",
        )
        last = ast.parse(f"{name}.shape[-1]", mode="eval").body
        for number in (count, size, last):
            text = ast.unparse(number)
            mean = f"the division by {text} is missing: a sum stands for a mean"
            yield at(ast.BinOp(node, ast.Div(), number), node), mean
            whole = f"the factor {text} is missing: a mean stands for a sum"
            yield at(ast.BinOp(node, ast.Mult(), number), node), whole


def _is_factor(node: Any, parent: Any) -> bool:
    """Say whether a value is a factor or a divisor, and no number that is written."""
    is_product = isinstance(parent, ast.BinOp) and isinstance(parent.op, (ast.Mult, ast.Div))
    return is_product and is_value(node) and not isinstance(node, ast.Constant)


def _slopes(node: Any, parent: Any, names: Sequence[str]) -> New:
    """Put in the slope of a function by its value, as p (1 - p) of a sigmoid, or a power."""
    if not is_term(node, parent):
        return
    for name in names:
        for text in (f"{name}*(1 - {name})", f"(1 - {name}**2)", f"{name}**2"):
            other: Any = ast.parse(text, mode="eval").body
            yield at(ast.BinOp(node, ast.Mult(), other), node), f"the factor {text} is missing"
        yield (
            at(ast.BinOp(node, ast.Div(), other), node),
            f"the division by {name}**2 is missing",
        )


def _wrapped(node: Any, parent: Any, _: Any) -> New:
    """Put a function that is missing."""
    near = isinstance(parent, (ast.BinOp, ast.Call, *_WHOLE))
    if not is_value(node) or not near or isinstance(node, ast.Starred) or _is_number(node):
        return
    for name in ("exp", "log", "sqrt", "square", "abs", "cumsum", "sign", "tril", "triu"):
        function = ast.Attribute(ast.Name("np", ast.Load()), name, ast.Load())
        yield at(ast.Call(function, [node], []), node), f"the function {name} is missing"
    if isinstance(node, (ast.Name, ast.Call)):
        size: Any = ast.parse("np.linalg.norm(0)", mode="eval").body
        size.args = [node]
        yield at(ast.BinOp(node, ast.Div(), size), node), "the division by a norm is missing"


def _is_number(node: Any) -> bool:
    """Say whether a value is a number that is written, also as np.float32(2.0)."""
    is_cast = isinstance(node, ast.Call) and bool(node.args) and not node.keywords
    return isinstance(node, ast.Constant) or (is_cast and all(map(_is_number, node.args)))


def pooled(tree: Any) -> Callable[[Any, Any, Any], New]:
    """Make a rule that puts in what stands elsewhere in the function."""
    pool = list(_pool(tree))

    def rule(node: Any, parent: Any, _: Any) -> New:
        if is_term(node, parent):
            own = ast.unparse(node)
            for other, text in pool:
                if text != own or not _is_number(node):  # nobody divides a number by itself
                    yield from _put(node, other, text)

    return rule


def others(tree: Any) -> Callable[[Any, Any, Any], New]:
    """Make a rule that puts another part of the function for one."""
    pool = list(_pool(tree))

    def rule(node: Any, _: Any, __: Any) -> New:
        if is_value(node) and isinstance(node, (ast.Subscript, ast.Attribute, ast.Name)):
            own = ast.unparse(node)
            for other, text in pool:
                if text != own:
                    yield at(other, other), f"{own} is used instead of {text}"

    return rule


def _pool(tree: Any) -> Iterator[tuple[Any, str]]:
    """List the parts of a function that compute a value and are short, each once."""
    seen: set[str] = set()
    body = tree.body if isinstance(tree.body, list) else [tree.body]
    for statement in body:
        for node in ast.walk(statement):
            if not isinstance(node, (ast.Subscript, ast.BinOp, ast.Call)) or not is_value(node):
                continue
            text = ast.unparse(node)
            if text not in seen and len(text) <= _LONGEST_PART and len(seen) < _MOST_PARTS:
                seen.add(text)
                yield ast.parse(text, mode="eval").body, text  # the tree itself is changed


_LONGEST_PART, _MOST_PARTS = 32, 24


def products(node: Any, parent: Any, names: Sequence[str]) -> New:
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
    for name in ("cross", "outer"):
        function = ast.Attribute(ast.Name("np", ast.Load()), name, ast.Load())
        yield ast.Call(function, [left, right], []), f"{name}({a}, {b})"


_MOST_NAMES = 12

RULES: tuple[Callable[[Any, Any, Any], New], ...] = (_signs, _factors, _numbers, _wrapped, _slopes)
"""The likeliest first."""
