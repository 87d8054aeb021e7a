"""A hard maximum where a soft one belongs, or a soft one for a hard one: of a reduction."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np
import sympy as sp

from symtape.ops.reductions.reduction import reduce_logsumexp, reduce_max
from symtape.ops.shapes.shaping import reshape
from symtape.program import operations as ops
from symtape.program.kinds.structural import Extremum
from symtape.program.operations import Einsum, Map
from symtape.verify.causes.derived import Derived

_HARD = (
    "a hard maximum stands for a soft one: the largest of {} alone counts, "
    "and not all of them as in their logsumexp"
)
_SOFT = (
    "a soft {} stands for a hard one: all of {{}} count, as in their logsumexp, "
    "and not the {} alone"
)


class TiedError(Exception):
    """Several entries are the largest: each of many slopes is that of a hard maximum there."""


def softened(
    view: Derived,
) -> Iterator[tuple[Callable[[int, Any, Sequence[Any]], Any], Callable[[], str]]]:
    """List changes of reductions: the maximum for the logarithm of a sum, or that for a maximum."""
    steps = view.program.steps
    for p, (operation, *operands) in enumerate(steps):
        if type(operation) is Extremum:
            which = {"max": ("maximum", "largest"), "min": ("minimum", "smallest")}
            words = _SOFT.format(*which[operation.which])
            yield _soft(p, operation), partial(_told, view, words, operands[0])
        if _is_log_of_sum(view, p):
            whole, parts = operands[0], steps[operands[0]][1]
            of = steps[parts][1] if type(steps[parts][0]) is Map else parts
            yield _hard(whole, view), partial(_told, view, _HARD, of)


def _told(view: Derived, words: str, about: int) -> str:
    return words.format(view.text(about))


_LOG = ops.elementwise("log", sp.log)


def _is_log_of_sum(view: Derived, p: int) -> bool:
    operation, *operands = view.program.steps[p]
    if operation != _LOG:
        return False
    inner, *parts = view.program.steps[operands[0]]
    return type(inner) is Einsum and len(parts) == 1


def _hard(place: int, view: Derived) -> Callable[[int, Any, Sequence[Any]], Any]:
    """Put the largest of what a step sums for their sum; its logarithm is a hard maximum.

    The change raises `TiedError` where there are several.
    """
    operation: Any = view.program.steps[place][0]
    summed = [k for k, c in enumerate(operation.inputs[0]) if c not in operation.output]
    shape = view.program.shapes[place]

    def change(p: int, _: Any, given: Sequence[Any]) -> Any:
        if p != place:
            return None
        largest = reduce_max(given[0], axis=summed, keepdims=True)
        count = np.sum(given[0].numpy() == largest.numpy(), axis=tuple(summed))
        if np.any(count > 1):
            raise TiedError
        return reshape(largest, shape)

    return change


def _soft(place: int, operation: Any) -> Callable[[int, Any, Sequence[Any]], Any]:
    """Put the logsumexp for a maximum, and its mirror image for a minimum."""
    sign = 1 if operation.which == "max" else -1
    return lambda p, _, given: (
        sign * reduce_logsumexp(sign * given[0], axis=list(operation.axes)) if p == place else None
    )
