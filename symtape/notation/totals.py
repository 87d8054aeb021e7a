"""What is computed of each row, for all rows at once; and components, along axes of their own."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from symtape.calculus.batching import batched
from symtape.notation.words import REDUCTIONS
from symtape.ops.elementwise.conversion import constant
from symtape.ops.linalg.diagonals import diag_part
from symtape.ops.shapes.shaping import squeeze, transpose
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


def _in_frame(x: Tensor, below: str, frame: Sequence[str]) -> Tensor:
    """Put the axes of an array where their indices are among all, beside axes of size one."""
    if len({*below}) < len(below):
        x, below = diag_part(x), below[0]
    order = sorted(range(len(below)), key=lambda k: frame.index(below[k]))
    if order != [*range(len(below))]:
        x = transpose(x, order)
    return x[tuple([slice(None) if letter in below else None for letter in frame])]


def _along(x: Tensor, axis: int, reduction: str, is_outer: bool) -> Tensor:
    """Add up along the axis of an index; the outermost sum has no axes left."""
    found = REDUCTIONS[reduction](x, axis=(axis,), keepdims=True)
    return squeeze(found) if is_outer else found


OF_COMPONENTS: dict[str, Callable[..., Tensor]] = {"entry": _in_frame, "components": _along}
"""What sums over components are made of."""


def _again(operation: Any, operands: list[Tensor]) -> Tensor:
    if operands:
        return apply(operation, *operands)
    return Literal.of(operation.number, operation.dtype)
