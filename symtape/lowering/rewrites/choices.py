"""Numbers among which a condition chooses: slopes of maxima, of `elu` and of its kin."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import NamedTuple

import sympy as sp

from symtape.lowering.folder import Folder, Scaled
from symtape.lowering.rewrites.bodies import beside, rewritten
from symtape.program.functions import scalar
from symtape.program.operations import (
    Cast,
    Map,
    broadcast_shapes,
    dtype_name,
    parameter,
    parameters,
)


class Choice(NamedTuple):
    """An operand where a condition of others holds, and 0 elsewhere, or the other way round."""

    number: int
    condition: Map | None
    """It computes the condition; None where an operand is one."""
    reads: tuple[int, ...]
    is_turned: bool


@lru_cache(maxsize=4096)
def choice(operation: Map) -> Choice | None:
    """Say what an operation chooses between its operand and 0 by, if it does.

    >>> x, y, z = parameters(3)
    >>> choice(Map.of(sp.Piecewise((x, y >= z), (0, True)), 3))
    Choice(number=0, condition=a0 >= a1, reads=(1, 2), is_turned=False)
    """
    body, symbols = operation.body, parameters(operation.arity)
    if not isinstance(body, sp.Piecewise) or len(body.args) != 2:
        return None
    (held, condition), (other, _) = body.args
    number = other if held == 0 else held
    if number not in symbols or {held, other} != {number, sp.S.Zero}:
        return None
    reads = tuple([k for k, symbol in enumerate(symbols) if symbol in condition.free_symbols])
    if symbols.index(number) in reads:
        return None
    renamed = condition.xreplace({symbols[k]: parameter(n) for n, k in enumerate(reads)})
    own = None if condition in symbols else Map(renamed, len(reads), "bool")
    return Choice(symbols.index(number), own, reads, held == 0)


@cache
def _negation() -> Map:
    return Map.named("logical_not", scalar.negation(parameter(0)), 1, "bool")


def _condition(f: Folder, found: Choice, reads: Sequence[int]) -> int:
    """Compute where the operand is."""
    holds = reads[0] if found.condition is None else f.b.append(found.condition, *reads)
    return f.b.append(_negation(), holds) if found.is_turned else holds


def chosen_number(f: Folder, operation: Map, operands: Sequence[int], p: int) -> Scaled | None:
    """Write a number where a condition holds, and 0 elsewhere, as the number times 1 or 0.

    Where every rounding is kept, so is the sign of the zero.
    """
    found = choice(operation)
    assert found is not None  # noqa: S101 - the row is for choices
    number, core = f.place[operands[found.number]]
    if f.exactly or (core is not None and core not in f.ones):
        return None
    shapes = [f.program.shapes[operands[k]] for k in found.reads]
    if broadcast_shapes(shapes) != f.program.shapes[p]:
        return None
    condition = _condition(f, found, [f.whole(operands[k]) for k in found.reads])
    return f.result(number, Cast(dtype_name(f.program.dtypes[p])), condition)


@lru_cache(maxsize=4096)
def of_one(operation: Map) -> dict[int, Map]:
    """Say which operands are a factor of all that an operation chooses among, and what 1 leaves.

    >>> x, y = parameters(2)
    >>> of_one(Map.of(sp.Piecewise((x * sp.exp(y), y < 0), (x, True)), 2))
    {0: Piecewise((exp(a0), a0 < 0), (1, True))}
    """
    body, symbols = operation.body, parameters(operation.arity)
    if not isinstance(body, sp.Piecewise):
        return {}
    found = {}
    for k, symbol in enumerate(symbols):
        branches = [(e.as_independent(symbol, as_Add=False), c) for e, c in body.args]
        if any(c.has(symbol) or (own != symbol and e != 0) for (e, own), c in branches):
            continue
        left = sp.Piecewise(*[(e, c) for (e, _), c in branches])
        if not any(e.free_symbols for (e, _), _ in branches):
            continue  # numbers alone would have no dtype
        others = [other for other in symbols if other != symbol]
        if left.free_symbols == {*others}:
            renamed = left.xreplace({other: parameter(n) for n, other in enumerate(others)})
            found[k] = Map.of(renamed, len(others))
    return found


def number_of_choice(f: Folder, operation: Map, operands: Sequence[int], p: int) -> Scaled | None:
    """Carry a number that is a factor of all that a condition chooses among.

    Where every rounding is kept, only 1 is left out.
    """
    numbers = beside(f, operands, p)
    for k, plainer in of_one(operation).items():
        number = numbers[k]
        if number is not None and (number == 1 or not f.exactly):
            own, core = rewritten(f, plainer, [x for n, x in enumerate(operands) if n != k])
            assert core is not None  # noqa: S101 - a body is a step
            return f.times(own * number, core)
    return None
