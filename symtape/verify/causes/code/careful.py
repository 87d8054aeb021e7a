"""`ufunc.at` in changed sources: an array that does not fit its places is refused.

NumPy writes beyond the memory of an array where what is added has more axes than a slice and an
array of places give, which ends the process: `np.add.at(np.zeros((2, 4)), (..., [0, 1]),
np.zeros((2, 1, 1, 2)))`. Nobody wrote what a change makes, so it has to be looked at before.
"""

from __future__ import annotations

import ast
import copy
from typing import Any

import numpy as np

NAME = "__careful_at__"
"""What a changed source calls instead."""


def careful(module: Any) -> Any:
    """Let calls of `at` in a syntax tree be careful ones; a tree without any is given itself."""
    calls = (n for n in ast.walk(module) if isinstance(n, ast.Call))
    return _Careful().visit(copy.deepcopy(module)) if any(map(_is_at, calls)) else module


def careful_at(at: Any, *given: Any) -> Any:
    """Call `ufunc.at`; raises `ValueError` for values that do not fit their places.

    >>> x = np.zeros((2, 4))
    >>> careful_at(np.add.at, x, (..., [0, 1]), np.zeros((2, 1, 1, 2)))
    Traceback (most recent call last):
    ...
    ValueError: input operand has more dimensions than allowed by the axis remapping
    """
    is_of_numpy = isinstance(getattr(at, "__self__", None), np.ufunc)
    if is_of_numpy and len(given) == _WITH_VALUES and isinstance(given[0], np.ndarray):
        array, places, values = given
        np.broadcast_to(values, array[places].shape)
    return at(*given)


_WITH_VALUES = 3


class _Careful(ast.NodeTransformer):
    def visit_Call(self, node: Any) -> Any:
        self.generic_visit(node)
        if not _is_at(node):
            return node
        named = ast.Name(NAME, ast.Load())
        return ast.Call(named, [node.func, *node.args], node.keywords)


def _is_at(call: Any) -> bool:
    return isinstance(call.func, ast.Attribute) and call.func.attr == "at"
