"""What is computed of each row, for all rows at once."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any

from symtape.calculus.batching import batched
from symtape.ops.elementwise.conversion import constant
from symtape.tape import GradientTape
from symtape.tensor.dispatch import apply
from symtape.tensor.tensor import Literal, Tensor


def for_each(
    body: Callable[[Mapping[Any, Tensor]], Tensor],
    given: Mapping[Any, Tensor],
    rows: Collection[Any],
) -> Tensor:
    """Give what a function gives for each row of some of its arguments, which are `rows`.

    It is recorded for one row, and computed for all of them at once.
    """
    alone = {v: constant(x.raw[0] if v in rows else x.raw) for v, x in given.items()}
    with GradientTape() as tape:
        tape.watch([*alone.values()])
        y = body(alone)
    formula = y.formula
    own = {id(x): v for v, x in alone.items()}
    place = {own[id(leaf.tensor())]: leaf.position for leaf in formula.all_leaves}
    count = next(len(given[v].raw) for v in rows)
    made = batched(formula.program, [place[v] for v in rows if v in place], (), count)
    found = {made.places[p]: given[v] for v, p in place.items()}
    last = made.places[formula.position]
    for p in made.program.ancestors([last]):
        operation, *operands = made.program.steps[p]
        if p not in found:
            found[p] = _again(operation, [found[q] for q in operands])
    return found[last]


def _again(operation: Any, operands: list[Tensor]) -> Tensor:
    if operands:
        return apply(operation, *operands)
    return Literal.of(operation.number, operation.dtype)
