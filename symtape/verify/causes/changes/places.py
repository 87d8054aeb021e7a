"""Changes of places in a function: axes, indices, slices, and the order of what is listed."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from symtape.verify.causes.changes.syntax import (
    REVERSED,
    New,
    at,
    called,
    is_place,
    is_value,
    moved,
    places_of,
)

_MOST_ELEMENTS = 6


def _order(node: Any, parent: Any, _: Any) -> New:
    """Give results, or other things that are listed, in another order."""
    if not isinstance(node, (ast.Tuple, ast.List)) or len(node.elts) > _MOST_ELEMENTS:
        return
    is_result = isinstance(parent, ast.Return)
    words = "results are exchanged" if is_result else "elements are in another order"
    for i in range(len(node.elts)):
        for j in range(i):
            elts = list(node.elts)
            elts[i], elts[j] = elts[j], elts[i]
            yield at(type(node)(elts, node.ctx), node), words


def _transposes(node: Any, parent: Any, _: Any) -> New:
    """Transpose a matrix, or do not."""
    if isinstance(node, ast.Attribute) and node.attr == "T":
        yield node.value, "it is transposed"
    if isinstance(node, ast.Call) and called(node) in {"swapaxes", "transpose"} and node.args:
        yield node.args[0], "it is transposed"
    near = isinstance(
        parent, (ast.BinOp, ast.Return, ast.Assign, ast.AugAssign, ast.Call, ast.Tuple)
    )
    if is_value(node) and near and not isinstance(node, ast.Constant):
        yield at(ast.Attribute(node, "T", ast.Load()), node), "it is transposed"
        last: list[ast.expr] = [ast.UnaryOp(ast.USub(), ast.Constant(n)) for n in (1, 2)]
        swapped = ast.Call(ast.Attribute(node, "swapaxes", ast.Load()), last, [])
        yield at(swapped, node), "it is transposed (its last two axes)"


def _indices(node: Any, parent: Any, _: Any) -> New:
    """Count one more or less, in indices, slices and ranges."""
    if not (is_place(node, parent) or isinstance(parent, ast.Tuple)) or not isinstance(
        node,
        (ast.Name, ast.Constant, ast.BinOp, ast.Call, ast.Subscript, ast.Attribute, ast.UnaryOp),
    ):
        return
    if isinstance(node, ast.Constant) and not isinstance(node.value, int):
        return
    for step in (1, -1):
        yield moved(node, step), _OFF


_OFF = "it is off by one"


def _ranges(node: Any, _: Any, __: Any) -> New:
    """Begin a loop or a triangle elsewhere, or turn a loop."""
    if not isinstance(node, ast.Call):
        return
    if called(node) in {"range", "arange"} and len(node.args) == 2:
        for step in (1, -1):
            ends = [moved(x, step) for x in node.args]
            yield at(ast.Call(node.func, ends, node.keywords), node), _OFF
    if called(node) in {"tril", "triu"} and not node.keywords:
        for step in (-1, 1):
            more = [*node.args, ast.Constant(step)]
            yield at(ast.Call(node.func, more, []), node), f"{_OFF} (a diagonal)"
    if not isinstance(node.func, ast.Name):
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


def _slices(node: Any, parent: Any, _: Any) -> New:
    """Take the places on the other side of a bound, or all; put an axis at another place."""
    if isinstance(node, ast.Slice):
        words = "other places are meant"
        if (node.lower is None) != (node.upper is None):
            yield at(ast.Slice(node.upper, node.lower, node.step), node), words
        for low, high in ((node.lower, None), (None, node.upper), (None, None)):
            if (low, high) != (node.lower, node.upper):
                yield at(ast.Slice(low, high, node.step), node), words
        if node.step is not None:
            yield at(ast.Slice(node.lower, node.upper, None), node), words
    if isinstance(node, ast.Tuple) and isinstance(parent, ast.Subscript) and len(node.elts) > 1:
        turned = ast.Tuple(node.elts[::-1], ast.Load())
        yield at(turned, node), "axes are exchanged"


def _reversed(node: Any) -> Any:
    every = ast.UnaryOp(ast.USub(), ast.Constant(1))
    return ast.Subscript(node, ast.Slice(None, None, every), ast.Load())


def _scans(node: Any, _: Any, __: Any) -> New:
    """Let a running sum or product run the other way, or leave out what is at its own place."""
    if not isinstance(node, ast.Call) or called(node) not in {"cumsum", "cumprod"} or not node.args:
        return
    what = "sum" if called(node) == "cumsum" else "product"
    turned = ast.Call(node.func, [_reversed(node.args[0]), *node.args[1:]], node.keywords)
    yield at(_reversed(turned), node), f"the running {what} runs the wrong way (its order)"
    undo = ast.Sub() if what == "sum" else ast.Div()
    exclusive = ast.BinOp(node, undo, node.args[0])
    yield at(exclusive, node), f"the running {what} is off by one"


def _turns(node: Any, parent: Any, _: Any) -> New:
    """Turn an array around, or do not."""
    near = isinstance(parent, (ast.BinOp, ast.Assign, ast.Return, ast.Call, ast.Tuple, ast.For))
    if is_value(node) and near and isinstance(node, (ast.Name, ast.Call, ast.Subscript)):
        yield at(_reversed(node), node), REVERSED
        every, all_ = _reversed(node).slice, ast.Slice(None, None, None)
        for axes, words in (((every, every), "both axes"), ((all_, every), "its second axis")):
            made = ast.Subscript(node, ast.Tuple([*axes], ast.Load()), ast.Load())
            yield at(made, node), f"it has the other order (it is flipped along {words})"


def _broadcasts(node: Any, parent: Any, _: Any) -> New:
    """Let an operand have axes of one, by which it goes along others."""
    if not isinstance(parent, ast.BinOp) or not isinstance(node, (ast.Name, ast.Subscript)):
        return
    for place in _NEW_AXES:
        like: Any = ast.parse(f"_[{place}]", mode="eval").body
        made = ast.Subscript(node, like.slice, ast.Load())
        yield at(made, node), "it is broadcast along other axes (the layout)"


def elsewhere(tree: Any) -> Callable[[Any, Any, Any], New]:
    """Make a rule that takes the places that are taken elsewhere in the function."""
    pool = list(places_of(tree).items())[:_MOST_PLACES]

    def rule(node: Any, parent: Any, _: Any) -> New:
        if isinstance(parent, ast.Subscript) and node is parent.slice:
            own = ast.unparse(node)
            for text, other in pool:
                if text != own:
                    yield other, f"other places are meant: [{text}] instead of [{own}]"

    return rule


_MOST_PLACES = 12
_NEW_AXES = (":, None", "None, :", ":, None, None")

ORDER: tuple[Callable[[Any, Any, Any], New], ...] = (_order, _transposes, _indices, _ranges)
"""The likeliest slips."""

OTHERS: tuple[Callable[[Any, Any, Any], New], ...] = (_slices, _scans, _turns, _broadcasts)
"""Others."""
