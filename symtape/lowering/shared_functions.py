"""Functions within bodies that several steps compute of the same operands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import sympy as sp

from symtape.lowering.scaled import carries_numbers
from symtape.program.operations import Map, parameter, parameters
from symtape.program.program import Program


class Part(NamedTuple):
    """A function within a body: an operation of its own, of some of the operands."""

    body: sp.Basic
    operation: Map
    picks: tuple[int, ...]


@lru_cache(maxsize=4096)
def parts(operation: Map) -> tuple[Part, ...]:
    """List the functions of operands within a body, those that contain others last."""
    symbols = parameters(operation.arity)
    found = []
    for e in dict.fromkeys(sp.postorder_traversal(operation.body)):
        if e == operation.body or not e.free_symbols or not _is_costly(e):
            continue
        picks = tuple([k for k, symbol in enumerate(symbols) if symbol in e.free_symbols])
        body = e.xreplace({symbols[k]: parameter(n) for n, k in enumerate(picks)})
        found.append(Part(e, Map.of(body, len(picks)), picks))
    return tuple(found)


@lru_cache(maxsize=4096)
def _is_function(operation: Map) -> bool:
    return _is_costly(operation.body)


def _is_costly(e: sp.Basic) -> bool:
    return isinstance(e, sp.Function) and not isinstance(e, sp.Piecewise)


def place_of(part: Part, operands: Sequence[int]) -> tuple[Any, ...]:
    """Give the step that a part would be."""
    return (part.operation, *[operands[k] for k in part.picks])


def shared_functions(program: Program, order: Sequence[int]) -> set[tuple[Any, ...]]:
    """Find the functions that more than one step computes of the same operands."""
    seen: Counter[tuple[Any, ...]] = Counter()
    for p in order:
        step = program.steps[p]
        operation = step[0]
        if type(operation) is Map and carries_numbers(program.dtypes[p]):
            if _is_function(operation):
                seen[step] += 1
            for part in parts(operation):
                seen[place_of(part, step[1:])] += 1
    return {place for place, count in seen.items() if count > 1}
