"""Changes of the axes along which something is summed, or computed: others, several, or some."""

from __future__ import annotations

import ast
from typing import Any

from symtape.verify.causes.changes.syntax import New, at, called, whole

_REDUCTIONS = frozenset(
    {"sum", "mean", "max", "min", "prod", "cumsum", "std", "var", "any", "all", "amax", "amin"}
)
_ALONG = _REDUCTIONS | {
    "cumprod", "flip", "log_softmax", "logsumexp", "norm", "softmax", "sort", "argsort", "argmax",
    "argmin", "cat", "concatenate", "stack", "unsqueeze", "expand_dims", "squeeze",
}  # fmt: skip
"""Functions that are told an axis, also without its name."""

_SINGLE: tuple[int | None, ...] = (0, 1, -1, -2, 2, None)
_SEVERAL = ((0, 1), (1, 2), (0, 2), (-2, -1))


def is_axis(node: Any, parent: Any) -> bool:
    """Say whether a node is an axis, or several: it is called so, or stands where one does.

    >>> for text in ("x.sum(-1)", "np.sum(x, (0, 1))", "np.add(x, 1)", "np.stack([x, 1])"):
    ...     call = ast.parse(text, mode="eval").body
    ...     print(is_axis(call.args[-1], call))
    True
    True
    False
    False
    """
    if _axes_in(node) is None:
        return False
    if isinstance(parent, ast.keyword):
        return parent.arg in {"axis", "dim"}
    return isinstance(parent, ast.Call) and called(parent) in _ALONG and node in parent.args[:2]


def _axes_in(node: Any) -> tuple[int, ...] | None:
    """Give the axes that are written, if they are numbers."""
    parts = node.elts if isinstance(node, ast.Tuple) else [node]
    found = [n for n in map(whole, parts) if n is not None]
    return tuple(found) if found and len(found) == len(parts) else None


def axes(node: Any, parent: Any, _: Any) -> New:
    """Put another axis, or several for one; and some for what is summed over all."""
    own = _axes_in(node)
    if own is not None and is_axis(node, parent):
        for axis in (*_SINGLE, *_SEVERAL):
            if own != (axis if isinstance(axis, tuple) else (axis,)):
                yield at(_written(axis), node), _told(own, axis)
    if isinstance(node, ast.Call) and called(node) in _REDUCTIONS and not _has_axis(node):
        kept = [k for k in node.keywords if k.arg not in {"keepdims", "keepdim"}]
        for axis in (*_SINGLE[:-1], *_SEVERAL):
            for keeps in (False, True):
                told = [ast.keyword("axis", _written(axis))]
                told += [ast.keyword("keepdims", ast.Constant(True))] * keeps
                new = ast.Call(node.func, node.args, [*kept, *told])
                yield at(new, node), f"the axis is missing: {called(node)} is over all entries"


def _told(own: tuple[int, ...], axis: Any) -> str:
    is_more = isinstance(axis, tuple) and len(own) == 1 and own[0] in axis
    return "the axis is wrong" + (": it is over one axis instead of two" if is_more else "")


def _has_axis(call: ast.Call) -> bool:
    """Say whether a call may have an axis: it names one, or has more than what it is of."""
    named = any(k.arg in {"axis", "dim", None} for k in call.keywords)
    return named or len(call.args) > 1 or any(_axes_in(a) is not None for a in call.args)


def _written(axis: Any) -> Any:
    if isinstance(axis, tuple):
        return ast.Tuple([*map(ast.Constant, axis)], ast.Load())
    return ast.Constant(axis)
