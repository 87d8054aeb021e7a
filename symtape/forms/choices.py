"""The relations under which a program chooses the elements that it chose."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise
from typing import Any

import numpy as np
import sympy as sp
from sympy.logic.boolalg import Boolean

from symtape.forms.expression import choices, entries
from symtape.program.evaluation.evaluation import as_objects
from symtape.program.functions.scalar import indicator
from symtape.program.kinds.structural import Position
from symtape.program.program import Program


def chosen(
    program: Program, wanted: list[int], names: Mapping[int, str], value: Callable[[int], Any]
) -> list[Any]:
    """Write what sorting, comparing and cutting to integers decided; `value` gives numbers.

    Integers that entered choose, too, but nothing decided them.
    """
    found: list[Any] = []
    for p in choices(program, wanted):
        operation, *operands = program.steps[p]
        if type(operation) is Position:
            compared = entries(program, operands[0], names, indices=value)
            found.extend(_ordered(operation, compared, np.asarray(value(p))))
        elif _is_decided(program, p):
            written = entries(program, p, names, indices=value)
            found.extend(map(sp.Eq, np.ravel(written), np.ravel(value(p)).tolist()))
    return found


def _is_decided(program: Program, p: int) -> bool:
    """Say whether integers were computed from what is none, besides places in an order."""
    ordered = [q for q in program.ancestors([p]) if type(program.steps[q][0]) is Position]
    leaves = [q for q in program.ancestors([p], ordered) if q not in ordered]
    return any(len(program.steps[q]) == 1 and program.dtypes[q].kind in "fcV" for q in leaves)


def _ordered(operation: Position, compared: Any, places: Any) -> Iterator[Any]:
    """Write the order of the elements along an axis, or that one is before all others."""
    axis = operation.axes[0]
    numbers = [indicator(e) if isinstance(e, Boolean) else e for e in np.ravel(compared)]
    compared = as_objects(numbers).reshape(np.shape(compared))
    lines = np.moveaxis(compared, axis, -1)
    if operation.which == "argsort":
        places = np.moveaxis(places, axis, -1)
    for at in np.ndindex(*lines.shape[:-1]):
        line = list(lines[at])
        if operation.which == "argsort":
            order = list(map(int, places[at]))
            pairs = list(pairwise(order))
        else:
            best = int(places[at])
            pairs = [(best, k) for k in range(len(line)) if k != best]
        if operation.which == "argmax":
            yield from [sp.Ge(line[a], line[b]) if a < b else line[a] > line[b] for a, b in pairs]
        else:
            yield from [sp.Le(line[a], line[b]) if a < b else line[a] < line[b] for a, b in pairs]
